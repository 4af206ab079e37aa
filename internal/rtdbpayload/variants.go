package rtdbpayload

import (
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/rtdbauth"
)

// variant is one way to break a rule, in a request that is otherwise drawn freely.
type variant struct {
	name   string
	kind   diag.Kind // of the finding
	mutate mutation
}

// mutation breaks a request and returns the place of the finding.
type mutation = func(t *draw.T, b *builder) diag.Pointer

func rejecting(name string, mutate mutation) variant { return variant{name, diag.Reject, mutate} }

// variants returns the variants of each rule. Rules that say nothing about requests have none. A
// variant that does not reject makes the library say that it ignores something, advises
// something, or that a question is open.
var variants = sync.OnceValue(func() map[string][]variant {
	all := map[string][]variant{
		ruleid.RTDBPath:                 slices.Concat(brokenPaths(), ambiguousPaths()),
		ruleid.RTDBMethod:               methods(),
		ruleid.RTDBServiceAccount:       accessTokens(),
		ruleid.RTDBServiceAccountScopes: scopes(),
		ruleid.RTDBServiceAccountEmpty:  emptyCredentials(rtdbauth.InAccessToken, "Bearer", "bearer   ", " BEARER "),
		ruleid.RTDBIDToken:              slices.Concat(identityTokens(), emptyCredentials(rtdbauth.InAuth)),
		ruleid.RTDBLegacy:               legacyCredentials(),
		ruleid.RTDBLegacyPresentation:   legacyPlaces(),
		ruleid.RTDBBearer:               slices.Concat(bearerHeaders(), otherSchemes(), transports()),
		ruleid.RTDBOneCredential:        slices.Concat(conflicts(), unreadableQueries()),
	}
	for _, k := range []*tokenKind{oauthAccess, idToken, legacySecret, legacyToken} {
		for _, fact := range slices.Concat(optionalFacts, []string{"nbf", "iat"}) {
			all[k.ruleAbout(fact)] = append(all[k.ruleAbout(fact)], factVariants(k, fact)...)
		}
		all[k.ruleAbout("exp")] = append(all[k.ruleAbout("exp")], expiries(k)...)
	}
	return all
})

// ruleAbout returns the rule that a token of the kind breaks because of the fact.
func (k *tokenKind) ruleAbout(fact string) string {
	switch {
	case fact == "scopes":
		return ruleid.RTDBServiceAccountScopes
	case k.legacy() && fact == "revoked":
		return ruleid.RTDBLegacyRevoked
	case k.legacy():
		return ruleid.RTDBLegacy
	case k == oauthAccess:
		return ruleid.RTDBServiceAccount
	case fact == "exp":
		return ruleid.RTDBIDTokenExpired
	default:
		return ruleid.RTDBIDToken
	}
}

// factVariants make a fact about a token bad or, if the kind needs it, unknown. The times from which
// a token is valid are unknown without a clock.
func factVariants(k *tokenKind, fact string) []variant {
	if slices.Contains(k.idle, fact) {
		return nil
	}
	name := k.String() + ": " + fact
	list := []variant{spoiling(name+" is bad", k, diag.Reject, spoiled(fact))}
	switch {
	case slices.Contains(k.needed, fact):
		list = append(list, spoiling(name+" is unknown", k, diag.Unspecified, withheld(fact)))
	case fact == "nbf", fact == "iat":
		list = append(list, spoiling(name+" without a clock", k, diag.Unspecified, unclocked(fact)))
	}
	return list
}

// wholeRequest is the place of findings about the request as a whole.
const wholeRequest diag.Pointer = ""

// pointerTo returns the place of findings about a credential.
func pointerTo(in rtdbauth.Place) diag.Pointer {
	if in == rtdbauth.InHeader {
		return "#Authorization"
	}
	return diag.Pointer("?" + in.String())
}

// maybePresent presents a good credential, or none.
func (b *builder) maybePresent(t *draw.T) {
	if draw.Maybe(t, "a credential") {
		b.present(t, drawKind(t))
	}
}

