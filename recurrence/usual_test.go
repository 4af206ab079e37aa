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
	in := new(input)
	in.judgeAll(on, lines, start)
	usual = in.isUsual()
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
		{"RRULE:FREQ=DAILY", Start{}, false},
		{"RRULE:FREQ=NEVER", timed, false},
	} {
		if _, usual := reported(occasion.Insert, strings.Split(test.lines, " "), test.start); usual != test.want {
			t.Errorf("%s: usual is %t", test.lines, usual)
		}
	}
}
