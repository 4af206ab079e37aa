package event

import (
	"math"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/recurrence"
)

var recurrenceEmptied = diag.Rule{
	ID: "recurrence.emptied", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Summary: "A change of the start or of a rule leaves the stored UNTIL, COUNT and EXDATE data with a point.",
	Section: sectionObserved,
	Why: "A start that moves past UNTIL empties the series, and exclusions that matched an instance may miss " +
		"after the change. Only what the request itself writes is refused for having no instance.",
	Good: diag.Example{Request: patched(sample.Start, sampleSeries)},
	Bad: diag.Example{Request: patched(
		`"start":{"dateTime":"2026-04-10T09:00:00-04:00"},"end":{"dateTime":"2026-04-10T10:00:00-04:00"}`, sampleSeries)},
}

const sampleSeries = `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260331T000000Z"]`

// The rules of package recurrence that a change of a stored series gives another meaning.
const (
	idNoInstance   = "recurrence.no-instance"
	idExdateMisses = "recurrence.exdate-misses"
)

// checkStoredRecurrence puts the rules of package recurrence to the lines of a stored series, and
// tells what only the change leaves pointless from what was written so. A set that the request
// does not write, and that a new start empties, is advised against instead of refused; of stored
// exclusions that missed nothing before, it tells that they do now.
func (r *run) checkStoredRecurrence() {
	from := len(r.report.Findings)
	reporter := r.report.For(&recurrenceEmptied, "")
	if !slices.Equal(r.in.stored.Recurrence, r.in.result.Recurrence) {
		r.checkLines()
	} else if r.withholding(idNoInstance, r.checkLines) {
		reporter.Report("/recurrence", "With the new start the stored recurrence has no instance. Change the recurrence too.")
	}
	for _, path := range r.in.missingNow(r.report.Findings[from:]) {
		reporter.Report(path, "The stored exclusion matched an instance before the change, and matches none after it. Move it along, or leave it out.")
	}
}

// withholding runs a check whose findings of one rule it keeps back, and reports whether there
// were any. That is known where the report is full too, and they do not count as refusal.
func (r *run) withholding(id string, check func()) (found bool) {
	suppress := r.report.Suppress
	defer func() { r.report.Suppress = suppress }()
	r.report.Suppress = func(doc *diag.Rule, path diag.Pointer) bool {
		if doc.ID == id {
			found = true
			return true
		}
		return suppress != nil && suppress(doc, path)
	}
	check()
	return found
}

// missingNow returns those places of the findings at which an exclusion misses that is stored too
// and matched an instance of what is stored.
func (in *input) missingNow(findings diag.Findings) []diag.Pointer {
	misses := missesIn(findings)
	if len(misses) == 0 {
		return nil
	}
	lines, matched := linesAt(in.result.Recurrence), in.matchedBefore()
	return slices.DeleteFunc(misses, func(path diag.Pointer) bool { return !matched[lines[path]] })
}

// missesIn returns the places of the exclusions that match no instance.
func missesIn(findings diag.Findings) (places []diag.Pointer) {
	for _, f := range findings {
		if f.Rule.ID == idExdateMisses {
			places = append(places, f.Path)
		}
	}
	return places
}

// matchedBefore returns the stored lines but for the exclusions that exclude nothing.
func (in *input) matchedBefore() map[string]bool {
	before := diag.Report{Max: math.MaxInt} // as many as there are lines
	recurrence.Check(in.on, in.stored.Recurrence, readMoment(in.stored.Start).recurrence(), &before, "/recurrence")
	lines := linesAt(in.stored.Recurrence)
	matched := make(map[string]bool, len(lines))
	for _, line := range lines {
		matched[line] = true
	}
	for _, path := range missesIn(before.Findings) {
		delete(matched, lines[path])
	}
	return matched
}

// linesAt returns the lines by where findings say that they stand.
func linesAt(lines []string) map[diag.Pointer]string {
	at := make(map[diag.Pointer]string, len(lines))
	for i, line := range lines {
		at[diag.Pointer("/recurrence").Index(i)] = line
	}
	return at
}
