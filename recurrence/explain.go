package recurrence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Explain says in one English sentence when a set recurs that belongs to an event with the
// given start: "Every second Tuesday of the month at 09:00 America/New_York, 12 times."
//
// It reads a set as [Compile] does, and says what RFC 5545 leaves to the start: the time, the
// day, what an INTERVAL counts from. UNTIL, RDATE and EXDATE are converted to the start's
// zone. Combinations that no idiom fits are listed part by part. Three things are left out:
// X-parts, WKST where nothing depends on it, and all but the first few RDATE and EXDATE
// values, of which only the number is told. But for the last, two sets that one start gives
// the same sentence have the same instances.
//
// Explain is for people: its wording is not part of the API. It explains every set that
// [Parse] gives, also one that Compile refuses; of one that no lines give, such as a nil set or
// one that holds a nil rule, it says that it cannot be read. Where start is the zero Start, what
// depends on it is not said.
func Explain(set *Set, start Start) string {
	if !set.readable() {
		return "A recurrence that cannot be read."
	}
	if !start.inRange() {
		start = Start{}
	}
	e := newExplainer(set, start)
	included := e.included()
	separator := ", "
	if len(included) > 1 || len(set.ExRules) > 0 { // commas stand within the clauses
		separator = "; "
	}
	clauses := append([]string{strings.Join(included, "; and ")}, e.changes()...)
	return capitalized(strings.Join(clauses, separator)) + "."
}

// readable reports whether the set is one that lines can give.
func (s *Set) readable() bool {
	if s == nil {
		return false
	}
	for l := range s.all() {
		if l.validate(); l.faults.rejected {
			return false
		}
	}
	return true
}

// explainer knows what the clauses of one sentence have in common.
type explainer struct {
	set      *Set
	start    Start
	bare     Series   // the series without its rules and dates, which reads values
	resolver resolver // of the start's zone; only where there is a start
	zone     string   // the start's zone as it stands after a time; "" where there is none
	rdates   []moment // from the start on

	// oneTime says that whatever is included is included at the start's time of day: a date
	// says as much as a date and that time.
	oneTime bool
}

// moment is a value of an RDATE or EXDATE that is to be told.
type moment struct {
	unix int64
	text string
}

func newExplainer(set *Set, start Start) *explainer {
	e := &explainer{set: set, start: start, bare: Series{start: start}}
	if start.zone != nil {
		e.bare.zone = clockOf(start.zone)
		e.resolver = newResolver(e.bare.zone)
	}
	if e.timed() {
		e.zone = " " + zoneName(start)
	}
	e.oneTime = !slices.ContainsFunc(set.Rules, (*Rule).hasTimes) && !slices.ContainsFunc(set.RDates, e.hasOtherTime)
	for _, d := range set.RDates {
		e.rdates = append(e.rdates, e.moments(d, e.added)...)
	}
	if start.zone != nil {
		e.rdates = slices.DeleteFunc(e.rdates, func(m moment) bool { return m.unix < start.unix })
	}
	return e
}

// timed reports whether there is a start that has a time.
func (e *explainer) timed() bool { return e.start.zone != nil && !e.start.allDay }

// zoneName names the zone of a start: its IANA name, or what it is ahead of UTC where it is
// not one of the database's.
func zoneName(start Start) string {
	if name := strings.Join(strings.Fields(start.zone.String()), " "); name != "" {
		return name
	}
	return "UTC" + start.Time().Format("-07:00")
}

// hasTimes reports whether a rule gives other times of day than the start's.
func (r *Rule) hasTimes() bool {
	return r.Freq.SubDaily() || len(r.ByHour)+len(r.ByMinute)+len(r.BySecond) > 0
}

// hasOtherTime reports whether an RDATE gives another time of day than the start's.
func (e *explainer) hasOtherTime(d *Dates) bool {
	if e.start.zone == nil {
		return true
	}
	_, second := splitClock(e.start.clock)
	r := e.bare.zoneOf(d)
	other := func(v Value) bool {
		_, at := splitClock(e.bare.zone.clockAt(e.bare.instant(v, &r)))
		return at != second
	}
	return slices.ContainsFunc(d.Values, other) ||
		slices.ContainsFunc(d.Periods, func(p Period) bool { return other(p.Start) })
}

// included gives what the set includes, but for RDATE: the rules, and the start where they
// do not say it.
func (e *explainer) included() []string {
	if len(e.set.Rules) == 0 {
		return []string{e.once()}
	}
	var clauses []string
	for _, r := range e.set.Rules {
		clauses = append(clauses, e.rule(r))
	}
	if e.missesStart() {
		clauses = append(clauses, "first on "+e.clock(e.start.clock))
	}
	return clauses
}

// once is for a set without rules, in which the start stands alone or beside RDATEs.
func (e *explainer) once() string {
	if e.start.zone == nil {
		return "once"
	}
	return "on " + e.clock(e.start.clock) + e.zone + e.second(e.start.unix)
}

// missesStart reports whether the start is an instance that no rule gives.
func (e *explainer) missesStart() bool {
	rules, err := Compile(&Set{Rules: e.set.Rules}, e.start)
	return err == nil && rules.starts && !rules.rulesGiveStart(rules.newBudget())
}

// changes gives the clauses that add to what the rules give and take from it.
func (e *explainer) changes() []string {
	var clauses []string
	if len(e.rdates) > 0 {
		clauses = append(clauses, "also on "+shortened(e.rdates))
	}
	var exdates []moment
	for _, d := range e.set.ExDates {
		exdates = append(exdates, e.moments(d, e.removed)...)
	}
	if len(exdates) > 0 {
		clauses = append(clauses, "except on "+shortened(exdates))
	}
	for _, r := range e.set.ExRules {
		clauses = append(clauses, "except "+e.rule(r))
	}
	return clauses
}

