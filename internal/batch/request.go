// Package batch reads requests about events, and writes the answers, in the line-based format of `calrules check --ndjson` and
// `calrules expand --ndjson`.
package batch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/operation"
)

// A Request is a request with the additional members of a line.
type Request struct {
	event.Request

	// ID is any JSON value, and is repeated in the answer.
	ID json.RawMessage

	// Grade overrides the kinds of findings, as [diag.Grading.With] describes.
	Grade map[string]string
}

// A requestLine is a request as written in a line.
type requestLine struct {
	Request
	spare            operation.Params // a map to reuse
	bodyText         []byte           // nil if the line has no bodyText
	existing, series []byte           // decoded once the dialect is known
}

var requestForm = ndjson.NewObject("a request",
	ndjson.Raw("id", func(r *requestLine) *json.RawMessage { return &r.ID }).OrNull(),
	ndjson.Of("op", func(r *requestLine) *operation.ID { return &r.Op }, readOperation),
	ndjson.Func("params", func(r *requestLine, value []byte) error {
		r.Params = r.spare
		return r.Params.UnmarshalJSON(value)
	}),
	ndjson.Raw("existing", func(r *requestLine) *[]byte { return &r.existing }).OrNull(),
	ndjson.Raw("body", func(r *requestLine) *[]byte { return &r.Body }).Verbatim(),
	ndjson.Of("bodyText", func(r *requestLine) *[]byte { return &r.bodyText }, ndjson.WTF8),
	ndjson.Of("ifMatch", func(r *requestLine) *string { return &r.IfMatch }, ndjson.Text[string]),
	ndjson.Of("status", func(r *requestLine) *int { return &r.Status }, readStatus),
	ndjson.Raw("answer", func(r *requestLine) *[]byte { return &r.Answer }),
	ndjson.Of("caller", func(r *requestLine) **operation.Caller { return &r.Caller }, ndjson.Opt(callerForm.Value)),
	ndjson.Of("calendar", func(r *requestLine) **operation.Calendar { return &r.Calendar }, ndjson.Opt(calendarForm.Value)),
	ndjson.Raw("series", func(r *requestLine) *[]byte { return &r.series }),
	ndjson.Of("grade", func(r *requestLine) *map[string]string { return &r.Grade }, ndjson.Map(ndjson.Text[string])),
	ndjson.Of("dialect", func(r *requestLine) *diag.Dialect { return &r.Dialect }, ndjson.Decoded[diag.Dialect]),
)

var callerForm = ndjson.NewObject("caller",
	ndjson.Of("serviceAccount", func(c *operation.Caller) **bool { return &c.ServiceAccount }, ndjson.Opt(ndjson.Bool)),
	ndjson.Of("domainWideDelegation", func(c *operation.Caller) *bool { return &c.DomainWideDelegation }, ndjson.Bool),
	ndjson.Of("email", func(c *operation.Caller) *string { return &c.Email }, ndjson.Text[string]),
	ndjson.Of("creator", func(c *operation.Caller) **bool { return &c.Creator }, ndjson.Opt(ndjson.Bool)),
	ndjson.Of("scopes", func(c *operation.Caller) *[]string { return &c.Scopes }, ndjson.List(ndjson.Text[string])),
)

// calendarForm describes the calendar member of a line. An absent fact is unknown. [operation.Calendar.Validate] checks
// the status and the time zone.
var calendarForm = ndjson.NewObject("calendar",
	ndjson.Of("primary", func(c *operation.Calendar) **bool { return &c.Primary }, ndjson.Opt(ndjson.Bool)),
	ndjson.Of("status", func(c *operation.Calendar) *string { return &c.Status }, ndjson.NotEmpty),
	ndjson.Of("timeZone", func(c *operation.Calendar) *string { return &c.TimeZone }, ndjson.NotEmpty),
	ndjson.Of("colors", func(c *operation.Calendar) *operation.IDs { return &c.Colors }, readIDs),
	ndjson.Of("labels", func(c *operation.Calendar) *operation.IDs { return &c.Labels }, readIDs),
	ndjson.Of("buildings", func(c *operation.Calendar) *operation.IDs { return &c.Buildings }, readIDs),
	ndjson.Of("ids", func(c *operation.Calendar) *operation.IDs { return &c.IDs }, readIDs),
)

