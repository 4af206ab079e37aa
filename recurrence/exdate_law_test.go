package recurrence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/recurrence"
)

// An EXDATE excludes the instances of the set without EXDATE that a plain search finds for its values, and the first value of a
// line for which the search finds none is reported. An RDATE adds the instants of its values.
func TestExcludedLaw(t *testing.T) {
	excluding, missing := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		at, start, rules := genSmallSet(t)
		lines := rules.Lines()
		all := upTo(compile(t, rules, start), 1000)
		for range rapid.IntRange(0, 2).Draw(t, "rdates") {
			d := genDates(t, at, start, all)
			lines = append(lines, "RDATE"+d.String())
			for _, v := range d.Values {
				if added := plainInstant(v, d.TZID, at, start); !added.Before(at) {
					all = unite(all, []time.Time{added})
				}
			}
		}
		left, misses := all, map[int]string{}
		for range rapid.IntRange(1, 4).Draw(t, "exdates") {
			d := genDates(t, at, start, all)
			for _, v := range d.Values {
				isExcluded := func(i time.Time) bool { return plainExcludes(v, d.TZID, at, start, i) }
				left = slices.DeleteFunc(slices.Clone(left), isExcluded)
				if _, ok := misses[len(lines)]; !ok && !slices.ContainsFunc(all, isExcluded) {
					misses[len(lines)] = v.String()
				}
			}
			lines = append(lines, "EXDATE"+d.String())
		}
		excluding, missing = excluding+len(all)-len(left), missing+len(misses)

		set, err := recurrence.Parse(lines)
		if err != nil {
			t.Fatal(err)
		}
		series := compile(t, set, start)
		if diff := cmp.Diff(texts(left), texts(upTo(series, 1000))); diff != "" {
			t.Fatalf("%s from %s (-plain +series)\n%s", strings.Join(lines, "\n"), at, diff)
		}
		checkCount(t, series, len(left))
		for _, i := range all {
			want := slices.ContainsFunc(left, i.Equal)
			if got, err := series.Contains(i); got != want || err != nil {
				t.Fatalf("%s from %s contains %s: %t, %v", strings.Join(lines, "\n"), at, i, got, err)
			}
		}
		checkMisses(t, lines, start, misses, len(left) == 0)
		first := len(lines) - len(set.ExDates)
		for k, d := range set.ExDates {
			want, ok := misses[first+k]
			if v, found, err := series.FirstUnmatched(d); found != ok || v.String() != want || err != nil {
				t.Fatalf("%s from %s: FirstUnmatched(%s) = %s, %t, %v, want %q", strings.Join(lines, "\n"), at, d, v, found, err, want)
			}
		}
	})
	if t.Logf("%d instances excluded, %d lines with a value that excludes none", excluding, missing); excluding == 0 || missing == 0 {
		t.Error("nothing is excluded, or no value misses")
	}
}

