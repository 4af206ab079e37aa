package rtdbauth_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth"
)

const scopeBase = "https://scope.example"

// noon is the clock of the tests.
var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// verifier knows tokens by their text. It returns an error for the token "fails".
type verifier map[string]rtdbauth.Facts

func (v verifier) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	if token.Reveal() == "fails" {
		return rtdbauth.Facts{}, errors.New("unavailable")
	}
	return v[token.Reveal()], nil
}

// good knows one token of every kind, with only good facts, and a few others.
var good = verifier{
	"access-1": factsThat(rtdbauth.KindOAuthAccess, yes),
	"access-2": factsThat(rtdbauth.KindOAuthAccess, yes),
	"user-1":   factsThat(rtdbauth.KindIDToken, yes),
	"secret-1": factsThat(rtdbauth.KindLegacySecret, yes),
	"legacy-1": factsThat(rtdbauth.KindLegacyToken, yes),
	"other-1":  factsThat(rtdbauth.KindOther, yes),
	"forged-1": factsThat(rtdbauth.KindOAuthAccess, no),
	"jack-1":   jack(),
}

func jack() rtdbauth.Facts {
	facts, uid := factsThat(rtdbauth.KindIDToken, yes), "jack"
	facts.UID = &uid
	return facts
}

// wire is a request in parts, so that tests can reorder them.
type wire struct {
	method, path string
	pairs        []string
	headers      [][2]string
	tls          *bool
}

func (w wire) message() rtdbauth.Message {
	m := rtdbauth.Message{Method: w.method, TLS: w.tls}
	target := w.path
	if len(w.pairs) > 0 {
		target += "?" + strings.Join(w.pairs, "&")
	}
	m.URL = rtdbauth.NewToken(target)
	for _, h := range w.headers {
		m.Headers = append(m.Headers, rtdbauth.Field{Name: h[0], Value: rtdbauth.NewToken(h[1])})
	}
	return m
}

func decide(w wire, v rtdbauth.Verifier, policy rtdbauth.Policy) rtdbauth.Decision {
	return must(rtdbauth.Authenticate(context.Background(), w.message(), v, policy, noon))
}

var (
	genToken   = rapid.SampledFrom([]string{"access-1", "access-2", "user-1", "jack-1", "secret-1", "legacy-1", "other-1", "forged-1", "nobody-1", "fails"})
	genFact    = rapid.SampledFrom([]*bool{nil, no, yes})
	genPlaces  = rapid.SliceOfN(rapid.SampledFrom([]rtdbauth.Place{rtdbauth.InHeader, rtdbauth.InAccessToken, rtdbauth.InAuth}), 0, 3)
	genSeconds = rapid.SampledFrom([]int64{0, 0, 1, 60, 1 << 62})
)

var genPolicy = rapid.Custom(func(t *rapid.T) rtdbauth.Policy {
	return rtdbauth.Policy{
		LegacyIn:            rapid.OneOf(genPlaces, rapid.Just[[]rtdbauth.Place](nil)).Draw(t, "legacy in"),
		RejectLegacy:        rapid.Bool().Draw(t, "reject legacy"),
		LegacyBypass:        genFact.Draw(t, "legacy bypass"),
		IgnoreEmpty:         rapid.Bool().Draw(t, "ignore empty"),
		RejectOtherSchemes:  rapid.Bool().Draw(t, "reject other schemes"),
		IgnoreOtherSchemes:  rapid.Bool().Draw(t, "ignore other schemes"),
		LeastPrivilege:      rapid.Bool().Draw(t, "least privilege"),
		RejectAmbiguousPath: rapid.Bool().Draw(t, "reject ambiguous path"),
		LeewaySeconds:       genSeconds.Draw(t, "leeway"),
		RequireTLS:          rapid.Bool().Draw(t, "require TLS"),
		ScopeBase:           rapid.SampledFrom([]string{scopeBase, scopeBase, ""}).Draw(t, "scope base"),
		Dialect:             rapid.SampledFrom([]diag.Dialect{diag.Documents, diag.Google}).Draw(t, "dialect"),
	}
})

// publicPairs are the pairs that the public service reads beside credentials.
var publicPairs = []string{
	"auth_variable_override=null", `auth_variable_override={"uid":"jill"}`, `auth_variable_override={}`, "auth_variable_override=7", "auth_variable_override",
	"ns=a", "ns=b", "ns=a/b", "x-http-method-override=PUT", "x-http-method-override=HEAD", "x-http-method-override=FETCH",
}

