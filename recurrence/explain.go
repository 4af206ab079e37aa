package recurrence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/recurrence/internal/civil"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

// Explain describes in one English sentence when an event with the given start and set recurs:
// "The second Tuesday of every month at 09:00 America/New_York, 12 times."
//
// Explain fills in missing parts from the start, as RFC 5545 does, and converts UNTIL, RDATE and EXDATE to the zone of
// the start. Explain omits X-parts, WKST if nothing depends on it, and all but the first few RDATE and EXDATE values.
// Apart from the omissions, two sets with the same start and the same description have the same instances.
//
// The wording is not part of the API. Explain accepts every set that [Parse] returns, even if [Set.Compile] refuses the
// set. With the zero Start, Explain omits everything that depends on the start.
func (s *Set) Explain(start Start) string {
	lines, err := s.checkedLines()
	if err != nil || firstRejected(lines) >= 0 {
		return unreadable
	}
	if !start.inRange() {
		start = Start{}
	}
	e := newExplainer(new(Set).addAll(lines), start)
	included := e.included()
	separator := ", "
	if len(included) > 1 || len(s.ExRules) > 0 { // the clauses contain commas
		separator = "; "
	}
	clauses := append([]string{strings.Join(included, "; and ")}, e.changes()...)
	text := strings.Join(clauses, separator)
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

const unreadable = "A recurrence that cannot be read."

// An explainer contains the state that the clauses of a sentence share.
type explainer struct {
	converter
	set     *Set
	inZone  string   // the zone of the start as it follows a time, or ""
	rdates  []moment // excludes values before the start
	oneTime bool     // all included instances are at the time of day of the start, so dates suffice
}

// A moment is an RDATE or EXDATE value with its English description.
type moment struct {
	unix int64
	text string
}

func newExplainer(set *Set, start Start) *explainer {
	e := &explainer{set: set, converter: converter{start: start}}
	if e.hasStart() {
		e.converter = newConverter(start)
	}
	if e.isTimed() {
		e.inZone = " " + zoneName(start)
	}
	e.oneTime = !slices.ContainsFunc(set.Rules, (*Rule).hasTimes) && !slices.ContainsFunc(set.RDates, e.hasOtherTime)
	for _, d := range set.RDates {
		e.rdates = append(e.rdates, e.moments(d, e.addedWords)...)
	}
	if e.hasStart() {
		e.rdates = slices.DeleteFunc(e.rdates, func(m moment) bool { return m.unix < start.unix })
	}
	return e
}

func (e *explainer) hasStart() bool { return e.start.zone.Location != nil }

func (e *explainer) isTimed() bool { return e.hasStart() && !e.start.allDay }

// zoneName returns the IANA name of the start's zone, or the UTC offset if the zone has no name.
func zoneName(start Start) string {
	if name := strings.Join(strings.Fields(start.zone.Location.String()), " "); name != "" {
		return name
	}
	return "UTC" + start.Time().Format("-07:00")
}

// hasTimes reports whether a rule can have instances at a time of day other than the start's.
func (r *Rule) hasTimes() bool {
	return r.Freq.SubDaily() || len(r.ByHour)+len(r.ByMinute)+len(r.BySecond) > 0
}

// hasOtherTime reports whether an RDATE contains a value with a time of day other than the start's.
func (e *explainer) hasOtherTime(d *Dates) bool {
	if !e.hasStart() {
		return true
	}
	_, second := civil.Split(e.start.clock)
	r, _ := e.resolver(d)
	differs := func(v Value) bool {
		_, at := civil.Split(e.zone.ClockAt(e.instant(v, &r)))
		return at != second
	}
	return slices.ContainsFunc(d.Values, differs) ||
		slices.ContainsFunc(d.Periods, func(p Period) bool { return differs(p.Start) })
}

// included describes the rules of the set or, if it has none, the start, but not RDATE values.
func (e *explainer) included() []string {
	if len(e.set.Rules) == 0 {
		if !e.hasStart() {
			return []string{"once"}
		}
		return []string{"on " + e.clockWords(e.start.clock) + e.inZone + e.secondTime(e.start.unix)}
	}
	var clauses []string
	for _, r := range e.set.Rules {
		clauses = append(clauses, e.ruleWords(r))
	}
	return clauses
}

// missesStart reports whether the start is an instance that no rule matches.
func (e *explainer) missesStart() bool {
	rules, err := (&Set{Rules: e.set.Rules}).Compile(e.start)
	return err == nil && rules.expansion.IncludesStart() && rules.expansion.RulesMissStart(rules.expansion.NewBudget())
}

func (e *explainer) changes() []string {
	var clauses []string
	if len(e.set.Rules) > 0 && e.missesStart() {
		words := "starting on "
		if e.set.hasCount() { // COUNT does not count the start
			words = "and once before that, on "
		}
		clauses = append(clauses, words+e.clockWords(e.start.clock))
	}
	if len(e.rdates) > 0 {
		clauses = append(clauses, "also on "+listMoments(e.rdates))
	}
	var exdates []moment
	for _, d := range e.set.ExDates {
		exdates = append(exdates, e.moments(d, e.excludedWords)...)
	}
	if len(exdates) > 0 {
		clauses = append(clauses, "except on "+listMoments(exdates))
	}
	for _, r := range e.set.ExRules {
		clauses = append(clauses, "except "+e.ruleWords(r))
	}
	return clauses
}

// maxMoments is the maximum number of RDATE or EXDATE values listed in a sentence.
const maxMoments = 4

// listMoments lists the earliest moments and states the number of remaining ones.
func listMoments(all []moment) string {
	slices.SortStableFunc(all, func(a, b moment) int { return cmp.Compare(a.unix, b.unix) })
	all = slices.CompactFunc(all, func(a, b moment) bool { return a.text == b.text })
	n := len(all)
	if n > maxMoments { // listing the last value takes no more space than "1 more"
		n = maxMoments - 1
	}
	var words []string
	for _, m := range all[:n] {
		words = append(words, m.text)
	}
	if n < len(all) {
		words = append(words, fmt.Sprintf("%d more", len(all)-n))
	}
	return enumerate(words, "and")
}

// moments describes the values in a line by calling words, or returns the values as written if there is no start.
func (e *explainer) moments(d *Dates, words func(Value, int64) string) (all []moment) {
	r, _ := e.resolver(d)
	add := func(v Value) *moment {
		m := moment{v.Clock, strings.TrimSpace(v.words() + " " + d.TZID)}
		if e.hasStart() {
			m.unix = e.instant(v, &r)
			m.text = words(v, m.unix)
		}
		all = append(all, m)
		return &all[len(all)-1]
	}
	for _, v := range d.Values {
		add(v)
	}
	for _, p := range d.Periods {
		m := add(p.Start)
		switch {
		case !e.hasStart():
			m.text += " (" + p.String() + ")"
		case !e.start.allDay:
			m.text += " (until " + e.instantWords(e.periodEnd(p, m.unix, &r)) + ")"
		}
	}
	return all
}

func (e *explainer) addedWords(_ Value, unix int64) string {
	if e.oneTime {
		return dateWords(e.zone.ClockAt(unix)) + e.secondTime(unix)
	}
	return e.instantWords(unix)
}

// excludedWords describes an EXDATE value. A date excludes its whole day.
func (e *explainer) excludedWords(v Value, unix int64) string {
	switch {
	case e.start.allDay:
		return dateWords(unix)
	case v.Form == Date && e.oneTime:
		return dateWords(v.Clock)
	case v.Form == Date:
		return "the whole of " + dateWords(v.Clock)
	}
	clock := e.zone.ClockAt(unix)
	if e.oneTime && civil.FloorMod(clock-e.start.clock, civil.SecondsPerDay) == 0 && (clock != e.start.clock || unix == e.start.unix) {
		return dateWords(clock) + e.secondTime(unix)
	}
	return e.instantWords(unix)
}

func (v Value) words() string {
	text := dateWords(v.Clock)
	if v.Form != Date {
		text += " at " + timeWords(v.Clock)
	}
	if v.Form == UTC {
		text += " UTC"
	}
	return text
}

func (e *explainer) clockWords(clock int64) string {
	if e.start.allDay {
		return dateWords(clock)
	}
	return Value{Form: Local, Clock: clock}.words()
}

func (e *explainer) instantWords(unix int64) string {
	if unix >= expand.EndOfCalendar {
		return "the end of the calendar"
	}
	return e.clockWords(e.zone.ClockAt(unix)) + e.secondTime(unix)
}

// secondTime returns " (the second time)" if the clock shows the local time of the instant for the second time, and
// otherwise "".
func (e *explainer) secondTime(unix int64) string {
	if _, isFirst := e.local.Shown(unix); !isFirst { // the local time of an instant always exists
		return " (the second time)"
	}
	return ""
}

// untilWords returns the clause for UNTIL, with a leading space. The clause includes a time only if UNTIL may end the
// rule partway through a day.
func (e *explainer) untilWords(r *Rule) string {
	v := e.start.until(r.Until)
	switch {
	case v.Form == 0:
		return ""
	case v.Form == Date || e.start.allDay:
		return " until " + dateWords(v.Clock)
	case !e.hasStart():
		return " until " + v.words()
	}
	clock := v.Clock
	if v.Form == UTC {
		clock = e.zone.ClockAt(clock)
	}
	_, second := civil.Split(clock)
	switch {
	case second >= e.lastTime(r):
		return " until " + dateWords(clock)
	case v.Form == Local:
		return " until " + v.words()
	}
	return " until " + e.instantWords(v.Clock)
}

// lastTime returns the latest second of a day at which the rule can have an instance.
func (e *explainer) lastTime(r *Rule) int64 {
	if r.Freq.SubDaily() {
		return civil.SecondsPerDay - 1
	}
	return slices.Max(e.times(r).all())
}

// times represents every time of day that combines an hour, a minute and a second from three sorted lists.
type times struct{ hours, minutes, seconds []int }

// times returns the times of day of a rule, with missing parts filled in from the start.
func (e *explainer) times(r *Rule) times {
	_, at := civil.Split(e.start.clock)
	orStart := func(list []int, start int64) []int {
		if len(list) == 0 {
			return []int{int(start)}
		}
		return sorted(list)
	}
	t := times{orStart(r.ByHour, at/3600), orStart(r.ByMinute, at/60%60), orStart(r.BySecond, at%60)}
	for i, s := range t.seconds {
		t.seconds[i] = min(s, 59) // a leap second is treated as the second before it
	}
	t.seconds = slices.Compact(t.seconds)
	return t
}

func (t times) count() int { return len(t.hours) * len(t.minutes) * len(t.seconds) }

// all returns the times of day in order, in seconds since midnight.
func (t times) all() (list []int64) {
	for _, h := range t.hours {
		for _, m := range t.minutes {
			for _, s := range t.seconds {
				list = append(list, int64(h*3600+m*60+s))
			}
		}
	}
	return list
}
