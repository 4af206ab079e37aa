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
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/recurrence"
)

// numbers returns the numbers from a to b, as a BY part lists them.
func numbers(a, b int) string {
	var list []string
	for n := a; n <= b; n++ {
		list = append(list, fmt.Sprint(n))
	}
	return strings.Join(list, ",")
}

// hostile are sets whose instances are each found within a budget, but take seconds for a thousand of them.
var hostile = map[string][]string{
	"one second of an hour is left": {"RRULE:FREQ=SECONDLY",
		"EXRULE:FREQ=SECONDLY;BYSECOND=" + numbers(0, 58), "EXRULE:FREQ=SECONDLY;BYMINUTE=" + numbers(0, 58)},
	"the same, counted": {"RRULE:FREQ=SECONDLY",
		"EXRULE:FREQ=SECONDLY;COUNT=9999999;BYSECOND=" + numbers(0, 58), "EXRULE:FREQ=SECONDLY;COUNT=999999999;BYMINUTE=" + numbers(0, 58)},
	"one second of a day is left": {"RRULE:FREQ=SECONDLY;BYSECOND=59",
		"EXRULE:FREQ=MINUTELY;BYSECOND=" + numbers(0, 59) + ";BYMINUTE=" + numbers(0, 58), "EXRULE:FREQ=SECONDLY;BYHOUR=" + numbers(0, 22)},
}

// TestBudgetOfAll walks through hostile sets from either end. The walk ends with an error, after
// some instances, and a new walk from there finds more.
func TestBudgetOfAll(t *testing.T) {
	for name, lines := range hostile {
		t.Run(name, func(t *testing.T) {
			set, err := recurrence.Parse(lines)
			if err != nil {
				t.Fatal(err)
			}
			s := compile(t, set, timed)
			end := timed.Time().AddDate(2, 0, 0)
			n, last := walk(t, s.Between(time.Time{}, end))
			if n == 0 {
				t.Error("no instance is found")
			}
			if all, _, err := s.Count(100_000); all != n || !isOverAll(err) {
				t.Errorf("Count is %d, %v; Between finds %d", all, err, n)
			}
			if further, _ := walk(t, s.Between(last.Add(time.Second), end)); further == 0 {
				t.Errorf("nothing is found after %s", last)
			}
			walk(t, s.Backward(time.Time{}, end))
		})
	}
}

// walk visits instances until the budget for all of them is used up. It returns their number and the last one.
func walk(t *testing.T, instances iter.Seq2[time.Time, error]) (n int, last time.Time) {
	t.Helper()
	for at, err := range instances {
		if err == nil {
			n, last = n+1, at
			continue
		}
		if !isOverAll(err) {
			t.Errorf("%d instances and the error %v", n, err)
		}
		return n, last
	}
	t.Errorf("%d instances, and no error", n)
	return n, last
}

func isOverAll(err error) bool {
	var over *recurrence.BudgetError
	return errors.As(err, &over) && over.All && over.Steps == 4<<20
}

// TestBudgetOfAllIsLarge walks for decades through sets that people might write.
func TestBudgetOfAllIsLarge(t *testing.T) {
	for name, lines := range map[string][]string{
		"every second of a day":     {"RRULE:FREQ=SECONDLY;UNTIL=20260311T130000Z"},
		"a filter on minutes":       {"RRULE:FREQ=MINUTELY;INTERVAL=7;BYMONTHDAY=13;BYDAY=FR;BYHOUR=9"},
		"a prime number of seconds": {"RRULE:FREQ=SECONDLY;INTERVAL=7919;BYHOUR=3;BYMINUTE=7"},
		"office hours": {"RRULE:FREQ=HOURLY", "EXRULE:FREQ=DAILY;BYHOUR=" + numbers(0, 8),
			"EXRULE:FREQ=DAILY;BYHOUR=" + numbers(18, 23), "EXRULE:FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=" + numbers(0, 23)},
		"leap days of many rules": slices.Repeat([]string{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO"}, 50),
		"dozens of rules at one time": append(slices.Repeat([]string{"RRULE:FREQ=DAILY"}, 60),
			"EXRULE:FREQ=DAILY;BYDAY=SA,SU", "EXDATE;VALUE=DATE:20260501,20261225"),
		"dozens of ended rules": append(slices.Repeat([]string{"RRULE:FREQ=DAILY;UNTIL=20260501T130000Z"}, 60),
			"RDATE:"+days(2027, 3000, "T130000Z")),
		"all but one of many": {"RRULE:FREQ=DAILY", "EXRULE:FREQ=DAILY;BYMONTHDAY=" + numbers(2, 31)},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := recurrence.Parse(lines)
			if err != nil {
				t.Fatal(err)
			}
			s := compile(t, set, timed)
			end := timed.Time().AddDate(40, 0, 0)
			n, m := 0, 0
			for _, err := range s.Between(time.Time{}, end) {
				if n++; err != nil {
					t.Fatal(err)
				}
			}
			for _, err := range s.Backward(time.Time{}, end) {
				if m++; err != nil {
					t.Fatal(err)
				}
			}
			if n != m || n < 2 {
				t.Errorf("%d instances, and backwards %d", n, m)
			}
		})
	}
}

