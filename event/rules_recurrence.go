package event

import (
	"iter"
	"slices"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/recurrence"
)

var recurrenceOnInstance = diag.Rule{
	ID: "recurrence.on-instance", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"recurrence", "recurringEventId"},
	Summary: "An instance of a series must not have a recurrence.",
	Section: sectionEvent + ", recurrence",
	Good:    sample.Series{"RRULE:FREQ=DAILY;COUNT=3"},
	Bad:     sample.Timed{`"recurringEventId":"abc12def"`, `"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`},
	Says:    diag.Sentences{{Key: "both", Text: "The event is an instance of the series {series}, but has a recurrence. Leave the recurrence out, or change the series."}},
	Check:   check(checkRecurrenceOnInstance),
}

func checkRecurrenceOnInstance(in *input, r engine.Reporter) {
	if series := in.next.RecurringEventID; len(in.next.Recurrence) > 0 && series != "" {
		r.Report("/recurrence", "both", diag.Value("series", series))
	}
}

var recurrenceEmptied = diag.Rule{
	ID: "recurrence.emptied", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Reads:    []string{"start", "recurrence"},
	Summary:  "The stored UNTIL, COUNT and EXDATE should remain meaningful after a change to the start or a rule.",
	Section:  sectionObserved,
	Seen:     "The service accepts the change, and the series then has different instances or none.",
	Reported: []string{"xorbitsai/xagent#2353"},
	Why: "Moving the start past UNTIL empties the series, and an exclusion that matched an instance may match none after the change. A " +
		"recurrence without instances is rejected only if the request itself writes it.",
	Good: sample.Patch{sample.Start, sampleSeries},
	Bad:  sample.Patch{`"start":{"dateTime":"2026-04-10T09:00:00-04:00"},"end":{"dateTime":"2026-04-10T10:00:00-04:00"}`, sampleSeries},
	Says: diag.Sentences{
		{Key: "empty", Text: "With the new start, the stored recurrence has no instances. Change the recurrence too."},
		{Key: "exclusion", Text: "The stored exclusion matched an instance before the change and matches none after it. Move the exclusion too, or leave it out."},
	},
	Supersedes: []string{ruleid.RecurrenceExDateMisses},
	AboutAll:   true,
	Check:      check(checkEmptied),
}

const sampleSeries = `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260331T000000Z"]`

// changesSeries reports whether the request changes the start or the recurrence lines of a stored series.
func (c *change) changesSeries() bool {
	return len(c.stored.Recurrence) > 0 && c.next.Recurrence != nil && c.changed.Has(ofSeries)
}

// checkEmptied reports recurrence lines that the change makes pointless: a stored recurrence that has no instances with
// the new start, and stored exclusions that no longer match an instance.
func checkEmptied(in *input, r engine.Reporter) {
	if !in.changesSeries() {
		return
	}
	if in.isEmpty && slices.Equal(in.stored.Recurrence, in.next.Recurrence) {
		r.Report("/recurrence", "empty")
	}
	if len(in.misses) == 0 {
		return
	}
	matched := in.matchedLines(in.stored)
	for _, i := range in.misses {
		if matched[in.next.Recurrence[i]] {
			r.Report(diag.Pointer("/recurrence").Index(i), "exclusion")
		}
	}
}

// matchedLines returns the set of recurrence lines of a series, without exclusions that match no instance.
func (in *input) matchedLines(series *Event) map[string]bool {
	checked := recurrence.Lines{Texts: series.Recurrence, Start: in.startOf(series), On: diag.Insert}.Check()
	matched := make(map[string]bool, len(series.Recurrence))
	for _, line := range series.Recurrence {
		matched[line] = true
	}
	for _, i := range checked.Unmatched {
		delete(matched, series.Recurrence[i])
	}
	return matched
}

