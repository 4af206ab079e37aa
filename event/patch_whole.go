package event

import (
	"cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
)

// place is where a rule was broken.
type place struct {
	rule *diag.Rule
	path diag.Pointer
}

// checkWhole tells apart what is wrong with a patch by itself from what is wrong only beside
// the stored event. Of the latter the request is refused by [patchWhole]; the rule that the
// merged event breaks stays beside it, as advice.
func (r *run) checkWhole() {
	if r.in.on != diag.Patch || !r.report.Refused {
		return
	}
	if r.report.Grading.Grade(&patchWhole, diag.Reject) != diag.Reject {
		return // what the merged event breaks refuses by itself
	}
	alone := r.brokenAlone()
	r.report.Refused = false // until one is found that stays, or is put down to [patchWhole]
	for i := range r.report.Findings {
		f := &r.report.Findings[i]
		if f.Kind != diag.Reject {
			continue
		}
		if f.Rule.Scope != diag.OfEvent || alone[place{f.Rule, f.Path}] {
			r.report.Refused = true
			continue
		}
		f.Kind = diag.Advise
		r.report.For(&patchWhole, "").Say(f.Path, f.Message, " ", cmp.Or(f.Rule.PatchHint, patchHint))
	}
}

// brokenAlone returns what the patch breaks when nothing is stored.
func (r *run) brokenAlone() map[place]bool {
	body := r.in.sent.Clone()
	eventTable.DropNulls(body)
	alone := run{op: r.op, in: input{
		change: change{
			on: r.in.on, stored: &noEvent, sent: body, merged: body, result: body,
			sentMembers: r.in.sentMembers, rewritten: object.All,
		},
		req: r.in.req, flags: r.in.flags, beside: r.in.req.Existing,
		start: readMoment(body.Start), end: readMoment(body.End),
	}}
	alone.checkEvent()
	broken := map[place]bool{}
	for _, f := range alone.report.Findings {
		broken[place{f.Rule, f.Path}] = true
	}
	return broken
}

// patchHint is the hint to a sender whose patch breaks a rule that has no hint of its own.
const patchHint = "The patch is only wrong beside what is stored."
