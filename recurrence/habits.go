package recurrence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/zone"
)

// A habit is a common way to write a line that the grammar forbids but [Read] accepts.
type habit struct {
	message string
	plain   func(text string) string // returns the line without the habit
}

// habits lists all habits in the order in which they are undone.
var habits = []habit{
	{"The property name appears twice. Keep one.", withoutSecondName},
	{"A TZID with a colon must be in quotation marks. Write the name of the zone in the IANA Time Zone Database.", withQuotedZone},
	{"A part without a value has no effect. Remove the part.", partsWith(withoutEmpty)},
	{"Numbers have only digits, without leading zeros.", partsWith(withPlainNumbers)},
	{"24:00 is 00:00 of the next day. Write that time.", withoutHour24},
	{"Commas separate the values of EXDATE, which cannot have periods. Write the starts.", withStartsToExclude},
}

// withoutHabits undoes the habits in a line, and returns the corrected line and a message for each habit found.
func withoutHabits(text string) (plain string, messages []string) {
	for _, h := range habits {
		if plain = h.plain(text); plain != text {
			messages = append(messages, h.message)
		}
		text = plain
	}
	return text, messages
}

func withoutSecondName(text string) string {
	if once := text[min(len(rruleName), len(text)):]; isPrefixFold(text, rruleName) && isPrefixFold(once, rruleName) && !isPrefixFold(once, rruleName+rruleName) {
		return once
	}
	return text
}

// withQuotedZone quotes a TZID that contains colons, such as tzone://Microsoft/Custom from Exchange servers.
func withQuotedZone(text string) string {
	before, rest, found := cutFold(text, tzidParam)
	if !found || strings.Contains(text, `"`) {
		return text
	}
	for end := 0; end < len(rest)-8; end++ {
		if rest[end] == ':' && strings.Trim(rest[end+1:end+9], "0123456789") == "" {
			if !strings.Contains(rest[:end], ":") {
				return text
			}
			return before + tzidParam + `"` + rest[:end] + `"` + rest[end:]
		}
	}
	return text
}

// partsWith returns a function that calls change for each part of a rule and drops the parts for which the result is empty.
func partsWith(change func(p part, name, value string) string) func(text string) string {
	return func(text string) string {
		head, value, isLine := strings.Cut(text, ":")
		if kind := head[:tokenLength(head)]; !isLine || !strings.EqualFold(kind, "RRULE") && !strings.EqualFold(kind, "EXRULE") {
			return text
		}
		var parts []string
		for p := range strings.SplitSeq(value, ";") {
			name, value, ok := strings.Cut(p, "=")
			if known := partOf(strings.TrimSpace(name)); !ok || known == partOther {
				parts = append(parts, p)
			} else if plain := change(known, name, value); plain != "" {
				parts = append(parts, plain)
			}
		}
		return head + ":" + strings.Join(parts, ";")
	}
}

// nothing lists the values with which programs mark a part as having no value.
var nothing = []string{"", "NULL", "UNDEFINED", "NONE", "NAN", "NIL"}

func withoutEmpty(p part, name, value string) string {
	if p != partFreq && slices.Contains(nothing, strings.ToUpper(strings.TrimSpace(value))) {
		return ""
	}
	return name + "=" + value
}

// withPlainNumbers rewrites numbers such as 3.0 and 010, and weekdays such as 0MO, as RFC 5545 requires.
func withPlainNumbers(p part, name, value string) string {
	list := strings.Split(value, ",")
	for i, v := range list {
		switch p {
		case partFreq, partUntil, partWkst:
		case partByDay:
			if len(v) == 3 && v[0] == '0' {
				list[i] = v[1:]
			}
		default:
			if whole := strings.TrimSuffix(v, ".0"); whole != v || len(v) > 2 && v[0] == '0' {
				if n, err := strconv.Atoi(whole); err == nil {
					list[i] = strconv.Itoa(n)
				}
			}
		}
	}
	return name + "=" + strings.Join(list, ",")
}

