package event

import (
	"encoding/json"
	"iter"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/object"
)

// MarshalJSON returns the event as JSON with the documents' names, preserving the contents of the JSON from which the event was
// decoded. Members are in the documents' order, followed by unknown members.
func (e Event) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// AppendJSON appends the result of [Event.MarshalJSON] to dst, or null for a nil event.
func (e *Event) AppendJSON(dst []byte) []byte { return e.AppendIn(diag.Documents, dst) }

// AppendIn is like [Event.AppendJSON], but uses the names of the given dialect. [Decode] is the inverse.
func (e *Event) AppendIn(in diag.Dialect, dst []byte) []byte {
	if e == nil {
		return append(dst, "null"...)
	}
	return tables().event.AppendIn(in, dst, e)
}

// UnmarshalJSON replaces e with the decoded event, including unknown members. The JSON must use the documents' names.
// The error is a [*diag.Error] that lists every wrong type and every repeated name.
func (e *Event) UnmarshalJSON(text []byte) error { return jsonrule.Unmarshal(tables().event, text, e) }

// Decode decodes an event from a JSON object that uses the names of the given dialect. The findings, in order of their offsets,
// report invalid JSON, repeated names, wrong types, unknown members, and names from the other dialect. Decode checks no other
// rules. The event contains every readable value; unreadable values are preserved when the event is encoded.
func Decode(text []byte, in diag.Dialect) (*Event, diag.Findings) {
	e := new(Event)
	return e, jsonrule.Findings(in, tables().event.Decode(text, e, object.Reading{Dialect: in, Foreign: &dialectMixed}))
}

// timedEvent allocates an event together with the times that most events have.
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
	tables().event.Detach(&c.Event, e.nonZero()&^(ofStart|ofEnd))
	return &c.Event
}

// WithDefaults returns a copy of the event in which absent members have their documented defaults: status,
// transparency, visibility, eventType, the guests' permissions, and the type of a birthday. Members whose default is false or
// 0 are left out. The service does not store defaults.
func (e *Event) WithDefaults() *Event {
	if e == nil {
		return nil
	}
	full := e.Clone()
	tables().event.SetDefaults(full)
	return full
}

// Equal reports whether e and other are equal. An absent member is equal to null and to the zero value of its type,
// unless absence has a separate meaning. Unknown members and values of the wrong type are compared as JSON values.
func (e Event) Equal(other Event) bool { return tables().event.Equal(&e, &other) }

// Unknown returns an iterator over the names and JSON values of undocumented members, in the order in which they were sent.
func (e *Event) Unknown() iter.Seq2[string, json.RawMessage] {
	return tables().event.Unknown(e.orZero())
}
