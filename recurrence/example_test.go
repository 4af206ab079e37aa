package recurrence_test

import (
	"fmt"
	"log"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/recurrence"
)

func Example() {
	set, err := recurrence.Parse([]string{"RRULE:FREQ=MONTHLY;BYDAY=-1FR", "EXDATE;VALUE=DATE:20260626"})
	if err != nil {
		log.Fatal(err)
	}
	series, err := set.Compile(recurrence.StartDate(2026, time.April, 24))
	if err != nil {
		log.Fatal(err)
	}
	summer := time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)
	for day, err := range series.Between(summer, summer.AddDate(0, 3, 0)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(day.Format(time.DateOnly))
	}
	// Output:
	// 2026-07-31
	// 2026-08-28
}

func ExampleCheck() {
	start := recurrence.StartTime(time.Date(2026, time.March, 10, 9, 0, 0, 0, newYork))
	lines := []string{
		"RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260602T090000",
		"EXDATE;TZID=America/New_York:20260317T250000",
	}
	var report diag.Report
	recurrence.Lines{Texts: lines, Start: start}.Check(diag.Create, &report, "/recurrence")
	for _, f := range report.Findings {
		fmt.Println(f)
	}
	// Output:
	// /recurrence/0: UNTIL=20260602T090000 is not in UTC, which a start with a zone requires; convert it and add a Z. [recurrence.rule.until-form]
	// /recurrence/1: At character 30: "20260317T250000" has an invalid time of day; correct it. [recurrence.dates.form]
}

func ExampleSet_Explain() {
	start := recurrence.StartTime(time.Date(2026, time.March, 10, 9, 0, 0, 0, newYork))
	for _, lines := range [][]string{
		{"RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=12"},
		{"RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20260331T130000Z", "EXDATE:20260317T090000"},
	} {
		set, err := recurrence.Parse(lines)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(set.Explain(start))
	}
	// Output:
	// The second Tuesday of every month at 09:00 America/New_York, 12 times.
	// Every weekday at 09:00 America/New_York until 31 March 2026, except on 17 March 2026.
}

func ExampleSeries_Count() {
	set, err := recurrence.Parse([]string{"RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"})
	if err != nil {
		log.Fatal(err)
	}
	series, err := set.Compile(recurrence.StartDate(2026, time.March, 13))
	if err != nil {
		log.Fatal(err)
	}
	n, more, err := series.Count(1_000_000)
	fmt.Println(n, more, err)
	// Output:
	// 13715 false <nil>
}

func ExampleSet_String() {
	set, err := recurrence.Parse([]string{"rrule:byday=fr,mo;wkst=mo;freq=weekly;interval=1"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set)
	// Output:
	// RRULE:FREQ=WEEKLY;BYDAY=MO,FR
}

// A set made of values, for the recurrence member of an event.
func ExampleSet_Lines() {
	set := &recurrence.Set{
		Rules: []*recurrence.Rule{{
			Freq:      recurrence.Weekly,
			ByDay:     []recurrence.ByDay{{Day: time.Tuesday}},
			Until:     recurrence.UTCValue(time.Date(2026, time.June, 2, 9, 0, 0, 0, newYork)),
			WeekStart: time.Monday,
		}},
		ExDates: []*recurrence.Dates{{
			TZID:   "America/New_York",
			Values: []recurrence.Value{recurrence.LocalValue(time.Date(2026, time.March, 17, 9, 0, 0, 0, newYork))},
		}},
	}
	for _, line := range set.Lines() {
		fmt.Println(line)
	}
	fmt.Println(set.Rules[0].Until.Time(newYork))
	// Output:
	// RRULE:FREQ=WEEKLY;UNTIL=20260602T130000Z;BYDAY=TU
	// EXDATE;TZID=America/New_York:20260317T090000
	// 2026-06-02 09:00:00 -0400 EDT
}

func ExampleSeries_Next() {
	set, err := recurrence.Parse([]string{"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"})
	if err != nil {
		log.Fatal(err)
	}
	series, err := set.Compile(recurrence.StartDate(2024, time.February, 29))
	if err != nil {
		log.Fatal(err)
	}
	next, ok, err := series.Next(time.Date(2097, time.January, 1, 0, 0, 0, 0, time.UTC))
	fmt.Println(next.Format(time.DateOnly), ok, err)
	// Output:
	// 2104-02-29 true <nil>
}
