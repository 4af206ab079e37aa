package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// The functions of this file read tokens of any text, from an offset within it. They return the offset past the
// token, or Fail if it is not well-formed (RFC 8259, in UTF-8).

// Fail is the offset past text that is not well-formed.
const Fail = -1

// maxLevels is how deeply arrays and objects of a value can be nested, as in jsontext.
const maxLevels = 10_000

// scanValue reads the value at an offset, with at most most levels of nesting, and returns how many it has.
func scanValue(text []byte, at, most int) (end, depth int) {
	if at >= len(text) {
		return Fail, 0
	}
	switch text[at] {
	case '"':
		end, _ = ScanString(text, at)
		return end, 0
	case '{', '[':
		return scanNested(text, at, most)
	case 't':
		return ScanWord(text, at, "true"), 0
	case 'f':
		return ScanWord(text, at, "false"), 0
	case 'n':
		return ScanWord(text, at, "null"), 0
	default:
		return ScanNumber(text, at), 0
	}
}

// scanNested reads an array or object. It does not call itself, because WebAssembly uses the stack of its host, which
// has no room for maxLevels calls.
func scanNested(text []byte, at, most int) (end, depth int) {
	const usual = 16               // levels
	open := make([]byte, 0, usual) // the closing brackets that are missing
	for {
		if len(open) > 0 && open[len(open)-1] == '}' {
			name, _ := ScanString(text, at)
			if name == Fail {
				return Fail, 0
			}
			if at = skipColon(text, name); at == Fail {
				return Fail, 0
			}
		}
		if at < len(text) && isOpening(text[at]) {
			if len(open) == most {
				return Fail, 0
			}
			open = append(open, text[at]+2) // in ASCII, the closing bracket is two after the opening one
			depth = max(depth, len(open))
			at = skipSpace(text, at+1)
			if at == len(text) || text[at] != open[len(open)-1] {
				continue
			}
		} else if end, _ = scanValue(text, at, 0); end == Fail {
			return Fail, 0
		} else {
			at = skipSpace(text, end)
		}
		for at < len(text) && text[at] == open[len(open)-1] {
			if open = open[:len(open)-1]; len(open) == 0 {
				return at + 1, depth
			}
			at = skipSpace(text, at+1)
		}
		if at == len(text) || text[at] != ',' {
			return Fail, 0
		}
		at = skipSpace(text, at+1)
	}
}

// skipColon passes over the colon after a name, and the white space around it.
func skipColon(text []byte, at int) int {
	if at = skipSpace(text, at); at >= len(text) || text[at] != ':' {
		return Fail
	}
	return skipSpace(text, at+1)
}

// ScanWord passes over true, false or null.
func ScanWord(text []byte, at int, word string) int {
	if end := at + len(word); end <= len(text) && string(text[at:end]) == word {
		return end
	}
	return Fail
}

// ScanString passes over the string at an offset, if there is one. It is plain if it has no escape.
func ScanString(text []byte, at int) (end int, isPlain bool) {
	if at >= len(text) || text[at] != '"' {
		return Fail, false
	}
	isPlain = true
	first, isASCII := at+1, true
	for at++; ; {
		var ascii bool
		at, ascii = textEnd(text, at)
		isASCII = isASCII && ascii
		if at == len(text) {
			return Fail, false
		}
		switch text[at] {
		case '"':
			if !isASCII && !utf8.Valid(text[first:at]) {
				return Fail, false
			}
			return at + 1, isPlain
		case '\\':
			if at = scanEscape(text, at); at == Fail {
				return Fail, false
			}
			isPlain = false
		default: // a control character
			return Fail, false
		}
	}
}

// textEnd returns the offset of the first byte that is a control character, a quote or a backslash, and whether all
// bytes before it are certainly ASCII. It looks at eight bytes at once.
func textEnd(text []byte, at int) (end int, isASCII bool) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	const flip, least = '"' ^ ' ', ' ' + 1 // with this bit flipped, quotes and control characters are less than this
	var seen uint64
	for ; 0 <= at && at <= len(text)-8; at += 8 {
		w := binary.LittleEndian.Uint64(text[at : at+8])
		flipped, backslash := w^ones*flip, w^ones*'\\'
		// In each of these, the lowest high bit that is set marks the first byte of its kind: above it,
		// a borrow may set others.
		special := (flipped-ones*least)&^flipped | (backslash-ones)&^backslash
		seen |= w
		if special &= highs; special != 0 {
			return at + bits.TrailingZeros64(special)/8, seen&highs == 0
		}
	}
	for at < len(text) && text[at] >= ' ' && text[at] != '"' && text[at] != '\\' {
		seen |= uint64(text[at])
		at++
	}
	return at, seen&highs == 0
}

// scanEscape passes over an escape, and over both escapes of a surrogate pair.
func scanEscape(text []byte, at int) int {
	if at+1 == len(text) {
		return Fail
	}
	switch text[at+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return at + 2
	case 'u':
		if length, isHalf := unitLen(text[at:]); length > 0 && !isHalf {
			return at + length
		}
	}
	return Fail
}

// ScanNumber passes over the number at an offset.
func ScanNumber(text []byte, at int) int {
	if text[at] == '-' {
		at++
	}
	switch {
	case at < len(text) && text[at] == '0':
		at++
	default:
		if at = scanDigits(text, at); at == Fail {
			return Fail
		}
	}
	if at < len(text) && text[at] == '.' {
		if at = scanDigits(text, at+1); at == Fail {
			return Fail
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

// scanDigits passes over one or more digits.
func scanDigits(text []byte, at int) int {
	if at == len(text) || !isDigit(text[at]) {
		return Fail
	}
	for at < len(text) && isDigit(text[at]) {
		at++
	}
	return at
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
