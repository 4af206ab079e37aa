package fuzz

import (
	"bytes"
	"encoding/json"
)

// JSON is a JSON text that prints as text, also in the output of rapid.
type JSON []byte

// String returns the text.
func (j JSON) String() string { return string(j) }

// GoString returns the text too, and not a list of bytes in Go syntax.
func (j JSON) GoString() string { return string(j) }

// UnmarshalJSON keeps a copy of the text.
func (j *JSON) UnmarshalJSON(text []byte) error {
	*j = bytes.Clone(text)
	return nil
}

// MarshalJSON returns the text, or a string if the text is a key file that is not JSON.
func (j JSON) MarshalJSON() ([]byte, error) {
	if j != nil && !json.Valid(j) {
		return json.Marshal(string(j))
	}
	return json.RawMessage(j).MarshalJSON()
}
