package main

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/jsonscan"
)

// place is the position at which a finding starts, for editors.
type place struct {
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // from 1, in characters
	Offset int `json:"offset"` // from 0, in UTF-16 code units, as in JavaScript
}

// answerCheckText answers a line in the format of `calrules check --ndjson` and adds the places of findings in the body. The
// answer is an object with the answer and places members. The place of a finding that is not about the body is null.
func answerCheckText(line, dst []byte) []byte {
	req, result, err := check(line)
	if err != nil {
		dst = batch.AppendError(append(dst, `{"answer":`...), req.ID, err)
		return append(dst, `,"places":[]}`...)
	}
	dst = batch.AppendAnswer(append(dst, `{"answer":`...), req.ID, result)
	dst = appendJSON(append(dst, `,"places":`...), places(req.Body, result.Findings))
	return append(dst, '}')
}

// places returns the place of each finding, which is nil if the finding is not in text.
func places(text []byte, findings diag.Findings) []*place {
	located := make([]jsonscan.Place, len(findings))
	for i, f := range findings {
		located[i].Path = f.Path
	}
	jsonscan.Locate(text, located)
	found := make([]*place, len(findings))
	for i, f := range findings {
		if f.Offset >= 0 {
			located[i].Offset = f.Offset
		}
		if at := located[i].Offset; at >= 0 {
			found[i] = placeAfter(text[:at])
		}
	}
	return found
}

// placeAfter returns the place immediately after the bytes in before.
func placeAfter(before []byte) *place {
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	p := &place{Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(line)}
	for _, r := range string(before) {
		p.Offset += utf16.RuneLen(r)
	}
	return p
}
