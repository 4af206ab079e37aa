package event

import (
	"cmp"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence"
)

// standing is the newest copy of an exception, together with its instance.
type standing struct {
	event    *Event
	index    int       // the index among the exceptions of the series
	original time.Time // the start of the instance according to the recurrence
	replaces bool      // whether the exception replaces an instance
	rewrite  bool      // whether the originalStartTime is missing, or its form differs from the start of the series
}

// match returns the newest copy of each exception, together with its instance.
func (x *expansion) match() ([]standing, error) {
	list, err := x.placed()
	list = newest(list, func(s *standing) (string, bool) { return s.event.ID, s.event.ID != "" })
	return newest(list, func(s *standing) (time.Time, bool) { return s.original.UTC(), s.replaces }), err
}

// placed returns the exceptions that belong to the series, including all copies.
//
// An exception replaces the instance at its originalStartTime. If the series has no instance at that time, or if the
// originalStartTime is missing or its form differs from the form of the start of the series, the id of the exception may
// identify the instance, as in the public service. If the id identifies no instance either, the exception replaces the instance
// on the same day; see [expansion.ofDay].
func (x *expansion) placed() (list []standing, err error) {
	search := x.searching(len(x.series.Exceptions))
	for i, e := range x.series.Exceptions {
		if e == nil || e.RecurringEventID != x.series.Event.ID {
			continue
		}
		s, ok, err := x.stand(e, search)
		if err != nil {
			return nil, err
		}
		if s.event, s.index = e, i; ok {
			list = append(list, s)
		}
	}
	return list, nil
}

// Limits on the number of steps for finding the instances of exceptions, in total and for each exception. The minimum for each
// exception takes precedence over the total.
const (
	stepsForExceptions     = 4 << 20
	leastStepsPerException = 1 << 12
	mostStepsPerException  = 1 << 20
)

// searching returns the instances of the recurrence, with a budget for each of n searches for an instance.
func (x *expansion) searching(n int) *recurrence.Series {
	options := x.series.Options
	options.Budget = min(max(stepsForExceptions/max(n, 1), leastStepsPerException), mostStepsPerException)
	return x.set.With(options)
}

// stand finds the instance that an exception replaces. The result ok is false if the exception does not belong to the series.
func (x *expansion) stand(e *Event, search *recurrence.Series) (s standing, ok bool, err error) {
	original := parseTime(e.OriginalStartTime)
	place, hasPlace := x.place(original)
	named, isNamed := x.namedBy(e.ID)
	if hasPlace && original.form == x.start.form {
		s = standing{original: place, replaces: true}
		if !isNamed || named.Equal(place) {
			return s, true, nil
		}
		if isInstance, err := search.Contains(place); isInstance || err != nil {
			return s, true, err
		}
	}
	if isNamed {
		if isInstance, err := search.Contains(named); isInstance || err != nil {
			return standing{original: named, replaces: true, rewrite: true}, true, err
		}
	}
	if s.replaces {
		return s, true, nil
	}
	at, isInstance, err := x.ofDay(original, search)
	if isInstance || err != nil {
		return standing{original: at, replaces: true, rewrite: true}, true, err
	}
	return standing{original: place}, hasPlace, nil
}

// namedBy returns the original start at the end of an instance id, or false if there is none, or if its form differs from the
// form of the start of the series.
func (x *expansion) namedBy(id string) (at time.Time, ok bool) {
	suffix := id[strings.LastIndexByte(id, '_')+1:]
	if len(suffix) == len(id) || (len(suffix) == len(idDate)) != (x.start.form == allDay) {
		return at, false
	}
	at, ok = originalStart(suffix)
	return at.In(x.set.Start().Time().Location()), ok
}

// ofDay finds the instance for an original start whose form differs from the form of the start of the series. In a
// timed series, a date identifies the first instance on that day in the zone of the series. In an all-day series, a
// time identifies the instance on the day that [expansion.dayOf] returns.
func (x *expansion) ofDay(original parsedTime, search *recurrence.Series) (at time.Time, ok bool, err error) {
	switch {
	case original.form == allDay && original.known:
		in := x.set.Start().Time().Location()
		midnight := original.instant()
		from, to := zone.Instant(midnight, in), zone.Instant(midnight.AddDate(0, 0, 1), in)
		for at, err := range search.Between(from, to) {
			return at, err == nil, err
		}
	case x.start.form == allDay && original.form == timed && original.isDateTime:
		at = x.dayOf(original)
		ok, err = search.Contains(at)
	}
	return at, ok, err
}

