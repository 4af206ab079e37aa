package fuzz

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/internal/zone"
)

// badLine draws lines of a recurrence that break a rule.
type badLine struct {
	name string
	draw func(t *rapid.T, b *begin) string
}

// inLine returns a variant for each of the lines, which it inserts anywhere into the recurrence.
func (v variant) inLine(lines ...badLine) []variant {
	variants := make([]variant, len(lines))
	for i, l := range lines {
		variants[i] = v.with(l.name, func(t *rapid.T, d *draft) diag.Pointer {
			line := l.draw(t, beginOf(d.body))
			lines, _ := d.body["recurrence"].([]any)
			i := rapid.IntRange(0, len(lines)).Draw(t, "index of the line")
			d.body["recurrence"] = slices.Insert(slices.Clone(lines), i, any(line))
			return diag.Pointer("/recurrence").Index(i)
		})
	}
	return variants
}

// inSet returns a variant that replaces the whole recurrence.
func (v variant) inSet(name string, lines func(t *rapid.T, b *begin) []string) variant {
	return v.with(name, func(t *rapid.T, d *draft) diag.Pointer {
		d.body["recurrence"] = recurrence(lines(t, beginOf(d.body))...)
		return "/recurrence"
	})
}

// recurrence returns lines as a value of a tree.
func recurrence(lines ...string) []any {
	list := make([]any, len(lines))
	for i, line := range lines {
		list[i] = line
	}
	return list
}

// beginOf reads where the series of a body begins.
func beginOf(body members) *begin {
	e := decodeEvent(body)
	m := momentOf(e.Start)
	b := &begin{allDay: e.Start.Date != "", start: e.Start, end: e.End, at: m.at.Truncate(time.Second), zone: e.Start.TimeZone}
	b.clock = b.at
	if !b.allDay {
		where, _ := zone.Load(b.zone)
		b.clock = b.at.In(where)
	}
	return b
}

// choice is one of several texts.
type choice []string

// The names of the properties with rules, and of those with dates.
var (
	ruleNames = choice{"RRULE", "EXRULE"}
	dateNames = choice{"RDATE", "EXDATE"}
)

// line draws its parts in order: a text, a choice, or a function that draws a text.
func line(name string, parts ...any) badLine {
	return badLine{name, func(t *rapid.T, b *begin) string {
		var text strings.Builder
		for _, part := range parts {
			switch part := part.(type) {
			case string:
				text.WriteString(part)
			case choice:
				text.WriteString(rapid.SampledFrom(part).Draw(t, "part"))
			case func(*rapid.T) string:
				text.WriteString(part(t))
			case func(*rapid.T, *begin) string:
				text.WriteString(part(t, b))
			case func(*begin, *rapid.T) string: // a method
				text.WriteString(part(b, t))
			default:
				panic(fmt.Sprintf("fuzz: %T is not a part of a line", part))
			}
		}
		return text.String()
	}}
}

// dayAt writes the day n days after the start.
func dayAt(form valueForm, n int) func(*rapid.T, *begin) string {
	return func(_ *rapid.T, b *begin) string { return b.dateValue(form, n) }
}

// dayIn writes a day from low to high days after the start.
func dayIn(form valueForm, low, high int) func(*rapid.T, *begin) string {
	return func(t *rapid.T, b *begin) string {
		return b.dateValue(form, rapid.IntRange(low, high).Draw(t, "days"))
	}
}

// dayBefore writes a day from low to high days before the start.
func dayBefore(form valueForm, low, high int) func(*rapid.T, *begin) string {
	return func(t *rapid.T, b *begin) string {
		return b.dateValue(form, -rapid.IntRange(low, high).Draw(t, "days"))
	}
}

// someDays writes one to three different days after the start.
func someDays(form valueForm) func(*rapid.T, *begin) string {
	return func(t *rapid.T, b *begin) string {
		after := rapid.SliceOfNDistinct(rapid.IntRange(2, 60), 1, 3, rapid.ID[int]).Draw(t, "days after the start")
		values := make([]string, len(after))
		for i, n := range after {
			values[i] = b.dateValue(form, n)
		}
		return strings.Join(values, ",")
	}
}

func numberIn(low, high int) func(*rapid.T) string {
	return func(t *rapid.T) string { return strconv.Itoa(rapid.IntRange(low, high).Draw(t, "number")) }
}

