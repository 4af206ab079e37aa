package main

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/rtdbauth"
)

// subject is a kind of input. The function prepare creates an input of size n and returns the function to measure.
type subject struct {
	name    string
	prepare func(n int) (run func())
}

// subjects yields all subjects, including a large value for every array, map, string and object in the schema, with every
// operation.
func subjects() iter.Seq2[string, func(n int) func()] {
	return func(yield func(string, func(int) func()) bool) {
		for _, s := range slices.Concat(
			ofEvents(), ofBodies(), ofExpand(), ofSeries(), ofTexts(), ofDatabase(), ofMerge(), ofPairs(), ofFindings(), ofTraffic(), ofRecordings(),
			ofParts(), ofLines(), ofInstances(), ofCalendars(), ofPages(), ofFixes(), ofIntents(), ofRefusals(), ofValues(), ofCommands(),
		) {
			if !yield(s.name, s.prepare) {
				return
			}
		}
	}
}

// shape is a kind of value of any size. Two values of a shape with different keys differ in every element.
type shape struct {
	name  string
	value func(n, key int) string
	plain bool // whether to try every operation and stored event
}

// everywhere returns the shapes with plain set.
func everywhere(shapes ...shape) []shape {
	for i := range shapes {
		shapes[i].plain = true
	}
	return shapes
}

// list returns a shape with n elements between open and end. In each list element, # is replaced by a number.
func list(open, element, end string) shape {
	return elements(open, element, end, func(i int) string { return fmt.Sprint(i) })
}

// dates is like list, but replaces # with times instead of numbers.
func dates(open, element, end string) shape {
	return elements(open, element, end, func(i int) string {
		return time.Date(2026, 3, 11, 0, 0, i, 0, time.UTC).Format("20060102T150405Z")
	})
}

// elements returns a shape with n elements between open and end. In element i, # is replaced by text(i).
func elements(open, element, end string, text func(i int) string) shape {
	return shape{name: open + element, value: func(n, key int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = strings.ReplaceAll(element, "#", text(key+i))
		}
		return open + strings.Join(list, ",") + end
	}}
}

// text returns the shape of an n-byte string made by repeating a piece of text.
func text(piece string) shape { return within(`"`, piece, `"`) }

// within returns a shape that repeats a piece up to n bytes, followed by the key, between open and end.
func within(open, piece, end string) shape {
	return shape{name: open + piece, value: func(n, key int) string {
		return open + strings.Repeat(piece, n/len(piece)) + fmt.Sprint(key) + end
	}}
}

// shapesOf returns the shapes of a member. If the member is an array of objects, inner contains the members of the objects.
func shapesOf(f event.Field, inner []event.Field) []shape {
	switch f.Type {
	case "array of objects":
		return arrays(inner)
	case "array of strings":
		return append(everywhere(list("[", `"X#"`, "]"), list("[", `"X"`, "]"), list("[", `"RRULE:FREQ=DAILY;COUNT=#"`, "]")), list("[", "0", "]"),
			list(`["RRULE:FREQ=DAILY",`, `"EXDATE;VALUE=DATE:2026#"`, "]"),
			dates(`["RRULE:FREQ=DAILY",`, `"EXDATE:#"`, "]"))
	case "map of strings":
		return append(everywhere(list("{", `"k#":"v"`, "}"), list("{", `"k#":0`, "}")), list("{", `"k#":null`, "}"),
			list("{", `"`+strings.Repeat("k", 45)+`#":"v"`, "}"), list("{", `"k":"v"`, "}"))
	case "object", "any value":
		return unknownMembers()
	case "string":
		return []shape{
			text("a"), text(`\u00e9`), text("a@b.c "), text("20260310T090000Z,"), within(`"2026-03-10T09:00:00.`, "1", `Z"`),
			within(`"https://`, "a", `/"`), within(`"\"`, `\\`, `"`),
		}
	default: // numbers and booleans
		return []shape{text("a"), within("1", "0", ""), within("1e", "9", ""), {name: "0.00…1e…", value: func(n, _ int) string { // 1 with many digits
			return fmt.Sprintf("0.%s1e%d", strings.Repeat("0", n), n+1)
		}}}
	}
}

