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

// With one rule, the options about the start follow from the usual list: the start that the rule misses is left out, or
// takes the place of the last instance that COUNT allows.
func TestStartOptionsLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := genStart(t)
		start := recurrence.StartTime(at)
		r := genRule(t)
		r.Until, r.Count = recurrence.Value{}, int64(rapid.IntRange(0, 5).Draw(t, "count"))
		set := &recurrence.Set{Rules: []*recurrence.Rule{r}}
		series := compile(t, set, start)
		const most = 8
		usual := upTo(series, most)
		only := upTo(series.With(recurrence.Options{OnlyMatches: true}), most)
		misses := len(only) == 0 || !only[0].Equal(usual[0])
		want := usual
		if misses {
			want = usual[1:]
		}
		if n := min(len(want), most-1); cmp.Diff(texts(want[:n]), texts(only[:min(n, len(only))])) != "" {
			t.Fatalf("%s from %s: only what matches are %s, want %s", set, at, texts(only), texts(want))
		}
		counted := upTo(series.With(recurrence.Options{CountStart: true}), most)
		if want = usual; misses && r.Count > 0 && len(usual) > int(r.Count) {
			want = usual[:r.Count]
		}
		if cmp.Diff(texts(want), texts(counted)) != "" {
			t.Fatalf("%s from %s: with the start counted, %s, want %s", set, at, texts(counted), texts(want))
		}
		for _, o := range []recurrence.Options{{}, {CountStart: true}, {OnlyMatches: true}, {CountStart: true, OnlyMatches: true}} {
			s := series.With(recurrence.Options{Shift: true, CountStart: !o.CountStart}).With(o)
			list := upTo(s, most)
			if cmp.Diff(texts(list), texts(upTo(series.With(o), most))) != "" {
				t.Fatalf("%s: the options before make a difference", set)
			}
			for _, i := range list {
				if ok, err := s.Contains(i); !ok || err != nil {
					t.Fatalf("%s with %+v does not contain its instance %s: %v", set, o, i, err)
				}
			}
			if n, more, err := s.Count(most); err == nil && len(list) < most && (n != len(list) || more) {
				t.Fatalf("%s with %+v has %d instances, want %d", set, o, n, len(list))
			}
		}
	})
}

// A night shift ends at the same time of the clock, or after the same time.
func TestWallClock(t *testing.T) {
	begin := time.Date(2026, 3, 6, 22, 0, 0, 0, newYork)
	start := recurrence.StartTime(begin).Until(time.Date(2026, 3, 7, 6, 0, 0, 0, newYork))
	series := compile(t, parseRules("FREQ=DAILY;COUNT=3"), start)
	for wall, want := range map[bool][]string{
		false: {"2026-03-07T06:00:00-05:00", "2026-03-08T07:00:00-04:00", "2026-03-09T06:00:00-04:00"},
		true:  {"2026-03-07T06:00:00-05:00", "2026-03-08T06:00:00-04:00", "2026-03-09T06:00:00-04:00"},
	} {
		var got []string
		for i, err := range series.With(recurrence.Options{WallClock: wall}).Instances(time.Time{}, time.Time{}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, i.End.Format(time.RFC3339))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("by the clock: %t (-want +got):\n%s", wall, diff)
		}
	}
	// The first instance ends as it is written, and a time that occurs twice ends after its start.
	for _, test := range []struct{ start, end, rdate, want string }{
		{"2026-11-01T00:30:00-04:00", "2026-11-01T01:30:00-05:00", "", "2026-11-01T01:30:00-05:00 2026-11-02T01:30:00-05:00"},
		{"2026-11-01T01:15:00-05:00", "2026-11-01T01:45:00-05:00", "", "2026-11-01T01:45:00-05:00 2026-11-02T01:45:00-05:00"},
		{"2026-11-01T01:45:00-04:00", "2026-11-01T01:15:00-05:00", "", "2026-11-01T01:15:00-05:00 2026-11-02T01:45:00-05:00"},
		{"2026-10-30T01:15:00-04:00", "2026-10-30T01:45:00-04:00", "RDATE:20261101T061500Z",
			"2026-10-30T01:45:00-04:00 2026-10-31T01:45:00-04:00 2026-11-01T01:45:00-05:00"},
	} {
		at := func(text string) time.Time {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			return at.In(newYork)
		}
		start := recurrence.StartTime(at(test.start)).Until(at(test.end)).With(recurrence.Options{WallClock: true})
		var got []string
		for i := range compile(t, parseLines(t, strings.TrimSpace("RRULE:FREQ=DAILY;COUNT=2\n"+test.rdate)), start).Instances(time.Time{}, time.Time{}) {
			got = append(got, i.End.Format(time.RFC3339))
		}
		if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("the ends from %s (-want +got):\n%s", test.start, diff)
		}
	}
	for _, change := range []time.Time{time.Date(2026, 11, 1, 0, 0, 0, 0, newYork), time.Date(1960, 10, 30, 0, 0, 0, 0, newYork)} {
		fall := recurrence.StartTime(change.Add(-26 * time.Hour)).Until(change.Add(-18 * time.Hour))
		longer := compile(t, parseRules("FREQ=DAILY;COUNT=3"), fall).With(recurrence.Options{WallClock: true})
		under, at := 0, change.Add(6*time.Hour+30*time.Minute) // 5:30
		for range longer.Overlapping(at, at.Add(15*time.Minute)) {
			under++
		}
		if under != 1 { // the shift of the day before takes nine hours
			t.Errorf("%d shifts are under way at %s", under, at)
		}
	}
	allDay := compile(t, parseRules("FREQ=DAILY;COUNT=1"), recurrence.StartDate(2026, 3, 8).Until(time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC)))
	for i := range allDay.With(recurrence.Options{WallClock: true}).Instances(time.Time{}, time.Time{}) {
		if want := time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC); !i.End.Equal(want) {
			t.Errorf("a day ends at %s", i.End)
		}
	}
}

// A budget below 0 is an error, and not a search without end.
func TestNegativeBudget(t *testing.T) {
	set, err := recurrence.Parse([]string{"RRULE:FREQ=DAILY;COUNT=3"})
	if err != nil {
		t.Fatal(err)
	}
	start := recurrence.StartDate(2026, 3, 10)
	for _, s := range []*recurrence.Series{compile(t, set, start.With(recurrence.Options{Budget: -1})), compile(t, set, start).With(recurrence.Options{Budget: -1})} {
		_, _, next := s.Next(start.Time())
		_, _, last := s.Last()
		_, _, count := s.Count(10)
		_, contains := s.Contains(start.Time())
		for name, err := range map[string]error{"next": next, "last": last, "count": count, "contains": contains} {
			if _, ok := errors.AsType[*recurrence.BudgetError](err); !ok {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