// brokenPaths are not the paths of a location.
func brokenPaths() []variant {
	return spelled([]spelling{
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
	}, func(t *draw.T, b *builder, target string) diag.Pointer {
		b.maybePresent(t)
		path, query, found := strings.Cut(target, "?")
		if b.path = path; found {
			b.pairs = append(b.pairs, query)
		}
		return wholeRequest
	})
}

func ambiguousPaths() []variant {
	return []variant{
		rejecting("ambiguous", func(t *draw.T, b *builder) diag.Pointer {
			b.maybePresent(t)
			b.policy.AmbiguousPath, b.path = "reject", ambiguousPath.Draw(t, "path")
			return wholeRequest
		}),
		{"ambiguous, and nobody says what to do", diag.Unspecified, func(t *draw.T, b *builder) diag.Pointer {
			b.maybePresent(t)
			b.policy.AmbiguousPath, b.path = drawChoice(t, "ambiguous path"), ambiguousPath.Draw(t, "path")
			return wholeRequest
		}},
	}
}

func methods() []variant {
	oneOf := func(method draw.Generator[string]) mutation {
		return func(t *draw.T, b *builder) diag.Pointer {
			b.maybePresent(t)
			b.method = method.Draw(t, "method")
			return wholeRequest
		}
	}
	return []variant{
		{"not shown", diag.Unspecified, oneOf(draw.SampledFrom(otherMethods))},
		{"no method", diag.Unspecified, oneOf(noMethod)},
	}
}

// spoiling presents a good credential of the kind, and then makes a fact about it bad or unknown.
func spoiling(name string, k *tokenKind, as diag.Kind, spoil func(t *draw.T, b *builder, f facts)) variant {
	return variant{name, as, func(t *draw.T, b *builder) diag.Pointer {
		f, in := b.present(t, k)
		if k.legacy() && as == diag.Unspecified {
			b.admit(in) // otherwise that would be the open question
		}
		spoil(t, b, f)
		return pointerTo(in)
	}}
}

// spoiled makes a fact bad. The request says what time it is.
func spoiled(fact string) func(*draw.T, *builder, facts) {
	return func(t *draw.T, b *builder, f facts) {
		b.clocked = true
		f[fact] = b.bad(t, fact)
	}
}

// withheld makes facts unknown.
func withheld(names ...string) func(*draw.T, *builder, facts) {
	return func(t *draw.T, _ *builder, f facts) {
		for _, name := range names {
			if delete(f, name); draw.Maybe(t, "null") {
				f[name] = nil
			}
		}
	}
}

// unclocked gives a token a time from which it is valid. The request does not say what time it is.
func unclocked(fact string) func(*draw.T, *builder, facts) {
	return func(t *draw.T, b *builder, f facts) {
		f[fact] = b.good(t, fact)
		b.clocked, f["expired"] = false, false
	}
}

// expiries present a token that has expired, or may have.
func expiries(k *tokenKind) []variant {
	of := k.String() + ": "
	exp := func(distance float64, expired any) func(*draw.T, *builder, facts) {
		return func(t *draw.T, b *builder, f facts) {
			b.clocked = true
			if f["exp"] = b.earliest() + distance; expired != nil {
				f["expired"] = expired
			} else if delete(f, "expired"); k == legacyToken {
				f["revoked"] = false // otherwise its revocation would be an open question
			}
		}
	}
	list := []variant{
		spoiling(of+"expired, as the verifier says", k, diag.Reject, spoiled("expired")),
		spoiling(of+"expired, although its time is not over", k, diag.Reject, exp(3600, true)),
		spoiling(of+"just expired", k, diag.Reject, exp(0, nil)),
		spoiling(of+"just expired, although the verifier says no", k, diag.Reject, exp(0, false)),
		spoiling(of+"expired by a fraction", k, diag.Reject, exp(-0.5, nil)),
		spoiling(of+"long expired", k, diag.Reject, exp(-1<<30, nil)),
	}
	if k.life {
		list = append(list,
			spoiling(of+"not known to be unexpired", k, diag.Unspecified, withheld("expired", "exp")),
			spoiling(of+"with a time, but without a clock", k, diag.Unspecified, func(t *draw.T, b *builder, f facts) {
				withheld("expired", "nbf", "iat")(t, b, f)
				b.clocked, f["exp"] = false, b.good(t, "exp")
			}))
	}
	return list
}

