package object

import (
	"math/bits"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
)

// demands are what the declarations of a table demand on one occasion. They are made once, because every check
// needs them.
type demands[P any] struct {
	members Set         // those of which something is demanded, or of the values within them
	of      []demand[P] // by the index of the member
}

// demand is what is demanded of a member.
type demand[P any] struct {
	*Member[P]
	required bool
	must     []*constraint.Constraint
	keys     bool // the keys and values of a map have constraints
}

// demandsOn returns the demands on an occasion.
func (t *Type[P]) demandsOn(on diag.When) *demands[P] {
	known := &t.demands[bits.TrailingZeros32(uint32(on))]
	if d := known.Load(); d != nil {
		return d
	}
	d := &demands[P]{of: make([]demand[P], len(t.members))}
	for i, m := range t.members {
		if d.of[i] = m.demandOn(Checking{On: on}); m.inner.checked || d.of[i].isAny() {
			d.members |= m.bit
		}
	}
	known.Store(d)
	return d
}

// demandOn returns the demand of the rules that are to be checked by the declaration.
func (m *Member[P]) demandOn(c Checking) demand[P] {
	d := demand[P]{Member: m, keys: len(m.Keys) > 0 && c.wants(m.Keys[0].Rule)}
	for _, rule := range m.Required {
		d.required = d.required || c.wants(rule)
	}
	for _, k := range m.Constraints {
		if c.wants(k.Rule) {
			d.must = append(d.must, k.Constraint)
		}
	}
	return d
}

func (d *demand[P]) isAny() bool { return d.required || d.keys || len(d.must) > 0 }

// isMet reports whether [Type.report] has nothing to report about the member of v. extra is that of v. See [Checking]
// for partial.
func (d *demand[P]) isMet(v P, extra *Extra, partial bool) bool {
	switch {
	case d.required && !d.has(v) && (!partial || extra.WasSent(d.Name)):
		return false
	case d.text != nil && len(d.must) > 0:
		s := *d.text(v)
		return s == "" && !extra.WasSent(d.Name) || d.allowText(s)
	case d.number != nil:
		n, ok := d.number(v)
		return !ok || d.allowNumber(n)
	default:
		return !d.keys || len(d.badKeys(v)) == 0
	}
}

func (d *demand[P]) allowText(s string) bool {
	for _, k := range d.must {
		if !k.Has(s) {
			return false
		}
	}
	return true
}

func (d *demand[P]) allowNumber(n int64) bool {
	for _, k := range d.must {
		if !k.HasInt(n) {
			return false
		}
	}
	return true
}
