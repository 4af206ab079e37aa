package recurrence

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// InvalidError says that a set, or a part of it, cannot be expanded from its start.
type InvalidError struct {
	Line    string // the line in canonical spelling; "" for a nil set
	Rule    string // the id of the rule of the catalogue that it breaks
	Message string // a sentence for people
}

// Error gives the line, the message and the rule.
func (e *InvalidError) Error() string {
	return fmt.Sprintf("%s: %s [%s]", quoted(e.Line), e.Message, e.Rule)
}

// ErrStart is the error of [Compile] for a start that is none, or not in the years 0 to 9999.
var ErrStart = errors.New("recurrence: the start is missing or not in the years 0 to 9999")

// Compile checks a set against the start of its event and makes it ready to be expanded.
// A set that [Parse] made can still break what RFC 5545 says of parts that stand together
// or beside a start, such as an UNTIL of another form: the error is then an
// [*InvalidError], or [ErrStart]. A nil set, and one that holds a nil rule or nil dates,
// gives an InvalidError as well. The set is not kept.
func Compile(set *Set, start Start) (*Series, error) {
	if !start.inRange() {
		return nil, ErrStart
	}
	if set == nil {
		return nil, &InvalidError{Rule: lineName.ID, Message: "The set is nil."}
	}
	for l := range set.all() {
		l.validate()
		l.judge(&start)
		if l.faults.rejected {
			return nil, l.invalid()
		}
	}
	return newSeries(set, start), nil
}

// all yields the lines of the set as if they had been read.
func (s *Set) all() func(yield func(*line) bool) {
	return func(yield func(*line) bool) {
		for _, rules := range [...]struct {
			kind lineKind
			list []*Rule
		}{{rruleLine, s.Rules}, {exruleLine, s.ExRules}} {
			for _, r := range rules.list {
				if !yield(&line{kind: rules.kind, rule: r}) {
					return
				}
			}
		}
		for _, dates := range [...]struct {
			kind lineKind
			list []*Dates
		}{{rdateLine, s.RDates}, {exdateLine, s.ExDates}} {
			for _, d := range dates.list {
				if !yield(&line{kind: dates.kind, dates: d}) {
					return
				}
			}
		}
	}
}

// invalid makes an error of the first fault that refuses the line.
func (l *line) invalid() *InvalidError {
	i := slices.IndexFunc(l.faults.list, func(f fault) bool { return !f.advice })
	f := l.faults.list[i]
	return &InvalidError{Line: l.String(), Rule: f.rule.ID, Message: f.message}
}

// String gives the line in canonical spelling.
func (l *line) String() string {
	name := lineKinds[l.kind-rruleLine].name
	switch {
	case l.rule != nil:
		return name + ":" + l.rule.String()
	case l.dates != nil:
		return name + l.dates.String()
	}
	return name + ":"
}

// parts returns the parts that the rule gives.
func (r *Rule) parts() partSet {
	var s partSet
	add := func(p part, given bool) {
		if given {
			s |= 1 << p
		}
	}
	add(partFreq, r.Freq != 0)
	add(partCount, r.Count != 0)
	add(partUntil, r.Until.Form != 0)
	add(partByDay, len(r.ByDay) > 0)
	for _, p := range listParts {
		add(p, len(*r.list(p)) > 0)
	}
	return s
}

// listParts are the parts that are lists of numbers.
var listParts = [...]part{partByMonth, partByWeekNo, partByYearDay, partByMonthDay, partByHour, partByMinute,
	partBySecond, partBySetPos}

// validate does for a set that was not parsed what the grammar does for one that was.
func (l *line) validate() {
	switch {
	case l.rule != nil:
		l.parts = l.rule.parts()
		l.rule.validate(&l.faults)
	case l.dates != nil:
		l.dates.validate(l.kind, &l.faults)
	case l.kind.isRule():
		l.faults.refuse(&rulePart, whole, "The rule is nil.")
	default:
		l.faults.refuse(&datesForm, whole, "The dates are nil.")
	}
}

