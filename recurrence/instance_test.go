package recurrence_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence"
)

// spans writes instances, and an error in place of the last one.
func spans(instances func(func(recurrence.Instance, error) bool)) (list []string) {
	for i, err := range instances {
		if err != nil {
			return append(list, err.Error())
		}
		list = append(list, i.Start.Format(time.RFC3339Nano)+" to "+i.End.Format(time.RFC3339Nano)+" "+string(i.Origin))
	}
	return list
}

// An instance has the first of its origins. A rule can give an RDATE that follows one of its own.
func TestOrigins(t *testing.T) {
	start := recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC))
	s := seriesOf(t, start.Until(time.Date(2026, 3, 10, 9, 30, 0, 0, time.UTC)),
		"RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3", "RDATE:20260310T090000Z,20260311T090000Z,20260314T090000Z,20260315T090000Z")
	want := []string{
		"2026-03-10T09:00:00Z to 2026-03-10T09:30:00Z start",
		"2026-03-11T09:00:00Z to 2026-03-11T09:30:00Z RDATE",
		"2026-03-12T09:00:00Z to 2026-03-12T09:30:00Z rule",
		"2026-03-14T09:00:00Z to 2026-03-14T09:30:00Z rule",
		"2026-03-15T09:00:00Z to 2026-03-15T09:30:00Z RDATE",
	}
	if diff := cmp.Diff(want, spans(s.Instances(time.Time{}, time.Time{}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	matches := seriesOf(t, start, "RRULE:FREQ=DAILY;BYHOUR=10;COUNT=1", "RDATE:20260310T090000Z").With(recurrence.Options{OnlyMatches: true})
	want = []string{"2026-03-10T09:00:00Z to 2026-03-10T09:00:00Z RDATE", "2026-03-10T10:00:00Z to 2026-03-10T10:00:00Z rule"}
	if diff := cmp.Diff(want, spans(matches.Instances(time.Time{}, time.Time{}))); diff != "" {
		t.Errorf("a start that is not matched (-want +got):\n%s", diff)
	}
}

// The lines mean whole seconds, and the instances have the fraction of the start.
func TestFractions(t *testing.T) {
	first := time.Date(2026, 3, 10, 9, 0, 0, 250_000_000, time.UTC)
	s := seriesOf(t, recurrence.StartTime(first).Until(first.Add(time.Hour+time.Nanosecond)),
		"RRULE:FREQ=DAILY;UNTIL=20260313T090000Z", "RDATE:20260311T120000Z", "EXDATE:20260312T090000Z")
	want := []string{
		"2026-03-10T09:00:00.25Z to 2026-03-10T10:00:00.250000001Z start",
		"2026-03-11T09:00:00.25Z to 2026-03-11T10:00:00.250000001Z rule",
		"2026-03-11T12:00:00.25Z to 2026-03-11T13:00:00.250000001Z RDATE",
		"2026-03-13T09:00:00.25Z to 2026-03-13T10:00:00.250000001Z rule",
	}
	if diff := cmp.Diff(want, spans(s.Instances(time.Time{}, time.Time{}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	next := first.AddDate(0, 0, 1)
	for at, want := range map[time.Time]bool{next: true, next.Truncate(time.Second): false, next.Add(1): false} {
		if got, err := s.Contains(at); got != want || err != nil {
			t.Errorf("Contains(%s) is %t, %v", at.Format(time.RFC3339Nano), got, err)
		}
	}
	for at, want := range map[time.Time]time.Time{first: next, next.Add(-1): next, next.Truncate(time.Second): next} {
		if got, ok, err := s.Next(at); !got.Equal(want) || !ok || err != nil {
			t.Errorf("Next(%s) is %s, %v", at.Format(time.RFC3339Nano), got.Format(time.RFC3339Nano), err)
		}
	}
	if got := spans(s.Instances(next, next.Add(1))); len(got) != 1 {
		t.Errorf("the instances within a nanosecond are %q", got)
	}
	if got, ok, err := s.Before(next); !got.Equal(first) || !ok || err != nil {
		t.Errorf("Before(%s) is %s, %v", next, got, err)
	}
}

// Overlapping yields those of all instances that are under way in the window.
func TestOverlapping(t *testing.T) {
	lines := []string{"RRULE:FREQ=DAILY;COUNT=20", "EXDATE:20260312T090000Z",
		"RDATE;VALUE=PERIOD:20260310T090000Z/P3D,20260311T150000Z/P9D,20260312T090000Z/P20D,20260313T090000Z/PT1M,20260325T150000Z/PT1H"}
	first := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		length := time.Duration(rapid.SampledFrom([]int{0, 0, 1, 30, 24 * 60, 100 * 60, -60}).Draw(t, "length")) * time.Minute
		s := seriesOf(t, recurrence.StartTime(first).Until(first.Add(length)), lines...)
		from := first.Add(time.Duration(rapid.IntRange(-40, 25*48).Draw(t, "from")) * 30 * time.Minute)
		to := from.Add(time.Duration(rapid.IntRange(0, 200).Draw(t, "hours")) * time.Hour)
		var want []string
		for i := range s.Instances(time.Time{}, time.Time{}) {
			if i.Start.Before(to) && (i.End.After(from) || !i.Start.Before(from)) {
				want = append(want, i.Start.String()+i.End.String())
			}
		}
		var got []string
		for i := range s.Overlapping(from, to) {
			got = append(got, i.Start.String()+i.End.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("length %s, from %s to %s (-want +got):\n%s", length, from, to, diff)
		}
	})
}

// Each instance is yielded once, wherever its period begins and ends beside the window.
func TestOverlappingPeriods(t *testing.T) {
	start := time.Date(2026, 3, 10, 9, 0, 0, 500_000_000, time.UTC)
	s := seriesOf(t, recurrence.StartTime(start).Until(start.Add(time.Hour)),
		"RDATE;VALUE=PERIOD:20260310T090000Z/PT3H,20260311T080000Z/PT2H,20260311T085959Z/PT2H,20260311T090000Z/PT2H,20260311T100000Z/PT2H,20260311T103000Z/PT2H")
	from := time.Date(2026, 3, 11, 10, 0, 0, 0, time.UTC)
	want := []string{
		"2026-03-11T08:00:00.5Z to 2026-03-11T10:00:00.5Z RDATE",
		"2026-03-11T08:59:59.5Z to 2026-03-11T10:59:59.5Z RDATE",
		"2026-03-11T09:00:00.5Z to 2026-03-11T11:00:00.5Z RDATE",
		"2026-03-11T10:00:00.5Z to 2026-03-11T12:00:00.5Z RDATE",
		"2026-03-11T10:30:00.5Z to 2026-03-11T12:30:00.5Z RDATE",
	}
	if diff := cmp.Diff(want, spans(s.Overlapping(from, from.Add(time.Hour)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	all := spans(s.Instances(time.Time{}, from.Add(time.Hour)))
	if want := append([]string{"2026-03-10T09:00:00.5Z to 2026-03-10T12:00:00.5Z start"}, want...); cmp.Diff(want, all) != "" {
		t.Errorf("all instances (-want +got):\n%s", cmp.Diff(want, all))
	}
}

// A period of centuries does not make a search visit all instances since its start.
func TestOverlappingIsBounded(t *testing.T) {
	s := seriesOf(t, recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)),
		"RRULE:FREQ=SECONDLY", "RDATE;VALUE=PERIOD:20260310T100000Z/99990101T000000Z")
	from := time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC)
	want := []string{"2026-03-10T10:00:00Z to 9999-01-01T00:00:00Z RDATE", "9000-01-01T00:00:00Z to 9000-01-01T00:00:00Z rule"}
	if diff := cmp.Diff(want, spans(s.Overlapping(from, from.Add(time.Second)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Without BYMONTH, BYMONTHDAY means the month of the start or, on request, every month.
func TestAllMonths(t *testing.T) {
	start := recurrence.StartDate(2077, time.December, 30)
	for rule, want := range map[string][2]string{
		"FREQ=YEARLY;BYMONTHDAY=25,22;BYDAY=4MO":    {"2079-12-25", "2080-01-22"},
		"FREQ=YEARLY;BYMONTHDAY=30":                 {"2078-12-30", "2078-01-30"},
		"FREQ=YEARLY;BYMONTHDAY=30;BYMONTH=3":       {"2078-03-30", "2078-03-30"},
		"FREQ=YEARLY":                               {"2078-12-30", "2078-12-30"},
		"FREQ=MONTHLY;BYMONTHDAY=30;BYDAY=5SU,-1MO": {"2078-01-30", "2078-01-30"},
	} {
		s := seriesOf(t, start, "RRULE:"+rule)
		for i, o := range []recurrence.Options{{}, {AllMonths: true}} {
			next, ok, err := s.With(o).With(o).Next(start.Time())
			if got := next.Format(time.DateOnly); got != want[i] || !ok || err != nil {
				t.Errorf("%s: %+v gives %s, %t, %v; want %s", rule, o, got, ok, err, want[i])
			}
		}
	}
}

// An RDATE that comes long after the end that COUNT gives is found.
func TestSeekPastCount(t *testing.T) {
	start := recurrence.StartTime(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
	s := seriesOf(t, start, "RRULE:FREQ=SECONDLY;INTERVAL=7;BYDAY=MO;COUNT=10", "RDATE:20500101T000000Z")
	got := spans(s.Instances(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Time{}))
	if diff := cmp.Diff([]string{"2050-01-01T00:00:00Z to 2050-01-01T00:00:00Z RDATE"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A search that goes on from where a budget ended it finds what a search with a larger budget does.
func TestGoOn(t *testing.T) {
	start := recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, newYork))
	for name, lines := range map[string][]string{
		"sparse":              {"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO"},
		"sparse, and another": {"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "RRULE:FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=FR;BYMONTH=12"},
		"gaps":                {"RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU;BYHOUR=2;BYMINUTE=30", "RRULE:FREQ=YEARLY;INTERVAL=50"},
		"positions":           {"RRULE:FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=2;BYMONTH=3", "RRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;INTERVAL=7;BYMONTH=2"},
		"excluded":            {"RRULE:FREQ=MINUTELY;INTERVAL=7", "EXRULE:FREQ=DAILY;BYHOUR=" + numbers(0, 22) + ";BYMINUTE=" + numbers(0, 59), "RDATE:20270101T000000Z"},
	} {
		t.Run(name, func(t *testing.T) {
			s := seriesOf(t, start, lines...)
			to := start.Time().AddDate(300, 0, 0)
			if name == "excluded" {
				to = start.Time().AddDate(0, 0, 40)
			}
			want := spans(s.With(recurrence.Options{Budget: math.MaxInt}).Instances(time.Time{}, to))
			var got []string
			ends := 0
			for from := (time.Time{}); ; ends++ {
				var err error
				got, from, err = goOn(got, s.With(recurrence.Options{Budget: 200}), from, to)
				if err == nil || ends > 10_000 {
					break
				}
				if from.IsZero() {
					t.Fatalf("after %d instances: %v", len(got), err)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" || ends == 0 {
				t.Errorf("ended %d times (-at once +in parts):\n%s", ends, diff)
			}
		})
	}
}

// goOn appends the instances from an instant on, and returns where the budget ended.
func goOn(list []string, s *recurrence.Series, from, to time.Time) ([]string, time.Time, error) {
	for i, err := range s.Instances(from, to) {
		var over *recurrence.BudgetError
		if errors.As(err, &over) {
			return list, over.Next, err
		}
		list = append(list, i.Start.Format(time.RFC3339Nano)+" to "+i.End.Format(time.RFC3339Nano)+" "+string(i.Origin))
	}
	return list, from, nil
}

// Dates and durations are written even if no line can have them.
func TestStringsOfOthers(t *testing.T) {
	for want, v := range map[string]fmt.Stringer{
		";TZID=Europe/Paris;VALUE=DATE:20260310": &recurrence.Dates{TZID: "Europe/Paris", Values: []recurrence.Value{recurrence.DateValue(2026, 3, 10)}},
		"invalid":                                recurrence.Duration{Days: -1},
		"P0D":                                    recurrence.Duration{},
		"P1DT1H":                                 recurrence.Duration{Days: 1, Seconds: 3600},
		"PT1H0M1S":                               recurrence.Duration{Seconds: 3601},
	} {
		if got := v.String(); got != want {
			t.Errorf("%#v is %s, want %s", v, got, want)
		}
	}
	if got := (recurrence.Duration{Seconds: -1}).String(); got != "invalid" {
		t.Errorf("negative seconds are %s", got)
	}
}

// Values are made of times and read as times.
func TestValues(t *testing.T) {
	nine := time.Date(2026, 3, 10, 9, 0, 0, 5, newYork)
	for _, c := range []struct {
		value recurrence.Value
		text  string
		in    *time.Location
		want  time.Time
	}{
		{recurrence.DateValue(2026, 3, 10), "20260310", nil, time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)},
		{recurrence.DateValue(2026, 2, 38), "20260310", newYork, time.Date(2026, 3, 10, 0, 0, 0, 0, newYork)},
		{recurrence.UTCValue(nine), "20260310T130000Z", newYork, time.Date(2026, 3, 10, 9, 0, 0, 0, newYork)},
		{recurrence.UTCValue(nine), "20260310T130000Z", nil, time.Date(2026, 3, 10, 13, 0, 0, 0, time.UTC)},
		{recurrence.LocalValue(nine), "20260310T090000", newYork, time.Date(2026, 3, 10, 9, 0, 0, 0, newYork)},
		{recurrence.LocalValue(nine), "20260310T090000", time.UTC, time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)},
		{recurrence.LocalValue(time.Date(2024, 3, 10, 2, 30, 0, 0, time.UTC)), "20240310T023000", newYork, time.Date(2024, 3, 10, 3, 30, 0, 0, newYork)},
		{recurrence.Value{}, "", newYork, time.Time{}},
	} {
		if got := c.value.Time(c.in); !got.Equal(c.want) || got.String() != c.want.String() || c.value.String() != c.text {
			t.Errorf("%s in %v is %s, want %s in %s", c.value, c.in, got, c.text, c.want)
		}
	}
}

// EndOf gives the end of every instance, and a zero time for no series.
func TestEndOfLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, start := genSplitSet(t)
		length := time.Duration(rapid.Int64Range(0, int64(300*time.Hour)).Draw(t, "length"))
		if start.AllDay() {
			length = length.Truncate(24 * time.Hour)
		}
		series, err := set.Compile(start.Until(start.Time().Add(length)))
		if err != nil {
			return // a date before the year 0
		}
		series = series.With(recurrence.Options{WallClock: rapid.Bool().Draw(t, "wall clock")})
		n := 0
		for i, err := range series.Instances(time.Time{}, time.Time{}) {
			if n++; err != nil || n > 20 {
				break
			}
			if end := series.EndOf(i.Start); !end.Equal(i.End) || end.String() != i.End.String() {
				t.Fatalf("%s from %s: the instance at %s ends at %s, not %s", set, start.Time(), i.Start, i.End, end)
			}
		}
	})
	if end := new(recurrence.Series).EndOf(time.Unix(0, 0)); !end.IsZero() {
		t.Errorf("a zero series has an end, %s", end)
	}
}

// The end that a PERIOD gives needs no search either.
func TestEndOfPeriod(t *testing.T) {
	first := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	s := seriesOf(t, recurrence.StartTime(first).Until(first.Add(time.Hour)), "RDATE;VALUE=PERIOD:20260320T130000Z/PT3H").With(recurrence.Options{Budget: 1})
	for _, test := range []struct{ start, end time.Time }{
		{first, first.Add(time.Hour)},
		{time.Date(2026, 3, 20, 13, 0, 0, 0, time.UTC), time.Date(2026, 3, 20, 16, 0, 0, 0, time.UTC)},
		{time.Date(2026, 3, 20, 14, 0, 0, 0, time.UTC), time.Date(2026, 3, 20, 15, 0, 0, 0, time.UTC)}, // no instance
	} {
		if end := s.EndOf(test.start); !end.Equal(test.end) {
			t.Errorf("what starts at %s ends at %s, want %s", test.start, end, test.end)
		}
	}
}
