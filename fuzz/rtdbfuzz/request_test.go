package rtdbfuzz_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/fuzz/fuzzhttp"
	"github.com/calrules/calrules/fuzz/internal/rapidtest"
	"github.com/calrules/calrules/fuzz/rtdbfuzz"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/rtdbauth"
	"github.com/calrules/calrules/rtdbauth/rtdbhttp"
)

func TestRequestIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rtdbfuzz.Request().Draw(t, "request")
		if found := reasons(judge(r), rejects); len(found) > 0 {
			t.Fatalf("rejected by %v: %v", found, r)
		}
	})
}

// TestHTTP checks that a server of net/http sees the same request, except that it always knows whether the request uses TLS.
func TestHTTP(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.OneOf(rtdbfuzz.Request(), rapid.Map(brokenRequests, func(p rtdbfuzz.Payload) rtdbfuzz.Line { return p.Request })).Draw(t, "request")
		h, err := fuzzhttp.NewDatabaseRequest("http://database.example", r)
		if err != nil {
			if !judge(r).Rejected() {
				t.Fatalf("a valid request reaches no handler: %v", err)
			}
			return
		}
		m := rtdbhttp.Message(h)
		if m.TLS == nil || !*m.TLS {
			m.TLS = r.TLS()
		}
		got, err := rtdbauth.Authenticate(t.Context(), m, r.Verifier(), r.Policy(), r.Now())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r.Decision(), got); diff != "" {
			t.Errorf("another decision over HTTP (-line +HTTP):\n%s\nof %v", diff, r)
		}
	})
}

// TestLineIsPrinted checks that a request is its line in JSON and in what rapid prints.
func TestLineIsPrinted(t *testing.T) {
	r := rtdbfuzz.Request().Example(1)
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	var back rtdbfuzz.Line
	if err := errors.Join(encoder.Encode(r), json.Unmarshal(text.Bytes(), &back)); err != nil {
		t.Fatal(err)
	}
	want := string(r)
	if diff := cmp.Diff([]string{want, want, want}, []string{string(back), fmt.Sprint(r), fmt.Sprintf("%#v", r)}); diff != "" {
		t.Error(diff)
	}
}

