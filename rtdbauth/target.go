package rtdbauth

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth/internal/redact"
)

// Endings of the sentences about paths that servers interpret differently.
const (
	ambiguous = "and the document does not define the location of such a path, so the request has no access. Write a path that all " +
		"servers interpret in the same way."
	ambiguousRejected = "which the policy rejects. Write a path that all servers interpret in the same way."
)

const suffix = ".json"

// A path is the path of a request, decoded once.
type path struct {
	fault     string // the key of the message that explains why the path identifies no location, or ""
	location  string // without the suffix; empty if there is a fault
	ambiguity string // the key of the message that explains why servers may disagree about the location, or ""
	database  string // the name of the database; empty if the request does not specify one
}

func readPath(raw string) (p path) {
	decoded, ok := redact.Decode(raw)
	switch {
	case !ok:
		p.fault = "escape"
	case !utf8.ValidString(decoded):
		p.fault = "utf8"
	case !strings.HasPrefix(decoded, "/"):
		p.fault = "slash"
	case !strings.HasSuffix(decoded, suffix):
		p.fault = "suffix"
	default:
		p.location, p.ambiguity = location(decoded), ambiguity(raw, decoded)
	}
	return p
}

// location returns a decoded path without the suffix. The root is "/".
func location(path string) string {
	if path = strings.TrimSuffix(path, suffix); path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// ambiguity returns the key of the message that explains why servers may disagree about the location of a path, or "" for an
// unambiguous path. The argument raw is the path as sent, and path is the same path, decoded once.
func ambiguity(raw, path string) string {
	again, _ := redact.Decode(path)
	switch {
	case strings.Count(raw, "/") != strings.Count(path, "/"):
		return "encoded-slash"
	case again != path:
		return "encoded-twice"
	case strings.Contains(path, "//"):
		return "empty-segment"
	case hasDots(strings.TrimSuffix(path, suffix)):
		return "dot-segment"
	case strings.Contains(path, `\`):
		return "backslash"
	default:
		return ""
	}
}

// hasDots reports whether a path contains a dot segment (RFC 3986 section 5.2.4), ignoring parameters, which some servers
// remove.
func hasDots(path string) bool {
	if !strings.Contains(path, "/.") {
		return false // the usual case
	}
	for segment := range strings.SplitSeq(path, "/") {
		if name, _, _ := strings.Cut(segment, ";"); name == "." || name == ".." {
			return true
		}
	}
	return false
}

// paramPlaces lists the places in a query that can contain credentials.
var paramPlaces = []Place{InAccessToken, InAuth}

// A paramForm classifies a parameter as a token, or as a parameter that is not a token for a certain reason.
type paramForm uint8

// The forms of parameters in a query.
const (
	notCredential    paramForm = iota
	otherCase                  // the name of a credential in a different case, which the service would ignore
	hiddenCredential           // contains a credential for servers that end pairs at semicolons
	semicolon
	badEscape
	notUTF8
	control // contains a control character, which no token does
	emptyParam
	tokenParam
	plus // contains a +, which means a space in a query; set in addition to another form
)

// paramForms contains the set of forms of all parameters, indexed by place.
type paramForms [InAuth + 1]uint16

func (f *paramForms) has(at Place, form paramForm) bool { return f[at]&(1<<form) != 0 }

func (in *reading) readQuery(query string) {
	for raw := range strings.SplitSeq(query, "&") {
		if raw == "" {
			continue
		}
		p := readPair(raw)
		p.isVisible = in.isVisible && p.isPlain
		at, form := p.form()
		if form == tokenParam {
			in.present(at, p.value, p.isVisible)
		}
		if in.policy.Dialect == diag.Google {
			in.readGoogle(p)
		}
		in.params[at] |= 1 << form
		if at != 0 && p.name == at.String() && !p.isPlain && strings.Contains(p.rawValue, "+") {
			in.params[at] |= 1 << plus
		}
	}
}

// form returns the place and the form of a pair. The verifier is not called for a malformed value, because a malformed value
// cannot be a token of any kind.
func (p *pair) form() (Place, paramForm) {
	near := p.nearPlace()
	if near == 0 || p.name != near.String() {
		switch hidden := p.hidden(); {
		case hidden != 0:
			return hidden, hiddenCredential
		case near != 0:
			return near, otherCase
		default:
			return 0, notCredential
		}
	}
	switch {
	case p.hasSemicolon:
		return near, semicolon
	case !p.decodes:
		return near, badEscape
	case !p.isVisible && !utf8.ValidString(p.value):
		return near, notUTF8
	case !p.isVisible && strings.ContainsFunc(p.value, unicode.IsControl):
		return near, control
	case p.value == "":
		return near, emptyParam
	default:
		return near, tokenParam
	}
}

// saysParam contains the sentences about a parameter that contains a credential.
var saysParam = diag.Sentences{
	{Key: "other-case", Text: "A parameter with this name in a different case has no effect. Names are case-sensitive: write the name in lower case."},
	{Key: "control", Text: "The decoded token contains a control character, which no token has. Send the token as it was issued."},
	{Key: "plus", Text: "The value contains a +, which means a space in a query. Write %2B if the token contains a +."},
}

// A pair is a name-value pair in a query.
type pair struct {
	raw, rawValue string // as sent
	name, value   string // decoded once, as far as possible; + becomes a space
	decodes       bool   // every % in the value begins a valid escape
	isPlain       bool   // the value was sent as is
	isVisible     bool   // the value was sent as is, and is known to consist of visible ASCII
	hasSemicolon  bool
}

// readPair parses a pair. Unlike [url.ParseQuery], readPair also returns a pair that cannot be decoded or that contains a
// semicolon, at which some servers end a pair.
func readPair(raw string) pair {
	name, value, _ := strings.Cut(raw, "=")
	p := pair{raw: raw, rawValue: value, hasSemicolon: strings.Contains(raw, ";")}
	p.name, _ = unescaped(name)
	p.value, p.decodes = unescaped(value)
	p.isPlain = p.value == value
	return p
}

// unescaped decodes part of a query once, and reports whether every % began a valid escape.
func unescaped(s string) (text string, ok bool) {
	return redact.Decode(strings.ReplaceAll(s, "+", " "))
}

// hidden returns the place of a credential that only a reader that ends pairs at semicolons would find, or 0 if there is none.
func (p pair) hidden() Place {
	if !p.hasSemicolon {
		return 0
	}
	for part := range strings.SplitSeq(p.raw, ";") {
		q := readPair(part)
		if in := q.nearPlace(); in != 0 && q.name == in.String() {
			return in
		}
	}
	return 0
}

// nearPlace returns the place whose parameter name equals the pair's name, ignoring case, or 0 if there is none.
func (p pair) nearPlace() Place {
	for _, in := range paramPlaces {
		if strings.EqualFold(p.name, in.String()) {
			return in
		}
	}
	return 0
}
