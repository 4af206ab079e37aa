package event_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/operation"
)

// answerLine answers a line of the batch form with the findings, as "rule path", and the event.
func answerLine(t *testing.T, c event.Checker, line string) (findings []string, result event.Result) {
	t.Helper()
	var req batch.Request
	if err := req.UnmarshalJSON([]byte(line)); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	result, err := req.Check(&c)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	for _, f := range result.Findings {
		findings = append(findings, f.Rule.ID+" "+string(f.Path))
	}
	return findings, result
}

// Each request says the same in both dialects, and so does its answer.
func TestCheckInDialect(t *testing.T) {
	const days = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	request := `"conferenceData":{"createRequest":{"requestId":"a","conferenceSolutionKey":{"type":%q}}}`
	solution := `"conferenceData":{"conferenceSolution":{"key":{"type":%q}},"entryPoints":[{"entryPointType":"video","uri":"https://meet.example.com/"}]}`
	for _, test := range []struct {
		name, line string
		names      [][2]string // in the order of the verbs of the line: of the documents, of the public service
		want       []string    // findings, with the paths of the public service
		event      string      // a part of its answer
	}{
		{"stored-link", `"op":"events.get","existing":{"id":"abcde",%q:"https://a.example/",` + days + `}`,
			[][2]string{{"videoLink", "hangoutLink"}}, nil, `"hangoutLink":"https://a.example/"`},
		{"series", `"op":"events.get","existing":{"id":"abcde"},"series":{"id":"s",%q:5}`,
			[][2]string{{"unknown", "unknown"}}, nil, `"id":"abcde"`},
		{"link-sent", `"op":"events.insert","body":{%q:"https://a.example/",` + days + `}`,
			[][2]string{{"videoLink", "hangoutLink"}}, []string{"event.server-set /hangoutLink"}, `"status":"confirmed"`},
		{"link-of-the-other", `"op":"events.insert","body":{%q:"https://a.example/",` + days + `}`,
			[][2]string{{"hangoutLink", "videoLink"}}, []string{"json.unknown-field /videoLink"}, `"videoLink":"https://a.example/"`},
		{"link-type", `"op":"events.insert","body":{%q:5,` + days + `}`,
			[][2]string{{"videoLink", "hangoutLink"}}, []string{"json.type /hangoutLink"}, ""},
		{"type", `"op":"events.insert","body":{"eventType":%q,` + days + `}`,
			[][2]string{{"fromMail", "fromGmail"}}, []string{"event.type.from-mail /eventType"}, ""},
		{"type-of-the-other", `"op":"events.insert","body":{"eventType":%q,` + days + `}`,
			[][2]string{{"fromGmail", "fromMail"}}, []string{"event.type.enum /eventType"}, ""},
		{"type-immutable", `"op":"events.update","existing":{"id":"abcde","eventType":%q,` + days + `},"body":{"eventType":"default",` + days + `}`,
			[][2]string{{"fromMail", "fromGmail"}}, []string{"event.type.immutable /eventType"}, ""},
		{"conference-asked", `"op":"events.insert","params":{"conferenceDataVersion":"1"},"body":{` + days + `,` + request + `}`,
			[][2]string{{"videoMeet", "hangoutsMeet"}}, nil, `"conferenceSolutionKey":{"type":"hangoutsMeet"}`},
		{"conference-of-the-other", `"op":"events.insert","params":{"conferenceDataVersion":"1"},"body":{` + days + `,` + request + `}`,
			[][2]string{{"hangoutsMeet", "videoMeet"}}, []string{"conference.type.enum /conferenceData/createRequest/conferenceSolutionKey/type"}, ""},
		{"conference-deprecated", `"op":"events.insert","params":{"conferenceDataVersion":"1"},"body":{` + days + `,` + solution + `}`,
			[][2]string{{"eventNamedVideo", "eventNamedHangout"}}, []string{"conference.type.create /conferenceData/conferenceSolution/key/type"}, ""},
		{"conference-returned", `"op":"response","body":{` + days + `,` + solution + `}`,
			[][2]string{{"eventVideo", "eventHangout"}}, nil, `"key":{"type":"eventHangout"}`},
		{"moved", `"op":"events.move","params":{"destination":"team@example.com"},"existing":{"id":"abcde",%q:"https://a.example/",` + days + `}`,
			[][2]string{{"videoLink", "hangoutLink"}}, nil, `"hangoutLink":"https://a.example/"`},
		{"free-text", `"op":"events.insert","body":{"summary":"fromMail videoLink videoMeet",` + days + `,"extendedProperties":{"private":{"videoLink":"fromMail"}}}`,
			nil, nil, `"private":{"videoLink":"fromMail"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var of [2][]any
			for _, pair := range test.names {
				of[0], of[1] = append(of[0], pair[0]), append(of[1], pair[1])
			}
			line := "{" + test.line + "}"
			plain, _ := answerLine(t, event.Checker{}, fmt.Sprintf(line, of[0]...))
			chosen, result := answerLine(t, event.Checker{}, fmt.Sprintf(`{"dialect":"google",`+test.line+"}", of[1]...))
			if diff := cmp.Diff(test.want, chosen); diff != "" {
				t.Errorf("in google (-want +got):\n%s", diff)
			}
			for i := range plain {
				for _, pair := range test.names {
					plain[i] = strings.ReplaceAll(plain[i], pair[0], pair[1])
				}
			}
			if diff := cmp.Diff(test.want, plain); diff != "" {
				t.Errorf("in the documents' names (-want +got):\n%s", diff)
			}
			if answer := string(batch.AppendAnswer(nil, nil, result)); result.Accepted != (test.event != "") || !strings.Contains(answer, test.event) {
				t.Errorf("the answer is %s, want %s", answer, test.event)
			}
		})
	}
}

// A message quotes what was sent, and has the names of the dialect everywhere else.
func TestMessagesInDialect(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{`{"dialect":"google","op":"events.insert","body":{"eventType":"fromMail"}}`,
			`The eventType is "fromMail"; it must be birthday, default, focusTime, outOfOffice or workingLocation. That is the name of fromGmail in the dialect documents.`},
		{`{"op":"events.insert","body":{"eventType":"fromGmail"}}`, `That is the name of fromMail in the dialect google.`},
		{`{"dialect":"google","op":"events.insert","body":{"hangoutLink":"fromMail videoLink"}}`, `Only the service writes hangoutLink,`},
		{`{"dialect":"google","op":"events.insert","body":{"visibility":"videoLink"}}`, `The visibility is "videoLink";`},
		{`{"dialect":"google","op":"events.patch","existing":{"eventType":"fromGmail"},"body":{"eventType":"focusTime"}}`,
			`The request changes the immutable eventType from "fromGmail" to "focusTime".`},
		{`{"dialect":"google","op":"events.patch","params":{"conferenceDataVersion":"1"},
			"existing":{"conferenceData":{"conferenceSolution":{"key":{"type":"videoLink"}}}},"body":{"conferenceData":null}}`,
			`The stored conference has the type "videoLink", which is not eventHangout, eventNamedHangout, hangoutsMeet or addOn;`},
		{`{"dialect":"google","op":"events.insert","body":{},"caller":{"scopes":["https://scope.example/auth/calendar"]}}`,
			`under https://www.googleapis.com`},
		{`{"dialect":"google","op":"events.move","params":{"destination":"team@example.com"},"existing":{"id":"abc12def","eventType":"fromGmail"}}`,
			`The event has the type "fromGmail", but only events of type default can be moved.`},
		{`{"op":"events.insert","params":{"conferenceDataVersion":"1"},"body":{"conferenceData":{"createRequest":{"requestId":"r","conferenceSolutionKey":{"type":"eventHangout"}}}}}`,
			`The type is "eventHangout"; it must be videoMeet or addOn. That is the name of eventVideo in the dialect google.`},
	} {
		_, result := answerLine(t, event.Checker{}, test.line)
		found := false
		for _, f := range result.Findings {
			found = found || strings.Contains(f.Message(), test.want)
		}
		if !found {
			t.Errorf("%s is answered with %v, want %s", test.line, result.Findings, test.want)
		}
	}
}

// A caller with a scope base of its own keeps it in a dialect that has another one.
func TestScopeBaseOfCaller(t *testing.T) {
	req := &event.Request{Op: "events.get", Dialect: diag.Google}
	for scope, want := range map[string]bool{"https://s.example/auth/calendar": true, "https://www.googleapis.com/auth/calendar": false} {
		req.Caller = &operation.Caller{ScopeBase: "https://s.example", Scopes: []string{scope}}
		if result := must(event.Check(req)); result.Accepted != want {
			t.Errorf("with %s: %v", scope, result.Findings)
		}
	}
}

// A name of the other dialect is only suggested if clients can create what it names.
func TestSuggestionCanBeCreated(t *testing.T) {
	for typ, want := range map[string]string{"eventHangout": "", "hangoutsMeet": "videoMeet", "addon": "addOn"} {
		_, result := answerLine(t, event.Checker{}, `{"op":"events.insert","params":{"conferenceDataVersion":"1"},"body":{
			"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},
			"conferenceData":{"createRequest":{"requestId":"r","conferenceSolutionKey":{"type":"`+typ+`"}}}}}`)
		got := result.Findings
		if len(got) != 1 || got[0].Rule.ID != "conference.type.enum" || got[0].Suggestion() != want {
			t.Errorf("%s: %v with the suggestion %q, want %q", typ, got, got[0].Suggestion(), want)
		}
	}
}

// The dialect of a checker holds for requests that choose none.
func TestCheckerDialect(t *testing.T) {
	checker := event.Checker{Dialect: diag.Google}
	body := []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"hangoutLink":"https://a.example/"}`)
	for _, req := range []event.Request{
		{Op: operation.EventsInsert, Body: body},
		{Op: operation.EventsInsert, Body: body, Dialect: diag.Google},
	} {
		result, err := checker.Check(&req)
		if err != nil || len(result.Findings) != 1 || result.Findings[0].Path != "/hangoutLink" || result.Dialect != diag.Google {
			t.Errorf("%s: %v", req, result.Findings)
		}
	}
}

// A request and its line are the same in every dialect.
func TestRequestLineInDialect(t *testing.T) {
	const line = `{"op":"events.patch","existing":{"hangoutLink":"a","eventType":"fromGmail"},` +
		`"body":{"hangoutLink":null,"videoLink":"b"},"series":{"eventType":"default"},"dialect":"google"}`
	var req batch.Request
	if err := req.UnmarshalJSON([]byte(line)); err != nil {
		t.Fatal(err)
	}
	if req.Existing.VideoLink != "a" || req.Existing.EventType != "fromMail" {
		t.Errorf("the stored event is %s", req.Existing)
	}
	again := []byte(req.String())
	var want, got any
	if err := json.Unmarshal([]byte(line), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRequestDialectErrors(t *testing.T) {
	for _, test := range []struct{ value, want string }{
		{`"outlook"`, `dialect must be documents or google`},
		{`""`, `dialect must be documents or google`},
		{`3`, `dialect is a number; it must be a string`},
	} {
		if err := new(batch.Request).UnmarshalJSON([]byte(`{"op":"events.get","dialect":` + test.value + `}`)); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.value, err, test.want)
		}
	}
}

// Names are translated even in a body that cannot be read.
func TestInDialectOfBrokenBody(t *testing.T) {
	for body, want := range map[string]string{
		`{"videoLink":"x", "a videoLink`: `{"hangoutLink":"x", "a videoLink`,
		`{"a":1,"a":2,"videoLink":"x"}`:  `{"a":1,"a":2,"hangoutLink":"x"}`,
		`{"videoLink": "videoLink" "id"`: `{"hangoutLink": "hangoutLink" "id"`,
		``:                               ``,
	} {
		req := event.Request{Op: operation.EventsInsert, Body: []byte(body)}
		if got := string(req.WithDialect(diag.Google).Body); got != want {
			t.Errorf("%s becomes %s, want %s", body, got, want)
		}
		if got := string(req.WithDialect(diag.Documents).Body); got != body {
			t.Errorf("%s in its own dialect becomes %s", body, got)
		}
	}
}

// A Go value has the names of the documents in every dialect. With the public name, it is quoted as it was sent.
func TestPublicNameInGoValue(t *testing.T) {
	for _, test := range []struct {
		e    event.Event
		want string
	}{
		{event.Event{EventType: "fromGmail"}, `The eventType is "fromGmail"; it must be birthday, default, focusTime, outOfOffice or workingLocation. Go values use the names from the documents. Set "fromMail".`},
		{event.Event{EventType: "fromMail"}, `The eventType is "fromGmail"; it must be a type that clients can create (not fromGmail), such as default.`},
		{event.Event{ConferenceData: &conference.Data{CreateRequest: &conference.CreateRequest{RequestID: "a", SolutionKey: &conference.Key{Type: "hangoutsMeet"}}}},
			`The type is "hangoutsMeet"; it must be hangoutsMeet or addOn. Go values use the names from the documents. Set "videoMeet".`},
	} {
		test.e.Start, test.e.End = event.Date(2026, time.March, 10), event.Date(2026, time.March, 11)
		result, err := event.Check(&event.Request{Op: operation.EventsInsert, Dialect: diag.Google, Event: &test.e, Params: operation.Params{"conferenceDataVersion": {"1"}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Findings.OfKind(diag.Reject)[0].Message(); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// A value that is a name of the other dialect elsewhere does not make the request one that mixes names.
func TestNameElsewhereIsNotMixed(t *testing.T) {
	const line = `{"op":"events.patch","body":{"videoLink":"a","attendees":[{"email":%q}],"conferenceData":{"conferenceSolution":{"key":{"type":"hangoutsMeet"}}}%s}}`
	for _, test := range []struct{ email, more, want string }{
		{"hangoutLink", "", ""},
		{"ada@example.com", `,"hangoutLink":"a"`, "dialect.mixed /conferenceData/conferenceSolution/key/type"},
	} {
		findings, _ := answerLine(t, event.Checker{}, fmt.Sprintf(line, test.email, test.more))
		at := slices.IndexFunc(findings, func(f string) bool { return strings.HasPrefix(f, "dialect.mixed") })
		got := ""
		if at >= 0 {
			got = findings[at]
		}
		if got != test.want {
			t.Errorf("with the email %q%s: %q, want %q", test.email, test.more, got, test.want)
		}
	}
}
