package event

import (
	"encoding/json"
	"iter"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
)

// MarshalJSON returns the event as JSON, with everything that was in the JSON from which it was
// read. Members are in the order of the documents, followed by unknown members.
func (e Event) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// AppendJSON appends the result of [Event.MarshalJSON] to dst.
func (e *Event) AppendJSON(dst []byte) []byte { return eventTable.Append(dst, e) }

// UnmarshalJSON replaces e with the event in the text. It keeps unknown members. The error lists
// every wrong type and every repeated name; [Decode] and [Check] return them as findings.
func (e *Event) UnmarshalJSON(text []byte) error { return eventTable.Unmarshal(text, e) }

// Decode reads an event from one JSON object. The findings, in the order of the text, report
// invalid JSON, repeated names, wrong types and unknown members. Decode checks no other rule. The
// event has the values that could be read; the others are kept and written back.
func Decode(text []byte) (*Event, diag.Findings) {
	e := new(Event)
	var report diag.Report
	for _, p := range eventTable.Decode(text, e, object.Reading{Nulls: object.NullIsKept}) {
		doc := problemRule(p, diag.Insert)
		report.Add(p.Finding(doc))
	}
	return e, report.Findings
}

// Clone returns a deep copy of e, or nil.
func (e *Event) Clone() *Event { return eventTable.Clone(e) }

// Equal reports whether e and other are equal. An absent member equals one that is null or the zero
// value of its type, unless absence has its own meaning. Unknown members and values of a wrong type
// are compared as JSON values.
func (e *Event) Equal(other *Event) bool { return eventTable.Equal(e, other) }

// Unknown yields the names and JSON texts of the members that the documents do not list, in the
// order in which they were sent.
func (e *Event) Unknown() iter.Seq2[string, json.RawMessage] { return eventTable.Unknown(e) }