func (r *Rule) validate(f *faults) {
	const message = "%s is out of range."
	switch {
	case r.Freq < Secondly || r.Freq > Yearly:
		f.refuse(&rulePart, whole, message, "FREQ")
	case r.WeekStart < time.Sunday || r.WeekStart > time.Saturday:
		f.refuse(&rulePart, whole, message, "WKST")
	case r.Count < 0:
		f.refuse(&ruleCountUntil, whole, message, "COUNT")
	case r.Interval < 0:
		f.refuse(&ruleCountUntil, whole, message, "INTERVAL")
	case r.Until != Value{} && !r.Until.valid():
		f.refuse(&rulePart, whole, message, "UNTIL")
	}
	for _, p := range listParts {
		sc := scopeOf(p)
		for _, n := range *r.list(p) {
			if !sc.has(n) {
				f.refuse(&rulePart, whole, message, p)
			}
		}
	}
	sc := scopeOf(partByDay)
	for _, d := range r.ByDay {
		if d.Day < time.Sunday || d.Day > time.Saturday || d.N != 0 && !sc.has(d.N) {
			f.refuse(&rulePart, whole, message, partByDay)
		}
	}
}

func (d *Dates) validate(kind lineKind, f *faults) {
	if d.TZID != "" && !isZone(d.TZID) {
		f.refuse(&datesForm, whole, "TZID is not a name of the IANA Time Zone Database.")
	}
	if len(d.Periods) > 0 && (len(d.Values) > 0 || kind == exdateLine) {
		f.refuse(&datesForm, whole, "Periods stand alone, and only in an RDATE.")
	}
	for _, v := range d.Values {
		if !d.takes(v) || (v.Form == Date) != (d.Values[0].Form == Date) {
			f.refuse(&datesForm, whole, "The values are out of range, or of forms that do not go together.")
			return
		}
	}
	for _, p := range d.Periods {
		if !p.valid() || !d.takes(p.Start) {
			f.refuse(&datesForm, whole, "The periods are out of range, or in UTC beside a TZID.")
			return
		}
	}
}

// takes reports whether a value is one that RFC 5545 can write, and may stand beside the TZID
// of the line.
func (d *Dates) takes(v Value) bool { return v.valid() && (d.TZID == "" || v.Form == Local) }

func (p Period) valid() bool {
	switch {
	case !p.Start.valid() || p.Start.Form == Date:
		return false
	case p.End.Form != 0:
		return p.End.valid() && p.End.Form == p.Start.Form && p.End.Clock > p.Start.Clock && p.Length == Duration{}
	}
	d := p.Length
	return d.Days >= 0 && d.Seconds >= 0 && d != Duration{} && d.Days <= 7*maxDuration && d.Seconds <= maxDuration
}

// newSeries makes the series of a set that was checked.
func newSeries(set *Set, start Start) *Series {
	s := &Series{start: start, zone: clockOf(start.zone), excludes: len(set.ExDates)+len(set.ExRules) > 0}
	r := newResolver(s.zone)
	at, exists := r.resolve(start.clock)
	s.oddStart = at != start.unix || !exists
	for _, rule := range set.Rules {
		s.rules = append(s.rules, newPlan(rule, start, s.zone))
	}
	for _, rule := range set.ExRules {
		s.exRules = append(s.exRules, newPlan(rule, start, s.zone))
	}
	s.cover(set)
	s.starts = len(s.rules) == 0 || slices.ContainsFunc(s.rules, s.reachesStart)
	for _, d := range set.RDates {
		s.addRDates(d)
	}
	for _, d := range set.ExDates {
		s.addExDates(d)
	}
	slices.Sort(s.rdates)
	s.rdates = slices.Compact(s.rdates)
	slices.Sort(s.exdates)
	slices.Sort(s.exdays)
	return s
}

