package recurrence

import (
	"fmt"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// The rules about content lines: their names, parameters and colons.

var lineName = diag.Rule{
	ID: "recurrence.line.name", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each line is an RRULE, EXRULE, RDATE or EXDATE line.",
	Section: fieldSection,
	Why:     "A rule without RRULE: in front, or another property of an iCalendar file, is not a line of this field, and the event would not recur.",
	Good:    weekly,
	Bad:     sample.Series("FREQ=WEEKLY;BYDAY=TU;COUNT=10"),
	Check:   check(checkLineName),
}

var lineDTStart = diag.Rule{
	ID: "recurrence.line.dtstart", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: reads,
	Summary: "DTSTART and DTEND lines are not allowed.",
	Section: fieldSection,
	Why:     "The members start and end give the first instance. A second statement could differ from them.",
	Good:    weekly,
	Bad:     sample.Series("DTSTART;TZID=America/New_York:20260310T090000", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10"),
	Check:   check(checkFaults),
}

var lineSyntax = diag.Rule{
	ID: "recurrence.line.syntax", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each line follows the grammar of RFC 5545: name, parameters, colon and value, without folding and line breaks.",
	Section: "RFC 5545 3.1",
	Why:     "Lines copied from an iCalendar file are often folded or end with CR LF. Each element of the array is one unfolded line.",
	Good:    weekly,
	Bad:     sample.Series(`RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10\r\n`),
	Check:   check(checkFaults),
}

// checkLineName also reports, for a response, the lines whose names break the rules about
// DTSTART and about syntax, since those rules do not apply to responses.
func checkLineName(in *input, r diag.Reporter) {
	for i := range in.lines {
		l := &in.lines[i]
		in.report(i, r.Rule(), r)
		if !in.response {
			continue
		}
		in.report(i, &lineDTStart, r)
		if l.kind == otherLine {
			in.report(i, &lineSyntax, r)
		}
	}
}

// parseName reads the name, which has n bytes, and reports whether the line may go on.
func (l *line) parseName(s string, n int) bool {
	l.kind = lineKind(max(indexFold(lineNames[:], s[:n]), 0))
	switch {
	case s == "":
		l.faults.reject(&lineSyntax, 0, "The line is empty; remove it.")
	case n == 0:
		l.faults.reject(&lineSyntax, 0, "The line begins with %s instead of a property name; write, for example, RRULE:FREQ=DAILY.", quoted(s[:1]))
	case l.kind == otherLine:
		l.faults.reject(&lineName, 0, "The line begins with %s; use only RRULE, EXRULE, RDATE and EXDATE lines.", quoted(s[:n]))
	case l.kind >= dtstartLine:
		l.faults.reject(&lineDTStart, 0, "%s is not allowed here; use the event's start and end.", lineNames[l.kind])
	case n == len(s):
		l.faults.reject(&lineSyntax, n, "The line ends after its name; add a colon and a value.")
	default:
		return true
	}
	return false
}

// checkEnds rejects line breaks, other control characters, and a blank at the end.
func (l *line) checkEnds(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			l.faults.reject(&lineSyntax, i, "%s", controlMessage(s[i:]))
			return false
		}
	}
	if last := s[len(s)-1]; last == ' ' || last == '\t' {
		l.faults.reject(&lineSyntax, len(s)-1, "The line ends with a blank; remove it.")
		return false
	}
	return true
}

func controlMessage(s string) string {
	if s[0] != '\r' && s[0] != '\n' {
		return fmt.Sprintf("The line contains the control character U+%04X; remove it.", s[0])
	}
	if after := strings.TrimPrefix(s, "\r"); strings.HasPrefix(after, "\n ") || strings.HasPrefix(after, "\n\t") {
		return "The line is folded; unfold it."
	}
	return "The line contains a line break; make each line an element of its own, without one."
}

type param struct {
	text   string
	offset int
	given  bool
}

type params struct{ tzid, value param }

// parseParams reads the parameters, from byte i on, and the colon. The value begins at at.
func (l *line) parseParams(s string, i int) (at int, p params, ok bool) {
	for i < len(s) && s[i] == ';' {
		name := i + 1
		n := tokenLength(s[name:])
		i = name + n
		if n == 0 || i == len(s) || s[i] != '=' {
			l.faults.reject(&lineSyntax, name, "A parameter does not have the form NAME=value; correct it.")
			return 0, p, false
		}
		text, end, ok := paramValue(s, i+1)
		if !ok {
			l.faults.reject(&lineSyntax, i+1, "The value of parameter %s has a quote that is not closed or not at its beginning; correct it.", quoted(s[name:i]))
			return 0, p, false
		}
		if !l.setParam(&p, s[name:i], text, name) {
			return 0, p, false
		}
		i = end
	}
	if i == len(s) || s[i] != ':' {
		l.faults.reject(&lineSyntax, i, "There is no colon between the name with its parameters and the value; add it.")
		return 0, p, false
	}
	return i + 1, p, true
}

// setParam sets one parameter. Any line may have parameters that this package does not read.
func (l *line) setParam(p *params, name, text string, at int) bool {
	to := &p.tzid
	switch {
	case equalFold("TZID", name):
	case equalFold("VALUE", name):
		to = &p.value
	default:
		return true
	}
	switch {
	case to.given:
		l.faults.reject(&lineSyntax, at, "The parameter %s appears twice; keep one.", strings.ToUpper(name))
		return false
	case l.kind.isRule() && to == &p.value && !equalFold("RECUR", text):
		l.faults.reject(&lineSyntax, at, "VALUE=%s is not the value type of a rule; write RECUR, or remove the parameter.", quoted(text))
	case l.kind.isRule() && to == &p.tzid:
		l.faults.reject(&lineSyntax, at, "A rule has no TZID parameter, since it is expanded in the zone of the event's start; remove it.")
	}
	*to = param{text, at, true}
	return true
}

// paramValue reads one or more parameter values with commas between them, from byte i on. It
// removes the quotes of a single value.
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

// tokenLength returns the length of the name that s begins with: letters, digits and hyphens
// (iana-token, RFC 5545 section 3.1).
func tokenLength(s string) int {
	for i := range len(s) {
		c := s[i]
		if letter := c | 0x20; letter-'a' > 25 && c-'0' > 9 && c != '-' {
			return i
		}
	}
	return len(s)
}
