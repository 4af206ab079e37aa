package proxy

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// pagePath is the path of the page with the last requests.
const pagePath = "/_calrules"

// What the page shows at most.
const (
	pageRequests = 100
	pageFindings = 20 // of a request
)

// page has the last requests.
type page struct {
	mutex sync.Mutex
	last  []pageEntry // the oldest first
	count int         // of all requests
}

// pageEntry is a request on the page.
type pageEntry struct {
	Exchange
	Took  time.Duration
	Shown []Finding
	More  int // findings that are not shown
	Batch int // the requests in it
}

func (p *page) add(x Exchange, took time.Duration) {
	all := x.All()
	shown := all[:min(len(all), pageFindings)]
	for i := range shown {
		shown[i].Of = nil
	}
	batch := len(x.Parts)
	x.Findings, x.Answer, x.Parts = nil, nil, nil
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.count++
	if len(p.last) == pageRequests {
		copy(p.last, p.last[1:])
		p.last = p.last[:pageRequests-1]
	}
	p.last = append(p.last, pageEntry{x, took.Round(time.Millisecond), append([]Finding{}, shown...), len(all) - len(shown), batch})
}

// ServeHTTP writes the page. A page of another site cannot read it: not by its address, because there is no CORS header,
// and not through a name that changes its address, because Host must be an address of this machine.
func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src '"+styleHash+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	switch {
	case !isOwn(r):
		http.Error(w, "The Host of the request is not an address of this machine.", http.StatusForbidden)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "The page can only be read.", http.StatusMethodNotAllowed)
		return
	}
	var text bytes.Buffer
	if err := p.write(&text); err != nil {
		http.Error(w, "The page cannot be written.", http.StatusInternalServerError)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	w.Write(text.Bytes())
}

func (p *page) write(text *bytes.Buffer) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	entries := make([]pageEntry, 0, len(p.last))
	for i := len(p.last) - 1; i >= 0; i-- {
		entries = append(entries, p.last[i])
	}
	return pageTemplate.Execute(text, map[string]any{"Style": template.CSS(style), "Count": p.count, "Requests": entries})
}

// isOwn reports whether a request names this machine: localhost, a loopback address, or the address to which it came.
func isOwn(r *http.Request) bool {
	host := hostOf(r.Host)
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost" || strings.HasSuffix(host, ".localhost")
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ip.IsLoopback() || ok && hostOf(local.String()) == host
}

const style = `body{font:15px/1.4 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3em .6em;border-top:1px solid #ccc}
code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}.reject{color:#a00}.ignore{color:#850}.quiet{color:#666}
@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}.reject{color:#f77}.ignore{color:#db5}.quiet{color:#999}}`

var styleHash = func() string {
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}()

var pageTemplate = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>calrules proxy</title><style>{{.Style}}</style></head>
<body>
<h1>calrules proxy</h1>
<p>{{.Count}} requests so far; the last {{len .Requests}} of them, the newest first. Load the page again for newer ones.</p>
<table>
<tr><th>Time</th><th>Request</th><th>Status</th><th>Findings</th></tr>
{{range .Requests}}<tr><td>{{.Time.Format "15:04:05"}}</td>
<td><code>{{.Method}} {{.Path}}</code><br><span class="quiet">{{if .Op}}{{.Op}}{{else if .Database}}principal {{.Database.Principal}}, rules {{.Database.Rules}}{{range .Database.Credentials}}; {{.In}}: {{.Kind}}{{end}}{{else if .Batch}}a batch of {{.Batch}}{{else}}not an operation of the service{{end}}, {{.Took}}</span></td>
<td>{{if .Status}}{{.Status}}{{else}}none{{end}}{{if .Blocked}}, not sent{{end}}</td>
<td>{{range .Shown}}<div class="{{.Kind}}"><b>{{.Kind}}</b> {{if .Path}}<code>{{.Path}}</code> {{end}}{{.Message}} <span class="quiet">{{if .Remembered}}(beside the event that was read earlier) {{end}}[{{.Rule}}]</span></div>
{{end}}{{if .More}}<div class="quiet">and {{.More}} more</div>{{end}}{{with .Unchecked}}<div class="quiet">not checked: {{.}}</div>{{end}}{{with .Failure}}<div class="reject">{{.}}</div>{{end}}</td></tr>
{{end}}</table>
</body>
</html>
`))
