package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

// destinationTeam is the params member of a move to another calendar.
const destinationTeam = `"params":{"destination":"team@example.com"}`

var moveType = diag.Rule{
	ID: "move.type", Kind: diag.Reject, When: diag.Move, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"eventType"},
	Summary: "Only events of type default can be moved.",
	Section: sectionOperations + ", 7",
	Good:    sample.With(sample.About{"events.move"}, destinationTeam),
	Bad:     sample.With(sample.About{"events.move", `"eventType":"fromMail"`}, destinationTeam),
	Says:    diag.Sentences{{Key: "type", Text: "The event has the type {value}, but only events of type {limit} can be moved."}},
	Check:   check(checkMoveType),
}

func checkMoveType(in *input, r engine.Reporter) {
	if t := in.stored.EventType; eventType(t) != constraint.TypeDefault {
		r.Report("", "type", diag.Value("value", r.Dialect().Name(t)), diag.Name("limit", constraint.TypeDefault))
	}
}

var moveInstance = diag.Rule{
	ID: "move.instance", Kind: diag.Reject, When: diag.Move, Basis: diag.Observed, Scope: diag.OfRequest, Reads: []string{"recurringEventId"},
	Summary:  "In the public service, an instance of a series cannot be moved by itself.",
	Section:  sectionObserved,
	Seen:     "400 with the reason cannotChangeOrganizerOfInstance.",
	Reported: []string{"https://github.com/GAM-team/GAM"},
	Reason:   "cannotChangeOrganizerOfInstance",
	Why:      "All instances of a series have the same organizer. The documents do not mention this restriction.",
	Good:     sample.With(sample.About{"events.move"}, destinationTeam, `"dialect":"google"`),
	Bad:      sample.With(sample.About{"events.move", `"recurringEventId":"series1"`}, destinationTeam, `"dialect":"google"`),
	Says:     diag.Sentences{{Key: "instance", Text: "The event is an instance of the series {series} and cannot be moved by itself. Move the series."}},
	OnlyIn:   new(diag.Google),
	Check:    check(checkMoveInstance),
}

func checkMoveInstance(in *input, r engine.Reporter) {
	if series := in.stored.RecurringEventID; series != "" {
		r.Report("", "instance", diag.Value("series", series))
	}
}

var moveOrganizer = diag.Rule{
	ID: "move.organizer", Describes: diag.Effect, When: diag.Move, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"organizer"},
	Summary: "A move changes the organizer of the event.",
	Section: sectionOperations + ", 7",
	Why: "The destination calendar becomes the organizer. If the id of that calendar is not an address, the response has no " +
		"organizer, because the address is unknown.",
	Good: sample.Answered(sample.About{"events.move", `"organizer":{"email":"old@example.com"}`},
		`{"event":{"organizer":{"email":"team@example.com"}}}`, destinationTeam),
	Bad: sample.Answered(sample.Patch{`"organizer":{"email":"team@example.com"}`, `"organizer":{"email":"old@example.com"}`},
		`{"event":{"organizer":{"email":"old@example.com"}}}`),
}

var moveRemainder = diag.Rule{
	ID: "move.remainder", Describes: diag.Effect, When: diag.Move, Basis: diag.Stated, Scope: diag.OfRequest,
	Reads:   []string{"organizer", "attendees"},
	Summary: "If the original organizer is not on the attendee list, a cancelled event remains in the original organizer's calendar.",
	Section: sectionStates,
	Why:     "Only the id of the remaining event is guaranteed.",
	Good: sample.Answered(sample.About{"events.move", `"organizer":{"email":"old@example.com"}`},
		`{"event":{"id":"abc12def"},"remainder":{"id":"abc12def","status":"cancelled"}}`, destinationTeam),
	Bad: sample.Answered(sample.About{"events.move", `"organizer":{"email":"old@example.com"}`, `"attendees":[{"email":"old@example.com"}]`},
		`{"event":{"id":"abc12def"},"remainder":null}`, destinationTeam),
}