// plainRule draws a rule that matches every start, and plainValue its value.
func plainRule(t *rapid.T) string  { return "RRULE:" + plainValue(t) }
func plainValue(t *rapid.T) string { return "FREQ=" + drawFrequency(t, daily) }

func drawFrequency(t *rapid.T, from []frequency) string {
	return rapid.SampledFrom(from).Draw(t, "frequency").name
}

func subDailyName(t *rapid.T) string { return drawFrequency(t, subDaily) }

// endlessRule draws a rule of either property that does not end.
func endlessRule(t *rapid.T) string {
	value := plainValue(t)
	return drawRuleName(t) + ":" + value
}

func drawRuleName(t *rapid.T) string { return rapid.SampledFrom(ruleNames).Draw(t, "property") }
func drawDateName(t *rapid.T) string { return rapid.SampledFrom(dateNames).Draw(t, "property") }

// anyLine draws a line of any property.
func (b *begin) anyLine(t *rapid.T) string {
	switch rapid.IntRange(0, 2).Draw(t, "property") {
	case 0:
		return b.ruleLine(t)
	case 1:
		return b.exruleLine(t)
	default:
		return b.datesLine(t)
	}
}

// ruleValue draws the value of a rule.
func (b *begin) ruleValue(t *rapid.T) string {
	_, value, _ := strings.Cut(b.ruleLine(t), ":")
	return value
}

// parts draws a rule, and returns its property with the colon, and its parts.
func (b *begin) parts(t *rapid.T) (property string, parts []string) {
	value := b.ruleValue(t)
	return drawRuleName(t) + ":", strings.Split(value, ";")
}

// withoutParts returns the parts whose names do not begin with the prefix.
func withoutParts(parts []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return strings.HasPrefix(strings.ToUpper(part), prefix) })
}

// lineWith is any line in one of several spellings.
func lineWith(name string, spellings ...spelling) badLine {
	return badLine{name, func(t *rapid.T, b *begin) string {
		i := rapid.IntRange(0, len(spellings)-1).Draw(t, "spelling")
		return spellings[i](b.anyLine(t))
	}}
}

// nameEnd returns the length of a line's name.
func nameEnd(line string) int { return strings.IndexAny(line, ";:") }

// swappedColon keeps only the name and the value of a line, with another text instead of the colon.
// Without one, it keeps only the name.
func swappedColon(by string) spelling {
	return func(line string) string {
		name, value := line[:nameEnd(line)], line[strings.LastIndexByte(line, ':')+1:]
		if by == "" {
			return name
		}
		return name + by + value
	}
}

// brokenBy is any line with one of the texts somewhere after its name.
func brokenBy(name string, texts ...string) badLine {
	return badLine{name, func(t *rapid.T, b *begin) string {
		by := rapid.SampledFrom(texts).Draw(t, "text")
		line := b.anyLine(t)
		i := rapid.IntRange(nameEnd(line), len(line)-1).Draw(t, "place")
		return line[:i] + by + line[i:]
	}}
}

// paramLine is a line of dates with one of the parameters.
func paramLine(name string, params ...string) badLine {
	return line(name, dateNames, choice(params), ":", dayAt(onClock, 1))
}

// ruleWith is any rule, rewritten in one of several ways.
func ruleWith(name string, rewrites ...func(parts []string) string) badLine {
	return badLine{name, func(t *rapid.T, b *begin) string {
		property, parts := b.parts(t)
		return property + rewrites[rapid.IntRange(0, len(rewrites)-1).Draw(t, "spelling")](parts)
	}}
}

// rulePlus is any rule with one of the parts at its end.
func rulePlus(name string, added ...string) badLine {
	rewrites := make([]func(parts []string) string, len(added))
	for i, part := range added {
		rewrites[i] = func(parts []string) string { return strings.Join(parts, ";") + ";" + part }
	}
	return ruleWith(name, rewrites...)
}

// withParts is a rule with one of several lists of parts.
func withParts(name string, lists ...string) badLine {
	return line(name, ruleNames, ":", choice(lists))
}

