package emulator_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/store"
)

// TestNoLostUpdate runs writers that count in one event: each reads it, adds one to its number and writes it back
// with its entity tag as the condition. Every accepted write counts.
func TestNoLostUpdate(t *testing.T) {
	const writers = 8
	total := int64(draws(1000, 10_000, 10_000))
	handler := emulator.New(emulator.WithClock(clock))
	send := func(method, body, etag string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, google+"/calendars/primary/events/counter", strings.NewReader(body))
		if etag != "" {
			r.Header.Set("If-Match", etag)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	create := httptest.NewRequest("POST", google+"/calendars/primary/events", strings.NewReader(`{"id":"counter","summary":"0",`+hour+`}`))
	handler.ServeHTTP(httptest.NewRecorder(), create)

	var attempts, accepted atomic.Int64
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for attempts.Add(1) <= total {
				read := send("GET", "", "")
				var n int
				if _, err := fmt.Sscanf(summary(read.Body.String()), "%d", &n); err != nil {
					t.Error(err)
					return
				}
				switch w := send("PATCH", fmt.Sprintf(`{"summary":"%d"}`, n+1), read.Header().Get("ETag")); w.Code {
				case http.StatusOK:
					accepted.Add(1)
				case http.StatusPreconditionFailed:
				default:
					t.Errorf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
	wg.Wait()
	if got := handler.Event(me, "counter").Summary; got != fmt.Sprint(accepted.Load()) {
		t.Errorf("the counter is %s after %d accepted writes", got, accepted.Load())
	}
}

// summary returns the summary in the text of an event.
func summary(text string) string {
	_, rest, _ := strings.Cut(text, `"summary":"`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// fullStore is a store whose disk is full from some time on.
type fullStore struct {
	store.Memory
	full atomic.Bool
}

func (s *fullStore) Commit(records []store.Record) error {
	if s.full.Load() {
		return errors.New("secret: no space left on device")
	}
	return s.Memory.Commit(records)
}

// A change that cannot be stored is refused and has no effect, then or after a restart.
func TestDiskFull(t *testing.T) {
	disk := new(fullStore)
	handler, err := emulator.Open(disk, emulator.WithClock(clock))
	if err != nil {
		t.Fatal(err)
	}
	c := newClientOf(t, handler)
	c.do(200, "POST", eventsPath, `{"id":"event1","summary":"A",`+hour+`}`)
	disk.full.Store(true)
	for _, a := range []answer{
		c.send("POST", eventsPath, `{"id":"event2",`+hour+`}`),
		c.send("PATCH", eventsPath+"/event1", `{"summary":"B"}`),
		c.send("DELETE", eventsPath+"/event1", ""),
		c.send("POST", "/calendars", `{"summary":"Team"}`),
	} {
		if a.Status != 500 || strings.Contains(a.Text, "secret") || !strings.Contains(a.Text, "backendError") {
			t.Errorf("%d %s", a.Status, a.Text)
		}
	}
	check := func(c *client) {
		t.Helper()
		if o := c.do(200, "GET", eventsPath, ""); len(o.items()) != 1 || o.items()[0].text("summary") != "A" {
			t.Errorf("the events are %v", o)
		}
	}
	check(c)
	disk.full.Store(false)
	again, err := emulator.Open(disk, emulator.WithClock(clock))
	if err != nil {
		t.Fatal(err)
	}
	check(newClientOf(t, again))
	c.do(200, "POST", eventsPath, `{"id":"event2",`+hour+`}`)
}

// A body of 100 MB is refused without being kept. The client can send all of it, and then sees the answer.
func TestLargeBody(t *testing.T) {
	c := newClient(t)
	r, err := http.NewRequest("POST", c.url+google+eventsPath, io.LimitReader(spaces{}, 100<<20))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("the status is %s", resp.Status)
	}
}

// Clients that send a byte now and then do not block others.
func TestSlowClients(t *testing.T) {
	c := newClient(t)
	const connections = 1000
	for range connections {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", google+eventsPath)
	}
	client := &http.Client{Timeout: 30 * time.Second}
	for range 20 {
		resp, err := client.Post(c.url+google+eventsPath, "application/json", strings.NewReader(`{`+hour+`}`))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 200 {
			t.Errorf("the status is %s", resp.Status)
		}
	}
}
