package between_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/calrules/calrules/between"
)

// A body is checked up to the limit, a compressed one up to the limit of what it is decoded to.
func TestLimitsOfBodies(t *testing.T) {
	const most = 200
	w := watcher(t, between.Options{MaxBytes: most})
	for n, checked := range map[int]bool{most - 1: true, most: true, most + 1: false} {
		body := []byte(`{"summary":"` + strings.Repeat("a", n-len(`{"summary":""}`)) + `"}`)
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write(body)
		z.Close()
		zipped := between.Header{"Content-Encoding": {"gzip"}}
		for name, m := range map[string]between.Message{
			"plain": {Method: "POST", URL: events, Body: body}, "gzip": {Method: "POST", URL: events, Header: zipped, Body: packed.Bytes()},
		} {
			if x := w.Request(m); (x.Unchecked == "") != checked || checked == (len(x.Findings) == 0) {
				t.Errorf("%s, %d bytes: unchecked because %q, findings %v", name, n, x.Unchecked, x.Findings)
			}
		}
		x := w.Request(between.Message{Method: "GET", URL: events + "/abcde"})
		if _, unchecked := x.Answer(200, nil, body, ""); (unchecked == "") != checked {
			t.Errorf("an answer of %d bytes: unchecked because %q", n, unchecked)
		}
	}
}

// The events that were seen last are remembered, as many as the limit.
func TestLimitOfEvents(t *testing.T) {
	look := func(w *between.Watcher, id string) {
		x := w.Request(between.Message{Method: "GET", URL: events + "/" + id, Header: as("a")})
		x.Answer(200, nil, []byte(strings.Replace(stored, "abcde", id, 1)), "")
	}
	for i, test := range []struct {
		others []string
		want   bool
	}{
		{nil, true}, {[]string{"bbbbb"}, true}, {[]string{"bbbbb", "ccccc"}, false}, {[]string{"bbbbb", "bbbbb"}, true},
		{[]string{"bbbbb", "abcde", "ccccc"}, true}, // to ask for it is to see it
	} {
		w := watcher(t, between.Options{MaxEvents: 2})
		look(w, "abcde")
		for _, id := range test.others {
			look(w, id)
		}
		if got := remembers(w, as("a")); got != test.want {
			t.Errorf("%d: after %v, the first event is remembered: %t", i, test.others, got)
		}
	}
}

// Statuses at the limits of success, and answers that have no event.
func TestStatuses(t *testing.T) {
	for status, want := range map[int]bool{199: false, 200: true, 299: true, 300: false} {
		w := watcher(t, between.Options{})
		w.Request(between.Message{Method: "GET", URL: events + "/abcde", Header: as("a")}).Answer(status, nil, []byte(stored), "")
		if got := remembers(w, as("a")); got != want {
			t.Errorf("with the status %d the event is remembered: %t", status, got)
		}
	}
	w := watcher(t, between.Options{})
	w.Request(between.Message{Method: "POST", URL: events + "/quickAdd?text=Review", Header: as("a")}).Answer(200, nil, []byte(stored), "")
	if !remembers(w, as("a")) {
		t.Error("the answer to quickAdd is not remembered")
	}
	colors := w.Request(between.Message{Method: "GET", URL: service + "/colors"})
	if found, unchecked := colors.Answer(200, nil, []byte(`{"kind":"calendar#colors"}`), ""); found != nil || unchecked != "" {
		t.Errorf("colors are checked as an event: %v, %q", found, unchecked)
	}
	empty := w.Request(between.Message{Method: "GET", URL: events + "/abcde"})
	if found, unchecked := empty.Answer(200, nil, nil, ""); found != nil || unchecked != "" {
		t.Errorf("an empty answer: %v, %q", found, unchecked)
	}
	move := w.Request(between.Message{Method: "POST", URL: events + "/abcde/move?destination=team%40example.com", Header: as("a")})
	if move.Answer(200, nil, []byte(stored), ""); remembers(w, as("a")) {
		t.Error("a moved event is remembered where it was")
	}
}

// Parameters that are credentials are none of the rules' business.
func TestCredentialsInTheQuery(t *testing.T) {
	w := watcher(t, between.Options{})
	for _, query := range []string{"access_token=secret", "oauth_token=secret", "key=secret", "access_token=a&key=b"} {
		if x := w.Request(between.Message{Method: "GET", URL: events + "?" + query}); len(x.Findings) > 0 {
			t.Errorf("%s: %v", query, x.Findings)
		}
	}
	for query, want := range map[string]bool{"?access_token=a": true, "?access_token=a&oauth_token=b": false, "?access_token=b": false, "": false, "?key=a": false} {
		w := watcher(t, between.Options{})
		w.Request(between.Message{Method: "GET", URL: events + "/abcde?access_token=a"}).Answer(200, nil, []byte(stored), "")
		x := w.Request(between.Message{Method: "PATCH", URL: events + "/abcde" + query, Body: []byte(early)})
		if got := len(x.Findings) > 0 && x.Findings[0].Remembered; got != want {
			t.Errorf("with %q the event is remembered: %t", query, got)
		}
	}
}
