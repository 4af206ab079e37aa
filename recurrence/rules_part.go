package recurrence

import (
	"iter"
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
	Why:     "A part that a reader does not know or cannot read changes the instances. Readers ignore parts with X-names, so these only get advice.",
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

// part is a part of a rule.
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

// partSet is a set of parts.
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

// parse reads a number of the range.
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
	for at, text := range l.each(s[i:], i, ";") {
		l.parsePart(text, at)
	}
	if !l.parts.has(partFreq) && !l.faults.isFull() {
		l.faults.reject(&rulePart, whole, "The rule has no FREQ; add one, such as FREQ=DAILY.")
	}
}

// each yields the texts between separators, and the byte of the line at which each begins. The first
// one begins at byte i. It stops when no more faults are kept.
func (l *line) each(s string, i int, separator string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for more := true; more && !l.faults.isFull(); {
			var text string
			if text, s, more = strings.Cut(s, separator); !yield(i, text) {
				return
			}
			i += len(text) + 1
		}
	}
}

// parsePart reads one part, which begins at byte i of its line.
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
	case len(l.rule.Extra) < maxFaults:
		l.rule.Extra = append(l.rule.Extra, text)
		l.faults.advise(&rulePart, i, "The rule part %s is an extension that readers may ignore; remove it.", quoted(name))
	}
}

// parsePartValue reads the value of a part, which begins at byte i of its line.
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
	for i, text := range l.each(s, i, ",") {
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
	for i, text := range l.each(s, i, ",") {
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
