package recurrence

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/linecheck"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

// lineRules are the rules that can reject a line, and others about the same parts, in the order in which they run.
var lineRules = []*diag.Rule{
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
	&datesZone,
	&datesStartForm,
}

// rules are the rules of this package, in the order in which they run. The rules about the instances come after the
// rules that can reject a line.
var rules = slices.Concat(lineRules, []*diag.Rule{
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
})

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

// CheckLines reports every problem of the recurrence lines of a new event, with the index of the line as the path, such
// as "/0", and advice about what they mean with the start. The rules that need a start do not apply for the zero Start.
// The advice about a start in a fixed offset, see [StartTime], has the path "".
func CheckLines(lines []string, start Start) diag.Findings {
	var report diag.Report
	checkFixedOffset(start, report.For(&expansion, ""))
	checkLines(linecheck.Lines{Texts: lines, Start: &start}, diag.Insert, &report, "")
	return report.Findings
}

func init() { linecheck.Check = checkLines }

// checkLines implements [linecheck.Check].
func checkLines(l linecheck.Lines, on diag.When, report *diag.Report, base diag.Pointer) (empty bool, misses []int) {
	if len(l.Texts) == 0 {
		return false, nil
	}
	in := inputs.Get().(*input)
	defer in.release()
	in.read(on, l)
	before := 0
	if report != nil {
		before = len(report.Findings)
	}
	engine.Run(rules, on, in, report, base)
	if report != nil {
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

// input is what the rules check.
type input struct {
	response bool  // the lines come from a response, so only their names are read
	stored   bool  // see [linecheck.Lines]
	start    Start // zero if it is not known
	lines    []line
	found    instances // see [input.instances]
	expanded bool

	// What the checks use while they run. The memory is used again.
	set                     Set
	series                  Series
	budget, search, periods expand.Budget
	first                   map[string]int // the first line with a text
}

var inputs = sync.Pool{New: func() any { return &input{first: map[string]int{}} }}

// read reads the lines.
func (in *input) read(on diag.When, l linecheck.Lines) {
	in.response, in.stored = on == diag.Response, l.Stored
	if start, ok := l.Start.(*Start); ok && start.inRange() {
		in.start = *start
	}
	in.lines = slices.Grow(in.lines, len(l.Texts))[:len(l.Texts)]
	zone := in.start.knownZone()
	for i, text := range l.Texts {
		in.lines[i].zone = zone
		if in.response {
			in.lines[i].parseName(text)
		} else {
			in.lines[i].parse(text)
		}
	}
}

// release gives the input back, without anything from the request. It keeps no memory that only unusual lines need.
func (in *input) release() {
	const usual = 16     // lines
	const size = 1 << 12 // bytes
	n := 0
	for i := range in.lines {
		n += len(in.lines[i].text)
		in.lines[i].clear()
	}
	if len(in.lines) > usual || n > size {
		return
	}
	clear(in.first)
	in.lines, in.found, in.start, in.expanded = in.lines[:0], instances{}, Start{}, false
	inputs.Put(in)
}
