package recurrence

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestNever compares whether a rule below DAILY steps past all that its parts about times allow
// with a walk through the periods of a day that it ever meets.
func TestNever(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 3 {
			r := genTimes(t)
			start := StartTime(time.Unix(rapid.Int64Range(0, 10*secondsPerDay).Draw(t, "start"), 0).UTC())
			s, err := Compile(&Set{Rules: []*Rule{r}}, start)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := s.rules[0].never, !meetsTime(r, start.clock); got != want {
				t.Fatalf("%s from %s: never is %t, want %t", r, start.Time(), got, want)
			}
		}
	})
}

// genTimes draws a rule below DAILY with parts about times only.
func genTimes(t *rapid.T) *Rule {
	intervals := []int64{1, 2, 7, 10, 16, 30, 36, 45, 60, 90, 100, 150, 720, 1000, 1440, 3600, 5400, 7200, 86400, 129600}
	list := func(label string, most int) []int {
		return rapid.SliceOfNDistinct(rapid.IntRange(0, most), 0, rapid.IntRange(0, 4).Draw(t, label+"?"), rapid.ID[int]).Draw(t, label)
	}
	return &Rule{
		WeekStart: time.Monday,
		Freq:      Freq(rapid.IntRange(1, 3).Draw(t, "freq")),
		Interval:  rapid.SampledFrom(intervals).Draw(t, "interval"),
		ByHour:    list("hours", 23),
		ByMinute:  list("minutes", 59),
		BySecond:  list("seconds", 59),
	}
}

// meetsTime reports whether a period of the rule lies at an hour, a minute and a second that it
// allows, as far as they are not shorter than the period.
func meetsTime(r *Rule, start int64) bool {
	unit := unitOf(r.Freq)
	for k := range secondsPerDay / unit {
		if allowsTime(r, (start/unit+k*r.Interval)*unit%secondsPerDay) {
			return true
		}
	}
	return false
}

// allowsTime reports whether the rule allows a second of the day to begin a period.
func allowsTime(r *Rule, second int64) bool {
	return allows(r.ByHour, second/3600) &&
		(r.Freq == Hourly || allows(r.ByMinute, second/60%60)) &&
		(r.Freq != Secondly || allows(r.BySecond, second%60))
}

func allows(list []int, n int64) bool { return len(list) == 0 || slices.Contains(list, int(n)) }

// TestWait holds that what limits make a walk pass over is ruled out by them, and that a walk goes
// on wherever they rule a time out.
func TestWait(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := genTimes(t)
		given := r.timesGiven()
		m := clockMasks{or(given.hours, allTimes.hours), or(given.minutes, allTimes.minutes), or(given.seconds, allTimes.seconds)}
		for range 10 {
			second := rapid.Int64Range(0, secondsPerDay/unitOf(r.Freq)-1).Draw(t, "period") * unitOf(r.Freq)
			wait := m.wait(r.Freq, second)
			if wait < 0 || wait > 0 == allowsTime(r, second) {
				t.Fatalf("%s at second %d: wait %d", r, second, wait)
			}
			for at := second; at < second+wait; at += unitOf(r.Freq) {
				if at >= secondsPerDay || allowsTime(r, at) {
					t.Fatalf("%s at second %d: wait %d passes over %d", r, second, wait, at)
				}
			}
		}
	})
}
