package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

// identityRules are about kind, id and iCalUID.
var identityRules = []*diag.Rule{&iCalUIDChanged, &instanceOfSeries,
	&eventKind, &eventIDAlphabet, &eventIDLength, &eventIDUnique, &eventIDGenerate, &eventIDWithICalUID,
}

var eventKind = diag.Rule{
	ID: "event.kind", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"kind"},
	Summary: "The kind, if present, is calendar#event.",
	Section: sectionEvent,
	Why:     "Another kind means that the body is not an event.",
	Good:    sample.Timed(`"kind":"calendar#event"`),
	Bad:     sample.Timed(`"kind":"calendar#calendar"`),
	Says:    diag.Sentences{{Key: "other", Text: "The kind is {value}; it must be {limit} or absent."}},
	Check:   check(checkKind),
}

func checkKind(in *input, r engine.Reporter) {
	e := in.sent
	stored := in.existing == knownEvent && e.Kind != "" && e.Kind == in.stored.Kind
	if e.Kind != constraint.EventKind && wasSent(e.Kind, &e.extra, "kind") && !stored {
		r.Report("/kind", "other", diag.Value("value", e.Kind), diag.Value("limit", constraint.EventKind))
	}
}

var eventIDAlphabet = diag.Rule{
	ID: "event.id.alphabet", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"id"},
	Summary: "An id that a client chooses contains only the letters a to v and the digits 0 to 9.",
	Section: sectionEvent + ", id; RFC 2938 section 3.1.2",
	Why: "This is the base32hex alphabet in lower case. The rule only applies to creation, because the ids in a " +
		"server's representations may contain other characters.",
	Says: constraint.EventIDCharacters.Says(),
	Good: sample.Timed(`"id":"abcdefghijklmnopqrstuv0123456789"`),
	Bad:  sample.Timed(`"id":"weekly-sync"`),
}

var eventIDLength = diag.Rule{
	ID: "event.id.length", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"id"},
	Summary: "An id that a client chooses has 5 to 1024 characters.",
	Section: sectionEvent + ", id",
	Why:     "An empty id is too short, not absent. To have an id generated, leave the member out.",
	Says:    constraint.EventIDLength.Says(),
	Good:    sample.Timed(`"id":"abcde"`),
	Bad:     sample.Timed(`"id":"abcd"`),
}

var eventIDUnique = diag.Rule{
	ID: "event.id.unique", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"id"},
	Summary: "An id is unique within its calendar.",
	Section: sectionEvent + ", id",
	Status:  409, Reason: "duplicate",
	Why: "The service does not promise to detect a collision at creation. The rule is only checked if the caller " +
		"supplies the ids of the events in the calendar.",
	Good:  sample.With(sample.Timed(`"id":"abcde"`), `"calendar":{"ids":["fghij"]}`),
	Bad:   sample.With(sample.Timed(`"id":"abcde"`), `"calendar":{"ids":["abcde"]}`),
	Says:  diag.Sentences{{Key: "exists", Text: "The id {value} already exists in this calendar; ids are unique. Choose another id, or leave it out."}},
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
	Why:     "The documents recommend a UUID (RFC 4122). The NewID of a Checker makes one; the example has the nil UUID.",
	Good:    sample.Via("event.Checker.NewID", sample.Timed(), `{"event":{"id":"00000000000000000000000000"}}`),
	Bad:     sample.Via("event.Checker.NewID", sample.Timed(`"id":"abcde"`), `{"event":{"id":"abcde"}}`),
}

var eventIDWithICalUID = diag.Rule{
	ID: "event.id.with-icaluid", Kind: diag.Advise, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"id", "iCalUID"},
	Summary: "A new event has only one of id and iCalUID.",
	Section: sectionEvent + ", iCalUID",
	Why:     "They are different identifiers: the instances of a series have different ids and the same iCalUID.",
	Good:    sample.Timed(`"iCalUID":"abcde@example.com"`),
	Bad:     sample.Timed(`"id":"abcde","iCalUID":"abcde@example.com"`),
	Says:    diag.Sentences{{Key: "both", Text: "The event has both an id and an iCalUID; a new event should have only one. Leave one of them out."}},
	Check:   check(checkIDWithICalUID),
}

