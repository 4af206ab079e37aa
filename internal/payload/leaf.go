package payload

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/internal/occasion"
)

// The variants in this file come from what the schema declares of members: their constraints, their
// types, and whether they are required. A new rule of this kind needs no variants by hand.

// setting is what a request must have so that a value of some members breaks only the rule about
// that value.
type setting struct {
	members string // their patterns, separated by spaces; the members within belong to them
	bases   []variant

	// ready, if not nil, prepares the place. Otherwise the objects and lists around it are added.
	ready func(t *draw.T, d *draft, place diag.Pointer)
}

// settings are those of all members: the first of members that need none. The longest pattern counts.
func settings() []setting {
	const exceptImport = WithBody &^ occasion.Import
	ofType := func(typ string, prepare preparation) []variant {
		return []variant{
			{types: []string{typ}, on: exceptImport, prepare: prepare},
			{types: defaultTypes, name: ", in a default event"},
		}
	}
	conference := []string{"conferenceData"}
	return []setting{
		{"", []variant{{}}, nil},
		{"/start /end", []variant{
			{prepare: single},
			{prepare: func(t *draw.T, e *event.Event) { drawSeries(t, e, true) }, on: occasion.Import | occasion.Update, name: ", of a series"},
		}, nil},
		{"/start/date /end/date /originalStartTime/date", []variant{{prepare: spanOf(allDayForm)}}, asItIs},
		{"/start/dateTime /end/dateTime /originalStartTime/dateTime", []variant{{prepare: spanOf(timedForm)}}, asItIs},
		{"/start/timeZone /end/timeZone /originalStartTime/timeZone", []variant{{prepare: zoneMayGo}}, asATime},
		{"/attendees", []variant{{prepare: withAttendees}}, nil},
		{"/attachments", []variant{{prepare: withAttachment}}, nil},
		{"/extendedProperties", []variant{{prepare: withProperties}}, nil},
		{"/gadget", []variant{{prepare: withGadget}}, nil},
		{"/reminders", []variant{{prepare: withOverrides}}, nil},
		{"/source", []variant{{prepare: withSource}}, nil},
		{"/conferenceData", []variant{{prepare: withConference, whole: conference}}, nil},
		{"/conferenceData/entryPoints/*/label", []variant{{prepare: withLabels, whole: conference}}, nil},
		{"/eventType", []variant{{types: defaultTypes}}, nil},
		{"/focusTimeProperties", ofType(constraint.TypeFocusTime, nil), nil},
		{"/outOfOfficeProperties", ofType(constraint.TypeOutOfOffice, nil), nil},
		{"/workingLocationProperties", ofType(constraint.TypeWorkingLocation, atHome), nil},
		{"/birthdayProperties", ofType(constraint.TypeBirthday, nil), nil},
	}
}

func asItIs(*draw.T, *draft, diag.Pointer) {}

// asATime adds a dateTime if the time at the place is absent.
func asATime(t *draw.T, d *draft, place diag.Pointer) {
	if time := outer(place); at(d.body, time) == nil {
		put(d.body, time.Member("dateTime"), offsetDateTime.Draw(t, "dateTime"))
	}
}

// settingOf returns a member's setting, which is the first if it needs none.
func settingOf(all []setting, f *field) *setting {
	found, longest := &all[0], 0
	for i := range all {
		for of := range strings.FieldsSeq(all[i].members) {
			if strings.HasPrefix(f.pattern+"/", of+"/") && len(of) > longest {
				found, longest = &all[i], len(of)
			}
		}
	}
	return found
}

// fault is what the schema says that is wrong with members: with one or with several that declare the
// same.
type fault struct {
	rule    *diag.Rule
	setting *setting
	what    string // the name of the constraint, or what else is declared
	fields  []*field
	breaks  func(in *place, base variant) []variant
}

// place is any of the members that a fault is about.
type place struct {
	*setting
	fields []*field
}

// derived are the variants that the schema implies, by rule.
var derived = sync.OnceValue(func() map[string][]variant {
	all := map[string][]variant{}
	for _, f := range faults(settings()) {
		for _, base := range f.setting.bases {
			if !slices.ContainsFunc(f.fields, func(f *field) bool { return !f.fixed }) {
				base = base.only(diag.Create | diag.Response)
			}
			suffix := base.name
			for _, v := range f.breaks(&place{f.setting, f.fields}, base) {
				v.name += suffix
				all[f.rule.ID] = append(all[f.rule.ID], v)
			}
		}
	}
	return all
})

