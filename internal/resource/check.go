package resource

import (
	"encoding/json"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/object"
)

// Request is a request about a resource other than an event.
type Request struct {
	On      diag.When // the operation, one of [diag.OtherBodies]
	Dialect diag.Dialect
	Body    []byte                   // nil if there is no body
	Query   func(name string) string // the value of a query parameter, or ""
	Limits  object.Limits

	// Elsewhere, if not nil, returns the key of the message about a member that belongs in a different place, or "". See
	// [object.Problem.ReportElsewhere].
	Elsewhere func(name string) string
}

// NeedsBody is the set of operations that require a body. Patches, and updates of calendar list entries, change nothing
// without a body.
const NeedsBody = diag.OtherBodies &^ (diag.ACLPatch | diag.CalendarListPatch | diag.CalendarListUpdate | diag.CalendarsPatch)

// Check checks the body, and returns the findings. In [diag.Documents], which does not describe the fields, every JSON object
// and an empty body are valid. In [diag.Google], a missing body is checked as empty text if the operation requires a body.
func (r Request) Check() diag.Findings {
	if r.Body == nil && (r.Dialect != diag.Google || !NeedsBody.Has(r.On)) {
		return nil
	}
	in := &input{on: r.On, query: r.Query}
	reading := object.Reading{Nulls: object.NullIsDropped, Limits: r.Limits, Dialect: r.Dialect, Lenient: true}
	var problems []object.Problem
	if r.Dialect == diag.Google {
		in.body, problems = kindOf(r.On).decode(r.Body, reading)
	} else {
		problems = syntaxOnly(anyTable().Decode(r.Body, new(anything), reading))
	}
	report := new(engine.Part(r.Dialect))
	unread := map[diag.Pointer]bool{}
	for i := range problems {
		p := &problems[i]
		if reporter := report.For(jsonrule.Of(p, r.On), ""); !p.ReportElsewhere(reporter, p.Path, r.Elsewhere) {
			p.Report(reporter, p.Path)
		}
		unread[p.Path] = p.Fault == object.WrongType || p.Fault == object.MapType
		if p.Fault == object.Syntax {
			return report.Findings
		}
	}
	if in.body != nil {
		report.Suppress = func(_ *diag.Rule, path diag.Pointer) bool { return unread[path] }
		engine.Run(rules, r.On, in, report, "")
	}
	return report.Findings
}

// anything is a JSON object of unknown type. The only known member is kind, which every resource has.
type anything struct {
	kind  json.RawMessage
	extra object.Extra
}

var anyTable = sync.OnceValue(func() *object.Table[*anything] {
	return object.NewTable(func(a *anything) *object.Extra { return &a.extra },
		object.Any("kind", func(a *anything) *json.RawMessage { return &a.kind }),
	)
})

// syntaxOnly returns only the problem that the input is not a JSON object.
func syntaxOnly(problems []object.Problem) []object.Problem {
	for i := range problems {
		if problems[i].Fault == object.Syntax {
			return problems[i : i+1]
		}
	}
	return nil
}
