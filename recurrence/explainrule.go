package recurrence

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

// A phrase describes a rule in words. Most of its methods return part of a sentence, with a leading space, or "".
type phrase struct {
	*explainer
	*Rule

	// The rule parts about days, with missing parts filled in from the start.
	byMonth, byMonthDay []int
	each                uint8    // the weekdays without an ordinal
	ordinals            [7][]int // the ordinals of each weekday
	hasOrdinals         bool
}

// ruleWords describes a rule, including COUNT and UNTIL.
func (e *explainer) ruleWords(r *Rule) string {
	var filled expand.Rule
	r.expandTo(&filled)
	if e.hasStart() {
		day, _ := civil.Split(e.start.clock)
		filled.FillIn(day, e.start.options.expansion())
	}
	p := &phrase{explainer: e, Rule: r, byMonth: filled.ByMonth, byMonthDay: filled.ByMonthDay}
	for _, d := range filled.ByDay {
		if d.N == 0 {
			p.each |= 1 << d.Day
		} else {
			p.ordinals[d.Day] = append(p.ordinals[d.Day], d.N)
			p.hasOrdinals = true
		}
	}
	text := p.body()
	switch {
	case r.Count == 1:
		text += ", once"
	case r.Count != 0:
		text += fmt.Sprintf(", %d times", r.Count)
	}
	until := e.untilWords(r)
	if until != "" && strings.Contains(text, ",") { // without a comma, the UNTIL clause would seem to belong to the last part
		text += ","
	}
	return text + until
}

// body describes a rule without COUNT and UNTIL.
func (p *phrase) body() string {
	if len(p.BySetPos) > 0 {
		return p.chosen()
	}
	if text, ok := p.idiom(); ok {
		return text + p.atTimes()
	}
	if text, ok := p.ofYear(); ok {
		return p.every() + text + p.atTimes()
	}
	if p.Freq.SubDaily() {
		return p.every() + p.allParts() + p.counted()
	}
	return p.every() + p.allParts()
}

// allParts describes every BY part except BYSETPOS.
func (p *phrase) allParts() string {
	if p.Freq.SubDaily() {
		return p.within() + p.inHours() + p.inMonths() + p.inWeeks() + p.onlyDays()
	}
	return strings.TrimSuffix(p.inMonths()+p.inWeeks()+p.onDays()+p.atTimes(), ",")
}

// unitNames maps each frequency to the name of its period.
var unitNames = [...]string{"", "second", "minute", "hour", "day", "week", "month", "year"}

// every returns a phrase such as "every day" or "every 2 weeks (weeks begin on Sunday)".
func (p *phrase) every() string {
	text := "every " + unitNames[p.Freq]
	if p.Interval > 1 {
		text = fmt.Sprintf("every %d %ss", p.Interval, unitNames[p.Freq])
	}
	if p.weekStartMatters() {
		text += " (weeks begin on " + p.WeekStart.String() + ")"
	}
	return text
}

// weekStartMatters reports whether a WKST other than Monday can make a difference: whether the rule numbers weeks, skips weeks,
// or selects days within a week. WKST makes no difference if the rule uses only the weekday of the start.
func (p *phrase) weekStartMatters() bool {
	switch {
	case p.WeekStart == time.Monday:
		return false
	case p.Freq == Yearly:
		return len(p.ByWeekNo) > 0
	case p.Freq != Weekly || p.Interval <= 1 && len(p.BySetPos) == 0:
		return false
	}
	day, _ := civil.Split(p.start.clock)
	return !p.hasStart() || p.each != 1<<civil.WeekdayOf(day)
}

// idiom returns the usual English phrase for a rule without INTERVAL that selects weekdays: "every weekday", "every
// Tuesday and Thursday in May", "the second Tuesday of every month", "every Friday the 13th".
func (p *phrase) idiom() (string, bool) {
	if p.Interval > 1 || p.Freq < Daily || len(p.ByYearDay)+len(p.ByWeekNo) > 0 || p.each == 0 && !p.hasOrdinals {
		return "", false
	}
	switch {
	case len(p.byMonthDay) == 0 && !p.hasOrdinals:
		return "every " + enumerate(weekdayWords(p.each, ""), "and") + p.inMonths(), true
	case len(p.byMonthDay) == 0 && p.Freq == Monthly && p.each == 0:
		return enumerate(p.ordinalWeekdays("and"), "and") + p.ofMonths(), true
	case len(p.ByDay) != 1:
		return "", false
	case len(p.byMonthDay) == 1 && !isNegative(p.byMonthDay[0]) && !p.hasOrdinals && p.Freq != Weekly:
		return "every " + p.ByDay[0].Day.String() + " " + monthDayWord(p.byMonthDay[0]) + p.inMonths(), true
	}
	return "", false
}

// ofMonths returns " of every month" or, for a rule limited to some months, a phrase such as " of the month in March and
// November".
func (p *phrase) ofMonths() string {
	if len(p.byMonth) == 0 {
		return " of every month"
	}
	return " of the month" + p.inMonths()
}

