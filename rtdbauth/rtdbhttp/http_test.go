package rtdbhttp_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/rtdbauth"
	"github.com/calrules/calrules/rtdbauth/rtdbhttp"
)

const scopeBase = "https://scope.example"

// noon is the clock of the tests.
var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// generous confirms every fact about every token that begins with the name of its kind.
type generous struct{}

func (generous) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	kinds := map[string]rtdbauth.Kind{"access": rtdbauth.KindOAuthAccess, "user": rtdbauth.KindIDToken, "secret": rtdbauth.KindLegacySecret}
	name, _, _ := strings.Cut(token.Reveal(), "-")
	uid := "jill"
	scopes, _ := (&rtdbauth.Policy{ScopeBase: scopeBase}).RequiredScopes()
	return rtdbauth.Facts{
		Kind: kinds[name], Verified: new(true), Expired: new(false), Revoked: new(false), Audience: new(true),
		ServiceAccount: new(true), DBPermission: new(true), Scopes: scopes[:], UID: &uid,
	}, nil
}

// careless is a verifier with errors that show the token.
type careless struct{}

func (careless) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	return rtdbauth.Facts{}, errors.New("cannot verify " + token.Reveal())
}

// wrap returns the handler behind the guard.
func wrap(t testing.TB, g rtdbhttp.Guard, next http.Handler) http.Handler {
	t.Helper()
	h, err := g.Wrap(next)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// received parses a request like a server.
func received(t testing.TB, raw string) *http.Request {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMessageKeepsURL(t *testing.T) {
	for _, target := range []string{
		"/a.json", "/a%2Ejson", "/a%2Fb.json?auth=x&auth=%zz", "/a.json?access_token=a+b;c", "//a.json", "/%FF.json?%61uth=1", "/a.json?",
	} {
		r := received(t, "GET "+target+" HTTP/1.1\r\nHost: db.example\r\nauthorization: Bearer a\r\nAuthorization: Bearer b\r\nAccept: x\r\n\r\n")
		m := rtdbhttp.Message(r)
		if got, want := m.URL.Reveal(), strings.TrimSuffix(target, "?"); got != want {
			t.Errorf("URL %q, sent %q", got, want)
		}
		if m.Method != "GET" || *m.TLS || len(m.Headers) != 3 {
			t.Errorf("method %q, TLS %v, %d header fields", m.Method, *m.TLS, len(m.Headers))
		}
	}
	r := received(t, "OPTIONS * HTTP/1.1\r\nHost: db.example\r\n\r\n")
	r.TLS = &tls.ConnectionState{}
	if m := rtdbhttp.Message(r); m.URL.Reveal() != "*" || !*m.TLS {
		t.Errorf("URL %q, TLS %v", m.URL.Reveal(), *m.TLS)
	}
}

func TestStrip(t *testing.T) {
	r := received(t, "GET /a%2E.json?print=%70retty&auth=x&%61uth=y&ACCESS_TOKEN=z&&bad=%zz&b;auth=w&shallow HTTP/1.1\r\n"+
		"Host: db.example\r\nAuthorization: Bearer x\r\nAUTHORIZATION: Basic y\r\nAccept: */*\r\n\r\n")
	_ = r.ParseForm() // fails, but sets the values that it can read
	r.URL.User = url.UserPassword("a", "b")
	before := r.URL.String()
	out := rtdbhttp.Strip(r)
	if got, want := out.URL.String(), "/a%2E.json?print=%70retty&shallow"; got != want || out.RequestURI != want {
		t.Errorf("URL %q, RequestURI %q, want %q", got, out.RequestURI, want)
	}
	if diff := cmp.Diff(http.Header{"Accept": {"*/*"}}, out.Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	if out.Form.Has("auth") || out.Form.Has("ACCESS_TOKEN") {
		t.Errorf("form %v", out.Form)
	}
	if r.URL.String() != before || r.Header.Get("Authorization") == "" || !r.Form.Has("auth") {
		t.Error("Strip modified its argument")
	}
}

// TestStripOpaqueURL checks the text that net/http would send.
func TestStripOpaqueURL(t *testing.T) {
	for opaque, want := range map[string]string{
		"//user:SECRET@h/x.json?auth=SECRET2":             "http://h/x.json?shallow",
		"//user:SECRET@h/x.json?b=1&Auth=SECRET2&c=a@b#d": "http://h/x.json?b=1&c=a@b?shallow",
		"//user:SECRET@h#auth=SECRET2":                    "http://h?shallow",
		"//a@user:SECRET@h/a@b":                           "http://h/a@b?shallow",
		"https://user:SECRET@h/x.json":                    "https://h/x.json?shallow",
		"user:SECRET@h/x.json":                            "h/x.json?shallow",
		"SECRET@h":                                        "h?shallow",
		"/a:b@c.json?%61uth=SECRET":                       "/a:b@c.json?shallow",
		"/a//b@c.json":                                    "/a//b@c.json?shallow",
		"///a@b.json":                                     "http:///a@b.json?shallow",
	} {
		r := &http.Request{Method: "GET", URL: &url.URL{Scheme: "http", Opaque: opaque, RawQuery: "access_token=SECRET3&shallow"}}
		r.RequestURI = r.URL.RequestURI()
		out := rtdbhttp.Strip(r)
		if got := out.URL.RequestURI(); got != want || out.RequestURI != want {
			t.Errorf("%q: got %q, RequestURI %q, want %q", opaque, got, out.RequestURI, want)
		}
	}
}

func TestMessageOpaqueURL(t *testing.T) {
	r := &http.Request{Method: "GET", URL: &url.URL{Opaque: "/a.json", RawQuery: "auth=nobody-1"}}
	if got, want := rtdbhttp.Message(r).URL.Reveal(), "/a.json?auth=nobody-1"; got != want {
		t.Errorf("URL %q, want %q", got, want)
	}
}

// TestStripForms uses forms with values from the query, the body and files.
func TestStripForms(t *testing.T) {
	const part = "--x\r\nContent-Disposition: form-data; name=\"%s\"%s\r\n\r\nSECRET\r\n"
	body := fmt.Sprintf(part+part+part+part+"--x--\r\n", "auth", "", "Access_Token", "", "b", "", "auth", `; filename="a"`)
	r := httptest.NewRequest("POST", "/a.json?access_token=SECRET&c=1", strings.NewReader(body))
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	if err := r.ParseMultipartForm(1 << 20); err != nil || len(r.MultipartForm.File) != 1 || len(r.PostForm) != 3 {
		t.Fatalf("the form was not read: %v, %v", r.PostForm, err)
	}
	out := rtdbhttp.Strip(r)
	if diff := cmp.Diff(url.Values{"b": {"SECRET"}, "c": {"1"}}, out.Form); diff != "" {
		t.Errorf("form (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(url.Values{"b": {"SECRET"}}, out.PostForm); diff != "" {
		t.Errorf("form of the body (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]string{"b": {"SECRET"}}, out.MultipartForm.Value); diff != "" || len(out.MultipartForm.File) != 0 {
		t.Errorf("%d files, multipart form (-want +got):\n%s", len(out.MultipartForm.File), diff)
	}
	if len(r.MultipartForm.Value) != 3 || len(r.MultipartForm.File) != 1 {
		t.Error("Strip modified its argument")
	}
}

// TestStripRareParts uses a trailer, a fragment, and white space around the name of a field.
func TestStripRareParts(t *testing.T) {
	r := received(t, "GET /a.json?b=1#auth=SECRET&auth=SECRET HTTP/1.1\r\nHost: db.example\r\n"+
		"Authorization : x\r\n\r\n")
	r.URL.Fragment, r.URL.RawFragment = "auth=SECRET/", "auth=SECRET%2F"
	r.Trailer = http.Header{"Authorization": {"Bearer SECRET"}, "Digest": {"x"}}
	out := rtdbhttp.Strip(r)
	if got, want := out.URL.String(), "/a.json?b=1"; got != want || out.RequestURI != want || out.URL.RawFragment != "" {
		t.Errorf("URL %q, RequestURI %q, want %q", got, out.RequestURI, want)
	}
	if diff := cmp.Diff(http.Header{"Digest": {"x"}}, out.Trailer); diff != "" || len(out.Header) != 0 {
		t.Errorf("header %v, trailer (-want +got):\n%s", out.Header, diff)
	}
}

// TestRequestWithoutURL checks that such a request is rejected, and that Strip forwards no credential.
func TestRequestWithoutURL(t *testing.T) {
	r := &http.Request{Method: "GET", RequestURI: "/a.json?auth=SECRET", Header: http.Header{"Authorization": {"Bearer SECRET"}}}
	m := rtdbhttp.Message(r)
	if d := must(rtdbauth.Authenticate(t.Context(), m, generous{}, rtdbauth.Policy{}, noon)); !m.URL.Empty() || d.Principal != rtdbauth.Rejected {
		t.Errorf("%v", d.Principal)
	}
	if out := rtdbhttp.Strip(r); out.URL != nil || out.RequestURI != "" || len(out.Header) != 0 {
		t.Errorf("%v remains", out)
	}
}

// genQuery draws a query with credentials among other parameters.
var genQuery = rapid.Custom(func(t *rapid.T) string {
	pair := rapid.SampledFrom([]string{
		"auth=user-1", "access_token=access-1", "%61uth=user-1", "%2561uth=user-1", "Auth=x", "auth", "auth=%zz", "x;auth=user-1", "b=%zz",
		"next=https:/u:SECRET@h", "h=Bearer%09SECRET", "bearer=SECRET", "next=https%253A%252F%252FSECRET%2540h", "next=https:%5C%5CSECRET@h",
		"", "print=pretty", "orderBy=%22auth%22", "x=access_token", "a=b=c", "%41=%42", "who=a@b", "#auth=SECRET",
	})
	return strings.Join(rapid.SliceOfN(pair, 0, 4).Draw(t, "pairs"), "&")
})

// TestStripLeavesNothing checks that a stripped request presents nothing, and that RedactURL finds nothing to hide in it.
func TestStripLeavesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &http.Request{Method: "GET", Header: http.Header{}, URL: &url.URL{Path: "/a.json", RawQuery: genQuery.Draw(t, "query")}}
		name := rapid.SampledFrom([]string{"Authorization", "authorization", "Authorization ", "Accept"}).Draw(t, "field")
		r.Header[name] = []string{"Bearer access-1"}
		if rapid.Bool().Draw(t, "opaque") {
			r.URL.Opaque = rapid.SampledFrom([]string{"", "//h", "//u:p@h", "http://u@h", "#"}).Draw(t, "host") + "/a.json?" + genQuery.Draw(t, "opaque query")
		}
		r.RequestURI = r.URL.RequestURI()
		r.Form, _ = url.ParseQuery(genQuery.Draw(t, "form"))
		out := rtdbhttp.Strip(r)
		for _, target := range []string{out.RequestURI, out.URL.String(), rtdbhttp.Message(out).URL.Reveal(), "/a.json?" + out.Form.Encode()} {
			m := rtdbhttp.Message(out)
			_, query, _ := strings.Cut(target, "?")
			m.URL = rtdbauth.NewToken("/a.json?" + query)
			if d := must(rtdbauth.Authenticate(context.Background(), m, generous{}, rtdbauth.Policy{}, noon)); d.Principal != rtdbauth.None {
				t.Fatalf("credentials remain in %q: %v", target, d.Findings)
			}
			if redacted := rtdbauth.RedactURL(target); redacted != target {
				t.Fatalf("%q remains, which is logged as %q", target, redacted)
			}
		}
	})
}

func TestGuard(t *testing.T) {
	var seen rtdbauth.Decision
	guarded := wrap(t, rtdbhttp.Guard{
		Verifier: generous{},
		Policy:   rtdbauth.Policy{ScopeBase: scopeBase},
		Now:      func() time.Time { return noon },
	}, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen, _ = rtdbhttp.FromContext(r.Context()) }))
	for _, c := range []struct {
		target, bearer string
		want           rtdbauth.Principal // Unspecified: the handler is not called
	}{
		{target: "/a.json", want: rtdbauth.None},
		{target: "/a.json?auth=user-1", want: rtdbauth.User},
		{target: "/a.json", bearer: "access-1", want: rtdbauth.ServiceAccount},
		{target: "/a.json", bearer: "user-1"},
		{target: "/a.json?auth=nobody-1"},
		{target: "/a"},
		{target: "/a%2Fb.json?auth=user-1"},
	} {
		seen = rtdbauth.Decision{}
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", c.target, nil)
		if c.bearer != "" {
			r.Header.Set("Authorization", "Bearer "+c.bearer)
		}
		guarded.ServeHTTP(w, r)
		if seen.Principal != c.want {
			t.Errorf("%s with %q: principal %v, want %v", c.target, c.bearer, seen.Principal, c.want)
		}
		if c.want == rtdbauth.Unspecified {
			checkRefusal(t, w, http.StatusForbidden)
		}
	}
}