var recurrenceReanchored = diag.Rule{
	ID: "recurrence.reanchored", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Reads:    []string{"start", "recurrence"},
	Summary:  "The start and the rules of a stored series should not change.",
	Section:  sectionObserved,
	Seen:     "After a change to the start or a rule, the service creates the instances again; exceptions and past instances are lost.",
	Reported: []string{"taylorwilsdon/google_workspace_mcp#780"},
	Why: "The public service creates the instances again, and past instances and exceptions that no longer fit are lost. End the series " +
		"and start another one instead. RDATE and EXDATE lines, which add and remove single instances, may change, and so may the " +
		"spelling of a start or a rule. If the change leaves no instance, recurrence.emptied reports it.",
	Good: sample.Patch{`"recurrence":["RRULE:INTERVAL=1;FREQ=DAILY;COUNT=3"]`, `"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`},
	Bad:  sample.Patch{`"recurrence":["RRULE:FREQ=DAILY;COUNT=5"]`, `"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`},
	Says: diag.Sentences{
		{Key: "start", Text: "The start of the series changes, so the service creates all instances again. To move only later instances, end the series and start another one."},
		{Key: "rules", Text: "The rules of the series change, so the service creates the instances again. To change only later instances, end the series and start another one."},
		{Key: "ends-earlier", Text: "The series ends earlier, so later instances and their exceptions are lost. If they still take place, send them as another series."},
	},
	AboutAll: true,
	Check:    check(checkReanchored),
}

// checkReanchored reports a new start or new rules whose instances differ from the stored instances. An event that no longer
// has recurrence lines is ignored, because it is not a series.
func checkReanchored(in *input, r engine.Reporter) {
	if !in.changesSeries() || in.isEmpty || len(in.next.Recurrence) == 0 {
		return
	}
	startMoves, linesChange := in.changes(ofStart), !slices.Equal(in.stored.Recurrence, in.next.Recurrence)
	if !startMoves && !linesChange {
		return
	}
	was, is := in.startOf(in.stored), in.start.startIn(in.calendarZone())
	old, oldErr := recurrence.Parse(in.stored.Recurrence)
	rules, err := recurrence.Parse(in.next.Recurrence)
	if oldErr != nil || err != nil {
		return
	}
	if startMoves && compareInstances(old, was, old, is) != sameInstances {
		r.Report("/start", "start")
	}
	if !linesChange {
		return
	}
	switch compareInstances(old, is, rules, is) {
	case otherInstances:
		r.Report("/recurrence", "rules")
	case fewerInstances:
		r.Report("/recurrence", "ends-earlier")
	}
}

// comparison is the result of comparing the instances of two recurrence sets.
type comparison int

const (
	sameInstances  comparison = iota // the same instances, or unknown because a set cannot be expanded
	fewerInstances                   // the second set has only the first instances of the first set
	otherInstances
)

// compareInstances compares the first and last instances that the rules in a and b generate.
func compareInstances(a *recurrence.Set, start recurrence.Start, b *recurrence.Set, other recurrence.Start) comparison {
	const many = 1000
	first, err := (&recurrence.Set{Rules: a.Rules, ExRules: a.ExRules}).Compile(start)
	second, otherErr := (&recurrence.Set{Rules: b.Rules, ExRules: b.ExRules}).Compile(other)
	if err != nil || otherErr != nil {
		return sameInstances
	}
	next, stop := iter.Pull2(second.All())
	defer stop()
	n := 0
	for at, err := range first.All() {
		instance, otherErr, more := next()
		switch n++; {
		case err != nil || otherErr != nil:
			return sameInstances
		case !more:
			return fewerInstances
		case !at.Equal(instance):
			return otherInstances
		case n > many:
			return compareLast(first, second)
		}
	}
	if _, err, more := next(); more && err == nil {
		return otherInstances
	}
	return sameInstances
}

// compareLast compares the last instances of two series whose first instances are the same.
func compareLast(a, b *recurrence.Series) comparison {
	end := time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC)
	last, _, err := a.Before(end)
	otherLast, _, otherErr := b.Before(end)
	switch {
	case err != nil || otherErr != nil || last.Equal(otherLast):
		return sameInstances
	case otherLast.Before(last):
		return fewerInstances
	default:
		return otherInstances
	}
}
