package fuzz

import (
	"slices"
	"strings"
	"sync"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/rtdbauth"
)

// rtdbWay is one way of breaking a rule of the realtime database, in a request that is otherwise
// drawn freely. It returns where the finding is, and of which kind.
type rtdbWay struct {
	name string
	draw func(t *rapid.T) (*RTDB, diag.Pointer, diag.Kind)
}

// violatingRTDB draws what breaks the rule in one of the ways.
func violatingRTDB(rule string, ways []rtdbWay) *rapid.Generator[Payload] {
	return rapid.Custom(func(t *rapid.T) Payload {
		way := ways[draw.Evenly(len(ways)).Draw(t, "way")]
		request, path, kind := way.draw(t)
		return Payload{
			Verdict: Verdict{Accepted: kind != diag.Reject, Rule: rule, Kind: kind, Path: path, Way: way.name},
			RTDB:    request,
		}
	})
}

// rtdbWays are all ways of breaking the rules of the realtime database, by rule. Rules that
// have nothing to say of a request have none; that of key files has [keyFileWays].
//
// The ways that do not reject are those in which the library has something to say under the
// rule: that a question is open, that something is ignored, that something is advised.
var rtdbWays = sync.OnceValue(func() map[string][]rtdbWay {
	return map[string][]rtdbWay{
		"rtdb.path":                   slices.Concat(brokenPaths(), ambiguousPaths()),
		"rtdb.method":                 methodWays(),
		"rtdb.service-account":        slices.Concat(kindWays(oauthAccess), accountWays()),
		"rtdb.service-account.scopes": scopeWays(),
		"rtdb.service-account.empty":  emptyWays(rtdbauth.InAccessToken, "Bearer", "bearer   ", " BEARER "),
		"rtdb.id-token":               slices.Concat(kindWays(idToken), identityTokenWays(), emptyWays(rtdbauth.InAuth)),
		"rtdb.id-token.expired":       expiryWays(idToken),
		"rtdb.legacy":                 slices.Concat(kindWays(legacySecret), kindWays(legacyToken), legacyWays()),
		"rtdb.legacy.presentation":    presentationWays(),
		"rtdb.legacy.revoked":         revocationWays(),
		"rtdb.bearer":                 slices.Concat(bearerWays(), schemeWays(), transportWays()),
		"rtdb.one-credential":         slices.Concat(conflictWays(), unreadableWays()),
	}
})

// whole is the place of findings about the request as such.
const wholeRequest diag.Pointer = "/"

// pointerTo returns the place of findings about a credential.
func pointerTo(in rtdbauth.Place) diag.Pointer {
	if in == rtdbauth.InHeader {
		return diag.Header("Authorization")
	}
	return diag.Param(in.String())
}

// breaking makes a way of a function that breaks a request and returns where.
func breaking(name string, kind diag.Kind, violate func(t *rapid.T, s *access) diag.Pointer) rtdbWay {
	return rtdbWay{name, func(t *rapid.T) (*RTDB, diag.Pointer, diag.Kind) {
		s := drawAccess(t)
		path := violate(t, s)
		return s.request(t), path, kind
	}}
}

func rejecting(name string, violate func(t *rapid.T, s *access) diag.Pointer) rtdbWay {
	return breaking(name, diag.Reject, violate)
}

// perhapsPresent presents a good credential, or none.
func (s *access) perhapsPresent(t *rapid.T) {
	if draw.Maybe(t, "a credential") {
		s.present(t, drawKind(t))
	}
}

