package recurrence

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/internal/zone"
)

// reported returns what the full check finds out about a set, and whether the set is usual.
func reported(on diag.When, lines []string, start Start) (found []string, usual bool) {
	usual = isUsual(on, lines, start)
	in := judge(on, lines, start)
	in.expand(on)
	var report diag.Report
	diag.Run(rules, on, in, &report, "")
	for _, f := range report.Findings {
		found = append(found, f.String())
	}
	if in.found.empty || in.found.misses != nil {
		found = append(found, fmt.Sprint(in.found.empty, in.found.misses))
	}
	return found, usual
}

// usualLines draws lines that are mostly those of a usual set around a start.
func usualLines(t *rapid.T, at time.Time) []string {
	draw := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	weekday := strings.ToUpper(at.Weekday().String()[:2])
	day := func(days int) time.Time { return at.AddDate(0, 0, days) }
	number := (at.Day() + 6) / 7
	rule := "RRULE:FREQ=" + draw("freq", "DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "YEARLY") +
		draw("interval", "", "", "", ";INTERVAL=1", ";INTERVAL=2") +
		draw("days", "", "", ";BYDAY="+weekday, ";BYDAY=MO,WE,"+weekday, ";BYDAY=TH", fmt.Sprintf(";BYDAY=%d%s", number, weekday),
			";BYDAY=-1"+weekday, ";BYDAY=-2FR", fmt.Sprintf(";BYMONTHDAY=%d", at.Day()), ";BYMONTHDAY=-1", fmt.Sprintf(";BYMONTHDAY=%d;BYDAY=%d%s", at.Day(), number, weekday), ";BYMONTHDAY=15", ";BYHOUR=9", ";BYSETPOS=1;BYDAY=MO,"+weekday) +
		draw("end", "", "", ";COUNT=1", ";COUNT=10", ";UNTIL="+At(day(30).UTC()).String(), ";UNTIL="+At(at).String(), ";UNTIL="+At(day(-1)).String(), ";UNTIL="+Day(day(20).Date()).String()) +
		draw("wkst", "", ";WKST=SU")
	lines := []string{rule}
	for range rapid.IntRange(0, 3).Draw(t, "exdates") {
		excluded := day(rapid.SampledFrom([]int{7, 14, 1, 2, 0, -7, 28, 35}).Draw(t, "days"))
		if draw("hour", "same", "same", "same", "other") == "other" {
			excluded = excluded.Add(time.Hour)
		}
		zoned := "EXDATE;TZID=" + at.Location().String() + ":" + Clock(excluded).String()
		lines = append(lines, draw("form", zoned, zoned, "EXDATE:"+At(excluded).String(), "EXDATE:"+Clock(excluded).String(),
			"EXDATE;VALUE=DATE:"+Day(excluded.Date()).String(), "EXDATE;TZID=Asia/Tokyo:"+Clock(excluded).String(),
			zoned+","+Clock(excluded.AddDate(0, 0, 7)).String(), "RDATE:"+At(excluded).String()))
	}
	return lines
}

// The start is in the rule only if its place in the month is.
func TestUsualDayOfMonth(t *testing.T) {
	for _, test := range []struct {
		day   int // of March 2026
		parts string
		want  bool
	}{
		{31, "BYMONTHDAY=-1", true}, {31, "BYMONTHDAY=31", true}, {31, "BYMONTHDAY=1", false}, {1, "BYMONTHDAY=31", false}, {1, "BYMONTHDAY=-31", true},
		{29, "BYMONTHDAY=-1", false}, {29, "BYMONTHDAY=-3", true}, {30, "BYMONTHDAY=0", false},
		{26, "BYDAY=-1TH", true}, {26, "BYDAY=4TH", true}, {19, "BYDAY=-1TH", false}, {19, "BYDAY=-2TH", true}, {19, "BYDAY=3TH", true}, {12, "BYDAY=-2TH", false},
	} {
		start := StartDate(2026, 3, test.day)
		if _, usual := reported(occasion.Insert, []string{"RRULE:FREQ=MONTHLY;" + test.parts}, start); usual != test.want {
			t.Errorf("%d March and %s: usual %t", test.day, test.parts, usual)
		}
	}
}

func TestOrdinals(t *testing.T) {
	for n, want := range map[int]string{1: "first", 10: "tenth", 11: "11th", 22: "22nd", -1: "last", -2: "second to last", -11: "11th to last"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

// Nothing is reported about a set that is called usual.
func TestUsual(t *testing.T) {
	zones := []string{"UTC", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata"}
	rapid.Check(t, func(t *rapid.T) {
		location, _ := zone.Load(rapid.SampledFrom(zones).Draw(t, "zone"))
		// also near changes of the clock in New York, Lord Howe and Apia
		unix := rapid.SampledFrom([]int64{1710028800, 1730592000, 1728144000, 1712361600, 1325203200, 1773147600}).Draw(t, "unix")
		at := time.Unix(unix+rapid.Int64Range(-96, 96).Draw(t, "quarters")*900, 0).In(location)
		start := StartTime(at)
		switch rapid.IntRange(0, 3).Draw(t, "start") {
		case 0:
			start = StartDate(at.Date())
		case 1:
			start = StartClock(time.Unix(unix, 0).UTC(), location)
		}
		lines := usualLines(t, at)
		on := rapid.SampledFrom([]diag.When{occasion.Insert, occasion.Patch, diag.Response}).Draw(t, "on")
		if found, usual := reported(on, lines, start); usual && found != nil {
			t.Fatalf("%v at %v is called usual, but there is %s", lines, start.Time(), found)
		}
	})
}

func FuzzUsual(f *testing.F) {
	f.Add("RRULE:FREQ=WEEKLY;BYDAY=TU,TH\nEXDATE;TZID=America/New_York:20260402T090000", int64(1773147600), true)
	f.Add("RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=3", int64(1773147600), false)
	for rule := range usualRules {
		f.Add("RRULE:"+rule, int64(1773147600), true)
	}
	for line := range usualDates {
		f.Add("RRULE:FREQ=WEEKLY\n"+line, int64(1773147600), true)
	}
	newYork, _ := zone.Load("America/New_York")
	f.Fuzz(func(t *testing.T, text string, unix int64, timed bool) {
		at := time.Unix(unix%(1<<38), 0).In(newYork)
		start := StartTime(at)
		if !timed {
			start = StartDate(at.Date())
		}
		if found, usual := reported(occasion.Insert, strings.Split(text, "\n"), start); usual && found != nil {
			t.Fatalf("%q at %v is called usual, but there is %s", text, start.Time(), found)
		}
	})
}

// The sets that nearly all events have are usual.
func TestIsUsual(t *testing.T) {
	newYork, _ := zone.Load("America/New_York")
	timed := StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, newYork)) // the second Tuesday
	inGap := StartClock(time.Date(2026, 3, 8, 2, 30, 0, 0, time.UTC), newYork)
	once, again := time.Unix(1793511000, 0).In(newYork), time.Unix(1793511000+3600, 0).In(newYork) // 01:30 on 1 November
	late := StartTime(time.Date(2026, 3, 10, 23, 59, 59, 0, time.UTC))
	for _, test := range []struct {
		lines string
		start Start
		want  bool
	}{
		{"RRULE:FREQ=DAILY", timed, true},
		{"RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20271231T235959Z", timed, true},
		{"RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=5", timed, true},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=10", timed, true},
		{"RRULE:FREQ=YEARLY", StartDate(2026, 3, 10), true},
		{"RRULE:FREQ=WEEKLY;BYDAY=TU,TH EXDATE;TZID=America/New_York:20260402T090000,20260407T090000", timed, true},
		{"RRULE:FREQ=WEEKLY EXDATE;VALUE=DATE:20260317", StartDate(2026, 3, 10), true},
		{"RRULE:FREQ=WEEKLY EXDATE:20260317T130000Z", timed, true},
		{"RRULE:FREQ=DAILY EXDATE:99991231T235959Z", late, true},
		{"RRULE:FREQ=DAILY", StartTime(once), true},

		{"RRULE:FREQ=DAILY", StartTime(again), false},
		{"RRULE:FREQ=DAILY", inGap, false},
		{"RRULE:FREQ=WEEKLY EXDATE:20260317T130000Z EXDATE:20260317T130000Z", timed, false},
		{"RRULE:FREQ=WEEKLY EXDATE:20260317T140000Z", timed, false},
		{"RRULE:FREQ=WEEKLY EXDATE;TZID=Europe/Berlin:20260317T090000", timed, false},
		{"RRULE:FREQ=WEEKLY EXDATE:20260310T130000Z", timed, false},
		{"RRULE:FREQ=WEEKLY EXDATE:20260318T130000Z", timed, false},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260316T130000Z EXDATE:20260317T130000Z", timed, false},
		{"RRULE:FREQ=WEEKLY;COUNT=1 EXDATE:20260317T130000Z", timed, false},
		{"RRULE:FREQ=WEEKLY;INTERVAL=2 EXDATE:20260317T130000Z", timed, false},
		{"RRULE:FREQ=MONTHLY EXDATE:20260317T130000Z", timed, false},
		{"RRULE:FREQ=WEEKLY;BYDAY=MO", timed, false},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260309T130000Z", timed, false},
		{"RRULE:FREQ=MONTHLY;BYDAY=1TU", timed, false},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=11", timed, false},
		{"RRULE:FREQ=YEARLY;BYMONTHDAY=10", timed, false},
		{"RRULE:FREQ=DAILY;BYHOUR=9", timed, false},
		{"RRULE:FREQ=HOURLY", timed, false},
		{"RRULE:FREQ=DAILY RRULE:FREQ=WEEKLY", timed, false},
		{"RRULE:FREQ=DAILY RDATE:20260317T130000Z", timed, false},
		{"EXDATE:20260317T130000Z", timed, false},

		// if the start is not known
		{"RRULE:FREQ=DAILY", Start{}, true},
		{"RRULE:FREQ=MONTHLY;BYDAY=2TU;UNTIL=20271231T235959Z", Start{}, true},
		{"RRULE:FREQ=DAILY;UNTIL=20271231", Start{}, false},
		{"RRULE:FREQ=DAILY EXDATE:20260317T130000Z", Start{}, false},
		{"RRULE:FREQ=NEVER", Start{}, false},
	} {
		if _, usual := reported(occasion.Insert, strings.Split(test.lines, " "), test.start); usual != test.want {
			t.Errorf("%s: usual is %t", test.lines, usual)
		}
	}
}

// usualRules says which rules are usual for a start on the second Tuesday of a month, the 10th.
var usualRules = map[string]bool{
	"FREQ=DAILY": true, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;WKST=SU": true, "FREQ=MONTHLY;COUNT=10": true,
	"INTERVAL=2;FREQ=YEARLY;UNTIL=20280229T000000Z": true, "FREQ=DAILY;INTERVAL=99;COUNT=01": true, "FREQ=DAILY;INTERVAL=100": false, "FREQ=DAILY;COUNT=999999999": true, "FREQ=DAILY;UNTIL=20280131t235960z": true,
	"": false, "FREQ": false, "FREQ=": false, "COUNT=1": false, "FREQ=DAILY;": false, ";FREQ=DAILY": false, "FREQ=DAILY,": false,
	"freq=DAILY": false, "FREQ=daily": false, "FREQ=HOURLY": false, "FREQ=DAILYX": false, "FREQ=DAILY;FREQ=DAILY": false,
	"FREQ=DAILY\n": false, "FREQ=DAILY ": false, "FREQ=DAILY;X-A=1": false, "FREQ;BYDAY=MO": false, "FREQ=DAILY=MO": false,
	"FREQ=DAILY;COUNT=0": false, "FREQ=DAILY;COUNT=1234567890": false, "FREQ=DAILY;COUNT=-1": false, "FREQ=DAILY;COUNT=1x": false, "FREQ=DAILY;COUNT=1;COUNT=1": false,
	"FREQ=DAILY;INTERVAL=": false, "FREQ=DAILY;INTERVAL=0": false, "FREQ=DAILY;INTERVAL=1;INTERVAL=1": false, "FREQ=DAILY;COUNT=1;UNTIL=20280131T235959Z": false,
	"FREQ=DAILY;UNTIL=20260310T130000Z": true, "FREQ=DAILY;UNTIL=20260310T125959Z": false, "FREQ=DAILY;UNTIL=20280131": false, "FREQ=DAILY;UNTIL=20280131T235959": false, "FREQ=DAILY;UNTIL=20280230T000000Z": false, "FREQ=DAILY;UNTIL=": false,
	"FREQ=DAILY;UNTIL=20280131T235959Z;UNTIL=20280131T235959Z": false, "FREQ=DAILY;UNTIL=20280131T235959Z1": false,
	"FREQ=WEEKLY;BYDAY=": false, "FREQ=WEEKLY;BYDAY=T": false, "FREQ=WEEKLY;BYDAY=TU,": false, "FREQ=WEEKLY;BYDAY=TU,TU": false, "FREQ=WEEKLY;BYDAY=TU,MO,TU": false,
	"FREQ=WEEKLY;BYDAY=TU;MO": false, "FREQ=WEEKLY;BYDAY=TUxMO": false, "FREQ=WEEKLY;BYDAY=TU,XX": false, "FREQ=WEEKLY;BYDAY=TU;BYDAY=MO": false, "FREQ=WEEKLY;BYDAY=2TU": false,
	"FREQ=WEEKLY;BYDAY=0TU": false, "FREQ=WEEKLY;BYDAY=-TU": false, "FREQ=WEEKLY;BYMONTHDAY=10": false, "FREQ=DAILY;BYMONTHDAY=10": false,
	"FREQ=DAILY;WKST=XX": false, "FREQ=DAILY;WKST=": false, "FREQ=DAILY;WKST=MO;WKST=MO": false,
	"FREQ=MONTHLY;BYDAY=2TU": true, "FREQ=MONTHLY;BYDAY=-4TU": true, "FREQ=MONTHLY;BYDAY=1MO,2TU": true, "FREQ=MONTHLY;BYDAY=02TU": true, "FREQ=MONTHLY;BYDAY=5MO,-5MO,2TU": true,
	"FREQ=MONTHLY;BYDAY=2TU,2TU": false, "FREQ=MONTHLY;BYDAY=2TU,1TU,2TU": false, "FREQ=MONTHLY;BYDAY=2TU,6MO": false, "FREQ=MONTHLY;BYDAY=2TU,-6MO": false, "FREQ=MONTHLY;BYDAY=2TU,99MO": false, "FREQ=MONTHLY;BYDAY=2TU,-99MO": false,
	"FREQ=MONTHLY;BYDAY=002TU": false, "FREQ=MONTHLY;BYDAY=--2TU": false, "FREQ=MONTHLY;BYDAY=3TU": false,
	"FREQ=MONTHLY;BYMONTHDAY=10": true, "FREQ=MONTHLY;BYMONTHDAY=-22": true, "FREQ=MONTHLY;BYMONTHDAY=31,1,-31,-1,10": true, "FREQ=MONTHLY;BYMONTHDAY=10;INTERVAL=2": true,
	"FREQ=MONTHLY;BYMONTHDAY=9,10,29": true, "FREQ=MONTHLY;BYMONTHDAY=10,10": false, "FREQ=MONTHLY;BYMONTHDAY=10,11,10": false, "FREQ=MONTHLY;BYMONTHDAY=10,": false, "FREQ=MONTHLY;BYMONTHDAY=": false, "FREQ=MONTHLY;BYMONTHDAY=0": false, "FREQ=MONTHLY;BYMONTHDAY=10,32": false,
	"FREQ=MONTHLY;BYMONTHDAY=10,-32": false, "FREQ=MONTHLY;BYMONTHDAY=010": false, "FREQ=MONTHLY;BYMONTHDAY=--22": false, "FREQ=MONTHLY;BYMONTHDAY=11": false,
	"FREQ=MONTHLY;BYMONTHDAY=10;BYDAY=2TU": false, "FREQ=MONTHLY;BYMONTHDAY=10;BYMONTHDAY=11": false, "FREQ=YEARLY;BYDAY=TU": false, "FREQ=YEARLY;BYMONTHDAY=10": false,
}

func TestUsualRules(t *testing.T) {
	newYork, _ := zone.Load("America/New_York")
	start := StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, newYork))
	for rule, want := range usualRules {
		found, usual := reported(occasion.Insert, []string{"RRULE:" + rule}, start)
		if usual != want || usual && found != nil {
			t.Errorf("%q: usual is %t, want %t; found %s", rule, usual, want, found)
		}
	}
}

