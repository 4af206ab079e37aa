package recurrence

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/recurrence/internal/civil"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

// An InvalidError reports that a set cannot be expanded, in whole or in part, from its start.
type InvalidError struct {
	Line    string // the line in canonical spelling; "" for a nil set or a start out of range
	Rule    string // the id of the rule that the line breaks; "" for a start out of range
	Message string // human-readable
}

// Error returns a message with the line and the id of the rule.
func (e *InvalidError) Error() string {
	if e.Rule == "" {
		return "recurrence: " + e.Message
	}
	return fmt.Sprintf("%s: %s [%s]", engine.Quote(e.Line), e.Message, e.Rule)
}

// Compile checks a set against the start of its event and prepares it for expansion. Even a set from [Parse] can be
// invalid with a given start: for example, its UNTIL may have the wrong form. Any error is an [*InvalidError]. Compile
// does not retain the set.
func (s *Set) Compile(start Start) (*Series, error) {
	if !start.inRange() {
		return nil, &InvalidError{Message: "The start is missing or not in the years 0 to 9999."}
	}
	lines, err := s.checkedLines()
	if err != nil {
		return nil, err
	}
	applyLineRules(lines, start)
	if i := firstRejected(lines); i >= 0 {
		f := applyLineRules(lines[i:i+1], start).OfKind(diag.Reject)[0]
		return nil, &InvalidError{Line: s.lines()[i].String(), Rule: f.Rule.ID, Message: withoutPlace(f)}
	}
	return newSeries(new(Set).addAll(lines), start), nil
}

// applyLineRules applies the rules that can reject a line and returns their findings.
func applyLineRules(lines []line, start Start) diag.Findings {
	var report engine.Collector
	engine.Run(lineRules, diag.Insert, &input{start: start, lines: lines}, &report, "")
	return report.Findings
}

// checkedLines returns the lines of the set, with copies of the rules, or an error if the set, a rule or dates are nil. To
// find the faults of a line that may not be writable, it writes the line and parses it.
func (s *Set) checkedLines() ([]line, error) {
	if s == nil {
		return nil, &InvalidError{Rule: lineName.ID, Message: "The set is nil."}
	}
	lines := s.lines()
	for i := range lines {
		l := &lines[i]
		switch parts, ok := l.rule.writableParts(); {
		case ok:
			l.rule, l.parts = l.rule.clone(), parts
		case l.dates.areWritable():
		case l.rule != nil || l.dates != nil:
			l.parse(l.String())
		case l.kind.isRule():
			return nil, &InvalidError{Line: l.String(), Rule: rulePart.ID, Message: "The rule is nil."}
		default:
			return nil, &InvalidError{Line: l.String(), Rule: datesForm.ID, Message: "The dates are nil."}
		}
	}
	return lines, nil
}

// writableParts returns the parts that matter to the rules about lines, and reports whether a line can express r. It
// returns false for a nil rule, and if there are X-parts, which are text.
func (r *Rule) writableParts() (parts partSet, ok bool) {
	if r == nil || r.Freq == 0 || int(r.Freq) >= len(freqNames) || !isWeekday(r.WeekStart) || min(r.Interval, r.Count) <= -1 || r.Extra != nil {
		return 0, false
	}
	for _, p := range numberParts {
		list, allowed := r.numbers(p)
		for _, n := range *list {
			if parts |= 1 << p; !allowed.has(n) {
				return 0, false
			}
		}
	}
	for _, d := range r.ByDay {
		if parts |= 1 << partByDay; !isWeekday(d.Day) || !ordinals.has(cmp.Or(d.N, 1)) {
			return 0, false
		}
	}
	if r.Count > 0 {
		parts |= 1 << partCount
	}
	if r.Until == (Value{}) {
		return parts, true
	}
	return parts | 1<<partUntil, r.Until.valid()
}

func isWeekday(d time.Weekday) bool { return uint(d) < uint(len(weekdayNames)) }

// areWritable reports whether a line can express the dates. It returns false for nil dates, and if there are periods or the
// zone has no IANA name.
func (d *Dates) areWritable() bool {
	if d == nil || len(d.Values) == 0 {
		return d != nil && len(d.Periods) == 0 // without values, the zone does not matter
	}
	ofDates := d.hasDates()
	isInvalid := func(v Value) bool {
		return !v.valid() || (v.Form == Date) != ofDates || d.TZID != "" && v.Form != Local
	}
	return !slices.ContainsFunc(d.Values, isInvalid) && len(d.Periods) == 0 && form.IsZone(cmp.Or(d.TZID, "UTC"))
}

func newSeries(set *Set, start Start) *Series {
	s := new(Series)
	s.prepare(set, start)
	s.exclude(set.ExDates, func(*Dates, []int64) {})
	return s
}

