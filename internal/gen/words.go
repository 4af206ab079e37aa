package gen

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/script"
	"github.com/calrules/calrules/operation"
)

// word draws the text or the value that a word means. The arguments are the fields after its name.
type word = func(d *draft, args []string) any

// words are the words of patterns and of values.
func words() map[string]word {
	all := map[string]word{
		// The value before the edit, or the first value of a parameter; and what was sent last.
		"was":  func(d *draft, _ []string) any { text, _ := d.Was.(string); return text },
		"sent": func(d *draft, _ []string) any { return d.Sent },

		"none":    func(*draft, []string) any { return "" },
		"long":    func(d *draft, _ []string) any { return strings.Repeat("a", muchTooLong.Draw(d.T, "characters")) },
		"label":   func(*draft, []string) any { return strings.Repeat("a", constraint.EntryPointLabelMaxLength) },
		"base32":  base32Text,
		"text":    script.Texts[*draft](draw.NonEmptyText(shortText)),
		"name":    script.Texts[*draft](draw.Name),
		"word":    script.Texts[*draft](draw.Matching(`x[a-z0-9]{1,20}`)),
		"address": script.Texts[*draft](draw.Address),
		"url":     script.Texts[*draft](httpURL(freeText)),
		"zone":    script.Texts[*draft](ZoneName),
		"date":    script.Texts[*draft](dayText),
		"local":   script.Texts[*draft](clockText),
		"offset":  script.Texts[*draft](someOffset),
		"year":    script.Texts[*draft](draw.Matching(`[0-9]{4}`)),

		"etag":  etagText,
		"scope": scopeText,

		"param":       func(d *draft, _ []string) any { return d.drawParam().Name },
		"param case":  func(d *draft, _ []string) any { return otherCase(d.drawParam().Name) },
		"param short": func(d *draft, _ []string) any { name := d.drawParam().Name; return name[:len(name)-1] },
		"param value": func(d *draft, _ []string) any {
			return paramValue(d.param).Filter(func(v string) bool { return v != "" }).Draw(d.T, "value")
		},
		"param elsewhere": func(d *draft, _ []string) any {
			row, _ := operation.Lookup(d.op)
			return draw.One(d.T, "name", slices.DeleteFunc(paramNames(), row.HasParam)...)
		},
		"other value": otherParamValue,

		"half":    func(_ *draft, args []string) any { return halves[args[0]] },
		"body":    func(*draft, []string) any { return wholeBody },
		"open":    func(*draft, []string) any { return openBody },
		"rest":    func(*draft, []string) any { return restOfBody },
		"members": func(*draft, []string) any { return membersOfBody },
	}
	for _, part := range slices.Concat(allParts, timeParts) {
		all[part.name] = func(d *draft, _ []string) any { return part.draw(d.T) }
	}
	maps.Copy(all, seriesWords())
	maps.Copy(all, valueWords())
	return all
}

// halves are what would encode half a surrogate pair.
var halves = map[string]string{"1": "\xed\xa0\xbc", "2": "\xed\xbe\x82"}

// base32Text draws characters of ids, between as many as the arguments say.
func base32Text(d *draft, args []string) any {
	n := draw.Around(script.Number(args[0]), script.Number(args[1])).Draw(d.T, "characters")
	return draw.Cycled(d.T, "id", base32hex, n)
}

// etagText returns the tag of the stored event, without the quotes if there is an argument.
func etagText(d *draft, args []string) any {
	tag := d.stored["etag"].(string)
	if len(args) > 0 {
		return strings.Trim(tag, `"`)
	}
	return tag
}

func scopeText(d *draft, _ []string) any {
	op, _ := operation.Lookup(d.op)
	return draw.One(d.T, "scope", op.Scopes...)
}

