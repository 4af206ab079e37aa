package recurrence

// Misses returns the first value of an EXDATE line that takes no instance out: neither the
// start nor a rule nor an RDATE of the series gives it, or an EXRULE takes it out as well;
// ok is false where there is none. The line need not be one of the set that the series was
// compiled from, whose EXDATE lines are left aside. A value that [Compile] would refuse takes
// nothing out, in a line whose TZID is no zone none does, and a nil line has no values. The
// error is a [*BudgetError].
func (s *Series) Misses(exdate *Dates) (v Value, ok bool, err error) {
	if exdate == nil {
		return Value{}, false, nil
	}
	b := s.newBudget()
	v, ok = s.withoutExDates().firstMiss(exdate, b)
	if b.over() {
		return Value{}, false, b.err()
	}
	return v, ok, nil
}

func (s *Series) withoutExDates() *Series {
	c := *s
	c.exdates, c.exdays = nil, nil
	return &c
}

// firstMiss is Misses for a series without EXDATE, as far as the budget goes.
func (s *Series) firstMiss(d *Dates, b *budget) (v Value, misses bool) {
	noZone := d.TZID != "" && !isZone(d.TZID)
	r := s.zoneOf(d)
	for _, v := range d.Values {
		switch {
		case noZone || !d.takes(v):
			misses = true
		case v.Form == Date && !s.start.allDay:
			misses = !s.containsDay(v.Clock, b)
		default:
			misses = !s.contains(s.instant(v, &r), b)
		}
		if misses || b.over() {
			return v, misses
		}
	}
	return Value{}, false
}

// containsDay reports whether there is an instance on the day of the start's zone that
// begins with the clock given.
func (s *Series) containsDay(midnight int64, b *budget) bool {
	r := newResolver(s.zone)
	from, _ := r.resolve(midnight)
	to, _ := r.resolve(midnight + secondsPerDay)
	_, ok := s.merge(from, to, b).next()
	return ok
}
