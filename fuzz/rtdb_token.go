package fuzz

import (
	"slices"
	"sync"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/rtdbauth"
)

// The places of credentials.
var credentialPlace = draw.Lazy(func() *rapid.Generator[rtdbauth.Place] {
	return rapid.SampledFrom([]rtdbauth.Place{rtdbauth.InAuth, rtdbauth.InAccessToken, rtdbauth.InHeader})
})
var inParameter = draw.Lazy(func() *rapid.Generator[rtdbauth.Place] {
	return rapid.SampledFrom([]rtdbauth.Place{rtdbauth.InAuth, rtdbauth.InAccessToken})
})

// facts are what a verifier knows of one token, by their names in the batch form.
type facts map[string]any

// kind is a kind of token: where it stands, and which facts make it good. The facts of its
// life, expired and exp, are apart.
type kind struct {
	word   string
	in     []rtdbauth.Place
	needed []string // must be known and good
	life   bool     // so must be that it has not expired

	// idle are the facts that do not matter for the kind, good or bad. Those that are in no
	// list need not be known, but must not be bad.
	idle []string
}

var oauthAccess = &kind{
	word: "oauth_access", in: []rtdbauth.Place{rtdbauth.InHeader, rtdbauth.InAccessToken}, life: true,
	needed: []string{"verified", "issued_to", "scopes", "db_permission"}, idle: []string{"uid", "claims"},
}
var idToken = &kind{
	word: "id_token", in: []rtdbauth.Place{rtdbauth.InAuth}, life: true,
	needed: []string{"verified", "audience", "uid"}, idle: []string{"issued_to", "scopes", "db_permission", "claims"},
}
var legacySecret = &kind{
	word:   "legacy_secret",
	needed: []string{"verified", "revoked"}, idle: []string{"issued_to", "scopes", "db_permission", "uid", "claims"},
}

// Of a legacy token it is needed that it has not expired or that it has not been revoked;
// that is drawn in facts.
var legacyToken = &kind{
	word:   "legacy_token",
	needed: []string{"verified"}, idle: []string{"issued_to", "scopes", "db_permission", "uid", "claims"},
}

// GoString returns the kind's word, for what rapid prints.
func (k *kind) GoString() string { return k.word }

func (k *kind) legacy() bool { return k.in == nil }

// places returns where the kind may stand: a legacy credential wherever the policy has it.
func (k *kind) places() []rtdbauth.Place {
	if k.legacy() {
		return []rtdbauth.Place{rtdbauth.InHeader, rtdbauth.InAuth, rtdbauth.InAccessToken}
	}
	return k.in
}

func drawKind(t *rapid.T) *kind {
	return rapid.SampledFrom([]*kind{oauthAccess, idToken, legacySecret, legacyToken}).Draw(t, "kind")
}

func drawLegacy(t *rapid.T) *kind {
	return rapid.SampledFrom([]*kind{legacySecret, legacyToken}).Draw(t, "kind")
}

// goodFacts draw what facts are where nothing counts against the token.
var goodFacts = sync.OnceValue(func() map[string]func(*rapid.T, *access) any {
	return map[string]func(*rapid.T, *access) any{
		"verified":      constantly(true),
		"expired":       constantly(false),
		"revoked":       constantly(false),
		"issued_to":     constantly("service_account"),
		"db_permission": constantly(true),
		"audience":      constantly("this_project"),
		"db":            wordOf("this_database", "this_db"),
		"uid":           func(t *rapid.T, s *access) any { return s.user(t) },
		"scopes":        func(t *rapid.T, s *access) any { return s.scopes(t) },
		"exp":           func(t *rapid.T, s *access) any { return s.earliest() + untilExpiry(t) },
		"nbf":           func(t *rapid.T, s *access) any { return s.latest() - sinceValid(t) },
		"iat":           func(t *rapid.T, s *access) any { return s.latest() - sinceValid(t) },
		"claims":        wordOf(map[string]any{"admin": true}, map[string]any{}, map[string]any{"uid": "root", "exp": 0}),
	}
})

