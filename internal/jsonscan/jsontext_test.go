package jsonscan

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/calrules/calrules/diag"
)

// slowDecoder is the simple version of [Decoder]: a decoder of jsontext reads the text, token by token.
type slowDecoder struct {
	json   jsontext.Decoder
	buffer bytes.Buffer // what json reads
	text   []byte
	most   int  // levels of nesting
	kind   Kind // of the next token
	err    *SyntaxError
}

func (d *slowDecoder) Reset(text []byte, most int) {
	d.reset(text, most, jsontext.AllowDuplicateNames(true))
}

func (d *slowDecoder) reset(text []byte, most int, options ...jsontext.Options) {
	d.text, d.most, d.err = text, most, nil
	d.buffer = *bytes.NewBuffer(text)
	d.json.Reset(&d.buffer, options...)
	d.peek()
}

func (d *slowDecoder) Err() *SyntaxError { return d.err }

// peek looks at the next token.
func (d *slowDecoder) peek() {
	if d.kind = 0; d.err == nil {
		d.kind = Kind(d.json.PeekKind())
	}
}

func (d *slowDecoder) Kind() Kind { return d.kind }

func (d *slowDecoder) Enter() bool { return d.readToken() && !d.exceeds(d.json.StackDepth()) }

// readToken reads a token. If that fails, it stops.
func (d *slowDecoder) readToken() bool {
	if d.err != nil {
		return false
	}
	_, err := d.json.ReadToken()
	if err != nil {
		d.err = d.errorOf(err)
	}
	return err == nil
}

func (d *slowDecoder) Member(guess string) (name []byte, isGuess, ok bool) {
	if d.peek(); d.kind == '}' {
		d.readToken()
		return nil, false, false
	}
	start := d.Next()
	if !d.readToken() {
		return nil, false, false
	}
	quoted := d.text[start:d.Offset()]
	if guess != "" && bytes.HasPrefix(d.text[start:], []byte(guess)) {
		d.peek()
		return nil, true, true
	}
	name, _ = jsontext.AppendUnquote(nil, quoted)
	d.peek()
	return name, false, true
}

func (d *slowDecoder) More() bool {
	if d.peek(); d.kind == ']' {
		d.readToken()
		return false
	}
	return d.err == nil
}

func (d *slowDecoder) Value() ([]byte, bool) {
	text, depth := d.read()
	return text, text != nil && !d.exceeds(depth)
}

func (d *slowDecoder) Bool() (value, ok bool) {
	text, ok := d.Value()
	return string(text) == "true", ok
}

func (d *slowDecoder) IsInMember() bool { return d.json.StackDepth() == 2 }

func (d *slowDecoder) Skip() bool {
	text, _ := d.read()
	return text != nil
}

// read reads a value, and returns how deeply it is nested in the text.
func (d *slowDecoder) read() (text []byte, deepest int) {
	before, start, path, offset := d.json.StackDepth(), d.Next(), d.Path(), d.Offset()
	deepest = before
	for d.readToken() {
		depth := d.json.StackDepth()
		if deepest = max(deepest, depth); depth == before {
			return d.text[start:d.Offset()], deepest
		}
	}
	if deepest > d.most {
		d.err = &SyntaxError{Mistake: TooDeep, Path: path, Offset: offset}
	}
	return nil, 0
}

func (d *slowDecoder) End() {
	if next := skipSpace(d.text, d.Offset()); d.err == nil && next < len(d.text) {
		d.err = &SyntaxError{Mistake: Trailing, Offset: next}
	}
}

func (d *slowDecoder) Offset() int { return int(d.json.InputOffset()) }

func (d *slowDecoder) Next() int { return skipSeparators(d.text, d.Offset()) }

func (d *slowDecoder) Path() diag.Pointer { return diag.Pointer(d.json.StackPointer()) }

func (d *slowDecoder) exceeds(depth int) bool {
	if depth <= d.most {
		return false
	}
	d.err = &SyntaxError{Mistake: TooDeep, Path: d.Path(), Offset: d.Offset()}
	return true
}

// errorOf returns where this package sees the mistake of an error of jsontext, and which mistake it is if the error has a
// type that says so. The places differ in two cases. An early end is at the end of the text, because more text is missing
// there; jsontext names the beginning of the number or escape that it would read again. What is no string where a name must begin
// is a mistake from its first byte on; jsontext reads it first, and may find other mistakes in it.
func (d *slowDecoder) errorOf(err error) *SyntaxError {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok { // io.EOF: reading from memory has no other error
		return &SyntaxError{Mistake: Empty, Offset: len(d.text)}
	}
	e := &SyntaxError{Path: diag.Pointer(syntax.JSONPointer), Offset: int(syntax.ByteOffset)}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		e.Mistake = Repeated
	case d.json.StackDepth() == maxLevels && e.Offset < len(d.text) && isOpening(d.text[e.Offset]):
		e.Mistake, e.Offset, e.Path = TooDeep, d.Offset(), d.Path()
	case d.isOtherName(e.Offset):
		e.Mistake, e.Offset, e.Path = NoName, d.Next(), d.Path()
		if _, length := d.json.StackIndex(d.json.StackDepth()); length > 0 {
			e.Path = parent(e.Path)
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Mistake, e.Offset = EarlyEnd, len(d.text)
	}
	return e
}

// isOtherName reports whether another value than a string is where a name must begin, and the error in or after it.
func (d *slowDecoder) isOtherName(offset int) bool {
	open, length := d.json.StackIndex(d.json.StackDepth())
	next := d.Next()
	if open != '{' || length%2 != 0 || offset < next || next == len(d.text) {
		return false
	}
	hasComma := bytes.Contains(d.text[d.Offset():next], []byte(","))
	return hasComma == (length > 0) && strings.IndexByte("tfn-0123456789[{", d.text[next]) >= 0
}
