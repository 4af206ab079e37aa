package ndjson

import (
	"cmp"
	"fmt"
	"strings"
)

// Error is an error in an object. The message contains no values from the object, so it can be shown even if a value is secret.
type Error struct {
	Fault Fault

	// The message is before, the path of the member, and after. In a message about the whole input, "it" replaces the path. If
	// after is empty, the message consists only of before.
	before, path, after string
}

// Fault is a kind of [Error] that callers can distinguish.
type Fault uint8

// The kinds of errors.
const (
	OfMember  Fault = iota
	NotJSON         // the input is not JSON
	NoObject        // the input is not an object
	NotUTF8         // a member is not UTF-8
	Duplicate       // a member appears twice
)

// NewError returns an error with the given sentence, which must not contain a secret.
func NewError(sentence string) *Error { return &Error{before: sentence} }

func (e *Error) Error() string {
	if e.after == "" {
		return e.before
	}
	return e.before + cmp.Or(e.path, "it") + e.after
}

var errTwice = &Error{Fault: Duplicate, before: "a JSON object repeats a member name; write each name once"}

// In converts an error about the value of a member to an error about the object that contains the member. In returns errors of
// types other than [*Error] unchanged.
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

func ofLine(err error) error {
	if e, ok := err.(*Error); ok && e.path == "" {
		return In("the line", e)
	}
	return err
}

// Labelled returns err as a one-line error that names the given member, or nil if err is nil.
func Labelled(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", name, strings.ReplaceAll(err.Error(), "\n", "; "))
}
