package event

import (
	"encoding/json"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation"
)

// Request is a request with what is known around it. It is also a line of the batch form that
// `calrules check --ndjson` reads.
type Request struct {
	// ID is any JSON value; the result repeats it.
	ID json.RawMessage `json:"id,omitempty"`

	// Op is the operation, or [operation.Response] to check a representation that a server
	// returned.
	Op operation.ID `json:"op"`

	// Params are the query parameters as they were sent.
	Params operation.Params `json:"params,omitempty"`

	// Existing is the stored event, if the operation has one.
	Existing *Event `json:"existing,omitempty"`

	// Body is the body of the request, or the representation to check.
	Body json.RawMessage `json:"body,omitempty"`

	// BodyText is the body if it is not JSON or must be kept byte for byte. It takes precedence
	// over Body.
	BodyText *string `json:"bodyText,omitempty"`

	// Event is the body as a Go value. It takes precedence over BodyText and Body. There are no
	// findings about unknown members then, because the value is already decoded.
	Event *Event `json:"-"`

	// IfMatch is the entity tag on which the request is conditional.
	IfMatch string `json:"ifMatch,omitempty"`

	// Caller is what is known about the caller, or nil.
	Caller *operation.Caller `json:"caller,omitempty"`

	// Calendar is what is known about the calendar, or nil.
	Calendar *operation.Calendar `json:"calendar,omitempty"`

	// Series is the recurring event of an instance, or nil if it is not known.
	Series *Event `json:"series,omitempty"`

	// Grade overrides what findings mean. A key is a rule id, a prefix of ids that ends in a dot or
	// "basis:NAME", and a value is "reject", "advise" or "off".
	Grade map[string]string `json:"grade,omitempty"`
}

// text returns the bytes of the body, or nil if it is a Go value.
func (r *Request) text() []byte {
	switch {
	case r.Event != nil:
		return nil
	case r.BodyText != nil:
		return []byte(*r.BodyText)
	default:
		return r.Body
	}
}

// hasBody reports whether the request has a body.
func (r *Request) hasBody() bool { return r.Event != nil || r.BodyText != nil || r.Body != nil }

// Result is the result of checking a [Request]. It is also a line of the batch form that
// `calrules check --ndjson` writes.
type Result struct {
	// ID is that of the request.
	ID json.RawMessage `json:"id,omitempty"`

	// Accepted is false if a finding rejects or there is an Error.
	Accepted bool `json:"accepted"`

	// Findings are in document order, after those about the query.
	Findings diag.Findings `json:"findings,omitempty"`

	// Truncated reports whether there were more findings than the [Checker] keeps.
	Truncated bool `json:"truncated,omitempty"`

	// Event is the event that the service would return, if the request is accepted.
	Event *Event `json:"event,omitempty"`

	// Stored is the event that the service would store, if the request is accepted and stores one.
	// It equals Event unless maxAttendees or the caller limits what is returned; the batch form has
	// it only then.
	Stored *Event `json:"stored,omitempty"`

	// Remainder is the cancelled event that a move leaves on the original organizer's side, if
	// any.
	Remainder *Event `json:"remainder,omitempty"`

	// Error says why the request could not be checked: the operation is unknown or the grades are
	// invalid.
	Error string `json:"error,omitempty"`
}

// Err returns a [*diag.Error] or a [*RequestError], or nil if the request is accepted.
func (r *Result) Err() error {
	if r.Error != "" {
		return &RequestError{Reason: r.Error}
	}
	return r.Findings.Err()
}

// RequestError is the error of a [Request] that cannot be checked.
type RequestError struct{ Reason string }

func (e *RequestError) Error() string { return e.Reason }
