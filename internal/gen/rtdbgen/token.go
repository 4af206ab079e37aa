package rtdbgen

import (
	"slices"

	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/rtdbauth"
)

// credentialPlace draws one of the places in which a credential may be sent.
var credentialPlace = draw.Sampled(rtdbauth.InAuth, rtdbauth.InAccessToken, rtdbauth.InHeader)

// inParameter draws one of the query parameters for credentials.
var inParameter = draw.Sampled(rtdbauth.InAuth, rtdbauth.InAccessToken)

// facts are the facts that a verifier knows about one token, keyed by their names in the batch form.
type facts map[string]any

// tokenKind is a kind of token, with the places in which such a token is allowed and the facts that make the token good.
type tokenKind struct {
	word   string
	in     []rtdbauth.Place
	needed []string // the facts that must be known and good
	life   bool     // whether it must be known that the token has not expired

	// idle are the facts that have no effect for the kind, whether good or bad. All other facts may be unknown, but must not
	// be bad.
	idle []string
}

var (
	oauthAccess = &tokenKind{
		word: "oauth_access", in: []rtdbauth.Place{rtdbauth.InHeader, rtdbauth.InAccessToken}, life: true,
		needed: []string{"verified", "issued_to", "scopes", "db_permission"}, idle: []string{"uid", "claims"},
	}
	idToken = &tokenKind{
		word: "id_token", in: []rtdbauth.Place{rtdbauth.InAuth}, life: true,
		needed: []string{"verified", "audience", "uid"}, idle: []string{"issued_to", "scopes", "db_permission", "claims"},
	}
	legacySecret = &tokenKind{
		word:   "legacy_secret",
		needed: []string{"verified", "revoked"}, idle: []string{"issued_to", "scopes", "db_permission", "uid", "claims"},
	}
	// A legacy token must be known not to have expired or not to have been revoked, which the facts method of draft ensures.
	legacyToken = &tokenKind{
		word:   "legacy_token",
		needed: []string{"verified"}, idle: []string{"issued_to", "scopes", "db_permission", "uid", "claims"},
	}
)

// GoString returns the word for k, because rapid prints draws in Go syntax.
func (k *tokenKind) GoString() string { return k.word }

func (k *tokenKind) legacy() bool { return k.in == nil }

// places returns the places in which the kind is allowed. Legacy credentials are allowed in any place, because a policy can
// admit them.
func (k *tokenKind) places() []rtdbauth.Place {
	if k.legacy() {
		return []rtdbauth.Place{rtdbauth.InHeader, rtdbauth.InAuth, rtdbauth.InAccessToken}
	}
	return k.in
}

func drawKind(t *draw.T) *tokenKind {
	return draw.One(t, "kind", []*tokenKind{oauthAccess, idToken, legacySecret, legacyToken}...)
}

func drawLegacy(t *draw.T) *tokenKind {
	return draw.One(t, "kind", []*tokenKind{legacySecret, legacyToken}...)
}

// good draws a value for the fact such that the token stays valid.
func (d *draft) good(fact string) any {
	switch fact {
	case "verified", "db_permission":
		return true
	case "expired", "revoked":
		return false
	case "issued_to":
		return "service_account"
	case "audience":
		return "this_project"
	case "db":
		return oneWord(d.T, "this_database", "this_db")
	case "uid":
		return d.user()
	case "scopes":
		return d.scopes()
	case "exp":
		return d.earliest() + oneOf(d.T, "until it expires", 1, 1, 0.5, 60, 3600, 1<<33, 1<<60)
	case "nbf", "iat":
		return d.latest() - oneOf(d.T, "since it is valid", 0, 0, 0.5, 1, 3600, 1<<30)
	default: // claims
		return oneWord[any](d.T, map[string]any{"admin": true}, map[string]any{}, map[string]any{"uid": "root", "exp": 0})
	}
}

// bad draws a value for a fact that invalidates the token. For exp, nbf and iat, the value depends on the clock.
func (d *draft) bad(fact string) any {
	switch fact {
	case "verified", "db_permission":
		return false
	case "expired", "revoked":
		return true
	case "issued_to":
		return oneWord(d.T, "user", "", "Service_Account", "service_account ")
	case "audience":
		return oneWord(d.T, "other_project", "", "this_project2")
	case "db":
		return oneWord(d.T, "other_database", "", "This_database")
	case "uid":
		return ""
	case "scopes": // at least one of the two required scopes is missing
		required := d.requiredScopes()
		return draw.One(d.T, "scopes", [][]string{required[:1], required[1:], {}}...)
	case "exp":
		return d.earliest() - oneOf(d.T, "since it expired", 0, 0, 0.5, 1, 3600, 1<<30)
	case "nbf", "iat":
		return d.latest() + oneOf(d.T, "until it is valid", 1, 1, 0.5, 60, 3600, 1<<33)
	default: // claims
		return map[string]any{}
	}
}

