package reference

import (
	"encoding/json"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// RuleData is the JSON representation of a rule.
type RuleData struct {
	ID      string         `json:"id"`
	URL     string         `json:"url,omitempty"` // the URL of the rule's page
	Kind    string         `json:"kind"`          // the kind of findings, or the subject that the rule describes
	When    diag.When      `json:"when"`
	Basis   diag.Basis     `json:"basis"`
	Scope   diag.Scope     `json:"scope"`
	Reads   []string       `json:"reads,omitempty"`
	Summary string         `json:"summary"`
	Section string         `json:"section"`
	Status  int            `json:"status,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Seen    string         `json:"seen,omitempty"`
	Reports []string       `json:"reported,omitempty"`
	Why     string         `json:"why,omitempty"`
	Says    diag.Sentences `json:"sentences,omitempty"`
	Good    ExampleData    `json:"good"`
	Bad     ExampleData    `json:"bad"`

	Findings diag.Findings `json:"findings,omitempty"` // the findings about the bad example
}

// URL returns the address of a rule's page, or "" for a rule defined by a program, which has no page.
func URL(r *diag.Rule) string {
	if Catalogue().Lookup(r.ID) == nil {
		return ""
	}
	return r.URL()
}

// ExampleData is a request with the expected parts of its answer.
type ExampleData struct {
	Request json.RawMessage `json:"request,omitempty"`
	Answer  json.RawMessage `json:"answer,omitempty"`
	Via     string          `json:"via,omitempty"`
}

// Data returns the JSON representation of a rule. The checker answers the bad example.
func Data(c *event.Checker, r *diag.Rule) RuleData {
	example := func(e diag.Example) ExampleData {
		return ExampleData{json.RawMessage(e.Request), json.RawMessage(e.Answer), e.Via}
	}
	good, bad := r.Examples()
	var findings diag.Findings
	if bad.Request != "" {
		findings = Try(c, r, bad.Request).Findings
	}
	status, reason := r.Refusal()
	return RuleData{
		r.ID, URL(r), r.Does(), r.When, r.Basis, r.Scope, r.Reads, r.Summary, r.Section, status, reason, r.Seen, r.Reported, r.Why, r.Says, example(good), example(bad), findings,
	}
}
