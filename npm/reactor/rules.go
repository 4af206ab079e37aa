package main

import (
	"fmt"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/reference"
)

// ruleRequest is a request for rules.
type ruleRequest struct {
	id      string
	dialect diag.Dialect
}

var ruleForm = ndjson.NewObject("",
	ndjson.Of("id", func(r *ruleRequest) *string { return &r.id }, ndjson.Text[string]),
	ndjson.Of("dialect", func(r *ruleRequest) *diag.Dialect { return &r.dialect }, ndjson.Decoded[diag.Dialect]),
)

// answerRules answers with the rule with the requested id or, if the request contains no id, with all rules. Each rule is in
// the same form as in the output of `calrules rules --format json`.
func answerRules(request, dst []byte) []byte {
	var r ruleRequest
	if err := ruleForm.Read(request, &r); err != nil {
		return appendJSON(dst, failure{Error: err.Error()})
	}
	shown := reference.Catalogue().Rules()
	if r.id != "" {
		rule, near := reference.Find(r.id)
		if rule == nil {
			return appendJSON(dst, failure{Error: fmt.Sprintf("unknown rule %q", r.id), Rule: r.id, Suggestion: near})
		}
		shown = []*diag.Rule{rule}
	}
	data := []reference.RuleData{}
	for _, rule := range shown {
		data = append(data, reference.Data(&event.Checker{}, reference.In(r.dialect, rule)))
	}
	return appendJSON(dst, map[string]any{"rules": data})
}
