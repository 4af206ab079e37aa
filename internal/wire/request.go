// Package wire is the batch form of requests about events and of the answers to them, as
// `calrules check --ndjson` reads and writes them.
package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/operation"
)

// Request is a request with what only its line has.
type Request struct {
	event.Request

	// ID is any JSON value; the answer repeats it.
	ID json.RawMessage

	// Grade overrides what findings mean, as [diag.Grading.With] describes.
	Grade map[string]string
}

// form is the form of a line. The member bodyText takes precedence over body.
var form = ndjson.Form{
	Members:  []string{"id", "op", "params", "existing", "body", "bodyText", "ifMatch", "caller", "calendar", "series", "grade", "dialect"},
	Verbatim: "body",
}

// callerMembers and calendarMembers are the members of what a line says about the caller and the calendar.
var (
	callerMembers   = []string{"serviceAccount", "domainWideDelegation", "email", "creator", "scopes"}
	calendarMembers = []string{"primary", "status", "colors", "labels", "buildings", "ids"}
)

// IsRequest reports whether a line is an object with a member of a request other than the id. An event
// has no such member.
func IsRequest(line []byte) bool {
	if jsonscan.Valid(line) != nil {
		return false
	}
	for name := range jsonscan.Of(line).Members() {
		if slices.Contains(form.Members[1:], name.String()) {
			return true
		}
	}
	return false
}

// UnmarshalJSON reads a line into r, which it overwrites. A line that does not choose a dialect has that of r before.
// It matches names exactly, in the caller and the calendar too, and refuses a member that appears twice or whose name
// looks misspelt; it skips other unknown members. Null means absence, except as an id or a body. The body is kept byte for byte.
//
// The error says what is wrong with the line. The ID is read even then if it can be; for text that is
// not JSON, call UnmarshalJSON directly, because json.Unmarshal does not pass on such text.
func (r *Request) UnmarshalJSON(line []byte) error {
	return r.Read(bytes.Clone(line)) // the line belongs to the caller
}

// Read is UnmarshalJSON for a line that does not change while r is in use: the id and the body are parts of it. It
// uses the map of the parameters again.
func (r *Request) Read(line []byte) error {
	params := r.Params
	*r = Request{Request: event.Request{Dialect: r.Dialect}}
	var body, text, existing, series []byte
	err := form.Read(line, &r.ID, func(name string, value []byte) error {
		switch name {
		case "body":
			body = value
			return nil
		case "bodyText":
			return readText(value, &text)
		case "existing": // read when the dialect is known
			existing = value
			return nil
		case "series":
			series = value
			return nil
		case "params":
			r.Params = params
			return r.Params.UnmarshalJSON(value)
		default:
			return r.readMember(name, value)
		}
	})
	err = cmp.Or(err, readEvent(r.Dialect, "existing", existing, &r.Existing), readEvent(r.Dialect, "series", series, &r.Series))
	r.Body = body
	if text != nil {
		r.Body = text
	}
	return err
}

// readMember reads the value of one member.
func (r *Request) readMember(name string, value []byte) error {
	switch name {
	case "op":
		return ndjson.Unmarshal(name, value, (*string)(&r.Op))
	case "ifMatch":
		return ndjson.Unmarshal(name, value, &r.IfMatch)
	case "caller":
		return ndjson.UnmarshalObject(name, value, &r.Caller, callerMembers...)
	case "calendar":
		return readCalendar(name, value, &r.Calendar)
	case "dialect":
		return ndjson.Unmarshal(name, value, &r.Dialect)
	default:
		return ndjson.UnmarshalObject(name, value, &r.Grade)
	}
}

// readEvent reads a stored event. A name of the other dialect in it is an unknown member or value: an answer keeps one
// that was sent, and what was answered must be readable as what is stored.
func readEvent(in diag.Dialect, name string, value []byte, e **event.Event) error {
	if value == nil {
		return nil
	}
	read, findings := event.Decode(value, in)
	*e = read
	return ndjson.Within(name, findings.Err())
}

// readText reads a string that must not change. Half a surrogate pair is not a character, and
// json.Unmarshal would replace it by another one: it is read as WTF-8, and the body is refused
// because that is not UTF-8.
func readText(value []byte, text *[]byte) error {
	if value[0] != '"' {
		var s string
		return ndjson.Unmarshal("bodyText", value, &s)
	}
	*text = append([]byte{}, jsonscan.UnquoteWTF8(value)...) // not nil, even if it is empty
	return nil
}

// readCalendar reads what is known about a calendar. A list that is absent is unknown.
func readCalendar(name string, value []byte, c **operation.Calendar) error {
	var f struct {
		Primary   *bool            `json:"primary"`
		Status    string           `json:"status"`
		Colors    operation.IDList `json:"colors"`
		Labels    operation.IDList `json:"labels"`
		Buildings operation.IDList `json:"buildings"`
		IDs       operation.IDList `json:"ids"`
	}
	if err := ndjson.UnmarshalObject(name, value, &f, calendarMembers...); err != nil {
		return err
	}
	*c = &operation.Calendar{
		Primary: f.Primary, Status: f.Status,
		Colors: known(f.Colors), Labels: known(f.Labels), Buildings: known(f.Buildings), IDs: known(f.IDs),
	}
	return nil
}

func known(list operation.IDList) operation.IDs {
	if list == nil {
		return nil
	}
	return list
}

// Check checks the request with the grades of its line, which take precedence over those of the checker.
func (r *Request) Check(c *event.Checker) (event.Result, error) {
	if r.Grade != nil {
		graded := *c
		graded.Grading = c.Grading.With(r.Grade)
		c = &graded
	}
	return c.Check(&r.Request)
}
