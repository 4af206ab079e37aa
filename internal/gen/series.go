package gen

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/zone"
)

// Series draws an event with only three members: a recurrence, and a start and an end to match. The recurrence lines contain
// rules with every frequency and every part, and added and excluded dates in every form. The start is always an instance, so
// the series is never empty.
var Series = draw.Built(func(t *draw.T, e *event.Event) { drawSeries(t, e, draw.Maybe(t, "all-day")) })

func drawSeries(t *draw.T, e *event.Event, allDay bool) {
	b := drawBegin(t, allDay)
	e.Start, e.End = b.start, b.end
	e.Recurrence = []string{b.ruleLine(t)}
	if draw.Seldom(t, "second rule") {
		e.Recurrence = append(e.Recurrence, b.ruleLine(t))
	}
	if draw.Seldom(t, "EXRULE") {
		e.Recurrence = append(e.Recurrence, b.exruleLine(t))
	}
	for range draw.One(t, "lines of dates", 0, 0, 1, 2) {
		e.Recurrence = append(e.Recurrence, b.datesLine(t))
	}
}

// drawAnnual draws a birthday: an all-day series with one instance a year.
func drawAnnual(t *draw.T, e *event.Event) {
	b := drawBegin(t, true)
	parts := []string{"FREQ=YEARLY"}
	if draw.Maybe(t, "interval") {
		parts = append(parts, "INTERVAL=1")
	}
	if draw.Maybe(t, "the day") {
		parts = append(parts, fmt.Sprintf("BYMONTH=%d;BYMONTHDAY=%d", b.clock.Month(), b.clock.Day()))
	}
	e.Start, e.End = b.start, b.end
	e.Recurrence = []string{"RRULE:" + strings.Join(b.endPart(t, parts), ";")}
}

type begin struct {
	allDay     bool
	start, end *event.Time
	at         time.Time // the start, to the second, or midnight in UTC of its day
	clock      time.Time // the same time in the zone of the start
	zone       string
}

// The range of days on which a series may start. The range leaves room for later dates, because years in RFC 5545 have
// four digits. Series cannot be expanded before the year 0.
var firstSeries = time.Date(0, 1, 2, 0, 0, 0, 0, time.UTC)
var lastSeries = time.Date(9980, 1, 1, 0, 0, 0, 0, time.UTC)
var seriesDay = dayFrom(firstSeries, lastSeries)
var seriesSecond = secondOf(seriesDay)

// drawBegin draws the start and the end of a series, each with a zone.
func drawBegin(t *draw.T, allDay bool) begin {
	b := begin{allDay: allDay, zone: ZoneName.Draw(t, "zone")}
	var start moment
	write := func(at time.Time) moment { return moment{&event.Time{Date: at.Format(dateForm)}, at} }
	if allDay {
		start = write(seriesDay.Draw(t, "first day"))
		b.clock = start.at
	} else {
		n := drawNotation(t)
		n.zone = b.zone
		where, _ := zone.Load(b.zone)
		start = timedAt(seriesSecond.Draw(t, "instant"), n)
		b.clock = start.at.Truncate(time.Second).In(where)
		write = func(at time.Time) moment { return timedAt(at.Truncate(time.Second), n) }
	}
	b.at = start.at.Truncate(time.Second)
	b.start, b.end = start.Time, drawEnd(t, start, write).Time
	b.start.TimeZone, b.end.TimeZone = b.zone, b.zone
	return b
}

// frequency is a value of FREQ, with the BY parts that RFC 5545 section 3.3.10 allows for it, but not for every frequency.
type frequency struct {
	name  string
	parts []byPart
}

// byPart is a BY part whose values are the numbers from low to high and, if signed, their negatives.
type byPart struct {
	name      string
	low, high int
	signed    bool
}

var byMonth = byPart{"BYMONTH", 1, 12, false}
var byWeekNo = byPart{"BYWEEKNO", 1, 53, true}
var byYearDay = byPart{"BYYEARDAY", 1, 366, true}
var byMonthDay = byPart{"BYMONTHDAY", 1, 31, true}
var bySetPos = byPart{"BYSETPOS", 1, 366, true}

