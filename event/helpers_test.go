package event_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// Bases: members that make a body without a finding, to which a case adds its own.
const (
	timed  = timedStart + "," + timedEnd
	allDay = `"start":{"date":"2026-03-10","timeZone":"America/New_York"},"end":{"date":"2026-03-11","timeZone":"America/New_York"}`
	series = timed + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`

	timedStart = `"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"}`
	timedEnd   = `"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"}`

	birthday        = allDay + `,"eventType":"birthday","recurrence":["RRULE:FREQ=YEARLY"]`
	focusTime       = timed + `,"eventType":"focusTime"`
	outOfOffice     = timed + `,"eventType":"outOfOffice"`
	workingLocation = timed + `,"eventType":"workingLocation"`

	// What a server returns.
	stored = `"kind":"calendar#event","etag":"\"3181161784712000\"","id":"abc12def","htmlLink":"https://calendar.example.com/event?eid=1",` +
		`"created":"2026-01-05T08:00:00.000Z","updated":"2026-01-06T09:30:00.123Z","creator":{"email":"owner@example.com","self":true},` +
		`"organizer":{"email":"owner@example.com","self":true},"iCalUID":"abc12def@calendar.example.com","sequence":0`
	storedTimed = stored + "," + timed
)

// ruleCase is one request, and what all the rules have to say about it.
type ruleCase struct {
	name string
	op   operation.ID // empty: events.insert

	base    string // members of the body beside those of the case; empty: timed, or storedTimed for a response
	members string
	body    string // the whole body instead of base and members

	params   string // as a query
	caller   *operation.Caller
	calendar *operation.Calendar
	series   string // the members of the recurring event

	// want are the findings, in order: the path alone for one of the rule that the table is
	// about, else the rule's id, a blank and the path. A kind that is not the rule's own
	// follows the id after "=".
	want []string

	// besides are rules whose findings are left out of the comparison: the documents do not
	// say whether they are raised as well.
	besides []string
}

func (c ruleCase) text() string {
	switch {
	case c.body != "":
		return c.body
	case c.base == "" && c.op == operation.Response:
		return object(storedTimed, c.members)
	case c.base == "":
		return object(timed, c.members)
	default:
		return object(c.base, c.members)
	}
}

func (c ruleCase) request(t testing.TB) *event.Request {
	t.Helper()
	req := &event.Request{Op: c.op, Body: json.RawMessage(c.text()), Caller: c.caller, Calendar: c.calendar}
	if req.Op == "" {
		req.Op = operation.EventsInsert
	}
	if c.params != "" {
		query, err := url.ParseQuery(c.params)
		if err != nil {
			t.Fatal(err)
		}
		req.Params = operation.FromQuery(query)
	}
	if c.series != "" {
		req.Series = read(t, object(c.series))
	}
	return req
}

// object is a JSON object of these members, of which empty ones are left out.
func object(members ...string) string {
	return "{" + strings.Join(slices.DeleteFunc(members, func(m string) bool { return m == "" }), ",") + "}"
}

// array is a JSON array of n equal elements.
func array(n int, element string) string {
	return "[" + strings.Join(slices.Repeat([]string{element}, n), ",") + "]"
}

// quoted is s as a JSON string.
func quoted(s string) string {
	text, _ := json.Marshal(s) // strings have no error
	return string(text)
}

// read decodes an event that has no fault.
func read(t fataler, text string) *event.Event {
	t.Helper()
	e := new(event.Event)
	if err := json.Unmarshal([]byte(text), e); err != nil {
		t.Fatal(err, text)
	}
	return e
}

// yes is a fact that is known to hold.
func yes() *bool { return new(true) }

// checkListed holds the catalogue to a rule of a kind.
func checkListed(t *testing.T, id string, kind diag.Kind) {
	t.Helper()
	doc := lookup(id)
	if doc == nil {
		t.Fatalf("the catalogue does not list %s", id)
	}
	if doc.Kind != kind {
		t.Errorf("the kind of %s is %s, want %s", id, doc.Kind, kind)
	}
}

// checkRule puts the cases of a table to the engine. The table is about one rule, which the
// documents list with this kind.
func checkRule(t *testing.T, id string, kind diag.Kind, cases []ruleCase) {
	t.Helper()
	checkListed(t, id, kind)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			req := c.request(t)
			result := event.Check(req)
			if result.Error != "" {
				t.Fatal(result.Error)
			}
			got := describe(result.Findings, c.besides)
			if diff := cmp.Diff(qualify(c.want, id), got); diff != "" {
				t.Errorf("findings of %.500s (-want +got):\n%s", c.text(), diff)
			}
			checkResult(t, result)
			checkSameOfValue(t, req, result)
		})
	}
}

func lookup(id string) *diag.Rule {
	for doc := range event.Catalogue().All() {
		if doc.ID == id {
			return doc
		}
	}
	return nil
}

// qualify adds the rule's id to findings that are given by their path.
func qualify(findings []string, id string) []string {
	all := []string{}
	for _, f := range findings {
		if !strings.Contains(f, " ") {
			f = id + " " + f
		}
		all = append(all, f)
	}
	return all
}

// describe gives the findings in the form of [ruleCase.want], without those of some rules.
func describe(findings diag.Findings, besides []string) []string {
	all := []string{}
	for _, f := range findings {
		if slices.Contains(besides, f.Rule.ID) {
			continue
		}
		text := f.Rule.ID
		if f.Kind != f.Rule.Kind {
			text += "=" + string(f.Kind)
		}
		all = append(all, text+" "+string(f.Path))
	}
	return all
}

// checkVerdict holds that a request is accepted unless a finding rejects it.
func checkVerdict(t *testing.T, result event.Result) {
	t.Helper()
	if result.Accepted == result.Findings.Rejected() {
		t.Errorf("Accepted = %t with the findings %v", result.Accepted, result.Findings)
	}
	if (result.Err() == nil) != result.Accepted {
		t.Errorf("Accepted = %t with the error %v", result.Accepted, result.Err())
	}
}

// checkResult holds what is true of every answer about an event that is sent.
func checkResult(t *testing.T, result event.Result) {
	t.Helper()
	checkVerdict(t, result)
	if result.Accepted != (result.Event != nil) {
		t.Errorf("Accepted = %t with the event %v", result.Accepted, result.Event)
	}
	for _, f := range result.Findings {
		if f.Message == "" || len(f.Message) > 600 || !strings.HasSuffix(f.Message, ".") && !strings.HasSuffix(f.Message, "?") {
			t.Errorf("%s: the message is no short sentence: %q", f.Rule.ID, f.Message)
		}
	}
}

// checkSameOfValue holds that a body that can be read as a Go value is judged alike as one.
func checkSameOfValue(t *testing.T, req *event.Request, result event.Result) {
	t.Helper()
	for _, f := range result.Findings {
		if strings.HasPrefix(f.Rule.ID, "json.") {
			return // only a text has such faults
		}
	}
	e := new(event.Event)
	if json.Unmarshal(req.Body, e) != nil {
		return
	}
	value := *req
	value.Body, value.Event = nil, e
	want, got := describe(result.Findings, nil), describe(event.Findings(&value), nil)
	slices.Sort(want) // the order of a value is that of its own JSON
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("as a Go value the body has other findings (-text +value):\n%s", diff)
	}
}
