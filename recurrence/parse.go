package recurrence

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
)

// SyntaxError is one place where a line breaks the grammar of RFC 5545, or has a value that the
// grammar does not allow.
type SyntaxError struct {
	Line    int    // the index of the line
	Offset  int    // in bytes from the start of the line, or -1 for the line as a whole
	Rule    string // the id of the rule that it breaks
	Message string // a sentence for people, without the position
}

// Error returns the position and the message. In it, lines and bytes are counted from 1.
func (e *SyntaxError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("line %d: %s", e.Line+1, e.Message)
	}
	return fmt.Sprintf("line %d, byte %d: %s", e.Line+1, e.Offset+1, e.Message)
}

// Parse reads the lines of an event's recurrence field, such as "RRULE:FREQ=WEEKLY;BYDAY=MO".
// It checks only the grammar: [Set.Compile] and [Lines.Check] check what the parts mean together and with a
// start. Names are matched without regard to case (RFC 5545 section 2). The error joins a
// [*SyntaxError] for each problem, up to a few dozen per line, and the set is then nil (see
// [errors.Join]). Without lines, the set is empty.
func Parse(lines []string) (*Set, error) {
	set := &Set{}
	var errs []error
	for i, text := range lines {
		var l line
		l.parse(text)
		for _, f := range l.faults {
			if f.kind == diag.Reject {
				errs = append(errs, f.syntaxError(i, text))
			}
		}
		set.add(&l)
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	return set, nil
}

// syntaxError returns a fault of line i as an error.
func (f fault) syntaxError(i int, line string) *SyntaxError {
	said := diag.Finding{Rule: f.rule, Key: f.key, Args: f.arguments(line)}
	return &SyntaxError{Line: i, Offset: f.offset, Rule: f.rule.ID, Message: withoutPlace(said)}
}

type lineKind uint8

const (
	otherLine lineKind = iota
	rruleLine
	exruleLine
	rdateLine
	exdateLine
	dtstartLine
	dtendLine
)

var lineNames = [...]string{"", "RRULE", "EXRULE", "RDATE", "EXDATE", "DTSTART", "DTEND"}

func (k lineKind) isRule() bool { return k == rruleLine || k == exruleLine }

// line is one line and what was read of it. Its rule or its dates are nil if the line is not
// readable at all, and incomplete if it has faults.
type line struct {
	text     string
	kind     lineKind
	rule     *Rule
	parts    partSet // the parts that the rule names, readable or not
	dates    *Dates
	faults   []fault // what cannot be read, in the order of the text
	rejected bool    // by a fault or by a rule

	// The rule and the dates of an earlier text, whose memory can be used again.
	oldRule  *Rule
	oldDates *Dates

	zone    string // the name of the zone of the start, or ""; most lines name no other
	dialect diag.Dialect
}

// clear forgets the text, but keeps the memory.
func (l *line) clear() {
	if l.rule != nil {
		l.rule.clear()
		l.oldRule = l.rule
	}
	if l.dates != nil {
		l.dates.clear()
		l.oldDates = l.dates
	}
	l.text, l.kind, l.rule, l.parts, l.dates, l.faults, l.rejected = "", otherLine, nil, 0, nil, nil, false
}

// newRule gives the line an empty rule.
func (l *line) newRule() {
	if l.rule = l.oldRule; l.rule == nil {
		l.rule = new(Rule)
	}
	l.rule.WeekStart = time.Monday
}

// newDates gives the line empty dates.
func (l *line) newDates(zone string) {
	if l.dates = l.oldDates; l.dates == nil {
		l.dates = new(Dates)
	}
	l.dates.TZID = zone
}

// parse reads a content line (RFC 5545 section 3.1) that is not folded.
func (l *line) parse(s string) {
	if n := l.parseName(s); n > 0 && l.checkEnds(s) {
		l.parseAfterName(s, n)
	}
	if l.isFull() {
		l.rule, l.dates, l.oldRule, l.oldDates = nil, nil, nil, nil // what they say together is not of interest
	}
}

func (l *line) parseAfterName(s string, n int) {
	at, p, ok := l.parseParams(s, n)
	switch {
	case !ok:
	case at == len(s):
		l.reject(&lineSyntax, at, "no-value")
	case l.kind.isRule():
		l.parseRule(s, at)
	default:
		l.parseDates(s, at, p)
	}
}

func indexFold(names []string, name string) int {
	for i, n := range names {
		if len(n) == len(name) && equalFold(n, name) {
			return i
		}
	}
	return -1
}

// equalFold reports whether a text is the name, ignoring case. A name has only hyphens and ASCII capital letters, which
// differ from the small ones in one bit.
func equalFold(name, text string) bool {
	if len(name) != len(text) {
		return false
	}
	for i := range len(name) {
		if text[i] != name[i] && text[i] != name[i]|0x20 {
			return false
		}
	}
	return true
}

// String returns the line in canonical spelling.
func (l *line) String() string {
	name := lineNames[l.kind]
	switch {
	case l.rule != nil:
		return name + ":" + l.rule.String()
	case l.dates != nil:
		return name + l.dates.String()
	}
	return name + ":"
}

// parseDates reads the values of an RDATE or EXDATE, from byte i on.
func (l *line) parseDates(s string, i int, p params) {
	want, ok := l.parseValueType(p.value)
	zone := strings.TrimPrefix(p.tzid.text, "/") // a name in a registry for all (RFC 5545 section 3.2.19)
	if !ok || !l.checkTZID(p.tzid, zone, want) {
		return
	}
	l.newDates(zone)
	for at, text := range l.each(s[i:], i, ',') {
		if want == typePeriod {
			l.parsePeriodAt(text, at, p.tzid.given)
		} else {
			l.parseValueAt(text, at, want, p.tzid.given)
		}
	}
}

type valueType uint8

const (
	typeDateTime valueType = iota // also if there is no VALUE
	typeDate
	typePeriod
)

func (l *line) parseValueType(value param) (valueType, bool) {
	switch {
	case !value.given || equalFold("DATE-TIME", value.text):
		return typeDateTime, true
	case equalFold("DATE", value.text):
		return typeDate, true
	case equalFold("PERIOD", value.text) && l.kind == rdateLine:
		return typePeriod, true
	case equalFold("PERIOD", value.text):
		l.reject(&datesForm, value.offset, "period")
	default:
		l.reject(&datesForm, value.offset, "type", diag.Value("text", value.text))
	}
	return 0, false
}

func (l *line) checkTZID(tzid param, zone string, want valueType) bool {
	switch {
	case tzid.given && want == typeDate:
		l.reject(&datesForm, tzid.offset, "zone-of-date")
	case tzid.given && !l.isZone(zone):
		return l.checkWindowsZone(tzid, zone)
	default:
		return true
	}
	return false
}

func (l *line) isZone(name string) bool { return name != "" && name == l.zone || form.IsZone(name) }

// checkWindowsZone reports a TZID that is not a name of the IANA database, and returns whether it is one of Windows.
func (l *line) checkWindowsZone(tzid param, zone string) bool {
	text := diag.Value("text", tzid.text)
	if counterpart, ok := form.WindowsZone(zone); ok {
		l.advise(&datesZone, tzid.offset, "windows", text, diag.Name("suggestion", counterpart))
		return true
	}
	if near, ok := form.NearestZone(zone); ok {
		l.reject(&datesZone, tzid.offset, "zone", text, wording.Also("did-you-mean"), diag.Name("suggestion", near))
	} else {
		l.reject(&datesZone, tzid.offset, "zone", text)
	}
	return false
}

// parseValueAt reads one DATE or DATE-TIME, at byte i of its line.
func (l *line) parseValueAt(text string, i int, want valueType, zoned bool) {
	v, problem := parseValue(text)
	switch {
	case problem != "" && l.kind == rdateLine && isPeriod(text):
		problem = "is-period"
	case problem != "":
	case want == typeDate && v.Form != Date:
		problem = "has-time"
	case want == typeDateTime && v.Form == Date:
		problem = "is-date"
	case zoned && v.Form == UTC:
		problem = "utc"
	default:
		l.dates.Values = append(l.dates.Values, v)
		return
	}
	l.reject(&datesForm, i, problem, diag.Value("text", text))
}

// parsePeriodAt reads one PERIOD, at byte i of its line.
func (l *line) parsePeriodAt(text string, i int, zoned bool) {
	first, second, ok := strings.Cut(text, "/")
	p, problem := parsePeriod(first, second)
	switch {
	case !ok:
		problem = "not-period"
	case problem != "":
	case zoned && p.Start.Form == UTC:
		problem = "period-utc"
	default:
		l.dates.Periods = append(l.dates.Periods, p)
		return
	}
	l.reject(&datesForm, i, problem, diag.Value("text", text))
}

// isPeriod reports whether a text is a PERIOD.
func isPeriod(text string) bool {
	first, second, _ := strings.Cut(text, "/")
	_, problem := parsePeriod(first, second)
	return problem == ""
}

// parsePeriod reads the two halves of a PERIOD. If it cannot, problem is the key of the reason in the
// sentences of [datesForm].
func parsePeriod(first, second string) (p Period, problem string) {
	const noEnd, notAfter = "period-end", "period-order"
	if p.Start, problem = parseValue(first); problem != "" || p.Start.Form == Date {
		return p, "period-start"
	}
	if len(second) > 0 && second[0]-'0' <= 9 {
		p.End, problem = parseValue(second)
		switch {
		case problem != "" || p.End.Form == Date:
			return p, noEnd
		case p.End.Form != p.Start.Form:
			return p, "period-forms"
		case p.End.Clock <= p.Start.Clock:
			return p, notAfter
		}
		return p, ""
	}
	length, ok := parseDuration(second)
	switch {
	case !ok:
		return p, noEnd
	case length == Duration{}:
		return p, notAfter
	}
	p.Length = length
	return p, ""
}

// parseName reads the name, and returns its length, or 0 if the line cannot go on.
func (l *line) parseName(s string) int {
	n := tokenLength(s)
	l.text, l.kind = s, lineKind(max(indexFold(lineNames[:], s[:n]), 0))
	switch {
	case s == "":
		l.reject(&lineSyntax, 0, "empty")
	case n == 0:
		l.reject(&lineSyntax, 0, "no-name", diag.Value("character", s[:1]))
	case l.kind == otherLine && n < len(s) && s[n] == '=' && partOf(s[:n]) != partOther:
		l.reject(&lineName, 0, "bare-rule", diag.Value("suggestion", "RRULE:"+s))
		if l.checkEnds(s) {
			l.parseRule(s, 0)
		}
	case l.kind == otherLine:
		l.reject(&lineName, 0, "other", diag.Value("name", s[:n]))
	case l.kind >= dtstartLine:
		l.reject(&lineDTStart, 0, "not-allowed", wording.Text("name", lineNames[l.kind]))
	case n == len(s):
		l.reject(&lineSyntax, n, "no-colon")
	default:
		return n
	}
	return 0
}

// checkEnds rejects line breaks, other control characters, and a blank at the end.
func (l *line) checkEnds(s string) bool {
	for i := controlFreeLength(s); i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			l.rejectControl(i)
			return false
		}
	}
	if last := s[len(s)-1]; last == ' ' || last == '\t' {
		l.reject(&lineSyntax, len(s)-1, "blank")
		return false
	}
	return true
}

