package event

import (
	"encoding/json"
	"iter"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/object"
)

// MarshalJSON returns the event as JSON with the documents' names, including everything in the JSON from which it was
// read. Members are in the order of the documents, followed by unknown members.
func (e Event) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// AppendJSON appends the result of [Event.MarshalJSON] to dst, or null for a nil event.
func (e *Event) AppendJSON(dst []byte) []byte { return e.AppendIn(diag.Documents, dst) }

// AppendIn is [Event.AppendJSON] with the names of a dialect. [Decode] is its inverse.
func (e *Event) AppendIn(in diag.Dialect, dst []byte) []byte {
	if e == nil {
		return append(dst, "null"...)
	}
	return eventTable.AppendIn(in, dst, e)
}

// UnmarshalJSON replaces e with the event in the text, which has the documents' names. It keeps unknown members. The
// error is a [*diag.Error] that lists every wrong type and every repeated name.
func (e *Event) UnmarshalJSON(text []byte) error { return jsonrule.Unmarshal(eventTable, text, e) }

// Decode reads an event from one JSON object with the names of a dialect. The findings, in text order, report invalid
// JSON, repeated names, wrong types, unknown members, and values named in the other dialect. Decode checks no other
// rules. The event has every readable value; unreadable ones are kept and written back.
func Decode(text []byte, in diag.Dialect) (*Event, diag.Findings) {
	e := new(Event)
	return e, jsonrule.Findings(in, eventTable.Decode(text, e, object.Reading{Dialect: in, Foreign: &dialectMixed}))
}

// timedEvent is an event and the times that most events have, in one allocation.
type timedEvent struct {
	Event
	times [2]Time // the times that the start and the end point to
}

// Clone returns a deep copy of e, or nil if e is nil.
func (e *Event) Clone() *Event {
	if e == nil {
		return nil
	}
	c := &timedEvent{Event: *e}
	if e.Start != nil {
		c.times[0] = *e.Start
		c.Start = &c.times[0]
	}
	if e.End != nil {
		c.times[1] = *e.End
		c.End = &c.times[1]
	}
	eventTable.Detach(&c.Event, e.nonZero()&^(ofStart|ofEnd))
	return &c.Event
}

// WithDefaults returns a copy of the event in which absent members have their documented defaults: status,
// transparency, visibility, eventType, the permissions of guests, and the type of a birthday. Members whose default is
// false or 0 need no change. A service does not store these defaults.
func (e *Event) WithDefaults() *Event {
	if e == nil {
		return nil
	}
	full := e.Clone()
	eventTable.SetDefaults(full)
	return full
}

// Equal reports whether e and other are equal. An absent member equals one that is null or the zero
// value of its type, unless absence has its own meaning. Unknown members and values of a wrong type
// are compared as JSON values.
func (e Event) Equal(other Event) bool { return eventTable.Equal(&e, &other) }

// Unknown yields the name and the JSON text of each undocumented member, in the order sent.
func (e *Event) Unknown() iter.Seq2[string, json.RawMessage] { return eventTable.Unknown(e.orZero()) }
