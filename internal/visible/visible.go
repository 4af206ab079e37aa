// Package visible prepares text for a terminal.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text replaces characters that control a terminal, or that hide or reverse other characters, with visible symbols. Text keeps
// tabs.
func Text(text string) string { return strings.Map(symbol, text) }

// symbol returns r or its visible replacement.
func symbol(r rune) rune {
	const pictures, del, delPicture = '\u2400', '\x7f', '\u2421'
	switch {
	case r == '\t' || unicode.IsGraphic(r):
		return r
	case r < ' ':
		return pictures + r
	case r == del:
		return delPicture
	default:
		return utf8.RuneError
	}
}

// Count returns a number with a noun in the singular or plural, such as "1 file" or "2 files".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
