package payload

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/internal/wire"
	"github.com/calrules/calrules/operation"
)

// site is a draft that steps break one after the other.
type site struct {
	*draw.T
	*draft
	place diag.Pointer // of the last edit

	// What words may depend on: the value before the edit, what the last edit or parameter sent,
	// where the series begins, and what an earlier word drew.
	was   any
	sent  string
	start *begin
	param operation.Param
	part  byPart
	tail  string
}

// step is one of them.
type step = func(s *site)

// steps break a request. The place of the finding is that of the last edit or, if it is not nil, the
// base, followed by the suffix.
type steps struct {
	list   []step
	base   *diag.Pointer
	suffix diag.Pointer
}

func (all *steps) run(t *draw.T, d *draft) diag.Pointer {
	s := &site{T: t, draft: d}
	for _, step := range all.list {
		step(s)
	}
	if all.base != nil {
		s.place = *all.base
	}
	return s.place + all.suffix
}

// begin returns where the series of the body begins, as it was before the first step that asks.
func (s *site) begin() *begin {
	if s.start == nil {
		s.start = beginOf(s.body)
	}
	return s.start
}

// compile returns the step that a field describes.
func compile(field string) step {
	word, rest, _ := strings.Cut(field, " ")
	switch {
	case word[0] == '/':
		return edit(field, editors["body"])
	case word[0] == '?':
		return sending(field[1:])
	case editors[word] != nil:
		return edit(rest, editors[word])
	default:
		return lookUp(verbs, word)(rest)
	}
}

// editor is where an edit sets or removes a member.
type editor struct {
	set     func(d *draft, path diag.Pointer, value any)
	unset   func(d *draft, path diag.Pointer)
	isPlace bool
}

var editors = map[string]*editor{
	"body":   {(*draft).setBody, (*draft).unsetBody, true}, // which need not be written
	"also":   {(*draft).setBody, nil, false},
	"given":  {(*draft).set, (*draft).unset, true},
	"stored": {nil, (*draft).forget, false},
}

// edit returns the step for "PATH = VALUE" or "PATH -".
func edit(text string, in *editor) step {
	path, value, sets := strings.Cut(text, " = ")
	place := parsePlace(strings.TrimSuffix(path, " -"))
	if !sets {
		return func(s *site) { s.edit(in, place(s), func(path diag.Pointer) { in.unset(s.draft, path) }) }
	}
	drawn, varies := parseValue(value), strings.Contains(value, "<")
	return func(s *site) {
		s.edit(in, place(s), func(path diag.Pointer) {
			s.was = at(s.body, path)
			v := drawn(s)
			if text, ok := v.(string); ok {
				if varies && text == s.was {
					text += "0" // because it must be another
				}
				s.sent, v = text, text
			}
			in.set(s.draft, path, v)
		})
	}
}

func (s *site) edit(in *editor, path diag.Pointer, change func(diag.Pointer)) {
	if change(path); in.isPlace {
		s.place = path
	}
}

// parsePlace reads a path, in which * stands for any element of an array, and + for a new one. After
// "/~" it is a pattern.
func parsePlace(text string) func(s *site) diag.Pointer {
	if drawn, ok := strings.CutPrefix(text, "/~"); ok {
		p := parsePattern(drawn)
		return func(s *site) diag.Pointer { return diag.Pointer("/" + p.draw(s)) }
	}
	if list, ok := strings.CutSuffix(text, "/+"); ok {
		return func(s *site) diag.Pointer {
			elements, _ := at(s.body, diag.Pointer(list)).([]any)
			if elements == nil {
				put(s.body, diag.Pointer(list), []any{})
			}
			return diag.Pointer(list).Index(len(elements))
		}
	}
	if text == "/" {
		text = ""
	}
	return func(s *site) diag.Pointer { return drawIndexes(s.T, s.body, text) }
}

// parseValue reads a value.
func parseValue(text string) func(s *site) any {
	if list, ok := strings.CutPrefix(text, "one "); ok {
		values := decodeJSON([]byte(list)).([]any)
		return func(s *site) any { return s.expand(draw.One(s.T, "value", values...)) }
	}
	var v any = text
	if text[0] != '~' && text[0] != '<' {
		v = decodeJSON([]byte(text))
	}
	v = precompiled(v)
	return func(s *site) any { return s.expand(v) }
}

