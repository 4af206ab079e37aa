package operation

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/occasion"
)

// Params are the query parameters of a request, as strings. The values of a repeated parameter
// are in the order of the query. A parameter without values is absent. The zero value is an
// empty query.
//
// A parsed query converts to Params: Params(query). Parse it with [net/url.ParseQuery] and check the error:
// [net/url.URL.Query] silently drops malformed pairs, so the server might read something other than what was
// checked.
type Params map[string][]string

// Value returns the first value of a parameter, which may be empty. It reports false if the
// parameter is absent.
func (p Params) Value(name string) (string, bool) {
	values := p[name]
	if len(values) == 0 {
		return "", false
	}
	return values[0], true
}

// MarshalJSON encodes the parameters as [Params.UnmarshalJSON] decodes them, sorted by name.
func (p Params) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, name := range slices.Sorted(maps.Keys(p)) {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(jsonscan.AppendQuote(text, name), ':')
		if values := p[name]; len(values) == 1 {
			text = jsonscan.AppendQuote(text, values[0])
		} else {
			text = jsonscan.AppendStrings(text, values)
		}
	}
	return append(text, '}'), nil
}

// UnmarshalJSON decodes an object whose members are strings or, for repeated parameters, arrays
// of strings. Null means no parameters. It may use the map that p has again, also if it returns an error. The error, in
// which [errors.As] finds a [*diag.Error], names the first parameter that is malformed or that the object contains twice.
func (p *Params) UnmarshalJSON(data []byte) error {
	if p.decodePlain(data) {
		return nil
	}
	return p.decode(data)
}

// decodePlain is UnmarshalJSON for what most requests have: an object of strings of ASCII characters without escapes.
// It returns false for everything else.
func (p *Params) decodePlain(data []byte) bool {
	var buffer [8]jsonscan.Member // usually enough
	members, ok := jsonscan.AppendMembers(buffer[:0], data)
	if !ok {
		return false
	}
	const usual = 16
	if *p == nil || len(*p) > usual { // a map that was large takes long to clear, and to range over
		*p = make(Params, len(members))
	}
	clear(*p)
	values := make([]string, len(members))
	for i, m := range members {
		_, seen := (*p)[string(m.Name)]
		if seen || m.Value[0] != '"' || !isPlain(m.Name) || !isPlain(m.Value) {
			return false
		}
		values[i] = string(m.Value[1 : len(m.Value)-1])
		(*p)[string(m.Name)] = values[i : i+1 : i+1]
	}
	return true
}

// isPlain reports whether a text has only ASCII characters other than the backslash.
func isPlain(text []byte) bool {
	return !slices.ContainsFunc(text, func(c byte) bool { return c == '\\' || c > unicode.MaxASCII })
}

// decode is UnmarshalJSON for any value.
func (p *Params) decode(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	switch token, err := d.Token(); {
	case err != nil:
		return errSyntax()
	case token == nil:
		*p = nil
		return nil
	case token != json.Delim('{'):
		return malformed(object.WrongType, "", "params", jsonType(token))
	}
	params := Params{}
	for d.More() {
		name, values, err := decodeParam(d)
		if err != nil {
			return err
		}
		if _, seen := params[name]; seen {
			return malformed(object.Duplicate, name, "params")
		}
		params[name] = values
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return errSyntax()
	}
	*p = params
	return nil
}

// paramsError says why parameters cannot be read. [errors.As] finds a [*diag.Error] in it.
type paramsError struct{ refused diag.Error }

func (e *paramsError) Error() string { return strings.TrimSuffix(e.refused.Findings[0].Message(), ".") }
func (e *paramsError) Unwrap() error { return &e.refused }

// malformed returns the error for a fault of a parameter or, if it has no name, of all of them.
func malformed(fault object.Fault, name, key string, args ...diag.Arg) error {
	var report diag.Report
	at := diag.Pointer("")
	if name != "" {
		at = diag.Pointer("?" + name)
	}
	rule := jsonrule.Of(object.Problem{Fault: fault}, occasion.Insert)
	report.For(rule, "").Report(at, key, append(args, diag.Value("parameter", name))...)
	return &paramsError{diag.Error{Findings: report.Findings}}
}

func errSyntax() error { return malformed(object.Syntax, "", "params") }

// decodeParam decodes a member of an object.
func decodeParam(d *json.Decoder) (name string, values []string, err error) {
	token, err := d.Token()
	if err != nil {
		return "", nil, errSyntax()
	}
	var value any
	if err := d.Decode(&value); err != nil {
		return "", nil, errSyntax()
	}
	name = token.(string)
	if text, ok := value.(string); ok {
		return name, []string{text}, nil
	}
	list, ok := value.([]any)
	if !ok {
		return "", nil, malformed(object.WrongType, name, "param", jsonType(value))
	}
	values = make([]string, len(list))
	for i, element := range list {
		if values[i], ok = element.(string); !ok {
			return "", nil, malformed(object.WrongType, name, "param-element", jsonType(element))
		}
	}
	return name, values, nil
}

