package recurrence

import (
	"fmt"
	"strings"
)

// SyntaxError is one place where a line does not follow the grammar of RFC 5545, or holds a
// value that its grammar does not allow.
type SyntaxError struct {
	Line    int    // the index of the line
	Offset  int    // in bytes from the start of the line, or -1 where the line as a whole is meant
	Rule    string // the id of the rule of the catalogue that says so
	Message string // a sentence for people, without the position
}

// Error gives the position and the message.
func (e *SyntaxError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Message)
	}
	return fmt.Sprintf("line %d, byte %d: %s", e.Line, e.Offset, e.Message)
}

// SyntaxErrors are all that [Parse] found, in the order of the lines. [errors.As] reaches
// each as a [*SyntaxError].
type SyntaxErrors []*SyntaxError

// Error gives the errors, a line each.
func (e SyntaxErrors) Error() string {
	var b strings.Builder
	for i, one := range e {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(one.Error())
	}
	return b.String()
}

// Unwrap returns the errors one by one.
func (e SyntaxErrors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// Parse reads the lines of an event's recurrence field, such as
// "RRULE:FREQ=WEEKLY;BYDAY=MO". Names are matched without regard to case (RFC 5545 section
// 2). It reads grammar only: what the parts say together, and beside a start, is for
// [Compile] and [Check]. The error is nil or [SyntaxErrors] with everything found, though
// not more than a few dozen a line; the set then is nil. No lines are an empty set.
func Parse(lines []string) (*Set, error) {
	set := &Set{}
	var errs SyntaxErrors
	for i, text := range lines {
		var l line
		l.parse(text)
		for _, f := range l.faults.list {
			if !f.advice {
				errs = append(errs, &SyntaxError{Line: i, Offset: f.offset, Rule: f.rule.ID, Message: f.message})
			}
		}
		set.add(&l)
	}
	if errs != nil {
		return nil, errs
	}
	return set, nil
}

func (s *Set) add(l *line) {
	switch l.kind {
	case rruleLine:
		s.Rules = append(s.Rules, l.rule)
	case exruleLine:
		s.ExRules = append(s.ExRules, l.rule)
	case rdateLine:
		s.RDates = append(s.RDates, l.dates)
	case exdateLine:
		s.ExDates = append(s.ExDates, l.dates)
	}
}

// lineKind is the property that a line gives.
type lineKind uint8

const (
	otherLine lineKind = iota
	rruleLine
	exruleLine
	rdateLine
	exdateLine
	dtLine // DTSTART or DTEND
)

var lineKinds = [...]struct {
	name string
	kind lineKind
}{
	{"RRULE", rruleLine},
	{"EXRULE", exruleLine},
	{"RDATE", rdateLine},
	{"EXDATE", exdateLine},
	{"DTSTART", dtLine},
	{"DTEND", dtLine},
}

func (k lineKind) isRule() bool { return k == rruleLine || k == exruleLine }

// line is one line as it was read. Its rule or its dates are nil where nothing could be
// made of them, and hold what could be read where it has faults.
type line struct {
	kind   lineKind
	rule   *Rule
	parts  partSet // the parts that the rule names, readable or not
	dates  *Dates
	faults faults
}

// parse reads a content line (RFC 5545 section 3.1) that is not folded.
func (l *line) parse(s string) {
	n := tokenLen(s)
	if !l.name(s, n) {
		return
	}
	if i := controlIndex(s); i >= 0 {
		l.faults.refuse(&lineSyntax, i, "%s", controlMessage(s[i:]))
		return
	}
	if last := s[len(s)-1]; last == ' ' || last == '\t' {
		l.faults.refuse(&lineSyntax, len(s)-1, "The line ends with a blank; remove it.")
		return
	}
	at, p, ok := l.params(s, n)
	if !ok {
		return
	}
	if at == len(s) {
		l.faults.refuse(&lineSyntax, at, "The line has no value after its colon; give one or leave the line out.")
		return
	}
	if l.kind.isRule() {
		l.parseRule(s, at)
		return
	}
	l.parseDates(s, at, p)
}

// name reads the property name, which takes n bytes, and reports whether the line is one
// that goes on.
func (l *line) name(s string, n int) bool {
	switch {
	case s == "":
		l.faults.refuse(&lineSyntax, 0, "The line is empty; remove it.")
		return false
	case n == 0:
		l.faults.refuse(&lineSyntax, 0, "The line begins with %s and not with a property name; write it as RRULE:FREQ=DAILY.", quoted(s[:1]))
		return false
	}
	for _, k := range lineKinds {
		if strings.EqualFold(s[:n], k.name) {
			l.kind = k.kind
		}
	}
	switch {
	case l.kind == otherLine:
		l.faults.refuse(&lineName, 0, "The line begins with %s; each line is an RRULE, EXRULE, RDATE or EXDATE line.", quoted(s[:n]))
		return false
	case l.kind == dtLine:
		l.faults.refuse(&lineDTStart, 0, "%s is not allowed here; the event's own start and end say it.", strings.ToUpper(s[:n]))
		return false
	case n == len(s):
		l.faults.refuse(&lineSyntax, n, "The line ends after its name; a colon and a value follow it.")
		return false
	}
	return true
}

// params are the parameters of a line that this package reads.
type params struct {
	tzid, value         string
	hasTZID, hasValue   bool
	tzidOffset, valueAt int
}

// params reads the parameters and the colon; at is where the value begins.
func (l *line) params(s string, i int) (at int, p params, ok bool) {
	for i < len(s) && s[i] == ';' {
		name := i + 1
		n := tokenLen(s[name:])
		i = name + n
		if n == 0 || i == len(s) || s[i] != '=' {
			l.faults.refuse(&lineSyntax, name, "A parameter does not have the form NAME=value; correct it.")
			return 0, p, false
		}
		text, end, ok := paramValue(s, i+1)
		if !ok {
			l.faults.refuse(&lineSyntax, i+1, "The value of parameter %s has a quote that is not closed or stands in the middle.", quoted(s[name:i]))
			return 0, p, false
		}
		if !l.param(&p, s[name:i], text, name) {
			return 0, p, false
		}
		i = end
	}
	if i == len(s) || s[i] != ':' {
		l.faults.refuse(&lineSyntax, i, "A colon is missing between the name with its parameters and the value.")
		return 0, p, false
	}
	return i + 1, p, true
}

// param takes one parameter. Those that RFC 5545 does not give to the property are either
// extensions, which anyone may add, or wrong here.
func (l *line) param(p *params, name, text string, at int) bool {
	isTZID, isValue := strings.EqualFold(name, "TZID"), strings.EqualFold(name, "VALUE")
	switch {
	case !isTZID && !isValue:
		return true
	case l.kind.isRule():
		l.faults.refuse(&lineSyntax, at, "A rule takes no %s; it is read in the zone of the event's start.", strings.ToUpper(name))
		return true
	case isTZID && p.hasTZID || isValue && p.hasValue:
		l.faults.refuse(&lineSyntax, at, "The parameter %s is given twice; give it once.", strings.ToUpper(name))
		return false
	case isTZID:
		p.tzid, p.hasTZID, p.tzidOffset = text, true, at
	default:
		p.value, p.hasValue, p.valueAt = text, true, at
	}
	return true
}

// paramValue reads one or more parameter values with commas between, from i on. It gives
// them as text without the quotes of a single one.
func paramValue(s string, i int) (text string, end int, ok bool) {
	begin := i
	for {
		if i < len(s) && s[i] == '"' {
			n := strings.IndexByte(s[i+1:], '"')
			if n < 0 {
				return "", i, false
			}
			i += n + 2
		} else {
			for i < len(s) && s[i] != '"' && s[i] != ';' && s[i] != ':' && s[i] != ',' {
				i++
			}
		}
		if i == len(s) || s[i] != ',' {
			break
		}
		i++
	}
	if i < len(s) && s[i] == '"' {
		return "", i, false
	}
	text = s[begin:i]
	if strings.HasPrefix(text, `"`) && strings.IndexByte(text[1:], '"') == len(text)-2 {
		text = text[1 : len(text)-1]
	}
	return text, i, true
}

// tokenLen returns how many bytes of s from its start can stand in a name: letters, digits
// and hyphens (iana-token, RFC 5545 section 3.1).
func tokenLen(s string) int {
	for i := range len(s) {
		c := s[i]
		if letter := c | 0x20; letter-'a' > 25 && c-'0' > 9 && c != '-' {
			return i
		}
	}
	return len(s)
}

// controlIndex returns where the first control character other than a tab stands, or -1.
func controlIndex(s string) int {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return i
		}
	}
	return -1
}

func controlMessage(s string) string {
	switch {
	case strings.HasPrefix(s, "\r\n ") || strings.HasPrefix(s, "\r\n\t") || strings.HasPrefix(s, "\n ") || strings.HasPrefix(s, "\n\t"):
		return "The line is folded; join it to one line."
	case s[0] == '\r' || s[0] == '\n':
		return "The line holds a line break; each line is an element of its own, without one."
	}
	return fmt.Sprintf("The line holds the control character U+%04X; remove it.", s[0])
}
