package rtdbauth

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/rtdbauth/internal/redact"
)

var pathRule = &diag.Rule{
	ID: "rtdb.path", Kind: diag.Reject, When: occasion.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The path to a location ends with .json.",
	Section: "rtdb.md, Endpoints",
	Why: "The rule is about the path after decoding it once. A path that servers and proxies read differently (dot segments, " +
		"empty segments, encoded slashes, backslashes, double encoding) names no location that the request could access, and " +
		"the policy can reject it.",
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
		// A copy: a decision that is kept must not keep the URL and its tokens in memory.
		r.out.Location = strings.Clone(location(path))
	case r.policy.RejectAmbiguousPath:
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
	again, _ := redact.Decode(path)
	key := location(path)
	key = key[strings.LastIndexByte(key, '/')+1:]
	switch {
	case strings.Count(raw, "/") != len(segments)-1:
		return "contains an encoded slash"
	case again != path:
		return "is percent-encoded twice"
	case slices.Contains(segments[1:], ""):
		return "contains an empty segment"
	case slices.ContainsFunc(segments, isDots), isDots(key):
		return "contains a dot segment"
	case strings.Contains(path, `\`):
		return "contains a backslash, which some readers take for a slash"
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
	ID: "rtdb.one-credential", Kind: diag.Reject, When: occasion.HTTP, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "A request sends its token in only one way, and only once.",
	Section: "RFC 6750 2",
	Why: "An attacker could exploit a guess about which of two credentials counts. A credential that only some readers " +
		"find, because of a semicolon or an invalid escape, could be a second one.",
	Good: ask("", sampleAuth, sampleKnownID),
	Bad:  ask("", `"method":"GET","url":"/users/jack.json?auth=id-1&auth=id-1"`, sampleKnownID),
}

func (r *reader) query(query string) {
	for raw := range strings.SplitSeq(query, "&") {
		p := readPair(raw)
		switch near := p.nearPlace(); {
		case near != 0 && p.name == near.String():
			r.param(near, p)
		case p.hidden() != 0:
			r.reject(oneCredentialRule, p.hidden().pointer(), "A parameter contains a semicolon, at which some readers end it, so it hides a credential. Write %3B, or & before the credential.")
		case near != 0:
			// The service would not use it, so it is not a credential.
			r.find(paramRules[near], diag.Advise, near.pointer(),
				"A parameter with this name in another case has no effect. Names are case-sensitive: write it in lower case.")
		}
	}
}

// param reads the parameter of a credential. What is wrong with its text is wrong for a token of any
// kind, so no verifier is asked.
func (r *reader) param(in Place, p pair) {
	switch {
	case p.fault != "":
		r.reject(oneCredentialRule, in.pointer(), p.fault)
	case !utf8.ValidString(p.value):
		r.reject(oneCredentialRule, in.pointer(), "The decoded token is not valid UTF-8, and readers may decode it differently. Send it as it was issued.")
	case strings.ContainsFunc(p.value, unicode.IsControl):
		r.reject(paramRules[in], in.pointer(), "The decoded token contains a control character, which no token has. Send it as it was issued.")
	case p.value != "":
		r.present(in, p.value)
	case in == InAccessToken:
		r.empty(emptyTokenRule, in, emptyAccessToken)
	default:
		r.empty(idTokenRule, in, "The identity token is empty. Send one, or leave the parameter out.")
	}
	if _, value, _ := strings.Cut(p.raw, "="); strings.Contains(value, "+") {
		r.find(paramRules[in], diag.Advise, in.pointer(), "The value contains a +, which means a space in a query. Write %2B if the token contains a +.")
	}
}

// paramRules are the rules that the parameters serve.
var paramRules = map[Place]*diag.Rule{InAccessToken: serviceAccountRule, InAuth: idTokenRule}

// pair is one name and value of a query.
type pair struct {
	raw         string // as sent
	name, value string // decoded once, as far as possible; + is a space
	fault       string // why readers may read the value differently, or ""
}

// readPair reads a pair. Unlike [url.ParseQuery], it also returns a pair that cannot be decoded or
// that contains a semicolon, at which some readers end a pair.
func readPair(raw string) pair {
	name, value, _ := strings.Cut(raw, "=")
	p := pair{raw: raw}
	p.name, _ = unescaped(name)
	var ok bool
	p.value, ok = unescaped(value)
	switch {
	case strings.Contains(raw, ";"):
		p.fault = "The token contains a semicolon, at which some readers end it. Write %3B."
	case !ok:
		p.fault = "The token contains a % without two hexadecimal digits after it, and some readers drop such a parameter. Write %25."
	}
	return p
}

// unescaped decodes a part of a query once, and reports whether every % began an escape.
func unescaped(s string) (text string, ok bool) {
	return redact.Decode(strings.ReplaceAll(s, "+", " "))
}

// hidden returns the place of the credential that a reader finds who ends pairs at semicolons, or 0.
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
	for _, in := range []Place{InAccessToken, InAuth} {
		if strings.EqualFold(p.name, in.String()) {
			return in
		}
	}
	return 0
}