func oneWord[V any](t *draw.T, words ...V) V { return draw.One(t, "word", words...) }

// oneOf draws one of the given time differences from a limit, in seconds.
func oneOf(t *draw.T, label string, seconds ...float64) float64 {
	return draw.One(t, label, seconds...)
}

// optionalFacts are the names of all facts except the times of a token, in a fixed order.
var optionalFacts = []string{"verified", "revoked", "issued_to", "db_permission", "scopes", "audience", "db", "uid", "claims"}

// facts draws facts that make a token of the given kind good.
func (d *draft) facts(k *tokenKind) facts {
	f := facts{"kind": k.word}
	for _, name := range optionalFacts {
		switch {
		case slices.Contains(k.needed, name):
			f[name] = d.good(name)
		case !draw.Maybe(d.T, name):
		case slices.Contains(k.idle, name) && draw.Maybe(d.T, "bad "+name):
			f[name] = d.bad(name)
		default:
			f[name] = d.good(name)
		}
	}
	needed := k.life || k == legacyToken && f["revoked"] == nil
	if draw.Maybe(d.T, "exp") {
		f["exp"] = d.good("exp")
		needed = needed && !d.clocked // without a clock, exp is not sufficient
	}
	if needed || draw.Maybe(d.T, "expired") {
		f["expired"] = false
	}
	for _, name := range []string{"nbf", "iat"} {
		if d.clocked && draw.Maybe(d.T, name) {
			f[name] = d.good(name)
		}
	}
	return f
}

// leeway returns the tolerance for the times of tokens, in seconds.
func (d *draft) leeway() float64 { return float64(d.policy.LeewaySeconds) }

// earliest returns the latest expiry time of a token that has already expired, and latest returns the latest start time of a
// token that is already valid.
func (d *draft) earliest() float64 { return d.now - d.leeway() }
func (d *draft) latest() float64   { return d.now + d.leeway() }

// user draws the id of a user, which is always the same if the request has only one user.
func (d *draft) user() string {
	if d.uid != "" {
		return d.uid
	}
	return userID.Draw(d.T, "uid")
}

var userID = draw.OneOf(letters, draw.Sampled("jack", "Jürgen", "a b", "0", "null", "漢字", " "))

var letters = draw.Matching(`[a-z]{1,6}`)

// requiredScopes returns the required scopes of a good access token, drawing a base for the scopes unless the policy has one.
func (d *draft) requiredScopes() []string {
	if d.policy.ScopeBase == "" {
		d.policy.ScopeBase = scopeBase.Draw(d.T, "scope base")
	}
	policy := rtdbauth.Policy{ScopeBase: d.policy.ScopeBase, Dialect: d.dialect}
	required, _ := policy.RequiredScopes()
	return required[:]
}

// scopes draws the scopes of a good access token: the required scopes, and sometimes other scopes.
func (d *draft) scopes() []string {
	scopes := append(d.requiredScopes(), draw.Optional(d.T, "other scopes", draw.SliceOfN(otherScope, 1, 3))...)
	return draw.Permutation(scopes).Draw(d.T, "order of scopes")
}

var otherScope = draw.Sampled(
	"openid", "https://scope.example/auth/platform", "https://other.example/auth/platform.database", "",
	"https://other.example/auth/userinfo.email",
)

// present presents a good credential of the given kind in an allowed place.
func (d *draft) present(k *tokenKind) { d.presentIn(k, draw.One(d.T, "place", k.places()...)) }

// presentIn presents a good credential in a place, and changes the policy such that it does not refuse, and usually admits, a
// legacy credential.
func (d *draft) presentIn(k *tokenKind, in rtdbauth.Place) {
	token := d.token(in, k)
	d.about, d.in = d.facts(k), in
	d.known[token] = d.about
	d.put(in, token)
	if k.legacy() {
		d.policy.Legacy = drawChoice(d.T, "legacy")
		if !draw.Seldom(d.T, "not admitted") || d.policy.OnConflict == "least_privilege" {
			d.admit(in)
		}
	}
}

// admit makes the policy admit legacy credentials in a place.
func (d *draft) admit(in rtdbauth.Place) {
	if !slices.Contains(d.policy.LegacyIn, in) {
		d.policy.LegacyIn = append(d.policy.LegacyIn, in)
	}
}