// genPair draws a pair of a query that is a credential, looks like one, or limits what one is worth.
var genPair = rapid.Custom(func(t *rapid.T) string {
	if rapid.IntRange(0, 3).Draw(t, "of the public service") == 0 {
		return rapid.SampledFrom(publicPairs).Draw(t, "pair")
	}
	name := rapid.SampledFrom([]string{"auth", "access_token", "%61uth", "access%5Ftoken", "Auth", "ACCESS_TOKEN"}).Draw(t, "name")
	if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
		return name + rapid.SampledFrom([]string{"", "=", "=%zz", "=a;b", "=a+b", "=%FF", "=a=b"}).Draw(t, "odd value")
	}
	return name + "=" + genToken.Draw(t, "token")
})

var genLine = rapid.Custom(func(t *rapid.T) [2]string {
	name := rapid.SampledFrom([]string{"Authorization", "authorization", "AUTHORIZATION", "Authorization "}).Draw(t, "name")
	scheme := rapid.SampledFrom([]string{"Bearer ", "bearer  ", "Basic ", "", "Bearer\t"}).Draw(t, "scheme")
	return [2]string{name, scheme + rapid.OneOf(genToken, rapid.SampledFrom([]string{"", "a b", "a,b", "=="})).Draw(t, "token")}
})

var genNoisePair = rapid.SampledFrom([]string{"", "print=pretty", "shallow=true", "orderBy=%22auth%22", "x=access_token", "authx=1", "xauth=1", "a=b=c", "%41=%42"})

var genNoiseLine = rapid.SampledFrom([][2]string{
	{"Accept", "*/*"}, {"X-HTTP-Method", "DELETE"}, {"Cookie", "auth=user-1"}, {"Proxy-Authorization", "Bearer access-1"}, {"X-Access-Token", "access-1"}, {"", ""},
})

var genWire = rapid.Custom(func(t *rapid.T) wire {
	return wire{
		method:  rapid.SampledFrom([]string{"GET", "GET", "GET", "POST", "PUT", "HEAD", "get", ""}).Draw(t, "method"),
		path:    rapid.SampledFrom([]string{"/.json", "/a.json", "/a/b.json", "/a%2Fb.json", "/../a.json", "/a", "a.json", "/%zz.json", "/%2e.json"}).Draw(t, "path"),
		pairs:   rapid.SliceOfN(rapid.OneOf(genPair, genNoisePair), 0, 4).Draw(t, "pairs"),
		headers: rapid.SliceOfN(rapid.OneOf(genLine, genNoiseLine), 0, 3).Draw(t, "headers"),
		tls:     genFact.Draw(t, "tls"),
	}
})

// genGood draws requests that are often granted access.
var genGood = rapid.Custom(func(t *rapid.T) wire {
	w := wire{method: "GET", path: "/a/b.json"}
	switch rapid.IntRange(0, 3).Draw(t, "way") {
	case 0:
		w.pairs = []string{"auth=" + genToken.Draw(t, "token")}
	case 1:
		w.pairs = []string{"access_token=" + genToken.Draw(t, "token")}
	case 2:
		w.headers = [][2]string{{"Authorization", "Bearer " + genToken.Draw(t, "token")}}
	}
	return w
})

var genAny = rapid.OneOf(genWire, genGood)

func TestArbitraryBytes(t *testing.T) {
	bytes := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		w := wire{
			method:  bytes.Draw(t, "method"),
			path:    bytes.Draw(t, "path"),
			pairs:   rapid.SliceOfN(bytes, 0, 4).Draw(t, "pairs"),
			headers: [][2]string{{bytes.Draw(t, "name"), bytes.Draw(t, "value")}, {"Authorization", bytes.Draw(t, "authorization")}},
		}
		checkReasons(t, decide(w, good, genPolicy.Draw(t, "policy")))
	})
}

func TestDecisionGivesItsReasons(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkReasons(t, decide(genAny.Draw(t, "request"), good, genPolicy.Draw(t, "policy")))
	})
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, policy := genAny.Draw(t, "request"), genPolicy.Draw(t, "policy")
		other := w
		other.pairs = rapid.Permutation(w.pairs).Draw(t, "pairs in another order")
		other.headers = rapid.Permutation(w.headers).Draw(t, "headers in another order")
		if diff := cmp.Diff(decide(w, good, policy), decide(other, good, policy)); diff != "" {
			t.Fatalf("the order matters:\n%s", diff)
		}
	})
}

