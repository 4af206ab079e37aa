package recurrence_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence"
)

// load returns a zone of the embedded database.
func load(name string) *time.Location {
	z, ok := zone.Load(name)
	if !ok {
		panic("no zone " + name)
	}
	return z
}

// zoneNames are zones without changes of the clock, with changes of an hour and of half an hour, in
// both hemispheres, at midnight, and one that skipped a whole day (Apia, 2011).
var zoneNames = []string{"UTC", "Asia/Kolkata", "America/New_York", "Europe/London", "Australia/Lord_Howe",
	"America/Havana", "Pacific/Apia"}

// longAgo are zones for years in which the offsets of the database include seconds, which RFC 3339 cannot write.
var longAgo = []*time.Location{time.UTC, time.FixedZone("", 19800), time.FixedZone("", -14400)}

func genStart(t *rapid.T) time.Time {
	z := load(rapid.SampledFrom(zoneNames).Draw(t, "zone"))
	switch rapid.IntRange(0, 7).Draw(t, "where") {
	case 0: // in the first two years of the calendar, near 1 January
		year := rapid.IntRange(0, 1).Draw(t, "year")
		second := rapid.IntRange(1, 40*24*3600).Draw(t, "second") // not 0: the year 1 begins with the zero time
		return writable(time.Date(year, 1, 1, 0, 0, second, 0, rapid.SampledFrom(longAgo).Draw(t, "zone long ago")))
	case 1, 2:
		// the nights of changes in New York, Lord Howe and Apia
		day := rapid.SampledFrom([]int64{1710028800, 1730592000, 1728144000, 1712361600, 1325203200}).Draw(t, "night")
		return time.Unix(day+rapid.Int64Range(-90000, 90000).Draw(t, "second"), 0).In(z)
	}
	unix := rapid.Int64Range(631152000, 1893456000).Draw(t, "unix") // 1990 to 2030
	if rapid.Bool().Draw(t, "full hour") {
		unix -= unix % 3600
	}
	return time.Unix(unix, 0).In(z)
}

// firstUTC is the first instant that RFC 5545 can write in UTC.
var firstUTC = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)

// writable returns an instant, or firstUTC if that is later.
func writable(at time.Time) time.Time {
	if at.Before(firstUTC) {
		return firstUTC.In(at.Location())
	}
	return at
}

// some draws a list of up to three distinct values, usually none.
func some[T comparable](t *rapid.T, label string, odds int, value *rapid.Generator[T]) []T {
	if rapid.IntRange(1, odds).Draw(t, label+"?") != 1 {
		return nil
	}
	return rapid.SliceOfNDistinct(value, 1, 3, rapid.ID[T]).Draw(t, label)
}

func signed(high int) *rapid.Generator[int] {
	return rapid.Custom(func(t *rapid.T) int {
		n := rapid.OneOf(rapid.IntRange(1, min(high, 6)), rapid.IntRange(1, high)).Draw(t, "n")
		if rapid.Bool().Draw(t, "negative") {
			return -n
		}
		return n
	})
}

// genRule draws a rule that RFC 5545 allows, without COUNT and UNTIL.
func genRule(t *rapid.T) *recurrence.Rule {
	r := &recurrence.Rule{WeekStart: time.Monday}
	r.Freq = recurrence.Freq(rapid.IntRange(1, 7).Draw(t, "freq"))
	if rapid.Bool().Draw(t, "interval?") {
		r.Interval = int64(rapid.SampledFrom([]int{2, 3, 4, 5, 7, 12, 13, 30, 45, 60, 90}).Draw(t, "interval"))
	}
	if rapid.IntRange(0, 3).Draw(t, "wkst?") == 0 {
		r.WeekStart = time.Weekday(rapid.IntRange(0, 6).Draw(t, "wkst"))
	}
	r.ByMonth = some(t, "bymonth", 4, rapid.IntRange(1, 12))
	if r.Freq == recurrence.Yearly {
		r.ByWeekNo = some(t, "byweekno", 4, signed(53))
	}
	if r.Freq == recurrence.Yearly || r.Freq.SubDaily() {
		r.ByYearDay = some(t, "byyearday", 5, signed(366))
	}
	if r.Freq != recurrence.Weekly {
		r.ByMonthDay = some(t, "bymonthday", 3, signed(31))
	}
	r.ByDay = some(t, "byday", 2, genByDay(r))
	times := 3
	if r.Freq == recurrence.Daily {
		times = 2
	}
	r.ByHour = some(t, "byhour", times, rapid.IntRange(0, 23))
	r.ByMinute = some(t, "byminute", times, rapid.OneOf(rapid.IntRange(0, 59), rapid.SampledFrom([]int{0, 15, 30})))
	r.BySecond = some(t, "bysecond", 4, rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 60)))
	if !strings.Contains(r.String(), ";BY") {
		return r
	}
	r.BySetPos = some(t, "bysetpos", 4, rapid.OneOf(signed(4), signed(366)))
	return r
}

