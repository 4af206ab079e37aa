package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

var responseStatusUnspecified = diag.Rule{
	ID: "response-status.unspecified", Kind: diag.Unspecified, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"attendees[].responseStatus"},
	Summary: "The documents do not show the transitions of an attendee's responseStatus.",
	Section: sectionStates,
	Good: sample.Patch{`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"accepted"}]`},
	Bad: sample.Patch{`"attendees":[{"email":"ada@example.com","responseStatus":"declined"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"accepted"}]`},
	Says:  diag.Sentences{{Key: "changed", Text: "The request changes the responseStatus from {was} to {value}, a transition that is not specified."}},
	Check: check(checkResponseTransitions),
}

func checkResponseTransitions(in *input, r engine.Reporter) {
	in.eachKnownAttendee(func(i int, was, is *Attendee) {
		both := was.ResponseStatus != "" && constraint.ResponseStatus.Has(is.ResponseStatus)
		if both && was.ResponseStatus != is.ResponseStatus {
			r.Report(attendeePath(i, "/responseStatus"), "changed", diag.Plain("was", was.ResponseStatus), diag.Name("value", is.ResponseStatus))
		}
	})
}