// TestAnotherCredentialDoesNotAddAccess adds a credential to a request, unless it has none.
func TestAnotherCredentialDoesNotAddAccess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, policy := genAny.Draw(t, "request"), genPolicy.Draw(t, "policy")
		before := decide(w, good, policy)
		bare := w // an override without a credential is not anonymous, but no credential either
		bare.pairs = slices.DeleteFunc(slices.Clone(w.pairs), func(pair string) bool { return strings.HasPrefix(pair, "auth_variable_override") })
		if decide(bare, good, policy).Principal == rtdbauth.None {
			t.Skip("a first credential adds access")
		}
		if policy.LeastPrivilege && !before.Granted() && slices.ContainsFunc(before.Findings, func(f diag.Finding) bool { return f.Rule.ID == "rtdb.one-credential" }) {
			t.Skip("two credentials are refused because neither grants less; a third one may grant less than both")
		}
		if rapid.Bool().Draw(t, "in the header") {
			w.headers = append(slices.Clone(w.headers), genLine.Draw(t, "line"))
		} else {
			w.pairs = append(slices.Clone(w.pairs), genPair.Draw(t, "pair"))
		}
		after := decide(w, good, policy)
		if after.Granted() && !before.Granted() || after.Bypass && !before.Bypass {
			t.Fatalf("%v, then %v", before, after)
		}
	})
}

// TestNoSilentDowngrade checks that, under the strict policy, a request with anything in a place for
// credentials is never anonymous.
func TestNoSilentDowngrade(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWire.Draw(t, "request")
		if rapid.Bool().Draw(t, "in the header") {
			w.headers = append(w.headers, [2]string{"Authorization", rapid.String().Draw(t, "value")})
		} else {
			name := rapid.SampledFrom([]string{"auth", "access_token", "a%75th", "%61ccess_token"}).Draw(t, "name")
			w.pairs = append(w.pairs, name+rapid.StringMatching(`(=[ -~]*)?`).Draw(t, "value"))
		}
		if d := decide(w, good, rtdbauth.Policy{ScopeBase: scopeBase}); d.Principal == rtdbauth.None {
			t.Fatalf("%+v is anonymous", w)
		}
	})
}

var genTime = rapid.SampledFrom([]time.Time{{}, noon.Add(-time.Hour), noon, noon.Add(time.Hour)})

// genFacts draws facts that are good, with few exceptions.
var genFacts = rapid.Custom(func(t *rapid.T) rtdbauth.Facts {
	kind := rapid.SampledFrom([]rtdbauth.Kind{
		rtdbauth.KindOAuthAccess, rtdbauth.KindOAuthAccess, rtdbauth.KindIDToken,
		rtdbauth.KindLegacySecret, rtdbauth.KindLegacyToken, rtdbauth.KindOther, rtdbauth.KindUnknown,
	}).Draw(t, "kind")
	facts := factsThat(kind, yes)
	required, _ := (&rtdbauth.Policy{ScopeBase: scopeBase}).RequiredScopes()
	changes := []func(){
		func() { facts.Verified = genFact.Draw(t, "verified") },
		func() { facts.Expired = genFact.Draw(t, "expired") },
		func() { facts.Revoked = genFact.Draw(t, "revoked") },
		func() { facts.Expires = genTime.Draw(t, "expires") },
		func() { facts.NotBefore = genTime.Draw(t, "not before") },
		func() { facts.IssuedAt = genTime.Draw(t, "issued at") },
		func() { facts.Audience = genFact.Draw(t, "audience") },
		func() { facts.Database = genFact.Draw(t, "database") },
		func() { facts.ServiceAccount = genFact.Draw(t, "service account") },
		func() { facts.DBPermission = genFact.Draw(t, "permission") },
		func() {
			facts.Scopes = rapid.SampledFrom([][]string{nil, {}, required[:1], required[1:]}).Draw(t, "scopes")
		},
		func() { facts.UID = rapid.SampledFrom([]*string{new(""), nil}).Draw(t, "uid") },
	}
	for range rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "changes") {
		changes[rapid.IntRange(0, len(changes)-1).Draw(t, "change")]()
	}
	return facts
})

// TestBypassConditions compares every bypass with the conditions of the document.
func TestBypassConditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, policy, facts := genGood.Draw(t, "request"), genPolicy.Draw(t, "policy"), genFacts.Draw(t, "facts")
		w.tls = yes // half of the policies require it
		v := verifier{}
		for token := range good {
			v[token] = facts
		}
		d := decide(w, v, policy)
		checkReasons(t, d)
		if !d.Bypass {
			return
		}
		switch d.Principal {
		case rtdbauth.ServiceAccount:
			if why := notAServiceAccount(w, facts, policy); why != "" {
				t.Fatalf("bypass, but %s", why)
			}
		case rtdbauth.Legacy:
			known := policy.Dialect == diag.Google && facts.Kind == rtdbauth.KindLegacySecret && len(w.pairs) > 0 && strings.HasPrefix(w.pairs[0], "auth=")
			accepted := len(policy.LegacyIn) > 0 || policy.LegacyIn == nil && known
			bypass := is(policy.LegacyBypass, true) || policy.LegacyBypass == nil && known
			if !accepted || !bypass || policy.RejectLegacy {
				t.Fatalf("bypass for a legacy credential under %+v", policy)
			}
		default:
			t.Fatalf("bypass for %v", d.Principal)
		}
	})
}

