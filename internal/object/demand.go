package object

import (
	"math/bits"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
)

// demands are what the declarations of a table demand on one occasion. They are made once, because every check
// needs them.
type demands[P any] struct {
	members  Set         // those of which something is demanded, or of the values within them
	required Set         // those that are required
	of       []demand[P] // by the index of the member
	tests    []test[P]   // of the members, in order: first of a member itself, then of the values within it
}

// demand is what is demanded of a member.
type demand[P any] struct {
	*Member[P]
	required bool
	isMet    test[P] // whether [Type.report] has nothing to report about the member itself; nil if nothing is demanded of it
}

// test reports whether a member of v, whose Extra is given, meets a demand. See [Checking] for partial.
type test[P any] func(v P, extra *Extra, partial bool) bool

// demandsOn returns the demands on an occasion.
func (t *Type[P]) demandsOn(on diag.When) *demands[P] {
	known := &t.demands[bits.TrailingZeros64(uint64(on))]
	if d := known.Load(); d != nil {
		return d
	}
	d := &demands[P]{of: make([]demand[P], len(t.members))}
	for i, m := range t.members {
		of := m.demandOn(Checking{On: on})
		if of.required {
			d.required |= m.bit
		}
		if of.isMet != nil {
			d.members |= m.bit
			d.tests = append(d.tests, of.isMet)
		}
		if valid := m.inner.valid; m.inner.checked {
			d.members |= m.bit
			d.tests = append(d.tests, func(v P, _ *Extra, partial bool) bool { return valid(on, partial, v) })
		}
		d.of[i] = of
	}
	known.Store(d)
	return d
}

// demandOn returns the demand of the rules that are to be checked by the declaration.
func (m *Member[P]) demandOn(c Checking) demand[P] {
	var must []*constraint.Constraint
	for _, k := range m.Constraints {
		if c.wants(k.Rule) {
			must = append(must, k.Constraint)
		}
	}
	d := demand[P]{Member: m, required: slices.ContainsFunc(m.Required, c.wants)}
	switch {
	case m.text != nil && (d.required || must != nil):
		d.isMet = textDemand(m, must, d.required)
	case len(m.Keys) > 0 && c.wants(m.Keys[0].Rule):
		d.isMet = func(v P, _ *Extra, _ bool) bool { return len(m.badKeys(v)) == 0 }
	case d.required || must != nil:
		d.isMet = numberDemand(m, must, d.required)
	}
	return d
}

// textDemand returns the test of a text. An empty one that was sent is a value.
func textDemand[P any](m *Member[P], must []*constraint.Constraint, required bool) test[P] {
	text, name := m.text, m.Name
	return func(v P, extra *Extra, partial bool) bool {
		s := *text(v)
		if s == "" && (extra.IsEmpty() || !extra.WasSent(name)) {
			return !required || partial
		}
		for _, k := range must {
			if !k.Has(s) {
				return false
			}
		}
		return s != "" || !required
	}
}

// numberDemand returns the test of a number, the number of elements of an array, or an object, which is only
// required.
func numberDemand[P any](m *Member[P], must []*constraint.Constraint, required bool) test[P] {
	return func(v P, extra *Extra, partial bool) bool {
		if required && !m.has(v) && (!partial || extra.WasSent(m.Name)) {
			return false
		}
		for _, k := range must {
			if n, ok := m.number(v); ok && !k.HasInt(n) {
				return false
			}
		}
		return true
	}
}
