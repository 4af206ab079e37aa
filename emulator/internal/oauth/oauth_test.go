package oauth_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/calrules/calrules/emulator/internal/oauth"
)

const user = "user@example.com"

// newHandler returns a handler whose tokens are "token of" and an address.
func newHandler() (http.Handler, func(*http.Request) bool) {
	return oauth.New(oauth.Options{
		User:    user,
		TokenOf: func(email string) (string, bool) { return "token of " + email, email != "nobody@example.com" },
		UserOf: func(r *http.Request) (string, bool) {
			return strings.CutPrefix(r.Header.Get("Authorization"), "Bearer token of ")
		},
	})
}

// post sends a form to the token endpoint.
func post(t *testing.T, path string, form url.Values) (status int, answer map[string]any) {
	t.Helper()
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return do(t, r)
}

func do(t *testing.T, r *http.Request) (status int, answer map[string]any) {
	t.Helper()
	h, isFor := newHandler()
	if !isFor(r) {
		t.Fatalf("%s is not for the handler", r.URL)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s: %v in %s", r.URL, err, w.Body)
	}
	return w.Code, answer
}

func assertion(claims string) string {
	return "e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".c2ln"
}

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

// Every well-formed request gets a token, and every other one the error of RFC 6749.
func TestToken(t *testing.T) {
	for _, test := range []struct {
		name, form string
		token      string // or empty
		fault      string
	}{
		{"refresh token", "grant_type=refresh_token&client_id=a&client_secret=b&refresh_token=1//anything", "token of " + user, ""},
		{"code of another service", "grant_type=authorization_code&code=4/abc&redirect_uri=http://localhost", "token of " + user, ""},
		{"service account", "grant_type=" + jwtBearer + "&assertion=" + assertion(`{"iss":"robot@example.com"}`), "token of robot@example.com", ""},
		{"delegation", "grant_type=" + jwtBearer + "&assertion=" + assertion(`{"iss":"robot@example.com","sub":"ada@example.com"}`), "token of ada@example.com", ""},
		{"exchange", "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=x", "token of " + user, ""},
		{"padding", "grant_type=" + jwtBearer + "&assertion=" + url.QueryEscape("e30=."+base64.StdEncoding.EncodeToString([]byte(`{"iss":"robot@example.com","~":"?>"}`))+".c2ln"), "token of robot@example.com", ""},
		{"nobody", "grant_type=" + jwtBearer + "&assertion=" + assertion(`{"iss":"nobody@example.com"}`), "", "invalid_grant"},
		{"no grant", "refresh_token=a", "", "invalid_request"},
		{"no refresh token", "grant_type=refresh_token", "", "invalid_request"},
		{"no code", "grant_type=authorization_code", "", "invalid_request"},
		{"no assertion", "grant_type=" + jwtBearer, "", "invalid_request"},
		{"two parts", "grant_type=" + jwtBearer + "&assertion=a.b", "", "invalid_grant"},
		{"no claims", "grant_type=" + jwtBearer + "&assertion=a.!.c", "", "invalid_grant"},
		{"no issuer", "grant_type=" + jwtBearer + "&assertion=" + assertion(`{}`), "", "invalid_grant"},
		{"claims of another type", "grant_type=" + jwtBearer + "&assertion=" + assertion(`{"iss":5}`), "", "invalid_grant"},
		{"another grant", "grant_type=password&username=a", "", "unsupported_grant_type"},
		{"not a form", "%zz", "", "invalid_request"},
	} {
		r := httptest.NewRequest("POST", "/token", strings.NewReader(test.form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		status, got := do(t, r)
		if test.fault == "" && (status != 200 || got["access_token"] != test.token || got["token_type"] != "Bearer" || got["expires_in"] != 3599.0) {
			t.Errorf("%s: %d %v", test.name, status, got)
		}
		if test.fault != "" && (status != 400 || got["error"] != test.fault || got["error_description"] == "") {
			t.Errorf("%s: %d %v", test.name, status, got)
		}
	}
	for _, path := range []string{"/oauth2/v4/token", "/o/oauth2/token", "/v1/token"} {
		if status, got := post(t, path, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"a"}}); status != 200 {
			t.Errorf("%s: %d %v", path, status, got)
		}
	}
	r := httptest.NewRequest("POST", "/token", strings.NewReader(`{"grant_type":"refresh_token","refresh_token":"a"}`))
	r.Header.Set("Content-Type", "application/json")
	if status, got := do(t, r); status != 200 {
		t.Errorf("JSON: %d %v", status, got)
	}
}