// misplaced presents a token, good or not, where its kind is not allowed.
func misplaced(t *draw.T, b *builder, in rtdbauth.Place, known any) diag.Pointer {
	token := b.token(t, in, nil)
	b.known[token] = known
	b.put(t, in, token)
	return pointerTo(in)
}

func drawAccessPlace(t *draw.T) rtdbauth.Place {
	return draw.One(t, "place", oauthAccess.in...)
}

// drawOtherKind draws facts about a token that is not a credential of the service.
func drawOtherKind(t *draw.T) facts {
	words := []string{"session_cookie", "refresh_token", "ID_TOKEN", "oauth_access ", "other", "unknown kind"}
	return facts{"kind": draw.One(t, "kind", words...)}
}

func accessTokens() []variant {
	k := oauthAccess
	return slices.Concat([]variant{
		unlikeTokens(k, "é", "a\x00", "a\n", "\u0085", "\x7f"),
		rejecting("access token as auth", func(t *draw.T, b *builder) diag.Pointer {
			return misplaced(t, b, rtdbauth.InAuth, b.facts(t, k))
		}),
		rejecting("no credential of the service", func(t *draw.T, b *builder) diag.Pointer {
			return misplaced(t, b, drawAccessPlace(t), drawOtherKind(t))
		}),
		{"of an unknown kind", diag.Unspecified, func(t *draw.T, b *builder) diag.Pointer {
			return misplaced(t, b, drawAccessPlace(t), drawUseless(t, "what is known"))
		}},
	}, lookAlikes(rtdbauth.InAccessToken))
}

func identityTokens() []variant {
	k := idToken
	return slices.Concat([]variant{
		unlikeTokens(k, "é", "a\x00", "a.b.c\n", "a.b.c ", "a.b.c=", "a~"),
		rejecting("identity token as access_token or in the header", func(t *draw.T, b *builder) diag.Pointer {
			return misplaced(t, b, drawAccessPlace(t), b.facts(t, k))
		}),
		rejecting("no credential of the service", func(t *draw.T, b *builder) diag.Pointer {
			return misplaced(t, b, rtdbauth.InAuth, drawOtherKind(t))
		}),
		{"of an unknown kind", diag.Unspecified, func(t *draw.T, b *builder) diag.Pointer {
			return misplaced(t, b, rtdbauth.InAuth, drawUseless(t, "what is known"))
		}},
	}, lookAlikes(rtdbauth.InAuth))
}

// lookAlikes cause advice about a parameter.
func lookAlikes(param rtdbauth.Place) []variant {
	return []variant{
		{"raw + in " + param.String(), diag.Advise, func(t *draw.T, b *builder) diag.Pointer { return b.presentPlus(t, param) }},
		{param.String() + " in another case", diag.Advise, func(t *draw.T, b *builder) diag.Pointer {
			b.maybePresent(t)
			return b.presentNear(t, param)
		}},
	}
}

// scopes of access tokens that do not suffice. A slash at the start of a scope stands for the
// policy's base.
func scopes() []variant {
	const userinfo, platform = "/auth/userinfo.email", "/auth/platform.database"
	list := []variant{
		spoiling("without a scope base", oauthAccess, diag.Unspecified, func(_ *draw.T, b *builder, _ facts) { b.policy.ScopeBase = "" }),
	}
	for _, v := range []struct {
		name   string
		scopes []string
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
		list = append(list, spoiling(v.name, oauthAccess, diag.Reject, func(t *draw.T, b *builder, f facts) {
			scopes := draw.Optional(t, "other scopes", draw.SliceOfN(draw.Sampled("openid", "profile"), 1, 2))
			for _, scope := range v.scopes {
				if strings.HasPrefix(scope, "/") {
					scope = strings.TrimSuffix(b.policy.ScopeBase, "/") + scope
				}
				scopes = append(scopes, scope)
			}
			f["scopes"] = append([]string{}, scopes...)
		}))
	}
	return list
}

