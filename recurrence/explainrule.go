package recurrence

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// phrase is a rule on its way into words, with what it leaves out filled in from the start.
// Each method gives a part of the sentence with a blank in front, or "".
type phrase struct {
	*explainer
	*Rule
	dateParts
	each     uint8    // the weekdays without an ordinal
	ordinals [7][]int // the ordinals of each weekday
	ordered  bool     // there are ordinals
}

// rule tells a rule, from "every" to where it ends.
func (e *explainer) rule(r *Rule) string {
	p := &phrase{explainer: e, Rule: r, dateParts: dateParts{r.ByMonth, r.ByMonthDay, r.ByDay}}
	if e.start.zone != nil {
		day, _ := splitClock(e.start.clock)
		p.dateParts = r.filledIn(day)
	}
	for _, d := range p.byDay {
		if d.N == 0 {
			p.each |= 1 << d.Day
		} else {
			p.ordinals[d.Day] = append(p.ordinals[d.Day], d.N)
			p.ordered = true
		}
	}
	text := p.body() + r.count()
	until := e.until(r)
	if until != "" && strings.Contains(text, ",") { // or it would seem to be about what stands last
		text += ","
	}
	return text + until
}

// body tells when a rule recurs, without its end.
func (p *phrase) body() string {
	if len(p.BySetPos) > 0 {
		return p.chosen()
	}
	if text, ok := p.idiom(); ok {
		return text + p.atTimes()
	}
	if p.Freq.SubDaily() {
		return p.every() + p.parts() + p.counted()
	}
	return p.every() + p.parts()
}

// parts tells every BY part but BYSETPOS, one after another.
func (p *phrase) parts() string {
	if p.Freq.SubDaily() {
		return p.within() + p.hours() + p.inMonths() + p.inWeeks() + p.onlyDays()
	}
	return strings.TrimSuffix(p.inMonths()+p.inWeeks()+p.onDays()+p.atTimes(), ",")
}

var unitNames = [...]string{"", "second", "minute", "hour", "day", "week", "month", "year"}

// unit is the name of the period that the rule repeats in.
func (p *phrase) unit() string { return unitNames[p.Freq] }

// every is "every day" or "every 2 weeks (weeks begin on Sunday)".
func (p *phrase) every() string {
	text := "every " + p.unit()
	if p.Interval > 1 {
		text = fmt.Sprintf("every %d %ss", p.Interval, p.unit())
	}
	if p.weekStartMatters() {
		text += " (weeks begin on " + p.WeekStart.String() + ")"
	}
	return text
}

// weekStartMatters reports whether another WKST than Monday can make a difference: where
// weeks are numbered, stepped over, or chosen from. It makes none for a week of which only
// one day counts, the start's.
func (p *phrase) weekStartMatters() bool {
	switch {
	case p.WeekStart == time.Monday:
		return false
	case p.Freq == Yearly:
		return len(p.ByWeekNo) > 0
	case p.Freq != Weekly || p.Interval <= 1 && len(p.BySetPos) == 0:
		return false
	}
	day, ok := p.weekdayOfStart()
	return !ok || p.each != 1<<day
}

// idiom is the usual way to say a rule that steps by one and whose days are weekdays: "every
// weekday", "every Tuesday and Thursday in May", "every second Tuesday of the month", "every
// Friday the 13th".
func (p *phrase) idiom() (string, bool) {
	if p.Interval > 1 || p.Freq < Daily || len(p.byDay) == 0 || len(p.ByYearDay)+len(p.ByWeekNo) > 0 {
		return "", false
	}
	first := p.byDay[0]
	switch {
	case len(p.byMonthDay) == 0 && !p.ordered:
		return "every " + enumerate(weekdayWords(p.each, ""), "and") + p.inMonths(), true
	case len(p.byDay) > 1:
		return "", false
	case len(p.byMonthDay) == 0 && p.Freq == Monthly:
		return "every " + ordinal(first.N) + " " + first.Day.String() + " of the month" + p.inMonths(), true
	case len(p.byMonthDay) == 1 && p.byMonthDay[0] > 0 && !p.ordered && p.Freq != Weekly:
		return "every " + first.Day.String() + " " + monthDayWord(p.byMonthDay[0]) + p.inMonths(), true
	}
	return "", false
}