// badFacts draw what they are where something does; exp, nbf and iat are judged by the clock.
var badFacts = sync.OnceValue(func() map[string]func(*rapid.T, *access) any {
	return map[string]func(*rapid.T, *access) any{
		"verified":      constantly(false),
		"expired":       constantly(true),
		"revoked":       constantly(true),
		"issued_to":     wordOf("user", "", "Service_Account", "service_account "),
		"db_permission": constantly(false),
		"audience":      wordOf("other_project", "", "this_project2"),
		"db":            wordOf("other_database", "", "This_database"),
		"uid":           constantly(""),
		"scopes":        func(t *rapid.T, s *access) any { return lackingScopes(t, s) },
		"exp":           func(t *rapid.T, s *access) any { return s.earliest() - sinceExpiry(t) },
		"nbf":           func(t *rapid.T, s *access) any { return s.latest() + untilValid(t) },
		"iat":           func(t *rapid.T, s *access) any { return s.latest() + untilValid(t) },
		"claims":        constantly(map[string]any{}),
	}
})

func constantly(v any) func(*rapid.T, *access) any { return func(*rapid.T, *access) any { return v } }

func wordOf(values ...any) func(*rapid.T, *access) any {
	return func(t *rapid.T, _ *access) any { return rapid.SampledFrom(values).Draw(t, "word") }
}

// optionalFacts are the names of the facts, in an order that does not change, without those of
// the token's times.
var optionalFacts = []string{"verified", "revoked", "issued_to", "db_permission", "scopes", "audience", "db", "uid", "claims"}

// facts draws facts about a token of the kind with which it is good.
func (s *access) facts(t *rapid.T, k *kind) facts {
	f := facts{"kind": k.word}
	for _, name := range optionalFacts {
		switch {
		case slices.Contains(k.needed, name):
			f[name] = goodFacts()[name](t, s)
		case !draw.Maybe(t, name):
		case slices.Contains(k.idle, name) && draw.Maybe(t, "bad "+name):
			f[name] = badFacts()[name](t, s)
		default:
			f[name] = goodFacts()[name](t, s)
		}
	}
	needed := k.life || k == legacyToken && f["revoked"] == nil
	if draw.Maybe(t, "exp") {
		f["exp"] = goodFacts()["exp"](t, s)
		needed = needed && !s.clocked // without a clock it settles nothing
	}
	if needed || draw.Maybe(t, "expired") {
		f["expired"] = false
	}
	for _, name := range []string{"nbf", "iat"} {
		if s.clocked && draw.Maybe(t, name) {
			f[name] = goodFacts()[name](t, s)
		}
	}
	return f
}

// leeway is by how many seconds the times of tokens may be off.
func (s *access) leeway() float64 { return float64(max(s.policy.LeewaySeconds, 0)) }

// earliest is the time of expiry at which a token has just expired, and latest the time up to
// which a token that is valid from then on is valid.
func (s *access) earliest() float64 { return s.now - s.leeway() }
func (s *access) latest() float64   { return s.now + s.leeway() }

// Distances from a boundary, in seconds, in which the nearest comes often.
func untilExpiry(t *rapid.T) float64 {
	return rapid.SampledFrom([]float64{1, 1, 0.5, 60, 3600, 1 << 33, 1 << 60}).Draw(t, "until it expires")
}

func untilValid(t *rapid.T) float64 {
	return rapid.SampledFrom([]float64{1, 1, 0.5, 60, 3600, 1 << 33}).Draw(t, "until it is valid")
}

func sinceValid(t *rapid.T) float64 {
	return rapid.SampledFrom([]float64{0, 0, 0.5, 1, 3600, 1 << 30}).Draw(t, "since it is valid")
}

