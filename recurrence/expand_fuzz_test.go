package recurrence_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/recurrence"
)

// FuzzExpand holds the instances of whatever lines compile, in a window anywhere, to these
// laws: they ascend and lie in the window; two windows that meet give what the one around
// them gives; Backward gives them the other way round; Contains knows them and what lies
// between them; Next and Before lead from each to the next and back. Where the set is within
// reach of the naive model, they are the model's from the start on.
//
// from is counted in seconds from the start, and the window is of so many seconds. A search
// that a budget ends says nothing, and every other law is held without regard to it.
func FuzzExpand(f *testing.F) {
	for _, e := range rfcExamples {
		f.Add(e.lines, int64(873205200), byte(5), int64(86400), int64(40*86400))
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
		compiled, err := recurrence.Compile(set, start)
		if err != nil {
			return
		}
		gap := recurrence.Gap(form >> 1 & 1)
		s := compiled.With(recurrence.Options{Gap: gap, Budget: 1 << 13})
		begin := time.Unix(start.Time().Unix()+from%(1<<36), 0)
		windowAsPromised(t, s, begin, begin.Add(time.Duration(length%(1<<33))*time.Second))
		if !start.AllDay() {
			modelAsPromised(t, set, s, gap)
		}
	})
}

// mostOfWindow is how many instances of a window the laws are held for.
const mostOfWindow = 40

// windowAsPromised holds a window to the laws of FuzzExpand.
func windowAsPromised(t *testing.T, s *recurrence.Series, from, to time.Time) {
	all, whole := take(t, s, from, to, mostOfWindow)
	if len(all) > 0 && !whole { // the laws are about a window that is known in full
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
		membersAsPromised(t, s, all[:i], at, after)
	}
	tilesAsPromised(t, s, from, to, all)
}

// take gives at most n instances of a window, and whether they are all of it. It holds them
// to ascend.
func take(t *testing.T, s *recurrence.Series, from, to time.Time, n int) (all []time.Time, whole bool) {
	for at, err := range s.Between(from, to) {
		if err != nil {
			return all, false
		}
		if len(all) > 0 && !at.After(all[len(all)-1]) {
			t.Fatalf("%s stands after %s", at, all[len(all)-1])
		}
		if all = append(all, at); len(all) == n {
			return all, false
		}
	}
	return all, true
}

// membersAsPromised holds the questions about one instance to those before and after it.
func membersAsPromised(t *testing.T, s *recurrence.Series, before []time.Time, at time.Time, after []time.Time) {
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

// tilesAsPromised cuts a window in two, and goes through it backwards.
func tilesAsPromised(t *testing.T, s *recurrence.Series, from, to time.Time, all []time.Time) {
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

// modelAsPromised compares a timed set with the model, as far as the model reaches.
func modelAsPromised(t *testing.T, set *recurrence.Set, s *recurrence.Series, gap recurrence.Gap) {
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
	end := clockOf(stop) // what the clock shows later lies later, unless clocks were put back
	if _, offset := start.Zone(); !stop.Equal(end.Add(-time.Duration(offset) * time.Second)) {
		end = end.Add(25 * time.Hour)
	}
	want := modelSet(set, start, end, gap)
	if diff := cmp.Diff(texts(before(want, stop)), texts(got)); diff != "" {
		t.Fatalf("%s from %s until %s (-model +series):\n%s", set, start.Format(time.RFC3339), stop, diff)
	}
}

// plainDates reports whether the dates of a set are all instants in UTC, and its rules
// without the X-parts that the model uses for itself.
func plainDates(set *recurrence.Set) bool {
	for _, d := range slices.Concat(set.RDates, set.ExDates) {
		if len(d.Periods) > 0 || slices.ContainsFunc(d.Values, func(v recurrence.Value) bool { return v.Form != recurrence.UTC }) {
			return false
		}
	}
	return !slices.ContainsFunc(slices.Concat(set.Rules, set.ExRules), func(r *recurrence.Rule) bool { return len(r.Extra) > 0 })
}

// modelReach is how far the model is taken for a rule, so that it has some two thousand
// seconds to try; 0 where it has more in a day or counts further.
func modelReach(r *recurrence.Rule) time.Duration {
	const day = 24 * time.Hour
	aDay := 1 // how many seconds of a day the parts let through, at most
	for _, part := range []struct {
		list []int
		all  int
		unit recurrence.Freq // from here down an empty list means all
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

// modelSet gives the instances of a set before the clock end.
func modelSet(set *recurrence.Set, start, end time.Time, gap recurrence.Gap) []time.Time {
	included := []time.Time{start}
	if len(set.Rules) > 0 && !slices.ContainsFunc(set.Rules, func(r *recurrence.Rule) bool {
		return !modelUntil(r.Until, clockOf(start), start)
	}) {
		included = nil
	}
	for _, r := range set.Rules {
		included = unite(included, modelInstances(r, start, end, gap))
	}
	included = unite(included, modelDates(set.RDates, start.Location()))
	excluded := modelDates(set.ExDates, start.Location())
	for _, r := range set.ExRules {
		excluded = unite(excluded, modelInstances(r, start, end, gap))
	}
	return slices.DeleteFunc(included, func(at time.Time) bool {
		return at.Before(start) || slices.ContainsFunc(excluded, at.Equal)
	})
}

// modelDates gives the instants of lines whose values are in UTC.
func modelDates(lines []*recurrence.Dates, zone *time.Location) []time.Time {
	var all []time.Time
	for _, d := range lines {
		for _, v := range d.Values {
			all = append(all, time.Unix(v.Clock, 0).In(zone))
		}
	}
	return all
}
