package recurrence_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/recurrence"
)

var nineInNewYork = recurrence.StartTime(time.Date(2026, time.March, 10, 9, 0, 0, 0, newYork))

// TestSentences has lines, and what is said first about them.
func TestSentences(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"FREQ=WEEKLY", `The line is a rule without the prefix RRULE:. Write "RRULE:FREQ=WEEKLY".`},
		{"byday=MO;freq=weekly", `The line is a rule without the prefix RRULE:. Write "RRULE:byday=MO;freq=weekly".`},
		{"X-FOO=1", `The line begins with "X-FOO". Use only RRULE, EXRULE, RDATE and EXDATE lines.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=1,,3", `At character 29: A value in the list of BYMONTH is empty. Write a comma only between two values.`},
		{"RRULE:FREQ=MONTHLY;RSCALE=HEBREW", `At character 20: "RSCALE" is a rule part of RFC 7529, not of RFC 5545. Remove the part.`},
		{"RRULE:FREQ=MONTHLY;skip=OMIT", `At character 20: "skip" is a rule part of RFC 7529, not of RFC 5545. Remove the part.`},
		{"RRULE:FREQ=WEEKLY;BYDAY=MO,", `At character 28: A value in the list of BYDAY is empty. Write a comma only between two values.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=", `At character 19: BYMONTH has no value. Add a value, or remove the part.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=March", `At character 27: BYMONTH="March" is not a number. Write 3.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=spring", `At character 27: BYMONTH="spring" is not a number. Write only digits.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=13", `At character 27: BYMONTH="13" is out of range. Write 1 to 12.`},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=-32", `At character 31: BYMONTHDAY="-32" is out of range. Write 1 to 31 or -31 to -1.`},
		{"RRULE:FREQ=DAILY;INTERVAL=-7", `At character 27: INTERVAL="-7" is less than 1. Write 1 or more, or remove the part.`},
		{"EXDATE;X-Ä=1:20260311", `At character 8: A parameter does not have the form NAME=value. Correct the parameter.`},
		{"RRULE:FREQ=DAILY\x00;COUNT=2", `At character 17: The line contains the control character U+0000. Remove the character.`},
		{"RRULE:FREQ=DAILY\r\n", `At character 17: The line contains a line break. Send each line as a separate element.`},
		{"RRULE:FREQ=DAILY\nX", `At character 17: The line contains a line break. Send each line as a separate element.`},
		{"RRULE:FREQ=DAILY\rX", `At character 17: The line contains a line break. Send each line as a separate element.`},
		{"RRULE:FREQ=DAILY\r\n ;COUNT=2", `At character 17: The line is folded. Unfold it.`},
		{"RRULE:FREQ=DAILY\n\t;COUNT=2", `At character 17: The line is folded. Unfold it.`},
		{"RDATE:20260311T130000Z/PT1H", `At character 7: "20260311T130000Z/PT1H" is a period, which requires the parameter VALUE=PERIOD. Add the parameter.`},
		{"EXDATE:20260311T130000Z/PT1H", `At character 8: "20260311T130000Z/PT1H" is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z. Correct the value.`},
		{"RDATE:tomorrow", `At character 7: "tomorrow" is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z. Correct the value.`},
		{"RDATE:20260311T1X0000Z", `At character 7: "20260311T1X0000Z" is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z. Correct the value.`},
		{"RDATE:20260311T13X000Z", `At character 7: "20260311T13X000Z" is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z. Correct the value.`},
		{"RDATE:20260311T1300X0Z", `At character 7: "20260311T1300X0Z" is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z. Correct the value.`},
		{"RDATE:20260311X130000Z", `At character 7: "20260311X130000Z" is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z. Correct the value.`},
		{"RDATE:20260311T250000Z", `At character 7: "20260311T250000Z" has an invalid time of day. Correct the time.`},
		{"RDATE:2026X311", `At character 7: "2026X311" is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z. Correct the value.`},
		{"RDATE:20260001", `At character 7: "20260001" has an invalid date. Correct the date.`},
		{"RDATE:20261301", `At character 7: "20261301" has an invalid date. Correct the date.`},
		{"RDATE:20260300", `At character 7: "20260300" has an invalid date. Correct the date.`},
		{"RDATE:20260229", `At character 7: "20260229" has an invalid date. Correct the date.`},
		{"RDATE;VALUE=PERIOD:20260311T130000Z/20260312", `At character 20: The period "20260311T130000Z/20260312" has neither a DATE-TIME nor a positive DURATION such as PT1H after the slash. Correct the period.`},
		{"RDATE;VALUE=PERIOD:20260311T130000Z/20260312T25", `At character 20: The period "20260311T130000Z/20260312T25" has neither a DATE-TIME nor a positive DURATION such as PT1H after the slash. Correct the period.`},
		{"RDATE;VALUE=PERIOD:20260311T130000Z/20260312T130000", `At character 20: The period "20260311T130000Z/20260312T130000" has a start and an end of different forms. Write both in the same form.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", `No RRULE line has an instance. Correct the rule, or remove it.`},
		{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", `The start is not an instance of the rule, but it counts as the first instance unless EXDATE excludes it. Move the start to an instance of the rule, or change the rule.`},
	} {
		found := recurrence.Lines{Texts: []string{test.line}, Start: allDay}.Check().Findings
		if len(found) == 0 || found[0].Message() != test.want {
			t.Errorf("%s: %v, want %s", test.line, found, test.want)
		}
	}
}

// A repeated line is found wherever the first one is, and however long the lines are.
func TestRepeatedLines(t *testing.T) {
	const short, other = "RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=MONTHLY;COUNT=3"
	long := "EXDATE;TZID=America/New_York:20260311T090000,20260312T090000,20260313T090000"
	for _, lines := range [][]string{{short, other, short}, {long, long}} {
		found := recurrence.Lines{Texts: lines, Start: nineInNewYork}.Check().Findings
		last := found[len(found)-1]
		if want := "The line repeats line 1 and adds nothing. Remove one of the two lines."; last.Message() != want {
			t.Errorf("%s: %v", lines, found)
		}
	}
}

// TestSuggestions has lines, and all that the check of an event that starts at nine in New York says about them.
func TestSuggestions(t *testing.T) {
	for _, test := range []struct {
		line string
		want []string
	}{
		{"RRULE:FREQ=WEEKLY;BYWEEKDAY=MO", []string{
			`At character 19: RFC 5545 has no rule part "BYWEEKDAY". Write BYDAY.`,
		}},
		{"BYWEEKDAY=MON;FREQ=WEEKLY", []string{
			`The line is a rule without the prefix RRULE:. Write "RRULE:BYWEEKDAY=MON;FREQ=WEEKLY".`,
			`At character 1: RFC 5545 has no rule part "BYWEEKDAY". Write BYDAY.`,
			`At character 11: BYDAY="MON" is not a weekday. Write MO.`,
		}},
		{"RRULE:FREQ=WEEKLY;BYDAY=MO;TU;WE", []string{
			`At character 28: "TU" is a value in BYDAY, not a rule part. Write a comma before it instead of the semicolon.`,
			`At character 31: "WE" is a value in BYDAY, not a rule part. Write a comma before it instead of the semicolon.`,
		}},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=1;15", []string{
			`At character 33: "15" is a value in BYMONTHDAY, not a rule part. Write a comma before it instead of the semicolon.`,
		}},
		{"RRULE:FREQ=DAILY,COUNT=2", []string{
			`At character 18: "COUNT=2" is a rule part. Write a semicolon before it.`,
		}},
		{"RRULE:FREQ=WEEKLY;BYDAY=TU,COUNT=2", []string{
			`At character 28: "COUNT=2" is a rule part. Write a semicolon before it.`,
		}},
		{"RRULE:FREQ=WEEKLY;BYDAY=TU COUNT=2", []string{
			`At character 28: "COUNT=2" is a rule part. Write a semicolon before it.`,
		}},
		{"RRULE:FREQ=WEEKLY;COUNT=2,BYDAY=TU", []string{
			`At character 27: "BYDAY=TU" is a rule part. Write a semicolon before it.`,
		}},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=10 COUNT=3", []string{
			`At character 34: "COUNT=3" is a rule part. Write a semicolon before it.`,
		}},
		{"RRULE:FREQ=BIWEEKLY", []string{
			`At character 12: FREQ="BIWEEKLY" is not a frequency. Write WEEKLY;INTERVAL=2.`,
		}},
		{"RRULE:FREQ=ANNUALLY", []string{
			`At character 12: FREQ="ANNUALLY" is not a frequency. Write YEARLY.`,
		}},
		{"RRULE:FREQ=BIMONTHLY", []string{
			`At character 12: FREQ="BIMONTHLY" is not a frequency. Write SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.`,
		}},
		{"RRULE:FREQ=WEEKLY;BYDAY=MON", []string{
			`At character 25: BYDAY="MON" is not a weekday. Write MO.`,
		}},
		{"RRULE:FREQ=WEEKLY;BYDAY=MO-FR", []string{
			`At character 25: BYDAY="MO-FR" is not a weekday. Write MO,TU,WE,TH,FR.`,
		}},
		{"RRULE:FREQ=MONTHLY;BYDAY=LAST FR", []string{
			`At character 26: BYDAY="LAST FR" is not a weekday. Write -1FR.`,
		}},
		{"RRULE:FREQ=MONTHLY;BYDAY=MO2", []string{
			`At character 26: BYDAY="MO2" is not a weekday. Write 2MO.`,
		}},
		{"RRULE:FREQ=MONTHLY;BYDAY=MO(+1),1STTU,2THU", []string{
			`At character 26: BYDAY="MO(+1)" is not a weekday. Write 1MO.`,
			`At character 33: BYDAY="1STTU" is not a weekday. Write 1TU.`,
			`At character 39: BYDAY="2THU" is not a weekday. Write 2TH.`,
		}},
		{"RRULE:FREQ=WEEKLY;WKST=MONDAY", []string{
			`At character 24: WKST="MONDAY" is not a weekday. Write MO.`,
		}},
		{"RRULE:FREQ=DAILY;UNTIL=2026-04-01", []string{
			`At character 24: UNTIL="2026-04-01" does not have the RFC 5545 form of a DATE or DATE-TIME. Write 20260401.`,
		}},
		{"RRULE:FREQ=DAILY;UNTIL=2026-04-01T09:00:00-04:00", []string{
			`At character 24: UNTIL="2026-04-01T09:00:00-04:00" does not have the RFC 5545 form of a DATE or DATE-TIME. Write 20260401T130000Z.`,
		}},
		{"RRULE:FREQ=DAILY;UNTIL=20260401T090000", []string{
			`UNTIL=20260401T090000 is not in UTC, which a start with a zone requires. Write 20260401T130000Z.`,
		}},
		{"RRULE:FREQ=DAILY;BYHOUR=9:30", []string{
			`At character 25: BYHOUR="9:30" is not a number. Write BYHOUR=9;BYMINUTE=30.`,
		}},
		{"RRULE:FREQ=DAILY;BYHOUR=9:30,17:00", []string{
			`At character 25: BYHOUR="9:30" is not a number. Write only digits.`,
			`At character 30: BYHOUR="17:00" is not a number. Write only digits.`,
		}},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=LAST", []string{
			`At character 31: BYMONTHDAY="LAST" is not a number. Write -1.`,
		}},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=1-5", []string{
			`At character 31: BYMONTHDAY="1-5" is not a number. Write 1,2,3,4,5.`,
		}},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=5-5,7-6", []string{
			`At character 31: BYMONTHDAY="5-5" is not a number. Write only digits.`,
			`At character 35: BYMONTHDAY="7-6" is not a number. Write only digits.`,
		}},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=10TH", []string{
			`At character 31: BYMONTHDAY="10TH" is not a number. Write 10.`,
		}},
		{"RRULE:FREQ=DAILY;EXDATE=20260311T130000Z", []string{
			`At character 18: EXDATE is not a rule part but a line. Write "EXDATE:20260311T130000Z" as a separate line.`,
		}},
		{"RRULE:FREQ=DAILY;EXDATE;TZID=UTC:20260311T130000;COUNT=3", []string{
			`At character 18: EXDATE is not a rule part but a line. Write "EXDATE;TZID=UTC:20260311T130000" as a separate line.`,
		}},
		{"RRULE:FREQ=DAILY;TZID=America/New_York", []string{
			`At character 18: A rule cannot have a TZID, because rules are expanded in the zone of the event's start. Remove the part.`,
		}},
		{"RRULE:FREQ=DAILY;DTSTART=20260310T130000Z", []string{
			`At character 18: DTSTART is not a rule part. Use the event's start and end.`,
		}},
		{"RRULE:FREQ=DAILY; COUNT=2 ", []string{
			`At character 26: The line ends with white space. Remove the white space.`,
			`At character 18: The rule part " COUNT=2" contains white space. Write "COUNT=2".`,
		}},
		{"RRULE FREQ=DAILY", []string{
			`At character 6: The name RRULE must be followed by a colon. Add the colon.`,
		}},
		{"RRULE;FREQ=DAILY;COUNT=2", []string{
			`At character 6: The name RRULE must be followed by a colon. Add the colon.`,
		}},
		{"EXDATE=20260311T130000Z", []string{
			`At character 7: The name EXDATE must be followed by a colon. Add the colon.`,
		}},
		{"EXDATE:2026-03-11", []string{
			`At character 8: "2026-03-11" does not have the RFC 5545 form of a DATE or DATE-TIME. Write 20260311.`,
		}},
		{"EXDATE;TZID=\"Eastern Time (US & Canada)\":20260311T090000", []string{
			`At character 8: TZID="Eastern Time (US & Canada)" is not a name in the IANA Time Zone Database. Write America/New_York.`,
		}},
		{"FREQ=WEEKLY;BYDAY=MON;COUNT=0;", []string{
			`The line is a rule without the prefix RRULE:. Write "RRULE:FREQ=WEEKLY;BYDAY=MON;COUNT=0;".`,
			`At character 31: The rule ends with a semicolon. Remove the semicolon.`,
			`At character 19: BYDAY="MON" is not a weekday. Write MO.`,
			`At character 29: COUNT="0" is less than 1. Write 1 or more, or remove the part.`,
		}},
		{"DTSTART:20260310", []string{
			`DTSTART is not allowed here. Use the event's start and end. In Go, pass a start to Set.Compile, or pass input with DTSTART to Read.`,
		}},
	} {
		found := recurrence.Lines{Texts: []string{test.line}, Start: nineInNewYork}.Check().Findings
		var got []string
		for _, f := range found.OfKind(diag.Reject) {
			got = append(got, f.Message())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.line, diff)
		}
	}
}