// arrays returns the shapes of arrays whose elements are objects with a single member (one shape per member), empty
// objects, objects with all members, or other values.
func arrays(inner []event.Field) []shape {
	var shapes []shape
	var whole []string
	for _, f := range inner {
		member := `"` + f.Path + `":` + sampleOf(f.Type)
		whole = append(whole, member)
		shapes = append(shapes, list("[", "{"+member+"}", "]"))
	}
	element := "{" + strings.Join(whole, ",") + "}"
	equal := strings.ReplaceAll(element, "#", "1")
	return append(shapes, everywhere(list("[", "{}", "]"), list("[", element, "]"), list("[", equal, "]"), list("[", "0", "]"))...)
}

func sampleOf(jsonType string) string {
	switch jsonType {
	case "boolean":
		return "true"
	case "integer":
		return "#"
	default:
		return `"v#"`
	}
}

// unknownMembers returns shapes of objects with unknown members.
func unknownMembers() []shape {
	return []shape{list("{", `"u#":0`, "}"), list("{", `"u#":{"a":[1]}`, "}"), list("{", `"u#":null`, "}"), list("{", `"u":0`, "}"),
		list(`{"u":[`, `{"a":#}`, "]}")}
}

// ofEvents returns the subjects that check events. Each shape of each member is combined with each operation, both without a
// stored event and with a stored event in which the member is the same, has its elements in a different order, or is different.
func ofEvents() []subject {
	var all []subject
	for path, shapes := range eventShapes() {
		for _, s := range shapes {
			for op, stored := range occasions(s) {
				name := strings.Join([]string{string(op), path, s.name, stored}, " ")
				all = append(all, subject{name, func(n int) func() { return checkOf(op, path, s, n, stored) }})
			}
		}
	}
	return all
}

// occasions yields the operations on events, each with the possible stored events. For shapes that are not plain, occasions
// yields only a few, because all operations read such shapes in the same way.
func occasions(s shape) iter.Seq2[operation.ID, string] {
	return func(yield func(operation.ID, string) bool) {
		if !s.plain {
			_ = yield(operation.EventsInsert, "none") && yield(operation.EventsPatch, "other") && yield(operation.EventsUpdate, "same")
			return
		}
		for op := range operation.All() {
			switch {
			case diag.Modify.Has(op.When):
				_ = yield(op.ID, "none") && yield(op.ID, "same") && yield(op.ID, "shuffled") && yield(op.ID, "other")
			case op.EventBody:
				yield(op.ID, "none")
			case (diag.Move | diag.Delete | diag.Get | diag.List | diag.Instances).Has(op.When):
				yield(op.ID, "same")
			}
		}
		yield(operation.Response, "none")
	}
}

// eventShapes yields the path and the shapes of each member of an event.
func eventShapes() iter.Seq2[string, []shape] {
	return func(yield func(string, []shape) bool) {
		odd := []shape{
			list("{", `"summary":"a"`, "}"), within(`{"u`, "a", `":0}`), within(`{"u":`, " ", `}`), within(`{"u":"`, "a", ""), // unterminated
		}
		if !yield("", append(everywhere(unknownMembers()...), odd...)) {
			return
		}
		fields := event.Fields()
		for i, f := range fields {
			if !yield(f.Path, shapesOf(f, innerOf(fields[i+1:], f.Path+"[]."))) {
				return
			}
		}
	}
}

// innerOf returns the members whose paths start with a prefix, without that prefix.
func innerOf(fields []event.Field, prefix string) []event.Field {
	var inner []event.Field
	for _, f := range fields {
		if name, ok := strings.CutPrefix(f.Path, prefix); ok && !strings.Contains(name, ".") {
			f.Path = name
			inner = append(inner, f)
		}
	}
	return inner
}

// checkOf returns a function that checks a request in the batch form, in which the member at path has the shape s.
func checkOf(op operation.ID, path string, s shape, n int, stored string) func() {
	const other = 1000_000
	line := `{"op":"` + string(op) + `","params":{"conferenceDataVersion":"1","supportsAttachments":"true","eventLabelVersion":"1","maxAttendees":"1"}`
	body := eventWith(path, s.value(n, 0))
	switch stored {
	case "same":
		line += `,"existing":` + body
	case "shuffled":
		line += `,"existing":` + eventWith(path, reversed(s, n))
	case "other":
		line += `,"existing":` + eventWith(path, s.value(n, other))
	}
	line += `,"body":` + body + "}"
	return func() {
		var req batch.Request
		if req.UnmarshalJSON([]byte(line)) != nil {
			return
		}
		if result, err := req.Check(&event.Checker{}); err == nil {
			batch.AppendAnswer(nil, req.ID, result)
		}
	}
}

