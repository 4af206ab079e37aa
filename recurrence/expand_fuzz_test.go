package recurrence_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/cases"
	"github.com/calrules/calrules/recurrence"
)

// FuzzExpand checks these laws on the instances of any lines that compile, in any window. They are ascending and in the window.
// Two adjacent windows have the instances of the window that joins them. Backward yields them in reverse. Contains is true of
// them and false between them. Next and Before lead from each to the next and back. From the start on, they agree with the
// naive model if it can expand the set.
//
// from counts seconds from the start, and length is that of the window in seconds. A search that
// exceeds its budget proves nothing.
func FuzzExpand(f *testing.F) {
	for _, lines := range seriesOfCases(f) {
		f.Add(strings.Join(lines, "\n"), int64(873205200), byte(5), int64(86400), int64(40*86400))
	}
	f.Fuzz(func(t *testing.T, text string, unix int64, form byte, from, length int64) {
		set, err := recurrence.Parse(strings.Split(text, "\n"))
		if err != nil {
			return
		}
		z := load(zoneNames[int(form>>2)%len(zoneNames)])
		start := recurrence.StartTime(time.Unix(unix, 0).In(z))
		if form&1 == 0 {
			start = recurrence.StartDate(time.Unix(unix%(1<<38), 0).UTC().Date())
		}
		compiled, err := set.Compile(start)
		if err != nil {
			return
		}
		shift := form>>1&1 == 1
		s := compiled.With(recurrence.Options{Shift: shift, Budget: 1 << 13})
		begin := time.Unix(start.Time().Unix()+from%(1<<36), 0)
		checkLaws(t, s, begin, begin.Add(time.Duration(length%(1<<33))*time.Second))
		if !start.AllDay() {
			checkModel(t, set, s, shift)
		}
	})
}

// seriesOfCases returns the recurrence of each conformance case about the expansion of a series.
func seriesOfCases(t testing.TB) (list [][]string) {
	t.Helper()
	all, err := cases.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		var series struct{ Recurrence []string }
		if c.Form == "expand" && json.Unmarshal(c.Request, &series) == nil {
			list = append(list, series.Recurrence)
		}
	}
	return list
}

// mostOfWindow is how many instances of a window are checked.
const mostOfWindow = 40

// checkLaws checks the laws of FuzzExpand on a window.
func checkLaws(t *testing.T, s *recurrence.Series, from, to time.Time) {
	all, whole := take(t, s, from, to, mostOfWindow)
	if len(all) > 0 && !whole { // the laws are about a complete window
		to = all[len(all)-1]
		all = all[:len(all)-1]
		whole = true
	}
	if !whole {
		return
	}
	for i, at := range all {
		if at.Before(from) || !at.Before(to) {
			t.Fatalf("%s is not from %s on and before %s", at, from, to)
		}
		var after []time.Time
		if i+1 < len(all) {
			after = all[i+1:]
		}
		checkNeighbours(t, s, all[:i], at, after)
	}
	checkTiles(t, s, from, to, all)
}

// take returns at most n instances of a window, and whether they are complete. It checks that they are ascending.
func take(t *testing.T, s *recurrence.Series, from, to time.Time, n int) (all []time.Time, whole bool) {
	for at, err := range s.Between(from, to) {
		if err != nil {
			return all, false
		}
		if len(all) > 0 && !at.After(all[len(all)-1]) {
			t.Fatalf("%s comes after %s", at, all[len(all)-1])
		}
		if all = append(all, at); len(all) == n {
			return all, false
		}
	}
	return all, true
}

// checkNeighbours checks the answers about one instance against those before and after it.
func checkNeighbours(t *testing.T, s *recurrence.Series, before []time.Time, at time.Time, after []time.Time) {
	if has, err := s.Contains(at); err == nil && !has {
		t.Fatalf("Contains(%s) is false", at)
	}
	if len(after) > 0 {
		if next, ok, err := s.Next(at); err == nil && (!ok || !next.Equal(after[0])) {
			t.Fatalf("Next(%s) is %s, %t; want %s", at, next, ok, after[0])
		}
		between := at.Add(after[0].Sub(at) / 2).Truncate(time.Second)
		if has, err := s.Contains(between); err == nil && has && !between.Equal(at) {
			t.Fatalf("Contains(%s) between %s and %s", between, at, after[0])
		}
	}
	if len(before) > 0 {
		previous := before[len(before)-1]
		if last, ok, err := s.Before(at); err == nil && (!ok || !last.Equal(previous)) {
			t.Fatalf("Before(%s) is %s, %t; want %s", at, last, ok, previous)
		}
	}
}

