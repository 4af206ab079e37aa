package diag

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Grade overrides what the findings of a rule mean.
type Grade string

// The three grades.
const (
	GradeReject Grade = "reject" // the finding refuses the request
	GradeAdvise Grade = "advise" // the finding does not refuse: a rejection becomes advice
	GradeOff    Grade = "off"    // no finding is made
)

// Grading changes what findings mean, so that a strict server, a lenient proxy and a
// client's check before sending share one engine. The most specific entry counts: the
// rule's id, then its basis, then the kind of the finding. The zero value changes nothing.
//
// Grading says how a finding counts. What the service stores is not a matter of grading:
// a value without effect stays without effect where its finding is off.
type Grading struct {
	Rules map[string]Grade // by rule id
	Bases map[Basis]Grade
	Kinds map[Kind]Grade
}

// Strict refuses whatever a rule advises against.
func Strict() Grading {
	return Grading{Kinds: map[Kind]Grade{Advise: GradeReject}}
}

// Lenient refuses only what the documents or the RFCs that they name refuse: a rule that
// is inferred or observed advises.
func Lenient() Grading {
	return Grading{Bases: map[Basis]Grade{Inferred: GradeAdvise, Observed: GradeAdvise}}
}

// Grade returns what a finding of rule means whose kind would be k, or "" where it is off.
func (g Grading) Grade(rule *Rule, k Kind) Kind {
	grade, ok := g.Rules[rule.ID]
	if !ok {
		grade, ok = g.Bases[rule.Basis]
	}
	if !ok {
		grade, ok = g.Kinds[k]
	}
	switch {
	case !ok:
		return k
	case grade == GradeOff:
		return ""
	case grade == GradeReject:
		return Reject
	case grade == GradeAdvise && k == Reject:
		return Advise
	default: // no effect, or unspecified, says more than advice does; another grade is none
		return k
	}
}

// basisPrefix marks the keys of [Grading.With] that name a basis.
const basisPrefix = "basis:"

// With returns g with overrides as the batch form has them: each key is a rule id or
// "basis:NAME", each value "reject", "advise" or "off". g itself stays as it is. The error
// names the first key, in alphabetical order, that is wrong; known says which rule ids
// exist, and where it is nil every id is taken.
func (g Grading) With(overrides map[string]string, known *Catalogue) (Grading, error) {
	out := Grading{Rules: maps.Clone(g.Rules), Bases: maps.Clone(g.Bases), Kinds: g.Kinds}
	if out.Rules == nil {
		out.Rules = map[string]Grade{}
	}
	if out.Bases == nil {
		out.Bases = map[Basis]Grade{}
	}
	for _, key := range slices.Sorted(maps.Keys(overrides)) {
		grade := Grade(overrides[key])
		if grade != GradeReject && grade != GradeAdvise && grade != GradeOff {
			return Grading{}, fmt.Errorf("grade of %q is %q; it must be reject, advise or off", key, grade)
		}
		name, isBasis := strings.CutPrefix(key, basisPrefix)
		switch {
		case isBasis && slices.Contains([]Basis{Stated, RFC, Inferred, Observed}, Basis(name)):
			out.Bases[Basis(name)] = grade
		case isBasis:
			return Grading{}, fmt.Errorf("%q names no basis; there are stated, rfc, inferred and observed", key)
		case known != nil && known.Lookup(key) == nil:
			return Grading{}, fmt.Errorf("%q is the id of no rule", key)
		default:
			out.Rules[key] = grade
		}
	}
	return out, nil
}
