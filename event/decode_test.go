package event_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

func TestDecode(t *testing.T) {
	const body = `{"summary":5,"start":{"date":"2026-02-30"},"attendees":[7,{"email":null,"optional":"no"}],"summary":"again","locaton":"Room 4","sequence":1.5}`
	e, findings := event.Decode([]byte(body), diag.Documents)
	var got []string
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%s %s", f.Rule.ID, f.Path))
	}
	want := []string{
		"json.type /summary",
		"json.type /attendees/0",
		"json.type /attendees/1/optional",
		"json.duplicate-name /summary",
		"json.unknown-field /locaton",
		"json.type /sequence",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if e.Start.Date != "2026-02-30" || len(e.Attendees) != 2 {
		t.Errorf("the event is %+v", e)
	}
}

func ExampleDecode() {
	_, findings := event.Decode([]byte(`{"sequence": "3", "reminders": {"overrides": [{"method": "popup", "minutes": "10"}]}}`), diag.Documents)
	for _, f := range findings {
		fmt.Println(f.Path, f.Rule.ID)
	}
	// Output:
	// /sequence json.type
	// /reminders/overrides/0/minutes json.type
}