// withValue is a rule with one of several values of a part.
func withValue(name, part string, values ...string) badLine {
	return badLine{name, func(t *rapid.T, _ *begin) string {
		freq := rapid.SampledFrom([]string{"MONTHLY", "YEARLY"}).Draw(t, "frequency")
		return drawRuleName(t) + ":FREQ=" + freq + ";" + part + "=" + rapid.SampledFrom(values).Draw(t, "value") + ";X-NOTE=1"
	}}
}

// tooSmall is a rule with one of several values of a part.
func tooSmall(name, part string, values ...string) badLine {
	return badLine{name, func(t *rapid.T, _ *begin) string {
		return endlessRule(t) + ";" + part + "=" + rapid.SampledFrom(values).Draw(t, "value")
	}}
}

// numbered is a rule with a BY part that contains a wrong number, alone or in a list. The part fits
// the start and is a wanted one; nil wants all.
func numbered(name string, wanted func(byPart) bool, number func(t *rapid.T, p byPart) string) badLine {
	return badLine{name, func(t *rapid.T, b *begin) string {
		parts := []byPart{byMonth, byWeekNo, byYearDay, byMonthDay, bySetPos}
		if !b.allDay {
			parts = append(parts, timeParts...)
		}
		if wanted != nil {
			parts = slices.DeleteFunc(parts, func(p byPart) bool { return !wanted(p) })
		}
		p := parts[rapid.IntRange(0, len(parts)-1).Draw(t, "part")]
		value, good := number(t, p), strconv.Itoa(p.high)
		lists := []string{good + "," + value, value + "," + good, good + "," + value + "," + good}
		if value != "" {
			lists = append(lists, value)
		}
		return drawRuleName(t) + ":FREQ=YEARLY;BYDAY=MO;" + p.name + "=" + rapid.SampledFrom(lists).Draw(t, "list") + ";X-NOTE=1"
	}}
}

// byPartOf is a rule of one of the frequencies with a BY part.
func byPartOf(name string, p byPart, frequencies ...string) badLine {
	return line(name, ruleNames, ":FREQ=", choice(frequencies), ";", p.draw)
}

// someOrdinals draws days of the week, one of them with a number.
func someOrdinals(t *rapid.T) string {
	nth := rapid.SampledFrom([]string{"1", "-1", "+2", "05", "53", "-53"}).Draw(t, "nth") + weekday().Draw(t, "weekday")
	return rapid.SampledFrom([]string{"", "MO,", "TU,WE,"}).Draw(t, "other days") + nth
}

// otherWeekday draws a day of the week other than the start's.
func otherWeekday(t *rapid.T, b *begin) string {
	days := []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}
	return days[(int(b.clock.Weekday())+rapid.IntRange(1, 6).Draw(t, "days off"))%7]
}

// datesOf is a line of dates with one of the values, alone or after valid values.
func datesOf(name, params string, values ...string) badLine {
	return line(name, dateNames, params, ":", func(t *rapid.T, b *begin) string { return b.goodValues(t, params) }, choice(values))
}

// goodValues draws values that the parameters allow, each with a comma after it. If the parameters
// are wrong, it draws none.
func (b *begin) goodValues(t *rapid.T, params string) string {
	forms := map[string]valueForm{"": inUTC, ";VALUE=DATE": days, ";VALUE=DATE-TIME": inUTC, ";TZID=Europe/Berlin": onClock, ";TZID=America/New_York": onClock}
	form, known := forms[params]
	if !known {
		return ""
	}
	var values strings.Builder
	for n := range rapid.IntRange(0, 2).Draw(t, "values before") {
		values.WriteString(b.dateValue(form, n+1) + ",")
	}
	return values.String()
}

// listsOf is a line of dates with one of several lists, in which VALUE stands for a valid value.
func listsOf(name string, lists ...string) badLine {
	return badLine{name, func(t *rapid.T, b *begin) string {
		list := drawDateName(t) + ":" + rapid.SampledFrom(lists).Draw(t, "list")
		return strings.ReplaceAll(list, "VALUE", b.dateValue(inUTC, 1))
	}}
}

// periodOf is an RDATE with one of the values, alone or after a valid period.
func periodOf(name string, values ...string) badLine {
	before := func(t *rapid.T, b *begin) string {
		return rapid.SampledFrom([]string{"", b.dateValue(periods, 1) + ","}).Draw(t, "values before")
	}
	return line(name, "RDATE;VALUE=PERIOD:", before, choice(values))
}

