package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions in this file scan a token that begins at an offset in text, which need not be valid JSON. The functions return
// the offset after the token. If the token is not well formed (RFC 8259, in UTF-8), the functions return a mistake and its
// offset, which is the end of text if the token is incomplete.

// ScanWord scans the word true, false or null. The first letter must already have been checked.
func ScanWord(text []byte, at int, word string) (end int, m Mistake) {
	if end = at + len(word); end <= len(text) && string(text[at:end]) == word {
		return end, 0
	}
	return badWord(text, at, word)
}

func badWord(text []byte, at int, word string) (end int, m Mistake) {
	for i := 0; at+i < len(text); i++ {
		if text[at+i] != word[i] {
			return at + i, BadWord
		}
	}
	return len(text), EarlyEnd
}

// ScanNumber scans a number.
func ScanNumber(text []byte, at int) (end int, m Mistake) {
	if text[at] == '-' {
		at++
	}
	if at < len(text) && text[at] == '0' {
		at++
	} else if at, m = scanDigits(text, at); m != 0 {
		return at, m
	}
	if at < len(text) && text[at] == '.' {
		if at, m = scanDigits(text, at+1); m != 0 {
			return at, m
		}
	}
	if at < len(text) && text[at]|0x20 == 'e' {
		if at++; at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		return scanDigits(text, at)
	}
	return at, 0
}

