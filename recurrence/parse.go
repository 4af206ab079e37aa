package recurrence

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
)

// A SyntaxError describes one place at which a line violates the grammar of RFC 5545 or has a value that the grammar does
// not allow.
type SyntaxError struct {
	Line    int    // the index of the line
	Offset  int    // in bytes from the start of the line, or -1 if the error concerns the whole line
	Rule    string // the id of the rule that the line breaks
	Message string // human-readable; does not include the position
}

// Error returns a string with the position and the message. Lines and bytes are counted from 1.
func (e *SyntaxError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("line %d: %s", e.Line+1, e.Message)
	}
	return fmt.Sprintf("line %d, byte %d: %s", e.Line+1, e.Offset+1, e.Message)
}

// Parse parses the lines of an event's recurrence field, such as "RRULE:FREQ=WEEKLY;BYDAY=MO". Parse checks only the
// grammar; [Set.Compile] and [Lines.Check] also check that the parts are valid together and with a start. Names are not
// case-sensitive (RFC 5545 section 2). If there are errors, the set is nil and the error joins a [*SyntaxError] for
// each problem, up to a few dozen per line (see [errors.Join]). If there are no lines, the set is empty.
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

// syntaxError converts a fault in line i to an error.
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

// A line is a parsed recurrence line. If the line cannot be parsed, its rule and dates are nil; if the line has faults, the
// rule and dates are incomplete.
type line struct {
	text     string
	kind     lineKind
	rule     *Rule
	parts    partSet // the parts that appear in the rule, valid or not
	params   params
	dates    *Dates
	faults   []fault // in the order in which they appear in the line
	rejected bool    // whether a fault or a rule rejects the line

	// The rule and the dates of a previously parsed line, whose memory can be reused.
	oldRule  *Rule
	oldDates *Dates

	zone    string // the name of the start's zone, or ""; most lines name no other zone
	dialect diag.Dialect
}

// clear resets the line, but keeps the memory of its rule and dates for reuse.
func (l *line) clear() {
	if l.rule != nil {
		l.rule.clear()
		l.oldRule = l.rule
	}
	if l.dates != nil {
		l.dates.clear()
		l.oldDates = l.dates
	}
	l.text, l.kind, l.rule, l.parts, l.params, l.dates, l.faults, l.rejected = "", otherLine, nil, 0, params{}, nil, nil, false
}

// newRule sets the line's rule to an empty rule.
func (l *line) newRule() {
	if l.rule = l.oldRule; l.rule == nil {
		l.rule = new(Rule)
	}
	l.rule.WeekStart = time.Monday
}

// newDates sets the line's dates to an empty list in the given zone.
func (l *line) newDates(zone string) {
	if l.dates = l.oldDates; l.dates == nil {
		l.dates = new(Dates)
	}
	l.dates.TZID = zone
}

// parse parses an unfolded content line (RFC 5545 section 3.1).
func (l *line) parse(s string) {
	if n, ok := l.parseName(s); ok {
		if s, ok = l.checkEnds(s); ok {
			l.parseAfterName(s, n)
		}
	}
	if l.isFull() {
		l.rule, l.dates, l.oldRule, l.oldDates = nil, nil, nil, nil // the incomplete result is not needed
	}
}

