package recurrence_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/recurrence"
)

// TestAmbiguousMeaning tests that a message says what the expansion does.
func TestAmbiguousMeaning(t *testing.T) {
	for _, c := range []struct{ rule, second, meaning string }{
		{"FREQ=YEARLY;BYMONTHDAY=10", "2027-03-10", "calrules, it means the month of the start"},
		{"FREQ=YEARLY;BYMONTHDAY=10;BYYEARDAY=69,100", "2026-04-10", "calrules, it means every one"},
		{"FREQ=YEARLY;BYMONTHDAY=10;BYWEEKNO=11,24;BYDAY=TU,WE", "2026-06-10", "calrules, it means every one"},
		{"FREQ=YEARLY;BYMONTHDAY=10;BYDAY=2TU", "2037-03-10", "calrules, both refer to the month of the start"},
		{"FREQ=YEARLY;BYMONTHDAY=10;BYYEARDAY=69,100;BYDAY=10TU,14FR", "2037-03-10", "calrules, the number counts within the year"},
		{"FREQ=MONTHLY;BYMONTHDAY=10;BYDAY=2TU", "2026-11-10", "calrules, the number counts within the month"},
		{"FREQ=YEARLY;BYWEEKNO=11", "2027-03-16", "calrules, it means the weekday of the start"},
		{"FREQ=YEARLY;BYWEEKNO=11;BYYEARDAY=69,70", "2026-03-11", "calrules, it means every one"},
		{"FREQ=YEARLY;BYMONTH=3;BYWEEKNO=11;BYMONTHDAY=10,11", "2026-03-11", "calrules, it means every one"},
	} {
		found := recurrence.Lines{Texts: []string{"RRULE:" + c.rule}, Start: timed}.Check().Findings
		if len(found) != 1 || !strings.Contains(found[0].Message(), c.meaning) {
			t.Errorf("%s: %v, want that %s", c.rule, found, c.meaning)
		}
		if got := instances(t, timed, "RRULE:"+c.rule+";COUNT=2"); !strings.HasPrefix(got[1], c.second) {
			t.Errorf("%s: %v, want %s after the start", c.rule, got, c.second)
		}
	}
}

// TestAmbiguousFirstPeriod tests that what BYSETPOS chooses from the first year of the calendar, which has no year before
// it, gets no advice.
func TestAmbiguousFirstPeriod(t *testing.T) {
	for _, test := range []struct {
		start recurrence.Start
		rule  string
		want  bool
	}{
		{recurrence.StartDate(0, 3, 1), "FREQ=YEARLY;BYMONTH=1,3;BYMONTHDAY=1;BYSETPOS=1", false},
		{recurrence.StartDate(1, 3, 1), "FREQ=YEARLY;BYMONTH=1,3;BYMONTHDAY=1;BYSETPOS=1", true},
		{recurrence.StartDate(2026, 3, 10), "FREQ=MONTHLY;BYMONTHDAY=10,20;BYSETPOS=1", false},
		{recurrence.StartDate(2026, 3, 10), "FREQ=MONTHLY;BYMONTHDAY=1,10;BYSETPOS=2", true},
		{recurrence.StartDate(2026, 3, 10), "FREQ=YEARLY;BYWEEKNO=10,11;BYDAY=TU;BYSETPOS=2", false}, // weeks of two years
		{recurrence.StartTime(time.Date(2026, 3, 10, 9, 30, 30, 0, newYork)), "FREQ=DAILY;BYSECOND=0,30;BYSETPOS=1", true},
		{recurrence.StartDate(2026, 3, 10), "FREQ=MONTHLY;BYMONTHDAY=1,10;BYSETPOS=2,-1", false}, // the last one is the start in any case
	} {
		if got := slices.Contains(check(diag.Insert, &test.start, "RRULE:"+test.rule), "advise rule.ambiguous /0"); got != test.want {
			t.Errorf("%s from %s: there is advice: %t", test.rule, test.start.Time(), got)
		}
	}
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
	if got := check(diag.Insert, &timed, lines...); len(got) > 1 {
		t.Errorf("%v", got)
	}
}