// emptyCredentials present an empty token as the parameter, or as one of the values of the header.
func emptyCredentials(param rtdbauth.Place, values ...string) []variant {
	under := func(policy string, put func(*draw.T, *builder) rtdbauth.Place) mutation {
		return func(t *draw.T, b *builder) diag.Pointer {
			in := put(t, b)
			if b.policy.EmptyCredential = policy; policy == "" {
				b.policy.EmptyCredential = drawChoice(t, "empty credential")
			}
			if kind := drawKind(t); draw.Maybe(t, "a credential") && !slices.Contains(kind.places(), rtdbauth.InHeader) {
				b.present(t, kind)
			}
			return pointerTo(in)
		}
	}
	parameter := func(t *draw.T, b *builder) rtdbauth.Place {
		b.putEmpty(t, param)
		return param
	}
	header := func(t *draw.T, b *builder) rtdbauth.Place {
		b.putHeader(t, values...)
		return rtdbauth.InHeader
	}
	name := "empty " + param.String()
	list := []variant{
		rejecting(name, under("", parameter)),
		{name + ", ignored", diag.Ignore, under("ignore", parameter)},
	}
	if values != nil {
		list = append(list,
			rejecting("Bearer without a token", under("", header)),
			variant{"Bearer without a token, ignored", diag.Ignore, under("ignore", header)})
	}
	return list
}

// putHeader sends the header with one of the values.
func (b *builder) putHeader(t *draw.T, values ...string) {
	b.headers = append(b.headers, [2]string{headerName(t), draw.One(t, "value", values...)})
}

func legacyCredentials() []variant {
	return []variant{
		rejecting("refused by the policy", func(t *draw.T, b *builder) diag.Pointer {
			_, in := b.present(t, drawLegacy(t))
			b.policy.Legacy = "refuse"
			return pointerTo(in)
		}),
		spoiling("not known to stand", legacyToken, diag.Unspecified, withheld("expired", "exp", "revoked")),
		{"accepted, and not recommended", diag.Advise, func(t *draw.T, b *builder) diag.Pointer {
			_, in := b.present(t, drawLegacy(t))
			b.admit(in)
			b.policy.LegacyRules = drawChoice(t, "legacy rules", "apply", "bypass")
			return pointerTo(in)
		}},
	}
}

func legacyPlaces() []variant {
	admitting := func(elsewhere bool) mutation {
		return func(t *draw.T, b *builder) diag.Pointer {
			_, in := b.present(t, drawLegacy(t))
			b.policy.LegacyIn = nil
			for _, other := range legacySecret.places() {
				if elsewhere && other != in {
					b.admit(other)
				}
			}
			return pointerTo(in)
		}
	}
	return []variant{
		{"admitted nowhere", diag.Unspecified, admitting(false)},
		{"admitted elsewhere", diag.Unspecified, admitting(true)},
	}
}

// bearerHeaders are not one Bearer credential.
func bearerHeaders() []variant {
	list := spelled([]spelling{
		{"no scheme", []string{"NAME", "NAME ", "Bearer\tNAME", "BearerNAME"}},
		{"two tokens", []string{"Bearer NAME NAME", "Bearer NAME, Bearer NAME", "Bearer NAME\tNAME"}},
		{"a list", []string{"Bearer NAME,", "Bearer NAME, Basic abc", "Bearer realm=\"a\", NAME"}},
		{"quoted", []string{"Bearer \"NAME\"", "Bearer <NAME>", "Bearer token=\"NAME\""}},
		{"= not at the end", []string{"Bearer =NAME", "Bearer NAME=NAME", "Bearer ==", "Bearer ="}},
		{"a character that tokens do not have", []string{"Bearer NAME!", "Bearer NAME%20", "Bearer é", "Bearer NAME\x00", "Bearer {NAME}"}},
		{"no name of a scheme", []string{"Bearer: NAME", "\"Bearer\" NAME", "Bea/rer NAME", "(x) NAME"}},
		{"control character after another scheme", []string{"Basic NAME\x01NAME", "Basic a\r\nb", "Digest \x7f"}},
	}, func(t *draw.T, b *builder, value string) diag.Pointer {
		b.headers = append(b.headers, [2]string{headerName(t), value})
		return pointerTo(rtdbauth.InHeader)
	})
	empty := func(policy func(*draw.T) string) mutation {
		return func(t *draw.T, b *builder) diag.Pointer {
			b.putHeader(t, "", " ", "\t ")
			b.policy.EmptyCredential = policy(t)
			return pointerTo(rtdbauth.InHeader)
		}
	}
	return append(list,
		rejecting("empty header", empty(func(t *draw.T) string { return drawChoice(t, "empty credential") })),
		variant{"empty header, ignored", diag.Ignore, empty(func(*draw.T) string { return "ignore" })},
		rejecting("header repeated", func(t *draw.T, b *builder) diag.Pointer {
			for range draw.Int(t, "times", 2, 3) {
				b.put(t, rtdbauth.InHeader, bearerToken.Draw(t, "token"))
			}
			return pointerTo(rtdbauth.InHeader)
		}),
		rejecting("header beside one of another scheme", func(t *draw.T, b *builder) diag.Pointer {
			b.presentIn(t, oauthAccess, rtdbauth.InHeader)
			b.putOtherScheme(t)
			return pointerTo(rtdbauth.InHeader)
		}),
		rejecting("white space in the name", func(t *draw.T, b *builder) diag.Pointer {
			name := draw.One(t, "name", "Authorization ", " Authorization", "authorization\t")
			b.headers = append(b.headers, [2]string{name, "Bearer " + bearerToken.Draw(t, "token")})
			return pointerTo(rtdbauth.InHeader)
		}),
	)
}

