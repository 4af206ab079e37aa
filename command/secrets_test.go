package command

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/internal/proxy"
)

// secret stands wherever a client, a server or a recording can put a value. shown stands in paths and bodies where --values asks for
// what they have: a header and a query are never shown.
const (
	secret = "ya29.very-secret"
	shown  = "a-shown-value"
)

// secretRuns are how each command meets traffic or recordings, and what its outputs must have. One without a function meets
// neither, and prints what its user gives it.
var secretRuns = map[string]struct {
	run   func(t *testing.T) (outputs []string)
	shows []string
}{
	"check": {
		func(t *testing.T) []string {
			return slices.Concat(
				runRecordings(t, "check", recordingFormats, secret),
				runRecordings(t, "check", listFormats, secret, "--statistics"),
				runRecordings(t, "check", []string{formatText, formatJSON, formatSARIF}, shown, "--values"),
				runSecretRequests(t, []string{"check"}, fileFormats),
			)
		},
		[]string{"/calendars/{calendarId}/events", "/calendars/" + shown, "(redacted)"},
	},
	"why": {
		func(t *testing.T) []string {
			return slices.Concat(
				runRecordings(t, "why", listFormats, secret), runRecordings(t, "why", listFormats, shown, "--values"),
				runSecretRequests(t, []string{"why", "--request"}, listFormats),
			)
		},
		[]string{"events.insert", shown, "(redacted)"},
	},
	"proxy": {
		runSecretProxies,
		[]string{
			"/calendars/{calendarId}/events", "/calendars/" + shown, "/{path}.json", "principal", "the upstream's response cannot be read", "closed the connection",
			"<h1>calrules proxy</h1>", "TLS handshake error", "authority: a client requested a different host", "the host of a tunnel cannot be reached",
		},
	},

	"expand": {}, "make": {}, "merge": {}, "patch": {}, "diff": {}, "rtdb": {}, "rules": {}, "explain": {}, "limits": {}, "operations": {},
	"schema": {}, "fuzz": {}, "conformance": {}, "ndjson": {}, "init": {}, "version": {},
	"aim": {}, // sends what it draws; TestHeaderIsSecret and TestEchoIsHidden in internal/aim
}

// TestSecrets plants secrets in every position that each command meets. No output has one.
func TestSecrets(t *testing.T) {
	for _, sub := range subcommands {
		test, listed := secretRuns[sub.name]
		if !listed {
			t.Errorf("what %s prints of traffic is not tried", sub.name)
		}
		if test.run == nil {
			continue
		}
		t.Run(sub.name, func(t *testing.T) {
			outputs := test.run(t)
			for _, text := range outputs {
				if before, after, ok := strings.Cut(text, "very-secret"); ok {
					t.Errorf("a secret is shown: %s[very-secret]%.200s", before[max(0, len(before)-200):], after)
				}
			}
			for _, text := range test.shows {
				if !strings.Contains(strings.Join(outputs, ""), text) {
					t.Errorf("no output has %q", text)
				}
			}
		})
	}
}

// secretRequest is a request with the secret in each part, and its answer. A value stands in the path and the body.
type secretRequest struct {
	method, path, query, body string
	status                    int
	media, answer             string // of the answer
}

func (r *secretRequest) target() string { return strings.TrimSuffix(r.path+"?"+r.query, "?") }

