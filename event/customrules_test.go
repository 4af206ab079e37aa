package event_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/ruletest"
	"github.com/calrules/calrules/operation"
)

// maxLength is a rule of a company: no event is longer than a working day.
var maxLength = &diag.Rule{
	ID: "company.max-length", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"start", "end"},
	Summary: "No event is longer than 8 hours.",
	Section: "company handbook, Meetings",
	Good: diag.Example{Request: `{"op":"events.insert","body":{
		"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T17:00:00Z"}}}`},
	Bad: diag.Example{Request: `{"op":"events.insert","body":{
		"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T17:00:01Z"}}}`},
	Says:  diag.Sentences{{Key: "long", Text: "The event takes {length}; at most 8h are allowed. Make it shorter."}},
	Check: checkMaxLength,
}

func checkMaxLength(v event.View, r diag.Reporter) {
	if v.Next.Start == nil || v.Next.End == nil {
		return // another rule says so
	}
	start, err := time.Parse(time.RFC3339, v.Next.Start.DateTime)
	end, err2 := time.Parse(time.RFC3339, v.Next.End.DateTime)
	if length := end.Sub(start); err == nil && err2 == nil && length > 8*time.Hour {
		r.Report("/end", "long", diag.Plain("length", length.String()))
	}
}

var rooms = []string{"Room 1", "Room 2"}

// knownRoom is another one: an event takes place in a room of a list.
var knownRoom = &diag.Rule{
	ID: "company.known-room", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"location"},
	Summary: "The location is a room of the company.",
	Section: "company handbook, Rooms",
	Good:    diag.Example{Request: `{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"location":"Room 1"}}`},
	Bad:     diag.Example{Request: `{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"location":"Room 3"}}`},
	Says:    diag.Sentences{{Key: "unknown", Text: "The location is {value}; it must be {limit}."}},
	Check: func(v event.View, r diag.Reporter) {
		if room := v.Next.Location; room != "" && !slices.Contains(rooms, room) {
			r.Report("/location", "unknown", diag.Value("value", room), diag.Names("limit", rooms))
		}
	},
}

// A program adds rules of its own, which are checked and reported like all others.
func ExampleChecker_WithRules() {
	checker, err := new(event.Checker).WithRules(maxLength, knownRoom)
	if err != nil {
		panic(err) // a rule is invalid
	}
	findings, err := checker.Find(&event.Request{Op: operation.EventsInsert, Body: []byte(`{
		"start": {"dateTime": "2026-03-10T09:00:00Z"}, "end": {"dateTime": "2026-03-10T18:00:00Z"},
		"location": "Room 7", "status": "busy"}`)})
	if err != nil {
		panic(err) // the request cannot be checked
	}
	for _, f := range findings {
		fmt.Println(f.Kind, f)
	}
	// Output:
	// reject /end: The event takes 9h0m0s; at most 8h are allowed. Make it shorter. [company.max-length]
	// advise /location: The location is "Room 7"; it must be Room 1 or Room 2. [company.known-room]
	// reject /status: The status is "busy"; it must be confirmed, tentative or cancelled. [event.status.enum]
}

// The examples of own rules are tested as those of this package are.
func TestOwnRuleExamples(t *testing.T) {
	ruletest.Test(t, withRules(t, event.Checker{}, maxLength, knownRoom))
}

func withRules(t *testing.T, c event.Checker, rules ...*diag.Rule) *event.Checker {
	t.Helper()
	with, err := c.WithRules(rules...)
	if err != nil {
		t.Fatal(err)
	}
	return with
}

// reporting returns a rule that reports what it sees on every occasion.
func reporting(id string, check func(event.View, diag.Reporter)) *diag.Rule {
	return &diag.Rule{
		ID: id, Kind: diag.Advise, When: diag.All, Basis: diag.Stated, Scope: diag.OfRequest, Summary: "It is seen.", Section: "here",
		Says:  diag.Sentences{{Key: "seen", Text: "It is seen."}},
		Check: check,
	}
}

