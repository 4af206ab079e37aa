package status_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/status"
)

func TestValuesAreThoseOfLimits(t *testing.T) {
	if diff := cmp.Diff(limits.EventStatus.Values(), []string{status.Confirmed, status.Tentative, status.Cancelled}); diff != "" {
		t.Errorf("statuses (-limits +here):\n%s", diff)
	}
}

// Meaning of cancelled: on an instance of a series an exception, otherwise a deleted event.
func TestOf(t *testing.T) {
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
		{status.Facts{Status: "Cancelled"}, status.Active, nil}, // values are exact
	} {
		got := status.Of(c.facts)
		if got != c.want {
			t.Errorf("Of(%+v) is %v, want %v", c.facts, got, c.want)
		}
		if diff := cmp.Diff(c.guaranteed, got.Guaranteed()); diff != "" {
			t.Errorf("guaranteed of %+v (-want +got):\n%s", c.facts, diff)
		}
	}
}

// events.list returns cancelled events only on incremental sync or when showDeleted is true;
// incremental sync with showDeleted false does not return their details. All eight queries.
func TestListed(t *testing.T) {
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
		if got := status.Listed(status.Cancelled, c.query); got != c.listed {
			t.Errorf("a cancelled event is listed by %+v: %t", c.query, got)
		}
		if got := status.Detailed(status.Cancelled, c.query); got != c.detailed {
			t.Errorf("a cancelled event is detailed by %+v: %t", c.query, got)
		}
		for _, active := range []string{"", status.Confirmed, status.Tentative} {
			if !status.Listed(active, c.query) || !status.Detailed(active, c.query) {
				t.Errorf("an event of status %q is not shown whole by %+v", active, c.query)
			}
		}
	}
}

// The transition table: every status to every status, by every trigger.
func TestTransition(t *testing.T) {
	all := []string{"", status.Confirmed, status.Tentative, status.Cancelled}
	for _, from := range all {
		for _, to := range all {
			want := status.Unspecified
			if status.Normal(from) == status.Normal(to) {
				want = status.Unchanged
			}
			if got := status.Transition(status.Change{From: from, To: to, Exists: true}); got != want {
				t.Errorf("a write from %q to %q is %v, want %v", from, to, got, want)
			}
		}
		if got := status.Transition(status.Change{From: from, To: status.Cancelled, By: status.Delete, Exists: true}); got != status.Allowed {
			t.Errorf("a delete of an event of status %q is %v", from, got)
		}
	}
	if got := status.Transition(status.Change{By: status.Delete}); got != status.Refused {
		t.Errorf("a delete of no event is %v", got)
	}
}

// Of create requests and responses the documents list the values and show no transition.
func TestUnspecifiedTransitions(t *testing.T) {
	for name, c := range map[string]struct {
		values *limits.Constraint
		ask    func(from, to string) status.Answer
	}{
		"create request": {limits.CreateRequestStatus, status.Request},
		"response":       {limits.ResponseStatus, status.Response},
	} {
		for _, from := range c.values.Values() {
			for _, to := range c.values.Values() {
				want := status.Unspecified
				if from == to {
					want = status.Unchanged
				}
				if got := c.ask(from, to); got != want {
					t.Errorf("%s from %s to %s is %v, want %v", name, from, to, got, want)
				}
			}
		}
	}
}

func ExampleOf() {
	exception := status.Of(status.Facts{Status: "cancelled", RecurringEventID: "series1", HasOriginalStart: true})
	fmt.Println(exception, exception.Guaranteed())
	deleted := status.Of(status.Facts{Status: "cancelled"})
	fmt.Println(deleted, deleted.Guaranteed())
	// Output:
	// exception [id recurringEventId originalStartTime]
	// deleted [id]
}

func ExampleTransition() {
	fmt.Println(status.Transition(status.Change{From: "confirmed", To: "cancelled", By: status.Delete, Exists: true}))
	fmt.Println(status.Transition(status.Change{From: "cancelled", To: "confirmed", Exists: true}))
	// Output:
	// allowed
	// unspecified
}
