package proxy

import (
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/rtdbauth"
)

// Exchange is the report about a request and its answer. It has no header field and no value of the query, for they
// may be credentials.
type Exchange struct {
	Time   time.Time    `json:"time"`
	Method string       `json:"method"`
	Path   string       `json:"path"` // without the query
	Op     operation.ID `json:"op"`   // "" for requests that are none of the service's, and for batches

	Status   int       `json:"status"`   // that the client gets; 0 if it has left
	Findings []Finding `json:"findings"` // about the request
	Answer   []Finding `json:"answer"`   // about the answer
	Parts    []Part    `json:"parts,omitempty"`

	Unchecked between.Reason `json:"unchecked,omitempty"` // for not checking the request or the answer
	Failure   string         `json:"failure,omitempty"`   // why there is no answer of the upstream
	Blocked   bool           `json:"blocked,omitempty"`   // the request was not sent

	Database *Authentication `json:"database,omitempty"`
}

// Part is a request in a batch.
type Part struct {
	Op        operation.ID   `json:"op"`
	Findings  []Finding      `json:"findings"`
	Unchecked between.Reason `json:"unchecked,omitempty"`
}

// Finding is a finding as text.
type Finding struct {
	Rule       string       `json:"rule"`
	Kind       diag.Kind    `json:"kind"`
	Basis      diag.Basis   `json:"basis"`
	Path       diag.Pointer `json:"path"`
	Message    string       `json:"message"`
	Remembered bool         `json:"remembered,omitempty"` // it rests on an event that was seen earlier

	Of *diag.Rule `json:"-"`
}

// Lengths of what an exchange keeps of a request, in characters.
const (
	maxPath   = 300
	maxMethod = 20
)

func newExchange(r *http.Request, now time.Time) Exchange {
	path, _, _ := strings.Cut(rtdbauth.RedactURL(shorten(r.URL.EscapedPath(), maxPath)), "?")
	return Exchange{Time: now.UTC(), Method: shorten(r.Method, maxMethod), Path: path, Findings: []Finding{}, Answer: []Finding{}}
}

// shorten returns the beginning of a text.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "..."
}

// Concerns reports whether the exchange is with the service or the database, or has failed.
func (x *Exchange) Concerns() bool {
	return x.Op != "" || len(x.Findings) > 0 || x.Parts != nil || x.Unchecked != "" || x.Failure != "" || x.Database != nil
}

// All returns all findings of the exchange.
func (x *Exchange) All() []Finding {
	all := append([]Finding{}, x.Findings...)
	for _, part := range x.Parts {
		all = append(all, part.Findings...)
	}
	return append(all, x.Answer...)
}

func (x *Exchange) watched(r eventhttp.Report, redact bool) {
	x.Op, x.Unchecked, x.Blocked = r.Exchange.Op, r.Exchange.Unchecked, r.Blocked
	if x.Unchecked == "" {
		x.Unchecked = r.Unchecked
	}
	x.Findings, x.Answer = RequestFindings(r.Exchange.Findings, redact), AnswerFindings(r.Answer, redact)
	for _, part := range r.Exchange.Parts {
		x.Parts = append(x.Parts, Part{part.Op, RequestFindings(part.Findings, redact), part.Unchecked})
	}
}

// RequestFindings returns what a watcher found in a request as text. If redact is set, no sentence has a value.
func RequestFindings(findings []between.Finding, redact bool) []Finding {
	list := make([]Finding, len(findings))
	for i, f := range findings {
		list[i] = asText(f.Finding, redact)
		list[i].Remembered = f.Remembered
	}
	return list
}

// AnswerFindings is [RequestFindings] for an answer.
func AnswerFindings(findings diag.Findings, redact bool) []Finding {
	list := make([]Finding, len(findings))
	for i, f := range findings {
		list[i] = asText(f, redact)
	}
	return list
}

// asText returns a finding as text. A finding about the query or the header has no values.
func asText(f diag.Finding, redact bool) Finding {
	if redact || !f.Path.InBody() {
		f = f.Redacted()
	}
	return Finding{Rule: f.Rule.ID, Kind: f.Kind, Basis: f.Basis, Path: f.Path, Message: f.Message(), Of: f.Rule}
}

// record shows an exchange on the page, and reports it.
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
