package recurrence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Reading is what [Read] reads.
type Reading struct {
	// Start is the start and, with DTEND or DURATION, the length. It is the zero Start if the text has none.
	Start Start

	Set   *Set
	Lines []string // the lines of the set, as an event has them

	// Advice says what was read otherwise than it is written, a sentence for each correction.
	Advice []string
}

// Read reads a recurrence as programs and files have it: lines with or without RRULE:, folded or not, in a text or in an
// iCalendar file, of which it reads the first event, with DTSTART, DTEND, DURATION, RDATE and EXDATE as rrule-go, rrule.js
// and python-dateutil write them. What is not of RFC 5545 but has one meaning is read and corrected: UNTIL without Z in a
// zone, dates without VALUE=DATE, an empty RRULE:, a semicolon at the end, blanks, parts such as BYWEEKDAY=MO, and lines
// that are glued to a rule. Other properties mean nothing here. [Parse] accepts none of that.
//
// The error is that of [Parse] or [Set.Compile] about the corrected lines. The reading has what was read even then.
func Read(text string) (*Reading, error) {
	r := &reader{Reading: &Reading{}}
	for _, line := range contentLines(text) {
		r.line(line)
	}
	r.correctRules()
	r.Lines = slices.Concat(r.rules, r.dates)
	set, err := Parse(r.Lines)
	r.Set = set
	if err = cmp.Or(r.err, err); err == nil && !r.Start.IsZero() {
		_, err = set.Compile(r.Start)
	}
	return r.Reading, err
}

// reader reads lines.
type reader struct {
	*Reading
	rules, dates []string // the corrected lines
	end          Value    // of DTEND
	endZone      *time.Location
	length       Duration
	err          error
}

func (r *reader) advise(format string, args ...any) {
	r.Advice = append(r.Advice, fmt.Sprintf(format, args...))
}

