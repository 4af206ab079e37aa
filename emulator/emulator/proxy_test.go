package emulator_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"github.com/calrules/calrules/emulator/emulator"
)

// proxied is `calrules proxy` in front of an emulator.
type proxied struct {
	*exec.Cmd
	base      string // its address
	authority string // the file with the certificate
	out, errs bytes.Buffer
	requests  int // that reach the emulator
}

// startProxy starts the command.
func startProxy(t *testing.T, args ...string) *proxied {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	p := &proxied{authority: filepath.Join(t.TempDir(), "authority.pem")}
	service := emulator.New(emulator.WithClock(clock), emulator.WithOAuth())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.requests++ // one at a time
		service.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	all := []string{"proxy", "--no-config", "--dialect", "google", "--format", "ndjson", "--listen", "127.0.0.1:0"}
	if !slices.Contains(args, "UPSTREAM") {
		all = append(all, "--upstream", server.URL)
	}
	places := strings.NewReplacer("AUTHORITY", p.authority, "UPSTREAM", server.URL)
	for _, arg := range args {
		all = append(all, places.Replace(arg))
	}
	p.Cmd = calrules(t, all...)
	p.Stdout = &p.out
	errs, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	lines := bufio.NewReader(errs)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	p.base = strings.Fields(first)[1]
	go lines.WriteTo(&p.errs)
	return p
}

// logged is a line of the log. The last line has the totals.
type logged struct {
	Op       string
	Status   int
	Blocked  bool
	Findings []struct {
		Rule       string
		Remembered bool
	}
	Totals *struct{ Requests int }
}

// end ends the proxy, and returns what it has logged of each exchange.
func (p *proxied) end(t *testing.T) (log []logged) {
	t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := p.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 { // findings reject
		t.Errorf("the proxy ends with %v: %s", err, p.errs.String())
	}
	if strings.Contains(p.out.String(), "secret") {
		t.Errorf("the log has a credential: %s", p.out.String())
	}
	for line := range strings.Lines(p.out.String()) {
		var l logged
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		log = append(log, l)
	}
	if len(log) == 0 || log[len(log)-1].Totals == nil {
		t.Fatalf("the log does not end with totals: %s", p.out.String())
	}
	return log[:len(log)-1]
}

// rules returns what a log says of each exchange: the operation, the status and the rules.
func rules(log []logged) (all []string) {
	for _, l := range log {
		text := l.Op
		for _, f := range l.Findings {
			text += " " + f.Rule
			if f.Remembered {
				text += "*"
			}
		}
		all = append(all, text)
	}
	return all
}

// want is what the log says of the requests of each of the clients.
var wantProxied = []string{"events.insert", "events.patch patch.whole*", "events.insert event.end.required", "events.list"}

type bearer struct{ http.RoundTripper }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer go-secret")
	return b.RoundTripper.RoundTrip(r)
}

// useOfficial makes the requests of the clients with the official Go client.
func useOfficial(t *testing.T, transport http.RoundTripper, opts ...option.ClientOption) {
	t.Helper()
	service, err := calendar.NewService(t.Context(), append(opts, option.WithHTTPClient(&http.Client{Transport: bearer{transport}}))...)
	if err != nil {
		t.Fatal(err)
	}
	e := must[*calendar.Event](t)(service.Events.Insert("primary", &calendar.Event{Summary: "Review", Start: at(11, 9), End: at(11, 10)}).Do())
	_, err = service.Events.Patch("primary", e.Id, &calendar.Event{End: at(11, 8)}).Do()
	fails(t, err, 400, "timeRangeEmpty")
	_, err = service.Events.Insert("primary", &calendar.Event{Start: at(11, 9)}).Do()
	fails(t, err, 400, "required")
	list := must[*calendar.Events](t)(service.Events.List("primary").MaxResults(10).Do())
	same(t, "list", []string{e.Id}, ids(list))
}

// TestProxyGo calls the emulator through the proxy with the official Go client, by the proxy's address.
func TestProxyGo(t *testing.T) {
	p := startProxy(t)
	useOfficial(t, http.DefaultTransport, option.WithEndpoint(p.base+google+"/"))
	same(t, "the log", wantProxied, rules(p.end(t)))
	if p.requests != 4 {
		t.Errorf("%d requests reach the emulator", p.requests)
	}
}

// TestProxyBlock does the same with --block: the client's errors are the same, but a request that is wrong whatever is
// stored does not reach the emulator.
func TestProxyBlock(t *testing.T) {
	p := startProxy(t, "--block")
	useOfficial(t, http.DefaultTransport, option.WithEndpoint(p.base+google+"/"))
	log := p.end(t)
	same(t, "the log", wantProxied, rules(log))
	blocked := []bool{}
	for _, l := range log {
		blocked = append(blocked, l.Blocked)
	}
	same(t, "blocked", []bool{false, false, true, false}, blocked)
	if p.requests != 3 {
		t.Errorf("%d requests reach the emulator", p.requests)
	}
}

// TestProxyConnectGo has the official client as it is: it calls https://www.googleapis.com through the proxy.
func TestProxyConnectGo(t *testing.T) {
	p := startProxy(t, "--connect", "--authority", "AUTHORITY")
	transport := p.transport(t)
	useOfficial(t, transport)
	transport.CloseIdleConnections()
	same(t, "the log", wantProxied, rules(p.end(t)))
}