// controlFreeLength returns the length of a beginning of the text that has no control characters, not even tabs. It
// looks at eight bytes at once, and does not look at the last seven.
func controlFreeLength(s string) int {
	const (
		each  = ^uint64(0) / 0xff // 1 in each byte
		high  = each << 7
		blank = each * ' '
		del   = each * 0x7f
	)
	n := 0
	for ; n+8 <= len(s); n += 8 {
		b := s[n : n+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		isBelowBlank, isDel := (w-blank)&^w, ((w^del)-each)&^(w^del)
		if (isBelowBlank|isDel)&high != 0 {
			break
		}
	}
	return n
}

// rejectControl rejects the control character at byte i, which is often part of a line break.
func (l *line) rejectControl(i int) {
	s := l.text[i:]
	after := strings.TrimPrefix(s, "\r")
	switch {
	case s[0] != '\r' && s[0] != '\n':
		l.reject(&lineSyntax, i, "control", wording.Text("character", fmt.Sprintf("U+%04X", s[0])))
	case strings.HasPrefix(after, "\n ") || strings.HasPrefix(after, "\n\t"):
		l.reject(&lineSyntax, i, "folded")
	default:
		l.reject(&lineSyntax, i, "line-break")
	}
}

type param struct {
	text   string
	offset int
	given  bool
}

type params struct{ tzid, value param }

// parseParams reads the parameters, from byte i on, and the colon. The value begins at at.
func (l *line) parseParams(s string, i int) (at int, p params, ok bool) {
	for i < len(s) && s[i] == ';' {
		name := i + 1
		n := tokenLength(s[name:])
		i = name + n
		if n == 0 || i == len(s) || s[i] != '=' {
			l.reject(&lineSyntax, name, "parameter")
			return 0, p, false
		}
		text, end, ok := paramValue(s, i+1)
		if !ok {
			l.reject(&lineSyntax, i+1, "quote", diag.Value("name", s[name:i]))
			return 0, p, false
		}
		if !l.setParam(&p, s[name:i], text, name) {
			return 0, p, false
		}
		i = end
	}
	if i == len(s) || s[i] != ':' {
		l.reject(&lineSyntax, i, "after-parameters")
		return 0, p, false
	}
	return i + 1, p, true
}

// setParam sets one parameter. Any line may have parameters that this package does not read.
func (l *line) setParam(p *params, name, text string, at int) bool {
	to := &p.tzid
	switch {
	case equalFold("TZID", name):
	case equalFold("VALUE", name):
		to = &p.value
	default:
		return true
	}
	switch {
	case to.given:
		l.reject(&lineSyntax, at, "parameter-twice", diag.Plain("name", strings.ToUpper(name)))
		return false
	case l.kind.isRule() && to == &p.value && !equalFold("RECUR", text):
		l.reject(&lineSyntax, at, "rule-value", diag.Value("type", text))
	case l.kind.isRule() && to == &p.tzid:
		l.reject(&lineSyntax, at, "rule-zone")
	}
	*to = param{text, at, true}
	return true
}

// paramValue reads one or more parameter values with commas between them, from byte i on. It
// removes the quotes of a single value.
func paramValue(s string, i int) (text string, end int, ok bool) {
	for end = i; ; end++ {
		if end, ok = paramEnd(s, end); !ok {
			return "", end, false
		}
		if end == len(s) || s[end] != ',' {
			break
		}
	}
	text = s[i:end]
	if strings.HasPrefix(text, `"`) && strings.IndexByte(text[1:], '"') == len(text)-2 {
		text = text[1 : len(text)-1]
	}
	return text, end, true
}

// paramEnd returns the end of one parameter value, with or without quotes, from byte i on. A quote that is not closed, or
// that is elsewhere, is not ok.
func paramEnd(s string, i int) (end int, ok bool) {
	if i < len(s) && s[i] == '"' {
		n := strings.IndexByte(s[i+1:], '"')
		if n < 0 {
			return i, false
		}
		i += n + 2
	} else {
		for i < len(s) && s[i] != '"' && s[i] != ';' && s[i] != ':' && s[i] != ',' {
			i++
		}
	}
	return i, i == len(s) || s[i] != '"'
}

// tokenLength returns the length of the name that s begins with: letters, digits and hyphens
// (iana-token, RFC 5545 section 3.1).
func tokenLength(s string) int {
	for i := range len(s) {
		c := s[i]
		if letter := c | 0x20; letter-'a' > 25 && c-'0' > 9 && c != '-' {
			return i
		}
	}
	return len(s)
}

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

// emptyPart returns the key of the fault of an empty part at byte i.
func (l *line) emptyPart(i int) string {
	if i == len(l.text) {
		return "last-semicolon"
	}
	return "no-part"
}

func (l *line) parsePart(text string, i int) {
	name, value, ok := text, "", false
	if n := strings.IndexByte(text, '='); n >= 0 {
		name, value, ok = text[:n], text[n+1:], true
	}
	p := partOf(name)
	switch {
	case text == "":
		l.reject(&lineSyntax, i, l.emptyPart(i))
	case p == partOther && (name == "" || tokenLength(name) != len(name)):
		l.reject(&lineSyntax, i, "part", diag.Value("part", text))
	case !ok && l.parts.has(partByDay) && isWeekday(name):
		l.reject(&lineSyntax, i, "weekday", diag.Value("part", name))
	case !ok:
		l.reject(&lineSyntax, i, "part-value", diag.Value("part", name))
	case p == partOther && equalFold("TZID", name):
		l.reject(&rulePart, i, "zone-of-start")
	case p == partOther && isOtherLine(name):
		l.reject(&rulePart, i, "other-line", diag.Value("part", name))
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

// rejectMeant rejects a part of which it is known what is meant.
func (l *line) rejectMeant(name, value, meant string, i int) {
	l.reject(&rulePart, i, "meant", diag.Name("part", name), diag.Value("text", value), diag.Name("meant", meant))
}

func isWeekday(name string) bool {
	_, ok := parseOrdinalWeekday(name)
	return ok
}

func (l *line) parseExtension(name, value, text string, i int) {
	switch {
	case len(name) < 3 || name[0]|0x20 != 'x' || name[1] != '-':
		if meant, ok := mendName(name); ok && unknownPart(name) == "unknown" {
			l.rejectMeant(name, value, meant+"="+value, i)
			return
		}
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
			l.rejectUntil(value, problem, i)
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

func (l *line) rejectUntil(value, problem string, i int) {
	if meant, ok := mendDate(value); ok {
		l.rejectMeant("UNTIL", value, "UNTIL="+meant, i)
		return
	}
	l.reject(&rulePart, i, "until-"+problem, diag.Value("text", value))
}

func (l *line) parseFreq(value string, i int) {
	if f := indexFold(freqNames[:], value); f > 0 {
		l.rule.Freq = Freq(f)
		return
	}
	if meant, ok := mendFreq(value); ok {
		l.rejectMeant("FREQ", value, "FREQ="+meant, i)
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
			l.rejectNumber(p, text, i, allowed)
		case seen.add(n + 366):
			*list = append(*list, n)
		}
	}
}

func (l *line) rejectNumber(p part, text string, i int, allowed numberRange) {
	if meant, ok := mendNumber(p, text); ok {
		l.rejectMeant(partNames[p], text, partNames[p]+"="+meant, i)
		return
	}
	l.reject(&rulePart, i, allowed.fault(text), p.arg(), diag.Value("text", text), diag.Number("low", allowed.low), diag.Number("high", allowed.high))
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
			l.rejectWeekday(text, i)
		case seen.add((d.N+53)*7 + int(d.Day)):
			l.rule.ByDay = append(l.rule.ByDay, d)
		}
	}
}

func (l *line) rejectWeekday(text string, i int) {
	if meant, ok := mendWeekday(text); ok {
		l.rejectMeant("BYDAY", text, "BYDAY="+meant, i)
		return
	}
	l.reject(&rulePart, i, "byday", diag.Value("text", text))
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