// contentLines returns the lines of a text, unfolded. A text that has a backslash and an n in place of each line break, as
// in the source of a program, has lines too. Of an iCalendar file it returns those of the first event.
func contentLines(text string) (lines []string) {
	text = strings.TrimPrefix(text, "\ufeff")
	if !strings.Contains(text, "\n") {
		text = strings.NewReplacer(`\r\n`, "\n", `\n`, "\n").Replace(text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, "\r")
		if len(lines) > 0 && line != "" && (line[0] == ' ' || line[0] == '\t') && !startsLine(line) {
			lines[len(lines)-1] += line[1:]
			continue
		}
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	begin := slices.IndexFunc(lines, func(line string) bool { return strings.EqualFold(line, "BEGIN:VEVENT") })
	if begin < 0 {
		return lines
	}
	depth := 0
	var own []string
	for _, line := range lines[begin+1:] {
		switch name, _, _ := strings.Cut(strings.ToUpper(line), ":"); {
		case name == "BEGIN":
			depth++
		case name == "END" && depth == 0:
			return own
		case name == "END":
			depth--
		case depth == 0:
			own = append(own, line)
		}
	}
	return own
}

// startsLine reports whether a line that begins with a blank is one of its own, as in the source of a program, and not the
// rest of the line before it.
func startsLine(line string) bool {
	line = strings.TrimSpace(line)
	name := line[:tokenLength(line)]
	return len(name) < len(line) && (line[len(name)] == ':' || line[len(name)] == ';') && isOtherLine(name)
}

// line reads one line.
func (r *reader) line(text string) {
	n := tokenLength(text)
	name, rest := strings.ToUpper(text[:n]), strings.TrimSpace(text[n:])
	if strings.HasPrefix(rest, "=") { // a rule without RRULE:
		name, rest = "RRULE", ":"+text
	}
	params, value := cutValue(rest)
	switch name {
	case "RRULE", "EXRULE":
		r.rule(name, params, value)
	case "RDATE", "EXDATE":
		r.dateLine(name, params, value)
	case "DTSTART":
		r.start(params, value)
	case "DTEND":
		r.end, r.endZone, _ = r.moment(params, value)
		r.setLength()
	case "DURATION":
		if length, ok := parseDuration(value); ok {
			r.length = length
			r.setLength()
		}
	}
}

// cutValue cuts the parameters of a line from its value.
func cutValue(rest string) (params map[string]string, value string) {
	params = map[string]string{}
	for strings.HasPrefix(rest, ";") {
		name, after, _ := strings.Cut(rest[1:], "=")
		text, end, ok := paramValue(after, 0)
		if !ok || strings.ContainsAny(name, ":;") {
			break
		}
		params[strings.ToUpper(strings.TrimSpace(name))] = text
		rest = after[end:]
	}
	return params, strings.TrimSpace(strings.TrimPrefix(rest, ":"))
}

// location returns the zone of a TZID, of the IANA database or of Windows. ok is false if it is neither.
func location(tzid string) (in *time.Location, ok bool) {
	name := strings.TrimPrefix(tzid, "/")
	if windows, isWindows := form.WindowsZone(name); isWindows {
		name = windows
	}
	for {
		if in, ok = zone.Load(name); ok {
			return in, true
		}
		_, after, more := strings.Cut(name, "/") // of other registries, as in /example.org/Europe/Berlin
		if !more {
			return nil, false
		}
		name = after
	}
}

// moment reads the value of DTSTART or DTEND.
func (r *reader) moment(params map[string]string, value string) (v Value, in *time.Location, ok bool) {
	value = r.date(value)
	v, problem := parseValue(value)
	if tzid := params["TZID"]; tzid != "" {
		var known bool
		if in, known = location(tzid); !known {
			r.fail("the zone %s is not in the IANA Time Zone Database", engine.Quote(tzid))
		}
	}
	return v, in, problem == ""
}

// date returns a date or a time as RFC 5545 writes it.
func (r *reader) date(value string) string {
	value = strings.TrimSpace(value)
	if mended, ok := mendDate(value); ok {
		if !strings.EqualFold(mended, value) {
			r.advise("%s was read as %s.", engine.Quote(value), mended)
		}
		return mended
	}
	return value
}

// fail keeps the first error.
func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("recurrence: "+format, args...)
	}
}

// start reads DTSTART.
func (r *reader) start(params map[string]string, value string) {
	v, in, ok := r.moment(params, value)
	switch {
	case !ok:
		r.fail("the start %s is neither a date nor a time", engine.Quote(value))
	case v.Form == Date:
		r.Start = StartDate(v.Time(nil).Date())
	case v.Form == UTC && in != nil:
		r.Start = StartTime(v.Time(in))
	case v.Form == UTC:
		r.Start = StartTime(v.Time(time.UTC))
	case in != nil:
		r.Start = StartClock(v.Time(nil), in)
	default:
		r.advise("The start %s has no zone and was read as UTC.", v)
		r.Start = StartClock(v.Time(nil), time.UTC)
	}
	r.setLength()
}

// setLength gives the start the length, if both are known.
func (r *reader) setLength() {
	if r.Start.IsZero() {
		return
	}
	first := r.Start.Time()
	switch {
	case r.end.Form != 0 && r.Start.allDay:
		r.Start = r.Start.Until(dayOf(r.end.Time(nil)))
	case r.end.Form != 0:
		r.Start = r.Start.Until(r.end.Time(cmp.Or(r.endZone, first.Location())))
	case r.length != Duration{}:
		r.Start = r.Start.Until(first.AddDate(0, 0, int(r.length.Days)).Add(time.Duration(r.length.Seconds) * time.Second))
	}
}

