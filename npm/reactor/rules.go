package main

import (
	"fmt"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/reference"
)

// answerRules answers a request for the rule with an id or, without an id, for all rules. A rule has the form of
// `calrules rules --format json`.
func answerRules(request, dst []byte) []byte {
	var id string
	var dialect diag.Dialect
	err := ndjson.ReadObject(request, ndjson.Members{"id": ndjson.To(&id), "dialect": ndjson.To(&dialect)})
	if err != nil {
		return appendJSON(dst, failure{Error: err.Error()})
	}
	shown := reference.Catalogue().Rules()
	if id != "" {
		rule := reference.Catalogue().Lookup(id)
		if rule == nil {
			return appendJSON(dst, unknownRule(id, shown))
		}
		shown = []*diag.Rule{rule}
	}
	data := []reference.RuleData{}
	for _, rule := range shown {
		data = append(data, reference.Data(reference.In(dialect, rule)))
	}
	return appendJSON(dst, map[string]any{"rules": data})
}

func unknownRule(id string, rules []*diag.Rule) failure {
	var ids []string
	for _, rule := range rules {
		ids = append(ids, rule.ID)
	}
	near, _ := form.Nearest(id, ids)
	return failure{Error: fmt.Sprintf("unknown rule %q", id), Suggestion: near}
}
