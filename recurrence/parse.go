package recurrence

import (
	"errors"
	"fmt"
	"slices"

	"github.com/calrules/calrules/diag"
)

// SyntaxError is one place where a line breaks the grammar of RFC 5545, or has a value that the
// grammar does not allow.
type SyntaxError struct {
	Line    int    // the index of the line
	Offset  int    // in bytes from the start of the line, or -1 for the line as a whole
	Rule    string // the id of the rule that it breaks
	Message string // a sentence for people, without the position
}

// Error returns the position and the message.
func (e *SyntaxError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Message)
	}
	return fmt.Sprintf("line %d, byte %d: %s", e.Line, e.Offset, e.Message)
}

// Parse reads the lines of an event's recurrence field, such as "RRULE:FREQ=WEEKLY;BYDAY=MO".
// It checks only the grammar: [Set.Compile] and [Check] check what the parts mean together and with a
// start. Names are matched without regard to case (RFC 5545 section 2). The error joins a
// [*SyntaxError] for each problem, up to a few dozen per line, and the set is then nil (see
// [errors.Join]). Without lines, the set is empty.
func Parse(lines []string) (*Set, error) {
	set := &Set{}
	var errs []error
	for i, text := range lines {
		var l line
		l.parse(text)
		for _, f := range l.faults.list {
			if f.kind == diag.Reject {
				errs = append(errs, &SyntaxError{Line: i, Offset: f.offset, Rule: f.rule.ID, Message: f.message})
			}
		}
		set.add(&l)
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	return set, nil
}

type lineKind uint8

const (
	otherLine lineKind = iota
	rruleLine
	exruleLine
	rdateLine
	exdateLine
	dtstartLine
	dtendLine
)

var lineNames = [...]string{"", "RRULE", "EXRULE", "RDATE", "EXDATE", "DTSTART", "DTEND"}

func (k lineKind) isRule() bool { return k == rruleLine || k == exruleLine }

// line is one line and what was read of it. Its rule or its dates are nil if the line is not
// readable at all, and incomplete if it has faults.
type line struct {
	kind   lineKind
	rule   *Rule
	parts  partSet // the parts that the rule names, readable or not
	dates  *Dates
	faults faults
}

// parse reads a content line (RFC 5545 section 3.1) that is not folded.
func (l *line) parse(s string) {
	n := tokenLength(s)
	if !l.parseName(s, n) || !l.checkEnds(s) {
		return
	}
	at, p, ok := l.parseParams(s, n)
	switch {
	case !ok:
	case at == len(s):
		l.faults.reject(&lineSyntax, at, "The line has no value after its colon; add one or remove the line.")
	case l.kind.isRule():
		l.parseRule(s, at)
	default:
		l.parseDates(s, at, p)
	}
}

func indexFold(names []string, name string) int {
	return slices.IndexFunc(names, func(n string) bool { return equalFold(n, name) })
}

// equalFold reports whether a text is the name, ignoring case. A name has only hyphens and ASCII capital letters, which
// differ from the small ones in one bit.
func equalFold(name, text string) bool {
	if len(name) != len(text) {
		return false
	}
	for i := range len(name) {
		if text[i] != name[i] && text[i] != name[i]|0x20 {
			return false
		}
	}
	return true
}

// judge adds the faults of a line that was read: in what its parts mean together and, if start
// is known, with it.
func (l *line) judge(start Start) {
	if l.kind == exruleLine {
		l.faults.advise(&exruleDeprecated, whole, "RFC 5545 deprecates EXRULE and many calendars do not read it; use EXDATE.")
	}
	if l.rule != nil {
		l.judgeRule(start)
	}
	if l.dates != nil && !start.IsZero() {
		l.judgeDates(start)
	}
}

// String returns the line in canonical spelling.
func (l *line) String() string {
	name := lineNames[l.kind]
	switch {
	case l.rule != nil:
		return name + ":" + l.rule.String()
	case l.dates != nil:
		return name + l.dates.String()
	}
	return name + ":"
}

// checkFaults reports the faults of the lines that break the reporter's rule.
func checkFaults(in *input, r diag.Reporter) {
	for i := range in.lines {
		in.report(i, r.Rule(), r)
	}
}

// report reports the faults of line i that break a rule, under the reporter's rule.
func (in *input) report(i int, rule *diag.Rule, r diag.Reporter) {
	path, data := diag.Pointer("").Index(i), diag.Data{Value: in.texts[i]}
	for _, f := range in.lines[i].faults.list {
		switch {
		case f.rule != rule:
		case f.offset <= 0:
			r.OldAs(f.kind, path, data, "%s", f.message)
		default:
			r.OldAs(f.kind, path, data, "At byte %d: %s", f.offset, f.message)
		}
	}
}
