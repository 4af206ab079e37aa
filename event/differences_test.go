package event_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// Each difference is about a rule, and a sentence of it if there are findings, and says what the service does.
func TestDifferences(t *testing.T) {
	for _, d := range diag.Differences() {
		rule := event.Catalogue().Lookup(d.Rule)
		if rule == nil {
			t.Errorf("%s is not a rule", d.Rule)
			continue
		}
		if _, says := rule.Says.Text(d.Key); d.Key != "" && d.Kind != "" && !says {
			t.Errorf("%s does not say %s", d.Rule, d.Key)
		}
		if d.Case == "" || d.Does == "" {
			t.Errorf("%s/%s lacks what is sent, or what the service does", d.Rule, d.Key)
		}
		if got := rule.KindOf(diag.Google, d.Key); got != d.Kind {
			t.Errorf("%s/%s has the kind %q in google, want %q", d.Rule, d.Key, got, d.Kind)
		}
		if got := rule.KindOf(diag.Documents, d.Key); got != rule.Kind {
			t.Errorf("%s/%s has the kind %q in documents, want %q", d.Rule, d.Key, got, rule.Kind)
		}
	}
}
