package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/ndjson"
)

// requestForm is a request in the batch form.
var requestForm = ndjson.Form{
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

// memberError says on one line which member an error is about.
func memberError(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", name, strings.ReplaceAll(err.Error(), "\n", "; "))
}

// readText reads a string that must not be touched on its way. Half a surrogate pair is no
// character, and json.Unmarshal would put another in its place: it becomes the three bytes that
// would be its code in UTF-8, were it one, for the body to be refused as such.
func readText(name string, value []byte, text **string) error {
	if value[0] != '"' || halfPair(value) == -1 {
		return ndjson.Unmarshal(name, value, text)
	}
	var whole []byte
	rest := value[1 : len(value)-1]
	for at := halfPair(rest); at >= 0; at = halfPair(rest) {
		half := escapedUnit(rest[at:])
		whole = append(appendUnescaped(whole, rest[:at]), 0xE0|byte(half>>12), 0x80|byte(half>>6&0x3F), 0x80|byte(half&0x3F))
		rest = rest[at+escapeLen:]
	}
	read := string(appendUnescaped(whole, rest))
	*text = &read
	return nil
}

// MarshalJSON writes the request as a line of the batch form, for [Request.UnmarshalJSON] to read
// the same request: half a surrogate pair in BodyText becomes the escape that it is read from.
func (r Request) MarshalJSON() ([]byte, error) { return r.line() }

// line is [Request.MarshalJSON] without its layers: json.Marshal escapes what HTML needs.
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
	return append(appendQuoted(text, *half), '}'), nil
}

// appendQuoted appends a text as a JSON string, with what [readText] reads as half a surrogate pair
// as its escape.
func appendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for {
		at := halfCode(text)
		whole, _ := json.Marshal(text[:at]) // strings have no error
		dst = append(dst, whole[1:len(whole)-1]...)
		if at == len(text) {
			return append(dst, '"')
		}
		unit := 0xD000 | int(text[at+1]&0x3F)<<6 | int(text[at+2]&0x3F)
		dst = fmt.Appendf(dst, `\u%04x`, unit)
		text = text[at+halfLen:]
	}
}

// halfLen is the length of what would be half a surrogate pair in UTF-8, were it a character.
const halfLen = 3

// halfCode returns where the first such half is, or the length of the text. No other bytes begin
// like one.
func halfCode(text string) int {
	for at := 0; at+halfLen <= len(text); at++ {
		if text[at] == 0xED && text[at+1] >= 0xA0 {
			return at
		}
	}
	return len(text)
}

// appendUnescaped appends what stands in a part of a valid quoted string.
func appendUnescaped(dst, part []byte) []byte {
	var s string
	_ = json.Unmarshal(slices.Concat([]byte{'"'}, part, []byte{'"'}), &s) // the whole was scanned
	return append(dst, s...)
}

// escapeLen is the length of an escaped code unit of UTF-16, as \ud83d.
const escapeLen = 6

// escapedUnit returns the code unit of UTF-16 that s begins with as an escape, or 0.
func escapedUnit(s []byte) rune {
	if len(s) < escapeLen || s[0] != '\\' || s[1] != 'u' {
		return 0
	}
	unit, _ := strconv.ParseUint(string(s[2:escapeLen]), 16, 16)
	return rune(unit)
}

// halfPair returns where a valid quoted string, or a part of one, escapes half a surrogate
// pair, or -1.
func halfPair(s []byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		unit := escapedUnit(s[i:])
		switch {
		case !utf16.IsSurrogate(unit):
			i++ // what is escaped begins no escape
		case utf16.DecodeRune(unit, escapedUnit(s[i+escapeLen:])) == unicode.ReplacementChar:
			return i
		default:
			i += 2*escapeLen - 1
		}
	}
	return -1
}
