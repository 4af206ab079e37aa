package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/ndjson"
)

// requestForm is the form of a request in the batch form.
var requestForm = ndjson.Form{
	Members:  []string{"id", "op", "params", "existing", "body", "bodyText", "ifMatch", "caller", "calendar", "series", "grade"},
	Verbatim: "body",
}

// UnmarshalJSON reads a line of the batch form into r, which it overwrites. It matches names exactly,
// and refuses a member that appears twice or whose name looks misspelt; it skips other unknown
// members. Null means absence, except as an id or a body. The body is kept byte for byte.
//
// The error says what is wrong with the line. The ID is read even then if it can be; for text that is
// not JSON, call UnmarshalJSON directly, because json.Unmarshal does not pass on such text.
func (r *Request) UnmarshalJSON(line []byte) error {
	*r = Request{}
	err := requestForm.Read(line, &r.ID, r.readMember)
	// The values are parts of the line, which belongs to the caller.
	r.ID, r.Body = bytes.Clone(r.ID), bytes.Clone(r.Body)
	return err
}

// readMember reads the value of one member.
func (r *Request) readMember(name string, value []byte) error {
	switch name {
	case "op":
		return ndjson.Unmarshal(name, value, &r.Op)
	case "params":
		return r.Params.UnmarshalJSON(value)
	case "existing":
		return readEvent(name, value, &r.Existing)
	case "series":
		return readEvent(name, value, &r.Series)
	case "body":
		r.Body = value
		return nil
	case "bodyText":
		return readText(name, value, &r.BodyText)
	case "ifMatch":
		return ndjson.Unmarshal(name, value, &r.IfMatch)
	case "caller":
		return ndjson.Unmarshal(name, value, &r.Caller)
	case "calendar":
		return ndjson.Unmarshal(name, value, &r.Calendar)
	default:
		return ndjson.Unmarshal(name, value, &r.Grade)
	}
}

// readEvent reads a stored event.
func readEvent(name string, value []byte, e **Event) error {
	*e = new(Event)
	return memberError(name, (*e).UnmarshalJSON(value))
}

// memberError returns an error of one line that says which member it is about.
func memberError(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", name, strings.ReplaceAll(err.Error(), "\n", "; "))
}

// readText reads a string that must not change. Half a surrogate pair is not a character, and
// json.Unmarshal would replace it by another one: it is read as WTF-8, and the body is refused
// because that is not UTF-8.
func readText(name string, value []byte, text **string) error {
	if value[0] != '"' {
		return ndjson.Unmarshal(name, value, text)
	}
	read := string(jsonscan.UnquoteWTF8(value))
	*text = &read
	return nil
}

// MarshalJSON returns the request as a line of the batch form. [Request.UnmarshalJSON] reads the same
// request from it: half a surrogate pair in BodyText becomes an escape again.
func (r Request) MarshalJSON() ([]byte, error) { return r.line() }

// line is like [Request.MarshalJSON], after which json.Marshal escapes characters for HTML.
func (r *Request) line() ([]byte, error) {
	type members Request // without the method
	plain := members(*r)
	var half *string
	if r.BodyText != nil && !utf8.ValidString(*r.BodyText) {
		half, plain.BodyText = r.BodyText, nil
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(plain); err != nil {
		return nil, err
	}
	text := bytes.TrimSuffix(line.Bytes(), []byte("\n"))
	if half == nil {
		return text, nil
	}
	text = append(bytes.TrimSuffix(text, []byte("}")), `,"bodyText":`...)
	return append(jsonscan.AppendQuoteWTF8(text, *half), '}'), nil
}