func genByDay(r *recurrence.Rule) *rapid.Generator[recurrence.ByDay] {
	return rapid.Custom(func(t *rapid.T) recurrence.ByDay {
		d := recurrence.ByDay{Day: time.Weekday(rapid.IntRange(0, 6).Draw(t, "day"))}
		ordinals := r.Freq == recurrence.Monthly || r.Freq == recurrence.Yearly && len(r.ByWeekNo) == 0
		if ordinals && rapid.Bool().Draw(t, "ordinal") {
			d.N = rapid.OneOf(signed(5), signed(53)).Draw(t, "nth")
		}
		return d
	})
}

// horizon returns how far the model expands a rule.
func horizon(r *recurrence.Rule) time.Duration {
	const day = 24 * time.Hour
	n := time.Duration(min(max(r.Interval, 1), 20))
	switch r.Freq {
	case recurrence.Secondly:
		return min(2*time.Hour, 2000*n*time.Second)
	case recurrence.Minutely:
		return min(3*day, 2000*n*time.Minute)
	case recurrence.Hourly:
		return min(60*day, 600*n*time.Hour)
	case recurrence.Daily:
		return min(700*day, 300*n*day)
	case recurrence.Weekly:
		return min(2000*day, 500*n*day)
	case recurrence.Monthly:
		return min(12*365*day, 900*n*day)
	}
	return min(60*365*day, 12*n*365*day)
}

func compile(t interface{ Fatalf(string, ...any) }, set *recurrence.Set, start recurrence.Start) *recurrence.Series {
	s, err := set.Compile(start)
	if err != nil {
		t.Fatalf("Compile(%v): %v", set, err)
	}
	return s
}

// collect returns at most limit instances of a window as text, and the error if there is one.
func collect(s *recurrence.Series, from, to time.Time, limit int) []string {
	var all []string
	for at, err := range s.Between(from, to) {
		if err != nil {
			return append(all, err.Error())
		}
		all = append(all, at.Format(time.RFC3339))
		if len(all) == limit {
			break
		}
	}
	return all
}

func texts(times []time.Time) []string {
	var all []string
	for _, at := range times {
		all = append(all, at.Format(time.RFC3339))
	}
	return all
}

func clockOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// drawEnd gives a rule COUNT or UNTIL, or neither.
func drawEnd(t *rapid.T, r *recurrence.Rule, start time.Time) {
	switch rapid.IntRange(0, 3).Draw(t, "ends") {
	case 0:
		r.Count = rapid.Int64Range(1, 40).Draw(t, "count")
	case 1:
		until := start.Unix() + rapid.Int64Range(-1000, int64(horizon(r)/time.Second)).Draw(t, "until")
		until = max(until, firstUTC.Unix())
		r.Until = recurrence.Value{Form: recurrence.UTC, Clock: until}
		if rapid.Bool().Draw(t, "until a day") {
			r.Until = recurrence.Value{Form: recurrence.Date, Clock: until - until%86400}
		}
	}
}

// TestModel compares a rule with the model: its expansion, a window of it, and membership.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, start := genRule(t), genStart(t)
		drawEnd(t, r, start)
		shift := rapid.Bool().Draw(t, "shift")
		end := clockOf(start).Add(horizon(r))
		stop := end.Add(-36 * time.Hour) // certainly before the clock shows end
		if !stop.After(start) {
			stop = start.Add(time.Second)
		}
		if r.Freq.SubDaily() { // their windows are short: use all of it
			var ok bool
			if stop, ok = modelInstant(end, start.Location()); !ok || !stop.After(start) || shift {
				t.Skip("the model ends in a gap")
			}
		}
		s := compile(t, &recurrence.Set{Rules: []*recurrence.Rule{r}}, recurrence.StartTime(start)).
			With(recurrence.Options{Shift: shift})
		model := before(modelSeries(r, start, end, shift), stop)
		if diff := cmp.Diff(texts(model), collect(s, time.Time{}, stop, 0)); diff != "" {
			t.Fatalf("%s from %s (-model +series):\n%s", r, start.Format(time.RFC3339), diff)
		}
		checkContains(t, s, model, start, stop)
		checkWindow(t, s, model, start, stop)
	})
}

