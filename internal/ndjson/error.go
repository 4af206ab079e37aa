package ndjson

import (
	"cmp"
	"fmt"
	"strings"
)

// Error is an error in an object. It shows no values of the object, so that it can be shown even if a value is a
// secret.
type Error struct {
	Fault Fault

	// The sentence consists of before, the path of the member, and after. If it is about the whole text, the path is
	// "it". A sentence without after names no path.
	before, path, after string
}

// Fault is a kind of [Error] that callers distinguish.
type Fault uint8

// The kinds of errors.
const (
	OfMember  Fault = iota
	NotJSON         // the text is not JSON
	NoObject        // the text is not an object
	NotUTF8         // a member is not UTF-8
	Duplicate       // a member appears twice
)

// NewError returns an error with a sentence, which must show no secret.
func NewError(sentence string) *Error { return &Error{before: sentence} }

func (e *Error) Error() string {
	if e.after == "" {
		return e.before
	}
	return e.before + cmp.Or(e.path, "it") + e.after
}

var errTwice = &Error{Fault: Duplicate, before: "a JSON object repeats a member name; write each name once"}

// In returns an error of the value of a member as an error of its object. To errors of other types it adds the name of
// the member.
func In(name string, err error) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	path := name
	if e.path != "" {
		path += "." + e.path
	}
	return &Error{e.Fault, e.before, path, e.after}
}

// ofLine returns an error about a whole text as an error about a line.
func ofLine(err error) error {
	if e, ok := err.(*Error); ok && e.path == "" {
		return In("the line", e)
	}
	return err
}

// Labelled returns an error as one line that names its member, or nil.
func Labelled(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", name, strings.ReplaceAll(err.Error(), "\n", "; "))
}
