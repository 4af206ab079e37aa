package recurrence_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/recurrence"
)

// The start of the tables is Tuesday 10 March 2026, 09:00 in New York.

func TestAmbiguousRules(t *testing.T) {
	const advice = "advise rule.ambiguous /0"
	table := []string{
		"FREQ=YEARLY\t",
		"FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10\t",
		"FREQ=YEARLY;BYMONTHDAY=10\t" + advice,
		"FREQ=MONTHLY;BYMONTHDAY=10\t",
		"FREQ=DAILY;BYMONTHDAY=10\t",

		"FREQ=YEARLY;BYWEEKNO=11;BYDAY=TU\t",
		"FREQ=YEARLY;BYWEEKNO=11\t" + advice,
		"FREQ=YEARLY;BYMONTH=3;BYWEEKNO=11\t" + advice,

		"FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10;BYDAY=2TU\t",
		"FREQ=YEARLY;BYMONTHDAY=10;BYDAY=2TU\t" + advice,
		"FREQ=MONTHLY;BYMONTHDAY=10;BYDAY=2TU\t" + advice,
		"FREQ=MONTHLY;BYMONTH=3;BYMONTHDAY=10;BYDAY=2TU\t",
		"FREQ=MONTHLY;BYMONTHDAY=10;BYDAY=TU\t",
		"FREQ=MONTHLY;BYDAY=2TU\t",

		"FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2\t" + advice, // the third of March's last four Tuesdays
		"FREQ=MONTHLY;BYDAY=TU;BYSETPOS=-4\t",         // the fourth last of all five, or of the last four
		"FREQ=MONTHLY;BYDAY=TU;BYSETPOS=-5\tadvise start-not-in-rule /0",
		"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1\tadvise start-not-in-rule /0",
		"FREQ=WEEKLY;BYDAY=TU,TH;BYSETPOS=1\t",
		"FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=2\t" + advice,
		"FREQ=WEEKLY;WKST=TU;BYDAY=MO,TU;BYSETPOS=1\t",
		"FREQ=WEEKLY;WKST=SU;BYDAY=SU,TU,TH;BYSETPOS=2\t" + advice,
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE;BYSETPOS=2\t" + advice,
		"FREQ=DAILY;BYHOUR=9,15;BYSETPOS=1\t",
		"FREQ=DAILY;BYHOUR=8,9,15;BYSETPOS=2\t" + advice,
		"FREQ=YEARLY;BYDAY=TU;BYSETPOS=10\t" + advice,
		"FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10,11;BYSETPOS=1\t",
		"FREQ=YEARLY;BYMONTH=3;BYDAY=TU;BYSETPOS=-4\t",
		"FREQ=YEARLY;BYWEEKNO=11;BYDAY=MO,TU;BYSETPOS=2\t",
		"FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=1,2\t" + advice,
		"FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=1,2,-1,-2\t", // Tuesday and Wednesday in any case
	}
	for _, row := range table {
		rule, want, _ := strings.Cut(row, "\t")
		got := strings.Join(check(occasion.Insert, &timed, "RRULE:"+rule), ", ")
		if got != want {
			t.Errorf("%s: %s, want %s", rule, got, want)
		}
	}
}

// The hour and the minute of the start say which times of the first day are before it.
func TestAmbiguousTimes(t *testing.T) {
	start := recurrence.StartTime(time.Date(2026, 3, 10, 9, 30, 30, 0, newYork))
	for _, rule := range []string{"FREQ=DAILY;BYMINUTE=0,30;BYSETPOS=2", "FREQ=DAILY;BYSECOND=0,30;BYSETPOS=2", "FREQ=HOURLY;BYSECOND=0,30;BYSETPOS=2"} {
		got := strings.Join(check(occasion.Insert, &start, "RRULE:"+rule), ", ")
		if want := "advise rule.ambiguous /0"; !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", rule, got, want)
		}
	}
}

// A line that is rejected, and one without a rule, do not end the search.
func TestAmbiguousAfterOthers(t *testing.T) {
	lines := []string{"EXDATE:20260310T130000Z", "RRULE:FREQ=X", "RRULE:FREQ=YEARLY;BYMONTHDAY=10"}
	if got := check(occasion.Insert, &timed, lines...); !slices.Contains(got, "advise rule.ambiguous /2") {
		t.Errorf("%v", got)
	}
}