// rule reads an RRULE or EXRULE, and the lines that are glued to it.
func (r *reader) rule(name string, params map[string]string, value string) {
	if params["TZID"] != "" || params["VALUE"] != "" && !strings.EqualFold(params["VALUE"], "RECUR") {
		r.advise("The parameters of %s were left out.", name)
	}
	var parts []string
	zoneName := params["TZID"]
	for part := range strings.SplitSeq(value, ";") {
		part = strings.TrimSpace(part)
		partName, text, _ := strings.Cut(part, "=")
		partName, text = strings.ToUpper(strings.TrimSpace(partName)), strings.TrimSpace(text)
		last := len(parts) - 1
		switch {
		case part == "":
		case partName == "TZID":
			zoneName = text
		case partName == "DTSTART":
			if r.Start.IsZero() {
				defer func() { r.start(map[string]string{"TZID": zoneName}, text) }()
			}
		case partName == "EXDATE" || partName == "RDATE":
			r.advise("%s was read as a line of its own.", engine.Quote(part))
			r.dateLine(partName, map[string]string{"TZID": zoneName}, text)
		case strings.HasPrefix(partName, "X-"):
			r.advise("%s was left out.", engine.Quote(part))
		case (partName == "RSCALE" && strings.EqualFold(text, "GREGORIAN")) || partName == "SKIP" && strings.EqualFold(text, "OMIT"):
		case text == "" && isWeekday(part) && last >= 0 && strings.HasPrefix(parts[last], "BYDAY="):
			r.advise("%s was read as another weekday of BYDAY.", part)
			parts[last] += "," + strings.ToUpper(part)
		case text == "" && partName != "": // a part without a value means nothing
			r.advise("%s has no value and was left out.", engine.Quote(part))
		default:
			parts = append(parts, r.part(partName, text)...)
		}
	}
	if len(parts) == 0 {
		r.advise("An empty %s was left out.", name)
		return
	}
	r.rules = append(r.rules, name+":"+strings.Join(parts, ";"))
}

// part returns a part of a rule as RFC 5545 writes it, or several.
func (r *reader) part(name, text string) []string {
	written := name + "=" + text
	if partOf(name) == partOther {
		if meant, ok := mendName(name); ok {
			name = meant
		}
	}
	switch p := partOf(name); p {
	case partFreq:
		if meant, ok := mendFreq(text); ok && indexFold(freqNames[:], text) <= 0 {
			text = meant
		}
	case partUntil:
		if meant, ok := mendDate(text); ok {
			text = meant
		}
	case partByDay:
		text = mendList(text, func(value string) (string, bool) {
			if _, ok := parseOrdinalWeekday(value); ok {
				return "", false
			}
			return mendWeekday(value)
		})
	case partBySecond, partByMinute, partByHour, partByMonthDay, partByYearDay, partByWeekNo, partByMonth, partBySetPos:
		text = mendList(text, func(value string) (string, bool) { return mendNumber(p, value) })
	case partWkst:
		if meant, ok := mendWeekday(text); ok {
			text = meant
		}
	}
	text = strings.ToUpper(text)
	if part := name + "=" + text; !strings.EqualFold(part, written) {
		r.advise("%s was read as %s.", engine.Quote(written), part)
	}
	return strings.Split(name+"="+text, ";")
}

// mendList returns a list with the values that a function mends, without empty ones.
func mendList(list string, mend func(string) (string, bool)) string {
	var values []string
	for value := range strings.SplitSeq(strings.Trim(list, "[]"), ",") {
		value = strings.TrimSpace(value)
		if meant, ok := mend(value); ok {
			value = meant
		}
		if value != "" {
			values = append(values, value)
		}
	}
	return strings.Join(values, ",")
}