// shuffled draws an order of the lines.
func shuffled(t *rapid.T, lines ...string) []string {
	return rapid.Permutation(lines).Draw(t, "order of lines")
}

// withoutStart draws an EXDATE that excludes the start. One on the clock does so if the clock shows
// the start's time once, or for the first time.
func (b *begin) withoutStart(t *rapid.T) string {
	lines := []string{"EXDATE;VALUE=DATE:" + b.dateValue(days, 0), "EXDATE:" + b.dateValue(inUTC, 0)}
	clock := b.clock.Format(clockForm)
	if b.allDay || read(&event.Time{DateTime: clock}, b.clock.Location()).at.Equal(b.at) {
		lines = append(lines, "EXDATE:"+b.dateValue(onClock, 0), "EXDATE;TZID="+b.zone+":"+b.dateValue(onClock, 0))
	}
	return rapid.SampledFrom(lines).Draw(t, "EXDATE")
}

// exdate writes an EXDATE n days after the start: of a day, or in UTC.
func (b *begin) exdate(n int) string {
	if b.allDay {
		return "EXDATE;VALUE=DATE:" + b.dateValue(days, n)
	}
	return "EXDATE:" + b.dateValue(inUTC, n)
}

// offWeek draws a number of days after the start, at most so many weeks, on another day of the week.
func offWeek(t *rapid.T, weeks int) int {
	return 7*rapid.IntRange(0, weeks).Draw(t, "weeks") + rapid.IntRange(2, 5).Draw(t, "days")
}

// otherNumber draws a number from low to high that is not the given one.
func otherNumber(t *rapid.T, low, high, not int) string {
	n := rapid.IntRange(low, high).Draw(t, "number")
	if n == not {
		n = low + high - not
	}
	if n == not {
		n = low
	}
	return strconv.Itoa(n)
}

// notInRule returns a variant with one or two rules that do not match the start, and dates anywhere
// among them. The finding is at the first rule.
func (v variant) notInRule(name string, rule func(t *rapid.T, b *begin) string) variant {
	return v.with(name, func(t *rapid.T, d *draft) diag.Pointer {
		b := beginOf(d.body)
		lines := []string{rule(t, b) + rapid.SampledFrom([]string{"", ";COUNT=3", ";INTERVAL=2"}).Draw(t, "more")}
		if draw.Maybe(t, "second rule") {
			lines = append(lines, rule(t, b))
		}
		if draw.Maybe(t, "dates") {
			lines = append(lines, b.datesLine(t))
		}
		lines = shuffled(t, lines...)
		d.body["recurrence"] = recurrence(lines...)
		isRule := func(line string) bool { return strings.HasPrefix(line, "RRULE") }
		return diag.Pointer("/recurrence").Index(slices.IndexFunc(lines, isRule))
	})
}

// moved returns a variant that stores a recurrence, and moves the start and the end by so many days.
func (v variant) moved(name string, path diag.Pointer, series func(t *rapid.T, b *begin) (lines []string, days int)) variant {
	return v.with(name, func(t *rapid.T, d *draft) diag.Pointer {
		b := beginOf(d.body)
		lines, n := series(t, b)
		d.stored["recurrence"], d.body["recurrence"] = recurrence(lines...), recurrence(lines...)
		at := b.at.UTC().AddDate(0, 0, n)
		later := members{"dateTime": nanos(at), "timeZone": b.zone}
		if b.allDay {
			later = members{"date": at.Format(dateForm), "timeZone": b.zone}
		}
		put(d.body, "/start", later)
		put(d.body, "/end", cloned(later))
		return path
	})
}

// onInstance returns a variant that gives an instance a recurrence with these lines.
func (v variant) onInstance(name string, lines ...func(t *rapid.T) string) variant {
	return v.with(name, func(t *rapid.T, d *draft) diag.Pointer {
		texts := make([]string, len(lines))
		for i, line := range lines {
			texts[i] = line(t)
		}
		d.body["recurrence"] = recurrence(texts...)
		d.body["recurringEventId"] = seriesID().Draw(t, "series")
		if d.stored != nil {
			remove(d.stored, "/recurrence")
			d.stored["recurringEventId"] = d.body["recurringEventId"]
		}
		return "/recurrence"
	})
}
