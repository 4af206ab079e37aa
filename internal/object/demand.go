package object

import (
	"math/bits"
	"slices"
	"strconv"

	"github.com/calrules/calrules/diag"
)

// demands contains the requirements of a table's declarations on one occasion. The demands are computed once, because every
// check needs them.
type demands[P any] struct {
	values      []demand[P] // the constraints, in member order
	constrained Set         // the members of values
	within      Set         // the members whose objects, keys or values are checked
	required    []demand[P] // the required members, each with the rule that requires it
}

// demand is a rule's requirement that is stated in the declaration of a member.
type demand[P any] struct {
	*Member[P]
	must Constraint // for a required member, only the rule is set
}

// demandsOn returns the demands on an occasion, for the rules enforced only by the declarations.
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

// place is the location of an object, whose path is built only for a finding.
type place struct {
	base  diag.Pointer // the path of the outermost object
	steps [3]step      // the steps to the object, one for each enclosing member
	n     int
}

// step is a step to the value of a member or to one of its elements.
type step struct {
	member *Declaration
	index  int // the index of the element, or single
}

// single is the index of a value that is not an element of an array.
const single = -1

// within returns the place of the object in a member or, if index is not single, in an element of the member.
func (p place) within(m *Declaration, index int) place {
	p.steps[p.n] = step{m, index}
	p.n++
	return p
}

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