// is reports whether a fact is known to be b.
func is(f *bool, b bool) bool { return f != nil && *f == b }

// notAServiceAccount returns a condition of the document for a bypass that is not met, or "".
func notAServiceAccount(w wire, f rtdbauth.Facts, policy rtdbauth.Policy) string {
	leeway := time.Duration(0)
	if policy.LeewaySeconds > 0 {
		leeway = time.Duration(min(policy.LeewaySeconds, 7200)) * time.Second // all drawn times are closer than that
	}
	switch {
	case f.Kind != rtdbauth.KindOAuthAccess || !is(f.ServiceAccount, true):
		return "it is not an access token of a service account"
	case slices.ContainsFunc(w.pairs, func(p string) bool { return strings.HasPrefix(p, "auth=") }):
		return "it is presented as auth"
	case !is(f.Verified, true):
		return "it is not verified"
	case is(f.Expired, true) || f.Expired == nil && f.Expires.IsZero():
		return "it has expired, or may have"
	case !f.Expires.IsZero() && f.Expires.Add(leeway).Compare(noon) <= 0:
		return "its expiry time is past"
	case f.NotBefore.After(noon.Add(leeway)) || f.IssuedAt.After(noon.Add(leeway)):
		return "it is not valid yet"
	case is(f.Revoked, true):
		return "it has been revoked"
	case !is(f.DBPermission, true):
		return "its account lacks permission"
	case len(f.Scopes) != 3 || policy.ScopeBase != scopeBase:
		return "it lacks a scope"
	case is(f.Audience, false) || is(f.Database, false):
		return "it is for another project or database"
	default:
		return ""
	}
}

func TestUnrelatedPartsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, policy := genAny.Draw(t, "request"), genPolicy.Draw(t, "policy")
		noisy := w
		noisy.pairs = append(slices.Clone(w.pairs), genNoisePair.Draw(t, "pair"))
		noisy.headers = append(slices.Clone(w.headers), genNoiseLine.Draw(t, "line"))
		if diff := cmp.Diff(decide(w, good, policy), decide(noisy, good, policy)); diff != "" {
			t.Fatalf("the decision changes:\n%s", diff)
		}
	})
}

// TestEncodingDoesNotMatter percent-encodes unreserved characters (RFC 3986 section 2.3).
func TestEncodingDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, policy := genAny.Draw(t, "request"), genPolicy.Draw(t, "policy")
		encoded := w
		encoded.path = encodeSome(t, w.path)
		encoded.pairs = nil
		for _, p := range w.pairs {
			encoded.pairs = append(encoded.pairs, encodeSome(t, p))
		}
		if diff := cmp.Diff(decide(w, good, policy), decide(encoded, good, policy)); diff != "" {
			t.Fatalf("the decision about %+v differs:\n%s", encoded, diff)
		}
	})
}

// encodeSome percent-encodes some characters of s that are not part of an escape.
func encodeSome(t *rapid.T, s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '%':
			end := min(i+3, len(s))
			b.WriteString(s[i:end])
			i = end - 1
		case strings.IndexByte("/?=&;+", c) < 0 && rapid.Bool().Draw(t, "encode"):
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// TestVerifierIsNotCalled uses requests that are rejected or unspecified whatever their tokens are.
func TestVerifierIsNotCalled(t *testing.T) {
	for _, w := range []wire{
		{method: "GET", path: "/a", pairs: []string{"auth=user-1"}},
		{method: "get", path: "/a.json", pairs: []string{"auth=user-1"}},
		{method: "GET", path: "/a.json", pairs: []string{"auth=user-1", "access_token=access-1"}},
	} {
		decide(w, untouchable{t}, rtdbauth.Policy{})
	}
}

type untouchable struct{ t *testing.T }

func (u untouchable) VerifyToken(context.Context, rtdbauth.Place, rtdbauth.Token) (rtdbauth.Facts, error) {
	u.t.Error("the verifier was called")
	return rtdbauth.Facts{}, nil
}
