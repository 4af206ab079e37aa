package recurrence_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/recurrence"
)

// An excluded instance is written in the form of the start, and leaves no period and no line behind.
func TestExcludeForms(t *testing.T) {
	at := time.Date(2026, 3, 11, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		start recurrence.Start
		lines string
		want  string
	}{
		{recurrence.StartTime(at.AddDate(0, 0, -1)), "RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY\nEXDATE:20260311T090000Z"},
		{recurrence.StartTime(at.AddDate(0, 0, -1).In(newYork)), "RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY\nEXDATE;TZID=America/New_York:20260311T050000"},
		{recurrence.StartTime(at.AddDate(0, 0, -1).In(time.FixedZone("", 3600))), "RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY\nEXDATE:20260311T090000Z"},
		{recurrence.StartTime(at.AddDate(0, 0, -1)), "RRULE:FREQ=WEEKLY\nRDATE;VALUE=PERIOD:20260311T090000Z/PT1H,20260312T090000Z/PT1H", "RRULE:FREQ=WEEKLY\nRDATE;VALUE=PERIOD:20260312T090000Z/PT1H"},
		{recurrence.StartTime(at.AddDate(0, 0, -1)), "RRULE:FREQ=WEEKLY\nRDATE;VALUE=PERIOD:20260311T090000Z/PT1H", "RRULE:FREQ=WEEKLY"},
		{recurrence.StartTime(at.AddDate(0, 0, -1)), "RRULE:FREQ=WEEKLY\nRDATE:20260311T090000Z,20260312T090000Z", "RRULE:FREQ=WEEKLY\nRDATE:20260312T090000Z"},
	} {
		without, err := parseLines(t, test.lines).Exclude(test.start, at)
		if err != nil {
			t.Errorf("%s: %v", test.lines, err)
			continue
		}
		if diff := cmp.Diff(test.want, without.String()); diff != "" {
			t.Errorf("%s from %s (-want +got):\n%s", test.lines, test.start.Time(), diff)
		}
	}
}

