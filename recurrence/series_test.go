package recurrence_test

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence"
)

// instances returns at most ten instances of lines, as text. It checks that the series contains them.
func instances(t *testing.T, start recurrence.Start, lines ...string) []string {
	t.Helper()
	set, err := recurrence.Parse(lines)
	if err != nil {
		t.Fatal(err)
	}
	s := compile(t, set, start)
	all, _ := take(t, s, time.Time{}, time.Time{}, 10)
	for _, at := range all {
		if ok, err := s.Contains(at); !ok || err != nil {
			t.Errorf("%s: Contains(%s) is %t, %v", lines, at, ok, err)
		}
	}
	got := texts(all)
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

// TestOddStarts is about starts whose clock means another instant to a rule: the second occurrence of a local time, and a local
// time in a gap. The start is the first instance, and the clocks up to its instant are not instances.
func TestOddStarts(t *testing.T) {
	second := recurrence.StartTime(time.Date(2026, 11, 1, 6, 30, 0, 0, time.UTC).In(newYork))
	inGap := recurrence.StartClock(time.Date(2026, 3, 8, 2, 30, 0, 0, time.UTC), newYork)
	for _, c := range []struct {
		start recurrence.Start
		rule  string
		shift bool
		want  string
	}{
		{second, "FREQ=MINUTELY;INTERVAL=15;COUNT=4", false, "01:30-05 02:00-05 02:15-05 02:30-05"},
		{second, "FREQ=MINUTELY;INTERVAL=15;COUNT=4", true, "01:30-05 02:00-05 02:15-05 02:30-05"},
		{second, "FREQ=MINUTELY;INTERVAL=7;COUNT=3", true, "01:30-05 02:05-05 02:12-05"},
		{second, "FREQ=DAILY;COUNT=2", false, "01:30-05 01:30-05"},
		{inGap, "FREQ=DAILY;COUNT=2", false, "03:30-04 02:30-04"},
		{inGap, "FREQ=DAILY;BYHOUR=2,3;COUNT=4", false, "03:30-04 02:30-04 03:30-04 02:30-04"},
		{inGap, "FREQ=HOURLY;COUNT=3", false, "03:30-04 04:30-04 05:30-04"},
		{inGap, "FREQ=HOURLY;COUNT=3", true, "03:30-04 04:30-04 05:30-04"},
		{inGap, "FREQ=MINUTELY;INTERVAL=15;COUNT=4", false, "03:30-04 03:45-04 04:00-04 04:15-04"},
		{inGap, "FREQ=MINUTELY;INTERVAL=20;COUNT=4", false, "03:30-04 03:50-04 04:10-04 04:30-04"},
		{inGap, "FREQ=MINUTELY;INTERVAL=20;COUNT=9", false, "03:30-04 03:50-04 04:10-04 04:30-04 04:50-04 05:10-04 05:30-04 05:50-04 06:10-04"},
		{inGap, "FREQ=MINUTELY;INTERVAL=40;COUNT=4", false, "03:30-04 03:50-04 04:30-04 05:10-04"},
		{inGap, "FREQ=MINUTELY;INTERVAL=25;COUNT=4", true, "03:30-04 03:45-04 03:55-04 04:10-04"},
	} {
		set, err := recurrence.Parse([]string{"RRULE:" + c.rule})
		if err != nil {
			t.Fatal(err)
		}
		s := compile(t, set, c.start).With(recurrence.Options{Shift: c.shift})
		all, whole := take(t, s, time.Time{}, time.Time{}, 100)
		var got []string
		for _, at := range all {
			got = append(got, at.Format("15:04-07"))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" || !whole {
			t.Errorf("%s (-want +got):\n%s", c.rule, diff)
		}
		if n, _, err := s.Count(100); n != len(all) || err != nil {
			t.Errorf("%s: Count is %d, %v; there are %d", c.rule, n, err, len(all))
		}
		for i, at := range all {
			rest, whole := take(t, s, at, time.Time{}, 100)
			if diff := cmp.Diff(texts(all[i:]), texts(rest)); diff != "" || !whole {
				t.Errorf("%s from %s on (-want +got):\n%s", c.rule, at, diff)
			}
			checkNeighbours(t, s, all[:i], at, all[i+1:])
			checkTiles(t, s, at, at.AddDate(0, 0, 2), all[i:])
		}
	}
}

// TestWindowsInTheSecondHour is about windows that begin when the clock shows an hour for the
// second time. Its local times mean their first occurrences, which are not in the window.
func TestWindowsInTheSecondHour(t *testing.T) {
	for zone, from := range map[string]time.Time{
		"America/New_York": time.Date(2026, 11, 1, 6, 10, 0, 0, time.UTC),
		"Europe/London":    time.Date(2026, 10, 25, 1, 10, 0, 0, time.UTC),
	} {
		for _, rule := range []string{"FREQ=MINUTELY", "FREQ=MINUTELY;INTERVAL=7", "FREQ=SECONDLY;INTERVAL=61;COUNT=99999"} {
			s := seriesOf(t, recurrence.StartTime(from.In(load(zone)).AddDate(0, 0, -2)), "RRULE:"+rule)
			first, ok, err := s.Next(from)
			if !ok || err != nil || first.Before(from) || first.Hour() != 2 {
				t.Errorf("%s in %s: the next after %s is %s, %t, %v", rule, zone, from, first, ok, err)
			}
			got, _ := take(t, s, from, from.Add(3*time.Hour), 1000)
			all, _ := take(t, s, from.Add(-3*time.Hour), from.Add(3*time.Hour), 1000)
			all = slices.DeleteFunc(all, from.After)
			if diff := cmp.Diff(texts(all), texts(got)); diff != "" {
				t.Errorf("%s from %s (-longer window +window):\n%s", rule, from, diff)
			}
		}
	}
}

// TestWholeCalendar walks to the end of the calendar.
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
		"RDATE;VALUE=PERIOD:20260201T140000Z/PT1H,20260307T140000Z/PT90M,20260308T140000Z/20260308T150000Z",
		"RDATE;VALUE=PERIOD;TZID=America/New_York:20260307T120000/P1D,20260307T130000/PT24H,20260307T150000/P1DT2H",
		"RDATE;VALUE=PERIOD:20260307T210000Z/P1DT2H",
	})
	if err != nil {
		t.Fatal(err)
	}
	start := at("2026-03-01T09:00:00", "America/New_York")
	s := compile(t, set, start.Until(start.Time().Add(30*time.Minute)))
	var got []string
	for i, err := range s.Instances(time.Time{}, time.Time{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, i.Start.Format("0102T1504Z07")+" to "+i.End.Format("0102T1504Z07"))
	}
	want := []string{"0301T0900-05 to 0301T0930-05", "0307T0900-05 to 0307T1030-05", "0307T1200-05 to 0308T1200-04",
		"0307T1300-05 to 0308T1400-04", "0307T1500-05 to 0308T1700-04", "0307T1600-05 to 0308T1900-04",
		"0308T1000-04 to 0308T1100-04"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	days := compile(t, set, recurrence.StartDate(2026, 1, 1).Until(time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)))
	for i, err := range days.Instances(time.Time{}, time.Time{}) {
		if err != nil || i.End.Sub(i.Start) != 48*time.Hour {
			t.Errorf("an all-day instance is from %s to %s, %v", i.Start, i.End, err)
		}
	}
}

