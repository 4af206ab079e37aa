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
	"github.com/calrules/calrules/limits"
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

// Reset makes d read text from its beginning.
func (d *Decoder) Reset(text []byte) {
	d.reset(text, limits.JSONMaxDepth, jsontext.AllowDuplicateNames(true))
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
	d.kind = 0
	if d.err == nil {
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

// More reports whether another member or element follows, and otherwise reads the end of the object
// or array.
func (d *Decoder) More() bool {
	if kind := d.Peek(); d.err != nil || kind != '}' && kind != ']' {
		return d.err == nil
	}
	d.readToken()
	return false
}

func (d *Decoder) readToken() bool {
	if d.err != nil {
		return false
	}
	_, err := d.json.ReadToken()
	return d.ok(err)
}

// Value reads a value and returns its text, which is valid until the next call. It checks how
// deeply the value is nested.
func (d *Decoder) Value() ([]byte, bool) {
	text, ok := d.readValue()
	return text, ok && !(isNested(text) && d.exceeds(d.json.StackDepth()+depth(text)))
}

// Name reads the name of a member, with [Decoder.Peek] having seen that there is one. It is valid
// until the next call.
func (d *Decoder) Name() ([]byte, bool) {
	quoted, ok := d.readValue()
	switch {
	case !ok:
		return nil, false
	case bytes.IndexByte(quoted, '\\') >= 0:
		return Unquote(quoted), true
	default: // it is UTF-8
		return quoted[1 : len(quoted)-1], true
	}
}

func (d *Decoder) readValue() ([]byte, bool) {
	if d.err != nil {
		return nil, false
	}
	text, err := d.json.ReadValue()
	return text, d.ok(err)
}

// Skip reads a value, however deeply it is nested.
func (d *Decoder) Skip() bool { return d.err == nil && d.ok(d.json.SkipValue()) }

// End checks that only white space follows.
func (d *Decoder) End() {
	if d.err != nil {
		return
	}
	end := d.Offset()
	if _, err := d.json.ReadToken(); !errors.Is(err, io.EOF) {
		d.err = &SyntaxError{Offset: skipSpace(d.text, end), Reason: "something follows the value"}
	}
}

// Offset returns where the last value or token that was read ends, in bytes.
func (d *Decoder) Offset() int { return int(d.json.InputOffset()) }

// Next returns where the value begins that [Decoder.Peek] has seen.
func (d *Decoder) Next() int { return skipSeparators(d.text, d.Offset()) }

// Path returns the path to the last value or name that was read.
func (d *Decoder) Path() diag.Pointer { return diag.Pointer(d.json.StackPointer()) }

// exceeds reports whether depth is more than the limit, and then stops.
func (d *Decoder) exceeds(depth int) bool {
	if depth <= d.most {
		return false
	}
	d.err = &SyntaxError{Path: d.Path(), Offset: d.Offset(), Reason: tooDeep}
	return true
}

var tooDeep = fmt.Sprintf("arrays and objects are nested more than %d levels deep", limits.JSONMaxDepth)

// ok reports whether err is nil, and otherwise stops.
func (d *Decoder) ok(err error) bool {
	if err == nil {
		return true
	}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !ok: // io.EOF: reading from memory has no other error
		d.err = &SyntaxError{Offset: len(d.text), Reason: "it is empty"}
	case strings.Count(string(syntax.JSONPointer), "/") > d.most:
		d.exceeds(d.most + 1) // before the error
	default:
		d.err = &SyntaxError{Path: diag.Pointer(syntax.JSONPointer), Offset: int(syntax.ByteOffset), Reason: reason(syntax.Err)}
	}
	return false
}

// reason returns the message of an error of jsontext without the name of the package.
func reason(err error) string {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	return strings.TrimPrefix(err.Error(), "jsontext: ")
}
