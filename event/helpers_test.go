package event_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// Bases are members of bodies without findings. A test case adds its own.
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

	// Members that a server returns.
	stored = `"kind":"calendar#event","etag":"\"3181161784712000\"","id":"abc12def","htmlLink":"https://calendar.example.com/event?eid=1",` +
		`"created":"2026-01-05T08:00:00.000Z","updated":"2026-01-06T09:30:00.123Z","creator":{"email":"owner@example.com","self":true},` +
		`"organizer":{"email":"owner@example.com","self":true},"iCalUID":"abc12def@calendar.example.com","sequence":0`
	storedTimed = stored + "," + timed
)

// ruleCase is a request and the findings about it.
type ruleCase struct {
	name string
	op   operation.ID // if empty, events.insert

	base    string // members of the body before those of the case; if empty, timed, or storedTimed for a response
	members string
	body    string // the whole body, in place of base and members

	params   string // a query string
	caller   *operation.Caller
	calendar *operation.Calendar
	series   string // the members of the recurring event

	// want are the findings in order: only the path for the rule that the table is about, and
	// the rule's id, a space and the path for other rules. If the kind is not the rule's own, it
	// follows the id after "=".
	want []string

	// ignored are rules whose findings are not compared, because the documents do not say
	// whether the case breaks them as well.
	ignored []string
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
	req := &event.Request{Op: c.op, Body: []byte(c.text()), Caller: c.caller, Calendar: c.calendar}
	if req.Op == "" {
		req.Op = operation.EventsInsert
	}
	if c.params != "" {
		query, err := url.ParseQuery(c.params)
		if err != nil {
			t.Fatal(err)
		}
		req.Params = operation.Params(query)
	}
	if c.series != "" {
		req.Series = read(t, object(c.series))
	}
	return req
}

// object returns a JSON object with the members, except empty ones.
func object(members ...string) string {
	return "{" + strings.Join(slices.DeleteFunc(members, func(m string) bool { return m == "" }), ",") + "}"
}

// numbered returns a JSON array of n elements. The element is a format of its index.
func numbered(n int, element string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ","+element, i)
	}
	return "[" + strings.TrimPrefix(b.String(), ",") + "]"
}

// array returns a JSON array of n equal elements.
func array(n int, element string) string {
	return "[" + strings.Join(slices.Repeat([]string{element}, n), ",") + "]"
}

// quoted returns s as a JSON string.
func quoted(s string) string {
	text, _ := json.Marshal(s) // cannot fail for a string
	return string(text)
}

// read decodes an event without errors.
func read(t fataler, text string) *event.Event {
	t.Helper()
	e := new(event.Event)
	if err := json.Unmarshal([]byte(text), e); err != nil {
		t.Fatal(err, text)
	}
	return e
}

// yes returns a fact that is known to be true.
func yes() *bool { return new(true) }

// checkListed checks that the catalogue has the rule with the kind.
func checkListed(t *testing.T, id string, kind diag.Kind) {
	t.Helper()
	doc := lookup(id)
	if doc == nil {
		t.Fatalf("the catalogue does not contain %s", id)
	}
	if doc.Kind != kind {
		t.Errorf("the kind of %s is %s, want %s", id, doc.Kind, kind)
	}
}

// checkRule checks the cases of a table about a rule of the kind.
func checkRule(t *testing.T, id string, kind diag.Kind, cases []ruleCase) {
	t.Helper()
	checkListed(t, id, kind)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			req := c.request(t)
			result := must(event.Check(req))
			got := describe(result.Findings, c.ignored)
			if diff := cmp.Diff(qualify(c.want, id), got); diff != "" {
				t.Errorf("findings of %.500s (-want +got):\n%s", c.text(), diff)
			}
			checkResult(t, result)
			checkSameForValue(t, req, result)
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

// qualify adds the rule's id to findings that are only a path.
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

// sendUpdatesAbsent is a rule about parameters, of which the tables of other rules have none. Its own
// test is TestSendUpdatesAbsent.
const sendUpdatesAbsent = "insert.param.send-updates.absent"

// describe returns the findings in the form of [ruleCase.want], without those of the ignored rules and
// of [sendUpdatesAbsent].
func describe(findings diag.Findings, ignored []string) []string {
	all := []string{}
	for _, f := range findings {
		if slices.Contains(ignored, f.Rule.ID) || f.Rule.ID == sendUpdatesAbsent {
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

// checkVerdict checks that a request is accepted unless a finding rejects it.
func checkVerdict(t *testing.T, result event.Result) {
	t.Helper()
	if result.Accepted == result.Findings.Rejected() {
		t.Errorf("Accepted = %t with the findings %v", result.Accepted, result.Findings)
	}
	if (result.Err() == nil) != result.Accepted {
		t.Errorf("Accepted = %t with the error %v", result.Accepted, result.Err())
	}
}

// checkResult checks what is true of every answer to a write of an event.
func checkResult(t *testing.T, result event.Result) {
	t.Helper()
	checkVerdict(t, result)
	if result.Accepted != (result.Answer != nil) {
		t.Errorf("Accepted = %t with the event %v", result.Accepted, result.Answer)
	}
	for _, f := range result.Findings {
		if f.Message() == "" || len(f.Message()) > 600 || !strings.HasSuffix(f.Message(), ".") && !strings.HasSuffix(f.Message(), "?") {
			t.Errorf("%s: the message is not a short sentence: %q", f.Rule.ID, f.Message())
		}
	}
}

// checkSameForValue checks that the body has the same findings as a Go value, if it can be decoded
// as one.
func checkSameForValue(t *testing.T, req *event.Request, result event.Result) {
	t.Helper()
	for _, f := range result.Findings {
		if strings.HasPrefix(f.Rule.ID, "json.") {
			return // only a text has such findings
		}
	}
	e := new(event.Event)
	if json.Unmarshal(req.Body, e) != nil {
		return
	}
	value := *req
	value.Body, value.Event = nil, e
	want, got := describe(result.Findings, nil), describe(must(event.Findings(&value)), nil)
	slices.Sort(want) // the members of a value are in the order of the tables
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the body has other findings as a Go value (-text +value):\n%s", diff)
	}
}

// must returns v. It panics if there is an error, which these requests do not have.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
