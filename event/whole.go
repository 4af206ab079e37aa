package event

import (
	"strings"

	"github.com/calrules/calrules/diag"
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
		if !isOfEvent(f.Rule) || alone[place{f.Rule, f.Path}] {
			r.report.Refused = true
			continue
		}
		f.Kind = diag.Advise
		r.report.For(&patchWhole, "").Report(f.Path, "%s%s", f.Message, hint(f.Rule))
	}
}

// brokenAlone returns what the patch breaks when nothing is stored.
func (r *run) brokenAlone() map[place]bool {
	body := r.in.body.Clone()
	eventTable.DropNulls(body)
	alone := run{op: r.op, in: input{
		req: r.in.req, on: r.in.on, flags: r.in.flags, beside: r.in.old,
		body: body, raw: body, new: body,
		sent: r.in.sent, touched: ^noMembers,
		start: readMoment(body.Start), end: readMoment(body.End),
	}}
	alone.checkEvent()
	broken := map[place]bool{}
	for _, f := range alone.report.Findings {
		broken[place{f.Rule, f.Path}] = true
	}
	return broken
}

// isOfEvent reports whether the rule is one that an event keeps or breaks by what it is, and
// not by how it came to be.
func isOfEvent(doc *diag.Rule) bool {
	switch doc {
	case &attachmentsSupports, &labelVersion, &attendeeServiceAccount:
		return false // about the request around the event
	}
	return doc.When.Has(diag.Create) && !isDecodingRule(doc) && !strings.HasPrefix(doc.ID, "insert.param.") && !strings.HasPrefix(doc.ID, "param.")
}

// hint says how to mend a patch.
func hint(doc *diag.Rule) string {
	switch doc {
	case &timeOneForm, &timeSameForm:
		return ` To change the form, send the other member as null, as in {"date": null, "dateTime": "2026-03-10T09:00:00Z"}, in start and end.`
	case &remindersBoth:
		return ` What is stored of them stays: send "useDefault": false, or "overrides": null.`
	default:
		return " This is so beside what is stored; the patch alone would be right."
	}
}