// drawParam draws one of the parameters of the operation.
func (d *draft) drawParam() operation.Param {
	row, _ := operation.Lookup(d.op)
	d.param = draw.One(d.T, "parameter", row.Params...)
	return d.param
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
func otherParamValue(d *draft, _ []string) any {
	if text := paramValue(d.param).Draw(d.T, "other"); text != d.Was {
		return text
	}
	return d.Was.(string) + "0"
}

var dayText = draw.Map(anyDay, func(at time.Time) string { return at.Format(dateForm) })
var clockText = draw.Map(anySecond, func(at time.Time) string { return at.Format(clockForm) })
var someOffset = draw.OneOf(
	draw.Sampled("Z", "", "z", "-00:00"),
	draw.Map(draw.IntRange(-1439, 1439), func(minutes int) string { return offsetText(minutes, "+00:00") }),
)

// valueWords are the words for values that are not texts.
func valueWords() map[string]word {
	return map[string]word{
		"flip":           func(d *draft, _ []string) any { return d.Was != true },
		"flip from true": func(d *draft, _ []string) any { return d.Was == false },
		"next":           nextNumber,
		"timestamp": func(d *draft, _ []string) any {
			return draw.OneOf(timestamp, draw.Sampled("0000-01-01T00:00:00Z", "yesterday")).Draw(d.T, "timestamp")
		},
		"time":  func(d *draft, _ []string) any { return member("start", &event.Event{Start: drawReturnedTime(d.T)}) },
		"start": func(d *draft, _ []string) any { return cloned(d.body["start"]) },
		"conference": func(d *draft, _ []string) any {
			return member("conferenceData", &event.Event{ConferenceData: Conference.Draw(d.T, "conference")})
		},
		"conference type": oneUnlike(constraint.ConferenceAddOn, constraint.ConferenceVideoMeet),
		"type":            oneUnlike(typesOfClients...),
		"birthday type": func(d *draft, _ []string) any {
			return oneOf(constraint.BirthdayType, constraint.TypeBirthday).Draw(d.T, "type")
		},
		"entries": entryPoints,
		"meeting code": func(d *draft, _ []string) any {
			return draw.One(d.T, "id",
				"abcdefghij", "ab-cdef-ghi", "abc-defg-hijk", "abc-def-ghij", "abc_defg_hij", "abc-d3fg-hij",
				"abc-defg-hij ", " abc-defg-hij", "abc-defg-hij\n", "abc-défg-hij", "abc--defg-hij", "-", strings.Repeat("abc-", 10_000),
			)
		},
		"other zone":  oneUnlike("Pacific/Kiritimati", "Pacific/Niue"),
		"status code": oneUnlike(constraint.CreateRequestStatus.Values()...),
		"guests":      manyGuests,
		"files": func(d *draft, _ []string) any {
			return []any{members{"fileUrl": "https://files.example.net/" + draw.Name.Draw(d.T, "file")}}
		},
		"reminders":     equalReminders,
		"repeated name": func(*draft, []string) any { return json.RawMessage(`[{"a":{"b":1,"b":1}}]`) },
		"deep": func(_ *draft, args []string) any {
			return json.RawMessage(deep(constraint.JSONMaxDepth + script.Number(args[0])))
		},
	}
}

// nextNumber returns the next number, and 0 after the greatest.
func nextNumber(d *draft, _ []string) any {
	number, _ := d.Was.(json.Number)
	n, _ := number.Int64()
	if n == math.MaxInt64 {
		return 0
	}
	return n + 1
}

// oneUnlike draws one of the values, but not the value before.
func oneUnlike(values ...string) word {
	return func(d *draft, _ []string) any {
		return draw.One(d.T, "other", slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == d.Was })...)
	}
}

// entryPoints draws entry points of the types in the arguments or, without any, one of type video.
func entryPoints(d *draft, types []string) any {
	if len(types) == 0 {
		types = []string{constraint.EntryVideo}
	}
	data := new(conference.Data)
	for _, typ := range types {
		data.EntryPoints = append(data.EntryPoints, drawEntryPoint(d.T, typ))
	}
	return At(encodeTree(&event.Event{ConferenceData: data}), "/conferenceData/entryPoints")
}

// manyGuests returns as many attendees as the argument says, who are in no drawn event.
func manyGuests(d *draft, args []string) any {
	guests := make([]any, script.Number(args[0]))
	for i := range guests {
		guests[i] = members{"email": fmt.Sprintf("guest%d@guests.example.net", i)}
	}
	return guests
}

// equalReminders returns equal reminders, as many as the argument says.
func equalReminders(d *draft, args []string) any {
	minutes := draw.Int(d.T, "minutes", constraint.ReminderMinutesMin, constraint.ReminderMinutesMax)
	return slices.Repeat([]any{members{"method": "email", "minutes": minutes}}, script.Number(args[0]))
}

