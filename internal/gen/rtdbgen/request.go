package rtdbgen

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/rtdbauth"
)

// Request draws valid requests, as lines of the batch form.
var Request = draw.Custom(func(t *draw.T) json.RawMessage {
	d := newDraft(t)
	draw.One(t, "credentials", presentations...).draw(d)
	if draw.Seldom(t, "left open") {
		leaveOpen(d)
	}
	return d.line()
})

// presentation is a generator of the credentials in a request.
type presentation struct {
	name string
	draw func(*draft)
}

// GoString returns the name of p, because rapid prints draws in Go syntax.
func (p presentation) GoString() string { return p.name }

// presentations are the ways to present credentials. Rapid shrinks to earlier elements of the list.
var presentations = []presentation{
	{"nothing", func(*draft) {}},
	{"access token", func(d *draft) { d.present(oauthAccess) }},
	{"identity token", func(d *draft) { d.present(idToken) }},
	{"legacy credential", func(d *draft) { d.present(drawLegacy(d.T)) }},
	{"unknown token", presentUnknown},
	{"doubtful credential", presentDoubtful},
	{"empty credential", presentEmpty},
	{"other scheme", presentOtherScheme},
	{"several credentials", presentSeveral},
	{"look-alike", presentLookAlike},
	{"public service", presentPublic},
}

// presentUnknown presents a token about which the verifier knows nothing useful.
func presentUnknown(d *draft) {
	in := credentialPlace.Draw(d.T, "place")
	token := d.token(in, nil)
	d.put(in, token)
	if draw.Maybe(d.T, "listed") {
		d.known[token] = drawUseless(d.T, "what is known")
	}
}

// drawUseless draws an entry without useful facts about a token. The entry is not of type [facts], so no fault changes it.
func drawUseless(t *draw.T, label string) any { return useless.Draw(t, label) }

var useless = draw.Sampled[any](
	map[string]any{},
	map[string]any{"verified": true, "expired": false}, // no kind
	map[string]any{"kind": nil},
	map[string]any{"kind": "id_token", "verified": true, "verifier_error": "timeout"},
	map[string]any{"verifier_error": ""},
	nil,
)

// presentDoubtful presents a credential about which one necessary fact is unknown.
func presentDoubtful(d *draft) {
	kind := drawKind(d.T)
	d.present(kind)
	f := d.about
	if kind.legacy() {
		d.admit(d.in)
	}
	name := draw.One(d.T, "unknown fact", append([]string{"life"}, kind.needed...)...)
	forgotten := []string{name}
	if name == "life" { // all facts about the end of the token's validity
		forgotten = []string{"expired", "exp", "revoked"}
	}
	if draw.Maybe(d.T, "null") {
		for _, name := range forgotten {
			f[name] = nil
		}
		return
	}
	maps.DeleteFunc(f, func(name string, _ any) bool { return slices.Contains(forgotten, name) })
}

// presentEmpty presents an empty credential under a policy that treats empty credentials as absent, and perhaps a credential in
// a different place.
func presentEmpty(d *draft) {
	d.policy.EmptyCredential = "ignore"
	empty := credentialPlace.Draw(d.T, "empty place")
	d.putEmpty(empty)
	if draw.Maybe(d.T, "a credential") {
		kind := drawKind(d.T)
		if in := draw.One(d.T, "place", kind.places()...); in != rtdbauth.InHeader || in != empty {
			d.presentIn(kind, in)
		}
	}
}

// presentOtherScheme presents a header with a scheme other than Bearer, under a policy that ignores or does not mention
// such schemes.
func presentOtherScheme(d *draft) {
	d.putOtherScheme()
	d.policy.UnsupportedScheme = drawChoice(d.T, "unsupported scheme", "ignore")
	if d.policy.UnsupportedScheme != "ignore" {
		return
	}
	if kind := drawKind(d.T); draw.Maybe(d.T, "a credential") {
		in := rtdbauth.InAuth
		if kind == oauthAccess {
			in = rtdbauth.InAccessToken
		}
		d.presentIn(kind, in)
	}
}

// presentSeveral presents several good credentials under a policy that grants the least access. Exactly one credential grants
// the least access.
func presentSeveral(d *draft) {
	d.policy.OnConflict = "least_privilege"
	d.uid = userID.Draw(d.T, "the one user")
	kinds := draw.One(d.T, "kinds", [][]*tokenKind{
		{idToken, oauthAccess}, {idToken}, {oauthAccess}, {legacySecret, legacyToken}, {oauthAccess, legacySecret},
		{idToken, legacyToken},
	}...)
	// The legacy credential and the other credential must grant different access.
	if kinds[0] == oauthAccess && len(kinds) > 1 {
		d.policy.LegacyRules = "apply"
	} else {
		d.policy.LegacyRules = "bypass"
	}
	header := false
	for i := range draw.OneOf(draw.IntRange(2, 4), draw.Just(maxCredentials)).Draw(d.T, "number") {
		kind := kinds[i%len(kinds)]
		in := draw.One(d.T, "place", kind.places()...)
		if in == rtdbauth.InHeader {
			if header {
				in = kind.places()[1]
			}
			header = true
		}
		d.presentIn(kind, in)
	}
}

// presentLookAlike presents a parameter that causes advice: its name differs from a credential parameter only in case,
// or its value contains a + that means a space.
func presentLookAlike(d *draft) {
	in := inParameter.Draw(d.T, "place")
	if draw.Maybe(d.T, "plus") {
		d.presentPlus(in)
	} else {
		d.presentNear(in)
	}
}

// presentPublic adds parts that only the public service reads: a header that overrides POST, the name of the database, and a
// limit on the access token of a service account.
func presentPublic(d *draft) {
	d.dialect = diag.Google
	if draw.Maybe(d.T, "override the method") {
		d.method = "POST"
		d.headers = append(d.headers, [2]string{"X-HTTP-Method-Override", draw.SampledFrom(otherMethods).Draw(d.T, "override")})
	}
	if draw.Maybe(d.T, "name the database") {
		d.pairs = append(d.pairs, "ns="+letters.Draw(d.T, "database"))
	}
	kind := drawKind(d.T)
	if d.present(kind); kind == oauthAccess && draw.Maybe(d.T, "limit the token") {
		d.putOverride(goodOverride.Draw(d.T, "auth"))
	}
}

func (d *draft) putOverride(auth string) {
	d.pairs = append(d.pairs, "auth_variable_override="+percentEncoded(d.T, auth, queryMust))
}

// goodOverride draws the auth variable with which the database rules see a service account. Every uid contains a non-ASCII
// character and therefore cannot equal a token.
var goodOverride = draw.OneOf(
	draw.Sampled("null", `{}`, `{"admin":true}`, ` {"uid": "ä b","token":{"uid":"x"}} `, `{"u\u0069d":"é"}`, `{"UID":7}`),
	draw.Matching(`\{"uid":"é[a-z]{0,5}"\}`),
)

// leaveOpen changes the request such that neither the document nor the policy decides the outcome.
func leaveOpen(d *draft) {
	switch draw.Int(d.T, "open", 0, 2) {
	case 0:
		d.method = noMethod.Draw(d.T, "not a method")
	case 1:
		d.policy.AmbiguousPath = drawChoice(d.T, "ambiguous path")
		d.path = ambiguousPath.Draw(d.T, "ambiguous path")
	case 2:
		d.policy.RequireTLS, d.tls = true, nil
	}
}
