package recurrence_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence"
)

// A moved set has every instance, moved by as much as the start. In UTC no clock changes.
func TestMoveLaw(t *testing.T) {
	moved, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		set, start := genSplitSet(t)
		from := start.Time()
		if !start.AllDay() {
			from = time.Date(from.Year(), from.Month(), from.Day(), from.Hour(), from.Minute(), from.Second(), 0, time.UTC)
			start = recurrence.StartTime(from).With(start.Options())
		}
		series, err := set.Compile(start)
		if err != nil || from.Year() < 2 || from.Year() > 9990 {
			return
		}
		days := rapid.OneOf(rapid.IntRange(-3, 3), rapid.SampledFrom([]int{-14, -7, 7, 14, 30})).Draw(t, "days")
		by := time.Duration(days) * 24 * time.Hour
		if !start.AllDay() {
			by += rapid.SampledFrom([]time.Duration{0, 0, time.Hour, -2 * time.Hour, 30 * time.Minute, 9 * time.Hour}).Draw(t, "time")
		}
		to := startAt(start, from.Add(by))
		other, err := set.Move(start, to)
		var inexact *recurrence.EditError
		if errors.As(err, &inexact) {
			refused++
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if other.String() != set.String() {
			moved++
		}
		const most = 30
		want := upTo(series, most)
		for i := range want {
			want[i] = want[i].Add(by)
		}
		got := upTo(compile(t, other, to), most)
		if n := min(len(want), len(got)); n < most && len(want) != len(got) || cmp.Diff(texts(want[:n]), texts(got[:n])) != "" {
			t.Fatalf("%s\nfrom %s, moved by %s:\n%s (-want +got)\n%s", set, from, by, other, cmp.Diff(texts(want), texts(got)))
		}
		if back, err := other.Move(to, start); err == nil {
			if list := upTo(compile(t, back, start), most); cmp.Diff(texts(upTo(series, most)), texts(list)) != "" {
				t.Fatalf("%s moved to %s and back is %s", set, other, back)
			}
		}
	})
	t.Logf("%d moved, %d refused", moved, refused)
	if moved == 0 {
		t.Error("no set is moved")
	}
}

