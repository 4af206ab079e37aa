package recurrence

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// The rules about single parts of an RRULE or EXRULE.

var rulePart = diag.Rule{
	ID: "recurrence.rule.part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Rule parts are known and appear once, FREQ is among them, and their values are in the ranges of RFC 5545.",
	Section: ruleSection,
	Why:     "A part that a reader does not know or cannot read changes the instances. Readers ignore parts with X-names, so these only get advice if they appear once.",
	Good:    sample.Series("RRULE:FREQ=MONTHLY;BYMONTHDAY=10,31;COUNT=5"),
	Bad:     sample.Series("RRULE:FREQ=MONTHLY;BYMONTHDAY=10,32;COUNT=5"),
	Check:   check(checkFaults),
}

var ruleCountUntil = diag.Rule{
	ID: "recurrence.rule.count-until", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "A rule has at most one of COUNT and UNTIL, and COUNT and INTERVAL are at least 1.",
	Section: ruleSection,
	Why:     "COUNT and UNTIL both end the rule. If they disagree, readers differ in which of them they obey.",
	Good:    sample.Series("RRULE:FREQ=WEEKLY;COUNT=10"),
	Bad:     sample.Series("RRULE:FREQ=WEEKLY;COUNT=10;UNTIL=20261231T000000Z"),
	Check:   check(checkFaults),
}

type part uint8

const (
	partFreq part = iota
	partUntil
	partCount
	partInterval
	partBySecond
	partByMinute
	partByHour
	partByDay
	partByMonthDay
	partByYearDay
	partByWeekNo
	partByMonth
	partBySetPos
	partWkst
	partOther
)

// partNames is in the order of part.
var partNames = [...]string{"FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY",
	"BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST"}

func (p part) String() string { return partNames[p] }

func partOf(name string) part {
	if i := indexFold(partNames[:], name); i >= 0 {
		return part(i)
	}
	return partOther
}

type partSet uint16

// byParts are the BY parts except BYSETPOS, which chooses from what they give.
const byParts partSet = 1<<partBySecond | 1<<partByMinute | 1<<partByHour | 1<<partByDay |
	1<<partByMonthDay | 1<<partByYearDay | 1<<partByWeekNo | 1<<partByMonth

func (s partSet) has(p part) bool { return s>>p&1 != 0 }

// numberRange is the range of the numbers in a BY part (RFC 5545 section 3.3.10).
type numberRange struct {
	low, high int
	signed    bool // also -high to -low, and a plus sign is allowed
	digits    int  // the most digits
}

// ordinals is the range of the numbers in BYDAY.
var ordinals = numberRange{1, 53, true, 2}

func (r numberRange) parse(text string) (n int, ok bool) {
	number := text
	if r.signed && text != "" && (text[0] == '-' || text[0] == '+') {
		number = text[1:]
	}
	if number == "" || len(number) > r.digits {
		return 0, false
	}
	if n, ok = digits(number, len(number)); !ok || n < r.low || n > r.high {
		return 0, false
	}
	if text[0] == '-' {
		n = -n
	}
	return n, true
}

// numbers returns the list that a BY part with numbers fills, and their range.
func (r *Rule) numbers(p part) (*[]int, numberRange) {
	switch p {
	case partBySecond:
		return &r.BySecond, numberRange{0, 60, false, 2}
	case partByMinute:
		return &r.ByMinute, numberRange{0, 59, false, 2}
	case partByHour:
		return &r.ByHour, numberRange{0, 23, false, 2}
	case partByMonthDay:
		return &r.ByMonthDay, numberRange{1, 31, true, 2}
	case partByYearDay:
		return &r.ByYearDay, numberRange{1, 366, true, 3}
	case partByWeekNo:
		return &r.ByWeekNo, numberRange{1, 53, true, 2}
	case partByMonth:
		return &r.ByMonth, numberRange{1, 12, false, 2}
	default:
		return &r.BySetPos, numberRange{1, 366, true, 3}
	}
}

// parseRule reads the value of an RRULE or EXRULE, from byte i on. It reads on after a part that
// is not readable.
func (l *line) parseRule(s string, i int) {
	l.rule = &Rule{WeekStart: time.Monday}
	for at, text := range l.each(s[i:], i, ';') {
		l.parsePart(text, at)
	}
	if !l.parts.has(partFreq) && !l.faults.isFull() {
		l.faults.reject(&rulePart, whole, "The rule has no FREQ; add one, such as FREQ=DAILY.")
	}
}

