package event_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/form"
)

func TestNewID(t *testing.T) {
	for uuid, want := range map[string]string{
		"00000000000000000000000000000000": "00000000000000000000000000",
		"00000000000000000000000000000001": "00000000000000000000000004", // the last three bits, padded with two zeros
		"08000000000000000000000000000000": "10000000000000000000000000", // the first five bits are 1
		"ffffffffffffffffffffffffffffffff": "vvvvvvvvvvvvvvvvvvvvvvvvvs",
		"f81d4fae7dec11d0a76500a0c91e6bf6": "v0ekvbjttg8t19r502gci7jbuo", // the UUID of RFC 4122 section 3
	} {
		var id [16]byte
		if _, err := hex.Decode(id[:], []byte(uuid)); err != nil {
			t.Fatal(err)
		}
		if got := event.NewID(id); got != want {
			t.Errorf("NewID(%s) = %s, want %s", uuid, got, want)
		}
	}
}

func TestNewIDKeepsOrderAndIsValid(t *testing.T) {
	uuid := rapid.Custom(func(t *rapid.T) [16]byte { return [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "bytes")) })
	rapid.Check(t, func(t *rapid.T) {
		a, b := uuid.Draw(t, "a"), uuid.Draw(t, "b")
		if !form.IsEventID(event.NewID(a)) {
			t.Fatalf("NewID(%x) = %s, which is not a valid id", a, event.NewID(a))
		}
		if got, want := strings.Compare(event.NewID(a), event.NewID(b)), bytes.Compare(a[:], b[:]); got != want {
			t.Fatalf("the ids of %x and %x compare as %d, the UUIDs as %d", a, b, got, want)
		}
	})
}

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
