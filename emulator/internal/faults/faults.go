// Package faults has servers with one mistake each, of the kinds that calendar services written by hand have. They test
// programs that judge servers: each is a handler in front of an emulator, which is right in everything else.
//
// A mistake shows to a client that uses only the API. The answers depend on the emulator's clock, which must advance: a time of
// a change that is not renewed looks right while the clock stands still. The emulator must have no tokens.
package faults

import (
	"net/http"
	"slices"
	"sync"
)

// Fault is one mistake of a server.
type Fault struct {
	Name string // for reports, such as "location-dropped"
	Says string // the behavior of the server, and why it is wrong if no rule says so
	Rule string // the id of the rule that the server breaks, or empty

	server func() server // a server without memory of earlier calls
}

// server answers a call.
type server func(*call)

// Open returns the faults that the author of the judge may know.
func Open() []Fault { return slices.Concat(writing, reading, judging, harming) }

// Hidden returns the faults that the author must not know: a test of the judge reveals only the number found.
func Hidden() []Fault { return slices.Clone(hidden) }

// All returns all faults.
func All() []Fault { return slices.Concat(Open(), hidden) }

// Handler returns a server with the fault in front of an emulator. It answers one call at a time.
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