// brokenPaths lists the paths that are none of a location.
func brokenPaths() []rtdbWay {
	var ways []rtdbWay
	for _, w := range []struct {
		name  string
		paths []string // of which one is sent, with NAME standing for some name
	}{
		{"no .json", []string{"/NAME", "/NAME/NAME", "/"}},
		{"another suffix", []string{"/NAME.xml", "/NAME.jsonp", "/NAME.json5", "/NAME.json.gz", "/json", "/NAME_json"}},
		{"upper case", []string{"/NAME.JSON", "/.Json", "/NAME.jso%4E"}},
		{"slash after .json", []string{"/NAME.json/", "/NAME.json/NAME"}},
		{".json in the query", []string{"/NAME?.json", "/?x=.json"}},
		{"encoded twice", []string{"/NAME%252Ejson", "/NAME.jso%256E", "/NAME.json%2520"}},
		{"something after .json", []string{"/NAME.json%20", "/NAME.json%00", "/NAME.json%3Fx=.", "/NAME.json%23"}},
		{"malformed escape", []string{"/NAME%zz.json", "/%zz/NAME.json", "/%4G.json"}},
		{"cut-off escape", []string{"/NAME.json%", "/NAME.json%2", "/%/NAME.json"}},
		{"not UTF-8", []string{"/NAME%FF.json", "/%C3/NAME.json", "/%ED%A0%80.json"}},
		{"no slash before it", []string{"NAME.json", ".json", "https://database.example.com/NAME.json", ""}},
		{"raw space", []string{"/NAME NAME.json", "/ .json"}},
		{"raw control character", []string{"/NAME\t.json", "/NAME\nNAME.json", "/\x7f.json"}},
		{"fragment", []string{"/NAME#NAME.json", "/#.json"}},
		{"raw in the query", []string{"/NAME.json?x=a b", "/NAME.json?x=\t", "/NAME.json?x=\r\n", "/.json?x=1#auth=2", "/.json?#"}},
	} {
		ways = append(ways, rejecting(w.name, func(t *rapid.T, s *access) diag.Pointer {
			s.perhapsPresent(t)
			target := rapid.SampledFrom(w.paths).Draw(t, "path")
			target = strings.ReplaceAll(target, "NAME", plainToken().Draw(t, "name"))
			path, query, found := strings.Cut(target, "?")
			if s.path = path; found {
				s.pairs = append(s.pairs, query)
			}
			return wholeRequest
		}))
	}
	return ways
}

// ambiguousPaths lists what servers and proxies read differently.
func ambiguousPaths() []rtdbWay {
	return []rtdbWay{
		rejecting("ambiguous", func(t *rapid.T, s *access) diag.Pointer {
			s.perhapsPresent(t)
			s.policy.AmbiguousPath, s.path = rtdbauth.Reject, ambiguousPath().Draw(t, "path")
			return wholeRequest
		}),
		breaking("ambiguous, and nobody says what to do", diag.Unspecified, func(t *rapid.T, s *access) diag.Pointer {
			s.perhapsPresent(t)
			s.policy.AmbiguousPath, s.path = silentOr(t, "ambiguous path"), ambiguousPath().Draw(t, "path")
			return wholeRequest
		}),
	}
}

func methodWays() []rtdbWay {
	with := func(method *rapid.Generator[string]) func(t *rapid.T, s *access) diag.Pointer {
		return func(t *rapid.T, s *access) diag.Pointer {
			s.perhapsPresent(t)
			s.method = method.Draw(t, "method")
			return wholeRequest
		}
	}
	return []rtdbWay{
		breaking("not shown", diag.Unspecified, with(rapid.SampledFrom(otherMethods))),
		breaking("no method", diag.Unspecified, with(noMethod())),
	}
}

// spoiling is the way of making one fact of a good credential of the kind bad, or unknown.
func spoiling(name string, k *kind, as diag.Kind, spoil func(t *rapid.T, s *access, f facts)) rtdbWay {
	return breaking(name, as, func(t *rapid.T, s *access) diag.Pointer {
		f, in := s.present(t, k)
		if k.legacy() && as == diag.Unspecified {
			s.admit(in) // or that it is not would be what is open
		}
		spoil(t, s, f)
		return pointerTo(in)
	})
}

// spoiled makes a fact bad, with the clock running.
func spoiled(fact string) func(*rapid.T, *access, facts) {
	return func(t *rapid.T, s *access, f facts) {
		s.clocked = true
		f[fact] = badFacts()[fact](t, s)
	}
}

// withheld makes facts unknown.
func withheld(names ...string) func(*rapid.T, *access, facts) {
	return func(t *rapid.T, s *access, f facts) {
		for _, name := range names {
			if delete(f, name); draw.Maybe(t, "null") {
				f[name] = nil
			}
		}
	}
}

// unclocked gives a token a time from which it is valid, and takes the clock away.
func unclocked(fact string) func(*rapid.T, *access, facts) {
	return func(t *rapid.T, s *access, f facts) {
		f[fact] = goodFacts()[fact](t, s)
		s.clocked, f["expired"] = false, false
	}
}

