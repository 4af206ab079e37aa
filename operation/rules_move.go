package operation

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// moveWith returns an example in which a stored event is moved with the given query parameters.
func moveWith(params string) func() diag.Example {
	return sample.With(requestWith(EventsMove, params), `"existing":{"id":"abc12def","eventType":"default",`+
		`"organizer":{"email":"owner@example.org","self":true},"attendees":[{"email":"owner@example.org"}],`+
		`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`)
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