// parseAfterName parses the rest of the line after a name of n bytes. If n is 0, the line is a rule without a name.
func (l *line) parseAfterName(s string, n int) {
	if n == 0 {
		l.parseRule(s, 0)
		return
	}
	at, p, ok := l.parseParams(s, n)
	l.params = p
	switch {
	case !ok:
	case at == len(s):
		l.rejectTo(remove(0, len(l.text)), &lineSyntax, at, "no-value")
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

// equalFold reports whether text equals the name, ignoring case. The name must consist of hyphens and ASCII capital
// letters, which differ from lowercase letters in one bit.
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

// String returns the line in its canonical spelling.
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

// parseDates parses the values of an RDATE or EXDATE, starting at byte i.
func (l *line) parseDates(s string, i int, p params) {
	want, ok := l.parseValueType(p.value)
	zone := strings.TrimPrefix(p.tzid.text, "/") // a leading slash marks a globally registered name (RFC 5545 section 3.2.19)
	if !ok || !l.checkTZID(p.tzid, zone, want) {
		return
	}
	l.newDates(zone)
	l.dates.Values = slices.Grow(l.dates.Values, strings.Count(s[i:], ",")+1)
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
	typeDateTime valueType = iota // the default if there is no VALUE parameter
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
		l.rejectTo(tzid.remove(), &datesForm, tzid.offset, "zone-of-date")
	case tzid.given && !l.isZone(zone):
		return l.checkWindowsZone(tzid, zone)
	default:
		return true
	}
	return false
}

func (l *line) isZone(name string) bool { return name != "" && name == l.zone || form.IsZone(name) }

// checkWindowsZone adds a fault for a TZID that is not an IANA name, and reports whether the TZID is a Windows name.
func (l *line) checkWindowsZone(tzid param, zone string) bool {
	text := diag.Value("text", tzid.text)
	if counterpart, ok := form.WindowsZone(zone); ok {
		l.advise(tzid.replace("TZID="+counterpart), &datesZone, tzid.offset, "windows", text, diag.Name("suggestion", counterpart))
		return true
	}
	if other, ok := zoneMeant(zone); ok {
		l.rejectTo(tzid.replace("TZID="+other), &datesZone, tzid.offset, "zone-meant", text, diag.Name("suggestion", other))
	} else if near, ok := form.NearestZone(zone); ok {
		l.reject(&datesZone, tzid.offset, "zone", text, wording.Also("did-you-mean"), diag.Name("suggestion", near))
	} else {
		l.reject(&datesZone, tzid.offset, "zone", text)
	}
	return false
}

// parseValueAt parses one DATE or DATE-TIME, at byte i of its line.
func (l *line) parseValueAt(text string, i int, want valueType, zoned bool) {
	v, problem := parseValue(text)
	var m *fix
	switch {
	case problem == "" && (v.Form == Date) == (want == typeDate) && !(zoned && v.Form == UTC):
		l.dates.Values = append(l.dates.Values, v)
		return
	case problem != "" && l.kind == rdateLine && isPeriod(text):
		problem, m = "is-period", l.typeOfValues("PERIOD")
	case text == "":
		m = l.removeValue(i)
	case problem != "":
		if value, ok := valueOf(text); ok {
			l.rejectTo(replace(i, i+len(text), value), &datesForm, i, "other-form", diag.Value("text", text), meant(value))
			return
		}
	case want == typeDate && v.Form != Date:
		problem, m = "has-time", l.fixTimeOfDate(v, i)
	case want == typeDateTime && v.Form == Date:
		problem, m = "is-date", l.typeOfValues("DATE")
	default:
		problem, m = "utc", replace(i, i+len(text), LocalValue(v.Time(l.dates.location())).String())
	}
	l.rejectTo(m, &datesForm, i, problem, diag.Value("text", text))
}

// parsePeriodAt parses one PERIOD, at byte i of its line.
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

// isPeriod reports whether a string is a valid PERIOD.
func isPeriod(text string) bool {
	first, second, _ := strings.Cut(text, "/")
	_, problem := parsePeriod(first, second)
	return problem == ""
}

// parsePeriod parses the two halves of a PERIOD. If a half is invalid, problem is the key of the message of [datesForm] that
// states the reason.
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

// parseName parses the name of the line and returns its length, or 0 for a rule without a name. The result ok is false if the
// rest of the line cannot be parsed.
func (l *line) parseName(s string) (n int, ok bool) {
	n = tokenLength(s)
	l.text, l.kind = s, lineKind(max(indexFold(lineNames[:], s[:n]), 0))
	switch {
	case s == "":
		l.reject(&lineSyntax, 0, "empty")
	case n == 0:
		_, size := utf8.DecodeRuneInString(s)
		l.reject(&lineSyntax, 0, "no-name", diag.Value("character", s[:size]))
	case n < len(s) && s[n] == '=' && (l.kind == otherLine && isPartName(s[:n]) || isRuleWithStart(s)):
		l.rejectTo(replace(0, 0, rruleName), &lineName, 0, "bare-rule", diag.Value("suggestion", rruleName+s))
		l.kind = rruleLine
		return 0, true
	case l.kind == otherLine:
		l.reject(&lineName, 0, "other", diag.Value("name", s[:n]))
	case l.kind >= dtstartLine:
		l.reject(&lineDTStart, 0, "not-allowed", wording.Text("name", lineNames[l.kind]))
	case n == len(s):
		l.rejectTo(remove(0, n), &lineSyntax, n, "no-colon")
	case l.lacksColon(s, n):
		l.rejectTo(replace(n, n+1, ":"), &lineSyntax, n, "colon", wording.Text("name", lineNames[l.kind]))
	default:
		return n, true
	}
	return 0, false
}

// isRuleWithStart reports whether a line is a rule without a name that begins with DTSTART, as older versions of rrule-go
// write rules.
func isRuleWithStart(s string) bool {
	return isPrefixFold(s, "DTSTART=") && strings.Contains(strings.ToUpper(s), ";FREQ=")
}

// lacksColon reports whether the name of n bytes is followed by a character other than a colon.
func (l *line) lacksColon(s string, n int) bool {
	value := s[n+1:]
	switch c := s[n]; {
	case c == '=' || c == ' ':
	case c == ';' && l.kind.isRule():
		name := value[:tokenLength(value)]
		return len(name) < len(value) && value[len(name)] == '=' && isPartName(name)
	default:
		return false
	}
	return value != "" && (!l.kind.isRule() || isPartName(value[:tokenLength(value)]))
}

// checkEnds rejects line breaks, other control characters, and trailing blanks, returns s without trailing blanks and line
// breaks, and reports whether the result is free of control characters.
func (l *line) checkEnds(s string) (text string, ok bool) {
	text = strings.TrimRight(s, " \t\r\n")
	for i := controlFreeLength(s); i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			l.rejectControl(i)
			return text, i >= len(text)
		}
	}
	if last := s[len(s)-1]; last == ' ' || last == '\t' {
		l.rejectTo(remove(len(text), len(s)), &lineSyntax, len(s)-1, "blank")
	}
	return text, true
}

