package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/status"
)

var instanceOfSeries = diag.Rule{
	ID: "instances.of-series", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfRequest,
	Reads:   []string{"id", "iCalUID", "recurringEventId", "originalStartTime"},
	Summary: "The recurringEventId of an instance must be the id of the series; the instance must have a different id and the same iCalUID.",
	Section: sectionEvent + ", id, iCalUID and recurringEventId",
	Why:     "The rule is checked only if the caller supplies the series, and only for members that both the instance and the series have.",
	Good:    sample.With(sample.Request{"response", `"id":"series1_20260311"`, sample.Start, sample.End, `"recurringEventId":"series1","iCalUID":"uid-1@example.org"`}, sampleSeriesOne),
	Bad:     sample.With(sample.Request{"response", `"id":"series1_20260311"`, sample.Start, sample.End, `"recurringEventId":"series2","iCalUID":"uid-1@example.org"`}, sampleSeriesOne),
	Says: diag.Sentences{
		{Key: "series", Text: "The recurringEventId is {value}; it must be the id of the series, {limit}."},
		{Key: "id", Text: "The id {value} is the id of the series; an instance must have its own id."},
		{Key: "uid", Text: "The iCalUID is {value}; it must be the iCalUID of the series, {limit}."},
	},
	Check: check(checkInstanceOfSeries),
}

// sampleSeriesOne is the series in the examples.
const sampleSeriesOne = `"series":{"id":"series1","iCalUID":"uid-1@example.org","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]}`

func checkInstanceOfSeries(in *input, r engine.Reporter) {
	if in.req.Series != nil && in.next.isInstance() {
		checkInstanceOf(in.req.Series, in.next, r)
	}
}

// isInstance reports whether an event refers to a series.
func (e *Event) isInstance() bool { return e.RecurringEventID != "" || e.OriginalStartTime != nil }

// checkInstanceOf reports members of an event that no instance of the series has.
func checkInstanceOf(series, e *Event, r engine.Reporter) {
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

var instancesRecurring = diag.Rule{
	ID: "instances.recurring", Kind: diag.Reject, When: diag.Instances, Basis: diag.Inferred, Scope: diag.OfRequest, Reads: []string{"recurrence"},
	Summary: "Only a recurring event has instances.",
	Section: sectionOperations + ", 5",
	Why:     "Only the id of a deleted event is guaranteed, so whether it recurred is unknown.",
	Good:    sample.About{"events.instances", `"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`},
	Bad:     sample.About{"events.instances"},
	Says:    diag.Sentences{{Key: "single", Text: "The event does not recur and has no instances. Send the id of a recurring event."}},
	Check:   check(checkInstancesRecurring),
}

func checkInstancesRecurring(in *input, r engine.Reporter) {
	if in.existing == knownEvent && len(in.stored.Recurrence) == 0 && in.stored.StatusMeaning() != status.Deleted {
		r.Report("", "single")
	}
}

var instancesIdentity = diag.Rule{
	ID: "instances.identity", Describes: diag.Effect, When: diag.Instances, Basis: diag.Stated, Scope: diag.OfRequest,
	Reads: []string{"id", "iCalUID", "recurringEventId", "originalStartTime"},
	Summary: "The instances of a series have different ids, share the iCalUID, and are identified by originalStartTime even if they are " +
		"moved. Cancelled instances are left out.",
	Section: sectionEvent + ", originalStartTime",
	Why:     "The recurringEventId of an instance is the id of its series.",
	Good: sample.Via("event.Series.Instances", sample.About{"events.instances", `"iCalUID":"uid-1@example.org"`, `"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`},
		`[{"id":"abc12def_20260310T130000Z","recurringEventId":"abc12def","iCalUID":"uid-1@example.org","originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}},`+
			`{"id":"abc12def_20260311T130000Z","recurringEventId":"abc12def","iCalUID":"uid-1@example.org","originalStartTime":{"dateTime":"2026-03-11T09:00:00-04:00"}}]`),
	Bad: sample.Via("event.Series.Instances", sample.About{"events.instances", `"iCalUID":"uid-1@example.org"`}, `[]`),
}
