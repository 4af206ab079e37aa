package event_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/operation"
)

// tenFaults is a body with ten separate errors, three of them wrong types.
const tenFaults = `{
	"summary": 5,
	"status": "CONFIRMED",
	"start": {"dateTime": "2026-03-10T09:00:00", "x": {"deep": [1, 2, 3]}},
	"end": {"dateTime": "2026-03-10T25:00:00Z"},
	"attendees": [
		{"email": "ada@example.com", "additionalGuests": "2"},
		{"email": "bob", "responseStatus": "maybe"}
	],
	"reminders": {"useDefault": false, "overrides": [{"method": "popup", "minutes": 40321}, 7]},
	"source": {"url": "ftp://example.com/"}
}`

// kinds returns the kinds and rules of the findings.
func kinds(findings diag.Findings) []string {
	all := []string{}
	for _, f := range findings {
		all = append(all, string(f.Kind)+" "+f.Rule.ID)
	}
	return all
}

func TestGrading(t *testing.T) {
	// The rules are stated, observed, inferred, and one that advises.
	const members = `"status":"x","reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":1}]},` +
		`"attendees":[{"email":"a@example.com","additionalGuests":-1}],"colour":"red"`
	const (
		status, both, guests, unknown = "event.status.enum", "reminders.default-and-overrides", "attendee.guests", "json.unknown-field"
	)
	for _, test := range []struct {
		name    string
		grading diag.Grading
		grade   map[string]string
		want    []string
	}{
		{"none", diag.Grading{}, nil, []string{"reject " + status, "reject " + both, "reject " + guests, "advise " + unknown}},
		{"rule/advise", diag.Grading{}, map[string]string{status: "advise"}, []string{"advise " + status, "reject " + both, "reject " + guests, "advise " + unknown}},
		{"rule/off", diag.Grading{}, map[string]string{status: "off"}, []string{"reject " + both, "reject " + guests, "advise " + unknown}},
		{"rule/reject", diag.Grading{}, map[string]string{unknown: "reject"}, []string{"reject " + status, "reject " + both, "reject " + guests, "reject " + unknown}},
		{"rule/of-the-checker", diag.Grading{Rules: map[string]diag.Grade{status: diag.Off}}, nil, []string{"reject " + both, "reject " + guests, "advise " + unknown}},
		{"rule/request-before-checker", diag.Grading{Rules: map[string]diag.Grade{status: diag.Off}}, map[string]string{status: "advise"},
			[]string{"advise " + status, "reject " + both, "reject " + guests, "advise " + unknown}},
		{"basis/advise", diag.Grading{}, map[string]string{"basis:observed": "advise"}, []string{"reject " + status, "advise " + both, "reject " + guests, "advise " + unknown}},
		{"basis/off", diag.Grading{}, map[string]string{"basis:inferred": "off"}, []string{"reject " + status, "reject " + both}},
		{"basis/rule-before-basis", diag.Grading{}, map[string]string{"basis:inferred": "off", guests: "reject"}, []string{"reject " + status, "reject " + both, "reject " + guests}},
		{"strict", diag.Strict(), nil, []string{"reject " + status, "reject " + both, "reject " + guests, "reject " + unknown}},
		{"lenient", diag.Lenient(), nil, []string{"reject " + status, "advise " + both, "advise " + guests, "advise " + unknown}},
		{"all-off", diag.Grading{}, map[string]string{"basis:stated": "off", "basis:rfc": "off", "basis:inferred": "off", "basis:observed": "off"}, []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			req := bodyRequest{members: members, params: "sendUpdates=all"}.request(t)
			checker := event.Checker{Grading: test.grading.With(test.grade)}
			result := must(checker.Check(req))
			if diff := cmp.Diff(test.want, kinds(result.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			checkVerdict(t, result)
			if diff := cmp.Diff(test.want, kinds(must(checker.Find(req)))); diff != "" {
				t.Errorf("Findings (-want +got):\n%s", diff)
			}
		})
	}
}

// The documents require a time zone of every series; the public service does not require it of all-day ones.
func TestStrictRejectsAdvice(t *testing.T) {
	req := bodyRequest{body: object(`"start":{"date":"2026-03-10"}`, `"end":{"date":"2026-03-11"}`, `"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`)}.request(t)
	if result := must(event.Check(req)); !result.Accepted {
		t.Errorf("rejected: %v", result.Findings)
	}
	strict := event.Checker{Grading: diag.Strict()}
	if result := must(strict.Check(req)); result.Accepted {
		t.Error("the strict checker accepts it")
	}
}

// Grading does not affect what is stored: an ignored value stays ignored.
func TestGradingDoesNotChangeWhatIsStored(t *testing.T) {
	req := bodyRequest{members: `"locked":true,` + conferenceRequest}.request(t)
	checker := event.Checker{Grading: diag.Grading{Rules: map[string]diag.Grade{"event.read-only": diag.Off, "conference.version": diag.Off}}}
	result := must(checker.Check(req))
	if len(result.Findings) > 0 || !result.Accepted || result.Answer.Locked || result.Answer.ConferenceData != nil {
		t.Errorf("the answer is %s with the findings %v", marshal(t, result.Answer), result.Findings)
	}
}

// A request that cannot be checked, and a checker whose options would have no effect, are errors.
func TestCheckErrors(t *testing.T) {
	rules := func(id string, grade diag.Grade) event.Checker {
		return event.Checker{Grading: diag.Grading{Rules: map[string]diag.Grade{id: grade}}}
	}
	none := event.Checker{}
	req := bodyRequest{members: `"status":"x"`}.request(t)
	for name, test := range map[string]struct {
		checker event.Checker
		req     *event.Request
	}{
		"unknown-rule":     {rules("event.status.enumeration", diag.Off), req},
		"unknown-prefix":   {rules("evnt.", diag.Off), req},
		"unknown-grade":    {rules("event.status.enum", "ignore"), req},
		"empty-rule":       {rules("", diag.Off), req},
		"unknown-basis":    {event.Checker{Grading: diag.Grading{Bases: map[diag.Basis]diag.Grade{"hearsay": diag.Off}}}, req},
		"unknown-kind":     {event.Checker{Grading: diag.Grading{Kinds: map[diag.Kind]diag.Grade{"effect": diag.Off}}}, req},
		"negative-maximum": {event.Checker{MaxFindings: -1}, req},
		"unknown-op":       {none, &event.Request{Op: "events.inserted"}},
		"no-op":            {none, &event.Request{}},
		"case-of-op":       {none, &event.Request{Op: "Events.Insert"}},
		"no-request":       {none, nil},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := test.checker.Check(test.req)
			if err == nil || result.Accepted || result.Answer != nil || result.Stored != nil || result.Err() == nil {
				t.Errorf("the answer is %+v with the error %v, want only an error", result, err)
			}
			findings, errFindings := test.checker.Find(test.req)
			if findings != nil || errFindings == nil || err != nil && errFindings.Error() != err.Error() {
				t.Errorf("the findings are %v with the error %v, want only %v", findings, errFindings, err)
			}
		})
	}
}

