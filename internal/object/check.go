package object

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
)

// Checking contains the parameters of a check against the declarations.
type Checking struct {
	On      diag.When // a single occasion
	Report  *engine.Collector
	Partial bool // missing members may be stored, unless they are null
	Unknown bool // the stored elements of arrays are unknown

	// Offsets are the offsets of the members in the checked value, if it was decoded; otherwise nil.
	Offsets *Offsets

	// NoneAdded reports whether the request adds no elements to arrays. If so, an element that lacks a required member has no
	// effect.
	NoneAdded bool
}

// wants reports whether the declarations alone enforce the rule on this occasion.
func (c Checking) wants(rule *diag.Rule) bool { return rule.Check == nil && rule.When.Has(c.On) }

// nested contains the functions for the objects within a member. All functions are nil for a member without objects.
type nested[P any] struct {
	checked, service bool // whether the objects have constraints, or members that the service writes

	visit          func(at diag.Pointer, do func(diag.Pointer, *Declaration, GoField))
	check          func(c Checking, v, stored P, at place, m *Declaration)
	ignored        func(c Checking, sent, stored P, at diag.Pointer, m *Declaration)
	keep           func(v, stored P)
	overwrites     func(v, stored P) bool    // whether keep changes anything
	saysNothingNew func(sent, stored P) bool // whether stored has every value in sent
	dropMalformed  func(v P, on diag.When)   // see [Table.DropMalformed]
}

// within returns the field to which at points in v, or the zero value if v is nil.
func within[P, F any](at func(P) *F, v P) (f F) {
	if isNil(v) {
		return f
	}
	return *at(v)
}

// Pairing pairs the elements of a new array with the stored elements that they continue. Pairing returns the index of the
// stored element for each new element, or -1. A nil slice means that no element has a partner.
type Pairing[S any] func(elements, stored []S) []int

// Pairings contains the methods of pairing array elements with stored elements.
type Pairings[S any] struct {
	// Identity pairs elements that represent the same object. The service keeps the service-written members of a paired element.
	Identity Pairing[S]

	// Known pairs elements that are not new. Requirements on new elements do not apply to paired elements, and values that are
	// equal to the stored values are not checked. Nil means Identity.
	Known Pairing[S]

	// MayBeKnown, if not nil, is called if the stored elements are unknown. MayBeKnown reports whether an element that
	// lacks a required member may have a stored partner.
	MayBeKnown func(element *S) bool
}

// partners returns a function that returns the stored partner of element i, or nil. The elements are paired on the first call.
func partners[S any](pair Pairing[S], elements, stored []S) func(i int) *S {
	var pairs []int
	return func(i int) *S {
		if pairs == nil && len(stored) > 0 {
			pairs = pair(elements, stored)
		}
		if pairs == nil || pairs[i] < 0 {
			return nil
		}
		return &stored[pairs[i]]
	}
}

func nestedObject[P, Q any](at func(P) *Q, t *Table[Q]) nested[P] {
	return nested[P]{
		checked: t.checked != 0,
		service: t.service != 0,
		visit:   t.Visit,
		check: func(c Checking, v, stored P, place place, m *Declaration) {
			if s := *at(v); !isNil(s) {
				t.check(&c, s, within(at, stored), place.within(m, single), t.checked)
			}
		},
		ignored: func(c Checking, sent, stored P, place diag.Pointer, m *Declaration) {
			if s := *at(sent); !isNil(s) && (t.hasServerFields(s) || t.extra(s).kept != nil) {
				t.checkIgnored(c, s, *at(stored), m.in(place), t.service, true)
			}
		},
		keep: func(v, stored P) {
			if s := *at(v); !isNil(s) && t.overwritesServerFields(s, *at(stored)) {
				*at(v) = t.shallow(s)
				t.restoreServerFields(*at(v), *at(stored))
			}
		},
		overwrites: func(v, stored P) bool { return !isNil(*at(v)) && t.overwritesServerFields(*at(v), *at(stored)) },
		saysNothingNew: func(sent, stored P) bool {
			return !isNil(*at(sent)) && !isNil(*at(stored)) && t.SaysNothingNew(*at(sent), *at(stored))
		},
		dropMalformed: func(v P, on diag.When) {
			if s := *at(v); !isNil(s) && t.hasServerFields(s) {
				*at(v) = t.shallow(s)
				t.DropMalformed(*at(v), on)
			}
		},
	}
}