// days returns n dates from 1 January of a year on, each with a suffix.
func days(year, n int, suffix string) string {
	var list []string
	for i := range n {
		list = append(list, time.Date(year, 1, 1+i, 0, 0, 0, 0, time.UTC).Format("20060102")+suffix)
	}
	return strings.Join(list, ",")
}

// TestBudgetOfMisses asks for each of many days whether one of dozens of rules has an instance.
func TestBudgetOfMisses(t *testing.T) {
	set, err := recurrence.Parse(append(slices.Repeat([]string{"RRULE:FREQ=DAILY"}, 50), "EXDATE;VALUE=DATE:"+days(2027, 1000, "")))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok, err := compile(t, set, timed).FirstUnmatched(set.ExDates[0]); ok || err != nil {
		t.Errorf("Misses = %v, %t, %v", v, ok, err)
	}
}

// TestBudgetOfRulesPassedOver checks that it costs something to pass over rules without instances on a day.
func TestBudgetOfRulesPassedOver(t *testing.T) {
	const n = 200
	for _, rule := range []string{
		"FREQ=DAILY;UNTIL=20260310T130000Z", "FREQ=DAILY;UNTIL=20260310", "FREQ=DAILY;COUNT=1",
		"FREQ=YEARLY;INTERVAL=9999", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
	} {
		set, err := recurrence.Parse(append(slices.Repeat([]string{"RRULE:" + rule}, n),
			"RDATE:"+days(2027, n, "T130000Z"), "EXDATE;VALUE=DATE:"+days(2027, n, "")))
		if err != nil {
			t.Fatal(err)
		}
		s := compile(t, set, timed).With(recurrence.Options{Budget: n*n - 1})
		var over *recurrence.BudgetError
		if _, _, err := s.FirstUnmatched(set.ExDates[0]); !errors.As(err, &over) {
			t.Errorf("%s: %v, want a BudgetError", rule, err)
		}
	}
}

// TestManyEndedRules walks backward through many RDATEs of a set with as many rules, all of which
// have ended. Passing over an ended rule for each RDATE would exceed the budget.
func TestManyEndedRules(t *testing.T) {
	const n = 4000
	set, err := recurrence.Parse(append(slices.Repeat([]string{"RRULE:FREQ=DAILY;UNTIL=20260310T130000Z"}, n), "RDATE:"+days(2027, n, "T130000Z")))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, err := range compile(t, set, timed).Backward(time.Time{}, time.Time{}) {
		if found++; err != nil {
			t.Fatal(err)
		}
	}
	if found != n+1 {
		t.Errorf("%d instances, want %d", found, n+1)
	}
}

// TestManyExcludedRules looks for an instance after an excluded day in a set of many equal rules.
// That takes more than a budget.
func TestManyExcludedRules(t *testing.T) {
	set, err := recurrence.Parse(append(slices.Repeat([]string{"RRULE:FREQ=SECONDLY"}, 10000), "EXDATE;VALUE=DATE:20260310"))
	if err != nil {
		t.Fatal(err)
	}
	_, ok, err := compile(t, set, timed).Next(timed.Time())
	var over *recurrence.BudgetError
	if ok || !errors.As(err, &over) {
		t.Errorf("Next = %t, %v", ok, err)
	}
}

// TestBudgetIsForEach walks through instances that take some hundred steps each, and together more than a budget.
func TestBudgetIsForEach(t *testing.T) {
	s := seriesOf(t, timed, "RRULE:FREQ=SECONDLY;INTERVAL=7919;BYHOUR=3;BYMINUTE=7;BYSECOND="+numbers(0, 44))
	end := timed.Time().AddDate(100, 0, 0)
	all := collect(s, time.Time{}, end, 0)
	if len(all) < 100 {
		t.Fatalf("%d instances", len(all))
	}
	got := collect(s.With(recurrence.Options{Budget: 2000}), time.Time{}, end, 0)
	if diff := cmp.Diff(all, got); diff != "" {
		t.Errorf("(-default budget +small budget):\n%s", diff)
	}
}