// TestGapModel is TestModel on the days around changes of the clock. It also counts, and goes backward.
func TestGapModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &recurrence.Rule{WeekStart: time.Monday}
		r.Freq = recurrence.Freq(rapid.IntRange(int(recurrence.Minutely), int(recurrence.Weekly)).Draw(t, "freq"))
		r.Interval = rapid.Int64Range(1, 40).Draw(t, "interval")
		r.ByHour = some(t, "byhour", 2, rapid.IntRange(0, 4))
		r.ByMinute = some(t, "byminute", 2, rapid.SampledFrom([]int{0, 1, 15, 30, 59}))
		if r.Freq == recurrence.Weekly {
			r.Interval = min(r.Interval, 2)
			r.ByDay = []recurrence.ByDay{{Day: time.Saturday}, {Day: time.Sunday}}
		}
		if r.ByHour != nil || r.ByMinute != nil {
			r.BySetPos = some(t, "bysetpos", 2, signed(4))
		}
		z := load(rapid.SampledFrom(zoneNames).Draw(t, "zone"))
		near := rapid.SampledFrom([]int64{1710028800, 1728144000, 1325203200}).Draw(t, "night")
		start := time.Unix(near-rapid.Int64Range(0, 90000).Draw(t, "second"), 0).In(z)
		drawEnd(t, r, start)
		shift := rapid.Bool().Draw(t, "shift")
		end := clockOf(start).Add(5 * 24 * time.Hour)
		stop := end.Add(-36 * time.Hour)
		options := recurrence.Options{Shift: shift}
		s := compile(t, &recurrence.Set{Rules: []*recurrence.Rule{r}}, recurrence.StartTime(start)).With(options)
		model := before(modelSeries(r, start, end, shift), stop)
		if diff := cmp.Diff(texts(model), collect(s, time.Time{}, stop, 0)); diff != "" {
			t.Fatalf("%s from %s (-model +series):\n%s", r, start.Format(time.RFC3339), diff)
		}
		checkContains(t, s, model, start, stop)
		checkWindow(t, s, model, start, stop)
		checkReverse(t, s, model, stop)
		if r.Count == 0 && len(model) > 0 && !shift { // with it, the last instant may be an earlier clock
			last := *r
			last.Until = recurrence.UTCValue(model[len(model)-1])
			checkCount(t, compile(t, &recurrence.Set{Rules: []*recurrence.Rule{&last}}, s.Start()).With(options), len(model))
		}
	})
}

// checkReverse compares the instances before stop, from the last to the first, with the model.
func checkReverse(t *rapid.T, s *recurrence.Series, model []time.Time, stop time.Time) {
	var got []string
	for at, err := range s.Backward(time.Time{}, stop) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, at.Format(time.RFC3339))
	}
	slices.Reverse(got)
	if diff := cmp.Diff(texts(model), got); diff != "" {
		t.Fatalf("backward from %s (-model +series):\n%s", stop, diff)
	}
}

func checkCount(t *rapid.T, s *recurrence.Series, want int) {
	if n, more, err := s.Count(1 << 20); n != want || more || err != nil {
		t.Fatalf("%d instances, more %t, %v, want %d", n, more, err, want)
	}
}

// TestSetModel compares sets of several lines with the model.
func TestSetModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := genStart(t)
		set := &recurrence.Set{}
		end := clockOf(start).Add(200 * 24 * time.Hour)
		stop := end.Add(-36 * time.Hour)
		draw := func(label string, n int) (rules []*recurrence.Rule) {
			for range rapid.IntRange(0, n).Draw(t, label) {
				r := genRule(t)
				r.Freq = max(r.Freq, recurrence.Daily) // the others have too many instances for the model
				r.ByYearDay, r.BySetPos = nil, nil
				if r.Freq == recurrence.Weekly {
					r.ByMonthDay = nil
				}
				drawEnd(t, r, start)
				rules = append(rules, r)
			}
			return rules
		}
		set.Rules, set.ExRules = draw("rules", 3), draw("exrules", 1)
		included := []time.Time{start}
		if len(set.Rules) > 0 && !slices.ContainsFunc(set.Rules, func(r *recurrence.Rule) bool {
			return !modelUntil(r.Until, clockOf(start), start)
		}) {
			included = nil
		}
		for _, r := range set.Rules {
			included = unite(included, modelInstances(r, start, end, false))
		}
		rdates := genInstants(t, "rdates", start, included)
		set.RDates = dates(rdates)
		included = unite(included, rdates)
		exdates := genInstants(t, "exdates", start, included)
		set.ExDates = dates(exdates)
		excluded := exdates
		for _, r := range set.ExRules {
			excluded = unite(excluded, modelInstances(r, start, end, false))
		}
		model := before(slices.DeleteFunc(included, func(at time.Time) bool {
			return at.Before(start) || slices.ContainsFunc(excluded, at.Equal)
		}), stop)
		s := compile(t, set, recurrence.StartTime(start))
		if diff := cmp.Diff(texts(model), collect(s, time.Time{}, stop, 0)); diff != "" {
			t.Fatalf("%s from %s (-model +series):\n%s", set, start.Format(time.RFC3339), diff)
		}
		checkContains(t, s, model, start, stop)
		checkWindow(t, s, model, start, stop)
	})
}

