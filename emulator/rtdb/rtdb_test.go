package rtdb_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/rtdb"
	"github.com/calrules/calrules/rtdbauth"
)

var policy = rtdbauth.Policy{Dialect: diag.Google}

// verifier knows three tokens.
type verifier struct{}

func (verifier) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	good := rtdbauth.Facts{Verified: new(true), Expired: new(false), Revoked: new(false), Audience: new(true), Database: new(true)}
	switch token.Reveal() {
	case "robot":
		good.Kind, good.ServiceAccount, good.DBPermission = rtdbauth.KindOAuthAccess, new(true), new(true)
		scopes, _ := policy.RequiredScopes()
		good.Scopes = scopes[:]
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
	isOwn := len(a.Path) >= 2 && a.Path[0] == "users" && a.Path[1] == a.Decision.Subject
	isPublic := !a.Write && len(a.Path) > 0 && a.Path[0] == "public"
	return isOwn || isPublic
}

func newDatabase(t *testing.T) *rtdb.Database {
	t.Helper()
	d, err := rtdb.New(rtdb.Options{
		Verifier: verifier{}, Policy: policy, Rules: own, MaxBytes: 1 << 10,
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
		{"GET", "/a.json?access_token=robot&shallow=true", "", 200, `{"b":true}`},
		{"GET", "/a/b/0.json?access_token=robot&shallow=true", "", 200, `1`},
		{"GET", "/a.json?access_token=robot&shallow=yes", "", 400, ""},
		{"GET", "/a.json?access_token=robot&shallow=true&orderBy=%22$key%22", "", 400, ""},
		{"GET", "/a.json?auth=mallory&shallow=true", "", 401, ""},
		{"DELETE", "/a.json?access_token=robot&limitToFirst=1", "", 400, ""},
		{"PUT", "/a.json?access_token=robot&shallow=true", "1", 400, ""},
		{"GET", "/a.json?access_token=robot&format=export", "", 501, ""},
		{"GET", "/a.json?access_token=robot&ns=other", "", 200, `null`},
		{"PUT", "/a.json?access_token=robot&ns=other", `2`, 200, `2`},
		{"GET", "/a.json?access_token=robot&ns=other", "", 200, `2`},
		{"GET", "/a.json?access_token=robot&ns=a/b", "", 401, ""},
		{"GET", "/a.json?access_token=robot&ns=other&ns=third", "", 401, ""},
		{"POST", "/a.json?access_token=robot&ns=third&x-http-method-override=PUT", `3`, 200, `3`},
		{"POST", "/a.json?access_token=robot&ns=third&x-http-method-override=put", `4`, 401, ""},
		{"GET", "/a.json?access_token=robot&ns=third&x-http-method-override=PUT", ``, 200, `3`},
		{"PUT", "/list.json?access_token=robot", `{"0":"a","1":"b","3":"d"}`, 200, `["a","b",null,"d"]`},
		{"PUT", "/list.json?access_token=robot", `{"00":"a","1":"b"}`, 200, `{"00":"a","1":"b"}`},
		{"PATCH", "/list.json?access_token=robot", `{"0":"a"}`, 200, `{"0":"a"}`},
		{"PUT", "/deep.json?access_token=robot", strings.Repeat(`{"a":`, 31) + "1" + strings.Repeat("}", 31), 200, strings.Repeat(`{"a":`, 31) + "1" + strings.Repeat("}", 31)},
		{"PUT", "/deep.json?access_token=robot", strings.Repeat(`{"a":`, 32) + "1" + strings.Repeat("}", 32), 400, ""},
		{"GET", strings.Repeat("/a", 33) + ".json?access_token=robot", "", 400, ""},
		{"PUT", "/a.json?access_token=robot", `{"` + strings.Repeat("x", 769) + `":1}`, 400, ""},
		{"PUT", "/a.json?access_token=robot", `{"a\u0000":1}`, 400, ""},
		{"PATCH", "/a.json?access_token=robot", `{"":1}`, 400, ""},
		{"PATCH", "/a.json?access_token=robot", `{".sv":1}`, 400, ""},
		{"PUT", "/a.json?access_token=robot", `{"b":[1]}`, 200, `{"b":[1]}`},
		{"GET", "/a.json?access_token=robot&auth_variable_override=null", "", 401, ""},
		{"GET", "/public.json?access_token=robot&auth_variable_override=null", "", 200, `{"news":"none"}`},
		{"GET", "/users/ada.json?access_token=robot&auth_variable_override=%7B%22uid%22:%22ada%22%7D", "", 200, `{"age":37}`},
		{"GET", "/users/ada.json?access_token=robot&auth_variable_override=%7B%22uid%22:%22bob%22%7D", "", 401, ""},
		{"GET", "/users/ada.json?access_token=robot&auth_variable_override=1", "", 401, ""},
		{"GET", "/users/ada.json?auth=ada&auth_variable_override=%7B%22uid%22:%22ada%22%7D", "", 401, ""},
		{"GET", "/public.json?auth_variable_override=null", "", 401, ""},
		{"GET", "/a.json?access_token=robot", "", 200, `{"b":[1]}`},
		{"TRACE", "/a.json?access_token=robot", "", 405, ""},
	} {
		status, got := send(d, step.method, step.target, step.body)
		if status != step.status || status == 200 && got != step.want {
			t.Errorf("%s %s: %d %s, want %d %s", step.method, step.target, status, got, step.status, step.want)
		}
	}
}

// An ETag says what the data is: a write with another one has no effect, and a read with the same one no body.
func TestConditions(t *testing.T) {
	d := newDatabase(t)
	tag := func(method, field, value, body string) (int, string, string) {
		r := httptest.NewRequest(method, "/a.json?access_token=robot", strings.NewReader(body))
		r.Header.Set(field, value)
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		return w.Code, w.Header().Get("ETag"), w.Body.String()
	}
	_, absent, _ := tag("GET", "X-Firebase-ETag", "true", "")
	_, one, _ := tag("PUT", "X-Firebase-ETag", "true", `{"b":1,"c":[2]}`)
	for _, step := range []struct {
		method, field, value, body string
		status                     int
		etag, want                 string
	}{
		{"GET", "X-Firebase-ETag", "true", "", 200, one, `{"b":1,"c":[2]}`},
		{"GET", "X-Firebase-ETag", "false", "", 200, "", `{"b":1,"c":[2]}`},
		{"GET", "If-None-Match", one, "", 304, one, ""},
		{"GET", "If-None-Match", absent, "", 200, one, `{"b":1,"c":[2]}`},
		{"PUT", "If-Match", absent, "2", 412, one, `{"b":1,"c":[2]}`},
		{"DELETE", "If-Match", absent, "", 412, one, `{"b":1,"c":[2]}`},
		{"PATCH", "If-Match", one, `{"d":1}`, 400, "", ""},
		{"POST", "If-Match", one, `1`, 400, "", ""},
		{"PUT", "If-Match", one, "2", 200, "", "2"},
		{"PUT", "If-Match", one, "3", 412, "*", "2"},
		{"PUT", "If-Match", "*", `{"c":[2],"b":1}`, 200, "", `{"b":1,"c":[2]}`},
		{"DELETE", "If-Match", one, "", 200, "", "null"},
		{"PUT", "If-Match", "null_etag", "4", 200, "", "4"},
	} {
		status, etag, got := tag(step.method, step.field, step.value, step.body)
		if status != step.status || etag != step.etag && step.etag != "*" || step.want != "" && got != step.want {
			t.Errorf("%s, %s: %s, %s: %d %q %s, want %d %q %s", step.method, step.field, step.value, step.body, status, etag, got, step.status, step.etag, step.want)
		}
	}
	if absent != "null_etag" || one == absent || one == "" {
		t.Errorf("the tags are %q and %q", absent, one)
	}
}

// The server values are computed from what the location had.
func TestServerValues(t *testing.T) {
	d := newDatabase(t)
	const now = "1773144000000"
	for _, step := range []struct{ method, body, want string }{
		{"PUT", `{"at":{".sv":"timestamp"},"n":{".sv":{"increment":3}}}`, `{"at":` + now + `,"n":3}`},
		{"PATCH", `{"n":{".sv":{"increment":-1}},"m/k":{".sv":{"increment":0.5}}}`, `{"m/k":0.5,"n":2}`},
		{"PATCH", `{"m/k":{".sv":{"increment":1}},"n":{".sv":{"increment":9223372036854775807}}}`, `{"m/k":1.5,"n":9223372036854776000}`},
		{"PUT", `{"n":{"x":{".sv":{"increment":1}}}}`, `{"n":{"x":1}}`},
		{"PUT", `{".sv":"timestamp"}`, now},
		{"PUT", `[{".sv":{"increment":1}}]`, `[1]`},
		{"PUT", `{"a":{".sv":"other"}}`, ""},
		{"PUT", `{"a":{".sv":{"increment":"1"}}}`, ""},
		{"PUT", `{"a":{".sv":{"increment":1,"x":2}}}`, ""},
		{"PUT", `{"a":{".sv":"timestamp","x":2}}`, ""},
	} {
		status, got := send(d, step.method, "/v.json?access_token=robot", step.body)
		if want := map[bool]int{true: 200, false: 400}[step.want != ""]; status != want || status == 200 && got != step.want {
			t.Errorf("%s %s: %d %s, want %d %s", step.method, step.body, status, got, want, step.want)
		}
	}
}

// The work for a patch grows with the number of children, not with its square.
func TestPatchIsLinear(t *testing.T) {
	d, err := rtdb.New(rtdb.Options{Verifier: verifier{}, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	work := func(n int) float64 {
		var body strings.Builder
		for i := range n {
			fmt.Fprintf(&body, `,"child%d":%d`, i, i)
		}
		text := "{" + body.String()[1:] + "}"
		return testing.AllocsPerRun(1, func() {
			if status, got := send(d, "PATCH", "/x.json?access_token=robot&print=silent", text); status != 204 {
				t.Fatal(status, got)
			}
		})
	}
	if small, large := work(1000), work(8000); large > 10*small {
		t.Errorf("8 times the children take %.1f times the allocations", large/small)
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
	d, err := rtdb.New(rtdb.Options{Verifier: verifier{}, Policy: policy})
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