// TestGuardGivesMethod checks the method that the handler sees.
func TestGuardGivesMethod(t *testing.T) {
	for _, c := range []struct {
		dialect              diag.Dialect
		method, header, want string
	}{
		{diag.Google, "POST", "DELETE", "DELETE"},
		{diag.Google, "POST", "", "POST"},
		{diag.Google, "GET", "DELETE", "GET"},
		{diag.Google, "POST", "delete", ""}, // refused
		{diag.Documents, "POST", "DELETE", "POST"},
	} {
		var seen string
		guarded := wrap(t, rtdbhttp.Guard{Verifier: generous{}, Policy: rtdbauth.Policy{Dialect: c.dialect}},
			http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Method }))
		r := httptest.NewRequest(c.method, "/a.json", nil)
		if c.header != "" {
			r.Header.Set("X-HTTP-Method-Override", c.header)
		}
		guarded.ServeHTTP(httptest.NewRecorder(), r)
		if seen != c.want || r.Method != c.method {
			t.Errorf("%s, overridden by %q: the handler sees %q, want %q", c.method, c.header, seen, c.want)
		}
	}
}

// TestForward forwards requests as a service account. No reader finds more than the access of the decision in them.
func TestForward(t *testing.T) {
	const asJill = "auth_variable_override=%7B%22uid%22%3A%22jill%22%7D"
	policy := rtdbauth.Policy{Dialect: diag.Google, ScopeBase: scopeBase}
	for _, c := range []struct{ method, target, want string }{
		{"GET", "/a.json?auth=user-1&print=pretty", "GET /a.json?print=pretty&" + asJill},
		{"GET", "/a%20b/%3Fauth_variable_override=null.json?auth=user-1&ns=my-db", "GET /a%20b/%3Fauth_variable_override=null.json?ns=my-db&" + asJill},
		{"GET", "/a%2Cb.json?auth=user-1", "GET /a,b.json?" + asJill}, // the path that was judged
		{"GET", "/a%2Fb.json?auth=user-1", "error"},
		{"GET", "/.json", "GET /.json?auth_variable_override=null"},
		{"PATCH", "/a/.json?auth=user-1&shallow", "PATCH /a.json?shallow&" + asJill},
		{"POST", "/a.json?auth=user-1&x-http-method-override=PUT", "PUT /a.json?x-http-method-override=PUT&" + asJill},
		{"GET", "/a.json?auth=user-1&Auth_Variable_Override&x;y&&print=silent", "GET /a.json?print=silent&" + asJill},
		{"GET", "/a.json?access_token=owner", "GET /a.json"},
		{"GET", "/a.json?access_token=owner&auth_variable_override=%7B%22a%22:1%7D", "GET /a.json?auth_variable_override=%7B%22a%22%3A1%7D"},
		{"GET", "/a.json?auth=user-1&auth_variable_override=null", "error"},
		{"GET", "//a.json?auth=user-1", "error"},
	} {
		r := httptest.NewRequest(c.method, c.target, nil)
		d, err := rtdbauth.Authenticate(t.Context(), rtdbhttp.Message(r), policy.EmulatorOwner(generous{}), policy, noon)
		if err != nil {
			t.Fatal(err)
		}
		got := "error"
		if out, err := rtdbhttp.Forward(r, d); err == nil {
			got = out.Method + " " + out.URL.String()
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.method, c.target, got, c.want)
		}
	}
}