func secretRequests(value string) (all []secretRequest) {
	queries := []string{"", secret, secret + "=1", "maxResults=" + secret + "&access_token=" + secret, "orderBy=" + secret + "&%zz" + secret}
	bodies := []string{
		strings.ReplaceAll(`{"status":"#","start":{"dateTime":"#","timeZone":"#"},"#":1,"attendees":[{"email":"#"}],"extendedProperties":{"private":{"#":1}},`+
			`"recurrence":["#","RRULE:FREQ=DAILY;#=1"],"reminders":{"overrides":[{"method":"#"}]}}`, "#", value),
		`{"` + value, value,
	}
	answers := []secretRequest{
		{status: 200, media: "application/json", answer: strings.ReplaceAll(`{"id":"#","status":"#","#":1,"items":[{"status":"#"}]}`, "#", value)},
		{status: 400, media: "application/json", answer: strings.ReplaceAll(`{"error":{"code":400,"message":"#","errors":[{"reason":"#","message":"#","location":"#"}]}}`, "#", value)},
		{status: 404, media: secret, answer: value},
	}
	for _, method := range []string{"GET", "POST", "PATCH", "PUT", "GET" + value, value} {
		for _, path := range []string{"/calendar/v3/calendars/" + value + "/events", "/calendar/v3/calendars/primary/events/" + value, "/calendar/v3/freeBusy", "/calendar/v3/" + value, "/" + value, "/batch/calendar/v3"} {
			for _, body := range bodies {
				r := answers[len(all)%len(answers)]
				r.method, r.path, r.query, r.body = method, path, queries[(len(all)/2)%len(queries)], body
				all = append(all, r)
			}
		}
	}
	get := "\r\nGET /calendar/v3/calendars/" + value + "/events?orderBy=" + secret + " HTTP/1.1\r\nAuthorization: " + secret + "\r\n\r\n"
	for _, body := range []string{get, "\r\nPOST /calendar/v3/calendars/" + value + "/events HTTP/1.1\r\n\r\n{\"status\":\"" + value + "\"}", "\r\n" + secret, secret + "\r\n" + get} {
		for _, answer := range []string{
			"\r\nHTTP/1.1 400 " + secret + "\r\nContent-Type: application/json\r\n\r\n{\"error\":{\"message\":\"" + value + "\"}}", "\r\nHTTP/1.1 200 OK\r\nContent-Encoding: " + secret + "\r\n\r\n" + value,
			"\r\nHTTP/1.1 " + secret + "\r\n\r\n", secret + "\r\n\r\n",
		} {
			all = append(all, secretRequest{"POST", "/batch/calendar/v3", secret + "=1", "--b\r\n" + body + "\r\n--b--", 200, "multipart/mixed; boundary=b", "--b\r\n" + answer + "\r\n--b--"})
		}
	}
	return all
}

// runSecret runs a command, and returns its output.
func runSecret(args ...string) string {
	var out, errs bytes.Buffer
	Run(args, nil, &out, &errs)
	return out.String() + errs.String()
}

// runRecordings runs a command with recordings in each form and each format, and returns its outputs.
func runRecordings(t *testing.T, command string, formats []string, value string, flags ...string) (outputs []string) {
	type object = map[string]any
	var har, tape, nock, mappings []any
	for _, r := range secretRequests(value) {
		url := "https://www.googleapis.com" + r.target()
		har = append(har, object{
			"request": object{
				"method": r.method, "url": url, "headers": []object{{"name": secret, "value": secret}, {"name": "Authorization", "value": secret}, {"name": "Content-Type", "value": "multipart/mixed; boundary=b"}},
				"postData": object{"text": r.body},
			},
			"response": object{"status": r.status, "headers": []object{{"name": "Content-Type", "value": r.media}, {"name": secret, "value": secret}}, "content": object{"text": r.answer}},
		})
		tape = append(tape, object{
			"request":  object{"method": r.method, "uri": url, "body": r.body, "headers": object{secret: secret, "Content-Type": "multipart/mixed; boundary=b"}},
			"response": object{"status": object{"code": r.status, "message": secret}, "body": object{"string": r.answer}, "headers": object{"Content-Type": []string{r.media}, "Content-Encoding": secret}},
		})
		nock = append(nock, object{
			"scope": "https://www.googleapis.com:443", "method": r.method, "path": r.target(), "body": r.body, "reqheaders": object{"authorization": secret}, "status": r.status, "response": r.answer,
			"rawHeaders": []string{"Content-Type", r.media, secret, secret},
		})
		mappings = append(mappings, object{
			"name": secret, "request": object{"method": r.method, "url": r.target(), "headers": object{"Authorization": object{"equalTo": secret}}, "bodyPatterns": []object{{"equalTo": r.body}}},
			"response": object{"status": r.status, "body": r.answer, "headers": object{"Content-Type": r.media}},
		})
	}
	har = append(har, object{"request": object{"method": "POST", "url": har[0].(object)["request"].(object)["url"], "postData": object{"text": secret, "encoding": secret}}, "response": object{"status": 200}})
	mappings = append(mappings, object{"request": object{"method": value, "urlPattern": secret}}, object{"request": object{"method": "GET", "url": "/calendar/v3/colors"}, "response": object{"status": 200, "bodyFileName": secret}})
	for name, recorded := range map[string]any{
		"a.har": object{"log": object{"entries": har}}, "tape.json": object{"interactions": tape}, "nock.json": nock, "wiremock.json": object{"mappings": mappings},
		"cut.json": object{"interactions": []any{secret}}, "broken.json": object{"mappings": secret}, "wrong.har": object{"log": object{"entries": secret}}, "wrong.json": []object{{"scope": 1, "path": secret}},
	} {
		text, err := json.Marshal(recorded)
		if err != nil {
			t.Fatal(err)
		}
		outputs = append(outputs, runRecording(t, command, name, string(text), formats, flags)...)
	}
	for name, text := range map[string]string{"tape.yaml": "interactions: [" + secret, "alias.yaml": "interactions: *very-secret", "tag.yaml": "%TAG " + secret + "\n---\n", "cut.har": `{"log":{"entries":[{"` + secret} {
		outputs = append(outputs, runRecording(t, command, name, text, formats[:1], flags)...)
	}
	return outputs
}

