package event

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/calrules/calrules/internal/envelope"
)

// requestForm is a request in the batch form.
var requestForm = envelope.Form{
	Members:  []string{"id", "op", "params", "existing", "body", "bodyText", "ifMatch", "caller", "calendar", "series", "grade"},
	Verbatim: "body",
}

// UnmarshalJSON reads a line of the batch form, replacing r. It matches names exactly and
// refuses a member that stands twice or whose name is a slip of the pen; other members that
// are not listed are passed over. Null stands for absence, except as an id or a body. The body
// is kept byte for byte.
//
// The error says what is wrong with the line. The ID is read all the same where it can be;
// of text that is not JSON at all that takes a direct call, for json.Unmarshal does not hand
// such text on.
func (r *Request) UnmarshalJSON(line []byte) error {
	*r = Request{}
	err := requestForm.Read(line, &r.ID, r.readMember)
	// The values are parts of the line, which is the caller's to use again.
	r.ID, r.Body = bytes.Clone(r.ID), bytes.Clone(r.Body)
	return err
}

// readMember reads the value of one member.
func (r *Request) readMember(name string, value []byte) error {
	switch name {
	case "op":
		return envelope.Unmarshal(name, value, &r.Op)
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
		return envelope.Unmarshal(name, value, &r.IfMatch)
	case "caller":
		return envelope.Unmarshal(name, value, &r.Caller)
	case "calendar":
		return envelope.Unmarshal(name, value, &r.Calendar)
	default:
		return envelope.Unmarshal(name, value, &r.Grade)
	}
}

// readEvent reads a stored event.
func readEvent(name string, value []byte, e **Event) error {
	*e = new(Event)
	return memberError(name, (*e).UnmarshalJSON(value))
}

// memberError says on one line which member an error is about.
func memberError(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", name, strings.ReplaceAll(err.Error(), "\n", "; "))
}

// readText reads a string that must not be touched on its way: half a surrogate pair, which
// json.Unmarshal would replace, is an error.
func readText(name string, value []byte, text **string) error {
	if hasLoneSurrogate(value) {
		return fmt.Errorf("%s holds half a surrogate pair, which is no character", name)
	}
	return envelope.Unmarshal(name, value, text)
}

// hasLoneSurrogate reports whether a quoted string escapes half a surrogate pair.
func hasLoneSurrogate(quoted []byte) bool {
	high := false // the escape just before was the first half of a pair
	for i := 0; i < len(quoted); i++ {
		var unit uint64
		if quoted[i] == '\\' {
			i++
			if quoted[i] == 'u' {
				unit, _ = strconv.ParseUint(string(quoted[i+1:i+5]), 16, 16)
				i += 4
			}
		}
		if low := 0xDC00 <= unit && unit < 0xE000; low != high {
			return true
		}
		high = 0xD800 <= unit && unit < 0xDC00
	}
	return false
}