func TestView(t *testing.T) {
	stored := &event.Event{ID: "abc12def", Summary: "Weekly", Start: &event.Time{Date: "2026-03-10"}, End: &event.Time{Date: "2026-03-11"}}
	summary := func(e *event.Event) string {
		if e == nil {
			return "-"
		}
		return e.Summary
	}
	var got string
	checker := withRules(t, event.Checker{}, reporting("see.all", func(v event.View, _ diag.Reporter) {
		got = fmt.Sprint(v.Request.Op, " ", summary(v.Stored), " ", summary(v.Sent), " ", summary(v.Next))
	}))
	for _, test := range []struct {
		op       operation.ID
		existing *event.Event
		body     string
		want     string
	}{
		{operation.EventsInsert, nil, `{"summary":"New"}`, "events.insert - New New"},
		{operation.EventsPatch, stored, `{"location":"Room 1"}`, "events.patch Weekly  Weekly"},
		{operation.EventsPatch, nil, `{"location":"Room 1"}`, "events.patch -  "},
		{operation.EventsUpdate, stored, `{"summary":"New"}`, "events.update Weekly New New"},
		{operation.EventsDelete, stored, "", "events.delete Weekly - -"},
		{"calendars.clear", nil, "", "calendars.clear - - -"},
		{operation.Response, nil, `{"summary":"Old"}`, "response - Old Old"},
	} {
		got = "not checked"
		req := &event.Request{Op: test.op, Existing: test.existing}
		if test.body != "" {
			req.Body = []byte(test.body)
		}
		if _, err := checker.Check(req); err != nil {
			t.Fatal(err)
		}
		if got != test.want {
			t.Errorf("the rule sees %q, want %q", got, test.want)
		}
	}
}

// A rule may keep what it sees, and a caller the events of a result: later checks use other memory.
func TestEventsAreNotUsedAgain(t *testing.T) {
	kept := map[*event.Event]string{} // with their summaries
	keep := func(e *event.Event) { kept[e] = e.Summary }
	own := withRules(t, event.Checker{}, reporting("see.all", func(v event.View, _ diag.Reporter) { keep(v.Sent) }))
	checkers := []*event.Checker{own, nil, {ShareMemory: true}}
	const rounds = 3
	for i := range rounds * len(checkers) {
		for _, times := range []string{`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},`, ""} {
			body := fmt.Appendf(nil, `{%s"summary":"%d %d"}`, times, i, len(times))
			result, err := checkers[i%len(checkers)].Check(&event.Request{Op: operation.EventsInsert, Body: body})
			if err != nil || result.Accepted != (times != "") {
				t.Fatal(result.Findings, err)
			}
			if result.Accepted {
				keep(result.Stored)
				keep(result.Answer)
			}
		}
	}
	for e, summary := range kept {
		if e.Summary != summary {
			t.Errorf("the summary was %q and is now %q", summary, e.Summary)
		}
	}
	if want := rounds * (2 + 2 + 2 + 1); len(kept) != want { // those of a checker with ShareMemory may be the same
		t.Errorf("%d events were kept, want %d", len(kept), want)
	}
}

func ids(findings diag.Findings) []string {
	var list []string
	for _, f := range findings {
		list = append(list, string(f.Kind)+" "+f.Rule.ID+" "+string(f.Path))
	}
	return list
}

