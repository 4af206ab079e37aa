package recurrence_test

import (
	"fmt"
	"log"
	"time"

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

func ExampleLines_Check() {
	start := recurrence.StartTime(time.Date(2026, time.March, 10, 9, 0, 0, 0, newYork))
	lines := []string{
		"RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260602T090000",
		"EXDATE;TZID=America/New_York:20260317T250000",
	}
	for _, f := range (recurrence.Lines{Texts: lines, Start: start}).Check().Findings {
		fmt.Println(f)
	}
	// Output:
	// /0: UNTIL=20260602T090000 is not in UTC, which a start with a zone requires. Write 20260602T130000Z. [recurrence.rule.until-form]
	// /1: At character 30: "20260317T250000" has an invalid time of day. Correct the time. [recurrence.dates.form]
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

// A series as rrule-go writes it, with an UNTIL that is not in UTC.
func ExampleRead() {
	r, err := recurrence.Read("DTSTART;TZID=America/New_York:20260310T090000\nRRULE:FREQ=WEEKLY;UNTIL=20260331T090000;")
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range r.Advice {
		fmt.Println(a.Message)
	}
	fmt.Println(r.Lines)
	series, err := r.Set.Compile(r.Start)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(series.Count(100))
	// Output:
	// The rule ends with a semicolon. Remove the semicolon.
	// UNTIL=20260331T090000 is not in UTC, which a start with a zone requires. Write 20260331T130000Z.
	// [RRULE:FREQ=WEEKLY;UNTIL=20260331T130000Z]
	// 4 false <nil>
}

// A meeting on Tuesdays gets another rule from its third instance on.
func ExampleSet_Split() {
	set, err := recurrence.Parse([]string{"RRULE:FREQ=WEEKLY;COUNT=10", "EXDATE:20260407T130000Z"})
	if err != nil {
		log.Fatal(err)
	}
	start := recurrence.StartTime(time.Date(2026, time.March, 10, 9, 0, 0, 0, newYork))
	before, after, err := set.Split(start, time.Date(2026, time.March, 24, 9, 0, 0, 0, newYork))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(before.Lines())
	fmt.Println(after.Lines())
	// Output:
	// [RRULE:FREQ=WEEKLY;COUNT=2]
	// [RRULE:FREQ=WEEKLY;COUNT=8 EXDATE:20260407T130000Z]
}

// Monday moves to Wednesday, and so does the exclusion.
func ExampleSet_Move() {
	set, err := recurrence.Parse([]string{"RRULE:FREQ=WEEKLY;BYDAY=MO", "EXDATE;VALUE=DATE:20260316"})
	if err != nil {
		log.Fatal(err)
	}
	moved, err := set.Move(recurrence.StartDate(2026, time.March, 9), recurrence.StartDate(2026, time.March, 11))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(moved.Lines())
	// Output: [RRULE:FREQ=WEEKLY;BYDAY=WE EXDATE;VALUE=DATE:20260318]
}

// Two ways to write one series.
func ExampleSet_Equal() {
	start := recurrence.StartDate(2026, time.March, 10) // a Tuesday
	weekly, err := recurrence.Parse([]string{"RRULE:FREQ=WEEKLY;COUNT=3"})
	if err != nil {
		log.Fatal(err)
	}
	tuesdays, err := recurrence.Parse([]string{"RRULE:FREQ=DAILY;BYDAY=TU;UNTIL=20260330"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(weekly.Equal(tuesdays, start))
	// Output: true true <nil>
}

// The first meeting that is under way during another one.
func ExampleSeries_Conflicts() {
	series := func(line string, day, hour int) *recurrence.Series {
		set, err := recurrence.Parse([]string{line})
		if err != nil {
			log.Fatal(err)
		}
		begin := time.Date(2026, time.March, day, hour, 0, 0, 0, newYork)
		compiled, err := set.Compile(recurrence.StartTime(begin).Until(begin.Add(2 * time.Hour)))
		if err != nil {
			log.Fatal(err)
		}
		return compiled
	}
	daily, weekly := series("RRULE:FREQ=DAILY", 10, 9), series("RRULE:FREQ=WEEKLY", 12, 10)
	window := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	for pair, err := range daily.Conflicts(weekly, window, window.AddDate(0, 1, 0)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(pair[0].Start.Format(time.DateTime), pair[1].Start.Format(time.DateTime))
		break
	}
	// Output: 2026-03-12 09:00:00 2026-03-12 10:00:00
}
