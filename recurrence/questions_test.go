package recurrence_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/recurrence"
)

// Last, AtOrAfter and Equal agree with the list of the instances.
func TestQuestionsLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, start := genSplitSet(t)
		series, err := set.Compile(start)
		if err != nil {
			return
		}
		const most = 400
		all := upTo(series, most)
		last, finite, err := series.Last()
		if want := !slices.ContainsFunc(set.Rules, func(r *recurrence.Rule) bool { return r.Count == 0 && r.Until.Form == 0 }); finite != want || !finite && !last.IsZero() {
			t.Fatalf("%s is finite: %t, and ends at %s", set, finite, last)
		}
		if finite && err == nil && len(all) > 0 && len(all) < most && !last.Equal(all[len(all)-1]) {
			t.Fatalf("%s ends at %s, want %s", set, last, all[len(all)-1])
		}
		for i, at := range all[:min(len(all), 10)] {
			if next, ok, err := series.AtOrAfter(at); err != nil || !ok || !next.Equal(at) {
				t.Fatalf("%s: at or after %s is %s", set, at, next)
			}
			if next, ok, _ := series.AtOrAfter(at.Add(1)); i+1 < len(all) && (!ok || !next.Equal(all[i+1])) {
				t.Fatalf("%s: after %s is %s, want %s", set, at, next, all[i+1])
			}
		}
		if equal, certain, err := set.Equal(set, start); !equal || !certain || err != nil {
			t.Fatalf("%s equals itself: %t, certain: %t, %v", set, equal, certain, err)
		}
		other, _ := genSplitSet(t)
		b, err := other.Compile(start)
		if err != nil {
			return
		}
		equal, _, err := set.Equal(other, start)
		if list := upTo(b, most); err == nil && equal != (cmp.Diff(texts(all), texts(list)) == "") && len(all) < most {
			t.Fatalf("%s equals %s: %t", set, other, equal)
		}
	})
}

func TestEqual(t *testing.T) {
	start := recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, newYork))
	for _, test := range []struct {
		a, b           string
		equal, certain bool
	}{
		{"RRULE:FREQ=WEEKLY", "RRULE:FREQ=WEEKLY;BYDAY=TU", true, false},
		{"RRULE:FREQ=WEEKLY;COUNT=3", "RRULE:FREQ=DAILY;INTERVAL=7;COUNT=3", true, true},
		{"RRULE:FREQ=WEEKLY;COUNT=3", "RRULE:FREQ=WEEKLY;COUNT=4", false, true},
		{"RRULE:FREQ=WEEKLY", "RRULE:FREQ=DAILY", false, true},
		{"RDATE:20260317T130000Z", "RRULE:FREQ=WEEKLY;COUNT=3", false, true},
		{"RDATE:20260317T130000Z,20260324T130000Z", "RRULE:FREQ=WEEKLY;COUNT=3", true, true},
		{"RRULE:COUNT=3;FREQ=DAILY\nEXDATE:20260311T130000Z", "EXDATE:20260311T130000Z\nRRULE:FREQ=DAILY;COUNT=3", true, true},
		{"RDATE;VALUE=PERIOD:20260320T130000Z/PT1H", "RDATE;VALUE=PERIOD:20260320T130000Z/PT2H", false, true},
		{"RDATE;VALUE=PERIOD:20260320T130000Z/PT1H", "RDATE;VALUE=PERIOD:20260320T130000Z/20260320T140000Z", true, true},
		{"RDATE;VALUE=PERIOD:20260320T130000Z/20260320T150000Z", "RDATE;VALUE=PERIOD:20260320T140000Z/20260320T150000Z", false, true},
		{"RDATE;VALUE=PERIOD:20260320T130000Z/PT1H\nRDATE;VALUE=PERIOD:20260320T130000Z/PT2H",
			"RDATE;VALUE=PERIOD:20260320T130000Z/PT2H\nRDATE;VALUE=PERIOD:20260320T130000Z/PT1H", false, true},
		{"RRULE:FREQ=DAILY;COUNT=3\nRRULE:FREQ=WEEKLY", "RRULE:FREQ=WEEKLY\nRRULE:FREQ=DAILY;COUNT=3", true, true},
	} {
		a, b := parseText(t, test.a), parseText(t, test.b)
		for range 2 {
			equal, certain, err := a.Equal(b, start)
			if equal != test.equal || certain != test.certain || err != nil {
				t.Errorf("%s and %s: equal %t, certain %t, %v", a, b, equal, certain, err)
			}
			a, b = b, a
		}
	}
	if _, _, err := parseText(t, "RRULE:FREQ=DAILY").Equal(&recurrence.Set{Rules: []*recurrence.Rule{nil}}, start); err == nil {
		t.Error("a set with a nil rule is compared")
	}
}

