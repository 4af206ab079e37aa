package batch_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/operation"
)

// The body is kept byte for byte, also by json.Unmarshal.
func TestRequestKeepsItsBody(t *testing.T) {
	for _, body := range []string{
		`{}`, `null`, `[ 1 , 2 ]`, `"text"`, `-0.10e+5`, `true`,
		`{"a":1,"a":2}`, `{ "a" : "\u0041\/" }`, "{\"a\":\"\xff\"}", `{"a":"}","b":"\\"}`, `{"n":12345678901234567890.0}`,
	} {
		for _, line := range []string{
			`{"body":` + body + `}`,
			` { "op" : "response" , "body" : ` + body + ` , "id" : 1 } `,
		} {
			var req batch.Request
			if err := json.Unmarshal([]byte(line), &req); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if string(req.Body) != body {
				t.Errorf("%s: body is %s", line, req.Body)
			}
		}
	}
}

// The operations on events need no prefix.
func TestOperationWithoutPrefix(t *testing.T) {
	for text, want := range map[string]operation.ID{
		"insert": operation.EventsInsert, "events.insert": operation.EventsInsert, "response": operation.Response, "acl.insert": "acl.insert", "fly": "fly",
	} {
		var req batch.Request
		if err := req.UnmarshalJSON([]byte(`{"op":"` + text + `"}`)); err != nil || req.Op != want {
			t.Errorf("%s: the operation is %s, %v", text, req.Op, err)
		}
	}
}

func TestIsRequest(t *testing.T) {
	for line, want := range map[string]bool{
		`{"id":1,"op":"response"}`: true, `{"body":{}}`: true, `{"id":1}`: false, `{"summary":"a"}`: false, `{"op":"response"`: false, `["op"]`: false, ``: false,
		`{"status":"confirmed"}`: false, `{"id":"a","status":409}`: true,
	} {
		if got := batch.IsRequest([]byte(line)); got != want {
			t.Errorf("%s: %t", line, got)
		}
	}
}

// The grades of a line come before those of the checker.
func TestCheckGrades(t *testing.T) {
	const request = `"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"status":"x"}`
	off := &event.Checker{Grading: diag.Grading{Kinds: map[diag.Kind]diag.Grade{diag.Reject: diag.Off}}}
	for _, test := range []struct {
		line    string
		checker *event.Checker
		want    bool
	}{
		{`{` + request + `}`, new(event.Checker), false},
		{`{"grade":{"event.status.enum":"off"},` + request + `}`, new(event.Checker), true},
		{`{` + request + `}`, off, true},
		{`{"grade":{"event.status.enum":"reject"},` + request + `}`, off, false},
	} {
		var req batch.Request
		if err := req.Read([]byte(test.line)); err != nil {
			t.Fatal(err)
		}
		result, err := req.Check(test.checker)
		if err != nil || result.Accepted != test.want {
			t.Errorf("%s: accepted %t, %v", test.line, result.Accepted, err)
		}
	}
}

