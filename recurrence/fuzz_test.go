package recurrence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/recurrence"
)

// FuzzLines checks these laws on arbitrary lines. Check never panics and is deterministic. It rejects what Parse or Compile
// refuses, and otherwise only a set without instances. What it accepts expands within its budget, in ascending order, and
// Contains, Next and Count agree. The canonical spelling is a fixed point and has the same instances. Explain returns a
// sentence for every set that parses.
func FuzzLines(f *testing.F) {
	for _, lines := range seriesOfCases(f) {
		f.Add(strings.Join(lines, "\n"), int64(873205200), byte(1))
	}
	for _, doc := range recurrence.Rules() {
		if doc.Describes != diag.Effect {
			f.Add(strings.Join(exampleLines(doc.Bad.Example()), "\n"), int64(1773147600), byte(1))
			f.Add(strings.Join(exampleLines(doc.Good.Example()), "\n"), int64(1773147600), byte(0))
		}
	}
	f.Add("RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20260320T090000/P1DT2H\nEXRULE:FREQ=HOURLY;INTERVAL=5;BYSETPOS=-1;BYMINUTE=0,30", int64(1773147600), byte(2))
	f.Fuzz(func(t *testing.T, text string, unix int64, form byte) {
		lines := strings.Split(text, "\n")
		start := recurrence.StartTime(time.Unix(unix, 0).In(load(zoneNames[int(form>>1)%len(zoneNames)])))
		if form&1 == 0 {
			start = recurrence.StartDate(time.Unix(unix%(1<<38), 0).UTC().Date())
		}
		found := check(diag.Insert, &start, lines...)
		if diff := cmp.Diff(found, check(diag.Insert, &start, lines...)); diff != "" {
			t.Fatal("two runs differ:", diff)
		}
		refused, empty := false, false
		for _, one := range found {
			refused = refused || !strings.HasPrefix(one, "advise ")
			empty = empty || strings.HasPrefix(one, "no-instance")
		}
		set, err := recurrence.Parse(lines)
		if err != nil {
			if !refused {
				t.Fatalf("Check accepts, Parse says %v", err)
			}
			return
		}
		for _, start := range []recurrence.Start{start, {}} {
			checkSentence(t, set, set.Explain(start))
		}
		s, err := set.Compile(start)
		if (err != nil) != (refused && !empty) && !isOfStart(err) {
			t.Fatalf("Check finds %v, Compile says %v", found, err)
		}
		if err == nil {
			checkExpansion(t, set, s.With(recurrence.Options{Budget: 1 << 14}), empty)
		}
	})
}

func exampleLines(e diag.Example) []string {
	_, list, _ := strings.Cut(e.Request, `"recurrence":["`)
	list, _, _ = strings.Cut(list, `"]`)
	return strings.Split(strings.ReplaceAll(list, `\"`, `"`), `","`)
}

// checkExpansion checks the laws of FuzzLines on a series.
func checkExpansion(t *testing.T, set *recurrence.Set, s *recurrence.Series, empty bool) {
	var last time.Time
	n := 0
	for at, err := range s.All() {
		if err != nil {
			break
		}
		if !last.IsZero() && !at.After(last) {
			t.Fatalf("%s comes after %s", at, last)
		}
		if ok, err := s.Contains(at); err == nil && !ok {
			t.Fatalf("Contains(%s) is false", at)
		}
		if next, ok, err := s.Next(at.Add(-time.Second)); err == nil && (!ok || !next.Equal(at)) {
			t.Fatalf("Next just before %s is %s", at, next)
		}
		if ok, err := s.Contains(at.Add(-time.Second)); err == nil && ok && !last.Equal(at.Add(-time.Second)) {
			t.Fatalf("a second before %s there is an instance that the expansion does not have", at)
		}
		last = at
		if n++; n == 12 {
			break
		}
	}
	if count, more, err := s.Count(n); err == nil && count != n {
		t.Fatalf("Count(%d) = %d, %v", n, count, more)
	}
	if empty && n > 0 {
		t.Fatalf("there is an instance, %s, and Check found none", last)
	}
	again, err := recurrence.Parse(set.Lines())
	if len(set.Lines()) == 0 {
		return
	}
	if err != nil || again.String() != set.String() {
		t.Fatalf("%q is read back as %q, %v", set, again, err)
	}
	same, err := again.Compile(s.Start())
	if err != nil {
		t.Fatalf("%q: %v", again, err)
	}
	same = same.With(recurrence.Options{Budget: 1 << 14})
	if diff := cmp.Diff(collect(s, time.Time{}, time.Time{}, 12), collect(same, time.Time{}, time.Time{}, 12)); diff != "" {
		t.Fatalf("%q (-as given +canonical):\n%s", set, diff)
	}
}
