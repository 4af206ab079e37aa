package recurrence

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence/internal/civil"
)

// A Reading is the recurrence that [Read] finds in its input.
type Reading struct {
	// Start is the start of the event, with the event's length if the input contains an end. Start is zero if the input contains
	// no start.
	Start Start

	// Set is the set parsed from Lines.
	Set *Set

	// Lines contains the corrected recurrence lines in the order of the input. Lines that are already correct are only converted
	// to upper case. The lines can be sent to the service unchanged.
	Lines []string

	// Advice lists the input lines to rewrite, in order. [Lines.Check] reports further advice about the meaning of the lines.
	Advice []Advice
}

// An Advice proposes a correction of one input line.
type Advice struct {
	Line    int    // the index in the input, with folded lines counted separately
	Text    string // the line as it appears in the input, unfolded
	Write   string // the corrected line, or "" if the line should be removed
	Rule    string // the id of the rule that the line breaks, or "" if there is no such rule
	Message string // human-readable
}

// Read parses a recurrence in any form that libraries and calendars write: recurrence lines with or without DTSTART,
// DTEND and DURATION, as in the strings of rrule-go, rrule.js and python-dateutil, or a whole VEVENT or VCALENDAR with
// one series. Lines may be folded or separated by blanks.
//
// Where the meaning is clear, Read accepts more than RFC 5545 and [Parse] allow: UNTIL without Z in a series with a zone,
// dates without VALUE=DATE, empty lines and values, extra blanks, extensions, and the zone names and keywords of other systems.
// For each line that Parse would not accept, the Advice contains the corrected line and the reason. A start without a zone is
// in the zone of the calendar (X-WR-TIMEZONE), a rule or the end, or else in UTC.
//
// The error joins a [*SyntaxError] for each problem, with the index of the input line. The error is an [*InvalidError]
// if a line is well formed but cannot be expanded from the start.
func Read(text string) (*Reading, error) {
	found, err := scan(plainText(text))
	if err != nil {
		return nil, err
	}
	r := reader{scanned: found}
	r.fixLines()
	r.readStart()
	r.readLines()
	if r.errs != nil {
		return nil, errors.Join(r.errs...)
	}
	return r.finish()
}

// A textLine is an unfolded line of the input.
type textLine struct {
	number int // the index of its first line in the input
	text   string
}

// name returns the property name in upper case.
func (t textLine) name() string {
	if isRuleWithStart(t.text) {
		return "RRULE"
	}
	return strings.ToUpper(t.text[:tokenLength(t.text)])
}

// value returns the part of the line after the first colon.
func (t textLine) value() string {
	_, value, _ := strings.Cut(t.text, ":")
	return strings.TrimSpace(value)
}

// recurrenceNames lists the properties used by Read.
var recurrenceNames = []string{"RRULE", "EXRULE", "RDATE", "EXDATE", "DTSTART", "DTEND", "DURATION"}

// otherNames lists event properties that are unrelated to recurrence but may appear among the recurrence lines.
var otherNames = []string{"ATTENDEE", "CATEGORIES", "CLASS", "CREATED", "DESCRIPTION", "DTSTAMP", "GEO", "LAST-MODIFIED", "LOCATION",
	"ORGANIZER", "PRIORITY", "SEQUENCE", "STATUS", "SUMMARY", "TRANSP", "UID", "URL"}

// beginsProperty reports whether a string begins with the name of a property used by Read.
func beginsProperty(text string) bool {
	n := tokenLength(text)
	return n < len(text) && (text[n] == ':' || text[n] == ';') && slices.Contains(recurrenceNames, strings.ToUpper(text[:n]))
}

