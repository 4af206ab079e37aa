package recurrence_test

import (
	"slices"
	"time"

	"github.com/calrules/calrules/recurrence"
)

// The model does only what RFC 5545 section 3.3.10 and RFC 8984 section 4.3.3 say: for each period it tries every day, and for
// each day every second that matches the time parts. It shares no arithmetic with the package. Clocks are times in UTC.

// modelRule returns the clocks of a rule from the start's on and before end, without COUNT. BYSETPOS looks only at the
// clocks that exist.
func modelRule(r *recurrence.Rule, start, end time.Time, exists func(time.Time) bool) []time.Time {
	r = fillIn(r, start)
	var all []time.Time
	for k := 0; ; k++ {
		begin, next := modelPeriod(r, start, k)
		if !begin.Before(end) {
			return all
		}
		set := modelSetPos(r, modelCandidates(r, begin, next), exists)
		for _, c := range set {
			if !c.Before(start) && c.Before(end) {
				all = append(all, c)
			}
		}
	}
}

// fillIn has the steps by which RFC 8984 completes a rule.
func fillIn(r *recurrence.Rule, start time.Time) *recurrence.Rule {
	c := *r
	f := c.Freq
	if f != recurrence.Secondly && len(c.BySecond) == 0 {
		c.BySecond = []int{start.Second()}
	}
	if f > recurrence.Minutely && len(c.ByMinute) == 0 {
		c.ByMinute = []int{start.Minute()}
	}
	if f > recurrence.Hourly && len(c.ByHour) == 0 {
		c.ByHour = []int{start.Hour()}
	}
	today := []recurrence.ByDay{{Day: start.Weekday()}}
	if f == recurrence.Weekly && len(c.ByDay) == 0 {
		c.ByDay = today
	}
	if f == recurrence.Monthly && len(c.ByDay) == 0 && len(c.ByMonthDay) == 0 {
		c.ByMonthDay = []int{start.Day()}
	}
	if f == recurrence.Yearly && len(c.ByYearDay) == 0 {
		if len(r.ByMonth) == 0 && len(r.ByWeekNo) == 0 && (len(r.ByMonthDay) > 0 || len(r.ByDay) == 0) {
			c.ByMonth = []int{int(start.Month())}
		}
		if len(r.ByMonthDay) == 0 && len(r.ByWeekNo) == 0 && len(r.ByDay) == 0 {
			c.ByMonthDay = []int{start.Day()}
		}
		if len(r.ByWeekNo) > 0 && len(r.ByMonthDay) == 0 && len(r.ByDay) == 0 {
			c.ByDay = today
		}
	}
	return &c
}

