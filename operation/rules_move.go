package operation

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// moveWith is a move of a stored event with the given query parameters.
type moveWith string

func (params moveWith) Example() diag.Example {
	return sample.With(requestWith{string(EventsMove), string(params)}, `"existing":{"id":"abc12def","eventType":"default",`+
		`"organizer":{"email":"owner@example.org","self":true},"attendees":[{"email":"owner@example.org"}],`+
		`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`).Example()
}

var moveDestination = diag.Rule{
	ID: "move.destination", Kind: diag.Reject, When: diag.Move, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A move must name the target calendar in the query parameter destination.",
	Section: sectionBehavior + ", 7",
	Reason:  "required",
	Why:     "A move makes the target calendar the organizer of the event.",
	Says:    diag.Sentences{missing, inBody, isEmpty, {Key: "calendar", Text: "the id of the target calendar"}},
	Good:    moveWith(`"destination":"team@example.org"`),
	Bad:     moveWith(`"destination":""`),
	Check:   check(checkParam),
}
