package recurrence_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence"
)

// instances gives at most ten instances of lines, as text.
func instances(t *testing.T, start recurrence.Start, lines ...string) []string {
	t.Helper()
	set, err := recurrence.Parse(lines)
	if err != nil {
		t.Fatal(err)
	}
	got := collect(compile(t, set, start), time.Time{}, time.Time{}, 10)
	for i := range got {
		got[i] = strings.TrimSuffix(strings.TrimSuffix(got[i], "T00:00:00Z"), ":00")
	}
	return got
}

func at(clock, zone string) recurrence.Start {
	t, err := time.ParseInLocation("2006-01-02T15:04:05", clock, load(zone))
	if err != nil {
		panic(err)
	}
	return recurrence.StartTime(t)
}

// TestReadings are the readings that the package comment announces, one case each.
func TestReadings(t *testing.T) {
	for _, c := range []struct {
		name  string
		start recurrence.Start
		lines string
		want  string
	}{
		{"BYMONTHDAY without BYMONTH means the start's month (RFC 8984 4.3.3)",
			recurrence.StartDate(2026, 3, 10), "RRULE:FREQ=YEARLY;BYMONTHDAY=10,11;COUNT=4", "2026-03-10 2026-03-11 2027-03-10 2027-03-11"},
		{"BYWEEKNO without BYDAY means the start's weekday",
			recurrence.StartDate(2026, 3, 10), "RRULE:FREQ=YEARLY;BYWEEKNO=11,12;COUNT=4", "2026-03-10 2026-03-17 2027-03-16 2027-03-23"},
		{"BYMONTH without a day means the start's day of the month",
			recurrence.StartDate(2026, 3, 31), "RRULE:FREQ=YEARLY;BYMONTH=3,4,5;COUNT=3", "2026-03-31 2026-05-31 2027-03-31"},
		{"ordinals count within BYMONTH", recurrence.StartDate(2026, 3, 10),
			"RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2TU;COUNT=2", "2026-03-10 2027-03-09"},
		{"ordinals count within the year", recurrence.StartDate(2026, 3, 10),
			"RRULE:FREQ=YEARLY;BYDAY=10TU;COUNT=2", "2026-03-10 2027-03-09"},
		{"ordinals count within the year, also where BYMONTH is filled in", recurrence.StartDate(2026, 3, 10),
			"RRULE:FREQ=YEARLY;BYMONTHDAY=10;BYDAY=2TU,10TU;COUNT=2", "2026-03-10 2037-03-10"},
		{"days of a year's end lie in week 1 of the next", recurrence.StartDate(2024, 12, 30),
			"RRULE:FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=3", "2024-12-30 2025-12-29 2027-01-04"},
		{"the start is first and not counted where the rule misses it", recurrence.StartDate(2026, 3, 10),
			"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2", "2026-03-10 2026-03-16 2026-03-23"},
		{"UNTIL before the start leaves nothing", recurrence.StartDate(2026, 3, 10), "RRULE:FREQ=DAILY;UNTIL=20260309", ""},
		{"but for RDATE", recurrence.StartDate(2026, 3, 10), "RRULE:FREQ=DAILY;UNTIL=20260309|RDATE;VALUE=DATE:20260401", "2026-04-01"},
		{"nothing lies before the start", recurrence.StartDate(2026, 3, 10), "RDATE;VALUE=DATE:20260301,20260401", "2026-03-10 2026-04-01"},
		{"EXDATE takes the start out", recurrence.StartDate(2026, 3, 10), "RRULE:FREQ=DAILY;COUNT=3|EXDATE;VALUE=DATE:20260310", "2026-03-11 2026-03-12"},
		{"EXRULE takes out", recurrence.StartDate(2026, 3, 10), "RRULE:FREQ=DAILY;COUNT=5|EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=2", "2026-03-11 2026-03-13 2026-03-14"},
		{"duplicates fall together", recurrence.StartDate(2026, 3, 10),
			"RRULE:FREQ=DAILY;COUNT=2|RRULE:FREQ=DAILY;INTERVAL=2;COUNT=2|RDATE;VALUE=DATE:20260311", "2026-03-10 2026-03-11 2026-03-12"},
		{"only the date of an UNTIL counts for a date", recurrence.StartDate(2026, 3, 10),
			"RRULE:FREQ=DAILY;UNTIL=20260311T235959Z", "2026-03-10 2026-03-11"},
		{"an UNTIL that is a date includes its day", at("2026-03-10T23:00:00", "America/New_York"),
			"RRULE:FREQ=DAILY;UNTIL=20260311", "2026-03-10T23:00:00-04 2026-03-11T23:00:00-04"},
		{"UNTIL includes its instant", at("2026-03-10T23:00:00", "America/New_York"),
			"RRULE:FREQ=DAILY;UNTIL=20260312T030000Z", "2026-03-10T23:00:00-04 2026-03-11T23:00:00-04"},
		{"an EXDATE that is a date takes out the whole day", at("2026-03-10T22:00:00", "America/New_York"),
			"RRULE:FREQ=DAILY;BYHOUR=22,23;COUNT=4|EXDATE;VALUE=DATE:20260310", "2026-03-11T22:00:00-04 2026-03-11T23:00:00-04"},
		{"an RDATE that is a date takes the start's time", at("2026-03-10T22:00:00", "America/New_York"),
			"RDATE;VALUE=DATE:20261201", "2026-03-10T22:00:00-04 2026-12-01T22:00:00-05"},
		{"second 60 is 59", at("2026-03-10T22:00:59", "UTC"), "RRULE:FREQ=DAILY;BYSECOND=60;COUNT=2", "2026-03-10T22:00:59Z 2026-03-11T22:00:59Z"},
		{"of a time that occurs twice the first is meant", at("2026-10-31T01:30:00", "America/New_York"),
			"RRULE:FREQ=DAILY;COUNT=3", "2026-10-31T01:30:00-04 2026-11-01T01:30:00-04 2026-11-02T01:30:00-05"},
		{"hours are those of the clock", at("2026-11-01T00:30:00", "America/New_York"),
			"RRULE:FREQ=HOURLY;COUNT=3", "2026-11-01T00:30:00-04 2026-11-01T01:30:00-04 2026-11-01T02:30:00-05"},
		{"an RDATE in a gap is read by the offset before it (RFC 5545 3.3.5)", at("2026-03-07T02:30:00", "America/New_York"),
			"RDATE:20260308T023000", "2026-03-07T02:30:00-05 2026-03-08T03:30:00-04"},
		{"BYSETPOS counts on the clock", at("2026-03-07T02:30:00", "America/New_York"),
			"RRULE:FREQ=DAILY;BYHOUR=2,3;BYSETPOS=1;COUNT=2", "2026-03-07T02:30:00-05 2026-03-09T02:30:00-04"},
	} {
		got := strings.Join(instances(t, c.start, strings.Split(c.lines, "|")...), " ")
		if got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.lines, got, c.want)
		}
	}
}

