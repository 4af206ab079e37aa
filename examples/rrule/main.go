// Command rrule writes the instances of a rule. The command wraps package recurrence in the API of rrule-go; a program can use
// this file to switch from rrule-go.
package main

import (
	"fmt"
	"iter"
	"log"
	"time"

	"github.com/calrules/calrules/recurrence"
)

// RRule is a recurrence with the methods of a rule and a set in rrule-go. RRule interprets rules like rrule-go: the start is an
// instance only if the rule matches it, BYMONTHDAY in a yearly rule applies to each month, BYWEEKNO selects each day of the
// week, and a time that the clock skips moves with the clock.
type RRule struct{ series *recurrence.Series }

// StrToRRule parses recurrence lines with a DTSTART, like StrToRRule and StrToRRuleSet in rrule-go.
func StrToRRule(text string) (*RRule, error) {
	reading, err := recurrence.Read(text)
	if err != nil {
		return nil, err
	}
	series, err := reading.Set.Compile(reading.Start)
	if err != nil {
		return nil, err
	}
	return &RRule{series.With(recurrence.Options{OnlyMatches: true, AllMonths: true, AllWeekdays: true, Shift: true})}, nil
}

// All returns all instances. For a rule without an end, use Iterator.
func (r *RRule) All() []time.Time { return taken(r.series.All()) }

// Between returns the instances between two times. If inc is true, Between includes instances at the two times.
func (r *RRule) Between(after, before time.Time, inc bool) []time.Time {
	if inc {
		return taken(r.series.Between(after, before.Add(1)))
	}
	return taken(r.series.Between(after.Add(1), before))
}

// After returns the first instance after a time, or the zero time if there is none. If inc is true, After may also return an
// instance at that time.
func (r *RRule) After(at time.Time, inc bool) time.Time {
	find := r.series.Next
	if inc {
		find = r.series.AtOrAfter
	}
	next, _, _ := find(at)
	return next
}

// Before returns the last instance before a time, or the zero time if there is none. If inc is true, Before may also return an
// instance at that time.
func (r *RRule) Before(at time.Time, inc bool) time.Time {
	if inc {
		at = at.Add(1)
	}
	last, _, _ := r.series.Before(at)
	return last
}

// Iterator returns a function that returns the next instance, or false after the last instance.
func (r *RRule) Iterator() func() (time.Time, bool) {
	next, _ := iter.Pull2(r.series.All())
	return func() (time.Time, bool) {
		at, err, ok := next()
		return at, ok && err == nil
	}
}

// taken returns the instances before any error, because rrule-go does not report errors.
func taken(instances iter.Seq2[time.Time, error]) (list []time.Time) {
	for at, err := range instances {
		if err != nil {
			break
		}
		list = append(list, at)
	}
	return list
}

func main() {
	r, err := StrToRRule("DTSTART;TZID=Europe/Berlin:20260310T090000\nRRULE:FREQ=MONTHLY;BYWEEKDAY=TU(+2);COUNT=3")
	if err != nil {
		log.Fatal(err)
	}
	for _, at := range r.All() {
		fmt.Println(at)
	}
}
