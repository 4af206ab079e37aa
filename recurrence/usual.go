package recurrence

import (
	"slices"
	"sync"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Most events that recur have one plain rule, perhaps with a few EXDATEs. This file recognizes such sets, if there is
// nothing to report about them, without expanding them.

// inputs are kept for reuse, with the memory of their lines.
var inputs = sync.Pool{New: func() any { return new(input) }}

// release drops the lines, and keeps the input for reuse.
func (in *input) release() {
	const usual = 8 // lines
	lines := in.lines
	//mutation:accept What memory is kept makes no difference to the results.
	if cap(lines) > usual {
		lines = nil
	}
	for i := range lines {
		lines[i] = line{memory: lines[i].memory}
	}
	*in = input{lines: lines[:0]}
	inputs.Put(in)
}

// grow returns n lines that are empty except for their memory.
func grow(lines []line, n int) []line {
	lines = slices.Grow(lines[:0], n)[:n]
	for i := range lines {
		//mutation:accept A line without memory allocates its own.
		if lines[i].memory == nil {
			lines[i].memory = new(memory)
		}
	}
	return lines
}

// memory is the memory of a line that is kept for reuse: for its rule or its dates.
type memory struct {
	rule  Rule
	dates Dates
}

// newRule returns an empty rule.
func (m *memory) newRule() *Rule {
	if m == nil {
		return &Rule{WeekStart: time.Monday}
	}
	m.rule = Rule{WeekStart: time.Monday, ByDay: m.rule.ByDay[:0], ByMonthDay: m.rule.ByMonthDay[:0]}
	return &m.rule
}

// newDates returns dates without values.
func (m *memory) newDates(zone string) *Dates {
	if m == nil {
		return &Dates{TZID: zone}
	}
	m.dates = Dates{TZID: zone, Values: m.dates.Values[:0]}
	return &m.dates
}

// isUsual reports whether the set is so plain that no rule of this package can have anything to report, and the
// outcome is zero. The lines have been judged.
func (in *input) isUsual() bool {
	const most = 4 // lines
	//mutation:accept Both ways lead to the same result, one of them faster.
	if len(in.lines) > most {
		return false
	}
	for i := range in.lines {
		if len(in.lines[i].faults.list) > 0 {
			return false
		}
	}
	if in.response || in.start.IsZero() {
		return in.response
	}
	rule, ok := in.onlyRule()
	if !ok {
		return false
	}
	p := plainSet{converter: newConverter(in.start), rule: rule}
	p.lastInstant, p.lastClock = p.until(rule.Until)
	return p.startsAsWritten() && p.matchesStart() && p.matchesExDates(in.lines)
}

// onlyRule returns the rule of a set that has only one plain rule and EXDATE lines, all of them different.
func (in *input) onlyRule() (rule *Rule, ok bool) {
	for i := range in.lines {
		switch l := &in.lines[i]; {
		case l.kind == rruleLine && rule == nil:
			rule = l.rule
		case l.kind != exdateLine || slices.Contains(in.texts[:i], in.texts[i]):
			return nil, false
		}
		if in.lines[i].parts&^plainParts != 0 {
			return nil, false
		}
	}
	return rule, rule != nil
}

// plainParts are the parts that a plain rule can have.
const plainParts partSet = 1<<partFreq | 1<<partUntil | 1<<partCount | 1<<partInterval | 1<<partByDay | 1<<partByMonthDay | 1<<partWkst

// plainSet is a set with one rule.
type plainSet struct {
	converter
	rule *Rule

	lastInstant, lastClock int64 // that UNTIL allows
}

// startsAsWritten reports whether the local time of the start exists and first occurs at the start's instant, and
// UNTIL is not before it.
func (p *plainSet) startsAsWritten() bool {
	r := civil.NewResolver(p.zone)
	unix, exists := r.Resolve(p.start.clock)
	return exists && unix == p.start.unix && p.isInTime(unix, p.start.clock)
}

// isInTime reports whether UNTIL allows an instant with this local time.
func (p *plainSet) isInTime(unix, clock int64) bool {
	//mutation:accept Both ways lead to the same result, one of them faster.
	return unix <= p.lastInstant && clock <= p.lastClock
}

// matchesStart reports whether the rule gives the start.
func (p *plainSet) matchesStart() bool {
	day, _ := civil.Split(p.start.clock)
	switch p.rule.Freq {
	case Daily, Weekly:
		return p.hasWeekday(day) && len(p.rule.ByMonthDay) == 0
	case Monthly:
		isAmbiguous := len(p.rule.ByDay) > 0 && len(p.rule.ByMonthDay) > 0
		return !isAmbiguous && p.hasDayOfMonth(day)
	default:
		return p.rule.Freq == Yearly && len(p.rule.ByDay)+len(p.rule.ByMonthDay) == 0
	}
}

// hasWeekday reports whether BYDAY allows a day.
func (p *plainSet) hasWeekday(day int64) bool {
	return len(p.rule.ByDay) == 0 || slices.Contains(p.rule.ByDay, ByDay{Day: time.Weekday(civil.WeekdayOf(day))})
}

// hasDayOfMonth reports whether BYDAY and BYMONTHDAY of a MONTHLY rule allow a day.
func (p *plainSet) hasDayOfMonth(day int64) bool {
	year, month, first := civil.DateOf(day)
	last := first - civil.DaysInMonth(year, month) - 1
	if days := p.rule.ByMonthDay; len(days) > 0 && !slices.Contains(days, first) && !slices.Contains(days, last) {
		return false
	}
	numbered := func(n int) ByDay { return ByDay{N: n, Day: time.Weekday(civil.WeekdayOf(day))} }
	return p.hasWeekday(day) || slices.Contains(p.rule.ByDay, numbered((first+6)/7)) || slices.Contains(p.rule.ByDay, numbered((last-6)/7))
}

// matchesExDates reports whether each EXDATE value matches an instance after the start.
func (p *plainSet) matchesExDates(lines []line) bool {
	if len(lines) == 1 {
		return true
	}
	//mutation:accept Both ways lead to the same result, one of them faster.
	if p.rule.Freq > Weekly || p.rule.Interval > 1 || p.rule.Count > 0 { // the weekday alone does not decide
		return false
	}
	for i := range lines {
		if d := lines[i].dates; d != nil && !p.givesAll(d) {
			return false
		}
	}
	return true
}

// givesAll reports whether the rule gives each value after the start.
func (p *plainSet) givesAll(d *Dates) bool {
	own, zone := civil.NewResolver(p.zone), p.resolver(d)
	isOwn := zone == own
	for _, v := range d.Values {
		clock := v.Clock
		unix, isFirst := own.Resolve(clock)
		if v.Form != Local || !isOwn {
			unix = p.instant(v, &zone)
			clock = p.zone.ClockAt(unix)
			first, _ := own.Resolve(clock)
			isFirst = first == unix
		}
		if !isFirst || !p.gives(unix, clock) {
			return false
		}
	}
	return true
}

// gives reports whether a DAILY or WEEKLY rule gives this instance after the start.
func (p *plainSet) gives(unix, clock int64) bool {
	day, second := civil.Split(clock)
	first, time := civil.Split(p.start.clock)
	isDay := p.hasWeekday(day)
	if p.rule.Freq == Weekly && len(p.rule.ByDay) == 0 {
		isDay = civil.FloorMod(day-first, 7) == 0
	}
	return unix > p.start.unix && second == time && isDay && p.isInTime(unix, clock)
}
