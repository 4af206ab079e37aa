package recurrence

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/recurrence/internal/civil"
)

// A fix is the correction of a fault: a replacement for some bytes of a line. [Read] corrects all faults at once; the
// fix of a finding corrects only the fault that the finding reports.
type fix struct {
	from, to int
	write    string
	line     string // the separate line to which the bytes belong, or ""
}

// remove returns a [fix] that removes a range of bytes.
func remove(from, to int) *fix { return &fix{from: from, to: to} }

// replace returns a [fix] that replaces a range of bytes.
func replace(from, to int, write string) *fix { return &fix{from: from, to: to, write: write} }

// removePart returns a [fix] that removes the rule part at byte i and one semicolon next to it.
func (l *line) removePart(i, length int) *fix {
	end := i + length
	switch {
	case i > 0 && l.text[i-1] == ';':
		return remove(i-1, end)
	case end < len(l.text) && l.text[end] == ';':
		return remove(i, end+1)
	default:
		return remove(i, end)
	}
}

// fixed returns the line with its faults corrected, and any content that belongs on separate lines. If two changes affect the
// same bytes, fixed applies only the first; a change that two faults require is applied once.
func (l *line) fixed() (text string, others []string) {
	changes := make([]*fix, 0, len(l.faults))
	for _, f := range l.faults {
		if f.fix != nil {
			changes = append(changes, f.fix)
		}
	}
	slices.SortStableFunc(changes, func(a, b *fix) int { return a.from - b.from })
	changes = slices.CompactFunc(changes, func(a, b *fix) bool { return *a == *b })
	var b strings.Builder
	at := 0
	for _, m := range changes {
		if m.from < at {
			continue
		}
		b.WriteString(l.text[at:m.from] + m.write)
		at = m.to
		if m.line != "" {
			others = append(others, m.line)
		}
	}
	b.WriteString(l.text[at:])
	return b.String(), others
}

// in returns text with the correction applied.
func (m *fix) in(text string) string { return text[:m.from] + m.write + text[m.to:] }

// meant returns the argument for the replacement that a sentence suggests.
func meant(write string) diag.Arg { return diag.Plain("meant", write) }

// partNamesElsewhere maps other libraries' names of rule parts to the parts.
var partNamesElsewhere = map[string]part{
	"BYWEEKDAY": partByDay, "BYDAYOFWEEK": partByDay, "BYDAYS": partByDay, "BYMONTHDAYS": partByMonthDay, "BYMONTHS": partByMonth,
	"BYWEEKNUMBER": partByWeekNo, "BYSETPOSITION": partBySetPos, "WEEKSTART": partWkst, "FREQUENCY": partFreq,
	"BYWEEK": partByWeekNo, "UNTILL": partUntil, "REPEAT": partCount, "OCCURRENCES": partCount,
}

// isPartName reports whether a string is the name of a rule part in RFC 5545 or in another system.
func isPartName(name string) bool {
	_, elsewhere := partNamesElsewhere[strings.ToUpper(name)]
	return elsewhere || partOf(name) != partOther
}

// freqWords maps words to frequencies, except ambiguous words such as BIMONTHLY.
var freqWords = map[string]string{
	"SECOND": "SECONDLY", "MINUTE": "MINUTELY", "HOUR": "HOURLY", "DAY": "DAILY", "WEEK": "WEEKLY", "MONTH": "MONTHLY", "YEAR": "YEARLY",
	"SECONDS": "SECONDLY", "MINUTES": "MINUTELY", "HOURS": "HOURLY", "DAYS": "DAILY", "WEEKS": "WEEKLY", "MONTHS": "MONTHLY", "YEARS": "YEARLY",
	"ANNUALLY": "YEARLY", "ANNUAL": "YEARLY",
	"BIWEEKLY": "WEEKLY;INTERVAL=2", "FORTNIGHTLY": "WEEKLY;INTERVAL=2", "QUARTERLY": "MONTHLY;INTERVAL=3", "EVERYDAY": "DAILY",
	"WEEKDAYS": "WEEKLY;BYDAY=MO,TU,WE,TH,FR", "WEEKDAY": "WEEKLY;BYDAY=MO,TU,WE,TH,FR",
}

// numberWords maps the ordinal words that can appear in lists to numbers.
var numberWords = map[string]int{"FIRST": 1, "SECOND": 2, "THIRD": 3, "FOURTH": 4, "FIFTH": 5, "LAST": -1}

