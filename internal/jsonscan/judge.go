package jsonscan

import (
	"bytes"
	"cmp"
	"errors"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/calrules/calrules/diag"
)

// judge reads texts with package jsontext, which says in detail what is wrong with a text.
type judge struct {
	json   jsontext.Decoder
	buffer bytes.Buffer // what json reads
	text   []byte
	most   int // levels of nesting

	deep *Place // where a value begins that is read by tokens, or nil
}

// judges are kept for reuse: their buffers are costly to make.
var judges = sync.Pool{New: func() any { return new(judge) }}

func (j *judge) reset(text []byte, most int, options ...jsontext.Options) {
	j.text, j.most, j.deep = text, most, nil
	j.buffer = *bytes.NewBuffer(text)
	j.json.Reset(&j.buffer, options...)
}

// release drops the text, and keeps the judge for reuse.
func (j *judge) release() {
	j.text, j.buffer = nil, bytes.Buffer{}
	judges.Put(j)
}

// reading reads the next part of a text.
type reading func(*judge) error

func readToken(j *judge) error {
	_, err := j.json.ReadToken()
	return err
}

// maxRecursion is how many levels of nesting a function may read by calling itself. WebAssembly uses the stack of its
// host, which has no room for maxLevels.
const maxRecursion = 1000

// readValue reads a value, however deeply it is nested: beyond maxRecursion by tokens, because ReadValue calls itself
// for each level.
func readValue(j *judge) error {
	j.deep = nil
	before := int(j.json.InputOffset())
	kind, rest := j.json.PeekKind(), j.text[before:]
	if kind != '{' && kind != '[' || bytes.Count(rest, []byte("["))+bytes.Count(rest, []byte("{")) <= maxRecursion {
		_, err := j.json.ReadValue()
		return err
	}
	j.deep = &Place{Path: diag.Pointer(j.json.StackPointer()), Offset: before}
	for depth := j.json.StackDepth(); ; {
		if _, err := j.json.ReadToken(); err != nil || j.json.StackDepth() == depth {
			return err
		}
	}
}

// explain returns what is wrong with the text after the tokens that end at an offset.
func (j *judge) explain(text []byte, at, most int, read reading) *SyntaxError {
	j.reset(text, most, jsontext.AllowDuplicateNames(true))
	var err error
	for err == nil && j.json.InputOffset() < int64(at) {
		err = readToken(j)
	}
	for err == nil { // the first reading fails
		err = read(j)
	}
	return j.error(err)
}

// check returns nil if the text is one JSON value.
func (j *judge) check() *SyntaxError {
	if err := readValue(j); err != nil {
		return j.error(err)
	}
	if next := skipSpace(j.text, int(j.json.InputOffset())); next < len(j.text) {
		return &SyntaxError{Offset: next, Reason: followed}
	}
	return nil
}

// error returns an error of jsontext as one of this package.
func (j *judge) error(err error) *SyntaxError {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !ok: // io.EOF: reading from memory has no other error
		return &SyntaxError{Offset: len(j.text), Reason: "it is empty"}
	case syntax.ByteOffset == 0 && bytes.HasPrefix(j.text, []byte(byteOrderMark)):
		return &SyntaxError{Reason: "it begins with a byte order mark (U+FEFF); save it as UTF-8 without one"}
	case syntax.ByteOffset == 0 && isUTF16(j.text):
		return &SyntaxError{Reason: "it begins with a byte order mark of UTF-16; save it as UTF-8 without one"}
	case strings.Count(string(syntax.JSONPointer), "/") > j.most: // before the error
		at := cmp.Or(j.deep, &Place{Path: diag.Pointer(j.json.StackPointer()), Offset: int(j.json.InputOffset())})
		return &SyntaxError{Path: at.Path, Offset: at.Offset, Reason: tooDeep(j.most)}
	default:
		return &SyntaxError{Path: diag.Pointer(syntax.JSONPointer), Offset: int(syntax.ByteOffset), Reason: reason(j.text, syntax)}
	}
}

const byteOrderMark = "\ufeff"

// isUTF16 reports whether a text begins with the byte order mark in UTF-16, as some editors and shells write it.
func isUTF16(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
}
