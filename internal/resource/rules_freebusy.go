package resource

import (
	"slices"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
)

var freebusyBody = diag.Rule{
	ID: "freebusy.body", Kind: diag.Reject, When: diag.FreebusyQuery, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "A free/busy query must have timeMin and a later timeMax, RFC 3339 timestamps with an offset; each item must have an id; a " +
		"timeZone must be a name in the IANA Time Zone Database; calendarExpansionMax should be at most 50 and groupExpansionMax at most " +
		"100.",
	Section:  sectionObserved,
	Seen:     `A query without timeMin gets 400: "Missing timeMin parameter."; times without an offset, and dates, get 400 too.`,
	Reported: []string{"aaronsb/google-workspace-mcp#98", "googleapis/google-api-nodejs-client#3145", "kewisch/gdata-provider#246"},
	Why:      "The timeZone affects only the response: timeMin and timeMax still need an offset.",
	OnlyIn:   new(diag.Google),
	Good:     request{"freebusy.query", `{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-17T00:00:00Z","items":[{"id":"primary"}]}`},
	Bad:      request{"freebusy.query", `{"timeMax":"2026-03-17T00:00:00Z","items":[{"id":"primary"}]}`},
	Says: slices.Concat(constraint.SaysRequired(nil), constraint.FreebusyTime.Says(), constraint.IANAZone.Says(),
		constraint.CalendarExpansion.Says(), diag.Sentences{
			{Key: "order", Text: "The timeMax is not after timeMin, so the range is empty. Send a later timeMax or an earlier timeMin."},
		}),
	Check: of(checkFreebusy),
}

func checkFreebusy(in *input, q *FreeBusy, r engine.Reporter) {
	for _, t := range []text{{"timeMin", q.TimeMin, &q.extra}, {"timeMax", q.TimeMax, &q.extra}} {
		in.require(r, "", t, in.on)
		allow(r, "", t, constraint.FreebusyTime)
	}
	if first, last, ok := q.bounds(); ok && last.Compare(first) <= 0 {
		r.Report("/timeMax", "order")
	}
	allow(r, "", text{"timeZone", q.TimeZone, &q.extra}, constraint.IANAZone)
	for i := range q.Items {
		if item := &q.Items[i]; !item.extra.Element() {
			in.require(r, diag.Pointer("/items").Index(i), text{"id", item.ID, &item.extra}, in.on)
		}
	}
	advise := r.WithKind(diag.Advise)
	if n := q.CalendarExpansionMax; n != nil && !constraint.CalendarExpansion.HasInt(*n) {
		constraint.CalendarExpansion.ReportInt(advise, "/calendarExpansionMax", "calendarExpansionMax", *n)
	}
	if n := q.GroupExpansionMax; n != nil && !constraint.GroupExpansion.HasInt(*n) {
		constraint.GroupExpansion.ReportInt(advise, "/groupExpansionMax", "groupExpansionMax", *n)
	}
}

// bounds returns the time range of the query, or false if one of the times is not valid.
func (q *FreeBusy) bounds() (first, last time.Time, ok bool) {
	from, _ := form.ParseDateTime(q.TimeMin)
	to, _ := form.ParseDateTime(q.TimeMax)
	if !from.HasOffset || !to.HasOffset { // an invalid time
		return first, last, false
	}
	return from.Time(), to.Time(), true
}

var freebusyRange = diag.Rule{
	ID: "freebusy.range", Kind: diag.Advise, When: diag.FreebusyQuery, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The range of a free/busy query should be at most about 90 days.",
	Section:  sectionObserved,
	Reason:   "timeRangeTooLong",
	Seen:     `A query of three months gets 400: "The requested time range is too long." Users who hit the limit found it to be 90 days.`,
	Reported: []string{"calcom/cal.diy#11696", "calcom/cal.diy#11962", "calcom/cal.diy#18237"},
	OnlyIn:   new(diag.Google),
	Good:     request{"freebusy.query", `{"timeMin":"2026-03-01T00:00:00Z","timeMax":"2026-05-30T00:00:00Z","items":[{"id":"primary"}]}`},
	Bad:      request{"freebusy.query", `{"timeMin":"2026-03-01T00:00:00Z","timeMax":"2026-06-01T00:00:00Z","items":[{"id":"primary"}]}`},
	Says: diag.Sentences{{Key: "long", Text: "The range covers {n|day|days}; the public service refuses more than about {limit}. " +
		"Send several queries."}},
	Check: of(checkFreebusyRange),
}

func checkFreebusyRange(_ *input, q *FreeBusy, r engine.Reporter) {
	const most = constraint.FreebusyDaysMax
	const day = 24 * 60 * 60
	first, last, ok := q.bounds()
	seconds := last.Unix() - first.Unix() // a time.Duration is limited to 292 years
	if more := last.Nanosecond() - first.Nanosecond(); more > 0 {
		seconds++
	}
	if ok && seconds > most*day {
		r.Report("/timeMax", "long", diag.Number("n", (seconds+day-1)/day), diag.Number("limit", most))
	}
}
