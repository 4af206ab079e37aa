package rtdbauth_test

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
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
	"github.com/calrules/calrules/rtdbauth"
)

// received parses a request like a server.
func received(t testing.TB, raw string) *http.Request {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFromHTTPKeepsURL(t *testing.T) {
	for _, target := range []string{
		"/a.json", "/a%2Ejson", "/a%2Fb.json?auth=x&auth=%zz", "/a.json?access_token=a+b;c", "//a.json", "/%FF.json?%61uth=1", "/a.json?",
	} {
		r := received(t, "GET "+target+" HTTP/1.1\r\nHost: db.example\r\nauthorization: Bearer a\r\nAuthorization: Bearer b\r\nAccept: x\r\n\r\n")
		m := rtdbauth.FromHTTP(r)
		if got, want := m.URL.Reveal(), strings.TrimSuffix(target, "?"); got != want {
			t.Errorf("URL %q, sent %q", got, want)
		}
		if m.Method != "GET" || m.TLS != rtdbauth.No || len(m.Headers) != 2 {
			t.Errorf("method %q, TLS %v, %d header fields", m.Method, m.TLS, len(m.Headers))
		}
	}
	r := received(t, "OPTIONS * HTTP/1.1\r\nHost: db.example\r\n\r\n")
	r.TLS = &tls.ConnectionState{}
	if m := rtdbauth.FromHTTP(r); m.URL.Reveal() != "*" || m.TLS != rtdbauth.Yes {
		t.Errorf("URL %q, TLS %v", m.URL.Reveal(), m.TLS)
	}
}

func TestStrip(t *testing.T) {
	r := received(t, "GET /a%2E.json?print=%70retty&auth=x&%61uth=y&ACCESS_TOKEN=z&&bad=%zz&b;auth=w&shallow HTTP/1.1\r\n"+
		"Host: db.example\r\nAuthorization: Bearer x\r\nAUTHORIZATION: Basic y\r\nAccept: */*\r\n\r\n")
	_ = r.ParseForm() // fails, but sets the values that it can read
	r.URL.User = url.UserPassword("a", "b")
	before := r.URL.String()
	out := rtdbauth.Strip(r)
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
		out := rtdbauth.Strip(r)
		if got := out.URL.RequestURI(); got != want || out.RequestURI != want {
			t.Errorf("%q: got %q, RequestURI %q, want %q", opaque, got, out.RequestURI, want)
		}
	}
}

func TestFromHTTPOpaqueURL(t *testing.T) {
	r := &http.Request{Method: "GET", URL: &url.URL{Opaque: "/a.json", RawQuery: "auth=nobody-1"}}
	if got, want := rtdbauth.FromHTTP(r).URL.Reveal(), "/a.json?auth=nobody-1"; got != want {
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
	out := rtdbauth.Strip(r)
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
	out := rtdbauth.Strip(r)
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
	m := rtdbauth.FromHTTP(r)
	if d := rtdbauth.Authenticate(t.Context(), m, good, rtdbauth.Policy{}, noon); !m.URL.Empty() || d.Principal != rtdbauth.Rejected {
		t.Errorf("%v", d.Principal)
	}
	if out := rtdbauth.Strip(r); out.URL != nil || out.RequestURI != "" || len(out.Header) != 0 {
		t.Errorf("%v remains", out)
	}
}

// TestStripLeavesNothing checks that Extract does not find anything in a stripped request.
func TestStripLeavesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWire.Draw(t, "request")
		query := func(label string) string {
			return strings.Join(rapid.SliceOfN(rapid.OneOf(genPair, genNoisePair), 0, 3).Draw(t, label), "&")
		}
		r := &http.Request{Method: w.method, Header: http.Header{}, URL: &url.URL{Path: w.path, RawQuery: query("query")}}
		for _, h := range w.headers {
			r.Header[h[0]] = append(r.Header[h[0]], h[1])
		}
		if rapid.Bool().Draw(t, "opaque") {
			r.URL.Opaque = rapid.SampledFrom([]string{"", "//h", "//u:p@h", "http://u@h", "#"}).Draw(t, "host") + w.path + "?" + query("opaque query")
		}
		r.RequestURI = r.URL.RequestURI()
		r.Form, _ = url.ParseQuery(query("form"))
		out := rtdbauth.Strip(r)
		for _, target := range []string{out.RequestURI, out.URL.String(), rtdbauth.FromHTTP(out).URL.Reveal(), "/a.json?" + out.Form.Encode()} {
			m := rtdbauth.FromHTTP(out)
			m.URL = rtdbauth.NewToken(target)
			p := rtdbauth.Extract(m, rtdbauth.Policy{})
			if p.OtherScheme || p.Credentials != nil || slices.ContainsFunc(p.Findings, func(f diag.Finding) bool { return f.Path != "" }) {
				t.Fatalf("credentials remain in %q: %v", target, p.Findings)
			}
		}
	})
}

