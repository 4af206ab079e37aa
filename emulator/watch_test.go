package main

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// With --watch, a program that knows only the public service runs offline, and the emulator writes the findings about its
// requests, on each way.
func TestWatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "calrules.pem")
	cmd := emulate(t, "--watch", "--tls", file)
	lines := launch(t, cmd)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSuffix(first, "/calendar/v3/\n")
	certificate, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	secure := strings.Replace(root, "http:", "https:", 1)
	c := proxied(t, root, certificate)
	send := func(method, address, media, body string, header ...string) string {
		t.Helper()
		r, err := http.NewRequest(method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", media)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		answer, err := c.Do(r)
		if err != nil {
			return "no answer"
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.Status + " " + string(text)
	}
	const (
		service = "https://www.googleapis.com"
		events  = "/calendar/v3/calendars/primary/events"
		json    = "application/json"
		whole   = `{"id":"abcde","start":{"dateTime":"2026-03-11T09:00:00Z"},"end":{"dateTime":"2026-03-11T10:00:00Z"}}`
		batch   = "--b\r\nContent-Type: application/http\r\n\r\nGET " + events + "?orderBy=startTime HTTP/1.1\r\n\r\n--b--"
	)
	for _, step := range []struct{ got, want string }{
		{send("POST", "https://oauth2.googleapis.com/token", "application/x-www-form-urlencoded", url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"1//a"}}.Encode()), "200 OK .*access_token"},
		{send("GET", service+"/discovery/v1/apis/calendar/v3/rest", "", ""), `"rootUrl":"https://www.googleapis.com/"`},
		{send("POST", service+events, json, whole), `"htmlLink":"https://www.googleapis.com/event`},
		{send("PATCH", service+events+"/abcde", json, `{"end":{"dateTime":"2026-03-11T08:00:00Z"}}`), "400 Bad Request"},
		{send("POST", service+"/batch/calendar/v3", "multipart/mixed; boundary=b", batch), "200 OK"},
		{send("POST", "http://www.googleapis.com"+events, json, `{"start":{"date":"2026-03-10"}}`), "400 Bad Request"}, // in absolute form
		{send("POST", service+events, json, whole, "X-Emulator-Fault", "drop"), "^no answer"},
		{send("POST", secure+"/v3/calendars/primary/events", json, `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"hangoutLink":"https://meet.example.com/a"}`), `"htmlLink":"` + secure + "/event"},
		{send("POST", root+"/emulator/reset", "", ""), "^20"},
		{send("POST", service+events, json, whole), "^200 OK"},
	} {
		if !regexp.MustCompile("(?s)" + step.want).MatchString(step.got) {
			t.Errorf("got %s, want %s", step.got, step.want)
		}
	}
	if answer, err := http.Get(root + "/_calrules"); err != nil {
		t.Error(err)
	} else {
		page, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || strings.Count(string(page), "patch.whole") == 0 {
			t.Errorf("the page is %s, %v", page, err)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	at, err := url.Parse(root)
	if err != nil {
		t.Fatal(err)
	}
	written := strings.NewReplacer(at.Host, "127.0.0.1:8085", file, "/tmp/calrules.pem").Replace(first + string(rest))
	written = regexp.MustCompile(`valid until \S+`).ReplaceAllString(written, "valid until 2026-11-28T07:36:02Z")
	last := strings.LastIndexByte(strings.TrimSuffix(written, "\n"), '\n') + 1
	written = written[:last] + "^C" + written[last:] // as a terminal shows it
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if shown := regexp.MustCompile(`(?m)^ {4}`).ReplaceAllString(string(readme), ""); !strings.Contains(shown, written) {
		t.Errorf("README.md does not show:\n%s", written)
	}
}

// Paths and values are shown on request.
func TestWatchValues(t *testing.T) {
	cmd := emulate(t, "--watch", "--values")
	lines := launch(t, cmd)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base := strings.TrimSuffix(first, "\n")
	if answer, err := http.Post(base+"calendars/primary/events", "application/json", strings.NewReader(`{"id":"No"}`)); err != nil {
		t.Fatal(err)
	} else {
		answer.Body.Close()
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	if want := `POST /calendar/v3/calendars/primary/events: reject /id: The id is "No"`; !strings.Contains(string(rest), want) {
		t.Errorf("the output is\n%s\nand does not contain %s", rest, want)
	}
	if err := run(t.Context(), []string{"--values"}, io.Discard); err == nil {
		t.Error("--values is accepted without --watch")
	}
}
