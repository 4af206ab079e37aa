package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/wording"
)

// checkWhole reports, under the rule [patchWhole], faults that only the merged event has. checkWhole considers the rules with
// the sentence "patch-hint", which are about pairs of values. One value of a pair may be stored.
func (r *checkRun) checkWhole() {
	if r.in.on != diag.Patch || r.in.existing == absentEvent || r.report.Grading.Grade(&patchWhole, diag.Reject) != diag.Reject {
		return
	}
	for i := range r.report.Findings {
		f := &r.report.Findings[i]
		if f.Kind != diag.Reject {
			continue
		}
		switch _, isHinted := f.Rule.Says.Text(patchHint); {
		case !isHinted:
		case !r.breaksAlone(f.Rule, f.Path):
			hint := r.in.patchHint(f.Rule.Says)
			f.Rule, f.Cause, f.Basis = &patchWhole, f.Rule, patchWhole.Basis
			f.Args = append(f.Args, wording.Also(hint))
		case f.Rule == &timeOneForm || f.Rule == &timeSameForm: // the patch adds a form to the stored form
			f.Args = append(f.Args, wording.Also(patchHint))
		}
	}
}

// patchHint is the key of the advice for a patch that breaks a rule only in combination with the stored event. A rule
// may have separate sentences for patches that move only the start or only the end.
const patchHint = "patch-hint"

// patchHint returns the key of the advice for a patch that moves the start, the end or both.
func (in *input) patchHint(says diag.Sentences) string {
	key := patchHint
	switch movesStart, movesEnd := in.sent.Start != nil, in.sent.End != nil; {
	case movesStart && !movesEnd:
		key = "patch-hint-start"
	case movesEnd && !movesStart:
		key = "patch-hint-end"
	}
	if _, hasOwn := says.Text(key); !hasOwn {
		return patchHint
	}
	return key
}

// breaksAlone reports whether the patch breaks the rule by itself: whether the rule also reports a finding at the path
// if the stored event is unknown and the patch clears nothing.
func (r *checkRun) breaksAlone(rule *diag.Rule, path diag.Pointer) bool {
	unknown := input{req: r.in.req, dialect: r.in.dialect, options: r.in.options}
	unknown.change = change{on: r.in.on, existing: unknownEvent, stored: &noEvent, sent: new(*r.in.sent)}
	tables().event.DropNulls(unknown.sent, object.All)
	unknown.prepare()
	var report engine.Collector
	bind(rule)(&unknown, report.For(rule, ""))
	return slices.ContainsFunc(report.Findings, func(f diag.Finding) bool { return f.Path == path })
}