// weekdayWords names a set of weekdays, by the name of the set where it has one.
func weekdayWords(set uint8, ending string) []string {
	switch set {
	case workdays:
		return []string{"weekday" + ending}
	case everyDay:
		return []string{"day" + ending}
	}
	return weekdayNamesOf(set, ending)
}

// inMonths is " in March and November".
func (p *phrase) inMonths() string {
	if len(p.byMonth) == 0 {
		return ""
	}
	return " in " + enumerate(monthNames(p.byMonth), "and")
}

// inWeeks is " in the week numbers 20 and 21 and the last week of the year".
func (p *phrase) inWeeks() string {
	if len(p.ByWeekNo) == 0 {
		return ""
	}
	var words []string
	list := inReadingOrder(p.ByWeekNo)
	fromStart := slices.DeleteFunc(slices.Clone(list), isNegative)
	if len(fromStart) > 0 {
		words = append(words, named("week number", fromStart))
	}
	for _, n := range list[len(fromStart):] {
		words = append(words, theOrdinal(n)+" week of the year")
	}
	return " in " + enumerate(words, "and")
}

// onDays is " on the 13th if the day is a Friday,": the days of one part, and the other parts
// as conditions. In a DAILY rule each part is a condition.
func (p *phrase) onDays() string {
	switch {
	case p.Freq == Daily:
		return closed(p.onlyDays())
	case len(p.ByYearDay) > 0:
		return " on " + p.yearDays("and") + closed(conditions(p.monthDays("or"), p.weekdaysAlternative()))
	case len(p.byMonthDay) > 0:
		return " on " + p.monthDays("and") + closed(conditions(p.weekdaysAlternative()))
	case len(p.byDay) > 0:
		return " on " + p.weekdays()
	}
	return ""
}

// closed puts a comma behind conditions, unless there are none.
func closed(conditions string) string {
	if conditions == "" {
		return ""
	}
	return conditions + ","
}

// onlyDays is onDays for a DAILY rule or one below, where each part only limits.
func (p *phrase) onlyDays() string {
	return conditions(p.yearDays("or"), p.monthDays("or"), p.weekdaysAlternative())
}

// conditions joins those that are not empty to " if the day is X and Y".
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

// yearDays names the days of BYYEARDAY.
func (p *phrase) yearDays(conjunction string) string {
	if len(p.ByYearDay) == 0 {
		return ""
	}
	return enumerate(runs(p.ByYearDay, yearDayWord), conjunction) + " day of the year"
}

// monthDays names the days of BYMONTHDAY, and the month that they count in where the
// sentence has not named it.
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

func isNegative(n int) bool { return n < 0 }

// weekdays names the days of BYDAY as those that a period has: "Monday and Friday" of a
// week, "every Monday and the second Tuesday of the month".
func (p *phrase) weekdays() string {
	names := weekdayWords(p.each, "")
	if p.Freq == Monthly || p.Freq == Yearly && len(p.ByWeekNo) == 0 || p.each == workdays || p.each == everyDay {
		for i := range names {
			names[i] = "every " + names[i]
		}
	}
	return enumerate(append(names, p.ordinalWeekdays("and")...), "and") + p.ordinalScope()
}

// weekdaysAlternative names the days of BYDAY as those that a day can be.
func (p *phrase) weekdaysAlternative() string {
	var names []string
	for _, name := range weekdayWords(p.each, "") {
		names = append(names, "a "+name)
	}
	return enumerate(append(names, p.ordinalWeekdays("or")...), "or") + p.ordinalScope()
}

// ordinalWeekdays names the weekdays with ordinals: "the first and the third Monday".
func (p *phrase) ordinalWeekdays(conjunction string) []string {
	var names []string
	for i := range 7 {
		day := (i + 1) % 7
		if list := p.ordinals[day]; len(list) > 0 {
			names = append(names, enumerate(runs(list, theOrdinal), conjunction)+" "+time.Weekday(day).String())
		}
	}
	return names
}

// ordinalScope says what the ordinals of BYDAY count in.
func (p *phrase) ordinalScope() string {
	switch {
	case !p.ordered:
		return ""
	case p.Freq == Monthly || len(p.ByMonth) > 0:
		return " of the month"
	}
	return " of the year"
}

