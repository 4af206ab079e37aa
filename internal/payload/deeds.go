package payload

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/internal/zone"
)

// Placeholders in a pattern of the verb text for the body, which is written later: the whole body, all
// but its last brace, what follows its first member, and its members.
const (
	wholeBody     = "\uE100"
	openBody      = "\uE101"
	restOfBody    = "\uE102"
	membersOfBody = "\uE103"
)

func rewriting(text string) step {
	p := parsePattern(text)
	return func(s *site) {
		drawn := p.draw(s)
		s.text = func(body string) string {
			members := strings.TrimPrefix(body, "{")
			rest := "," + members
			if members == "}" {
				rest = members
			}
			return strings.NewReplacer(wholeBody, body, openBody, strings.TrimSuffix(body, "}"), restOfBody, rest, membersOfBody, members).Replace(drawn)
		}
		s.place = ""
	}
}

func ifMatch(text string) step {
	p := parsePattern(text)
	return func(s *site) { s.ifMatch = p.draw(s) }
}

// tenYears is a number of days.
const tenYears = 3650

func (s *site) hour() {
	start := daysAfter(usualDay, tenYears).Draw(s.T, "day").Add(time.Duration(draw.Int(s.T, "hour", 0, 23)) * time.Hour)
	n := notation{zone: ZoneName.Draw(s.T, "zone"), offset: true, utc: "Z"}
	s.setTimes(timedAt(start, n), timedAt(start.Add(time.Hour), n))
}

func (s *site) day() {
	first := daysAfter(usualDay, tenYears).Draw(s.T, "first day")
	s.setTimes(allDayAt(s.T, first), allDayAt(s.T, first.Add(day)))
}

// setTimes sets the times of the event, and removes the recurrence.
func (s *site) setTimes(start, end moment) {
	tree := encodeTree(&event.Event{Start: start.Time, End: end.Time})
	s.set("/start", tree["start"])
	s.set("/end", tree["end"])
	s.unset("/recurrence")
}

func anew(path string) step {
	return func(s *site) {
		if s.on == occasion.Patch {
			s.forget(diag.Pointer(path))
		}
	}
}

// entryWith is for "entry TYPE TYPE = VALUE". It also writes an entry point of another type.
func entryWith(text string) step {
	types, value, _ := strings.Cut(text, " = ")
	uri := parseValue(value)
	return func(s *site) {
		typ := draw.One(s.T, "type", strings.Fields(types)...)
		other := constraint.EntryVideo
		if typ == constraint.EntryVideo || typ == constraint.EntryMore {
			other = constraint.EntryPhone
		}
		beside := draw.Permutation([]string{other, typ}).Draw(s.T, "entry points")
		put(s.body, "/conferenceData/entryPoints", entryPoints(s, beside))
		s.place = diag.Pointer("/conferenceData/entryPoints").Index(slices.Index(beside, typ)) + "/uri"
		put(s.body, s.place, uri(s))
	}
}

// recurrence returns lines as a value of a tree.
func recurrence(lines ...string) []any {
	list := make([]any, len(lines))
	for i, line := range lines {
		list[i] = line
	}
	return list
}

// spanOfTree reads the start and the end of an event.
func spanOfTree(tree members) *event.Event {
	return decodeEvent(members{"start": tree["start"], "end": tree["end"]})
}

// beginOf reads where the series of a body begins.
func beginOf(body members) *begin {
	e := spanOfTree(body)
	m := momentOf(e.Start)
	b := &begin{allDay: e.Start.Date != "", start: e.Start, end: e.End, at: m.at.Truncate(time.Second), zone: e.Start.TimeZone}
	b.clock = b.at
	if !b.allDay {
		where, _ := zone.Load(b.zone)
		b.clock = b.at.In(where)
	}
	return b
}

func addLine(text string) step {
	p := parsePattern(text)
	return func(s *site) {
		line := p.draw(s)
		lines, _ := get(s.body, "recurrence").([]any)
		i := draw.Int(s.T, "index of the line", 0, len(lines))
		s.body["recurrence"] = slices.Insert(slices.Clone(lines), i, any(line))
		s.place = diag.Pointer("/recurrence").Index(i)
	}
}

func setLines(text string) step {
	var patterns []*pattern
	for line := range strings.SplitSeq(text, " & ") {
		patterns = append(patterns, parsePattern(line))
	}
	return func(s *site) {
		lines := make([]string, len(patterns))
		for i, p := range patterns {
			lines[i] = p.draw(s)
		}
		s.body["recurrence"] = recurrence(draw.Permutation(lines).Draw(s.T, "order of lines")...)
		s.place = "/recurrence"
	}
}

// rulesNotOfStart sets one or two rules, with dates anywhere among them. The finding is at the first
// rule.
func rulesNotOfStart(text string) step {
	rule, more := parsePattern(text), parsePattern("(;COUNT=3|;INTERVAL=2)?")
	return func(s *site) {
		lines := []string{rule.draw(s) + more.draw(s)}
		if draw.Maybe(s.T, "second rule") {
			lines = append(lines, rule.draw(s))
		}
		if draw.Maybe(s.T, "dates") {
			lines = append(lines, s.begin().datesLine(s.T))
		}
		lines = draw.Permutation(lines).Draw(s.T, "order of lines")
		s.body["recurrence"] = recurrence(lines...)
		isRule := func(line string) bool { return strings.HasPrefix(line, "RRULE") }
		s.place = diag.Pointer("/recurrence").Index(slices.IndexFunc(lines, isRule))
	}
}

