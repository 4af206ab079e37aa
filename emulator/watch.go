package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/internal/proxy"
	"github.com/calrules/calrules/internal/traffic"
)

// watch configures checks of the exchanges with the emulator. The zero value means no checks.
type watch struct {
	on     bool
	values bool // show paths and values in bodies
}

// watched is an emulator whose exchanges are checked, each in the dialect that its path implies.
type watched struct {
	*proxy.Proxy
	watchers []*between.Watcher
	emulator http.Handler

	mutex  sync.Mutex
	out    io.Writer
	totals *traffic.Totals
}

// watchedService is the address of the emulator for the watchers, regardless of the host that a client uses.
var watchedService = &url.URL{Scheme: "http", Host: "emulator.invalid"}

// newWatched returns an emulator that writes findings about its exchanges to out. The caller must call end when the emulator is
// no longer needed.
func (c watch) newWatched(emulator http.Handler, out io.Writer) *watched {
	s := &watched{emulator: emulator, out: out, totals: traffic.NewTotals()}
	for _, base := range []between.Options{{Base: "/calendar/v3"}, {Base: "/v3", Documents: true}} {
		base.Base = watchedService.JoinPath(base.Base).String()
		watcher, err := between.New(base)
		if err != nil {
			panic(err) // cannot happen: the addresses are constants
		}
		s.watchers = append(s.watchers, watcher)
	}
	s.Proxy = proxy.New(proxy.Options{
		Service: watchedService, Watchers: s.watchers, Handler: emulator, Timeout: 2 * time.Minute, Print: traffic.Options{Values: c.values}, Report: s.report,
	})
	return s
}

// report counts and writes an exchange.
func (s *watched) report(x proxy.Exchange) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if x.Concerns() {
		s.totals.Count(&x.Exchange)
		x.WriteText(s.out)
	}
}

// end stops the checks and writes the totals.
func (s *watched) end() {
	s.Close()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	fmt.Fprintln(s.out, s.totals)
}

// ServeHTTP implements [http.Handler]. Unchecked requests, such as database requests, go directly to the emulator.
func (s *watched) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := *watchedService
	at.Path, at.RawPath, at.RawQuery = r.URL.Path, r.URL.RawPath, r.URL.RawQuery
	isWatched := func(w *between.Watcher) bool { return w.Watches(r.Method, at.String()) }
	if r.URL.Path == proxy.PagePath || r.Method != http.MethodConnect && slices.ContainsFunc(s.watchers, isWatched) {
		s.Proxy.ServeHTTP(w, r)
		return
	}
	s.emulator.ServeHTTP(w, r)
}