// What Exclude and Add write, or why they do not.
func TestEditValues(t *testing.T) {
	const exclude, add = "Exclude", "Add"
	firstDay := recurrence.StartTime(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC))
	tokyo := recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, load("Asia/Tokyo")))
	for _, test := range []struct {
		verb            string
		start           recurrence.Start
		lines, at, want string
	}{
		{add, nineInNewYork, "RRULE:FREQ=DAILY", "2026-03-11T17:00:00.5Z", "no line can express an instance at 2026-03-11T17:00:00.5Z"},
		{add, recurrence.StartDate(2026, 3, 10), "RRULE:FREQ=WEEKLY", "2026-03-11T12:00:00Z", "no line can express an instance at 2026-03-11T12:00:00Z"},
		{exclude, firstDay, "RRULE:FREQ=DAILY", "0000-01-01T00:00:00Z", "RRULE:FREQ=DAILY\nEXDATE:00000101T000000Z"},
		{exclude, recurrence.StartTime(time.Date(0, 1, 1, 0, 0, 0, 0, newYork)), "RRULE:FREQ=DAILY", "0000-01-01T04:56:02Z",
			"RRULE:FREQ=DAILY\nEXDATE;TZID=America/New_York:00000101T000000"},
		{exclude, firstDay, "RRULE:FREQ=DAILY", "0000-01-01T00:00:00+00:01", "no line can express an instance at 0000-01-01T00:00:00+00:01"},
		{add, nineInNewYork, "RRULE:FREQ=DAILY;COUNT=3", "9999-12-31T23:59:59Z", "RRULE:FREQ=DAILY;COUNT=3\nRDATE;TZID=America/New_York:99991231T185959"},
		{add, nineInNewYork, "RRULE:FREQ=DAILY;COUNT=3", "9999-12-31T19:00:00-05:00", "no line can express an instance at 9999-12-31T19:00:00-05:00"},
		{add, tokyo, "RRULE:FREQ=DAILY;COUNT=3", "9999-12-31T23:59:59+09:00", "RRULE:FREQ=DAILY;COUNT=3\nRDATE;TZID=Asia/Tokyo:99991231T235959"},
		{add, tokyo, "RRULE:FREQ=DAILY;COUNT=3", "9999-12-31T15:00:00Z", "RRULE:FREQ=DAILY;COUNT=3\nRDATE:99991231T150000Z"}, // the year 10000 in Tokyo
		{add, nineInNewYork, "RRULE:FREQ=DAILY", "2026-11-01T06:30:00Z", "RRULE:FREQ=DAILY\nRDATE:20261101T063000Z"},         // the second 1:30
		{add, nineInNewYork, "RRULE:FREQ=DAILY", "2026-11-01T05:30:00Z", "RRULE:FREQ=DAILY\nRDATE;TZID=America/New_York:20261101T013000"},
		{add, nineInNewYork, "RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20260311", "2026-03-11T13:00:00Z", "an EXRULE, or an EXDATE for the whole day, excludes 2026-03-11"},
		{exclude, allDay, "RRULE:FREQ=DAILY", "2026-03-11T00:00:00Z", "RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20260311"},
		{exclude, nineInNewYork, "RRULE:FREQ=WEEKLY\nRDATE;VALUE=DATE:20260311", "2026-03-11T13:00:00Z", "RRULE:FREQ=WEEKLY"},
		{exclude, nineInNewYork, "RDATE:20260311T130000Z", "2026-03-11T13:00:00Z", "RDATE:20260310T130000Z"},
		{exclude, nineInNewYork, "RRULE:FREQ=DAILY\nEXDATE;TZID=Europe/Berlin:20260312T140000", "2026-03-11T13:00:00Z",
			"RRULE:FREQ=DAILY\nEXDATE;TZID=Europe/Berlin:20260312T140000\nEXDATE;TZID=America/New_York:20260311T090000"},
		{add, nineInNewYork, "RRULE:FREQ=WEEKLY\nRDATE;VALUE=PERIOD;TZID=America/New_York:20260312T090000/PT2H", "2026-03-11T13:00:00Z",
			"RRULE:FREQ=WEEKLY\nRDATE;TZID=America/New_York;VALUE=PERIOD:20260312T090000/PT2H\nRDATE;TZID=America/New_York:20260311T090000"},
	} {
		at, err := time.Parse(time.RFC3339Nano, test.at)
		if err != nil {
			t.Fatal(err)
		}
		edit := map[string]func(*recurrence.Set, recurrence.Start, ...time.Time) (*recurrence.Set, error){exclude: (*recurrence.Set).Exclude, add: (*recurrence.Set).Add}[test.verb]
		changed, err := edit(parseLines(t, test.lines), test.start, at)
		got := changed.String()
		if err != nil {
			got = err.Error()
		}
		if isLines := strings.HasPrefix(test.want, "R"); isLines && got != test.want || !isLines && !strings.HasPrefix(got, test.want) {
			t.Errorf("%s %s of %q: %q, want %q", test.verb, test.at, test.lines, got, test.want)
		}
	}
}

// A difference counts the instances that there are more or fewer, if both sets end.
func TestDifference(t *testing.T) {
	for _, test := range []struct{ one, other, want string }{
		{"RRULE:FREQ=DAILY;COUNT=5", "RRULE:FREQ=DAILY;COUNT=3", "; 2 more."},
		{"RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY;COUNT=5", "; 2 fewer."},
		{"RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=WEEKLY;COUNT=3", "; as many."},
		{"RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY;COUNT=3", " times."},
		{"RRULE:FREQ=DAILY;INTERVAL=7;COUNT=3", "RRULE:FREQ=WEEKLY;COUNT=3", ""},
	} {
		got, err := parseLines(t, test.one).Difference(parseLines(t, test.other), nineInNewYork)
		if err != nil || !strings.HasSuffix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s and %s: %q, %v", test.one, test.other, got, err)
		}
	}
}

