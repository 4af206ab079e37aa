package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/schema"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// member returns the schema of a member of a part, as JSON.
func member(t *testing.T, op operation.ID, d limits.Dialect, part, name string) string {
	t.Helper()
	document, err := schema.Event(op, d)
	if err != nil {
		t.Fatal(err)
	}
	properties := document["$defs"].(schema.Object)[part].(schema.Object)["properties"].(schema.Object)
	found := properties[name].(schema.Object)
	delete(found, "x-calrules-rules")
	delete(found, "description")
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMembers(t *testing.T) {
	for _, test := range []struct {
		name       string
		op         operation.ID
		dialect    limits.Dialect
		part, path string
		want       string
	}{
		{"required", operation.EventsInsert, limits.Documents, "Event", "start", `{"$ref":"#/$defs/Time"}`},
		{"optional-in-patch", operation.EventsPatch, limits.Documents, "Event", "summary", `{"type":["string","null"]}`},
		{"null-is-wrong-in-a-response", operation.Response, limits.Documents, "Event", "summary", `{"type":"string"}`},
		{"alphabet", operation.EventsInsert, limits.Documents, "Event", "id", `{"maxLength":1024,"minLength":5,"pattern":"^[0-9a-v]*$","type":["string","null"]}`},
		{"array", operation.EventsInsert, limits.Documents, "Reminders", "overrides", `{"items":{"$ref":"#/$defs/Reminder"},"maxItems":5,"type":["array","null"]}`},
		{"number", operation.EventsInsert, limits.Documents, "Reminder", "minutes", `{"maximum":40320,"minimum":0,"type":"integer"}`},
		{"format", operation.EventsInsert, limits.Documents, "Time", "timeZone", `{"format":"calrules-IANAZone","type":["string","null"]}`},
		{"standard-format", operation.EventsInsert, limits.Documents, "Time", "date", `{"format":"date","type":["string","null"]}`},
		{"what-a-client-can-create", operation.EventsInsert, limits.Documents, "Birthday", "type", `{"default":"birthday","enum":["birthday",null],"type":["string","null"]}`},
		{"dialect", operation.Response, limits.Google, "Event", "eventType", `{"default":"default","enum":["birthday","default","focusTime","fromGmail","outOfOffice","workingLocation"],"type":"string"}`},
		{"service", operation.EventsInsert, limits.Google, "Event", "hangoutLink", `{"readOnly":true,"type":["string","null"]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, member(t, test.op, test.dialect, test.part, test.path)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRequired(t *testing.T) {
	for op, want := range map[operation.ID]any{
		operation.EventsInsert: []string{"start", "end"},
		operation.EventsImport: []string{"start", "end", "iCalUID"},
		operation.EventsPatch:  nil,
	} {
		document, err := schema.Event(op, limits.Documents)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, document["$defs"].(schema.Object)["Event"].(schema.Object)["required"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", op, diff)
		}
	}
}

// Every rule about an event that applies to an operation is listed at a member that it reads.
func TestRulesAreNamed(t *testing.T) {
	for _, op := range schema.Operations() {
		document, err := schema.Event(op, limits.Documents)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		found, named := operation.Lookup(op)
		for _, f := range event.Fields() {
			for _, r := range f.Rules {
				if named && r.When.Has(found.When) && r.Kind.Reports() && !strings.Contains(string(text), `"`+r.ID+`"`) {
					t.Errorf("%s: %s, which is about %s, is not in the schema", op, r.ID, f.Path)
				}
			}
		}
	}
}

func TestNoEvent(t *testing.T) {
	for _, op := range []operation.ID{operation.EventsDelete, "colors.get", "events.fly"} {
		if _, err := schema.Event(op, limits.Documents); err == nil {
			t.Errorf("%s has a schema", op)
		}
	}
}