func nestedArray[P, S any](at func(P) *[]S, t *Table[*S], pairings []Pairings[S]) nested[P] {
	identity := func(_, _ []S) []int { return nil }
	known := identity
	mayBeKnown := func(*S) bool { return false }
	for _, p := range pairings {
		identity, known = p.Identity, p.Identity
		if p.Known != nil {
			known = p.Known
		}
		if p.MayBeKnown != nil {
			mayBeKnown = p.MayBeKnown
		}
	}
	return nested[P]{
		checked: t.checked != 0,
		service: t.service != 0,
		visit: func(path diag.Pointer, do func(diag.Pointer, *Declaration, GoField)) {
			t.Visit(path.Member("*"), do)
		},
		check: func(c Checking, v, stored P, place place, m *Declaration) {
			c.Partial = false // arrays are sent in full
			elements, old := *at(v), within(at, stored)
			partner := partners(known, elements, old)
			i := 0
			was := func() *S {
				if was := partner(i); was != nil || !c.NoneAdded && !(c.Unknown && mayBeKnown(&elements[i])) {
					return was
				}
				return new(S) // a stored element with unknown members
			}
			inArray := place.within(m, 0)
			index := &inArray.steps[inArray.n-1].index
			for demands := t.demandsOn(c.On); i < len(elements); i++ {
				*index = i
				t.checkMembers(&c, demands, &elements[i], nil, was, &inArray, t.checked)
			}
		},
		ignored: func(c Checking, sent, stored P, place diag.Pointer, m *Declaration) {
			elements := *at(sent)
			partner := partners(identity, elements, *at(stored))
			for i := range elements {
				if t.hasServerFields(&elements[i]) {
					t.checkIgnored(c, &elements[i], partner(i), m.in(place).Index(i), t.service, false)
				}
			}
		},
		keep: func(v, stored P) {
			elements := *at(v)
			if sameArray(elements, *at(stored)) {
				return
			}
			partner := partners(identity, elements, *at(stored))
			isShared := true
			for i := range elements {
				if !t.overwritesServerFields(&elements[i], partner(i)) {
					continue
				}
				if isShared {
					elements, isShared = slices.Clone(elements), false
				}
				t.restoreServerFields(&elements[i], partner(i))
			}
			*at(v) = elements
		},
		overwrites: func(v, stored P) bool { return !sameArray(*at(v), *at(stored)) },
		dropMalformed: func(v P, on diag.When) {
			if !slices.ContainsFunc(*at(v), func(s S) bool { return t.hasServerFields(&s) }) {
				return
			}
			*at(v) = slices.Clone(*at(v))
			for i := range *at(v) {
				t.DropMalformed(&(*at(v))[i], on)
			}
		},
	}
}

// CheckConstraints reports missing required members of v, and the members in the set only that break their constraints. The
// parameter stored is the stored value, or nil. Faults of stored elements are not reported again.
func (t *Table[P]) CheckConstraints(c Checking, v, stored P, at diag.Pointer, only Set) {
	t.check(&c, v, stored, place{base: at}, only&t.checked)
}

// check checks the members of an object that are in the set only, including their contents, and reports missing required
// members.
func (t *Table[P]) check(c *Checking, v, stored P, at place, only Set) {
	t.checkMembers(c, t.demandsOn(c.On), v, stored, func() P { return *new(P) }, &at, only)
}

// checkMembers implements check. If v is an array element, was returns its stored partner, or nil.
func (t *Table[P]) checkMembers(c *Checking, demands *demands[P], v, stored P, was func() P, at *place, only Set) {
	extra := t.extra(v)
	if extra.Element() {
		return // decoding has reported that the element is not an object
	}
	for i := range demands.required {
		if d := &demands.required[i]; !d.has(v) && isNil(was()) {
			d.reportMissing(c, demands, v, extra, at)
		}
	}
	if only.Has(demands.constrained) {
		for i := range demands.values {
			if d := &demands.values[i]; only.Has(d.bit) && !d.isKept(v, extra) && !t.isStored(d.Member, v, was()) {
				d.report(c, v, at)
			}
		}
	}
	for s := only & demands.within; s != 0; s &= s - 1 {
		t.first(s).checkWithin(c, v, stored, at)
	}
}

// isKept reports whether the member is absent or has a value that the constraint allows.
func (d *demand[P]) isKept(v P, extra *Extra) bool {
	if d.text != nil {
		s := *d.text(v)
		return s == "" && !extra.WasSent(d.Name) || d.must.Has(s)
	}
	n, isPresent := d.number(v)
	return !isPresent || d.must.HasInt(n)
}

