package proxy

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// The limit of the user, if there is one, stays.
func TestLimitMemory(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	for was, want := range map[int64]int64{math.MaxInt64: memoryLimit, 1 << 40: 1 << 40} {
		debug.SetMemoryLimit(was)
		restore := LimitMemory()
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("with the limit %d: %d", was, got)
		}
		if restore(); debug.SetMemoryLimit(-1) != was {
			t.Errorf("the limit %d is not restored", was)
		}
	}
}

// As many clients as the proxy serves at a time, each with a body and an answer of 4 MiB, take less than 512 MiB: what there is
// no room for passes, and the report says that it was not checked.
func TestMemoryOfBodies(t *testing.T) {
	t.Cleanup(LimitMemory())
	clients := testdepth.Draws(4, maxRequests)
	for name, shape := range map[string][3]string{
		"a text":          {`{"description":"`, "a", `"}`},
		"attendees":       {`{"attendees":[0`, `,0`, `]}`},
		"unknown members": {`{"x":0`, `,"x":[{}]`, `}`},
	} {
		text := shape[0] + strings.Repeat(shape[1], (event.DefaultMaxBytes-len(shape[0]+shape[2]))/len(shape[1])) + shape[2]
		var arrived sync.WaitGroup // at the upstream
		arrived.Add(clients)
		o := watching(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
			if n, err := io.Copy(io.Discard, r.Body); err != nil || int(n) != len(text) {
				t.Errorf("%s: the upstream gets %d bytes, %v", name, n, err)
			}
			arrived.Done()
			arrived.Wait() // so all are under way at the same time
			io.WriteString(w, text)
		}))
		o.Timeout = time.Hour // the race detector is slow
		p := start(t, o)
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				r, err := client.Post(fmt.Sprint(p.base, events, "?x=", i), "application/json", strings.NewReader(text))
				if err != nil {
					t.Error(err)
					return
				}
				defer r.Body.Close()
				if n, err := io.Copy(io.Discard, r.Body); err != nil || int(n) != len(text) {
					t.Errorf("%s: a client gets %d bytes, %v", name, n, err)
				}
			})
		}
		all.Wait()
		checked := 0
		for _, x := range p.exchanges() {
			if x.Unchecked == "" {
				checked++
			} else if x.Unchecked != "too many other bodies are being checked" {
				t.Errorf("%s: unchecked because %q", name, x.Unchecked)
			}
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		t.Logf("%s: %d of %d are checked; at most %d MiB of memory are taken", name, checked, clients, m.Sys>>20)
		if checked == 0 || m.Sys >= 512<<20 {
			t.Errorf("%s: %d of %d are checked; at most %d MiB of memory are taken", name, checked, clients, m.Sys>>20)
		}
		client.CloseIdleConnections()
	}
}