// seriesWords are the words that depend on where a series begins. A day after the start is given by a
// number, by the least and the greatest number, or by "off" for another day of the week.
func seriesWords() map[string]word {
	all := map[string]word{
		"plain": func(d *draft, _ []string) any {
			return "FREQ=" + draw.One(d.T, "frequency", daily...).name
		},
		"weekday": func(d *draft, _ []string) any { return weekday.Draw(d.T, "weekday") },
		"rrule":   func(d *draft, args []string) any { return d.begin().ruleLine(d.T)[len(args):] },
		"exrule":  func(d *draft, args []string) any { return d.begin().exruleLine(d.T)[len(args):] },
		"any":     func(d *draft, _ []string) any { return d.anyLine() },
		"value":   func(d *draft, _ []string) any { return d.ruleValue() },
		"until":   func(d *draft, _ []string) any { return d.begin().until(d.T) },
		"head": func(d *draft, _ []string) any {
			return d.split(func(line string, name int) int { return draw.Int(d.T, "place", name, len(line)-1) })
		},
		"property": func(d *draft, _ []string) any { return d.split(func(_ string, name int) int { return name }) },
		"tail":     func(d *draft, _ []string) any { return d.tail },
		"content":  func(d *draft, _ []string) any { return d.tail[strings.LastIndexByte(d.tail, ':')+1:] },

		"part twice": func(d *draft, _ []string) any {
			value := d.ruleValue()
			return value + ";" + draw.SampledFrom(strings.Split(value, ";")).Draw(d.T, "part")
		},
		"part": func(d *draft, _ []string) any { return d.drawPart().name },
		"last": func(d *draft, _ []string) any { return strconv.Itoa(d.part.high) },
		"over": func(d *draft, _ []string) any { return strconv.Itoa(d.part.high + 1) },

		"own":   func(d *draft, args []string) any { return d.dateIn(d.begin().ownForm(), args) },
		"other": func(d *draft, args []string) any { return d.dateIn(inUTC-d.begin().ownForm(), args) },
		"exdate": func(d *draft, args []string) any {
			return "EXDATE" + d.begin().ownParam() + ":" + d.dateIn(d.begin().ownForm(), args)
		},
		"rdate": func(d *draft, args []string) any {
			return "RDATE" + d.begin().ownParam() + ":" + d.dateIn(d.begin().ownForm(), args)
		},

		"clock lower":   func(d *draft, _ []string) any { return strings.ToLower(d.begin().dateValue(onClock, 7)) },
		"moment before": momentBefore,
		"second after":  func(d *draft, _ []string) any { return dateTime(d.begin().at.UTC().Add(time.Second)) + "Z" },
		"elsewhere":     elsewhere,

		"other weekday": func(d *draft, _ []string) any {
			return [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}[(int(d.begin().clock.Weekday())+draw.Int(d.T, "days off", 1, 6))%7]
		},
		"other day":     otherNumber(1, 28, time.Time.Day),
		"other month":   otherNumber(1, 12, func(at time.Time) int { return int(at.Month()) }),
		"other yearday": otherNumber(1, 365, time.Time.YearDay),
		"other hour":    otherNumber(0, 23, time.Time.Hour),
		"other minute":  otherNumber(0, 59, time.Time.Minute),
		"other second":  otherNumber(0, 59, time.Time.Second),
	}
	for name, form := range map[string]valueForm{"day": days, "utc": inUTC, "clock": onClock, "period": periods} {
		all[name] = func(d *draft, args []string) any { return d.dateIn(form, args) }
	}
	return all
}

// dateIn writes a day after the start.
func (d *draft) dateIn(form valueForm, args []string) string {
	if args[0] == "off" {
		return d.begin().dateValue(form, 7*draw.Int(d.T, "weeks", 0, 500)+draw.Int(d.T, "days", 2, 5))
	}
	low, high := script.Number(args[0]), script.Number(args[len(args)-1])
	n := low + draw.Int(d.T, "days", 0, high-low)
	if high < 0 {
		n = low + high - n // so that it shrinks to the nearest
	}
	return d.begin().dateValue(form, n)
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
func momentBefore(d *draft, _ []string) any {
	b := d.begin()
	if b.allDay {
		return date(b.at.AddDate(0, 0, -1))
	}
	return dateTime(b.at.UTC().Add(-time.Second)) + "Z"
}

// elsewhere returns a zone with another offset than the start has.
func elsewhere(d *draft, _ []string) any {
	if _, offset := d.begin().clock.Zone(); offset == 14*3600 {
		return "Etc/GMT+12"
	}
	return "Etc/GMT-14"
}

// anyLine draws a line of any property.
func (d *draft) anyLine() string {
	draws := []func(*begin, *draw.T) string{(*begin).ruleLine, (*begin).exruleLine, (*begin).datesLine}
	return draws[draw.Int(d.T, "property", 0, 2)](d.begin(), d.T)
}

// ruleValue draws the value of a rule.
func (d *draft) ruleValue() string {
	_, value, _ := strings.Cut(d.begin().ruleLine(d.T), ":")
	return value
}

// split draws a line, returns the text before a place in it, and keeps the rest as the tail. The place
// depends on where the name ends.
func (d *draft) split(place func(line string, name int) int) string {
	line := d.anyLine()
	i := place(line, strings.IndexAny(line, ";:"))
	d.tail = line[i:]
	return line[:i]
}

// drawPart draws a BY part that fits the start.
func (d *draft) drawPart() byPart {
	parts := allParts
	if !d.begin().allDay {
		parts = slices.Concat(parts, timeParts)
	}
	d.part = parts[draw.Int(d.T, "part", 0, len(parts)-1)]
	return d.part
}

// otherNumber draws a number in a range, but not the number of the start.
func otherNumber(low, high int, of func(time.Time) int) word {
	return func(d *draft, _ []string) any {
		n := draw.Int(d.T, "number", low, high)
		if n == of(d.begin().clock) {
			n = low + (n+1-low)%(high+1-low)
		}
		return fmt.Sprint(n)
	}
}
