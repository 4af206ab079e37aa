package operation

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/wording"
)

// Params contains the query parameters of a request as strings. The values of a repeated parameter are in the order of
// the query. A parameter without values is absent. The zero value is an empty query.
//
// A [net/url.Values] can be converted to Params. Parse the query with [net/url.ParseQuery] and check the error:
// [net/url.URL.Query] silently drops malformed pairs, so the server might use parameters that were not checked.
type Params map[string][]string

// Value returns the first value of a parameter, which may be empty, or false if the parameter is absent.
func (p Params) Value(name string) (string, bool) {
	values := p[name]
	if len(values) == 0 {
		return "", false
	}
	return values[0], true
}

// MarshalJSON encodes the parameters, sorted by name, in the form that [Params.UnmarshalJSON] decodes.
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

// UnmarshalJSON decodes an object whose members are strings or, for repeated parameters, arrays of strings. Null means no
// parameters. UnmarshalJSON may reuse the map of p, even if it returns an error. The error wraps a [*diag.Error] and
// names the first malformed or duplicate parameter.
func (p *Params) UnmarshalJSON(data []byte) error {
	if string(bytes.TrimSpace(data)) == "null" {
		*p = nil
		return nil
	}
	var buffer [8]jsonscan.Member // large enough for most queries
	members, err := ndjson.Members(buffer[:0], data)
	if err != nil {
		return malformedWhole(data, err)
	}
	const usual = 16
	if *p == nil || len(*p) > usual { // clearing or ranging over a map that was once large takes a long time
		*p = make(Params, len(members))
	}
	clear(*p)
	one := make([]string, len(members)) // the backing array for the values of parameters that are not repeated
	for i, m := range members {
		if _, seen := (*p)[string(m.Name)]; seen {
			return malformed(object.Duplicate, string(m.Name), "params")
		}
		values, err := readParam(m, one[i:i:i+1])
		if err != nil {
			return err
		}
		(*p)[string(m.Name)] = values
	}
	return nil
}

// malformedWhole returns the error for data that is not a JSON object.
func malformedWhole(data []byte, err error) error {
	if e, ok := errors.AsType[*ndjson.Error](err); ok && e.Fault == ndjson.NoObject {
		return malformed(object.WrongType, "", "params", jsonType(jsonscan.Of(data).Text))
	}
	return errSyntax()
}

// readParam appends the values of a parameter to values.
func readParam(m jsonscan.Member, values []string) ([]string, error) {
	switch m.Value[0] {
	case '"':
		return append(values, string(jsonscan.Unquote(m.Value))), nil
	case '[':
		values = []string{} // not nil: the parameter is present
	default:
		return nil, malformed(object.WrongType, string(m.Name), "param", jsonType(m.Value))
	}
	for element := range jsonscan.Of(m.Value).Elements() {
		if !element.IsString() {
			return nil, malformed(object.WrongType, string(m.Name), "param-element", jsonType(element.Text))
		}
		values = append(values, string(jsonscan.Unquote(element.Text)))
	}
	return values, nil
}

// A paramsError explains why parameters cannot be decoded. A paramsError wraps a [*diag.Error].
type paramsError struct{ refused diag.Error }

func (e *paramsError) Error() string { return strings.TrimSuffix(e.refused.Findings[0].Message(), ".") }
func (e *paramsError) Unwrap() error { return &e.refused }

// malformed returns the error for a fault in the parameter with the given name or, if the name is empty, in the
// parameters as a whole.
func malformed(fault object.Fault, name, key string, args ...diag.Arg) error {
	var report engine.Collector
	at := diag.Pointer("")
	if name != "" {
		at = diag.Pointer("?" + name)
	}
	rule := jsonrule.Of(&object.Problem{Fault: fault}, diag.Insert)
	report.For(rule, "").Report(at, key, append(args, diag.Value("parameter", name))...)
	return &paramsError{diag.Error{Findings: report.Findings}}
}

func errSyntax() error { return malformed(object.Syntax, "", "params") }

// jsonType returns an argument that names the type of a JSON value.
func jsonType(value []byte) diag.Arg {
	return wording.Part("seen", object.KindKey(jsonscan.KindOf(value)))
}

// Options contains the decoded parameters of a request about events. An absent, malformed or out-of-range parameter has
// its documented default or, if there is none, the zero value.
type Options struct {
	ConferenceDataVersion int    // 0 or 1; default 0
	EventLabelVersion     int    // 0 or 1; default 0
	MaxAttendees          int    // at least 1; 0 if absent
	SendNotifications     bool   // default false; deprecated
	SendUpdates           string // "all", "externalOnly" or "none"; empty if absent
	SupportsAttachments   bool   // default false

	SyncToken   string // for events.list; empty if absent, like all strings in Options
	UpdatedMin  string // for events.list
	ShowDeleted bool   // for events.list
	ICalUID     string // for events.list
	Destination string // for events.move
	Text        string // for events.quickAdd
}

// Options decodes the parameters. Options ignores malformed values, which [Request.Check] reports, and uses the first
// value of a repeated parameter.
func (p Params) Options() Options {
	c := runs.Get().(*checkRun)
	defer c.release()
	for name, values := range p {
		named(params, name).decodeInto(&c.options, values)
	}
	return c.options
}

// boolean decodes a boolean.
func boolean(value string) (isTrue, ok bool) {
	return value == "true", value == "true" || value == "false"
}

// only returns the value of a parameter, even if the same value is sent repeatedly, or false if the parameter is absent or is
// sent with different values.
func (p Params) only(name string) (string, bool) { return (&argument{values: p[name]}).value() }

// ambiguous reports whether a parameter is sent with different values.
func (p Params) ambiguous(name string) bool { return (&argument{values: p[name]}).ambiguous() }

// isSet reports whether a parameter is sent with a nonempty value.
func (p Params) isSet(name string) bool {
	return slices.ContainsFunc(p[name], func(value string) bool { return value != "" })
}
