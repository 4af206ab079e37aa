package recurrence

import (
	"fmt"
	"slices"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Move returns the set for a series whose start moves from one start to another. With the start to, the result has the same
// instances as s with the start from, each moved by the difference in local time between the two starts. Move rotates weekdays
// and WKST, and moves days of the month, times of day, UNTIL, RDATE and EXDATE. Around a change of the clock, instances can
// differ, as can the instances that BYSETPOS selects.
//
// The error is an [*EditError] if no recurrence lines produce exactly the moved instances: for example, if a day of the
// month would leave its month, an ordinal weekday would move by a number of days other than whole weeks, or a time of day
// would leave its day. Like [Set.Compile], Move can also return an [*InvalidError].
func (s *Set) Move(from, to Start) (*Set, error) {
	if _, err := s.Compile(from); err != nil {
		return nil, err
	}
	if from.allDay != to.allDay || !to.inRange() {
		return nil, &EditError{Message: "the new start is not in the form of the old one"}
	}
	m := newMover(from, to)
	moved, err := s.mapRules(m.rule)
	if err != nil {
		return nil, err
	}
	for _, d := range s.RDates {
		moved.RDates = append(moved.RDates, m.dates(d))
	}
	for _, d := range s.ExDates {
		if m.seconds != 0 && d.hasDates() && (len(s.RDates) > 0 || slices.ContainsFunc(s.Rules, (*Rule).hasTimes)) {
			about := line{kind: exdateLine, dates: d}
			return nil, &EditError{Line: about.String(), Message: "a date excludes the whole day, and the instances of that day would be " +
				"on two days"}
		}
		moved.ExDates = append(moved.ExDates, m.dates(d))
	}
	return moved, nil
}

// hasDates reports whether the values are dates without times.
func (d *Dates) hasDates() bool { return len(d.Values) > 0 && d.Values[0].Form == Date }

// isEmpty reports whether a line has no values.
func (d *Dates) isEmpty() bool { return len(d.Values) == 0 && len(d.Periods) == 0 }

// A mover moves a set by the difference in local time between two starts.
type mover struct {
	converter               // converts values relative to the old start
	to            Start     // the new start
	clock         int64     // the difference in local time, in seconds
	days, seconds int64     // the difference in days, and in time of day
	sameMonth     bool      // both starts are in the same month
	oldDay        time.Time // the day of the old start
	newDay        time.Time
}

func newMover(from, to Start) *mover {
	m := &mover{converter: newConverter(from), to: to, clock: to.clock - from.clock}
	oldDay, oldSecond := civil.Split(from.clock)
	newDay, newSecond := civil.Split(to.clock)
	m.days, m.seconds = newDay-oldDay, newSecond-oldSecond
	m.oldDay, m.newDay = time.Unix(from.clock, 0).UTC(), time.Unix(to.clock, 0).UTC()
	m.sameMonth = m.oldDay.Year() == m.newDay.Year() && m.oldDay.Month() == m.newDay.Month()
	return m
}

// rule returns the moved rule, or an error that explains why the rule cannot be moved.
func (m *mover) rule(r *Rule) (*Rule, error) {
	c := r.clone()
	c.Until = m.until(m.start.until(r.Until))
	if err := m.moveTimes(c); err != nil {
		return nil, err
	}
	if m.days == 0 {
		return c, nil
	}
	return c, m.moveDays(c)
}

// moveTimes moves the times of day that a rule lists. Times of day that a rule takes from the start need no change.
func (m *mover) moveTimes(r *Rule) error {
	switch {
	case m.seconds == 0 || !r.hasTimes():
		return nil
	case r.Freq.SubDaily():
		if r.hasLimits() {
			return fmt.Errorf("the parts of a rule with FREQ=%s cannot move with the time of day", r.Freq)
		}
		return nil
	}
	filled := (&explainer{converter: m.converter}).times(r)
	if len(filled.minutes) > 1 || len(filled.seconds) > 1 {
		if m.seconds%3600 != 0 {
			return fmt.Errorf("its minutes can move only by whole hours")
		}
	}
	var hours []int
	for _, h := range filled.hours {
		at := int64(h*3600+filled.minutes[0]*60+filled.seconds[0]) + m.seconds
		if at < 0 || at >= civil.SecondsPerDay {
			return fmt.Errorf("the time of day %02d:%02d would move to a different day from the others", h, filled.minutes[0])
		}
		hours = append(hours, int(at/3600))
		if len(hours) == 1 && m.seconds%3600 != 0 {
			r.ByMinute, r.BySecond = []int{int(at / 60 % 60)}, []int{int(at % 60)}
		}
	}
	r.ByHour = hours
	return nil
}

// hasLimits reports whether a rule has any BY part other than BYSETPOS.
func (r *Rule) hasLimits() bool {
	return max(len(r.ByMonth), len(r.ByWeekNo), len(r.ByYearDay), len(r.ByMonthDay), len(r.ByDay), len(r.ByHour), len(r.ByMinute), len(r.BySecond)) > 0
}

// moveDays moves the days of a rule.
func (m *mover) moveDays(r *Rule) error {
	ordinals := slices.ContainsFunc(r.ByDay, func(d ByDay) bool { return d.N != 0 })
	plain := max(len(r.ByMonth), len(r.ByWeekNo), len(r.ByYearDay), len(r.ByMonthDay)) == 0
	weekly := plain && !ordinals && len(r.ByDay) > 0 && len(r.BySetPos) == 0 && r.Interval <= 1
	switch {
	case r.Freq <= Weekly && plain, weekly:
		m.rotate(r)
		return nil
	case r.Freq <= Weekly:
		return fmt.Errorf("its days of the month or the year cannot move by %d days", m.days)
	case len(r.ByWeekNo)+len(r.ByYearDay)+len(r.BySetPos) > 0:
		return fmt.Errorf("BYWEEKNO, BYYEARDAY and BYSETPOS cannot move by %d days", m.days)
	case len(r.ByDay) > 0 && len(r.ByMonthDay) > 0, len(r.ByDay) > 0 && !ordinals:
		return fmt.Errorf("its weekdays cannot move by %d days within the months", m.days)
	case ordinals:
		return m.moveOrdinals(r)
	case r.Freq == Yearly && len(r.ByMonth) <= 1 && len(r.ByMonthDay) <= 1 && !m.inAllMonths(r):
		return m.moveDate(r)
	default:
		return m.moveMonthDays(r)
	}
}

// inAllMonths reports whether a yearly rule applies BYMONTHDAY in every month because of [Options.AllMonths].
func (m *mover) inAllMonths(r *Rule) bool {
	return m.start.options.AllMonths && len(r.ByMonth) == 0 && len(r.ByMonthDay) > 0
}

// rotate moves the weekdays of a rule and, where it matters, the first day of the week.
func (m *mover) rotate(r *Rule) {
	turn := func(d time.Weekday) time.Weekday { return time.Weekday(civil.FloorMod(int64(d)+m.days, 7)) }
	for i := range r.ByDay {
		r.ByDay[i].Day = turn(r.ByDay[i].Day)
	}
	if r.Freq == Weekly && (r.Interval > 1 || len(r.BySetPos) > 0) {
		r.WeekStart = turn(r.WeekStart)
	}
}

// The minimum number of days and of whole weeks in a month.
const (
	everyMonthHas      = 28
	everyMonthHasWeeks = 4
)

// moveOrdinals moves weekdays with ordinals that count within a month. Weekdays with ordinals can move only by whole weeks.
func (m *mover) moveOrdinals(r *Rule) error {
	weeks := int(m.days / 7)
	for i := range r.ByDay {
		n := r.ByDay[i].N
		moved := n + weeks
		if m.days%7 != 0 || !m.sameMonth || r.Freq == Yearly && len(r.ByMonth) == 0 || n*moved <= 0 ||
			max(n, -n, moved, -moved) > everyMonthHasWeeks {
			return fmt.Errorf("%s cannot move by %d days within its month", r.ByDay[i], m.days)
		}
		r.ByDay[i].N = moved
	}
	return nil
}

// moveMonthDays moves the days of the month in a rule. A moved day must exist in every month.
func (m *mover) moveMonthDays(r *Rule) error {
	days, fromStart := r.ByMonthDay, len(r.ByMonthDay) == 0
	if fromStart {
		days = []int{m.oldDay.Day()}
	}
	for i, n := range days {
		moved := n + int(m.days)
		if !m.sameMonth || n < 1 || n > everyMonthHas || moved < 1 || moved > everyMonthHas {
			return fmt.Errorf("day %d of the month cannot move by %d days within each month", n, m.days)
		}
		days[i] = moved
	}
	if !fromStart {
		r.ByMonthDay = days
	}
	return nil
}

// moveDate moves the date of a yearly rule. The date can move to another month, but not to another year or past the end
// of February.
func (m *mover) moveDate(r *Rule) error {
	month, day := m.oldDay.Month(), m.oldDay.Day()
	if len(r.ByMonth) > 0 {
		month = time.Month(r.ByMonth[0])
	}
	if len(r.ByMonthDay) > 0 {
		day = r.ByMonthDay[0]
	}
	common := time.Date(2001, month, day+int(m.days), 0, 0, 0, 0, time.UTC)
	leap := time.Date(2004, month, day+int(m.days), 0, 0, 0, 0, time.UTC)
	if day < 1 || month == time.February && day > everyMonthHas || common.Year() != 2001 ||
		common.Day() != leap.Day() || m.oldDay.Year() != m.newDay.Year() {
		return fmt.Errorf("%d %s cannot move by %d days in each year", day, month, m.days)
	}
	if time.Date(2001, month, day, 0, 0, 0, 0, time.UTC).Month() != month {
		return fmt.Errorf("%d %s does not exist", day, month)
	}
	if len(r.ByMonth) > 0 || len(r.ByMonthDay) > 0 {
		r.ByMonth, r.ByMonthDay = []int{int(common.Month())}, []int{common.Day()}
	}
	return nil
}

// until returns the moved value of UNTIL. In a timed series, a date in UNTIL includes the whole day. If the time of day moves,
// the end of that day moves too, and the result is a time instead of a date.
func (m *mover) until(v Value) Value {
	if v.Form != Date || m.start.allDay || m.seconds == 0 {
		return m.value(v)
	}
	r := civil.NewResolver(m.to.zone)
	last, _ := r.Resolve(v.Clock + civil.SecondsPerDay - 1 + m.clock)
	return Value{UTC, last}
}

// value returns the moved value of UNTIL or of an element of a line without TZID.
func (m *mover) value(v Value) Value {
	switch v.Form {
	case Date:
		v.Clock += m.days * civil.SecondsPerDay
	case Local:
		v.Clock += m.clock
	case UTC:
		v.Clock = m.instantOf(v.Clock)
	}
	return v
}

// instantOf returns the instant moved by the difference in local time. The start moves to the new start, even if the clock skips
// either.
func (m *mover) instantOf(unix int64) int64 {
	switch {
	case unix == m.start.unix:
		return m.to.unix
	case m.start.allDay:
		return unix + m.clock
	}
	r := civil.NewResolver(m.to.zone)
	moved, _ := r.Resolve(m.zone.ClockAt(unix) + m.clock)
	return moved
}

// dates returns the moved values of a line, converting local times with a TZID to UTC.
func (m *mover) dates(d *Dates) *Dates {
	r, _ := m.resolver(d)
	move := func(v Value) Value {
		if d.TZID == "" || m.start.allDay { // in an all-day series, only the date counts
			return m.value(v)
		}
		unix, _ := r.Resolve(v.Clock)
		return Value{UTC, m.instantOf(unix)}
	}
	moved := &Dates{}
	for _, v := range d.Values {
		moved.Values = append(moved.Values, move(v))
	}
	for _, p := range d.Periods {
		p.Start = move(p.Start)
		if p.End.Form != 0 {
			p.End = move(p.End)
		}
		moved.Periods = append(moved.Periods, p)
	}
	return moved
}
