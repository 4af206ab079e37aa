package recurrence

import (
	"errors"
	"fmt"
	"time"

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

// Error returns the position and the message. In it, lines and bytes are counted from 1.
func (e *SyntaxError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("line %d: %s", e.Line+1, e.Message)
	}
	return fmt.Sprintf("line %d, byte %d: %s", e.Line+1, e.Offset+1, e.Message)
}

// Parse reads the lines of an event's recurrence field, such as "RRULE:FREQ=WEEKLY;BYDAY=MO".
// It checks only the grammar: [Set.Compile] and [Lines.Check] check what the parts mean together and with a
// start. Names are matched without regard to case (RFC 5545 section 2). The error joins a
// [*SyntaxError] for each problem, up to a few dozen per line, and the set is then nil (see
// [errors.Join]). Without lines, the set is empty.
func Parse(lines []string) (*Set, error) {
	set := &Set{}
	var errs []error
	for i, text := range lines {
		var l line
		l.parse(text)
		for _, f := range l.faults {
			if f.kind == diag.Reject {
				errs = append(errs, f.syntaxError(i, text))
			}
		}
		set.add(&l)
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	return set, nil
}

// syntaxError returns a fault of line i as an error.
func (f fault) syntaxError(i int, line string) *SyntaxError {
	said := diag.Finding{Rule: f.rule, Key: f.key, Args: f.arguments(line)}
	return &SyntaxError{Line: i, Offset: f.offset, Rule: f.rule.ID, Message: withoutPlace(said)}
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
	text     string
	kind     lineKind
	rule     *Rule
	parts    partSet // the parts that the rule names, readable or not
	dates    *Dates
	faults   []fault // what cannot be read, in the order of the text
	rejected bool    // by a fault or by a rule

	// The rule and the dates of an earlier text, whose memory can be used again.
	oldRule  *Rule
	oldDates *Dates

	zone string // the name of the zone of the start, or ""; most lines name no other
}

// clear forgets the text, but keeps the memory.
func (l *line) clear() {
	if l.rule != nil {
		l.rule.clear()
		l.oldRule = l.rule
	}
	if l.dates != nil {
		l.dates.clear()
		l.oldDates = l.dates
	}
	l.text, l.kind, l.rule, l.parts, l.dates, l.faults, l.rejected = "", otherLine, nil, 0, nil, nil, false
}

// newRule gives the line an empty rule.
func (l *line) newRule() {
	if l.rule = l.oldRule; l.rule == nil {
		l.rule = new(Rule)
	}
	l.rule.WeekStart = time.Monday
}

// newDates gives the line empty dates.
func (l *line) newDates(zone string) {
	if l.dates = l.oldDates; l.dates == nil {
		l.dates = new(Dates)
	}
	l.dates.TZID = zone
}

// parse reads a content line (RFC 5545 section 3.1) that is not folded.
func (l *line) parse(s string) {
	if n := l.parseName(s); n > 0 && l.checkEnds(s) {
		l.parseAfterName(s, n)
	}
	if l.isFull() {
		l.rule, l.dates, l.oldRule, l.oldDates = nil, nil, nil, nil // what they say together is not of interest
	}
}

func (l *line) parseAfterName(s string, n int) {
	at, p, ok := l.parseParams(s, n)
	switch {
	case !ok:
	case at == len(s):
		l.reject(&lineSyntax, at, "no-value")
	case l.kind.isRule():
		l.parseRule(s, at)
	default:
		l.parseDates(s, at, p)
	}
}

func indexFold(names []string, name string) int {
	for i, n := range names {
		if len(n) == len(name) && equalFold(n, name) {
			return i
		}
	}
	return -1
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