func (d *demand[P]) report(c *Checking, v P, object *place) {
	r, at := c.Report.For(d.must.Rule, "").At(c.Offsets.of(object, &d.Declaration)), object.member(&d.Declaration)
	if d.text != nil {
		must, sent := c.must(&d.must), *d.text(v)
		if d.renames {
			sent = must.AsSent(r, sent)
		}
		must.Report(r, at, d.Name, sent)
		return
	}
	n, _ := d.number(v)
	d.must.ReportInt(r, at, d.Name, n)
}

func (m *Member[P]) checkWithin(c *Checking, v, stored P, object *place) {
	if m.nested.checked {
		m.nested.check(*c, v, stored, *object, &m.Declaration)
	} else {
		m.reportKeys(c, v, object)
	}
}

// badKeys returns the keys of a map that break a constraint or have a value that breaks one, sorted to make reports
// reproducible.
func (m *Member[P]) badKeys(v P) []string {
	var bad []string
	for key, value := range *m.keys(v) {
		if !m.Keys[0].Has(key) || !m.Values[0].Has(value) {
			bad = append(bad, key)
		}
	}
	slices.Sort(bad)
	return bad
}

// must returns the constraint for reports about a sent value.
func (c *Checking) must(k *Constraint) *constraint.Constraint {
	if diag.Create.Has(c.On) {
		return k.ForNew()
	}
	return k.Constraint
}

// reportMissing reports that the member is missing or empty, unless it may be stored. A zero value that breaks a
// constraint is reported separately.
func (d *demand[P]) reportMissing(c *Checking, all *demands[P], v P, extra *Extra, object *place) {
	isWrong := func(k demand[P]) bool { return k.Member == d.Member && !k.isKept(v, extra) }
	isEmpty := extra.WasSent(d.Name)
	if c.Partial && !isEmpty && !extra.Null(d.Name) || slices.ContainsFunc(all.values, isWrong) {
		return
	}
	var must *constraint.Constraint
	if len(d.Constraints) > 0 {
		must = d.Constraints[0].Constraint
	}
	r := c.Report.For(d.must.Rule, "").At(c.Offsets.of(object, &d.Declaration))
	constraint.ReportMissing(r, object.member(&d.Declaration), d.Name, isEmpty, must)
}

// isStored reports whether the member has the same value as in the stored element. Unchanged values are never reported.
func (t *Table[P]) isStored(m *Member[P], v, was P) bool {
	return !isNil(was) && m.equal(v, was, true) && (m.has(v) || t.Exact(v, was))
}

func (m *Member[P]) reportKeys(c *Checking, v P, object *place) {
	keys, values := m.Keys[0], m.Values[0]
	r := c.Report.For(keys.Rule, "")
	for _, key := range m.badKeys(v) {
		at := object.member(&m.Declaration).Member(key)
		if !keys.Has(key) {
			keys.Report(r, at, "key", key)
		}
		if value := (*m.keys(v))[key]; !values.Has(value) {
			values.Report(r, at, "value", value)
		}
	}
}

// ByContent returns a [Pairing] of elements that have exactly the same JSON text.
func ByContent[S any](t *Table[*S]) Pairing[S] {
	return func(elements, stored []S) []int {
		if len(elements) == 0 || len(stored) == 0 {
			return nil
		}
		index := make(map[string]int, len(stored)) // the indexes plus 1
		for i := range stored {
			index[string(t.Append(nil, &stored[i]))] = i + 1
		}
		pairs := make([]int, len(elements))
		for i := range elements {
			pairs[i] = index[string(t.Append(nil, &elements[i]))] - 1
		}
		return pairs
	}
}

// CheckIgnored reports the service-written members in the set only whose values differ between sent and stored. The sent
// values have no effect.
func (t *Table[P]) CheckIgnored(c Checking, sent, stored P, only Set) {
	if only &= t.service; only != 0 {
		t.checkIgnored(c, sent, stored, "", only, true)
	}
}

// checkIgnored implements CheckIgnored for the object at the path at. The parameter nulls is false within an array, which is
// replaced as a whole, so null has no meaning.
func (t *Table[P]) checkIgnored(c Checking, sent, stored P, at diag.Pointer, only Set, nulls bool) {
	if isNil(stored) {
		stored = t.none
	}
	for s := only; s != 0; s &= s - 1 {
		switch m := t.first(s); {
		case m.Writer == Client:
			m.nested.ignored(c, sent, stored, at, &m.Declaration)
		case m.Ignored == nil || !m.Ignored.When.Has(c.On) || t.memberEqual(m, sent, stored, false):
		case t.says(sent, m) && (m.nested.saysNothingNew == nil || !m.nested.saysNothingNew(sent, stored)), nulls && t.extra(sent).Null(m.Name):
			m.reportIgnored(c, stored, at)
		}
	}
}

