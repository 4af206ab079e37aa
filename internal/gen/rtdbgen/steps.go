package rtdbgen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/script"
	"github.com/calrules/calrules/rtdbauth"
)

// step changes a draft.
type step = script.Step[*draft]

// language is what variants.txt may name.
var language func() *script.Language[*draft]

// init sets it. An initial value would form an initialization cycle, because steps contain values.
func init() {
	language = sync.OnceValue(func() *script.Language[*draft] {
		return &script.Language[*draft]{Words: words(), Steps: namedSteps()}
	})
}

func words() map[string]script.Word[*draft] {
	return map[string]script.Word[*draft]{
		"name":         script.Texts[*draft](plainToken),
		"other method": script.Texts[*draft](draw.SampledFrom(otherMethods)),
		"no method":    script.Texts[*draft](noMethod),
		"ambiguous":    script.Texts[*draft](ambiguousPath),

		// A member of the policy that decides nothing or, of the words after it, one.
		"undecided": func(d *draft, words []string) any { return drawChoice(d.T, "choice", words...) },

		"file": func(d *draft, as []string) any { return fileAs(d, strings.Join(as, " ")) },
	}
}

// namedSteps are the steps by their first word. A kind of token is access, identity, secret, token or, for a
// secret or a token, legacy. A place is header, access_token, auth or, for a place of access tokens, access.
func namedSteps() map[string]func(rest string) step {
	return map[string]func(string) step{
		// The parts of the request.
		"target": withText(func(d *draft, target string) {
			path, query, found := strings.Cut(target, "?")
			if d.path = path; found {
				d.pairs = append(d.pairs, query)
			}
		}),
		"method": withText(func(d *draft, method string) { d.method = method }),
		"pair":   withText(func(d *draft, pair string) { d.pairs = append(d.pairs, pair) }),
		"header": withText(func(d *draft, value string) {
			d.Place = pointerTo(rtdbauth.InHeader)
			d.headers = append(d.headers, [2]string{headerName(d.T), value})
		}),
		"field": withText(func(d *draft, name string) { // of that name, with a token
			d.Place = pointerTo(rtdbauth.InHeader)
			d.headers = append(d.headers, [2]string{name, "Bearer " + bearerToken.Draw(d.T, "token")})
		}),
		"policy": policy,
		"tls": func(text string) step {
			return func(d *draft) {
				if d.tls = nil; text != "unknown" {
					d.tls = new(text == "true")
				}
			}
		},
		"user": func(id string) step {
			return func(d *draft) {
				if d.uid = id; id == "" {
					d.uid = userID.Draw(d.T, "the one user")
				}
			}
		},

		// Good credentials, and the faults of the last one.
		"present": func(text string) step { return presenting(strings.Fields(text)) },
		"beside": func(text string) step { // perhaps a credential more; "beside parameters" only in one of those
			return func(d *draft) {
				if k := drawKind(d.T); draw.Maybe(d.T, "a credential") && (text == "" || !slices.Contains(k.places(), rtdbauth.InHeader)) {
					before := d.Place
					d.present(k)
					d.Place = before
				}
			}
		},
		"many": func(string) step { // more than any policy resolves
			return func(d *draft) {
				for range maxCredentials + draw.Int(d.T, "too many", 1, 3) {
					d.presentIn(idToken, rtdbauth.InAuth)
				}
				d.Place = ""
			}
		},
		"admit":   func(string) step { return func(d *draft) { d.admit(d.in) } },
		"unknown": withholding,
		"elsewhere": func(string) step { // admitted in other places than the last credential's
			return func(d *draft) {
				d.policy.LegacyIn = slices.DeleteFunc(legacySecret.places(), func(in rtdbauth.Place) bool { return in == d.in })
			}
		},
		"scopes": func(list string) step { return func(d *draft) { d.about["scopes"] = d.withBase(list) } },

		// Credentials that are not good.
		"misplaced": misplaced,
		"unlike":    unlike,
		"some":      func(places string) step { return func(d *draft) { d.presentSome(strings.Fields(places)) } },
		"twice": func(string) step { // the same token twice
			return func(d *draft) {
				k := draw.One(d.T, "kind", []*tokenKind{idToken, oauthAccess}...)
				in := k.in[len(k.in)-1] // a parameter
				token := d.token(in, k)
				d.putKnown(in, token, d.facts(k))
				d.put(in, token)
			}
		},
		"bearers": func(string) step {
			return func(d *draft) {
				for range draw.Int(d.T, "times", 2, 3) {
					d.put(rtdbauth.InHeader, bearerToken.Draw(d.T, "token"))
				}
				d.Place = pointerTo(rtdbauth.InHeader)
			}
		},
		"scheme": func(string) step { return (*draft).putOtherScheme },
		"empty":  at((*draft).putEmpty),
		"plus":   at((*draft).presentPlus),
		"near":   at((*draft).presentNear),

		// Key files.
		"member": member,
		"text":   withText(func(d *draft, text string) { d.fileText, d.Place = &text, "" }),
	}
}

// withText returns a step for the texts of a pattern.
func withText(do func(d *draft, text string)) func(string) step {
	return func(pattern string) step {
		p := language().Pattern(pattern)
		return func(d *draft) { do(d, p(d)) }
	}
}

