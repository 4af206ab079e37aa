package rtdb_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/calrules/calrules/emulator/rtdb"
	"github.com/calrules/calrules/rtdbauth"
)

// listen returns a function that reads the next event of a stream, as its name and its data, or "end".
func listen(t *testing.T, server *httptest.Server, target string) func() string {
	t.Helper()
	r, err := http.NewRequest("GET", server.URL+target, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	resp, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%s: %s %v", target, resp.Status, resp.Header)
	}
	lines := bufio.NewScanner(resp.Body)
	return func() string {
		var event []string
		for lines.Scan() && lines.Text() != "" {
			_, value, _ := strings.Cut(lines.Text(), ": ")
			event = append(event, value)
		}
		if event == nil {
			return "end"
		}
		return strings.Join(event, " ")
	}
}

func TestStream(t *testing.T) {
	d := newDatabase(t)
	server := httptest.NewServer(d)
	defer server.Close()
	defer d.Close()
	send(d, "PUT", "/x.json?access_token=robot", `{"a":1}`)
	next := listen(t, server, "/x.json?access_token=robot")
	if got := next(); got != `put {"data":{"a":1},"path":"/"}` {
		t.Errorf("the first event is %s", got)
	}
	for _, step := range []struct{ method, at, body, want string }{
		{"PUT", "/x/b.json", "2", `put {"data":2,"path":"/b"}`},
		{"PUT", "/x/b.json", "2", ""}, // it is the same
		{"PUT", "/y.json", "1", ""},
		{"PATCH", "/x.json", `{"c":3,"d/e":4}`, `patch {"data":{"c":3,"d/e":4},"path":"/"}`},
		{"PATCH", "/x/d.json", `{"0":1,"e":null}`, `patch {"data":{"0":1,"e":null},"path":"/d"}`},
		{"PATCH", "/.json", `{"x/c":5,"y":2}`, `put {"data":{"a":1,"b":2,"c":5,"d":[1]},"path":"/"}`},
		{"DELETE", "/x/d.json", "", `put {"data":null,"path":"/d"}`},
		{"PUT", "/.json", `{"x":{"a":9}}`, `put {"data":{"a":9},"path":"/"}`},
		{"DELETE", "/.json", ``, `put {"data":null,"path":"/"}`},
	} {
		if status, text := send(d, step.method, step.at+"?access_token=robot", step.body); status != 200 {
			t.Fatal(status, text)
		}
		if step.want == "" {
			continue
		}
		if got := next(); got != step.want {
			t.Errorf("%s %s %s: %s, want %s", step.method, step.at, step.body, got, step.want)
		}
	}
	_, name := send(d, "POST", "/x.json?access_token=robot", "true")
	key := strings.Split(name, `"`)[3]
	if got, want := next(), `put {"data":true,"path":"/`+key+`"}`; got != want {
		t.Errorf("POST: %s, want %s", got, want)
	}
	d.Close()
	if got := next(); got != "end" {
		t.Errorf("after the end: %s", got)
	}
}

// A stream of a query shows what the query selects.
func TestStreamOfQuery(t *testing.T) {
	d := newDatabase(t)
	server := httptest.NewServer(d)
	defer server.Close()
	defer d.Close()
	send(d, "PUT", "/x.json?access_token=robot", `{"a":1,"b":2}`)
	next := listen(t, server, "/x.json?access_token=robot&orderBy=%22$value%22&limitToLast=1")
	if got := next(); got != `put {"data":{"b":2},"path":"/"}` {
		t.Errorf("the first event is %s", got)
	}
	send(d, "PUT", "/x/c.json?access_token=robot", "0")
	send(d, "PUT", "/x/d.json?access_token=robot", "5")
	if got := next(); got != `put {"data":{"d":5},"path":"/"}` {
		t.Errorf("the next event is %s", got)
	}
}

// A stream ends when its credential is no longer good, and when the rules no longer allow it.
func TestStreamEnds(t *testing.T) {
	var revoked, shut atomic.Bool
	d, err := rtdb.New(rtdb.Options{
		Verifier: verifierFunc(func(ctx context.Context, p rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
			f, err := verifier{}.VerifyToken(ctx, p, token)
			f.Expired = new(revoked.Load())
			return f, err
		}),
		Rules: func(a rtdb.Access) bool { return !shut.Load() }, KeepAlive: 10 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(d)
	defer server.Close()
	defer d.Close()
	for _, test := range []struct {
		end  *atomic.Bool
		want string
	}{
		{&revoked, `auth_revoked "credential is no longer valid"`},
		{&shut, "cancel null"},
	} {
		revoked.Store(false)
		shut.Store(false)
		next := listen(t, server, "/x.json?auth=ada")
		if first, second := next(), next(); first != `put {"data":null,"path":"/"}` || second != "keep-alive null" {
			t.Errorf("the stream begins with %s, %s", first, second)
		}
		test.end.Store(true)
		var got string
		for got = next(); got == "keep-alive null"; got = next() {
		}
		if after := next(); got != test.want || after != "end" {
			t.Errorf("the stream ends with %s, %s, want %s", got, after, test.want)
		}
	}
	if status, _ := send(d, "GET", "/x.json?auth=ada", ""); status != 401 {
		t.Errorf("a read has status %d", status)
	}
}

type verifierFunc func(context.Context, rtdbauth.Place, rtdbauth.Token) (rtdbauth.Facts, error)

func (f verifierFunc) VerifyToken(ctx context.Context, p rtdbauth.Place, t rtdbauth.Token) (rtdbauth.Facts, error) {
	return f(ctx, p, t)
}
