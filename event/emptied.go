package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/recurrence"
)

var recurrenceEmptied = &diag.Doc{
	ID: "recurrence.emptied", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed,
	Summary: "A change of the start or of a rule leaves the stored UNTIL, COUNT and EXDATE data with a point.",
	Section: sectionObserved,
	Why: "A start that moves past UNTIL empties the series, and exclusions that matched an instance may miss " +
		"after the change. Only what the request itself writes is refused for having no instance.",
	Accept: diag.Example{Request: patched(sample.Start, sampleSeries)},
	Refuse: diag.Example{Request: patched(
		`"start":{"dateTime":"2026-04-10T09:00:00-04:00"},"end":{"dateTime":"2026-04-10T10:00:00-04:00"}`, sampleSeries)},
}

const sampleSeries = `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260331T000000Z"]`

// The rules of package recurrence that a change of a stored series gives another meaning.
const (
	idNoInstance   = "recurrence.no-instance"
	idExdateMisses = "recurrence.exdate-misses"
)

// checkEmptied looks through the findings from the index on. A stored set that the request
// does not write, and that a new start empties, is advised against instead of refused; of
// stored exclusions that missed nothing before, it tells that they do now.
func (r *run) checkEmptied(from int) {
	in := &r.in
	unwritten := slices.Equal(in.old.Recurrence, in.new.Recurrence)
	missed := in.missedBefore()
	reporter := r.report.For(recurrenceEmptied, "")
	for i := from; i < len(r.report.Findings); i++ {
		switch f := r.report.Findings[i]; {
		case f.Rule.ID == idNoInstance && unwritten:
			r.report.Findings = slices.Delete(r.report.Findings, i, i+1)
			i--
			reporter.Report("/recurrence", "With the new start the stored recurrence has no instance. Change the recurrence too.")
		case f.Rule.ID == idExdateMisses && in.isStoredLine(f.Path) && !missed[f.Path]:
			reporter.Report(f.Path, "The stored exclusion matched an instance before the change, and matches none after it. Move it along, or leave it out.")
		}
	}
}

// missedBefore returns the lines of the new recurrence that excluded nothing already with the
// stored start and rules.
func (in *input) missedBefore() map[diag.Pointer]bool {
	var before diag.Report
	recurrence.Check(in.on, in.old.Recurrence, readMoment(in.old.Start).recurrence(), &before, "")
	missed := map[diag.Pointer]bool{}
	for _, f := range before.Findings {
		if f.Rule.ID != idExdateMisses {
			continue
		}
		for i, line := range in.new.Recurrence {
			if slices.Index(in.old.Recurrence, line) >= 0 && f.Path == diag.Pointer("").Index(slices.Index(in.old.Recurrence, line)) {
				missed[diag.Pointer("/recurrence").Index(i)] = true
			}
		}
	}
	return missed
}

// isStoredLine reports whether the line at the path stands in the stored recurrence too.
func (in *input) isStoredLine(path diag.Pointer) bool {
	for i, line := range in.new.Recurrence {
		if path == diag.Pointer("/recurrence").Index(i) {
			return slices.Contains(in.old.Recurrence, line)
		}
	}
	return false
}
