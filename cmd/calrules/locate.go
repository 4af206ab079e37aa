package main

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// place is where a finding is in a text. The zero value is nowhere, for a finding that is not
// about the text.
type place struct {
	line, column int // from 1; the column counts characters
	offset       int // in bytes
}

// locate returns the place of each finding about the text. Findings about an event that was not
// checked as text, such as a stored one, have no offset, but may be about a place in the text. A
// line ends with LF; a CR before it is a character of the line.
func locate(text []byte, findings diag.Findings) []place {
	located := make([]jsonscan.Place, len(findings))
	for i, f := range findings {
		located[i].Path = f.Path
	}
	jsonscan.Locate(text, located)
	order := make([]int, len(findings))
	for i, f := range findings {
		order[i] = i
		if f.Offset >= 0 {
			located[i].Offset = f.Offset
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(located[a].Offset, located[b].Offset) })
	found, at := make([]place, len(findings)), place{line: 1, column: 1}
	for _, i := range order {
		if located[i].Offset >= 0 {
			at = at.advance(text, located[i].Offset)
			found[i] = at
		}
	}
	return found
}

// advance returns the place at offset, which is not before p.
func (p place) advance(text []byte, offset int) place {
	passed := text[p.offset:offset]
	if n := bytes.Count(passed, []byte("\n")); n > 0 {
		p.line += n
		p.column = 1
		passed = passed[bytes.LastIndexByte(passed, '\n')+1:]
	}
	p.column += utf8.RuneCount(passed)
	p.offset = offset
	return p
}
