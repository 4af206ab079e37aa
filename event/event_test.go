package event_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/event"
)

func TestWithDefaults(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"empty", `{}`,
			`{"status":"confirmed","transparency":"opaque","visibility":"default","eventType":"default","guestsCanInviteOthers":true,"guestsCanSeeOtherGuests":true}`},
		{"given", `{"status":"cancelled","transparency":"transparent","visibility":"public","eventType":"fromMail","guestsCanInviteOthers":false,"guestsCanSeeOtherGuests":false}`,
			`{"status":"cancelled","transparency":"transparent","visibility":"public","eventType":"fromMail","guestsCanInviteOthers":false,"guestsCanSeeOtherGuests":false}`},
		{"birthday", `{"eventType":"birthday","birthdayProperties":{}}`,
			`{"status":"confirmed","transparency":"opaque","visibility":"default","eventType":"birthday","guestsCanInviteOthers":true,"guestsCanSeeOtherGuests":true,"birthdayProperties":{"type":"birthday"}}`},
		{"null", `{"status":null,"guestsCanInviteOthers":null,"x":1}`,
			`{"status":"confirmed","transparency":"opaque","visibility":"default","eventType":"default","guestsCanInviteOthers":true,"guestsCanSeeOtherGuests":true,"x":1}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := read(t, test.in)
			if diff := cmp.Diff(decoded(t, test.want), decoded(t, marshal(t, e.WithDefaults()))); diff != "" {
				t.Errorf("WithDefaults of %s (-want +got):\n%s", test.in, diff)
			}
			if got := marshal(t, e); !cmp.Equal(decoded(t, test.in), decoded(t, got)) {
				t.Errorf("WithDefaults modifies its receiver: %s", got)
			}
		})
	}
}

func TestClone(t *testing.T) {
	e := read(t, full)
	c := e.Clone()
	if !c.Equal(*e) {
		t.Fatalf("the clone is not equal: %s", marshal(t, c))
	}
	overwrite(c)
	if diff := cmp.Diff(decoded(t, full), decoded(t, marshal(t, e))); diff != "" {
		t.Errorf("a change of the clone changes the original (-before +after):\n%s", diff)
	}
	if c.Equal(*e) {
		t.Error("the clone is still equal after the change")
	}
	if (*event.Event)(nil).Clone() != nil {
		t.Error("the clone of nil is not nil")
	}
}

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		want       bool
	}{
		{"empty", `{}`, `{}`, true},
		{"null", `{"summary":null,"attendees":null}`, `{}`, true},
		{"empty-string", `{"summary":""}`, `{}`, true},
		{"false", `{"guestsCanModify":false}`, `{}`, true},
		{"false-where-absent-is-true", `{"guestsCanInviteOthers":false}`, `{}`, false},
		{"empty-label", `{"eventLabelId":""}`, `{}`, false},
		{"minutes-0", `{"reminders":{"overrides":[{"minutes":0}]}}`, `{"reminders":{"overrides":[{}]}}`, false},
		{"order-of-members", `{"summary":"a","location":"b"}`, `{"location":"b","summary":"a"}`, true},
		{"order-of-attendees", `{"attendees":[{"email":"a"},{"email":"b"}]}`, `{"attendees":[{"email":"b"},{"email":"a"}]}`, false},
		{"other-value", `{"summary":"a"}`, `{"summary":"b"}`, false},
		{"nested", `{"conferenceData":{"notes":"a"}}`, `{"conferenceData":{"notes":"b"}}`, false},
		{"map", `{"extendedProperties":{"private":{"a":"1","b":"2"}}}`, `{"extendedProperties":{"private":{"b":"2","a":"1"}}}`, true},
		{"integral", `{"sequence":2.0}`, `{"sequence":2}`, true},
		{"unknown-same", `{"x":{"a":1,"b":[ 2 ]}}`, `{"x": {"b":[2],"a":1}}`, true},
		{"unknown-escaped", `{"x":"\u0061"}`, `{"x":"a"}`, true},
		{"unknown-other", `{"x":1}`, `{"x":2}`, false},
		{"unknown-absent", `{"x":1}`, `{}`, false},
		{"unknown-large-integers", `{"x":9007199254740993}`, `{"x":9007199254740992}`, false},
		{"any-value", `{"workingLocationProperties":{"homeOffice":{"a":1,"b":2}}}`, `{"workingLocationProperties":{"homeOffice":{"b":2,"a":1}}}`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b := read(t, test.a), read(t, test.b)
			if a.Equal(*b) != test.want || b.Equal(*a) != test.want {
				t.Errorf("%s and %s: equal %t and %t, want %t", test.a, test.b, a.Equal(*b), b.Equal(*a), test.want)
			}
		})
	}
}

func TestUnknown(t *testing.T) {
	e := read(t, `{"zzz":1,"summary":"a","aaa":{"b": 2},"attendees":[{"email":"a","nick":"n"}],"Summary":null}`)
	var got []string
	for name, text := range e.Unknown() {
		got = append(got, name+"="+string(text))
	}
	if diff := cmp.Diff([]string{"zzz=1", `aaa={"b": 2}`, "Summary=null"}, got); diff != "" {
		t.Errorf("Unknown (-want +got):\n%s", diff)
	}
	for name := range e.Unknown() {
		if name != "zzz" {
			t.Errorf("the iteration continues after break, with %s", name)
		}
		break
	}
}

// Encoding a decoded event loses nothing.
func TestJSONRoundTrip(t *testing.T) {
	for _, text := range []string{
		`{}`,
		full,
		object(storedTimed),
		`{"summary":null,"location":"","sequence":0,"locked":false,"attendees":[],"reminders":{},"eventLabelId":""}`,
		`{"x":{"y":[1,2.50,"\u00e9"]},"":0,"a/b~c":null}`,
		`{"start":{"date":null,"x":1},"attendees":[{"email":null,"self":false}]}`,
		`{"workingLocationProperties":{"homeOffice":null}}`,
		`{"summary":"<b>\u2028 & \ud83d\ude00 \u0000"}`,
	} {
		e := read(t, text)
		if diff := cmp.Diff(decoded(t, text), decoded(t, marshal(t, e))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if again := read(t, marshal(t, e)); !again.Equal(*e) {
			t.Errorf("%s: decoded again, it is %s", text, marshal(t, again))
		}
	}
}

// The same is true of events within other values, whether they are pointers or not.
func TestJSONWithinOtherValues(t *testing.T) {
	const text = `{"summary":null,"x":1,"guestsCanModify":false}`
	var in struct {
		Value   event.Event
		Pointer *event.Event
		List    []event.Event
	}
	if err := json.Unmarshal([]byte(`{"Value":`+text+`,"Pointer":`+text+`,"List":[`+text+`]}`), &in); err != nil {
		t.Fatal(err)
	}
	want := decoded(t, text)
	for name, v := range map[string]any{"pointer": in.Pointer, "element": in.List, "field-of-pointer": &in, "field-of-value": in, "value": in.Value} {
		got := decoded(t, marshal(t, v))
		switch g := got.(type) {
		case []any:
			got = g[0]
		case map[string]any:
			if inner, ok := g["Value"]; ok {
				got = inner
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestUnmarshalReplaces(t *testing.T) {
	e := read(t, full)
	if err := json.Unmarshal([]byte(`{"location":"Room 4"}`), e); err != nil {
		t.Fatal(err)
	}
	if got := marshal(t, e); got != `{"location":"Room 4"}` {
		t.Errorf("after a second decoding, the event is %s", got)
	}
}

// The error lists every problem, and members without problems are decoded.
func TestUnmarshalErrors(t *testing.T) {
	const text = `{"summary":5,"location":"Room 4","start":{"date":true},"attendees":[{"email":[]},7],"sequence":1.5,"summary":"x","unknown":1}`
	e := new(event.Event)
	err := json.Unmarshal([]byte(text), e)
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	var places []string
	for _, line := range lines {
		place, _, _ := strings.Cut(line, " ")
		place = strings.TrimSuffix(place, ":")
		places = append(places, place)
	}
	want := []string{"/summary", "/start/date", "/attendees/0/email", "/attendees/1", "/sequence", "/summary"}
	if !slices.Equal(places, want) {
		t.Errorf("the error lists %q, want %q", places, want)
	}
	if e.Location != "Room 4" {
		t.Errorf("Location = %q beside the wrong types", e.Location)
	}
	for _, broken := range []string{``, `{`, `[]`, `5`, `{} {}`, "{\"a\":\"\xff\"}"} {
		if err := new(event.Event).UnmarshalJSON([]byte(broken)); err == nil {
			t.Errorf("UnmarshalJSON(%q) has no error", broken)
		}
	}
}
