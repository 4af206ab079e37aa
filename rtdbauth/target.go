package rtdbauth

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/rtdbauth/internal/redact"
)

var pathRule = &diag.Rule{
	ID: "rtdb.path", Kind: diag.Reject, When: diag.DatabaseRequest, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The path to a location ends with .json.",
	Section: "rtdb.md, Endpoints",
	Why: "The rule is about the path after decoding it once. A path that servers and proxies read differently (dot segments, " +
		"empty segments, encoded slashes, backslashes, double encoding) names no location that the request could access, and " +
		"the policy can reject it.",
	Good: ask("", `"method":"GET","url":"/users/jack%2Ejson"`),
	Bad:  ask("", `"method":"GET","url":"/users/jack"`),
	Says: diag.Sentences{
		{Key: "characters", Text: "The URL contains a space, a control character or a #. Percent-encode it."},
		{Key: "escape", Text: "The path contains a % without two hexadecimal digits after it. Write %25."},
		{Key: "utf8", Text: "The decoded path is not valid UTF-8. Percent-encode its UTF-8 bytes."},
		{Key: "slash", Text: "The path does not begin with a slash. Write it relative to the database, with a slash before it."},
		{Key: "suffix", Text: "The path does not end with .json in lower case. Add it to the path of the location."},
		{Key: "encoded-slash", Text: "The path contains an encoded slash, " + ambiguous},
		{Key: "encoded-slash-rejected", Text: "The path contains an encoded slash, " + ambiguousRejected},
		{Key: "encoded-twice", Text: "The path is percent-encoded twice, " + ambiguous},
		{Key: "encoded-twice-rejected", Text: "The path is percent-encoded twice, " + ambiguousRejected},
		{Key: "empty-segment", Text: "The path contains an empty segment, " + ambiguous},
		{Key: "empty-segment-rejected", Text: "The path contains an empty segment, " + ambiguousRejected},
		{Key: "dot-segment", Text: "The path contains a dot segment, " + ambiguous},
		{Key: "dot-segment-rejected", Text: "The path contains a dot segment, " + ambiguousRejected},
		{Key: "backslash", Text: "The path contains a backslash, which some readers take for a slash, " + ambiguous},
		{Key: "backslash-rejected", Text: "The path contains a backslash, which some readers take for a slash, " + ambiguousRejected},
	},
	Check: check(checkPath),
}

// How the sentences about paths that readers read differently end.
const (
	ambiguous = "and the document does not say which location that is, so the request has no access. " +
		"Write a path that every reader reads alike."
	ambiguousRejected = "which the policy rejects. Write a path that every reader reads alike."
)

const suffix = ".json"

// path is the path of a request, decoded once.
type path struct {
	fault     string // the key of the sentence that says why it names no location, or ""
	location  string // without the suffix; empty if there is a fault
	ambiguity string // the key of the sentence that says why readers may disagree about it, or ""
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

func checkPath(in *reading, r engine.Reporter) {
	if strings.ContainsFunc(in.target, notInTarget) {
		r.Report(wholeRequest, "characters")
	}
	switch p := in.path; {
	case p.fault != "":
		r.Report(wholeRequest, p.fault)
	case p.ambiguity != "" && in.policy.RejectAmbiguousPath:
		r.Report(wholeRequest, p.ambiguity+"-rejected")
	case p.ambiguity != "":
		r.WithKind(diag.Unspecified).Report(wholeRequest, p.ambiguity)
	}
}

// location removes the suffix from a decoded path. The root is "/".
func location(path string) string {
	if path = strings.TrimSuffix(path, suffix); path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// ambiguity returns the key of the sentence that says why readers may disagree about the location of a path, as sent
// and decoded once. It returns "" if they cannot.
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

// isDots reports whether a segment, without the parameters that some servers cut off, is a dot
// segment (RFC 3986 section 5.2.4).
func isDots(segment string) bool {
	name, _, _ := strings.Cut(segment, ";")
	return name == "." || name == ".."
}

var oneCredentialRule = &diag.Rule{
	ID: "rtdb.one-credential", Kind: diag.Reject, When: diag.DatabaseRequest, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "A request sends its token in only one way, and only once.",
	Section: "RFC 6750 2",
	Why: "An attacker could exploit a guess about which of two credentials counts. A credential that only some readers " +
		"find, because of a semicolon or an invalid escape, could be a second one.",
	Good: ask("", sampleAuth, sampleKnownID),
	Bad:  ask("", `"method":"GET","url":"/users/jack.json?auth=id-1&auth=id-1"`, sampleKnownID),
	Says: diag.Sentences{
		{Key: "hidden", Text: "A parameter contains a semicolon, at which some readers end it, so it hides a credential. Write %3B, or & before the credential."},
		{Key: "semicolon", Text: "The token contains a semicolon, at which some readers end it. Write %3B."},
		{Key: "escape", Text: "The token contains a % without two hexadecimal digits after it, and some readers drop such a parameter. Write %25."},
		{Key: "utf8", Text: "The decoded token is not valid UTF-8, and readers may decode it differently. Send it as it was issued."},
		{Key: "too-many", Text: "The request has more than {limit} credentials, the limit under any policy. Send one."},
		{Key: "send-one", Text: "A request sends its token in only one way. Send one credential, once."},
		{Key: "several", Text: "The request has {n} credentials (in {places})."},
		{Key: "several-equal", Text: "The request has {n} credentials (in {places}), and none grants less than all others."},
		{Key: "least", Text: "The request has several credentials, and the policy uses the least of them. Send one."},
	},
	Check: check(checkOneCredential),
}

func checkOneCredential(in *reading, r engine.Reporter) {
	for _, at := range paramPlaces {
		for _, form := range []struct {
			paramForm
			key string
		}{{hiddenCredential, "hidden"}, {semicolon, "semicolon"}, {badEscape, "escape"}, {notUTF8, "utf8"}} {
			if in.params.has(at, form.paramForm) {
				r.Report(at.pointer(), form.key)
			}
		}
	}
	if len(in.credentials) > maxCredentials {
		r.Report(wholeRequest, "too-many", diag.Number("limit", maxCredentials))
	}
}

// paramPlaces are the places of credentials in a query.
var paramPlaces = []Place{InAccessToken, InAuth}

// paramForm says that a parameter is a token, or why it is not.
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
		at, form := p.form()
		if form == tokenParam {
			in.present(at, p.value)
		}
		in.params[at] |= 1 << form
		if at != 0 && p.name == at.String() && strings.Contains(p.rawValue, "+") {
			in.params[at] |= 1 << plus
		}
	}
}

// form returns the form of a pair, and its place. A fault in its text is a fault in a token of any kind, so no verifier
// is asked.
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
	case !utf8.ValidString(p.value):
		return near, notUTF8
	case strings.ContainsFunc(p.value, unicode.IsControl):
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

// checkParam checks the text of a token in a parameter, for the rule about that parameter.
func checkParam(in *reading, r engine.Reporter, at Place) {
	if in.params.has(at, otherCase) {
		r.WithKind(diag.Advise).Report(at.pointer(), "other-case")
	}
	if in.params.has(at, control) {
		r.WithKind(diag.Reject).Report(at.pointer(), "control")
	}
	if in.params.has(at, plus) {
		r.WithKind(diag.Advise).Report(at.pointer(), "plus")
	}
}

// pair is one name and value of a query.
type pair struct {
	raw, rawValue string // as sent
	name, value   string // decoded once, as far as possible; + is a space
	decodes       bool   // every % of the value begins an escape
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

// hidden returns the place of the credential that a reader who ends pairs at semicolons finds, or 0.
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
