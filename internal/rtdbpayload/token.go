package rtdbpayload

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/rtdbauth"
)

// credentialPlace draws one of the places of credentials.
var credentialPlace = draw.Sampled(rtdbauth.InAuth, rtdbauth.InAccessToken, rtdbauth.InHeader)

// inParameter draws one of those that are query parameters.
var inParameter = draw.Sampled(rtdbauth.InAuth, rtdbauth.InAccessToken)

// facts are what a verifier knows about one token, by their names in the batch form.
type facts map[string]any

// tokenKind is a kind of token: where it is allowed, and which facts make it good.
type tokenKind struct {
	word   string
	in     []rtdbauth.Place
	needed []string // must be known and good
	life   bool     // whether it must be known that the token has not expired

	// idle are the facts that do not matter for the kind, good or bad. Facts in neither list
	// may be unknown, but must not be bad.
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
	// A legacy token must be known not to have expired or not to have been revoked: method facts
	// of builder sees to that.
	legacyToken = &tokenKind{
		word:   "legacy_token",
		needed: []string{"verified"}, idle: []string{"issued_to", "scopes", "db_permission", "uid", "claims"},
	}
)

// GoString returns the kind's word, because rapid prints what it drew in Go syntax.
func (k *tokenKind) GoString() string { return k.word }

// String returns the kind's word with spaces, for the names of variants.
func (k *tokenKind) String() string { return strings.ReplaceAll(k.word, "_", " ") }

func (k *tokenKind) legacy() bool { return k.in == nil }

// places returns where the kind is allowed: a legacy credential wherever the policy admits it.
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

// good draws a value of a fact that does not count against the token.
func (b *builder) good(t *draw.T, fact string) any {
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
		return oneWord(t, "this_database", "this_db")
	case "uid":
		return b.user(t)
	case "scopes":
		return b.scopes(t)
	case "exp":
		return b.earliest() + oneOf(t, "until it expires", 1, 1, 0.5, 60, 3600, 1<<33, 1<<60)
	case "nbf", "iat":
		return b.latest() - oneOf(t, "since it is valid", 0, 0, 0.5, 1, 3600, 1<<30)
	default: // claims
		return oneWord[any](t, map[string]any{"admin": true}, map[string]any{}, map[string]any{"uid": "root", "exp": 0})
	}
}

// bad draws a value of a fact that counts against the token; for exp, nbf and iat that depends on
// the clock.
func (b *builder) bad(t *draw.T, fact string) any {
	switch fact {
	case "verified", "db_permission":
		return false
	case "expired", "revoked":
		return true
	case "issued_to":
		return oneWord(t, "user", "", "Service_Account", "service_account ")
	case "audience":
		return oneWord(t, "other_project", "", "this_project2")
	case "db":
		return oneWord(t, "other_database", "", "This_database")
	case "uid":
		return ""
	case "scopes": // one of the required scopes is missing, or both are
		required := b.requiredScopes(t)
		return draw.One(t, "scopes", [][]string{required[:1], required[1:], {}}...)
	case "exp":
		return b.earliest() - oneOf(t, "since it expired", 0, 0, 0.5, 1, 3600, 1<<30)
	case "nbf", "iat":
		return b.latest() + oneOf(t, "until it is valid", 1, 1, 0.5, 60, 3600, 1<<33)
	default: // claims
		return map[string]any{}
	}
}

func oneWord[V any](t *draw.T, words ...V) V { return draw.One(t, "word", words...) }

// oneOf draws one of the distances from a limit, in seconds.
func oneOf(t *draw.T, label string, seconds ...float64) float64 {
	return draw.One(t, label, seconds...)
}

// optionalFacts are the names of the facts without the token's times, in a fixed order.
var optionalFacts = []string{"verified", "revoked", "issued_to", "db_permission", "scopes", "audience", "db", "uid", "claims"}

