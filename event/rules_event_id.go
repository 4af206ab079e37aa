package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

var eventIDAlphabet = diag.Rule{
	ID: "event.id.alphabet", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"id"},
	Summary: "An id that a client chooses must contain only the letters a to v and the digits 0 to 9.",
	Section: sectionEvent + ", id; RFC 2938 section 3.1.2",
	Why: "The letters a to v and the digits 0 to 9 are the base32hex alphabet in lower case. The rule applies only to creation, because " +
		"the ids in a server's representations may contain other characters.",
	Says: constraint.EventIDCharacters.Says(),
	Good: sample.Timed{`"id":"abcdefghijklmnopqrstuv0123456789"`},
	Bad:  sample.Timed{`"id":"weekly-sync"`},
}

var eventIDLength = diag.Rule{
	ID: "event.id.length", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"id"},
	Summary: "An id that a client chooses must have 5 to 1024 characters.",
	Section: sectionEvent + ", id",
	Why:     "An empty id is not absent but too short. To have an id generated, leave the member out.",
	Says:    constraint.EventIDLength.Says(),
	Good:    sample.Timed{`"id":"abcde"`},
	Bad:     sample.Timed{`"id":"abcd"`},
}

var eventIDUnique = diag.Rule{
	ID: "event.id.unique", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"id"},
	Summary: "An id must be unique within its calendar.",
	Section: sectionEvent + ", id",
	Status:  409, Reason: "duplicate",
	Why: "The service does not promise to detect a collision at creation. The rule is checked only if the caller supplies the ids of the " +
		"events in the calendar.",
	Good:  sample.With(sample.Timed{`"id":"abcde"`}, `"calendar":{"ids":["fghij"]}`),
	Bad:   sample.With(sample.Timed{`"id":"abcde"`}, `"calendar":{"ids":["abcde"]}`),
	Says:  diag.Sentences{{Key: "exists", Text: "The id {value} already exists in this calendar. Choose another id, or leave it out."}},
	Check: check(checkIDUnique),
}

func checkIDUnique(in *input, r engine.Reporter) {
	calendar := in.req.Calendar
	if calendar != nil && calendar.IDs != nil && in.next.ID != "" && calendar.IDs.Has(in.next.ID) {
		r.Report("/id", "exists", diag.Value("value", in.next.ID))
	}
}

var eventIDGenerate = diag.Rule{
	ID: "event.id.generate", Describes: diag.Effect, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"id"},
	Summary: "An event that is created without an id gets a generated one.",
	Section: sectionEvent + ", id",
	Why:     "The documents recommend a UUID (RFC 4122). Checker.NewID generates an id; the example uses the nil UUID.",
	Good:    sample.Via("event.Checker.NewID", sample.Timed{}, `{"event":{"id":"00000000000000000000000000"}}`),
	Bad:     sample.Via("event.Checker.NewID", sample.Timed{`"id":"abcde"`}, `{"event":{"id":"abcde"}}`),
}

var eventIDWithICalUID = diag.Rule{
	ID: "event.id.with-icaluid", Kind: diag.Advise, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"id", "iCalUID"},
	Summary: "A new event should have only one of id and iCalUID.",
	Section: sectionEvent + ", iCalUID",
	Why:     "The id and the iCalUID are different identifiers: the instances of a series have different ids but the same iCalUID.",
	Good:    sample.Timed{`"iCalUID":"abcde@example.com"`},
	Bad:     sample.Timed{`"id":"abcde","iCalUID":"abcde@example.com"`},
	Says:    diag.Sentences{{Key: "both", Text: "The event has both an id and an iCalUID; a new event should have only one. Leave one of them out."}},
	Check:   check(checkIDWithICalUID),
}

func checkIDWithICalUID(in *input, r engine.Reporter) {
	if in.next.ID != "" && in.next.ICalUID != "" {
		r.Report("/iCalUID", "both")
	}
}

var idMismatch = diag.Rule{
	ID: "event.id.mismatch", Kind: diag.Reject, When: diag.Modify, Basis: diag.Inferred, Scope: diag.OfChange, Reads: []string{"id"},
	Summary: "An id in the body must be the id of the addressed event.",
	Section: sectionEvent + ", id",
	Why:     "A body with a different id was meant for a different event.",
	Good:    sample.Patch{`"id":"abc12def","summary":"Daily"`},
	Bad:     sample.Patch{`"id":"abc12deg","summary":"Daily"`},
	Says:    diag.Sentences{{Key: "other", Text: "The id in the body is {value}, but the id of the addressed event is {limit}. Leave the id out, or address the other event."}},
	Check:   check(checkIDMismatch),
}

func checkIDMismatch(in *input, r engine.Reporter) {
	e := in.sent
	if in.stored.ID != "" && wasSent(e.ID, &e.extra, "id") && e.ID != in.stored.ID {
		r.Report("/id", "other", diag.Value("value", e.ID), diag.Value("limit", in.stored.ID))
	}
}
