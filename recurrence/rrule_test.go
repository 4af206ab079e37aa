package recurrence_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/teambition/rrule-go"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence"
)

// TestAgainstRRuleGo compares plain rules with rrule-go. It skips rules that rrule-go is known to read differently or to fail
// on: BYMONTHDAY in a YEARLY rule without BYMONTH (it takes every month), BYWEEKNO without BYDAY (every day of the week),
// INTERVAL with time parts below DAILY (it can hang), ordinals above 5 in a month (it panics), second 60, and the year 0 (it
// panics). The comparison is in UTC because it also reads changes of the clock differently.
func TestAgainstRRuleGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := genRule(t)
		start := time.Unix(rapid.Int64Range(631152000, 1893456000).Draw(t, "start"), 0).UTC()
		if rapid.IntRange(0, 3).Draw(t, "long ago") == 0 {
			start = time.Date(1, 1, rapid.IntRange(1, 14).Draw(t, "day"), 9, 30, 0, 0, time.UTC)
		}
		skipUnlikeRRuleGo(t, r)
		if rapid.IntRange(0, 3).Draw(t, "count?") == 0 {
			r.Count = rapid.Int64Range(1, 30).Draw(t, "count")
		}
		end := start.Add(horizon(r))
		s := compile(t, &recurrence.Set{Rules: []*recurrence.Rule{r}}, recurrence.StartTime(start))
		if next, ok, _ := s.Next(end); r.Count == 0 && (!ok || next.After(end.AddDate(5, 0, 0))) {
			t.Skip("rrule-go would only stop in the year 2262")
		}
		opt, err := rrule.StrToROption(r.String())
		if err != nil {
			t.Fatal(err)
		}
		opt.Dtstart = start
		other, err := rrule.NewRRule(*opt)
		if err != nil {
			t.Skip(err)
		}
		want := other.Between(start, end, true)
		want = slices.DeleteFunc(want, func(at time.Time) bool { return !at.Before(end) })
		if len(want) == 0 || !want[0].Equal(start) { // rrule-go leaves out a start that the rule does not match
			want = slices.Insert(want, 0, start)
		}
		if diff := cmp.Diff(texts(want), collect(s, time.Time{}, end, 0)); diff != "" {
			t.Fatalf("%s from %s (-rrule-go +series):\n%s", r, start.Format(time.RFC3339), diff)
		}
	})
}

func skipUnlikeRRuleGo(t *rapid.T, r *recurrence.Rule) {
	ordinal := func(d recurrence.ByDay) bool { return d.N != 0 }
	plain := func(d recurrence.ByDay) bool { return d.N == 0 }
	monthly := r.Freq == recurrence.Monthly || len(r.ByMonth) > 0
	switch {
	case r.Freq == recurrence.Yearly && len(r.ByMonthDay) > 0 && len(r.ByMonth) == 0,
		r.Freq == recurrence.Weekly && len(r.BySetPos) > 0,
		len(r.ByWeekNo) > 0,
		r.Freq.SubDaily() && strings.Contains(r.String(), ";BY"),
		slices.Contains(r.BySecond, 60),
		slices.ContainsFunc(r.ByDay, ordinal) && slices.ContainsFunc(r.ByDay, plain),
		monthly && slices.ContainsFunc(r.ByDay, func(d recurrence.ByDay) bool { return d.N > 5 || d.N < -5 }):
		t.Skip("rrule-go reads it differently")
	}
}