func otherSchemes() []variant {
	under := func(policy ...string) mutation {
		return func(t *draw.T, b *builder) diag.Pointer {
			b.putOtherScheme(t)
			if b.policy.UnsupportedScheme = drawChoice(t, "unsupported scheme"); policy != nil {
				b.policy.UnsupportedScheme = policy[0]
			}
			return pointerTo(rtdbauth.InHeader)
		}
	}
	return []variant{
		rejecting("another scheme, refused", under("reject")),
		{"another scheme, ignored", diag.Ignore, under("ignore")},
		{"another scheme", diag.Unspecified, under()},
	}
}

func transports() []variant {
	over := func(tls *bool) mutation {
		return func(t *draw.T, b *builder) diag.Pointer {
			b.maybePresent(t)
			b.policy.RequireTLS, b.tls = true, tls
			return wholeRequest
		}
	}
	return []variant{
		rejecting("without TLS", over(new(false))),
		{"not known whether over TLS", diag.Unspecified, over(nil)},
	}
}

// conflicts present more than one credential. There is a finding at each place; the mutations
// return the first of them, in the order header, access_token, auth.
func conflicts() []variant {
	const header, accessToken, auth = rtdbauth.InHeader, rtdbauth.InAccessToken, rtdbauth.InAuth
	strictly := func(in ...rtdbauth.Place) mutation {
		return func(t *draw.T, b *builder) diag.Pointer {
			b.policy.OnConflict = drawChoice(t, "on conflict")
			for _, place := range in {
				b.put(t, place, b.someToken(t, place))
			}
			return pointerTo(slices.Min(in))
		}
	}
	return []variant{
		rejecting("auth repeated", strictly(auth, auth)),
		rejecting("access_token repeated", strictly(accessToken, accessToken)),
		rejecting("header and auth", strictly(header, auth)),
		rejecting("header and access_token", strictly(header, accessToken)),
		rejecting("both parameters", strictly(accessToken, auth)),
		rejecting("everywhere", strictly(header, accessToken, auth)),
		rejecting("the same token twice", func(t *draw.T, b *builder) diag.Pointer {
			b.policy.OnConflict = drawChoice(t, "on conflict")
			k := draw.One(t, "kind", []*tokenKind{idToken, oauthAccess}...)
			in := k.places()[len(k.places())-1]
			token := b.token(t, in, k)
			b.known[token] = b.facts(t, k)
			b.put(t, in, token)
			b.put(t, in, token)
			return pointerTo(in)
		}),
		rejecting("auth beside another scheme", func(t *draw.T, b *builder) diag.Pointer {
			b.policy.OnConflict = drawChoice(t, "on conflict")
			b.policy.UnsupportedScheme = drawChoice(t, "unsupported scheme", "reject")
			b.putOtherScheme(t)
			b.presentIn(t, idToken, auth)
			return pointerTo(header)
		}),
		rejecting("more than any policy resolves", func(t *draw.T, b *builder) diag.Pointer {
			b.uid = userID.Draw(t, "the one user")
			for range maxCredentials + draw.Int(t, "too many", 1, 3) {
				b.presentIn(t, idToken, auth)
			}
			return wholeRequest
		}),
		{"the least of them counts", diag.Advise, func(t *draw.T, b *builder) diag.Pointer {
			b.policy.OnConflict = "least_privilege"
			b.presentIn(t, idToken, auth)
			b.presentIn(t, oauthAccess, accessToken)
			return pointerTo(accessToken)
		}},
		rejecting("two users, neither with fewer rights", func(t *draw.T, b *builder) diag.Pointer {
			b.policy.OnConflict = "least_privilege"
			for _, b.uid = range []string{"jack", "jill"} {
				b.presentIn(t, idToken, auth)
			}
			return pointerTo(auth)
		}),
		rejecting("a user and a legacy credential under the rules", func(t *draw.T, b *builder) diag.Pointer {
			b.policy.OnConflict = "least_privilege"
			b.presentIn(t, idToken, auth)
			b.presentIn(t, drawLegacy(t), auth)
			b.policy.LegacyRules = drawChoice(t, "legacy rules", "apply")
			return pointerTo(auth)
		}),
	}
}

