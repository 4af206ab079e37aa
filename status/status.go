// Package status defines the meaning of the status of an event: whether and how the event is cancelled, the guaranteed
// fields of a cancelled event, and whether events.list returns it.
//
// It takes small values, not events, so that a server, a sync engine or a test double can use it
// with the rows of a database:
//
//	meaning := status.Facts{Status: row.Status, RecurringEventID: row.SeriesID}.Meaning()
//	if query.Lists(row.Status) { ... }
//
// Source: calendar.md, States and transitions.
package status

import "github.com/calrules/calrules/internal/constraint"

// Facts are the fields of an event that determine the meaning of its status. The zero value is
// a single, confirmed event.
type Facts struct {
	Status           string // empty means confirmed
	RecurringEventID string // empty unless the event is an instance
	HasOriginalStart bool   // whether the event has an originalStartTime
}

// Meaning is the meaning of a status.
type Meaning uint8

const (
	// Active is an event that is not cancelled.
	Active Meaning = iota

	// Exception is a cancelled instance of an active series. It is not shown, and clients
	// keep it for the lifetime of the series.
	Exception

	// Deleted is any other cancelled event. It disappears eventually.
	Deleted
)

// Meaning returns the meaning of the status. An event with either of the two fields of an instance is an instance.
func (f Facts) Meaning() Meaning {
	switch {
	case f.Status != constraint.StatusCancelled:
		return Active
	case f.RecurringEventID != "" || f.HasOriginalStart:
		return Exception
	default:
		return Deleted
	}
}

// String returns the name of the meaning.
func (m Meaning) String() string {
	switch m {
	case Exception:
		return "exception"
	case Deleted:
		return "deleted"
	default:
		return "active"
	}
}

// Guaranteed returns the names of the guaranteed fields of a cancelled event. It returns nil for an active event, for
// which the documents guarantee nothing.
func (m Meaning) Guaranteed() []string {
	switch m {
	case Exception:
		return []string{"id", "recurringEventId", "originalStartTime"}
	case Deleted:
		return []string{"id"}
	default:
		return nil
	}
}

// Query contains the parameters of events.list that decide whether it returns cancelled events.
type Query struct {
	SyncToken   string // empty if absent
	UpdatedMin  string // empty if absent
	ShowDeleted bool
}

// incremental reports whether the request is an incremental sync.
func (q Query) incremental() bool { return q.SyncToken != "" || q.UpdatedMin != "" }

// Lists reports whether events.list returns an event of the given status. It returns cancelled events only on incremental
// sync or if showDeleted is true. (events.get returns every event.)
func (q Query) Lists(status string) bool {
	return status != constraint.StatusCancelled || q.incremental() || q.ShowDeleted
}

// Details reports whether events.list returns the details of an event of the given status, such as its summary and
// location. Cancelled events may keep their details so that they can be restored, but an incremental sync returns the
// details only if showDeleted is true.
func (q Query) Details(status string) bool {
	return status != constraint.StatusCancelled || !q.incremental() || q.ShowDeleted
}
