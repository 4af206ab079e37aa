// Package jsonscan scans JSON text (RFC 8259) without decoding it into Go values: it validates the text, and finds
// values and their offsets. Scanning takes linear time, no matter how deeply arrays and objects are nested.
package jsonscan

import (
	"bytes"
	"strconv"

	"github.com/calrules/calrules/diag"
)

// A Kind is the kind of a JSON value: its first byte, or '0' for every number. Kind 0 means that there is no value.
type Kind byte

// A Decoder reads JSON text value by value. A Decoder allows objects to repeat a name. After an error, the methods of a Decoder
// do nothing and return false. The zero value reads empty input.
type Decoder struct {
	text   []byte
	at     int // the end of the last value or token read
	next   int // the beginning of the next value
	most   int // the maximum nesting depth
	kind   Kind
	mode   stringMode          // the way to read strings
	unique bool                // no object may repeat a name
	in     level               // the innermost array or object being read
	outer  []level             // the enclosing levels, outermost first; the first is the whole input
	names  map[memberName]bool // the names given to IsNew, in all objects
	string []byte              // the content of the last string with escapes
	err    *SyntaxError
}

// A level is an array or object being read.
type level struct {
	open      Kind // '{' or '['; 0 for the whole input
	start     int  // the offset of the array or object
	read      int  // the number of members or elements read
	name, end int  // the offsets of the last name, including its quotes
}

// A memberName is the name of a member, together with the offset of its object.
type memberName struct {
	object int
	name   string
}

// maxLevels is the maximum nesting depth of arrays and objects in a value, as in encoding/json.
const maxLevels = 10_000

// Reset prepares d to read text from the beginning. Values may be nested up to most levels deep.
func (d *Decoder) Reset(text []byte, most int) {
	clear(d.names)
	*d = Decoder{text: text, most: most, outer: d.outer[:0], names: d.names, string: d.string}
	d.see(skipSpace(text, 0))
}

// Release drops references to the input and unusually large buffers.
func (d *Decoder) Release() {
	const usual, usualString = 256, 64 << 10
	if cap(d.outer) > usual {
		d.outer = nil
	}
	if len(d.names) > usual {
		d.names = nil
	}
	if cap(d.string) > usualString {
		d.string = nil
	}
	d.Reset(nil, 0)
}

// Err returns the error that stopped the decoder, or nil if there was no error.
func (d *Decoder) Err() *SyntaxError { return d.err }

// IsInMember reports whether the array or object being read is directly nested in the outermost array or object.
func (d *Decoder) IsInMember() bool { return len(d.outer) == 2 }

// KindOf returns the kind of a value, which must be valid JSON without leading white space.
func KindOf(value []byte) Kind { return kinds[value[0]] }

// Kind returns the kind of the next value to read, which [Decoder.Reset], [Decoder.Member] or [Decoder.More] has found.
// Kind returns 0 if there is no value, in which case reading a value fails.
func (d *Decoder) Kind() Kind { return d.kind }

// see records the offset and kind of the next value to read. There is no value beyond the end of the input.
func (d *Decoder) see(at int) {
	d.next, d.kind = at, 0
	if uint(at) < uint(len(d.text)) {
		d.kind = kinds[d.text[at]]
	}
}

// kinds maps the first byte of a value to its kind.
var kinds = [256]Kind{
	'n': 'n', 't': 't', 'f': 'f', '"': '"', '{': '{', '[': '[', '-': '0',
	'0': '0', '1': '0', '2': '0', '3': '0', '4': '0', '5': '0', '6': '0', '7': '0', '8': '0', '9': '0',
}

// Enter reads the beginning of an object or array.
func (d *Decoder) Enter() bool { return d.enter(d.most) }

// enter is like [Decoder.Enter], but with another maximum nesting depth.
func (d *Decoder) enter(most int) bool {
	switch {
	case d.kind != '{' && d.kind != '[':
		return d.failInValue(d.next)
	case len(d.outer) == maxLevels:
		d.Stop(TooDeep, maxLevels)
		return false
	}
	start, kind := d.next, d.kind
	d.consume(start + 1)
	d.outer = append(d.outer, d.in)
	d.in = level{open: kind, start: start}
	if len(d.outer) > most {
		d.Stop(TooDeep, most)
		return false
	}
	return true
}

// consume advances past a value, or past the beginning of an array or object.
func (d *Decoder) consume(end int) {
	d.in.read++
	d.at, d.kind = end, 0
}

