package rtdbpayload

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/rtdbauth"
)

// Request draws valid requests, as lines of the batch form.
var Request = draw.Custom(func(t *draw.T) json.RawMessage {
	b := drawBuilder(t)
	draw.One(t, "credentials", presentations...).draw(t, b)
	if draw.Seldom(t, "left open") {
		leaveOpen(t, b)
	}
	return b.line(t)
})

// presentation is a way to draw what a request presents.
type presentation struct {
	name string
	draw func(*draw.T, *builder)
}

// GoString returns the name, because rapid prints what it drew in Go syntax.
func (p presentation) GoString() string { return p.name }

// presentations are in the order in which rapid shrinks them.
var presentations = []presentation{
	{"nothing", func(*draw.T, *builder) {}},
	{"access token", func(t *draw.T, b *builder) { b.present(t, oauthAccess) }},
	{"identity token", func(t *draw.T, b *builder) { b.present(t, idToken) }},
	{"legacy credential", func(t *draw.T, b *builder) { b.present(t, drawLegacy(t)) }},
	{"unknown token", presentUnknown},
	{"doubtful credential", presentDoubtful},
	{"empty credential", presentEmpty},
	{"other scheme", presentOtherScheme},
	{"several credentials", presentSeveral},
	{"look-alike", presentLookAlike},
}

// presentUnknown presents a token about which the verifier knows nothing useful.
func presentUnknown(t *draw.T, b *builder) {
	in := credentialPlace.Draw(t, "place")
	token := b.token(t, in, nil)
	b.put(t, in, token)
	if draw.Maybe(t, "listed") {
		b.known[token] = drawUseless(t, "what is known")
	}
}

// drawUseless draws an entry that does not say what a token is. The entries are not of type
// [facts], so that no mutation changes them.
func drawUseless(t *draw.T, label string) any { return useless.Draw(t, label) }

var useless = draw.Sampled[any](
	map[string]any{},
	map[string]any{"verified": true, "expired": false}, // without a kind
	map[string]any{"kind": nil},
	map[string]any{"kind": "id_token", "verified": true, "verifier_error": "timeout"},
	map[string]any{"verifier_error": ""},
	map[string]any{"kind": "oauth_access", "verified": "true"}, // of another type
	map[string]any{"kind": "id_token", "scopes": "all"},
	"id_token", 1, false, nil, []any{},
)

// presentDoubtful presents a credential about which one necessary fact is unknown.
func presentDoubtful(t *draw.T, b *builder) {
	kind := drawKind(t)
	f, in := b.present(t, kind)
	if kind.legacy() {
		b.admit(in)
	}
	name := draw.One(t, "unknown fact", append([]string{"life"}, kind.needed...)...)
	forgotten := []string{name}
	if name == "life" { // everything that says whether the token is still valid
		forgotten = []string{"expired", "exp", "revoked"}
	}
	switch draw.Int(t, "how", 0, 2) {
	case 0:
		maps.DeleteFunc(f, func(name string, _ any) bool { return slices.Contains(forgotten, name) })
	case 1:
		for _, name := range forgotten {
			f[name] = nil
		}
	case 2:
		f[forgotten[0]] = map[string]any{} // not the type of any fact, so all facts are unknown
	}
}

// presentEmpty presents an empty credential under a policy that treats it as absent, and perhaps
// a credential in another place.
func presentEmpty(t *draw.T, b *builder) {
	b.policy.EmptyCredential = "ignore"
	empty := credentialPlace.Draw(t, "empty place")
	b.putEmpty(t, empty)
	if draw.Maybe(t, "a credential") {
		kind := drawKind(t)
		if in := draw.One(t, "place", kind.places()...); in != rtdbauth.InHeader || in != empty {
			b.presentIn(t, kind, in)
		}
	}
}

// presentOtherScheme presents a header with a scheme other than Bearer, under a policy that
// ignores it or does not mention it.
func presentOtherScheme(t *draw.T, b *builder) {
	b.putOtherScheme(t)
	b.policy.UnsupportedScheme = drawChoice(t, "unsupported scheme", "ignore")
	if b.policy.UnsupportedScheme != "ignore" {
		return
	}
	if kind := drawKind(t); draw.Maybe(t, "a credential") {
		in := rtdbauth.InAuth
		if kind == oauthAccess {
			in = rtdbauth.InAccessToken
		}
		b.presentIn(t, kind, in)
	}
}

// presentSeveral presents several good credentials, one of which clearly has the fewest rights,
// under a policy that applies that one.
func presentSeveral(t *draw.T, b *builder) {
	b.policy.OnConflict = "least_privilege"
	b.uid = userID.Draw(t, "the one user")
	kinds := draw.One(t, "kinds", [][]*tokenKind{
		{idToken, oauthAccess}, {idToken}, {oauthAccess}, {legacySecret, legacyToken}, {oauthAccess, legacySecret},
		{idToken, legacyToken},
	}...)
	// Whatever a legacy credential may do, it must not be the same as the other one.
	if kinds[0] == oauthAccess && len(kinds) > 1 {
		b.policy.LegacyRules = "apply"
	} else {
		b.policy.LegacyRules = "bypass"
	}
	header := false
	for i := range draw.OneOf(draw.IntRange(2, 4), draw.Just(maxCredentials)).Draw(t, "number") {
		kind := kinds[i%len(kinds)]
		in := draw.One(t, "place", kind.places()...)
		if in == rtdbauth.InHeader {
			if header {
				in = kind.places()[1]
			}
			header = true
		}
		b.presentIn(t, kind, in)
	}
}

// presentLookAlike presents what causes advice: a parameter whose name differs from a
// credential's only in case, or a + that reads as a space.
func presentLookAlike(t *draw.T, b *builder) {
	in := inParameter.Draw(t, "place")
	if draw.Maybe(t, "plus") {
		b.presentPlus(t, in)
	} else {
		b.presentNear(t, in)
	}
}

// leaveOpen makes a request about which neither the document nor the policy decides.
func leaveOpen(t *draw.T, b *builder) {
	switch draw.Int(t, "open", 0, 2) {
	case 0:
		b.method = noMethod.Draw(t, "not a method")
	case 1:
		b.policy.AmbiguousPath = drawChoice(t, "ambiguous path")
		b.path = ambiguousPath.Draw(t, "ambiguous path")
	case 2:
		b.policy.RequireTLS, b.tls = true, nil
	}
}
