package recurrence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/recurrence"
)

var (
	newYork = load("America/New_York")
	timed   = recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, newYork)) // a Tuesday
	allDay  = recurrence.StartDate(2026, 3, 10)
)

// check returns the findings as "kind rule path", without the kind if it is reject.
func check(on diag.When, start *recurrence.Start, lines ...string) []string {
	var report diag.Report
	var known recurrence.Start
	if start != nil {
		known = *start
	}
	recurrence.Check(on, lines, known, &report, "/recurrence")
	var found []string
	for _, f := range report.Findings {
		kind := string(f.Kind) + " "
		if f.Kind == diag.Reject {
			kind = ""
		}
		found = append(found, kind+strings.TrimPrefix(f.Rule.ID, "recurrence.")+" "+strings.TrimPrefix(string(f.Path), "/recurrence"))
	}
	return found
}

// The tables write findings as check does: rules without "recurrence.", paths without
// "/recurrence". A row is the lines, separated by "|", a tab, and the findings, separated by ", ".

func runTable(t *testing.T, on diag.When, start *recurrence.Start, table []string) {
	t.Helper()
	for _, row := range table {
		text, want, _ := strings.Cut(row, "\t")
		lines := strings.Split(text, "|")
		if got := strings.Join(check(on, start, lines...), ", "); got != want {
			t.Errorf("%q:\n got %s\nwant %s", lines, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	runTable(t, occasion.Insert, &timed, []string{
		"RRULE:FREQ=DAILY;COUNT=3\t",
		"rrule:freq=daily;count=3\t",
		"RRULE:FREQ=WEE\u212aLY;COUNT=3\trule.part /0", // the Kelvin sign, whose lower case is k
		"RRULE;X-A=1;X-B=\"a;b:c\",d:FREQ=DAILY;COUNT=3\t",
		"RRULE;X-9=\"\";X-Z=\"\",\"\":FREQ=DAILY;COUNT=3\t",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=\"America/New_York\":20260311T090000\t",
		"RRULE:FREQ=DAILY;COUNT=3|exdate;value=date-time;tzid=America/New_York:20260311t090000\t",

		"FREQ=DAILY\tline.name /0",
		"EXRULES:FREQ=DAILY\tline.name /0",
		"RRULE2:FREQ=DAILY\tline.name /0",
		"X-RRULE:FREQ=DAILY\tline.name /0",
		"DURATION:PT1H\tline.name /0",
		"every day\tline.name /0",
		"RRULE:FREQ=DAILY;COUNT=3|FOO:1\tline.name /1",
		"FOO\r\n\tline.name /0",

		"DTSTART:20260310T130000Z\tline.dtstart /0",
		"dtstart;TZID=America/New_York:20260310T090000\tline.dtstart /0",
		"RRULE:FREQ=DAILY;COUNT=3|DTEND:20260310T130000Z\tline.dtstart /1",
		"DTSTART\tline.dtstart /0",

		"\tline.syntax /0",
		" \tline.syntax /0",
		" RRULE:FREQ=DAILY\tline.syntax /0",
		"RRULE:FREQ=DAILY \tline.syntax /0",
		":FREQ=DAILY\tline.syntax /0",
		"RRULE\tline.syntax /0",
		"RRULE:\tline.syntax /0",
		"RRULE=FREQ=DAILY\tline.syntax /0",
		"RRULE FREQ=DAILY\tline.syntax /0",
		"RRULE;:FREQ=DAILY\tline.syntax /0",
		"RRULE;X-A:FREQ=DAILY\tline.syntax /0",
		"RRULE;X-A=\"b:FREQ=DAILY\tline.syntax /0",
		"RRULE;X-A=b\"c\":FREQ=DAILY\tline.syntax /0",
		"RRULE;X-A=\"b\"c:FREQ=DAILY\tline.syntax /0",
		"RRULE;X-A=1FREQ=DAILY\tline.syntax /0",
		"RRULE;TZID=America/New_York:FREQ=DAILY\tline.syntax /0",
		"RRULE;VALUE=RECUR:FREQ=DAILY\t",
		"EXRULE;value=recur;X-A=1:FREQ=DAILY;COUNT=1|RRULE:FREQ=DAILY\tadvise exrule.deprecated /0",
		"RRULE;VALUE=:FREQ=DAILY\tline.syntax /0",
		"RRULE;VALUE=DATE:FREQ=DAILY\tline.syntax /0",
		"RRULE;VALUE=RECUR;VALUE=RECUR:FREQ=DAILY\tline.syntax /0",
		"RRULE:FREQ=DAILY\r\n\tline.syntax /0",
		"RRULE:FREQ=DAILY\n\tline.syntax /0",
		"RRULE:FREQ=DAILY;\r\n COUNT=3\tline.syntax /0",
		"RRULE:FREQ=DAILY\x00\tline.syntax /0",
		"RRULE:FREQ=DAILY\x7f\tline.syntax /0",
		"RRULE:FREQ=DAILY;\tline.syntax /0",
		"RRULE:;FREQ=DAILY\tline.syntax /0",
		"RRULE:FREQ=DAILY;;COUNT=3\tline.syntax /0",
		"RRULE:FREQ=DAILY; COUNT=3\tline.syntax /0",
		"RRULE:FREQ=DAILY;COUNT\tline.syntax /0",
		"RRULE:FREQ\tline.syntax /0",
		"RRULE:=DAILY;FREQ=DAILY\tline.syntax /0",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:\tline.syntax /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=UTC;TZID=UTC:20260311T090000\tline.syntax /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE:20260311T090000Z\n\tline.syntax /1",
	})
}

// UNTIL can be between the two instants at which the clock shows the time of the start.
func TestUntilBeforeSecondTime(t *testing.T) {
	for clock, want := range map[string]string{"05:30:00": "", "06:30:00": "no-instance "} {
		at, err := time.Parse(time.RFC3339, "2026-11-01T"+clock+"Z")
		if err != nil {
			t.Fatal(err)
		}
		start := recurrence.StartTime(at.In(newYork))
		if got := strings.Join(check(occasion.Insert, &start, "RRULE:FREQ=DAILY;UNTIL=20261101T053000Z"), ", "); got != want {
			t.Errorf("%s: %s, want %s", start.Time(), got, want)
		}
	}
}

func TestValuesThatDoNotExist(t *testing.T) {
	runTable(t, occasion.Insert, &timed, []string{
		"EXDATE:20260010T130000Z\tdates.form /0",
		"EXDATE:20261310T130000Z\tdates.form /0",
		"EXDATE:20260300T130000Z\tdates.form /0",
		"EXDATE:20260332T130000Z\tdates.form /0",
		"RDATE;VALUE=PERIOD:20260311T130000Z/P\tdates.form /0",
		"RDATE;VALUE=PERIOD:20260311T130000Z/T1H\tdates.form /0",
		"RDATE;VALUE=PERIOD:20260311T130000Z/PT1H\t",
	})
}

func TestOnlyNamesInResponses(t *testing.T) {
	runTable(t, diag.Response, &timed, []string{
		"RRULE:FREQ=DAILY\t",
		"RRULE:FREQ=DAILY;COUNT=0\t",
		"RRULE:FREQ=DAILY||:x\tline.name /1, line.name /2",
		" RRULE:FREQ=DAILY\tline.name /0",
		"RRULE:FREQ=DAILY;UNTIL=20200101T000000Z|EXRULE:FREQ=DAILY\t",
		"FREQ=DAILY\tline.name /0",
		"DTSTART:20260310T130000Z\tline.name /0",
	})
}

func TestRuleParts(t *testing.T) {
	runTable(t, occasion.Patch, nil, []string{
		"RRULE:FREQ=YEARLY;BYMONTH=1,12;BYMONTHDAY=1,31,-1,-31,+5\t",
		"RRULE:FREQ=YEARLY;BYYEARDAY=1,366,-1,-366;BYSETPOS=1,366,-1,-366\t",
		"RRULE:FREQ=YEARLY;BYWEEKNO=1,53,-1,-53;BYDAY=MO\t",
		"RRULE:FREQ=YEARLY;BYDAY=1MO,53TU,-1WE,-53TH,+2fr\t",
		"RRULE:FREQ=DAILY;BYHOUR=0,23,09;BYMINUTE=0,59;BYSECOND=0,60\t",
		"RRULE:FREQ=DAILY;WKST=su;UNTIL=20261231\t",
		"RRULE:FREQ=DAILY;UNTIL=20261231T235960Z\t",
		"RRULE:FREQ=DAILY;INTERVAL=99999999999999999999;COUNT=9223372036854775807\t",

		"RRULE:COUNT=3\trule.part /0",
		"RRULE:FREQ=FORTNIGHTLY\trule.part /0",
		"RRULE:FREQ=\trule.part /0",
		"RRULE:FREQ=DAILY;FREQ=DAILY\trule.part /0",
		"RRULE:FREQ=DAILY;FOO=1\trule.part /0",
		"RRULE:FREQ=DAILY;BYEASTER=1\trule.part /0",
		"RRULE:FREQ=DAILY;X-FOO=1\tadvise rule.part /0",
		"RRULE:FREQ=DAILY;X-A=1\tadvise rule.part /0",
		"RRULE:FREQ=DAILY;X-FOO9=1\tadvise rule.part /0",
		"RRULE:FREQ=DAILY;X-A=1;X-AB=1;X-B=1\tadvise rule.part /0, advise rule.part /0, advise rule.part /0",
		"RRULE:FREQ=DAILY;X-FOO=1;X-FOO=1\tadvise rule.part /0, rule.part /0",
		"RRULE:FREQ=DAILY;X-FOO=1;x-foo=2\tadvise rule.part /0, rule.part /0",
		"RRULE:FREQ=DAILY;X-=1\trule.part /0",
		"RRULE:FREQ=DAILY;X-FOO=\trule.part /0",
		"RRULE:FREQ=DAILY;X-FOO=a=b\trule.part /0",
		"RRULE:FREQ=DAILY;BYMONTH=\trule.part /0",
		"RRULE:FREQ=DAILY;BYMONTH=0\trule.part /0",
		"RRULE:FREQ=DAILY;BYMONTH=13\trule.part /0",
		"RRULE:FREQ=DAILY;BYMONTH=-1\trule.part /0",
		"RRULE:FREQ=DAILY;BYMONTH=+1\trule.part /0",
		"RRULE:FREQ=DAILY;BYMONTH=001\trule.part /0",
		"RRULE:FREQ=DAILY;BYMONTH=1,,2\trule.part /0",
		"RRULE:FREQ=DAILY;BYMONTH=1,\trule.part /0",
		"RRULE:FREQ=DAILY;BYMONTH=1, 2\trule.part /0",
		"RRULE:FREQ=DAILY;BYMONTH=5L\trule.part /0",
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=0\trule.part /0",
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=32\trule.part /0",
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=-32\trule.part /0",
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=32,33\trule.part /0, rule.part /0",
		"RRULE:FREQ=YEARLY;BYYEARDAY=0\trule.part /0",
		"RRULE:FREQ=YEARLY;BYYEARDAY=367\trule.part /0",
		"RRULE:FREQ=YEARLY;BYYEARDAY=-367\trule.part /0",
		"RRULE:FREQ=YEARLY;BYWEEKNO=54\trule.part /0",
		"RRULE:FREQ=YEARLY;BYWEEKNO=0\trule.part /0",
		"RRULE:FREQ=YEARLY;BYDAY=0MO\trule.part /0",
		"RRULE:FREQ=YEARLY;BYDAY=54MO\trule.part /0",
		"RRULE:FREQ=YEARLY;BYDAY=-54MO\trule.part /0",
		"RRULE:FREQ=YEARLY;BYDAY=M\trule.part /0",
		"RRULE:FREQ=YEARLY;BYDAY=MON\trule.part /0",
		"RRULE:FREQ=YEARLY;BYDAY=MO;BYSETPOS=0\trule.part /0",
		"RRULE:FREQ=YEARLY;BYDAY=MO;BYSETPOS=367\trule.part /0",
		"RRULE:FREQ=DAILY;BYHOUR=24\trule.part /0",
		"RRULE:FREQ=DAILY;BYHOUR=-1\trule.part /0",
		"RRULE:FREQ=DAILY;BYMINUTE=60\trule.part /0",
		"RRULE:FREQ=DAILY;BYSECOND=61\trule.part /0",
		"RRULE:FREQ=DAILY;WKST=XX\trule.part /0",
		"RRULE:FREQ=DAILY;WKST=1MO\trule.part /0",
		"RRULE:FREQ=DAILY;COUNT=x\trule.part /0",
		"RRULE:FREQ=DAILY;COUNT=1.5\trule.part /0",
		"RRULE:FREQ=DAILY;COUNT=99999999999999999999x\trule.part /0",
		"RRULE:FREQ=DAILY;COUNT=+1\trule.part /0",
		"RRULE:FREQ=DAILY;UNTIL=tomorrow\trule.part /0",
		"RRULE:FREQ=DAILY;UNTIL=20260229\trule.part /0",
		"RRULE:FREQ=DAILY;UNTIL=00000101\t",
		"RRULE:FREQ=DAILY;UNTIL=00000100\trule.part /0",
		"RRULE:FREQ=DAILY;UNTIL=20260310T240000Z\trule.part /0",
		"RRULE:FREQ=DAILY;UNTIL=20260310T006000Z\trule.part /0",
		"RRULE:FREQ=DAILY;UNTIL=2026-03-10\trule.part /0",
		"RRULE:FREQ=DAILY;UNTIL=00xx0310\trule.part /0",
		"RRULE:FREQ=DAILY;UNTIL=20260310T1300Z\trule.part /0",
		"RRULE:FREQ=DAILY;UNTIL=20260310X130000Z\trule.part /0",
		"RRULE:FREQ=DAILY;UNTIL=20260310T1300x0Z\trule.part /0",

		"RRULE:FREQ=DAILY;COUNT=1;INTERVAL=1\t",
		"RRULE:FREQ=DAILY;COUNT=0\trule.count-until /0",
		"RRULE:FREQ=DAILY;COUNT=-1\trule.count-until /0",
		"RRULE:FREQ=DAILY;INTERVAL=0\trule.count-until /0",
		"RRULE:FREQ=DAILY;COUNT=0;INTERVAL=0\trule.count-until /0, rule.count-until /0",
		"RRULE:FREQ=DAILY;COUNT=1;UNTIL=20261231\trule.count-until /0",

		"RRULE:FREQ=DAILY;BYWEEKNO=1\trule.by-part /0",
		"RRULE:FREQ=MONTHLY;BYWEEKNO=1\trule.by-part /0",
		"RRULE:FREQ=HOURLY;BYWEEKNO=1\trule.by-part /0, advise sub-daily /0",
		"RRULE:FREQ=DAILY;BYYEARDAY=1\trule.by-part /0",
		"RRULE:FREQ=WEEKLY;BYYEARDAY=1\trule.by-part /0",
		"RRULE:FREQ=MONTHLY;BYYEARDAY=1\trule.by-part /0",
		"RRULE:FREQ=HOURLY;BYYEARDAY=1\tadvise sub-daily /0",
		"RRULE:FREQ=WEEKLY;BYMONTHDAY=1\trule.by-part /0",
		"RRULE:FREQ=DAILY;BYMONTHDAY=1\t",
		"RRULE:FREQ=WEEKLY;BYDAY=1MO\trule.by-part /0",
		"RRULE:FREQ=DAILY;BYDAY=-1MO\trule.by-part /0",
		"RRULE:FREQ=MONTHLY;BYDAY=-1MO,TU\t",
		"RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO\trule.by-part /0",
		"RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO\t",
		"RRULE:FREQ=DAILY;BYSETPOS=1\trule.by-part /0",
		"RRULE:FREQ=DAILY;BYSETPOS=1;BYHOUR=9,10\t",
		"RRULE:FREQ=DAILY;BYSETPOS=1;BYMINUTE=9,10\t",
		"RRULE:FREQ=DAILY;BYSETPOS=1;BYSECOND=9,10\t",
		"RRULE:FREQ=MONTHLY;BYSETPOS=1;BYDAY=MO\t",
		"RRULE:FREQ=MONTHLY;BYSETPOS=1;BYMONTHDAY=9,10\t",
		"RRULE:FREQ=YEARLY;BYSETPOS=1;BYYEARDAY=9,10\t",
		"RRULE:FREQ=YEARLY;BYSETPOS=1;BYWEEKNO=9,10\tadvise rule.ambiguous /0",
		"RRULE:FREQ=YEARLY;BYSETPOS=1;BYMONTH=9,10\t",
		"RRULE:FREQ=FOO;BYWEEKNO=1;BYSETPOS=1\trule.part /0",
		"RRULE:FREQ=MONTHLY;BYSETPOS=1;BYDAY=XX\trule.part /0",

		"EXRULE:FREQ=DAILY;COUNT=1\tadvise exrule.deprecated /0",
		"RRULE:FREQ=MINUTELY\tadvise sub-daily /0",
		"RRULE:FREQ=SECONDLY\tadvise sub-daily /0",
		"RRULE:FREQ=DAILY;UNTIL=20260310T090000\t", // the start is not known
	})
}

func TestAgainstTimedStart(t *testing.T) {
	runTable(t, occasion.Update, &timed, []string{
		"RRULE:FREQ=DAILY;UNTIL=20260311T130000Z\t",
		"RRULE:FREQ=DAILY;UNTIL=20260311\tadvise rule.until-form /0",
		"RRULE:FREQ=DAILY;UNTIL=20260311T090000\trule.until-form /0",
		"RRULE:FREQ=DAILY;BYHOUR=9,10;COUNT=3\t",

		"RRULE:FREQ=DAILY;COUNT=3|RDATE:20260320T130000Z,20260321T130000Z\t",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;TZID=Europe/Berlin:20260320T130000\t",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE:20260320T090000\t",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320T130000Z/PT1H,20260321T130000Z/20260321T140000Z\t",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320T130000Z/99991231T235959Z\t",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD;TZID=America/New_York:20260320T090000/P1DT2H\t",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=DATE:20260320\tadvise dates.start-form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;VALUE=DATE:20260311\tadvise dates.start-form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=TEXT:20260320\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=:20260320\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE:20260320\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260311T130000Z,yesterday\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260311T130000Z,\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260230T130000Z\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260311T250000Z\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;VALUE=DATE:20260311T130000Z\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;VALUE=DATE;TZID=UTC:20260311\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=America/New_York:20260311T130000Z\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=Mars/Olympus:20260311T130000\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=:20260311T130000\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=Local:20260311T130000\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=../../etc/passwd:20260311T130000\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=\"America/New_York\",UTC:20260311T130000\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;VALUE=PERIOD:20260320T130000Z/PT1H\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320T130000Z\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE:20260320T130000Z/PT1H\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260320T130000Z/PT1H\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260230T130000Z/PT1H\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260220T130000Z/20260230T130000Z\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320T130000Z/\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320T130000Z/PT0S\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320T130000Z/-PT1H\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320T130000Z/PT1H30S\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320T130000Z/P1W2D\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320T130000Z/20260320T130000Z\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320T130000Z/20260320T150000\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320/P1D\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD;TZID=UTC:20260320T130000Z/PT1H\tdates.form /1",
	})
}

func TestAgainstAllDayStart(t *testing.T) {
	runTable(t, occasion.Import, &allDay, []string{
		"RRULE:FREQ=DAILY;UNTIL=20260311\t",
		"RRULE:FREQ=DAILY;UNTIL=20260311T000000Z\tadvise rule.until-form /0",
		"RRULE:FREQ=DAILY;UNTIL=20260311T000000\tadvise rule.until-form /0",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;VALUE=DATE:20260311\t",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260311T000000Z\tadvise dates.start-form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE:20260311T000000Z\tadvise dates.start-form /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE;VALUE=PERIOD:20260320T130000Z/PT1H\tadvise dates.start-form /1",
		"RRULE:FREQ=HOURLY;COUNT=3\trule.time-part /0",
		"RRULE:FREQ=DAILY;BYHOUR=0\trule.time-part /0",
		"RRULE:FREQ=DAILY;BYMINUTE=0\trule.time-part /0",
		"RRULE:FREQ=DAILY;BYSECOND=0\trule.time-part /0",
		"EXRULE:FREQ=DAILY;BYHOUR=0\trule.time-part /0, advise exrule.deprecated /0",
		"RRULE:FREQ=SECONDLY;BYHOUR=0\trule.time-part /0, rule.time-part /0",
	})
}

func TestInstances(t *testing.T) {
	runTable(t, occasion.Insert, &timed, []string{
		"RRULE:FREQ=DAILY;COUNT=2|EXDATE:20260310T130000Z\t",
		"RRULE:FREQ=DAILY;COUNT=2|EXDATE:20260310T130000Z,20260311T130000Z\tno-instance ",
		"RRULE:FREQ=DAILY;COUNT=2|EXDATE:20260310T130000Z|EXDATE:20260311T130000Z\tno-instance ",
		"RRULE:FREQ=DAILY;COUNT=1|EXDATE:20260310T130000Z\tno-instance ",
		"RRULE:FREQ=DAILY;COUNT=1|EXDATE:20260310T130000Z|RDATE:20260401T130000Z\t",
		"RRULE:FREQ=DAILY;COUNT=9|EXRULE:FREQ=DAILY\tno-instance , advise exrule.deprecated /1",
		"RRULE:FREQ=DAILY|EXRULE:FREQ=DAILY\tno-instance , advise exrule.deprecated /1",
		"RRULE:FREQ=DAILY;UNTIL=20260310T130000Z\t",
		"RRULE:FREQ=DAILY;UNTIL=20260310T125959Z\tno-instance ",
		"RRULE:FREQ=DAILY;UNTIL=20260309T130000Z|EXDATE:20260401T130000Z\tno-instance ",
		"RRULE:FREQ=DAILY;UNTIL=20260310\tadvise rule.until-form /0",
		"RRULE:FREQ=DAILY;UNTIL=20260309\tno-instance , advise rule.until-form /0",
		"RRULE:FREQ=DAILY;UNTIL=20260309T130000Z|RRULE:FREQ=DAILY;COUNT=1\t",
		"RRULE:FREQ=DAILY;UNTIL=20260309T130000Z|RDATE:20260401T130000Z\t",
		"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30|EXDATE:20260310T130000Z\tno-instance , advise start-not-in-rule /0",
		"RDATE:20260401T130000Z\t",
		"EXDATE:20260310T130000Z\tno-instance ",

		"RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2\t",
		"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2\tadvise start-not-in-rule /0",
		"RDATE:20260401T130000Z|RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2\tadvise start-not-in-rule /1",
		"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2|RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2\t",
		"RRULE:FREQ=DAILY;BYHOUR=13;COUNT=2\tadvise start-not-in-rule /0",
		"RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=2\t",
		"RRULE:FREQ=MONTHLY;BYDAY=1TU;COUNT=2\tadvise start-not-in-rule /0",

		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=America/New_York:20260312T090000\t",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=America/Chicago:20260312T080000\t",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=/America/Chicago:20260312T080000\t",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=\"/America/Chicago\":20260312T080000\t",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=//America/Chicago:20260312T080000\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=/example.org/America/Chicago:20260312T080000\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=/:20260312T080000\tdates.form /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260312T090000\t",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260313T090000\tadvise exdate-misses /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260312T090000,20260313T090000\tadvise exdate-misses /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;TZID=America/Chicago:20260311T090000\tadvise exdate-misses /1",
		"RRULE:FREQ=DAILY;COUNT=3|RDATE:20260401T130000Z|EXDATE:20260401T130000Z\t",
		"RRULE:FREQ=WEEKLY;COUNT=3|EXDATE;VALUE=DATE:20260311\tadvise dates.start-form /1, advise exdate-misses /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260309T090000\tadvise exdate-misses /1",
		"RRULE:FREQ=DAILY;COUNT=0|EXDATE:20260313T090000\trule.count-until /0", // no finding is reported because of another
	})
	runTable(t, occasion.Insert, &allDay, []string{
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;VALUE=DATE:20260312\t",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE;VALUE=DATE:20260313\tadvise exdate-misses /1",
		"RRULE:FREQ=DAILY;UNTIL=20260310\t",
		"RRULE:FREQ=DAILY;UNTIL=20260309\tno-instance ",
	})
}

// TestRulesWithoutInstance has rules that give nothing after a start that EXDATE excludes.
func TestRulesWithoutInstance(t *testing.T) {
	const excluded = "|EXDATE:20260310T130000Z\tno-instance , advise start-not-in-rule /0"
	runTable(t, occasion.Insert, &timed, []string{
		"RRULE:FREQ=WEEKLY;BYDAY=FR;BYSETPOS=2" + excluded,
		"RRULE:FREQ=WEEKLY;INTERVAL=2;BYMONTH=2,4;BYDAY=FR,SU;BYSETPOS=-4" + excluded,
		"RRULE:FREQ=MONTHLY;BYDAY=-5MO,-5TU;BYSETPOS=-4;COUNT=28" + excluded,
		"RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=MO;BYSETPOS=1" + excluded,
		"RRULE:FREQ=MONTHLY;BYDAY=FR;BYSETPOS=5|EXDATE:20260310T130000Z\tadvise start-not-in-rule /0",
	})
}

// TestInstancesFound tests what Check returns.
func TestInstancesFound(t *testing.T) {
	for _, c := range []struct {
		lines  string
		empty  bool
		misses []int
	}{
		{"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260311T130000Z", false, nil},
		{"RRULE:FREQ=DAILY;COUNT=1|EXDATE:20260310T130000Z", true, nil},
		{"RRULE:FREQ=DAILY;UNTIL=20260309T130000Z|EXDATE:20260310T130000Z", true, nil},
		{"EXDATE:20260313T130000Z|RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260311T130000Z|EXDATE:20260311T130001Z", false, []int{0, 3}},
		{"RRULE:FREQ=DAILY;COUNT=0|EXDATE:20260313T130000Z", false, nil},
	} {
		lines := strings.Split(c.lines, "|")
		for name, report := range map[string]*diag.Report{"a report": {}, "no report": nil} {
			empty, misses := recurrence.Check(occasion.Patch, lines, timed, report, "/recurrence")
			if empty != c.empty || !slices.Equal(misses, c.misses) {
				t.Errorf("%s, with %s: empty is %t and the misses are %v", c.lines, name, empty, misses)
			}
		}
	}
	if empty, _ := recurrence.Check(occasion.Insert, []string{"RRULE:FREQ=DAILY;UNTIL=20260309T130000Z"}, recurrence.Start{}, nil, ""); empty {
		t.Error("a set without a start is empty")
	}
}

func TestNothingToReport(t *testing.T) {
	for _, lines := range [][]string{nil, {}} {
		if got := check(occasion.Insert, &timed, lines...); got != nil {
			t.Errorf("%v: %v", lines, got)
		}
	}
}

func TestCatalogue(t *testing.T) {
	for _, r := range recurrence.Rules() {
		if r.Summary == "" || r.Section == "" || r.Why == "" {
			t.Errorf("%s has no summary, section or reason", r.ID)
		}
	}
}

// TestManyFaultsOfALine checks how many faults of a line are kept, of one kind or of two.
func TestManyFaultsOfALine(t *testing.T) {
	const kept = 32
	// Once a line has that many, its parts are not judged together.
	line := "RRULE:FREQ=DAILY;COUNT=1;UNTIL=20260401T000000Z" + strings.Repeat(";FOO=1", kept)
	if found := check(occasion.Insert, &timed, line); len(found) != kept {
		t.Errorf("%d findings beside COUNT and UNTIL", len(found))
	}
	for _, name := range []string{"RRULE", "EXRULE"} {
		for _, more := range []int{kept - 1, kept, kept + 1, 1000} {
			line := name + ":FREQ=DAILY" + strings.Repeat(";FOO=1", more)
			refused, advised := min(more, kept), 0
			if name == "EXRULE" && more < kept {
				advised = 1
			}
			if found := check(occasion.Insert, &timed, line); len(found) != refused+advised {
				t.Errorf("%s with %d faults has %d findings", name, more, len(found))
			}
		}
	}
}

// TestHostileLines checks lines that are made to be expensive. Without a budget, most of these sets
// would take minutes.
func TestHostileLines(t *testing.T) {
	many := func(line string) []string {
		lines := make([]string, 2000)
		for i := range lines {
			lines[i] = strings.ReplaceAll(line, "#", fmt.Sprint(2027+i%7000))
		}
		return lines
	}
	more := func(lines, others string) []string { // too many to try each with each
		return slices.Repeat(append(many(lines), many(others)...), 4)
	}
	list := func(n int) string { return strings.TrimSuffix(strings.Repeat("1,2,3,4,5,", n/5), ",") }
	for name, lines := range map[string][]string{
		"rules":            many("RRULE:FREQ=DAILY;INTERVAL=7"),
		"exdates":          append(many("EXDATE:#0311T130000Z"), "RRULE:FREQ=SECONDLY;COUNT=9223372036854775807"),
		"exdates counted":  append(many("EXDATE:#0311T130000Z"), "RRULE:FREQ=MINUTELY;COUNT=99999999"),
		"rules and exdate": append(many("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=100"), "EXDATE:20260310T130000Z"),
		"rules taken out":  append(many("RRULE:FREQ=SECONDLY"), "EXDATE;VALUE=DATE:20260310,20260311,20260312"),
		"ended and days":   more("RRULE:FREQ=DAILY;UNTIL=20260310T130000Z", "EXDATE;VALUE=DATE:#0311"),
		"begun and days":   more("RRULE:FREQ=YEARLY;INTERVAL=9999", "EXDATE;VALUE=DATE:#0311"),
		"empty and days":   more("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "EXDATE;VALUE=DATE:#0311"),
		"rules by exrules": more("RRULE:FREQ=DAILY;COUNT=9", "EXRULE:FREQ=WEEKLY;INTERVAL=2"),
		"exrules":          append(many("EXRULE:FREQ=SECONDLY"), "RRULE:FREQ=SECONDLY"),
		"contradiction":    {"RRULE:FREQ=SECONDLY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=30", "EXDATE:20260310T130000Z"},
		"never":            {"RRULE:FREQ=SECONDLY;INTERVAL=60;BYSECOND=30", "EXDATE:20260310T130000Z"},
		"interval":         {"RRULE:FREQ=YEARLY;INTERVAL=9223372036854775807", "EXDATE:20260310T130000Z"},
		"count":            {"RRULE:FREQ=SECONDLY;COUNT=9223372036854775807", "EXDATE:99991231T235959Z"},
		"long lists": {"RRULE:FREQ=YEARLY;BYMONTH=" + list(300) + ";BYMONTHDAY=" + list(300) + ";BYHOUR=" + list(300) +
			";BYMINUTE=" + list(300) + ";BYSECOND=" + list(300) + ";BYSETPOS=" + list(300)},
		"long line":     {"RRULE:FREQ=DAILY;BYMONTH=" + list(1<<18)},
		"long bad line": {"RRULE:FREQ=DAILY;BYMONTH=" + strings.Repeat("x,", 1<<18)},
		"long dates":    {"EXDATE:" + strings.Repeat("20260311T130000Z,", 1<<14) + "20260311T130000Z"},
		"long name":     {strings.Repeat("X", 1<<20)},
		"parts":         {"RRULE:" + strings.Repeat("X-A=1;", 1<<18) + "FREQ=DAILY"},
	} {
		t.Run(name, func(t *testing.T) { check(occasion.Insert, &timed, lines...) })
	}
}