// weekdayOf returns the BYDAY values for a string such as MON, LAST FR, MO2, MO(+1) or MO-FR.
func weekdayOf(text string) (values string, ok bool) {
	if first, last, isRange := strings.Cut(text, "-"); isRange {
		if values, ok = weekdayRange(first, last); ok {
			return values, true
		}
	}
	compact := strings.NewReplacer(" ", "", "(", "", ")", "", "_", "").Replace(strings.ToUpper(text))
	number, word := cutNumber(compact)
	if number == "" {
		letters := strings.TrimRight(word, "+-0123456789")
		word, number = letters, word[len(letters):]
	}
	day, ok := weekdayNamed(word)
	if !ok {
		return "", false
	}
	d := ByDay{Day: day}
	if number != "" {
		if d.N, ok = ordinals.word(number); !ok {
			return "", false
		}
	}
	return d.String(), true
}

// cutNumber cuts a number, or a word that represents a number, from the front of a string.
func cutNumber(text string) (number, rest string) {
	for word := range numberWords {
		if rest, ok := strings.CutPrefix(text, word); ok {
			return word, rest
		}
	}
	rest = strings.TrimLeft(text, "+-0123456789")
	number = text[:len(text)-len(rest)]
	if _, isDay := weekdayNamed(rest); number != "" && !isDay {
		for _, ending := range [...]string{"ST", "ND", "RD", "TH"} {
			if after, ok := strings.CutPrefix(rest, ending); ok {
				return number, after
			}
		}
	}
	return number, rest
}

func weekdayRange(first, last string) (values string, ok bool) {
	from, ok1 := weekdayNamed(strings.TrimSpace(first))
	to, ok2 := weekdayNamed(strings.TrimSpace(last))
	if !ok1 || !ok2 || from == to {
		return "", false
	}
	list := []string{weekdayNames[from]}
	for day := from; day != to; {
		day = (day + 1) % 7
		list = append(list, weekdayNames[day])
	}
	return strings.Join(list, ","), true
}

// weekdayNamed returns the weekday whose English name begins with a word of two letters or more.
func weekdayNamed(word string) (time.Weekday, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if len(word) >= 2 && isPrefixFold(day.String(), word) {
			return day, true
		}
	}
	return 0, false
}

// monthNamed returns the month whose English name begins with a word of three letters or more.
func monthNamed(word string) (time.Month, bool) {
	for month := time.January; month <= time.December; month++ {
		if len(word) >= 3 && isPrefixFold(month.String(), word) {
			return month, true
		}
	}
	return 0, false
}

func isPrefixFold(s, prefix string) bool {
	return len(prefix) <= len(s) && strings.EqualFold(s[:len(prefix)], prefix)
}

// numbersOf returns the values that a string such as LAST, 1-5, 1ST or MARCH represents in a part.
func (r numberRange) numbersOf(p part, text string) (values string, ok bool) {
	word := strings.ToUpper(strings.TrimSpace(text))
	if month, ok := monthNamed(word); ok && p == partByMonth {
		return strconv.Itoa(int(month)), true
	}
	if n, ok := r.word(word); ok {
		return strconv.Itoa(n), true
	}
	first, last, _ := strings.Cut(word, "-")
	from, ok1 := r.parse(strings.TrimSpace(first))
	to, ok2 := r.parse(strings.TrimSpace(last))
	if !ok1 || !ok2 || from >= to {
		return "", false
	}
	var list []string
	for n := from; n <= to; n++ {
		list = append(list, strconv.Itoa(n))
	}
	return strings.Join(list, ","), true
}

// word returns the number that a string such as 2, 2ND, SECOND or LAST represents, if the number is in the range.
func (r numberRange) word(text string) (n int, ok bool) {
	if n, ok := numberWords[text]; ok {
		return n, r.signed
	}
	for _, ending := range [...]string{"", "ST", "ND", "RD", "TH"} {
		if number, has := strings.CutSuffix(text, ending); has {
			if n, ok = r.parse(number); ok {
				return n, true
			}
		}
	}
	return 0, false
}

// valueOf returns the DATE or DATE-TIME for a string such as an ISO 8601 time with hyphens and colons, converting a time with
// an offset to UTC.
func valueOf(text string) (value string, ok bool) {
	word := strings.ToUpper(strings.Trim(text, " ;"))
	if v, problem := parseValue(word); problem == "" {
		return v.written()
	}
	if t, err := time.Parse("2006-01-02T15:04:05.999999999Z07:00", strings.Replace(word, " ", "T", 1)); err == nil {
		return UTCValue(t).written()
	}
	for _, layout := range [...]string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04",
		"20060102T1504", "20060102 150405"} {
		if t, err := time.Parse(layout, word); err == nil {
			return LocalValue(t).written()
		}
	}
	for _, layout := range [...]string{"20060102T150405Z07:00", "20060102T150405Z0700", "20060102T1504Z07:00"} {
		if t, err := time.Parse(layout, word); err == nil {
			return UTCValue(t).written()
		}
	}
	for _, layout := range [...]string{"2006-01-02", "2006/01/02"} {
		if t, err := time.Parse(layout, word); err == nil {
			return DateValue(t.Date()).written()
		}
	}
	return "", false
}

