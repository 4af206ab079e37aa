package gen

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/script"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/internal/zone"
)

// Placeholders in a pattern of the step text for the body, which is written later: the whole body, all
// but its last brace, what follows its first member, and its members.
const (
	wholeBody     = "\uE100"
	openBody      = "\uE101"
	restOfBody    = "\uE102"
	membersOfBody = "\uE103"
)

func rewriting(text string) step {
	p := parsePattern(text)
	return func(d *draft) {
		drawn := p(d)
		d.text = func(body string) string {
			members := strings.TrimPrefix(body, "{")
			rest := "," + members
			if members == "}" {
				rest = members
			}
			return strings.NewReplacer(wholeBody, body, openBody, strings.TrimSuffix(body, "}"), restOfBody, rest, membersOfBody, members).Replace(drawn)
		}
		d.Place = ""
	}
}

func ifMatch(text string) step {
	p := parsePattern(text)
	return func(d *draft) { d.ifMatch = p(d) }
}

// tenYears is a number of days.
const tenYears = 3650

func (d *draft) hour() {
	start := daysAfter(usualDay, tenYears).Draw(d.T, "day").Add(time.Duration(draw.Int(d.T, "hour", 0, 23)) * time.Hour)
	n := notation{zone: ZoneName.Draw(d.T, "zone"), offset: true, utc: "Z"}
	d.setTimes(timedAt(start, n), timedAt(start.Add(time.Hour), n))
}

func (d *draft) day() {
	first := daysAfter(usualDay, tenYears).Draw(d.T, "first day")
	d.setTimes(allDayAt(d.T, first), allDayAt(d.T, first.Add(day)))
}

// setTimes sets the times of the event, and removes the recurrence.
func (d *draft) setTimes(start, end moment) {
	tree := encodeTree(&event.Event{Start: start.Time, End: end.Time})
	d.set("/start", tree["start"])
	d.set("/end", tree["end"])
	d.unset("/recurrence")
}

func anew(path string) step {
	return func(d *draft) {
		if d.on == occasion.Patch {
			d.forget(diag.Pointer(path))
		}
	}
}

