// Package jsonscan reads JSON texts (RFC 8259) without decoding them: it validates them, finds
// the values in them and says where they begin. It takes linear time, however deeply arrays and
// objects are nested.
//
// It is the only package that imports jsontext, which has no stable release yet.
package jsonscan

import (
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/calrules/calrules/diag"
)

// Kind is the kind of a value: its first byte, or '0' for every number. It is 0 where there is no
// value.
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
//
// On well-formed texts, it does what a decoder of jsontext does, but reads each byte only once. It only
// detects that a text is not well-formed: a [judge] then says what is wrong, and where.
type Decoder struct {
	text   []byte
	at     int // where the last value or token that was read ends
	next   int // where the token that Peek last saw begins
	most   int // levels of nesting
	kind   Kind
	named  bool    // the name of a member was read, and its value was not
	levels []level // the enclosing arrays and objects
	err    *SyntaxError
}

// level is an array or object that is being read.
type level struct {
	open      Kind // '{' or '['
	read      int  // how many members or elements have begun
	name, end int  // where the last name is, in quotes
}

// Reset makes d read text from its beginning. Values may be nested at most most levels deep.
func (d *Decoder) Reset(text []byte, most int) {
	d.text, d.most, d.levels, d.err = text, most, d.levels[:0], nil
	d.at, d.next, d.kind, d.named = 0, 0, 0, false
}

// Release drops the text, and buffers that are unusually large.
func (d *Decoder) Release() {
	const usual = 256
	//mutation:accept What memory is kept makes no difference to the results.
	if cap(d.levels) > usual {
		d.levels = nil
	}
	d.Reset(nil, 0)
}

// Err returns why reading stopped, or nil.
func (d *Decoder) Err() *SyntaxError { return d.err }

// IsOutermost reports whether the array or object that is being read is in no other one.
func (d *Decoder) IsOutermost() bool { return len(d.levels) == 1 }

// within returns the array or object that is being read, or nil.
func (d *Decoder) within() *level {
	if len(d.levels) == 0 {
		return nil
	}
	return &d.levels[len(d.levels)-1]
}

// Peek returns the kind of the next token, which is '}' or ']' at the end of an object or array. It returns
// 0 if there is no valid token; reading then fails.
func (d *Decoder) Peek() Kind {
	d.kind = 0
	if d.err != nil {
		return 0
	}
	d.next = skipSpace(d.text, d.at)
	separator := byte(0)
	if in := d.within(); in != nil && d.named {
		separator = ':'
	} else if in != nil && in.read > 0 {
		separator = ','
	}
	d.kind = d.kindAt(d.next)
	isEnd := d.kind == '}' || d.kind == ']'
	switch {
	case separator == 0, separator == ',' && isEnd:
	case d.next < len(d.text) && d.text[d.next] == separator:
		d.next = skipSpace(d.text, d.next+1)
		if d.kind = d.kindAt(d.next); d.kind == '}' || d.kind == ']' {
			d.kind = 0
		}
	default:
		d.kind = 0
	}
	return d.kind
}

func (d *Decoder) kindAt(at int) Kind {
	if at < len(d.text) {
		return kinds[d.text[at]]
	}
	return 0
}

// kinds are the kinds of tokens by their first bytes.
var kinds = [256]Kind{
	'n': 'n', 't': 't', 'f': 'f', '"': '"', '{': '{', '}': '}', '[': '[', ']': ']', '-': '0',
	'0': '0', '1': '0', '2': '0', '3': '0', '4': '0', '5': '0', '6': '0', '7': '0', '8': '0', '9': '0',
}

// Kind returns the result of the last [Decoder.Peek].
func (d *Decoder) Kind() Kind { return d.kind }

// Enter reads the beginning of an object or array, which [Decoder.Peek] has seen.
func (d *Decoder) Enter() bool {
	if d.kind != '{' && d.kind != '[' || len(d.levels) == maxLevels {
		d.fail(readToken)
		return false
	}
	d.consume(d.next + 1)
	d.levels = append(d.levels, level{open: d.kind})
	return !d.exceeds(len(d.levels))
}

// consume passes over a value, or the beginning of one.
func (d *Decoder) consume(end int) {
	if in := d.within(); in != nil && in.open == '[' {
		in.read++
	}
	d.at, d.named = end, false
}

// leave reads the end of the object or array that d is in, which [Decoder.Peek] has seen.
func (d *Decoder) leave(open Kind) {
	if in := d.within(); in == nil || in.open != open {
		d.fail(readToken)
		return
	}
	d.levels = d.levels[:len(d.levels)-1]
	d.at = d.next + 1
}

