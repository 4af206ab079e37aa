package recurrence

import (
	"math"
	"strings"
	"time"
)

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

// partNames is in the order of [part].
var partNames = [...]string{"FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY",
	"BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST"}

func (p part) String() string { return partNames[p] }

// partSet is a set of parts.
type partSet uint16

// byParts are the BY parts but for BYSETPOS, which chooses among what they give.
const byParts partSet = 1<<partBySecond | 1<<partByMinute | 1<<partByHour | 1<<partByDay |
	1<<partByMonthDay | 1<<partByYearDay | 1<<partByWeekNo | 1<<partByMonth

func (s partSet) has(p part) bool { return s>>p&1 != 0 }

func partOf(name string) part {
	for p, n := range partNames {
		if len(n) == len(name) && strings.EqualFold(n, name) {
			return part(p)
		}
	}
	return partOther
}

// scope is what the numbers of a BY part may be (RFC 5545 section 3.3.10).
type scope struct {
	low, high int
	signed    bool // also from -high to -low, and with a plus sign
	width     int  // the most digits
}

func scopeOf(p part) scope {
	switch p {
	case partBySecond:
		return scope{0, 60, false, 2}
	case partByMinute:
		return scope{0, 59, false, 2}
	case partByHour:
		return scope{0, 23, false, 2}
	case partByMonth:
		return scope{1, 12, false, 2}
	case partByMonthDay:
		return scope{1, 31, true, 2}
	case partByDay, partByWeekNo:
		return scope{1, 53, true, 2}
	default: // BYYEARDAY, BYSETPOS
		return scope{1, 366, true, 3}
	}
}

func (s scope) has(n int) bool {
	if s.signed && n < 0 {
		n = -n
	}
	return n >= s.low && n <= s.high
}

// number reads a number of the scope.
func (s scope) number(text string) (int, bool) {
	negative := false
	if s.signed && text != "" && (text[0] == '-' || text[0] == '+') {
		negative = text[0] == '-'
		text = text[1:]
	}
	if text == "" || len(text) > s.width {
		return 0, false
	}
	n, ok := digits(text, len(text))
	if negative {
		n = -n
	}
	return n, ok && s.has(n)
}

// list returns the list of r that a BY part with numbers fills.
func (r *Rule) list(p part) *[]int {
	switch p {
	case partBySecond:
		return &r.BySecond
	case partByMinute:
		return &r.ByMinute
	case partByHour:
		return &r.ByHour
	case partByMonthDay:
		return &r.ByMonthDay
	case partByYearDay:
		return &r.ByYearDay
	case partByWeekNo:
		return &r.ByWeekNo
	case partByMonth:
		return &r.ByMonth
	default:
		return &r.BySetPos
	}
}

// parseRule reads the value of an RRULE or EXRULE, which begins at byte i. A part that
// cannot be read leaves the others to be read.
func (l *line) parseRule(s string, i int) {
	l.rule = &Rule{WeekStart: time.Monday}
	for more := true; more && !l.faults.enough(); {
		var text string
		text, _, more = strings.Cut(s[i:], ";")
		l.parsePart(text, i)
		i += len(text) + 1
	}
	if !l.parts.has(partFreq) && !l.faults.enough() {
		l.faults.refuse(&rulePart, whole, "The rule has no FREQ; add one, such as FREQ=DAILY.")
	}
}

// parsePart reads one part, which begins at byte i of its line.
func (l *line) parsePart(text string, i int) {
	name, value, ok := strings.Cut(text, "=")
	p := partOf(name)
	switch {
	case text == "":
		l.faults.refuse(&lineSyntax, i, "A rule part is empty; a semicolon stands only between two parts.")
	case name == "" || tokenLen(name) != len(name):
		l.faults.refuse(&lineSyntax, i, "%s is no rule part; a part has the form NAME=value.", quoted(text))
	case !ok:
		l.faults.refuse(&lineSyntax, i, "The rule part %s has no value; a part has the form NAME=value.", quoted(name))
	case p == partOther:
		l.otherPart(name, value, text, i)
	case l.parts.has(p):
		l.faults.refuse(&rulePart, i, "%s is given twice; give it once.", p)
	case value == "":
		l.faults.refuse(&rulePart, i, "%s has no value; give one or leave the part out.", p)
	default:
		l.partValue(p, value, i+len(name)+1)
	}
	l.parts |= 1 << p // also where it cannot be read: it is not missing then
}

func (l *line) otherPart(name, value, text string, i int) {
	if len(name) < 3 || name[0]|0x20 != 'x' || name[1] != '-' {
		l.faults.refuse(&rulePart, i, "RFC 5545 has no rule part %s; remove it.", quoted(name))
		return
	}
	if value == "" || strings.ContainsAny(value, "=") {
		l.faults.refuse(&rulePart, i, "The value of rule part %s is empty or holds an equals sign; correct it.", quoted(name))
		return
	}
	if len(l.rule.Extra) == maxFaults { // enough to show
		return
	}
	l.rule.Extra = append(l.rule.Extra, text)
	l.faults.advise(&rulePart, i, "The rule part %s is an extension that nobody needs to read; leave it out.", quoted(name))
}