// timeParts are the BY parts that are allowed for every frequency, but not with an all-day start.
var timeParts = []byPart{{"BYHOUR", 0, 23, false}, {"BYMINUTE", 0, 59, false}, {"BYSECOND", 0, 60, false}}

var daily = []frequency{
	{"DAILY", []byPart{byMonth, byMonthDay}},
	{"WEEKLY", []byPart{byMonth}},
	{"MONTHLY", []byPart{byMonth, byMonthDay}},
	{"YEARLY", []byPart{byMonth, byWeekNo, byYearDay, byMonthDay}},
}

// subDaily are the frequencies that require a timed start.
var subDaily = []frequency{
	{"HOURLY", []byPart{byMonth, byYearDay, byMonthDay}},
	{"MINUTELY", []byPart{byMonth, byYearDay, byMonthDay}},
	{"SECONDLY", []byPart{byMonth, byYearDay, byMonthDay}},
}

// ruleLine draws an RRULE. The UNTIL, if any, is not before the start.
func (b *begin) ruleLine(t *draw.T) string {
	from := daily
	if !b.allDay && draw.Seldom(t, "more than daily") {
		from = subDaily
	}
	f := draw.One(t, "frequency", from...)
	parts := []string{"FREQ=" + f.name}
	if n := draw.One(t, "interval", "", "2", "1", "3", "12", "99", "9223372036854775807"); n != "" {
		parts = append(parts, "INTERVAL="+n)
	}
	parts = b.byParts(t, f, parts)
	if draw.Maybe(t, "week start") {
		parts = append(parts, "WKST="+weekday.Draw(t, "week start"))
	}
	if draw.Seldom(t, "extension") {
		parts = append(parts, "X-NOTE=1")
	}
	parts = b.endPart(t, parts)
	if draw.Seldom(t, "other order") {
		parts = draw.Permutation(parts).Draw(t, "order")
	}
	line := "RRULE:" + strings.Join(parts, ";")
	if draw.Seldom(t, "in lower case") && !strings.Contains(line, "UNTIL") { // UNTIL needs capitals
		return strings.ToLower(line)
	}
	return line
}

// byParts appends drawn BY parts to the parts of a rule. Most rules get no BY parts.
func (b *begin) byParts(t *draw.T, f frequency, parts []string) []string {
	before, weekNo := len(parts), false
	allowed := f.parts
	if !b.allDay {
		allowed = append(allowed[:len(allowed):len(allowed)], timeParts...)
	}
	for _, p := range allowed {
		if draw.Int(t, p.name+"?", 0, 3) == 3 {
			parts = append(parts, p.draw(t))
			weekNo = weekNo || p == byWeekNo
		}
	}
	if draw.Int(t, "BYDAY?", 0, 3) == 3 {
		ordinals := f.name == "MONTHLY" || f.name == "YEARLY" && !weekNo
		days := draw.SliceOfNDistinct(dayOfWeek(ordinals), 1, 3, draw.Same[string]).Draw(t, "BYDAY")
		parts = append(parts, "BYDAY="+strings.Join(days, ","))
	}
	if len(parts) > before && draw.Seldom(t, "BYSETPOS") {
		parts = append(parts, bySetPos.draw(t))
	}
	return parts
}

func (p byPart) draw(t *draw.T) string {
	value := draw.Custom(func(t *draw.T) string {
		n := draw.Around(p.low, p.high).Draw(t, "number")
		if p.signed && draw.Maybe(t, "from the end") {
			n = -n
		}
		return strconv.Itoa(n)
	})
	values := draw.SliceOfNDistinct(value, 1, 3, draw.Same[string]).Draw(t, p.name)
	return p.name + "=" + strings.Join(values, ",")
}

var weekday = draw.Sampled("MO", "TU", "WE", "TH", "FR", "SA", "SU")

func dayOfWeek(ordinals bool) draw.Generator[string] {
	if !ordinals {
		return weekday
	}
	nth := draw.Sampled("", "1", "-1", "+2", "5", "-5", "53", "-53")
	return func(t *draw.T) string { return nth.Draw(t, "nth") + weekday.Draw(t, "weekday") }
}