// A name that is an offset from UTC is read as a zone that has this offset all year.
func TestReadOffsets(t *testing.T) {
	for name, want := range map[string]int{
		"GMT+5": 5 * 3600, "UTC+11": 11 * 3600, "(UTC+05:30)": 5*3600 + 1800, "GMT-0700": -7 * 3600, "UTC-7": -7 * 3600, "GMT+545": 5*3600 + 45*60, "GMT+530": 5*3600 + 1800,
	} {
		r, err := recurrence.Read("DTSTART;TZID=" + name + ":20260310T090000\nRRULE:FREQ=DAILY")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, got := r.Start.Time().Zone(); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	for _, name := range []string{"GMT+x", "GMT+-500", "+5000"} {
		if r, err := recurrence.Read("DTSTART;TZID=" + name + ":20260310T090000\nRRULE:FREQ=DAILY"); err == nil {
			t.Errorf("%s: %s", name, r.Start.Time())
		}
	}
}

// A described zone is the one whose daylight saving time begins in the described month.
func TestReadDescribedZones(t *testing.T) {
	for from, want := range map[string]string{
		"DTSTART:20260329T020000\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3": "+0200", "DTSTART:20260329T020000": "+0200", "DTSTART:20260601T020000": "+0200",
		"DTSTART:20260701T020000": "", "DTSTART:20261004T020000\nRRULE:FREQ=YEARLY;BYMONTH=3": "+0200",
	} {
		text := "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Here\nBEGIN:STANDARD\nDTSTART:20261025T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nEND:STANDARD\n" +
			"BEGIN:DAYLIGHT\n" + from + "\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:DAYLIGHT\nEND:VTIMEZONE\n" +
			"BEGIN:VEVENT\nDTSTART;TZID=Here:20260710T090000\nRRULE:FREQ=DAILY\nEND:VEVENT\nEND:VCALENDAR"
		r, err := recurrence.Read(text)
		switch {
		case want == "" && err == nil:
			t.Errorf("%s: no zone of the north has its daylight saving time then", from)
		case want == "":
		case err != nil:
			t.Errorf("%s: %v", from, err)
		case r.Start.Time().Format("-0700") != want:
			t.Errorf("%s: %s, want %s", from, r.Start.Time(), want)
		}
	}
}

// A series becomes all-day if it has one time of day. An UNTIL before this time excludes its day.
func TestAllDayForms(t *testing.T) {
	for _, test := range []struct {
		hours       int
		lines, want string
		days        int
	}{
		{1, "RRULE:FREQ=DAILY;UNTIL=20260315T130000Z", "RRULE:FREQ=DAILY;UNTIL=20260315", 1},
		{1, "RRULE:FREQ=DAILY;UNTIL=20260315T125959Z", "RRULE:FREQ=DAILY;UNTIL=20260314", 1},
		{1, "RRULE:FREQ=DAILY;BYSETPOS=1;BYHOUR=9;COUNT=3", "RRULE:FREQ=DAILY;COUNT=3", 1},
		{15, "RRULE:FREQ=WEEKLY;COUNT=3", "RRULE:FREQ=WEEKLY;COUNT=3", 1}, // until midnight
		{16, "RRULE:FREQ=WEEKLY;COUNT=3\nEXDATE:20260317T130000Z", "RRULE:FREQ=WEEKLY;COUNT=3\nEXDATE;VALUE=DATE:20260317", 2},
		{1, "RRULE:FREQ=WEEKLY;COUNT=3\nEXDATE:20260317T140000Z", "RRULE:FREQ=WEEKLY;COUNT=3", 1},
		{1, "RRULE:FREQ=DAILY;COUNT=9\nEXDATE;VALUE=DATE:20260312\nEXDATE:20260313T130000Z", "RRULE:FREQ=DAILY;COUNT=9\nEXDATE;VALUE=DATE:20260312\nEXDATE;VALUE=DATE:20260313", 1},
		{1, "RRULE:FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2;COUNT=3", "RRULE:FREQ=MONTHLY;COUNT=3;BYDAY=TU;BYSETPOS=2", 1},
	} {
		start := nineInNewYork.Until(nineInNewYork.Time().Add(time.Duration(test.hours) * time.Hour))
		set, to, err := parseLines(t, test.lines).AllDay(start)
		if err != nil {
			t.Errorf("%s: %v", test.lines, err)
			continue
		}
		if diff := cmp.Diff(test.want, set.String()); diff != "" || !to.End().Equal(to.Time().AddDate(0, 0, test.days)) {
			t.Errorf("%s of %d hours until %s (-want +got):\n%s", test.lines, test.hours, to.End(), diff)
		}
	}
}

// outcome returns the start and the lines of an edited series, or what the error says.
func outcome(set *recurrence.Set, start recurrence.Start, err error) string {
	if err != nil {
		return err.Error()
	}
	return start.Time().Format(time.RFC3339) + "\n" + set.String()
}

// Rezone changes the local times of a series, but no instant.
func TestRezone(t *testing.T) {
	const refused = "the instance at"
	athens, berlin, toronto := load("Europe/Athens"), load("Europe/Berlin"), load("America/Toronto")
	at := recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, berlin))
	skipped := recurrence.StartClock(time.Date(2026, 3, 8, 2, 30, 0, 0, time.UTC), newYork)
	summer := time.Date(1980, 4, 6, 9, 0, 0, 0, berlin) // the first day in 30 years on which the clock in Berlin is not an hour ahead of UTC
	since := func(days int) recurrence.Start { return recurrence.StartTime(summer.AddDate(0, 0, -days)) }
	for _, test := range []struct {
		start recurrence.Start
		lines string
		zone  *time.Location
		want  string
	}{
		{at, "RRULE:FREQ=DAILY;BYHOUR=9,17", athens, "2026-03-10T10:00:00+02:00\nRRULE:FREQ=DAILY;BYHOUR=10,18"},
		{at, "RRULE:FREQ=DAILY;UNTIL=20260315", athens, "2026-03-10T10:00:00+02:00\nRRULE:FREQ=DAILY;UNTIL=20260315T225959Z"},
		{at, "RRULE:FREQ=DAILY;UNTIL=20260315T080000Z", athens, "2026-03-10T10:00:00+02:00\nRRULE:FREQ=DAILY;UNTIL=20260315T080000Z"},
		{at, "RRULE:FREQ=WEEKLY;COUNT=5\nRDATE:20260311T090000\nRDATE;TZID=America/New_York:20260312T090000\nEXDATE:20260317T090000\nEXDATE;TZID=America/New_York:20260324T040000",
			athens, "2026-03-10T10:00:00+02:00\nRRULE:FREQ=WEEKLY;COUNT=5\nRDATE:20260311T080000Z\nRDATE;TZID=America/New_York:20260312T090000\n" +
				"EXDATE:20260317T080000Z\nEXDATE;TZID=America/New_York:20260324T040000"},
		{at, "RRULE:FREQ=DAILY;COUNT=9\nEXDATE;VALUE=DATE:20260312,20260314\nEXDATE;VALUE=DATE:20260401", athens,
			"2026-03-10T10:00:00+02:00\nRRULE:FREQ=DAILY;COUNT=9\nEXDATE:20260312T080000Z,20260314T080000Z"},
		{skipped, "RRULE:FREQ=DAILY", toronto, "2026-03-08T03:30:00-04:00\nRRULE:FREQ=DAILY"},
		{at, "RRULE:FREQ=DAILY", newYork, refused},
		{at, "RRULE:FREQ=DAILY", nil, "the new zone is missing"},
		{allDay, "RRULE:FREQ=DAILY", berlin, "an all-day series has no zone"},
		{since(9999), "RRULE:FREQ=DAILY;COUNT=10000", load("Etc/GMT-1"), refused},
		{since(10_000), "RRULE:FREQ=DAILY;COUNT=10001", load("Etc/GMT-1"), "1952-11-19T09:00:00+01:00\nRRULE:FREQ=DAILY;COUNT=10001"},
	} {
		got := outcome(parseLines(t, test.lines).Rezone(test.start, test.zone))
		if isRefused := !strings.Contains(test.want, "\n"); isRefused && !strings.Contains(got, test.want) || !isRefused && got != test.want {
			t.Errorf("%s in %s: %s, want %s", test.lines, test.zone, got, test.want)
		}
	}
	// The budget grows with the instances found, so a day with many instances can be excluded.
	often := "RRULE:FREQ=SECONDLY\nRRULE:FREQ=SECONDLY;INTERVAL=2\nEXDATE;VALUE=DATE:20260312"
	if set, _, err := parseLines(t, often).Rezone(at.With(recurrence.Options{Budget: 1000}), athens); err != nil || len(set.ExDates[0].Values) != 86_400 {
		t.Errorf("%s becomes %.200s, %v", often, set, err)
	}
	rare := "RRULE:FREQ=DAILY\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO\nEXDATE;VALUE=DATE:20260312"
	var over *recurrence.BudgetError
	if _, _, err := parseLines(t, rare).Rezone(at.With(recurrence.Options{Budget: 1}), athens); !errors.As(err, &over) {
		t.Errorf("%s: %v", rare, err)
	}
	// The rules still repeat the time as written.
	if _, to, err := parseLines(t, "RRULE:FREQ=DAILY").Rezone(skipped, toronto); err != nil || !to.Clock().Equal(skipped.Clock()) {
		t.Errorf("%s becomes %s, %v", skipped.Clock(), to.Clock(), err)
	}
}