// genInstants draws up to three instants, near the start or at instances.
func genInstants(t *rapid.T, label string, start time.Time, instances []time.Time) []time.Time {
	var all []time.Time
	for range rapid.IntRange(0, 3).Draw(t, label) {
		at := start.Add(time.Duration(rapid.IntRange(-5, 150).Draw(t, "days")) * 24 * time.Hour)
		if len(instances) > 0 && rapid.Bool().Draw(t, "at an instance") {
			at = rapid.SampledFrom(instances).Draw(t, "instance")
		}
		all = append(all, writable(at))
	}
	return all
}

// dates returns instants as the value of a line.
func dates(instants []time.Time) []*recurrence.Dates {
	if len(instants) == 0 {
		return nil
	}
	d := &recurrence.Dates{}
	for _, at := range instants {
		d.Values = append(d.Values, recurrence.Value{Form: recurrence.UTC, Clock: at.Unix()})
	}
	return []*recurrence.Dates{d}
}

func before(times []time.Time, end time.Time) []time.Time {
	i := slices.IndexFunc(times, func(t time.Time) bool { return !t.Before(end) })
	if i < 0 {
		return times
	}
	return times[:i]
}

// checkContains compares Contains with a list of instances.
func checkContains(t *rapid.T, s *recurrence.Series, model []time.Time, start, stop time.Time) {
	for range 5 {
		at := start.Add(time.Duration(rapid.Int64Range(0, int64(stop.Sub(start)/time.Second)-1).Draw(t, "at")) * time.Second)
		if len(model) > 0 && rapid.Bool().Draw(t, "at an instance") {
			at = rapid.SampledFrom(model).Draw(t, "instance")
		}
		if !at.Before(stop) {
			continue
		}
		want := slices.ContainsFunc(model, at.Equal)
		if got, err := s.Contains(at); got != want || err != nil {
			t.Fatalf("Contains(%s) = %v, %v; want %v", at, got, err, want)
		}
	}
}

// checkWindow compares a window with a list of instances.
func checkWindow(t *rapid.T, s *recurrence.Series, model []time.Time, start, stop time.Time) {
	span := int64(stop.Sub(start) / time.Second)
	from := start.Add(time.Duration(rapid.Int64Range(-10, span).Draw(t, "from")) * time.Second)
	to := from.Add(time.Duration(rapid.Int64Range(0, span).Draw(t, "length")) * time.Second)
	if to.After(stop) {
		to = stop
	}
	if from.IsZero() || to.IsZero() {
		return // the zero time is an open end
	}
	var want []time.Time
	for _, at := range model {
		if !at.Before(from) && at.Before(to) {
			want = append(want, at)
		}
	}
	if diff := cmp.Diff(texts(want), collect(s, from, to, 0)); diff != "" {
		t.Fatalf("between %s and %s (-model +series):\n%s", from, to, diff)
	}
}

// TestPlacesOfAWeek checks which of two days of a week BYSETPOS chooses, also in weeks that are in
// two years. In 28 years, years of every length begin on every weekday.
func TestPlacesOfAWeek(t *testing.T) {
	days := strings.Fields("MO TU WE TH FR SA SU")
	start := recurrence.StartDate(1997, 1, 6)
	until := time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC)
	expand := func(rule string) []string {
		set, err := recurrence.Parse([]string{"RRULE:FREQ=WEEKLY;" + rule})
		if err != nil {
			t.Fatal(err)
		}
		return collect(compile(t, set, start), time.Date(1997, 1, 13, 0, 0, 0, 0, time.UTC), until, 0)
	}
	for first, day := range days {
		week := ";WKST=" + day
		for second := first + 1; second < len(days)+first; second++ {
			early, late := days[first], days[second%len(days)]
			for place, only := range map[string]string{"1": early, "2": late, "-1": late, "-2": early} {
				rule := "BYDAY=" + early + "," + late + ";BYSETPOS=" + place + week
				if diff := cmp.Diff(expand("BYDAY="+only+week), expand(rule)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", rule, diff)
				}
			}
		}
	}
}
