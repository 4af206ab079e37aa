package event

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation"
)

// partCase is an accepted request whose answer is another one without a step of the server's part, or if two steps change
// places.
type partCase struct {
	name   string
	op     operation.ID
	params string
	caller *operation.Caller
	google bool
	value  bool   // the body is a Go value
	series string // members of the active series of an instance, if there is one
	none   bool   // the stored event is not known
	timed  bool   // the event is timed
	stored string // members of the stored event, beside partDays unless there is a start; a new event has none
	body   string // members of the body; beside partDays unless it is a patch
	want   string // a part of the answer: the ids of the findings, and the event to store
}

const partDays = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`

// oneStep has a case for each step, under its name.
var oneStep = []partCase{
	{name: "service", op: operation.EventsPatch, stored: `"created":"2026-01-05T08:00:00Z"`, body: `"created":"2026-01-06T08:00:00Z"`, want: `"created":"2026-01-05`},
	{name: "left-out", op: operation.EventsUpdate, stored: `"recurringEventId":"series1"`, want: `"recurringEventId":"series1"`},
	{name: "version", op: operation.EventsUpdate, stored: `"eventLabelId":"urgent"`, want: `"eventLabelId":"urgent"`},
	{name: "source", op: operation.EventsPatch, caller: &operation.Caller{Creator: new(false)}, stored: `"source":{"url":"https://example.com/1"}`,
		body: `"source":{"url":"https://example.com/2"}`, want: `"url":"https://example.com/1"`},
	{name: "uid", op: operation.EventsPatch, stored: `"iCalUID":"uid-1"`, body: `"iCalUID":"uid-2"`, want: `"iCalUID":"uid-1"`},
	{name: "label", op: operation.EventsInsert, params: "eventLabelVersion=1", body: `"eventLabelId":""`, want: partDays + `,"eventType"`},
	{name: "conference", op: operation.EventsPatch, stored: `"conferenceData":` + partConference, body: `"conferenceData":null`, want: `"conferenceData":{`},
	{name: "other-fields", op: operation.EventsPatch, stored: partHome, body: `"workingLocationProperties":{"customLocation":{"label":"Hut"}}`, want: `{"type":"homeOffice"}`},
	{name: "within", op: operation.EventsPatch, params: "supportsAttachments=true", stored: `"attachments":[{"fileUrl":"https://example.com/1","fileId":"file-1"}]`,
		body: `"attachments":[{"fileUrl":"https://example.com/1","fileId":"file-2"}]`, want: `"fileId":"file-1"`},
	{name: "added-once", op: operation.EventsPatch, stored: `"attendees":[{"email":"room@example.com","resource":true}]`, body: `"attendees":[{"email":"room@example.com"}]`, want: `"resource":true`},
	{name: "organizer", op: operation.EventsInsert, caller: &operation.Caller{Email: "ada@example.com"}, body: `"attendees":[{"email":"ada@example.com"}]`, want: `"organizer":true`},
	{name: "one-response", op: operation.EventsUpdate, stored: `"attendees":[{"email":"ada@example.com","self":true},{"email":"bob@example.com"}]`,
		body: `"attendeesOmitted":true,"attendees":[{"email":"ada@example.com"}]`, want: `"bob@example.com"`},
	{name: "spelling", op: operation.EventsUpdate, google: true, stored: `"description":""`, want: `"description":""`},
	{name: "nulls", op: operation.EventsInsert, value: true, body: `"summary":null`, want: `"confirmed",` + partDays},

	{name: "stored-nulls", op: operation.EventsPatch, stored: `"attendees":[{"email":"ada@example.com","comment":null}]`, body: `"summary":"Lunch"`, want: `[{"email":"ada@example.com"}]`},
	{name: "kind", op: operation.EventsInsert, want: `"kind":"calendar#event"`},
	{name: "type", op: operation.EventsInsert, want: `"eventType":"default"`},
	{name: "status", op: operation.EventsUpdate, want: `"status":"confirmed"`},
	{name: "others", op: operation.EventsUpdate, none: true, body: `"attendeesOmitted":true,"attendees":[{"email":"ada@example.com","self":true}]`, want: `"ada@example.com"`},
	{name: "malformed", op: operation.EventsUpdate, none: true, body: `"created":"yesterday"`, want: partDays + "}"},
	{name: "ignored", op: operation.EventsPatch, google: true, body: `"attachments":[{"fileUrl":"https://example.com/1"}]`, want: partDays + `,"sequence"`},
	{name: "answers", op: operation.EventsInsert, google: true, body: `"attendees":[{"email":"ada@example.com"}]`, want: `"needsAction"`},
	{name: "lines", op: operation.EventsInsert, google: true, body: `"recurrence":["RRULE:FREQ=DAILY;"]`, want: `["RRULE:FREQ=DAILY"]`},
	{name: "reminders", op: operation.EventsInsert, google: true, timed: true, want: `"useDefault":true`},
	{name: "sequence", op: operation.EventsPatch, google: true, stored: `"sequence":2`, body: `"recurrence":["RRULE:FREQ=DAILY"]`, want: `"sequence":3`},
	{name: "identity", op: operation.EventsUpdate, series: `"id":"series1"`, stored: `"originalStartTime":{"date":"2026-03-10"}`,
		body: `"status":"cancelled"`, want: `"recurringEventId":"series1"`},
	{name: "flag", op: operation.EventsPatch, stored: `"organizer":{"email":"ada@example.com"}`, body: `"attendees":[{"email":"ada@example.com"}]`, want: `"organizer":true`},
}

