package recurrence

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
)

// The rules about single parts of an RRULE or EXRULE.

var rulePart = diag.Rule{
	ID: "recurrence.rule.part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Rule parts are known and appear once, FREQ is among them, and their values are in the ranges of RFC 5545.",
	Section: ruleSection,
	Why:     "A part that a reader does not know or cannot read changes the instances. Readers ignore parts with X-names, so these only get advice if they appear once.",
	Good:    sample.Series("RRULE:FREQ=MONTHLY;BYMONTHDAY=10,31;COUNT=5"),
	Bad:     sample.Series("RRULE:FREQ=MONTHLY;BYMONTHDAY=10,32;COUNT=5"),
	Says: diag.Sentences{
		{Key: "no-freq", Text: "The rule has no FREQ; add one, such as FREQ=DAILY."},
		placed("unknown", "RFC 5545 has no rule part {part}; remove it."),
		placed("rfc-7529", "{part} is a rule part of RFC 7529, which the rules of RFC 5545 do not have; remove it."),
		placed("twice", "{part} appears twice; keep one."),
		placed("no-value", "{part} has no value; add one or remove the part."),
		placed("extension-value", "The value of rule part {part} is empty or contains an equals sign; correct it."),
		placed("extension-twice", "The rule part {part} appears twice; keep one."),
		placed("extension", "The rule part {part} is an extension that readers may ignore; remove it."),
		placed("freq", "FREQ={text} is not a frequency; write SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY."),
		placed("until-form", "UNTIL={text} is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z; correct it."),
		placed("until-date", "UNTIL={text} has an invalid date; correct it."),
		placed("until-time", "UNTIL={text} has an invalid time of day; correct it."),
		placed("empty-value", "A value in the list of {part} is empty; write a comma only between two values."),
		placed("number", "{part}={text} is not a number; write it with digits only."),
		placed("range", "{part}={text} is out of range; write {low} to {high}."),
		placed("signed-range", "{part}={text} is out of range; write {low} to {high} or -{high} to -{low}."),
		placed("byday", "BYDAY={text} is not a weekday; write SU, MO, TU, WE, TH, FR or SA, or one of them after a number from 1 to 53 or -53 to -1."),
		placed("wkst", "WKST={text} is not a weekday; write SU, MO, TU, WE, TH, FR or SA."),
	},
	Check: check(checkFaults),
}

