package diag

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Grade overrides what a finding means.
type Grade string

// The three grades.
const (
	GradeReject Grade = "reject" // the finding rejects the request
	GradeAdvise Grade = "advise" // the finding does not reject: a rejection becomes advice
	GradeOff    Grade = "off"    // the finding is not reported
)

// Grading changes what findings mean, so that a strict server, a lenient proxy and a client can
// use the same rules. The most specific entry applies: the id of the rule, then its longest prefix,
// then its basis, then the kind of the finding. The zero value changes nothing.
//
// A grading does not change what the service stores: a value without effect has no effect even
// if the finding about it is off.
type Grading struct {
	Rules map[string]Grade // by rule id, or by a prefix of ids that ends in a dot, such as "time."
	Bases map[Basis]Grade
	Kinds map[Kind]Grade
}

// Strict returns a grading that turns advice into rejections.
func Strict() Grading {
	return Grading{Kinds: map[Kind]Grade{Advise: GradeReject}}
}

// Lenient returns a grading under which only stated rules and rules of RFCs reject: inferred and
// observed rules advise.
func Lenient() Grading {
	return Grading{Bases: map[Basis]Grade{Inferred: GradeAdvise, Observed: GradeAdvise}}
}

// Documented returns a grading under which observed rules report nothing: only the documents, the
// RFCs that they name, and what follows from them count.
func Documented() Grading {
	return Grading{Bases: map[Basis]Grade{Observed: GradeOff}}
}

// Grade returns the kind of a finding of rule that is of kind k without grading, or "" if it is
// off.
func (g Grading) Grade(rule *Rule, k Kind) Kind {
	grade, ok := g.byID(rule.ID)
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
	default: // advice would say less than Ignore or Unspecified; other grades are invalid
		return k
	}
}

// byID returns the grade of the rule id or of its longest prefix.
func (g Grading) byID(id string) (Grade, bool) {
	if grade, ok := g.Rules[id]; ok || len(g.Rules) == 0 {
		return grade, ok
	}
	for dot := strings.LastIndexByte(id, '.'); dot >= 0; dot = strings.LastIndexByte(id[:dot], '.') {
		if grade, ok := g.Rules[id[:dot+1]]; ok {
			return grade, true
		}
	}
	return "", false
}

// basisPrefix marks the keys of [Grading.With] that name a basis.
const basisPrefix = "basis:"

// With returns a copy of g with overrides. Each key is a rule id, a prefix of ids that ends in a dot
// or "basis:NAME", and each value is "reject", "advise" or "off". The error names the first invalid
// key in alphabetical order. If known is not nil, ids and prefixes must be those of its rules.
func (g Grading) With(overrides map[string]string, known *Catalogue) (Grading, error) {
	out := Grading{Rules: map[string]Grade{}, Bases: map[Basis]Grade{}, Kinds: g.Kinds}
	maps.Copy(out.Rules, g.Rules)
	maps.Copy(out.Bases, g.Bases)
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
			return Grading{}, fmt.Errorf("%q does not name a basis; the bases are stated, rfc, inferred and observed", key)
		case known != nil && !known.names(key):
			return Grading{}, fmt.Errorf("%q is not the id of a rule, or a prefix of ids that ends in a dot", key)
		default:
			out.Rules[key] = grade
		}
	}
	return out, nil
}
