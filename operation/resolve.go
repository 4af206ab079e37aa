package operation

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
)

// primaryCalendar is the keyword that can be used as the calendar id of the logged-in user's primary calendar. Source:
// What the service does.
const primaryCalendar = "primary"

// A Match is the operation identified by a method and a path.
type Match struct {
	Operation *Operation `json:"operation"`

	// Params maps the placeholders in the path ("calendarId", "ruleId", "eventId" or "setting") to their percent-decoded
	// values. Params is nil if there are no placeholders.
	Params map[string]string `json:"params,omitzero"`

	// HasSlash reports whether the path has a trailing slash that is not part of the operation's path.
	HasSlash bool `json:"hasSlash,omitzero"`
}

// IsPrimary reports whether the path addresses the primary calendar with the keyword "primary". IsPrimary does not
// recognize the actual id of the primary calendar.
func (m Match) IsPrimary() bool { return m.Params["calendarId"] == primaryCalendar }

// Resolve returns the operation identified by a method and a path. The path is relative to the base URL of the service and
// begins with a slash. The path must be percent-encoded, as sent, and must not include a query. Resolve splits the path at
// slashes before it decodes each segment once, so an encoded slash remains part of its parameter. The method is case-sensitive.
//
// Resolve ignores one trailing slash in the path of a collection, that is, in the paths of list, insert and instances
// operations, and in the paths of colors and freeBusy, because existing clients send the slash. [CheckPath] advises against the
// slash.
//
// Resolve returns false if no operation has the method and path, the segment for a placeholder is empty, the
// percent-encoding is malformed, or the path contains an unencoded ? or #. Resolve does not treat the segments . and ..
// specially. The value of a placeholder may consist of any bytes, including invalid UTF-8.
func Resolve(method, path string) (Match, bool) {
	var buffer [maxSegments]string
	withoutSlash, hasSlash := strings.CutSuffix(path, "/")
	segments, ok := split(withoutSlash, buffer[:0])
	if !ok {
		return Match{}, false
	}
	for _, op := range operations() {
		if op.Method == method && op.matches(segments) && (!hasSlash || op.onCollection()) {
			return Match{op, op.pathParams(segments), hasSlash}, true
		}
	}
	return Match{}, false
}

// onCollection reports whether the path of the operation identifies a collection, including colors and freeBusy.
func (op *Operation) onCollection() bool {
	return slices.Contains([]string{"list", "insert", "instances"}, op.Name) || op.ID == "colors.get" || op.ID == "freebusy.query"
}

// CheckPath checks the method and the path of a request; see [Resolve] for the form of the path. If no operation has the method
// and path, the finding names the nearest operation. CheckPath accepts HEAD for a GET operation, and does not report methods
// that no operation uses, such as OPTIONS, which browsers send.
func CheckPath(in diag.Dialect, method, path string) diag.Findings {
	if method == "HEAD" {
		method = "GET"
	}
	if !slices.ContainsFunc(operations(), func(op *Operation) bool { return op.Method == method }) {
		return nil
	}
	report := engine.Part(in)
	r := report.For(&operationPath, "")
	switch match, ok := Resolve(method, path); {
	case !ok:
		op := nearest(method, path)
		r.Report("", "none", diag.Name("operation", string(op.ID)), diag.Names("path", []string{op.Method + " " + op.Path}))
	case match.HasSlash:
		r.Report("", "slash", diag.Name("operation", string(match.Operation.ID)), diag.Names("path", []string{match.Operation.Path}))
	}
	return report.Findings
}

// Expand returns the path of the operation with its placeholders replaced with percent-encoded values. Expand is the
// inverse of [Resolve]. Expand returns an error if a placeholder has no value or an empty value, or if a parameter is
// not a placeholder in the path.
func (op *Operation) Expand(params map[string]string) (string, error) {
	op = op.orZero()
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if !op.HasInPath(name) {
			return "", fmt.Errorf("the path of %s, %s, has no placeholder %s", op.ID, op.Path, engine.Quote(name))
		}
	}
	var path strings.Builder
	for _, segment := range op.segments {
		if name, ok := placeholder(segment); ok {
			if segment = params[name]; segment == "" {
				return "", fmt.Errorf("the path of %s, %s, needs a non-empty value for %s", op.ID, op.Path, name)
			}
		}
		path.WriteString("/" + url.PathEscape(segment))
	}
	return path.String(), nil
}

// maxSegments is the maximum number of segments in a path of the endpoint table.
const maxSegments = 5

// split splits a path at slashes and appends the decoded segments to segments, which has capacity maxSegments. The result is
// false if no template can match the path.
func split(path string, segments []string) ([]string, bool) {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok || strings.ContainsAny(rest, "?#") {
		return nil, false
	}
	for more := true; more; {
		var raw string
		raw, rest, more = strings.Cut(rest, "/")
		decoded, err := url.PathUnescape(raw)
		if err != nil || decoded == "" || len(segments) == maxSegments {
			return nil, false
		}
		segments = append(segments, decoded)
	}
	return segments, true
}

// placeholder returns the name of the placeholder in a template segment. The result ok is false if the segment is fixed text.
func placeholder(segment string) (name string, ok bool) {
	return strings.TrimSuffix(strings.TrimPrefix(segment, "{"), "}"), segment[0] == '{'
}

// HasInPath reports whether the path contains a placeholder with the given name, which is case-sensitive.
func (op *Operation) HasInPath(name string) bool {
	return slices.ContainsFunc(op.orZero().segments, func(s string) bool { return s[0] == '{' && s[1:len(s)-1] == name })
}

// matches reports whether the path template matches the segments, which must be decoded and nonempty. No two templates
// with the same method match the same segments, so the first match is the only match.
func (op *Operation) matches(segments []string) bool {
	return slices.EqualFunc(op.segments, segments, func(template, segment string) bool {
		return template[0] == '{' || template == segment
	})
}

// pathParams returns the values of the placeholders in the path template, which must match the segments.
func (op *Operation) pathParams(segments []string) (params map[string]string) {
	for i, segment := range op.segments {
		if name, ok := placeholder(segment); ok {
			if params == nil {
				params = map[string]string{}
			}
			params[name] = segments[i]
		}
	}
	return params
}
