// Package faults contains servers with one typical mistake each, to test programs that judge servers. Each server is a
// handler in front of an emulator, which does everything else correctly.
//
// Clients can observe every mistake through the API. The emulator's clock must advance: while it stands still, an update
// time that was not renewed looks right. The emulator must not have tokens.
package faults

import (
	"net/http"
	"slices"
	"sync"
)

// Fault is a mistake that a server makes.
type Fault struct {
	Name string // a name for reports, such as "location-dropped"
	Says string // what the server does wrong, and why if no rule is broken
	Rule string // the id of the broken rule, or empty

	server func() server // returns a new server, without state from earlier calls
}

// server handles a call.
type server func(*call)

// Open returns the faults that the author of the judging program may know.
func Open() []Fault { return slices.Concat(writing, reading, judging, harming) }

// Hidden returns the faults that the author of the judging program must not know. Tests reveal only how many of them it finds.
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
