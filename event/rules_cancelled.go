package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/status"
)

// cancelledRules are about cancelled events: what is left of them, and who is shown it.
var cancelledRules = []*diag.Rule{
	&cancelledException,
	&cancelledDeleted,
	&cancelledGuaranteed,
	&cancelledDetails,
	&cancelledList,
	&cancelledGet,
	&cancelledRestorable,
}

var cancelledGuaranteed = diag.Rule{
	ID: "cancelled.guaranteed", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "A cancelled event carries its id; a cancelled exception of a series also recurringEventId and originalStartTime.",
	Section: sectionStates,
	Why: "Nothing else may be required of it, start and end included. An event with recurringEventId or " +
		"originalStartTime is an exception, and carries both.",
	Good:  diag.Example{Request: sample.Request("response", []string{`"status":"cancelled","id":"abc12def"`})},
	Bad:   diag.Example{Request: sample.Request("response", []string{`"status":"cancelled"`})},
	Check: check(checkCancelledGuaranteed),
}

func checkCancelledGuaranteed(in *input, r diag.Reporter) {
	e := in.result
	meaning := status.Of(statusOf(e))
	if meaning == status.Active {
		return
	}
	if e.ID == "" {
		r.Report("/id", "The cancelled event has no id, which is guaranteed.")
	}
	if meaning != status.Exception {
		return
	}
	if e.RecurringEventID == "" {
		r.Report("/recurringEventId", "The cancelled exception of a series has no recurringEventId, which is guaranteed beside originalStartTime.")
	}
	if e.OriginalStartTime == nil {
		r.Report("/originalStartTime", "The cancelled exception of a series has no originalStartTime, which is guaranteed beside recurringEventId.")
	}
}

const (
	sampleCancelled = `"status":"cancelled"`
	sampleException = `"recurringEventId":"series1","originalStartTime":{"date":"2026-03-10"}`
)

var cancelledException = diag.Rule{
	ID: "cancelled.exception", Kind: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "A cancelled instance of an active series is an exception: it is not shown, and has id, recurringEventId and originalStartTime.",
	Section: sectionStates,
	Why:     "Clients keep it for the lifetime of the series, or the instance would come back.",
	Good: diag.Example{
		Request: sample.Request("response", []string{`"id":"i1"`, sampleCancelled, sampleException}),
		Answer:  `{"accepted":true,"event":{"recurringEventId":"series1"}}`,
	},
	Bad: diag.Example{
		Request: sample.Response(sampleException),
		Answer:  `{"accepted":true,"event":{"status":"confirmed"}}`,
	},
}

var cancelledDeleted = diag.Rule{
	ID: "cancelled.deleted", Kind: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "Any other cancelled event is a deleted event, of which only the id is guaranteed.",
	Section: sectionStates,
	Why:     "Such events disappear eventually.",
	Good: diag.Example{
		Request: sample.Request("response", []string{`"id":"abc12def"`, sampleCancelled}),
		Answer:  `{"accepted":true,"event":{"id":"abc12def"}}`,
	},
	Bad: diag.Example{Request: sample.Response(), Answer: `{"accepted":true,"event":{"status":"confirmed"}}`},
}

var cancelledDetails = diag.Rule{
	ID: "cancelled.details", Kind: diag.Effect, When: diag.List, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Incremental sync with showDeleted false does not return the details of cancelled events.",
	Section: sectionStates,
	Why:     "Summary, location and others may remain with the service so that the event can be restored.",
	Good: diag.Example{
		Request: sample.With(about("events.list", sampleCancelled), `"params":{"syncToken":"t1","showDeleted":"true"}`),
		Answer:  `{"event":{"id":"abc12def","summary":"Standup"}}`,
	},
	Bad: diag.Example{
		Request: sample.With(about("events.list", sampleCancelled), `"params":{"syncToken":"t1"}`),
		Answer:  `{"event":{"id":"abc12def","status":"cancelled"}}`,
	},
}

var cancelledList = diag.Rule{
	ID: "cancelled.list", Kind: diag.Effect, When: diag.List, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "events.list returns cancelled events only with syncToken or updatedMin, or with showDeleted true.",
	Section: sectionStates,
	Good: diag.Example{
		Request: sample.With(about("events.list", sampleCancelled), `"params":{"showDeleted":"true"}`),
		Answer:  `{"event":{"status":"cancelled"}}`,
	},
	Bad: diag.Example{Request: about("events.list", sampleCancelled), Answer: `{"accepted":true}`},
}

var cancelledGet = diag.Rule{
	ID: "cancelled.get", Kind: diag.Effect, When: diag.Get, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "events.get always returns cancelled events.",
	Section: sectionStates,
	Good:    diag.Example{Request: about("events.get", sampleCancelled), Answer: `{"event":{"status":"cancelled"}}`},
	Bad:     diag.Example{Request: about("events.list", sampleCancelled), Answer: `{"accepted":true}`},
}

var cancelledRestorable = diag.Rule{
	ID: "cancelled.restorable", Kind: diag.Effect, When: diag.Get, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "On the organizer's calendar, and where an invited user removed the event, a cancelled event keeps its details.",
	Section: sectionStates,
	Why:     "So it can be restored. How, the documents do not show.",
	Good:    diag.Example{Request: about("events.get", sampleCancelled), Answer: `{"event":{"status":"cancelled","summary":"Standup"}}`},
	Bad: diag.Example{
		Request: sample.With(about("events.list", sampleCancelled), `"params":{"updatedMin":"2026-01-01T00:00:00Z"}`),
		Answer:  `{"event":{"id":"abc12def","status":"cancelled"}}`,
	},
}
