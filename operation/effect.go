package operation

import (
	"encoding/json"
)

// Things is a set of kinds of objects read or changed by operations.
type Things uint16

// The kinds of objects. Objects within a calendar, such as its access control rules, are created and deleted with the calendar.
const (
	OneEvent      Things = 1 << iota // an event, with its instances
	AllEvents                        // the events of a calendar
	OneCalendar                      // a calendar, with its events
	OneListEntry                     // an entry of a user's calendar list
	OneAccessRule                    // an access control rule
	OneChannel                       // a notification channel that watches a list
	OneSetting                       // a setting of a user
	BusyTimes                        // the times at which calendars are busy
	Palette                          // the color definitions
)

// thingNames lists the names of the kinds in JSON.
var thingNames = [...]string{"event", "allEvents", "calendar", "listEntry", "accessRule", "channel", "setting", "busyTimes", "palette"}

// Has reports whether the set contains at least one of the given kinds.
func (t Things) Has(kinds Things) bool { return t&kinds != 0 }

// Names returns the names of the kinds in the set, such as "event".
func (t Things) Names() []string {
	var names []string
	for i, name := range thingNames {
		if t.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// MarshalJSON encodes the set as an array of the names of its kinds.
func (t Things) MarshalJSON() ([]byte, error) { return json.Marshal(append([]string{}, t.Names()...)) }

// An Effect describes the effect of an accepted request for an operation. Sources: Endpoints; Behavior rules per operation.
type Effect struct {
	Reads   Things `json:"reads,omitzero"`
	Creates Things `json:"creates,omitzero"` // the response contains the id
	Changes Things `json:"changes,omitzero"`
	Deletes Things `json:"deletes,omitzero"`

	// Notifies contains the kinds of objects whose watchers are notified: events, calendar list entries, and access
	// control rules.
	Notifies Things `json:"notifies,omitzero"`

	// Mails reports whether guests may receive email.
	Mails bool `json:"mails,omitzero"`
}

// Writes reports whether the operation creates, changes or deletes any object.
func (e Effect) Writes() bool { return e.Creates|e.Changes|e.Deletes != 0 }

// Deleting returns the operation that deletes an object of the given kind, or nil if there is no such operation.
func Deleting(kind Things) *Operation {
	for _, op := range operations() {
		if kind != 0 && op.Effect.Deletes == kind && op.Effect.Creates == 0 {
			return op
		}
	}
	return nil
}