func TestSameSeedSameRequest(t *testing.T) {
	for seed := range 20 {
		if diff := cmp.Diff(rtdbfuzz.Request().Example(seed), rtdbfuzz.Request().Example(seed)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestCoverage draws requests, the same in every run, until every goal is reached.
func TestCoverage(t *testing.T) {
	const draws = 6000
	seen, requests := map[string]int{}, rtdbfuzz.Request()
	missing := goals()
	for seed := 0; seed < draws && len(missing) > 0; seed++ {
		count(seen, requests.Example(seed))
		missing = slices.DeleteFunc(missing, func(goal string) bool { return seen[goal] > 0 })
	}
	if len(missing) > 0 {
		t.Errorf("never drawn: %q\ndrawn: %v", missing, slices.Sorted(maps.Keys(seen)))
	}
}

// goals are in the words of count.
func goals() []string {
	goals := []string{
		"principal unspecified", "principal none", "principal service_account", "principal user", "principal legacy",
		"rules n/a", "rules apply", "rules bypass", "read none", "read public", "read rules", "read full",
		"finding rtdb.legacy advise", "finding rtdb.bearer ignore", "finding rtdb.service-account.empty ignore",
		"finding rtdb.id-token ignore", "finding rtdb.path unspecified", "finding rtdb.bearer unspecified",
		"finding rtdb.id-token advise", "finding rtdb.service-account advise", "finding rtdb.one-credential advise",
		"finding rtdb.legacy.presentation unspecified", "finding rtdb.legacy.revoked unspecified", "finding rtdb.legacy unspecified",
		"finding rtdb.id-token unspecified", "finding rtdb.id-token.expired unspecified", "finding rtdb.method unspecified",
		"finding rtdb.service-account unspecified", "finding rtdb.service-account.scopes unspecified",

		"method GET", "method HEAD", "method POST", "method PUT", "method PATCH", "method DELETE", "method OPTIONS",
		"method TRACE", "method CONNECT", "method get", "method ", "method FETCH",

		"header Authorization", "header authorization", "header AUTHORIZATION", "header aUTHORIZATION", "other header",
		"scheme Bearer", "scheme bearer", "scheme BEARER", "scheme bEaReR", "scheme Basic",
		"name auth", "name access_token", "name encoded", "value encoded", "path encoded", "root", "other parameter",
		"credentials 0", "credentials 1", "credentials 2", "credentials 8",

		"exp just", "nbf just", "iat just", "exp just with leeway", "nbf just with leeway", "iat just with leeway", "scopes 2", "scopes 3",
		"dialect google", "overrides 1", "databases 1", "limited to rules", "limited to public",
		"clock true", "clock false", "tls true", "tls false", "tls <nil>",
	}
	for _, kind := range []string{"oauth_access", "id_token", "legacy_secret", "legacy_token"} {
		for _, fact := range []string{"verified", "expired", "exp", "nbf", "iat", "revoked", "audience", "db", "uid", "claims", "issued_to", "scopes", "db_permission"} {
			goals = append(goals, kind+" "+fact)
		}
		goals = append(goals, kind+" is granted something")
	}
	for _, place := range []string{"header", "auth", "access_token"} {
		goals = append(goals, "legacy in "+place, "legacy credential in "+place, "unknown token in "+place)
	}
	for member, words := range map[string]string{
		"legacy": "refuse", "legacy_rules": "apply bypass", "empty_credential": "ignore", "unsupported_scheme": "ignore reject",
		"on_conflict": "least_privilege", "ambiguous_path": "reject",
	} {
		for _, word := range append(strings.Fields(words), "") {
			goals = append(goals, "policy "+member+" "+word)
		}
	}
	for _, leeway := range []string{"0", "1", "60", "3600"} {
		goals = append(goals, "leeway "+leeway)
	}
	return append(goals, "scope base ", "scope base https://scope.example", "scope base https://scope.example/", "require TLS")
}

// count notes what a request contains and how it is decided.
func count(seen map[string]int, r rtdbfuzz.Line) {
	add := func(format string, args ...any) { seen[fmt.Sprintf(format, args...)]++ }
	d := r.Decision()
	add("principal %v", d.Principal)
	add("rules %v", d.Rules())
	add("read %v", d.Access())
	for _, f := range d.Findings {
		add("finding %s %s", f.Rule.ID, f.Kind)
	}
	if d.Location == "/" {
		add("root")
	}
	if d.Override.Reveal() != "" {
		add("limited to %s", d.Access())
	}

	var m model
	if err := json.Unmarshal(r, &m); err != nil {
		panic(err)
	}
	m.readHeader()
	m.readQuery()
	add("method %s", m.Method)
	add("dialect %s", m.Dialect)
	add("overrides %d", len(m.methods))
	add("databases %d", len(m.databases))
	countSpelling(add, &m)
	add("credentials %d", len(m.presented))
	_, clock := m.Known["_now"]
	add("clock %t", clock)
	transport, _ := m.Known["_request"].(map[string]any)
	add("tls %v", transport["tls"])
	countPolicy(add, &m)
	for _, p := range m.presented {
		f, _ := m.Known[p[1]].(map[string]any)
		kind, _ := f["kind"].(string)
		if strings.HasPrefix(kind, "legacy") {
			add("legacy credential in %s", p[0])
		} else if kind == "" {
			add("unknown token in %s", p[0])
		}
		if d.Granted() {
			add("%s is granted something", kind)
			countFacts(add, &m, kind, f)
		}
	}
}

func countSpelling(add func(string, ...any), m *model) {
	for _, h := range m.Headers {
		if !strings.EqualFold(h[0], "Authorization") {
			add("other header")
			continue
		}
		add("header %s", h[0])
		scheme, _, _ := strings.Cut(h[1], " ")
		add("scheme %s", scheme)
	}
	path, query, _ := strings.Cut(m.URL, "?")
	if strings.Contains(path, "%") {
		add("path encoded")
	}
	for _, pair := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name == "auth" || name == "access_token" {
			add("name %s", name)
		} else if strings.HasPrefix(name, "%61") && strings.Contains(pair, "=") {
			add("name encoded")
		} else {
			add("other parameter")
			continue
		}
		if strings.Contains(value, "%") {
			add("value encoded")
		}
	}
}

func countPolicy(add func(string, ...any), m *model) {
	p := m.Policy
	add("policy legacy %s", p.Legacy)
	add("policy legacy_rules %s", p.LegacyRules)
	add("policy empty_credential %s", p.EmptyCredential)
	add("policy unsupported_scheme %s", p.UnsupportedScheme)
	add("policy on_conflict %s", p.OnConflict)
	add("policy ambiguous_path %s", p.AmbiguousPath)
	add("leeway %v", p.LeewaySeconds)
	add("scope base %s", p.ScopeBase)
	if p.RequireTLS {
		add("require TLS")
	}
	for _, place := range p.LegacyIn {
		add("legacy in %s", place)
	}
}

// countFacts notes the facts about a token that gives rights, and its times that are just good enough.
func countFacts(add func(string, ...any), m *model, kind string, f map[string]any) {
	for name := range f {
		add("%s %s", kind, name)
	}
	if scopes, ok := f["scopes"].([]any); ok {
		add("scopes %d", len(scopes))
	}
	now, clock := m.Known["_now"].(float64)
	leeway := max(m.Policy.LeewaySeconds, 0)
	for name, limit := range map[string]float64{"exp": now - leeway + 1, "nbf": now + leeway, "iat": now + leeway} {
		if clock && f[name] == limit {
			add("%s just%s", name, map[bool]string{true: " with leeway"}[leeway > 0])
		}
	}
}

// TestShrunkRequestIsSmall lets properties fail, and checks the size of the shrunk request.
func TestShrunkRequestIsSmall(t *testing.T) {
	principal := func(p rtdbauth.Principal) func(rtdbfuzz.Line) bool {
		return func(r rtdbfuzz.Line) bool { return r.Decision().Principal == p }
	}
	for _, c := range []struct {
		name  string
		bytes int
		fails func(rtdbfuzz.Line) bool
	}{
		{"always", 40, func(rtdbfuzz.Line) bool { return true }},
		{"user", 160, principal(rtdbauth.User)},
		{"account", 350, principal(rtdbauth.ServiceAccount)},
		{"legacy", 190, principal(rtdbauth.Legacy)},
		{"open", 80, principal(rtdbauth.Unspecified)},
		{"leeway", 100, func(r rtdbfuzz.Line) bool { return r.Policy().LeewaySeconds > 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			least := rapidtest.Least(t, "1", rtdbfuzz.Request(), 20_000, c.fails)
			if t.Logf("%v", least); len(least) > c.bytes {
				t.Errorf("shrunk to %d bytes: %v", len(least), least)
			}
		})
	}
}

// TestFailureReads lets a property fail, and reads the last line of what rapid prints.
func TestFailureReads(t *testing.T) {
	printed := rapidtest.Printed(t, rtdbfuzz.Request())
	var req rtdbline.Request
	if err := json.Unmarshal([]byte(printed), &req); err != nil || req.Method == "" {
		t.Errorf("%v in %s", err, printed)
	}
}
