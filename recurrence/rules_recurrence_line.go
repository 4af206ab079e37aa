package recurrence

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

var lineName = diag.Rule{
	ID: "recurrence.line.name", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each line must be an RRULE, EXRULE, RDATE or EXDATE line.",
	Section: fieldSection,
	Why: "The recurrence field does not accept a rule without the prefix RRULE:, or other iCalendar properties, and the event would " +
		"not recur.",
	Good: weekly,
	Bad:  sample.Series{"FREQ=WEEKLY;BYDAY=TU;COUNT=10"},
	Says: diag.Sentences{
		{Key: "other", Text: "The line begins with {name}. Use only RRULE, EXRULE, RDATE and EXDATE lines."},
		{Key: "bare-rule", Text: "The line is a rule without the prefix RRULE:. Write {suggestion}.", Fix: diag.Proposal{Certain: true}},
		emptyLine, noName, notAllowed,
	},
	Check: check(checkLineName),
}

// Sentences about the name of a line. In a response, [lineName] reports all faults in the name of a line.
var (
	emptyLine  = diag.Sentence{Key: "empty", Text: "The line is empty. Remove it."}
	noName     = diag.Sentence{Key: "no-name", Text: "The line begins with {character} instead of a property name. Write, for example, RRULE:FREQ=DAILY."}
	notAllowed = diag.Sentence{Key: "not-allowed", Text: "{name} is not allowed here. Use the event's start and end. In Go, pass a start to Set.Compile, or pass input with DTSTART to Read."}
)

// checkLineName reports lines with invalid names. In a response, checkLineName also reports the names that break the rules
// about DTSTART and syntax, because these rules do not apply to responses.
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

var lineDTStart = diag.Rule{
	ID: "recurrence.line.dtstart", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: reads,
	Summary: "DTSTART and DTEND lines are not allowed.",
	Section: fieldSection,
	Why:     "The members start and end define the first instance, and a DTSTART or DTEND line could contradict them.",
	Good:    weekly,
	Bad:     sample.Series{"DTSTART;TZID=America/New_York:20260310T090000", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10"},
	Says:    diag.Sentences{notAllowed},
	Check:   check(checkFaults),
}

var lineSyntax = diag.Rule{
	ID: "recurrence.line.syntax", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each line must follow the grammar of RFC 5545: a name, parameters, a colon and a value, without folding or line breaks.",
	Section: "RFC 5545 3.1",
	Why:     "Lines copied from an iCalendar file are often folded or end with CR LF. Each element of the array is one unfolded line.",
	Good:    weekly,
	Bad:     sample.Series{`RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10\r\n`},
	Says: diag.Sentences{
		emptyLine, noName,
		placed("no-colon", "The line ends after the name. Add a colon and a value."),
		placed("colon", "The name {name} must be followed by a colon. Add the colon."),
		placed("no-value", "The line has no value after the colon. Add a value, or remove the line."),
		placed("folded", "The line is folded. Unfold it."),
		placed("line-break", "The line contains a line break. Send each line as a separate element."),
		placed("control", "The line contains the control character {character}. Remove the character."),
		placed("blank", "The line ends with white space. Remove the white space."),
		placed("parameter", "A parameter does not have the form NAME=value. Correct the parameter."),
		placed("quote", "The value of the parameter {name} has a quotation mark that is not closed or not at the beginning. Correct the "+
			"value."),
		placed("after-parameters", "There is no colon before the value, after the name and its parameters. Add the colon."),
		placed("parameter-twice", "The parameter {name} appears twice. Keep one."),
		placed("rule-value", "VALUE={type} is not the value type of a rule. Write RECUR, or remove the parameter."),
		placed("rule-zone", "A rule cannot have a TZID parameter, because rules are expanded in the zone of the event's start. Remove "+
			"the parameter."),
		placed("no-part", "A rule part is empty. Write a semicolon only between two parts."),
		placed("last-semicolon", "The rule ends with a semicolon. Remove the semicolon."),
		placed("part", "{part} is not a rule part. Write a part as NAME=value."),
		placed("blank-in-part", "The rule part {part} contains white space. Write {meant}."),
		placed("comma", "{part} is a value in {list}, not a rule part. Write a comma before it instead of the semicolon."),
		placed("part-value", "The rule part {part} has no value. Write a part as NAME=value."),
	},
	Check: check(checkFaults),
}

var lineRepeated = diag.Rule{
	ID: "recurrence.line.repeated", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: reads,
	Summary: "No line should appear twice.",
	Section: fieldSection,
	Why: "An instance from two lines is still one instance, so the second line adds nothing. Lines are compared as strings: lines with " +
		"the same meaning but a different spelling are not reported.",
	Good:  sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=WEEKLY;COUNT=3"},
	Bad:   sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY;COUNT=3"},
	Says:  diag.Sentences{{Key: "repeated", Text: "The line repeats line {line} and adds nothing. Remove one of the two lines.", Fix: diag.Proposal{Remove: true, Certain: true}}},
	Check: check(checkLineRepeated),
}

func checkLineRepeated(in *input, r engine.Reporter) {
	if in.differInLength() {
		return
	}
	for i := range in.lines {
		l := &in.lines[i]
		k, repeated := in.first[l.text]
		switch {
		case !repeated:
			in.first[l.text] = i
		case !l.rejected:
			in.report(r, i, "repeated", diag.Number("line", k+1))
		}
	}
}

// differInLength reports whether all lines are known to differ in length, which is usual for a few lines.
func (in *input) differInLength() bool {
	var seen uint64
	for i := range in.lines {
		bit := uint64(1) << (len(in.lines[i].text) & 63)
		if seen&bit != 0 {
			return false
		}
		seen |= bit
	}
	return true
}
