package reference

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/rtdbauth"
)

// Outcome is the library's answer to the request in an example. Decision is set for a request to a database, and
// Expanded for a request for the instances of a series.
type Outcome struct {
	Findings diag.Findings
	Failure  string // the reason for a missing answer
	Decision *rtdbline.Result
	Expanded *batch.Expanded
}

// Try returns the answer to a request from an example of a rule. The checker answers requests about events.
func Try(c *event.Checker, r *diag.Rule, request string) Outcome {
	switch {
	case r.When == diag.KeyFile:
		_, findings := rtdbauth.ParseKeyFile([]byte(request))
		return Outcome{Findings: findings}
	case r.When == diag.Path:
		var req struct{ Method, Path string }
		read(request, &req)
		return Outcome{Findings: operation.CheckPath(diag.Documents, req.Method, req.Path)}
	case Group(r) == "rtdb":
		var req rtdbline.Request
		read(request, &req)
		result := rtdbline.Check(&req)
		return Outcome{Findings: result.Findings, Decision: &result}
	case strings.Contains(request, `"op":`):
		var req batch.Request
		read(request, &req)
		result, err := req.Check(c)
		if err != nil {
			return Outcome{Failure: err.Error()}
		}
		return Outcome{Findings: slices.Concat(result.Findings, result.AnswerFindings)}
	default:
		var req batch.Expansion
		read(request, &req)
		result := batch.Expand(&req)
		return Outcome{Findings: result.Findings, Failure: result.Error, Expanded: &result}
	}
}

// read decodes a request from an example, and panics if the request is malformed.
func read(request string, into any) {
	if err := json.Unmarshal([]byte(request), into); err != nil {
		panic("reference: " + err.Error())
	}
}
