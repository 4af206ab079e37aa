package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/proxy"
)

// secret stands wherever a client, a server or a recording can put a value.
const secret = "ya29.very-secret"

// secretRuns are how each command meets traffic or recordings. One without a function meets neither, and prints what its user gives it.
var secretRuns = map[string]func(t *testing.T) []string{
	"check": func(t *testing.T) []string {
		return slices.Concat(
			runRecordings(t, "check", recordingFormats),
			runRecordings(t, "check", listFormats, "--statistics"),
		)
	},
	"why":   func(t *testing.T) []string { return runRecordings(t, "why", listFormats) },
	"proxy": runSecretProxies,

	"expand": nil, "make": nil, "merge": nil, "patch": nil, "diff": nil, "rtdb": nil, "rules": nil, "explain": nil, "limits": nil, "operations": nil,
	"schema": nil, "fuzz": nil, "conformance": nil, "ndjson": nil, "init": nil, "version": nil,
	"aim": nil, // sends what it draws; TestHeaderIsSecret and TestEchoIsHidden in internal/aim
}

// TestSecrets plants secrets in every position that each command meets. No output has one unless values are asked for.
func TestSecrets(t *testing.T) {
	for _, sub := range subcommands {
		run, listed := secretRuns[sub.name]
		if !listed {
			t.Errorf("what %s prints of traffic is not tried", sub.name)
		}
		if run == nil {
			continue
		}
		t.Run(sub.name, func(t *testing.T) {
			outputs := run(t)
			for _, text := range outputs {
				if strings.Contains(text, "very-secret") {
					t.Errorf("a secret is shown: %s", text)
				}
			}
			if len(outputs) < 3 || !strings.Contains(strings.Join(outputs, ""), "{calendarId}") && sub.name != "why" {
				t.Errorf("%d outputs show nothing: %.300s", len(outputs), outputs)
			}
		})
	}
}

