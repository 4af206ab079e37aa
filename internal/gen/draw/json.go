package draw

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// EncodeJSON returns the JSON encoding of a value, without HTML escapes. Map entries are sorted by key.
func EncodeJSON(value any) json.RawMessage {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(fmt.Sprintf("fuzz: %v", err))
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}