// each yields the texts between separators, and the byte of the line at which each begins. The first
// one begins at byte i. It stops when no more faults are kept.
func (l *line) each(s string, i int, separator byte) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for !l.faults.isFull() {
			end := strings.IndexByte(s, separator)
			if end < 0 {
				yield(i, s)
				return
			}
			if !yield(i, s[:end]) {
				return
			}
			s, i = s[end+1:], i+end+1
		}
	}
}

func (l *line) parsePart(text string, i int) {
	name, value, ok := strings.Cut(text, "=")
	p := partOf(name)
	switch {
	case text == "":
		l.faults.reject(&lineSyntax, i, "A rule part is empty; write a semicolon only between two parts.")
	case name == "" || tokenLength(name) != len(name):
		l.faults.reject(&lineSyntax, i, "%s is not a rule part; write a part as NAME=value.", quoted(text))
	case !ok:
		l.faults.reject(&lineSyntax, i, "The rule part %s has no value; write a part as NAME=value.", quoted(name))
	case p == partOther:
		l.parseExtension(name, value, text, i)
	case l.parts.has(p):
		l.faults.reject(&rulePart, i, "%s appears twice; keep one.", p)
	case value == "":
		l.faults.reject(&rulePart, i, "%s has no value; add one or remove the part.", p)
	default:
		l.parsePartValue(p, value, i+len(name)+1)
	}
	l.parts |= 1 << p // even if it is not readable: it is not missing
}

func (l *line) parseExtension(name, value, text string, i int) {
	switch {
	case len(name) < 3 || name[0]|0x20 != 'x' || name[1] != '-':
		l.faults.reject(&rulePart, i, "RFC 5545 has no rule part %s; remove it.", quoted(name))
	case value == "" || strings.Contains(value, "="):
		l.faults.reject(&rulePart, i, "The value of rule part %s is empty or contains an equals sign; correct it.", quoted(name))
	case l.rule.hasExtra(name):
		l.faults.reject(&rulePart, i, "The rule part %s appears twice; keep one.", quoted(name))
	case len(l.rule.Extra) < maxFaults:
		l.rule.Extra = append(l.rule.Extra, text)
		l.faults.advise(&rulePart, i, "The rule part %s is an extension that readers may ignore; remove it.", quoted(name))
	}
}

// hasExtra reports whether the rule has the part with an X-name, in any case.
func (r *Rule) hasExtra(name string) bool {
	return slices.ContainsFunc(r.Extra, func(text string) bool {
		before, _, _ := strings.Cut(text, "=")
		return strings.EqualFold(before, name)
	})
}

func (l *line) parsePartValue(p part, value string, i int) {
	switch p {
	case partFreq:
		l.parseFreq(value, i)
	case partUntil:
		v, problem := parseValue(value)
		if problem != "" {
			l.faults.reject(&rulePart, i, "UNTIL=%s %s; correct it.", quoted(value), problem)
		}
		l.rule.Until = v
	case partCount:
		l.rule.Count = l.parsePositive(p, value, i)
	case partInterval:
		l.rule.Interval = l.parsePositive(p, value, i)
	case partByDay:
		l.parseByDay(value, i)
	case partWkst:
		day, ok := parseWeekday(value)
		if !ok {
			l.faults.reject(&rulePart, i, "WKST=%s is not a weekday; write SU, MO, TU, WE, TH, FR or SA.", quoted(value))
			return
		}
		l.rule.WeekStart = day
	default:
		l.parseNumbers(p, value, i)
	}
}

func (l *line) parseFreq(value string, i int) {
	if f := indexFold(freqNames[:], value); f > 0 {
		l.rule.Freq = Freq(f)
		return
	}
	l.faults.reject(&rulePart, i, "FREQ=%s is not a frequency; write SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.", quoted(value))
}

// parsePositive reads COUNT or INTERVAL. It reads a number that is too large for an int64 as the
// largest one: the calendar ends long before either.
func (l *line) parsePositive(p part, value string, i int) int64 {
	text, negative := strings.CutPrefix(value, "-")
	if text == "" || strings.Trim(text, "0123456789") != "" {
		l.faults.reject(&rulePart, i, "%s=%s is not a number; write it with digits only.", p, quoted(value))
		return 0
	}
	n, _ := strconv.ParseInt(text, 10, 64)
	if n == 0 || negative {
		l.faults.reject(&ruleCountUntil, i, "%s=%s is below 1; write 1 or more, or remove it.", p, quoted(value))
		return 0
	}
	return n
}