// reversed returns the value of a shape with its elements in reverse order.
func reversed(s shape, n int) string {
	empty := s.value(0, 0)
	open := strings.TrimRight(empty, `"]}`)
	end := empty[len(open):]
	elements := make([]string, n)
	for i := range elements {
		one := s.value(1, n-1-i)
		elements[i] = one[len(open) : len(one)-len(end)]
	}
	return open + strings.Join(elements, ",") + end
}

// eventWith returns an event with the given value at a path in the notation of [event.Field].
func eventWith(path, value string) string {
	const start, end = `"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`, `"id":"abcde"`
	if path == "" {
		return strings.Replace(value, "{", "{"+start+",", 1)
	}
	tokens := strings.Split(path, ".")
	for i, token := range slices.Backward(tokens) {
		value = `"` + strings.TrimSuffix(token, "[]") + `":` + value
		if i > 0 {
			value = "{" + value + "}"
			if strings.HasSuffix(tokens[i-1], "[]") {
				value = "[" + value + "]"
			}
		}
	}
	switch first := strings.TrimSuffix(tokens[0], "[]"); first {
	case "start", "end", "id":
		return "{" + value + "," + end + "}"
	}
	return "{" + start + "," + value + "}"
}

// ofExpand returns the subjects that expand a series.
func ofExpand() []subject {
	var all []subject
	for _, s := range []shape{
		list("[", `"RRULE:FREQ=DAILY;COUNT=#"`, "]"),
		list(`["RRULE:FREQ=DAILY","EXDATE:`, "20260310T090000Z", `"]`),
		list(`["RRULE:FREQ=DAILY","RDATE:`, "20260310T09000#Z", `"]`),
		list(`["RRULE:FREQ=YEARLY;BYYEARDAY=`, "1", `"]`),
		list(`["RRULE:FREQ=DAILY",`, `"EXDATE:20260310T090000Z"`, "]"),
		dates("[", `"RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1;COUNT=1","RDATE:#"`, "]"),
	} {
		all = append(all, subject{"expand " + s.name, func(n int) func() {
			line := fmt.Sprintf(`{"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"},"limit":%d,"recurrence":%s}`, n, s.value(n, 0))
			return func() {
				var req batch.Expansion
				if req.UnmarshalJSON([]byte(line)) == nil {
					batch.Expand(&req)
				}
			}
		}})
	}
	return all
}

// ofBodies returns the subjects that check resources other than events, with a large value for each array, map and string.
func ofBodies() []subject {
	anyText := []shape{text("a"), text(`\u00e9`), within(`"https://`, "a", `/"`), within(`"\"`, `\\`, `"`), within(`"2026-03-10T09:00:00.`, "1", `Z"`)}
	anyObject := append(unknownMembers(), within(`{"u`, "a", `":0}`), list("{", `"id":"a"`, "}"))
	var all []subject
	add := func(op operation.ID, open, end string, shapes ...shape) {
		for _, s := range shapes {
			for dialect := range diag.Google + 1 {
				all = append(all, subject{fmt.Sprintf("%s %s%s %v", op, open, s.name, dialect), func(n int) func() {
					req := &event.Request{Op: op, Dialect: dialect, Body: []byte(open + s.value(n, 0) + end)}
					return func() { say(nil, req) }
				}})
			}
		}
	}
	add("calendars.insert", "", "", anyObject...)
	add("calendars.insert", `{"timeZone":`, "}", anyText...)
	add("calendars.insert", `{"workingHours":`, "}", anyObject...)
	add("calendars.update", `{"summary":"a","labelProperties":{"eventLabels":`, "}}", arrays([]event.Field{{Path: "id", Type: "string"}, {Path: "name", Type: "string"}, {Path: "backgroundColor", Type: "string"}})...)
	add("calendarList.insert", `{"id":"a","defaultReminders":`, "}", arrays([]event.Field{{Path: "method", Type: "string"}, {Path: "minutes", Type: "integer"}})...)
	add("calendarList.patch", `{"notificationSettings":{"notifications":`, "}}", arrays([]event.Field{{Path: "method", Type: "string"}, {Path: "type", Type: "string"}})...)
	add("calendarList.patch", `{"conferenceProperties":{"allowedConferenceSolutionTypes":`, "}}", list("[", `"hangoutsMeet#"`, "]"), list("[", "0", "]"))
	add("acl.insert", `{"role":`, "}", anyText...)
	add("acl.insert", `{"role":"reader","scope":`, "}", anyObject...)
	add("acl.insert", `{"role":"reader","scope":{"type":`, "}}", anyText...)
	add("freebusy.query", `{"items":`, "}", arrays([]event.Field{{Path: "id", Type: "string"}})...)
	add("freebusy.query", `{"timeMax":"2026-03-10T09:00:00Z","timeMin":`, "}", anyText...)
	add("events.watch", `{"id":"a","address":`, "}", anyText...)
	add("events.watch", `{"id":"a","params":`, "}", list("{", `"k#":"v"`, "}"), list("{", `"k#":0`, "}"), list("{", `"k":"v"`, "}"), list("[", "0", "]"))
	add("events.watch", `{"expiration":`, "}", append([]shape{within("1", "0", ""), within("1e", "9", ""), list("[", "0", "]")}, anyText...)...)
	add("channels.stop", `{"id":`, "}", anyText...)
	return all
}