// jsonType returns the argument that names the JSON type of a decoded value or, for a delimiter, of the value that it begins.
func jsonType(value any) diag.Arg {
	key := "a-number"
	switch value.(type) {
	case nil:
		key = "null"
	case bool:
		key = "a-boolean"
	case string:
		key = "a-string"
	case []any, json.Delim: // the only delimiter other than {
		key = "an-array"
	case map[string]any:
		key = "an-object"
	}
	return diag.Part("seen", key)
}

// Flags are the decoded parameters of a request about events. A parameter that is absent,
// malformed or out of range has its documented default or, if there is none, the zero value.
type Flags struct {
	ConferenceDataVersion int    // 0 or 1; default 0
	EventLabelVersion     int    // 0 or 1; default 0
	MaxAttendees          int    // at least 1; 0 if absent
	SendNotifications     bool   // default false; deprecated
	SendUpdates           string // "all", "externalOnly" or "none"; empty if absent
	SupportsAttachments   bool   // default false

	SyncToken   string // of events.list; empty if absent, like the other strings
	UpdatedMin  string // of events.list
	ShowDeleted bool   // of events.list
	ICalUID     string // of events.list
	Destination string // of events.move
	Text        string // of events.quickAdd
}

// Flags decodes the parameters. It ignores malformed values, which [Operation.Check] reports, and uses the
// first value of a repeated parameter.
func (p Params) Flags() Flags {
	var flags Flags
	for i, param := range flagParams {
		if values := p[param.Name]; len(values) > 0 {
			flags.set(i, values[0])
		}
	}
	return flags
}

// flagParams are the parameters that [Flags] has. The usual ones come first: [Operation.Check] stops when it has found as
// many as a request has.
var flagParams = [...]*Param{
	ofSendUpdates:           &sendUpdates,
	ofConferenceDataVersion: &conferenceDataVersion,
	ofSupportsAttachments:   &supportsAttachments,
	ofMaxAttendees:          &maxAttendees,
	ofEventLabelVersion:     &eventLabelVersion,
	ofSendNotifications:     &sendNotifications,
	ofDestination:           &destination,
	ofText:                  &text,
	ofSyncToken:             &syncToken,
	ofUpdatedMin:            &updatedMin,
	ofShowDeleted:           &showDeleted,
	ofICalUID:               &iCalUID,
}

// The indexes of flagParams.
const (
	ofSendUpdates = iota
	ofConferenceDataVersion
	ofSupportsAttachments
	ofMaxAttendees
	ofEventLabelVersion
	ofSendNotifications
	ofDestination
	ofText
	ofSyncToken
	ofUpdatedMin
	ofShowDeleted
	ofICalUID
)

// flagSet is a set of indexes of flagParams.
type flagSet uint16

// ofNoFlag is the set of the parameters that are none of the flags.
const ofNoFlag flagSet = 1 << len(flagParams)

// flagOf returns the set of the parameter with the name.
func flagOf(name string) flagSet {
	for i, p := range flagParams {
		if p.Name == name {
			return 1 << i
		}
	}
	return ofNoFlag
}

// set decodes the value of the parameter with an index, and reports whether the parameter accepts it.
func (f *Flags) set(index int, value string) (ok bool) {
	switch index {
	case ofSendUpdates:
		if ok = sendUpdates.accepts(value); ok {
			f.SendUpdates = value
		}
	case ofConferenceDataVersion:
		f.ConferenceDataVersion, ok = conferenceDataVersion.integer(value) // the default of every integer that has one is 0
	case ofSupportsAttachments:
		f.SupportsAttachments, ok = boolean(value)
	case ofMaxAttendees:
		f.MaxAttendees, ok = maxAttendees.integer(value)
	case ofEventLabelVersion:
		f.EventLabelVersion, ok = eventLabelVersion.integer(value)
	case ofSendNotifications:
		f.SendNotifications, ok = boolean(value)
	case ofDestination:
		f.Destination, ok = value, true
	case ofText:
		f.Text, ok = value, true
	case ofSyncToken:
		f.SyncToken, ok = value, true
	case ofUpdatedMin:
		f.UpdatedMin, ok = value, true
	case ofShowDeleted:
		f.ShowDeleted, ok = boolean(value)
	case ofICalUID:
		f.ICalUID, ok = value, true
	}
	return ok
}

// boolean returns the value of a boolean.
func boolean(value string) (isTrue, ok bool) {
	return value == "true", value == "true" || value == "false"
}