// says reports whether v contains a value for the member: a non-zero value, or a zero value that was sent.
func (t *Table[P]) says(v P, m *Member[P]) bool { return m.has(v) || t.extra(v).WasSent(m.Name) }

// hasServerFields reports whether v contains a value for a service-written member, or for a member that contains
// service-written members.
func (t *Table[P]) hasServerFields(v P) bool {
	if t.hasServiceField(v) {
		return true
	}
	extra := t.extra(v)
	return !extra.IsEmpty() && slices.ContainsFunc(t.members, func(m *Member[P]) bool {
		return t.service.Has(m.bit) && extra.WasSent(m.Name)
	})
}

// hasServiceField reports whether v has a non-zero field for a service-written member.
func (t *Table[P]) hasServiceField(v P) bool {
	for _, has := range t.hasService {
		if has(v) {
			return true
		}
	}
	return false
}

// SaysNothingNew reports whether merging v into stored would change nothing: whether stored contains every value in v, and no
// member that v clears.
func (t *Table[P]) SaysNothingNew(v, stored P) bool {
	for _, m := range t.members {
		if (t.says(v, m) || t.extra(v).Null(m.Name)) && !t.memberEqual(m, v, stored, false) {
			return false
		}
	}
	return true
}

func (m *Member[P]) reportIgnored(c Checking, stored P, at diag.Pointer) {
	key := "ignored"
	if m.has(stored) && !diag.Create.Has(c.On) {
		key = "ignored-stays"
	}
	c.Report.For(m.Ignored, "").Report(m.in(at), key, diag.Name("member", m.Name))
}

// KeepWithin restores the stored values of service-written members within the objects and arrays of v that are in the set
// only. The direct members of v can be restored with [Table.Copy]. See [Table.Merge].
func (t *Table[P]) KeepWithin(v, stored P, only Set) {
	for s := t.service & only; s != 0; s &= s - 1 {
		if m := t.first(s); m.Writer == Client {
			m.nested.keep(v, stored)
		}
	}
}

// DropMalformed drops service-written members whose values break a constraint on the given occasion, because the service never
// writes such values. DropMalformed copies the objects within v before it modifies them.
func (t *Table[P]) DropMalformed(v P, on diag.When) {
	for s := t.service; s != 0; s &= s - 1 {
		switch m := t.first(s); {
		case m.Writer == Client:
			m.nested.dropMalformed(v, on)
		case t.says(v, m) && m.isMalformed(v, on):
			m.assign(v, t.none)
			t.extra(v).remove(m.Name)
		}
	}
}

// isMalformed reports whether the string value of a member breaks a constraint on an occasion.
func (m *Member[P]) isMalformed(v P, on diag.When) bool {
	return slices.ContainsFunc(m.Constraints, func(c Constraint) bool {
		return m.text != nil && c.Rule.When.Has(on) && !c.Has(*m.text(v))
	})
}

// restoreServerFields restores the stored values, if any, of the service-written members of v.
func (t *Table[P]) restoreServerFields(v, stored P) {
	if isNil(stored) {
		stored = t.none
	}
	t.KeepWithin(v, stored, All)
	for s := t.service; s != 0; s &= s - 1 {
		m := t.first(s)
		if m.Writer == Client {
			continue
		}
		m.assign(v, t.none)
		t.extra(v).remove(m.Name)
		if m.has(stored) {
			m.merge(v, stored)
		}
	}
}

// overwritesServerFields reports whether [Table.restoreServerFields] would change v.
func (t *Table[P]) overwritesServerFields(v, stored P) bool {
	if isNil(stored) {
		if !t.hasServerFields(v) {
			return false // the case for most added elements
		}
		stored = t.none
	}
	if samePointer(v, stored) {
		return false
	}
	for s := t.service & (t.Present(v) | t.Present(stored)); s != 0; s &= s - 1 {
		m := t.first(s)
		if m.Writer == Client && m.nested.overwrites(v, stored) || m.Writer != Client && (!m.equal(v, stored, true) || t.extra(v).find(m.Name) != nil) {
			return true
		}
	}
	return false
}
