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
			start = recurrence.StartTime(from)
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
		{"RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", from.Add(2 * time.Hour), "RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR"},
		{"RRULE:FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0", from.Add(90 * time.Minute), "RRULE:FREQ=DAILY;BYHOUR=10,18;BYMINUTE=30;BYSECOND=0"},
		{"RRULE:FREQ=DAILY;BYHOUR=9,17", from.Add(8 * time.Hour), "would move to another day"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=10,20", from.AddDate(0, 0, 3), "RRULE:FREQ=MONTHLY;BYMONTHDAY=13,23"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=10,28", from.AddDate(0, 0, 3), "day 28 of the month does not move by 3 days"},
		{"RRULE:FREQ=MONTHLY;BYDAY=2TU", from.AddDate(0, 0, 7), "RRULE:FREQ=MONTHLY;BYDAY=3TU"},
		{"RRULE:FREQ=MONTHLY;BYDAY=2TU", from.AddDate(0, 0, 1), "2TU does not move by 1 days"},
		{"RRULE:FREQ=YEARLY", from.AddDate(0, 0, 30), "RRULE:FREQ=YEARLY"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10", from.AddDate(0, 0, 30), "RRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=9"},
		{"RRULE:FREQ=YEARLY", from.AddDate(0, 0, -20), "10 March does not move by -20 days"},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260324T130000Z\nEXDATE:20260317T130000Z\nEXDATE;TZID=Europe/Berlin:20260317T140000", from.Add(time.Hour),
			"RRULE:FREQ=WEEKLY;UNTIL=20260324T140000Z\nEXDATE:20260317T140000Z\nEXDATE:20260317T140000Z"},
		{"RRULE:FREQ=HOURLY;UNTIL=20260310", from.Add(time.Hour), "RRULE:FREQ=HOURLY;UNTIL=20260311T045959Z"},
		{"RRULE:FREQ=HOURLY;UNTIL=20260310", from.AddDate(0, 0, 1), "RRULE:FREQ=HOURLY;UNTIL=20260311"},
		{"RDATE;VALUE=DATE:20260320\nRDATE;VALUE=PERIOD:20260321T130000Z/PT1H,20260322T130000Z/20260322T140000Z", from.AddDate(0, 0, 1),
			"RDATE;VALUE=DATE:20260321\nRDATE;VALUE=PERIOD:20260322T130000Z/PT1H,20260323T130000Z/20260323T140000Z"},
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
