package recurrence

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/internal/form"
)

// The functions in this file know what people and programs write in place of what RFC 5545 has. The sentences about a line
// suggest it, and [Read] reads it.

// mendName returns the name of a rule part that a name means.
func mendName(name string) (string, bool) {
	switch upper := strings.ToUpper(name); upper {
	case "BYWEEKDAY", "BYDAYOFWEEK", "WEEKDAY", "DAYS", "DAY":
		return "BYDAY", true
	case "BYWEEKNUMBER", "BYWEEK":
		return "BYWEEKNO", true
	case "FREQUENCY":
		return "FREQ", true
	case "REPEAT", "OCCURRENCES":
		return "COUNT", true
	case "WEEKSTART":
		return "WKST", true
	default:
		near, ok := form.Nearest(upper, partNames[:])
		return near, ok && len(upper) > 3
	}
}

// mendFreq returns the parts of a rule that a frequency means.
func mendFreq(value string) (string, bool) {
	switch strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(value)) {
	case "BIWEEKLY", "FORTNIGHTLY":
		return "WEEKLY;INTERVAL=2", true
	case "QUARTERLY":
		return "MONTHLY;INTERVAL=3", true
	case "HALFYEARLY", "SEMIANNUALLY":
		return "MONTHLY;INTERVAL=6", true
	case "WEEKDAYS":
		return "WEEKLY;BYDAY=MO,TU,WE,TH,FR", true
	case "DAY", "DAYS", "EVERYDAY":
		return "DAILY", true
	case "WEEK", "WEEKS":
		return "WEEKLY", true
	case "MONTH", "MONTHS":
		return "MONTHLY", true
	case "YEAR", "YEARS", "ANNUALLY", "ANNUAL":
		return "YEARLY", true
	}
	if first, rest, ok := strings.Cut(value, ","); ok && strings.Contains(rest, "=") && indexFold(freqNames[:], first) > 0 {
		return first + ";" + strings.ReplaceAll(rest, ",", ";"), true
	}
	return form.Nearest(value, freqNames[1:])
}

// places are the words for the numbers of weekdays and days of the month.
var places = map[string]string{"FIRST": "1", "SECOND": "2", "THIRD": "3", "FOURTH": "4", "FIFTH": "5", "LAST": "-1"}

// mendWeekday returns the value of BYDAY that a text means: MON, Monday, LAST FR, MO2, MO(+2) or 2 MO.
func mendWeekday(text string) (string, bool) {
	word := strings.ToUpper(strings.NewReplacer(" ", "", "_", "", "(", "", ")", "").Replace(text))
	number := ""
	for place, n := range places {
		if rest, ok := strings.CutPrefix(word, place); ok {
			word, number = rest, n
		}
	}
	letters := strings.Trim(word, "+-0123456789")
	switch before, after, _ := strings.Cut(word, letters); {
	case letters == "" || number != "" && before+after != "" || before != "" && after != "":
		return "", false
	default:
		number += before + after
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		full := strings.ToUpper(day.String())
		if letters != weekdayNames[day] && letters != full && !(len(letters) >= 3 && strings.HasPrefix(full, letters)) {
			continue
		}
		mended := number + weekdayNames[day]
		_, ok := parseOrdinalWeekday(mended)
		return mended, ok && mended != text
	}
	return "", false
}

// mendNumber returns the values, and perhaps the parts after them, that a text in the list of a part means.
func mendNumber(p part, text string) (string, bool) {
	trimmed := strings.TrimSpace(text)
	if p == partByHour {
		hour, minute, ok := strings.Cut(trimmed, ":")
		if ok && isNumber(hour, 23) && isNumber(minute, 59) {
			return strings.TrimLeft(hour[:len(hour)-1], "0") + hour[len(hour)-1:] + ";BYMINUTE=" + strings.TrimLeft(minute[:len(minute)-1], "0") + minute[len(minute)-1:], true
		}
	}
	if n, ok := places[strings.ToUpper(trimmed)]; ok && (p == partByMonthDay || p == partBySetPos || p == partByYearDay) {
		return n, true
	}
	if p == partByMonth && len(trimmed) >= 3 {
		for month := time.January; month <= time.December; month++ {
			if len(trimmed) <= len(month.String()) && strings.EqualFold(month.String()[:len(trimmed)], trimmed) {
				return strconv.Itoa(int(month)), true
			}
		}
	}
	if first, last, ok := strings.Cut(trimmed, "-"); ok && isNumber(first, 366) && isNumber(last, 366) {
		from, _ := strconv.Atoi(first)
		to, _ := strconv.Atoi(last)
		var list []string
		for n := from; n <= to; n++ {
			list = append(list, strconv.Itoa(n))
		}
		_, allowed := new(Rule).numbers(p)
		return strings.Join(list, ","), from < to && to <= allowed.high && from >= allowed.low
	}
	if trimmed != text {
		_, allowed := new(Rule).numbers(p)
		_, ok := allowed.parse(trimmed)
		return trimmed, ok
	}
	return "", false
}

// isNumber reports whether a text is a number of a few digits that is not larger than most.
func isNumber(text string, most int) bool {
	if text == "" || len(text) > 3 {
		return false
	}
	n, ok := digits(text)
	return ok && n <= most
}

// mendDate returns the DATE or DATE-TIME that a text means: 2026-04-01, 2026-04-01T09:00:00Z or 20260401T0900.
func mendDate(text string) (string, bool) {
	plain := strings.NewReplacer("-", "", ":", "", " ", "T").Replace(strings.ToUpper(strings.TrimSpace(text)))
	if at, err := time.Parse(time.RFC3339, strings.TrimSpace(text)); err == nil {
		plain = UTCValue(at).String()
	}
	if day, clock, ok := strings.Cut(plain, "T"); ok {
		clock, isUTC := strings.CutSuffix(clock, "Z")
		clock, _, _ = strings.Cut(clock, ".")
		if len(clock) == 4 {
			clock += "00"
		}
		if plain = day + "T" + clock; isUTC {
			plain += "Z"
		}
	}
	_, problem := parseValue(plain)
	return plain, problem == "" && plain != text
}

// isOtherLine reports whether the name of a rule part is that of another line or parameter, which was glued to the rule.
func isOtherLine(name string) bool {
	return slices.ContainsFunc([]string{"RRULE", "EXRULE", "RDATE", "EXDATE", "DTSTART", "DTEND", "DURATION", "TZID"}, func(other string) bool { return equalFold(other, name) })
}