// written returns [Value.String] and reports whether RFC 5545 can express the value.
func (v Value) written() (string, bool) { return v.String(), v.valid() }

// clockOf returns the BYHOUR and BYMINUTE parts for a time of day such as 9:30.
func clockOf(text string) (parts string, ok bool) {
	t, err := time.Parse("15:04", strings.TrimSpace(text))
	return "BYHOUR=" + strconv.Itoa(t.Hour()) + ";BYMINUTE=" + strconv.Itoa(t.Minute()), err == nil
}

// isFixed reports whether the correction of the last fault changes byte i.
func (l *line) isFixed(i int) bool {
	if len(l.faults) == 0 {
		return false
	}
	m := l.faults[len(l.faults)-1].fix
	return m != nil && m.from < i && i < m.to
}

// fixTwice returns a [fix] that removes the part at byte i if the same part, with the same value, appears earlier in the
// line.
func (l *line) fixTwice(text string, i int) *fix {
	for _, sign := range [...]string{":", ";"} {
		if strings.Contains(l.text[:i], sign+text+";") {
			return l.removePart(i, len(text))
		}
	}
	return nil
}

// removeValue returns a [fix] that removes the empty value at byte i by removing a comma.
func (l *line) removeValue(i int) *fix {
	if i < len(l.text) && l.text[i] == ',' {
		return remove(i, i+1)
	}
	return remove(i-1, i)
}

// fixBelow1 returns a [fix] that removes a COUNT or INTERVAL below 1 if libraries that write the value use it for the
// default.
func (l *line) fixBelow1(p part, value string, i int) *fix {
	if p == partInterval && value == "0" || p == partCount && value == "-1" {
		name := len(partNames[p]) + 1
		return l.removePart(i-name, name+len(value))
	}
	return nil
}

// fixScale returns a [fix] that removes RSCALE or SKIP if the part has its default value, or nil otherwise.
func (l *line) fixScale(name, value string, i int) *fix {
	if strings.EqualFold(value, "GREGORIAN") || strings.EqualFold(value, "OMIT") {
		return l.removePart(i, len(name)+1+len(value))
	}
	return nil
}

// typeOfValues returns a [fix] that sets the VALUE parameter of the line to name.
func (l *line) typeOfValues(name string) *fix {
	if value := l.params.value; value.given {
		return value.replace("VALUE=" + name)
	}
	n := tokenLength(l.text)
	return replace(n, n, ";VALUE="+name)
}

// fixTimeOfDate returns a [fix] for a DATE-TIME at byte i of a line with VALUE=DATE. The correction converts midnight to a
// date; for any other time, it removes the VALUE parameter.
func (l *line) fixTimeOfDate(v Value, i int) *fix {
	if v.Clock%civil.SecondsPerDay == 0 {
		return remove(i+len("20260310"), i+len(v.String()))
	}
	return l.params.value.remove()
}

// zoneMeant returns the IANA zone for a zone file name, such as /citadel.org/20260311_1/America/New_York, or for a name
// that Outlook displays, such as (UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna.
func zoneMeant(name string) (zone string, ok bool) {
	if len(name) > maxZoneName {
		return "", false
	}
	for rest := name; ; {
		_, after, found := strings.Cut(rest, "/")
		if !found {
			break
		}
		if rest = after; strings.Contains(rest, "/") && form.IsZone(rest) {
			return rest, true
		}
	}
	if _, after, found := strings.Cut(name, ") "); found && strings.HasPrefix(name, "(") {
		name = after
	}
	if zone, ok = northAmerica[name]; ok {
		return zone, true
	}
	for city := range strings.SplitSeq(name, ", ") {
		city = "/" + strings.ReplaceAll(city, " ", "_")
		for zone := range form.Zones() {
			area, _, _ := strings.Cut(zone, "/")
			if strings.HasSuffix(zone, city) && area != "Canada" && area != "US" && area != "Etc" {
				return zone, true
			}
		}
	}
	return "", false
}

// maxZoneName is the maximum length of a name that zoneMeant accepts.
const maxZoneName = 100

// northAmerica maps the names that Outlook displays for North American time zones to IANA zones.
var northAmerica = map[string]string{
	"Eastern Time (US & Canada)": "America/New_York", "Central Time (US & Canada)": "America/Chicago",
	"Mountain Time (US & Canada)": "America/Denver", "Pacific Time (US & Canada)": "America/Los_Angeles",
}