// item returns the offset of the next member in an object or element in an array. If there is no further item, item reads the
// end of the object or array.
func (d *Decoder) item(open Kind) (at int, ok bool) {
	if d.err != nil || d.in.open != open {
		return 0, d.failInValue(d.at)
	}
	at = skipSpace(d.text, d.at)
	if uint(at) >= uint(len(d.text)) {
		return 0, d.failAfterItem(at)
	}
	switch c := d.text[at]; {
	case c == ',' && d.in.read > 0:
		return skipSpace(d.text, at+1), true
	case c == byte(open)+2: // in ASCII, a closing bracket follows its opening bracket at distance two
		last := len(d.outer) - 1
		d.at, d.in = at+1, d.outer[last]
		d.outer = d.outer[:last]
		return 0, false
	case d.in.read == 0:
		return at, true
	default:
		return 0, d.failAfterItem(at)
	}
}

// Member reads the name of the next member in an object or, if there is none, the end of the object. The name is valid
// until the next call. The guess is empty, or a name in quotes and a colon. If the member begins with the guess, Member is
// faster, and returns no name.
func (d *Decoder) Member(guess string) (name []byte, isGuess, ok bool) {
	at, ok := d.item('{')
	if !ok {
		return nil, false, false
	}
	if end := at + len(guess); guess != "" && end <= len(d.text) && string(d.text[at:end]) == guess {
		d.in.name, d.in.end, d.at = at, end-1, end-1
		d.see(skipSpace(d.text, end))
		return nil, true, d.kind != 0 || d.failAfterName()
	}
	end, isPlain, ok := d.name(at)
	if !ok {
		return nil, false, false
	}
	d.in.name, d.in.end, d.at = at, end, end
	if d.see(skipColon(d.text, end)); d.kind == 0 {
		return nil, false, d.failAfterName()
	}
	if !isPlain {
		return Unquote(d.text[at:end]), false, true
	}
	return d.text[at+1 : end-1], false, true
}

// name scans a name and returns the offset of its end.
func (d *Decoder) name(at int) (end int, isPlain, ok bool) {
	if at == len(d.text) || d.text[at] != '"' {
		return at, false, d.failInName(at)
	}
	end, isPlain, m := scanString(d.text, at, d.mode, nil)
	return end, isPlain, m == 0 || d.fail(m, end, d.Around())
}

// Name returns the offsets of the text between the quotes of the name that was just read.
func (d *Decoder) Name() (start, end int) { return d.in.name + 1, d.in.end - 1 }

// More reports whether another element of the array follows. If there is none, it reads the end of the array.
func (d *Decoder) More() bool {
	at, ok := d.item('[')
	if !ok {
		return false
	}
	d.see(at)
	return d.kind != 0 || d.failInValue(at)
}

// Value reads a value and returns its JSON text, which is valid until the next call.
func (d *Decoder) Value() ([]byte, bool) {
	text, depth := d.read()
	if text != nil && len(d.outer)+depth > d.most {
		d.Stop(TooDeep, d.most)
		return text, false
	}
	return text, text != nil
}

// String is like [Decoder.Value], but the value must be a string. It returns the offsets of the start and end of the
// string. If the string has escapes, it also returns the content, which is valid until the next call.
func (d *Decoder) String() (start, end int, content []byte, ok bool) {
	if d.kind != '"' {
		return 0, 0, nil, d.failInValue(d.next)
	}
	end, isPlain, m := scanString(d.text, d.next, d.mode, &d.string)
	if m != 0 {
		return 0, 0, nil, d.fail(m, end, d.path(d.in.read))
	}
	if !isPlain {
		content = d.string
	}
	d.consume(end)
	return d.next, end, content, true
}

// Scalar is like [Decoder.Value], but the value must not be an array or object.
func (d *Decoder) Scalar() ([]byte, bool) {
	start := d.next
	if !d.scalar() {
		return nil, false
	}
	return d.text[start:d.at], true
}

func (d *Decoder) scalar() bool {
	end, m := 0, Mistake(0)
	switch d.kind {
	case '"':
		end, _, m = scanString(d.text, d.next, d.mode, nil)
	case '0':
		end, m = ScanNumber(d.text, d.next)
	case 't':
		end, m = ScanWord(d.text, d.next, "true")
	case 'f':
		end, m = ScanWord(d.text, d.next, "false")
	case 'n':
		end, m = ScanWord(d.text, d.next, "null")
	default:
		return d.failInValue(d.next)
	}
	if m != 0 {
		return d.fail(m, end, d.path(d.in.read))
	}
	d.consume(end)
	return true
}

