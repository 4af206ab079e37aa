package payload

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/operation"
)

// textWord draws the text that a word of a pattern stands for. The arguments are the fields after its
// name.
type textWord = func(s *site, args []string) string

// texts are the words of patterns.
var texts = sync.OnceValue(func() map[string]textWord {
	all := map[string]textWord{
		// The value before the edit, or the first value of a parameter; and what was sent last.
		"was":  func(s *site, _ []string) string { text, _ := s.was.(string); return text },
		"sent": func(s *site, _ []string) string { return s.sent },

		"none":      func(*site, []string) string { return "" },
		"long":      func(s *site, _ []string) string { return strings.Repeat("a", muchTooLong.Draw(s.T, "characters")) },
		"label":     func(*site, []string) string { return strings.Repeat("a", constraint.EntryPointLabelMaxLength) },
		"base32":    base32Text,
		"text":      drawnText(draw.NonEmptyText(shortText)),
		"name":      drawnText(draw.Name),
		"word":      drawnText(draw.Matching(`x[a-z0-9]{1,20}`)),
		"address":   drawnText(draw.Address),
		"url":       drawnText(httpURL(freeText)),
		"zone":      drawnText(ZoneName),
		"date":      drawnText(dayText),
		"local":     drawnText(clockText),
		"offset":    drawnText(someOffset),
		"year":      drawnText(draw.Matching(`[0-9]{4}`)),
		"timestamp": drawnText(timestamp),

		"etag":  etagText,
		"scope": scopeText,

		"param":       func(s *site, _ []string) string { return s.drawParam().Name },
		"param case":  func(s *site, _ []string) string { return otherCase(s.drawParam().Name) },
		"param short": func(s *site, _ []string) string { name := s.drawParam().Name; return name[:len(name)-1] },
		"param value": func(s *site, _ []string) string {
			return paramValue(s.param).Filter(func(v string) bool { return v != "" }).Draw(s.T, "value")
		},
		"param elsewhere": func(s *site, _ []string) string {
			row, _ := operation.Lookup(s.op)
			return draw.One(s.T, "name", slices.DeleteFunc(paramNames(), row.Takes)...)
		},
		"other value": otherParamValue,

		"deep":    func(_ *site, args []string) string { return deep(constraint.JSONMaxDepth + number(args[0])) },
		"half":    func(_ *site, args []string) string { return halves[args[0]] },
		"body":    func(*site, []string) string { return wholeBody },
		"open":    func(*site, []string) string { return openBody },
		"rest":    func(*site, []string) string { return restOfBody },
		"members": func(*site, []string) string { return membersOfBody },
	}
	for _, part := range slices.Concat(allParts, timeParts) {
		all[part.name] = func(s *site, _ []string) string { return part.draw(s.T) }
	}
	for name, word := range seriesTexts() {
		all[name] = word
	}
	return all
})

// halves are what would encode half a surrogate pair.
var halves = map[string]string{"1": "\xed\xa0\xbc", "2": "\xed\xbe\x82"}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

func drawnText(g draw.Generator[string]) textWord {
	return func(s *site, _ []string) string { return g.Draw(s.T, "word") }
}

// base32Text draws characters of ids, between as many as the arguments say.
func base32Text(s *site, args []string) string {
	n := draw.Around(number(args[0]), number(args[1])).Draw(s.T, "characters")
	return draw.Cycled(s.T, "id", base32hex, n)
}

// etagText returns the tag of the stored event, without the quotes if there is an argument.
func etagText(s *site, args []string) string {
	tag := get(s.stored, "etag").(string)
	if len(args) > 0 {
		return strings.Trim(tag, `"`)
	}
	return tag
}

func scopeText(s *site, _ []string) string {
	op, _ := operation.Lookup(s.op)
	return draw.One(s.T, "scope", op.Scopes...)
}

// drawParam draws one of the parameters of the operation.
func (s *site) drawParam() operation.Param {
	row, _ := operation.Lookup(s.op)
	s.param = draw.One(s.T, "parameter", row.Params...)
	return s.param
}

// paramNames lists the parameters of all operations.
func paramNames() (names []string) {
	for op := range operation.All() {
		for _, p := range op.Params {
			names = append(names, p.Name)
		}
	}
	return names
}

// otherParamValue draws another value than the first one. If there is only one valid value, it is
// invalid.
func otherParamValue(s *site, _ []string) string {
	if text := paramValue(s.param).Draw(s.T, "other"); text != s.was {
		return text
	}
	return s.was.(string) + "0"
}

var dayText = draw.Map(anyDay, func(at time.Time) string { return at.Format(dateForm) })
var clockText = draw.Map(anySecond, func(at time.Time) string { return at.Format(clockForm) })
var someOffset = draw.OneOf(
	draw.Sampled("Z", "", "z", "-00:00"),
	draw.Map(draw.IntRange(-1439, 1439), func(minutes int) string { return offsetText(minutes, "+00:00") }),
)

// valueWord draws the value that a word stands for.
type valueWord = func(s *site, args []string) any

