package event_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// model lists a value of each type of the model.
var model = []any{
	event.Event{}, event.Time{}, event.Person{}, event.Attendee{}, event.ExtendedProperties{}, event.Gadget{}, event.Reminders{},
	event.Reminder{}, event.Source{}, event.WorkingLocation{}, event.CustomLocation{}, event.OfficeLocation{}, event.OutOfOffice{},
	event.FocusTime{}, event.Attachment{}, event.Birthday{},
	conference.Data{}, conference.CreateRequest{}, conference.Key{}, conference.Status{}, conference.Solution{}, conference.EntryPoint{},
}

// Every type keeps what its fields cannot when it is read and written by itself, and go-cmp compares
// it as a value, through a pointer and in a slice.
func TestParts(t *testing.T) {
	for _, v := range model {
		typ := reflect.TypeOf(v)
		t.Run(typ.String(), func(t *testing.T) {
			member := typ.Field(0).Tag.Get("json")
			for _, text := range []string{`{"x":[1.50,null]}`, `{"` + member[:len(member)-len(",omitzero")] + `":null,"x":{}}`} {
				read := reflect.New(typ)
				if err := json.Unmarshal([]byte(text), read.Interface()); err != nil {
					t.Fatal(err)
				}
				value := read.Elem().Interface()
				if got, err := json.Marshal(value); err != nil || string(got) != text {
					t.Errorf("%s is written as %s, %v", text, got, err)
				}
				comparePart(t, value, v)
			}
		})
	}
}

func comparePart(t *testing.T, value, empty any) {
	t.Helper()
	list := func(v any) any {
		list := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(v)), 0, 1)
		return reflect.Append(list, reflect.ValueOf(v)).Interface()
	}
	pointer := func(v any) any {
		p := reflect.New(reflect.TypeOf(v))
		p.Elem().Set(reflect.ValueOf(v))
		return p.Interface()
	}
	for name, as := range map[string]func(any) any{"value": func(v any) any { return v }, "slice": list, "pointer": pointer} {
		if diff := cmp.Diff(as(value), as(value)); diff != "" {
			t.Errorf("a %s of %T differs from itself:\n%s", name, value, diff)
		}
		if diff := cmp.Diff(as(value), as(empty)); !strings.Contains(diff, `"x":`) {
			t.Errorf("the difference of a %s of %T does not show the member x:\n%s", name, value, diff)
		}
	}
}

// Errors of reading are findings.
func TestReadErrors(t *testing.T) {
	var part event.Attendee
	_, errPatch := (*event.Event)(nil).AfterPatch([]byte(`{"summary":5}`), diag.Documents)
	_, findings := event.Decode([]byte(`{"summary":5}`), diag.Documents)
	for name, err := range map[string]error{
		"event":  json.Unmarshal([]byte(`{"summary":5}`), new(event.Event)),
		"part":   json.Unmarshal([]byte(`{"email":5}`), &part),
		"patch":  errPatch,
		"decode": findings.Err(),
		"syntax": new(event.Event).UnmarshalJSON([]byte(`{`)),
	} {
		wantFindings(t, name, err)
	}
	for _, v := range model {
		for _, text := range []string{`{"x":1,"x":2}`, `[]`, `null`, `5`, `{`, ``} {
			read := reflect.New(reflect.TypeOf(v)).Interface().(json.Unmarshaler)
			wantFindings(t, fmt.Sprintf("%T from %s", v, text), read.UnmarshalJSON([]byte(text)))
		}
	}
}

func wantFindings(t *testing.T, name string, err error) {
	t.Helper()
	if refused, ok := errors.AsType[*diag.Error](err); !ok || refused.Findings[0].Rule == nil {
		t.Errorf("%s: %v is not a *diag.Error", name, err)
	}
}
