package event

import (
	"time"

	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/recurrence"
)

// moment is a [Time] as it was understood.
type moment struct {
	form  form
	known bool            // whether the day, or the instant, is known
	date  limits.Date     // of a known all-day moment
	at    time.Time       // the instant of a known timed moment
	civil limits.DateTime // of a timed moment, as it is written
	zone  *time.Location  // of timeZone; nil where there is none, or no known one
	lost  bool            // a timeZone is given that is no known one
}

// form is what a [Time] holds, be it readable or not.
type form uint8

const (
	noForm form = iota // neither date nor dateTime, or both
	allDay
	timed
)

func readMoment(t *Time) moment {
	switch {
	case t == nil:
		return moment{}
	case t.Date != "" && t.DateTime == "":
		date, ok := limits.ParseDate(t.Date)
		return moment{form: allDay, known: ok, date: date}
	case t.Date == "" && t.DateTime != "":
		return readTimed(t)
	default:
		return moment{}
	}
}

// readTimed reads a dateTime. Its instant is known by its offset or, without one, by its zone.
func readTimed(t *Time) moment {
	civil, ok := limits.ParseDateTime(t.DateTime)
	m := moment{form: timed, civil: civil}
	m.zone, _ = zone.Load(t.TimeZone)
	m.lost = t.TimeZone != "" && m.zone == nil
	switch {
	case !ok:
	case civil.HasOffset:
		m.known, m.at = true, civil.Time()
	case m.zone != nil:
		m.known, m.at = true, zone.Instant(civil.Time(), m.zone)
	}
	return m
}

// compare orders two moments of one form. ok is false where the documents give them no
// order.
func (m moment) compare(other moment) (order int, ok bool) {
	switch {
	case !m.known || !other.known || m.form != other.form:
		return 0, false
	case m.form == allDay:
		return m.date.Compare(other.date), true
	default:
		return m.at.Compare(other.at), true
	}
}

// recurrence returns the moment as what a series is measured from, or nil where it is none:
// a timed series without a zone is expanded in its offset. One in a zone that nobody knows
// takes place nobody knows when.
func (m moment) recurrence() *recurrence.Start {
	var start recurrence.Start
	switch {
	case !m.known, m.lost:
		return nil
	case m.form == allDay:
		start = recurrence.StartDate(m.date.Year, time.Month(m.date.Month), m.date.Day)
	case m.zone == nil:
		start = recurrence.StartTime(m.at.In(time.FixedZone("", m.civil.Offset)))
	case m.civil.HasOffset:
		start = recurrence.StartTime(m.at.In(m.zone))
	default:
		start = recurrence.StartClock(m.civil.Time(), m.zone)
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
