package event

import (
	"encoding/json"
	"iter"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/object"
)

// MarshalJSON returns the event as JSON with the names of the documents, and with everything that was in
// the JSON from which it was read. Members are in the order of the documents, followed by unknown members.
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

// UnmarshalJSON replaces e with the event in the text, which has the names of the documents. It keeps
// unknown members. The error lists every wrong type and every repeated name, and is a [*diag.Error].
func (e *Event) UnmarshalJSON(text []byte) error { return jsonrule.Unmarshal(eventTable, text, e) }

// Decode reads an event from one JSON object with the names of a dialect. The findings, in the order of
// the text, report invalid JSON, repeated names, wrong types, unknown members, and values with a name of the other
// dialect. Decode checks no other rule. The event has the values that could be read; the others are kept and written back.
func Decode(text []byte, in diag.Dialect) (*Event, diag.Findings) {
	e := new(Event)
	return e, jsonrule.Findings(in, eventTable.Decode(text, e, object.Reading{Dialect: in, Foreign: &dialectMixed}))
}

// timedEvent is an event with memory for the times that most events have: one allocation.
type timedEvent struct {
	Event
	times [2]Time // the times that the start and the end point to
}

// Clone returns a deep copy of e, or nil.
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

// WithDefaults returns a copy of the event in which absent members have the defaults that the
// documents state: status, transparency, visibility, eventType, the permissions of guests, and the
// type of a birthday. Members with the default false or 0 have it anyway. The stored event of a
// service does not contain these defaults.
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

// Unknown yields the names and JSON texts of the members that the documents do not list, in the
// order in which they were sent.
func (e *Event) Unknown() iter.Seq2[string, json.RawMessage] { return eventTable.Unknown(e.orZero()) }