// runRecording runs a command with a recording in each format.
func runRecording(t *testing.T, command, name, text string, formats, flags []string) (outputs []string) {
	file := writeSecret(t, name, text)
	form := "--cassette"
	if strings.HasSuffix(name, ".har") {
		form = "--har"
	}
	for _, format := range formats {
		outputs = append(outputs, runSecret(append([]string{command, form, "--no-config", "--format", format, "--max-size", "1GiB", file}, flags...)...))
	}
	return outputs
}

// writeSecret writes a file, and returns its name.
func writeSecret(t *testing.T, name, text string) string {
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// runSecretRequests runs a command with a request that is a line of curl, or that is written as HTTP, in each format. Its user has
// written the values of the body.
func runSecretRequests(t *testing.T, command, formats []string) (outputs []string) {
	const url = "https://www.googleapis.com/calendar/v3/calendars/" + shown + "/events?orderBy=" + secret + "&sendUpdates=" + secret + "&access_token=" + secret + "&" + secret + "=1&" + secret
	refusal := writeSecret(t, "refusal.json", `{"error":{"code":400,"message":"Bad Request"}}`)
	for name, text := range map[string]string{
		"a.curl": "curl '" + url + "' -H 'Authorization: Bearer " + secret + "' -u " + secret + " -b " + secret + ` -d '{"status":"` + shown + `"}'`,
		"a.http": "POST " + url + "\nAuthorization: Bearer " + secret + "\n" + secret + ": " + secret + "\n\n" + `{"status":"` + shown + `"}`,
		"b.curl": "curl '" + url + "' --data '@" + secret + "'", "c.curl": "curl '" + url + "' -H '" + secret, "d.curl": "curl '" + url + "' " + secret, "b.http": "GET " + url + "\n" + secret + "\n",
	} {
		for _, format := range formats {
			args := append(slices.Clone(command), writeSecret(t, name, text), "--no-config", "--format", format)
			if command[0] == "why" {
				args = append(args, refusal)
			}
			outputs = append(outputs, runSecret(args...))
		}
	}
	return outputs
}

// secretProxy is a proxy that a command would start, and what it prints.
type secretProxy struct {
	*proxy.Proxy
	options   proxy.Options
	out, errs bytes.Buffer
}

// newSecretProxy returns a proxy with flags that the function sets. end returns what it printed, and its page.
func newSecretProxy(t *testing.T, format string, set func(*proxyFlags)) (p *secretProxy, end func() []string) {
	p = new(secretProxy)
	c, err := newConsole(streams{in: strings.NewReader(""), out: &p.out, err: &p.errs}, func(string) string { return "" }, nil)
	if err != nil {
		t.Fatal(err)
	}
	flags := &proxyFlags{timeout: time.Minute, profile: newProfile(), format: newFormat(proxyFormats), changed: func(string) bool { return false }}
	flags.format.value = format
	set(flags)
	p.options, err = flags.options(c)
	if err == nil && flags.connect {
		err = flags.open(&p.options)
	}
	if err != nil {
		t.Fatal(err)
	}
	log := newProxyLog(c, flags)
	p.options.Report, p.options.Errors = log.exchange, log.complain
	p.Proxy = proxy.New(p.options)
	return p, func() []string {
		page := httptest.NewRecorder()
		for _, query := range []string{"", "?only=reject", "?only=" + secret} {
			r := httptest.NewRequest("GET", "/_calrules"+query, nil)
			r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
			p.ServeHTTP(page, r)
		}
		p.Close()
		if err := log.end(); err != nil && err != errFound {
			t.Error(err)
		}
		c.out.Flush()
		return []string{p.out.String(), p.errs.String(), page.Body.String()}
	}
}

// send sends a request to the proxy.
func (p *secretProxy) send(r *secretRequest) {
	request := httptest.NewRequest("GET", "/", strings.NewReader(r.body))
	request.Method, request.URL.Path, request.URL.RawQuery = r.method, r.path, r.query
	for name, value := range map[string]string{"Authorization": "Bearer " + secret, "Content-Type": "multipart/mixed; boundary=b", "X-" + secret: secret} {
		request.Header.Set(name, value)
	}
	if r.query == secret {
		request.Header.Set("Content-Encoding", secret)
	}
	p.ServeHTTP(httptest.NewRecorder(), request)
}

// runSecretProxies sends the requests through proxies, to upstreams that repeat them or break off, and returns what they print and
// their pages.
func runSecretProxies(t *testing.T) (outputs []string) {
	var answer secretRequest
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", answer.media)
		w.Header().Set("X-"+secret, "tls: "+secret)
		if answer.query == "" {
			w.Header().Set("Content-Encoding", secret)
		}
		w.WriteHeader(answer.status)
		io.WriteString(w, answer.answer)
	}))
	defer upstream.Close()
	for _, run := range []struct {
		format, value string
		set           func(*proxyFlags)
	}{
		{formatText, secret, func(*proxyFlags) {}}, {formatNDJSON, secret, func(*proxyFlags) {}}, {formatSARIF, secret, func(*proxyFlags) {}},
		{formatText, secret, func(f *proxyFlags) { f.block = true }},
		{formatText, secret, func(f *proxyFlags) { f.statistics = true }}, {formatNDJSON, secret, func(f *proxyFlags) { f.statistics = true }},
		{formatText, shown, func(f *proxyFlags) { f.values = true }}, {formatNDJSON, shown, func(f *proxyFlags) { f.values = true }},
	} {
		p, end := newSecretProxy(t, run.format, func(f *proxyFlags) {
			f.upstream = upstream.URL
			run.set(f)
		})
		for _, answer = range secretRequests(run.value) {
			p.send(&answer)
		}
		outputs = append(outputs, end()...)
	}
	for _, format := range proxyFormats {
		outputs = append(outputs, runSecretDatabase(t, format, upstream.URL)...)
		outputs = append(outputs, runSecretTunnels(t, format, upstream.URL)...)
	}
	return append(outputs, runHostileUpstream(t)...)
}