// maxTimes is how many times of day are told one by one.
const maxTimes = 6

// atTimes is " at 09:00 and 12:00 America/New_York".
func (p *phrase) atTimes() string {
	switch {
	case !p.timed() && !p.hasTimes():
		return ""
	case !p.timed(): // nothing to fill in from
		return " at " + p.clockParts(p.ByHour, p.ByMinute, p.BySecond)
	}
	times := p.times(p.Rule)
	if times.n > maxTimes {
		hours, minutes, seconds := times.hours[:times.nh], times.minutes[:times.nm], times.seconds[:times.ns]
		return " at " + p.clockParts(ints(hours), ints(minutes), ints(seconds)) + p.zoned()
	}
	var words []string
	for i := range times.n {
		words = append(words, timeWords(times.at(i)))
	}
	return " at " + enumerate(words, "and") + p.zone
}

// zoned is the zone as it stands after something else than a time.
func (p *phrase) zoned() string {
	if p.zone == "" {
		return ""
	}
	return "," + p.zone + " time"
}

// clockParts lists hours, minutes and seconds: "the minutes 0 and 30 of the hours 9 to 16".
// Second 0 goes without saying beside others, unless the rule could choose any second.
func (p *phrase) clockParts(hours, minutes, seconds []int) string {
	var words []string
	silent := slices.Equal(seconds, []int{0}) && len(hours)+len(minutes) > 0 && p.Freq != Secondly
	if len(seconds) > 0 && !silent {
		words = append(words, named("second", seconds))
	}
	if len(minutes) > 0 {
		words = append(words, named("minute", minutes))
	}
	if len(hours) > 0 {
		words = append(words, named("hour", hours))
	}
	text := words[0]
	for _, w := range words[1:] {
		text += " of " + w
	}
	return text
}

func ints(list []uint8) []int {
	var all []int
	for _, v := range list {
		all = append(all, int(v))
	}
	return all
}

// within tells the times that a period of a frequency below DAILY holds: " at the minutes 0
// and 30".
func (p *phrase) within() string {
	minutes, seconds := p.ByMinute, p.BySecond
	if at := timeOf(p.start); p.timed() {
		if p.Freq == Hourly && len(minutes) == 0 {
			minutes = []int{int(at.minute)}
		}
		if p.Freq > Secondly && len(seconds) == 0 && at.second != 0 {
			seconds = []int{int(at.second)}
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

// hours is " in the hours 9 to 16", to which BYHOUR limits a frequency below DAILY.
func (p *phrase) hours() string {
	if len(p.ByHour) == 0 {
		return ""
	}
	return " in " + named("hour", p.ByHour)
}

// counted says for a frequency below DAILY what an INTERVAL counts from, and the zone.
func (p *phrase) counted() string {
	if p.zone == "" {
		return ""
	}
	if p.Interval <= 1 {
		return p.zoned()
	}
	_, second := splitClock(p.start.clock)
	return ", counted from " + timeWords(second) + p.zone
}

// chosen tells a rule with BYSETPOS: "every month on the last of the weekdays of the month",
// or else the places and then all that they choose from.
func (p *phrase) chosen() string {
	places := enumerate(runs(p.BySetPos, theOrdinal), "and")
	if p.chosenFromDays() {
		return p.every() + p.inMonths() + " on " + places + " of the " + enumerate(weekdayWords(p.each, "s"), "and") +
			" of the " + p.unit() + p.atTimes()
	}
	text := p.every() + ", only " + places
	if parts := p.parts(); parts != "" {
		text += " of these:" + parts
	}
	if p.Freq.SubDaily() {
		text += p.counted()
	}
	return text
}

// chosenFromDays reports whether BYSETPOS chooses from the weekdays of one period. In a
// YEARLY rule with BYMONTH it chooses from several months together, which that idiom would
// leave open.
func (p *phrase) chosenFromDays() bool {
	plain := len(p.byMonthDay)+len(p.ByYearDay)+len(p.ByWeekNo) == 0 && !p.ordered
	if !plain || p.each == 0 || p.Freq < Weekly || p.Freq == Yearly && len(p.byMonth) > 0 {
		return false
	}
	times := p.times(p.Rule)
	return times.n == 1
}
