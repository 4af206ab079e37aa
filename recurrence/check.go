package recurrence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
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
	&ruleAmbiguous,
	&rdateBeforeStart,
	&lineRepeated,
	&expansion,
	&expansionGap,
	&expansionBounded,
}

// Rules returns the rules of this package, in the order in which they run.
func Rules() []*diag.Rule { return slices.Clone(rules) }

// What the rules have in common.
const (
	fieldSection = "calendar.md, Event resource, recurrence"
	ruleSection  = "RFC 5545 3.3.10"
)

var reads = []string{"start", "recurrence"}

// weekly is the request of most good examples.
var weekly = sample.Series("RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10")

type check = diag.CheckFunc[*input]

type input struct {
	response bool  // the lines are those of a response
	start    Start // zero if it is not known
	texts    []string
	lines    []line
	found    instances
}

// Check reports every problem of an event's recurrence lines, in their order. start is the zero Start if it is
// missing or not readable; the rules that need it are then not checked. base is the path of the
// array. The rules about the instances of a set apply only if no line is rejected. Without a report,
// Check reports nothing.
//
// Check returns whether the set is empty, that is, has no instance, and the indexes of the EXDATE lines
// with a value that matches none, unless the set is empty. They are false and nil if a line is rejected or the start is not
// known.
func Check(on diag.When, lines []string, start Start, report *diag.Report, base diag.Pointer) (empty bool, misses []int) {
	if len(lines) == 0 {
		return false, nil
	}
	if isUsual(on, lines, start) {
		return false, nil
	}
	in := judge(on, lines, start)
	in.expand(on)
	if report != nil {
		before := len(report.Findings)
		diag.Run(rules, on, in, report, base)
		sortFindings(report.Findings[before:])
	}
	return in.found.empty, in.found.misses
}

// sortFindings sorts findings by path: the array first, then its elements by index.
func sortFindings(found diag.Findings) {
	slices.SortStableFunc(found, func(a, b diag.Finding) int {
		return cmp.Or(len(a.Path)-len(b.Path), strings.Compare(string(a.Path), string(b.Path)))
	})
}

// judge reads the lines and judges them.
func judge(on diag.When, texts []string, start Start) *input {
	in := &input{response: on == diag.Response, texts: texts, lines: make([]line, len(texts))}
	if start.inRange() {
		in.start = start
	}
	for i := range texts {
		l := &in.lines[i]
		l.parse(texts[i])
		if !in.response { // only the names are checked
			l.judge(in.start)
		}
	}
	return in
}

// expand finds out about the instances, unless a line is rejected.
func (in *input) expand(on diag.When) {
	isRejected := func(l line) bool { return l.faults.rejected }
	if !in.response && !in.start.IsZero() && on.Has(diag.Write) && !slices.ContainsFunc(in.lines, isRejected) {
		in.found = findInstances(in.lines, in.start)
	}
}
