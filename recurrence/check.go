package recurrence

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

// lineRules lists the rules that can reject a line, and related rules about the same parts, in the order in which they run.
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

// rules lists the rules of this package in the order in which they run. The rules about instances come after the rules
// that can reject a line.
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

// Rules returns the rules of this package in the order in which they run.
func Rules() []*diag.Rule { return slices.Clone(rules) }

// Fields shared by several rules.
const (
	fieldSection = "calendar.md, Event resource, recurrence"
	ruleSection  = "RFC 5545 3.3.10"
)

var reads = []string{"start", "recurrence"}

// weekly is the request in most of the rules' good examples.
var weekly = sample.Series{"RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10"}

type check = func(*input, engine.Reporter)

// Lines contains the recurrence lines of an event and the other data that the recurrence rules depend on.
type Lines struct {
	Texts []string

	// Start is the start of the series. If Start is zero, the rules that need a start do not apply.
	Start Start

	// On is the operation that sends the lines, or [diag.Response]. If On is 0, the lines are checked as in an insert,
	// and [Lines.Check] also advises against a start with a fixed offset (see [StartTime]).
	On diag.When

	Dialect diag.Dialect
	Stored  bool // the lines may already be stored, so they are not rejected for having no instances
}

// A Checked is the result of [Lines.Check].
type Checked struct {
	// Findings lists the problems in the lines, and advice about their meaning with the given start. A finding's path is the index
	// of a line, such as "/0", or "" if the finding is about all lines or the start. Findings contains at most 1,001 findings.
	Findings diag.Findings

	// Empty reports whether the series has no instances. Unmatched lists the indexes of the EXDATE lines with a value that matches
	// no instance, unless the series is empty. Neither Empty nor Unmatched is set if a line is rejected or there is no start.
	Empty     bool
	Unmatched []int
}

// Check checks the lines against the rules. Check applies the rules about instances only if no line is rejected.
func (l Lines) Check() Checked {
	in := inputs.Get().(*input)
	defer in.release()
	in.out = engine.Part(l.Dialect)
	on := l.On
	if on == 0 {
		on = diag.Insert
		checkFixedOffset(l.Start, in.out.For(&expansion, ""))
	}
	if len(l.Texts) > 0 {
		in.read(on, l)
		engine.Run(rules, on, in, &in.out, "")
	}
	sortFindings(in.out.Findings)
	return Checked{in.out.Findings, in.found.empty, in.found.misses}
}

// sortFindings sorts findings by path: findings about the array come first, followed by findings about array elements in order
// of index.
func sortFindings(found diag.Findings) {
	slices.SortStableFunc(found, func(a, b diag.Finding) int {
		return cmp.Or(len(a.Path)-len(b.Path), strings.Compare(string(a.Path), string(b.Path)))
	})
}

// input is the input to the rules.
type input struct {
	response bool  // the lines come from a response, so only their names are checked
	stored   bool  // see [Lines]
	start    Start // zero if unknown
	lines    []line
	found    instances // see [input.instances]
	expanded bool

	// Scratch memory that later checks reuse.
	set                     Set
	series                  Series
	budget, search, periods expand.Budget
	first                   map[string]int // maps each distinct line to the index of its first occurrence
	out                     engine.Collector
}

var inputs = sync.Pool{New: func() any { return &input{first: map[string]int{}} }}

// read parses the lines into in.
func (in *input) read(on diag.When, l Lines) {
	in.response, in.stored = on == diag.Response, l.Stored
	if l.Start.inRange() {
		in.start = l.Start
	}
	in.lines = slices.Grow(in.lines, len(l.Texts))[:len(l.Texts)]
	zone := in.start.knownZone()
	for i, text := range l.Texts {
		in.lines[i].zone, in.lines[i].dialect = zone, l.Dialect
		if in.response {
			in.lines[i].parseName(text)
		} else {
			in.lines[i].parse(text)
		}
	}
}

// release clears the input and returns it to the pool, or discards an input that unusually long or numerous lines have made
// large.
func (in *input) release() {
	const usual = 64     // lines
	const size = 1 << 12 // the usual maximum length of all lines, in bytes
	n := 0
	for i := range in.lines {
		n += len(in.lines[i].text)
		in.lines[i].clear()
	}
	if len(in.lines) > usual || n > size {
		return
	}
	clear(in.first)
	in.lines, in.found, in.start, in.expanded, in.out = in.lines[:0], instances{}, Start{}, false, engine.Collector{}
	inputs.Put(in)
}

// fixedOffset is the advice that [Lines.Check] reports if no operation is set. Checks of events never report this advice,
// because the start of an event has a zone.
var fixedOffset = diag.Sentences{
	{Key: "fixed", Text: "The start has the fixed offset {seen}, so the instances keep that offset when clocks change. Send the start in the zone of the event."},
}

// checkFixedOffset advises against a start with an offset instead of a known zone.
func checkFixedOffset(start Start, r engine.Reporter) {
	if !start.isTimed() || start.zone.Location == time.UTC || start.zone.IsEmbedded() {
		return
	}
	at := start.Time()
	if begin, end := at.ZoneBounds(); begin.IsZero() && end.IsZero() {
		r.WithKind(diag.Advise).WithSentences(fixedOffset).Report("", "fixed", diag.Plain("seen", at.Format("-07:00")))
	}
}