// The page of consent leads back to the program at once, with a code for the user that it names, and the code leads to a
// refresh token and to access tokens of this user.
func TestConsent(t *testing.T) {
	ask := func(query string) *httptest.ResponseRecorder {
		h, _ := newHandler()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/o/oauth2/v2/auth?"+query, nil))
		return w
	}
	const good = "client_id=a&response_type=code&redirect_uri=http://127.0.0.1:9/back%3Fx%3D1&scope=s1+s2&state=st%26te"
	for query, email := range map[string]string{good: user, good + "&login_hint=ada@example.com": "ada@example.com"} {
		w := ask(query)
		to, err := url.Parse(w.Header().Get("Location"))
		if err != nil || w.Code != http.StatusFound || to.Host != "127.0.0.1:9" || to.Path != "/back" || to.Query().Get("x") != "1" || to.Query().Get("state") != "st&te" {
			t.Fatalf("%d %s, %v", w.Code, w.Header().Get("Location"), err)
		}
		_, got := post(t, "/token", url.Values{"grant_type": {"authorization_code"}, "code": {to.Query().Get("code")}})
		if got["access_token"] != "token of "+email || got["scope"] != "s1 s2" {
			t.Errorf("the code leads to %v", got)
		}
		refresh, _ := got["refresh_token"].(string)
		_, got = post(t, "/token", url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}})
		if got["access_token"] != "token of "+email || got["scope"] != "s1 s2" {
			t.Errorf("the refresh token leads to %v", got)
		}
	}
	for _, query := range []string{
		"", strings.Replace(good, "client_id=a", "", 1), strings.Replace(good, "=code", "=token", 1), strings.Replace(good, "http:", "javascript:", 1),
		strings.Replace(good, "http://127.0.0.1:9", "", 1), strings.Replace(good, "%3Fx", "%23x", 1),
	} {
		if w := ask(query); w.Code != 400 || w.Header().Get("Location") != "" {
			t.Errorf("%s: %d %s", query, w.Code, w.Header().Get("Location"))
		}
	}
}

// The metadata server answers with the field by which programs recognize it, and only those that send the field.
func TestMetadata(t *testing.T) {
	h, isFor := newHandler()
	get := func(path, flavor string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		if flavor != "" {
			r.Header.Set("Metadata-Flavor", flavor)
		}
		if !isFor(r) {
			t.Fatalf("%s is not for the handler", path)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Header().Get("Metadata-Flavor") != "Google" {
			t.Errorf("%s: the field is missing", path)
		}
		return w
	}
	const base = "/computeMetadata/v1/"
	for path, want := range map[string]string{
		"/": "", base + "instance": "", base + "project/project-id": "emulator", base + "universe/universe-domain": "googleapis.com",
		base + "instance/service-accounts/": "default/\n" + user + "/\n", base + "instance/service-accounts/default/email": user,
		base + "instance/service-accounts/" + user + "/scopes":                 "https://www.googleapis.com/auth/calendar\n",
		base + "instance/service-accounts/default/?recursive=True":             `{"aliases":["default"],"email":"user@example.com","scopes":["https://www.googleapis.com/auth/calendar"]}`,
		base + "instance/service-accounts/default/token?scopes=a":              `{"access_token":"token of user@example.com","expires_in":3599,"token_type":"Bearer"}`,
		base + "instance/service-accounts/default/":                            "aliases\nemail\nscopes\ntoken\n",
		"/computeMetadata/v1/instance/service-accounts/" + user + "/email?a=b": user,
	} {
		if w := get(path, "Google"); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: %d %q", path, w.Code, w.Body)
		}
		if path != "/" {
			if w := get(path, ""); w.Code != 403 {
				t.Errorf("%s without the field: %d", path, w.Code)
			}
		}
	}
	for _, path := range []string{"nosuch", "instance/service-accounts/default/nosuch", "instance/service-accounts/other/token"} {
		if w := get(base+path, "Google"); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if isFor(httptest.NewRequest("GET", "/", nil)) {
		t.Error("the handler takes the page of the emulator")
	}
}

func TestUserinfo(t *testing.T) {
	for field, want := range map[string]int{"": 401, "Bearer token of ada@example.com": 200} {
		r := httptest.NewRequest("GET", "/oauth2/v2/userinfo", nil)
		r.Header.Set("Authorization", field)
		if status, got := do(t, r); status != want || status == 200 && got["email"] != "ada@example.com" {
			t.Errorf("%q: %d %v", field, status, got)
		}
	}
}
