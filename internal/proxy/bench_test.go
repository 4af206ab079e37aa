//go:build unix

package proxy

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// typical is an event as clients send it.
const typical = `{"summary":"Weekly review","location":"Room 4","description":"What we did, and what comes next.","start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"},` +
	`"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"},"recurrence":["RRULE:FREQ=WEEKLY;COUNT=10"],` +
	`"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"},{"email":"eve@example.com","optional":true}],` +
	`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":10}]},"extendedProperties":{"private":{"ticket":"4711"}}}`

// answerTo returns the answer to a request: an event, or a page with twenty.
func answerTo(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	if r.Method == http.MethodGet {
		io.WriteString(w, page20)
		return
	}
	io.WriteString(w, eventWith(1))
}

func eventWith(n int) string {
	return fmt.Sprintf(`{"kind":"calendar#event","etag":"\"1\"","id":"abcde%07d","status":"confirmed",`, n) + typical[1:]
}

var page20 = func() string {
	items := make([]string, 20)
	for i := range items {
		items[i] = eventWith(i)
	}
	return `{"kind":"calendar#events","items":[` + strings.Join(items, ",") + `]}`
}()

// cpu returns the CPU time of the process.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkProxy measures the CPU time of a request, client and service included: without a proxy, through a reverse
// proxy of the standard library, and through the proxy.
//
//	go test ./internal/proxy -run '^$' -bench Proxy -benchtime 20000x -count 3
func BenchmarkProxy(b *testing.B) {
	upstream := httptest.NewServer(http.HandlerFunc(answerTo))
	defer upstream.Close()
	plain := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(parse(b, upstream.URL)) }, BufferPool: &buffers,
		Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: maxRequests},
	})
	defer plain.Close()
	o := watching(b, upstream.URL)
	o.Timeout = time.Minute
	handler := New(o)
	defer handler.Close()
	ours := httptest.NewServer(handler)
	defer ours.Close()
	for _, request := range []struct{ name, method, body string }{{"insert", "POST", typical}, {"list", "GET", ""}} {
		for _, via := range []struct{ name, base string }{{"direct", upstream.URL}, {"plain", plain.URL}, {"calrules", ours.URL}} {
			b.Run(request.name+"/"+via.name, func(b *testing.B) {
				begin := cpu()
				for b.Loop() {
					r, err := http.NewRequest(request.method, via.base+events, strings.NewReader(request.body))
					if err != nil {
						b.Fatal(err)
					}
					answer, err := client.Do(r)
					if err != nil {
						b.Fatal(err)
					}
					io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
				b.ReportMetric(float64((cpu()-begin).Microseconds())/float64(b.N), "cpu-µs/op")
			})
		}
	}
}

// The heap does not grow with the number of requests, whatever they are about.
func TestMemoryIsFlat(t *testing.T) {
	n := testdepth.Draws(1_000, 100_000)
	i := 0
	upstream := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, eventWith(i)) // a new one each time
	})
	o := watching(t, upstream)
	w, err := between.New(between.Options{Base: upstream + "/calendar/v3", MaxEvents: n / 100})
	if err != nil {
		t.Fatal(err)
	}
	o.Watchers, o.Timeout = []*between.Watcher{w}, time.Minute
	handler := New(o)
	defer handler.Close()
	server := httptest.NewServer(handler)
	defer server.Close()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // empties the pools
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var early uint64
	for i = range n {
		if i == n/2 { // the page and the watcher are full
			early = heap()
		}
		body := typical
		if i%3 == 0 {
			body = `{"start":{"date":"2026-03-10"}}`
		}
		if status, _, _ := send(t, "PUT", fmt.Sprintf("%s%s/abcde%07d?x%d=1", server.URL, events, i, i), body, "Authorization", fmt.Sprint("Bearer ", i)); status != 200 {
			t.Fatal(status)
		}
	}
	late := heap()
	t.Logf("%d KiB after %d requests, %d KiB after %d", early>>10, n/2, late>>10, n)
	if late > early+32<<10 { // 64 bytes a request by default
		t.Errorf("the heap grows from %d to %d bytes with %d requests", early, late, n/2)
	}
}