var ruleCountUntil = diag.Rule{
	ID: "recurrence.rule.count-until", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "A rule has at most one of COUNT and UNTIL, and COUNT and INTERVAL are at least 1.",
	Section: ruleSection,
	Why:     "COUNT and UNTIL both end the rule. If they disagree, readers differ in which of them they obey.",
	Good:    sample.Series("RRULE:FREQ=WEEKLY;COUNT=10"),
	Bad:     sample.Series("RRULE:FREQ=WEEKLY;COUNT=10;UNTIL=20261231T000000Z"),
	Says: diag.Sentences{
		placed("below-1", "{part}={text} is below 1; write 1 or more, or remove it."),
		{Key: "both", Text: "The rule has both COUNT and UNTIL; keep one of them."},
	},
	Check: check(checkCountUntil),
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

func (p part) arg() diag.Arg { return wording.Text("part", partNames[p]) }

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

// fault returns the key of the sentence about a text that is not a number in the range.
func (r numberRange) fault(text string) string {
	number := text
	if r.signed {
		number = strings.TrimLeft(text, "+-")
	}
	switch {
	case text == "":
		return "empty-value"
	case number == "" || strings.Trim(number, "0123456789") != "":
		return "number"
	case r.signed:
		return "signed-range"
	default:
		return "range"
	}
}

func (r numberRange) parse(text string) (n int, ok bool) {
	number := text
	if r.signed && text != "" && (text[0] == '-' || text[0] == '+') {
		number = text[1:]
	}
	if number == "" || len(number) > r.digits {
		return 0, false
	}
	if n, ok = digits(number); !ok || n < r.low || n > r.high {
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
	l.newRule()
	for at, text := range l.each(s[i:], i, ';') {
		l.parsePart(text, at)
	}
	if !l.parts.has(partFreq) && !l.isFull() {
		l.reject(&rulePart, whole, "no-freq")
	}
}

// each yields the texts between separators, and the byte of the line at which each begins. The first
// one begins at byte i. It stops when no more faults are kept.
func (l *line) each(s string, i int, separator byte) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for !l.isFull() {
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
	name, value, ok := text, "", false
	if n := strings.IndexByte(text, '='); n >= 0 {
		name, value, ok = text[:n], text[n+1:], true
	}
	p := partOf(name)
	switch {
	case text == "":
		l.reject(&lineSyntax, i, "no-part")
	case p == partOther && (name == "" || tokenLength(name) != len(name)):
		l.reject(&lineSyntax, i, "part", diag.Value("part", text))
	case !ok:
		l.reject(&lineSyntax, i, "part-value", diag.Value("part", name))
	case p == partOther:
		l.parseExtension(name, value, text, i)
	case l.parts.has(p):
		l.reject(&rulePart, i, "twice", p.arg())
	case value == "":
		l.reject(&rulePart, i, "no-value", p.arg())
	default:
		l.parsePartValue(p, value, i+len(name)+1)
	}
	l.parts |= 1 << p // even if it is not readable: it is not missing
}

func (l *line) parseExtension(name, value, text string, i int) {
	switch {
	case len(name) < 3 || name[0]|0x20 != 'x' || name[1] != '-':
		l.reject(&rulePart, i, unknownPart(name), diag.Value("part", name))
	case value == "" || strings.Contains(value, "="):
		l.reject(&rulePart, i, "extension-value", diag.Value("part", name))
	case l.rule.hasExtra(name):
		l.reject(&rulePart, i, "extension-twice", diag.Value("part", name))
	case len(l.rule.Extra) < maxFaults:
		l.rule.Extra = append(l.rule.Extra, text)
		l.advise(&rulePart, i, "extension", diag.Value("part", name))
	}
}

// unknownPart returns the key of the sentence about a part that is not of RFC 5545.
func unknownPart(name string) string {
	if equalFold("RSCALE", name) || equalFold("SKIP", name) {
		return "rfc-7529"
	}
	return "unknown"
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
			l.reject(&rulePart, i, "until-"+problem, diag.Value("text", value))
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
			l.reject(&rulePart, i, "wkst", diag.Value("text", value))
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
	l.reject(&rulePart, i, "freq", diag.Value("text", value))
}

// parsePositive reads COUNT or INTERVAL. It reads a number that is too large for an int64 as the
// largest one: the calendar ends long before either.
func (l *line) parsePositive(p part, value string, i int) int64 {
	text, negative := strings.CutPrefix(value, "-")
	if text == "" || strings.Trim(text, "0123456789") != "" {
		l.reject(&rulePart, i, "number", p.arg(), diag.Value("text", value))
		return 0
	}
	n, _ := strconv.ParseInt(text, 10, 64)
	if n == 0 || negative {
		l.reject(&ruleCountUntil, i, "below-1", p.arg(), diag.Value("text", value))
		return 0
	}
	return n
}

// parseNumbers reads the list of a BY part other than BYDAY. It drops repeated values.
func (l *line) parseNumbers(p part, s string, i int) {
	list, allowed := l.rule.numbers(p)
	var seen bitSet
	for i, text := range l.each(s, i, ',') {
		n, ok := allowed.parse(text)
		switch {
		case !ok:
			l.reject(&rulePart, i, allowed.fault(text), p.arg(), diag.Value("text", text), diag.Number("low", allowed.low), diag.Number("high", allowed.high))
		case seen.add(n + 366):
			*list = append(*list, n)
		}
	}
}

// bitSet is a set of numbers: enough for those from -366 to 366, and for seven weekdays with numbers from -53 to 53.
type bitSet [12]uint64

// add adds a number, and reports whether it is new.
func (s *bitSet) add(n int) bool {
	isNew := s[n>>6]>>(n&63)&1 == 0
	s[n>>6] |= 1 << (n & 63)
	return isNew
}

func (l *line) parseByDay(s string, i int) {
	var seen bitSet
	for i, text := range l.each(s, i, ',') {
		d, ok := parseOrdinalWeekday(text)
		switch {
		case text == "":
			l.reject(&rulePart, i, "empty-value", partByDay.arg())
		case !ok:
			l.reject(&rulePart, i, "byday", diag.Value("text", text))
		case seen.add((d.N+53)*7 + int(d.Day)):
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
	Good: sample.Series("RRULE:FREQ=WEEKLY;UNTIL=20260602T130000Z"),
	Bad:  sample.Series("RRULE:FREQ=WEEKLY;UNTIL=20260602T090000"),
	Says: diag.Sentences{
		{Key: "time", Text: "UNTIL={until} has a time and the start is a date, so only the date of UNTIL counts; write a date."},
		{Key: "date", Text: "UNTIL={until} is a date and the start has a time, so UNTIL includes the whole day; write a time in UTC."},
		{Key: "local", Text: "UNTIL={until} is not in UTC, which a start with a zone requires; convert it and add a Z."},
	},
	Check: check(checkUntilForm),
}

var ruleByPart = diag.Rule{
	ID: "recurrence.rule.by-part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "BY parts appear only with frequencies that allow them, and BYSETPOS only with another BY part.",
	Section: ruleSection,
	Why:     "RFC 5545 forbids the other combinations: they have no meaning, so readers invent different ones.",
	Good:    sample.Series("RRULE:FREQ=YEARLY;BYWEEKNO=11;BYDAY=TU;COUNT=3"),
	Bad:     sample.Series("RRULE:FREQ=MONTHLY;BYWEEKNO=11;BYDAY=TU;COUNT=3"),
	Says: diag.Sentences{
		{Key: "week", Text: "BYWEEKNO appears with FREQ={freq}; use it only with YEARLY."},
		{Key: "year-day", Text: "BYYEARDAY appears with FREQ={freq}; do not use it with DAILY, WEEKLY or MONTHLY."},
		{Key: "month-day", Text: "BYMONTHDAY appears with FREQ=WEEKLY; use it with another frequency."},
		{Key: "number", Text: "BYDAY={day} has a number with FREQ={freq}; use numbers only with MONTHLY and YEARLY."},
		{Key: "number-and-week", Text: "BYDAY={day} has a number in a rule with BYWEEKNO; remove the number."},
		{Key: "place", Text: "BYSETPOS is the only BY part; add another one for it to choose from."},
	},
	Check: check(checkByPart),
}

var ruleTimePart = diag.Rule{
	ID: "recurrence.rule.time-part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "With an all-day start, a rule has no BYSECOND, BYMINUTE and BYHOUR, and its frequency is DAILY or longer.",
	Section: ruleSection,
	Why:     "A date has no time of day to choose or to step by.",
	Good:    sample.Days("RRULE:FREQ=DAILY;COUNT=3"),
	Bad:     sample.Days("RRULE:FREQ=DAILY;BYHOUR=9;COUNT=3"),
	Says: diag.Sentences{
		{Key: "freq", Text: "FREQ={freq} repeats within the day and the start is a date; use DAILY or longer."},
		{Key: "part", Text: "{part} gives a time and the start is a date; remove it."},
	},
	Check: check(checkTimePart),
}

var exruleDeprecated = diag.Rule{
	ID: "recurrence.exrule.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "There are no EXRULE lines: RFC 5545 deprecates them.",
	Section: "RFC 5545 8.3.2",
	Why:     "Many readers drop EXRULE lines, and then show the instances that these exclude.",
	Good:    sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260310T130000Z"),
	Bad:     sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXRULE:FREQ=DAILY;COUNT=1"),
	Says:    diag.Sentences{{Key: "deprecated", Text: "RFC 5545 deprecates EXRULE and many calendars do not read it; use EXDATE."}},
	Check:   check(checkExRule),
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
	Says:     diag.Sentences{{Key: "freq", Text: "The public service returns an error for FREQ={freq}, although RFC 5545 has it; use DAILY or longer."}},
	Check:    check(checkSubDaily),
}

// A check of parts reads every rule, also one with a part that is not readable.

func checkCountUntil(in *input, r engine.Reporter) {
	checkFaults(in, r)
	for i := range in.lines {
		if parts := in.lines[i].parts; in.lines[i].rule != nil && parts.has(partCount) && parts.has(partUntil) {
			in.reject(r, i, "both")
		}
	}
}

// checkUntilForm compares the form of UNTIL with the form of the start. Two mismatches do not reject the rule, since
// calendars in use write them.
func checkUntilForm(in *input, r engine.Reporter) {
	if in.start.IsZero() {
		return
	}
	for i := range in.lines {
		rule := in.lines[i].rule
		if rule == nil || rule.Until.Form == 0 {
			continue
		}
		allDay, until := in.start.allDay, func() diag.Arg { return wording.Text("until", rule.Until.String()) }
		switch {
		case allDay && rule.Until.Form != Date:
			in.report(r.WithKind(diag.Advise), i, "time", until())
		case !allDay && rule.Until.Form == Date:
			in.report(r.WithKind(diag.Advise), i, "date", until())
		case !allDay && rule.Until.Form == Local:
			in.reject(r, i, "local", until())
		}
	}
}

// checkByPart checks the entries N/A of the table in RFC 5545 section 3.3.10, and what the
// section says about ordinals and BYSETPOS.
func checkByPart(in *input, r engine.Reporter) {
	for i := range in.lines {
		l := &in.lines[i]
		if l.rule == nil || l.rule.Freq == 0 { // it is not readable
			continue
		}
		freq := l.rule.Freq
		if l.parts.has(partByWeekNo) && freq != Yearly {
			in.reject(r, i, "week", freq.arg())
		}
		if l.parts.has(partByYearDay) && (freq == Daily || freq == Weekly || freq == Monthly) {
			in.reject(r, i, "year-day", freq.arg())
		}
		if l.parts.has(partByMonthDay) && freq == Weekly {
			in.reject(r, i, "month-day")
		}
		in.checkNumbers(i, r)
		if l.parts.has(partBySetPos) && l.parts&byParts == 0 {
			in.reject(r, i, "place")
		}
	}
}

// checkNumbers checks whether the rule of line i may have numbers in BYDAY.
func (in *input) checkNumbers(i int, r engine.Reporter) {
	l := &in.lines[i]
	k := slices.IndexFunc(l.rule.ByDay, ByDay.isNumbered)
	if k < 0 {
		return
	}
	day := wording.Text("day", l.rule.ByDay[k].String())
	switch freq := l.rule.Freq; {
	case freq != Monthly && freq != Yearly:
		in.reject(r, i, "number", day, freq.arg())
	case freq == Yearly && l.parts.has(partByWeekNo):
		in.reject(r, i, "number-and-week", day)
	}
}

func (f Freq) arg() diag.Arg { return wording.Text("freq", f.String()) }

func (d ByDay) isNumbered() bool { return d.N != 0 }

func checkTimePart(in *input, r engine.Reporter) {
	if !in.start.allDay {
		return
	}
	for i := range in.lines {
		l := &in.lines[i]
		if l.rule == nil {
			continue
		}
		if l.rule.Freq.SubDaily() {
			in.reject(r, i, "freq", l.rule.Freq.arg())
		}
		for _, p := range [...]part{partByHour, partByMinute, partBySecond} {
			if l.parts.has(p) {
				in.reject(r, i, "part", p.arg())
			}
		}
	}
}

func checkExRule(in *input, r engine.Reporter) {
	for i := range in.lines {
		if l := &in.lines[i]; l.kind == exruleLine && !l.isFull() {
			in.report(r, i, "deprecated")
		}
	}
}

func checkSubDaily(in *input, r engine.Reporter) {
	if in.start.allDay {
		return
	}
	for i := range in.lines {
		if rule := in.lines[i].rule; rule != nil && rule.Freq.SubDaily() {
			in.report(r, i, "freq", rule.Freq.arg())
		}
	}
}
