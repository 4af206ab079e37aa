package rtdbauth

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
)

var pathRule = &diag.Rule{
	ID: "rtdb.path", Kind: diag.Reject, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The path to a location ends with .json.",
	Section: "rtdb.md, Endpoints",
	Why: "The rule is about the path after decoding it once. A path that servers and proxies read differently (dot segments, " +
		"empty segments, encoded slashes, double encoding) does not name a location, and the policy can reject it.",
	Good: ask("", `"method":"GET","url":"/users/jack%2Ejson"`),
	Bad:  ask("", `"method":"GET","url":"/users/jack"`),
}

const suffix = ".json"

func (r *reader) path(raw string) {
	path, err := url.PathUnescape(raw)
	switch {
	case err != nil:
		r.reject(pathRule, wholeRequest, "The path contains a % without two hexadecimal digits after it. Write %25.")
	case !utf8.ValidString(path):
		r.reject(pathRule, wholeRequest, "The decoded path is not valid UTF-8. Percent-encode its UTF-8 bytes.")
	case !strings.HasPrefix(path, "/"):
		r.reject(pathRule, wholeRequest, "The path does not begin with a slash. Write it relative to the database, with a slash before it.")
	case !strings.HasSuffix(path, suffix):
		r.reject(pathRule, wholeRequest, "The path does not end with .json in lower case. Add it to the path of the location.")
	default:
		r.locate(raw, path)
	}
}

// locate sets the location, unless readers may disagree about it.
func (r *reader) locate(raw, path string) {
	switch why := ambiguity(raw, path); {
	case why == "":
		r.out.Location = location(path)
	case r.policy.AmbiguousPath == Reject:
		r.reject(pathRule, wholeRequest, "The path "+why+", which the policy rejects. Write a path that every reader reads alike.")
	default:
		r.find(pathRule, diag.Unspecified, wholeRequest, "The path "+why+", and the document does not say which location "+
			"that is, so the request has no access. Write a path that every reader reads alike.")
	}
}

// location removes the suffix from a decoded path. The root is "/".
func location(path string) string {
	if path = strings.TrimSuffix(path, suffix); path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// ambiguity says why readers may disagree about the location of a path, as sent and decoded once.
// It returns "" if they cannot.
func ambiguity(raw, path string) string {
	segments := strings.Split(path, "/")
	again, _ := decoded{text: path}.decode()
	switch {
	case strings.Count(raw, "/") != len(segments)-1:
		return "contains an encoded slash"
	case again.text != path:
		return "is percent-encoded twice"
	case slices.Contains(segments[1:], ""):
		return "contains an empty segment"
	case slices.Contains(segments, "."), slices.Contains(segments, ".."):
		return "contains a dot segment" // RFC 3986 section 5.2.4
	default:
		return ""
	}
}
