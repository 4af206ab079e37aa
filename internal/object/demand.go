package object

import (
	"math/bits"
	"slices"
	"strconv"

	"github.com/calrules/calrules/diag"
)

// demands are the demands of the declarations of a table on one occasion. They are computed once, because every
// check needs them.
type demands[P any] struct {
	values      []demand[P] // the constraints, in the order of the members
	constrained Set         // the members of values
	within      Set         // the members with checked parts: objects, keys or values
	required    []demand[P] // the members that a rule requires, with that rule
}

// demand is a requirement on a member that its declaration makes under a rule.
type demand[P any] struct {
	*Member[P]
	must Constraint // of a required member, only the rule
}

// demandsOn returns the demands on an occasion: of the rules that are to be checked by the declaration.
func (t *Table[P]) demandsOn(on diag.When) *demands[P] {
	known := &t.demands[bits.TrailingZeros64(uint64(on))]
	if d := known.Load(); d != nil {
		return d
	}
	d, c := new(demands[P]), Checking{On: on}
	for _, m := range t.members {
		for _, k := range m.Constraints {
			if c.wants(k.Rule) {
				d.values, d.constrained = append(d.values, demand[P]{m, k}), d.constrained|m.bit
			}
		}
		if i := slices.IndexFunc(m.Required, c.wants); i >= 0 {
			d.required = append(d.required, demand[P]{m, Constraint{Rule: m.Required[i]}})
		}
		if m.nested.checked || len(m.Keys) > 0 && c.wants(m.Keys[0].Rule) {
			d.within |= m.bit
		}
	}
	known.Store(d)
	return d
}

// place is the location of an object. Its path is only made for a finding.
type place struct {
	base  diag.Pointer // of the outermost object
	steps [3]step      // to the object, one for each member that leads to it
	n     int
}

// step leads to the value of a member, or to an element of it.
type step struct {
	member *Declaration
	index  int // of the element, or single
}

// single is the index of a value that is not an element of an array.
const single = -1

// within returns the place of the object in a member, or of an element of it.
func (p place) within(m *Declaration, index int) place {
	p.steps[p.n] = step{m, index}
	p.n++
	return p
}

// member returns the path of a member of the object.
func (p *place) member(m *Declaration) diag.Pointer {
	if p.n == 0 {
		return m.in(p.base)
	}
	var memory [64]byte
	path := append(memory[:0], p.base...)
	for _, s := range p.steps[:p.n] {
		if path = append(path, s.member.place...); s.index != single {
			path = strconv.AppendInt(append(path, '/'), int64(s.index), 10)
		}
	}
	return diag.Pointer(append(path, m.place...))
}
