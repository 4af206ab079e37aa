package jsonscan

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/calrules/calrules/diag"
)

// places are what jsontext says about where a character is that is not allowed there, and what must be there.
var places = []struct{ phrase, want string }{
	{"after object name", "a colon must follow a name"},
	{"after object value", `a comma or "}" must follow a value`},
	{"after array", `a comma or "]" must follow an element`},
	{"in literal", "the word true, false or null must continue"},
	{"in number", "a number must have a digit"},
	{"at start of string", "a name in double quotes must begin"},
	{jsontext.ErrNonStringName.Error(), "a name in double quotes must begin"},
}

// reason says in our own words what an error of jsontext means. Those of jsontext may change.
func reason(text []byte, err *jsontext.SyntacticError) string {
	message := err.Err.Error()
	has := func(phrase string) bool { return strings.Contains(message, phrase) }
	at := int(err.ByteOffset)
	switch {
	case errors.Is(err.Err, jsontext.ErrDuplicateName):
		return "a member has the name of an earlier member of its object; write each name once"
	case errors.Is(err.Err, io.ErrUnexpectedEOF), at >= len(text):
		return "it ends too early"
	case has("surrogate pair"):
		return "a string contains an escaped half of a surrogate pair, which is not a character; write both halves or remove it"
	case has("UTF-8"):
		return "it is not valid UTF-8"
	case has("escape sequence"):
		return "a string contains a backslash that does not begin an escape of JSON; write it twice"
	}
	_, size := utf8.DecodeRune(text[at:])
	found := diag.Quote(string(text[at : at+size]))
	if has("in string") {
		return "a string contains the control character " + found + "; write it as an escape"
	}
	if isLastComma(text, at) {
		return "a comma is before the end of an object or array; remove it"
	}
	for _, place := range places {
		if has(place.phrase) {
			return found + " is where " + place.want
		}
	}
	return found + " is where " + beginning(text[:at])
}

// isLastComma reports whether an error is about a comma before the end of an object or array. Depending on how the text is
// read, its offset is that of the comma or of the end.
func isLastComma(text []byte, at int) bool {
	if text[at] == ',' {
		at = skipSpace(text, at+1)
	}
	isEnd := at < len(text) && (text[at] == '}' || text[at] == ']')
	return isEnd && bytes.HasSuffix(bytes.TrimRight(text[:at], space), []byte(","))
}

// space contains the characters that are allowed between tokens.
const space = " \t\r\n"

// beginning returns what must begin after a text.
func beginning(before []byte) string {
	switch before = bytes.TrimRight(before, space); {
	case bytes.HasSuffix(before, []byte("{")):
		return "a name in double quotes must begin"
	case bytes.HasSuffix(before, []byte(",")):
		return "a value, or a name in double quotes, must begin"
	default:
		return "a value must begin"
	}
}