func withoutHour24(text string) string {
	var done strings.Builder
	for {
		before, after, found := cutFold(text, "T240000")
		day := before[max(len(before)-len("20260310"), 0):]
		t, err := time.Parse("20060102", day)
		if !found || err != nil {
			return done.String() + text
		}
		done.WriteString(strings.TrimSuffix(before, day) + t.AddDate(0, 0, 1).Format("20060102T000000"))
		text = after
	}
}

// withStartsToExclude separates EXDATE values with commas, and replaces periods with their start times.
func withStartsToExclude(text string) string {
	head, value, ok := strings.Cut(text, ":")
	if name := head[:tokenLength(head)]; !ok || !strings.EqualFold(name, "EXDATE") || strings.Trim(value, "0123456789TZPDHMS/,; tz") != "" {
		return text
	}
	value = strings.ReplaceAll(strings.TrimRight(value, "; "), ";", ",")
	list := strings.Split(value, ",")
	for i, v := range list {
		start, _, isPeriod := strings.Cut(v, "/")
		if list[i] = start; isPeriod {
			head = strings.Replace(head, ";VALUE=PERIOD", "", 1)
		}
	}
	return head + ":" + strings.Join(list, ",")
}

// plainText strips quotes, or the JSON or Python array syntax, from around a string.
func plainText(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		text = strings.TrimSpace(strings.ReplaceAll(text[1:len(text)-1], "\n", " "))
		for _, quote := range []string{`"`, "'"} {
			for _, between := range []string{quote + "," + quote, quote + ", " + quote} {
				text = strings.ReplaceAll(text, between, quote+"\n"+quote)
			}
		}
	}
	text = unquoted(text)
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, unquoted(line))
	}
	return strings.Join(lines, "\n")
}

// unquoted strips the quotes from around a string.
func unquoted(text string) string {
	trimmed := strings.TrimSpace(text)
	for _, quote := range []string{`"`, "'"} {
		if len(trimmed) > 1 && strings.HasPrefix(trimmed, quote) && strings.HasSuffix(trimmed, quote) {
			return trimmed[1 : len(trimmed)-1]
		}
	}
	return text
}

