package resource

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
)

const sectionObserved = "observed"

var rules = []*diag.Rule{
	&calendarBody, &calendarLabels, &listEntryBody, &listEntryReadOnly, &listEntryColor, &aclBody, &freebusyBody, &freebusyRange,
	&watchChannel, &channelStop,
	&AnswerRule,
}

// Rules returns the rules of this package in the order in which they run.
func Rules() []*diag.Rule { return slices.Clone(rules) }

// input is a body with the request around it.
type input struct {
	on    diag.When
	query func(name string) string // the value of a query parameter, or ""
	body  any                      // a pointer to one of the types of this package
}

// check is the type of the functions that check the rules.
type check = func(*input, engine.Reporter)

// of turns a function for bodies of type T into a check. Bodies of other types keep the rule.
func of[T any](f func(in *input, body *T, r engine.Reporter)) check {
	return func(in *input, r engine.Reporter) {
		if body, ok := in.body.(*T); ok {
			f(in, body, r)
		}
	}
}

// text is a member that is a string.
type text struct {
	name, value string
	extra       *object.Extra // of the object that has the member
}

// require reports that a member is missing or empty, unless the operation does not require it.
func (in *input) require(r engine.Reporter, at diag.Pointer, t text, on diag.When) {
	if on.Has(in.on) && t.value == "" {
		constraint.ReportMissing(r, at.Member(t.name), t.name, t.extra.WasSent(t.name), nil)
	}
}

// allow reports a value that is present and that one of the constraints does not allow.
func allow(r engine.Reporter, at diag.Pointer, t text, constraints ...*constraint.Constraint) {
	if t.value == "" {
		return
	}
	for _, c := range constraints {
		if !c.Has(t.value) {
			c.Report(r, at.Member(t.name), t.name, t.value)
		}
	}
}

// request returns an example: a request with a body in the dialect of the public service.
func request(op, body string, members ...string) diag.Example {
	return diag.Example{Request: `{"op":"` + op + `","dialect":"google","body":` + body + strings.Join(append([]string{""}, members...), ",") + `}`}
}