// checkMisses compares the findings about values that exclude no instance with the first such value of each line. In an empty set,
// there are no such findings.
func checkMisses(t *rapid.T, lines []string, start recurrence.Start, misses map[int]string, empty bool) {
	checked := recurrence.Lines{Texts: lines, Start: start, On: diag.Insert}.Check()
	want, got := map[string]string{}, map[string]string{}
	for i, value := range misses {
		if !empty {
			want[fmt.Sprintf("/%d", i)] = value
		}
	}
	for _, f := range checked.Findings {
		switch {
		case f.Rule.ID == ruleid.RecurrenceExDateMisses:
			value, _ := f.Arg("value")
			got[string(f.Path)] = value
		case f.Kind == diag.Reject && !empty:
			t.Fatalf("%s: %s", strings.Join(lines, "\n"), f)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || checked.Empty != empty || len(checked.Unmatched) != len(want) {
		t.Fatalf("%s from %s: empty %t, unmatched %v (-plain +found)\n%s", strings.Join(lines, "\n"), start.Time(), checked.Empty, checked.Unmatched, diff)
	}
}

// genSmallSet draws a start near changes of the clock, and a set without dates that has few instances or is empty.
func genSmallSet(t *rapid.T) (at time.Time, start recurrence.Start, set *recurrence.Set) {
	night := rapid.SampledFrom([]int64{1710028800, 1730592000, 1728144000, 1712361600, 1325203200}).Draw(t, "night")
	at = time.Unix(night+rapid.Int64Range(-480, 48).Draw(t, "half hours")*1800, 0).In(load(rapid.SampledFrom(zoneNames).Draw(t, "zone")))
	start = recurrence.StartTime(at)
	if rapid.IntRange(0, 3).Draw(t, "all-day") == 0 {
		start = recurrence.StartDate(at.Date())
		at = start.Time()
	}
	set = &recurrence.Set{}
	for range rapid.IntRange(0, 2).Draw(t, "rules") {
		r := &recurrence.Rule{WeekStart: time.Monday, Interval: rapid.Int64Range(1, 3).Draw(t, "interval")}
		r.Freq = recurrence.Freq(rapid.IntRange(int(recurrence.Daily), int(recurrence.Monthly)).Draw(t, "freq"))
		if r.Freq == recurrence.Weekly {
			r.ByDay = some(t, "byday", 2, genByDay(r))
		}
		if !start.AllDay() {
			r.ByHour = some(t, "byhour", 3, rapid.IntRange(0, 3))
		}
		if until := at.AddDate(0, 0, rapid.IntRange(-1, 60).Draw(t, "days")); start.AllDay() {
			r.Until = recurrence.DateValue(until.Date())
		} else {
			r.Until = recurrence.UTCValue(until)
		}
		if rapid.Bool().Draw(t, "ends by COUNT") {
			r.Until, r.Count = recurrence.Value{}, rapid.Int64Range(1, 20).Draw(t, "count")
		}
		set.Rules = append(set.Rules, r)
	}
	return at, start, set
}

// genDates draws a line whose values are instances, or close to instances, in any order and form.
func genDates(t *rapid.T, at time.Time, start recurrence.Start, instances []time.Time) *recurrence.Dates {
	form := recurrence.Form(rapid.IntRange(int(recurrence.Date), int(recurrence.UTC)).Draw(t, "form"))
	d := &recurrence.Dates{}
	if form == recurrence.Local {
		d.TZID = rapid.SampledFrom(append([]string{"", "Eastern Standard Time"}, zoneNames...)).Draw(t, "TZID")
	}
	for range rapid.IntRange(1, 6).Draw(t, "values") {
		near := rapid.SampledFrom(append([]time.Time{at}, instances...)).Draw(t, "near")
		minutes := rapid.SampledFrom([]int{0, 0, 0, 30, 60, -60, 24 * 60}).Draw(t, "minutes later")
		local := clockOf(near.In(plainZone(d.TZID, at))).Add(time.Duration(minutes) * time.Minute)
		switch form {
		case recurrence.UTC:
			d.Values = append(d.Values, recurrence.UTCValue(near.Add(time.Duration(minutes)*time.Minute)))
		case recurrence.Local:
			d.Values = append(d.Values, recurrence.LocalValue(local))
		default:
			d.Values = append(d.Values, recurrence.DateValue(local.Date()))
		}
	}
	return d
}

// plainZone returns the zone of the local values in a line.
func plainZone(tzid string, at time.Time) *time.Location {
	switch tzid {
	case "":
		return at.Location()
	case "Eastern Standard Time":
		return newYork
	}
	return load(tzid)
}

// plainInstant returns the instant of a value: a date has the time of day of the start, and in an all-day series a time has none.
func plainInstant(v recurrence.Value, tzid string, at time.Time, start recurrence.Start) time.Time {
	clock := time.Unix(v.Clock, 0).UTC()
	switch {
	case start.AllDay():
		return clock.Truncate(24 * time.Hour)
	case v.Form == recurrence.UTC:
		return clock.In(at.Location())
	case v.Form == recurrence.Date:
		clock = clock.Add(clockOf(at).Sub(clockOf(at).Truncate(24 * time.Hour)))
	}
	zone := plainZone(tzid, at)
	instant, ok := modelInstant(clock, zone)
	if !ok {
		instant = modelShifted(clock, zone)
	}
	return instant.In(at.Location())
}

// plainExcludes reports whether a value of an EXDATE excludes an instance. A date excludes all instances of the day.
func plainExcludes(v recurrence.Value, tzid string, at time.Time, start recurrence.Start, instance time.Time) bool {
	if v.Form == recurrence.Date {
		return clockOf(instance).Truncate(24 * time.Hour).Equal(time.Unix(v.Clock, 0))
	}
	return plainInstant(v, tzid, at, start).Equal(instance)
}
