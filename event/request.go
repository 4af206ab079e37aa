package event

import (
	"bytes"
	"errors"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/operation"
)

// Request is a request to the service, together with facts about its context.
type Request struct {
	// Op is the operation. [operation.Response] selects the check of a representation that a server returned.
	Op operation.ID

	// Params are the query parameters as sent.
	Params operation.Params

	// Existing is the stored event to which the operation applies, if any. Unless Absent is set, nil means that the
	// stored event is unknown, and findings that depend on it are not reported.
	Existing *Event

	// Absent reports whether the stored event is known not to exist. Absent has no effect if Existing is set.
	Absent bool

	// Body is the request body or the representation to check, or nil.
	Body []byte

	// Event is the body as a Go value, which takes precedence over Body. Because a Go value is already decoded, unknown members
	// are not reported.
	Event *Event

	// IfMatch is the value of the If-Match header field, which makes the request conditional.
	IfMatch string

	// Answer is the response body, if any, in the dialect of the request. Status is the HTTP status of the response; 0
	// means success. Answer and Status do not affect the check of the request itself.
	Answer []byte
	Status int

	// Caller contains facts about the caller, or is nil.
	Caller *operation.Caller

	// Calendar contains facts about the calendar, or is nil.
	Calendar *operation.Calendar

	// Series is the recurring event to which an instance belongs, or nil if unknown.
	Series *Event

	// Dialect is the dialect of the body and of the findings. If Dialect is [diag.Documents], the zero value, the dialect of
	// the [Checker] applies. The Go values Existing, Series and Event use the documents' names in every dialect.
	Dialect diag.Dialect
}

// hasBody reports whether the request has a body.
func (r *Request) hasBody() bool { return r.Event != nil || r.Body != nil }

// text returns the bytes of the body, or nil if the body is a Go value.
func (r *Request) text() []byte {
	if r.Event != nil {
		return nil
	}
	return r.Body
}

// Result is the result of checking a [Request]. The zero value is the result for a request that was not checked. The
// events share no memory with each other or the request unless [Checker.ShareMemory] is set.
type Result struct {
	// Accepted reports whether no finding rejects the request.
	Accepted bool

	// Findings are the findings about the query, followed by the findings about the body in document order.
	Findings diag.Findings

	// Truncated reports whether the [Checker] dropped findings beyond its maximum.
	Truncated bool

	// AnswerFindings are the findings about [Request.Answer], in document order. The paths of the findings are relative to the
	// response.
	AnswerFindings diag.Findings

	// Stored is the event that the service stores for an accepted request, or nil. For a delete, Stored is the deleted event with
	// the status cancelled. Do not store the result of patching an unknown event, which contains only the members of the patch. If
	// a grading accepts a body that is not an event, Stored and Answer are nil.
	Stored *Event

	// Answer is the event that the service returns for an accepted request, or nil. Answer may lack members and
	// attendees of the stored event, depending on the maxAttendees parameter and the caller. For a delete, Answer is
	// the cancelled event, although the public service responds without a body.
	Answer *Event

	// CancelledCopy is the cancelled event that a move leaves in the original organizer's calendar, if any.
	CancelledCopy *Event

	// Dialect is the dialect of the findings. To encode events in the same dialect, use [Event.AppendIn].
	Dialect diag.Dialect
}

// Err returns nil if the request is accepted, and otherwise a [*diag.Error] with all findings.
func (r Result) Err() error {
	switch err := r.Findings.Err(); {
	case r.Accepted:
		return nil
	case err != nil:
		return err
	default:
		return errors.New("event: the request was not checked")
	}
}

// WithDialect returns the request in the given dialect. In a malformed body, which remains malformed, WithDialect
// translates every string that is a name.
func (r Request) WithDialect(d diag.Dialect) Request {
	from := r.Dialect
	r.Dialect, r.Caller = d, r.Caller.WithDialect(d)
	if r.Body == nil || d == from {
		return r
	}
	e := new(Event)
	if problems := tables().event.Decode(r.Body, e, object.Reading{Dialect: from}); len(problems) > 0 {
		r.Body = renameWords(r.Body)
	} else {
		r.Body = e.AppendIn(d, nil)
	}
	return r
}

// renameWords replaces each quoted word in text with the corresponding name in the other dialect, if any.
func renameWords(text []byte) (renamed []byte) {
	for {
		before, after, quoted := bytes.Cut(text, []byte(`"`))
		renamed = append(renamed, before...)
		if !quoted {
			return renamed
		}
		renamed, text = append(renamed, '"'), after
		word, rest, _ := bytes.Cut(after, []byte(`"`))
		if name := diag.Google.Name(string(word)); name != string(word) {
			renamed, text = append(append(renamed, name...), '"'), rest
		}
	}
}