// faults lists what can be wrong with members by themselves.
func faults(settings []setting) (all []*fault) {
	add := func(f *field, rule *diag.Rule, what string, breaks func(in *place, base variant) []variant) {
		setting := settingOf(settings, f)
		i := slices.IndexFunc(all, func(f *fault) bool { return f.rule == rule && f.setting == setting && f.what == what })
		if i < 0 {
			i = len(all)
			all = append(all, &fault{rule, setting, what, nil, breaks})
		}
		all[i].fields = append(all[i].fields, f)
	}
	for _, f := range fields() {
		for _, c := range f.Constraints {
			if !c.Conditional {
				add(f, c.Rule, c.Name, f.outside(c.Constraint))
			}
		}
		for _, c := range f.KeyConstraints {
			_, most := c.Range()
			add(f, c.Rule, "key", func(in *place, base variant) []variant {
				return base.each(in.key, named(longerThan(int(most)), "a key of ")...)
			})
		}
		for _, c := range f.ValueConstraints {
			_, most := c.Range()
			add(f, c.Rule, "value", func(in *place, base variant) []variant {
				return base.each(in.entry, named(longerThan(int(most)), "a value of ")...)
			})
		}
		for _, rule := range f.Required {
			add(f, rule, "required", missing)
		}
		if rule := f.typeRule(); rule != nil {
			add(f, rule, "type", func(in *place, base variant) []variant {
				return append(base.each(in.entry, notTexts()...), base.each(in.value, notMaps()...)...)
			})
		}
	}
	return all
}

// named puts a few words before the names of values.
func named(values []badValue, words string) []badValue {
	for i := range values {
		values[i].name = words + values[i].name
	}
	return values
}

// draw draws one of the members. What cannot change is not drawn for a change.
func (p *place) draw(t *draw.T, d *draft) diag.Pointer {
	open := slices.DeleteFunc(slices.Clone(p.fields), func(f *field) bool { return f.fixed && d.stored != nil })
	f := draw.One(t, "member", open...)
	parent := outer(f.first())
	if p.ready != nil {
		p.ready(t, d, f.first())
		return f.first()
	}
	return d.reach(t, parent) + diag.Pointer(f.pattern[len(parent):])
}

func (p *place) value(t *draw.T, d *draft, value func() any) diag.Pointer {
	path := p.draw(t, d)
	put(d.body, path, value())
	return path
}

// element is the target for an element of a list of texts.
func (p *place) element(t *draw.T, d *draft, value func() any) diag.Pointer {
	path := p.draw(t, d)
	put(d.body, path, []any{value()})
	return path.Index(0)
}

// key is the target for the name of an entry in a map, and entry for the value of one.
func (p *place) key(t *draw.T, d *draft, value func() any) diag.Pointer {
	path := p.draw(t, d).Member(value().(string))
	put(d.body, path, draw.Text(10).Draw(t, "value"))
	return path
}

func (p *place) entry(t *draw.T, d *draft, value func() any) diag.Pointer {
	path := p.draw(t, d)
	path = path.Member(draw.Name.Draw(t, "key"))
	put(d.body, path, value())
	return path
}

// missing returns variants without a required member: it is absent, null or empty.
func missing(in *place, base variant) []variant {
	f := in.fields[0]
	if !strings.HasSuffix(outer(f.pattern), "*") {
		base = base.only(diag.Create | occasion.Update) // because a patch without it keeps the stored one
	}
	leftOut := base.with("left out", func(t *draw.T, d *draft) diag.Pointer {
		path := in.fresh(t, d)
		remove(d.body, path)
		return path
	})
	empty := []badValue{just("null", nil)}
	if f.Type == "string" && f.allows("", nil) {
		empty = append(empty, just("empty", ""))
	}
	return append(base.each(func(t *draw.T, d *draft, value func() any) diag.Pointer {
		path := in.fresh(t, d)
		put(d.body, path, value())
		return path
	}, empty...), leftOut)
}

// fresh draws one of the members. If that is in an element of an array, fresh removes the id by which
// the service would find the element among the stored ones.
func (p *place) fresh(t *draw.T, d *draft) diag.Pointer {
	path := p.draw(t, d)
	if parent := outer(path); parent != "" {
		remove(d.body, parent+"/id")
	}
	return path
}