// controlFreeLength returns the length of a prefix of s that contains no control characters, including tabs. The bytes are
// examined eight at a time, so the length is a multiple of eight.
func controlFreeLength(s string) int {
	const (
		each  = ^uint64(0) / 0xff // the value 1 in each byte
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
		l.reject(&lineSyntax, i, "control", diag.Plain("character", fmt.Sprintf("U+%04X", s[0])))
	case strings.HasPrefix(after, "\n ") || strings.HasPrefix(after, "\n\t"):
		l.reject(&lineSyntax, i, "folded")
	default:
		l.reject(&lineSyntax, i, "line-break")
	}
}

type param struct {
	text        string
	offset, end int
	given       bool
}

// remove returns a [fix] that removes the parameter and the semicolon before it.
func (p param) remove() *fix { return remove(p.offset-1, p.end) }

func (p param) replace(with string) *fix { return replace(p.offset, p.end, with) }

type params struct{ tzid, value param }

// parseParams parses the parameters that begin at byte i, and the colon. The result at is the offset of the value.
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
		if !l.setParam(&p, s[name:i], param{text, name, end, true}) {
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

// setParam sets one parameter, ignoring parameters other than TZID and VALUE, which any line may have.
func (l *line) setParam(p *params, name string, read param) bool {
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
		l.reject(&lineSyntax, read.offset, "parameter-twice", diag.Plain("name", strings.ToUpper(name)))
		return false
	case l.kind.isRule() && to == &p.value && !equalFold("RECUR", read.text):
		l.rejectTo(read.remove(), &lineSyntax, read.offset, "rule-value", diag.Value("type", read.text))
	case l.kind.isRule() && to == &p.tzid:
		l.rejectTo(read.remove(), &lineSyntax, read.offset, "rule-zone")
	}
	*to = read
	return true
}

// paramValue parses one or more comma-separated parameter values, starting at byte i. If there is only one value, it
// strips the quotes.
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

// paramEnd returns the end of the quoted or unquoted parameter value that begins at byte i. The result ok is false if a quote
// is unclosed or misplaced.
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

// tokenLength returns the length of the name at the start of s, which consists of letters, digits and hyphens
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

