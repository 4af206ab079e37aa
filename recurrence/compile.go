package recurrence

import (
	"fmt"

	"github.com/calrules/calrules/recurrence/internal/civil"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

// InvalidError says that a set, or a part of it, cannot be expanded from its start.
type InvalidError struct {
	Line    string // the line in canonical spelling; "" for a nil set or a start out of range
	Rule    string // the id of the rule that it breaks; "" for a start out of range
	Message string // a sentence for people
}

// Error returns the line, the message and the rule.
func (e *InvalidError) Error() string {
	if e.Rule == "" {
		return "recurrence: " + e.Message
	}
	return fmt.Sprintf("%s: %s [%s]", quoted(e.Line), e.Message, e.Rule)
}

// Compile checks a set against the start of its event and prepares it for expansion. Even a
// set from [Parse] can be invalid with its start: for example, UNTIL may have the wrong form. The
// error is an [*InvalidError]. The set is not kept.
func (s *Set) Compile(start Start) (*Series, error) {
	if !start.inRange() {
		return nil, &InvalidError{Message: "The start is missing or not in the years 0 to 9999."}
	}
	if s == nil {
		return nil, &InvalidError{Rule: lineName.ID, Message: "The set is nil."}
	}
	valid := &Set{}
	for i, l := range s.reread() {
		l.judge(start)
		if l.faults.rejected {
			f := l.faults.firstRejecting()
			return nil, &InvalidError{Line: s.lines()[i].String(), Rule: f.rule.ID, Message: f.message}
		}
		valid.add(l)
	}
	return newSeries(valid, start), nil
}

// reread writes the lines of the set and reads them back. A set can contain what no line says;
// what is written then has faults.
func (s *Set) reread() []*line {
	all := s.lines()
	for _, l := range all {
		switch {
		case l.rule != nil, l.dates != nil && len(l.dates.Values)+len(l.dates.Periods) > 0:
			l.parse(l.String())
		case l.dates != nil: // there is no value to read
		case l.kind.isRule():
			l.faults.reject(&rulePart, whole, "The rule is nil.")
		default:
			l.faults.reject(&datesForm, whole, "The dates are nil.")
		}
	}
	return all
}

func newSeries(set *Set, start Start) *Series {
	s := &Series{converter: newConverter(start)}
	in := expand.Set{
		Start:   expand.Start{Clock: start.clock, Instant: start.unix},
		Zone:    s.zone,
		Rules:   s.expandable(set.Rules),
		ExRules: s.expandable(set.ExRules),
	}
	if len(set.ExRules) > 0 {
		for i, covered := range coveredRules(set) {
			in.Rules[i].Covered = covered
		}
	}
	for _, d := range set.RDates {
		in.RDates = s.appendRDates(in.RDates, d)
	}
	for _, d := range set.ExDates {
		r := s.resolver(d)
		for _, v := range d.Values {
			if v.Form == Date && !start.allDay {
				day, _ := civil.Split(v.Clock)
				in.ExDays = append(in.ExDays, day)
			} else {
				in.ExDates = append(in.ExDates, s.instant(v, &r))
			}
		}
	}
	s.expansion = expand.New(in, expand.Options{Steps: expand.DefaultSteps})
	return s
}

// expandable returns rules as package expand takes them.
func (c *converter) expandable(rules []*Rule) (list []expand.Rule) {
	for _, r := range rules {
		x := r.expandable()
		x.LastInstant, x.LastClock = c.until(r.Until)
		list = append(list, x)
	}
	return list
}

// expandable returns the rule without its UNTIL as package expand takes it.
func (r *Rule) expandable() expand.Rule {
	x := expand.Rule{
		Freq: expand.Freq(r.Freq), Interval: r.Interval, Count: r.Count, WeekStart: r.WeekStart,
		ByMonth: r.ByMonth, ByWeekNo: r.ByWeekNo, ByYearDay: r.ByYearDay, ByMonthDay: r.ByMonthDay,
		ByHour: r.ByHour, ByMinute: r.ByMinute, BySecond: r.BySecond, BySetPos: r.BySetPos,
	}
	for _, d := range r.ByDay {
		x.ByDay = append(x.ByDay, expand.Weekday(d))
	}
	return x
}

// until returns the last instant and the last clock that UNTIL allows. A date includes the whole
// day. For an all-day start only the date of UNTIL counts.
func (c *converter) until(v Value) (instant, clock int64) {
	switch {
	case v.Form == 0:
		return expand.NoUntil, civil.MaxClock
	case v.Form == Date || c.start.allDay:
		day, _ := civil.Split(v.Clock)
		return expand.NoUntil, day*civil.SecondsPerDay + civil.SecondsPerDay - 1
	}
	return v.Clock, min(c.zone.ClockAt(v.Clock)+civil.MaxShift, civil.MaxClock)
}

// coveredRules reports for each rule whether an EXRULE is known to exclude all its instances:
// it repeats the rule without an end, or it is every unit of time that the rule steps by.
func coveredRules(set *Set) []bool {
	repeated := map[string]bool{}
	plain := Daily + 1 // the shortest frequency of a plain EXRULE, which has all instances of longer ones
	for _, x := range set.ExRules {
		repeated[x.String()] = true
		if x.isPlain() {
			plain = min(plain, x.Freq)
		}
	}
	covered := make([]bool, len(set.Rules))
	for i, r := range set.Rules {
		endless := *r
		endless.Count, endless.Until = 0, Value{}
		covered[i] = repeated[endless.String()] || plain <= Daily && r.stepsWithin(plain)
	}
	return covered
}

// isPlain reports whether the rule is every unit of its frequency, without an end.
func (r *Rule) isPlain() bool {
	plain := Rule{Freq: r.Freq, WeekStart: r.WeekStart, Extra: r.Extra}
	return r.String() == plain.String()
}

// stepsWithin reports whether all instances of the rule are instances of a plain rule of a
// frequency up to DAILY: whether it takes everything shorter than that from the start.
func (r *Rule) stepsWithin(plain Freq) bool {
	return r.Freq >= plain &&
		(plain < Minutely || len(r.BySecond) == 0) &&
		(plain < Hourly || len(r.ByMinute) == 0) &&
		(plain < Daily || len(r.ByHour) == 0)
}

// appendRDates appends the instants of a line from the start on, and keeps the ends of periods.
func (s *Series) appendRDates(list []int64, d *Dates) []int64 {
	r := s.resolver(d)
	for _, v := range d.Values {
		if unix := s.instant(v, &r); unix >= s.start.unix {
			list = append(list, unix)
		}
	}
	for _, p := range d.Periods {
		begin := s.instant(p.Start, &r)
		if begin < s.start.unix {
			continue
		}
		list = append(list, begin)
		if s.ends == nil {
			s.ends = map[int64]int64{}
		}
		if _, ok := s.ends[begin]; !ok && !s.start.allDay { // of two periods from one instant, the first counts
			s.ends[begin] = s.periodEnd(p, begin, &r)
		}
	}
	return list
}