// checkTiles cuts a window in two, and walks through it backward.
func checkTiles(t *testing.T, s *recurrence.Series, from, to time.Time, all []time.Time) {
	middle := from.Add(to.Sub(from) / 3)
	if len(all) > 1 {
		middle = all[len(all)/2]
	}
	early, ok := take(t, s, from, middle, mostOfWindow+1)
	late, too := take(t, s, middle, to, mostOfWindow+1)
	if diff := cmp.Diff(texts(all), texts(slices.Concat(early, late))); ok && too && from.Before(to) && diff != "" {
		t.Fatalf("from %s to %s, cut at %s (-whole +parts):\n%s", from, to, middle, diff)
	}
	var backward []time.Time
	for at, err := range s.Backward(from, to) {
		if err != nil {
			return
		}
		if backward = append(backward, at); len(backward) > len(all) {
			break
		}
	}
	slices.Reverse(backward)
	if diff := cmp.Diff(texts(all), texts(backward)); diff != "" {
		t.Fatalf("from %s to %s (-forward +backward):\n%s", from, to, diff)
	}
}

// checkModel compares a timed set with the model, as far as the model can expand it.
func checkModel(t *testing.T, set *recurrence.Set, s *recurrence.Series, shift bool) {
	start := s.Start().Time()
	if y := start.Year(); y < 1971 || y > 2100 || !plainDates(set) {
		return
	}
	reach := 12 * 366 * 24 * time.Hour
	for _, r := range slices.Concat(set.Rules, set.ExRules) {
		reach = min(reach, modelReach(r))
	}
	stop := start.Add(reach)
	got, whole := take(t, s, time.Time{}, stop, 5000)
	if !whole {
		return
	}
	end := clockOf(stop) // later clocks are later instants, unless the clock was put back
	if _, offset := start.Zone(); !stop.Equal(end.Add(-time.Duration(offset) * time.Second)) {
		end = end.Add(25 * time.Hour)
	}
	want := modelSet(set, start, end, shift)
	if diff := cmp.Diff(texts(before(want, stop)), texts(got)); diff != "" {
		t.Fatalf("%s from %s until %s (-model +series):\n%s", set, start.Format(time.RFC3339), stop, diff)
	}
}

// plainDates reports whether all dates of a set are instants in UTC.
func plainDates(set *recurrence.Set) bool {
	for _, d := range slices.Concat(set.RDates, set.ExDates) {
		if len(d.Periods) > 0 || slices.ContainsFunc(d.Values, func(v recurrence.Value) bool { return v.Form != recurrence.UTC }) {
			return false
		}
	}
	return true
}

// modelReach returns how far the model expands a rule, so that it has about two thousand seconds
// to try. It is 0 if a day has more, or if COUNT is too high.
func modelReach(r *recurrence.Rule) time.Duration {
	const day = 24 * time.Hour
	aDay := 1 // the most seconds of a day that match
	for _, part := range []struct {
		list []int
		all  int
		unit recurrence.Freq // up to this frequency an empty list means all
	}{
		{r.ByHour, 24, recurrence.Hourly},
		{r.ByMinute, 60, recurrence.Minutely},
		{r.BySecond, 60, recurrence.Secondly},
	} {
		switch {
		case len(part.list) > 0:
			aDay *= len(part.list)
		case r.Freq <= part.unit:
			aDay *= part.all
		}
	}
	reach := time.Duration(2000/aDay) * day
	switch {
	case r.Interval > 1000 || r.Count > 5000:
		return 0
	case r.Freq == recurrence.Secondly:
		return 20 * time.Minute
	case r.Freq == recurrence.Minutely:
		return 20 * time.Hour
	case r.Freq == recurrence.Hourly:
		return min(reach, 40*day)
	case r.Freq == recurrence.Yearly:
		return min(reach, 12*366*day)
	}
	return min(reach, 400*day)
}

// modelSet returns the instances of a set before the clock end.
func modelSet(set *recurrence.Set, start, end time.Time, shift bool) []time.Time {
	included := []time.Time{start}
	if len(set.Rules) > 0 && !slices.ContainsFunc(set.Rules, func(r *recurrence.Rule) bool {
		return !modelUntil(r.Until, clockOf(start), start)
	}) {
		included = nil
	}
	for _, r := range set.Rules {
		included = unite(included, modelInstances(r, start, end, shift))
	}
	included = unite(included, modelDates(set.RDates, start.Location()))
	excluded := modelDates(set.ExDates, start.Location())
	for _, r := range set.ExRules {
		excluded = unite(excluded, modelInstances(r, start, end, shift))
	}
	return slices.DeleteFunc(included, func(at time.Time) bool {
		return at.Before(start) || slices.ContainsFunc(excluded, at.Equal)
	})
}

// modelDates returns the instants of lines whose values are in UTC.
func modelDates(lines []*recurrence.Dates, zone *time.Location) []time.Time {
	var all []time.Time
	for _, d := range lines {
		for _, v := range d.Values {
			all = append(all, time.Unix(v.Clock, 0).In(zone))
		}
	}
	return all
}
