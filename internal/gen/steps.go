package gen

import (
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/script"
	"github.com/calrules/calrules/operation"
)

// step changes a draft.
type step = script.Step[*draft]

// language is what variants.txt may name.
var language func() *script.Language[*draft]

// init sets it. An initial value would form an initialization cycle, because steps contain values.
func init() {
	language = sync.OnceValue(func() *script.Language[*draft] {
		return &script.Language[*draft]{Words: words(), Steps: namedSteps(), Edit: edit}
	})
}

func parsePattern(text string) func(d *draft) string { return language().Pattern(text) }
func parseValue(text string) func(d *draft) any      { return language().Value(text) }

// edit returns the step for a text that begins with a place: of a member, or of a query parameter.
func edit(text string) step {
	switch text[0] {
	case '/':
		return editing(text, (*draft).setBody, (*draft).unsetBody)
	case '?':
		return sending(text[1:])
	}
	return nil
}

// editing returns the step for "PATH = VALUE" or "PATH -". The functions set and remove members.
func editing(text string, set func(d *draft, path diag.Pointer, value any), unset func(d *draft, path diag.Pointer)) step {
	path, value, sets := strings.Cut(text, " = ")
	place := parsePlace(strings.TrimSuffix(path, " -"))
	if !sets {
		return func(d *draft) {
			d.Place = place(d)
			unset(d, d.Place)
		}
	}
	drawn, varies := parseValue(value), strings.Contains(value, "<")
	return func(d *draft) {
		path := place(d)
		d.Was = At(d.body, path)
		v := drawn(d)
		if text, ok := v.(string); ok {
			if varies && text == d.Was {
				text += "0" // because it must be another
			}
			d.Sent, v = text, text
		}
		set(d, path, v)
		d.Place = path
	}
}

// aside returns an edit that leaves the place of the finding as it is.
func aside(edit step) step {
	return func(d *draft) {
		before := d.Place
		edit(d)
		d.Place = before
	}
}

// parsePlace reads a path, in which * means any element of an array, and + a new one. After
// "/~" it is a pattern.
func parsePlace(text string) func(d *draft) diag.Pointer {
	if drawn, ok := strings.CutPrefix(text, "/~"); ok {
		p := parsePattern(drawn)
		return func(d *draft) diag.Pointer { return diag.Pointer("/" + p(d)) }
	}
	if list, ok := strings.CutSuffix(text, "/+"); ok {
		return func(d *draft) diag.Pointer {
			elements, _ := At(d.body, diag.Pointer(list)).([]any)
			if elements == nil {
				put(d.body, diag.Pointer(list), []any{})
			}
			return diag.Pointer(list).Index(len(elements))
		}
	}
	if text == "/" {
		text = ""
	}
	return func(d *draft) diag.Pointer { return drawIndexes(d.T, d.body, text) }
}

// sending returns the step for a query parameter: "NAME = VALUE & VALUE" or "NAME -". NAME is a
// pattern, after ~, or a list of names: one that the operation takes is drawn.
func sending(text string) step {
	names, list, sends := strings.Cut(text, " = ")
	name := parseParam(strings.TrimSuffix(names, " -"))
	var values []func(d *draft) string
	if sends {
		for value := range strings.SplitSeq(list, " & ") {
			values = append(values, parsePattern(value))
		}
	}
	return func(d *draft) {
		drawn := name(d)
		d.Place = diag.Pointer("?" + drawn)
		sent := []string{}
		for _, p := range values {
			d.Sent = p(d)
			if sent = append(sent, d.Sent); len(sent) == 1 {
				d.Was = d.Sent
			}
		}
		d.params[drawn] = sent
	}
}

func parseParam(names string) func(d *draft) string {
	if drawn, ok := strings.CutPrefix(names, "~"); ok {
		return parsePattern(drawn)
	}
	listed := strings.Split(names, ",")
	return func(d *draft) string {
		row, _ := operation.Lookup(d.op)
		taken := slices.DeleteFunc(slices.Clone(listed), func(name string) bool { return len(listed) > 1 && !row.HasParam(name) })
		return draw.One(d.T, "parameter", taken...)
	}
}

// fact returns the step that sets a fact about the request: the member of that name in the batch form.
func fact(name string, set func(d *draft, read *event.Request)) func(rest string) step {
	return func(rest string) step {
		value := parseValue(rest)
		return func(d *draft) {
			read := new(batch.Request)
			if err := read.UnmarshalJSON(encodeJSON(members{name: value(d)})); err != nil {
				panic(err)
			}
			set(d, &read.Request)
		}
	}
}

// alone is a step without anything after its name.
func alone(do step) func(string) step { return func(string) step { return do } }

// namedSteps are the steps by their first word.
func namedSteps() map[string]func(rest string) step {
	return map[string]func(string) step{
		"given":  func(text string) step { return editing(text, (*draft).set, (*draft).unset) },
		"stored": func(text string) step { return aside(editing(text, nil, (*draft).forget)) },
		"also":   func(text string) step { return aside(editing(text, (*draft).setBody, nil)) },

		"caller":   fact("caller", func(d *draft, read *event.Request) { d.caller = read.Caller }),
		"calendar": fact("calendar", func(d *draft, read *event.Request) { d.calendar = read.Calendar }),
		"series":   fact("series", func(d *draft, read *event.Request) { d.series = read.Series }),
		"ifMatch":  ifMatch,
		"nothing":  alone(func(d *draft) { d.saved, d.stored = nil, nil }), // nothing stored

		// The event becomes a single one of an hour or of one day, in 2026 or later.
		"hour": alone((*draft).hour),
		"day":  alone((*draft).day),

		"text":   rewriting,       // sends another text instead of the body
		"member": unknownMember,   // adds a member of that name to any of the objects
		"anew":   anew,            // makes a patch send all of a member
		"entry":  entryWith,       // adds an entry point of one of the types with a uri
		"line":   addLine,         // adds a line anywhere into the recurrence
		"lines":  setLines,        // replaces the recurrence by lines in any order
		"rules":  rulesNotOfStart, // replaces it by rules that do not match the start
		"repeat": repeatLine,      // repeats the first line
		"moved":  moved,           // moves the event by a number of days in a range
		"end":    ending,          // ends the event at a distance in a range from its start

		"fraction": fractionOfEnd,

		// These break the rules about the types and the names of all members.
		"another-type": alone(anotherType),
		"null-element": alone(nullAt(func(p place) bool { return p.inList })),
		"null-member":  alone(nullAt(func(p place) bool { return p.path != "" && !p.inList })),
		"member-twice": alone(func(d *draft) {
			d.repeat(drawPlace(d.T, func(p place) bool { return p.path != "" && isObject(p) }).path)
		}),
		"key-twice": alone(func(d *draft) { d.repeat(draw.One(d.T, "map", stringMaps()...)) }),
	}
}