func sinceExpiry(t *rapid.T) float64 {
	return rapid.SampledFrom([]float64{0, 0, 0.5, 1, 3600, 1 << 30}).Draw(t, "since it expired")
}

// user draws a user's id, the same for all where the request has one user only.
func (s *access) user(t *rapid.T) string {
	if s.uid != "" {
		return s.uid
	}
	return userID().Draw(t, "uid")
}

func userID() *rapid.Generator[string] {
	return rapid.OneOf(rapid.StringMatching(`[a-z]{1,6}`), rapid.SampledFrom([]string{"jack", "Jürgen", "a b", "0", "null", "漢字", " "}))
}

// scopes draws the scopes of a good access token, and gives the policy a base for them.
func (s *access) scopes(t *rapid.T) []string {
	if s.policy.ScopeBase == "" {
		s.policy.ScopeBase = scopeBase().Draw(t, "scope base")
	}
	required := rtdbauth.RequiredScopes(s.policy.ScopeBase)
	scopes := append(required[:], draw.Optional(t, "other scopes", rapid.SliceOfN(otherScope(), 1, 3))...)
	return rapid.Permutation(scopes).Draw(t, "order of scopes")
}

var otherScope = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"openid", "https://scope.example/auth/platform", "https://other.example/auth/platform.database", "",
		"https://other.example/auth/userinfo.email",
	})
})

// lackingScopes draws scopes of which one that is required is missing, or both are.
func lackingScopes(t *rapid.T, s *access) []string {
	if s.policy.ScopeBase == "" {
		s.policy.ScopeBase = scopeBase().Draw(t, "scope base")
	}
	required := rtdbauth.RequiredScopes(s.policy.ScopeBase)
	return rapid.SampledFrom([][]string{required[:1], required[1:], {}}).Draw(t, "scopes")
}

// present presents a good credential of the kind in one of the places where it may stand.
func (s *access) present(t *rapid.T, k *kind) (facts, rtdbauth.Place) {
	in := rapid.SampledFrom(k.places()).Draw(t, "place")
	return s.presentIn(t, k, in), in
}

// presentIn presents a good credential in a place. A legacy credential is not refused then,
// and mostly admitted.
func (s *access) presentIn(t *rapid.T, k *kind, in rtdbauth.Place) facts {
	token := s.token(t, in)
	f := s.facts(t, k)
	s.known[token] = f
	s.put(t, in, token)
	if k.legacy() {
		s.policy.Legacy = silentOr(t, "legacy")
		if !draw.Seldom(t, "not admitted") || s.policy.OnConflict == rtdbauth.LeastPrivilege {
			s.admit(in)
		}
	}
	return f
}

// admit has the policy admit legacy credentials in a place.
func (s *access) admit(in rtdbauth.Place) {
	if !slices.Contains(s.policy.LegacyIn, in) {
		s.policy.LegacyIn = append(s.policy.LegacyIn, in)
	}
}

// put presents a token in a place, however it may be spelled there.
func (s *access) put(t *rapid.T, in rtdbauth.Place, token string) {
	if in != rtdbauth.InHeader {
		s.pairs = append(s.pairs, paramName(t, in)+"="+percentEncoded(t, token, queryMust))
		return
	}
	value := rapid.SampledFrom([]string{"Bearer ", "bearer ", "BEARER ", "bEaReR ", "Bearer   "}).Draw(t, "scheme") + token
	if draw.Seldom(t, "white space") {
		value = " \t" + value + " "
	}
	s.headers = append(s.headers, [2]string{headerName(t), value})
}

// queryMust are the characters that are percent-encoded in the value of a parameter.
const queryMust = "%&+;#\"<>\\^`{|}"

// paramName draws a spelling of a parameter's name: characters may be percent-encoded.
func paramName(t *rapid.T, in rtdbauth.Place) string { return percentEncoded(t, in.String(), "") }

