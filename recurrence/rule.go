package recurrence

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

// A Freq is the frequency of a rule: the unit of time by which the rule repeats.
type Freq uint8

// The frequencies of RFC 5545 section 3.3.10, from the shortest to the longest. The zero Freq is invalid.
const (
	Secondly = Freq(expand.Secondly)
	Minutely = Freq(expand.Minutely)
	Hourly   = Freq(expand.Hourly)
	Daily    = Freq(expand.Daily)
	Weekly   = Freq(expand.Weekly)
	Monthly  = Freq(expand.Monthly)
	Yearly   = Freq(expand.Yearly)
)

var freqNames = [...]string{"", "SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"}

// String returns the name of the frequency as written in RFC 5545, such as "DAILY".
func (f Freq) String() string {
	if int(f) < len(freqNames) {
		return freqNames[f]
	}
	return "Freq(" + strconv.Itoa(int(f)) + ")"
}

// SubDaily reports whether the frequency is SECONDLY, MINUTELY or HOURLY.
func (f Freq) SubDaily() bool { return f >= Secondly && f <= Hourly }

// A ByDay is one value of BYDAY.
type ByDay struct {
	N   int // the ordinal in the month or year, counted from the end if negative; 0 means every such weekday
	Day time.Weekday
}

var weekdayNames = [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// String returns the value as written in RFC 5545, such as "-1FR".
func (d ByDay) String() string {
	if d.Day < 0 || int(d.Day) >= len(weekdayNames) {
		return d.Day.String()
	}
	if d.N == 0 {
		return weekdayNames[d.Day]
	}
	return strconv.Itoa(d.N) + weekdayNames[d.Day]
}

// A Rule is one recurrence rule as written: the value of an RRULE or EXRULE line. A Rule may be invalid; [Set.Compile]
// checks it. The values in each list are distinct.
type Rule struct {
	Freq     Freq
	Interval int64 // 0 if absent, which is equivalent to 1
	Count    int64 // 0 if absent
	Until    Value // the zero Value if absent

	ByMonth, ByWeekNo, ByYearDay, ByMonthDay []int
	ByDay                                    []ByDay
	ByHour, ByMinute, BySecond               []int
	BySetPos                                 []int

	WeekStart time.Weekday // the value of WKST; Parse sets it to Monday if WKST is absent

	// Extra contains the parts with X-names as written, such as "X-NAME=value". X-parts have no effect. Parse keeps only the first
	// 32 X-parts.
	Extra []string
}

// clone returns a deep copy of r with the distinct values of each list in order.
func (r *Rule) clone() *Rule {
	c := *r
	for _, p := range numberParts {
		list, _ := c.numbers(p)
		*list = slices.Clone(*list)
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	c.ByDay, c.Extra = slices.Clone(c.ByDay), slices.Clone(c.Extra)
	slices.SortFunc(c.ByDay, compareByDay)
	c.ByDay = slices.Compact(c.ByDay)
	return &c
}

// clear resets the rule, but keeps the memory of its lists.
func (r *Rule) clear() {
	r.Freq, r.Interval, r.Count, r.Until, r.WeekStart, r.Extra = 0, 0, 0, Value{}, 0, nil
	r.ByMonth, r.ByWeekNo, r.ByYearDay, r.ByMonthDay = r.ByMonth[:0], r.ByWeekNo[:0], r.ByYearDay[:0], r.ByMonthDay[:0]
	r.ByDay, r.ByHour, r.ByMinute, r.BySecond, r.BySetPos = r.ByDay[:0], r.ByHour[:0], r.ByMinute[:0], r.BySecond[:0], r.BySetPos[:0]
}

// String returns the rule in its canonical spelling: FREQ, INTERVAL, COUNT, UNTIL and then the BY parts from the longest unit
// to the shortest. String sorts lists and omits parts that have their default value. For a nil rule, String returns "".
func (r *Rule) String() string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("FREQ=" + r.Freq.String())
	if r.Interval != 0 && r.Interval != 1 {
		b.WriteString(";INTERVAL=" + strconv.FormatInt(r.Interval, 10))
	}
	if r.Count != 0 {
		b.WriteString(";COUNT=" + strconv.FormatInt(r.Count, 10))
	}
	if r.Until != (Value{}) {
		b.WriteString(";UNTIL=" + r.Until.String())
	}
	writeList(&b, "BYMONTH", sorted(r.ByMonth), strconv.Itoa)
	writeList(&b, "BYWEEKNO", sorted(r.ByWeekNo), strconv.Itoa)
	writeList(&b, "BYYEARDAY", sorted(r.ByYearDay), strconv.Itoa)
	writeList(&b, "BYMONTHDAY", sorted(r.ByMonthDay), strconv.Itoa)
	writeList(&b, "BYDAY", slices.SortedFunc(slices.Values(r.ByDay), compareByDay), ByDay.String)
	writeList(&b, "BYHOUR", sorted(r.ByHour), strconv.Itoa)
	writeList(&b, "BYMINUTE", sorted(r.ByMinute), strconv.Itoa)
	writeList(&b, "BYSECOND", sorted(r.BySecond), strconv.Itoa)
	writeList(&b, "BYSETPOS", sorted(r.BySetPos), strconv.Itoa)
	if r.WeekStart != time.Monday {
		b.WriteString(";WKST=" + ByDay{Day: r.WeekStart}.String())
	}
	for _, x := range r.Extra {
		b.WriteString(";" + x)
	}
	return b.String()
}

func sorted(list []int) []int { return slices.Sorted(slices.Values(list)) }

func writeList[T any](b *strings.Builder, name string, list []T, word func(T) string) {
	separator := ";" + name + "="
	for _, v := range list {
		b.WriteString(separator + word(v))
		separator = ","
	}
}

func compareByDay(a, b ByDay) int {
	if a.N != b.N {
		return a.N - b.N
	}
	return (int(a.Day)+6)%7 - (int(b.Day)+6)%7
}

// Dates contains the values of one RDATE or EXDATE line. At least one of Values and Periods is empty.
type Dates struct {
	TZID    string   // the IANA or Windows name of the zone in which Local values are; "" means the zone of the start
	Values  []Value  // either all values have Form Date or none does
	Periods []Period // allowed only in an RDATE
}

// clear resets the dates, but keeps the memory of their lists.
func (d *Dates) clear() { d.TZID, d.Values, d.Periods = "", d.Values[:0], d.Periods[:0] }

// zone returns the IANA name of the zone of Local values, or "" if TZID does not name a known zone.
func (d *Dates) zone() string {
	if form.IsZone(d.TZID) {
		return d.TZID
	}
	zone, _ := form.WindowsZone(d.TZID)
	return zone
}

// location returns the zone of Local values, or nil if TZID does not name a known zone.
func (d *Dates) location() *time.Location {
	location, ok := zone.Load(d.zone())
	if !ok {
		return nil
	}
	return location
}

// String returns the parameters, the colon and the values of the line. For a nil line, String returns "".
func (d *Dates) String() string {
	if d == nil {
		return ""
	}
	var params string
	switch {
	case strings.ContainsAny(d.TZID, ":;,"): // RFC 5545 section 3.2
		params = `;TZID="` + d.TZID + `"`
	case d.TZID != "":
		params = ";TZID=" + d.TZID
	}
	switch {
	case len(d.Periods) > 0:
		params += ";VALUE=PERIOD"
	case len(d.Values) > 0 && d.Values[0].Form == Date:
		params += ";VALUE=DATE"
	}
	values := make([]string, 0, len(d.Values)+len(d.Periods))
	for _, v := range d.Values {
		values = append(values, v.String())
	}
	for _, p := range d.Periods {
		values = append(values, p.String())
	}
	return params + ":" + strings.Join(values, ",")
}

// A Set is the recurrence of an event as written. An event with the zero Set does not recur.
type Set struct {
	Rules   []*Rule  // the RRULE lines, in order
	ExRules []*Rule  // the EXRULE lines
	RDates  []*Dates // the RDATE lines
	ExDates []*Dates // the EXDATE lines
}

// Lines returns the lines of the set in canonical spelling: RRULE, EXRULE, RDATE, then EXDATE. If s is valid, [Parse] of
// these lines returns an equal set, except for the order within lists. Nil rules and dates are omitted.
func (s *Set) Lines() []string {
	if s == nil {
		return nil
	}
	var lines []string
	for _, l := range s.lines() {
		if l.rule != nil || l.dates != nil {
			lines = append(lines, l.String())
		}
	}
	return lines
}

// String returns [Set.Lines], separated by newlines.
func (s *Set) String() string { return strings.Join(s.Lines(), "\n") }

func (s *Set) lines() []line {
	var all []line
	for kind, rules := range [...][]*Rule{rruleLine: s.Rules, exruleLine: s.ExRules} {
		for _, r := range rules {
			all = append(all, line{kind: lineKind(kind), rule: r})
		}
	}
	for kind, dates := range [...][]*Dates{rdateLine: s.RDates, exdateLine: s.ExDates} {
		for _, d := range dates {
			all = append(all, line{kind: lineKind(kind), dates: d})
		}
	}
	return all
}

// clear resets the set, but keeps the memory of its lists.
func (s *Set) clear() {
	*s = Set{Rules: s.Rules[:0], ExRules: s.ExRules[:0], RDates: s.RDates[:0], ExDates: s.ExDates[:0]}
}

// addAll adds lines to the set and returns it.
func (s *Set) addAll(lines []line) *Set {
	for i := range lines {
		s.add(&lines[i])
	}
	return s
}

func (s *Set) add(l *line) {
	switch l.kind {
	case rruleLine:
		s.Rules = append(s.Rules, l.rule)
	case exruleLine:
		s.ExRules = append(s.ExRules, l.rule)
	case rdateLine:
		s.RDates = append(s.RDates, l.dates)
	case exdateLine:
		s.ExDates = append(s.ExDates, l.dates)
	}
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

// partNames maps each part to its name.
var partNames = [...]string{"FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY",
	"BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST"}

func (p part) arg() diag.Arg { return wording.Text("part", partNames[p]) }

func partOf(name string) part {
	if i := indexFold(partNames[:], name); i >= 0 {
		return part(i)
	}
	return partOther
}

type partSet uint16

// numberParts lists the parts with lists of numbers.
var numberParts = [...]part{partBySecond, partByMinute, partByHour, partByMonthDay, partByYearDay, partByWeekNo, partByMonth, partBySetPos}

func (s partSet) has(p part) bool { return s>>p&1 != 0 }

// A numberRange is the range of the numbers that a BY part allows (RFC 5545 section 3.3.10).
type numberRange struct {
	low, high int
	signed    bool // numbers from -high to -low and a plus sign are also allowed
	digits    int  // the maximum number of digits
}

// ordinals is the range of ordinals allowed in BYDAY.
var ordinals = numberRange{1, 53, true, 2}

// has reports whether the part allows the given number.
func (r numberRange) has(n int) bool {
	return n >= r.low && n <= r.high || r.signed && n >= -r.high && n <= -r.low
}

func (r numberRange) parse(text string) (n int, ok bool) {
	number := text
	if r.signed && text != "" && (text[0] == '-' || text[0] == '+') {
		number = text[1:]
	}
	if number == "" || len(number) > r.digits {
		return 0, false
	}
	if n, ok = digits(number); text[0] == '-' {
		n = -n
	}
	if !ok || !r.has(n) {
		return 0, false
	}
	return n, true
}

func (f Freq) arg() diag.Arg { return wording.Text("freq", f.String()) }