// kindWays lists the ways in which the facts that matter for every kind are bad or unknown,
// but for those that are rules of their own: the expiry of an identity token, and that a
// legacy credential was revoked.
func kindWays(k *kind) []rtdbWay {
	of := func(name string) string { return strings.ReplaceAll(k.word, "_", " ") + ": " + name }
	ways := []rtdbWay{
		spoiling(of("not verified"), k, diag.Reject, spoiled("verified")),
		spoiling(of("not known to be verified"), k, diag.Unspecified, withheld("verified")),
		spoiling(of("not valid yet"), k, diag.Reject, spoiled("nbf")),
		spoiling(of("issued in the future"), k, diag.Reject, spoiled("iat")),
		spoiling(of("valid from some time on, without a clock"), k, diag.Unspecified, unclocked("nbf")),
		spoiling(of("issued at some time, without a clock"), k, diag.Unspecified, unclocked("iat")),
		spoiling(of("of another project"), k, diag.Reject, spoiled("audience")),
		spoiling(of("of another database"), k, diag.Reject, spoiled("db")),
	}
	if !k.legacy() {
		ways = append(ways, spoiling(of("revoked"), k, diag.Reject, spoiled("revoked")))
	}
	if k != idToken {
		ways = append(ways, expiryWays(k)...)
	}
	return ways
}

// expiryWays lists the ways in which a token has expired, or may have.
func expiryWays(k *kind) []rtdbWay {
	of := func(name string) string { return strings.ReplaceAll(k.word, "_", " ") + ": " + name }
	exp := func(distance float64, word any) func(*rapid.T, *access, facts) {
		return func(t *rapid.T, s *access, f facts) {
			s.clocked = true
			if f["exp"] = s.earliest() + distance; word != nil {
				f["expired"] = word
			} else if delete(f, "expired"); k == legacyToken {
				f["revoked"] = false // or it would be open, too, whether it stands
			}
		}
	}
	ways := []rtdbWay{
		spoiling(of("expired, as the verifier says"), k, diag.Reject, spoiled("expired")),
		spoiling(of("expired, although its time is not over"), k, diag.Reject, exp(3600, true)),
		spoiling(of("just expired"), k, diag.Reject, exp(0, nil)),
		spoiling(of("just expired, although the verifier says no"), k, diag.Reject, exp(0, false)),
		spoiling(of("expired by a fraction"), k, diag.Reject, exp(-0.5, nil)),
		spoiling(of("long expired"), k, diag.Reject, exp(-1<<30, nil)),
	}
	if k.life {
		ways = append(ways,
			spoiling(of("not known to be unexpired"), k, diag.Unspecified, withheld("expired", "exp")),
			spoiling(of("with a time, but without a clock"), k, diag.Unspecified, func(t *rapid.T, s *access, f facts) {
				withheld("expired", "nbf", "iat")(t, s, f)
				s.clocked, f["exp"] = false, goodFacts()["exp"](t, s)
			}))
	}
	return ways
}

// misplaced presents a token of a kind, good or not, where it has no business.
func misplaced(t *rapid.T, s *access, in rtdbauth.Place, known any) diag.Pointer {
	token := s.token(t, in)
	s.known[token] = known
	s.put(t, in, token)
	return pointerTo(in)
}

var accessPlace = draw.Lazy(func() *rapid.Generator[rtdbauth.Place] { return rapid.SampledFrom(oauthAccess.in) })

func accountWays() []rtdbWay {
	k := oauthAccess
	return []rtdbWay{
		rejecting("access token as auth", func(t *rapid.T, s *access) diag.Pointer {
			return misplaced(t, s, rtdbauth.InAuth, s.facts(t, k))
		}),
		rejecting("no credential of the service", func(t *rapid.T, s *access) diag.Pointer {
			return misplaced(t, s, accessPlace().Draw(t, "place"), facts{"kind": otherKind().Draw(t, "kind")})
		}),
		spoiling("issued to somebody else", k, diag.Reject, spoiled("issued_to")),
		spoiling("not known to be a service account's", k, diag.Unspecified, withheld("issued_to")),
		spoiling("no permission", k, diag.Reject, spoiled("db_permission")),
		spoiling("not known to have permission", k, diag.Unspecified, withheld("db_permission")),
		breaking("of an unknown kind", diag.Unspecified, func(t *rapid.T, s *access) diag.Pointer {
			return misplaced(t, s, accessPlace().Draw(t, "place"), rapid.SampledFrom(knowingNothing()).Draw(t, "what is known"))
		}),
		breaking("raw + in access_token", diag.Advise, func(t *rapid.T, s *access) diag.Pointer {
			return s.presentPlus(t, rtdbauth.InAccessToken)
		}),
		breaking("access_token in another case", diag.Advise, func(t *rapid.T, s *access) diag.Pointer {
			s.perhapsPresent(t)
			return s.presentNear(t, rtdbauth.InAccessToken)
		}),
	}
}