func TestMaxFindings(t *testing.T) {
	req := &event.Request{Op: operation.EventsInsert, Body: []byte(tenFaults)}
	all := len(must(event.Find(req)))
	for _, limit := range []int{1, 3, 10, all, all + 1} {
		checker := event.Checker{MaxFindings: limit}
		result := must(checker.Check(req))
		if len(result.Findings) != min(limit, all) {
			t.Errorf("MaxFindings %d: %d findings", limit, len(result.Findings))
		}
		if result.Truncated != (limit < all) {
			t.Errorf("MaxFindings %d: Truncated = %t of %d findings", limit, result.Truncated, all)
		}
		if result.Accepted {
			t.Errorf("MaxFindings %d: accepted", limit)
		}
	}
}

// An invalid request is rejected, however few findings are kept and whatever comes first.
func TestMaxFindingsStillRejects(t *testing.T) {
	unknown := make([]string, engine.Most+500)
	for i := range unknown {
		unknown[i] = fmt.Sprintf(`"x%d":0`, i)
	}
	advice := strings.Join(unknown, ",")
	for name, fault := range map[string]string{
		"value":          `"status":"x"`,
		"type":           `"sequence":"x"`,
		"map":            `"extendedProperties":{"private":{"a":1}}`,
		"duplicate-name": `"summary":"a","summary":"b"`,
		"syntax":         `"summary":"\ud800"`,
	} {
		for _, limit := range []int{0, 1, 5 * engine.Most} {
			checker := event.Checker{MaxFindings: limit}
			result := must(checker.Check(bodyRequest{members: advice + "," + fault}.request(t)))
			if result.Accepted || !result.Findings.Rejected() {
				t.Errorf("%s after %d unknown members, MaxFindings %d: accepted %t, a finding that is kept rejects: %t",
					name, len(unknown), limit, result.Accepted, result.Findings.Rejected())
			}
			if limit > len(unknown) && !result.Truncated && len(result.Findings) <= len(unknown) {
				t.Errorf("%s: %d findings, %d of them kept, MaxFindings %d, but Truncated is false", name, len(unknown)+1, len(result.Findings), limit)
			}
		}
	}
}