// TestAmbiguousMeaning tests that a message says what the expansion does.
func TestAmbiguousMeaning(t *testing.T) {
	for _, c := range []struct{ rule, second, meaning string }{
		{"FREQ=YEARLY;BYMONTHDAY=10", "2027-03-10", "here it means the month of the start"},
		{"FREQ=YEARLY;BYMONTHDAY=10;BYYEARDAY=69,100", "2026-04-10", "here it means each"},
		{"FREQ=YEARLY;BYMONTHDAY=10;BYWEEKNO=11,24;BYDAY=TU,WE", "2026-06-10", "here it means each"},
		{"FREQ=YEARLY;BYMONTHDAY=10;BYDAY=2TU", "2037-03-10", "here both mean the month of the start"},
		{"FREQ=YEARLY;BYMONTHDAY=10;BYYEARDAY=69,100;BYDAY=10TU,14FR", "2037-03-10", "here it counts in the year"},
		{"FREQ=MONTHLY;BYMONTHDAY=10;BYDAY=2TU", "2026-11-10", "here it counts in the month"},
		{"FREQ=YEARLY;BYWEEKNO=11", "2027-03-16", "here it means the weekday of the start"},
		{"FREQ=YEARLY;BYWEEKNO=11;BYYEARDAY=69,70", "2026-03-11", "here it means each"},
		{"FREQ=YEARLY;BYMONTH=3;BYWEEKNO=11;BYMONTHDAY=10,11", "2026-03-11", "here it means each"},
	} {
		var report diag.Report
		recurrence.Check(occasion.Insert, []string{"RRULE:" + c.rule}, timed, &report, "")
		if len(report.Findings) != 1 || !strings.Contains(report.Findings[0].Message(), c.meaning) {
			t.Errorf("%s: %v, want that %s", c.rule, report.Findings, c.meaning)
		}
		if got := instances(t, timed, "RRULE:"+c.rule+";COUNT=2"); !strings.HasPrefix(got[1], c.second) {
			t.Errorf("%s: %v, want %s after the start", c.rule, got, c.second)
		}
	}
}

func TestAmbiguousWithoutStart(t *testing.T) {
	runTable(t, occasion.Patch, nil, []string{
		"RRULE:FREQ=YEARLY;BYMONTHDAY=10\tadvise rule.ambiguous /0",
		"RRULE:FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2\t",
		"EXRULE:FREQ=YEARLY;BYWEEKNO=2\tadvise exrule.deprecated /0, advise rule.ambiguous /0",
		"RRULE:FREQ=YEARLY;BYMONTHDAY=10;BYHOUR=24\trule.part /0",
	})
}

// TestAmbiguousBound tests that a period with very many instances is not compared.
func TestAmbiguousBound(t *testing.T) {
	list := func(n int) string {
		values := make([]string, n)
		for i := range values {
			values[i] = strconv.Itoa(i)
		}
		return strings.Join(values, ",")
	}
	rule := "RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=" + list(24) + ";BYMINUTE=" + list(60) + ";BYSECOND=" + list(60) + ";BYSETPOS=2"
	lines := make([]string, 100)
	for i := range lines {
		lines[i] = rule + strings.Repeat(",3", i)
	}
	if got := check(occasion.Insert, &timed, lines...); len(got) > 1 {
		t.Errorf("%v", got)
	}
}

func TestRDateBeforeStart(t *testing.T) {
	const advice = "advise rdate-before-start /0"
	runTable(t, occasion.Insert, &timed, []string{
		"RDATE:20260310T130000Z\t",
		"RDATE:20260310T125959Z\t" + advice,
		"RDATE:20260311T130000Z,20260301T130000Z,20260201T130000Z\t" + advice,
		"RDATE;TZID=America/New_York:20260310T090000\t",
		"RDATE;TZID=America/New_York:20260310T085959\t" + advice,
		"RDATE;TZID=Europe/Berlin:20260310T090000\t" + advice,
		"RDATE;VALUE=DATE:20260310\tadvise dates.start-form /0",
		"RDATE;VALUE=DATE:20260309\tadvise dates.start-form /0, " + advice,
		"RDATE;VALUE=PERIOD:20260310T130000Z/PT1H\t",
		"RDATE;VALUE=PERIOD:20260310T120000Z/PT2H\t" + advice,
		"RDATE:20260230T130000Z\tdates.form /0",
		"EXDATE:20260301T130000Z\tadvise exdate-misses /0",
	})
	runTable(t, occasion.Insert, nil, []string{"RDATE:19990101T000000Z\t"})
	runTable(t, occasion.Update, &allDay, []string{
		"RDATE;VALUE=DATE:20260310\t",
		"RDATE;VALUE=DATE:20260309\t" + advice,
	})
}

func TestRepeatedLines(t *testing.T) {
	runTable(t, occasion.Insert, &timed, []string{
		"RRULE:FREQ=DAILY;COUNT=3|RRULE:FREQ=DAILY;COUNT=3\tadvise line.repeated /1",
		"RRULE:FREQ=DAILY;COUNT=3|EXDATE:20260311T130000Z|RRULE:FREQ=DAILY;COUNT=3|RRULE:FREQ=DAILY;COUNT=3\tadvise line.repeated /2, advise line.repeated /3",
		"RRULE:FREQ=DAILY;COUNT=3|RRULE:COUNT=3;FREQ=DAILY\t",
		"RRULE:FREQ=DAILY;COUNT=3|rrule:FREQ=DAILY;COUNT=3\t",
		"RRULE:FREQ=DAILY;COUNT=0|RRULE:FREQ=DAILY;COUNT=0\trule.count-until /0, rule.count-until /1",
	})
	runTable(t, diag.Response, &timed, []string{"RRULE:FREQ=DAILY|RRULE:FREQ=DAILY\t"})
}