func identityTokenWays() []rtdbWay {
	k := idToken
	return []rtdbWay{
		rejecting("identity token as access_token or in the header", func(t *rapid.T, s *access) diag.Pointer {
			return misplaced(t, s, accessPlace().Draw(t, "place"), s.facts(t, k))
		}),
		rejecting("no credential of the service", func(t *rapid.T, s *access) diag.Pointer {
			return misplaced(t, s, rtdbauth.InAuth, facts{"kind": otherKind().Draw(t, "kind")})
		}),
		spoiling("of nobody", k, diag.Reject, spoiled("uid")),
		spoiling("of an unknown user", k, diag.Unspecified, withheld("uid")),
		spoiling("of an unknown project", k, diag.Unspecified, withheld("audience")),
		breaking("of an unknown kind", diag.Unspecified, func(t *rapid.T, s *access) diag.Pointer {
			return misplaced(t, s, rtdbauth.InAuth, rapid.SampledFrom(knowingNothing()).Draw(t, "what is known"))
		}),
		breaking("raw + in auth", diag.Advise, func(t *rapid.T, s *access) diag.Pointer {
			return s.presentPlus(t, rtdbauth.InAuth)
		}),
		breaking("auth in another case", diag.Advise, func(t *rapid.T, s *access) diag.Pointer {
			s.perhapsPresent(t)
			return s.presentNear(t, rtdbauth.InAuth)
		}),
	}
}

// otherKind draws words for tokens that are no credentials of the service.
var otherKind = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"session_cookie", "refresh_token", "ID_TOKEN", "oauth_access ", "other", "unknown kind"})
})

func scopeWays() []rtdbWay {
	const userinfo, platform = "/auth/userinfo.email", "/auth/platform.database"
	ways := []rtdbWay{
		spoiling("unknown", oauthAccess, diag.Unspecified, withheld("scopes")),
		spoiling("without a scope base", oauthAccess, diag.Unspecified, func(_ *rapid.T, s *access, _ facts) { s.policy.ScopeBase = "" }),
	}
	for _, w := range []struct {
		name   string
		scopes []string // a slash at the beginning stands for the base
	}{
		{"platform.database alone", []string{platform}},
		{"userinfo.email alone", []string{userinfo}},
		{"one of them twice", []string{platform, platform}},
		{"none", []string{}},
		{"others only", []string{"openid", "/auth/platform"}},
		{"in another case", []string{userinfo, "/auth/Platform.Database"}},
		{"more than it", []string{userinfo, "/auth/platform.database.readonly"}},
		{"less than it", []string{userinfo + "s", platform}},
		{"under another base", []string{userinfo, "https://other.example" + platform}},
		{"both in one text", []string{userinfo + " https://scope.example" + platform}},
		{"with a slash", []string{userinfo + "/", platform}},
	} {
		ways = append(ways, spoiling(w.name, oauthAccess, diag.Reject, func(t *rapid.T, s *access, f facts) {
			scopes := draw.Optional(t, "other scopes", rapid.SliceOfN(rapid.SampledFrom([]string{"openid", "profile"}), 1, 2))
			for _, scope := range w.scopes {
				if strings.HasPrefix(scope, "/") {
					scope = strings.TrimSuffix(s.policy.ScopeBase, "/") + scope
				}
				scopes = append(scopes, scope)
			}
			f["scopes"] = append([]string{}, scopes...)
		}))
	}
	return ways
}

