package emulator_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/emulator"
)

// notified counts the notifications of each channel about changes, by their numbers.
type notified struct {
	mu    sync.Mutex
	times map[string]map[string]int
	sum   atomic.Int64
}

func (n *notified) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Goog-Resource-State") != "exists" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	id := r.Header.Get("X-Goog-Channel-ID")
	if n.times[id] == nil {
		n.times[id] = map[string]int{}
	}
	n.times[id][r.Header.Get("X-Goog-Message-Number")]++
	n.sum.Add(1)
}

// TestManyClients lets 64 clients work on one calendar: each counts in a shared event under the condition of its entity tag,
// changes an event of its own in batches, and follows the list with sync tokens. No count is lost, no condition fails without a
// change, each change is notified once per channel, and every client ends with what the calendar has.
func TestManyClients(t *testing.T) {
	const clients, channels = 64, 3
	rounds := draws(1, 2, 20)
	told := &notified{times: map[string]map[string]int{}}
	handler := emulator.New(emulator.WithClock(clock), emulator.WithNotifier(&http.Client{Transport: direct{told}}))
	send := func(method, path, body string, header ...string) (int, object) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		var o object
		json.Unmarshal(w.Body.Bytes(), &o) // a batch is no JSON
		return w.Code, o
	}
	const events = google + eventsPath
	for i := range channels {
		if status, o := send("POST", google+watchPath, channel(fmt.Sprint("c", i), "")); status != 200 {
			t.Fatal(o)
		}
	}
	send("POST", events, `{"id":"counter","summary":"0",`+hour+`}`)
	var changes, counted atomic.Int64
	changes.Add(1)
	// A channel has a place for 100 notifications that wait: changes wait for it.
	pace := func() {
		for changes.Load()-told.sum.Load()/channels > 20 {
			time.Sleep(time.Millisecond)
		}
	}
	count := func() {
		for {
			pace()
			_, was := send("GET", events+"/counter", "")
			var n int
			fmt.Sscan(was.text("summary"), &n)
			status, now := send("PATCH", events+"/counter", fmt.Sprintf(`{"summary":"%d"}`, n+1), "If-Match", was.text("etag"))
			if status == http.StatusOK {
				changes.Add(1)
				counted.Add(1)
				return
			}
			if _, is := send("GET", events+"/counter", ""); status != http.StatusPreconditionFailed || is.text("etag") == was.text("etag") {
				t.Errorf("%d %v, and the entity tag is still %s", status, now, was.text("etag"))
				return
			}
		}
	}
	replicas, last := make([]map[string]string, clients), make([]func(), clients)
	var wg sync.WaitGroup
	for i := range clients {
		replica, token := map[string]string{}, ""
		replicas[i] = replica
		synchronize := func() {
			query := "?maxResults=20"
			if token != "" {
				query += "&syncToken=" + token
			}
			for page := ""; ; {
				status, o := send("GET", events+query+page, "")
				if status != http.StatusOK {
					t.Errorf("%d %v", status, o)
					return
				}
				for _, e := range o.items() {
					replica[e.text("id")] = e.text("etag")
				}
				if token = o.text("nextSyncToken"); token != "" {
					return
				}
				page = "&pageToken=" + o.text("nextPageToken")
			}
		}
		last[i] = synchronize
		wg.Go(func() {
			own := fmt.Sprintf("mine%05d", i)
			pace()
			if status, o := send("POST", events, fmt.Sprintf(`{"id":%q,%s}`, own, hour)); status != 200 {
				t.Errorf("%d %v", status, o)
			}
			changes.Add(1)
			for round := range rounds {
				count()
				pace()
				part := func(body string) string {
					return fmt.Sprintf("--b\r\nContent-Type: application/http\r\n\r\nPATCH %s/%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\r\n", events, own, len(body), body)
				}
				body := part(fmt.Sprintf(`{"summary":"%d"}`, round)) + part(fmt.Sprintf(`{"location":"%d"}`, round)) + "--b--\r\n"
				if status, _ := send("POST", "/batch/calendar/v3", body, "Content-Type", "multipart/mixed; boundary=b"); status != 200 {
					t.Errorf("the batch is answered with %d", status)
				}
				changes.Add(2)
				synchronize()
			}
		})
	}
	wg.Wait()
	if err := waitFor(func() bool { return told.sum.Load() >= channels*changes.Load() }); err != nil {
		t.Error(err)
	}
	if err := handler.Close(); err != nil {
		t.Error(err)
	}
	if got := handler.Event(me, "counter").Summary; got != fmt.Sprint(counted.Load()) || counted.Load() != int64(clients*rounds) {
		t.Errorf("the counter is %s, but %d clients have counted", got, counted.Load())
	}
	for id, times := range told.times {
		for number, n := range times {
			if n != 1 {
				t.Errorf("%s is told %d times of the change %s", id, n, number)
			}
		}
		if int64(len(times)) != changes.Load() {
			t.Errorf("%s is told of %d of %d changes", id, len(times), changes.Load())
		}
	}
	want := map[string]string{}
	_, o := send("GET", events+"?maxResults=2500", "")
	for _, e := range o.items() {
		want[e.text("id")] = e.text("etag")
	}
	for i := range clients {
		last[i]()
		if diff := cmp.Diff(want, replicas[i]); diff != "" {
			t.Errorf("client %d (-list +replica):\n%s", i, diff)
		}
	}
}

// waitFor waits until something is so, at most a minute.
func waitFor(isSo func() bool) error {
	for range 6000 {
		if isSo() {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("a minute was not enough")
}
