// Growth counts the emulator's work for states and requests of sizes n and 2n, as the tools/growth command does for the
// library. The .ci/growth script runs this command.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/rtdb"
	"github.com/calrules/calrules/internal/growth"
	"github.com/calrules/calrules/rtdbauth"
)

func main() { growth.Main(subjects()) }

const (
	calendars = "/calendar/v3/calendars"
	events    = calendars + "/primary/events"
	event     = `{"summary":"Review","start":{"dateTime":"2026-03-11T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-11T10:00:00Z","timeZone":"UTC"}}`
)

// subject is a kind of state with a request. The function prepare creates a state of size n and returns the function to
// measure.
type subject struct {
	name    string
	prepare func(n int) (run func())
}

func subjects() iter.Seq2[string, func(n int) func()] {
	return func(yield func(string, func(int) func()) bool) {
		for _, s := range append(ofCalendars(), ofDatabase()...) {
			if !yield(s.name, s.prepare) {
				return
			}
		}
	}
}

// ofCalendars returns the subjects with many events in a calendar, and with many channels.
func ofCalendars() []subject {
	return []subject{
		{"patch beside n events", func(n int) func() {
			s := filled(n)
			id := insert(s)
			changes := 0
			return func() {
				changes++
				do(s, "PATCH", events+"/"+id, fmt.Sprintf(`{"summary":"Change %d"}`, changes))
			}
		}},
		{"list of n events", func(n int) func() {
			s := filled(n)
			return func() { list(s, events+"?showDeleted=true") }
		}},
		{"sync of a change among n events", func(n int) func() {
			s := filled(n)
			token := list(s, events+"?showDeleted=true")
			insert(s)
			return func() { do(s, "GET", events+"?syncToken="+url.QueryEscape(token), "") }
		}},
		{"free/busy of n events", func(n int) func() {
			s := filled(n)
			return func() {
				do(s, "POST", "/calendar/v3/freeBusy", `{"timeMin":"2026-03-11T00:00:00Z","timeMax":"2026-03-12T00:00:00Z","items":[{"id":"primary"}]}`)
			}
		}},
		{"n instances of a series, a fourth of them changed", func(n int) func() {
			s := emulator.New()
			series := id(do(s, "POST", events, strings.Replace(event, "{", fmt.Sprintf(`{"recurrence":["RRULE:FREQ=DAILY;COUNT=%d"],`, n), 1)))
			for i := range n / 4 {
				at := time.Date(2026, 3, 11+4*i, 9, 0, 0, 0, time.UTC)
				do(s, "PATCH", events+"/"+series+at.Format("_20060102T150405Z"), `{"summary":"Changed"}`)
			}
			return func() { list(s, events+"/"+series+"/instances?timeMax=2100-01-01T00:00:00Z") }
		}},
		{"channel beside n/4 channels", func(n int) func() {
			s := watched(n / 4)
			return func() {
				channel := do(s, "POST", events+"/watch", `{"id":"another","type":"web_hook","address":"https://hook.example/"}`)
				do(s, "POST", "/calendar/v3/channels/stop", string(channel))
			}
		}},
		{"change of a list beside n/4 channels of others", func(n int) func() {
			s := watched(n / 4)
			return func() { insert(s) }
		}},
	}
}

// ofDatabase returns the subjects with many children in a database.
func ofDatabase() []subject {
	var all []subject
	for _, r := range []struct{ name, method, target string }{
		{"PUT of n children", "PUT", "/a.json"},
		{"PATCH of n children", "PATCH", "/a.json"},
		{"PATCH of n paths", "PATCH", "/.json"},
	} {
		all = append(all, subject{r.name, func(n int) func() {
			d := database()
			body := children(n)
			return func() { do(d, r.method, r.target, body) }
		}})
	}
	for _, query := range []string{"", "shallow=true", `orderBy="$value"&limitToLast=3`, `orderBy="$key"&startAt="k5"`} {
		all = append(all, subject{"GET of n children " + query, func(n int) func() {
			d := database()
			do(d, "PUT", "/a.json", children(n))
			return func() { do(d, "GET", "/a.json?"+strings.ReplaceAll(query, `"`, "%22"), "") }
		}})
	}
	return append(all, subject{"PUT beside n children", func(n int) func() {
		d := database()
		do(d, "PUT", "/a.json", children(n))
		return func() { do(d, "PUT", "/a/k1.json", "7") }
	}})
}

// children returns an object with n members.
func children(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// database returns an empty database that allows every access.
func database() *rtdb.Database {
	d, err := rtdb.New(rtdb.Options{Verifier: nobody{}, Policy: rtdbauth.Policy{}, Rules: func(rtdb.Access) bool { return true }})
	check(err)
	return d
}

// nobody is a verifier that accepts no token.
type nobody struct{}

func (nobody) VerifyToken(context.Context, rtdbauth.Place, rtdbauth.Token) (rtdbauth.Facts, error) {
	return rtdbauth.Facts{Verified: new(false)}, nil
}

// filled returns an emulator with n events.
func filled(n int) http.Handler {
	s := emulator.New()
	for range n {
		insert(s)
	}
	return s
}

// watched returns an emulator with n channels that watch the events of another calendar. Notifications are discarded.
func watched(n int) http.Handler {
	s := emulator.New(emulator.WithNotifier(&http.Client{Transport: nowhere{}}))
	team := id(do(s, "POST", calendars, `{"summary":"Team"}`))
	for i := range n {
		do(s, "POST", calendars+"/"+team+"/events/watch", fmt.Sprintf(`{"id":"c%d","type":"web_hook","address":"https://hook.example/"}`, i))
	}
	return s
}

type nowhere struct{}

func (nowhere) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

func insert(h http.Handler) string { return id(do(h, "POST", events, event)) }

// id returns the id of a resource in JSON.
func id(text []byte) string {
	var resource struct{ ID string }
	check(json.Unmarshal(text, &resource))
	return resource.ID
}

// list reads all pages of the list at path, which must include a query, and returns the sync token.
func list(h http.Handler, path string) (token string) {
	for page := ""; ; {
		var answer struct{ NextPageToken, NextSyncToken string }
		check(json.Unmarshal(do(h, "GET", path+"&maxResults=250&pageToken="+url.QueryEscape(page), ""), &answer))
		if page = answer.NextPageToken; page == "" {
			return answer.NextSyncToken
		}
	}
}

// do sends a request, which must succeed, and returns the response body.
func do(h http.Handler, method, target, body string) []byte {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code >= 300 {
		panic(fmt.Sprintf("%s %s: %d %s", method, target, w.Code, w.Body))
	}
	return w.Body.Bytes()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