// cover marks the rules of which an EXRULE takes out all, so that nobody looks for what they
// leave: those that it repeats without end, and those that step over what it steps through.
func (s *Series) cover(set *Set) {
	if len(set.ExRules) == 0 {
		return
	}
	taken := map[string]bool{}
	plain := Daily + 1 // the shortest that an EXRULE steps through: it gives what longer ones do
	for _, x := range set.ExRules {
		taken[x.String()] = true
		if x.isPlain() {
			plain = min(plain, x.Freq)
		}
	}
	for i, r := range set.Rules {
		endless := *r
		endless.Count, endless.Until = 0, Value{}
		s.rules[i].covered = taken[endless.String()] || plain <= Daily && r.stepsWithin(plain)
	}
}

// isPlain reports whether a rule is nothing but its frequency.
func (r *Rule) isPlain() bool { return r.parts() == 1<<partFreq && r.Interval <= 1 }

// stepsWithin reports whether a rule gives only times that one gives which is nothing but DAILY
// or a shorter frequency: such as it steps to, and of the start's in all that is shorter.
func (r *Rule) stepsWithin(plain Freq) bool {
	return r.Freq >= plain &&
		(plain < Minutely || len(r.BySecond) == 0) &&
		(plain < Hourly || len(r.ByMinute) == 0) &&
		(plain < Daily || len(r.ByHour) == 0)
}

// reachesStart reports whether the UNTIL of a rule does not lie before the start.
func (s *Series) reachesStart(p *plan) bool {
	return s.start.unix <= p.until && s.start.clock <= p.untilClock
}

// instant returns the instant that a value means: of an all-day series the midnight of its
// date, whatever its time; of a timed series for a date the start's time of day.
func (s *Series) instant(v Value, r *resolver) int64 {
	day, _ := splitClock(v.Clock)
	switch {
	case s.start.allDay:
		return day * secondsPerDay
	case v.Form == UTC:
		return v.Clock
	case v.Form == Date:
		_, second := splitClock(s.start.clock)
		unix, _ := r.resolve(day*secondsPerDay + second)
		return unix
	}
	unix, _ := r.resolve(v.Clock)
	return unix
}

// zoneOf returns the resolver of the zone that local values of a line are in. For another
// zone than the start's no table is made: a line asks it but once.
func (s *Series) zoneOf(d *Dates) resolver {
	if zone, ok := loadZone(d.TZID); ok && zone != s.zone.location {
		return newResolver(zoneClock{location: zone})
	}
	return newResolver(s.zone)
}

func (s *Series) addRDates(d *Dates) {
	r := s.zoneOf(d)
	for _, v := range d.Values {
		s.addRDate(s.instant(v, &r))
	}
	for _, p := range d.Periods {
		begin := s.instant(p.Start, &r)
		if !s.addRDate(begin) || s.start.allDay {
			continue
		}
		if s.ends == nil {
			s.ends = map[int64]end{}
		}
		if _, ok := s.ends[begin]; !ok { // the first of two periods from one instant counts
			s.ends[begin] = end(s.periodEnd(p, begin, &r))
		}
	}
}

// addRDate adds an instant unless it lies before the start, and reports whether it did.
func (s *Series) addRDate(unix int64) bool {
	if unix < s.start.unix {
		return false
	}
	s.rdates = append(s.rdates, unix)
	return true
}

func (s *Series) periodEnd(p Period, begin int64, r *resolver) int64 {
	switch {
	case p.End.Form != 0:
		return s.instant(p.End, r)
	case p.Length.Days == 0 || p.Start.Form == UTC:
		return begin + p.Length.Days*secondsPerDay + p.Length.Seconds
	}
	days, _ := r.resolve(p.Start.Clock + p.Length.Days*secondsPerDay)
	return days + p.Length.Seconds
}

func (s *Series) addExDates(d *Dates) {
	r := s.zoneOf(d)
	for _, v := range d.Values {
		if v.Form == Date && !s.start.allDay {
			day, _ := splitClock(v.Clock)
			s.exdays = append(s.exdays, day)
			continue
		}
		s.exdates = append(s.exdates, s.instant(v, &r))
	}
}
