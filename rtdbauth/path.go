package rtdbauth

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
)

// suffix ends the path of every location (Endpoints).
const suffix = ".json"

// path reads the location that a path names. The path is decoded once, and what the rule
// says of its end it says of the decoded path: %2E is a dot.
func (r *reader) path(raw string) {
	path, err := url.PathUnescape(raw)
	switch {
	case err != nil:
		r.refuse(docPath, wholeRequest, "the path holds a % that no two hexadecimal digits follow; write %25")
	case !utf8.ValidString(path):
		r.refuse(docPath, wholeRequest, "the decoded path is not UTF-8, as the keys of JSON data are; percent-encode the bytes of its UTF-8")
	case !strings.HasPrefix(path, "/"):
		r.refuse(docPath, wholeRequest, "the path does not begin with a slash; put one before it, and write it relative to the database")
	case !strings.HasSuffix(path, suffix):
		r.refuse(docPath, wholeRequest, "the path to a location ends with .json, in lower case; add it")
	default:
		r.locate(raw, path)
	}
}

// locate keeps the location, unless the path is one that others may read differently.
func (r *reader) locate(raw, path string) {
	why := ambiguity(raw, path)
	switch {
	case why == "":
		r.out.Location = location(path)
	case r.policy.AmbiguousPath == Reject:
		r.refuse(docPath, wholeRequest, why+", and the policy refuses such a path; write one that has one reading only")
	default:
		r.find(docPath, diag.Unspecified, wholeRequest,
			why+", and the document does not say which location that is; no access is given until the path has one reading only")
	}
}

// location strips the suffix from a decoded path. The root is "/".
func location(path string) string {
	if path = strings.TrimSuffix(path, suffix); path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// ambiguity says why proxies and servers may take the path for different locations, or ""
// where it is one for all. The path is given as sent and decoded once.
func ambiguity(raw, path string) string {
	switch {
	case strings.Count(raw, "/") != strings.Count(path, "/"):
		return "the path holds an encoded slash"
	case strings.Contains(path, "%") && hasEscape(path):
		return "the path is percent-encoded twice"
	case strings.Contains(path, "//"):
		return "the path holds an empty segment"
	case hasDotSegment(path):
		return "the path holds a dot segment"
	default:
		return ""
	}
}

// hasEscape reports whether s holds something that decoding would change.
func hasEscape(s string) bool {
	for i := range len(s) - 2 {
		if s[i] == '%' {
			if _, err := url.PathUnescape(s[i : i+3]); err == nil {
				return true
			}
		}
	}
	return false
}

// hasDotSegment reports whether a segment of the decoded path is one that RFC 3986 section
// 5.2.4 removes.
func hasDotSegment(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}