// TestForwardOpaqueURL checks that the override is a parameter of its own.
func TestForwardOpaqueURL(t *testing.T) {
	r := &http.Request{Method: "GET", URL: &url.URL{Scheme: "https", Host: "db.example", Opaque: "//other.example/b.json?x=1"}}
	out, err := rtdbhttp.Forward(r, rtdbauth.Decision{Principal: rtdbauth.None, Method: "GET", Location: "/a"})
	if err != nil || out.URL.String() != "https://db.example/a.json?auth_variable_override=null" {
		t.Errorf("%v, %v", out.URL, err)
	}
}

// checkRefusal checks the answer to a refused request, and returns what it says.
func checkRefusal(t *testing.T, w *httptest.ResponseRecorder, status int) string {
	t.Helper()
	var answer map[string]string
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	if w.Code != status || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") || len(answer) != 1 || answer["error"] == "" {
		t.Errorf("status %d, content type %q, answer %q", w.Code, w.Header().Get("Content-Type"), answer)
	}
	return answer["error"]
}

// TestGuardRefuses refuses requests: the client learns what is wrong with its request, and the log learns the rest.
func TestGuardRefuses(t *testing.T) {
	verifier := func(f rtdbauth.Facts) rtdbauth.Verifier { return saying{f} }
	uid := "jack"
	for name, c := range map[string]struct {
		facts  rtdbauth.Facts
		status int
		says   string // to the client
		logs   string // a rule id
	}{
		"expired":      {rtdbauth.Facts{Kind: rtdbauth.KindIDToken, Verified: new(true), Expired: new(true), Audience: new(true), UID: &uid}, 401, "has expired", ruleid.RTDBIDTokenExpired},
		"not genuine":  {rtdbauth.Facts{Kind: rtdbauth.KindIDToken, Verified: new(false)}, 403, "not genuine", ruleid.RTDBIDToken},
		"a fact fails": {rtdbauth.Facts{Kind: rtdbauth.KindIDToken, Verified: new(true), Expired: new(false), UID: &uid}, 403, "Permission denied", ruleid.RTDBIDToken},
	} {
		var logged rtdbauth.Decision
		guarded := wrap(t, rtdbhttp.Guard{
			Verifier: verifier(c.facts),
			Now:      func() time.Time { return noon },
			Refused:  func(_ *http.Request, d rtdbauth.Decision) { logged = d },
		}, http.NotFoundHandler())
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, httptest.NewRequest("GET", "/a.json?auth=a.b.c", nil))
		if says := checkRefusal(t, w, c.status); !strings.Contains(says, c.says) || strings.Contains(says, "verifier does not") {
			t.Errorf("%s: the client is told %q", name, says)
		}
		if len(logged.Findings) == 0 || !logged.Findings[0].Is(c.logs) {
			t.Errorf("%s: the log has %v", name, logged.Findings)
		}
	}
}