// Join refuses a second series that does not continue the first.
func TestJoin(t *testing.T) {
	later := func(days int) recurrence.Start { return recurrence.StartTime(nineInNewYork.Time().AddDate(0, 0, days)) }
	for _, test := range []struct {
		first, second string
		at            recurrence.Start
		want          string
	}{
		{"RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY;COUNT=4", later(3), "RRULE:FREQ=DAILY;COUNT=7"},
		{"RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY", later(3), "RRULE:FREQ=DAILY"},
		{"RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY;UNTIL=20260315T130000Z", later(3), "RRULE:FREQ=DAILY;UNTIL=20260315T130000Z"},
		{"RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY\nRDATE:20260314T170000\nRDATE;TZID=Europe/Berlin:20260315T180000\nEXDATE:20260316T090000\nEXDATE;VALUE=DATE:20260317",
			later(3), "RRULE:FREQ=DAILY\nRDATE:20260314T210000Z\nRDATE;TZID=Europe/Berlin:20260315T180000\nEXDATE:20260316T130000Z\nEXDATE;VALUE=DATE:20260317"},
		{"RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY", later(3), "does not begin after the last instance"},
		{"RRULE:FREQ=DAILY;COUNT=4", "RRULE:FREQ=DAILY", later(3), "does not begin after the last instance"},
		{"RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY", later(4), "no rule has the instances of both series"},
	} {
		joined, err := parseLines(t, test.first).Join(nineInNewYork, parseLines(t, test.second), test.at)
		got := joined.String()
		if err != nil {
			got = err.Error()
		}
		if isRefused := !strings.HasPrefix(test.want, "R"); isRefused && !strings.Contains(got, test.want) || !isRefused && got != test.want {
			t.Errorf("%s and %s: %s, want %s", test.first, test.second, got, test.want)
		}
	}
}

