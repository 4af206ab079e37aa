package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/recurrence"
)

var recurrenceEmptied = diag.Rule{
	ID: "recurrence.emptied", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Reads:   []string{"start", "recurrence"},
	Summary: "A change of the start or of a rule leaves the stored UNTIL, COUNT and EXDATE data meaningful.",
	Section: sectionObserved,
	Why: "A start that moves past UNTIL empties the series, and exclusions that matched an instance may miss " +
		"after the change. A set is only refused for having no instance if the request itself writes it.",
	Good: sample.Patch(sample.Start, sampleSeries),
	Bad:  sample.Patch(`"start":{"dateTime":"2026-04-10T09:00:00-04:00"},"end":{"dateTime":"2026-04-10T10:00:00-04:00"}`, sampleSeries),
}

const sampleSeries = `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260331T000000Z"]`

// checkStoredRecurrence checks the recurrence of a series that the request modifies. It reports
// what only the change makes pointless under [recurrenceEmptied]: a stored set that a new start
// empties, and stored exclusions that matched an instance and now match none.
func (r *run) checkStoredRecurrence() {
	was, is := r.in.stored.Recurrence, r.in.result.Recurrence
	reporter := r.report.For(&recurrenceEmptied, "")
	var outcome recurrence.Outcome
	if slices.Equal(was, is) {
		outcome = recurrence.CheckUnchanged(r.in.on, is, r.in.start.recurrence(), &r.report, "/recurrence")
	} else {
		outcome = r.checkLines()
	}
	if outcome.Empty && slices.Equal(was, is) {
		reporter.Report("/recurrence", "The stored recurrence has no instance with the new start. Change the recurrence too.")
	}
	if len(outcome.Misses) == 0 {
		return
	}
	matched := matchedLines(r.in.stored)
	for _, i := range outcome.Misses {
		if matched[is[i]] {
			reporter.Report(diag.Pointer("/recurrence").Index(i), "The stored exclusion matched an instance before the change and matches none after it. Move it too, or leave it out.")
		}
	}
}

// matchedLines returns the lines of a series, without the exclusions that exclude nothing.
func matchedLines(series *Event) map[string]bool {
	misses := recurrence.Inspect(series.Recurrence, parseTime(series.Start).recurrence()).Misses
	matched := make(map[string]bool, len(series.Recurrence))
	for _, line := range series.Recurrence {
		matched[line] = true
	}
	for _, i := range misses {
		delete(matched, series.Recurrence[i])
	}
	return matched
}
