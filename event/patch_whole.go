package event

import (
	"cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
)

// place is a rule and the path at which it is broken.
type place struct {
	rule *diag.Rule
	path diag.Pointer
}

// checkWhole separates the rules that a patch breaks by itself from those that only the merged event
// breaks. The latter become advice, and [patchWhole] refuses the request.
func (r *run) checkWhole() {
	if r.in.on != diag.Patch || !r.in.hasStored || !r.report.Refused {
		return
	}
	if r.report.Grading.Grade(&patchWhole, diag.Reject) != diag.Reject {
		return // the rules that the merged event breaks refuse the request
	}
	alone := r.brokenAlone()
	r.report.Refused = false // until a finding stays, or becomes one of [patchWhole]
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
		r.report.For(&patchWhole, "").Say(f.Path, f.Data, f.Message+" "+cmp.Or(f.Rule.PatchHint, patchHint))
	}
}

// brokenAlone returns the rules that the patch breaks if nothing is stored.
func (r *run) brokenAlone() map[place]bool {
	body := r.in.sent.Clone()
	eventTable.DropNulls(body)
	alone := run{op: r.op, in: input{
		change: change{
			on: r.in.on, stored: &noEvent, sent: body, merged: body, result: body,
			sentMembers: r.in.sentMembers, rewritten: object.All,
		},
		req: r.in.req, flags: r.in.flags, beside: r.in.req.Existing,
		start: parseTime(body.Start), end: parseTime(body.End),
	}}
	alone.checkEvent()
	broken := map[place]bool{}
	for _, f := range alone.report.Findings {
		broken[place{f.Rule, f.Path}] = true
	}
	return broken
}

// patchHint is the hint for rules without a [diag.Rule.PatchHint].
const patchHint = "The patch is valid by itself, but not together with the stored event."
