package event

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/object"
)

// The generated functions find the fields that are not zero, in the order of their tables.
func TestMembers(t *testing.T) {
	compareMembers(t, tables().event, (*Event).nonZero)
	compareMembers(t, tables().attendee, (*Attendee).nonZero)
	if got := membersNamed("eventType"); got != ofEventType {
		t.Errorf("the last member is %b in the table and %b in the code", got, ofEventType)
	}
}

func compareMembers[T any](t *testing.T, table *object.Table[*T], nonZero func(*T) object.Set) {
	bodies := []string{"{}"}
	for _, name := range table.NamesOf(object.All) {
		for _, value := range []string{"null", `""`, `"x"`, "true", "false", "0", "1", "[]", "[{}]", "{}", `{"x":1}`, `{"date":""}`} {
			bodies = append(bodies, fmt.Sprintf(`{%q:%s}`, name, value), fmt.Sprintf(`{%q:%s,"unknown":1,"start":{"date":"2026-03-10"},"id":"x"}`, name, value))
		}
	}
	for _, body := range bodies {
		v := new(T)
		table.Decode([]byte(body), v, object.Reading{})
		if diff := cmp.Diff(table.NamesOf(table.NonZero(v)), table.NamesOf(nonZero(v))); diff != "" {
			t.Errorf("%s (-table +nonZero):\n%s", body, diff)
		}
	}
}
