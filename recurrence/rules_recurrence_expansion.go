package recurrence

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

var expansion = diag.Rule{
	ID: "recurrence.expansion", Describes: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent, Reads: reads,
	Summary: "The recurrence is expanded in the start's zone. The start is the first instance, unless EXDATE excludes it or UNTIL is before it.",
	Section: "calendar.md, Event resource, start and timeZone",
	Why:     "A meeting at nine stays at nine when the clock changes: the local time repeats, not an interval in hours.",
	Good:    expanded{"2026-03-07", "09:00:00", "10:00:00", "RRULE:FREQ=DAILY;COUNT=2", []string{"2026-03-07 -05:00", "2026-03-08 -04:00"}},
	Bad:     expanded{"2026-03-07", "09:00:00", "10:00:00", "RRULE:FREQ=DAILY;COUNT=1", []string{"2026-03-07 -05:00"}},
}

// timesOn returns the start and end members of an event in New York, as JSON.
func timesOn(date, from, to, offset string) string {
	const zone = `","timeZone":"America/New_York"}`
	return `"start":{"dateTime":"` + date + "T" + from + offset + zone + `,"end":{"dateTime":"` + date + "T" + to + offset + zone
}

// expanded is an input line for `calrules expand --ndjson` about an event in New York, and the response.
type expanded struct {
	date, from, to, line string
	instances            []string // the date of each instance, followed by its UTC offset
}

func (e expanded) Example() diag.Example {
	var list []string
	for _, i := range e.instances {
		date, offset, _ := strings.Cut(i, " ")
		list = append(list, "{"+timesOn(date, e.from, e.to, offset)+"}")
	}
	return diag.Example{
		Request: "{" + timesOn(e.date, e.from, e.to, "") + "," + sample.Recurrence(e.line) + "}",
		Answer:  `{"instances":[` + strings.Join(list, ",") + `]}`,
	}
}

var expansionGap = diag.Rule{
	ID: "recurrence.expansion.gap", Describes: diag.Effect, When: diag.All, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "A local time that does not exist is omitted before BYSETPOS and COUNT are applied. A local time that occurs twice means " +
		"the first occurrence.",
	Section: "RFC 5545 3.3.5, 3.3.10",
	Why:     "A reader that shifts such a time, or counts an instance that it leaves out, ends the series on a different day.",
	Good:    expanded{"2024-03-09", "02:30:00", "03:30:00", "RRULE:FREQ=DAILY;COUNT=2", []string{"2024-03-09 -05:00", "2024-03-11 -04:00"}},
	Bad:     expanded{"2024-03-09", "03:30:00", "04:30:00", "RRULE:FREQ=DAILY;COUNT=2", []string{"2024-03-09 -05:00", "2024-03-10 -04:00"}},
}

var expansionBounded = diag.Rule{
	ID: "recurrence.expansion.bounded", Describes: diag.Effect, When: diag.All, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: reads,
	Summary: "No rule, however sparse or contradictory, can make an expansion hang, panic or use unbounded memory.",
	Section: "inferred",
	Why:     "Anyone who can write an event chooses its rules, and every program that reads the event pays for their expansion.",
	// 30 February does not exist, so COUNT is never reached.
	Good: expanded{"2026-03-10", "09:00:00", "10:00:00", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1", []string{"2026-03-10 -04:00"}},
	Bad:  expanded{"2026-03-10", "09:00:00", "10:00:00", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28;COUNT=1", []string{"2026-03-10 -04:00", "2027-02-28 -05:00"}},
}
