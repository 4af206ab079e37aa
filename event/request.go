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
	// Op is the operation, or [operation.Response] to check a representation that a server
	// returned.
	Op operation.ID

	// Params are the query parameters as they were sent.
	Params operation.Params

	// Existing is the stored event, if the operation has one. Nil means unknown, unless Absent is set. If it is
	// unknown, findings that depend on it are not reported.
	Existing *Event

	// Absent reports that there is no stored event. It has no effect if Existing is set.
	Absent bool

	// Body is the body of the request, or the representation to check, or nil.
	Body []byte

	// Event is the body as a Go value. It takes precedence over Body. Because it is already decoded, there are no
	// findings about unknown members.
	Event *Event

	// IfMatch is the entity tag on which the request is conditional.
	IfMatch string

	// Answer is the body of the response, if any, in the dialect of the request, and Status its HTTP status; 0 means
	// success. Neither affects the check of the request itself.
	Answer []byte
	Status int

	// Caller has the facts about the caller, or is nil.
	Caller *operation.Caller

	// Calendar has the facts about the calendar, or is nil.
	Calendar *operation.Calendar

	// Series is the recurring event of an instance, or nil if it is not known.
	Series *Event

	// Dialect is the dialect of the body and of the findings. If it is [diag.Documents], the zero value, the dialect of
	// the [Checker] applies. Existing, Series and Event are Go values, and use the documents' names in every dialect.
	Dialect diag.Dialect
}

// hasBody reports whether the request has a body.
func (r *Request) hasBody() bool { return r.Event != nil || r.Body != nil }

// text returns the bytes of the body, or nil if it is a Go value.
func (r *Request) text() []byte {
	if r.Event != nil {
		return nil
	}
	return r.Body
}

// Result is the result of checking a [Request]. The zero value is a request that is not accepted.
// Its events share nothing with each other or with the request, unless [Checker.ShareMemory] allows it.
type Result struct {
	// Accepted reports whether no finding rejects the request.
	Accepted bool

	// Findings are in document order, after the findings about the query.
	Findings diag.Findings

	// Truncated reports whether the [Checker] dropped findings beyond its maximum.
	Truncated bool

	// AnswerFindings are the findings about [Request.Answer], in its order. Their paths point into the answer.
	AnswerFindings diag.Findings

	// Stored is the event that the service stores, if the request is accepted and stores one. For a delete, it is the
	// cancelled event that represents the deleted one. Do not store it without [Request.Existing]: the result of
	// patching an unknown event has only the members sent. If a grading accepts a body that is not an event, nothing is
	// stored or returned.
	Stored *Event

	// Answer is the event that the service returns, if the request is accepted and the service returns one. It may lack
	// members and attendees of the stored event, depending on the parameter maxAttendees and on the caller. For a
	// delete, it is the cancelled event, although the public service responds without a body.
	Answer *Event

	// CancelledCopy is the cancelled event that a move leaves on the original organizer's side, if any.
	CancelledCopy *Event

	// Dialect is the dialect of the findings. Use [Event.AppendIn] to write events in this dialect.
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

// WithDialect returns the same request in another dialect. In a malformed body, which stays malformed, it translates
// every string that is a name.
func (r Request) WithDialect(d diag.Dialect) Request {
	from := r.Dialect
	r.Dialect, r.Caller = d, r.Caller.WithDialect(d)
	if r.Body == nil || d == from {
		return r
	}
	e := new(Event)
	if problems := eventTable.Decode(r.Body, e, object.Reading{Dialect: from}); len(problems) > 0 {
		r.Body = renameWords(r.Body)
	} else {
		r.Body = e.AppendIn(d, nil)
	}
	return r
}

// renameWords replaces each quoted word in a text with its name in the other dialect, if any.
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