// headerName draws a spelling of the header field's name.
func headerName(t *rapid.T) string {
	return rapid.SampledFrom([]string{"Authorization", "authorization", "AUTHORIZATION", "aUTHORIZATION"}).Draw(t, "name")
}

// putEmpty presents an empty credential.
func (s *access) putEmpty(t *rapid.T, in rtdbauth.Place) {
	if in == rtdbauth.InHeader {
		value := rapid.SampledFrom([]string{"", "Bearer", "bearer ", " ", "BEARER  "}).Draw(t, "empty header")
		s.headers = append(s.headers, [2]string{headerName(t), value})
		return
	}
	s.pairs = append(s.pairs, paramName(t, in)+rapid.SampledFrom([]string{"=", ""}).Draw(t, "empty value"))
}

// putOtherScheme presents a header of another scheme than Bearer.
func (s *access) putOtherScheme(t *rapid.T) {
	value := rapid.SampledFrom([]string{
		"Basic YTpi", "Digest username=\"a\", realm=\"b\"", "Bearers abc", "bear abc", "Negotiate  abc==", "x a b",
	}).Draw(t, "other scheme")
	s.headers = append(s.headers, [2]string{headerName(t), value})
}

// presentPlus presents a good token in a parameter, with a + that reads as a space.
func (s *access) presentPlus(t *rapid.T, in rtdbauth.Place) diag.Pointer {
	before, after := plainToken().Draw(t, "before"), plainToken().Draw(t, "after")
	k := oauthAccess
	if in == rtdbauth.InAuth {
		k = idToken
	}
	s.known[before+" "+after] = s.facts(t, k)
	s.pairs = append(s.pairs, paramName(t, in)+"="+before+"+"+after)
	return pointerTo(in)
}

// presentNear presents a parameter whose name is not quite one for credentials.
func (s *access) presentNear(t *rapid.T, in rtdbauth.Place) diag.Pointer {
	names := map[rtdbauth.Place][]string{
		rtdbauth.InAuth:        {"Auth", "AUTH", "%41uth"},
		rtdbauth.InAccessToken: {"Access_Token", "ACCESS_TOKEN", "access%5FtokeN"},
	}
	s.pairs = append(s.pairs, rapid.SampledFrom(names[in]).Draw(t, "name")+"="+plainToken().Draw(t, "value"))
	return pointerTo(in)
}

// plainToken draws a token as short as they come.
var plainToken = draw.Lazy(func() *rapid.Generator[string] { return rapid.StringMatching(`[a-z0-9]{1,8}`) })

// bearerToken draws a token that can stand in a header (RFC 6750 section 2.1).
var bearerToken = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.OneOf(
		plainToken(),
		rapid.StringMatching(`ey[A-Za-z0-9]{2,8}\.[A-Za-z0-9_-]{2,8}\.[A-Za-z0-9_-]{2,8}`),
		rapid.StringMatching(`[A-Za-z0-9._~+/-]{1,12}={0,2}`),
		rapid.Custom(func(t *rapid.T) string {
			return draw.Repeated(t, "long", rapid.SampledFrom([]rune("a0-._~+/")), 4096)
		}),
	)
})

// queryToken draws a token that can stand in a parameter, as anything can.
var queryToken = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.OneOf(
		bearerToken(),
		rapid.SampledFrom([]string{"abc", "a&auth=b", "a=b", "%zz", "%41", "a+b", "a b", "a;b", "a#b", "\"", "é", "漢字", "\x00", "null"}),
	)
})

// token draws a token that fits the place and that the verifier knows nothing of yet.
func (s *access) token(t *rapid.T, in rtdbauth.Place) string {
	from := queryToken()
	if in == rtdbauth.InHeader {
		from = bearerToken()
	}
	token := from.Draw(t, "token")
	for s.known[token] != nil || token == "_now" || token == "_request" {
		token = "2" + token
	}
	return token
}
