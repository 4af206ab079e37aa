package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
)

// Clear sets the members at the given paths to null. When the event is sent as a patch, the nulls clear the members. By
// default, a patch omits fields without a value.
//
//	patch := event.Event{Summary: "Retrospective"}
//	err := patch.Clear("/location", "/extendedProperties/private/room")
//
// The paths use the documents' names. A path inside a member that is already null has no effect. If a field is set
// later, its value is sent instead of null. Clear returns an error, and leaves the event unchanged, if e is nil, if a
// path does not name a member of an object, or if it names a member that is neither documented nor present. Elements of
// an array cannot be cleared, because an array can only be replaced as a whole.
func (e *Event) Clear(paths ...diag.Pointer) error {
	if e == nil {
		return errors.New("event: the event to clear is nil")
	}
	text := e.AppendJSON(nil)
	for _, path := range paths {
		var err error
		if text, err = clearOne(text, path); err != nil {
			return fmt.Errorf("event: %s cannot be cleared: %w", engine.Quote(string(path)), err)
		}
	}
	*e = Event{}
	tables().event.Decode(text, e, object.Reading{}) // keeps any values of the wrong type that e contains
	return nil
}

// clearOne returns the event, as JSON, with the member at the path set to null.
func clearOne(text []byte, path diag.Pointer) ([]byte, error) {
	tokens := slices.Collect(path.Tokens())
	alone, err := withNull([]byte("{}"), tokens)
	if err != nil {
		return nil, err
	}
	// The path is checked in a separate event, because text may lack the object that contains the member.
	_, findings := Decode(alone, diag.Documents)
	switch {
	case findings.Rejected():
		return nil, errors.New("no object of an event has such a member")
	case len(findings) > 0 && !has(text, slices.Collect(findings[0].Path.Tokens())): // an unknown name
		return nil, errors.New(findings[0].Message())
	}
	return withNull(text, tokens)
}

// has reports whether the object contains a member at the given path.
func has(object []byte, path []string) bool {
	for _, name := range path {
		var members map[string]json.RawMessage
		if json.Unmarshal(object, &members) != nil || members[name] == nil {
			return false
		}
		object = members[name]
	}
	return true
}

// withNull returns the object with the member at the given path set to null.
func withNull(of []byte, path []string) ([]byte, error) {
	if len(path) == 0 {
		return nil, errors.New("not the path of a member")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(of, &members); err != nil {
		return nil, fmt.Errorf("%s is in a value that is not an object", engine.Quote(path[0]))
	}
	if members == nil {
		return of, nil // the null already clears all members
	}
	cleared, err := json.RawMessage("null"), error(nil)
	if len(path) > 1 {
		within := members[path[0]]
		if within == nil {
			within = json.RawMessage("{}")
		}
		if cleared, err = withNull(within, path[1:]); err != nil {
			return nil, err
		}
	}
	members[path[0]] = cleared
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // leaves the values unchanged
	err = encoder.Encode(members)
	return bytes.TrimSpace(text.Bytes()), err
}
