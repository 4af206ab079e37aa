package event

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/object"
)

// The fields of an event that are not zero are those that its table finds, in the same order.
func TestMembers(t *testing.T) {
	values := []string{"null", `""`, `"x"`, "true", "false", "0", "1", "[]", "[{}]", "{}", `{"x":1}`, `{"date":""}`}
	for _, name := range tables().event.NamesOf(object.All) {
		for _, value := range values {
			compareMembers(t, fmt.Sprintf(`{%q:%s}`, name, value))
			compareMembers(t, fmt.Sprintf(`{%q:%s,"unknown":1,"start":{"date":"2026-03-10"}}`, name, value))
		}
	}
	compareMembers(t, `{}`)
	if got := membersNamed("eventType"); got != ofEventType {
		t.Errorf("the last member is %b in the table and %b in the code", got, ofEventType)
	}
}

func compareMembers(t *testing.T, body string) {
	var e Event
	tables().event.Decode([]byte(body), &e, object.Reading{})
	if diff := cmp.Diff(tables().event.NamesOf(tables().event.NonZero(&e)), tables().event.NamesOf(e.nonZero())); diff != "" {
		t.Errorf("%s (-table +nonZero):\n%s", body, diff)
	}
}
