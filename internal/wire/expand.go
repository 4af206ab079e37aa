package wire

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/ndjson"
)

// Expansion is a request for the instances of a series, with the members that only its line has.
type Expansion struct {
	event.ExpandRequest

	// ID is any JSON value; the answer repeats it.
	ID json.RawMessage
}

var expandForm = ndjson.Form{Members: []string{
	"id", "start", "end", "recurrence", "exceptions", "from", "to", "window", "gap", "limit", "ask", "at",
}}

// UnmarshalJSON replaces r with the request in a line. It is as strict as [Request.UnmarshalJSON]. The ID is read
// even if there is an error, if possible.
func (r *Expansion) UnmarshalJSON(line []byte) error {
	return r.Read(bytes.Clone(line)) // the line belongs to the caller
}

// Read is UnmarshalJSON for a line that does not change while r is in use: the id is a part of it.
func (r *Expansion) Read(line []byte) error {
	*r = Expansion{}
	return expandForm.Read(line, &r.ID, r.readMember)
}

func (r *Expansion) readMember(name string, value []byte) error {
	switch name {
	case "start":
		return readTime(name, value, &r.Start)
	case "end":
		return readTime(name, value, &r.End)
	case "recurrence":
		return ndjson.Unmarshal(name, value, &r.Recurrence)
	case "exceptions":
		return readExceptions(name, value, &r.Exceptions)
	case "limit":
		return ndjson.Unmarshal(name, value, &r.Limit)
	default:
		texts := map[string]*string{"from": &r.From, "to": &r.To, "window": &r.Window, "gap": &r.Gap, "ask": &r.Ask, "at": &r.At}
		return ndjson.Unmarshal(name, value, texts[name])
	}
}

func readExceptions(name string, value []byte, list *[]*event.Event) error {
	var texts []json.RawMessage
	if err := ndjson.Unmarshal(name, value, &texts); err != nil {
		return err
	}
	*list = make([]*event.Event, len(texts))
	for i, text := range texts {
		(*list)[i] = new(event.Event)
		if err := ndjson.Within(fmt.Sprintf("%s/%d", name, i), (*list)[i].UnmarshalJSON(text)); err != nil {
			return err
		}
	}
	return nil
}

func readTime(name string, value []byte, t **event.Time) error {
	*t = new(event.Time)
	return ndjson.Within(name, (*t).UnmarshalJSON(value))
}

// Expanded is the line that answers an [Expansion].
type Expanded struct {
	ID        json.RawMessage `json:"id"`
	Instances []Instance      `json:"instances,omitzero"`
	Contains  *bool           `json:"contains,omitzero"`
	Count     *int            `json:"count,omitzero"`
	Truncated bool            `json:"truncated,omitzero"`
	Findings  diag.Findings   `json:"findings,omitzero"`
	Error     string          `json:"error,omitzero"`
	Next      string          `json:"next,omitzero"`
}

// Instance is one instance in an [Expanded].
type Instance struct {
	Start *event.Time `json:"start"`
	End   *event.Time `json:"end"`
}

// NewExpanded returns a result as the answer to the request with the id, which may be nil.
func NewExpanded(id json.RawMessage, r event.ExpandResult) Expanded {
	var instances []Instance
	if r.Instances != nil {
		instances = make([]Instance, len(r.Instances))
	}
	for i, in := range r.Instances {
		instances[i] = Instance{in.Start, in.End}
	}
	return Expanded{id, instances, r.Contains, r.Count, r.Truncated, r.Findings, r.Error, r.Next}
}
