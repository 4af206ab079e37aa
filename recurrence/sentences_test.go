package recurrence_test

import (
	"testing"

	"github.com/calrules/calrules/recurrence"
)

// TestSentences has lines, and what is said first about them.
func TestSentences(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"FREQ=WEEKLY", `The line is a rule without RRULE: in front. Write "RRULE:FREQ=WEEKLY".`},
		{"byday=MO;freq=weekly", `The line is a rule without RRULE: in front. Write "RRULE:byday=MO;freq=weekly".`},
		{"X-FOO=1", `The line begins with "X-FOO"; use only RRULE, EXRULE, RDATE and EXDATE lines.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=1,,3", `At character 29: A value in the list of BYMONTH is empty; write a comma only between two values.`},
		{"RRULE:FREQ=MONTHLY;RSCALE=HEBREW", `At character 20: "RSCALE" is a rule part of RFC 7529, which the rules of RFC 5545 do not have; remove it.`},
		{"RRULE:FREQ=MONTHLY;skip=OMIT", `At character 20: "skip" is a rule part of RFC 7529, which the rules of RFC 5545 do not have; remove it.`},
		{"RRULE:FREQ=WEEKLY;BYDAY=MO,", `At character 28: A value in the list of BYDAY is empty; write a comma only between two values.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=", `At character 19: BYMONTH has no value; add one or remove the part.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=March", `At character 27: BYMONTH="March" is not a number; write it with digits only.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=13", `At character 27: BYMONTH="13" is out of range; write 1 to 12.`},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=-32", `At character 31: BYMONTHDAY="-32" is out of range; write 1 to 31 or -31 to -1.`},
		{"RRULE:FREQ=DAILY;INTERVAL=-7", `At character 27: INTERVAL="-7" is below 1; write 1 or more, or remove it.`},
		{"EXDATE;X-Ä=1:20260311", `At character 8: A parameter does not have the form NAME=value; correct it.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", `No RRULE line gives any instance, so the start is left without them; correct the rule, or remove it.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", `The start is not an instance of the rule, but it counts as the first instance unless EXDATE excludes it; move it to an instance of the rule, or change the rule.`},
	} {
		found := recurrence.Lines{Texts: []string{test.line}, Start: allDay}.Check().Findings
		if len(found) == 0 || found[0].Message() != test.want {
			t.Errorf("%s: %v, want %s", test.line, found, test.want)
		}
	}
}