// say checks a request and formats the messages of its findings.
func say(c *event.Checker, req *event.Request) {
	findings, err := c.Find(req)
	check(err)
	for _, f := range findings {
		_ = f.Message()
	}
}

// ofSeries returns the subjects for functions that edit and list a series with many exceptions, lines or values.
func ofSeries() []subject {
	later := event.TimeAt(time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC))
	edits := map[string]func(event.Series){
		"split":       func(s event.Series) { _, _ = s.Split(s.Event.Start) },
		"truncate":    func(s event.Series) { _, _ = s.Truncate(s.Event.Start) },
		"move":        func(s event.Series) { _, _ = s.Move(event.TimeAt(moved)) },
		"instance at": func(s event.Series) { _, _ = s.At(s.Event.Start) },
		"instance by": func(s event.Series) { _, _ = s.ByID("s_20260312T090000Z") },
		"count":       func(s event.Series) { _, _ = s.Count(event.Window{}, 1) },
		"last":        func(s event.Series) { _, _ = s.Last(event.Window{To: moved.AddDate(1, 0, 0)}) },
		"standing":    func(s event.Series) { _, _ = s.Standing() },
		"advice":      func(s event.Series) { _, _ = s.Advice(diag.Google) },
		"explain":     func(s event.Series) { _, _ = s.Explain() },
		"difference":  func(s event.Series) { _, _ = s.Difference(event.Series{Event: s.Event}) },
		"same":        func(s event.Series) { _, _, _ = s.Equal(event.Series{Event: s.Event}) },
		"rezone":      func(s event.Series) { _, _ = s.Rezone("Asia/Kolkata") },
		"reclock":     func(s event.Series) { _, _ = s.Reclock("Asia/Kolkata") },
		"all day":     func(s event.Series) { _, _ = s.AllDay() },
		"add":         func(s event.Series) { _, _ = s.Add(event.TimeAt(moved)) },
		"exclude":     func(s event.Series) { _, _ = s.Exclude(later) },
		"cancel":      func(s event.Series) { _, _ = s.Cancel(later) },
		"restore":     func(s event.Series) { _, _ = s.Restore(later) },
		"reset":       func(s event.Series) { _, _ = s.Reset(later) },
		"join": func(s event.Series) {
			if split, err := s.Split(later); err == nil {
				_, _ = split.Before.Join(split.After)
			}
		},
	}
	series := func(recurrence string) *event.Event {
		e, _ := event.Decode([]byte(`{"id":"s","start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-10T10:00:00Z","timeZone":"UTC"},"recurrence":`+recurrence+`}`), diag.Documents)
		return e
	}
	const sparse = `["RRULE:FREQ=SECONDLY;INTERVAL=86413;BYMONTH=1;BYMONTHDAY=1;BYHOUR=4,23;BYMINUTE=59;BYSECOND=59;COUNT=1000"]`
	var all []subject
	for name, edit := range edits {
		for _, rule := range []string{`["RRULE:FREQ=DAILY"]`, sparse} {
			all = append(all, subject{name + " with exceptions of " + rule, func(n int) func() {
				s := event.Series{Event: series(rule)}
				for i := range n {
					original := event.TimeAt(time.Date(2026, 3, 10+i, 9, 0, 0, 0, time.UTC))
					s.Exceptions = append(s.Exceptions, &event.Event{ID: fmt.Sprint(i), RecurringEventID: "s", OriginalStartTime: original})
				}
				return func() { edit(s) }
			}})
		}
		for _, lines := range []shape{
			dates(`["RRULE:FREQ=DAILY","EXDATE:20260311T090000Z",`, `"EXDATE:#"`, "]"), dates(`["RRULE:FREQ=DAILY",`, `"RDATE:#"`, "]"),
			dates(`["RRULE:FREQ=DAILY","RDATE:`, "#", `"]`), list(`["RRULE:FREQ=YEARLY;BYYEARDAY=`, "1", `"]`),
		} {
			all = append(all, subject{name + " " + lines.name, func(n int) func() {
				s := event.Series{Event: series(lines.value(n, 0))}
				return func() { edit(s) }
			}})
		}
	}
	return all
}

