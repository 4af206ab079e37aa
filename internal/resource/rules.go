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

// Rules returns the rules in this package in the order in which they run.
func Rules() []*diag.Rule { return slices.Clone(rules) }

// input is a body with the relevant properties of its request.
type input struct {
	on    diag.When
	query func(name string) string // the value of a query parameter, or ""
	body  any                      // a pointer to one of the types of this package
}

type check = func(*input, engine.Reporter)

// of converts a function for bodies of type T to a check that ignores bodies of other types.
func of[T any](f func(in *input, body *T, r engine.Reporter)) check {
	return func(in *input, r engine.Reporter) {
		if body, ok := in.body.(*T); ok {
			f(in, body, r)
		}
	}
}

// text is a member with a string value.
type text struct {
	name, value string
	extra       *object.Extra // the extra content of the object with the member
}

// require reports a missing or empty member, if the operation requires the member.
func (in *input) require(r engine.Reporter, at diag.Pointer, t text, on diag.When) {
	if on.Has(in.on) && t.value == "" {
		constraint.ReportMissing(r, at.Member(t.name), t.name, t.extra.WasSent(t.name), nil)
	}
}

// allow reports a non-empty value once for each constraint that does not allow it.
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

// request is the operation of a request in the dialect of the public service, its body, and other members.
type request []string

func (r request) Example() diag.Example {
	return diag.Example{Request: `{"op":"` + r[0] + `","dialect":"google","body":` + strings.Join(r[1:], ",") + `}`}
}