// Member reads the name of the next member or, if there is none, the end of the object. The name is valid
// until the next call.
func (d *Decoder) Member() (name []byte, ok bool) {
	switch d.Peek() {
	case '}':
		d.leave('{')
		return nil, false
	case '"':
		return d.name()
	}
	d.fail(readValue)
	return nil, false
}

// name reads the name of a member.
func (d *Decoder) name() (name []byte, ok bool) {
	end, isPlain := ScanString(d.text, d.next)
	in := d.within()
	if end == Fail || in == nil || in.open != '{' || d.named {
		d.fail(readValue)
		return nil, false
	}
	in.read++
	in.name, in.end = d.next, end
	d.at, d.named = end, true
	if !isPlain {
		return Unquote(d.text[d.next:end]), true
	}
	return d.text[d.next+1 : end-1], true
}

// More reports whether another element of an array follows. If none does, it reads the end of the array.
func (d *Decoder) More() bool {
	if d.Peek() == ']' {
		d.leave('[')
		return false
	}
	return d.err == nil
}

// Value reads a value, which [Decoder.Peek] has seen, and returns its text, which is valid until the next call.
func (d *Decoder) Value() ([]byte, bool) {
	text, depth := d.read()
	return text, text != nil && !d.exceeds(len(d.levels)+depth)
}

// String is like [Decoder.Value] for a string. isPlain is false if it may have escapes.
func (d *Decoder) String() (quoted []byte, isPlain, ok bool) {
	end := Fail
	if d.mayRead() {
		end, isPlain = ScanString(d.text, d.next)
	}
	quoted = d.take(end)
	return quoted, isPlain, quoted != nil
}

// Scalar is like [Decoder.Value] for a value that is not an array or object: it does not check how
// deeply the value is nested.
func (d *Decoder) Scalar() ([]byte, bool) {
	text, _ := d.read()
	return text, text != nil
}

// read reads a value, and also returns how deeply arrays and objects are nested in it. It returns nil if it
// fails.
func (d *Decoder) read() (text []byte, depth int) {
	end := Fail
	if d.mayRead() {
		end, depth = scanValue(d.text, d.next, maxLevels-len(d.levels))
	}
	return d.take(end), depth
}

// mayRead reports whether a value may be where [Decoder.Peek] has seen a token.
func (d *Decoder) mayRead() bool {
	in := d.within()
	return d.kind != 0 && (in == nil || in.open == '[' || d.named)
}

// take passes over the value that ends at an offset, and returns its text. If the offset is Fail, it fails and returns
// nil.
func (d *Decoder) take(end int) []byte {
	if end == Fail {
		d.fail(readValue)
		return nil
	}
	d.consume(end)
	return d.text[d.next:end]
}

// Bool reads true or false, which [Decoder.Peek] has seen.
func (d *Decoder) Bool() (value, ok bool) {
	value = d.kind == 't'
	_, ok = d.Scalar()
	return value && ok, ok
}

// Skip reads a value, however deeply it is nested, whether or not [Decoder.Peek] has seen it.
func (d *Decoder) Skip() bool {
	d.Peek()
	_, ok := d.Scalar()
	return ok
}

// End checks that only white space follows.
func (d *Decoder) End() {
	if d.err != nil {
		return
	}
	if next := skipSpace(d.text, d.Offset()); next < len(d.text) {
		d.err = &SyntaxError{Offset: next, Reason: followed}
	}
}

const followed = "something follows the value"

// Offset returns where the last value or token that was read ends, in bytes.
func (d *Decoder) Offset() int { return d.at }

// Next returns where the value that [Decoder.Peek] has seen begins.
func (d *Decoder) Next() int { return d.After(d.Offset()) }

// After returns where the next value after an offset begins. [Decoder.Offset] has returned the offset.
func (d *Decoder) After(offset int) int { return skipSeparators(d.text, offset) }

// Path returns the path to the last value or name that was read.
func (d *Decoder) Path() diag.Pointer {
	var path []byte
	for _, in := range d.levels {
		switch {
		case in.read == 0:
		case in.open == '[':
			path = strconv.AppendInt(append(path, '/'), int64(in.read-1), 10)
		default:
			path = append(path, diag.Pointer("").Member(string(Unquote(d.text[in.name:in.end])))...)
		}
	}
	return diag.Pointer(path)
}

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
	d.kind = 0
	d.err = &SyntaxError{Path: d.Path(), Offset: d.Offset(), Reason: reason}
}

func tooDeep(most int) string {
	return fmt.Sprintf("arrays and objects are nested more than %d levels deep", most)
}

// fail stops because the text is not well-formed from here on. A judge reads it and says why.
func (d *Decoder) fail(read reading) {
	if d.kind = 0; d.err != nil {
		return
	}
	j := judges.Get().(*judge)
	d.err = j.explain(d.text, d.at, d.most, read)
	j.release()
}
