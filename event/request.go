package event

import (
	"encoding/json"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation"
)

// Request is one request with what is known around it. It is also a line of the batch form
// that `calrules check --ndjson` reads.
type Request struct {
	// ID is any JSON value; the answer echoes it.
	ID json.RawMessage `json:"id,omitempty"`

	// Op is the operation, or [operation.Response] for the check of a representation that a
	// server returned.
	Op operation.ID `json:"op"`

	// Params are the query parameters as they were sent.
	Params operation.Params `json:"params,omitempty"`

	// Existing is the stored event, for the operations that have one.
	Existing *Event `json:"existing,omitempty"`

	// Body is the body of the request or, for the check of a response, the representation.
	Body json.RawMessage `json:"body,omitempty"`

	// BodyText is the body where it is not JSON, or must not be touched on its way. It goes
	// before Body.
	BodyText *string `json:"bodyText,omitempty"`

	// Event is the body as a Go value, for callers who have no bytes. It goes before
	// BodyText and Body. Of members that the documents do not list nothing is said then: a
	// value that was read from JSON has been decoded already.
	Event *Event `json:"-"`

	// IfMatch is the entity tag that the request is conditional on.
	IfMatch string `json:"ifMatch,omitempty"`

	// Caller is what is known of who calls; nil where nothing is.
	Caller *operation.Caller `json:"caller,omitempty"`

	// Calendar is what is known of the calendar; nil where nothing is.
	Calendar *operation.Calendar `json:"calendar,omitempty"`

	// Series is, for an instance, its recurring event, where it is known.
	Series *Event `json:"series,omitempty"`

	// Grade overrides what findings mean: a rule id or "basis:NAME", to "reject", "advise" or
	// "off".
	Grade map[string]string `json:"grade,omitempty"`
}

// text returns the bytes of the body, or nil where it is a Go value.
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

// hasBody reports whether the request has a body at all.
func (r *Request) hasBody() bool { return r.Event != nil || r.BodyText != nil || r.Body != nil }

// Result is the answer to a [Request]. It is also a line of the batch form that `calrules
// check --ndjson` writes.
type Result struct {
	// ID is the request's.
	ID json.RawMessage `json:"id,omitempty"`

	// Accepted is false where a finding rejects or there is an Error.
	Accepted bool `json:"accepted"`

	// Findings are in document order, those about the query first.
	Findings diag.Findings `json:"findings,omitempty"`

	// Truncated is true where there were more findings than the [Checker] keeps.
	Truncated bool `json:"truncated,omitempty"`

	// Event is, where the request is accepted, what the service would store or return.
	Event *Event `json:"event,omitempty"`

	// Stored is, where the request is accepted and changes what is stored, the event that the
	// service would store. It is the Event unless the request wants fewer attendees returned.
	// It is no member of the batch form.
	Stored *Event `json:"-"`

	// Remainder is, of a move, the cancelled event that stays on the original organizer's
	// side, where one does.
	Remainder *Event `json:"remainder,omitempty"`

	// Error says why the request could not be checked: it names no operation, or
	// its grades cannot be read.
	Error string `json:"error,omitempty"`
}

// Err returns the refusal as a Go error, or nil where the request is accepted.
func (r *Result) Err() error {
	if r.Error != "" {
		return &RequestError{Reason: r.Error}
	}
	return r.Findings.Err()
}

// RequestError tells that a [Request] is none that can be checked.
type RequestError struct{ Reason string }

func (e *RequestError) Error() string { return e.Reason }