// unfold returns the nonempty lines of the input, unfolded. A line that begins with a blank continues the previous line,
// unless the blank is followed by a property name, in which case the line is merely indented.
func unfold(text string) (lines []textLine) {
	text = strings.TrimPrefix(text, "\ufeff")
	if !strings.Contains(strings.ToUpper(text), "BEGIN:") {
		text = strings.NewReplacer(`\r\n`, "\n", `\n`, "\n").Replace(text)
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	number := -1
	for line := range strings.SplitSeq(text, "\n") {
		number++
		trimmed := strings.TrimSpace(line)
		isFolded := line != "" && (line[0] == ' ' || line[0] == '\t') && len(lines) > 0 && !beginsProperty(trimmed)
		switch {
		case trimmed == "":
		case isFolded:
			lines[len(lines)-1].text += line[1:]
		default:
			lines = append(lines, textLine{number, strings.TrimLeft(line, " \t")})
		}
	}
	return lines
}

// split splits the line at blanks or semicolons that separate properties.
func (t textLine) split() (lines []textLine) {
	begin, name := 0, t.name()
	for i := range len(t.text) {
		isRule := strings.HasSuffix(name, "RULE") // text glued to a rule is reported as a fault of the rule
		if c := t.text[i]; (c == ' ' || c == ';' && !isRule) && beginsProperty(t.text[i+1:]) {
			lines = append(lines, textLine{t.number, strings.TrimRight(t.text[begin:i], " ;")})
			begin = i + 1
			name = textLine{t.number, t.text[begin:]}.name()
		}
	}
	return append(lines, textLine{t.number, t.text[begin:]})
}

// scanned contains the relevant parts of the input.
type scanned struct {
	lines []textLine        // the lines of the series
	zone  string            // the zone of the calendar, or ""
	zones map[string]string // maps the TZID of each VTIMEZONE component to the IANA zone that it describes

	replaced []Advice // advice about events that replace an instance
}

// isEvent reports whether a component can recur.
func isEvent(component string) bool {
	return component == "VEVENT" || component == "VTODO" || component == "VJOURNAL"
}

// recurs reports whether an event contains a recurrence line.
func recurs(event []textLine) bool {
	return slices.ContainsFunc(event, func(t textLine) bool { return slices.Contains(recurrenceNames[:4], t.name()) })
}

// scan finds the lines of the series in the input.
func scan(text string) (*scanned, error) {
	s := &scanned{zones: map[string]string{}}
	var errs []error
	var within []string  // the stack of open components
	var event []textLine // the lines of the currently open event
	var all [][]textLine // the lines of each event that is not an exception
	isException := false
	var tzid string
	var zone described
	end := func() {
		if !isException && event != nil {
			all = append(all, event)
		}
		event = nil
	}
	for _, t := range unfold(text) {
		name, value := t.name(), t.value()
		component := ""
		if len(within) > 0 {
			component = within[len(within)-1]
		}
		switch {
		case name == "BEGIN":
			within = append(within, strings.ToUpper(value))
			switch opened := strings.ToUpper(value); {
			case isEvent(opened):
				event, isException = []textLine{}, false
			case opened == "VTIMEZONE":
				tzid, zone = "", described{}
			}
		case name == "END":
			within = within[:max(len(within)-1, 0)]
			switch {
			case isEvent(component):
				end()
			case component == "VTIMEZONE" && s.zones[tzid] == "":
				if name, ok := zone.zone(); ok {
					s.zones[tzid] = name
				}
			}
		case isEvent(component) && name == "RECURRENCE-ID":
			isException = true
			message := "The event replaces one instance and is left out here. Pass it to event.Series as an exception."
			s.replaced = append(s.replaced, Advice{Line: t.number, Text: t.text, Write: t.text, Message: message})
		case isEvent(component) && slices.Contains(recurrenceNames, name):
			event = append(event, t)
		case component == "VTIMEZONE" && name == "TZID":
			tzid = value
		case component == "VTIMEZONE" && name == "X-LIC-LOCATION" && form.IsZone(value):
			s.zones[tzid] = value
		case component == "STANDARD" || component == "DAYLIGHT":
			zone.read(component, name, value)
		case name == "X-WR-TIMEZONE" && form.IsZone(value):
			s.zone = value
		case component != "" || strings.HasPrefix(name, "X-") || slices.Contains(otherNames, name):
		default:
			s.lines = append(s.lines, t.split()...)
		}
	}
	end()                                 // the input may end within an event
	if slices.ContainsFunc(all, recurs) { // if there is a series, other events do not matter
		all = slices.DeleteFunc(all, func(event []textLine) bool { return !recurs(event) })
	}
	if len(all) > 1 {
		errs = append(errs, errors.New("recurrence: the input has "+strconv.Itoa(len(all))+" events; give Read one at a time"))
	}
	for _, event := range all {
		s.lines = append(s.lines, event...)
	}
	return s, errors.Join(errs...)
}

// A reader corrects and interprets the lines of a series.
type reader struct {
	*scanned
	Reading
	parsed []fixedLine
	glued  int // the number of lines found within other lines
	errs   []error
}

// A fixedLine is an input line with its faults corrected.
type fixedLine struct {
	textLine
	line
	advice []Advice
	write  string // the line to write, or "" to omit it
}

// maxGlued is the maximum number of lines that may be found within other lines of the input.
const maxGlued = 64

// fixLines corrects each line independently.
func (r *reader) fixLines() {
	for len(r.lines) > 0 {
		t := r.lines[0]
		r.lines = r.lines[1:]
		if t.name() == "DURATION" {
			r.parsed = append(r.parsed, fixedLine{textLine: t})
			continue
		}
		m, others := r.fix(t)
		r.parsed = append(r.parsed, m)
		if r.glued += len(others); r.glued > maxGlued {
			r.errs = append(r.errs, &SyntaxError{Line: t.number, Offset: whole, Rule: lineSyntax.ID, Message: "Too many lines are joined " +
				"into one."})
			return
		}
		for _, text := range slices.Backward(others) {
			r.lines = slices.Insert(r.lines, 0, textLine{t.number, text})
		}
	}
}

// maxRounds is the maximum number of times that a line is parsed. A line must be parsed again after a correction, which
// can uncover another fault.
const maxRounds = 8

// fix corrects the faults in a line, parsing DTSTART and DTEND as an RDATE, which has the same grammar.
func (r *reader) fix(t textLine) (m fixedLine, others []string) {
	m.textLine = t
	name := t.name()
	text := t.text
	isTime := name == "DTSTART" || name == "DTEND"
	if isTime {
		text = "RDATE" + text[len(name):]
	}
	text, messages := withoutHabits(text)
	for _, message := range messages {
		m.advice = append(m.advice, Advice{Line: t.number, Text: t.text, Rule: lineSyntax.ID, Message: message})
	}
	r.readZoneOfRule(name, text)
	if known := r.knownZone(text); known != text {
		message := "The zone in the line is not a name in the IANA Time Zone Database. Write the name of the intended zone."
		m.advice, text = append(m.advice, Advice{Line: t.number, Text: t.text, Rule: datesZone.ID, Message: message}), known
	}
	for range maxRounds {
		m.line = line{}
		m.parse(text)
		for _, f := range m.faults {
			e := f.syntaxError(t.number, text)
			m.advice = append(m.advice, Advice{Line: t.number, Text: t.text, Rule: e.Rule, Message: e.Message})
		}
		next, lines := m.fixed()
		others = append(others, lines...)
		if next == text {
			break
		}
		if text = next; text == "" {
			m.line = line{}
			return m, others
		}
	}
	if m.rejected {
		for _, f := range m.faults {
			if f.kind == diag.Reject {
				r.errs = append(r.errs, f.syntaxError(t.number, m.line.text)) // after the last round, text may be a later version of the line
			}
		}
	}
	return m, others
}

// readZoneOfRule records the zone of a TZID in a rule, start or end, for use by a start without a zone.
func (r *reader) readZoneOfRule(name, text string) {
	_, rest, _ := cutFold(text, tzidParam)
	zone, _, _ := paramValue(rest, 0)
	if name != "EXDATE" && name != "RDATE" && r.zone == "" && form.IsZone(zone) {
		r.zone = zone
	}
}

const tzidParam = ";TZID="

// cutFold is like [strings.Cut], but ignores case.
func cutFold(text, separator string) (before, after string, found bool) {
	for i := range text {
		if isPrefixFold(text[i:], separator) {
			return text[:i], text[i+len(separator):], true
		}
	}
	return text, "", false
}

// knownZone returns the line with an unknown TZID replaced by the IANA zone that a VTIMEZONE or the name itself describes.
func (r *reader) knownZone(text string) string {
	before, rest, found := cutFold(text, tzidParam)
	if !found {
		return text
	}
	tzid, end, _ := paramValue(rest, 0)
	_, isMeant := zoneMeant(tzid)
	_, isOfWindows := form.WindowsZone(tzid)
	if isMeant || isOfWindows || form.IsZone(tzid) {
		return text
	}
	zone, known := r.zones[tzid]
	if !known {
		zone, known = zoneElsewhere(tzid)
	}
	if !known {
		return text
	}
	return before + tzidParam + zone + rest[end:]
}

// readStart sets the start of the event and its length.
func (r *reader) readStart() {
	var end, duration *fixedLine
	for i := range r.parsed {
		m := &r.parsed[i]
		switch m.name() {
		case "DTSTART":
			r.setStart(m)
		case "DTEND":
			end = m
		case "DURATION":
			duration = m
		}
	}
	switch {
	case r.Start.IsZero():
	case end != nil && end.isTime():
		r.Start = r.Start.Until(r.instantOf(end))
		r.advise(end, "DTEND"+end.dates.String())
	case duration != nil:
		r.setDuration(duration)
	case r.Start.AllDay():
		r.Start = r.Start.Until(r.Start.Time().AddDate(0, 0, 1)) // RFC 5545 section 3.6.1
	}
}

// isTime reports whether a line contains exactly one date or time.
func (m *fixedLine) isTime() bool { return m.dates != nil && len(m.dates.Values) == 1 }

// setStart sets the start from a DTSTART line, unless the start is already set.
func (r *reader) setStart(m *fixedLine) {
	if !m.isTime() || !r.Start.IsZero() {
		return
	}
	v := m.dates.Values[0]
	switch {
	case v.Form == Date:
		r.Start = StartDate(v.Time(nil).Date())
		if days, ok := zone.Load(r.zone); ok {
			r.Start = r.Start.DaysIn(days)
		}
	case v.Form == UTC:
		r.Start = StartTime(v.Time(nil))
	default:
		in := m.dates.location()
		if in == nil {
			in = r.zoneOfCalendar()
			said := "The start has no zone and is read in " + in.String() + ". Add the intended zone to the start."
			m.advice = append(m.advice, Advice{Line: m.number, Text: m.textLine.text, Message: said})
		}
		r.Start = StartClock(v.Time(nil), in)
		if m.dates.TZID == "" {
			r.inZoneOfStart(m.dates)
		}
	}
	r.advise(m, "DTSTART"+m.dates.String())
}

// zoneOfCalendar returns the zone to use for a start that does not name a zone.
func (r *reader) zoneOfCalendar() *time.Location {
	if in, ok := zone.Load(r.zone); ok {
		return in
	}
	return time.UTC
}

// instantOf returns the instant at which the event ends.
func (r *reader) instantOf(m *fixedLine) time.Time {
	v := m.dates.Values[0]
	in := m.dates.location()
	switch {
	case r.Start.AllDay():
		return Value{Date, v.Clock}.Time(nil)
	case in == nil:
		in = r.Start.Time().Location()
	}
	return v.Time(in)
}

// setDuration sets the length of the event from a DURATION line.
func (r *reader) setDuration(m *fixedLine) {
	d, ok := parseDuration(m.value())
	if !ok {
		write := ""
		if d, ok = lenientDuration(m.value()); ok {
			write = "DURATION:" + d.String()
		}
		message := "The duration does not have the form of RFC 5545, such as PT1H30M. Correct the duration."
		m.advice = append(m.advice, Advice{Line: m.number, Text: m.textLine.text, Rule: lineSyntax.ID, Message: message})
		r.advise(m, write)
		if !ok {
			return
		}
	}
	c := newConverter(r.Start)
	period := Period{Start: Value{Local, r.Start.clock}, Length: d}
	r.Start = r.Start.Until(time.Unix(c.periodEnd(period, r.Start.unix, &c.local), r.Start.fraction))
}

// advise adds the advice to replace a line with the given text, unless the line already is that text.
func (r *reader) advise(m *fixedLine, write string) {
	for _, a := range m.advice {
		if a.Write = write; write != a.Text {
			r.Advice = append(r.Advice, a)
		}
	}
}

// readLines converts the recurrence lines to the form that the start requires.
func (r *reader) readLines() {
	var lines []*fixedLine
	for i := range r.parsed {
		m := &r.parsed[i]
		name := m.name()
		if name == "DTSTART" || name == "DTEND" || name == "DURATION" || m.rejected {
			continue
		}
		if m.line.text != "" {
			m.write = r.inForm(m)
		}
		lines = append(lines, m)
	}
	r.excludeTimes(lines)
	for _, m := range lines {
		if m.write != "" {
			r.Lines = append(r.Lines, m.write)
		}
		r.advise(m, m.write)
	}
}

// inForm returns a line in the form that the start requires.
func (r *reader) inForm(m *fixedLine) string {
	text := inCapitals(&m.line)
	in := &input{start: r.Start, lines: []line{m.line}}
	var report engine.Collector
	engine.Run([]*diag.Rule{&ruleCountUntil, &ruleUntilForm, &ruleByPart, &ruleTimePart, &datesStartForm}, diag.Insert, in, &report, "")
	for _, f := range report.Findings {
		m.advice = append(m.advice, Advice{Line: m.number, Text: m.textLine.text, Rule: f.Rule.ID, Message: withoutPlace(f)})
	}
	switch {
	case len(report.Findings) == 0:
		return text
	case m.rule != nil:
		return r.ruleInForm(&m.line, text)
	}
	r.datesInForm(m)
	return m.line.String()
}

// excludeTimes replaces dates in the EXDATE lines of a timed series with the times of the instances on those dates. A date
// without an instance becomes the same date at the start's time of day.
func (r *reader) excludeTimes(lines []*fixedLine) {
	isOfDays := func(m *fixedLine) bool {
		return m.kind == exdateLine && m.write != "" && r.Start.isTimed() && m.dates.hasDates()
	}
	var others []string
	for _, m := range lines {
		if m.write != "" && m.kind != exdateLine {
			others = append(others, m.write)
		}
	}
	if !slices.ContainsFunc(lines, isOfDays) {
		return
	}
	set, err := Parse(others)
	if err != nil {
		return // finish reports the error after parsing all lines
	}
	series, err := set.Compile(r.Start)
	if err != nil {
		return
	}
	for _, m := range lines {
		if isOfDays(m) {
			m.dates.Values = r.timesOn(series, m.dates.Values)
			r.inZoneOfStart(m.dates)
			m.write = m.line.String()
		}
	}
}

// maxPerDay is the maximum number of times that excludeTimes writes for one date. If a day has more instances, the dates in
// the EXDATE line are kept.
const maxPerDay = 96

// timesOn returns the local times of the instances on the given days.
func (r *reader) timesOn(series *Series, days []Value) (times []Value) {
	_, second := civil.Split(r.Start.clock)
	for _, day := range days {
		in := r.Start.zone.Location
		next := Value{Date, day.Clock + civil.SecondsPerDay}
		var ofDay []Value
		for at, err := range series.Between(day.Time(in), next.Time(in)) {
			if err != nil || len(ofDay) == maxPerDay {
				return days
			}
			ofDay = append(ofDay, LocalValue(at))
		}
		if ofDay == nil {
			ofDay = []Value{{Local, day.Clock + second}}
		}
		times = append(times, ofDay...)
	}
	return times
}

// ruleInForm returns a rule in a form that is valid with the start, without BYDAY ordinals that RFC 5545 forbids and, if the
// start is a date, without times of day. If a rule has both COUNT and UNTIL, ruleInForm keeps only the end that comes first.
func (r *reader) ruleInForm(l *line, text string) string {
	rule := l.rule.clone()
	if r.Start.AllDay() && !rule.Freq.SubDaily() && max(len(rule.ByHour), len(rule.ByMinute), len(rule.BySecond)) <= 1 {
		rule.ByHour, rule.ByMinute, rule.BySecond = nil, nil, nil
	}
	if rule.Freq == Weekly && rule.Interval <= 1 && len(rule.ByMonthDay) > 0 { // libraries expand such a rule like this
		rule.Freq = Daily
	}
	if rule.choosesAlone() {
		rule.BySetPos = nil
	}
	if rule.Freq <= Weekly || len(rule.ByWeekNo) > 0 && rule.Freq == Yearly {
		rule.ByDay = withoutNumbers(rule.ByDay)
	}
	if !r.Start.IsZero() && rule.Until.Form != 0 {
		rule.Until = r.Start.untilInForm(rule.Until)
		r.chooseEnd(rule)
	}
	until := rule.Until
	rule.Until = l.rule.Until
	if hasUntil := until.Form != 0; hasUntil == (rule.Until.Form != 0) && rule.String() == l.rule.String() {
		return strings.Replace(text, "UNTIL="+l.rule.Until.String(), "UNTIL="+until.String(), 1)
	}
	rule.Until = until
	return lineNames[l.kind] + ":" + rule.String()
}

// choosesAlone reports whether BYSETPOS selects the only instance in each period, because the rule has no other BY parts.
func (r *Rule) choosesAlone() bool {
	plain := *r
	plain.BySetPos = nil
	return !plain.hasLimits() && (slices.Equal(r.BySetPos, []int{1}) || slices.Equal(r.BySetPos, []int{-1}))
}

func withoutNumbers(days []ByDay) (plain []ByDay) {
	for _, d := range days {
		if d.N = 0; !slices.Contains(plain, d) {
			plain = append(plain, d)
		}
	}
	return plain
}

// chooseEnd removes either COUNT or UNTIL from a rule that has both, keeping the end that comes first.
func (r *reader) chooseEnd(rule *Rule) {
	counted := rule.clone()
	counted.Until = Value{}
	series, err := (&Set{Rules: []*Rule{counted}}).Compile(r.Start)
	if rule.Count == 0 || err != nil {
		return
	}
	last, _, err := series.Last()
	if err != nil {
		return
	}
	if last.Unix() <= rule.Until.Clock { // UNTIL is a date, or a time in UTC
		rule.Until = Value{}
	} else {
		rule.Count = 0
	}
}

// inCapitals returns the line in upper case, except for zone names.
func inCapitals(l *line) string {
	upper := strings.ToUpper(l.text)
	if l.kind.isRule() {
		return upper
	}
	head, value, _ := strings.Cut(l.text, ":")
	_, upperValue, _ := strings.Cut(upper, ":")
	if name := head[:tokenLength(head)]; name != strings.ToUpper(name) || value != upperValue {
		return l.String()
	}
	return l.text
}

// datesInForm converts the values of a line to the value type of the start.
func (r *reader) datesInForm(m *fixedLine) {
	d := m.dates
	switch {
	case r.Start.AllDay():
		for _, p := range d.Periods {
			d.Values = append(d.Values, p.Start)
		}
		for i, v := range d.Values {
			d.Values[i] = r.Start.untilInForm(v)
		}
		d.Periods, d.TZID = nil, ""
	case m.kind == rdateLine:
		for i, v := range d.Values {
			_, second := civil.Split(r.Start.clock)
			d.Values[i] = Value{Local, v.Clock + second}
		}
		r.inZoneOfStart(d)
	}
}

// inZoneOfStart sets the TZID of local times to the zone of the start, or converts them to UTC if that zone is UTC.
func (r *reader) inZoneOfStart(d *Dates) {
	if d.hasDates() {
		return
	}
	if d.TZID = r.Start.Time().Location().String(); d.TZID != "UTC" {
		return
	}
	d.TZID = ""
	for i := range d.Values {
		d.Values[i].Form = UTC
	}
}

// finish parses the corrected lines and returns the Reading.
func (r *reader) finish() (*Reading, error) {
	r.Advice = append(r.Advice, r.replaced...)
	slices.SortStableFunc(r.Advice, func(a, b Advice) int { return a.Line - b.Line })
	set, err := Parse(r.Lines)
	if err != nil {
		return nil, err
	}
	r.Set = set
	if r.Start.IsZero() {
		for _, text := range r.Lines {
			var l line
			l.parse(text)
			if refused := applyLineRules([]line{l}, r.Start).OfKind(diag.Reject); len(refused) > 0 {
				return nil, &InvalidError{Line: text, Rule: refused[0].Rule.ID, Message: withoutPlace(refused[0])}
			}
		}
		return &r.Reading, nil
	}
	if _, err := set.Compile(r.Start); err != nil {
		return nil, err
	}
	return &r.Reading, nil
}