// moved is the start to which series are moved.
var moved = time.Date(2026, 3, 11, 10, 0, 0, 0, time.UTC)

// ofTexts returns the subjects with custom message texts: long texts, and texts with many placeholders and braces.
func ofTexts() []subject {
	const key = "time.order/before"
	req := &event.Request{Op: operation.EventsInsert, Body: []byte(`{"start":{"date":"2026-03-11"},"end":{"date":"2026-03-10"}}`)}
	var all []subject
	for _, piece := range []string{"a", "{", "}", "{a", "{end}", "{The end}", "{end", "{{end}}", "{end|one|many}", "{end|", "{ end}"} {
		all = append(all, subject{"text " + piece, func(n int) func() {
			texts := diag.Texts{key: "x" + strings.Repeat(piece, n)}
			return func() {
				if c, err := new(event.Checker).WithTexts(texts); err == nil {
					say(c, req)
				}
			}
		}})
	}
	return all
}

// ofDatabase returns the subjects with requests to the realtime database.
func ofDatabase() []subject {
	var all []subject
	for _, s := range []shape{
		list(`"url":"/a.json?`, "auth=#", `"`), list(`"url":"/a.json?`, "p#=%41", `"`), list(`"url":"/a.json?`, "p#;", `"`), list(`"url":"/a.json?`, "p#=%zz", `"`), list(`"url":"/`, "a%2F#/..", `.json"`),
		list(`"url":"https://u:`, "p@", `/a.json"`), list(`"url":"/a.json","headers":[`, `["Authorization","Bearer a#"]`, "]"),
		list(`"url":"/a.json","headers":[`, `["X-#","a"]`, "]"), list(`"url":"/a.json","known":{`, `"t#":{"kind":"id_token"}`, "}"),
		list(`"dialect":"google","url":"/a.json?auth_variable_override={`, `\"a#\":1`, `}"`), list(`"dialect":"google","url":"/a.json?`, "auth_variable_override=#", `"`),
	} {
		all = append(all, subject{"rtdb " + s.name, func(n int) func() {
			line := `{"method":"GET",` + strings.ReplaceAll(s.value(n, 0), ",auth", "&auth") + "}"
			line = strings.ReplaceAll(line, ",p", "&p")
			return func() {
				var req rtdbline.Request
				if req.UnmarshalJSON([]byte(line)) == nil {
					rtdbline.Check(&req)
				}
			}
		}})
	}
	return append(all, ofRedaction()...)
}

// ofRedaction returns the subjects that redact credentials in a URL.
func ofRedaction() []subject {
	var all []subject
	for _, piece := range []string{
		"//u@h/", "%2F%2Fu%40h/", "//%2525/", "/", `\\`, ":/", "//a:b/", "a:b@", "a;", "auth;", "%", "#&", "auth=&", "bearer ", "%25",
	} {
		all = append(all, subject{"redact " + piece, func(n int) func() {
			url := "/a.json?" + strings.Repeat(piece, n) + "@"
			return func() { rtdbauth.RedactURL(url) }
		}})
	}
	return all
}

