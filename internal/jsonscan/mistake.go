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

// Mistake is a kind of mistake in a text. The zero value is not a mistake.
type Mistake uint8

// The mistakes.
const (
	Empty Mistake = iota + 1
	ByteOrderMark
	UTF16 // a byte order mark of UTF-16
	EarlyEnd
	NoValue // another character is where a value must begin
	NoName
	NoColon
	NoComma // in an object
	NoCommaInArray
	LastComma // before the end of an object or array
	BadWord   // it is like true, false or null
	NoDigit
	ControlCharacter
	BadEscape
	HalfPair // the escape of half a surrogate pair
	NotUTF8
	Repeated // the name of an earlier member of the object
	Trailing // something follows the value
	TooDeep
	TooMany // members and elements
)

// says are the mistakes in words: {found} is the character at the offset, {most} is the limit.
var says = diag.Sentences{
	Empty:            {Key: "empty-text", Text: "it is empty"},
	ByteOrderMark:    {Key: "byte-order-mark", Text: "it begins with a byte order mark (U+FEFF); save it as UTF-8 without one"},
	UTF16:            {Key: "utf-16", Text: "it begins with a byte order mark of UTF-16; save it as UTF-8 without one"},
	EarlyEnd:         {Key: "early-end", Text: "it ends too early"},
	NoValue:          {Key: "no-value", Text: "expected a value, found {found}"},
	NoName:           {Key: "no-name", Text: "expected a name in double quotes, found {found}"},
	NoColon:          {Key: "no-colon", Text: "expected a colon after the name, found {found}"},
	NoComma:          {Key: "no-comma", Text: `expected a comma or "}" after the value, found {found}`},
	NoCommaInArray:   {Key: "no-comma-in-array", Text: `expected a comma or "]" after the element, found {found}`},
	LastComma:        {Key: "last-comma", Text: "a comma is before the end of an object or array; remove it"},
	BadWord:          {Key: "bad-word", Text: "expected the rest of true, false or null, found {found}"},
	NoDigit:          {Key: "no-digit", Text: "expected a digit of a number, found {found}"},
	ControlCharacter: {Key: "control-character", Text: "a string contains the control character {found}; write it as an escape"},
	BadEscape:        {Key: "bad-escape", Text: "a string contains a backslash that does not begin an escape of JSON; write it twice"},
	HalfPair:         {Key: "half-pair", Text: "a string contains an escaped half of a surrogate pair, which is not a character; write both halves or remove it"},
	NotUTF8:          {Key: "not-utf-8", Text: "it is not valid UTF-8"},
	Repeated:         {Key: "repeated-name", Text: "a member repeats an earlier name of its object; write each name once"},
	Trailing:         {Key: "trailing", Text: "something follows the value"},
	TooDeep:          {Key: "too-deep", Text: "arrays and objects are nested more than {most} levels deep"},
	TooMany:          {Key: "too-many", Text: "it has more than {most} members and array elements; send fewer"},
}

// SyntaxError is the first mistake in a text that is not the required JSON.
type SyntaxError struct {
	Mistake Mistake
	Path    diag.Pointer
	Offset  int    // in bytes
	found   string // the character at the offset, for some mistakes
	limit   int    // for others
}

// Error returns the reason and the byte, counted from 1.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s (byte %d)", e.Reason(), e.Offset+1) }

// Reason returns the reason in words, such as "it ends too early".
func (e *SyntaxError) Reason() string {
	return strings.NewReplacer("{found}", engine.Quote(e.found), "{most}", strconv.Itoa(e.limit)).Replace(says[e.Mistake].Text)
}

// Says returns the mistakes in words, as parts of sentences. See [SyntaxError.Args].
func Says() diag.Sentences { return slices.Clone(says[1:]) }

// Args returns the arguments of a sentence: the mistake for its place reason, and the byte, counted from 1, for its place at.
func (e *SyntaxError) Args() []diag.Arg {
	return []diag.Arg{wording.Part("reason", says[e.Mistake].Key), diag.Value("found", e.found), diag.Number("most", e.limit), diag.Number("at", e.Offset+1)}
}

// fail stops because of a mistake at an offset, and returns false.
func (d *Decoder) fail(m Mistake, at int, path diag.Pointer) bool {
	_, size := utf8.DecodeRune(d.text[at:])
	d.err, d.kind = &SyntaxError{Mistake: m, Path: path, Offset: at, found: string(d.text[at : at+size])}, 0
	return false
}

// failInName stops because a name does not begin at an offset.
func (d *Decoder) failInName(at int) bool {
	m, at := d.mistakeAt(at, NoName)
	return d.fail(m, at, d.around())
}

// failAfterName stops because neither a colon nor a value follow the name that was just read.
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

// failInValue stops because no value begins at an offset, unless reading has already stopped.
func (d *Decoder) failInValue(at int) bool {
	if d.err != nil {
		return false
	}
	m, at := d.mistakeAt(at, NoValue)
	if m == NoValue || d.in.open == '{' && m == EarlyEnd {
		return d.fail(m, at, d.path(d.in.read))
	}
	return d.fail(m, at, d.around())
}

// mistakeAt returns the mistake at an offset where a name or value must begin, and its offset. A usual mistake is
// none of the mistakes with a further explanation.
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
