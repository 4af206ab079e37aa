package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions in this file scan a token that begins at an offset in text, which need not be valid JSON. They return
// the offset after the token. If the token is not well formed (RFC 8259, in UTF-8), they return a mistake and its
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

// ScanString scans a string. isPlain is true if the string contains no escapes.
func ScanString(text []byte, at int) (end int, isPlain bool, m Mistake) {
	return scanString(text, at, false)
}

// scanString is like [ScanString] but, if lax is true, allows bytes and escapes that [Unquote] replaces with U+FFFD.
func scanString(text []byte, at int, lax bool) (end int, isPlain bool, m Mistake) {
	isPlain = true
	for at++; ; {
		if at = asciiEnd(text, at); at == len(text) {
			return at, false, EarlyEnd
		}
		switch c := text[at]; {
		case c == '"':
			return at + 1, isPlain, 0
		case c == '\\':
			if at, m = scanEscapes(text, at, lax); m != 0 {
				return at, false, m
			}
			isPlain = false
		case c < ' ':
			return at, false, ControlCharacter
		default:
			end := runesEnd(text, at)
			switch {
			case end == at && lax:
				end++
			case end == at && !utf8.FullRune(text[at:]):
				return len(text), false, EarlyEnd
			case end == at:
				return at, false, NotUTF8
			}
			at = end
		}
	}
}

// scanEscapes scans consecutive escapes for [scanString].
func scanEscapes(text []byte, at int, lax bool) (end int, m Mistake) {
	for at < len(text) && text[at] == '\\' {
		if at+1 < len(text) && escapes[text[at+1]] != 0 {
			at += len(`\n`)
			continue
		}
		_, size, m := escape(text[at:])
		switch {
		case m == EarlyEnd:
			return len(text), m
		case m != 0 && !(lax && m == HalfPair):
			return at, m
		}
		at += size
	}
	return at, 0
}

// textEnd returns the offset of the first byte, at or after at, that is a control character, a quote, a backslash or
// not valid UTF-8, or len(text) if there is none.
func textEnd(text []byte, at int) int {
	for {
		start := asciiEnd(text, at)
		if at = runesEnd(text, start); at == start {
			return at
		}
	}
}

// asciiEnd is like textEnd, but also stops at non-ASCII bytes. It examines eight bytes at a time.
func asciiEnd(text []byte, at int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	const flip, least = '"' ^ ' ', ' ' + 1 // with the bits in flip flipped, quotes and control characters are below least
	for ; 0 <= at && at <= len(text)-8; at += 8 {
		w := binary.LittleEndian.Uint64(text[at : at+8])
		// The lowest high bit that is set marks the first byte to stop at. Higher bits are unreliable, because a borrow
		// may have set them.
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

// runesEnd returns the offset after any non-ASCII characters at an offset. It examines four bytes at a time.
func runesEnd(text []byte, at int) int {
	for 0 <= at && at <= len(text)-utf8.UTFMax {
		// The first byte is the lowest byte of w. Each case checks the bits that all characters of that length share, and
		// then the bits that are all zero if the character has a shorter encoding.
		switch w := binary.LittleEndian.Uint32(text[at : at+utf8.UTFMax]); {
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

// escapes maps the byte after a backslash to the character that the escape represents, or to 0 if there is no such escape.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape decodes the escape at the beginning of text, or both escapes of a surrogate pair. If only half of a pair is
// present, escape returns that half.
func escape(text []byte) (r rune, size int, m Mistake) {
	if len(text) > 1 && escapes[text[1]] != 0 {
		return rune(escapes[text[1]]), len(`\n`), 0
	}
	r, m = codeUnit(text)
	if m != 0 || !utf16.IsSurrogate(r) {
		return r, unitLen, m
	}
	low, m := codeUnit(text[unitLen:])
	pair := utf16.DecodeRune(r, low)
	if pair == utf8.RuneError {
		return r, unitLen, HalfPair
	}
	return pair, 2 * unitLen, m
}

// unitLen is the length of an escaped code unit, such as \ud83d.
const unitLen = 6

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
