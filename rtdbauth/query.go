package rtdbauth

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
)

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
			r.find(paramRule(near), diag.Advise, near.pointer(),
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
		r.find(paramRule(in), diag.Advise, in.pointer(), "The value contains a +, which means a space in a query. Write %2B if the token contains a +.")
	}
}

// paramRule returns the rule that the parameter serves.
func paramRule(in Place) *diag.Rule {
	if in == InAuth {
		return idTokenRule
	}
	return serviceAccountRule
}

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
	switch {
	case strings.EqualFold(p.name, accessTokenName):
		return InAccessToken
	case strings.EqualFold(p.name, authName):
		return InAuth
	default:
		return 0
	}
}