// scanDigits scans one or more digits.
func scanDigits(text []byte, at int) (end int, m Mistake) {
	if at == len(text) {
		return at, EarlyEnd
	}
	for end = at; end < len(text) && isDigit(text[end]); end++ {
	}
	if end == at {
		return at, NoDigit
	}
	return end, 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// A stringMode determines how to read a string.
type stringMode uint8

const (
	strict stringMode = iota // invalid UTF-8 and escaped halves of surrogate pairs are mistakes
	lax                      // both are read as U+FFFD
	wtf8                     // invalid UTF-8 is read as U+FFFD, and escaped halves as WTF-8
)

// ScanString scans a string. isPlain is true if the string contains no escapes.
func ScanString(text []byte, at int) (end int, isPlain bool, m Mistake) {
	return scanString(text, at, strict, nil)
}

// scanString is like [ScanString], but reads the string in a mode. If the string has escapes and content is not nil,
// scanString replaces *content with the content of the string.
func scanString(text []byte, at int, mode stringMode, content *[]byte) (end int, isPlain bool, m Mistake) {
	if end = asciiEnd(text, at+1); end < len(text) && text[end] == '"' { // the common case
		return end + 1, true, 0
	}
	if end = textEnd(text, end); end < len(text) && text[end] == '"' {
		return end + 1, true, 0
	}
	end, m = scanEscaped(text, at+1, end, mode, content)
	return end, false, m
}

// scanEscaped is like scanString, but for a string without escapes between the offsets start and at.
func scanEscaped(text []byte, start, at int, mode stringMode, content *[]byte) (end int, m Mistake) {
	var out []byte
	if content != nil {
		out = append((*content)[:0], text[start:at]...)
	}
	for at < len(text) {
		r := utf8.RuneError // the rune for an escape or an invalid byte
		switch c := text[at]; {
		case c == '"':
			if content != nil {
				*content = out
			}
			return at + 1, 0
		case c == '\\' && at+1 < len(text) && escapes[text[at+1]] != 0:
			if content != nil {
				out = append(out, escapes[text[at+1]])
			}
			at += len(`\n`)
			continue
		case c == '\\':
			if at, r, m = scanEscape(text, at, mode); m != 0 {
				return at, m
			}
		case c < ' ':
			return at, ControlCharacter
		default:
			start, at = at, textEnd(text, at)
			switch {
			case start < at:
				if content != nil {
					out = append(out, text[start:at]...)
				}
				continue
			case mode != strict:
				at++
			case utf8.FullRune(text[at:]):
				return at, NotUTF8
			default:
				return len(text), EarlyEnd
			}
		}
		switch {
		case content == nil:
		case mode == wtf8:
			out = appendWTF8(out, r)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return at, EarlyEnd
}

// textEnd returns the offset of the first byte, at or after at, that is a control character, a quote, a backslash or
// not valid UTF-8, or len(text) if there is none.
func textEnd(text []byte, at int) int {
	at = asciiEnd(text, at)
	for at < len(text) && text[at] >= utf8.RuneSelf {
		end := runesEnd(text, at)
		if end == at {
			break
		}
		at = asciiEnd(text, end)
	}
	return at
}

// asciiEnd is like textEnd, but also stops at non-ASCII bytes, and examines eight bytes at a time.
func asciiEnd(text []byte, at int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	const flip, least = '"' ^ ' ', ' ' + 1 // with the bits in flip flipped, quotes and control characters are below least
	for ; 0 <= at && at <= len(text)-8; at += 8 {
		w := binary.LittleEndian.Uint64(text[at : at+8])
		// The lowest high bit that is set marks the first byte at which to stop. Higher bits are unreliable, because a borrow may
		// have set them.
		other := ((w ^ ones*flip) - ones*least) | ((w ^ ones*'\\') - ones) | w
		if other &= highs; other != 0 {
			return at + bits.TrailingZeros64(other)/8
		}
	}
	for at < len(text) && text[at] >= ' ' && text[at] < utf8.RuneSelf && text[at] != '"' && text[at] != '\\' {
		at++
	}
	return at
}

// runesEnd returns the offset after any non-ASCII characters at an offset. It examines eight bytes at a time.
func runesEnd(text []byte, at int) int {
	for 0 <= at && at <= len(text)-8 {
		// The first byte is the lowest byte of w. Each case checks the bits that all characters of that length share, and
		// then the bits that are all zero if the character has a shorter encoding.
		switch w := binary.LittleEndian.Uint64(text[at : at+8]); {
		case w&0xC0C0F0C0C0F0 == 0x8080E08080E0 && (w+3)&0xC != 0 && (w>>24+3)&0xC != 0: // two that begin with E1 to EC
			at += 6
		case w&0xC0E0C0E0 == 0x80C080C0 && w&0x1E != 0 && w&0x1E0000 != 0: // two
			at += 4
		case w&0xC0E0 == 0x80C0 && w&0x1E != 0:
			at += 2
		case w&0xC0C0F0 == 0x8080E0 && w&0x200F != 0 && w&0x200F != 0x200D: // and not half of a surrogate pair
			at += 3
		case w&0xC0C0C0F8 == 0x808080F0 && w&0x3007 != 0 && (w&7 < 4 || w&0x3007 == 4): // and not above U+10FFFF
			at += 4
		default:
			return at
		}
	}
	for at < len(text) && text[at] >= utf8.RuneSelf {
		_, size := utf8.DecodeRune(text[at:])
		if size == 1 {
			break
		}
		at += size
	}
	return at
}

// escapes maps the byte after a backslash to the escaped character, or to 0 if there is no such escape.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unitLen is the length of an escaped code unit, such as \ud83d.
const unitLen = 6

// scanEscape scans the escape of a code unit, or both escapes of a surrogate pair.
func scanEscape(text []byte, at int, mode stringMode) (end int, r rune, m Mistake) {
	r, m = codeUnit(text[at:])
	switch {
	case m == EarlyEnd:
		return len(text), r, m
	case m != 0:
		return at, r, m
	case !utf16.IsSurrogate(r):
		return at + unitLen, r, 0
	}
	low, m := codeUnit(text[at+unitLen:])
	switch pair := utf16.DecodeRune(r, low); {
	case pair == utf8.RuneError && mode == strict:
		return at, r, HalfPair
	case pair == utf8.RuneError:
		return at + unitLen, r, 0
	case m == EarlyEnd:
		return len(text), r, m
	default:
		return at + 2*unitLen, pair, 0
	}
}

// codeUnit decodes the escaped UTF-16 code unit at the beginning of text. If text ends too early, it returns a possible
// completion.
func codeUnit(text []byte) (unit rune, m Mistake) {
	if len(text) < unitLen {
		const low = `\udc00` // the low half of a surrogate pair
		text, m = append(text[:len(text):len(text)], low[len(text):]...), EarlyEnd
	}
	text = text[:unitLen]
	unit = digits[text[2]]<<12 | digits[text[3]]<<8 | digits[text[4]]<<4 | digits[text[5]]
	if text[0] != '\\' || text[1] != 'u' || unit < 0 {
		return 0, BadEscape
	}
	return unit, m
}

// digits maps hexadecimal digits to their values, and other bytes to -1.
var digits = func() (values [256]rune) {
	for c := range values {
		switch {
		case isDigit(byte(c)):
			values[c] = rune(c) - '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			values[c] = rune(c) | 0x20 - 'a' + 10
		default:
			values[c] = -1
		}
	}
	return values
}()