// An own rule about the event is not checked on a change that leaves its members alone. What only the
// merged event breaks is a matter of patch.whole if the rule has a hint for that, as with all other rules.
func TestOwnRulesOfChanges(t *testing.T) {
	hinted := *maxLength
	hinted.ID, hinted.Says = "company.max-length.hinted", append(diag.Sentences{{Key: "patch-hint", Text: "Send both."}}, maxLength.Says...)
	checker := withRules(t, event.Checker{}, maxLength, &hinted)
	stored := &event.Event{ID: "abc12def", Start: &event.Time{DateTime: "2026-03-10T09:00:00Z"}, End: &event.Time{DateTime: "2026-03-10T23:00:00Z"}}
	short := &event.Event{ID: "abc12def", Start: &event.Time{DateTime: "2026-03-10T09:00:00Z"}, End: &event.Time{DateTime: "2026-03-10T10:00:00Z"}}
	for _, test := range []struct {
		name   string
		stored *event.Event
		body   string
		want   []string
	}{
		{"other members", stored, `{"summary":"Long"}`, nil},
		{"alone", short, `{"start":{"dateTime":"2026-03-10T01:00:00Z"},"end":{"dateTime":"2026-03-10T11:00:00Z"}}`, []string{"reject company.max-length /end", "reject company.max-length.hinted /end"}},
		{"merged", short, `{"end":{"dateTime":"2026-03-10T20:00:00Z"}}`, []string{"reject patch.whole /end", "reject company.max-length /end"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := checker.Find(&event.Request{Op: operation.EventsPatch, Existing: test.stored, Body: []byte(test.body)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, ids(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOwnRulesAreGradedAndOrdered(t *testing.T) {
	const long = `{"start":{"dateTime":"2026-03-10T19:00:00Z"},"end":{"dateTime":"2026-03-10T09:00:00Z"},"location":"Room 7"}`
	atEnd := reporting("company.end", func(_ event.View, r diag.Reporter) { r.Report("/end", "seen") })
	checker := withRules(t, event.Checker{Grading: diag.Lenient()}, atEnd, knownRoom)
	for _, test := range []struct {
		grade map[string]string
		want  []string
	}{
		{nil, []string{"advise time.order /end", "advise company.end /end", "advise company.known-room /location"}},
		{map[string]string{"company.": "off"}, []string{"advise time.order /end"}},
		{map[string]string{"company.known-room": "reject", "company.end": "off"}, []string{"advise time.order /end", "reject company.known-room /location"}},
	} {
		graded := *checker
		graded.Grading = graded.Grading.With(test.grade)
		findings, err := graded.Find(&event.Request{Op: operation.EventsInsert, Body: []byte(long)})
		if diff := cmp.Diff(test.want, ids(findings)); diff != "" || err != nil {
			t.Errorf("%v: %v (-want +got):\n%s", test.grade, err, diff)
		}
	}
	if c := checker.Catalogue(); c.Lookup("company.end") != atEnd || c.Rules()[len(c.Rules())-1] != knownRoom || c.Lookup("time.order") == nil {
		t.Error("the catalogue does not have all rules in order")
	}
}

// Every invalid rule is an error before anything is checked.
func TestWithRulesRefuses(t *testing.T) {
	change := func(edit func(*diag.Rule)) *diag.Rule {
		r := *maxLength
		edit(&r)
		return &r
	}
	for want, rule := range map[string]*diag.Rule{
		"a rule is nil":                         nil,
		"form package.kebab-words":              change(func(r *diag.Rule) { r.ID = "Max" }),
		"another rule with the id time.order":   change(func(r *diag.Rule) { r.ID = "time.order" }),
		"the kind of company.max-length":        change(func(r *diag.Rule) { r.Kind, r.Describes = "", diag.Effect }),
		"the basis of company.max-length":       change(func(r *diag.Rule) { r.Basis = "company" }),
		"the scope of company.max-length":       change(func(r *diag.Rule) { r.Scope = "events" }),
		"the status of company.max-length":      change(func(r *diag.Rule) { r.Status = 200 }),
		"applies to no operation":               change(func(r *diag.Rule) { r.When = 0 }),
		"no summary":                            change(func(r *diag.Rule) { r.Summary = "" }),
		"company.max-length has no sentences":   change(func(r *diag.Rule) { r.Says = nil }),
		"the key of a sentence":                 change(func(r *diag.Rule) { r.Says = diag.Sentences{{Key: "Long", Text: "It is long."}} }),
		"two sentences with the key long":       change(func(r *diag.Rule) { r.Says = append(r.Says, r.Says...) }),
		"the sentence long of company":          change(func(r *diag.Rule) { r.Says = diag.Sentences{{Key: "long"}} }),
		"not a func(event.View, diag.Reporter)": change(func(r *diag.Rule) { r.Check = nil }),
		`"room", which is not the path`:         change(func(r *diag.Rule) { r.Reads = []string{"room"} }),
		"another rule with the id company.max":  maxLength, // given twice
	} {
		checker, err := new(event.Checker).WithRules(maxLength, rule)
		if err == nil || !strings.Contains(err.Error(), want) || checker != nil {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	if _, err := new(event.Checker).WithRules(nil, change(func(r *diag.Rule) { r.Check = nil })); strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("the error does not name both problems: %v", err)
	}
	if _, err := withRules(t, event.Checker{}, maxLength).WithRules(maxLength); err == nil {
		t.Error("a rule is added twice")
	}
}
