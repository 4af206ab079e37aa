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
	text  []byte
	at    int // where the last value or token that was read ends
	next  int // where the next value begins
	most  int // levels of nesting
	kind  Kind
	in    level   // the array or object that is being read
	outer []level // those around it, from the outside; the first one is the whole text
	err   *SyntaxError
}

// level is an array or object that is being read.
type level struct {
	open      Kind // '{' or '['; 0 for the whole text
	read      int  // how many members or elements have been read
	name, end int  // where the last name is, in quotes
}

// Reset makes d read text from its beginning. Values may be nested at most most levels deep.
func (d *Decoder) Reset(text []byte, most int) {
	d.text, d.most, d.in, d.outer, d.err = text, most, level{}, d.outer[:0], nil
	d.at = 0
	d.see(skipSpace(text, 0))
}

// Release drops the text, and buffers that are unusually large.
func (d *Decoder) Release() {
	const usual = 256
	if cap(d.outer) > usual {
		d.outer = nil
	}
	d.Reset(nil, 0)
}

// Err returns why reading stopped, or nil.
func (d *Decoder) Err() *SyntaxError { return d.err }

// IsOutermost reports whether the array or object that is being read is in no other one.
func (d *Decoder) IsOutermost() bool { return len(d.outer) == 1 }

// Kind returns the kind of the value to read, which [Decoder.Reset], [Decoder.Member] or [Decoder.More] has
// found. It is 0 if there is none; reading then fails.
func (d *Decoder) Kind() Kind { return d.kind }

// see notes the beginning of the value to read. There is none outside the text.
func (d *Decoder) see(at int) {
	d.next, d.kind = at, 0
	if uint(at) < uint(len(d.text)) {
		d.kind = kinds[d.text[at]]
	}
}

// kinds are the kinds of values by their first bytes.
var kinds = [256]Kind{
	'n': 'n', 't': 't', 'f': 'f', '"': '"', '{': '{', '[': '[', '-': '0',
	'0': '0', '1': '0', '2': '0', '3': '0', '4': '0', '5': '0', '6': '0', '7': '0', '8': '0', '9': '0',
}

// Enter reads the beginning of an object or array.
func (d *Decoder) Enter() bool {
	if d.kind != '{' && d.kind != '[' || len(d.outer) == maxLevels {
		d.fail(readToken)
		return false
	}
	kind := d.kind
	d.consume(d.next + 1)
	d.outer = append(d.outer, d.in)
	d.in = level{open: kind}
	return !d.exceeds(len(d.outer))
}

// consume passes over a value, or the beginning of one.
func (d *Decoder) consume(end int) {
	d.in.read++
	d.at, d.kind = end, 0
}

// item returns where the next member of an object or element of an array begins: at the end of the text, if reading it
// must fail. If there is none, item reads the end of the object or array.
func (d *Decoder) item(open Kind) (at int, ok bool) {
	if d.err != nil || d.in.open != open {
		d.fail(readToken)
		return 0, false
	}
	at = skipSpace(d.text, d.at)
	switch {
	case at == len(d.text):
		return at, true
	case d.text[at] == byte(open)+2: // in ASCII, the closing bracket is two after the opening one
		last := len(d.outer) - 1
		d.at, d.in, d.outer = at+1, d.outer[last], d.outer[:last]
		return 0, false
	case d.in.read == 0:
		return at, true
	case d.text[at] == ',':
		return skipSpace(d.text, at+1), true
	default:
		return len(d.text), true
	}
}

// Member reads the name of the next member of an object or, if there is none, the end of the object. The name is
// valid until the next call. It takes less time if the name is guess, a name without escapes.
func (d *Decoder) Member(guess string) (name []byte, isGuess, ok bool) {
	at, ok := d.item('{')
	if !ok {
		return nil, false, false
	}
	end, isPlain := at+len(`""`)+len(guess), true
	if isGuess = d.has(at, end, guess); !isGuess {
		if end, isPlain = ScanString(d.text, at); end == Fail {
			d.fail(readValue)
			return nil, false, false
		}
	}
	d.in.name, d.in.end, d.at = at, end, end
	d.see(skipColon(d.text, end))
	if !isPlain {
		return Unquote(d.text[at:end]), false, true
	}
	return d.text[at+1 : end-1], isGuess, true
}

// has reports whether a name between two offsets is written without escapes.
func (d *Decoder) has(at, end int, name string) bool {
	return end <= len(d.text) && d.text[at] == '"' && d.text[end-1] == '"' && string(d.text[at+1:end-1]) == name
}

// More reports whether another element of an array follows. If none does, it reads the end of the array.
func (d *Decoder) More() bool {
	at, ok := d.item('[')
	if ok {
		d.see(at)
	}
	return ok
}

// Value reads a value and returns its text, which is valid until the next call.
func (d *Decoder) Value() ([]byte, bool) {
	text, depth := d.read()
	return text, text != nil && !d.exceeds(len(d.outer)+depth)
}

// String is like [Decoder.Value] for a string, and returns where its text begins and ends. isPlain is false if it may
// have escapes.
func (d *Decoder) String() (start, end int, isPlain, ok bool) {
	end = Fail
	if d.kind == '"' {
		end, isPlain = ScanString(d.text, d.next)
	}
	if end == Fail {
		d.fail(readValue)
		return 0, 0, false, false
	}
	d.consume(end)
	return d.next, end, isPlain, true
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
	if d.kind != 0 {
		end, depth = scanValue(d.text, d.next, maxLevels-len(d.outer))
	}
	if end == Fail {
		d.fail(readValue)
		return nil, 0
	}
	d.consume(end)
	return d.text[d.next:end], depth
}

// Bool reads true or false.
func (d *Decoder) Bool() (value, ok bool) {
	value = d.kind == 't'
	_, ok = d.Scalar()
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
		d.err = &SyntaxError{Offset: next, Reason: followed}
	}
}

const followed = "something follows the value"

// Offset returns where the last value or token that was read ends, in bytes.
func (d *Decoder) Offset() int { return d.at }

// Next returns where the value to read begins.
func (d *Decoder) Next() int { return d.After(d.Offset()) }

// After returns where the next value after an offset begins. [Decoder.Offset] has returned the offset.
func (d *Decoder) After(offset int) int { return skipSeparators(d.text, offset) }

// Path returns the path to the last value or name that was read.
func (d *Decoder) Path() diag.Pointer {
	var path []byte
	for i := 1; i < len(d.outer); i++ {
		path = d.appendToken(path, &d.outer[i])
	}
	return diag.Pointer(d.appendToken(path, &d.in))
}

// appendToken appends the token of the last name or element that was read in an array or object.
func (d *Decoder) appendToken(path []byte, in *level) []byte {
	switch {
	case in.open == '[' && in.read > 0:
		return strconv.AppendInt(append(path, '/'), int64(in.read-1), 10)
	case in.open == '{' && in.end > 0:
		return append(path, diag.Pointer("").Member(string(Unquote(d.text[in.name:in.end])))...)
	default:
		return path
	}
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
	d.err, d.kind = &SyntaxError{Path: d.Path(), Offset: d.Offset(), Reason: reason}, 0
}

func tooDeep(most int) string {
	return fmt.Sprintf("arrays and objects are nested more than %d levels deep", most)
}

// fail stops, unless reading has already stopped, because the text is not well-formed from here on. A judge reads it and
// says why.
func (d *Decoder) fail(read reading) {
	if d.err != nil {
		return
	}
	j := judges.Get().(*judge)
	d.err, d.kind = j.explain(d.text, d.at, d.most, read), 0
	j.release()
}