// ofMerge returns the subjects that merge JSON, with many members or a long string in deeply nested objects.
func ofMerge() []subject {
	merge := func(name string, target, patch func(n int) string) subject {
		return subject{"merge " + name, func(n int) func() {
			a, b := []byte(target(n)), []byte(patch(n))
			return func() { event.MergeJSON(nil, a, b) }
		}}
	}
	object := func(key int) func(n int) string {
		s := list("{", `"m#":{"a":#}`, "}")
		return func(n int) string { return s.value(n, key) }
	}
	nested := func(n int) string {
		depth := min(90, n/40)
		return strings.Repeat(`{"a":`, depth) + `"` + strings.Repeat("x", 100_000) + `"` + strings.Repeat("}", depth)
	}
	return []subject{merge("same", object(0), object(0)), merge("other", object(0), object(1<<20)),
		merge("nested", nested, nested)}
}

// ofPairs returns the subjects for functions of two events, which contain long arrays and maps, and many members at several
// depths below long names.
func ofPairs() []subject {
	functions := map[string]func(a, b *event.Event){
		"diff":       func(a, b *event.Event) { a.Diff(b, diag.Google) },
		"make patch": func(a, b *event.Event) { a.PatchTo(b, diag.Google) },
		"equal":      func(a, b *event.Event) { a.Equal(*b) },
		"update":     func(a, b *event.Event) { a.AfterUpdate(b) },
		"patch":      func(a, b *event.Event) { _, _ = a.AfterPatch(b.AppendIn(diag.Google, nil), diag.Google) },
	}
	var all []subject
	for path, shapes := range eventValues() {
		for _, s := range shapes {
			for name, call := range functions {
				for _, key := range []int{0, 1000_000} {
					all = append(all, subject{fmt.Sprintf("two events: %s %s %s %d", name, path, s.name, key), func(n int) func() {
						a, _ := event.Decode([]byte(eventWith(path, s.value(n, 0))), diag.Google)
						b, _ := event.Decode([]byte(eventWith(path, s.value(n, key))), diag.Google)
						return func() { call(a, b) }
					}})
				}
			}
		}
	}
	return all
}

// eventValues returns shapes of members by path: long names around many members, at several depths, and long arrays and maps.
func eventValues() map[string][]shape {
	around := func(depth int) shape {
		return shape{name: fmt.Sprintf("long names around members, %d deep", depth), value: func(n, key int) string {
			open := strings.Repeat(`{"`+strings.Repeat("a", n)+`":`, depth)
			return open + list("{", `"m#":0`, "}").value(n, key) + strings.Repeat("}", depth)
		}}
	}
	return map[string][]shape{
		"x":                                    {around(1), around(20), list("{", `"m#":{"a":0}`, "}"), list("{", `"m#":null`, "}"), list("[", "#", "]")},
		"attendees":                            {list("[", `{"email":"a#@example.com"}`, "]"), list("[", `{"id":"#","x":{"a":null}}`, "]")},
		"attachments":                          {list("[", `{"fileUrl":"https://a.example/#"}`, "]")},
		"extendedProperties.private":           {list("{", `"k#":"v"`, "}"), list("{", `"k#":null`, "}")},
		"workingLocationProperties.homeOffice": {around(1), list("{", `"m#":0`, "}")},
	}
}

// ofFindings returns the subjects that settle findings, where some findings supersede others. There are subjects for each rule
// that supersedes or is superseded, and for all rules together, with findings at one path and at different paths.
func ofFindings() []subject {
	all := event.Catalogue().Rules()
	stage := engine.NewStage(nil, all, "/start", "/end", "/recurrence")
	settle := func(rules []*diag.Rule, path string) func(n int) func() {
		return func(n int) func() {
			found := make(diag.Findings, n)
			for i := range found {
				r := rules[i%len(rules)]
				found[i] = diag.Finding{Rule: r, Kind: r.Kind, Path: diag.Pointer(strings.ReplaceAll(path, "#", fmt.Sprint(i/len(rules))))}
			}
			return func() { stage.Settle(&engine.Collector{Findings: slices.Clone(found)}, 0, nil) }
		}
	}
	var subjects []subject
	for _, path := range []string{"/recurrence", "/recurrence/#", "/attendees/#/email"} {
		subjects = append(subjects, subject{"findings of all rules at " + path, settle(all, path)})
		for _, r := range all {
			if r.YieldsToValue || r.AssumesValid != nil || r.Supersedes != nil {
				subjects = append(subjects, subject{"findings of " + r.ID + " at " + path, settle([]*diag.Rule{r}, path)})
			}
		}
	}
	return subjects
}
