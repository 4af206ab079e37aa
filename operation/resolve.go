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

// primaryCalendar is the calendar id that addresses the primary calendar of the logged-in user. Source: What the service
// does.
const primaryCalendar = "primary"

// Match is the operation at a method and a path.
type Match struct {
	Operation *Operation `json:"operation"`

	// Params are the percent-decoded values of the placeholders of the path: "calendarId", "ruleId",
	// "eventId" or "setting". It is nil if there are none.
	Params map[string]string `json:"params,omitzero"`

	// HasSlash reports whether the path ends with a slash that the path of the operation lacks.
	HasSlash bool `json:"hasSlash,omitzero"`
}

// IsPrimary reports whether the path addresses the primary calendar by its keyword. The primary
// calendar also has an id, which IsPrimary does not know.
func (m Match) IsPrimary() bool { return m.Params["calendarId"] == primaryCalendar }

// Resolve returns the operation at a method and a path. The path is relative to the base URL of the service and begins
// with a slash. It is percent-encoded, as sent, and has no query. Resolve splits the path at its slashes before it decodes
// each segment once, so an encoded slash stays within its parameter. The case of the method matters.
//
// Resolve ignores one slash at the end of the path of a collection, to which list, insert or instances belong, and of
// colors and freeBusy: public clients send it. [CheckPath] advises against it.
//
// Resolve reports false if no operation has the method and path, the segment of a placeholder is empty, the percent
// encoding is malformed, or the path contains an unencoded ? or #. It does not interpret the segments . and .. in any way.
// A value may be any bytes, including invalid UTF-8.
func Resolve(method, path string) (Match, bool) {
	var buffer [maxSegments]string
	withoutSlash, hasSlash := strings.CutSuffix(path, "/")
	segments, ok := split(withoutSlash, buffer[:0])
	if !ok {
		return Match{}, false
	}
	for _, op := range operations {
		if op.Method == method && op.matches(segments) && (!hasSlash || op.onCollection()) {
			return Match{op, op.pathParams(segments), hasSlash}, true
		}
	}
	return Match{}, false
}

// onCollection reports whether the path of the operation names a collection, as colors and freeBusy do too.
func (op *Operation) onCollection() bool {
	return slices.Contains([]string{"list", "insert", "instances"}, op.Name) || op.ID == "colors.get" || op.ID == "freebusy.query"
}

// CheckPath checks the method and the path of a request, as in [Resolve]. If no operation has them, the finding names the
// nearest one. It reports neither a HEAD for an operation with GET, nor a method that no operation has, such as the OPTIONS
// of browsers.
func CheckPath(in diag.Dialect, method, path string) diag.Findings {
	if method == "HEAD" {
		method = "GET"
	}
	if !slices.ContainsFunc(operations, func(op *Operation) bool { return op.Method == method }) {
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

// Expand returns the path of the operation with percent-encoded values for its placeholders.
// [Resolve] is the inverse. The error names a placeholder without a value or with an empty one,
// or a parameter that is not a placeholder of the path.
func (op *Operation) Expand(params map[string]string) (string, error) {
	op = op.orZero()
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if !op.hasInPath(name) {
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

// maxSegments is the maximum number of segments of a path in the endpoint table.
const maxSegments = 5

// split splits a path at its slashes and appends each decoded segment to segments, which has a
// capacity of maxSegments. It reports false for a path that no template can match.
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

// placeholder returns the name of a placeholder. ok is false for a segment of fixed text.
func placeholder(segment string) (name string, ok bool) {
	return strings.TrimSuffix(strings.TrimPrefix(segment, "{"), "}"), segment[0] == '{'
}

// hasInPath reports whether the path has a placeholder of the given name.
func (op *Operation) hasInPath(name string) bool { return slices.Contains(op.segments, "{"+name+"}") }

// matches reports whether the path template matches the segments, which are decoded and not empty.
// Templates of one method never match the same segments, so the first match is the only one.
func (op *Operation) matches(segments []string) bool {
	return slices.EqualFunc(op.segments, segments, func(template, segment string) bool {
		return template[0] == '{' || template == segment
	})
}

// pathParams returns the values of the placeholders in segments, which the path template must match.
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
