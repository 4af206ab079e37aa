package resource

import (
	"encoding/json"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/object"
)

// Request is a request about another resource than an event.
type Request struct {
	On     diag.When                // the operation, one of [diag.OtherBodies]
	Body   []byte                   // nil if there is none
	Query  func(name string) string // the value of a query parameter, or ""
	Limits object.Limits
}

// Check checks the body in the dialect of the report. In [diag.Documents], where the fields are not shown, every JSON
// object is right. It returns the places of the values that have a wrong type.
func Check(req Request, report *diag.Report) {
	in := &input{on: req.On, query: req.Query}
	reading := object.Reading{Nulls: object.NullIsDropped, Limits: req.Limits, Dialect: report.Dialect}
	var problems []object.Problem
	if report.Dialect == diag.Google {
		in.body, problems = kindOf(req.On).decode(req.Body, reading)
	} else {
		problems = syntaxOnly(anyTable.Decode(req.Body, new(anything), reading))
	}
	unread := map[diag.Pointer]bool{}
	for i := range problems {
		p := &problems[i]
		p.Report(report.For(jsonrule.Of(*p, req.On), ""), p.Path)
		unread[p.Path] = p.Fault == object.WrongType || p.Fault == object.MapType
		if p.Fault == object.Syntax {
			return
		}
	}
	if in.body != nil {
		report.Suppress = func(_ *diag.Rule, path diag.Pointer) bool { return unread[path] }
		engine.Run(rules, req.On, in, report, "")
	}
}

// anything is a JSON object with an unknown type. Only its kind is known, which every resource has.
type anything struct {
	kind  json.RawMessage
	extra object.Extra
}

var anyTable = object.NewType(func(a *anything) *object.Extra { return &a.extra },
	object.Any("kind", func(a *anything) *json.RawMessage { return &a.kind }),
)

// syntaxOnly returns the problem that the text is no JSON object, if it is none.
func syntaxOnly(problems []object.Problem) []object.Problem {
	for i := range problems {
		if problems[i].Fault == object.Syntax {
			return problems[i : i+1]
		}
	}
	return nil
}
