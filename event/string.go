package event

import (
	"encoding/json"
	"fmt"
)

// String returns the event as JSON on one line, as [Event.MarshalJSON] writes it.
func (e Event) String() string { return string(e.AppendJSON(nil)) }

// GoString is [Event.String]: where a test prints an event as a Go value, as property tests
// do, JSON tells what pointers and unexported fields would not.
func (e Event) GoString() string { return e.String() }

// String returns the request as a line of the batch form that `calrules check --ndjson` reads,
// without its end. A body that is no JSON stands in it as bodyText, and one that is a Go value
// as body. Of several bodies it is the one that counts.
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

// GoString is [Request.String], for the reason that [Event.GoString] has.
func (r Request) GoString() string { return r.String() }
