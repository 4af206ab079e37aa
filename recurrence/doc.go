// Package recurrence reads, checks and expands the recurrence of a calendar event: its
// RRULE, EXRULE, RDATE and EXDATE lines (RFC 5545 sections 3.3.10 and 3.8.5).
//
// [Check] reports on the lines of a request by rule id; it is what a server calls.
// [Parse] reads lines into a [Set], which is a value and expands to nothing; [Compile]
// checks a set against the [Start] of its event and gives a [Series], which does expand:
//
//	set, err := recurrence.Parse([]string{"RRULE:FREQ=MONTHLY;BYDAY=-1FR"})
//	...
//	series, err := recurrence.Compile(set, recurrence.StartTime(start))
//	...
//	for t, err := range series.Between(from, to) { ... }
//
// [Series.Next], [Series.Before], [Series.Contains] and [Series.Count] answer single
// questions without going through the series. [Explain] says a set in English.
//
// How a rule is read. The text is RFC 5545's. Where it leaves room, RFC 8984 section
// 4.3.3 decides, which states recurrence as an algorithm: take every second of a period
// (the year, month, week, day, hour, minute or second that FREQ names), keep those that
// every BY part matches, then those at the places that BYSETPOS names. Parts that are
// missing are filled in from the start first: a YEARLY rule with BYMONTHDAY and without
// BYMONTH means the start's month, one with BYWEEKNO and without BYDAY the start's weekday.
//
// All of this happens on the clock of the start's zone. A clock time that does not exist
// there, because the clock was put forward, is left out and not counted (RFC 5545 section
// 3.3.10; [Options] can shift it instead); of a clock time that occurs twice the first is
// meant (section 3.3.5). An hourly rule therefore steps by clock hours, not by elapsed ones.
//
// The start is the first instance, also where no rule gives it; COUNT does not count it
// then. It is none where EXDATE or EXRULE takes it out, or where there are RRULEs and the
// UNTIL of every one lies before it. Nothing lies before the start, RDATE included.
//
// A Set and a Series are safe for concurrent use as long as nobody writes to the Set.
// Nothing here opens a file, reads a clock or waits: what a rule costs is bounded by a
// budget, and work that would exceed it ends with a [*BudgetError].
package recurrence
