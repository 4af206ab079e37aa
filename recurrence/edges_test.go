package recurrence_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/recurrence"
)

// A line keeps 32 faults, and the first that rejects it.
func TestFaultsAreBounded(t *testing.T) {
	extensions := ""
	for i := range 40 {
		extensions += fmt.Sprintf(";X-%d=1", i)
	}
	for _, test := range []struct {
		line            string
		rejects, others int
	}{
		{"RRULE:FREQ=DAILY;BYMONTHDAY=" + strings.TrimSuffix(strings.Repeat("99,", 40), ","), 32, 0},
		{"RRULE:FREQ=DAILY" + extensions, 0, 32},
		{"RRULE:FREQ=DAILY" + extensions + ";BYMONTHDAY=99,98", 1, 32},
	} {
		found := recurrence.Lines{Texts: []string{test.line}}.Check().Findings
		rejects := len(found.OfKind(diag.Reject))
		if rejects != test.rejects || len(found)-rejects != test.others {
			t.Errorf("%.60s: %d reject and %d do not, want %d and %d", test.line, rejects, len(found)-rejects, test.rejects, test.others)
		}
	}
	// The first eight findings propose the line without the part. There is no room for the advice about the last semicolon.
	found := recurrence.Lines{Texts: []string{"RRULE:FREQ=DAILY" + extensions + ";"}, Dialect: diag.Google}.Check().Findings
	fixed := slices.DeleteFunc(slices.Clone(found), func(f diag.Finding) bool { _, ok := f.Arg("fixed"); return !ok })
	if len(found) != 32 || len(fixed) != 8 {
		t.Errorf("%d findings, of which %d propose a line", len(found), len(fixed))
	}
	if set := parseLines(t, "RRULE:FREQ=DAILY"+extensions); len(set.Rules[0].Extra) != 32 {
		t.Errorf("%s: %d parts", set, len(set.Rules[0].Extra))
	}
}

// Every way in which a part of a line can be cut short or be odd is a fault of the line.
func TestOddLines(t *testing.T) {
	for line, want := range map[string]string{
		"RRULE:FREQ=DAILY\t":                                     "recurrence.line.syntax",
		"RRULE:FREQ=DAILY;BYMONTHDAY=1,,2":                       "recurrence.rule.part",
		"RRULE:FREQ=DAILY;COUNT=":                                "recurrence.rule.part",
		"RRULE:FREQ=DAILY;COUNT=-":                               "recurrence.rule.part",
		"RRULE:FREQ=DAILY;BYMONTHDAY=+":                          "recurrence.rule.part",
		"RRULE:FREQ=DAILY;AB=1":                                  "recurrence.rule.part",
		"RRULE:FREQ=DAILY;XYZ=1":                                 "recurrence.rule.part",
		"RDATE;VALUE=PERIOD:20260310T090000Z/20260311":           "recurrence.dates.form",
		"EXDATE:20260311T130000X":                                "recurrence.dates.form",
		"EXDATE:20260311T130099Z":                                "recurrence.dates.form",
		"EXDATE:2026":                                            "recurrence.dates.form",
		"RDATE;VALUE=PERIOD:20260310T090000Z/P1":                 "recurrence.dates.form",
		"RDATE;VALUE=PERIOD:20260310T090000Z/T1H":                "recurrence.dates.form",
		"RRULE:FREQ=WEEKLY;BYDAY=MO,MO":                          "",
		"EXDATE:20261231T235960Z":                                "", // a leap second
		"EXDATE;TZID=America/New_York;X-A=\"b\":20260311T090000": "",
	} {
		var got []string
		for _, f := range (recurrence.Lines{Texts: []string{line}}).Check().Findings {
			got = append(got, f.Rule.ID)
		}
		if want != "" && !slices.Contains(got, want) || want == "" && got != nil {
			t.Errorf("%q: %v, want %s", line, got, want)
		}
	}
}