// precompiled replaces the texts in a value that are patterns or words by functions that draw them.
func precompiled(v any) any {
	switch v := v.(type) {
	case string:
		if p, ok := strings.CutPrefix(v, "~"); ok {
			p := parsePattern(p)
			return func(s *site) any { return p.draw(s) }
		}
		if wordForm().FindString(v) == v && v != "" {
			word, args := findWord(values(), strings.Trim(v, "<>"))
			if word == nil {
				panic("there is no value " + v)
			}
			return func(s *site) any { return word(s, args) }
		}
	case members:
		for name := range v {
			v[name] = precompiled(v[name])
		}
	case []any:
		for i := range v {
			v[i] = precompiled(v[i])
		}
	}
	return v
}

// expand returns a copy of a value in which the functions have drawn.
func (s *site) expand(v any) any {
	switch v := v.(type) {
	case func(s *site) any:
		return v(s)
	case members:
		all := members{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all[name] = s.expand(v[name])
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = s.expand(v[i])
		}
		return all
	default:
		return v
	}
}

// sending returns the step for a query parameter: "NAME = VALUE & VALUE" or "NAME -". NAME is a
// pattern, after ~, or a list of names, of which those are drawn that the operation takes.
func sending(text string) step {
	names, list, sends := strings.Cut(text, " = ")
	name := parseParam(strings.TrimSuffix(names, " -"))
	var values []*pattern
	if sends {
		for value := range strings.SplitSeq(list, " & ") {
			values = append(values, parsePattern(value))
		}
	}
	return func(s *site) {
		drawn := name(s)
		s.place = diag.Pointer("?" + drawn)
		sent := []string{}
		for _, p := range values {
			s.sent = p.draw(s)
			if sent = append(sent, s.sent); len(sent) == 1 {
				s.was = s.sent
			}
		}
		s.params[drawn] = sent
	}
}

func parseParam(names string) func(s *site) string {
	if drawn, ok := strings.CutPrefix(names, "~"); ok {
		p := parsePattern(drawn)
		return func(s *site) string { return p.draw(s) }
	}
	listed := strings.Split(names, ",")
	return func(s *site) string {
		row, _ := operation.Lookup(s.op)
		taken := slices.DeleteFunc(slices.Clone(listed), func(name string) bool { return len(listed) > 1 && !row.Takes(name) })
		return draw.One(s.T, "parameter", taken...)
	}
}

// fact returns the verb that sets a fact about the request: the member of that name in the batch form.
func fact(name string, set func(d *draft, read *event.Request)) func(rest string) step {
	return func(rest string) step {
		value := parseValue(rest)
		return func(s *site) {
			read := new(wire.Request)
			if err := read.UnmarshalJSON(encodeJSON(members{name: value(s)})); err != nil {
				panic(err)
			}
			set(s.draft, &read.Request)
		}
	}
}

// verb is one without anything after it.
func verb(do step) func(string) step { return func(string) step { return do } }

// verbs are the other steps, by their first word.
var verbs = sync.OnceValue(func() map[string]func(rest string) step {
	return map[string]func(string) step{
		"caller":   fact("caller", func(d *draft, read *event.Request) { d.caller = read.Caller }),
		"calendar": fact("calendar", func(d *draft, read *event.Request) { d.calendar = read.Calendar }),
		"series":   fact("series", func(d *draft, read *event.Request) { d.series = read.Series }),
		"ifMatch":  ifMatch,
		"nothing":  verb(func(s *site) { s.saved, s.stored = nil, nil }), // nothing stored

		// The event becomes a single one of an hour or of one day, in 2026 or later.
		"hour": verb((*site).hour),
		"day":  verb((*site).day),

		"text":   rewriting,     // sends another text instead of the body
		"member": unknownMember, // adds a member of that name to any of the objects
		"do":     func(name string) step { return lookUp(deeds, name) },
		"anew":   anew,            // makes a patch send all of a member
		"entry":  entryWith,       // adds an entry point of one of the types with a uri
		"line":   addLine,         // adds a line anywhere into the recurrence
		"lines":  setLines,        // replaces the recurrence by lines in any order
		"rules":  rulesNotOfStart, // replaces it by rules that do not match the start
		"repeat": repeatLine,      // repeats the first line
		"moved":  moved,           // moves the event by a number of days in a range
		"end":    ending,          // ends the event at a distance in a range from its start

		"fraction": fractionOfEnd,
	}
})