// exchanged has a case for each two steps whose order matters.
var exchanged = []struct {
	first, second string
	partCase
}{
	{"one-response", "within", partCase{name: "flag written out", op: operation.EventsUpdate, stored: `"attendees":[{"email":"ada@example.com","self":true},{"email":"bob@example.com","self":false}]`,
		body: `"attendeesOmitted":true,"attendees":[{"email":"ada@example.com"}]`, want: `{"email":"bob@example.com"}`}},
	{"within", "added-once", partCase{name: "two with one address", op: operation.EventsPatch,
		stored: `"attendees":[{"email":"ada@example.com"},{"id":"1","email":"ada@example.com","self":true}]`, body: `"attendees":[{"id":"1"}]`, want: `"self":true`}},
	{"within", "organizer", partCase{name: "organizer who attends", op: operation.EventsInsert, caller: &operation.Caller{Email: "ada@example.com"},
		body: `"attendees":[{"email":"ada@example.com"}]`, want: `"organizer":true`}},
	{"one-response", "spelling", partCase{name: "response without a status", op: operation.EventsUpdate, google: true,
		stored: `"attendees":[{"email":"ada@example.com","self":true},{"email":"bob@example.com"}]`, body: `"attendeesOmitted":true,"attendees":[{"email":"ada@example.com"}]`, want: "[] {"}},
	{"conference", "nulls", partCase{name: "null in a conference", op: operation.EventsInsert, value: true, params: "conferenceDataVersion=1",
		body: `"conferenceData":` + strings.Replace(partConference, "}]", `}],"notes":null`, 1), want: `{"key":{"type":"addOn"}}},"eventType"`}},
	{"others", "malformed", partCase{name: "malformed address", op: operation.EventsUpdate, none: true,
		body: `"attendeesOmitted":true,"attendees":[{"id":"1","email":"ada@example.com","self":true,"asyncOperation":"no"}]`, want: `"ada@example.com"`}},
	{"sequence", "stored-nulls", partCase{name: "null in a stored start without a time", op: operation.EventsPatch, google: true,
		stored: `"sequence":1,"start":{"x":null},"end":{"date":"2026-03-11"}`, body: `"summary":"Lunch"`, want: `"sequence":1`}},
	{"others", "answers", partCase{name: "response without an answer", op: operation.EventsUpdate, none: true, google: true,
		body: `"attendeesOmitted":true,"attendees":[{"email":"ada@example.com","self":true}]`, want: `"needsAction"`}},
}

const (
	partConference = `{"entryPoints":[{"entryPointType":"video","uri":"https://meet.example.com/1"}],"conferenceSolution":{"key":{"type":"addOn"}}}`
	partHome       = `"eventType":"workingLocation","visibility":"public","transparency":"transparent","workingLocationProperties":{"type":"homeOffice"}`
)

// Without a step, the answer of its case is another one.
func TestServerPart(t *testing.T) {
	names := func(steps []step) (names []string) {
		for _, s := range steps {
			names = append(names, s.name)
		}
		return names
	}
	for _, part := range parts {
		for i, name := range names(*part) {
			t.Run(name, func(t *testing.T) {
				at := slices.IndexFunc(oneStep, func(c partCase) bool { return c.name == name })
				if at < 0 {
					t.Fatal("the step has no case")
				}
				want := oneStep[at].check(t)
				if got := oneStep[at].answerWith(t, part, slices.Delete(slices.Clone(*part), i, i+1)); got == want {
					t.Errorf("the answer is the same without the step: %s", got)
				}
			})
		}
	}
}