func checkIDWithICalUID(in *input, r engine.Reporter) {
	if in.next.ID != "" && in.next.ICalUID != "" {
		r.Report("/iCalUID", "both")
	}
}

var iCalUIDChanged = diag.Rule{
	ID: "event.icaluid.changed", Kind: diag.Ignore, When: diag.Modify, Basis: diag.Inferred, Scope: diag.OfChange, Reads: []string{"iCalUID"},
	Summary: "The iCalUID stays as it was supplied at creation.",
	Section: sectionEvent + ", iCalUID",
	Why:     "It is not stated as writable afterwards, and the occurrences of a series share one: a differing value has no effect.",
	Good:    sample.Patch(`"iCalUID":"uid-1@example.org"`, `"iCalUID":"uid-1@example.org"`),
	Bad:     sample.Patch(`"iCalUID":"uid-2@example.org"`, `"iCalUID":"uid-1@example.org"`),
	Says: diag.Sentences{
		{Key: "changed", Text: "The iCalUID of the event is {limit} and does not change, so {value} has no effect. Leave it out."},
		{Key: "cleared", Text: "The iCalUID of the event is {limit} and does not change, so clearing it has no effect. Leave it out."},
	},
	Check: check(checkICalUIDChanged),
}

func checkICalUIDChanged(in *input, r engine.Reporter) {
	was, is := in.stored.ICalUID, in.sent.ICalUID
	switch {
	case was == "" || is == was || !in.present.Has(ofICalUID):
	case is == "":
		r.Report("/iCalUID", "cleared", diag.Value("limit", was))
	default:
		r.Report("/iCalUID", "changed", diag.Value("value", is), diag.Value("limit", was))
	}
}

var instanceOfSeries = diag.Rule{
	ID: "instances.of-series", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfRequest,
	Reads:   []string{"id", "iCalUID", "recurringEventId", "originalStartTime"},
	Summary: "An instance has the id of its series as its recurringEventId, another id than the series, and the same iCalUID.",
	Section: sectionEvent + ", id, iCalUID and recurringEventId",
	Why:     "The rule is only checked if the caller supplies the series, and for members that both have.",
	Good:    sample.With(sample.Request("response", `"id":"series1_20260311"`, sample.Start, sample.End, `"recurringEventId":"series1","iCalUID":"uid-1@example.org"`), sampleSeriesOne),
	Bad:     sample.With(sample.Request("response", `"id":"series1_20260311"`, sample.Start, sample.End, `"recurringEventId":"series2","iCalUID":"uid-1@example.org"`), sampleSeriesOne),
	Says: diag.Sentences{
		{Key: "series", Text: "The recurringEventId is {value}; it must be the id of the series, {limit}."},
		{Key: "id", Text: "The id is {value}, which is the id of the series; an instance has another one."},
		{Key: "uid", Text: "The iCalUID is {value}; it must be the iCalUID of the series, {limit}."},
	},
	Check: check(checkInstanceOfSeries),
}

// sampleSeriesOne is the series of the examples.
const sampleSeriesOne = `"series":{"id":"series1","iCalUID":"uid-1@example.org","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]}`

func checkInstanceOfSeries(in *input, r engine.Reporter) {
	e, series := in.next, in.req.Series
	if series == nil || e.RecurringEventID == "" && e.OriginalStartTime == nil {
		return
	}
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	if differ(e.RecurringEventID, series.ID) {
		r.Report("/recurringEventId", "series", diag.Value("value", e.RecurringEventID), diag.Value("limit", series.ID))
	}
	if e.ID != "" && e.ID == series.ID {
		r.Report("/id", "id", diag.Value("value", e.ID))
	}
	if differ(e.ICalUID, series.ICalUID) {
		r.Report("/iCalUID", "uid", diag.Value("value", e.ICalUID), diag.Value("limit", series.ICalUID))
	}
}