// values are the words that stand for values.
var values = sync.OnceValue(func() map[string]valueWord {
	return map[string]valueWord{
		"flip":           func(s *site, _ []string) any { return s.was != true },
		"flip from true": func(s *site, _ []string) any { return s.was == false },
		"next":           nextNumber,
		"timestamp": func(s *site, _ []string) any {
			return draw.OneOf(timestamp, draw.Sampled("0000-01-01T00:00:00Z", "yesterday")).Draw(s.T, "timestamp")
		},
		"time":  func(s *site, _ []string) any { return member("start", &event.Event{Start: drawReturnedTime(s.T)}) },
		"start": func(s *site, _ []string) any { return cloned(get(s.body, "start")) },
		"conference": func(s *site, _ []string) any {
			return member("conferenceData", &event.Event{ConferenceData: Conference.Draw(s.T, "conference")})
		},
		"conference type": oneUnlike(constraint.ConferenceAddOn, constraint.ConferenceVideoMeet),
		"type":            oneUnlike(typesOfClients...),
		"birthday type": func(s *site, _ []string) any {
			return oneOf(constraint.BirthdayType, constraint.TypeBirthday).Draw(s.T, "type")
		},
		"entries": entryPoints,
		"meeting code": func(s *site, _ []string) any {
			return draw.One(s.T, "id",
				"abcdefghij", "ab-cdef-ghi", "abc-defg-hijk", "abc-def-ghij", "abc_defg_hij", "abc-d3fg-hij",
				"abc-defg-hij ", " abc-defg-hij", "abc-defg-hij\n", "abc-défg-hij", "abc--defg-hij", "-", strings.Repeat("abc-", 10_000),
			)
		},
		"status code": oneUnlike(constraint.CreateRequestStatus.Values()...),
		"guests":      manyGuests,
		"files": func(s *site, _ []string) any {
			return []any{members{"fileUrl": "https://files.example.net/" + draw.Name.Draw(s.T, "file")}}
		},
		"reminders":     equalReminders,
		"repeated name": func(*site, []string) any { return json.RawMessage(`[{"a":{"b":1,"b":1}}]`) },
		"deep": func(_ *site, args []string) any {
			return json.RawMessage(deep(constraint.JSONMaxDepth + number(args[0])))
		},
	}
})

// nextNumber returns the next number, and 0 after the greatest.
func nextNumber(s *site, _ []string) any {
	number, _ := s.was.(json.Number)
	n, _ := number.Int64()
	if n == math.MaxInt64 {
		return 0
	}
	return n + 1
}

// oneUnlike draws one of the values that is not the one before.
func oneUnlike(values ...string) valueWord {
	return func(s *site, _ []string) any {
		return draw.One(s.T, "other", slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == s.was })...)
	}
}

// entryPoints draws entry points of the types in the arguments or, without any, one of type video.
func entryPoints(s *site, types []string) any {
	if len(types) == 0 {
		types = []string{constraint.EntryVideo}
	}
	d := new(conference.Data)
	for _, typ := range types {
		d.EntryPoints = append(d.EntryPoints, drawEntryPoint(s.T, typ))
	}
	return at(encodeTree(&event.Event{ConferenceData: d}), "/conferenceData/entryPoints")
}

// manyGuests returns as many attendees as the argument says, who are in no drawn event.
func manyGuests(s *site, args []string) any {
	guests := make([]any, number(args[0]))
	for i := range guests {
		guests[i] = members{"email": fmt.Sprintf("guest%d@guests.example.net", i)}
	}
	return guests
}

// equalReminders returns equal reminders, as many as the argument says.
func equalReminders(s *site, args []string) any {
	minutes := draw.Int(s.T, "minutes", constraint.ReminderMinutesMin, constraint.ReminderMinutesMax)
	return slices.Repeat([]any{members{"method": "email", "minutes": minutes}}, number(args[0]))
}

