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

var oneCredentialRule = &diag.Rule{
	ID: "rtdb.one-credential", Kind: diag.Reject, When: diag.HTTP, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "A request sends its token in only one way, and only once.",
	Section: "RFC 6750 2",
	Why: "An attacker could exploit a guess about which of two credentials counts. A query that readers understand " +
		"differently could hide a second credential.",
	Good: ask("", sampleAuth, sampleKnownID),
	Bad:  ask("", `"method":"GET","url":"/users/jack.json?auth=id-1&auth=id-1"`, sampleKnownID),
}

func (r *reader) query(query string) {
	for raw := range strings.SplitSeq(query, "&") {
		p := readPair(raw)
		near := p.nearPlace()
		in := near
		if p.name != near.String() {
			in = 0
		}
		switch {
		case !p.readable:
			r.reject(oneCredentialRule, in.pointer(), p.unreadable())
		case in != 0 && !utf8.ValidString(p.value):
			r.reject(oneCredentialRule, in.pointer(), "The decoded token is not valid UTF-8, and readers may decode it differently. Send it as it was issued.")
		case in != 0:
			r.param(in, p)
		case near != 0:
			// The service would not use it, so it is not a credential.
			r.find(paramRules[near], diag.Advise, near.pointer(),
				"A parameter with this name in another case has no effect. Names are case-sensitive: write it in lower case.")
		}
	}
}

func (r *reader) param(in Place, p pair) {
	switch {
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
	name, value string // decoded once; + is a space
	readable    bool   // raw can be decoded, and in only one way
}

// readPair reads a pair. Unlike [url.ParseQuery], it also returns a pair that cannot be decoded or
// that contains a semicolon, at which some readers end a pair. Such a pair is not readable.
func readPair(raw string) pair {
	name, value, _ := strings.Cut(raw, "=")
	p := pair{raw: raw}
	var nameErr, valueErr error
	p.name, nameErr = url.QueryUnescape(name)
	p.value, valueErr = url.QueryUnescape(value)
	p.readable = nameErr == nil && valueErr == nil && !strings.Contains(raw, ";")
	return p
}

func (p pair) unreadable() string {
	if strings.Contains(p.raw, ";") {
		return "The query contains a semicolon, at which some readers end a pair, so it could hide a credential. Write %3B."
	}
	return "The query contains a % without two hexadecimal digits after it, and some readers drop such a pair, so it could hide a credential. Write %25."
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
