package rtdb_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/rtdb"
	"github.com/calrules/calrules/rtdbauth"
)

const scopes = "https://scope.example"

// verifier knows three tokens.
type verifier struct{}

func (verifier) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	good := rtdbauth.Facts{Verified: new(true), Expired: new(false), Revoked: new(false), Audience: new(true), Database: new(true)}
	switch token.Reveal() {
	case "robot":
		good.Kind, good.ServiceAccount, good.DBPermission = rtdbauth.KindOAuthAccess, new(true), new(true)
		good.Scopes = []string{scopes + "/auth/userinfo.email", scopes + "/auth/platform.database"}
	case "ada", "bob":
		uid := token.Reveal()
		good.Kind, good.UID = rtdbauth.KindIDToken, &uid
	default:
		return rtdbauth.Facts{Verified: new(false)}, nil
	}
	return good, nil
}

// own lets users read and write what is below their name, and everybody read what is public.
func own(a rtdb.Access) bool {
	isOwn := len(a.Path) >= 2 && a.Path[0] == "users" && a.Path[1] == a.Decision.Subject && a.Decision.Principal == rtdbauth.User
	isPublic := !a.Write && len(a.Path) > 0 && a.Path[0] == "public"
	return isOwn || isPublic
}

func newDatabase(t *testing.T) *rtdb.Database {
	t.Helper()
	d, err := rtdb.New(rtdb.Options{
		Verifier: verifier{}, Policy: rtdbauth.Policy{ScopeBase: scopes}, Rules: own, MaxBody: 1 << 10,
		Now: func() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func send(d http.Handler, method, target, body string) (int, string) {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func TestAccess(t *testing.T) {
	d := newDatabase(t)
	for _, step := range []struct {
		method, target, body string
		status               int
		want                 string // of an answer with 200
	}{
		{"PUT", "/.json?access_token=robot", `{"public":{"news":"none"},"users":{"ada":{"age":36}}}`, 200, `{"public":{"news":"none"},"users":{"ada":{"age":36}}}`},
		{"GET", "/public/news.json", "", 200, `"none"`},
		{"GET", "/users/ada.json", "", 401, ""},
		{"GET", "/users/ada.json?auth=ada", "", 200, `{"age":36}`},
		{"GET", "/users/ada.json?auth=bob", "", 401, ""},
		{"GET", "/users/ada.json?auth=mallory", "", 401, ""},
		{"GET", "/users/ada.json?auth=ada&access_token=robot", "", 401, ""},
		{"GET", "/users/ada", "", 401, ""},
		{"PUT", "/users/ada/age.json?auth=ada", "37", 200, "37"},
		{"PUT", "/users/ada/age.json?auth=bob", "38", 401, ""},
		{"PUT", "/public/news.json", `"some"`, 401, ""},
		{"PATCH", "/users/bob.json?auth=bob", `{"age":40,"address/city":"Berlin"}`, 200, `{"address/city":"Berlin","age":40}`},
		{"GET", "/users.json?access_token=robot", "", 200, `{"ada":{"age":37},"bob":{"address":{"city":"Berlin"},"age":40}}`},
		{"DELETE", "/users/bob/address.json?auth=bob", "", 200, `null`},
		{"GET", "/users/bob.json?auth=bob", "", 200, `{"age":40}`},
		{"GET", "/nothing.json?access_token=robot", "", 200, `null`},
		{"PUT", "/list.json?access_token=robot", `["a",null,"c",null]`, 200, `["a",null,"c"]`},
		{"GET", "/list/2.json?access_token=robot", "", 200, `"c"`},
		{"PUT", "/list/0.json?access_token=robot", `null`, 200, `null`},
		{"GET", "/list.json?access_token=robot", "", 200, `{"2":"c"}`},
		{"PUT", "/a/b/c.json?access_token=robot&print=silent", `1.50`, 204, ""},
		{"GET", "/a.json?access_token=robot", "", 200, `{"b":{"c":1.50}}`},
		{"DELETE", "/a/b/c.json?access_token=robot", "", 200, `null`},
		{"GET", "/a.json?access_token=robot", "", 200, `null`},
		{"PUT", "/a.json?access_token=robot", `{`, 400, ""},
		{"PUT", "/a.json?access_token=robot", `{"a":1}}`, 400, ""},
		{"PUT", "/a.json?access_token=robot", `{"$a":1}`, 400, ""},
		{"PUT", "/a.json?access_token=robot", `{"a/b":1}`, 400, ""},
		{"PATCH", "/a.json?access_token=robot", `5`, 400, ""},
		{"PUT", "/a.json?access_token=robot", `"` + strings.Repeat("x", 1<<10) + `"`, 413, ""},
		{"PUT", "/a.json?access_token=robot", `{"b":[1]}`, 200, `{"b":[1]}`},
		{"GET", "/a.json?access_token=robot&print=pretty", "", 200, "{\n  \"b\": [\n    1\n  ]\n}"},
		{"GET", "/a.json?access_token=robot&shallow=true", "", 501, ""},
		{"GET", "/a.json?access_token=robot&orderBy=%22$key%22", "", 501, ""},
		{"GET", "/a.json?auth=mallory&shallow=true", "", 401, ""},
		{"DELETE", "/a.json?access_token=robot&limitToFirst=1", "", 501, ""},
		{"GET", "/a.json?access_token=robot", "", 200, `{"b":[1]}`},
		{"TRACE", "/a.json?access_token=robot", "", 405, ""},
	} {
		status, got := send(d, step.method, step.target, step.body)
		if status != step.status || status == 200 && got != step.want {
			t.Errorf("%s %s: %d %s, want %d %s", step.method, step.target, status, got, step.status, step.want)
		}
	}
}

// A condition that the database does not check is not taken for one that is met.
func TestConditions(t *testing.T) {
	d := newDatabase(t)
	for field, method := range map[string]string{"If-Match": "PUT", "X-Firebase-ETag": "GET"} {
		r := httptest.NewRequest(method, "/a.json?access_token=robot", strings.NewReader("1"))
		r.Header.Set(field, "true")
		w := httptest.NewRecorder()
		if d.ServeHTTP(w, r); w.Code != http.StatusNotImplemented || !strings.Contains(w.Body.String(), field) {
			t.Errorf("%s: %d %s", field, w.Code, w.Body)
		}
	}
	if _, got := send(d, "GET", "/a.json?access_token=robot", ""); got != "null" {
		t.Errorf("the data is %s", got)
	}
}

// A patch whose paths overlap is refused, and has no effect.
func TestPatchOverlap(t *testing.T) {
	d := newDatabase(t)
	for body, want := range map[string]int{
		`{"a":1,"a/b":2}`: 400, `{"a/b":1,"a/b/c":2,"a/b!":3}`: 400, `{"a/b":1,"a//b":2}`: 400, `{"a/b/c":1,"z":2,"a":3}`: 400, `{"/":{"b":1},"a":2}`: 400,
		`{"a/b":1,"a/bc":2,"a/c/b":3}`: 200,
	} {
		if got, text := send(d, "PATCH", "/x.json?access_token=robot", body); got != want {
			t.Errorf("%s: %d %s, want %d", body, got, text, want)
		}
	}
	if _, got := send(d, "GET", "/x.json?access_token=robot", ""); got != `{"a":{"b":1,"bc":2,"c":{"b":3}}}` {
		t.Errorf("the data is %s", got)
	}
}

// A null in a patch removes a child, even if the patch has nothing else.
func TestPatchRemoves(t *testing.T) {
	d := newDatabase(t)
	send(d, "PUT", "/x.json?access_token=robot", `{"a":1,"b":{"c":2,"d":3},"e":4,"f":5}`)
	for _, body := range []string{`{"a":null}`, `{"b/c":null,"e":{"g":null},"h":6}`} {
		if got, text := send(d, "PATCH", "/x.json?access_token=robot", body); got != 200 || text != strings.ReplaceAll(body, `{"g":null}`, "null") {
			t.Errorf("%s: %d %s", body, got, text)
		}
	}
	if _, got := send(d, "GET", "/x.json?access_token=robot", ""); got != `{"b":{"d":3},"f":5,"h":6}` {
		t.Errorf("the data is %s", got)
	}
}

// The names of added children sort in the order in which they were added, and are different.
func TestPost(t *testing.T) {
	d := newDatabase(t)
	var names []string
	for range 100 {
		status, text := send(d, "POST", "/list.json?access_token=robot", `true`)
		if status != 200 {
			t.Fatal(status, text)
		}
		names = append(names, text)
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(names)))
	if diff := cmp.Diff(sorted, names); diff != "" {
		t.Errorf("(-sorted +added):\n%s", diff)
	}
}

// Without rules only those have access who bypass them; without a verifier there is no database.
func TestOptions(t *testing.T) {
	d, err := rtdb.New(rtdb.Options{Verifier: verifier{}, Policy: rtdbauth.Policy{ScopeBase: scopes}})
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]int{"/a.json": 401, "/a.json?auth=ada": 401, "/a.json?access_token=robot": 200} {
		if got, text := send(d, "GET", target, ""); got != want {
			t.Errorf("%s: %d %s, want %d", target, got, text, want)
		}
	}
	if _, err := rtdb.New(rtdb.Options{}); err == nil {
		t.Error("there is a database without a verifier")
	}
}

// Browsers may show the answers to the scripts of any page. A HEAD has the access of a GET, and no body.
func TestBrowsers(t *testing.T) {
	server := httptest.NewServer(newDatabase(t))
	defer server.Close()
	for _, step := range []struct {
		method, target, asks string
		status               int
	}{
		{"OPTIONS", "/users/ada.json", "PUT", 204},
		{"PUT", "/users/ada.json?auth=ada", "", 200},
		{"GET", "/users/ada.json?auth=ada", "", 200},
		{"HEAD", "/users/ada.json?auth=ada", "", 200},
		{"HEAD", "/users/ada.json?auth=bob", "", 401},
	} {
		r, err := http.NewRequest(step.method, server.URL+step.target, strings.NewReader("1"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", "https://page.example")
		if step.asks != "" {
			r.Header.Set("Access-Control-Request-Method", step.asks)
		}
		resp, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != step.status || resp.Header.Get("Access-Control-Allow-Origin") != "*" || resp.Header.Get("Access-Control-Allow-Methods") != step.asks {
			t.Errorf("%s %s: %s %v, want %d", step.method, step.target, resp.Status, resp.Header, step.status)
		}
	}
}