// facts draws facts that make a token of the kind good.
func (b *builder) facts(t *draw.T, k *tokenKind) facts {
	f := facts{"kind": k.word}
	for _, name := range optionalFacts {
		switch {
		case slices.Contains(k.needed, name):
			f[name] = b.good(t, name)
		case !draw.Maybe(t, name):
		case slices.Contains(k.idle, name) && draw.Maybe(t, "bad "+name):
			f[name] = b.bad(t, name)
		default:
			f[name] = b.good(t, name)
		}
	}
	needed := k.life || k == legacyToken && f["revoked"] == nil
	if draw.Maybe(t, "exp") {
		f["exp"] = b.good(t, "exp")
		needed = needed && !b.clocked // without a clock, exp settles nothing
	}
	if needed || draw.Maybe(t, "expired") {
		f["expired"] = false
	}
	for _, name := range []string{"nbf", "iat"} {
		if b.clocked && draw.Maybe(t, name) {
			f[name] = b.good(t, name)
		}
	}
	return f
}

// leeway returns how many seconds the times of tokens may be off.
func (b *builder) leeway() float64 { return float64(max(b.policy.LeewaySeconds, 0)) }

// earliest returns the time of expiry at which a token has just expired, and latest the greatest
// start of validity at which it is valid.
func (b *builder) earliest() float64 { return b.now - b.leeway() }
func (b *builder) latest() float64   { return b.now + b.leeway() }

// user draws a user's id, which is the same each time if the request has only one user.
func (b *builder) user(t *draw.T) string {
	if b.uid != "" {
		return b.uid
	}
	return userID.Draw(t, "uid")
}

var userID = draw.OneOf(letters, draw.Sampled("jack", "Jürgen", "a b", "0", "null", "漢字", " "))

var letters = draw.Matching(`[a-z]{1,6}`)

// requiredScopes returns the scopes of a good access token. It draws their base unless the policy
// has one.
func (b *builder) requiredScopes(t *draw.T) []string {
	if b.policy.ScopeBase == "" {
		b.policy.ScopeBase = scopeBase.Draw(t, "scope base")
	}
	policy := b.policy.In(diag.Documents)
	required, _ := policy.RequiredScopes()
	return required[:]
}

// scopes draws the scopes of a good access token, among others.
func (b *builder) scopes(t *draw.T) []string {
	scopes := append(b.requiredScopes(t), draw.Optional(t, "other scopes", draw.SliceOfN(otherScope, 1, 3))...)
	return draw.Permutation(scopes).Draw(t, "order of scopes")
}

var otherScope = draw.Sampled(
	"openid", "https://scope.example/auth/platform", "https://other.example/auth/platform.database", "",
	"https://other.example/auth/userinfo.email",
)

// present presents a good credential of the kind in one of its places.
func (b *builder) present(t *draw.T, k *tokenKind) (facts, rtdbauth.Place) {
	in := draw.One(t, "place", k.places()...)
	return b.presentIn(t, k, in), in
}

// presentIn presents a good credential in a place. The policy does not refuse a legacy
// credential then, and mostly admits it.
func (b *builder) presentIn(t *draw.T, k *tokenKind, in rtdbauth.Place) facts {
	token := b.token(t, in, k)
	f := b.facts(t, k)
	b.known[token] = f
	b.put(t, in, token)
	if k.legacy() {
		b.policy.Legacy = drawChoice(t, "legacy")
		if !draw.Seldom(t, "not admitted") || b.policy.OnConflict == "least_privilege" {
			b.admit(in)
		}
	}
	return f
}

// admit makes the policy admit legacy credentials in a place.
func (b *builder) admit(in rtdbauth.Place) {
	if !slices.Contains(b.policy.LegacyIn, in) {
		b.policy.LegacyIn = append(b.policy.LegacyIn, in)
	}
}

// put presents a token in a place, in any spelling that is allowed there.
func (b *builder) put(t *draw.T, in rtdbauth.Place, token string) {
	if in != rtdbauth.InHeader {
		b.pairs = append(b.pairs, paramName(t, in)+"="+percentEncoded(t, token, queryMust))
		return
	}
	value := draw.One(t, "scheme", "Bearer ", "bearer ", "BEARER ", "bEaReR ", "Bearer   ") + token
	if draw.Seldom(t, "white space") {
		value = " \t" + value + " "
	}
	b.headers = append(b.headers, [2]string{headerName(t), value})
}

// queryMust are the characters that the value of a parameter has only percent-encoded.
const queryMust = "%&+;#\"<>\\^`{|}"

// paramName draws a spelling of a parameter's name: characters may be percent-encoded.
func paramName(t *draw.T, in rtdbauth.Place) string { return percentEncoded(t, in.String(), "") }

