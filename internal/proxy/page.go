package proxy

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/traffic"
)

// PagePath is the path of the page that shows the most recent requests.
const PagePath = "/_calrules"

// Limits on the content of the page.
const (
	pageRequests = 100
	pageFindings = 20 // the maximum number for a request
)

// page keeps the most recent requests, and counts the findings about all requests.
type page struct {
	mutex sync.Mutex
	last  []pageEntry // the most recent requests, oldest first
	count int         // the total number of requests
	kinds traffic.Findings
}

type pageEntry struct {
	Exchange
	Took  time.Duration
	Shown []traffic.Finding
	More  int // the number of findings that are not shown
	Batch int // the number of requests in the batch
}

// isClean reports whether the page has no remarks about a request.
func (e *pageEntry) isClean() bool {
	return len(e.Shown) == 0 && e.Unchecked == "" && e.Failure == "" && e.Refusal == nil
}

// pageTotal is the number of findings of one kind.
type pageTotal struct {
	Kind diag.Kind
	N    int
}

// pageView is the content of the page, with the newest requests first.
type pageView struct {
	Count, Kept  int
	Totals       []pageTotal
	Only         diag.Kind // the kind of findings to show; "" for all requests
	Found, Clean []pageEntry
}

func (p *page) add(x Exchange, took time.Duration) {
	all := x.All()
	shown := all[:min(len(all), pageFindings)]
	batch := len(x.Parts)
	x.Findings, x.Answer, x.Parts = nil, nil, nil
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.count++
	if p.kinds == nil {
		p.kinds = traffic.Findings{}
	}
	for _, f := range all {
		p.kinds[f.Kind]++
	}
	if len(p.last) == pageRequests {
		copy(p.last, p.last[1:])
		p.last = p.last[:pageRequests-1]
	}
	p.last = append(p.last, pageEntry{x, took.Round(time.Millisecond), append([]traffic.Finding{}, shown...), len(all) - len(shown), batch})
}

// view returns the content of the page: separate lists of requests with and without remarks or, for a given kind, only requests
// with findings of that kind.
func (p *page) view(only diag.Kind) pageView {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	v := pageView{Count: p.count, Kept: len(p.last), Only: only}
	for kind, n := range p.kinds.All() {
		v.Totals = append(v.Totals, pageTotal{kind, n})
	}
	for _, e := range slices.Backward(p.last) {
		switch {
		case only != "":
			e.Shown = slices.DeleteFunc(slices.Clone(e.Shown), func(f traffic.Finding) bool { return f.Kind != only })
			if len(e.Shown) > 0 {
				v.Found = append(v.Found, e)
			}
		case e.isClean():
			v.Clean = append(v.Clean, e)
		default:
			v.Found = append(v.Found, e)
		}
	}
	return v
}

// ServeHTTP writes the page. Other sites cannot read the page: there is no CORS header, and the Host header must be an address
// of this machine, which prevents DNS rebinding.
func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	limitWrite(http.NewResponseController(w))
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src '"+styleHash()+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	switch {
	case !isFromHere(r):
		http.Error(w, "The page can be read only from this machine.", http.StatusForbidden)
		return
	case !isOwn(r):
		http.Error(w, "The Host header is not an address of this machine.", http.StatusForbidden)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "The page is read-only.", http.StatusMethodNotAllowed)
		return
	}
	var text markup
	text.write(p.view(diag.Kind(r.URL.Query().Get("only"))))
	h.Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, text.String())
}

// isOwn reports whether the host in a request is this machine: localhost, a loopback address, or the local address of
// the connection.
func isOwn(r *http.Request) bool {
	host := hostOf(r.Host)
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost" || strings.HasSuffix(host, ".localhost")
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ip.IsLoopback() || ok && hostOf(local.String()) == host
}

// isFromHere reports whether a request comes from this machine: from a loopback address, or from the local address of the
// connection.
func isFromHere(r *http.Request) bool {
	from := hostOf(r.RemoteAddr)
	ip, err := netip.ParseAddr(from)
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return err == nil && (ip.IsLoopback() || ok && hostOf(local.String()) == from)
}

//go:embed page.css
var style string

var styleHash = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
})