// readOperation reads the id of an operation. As in command-line flags, the prefix "events." can be omitted.
func readOperation(value []byte) (operation.ID, error) {
	op, err := ndjson.Text[operation.ID](value)
	if _, ok := operation.Lookup("events." + op); ok {
		op = "events." + op
	}
	return op, err
}

func readStatus(value []byte) (int, error) {
	n, err := ndjson.Natural(value)
	return int(n), err
}

func readIDs(value []byte) (operation.IDs, error) {
	list, err := ndjson.List(ndjson.Text[string])(value)
	if err != nil {
		return nil, err
	}
	return operation.IDList(list), nil
}

// IsRequest reports whether a line is an object that contains a member of a request other than the id. An event does not
// contain members of a request, except for status, which is a string in an event.
func IsRequest(line []byte) bool {
	if jsonscan.Valid(line) != nil {
		return false
	}
	for quoted, value := range jsonscan.Of(line).Members() {
		name := quoted.String()
		if slices.Contains(requestForm.Names()[1:], name) && (name != "status" || !value.IsString()) {
			return true
		}
	}
	return false
}

// UnmarshalJSON replaces r with the request in a line. If the line does not specify a dialect, the dialect of r is kept. Names
// are case-sensitive, even in the caller and the calendar. UnmarshalJSON returns an error if a member appears twice or has a
// name that seems to be misspelled, and ignores other unknown members. A null member is treated as absent, except that a null
// id, body or stored event means that there is no such value. The body is kept byte for byte.
//
// If possible, UnmarshalJSON sets the ID even if there is an error. If the line may not be valid JSON, call UnmarshalJSON
// directly, because json.Unmarshal calls it only for valid JSON.
func (r *Request) UnmarshalJSON(line []byte) error {
	return r.Read(bytes.Clone(line)) // the caller may reuse the line
}

// errTwoBodies is the error for a line with two bodies. Either could be the intended body.
var errTwoBodies = errors.New("body and bodyText are both there; send one of them")

// Read is like UnmarshalJSON, but the ID and the body refer to the bytes of line, so the caller must not modify line
// while r is in use. Read reuses the parameter map.
func (r *Request) Read(line []byte) error {
	l := requestLine{Request: Request{Request: event.Request{Dialect: r.Dialect}}, spare: r.Params}
	err := requestForm.ReadLine(line, &l, &l.ID)
	if l.bodyText != nil && l.Body != nil {
		err = cmp.Or(err, errTwoBodies)
	} else if l.bodyText != nil {
		l.Body = l.bodyText
	}
	err = cmp.Or(err, readEvent(l.Dialect, "existing", l.existing, &l.Existing), readEvent(l.Dialect, "series", l.series, &l.Series))
	l.Absent = string(l.existing) == "null"
	*r = l.Request
	return err
}

// readEvent decodes a stored event. A name from the other dialect is treated as an unknown member or value instead of an error,
// because a response preserves such a name from the request, and clients must be able to send the response back as the stored
// event.
func readEvent(in diag.Dialect, name string, value []byte, e **event.Event) error {
	if value == nil || string(value) == "null" {
		return nil
	}
	read, findings := event.Decode(value, in)
	*e = read
	return ndjson.Labelled(name, findings.Err())
}

// Check checks the request and adds fixes to the findings. The grades in the line take precedence over the checker's grades.
func (r *Request) Check(c *event.Checker) (event.Result, error) {
	c = r.Checker(c)
	result, err := c.Check(&r.Request)
	c.AddFixes(&r.Request, result.Findings) // there are no findings if there is an error
	return result, err
}

// Checker returns a checker that uses the grading of the request.
func (r *Request) Checker(c *event.Checker) *event.Checker {
	if r.Grade == nil {
		return c
	}
	graded := *c
	graded.Grading = c.Grading.With(r.Grade)
	return &graded
}