// seriesTexts are the words that depend on where a series begins. A day after the start is given by a
// number, by the least and the greatest number, or by "off" for another day of the week.
func seriesTexts() map[string]textWord {
	all := map[string]textWord{
		"plain": func(s *site, _ []string) string {
			return "FREQ=" + draw.One(s.T, "frequency", daily...).name
		},
		"weekday": func(s *site, _ []string) string { return weekday.Draw(s.T, "weekday") },
		"rrule":   func(s *site, args []string) string { return s.begin().ruleLine(s.T)[len(args):] },
		"exrule":  func(s *site, args []string) string { return s.begin().exruleLine(s.T)[len(args):] },
		"any":     func(s *site, _ []string) string { return s.anyLine() },
		"value":   func(s *site, _ []string) string { return s.ruleValue() },
		"until":   func(s *site, _ []string) string { return s.begin().until(s.T) },
		"head": func(s *site, _ []string) string {
			return s.split(func(line string, name int) int { return draw.Int(s.T, "place", name, len(line)-1) })
		},
		"property": func(s *site, _ []string) string { return s.split(func(_ string, name int) int { return name }) },
		"tail":     func(s *site, _ []string) string { return s.tail },
		"content":  func(s *site, _ []string) string { return s.tail[strings.LastIndexByte(s.tail, ':')+1:] },

		"part twice": func(s *site, _ []string) string {
			value := s.ruleValue()
			return value + ";" + draw.SampledFrom(strings.Split(value, ";")).Draw(s.T, "part")
		},
		"part": func(s *site, _ []string) string { return s.drawPart().name },
		"last": func(s *site, _ []string) string { return strconv.Itoa(s.part.high) },
		"over": func(s *site, _ []string) string { return strconv.Itoa(s.part.high + 1) },

		"own":   func(s *site, args []string) string { return s.dateIn(s.begin().ownForm(), args) },
		"other": func(s *site, args []string) string { return s.dateIn(inUTC-s.begin().ownForm(), args) },
		"exdate": func(s *site, args []string) string {
			return "EXDATE" + s.begin().ownParam() + ":" + s.dateIn(s.begin().ownForm(), args)
		},
		"rdate": func(s *site, args []string) string {
			return "RDATE" + s.begin().ownParam() + ":" + s.dateIn(s.begin().ownForm(), args)
		},

		"clock lower":   func(s *site, _ []string) string { return strings.ToLower(s.begin().dateValue(onClock, 7)) },
		"moment before": momentBefore,
		"second after":  func(s *site, _ []string) string { return dateTime(s.begin().at.UTC().Add(time.Second)) + "Z" },
		"elsewhere":     elsewhere,

		"other weekday": func(s *site, _ []string) string {
			return [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}[(int(s.begin().clock.Weekday())+draw.Int(s.T, "days off", 1, 6))%7]
		},
		"other day":     otherNumber(1, 28, time.Time.Day),
		"other month":   otherNumber(1, 12, func(at time.Time) int { return int(at.Month()) }),
		"other yearday": otherNumber(1, 365, time.Time.YearDay),
		"other hour":    otherNumber(0, 23, time.Time.Hour),
		"other minute":  otherNumber(0, 59, time.Time.Minute),
		"other second":  otherNumber(0, 59, time.Time.Second),
	}
	for name, form := range map[string]valueForm{"day": days, "utc": inUTC, "clock": onClock, "period": periods} {
		all[name] = func(s *site, args []string) string { return s.dateIn(form, args) }
	}
	return all
}

// dateIn writes a day after the start.
func (s *site) dateIn(form valueForm, args []string) string {
	if args[0] == "off" {
		return s.begin().dateValue(form, 7*draw.Int(s.T, "weeks", 0, 500)+draw.Int(s.T, "days", 2, 5))
	}
	low, high := number(args[0]), number(args[len(args)-1])
	n := low + draw.Int(s.T, "days", 0, high-low)
	if high < 0 {
		n = low + high - n // so that it shrinks to the nearest
	}
	return s.begin().dateValue(form, n)
}

// ownForm is the form of dates that fits the start, and ownParam its parameter.
func (b *begin) ownForm() valueForm {
	if b.allDay {
		return days
	}
	return inUTC
}

func (b *begin) ownParam() string {
	if b.allDay {
		return ";VALUE=DATE"
	}
	return ""
}

// momentBefore writes the last UNTIL before the start.
func momentBefore(s *site, _ []string) string {
	b := s.begin()
	if b.allDay {
		return date(b.at.AddDate(0, 0, -1))
	}
	return dateTime(b.at.UTC().Add(-time.Second)) + "Z"
}

// elsewhere returns a zone with another offset than the start has.
func elsewhere(s *site, _ []string) string {
	if _, offset := s.begin().clock.Zone(); offset == 14*3600 {
		return "Etc/GMT+12"
	}
	return "Etc/GMT-14"
}

// anyLine draws a line of any property.
func (s *site) anyLine() string {
	draws := []func(*begin, *draw.T) string{(*begin).ruleLine, (*begin).exruleLine, (*begin).datesLine}
	return draws[draw.Int(s.T, "property", 0, 2)](s.begin(), s.T)
}

// ruleValue draws the value of a rule.
func (s *site) ruleValue() string {
	_, value, _ := strings.Cut(s.begin().ruleLine(s.T), ":")
	return value
}

// split draws a line, returns what is before a place in it, and keeps the rest as the tail. The place
// depends on where the name ends.
func (s *site) split(place func(line string, name int) int) string {
	line := s.anyLine()
	i := place(line, strings.IndexAny(line, ";:"))
	s.tail = line[i:]
	return line[:i]
}

// drawPart draws a BY part that fits the start.
func (s *site) drawPart() byPart {
	parts := allParts
	if !s.begin().allDay {
		parts = slices.Concat(parts, timeParts)
	}
	s.part = parts[draw.Int(s.T, "part", 0, len(parts)-1)]
	return s.part
}

// otherNumber draws a number in a range that is not that of the start.
func otherNumber(low, high int, of func(time.Time) int) textWord {
	return func(s *site, _ []string) string {
		n := draw.Int(s.T, "number", low, high)
		if n == of(s.begin().clock) {
			n = low + (n+1-low)%(high+1-low)
		}
		return fmt.Sprint(n)
	}
}