// dayOf returns the day that a time represents in an all-day series. Exchange servers write a day as the midnight at which it
// begins, in the zone of the time, in the zone of the series, or in UTC. The offset of a time with a timeZone is ignored,
// because servers write times with the offset of any zone, such as the calendar's. For a time without a timeZone, the local
// time as written is used. Any time other than midnight represents the date in its zone. If neither zone is known, a time in
// UTC represents the day with the nearest midnight, because zones are between 11 hours behind and 13 hours ahead of UTC.
func (x *expansion) dayOf(p parsedTime) time.Time {
	const day = 24 * time.Hour
	own := p.civil.Time().Add(time.Duration(p.civil.Offset) * time.Second)
	clocks := []time.Time{own}
	named := p.namedZone()
	if named != nil {
		own = clockOf(p.at().In(named))
		clocks = []time.Time{own, p.at().UTC()}
	}
	if of := cmp.Or(x.start.dayZone(), x.series.Zone); of != nil && p.known {
		clocks = append(clocks, clockOf(p.at().In(of)))
	}
	for _, clock := range clocks {
		if clock.Equal(clock.Truncate(day)) {
			return clock
		}
	}
	if len(clocks) == 1 && p.civil.HasOffset && p.civil.Offset == 0 {
		const mostAhead = 13 * time.Hour
		own = own.Add(mostAhead)
	}
	return own.Truncate(day)
}

// newest returns the newest exception for each key.
func newest[K comparable](list []standing, key func(*standing) (K, bool)) (kept []standing) {
	at := map[K]int{}
	for i := range list {
		s := &list[i]
		k, ok := key(s)
		first, seen := at[k]
		switch {
		case !ok:
			kept = append(kept, *s)
		case !seen:
			at[k] = len(kept)
			kept = append(kept, *s)
		case isNewer(s.event, kept[first].event):
			kept[first] = *s
		}
	}
	return kept
}

// isNewer reports whether a copy of an exception replaces an earlier copy in the list, by comparing sequence and then updated,
// but skipping a member that either copy lacks.
func isNewer(later, earlier *Event) bool {
	if hasSequence(later) && hasSequence(earlier) && later.Sequence != earlier.Sequence {
		return later.Sequence > earlier.Sequence
	}
	is, err := time.Parse(time.RFC3339Nano, later.Updated)
	was, wasErr := time.Parse(time.RFC3339Nano, earlier.Updated)
	return err != nil || wasErr != nil || !is.Before(was)
}

func hasSequence(e *Event) bool {
	return e.Sequence != 0 || e.extra.WasSent("sequence") && !e.extra.Null("sequence")
}

// Standing returns the exceptions that are in effect, which are the newest copies in s.Exceptions. Copies have the same
// id or replace the same instance. Standing returns the same errors as [Series.Instances].
func (s Series) Standing() ([]*Event, error) {
	x, err := newExpansion(s)
	if err != nil {
		return nil, err
	}
	matched, err := x.match()
	var list []*Event
	for _, m := range matched {
		list = append(list, m.event)
	}
	return list, err
}

// Advice returns advice about exceptions that replace an instance although their originalStartTime is missing, or differs in
// form from the start of the series. The path of each finding begins with the index of the exception. Advice returns the same
// errors as [Series.Instances].
func (s Series) Advice(in diag.Dialect) (diag.Findings, error) {
	x, err := newExpansion(s)
	if err != nil {
		return nil, err
	}
	matched, err := x.match()
	out := engine.Part(in)
	for _, m := range matched {
		if m.rewrite {
			r := out.For(&originalStartMember, diag.Pointer("").Index(m.index))
			adviseOriginalStart(r, m.event.OriginalStartTime, x.startAt(m.original))
		}
	}
	return out.Findings, err
}
