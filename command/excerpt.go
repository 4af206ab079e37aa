package command

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/visible"
)

const (
	ellipsis  = "…"
	minWidth  = 20 // the minimum width of an excerpt
	tabWidth  = 8  // the maximum width of a tab
	shareSeen = 3  // in a long line, at least a third of the width is for the text after the place

	// nearby is the number of bytes examined before and after a place: a file may consist of one line with a finding at every
	// byte. A character is at most four bytes long, but some characters have no width.
	nearby = 4 << 10
)

// excerpt returns the line at offset as it appears on a terminal, cut to width, and the indentation of a caret below the line
// that points to the offset, or false if the line is blank.
func excerpt(text []byte, offset, width int) (line, indent string, ok bool) {
	before := text[max(0, offset-nearby):offset]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	after, _, _ := bytes.Cut(text[offset:min(len(text), offset+nearby)], []byte("\n"))
	after = bytes.TrimSuffix(after, []byte("\r"))
	if len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(after)) == 0 {
		return "", "", false
	}
	width = max(width, minWidth) - 2 // room for an ellipsis at each end
	_, tail := firstCells(after, width)
	shownBefore, used := lastCells(before, width-min(tail, width/shareSeen))
	shownAfter, _ := firstCells(after, width-used)
	line, indent = visible.Text(string(shownBefore)), blanks(shownBefore)
	if len(shownBefore) < len(before) {
		line, indent = ellipsis+line, " "+indent
	}
	line += visible.Text(string(shownAfter))
	if len(shownAfter) < len(after) {
		line += ellipsis
	}
	return line, indent, true
}

// firstCells returns the longest prefix of text that fits in width, and the width of the prefix.
func firstCells(text []byte, width int) (part []byte, used int) {
	end := 0
	for end < len(text) {
		r, size := utf8.DecodeRune(text[end:])
		if used+cells(r) > width {
			break
		}
		used += cells(r)
		end += size
	}
	return text[:end], used
}

// lastCells returns the longest suffix of text that fits in width, and the width of the suffix.
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

// blanks returns white space as wide as text, with the same tabs, because the width of a tab is unknown.
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

// cells returns the width of a character on a terminal, in columns. The width is not always exact, but precise enough for
// placing a caret.
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

// wide contains the characters that occupy two columns: Hangul, Chinese and Japanese, full-width forms and pictographs
// (Unicode Standard Annex 11, by blocks).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x2e80, 0x303e, 1}, {0x3041, 0xa4cf, 1}, {0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1}, {0xfe30, 0xfe6f, 1}, {0xff00, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{{0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f900, 0x1f9ff, 1}, {0x20000, 0x3fffd, 1}},
}