func TestRedactURL(t *testing.T) {
	for in, want := range map[string]string{
		"":                                     "",
		"/a.json":                              "/a.json",
		"/authors/token.json?print=pretty&b":   "/authors/token.json?print=pretty&b",
		"/a.json?auth=x":                       "/a.json?auth=REDACTED",
		"/a.json?x=1&access_token=a&y=2":       "/a.json?x=1&access_token=REDACTED&y=2",
		"/a.json?%61uth=x":                     "/a.json?%61uth=REDACTED",
		"/a.json?%2561uth=x":                   "/a.json?%2561uth=REDACTED",
		"/a.json?Access_Token=x":               "/a.json?Access_Token=REDACTED",
		"/a.json?auth=x;y#z?w":                 "/a.json?auth=REDACTED",
		"/a.json?b=1;auth=x":                   "/a.json?b=1;auth=REDACTED",
		"/a.json&auth=x":                       "/a.json&auth=REDACTED",
		"/a.json?auth%3Dx":                     "/a.json?REDACTED",
		"/a.json?b=%zz":                        "/a.json?REDACTED",
		"/a.json?oauth_token=x":                "/a.json?REDACTED",
		"/a.json?next=%2Fb.json%3Fauth%3Dx":    "/a.json?REDACTED",
		"/a.json?h=Bearer%20x":                 "/a.json?REDACTED",
		"/a.json#auth=x":                       "/a.json#REDACTED",
		"https://u:p@db.example/a.json?auth=x": "https://REDACTED@db.example/a.json?auth=REDACTED",
		"https://db.example/a@b.json":          "https://db.example/a@b.json",
		"//u:p@db.example/a.json":              "//REDACTED@db.example/a.json",
		"https://u@p@db.example?x=@":           "https://REDACTED@db.example?x=@",
		"///a@b.json":                          "///a@b.json", // no host, so no user
		"https:///a@b.json":                    "https:///a@b.json",
		"?auth=x":                              "?auth=REDACTED",
		"#x":                                   "#REDACTED",
		"/a.json?#x":                           "/a.json?#REDACTED",
		"/a.json?b=1;#x":                       "/a.json?b=1;#REDACTED",
		// It does not show either whether there was something to hide.
		"/a.json?auth=&access_token=": "/a.json?auth=REDACTED&access_token=REDACTED",
		"https://@db.example/a.json":  "https://REDACTED@db.example/a.json",
		"/a.json#":                    "/a.json#REDACTED",
	} {
		if got := rtdbauth.RedactURL(in); got != want {
			t.Errorf("RedactURL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestGuard(t *testing.T) {
	var seen rtdbauth.Decision
	guarded := rtdbauth.Guard{
		Verifier: good,
		Policy:   rtdbauth.Policy{ScopeBase: scopeBase},
		Now:      func() time.Time { return noon },
	}.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen, _ = rtdbauth.FromContext(r.Context()) }))
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
			checkProblem(t, w, http.StatusForbidden)
		}
	}
}

// checkProblem checks the problem details of a rejected request (RFC 9457).
func checkProblem(t *testing.T, w *httptest.ResponseRecorder, status int) {
	t.Helper()
	var p diag.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	if w.Code != status || p.Status != status || w.Header().Get("Content-Type") != diag.ProblemContentType {
		t.Errorf("status %d, in the body %d, content type %q", w.Code, p.Status, w.Header().Get("Content-Type"))
	}
	if p.Title == "" || len(p.Errors) == 0 || p.Errors[0].Pointer != "" {
		t.Errorf("problem %+v", p)
	}
}

func TestGuardWithoutVerifier(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	rtdbauth.Guard{}.Wrap(http.NotFoundHandler())
}

func TestGuardMessage(t *testing.T) {
	guard := rtdbauth.Guard{
		Verifier: good,
		Policy:   rtdbauth.Policy{RequireTLS: true},
		Status:   http.StatusUnauthorized,
		Message: func(r *http.Request) rtdbauth.Message {
			m := rtdbauth.FromHTTP(r)
			m.TLS = rtdbauth.FactOf(r.Header.Get("X-Forwarded-Proto") == "https")
			return m
		},
	}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	r := httptest.NewRequest("GET", "/a.json", nil)
	w := httptest.NewRecorder()
	guard.ServeHTTP(w, r)
	checkProblem(t, w, http.StatusUnauthorized)
	r.Header.Set("X-Forwarded-Proto", "https")
	w = httptest.NewRecorder()
	guard.ServeHTTP(w, r)
	if w.Code != http.StatusNoContent {
		t.Errorf("status %d", w.Code)
	}
	if _, ok := rtdbauth.FromContext(r.Context()); ok {
		t.Error("a decision without a guard")
	}
}