// maxMoments is how many values of RDATE or EXDATE a sentence tells.
const maxMoments = 4

// shortened enumerates the first moments in time and says how many more there are.
func shortened(all []moment) string {
	slices.SortStableFunc(all, func(a, b moment) int { return cmp.Compare(a.unix, b.unix) })
	all = slices.CompactFunc(all, func(a, b moment) bool { return a.text == b.text })
	n := len(all)
	if n > maxMoments { // "1 more" would be no shorter than the one itself
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

// moments gives the values of a line, each told by tell.
func (e *explainer) moments(d *Dates, tell func(Value, int64) string) []moment {
	if e.start.zone == nil {
		return d.moments()
	}
	r := e.bare.zoneOf(d)
	var all []moment
	for _, v := range d.Values {
		unix := e.bare.instant(v, &r)
		all = append(all, moment{unix, tell(v, unix)})
	}
	for _, p := range d.Periods {
		unix := e.bare.instant(p.Start, &r)
		text := tell(p.Start, unix)
		if !e.start.allDay {
			text += " (until " + e.moment(e.bare.periodEnd(p, unix, &r)) + ")"
		}
		all = append(all, moment{unix, text})
	}
	return all
}

// added tells a value of an RDATE.
func (e *explainer) added(_ Value, unix int64) string {
	if e.oneTime {
		return e.day(e.bare.zone.clockAt(unix)) + e.second(unix)
	}
	return e.moment(unix)
}

// removed tells a value of an EXDATE. One that is a date takes out its whole day; where all
// instances are at one time, a time that is the same says no more.
func (e *explainer) removed(v Value, unix int64) string {
	switch {
	case e.start.allDay:
		return e.day(unix)
	case v.Form == Date && e.oneTime:
		return e.day(v.Clock)
	case v.Form == Date:
		return "the whole of " + e.day(v.Clock)
	}
	clock := e.bare.zone.clockAt(unix)
	if e.oneTime && floorMod(clock-e.start.clock, secondsPerDay) == 0 && (clock != e.start.clock || unix == e.start.unix) {
		return e.day(clock) + e.second(unix)
	}
	return e.moment(unix)
}

// moments gives the values of a line as they are written, for want of a start.
func (d *Dates) moments() []moment {
	var all []moment
	zone := ""
	if d.TZID != "" {
		zone = " " + d.TZID
	}
	for _, v := range d.Values {
		all = append(all, moment{v.Clock, v.words() + zone})
	}
	for _, p := range d.Periods {
		all = append(all, moment{p.Start.Clock, p.Start.words() + zone + " (" + p.String() + ")"})
	}
	return all
}

// words tells a value as it is written.
func (v Value) words() string {
	if !v.valid() {
		return v.String()
	}
	day, second := splitClock(v.Clock)
	switch v.Form {
	case Date:
		return dateWords(day)
	case UTC:
		return dateWords(day) + " at " + timeWords(second) + " UTC"
	}
	return dateWords(day) + " at " + timeWords(second)
}

// day tells the day of a clock.
func (e *explainer) day(clock int64) string {
	day, _ := splitClock(clock)
	return dateWords(day)
}

// clock tells a clock, or for an all-day start its day.
func (e *explainer) clock(clock int64) string {
	day, second := splitClock(clock)
	if e.start.allDay {
		return dateWords(day)
	}
	return dateWords(day) + " at " + timeWords(second)
}

// moment tells an instant on the clock of the start's zone.
func (e *explainer) moment(unix int64) string {
	if unix >= never {
		return "the end of the calendar"
	}
	return e.clock(e.bare.zone.clockAt(unix)) + e.second(unix)
}

// second tells of an instant that it is the second at which the clock shows the same.
func (e *explainer) second(unix int64) string {
	if first, exists := e.resolver.resolve(e.bare.zone.clockAt(unix)); exists && first != unix {
		return " (the second time)"
	}
	return ""
}

// until is the clause for UNTIL, with a blank in front. A time is told only where it may end
// the rule within a day.
func (e *explainer) until(r *Rule) string {
	v := r.Until
	day, second := splitClock(v.Clock)
	switch {
	case v.Form == 0:
		return ""
	case v.Form == Date || e.start.allDay:
		return " until " + dateWords(day)
	case e.start.zone == nil:
		return " until " + v.words()
	case v.Form == UTC:
		day, second = splitClock(e.bare.zone.clockAt(v.Clock))
	}
	if second >= e.lastTime(r) {
		return " until " + dateWords(day)
	}
	if v.Form == Local {
		return " until " + dateWords(day) + " at " + timeWords(second)
	}
	return " until " + e.moment(v.Clock)
}

// lastTime returns the last second of the day at which the rule can have an instance.
func (e *explainer) lastTime(r *Rule) int64 {
	if r.Freq.SubDaily() {
		return secondsPerDay - 1
	}
	times := e.times(r)
	return times.at(times.n - 1)
}

// times returns the times of day of a rule that is not of a frequency below DAILY.
func (e *explainer) times(r *Rule) clockTimes {
	return newClockTimes(r.timesGiven().filledIn(timeOf(e.start)))
}

// count is the clause for COUNT.
func (r *Rule) count() string {
	switch {
	case r.Count == 1:
		return ", once"
	case r.Count != 0:
		return fmt.Sprintf(", %d times", r.Count)
	}
	return ""
}

// weekdayOfStart returns the weekday of the start; ok is false for the zero Start.
func (e *explainer) weekdayOfStart() (day time.Weekday, ok bool) {
	if e.start.zone == nil {
		return 0, false
	}
	n, _ := splitClock(e.start.clock)
	return time.Weekday(weekdayOf(n)), true
}
