package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

var patchMerge = diag.Rule{
	ID: "patch.merge", Describes: diag.Effect, When: diag.Patch, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "A patch replaces the members that it specifies and keeps the others. An array replaces the whole stored array.",
	Section: sectionOperations + ", 1; RFC 7396",
	Why:     "Objects are merged member by member, and null clears a member, as in RFC 7396, which the documents do not mention.",
	Good: sample.Answered(sample.Patch{`"location":null,"description":"Daily"`, `"location":"Room 4"`},
		`{"event":{"summary":"Standup","description":"Daily","location":null}}`),
	Bad: sample.Answered(sample.Update{`"description":"Daily"`, `"location":"Room 4"`},
		`{"event":{"summary":null,"description":"Daily","location":null}}`),
}

var patchWhole = diag.Rule{
	ID: "patch.whole", Kind: diag.Reject, When: diag.Patch, Basis: diag.Inferred, Scope: diag.OfChange, Reads: []string{"start", "end"},
	Summary: "The event that results from a patch must comply with every rule about events.",
	Section: sectionOperations + ", 1",
	Why: "A valid patch may not fit the stored event: for example, it may add a date to a stored dateTime. This rule reports only faults " +
		"that involve the stored start or end. Other faults of the merged event are reported under the ids of the rules that it breaks.",
	Good: sample.Patch{`"end":{"dateTime":"2026-03-10T11:00:00-04:00"}`},
	Bad:  sample.Patch{`"end":{"date":"2026-03-11"}`},
	Says: diag.Sentences{
		{Key: "start-cleared", Text: "The patch clears the start, which an event must have. Send a start, or leave the member out."},
		{Key: "end-cleared", Text: "The patch clears the end, which an event must have. Send an end, or leave the member out."},
	},
	YieldsToValue: true,
	Supersedes:    []string{ruleid.BirthdayModify, ruleid.EventOrganizerOnly},
	Check:         check(checkPatchCleared),
}

// checkPatchCleared checks the part of [patchWhole] that no other rule covers: the patch must not clear the start or the end.
// The method checkWhole of checkRun checks the other parts.
func checkPatchCleared(in *input, r engine.Reporter) {
	clears := func(member object.Set, stored *Time) bool {
		return in.present.Has(member) && (stored != nil || in.existing == unknownEvent)
	}
	if in.next.Start == nil && clears(ofStart, in.stored.Start) {
		r.Report("/start", "start-cleared")
	}
	if in.next.End == nil && clears(ofEnd, in.stored.End) {
		r.Report("/end", "end-cleared")
	}
}

var patchQuota = diag.Rule{
	ID: "patch.quota", Describes: diag.Effect, When: diag.Patch, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A patch costs 3 quota units; a get followed by an update is preferred.",
	Section: "calendar.md, Limits",
	Why:     "The documents do not state the cost of other operations.",
	Good:    sample.Via("operation.Lookup", sample.Patch{`"summary":"Daily"`}, `{"id":"events.patch","quotaUnits":3}`),
	Bad:     sample.Via("operation.Lookup", sample.Update{`"summary":"Daily"`}, `{"id":"events.update","quotaUnits":null}`),
}