// at returns a step for a place.
func at(do func(d *draft, in rtdbauth.Place)) func(string) step {
	return func(text string) step { return func(d *draft) { do(d, placeNamed(d.T, text)) } }
}

// policy is the step for "policy NAME = VALUE".
func policy(text string) step {
	name, value, _ := strings.Cut(text, " = ")
	v := language().Value(value)
	return func(d *draft) {
		if err := json.Unmarshal(draw.EncodeJSON(map[string]any{name: v(d)}), &d.policy); err != nil {
			panic(err)
		}
	}
}

func kindNamed(t *draw.T, name string) *tokenKind {
	if name == "legacy" {
		return drawLegacy(t)
	}
	return script.Find(map[string]*tokenKind{"access": oauthAccess, "identity": idToken, "secret": legacySecret, "token": legacyToken}, name)
}

func placeNamed(t *draw.T, name string) rtdbauth.Place {
	switch name {
	case "any":
		return credentialPlace.Draw(t, "place")
	case "access":
		return draw.One(t, "place", oauthAccess.in...)
	}
	return script.Find(map[string]rtdbauth.Place{"header": rtdbauth.InHeader, "access_token": rtdbauth.InAccessToken, "auth": rtdbauth.InAuth}, name)
}

// presenting is the step for "present KIND" and "present KIND PLACE".
func presenting(words []string) step {
	return func(d *draft) {
		if k := kindNamed(d.T, words[0]); len(words) > 1 {
			d.presentIn(k, placeNamed(d.T, words[1]))
		} else {
			d.present(k)
		}
	}
}

// misplaced is the step for "misplaced PLACE KIND": a token where its kind is not allowed. The kind other is none of
// the service, and the kind useless is unknown.
func misplaced(text string) step {
	place, kind, _ := strings.Cut(text, " ")
	return func(d *draft) {
		in := placeNamed(d.T, place)
		var known any
		switch kind {
		case "other":
			words := []string{"session_cookie", "refresh_token", "ID_TOKEN", "oauth_access ", "other", "unknown kind"}
			known = facts{"kind": draw.One(d.T, "kind", words...)}
		case "useless":
			known = drawUseless(d.T, "what is known")
		default:
			known = d.facts(kindNamed(d.T, kind))
		}
		d.putKnown(in, d.token(in, nil), known)
	}
}

// unlike is the step for "unlike KIND PATTERN": a token without the form of its kind, whatever the verifier says.
func unlike(text string) step {
	kind, pattern, _ := strings.Cut(text, " ")
	p := language().Pattern(pattern)
	return func(d *draft) {
		k := kindNamed(d.T, kind)
		in := k.in[len(k.in)-1] // a parameter
		d.putKnown(in, p(d), d.facts(k))
	}
}

// putKnown presents a token about which something is known.
func (d *draft) putKnown(in rtdbauth.Place, token string, known any) {
	d.known[token] = known
	d.put(in, token)
	d.Place = pointerTo(in)
}

// presentSome presents tokens in the places that are good there, bad or unknown. There is a finding at each
// place; the verdict has the first, in the order header, access_token, auth.
func (d *draft) presentSome(places []string) {
	first := rtdbauth.InAuth
	for _, name := range places {
		in, k := placeNamed(d.T, name), idToken
		if first = min(first, in); in != rtdbauth.InAuth {
			k = oauthAccess
		}
		token := d.token(in, k)
		switch draw.Int(d.T, "known as", 0, 2) {
		case 0:
			d.known[token] = d.facts(k)
		case 1:
			d.known[token] = facts{"kind": "id_token", "verified": false}
		}
		d.put(in, token)
	}
	d.Place = pointerTo(first)
}

// withBase reads scopes, separated by " & ", beside others. One that begins with a slash is under the policy's base.
func (d *draft) withBase(list string) []string {
	scopes := append([]string{}, draw.Optional(d.T, "other scopes", draw.SliceOfN(draw.Sampled("openid", "profile"), 1, 2))...)
	for scope := range strings.SplitSeq(list, " & ") {
		if strings.HasPrefix(scope, "/") {
			scope = strings.TrimSuffix(d.policy.ScopeBase, "/") + scope
		}
		if scope != "" {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

// member is the step for "member NAME = VALUE", "member NAME -" and "member NAME in capitals" of a key file.
func member(text string) step {
	name, rest, _ := strings.Cut(text, " ")
	place := func(d *draft) { d.Place = d.Place[:0].Member(name) }
	value, sets := strings.CutPrefix(rest, "= ")
	if sets {
		v := language().Value(value)
		return func(d *draft) {
			d.file[name] = v(d)
			place(d)
		}
	}
	return func(d *draft) {
		if rest != "-" {
			d.file[strings.ToUpper(name)] = d.file[name]
		}
		delete(d.file, name)
		place(d)
	}
}

// fileAs returns the text of a key file, or a part of it.
func fileAs(d *draft, as string) string {
	text := d.keyFileText()
	switch as {
	case "":
		return text
	case "cut":
		return text[:len(text)-1]
	case "rest":
		return text[1:]
	case "quoted":
		return string(draw.EncodeJSON(text))
	}
	panic(fmt.Sprintf("there is no text of a file as %q", as))
}
