package recurrence

import (
	"fmt"
	"slices"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Rezone returns the set and the start in the given zone, with instances at the same instants. Rezone converts the days and
// times of day in rules to the new zone. To keep the local times instead, use [Set.Move] with a start in the new zone.
//
// The error is an [*EditError] if the start is a date, or if the instants would differ because the clocks in the two zones
// change at different times. Rezone compares only the first 10,000 instances. Like [Set.Compile] and [Set.Equal], Rezone can
// also return an [*InvalidError] or a [*BudgetError].
func (s *Set) Rezone(from Start, zone *time.Location) (*Set, Start, error) {
	series, err := s.Compile(from)
	switch {
	case err != nil:
		return nil, Start{}, err
	case zone == nil:
		return nil, Start{}, &EditError{Message: "the new zone is missing"}
	case from.allDay:
		return nil, Start{}, &EditError{Message: "an all-day series has no zone; its instances are on the same dates everywhere"}
	}
	to := StartTime(from.Time().In(zone))
	// If the clock skips the start as written, it may do so in the new zone too.
	written := from.clock + to.clock - from.zone.ClockAt(from.unix)
	if c := StartClock(time.Unix(written, from.fraction).UTC(), zone); c.unix == from.unix {
		to = c
	}
	to.options, to.length = from.options, from.length
	m := newMover(from, to)
	moved, err := s.mapRules(func(r *Rule) (*Rule, error) {
		c, err := m.rule(r)
		if err == nil {
			c.Until = from.untilInForm(r.Until)
		}
		return c, err
	})
	if err != nil {
		return nil, Start{}, err
	}
	for _, d := range s.RDates {
		moved.RDates = append(moved.RDates, series.inUTC(d))
	}
	for _, d := range s.ExDates {
		if d.hasDates() {
			if d, err = series.excludedBy(d); err != nil {
				return nil, Start{}, err
			}
		}
		if len(d.Values) > 0 {
			moved.ExDates = append(moved.ExDates, series.inUTC(d))
		}
	}
	return moved, to, moved.sameAs(to, series, func(at time.Time) time.Time { return at })
}

// mapRules returns a set that contains the result of change for each rule, and no dates.
func (s *Set) mapRules(change func(*Rule) (*Rule, error)) (*Set, error) {
	mapped := &Set{}
	for kind, rules := range [][]*Rule{s.Rules, s.ExRules} {
		for _, r := range rules {
			c, err := change(r)
			if err != nil {
				about := line{kind: []lineKind{rruleLine, exruleLine}[kind], rule: r}
				return nil, &EditError{Line: about.String(), Message: err.Error()}
			}
			to := []*[]*Rule{&mapped.Rules, &mapped.ExRules}[kind]
			*to = append(*to, c)
		}
	}
	return mapped, nil
}

// inUTC converts the values in a line without TZID to UTC, making the values independent of the zone of the start, and returns
// a line with a TZID and a line of an all-day series unchanged.
func (s *Series) inUTC(d *Dates) *Dates {
	if d.TZID != "" || s.start.allDay {
		return d
	}
	r, _ := s.resolver(d)
	utc := func(v Value) Value { return Value{UTC, s.instant(v, &r)} }
	moved := &Dates{}
	for _, v := range d.Values {
		moved.Values = append(moved.Values, utc(v))
	}
	for _, p := range d.Periods {
		begin := s.instant(p.Start, &r)
		moved.Periods = append(moved.Periods, Period{Start: Value{UTC, begin}, End: Value{UTC, s.periodEnd(p, begin, &r)}})
	}
	return moved
}

// excludedBy converts an EXDATE line with dates to an EXDATE line with the instances on those dates. Any error is a
// [*BudgetError].
func (s *Series) excludedBy(d *Dates) (*Dates, error) {
	whole := *s
	whole.expansion = s.expanded().WithoutExDates()
	excluded := &Dates{}
	r := s.local
	for _, v := range d.Values {
		from, _ := r.Resolve(v.Clock)
		to, _ := r.Resolve(v.Clock + civil.SecondsPerDay)
		for at, err := range whole.between(from, to) {
			if err != nil {
				return nil, err
			}
			excluded.Values = append(excluded.Values, UTCValue(at))
		}
	}
	return excluded, nil
}

// sameAs returns an error unless the first 10,000 instances of the set are the results of applying mapped to the instances of a
// series.
func (s *Set) sameAs(start Start, series *Series, mapped func(time.Time) time.Time) error {
	after, err := s.Compile(start)
	if err != nil {
		return err
	}
	want, more, err := firstOf(series)
	if err != nil {
		return err
	}
	for i, at := range want {
		want[i] = mapped(at)
	}
	return after.mustHave(want, more)
}

// firstOf returns the first 10,000 instances of a list of series, and reports whether there may be more. Any error is a
// [*BudgetError]; firstOf then returns the instances before it.
func firstOf(list ...*Series) (all []time.Time, more bool, err error) {
	for _, series := range list {
		for at, err := range series.All() {
			if err != nil || len(all) == mostCompared {
				return all, true, err
			}
			all = append(all, at)
		}
	}
	return all, false, nil
}

// mustHave returns an error unless the series has exactly the wanted instances. If more is true, the series may have
// additional instances after them.
func (s *Series) mustHave(want []time.Time, more bool) error {
	i := 0
	for at, err := range s.All() {
		switch {
		case i == len(want) && more:
			return nil
		case err != nil:
			return err
		case i == len(want):
			return &EditError{Message: fmt.Sprintf("the result would have an additional instance at %s", at.Format(time.RFC3339))}
		case !at.Equal(want[i]):
			return &EditError{Message: fmt.Sprintf("the instance at %s would be at %s", want[i].In(at.Location()).Format(time.RFC3339), at.Format(time.RFC3339))}
		}
		i++
	}
	if i < len(want) {
		return &EditError{Message: fmt.Sprintf("the result would have no instance at %s", want[i].Format(time.RFC3339))}
	}
	return nil
}

// AllDay converts a timed series to an all-day series with an instance on each day on which the timed series has an instance,
// and returns the new set and start. The length becomes a whole number of days, at least one. [Set.Timed] undoes AllDay.
//
// The error is an [*EditError] if the start is a date, or if no recurrence lines produce exactly these days: for example, if the
// series has two instances on the same day, or omits a day on which the clock skips its time. Like [Set.Compile] and
// [Set.Equal], AllDay can also return an [*InvalidError] or a [*BudgetError].
func (s *Set) AllDay(from Start) (*Set, Start, error) {
	series, err := s.Compile(from)
	switch {
	case err != nil:
		return nil, Start{}, err
	case from.allDay:
		return nil, Start{}, &EditError{Message: "the series is already all-day"}
	}
	first, _ := civil.Split(from.clock)
	last, second := civil.Split(from.zone.ClockAt(from.unix + from.length.seconds))
	if second > 0 || last == first {
		last++
	}
	to := Start{allDay: true, clock: first * civil.SecondsPerDay, unix: first * civil.SecondsPerDay, zone: civil.ZoneOf(time.UTC), days: from.zone.Location, options: from.options}
	to.length.seconds = (last - first) * civil.SecondsPerDay
	e := &explainer{converter: newConverter(from)}
	changed, err := s.mapRules(func(r *Rule) (*Rule, error) {
		if r.Freq.SubDaily() {
			return nil, fmt.Errorf("FREQ=%s repeats within the day", r.Freq)
		}
		times := e.times(r).all()
		if len(times) > 1 {
			return nil, fmt.Errorf("the rule has %d times of day", len(times))
		}
		c := r.clone()
		c.ByHour, c.ByMinute, c.BySecond = nil, nil, nil
		if !c.hasLimits() { // there was only one time per period to select from
			c.BySetPos = nil
		}
		if c.Until.Form == UTC {
			day, second := civil.Split(from.zone.ClockAt(c.Until.Clock))
			if second < times[0] {
				day--
			}
			c.Until = Value{Date, day * civil.SecondsPerDay}
		}
		return c, nil
	})
	if err != nil {
		return nil, Start{}, err
	}
	for _, d := range s.RDates {
		changed.RDates = append(changed.RDates, series.days(d, func(int64) bool { return true }))
	}
	for _, d := range s.ExDates {
		if d.hasDates() {
			changed.ExDates = append(changed.ExDates, d)
			continue
		}
		b := series.expanded().NewBudget()
		q := series.expanded().WithoutExDates().Ask(b)
		excluded := series.days(d, q.Contains)
		if err := budgetError(b); err != nil {
			return nil, Start{}, err
		}
		if len(excluded.Values) > 0 {
			changed.ExDates = append(changed.ExDates, excluded)
		}
	}
	return changed, to, changed.sameAs(to, series, func(at time.Time) time.Time { return dayOf(at) })
}

// dayOf returns midnight UTC on the date of an instant in its location.
func dayOf(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
}

// days converts the values in a line to dates, keeping only values whose instants the function selects.
func (s *Series) days(d *Dates, selects func(unix int64) bool) *Dates {
	r, _ := s.resolver(d)
	days := &Dates{}
	add := func(v Value) {
		if unix := s.instant(v, &r); selects(unix) {
			day, _ := civil.Split(s.zone.ClockAt(unix))
			days.Values = append(days.Values, Value{Date, day * civil.SecondsPerDay})
		}
	}
	for _, v := range d.Values {
		add(v)
	}
	for _, p := range d.Periods {
		add(p.Start)
	}
	return days
}

// Timed converts an all-day series to a timed series with an instance at the given local time on each day of the series, and
// returns the new set and start. The local time in the zone is given as a duration: 9 hours means 09:00, even on a day on
// which the clock changes. The first instance has the given length. [Set.AllDay] undoes Timed.
//
// The error is an [*EditError] if the start is not a date, or if the clock skips the given time on a day of the series and the
// instance is not moved: [StartClock] moves the first instance, and [Options.Shift] the others. Like [Set.Compile] and
// [Set.Equal], Timed can also return an [*InvalidError] or a [*BudgetError].
func (s *Set) Timed(from Start, clock time.Duration, zone *time.Location, length time.Duration) (*Set, Start, error) {
	series, err := s.Compile(from)
	const day = civil.SecondsPerDay * time.Second
	switch {
	case err != nil:
		return nil, Start{}, err
	case !from.allDay:
		return nil, Start{}, &EditError{Message: "the series is already timed"}
	case zone == nil || clock < 0 || clock >= day || clock%time.Second != 0:
		return nil, Start{}, &EditError{Message: "a time of day must be from 00:00:00 to 23:59:59, in a zone"}
	}
	seconds := int64(clock / time.Second)
	to := StartClock(from.Time().Add(clock), zone).With(from.options)
	to = to.Until(to.Time().Add(length))
	r := civil.NewResolver(to.zone)
	timed := func(v Value) Value {
		day, _ := civil.Split(v.Clock)
		return Value{Local, day*civil.SecondsPerDay + seconds}
	}
	changed, err := s.mapRules(func(rule *Rule) (*Rule, error) {
		c := rule.clone()
		if c.Until.Form != 0 {
			last, _ := r.Resolve(timed(from.until(c.Until)).Clock)
			c.Until = Value{UTC, last}
		}
		return c, nil
	})
	if err != nil {
		return nil, Start{}, err
	}
	dates := func(list []*Dates) (changed []*Dates) {
		for _, d := range list {
			values := slices.Clone(d.Values)
			for _, p := range d.Periods {
				values = append(values, p.Start)
			}
			c := &Dates{TZID: to.knownZone()}
			for _, v := range values {
				c.Values = append(c.Values, timed(v))
			}
			changed = append(changed, c)
		}
		return changed
	}
	changed.RDates, changed.ExDates = dates(s.RDates), dates(s.ExDates)
	return changed, to, changed.sameAs(to, series, func(at time.Time) time.Time {
		unix, _ := r.Resolve(at.Unix() + seconds)
		return time.Unix(unix, 0)
	})
}

// Join undoes [Set.Split]: it returns a set with the instances of two series, expanded with the options of the first
// start. If the second series does not continue the first, Join returns an [*EditError]. Like [Set.Compile] and
// [Set.Equal], Join can also return an [*InvalidError] or a [*BudgetError].
func (s *Set) Join(start Start, later *Set, at Start) (*Set, error) {
	first, err := s.Compile(start)
	if err != nil {
		return nil, err
	}
	second, err := later.Compile(at.With(start.options))
	if err != nil {
		return nil, err
	}
	last, isFinite, err := first.Last()
	switch {
	case err != nil:
		return nil, err
	case !isFinite || !last.Before(at.Time()):
		return nil, &EditError{Message: "the second series does not begin after the last instance of the first"}
	}
	all, more, err := firstOf(first, second)
	if err != nil {
		return nil, err
	}
	for _, joined := range []*Set{s.joinedRules(later, false), s.joinedRules(later, true)} {
		joined.joinDates(s, later, second)
		series, err := joined.Compile(start)
		if err == nil && series.mustHave(all, more) == nil {
			return joined, nil
		}
	}
	return nil, &EditError{Message: "no rule has the instances of both series; series can be joined only if one continues the other"}
}

// joinedRules returns the rules of the first set with the ends of the second set's rules. If anchored is true, joinedRules uses
// the second set's rules instead, in which [Set.Split] may have written out parts taken from the start.
func (s *Set) joinedRules(later *Set, anchored bool) *Set {
	joined := &Set{}
	for kind, rules := range [][]*Rule{s.Rules, s.ExRules} {
		others := [][]*Rule{later.Rules, later.ExRules}[kind]
		to := []*[]*Rule{&joined.Rules, &joined.ExRules}[kind]
		for i, r := range rules {
			c := r.clone()
			if i < len(others) {
				if anchored {
					c = others[i].clone()
				}
				c.Until, c.Count = others[i].Until, others[i].Count
				if c.Count > 0 {
					c.Count += r.Count
				}
			}
			*to = append(*to, c)
		}
	}
	return joined
}

// joinDates adds the dates of both sets, making the dates of the second set independent of the second start.
func (s *Set) joinDates(first, later *Set, second *Series) {
	s.RDates, s.ExDates = slices.Clone(first.RDates), slices.Clone(first.ExDates)
	for _, d := range later.RDates {
		s.RDates = append(s.RDates, second.inUTC(d))
	}
	for _, d := range later.ExDates {
		if !d.hasDates() {
			d = second.inUTC(d)
		}
		s.ExDates = append(s.ExDates, d)
	}
}