// someToken draws a token for a place: good there, bad or unknown.
func (b *builder) someToken(t *draw.T, in rtdbauth.Place) string {
	k := idToken
	if in != rtdbauth.InAuth {
		k = oauthAccess
	}
	token := b.token(t, in, k)
	switch draw.Int(t, "known as", 0, 2) {
	case 0:
		b.known[token] = b.facts(t, k)
	case 1:
		b.known[token] = facts{"kind": "id_token", "verified": false}
	}
	return token
}

// unreadableQueries do not contain the same credentials for every reader.
func unreadableQueries() []variant {
	in := func(place rtdbauth.Place, list ...spelling) []variant {
		return spelled(list, func(t *draw.T, b *builder, pair string) diag.Pointer {
			b.maybePresent(t)
			b.pairs = append(b.pairs, pair)
			return pointerTo(place)
		})
	}
	return append(
		in(rtdbauth.InAuth,
			spelling{"malformed escape in auth", []string{"auth=%zz", "auth=a%2", "%61uth=%"}},
			spelling{"auth after a semicolon", []string{"x=1;auth=abc", "auth;x", "x;%61uth=abc", "x=1;y;auth"}},
			spelling{"semicolon in auth", []string{"auth=a;b", "auth=;access_token=abc", "auth=abc;"}},
			spelling{"auth not UTF-8", []string{"auth=%FF", "auth=a%C3", "auth=%ED%A0%80"}}),
		in(rtdbauth.InAccessToken,
			spelling{"malformed escape in access_token", []string{"access_token=%zz", "access_token=%%41"}},
			spelling{"access_token after a semicolon", []string{"x;access_token=abc", ";access_token=a;"}},
			spelling{"semicolon in access_token", []string{"access_token=a;b"}},
			spelling{"access_token not UTF-8", []string{"access_token=%80abc"}})...)
}

// spelling is a way to write a part of a request, with examples. NAME stands for any name.
type spelling struct {
	name  string
	texts []string
}

// spelled returns a variant for each spelling, which puts one of its texts into a request.
func spelled(list []spelling, put func(t *draw.T, b *builder, text string) diag.Pointer) []variant {
	var all []variant
	for _, s := range list {
		all = append(all, rejecting(s.name, func(t *draw.T, b *builder) diag.Pointer {
			text := draw.One(t, "text", s.texts...)
			return put(t, b, strings.ReplaceAll(text, "NAME", plainToken.Draw(t, "name")))
		}))
	}
	return all
}

// unlikeTokens are tokens that do not have the form of the kind, whatever the verifier says.
func unlikeTokens(k *tokenKind, texts ...string) variant {
	return rejecting(k.String()+": not the form", func(t *draw.T, b *builder) diag.Pointer {
		in := k.in[len(k.in)-1] // a parameter
		token := draw.One(t, "token", texts...)
		b.known[token] = b.facts(t, k)
		b.put(t, in, token)
		return pointerTo(in)
	})
}
