package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
)

// identityRules are about kind, id and iCalUID.
var identityRules = []*diag.Rule{
	&eventKind,
	&eventIDAlphabet,
	&eventIDLength,
	&eventIDUnique,
	&eventIDGenerate,
	&eventIDWithICalUID,
}

var eventKind = diag.Rule{
	ID: "event.kind", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The kind, if present, is calendar#event.",
	Section: sectionEvent,
	Why:     "Another kind means that something else than an event was sent.",
	Good:    diag.Example{Request: sample.Timed(`"kind":"calendar#event"`)},
	Bad:     diag.Example{Request: sample.Timed(`"kind":"calendar#calendar"`)},
	Check:   check(checkKind),
}

func checkKind(in *input, r diag.Reporter) {
	e := in.sent
	stored := in.hasStored && e.Kind != "" && e.Kind == in.stored.Kind
	if e.Kind != limits.EventKind && wasSent(e.Kind, &e.extra, "kind") && !stored {
		r.Say("/kind", "The kind is ", diag.Quote(e.Kind), `; it must be "`, limits.EventKind, `", or be left out.`)
	}
}

var eventIDAlphabet = diag.Rule{
	ID: "event.id.alphabet", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "An id that the client chooses uses only the letters a to v and the digits 0 to 9.",
	Section: sectionEvent + ", id; RFC 2938 section 3.1.2",
	Why: "It is the base32hex alphabet in lower case. The ids of a server's own representations hold other " +
		"characters too, so the rule is for creation alone.",
	Good: diag.Example{Request: sample.Timed(`"id":"abcdefghijklmnopqrstuv0123456789"`)},
	Bad:  diag.Example{Request: sample.Timed(`"id":"weekly-sync"`)},
}

var eventIDLength = diag.Rule{
	ID: "event.id.length", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "An id that the client chooses has 5 to 1024 characters.",
	Section: sectionEvent + ", id",
	Why:     "An empty id is too short, not absent: leave the member out to have one generated.",
	Good:    diag.Example{Request: sample.Timed(`"id":"abcde"`)},
	Bad:     diag.Example{Request: sample.Timed(`"id":"abcd"`)},
}

var eventIDUnique = diag.Rule{
	ID: "event.id.unique", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "An id is unique within its calendar.",
	Section: sectionEvent + ", id",
	Why: "The service does not promise to detect a collision at creation. The rule is checked only where the " +
		"caller supplies the ids that the calendar has.",
	Good:  diag.Example{Request: sample.With(sample.Timed(`"id":"abcde"`), `"calendar":{"ids":["fghij"]}`)},
	Bad:   diag.Example{Request: sample.With(sample.Timed(`"id":"abcde"`), `"calendar":{"ids":["abcde"]}`)},
	Check: check(checkIDUnique),
}

func checkIDUnique(in *input, r diag.Reporter) {
	calendar := in.req.Calendar
	if calendar != nil && in.result.ID != "" && slices.Contains(calendar.IDs, in.result.ID) {
		r.Report("/id", "The id %s is taken in this calendar; ids are unique. Choose another, or leave it out.", diag.Quote(in.result.ID))
	}
}

var eventIDGenerate = diag.Rule{
	ID: "event.id.generate", Kind: diag.Effect, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "An event that is created without an id is given one.",
	Section: sectionEvent + ", id",
	Why:     "The documents recommend a UUID (RFC 4122); the function NewID writes one in the alphabet of ids.",
	Good:    diag.Example{Request: sample.Timed(`"id":"abcde"`), Answer: `{"event":{"id":"abcde"}}`},
	Bad:     diag.Example{Request: sample.Timed(), Answer: `{"event":{"status":"confirmed"}}`},
}

var eventIDWithICalUID = diag.Rule{
	ID: "event.id.with-icaluid", Kind: diag.Advise, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "Only one of id and iCalUID is supplied at creation.",
	Section: sectionEvent + ", iCalUID",
	Why:     "They are different identifiers: occurrences of one series have different ids and share one iCalUID.",
	Good:    diag.Example{Request: sample.Timed(`"iCalUID":"abcde@example.com"`)},
	Bad:     diag.Example{Request: sample.Timed(`"id":"abcde","iCalUID":"abcde@example.com"`)},
	Check:   check(checkIDWithICalUID),
}

func checkIDWithICalUID(in *input, r diag.Reporter) {
	if in.result.ID != "" && in.result.ICalUID != "" {
		r.Report("/iCalUID", "Both id and iCalUID are given; supply only one of them when creating an event.")
	}
}
