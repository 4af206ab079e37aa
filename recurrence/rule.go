package recurrence

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Freq is the frequency of a rule: the period that it repeats in.
type Freq uint8

// The frequencies of RFC 5545 section 3.3.10. The zero Freq is none.
const (
	Secondly Freq = iota + 1
	Minutely
	Hourly
	Daily
	Weekly
	Monthly
	Yearly
)

var freqNames = [...]string{"", "SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"}

// String gives the name of the frequency as RFC 5545 writes it.
func (f Freq) String() string {
	if int(f) < len(freqNames) {
		return freqNames[f]
	}
	return "Freq(" + strconv.Itoa(int(f)) + ")"
}

// SubDaily reports whether the frequency is SECONDLY, MINUTELY or HOURLY.
func (f Freq) SubDaily() bool { return f >= Secondly && f <= Hourly }

// ByDay is one value of BYDAY.
type ByDay struct {
	N   int // which one of its month or year, from the end where negative; 0 for each
	Day time.Weekday
}

var weekdayNames = [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// String gives the value as RFC 5545 writes it, such as "-1FR".
func (d ByDay) String() string {
	if d.Day < 0 || int(d.Day) >= len(weekdayNames) {
		return d.Day.String()
	}
	if d.N == 0 {
		return weekdayNames[d.Day]
	}
	return strconv.Itoa(d.N) + weekdayNames[d.Day]
}

// Rule is one recurrence rule as it is written: the value of an RRULE or EXRULE line. It
// may say what [Compile] refuses. A list holds no value twice.
type Rule struct {
	Freq     Freq
	Interval int64 // 0 where it is not given, which means 1
	Count    int64 // 0 where it is not given
	Until    Value // the zero Value where it is not given

	ByMonth, ByWeekNo, ByYearDay, ByMonthDay []int
	ByDay                                    []ByDay
	ByHour, ByMinute, BySecond               []int
	BySetPos                                 []int

	WeekStart time.Weekday // as WKST gives it; Parse sets Monday where it is not given

	// Extra holds the parts with X-names, which nobody reads, as written: "X-NAME=value".
	// Parse keeps the first 32.
	Extra []string
}

// String gives the rule in its canonical spelling: FREQ first, then INTERVAL, COUNT, UNTIL
// and the BY parts from the longest unit to the shortest, their lists sorted, and what says
// no more than its default left out.
func (r *Rule) String() string {
	var b strings.Builder
	b.WriteString("FREQ=")
	b.WriteString(r.Freq.String())
	if r.Interval > 1 {
		b.WriteString(";INTERVAL=" + strconv.FormatInt(r.Interval, 10))
	}
	if r.Count != 0 {
		b.WriteString(";COUNT=" + strconv.FormatInt(r.Count, 10))
	}
	if r.Until.Form != 0 {
		b.WriteString(";UNTIL=" + r.Until.String())
	}
	writeList(&b, ";BYMONTH=", r.ByMonth)
	writeList(&b, ";BYWEEKNO=", r.ByWeekNo)
	writeList(&b, ";BYYEARDAY=", r.ByYearDay)
	writeList(&b, ";BYMONTHDAY=", r.ByMonthDay)
	writeDays(&b, r.ByDay)
	writeList(&b, ";BYHOUR=", r.ByHour)
	writeList(&b, ";BYMINUTE=", r.ByMinute)
	writeList(&b, ";BYSECOND=", r.BySecond)
	writeList(&b, ";BYSETPOS=", r.BySetPos)
	if r.WeekStart != time.Monday {
		b.WriteString(";WKST=" + ByDay{Day: r.WeekStart}.String())
	}
	for _, x := range r.Extra {
		b.WriteString(";" + x)
	}
	return b.String()
}

func writeList(b *strings.Builder, name string, list []int) {
	for i, v := range slices.Sorted(slices.Values(list)) {
		if i > 0 {
			name = ","
		}
		b.WriteString(name)
		b.WriteString(strconv.Itoa(v))
	}
}

func writeDays(b *strings.Builder, list []ByDay) {
	list = slices.SortedFunc(slices.Values(list), compareByDay)
	for i, d := range list {
		if i == 0 {
			b.WriteString(";BYDAY=")
		} else {
			b.WriteByte(',')
		}
		b.WriteString(d.String())
	}
}

// compareByDay orders by ordinal, then from Monday to Sunday.
func compareByDay(a, b ByDay) int {
	if a.N != b.N {
		return a.N - b.N
	}
	return (int(a.Day)+6)%7 - (int(b.Day)+6)%7
}

// Dates is the value of one RDATE or EXDATE line. Either Values or Periods is empty.
type Dates struct {
	TZID    string   // the zone of Local values; "" for the start's zone
	Values  []Value  // all of Form Date, or none
	Periods []Period // only in an RDATE
}

// String gives the parameters, the colon and the values of the line.
func (d *Dates) String() string {
	var b strings.Builder
	if d.TZID != "" {
		b.WriteString(";TZID=" + quoteParam(d.TZID))
	}
	switch {
	case len(d.Periods) > 0:
		b.WriteString(";VALUE=PERIOD")
	case len(d.Values) > 0 && d.Values[0].Form == Date:
		b.WriteString(";VALUE=DATE")
	}
	b.WriteByte(':')
	values := make([]string, 0, len(d.Values)+len(d.Periods))
	for _, v := range d.Values {
		values = append(values, v.String())
	}
	for _, p := range d.Periods {
		values = append(values, p.String())
	}
	b.WriteString(strings.Join(values, ","))
	return b.String()
}

// quoteParam quotes a parameter value that needs it (RFC 5545 section 3.2).
func quoteParam(s string) string {
	if strings.ContainsAny(s, ":;,") {
		return `"` + s + `"`
	}
	return s
}

// Set is the recurrence of an event as it is written. The zero Set is that of an event
// that does not recur.
type Set struct {
	Rules   []*Rule  // the RRULE lines, in order
	ExRules []*Rule  // the EXRULE lines
	RDates  []*Dates // the RDATE lines
	ExDates []*Dates // the EXDATE lines
}

// Lines gives the set as lines in canonical spelling: RRULE, EXRULE, RDATE, then EXDATE.
// [Parse] reads them back as an equal set, up to the order within lists. What is nil gives
// no line.
func (s *Set) Lines() []string {
	if s == nil {
		return nil
	}
	var lines []string
	for l := range s.all() {
		if l.rule != nil || l.dates != nil {
			lines = append(lines, l.String())
		}
	}
	return lines
}

// String gives [Set.Lines], a newline between two.
func (s *Set) String() string { return strings.Join(s.Lines(), "\n") }
