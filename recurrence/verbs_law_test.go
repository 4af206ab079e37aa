package recurrence_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence"
)

// inexact reports whether an edit says that it has no exact result, or none within the budget. Another error fails the test.
func inexact(t *rapid.T, err error) bool {
	var e *recurrence.EditError
	var over *recurrence.BudgetError
	var invalid *recurrence.InvalidError // a start that leaves the calendar in another zone
	if err != nil && !errors.As(err, &e) && !errors.As(err, &over) && !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	return err != nil
}

// mustHave fails the test unless the first instances of a set are these.
func mustHave(t *rapid.T, set *recurrence.Set, start recurrence.Start, want []time.Time, whole *recurrence.Set) {
	got := upTo(compile(t, set, start), len(want)+1)
	if len(got) > len(want) {
		got = got[:len(want)]
	}
	inUTC := func(list []time.Time) (utc []time.Time) {
		for _, at := range list {
			utc = append(utc, at.UTC())
		}
		return utc
	}
	if diff := cmp.Diff(texts(inUTC(want)), texts(inUTC(got))); diff != "" {
		t.Fatalf("%s\nbecomes\n%s\n(-want +got)\n%s", whole, set, diff)
	}
}

// What is excluded can be added again, and the other way round.
func TestExcludeAndAddLaw(t *testing.T) {
	excluded, added := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		set, start := genSplitSet(t)
		series, err := set.Compile(start)
		if err != nil {
			return
		}
		all := upTo(series, 20)
		if len(all) == 0 {
			return
		}
		i := rapid.IntRange(0, len(all)-1).Draw(t, "i")
		without, err := set.Exclude(start, all[i])
		if !inexact(t, err) {
			excluded++
			mustHave(t, without, start, slices.Delete(slices.Clone(all), i, i+1), set)
			again, err := without.Add(start, all[i])
			if err != nil {
				t.Fatalf("%s without %s is %s: %v", set, all[i], without, err)
			}
			mustHave(t, again, start, all, without)
		}
		at := all[i].Add(7 * 24 * time.Hour)
		if !start.AllDay() {
			at = all[i].Add(time.Duration(rapid.IntRange(1, 1000).Draw(t, "minutes")) * time.Minute)
		}
		with, err := set.Add(start, at)
		if inexact(t, err) {
			return
		}
		added++
		if ok, err := compile(t, with, start).Contains(at); !ok || err != nil {
			t.Fatalf("%s with %s is %s: %v", set, at, with, err)
		}
		if again, err := with.Exclude(start, at); err != nil {
			t.Fatalf("%s with %s is %s: %v", set, at, with, err)
		} else {
			mustHave(t, again, start, all, with)
		}
	})
	if t.Logf("%d excluded, %d added", excluded, added); !testing.Short() && (excluded == 0 || added == 0) {
		t.Error("nothing is excluded, or nothing is added")
	}
}

// A series in another zone has the same instants there, and back.
func TestRezoneLaw(t *testing.T) {
	rezoned, refused := 0, 0
	zones := []*time.Location{time.UTC, newYork, load("Europe/Berlin"), load("Europe/Paris"), load("Asia/Kolkata"), load("Pacific/Apia")}
	rapid.Check(t, func(t *rapid.T) {
		set, start := genSplitSet(t)
		series, err := set.Compile(start)
		if err != nil || start.AllDay() {
			return
		}
		other, to, err := set.Rezone(start, rapid.SampledFrom(zones).Draw(t, "zone"))
		if inexact(t, err) {
			refused++
			return
		}
		rezoned++
		all := upTo(series, 20)
		mustHave(t, other, to, all, set)
		back, start, err := other.Rezone(to, start.Time().Location())
		if err != nil {
			t.Fatalf("%s becomes %s, and does not go back: %v", set, other, err)
		}
		mustHave(t, back, start, all, other)
	})
	if t.Logf("%d in another zone, %d refused", rezoned, refused); !testing.Short() && rezoned == 0 {
		t.Error("no set is in another zone")
	}
}

// An all-day series with times has the same days, and so has a timed one without.
func TestAllDayAndTimedLaw(t *testing.T) {
	timed, days := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		set, start := genSplitSet(t)
		series, err := set.Compile(start)
		if err != nil {
			return
		}
		all := upTo(series, 20)
		if !start.AllDay() {
			other, to, err := set.AllDay(start)
			if !inexact(t, err) {
				days++
				for i, at := range all {
					all[i] = time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
				}
				mustHave(t, other, to, all, set)
			}
			return
		}
		clock := time.Duration(rapid.IntRange(0, 23).Draw(t, "hour")) * time.Hour
		other, to, err := set.Timed(start, clock, newYork, time.Hour)
		if inexact(t, err) {
			return
		}
		timed++
		back, again, err := other.AllDay(to)
		if err != nil {
			t.Fatalf("%s becomes %s, and does not go back: %v", set, other, err)
		}
		mustHave(t, back, again, all, other)
	})
	if t.Logf("%d with times, %d without", timed, days); !testing.Short() && (timed == 0 || days == 0) { // -short has few draws
		t.Error("no set gets times, or none loses them")
	}
}

// The halves of a series are joined to the whole.
func TestJoinLaw(t *testing.T) {
	joined, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		set, start := genSplitSet(t)
		series, err := set.Compile(start)
		if err != nil {
			return
		}
		all := upTo(series, 20)
		if len(all) < 2 {
			return
		}
		at := all[rapid.IntRange(1, len(all)-1).Draw(t, "i")]
		before, after, err := set.Split(start, at)
		if err != nil || before == nil {
			return
		}
		whole, err := before.Join(start, after, startAt(start, at))
		if inexact(t, err) {
			refused++
			return
		}
		joined++
		mustHave(t, whole, start, all, set)
	})
	if t.Logf("%d joined, %d refused", joined, refused); !testing.Short() && joined < refused {
		t.Error("too many are refused")
	}
}
