package jsonscan

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/wording"
)

// A Mistake is a kind of mistake in JSON text. The zero value means no mistake.
type Mistake uint8

// The kinds of mistakes.
const (
	Empty Mistake = iota + 1
	ByteOrderMark
	UTF16 // a UTF-16 byte order mark
	EarlyEnd
	NoValue // another character instead of a value
	NoName
	NoColon
	NoComma // no comma in an object
	NoCommaInArray
	LastComma // a comma before the end of an object or array
	BadWord   // a word that resembles true, false or null
	NoDigit
	ControlCharacter
	BadEscape
	HalfPair // an escaped half of a surrogate pair
	NotUTF8
	Repeated // a name that repeats the name of an earlier member in the object
	Trailing // something follows the value
	TooDeep
	TooMany // too many members and elements
)

// says contains the descriptions of mistakes, in which {found} is the character at the offset and {most} is the limit.
var says = diag.Sentences{
	Empty:            {Key: "empty-text", Text: "it is empty"},
	ByteOrderMark:    {Key: "byte-order-mark", Text: "it begins with a byte order mark (U+FEFF); save it as UTF-8 without a byte order mark"},
	UTF16:            {Key: "utf-16", Text: "it begins with a UTF-16 byte order mark; save it as UTF-8 without a byte order mark"},
	EarlyEnd:         {Key: "early-end", Text: "unexpected end of input"},
	NoValue:          {Key: "no-value", Text: "expected a value, found {found}"},
	NoName:           {Key: "no-name", Text: "expected a name in double quotes, found {found}"},
	NoColon:          {Key: "no-colon", Text: "expected a colon after the name, found {found}"},
	NoComma:          {Key: "no-comma", Text: `expected a comma or "}" after the value, found {found}`},
	NoCommaInArray:   {Key: "no-comma-in-array", Text: `expected a comma or "]" after the element, found {found}`},
	LastComma:        {Key: "last-comma", Text: "a comma precedes the end of an object or array; remove the comma"},
	BadWord:          {Key: "bad-word", Text: "expected the rest of true, false or null, found {found}"},
	NoDigit:          {Key: "no-digit", Text: "expected a digit, found {found}"},
	ControlCharacter: {Key: "control-character", Text: "a string contains the control character {found}; escape the character"},
	BadEscape:        {Key: "bad-escape", Text: "a string contains a backslash that does not begin a JSON escape; write the backslash twice"},
	HalfPair:         {Key: "half-pair", Text: "a string contains an escaped half of a surrogate pair, which is not a character; write both halves or remove it"},
	NotUTF8:          {Key: "not-utf-8", Text: "it is not valid UTF-8"},
	Repeated:         {Key: "repeated-name", Text: "an object contains the same name twice; write each name once"},
	Trailing:         {Key: "trailing", Text: "there is more input after the value"},
	TooDeep:          {Key: "too-deep", Text: "arrays and objects are nested more than {most} levels deep"},
	TooMany:          {Key: "too-many", Text: "it contains more than {most} members and array elements; send fewer"},
}

// A SyntaxError describes the first mistake in invalid JSON text.
type SyntaxError struct {
	Mistake Mistake
	Path    diag.Pointer
	Offset  int    // in bytes
	found   string // the character at the offset, for some mistakes
	limit   int    // the limit, for some mistakes
}

// Error returns the reason and the position in bytes, counted from 1.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s (byte %d)", e.Reason(), e.Offset+1) }

// Reason returns a description of the mistake, such as "unexpected end of input".
func (e *SyntaxError) Reason() string {
	return strings.NewReplacer("{found}", engine.Quote(e.found), "{most}", strconv.Itoa(e.limit)).Replace(says[e.Mistake].Text)
}

// Says returns the descriptions of mistakes, for use in sentences. See [SyntaxError.Args].
func Says() diag.Sentences { return slices.Clone(says[1:]) }

// Args returns the arguments for a sentence with the placeholders {reason}, for the description of the mistake, and {at},
// for the position in bytes, counted from 1.
func (e *SyntaxError) Args() []diag.Arg {
	return []diag.Arg{wording.Part("reason", says[e.Mistake].Key), diag.Value("found", e.found), diag.Number("most", e.limit), diag.Number("at", e.Offset+1)}
}

// fail stops the decoder because of a mistake at an offset, and returns false.
func (d *Decoder) fail(m Mistake, at int, path diag.Pointer) bool {
	_, size := utf8.DecodeRune(d.text[at:])
	d.err, d.kind = &SyntaxError{Mistake: m, Path: path, Offset: at, found: string(d.text[at : at+size])}, 0
	return false
}

// failAfterItem stops the decoder because neither a comma nor the end of the object or array follows an item.
func (d *Decoder) failAfterItem(at int) bool {
	m := NoComma
	switch {
	case at == len(d.text):
		m = EarlyEnd
	case d.in.open == '[':
		m = NoCommaInArray
	}
	return d.fail(m, at, d.Around())
}

// failInName stops the decoder because there is no name at an offset.
func (d *Decoder) failInName(at int) bool {
	m, at := d.mistakeAt(at, NoName)
	return d.fail(m, at, d.Around())
}

// failAfterName stops the decoder because the name that was just read is not followed by a colon and a value.
func (d *Decoder) failAfterName() bool {
	switch at := skipSpace(d.text, d.at); {
	case at == len(d.text):
		return d.fail(EarlyEnd, at, d.Path())
	case d.text[at] != ':':
		return d.fail(NoColon, at, d.Path())
	default:
		return d.failInValue(skipSpace(d.text, at+1))
	}
}

// failInValue stops the decoder, unless it has already stopped, because there is no value at an offset.
func (d *Decoder) failInValue(at int) bool {
	if d.err != nil {
		return false
	}
	m, at := d.mistakeAt(at, NoValue)
	if m == NoValue || d.in.open == '{' && m == EarlyEnd {
		return d.fail(m, at, d.path(d.in.read))
	}
	return d.fail(m, at, d.Around())
}

// mistakeAt returns the mistake at an offset where a name or value must begin, and the offset to report. The result is the
// usual mistake unless a more specific mistake applies.
func (d *Decoder) mistakeAt(at int, usual Mistake) (Mistake, int) {
	before := bytes.TrimRight(d.text[:at], " \t\r\n")
	isLast := func(comma, next int) bool {
		return next < len(d.text) && isClosing(d.text[next]) && d.text[comma] == ','
	}
	switch rest := d.text[at:]; {
	case len(rest) == 0 && len(d.outer) == 0:
		return Empty, at
	case len(rest) == 0:
		return EarlyEnd, at
	case at == 0 && bytes.HasPrefix(rest, []byte("\ufeff")):
		return ByteOrderMark, at
	case at == 0 && (bytes.HasPrefix(rest, []byte("\xff\xfe")) || bytes.HasPrefix(rest, []byte("\xfe\xff"))):
		return UTF16, at
	case len(before) > 0 && isLast(len(before)-1, at):
		return LastComma, len(before) - 1
	case len(before) > 0 && isOpening(before[len(before)-1]) && isLast(at, skipSpace(d.text, at+1)):
		return LastComma, at
	default:
		return usual, at
	}
}