// unmarshal reads a set from its text.
func unmarshal(text string) (*recurrence.Set, error) {
	set := new(recurrence.Set)
	err := set.UnmarshalText([]byte(text))
	return set, err
}

func parseText(t *testing.T, text string) *recurrence.Set {
	t.Helper()
	set, err := unmarshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Conflicts are the pairs that overlap, as comparing each with each finds them.
func TestConflictsLaw(t *testing.T) {
	window := func(i recurrence.Instance) [2]time.Time { return [2]time.Time{i.Start, i.End} }
	rapid.Check(t, func(t *rapid.T) {
		day := time.Date(2026, 3, 6, 0, 0, 0, 0, newYork)
		var series [2]*recurrence.Series
		for i := range series {
			at := day.Add(time.Duration(rapid.IntRange(0, 47).Draw(t, "start")) * time.Hour)
			start := recurrence.StartTime(at).Until(at.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "length")) * time.Hour))
			rule := rapid.SampledFrom([]string{"FREQ=DAILY", "FREQ=HOURLY;INTERVAL=5", "FREQ=WEEKLY;BYDAY=MO,TU,FR", "FREQ=DAILY;COUNT=1"}).Draw(t, "rule")
			series[i] = compile(t, parseRules(rule), start)
		}
		from, to := day.AddDate(0, 0, 1), day.AddDate(0, 0, 6)
		var want, got [][2][2]time.Time
		for a := range series[0].Overlapping(from, to) {
			for b := range series[1].Overlapping(from, to) {
				if a.Start.Before(b.End) && b.Start.Before(a.End) || a.Start.Equal(b.Start) {
					want = append(want, [2][2]time.Time{window(a), window(b)})
				}
			}
		}
		for pair, err := range series[0].Conflicts(series[1], from, to) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, [2][2]time.Time{window(pair[0]), window(pair[1])})
		}
		byStart := func(x, y [2][2]time.Time) int {
			if c := x[0][0].Compare(y[0][0]); c != 0 {
				return c
			}
			return x[1][0].Compare(y[1][0])
		}
		begins := func(x [2][2]time.Time) time.Time {
			if x[0][0].After(x[1][0]) {
				return x[0][0]
			}
			return x[1][0]
		}
		if !slices.IsSortedFunc(got, func(x, y [2][2]time.Time) int { return begins(x).Compare(begins(y)) }) {
			t.Fatalf("the pairs are not in the order in which they begin: %v", got)
		}
		slices.SortFunc(want, byStart)
		slices.SortFunc(got, byStart)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-each with each +Conflicts):\n%s", diff)
		}
	})
}

func parseRules(rule string) *recurrence.Set {
	r, err := recurrence.ParseRule(rule)
	if err != nil {
		panic(err)
	}
	return &recurrence.Set{Rules: []*recurrence.Rule{r}}
}

