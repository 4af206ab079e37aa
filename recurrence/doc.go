// Package recurrence parses, checks and expands the recurrence of a calendar event: its RRULE, EXRULE, RDATE and EXDATE
// lines (RFC 5545 sections 3.3.10 and 3.8.5).
//
// Servers call [Lines.Check], which reports every problem in the lines of a request together with the id of the rule. To
// expand a recurrence, [Parse] its lines into a [Set] and [Set.Compile] the set with the [Start] of its event. The result
// is a [Series]:
//
//	set, err := recurrence.Parse([]string{"RRULE:FREQ=MONTHLY;BYDAY=-1FR"})
//	...
//	series, err := set.Compile(recurrence.StartTime(start).Until(end))
//	...
//	for t, err := range series.Between(from, to) { ... }
//
// [Read] reads and corrects recurrences written by other libraries or stored in files, including their start.
// [Set.Split], [Set.Move], [Set.Rezone], [Set.Exclude] and [Set.Add] derive new sets from a set.
//
// [Series.Next], [Series.Before], [Series.Contains] and [Series.Count] answer a question without visiting every instance.
// If the start includes the length of the event (see [Start.Until]), [Series.Overlapping] yields the instances in
// progress during a window of time. [Set.Explain] describes a set in English.
//
// # How rules are expanded
//
// Expansion follows RFC 5545. Where RFC 5545 is ambiguous, expansion uses the algorithm in RFC 8984 section 4.3.3: take every
// second of a period (the year, month, week, day, hour, minute or second that FREQ names), keep the seconds that match every BY
// part, and from these select the positions that BYSETPOS lists. Missing parts are first filled in from the start: a YEARLY
// rule with BYMONTHDAY but without BYMONTH applies in the month of the start, and numbers in its BYDAY count within that month
// (unless [Options] selects all months); a rule with BYWEEKNO but without BYDAY applies on the weekday of the start.
//
// Rules are expanded in local time, in the zone of the start. A local time that does not exist is dropped before BYSETPOS
// and COUNT are applied (RFC 5545 section 3.3.10), or shifted if the [Options] say so. A local time that occurs twice
// refers to its first occurrence (section 3.3.5).
//
// The start is the first instance even if no rule matches it; COUNT then does not count the start. The start is not an instance
// if an EXDATE or EXRULE excludes it, or if there are RRULEs and each has an UNTIL before the start. There are no instances
// before the start, not even from RDATE.
//
// # Concurrency and cost
//
// A Set and a Series are safe for concurrent use as long as the Set is not modified. A budget limits the cost of every rule: an
// operation that would exceed the budget returns a [*BudgetError].
package recurrence