// The findings are the same each time, even if only some of those about a map are kept, whose keys Go visits in random order.
func TestFindingsAreReproducible(t *testing.T) {
	properties := make([]string, 20)
	for i := range properties {
		properties[i] = fmt.Sprintf(`"%s%d":""`, strings.Repeat("k", 50), i)
	}
	req := bodyRequest{members: `"extendedProperties":{"private":{` + strings.Join(properties, ",") + `}}`}.request(t)
	for _, limit := range []int{0, 5} {
		checker := event.Checker{MaxFindings: limit}
		want := describe(must(checker.Find(req)))
		for range 20 {
			if diff := cmp.Diff(want, describe(must(checker.Find(req)))); diff != "" {
				t.Errorf("MaxFindings %d: the findings differ between checks:\n%s", limit, diff)
				break
			}
		}
	}
}

// A Checker is safe for concurrent use.
func TestCheckConcurrently(t *testing.T) {
	checker := event.Checker{Grading: diag.Lenient(), NewID: func() string { return "newid" }}
	requests := []*event.Request{
		bodyRequest{}.request(t),
		bodyRequest{body: full, params: "eventLabelVersion=1&conferenceDataVersion=1&supportsAttachments=true"}.request(t),
		{Op: operation.EventsInsert, Body: []byte(tenFaults)},
		{Op: operation.EventsInsert, Event: read(t, full)},
		bodyRequest{op: operation.Response}.request(t),
		bodyRequest{body: `{"start":`}.request(t),
	}
	want := make([]string, len(requests))
	for i, req := range requests {
		want[i] = marshal(t, must(checker.Check(req)))
	}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for n := range 50 {
				i := (g + n) % len(requests)
				if got := marshal(t, must(checker.Check(requests[i]))); got != want[i] {
					t.Errorf("the answer to request %d is %s, want %s", i, got, want[i])
					return
				}
			}
		})
	}
	wg.Wait()
}