// If two steps whose order matters change places, the answer of their case is another one. All other steps can change
// places, unless one of these two, and a step between them, have an order that matters.
func TestServerPartOrder(t *testing.T) {
	cases := slices.Clone(oneStep)
	caseOf := map[[2]string]partCase{}
	for _, x := range exchanged {
		cases = append(cases, x.partCase)
		caseOf[[2]string{x.first, x.second}] = x.partCase
	}
	tried := 0
	for _, part := range parts {
		for i := range *part {
			for j := i + 1; j < len(*part); j++ {
				first, second := (*part)[i].name, (*part)[j].name
				steps := slices.Clone(*part)
				steps[i], steps[j] = steps[j], steps[i]
				mayChange := false
				for k := i; k <= j; k++ {
					_, withFirst := caseOf[[2]string{first, steps[k].name}]
					_, withSecond := caseOf[[2]string{steps[k].name, second}]
					_, matters := caseOf[[2]string{first, second}]
					mayChange = mayChange || withFirst || withSecond || matters
				}
				t.Run(first+"/"+second, func(t *testing.T) {
					if c, matters := caseOf[[2]string{first, second}]; matters {
						tried++
						if got := c.answerWith(t, part, steps); got == c.check(t) {
							t.Errorf("%s: the answer stays the same: %s", c.name, got)
						}
					}
					for _, c := range cases {
						if got := c.answerWith(t, part, steps); !mayChange && got != c.check(t) {
							t.Errorf("%s: the order matters; the answer becomes %s", c.name, got)
						}
					}
				})
			}
		}
	}
	if tried != len(exchanged) {
		t.Errorf("%d of %d pairs whose order matters are in it", tried, len(exchanged))
	}
}

// parts are the lists of steps.
var parts = []*[]step{&serverPart, &storedPart}

// check returns the answer, which has the part that is wanted.
func (c partCase) check(t *testing.T) string {
	t.Helper()
	answer := c.answerWith(t, &serverPart, serverPart)
	if !strings.Contains(answer, c.want) {
		t.Fatalf("%s: the answer is %s, want %s in it", c.name, answer, c.want)
	}
	return answer
}

// answerWith returns the findings and the event to store if the server's part has other steps.
func (c partCase) answerWith(t *testing.T, part *[]step, steps []step) string {
	t.Helper()
	defer func(steps []step) { *part = steps }(*part)
	*part = steps
	result, err := Check(c.request(t))
	if err != nil || !result.Accepted {
		t.Fatal(c.name, result.Findings, err)
	}
	var ids []string
	for _, f := range result.Findings {
		ids = append(ids, f.Rule.ID)
	}
	return "[" + strings.Join(ids, " ") + "] " + result.Stored.String()
}

func (c partCase) request(t *testing.T) *Request {
	t.Helper()
	query, err := url.ParseQuery(c.params)
	if err != nil {
		t.Fatal(err)
	}
	req := &Request{Op: c.op, Params: operation.Params(query), Caller: c.caller}
	if c.google {
		req.Dialect = diag.Google
	}
	eventOf := func(members ...string) *Event {
		members = slices.DeleteFunc(members, func(m string) bool { return m == "" })
		e := new(Event)
		if err := e.UnmarshalJSON([]byte("{" + strings.Join(members, ",") + "}")); err != nil {
			t.Fatal(c.name, err)
		}
		return e
	}
	days := partDays
	if c.timed {
		days = `"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`
	}
	if req.Event = eventOf(days, c.body); c.op == operation.EventsPatch {
		req.Event = eventOf(c.body)
	}
	if !c.value {
		req.Event, req.Body = nil, req.Event.AppendIn(req.Dialect, nil)
	}
	if c.series != "" {
		req.Series = eventOf(partDays, c.series, `"recurrence":["RRULE:FREQ=DAILY"]`)
	}
	if c.op != operation.EventsInsert && !c.none {
		if days = partDays; strings.Contains(c.stored, `"start"`) {
			days = ""
		}
		req.Existing = eventOf(days, c.stored)
	}
	return req
}