// headerName draws a spelling of the header field's name.
func headerName(t *draw.T) string {
	return draw.One(t, "name", "Authorization", "authorization", "AUTHORIZATION", "aUTHORIZATION")
}

// putEmpty presents an empty credential.
func (b *builder) putEmpty(t *draw.T, in rtdbauth.Place) {
	if in == rtdbauth.InHeader {
		value := draw.One(t, "empty header", "", "Bearer", "bearer ", " ", "BEARER  ")
		b.headers = append(b.headers, [2]string{headerName(t), value})
		return
	}
	b.pairs = append(b.pairs, paramName(t, in)+draw.One(t, "empty value", "=", ""))
}

// putOtherScheme presents a header with a scheme other than Bearer.
func (b *builder) putOtherScheme(t *draw.T) {
	value := draw.One(t, "other scheme",
		"Basic YTpi", "Digest username=\"a\", realm=\"b\"", "Bearers abc", "bear abc", "Negotiate  abc==", "x a b",
	)
	b.headers = append(b.headers, [2]string{headerName(t), value})
}

// presentPlus presents a good token in a parameter, with a + that reads as a space.
func (b *builder) presentPlus(t *draw.T, in rtdbauth.Place) diag.Pointer {
	before, after := plainToken.Draw(t, "before"), plainToken.Draw(t, "after")
	k := oauthAccess
	if in == rtdbauth.InAuth {
		k = legacySecret // an identity token has no space
		b.policy.Legacy = drawChoice(t, "legacy")
	}
	b.known[before+" "+after] = b.facts(t, k)
	b.pairs = append(b.pairs, paramName(t, in)+"="+before+"+"+after)
	return pointerTo(in)
}

// presentNear presents a parameter whose name is almost one of a credential.
func (b *builder) presentNear(t *draw.T, in rtdbauth.Place) diag.Pointer {
	names := map[rtdbauth.Place][]string{
		rtdbauth.InAuth:        {"Auth", "AUTH", "%41uth"},
		rtdbauth.InAccessToken: {"Access_Token", "ACCESS_TOKEN", "access%5FtokeN"},
	}
	b.pairs = append(b.pairs, draw.One(t, "name", names[in]...)+"="+plainToken.Draw(t, "value"))
	return pointerTo(in)
}

// plainToken draws a short token.
var plainToken = draw.Matching(`[a-z0-9]{1,8}`)

// bearerToken draws a token that a header can contain (RFC 6750 section 2.1).
var bearerToken = draw.OneOf(
	plainToken,
	draw.Matching(`ey[A-Za-z0-9]{2,8}\.[A-Za-z0-9_-]{2,8}\.[A-Za-z0-9_-]{2,8}`),
	draw.Matching(`[A-Za-z0-9._~+/-]{1,12}={0,2}`),
	func(t *draw.T) string { return draw.Cycled(t, "long", tokenRune, 4096) },
)

var tokenRune = draw.RuneOf("a0-._~+/")

// identityToken draws a token of base64url characters and dots, as JSON Web Tokens are.
var identityToken = draw.Matching(`[a-z0-9]{1,8}|ey[A-Za-z0-9_-]{2,8}\.ey[A-Za-z0-9_-]{2,8}\.[A-Za-z0-9_-]{2,8}|[A-Za-z0-9._-]{1,12}`)

// accessToken draws a token for a parameter, which can contain every printable character of ASCII
// (RFC 6749 A.12).
var accessToken = draw.OneOf(
	bearerToken,
	draw.Sampled("abc", "a&auth=b", "a=b", "%zz", "%41", "a+b", "a b", "a;b", "a#b", "\"", "null"),
)

// anyToken draws a token for a parameter, which can contain everything but control characters.
var anyToken = draw.OneOf(accessToken, draw.Sampled("é", "漢字", "🎂", "\u00a0", "\ufffd"))

// token draws a token of the kind, or of any kind if it is nil, that the verifier does not know yet.
func (b *builder) token(t *draw.T, in rtdbauth.Place, k *tokenKind) string {
	from := anyToken
	switch {
	case k == idToken:
		from = identityToken
	case in == rtdbauth.InHeader:
		from = bearerToken
	case k == oauthAccess:
		from = accessToken
	}
	token := from.Draw(t, "token")
	for b.known[token] != nil || token == "_now" || token == "_request" {
		token = "2" + token
	}
	return token
}