// prepare initializes s to the series of a set that is valid with the start, except its EXDATE lines, reusing the memory of s.
func (s *Series) prepare(set *Set, start Start) {
	if s.expansion == nil {
		s.expansion = new(expand.Series)
	}
	s.converter, s.ends, s.finite = newConverter(start), nil, set.isFinite()
	in := s.expansion.Cleared()
	in.Start, in.Zone = expand.Start{Clock: start.clock, Instant: start.unix}, s.zone
	in.Rules = s.appendRules(in.Rules, set.Rules)
	in.ExRules = s.appendRules(in.ExRules, set.ExRules)
	if len(set.ExRules) > 0 {
		for i, covered := range coveredRules(set) {
			in.Rules[i].Covered = covered
		}
	}
	for _, d := range set.RDates {
		in.RDates = s.appendRDates(in.RDates, d)
	}
	s.expansion.Prepare(in, start.options.expansion())
	s.local = s.expansion.Local
}

// exclude excludes the values of EXDATE lines. Before that, it passes each line to visit, with the instants of its values, unless
// they exclude days.
func (s *Series) exclude(lines []*Dates, visit func(d *Dates, instants []int64)) {
	instants, days := s.expansion.Excluded()
	var r civil.Resolver
	for i, d := range lines {
		if i == 0 || d.TZID != lines[i-1].TZID {
			r, _ = s.resolver(d)
		}
		n := len(instants)
		for _, v := range d.Values {
			if v.Form == Date && !s.start.allDay {
				day, _ := civil.Split(v.Clock)
				days = append(days, day)
			} else {
				instants = append(instants, s.instant(v, &r))
			}
		}
		visit(d, instants[n:])
	}
	s.expansion.Exclude(instants, days)
}

// appendRules converts rules to the form that package expand uses and appends them to the list, reusing spare capacity of the
// list.
func (c *converter) appendRules(list []expand.Rule, rules []*Rule) []expand.Rule {
	for _, r := range rules {
		list = slices.Grow(list, 1)[:len(list)+1]
		x := &list[len(list)-1]
		r.expandTo(x)
		x.LastInstant, x.LastClock = c.until(r.Until)
	}
	return list
}

// expandTo sets x to r in the form that package expand uses, but without UNTIL.
func (r *Rule) expandTo(x *expand.Rule) {
	*x = expand.Rule{
		Freq: expand.Freq(r.Freq), Interval: r.Interval, Count: r.Count, WeekStart: r.WeekStart,
		ByMonth: r.ByMonth, ByWeekNo: r.ByWeekNo, ByYearDay: r.ByYearDay, ByMonthDay: r.ByMonthDay, ByDay: x.ByDay[:0],
		ByHour: r.ByHour, ByMinute: r.ByMinute, BySecond: r.BySecond, BySetPos: r.BySetPos,
	}
	for _, d := range r.ByDay {
		x.ByDay = append(x.ByDay, expand.Weekday(d))
	}
}

// until returns the last instant and the last local time that UNTIL allows. If UNTIL is a date, it includes the whole day. With
// an all-day start, only the date in UNTIL is considered.
func (c *converter) until(v Value) (instant, clock int64) {
	v = c.start.until(v)
	switch {
	case v.Form == 0:
		return expand.NoUntil, civil.MaxClock
	case v.Form == Date || c.start.allDay:
		day, _ := civil.Split(v.Clock)
		return expand.NoUntil, day*civil.SecondsPerDay + civil.SecondsPerDay - 1
	}
	return v.Clock, min(c.zone.ClockAt(v.Clock)+civil.MaxShift, civil.MaxClock)
}

// coveredRules reports for each rule whether an EXRULE is known to exclude all its instances, either because the EXRULE
// is the same rule without an end or because it matches every unit of time by which the rule steps.
func coveredRules(set *Set) []bool {
	repeated := map[string]bool{}
	plain := Daily + 1 // the shortest frequency of a plain EXRULE; the rule includes the instances of plain rules with longer frequencies
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

// isPlain reports whether the rule matches every period of its frequency and never ends.
func (r *Rule) isPlain() bool {
	plain := Rule{Freq: r.Freq, WeekStart: r.WeekStart, Extra: r.Extra}
	return r.String() == plain.String()
}

// stepsWithin reports whether a plain rule with the given frequency, DAILY or shorter, includes all instances of the rule,
// which is the case if the rule takes all shorter units from the start.
func (r *Rule) stepsWithin(plain Freq) bool {
	return r.Freq >= plain &&
		(plain < Minutely || len(r.BySecond) == 0) &&
		(plain < Hourly || len(r.ByMinute) == 0) &&
		(plain < Daily || len(r.ByHour) == 0)
}

// appendRDates appends to the list the instants in a line that are not before the start, and records the ends of periods.
func (s *Series) appendRDates(list []int64, d *Dates) []int64 {
	r, _ := s.resolver(d)
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
		if _, ok := s.ends[begin]; !ok && !s.start.allDay { // if two periods start at the same instant, the first counts
			s.ends[begin] = s.periodEnd(p, begin, &r)
		}
	}
	return list
}