// isOfStart reports whether an error of Compile is about the start, and not about a line.
func isOfStart(err error) bool {
	invalid, ok := errors.AsType[*recurrence.InvalidError](err)
	return ok && invalid.Rule == ""
}

// An error names the line and the rule, if it is about a line.
func TestInvalidError(t *testing.T) {
	for want, err := range map[string]recurrence.InvalidError{
		"recurrence: The set is wrong.":                       {Message: "The set is wrong."},
		`"RRULE:FREQ=X": It is wrong. [recurrence.rule.part]`: {Line: "RRULE:FREQ=X", Rule: "recurrence.rule.part", Message: "It is wrong."},
	} {
		if got := err.Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Dates without values add and exclude nothing.
func TestCompileEmptyDates(t *testing.T) {
	set := &recurrence.Set{RDates: []*recurrence.Dates{{}}, ExDates: []*recurrence.Dates{{}, {TZID: "Mars/Olympus"}}}
	s, err := set.Compile(allDay)
	if err != nil {
		t.Fatal(err)
	}
	if got := collect(s, time.Time{}, time.Time{}, 0); len(got) != 1 {
		t.Errorf("%v, want the start alone", got)
	}
}

func TestCompileRefuses(t *testing.T) {
	if _, err := (&recurrence.Set{}).Compile(recurrence.Start{}); !isOfStart(err) {
		t.Errorf("no start: %v", err)
	}
	if _, err := (&recurrence.Set{}).Compile(recurrence.StartDate(10000, 1, 1)); !isOfStart(err) {
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
		"recurrence.dates.zone": func(_ *recurrence.Rule, s *recurrence.Set) {
			s.ExDates = []*recurrence.Dates{{TZID: "Mars/Olympus", Values: []recurrence.Value{{Form: recurrence.Local}}}}
		},
	} {
		r := daily
		set := &recurrence.Set{Rules: []*recurrence.Rule{&r}}
		change(&r, set)
		_, err := set.Compile(allDay)
		var invalid *recurrence.InvalidError
		if !errors.As(err, &invalid) || invalid.Rule != rule {
			t.Errorf("%v: %v, want an InvalidError of %s", set, err, rule)
		}
	}
}

// TestCompileRefusesSets is about sets that no lines express. The error has the line in canonical spelling, and the rule.
func TestCompileRefusesSets(t *testing.T) {
	begin, end := recurrence.Value{Form: recurrence.UTC, Clock: 1 << 31}, recurrence.Value{Form: recurrence.UTC, Clock: 1<<31 + 60}
	local, day := recurrence.Value{Form: recurrence.Local, Clock: 1 << 31}, recurrence.Value{Form: recurrence.Date, Clock: 86400}
	hour := recurrence.Duration{Seconds: 3600}
	rule := func(r recurrence.Rule) *recurrence.Set {
		r.Freq = recurrence.Daily
		return &recurrence.Set{Rules: []*recurrence.Rule{&r}}
	}
	rdates := func(d recurrence.Dates) *recurrence.Set { return &recurrence.Set{RDates: []*recurrence.Dates{&d}} }
	periods := func(p recurrence.Period) *recurrence.Set {
		return rdates(recurrence.Dates{Periods: []recurrence.Period{p}})
	}
	type dates = recurrence.Dates
	type values = []recurrence.Value
	for _, c := range []struct {
		set  *recurrence.Set
		rule string
		line string // its first characters
	}{
		{&recurrence.Set{Rules: []*recurrence.Rule{{}}}, "rule.part", "RRULE:FREQ="},
		{&recurrence.Set{Rules: []*recurrence.Rule{{Freq: recurrence.Yearly + 1}}}, "rule.part", "RRULE:FREQ="},
		{&recurrence.Set{ExRules: []*recurrence.Rule{{}}}, "rule.part", "EXRULE:FREQ="},
		{rule(recurrence.Rule{WeekStart: -1}), "rule.part", "RRULE:FREQ=DAILY"},
		{rule(recurrence.Rule{WeekStart: 7}), "rule.part", "RRULE:FREQ=DAILY"},
		{rule(recurrence.Rule{Count: -1}), "rule.count-until", "RRULE:FREQ=DAILY"},
		{rule(recurrence.Rule{Interval: -1}), "rule.count-until", "RRULE:FREQ=DAILY"},
		{rule(recurrence.Rule{ByMonth: []int{13}}), "rule.part", "RRULE:FREQ=DAILY;BYMONTH=13"},
		{rule(recurrence.Rule{ByDay: []recurrence.ByDay{{Day: -1}}}), "rule.part", "RRULE:FREQ=DAILY;BYDAY="},
		{rule(recurrence.Rule{ByDay: []recurrence.ByDay{{Day: 7}}}), "rule.part", "RRULE:FREQ=DAILY;BYDAY="},
		{rule(recurrence.Rule{ByDay: []recurrence.ByDay{{N: 54}}}), "rule.part", "RRULE:FREQ=DAILY;BYDAY=54SU"},
		{rdates(dates{TZID: "Mars/Olympus", Values: values{local}}), "dates.zone", "RDATE;TZID=Mars/Olympus:"},
		{rdates(dates{Values: values{begin}, Periods: []recurrence.Period{{Start: begin, Length: hour}}}), "dates.form", "RDATE"},
		{&recurrence.Set{ExDates: []*dates{{Periods: []recurrence.Period{{Start: begin, Length: hour}}}}}, "dates.form", "EXDATE;VALUE=PERIOD:"},
		{rdates(dates{Values: values{begin, day}}), "dates.form", "RDATE:"},
		{rdates(dates{Values: values{day, begin}}), "dates.form", "RDATE;VALUE=DATE:"},
		{rdates(dates{TZID: "Europe/Berlin", Values: values{begin}}), "dates.form", "RDATE;TZID=Europe/Berlin:"},
		{rdates(dates{TZID: "Europe/Berlin", Periods: []recurrence.Period{{Start: begin, Length: hour}}}), "dates.form", "RDATE;TZID=Europe/Berlin;VALUE=PERIOD:"},
		{periods(recurrence.Period{Length: hour}), "dates.form", "RDATE"},
		{periods(recurrence.Period{Start: day, Length: hour}), "dates.form", "RDATE"},
		{periods(recurrence.Period{Start: begin}), "dates.form", "RDATE"},
		{periods(recurrence.Period{Start: begin, End: begin}), "dates.form", "RDATE"},
		{periods(recurrence.Period{Start: end, End: begin}), "dates.form", "RDATE"},
		{periods(recurrence.Period{Start: begin, End: end, Length: hour}), "dates.form", "RDATE"},
		{periods(recurrence.Period{Start: local, End: end}), "dates.form", "RDATE"},
		{periods(recurrence.Period{Start: begin, End: recurrence.Value{Form: recurrence.UTC, Clock: 1 << 62}}), "dates.form", "RDATE"},
		{periods(recurrence.Period{Start: begin, Length: recurrence.Duration{Days: -1, Seconds: 7200}}), "dates.form", "RDATE"},
		{periods(recurrence.Period{Start: begin, Length: recurrence.Duration{Days: 1, Seconds: -1}}), "dates.form", "RDATE"},
		{periods(recurrence.Period{Start: begin, Length: recurrence.Duration{Days: 1 << 60}}), "dates.form", "RDATE"},
		{periods(recurrence.Period{Start: begin, Length: recurrence.Duration{Seconds: 1 << 60}}), "dates.form", "RDATE"},
	} {
		_, err := c.set.Compile(timed)
		var invalid *recurrence.InvalidError
		if !errors.As(err, &invalid) || invalid.Rule != "recurrence."+c.rule || !strings.HasPrefix(invalid.Line, c.line) {
			t.Errorf("%v: %v, want an InvalidError of %s for %s", c.set, err, c.rule, c.line)
		}
	}
	for _, p := range []recurrence.Period{
		{Start: begin, End: end},
		{Start: local, Length: recurrence.Duration{Days: 1}},
		{Start: begin, Length: recurrence.Duration{Seconds: 1}},
		{Start: begin, Length: recurrence.Duration{Days: 7 << 39, Seconds: 1 << 39}}, // the longest that Parse reads
	} {
		if _, err := periods(p).Compile(timed); err != nil {
			t.Errorf("%v: %v", p, err)
		}
	}
}

// TestCompileRefusesValues is about values that no text expresses.
func TestCompileRefusesValues(t *testing.T) {
	for _, v := range []recurrence.Value{
		{Clock: 86400},
		{Form: recurrence.UTC + 1},
		{Form: recurrence.Local, Clock: 1 << 62},
		{Form: recurrence.UTC, Clock: -1 << 62},
		{Form: recurrence.Date, Clock: 86399},
	} {
		for rule, set := range map[string]*recurrence.Set{
			"recurrence.rule.part":  {Rules: []*recurrence.Rule{{Freq: recurrence.Daily, WeekStart: time.Monday, Until: v}}},
			"recurrence.dates.form": {RDates: []*recurrence.Dates{{Values: []recurrence.Value{v}}}},
		} {
			_, err := set.Compile(timed)
			var invalid *recurrence.InvalidError
			if !errors.As(err, &invalid) || invalid.Rule != rule {
				t.Errorf("%+v: %v, want an InvalidError of %s", v, err, rule)
			}
		}
	}
}

// TestFarInstants asks about instants outside the calendar.
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

// TestWindowAtTheEnd has windows that begin at the last instance of a rule, which is its UNTIL, and just after it.
func TestWindowAtTheEnd(t *testing.T) {
	for _, until := range []string{"20260312T130000Z", "20260312"} {
		set, _ := recurrence.Parse([]string{"RRULE:FREQ=DAILY;UNTIL=" + until, "RRULE:FREQ=DAILY;COUNT=1"})
		s := compile(t, set, timed)
		last := timed.Time().AddDate(0, 0, 2)
		if diff := cmp.Diff([]string{"2026-03-12T09:00:00-04:00"}, collect(s, last, time.Time{}, 0)); diff != "" {
			t.Errorf("until %s (-want +got):\n%s", until, diff)
		}
		if got := collect(s, last.Add(time.Second), time.Time{}, 0); len(got) > 0 {
			t.Errorf("after %s: %v", until, got)
		}
	}
}

// TestLastInstant has windows with bounds after the last second that package time can express.
func TestLastInstant(t *testing.T) {
	set, _ := recurrence.Parse([]string{"RRULE:FREQ=DAILY;COUNT=3"})
	s := compile(t, set, timed)
	last := time.Unix(math.MaxInt64, 1)
	if got := collect(s, last, time.Time{}, 0); len(got) > 0 {
		t.Errorf("from there on: %v", got)
	}
	if diff := cmp.Diff(collect(s, time.Time{}, time.Time{}, 0), collect(s, time.Time{}, last, 0)); diff != "" {
		t.Errorf("up to there (-all +got):\n%s", diff)
	}
	if _, ok, err := s.Before(last); !ok || err != nil {
		t.Errorf("Before = %t, %v", ok, err)
	}
}

// TestFirstYears is about the first years that four digits can write, and about weeks across the beginning of the calendar.
func TestFirstYears(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"RRULE:FREQ=WEEKLY;COUNT=2", "0000-01-01 0000-01-08"},
		{"RRULE:FREQ=DAILY;UNTIL=00000103", "0000-01-01 0000-01-02 0000-01-03"},
		{"RDATE;VALUE=DATE:00000105", "0000-01-01 0000-01-05"},
		{"RRULE:FREQ=WEEKLY;BYDAY=FR,SA,SU;BYSETPOS=2;COUNT=2", "0000-01-01 0000-01-08"},
		{"RRULE:FREQ=WEEKLY;WKST=SU;BYDAY=SU,SA;BYSETPOS=1;COUNT=1", "0000-01-01 0000-01-02"},
		{"RRULE:FREQ=YEARLY;BYWEEKNO=1,52;BYDAY=SA;COUNT=4", "0000-01-01 0000-01-08 0000-12-30 0001-01-06"},
		{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=2", "0000-01-01 0000-02-29 0004-02-29"},
	} {
		set, err := recurrence.Parse([]string{c.line})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for at := range compile(t, set, recurrence.StartDate(0, 1, 1)).All() {
			got = append(got, at.Format(time.DateOnly))
		}
		if diff := cmp.Diff(strings.Fields(c.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.line, diff)
		}
	}
	if _, err := (&recurrence.Set{}).Compile(recurrence.StartDate(-1, 12, 31)); !isOfStart(err) {
		t.Errorf("start before the year 0: %v", err)
	}
}

func TestFirstUnmatched(t *testing.T) {
	set, _ := recurrence.Parse([]string{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T130000Z,20260314T130000Z"})
	s := compile(t, set, timed)
	v, ok, err := s.FirstUnmatched(set.ExDates[0])
	if v.String() != "20260314T130000Z" || !ok || err != nil {
		t.Errorf("FirstUnmatched = %v, %v, %v", v, ok, err)
	}
}

// TestFirstUnmatchedOfInvalid asks about lines that Parse never returns.
func TestFirstUnmatchedOfInvalid(t *testing.T) {
	set, _ := recurrence.Parse([]string{"RRULE:FREQ=DAILY;COUNT=3"})
	hit := recurrence.Value{Form: recurrence.UTC, Clock: timed.Time().Unix()}
	local := recurrence.Value{Form: recurrence.Local, Clock: timed.Time().Unix() - 4*3600}
	for _, start := range []recurrence.Start{timed, recurrence.StartDate(2026, 3, 10)} {
		s := compile(t, set, start)
		for _, form := range []recurrence.Form{0, recurrence.Date, recurrence.Local, recurrence.UTC, 4} {
			for _, clock := range []int64{math.MinInt64, math.MaxInt64} {
				far := recurrence.Value{Form: form, Clock: clock}
				if v, ok, err := s.FirstUnmatched(&recurrence.Dates{Values: []recurrence.Value{hit, far, hit}}); v != far || !ok || err != nil {
					t.Errorf("%+v: FirstUnmatched = %+v, %t, %v", far, v, ok, err)
				}
			}
		}
		for _, c := range []struct {
			zone   string
			value  recurrence.Value
			misses bool
		}{
			{"", local, false}, {"", hit, false}, {"America/New_York", local, false},
			{"Nowhere", local, true}, {"Local", local, true}, {"America/New_York", hit, true},
		} {
			v, ok, err := s.FirstUnmatched(&recurrence.Dates{TZID: c.zone, Values: []recurrence.Value{c.value}})
			if ok != c.misses || ok && v != c.value || err != nil {
				t.Errorf("%v in the zone %q: FirstUnmatched = %v, %t, %v", c.value, c.zone, v, ok, err)
			}
		}
		if v, ok, err := s.FirstUnmatched(nil); ok || err != nil {
			t.Errorf("FirstUnmatched(nil) = %v, %t, %v", v, ok, err)
		}
	}
}

// TestNil is about nil sets, rules and dates.
func TestNil(t *testing.T) {
	rule, dates := &recurrence.Rule{Freq: recurrence.Daily, WeekStart: time.Monday}, &recurrence.Dates{}
	lines := []string{"RRULE:FREQ=DAILY", "EXDATE:"}
	for _, c := range []struct {
		set   *recurrence.Set
		rule  string
		lines []string
	}{
		{nil, "recurrence.line.name", nil},
		{&recurrence.Set{Rules: []*recurrence.Rule{rule, nil}, ExDates: []*recurrence.Dates{dates}}, "recurrence.rule.part", lines},
		{&recurrence.Set{Rules: []*recurrence.Rule{rule}, ExRules: []*recurrence.Rule{nil}, ExDates: []*recurrence.Dates{dates}}, "recurrence.rule.part", lines},
		{&recurrence.Set{Rules: []*recurrence.Rule{rule}, RDates: []*recurrence.Dates{nil}, ExDates: []*recurrence.Dates{dates}}, "recurrence.dates.form", lines},
		{&recurrence.Set{Rules: []*recurrence.Rule{rule}, ExDates: []*recurrence.Dates{nil, dates}}, "recurrence.dates.form", lines},
	} {
		_, err := c.set.Compile(timed)
		var invalid *recurrence.InvalidError
		if !errors.As(err, &invalid) || invalid.Rule != c.rule {
			t.Errorf("%v: Compile gives %v, want an InvalidError of %s", c.set, err, c.rule)
		}
		if got, want := c.set.Explain(timed), (&recurrence.Set{Rules: []*recurrence.Rule{{}}}).Explain(timed); got != want {
			t.Errorf("%v: Explain gives %q, want %q", c.set, got, want)
		}
		if diff := cmp.Diff(c.lines, c.set.Lines()); diff != "" {
			t.Errorf("Lines (-want +got):\n%s", diff)
		}
		if got := c.set.String(); got != strings.Join(c.lines, "\n") {
			t.Errorf("String gives %q", got)
		}
	}
	if got := (recurrence.Start{}).Clock(); !got.IsZero() {
		t.Errorf("the local time of no start is %s", got)
	}
	if got := recurrence.StartClock(time.Unix(0, 0), nil); got != (recurrence.Start{}) {
		t.Errorf("StartClock without a zone gives %v", got.Time())
	}
}

func TestSyntaxErrors(t *testing.T) {
	_, err := recurrence.Parse([]string{
		"RRULE:FREQ=DAILY;BYMONTH=1,13;COUNT=x",
		"RRULE:FREQ=DAILY",
		"FOO",
		"RRULE:COUNT=3",
		"RRULE:FREQ=WEEKLY;BYDAY=MO,XX,TU,YY",
		"RRULE:FREQ=DAILY ",
		`RRULE;X-A="b:FREQ=DAILY`,
		"RRULE:FREQ=WEEKLY;BYWEEKDAY=MO;BYDAY=TU",
		"RRULE:FREQ=DAILY,COUNT=2;COUNT=3",
		"RRULE:FREQ=DAILY;=3",
		"RRULE:FREQ=DAILY;COUNT=x\r",
	})
	var got []recurrence.SyntaxError
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		e := e.(*recurrence.SyntaxError)
		got = append(got, recurrence.SyntaxError{Line: e.Line, Offset: e.Offset, Rule: e.Rule})
	}
	want := []recurrence.SyntaxError{
		{Line: 0, Offset: 27, Rule: "recurrence.rule.part"},
		{Line: 0, Offset: 36, Rule: "recurrence.rule.part"},
		{Line: 2, Offset: 0, Rule: "recurrence.line.name"},
		{Line: 3, Offset: -1, Rule: "recurrence.rule.part"},
		{Line: 4, Offset: 27, Rule: "recurrence.rule.part"},
		{Line: 4, Offset: 33, Rule: "recurrence.rule.part"},
		{Line: 5, Offset: 16, Rule: "recurrence.line.syntax"},
		{Line: 6, Offset: 10, Rule: "recurrence.line.syntax"},
		{Line: 7, Offset: 18, Rule: "recurrence.rule.part"},
		{Line: 7, Offset: 31, Rule: "recurrence.rule.part"}, // the same part
		{Line: 8, Offset: 17, Rule: "recurrence.rule.part"},
		{Line: 8, Offset: 25, Rule: "recurrence.rule.part"}, // the same part
		{Line: 9, Offset: 17, Rule: "recurrence.line.syntax"},
		{Line: 10, Offset: 24, Rule: "recurrence.line.syntax"},
		{Line: 10, Offset: 23, Rule: "recurrence.rule.part"}, // also after the end of the line
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Each error is a line of the text, which begins with its position, counted from 1.
	for i, text := range strings.Split(err.Error(), "\n") {
		place := fmt.Sprintf("line %d, byte %d: ", want[i].Line+1, want[i].Offset+1)
		if want[i].Offset < 0 {
			place = fmt.Sprintf("line %d: ", want[i].Line+1)
		}
		if !strings.HasPrefix(text, place) {
			t.Errorf("%q does not begin with %q", text, place)
		}
	}
	var one *recurrence.SyntaxError
	if !errors.As(err, &one) || one.Offset != 27 {
		t.Errorf("errors.As gives %v", one)
	}
}

// TestLargestNumbers checks that a number too large for an int64 is read as the largest one, and
// that smaller ones are read exactly.
func TestLargestNumbers(t *testing.T) {
	for text, want := range map[string]int64{
		"9223372036854775790":              9223372036854775790,
		"9223372036854775799":              9223372036854775799,
		"9223372036854775807":              math.MaxInt64,
		"9223372036854775808":              math.MaxInt64,
		"9223372036854775819":              math.MaxInt64,
		"99999999999999999999999999999999": math.MaxInt64,
	} {
		set, err := recurrence.Parse([]string{"RRULE:FREQ=DAILY;COUNT=" + text})
		if err != nil {
			t.Fatal(err)
		}
		if got := set.Rules[0].Count; got != want {
			t.Errorf("COUNT=%s is read as %d", text, got)
		}
	}
}

// TestBudget is about searches that find nothing.
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
		_, _, err = s.Next(timed.Time().AddDate(5, 0, 0))
		var over *recurrence.BudgetError
		if err != nil && (!errors.As(err, &over) || over.Steps != 10000) {
			t.Errorf("%v: %v", lines, err)
		}
	}
}

// TestBudgetEndsWithError has sets with a rule that is easy to expand and a rule without instances.
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

// genSeries draws a series with one rule.
func genSeries(t *rapid.T) (*recurrence.Rule, time.Time, *recurrence.Series) {
	r, start := genRule(t), genStart(t)
	drawEnd(t, r, start)
	s := compile(t, &recurrence.Set{Rules: []*recurrence.Rule{r}}, recurrence.StartTime(start))
	return r, start, s.With(recurrence.Options{Budget: 1 << 16})
}

// inBudget skips a draw whose list ends with a budget error.
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
		// The start is one more if the rule does not match it.
		n := int(r.Count)
		if len(got) == n+1 {
			n++
		}
		if diff := cmp.Diff(all[:min(n, len(all))], got); diff != "" {
			t.Fatalf("%s (-first of all +got):\n%s", r, diff)
		}
	})
}