// parseNumbers reads the list of a BY part other than BYDAY. It drops repeated values.
func (l *line) parseNumbers(p part, s string, i int) {
	list, allowed := l.rule.numbers(p)
	var seen [2*366 + 1]bool
	for i, text := range l.each(s, i, ',') {
		n, ok := allowed.parse(text)
		switch {
		case !ok && allowed.signed:
			l.faults.reject(&rulePart, i, "%s=%s is out of range; write %d to %d or -%[4]d to -%[3]d.", p, quoted(text), allowed.low, allowed.high)
		case !ok:
			l.faults.reject(&rulePart, i, "%s=%s is out of range; write %d to %d.", p, quoted(text), allowed.low, allowed.high)
		case !seen[n+366]:
			seen[n+366] = true
			*list = append(*list, n)
		}
	}
}

func (l *line) parseByDay(s string, i int) {
	var seen [2*53 + 1][7]bool
	for i, text := range l.each(s, i, ',') {
		d, ok := parseOrdinalWeekday(text)
		switch {
		case !ok:
			l.faults.reject(&rulePart, i, "BYDAY=%s is not a weekday; write SU, MO, TU, WE, TH, FR or SA, or one of them after a number from 1 to 53 or -53 to -1.", quoted(text))
		case !seen[d.N+53][d.Day]:
			seen[d.N+53][d.Day] = true
			l.rule.ByDay = append(l.rule.ByDay, d)
		}
	}
}

func parseOrdinalWeekday(text string) (d ByDay, ok bool) {
	cut := len(text) - 2
	if cut < 0 {
		return d, false
	}
	if d.Day, ok = parseWeekday(text[cut:]); !ok || cut == 0 {
		return d, ok
	}
	d.N, ok = ordinals.parse(text[:cut])
	return d, ok
}

func parseWeekday(name string) (day time.Weekday, ok bool) {
	i := indexFold(weekdayNames[:], name)
	return time.Weekday(i), i >= 0
}

// The rules about the parts of a rule together, and with the start of the event.

var ruleUntilForm = diag.Rule{
	ID: "recurrence.rule.until-form", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "UNTIL has the form of the start: a date for an all-day start, a time in UTC for a start with a zone.",
	Section: ruleSection,
	Why: "Readers differ in the zone of a local UNTIL, and so in the last instance. Two mismatches that calendars write themselves only get advice: " +
		"a date with a timed start includes the whole day, and of a time with an all-day start only the date counts.",
	Good:  sample.Series("RRULE:FREQ=WEEKLY;UNTIL=20260602T130000Z"),
	Bad:   sample.Series("RRULE:FREQ=WEEKLY;UNTIL=20260602T090000"),
	Check: check(checkFaults),
}

var ruleByPart = diag.Rule{
	ID: "recurrence.rule.by-part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "BY parts appear only with frequencies that allow them, and BYSETPOS only with another BY part.",
	Section: ruleSection,
	Why:     "RFC 5545 forbids the other combinations: they have no meaning, so readers invent different ones.",
	Good:    sample.Series("RRULE:FREQ=YEARLY;BYWEEKNO=11;BYDAY=TU;COUNT=3"),
	Bad:     sample.Series("RRULE:FREQ=MONTHLY;BYWEEKNO=11;BYDAY=TU;COUNT=3"),
	Check:   check(checkFaults),
}

var ruleTimePart = diag.Rule{
	ID: "recurrence.rule.time-part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "With an all-day start, a rule has no BYSECOND, BYMINUTE and BYHOUR, and its frequency is DAILY or longer.",
	Section: ruleSection,
	Why:     "A date has no time of day to choose or to step by.",
	Good:    sample.Days("RRULE:FREQ=DAILY;COUNT=3"),
	Bad:     sample.Days("RRULE:FREQ=DAILY;BYHOUR=9;COUNT=3"),
	Check:   check(checkFaults),
}

var exruleDeprecated = diag.Rule{
	ID: "recurrence.exrule.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "There are no EXRULE lines: RFC 5545 deprecates them.",
	Section: "RFC 5545 8.3.2",
	Why:     "Many readers drop EXRULE lines, and then show the instances that these exclude.",
	Good:    sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260310T130000Z"),
	Bad:     sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXRULE:FREQ=DAILY;COUNT=1"),
	Check:   check(checkFaults),
}

