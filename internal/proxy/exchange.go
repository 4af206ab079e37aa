package proxy

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/internal/traffic"
	"github.com/calrules/calrules/internal/visible"
)

// Exchange is the report about a request and its response. The status is the status sent to the client, or 0 if the client has
// disconnected.
type Exchange struct {
	Time time.Time `json:"time"`
	traffic.Exchange

	Failure string `json:"failure,omitempty"` // the reason why the upstream has not answered
	Blocked bool   `json:"blocked,omitempty"` // whether the proxy withheld the request

	Database *Authentication `json:"database,omitempty"`
}

func (p *Proxy) newExchange(r *http.Request, now time.Time) Exchange {
	return Exchange{Time: now.UTC(), Exchange: p.o.Print.Of(r.Method, r.URL.EscapedPath())}
}

// Concerns reports whether the exchange is with the service or the database, or failed.
func (x *Exchange) Concerns() bool {
	return x.Exchange.Concerns() || x.Failure != "" || x.Database != nil
}

// WriteText writes the exchange as text, including the action of the proxy.
func (x *Exchange) WriteText(out io.Writer) {
	where := x.Request()
	if d := x.Database; d != nil {
		as := d.Principal.String()
		for i, credential := range d.Credentials {
			as += fmt.Sprintf("%s%s in %s", [...]string{" (", ", "}[min(i, 1)], credential.Kind, credential.In)
		}
		if len(d.Credentials) > 0 {
			as += ")"
		}
		fmt.Fprintf(out, "%s: principal %s, rules %s\n", where, as, d.Rules)
	}
	x.Write(out, where)
	if x.Blocked {
		fmt.Fprintf(out, "%s: not sent; the proxy responded with %d\n", where, x.Status)
	}
	if x.Failure != "" {
		fmt.Fprintf(out, "%s: %s\n", where, visible.Text(x.Failure))
	}
}

// checking is a transport that sends each request through the transport of the first watcher that watches its URL.
type checking struct {
	transports []*eventhttp.Transport
	next       http.RoundTripper
}

func (p *Proxy) checking() checking {
	c := checking{next: p.to}
	for _, watcher := range p.o.Watchers {
		c.transports = append(c.transports, &eventhttp.Transport{Next: p.to, Watcher: watcher, Block: p.o.Block, Report: p.watched})
	}
	return c
}

// RoundTrip implements [http.RoundTripper].
func (c checking) RoundTrip(r *http.Request) (*http.Response, error) {
	for _, t := range c.transports {
		if t.Watcher.Watches(r.Method, r.URL.String()) {
			return t.RoundTrip(r)
		}
	}
	return c.next.RoundTrip(r)
}

// watched stores a watcher's report about an exchange.
func (p *Proxy) watched(r eventhttp.Report) {
	v := visitOf(r.Request)
	v.Watched(p.o.Print, r.Exchange, r.Answer, r.Unchecked)
	v.Blocked = r.Blocked
}

// record adds an exchange to the page, and passes the exchange to the Report function, if any.
func (p *Proxy) record(v *visit) {
	if v.recorded {
		return
	}
	v.recorded = true
	p.page.add(v.Exchange, time.Since(v.begin))
	if p.o.Report != nil {
		p.o.Report(v.Exchange)
	}
}