// TestProxyConnectTokens gets a token and the discovery document through the proxy: from the emulator, whose address is then that
// of the public service.
func TestProxyConnectTokens(t *testing.T) {
	p := startProxy(t, "--connect", "--authority", "AUTHORITY")
	transport := p.transport(t)
	defer transport.CloseIdleConnections()
	c := &http.Client{Transport: transport}
	answer := must[*http.Response](t)(c.PostForm("https://oauth2.googleapis.com/token", url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"1//a"}}))
	answer.Body.Close()
	same(t, "the token", 200, answer.StatusCode)
	answer = must[*http.Response](t)(c.Get("https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest"))
	defer answer.Body.Close()
	var document struct{ RootURL string }
	if err := json.NewDecoder(answer.Body).Decode(&document); err != nil {
		t.Fatal(err)
	}
	same(t, "rootUrl", "https://www.googleapis.com/", document.RootURL)
	same(t, "requests", 2, p.requests)
}

// transport returns a transport that uses the proxy and trusts its authority.
func (p *proxied) transport(t *testing.T) *http.Transport {
	t.Helper()
	via, err := url.Parse(p.base)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(p.authority)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	return &http.Transport{Proxy: http.ProxyURL(via), TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
}

// TestProxyConnectPython runs a program of the standard library of Python behind the proxy.
func TestProxyConnectPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no Python")
	}
	p := startProxy(t, "--connect", "--authority", "AUTHORITY")
	p.runBehind(t, "../clients/python", "SSL_CERT_FILE", python, "proxied.py")
	same(t, "the log", wantProxied, rules(p.end(t)))
}

// TestProxyConnectNode runs the official Node client behind the proxy, if `npm install` has fetched it.
func TestProxyConnectNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node")
	}
	if _, err := os.Stat("../clients/node/node_modules"); err != nil {
		t.Skip("the client is not installed: npm install in clients/node")
	}
	p := startProxy(t, "--connect", "--authority", "AUTHORITY")
	p.runBehind(t, "../clients/node", "NODE_EXTRA_CA_CERTS", node, "proxied.js")
	same(t, "the log", wantProxied, rules(p.end(t)))
}

// runBehind runs a program whose environment has the proxy, and the variable for certificates.
func (p *proxied) runBehind(t *testing.T, dir, variable string, command ...string) {
	t.Helper()
	program := exec.CommandContext(t.Context(), command[0], command[1:]...)
	program.Dir = dir
	program.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		return strings.HasSuffix(name, "_PROXY")
	}), "HTTPS_PROXY="+p.base, variable+"="+p.authority)
	if out, err := program.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "ok" {
		t.Errorf("%v: %s", err, out)
	}
}

// The sessions in docs/proxy.md are what the proxy writes.
func TestProxySessions(t *testing.T) {
	page, err := os.ReadFile("../../docs/proxy.md")
	if err != nil {
		t.Fatal(err)
	}
	const idToken = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJqYWNrIiwiZXhwIjo0MDAwMDAwMDAwfQ.c2ln"
	for _, session := range []struct {
		args     []string
		requests func(p *proxied)
	}{
		{nil, func(p *proxied) {
			p.send(t, "POST", google+"/calendars/primary/events?sendUpdates=none", `{"start": {"date": "2026-03-10"}, "end": {"date": "2026-03-10"}, "attendees": [{"email": "ada"}]}`, "")
			p.send(t, "GET", google+"/calendars/primary/events?orderBy=startTime", "", "")
		}},
		{[]string{"--connect", "--authority", "AUTHORITY"}, func(p *proxied) {
			const start = `{"start": {"dateTime": "2026-03-11T09:00:00Z"}` // as proxied.py has it
			var e calendar.Event
			if err := json.Unmarshal(p.send(t, "POST", google+"/calendars/primary/events", start+`, "end": {"dateTime": "2026-03-11T10:00:00Z"}}`, ""), &e); err != nil {
				t.Fatal(err)
			}
			p.send(t, "PATCH", google+"/calendars/primary/events/"+e.Id, `{"end": {"dateTime": "2026-03-11T08:00:00Z"}}`, "")
			p.send(t, "POST", google+"/calendars/primary/events", start+`}`, "")
			p.send(t, "GET", google+"/calendars/primary/events", "", "")
		}},
		{[]string{"--rtdb", "UPSTREAM"}, func(p *proxied) {
			p.send(t, "GET", "/users/jack.json", "", "ya29.secret")
			p.send(t, "GET", "/users/jack.json?access_token=ya29.secret&auth="+idToken, "", "")
		}},
	} {
		p := startProxy(t, append(session.args, "--format", "text")...)
		session.requests(p)
		if err := p.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		p.Wait() // its status is 1
		text := regexp.MustCompile(`events/[a-v0-9]{20,}`).ReplaceAllString(p.out.String(), "events/qh70v4medp223etdkvlls4vopo")
		if shown := regexp.MustCompile(`(?m)^ {4}(\^C)?`).ReplaceAllString(string(page), ""); !strings.Contains(shown, text) {
			t.Errorf("with %v the page does not show:\n%s", session.args, text)
		}
	}
}

// send sends a request to the proxy, and returns the answer.
func (p *proxied) send(t *testing.T, method, target, body, token string) []byte {
	t.Helper()
	r, err := http.NewRequest(method, p.base+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
