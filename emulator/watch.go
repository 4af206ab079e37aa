package main

import (
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/proxy"
)

// watched is an emulator whose exchanges in the dialect of the public service are checked.
type watched struct {
	*proxy.Proxy
	watcher  *between.Watcher
	emulator http.Handler
}

// watchedService is the address of the emulator for the watcher, whatever host a client names.
var watchedService = &url.URL{Scheme: "http", Host: "emulator.invalid", Path: "/calendar/v3"}

// newWatched returns an emulator that writes its findings to out. Close it when it is no longer needed.
func newWatched(emulator http.Handler, out io.Writer) *watched {
	watcher, err := between.New(between.Options{Base: watchedService.String()})
	if err != nil {
		panic(err) // a bug: the address is a constant
	}
	var mutex sync.Mutex
	p := proxy.New(proxy.Options{
		Service: watchedService, Watcher: watcher, Handler: emulator, Timeout: 2 * time.Minute, Dialect: diag.Google,
		Report: func(x proxy.Exchange) {
			mutex.Lock()
			defer mutex.Unlock()
			if x.Concerns() {
				x.WriteText(out)
			}
		},
	})
	return &watched{p, watcher, emulator}
}

// ServeHTTP implements [http.Handler]. Unchecked requests, such as database requests, go directly to the emulator.
func (s *watched) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := *watchedService
	at.Path, at.RawPath, at.RawQuery = r.URL.Path, r.URL.RawPath, r.URL.RawQuery
	if r.URL.Path == proxy.PagePath || r.Method != http.MethodConnect && s.watcher.Watches(r.Method, at.String()) {
		s.Proxy.ServeHTTP(w, r)
		return
	}
	s.emulator.ServeHTTP(w, r)
}
