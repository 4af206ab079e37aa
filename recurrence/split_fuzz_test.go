package recurrence_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/recurrence"
)

// FuzzSplit checks that arbitrary lines that can be split have the same instances in two halves, that those before the
// split are what [recurrence.Set.Truncate] leaves, and that the halves are written as lines that mean the same. The corpus
// has the largest numbers, the ends of the calendar, and rules without an instance.
func FuzzSplit(f *testing.F) {
	for _, lines := range seriesOfCases(f) {
		f.Add(strings.Join(lines, "\n"), int64(873205200), byte(1), byte(3))
	}
	f.Fuzz(func(t *testing.T, text string, unix int64, form, at byte) {
		const most = 12
		start := recurrence.StartTime(time.Unix(unix, 0).In(load(zoneNames[int(form>>1)%len(zoneNames)])))
		if form&1 == 0 {
			start = recurrence.StartDate(time.Unix(unix%(1<<38), 0).UTC().Date())
		}
		set, err := recurrence.Parse(strings.Split(text, "\n"))
		if err != nil {
			return
		}
		series, err := set.Compile(start)
		if err != nil {
			return
		}
		list := func(s *recurrence.Series, n int) (all []time.Time, whole bool) {
			for i, err := range s.With(recurrence.Options{Budget: 1 << 14}).All() {
				if err != nil {
					return all, false
				}
				if all = append(all, i); len(all) == n {
					break
				}
			}
			return all, true
		}
		all, whole := list(series, most)
		if !whole || len(all) == 0 {
			return
		}
		k := int(at) % len(all)
		before, after, err := set.Split(start, all[k])
		if err != nil {
			checkEditError(t, err)
			return
		}
		if earlier, err := set.Truncate(start, all[k]); err != nil || before != nil && earlier.String() != before.String() {
			t.Fatalf("%q before %s is %q, and truncated %q, %v", set, all[k], before, earlier, err)
		}
		checkHalf := func(half *recurrence.Set, start recurrence.Start, want []time.Time, n int) {
			again, err := recurrence.Parse(half.Lines())
			if err != nil || again.String() != half.String() {
				t.Fatalf("%q is read back as %q, %v", half, again, err)
			}
			s, err := again.Compile(start)
			if err != nil {
				t.Fatalf("%q: %v", half, err)
			}
			if got, whole := list(s, n); whole && cmp.Diff(texts(want), texts(got)) != "" {
				t.Fatalf("%q at %s is %q (-whole +half):\n%s", set, all[k], half, cmp.Diff(texts(want), texts(got)))
			}
		}
		if (before == nil) != (k == 0) {
			t.Fatalf("%q at instance %d: the first half is %q", set, k, before)
		}
		if before != nil {
			checkHalf(before, start, all[:k], most+1)
		}
		checkHalf(after, startAt(start, all[k]), all[k:], len(all)-k)
	})
}

// checkEditError checks that an error is one that the documentation names.
func checkEditError(t *testing.T, err error) {
	t.Helper()
	var edit *recurrence.EditError
	var over *recurrence.BudgetError
	if !errors.As(err, &edit) && !errors.As(err, &over) || err.Error() == "" {
		t.Fatalf("the error is %T, %v", err, err)
	}
}
