//go:build unix

package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
)

// allClients makes a test fail that lacks a program, or a way.
const allClients = "CALRULES_TEST_CLIENTS"

var update = flag.Bool("update", false, "write what the programs call to clients/sessions.json and the README")

// client is a program that nobody wrote for the emulator, or one that calls a client that nobody wrote for it. It runs as
// a line for sh, in the environment of a [route].
type client struct{ name, from, needs, run string }

// trusting begins the line of a program that knows no other authorities than those of the system.
const trusting = `unshare --mount sh -c 'mount --bind "$CERTIFICATE" /etc/ssl/certs/ca-certificates.crt && exec "$0"' `

var clients = []client{
	{"gcalcli 4.3.0", "Debian", "gcalcli --version | grep -F 4.3.0", "sh clients/gcalcli/session.sh"},
	{"google-calendar-mcp 2.6.3", "npm, `@cocal/google-calendar-mcp`", "test -d clients/npm/node_modules/@cocal", "node clients/npm/mcp.js"},
	{"google-calendar-mcp 1.0.9", "npm, with a client of 2023", "test -d clients/npm/node_modules/google-calendar-mcp", "node clients/npm/calendar-server.js"},
	{"@activepieces/piece-google-calendar 0.2.0", "npm, with axios 1.2.4", "test -d clients/npm/node_modules/@activepieces", "node clients/npm/activepieces.js"},
	{"node-google-calendar 1.1.1", "npm, with a client of its own", "test -d clients/npm/node_modules/node-google-calendar", "node clients/npm/node-google-calendar.js"},
	{"@jrmdayn/googleapis-batcher 0.10.1", "npm, around the official client for Node", "test -d clients/npm/node_modules/@jrmdayn", "unset HTTPS_PROXY; node clients/npm/batcher.js $BASE"},
	{"FullCalendar 6.1.21", "npm, in Chromium", "test -d clients/npm/node_modules/@fullcalendar && chromium --version && command -v certutil", "node clients/npm/fullcalendar.js"},
	{"gcal 1.0.3", "npm, with a client of 2017", "test -d clients/npm/node_modules/gcal", "sh clients/npm/gcal.sh"},
	{"libgdata 0.18.1", "Debian, [clients/libgdata](clients/libgdata)", "command -v libgdata-session", trusting + "libgdata-session"},
	{"libkgapi 22.12.3", "Debian, [clients/libkgapi](clients/libkgapi)", "command -v libkgapi-session", "libkgapi-session"},
	{"official client for Go", "[recipes/go](recipes/go), [clients/go](clients/go)", "command -v go-recipe && command -v go-client", "go-recipe && go-client --url ${ROOT}calendar/v3/"},
	{"official client for Java 1.27.1", "[clients/java](clients/java), Debian", "dpkg --status libgoogle-api-client-java && javac -version", "sh clients/java/session.sh"},
	{"official client for Node", "[clients/node](clients/node)", "test -d clients/node/node_modules", "node clients/node/client.js $ROOT"},
	{"official client for Python", "[clients/python](clients/python)", "python3 -c 'import googleapiclient'", "python3 clients/python/client.py $ROOT"},
}

// TestClients runs programs that were written for the public service, each in three ways. Every answer that they get is as
// the discovery document of the official Go client describes it, the ways differ in nothing that a program sees, and the
// operations and findings are on record.
func TestClients(t *testing.T) {
	official := readOfficial(t)
	records := readRecords(t)
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			available(t, c.needs)
			var first *session
			for _, w := range ways {
				t.Run(w.name, func(t *testing.T) {
					available(t, w.needs)
					s := c.session(t, w, official)
					if first == nil {
						first = s
					}
					if diff := cmp.Diff(first.exchanges, s.exchanges); diff != "" {
						t.Errorf("the exchanges (-%s +%s):\n%s", ways[0].name, w.name, diff)
					}
					if diff := cmp.Diff(first.notifications, s.notifications); diff != "" {
						t.Errorf("the notifications (-%s +%s):\n%s", ways[0].name, w.name, diff)
					}
					s.check(t, w, records[c.name])
				})
			}
		})
	}
	if *update && !t.Failed() {
		writeRecords(t, records)
	}
}

// available skips a test that needs something, unless the environment demands all tests.
func available(t *testing.T, needs string) {
	t.Helper()
	out, err := exec.Command("sh", "-c", needs).CombinedOutput()
	if err != nil && os.Getenv(allClients) != "" {
		t.Fatalf("%s: %v\n%s", needs, err, out)
	}
	if err != nil {
		t.Skip("this is not there: .ci/clients prepares it")
	}
}

// session is what passed while a program ran.
type session struct {
	calls         []string // as in a record
	exchanges     []string // with their answers
	notifications []string
	findings      []string
}

// later is the time of the emulator. Programs that ask for the changes of their last day get those of the session.
var later = time.Date(2100, 3, 1, 12, 0, 0, 0, time.UTC)

// session runs the program, and checks the answers that it gets.
func (c client) session(t *testing.T, w way, official officialDocument) *session {
	var log exchanges
	var delivered notifications
	var id atomic.Int64
	service := emulator.New(
		emulator.WithOAuth(),
		emulator.WithClock(func() time.Time { return later }),
		emulator.WithChecker(event.Checker{NewID: func() string { return fmt.Sprintf("id%08d", id.Add(1)) }}),
		emulator.WithNotifier(&http.Client{Transport: &delivered}),
	)
	defer service.Close()
	r := w.open(t, log.record(service))
	command := exec.Command("sh", "-c", c.run)
	command.Env = r.environment(t.TempDir())
	out, err := command.CombinedOutput()
	if r.end != nil {
		r.end()
	}
	if err != nil {
		for _, x := range log.all() {
			t.Log(x.method, x.target, x.status)
		}
		t.Fatalf("%s: %v\n%s", c.run, err, out)
	}
	passed, err := flatten(log.all())
	if err != nil {
		t.Error(err)
	}
	s := &session{calls: official.check(t, passed), notifications: delivered.lines(), findings: r.found()}
	if len(s.notifications) > 0 {
		s.calls = append(s.calls, "notification")
	}
	for _, x := range passed {
		line, err := x.line()
		if err != nil {
			t.Error(err)
		}
		s.exchanges = append(s.exchanges, line)
	}
	slices.Sort(s.exchanges) // some programs send several requests at a time
	return s
}

// check compares the session with its record, or updates the record.
func (s *session) check(t *testing.T, w way, r *record) {
	t.Helper()
	if *update {
		r.Calls[w.name] = s.calls
		if w.checks {
			r.Findings = s.findings
		}
	}
	if diff := cmp.Diff(r.Calls[w.name], s.calls); diff != "" {
		t.Errorf("the operations (-%s +called):\n%s", recordFile, diff)
	}
	if !w.checks {
		return
	}
	if diff := cmp.Diff(r.Findings, s.findings); diff != "" {
		t.Errorf("the findings (-%s +found):\n%s", recordFile, diff)
	}
}