// saying is a verifier that says the same about every token.
type saying struct{ facts rtdbauth.Facts }

func (s saying) VerifyToken(context.Context, rtdbauth.Place, rtdbauth.Token) (rtdbauth.Facts, error) {
	return s.facts, nil
}

// TestGuardIsRefused wraps handlers with guards that could not work, at the limits of the status.
func TestGuardIsRefused(t *testing.T) {
	next := http.NotFoundHandler()
	for name, c := range map[string]struct {
		guard rtdbhttp.Guard
		next  http.Handler
		ok    bool
	}{
		"without a verifier":   {guard: rtdbhttp.Guard{}, next: next},
		"without a handler":    {guard: rtdbhttp.Guard{Verifier: generous{}}},
		"negative status":      {guard: rtdbhttp.Guard{Verifier: generous{}, Status: -1}, next: next},
		"status that succeeds": {guard: rtdbhttp.Guard{Verifier: generous{}, Status: 399}, next: next},
		"least status":         {guard: rtdbhttp.Guard{Verifier: generous{}, Status: 400}, next: next, ok: true},
		"greatest status":      {guard: rtdbhttp.Guard{Verifier: generous{}, Status: 599}, next: next, ok: true},
		"status out of range":  {guard: rtdbhttp.Guard{Verifier: generous{}, Status: 600}, next: next},
		"default status":       {guard: rtdbhttp.Guard{Verifier: generous{}}, next: next, ok: true},
	} {
		if h, err := c.guard.Wrap(c.next); (err == nil) != c.ok || (h != nil) != c.ok {
			t.Errorf("%s: handler %v, error %v", name, h != nil, err)
		}
	}
}

