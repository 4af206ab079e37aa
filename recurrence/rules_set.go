package recurrence

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

// The rules about the instances of all lines together. Their checks report what findInstances
// found.

var noInstance = diag.Rule{
	ID: "recurrence.no-instance", Kind: diag.Reject, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: reads,
	Summary: "The set has at least one instance.",
	Section: fieldSection,
	Why:     "The first instance of a series is its start, so a set without instances contradicts its event.",
	Good:    sample.Series("RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260310T130000Z"),
	Bad:     sample.Series("RRULE:FREQ=DAILY;COUNT=1", "EXDATE:20260310T130000Z"),
	Says: diag.Sentences{
		{Key: "until", Text: "UNTIL is before the start, so there is no instance; change it or remove the recurrence."},
		{Key: "excluded", Text: "EXDATE or EXRULE excludes every instance, including the start; leave at least one."},
	},
	Check: check(checkNoInstance),
}

var startNotInRule = diag.Rule{
	ID: "recurrence.start-not-in-rule", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "The start is an instance of an RRULE.",
	Section: "RFC 5545 3.8.5.3",
	Why:     "RFC 5545 does not define the set otherwise. Here the start is the first instance unless EXDATE excludes it, and COUNT does not count it; other readers count it or drop it.",
	Good:    weekly,
	Bad:     sample.Series("RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10"),
	Says: diag.Sentences{
		{Key: "start", Text: "The start is not an instance of the rule, but it counts as the first instance unless EXDATE excludes it; move it to an instance of the rule, or change the rule."},
		{Key: "never", Text: "No RRULE line gives any instance, so the start is left without them; correct the rule, or remove it."},
	},
	Check: check(checkStartNotInRule),
}

var exdateMisses = diag.Rule{
	ID: "recurrence.exdate-misses", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each EXDATE value matches an instance.",
	Section: "RFC 5545 3.8.5.1",
	Why:     "The zone is usually wrong, or the start was moved later, and the instance to exclude is still there.",
	Good:    sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T130000Z"),
	Bad:     sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T090000Z"),
	Says: diag.Sentences{
		{Key: "date", Text: "EXDATE {date} matches no instance and excludes nothing; correct the date, or remove it."},
		{Key: "time", Text: "EXDATE {date} matches no instance and excludes nothing; compare its zone and time with the start's."},
	},
	Check: check(checkExdateMisses),
}

// checkBudget is how many steps findInstances may take for its search for an instance, and as many for
// all else, so that hostile lines cost milliseconds. What is not known by then is not reported.
const checkBudget = 1 << 17

// instances is what the rules of this file need to know about a set.
type instances struct {
	empty          bool    // the set has no instance
	late           bool    // the UNTIL of each rule is before the start
	misses         []int   // the indexes of the EXDATE lines with a value that matches no instance
	missed         []Value // the first such value of each of these lines
	startNotInRule bool
}

// instances returns what there is to know about the instances, and nothing if a line is rejected or the start is
// not known. It finds out at the first call.
func (in *input) instances() *instances {
	isRejected := func(l line) bool { return l.rejected }
	if !in.expanded {
		in.expanded = true
		if !in.start.IsZero() && !slices.ContainsFunc(in.lines, isRejected) {
			in.expand()
		}
	}
	return &in.found
}

// expand finds out about the instances of a set without rejected lines.
func (in *input) expand() {
	in.set.clear()
	for i := range in.lines {
		in.set.add(&in.lines[i])
	}
	in.series.prepare(&in.set, in.start)
	in.budget, in.search = *expand.NewBudget(checkBudget), *expand.NewBudget(checkBudget)
	s, found := in.series.expansion, &in.found
	if !s.Contains(in.start.unix, &in.budget) {
		_, ok := s.Iterate(expand.Earliest, expand.Latest, &in.search).Next()
		found.empty = !ok && !in.search.IsOver()
		found.late = !s.IncludesStart()
	}
	found.startNotInRule = len(in.set.Rules) > 0 && !s.RulesMatchStart(&in.budget)
	if !found.empty { // otherwise, that an EXDATE matches no instance is no fault of its own
		in.findMisses()
	}
}

// findMisses finds the EXDATE lines with a value that matches no instance.
func (in *input) findMisses() {
	for i := range in.lines {
		if in.lines[i].kind != exdateLine {
			continue
		}
		v, misses := in.series.firstMiss(in.lines[i].dates, &in.budget)
		if in.budget.IsOver() {
			return
		}
		if misses {
			in.found.misses = append(in.found.misses, i)
			in.found.missed = append(in.found.missed, v)
		}
	}
}

func checkNoInstance(in *input, r engine.Reporter) {
	found := in.instances()
	switch {
	case !found.empty || in.stored:
	case found.late:
		r.Report("", "until")
	default:
		r.Report("", "excluded")
	}
}

func checkStartNotInRule(in *input, r engine.Reporter) {
	if in.instances().startNotInRule {
		first := slices.IndexFunc(in.lines, func(l line) bool { return l.kind == rruleLine })
		key := "start"
		if in.rulesGiveNone() {
			key = "never"
		}
		r.Report(diag.Pointer("").Index(first), key)
	}
}

// rulesGiveNone reports whether the RRULE lines give no instance after a start that is not an instance of them. It
// reports false if it cannot tell in a few steps.
func (in *input) rulesGiveNone() bool {
	var series Series
	series.prepare(&Set{Rules: in.set.Rules}, in.start)
	budget := expand.NewBudget(checkBudget)
	_, found := series.expansion.Iterate(in.start.unix+1, expand.Latest, budget).Next()
	return !found && !budget.IsOver()
}

func checkExdateMisses(in *input, r engine.Reporter) {
	found := in.instances()
	for k, i := range found.misses {
		missed, key := found.missed[k], "time"
		if missed.Form == Date {
			key = "date"
		}
		r.Report(diag.Pointer("").Index(i), key, missed.arg(), diag.Value("value", missed.String()))
	}
}
