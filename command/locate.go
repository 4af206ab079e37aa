package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// place is the position of a finding in a text. The zero value is for a finding that is not about the text.
type place struct {
	line, column int // from 1; the column counts characters
	utf16, utf8  int // the column in UTF-16 code units and in bytes, from 1
	offset       int // in bytes
}

// textStart is the place of the first character of a text.
var textStart = place{line: 1, column: 1, utf16: 1, utf8: 1}

// locate returns the place of each finding about the text. Findings about an event that was not
// checked as text, such as a stored one, have no offset, but may be about a place in the text. A
// line ends with LF; a CR before it is a character of the line.
func locate(text []byte, findings diag.Findings) []place {
	offsets := offsetsOf(text, findings)
	order := make([]int, len(findings))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(offsets[a], offsets[b]) })
	found, at := make([]place, len(findings)), textStart
	for _, i := range order {
		if offsets[i] >= 0 {
			at = at.advance(text, offsets[i])
			found[i] = at
		}
	}
	return found
}

// offsetsOf returns the offset of each finding. It looks in the text only for findings without one.
func offsetsOf(text []byte, findings diag.Findings) []int {
	offsets := make([]int, len(findings))
	var missing []int
	var places []jsonscan.Place
	for i, f := range findings {
		offsets[i] = f.Offset
		if f.Offset < 0 {
			missing, places = append(missing, i), append(places, jsonscan.Place{Path: f.Path})
		}
	}
	jsonscan.Locate(text, places)
	for k, i := range missing {
		offsets[i] = places[k].Offset
	}
	return offsets
}

// within returns the place in a text of p, a place in the given part of it.
func (p place) within(part place) place {
	if p.line == 0 {
		return p
	}
	if p.line == 1 {
		p.column += part.column - 1
		p.utf16 += part.utf16 - 1
		p.utf8 += part.utf8 - 1
	}
	p.line += part.line - 1
	p.offset += part.offset
	return p
}

// advance returns the place at offset, which is not before p.
func (p place) advance(text []byte, offset int) place {
	passed := text[p.offset:offset]
	if n := bytes.Count(passed, []byte("\n")); n > 0 {
		p.line += n
		p.column, p.utf16, p.utf8 = 1, 1, 1
		passed = passed[bytes.LastIndexByte(passed, '\n')+1:]
	}
	for _, r := range string(passed) {
		p.column++
		p.utf16 += utf16.RuneLen(r)
	}
	p.utf8 += len(passed)
	p.offset = offset
	return p
}

// afterToken returns the place after the JSON token at p, or after one character if there is none. An object or an array counts
// as its bracket.
func (p place) afterToken(text []byte) place {
	rest := text[p.offset:]
	d := json.NewDecoder(bytes.NewReader(rest))
	if _, err := d.Token(); err == nil {
		return p.advance(text, p.offset+int(d.InputOffset()))
	}
	_, size := utf8.DecodeRune(rest)
	return p.advance(text, p.offset+size)
}
