package operation

import (
	"encoding/json"
)

// Things is a set of kinds of things that operations are about.
type Things uint16

// The kinds of things. Things within a calendar, such as its rules of access control, come and go with it.
const (
	OneEvent      Things = 1 << iota // an event, with its instances
	AllEvents                        // the events of a calendar
	OneCalendar                      // a calendar, with its events
	OneListEntry                     // an entry of a user's calendar list
	OneAccessRule                    // a rule of access control
	OneChannel                       // a channel that watches a list
	OneSetting                       // a setting of a user
	BusyTimes                        // the times at which calendars are busy
	Palette                          // the definitions of colors
)

// thingNames are the names of the kinds of things in JSON.
var thingNames = [...]string{"event", "allEvents", "calendar", "listEntry", "accessRule", "channel", "setting", "busyTimes", "palette"}

// Has reports whether the set has one of the given kinds.
func (t Things) Has(kinds Things) bool { return t&kinds != 0 }

// Names returns the names of the kinds, such as "event".
func (t Things) Names() []string {
	var names []string
	for i, name := range thingNames {
		if t.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// MarshalJSON encodes a set as an array of the names of its kinds.
func (t Things) MarshalJSON() ([]byte, error) { return json.Marshal(append([]string{}, t.Names()...)) }

// Effect is the effect of an accepted request for an operation. Sources: Endpoints; Behavior rules per operation.
type Effect struct {
	Reads   Things `json:"reads,omitzero"`
	Creates Things `json:"creates,omitzero"` // the answer contains the id
	Changes Things `json:"changes,omitzero"`
	Deletes Things `json:"deletes,omitzero"`

	// Notifies holds the things whose watchers are notified: events, calendar list entries, and rules of access control.
	Notifies Things `json:"notifies,omitzero"`

	// Mails reports whether guests may get mail.
	Mails bool `json:"mails,omitzero"`
}

// Writes reports whether the operation creates, changes or deletes something.
func (e Effect) Writes() bool { return e.Creates|e.Changes|e.Deletes != 0 }

// Deleting returns the operation that deletes one thing of the given kind, or nil if none does.
func Deleting(kind Things) *Operation {
	for _, op := range operations {
		if kind != 0 && op.Effect.Deletes == kind && op.Effect.Creates == 0 {
			return op
		}
	}
	return nil
}