// repeatLine repeats the first line at most so many times.
func repeatLine(text string) step {
	most := number(text)
	return func(s *site) {
		lines, _ := get(s.body, "recurrence").([]any)
		s.body["recurrence"] = slices.Concat(lines, slices.Repeat(lines[:1], draw.Int(s.T, "times", 1, most)))
		s.place = diag.Pointer("/recurrence").Index(len(lines))
	}
}

func moved(text string) step {
	first, last, _ := strings.Cut(text, " ")
	low, high := number(first), number(last)
	return func(s *site) {
		b := s.begin()
		at := b.at.UTC().AddDate(0, 0, draw.Int(s.T, "days", low, high))
		later := members{"dateTime": nanos(at), "timeZone": b.zone}
		if b.allDay {
			later = members{"date": at.Format(dateForm), "timeZone": b.zone}
		}
		put(s.body, "/start", later)
		put(s.body, "/end", cloned(later))
	}
}

// nanos writes an instant in UTC, in nanoseconds.
func nanos(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.999999999Z") }

// ending is for "end LOW HIGH". It writes the end in any offset, but none before the first day.
func ending(text string) step {
	before, after, _ := strings.Cut(text, " ")
	low, high := duration(before), duration(after)
	unit := cmp.Or(high, time.Hour).Abs()
	return func(s *site) {
		start := *momentOf(spanOfTree(s.body).Start)
		end := start.at.Add(high - unit*time.Duration(draw.Int(s.T, "units", 0, int((high-low)/unit))))
		if end.Before(firstDay) {
			end = firstDay
		}
		written := members{"dateTime": inOffset(end, draw.Int(s.T, "offset", -1439, 1439))}
		if start.Date != "" {
			written = members{"date": end.Format(dateForm)}
		}
		if name := at(s.body, "/end/timeZone"); name != nil {
			written["timeZone"] = name
		}
		s.place = "/end"
		put(s.body, s.place, written)
	}
}

func duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return d
}

// inOffset writes an instant with an offset in minutes or, if its year cannot be written with the
// offset, in UTC.
func inOffset(at time.Time, minutes int) string {
	local := at.In(time.FixedZone("", minutes*60))
	if local.Year() < firstDay.Year() || local.Year() > lastDay.Year() {
		return nanos(at)
	}
	return local.Format("2006-01-02T15:04:05.999999999Z07:00")
}

func fractionOfEnd(fraction string) step {
	return func(s *site) {
		const whole = len("2006-01-02T15:04:05")
		s.place = "/end/dateTime"
		text := at(s.body, s.place).(string)
		put(s.body, s.place, text[:whole]+fraction+strings.TrimLeft(text[whole:], ".0123456789"))
	}
}

// deeds break the rules about the types and the names of all members.
var deeds = sync.OnceValue(func() map[string]step {
	return map[string]step{
		"another type":      anotherType,
		"null in a list":    nullAt(func(p spot) bool { return p.inList }),
		"null in an object": nullAt(func(p spot) bool { return p.path != "" && !p.inList }),
		"repeat a member": func(s *site) {
			s.repeat(drawSpot(s.T, func(p spot) bool { return p.path != "" && isObject(p) }).path)
		},
		"repeat a key": func(s *site) { s.repeat(draw.One(s.T, "map", stringMaps()...)) },
	}
})

// anotherType replaces a value by one of another JSON type, or a number by one that is not a 64-bit
// integer.
func anotherType(s *site) {
	chosen := drawSpot(s.T, func(p spot) bool {
		// An original start that cannot be read also counts as changed.
		moved := s.stored != nil && (p.path == "/originalStartTime/date" || p.path == "/originalStartTime/dateTime")
		return p.path != "" && !moved
	})
	others := []string{"string", `"5"`, "number", `5`, "boolean", `true`, "array", `[]`, "array", `[{"a":1}]`,
		"object", `{}`, "object", `{"a":"b"}`, "fraction", `1.5`, "fraction", `9223372036854775808`, "fraction", `-1e300`}
	var fitting []json.RawMessage
	for pair := range slices.Chunk(others, 2) {
		if pair[0] != chosen.kind {
			fitting = append(fitting, json.RawMessage(pair[1]))
		}
	}
	s.place = s.reach(s.T, chosen.path)
	put(s.body, s.place, draw.One(s.T, "value", fitting...))
}

// nullAt puts null into one of the wanted places.
func nullAt(wanted func(spot) bool) step {
	return func(s *site) {
		s.place = s.reach(s.T, drawSpot(s.T, wanted).path)
		put(s.body, s.place, nil)
	}
}

func unknownMember(names string) step {
	name := parsePattern(names)
	return func(s *site) {
		s.place = s.reach(s.T, drawSpot(s.T, isObject).path).Member(name.draw(s))
		put(s.body, s.place, draw.One[any](s.T, "value", "a", 1, true, members{"a": []any{1}}, []any{}))
	}
}

func isObject(p spot) bool { return p.kind == "object" }

// repeat writes a member of an object twice, with the same value.
func (s *site) repeat(object diag.Pointer) {
	path := s.reach(s.T, object)
	value, _ := at(s.body, path).(members)
	if len(value) == 0 {
		value = members{"a": "1"}
	}
	name := draw.One(s.T, "name", slices.Sorted(maps.Keys(value))...)
	twice := fmt.Appendf(nil, "{%s:%s,", encodeJSON(name), encodeJSON(value[name]))
	put(s.body, path, json.RawMessage(append(twice, encodeJSON(value)[1:]...)))
	s.place = path.Member(name)
}
