package event

import (
	"encoding/json"
	"iter"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
)

// MarshalJSON writes the event with all that was in the JSON that it was read from. Members
// stand in the order of the document, unknown ones after them.
func (e Event) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// AppendJSON appends what [Event.MarshalJSON] writes to dst.
func (e *Event) AppendJSON(dst []byte) []byte { return eventTable.Append(dst, e) }

// UnmarshalJSON reads an event, replacing e. Members that the documents do not list are
// kept. The error tells of every wrong type and every repeated name. To have them as
// findings, call [Decode] or [Check].
func (e *Event) UnmarshalJSON(text []byte) error { return eventTable.Unmarshal(text, e) }

// Decode reads an event from one JSON object, with everything that is wrong with the text as
// findings in the order of the text: what is not JSON, repeated names, wrong types, and
// members that the documents do not list. It asks no other rule. The event holds what could
// be read, and writes back what could not.
func Decode(text []byte) (*Event, diag.Findings) {
	e := new(Event)
	var report diag.Report
	for _, p := range eventTable.Decode(text, e, object.NullIsKept) {
		doc := problemRule(p, diag.Insert)
		report.AddAt(doc, doc.Kind, p.Path, p.Offset, p.Sentence())
	}
	return e, report.Findings
}

// Clone returns a deep copy of e, or nil.
func (e *Event) Clone() *Event { return eventTable.Clone(e) }

// Equal reports whether e and other say the same. A member that is absent, null or its
// type's zero value is one and the same, unless absence has a meaning of its own;
// unknown members, and values of a wrong type, are compared as JSON values.
func (e *Event) Equal(other *Event) bool { return eventTable.Equal(e, other) }

// Unknown yields the members of the event that the documents do not list, in the order in
// which they were sent, with their JSON text.
func (e *Event) Unknown() iter.Seq2[string, json.RawMessage] { return eventTable.Unknown(e) }
