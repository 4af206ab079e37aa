package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/status"
)

var statusUnspecified = diag.Rule{
	ID: "status.unspecified", Kind: diag.Unspecified, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"status"},
	Summary: "The documents do not define the effect of changing the status, as in restoring a cancelled event.",
	Section: sectionStates,
	Why: "The documents show only that a deleted event is represented as cancelled, and when a move leaves a cancelled event behind. " +
		"The caller decides the rest.",
	Good:  sample.Patch{`"status":"confirmed"`},
	Bad:   sample.Patch{`"status":"tentative"`},
	Says:  diag.Sentences{{Key: "changed", Text: "The request changes the status from {was} to {value}, a transition that is not specified."}},
	Check: check(checkStatusTransition),
}

func checkStatusTransition(in *input, r engine.Reporter) {
	was, is := normalStatus(in.stored.Status), normalStatus(in.next.Status)
	if in.existing != knownEvent || in.next.extra.WasSent("status") || !constraint.EventStatus.Has(is) {
		return // another rule reports an invalid status, including ""
	}
	if was != is {
		r.Report("/status", "changed", diag.Plain("was", was), diag.Name("value", is))
	}
}

var statusModifyCancelled = diag.Rule{
	ID: "status.modify-cancelled", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Reads:    []string{"status", "recurringEventId", "originalStartTime"},
	Summary:  "A cancelled instance of a series should not change.",
	Section:  sectionObserved,
	Seen:     `Changing a cancelled instance fails with "Invalid start time."; other users report that they restored one.`,
	Reported: []string{"derekantrican/GAS-ICS-Sync#522", "ethereum/pm#2083"},
	Why:      "The public service usually refuses to change a cancelled instance. A request that changes nothing gets no advice.",
	Good:     sample.Patch{`"summary":"Daily"`, sampleInstance},
	Bad:      sample.Patch{`"summary":"Daily"`, sampleCancelled, sampleInstance},
	Says:     diag.Sentences{{Key: "cancelled", Text: "The stored event is a cancelled instance of a series, which the service usually refuses to change. Change another instance, or the series."}},
	Check:    check(checkModifyCancelled),
}

func checkModifyCancelled(in *input, r engine.Reporter) {
	if in.stored.StatusMeaning() == status.Exception && in.changedInEffect() != 0 {
		r.Report("", "cancelled")
	}
}

var deleteExists = diag.Rule{
	ID: "status.delete.exists", Kind: diag.Reject, When: diag.Delete, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Only an existing event can be deleted.",
	Section: sectionStates,
	Why: "The rule is checked only if it is known that there is no stored event. If the caller does not supply the stored event, it " +
		"is unknown.",
	Status: 404, Reason: "notFound",
	Good:  sample.About{"events.delete"},
	Bad:   diag.Example{Request: `{"op":"events.delete","existing":null}`},
	Says:  diag.Sentences{{Key: "missing", Text: "The event does not exist, so it cannot be deleted."}},
	Check: check(checkDeleteExists),
}

func checkDeleteExists(in *input, r engine.Reporter) {
	if in.existing == absentEvent {
		r.Report("", "missing")
	}
}

var deleteGone = diag.Rule{
	ID: "status.delete.gone", Kind: diag.Reject, When: diag.Delete, Basis: diag.Observed, Scope: diag.OfRequest, Reads: []string{"status"},
	Summary:  "A cancelled event cannot be deleted again.",
	Section:  sectionObserved,
	Seen:     `410 with the reason deleted: "Resource has been deleted".`,
	Reported: []string{"googleapis/google-api-python-client#210", "phw198/OutlookGoogleCalendarSync#998"},
	Status:   410, Reason: "deleted",
	Why:   "The public service responds with 410, because the event is gone.",
	Good:  sample.About{"events.delete"},
	Bad:   sample.About{"events.delete", sampleCancelled},
	Says:  diag.Sentences{{Key: "cancelled", Text: "The event is already cancelled, so it cannot be deleted again. Treat it as deleted."}},
	Check: check(checkDeleteGone),
}

func checkDeleteGone(in *input, r engine.Reporter) {
	if in.stored.Status == constraint.StatusCancelled {
		r.Report("", "cancelled")
	}
}

var statusDelete = diag.Rule{
	ID: "status.delete", Describes: diag.Effect, When: diag.Delete, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"status", "id"},
	Summary: "A deleted event is represented as cancelled, with at least its id.",
	Section: sectionStates,
	Good:    sample.Answered(sample.About{"events.delete"}, `{"event":{"id":"abc12def","status":"cancelled"}}`),
	Bad:     sample.Answered(sample.About{"events.get"}, `{"event":{"id":"abc12def","status":"confirmed"}}`),
}
