// Package traffic defines the printable form of the exchanges between a client and the service. The form contains no values: a
// request is shown as the path template of its operation, findings consist of rules and members, and reasons are taken from
// tables. With [Options.Values], the form also contains paths and the values in bodies; headers and queries are never shown.
package traffic

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/refusal"
	"github.com/calrules/calrules/rtdbauth"
)

// Options selects the parts of an exchange to print.
type Options struct {
	Values bool // show paths, and values in bodies
}

// Exchange is a request and its response.
type Exchange struct {
	Method string       `json:"method"`          // "" for a method that HTTP does not define
	Path   string       `json:"path"`            // the path template of the operation; "" for unknown paths
	Op     operation.ID `json:"op"`              // "" for requests that are not to the service, and for batches
	Status int          `json:"status"`          // the status of the answer; 0 if there is no answer
	Parts  []Exchange   `json:"parts,omitempty"` // the parts of a batch

	Findings []Finding `json:"findings"` // the findings about the request
	Answer   []Finding `json:"answer"`   // the findings about the answer

	Unchecked between.Reason  `json:"unchecked,omitempty"` // the reason for not checking the request or the answer
	Stored    between.Stored  `json:"stored,omitempty"`    // whether the event that the request is about was known
	Verdict   between.Verdict `json:"verdict,omitempty"`
	Refusal   *Refusal        `json:"refusal,omitempty"` // set if the library does not know the reason for a refusal
}

// Finding is the printable form of a finding.
type Finding struct {
	Rule       string       `json:"rule"`
	Kind       diag.Kind    `json:"kind"`
	Basis      diag.Basis   `json:"basis"`
	Path       diag.Pointer `json:"path"`
	Message    string       `json:"message"`
	Remembered bool         `json:"remembered,omitempty"` // whether the finding depends on an event that was seen earlier

	// Predicted and Recorded are the expected and the actual value in the response, as JSON, if values are shown.
	Predicted string `json:"predicted,omitempty"`
	Recorded  string `json:"recorded,omitempty"`

	Of *diag.Rule `json:"-"`
}

// Refusal contains the parts of a refusal by the service that are listed in a table.
type Refusal struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	Meaning string `json:"meaning,omitempty"`
}

// methods lists the methods defined by HTTP.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}

// The maximum lengths, in bytes, of the request parts that an exchange keeps if values are shown.
const (
	maxPath   = 300
	maxMethod = 20
)

// Of returns the printable form of a request.
func (o Options) Of(method, address string) Exchange {
	x := Exchange{Findings: []Finding{}, Answer: []Finding{}}
	if o.Values || slices.Contains(methods, method) {
		x.Method = shorten(method, maxMethod)
	}
	if u, err := url.Parse(address); o.Values && err == nil {
		x.Path, _, _ = strings.Cut(rtdbauth.RedactURL(shorten(u.EscapedPath(), maxPath)), "?")
	}
	return x
}

// shorten returns at most the first most bytes of text.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "..."
}

// Watched adds a watcher's findings about a request and its response.
func (x *Exchange) Watched(o Options, w *between.Exchange, answer diag.Findings, unchecked between.Reason) {
	x.Op, x.Unchecked, x.Stored, x.Verdict = w.Op, w.Unchecked, w.Stored, w.Verdict
	if op, ok := operation.Lookup(w.Op); ok && (!o.Values || x.Path == "") {
		x.Method, x.Path = op.Method, op.Path
	}
	x.Findings, x.Answer = o.requestFindings(w.Findings), o.Findings(answer)
	if w.Verdict == between.RefusedThere {
		x.Refusal = refusalOf(w.Refused)
	}
	for _, part := range w.Parts {
		p := o.Of("", "")
		p.Watched(o, part, part.Answered.Findings, part.Answered.Unchecked)
		p.Status = part.Answered.Status
		x.Parts = append(x.Parts, p)
		if part.Answered.Unchecked == unchecked {
			unchecked = "" // the reason is in the part
		}
	}
	if x.Parts != nil {
		x.Answer = []Finding{} // the parts contain the findings
		if !o.Values {
			x.Path = "/batch"
		}
	}
	x.Unchecked = cmp.Or(x.Unchecked, unchecked)
}

// refusalOf returns the parts of a refusal that are listed in a table.
func refusalOf(e *refusal.Explanation) *Refusal {
	known := e.Refusal.Redacted()
	r := &Refusal{Reason: known.Reason, Message: known.Message}
	if e.About != nil {
		r.Meaning = e.About.Meaning
	}
	return r
}

// Concerns reports whether the exchange is, or may be, with the service.
func (x *Exchange) Concerns() bool {
	return x.Op != "" || x.Parts != nil || x.Unchecked != "" || len(x.Findings) > 0
}

// All returns all findings about the exchange, including its parts.
func (x *Exchange) All() []Finding {
	all := append([]Finding{}, x.Findings...)
	for i := range x.Parts {
		all = append(all, x.Parts[i].All()...)
	}
	return append(all, x.Answer...)
}

// Each calls yield with the exchange, unless it is a batch that is not refused as a whole, and with each of its parts.
func (x *Exchange) Each(yield func(*Exchange)) {
	if len(x.Parts) == 0 || x.Verdict != between.Unjudged {
		yield(x)
	}
	for i := range x.Parts {
		x.Parts[i].Each(yield)
	}
}

func (o Options) requestFindings(findings []between.Finding) []Finding {
	list := make([]Finding, len(findings))
	for i, f := range findings {
		list[i] = o.finding(f.Finding)
		list[i].Remembered = f.Remembered
	}
	return list
}

// Findings returns findings in their printable form.
func (o Options) Findings(findings diag.Findings) []Finding {
	list := make([]Finding, len(findings))
	for i, f := range findings {
		list[i] = o.finding(f)
	}
	return list
}

// finding returns a finding in its printable form, without values from the query or a header.
func (o Options) finding(f diag.Finding) Finding {
	var predicted, recorded string
	if o.Values && f.Path.InBody() {
		predicted, _ = f.Arg("want")
		recorded, _ = f.Arg("value")
	} else {
		f = Redacted(f)
	}
	text := Finding{Rule: f.Rule.ID, Kind: f.Kind, Basis: f.Basis, Path: f.Path, Message: f.Message(), Of: f.Rule}
	if f.Is(ruleid.AnswerEffect) {
		text.Predicted, text.Recorded = predicted, recorded
	}
	return text
}
