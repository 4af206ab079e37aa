package emulator_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/internal/aim"
	"github.com/calrules/calrules/operation"
)

// The emulator does what the rules say, with the names of either dialect, and nothing is left in the calendar.
func TestAim(t *testing.T) {
	count := cmp.Or(*aimCount, draws(100, 400, 400))
	for base, dialect := range map[string]diag.Dialect{google: diag.Google, documents: diag.Documents} {
		t.Run(dialect.String(), func(t *testing.T) {
			handler := emulator.New()
			second := newDirect(t, handler).do(200, "POST", "/calendars", `{"summary":"Second"}`).text("id")
			report := runAim(t, aim.Options{
				Base: "http://emulator.example" + base, Second: second, Dialect: dialect, Client: direct{handler}, Seed: *aimSeed, Count: count,
			})
			if report.Stories < count*3/4 {
				t.Errorf("%d stories", report.Stories)
			}
		})
	}
}

// runAim runs stories in the primary calendar, and fails if the server disagrees, gives no verdict, or keeps an event.
func runAim(t *testing.T, o aim.Options) *aim.Report {
	t.Helper()
	o.Calendar, o.Timeout = "primary", time.Minute
	report, err := aim.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range report.Disagreements {
		t.Errorf("%s: %s %s: %s: %s (%s)\n%s", d.Story, d.Op, d.Fault, d.Rule, d.Message, d.Server, strings.Join(d.Curl, "\n"))
	}
	if report.Unclear != nil || report.Left != nil || report.Stopped != "" || report.Requests == 0 {
		t.Errorf("%d requests, unclear: %q, left: %q, stopped: %s", report.Requests, report.Unclear, report.Left, report.Stopped)
	}
	return report
}

// The clock of a server that jumps, back and forth, is no fault of it.
func TestAimWithJumps(t *testing.T) {
	jumps, n := []time.Duration{0, 36 * time.Hour, -40 * 24 * time.Hour, time.Second, -time.Second, 400 * 24 * time.Hour}, 0
	clock := func() time.Time {
		n++
		return time.Now().Add(jumps[n/40%len(jumps)])
	}
	report := runAim(t, aim.Options{
		Base: "http://emulator.example" + google, Dialect: diag.Google, Client: direct{emulator.New(emulator.WithClock(clock))},
		Seed: *aimSeed, Count: draws(40, 100, 400),
	})
	if report.Stories == 0 {
		t.Error("there is no story")
	}
}

// The emulator does what the rules say of every operation, also of those that the command tries by name alone.
func TestAimAll(t *testing.T) {
	for op := range operation.All() {
		t.Run(string(op.ID), func(t *testing.T) {
			runAim(t, aim.Options{
				Base: "http://emulator.example" + google, Dialect: diag.Google, Client: direct{emulator.New()},
				Operations: []operation.ID{op.ID}, Seed: 3, Count: draws(30, 150, 150),
			})
		})
	}
}

// The sessions in docs/aim.md are what the command writes, but for ids, addresses and counts of requests.
func TestAimSessions(t *testing.T) {
	page, err := os.ReadFile("../../docs/aim.md")
	if err != nil {
		t.Fatal(err)
	}
	right := emulator.New()
	// deaf does not read the conditions of requests, as many servers do not.
	deaf := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("If-Match")
		right.ServeHTTP(w, r)
	})
	shown := generic(string(page))
	for _, session := range []struct {
		server http.Handler
		args   []string
	}{
		{deaf, []string{"-n", "20", "--op", "events.patch", "--rule", "update.etag"}},
		{right, []string{"-n", "300", "--op", "events.delete"}},
	} {
		server := httptest.NewServer(session.server)
		t.Cleanup(server.Close)
		out, _ := calrules(t, append([]string{"aim", "--dialect", "google"}, append(session.args, server.URL+google)...)...).Output() // the status is 1 in the first
		if text := generic(string(out)); !strings.Contains(shown, text) {
			t.Errorf("with %v the page does not show:\n%s", session.args, text)
		}
	}
}

var differing = regexp.MustCompile(`127\.0\.0\.1:[0-9]+|aim[a-v0-9]{17}|\\"[0-9]+\\"|"[0-9]+"|[0-9]+ requests`)

// generic replaces what differs from run to run, and removes the margin of a session.
func generic(text string) string {
	return differing.ReplaceAllStringFunc(regexp.MustCompile(`(?m)^ {4}`).ReplaceAllString(text, ""), func(s string) string {
		return fmt.Sprintf("<%c>", s[0])
	})
}