// Instances without a length conflict with those that they begin with, whichever series comes first.
func TestConflictsWithoutLength(t *testing.T) {
	at := timed.Time()
	empty, hour := seriesOf(t, timed.Until(at), "RRULE:FREQ=DAILY;COUNT=2"), seriesOf(t, timed.Until(at.Add(time.Hour)), "RRULE:FREQ=DAILY;COUNT=2")
	for name, pair := range map[string][2]*recurrence.Series{"first": {empty, hour}, "second": {hour, empty}, "both": {empty, empty}} {
		var got []time.Time
		for pair, err := range pair[0].Conflicts(pair[1], time.Time{}, time.Time{}) {
			if err != nil || !pair[0].Start.Equal(pair[1].Start) {
				t.Errorf("%s: %v, %v", name, pair, err)
			}
			got = append(got, pair[0].Start)
		}
		if want := []time.Time{at, at.AddDate(0, 0, 1)}; !cmp.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// A search ends with the series that ends first, even if the other series has billions of instances.
func TestConflictsEnd(t *testing.T) {
	once, always := seriesOf(t, timed, "RRULE:FREQ=DAILY;COUNT=1"), seriesOf(t, timed, "RRULE:FREQ=SECONDLY")
	for name, pair := range map[string][2]*recurrence.Series{"first": {once, always}, "second": {always, once}} {
		n := 0
		for _, err := range pair[0].Conflicts(pair[1], time.Time{}, time.Time{}) {
			if n++; err != nil {
				t.Error(err)
			}
		}
		if n != 1 {
			t.Errorf("if the %s series ends, %d conflicts, want 1", name, n)
		}
	}
}

// A search that is too long for its budget ends with the error.
func TestConflictsError(t *testing.T) {
	start := recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC))
	never := compile(t, parseRules("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), start).With(recurrence.Options{Budget: 10})
	daily := compile(t, parseRules("FREQ=DAILY"), start)
	for name, pair := range map[string][2]*recurrence.Series{"first": {never, daily}, "second": {daily, never}} {
		var last error
		for _, err := range pair[0].Conflicts(pair[1], time.Time{}, time.Time{}) {
			last = err
		}
		var over *recurrence.BudgetError
		if !errors.As(last, &over) {
			t.Errorf("the search with the %s series ends with %v", name, last)
		}
	}
}

func TestUnmarshalText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY"},
		{"RRULE:FREQ=WEEKLY;\r\n BYDAY=MO\r\n\t,TU\r\nEXDATE:2026031\n 1T130000Z\r\n", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU\nEXDATE:20260311T130000Z"},
		{"\n\nRRULE:FREQ=DAILY\n\n", "RRULE:FREQ=DAILY"},
		{"", ""},
	} {
		set, err := unmarshal(test.text)
		if err != nil || set.String() != test.want {
			t.Errorf("%q is %q, %v; want %q", test.text, set, err, test.want)
		}
	}
	var syntax *recurrence.SyntaxError
	if _, err := unmarshal("RRULE:FREQ=DAILY\n\nRRULE:FREQ=SOMETIMES"); !errors.As(err, &syntax) || syntax.Line != 1 {
		t.Errorf("the error is %v, want one about the second line", err)
	}
	if _, err := unmarshal(" folded"); err == nil {
		t.Error("a text that begins with a continuation is read")
	}
}

func TestParseRule(t *testing.T) {
	for text, want := range map[string]string{
		"FREQ=WEEKLY;BYDAY=MO": "FREQ=WEEKLY;BYDAY=MO", "rrule:freq=daily": "FREQ=DAILY", "RRULE:COUNT=3;FREQ=DAILY": "FREQ=DAILY;COUNT=3",
	} {
		if r, err := recurrence.ParseRule(text); err != nil || r.String() != want {
			t.Errorf("%q is %v, %v; want %s", text, r, err, want)
		}
	}
	for text, offset := range map[string]int{"FREQ=SOMETIMES": 5, "RRULE:FREQ=SOMETIMES": 11, "FREQ=DAILY;COUNT=0": 17, "RRULE:": 6, "COUNT=3": -1} {
		var syntax *recurrence.SyntaxError
		if _, err := recurrence.ParseRule(text); !errors.As(err, &syntax) || syntax.Offset != offset {
			t.Errorf("%q: %v, at %d; want %d", text, err, syntax.Offset, offset)
		}
	}
}

// Texts of sets and rules are read back as equal ones, in JSON too.
func TestTextLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, start := genSplitSet(t)
		if _, err := set.Compile(start); err != nil {
			return // a date before the year 0
		}
		text, err := set.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var again recurrence.Set
		if err := again.UnmarshalText(text); err != nil || again.String() != set.String() {
			t.Fatalf("%s is read back as %s, %v", text, &again, err)
		}
		folded := strings.ReplaceAll(string(text), ";", "\r\n ;")
		if unfolded, err := unmarshal(folded); err != nil || unfolded.String() != set.String() {
			t.Fatalf("%q is read as %s, %v", folded, unfolded, err)
		}
		for _, r := range set.Rules {
			var one recurrence.Rule
			text, _ := r.MarshalText()
			if err := one.UnmarshalText(text); err != nil || one.String() != r.String() {
				t.Fatalf("%s is read back as %s, %v", text, &one, err)
			}
		}
	})
}

