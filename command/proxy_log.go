package command

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"sync"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/proxy"
)

// maxLogged is how many findings a SARIF log has at most; it is in memory until the end.
const maxLogged = 10_000

// proxyLog writes what the proxy reports, as it comes.
type proxyLog struct {
	*console
	flags *proxyFlags

	mutex    sync.Mutex
	requests int
	tally    tally
	sarif    *sarifReport // nil in other formats
	left     int          // findings that the SARIF log has no place for
}

func newProxyLog(c *console, flags *proxyFlags) *proxyLog {
	l := &proxyLog{console: c, flags: flags, tally: tally{findings: map[diag.Kind]int{}}}
	if flags.format.value == formatSARIF {
		l.sarif = &sarifReport{console: c, out: c.out, indexes: map[*diag.Rule]int{}}
	}
	return l
}

// announce says on standard error where the proxy is.
func (l *proxyLog) announce(address string, secure bool, o *proxy.Options, authority string) {
	scheme := map[bool]string{false: "http", true: "https"}[secure]
	to := o.Service
	if to == nil {
		to = o.Database
	}
	fmt.Fprintf(l.err, "calrules: %s://%s forwards to %s\n", scheme, address, &url.URL{Scheme: to.Scheme, Host: to.Host})
	fmt.Fprintf(l.err, "calrules: the last requests are on %s://%s/_calrules\n", scheme, address)
	if o.Authority != nil {
		fmt.Fprintf(l.err, "calrules: programs with HTTPS_PROXY=%s://%s must trust %s, which is valid until %s\n",
			scheme, address, authority, o.Authority.Expires().Format(time.RFC3339))
	}
}

// complain writes a problem of the proxy itself to standard error.
func (l *proxyLog) complain(text string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	fmt.Fprintln(l.err, "calrules:", visible(text))
}

// exchange writes an exchange to the log.
func (l *proxyLog) exchange(x proxy.Exchange) {
	if !x.Concerns() {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.requests++
	for _, f := range x.All() {
		l.tally.findings[f.Kind]++
	}
	switch {
	case l.flags.format.value == formatNDJSON:
		writeLine(l.out, x)
	case l.sarif != nil:
		writeExchange(l.err, &x)
		l.keep(&x)
	default:
		writeExchange(l.out, &x)
	}
	l.out.Flush() // run reports an error
}

// writeExchange writes an exchange as text, a line for each finding.
func writeExchange(out io.Writer, x *proxy.Exchange) {
	where := visible(x.Method) + " " + visible(x.Path)
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
	writeFindings(out, where, "", x.Findings)
	for i, part := range x.Parts {
		writeFindings(out, fmt.Sprintf("%s: part %d, %s", where, i+1, cmp.Or(string(part.Op), "not of the service")), "", part.Findings)
		if part.Unchecked != "" {
			fmt.Fprintf(out, "%s: part %d: not checked: %s\n", where, i+1, visible(string(part.Unchecked)))
		}
	}
	writeFindings(out, where, "answer ", x.Answer)
	if x.Unchecked != "" {
		fmt.Fprintf(out, "%s: not checked: %s\n", where, visible(string(x.Unchecked)))
	}
	if x.Blocked {
		fmt.Fprintf(out, "%s: not sent, and answered with %d\n", where, x.Status)
	}
	if x.Failure != "" {
		fmt.Fprintf(out, "%s: %s\n", where, visible(x.Failure))
	}
}

func writeFindings(out io.Writer, where, about string, findings []proxy.Finding) {
	for _, f := range findings {
		path, note := string(f.Path), ""
		if path != "" {
			path += ": "
		}
		if f.Remembered {
			note = " (beside the event that was read earlier)"
		}
		fmt.Fprintf(out, "%s: %s%s %s%s%s [%s]\n", where, about, f.Kind, visible(path), visible(f.Message), note, f.Rule)
	}
}

// keep keeps the findings for the SARIF log.
func (l *proxyLog) keep(x *proxy.Exchange) {
	for _, f := range x.All() {
		if len(l.sarif.results) == maxLogged {
			l.left++
			continue
		}
		l.sarif.results = append(l.sarif.results, sarifResult{
			RuleID: f.Rule, RuleIndex: l.sarif.index(f.Of), Level: sarifLevel(f.Kind), Message: sarifText{f.Message},
			Locations: []sarifLocation{{Logical: []sarifLogical{{x.Method + " " + x.Path + " " + string(f.Path), "resource"}}}},
		})
	}
}

// end writes what comes at the end, and returns the error for the exit status.
func (l *proxyLog) end() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	summary := l.err
	switch {
	case l.sarif != nil:
		if l.left > 0 {
			l.sarif.notes = append(l.sarif.notes, sarifNote{"warning", sarifText{fmt.Sprintf("%s left out after the first %d.", number(l.left, "finding"), maxLogged)}})
		}
		l.sarif.end(l.tally)
	case l.flags.format.value == formatText:
		summary = l.out
	}
	if !l.flags.quiet {
		fmt.Fprintf(summary, "%s: %s\n", number(l.requests, "request"), l.tally.kinds())
	}
	if l.tally.findings[diag.Reject] > 0 && !l.flags.exitsClean {
		return errFound
	}
	return nil
}