// TestSeek compares windows far from the start with the instances found on the way there.
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

// checkBackward compares the instances up to last, walked backward, with a list.
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
	want := reversed(slices.Clone(all[max(0, len(all)-200):]))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("backward from %s (-forward +got):\n%s", last, diff)
	}
}

// TestBackward walks backward through sets that are alternately dense and sparse.
func TestBackward(t *testing.T) {
	for _, lines := range []string{
		"RRULE:FREQ=SECONDLY;COUNT=3000",
		"RRULE:FREQ=MINUTELY;COUNT=3000|EXDATE:20260311T130000Z",
		"RRULE:FREQ=MINUTELY;BYHOUR=9;COUNT=600|RRULE:FREQ=YEARLY;COUNT=30|RRULE:FREQ=SECONDLY;BYMONTHDAY=2;BYHOUR=3;BYMINUTE=4;COUNT=200",
		"RDATE:20260310T130001Z,20300101T000000Z|RRULE:FREQ=SECONDLY;COUNT=1300|RRULE:FREQ=MONTHLY;COUNT=100",
	} {
		s := seriesOf(t, timed, strings.Split(lines, "|")...)
		all, _ := take(t, s, time.Time{}, time.Time{}, 10000)
		var got []time.Time
		for at, err := range s.Backward(time.Time{}, time.Time{}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, at)
		}
		slices.Reverse(got)
		if diff := cmp.Diff(texts(all), texts(got)); diff != "" {
			t.Errorf("%s (-forward +backward):\n%s", lines, diff)
		}
		if diff := cmp.Diff(instancesOf(t, s.Instances(time.Time{}, time.Time{})), reversed(instancesOf(t, s.InstancesBackward(time.Time{}, time.Time{})))); diff != "" {
			t.Errorf("%s: instances (-forward +backward):\n%s", lines, diff)
		}
	}
}

