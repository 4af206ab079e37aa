package faults_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/internal/faults"
)

// session is a session with a server that shows a fault: what is seen in its last answer.
type session struct {
	fault string

	// Each line is a request: the method, the path below the base URL of the service, a body if there is one, and a header field
	// after a #. Shorthands begin with a $. Among them are $etag, $sync and $page, of the last answer that
	// had one, and $made, the id of the calendar that was made last.
	requests string

	look  string // at which members, or at the "code" or the "type" of the response
	right string // JSON of what a right server shows
	wrong string // of what the one with the fault does
}

// shorthands are what requests have in common.
var shorthands = strings.NewReplacer(
	"$hour", `"start":{"dateTime":"2036-03-11T09:00:00Z"},"end":{"dateTime":"2036-03-11T10:00:00Z"}`,
	"$later", `"start":{"dateTime":"2036-03-12T09:00:00Z"},"end":{"dateTime":"2036-03-12T10:00:00Z"}`,
	"$day", `"start":{"date":"2036-03-11"},"end":{"date":"2036-03-12"}`,
	"$berlin", `"start":{"dateTime":"2036-03-29T09:00:00+01:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2036-03-29T10:00:00+01:00","timeZone":"Europe/Berlin"}`,
	"$series", `"id":"series",$berlin,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`,
	"$second", "$events/series_20360330T070000Z",
	"$events", "/calendars/primary/events",
	"$event", "/calendars/primary/events/event",
	"$guests", `"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`,
)

func TestOpenFaults(t *testing.T)   { testFaults(t, faults.Open(), openSessions) }
func TestHiddenFaults(t *testing.T) { testFaults(t, faults.Hidden(), hiddenSessions) }

// testFaults shows each fault: an emulator is right, and wrong behind the fault's server.
func testFaults(t *testing.T, list []faults.Fault, sessions []session) {
	byName := map[string]session{}
	for _, s := range sessions {
		byName[s.fault] = s
	}
	for _, f := range list {
		t.Run(f.Name, func(t *testing.T) {
			s, ok := byName[f.Name]
			if !ok {
				t.Fatal("no session shows it")
			}
			if got := s.run(t, newEmulator()); got != s.right {
				t.Errorf("the emulator shows %s, want %s", got, s.right)
			}
			if got := s.run(t, f.Handler(newEmulator())); got != s.wrong {
				t.Errorf("the server shows %s, want %s", got, s.wrong)
			}
		})
	}
	if len(byName) != len(list) {
		t.Errorf("%d faults, and sessions for %d", len(list), len(byName))
	}
}

// TestNames checks that faults are told apart.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range faults.All() {
		if seen[f.Name] || f.Says == "" {
			t.Errorf("%s is the name of two faults, or of one without a sentence", f.Name)
		}
		seen[f.Name] = true
	}
}

// visible are the faults that show in the ordinary life of an event.
var visible = []string{"newest-missing", "empty-answer", "id-ignored"}

// TestOrdinaryLife checks that a server does everything else right: it inserts, gets and lists an event as an emulator does,
// in both dialects.
func TestOrdinaryLife(t *testing.T) {
	for _, base := range []string{"/calendar/v3", "/v3"} {
		want := life(t, newEmulator(), base)
		for _, f := range faults.All() {
			got := life(t, f.Handler(newEmulator()), base)
			if slices.Contains(visible, f.Name) == (got == want) {
				t.Errorf("%s: %s shows\n%s\nand an emulator\n%s", base, f.Name, got, want)
			}
		}
	}
}

// life returns what the ordinary life of an event shows.
func life(t *testing.T, server http.Handler, base string) string {
	t.Helper()
	c := &client{t: t, server: server, base: base}
	var b strings.Builder
	for _, step := range []struct{ request, look string }{
		{`POST $events {"id":"lunch","summary":"Lunch",$hour}`, ""},
		{"GET $events/lunch", ""},
		{"GET $events", "items."},
	} {
		c.send(step.request)
		for _, name := range []string{"id", "status", "summary", "start", "end", "iCalUID", "recurrence"} {
			fmt.Fprintln(&b, c.look(step.look+name))
		}
	}
	return b.String()
}

// run returns what the session shows.
func (s session) run(t *testing.T, server http.Handler) string {
	t.Helper()
	c := &client{t: t, server: server, base: "/calendar/v3"}
	for request := range strings.Lines(strings.TrimSpace(s.requests)) {
		c.send(strings.TrimSpace(request))
	}
	return c.look(s.look)
}

// client sends requests, and knows the last answer.
type client struct {
	t                      testing.TB
	server                 http.Handler
	base                   string
	status                 int
	kind                   string // the Content-Type
	answer                 map[string]any
	etag, sync, page, made string
}

func (c *client) send(request string) {
	c.t.Helper()
	request = strings.NewReplacer("$etag", c.etag, "$sync", c.sync, "$page", c.page, "$made", c.made).Replace(shorthands.Replace(shorthands.Replace(request)))
	request, header, _ := strings.Cut(request, " # ")
	parts := append(strings.SplitN(request, " ", 3), "")
	r := httptest.NewRequest(parts[0], c.base+parts[1], strings.NewReader(parts[2]))
	r.Header.Set("Content-Type", "application/json")
	if name, value, ok := strings.Cut(header, ": "); ok {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	c.server.ServeHTTP(w, r)
	c.status, c.kind, c.answer = w.Code, w.Header().Get("Content-Type"), nil
	json.Unmarshal(w.Body.Bytes(), &c.answer) // an answer may be no object
	for name, last := range map[string]*string{"etag": &c.etag, "nextSyncToken": &c.sync, "nextPageToken": &c.page} {
		if s, ok := c.answer[name].(string); ok {
			*last = s
		}
	}
	if c.answer["kind"] == "calendar#calendar" {
		c.made, _ = c.answer["id"].(string)
	}
}

// look returns JSON of what the last answer has at a path of members, in each element of an array.
func (c *client) look(path string) string {
	var at any = c.answer
	switch path {
	case "code":
		at = c.status
	case "type":
		at = c.kind
	default:
		for name := range strings.SplitSeq(path, ".") {
			at = member(at, name)
		}
	}
	text, err := json.Marshal(at)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

func member(at any, name string) any {
	switch at := at.(type) {
	case map[string]any:
		return at[name]
	case []any:
		all := []any{}
		for _, element := range at {
			all = append(all, member(element, name))
		}
		return all
	}
	return nil
}

// newEmulator returns an emulator whose clock advances by a second with every look at it.
func newEmulator() http.Handler {
	var mu sync.Mutex
	now := time.Date(2036, 3, 1, 12, 0, 0, 0, time.UTC)
	return emulator.New(emulator.WithClock(func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}))
}
