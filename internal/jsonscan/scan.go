package jsonscan

import (
	"iter"
	"strings"

	"github.com/calrules/calrules/diag"
)

// The functions in this file require valid JSON.

// skipSpace returns the offset after any white space at an offset.
func skipSpace(text []byte, at int) int {
	for uint(at) < uint(len(text)) && isSpace(text[at]) {
		at++
	}
	return at
}

func isSpace(c byte) bool { return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r') }

// skipSeparators is like skipSpace, but also skips commas and colons.
func skipSeparators(text []byte, at int) int {
	for at < len(text) && (isSpace(text[at]) || text[at] == ',' || text[at] == ':') {
		at++
	}
	return at
}

// skipColon returns the offset of the value after a name and a colon, or absent if there is no colon.
func skipColon(text []byte, at int) int {
	if at = skipSpace(text, at); at >= len(text) || text[at] != ':' {
		return absent
	}
	return skipSpace(text, at+1)
}

// Find is like [Locate], but for a single path that starts at the value at an offset. Find takes time proportional to
// the number of bytes that it skips.
func Find(text []byte, at int, path diag.Pointer) int {
	for path != "" {
		token, rest := Cut(path)
		next := child(text, at, token)
		if next == absent {
			break
		}
		at, path = next, rest
	}
	return at
}

// Cut returns the first token of a path in the body, unescaped, and the rest of the path. The path must contain at least one
// token.
func Cut(path diag.Pointer) (token string, rest diag.Pointer) {
	end := 1
	for end < len(path) && path[end] != '/' { // tokens are short
		end++
	}
	if token = string(path[1:end]); strings.IndexByte(token, '~') >= 0 {
		_, token = path[:end].Split()
	}
	return token, path[end:]
}

// absent is the offset of a value that does not exist.
const absent = -1

// child returns the offset of the member or element that the token identifies in the value at an offset, or absent if
// there is none.
func child(text []byte, at int, token string) int {
	switch text[at] {
	case '{':
		return member(text, at+1, token)
	case '[':
		return element(text, at+1, token)
	default:
		return absent
	}
}

// member is like child, but for an object whose first member is at an offset.
func member(text []byte, at int, token string) int {
	for {
		if at = skipSeparators(text, at); isClosing(text[at]) {
			return absent
		}
		end, isPlain, _ := ScanString(text, at)
		name := text[at+1 : end-1]
		if !isPlain {
			name = Unquote(text[at:end])
		}
		if at = skipSeparators(text, end); string(name) == token {
			return at
		}
		at = valueEnd(text, at)
	}
}

// element is like child, but for an array whose first element is at an offset.
func element(text []byte, at int, token string) int {
	index, ok := ArrayIndex(token)
	if !ok {
		return absent
	}
	for ; ; index-- {
		if at = skipSeparators(text, at); isClosing(text[at]) {
			return absent
		}
		if index == 0 {
			return at
		}
		at = valueEnd(text, at)
	}
}

// ArrayIndex converts a path token to an array index. A number with leading zeros is not an index (RFC 6901). A number
// with ten or more digits is rejected, because no array has that many elements.
func ArrayIndex(token string) (index int, ok bool) {
	const most = 9 // the maximum number of digits
	for i := range len(token) {
		if !isDigit(token[i]) || i == most {
			return 0, false
		}
		index = 10*index + int(token[i]-'0')
	}
	return index, token == "0" || token != "" && token[0] != '0'
}

// valueEnd returns the offset after the value at an offset. The value must be in an array or object.
func valueEnd(text []byte, at int) int {
	switch text[at] {
	case '"':
		return stringEnd(text, at)
	case '{', '[':
		return nestedEnd(text, at)
	}
	for !endsScalar(text[at]) {
		at++
	}
	return at
}

func endsScalar(c byte) bool { return isSpace(c) || c == ',' || isClosing(c) }

// stringEnd returns the offset after the string at an offset.
func stringEnd(text []byte, at int) int {
	for at++; ; at++ {
		switch at = textEnd(text, at); text[at] {
		case '"':
			return at + 1
		case '\\':
			at++
		}
	}
}

// nestedEnd returns the offset after the array or object at an offset.
func nestedEnd(text []byte, at int) int {
	level := 0
	for i, bracket := range brackets(text[at:]) {
		if isOpening(bracket) {
			level++
		} else if level--; level == 0 {
			return at + i + 1
		}
	}
	return len(text)
}

// brackets yields each opening and closing bracket of an array or object, with its offset.
func brackets(text []byte) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		for i := 0; i < len(text); i++ {
			switch c := text[i]; c {
			case '"':
				i = stringEnd(text, i) - 1
			case '{', '[', '}', ']':
				if !yield(i, c) {
					return
				}
			}
		}
	}
}

func isOpening(c byte) bool { return c == '{' || c == '[' }

func isClosing(c byte) bool { return c == '}' || c == ']' }

// isNested reports whether a value is an array or object.
func isNested(text []byte) bool { return isOpening(text[0]) }
