package rtdbauth

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth/internal/redact"
)

// The endings of the sentences about paths that readers read differently.
const (
	ambiguous = "and the document does not say which location that is, so the request has no access. " +
		"Write a path that every reader reads alike."
	ambiguousRejected = "which the policy rejects. Write a path that every reader reads alike."
)

const suffix = ".json"

// path is the path of a request, decoded once.
type path struct {
	fault     string // the key of the reason why it names no location, or ""
	location  string // without the suffix; empty in case of a fault
	ambiguity string // the key of the reason why readers may disagree about it, or ""
	database  string // the name of the database; empty if the request does not name one
}

func readPath(raw string) (p path) {
	decoded, err := url.PathUnescape(raw)
	switch {
	case err != nil:
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

// location removes the suffix from a decoded path. The root is "/".
func location(path string) string {
	if path = strings.TrimSuffix(path, suffix); path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// ambiguity returns the key of the reason why readers may disagree about the location of a path, as sent and decoded
// once, or "" if they cannot.
func ambiguity(raw, path string) string {
	segments := strings.Split(path, "/")
	again, _ := redact.Decode(path)
	key := location(path)
	key = key[strings.LastIndexByte(key, '/')+1:]
	switch {
	case strings.Count(raw, "/") != len(segments)-1:
		return "encoded-slash"
	case again != path:
		return "encoded-twice"
	case slices.Contains(segments[1:], ""):
		return "empty-segment"
	case slices.ContainsFunc(segments, isDots), isDots(key):
		return "dot-segment"
	case strings.Contains(path, `\`):
		return "backslash"
	default:
		return ""
	}
}

// isDots reports whether a segment, without the parameters that some servers cut off, is a dot segment (RFC 3986 section
// 5.2.4).
func isDots(segment string) bool {
	name, _, _ := strings.Cut(segment, ";")
	return name == "." || name == ".."
}

// paramPlaces are the places of credentials in a query.
var paramPlaces = []Place{InAccessToken, InAuth}

// paramForm is the form of a parameter: a token, or the reason why it is not a token.
type paramForm uint8

// The forms of parameters.
const (
	notCredential    paramForm = iota
	otherCase                  // the name of a credential in another case: the service would not use it
	hiddenCredential           // readers who end pairs at semicolons find a credential
	semicolon
	badEscape
	notUTF8
	control // a control character, which no token has
	emptyParam
	tokenParam
	plus // a +, which means a space in a query; beside another form
)

// paramForms are the forms of all parameters, by place.
type paramForms [InAuth + 1]uint16

func (f *paramForms) has(at Place, form paramForm) bool { return f[at]&(1<<form) != 0 }

func (in *reading) readQuery(query string) {
	for raw := range strings.SplitSeq(query, "&") {
		p := readPair(raw)
		p.isVisible = in.isVisible && p.value == p.rawValue
		at, form := p.form()
		if form == tokenParam {
			in.present(at, p.value, p.isVisible)
		}
		if in.policy.Dialect == diag.Google {
			in.readGoogle(p)
		}
		in.params[at] |= 1 << form
		if at != 0 && p.name == at.String() && strings.Contains(p.rawValue, "+") {
			in.params[at] |= 1 << plus
		}
	}
}

// form returns the form of a pair, and its place. A fault in its text is a fault in a token of any kind, so no verifier is
// asked.
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
	case strings.Contains(p.raw, ";"):
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

// saysParam are the sentences about the parameter of a credential.
var saysParam = diag.Sentences{
	{Key: "other-case", Text: "A parameter with this name in another case has no effect. Names are case-sensitive: write it in lower case."},
	{Key: "control", Text: "The decoded token contains a control character, which no token has. Send it as it was issued."},
	{Key: "plus", Text: "The value contains a +, which means a space in a query. Write %2B if the token contains a +."},
}

// pair is one name and value of a query.
type pair struct {
	raw, rawValue string // as sent
	name, value   string // decoded once, as far as possible; + is a space
	decodes       bool   // every % of the value begins an escape
	isVisible     bool   // the value was sent as is, and is known to consist of visible ASCII
}

// readPair reads a pair. Unlike [url.ParseQuery], it also returns a pair that cannot be decoded or
// that contains a semicolon, at which some readers end a pair.
func readPair(raw string) pair {
	name, value, _ := strings.Cut(raw, "=")
	p := pair{raw: raw, rawValue: value}
	p.name, _ = unescaped(name)
	p.value, p.decodes = unescaped(value)
	return p
}

// unescaped decodes a part of a query once, and reports whether every % began an escape.
func unescaped(s string) (text string, ok bool) {
	return redact.Decode(strings.ReplaceAll(s, "+", " "))
}

// hidden returns the place of the credential for a reader who ends pairs at semicolons, or 0.
func (p pair) hidden() Place {
	if !strings.Contains(p.raw, ";") {
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

// nearPlace returns the place of the parameter with the pair's name in any case, or 0.
func (p pair) nearPlace() Place {
	for _, in := range paramPlaces {
		if strings.EqualFold(p.name, in.String()) {
			return in
		}
	}
	return 0
}
