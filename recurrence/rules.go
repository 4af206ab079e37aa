package recurrence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
)

// rules are the rules of this package, in the order in which they run.
var rules = []*diag.Rule{
	&lineName,
	&lineDTStart,
	&lineSyntax,
	&rulePart,
	&ruleCountUntil,
	&ruleUntilForm,
	&ruleByPart,
	&ruleTimePart,
	&exruleDeprecated,
	&datesForm,
	&datesStartForm,
	&noInstance,
	&startNotInRule,
	&exdateMisses,
	&subDaily,
	&expansion,
	&expansionGap,
	&expansionBounded,
}

// Rules returns the rules of this package, in the order in which they run.
func Rules() []*diag.Rule { return slices.Clone(rules) }

// check is the type of the functions that check the rules.
type check = diag.CheckFunc[*input]

// reads are the members that the rules read.
var reads = []string{"start", "recurrence"}

// checkBudget is how many steps the rules that expand take together for one request, so
// that hostile lines cost milliseconds. Where it does not suffice these rules stay silent.
const checkBudget = 1 << 17

// Check reports on the lines of an event's recurrence, in their order. Where the start of
// the event is missing or unreadable start is nil, and the rules that need it stay silent.
// Findings are at base, which is the place of the array, and at its elements.
//
// No fault is reported by two rules, and none follows from another: the rules about what a
// set expands to speak only where no line is refused.
func Check(on diag.When, lines []string, start *Start, report *diag.Report, base diag.Pointer) {
	if len(lines) == 0 {
		return
	}
	if start != nil && !start.inRange() {
		start = nil
	}
	before := len(report.Findings)
	diag.Run(rules, on, newInput(on, lines, start), report, base)
	sortFindings(report.Findings[before:], base)
}

// sortFindings puts findings in the order of the places that they are about: the array
// first, then its elements.
func sortFindings(found diag.Findings, base diag.Pointer) {
	if len(found) < 2 {
		return
	}
	index := func(f diag.Finding) int {
		i, err := strconv.Atoi(strings.TrimPrefix(string(f.Path), string(base)+"/"))
		if err != nil {
			return -1
		}
		return i
	}
	slices.SortStableFunc(found, func(a, b diag.Finding) int { return index(a) - index(b) })
}

// input is what the rules look at.
type input struct {
	response bool // the lines are those of a response
	lines    []line
	series   *Series // nil where a line is refused or the start is not known
	budget   budget
}

func newInput(on diag.When, texts []string, start *Start) *input {
	in := &input{response: on == diag.Response, lines: make([]line, len(texts)), budget: budget{left: checkBudget}}
	refused := false
	for i := range texts {
		l := &in.lines[i]
		l.parse(texts[i])
		if in.response { // where only names count
			continue
		}
		l.judge(start)
		refused = refused || l.faults.rejected
	}
	if refused || start == nil || !on.Has(diag.Write) {
		return in
	}
	var set Set
	for i := range in.lines {
		set.add(&in.lines[i])
	}
	in.series = newSeries(&set, *start)
	return in
}

// reportFaults reports the faults of the lines under the rule that they break.
func reportFaults(in *input, r diag.Reporter) {
	for i := range in.lines {
		reportLine(in.lines[i].faults.list, i, r.Rule(), r)
	}
}

// reportLine reports those faults of line i that break the rule, under the reporter's.
func reportLine(list []fault, i int, rule *diag.Rule, r diag.Reporter) {
	for k := range list {
		f := &list[k]
		if f.rule != rule {
			continue
		}
		kind := diag.Reject
		if f.advice {
			kind = diag.Advise
		}
		if f.offset <= 0 {
			r.As(kind, diag.Pointer("").Index(i), "%s", f.message)
		} else {
			r.As(kind, diag.Pointer("").Index(i), "At byte %d: %s", f.offset, f.message)
		}
	}
}

// checkLineName also reports, in a response, the lines whose names the rules about DTSTART and
// about syntax report in a request: they do not apply to responses.
func checkLineName(in *input, r diag.Reporter) {
	for i := range in.lines {
		l := &in.lines[i]
		reportLine(l.faults.list, i, r.Rule(), r)
		if !in.response {
			continue
		}
		reportLine(l.faults.list, i, &lineDTStart, r)
		if l.kind == otherLine {
			reportLine(l.faults.list, i, &lineSyntax, r)
		}
	}
}

func checkNoInstance(in *input, r diag.Reporter) {
	if in.series == nil || in.series.contains(in.series.start.unix, &in.budget) {
		return
	}
	if _, ok := in.series.merge(lowest, highest, &in.budget).next(); ok || in.budget.over() {
		return
	}
	if in.series.starts {
		r.Report("", "EXDATE or EXRULE takes out every instance, the start included; leave one.")
		return
	}
	r.Report("", "UNTIL lies before the start, so there is no instance; move it, or leave the recurrence out.")
}

func checkStartNotInRule(in *input, r diag.Reporter) {
	if in.series == nil || len(in.series.rules) == 0 {
		return
	}
	if in.series.rulesGiveStart(&in.budget) {
		return
	}
	first := slices.IndexFunc(in.lines, func(l line) bool { return l.kind == rruleLine })
	r.Report(diag.Pointer("").Index(first), "The start is not an instance of the rule. It counts as the first instance all the same, beside those that the rule gives; move it to one of them.")
}

// rulesGiveStart reports whether a rule matches the start, or the budget does not suffice to
// say that none does.
func (s *Series) rulesGiveStart(b *budget) bool {
	for _, p := range s.rules {
		if p.matchesClock(p.first, b) || b.over() {
			return true
		}
	}
	return false
}

func checkExdateMisses(in *input, r diag.Reporter) {
	if in.series == nil {
		return
	}
	bare := in.series.withoutExDates()
	for i := range in.lines {
		l := &in.lines[i]
		if l.kind != exdateLine {
			continue
		}
		v, misses := bare.firstMiss(l.dates, &in.budget)
		if in.budget.over() {
			return
		}
		if misses {
			r.Report(diag.Pointer("").Index(i), "EXDATE %s matches no instance and takes nothing out; compare its zone and time with the start's.", v)
		}
	}
}
