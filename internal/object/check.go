package object

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
)

// Checking is one check of the declarations, on one occasion.
type Checking struct {
	On      diag.When // one occasion
	Report  *engine.Collector
	Partial bool // members that are missing may be stored, unless they are null
	Unknown bool // the stored elements of arrays are unknown

	// NoneAdded says that the request adds no element to an array: an element that lacks a required member has no effect.
	NoneAdded bool
}

// wants reports whether the rule is to be checked by its declaration.
func (c Checking) wants(rule *diag.Rule) bool { return rule.Check == nil && rule.When.Has(c.On) }

// CheckConstraints reports the members of v that break their constraints, and the required members that are missing,
// among the members in only. stored is the stored value, or nil: a fault that a stored element already has is not
// reported again.
func (t *Table[P]) CheckConstraints(c Checking, v, stored P, at diag.Pointer, only Set) {
	t.check(&c, v, stored, place{base: at}, only&t.checked)
}

// check checks the members in only of an object, everything within them, and whether required members are missing.
func (t *Table[P]) check(c *Checking, v, stored P, at place, only Set) {
	t.checkMembers(c, v, stored, func() P { return *new(P) }, &at, only)
}

// checkMembers does the work of check. If v is an element of an array, was returns the stored element that it continues,
// or nil.
func (t *Table[P]) checkMembers(c *Checking, v, stored P, was func() P, at *place, only Set) {
	demands, extra := t.demandsOn(c.On), t.extra(v)
	if extra.Element() {
		return // decoding has reported that it is not an object
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

// isKept reports whether the constraint allows the value of the member, or the member is absent.
func (d *demand[P]) isKept(v P, extra *Extra) bool {
	if d.text != nil {
		s := *d.text(v)
		return s == "" && !extra.WasSent(d.Name) || d.must.Has(s)
	}
	n, isPresent := d.number(v)
	return !isPresent || d.must.HasInt(n)
}

// report reports that the constraint does not allow the value of the member.
func (d *demand[P]) report(c *Checking, v P, object *place) {
	r, at := c.Report.For(d.must.Rule, ""), d.in(object.path())
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

// checkWithin checks everything within the value of the member.
func (m *Member[P]) checkWithin(c *Checking, v, stored P, object *place) {
	if m.nested.checked {
		m.nested.check(*c, v, stored, *object, &m.Declaration)
	} else {
		m.reportKeys(c, v, object)
	}
}

// badKeys returns the keys of a map that break a constraint, or whose values do, sorted: a map
// has no order, and reports are reproducible.
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

// must returns the constraint of a value that is sent.
func (c *Checking) must(k *Constraint) *constraint.Constraint {
	if diag.Create.Has(c.On) {
		return k.ForNew()
	}
	return k.Constraint
}

// reportMissing reports that the member is missing or empty, unless it may be stored. A zero value that was sent is not
// missing if a constraint reports it.
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
	constraint.ReportMissing(c.Report.For(d.must.Rule, ""), d.in(object.path()), d.Name, isEmpty, must)
}

// isStored reports whether the member has the value that the stored element has. An element that is
// stored unchanged is never reported.
func (t *Table[P]) isStored(m *Member[P], v, was P) bool {
	return !isNil(was) && m.equal(v, was, true) && (m.has(v) || t.Exact(v, was))
}

// reportKeys reports the keys and the values of a map that break a constraint.
func (m *Member[P]) reportKeys(c *Checking, v P, object *place) {
	keys, values := m.Keys[0], m.Values[0]
	r := c.Report.For(keys.Rule, "")
	for _, key := range m.badKeys(v) {
		at := m.in(object.path()).Member(key)
		if !keys.Has(key) {
			keys.Report(r, at, "key", key)
		}
		if value := (*m.keys(v))[key]; !values.Has(value) {
			values.Report(r, at, "value", value)
		}
	}
}

// ByContent is the [Pairing] of elements that are written exactly alike.
func ByContent[S any](t *Table[*S]) Pairing[S] {
	return func(elements, stored []S) []int {
		if len(elements) == 0 || len(stored) == 0 {
			return nil
		}
		index := make(map[string]int, len(stored)) // plus 1
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

// CheckIgnored reports the members of sent, among the members in only, that the service writes and whose values differ
// from the stored values: they have no effect.
func (t *Table[P]) CheckIgnored(c Checking, sent, stored P, only Set) {
	if only &= t.service; only != 0 {
		t.checkIgnored(c, sent, stored, "", only, true)
	}
}

// checkIgnored does the work of CheckIgnored below a place. In an array null says nothing: the
// array is replaced.
func (t *Table[P]) checkIgnored(c Checking, sent, stored P, at diag.Pointer, only Set, nulls bool) {
	if isNil(stored) {
		stored = t.none
	}
	for s := only; s != 0; s &= s - 1 {
		switch m := t.first(s); {
		case m.Writer == Client:
			m.nested.ignored(c, sent, stored, at, &m.Declaration)
		case m.Ignored == nil || !m.Ignored.When.Has(c.On) || t.memberEqual(m, sent, stored, false):
		case t.says(sent, m) && (m.nested.inner == nil || !m.nested.saysNothingNew(sent, stored)), nulls && t.extra(sent).Null(m.Name):
			m.reportIgnored(c, stored, at)
		}
	}
}

// says reports whether v has a value for the member: one that is not zero, or a zero value that was sent.
func (t *Table[P]) says(v P, m *Member[P]) bool { return m.has(v) || t.extra(v).WasSent(m.Name) }

// hasServerFields reports whether v has a value for a member that the service writes, or that contains such members.
func (t *Table[P]) hasServerFields(v P) bool {
	if t.hasServiceField(v) {
		return true
	}
	extra := t.extra(v)
	return !extra.IsEmpty() && slices.ContainsFunc(t.members, func(m *Member[P]) bool {
		return t.service.Has(m.bit) && extra.WasSent(m.Name)
	})
}

// hasServiceField reports whether the field of one of these members is not zero.
func (t *Table[P]) hasServiceField(v P) bool {
	for _, has := range t.hasService {
		if has(v) {
			return true
		}
	}
	return false
}

// SaysNothingNew reports whether stored has every value that v has, and no member that v clears.
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

// KeepWithin gives the members within the objects and arrays of v that the service writes their
// stored values, among the members in only. The members of v itself are for [Table.Copy]. See [Table.Merge].
func (t *Table[P]) KeepWithin(v, stored P, only Set) {
	for s := t.service & only; s != 0; s &= s - 1 {
		if m := t.first(s); m.Writer == Client {
			m.nested.keep(v, stored)
		}
	}
}

// DropMalformed drops the members that the service writes and that have a value that it never writes: one that breaks a
// constraint on the occasion. It copies the objects within v before it writes to them.
func (t *Table[P]) DropMalformed(v P, on diag.When) {
	for s := t.service; s != 0; s &= s - 1 {
		switch m := t.first(s); {
		case m.Writer == Client:
			m.nested.dropMalformed(v, on)
		case t.says(v, m) && m.isMalformed(v, on):
			m.clear(v)
			t.extra(v).remove(m.Name)
		}
	}
}

// isMalformed reports whether the text of a member breaks a constraint on an occasion.
func (m *Member[P]) isMalformed(v P, on diag.When) bool {
	return slices.ContainsFunc(m.Constraints, func(c Constraint) bool {
		return m.text != nil && c.Rule.When.Has(on) && !c.Has(*m.text(v))
	})
}

// restoreServerFields gives the members of v that the service writes their stored values. stored may be
// nil.
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
		m.clear(v)
		t.extra(v).remove(m.Name)
		if m.has(stored) {
			m.merge(v, stored)
		}
	}
}

// overwritesServerFields reports whether [Table.restoreServerFields] changes v. stored may be nil.
func (t *Table[P]) overwritesServerFields(v, stored P) bool {
	if isNil(stored) {
		if !t.hasServerFields(v) {
			return false // as of most elements that are added
		}
		stored = t.none
	}
	if samePointer(v, stored) {
		return false
	}
	for s := t.service; s != 0; s &= s - 1 {
		m := t.first(s)
		if m.Writer == Client && m.nested.overwrites(v, stored) || m.Writer != Client && (!m.equal(v, stored, true) || t.extra(v).find(m.Name) != nil) {
			return true
		}
	}
	return false
}