func instancesOf(t *testing.T, all iter.Seq2[recurrence.Instance, error]) (list []recurrence.Instance) {
	t.Helper()
	for i, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, i)
	}
	return list
}

func reversed[T any](list []T) []T {
	slices.Reverse(list)
	return list
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

func TestExDateExcludesOneOrNone(t *testing.T) {
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
		inOrder := cmp.Options{
			cmpopts.EquateEmpty(),
			cmpopts.SortSlices(func(a, b int) bool { return a < b }),
			cmpopts.SortSlices(func(a, b recurrence.ByDay) bool { return a.N < b.N || a.N == b.N && a.Day < b.Day }),
		}
		if diff := cmp.Diff(set, got, inOrder); diff != "" {
			t.Fatalf("%s is a different set (-written +read):\n%s", text, diff)
		}
	})
}

// TestCanonicalSpelling has lines that are canonical already.
func TestCanonicalSpelling(t *testing.T) {
	for _, line := range []string{
		"RRULE:FREQ=DAILY;UNTIL=00010101",
		"RRULE:FREQ=DAILY;UNTIL=00000101T000000Z",
		"RRULE:FREQ=DAILY;UNTIL=99991231",
		"RRULE:FREQ=DAILY;UNTIL=99991231T235959Z",
		"RRULE:FREQ=DAILY;UNTIL=20260310T091503",
		"RRULE:FREQ=DAILY;X-NOTE=later",
		"RDATE;VALUE=PERIOD:20260320T130000Z/20260320T140000Z,20260321T130000Z/P1DT5S",
	} {
		set, err := recurrence.Parse([]string{line})
		if err != nil {
			t.Fatal(err)
		}
		if got := set.String(); got != line {
			t.Errorf("%s comes back as %s", line, got)
		}
	}
}

