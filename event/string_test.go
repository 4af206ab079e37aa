package event_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// Every verb that tests use prints requests and events as JSON.
func TestString(t *testing.T) {
	const stored = `{"id":"abc12def","summary":"a < b & c","hangoutLink":[1.50,null]}`
	existing := new(event.Event)
	if err := existing.UnmarshalJSON([]byte(stored)); err != nil {
		t.Fatal(err)
	}
	text := "{\r\n}"
	lines := new(event.Event)
	if err := lines.UnmarshalJSON([]byte("{\"summary\":\"a\",\"x\":{\n \"b\":[1,\n2]}}")); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		v    any
		want string
	}{
		"event":      {existing, stored},
		"no event":   {(*event.Event)(nil), "<nil>"},
		"no request": {(*event.Request)(nil), "<nil>"},
		"request": {
			&event.Request{
				Op: "events.patch", Params: operation.Params{"destination": {"team@example.com"}}, Existing: existing,
				Body: []byte(`{"summary": null}`), IfMatch: `"1"`,
			},
			`{"op":"events.patch","params":{"destination":"team@example.com"},"existing":` + stored + `,"body":{"summary":null},"ifMatch":"\"1\""}`,
		},
		"text":             {&event.Request{Op: "events.insert", Body: []byte(text)}, `{"op":"events.insert","body":{}}`},
		"lines in a value": {&event.Request{Op: "events.insert", Event: lines}, `{"op":"events.insert","body":{"summary":"a","x":{"b":[1,2]}}}`},
		"not JSON":         {&event.Request{Op: "events.insert", Body: []byte("{")}, `{"op":"events.insert","bodyText":"{"}`},
		"not JSON in a value": {
			&event.Request{Op: "events.insert", Event: &event.Event{WorkingLocationProperties: &event.WorkingLocation{HomeOffice: []byte("{\n")}}},
			`{"op":"events.insert","body":{"workingLocationProperties":{"homeOffice":{ }}}`,
		},
		"no text":          {&event.Request{Op: "events.insert", Body: []byte("\xff")}, `{"op":"events.insert","bodyText":"�"}`},
		"no text in JSON":  {&event.Request{Op: "events.insert", Body: []byte("{\"a\": \"\xff\"}")}, "{\"op\":\"events.insert\",\"body\":{\"a\":\"\xff\"}}"},
		"half a character": {&event.Request{Op: "events.insert", Body: []byte("\"\xed\xa0\x80\"")}, `{"op":"events.insert","bodyText":"\"\ud800\""}`},
		"no body":          {&event.Request{Op: "events.get"}, `{"op":"events.get"}`},
		"a value":          {&event.Request{Op: "events.insert", Event: existing, Body: []byte("{")}, `{"op":"events.insert","body":` + stored + `}`},
		"event as value":   {*existing, stored},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if diff := cmp.Diff(test.want, fmt.Sprintf(verb, test.v)); diff != "" {
				t.Errorf("%s with %s (-want +got):\n%s", name, verb, diff)
			}
		}
	}
}