// partValue reads the value of a part, which begins at byte i of its line.
func (l *line) partValue(p part, value string, i int) {
	switch p {
	case partFreq:
		l.freq(value, i)
	case partUntil:
		v, why := parseValue(value)
		if why != "" {
			l.faults.refuse(&rulePart, i, "UNTIL=%s %s; correct it.", quoted(value), why)
		}
		l.rule.Until = v
	case partCount:
		l.rule.Count = l.positive(p, value, i)
	case partInterval:
		l.rule.Interval = l.positive(p, value, i)
	case partByDay:
		l.byDay(value, i)
	case partWkst:
		day, ok := weekdayOfName(value)
		if !ok {
			l.faults.refuse(&rulePart, i, "WKST=%s is no weekday; it is one of SU, MO, TU, WE, TH, FR and SA.", quoted(value))
			return
		}
		l.rule.WeekStart = day
	default:
		l.numbers(p, value, i)
	}
}

func (l *line) freq(value string, i int) {
	for f := Secondly; f <= Yearly; f++ {
		if strings.EqualFold(value, freqNames[f]) {
			l.rule.Freq = f
			return
		}
	}
	l.faults.refuse(&rulePart, i, "FREQ=%s is no frequency; it is one of SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY and YEARLY.", quoted(value))
}

// positive reads COUNT or INTERVAL. A number too large for an int64 is as good as the
// largest: the calendar ends long before either.
func (l *line) positive(p part, value string, i int) int64 {
	text, negative := strings.CutPrefix(value, "-")
	var n int64
	for k := range len(text) {
		c := text[k] - '0'
		if c > 9 {
			l.faults.refuse(&rulePart, i, "%s=%s is no number; write it with digits only.", p, quoted(value))
			return 0
		}
		if n > (math.MaxInt64-9)/10 {
			n = math.MaxInt64
			continue
		}
		n = n*10 + int64(c)
	}
	switch {
	case text == "":
		l.faults.refuse(&rulePart, i, "%s=%s is no number; write it with digits only.", p, quoted(value))
	case n == 0 || negative:
		l.faults.refuse(&ruleCountUntil, i, "%s=%s is below 1; write 1 or more, or leave it out.", p, quoted(value))
	default:
		return n
	}
	return 0
}

// numbers reads the list of a BY part other than BYDAY. A value that comes again is kept
// once.
func (l *line) numbers(p part, value string, i int) {
	sc, list := scopeOf(p), l.rule.list(p)
	var seen [2*366 + 1]bool
	for more := true; more && !l.faults.enough(); {
		var text string
		text, value, more = strings.Cut(value, ",")
		n, ok := sc.number(text)
		switch {
		case !ok && sc.signed:
			l.faults.refuse(&rulePart, i, "%s=%s is out of range; its values are %d to %d and -%d to -%d.", p, quoted(text), sc.low, sc.high, sc.high, sc.low)
		case !ok:
			l.faults.refuse(&rulePart, i, "%s=%s is out of range; its values are %d to %d.", p, quoted(text), sc.low, sc.high)
		case !seen[n+366]:
			seen[n+366] = true
			*list = append(*list, n)
		}
		i += len(text) + 1
	}
}

func (l *line) byDay(value string, i int) {
	var seen [2*53 + 1][7]bool
	for more := true; more && !l.faults.enough(); {
		var text string
		text, value, more = strings.Cut(value, ",")
		d, ok := parseByDay(text)
		switch {
		case !ok:
			l.faults.refuse(&rulePart, i, "BYDAY=%s is no weekday; write SU, MO, TU, WE, TH, FR or SA, or one of them after a number from 1 to 53 or -53 to -1.", quoted(text))
		case !seen[d.N+53][d.Day]:
			seen[d.N+53][d.Day] = true
			l.rule.ByDay = append(l.rule.ByDay, d)
		}
		i += len(text) + 1
	}
}

func parseByDay(text string) (d ByDay, ok bool) {
	cut := len(text) - 2
	if cut < 0 {
		return d, false
	}
	if d.Day, ok = weekdayOfName(text[cut:]); !ok || cut == 0 {
		return d, ok
	}
	d.N, ok = scopeOf(partByDay).number(text[:cut])
	return d, ok
}

func weekdayOfName(name string) (time.Weekday, bool) {
	for i, n := range weekdayNames {
		if len(name) == len(n) && strings.EqualFold(name, n) {
			return time.Weekday(i), true
		}
	}
	return 0, false
}