// The advice of a finding does not contradict another rule, nor what the request can do.
func TestAdviceFitsTheRequest(t *testing.T) {
	const (
		notMember = `"recurringEventId":"series1","originalStartTime":{"date":"2026-03-20"}`
		noMember  = "The originalStartTime 2026-03-20 is not the start of an instance of the series. "
		noLength  = "The end equals the start, so the event has no duration. "
		otherType = "The event has focusTimeProperties, but its eventType is default; they have an effect only with focusTime. "
	)
	request := func(c bodyRequest) *event.Request { return c.request(t) }
	change := func(c changeRequest, series string) *event.Request {
		req := c.request(t)
		if series != "" {
			req.Series = read(t, object(series))
		}
		return req
	}
	for _, test := range []struct {
		name, rule string
		req        *event.Request
		want       string
	}{
		{"insert", "event.original-start.member", request(bodyRequest{members: notMember, series: series}), noMember + "Leave it out."},
		{"import", "event.original-start.member", request(bodyRequest{op: operation.EventsImport, members: notMember + `,"iCalUID":"u"`, series: series}),
			noMember + "Send the originalStartTime of an instance."},
		{"patch", "event.original-start.member", change(changeRequest{stored: notMember, sent: `"summary":"x"`}, series), noMember + "Compare it with the recurrence of the series."},
		{"response", "event.original-start.member", request(bodyRequest{op: operation.Response, members: notMember, series: series}),
			noMember + "Compare it with the recurrence of the series."},
		{"in another form", "event.original-start.member", request(bodyRequest{op: operation.Response, members: `"originalStartTime":{"date":"2026-03-11"}`, series: series}),
			"The originalStartTime 2026-03-11 does not have the form of the start of the series; it identifies the instance of 2026-03-11T09:00:00-04:00."},
		{"by the id", "event.original-start.member", request(bodyRequest{op: operation.Response, base: timed, members: `"id":"series1_20260311T130000Z","originalStartTime":{"dateTime":"2026-03-20T13:00:00Z"}`, series: series}),
			"The originalStartTime 2026-03-20T13:00:00Z is not the start of an instance of the series; the id identifies the instance of 2026-03-11T09:00:00-04:00."},

		{"all-day", "time.empty", request(bodyRequest{body: `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-10"}}`}), noLength + "A one-day event ends on the next day."},
		{"timed", "time.empty", request(bodyRequest{body: `{"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T09:00:00Z"}}`}), noLength + "Send an end after the start."},

		{"skipped", "time.order", request(bodyRequest{body: `{"start":{"dateTime":"2026-03-08T02:30:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-08T03:15:00","timeZone":"America/New_York"}}`}),
			"The end 2026-03-08T03:15:00 in America/New_York is before the start 2026-03-08T02:30:00 in America/New_York " +
				"(which the clock skips, so it means 2026-03-08T03:30:00-04:00). Send an end after the start."},
		{"not skipped", "time.order", request(bodyRequest{body: `{"start":{"dateTime":"2026-03-09T02:30:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-09T01:15:00","timeZone":"America/New_York"}}`}),
			"The end 2026-03-09T01:15:00 in America/New_York is before the start 2026-03-09T02:30:00 in America/New_York. Send an end after the start."},
		{"has an offset", "time.order", request(bodyRequest{body: `{"start":{"dateTime":"2026-03-08T02:30:00-05:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-08T01:15:00-05:00","timeZone":"America/New_York"}}`}),
			"The end 2026-03-08T01:15:00-05:00 in America/New_York is before the start 2026-03-08T02:30:00-05:00 in America/New_York. Send an end after the start."},

		{"missing", "attachments.file-url", request(bodyRequest{members: `"attachments":[{"title":"a"}]`}), "The fileUrl is required."},
		{"empty", "attachments.file-url", request(bodyRequest{members: `"attachments":[{"fileUrl":""}]`}), "The fileUrl is required but empty."},

		{"new", "attachments.supports", request(bodyRequest{members: `"attachments":[{"fileUrl":"https://a.example/1"}]`}),
			"The event has attachments without supportsAttachments=true. Add the parameter, or leave the attachments out."},
		{"changed", "attachments.supports", change(changeRequest{sent: `"attachments":[{"fileUrl":"https://a.example/1"}]`}, ""),
			"The request adds, changes or removes attachments without supportsAttachments=true. Add the parameter, or send the attachments unchanged."},

		{"insert", "focus-time.event-type", request(bodyRequest{members: `"focusTimeProperties":{}`}), otherType + "Leave them out, or send that type."},
		{"import", "focus-time.event-type", request(bodyRequest{op: operation.EventsImport, members: `"focusTimeProperties":{},"iCalUID":"u"`}), otherType + "Leave them out."},

		{"set", "event.label.version", change(changeRequest{sent: `"eventLabelId":"l1"`}, ""),
			`The request sets eventLabelId to "l1" without eventLabelVersion=1. Add the parameter, or leave the eventLabelId out.`},
		{"removed", "event.label.version", change(changeRequest{stored: `"eventLabelId":"l1"`, sent: `"eventLabelId":null`}, ""),
			"The request removes eventLabelId without eventLabelVersion=1. Add the parameter, or leave the eventLabelId out."},

		{"three guests", "attendee.removed", change(changeRequest{stored: `"attendees":[{"email":"a@b"},{"email":"c@d"},{"email":"e@f"}]`, sent: `"attendees":[{"email":"g@h"}]`}, ""),
			"The attendees in the request replace the stored ones and leave out 3 guests: a@b, c@d, e@f. Send the stored attendees too, or an empty array to remove them."},
		{"four guests", "attendee.removed", change(changeRequest{stored: `"attendees":[{"email":"a@b"},{"email":"c@d"},{"email":"e@f"},{"id":"g"}]`, sent: `"attendees":[{"email":"g@h"}]`}, ""),
			"The attendees in the request replace the stored ones and leave out 4 guests: a@b, c@d, e@f, …. Send the stored attendees too, or an empty array to remove them."},

		{"inserted", "event.recurring-id.written", request(bodyRequest{members: `"recurringEventId":"series1"`}),
			"An instance cannot be inserted, because the service creates it. Update the instance by its own id instead."},
		{"imported", "event.recurring-id.written", request(bodyRequest{op: operation.EventsImport, members: `"recurringEventId":"series1","iCalUID":"u"`}),
			"The public service refuses to import an occurrence with the iCalUID of its series. Import the series, or leave recurringEventId out and give the occurrence another iCalUID."},

		{"changed", "update.etag", change(changeRequest{tag: `"1"`, etag: `"2"`, sent: `"summary":"x"`}, ""),
			`The request is conditional on the etag "\"1\"", but the stored event has a different etag. Get the event again, and send the request with its etag.`},
		{"weak-for-strong", "update.etag", change(changeRequest{tag: `"9", W/"1"`, etag: `"1"`, sent: `"summary":"x"`}, ""),
			`The request is conditional on the etag "\"9\", W/\"1\"", but the stored event has a strong etag, and a weak etag matches no event. Send the stored etag, without W/.`},
		{"unquoted", "update.etag", change(changeRequest{tag: `1`, etag: `"1"`, sent: `"summary":"x"`}, ""),
			`The request is conditional on the etag "1", but the stored etag is in quotes, which are part of it. Send the stored etag with its quotes.`},
		{"weak", "update.etag", change(changeRequest{tag: `W/"1"`, etag: `W/"1"`, sent: `"summary":"x"`}, ""),
			`The request is conditional on the etag "W/\"1\"", but the stored event has a weak etag, which only * matches. Send the request without a condition.`},
	} {
		var got []string
		for _, f := range must(event.Check(test.req)).Findings {
			if f.Rule.ID == test.rule {
				got = append(got, f.Message())
			}
		}
		if diff := cmp.Diff([]string{test.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// The finding about a misspelled member suggests the right name.
func TestJSONUnknownFieldSuggests(t *testing.T) {
	for members, want := range map[string]string{
		`"sumary":"x"`:                     `Did you mean summary?`,
		`"attendes":[]`:                    `Did you mean attendees?`,
		`"colour":"7"`:                     `Did you mean colorId?`,
		`"reminders":{"useDefaults":true}`: `Did you mean useDefault?`,
		`"attendees":[{"email":"a@example.com","coment":"x"}]`: `Did you mean comment?`,
	} {
		findings := must(event.Find(bodyRequest{members: members, params: "sendUpdates=all"}.request(t)))
		if len(findings) != 1 || !strings.Contains(findings[0].Message(), want) {
			t.Errorf("%s: %v, want the suggestion %s", members, findings, want)
		}
	}
}

// Nothing is stored that a new event could keep, even if the service marks one of its attendees.
func TestReadOnlyMessage(t *testing.T) {
	const body = `{"iCalUID":"u","organizer":{"email":"ada@example.com"},"attendees":[{"email":"ada@example.com","organizer":false}]}`
	for op, want := range map[operation.ID]string{
		operation.EventsImport: "Only the service writes organizer, so the value in this request has no effect. Leave it out.",
		operation.EventsPatch:  "Only the service writes organizer, so the value in this request has no effect, and the stored value is kept. Leave it out.",
	} {
		req := event.Request{Op: op, Body: []byte(body)}
		if op == operation.EventsPatch {
			req.Existing = read(t, `{"attendees":[{"email":"ada@example.com","organizer":true}]}`)
		}
		findings := must(event.Find(&req))
		if !slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Message() == want }) {
			t.Errorf("%s: %v, want %q", op, findings, want)
		}
	}
}

// Advice does not become a rejection if there are more findings than are kept, and a finding that rejects is always kept.
func TestPatchBeyondMaxFindings(t *testing.T) {
	unknown := numbered(2*engine.Most, `"member%d":0`)
	stored := read(t, object(timed, `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260331T000000Z"]`))
	for name, test := range map[string]struct {
		sent string
		want []string
	}{
		"empty":  {`"start":{"dateTime":"2026-04-10T09:00:00-04:00"},"end":{"dateTime":"2026-04-10T10:00:00-04:00"}`, []string{}},
		"beside": {`"end":{"dateTime":"2026-03-10T08:00:00-04:00"}`, []string{"reject patch.whole"}},
		"alone":  {`"status":"x"`, []string{"reject event.status.enum"}},
	} {
		body := object(test.sent, unknown[1:len(unknown)-1])
		result := must(event.Check(&event.Request{Op: operation.EventsPatch, Existing: stored, Body: []byte(body)}))
		if result.Accepted != (len(test.want) == 0) || !result.Truncated || len(result.Findings) != engine.Most {
			t.Errorf("%s: accepted %t, truncated %t, %d findings", name, result.Accepted, result.Truncated, len(result.Findings))
		}
		if diff := cmp.Diff(test.want, kinds(result.Findings.OfKind(diag.Reject))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A body counts in each of the members that can have it.
func TestBodyOfAnotherOperation(t *testing.T) {
	text := "{}"
	for name, test := range map[string]struct {
		req  event.Request
		want string
	}{
		"body":       {event.Request{Body: []byte(text)}, "unspecified operation.unspecified"},
		"empty-body": {event.Request{Body: []byte{}}, "reject json.syntax"},
		"event":      {event.Request{Event: new(event.Event)}, "unspecified operation.unspecified"},
	} {
		test.req.Op = "acl.insert"
		if diff := cmp.Diff([]string{test.want}, kinds(must(event.Check(&test.req)).Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A rule that is off restates nothing, so the next one reports the fault.
func TestGradedFaultIsReported(t *testing.T) {
	moved := changeRequest{stored: `"recurrence":["RRULE:FREQ=DAILY;COUNT=5","EXDATE;TZID=America/New_York:20260312T090000"]`, sent: `"start":{"dateTime":"2026-03-10T09:30:00-04:00"}`}
	typed := changeRequest{sent: `"eventType":"party"`}
	for _, test := range []struct {
		name    string
		c       changeRequest
		grading diag.Grading
		want    []string
	}{
		{"exclusion", moved, diag.Documented(), []string{"recurrence.exdate-misses /recurrence/1"}},
		{"enumeration", typed, diag.Grading{Rules: map[string]diag.Grade{"event.type.enum": diag.Off}}, []string{"event.type.immutable /eventType"}},
		{"enumeration as advice", typed, diag.Grading{Rules: map[string]diag.Grade{"event.type.enum": diag.ToAdvise}},
			[]string{"event.type.enum=advise /eventType", "event.type.immutable /eventType"}},
	} {
		checker := event.Checker{Grading: test.grading}
		if diff := cmp.Diff(test.want, describe(must(checker.Check(test.c.request(t))).Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
