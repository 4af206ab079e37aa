package event

import (
	"cmp"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/status"
)

// StatusMeaning returns the meaning of the event's status.
func (e *Event) StatusMeaning() status.Meaning { return statusOf(e.orZero()).Meaning() }

// statusOf returns the members of an event that determine the meaning of its status.
func statusOf(e *Event) status.Facts {
	return status.Facts{Status: e.Status, RecurringEventID: e.RecurringEventID, HasOriginalStart: e.OriginalStartTime != nil}
}

// normalStatus returns s, or confirmed if s is empty.
func normalStatus(s string) string { return cmp.Or(s, constraint.StatusConfirmed) }