func TestMove(t *testing.T) {
	from := time.Date(2026, 3, 10, 9, 0, 0, 0, newYork) // a Tuesday
	for _, test := range []struct {
		lines string
		to    time.Time
		want  string // the lines, or what the error says
	}{
		{"RRULE:FREQ=WEEKLY", from.AddDate(0, 0, 1), "RRULE:FREQ=WEEKLY"},
		{"RRULE:FREQ=WEEKLY;BYDAY=TU,TH", from.AddDate(0, 0, 1), "RRULE:FREQ=WEEKLY;BYDAY=WE,FR"},
		{"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU", from.AddDate(0, 0, -1), "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SA;WKST=SU"},
		{"RRULE:FREQ=WEEKLY;BYDAY=TU,SU;BYSETPOS=1", from.AddDate(0, 0, 1), "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;BYSETPOS=1;WKST=TU"},
		{"RRULE:FREQ=DAILY;INTERVAL=2;BYDAY=TU,TH", from.AddDate(0, 0, 1), "RRULE:FREQ=DAILY;INTERVAL=2;BYDAY=WE,FR"},
		{"RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", from.Add(2 * time.Hour), "RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR"},
		{"RRULE:FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0", from.Add(90 * time.Minute), "RRULE:FREQ=DAILY;BYHOUR=10,18;BYMINUTE=30;BYSECOND=0"},
		{"RRULE:FREQ=DAILY;BYHOUR=9,17;BYMINUTE=20;BYSECOND=10", from.Add(45 * time.Minute), "RRULE:FREQ=DAILY;BYHOUR=10,18;BYMINUTE=5;BYSECOND=10"},
		{"RRULE:FREQ=DAILY;BYHOUR=9,17", from.Add(8 * time.Hour), "would move to a different day"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=10,20", from.AddDate(0, 0, 3), "RRULE:FREQ=MONTHLY;BYMONTHDAY=13,23"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=10,28", from.AddDate(0, 0, 3), "day 28 of the month cannot move by 3 days"},
		{"RRULE:FREQ=MONTHLY;BYDAY=2TU", from.AddDate(0, 0, 7), "RRULE:FREQ=MONTHLY;BYDAY=3TU"},
		{"RRULE:FREQ=MONTHLY;BYDAY=2TU", from.AddDate(0, 0, 1), "2TU cannot move by 1 days"},
		{"RRULE:FREQ=YEARLY", from.AddDate(0, 0, 30), "RRULE:FREQ=YEARLY"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10", from.AddDate(0, 0, 30), "RRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=9"},
		{"RRULE:FREQ=YEARLY", from.AddDate(0, 0, -20), "10 March cannot move by -20 days"},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260324T130000Z\nEXDATE:20260317T130000Z\nEXDATE;TZID=Europe/Berlin:20260317T140000", from.Add(time.Hour),
			"RRULE:FREQ=WEEKLY;UNTIL=20260324T140000Z\nEXDATE:20260317T140000Z\nEXDATE:20260317T140000Z"},
		{"RRULE:FREQ=HOURLY;UNTIL=20260310", from.Add(time.Hour), "RRULE:FREQ=HOURLY;UNTIL=20260311T045959Z"},
		{"RRULE:FREQ=HOURLY;UNTIL=20260310", from.AddDate(0, 0, 1), "RRULE:FREQ=HOURLY;UNTIL=20260311"},
		{"RDATE;VALUE=DATE:20260320\nRDATE;VALUE=PERIOD:20260321T130000Z/PT1H,20260322T130000Z/20260322T140000Z", from.AddDate(0, 0, 1),
			"RDATE;VALUE=DATE:20260321\nRDATE;VALUE=PERIOD:20260322T130000Z/PT1H,20260323T130000Z/20260323T140000Z"},
		{"RRULE:FREQ=WEEKLY", from.Add(time.Hour), "RRULE:FREQ=WEEKLY"},
		{"RRULE:FREQ=DAILY;BYMINUTE=0,30", from.Add(time.Hour), "RRULE:FREQ=DAILY;BYHOUR=10;BYMINUTE=0,30"},
		{"RRULE:FREQ=DAILY;BYMINUTE=0,30", from.Add(30 * time.Minute), "its minutes can move only by whole hours"},
		{"RRULE:FREQ=DAILY;BYSECOND=0,30", from.Add(30 * time.Minute), "its minutes can move only by whole hours"},
		{"RRULE:FREQ=DAILY;BYHOUR=1,9", from.Add(-2 * time.Hour), "the time of day 01:00 would move to a different day from the others"},
		{"RRULE:FREQ=HOURLY;BYDAY=TU", from.Add(time.Hour), "the parts of a rule with FREQ=HOURLY cannot move with the time of day"},
		{"RRULE:FREQ=MONTHLY;BYDAY=TU", from.AddDate(0, 0, 1), "RRULE:FREQ=MONTHLY;BYDAY=WE"},
		{"RRULE:FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", from.AddDate(0, 0, 1), "its weekdays cannot move by 1 days within the months"},
		{"RRULE:FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2", from.AddDate(0, 0, 1), "BYWEEKNO, BYYEARDAY and BYSETPOS cannot move by 1 days"},
		{"RRULE:FREQ=MONTHLY;BYDAY=TU;BYMONTHDAY=10", from.AddDate(0, 0, 1), "its weekdays cannot move by 1 days within the months"},
		{"RRULE:FREQ=WEEKLY;BYMONTH=3", from.AddDate(0, 0, 1), "its days of the month or the year cannot move by 1 days"},
		{"RRULE:FREQ=YEARLY;BYYEARDAY=69", from.AddDate(0, 0, 1), "BYWEEKNO, BYYEARDAY and BYSETPOS cannot move by 1 days"},
		{"RRULE:FREQ=YEARLY;BYWEEKNO=11;BYDAY=TU", from.AddDate(0, 0, 1), "BYWEEKNO, BYYEARDAY and BYSETPOS cannot move by 1 days"},
		{"RRULE:FREQ=MONTHLY;BYDAY=2TU", from.AddDate(0, 0, 28), "2TU cannot move by 28 days within its month"},
		{"RRULE:FREQ=YEARLY;BYDAY=10TU", from.AddDate(0, 0, 7), "10TU cannot move by 7 days within its month"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2TU", from.AddDate(0, 0, 7), "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=3TU"},
		{"RRULE:FREQ=MONTHLY;BYDAY=2TU,TH", from.AddDate(0, 0, 7), "TH cannot move by 7 days within its month"},
		{"RRULE:FREQ=MONTHLY;BYDAY=-1TU", from.AddDate(0, 0, 7), "-1TU cannot move by 7 days within its month"},
		{"RRULE:FREQ=MONTHLY;BYDAY=-1TU", from.AddDate(0, 0, 14), "-1TU cannot move by 14 days within its month"},
		{"RRULE:FREQ=MONTHLY;BYDAY=1TU", from.AddDate(0, 0, -7), "1TU cannot move by -7 days within its month"},
		{"RRULE:FREQ=MONTHLY;BYDAY=4TU", from.AddDate(0, 0, 7), "4TU cannot move by 7 days within its month"},
		{"RRULE:FREQ=MONTHLY;BYDAY=-4TU", from.AddDate(0, 0, -7), "-4TU cannot move by -7 days within its month"},
		{"RRULE:FREQ=MONTHLY;BYDAY=-3TU", from.AddDate(0, 0, 7), "RRULE:FREQ=MONTHLY;BYDAY=-2TU"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=29", from.AddDate(0, 0, 1), "day 29 of the month cannot move by 1 days within each month"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=29", from.AddDate(0, 0, -1), "day 29 of the month cannot move by -1 days within each month"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=-1", from.AddDate(0, 0, 1), "day -1 of the month cannot move by 1 days within each month"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=2", from.AddDate(0, 0, -5), "day 2 of the month cannot move by -5 days within each month"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=27", from.AddDate(0, 0, 3), "day 27 of the month cannot move by 3 days within each month"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=5", from.AddDate(0, 0, 25), "day 5 of the month cannot move by 25 days within each month"},
		{"RRULE:FREQ=DAILY;BYHOUR=9", from.Add(30 * time.Minute), "RRULE:FREQ=DAILY;BYHOUR=9;BYMINUTE=30;BYSECOND=0"},
		{"RRULE:FREQ=DAILY;BYHOUR=9,17", from.Add(-9 * time.Hour), "RRULE:FREQ=DAILY;BYHOUR=0,8"},
		{"RRULE:FREQ=DAILY;BYHOUR=9,17", from.Add(7 * time.Hour), "the time of day 17:00 would move to a different day"},
		{"RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=TU,TH", from.AddDate(0, 0, 1), "RRULE:FREQ=WEEKLY;BYDAY=WE,FR"},
		{"RRULE:FREQ=MONTHLY;INTERVAL=1;BYDAY=TU", from.AddDate(0, 0, 1), "RRULE:FREQ=MONTHLY;BYDAY=WE"},
		{"RRULE:FREQ=MONTHLY;BYDAY=3TU", from.AddDate(0, 0, 7), "RRULE:FREQ=MONTHLY;BYDAY=4TU"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=1,25", from.AddDate(0, 0, 3), "RRULE:FREQ=MONTHLY;BYMONTHDAY=4,28"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=4,28", from.AddDate(0, 0, -3), "RRULE:FREQ=MONTHLY;BYMONTHDAY=1,25"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=1", from.AddDate(0, 0, 25), "day 1 of the month cannot move by 25 days within each month"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1", from.AddDate(0, 0, 3), "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=4"},
		{"RRULE:FREQ=MONTHLY", from.AddDate(0, 0, 3), "RRULE:FREQ=MONTHLY"},
		{"RRULE:FREQ=MONTHLY", from.AddDate(0, 0, 19), "day 10 of the month cannot move by 19 days within each month"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=-1", from.AddDate(0, 0, 1), "-1 March cannot move by 1 days in each year"},
		{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", from.AddDate(0, 0, 1), "29 February cannot move by 1 days in each year"},
		{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", from.AddDate(0, 0, -1), "29 February cannot move by -1 days in each year"},
		{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28", from.AddDate(0, 0, -1), "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=27"},
		{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28", from.AddDate(0, 0, 1), "28 February cannot move by 1 days in each year"},
		{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=20", from.AddDate(0, 0, 15), "20 February cannot move by 15 days in each year"},
		{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=20", from.AddDate(0, 0, 8), "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28"},
		{"RRULE:FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=20", from.AddDate(0, 0, 30), "20 December cannot move by 30 days in each year"},
		{"RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=5", from.AddDate(0, 0, -10), "5 January cannot move by -10 days in each year"},
		{"RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=5", from.AddDate(0, 0, 300), "5 January cannot move by 300 days in each year"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1", from.AddDate(0, 0, 300), "1 March cannot move by 300 days in each year"},
		{"RRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31", from.AddDate(0, 0, 1), "31 April does not exist"},
		{"RRULE:FREQ=YEARLY;BYMONTHDAY=10", from.AddDate(0, 0, 3), "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=13"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3,5", from.AddDate(0, 0, 3), "RRULE:FREQ=YEARLY;BYMONTH=3,5"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10,12", from.AddDate(0, 0, 3), "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=13,15"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3,5", from.AddDate(0, 0, 30), "day 10 of the month cannot move by 30 days within each month"},
		{"RRULE:FREQ=DAILY;BYHOUR=9,17\nEXDATE;VALUE=DATE:20260312", from.Add(time.Hour), "a date excludes the whole day, and the instances of that day would be on two days"},
		{"RRULE:FREQ=DAILY\nRDATE:20260314T200000Z\nEXDATE;VALUE=DATE:20260312", from.Add(time.Hour), "a date excludes the whole day, and the instances of that day would be on two days"},
		{"RRULE:FREQ=WEEKLY\nEXDATE;VALUE=DATE:20260317", from.Add(time.Hour), "RRULE:FREQ=WEEKLY\nEXDATE;VALUE=DATE:20260317"},
		{"RRULE:FREQ=WEEKLY\nEXDATE;VALUE=DATE:20260317", from.AddDate(0, 0, 1), "RRULE:FREQ=WEEKLY\nEXDATE;VALUE=DATE:20260318"},
		{"RRULE:FREQ=WEEKLY\nEXRULE:FREQ=MONTHLY;BYMONTHDAY=29", from.AddDate(0, 0, 1), "day 29 of the month cannot move by 1 days within each month"},
		{"RRULE:FREQ=WEEKLY\nEXRULE:FREQ=WEEKLY;INTERVAL=2", from.AddDate(0, 0, 1), "RRULE:FREQ=WEEKLY\nEXRULE:FREQ=WEEKLY;INTERVAL=2;WKST=TU"},
	} {
		set, err := parseText(t, test.lines).Move(recurrence.StartTime(from), recurrence.StartTime(test.to))
		got := set.String()
		if err != nil {
			got = err.Error()
		}
		if isExact := strings.HasPrefix(test.want, "R"); isExact && got != test.want || !isExact && (err == nil || !strings.Contains(got, test.want)) {
			t.Errorf("%s moved to %s: %s, want %s", test.lines, test.to, got, test.want)
		}
	}
	if _, err := parseText(t, "RRULE:FREQ=DAILY").Move(recurrence.StartTime(from), recurrence.StartDate(2026, 3, 10)); err == nil {
		t.Error("a timed series moves to a date")
	}
}

// A yearly rule with BYMONTHDAY alone moves within each month if the days are of all months, and else within the year.
func TestMoveAllMonths(t *testing.T) {
	from := nineInNewYork.With(recurrence.Options{AllMonths: true})
	for _, test := range []struct {
		lines string
		days  int
		want  string
	}{
		{"RRULE:FREQ=YEARLY;BYMONTHDAY=10", 3, "RRULE:FREQ=YEARLY;BYMONTHDAY=13"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10", 30, "RRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=9"},
		{"RRULE:FREQ=YEARLY", 30, "RRULE:FREQ=YEARLY"},
	} {
		to := recurrence.StartTime(from.Time().AddDate(0, 0, test.days)).With(from.Options())
		if moved, err := parseText(t, test.lines).Move(from, to); err != nil || moved.String() != test.want {
			t.Errorf("%s moves by %d days to %s, %v, want %s", test.lines, test.days, moved, err, test.want)
		}
	}
}

// The dates of an all-day series move by days, whatever the form and the zone in which a line says them.
func TestMoveAllDay(t *testing.T) {
	from, to := recurrence.StartDate(2026, 3, 10), recurrence.StartDate(2026, 3, 12)
	for lines, want := range map[string]string{
		"RRULE:FREQ=DAILY;UNTIL=20260312T130000Z":                               "RRULE:FREQ=DAILY;UNTIL=20260314T130000Z",
		"RRULE:FREQ=DAILY\nEXDATE:20260311T000000Z":                             "RRULE:FREQ=DAILY\nEXDATE:20260313T000000Z",
		"RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20260311":                          "RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20260313",
		"RRULE:FREQ=DAILY\nEXDATE;TZID=Asia/Tokyo:20260311T020000":              "RRULE:FREQ=DAILY\nEXDATE:20260313T020000",
		"RDATE;TZID=America/New_York:20260320T233000\nRRULE:FREQ=DAILY;COUNT=3": "RRULE:FREQ=DAILY;COUNT=3\nRDATE:20260322T233000",
	} {
		set := parseText(t, lines)
		moved, err := set.Move(from, to)
		if err != nil || moved.String() != want {
			t.Errorf("%s moves to %s, %v, want %s", lines, moved, err, want)
			continue
		}
		before, after := upTo(compile(t, set, from), 9), upTo(compile(t, moved, to), 9)
		for i, day := range before {
			if !after[i].Equal(day.AddDate(0, 0, 2)) {
				t.Errorf("%s: %s moves to %s", lines, day, after[i])
			}
		}
	}
	for _, to := range []recurrence.Start{{}, recurrence.StartDate(10001, 1, 1)} {
		if _, err := parseText(t, "RRULE:FREQ=DAILY").Move(from, to); err == nil {
			t.Errorf("a series moves to %s", to.Time())
		}
	}
}
