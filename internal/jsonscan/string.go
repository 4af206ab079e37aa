package jsonscan

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendQuote appends s as a JSON string. AppendQuote replaces invalid UTF-8 with U+FFFD.
func AppendQuote(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		end := textEnd([]byte(s), 0) // the compiler does not copy s
		dst = append(dst, s[:end]...)
		if end == len(s) {
			return append(dst, '"')
		}
		dst, s = appendEscape(dst, s[end]), s[end+1:]
	}
}

// letters maps each ASCII character to the letter after the backslash in its short escape, or to 0 if the character has no
// short escape.
var letters = func() (letters [utf8.RuneSelf]byte) {
	for c := range ' ' {
		letters[c] = 'u'
	}
	for _, c := range `"\/bfnrt` {
		letters[escapes[c]] = byte(c)
	}
	letters['/'] = 0
	return letters
}()

// appendEscape appends the escape for a character, or U+FFFD for a byte that is not valid UTF-8.
func appendEscape(dst []byte, c byte) []byte {
	switch {
	case c >= utf8.RuneSelf:
		return utf8.AppendRune(dst, utf8.RuneError)
	case letters[c] == 'u':
		return fmt.Appendf(dst, `\u%04x`, c)
	default:
		return append(dst, '\\', letters[c])
	}
}

// AppendStrings appends a JSON array of strings, each formatted by [AppendQuote].
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

// A Name is the name of a member as written, in quotes.
type Name []byte

// String returns the name without quotes and escapes. String replaces invalid UTF-8 with U+FFFD.
func (n Name) String() string { return string(Unquote(n)) }

// Unquote returns the content of a valid JSON string. The result may share memory with the argument. Unquote replaces
// invalid UTF-8 and escaped halves of surrogate pairs with U+FFFD.
func Unquote(quoted []byte) []byte { return unquote(quoted, lax) }

// UnquoteWTF8 is like [Unquote], but encodes escaped halves of surrogate pairs, which UTF-8 cannot express, in WTF-8.
func UnquoteWTF8(quoted []byte) []byte { return unquote(quoted, wtf8) }

func unquote(quoted []byte, mode stringMode) []byte {
	if end := len(quoted) - 1; textEnd(quoted, 1) == end {
		return quoted[1:end]
	}
	content := make([]byte, 0, len(quoted))
	scanString(quoted, 0, mode, &content)
	return content
}

// appendWTF8 appends the WTF-8 encoding of a rune. WTF-8 is like UTF-8, except that half of a surrogate pair is encoded
// as three bytes.
func appendWTF8(dst []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
	}
	return utf8.AppendRune(dst, r)
}

// AppendQuoteWTF8 appends text as a JSON string. AppendQuoteWTF8 is the inverse of [UnquoteWTF8].
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
		text = text[at+halfLen:]
	}
}

// halfLen is the length of half a surrogate pair in WTF-8.
const halfLen = 3

// halfCode returns the offset of the first surrogate half in WTF-8, or len(text) if there is none. The byte sequence of a
// surrogate half never occurs in valid UTF-8.
func halfCode(text string) int {
	for at := 0; at+halfLen <= len(text); at++ {
		if text[at] == 0xED && text[at+1] >= 0xA0 {
			return at
		}
	}
	return len(text)
}
