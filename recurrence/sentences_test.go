package recurrence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
		{"RRULE:FREQ=YEARLY;BYMONTH=March", `At character 27: RFC 5545 has no BYMONTH="March"; write BYMONTH=3.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=May be", `At character 27: BYMONTH="May be" is not a number; write it with digits only.`},
		{"RRULE:FREQ=WEEKLY;BYWEEKDAY=MO", `At character 19: RFC 5545 has no BYWEEKDAY="MO"; write BYDAY=MO.`},
		{"RRULE:FREQ=WEEKLY;BYDAY=MO;TU", `At character 28: "TU" is a weekday after a semicolon; write a comma between two weekdays.`},
		{"RRULE:FREQ=DAILY,COUNT=2", `At character 12: RFC 5545 has no FREQ="DAILY,COUNT=2"; write FREQ=DAILY;COUNT=2.`},
		{"RRULE:FREQ=BIWEEKLY", `At character 12: RFC 5545 has no FREQ="BIWEEKLY"; write FREQ=WEEKLY;INTERVAL=2.`},
		{"RRULE:FREQ=WEEKLY;BYDAY=MON", `At character 25: RFC 5545 has no BYDAY="MON"; write BYDAY=MO.`},
		{"RRULE:FREQ=MONTHLY;BYDAY=LAST FR", `At character 26: RFC 5545 has no BYDAY="LAST FR"; write BYDAY=-1FR.`},
		{"RRULE:FREQ=MONTHLY;BYDAY=MO2", `At character 26: RFC 5545 has no BYDAY="MO2"; write BYDAY=2MO.`},
		{"RRULE:FREQ=MONTHLY;BYDAY=MO(+2)", `At character 26: RFC 5545 has no BYDAY="MO(+2)"; write BYDAY=+2MO.`},
		{"RRULE:FREQ=WEEKLY;UNTIL=2026-04-01", `At character 25: RFC 5545 has no UNTIL="2026-04-01"; write UNTIL=20260401.`},
		{"RRULE:FREQ=WEEKLY;UNTIL=2026-04-01T09:00:00+02:00", `At character 25: RFC 5545 has no UNTIL="2026-04-01T09:00:00+02:00"; write UNTIL=20260401T070000Z.`},
		{"RRULE:FREQ=DAILY;BYHOUR=9:30", `At character 25: RFC 5545 has no BYHOUR="9:30"; write BYHOUR=9;BYMINUTE=30.`},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=LAST", `At character 31: RFC 5545 has no BYMONTHDAY="LAST"; write BYMONTHDAY=-1.`},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=1-5", `At character 31: RFC 5545 has no BYMONTHDAY="1-5"; write BYMONTHDAY=1,2,3,4,5.`},
		{"RRULE:FREQ=DAILY;EXDATE=20260311", `At character 18: "EXDATE" is not a part of a rule; write it as a line of its own, without the semicolon before it.`},
		{"RRULE:FREQ=DAILY;TZID=Europe/Berlin", `At character 18: TZID is not a part of a rule; the zone is that of the event's start. Remove it.`},
		{"DTSTART:20260310T090000Z", `DTSTART is not allowed here; use the event's start and end. In Go, Set.Compile takes a start, and Read a text that has one.`},
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

// A rule without RRULE: in front has all its faults told.
func TestBareRule(t *testing.T) {
	found := recurrence.Lines{Texts: []string{"FREQ=WEEKLY;BYWEEKDAY=MO;COUNT=0"}}.Check().Findings
	var keys []string
	for _, f := range found {
		keys = append(keys, f.Rule.ID+" "+f.Key)
	}
	want := []string{"recurrence.line.name bare-rule", "recurrence.rule.part meant", "recurrence.rule.count-until below-1"}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