// runSecretDatabase sends requests with credentials in every place to a database.
func runSecretDatabase(t *testing.T, format, upstream string) []string {
	p, end := newSecretProxy(t, format, func(f *proxyFlags) { f.database = upstream })
	idToken := "e30." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"`+secret+`","exp":1}`)) + "." + secret
	for _, token := range []string{secret, idToken} {
		for _, query := range []string{"", "auth=" + token, "access_token=" + token, "auth=" + token + "&access_token=" + token, "auth_variable_override={\"uid\":\"" + token + "\"}", secret, "%zz" + secret} {
			p.send(&secretRequest{method: "PATCH", path: "/" + secret + "/" + secret + ".json", query: query, body: secret})
		}
	}
	return end()
}

// runSecretTunnels makes tunnels to the service, with requests that have the secret, and to other hosts.
func runSecretTunnels(t *testing.T, format, upstream string) []string {
	p, end := newSecretProxy(t, format, func(f *proxyFlags) {
		f.upstream, f.connect, f.authority = upstream, true, filepath.Join(t.TempDir(), "authority.pem")
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Serve(ctx, listener, nil) }()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(p.options.Authority.PEM())
	for _, config := range []*tls.Config{{RootCAs: roots}, {RootCAs: roots, ServerName: secret + ".example"}, {RootCAs: roots, NextProtos: []string{secret}}, {}} {
		client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: listener.Addr().String()}), TLSClientConfig: config, DisableKeepAlives: true}}
		for _, address := range []string{
			"https://www.googleapis.com/calendar/v3/calendars/" + secret + "/events?orderBy=" + secret, "https://www.googleapis.com/" + secret, "https://" + secret + ".invalid:99999/",
		} {
			r, err := http.NewRequest("POST", address, strings.NewReader(`{"status":"`+secret+`"}`))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+secret)
			if answer, err := client.Do(r); err == nil { // most tunnels fail
				answer.Body.Close()
			}
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return end()
}

// runHostileUpstream sends requests to an upstream whose answers are no HTTP, and have the secret.
func runHostileUpstream(t *testing.T) []string {
	answers := []string{
		"", secret, "HTTP/1.1 " + secret + "\r\n\r\n", "HTTP/1.1 200 OK\r\ntls: " + secret + "\x00\r\n\r\n", "HTTP/1.1 200 OK\r\n" + secret + "\r\n\r\n",
		"HTTP/1.1 101 " + secret + "\r\nConnection: upgrade\r\nUpgrade: " + secret + "\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + secret + "\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + secret + "\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + secret,
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 16\r\n\r\n" + secret,
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for _, answer := range answers {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				io.WriteString(conn, answer)
			}
			conn.Close()
		}
	}()
	p, end := newSecretProxy(t, formatNDJSON, func(f *proxyFlags) { f.upstream = "http://" + listener.Addr().String() })
	for i := range answers {
		p.send(&secretRequest{method: []string{"DELETE", secret}[i%2], path: "/calendar/v3/calendars/" + secret + "/events/" + secret, query: secret})
	}
	return end()
}
