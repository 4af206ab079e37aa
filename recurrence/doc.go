// Package recurrence reads, checks and expands the recurrence of a calendar event: its
// RRULE, EXRULE, RDATE and EXDATE lines (RFC 5545 sections 3.3.10 and 3.8.5).
//
// Servers call [Lines.Check], which reports every problem of a request's lines by rule id. To expand
// a recurrence, [Parse] its lines into a [Set] and [Set.Compile] the set with the [Start] of its
// event. The result is a [Series]:
//
//	set, err := recurrence.Parse([]string{"RRULE:FREQ=MONTHLY;BYDAY=-1FR"})
//	...
//	series, err := set.Compile(recurrence.StartTime(start).Until(end))
//	...
//	for t, err := range series.Between(from, to) { ... }
//
// [Read] reads and corrects recurrences, start included, from other libraries and files. [Set.Split], [Set.Move],
// [Set.Rezone], [Set.Exclude] and [Set.Add] derive new sets from a set.
//
// [Series.Next], [Series.Before], [Series.Contains] and [Series.Count] answer single questions without visiting all
// instances. [Series.Overlapping] yields the instances that are under way in a window, if the start has the length of
// the event ([Start.Until]). [Set.Explain] describes a set in English.
//
// # How rules are expanded
//
// Expansion follows RFC 5545. Where that leaves room, the algorithm of RFC 8984 section 4.3.3 decides: take every second of
// a period (the year, month, week, day, hour, minute or second that FREQ names), keep the seconds that match every BY part,
// and of these only the places that BYSETPOS lists. Missing parts are filled in from the start first: a YEARLY rule with
// BYMONTHDAY and without BYMONTH means the month of the start, and numbers in its BYDAY count in that month ([Options] can
// choose all months instead); a rule with BYWEEKNO and without BYDAY means the weekday of the start.
//
// All of this happens in local time, in the zone of the start. A local time that does not exist is
// left out before BYSETPOS and COUNT look at the set (RFC 5545 section 3.3.10), or shifted if the
// [Options] say so. A local time that occurs twice means its first occurrence (section 3.3.5).
//
// The start is the first instance even if no rule matches it; in that case, COUNT does not count it. It
// is not an instance if EXDATE or EXRULE excludes it, or if there are RRULEs and the UNTIL of
// each is before it. There are no instances before the start, not even from RDATE.
//
// # Concurrency and cost
//
// A Set and a Series are safe for concurrent use as long as the Set is not modified. A budget
// bounds the cost of every rule: work that would exceed it ends with a [*BudgetError].
package recurrence
