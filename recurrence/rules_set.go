package recurrence

import (
	"slices"

	"github.com/calrules/calrules/diag"
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
	Check:   check(checkNoInstance),
}

var startNotInRule = diag.Rule{
	ID: "recurrence.start-not-in-rule", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "The start is an instance of an RRULE.",
	Section: "RFC 5545 3.8.5.3",
	Why:     "RFC 5545 does not define the set otherwise. Here the start is the first instance unless EXDATE excludes it, and COUNT does not count it; other readers count it or drop it.",
	Good:    weekly,
	Bad:     sample.Series("RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10"),
	Check:   check(checkStartNotInRule),
}

var exdateMisses = diag.Rule{
	ID: "recurrence.exdate-misses", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each EXDATE value matches an instance.",
	Section: "RFC 5545 3.8.5.1",
	Why:     "The zone is usually wrong, or the start was moved later, and the instance to exclude is still there.",
	Good:    sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T130000Z"),
	Bad:     sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T090000Z"),
	Check:   check(checkExdateMisses),
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

// findInstances expands a set whose lines were judged and not rejected.
func findInstances(lines []line, start Start) (found instances) {
	var set Set
	for i := range lines {
		set.add(&lines[i])
	}
	s, b := newSeries(&set, start), expand.NewBudget(checkBudget)
	if !s.expansion.Contains(start.unix, b) {
		search := expand.NewBudget(checkBudget)
		_, ok := s.expansion.Iterate(expand.Earliest, expand.Latest, search).Next()
		found.empty = !ok && !search.IsOver()
		found.late = !s.expansion.IncludesStart()
	}
	found.startNotInRule = len(set.Rules) > 0 && !s.expansion.RulesMatchStart(b)
	if found.empty {
		return found // that an EXDATE matches no instance is no fault of its own
	}
	for i := range lines {
		if lines[i].kind != exdateLine {
			continue
		}
		v, misses := s.firstMiss(lines[i].dates, b)
		if b.IsOver() {
			return found
		}
		if misses {
			found.misses = append(found.misses, i)
			found.missed = append(found.missed, v)
		}
	}
	return found
}

func checkNoInstance(in *input, r diag.Reporter) {
	switch {
	case in.found.empty && in.found.late:
		r.OldReport("", "UNTIL is before the start, so there is no instance; change it or remove the recurrence.")
	case in.found.empty:
		r.OldReport("", "EXDATE or EXRULE excludes every instance, including the start; leave at least one.")
	}
}

func checkStartNotInRule(in *input, r diag.Reporter) {
	if in.found.startNotInRule {
		first := slices.IndexFunc(in.lines, func(l line) bool { return l.kind == rruleLine })
		r.OldReport(diag.Pointer("").Index(first), "The start is not an instance of the rule, but it counts as the first instance unless EXDATE excludes it; move it to an instance of the rule, or change the rule.")
	}
}

func checkExdateMisses(in *input, r diag.Reporter) {
	for k, i := range in.found.misses {
		missed, advice := in.found.missed[k], "compare its zone and time with the start's"
		if missed.Form == Date {
			advice = "correct the date, or remove it"
		}
		r.OldSayf(diag.Pointer("").Index(i), diag.Data{Value: missed.String()}, "EXDATE %s matches no instance and excludes nothing; %s.", missed, advice)
	}
}