// secretRequests are requests with the secret in each part.
func secretRequests() (all []*http.Request) {
	for _, method := range []string{"GET", "POST", "PATCH", "PUT", "GET" + secret, secret} {
		for _, path := range []string{"/calendar/v3/calendars/" + secret + "/events", "/calendar/v3/calendars/primary/events/" + secret, "/calendar/v3/freeBusy", "/calendar/v3/" + secret, "/" + secret, "/batch/calendar/v3"} {
			for i, body := range secretBodies {
				query := secretQueries[(len(all)+i)%len(secretQueries)]
				r := &http.Request{Method: method, URL: &url.URL{Scheme: "https", Host: "www.googleapis.com", Path: path, RawQuery: query}, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
				r.Header.Set("Authorization", "Bearer "+secret)
				r.Header.Set("Content-Type", "multipart/mixed; boundary=b")
				r.Header.Set("X-"+secret, secret)
				all = append(all, r)
			}
		}
	}
	return all
}

var secretQueries = []string{"", secret, secret + "=1", "maxResults=" + secret + "&access_token=" + secret, "orderBy=" + secret + "&%zz" + secret}

var secretBodies = []string{
	`{"status":"` + secret + `","start":{"dateTime":"` + secret + `","timeZone":"` + secret + `"},"` + secret + `":1,"attendees":[{"email":"` + secret + `"}],"extendedProperties":{"private":{"` + secret + `":1}},` +
		`"recurrence":["` + secret + `","RRULE:FREQ=DAILY;` + secret + `=1"],"reminders":{"overrides":[{"method":"` + secret + `"}]}}`,
	`{"` + secret, secret,
	"--b\r\n\r\nGET /calendar/v3/calendars/" + secret + "/events?" + secret + " HTTP/1.1\r\nAuthorization: " + secret + "\r\n\r\n\r\n--b\r\n\r\n" + secret + "\r\n--b--",
}

// secretAnswers are statuses and bodies of answers.
var secretAnswers = map[int]string{
	200: `{"id":"` + secret + `","status":"` + secret + `","` + secret + `":1,"items":[{"status":"` + secret + `"}]}`,
	400: `{"error":{"code":400,"message":"` + secret + `","errors":[{"reason":"` + secret + `","message":"` + secret + `","location":"` + secret + `"}]}}`,
	404: secret,
}

// runRecordings runs a command with recordings in each form and each format, and returns its outputs.
func runRecordings(t *testing.T, command string, formats []string, flags ...string) (outputs []string) {
	type object = map[string]any
	var har, tape, nock, mappings []any
	for _, r := range secretRequests() {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		for status, answer := range secretAnswers {
			har = append(har, object{
				"request":  object{"method": r.Method, "url": r.URL.String(), "headers": []object{{"name": secret, "value": secret}, {"name": "Content-Type", "value": r.Header.Get("Content-Type")}}, "postData": object{"text": string(body)}},
				"response": object{"status": status, "headers": []object{{"name": "Content-Type", "value": "application/json"}}, "content": object{"text": answer}},
			})
			tape = append(tape, object{"request": object{"method": r.Method, "uri": r.URL.String(), "body": string(body), "headers": object{secret: secret}}, "response": object{"status": object{"code": status}, "body": object{"string": answer}}})
			nock = append(nock, object{"scope": "https://www.googleapis.com:443", "method": r.Method, "path": r.URL.RequestURI(), "body": string(body), "status": status, "response": answer})
			mappings = append(mappings, object{"request": object{"method": r.Method, "url": r.URL.RequestURI(), "bodyPatterns": []object{{"equalTo": string(body)}}}, "response": object{"status": status, "body": answer}})
		}
	}
	har = append(har, object{"request": object{"method": "POST", "url": har[0].(object)["request"].(object)["url"], "postData": object{"text": secret, "encoding": secret}}, "response": object{"status": 200}})
	for name, recorded := range map[string]any{
		"a.har": object{"log": object{"entries": har}}, "tape.json": object{"interactions": tape}, "nock.json": nock, "wiremock.json": object{"mappings": mappings},
		"cut.json": object{"interactions": []any{secret}}, "broken.json": object{"mappings": secret},
	} {
		text, err := json.Marshal(recorded)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		form := "--cassette"
		if strings.HasSuffix(name, ".har") {
			form = "--har"
		}
		for _, format := range formats {
			var out, errs bytes.Buffer
			Run(append([]string{command, form, "--no-config", "--format", format, "--max-size", "1GiB", file}, flags...), nil, &out, &errs)
			outputs = append(outputs, out.String()+errs.String())
		}
	}
	return outputs
}

// runSecretProxies sends the requests through proxies with each format, to an upstream that repeats them, and returns what they print and
// their pages.
func runSecretProxies(t *testing.T) (outputs []string) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := []int{200, 400, 404}[int(r.ContentLength+int64(len(r.URL.RawQuery)))%3]
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-"+secret, "tls: "+secret)
		w.WriteHeader(status)
		io.WriteString(w, secretAnswers[status])
	}))
	defer upstream.Close()
	for _, format := range []string{formatText, formatNDJSON, formatSARIF} {
		for _, statistics := range []bool{false, true} {
			var out, errs bytes.Buffer
			c, err := newConsole(streams{in: strings.NewReader(""), out: &out, err: &errs}, func(string) string { return "" }, nil)
			if err != nil {
				t.Fatal(err)
			}
			flags := &proxyFlags{upstream: upstream.URL, timeout: 1 << 36, profile: newProfile(), format: newFormat(proxyFormats), statistics: statistics, changed: func(string) bool { return false }}
			flags.format.value = format
			o, err := flags.options(c)
			if err != nil {
				t.Fatal(err)
			}
			log := newProxyLog(c, flags)
			o.Report, o.Errors = log.exchange, log.complain
			p := proxy.New(o)
			for _, r := range secretRequests() {
				r.URL.Scheme, r.URL.Host = "", ""
				r.Host = "localhost"
				p.ServeHTTP(httptest.NewRecorder(), r)
			}
			page := httptest.NewRecorder()
			p.ServeHTTP(page, httptest.NewRequest("GET", "http://localhost/_calrules", nil))
			p.Close()
			if err := log.end(); err != nil && err != errFound {
				t.Error(err)
			}
			c.out.Flush()
			outputs = append(outputs, out.String(), errs.String(), fmt.Sprint(page.Code, page.Body.String()))
		}
	}
	return outputs
}
