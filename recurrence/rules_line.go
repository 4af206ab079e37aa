package recurrence

import (
	"fmt"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
)

// The rules about content lines: their names, parameters and colons.

var lineName = diag.Rule{
	ID: "recurrence.line.name", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each line is an RRULE, EXRULE, RDATE or EXDATE line.",
	Section: fieldSection,
	Why:     "A rule without RRULE: in front, or another property of an iCalendar file, is not a line of this field, and the event would not recur.",
	Good:    weekly,
	Bad:     sample.Series("FREQ=WEEKLY;BYDAY=TU;COUNT=10"),
	Says: diag.Sentences{
		{Key: "other", Text: "The line begins with {name}; use only RRULE, EXRULE, RDATE and EXDATE lines."},
		{Key: "bare-rule", Text: "The line is a rule without RRULE: in front. Write {suggestion}."},
		emptyLine, noName, notAllowed,
	},
	Check: check(checkLineName),
}

var lineDTStart = diag.Rule{
	ID: "recurrence.line.dtstart", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: reads,
	Summary: "DTSTART and DTEND lines are not allowed.",
	Section: fieldSection,
	Why:     "The members start and end give the first instance. A second statement could differ from them.",
	Good:    weekly,
	Bad:     sample.Series("DTSTART;TZID=America/New_York:20260310T090000", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10"),
	Says:    diag.Sentences{notAllowed},
	Check:   check(checkFaults),
}

var lineSyntax = diag.Rule{
	ID: "recurrence.line.syntax", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each line follows the grammar of RFC 5545: name, parameters, colon and value, without folding and line breaks.",
	Section: "RFC 5545 3.1",
	Why:     "Lines copied from an iCalendar file are often folded or end with CR LF. Each element of the array is one unfolded line.",
	Good:    weekly,
	Bad:     sample.Series(`RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10\r\n`),
	Says: diag.Sentences{
		emptyLine, noName,
		placed("no-colon", "The line ends after its name; add a colon and a value."),
		placed("no-value", "The line has no value after its colon; add one or remove the line."),
		placed("folded", "The line is folded; unfold it."),
		placed("line-break", "The line contains a line break; send each line as a separate element."),
		placed("control", "The line contains the control character {character}; remove it."),
		placed("blank", "The line ends with a blank; remove it."),
		placed("parameter", "A parameter does not have the form NAME=value; correct it."),
		placed("quote", "The value of parameter {name} has a quote that is not closed or not at its beginning; correct it."),
		placed("after-parameters", "There is no colon between the name with its parameters and the value; add it."),
		placed("parameter-twice", "The parameter {name} appears twice; keep one."),
		placed("rule-value", "VALUE={type} is not the value type of a rule; write RECUR, or remove the parameter."),
		placed("rule-zone", "A rule has no TZID parameter, since it is expanded in the zone of the event's start; remove it."),
		placed("no-part", "A rule part is empty; write a semicolon only between two parts."),
		placed("part", "{part} is not a rule part; write a part as NAME=value."),
		placed("part-value", "The rule part {part} has no value; write a part as NAME=value."),
	},
	Check: check(checkFaults),
}

// What is wrong with the name of a line. In a response, [lineName] says it all.
var (
	emptyLine  = diag.Sentence{Key: "empty", Text: "The line is empty; remove it."}
	noName     = diag.Sentence{Key: "no-name", Text: "The line begins with {character} instead of a property name; write, for example, RRULE:FREQ=DAILY."}
	notAllowed = diag.Sentence{Key: "not-allowed", Text: "{name} is not allowed here; use the event's start and end."}
)

// checkLineName reports, for a response, also the lines whose names break the rules about
// DTSTART and about syntax, since those rules do not apply to responses.
func checkLineName(in *input, r engine.Reporter) {
	for i := range in.lines {
		l := &in.lines[i]
		for _, f := range l.faults {
			isOther := f.rule == &lineDTStart || f.rule == &lineSyntax && l.kind == otherLine
			if f.rule == r.Rule() || in.response && isOther {
				in.report(r, i, f.key, f.args...)
			}
		}
	}
}

// parseName reads the name, and returns its length, or 0 if the line cannot go on.
func (l *line) parseName(s string) int {
	n := tokenLength(s)
	l.text, l.kind = s, lineKind(max(indexFold(lineNames[:], s[:n]), 0))
	switch {
	case s == "":
		l.reject(&lineSyntax, 0, "empty")
	case n == 0:
		l.reject(&lineSyntax, 0, "no-name", diag.Value("character", s[:1]))
	case l.kind == otherLine && n < len(s) && s[n] == '=' && partOf(s[:n]) != partOther:
		l.reject(&lineName, 0, "bare-rule", diag.Value("suggestion", "RRULE:"+s))
	case l.kind == otherLine:
		l.reject(&lineName, 0, "other", diag.Value("name", s[:n]))
	case l.kind >= dtstartLine:
		l.reject(&lineDTStart, 0, "not-allowed", wording.Text("name", lineNames[l.kind]))
	case n == len(s):
		l.reject(&lineSyntax, n, "no-colon")
	default:
		return n
	}
	return 0
}

// checkEnds rejects line breaks, other control characters, and a blank at the end.
func (l *line) checkEnds(s string) bool {
	for i := controlFreeLength(s); i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			l.rejectControl(i)
			return false
		}
	}
	if last := s[len(s)-1]; last == ' ' || last == '\t' {
		l.reject(&lineSyntax, len(s)-1, "blank")
		return false
	}
	return true
}

// controlFreeLength returns the length of a beginning of the text that has no control characters, not even tabs. It
// looks at eight bytes at once, and does not look at the last seven.
func controlFreeLength(s string) int {
	const (
		each  = ^uint64(0) / 0xff // 1 in each byte
		high  = each << 7
		blank = each * ' '
		del   = each * 0x7f
	)
	n := 0
	for ; n+8 <= len(s); n += 8 {
		b := s[n : n+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		isBelowBlank, isDel := (w-blank)&^w, ((w^del)-each)&^(w^del)
		if (isBelowBlank|isDel)&high != 0 {
			break
		}
	}
	return n
}

// rejectControl rejects the control character at byte i, which is often part of a line break.
func (l *line) rejectControl(i int) {
	s := l.text[i:]
	after := strings.TrimPrefix(s, "\r")
	switch {
	case s[0] != '\r' && s[0] != '\n':
		l.reject(&lineSyntax, i, "control", wording.Text("character", fmt.Sprintf("U+%04X", s[0])))
	case strings.HasPrefix(after, "\n ") || strings.HasPrefix(after, "\n\t"):
		l.reject(&lineSyntax, i, "folded")
	default:
		l.reject(&lineSyntax, i, "line-break")
	}
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
			l.reject(&lineSyntax, name, "parameter")
			return 0, p, false
		}
		text, end, ok := paramValue(s, i+1)
		if !ok {
			l.reject(&lineSyntax, i+1, "quote", diag.Value("name", s[name:i]))
			return 0, p, false
		}
		if !l.setParam(&p, s[name:i], text, name) {
			return 0, p, false
		}
		i = end
	}
	if i == len(s) || s[i] != ':' {
		l.reject(&lineSyntax, i, "after-parameters")
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
		l.reject(&lineSyntax, at, "parameter-twice", diag.Plain("name", strings.ToUpper(name)))
		return false
	case l.kind.isRule() && to == &p.value && !equalFold("RECUR", text):
		l.reject(&lineSyntax, at, "rule-value", diag.Value("type", text))
	case l.kind.isRule() && to == &p.tzid:
		l.reject(&lineSyntax, at, "rule-zone")
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