// Null means absence, and the request does not refer to the line.
func TestRequestDecodesEveryMember(t *testing.T) {
	line := []byte(`{"id":{"a":[1]},"op":"events.update","params":{"a":"1","b":["2","3"]},"existing":{"summary":"old"},
		"bodyText":"{\"\\ud83d\\ude00\":\"\ud83d\ude00\"}","ifMatch":"\"1\"","caller":{"email":"a@example.com","scopes":[]},
		"calendar":{"primary":false,"ids":["a"]},"series":{"id":"s"},"grade":{"json.null":"off"},"later":{}}`)
	got := batch.Request{Request: event.Request{IfMatch: "what was there before"}}
	if err := got.UnmarshalJSON(line); err != nil {
		t.Fatal(err)
	}
	clear(line)
	want := batch.Request{
		ID: []byte(`{"a":[1]}`), Grade: map[string]string{"json.null": "off"},
		Request: event.Request{
			Op: operation.EventsUpdate, Params: operation.Params{"a": {"1"}, "b": {"2", "3"}},
			Existing: &event.Event{Summary: "old"}, Series: &event.Event{ID: "s"},
			Body: []byte(`{"\ud83d\ude00":"😀"}`), IfMatch: `"1"`,
			Caller:   &operation.Caller{Email: "a@example.com", Scopes: []string{}},
			Calendar: &operation.Calendar{Primary: new(bool), IDs: operation.IDList{"a"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	null := `{"id":null,"op":null,"params":null,"existing":null,"body":null,"bodyText":null,"ifMatch":null,"caller":null,"calendar":null,"series":null,"grade":null}`
	if err := json.Unmarshal([]byte(null), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(batch.Request{ID: []byte("null"), Request: event.Request{Absent: true, Body: []byte("null")}}, got); diff != "" {
		t.Errorf("request of null (-want +got):\n%s", diff)
	}
}

// The error names the member, and the id is decoded for the answer if possible.
func TestRequestDecodeErrors(t *testing.T) {
	for line, want := range map[string]string{
		`{"id":7,"op":"events.insert","body":`:              `the line is not JSON`,
		`{"id":7}}`:                                         `the line is not JSON`,
		`{"op":4,"id":7}`:                                   `op is a number; it must be a string`,
		`{"op":"a","op":"a","id":7}`:                        `op appears twice`,
		`{"id":7,"id":8}`:                                   `id appears twice`,
		`{"id":7,"parms":{}}`:                               `"parms" is not a member of a request; did you mean params?`,
		`{"id":7,"Op":"a"}`:                                 `"Op" is not a member of a request; did you mean op?`,
		`{"id":7,"existing":[]}`:                            `existing: `,
		`{"id":7,"series":{"start":5,"end":5}}`:             `series: `,
		`{"id":7,"bodyText":7}`:                             `bodyText is a number; it must be a string`,
		`{"id":7,"bodyText":["\ud83d"]}`:                    `bodyText is an array; it must be a string`,
		`{"id":7,"caller":{"creator":"yes"}}`:               `caller.creator is a string; it must be true or false`,
		`{"id":7,"caller":{"serviceaccount":true}}`:         `"serviceaccount" is not a member of caller; did you mean serviceAccount?`,
		`{"id":7,"caller":{"email":"a","email":"b"}}`:       `caller.email appears twice`,
		`{"id":7,"calendar":{"color":[]}}`:                  `"color" is not a member of calendar; did you mean colors?`,
		`{"id":7,"calendar":{"ids":[],"ids":["a"]}}`:        `calendar.ids appears twice`,
		`{"id":7,"grade":{"json.":"off","json.":"reject"}}`: `grade.json. appears twice`,
		`{"id":7,"calendar":{"ids":{}}}`:                    `calendar.ids is an object; it must be an array`,
		`{"id":7,"body":{},"bodyText":"{}"}`:                `body and bodyText are both there`,
		`{"id":7,"body":null,"bodyText":""}`:                `body and bodyText are both there`,
		`{"id":7,"calendar":{"status":""}}`:                 `calendar.status is empty; leave it out if it is unknown`,
		`{"id":7,"calendar":{"timeZone":1}}`:                `calendar.timeZone is a number; it must be a string`,
		`{"id":7,"caller":{"scopes":["a",1]}}`:              `a value in caller.scopes is a number; it must be a string`,
		`{"id":7,"grade":[]}`:                               `grade is an array; it must be an object`,
		`{"id":7,"params":[]}`:                              `params`,
		"{\"id\":7,\"ifMatch\":\"\xff\"}":                   `ifMatch is not valid UTF-8`,
	} {
		var req batch.Request
		err := req.UnmarshalJSON([]byte(line))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is %v, want %s", line, err, want)
		}
		if string(req.ID) != "7" {
			t.Errorf("%s: id %s, want 7", line, req.ID)
		}
	}
	for _, line := range []string{``, `null`, `[7]`, `"id"`, `{"op":"a"`, "{\"id\":\"\xff\"}"} {
		var req batch.Request
		if err := req.UnmarshalJSON([]byte(line)); err == nil || req.ID != nil {
			t.Errorf("%s: id %s, error %v", line, req.ID, err)
		}
	}
}

func TestBodyTextSurrogates(t *testing.T) {
	for text, lone := range map[string]bool{
		`"plain"`: false, `"\ud83d\ude00"`: false, `"\\ud83d"`: false, `"\u00e9"`: false, `"\uFFFD"`: false,
		`"\ud83d"`: true, `"\ude00"`: true, `"\uD83Dx"`: true, `"\ud83d\n"`: true, `"\ud83d\ud83d\ude00"`: true, `"\ude00\ud83d"`: true,
	} {
		var req batch.Request
		if err := json.Unmarshal([]byte(`{"bodyText":`+text+`}`), &req); err != nil || utf8.Valid(req.Body) == lone {
			t.Errorf("%s is decoded as %q with the error %v", text, req.Body, err)
		}
	}
}

// A lone surrogate in a line makes a body that is not UTF-8. Surrogate pairs are not affected.
func TestBodyTextWithLoneSurrogates(t *testing.T) {
	for escaped, want := range map[string]string{
		`\ud83d`:                   "\xED\xA0\xBD",
		`\udc00`:                   "\xED\xB0\x80",
		`\uDFFF\ud800`:             "\xED\xBF\xBF\xED\xA0\x80",
		`\ud83d\ud83d\ude00`:       "\xED\xA0\xBD😀",
		`\ud83d\ude00\ude00\u0041`: "😀\xED\xB8\x80A",
		`\\ud83d`:                  `\ud83d`,
		`\\\ud83d`:                 "\\\xED\xA0\xBD",
		`\u0000\n\ud83dn`:          "\x00\n\xED\xA0\xBDn",
		`é\ud83d\u00e9`:            "é\xED\xA0\xBDé",
	} {
		var req batch.Request
		if err := req.UnmarshalJSON([]byte(`{"op":"events.insert","bodyText":"` + escaped + `"}`)); err != nil {
			t.Errorf("%s: %v", escaped, err)
		} else if string(req.Body) != want {
			t.Errorf("%s: %q, want %q", escaped, req.Body, want)
		}
		var again batch.Request
		if err := json.Unmarshal([]byte(req.String()), &again); err != nil || string(again.Body) != want {
			t.Errorf("%s is printed as %s, which is decoded with the error %v", escaped, req, err)
		}
	}
	result, err := event.Check(&event.Request{Op: operation.EventsInsert, Body: []byte("{\"summary\":\"\xED\xA0\xBD\"}")})
	if err != nil || result.Findings[0].Rule.ID != "json.syntax" || result.Findings[0].Path != "/summary" {
		t.Errorf("half a surrogate pair: %v, %v", result.Findings, err)
	}
}

// A set of ids that is unknown is not the same as an empty one, and a set that is a function is not printed.
func TestCalendar(t *testing.T) {
	for _, calendar := range []string{`{}`, `{"ids":[]}`, `{"primary":false,"status":"active","timeZone":"Europe/Berlin","colors":["1"],"labels":["l"],"buildings":[],"ids":["abcde"]}`} {
		line := `{"op":"events.get","calendar":` + calendar + `}`
		var req batch.Request
		if err := req.UnmarshalJSON([]byte(line)); err != nil || req.String() != line {
			t.Errorf("%s is read as %s with the error %v", line, req, err)
		}
	}
	byFunc := event.Request{Op: operation.EventsGet, Calendar: &operation.Calendar{IDs: operation.IDFunc(func(string) bool { return true })}}
	if got, want := byFunc.String(), `{"op":"events.get","calendar":{}}`; got != want {
		t.Errorf("String() = %s, want %s", got, want)
	}
}

// An answer may be stored and sent back: a name of the other dialect, which the first request was advised about, stays.
func TestAnswerWithNameOfOtherDialectIsStored(t *testing.T) {
	var first, second batch.Request
	if err := first.Read([]byte(`{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"hangoutLink":"a"}}`)); err != nil {
		t.Fatal(err)
	}
	inserted, err := first.Check(new(event.Checker))
	if err != nil || !inserted.Accepted {
		t.Fatal(inserted.Findings, err)
	}
	stored, err := json.Marshal(inserted.Stored)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Read([]byte(`{"op":"events.patch","existing":` + string(stored) + `,"body":{"summary":"a"}}`)); err != nil {
		t.Fatal(err)
	}
	patched, err := second.Check(new(event.Checker))
	if err != nil || !patched.Accepted || len(patched.Findings) > 0 {
		t.Fatal(patched.Findings, err)
	}
	var link json.RawMessage
	for name, value := range patched.Answer.Unknown() {
		if name == "hangoutLink" {
			link = value
		}
	}
	if string(link) != `"a"` {
		t.Errorf("the link is %s", link)
	}
}