// fault returns the key of the message that explains why a string is not a number in the range.
func (r numberRange) fault(text string) string {
	number := text
	if r.signed {
		number = strings.TrimLeft(text, "+-")
	}
	switch {
	case text == "":
		return "empty-value"
	case !isDigits(number):
		return "number"
	case r.signed:
		return "signed-range"
	default:
		return "range"
	}
}

// isDigits reports whether a string consists of one or more digits.
func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// numbers returns the list for the values of a numeric BY part, and the range of the values.
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

// parseRule parses the value of an RRULE or EXRULE, starting at byte i, and continues after a part that it cannot parse.
func (l *line) parseRule(s string, i int) {
	l.newRule()
	for at, text := range l.each(s[i:], i, ';') {
		l.parsePart(text, at)
	}
	if !l.parts.has(partFreq) && !l.isFull() {
		l.reject(&rulePart, whole, "no-freq")
	}
}

// each splits s at the separator and yields each substring with its offset in the line, where i is the offset of s, and stops
// when [line.isFull] reports true.
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

// emptyPart returns the key of the message for an empty part that begins at byte i of the line.
func (l *line) emptyPart(i int) string {
	if i == len(l.text) {
		return "last-semicolon"
	}
	return "no-part"
}

func (l *line) parsePart(text string, i int) {
	name, value, ok := strings.Cut(text, "=")
	p := partOf(name)
	switch {
	case text == "":
		l.rejectTo(l.removePart(i, 0), &lineSyntax, i, l.emptyPart(i))
	case l.isFixed(i): // a parameter of a line that has already been reported
		return
	case p == partOther && l.rejectGlued(text, i):
		return
	case p == partOther && (name == "" || tokenLength(name) != len(name)):
		l.rejectPart(text, i)
		p = partOf(strings.TrimSpace(name))
	case !ok && l.rejectSeparator(text, i):
		return
	case !ok:
		l.reject(&lineSyntax, i, "part-value", diag.Value("part", name))
	case p == partOther:
		l.parseExtension(name, value, text, i)
	case l.parts.has(p):
		l.rejectTo(l.fixTwice(text, i), &rulePart, i, "twice", p.arg())
	case value == "":
		l.reject(&rulePart, i, "no-value", p.arg())
	default:
		l.parsePartValue(p, value, i+len(name)+1)
	}
	l.parts |= 1 << p // a part that cannot be parsed is not missing
}

func (l *line) parseExtension(name, value, text string, i int) {
	switch {
	case len(name) < 3 || name[0]|0x20 != 'x' || name[1] != '-':
		l.rejectUnknown(name, value, i)
	case value == "" || strings.Contains(value, "="):
		l.reject(&rulePart, i, "extension-value", diag.Value("part", name))
	case l.rule.hasExtra(name):
		l.rejectTo(l.fixTwice(text, i), &rulePart, i, "extension-twice", diag.Value("part", name))
	case len(l.rule.Extra) < maxFaults:
		l.rule.Extra = append(l.rule.Extra, text)
		l.advise(l.removePart(i, len(text)), &rulePart, i, "extension", diag.Value("part", name))
	}
}

// rejectUnknown rejects a part that RFC 5545 does not define.
func (l *line) rejectUnknown(name, value string, i int) {
	part := diag.Value("part", name)
	if p, ok := partNamesElsewhere[strings.ToUpper(name)]; ok {
		l.rejectTo(replace(i, i+len(name), partNames[p]), &rulePart, i, "other-name", part, meant(partNames[p]))
		l.parts |= 1 << p
		l.parsePartValue(p, value, i+len(name)+1)
		return
	}
	if equalFold("RSCALE", name) || equalFold("SKIP", name) {
		l.rejectTo(l.fixScale(name, value, i), &rulePart, i, "rfc-7529", part)
		return
	}
	l.reject(&rulePart, i, "unknown", part)
}

// rejectPart rejects a part whose name is invalid or has blanks around it.
func (l *line) rejectPart(text string, i int) {
	name, value, _ := strings.Cut(text, "=")
	compact := strings.TrimSpace(name) + "=" + strings.TrimSpace(value)
	if partOf(strings.TrimSpace(name)) == partOther {
		l.reject(&lineSyntax, i, "part", diag.Value("part", text))
		return
	}
	l.rejectTo(replace(i, i+len(text), compact), &lineSyntax, i, "blank-in-part", diag.Value("part", text), diag.Value("meant", compact))
}