func TestGuardMessage(t *testing.T) {
	guard := wrap(t, rtdbhttp.Guard{
		Verifier: generous{},
		Policy:   rtdbauth.Policy{RequireTLS: true},
		Status:   http.StatusUnauthorized,
		Message: func(r *http.Request) rtdbauth.Message {
			m := rtdbhttp.Message(r)
			m.TLS = new(r.Header.Get("X-Forwarded-Proto") == "https")
			return m
		},
	}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	r := httptest.NewRequest("GET", "/a.json", nil)
	w := httptest.NewRecorder()
	guard.ServeHTTP(w, r)
	checkRefusal(t, w, http.StatusUnauthorized)
	r.Header.Set("X-Forwarded-Proto", "https")
	w = httptest.NewRecorder()
	guard.ServeHTTP(w, r)
	if w.Code != http.StatusNoContent {
		t.Errorf("status %d", w.Code)
	}
	if _, ok := rtdbhttp.FromContext(r.Context()); ok {
		t.Error("a decision without a guard")
	}
}

// TestGuardDoesNotShowTokens checks everything that a Guard sends.
func TestGuardDoesNotShowTokens(t *testing.T) {
	const token = "an-unknown-token"
	guard := wrap(t, rtdbhttp.Guard{Verifier: careless{}}, http.NotFoundHandler())
	for _, target := range []string{"/a.json?auth=" + token, "/a.json?access_token=" + token + "&auth=" + token, "/" + token + "?auth=" + token} {
		w := httptest.NewRecorder()
		guard.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		if text := fmt.Sprint(w.Header(), w.Body); strings.Contains(text, token) {
			t.Errorf("%s: %s", target, text)
		}
	}
}

// FuzzHTTP reads raw HTTP like a server. If the target is a path, the request that net/http returns
// has the same decision as the one that was sent. A stripped request presents nothing.
func FuzzHTTP(f *testing.F) {
	for _, target := range []string{"/a.json", "/a%2Ejson?auth=user-1", "/a.json?auth=%zz", "http://db.example/a.json", "*", "//a.json?;"} {
		f.Add([]byte("GET " + target + " HTTP/1.1\r\nHost: db.example\r\nAuthorization: Bearer access-1\r\n\r\n"))
		f.Add([]byte("PUT " + target + " HTTP/1.1\r\nHost: db.example\r\nauthorization: Basic x\r\nAuthorization:\r\n\r\n"))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(raw)))
		if err != nil {
			return
		}
		m := rtdbhttp.Message(r)
		d := must(rtdbauth.Authenticate(t.Context(), m, generous{}, rtdbauth.Policy{ScopeBase: scopeBase}, noon))
		if strings.HasPrefix(r.RequestURI, "/") && !strings.Contains(r.RequestURI, "#") {
			m.URL = rtdbauth.NewToken(r.RequestURI)
			sent := must(rtdbauth.Authenticate(t.Context(), m, generous{}, rtdbauth.Policy{ScopeBase: scopeBase}, noon))
			if diff := cmp.Diff(sent, d); diff != "" {
				t.Errorf("net/http changes the decision about %q (-sent +read):\n%s", r.RequestURI, diff)
			}
		}
		m = rtdbhttp.Message(rtdbhttp.Strip(r))
		d = must(rtdbauth.Authenticate(t.Context(), m, generous{}, rtdbauth.Policy{}, noon))
		if slices.ContainsFunc(d.Findings, func(f diag.Finding) bool { return f.Path != "" }) {
			t.Errorf("credentials remain: %v", d.Findings)
		}
	})
}

