package status_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/status"
)

// TestMeaning tests that a cancelled event is an exception if it is an instance, and deleted otherwise.
func TestMeaning(t *testing.T) {
	for _, c := range []struct {
		facts      status.Facts
		want       status.Meaning
		guaranteed []string
	}{
		{status.Facts{}, status.Active, nil},
		{status.Facts{Status: "tentative", RecurringEventID: "s"}, status.Active, nil},
		{status.Facts{Status: "cancelled"}, status.Deleted, []string{"id"}},
		{status.Facts{Status: "cancelled", RecurringEventID: "s", HasOriginalStart: true}, status.Exception, []string{"id", "recurringEventId", "originalStartTime"}},
		{status.Facts{Status: "cancelled", RecurringEventID: "s"}, status.Exception, []string{"id", "recurringEventId", "originalStartTime"}},
		{status.Facts{Status: "cancelled", HasOriginalStart: true}, status.Exception, []string{"id", "recurringEventId", "originalStartTime"}},
		{status.Facts{Status: "Cancelled"}, status.Active, nil}, // case matters
	} {
		got := c.facts.Meaning()
		if got != c.want {
			t.Errorf("%+v.Meaning() = %v, want %v", c.facts, got, c.want)
		}
		if diff := cmp.Diff(c.guaranteed, got.Guaranteed()); diff != "" {
			t.Errorf("fields guaranteed for %+v (-want +got):\n%s", c.facts, diff)
		}
	}
}

// TestQuery tests all eight queries: events.list returns cancelled events only on incremental
// sync or if showDeleted is true, and incremental sync without showDeleted omits their details.
func TestQuery(t *testing.T) {
	for _, c := range []struct {
		query            status.Query
		listed, detailed bool
	}{
		{status.Query{}, false, true},
		{status.Query{ShowDeleted: true}, true, true},
		{status.Query{SyncToken: "t"}, true, false},
		{status.Query{SyncToken: "t", ShowDeleted: true}, true, true},
		{status.Query{UpdatedMin: "u"}, true, false},
		{status.Query{UpdatedMin: "u", ShowDeleted: true}, true, true},
		{status.Query{SyncToken: "t", UpdatedMin: "u"}, true, false},
		{status.Query{SyncToken: "t", UpdatedMin: "u", ShowDeleted: true}, true, true},
	} {
		if got := c.query.Lists(constraint.StatusCancelled); got != c.listed {
			t.Errorf("%+v lists a cancelled event: %t", c.query, got)
		}
		if got := c.query.Details(constraint.StatusCancelled); got != c.detailed {
			t.Errorf("%+v returns the details of a cancelled event: %t", c.query, got)
		}
		for _, active := range []string{"", constraint.StatusConfirmed, constraint.StatusTentative} {
			if !c.query.Lists(active) || !c.query.Details(active) {
				t.Errorf("%+v does not return all of an event of status %q", c.query, active)
			}
		}
	}
}

func ExampleFacts_Meaning() {
	exception := status.Facts{Status: "cancelled", RecurringEventID: "series1", HasOriginalStart: true}.Meaning()
	fmt.Println(exception, exception.Guaranteed())
	deleted := status.Facts{Status: "cancelled"}.Meaning()
	fmt.Println(deleted, deleted.Guaranteed())
	// Output:
	// exception [id recurringEventId originalStartTime]
	// deleted [id]
}
