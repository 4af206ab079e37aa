package recurrence

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/zone"
)

// cyclic are rules of every period structure that cycles are counted for, and some that
// they are not.
var cyclic = []string{
	"FREQ=DAILY", "FREQ=DAILY;INTERVAL=2", "FREQ=DAILY;INTERVAL=3", "FREQ=DAILY;INTERVAL=11", "FREQ=DAILY;BYHOUR=2,14;BYMINUTE=15,45",
	"FREQ=WEEKLY;BYDAY=MO,WE,SU;WKST=TU", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", "FREQ=WEEKLY;INTERVAL=7",
	"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH;BYSETPOS=2,-1", "FREQ=MONTHLY;BYMONTHDAY=-1,31", "FREQ=MONTHLY;INTERVAL=5;BYDAY=2TU,-1FR",
	"FREQ=MONTHLY;INTERVAL=7;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=YEARLY;INTERVAL=3;BYDAY=1MO,53FR", "FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=SU,MO",
	"FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "FREQ=YEARLY;INTERVAL=6;BYYEARDAY=1,366,-366", "FREQ=YEARLY;BYMONTH=3,11;BYDAY=SU",
	"FREQ=MONTHLY;INTERVAL=11", "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU;BYHOUR=2;BYMINUTE=30", "FREQ=MINUTELY;INTERVAL=15;BYHOUR=1,2,3;BYMONTH=3", "FREQ=HOURLY;INTERVAL=36",
}

// TestRankByCycles compares the count by cycles with the count by a look at each period and
// each gap, over the whole calendar.
func TestRankByCycles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom(cyclic).Draw(t, "rule")
		location, _ := zone.Load(rapid.SampledFrom([]string{"UTC", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Africa/Casablanca", "Pacific/Apia"}).Draw(t, "zone"))
		start := StartTime(time.Unix(rapid.Int64Range(minClock/2, maxClock/2).Draw(t, "start"), 0).In(location))
		if rapid.Bool().Draw(t, "at half past two") {
			start = StartTime(time.Date(start.Time().Year(), 3, 1, 2, 30, 0, 0, location))
		}
		s := seriesOfLines(t, start, "RRULE:"+rule)
		p := s.rules[0]
		clock := rapid.Int64Range(start.clock, maxClock+1).Draw(t, "clock")
		b := &budget{left: 1 << 40}
		matches, lost := p.matchesBetween(p.first, clock, b), s.lostByOne(p, clock, b)
		for range 2 { // what a cycle holds is counted the first time, and known the second
			if got := p.matchesBefore(clock, b); got != matches {
				t.Fatalf("%s from %s: %d matches before %s by cycles, %d by periods", rule, start.Time(), got, show(clock), matches)
			}
			if got := s.lostBefore(p, clock, b); got != lost {
				t.Fatalf("%s from %s: %d lost before %s by cycles, %d by gaps", rule, start.Time(), got, show(clock), lost)
			}
		}
	})
}

func show(clock int64) string { return Value{Form: Local, Clock: clock}.String() }

func seriesOfLines(t interface{ Fatal(...any) }, start Start, lines ...string) *Series {
	set, err := Parse(lines)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Compile(set, start)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRankFar is TestRankByCycles at the end of the calendar, for each rule.
func TestRankFar(t *testing.T) {
	location, _ := zone.Load("America/New_York")
	for _, rule := range cyclic {
		s := seriesOfLines(t, StartTime(time.Date(2026, 3, 1, 2, 30, 0, 0, location)), "RRULE:"+rule)
		p, b := s.rules[0], &budget{left: 1 << 40}
		if p.freq.SubDaily() { // which have no cycles
			continue
		}
		for _, year := range []int{2600, 9999} {
			clock := dayNumber(year, 7, 1) * secondsPerDay
			matches, lost := p.matchesBetween(p.first, clock, b), s.lostByOne(p, clock, b)
			if n, gone := p.matchesBefore(clock, b), s.lostBefore(p, clock, b); n != matches || gone != lost {
				t.Errorf("%s before %d: %d matches and %d lost, want %d and %d", rule, year, n, gone, matches, lost)
			}
		}
	}
}

// TestGapsOfZones holds that whatever a rule loses lies at a time that its zone has gaps at.
func TestGapsOfZones(t *testing.T) {
	location, _ := zone.Load("America/New_York")
	z := clockOf(location)
	for hour, want := range map[int]bool{1: false, 2: true, 3: false, 9: false} {
		set := clockMasks{hours: 1 << hour, minutes: 1 << 30, seconds: 1}
		times := newClockTimes(set)
		if got := z.hasGapAt(&times); got != want {
			t.Errorf("%02d:30: %v", hour, got)
		}
	}
}

// BenchmarkFarCount measures a window a few thousand years on, up to which COUNT has to be
// counted.
func BenchmarkFarCount(b *testing.B) {
	location, _ := zone.Load("America/New_York")
	for _, hour := range []int{9, 2} {
		start := StartTime(time.Date(1997, 9, 2, hour, 30, 0, 0, location))
		from := time.Date(6900, 1, 1, 0, 0, 0, 0, location)
		for _, rule := range []string{"FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"} {
			b.Run(fmt.Sprintf("%s/%02d:30", rule, hour), func(b *testing.B) {
				s := seriesOfLines(b, start, "RRULE:"+rule+";COUNT=2000000")
				for b.Loop() {
					for _, err := range s.Between(from, from.AddDate(0, 0, 7)) {
						if err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
