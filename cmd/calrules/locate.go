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
// checked as text, such as a stored one, have no offset, but may be about a place in the text.
func locate(text []byte, findings diag.Findings) []place {
	found := make([]jsonscan.Place, len(findings))
	for i, f := range findings {
		found[i] = jsonscan.Place{Path: f.Path}
	}
	jsonscan.Locate(text, found)
	offsets := make([]int, len(findings))
	for i, f := range findings {
		if offsets[i] = f.Offset; f.Offset < 0 {
			offsets[i] = found[i].Offset
		}
	}
	return places(text, offsets)
}

// places returns the places of offsets, in one pass through the text. A negative offset is nowhere. A
// line ends with LF; a CR before it is a character of the line.
func places(text []byte, offsets []int) []place {
	order := make([]int, len(offsets))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(offsets[a], offsets[b]) })
	found := make([]place, len(offsets))
	at := place{line: 1, column: 1}
	for _, i := range order {
		if offsets[i] >= 0 {
			at = at.advance(text, offsets[i])
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
