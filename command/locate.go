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

// place is the position of a finding in a file. The zero place means that a finding is not in the file.
type place struct {
	line, column int // both count from 1; columns in characters
	utf16, utf8  int // the column in UTF-16 code units and in bytes, from 1
	offset       int // in bytes
}

// textStart is the place of the first character.
var textStart = place{line: 1, column: 1, utf16: 1, utf8: 1}

// locate returns the place of each finding in text. A finding without an offset, such as a finding about a stored event, is
// located by its path. Lines end with LF; a preceding CR is counted as a character of the line.
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

// offsetsOf returns the offset of each finding, searching text only for findings without an offset.
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

// within converts p from a place relative to the start of part to a place in the whole file.
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

// advance returns the place of the given offset, which must not precede p.
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

// afterToken returns the place after the JSON token at p or, if there is no token, after one character. For an object or array,
// the token is the opening bracket.
func (p place) afterToken(text []byte) place {
	rest := text[p.offset:]
	d := json.NewDecoder(bytes.NewReader(rest))
	if _, err := d.Token(); err == nil {
		return p.advance(text, p.offset+int(d.InputOffset()))
	}
	_, size := utf8.DecodeRune(rest)
	return p.advance(text, p.offset+size)
}