// inMonths returns a phrase such as " in March and November".
func (p *phrase) inMonths() string {
	if len(p.byMonth) == 0 {
		return ""
	}
	return " in " + p.months()
}

func (p *phrase) months() string {
	return enumerate(runs(p.byMonth, func(m int) string { return time.Month(m).String() }), "and")
}

// ofYear returns the usual English phrase for a YEARLY rule that selects a day in some months: " on 25 December" or " on
// the fourth Thursday of November".
func (p *phrase) ofYear() (string, bool) {
	if p.Freq != Yearly || len(p.byMonth) == 0 || max(len(p.ByYearDay), len(p.ByWeekNo)) > 0 || p.each != 0 {
		return "", false
	}
	switch {
	case p.hasOrdinals && len(p.byMonthDay) == 0:
		return " on " + enumerate(p.ordinalWeekdays("and"), "and") + " of " + p.months(), true
	case !p.hasOrdinals && len(p.byMonth) == 1 && len(p.byMonthDay) == 1 && !isNegative(p.byMonthDay[0]):
		return fmt.Sprintf(" on %d %s", p.byMonthDay[0], p.months()), true
	}
	return "", false
}

// inWeeks returns a phrase such as " in weeks 20 to 22 and the last week of the year".
func (p *phrase) inWeeks() string {
	if len(p.ByWeekNo) == 0 {
		return ""
	}
	var words []string
	list := inReadingOrder(p.ByWeekNo)
	fromStart := slices.DeleteFunc(slices.Clone(list), isNegative)
	if len(fromStart) > 0 {
		words = append(words, named("week", fromStart))
	}
	for _, n := range list[len(fromStart):] {
		words = append(words, theOrdinal(n)+" week")
	}
	return " in " + enumerate(words, "and") + " of the year"
}

// onDays describes the days selected by one part, with the other parts as conditions: " on the 13th if the day is a Friday,".
// In a DAILY rule, every part is a condition.
func (p *phrase) onDays() string {
	switch {
	case p.Freq == Daily:
		return withComma(p.onlyDays())
	case len(p.ByYearDay) > 0:
		return " on " + p.yearDays("and") + withComma(conditions(p.monthDays("or"), p.weekdaysAlternative()))
	case len(p.byMonthDay) > 0:
		return " on " + p.monthDays("and") + withComma(conditions(p.weekdaysAlternative()))
	case p.each != 0 || p.hasOrdinals:
		return " on " + p.weekdays()
	}
	return ""
}

func withComma(conditions string) string {
	if conditions == "" {
		return ""
	}
	return conditions + ","
}

// onlyDays is like [phrase.onDays], but for a rule that is DAILY or more frequent, in which every part about days is a
// condition.
func (p *phrase) onlyDays() string {
	return conditions(p.yearDays("or"), p.monthDays("or"), p.weekdaysAlternative())
}

// conditions joins the conditions that are not empty: " if the day is X, and also Y".
func conditions(list ...string) string {
	list = slices.DeleteFunc(list, func(s string) bool { return s == "" })
	if len(list) == 0 {
		return ""
	}
	text := " if the day is " + list[0]
	for _, s := range list[1:] {
		text += ", and also " + s
	}
	return text
}

func (p *phrase) yearDays(conjunction string) string {
	if len(p.ByYearDay) == 0 {
		return ""
	}
	return enumerate(runs(p.ByYearDay, yearDayWord), conjunction) + " day of the year"
}

// monthDays names the BYMONTHDAY days, and adds "of the month" if the sentence has not named a month.
func (p *phrase) monthDays(conjunction string) string {
	if len(p.byMonthDay) == 0 {
		return ""
	}
	text := enumerate(runs(p.byMonthDay, monthDayWord), conjunction)
	if p.Freq == Monthly || p.Freq == Yearly && len(p.byMonth) > 0 && !slices.ContainsFunc(p.byMonthDay, isNegative) {
		return text
	}
	return text + " of the month"
}

func isNegative(n int) bool { return n <= -1 }

// weekdays names the BYDAY days within a period: "Monday and Friday" in a week, or "every Monday and the second Tuesday
// of the month".
func (p *phrase) weekdays() string {
	names := weekdayWords(p.each, "")
	if p.Freq == Monthly || p.Freq == Yearly && len(p.ByWeekNo) == 0 || p.each == workdays || p.each == everyDay {
		for i := range names {
			names[i] = "every " + names[i]
		}
	}
	return enumerate(append(names, p.ordinalWeekdays("and")...), "and") + p.ordinalScope()
}

// weekdaysAlternative names the BYDAY days as alternatives: "a Monday or a Friday".
func (p *phrase) weekdaysAlternative() string {
	var names []string
	for _, name := range weekdayWords(p.each, "") {
		names = append(names, "a "+name)
	}
	return enumerate(append(names, p.ordinalWeekdays("or")...), "or") + p.ordinalScope()
}

