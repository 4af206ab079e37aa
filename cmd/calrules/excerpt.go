package main

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	ellipsis  = "…"
	minWidth  = 20 // an excerpt is never narrower
	tabWidth  = 8  // what a tab counts for at the most
	shareSeen = 3  // of a long line, a third of the width goes to what follows the place
)

// excerpt returns the line around offset as it is shown on a screen, and what stands before a
// caret below it that points to the offset. A line that is wider than width is cut around the
// place. It returns false where there is nothing to show.
func excerpt(text []byte, offset, width int) (line, indent string, ok bool) {
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	before, after := text[start:offset], bytes.TrimSuffix(text[offset:end], []byte("\r"))
	if len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(after)) == 0 {
		return "", "", false
	}
	width = max(width, minWidth) - 2*len([]rune(ellipsis))
	tail := min(cellsUpTo(after, width), width/shareSeen)
	shownBefore, used := lastCells(before, width-tail)
	shownAfter := firstCells(after, width-used)
	line, indent = visible(string(shownBefore)), blanks(shownBefore)
	if len(shownBefore) < len(before) {
		line, indent = ellipsis+line, " "+indent
	}
	line += visible(string(shownAfter))
	if len(shownAfter) < len(after) {
		line += ellipsis
	}
	return line, indent, true
}

// cellsUpTo returns how wide the text is, or limit where it is wider.
func cellsUpTo(text []byte, limit int) int {
	n := 0
	for len(text) > 0 && n < limit {
		r, size := utf8.DecodeRune(text)
		n += cells(r)
		text = text[size:]
	}
	return min(n, limit)
}

// firstCells returns as much of the beginning of the text as fits into width.
func firstCells(text []byte, width int) []byte {
	end := 0
	for end < len(text) {
		r, size := utf8.DecodeRune(text[end:])
		if width -= cells(r); width < 0 {
			break
		}
		end += size
	}
	return text[:end]
}

// lastCells returns as much of the end of the text as fits into width, and how wide that is.
func lastCells(text []byte, width int) (part []byte, used int) {
	start := len(text)
	for start > 0 {
		r, size := utf8.DecodeLastRune(text[:start])
		if used+cells(r) > width {
			break
		}
		used += cells(r)
		start -= size
	}
	return text[start:], used
}

// blanks returns white space as wide as the text. Tabs stay tabs, whatever they come to.
func blanks(text []byte) string {
	var b strings.Builder
	for _, r := range string(text) {
		if r == '\t' {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Repeat(" ", cells(r)))
		}
	}
	return b.String()
}

// visible returns text as it can be shown on one line: without characters that steer a
// terminal, hide or turn around what stands beside them. Tabs stay.
func visible(text string) string { return strings.Map(visibleRune, text) }

func visibleRune(r rune) rune {
	const pictures, delete, deletePicture = '\u2400', '\x7f', '\u2421'
	switch {
	case r == '\t' || unicode.IsGraphic(r):
		return r
	case r < ' ':
		return pictures + r
	case r == delete:
		return deletePicture
	default:
		return utf8.RuneError
	}
}

// cells returns how many columns of a screen a character takes, near enough to put a caret
// below the right one.
func cells(r rune) int {
	switch {
	case r == '\t':
		return tabWidth
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, r):
		return 2
	default:
		return 1
	}
}

// wide are the characters that are two columns wide: Hangul, Chinese and Japanese, full-width
// forms and pictures (Unicode Standard Annex 11, by blocks).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x2e80, 0x303e, 1}, {0x3041, 0xa4cf, 1}, {0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1}, {0xfe30, 0xfe6f, 1}, {0xff00, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{{0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f900, 0x1f9ff, 1}, {0x20000, 0x3fffd, 1}},
}
