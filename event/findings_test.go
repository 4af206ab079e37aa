package event_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
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

// tenPlaces are the errors of tenFaults in document order. The member x only causes advice.
var tenPlaces = []string{
	"json.type /summary",
	"event.status.enum /status",
	"time.offset /start/dateTime",
	"time.datetime.format /end/dateTime",
	"json.type /attendees/0/additionalGuests",
	"attendee.email.address /attendees/1/email",
	"attendee.response.enum /attendees/1/responseStatus",
	"reminders.minutes /reminders/overrides/0/minutes",
	"json.type /reminders/overrides/1",
	"source.url /source/url",
}

func TestTenFaults(t *testing.T) {
	result := must(event.Check(&event.Request{Op: operation.EventsInsert, Body: []byte(tenFaults)}))
	if diff := cmp.Diff(tenPlaces, describe(result.Findings.Kind(diag.Reject), nil)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"json.unknown-field /start/x"}, describe(result.Findings.Kind(diag.Advise), nil)); diff != "" {
		t.Errorf("advice (-want +got):\n%s", diff)
	}
	checkResult(t, result)
}

// Findings are in the order of their places in the body, whatever the order of rules and tables.
func TestFindingsInDocumentOrder(t *testing.T) {
	for _, test := range []struct {
		ruleCase
		want []string
	}{
		{ruleCase{name: "reversed", body: `{"eventType":"x","visibility":"x","end":{"date":"x"},"transparency":"x","start":{"date":"x"},"status":"x","id":"x","kind":"x"}`},
			[]string{"event.type.enum /eventType", "event.visibility.enum /visibility", "time.date.format /end/date", "event.transparency.enum /transparency",
				"time.date.format /start/date", "event.status.enum /status", "event.id.alphabet /id", "event.id.length /id", "event.kind /kind"}},
		{ruleCase{name: "query-first", params: "maxAttendees=0&sendUpdates=x", members: `"status":"x"`},
			[]string{"insert.param.max-attendees ?maxAttendees", "insert.param.send-updates ?sendUpdates", "event.status.enum /status"}},
		{ruleCase{name: "missing-before-present", body: `{"status":"x"}`},
			[]string{"event.start.required /start", "event.end.required /end", "event.status.enum /status"}},
		{ruleCase{name: "tenth-after-second", members: `"attendees":[{},{"email":"1"},{"email":"a@b"},{"email":"c@b"},{"email":"d@b"},{"email":"e@b"},{"email":"f@b"},{"email":"g@b"},{"email":"h@b"},{"email":"i@b"},{"email":"10"}]`},
			[]string{"attendee.email.required /attendees/0/email", "attendee.email.address /attendees/1/email", "attendee.email.address /attendees/10/email"}},
		{ruleCase{name: "of-several-packages", params: "conferenceDataVersion=1", members: `"conferenceData":{"notes":"` + strings.Repeat("n", 2049) + `","createRequest":{}},"recurrence":["X"],"sequence":-1`},
			[]string{"conference.notes /conferenceData/notes", "conference.request.id /conferenceData/createRequest/requestId", "recurrence.line.name /recurrence/0", "event.sequence /sequence"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := describe(must(event.Findings(test.request(t))), nil)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

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
		{"rule/of-the-checker", diag.Grading{Rules: map[string]diag.Kind{status: diag.Off}}, nil, []string{"reject " + both, "reject " + guests, "advise " + unknown}},
		{"rule/request-before-checker", diag.Grading{Rules: map[string]diag.Kind{status: diag.Off}}, map[string]string{status: "advise"},
			[]string{"advise " + status, "reject " + both, "reject " + guests, "advise " + unknown}},
		{"basis/advise", diag.Grading{}, map[string]string{"basis:observed": "advise"}, []string{"reject " + status, "advise " + both, "reject " + guests, "advise " + unknown}},
		{"basis/off", diag.Grading{}, map[string]string{"basis:inferred": "off"}, []string{"reject " + status, "reject " + both}},
		{"basis/rule-before-basis", diag.Grading{}, map[string]string{"basis:inferred": "off", guests: "reject"}, []string{"reject " + status, "reject " + both, "reject " + guests}},
		{"strict", diag.Strict(), nil, []string{"reject " + status, "reject " + both, "reject " + guests, "reject " + unknown}},
		{"lenient", diag.Lenient(), nil, []string{"reject " + status, "advise " + both, "advise " + guests, "advise " + unknown}},
		{"all-off", diag.Grading{}, map[string]string{"basis:stated": "off", "basis:rfc": "off", "basis:inferred": "off", "basis:observed": "off"}, []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			req := ruleCase{members: members, params: "sendUpdates=all"}.request(t)
			checker := event.Checker{Grading: test.grading.With(test.grade)}
			result := must(checker.Check(req))
			if diff := cmp.Diff(test.want, kinds(result.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			checkResult(t, result)
			if diff := cmp.Diff(test.want, kinds(must(checker.Findings(req)))); diff != "" {
				t.Errorf("Findings (-want +got):\n%s", diff)
			}
		})
	}
}

// The documents require a time zone of every series; the public service does not require it of
// all-day ones.
func TestStrictRejectsAdvice(t *testing.T) {
	req := ruleCase{body: object(`"start":{"date":"2026-03-10"}`, `"end":{"date":"2026-03-11"}`, `"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`)}.request(t)
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
	req := ruleCase{members: `"locked":true,` + conferenceRequest}.request(t)
	checker := event.Checker{Grading: diag.Grading{Rules: map[string]diag.Kind{"event.read-only": diag.Off, "conference.version": diag.Off}}}
	result := must(checker.Check(req))
	if len(result.Findings) > 0 || !result.Accepted || result.Answer.Locked || result.Answer.ConferenceData != nil {
		t.Errorf("the answer is %s with the findings %v", marshal(t, result.Answer), result.Findings)
	}
}

// A request that cannot be checked, and a checker whose options would have no effect, are errors.
func TestCheckErrors(t *testing.T) {
	rules := func(id string, grade diag.Kind) event.Checker {
		return event.Checker{Grading: diag.Grading{Rules: map[string]diag.Kind{id: grade}}}
	}
	none := event.Checker{}
	req := ruleCase{members: `"status":"x"`}.request(t)
	for name, test := range map[string]struct {
		checker event.Checker
		req     *event.Request
	}{
		"unknown-rule":      {rules("event.status.enumeration", diag.Off), req},
		"unknown-prefix":    {rules("evnt.", diag.Off), req},
		"unknown-grade":     {rules("event.status.enum", "ignore"), req},
		"empty-rule":        {rules("", diag.Off), req},
		"unknown-basis":     {event.Checker{Grading: diag.Grading{Bases: map[diag.Basis]diag.Kind{"hearsay": diag.Off}}}, req},
		"kind-of-no-report": {event.Checker{Grading: diag.Grading{Kinds: map[diag.Kind]diag.Kind{diag.Effect: diag.Off}}}, req},
		"negative-maximum":  {event.Checker{MaxFindings: -1}, req},
		"unknown-op":        {none, &event.Request{Op: "events.inserted"}},
		"no-op":             {none, &event.Request{}},
		"case-of-op":        {none, &event.Request{Op: "Events.Insert"}},
		"no-request":        {none, nil},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := test.checker.Check(test.req)
			if err == nil || result.Accepted || result.Answer != nil || result.Stored != nil || result.Err() == nil {
				t.Errorf("the answer is %+v with the error %v, want only an error", result, err)
			}
			findings, errFindings := test.checker.Findings(test.req)
			if findings != nil || errFindings == nil || err != nil && errFindings.Error() != err.Error() {
				t.Errorf("the findings are %v with the error %v, want only %v", findings, errFindings, err)
			}
		})
	}
}

func TestMaxFindings(t *testing.T) {
	req := &event.Request{Op: operation.EventsInsert, Body: []byte(tenFaults)}
	all := len(must(event.Findings(req)))
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
	unknown := make([]string, diag.DefaultMax+500)
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
		for _, limit := range []int{0, 1, 5 * diag.DefaultMax} {
			checker := event.Checker{MaxFindings: limit}
			result := must(checker.Check(ruleCase{members: advice + "," + fault}.request(t)))
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

// The findings are the same each time, even if only some of those about a map are kept, whose keys
// Go visits in random order.
func TestFindingsAreReproducible(t *testing.T) {
	properties := make([]string, 20)
	for i := range properties {
		properties[i] = fmt.Sprintf(`"%s%d":""`, strings.Repeat("k", 50), i)
	}
	req := ruleCase{members: `"extendedProperties":{"private":{` + strings.Join(properties, ",") + `}}`}.request(t)
	for _, limit := range []int{0, 5} {
		checker := event.Checker{MaxFindings: limit}
		want := describe(must(checker.Findings(req)), nil)
		for range 20 {
			if diff := cmp.Diff(want, describe(must(checker.Findings(req)), nil)); diff != "" {
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
		ruleCase{}.request(t),
		ruleCase{body: full, params: "eventLabelVersion=1&conferenceDataVersion=1&supportsAttachments=true"}.request(t),
		{Op: operation.EventsInsert, Body: []byte(tenFaults)},
		{Op: operation.EventsInsert, Event: read(t, full)},
		ruleCase{op: operation.Response}.request(t),
		ruleCase{body: `{"start":`}.request(t),
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
		noLength  = "The end equals the start, and the end is exclusive, so the event has no duration. "
		otherType = "The event has focusTimeProperties, but its eventType is default; they have an effect only with focusTime. "
	)
	request := func(c ruleCase) *event.Request { return c.request(t) }
	change := func(c changeCase, series string) *event.Request {
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
		{"insert", "event.original-start.member", request(ruleCase{members: notMember, series: series}), noMember + "Leave it out."},
		{"import", "event.original-start.member", request(ruleCase{op: operation.EventsImport, members: notMember + `,"iCalUID":"u"`, series: series}),
			noMember + "Send that of an instance."},
		{"patch", "event.original-start.member", change(changeCase{stored: notMember, sent: `"summary":"x"`}, series), noMember + "Compare it with the recurrence of the series."},
		{"response", "event.original-start.member", request(ruleCase{op: operation.Response, members: notMember, series: series}),
			noMember + "Compare it with the recurrence of the series."},

		{"all-day", "time.empty", request(ruleCase{body: `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-10"}}`}), noLength + "An event of one day ends on the next day."},
		{"timed", "time.empty", request(ruleCase{body: `{"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T09:00:00Z"}}`}), noLength + "Send an end after the start."},

		{"skipped", "time.order", request(ruleCase{body: `{"start":{"dateTime":"2026-03-08T02:30:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-08T03:15:00","timeZone":"America/New_York"}}`}),
			"The end 2026-03-08T03:15:00 in America/New_York is before the start 2026-03-08T02:30:00 in America/New_York " +
				"(which the clock skips, so it means 2026-03-08T03:30:00-04:00). Send an end after the start."},
		{"not skipped", "time.order", request(ruleCase{body: `{"start":{"dateTime":"2026-03-09T02:30:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-09T01:15:00","timeZone":"America/New_York"}}`}),
			"The end 2026-03-09T01:15:00 in America/New_York is before the start 2026-03-09T02:30:00 in America/New_York. Send an end after the start."},
		{"has an offset", "time.order", request(ruleCase{body: `{"start":{"dateTime":"2026-03-08T02:30:00-05:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-08T01:15:00-05:00","timeZone":"America/New_York"}}`}),
			"The end 2026-03-08T01:15:00-05:00 in America/New_York is before the start 2026-03-08T02:30:00-05:00 in America/New_York. Send an end after the start."},

		{"missing", "attachments.file-url", request(ruleCase{members: `"attachments":[{"title":"a"}]`}), "The fileUrl is missing; it is required. Send it."},
		{"empty", "attachments.file-url", request(ruleCase{members: `"attachments":[{"fileUrl":""}]`}), "The fileUrl is empty; it is required. Send it."},

		{"new", "attachments.supports", request(ruleCase{members: `"attachments":[{"fileUrl":"https://a.example/1"}]`}),
			"The event has attachments without supportsAttachments=true. Add the parameter, or leave the attachments out."},
		{"changed", "attachments.supports", change(changeCase{sent: `"attachments":[{"fileUrl":"https://a.example/1"}]`}, ""),
			"The request adds, changes or removes attachments without supportsAttachments=true. Add the parameter, or send the attachments unchanged."},

		{"insert", "focus-time.event-type", request(ruleCase{members: `"focusTimeProperties":{}`}), otherType + "Leave them out, or send that type."},
		{"import", "focus-time.event-type", request(ruleCase{op: operation.EventsImport, members: `"focusTimeProperties":{},"iCalUID":"u"`}), otherType + "Leave them out."},

		{"set", "event.label.version", change(changeCase{sent: `"eventLabelId":"l1"`}, ""),
			`The request sets eventLabelId to "l1" without eventLabelVersion=1. Add the parameter, or leave the eventLabelId out.`},
		{"removed", "event.label.version", change(changeCase{stored: `"eventLabelId":"l1"`, sent: `"eventLabelId":null`}, ""),
			"The request removes eventLabelId without eventLabelVersion=1. Add the parameter, or leave the eventLabelId out."},

		{"changed", "update.etag", change(changeCase{tag: `"1"`, etag: `"2"`, sent: `"summary":"x"`}, ""),
			`The request is conditional on the etag "\"1\"", but the stored event has another one. Get the event again, and send the request with its etag.`},
		{"weak-for-strong", "update.etag", change(changeCase{tag: `"9", W/"1"`, etag: `"1"`, sent: `"summary":"x"`}, ""),
			`The request is conditional on the etag "\"9\", W/\"1\"", but the stored event has a strong one, and a weak one matches no event. Send the stored etag, without W/.`},
		{"unquoted", "update.etag", change(changeCase{tag: `1`, etag: `"1"`, sent: `"summary":"x"`}, ""),
			`The request is conditional on the etag "1", but the stored event has it in quotes, which are part of an etag. Send the stored etag with its quotes.`},
		{"weak", "update.etag", change(changeCase{tag: `W/"1"`, etag: `W/"1"`, sent: `"summary":"x"`}, ""),
			`The request is conditional on the etag "W/\"1\"", but the stored event has a weak one, which only * matches. Send the request without a condition.`},
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