// dateLine reads an RDATE or EXDATE: as one line of dates, one of times and one of periods, if it has all.
func (r *reader) dateLine(name string, params map[string]string, value string) {
	tzid := params["TZID"]
	in, known := location(tzid)
	if tzid != "" && !known {
		r.fail("the zone %s is not in the IANA Time Zone Database", engine.Quote(tzid))
	}
	var lists [UTC + 2][]string
	const periods = UTC + 1
	for text := range strings.FieldsFuncSeq(value, func(c rune) bool { return c == ',' || c == ';' }) {
		text = strings.TrimSpace(text)
		if strings.Contains(text, "/") {
			lists[periods] = append(lists[periods], strings.ToUpper(text))
			continue
		}
		text = r.date(text)
		v, problem := parseValue(text)
		if problem != "" {
			r.fail("%s in %s is neither a date nor a time", engine.Quote(text), name)
			continue
		}
		lists[v.Form] = append(lists[v.Form], strings.ToUpper(text))
	}
	if len(slices.Concat(lists[:]...)) == 0 {
		r.advise("An empty %s was left out.", name)
		return
	}
	if len(lists[Date]) > 0 {
		if !strings.EqualFold(params["VALUE"], "DATE") {
			r.advise("%s of %s is written with VALUE=DATE.", strings.Join(lists[Date], ","), name)
		}
		r.dates = append(r.dates, name+";VALUE=DATE:"+strings.Join(lists[Date], ","))
	}
	zoneOf := ""
	if known && in != time.UTC {
		zoneOf = ";TZID=" + in.String()
	}
	if len(lists[Local]) > 0 {
		r.dates = append(r.dates, name+zoneOf+":"+strings.Join(lists[Local], ","))
	}
	if len(lists[UTC]) > 0 {
		if tzid != "" {
			r.advise("%s of %s is in UTC, so TZID was left out.", strings.Join(lists[UTC], ","), name)
		}
		r.dates = append(r.dates, name+":"+strings.Join(lists[UTC], ","))
	}
	if len(lists[periods]) > 0 {
		r.dates = append(r.dates, name+";VALUE=PERIOD:"+strings.Join(lists[periods], ","))
	}
}

// correctRules corrects what depends on the start.
func (r *reader) correctRules() {
	if len(r.rules) > 0 && len(r.dates) == 0 && r.Start.IsZero() {
		return // nothing to compare with
	}
	for i, text := range r.rules {
		var l line
		l.parse(text)
		if l.rejected || l.rule == nil || r.Start.IsZero() {
			continue
		}
		was := l.rule.String()
		r.correct(l.rule)
		if is := l.rule.String(); is != was {
			r.rules[i] = lineNames[l.kind] + ":" + is
			r.advise("%s was read as %s.", engine.Quote(was), is)
		}
	}
}

// correct corrects a rule beside the start, as readers take it.
func (r *reader) correct(rule *Rule) {
	until := r.Start.until(rule.Until)
	switch {
	case until.Form == 0:
	case r.Start.allDay && until.Form != Date:
		day, _ := civil.Split(until.Clock)
		until = Value{Date, day * civil.SecondsPerDay}
	case !r.Start.allDay && until.Form == Local:
		until = UTCValue(until.Time(r.Start.zone.Location))
	}
	rule.Until = until
	if r.Start.allDay && !rule.Freq.SubDaily() && max(len(rule.ByHour), len(rule.ByMinute), len(rule.BySecond)) <= 1 {
		rule.ByHour, rule.ByMinute, rule.BySecond = nil, nil, nil
	}
	if rule.Freq <= Weekly || len(rule.ByWeekNo) > 0 && rule.Freq == Yearly {
		var days []ByDay
		for _, d := range rule.ByDay {
			if d.N = 0; !slices.Contains(days, d) {
				days = append(days, d)
			}
		}
		rule.ByDay = days
	}
	if rule.Count > 0 && until.Form != 0 {
		r.chooseEnd(rule)
	}
}

// chooseEnd leaves the end of a rule that comes first, of COUNT and UNTIL.
func (r *reader) chooseEnd(rule *Rule) {
	counted := rule.clone()
	counted.Until = Value{}
	series, err := (&Set{Rules: []*Rule{counted}}).Compile(r.Start)
	if err != nil {
		return
	}
	last, _, err := series.Last()
	if err != nil {
		return
	}
	c := newConverter(r.Start)
	instant, clock := c.until(rule.Until)
	if last.Unix() <= instant && c.zone.ClockAt(last.Unix()) <= clock {
		rule.Until = Value{}
	} else {
		rule.Count = 0
	}
}