func TestUnmarshalTextKeeps(t *testing.T) {
	rule, set := recurrence.Rule{Freq: recurrence.Daily}, recurrence.Set{}
	if rule.UnmarshalText([]byte("FREQ=X")) == nil || rule.Freq != recurrence.Daily || set.UnmarshalText([]byte("X")) == nil || set.Lines() != nil {
		t.Errorf("after an error, the rule is %s and the set %s", &rule, &set)
	}
	if (*recurrence.Rule)(nil).UnmarshalText([]byte("FREQ=DAILY")) == nil || (*recurrence.Set)(nil).UnmarshalText(nil) == nil {
		t.Error("nil is written to")
	}
}

func TestLines(t *testing.T) {
	in := func(zone *time.Location) recurrence.Start {
		return recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, zone))
	}
	start := recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, newYork))
	for _, test := range []struct {
		lines []string
		start recurrence.Start
		want  []string
	}{
		{nil, start, nil},
		{[]string{"RRULE:FREQ=DAILY"}, start, nil},
		{[]string{"RRULE:FREQ=DAILY", "FREQ=WEEKLY", "RRULE:FREQ=X"}, start, []string{"/1 recurrence.line.name", "/2 recurrence.rule.part"}},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=MO"}, start, []string{"/0 recurrence.start-not-in-rule"}},
		{[]string{"RRULE:FREQ=WEEKLY;BYDAY=MO"}, recurrence.Start{}, nil},
		{[]string{"RRULE:FREQ=DAILY"}, in(time.FixedZone("", -14400)), []string{" recurrence.expansion"}},
		{nil, in(time.FixedZone("EDT", -14400)), []string{" recurrence.expansion"}},
		{[]string{"RRULE:FREQ=DAILY"}, in(time.UTC), nil},
		{[]string{"RRULE:FREQ=DAILY"}, in(load("Etc/GMT+4")), nil},
		{[]string{"RRULE:FREQ=DAILY"}, in(load("Asia/Kolkata")), nil},
		{[]string{"RRULE:FREQ=DAILY"}, allDay, nil},
	} {
		var got []string
		for _, f := range (recurrence.Lines{Texts: test.lines, Start: test.start}).Check().Findings {
			got = append(got, string(f.Path)+" "+f.Rule.ID)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.lines, diff)
		}
	}
}

// The advice about a fixed offset says the offset.
func TestFixedOffset(t *testing.T) {
	start := recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, time.FixedZone("", 5*3600+1800)))
	found := recurrence.Lines{Start: start}.Check().Findings
	const want = "The start has the fixed offset +05:30, so the instances keep that offset when clocks change. Send the start in the zone of the event."
	if len(found) != 1 || found[0].Message() != want || found[0].Kind != diag.Advise {
		t.Errorf("got %v", found)
	}
	file := slices.Concat([]byte("TZif"), make([]byte, 16+3*4), []byte{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 4}, // one transition, two offsets
		[]byte{0x69, 0x55, 0xb9, 0x00, 1}, []byte{0, 0, 0, 0, 0, 0}, []byte{0, 0, 0x0e, 0x10, 1, 0}, []byte("TST\x00")) // on 1 January 2026
	zone, err := time.LoadLocationFromTZData("Office", file)
	if err != nil {
		t.Fatal(err)
	}
	for _, year := range []int{2025, 2027} {
		if found := (recurrence.Lines{Start: recurrence.StartTime(time.Date(year, 3, 10, 9, 0, 0, 0, zone))}).Check().Findings; len(found) > 0 {
			t.Errorf("in %d, in a zone with a transition: %v", year, found)
		}
	}
}