// emptyWays lists the ways of presenting an empty token as the parameter, or as one of the
// values of the header.
func emptyWays(param rtdbauth.Place, values ...string) []rtdbWay {
	as := func(p rtdbauth.Choice, put func(*rapid.T, *access) rtdbauth.Place) func(*rapid.T, *access) diag.Pointer {
		return func(t *rapid.T, s *access) diag.Pointer {
			in := put(t, s)
			if s.policy.EmptyCredential = p; p == rtdbauth.Strict {
				s.policy.EmptyCredential = silentOr(t, "empty credential")
			}
			if kind := drawKind(t); draw.Maybe(t, "a credential") && !slices.Contains(kind.places(), rtdbauth.InHeader) {
				s.present(t, kind)
			}
			return pointerTo(in)
		}
	}
	parameter := func(t *rapid.T, s *access) rtdbauth.Place {
		s.putEmpty(t, param)
		return param
	}
	header := func(t *rapid.T, s *access) rtdbauth.Place {
		s.headers = append(s.headers, [2]string{headerName(t), rapid.SampledFrom(values).Draw(t, "value")})
		return rtdbauth.InHeader
	}
	name := "empty " + param.String()
	ways := []rtdbWay{
		rejecting(name, as(rtdbauth.Strict, parameter)),
		breaking(name+", ignored", diag.Ignore, as(rtdbauth.Ignore, parameter)),
	}
	if values != nil {
		ways = append(ways,
			rejecting("Bearer without a token", as(rtdbauth.Strict, header)),
			breaking("Bearer without a token, ignored", diag.Ignore, as(rtdbauth.Ignore, header)))
	}
	return ways
}

func legacyWays() []rtdbWay {
	return []rtdbWay{
		rejecting("refused by the policy", func(t *rapid.T, s *access) diag.Pointer {
			_, in := s.present(t, drawLegacy(t))
			s.policy.Legacy = rtdbauth.Refuse
			return pointerTo(in)
		}),
		spoiling("not known to stand", legacyToken, diag.Unspecified, withheld("expired", "exp", "revoked")),
		breaking("accepted, and not recommended", diag.Advise, func(t *rapid.T, s *access) diag.Pointer {
			_, in := s.present(t, drawLegacy(t))
			s.admit(in)
			s.policy.LegacyRules = silentOr(t, "legacy rules", rtdbauth.Apply, rtdbauth.Bypass)
			return pointerTo(in)
		}),
	}
}

func presentationWays() []rtdbWay {
	admitting := func(others bool) func(*rapid.T, *access) diag.Pointer {
		return func(t *rapid.T, s *access) diag.Pointer {
			_, in := s.present(t, drawLegacy(t))
			s.policy.LegacyIn = nil
			for _, other := range legacySecret.places() {
				if others && other != in {
					s.admit(other)
				}
			}
			return pointerTo(in)
		}
	}
	return []rtdbWay{
		breaking("admitted nowhere", diag.Unspecified, admitting(false)),
		breaking("admitted elsewhere", diag.Unspecified, admitting(true)),
	}
}

func revocationWays() []rtdbWay {
	return []rtdbWay{
		spoiling("secret revoked", legacySecret, diag.Reject, spoiled("revoked")),
		spoiling("token revoked", legacyToken, diag.Reject, func(t *rapid.T, s *access, f facts) {
			f["expired"], f["revoked"] = false, true
		}),
		spoiling("secret not known to be unrevoked", legacySecret, diag.Unspecified, withheld("revoked")),
	}
}

