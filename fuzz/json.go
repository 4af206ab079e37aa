package fuzz

import (
	"bytes"
	"encoding/json"
)

// JSON is a JSON text that prints as text, also where rapid prints what it drew.
type JSON []byte

// String returns the text.
func (j JSON) String() string { return string(j) }

// GoString returns the text too: in Go syntax it would be a list of bytes.
func (j JSON) GoString() string { return string(j) }

// UnmarshalJSON keeps a copy of the text.
func (j *JSON) UnmarshalJSON(text []byte) error {
	*j = bytes.Clone(text)
	return nil
}

// MarshalJSON returns the text as it is or, of a key file that is broken as JSON, as a string.
func (j JSON) MarshalJSON() ([]byte, error) {
	if j != nil && !json.Valid(j) {
		return json.Marshal(string(j))
	}
	return json.RawMessage(j).MarshalJSON()
}
