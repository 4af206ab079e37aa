package event

import (
	"time"

	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/recurrence"
)

// moment is a [Time] as it was understood.
type moment struct {
	form form
	date limits.Date    // of an all-day moment
	at   time.Time      // of a timed moment whose instant is known, in its offset or zone
	zone *time.Location // of timeZone; nil where there is none, or no known one
}

// form is what a [Time] holds.
type form uint8

const (
	unreadable form = iota // absent, malformed, or neither or both of date and dateTime
	allDay
	timed    // with a known instant
	floating // without: neither an offset nor a known zone
)

func readMoment(t *Time) moment {
	if t == nil || (t.Date == "") == (t.DateTime == "") {
		return moment{}
	}
	if t.Date != "" {
		date, ok := limits.ParseDate(t.Date)
		if !ok {
			return moment{}
		}
		return moment{form: allDay, date: date}
	}
	civil, ok := limits.ParseDateTime(t.DateTime)
	if !ok {
		return moment{}
	}
	m := moment{form: timed}
	m.zone, _ = zone.Load(t.TimeZone)
	switch {
	case civil.HasOffset:
		m.at = civil.Time()
	case m.zone != nil:
		m.at = zone.Instant(civil.Time(), m.zone)
	default:
		m.form = floating
	}
	return m
}

// isTimed reports whether the moment is no day, be its instant known or not.
func (m moment) isTimed() bool { return m.form == timed || m.form == floating }

// compare orders two moments of one form. ok is false where the documents give them no
// order.
func (m moment) compare(other moment) (order int, ok bool) {
	switch {
	case m.form == allDay && other.form == allDay:
		return m.date.Days() - other.date.Days(), true
	case m.form == timed && other.form == timed:
		return m.at.Compare(other.at), true
	default:
		return 0, false
	}
}

// recurrence returns the moment as what a series is measured from, or nil where it is none:
// a timed series without a zone is expanded in its offset.
func (m moment) recurrence() *recurrence.Start {
	var start recurrence.Start
	switch {
	case m.form == allDay:
		start = recurrence.StartDate(m.date.Year, time.Month(m.date.Month), m.date.Day)
	case m.form == timed && m.zone != nil:
		start = recurrence.StartTime(m.at.In(m.zone))
	case m.form == timed:
		start = recurrence.StartTime(m.at)
	default:
		return nil
	}
	return &start
}

// instant returns the moment as package recurrence has it: a day is its midnight in UTC.
func (m moment) instant() time.Time {
	if m.form == allDay {
		return time.Date(m.date.Year, time.Month(m.date.Month), m.date.Day, 0, 0, 0, 0, time.UTC)
	}
	return m.at
}