// endPart appends the end of a rule to its parts: COUNT, UNTIL or nothing.
func (b *begin) endPart(t *draw.T, parts []string) []string {
	switch draw.Int(t, "ends", 0, 3) {
	case 1:
		count := draw.One(t, "count", "1", "2", "10", "730", "9223372036854775807")
		return append(parts, "COUNT="+count)
	case 2:
		return append(parts, "UNTIL="+b.until(t))
	default:
		return parts
	}
}

// until draws an UNTIL at or after the start. The UNTIL is a date if the start is a date, and a date-time if the start is a
// date-time or, as some clients write UNTIL, the reverse.
func (b *begin) until(t *draw.T) string {
	days := draw.One(t, "days until", 0, 1, 7, 31, 400, 3660)
	other := draw.Seldom(t, "other form")
	switch {
	case b.allDay && other:
		return dateTime(b.at.AddDate(0, 0, days)) + "Z"
	case b.allDay:
		return date(b.at.AddDate(0, 0, days))
	case other:
		return date(b.clock.AddDate(0, 0, days))
	default:
		return dateTime(b.at.UTC().AddDate(0, 0, days)) + "Z"
	}
}

func date(at time.Time) string     { return at.Format("20060102") }
func dateTime(at time.Time) string { return at.Format("20060102T150405") }

// exruleLine draws an EXRULE for a day of the month other than the start's, which therefore cannot exclude the start.
func (b *begin) exruleLine(t *draw.T) string {
	day := draw.Int(t, "day of the month", 1, 30)
	if day >= b.clock.Day() {
		day++
	}
	return fmt.Sprintf("EXRULE:FREQ=MONTHLY;BYMONTHDAY=%d", day)
}

// datesLine draws an RDATE, or an EXDATE that does not exclude the start.
func (b *begin) datesLine(t *draw.T) string {
	name := draw.One(t, "property", "EXDATE", "RDATE")
	offsets := draw.SliceOfNDistinct(draw.IntRange(1, 60), 1, 3, draw.Same[int]).Draw(t, "days after the start")
	forms := []valueForm{days, inUTC, onClock, inZone, periods}
	if b.allDay {
		forms = []valueForm{days, days, days, inUTC, periods}
	}
	form := draw.One(t, "form", forms...)
	if form == periods && name == "EXDATE" {
		form = days // an EXDATE has no periods
	}
	values := make([]string, len(offsets))
	for i, n := range offsets {
		values[i] = b.dateValue(form, n)
	}
	return name + b.dateParams(t, form) + ":" + strings.Join(values, ",")
}

// valueForm is the form of the values in an RDATE or EXDATE line.
type valueForm int

const (
	days    valueForm = iota // VALUE=DATE
	inUTC                    // a time in UTC
	onClock                  // a local time in the zone of the start, without TZID
	inZone                   // a local time in the zone of the start, with TZID
	periods                  // VALUE=PERIOD, a period of an hour
)

// dateValue returns the date or time n days after the start in the given form.
func (b *begin) dateValue(form valueForm, n int) string {
	switch form {
	case days:
		return date(b.clock.AddDate(0, 0, n))
	case inUTC:
		return dateTime(b.at.UTC().AddDate(0, 0, n)) + "Z"
	case periods:
		return dateTime(b.at.UTC().AddDate(0, 0, n)) + "Z/PT1H"
	default:
		return dateTime(b.clock.AddDate(0, 0, n))
	}
}

// dateParams returns the parameters of a line for the given form.
func (b *begin) dateParams(t *draw.T, form valueForm) string {
	switch form {
	case days:
		return ";VALUE=DATE"
	case periods:
		return ";VALUE=PERIOD"
	case inZone:
		return draw.One(t, "parameters", ";TZID="+b.zone, `;TZID="`+b.zone+`"`, ";VALUE=DATE-TIME;TZID="+b.zone)
	default:
		return draw.One(t, "parameters", "", ";VALUE=DATE-TIME", ";X-NOTE=a")
	}
}