// outside returns variants with values that a constraint does not allow.
func (f *field) outside(c *constraint.Constraint) func(in *place, base variant) []variant {
	return func(in *place, base variant) []variant {
		low, high := c.Range()
		switch {
		case c.Subject == constraint.Count:
			return base.each(in.value, tooMany(f, int(high))...)
		case c.Subject == constraint.Int:
			return base.each(in.value, slices.Concat(below(low), above(high))...)
		case f.Type == "array of strings":
			return base.each(in.element, f.notAllowed(c)...)
		default:
			return base.each(in.value, f.notAllowed(c)...)
		}
	}
}

// notAllowed are texts that only one constraint of the member does not allow.
func (f *field) notAllowed(c *constraint.Constraint) []badValue {
	low, high := c.Range()
	switch {
	case c.Values() != nil:
		return unlisted(c.Values())
	case high < math.MaxInt64:
		return f.lengths(c, int(low), int(high))
	}
	if values := formsOf(c.Name); values != nil {
		return values
	}
	return f.other(c)
}

// other are texts that a constraint of an unknown form does not allow: values of an enumeration of
// the same member, and texts that are almost a sample.
func (f *field) other(c *constraint.Constraint) (values []badValue) {
	refused := func(texts []string) (all []any) {
		for _, text := range texts {
			if !c.Has(text) && f.allows(text, c) {
				all = append(all, text)
			}
		}
		return all
	}
	var listed []string
	for _, other := range f.Constraints {
		listed = append(listed, other.Values()...)
	}
	for _, text := range refused(listed) {
		values = append(values, just(text.(string), text))
	}
	if len(listed) > 0 {
		return values
	}
	near := f.sampleText()
	for name, texts := range map[string][]string{
		"almost right":   {otherCase(near), near + " ", " " + near, near + "\n", near + "," + near, near[:len(near)-1], near + "x"},
		"another text":   {"x", "?", "a b", "\x00", "🎂"},
		"the empty text": {""},
	} {
		if texts := refused(texts); len(texts) > 0 {
			values = append(values, anyOf(name, texts...))
		}
	}
	slices.SortFunc(values, func(a, b badValue) int { return strings.Compare(a.name, b.name) })
	return values
}

// lengths are texts that are too long or too short, and that the member's other constraints allow.
func (f *field) lengths(c *constraint.Constraint, low, high int) []badValue {
	drawn := func(length draw.Generator[int]) func(s *site) any {
		return func(s *site) any {
			n := length.Draw(s.T, "characters")
			if text := padded(draw.Text(freeText).Draw(s.T, "text"), n); f.allows(text, c) {
				return text
			}
			return strings.Repeat("a", n)
		}
	}
	of := func(n int) func(s *site) any { return drawn(draw.Just(n)) }
	values := []badValue{{"one character over", of(high + 1)}, {"far too long", drawn(draw.Around(2*high, 100*high))}}
	if four := strings.Repeat("🎂", high+1); f.allows(four, c) {
		values = append(values, just("one over, in characters of four bytes", four))
	}
	if low > 1 {
		values = append(values, badValue{"one character too short", of(low - 1)}, badValue{"one character", of(1)})
	}
	if low > 0 {
		values = append(values, just("empty", ""))
	}
	return values
}

// tooMany are lists with too many elements.
func tooMany(f *field, limit int) []badValue {
	of := func(n int) func(*site) any {
		return func(*site) any { return f.elements(n) }
	}
	farTooMany := draw.Around(2*limit, 100*limit)
	return []badValue{
		{"one too many", of(limit + 1)},
		{"far too many", func(s *site) any { return f.elements(farTooMany.Draw(s.T, "elements")) }},
	}
}

// notTexts are values of types other than string. Null is not among them, because it removes an
// entry of a map.
func notTexts() []badValue {
	return []badValue{
		anyOf("a number", 0, -1, 1.5),
		anyOf("a boolean", true, false),
		anyOf("a list", []any{}, []any{"a"}),
		anyOf("an object", members{}, members{"a": "b"}),
	}
}

// notMaps are values of types other than object.
func notMaps() []badValue {
	return []badValue{
		anyOf("a number for the map", 0, 1e3),
		anyOf("a text for the map", "", "{}"),
		anyOf("a boolean for the map", true, false),
		anyOf("a list for the map", []any{}, []any{members{"a": "b"}}),
	}
}
