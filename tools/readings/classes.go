package main

import (
	"strings"
	"time"

	"github.com/calrules/calrules/recurrence"
)

// class is a recurrence rule that libraries interpret differently, or that is often misread.
type class struct {
	name, says  string
	start, rule string
}

const zoneName = "America/New_York"

var classes = []class{
	{"A start that does not match the rule", `"The recurrence set generated with a 'DTSTART' property value not synchronized with the recurrence rule is undefined" (3.8.5.3). The option OnlyMatches omits the start.`,
		"2026-03-10T09:00:00", "FREQ=WEEKLY;BYDAY=MO"},
	{"COUNT and a start that does not match the rule", `"The 'DTSTART' property value always counts as the first occurrence" (3.3.10). The public service adds COUNT instances to the start; the option CountStart follows the RFC literally.`,
		"2026-03-10T09:00:00", "FREQ=WEEKLY;BYDAY=MO;COUNT=3"},
	{"BYWEEKNO without BYDAY", `Information missing in the rule is taken from DTSTART (3.3.10): the day of the week.`,
		"2026-03-10T09:00:00", "FREQ=YEARLY;BYWEEKNO=20;COUNT=3"},
	{"BYMONTHDAY without BYMONTH in a yearly rule", `RFC 8984 section 4.3.3 takes the month from the start; RFC 5545 leaves it open. The option AllMonths uses every month.`,
		"2026-03-10T09:00:00", "FREQ=YEARLY;BYMONTHDAY=10;COUNT=4"},
	{"BYDAY without numbers in a yearly rule", `A value with a number is the nth such day in the period; a value without a number is every such day (3.3.10).`,
		"2026-03-10T09:00:00", "FREQ=YEARLY;BYDAY=TU;COUNT=3"},
	{"BYDAY with a number in a yearly rule", `Without BYMONTH, the number counts within the year (3.3.10).`,
		"2026-05-18T09:00:00", "FREQ=YEARLY;BYDAY=20MO;COUNT=3"},
	{"BYDAY with a number and BYMONTH", `The number counts within the month if BYMONTH is present (3.3.10, note 2).`,
		"2026-03-10T09:00:00", "FREQ=YEARLY;BYMONTH=3;BYDAY=2TU;COUNT=3"},
	{"BYMONTHDAY and BYDAY", `BYDAY limits if BYMONTHDAY is present (3.3.10, note 1).`,
		"2026-03-13T09:00:00", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3"},
	{"A day that some months do not have", `Instances with "an invalid date" MUST be ignored (3.3.10).`,
		"2026-01-31T09:00:00", "FREQ=MONTHLY;COUNT=4"},
	{"29 February", `Instances with "an invalid date" MUST be ignored (3.3.10).`, "2024-02-29T09:00:00", "FREQ=YEARLY;COUNT=3"},
	{"BYSETPOS in the week of the start", `"BYSETPOS operates on a set of recurrence instances in one interval of the recurrence rule" (3.3.10): that is, on the whole week, including the days before the start.`,
		"2026-03-11T09:00:00", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1,2;COUNT=4"},
	{"Week 53", `Week 1 is the first week with at least four days in the year, and only some years have a week 53 (3.3.10).`,
		"2026-12-28T09:00:00", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;COUNT=3"},
	{"Week 1 that begins in December", `A day of week 1 may be in the previous year. The RFC does not specify the interval to which the day belongs.`,
		"2026-03-10T09:00:00", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,TU;COUNT=4"},
	{"INTERVAL and the start of the week", `WKST is significant when a WEEKLY rule has an INTERVAL greater than 1 and BYDAY (3.3.10).`,
		"2026-03-10T09:00:00", "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU;COUNT=4"},
	{"A time that the clock skips", `Instances with a "nonexistent local time" MUST be ignored (3.3.10). The option Shift moves them.`,
		"2026-03-07T02:30:00", "FREQ=DAILY;COUNT=3"},
	{"BYSETPOS and a time that the clock skips", `A "nonexistent local time" MUST be ignored (3.3.10), so the set contains only times that exist.`,
		"2026-03-07T01:30:00", "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=30;BYSETPOS=2;COUNT=3"},
}

// ours returns up to six instances of the rule, according to this library, in local time.
func (c class) ours() string {
	zone, err := time.LoadLocation(zoneName)
	check(err)
	at, err := time.ParseInLocation("2006-01-02T15:04:05", c.start, zone)
	check(err)
	rule, err := recurrence.ParseRule(c.rule)
	check(err)
	series, err := (&recurrence.Set{Rules: []*recurrence.Rule{rule}}).Compile(recurrence.StartTime(at))
	check(err)
	var found []string
	for i, err := range series.All() {
		check(err)
		if len(found) == 6 {
			break
		}
		found = append(found, i.Format("2006-01-02T15:04:05"))
	}
	return strings.Join(found, " ")
}