// rejectSeparator rejects a semicolon that should be a comma because it is followed by a value that belongs to the
// preceding list.
func (l *line) rejectSeparator(text string, i int) bool {
	name := l.text[:max(strings.LastIndexByte(l.text[:i], '='), 0)]
	name = name[strings.LastIndexAny(name, ";:")+1:]
	if !isListed(partOf(name), text) {
		return false
	}
	l.rejectTo(replace(i-1, i, ","), &lineSyntax, i, "comma", diag.Value("part", text), diag.Plain("list", partNames[partOf(name)]))
	return true
}

// isListed reports whether a string is a valid list element for the part.
func isListed(p part, text string) (ok bool) {
	switch p {
	case partByDay:
		_, ok = parseOrdinalWeekday(text)
	case partBySecond, partByMinute, partByHour, partByMonthDay, partByYearDay, partByWeekNo, partByMonth, partBySetPos:
		_, allowed := new(Rule).numbers(p)
		_, ok = allowed.parse(text)
	}
	return ok
}

// rejectGlued rejects another line, or a parameter of a line, that appears as a rule part.
func (l *line) rejectGlued(text string, i int) bool {
	name := text[:tokenLength(text)]
	end := i + len(text)
	switch {
	case equalFold("TZID", name):
		l.rejectTo(l.removePart(i, len(text)), &rulePart, i, "part-zone")
		return true
	case max(indexFold(lineNames[:], name), 0) == 0:
		return false
	case len(name) == len(text): // the name is followed by parameters
		if params, value, ok := strings.Cut(l.text[end:], ":"); ok {
			value, _, _ = strings.Cut(value, ";")
			end += len(params) + len(":") + len(value)
		}
	}
	glued := l.text[i:end]
	own := name + glued[len(name):]
	if len(glued) > len(name) && (glued[len(name)] == '=' || glued[len(name)] == ' ') {
		own = name + ":" + glued[len(name)+1:]
	}
	m := l.removePart(i, len(glued))
	m.line = own
	key := "glued"
	if equalFold("DTSTART", name) || equalFold("DTEND", name) {
		key = "glued-time"
	}
	l.rejectTo(m, &rulePart, i, key, diag.Plain("name", strings.ToUpper(name)), diag.Value("line", own))
	return true
}

// hasExtra reports whether the rule contains a part with the given X-name, ignoring case.
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
		l.parseUntil(value, i)
	case partCount:
		l.rule.Count = l.parsePositive(p, value, i)
	case partInterval:
		l.rule.Interval = l.parsePositive(p, value, i)
	case partByDay:
		l.parseByDay(value, i)
	case partWkst:
		l.parseWeekStart(value, i)
	default:
		l.parseNumbers(p, value, i)
	}
}

func (l *line) parseFreq(value string, i int) {
	if f := indexFold(freqNames[:], value); f > 0 {
		l.rule.Freq = Freq(f)
		return
	}
	if !l.rejectComma(value, value, i) {
		word, ok := freqWords[strings.ToUpper(strings.TrimSpace(value))]
		l.rejectMeant(word, ok, "freq", value, i)
	}
}

// rejectMeant rejects a value with the message that has the given key or, if the intended value is known, with the
// message that suggests that value.
func (l *line) rejectMeant(write string, ok bool, key, text string, i int, args ...diag.Arg) {
	args = append(args, diag.Value("text", text))
	if !ok {
		l.reject(&rulePart, i, key, args...)
		return
	}
	l.rejectTo(replace(i, i+len(text), write), &rulePart, i, key+"-meant", append(args, meant(write))...)
}

// rejectComma rejects a value that contains another rule part, such as COUNT=2 in FREQ=DAILY,COUNT=2.
func (l *line) rejectComma(value, text string, i int) bool {
	for at := range text {
		if c := text[at]; c != ',' && c != ' ' && at > 0 {
			continue
		}
		rest := strings.TrimLeft(text[at:], ", ")
		if name := rest[:tokenLength(rest)]; len(name) < len(rest) && rest[len(name)] == '=' && partOf(name) != partOther {
			from := i + at
			if at == 0 {
				from -= len(l.text[:i]) - len(strings.TrimRight(l.text[:i], ", "))
			}
			to := i + len(text) - len(rest)
			l.rejectTo(replace(from, to, ";"), &rulePart, to, "semicolon", diag.Value("text", rest))
			l.parts |= 1 << partOf(name)
			return true
		}
	}
	return false
}

