package gen

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/occasion"
)

// The variants in this file come from what the schema declares of members: their constraints, their
// types, and whether they are required. A new rule of this kind needs no variants by hand.

// fault is a fault of members that the schema implies: of one member, or of several with the same declaration.
type fault struct {
	rule   *diag.Rule
	around string // the key of [aroundMembers]
	what   string // the name of the constraint, or what else is declared
	fields []*field
	breaks func(in *fault, base variant) []variant
}

// aroundOf returns the key of [aroundMembers] with the longest path to the member.
func aroundOf(f *field) (found string) {
	longest := ""
	for paths := range aroundMembers() {
		for path := range strings.FieldsSeq(paths) {
			if strings.HasPrefix(f.pattern+"/", path+"/") && len(path) > len(longest) {
				found, longest = paths, path
			}
		}
	}
	return found
}

// derived are the variants that the schema implies, by rule.
var derived = sync.OnceValue(func() map[string][]variant {
	all := map[string][]variant{}
	for _, f := range faults() {
		for _, base := range aroundMembers()[f.around] {
			if !slices.ContainsFunc(f.fields, func(f *field) bool { return !f.fixed }) {
				base = base.only(diag.Create | diag.Response)
			}
			for _, v := range f.breaks(f, base) {
				if base.name != "" && base.name != "plain" {
					v.name += ", " + base.name
				}
				all[f.rule.ID] = append(all[f.rule.ID], v)
			}
		}
	}
	return all
})

// faults lists what can be wrong with members by themselves.
func faults() (all []*fault) {
	add := func(f *field, rule *diag.Rule, what string, breaks func(in *fault, base variant) []variant) {
		around := aroundOf(f)
		i := slices.IndexFunc(all, func(f *fault) bool { return f.rule == rule && f.around == around && f.what == what })
		if i < 0 {
			i = len(all)
			all = append(all, &fault{rule, around, what, nil, breaks})
		}
		all[i].fields = append(all[i].fields, f)
	}
	for _, f := range fields() {
		for _, c := range f.Constraints {
			if c.If == "" {
				add(f, c.Rule, c.Name, f.outside(c.Constraint))
			}
		}
		for _, c := range f.KeyConstraints {
			_, most := c.Range()
			add(f, c.Rule, "key", func(in *fault, base variant) []variant {
				return base.each(in.key, named(longerThan(int(most)), "a key of ")...)
			})
		}
		for _, c := range f.ValueConstraints {
			_, most := c.Range()
			add(f, c.Rule, "value", func(in *fault, base variant) []variant {
				return base.each(in.entry, named(longerThan(int(most)), "a value of ")...)
			})
		}
		for _, rule := range f.Required {
			add(f, rule, "required", missing)
		}
		if rule := f.typeRule(); rule != nil {
			add(f, rule, "type", func(in *fault, base variant) []variant {
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

// draw draws one of the members, and adds the objects and lists around it. For a change, it draws no members that
// cannot change. A time gets no further members, because its two forms exclude each other; a zone is drawn beside a dateTime.
func (p *fault) draw(d *draft) diag.Pointer {
	open := slices.DeleteFunc(slices.Clone(p.fields), func(f *field) bool { return f.fixed && d.stored != nil })
	f := draw.One(d.T, "member", open...)
	path, parent := f.first(), outer(f.first())
	if f.Struct != reflect.TypeFor[event.Time]() {
		return d.reach(parent) + path[len(parent):]
	}
	if f.Name == "TimeZone" && At(d.body, parent) == nil {
		put(d.body, parent.Member("dateTime"), offsetDateTime.Draw(d.T, "dateTime"))
	}
	return path
}

func (p *fault) value(d *draft, value func() any) diag.Pointer {
	path := p.draw(d)
	put(d.body, path, value())
	return path
}

// element is the target for an element of a list of texts.
func (p *fault) element(d *draft, value func() any) diag.Pointer {
	path := p.draw(d)
	put(d.body, path, []any{value()})
	return path.Index(0)
}

// key is the target for the name of an entry in a map, and entry for the value of one.
func (p *fault) key(d *draft, value func() any) diag.Pointer {
	path := p.draw(d).Member(value().(string))
	put(d.body, path, draw.Text(10).Draw(d.T, "value"))
	return path
}

func (p *fault) entry(d *draft, value func() any) diag.Pointer {
	path := p.draw(d)
	path = path.Member(draw.Name.Draw(d.T, "key"))
	put(d.body, path, value())
	return path
}

// missing returns variants without a required member: it is absent, null or empty.
func missing(in *fault, base variant) []variant {
	f := in.fields[0]
	if !strings.HasSuffix(outer(f.pattern), "*") {
		base = base.only(diag.Create | occasion.Update) // because a patch without it keeps the stored one
	}
	leftOut := base.with("left out", func(d *draft) {
		d.Place = in.fresh(d)
		remove(d.body, d.Place)
	})
	empty := []badValue{just("null", nil)}
	if f.Type == "string" && f.allows("", nil) {
		empty = append(empty, just("empty", ""))
	}
	return append(base.each(func(d *draft, value func() any) diag.Pointer {
		path := in.fresh(d)
		put(d.body, path, value())
		return path
	}, empty...), leftOut)
}

// fresh draws one of the members. If that is in an element of an array, fresh removes the id by which
// the service would find the element among the stored ones.
func (p *fault) fresh(d *draft) diag.Pointer {
	path := p.draw(d)
	if parent := outer(path); parent != "" {
		remove(d.body, parent+"/id")
	}
	return path
}

// outside returns variants with values that a constraint does not allow.
func (f *field) outside(c *constraint.Constraint) func(in *fault, base variant) []variant {
	return func(in *fault, base variant) []variant {
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
	drawn := func(length draw.Generator[int]) func(d *draft) any {
		return func(d *draft) any {
			n := length.Draw(d.T, "characters")
			if text := padded(draw.Text(freeText).Draw(d.T, "text"), n); f.allows(text, c) {
				return text
			}
			return strings.Repeat("a", n)
		}
	}
	of := func(n int) func(d *draft) any { return drawn(draw.Just(n)) }
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
	of := func(n int) func(*draft) any {
		return func(*draft) any { return f.elements(n) }
	}
	farTooMany := draw.Around(2*limit, 100*limit)
	return []badValue{
		{"one too many", of(limit + 1)},
		{"far too many", func(d *draft) any { return f.elements(farTooMany.Draw(d.T, "elements")) }},
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