// TestSecondStart is about a start at the second of two times that the clock shows the same:
// an instant says which of them is meant, a rule does not.
func TestSecondStart(t *testing.T) {
	second := time.Date(2026, 11, 1, 6, 30, 0, 0, time.UTC).In(newYork)
	got := instances(t, recurrence.StartTime(second), "RRULE:FREQ=MINUTELY;INTERVAL=15;COUNT=4")
	want := []string{"2026-11-01T01:30:00-05", "2026-11-01T02:00:00-05", "2026-11-01T02:15:00-05", "2026-11-01T02:30:00-05"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestShift(t *testing.T) {
	set, err := recurrence.Parse([]string{"RRULE:FREQ=DAILY;COUNT=3"})
	if err != nil {
		t.Fatal(err)
	}
	s := compile(t, set, at("2024-03-09T02:30:00", "America/New_York")).With(recurrence.Options{Gap: recurrence.Shift})
	got := collect(s, time.Time{}, time.Time{}, 0)
	want := []string{"2024-03-09T02:30:00-05:00", "2024-03-10T03:30:00-04:00", "2024-03-11T02:30:00-04:00"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWholeCalendar goes to the end of the calendar and stops there by itself.
func TestWholeCalendar(t *testing.T) {
	set, err := recurrence.Parse([]string{"RRULE:FREQ=YEARLY"})
	if err != nil {
		t.Fatal(err)
	}
	s := compile(t, set, recurrence.StartDate(1, 1, 1))
	got := collect(s, time.Time{}, time.Time{}, 0)
	if len(got) != 9999 || got[9998] != "9999-01-01T00:00:00Z" {
		t.Errorf("%d instances, the last %s", len(got), got[len(got)-1])
	}
	set.Rules[0].Freq, set.Rules[0].WeekStart = recurrence.Weekly, time.Sunday
	got = collect(compile(t, set, recurrence.StartDate(9999, 12, 17)), time.Time{}, time.Time{}, 0)
	if diff := cmp.Diff([]string{"9999-12-17T00:00:00Z", "9999-12-24T00:00:00Z", "9999-12-31T00:00:00Z"}, got); diff != "" {
		t.Error(diff)
	}
	got = collect(compile(t, set, recurrence.StartDate(1, 1, 1)), time.Time{}, time.Time{}, 2)
	if diff := cmp.Diff([]string{"0001-01-01T00:00:00Z", "0001-01-08T00:00:00Z"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestPeriodEnds(t *testing.T) {
	set, err := recurrence.Parse([]string{
		"RDATE;VALUE=PERIOD:20260307T140000Z/PT90M,20260308T140000Z/20260308T150000Z",
		"RDATE;VALUE=PERIOD;TZID=America/New_York:20260307T120000/P1D,20260307T130000/PT24H",
	})
	if err != nil {
		t.Fatal(err)
	}
	s := compile(t, set, at("2026-03-01T09:00:00", "America/New_York"))
	var got []string
	for at, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		text := at.Format("0102T1504Z07")
		if end, ok := s.End(at); ok {
			text += " to " + end.Format("0102T1504Z07")
		}
		got = append(got, text)
	}
	want := []string{"0301T0900-05", "0307T0900-05 to 0307T1030-05", "0307T1200-05 to 0308T1200-04",
		"0307T1300-05 to 0308T1400-04", "0308T1000-04 to 0308T1100-04"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCompileRefuses(t *testing.T) {
	if _, err := recurrence.Compile(&recurrence.Set{}, recurrence.Start{}); !errors.Is(err, recurrence.ErrStart) {
		t.Errorf("no start: %v", err)
	}
	if _, err := recurrence.Compile(&recurrence.Set{}, recurrence.StartDate(10000, 1, 1)); !errors.Is(err, recurrence.ErrStart) {
		t.Errorf("start in the year 10000: %v", err)
	}
	daily := recurrence.Rule{Freq: recurrence.Daily, WeekStart: time.Monday}
	for rule, change := range map[string]func(*recurrence.Rule, *recurrence.Set){
		"recurrence.rule.part": func(r *recurrence.Rule, _ *recurrence.Set) {
			r.Until = recurrence.Value{Form: recurrence.Date, Clock: 1 << 62}
		},
		"recurrence.rule.count-until": func(r *recurrence.Rule, _ *recurrence.Set) { r.Interval = -1 },
		"recurrence.rule.by-part":     func(r *recurrence.Rule, _ *recurrence.Set) { r.ByWeekNo = []int{1} },
		"recurrence.rule.time-part":   func(r *recurrence.Rule, _ *recurrence.Set) { r.ByHour = []int{1} },
		"recurrence.dates.form": func(_ *recurrence.Rule, s *recurrence.Set) {
			s.ExDates = []*recurrence.Dates{{TZID: "Mars/Olympus", Values: []recurrence.Value{{Form: recurrence.Local}}}}
		},
	} {
		r := daily
		set := &recurrence.Set{Rules: []*recurrence.Rule{&r}}
		change(&r, set)
		_, err := recurrence.Compile(set, allDay)
		var invalid *recurrence.InvalidError
		if !errors.As(err, &invalid) || invalid.Rule != rule {
			t.Errorf("%v: %v, want an InvalidError of %s", set, err, rule)
		}
	}
}

// TestFarInstants asks about instants that no clock of the calendar shows.
func TestFarInstants(t *testing.T) {
	set, _ := recurrence.Parse([]string{"RRULE:FREQ=HOURLY;INTERVAL=5;COUNT=99999999", "RRULE:FREQ=DAILY"})
	s := compile(t, set, timed)
	for _, unix := range []int64{-1 << 63, -1 << 60, 1 << 38, 1 << 60, 1<<63 - 1} {
		far := time.Unix(unix, 0)
		if ok, err := s.Contains(far); ok || err != nil {
			t.Errorf("Contains(%d) = %v, %v", unix, ok, err)
		}
		if _, ok, err := s.Next(far); ok != (unix < 0) || err != nil {
			t.Errorf("Next(%d) = %v, %v", unix, ok, err)
		}
		if last, ok, err := s.Before(far); ok != (unix > 0) || err != nil || ok && last.Year() != 9999 {
			t.Errorf("Before(%d) = %v, %v, %v", unix, last, ok, err)
		}
		if n := len(collect(s, far, far.Add(time.Hour), 0)); n != 0 {
			t.Errorf("%d instances in an hour from %d", n, unix)
		}
	}
}

func TestMisses(t *testing.T) {
	set, _ := recurrence.Parse([]string{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T130000Z,20260314T130000Z"})
	s := compile(t, set, timed)
	v, ok, err := s.Misses(set.ExDates[0])
	if v.String() != "20260314T130000Z" || !ok || err != nil {
		t.Errorf("Misses = %v, %v, %v", v, ok, err)
	}
}

func TestSyntaxErrors(t *testing.T) {
	_, err := recurrence.Parse([]string{"RRULE:FREQ=DAILY;BYMONTH=1,13;COUNT=x", "RRULE:FREQ=DAILY", "FOO"})
	var got []recurrence.SyntaxError
	for _, e := range err.(recurrence.SyntaxErrors) {
		got = append(got, recurrence.SyntaxError{Line: e.Line, Offset: e.Offset, Rule: e.Rule})
	}
	want := []recurrence.SyntaxError{
		{Line: 0, Offset: 27, Rule: "recurrence.rule.part"},
		{Line: 0, Offset: 36, Rule: "recurrence.rule.part"},
		{Line: 2, Offset: 0, Rule: "recurrence.line.name"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var one *recurrence.SyntaxError
	if !errors.As(err, &one) || one.Offset != 27 {
		t.Errorf("errors.As gives %v", one)
	}
}

// TestBudget is about work that comes to nothing.
func TestBudget(t *testing.T) {
	for _, lines := range [][]string{
		{"RRULE:FREQ=SECONDLY", "EXRULE:FREQ=SECONDLY"},
		{"RRULE:FREQ=MINUTELY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYHOUR=3;BYMINUTE=1;BYSETPOS=2", "EXDATE:20260310T130000Z"},
		{"RRULE:FREQ=SECONDLY;INTERVAL=7;COUNT=99999999999;BYSETPOS=1;BYHOUR=9,10", "EXRULE:FREQ=SECONDLY"},
	} {
		set, err := recurrence.Parse(lines)
		if err != nil {
			t.Fatal(err)
		}
		s := compile(t, set, timed).With(recurrence.Options{Budget: 10000})
		begin := time.Now()
		_, ok, err := s.Next(timed.Time().AddDate(5, 0, 0))
		var over *recurrence.BudgetError
		if err != nil && (!errors.As(err, &over) || over.Steps != 10000) {
			t.Errorf("%v: %v", lines, err)
		}
		if took := time.Since(begin); took > hang {
			t.Errorf("%v: %v took %v", lines, ok, took)
		}
	}
}

// TestBudgetEndsWithError has rules of which one is found in no time and one never.
func TestBudgetEndsWithError(t *testing.T) {
	for _, lines := range [][]string{
		{"RRULE:FREQ=DAILY;COUNT=5", "RRULE:FREQ=MINUTELY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=30"},
		{"RRULE:FREQ=MINUTELY;INTERVAL=7;COUNT=3", "RRULE:FREQ=MINUTELY;INTERVAL=7;BYHOUR=9;BYMONTH=2,3;BYMONTHDAY=30,10;UNTIL=20260401T000000Z"},
		{"RRULE:FREQ=DAILY;COUNT=5", "RDATE:20300101T000000Z", "RRULE:FREQ=MINUTELY;INTERVAL=7;BYHOUR=9;BYMONTH=3;BYMONTHDAY=10;BYDAY=TU"},
		{"RRULE:FREQ=MINUTELY;INTERVAL=7;BYHOUR=9;BYMONTH=3;BYMONTHDAY=10;BYDAY=TU"},
	} {
		set, err := recurrence.Parse(lines)
		if err != nil {
			t.Fatal(err)
		}
		s := compile(t, set, timed)
		all := collect(s, time.Time{}, timed.Time().AddDate(30, 0, 0), 0)
		tight := s.With(recurrence.Options{Budget: 20})
		var got []string
		for at, err := range tight.Between(time.Time{}, timed.Time().AddDate(30, 0, 0)) {
			if err == nil {
				got = append(got, at.Format(time.RFC3339))
			}
		}
		if diff := cmp.Diff(all[:min(len(got), len(all))], got); diff != "" {
			t.Errorf("%v (-all +in budget):\n%s", lines, diff)
		}
		if last := collect(tight, time.Time{}, timed.Time().AddDate(30, 0, 0), 0); len(got) < len(all) && !strings.HasPrefix(last[len(last)-1], "recurrence:") {
			t.Errorf("%v: %d of %d instances, and no error", lines, len(got), len(all))
		}
	}
}

func TestStopsWhenAsked(t *testing.T) {
	set, _ := recurrence.Parse([]string{"RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"})
	n := 0
	for range compile(t, set, timed).All() {
		if n++; n == 3 {
			break
		}
	}
}

// genSeries draws a series of one rule.
func genSeries(t *rapid.T) (*recurrence.Rule, time.Time, *recurrence.Series) {
	r, start := genRule(t), genStart(t)
	drawEnd(t, r, start)
	s := compile(t, &recurrence.Set{Rules: []*recurrence.Rule{r}}, recurrence.StartTime(start))
	return r, start, s.With(recurrence.Options{Budget: 1 << 16})
}

// inBudget drops a draw whose list ended for want of budget.
func inBudget(t *rapid.T, list []string) []string {
	if len(list) > 0 && strings.HasPrefix(list[len(list)-1], "recurrence:") {
		t.Skip("too sparse")
	}
	return list
}

func TestCountGivesTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, start := genRule(t), genStart(t)
		set := &recurrence.Set{Rules: []*recurrence.Rule{r}}
		all := inBudget(t, collect(compile(t, set, recurrence.StartTime(start)), time.Time{}, time.Time{}, 30))
		r.Count = rapid.Int64Range(1, 29).Draw(t, "count")
		got := inBudget(t, collect(compile(t, set, recurrence.StartTime(start)), time.Time{}, time.Time{}, 0))
		// The start is one more where the rule misses it.
		n := int(r.Count)
		if len(got) == n+1 {
			n++
		}
		if diff := cmp.Diff(all[:min(n, len(all))], got); diff != "" {
			t.Fatalf("%s (-first of all +got):\n%s", r, diff)
		}
	})
}

// TestSeek compares windows far from the start with what is met on the way there.
func TestSeek(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, start, s := genSeries(t)
		all := inBudget(t, collect(s, time.Time{}, start.AddDate(60, 0, 0), 3000))
		if len(all) == 0 {
			return
		}
		i := rapid.IntRange(0, len(all)-1).Draw(t, "i")
		from, err := time.Parse(time.RFC3339, all[i])
		if err != nil {
			t.Fatal(err)
		}
		got := inBudget(t, collect(s, from, start.AddDate(60, 0, 0), min(20, len(all)-i)))
		if diff := cmp.Diff(all[i:min(i+20, len(all))], got); diff != "" {
			t.Fatalf("%s from %s (-walked +sought):\n%s", r, from, diff)
		}
		if ok, err := s.Contains(from); !ok || err != nil {
			t.Fatalf("Contains(%s) = %v, %v", from, ok, err)
		}
		if next, ok, err := s.Next(from.Add(-time.Nanosecond)); !ok || err != nil || !next.Equal(from) {
			t.Fatalf("Next before %s = %v, %v, %v", from, next, ok, err)
		}
		if last, ok, err := s.Before(from.Add(time.Nanosecond)); !ok || err != nil || !last.Equal(from) {
			t.Fatalf("Before after %s = %v, %v, %v", from, last, ok, err)
		}
		checkBackward(t, s, all[:i+1], from)
	})
}

// checkBackward compares the instances up to one, backwards, with the list.
func checkBackward(t *rapid.T, s *recurrence.Series, all []string, last time.Time) {
	var got []string
	for at, err := range s.Backward(time.Time{}, last.Add(time.Second)) {
		if err != nil {
			t.Skip(err)
		}
		if got = append(got, at.Format(time.RFC3339)); len(got) == 200 {
			break
		}
	}
	want := slices.Clone(all[max(0, len(all)-200):])
	slices.Reverse(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("backward from %s (-forward +got):\n%s", last, diff)
	}
}

func TestWindowsTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, start, s := genSeries(t)
		span := int64(horizon(r) / time.Second)
		end := start.Add(horizon(r))
		whole := inBudget(t, collect(s, start, end, 0))
		cut := start.Add(time.Duration(rapid.Int64Range(0, span).Draw(t, "cut")) * time.Second)
		tiles := slices.Concat(collect(s, start, cut, 0), collect(s, cut, end, 0))
		if diff := cmp.Diff(whole, tiles); diff != "" {
			t.Fatalf("%s cut at %s (-whole +tiles):\n%s", r, cut, diff)
		}
	})
}

func TestExDateTakesOneOrNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, start, s := genSeries(t)
		all := inBudget(t, collect(s, time.Time{}, start.Add(horizon(r)), 0))
		at := start.Add(time.Duration(rapid.Int64Range(0, 86400*40).Draw(t, "exdate")) * time.Second)
		if len(all) > 0 && rapid.Bool().Draw(t, "at an instance") {
			at, _ = time.Parse(time.RFC3339, rapid.SampledFrom(all).Draw(t, "instance"))
		}
		set := &recurrence.Set{Rules: []*recurrence.Rule{r}, ExDates: dates([]time.Time{at})}
		got := collect(compile(t, set, recurrence.StartTime(start)), time.Time{}, start.Add(horizon(r)), 0)
		want := slices.DeleteFunc(all, func(s string) bool { return s == at.In(start.Location()).Format(time.RFC3339) })
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s without %s (-want +got):\n%s", r, at, diff)
		}
	})
}

func TestStringRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := &recurrence.Set{Rules: []*recurrence.Rule{genRule(t)}, ExRules: []*recurrence.Rule{genRule(t)}}
		start := genStart(t)
		drawEnd(t, set.Rules[0], start)
		set.ExDates = dates(genInstants(t, "exdates", start, nil))
		set.RDates = append(dates(genInstants(t, "rdates", start, nil)), &recurrence.Dates{
			TZID: "Europe/Berlin",
			Periods: []recurrence.Period{{
				Start:  recurrence.Value{Form: recurrence.Local, Clock: start.Unix()},
				Length: recurrence.Duration{Days: rapid.Int64Range(0, 9).Draw(t, "days"), Seconds: rapid.Int64Range(1, 99999).Draw(t, "seconds")},
			}},
		})
		text := set.String()
		got, err := recurrence.Parse(set.Lines())
		if err != nil {
			t.Fatalf("Parse(%s): %v", text, err)
		}
		if got.String() != text {
			t.Fatalf("%s comes back as %s", text, got)
		}
	})
}

// TestEquivalentSpellings are pairs of lines that say the same of a start on Tuesday 2
// September 1997, 9:00 in New York.
func TestEquivalentSpellings(t *testing.T) {
	for _, pair := range [][2]string{
		{"FREQ=DAILY;INTERVAL=7", "FREQ=WEEKLY"},
		{"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "FREQ=DAILY"},
		{"FREQ=MONTHLY;INTERVAL=12", "FREQ=YEARLY"},
		{"FREQ=MONTHLY;BYMONTH=9", "FREQ=YEARLY"},
		{"FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12", "FREQ=MONTHLY"},
		{"FREQ=YEARLY;BYDAY=TU", "FREQ=WEEKLY"},
		{"FREQ=MONTHLY;BYDAY=TU", "FREQ=WEEKLY"},
		{"FREQ=MONTHLY;BYDAY=TU;BYSETPOS=1", "FREQ=MONTHLY;BYDAY=1TU"},
		{"FREQ=MONTHLY;BYDAY=TU;BYMONTHDAY=1,2,3,4,5,6,7", "FREQ=MONTHLY;BYDAY=1TU"},
		{"FREQ=MONTHLY;BYMONTHDAY=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31;BYSETPOS=-1", "FREQ=MONTHLY;BYMONTHDAY=-1"},
		{"FREQ=YEARLY;BYYEARDAY=1", "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1"},
		{"FREQ=YEARLY;BYYEARDAY=-1", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=31"},
		{"FREQ=HOURLY;INTERVAL=24", "FREQ=DAILY"},
		{"FREQ=MINUTELY;INTERVAL=1440", "FREQ=DAILY"},
		{"FREQ=SECONDLY;INTERVAL=604800", "FREQ=WEEKLY"},
		{"FREQ=HOURLY;BYHOUR=9", "FREQ=DAILY"},
		{"FREQ=MINUTELY;BYHOUR=9;BYMINUTE=0", "FREQ=DAILY"},
		{"FREQ=MINUTELY;INTERVAL=30;BYHOUR=9", "FREQ=DAILY;BYMINUTE=0,30"},
		{"FREQ=HOURLY;INTERVAL=5;BYSETPOS=1;BYMINUTE=0,30", "FREQ=HOURLY;INTERVAL=5"},
		{"FREQ=DAILY;BYHOUR=9,10,11;BYSETPOS=-3", "FREQ=DAILY"},
		{"FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=2", "FREQ=WEEKLY"},
		{"FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=2;BYSETPOS=1,1,-1", "FREQ=YEARLY"},
	} {
		a := instances(t, at("1997-09-02T09:00:00", "America/New_York"), "RRULE:"+pair[0])
		b := instances(t, at("1997-09-02T09:00:00", "America/New_York"), "RRULE:"+pair[1])
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("-%s +%s:\n%s", pair[0], pair[1], diff)
		}
	}
}

// TestDatesAreTimesAtMidnight compares an all-day series with a timed one in UTC.
func TestDatesAreTimesAtMidnight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, start := genRule(t), genStart(t)
		r.Freq = max(r.Freq, recurrence.Daily)
		r.ByHour, r.ByMinute, r.BySecond, r.ByYearDay, r.BySetPos = nil, nil, nil, nil, nil
		if r.Freq == recurrence.Weekly {
			r.ByMonthDay = nil
		}
		set := &recurrence.Set{Rules: []*recurrence.Rule{r}}
		y, m, d := start.Date()
		a := collect(compile(t, set, recurrence.StartDate(y, m, d)), time.Time{}, time.Time{}, 50)
		b := collect(compile(t, set, recurrence.StartTime(time.Date(y, m, d, 0, 0, 0, 0, time.UTC))), time.Time{}, time.Time{}, 50)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("%s (-date +time):\n%s", r, diff)
		}
	})
}
