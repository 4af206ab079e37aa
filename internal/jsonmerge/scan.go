package jsonmerge

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/constraint"
)

// scanner checks a text while it passes over it. Its methods take the offset of what they read, and return
// the offset past it, or fail.
type scanner struct {
	text []byte
	names
}

// fail is the offset past what is not valid, or what only the simple merge reads.
const fail = -1

// space returns the offset of what follows white space, or fail if nothing does.
func (s *scanner) space(at int) int {
	if at < len(s.text) && s.text[at] > ' ' {
		return at // as in a text without white space
	}
	return s.skipSpace(at)
}

func (s *scanner) skipSpace(at int) int {
	for at < len(s.text) {
		switch s.text[at] {
		case ' ', '\n', '\t', '\r':
			at++
		default:
			return at
		}
	}
	return fail
}

// isWhole reports whether only white space follows a value.
func (s *scanner) isWhole(end int) bool { return end != fail && s.space(end) == fail }

// enter passes over the beginning of an array or object, and over its end if it is empty.
func (s *scanner) enter(at int, end byte) (next int, more bool) {
	at = s.space(at + 1)
	if at != fail && s.text[at] == end {
		return at + 1, false
	}
	return at, at != fail
}

// next passes over what follows an element: a comma, or the end of the array or object.
func (s *scanner) next(at int, end byte) (next int, more bool) {
	at = s.space(at)
	switch {
	case at == fail:
	case s.text[at] == ',':
		at = s.space(at + 1)
		return at, at != fail
	case s.text[at] == end:
		return at + 1, false
	}
	return fail, false
}

// member reads the name of a member, and returns where its value begins.
func (s *scanner) member(at int) (n name, value int) {
	if s.text[at] != '"' {
		return n, fail
	}
	end, isPlain := scanString(s.text, at)
	if end == fail || !isPlain {
		return n, fail
	}
	colon := s.space(end)
	if colon == fail || s.text[colon] != ':' {
		return n, fail
	}
	return nameOf(s.text[at:end]), s.space(colon + 1)
}

// value passes over a value. Depth is how deep it is nested, itself included.
func (s *scanner) value(at, depth int) int {
	switch s.text[at] {
	case '"':
		end, _ := scanString(s.text, at)
		return end
	case '{':
		return s.object(at, depth)
	case '[':
		return s.array(at, depth)
	case 't':
		return s.word(at, "true")
	case 'f':
		return s.word(at, "false")
	case 'n':
		return s.word(at, "null")
	default:
		return scanNumber(s.text, at)
	}
}

func (s *scanner) object(at, depth int) int {
	if depth > constraint.JSONMaxDepth {
		return fail
	}
	o := s.open(at)
	at, more := s.enter(at, '}')
	for more {
		n, value := s.member(at)
		if value == fail || !s.add(&o, n, 0) {
			return fail
		}
		if at = s.value(value, depth+1); at == fail {
			return fail
		}
		at, more = s.next(at, '}')
	}
	s.close(o)
	return at
}

func (s *scanner) array(at, depth int) int {
	if depth > constraint.JSONMaxDepth {
		return fail
	}
	at, more := s.enter(at, ']')
	for more {
		if at = s.value(at, depth+1); at == fail {
			return fail
		}
		at, more = s.next(at, ']')
	}
	return at
}

func (s *scanner) word(at int, word string) int {
	end := at + len(word)
	if end > len(s.text) || string(s.text[at:end]) != word {
		return fail
	}
	return end
}

// scanString passes over the string at an offset. It is plain if it has no escape.
func scanString(text []byte, at int) (end int, isPlain bool) {
	isPlain = true
	for at++; ; {
		at = plainEnd(text, at)
		switch {
		case at == len(text) || text[at] < ' ':
			return fail, false
		case text[at] == '"':
			return at + 1, isPlain
		case text[at] == '\\':
			if at = scanEscape(text, at); at == fail {
				return fail, false
			}
			isPlain = false
		default:
			r, size := utf8.DecodeRune(text[at:])
			if r == utf8.RuneError && size == 1 {
				return fail, false
			}
			at += size
		}
	}
}

// plainEnd returns the offset of the first byte that is not ASCII, a control character, a quote or a
// backslash. It looks at eight bytes at once.
func plainEnd(text []byte, at int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for at+8 <= len(text) {
		w := binary.LittleEndian.Uint64(text[at:])
		quote, backslash := w^ones*'"', w^ones*'\\'
		// In each of these, the lowest high bit that is set marks the first byte of its kind: above it,
		// a borrow may set others.
		special := (w-ones*' ')&^w | (quote-ones)&^quote | (backslash-ones)&^backslash | w
		if special &= highs; special != 0 {
			return at + bits.TrailingZeros64(special)/8
		}
		at += 8
	}
	for at < len(text) && text[at] >= ' ' && text[at] < utf8.RuneSelf && text[at] != '"' && text[at] != '\\' {
		at++
	}
	return at
}

// scanEscape passes over an escape, and over both escapes of a surrogate pair.
func scanEscape(text []byte, at int) int {
	if at+1 == len(text) {
		return fail
	}
	switch text[at+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return at + 2
	case 'u':
		unit := codeUnit(text, at)
		switch {
		case unit == fail || unit >= 0xDC00 && unit <= 0xDFFF:
			return fail
		case unit < 0xD800 || unit > 0xDBFF:
			return at + escapeLength
		}
		if low := codeUnit(text, at+escapeLength); low >= 0xDC00 && low <= 0xDFFF {
			return at + 2*escapeLength
		}
	}
	return fail
}

const escapeLength = len(`\u0000`)

// codeUnit returns what an escape with four digits says, or fail if there is none.
func codeUnit(text []byte, at int) int {
	if at+escapeLength > len(text) || text[at] != '\\' || text[at+1] != 'u' {
		return fail
	}
	unit := 0
	for _, c := range text[at+2 : at+escapeLength] {
		switch {
		case isDigit(c):
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return fail
		}
		unit = unit<<4 | int(c)
	}
	return unit
}

func scanNumber(text []byte, at int) int {
	if text[at] == '-' {
		at++
	}
	switch {
	case at < len(text) && text[at] == '0':
		at++
	default:
		if at = scanDigits(text, at); at == fail {
			return fail
		}
	}
	if at < len(text) && text[at] == '.' {
		if at = scanDigits(text, at+1); at == fail {
			return fail
		}
	}
	if at < len(text) && text[at]|0x20 == 'e' {
		if at++; at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		return scanDigits(text, at)
	}
	return at
}

// scanDigits passes over one digit or more.
func scanDigits(text []byte, at int) int {
	if at == len(text) || !isDigit(text[at]) {
		return fail
	}
	for at < len(text) && isDigit(text[at]) {
		at++
	}
	return at
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
