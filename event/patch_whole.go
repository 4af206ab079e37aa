package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/occasion"
)

// checkWhole reports under [patchWhole] what is wrong only with the merged event. It checks the rules that have
// a [diag.Rule.PatchHint]: rules about a pair of values, one of which may be stored.
func (r *run) checkWhole() {
	//mutation:accept A request that has the whole event breaks each rule alone.
	if r.in.on != occasion.Patch || !r.in.hasStored || r.report.Grading.Grade(&patchWhole, diag.Reject) != diag.Reject {
		return
	}
	kept := r.report.Findings[:0]
	for _, f := range r.report.Findings {
		if f.Kind == diag.Reject && f.Rule.PatchHint != "" && !r.breaksAlone(f.Rule, f.Path) {
			if r.isFixed(f.Path) {
				continue
			}
			f.Rule, f.Message = &patchWhole, f.Message+" "+f.Rule.PatchHint
		}
		kept = append(kept, f)
	}
	r.report.Findings = kept
}

// isFixed reports whether the request is refused because the member at the path cannot change at all. Other
// advice about the change would not help.
func (r *run) isFixed(path diag.Pointer) bool {
	return slices.ContainsFunc(r.report.Findings, func(f diag.Finding) bool {
		return f.Kind == diag.Reject && f.Path == path && (f.Rule == &originalStartImmutable || f.Rule == &eventLocked)
	})
}

// breaksAlone reports whether the patch breaks the rule whatever is stored.
func (r *run) breaksAlone(rule *diag.Rule, path diag.Pointer) bool {
	body := new(*r.in.sent)
	eventTable.DropNulls(body)
	alone := input{
		change: change{
			on: r.in.on, stored: &noEvent, sent: body, merged: body, result: body, present: object.All,
			sentMembers: r.in.sentMembers, rewritten: object.All,
		},
		req: r.in.req, dialect: r.in.dialect, flags: r.in.flags, start: parseTime(body.Start), end: parseTime(body.End),
	}
	var report diag.Report
	bind(rule)(&alone, report.For(rule, ""))
	return slices.ContainsFunc(report.Findings, func(f diag.Finding) bool { return f.Path == path })
}
