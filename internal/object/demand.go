package object

import (
	"math/bits"
	"slices"

	"github.com/calrules/calrules/diag"
)

// demands are what the declarations of a table demand on one occasion. They are made once, because every check
// needs them.
type demands[P any] struct {
	members  Set         // those of which something is demanded, or of the values within them
	required Set         // those that are required
	of       []demand[P] // by the index of the member
}

// demand is what is demanded of a member: what is checked by its declaration.
type demand[P any] struct {
	*Member[P]
	required   *diag.Rule // the rule that requires it, or nil
	must       []Constraint
	checksKeys bool // whether its keys and values are checked
}

// demandsOn returns the demands on an occasion.
func (t *Type[P]) demandsOn(on diag.When) *demands[P] {
	known := &t.demands[bits.TrailingZeros64(uint64(on))]
	if d := known.Load(); d != nil {
		return d
	}
	d := &demands[P]{of: make([]demand[P], len(t.members))}
	for i, m := range t.members {
		of := m.demandOn(Checking{On: on})
		if of.required != nil {
			d.required |= m.bit
		}
		if of.required != nil || of.must != nil || of.checksKeys || m.inner.checked {
			d.members |= m.bit
		}
		d.of[i] = of
	}
	known.Store(d)
	return d
}

// demandOn returns the demand of the rules that are to be checked by the declaration.
func (m *Member[P]) demandOn(c Checking) demand[P] {
	d := demand[P]{Member: m, checksKeys: len(m.Keys) > 0 && c.wants(m.Keys[0].Rule)}
	for _, k := range m.Constraints {
		if c.wants(k.Rule) {
			d.must = append(d.must, k)
		}
	}
	if i := slices.IndexFunc(m.Required, c.wants); i >= 0 {
		d.required = m.Required[i]
	}
	return d
}

// place is where an object is. Its path is only made for what is reported.
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

// path returns the path of the object.
func (p *place) path() diag.Pointer {
	path := p.base
	for _, s := range p.steps[:p.n] {
		if path = s.member.in(path); s.index != single {
			path = path.Index(s.index)
		}
	}
	return path
}
