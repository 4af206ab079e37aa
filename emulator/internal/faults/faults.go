// Package faults contains servers with one typical mistake each, to test programs that judge servers. Each server is a handler
// in front of an emulator, which behaves correctly in all other respects.
//
// Clients can observe every mistake through the API. The emulator's clock must advance: while the clock stands still, a stale
// update time looks right. The emulator must not have tokens.
package faults

import (
	"net/http"
	"slices"
	"sync"
)

// Fault is a mistake made by a server.
type Fault struct {
	Name string // a name for reports, such as "location-dropped"
	Says string // the mistake and, if no rule is broken, the reason why it is a mistake
	Rule string // the id of the broken rule, or empty

	server func() server // returns a new server, without state from earlier calls
}

// server handles a call.
type server func(*call)

// Open returns the faults that the author of the judging program may know.
func Open() []Fault { return slices.Concat(writing, reading, judging, harming) }

// Hidden returns the faults that the author of the judging program must not know. Tests reveal only the number of hidden faults
// that the program finds.
func Hidden() []Fault { return slices.Clone(hidden) }

// All returns all faults.
func All() []Fault { return slices.Concat(Open(), hidden) }

// Handler returns a server with the fault in front of the emulator next. Handler handles one call at a time.
func (f Fault) Handler(next http.Handler) http.Handler {
	serve := f.server()
	var mu sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := newCall(next, r)
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		serve(c)
		c.write(w)
	})
}
