package operation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"strconv"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/limits"
)

// Params are the query parameters of a request as they were sent: decoded from the query,
// but not into types. The values of a repeated parameter stand in the order of the query. A
// parameter without values counts as absent. The zero value is a request without a query.
type Params map[string][]string

// FromQuery returns the parameters of a parsed query, with which it shares its memory.
// Parse with [url.ParseQuery] and heed its error: [url.URL.Query] drops malformed pairs
// without a word, so that what a server reads differs from what was checked.
func FromQuery(query url.Values) Params { return Params(query) }

// Value returns the value of a single-valued parameter, the first where it is repeated. It
// reports false if the parameter is absent; one that is present may be empty.
func (p Params) Value(name string) (string, bool) {
	values := p[name]
	if len(values) == 0 {
		return "", false
	}
	return values[0], true
}

// MarshalJSON writes an object, sorted by name, as [Params.UnmarshalJSON] reads it.
func (p Params) MarshalJSON() ([]byte, error) {
	object := make(map[string]any, len(p))
	for name, values := range p {
		if len(values) == 1 {
			object[name] = values[0]
		} else {
			object[name] = append([]string{}, values...) // an array, and not null, where there are none
		}
	}
	return json.Marshal(object)
}

// UnmarshalJSON reads the batch form: an object whose members are strings, or arrays of
// strings for parameters that are repeated. Null stands for no parameters. The error names
// the first parameter that is wrong; a name that stands twice in the object is wrong too, as
// one of its values would be lost.
func (p *Params) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	switch token, err := d.Token(); {
	case err != nil:
		return fmt.Errorf("params: %w", err)
	case token == nil:
		*p = nil
		return nil
	case token != json.Delim('{'):
		return fmt.Errorf("params is %s; it must be an object", tokenKind(token))
	}
	params, err := decodeParams(d)
	if err != nil {
		return err
	}
	*p = params
	return nil
}

// decodeParams reads the members of an object whose opening brace has been read.
func decodeParams(d *json.Decoder) (Params, error) {
	params := Params{}
	for {
		token, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("params: %w", err)
		}
		name, ok := token.(string)
		if !ok { // the closing brace
			return params, nil
		}
		if _, seen := params[name]; seen {
			return nil, fmt.Errorf("params: %s stands twice; send the values of a repeated parameter as one array", diag.Quote(name))
		}
		values, err := decodeValues(d)
		if err != nil {
			return nil, fmt.Errorf("params: %s %w", diag.Quote(name), err)
		}
		params[name] = values
	}
}

// decodeValues reads the value of one member. Its errors go on from the member's name.
func decodeValues(d *json.Decoder) ([]string, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	if value, ok := token.(string); ok {
		return []string{value}, nil
	}
	if token != json.Delim('[') {
		return nil, fmt.Errorf("is %s; it must be a string, or an array of strings, as the query has it", tokenKind(token))
	}
	values := []string{}
	for {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		if token == json.Delim(']') {
			return values, nil
		}
		value, ok := token.(string)
		if !ok {
			return nil, fmt.Errorf("holds %s; it must hold strings only", tokenKind(token))
		}
		values = append(values, value)
	}
}

// tokenKind names the JSON type that a token is, or begins.
func tokenKind(token json.Token) string {
	switch token {
	case nil:
		return "null"
	case json.Delim('{'):
		return "an object"
	case json.Delim('['):
		return "an array"
	}
	switch token.(type) {
	case bool:
		return "a boolean"
	case string:
		return "a string"
	default:
		return "a number"
	}
}

// Flags are the parameters of a request about events, decoded. A parameter that is absent,
// malformed or out of range has its documented default, or else the zero value.
type Flags struct {
	ConferenceDataVersion int    // 0 or 1; default 0
	EventLabelVersion     int    // 0 or 1; default 0
	MaxAttendees          int    // at least 1; 0 if not given
	SendNotifications     bool   // default false; deprecated
	SendUpdates           string // a member of [limits.SendUpdates]; empty if not given
	SupportsAttachments   bool   // default false

	SyncToken   string // of events.list; empty if not given, as the other four
	UpdatedMin  string // of events.list
	ShowDeleted bool   // of events.list
	ICalUID     string // of events.list
	Destination string // of events.move
	Text        string // of events.quickAdd
}

// Flags decodes the parameters. It leaves it to [Check] to say what is wrong with them, and
// takes the first value of one that is repeated.
func (p Params) Flags() Flags {
	var f Flags
	for name, values := range p { // what is sent is less than what might be
		if len(values) > 0 {
			f.set(name, values[0])
		}
	}
	return f
}

// set decodes one parameter. Of the versions the default is their zero value.
func (f *Flags) set(name, value string) {
	switch name {
	case conferenceDataVersion:
		f.ConferenceDataVersion, _ = parseVersion(value)
	case eventLabelVersion:
		f.EventLabelVersion, _ = parseVersion(value)
	case maxAttendees:
		f.MaxAttendees, _ = parseMaxAttendees(value)
	case sendNotifications:
		f.SendNotifications = value == "true"
	case sendUpdates:
		if limits.SendUpdates.Has(value) {
			f.SendUpdates = value
		}
	case supportsAttachments:
		f.SupportsAttachments = value == "true"
	case syncToken:
		f.SyncToken = value
	case updatedMin:
		f.UpdatedMin = value
	case showDeleted:
		f.ShowDeleted = value == "true"
	case iCalUID:
		f.ICalUID = value
	case destination:
		f.Destination = value
	case text:
		f.Text = value
	}
}

// parseVersion reads the value of conferenceDataVersion or eventLabelVersion.
func parseVersion(s string) (int, bool) {
	n, ok := parseDecimal(s)
	if !ok || n < limits.FeatureVersionMin || n > limits.FeatureVersionMax {
		return 0, false
	}
	return n, true
}

// parseMaxAttendees reads the value of maxAttendees.
func parseMaxAttendees(s string) (int, bool) {
	n, ok := parseDecimal(s)
	if !ok || n < limits.MaxAttendeesMin {
		return 0, false
	}
	return n, true
}

// parseDecimal reads an integer from 0 to the greatest int64, written in decimal digits
// without sign, leading zeros or blanks: each integer in one spelling. One that an int
// cannot hold becomes the greatest int.
func parseDecimal(s string) (int, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' || (s[0] == '0' && len(s) > 1) {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, false
	}
	return int(min(n, math.MaxInt)), true
}

// isBoolean reports whether s is a boolean as the service writes them.
func isBoolean(s string) bool { return s == "true" || s == "false" }