// ordinalWeekdays names the weekdays that have ordinals: "the first and third Monday".
func (p *phrase) ordinalWeekdays(conjunction string) []string {
	var names []string
	for i := range 7 {
		day := (i + 1) % 7
		if list := p.ordinals[day]; len(list) > 0 {
			names = append(names, "the "+enumerate(runs(list, ordinal), conjunction)+" "+time.Weekday(day).String())
		}
	}
	return names
}

func (p *phrase) ordinalScope() string {
	switch {
	case !p.hasOrdinals:
		return ""
	case p.Freq == Monthly || len(p.byMonth) > 0:
		return " of the month"
	}
	return " of the year"
}

// maxTimes is the maximum number of times of day to list individually.
const maxTimes = 6

// atTimes returns a phrase such as " at 09:00 and 12:00 America/New_York".
func (p *phrase) atTimes() string {
	switch {
	case !p.isTimed() && !p.hasTimes():
		return ""
	case !p.isTimed(): // no start to fill in missing parts from
		return " at " + p.clockParts(p.ByHour, p.ByMinute, p.BySecond)
	}
	t := p.times(p.Rule)
	if t.count() > maxTimes {
		return " at " + p.clockParts(t.hours, t.minutes, t.seconds) + p.inZoneTime()
	}
	var words []string
	for _, second := range t.all() {
		words = append(words, timeWords(second))
	}
	return " at " + enumerate(words, "and") + p.inZone
}

func (p *phrase) inZoneTime() string {
	if p.inZone == "" {
		return ""
	}
	return "," + p.inZone + " time"
}

// clockParts lists hours, minutes and seconds: "minutes 0 and 30 of hours 9 to 16". If there are hours or minutes,
// clockParts omits second 0, unless the rule is SECONDLY.
func (p *phrase) clockParts(hours, minutes, seconds []int) string {
	if slices.Equal(seconds, []int{0}) && len(hours)+len(minutes) > 0 && p.Freq != Secondly {
		seconds = nil
	}
	var words []string
	for i, list := range [][]int{seconds, minutes, hours} {
		if len(list) > 0 {
			words = append(words, named(unitNames[i+1], list))
		}
	}
	return strings.Join(words, " of ")
}

// within lists the minutes and seconds of a rule that is more frequent than DAILY: " at minutes 0 and 30".
func (p *phrase) within() string {
	minutes, seconds := p.ByMinute, p.BySecond
	if p.isTimed() {
		filled := p.times(p.Rule)
		if p.Freq == Hourly && len(minutes) == 0 {
			minutes = filled.minutes
		}
		if p.Freq > Secondly && len(seconds) == 0 && filled.seconds[0] != 0 {
			seconds = filled.seconds
		}
	}
	switch {
	case len(minutes)+len(seconds) == 0:
		return ""
	case p.Freq == Hourly && slices.Equal(minutes, []int{0}) && (len(seconds) == 0 || slices.Equal(seconds, []int{0})):
		return " on the hour"
	}
	return " at " + p.clockParts(nil, minutes, seconds)
}

// inHours returns a phrase such as " in hours 9 to 16" for a rule that is more frequent than DAILY.
func (p *phrase) inHours() string {
	if len(p.ByHour) == 0 {
		return ""
	}
	return " in " + named("hour", p.ByHour)
}

// counted returns the clause with the zone and, if there is an INTERVAL, the time from which INTERVAL counts, for a rule that
// is more frequent than DAILY.
func (p *phrase) counted() string {
	if p.inZone == "" || p.Interval <= 1 {
		return p.inZoneTime()
	}
	return ", counted from " + timeWords(p.start.clock) + p.inZone
}

// chosen describes a rule with BYSETPOS: "the last weekday of every month", "every 2 weeks on the first Monday or Friday
// of the week", or else the positions followed by the BY parts that they select from.
func (p *phrase) chosen() string {
	places := "the " + enumerate(runs(p.BySetPos, ordinal), "and")
	if p.chosenFromDays() {
		days := places + " " + enumerate(weekdayWords(p.each, ""), "or")
		if p.Freq == Monthly && p.Interval <= 1 {
			return days + p.ofMonths() + p.atTimes()
		}
		return p.every() + p.inMonths() + " on " + days + " of the " + unitNames[p.Freq] + p.atTimes()
	}
	text := p.every() + ", only " + places
	if parts := p.allParts(); parts != "" {
		text += " of these:" + parts
	}
	if p.Freq.SubDaily() {
		text += p.counted()
	}
	return text
}

// chosenFromDays reports whether BYSETPOS selects from the weekdays in one period, unlike in a YEARLY rule with BYMONTH, in
// which BYSETPOS selects from several months together.
func (p *phrase) chosenFromDays() bool {
	plain := len(p.byMonthDay)+len(p.ByYearDay)+len(p.ByWeekNo) == 0 && !p.hasOrdinals
	if !plain || p.each == 0 || p.Freq < Weekly || p.Freq == Yearly && len(p.byMonth) > 0 {
		return false
	}
	return p.times(p.Rule).count() == 1
}