// entryWith is for "entry TYPE TYPE = VALUE". It also writes an entry point of another type.
func entryWith(text string) step {
	types, value, _ := strings.Cut(text, " = ")
	uri := parseValue(value)
	return func(d *draft) {
		typ := draw.One(d.T, "type", strings.Fields(types)...)
		other := constraint.EntryVideo
		if typ == constraint.EntryVideo || typ == constraint.EntryMore {
			other = constraint.EntryPhone
		}
		beside := draw.Permutation([]string{other, typ}).Draw(d.T, "entry points")
		put(d.body, "/conferenceData/entryPoints", entryPoints(d, beside))
		d.Place = diag.Pointer("/conferenceData/entryPoints").Index(slices.Index(beside, typ)) + "/uri"
		put(d.body, d.Place, uri(d))
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
	return func(d *draft) {
		line := p(d)
		lines, _ := d.body["recurrence"].([]any)
		i := draw.Int(d.T, "index of the line", 0, len(lines))
		d.body["recurrence"] = slices.Insert(slices.Clone(lines), i, any(line))
		d.Place = diag.Pointer("/recurrence").Index(i)
	}
}

func setLines(text string) step {
	var patterns []func(d *draft) string
	for line := range strings.SplitSeq(text, " & ") {
		patterns = append(patterns, parsePattern(line))
	}
	return func(d *draft) {
		lines := make([]string, len(patterns))
		for i, p := range patterns {
			lines[i] = p(d)
		}
		d.body["recurrence"] = recurrence(draw.Permutation(lines).Draw(d.T, "order of lines")...)
		d.Place = "/recurrence"
	}
}

// rulesNotOfStart sets one or two rules, with dates anywhere among them. The finding is at the first
// rule.
func rulesNotOfStart(text string) step {
	rule, more := parsePattern(text), parsePattern("(;COUNT=3|;INTERVAL=2)?")
	return func(d *draft) {
		lines := []string{rule(d) + more(d)}
		if draw.Maybe(d.T, "second rule") {
			lines = append(lines, rule(d))
		}
		if draw.Maybe(d.T, "dates") {
			lines = append(lines, d.begin().datesLine(d.T))
		}
		lines = draw.Permutation(lines).Draw(d.T, "order of lines")
		d.body["recurrence"] = recurrence(lines...)
		isRule := func(line string) bool { return strings.HasPrefix(line, "RRULE") }
		d.Place = diag.Pointer("/recurrence").Index(slices.IndexFunc(lines, isRule))
	}
}

// repeatLine repeats the first line at most so many times.
func repeatLine(text string) step {
	most := script.Number(text)
	return func(d *draft) {
		lines, _ := d.body["recurrence"].([]any)
		d.body["recurrence"] = slices.Concat(lines, slices.Repeat(lines[:1], draw.Int(d.T, "times", 1, most)))
		d.Place = diag.Pointer("/recurrence").Index(len(lines))
	}
}

func moved(text string) step {
	first, last, _ := strings.Cut(text, " ")
	low, high := script.Number(first), script.Number(last)
	return func(d *draft) {
		b := d.begin()
		at := b.at.UTC().AddDate(0, 0, draw.Int(d.T, "days", low, high))
		later := members{"dateTime": nanos(at), "timeZone": b.zone}
		if b.allDay {
			later = members{"date": at.Format(dateForm), "timeZone": b.zone}
		}
		put(d.body, "/start", later)
		put(d.body, "/end", cloned(later))
	}
}

// nanos writes an instant in UTC, in nanoseconds.
func nanos(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.999999999Z") }

// ending is for "end LOW HIGH". It writes the end in any offset, but none before the first day.
func ending(text string) step {
	before, after, _ := strings.Cut(text, " ")
	low, high := duration(before), duration(after)
	unit := cmp.Or(high, time.Hour).Abs()
	return func(d *draft) {
		start := *momentOf(spanOfTree(d.body).Start)
		end := start.at.Add(high - unit*time.Duration(draw.Int(d.T, "units", 0, int((high-low)/unit))))
		if end.Before(firstDay) {
			end = firstDay
		}
		written := members{"dateTime": inOffset(end, draw.Int(d.T, "offset", -1439, 1439))}
		if start.Date != "" {
			written = members{"date": end.Format(dateForm)}
		}
		if name := At(d.body, "/end/timeZone"); name != nil {
			written["timeZone"] = name
		}
		d.Place = "/end"
		put(d.body, d.Place, written)
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
	return func(d *draft) {
		const whole = len("2006-01-02T15:04:05")
		d.Place = "/end/dateTime"
		text := At(d.body, d.Place).(string)
		put(d.body, d.Place, text[:whole]+fraction+strings.TrimLeft(text[whole:], ".0123456789"))
	}
}

// anotherType replaces a value by one of another JSON type, or a number by one that is not a 64-bit
// integer.
func anotherType(d *draft) {
	chosen := drawPlace(d.T, func(p place) bool {
		// An original start that cannot be read also counts as changed.
		moved := d.stored != nil && (p.path == "/originalStartTime/date" || p.path == "/originalStartTime/dateTime")
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
	d.Place = d.reach(chosen.path)
	put(d.body, d.Place, draw.One(d.T, "value", fitting...))
}

// nullAt puts null into one of the wanted places.
func nullAt(wanted func(place) bool) step {
	return func(d *draft) {
		d.Place = d.reach(drawPlace(d.T, wanted).path)
		put(d.body, d.Place, nil)
	}
}

func unknownMember(names string) step {
	name := parsePattern(names)
	return func(d *draft) {
		d.Place = d.reach(drawPlace(d.T, isObject).path).Member(name(d))
		put(d.body, d.Place, draw.One[any](d.T, "value", "a", 1, true, members{"a": []any{1}}, []any{}))
	}
}

func isObject(p place) bool { return p.kind == "object" }

// repeat writes a member of an object twice, with the same value.
func (d *draft) repeat(object diag.Pointer) {
	path := d.reach(object)
	value, _ := At(d.body, path).(members)
	if len(value) == 0 {
		value = members{"a": "1"}
	}
	name := draw.One(d.T, "name", slices.Sorted(maps.Keys(value))...)
	twice := fmt.Appendf(nil, "{%s:%s,", encodeJSON(name), encodeJSON(value[name]))
	put(d.body, path, json.RawMessage(append(twice, encodeJSON(value)[1:]...)))
	d.Place = path.Member(name)
}