// put presents a token in a place, in any spelling that is allowed there.
func (d *draft) put(in rtdbauth.Place, token string) {
	if in != rtdbauth.InHeader {
		d.pairs = append(d.pairs, paramName(d.T, in)+"="+percentEncoded(d.T, token, queryMust))
		return
	}
	value := draw.One(d.T, "scheme", "Bearer ", "bearer ", "BEARER ", "bEaReR ", "Bearer   ") + token
	if draw.Seldom(d.T, "white space") {
		value = " \t" + value + " "
	}
	d.headers = append(d.headers, [2]string{headerName(d.T), value})
}

// queryMust lists characters that must be percent-encoded in the value of a parameter.
const queryMust = "%&+;#\"<>\\^`{|}"

// paramName draws a spelling of a parameter's name, in which characters may be percent-encoded.
func paramName(t *draw.T, in rtdbauth.Place) string { return percentEncoded(t, in.String(), "") }

func headerName(t *draw.T) string {
	return draw.One(t, "name", "Authorization", "authorization", "AUTHORIZATION", "aUTHORIZATION")
}

func (d *draft) putEmpty(in rtdbauth.Place) {
	if in == rtdbauth.InHeader {
		value := draw.One(d.T, "empty header", "", "Bearer", "bearer ", " ", "BEARER  ")
		d.headers = append(d.headers, [2]string{headerName(d.T), value})
		return
	}
	d.pairs = append(d.pairs, paramName(d.T, in)+draw.One(d.T, "empty value", "=", ""))
}

func (d *draft) putOtherScheme() {
	value := draw.One(d.T, "other scheme",
		"Basic YTpi", "Digest username=\"a\", realm=\"b\"", "Bearers abc", "bear abc", "Negotiate  abc==", "x a b",
	)
	d.headers = append(d.headers, [2]string{headerName(d.T), value})
}

// presentPlus presents a good token in a parameter, with a + that means a space.
func (d *draft) presentPlus(in rtdbauth.Place) {
	before, after := plainToken.Draw(d.T, "before"), plainToken.Draw(d.T, "after")
	k := oauthAccess
	if in == rtdbauth.InAuth {
		k = legacySecret // an identity token has no space
		d.policy.Legacy = drawChoice(d.T, "legacy")
	}
	d.known[before+" "+after] = d.facts(k)
	d.pairs = append(d.pairs, paramName(d.T, in)+"="+before+"+"+after)
}

// presentNear presents a parameter whose name is almost the name of a credential parameter.
func (d *draft) presentNear(in rtdbauth.Place) {
	names := map[rtdbauth.Place][]string{
		rtdbauth.InAuth:        {"Auth", "AUTH", "%41uth"},
		rtdbauth.InAccessToken: {"Access_Token", "ACCESS_TOKEN", "access%5FtokeN"},
	}
	d.pairs = append(d.pairs, draw.One(d.T, "name", names[in]...)+"="+plainToken.Draw(d.T, "value"))
}

var plainToken = draw.Matching(`[a-z0-9]{1,8}`)

// bearerToken draws a token that a header can contain (RFC 6750 section 2.1).
var bearerToken = draw.OneOf(
	plainToken,
	draw.Matching(`ey[A-Za-z0-9]{2,8}\.[A-Za-z0-9_-]{2,8}\.[A-Za-z0-9_-]{2,8}`),
	draw.Matching(`[A-Za-z0-9._~+/-]{1,12}={0,2}`),
	func(t *draw.T) string { return draw.Cycled(t, "long", tokenRune, 4096) },
)

var tokenRune = draw.RuneOf("a0-._~+/")

// identityToken draws a token of base64url characters and dots, like a JSON Web Token.
var identityToken = draw.Matching(`[a-z0-9]{1,8}|ey[A-Za-z0-9_-]{2,8}\.ey[A-Za-z0-9_-]{2,8}\.[A-Za-z0-9_-]{2,8}|[A-Za-z0-9._-]{1,12}`)

// accessToken draws a token for a parameter, which can contain any printable ASCII character (RFC 6749 A.12).
var accessToken = draw.OneOf(
	bearerToken,
	draw.Sampled("abc", "a&auth=b", "a=b", "%zz", "%41", "a+b", "a b", "a;b", "a#b", "\"", "null"),
)

// anyToken draws a token for a parameter, which can contain any character except control characters.
var anyToken = draw.OneOf(accessToken, draw.Sampled("é", "漢字", "🎂", "\u00a0", "\ufffd"))

// token draws a token that the verifier does not yet know, of the given kind or, if the kind is nil, of any kind.
func (d *draft) token(in rtdbauth.Place, k *tokenKind) string {
	from := anyToken
	switch {
	case k == idToken:
		from = identityToken
	case in == rtdbauth.InHeader:
		from = bearerToken
	case k == oauthAccess:
		from = accessToken
	}
	token := from.Draw(d.T, "token")
	for d.known[token] != nil || token == "_now" || token == "_request" {
		token = "2" + token
	}
	return token
}