// zoneElsewhere returns the IANA zone for a zone name as other systems write it: in different case, with different
// separators, as an offset or as an unambiguous abbreviation.
func zoneElsewhere(name string) (zone string, ok bool) {
	if zone, ok = abbreviations[strings.ToUpper(name)]; ok {
		return zone, true
	}
	if zone, ok = zoneOfOffset(name); ok {
		return zone, true
	}
	plain := strings.NewReplacer("-", "/", `\`, "/", " ", "_").Replace(name)
	for known := range form.Zones() {
		if strings.EqualFold(known, plain) || strings.EqualFold(known, name) {
			return known, true
		}
	}
	return "", false
}

// abbreviations maps unambiguous zone names that are not in the IANA database to IANA zones.
var abbreviations = map[string]string{
	"TZONE://MICROSOFT/UTC": "UTC", "COORDINATED UNIVERSAL TIME": "UTC", "Z": "UTC", "PST": "America/Los_Angeles", "PDT": "America/Los_Angeles", "PT": "America/Los_Angeles",
	"EDT": "America/New_York", "ET": "America/New_York", "CDT": "America/Chicago", "CT": "America/Chicago", "MDT": "America/Denver", "MT": "America/Denver",
	"CEST": "Europe/Berlin", "EEST": "Europe/Helsinki", "AEST": "Australia/Sydney", "AEDT": "Australia/Sydney", "NZST": "Pacific/Auckland", "NZDT": "Pacific/Auckland",
	"JST": "Asia/Tokyo",
}

// zoneOfOffset returns a zone that has the given UTC offset all year, written like GMT+0200, UTC+11 or +02:00.
func zoneOfOffset(name string) (zone string, ok bool) {
	text := strings.ToUpper(strings.Trim(name, "()"))
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "GMT"), "UTC"))
	if len(text) < 2 || text[0] != '+' && text[0] != '-' {
		return "", false
	}
	digits := strings.ReplaceAll(text[1:], ":", "")
	if len(digits) < 3 {
		digits += "00"
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 {
		return "", false
	}
	seconds := n/100*3600 + n%100*60
	if text[0] == '-' {
		seconds = -seconds
	}
	return zoneWith(seconds, seconds)
}

// likely lists candidates for a zone that is described only by its offsets.
var likely = []string{
	"Europe/Berlin", "Europe/London", "Europe/Helsinki", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Anchorage",
	"America/Halifax", "America/St_Johns", "Australia/Sydney", "Australia/Adelaide", "Pacific/Auckland", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tehran",
	"Asia/Kabul", "Asia/Yangon", "Australia/Darwin",
}

// zoneWith returns a zone that has the given offsets, in seconds, in January and July.
func zoneWith(january, july int) (name string, ok bool) {
	const hour = 3600
	if january == july && january%hour == 0 {
		if january == 0 {
			return "UTC", true
		}
		name = fmt.Sprintf("Etc/GMT%+d", -january/hour) // in these names, positive offsets are west of Greenwich
		return name, form.IsZone(name)
	}
	for _, name := range likely {
		in, _ := zone.Load(name)
		_, winter := time.Date(2026, time.January, 15, 0, 0, 0, 0, in).Zone()
		_, summer := time.Date(2026, time.July, 15, 0, 0, 0, 0, in).Zone()
		if winter == january && summer == july {
			return name, true
		}
	}
	return "", false
}

// described contains the offsets from a VTIMEZONE component.
type described struct {
	standard, daylight string // the offsets as written
	month              string // the month in which daylight saving time begins
}

// read processes a property line of a STANDARD or DAYLIGHT component.
func (d *described) read(component, name, value string) {
	switch {
	case name == "TZOFFSETTO" && component == "STANDARD":
		d.standard = value
	case name == "TZOFFSETTO" && component == "DAYLIGHT":
		d.daylight = value
	case name == "RRULE" && component == "DAYLIGHT":
		if _, month, ok := strings.Cut(strings.ToUpper(value), "BYMONTH="); ok {
			d.month, _, _ = strings.Cut(month, ";")
		}
	case name == "DTSTART" && component == "DAYLIGHT" && d.month == "" && len(value) >= len("20260308"):
		d.month = value[len("2026"):len("202603")]
	}
}

// zone returns an IANA zone with the described offsets.
func (d *described) zone() (name string, ok bool) {
	standard, ok := offsetOf(d.standard)
	if !ok {
		return "", false
	}
	daylight, hasDaylight := offsetOf(d.daylight)
	month, err := strconv.Atoi(d.month)
	switch {
	case !hasDaylight:
		return zoneWith(standard, standard)
	case err != nil:
		return "", false
	case month <= int(time.June):
		return zoneWith(standard, daylight)
	default:
		return zoneWith(daylight, standard)
	}
}

// offsetOf parses an offset such as +0200 and returns it in seconds.
func offsetOf(text string) (seconds int, ok bool) {
	t, err := time.Parse("-0700", text)
	_, seconds = t.Zone()
	return seconds, err == nil
}

// lenientDuration parses a duration such as PT1H30S or P1W2D, whose combination of units the grammar does not allow.
func lenientDuration(text string) (d Duration, ok bool) {
	date, clock, _ := strings.Cut(strings.TrimPrefix(strings.ToUpper(strings.TrimPrefix(text, "+")), "P"), "T")
	for _, part := range []struct {
		text  *string
		unit  byte
		of    *int64
		times int64
	}{
		{&date, 'W', &d.Days, 7}, {&date, 'D', &d.Days, 1},
		{&clock, 'H', &d.Seconds, 3600}, {&clock, 'M', &d.Seconds, 60}, {&clock, 'S', &d.Seconds, 1},
	} {
		if n, is := cutUnit(part.text, part.unit); is {
			*part.of, ok = min(*part.of+n*part.times, maxDuration), true
		}
	}
	return d, ok && date == "" && clock == ""
}
