package main

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
)

// place is where a finding is in a text. The zero value is nowhere, for what is about no
// place in the body.
type place struct {
	line, column int // 1-based; the column counts characters
	offset       int // in bytes
}

// locate returns the place of each finding.
func locate(text []byte, findings diag.Findings) []place {
	return places(text, offsets(text, findings))
}

// offsets returns the offset of each finding in bytes, or -1 where it is about no place in
// the body. It is that of the value or, where that is missing, of what should hold it.
func offsets(text []byte, findings diag.Findings) []int {
	paths := make([]diag.Pointer, len(findings))
	for i, f := range findings {
		paths[i] = f.Path
	}
	offsets := object.Locate(text, paths)
	if slices.ContainsFunc(findings, isFault) {
		moveFaults(text, findings, offsets)
	}
	return offsets
}

// The rules whose findings a path cannot place: where JSON breaks off there is no value, and
// a path leads to the first of several members with one name.
const (
	ruleSyntax    = "json.syntax"
	ruleDuplicate = "json.duplicate-name"
)

func isFault(f diag.Finding) bool {
	return f.Path.InBody() && (f.Rule.ID == ruleSyntax || f.Rule.ID == ruleDuplicate)
}

// anyObject is an object of which no member is known. Decoding it tells only of faults of JSON.
var anyObject = object.NewType(func(extra *object.Extra) *object.Extra { return extra })

// moveFaults corrects the offsets of faults of JSON.
func moveFaults(text []byte, findings diag.Findings, offsets []int) {
	again := map[diag.Pointer][]int{} // of the repeated members, in order
	for _, p := range anyObject.Decode(text, new(object.Extra), object.NullIsKept) {
		switch p.Fault {
		case object.Syntax:
			moveSyntax(findings, offsets, min(p.Offset, len(text)))
		case object.Duplicate:
			again[p.Path] = append(again[p.Path], p.Offset)
		}
	}
	for i, f := range findings {
		if at := again[f.Path]; f.Rule.ID == ruleDuplicate && len(at) > 0 {
			offsets[i], again[f.Path] = at[0], at[1:]
		}
	}
}

// moveSyntax corrects the offset of the only finding there can be about syntax.
func moveSyntax(findings diag.Findings, offsets []int, to int) {
	for i, f := range findings {
		if f.Rule.ID == ruleSyntax {
			offsets[i] = to
		}
	}
}

// places turns offsets into lines and columns in one pass over the text. A line ends with LF;
// a CR before it is a character of the line that no finding is about.
func places(text []byte, offsets []int) []place {
	order := make([]int, len(offsets))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return offsets[a] - offsets[b] })
	found := make([]place, len(offsets))
	at := place{line: 1, column: 1}
	for _, i := range order {
		if offsets[i] >= 0 {
			at = at.advance(text, min(offsets[i], len(text)))
			found[i] = at
		}
	}
	return found
}

// advance returns the place at offset, which does not lie before p.
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
