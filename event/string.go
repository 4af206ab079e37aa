package event

import (
	"encoding/json"
	"fmt"
)

// String returns the event as JSON on one line, as [Event.MarshalJSON] does.
func (e Event) String() string { return string(e.AppendJSON(nil)) }

// GoString is [Event.String]: JSON shows what a test that prints a Go value would hide behind pointers
// and in unexported fields.
func (e Event) GoString() string { return e.String() }

// String returns the request as a line of the batch form that `calrules check --ndjson` reads, without
// a line break. The member bodyText has a body that is not JSON, and body one that is a Go value.
// If there are several bodies, the line has the one that takes precedence.
func (r Request) String() string {
	switch {
	case r.Event != nil:
		r.Body, r.BodyText = r.Event.AppendJSON(nil), nil
	case r.BodyText != nil:
		r.Body = nil
	case r.Body != nil && !json.Valid(r.Body):
		text := string(r.Body)
		r.Body, r.BodyText = nil, &text
	}
	line, err := r.line()
	if err != nil {
		return fmt.Sprintf("a request that cannot be written: %v", err)
	}
	return string(line)
}

// GoString is [Request.String], for the same reason as [Event.GoString].
func (r Request) GoString() string { return r.String() }