// read reads a value and returns its JSON text and nesting depth. On error, the text is nil. The method is not recursive,
// because WebAssembly uses the stack of its host, which is too small for maxLevels nested calls.
func (d *Decoder) read() (text []byte, depth int) {
	if d.kind == 0 {
		d.failInValue(d.next)
		return nil, 0
	}
	start, at, in, around := d.next, d.at, d.in, len(d.outer)
	for ok := true; ok; {
		if d.kind == '{' || d.kind == '[' {
			ok = d.enter(maxLevels)
			depth = max(depth, len(d.outer)-around)
		} else {
			ok = d.scalar()
		}
		for ok && len(d.outer) > around && !d.advance() {
			ok = d.err == nil
		}
		if ok && len(d.outer) == around {
			return d.text[start:d.at], depth
		}
	}
	d.at, d.in, d.outer = at, in, d.outer[:around]
	if around+depth > d.most {
		d.err = nil
		d.Stop(TooDeep, d.most)
	}
	return nil, 0
}

// advance advances to the next value in the current array or object, or past the end of the array or object.
func (d *Decoder) advance() bool {
	if d.in.open == '[' {
		return d.More()
	}
	at, ok := d.item('{')
	if !ok {
		return false
	}
	end, _, ok := d.name(at)
	if !ok {
		return false
	}
	d.in.name, d.in.end, d.at = at, end, end
	if d.unique && !d.IsNew(Name(d.text[at:end]).String()) {
		return d.fail(Repeated, at, d.Path())
	}
	d.see(skipColon(d.text, end))
	return d.kind != 0 || d.failAfterName()
}

// IsNew records the name of a member of the object being read, and reports whether it is new in the object.
func (d *Decoder) IsNew(name string) bool {
	if d.names == nil {
		d.names = map[memberName]bool{}
	}
	before := len(d.names)
	d.names[memberName{d.in.start, name}] = true
	return len(d.names) > before
}

// Bool reads true or false.
func (d *Decoder) Bool() (value, ok bool) {
	value = d.kind == 't'
	ok = d.scalar()
	return value && ok, ok
}

// Skip reads a value without limiting its nesting depth.
func (d *Decoder) Skip() bool {
	text, _ := d.read()
	return text != nil
}

// End checks that only white space follows the last value.
func (d *Decoder) End() {
	if next := skipSpace(d.text, d.at); d.err == nil && next < len(d.text) {
		d.fail(Trailing, next, "")
	}
}

// Offset returns the byte offset of the end of the last value or token that was read.
func (d *Decoder) Offset() int { return d.at }

// Next returns the offset of the next value.
func (d *Decoder) Next() int { return d.next }

// Path returns the path to the last value or name that was read.
func (d *Decoder) Path() diag.Pointer { return d.path(d.in.read - 1) }

// path returns the path to the member whose name was read last, or to the element with the given index. If the index is
// -1, path returns the path to the array.
func (d *Decoder) path(index int) diag.Pointer {
	var memory [64]byte
	return diag.Pointer(d.in.appendToken(d.appendAround(memory[:0]), d.text, index))
}

// Around returns the path to the innermost array or object being read.
func (d *Decoder) Around() diag.Pointer { return diag.Pointer(d.appendAround(nil)) }

func (d *Decoder) appendAround(path []byte) []byte {
	for i := range d.outer {
		path = d.outer[i].appendToken(path, d.text, d.outer[i].read-1)
	}
	return path
}

func (in *level) appendToken(path, text []byte, index int) []byte {
	switch {
	case in.open == '[' && index >= 0:
		return strconv.AppendInt(append(path, '/'), int64(index), 10)
	case in.open == '{' && in.end > 0:
		name := Unquote(text[in.name:in.end])
		if !bytes.ContainsAny(name, "~/") { // the common case
			return append(append(path, '/'), name...)
		}
		return append(path, diag.Pointer("").Member(string(name))...)
	default:
		return path
	}
}

// Stop stops the decoder after the last value because the input exceeds a limit. If the decoder has already stopped, Stop does
// nothing.
func (d *Decoder) Stop(m Mistake, limit int) {
	if d.err == nil {
		d.err, d.kind = &SyntaxError{Mistake: m, Path: d.Path(), Offset: d.at, limit: limit}, 0
	}
}