var subDaily = diag.Rule{
	ID: "recurrence.sub-daily", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: reads,
	Summary:  "The frequency is not SECONDLY, MINUTELY or HOURLY.",
	Section:  "observed",
	Seen:     "The service answers with an internal error to FREQ=HOURLY.",
	Reported: []string{"googleapis/google-api-ruby-client#572"},
	Why:      "RFC 5545 has these frequencies, but the public service returns an internal error for them.",
	Good:     sample.Series("RRULE:FREQ=DAILY;BYHOUR=9,12;COUNT=4"),
	Bad:      sample.Series("RRULE:FREQ=HOURLY;INTERVAL=3;COUNT=4"),
	Check:    check(checkFaults),
}

// judgeRule adds the faults of a rule's parts together and, if start is known, with it.
func (l *line) judgeRule(start Start) {
	r, f := l.rule, &l.faults
	if l.parts.has(partCount) && l.parts.has(partUntil) {
		f.reject(&ruleCountUntil, whole, "The rule has both COUNT and UNTIL; keep one of them.")
	}
	r.judgeByParts(l.parts, f)
	if !start.IsZero() {
		r.judgeUntil(start, f)
	}
	if start.allDay {
		r.judgeTimeParts(l.parts, f)
	} else if r.Freq.SubDaily() {
		f.advise(&subDaily, whole, "The public service returns an error for FREQ=%s, although RFC 5545 has it; use DAILY or longer.", r.Freq)
	}
}

// judgeByParts checks the entries N/A of the table in RFC 5545 section 3.3.10, and what the
// section says about ordinals and BYSETPOS.
func (r *Rule) judgeByParts(parts partSet, f *faults) {
	if r.Freq == 0 { // it is not readable
		return
	}
	if parts.has(partByWeekNo) && r.Freq != Yearly {
		f.reject(&ruleByPart, whole, "BYWEEKNO appears with FREQ=%s; use it only with YEARLY.", r.Freq)
	}
	if parts.has(partByYearDay) && (r.Freq == Daily || r.Freq == Weekly || r.Freq == Monthly) {
		f.reject(&ruleByPart, whole, "BYYEARDAY appears with FREQ=%s; do not use it with DAILY, WEEKLY or MONTHLY.", r.Freq)
	}
	if parts.has(partByMonthDay) && r.Freq == Weekly {
		f.reject(&ruleByPart, whole, "BYMONTHDAY appears with FREQ=WEEKLY; use it with another frequency.")
	}
	if i := slices.IndexFunc(r.ByDay, func(d ByDay) bool { return d.N != 0 }); i >= 0 {
		switch {
		case r.Freq != Monthly && r.Freq != Yearly:
			f.reject(&ruleByPart, whole, "BYDAY=%s has a number with FREQ=%s; use numbers only with MONTHLY and YEARLY.", r.ByDay[i], r.Freq)
		case r.Freq == Yearly && parts.has(partByWeekNo):
			f.reject(&ruleByPart, whole, "BYDAY=%s has a number in a rule with BYWEEKNO; remove the number.", r.ByDay[i])
		}
	}
	if parts.has(partBySetPos) && parts&byParts == 0 {
		f.reject(&ruleByPart, whole, "BYSETPOS is the only BY part; add another one for it to choose from.")
	}
}

// judgeUntil compares the form of UNTIL with that of the start. Two mismatches do not reject the
// rule, since calendars in use write them.
func (r *Rule) judgeUntil(start Start, f *faults) {
	switch {
	case r.Until.Form == 0:
	case start.allDay && r.Until.Form != Date:
		f.advise(&ruleUntilForm, whole, "UNTIL=%s has a time and the start is a date, so only the date of UNTIL counts; write a date.", r.Until)
	case !start.allDay && r.Until.Form == Date:
		f.advise(&ruleUntilForm, whole, "UNTIL=%s is a date and the start has a time, so UNTIL includes the whole day; write a time in UTC.", r.Until)
	case !start.allDay && r.Until.Form == Local:
		f.reject(&ruleUntilForm, whole, "UNTIL=%s is not in UTC, which a start with a zone requires; convert it and add a Z.", r.Until)
	}
}

func (r *Rule) judgeTimeParts(parts partSet, f *faults) {
	if r.Freq.SubDaily() {
		f.reject(&ruleTimePart, whole, "FREQ=%s repeats within the day and the start is a date; use DAILY or longer.", r.Freq)
	}
	for _, p := range []part{partByHour, partByMinute, partBySecond} {
		if parts.has(p) {
			f.reject(&ruleTimePart, whole, "%s gives a time and the start is a date; remove it.", p)
		}
	}
}
