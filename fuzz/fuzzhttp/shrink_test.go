package fuzzhttp_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/fuzz/fuzzhttp"
	"github.com/calrules/calrules/fuzz/internal/rapidtest"
	"github.com/calrules/calrules/fuzz/rtdbfuzz"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// mostTried is the greatest number of requests that shrinking may try: each takes some 0.15 ms with its handler, so
// that shrinking takes seconds.
const mostTried = 20_000

// seeds are those of rapid with which a test fails. The result of shrinking depends on it.
func seeds() []string {
	all := []string{"3", "12345", "101", "202", "303"}
	return all[:testdepth.Draws(1, len(all))]
}

// TestFailuresShrink tests handlers with a mistake each, and checks that rapid finds a small request that shows it,
// among all that a server can get, with few attempts.
func TestFailuresShrink(t *testing.T) {
	payloads, err := fuzz.Mix{InvalidShare: 0.5, OverHTTP: true}.Generator()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		refuses func(e *event.Event, body []byte) bool // by mistake
		most    int                                    // bytes of the body, with what an update sends of the stored event
	}{
		"a body over 3000 bytes": {func(_ *event.Event, body []byte) bool { return len(body) > 3000 }, 10_000},
		"three attendees":        {func(e *event.Event, _ []byte) bool { n := len(e.Attendees); return 2 < n && n <= 200 }, 800}, // more are too many on purpose
		"a description over 8000 characters": {func(e *event.Event, _ []byte) bool {
			return utf8.RuneCountInString(e.Description) > 8000
		}, 9000},
		"a series with a conference": {func(e *event.Event, _ []byte) bool {
			return e.ConferenceData != nil && len(e.Recurrence) > 0
		}, 800},
	} {
		handler := func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			e := new(event.Event)
			_ = e.UnmarshalJSON(body) // what can be read of a broken one counts, too
			if err != nil || test.refuses(e, body) {
				w.WriteHeader(http.StatusTeapot)
			}
		}
		t.Run(name, func(t *testing.T) {
			for _, seed := range seeds() {
				least := rapidtest.Least(t, seed, payloads, mostTried, func(p fuzz.Payload) bool {
					req, err := fuzzhttp.NewRequest(base, "primary", p.Event)
					return err == nil && refused(handler, req)
				})
				if size := len(least.Event.Body); size > test.most {
					t.Errorf("seed %s: shrunk to %d bytes, not %d: %.1000s", seed, size, test.most, least)
				}
			}
		})
	}
}

// TestDatabaseFailuresShrink does the same for a handler that does not expect a header field and a parameter
// with credentials in one request.
func TestDatabaseFailuresShrink(t *testing.T) {
	const most = 550 // bytes of the line, most of them about two tokens
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" && r.URL.Query().Has("auth") {
			w.WriteHeader(http.StatusTeapot)
		}
	}
	for _, seed := range seeds() {
		least := rapidtest.Least(t, seed, rtdbfuzz.Request(), mostTried, func(line rtdbfuzz.Line) bool {
			req, err := fuzzhttp.NewDatabaseRequest("http://database.example", line)
			return err == nil && refused(handler, req)
		})
		if len(least) > most {
			t.Errorf("seed %s: shrunk to %d bytes, not %d: %s", seed, len(least), most, least)
		}
	}
}

// TestKeyFilesShrink lets a property of key files fail.
func TestKeyFilesShrink(t *testing.T) {
	files := rapid.Map(rtdbfuzz.Violating("rtdb.key-file"), func(p rtdbfuzz.Payload) string { return *p.KeyFile })
	for _, seed := range seeds() {
		if least := rapidtest.Least(t, seed, files, 1000, func(file string) bool { return len(file) > 100 }); len(least) > 200 {
			t.Errorf("seed %s: shrunk to %d bytes: %s", seed, len(least), least)
		}
	}
}

func refused(handler http.HandlerFunc, req *http.Request) bool {
	rec := httptest.NewRecorder()
	handler(rec, req)
	return rec.Code == http.StatusTeapot
}