// nothingLeft is a set whose exclusions leave nothing, so that a search for an instance exceeds its budget.
var nothingLeft = []string{"RRULE:FREQ=SECONDLY", "EXRULE:FREQ=SECONDLY;BYSECOND=" + numbers(0, 59)}

// A search that exceeds its budget is an error of every question.
func TestQuestionsOverBudget(t *testing.T) {
	set, err := recurrence.Parse(nothingLeft)
	if err != nil {
		t.Fatal(err)
	}
	series := compile(t, set, timed)
	from, to := timed.Time(), timed.Time().AddDate(40, 0, 0)
	over := func(name string, err error) {
		t.Helper()
		if e, ok := errors.AsType[*recurrence.BudgetError](err); !ok || e.Error() == "" {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	_, _, err = series.AtOrAfter(from)
	over("AtOrAfter", err)
	_, _, err = series.Before(to)
	over("Before", err)
	_, err = series.With(recurrence.Options{Budget: 1}).Contains(from.AddDate(1, 0, 0))
	over("Contains", err)
	_, err = set.Exclude(timed.With(recurrence.Options{Budget: 1}), from.AddDate(1, 0, 0))
	over("Exclude", err)
	alone := &recurrence.Set{Rules: set.Rules, ExRules: set.ExRules, RDates: []*recurrence.Dates{{Values: []recurrence.Value{recurrence.UTCValue(to)}}}}
	alone.ExRules[0].Until = recurrence.UTCValue(to.Add(-1))
	_, err = alone.Exclude(timed, to)
	over("Exclude, of the only instance", err)
	miss := &recurrence.Dates{Values: []recurrence.Value{recurrence.UTCValue(to), recurrence.UTCValue(to)}}
	_, _, err = series.With(recurrence.Options{Budget: 1}).FirstUnmatched(miss)
	over("FirstUnmatched", err)
	for _, err := range series.InstancesBackward(from, to) {
		over("InstancesBackward", err)
	}
	daily, err := unmarshal("RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20260310")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = set.Equal(daily, timed)
	over("Equal", err)
	_, _, err = daily.Equal(set, timed)
	over("Equal, the other way", err)
	once, err := unmarshal("RRULE:FREQ=DAILY;COUNT=1")
	if err != nil {
		t.Fatal(err)
	}
	more, err := unmarshal("RRULE:FREQ=DAILY;COUNT=1\nRRULE:FREQ=SECONDLY;BYMONTH=4\nEXRULE:FREQ=SECONDLY;BYMONTH=4;BYSECOND=" + numbers(0, 59))
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = once.Equal(more, timed)
	over("Equal, behind equal instances", err)
	for pair, err := range series.Conflicts(compile(t, daily, timed), from, to) {
		over(fmt.Sprint("Conflicts ", pair), err)
	}
	if _, _, err := set.Split(timed, from); err == nil {
		t.Error("a set without instances is split")
	}
	both := &recurrence.BudgetError{Steps: 7, All: true}
	if all, one := both.Error(), (&recurrence.BudgetError{Steps: 7}).Error(); all == one {
		t.Error("the budget of one instance reads as the budget of all")
	}
}

// A set that no lines can express, or whose start is unknown, is not split, truncated or compared.
func TestEditsOfInvalidSets(t *testing.T) {
	broken := &recurrence.Set{Rules: []*recurrence.Rule{{Freq: recurrence.Daily, ByMonthDay: []int{99}}}}
	at := timed.Time().AddDate(0, 0, 3)
	daily := parseText(t, "RRULE:FREQ=DAILY")
	for name, edit := range map[string]func(*recurrence.Set, recurrence.Start) error{
		"Split":    func(s *recurrence.Set, start recurrence.Start) error { _, _, err := s.Split(start, at); return err },
		"Truncate": func(s *recurrence.Set, start recurrence.Start) error { _, err := s.Truncate(start, at); return err },
		"Move":     func(s *recurrence.Set, start recurrence.Start) error { _, err := s.Move(start, timed); return err },
		"Equal":    func(s *recurrence.Set, start recurrence.Start) error { _, _, err := s.Equal(daily, start); return err },
	} {
		if _, ok := errors.AsType[*recurrence.InvalidError](edit(broken, timed)); !ok {
			t.Errorf("%s of an invalid set: %v", name, edit(broken, timed))
		}
		if edit(parseText(t, "RRULE:FREQ=WEEKLY"), recurrence.Start{}) == nil {
			t.Errorf("%s takes a start that is not known", name)
		}
	}
}

// Empty lists of dates, which only a program can make, mean nothing.
func TestEmptyDates(t *testing.T) {
	set := &recurrence.Set{Rules: []*recurrence.Rule{{Freq: recurrence.Daily, Count: 2}}, RDates: []*recurrence.Dates{{}}, ExDates: []*recurrence.Dates{{}}}
	if got := upTo(compile(t, set, timed), 9); len(got) != 2 {
		t.Errorf("the set has %d instances, want 2", len(got))
	}
	to := recurrence.StartTime(timed.Time().Add(time.Hour))
	if moved, err := set.Move(timed, to); err != nil || len(upTo(compile(t, moved, to), 9)) != 2 {
		t.Errorf("the set moves to %s, %v", moved, err)
	}
}

// The words for unusual rules.
func TestExplainUnusual(t *testing.T) {
	for lines, want := range map[string]string{
		"RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=12,13":             "Every month on the 12th and the 13th if the day is a Friday, at 09:00 America/New_York, starting on 10 March 2026 at 09:00.",
		"RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=-1":                "Every month on the last day if the day is a Friday, at 09:00 America/New_York, starting on 10 March 2026 at 09:00.",
		"RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=1":  "Every week on the first day of the week at 09:00 America/New_York, starting on 10 March 2026 at 09:00.",
		"RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO,TU,WE,TH,FR":       "Every year in week 20 of the year on every weekday at 09:00 America/New_York, starting on 10 March 2026 at 09:00.",
		"RRULE:FREQ=DAILY;BYHOUR=9,10;BYSETPOS=1":                  "Every day, only the first of these: at 09:00 and 10:00 America/New_York.",
		"RRULE:FREQ=HOURLY;BYSETPOS=1;BYMINUTE=0,30":               "Every hour, only the first of these: at minutes 0 and 30, America/New_York time.",
		"RRULE:FREQ=DAILY;UNTIL=99991231T235959Z":                  "Every day at 09:00 America/New_York until 31 December 9999.",
		"RRULE:FREQ=DAILY\nEXDATE:20260312T140000Z":                "Every day at 09:00 America/New_York, except on 12 March 2026 at 10:00.",
		"RRULE:FREQ=DAILY\nEXDATE:20261101T060000Z":                "Every day at 09:00 America/New_York, except on 1 November 2026 at 01:00 (the second time).",
		"RDATE:20261101T063000Z,20261101T053000Z":                  "On 10 March 2026 at 09:00 America/New_York, also on 1 November 2026 at 01:30 and 1 November 2026 at 01:30 (the second time).",
		"RDATE;TZID=America/New_York:99991231T235959":              "On 10 March 2026 at 09:00 America/New_York, also on 31 December 9999 at 23:59:59.",
		"RRULE:FREQ=MONTHLY;BYDAY=1FR;BYMONTHDAY=6":                "Every month on the 6th if the day is the first Friday of the month, at 09:00 America/New_York, starting on 10 March 2026 at 09:00.",
		"RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO,TU,WE,TH,FR,SA,SU": "Every year in week 20 of the year on every day at 09:00 America/New_York, starting on 10 March 2026 at 09:00.",
		"RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=TU;BYMONTHDAY=10":       "Every Tuesday the 10th in March at 09:00 America/New_York.",
	} {
		if got := parseText(t, lines).Explain(timed); got != want {
			t.Errorf("%s:\n%s, want\n%s", lines, got, want)
		}
	}
	if got := recurrence.Form(9).String(); got == "" {
		t.Error("a form out of range has no text")
	}
}