// A value that a list repeats is dropped.
func TestRepeatedInList(t *testing.T) {
	set, err := recurrence.Parse([]string{"RRULE:FREQ=YEARLY;BYHOUR=9,0,9,23,0;BYYEARDAY=-366,366,-366,1,-1,1;BYDAY=-53SU,53SA,SU,-53SU,SA,-53MO,53SA"})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(set.Rules[0].ByHour, set.Rules[0].ByYearDay, set.Rules[0].ByDay)
	if want := "[9 0 23] [-366 366 1 -1] [-53SU 53SA SU SA -53MO]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDatesString has dates that Parse never returns.
func TestDatesString(t *testing.T) {
	for want, d := range map[string]*recurrence.Dates{
		":":                {},
		`;TZID="a:b":`:     {TZID: "a:b"},
		`;TZID="a,b":`:     {TZID: "a,b"},
		";TZID=Etc/GMT+1:": {TZID: "Etc/GMT+1"},
	} {
		if got := d.String(); got != want {
			t.Errorf("%+v is written as %s, want %s", d, got, want)
		}
	}
}

// TestDurations has durations and their canonical spelling, or "" if they are invalid.
func TestDurations(t *testing.T) {
	for text, want := range map[string]string{
		"P2W": "/P14D", "p1dt2h": "/P1DT2H", "PT90M": "/PT1H30M", "+PT5S": "/PT5S", "P1D": "/P1D", "PT1H1M1S": "/PT1H1M1S",
		"PT3605S": "/PT1H0M5S", "PT65S": "/PT1M5S", "P1DT0H5M0S": "/P1DT5M",
		"": "", "P": "", "PT": "", "P1": "", "P1DT": "", "PT1": "", "PT1Hx": "", "PT1HT": "", "PT1H1H": "", "PT1H1S": "", "P1W1D": "", "1D": "",
	} {
		set, err := recurrence.Parse([]string{"RDATE;VALUE=PERIOD:20260320T130000Z/" + text})
		if (err != nil) != (want == "") {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if err == nil && !strings.HasSuffix(set.String(), want) {
			t.Errorf("%q comes back in %s, want %s", text, set, want)
		}
	}
}

// TestEquivalentSpellings has pairs of rules with the same instances from a start on Tuesday 2
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
