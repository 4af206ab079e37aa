// Package status interprets the status of an event. The package distinguishes the kinds of cancelled events, lists the
// guaranteed fields of a cancelled event, and reports whether events.list returns an event.
//
// The functions in the package take small values instead of events, so a server, a sync engine or a test double can call them
// with values from database rows:
//
//	meaning := status.Facts{Status: row.Status, RecurringEventID: row.SeriesID}.Meaning()
//	if query.Lists(row.Status) { ... }
//
// Source: calendar.md, States and transitions.
package status

import "github.com/calrules/calrules/internal/constraint"

// Facts contains the fields of an event that determine the meaning of its status. The zero value represents a single,
// confirmed event.
type Facts struct {
	Status           string // empty means confirmed
	RecurringEventID string // empty unless the event is an instance
	HasOriginalStart bool   // whether the event has an originalStartTime
}

// Meaning is the meaning of a status.
type Meaning uint8

const (
	// Active means that the event is not cancelled.
	Active Meaning = iota

	// Exception means that the event is a cancelled instance of an active series. Clients do not show an Exception, but keep it
	// for the lifetime of the series.
	Exception

	// Deleted means that the event is cancelled and is not an [Exception]. The service eventually removes a Deleted event.
	Deleted
)

// Meaning returns the meaning of the status. An event with a recurringEventId or an originalStartTime is an instance.
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

// Guaranteed returns the names of the guaranteed fields of a cancelled event. Guaranteed returns nil for an active
// event, because the documents do not guarantee any fields.
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

// Query contains the parameters of events.list that determine whether it returns cancelled events.
type Query struct {
	SyncToken   string // empty if absent
	UpdatedMin  string // empty if absent
	ShowDeleted bool
}

// incremental reports whether the request is an incremental sync.
func (q Query) incremental() bool { return q.SyncToken != "" || q.UpdatedMin != "" }

// Lists reports whether events.list returns an event with the given status. Lists returns cancelled events only for an
// incremental sync or if showDeleted is true. (events.get returns every event.)
func (q Query) Lists(status string) bool {
	return status != constraint.StatusCancelled || q.incremental() || q.ShowDeleted
}

// Details reports whether events.list returns the details of an event with the given status, such as the summary and location.
// Cancelled events may keep their details for a later restoration, but an incremental sync returns the details only if
// showDeleted is true.
func (q Query) Details(status string) bool {
	return status != constraint.StatusCancelled || !q.incremental() || q.ShowDeleted
}