// must returns v, or panics if there is an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// forgetful is a verifier that leaves out one fact.
type forgetful struct {
	facts rtdbauth.Facts
}

func (f forgetful) VerifyToken(context.Context, rtdbauth.Place, rtdbauth.Token) (rtdbauth.Facts, error) {
	return f.facts, nil
}

// The operator reads which field of Facts the verifier must set.
func TestFindingsNameFields(t *testing.T) {
	known := rtdbauth.Facts{
		Kind: rtdbauth.KindOAuthAccess, Verified: new(true), Expired: new(false), ServiceAccount: new(true), DBPermission: new(true),
		Scopes: []string{"https://www.googleapis.com/auth/userinfo.email", "https://www.googleapis.com/auth/firebase.database"},
	}
	for field, forget := range map[string]func(*rtdbauth.Facts){
		"Kind":           func(f *rtdbauth.Facts) { f.Kind = rtdbauth.KindUnknown },
		"Verified":       func(f *rtdbauth.Facts) { f.Verified = nil },
		"Expired":        func(f *rtdbauth.Facts) { f.Expired = nil },
		"ServiceAccount": func(f *rtdbauth.Facts) { f.ServiceAccount = nil },
		"DBPermission":   func(f *rtdbauth.Facts) { f.DBPermission = nil },
		"Scopes":         func(f *rtdbauth.Facts) { f.Scopes = nil },
	} {
		facts := known
		forget(&facts)
		var found string
		guard := rtdbhttp.Guard{Verifier: forgetful{facts}, Policy: rtdbauth.Policy{Dialect: diag.Google}, Refused: func(_ *http.Request, d rtdbauth.Decision) {
			found = fmt.Sprint(d.Findings)
		}}
		handler, err := guard.Wrap(http.NotFoundHandler())
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("GET", "https://name.firebaseio.com/users.json", nil)
		r.Header.Set("Authorization", "Bearer a.token")
		handler.ServeHTTP(httptest.NewRecorder(), r)
		if !strings.Contains(found, "Facts."+field) {
			t.Errorf("without %s the findings are %s", field, found)
		}
	}
}
