// Package jsonscan reads JSON texts (RFC 8259) without decoding them: it validates them, finds
// the values in them and says where they begin. It takes linear time, however deeply arrays and
// objects are nested.
//
// It is the only package that imports jsontext, which has no stable release yet.
package jsonscan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/calrules/calrules/diag"
)

// Kind is the kind of a value by its first byte, except that '0' stands for every number. It is 0
// where there is no value.
type Kind = jsontext.Kind

// SyntaxError says where and why a text is not the JSON that it must be.
type SyntaxError struct {
	Path   diag.Pointer
	Offset int    // in bytes
	Reason string // such as "it ends too early"
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s (byte %d)", e.Reason, e.Offset) }

// Decoder reads a text value by value. It allows objects to repeat a name. After an error its
// methods do nothing and return false. The zero value reads an empty text.
type Decoder struct {
	json   jsontext.Decoder
	buffer bytes.Buffer // what json reads
	text   []byte
	most   int  // levels of nesting
	kind   Kind // of what Peek saw last
	err    *SyntaxError
}

// Reset makes d read text from its beginning. Values may be nested most deep.
func (d *Decoder) Reset(text []byte, most int) {
	d.reset(text, most, jsontext.AllowDuplicateNames(true))
}

func (d *Decoder) reset(text []byte, most int, options ...jsontext.Options) {
	d.text, d.most, d.err = text, most, nil
	d.buffer = *bytes.NewBuffer(text)
	d.json.Reset(&d.buffer, options...)
}

// Release lets go of the text.
func (d *Decoder) Release() {
	d.text, d.err = nil, nil
	d.buffer = bytes.Buffer{}
}

// Err returns why reading stopped, or nil.
func (d *Decoder) Err() *SyntaxError { return d.err }

// Peek returns the kind of what follows, which is '}' or ']' at the end of an object or array.
func (d *Decoder) Peek() Kind {
	if d.kind = 0; d.err == nil {
		d.kind = d.json.PeekKind()
	}
	return d.kind
}

// Kind returns what the last [Decoder.Peek] did.
func (d *Decoder) Kind() Kind { return d.kind }

// Enter reads the beginning of an object or array, which [Decoder.Peek] has seen.
func (d *Decoder) Enter() bool {
	return d.readToken() && !d.exceeds(d.json.StackDepth())
}

func (d *Decoder) readToken() bool {
	if d.err != nil {
		return false
	}
	_, err := d.json.ReadToken()
	if err != nil {
		d.fail(err)
	}
	return err == nil
}

// Member reads the name of the next member, and otherwise the end of the object. The name is valid
// until the next call.
func (d *Decoder) Member() (name []byte, ok bool) {
	if d.Peek() == '}' {
		d.readToken()
		return nil, false
	}
	if d.err != nil {
		return nil, false
	}
	quoted, err := d.json.ReadValue()
	switch {
	case err != nil:
		d.fail(err)
		return nil, false
	case bytes.IndexByte(quoted, '\\') >= 0:
		return Unquote(quoted), true
	default: // it is UTF-8
		return quoted[1 : len(quoted)-1], true
	}
}

// More reports whether another element of an array follows, and otherwise reads the end of the array.
func (d *Decoder) More() bool {
	if d.Peek() == ']' {
		d.readToken()
		return false
	}
	return d.err == nil
}

// Value reads a value and returns its text, which is valid until the next call.
func (d *Decoder) Value() ([]byte, bool) {
	text, ok := d.Scalar()
	return text, ok && !(isNested(text) && d.exceeds(d.json.StackDepth()+depth(text)))
}

// Scalar is like [Decoder.Value] for a value that is not an array or object: it does not check how
// deeply the value is nested.
func (d *Decoder) Scalar() ([]byte, bool) {
	if d.err != nil {
		return nil, false
	}
	text, err := d.json.ReadValue()
	if err != nil {
		d.fail(err)
	}
	return text, err == nil
}

// Bool reads true or false, which [Decoder.Peek] has seen.
func (d *Decoder) Bool() (value, ok bool) {
	value = d.kind == 't'
	ok = d.readToken()
	return value && ok, ok
}

// Skip reads a value, however deeply it is nested.
func (d *Decoder) Skip() bool {
	_, ok := d.Scalar()
	return ok
}

// End checks that only white space follows.
func (d *Decoder) End() {
	if d.err != nil {
		return
	}
	if next := skipSpace(d.text, d.Offset()); next < len(d.text) {
		d.err = &SyntaxError{Offset: next, Reason: "something follows the value"}
	}
}

// Offset returns where the last value or token that was read ends, in bytes.
func (d *Decoder) Offset() int { return int(d.json.InputOffset()) }

// Next returns where the value begins that [Decoder.Peek] has seen.
func (d *Decoder) Next() int { return d.After(d.Offset()) }

// After returns where the value begins that follows an offset which [Decoder.Offset] has returned.
func (d *Decoder) After(offset int) int { return skipSeparators(d.text, offset) }

// Path returns the path to the last value or name that was read.
func (d *Decoder) Path() diag.Pointer { return diag.Pointer(d.json.StackPointer()) }

// exceeds reports whether depth is more than the limit, and then stops.
func (d *Decoder) exceeds(depth int) bool {
	if depth <= d.most {
		return false
	}
	d.Stop(tooDeep(d.most))
	return true
}

// Stop ends reading after the last value, for a reason.
func (d *Decoder) Stop(reason string) {
	d.err = &SyntaxError{Path: d.Path(), Offset: d.Offset(), Reason: reason}
}

func tooDeep(most int) string {
	return fmt.Sprintf("arrays and objects are nested more than %d levels deep", most)
}

const byteOrderMark = "\ufeff"

// fail stops because of an error of jsontext.
func (d *Decoder) fail(err error) {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !ok: // io.EOF: reading from memory has no other error
		d.err = &SyntaxError{Offset: len(d.text), Reason: "it is empty"}
	case syntax.ByteOffset == 0 && bytes.HasPrefix(d.text, []byte(byteOrderMark)):
		d.err = &SyntaxError{Reason: "it begins with a byte order mark (U+FEFF); save it as UTF-8 without one"}
	case strings.Count(string(syntax.JSONPointer), "/") > d.most:
		d.exceeds(d.most + 1) // before the error
	default:
		d.err = &SyntaxError{Path: diag.Pointer(syntax.JSONPointer), Offset: int(syntax.ByteOffset), Reason: reason(syntax.Err)}
	}
}

// reason returns the message of an error of jsontext without the name of the package.
func reason(err error) string {
	text := strings.TrimPrefix(err.Error(), "jsontext: ")
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	case strings.HasPrefix(text, "invalid surrogate pair"):
		return "a string escapes half of a surrogate pair, which is no character; write both halves, or leave it out"
	}
	return text
}
