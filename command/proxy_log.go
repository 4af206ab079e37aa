package command

import (
	"fmt"
	"net/url"
	"sync"

	"github.com/calrules/calrules/internal/proxy"
	"github.com/calrules/calrules/internal/traffic"
	"github.com/calrules/calrules/internal/visible"
)

// maxLogged is the maximum number of findings in a SARIF log, which stays in memory until the end.
const maxLogged = 10_000

// proxyLog writes the proxy's reports as they arrive.
type proxyLog struct {
	*console
	flags *proxyFlags

	mutex      sync.Mutex
	totals     *traffic.Totals
	statistics trafficStatistics
	sarif      *sarifReport // nil in other formats
	left       int          // findings that do not fit in the SARIF log
}

func newProxyLog(c *console, flags *proxyFlags) *proxyLog {
	l := &proxyLog{console: c, flags: flags, totals: traffic.NewTotals(), statistics: trafficStatistics{}}
	if flags.format.value == formatSARIF {
		l.sarif = newSARIF(c, c.out)
	}
	return l
}

// announce writes the address of the proxy to standard error.
func (l *proxyLog) announce(address string, secure bool, o *proxy.Options, authority string) {
	scheme := map[bool]string{false: "http", true: "https"}[secure]
	to := o.Service
	if to == nil {
		to = o.Database
	}
	fmt.Fprintf(l.err, "calrules: %s://%s forwards to %s\n", scheme, address, &url.URL{Scheme: to.Scheme, Host: to.Host})
	fmt.Fprintf(l.err, "calrules: %s://%s/_calrules shows the latest requests\n", scheme, address)
	if o.Authority != nil {
		fmt.Fprintln(l.err, "calrules:", o.Authority.Notice(scheme+"://"+address, authority))
	}
}

// complain reports a problem with the proxy itself on standard error.
func (l *proxyLog) complain(text string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	fmt.Fprintln(l.err, "calrules:", visible.Text(text))
}

// exchange writes an exchange to the log.
func (l *proxyLog) exchange(x proxy.Exchange) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !x.Concerns() {
		l.totals.Others++
		return
	}
	l.totals.Count(&x.Exchange)
	switch {
	case l.flags.statistics:
		l.statistics.count(&x.Exchange)
	case l.flags.format.value == formatNDJSON:
		writeLine(l.out, x)
	case l.sarif != nil:
		x.WriteText(l.err)
		l.keep(&x)
	default:
		x.WriteText(l.out)
	}
	l.out.Flush() // run reports an error
}

// keep adds the findings to the SARIF log.
func (l *proxyLog) keep(x *proxy.Exchange) {
	for _, s := range subjectsOf("<proxy>", x.Request(), &x.Exchange, textStart, textStart) {
		kept := min(len(s.findings), maxLogged-len(l.sarif.results)-len(l.sarif.notes))
		l.left += len(s.findings) - kept
		s.findings = s.findings[:kept]
		l.sarif.subject(s)
	}
}

// end writes the end of the log and returns the error that sets the exit status.
func (l *proxyLog) end() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	switch {
	case l.flags.statistics:
		l.statistics.write(l.out, l.flags.format, l.totals, l.flags.quiet)
	case l.sarif != nil:
		l.endSARIF()
	case l.flags.format.value == formatNDJSON && !l.flags.quiet:
		writeLine(l.out, totalsJSON{l.totals})
	case !l.flags.quiet:
		fmt.Fprintln(l.out, l.totals)
	}
	if l.flags.fails(l.totals) && !l.flags.exitsClean {
		return errFound
	}
	return nil
}

// endSARIF writes the SARIF log.
func (l *proxyLog) endSARIF() {
	if l.left > 0 {
		l.sarif.notes = append(l.sarif.notes, sarifNote{"warning", sarifText{fmt.Sprintf("%s omitted after the first %d.", visible.Count(l.left, "finding"), maxLogged)}})
	}
	if !l.flags.quiet {
		fmt.Fprintln(l.err, l.totals)
	}
	l.sarif.end(l.totals)
}
