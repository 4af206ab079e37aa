package recurrence_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/recurrence"
)

// genAny draws a number that is usually in a range, but can be any number.
func genAny(low, high int64) *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64Range(low, high), rapid.Int64Range(low, high), rapid.Int64Range(low, high),
		rapid.Int64Range(low-2, high+2), rapid.SampledFrom([]int64{0, -1, math.MinInt64, math.MaxInt64}))
}

func genAnyValue(t *rapid.T) recurrence.Value {
	v := recurrence.Value{Form: recurrence.Form(genAny(1, 3).Draw(t, "form"))}
	if v.Clock = genAny(firstUTC.Unix(), lastUTC.Unix()).Draw(t, "clock"); v.Form == recurrence.Date && rapid.IntRange(0, 9).Draw(t, "midnight") > 0 {
		v.Clock -= v.Clock % 86400
	}
	return v
}

// lastUTC is the last instant that RFC 5545 can write in UTC.
var lastUTC = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)

func genAnyPeriod(t *rapid.T) (p recurrence.Period) {
	if p.Start = genAnyValue(t); rapid.Bool().Draw(t, "end") {
		p.End = genAnyValue(t)
	}
	if rapid.Bool().Draw(t, "length") {
		p.Length = recurrence.Duration{Days: genAny(0, 9).Draw(t, "days"), Seconds: genAny(0, 1e5).Draw(t, "seconds")}
	}
	return p
}

func genAnyDates(t *rapid.T) *recurrence.Dates {
	zone := rapid.SampledFrom([]string{"", "", "", "Europe/Berlin", "/Europe/Berlin", "UTC", "Pacific Standard Time", "Mars/Olympus", "a;b", "a\nb", `a"b`})
	d := &recurrence.Dates{TZID: zone.Draw(t, "zone")}
	if some := rapid.IntRange(1, 7).Draw(t, "of what"); some != 1 {
		d.Values = rapid.SliceOfN(rapid.Custom(genAnyValue), 1, 3).Draw(t, "values")
	} else {
		d.Periods = rapid.SliceOfN(rapid.Custom(genAnyPeriod), 1, 3).Draw(t, "periods")
	}
	if rapid.IntRange(0, 9).Draw(t, "both") == 0 {
		d.Periods = append(d.Periods, genAnyPeriod(t))
	}
	return d
}

func genAnyRule(t *rapid.T) *recurrence.Rule {
	r := &recurrence.Rule{
		Freq:      recurrence.Freq(genAny(1, 7).Draw(t, "freq")),
		Interval:  genAny(0, 3).Draw(t, "interval"),
		WeekStart: time.Weekday(genAny(0, 6).Draw(t, "wkst")),
	}
	switch rapid.IntRange(0, 2).Draw(t, "ends") {
	case 0:
		r.Count = genAny(0, 3).Draw(t, "count")
	case 1:
		r.Until = genAnyValue(t)
	}
	list := func(name string, low, high int64) (all []int) {
		if rapid.IntRange(0, 7).Draw(t, name+"?") > 0 {
			return nil
		}
		for _, n := range rapid.SliceOfNDistinct(genAny(low, high), 1, 3, rapid.ID[int64]).Draw(t, name) {
			all = append(all, int(n))
		}
		return all
	}
	r.ByMonth, r.ByWeekNo, r.ByYearDay, r.ByMonthDay = list("months", 1, 12), list("weeks", -53, 53), list("days", -366, 366), list("month days", -31, 31)
	r.ByHour, r.ByMinute, r.BySecond, r.BySetPos = list("hours", 0, 23), list("minutes", 0, 59), list("seconds", 0, 60), list("places", -366, 366)
	for _, n := range list("ordinals", -53, 53) {
		r.ByDay = append(r.ByDay, recurrence.ByDay{N: n, Day: time.Weekday(genAny(0, 6).Draw(t, "day"))})
	}
	extra := rapid.SampledFrom([]string{"X-A=1", "X-B=a b,c:\"", "X-A", "X-A=", "X-A=1=2", "X-A=1;COUNT=3", "X-A=1\nb", "X-A=1 ", "A=1", "", "COUNT=3"})
	if rapid.IntRange(0, 7).Draw(t, "extra?") == 0 {
		r.Extra = []string{extra.Draw(t, "extra")}
	}
	return r
}

// TestCheckValues compares Compile, which checks the values of a set, with writing the set and reading it back: a set whose
// text cannot be read is refused for a rule that the text breaks, and any other set is expanded and described as its text is.
func TestCheckValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := &recurrence.Set{}
		switch rapid.IntRange(0, 3).Draw(t, "line") {
		case 0:
			set.RDates = []*recurrence.Dates{genAnyDates(t)}
		case 1:
			set.ExDates = []*recurrence.Dates{genAnyDates(t)}
		case 2:
			set.ExRules = []*recurrence.Rule{genAnyRule(t)}
		default:
			set.Rules = []*recurrence.Rule{genAnyRule(t)}
		}
		start := rapid.SampledFrom([]recurrence.Start{timed, allDay}).Draw(t, "start").With(recurrence.Options{Budget: 1000})
		mustBeAsText(t, set, start)
	})
}

