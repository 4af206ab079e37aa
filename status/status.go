// Package status knows what the status of an event means: which fields a cancelled event
// still has, who is shown it, and which changes of status the documents state.
//
// It takes small values of its own and never an event, so that a server, a sync engine or a
// test double can ask it about rows of a database as well:
//
//	meaning := status.Of(status.Facts{Status: row.Status, RecurringEventID: row.SeriesID})
//	if status.Listed(row.Status, query) { ... }
//
// Where the documents are silent the answer is [Unspecified], and the caller decides.
//
// Source: calendar.md, States and transitions.
package status

// The values of an event's status. An absent one is [Confirmed].
const (
	Confirmed = "confirmed"
	Tentative = "tentative"
	Cancelled = "cancelled"
)

// Normal returns the status that an event has: [Confirmed] where it is absent.
func Normal(status string) string {
	if status == "" {
		return Confirmed
	}
	return status
}

// Facts are what of an event tells the meaning of its status. The zero value is a single
// event that is not cancelled.
type Facts struct {
	Status           string
	RecurringEventID string // of an instance; else empty
	HasOriginalStart bool   // whether originalStartTime is there
}

// Meaning is what a status stands for.
type Meaning uint8

const (
	// Active is every event that is not cancelled.
	Active Meaning = iota

	// Exception is a cancelled instance of an active series: it is not shown, and clients
	// keep it for the lifetime of the series.
	Exception

	// Deleted is any other cancelled event. It disappears eventually.
	Deleted
)

// Of returns what the status of an event means. An event is an instance where either of the
// two fields stands that only instances have.
func Of(f Facts) Meaning {
	switch {
	case f.Status != Cancelled:
		return Active
	case f.RecurringEventID != "" || f.HasOriginalStart:
		return Exception
	default:
		return Deleted
	}
}

// String names the meaning.
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

// Guaranteed returns the names of the fields that a cancelled event is guaranteed to have. Of
// an active event nothing is stated: it returns nil.
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

// Query is what of a request for events.list decides about cancelled events.
type Query struct {
	SyncToken   string // empty where it is not given
	UpdatedMin  string // empty where it is not given
	ShowDeleted bool
}

// Incremental reports whether the request is an incremental sync.
func (q Query) Incremental() bool { return q.SyncToken != "" || q.UpdatedMin != "" }

// Listed reports whether events.list returns an event with the status: cancelled ones only on
// incremental sync or with showDeleted. events.get returns every event.
func Listed(status string, q Query) bool {
	return status != Cancelled || q.Incremental() || q.ShowDeleted
}

// Detailed reports whether events.list returns the details of an event with the status, such
// as summary and location. Incremental sync with showDeleted false does not return those of
// cancelled events, which may be there so that the event can be restored.
func Detailed(status string, q Query) bool {
	return status != Cancelled || !q.Incremental() || q.ShowDeleted
}
