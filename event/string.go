package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// String returns the event as JSON on one line, as [Event.MarshalJSON] does.
func (e Event) String() string { return string(e.AppendJSON(nil)) }

// GoString returns the same as [Event.String], so that a test that prints an event in Go syntax shows
// what would be hidden behind pointers and in unexported fields.
func (e Event) GoString() string { return e.String() }

// String returns the request as a line of JSON that `calrules check --ndjson` reads. The member
// bodyText has a body that is not JSON in UTF-8. Functions in the Calendar are left out.
func (r Request) String() string {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r.printed()); err != nil {
		return fmt.Sprintf("a request that cannot be written: %v", err)
	}
	return string(bytes.TrimSuffix(line.Bytes(), []byte("\n")))
}

// GoString is [Request.String], for the same reason as [Event.GoString].
func (r Request) GoString() string { return r.String() }

// printedRequest is a request as JSON.
type printedRequest struct {
	Op       operation.ID        `json:"op"`
	Params   operation.Params    `json:"params,omitzero"`
	Existing *Event              `json:"existing,omitzero"`
	Body     json.RawMessage     `json:"body,omitzero"`
	BodyText json.RawMessage     `json:"bodyText,omitzero"`
	IfMatch  string              `json:"ifMatch,omitzero"`
	Caller   *operation.Caller   `json:"caller,omitzero"`
	Calendar *operation.Calendar `json:"calendar,omitzero"`
	Series   *Event              `json:"series,omitzero"`
	Dialect  limits.Dialect      `json:"dialect,omitzero"`
}

func (r *Request) printed() printedRequest {
	p := printedRequest{
		Op: r.Op, Params: r.Params, Existing: r.Existing.respelled(r.Dialect), IfMatch: r.IfMatch,
		Caller: r.Caller, Calendar: listed(r.Calendar), Series: r.Series.respelled(r.Dialect), Dialect: r.Dialect,
	}
	quoted := jsonscan.AppendQuoteWTF8(nil, string(r.Body))
	switch {
	case r.Event != nil:
		p.Body = r.Event.AppendIn(r.Dialect, nil)
	case json.Valid(r.Body) && (utf8.Valid(r.Body) || !bytes.Equal(jsonscan.UnquoteWTF8(quoted), r.Body)):
		p.Body = r.Body
	case r.Body != nil:
		p.BodyText = quoted
	}
	return p
}

// respelled returns the event that encodes in the documents' names as e does in those of the dialect.
func (e *Event) respelled(in limits.Dialect) *Event {
	if e == nil || in == limits.Documents {
		return e
	}
	spelled := new(Event)
	eventTable.Decode(e.AppendIn(in, nil), spelled, object.Reading{})
	return spelled
}

// listed returns the calendar without the sets that are not lists.
func listed(c *operation.Calendar) *operation.Calendar {
	if c == nil {
		return nil
	}
	printed := *c
	for _, ids := range []*operation.IDs{&printed.Colors, &printed.Labels, &printed.Buildings, &printed.IDs} {
		list, ok := (*ids).(operation.IDList)
		if *ids = nil; ok {
			*ids = append(operation.IDList{}, list...) // never nil, which is null in JSON
		}
	}
	return &printed
}
