package rtdbauth

import (
	"iter"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
)

// pair is one name and value of a query.
type pair struct {
	raw         string // as sent
	name, value string // decoded once; + is a space
	readable    bool   // whether raw could be decoded, and has no second reading
}

// pairs yields the pairs of a query in their order. Unlike [url.ParseQuery] it drops none:
// one that cannot be decoded, or that holds a semicolon, which some readers take for the
// end of a pair, is yielded as not readable. Empty pairs are harmless and are skipped.
func pairs(query string) iter.Seq[pair] {
	return func(yield func(pair) bool) {
		for raw := range strings.SplitSeq(query, "&") {
			if raw != "" && !yield(readPair(raw)) {
				return
			}
		}
	}
}

func readPair(raw string) pair {
	name, value, _ := strings.Cut(raw, "=")
	p := pair{raw: raw}
	var nameErr, valueErr error
	p.name, nameErr = url.QueryUnescape(name)
	p.value, valueErr = url.QueryUnescape(value)
	p.readable = nameErr == nil && valueErr == nil && !strings.Contains(raw, ";")
	return p
}

// unreadable says why a pair is not readable.
func (p pair) unreadable() string {
	if strings.Contains(p.raw, ";") {
		return "the query holds a semicolon, which some readers take for the end of a pair, so that it could hide a credential; write %3B"
	}
	return "the query holds a % that no two hexadecimal digits follow, at which some readers drop the pair, so that it could hide a credential; write %25"
}

// place returns where the pair puts a credential, or 0 where it is none.
func (p pair) place() Place {
	switch p.name {
	case accessTokenName:
		return InAccessToken
	case authName:
		return InAuth
	default:
		return 0
	}
}

// nearPlace returns the place whose name the pair's name is but for case, or 0.
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

// query reads the credentials of a query.
func (r *reader) query(query string) {
	for p := range pairs(query) {
		switch in := p.place(); {
		case !p.readable:
			r.refuse(docOneCredential, in.pointer(), p.unreadable())
		case in != 0 && !utf8.ValidString(p.value):
			r.refuse(docOneCredential, in.pointer(), "the decoded token is not UTF-8, and readers make different texts of it; send it as it was issued")
		case in != 0:
			r.param(in, p)
		case p.nearPlace() != 0:
			r.nearName(p.nearPlace())
		}
	}
}

// param reads the value of a parameter that holds a credential.
func (r *reader) param(in Place, p pair) {
	switch {
	case p.value != "":
		r.present(in, p.value)
	case in == InAccessToken:
		r.empty(docEmpty, in, emptyAccessToken)
	default:
		r.empty(docIDToken, in, "the identity token is empty; send one or leave the parameter out")
	}
	if _, value, _ := strings.Cut(p.raw, "="); strings.Contains(value, "+") {
		r.find(paramRule(in), diag.Advise, in.pointer(), "a + in a query reads as a space; write %2B where the token has a +")
	}
}

// nearName advises of a parameter that was probably meant as a credential. It is not taken
// for one: names are case-sensitive, and what the service would not see must not be acted on.
func (r *reader) nearName(in Place) {
	r.find(paramRule(in), diag.Advise, in.pointer(),
		"a parameter has this name in another case, and no effect; names are case-sensitive: write it in lower case")
}

// paramRule returns the rule that says what the parameter is for.
func paramRule(in Place) *diag.Rule {
	if in == InAuth {
		return docIDToken
	}
	return docServiceAccount
}