// bearerWays lists the Authorization headers that are not one Bearer credential.
func bearerWays() []rtdbWay {
	var ways []rtdbWay
	for _, w := range []struct {
		name   string
		values []string // one of which is sent, with TOKEN standing for a token
	}{
		{"no scheme", []string{"TOKEN", "TOKEN ", "Bearer\tTOKEN", "BearerTOKEN"}},
		{"two tokens", []string{"Bearer TOKEN TOKEN", "Bearer TOKEN, Bearer TOKEN", "Bearer TOKEN\tTOKEN"}},
		{"a list", []string{"Bearer TOKEN,", "Bearer TOKEN, Basic abc", "Bearer realm=\"a\", TOKEN"}},
		{"quoted", []string{"Bearer \"TOKEN\"", "Bearer <TOKEN>", "Bearer token=\"TOKEN\""}},
		{"= not at the end", []string{"Bearer =TOKEN", "Bearer TOKEN=TOKEN", "Bearer ==", "Bearer ="}},
		{"a character that tokens do not have", []string{"Bearer TOKEN!", "Bearer TOKEN%20", "Bearer é", "Bearer TOKEN\x00", "Bearer {TOKEN}"}},
		{"no name of a scheme", []string{"Bearer: TOKEN", "\"Bearer\" TOKEN", "Bea/rer TOKEN", "(x) TOKEN"}},
		{"control character after another scheme", []string{"Basic TOKEN\x01TOKEN", "Basic a\r\nb", "Digest \x7f"}},
	} {
		ways = append(ways, rejecting(w.name, func(t *rapid.T, s *access) diag.Pointer {
			value := rapid.SampledFrom(w.values).Draw(t, "value")
			value = strings.ReplaceAll(value, "TOKEN", plainToken().Draw(t, "token"))
			s.headers = append(s.headers, [2]string{headerName(t), value})
			return pointerTo(rtdbauth.InHeader)
		}))
	}
	empty := func(policy func(*rapid.T) rtdbauth.Choice) func(*rapid.T, *access) diag.Pointer {
		return func(t *rapid.T, s *access) diag.Pointer {
			s.headers = append(s.headers, [2]string{headerName(t), rapid.SampledFrom([]string{"", " ", "\t "}).Draw(t, "value")})
			s.policy.EmptyCredential = policy(t)
			return pointerTo(rtdbauth.InHeader)
		}
	}
	return append(ways,
		rejecting("empty header", empty(func(t *rapid.T) rtdbauth.Choice { return silentOr(t, "empty credential") })),
		breaking("empty header, ignored", diag.Ignore, empty(func(*rapid.T) rtdbauth.Choice { return rtdbauth.Ignore })),
		rejecting("header repeated", func(t *rapid.T, s *access) diag.Pointer {
			for range rapid.IntRange(2, 3).Draw(t, "times") {
				s.put(t, rtdbauth.InHeader, bearerToken().Draw(t, "token"))
			}
			return pointerTo(rtdbauth.InHeader)
		}),
		rejecting("header beside one of another scheme", func(t *rapid.T, s *access) diag.Pointer {
			s.presentIn(t, oauthAccess, rtdbauth.InHeader)
			s.putOtherScheme(t)
			return pointerTo(rtdbauth.InHeader)
		}),
		rejecting("white space in the name", func(t *rapid.T, s *access) diag.Pointer {
			name := rapid.SampledFrom([]string{"Authorization ", " Authorization", "authorization\t"}).Draw(t, "name")
			s.headers = append(s.headers, [2]string{name, "Bearer " + bearerToken().Draw(t, "token")})
			return pointerTo(rtdbauth.InHeader)
		}),
	)
}

// schemeWays lists what becomes of another scheme than Bearer.
func schemeWays() []rtdbWay {
	under := func(words ...rtdbauth.Choice) func(*rapid.T, *access) diag.Pointer {
		return func(t *rapid.T, s *access) diag.Pointer {
			s.putOtherScheme(t)
			if s.policy.UnsupportedScheme = silentOr(t, "unsupported scheme"); words != nil {
				s.policy.UnsupportedScheme = words[0]
			}
			return pointerTo(rtdbauth.InHeader)
		}
	}
	return []rtdbWay{
		rejecting("another scheme, refused", under(rtdbauth.Reject)),
		breaking("another scheme, ignored", diag.Ignore, under(rtdbauth.Ignore)),
		breaking("another scheme", diag.Unspecified, under()),
	}
}

// transportWays lists what becomes of a request without TLS where that is required.
func transportWays() []rtdbWay {
	over := func(tls *bool) func(*rapid.T, *access) diag.Pointer {
		return func(t *rapid.T, s *access) diag.Pointer {
			s.perhapsPresent(t)
			s.policy.RequireTLS, s.tls = true, tls
			return wholeRequest
		}
	}
	return []rtdbWay{
		rejecting("without TLS", over(new(false))),
		breaking("not known whether over TLS", diag.Unspecified, over(nil)),
	}
}