// If no line can express a value, its text breaks a rule.
func TestCheckValue(t *testing.T) {
	const daily = recurrence.Daily
	for _, r := range []recurrence.Rule{
		{}, {Freq: recurrence.Yearly + 1}, {Freq: daily, WeekStart: -1}, {Freq: daily, WeekStart: 7}, {Freq: daily, Interval: -1}, {Freq: daily, Count: -1},
		{Freq: daily, Extra: []string{"A=1"}}, {Freq: daily, ByDay: []recurrence.ByDay{{Day: 7}}}, {Freq: daily, ByMonth: []int{13}},
		{Freq: recurrence.Monthly, ByDay: []recurrence.ByDay{{N: 54}}}, {Freq: daily, Until: recurrence.Value{Form: recurrence.UTC + 1}},
		{Freq: daily, Count: 3, Until: recurrence.UTCValue(lastUTC)}, {Freq: daily, Count: 3, Until: recurrence.Value{Form: recurrence.UTC + 1}},
	} {
		mustBeAsText(t, &recurrence.Set{Rules: []*recurrence.Rule{&r}}, timed)
	}
	date, local, utc := recurrence.DateValue(2026, 3, 11), recurrence.Value{Form: recurrence.Local, Clock: lastUTC.Unix()}, recurrence.UTCValue(lastUTC)
	for _, d := range []recurrence.Dates{
		{Values: []recurrence.Value{date, utc}}, {Values: []recurrence.Value{utc, date}}, {TZID: "Europe/Berlin", Values: []recurrence.Value{local, utc}},
		{TZID: "Mars/Olympus", Values: []recurrence.Value{local}}, {Values: []recurrence.Value{utc, {}}},
	} {
		mustBeAsText(t, &recurrence.Set{RDates: []*recurrence.Dates{&d}}, timed)
	}
}

// mustBeAsText fails the test unless a set has the same instances and the same explanation as its text, or Compile refuses the set
// for a rule that the text breaks.
func mustBeAsText(t interface{ Fatalf(string, ...any) }, set *recurrence.Set, start recurrence.Start) {
	series, err := set.Compile(start)
	read, unreadable := recurrence.Parse(set.Lines())
	if unreadable == nil {
		ofText, refused := read.Compile(start)
		if ruleOf(err) != ruleOf(refused) {
			t.Fatalf("%v: %v, and of the text %v", set, err, refused)
		}
		if err == nil {
			if diff := cmp.Diff(collect(ofText, time.Time{}, time.Time{}, 20), collect(series, time.Time{}, time.Time{}, 20)); diff != "" {
				t.Fatalf("%v (-text +set):\n%s", set, diff)
			}
		}
	} else if rules := rulesOf(unreadable); err == nil || !slices.Contains(rules, ruleOf(err)) {
		t.Fatalf("%v: %v, but the text breaks %v", set, err, rules)
	}
	ofText := unreadableText
	if unreadable == nil {
		ofText = read.Explain(start)
	}
	if diff := cmp.Diff(ofText, set.Explain(start)); diff != "" {
		t.Fatalf("%v (-text +set):\n%s", set, diff)
	}
}

// The calendar has the years 0 to 9999.
func TestStartIsInCalendar(t *testing.T) {
	set := &recurrence.Set{Rules: []*recurrence.Rule{{Freq: recurrence.Daily}}}
	for at, want := range map[time.Time]bool{firstUTC: true, firstUTC.Add(-1): false, lastUTC: true, lastUTC.Add(time.Second): false} {
		if _, err := set.Compile(recurrence.StartTime(at)); (err == nil) != want {
			t.Errorf("a series from %s: %v", at, err)
		}
	}
}

// The end keeps its fraction of a second, whatever the fraction of the start.
func TestEndHasFraction(t *testing.T) {
	end := lastUTC.Add(-time.Second / 4)
	if got := recurrence.StartTime(firstUTC.Add(time.Second / 8)).Until(end).End(); !got.Equal(end) {
		t.Errorf("the end is %s, want %s", got, end)
	}
}

// TestRepeatedValues tests that a value that a list repeats counts once, as in text.
func TestRepeatedValues(t *testing.T) {
	for _, r := range []recurrence.Rule{
		{Freq: recurrence.Daily, ByHour: []int{21, 9, 21}},
		{Freq: recurrence.Daily, ByMinute: []int{30, 30}},
		{Freq: recurrence.Daily, BySecond: []int{0, 0}},
		{Freq: recurrence.Weekly, ByDay: []recurrence.ByDay{{Day: time.Monday}, {Day: time.Monday}}},
		{Freq: recurrence.Yearly, ByMonth: []int{3, 3}, ByMonthDay: []int{10, -1, 10}},
	} {
		set := &recurrence.Set{Rules: []*recurrence.Rule{&r}}
		read, err := recurrence.Parse(set.Lines())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(read.Explain(timed), set.Explain(timed)); diff != "" {
			t.Errorf("%v (-text +set):\n%s", set, diff)
		}
	}
}

var unreadableText = (*recurrence.Set)(nil).Explain(recurrence.Start{})

// ruleOf returns the rule that an error of Compile names, or "".
func ruleOf(err error) string {
	if invalid, ok := errors.AsType[*recurrence.InvalidError](err); ok {
		return invalid.Rule
	}
	return ""
}

// rulesOf returns the rules that an error of Parse names.
func rulesOf(err error) (rules []string) {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range all.Unwrap() {
			rules = append(rules, err.(*recurrence.SyntaxError).Rule)
		}
	}
	return rules
}