// A search that finds out nothing has no place to go on from.
func TestBudgetWithoutProgress(t *testing.T) {
	s := seriesOf(t, timed, "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO").With(recurrence.Options{Budget: 1})
	for _, from := range []time.Time{timed.Time().Add(time.Second), timed.Time().AddDate(20, 0, 0)} {
		_, ok, err := s.Next(from)
		over, isOver := errors.AsType[*recurrence.BudgetError](err)
		if ok || !isOver || !over.Next.IsZero() {
			t.Errorf("Next(%s) = %t, %+v", from, ok, err)
		}
	}
}

// TestFarWindow looks thousands of years ahead. Without COUNT there is nothing to count up to
// there; with it, days are counted by the calendar, even if they are written as seconds.
func TestFarWindow(t *testing.T) {
	from := time.Date(9000, 1, 1, 0, 0, 0, 0, newYork)
	for rule, budget := range map[string]int{
		"FREQ=MINUTELY;INTERVAL=7;BYDAY=MO":                    1000,
		"FREQ=DAILY;INTERVAL=2;BYDAY=MO;COUNT=9999999":         1 << 16,
		"FREQ=SECONDLY;INTERVAL=172800;BYDAY=MO;COUNT=9999999": 1 << 16,
	} {
		s := seriesOf(t, timed, "RRULE:"+rule).With(recurrence.Options{Budget: budget})
		if got, ok, err := s.Next(from); !ok || err != nil || got.Sub(from) > 15*24*time.Hour {
			t.Errorf("%s: Next = %s, %t, %v", rule, got, ok, err)
		}
	}
}

// TestLargestBudget has the largest budget that a caller can give.
func TestLargestBudget(t *testing.T) {
	set, err := recurrence.Parse([]string{"RRULE:FREQ=DAILY;COUNT=1000", "EXRULE:FREQ=DAILY;INTERVAL=2"})
	if err != nil {
		t.Fatal(err)
	}
	n, more, err := compile(t, set, timed).With(recurrence.Options{Budget: math.MaxInt}).Count(2000)
	if n != 500 || more || err != nil {
		t.Errorf("Count = %d, %t, %v", n, more, err)
	}
}

// TestCoveredRules compares what a plain EXRULE leaves of a rule with what it leaves when it is
// written in a way that hides that it excludes everything.
func TestCoveredRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start, r := genStart(t), genRule(t)
		drawEnd(t, r, start)
		x := &recurrence.Rule{WeekStart: time.Monday, Freq: recurrence.Freq(rapid.IntRange(1, 5).Draw(t, "stepped through"))}
		plain := &recurrence.Set{Rules: []*recurrence.Rule{r}, ExRules: []*recurrence.Rule{x}}
		y := *x
		y.ByMonth = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
		hidden := &recurrence.Set{Rules: plain.Rules, ExRules: []*recurrence.Rule{&y}}
		options := recurrence.Options{Shift: rapid.Bool().Draw(t, "shift")}
		stop := start.Add(horizon(r) / 10)
		want := collect(compile(t, hidden, recurrence.StartTime(start)).With(options), time.Time{}, stop, 0)
		got := collect(compile(t, plain, recurrence.StartTime(start)).With(options), time.Time{}, stop, 0)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s from %s (-slow +plain):\n%s", plain, start.Format(time.RFC3339), diff)
		}
	})
}