// Timed adds the time of day to the dates in all lines of an all-day series.
func TestTimed(t *testing.T) {
	set, start, err := parseLines(t, "RRULE:FREQ=DAILY;UNTIL=20260315\nRDATE;VALUE=DATE:20260320\nEXDATE;VALUE=DATE:20260312").Timed(allDay, 9*time.Hour, newYork, time.Hour)
	want := "2026-03-10T09:00:00-04:00\nRRULE:FREQ=DAILY;UNTIL=20260315T130000Z\nRDATE;TZID=America/New_York:20260320T090000\nEXDATE;TZID=America/New_York:20260312T090000"
	if diff := cmp.Diff(want, outcome(set, start, err)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A time of day is a whole second of a day.
func TestTimedClock(t *testing.T) {
	for clock, want := range map[time.Duration]bool{
		0: true, 24*time.Hour - time.Second: true, -time.Second: false, 24 * time.Hour: false, time.Hour + time.Millisecond: false,
	} {
		if _, _, err := parseLines(t, "RRULE:FREQ=DAILY;COUNT=3").Timed(allDay, clock, newYork, time.Hour); (err == nil) != want {
			t.Errorf("%s: %v", clock, err)
		}
	}
}

func parseLines(t *testing.T, lines string) *recurrence.Set {
	t.Helper()
	set, err := recurrence.Parse(strings.Split(lines, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return set
}
