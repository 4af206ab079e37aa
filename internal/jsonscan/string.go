package jsonscan

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendQuote appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func AppendQuote(dst []byte, s string) []byte {
	start := len(dst)
	dst = append(append(dst, '"'), s...)
	if end, isASCII := textEnd(dst, start+1); end == len(dst) && (isASCII || utf8.ValidString(s)) { // as in most strings
		return append(dst, '"')
	}
	dst, _ = jsontext.AppendQuote(dst[:start], s) // the error is about what is not UTF-8
	return dst
}

// AppendStrings appends an array of strings, each as [AppendQuote] does.
func AppendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendQuote(dst, s)
	}
	return append(dst, ']')
}

// Name is the name of a member as it is written, in quotes.
type Name []byte

// String returns the name without quotes and escapes. Bytes that are not UTF-8 become U+FFFD.
func (n Name) String() string { return string(Unquote(n)) }

// Unquote returns the text of a valid JSON string, which may share its memory. Bytes that are not
// UTF-8, and escapes of half a surrogate pair, become U+FFFD.
func Unquote(quoted []byte) []byte {
	if !bytes.Contains(quoted, []byte{'\\'}) && utf8.Valid(quoted) {
		return quoted[1 : len(quoted)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, quoted) // the error is about what becomes U+FFFD
	return text
}

// Half of a surrogate pair is three bytes in WTF-8, which is otherwise like UTF-8, and six bytes as an
// escape, such as \ud83d.
const (
	wtf8Len   = 3
	escapeLen = 6
)

// leadingUnit returns the code unit of UTF-16 whose escape a text begins with.
func leadingUnit(text []byte) (unit rune, ok bool) {
	if len(text) < escapeLen || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:escapeLen] {
		switch {
		case isDigit(c):
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	return unit, true
}

// unitLen returns the length of the escape of a code unit that a text begins with, or of both escapes of a surrogate
// pair. It returns 0 if there is none, and reports whether it is half of a pair.
func unitLen(text []byte) (length int, isHalf bool) {
	first, ok := leadingUnit(text)
	switch {
	case !ok:
		return 0, false
	case !utf16.IsSurrogate(first):
		return escapeLen, false
	}
	if second, ok := leadingUnit(text[escapeLen:]); ok && utf16.DecodeRune(first, second) != utf8.RuneError {
		return 2 * escapeLen, false
	}
	return escapeLen, true
}

// UnquoteWTF8 returns the text of a valid JSON string. Escapes of half a surrogate pair, which UTF-8
// cannot express, become WTF-8.
func UnquoteWTF8(quoted []byte) []byte {
	if !bytes.Contains(quoted, []byte(`\u`)) {
		return Unquote(quoted)
	}
	var out []byte
	for text := quoted[1 : len(quoted)-1]; len(text) > 0; {
		length, isHalf := pieceLen(text)
		if isHalf {
			unit, _ := leadingUnit(text)
			out = append(out, 0xE0|byte(unit>>12), 0x80|byte(unit>>6&0x3F), 0x80|byte(unit&0x3F))
		} else {
			out = append(out, Unquote(slices.Concat([]byte{'"'}, text[:length], []byte{'"'}))...)
		}
		text = text[length:]
	}
	return out
}

// pieceLen returns the length of the first piece of a JSON string: an escape, both escapes of a surrogate pair, or
// the text before the next escape. It reports whether the piece is half of a pair.
func pieceLen(text []byte) (length int, isHalf bool) {
	if text[0] != '\\' {
		before, _, _ := bytes.Cut(text, []byte{'\\'})
		return len(before), false
	}
	if length, isHalf := unitLen(text); length > 0 {
		return length, isHalf
	}
	return len(`\n`), false
}

// AppendQuoteWTF8 appends a text as a JSON string from which [UnquoteWTF8] returns the same text.
func AppendQuoteWTF8(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for {
		at := halfCode(text)
		quoted := AppendQuote(nil, text[:at])
		dst = append(dst, quoted[1:len(quoted)-1]...)
		if at == len(text) {
			return append(dst, '"')
		}
		unit := 0xD000 | int(text[at+1]&0x3F)<<6 | int(text[at+2]&0x3F)
		dst = fmt.Appendf(dst, `\u%04x`, unit)
		text = text[at+wtf8Len:]
	}
}

// halfCode returns where the first half of a surrogate pair is in WTF-8, or the length of the text.
// No other text begins with the same bytes.
func halfCode(text string) int {
	for at := 0; at+wtf8Len <= len(text); at++ {
		if text[at] == 0xED && text[at+1] >= 0xA0 {
			return at
		}
	}
	return len(text)
}