// usualDates says which EXDATE lines are usual beside a weekly rule and the same start.
var usualDates = map[string]bool{
	"EXDATE:20260317T130000Z": true, "EXDATE:20260317T130000Z,20260324T130000Z": true, "EXDATE;TZID=America/New_York:20260317T090000,20260324T090000": true,
	"EXDATE": false, "EXDATE:": false, "EXDATE:20260317T090000": false, "EXDATE:20260317": false, "EXDATE;VALUE=DATE:20260317": false,
	"EXDATE:20260317T130000Z,": false, "EXDATE:20260317T130000Z,20260324": false, "EXDATE:20260317T130000Z;20260324T130000Z": false, "EXDATE:20260317T130000Z,20260325T130000Z": false,
	"EXDATE;TZID=America/Detroit:20260317T090000": false, "EXDATE;TZID=:20260317T090000": false, "EXDATE;TZID=America/New_York:20260317T090000Z": false,
	"EXDATE;TZID=America/New_York": false, "EXDATE;TZID=America/New_York:": false, "EXDATE;TZID=America/New_York;X=1:20260317T090000": false, "EXDATE;TZID=America/New_Yorkx:20260317T090000": false,
	"EXDATE;TZID=America/New_York:20260317T090000x20260324T090000": false, "EXDATES:20260317T130000Z": false, "exdate:20260317T130000Z": false, "RDATE:20260317T130000Z": false,
	":20260317T130000Z": false, ";TZID=America/New_York:20260317T090000": false, "": false, "America/New_York:20260317T090000": false,
}

func TestUsualDates(t *testing.T) {
	newYork, _ := zone.Load("America/New_York")
	start := StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, newYork))
	for line, want := range usualDates {
		for _, lines := range [][]string{{"RRULE:FREQ=WEEKLY", line}, {line, "RRULE:FREQ=WEEKLY"}} {
			found, usual := reported(occasion.Insert, lines, start)
			if usual != want || usual && found != nil {
				t.Errorf("%q: usual is %t, want %t; found %s", lines, usual, want, found)
			}
		}
	}
}