// conflictWays lists the ways of presenting more than one credential. A request that presents
// them in several places is told so in each; the first of them, in the order header,
// access_token, auth, is the place that these return.
func conflictWays() []rtdbWay {
	const header, accessToken, auth = rtdbauth.InHeader, rtdbauth.InAccessToken, rtdbauth.InAuth
	strictly := func(in ...rtdbauth.Place) func(*rapid.T, *access) diag.Pointer {
		return func(t *rapid.T, s *access) diag.Pointer {
			s.policy.OnConflict = silentOr(t, "on conflict")
			for _, place := range in {
				s.put(t, place, s.drawn(t, place))
			}
			return pointerTo(slices.Min(in))
		}
	}
	ways := []rtdbWay{
		rejecting("auth repeated", strictly(auth, auth)),
		rejecting("access_token repeated", strictly(accessToken, accessToken)),
		rejecting("header and auth", strictly(header, auth)),
		rejecting("header and access_token", strictly(header, accessToken)),
		rejecting("both parameters", strictly(accessToken, auth)),
		rejecting("everywhere", strictly(header, accessToken, auth)),
		rejecting("the same token twice", func(t *rapid.T, s *access) diag.Pointer {
			s.policy.OnConflict = silentOr(t, "on conflict")
			k := rapid.SampledFrom([]*kind{idToken, oauthAccess}).Draw(t, "kind")
			in := k.places()[len(k.places())-1]
			token := s.token(t, in)
			s.known[token] = s.facts(t, k)
			s.put(t, in, token)
			s.put(t, in, token)
			return pointerTo(in)
		}),
		rejecting("auth beside another scheme", func(t *rapid.T, s *access) diag.Pointer {
			s.policy.OnConflict = silentOr(t, "on conflict")
			s.policy.UnsupportedScheme = silentOr(t, "unsupported scheme", rtdbauth.Reject)
			s.putOtherScheme(t)
			s.presentIn(t, idToken, auth)
			return pointerTo(header)
		}),
		rejecting("more than any policy resolves", func(t *rapid.T, s *access) diag.Pointer {
			s.uid = userID().Draw(t, "the one user")
			for range rtdbauth.MaxCredentials + rapid.IntRange(1, 3).Draw(t, "too many") {
				s.presentIn(t, idToken, auth)
			}
			return wholeRequest
		}),
		breaking("the least of them counts", diag.Advise, func(t *rapid.T, s *access) diag.Pointer {
			s.policy.OnConflict = rtdbauth.LeastPrivilege
			s.presentIn(t, idToken, auth)
			s.presentIn(t, oauthAccess, accessToken)
			return pointerTo(accessToken)
		}),
	}
	return append(ways,
		rejecting("two users, of whom neither is the less", func(t *rapid.T, s *access) diag.Pointer {
			s.policy.OnConflict = rtdbauth.LeastPrivilege
			for _, s.uid = range []string{"jack", "jill"} {
				s.presentIn(t, idToken, auth)
			}
			return pointerTo(auth)
		}),
		rejecting("a user and a legacy credential under the rules", func(t *rapid.T, s *access) diag.Pointer {
			s.policy.OnConflict = rtdbauth.LeastPrivilege
			s.presentIn(t, idToken, auth)
			s.presentIn(t, drawLegacy(t), auth)
			s.policy.LegacyRules = silentOr(t, "legacy rules", rtdbauth.Apply)
			return pointerTo(auth)
		}))
}

// drawn draws a token for a place, good there, bad or unknown: it is all the same.
func (s *access) drawn(t *rapid.T, in rtdbauth.Place) string {
	token := s.token(t, in)
	switch rapid.IntRange(0, 2).Draw(t, "known as") {
	case 0:
		k := idToken
		if in != rtdbauth.InAuth {
			k = oauthAccess
		}
		s.known[token] = s.facts(t, k)
	case 1:
		s.known[token] = facts{"kind": "id_token", "verified": false}
	}
	return token
}

// unreadableWays lists queries of which not every reader reads the same credentials.
func unreadableWays() []rtdbWay {
	var ways []rtdbWay
	for _, w := range []struct {
		name  string
		at    diag.Pointer
		pairs []string
	}{
		{"malformed escape", wholeRequest, []string{"x=%zz", "x=%", "%zz=1", "%", "x=%4"}},
		{"malformed escape in auth", "?auth", []string{"auth=%zz", "auth=a%2", "%61uth=%"}},
		{"malformed escape in access_token", "?access_token", []string{"access_token=%zz", "access_token=%%41"}},
		{"semicolon", wholeRequest, []string{"x=1;auth=abc", ";", "x;access_token=abc", "x=1;"}},
		{"semicolon in auth", "?auth", []string{"auth=a;b", "auth=;access_token=abc", "auth=abc;"}},
		{"semicolon in access_token", "?access_token", []string{"access_token=a;b"}},
		{"auth not UTF-8", "?auth", []string{"auth=%FF", "auth=a%C3", "auth=%ED%A0%80"}},
		{"access_token not UTF-8", "?access_token", []string{"access_token=%80abc"}},
	} {
		ways = append(ways, rejecting(w.name, func(t *rapid.T, s *access) diag.Pointer {
			s.perhapsPresent(t)
			s.pairs = append(s.pairs, rapid.SampledFrom(w.pairs).Draw(t, "pair"))
			return w.at
		}))
	}
	return ways
}
