package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/status"
)

// Members for the examples: a cancelled event, a series instance and, outside the event, the series.
const (
	sampleCancelled = `"status":"cancelled"`
	sampleInstance  = `"recurringEventId":"series1","originalStartTime":{"date":"2026-03-10"}`
	sampleTwoDays   = `"series":{"id":"series1","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]}`
)

var cancelledException = diag.Rule{
	ID: "cancelled.exception", Describes: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads: []string{"status", "id", "recurringEventId", "originalStartTime"},
	Summary: "A cancelled instance of an active series is an exception: it is not shown, and it has an id, a recurringEventId and an " +
		"originalStartTime.",
	Section: sectionStates,
	Why:     "Clients keep the exception for the lifetime of the series; without the exception, the instance would reappear.",
	Good: sample.Via("event.Series.Instances", sample.About{"events.get", sampleCancelled, sampleInstance},
		`[{"id":"series1_20260311"}]`, sampleTwoDays),
	Bad: sample.Via("event.Series.Instances", sample.About{"events.get", sampleInstance},
		`[{"id":"abc12def"},{"id":"series1_20260311"}]`, sampleTwoDays),
}

var cancelledDeleted = diag.Rule{
	ID: "cancelled.deleted", Describes: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"status", "id", "recurringEventId", "originalStartTime"},
	Summary: "A cancelled event that is not an exception of an active series is a deleted event, and only its id is guaranteed.",
	Section: sectionStates,
	Why:     "Deleted events eventually disappear.",
	Good: sample.Answered(sample.About{"events.list", sampleCancelled},
		`{"event":{"id":"abc12def","status":"cancelled","recurringEventId":null,"originalStartTime":null,"start":null}}`, `"params":{"syncToken":"t1"}`),
	Bad: sample.Answered(sample.About{"events.list", sampleCancelled, sampleInstance},
		`{"event":{"id":"abc12def",`+sampleCancelled+`,`+sampleInstance+`,"start":null}}`, `"params":{"syncToken":"t1"}`),
}

var cancelledGuaranteed = diag.Rule{
	ID: "cancelled.guaranteed", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads: []string{"status", "id", "recurringEventId", "originalStartTime"},
	Summary: "A cancelled event must have an id; a cancelled exception of an active series must also have recurringEventId and " +
		"originalStartTime.",
	Section: sectionStates,
	Why: "Other members, start and end included, may be missing. An event with recurringEventId or originalStartTime is an instance. An " +
		"instance is known to be an exception only if the caller supplies the series: if the series is cancelled too, the instance is a " +
		"deleted event.",
	Good: sample.Request{"response", sampleCancelled, `"id":"abc12def"`},
	Bad:  sample.Request{"response", sampleCancelled},
	Says: diag.Sentences{
		{Key: "id", Text: "The cancelled event has no id, which the service guarantees."},
		{Key: "recurring-id", Text: "The cancelled exception of a series has no recurringEventId, which the service guarantees together with originalStartTime."},
		{Key: "original-start", Text: "The cancelled exception of a series has no originalStartTime, which the service guarantees together with recurringEventId."},
	},
	Check: check(checkCancelledGuaranteed),
}

func checkCancelledGuaranteed(in *input, r engine.Reporter) {
	e := in.next
	meaning := e.StatusMeaning()
	if meaning == status.Active {
		return
	}
	if e.ID == "" {
		r.Report("/id", "id")
	}
	if meaning != status.Exception || !isOfActiveSeries(in) {
		return
	}
	if e.RecurringEventID == "" {
		r.Report("/recurringEventId", "recurring-id")
	}
	if parseTime(e.OriginalStartTime).form == noForm {
		r.Report("/originalStartTime", "original-start")
	}
}

// isOfActiveSeries reports whether the caller supplied the instance's series, and the series is not cancelled.
func isOfActiveSeries(in *input) bool {
	series, id := in.req.Series, in.next.RecurringEventID
	return series != nil && series.Status != constraint.StatusCancelled && (id == "" || series.ID == "" || id == series.ID)
}

var cancelledDetails = diag.Rule{
	ID: "cancelled.details", Describes: diag.Effect, When: diag.List, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"status"},
	Summary: "Incremental synchronization with showDeleted false does not return the details of cancelled events.",
	Section: sectionStates,
	Why:     "The service may keep summary, location and other members so that the event can be restored.",
	Good: sample.Answered(sample.About{"events.list", sampleCancelled},
		`{"event":{"id":"abc12def","status":"cancelled","summary":null}}`, `"params":{"syncToken":"t1"}`),
	Bad: sample.Answered(sample.About{"events.list", sampleCancelled},
		`{"event":{"id":"abc12def","status":"cancelled","summary":"Standup"}}`, `"params":{"syncToken":"t1","showDeleted":"true"}`),
}

var cancelledList = diag.Rule{
	ID: "cancelled.list", Describes: diag.Effect, When: diag.List, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"status"},
	Summary: "events.list returns cancelled events only with syncToken or updatedMin, or with showDeleted true.",
	Section: sectionStates,
	Good:    sample.Answered(sample.About{"events.list", sampleCancelled}, `{"accepted":true,"event":null}`),
	Bad: sample.Answered(sample.About{"events.list", sampleCancelled},
		`{"accepted":true,"event":{"status":"cancelled"}}`, `"params":{"showDeleted":"true"}`),
}

var cancelledGet = diag.Rule{
	ID: "cancelled.get", Describes: diag.Effect, When: diag.Get, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"status"},
	Summary: "events.get always returns cancelled events.",
	Section: sectionStates,
	Good:    sample.Answered(sample.About{"events.get", sampleCancelled}, `{"accepted":true,"event":{"status":"cancelled"}}`),
	Bad:     sample.Answered(sample.About{"events.list", sampleCancelled}, `{"accepted":true,"event":null}`),
}

var cancelledRestorable = diag.Rule{
	ID: "cancelled.restorable", Describes: diag.Effect, When: diag.Get, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"status"},
	Summary: "A cancelled event keeps its details on the calendars of the organizer and of an invited user who removed it.",
	Section: sectionStates,
	Why:     "The event can be restored; the documents do not show how.",
	Good:    sample.Answered(sample.About{"events.get", sampleCancelled}, `{"event":{"status":"cancelled","summary":"Standup"}}`),
	Bad: sample.Answered(sample.About{"events.list", sampleCancelled},
		`{"event":{"status":"cancelled","summary":null}}`, `"params":{"updatedMin":"2026-01-01T00:00:00Z"}`),
}

var cancelledListExceptions = diag.Rule{
	ID: "cancelled.list.exceptions", Describes: diag.Effect, When: diag.List, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"status", "recurringEventId", "originalStartTime"},
	Summary:  "In the dialect of the public service, events.list also returns the cancelled instances of series if singleEvents and showDeleted are both false.",
	Section:  sectionObserved,
	Seen:     "The reference says that cancelled instances of recurring events are still included, if the series is not cancelled.",
	Reported: []string{"https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest"},
	Why:      "A client that expands series itself needs the cancelled instances: without them, it would show a deleted instance.",
	Good: sample.Answered(sample.About{"events.list", sampleCancelled, sampleInstance},
		`{"event":{"id":"abc12def",`+sampleCancelled+`,`+sampleInstance+`}}`, `"dialect":"google"`),
	Bad: sample.Answered(sample.About{"events.list", sampleCancelled, sampleInstance},
		`{"event":null}`, `"dialect":"google","params":{"singleEvents":"true"}`),
	OnlyIn: new(diag.Google),
}