// modelPeriod returns the bounds of the k-th period of a rule.
func modelPeriod(r *recurrence.Rule, start time.Time, k int) (begin, next time.Time) {
	n := k * int(max(r.Interval, 1))
	y, m, d := start.Date()
	switch r.Freq {
	case recurrence.Yearly:
		begin = time.Date(y+n, 1, 1, 0, 0, 0, 0, time.UTC)
		return begin, begin.AddDate(1, 0, 0)
	case recurrence.Monthly:
		begin = time.Date(y, m+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		return begin, begin.AddDate(0, 1, 0)
	case recurrence.Weekly:
		begin = time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
		for begin.Weekday() != r.WeekStart {
			begin = begin.AddDate(0, 0, -1)
		}
		begin = begin.AddDate(0, 0, 7*n)
		return begin, begin.AddDate(0, 0, 7)
	case recurrence.Daily:
		begin = time.Date(y, m, d+n, 0, 0, 0, 0, time.UTC)
		return begin, begin.AddDate(0, 0, 1)
	}
	unit := map[recurrence.Freq]time.Duration{
		recurrence.Hourly: time.Hour, recurrence.Minutely: time.Minute, recurrence.Secondly: time.Second,
	}[r.Freq]
	begin = start.Truncate(unit).Add(time.Duration(n) * unit)
	return begin, begin.Add(unit)
}

// modelCandidates returns the seconds of a period that match all BY parts except BYSETPOS.
func modelCandidates(r *recurrence.Rule, begin, end time.Time) []time.Time {
	var all []time.Time
	y, m, d := begin.Date()
	for i := 0; ; i++ {
		day := time.Date(y, m, d+i, 0, 0, 0, 0, time.UTC)
		if !day.Before(end) {
			return all
		}
		if !modelDay(r, day) {
			continue
		}
		for h := range 24 {
			if hour := day.Add(time.Duration(h) * time.Hour); !listed(r.ByHour, h) || !overlap(hour, time.Hour, begin, end) {
				continue
			}
			for past := range 60 {
				minute := day.Add(time.Duration(60*h+past) * time.Minute)
				if !listed(r.ByMinute, past) || !overlap(minute, time.Minute, begin, end) {
					continue
				}
				for s := range 60 {
					c := time.Date(y, m, d+i, h, past, s, 0, time.UTC)
					leap := s == 59 && len(r.BySecond) > 0 && listed(r.BySecond, 60)
					if (listed(r.BySecond, s) || leap) && !c.Before(begin) && c.Before(end) {
						all = append(all, c)
					}
				}
			}
		}
	}
}

// overlap reports whether the time of a length from t on and the period have a second in common.
func overlap(t time.Time, length time.Duration, begin, end time.Time) bool {
	return t.Before(end) && begin.Before(t.Add(length))
}

func listed(list []int, n int) bool { return len(list) == 0 || slices.Contains(list, n) }

// modelDay reports whether a day matches all parts about days.
func modelDay(r *recurrence.Rule, day time.Time) bool {
	lastOfMonth := time.Date(day.Year(), day.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	lastOfYear := time.Date(day.Year(), 12, 31, 0, 0, 0, 0, time.UTC).YearDay()
	var week, weeks int
	if len(r.ByWeekNo) > 0 {
		week, weeks = modelWeek(day, r.WeekStart)
	}
	return listed(r.ByMonth, int(day.Month())) &&
		(listed(r.ByWeekNo, week) || slices.Contains(r.ByWeekNo, week-weeks-1)) &&
		(listed(r.ByYearDay, day.YearDay()) || slices.Contains(r.ByYearDay, day.YearDay()-lastOfYear-1)) &&
		(listed(r.ByMonthDay, day.Day()) || slices.Contains(r.ByMonthDay, day.Day()-lastOfMonth-1)) &&
		(len(r.ByDay) == 0 || slices.ContainsFunc(r.ByDay, func(d recurrence.ByDay) bool {
			if d.Day != day.Weekday() {
				return false
			}
			place, last := day.YearDay(), lastOfYear
			if r.Freq == recurrence.Monthly || len(r.ByMonth) > 0 {
				place, last = day.Day(), lastOfMonth
			}
			return d.N == 0 || d.N == (place-1)/7+1 || -d.N == (last-place)/7+1
		}))
}

// modelWeek returns the number of the week of a day and how many weeks its year has. Week 1 is the
// first one with four days in the year.
func modelWeek(day time.Time, wkst time.Weekday) (week, weeks int) {
	first := day
	for first.Weekday() != wkst {
		first = first.AddDate(0, 0, -1)
	}
	fourth := first.AddDate(0, 0, 3) // in the year that the week belongs to
	week = (fourth.YearDay()-1)/7 + 1
	weeks = week
	for d := fourth.AddDate(0, 0, 7); d.Year() == fourth.Year(); d = d.AddDate(0, 0, 7) {
		weeks++
	}
	return week, weeks
}

func modelSetPos(r *recurrence.Rule, set []time.Time, exists func(time.Time) bool) []time.Time {
	if len(r.BySetPos) == 0 {
		return set
	}
	set = slices.DeleteFunc(set, func(c time.Time) bool { return !exists(c) })
	var chosen []time.Time
	for i, c := range set {
		if slices.Contains(r.BySetPos, i+1) || slices.Contains(r.BySetPos, i-len(set)) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// modelInstant returns the first instant at which the zone's clock shows c. ok is false if it never
// does. It tries every offset that the zone has within a day and a half.
func modelInstant(c time.Time, zone *time.Location) (at time.Time, ok bool) {
	for h := -36; h <= 36; h++ {
		_, offset := c.Add(time.Duration(h) * time.Hour).In(zone).Zone()
		u := c.Add(-time.Duration(offset) * time.Second).In(zone)
		if _, has := u.Zone(); has == offset && (!ok || u.Before(at)) {
			at, ok = u, true
		}
	}
	return at, ok
}

// modelSeries returns the instances of a set with one rule before the clock end.
func modelSeries(r *recurrence.Rule, start, end time.Time, shift bool) []time.Time {
	all := modelInstances(r, start, end, shift)
	if modelUntil(r.Until, clockOf(start), start) {
		return nil
	}
	return unite([]time.Time{start}, all)
}

// modelInstances returns the instances of a rule before the clock end, without the start. COUNT counts in the order of clocks.
func modelInstances(r *recurrence.Rule, start, end time.Time, shift bool) []time.Time {
	clock := clockOf(start)
	var all []time.Time
	var n int64
	exists := func(c time.Time) bool {
		_, ok := modelInstant(c, start.Location())
		return ok || c.Equal(clock) || shift
	}
	for _, c := range modelRule(r, clock, end, exists) {
		at, ok := modelInstant(c, start.Location())
		switch {
		case c.Equal(clock):
			at = start
		case !ok && shift:
			at = modelShifted(c, start.Location())
		case !ok:
			continue
		}
		if at.Before(start) || modelUntil(r.Until, c, at) {
			continue
		}
		if n++; r.Count > 0 && n > r.Count {
			break
		}
		all = append(all, at)
	}
	return unite(all)
}

// modelShifted returns the instant of a clock that does not exist, with the offset before the gap:
// that of the last instant with an earlier clock.
func modelShifted(c time.Time, zone *time.Location) time.Time {
	u := c.Add(-36 * time.Hour)
	for clockOf(u.Add(time.Minute).In(zone)).Before(c) {
		u = u.Add(time.Minute)
	}
	_, offset := u.In(zone).Zone()
	return c.Add(-time.Duration(offset) * time.Second).In(zone)
}

// unite returns the distinct instants of the lists in order.
func unite(lists ...[]time.Time) []time.Time {
	all := slices.Concat(lists...)
	slices.SortFunc(all, time.Time.Compare)
	return slices.CompactFunc(all, time.Time.Equal)
}

// modelUntil reports whether UNTIL ends a rule before an instance.
func modelUntil(u recurrence.Value, clock, at time.Time) bool {
	switch u.Form {
	case recurrence.Date:
		return clock.Unix() >= u.Clock+86400
	case recurrence.UTC:
		return at.Unix() > u.Clock
	}
	return false
}