// TestNoInstanceOfCoveredRules has sets whose EXRULE is known to exclude everything, and similar
// sets of which it leaves some instances.
func TestNoInstanceOfCoveredRules(t *testing.T) {
	for _, c := range []struct {
		rule, exrule string
		none         bool
	}{
		{"FREQ=YEARLY", "FREQ=DAILY", true},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "FREQ=DAILY;INTERVAL=1", true},
		{"FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;UNTIL=20300101T000000Z", "FREQ=DAILY", true},
		{"FREQ=WEEKLY;COUNT=9", "FREQ=HOURLY", true},
		{"FREQ=DAILY;BYHOUR=9,17", "FREQ=HOURLY", true},
		{"FREQ=HOURLY;INTERVAL=5;BYMINUTE=0,30", "FREQ=MINUTELY", true},
		{"FREQ=MINUTELY;BYSECOND=1,2", "FREQ=SECONDLY", true},
		{"FREQ=MINUTELY;BYSECOND=1,2", "FREQ=SECONDLY;INTERVAL=1", true},
		{"FREQ=SECONDLY;BYMINUTE=0", "FREQ=SECONDLY", true},
		{"FREQ=SECONDLY;BYMINUTE=0", "FREQ=SECONDLY;BYMINUTE=0", true},
		{"FREQ=DAILY", "FREQ=DAILY;COUNT=2", false},
		{"FREQ=DAILY", "FREQ=DAILY;UNTIL=20260312T130000Z", false},
		{"FREQ=DAILY;COUNT=9", "FREQ=DAILY;BYDAY=MO", false},
		{"FREQ=DAILY;BYHOUR=9,17", "FREQ=DAILY", false},
		{"FREQ=HOURLY", "FREQ=DAILY", false},
		{"FREQ=HOURLY;BYMINUTE=0,30", "FREQ=HOURLY", false},
		{"FREQ=DAILY;BYSECOND=0,30", "FREQ=MINUTELY", false},
		{"FREQ=YEARLY", "FREQ=DAILY;INTERVAL=2", false},
		{"FREQ=YEARLY", "FREQ=DAILY;COUNT=1000", false},
		{"FREQ=YEARLY", "FREQ=DAILY;UNTIL=20300101T000000Z", false},
		{"FREQ=YEARLY", "FREQ=DAILY;BYMONTH=3;BYDAY=TU", false},
	} {
		start := timed
		found := check(diag.Insert, &start, "RRULE:"+c.rule, "EXRULE:"+c.exrule)
		none := slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, "no-instance") })
		if none != c.none {
			t.Errorf("%s without %s: %v", c.rule, c.exrule, found)
		}
	}
}

// TestSmallBudgets checks that a question with a small budget has the answer that it has with a large one, or an error.
func TestSmallBudgets(t *testing.T) {
	late := recurrence.StartTime(time.Date(9999, 3, 10, 9, 0, 0, 0, newYork))
	exdates := parseText(t, "EXDATE:20260310T130000Z,20260311T130000Z,20270310T130000Z,20270311T130000Z\nEXDATE;VALUE=DATE:20260310,20270310").ExDates
	for _, lines := range []string{
		"RRULE:FREQ=DAILY\nEXDATE:20260310T130000Z",
		"RRULE:FREQ=DAILY;COUNT=3\nRDATE:20270310T130000Z,20280310T130000Z",
		"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
		strings.Repeat("RRULE:FREQ=YEARLY;INTERVAL=9999\n", 40),
		strings.Repeat("RRULE:FREQ=MONTHLY;BYDAY=5MO;BYSETPOS=1\n", 20) + "RDATE:20270310T130000Z,20280310T130000Z\nEXRULE:FREQ=DAILY;BYHOUR=9",
	} {
		set := parseText(t, lines)
		for _, start := range []recurrence.Start{timed, late} {
			s := compile(t, set, start)
			from, to := start.Time(), start.Time().AddDate(3, 0, 0)
			forward, backward := spans(s.Instances(from, to)), spans(s.InstancesBackward(from, to))
			for budget := range 200 {
				small := s.With(recurrence.Options{Budget: budget + 1})
				checkPrefix(t, set, forward, spans(small.Instances(from, to)))
				checkPrefix(t, set, backward, spans(small.InstancesBackward(from, to)))
				for _, d := range exdates {
					want, misses, _ := s.FirstUnmatched(d)
					if v, ok, err := small.FirstUnmatched(d); err == nil && (v != want || ok != misses) {
						t.Errorf("%s with a budget of %d misses %v, %t, want %v, %t", set, budget+1, v, ok, want, misses)
					}
				}
			}
		}
	}
}

// checkPrefix checks that a list is another one, or the beginning of it and an error.
func checkPrefix(t *testing.T, set *recurrence.Set, want, got []string) {
	t.Helper()
	if n := len(got) - 1; n >= 0 && strings.HasPrefix(got[n], "recurrence: ") {
		got, want = got[:n], want[:min(n, len(want))]
	}
	if !slices.Equal(want, got) {
		t.Errorf("%s (-large budget +small budget):\n%s", set, cmp.Diff(want, got))
	}
}
