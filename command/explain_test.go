package command

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/calrules/calrules/diag"
)

// The example that breaks a rule has a finding of that rule, in both dialects. A rule that describes has none, and
// neither has rtdb.errors, as it says.
func TestRulesHaveFindings(t *testing.T) {
	for _, dialect := range []diag.Dialect{diag.Documents, diag.Google} {
		_, stdout, stderr := runWith("", "rules", "--format", "json", "--dialect", dialect.String())
		var rules []struct {
			ID       string
			Kind     diag.Kind
			Bad      struct{ Request json.RawMessage }
			Findings []struct{ Rule string }
		}
		if err := json.Unmarshal([]byte(stdout), &rules); err != nil || len(rules) == 0 {
			t.Fatalf("%s: %d rules, %v, %s", dialect, len(rules), err, stderr)
		}
		for _, r := range rules {
			found := slices.ContainsFunc(r.Findings, func(f struct{ Rule string }) bool { return f.Rule == r.ID })
			if isKind := namesOf(r.Kind).color != ""; isKind && r.Bad.Request != nil && !found && r.ID != "rtdb.errors" {
				t.Errorf("%s: %s: the findings are %v", dialect, r.ID, r.Findings)
			}
		}
	}
}