func (l *line) parseUntil(value string, i int) {
	v, problem := parseValue(value)
	if problem != "" && !l.rejectComma(value, value, i) {
		written, ok := valueOf(value)
		key := "until-" + problem
		if ok {
			key = "until"
		}
		l.rejectMeant(written, ok, key, value, i)
	}
	l.rule.Until = v
}

func (l *line) parseWeekStart(value string, i int) {
	day, ok := parseWeekday(value)
	if !ok {
		day, ok = weekdayNamed(strings.TrimSpace(value))
		l.rejectMeant(ByDay{Day: day}.String(), ok, "wkst", value, i)
		return
	}
	l.rule.WeekStart = day
}

// parsePositive parses COUNT or INTERVAL. A number that overflows an int64 becomes the largest int64, which has the same
// effect, because the calendar ends much earlier.
func (l *line) parsePositive(p part, value string, i int) int64 {
	text, negative := strings.CutPrefix(value, "-")
	if !isDigits(text) {
		if !l.rejectComma(value, value, i) {
			trimmed := strings.TrimSpace(value)
			l.rejectMeant(trimmed, isDigits(trimmed), "number", value, i, p.arg())
		}
		return 0
	}
	n, _ := strconv.ParseInt(text, 10, 64)
	if n == 0 || negative {
		l.rejectTo(l.fixBelow1(p, value, i), &ruleCountUntil, i, "below-1", p.arg(), diag.Value("text", value))
		return 0
	}
	return n
}

// parseNumbers parses the list of a BY part other than BYDAY, dropping repeated values.
func (l *line) parseNumbers(p part, s string, i int) {
	list, allowed := l.rule.numbers(p)
	var seen bitSet
	for i, text := range l.each(s, i, ',') {
		n, ok := allowed.parse(text)
		switch {
		case !ok:
			l.rejectNumber(p, allowed, text, i)
		case seen.add(n + 366):
			*list = append(*list, n)
		}
	}
}

// rejectNumber rejects a value in the list of a BY part other than BYDAY.
func (l *line) rejectNumber(p part, allowed numberRange, text string, i int) {
	if l.rejectComma(text, text, i) {
		return
	}
	if parts, ok := clockOf(text); ok && p == partByHour && l.isOnlyHour(i, len(text)) {
		m := replace(i-len("BYHOUR="), i+len(text), parts)
		l.rejectTo(m, &rulePart, i, "clock", diag.Value("text", text), meant(parts))
		return
	}
	if numbers, ok := allowed.numbersOf(p, text); ok {
		l.rejectMeant(numbers, true, "number", text, i, p.arg())
		return
	}
	key := allowed.fault(text)
	if key == "empty-value" {
		l.rejectTo(l.removeValue(i), &rulePart, i, key, p.arg())
		return
	}
	l.reject(&rulePart, i, key, p.arg(), diag.Value("text", text), diag.Number("low", allowed.low), diag.Number("high", allowed.high))
}

// isOnlyHour reports whether the value at byte i is the only value in BYHOUR and the rule has no BYMINUTE.
func (l *line) isOnlyHour(i, length int) bool {
	before, end := strings.ToUpper(l.text[:i]), i+length
	return strings.HasSuffix(before, "BYHOUR=") && !strings.Contains(strings.ToUpper(l.text), "BYMINUTE=") &&
		(end == len(l.text) || l.text[end] != ',')
}

// A bitSet is a set of small numbers. A bitSet is large enough for the range -366 to 366, and for seven weekdays with
// ordinals from -53 to 53.
type bitSet [12]uint64

// add adds a number to the set, and reports whether the number is new.
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
			l.rejectTo(l.removeValue(i), &rulePart, i, "empty-value", partByDay.arg())
		case !ok && !l.rejectComma(text, text, i):
			days, ok := weekdayOf(text)
			l.rejectMeant(days, ok, "byday", text, i)
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
