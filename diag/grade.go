package diag

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Grading changes the kinds of findings; a strict server, a lenient proxy and a client can thus use the same rules. The most
// specific entry applies: first the rule id, then the longest prefix of the id, then the rule's basis, then the kind of the
// finding. The zero value changes nothing. Each entry in a Grading is one of these grades:
//
//   - [ToReject]: the finding rejects the request;
//   - [ToAdvise]: the finding does not reject; a rejection becomes advice;
//   - [Off]: the finding is not reported.
//
// A grading does not change the stored event: an ignored value has no effect even if the finding about the value is off.
type Grading struct {
	Rules map[string]Grade // by rule id, or by a prefix of ids that ends before or after a dot, such as "time"
	Bases map[Basis]Grade
	Kinds map[Kind]Grade
}

// Grade is an entry of a [Grading].
type Grade string

// The grades.
const (
	ToReject Grade = "reject"
	ToAdvise Grade = "advise"
	Off      Grade = "off"
)

// Strict returns a grading that turns findings about ignored values, and advice, into rejections.
func Strict() Grading {
	return Grading{Kinds: map[Kind]Grade{Ignore: ToReject, Advise: ToReject}}
}

// Lenient returns a grading under which only stated rules and rules from RFCs reject. Inferred and observed rules only give
// advice.
func Lenient() Grading {
	return Grading{Bases: map[Basis]Grade{Inferred: ToAdvise, Observed: ToAdvise}}
}

// Documented returns a grading that turns off observed rules, leaving the rules based on the documents, on the RFCs named
// there, and on inferences.
func Documented() Grading {
	return Grading{Bases: map[Basis]Grade{Observed: Off}}
}

// IsZero reports whether the grading has no entries, in which case it changes no findings.
func (g Grading) IsZero() bool { return len(g.Rules)+len(g.Bases)+len(g.Kinds) == 0 }

// Grade returns the graded kind of a finding of the rule with the ungraded kind k, or "" if the finding is off.
func (g Grading) Grade(rule *Rule, k Kind) Kind {
	if rule == nil || g.IsZero() {
		return k
	}
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
	case grade == Off:
		return ""
	case grade == ToReject, grade == ToAdvise && k == Reject:
		return Kind(grade)
	default: // Advise is no milder than Ignore or Unspecified, and other grades are invalid
		return k
	}
}

// byID returns the grade for the rule id or, if there is none, for its longest prefix with a grade, or returns false if neither
// the id nor a prefix has a grade.
func (g Grading) byID(id string) (Grade, bool) {
	if grade, ok := g.Rules[id]; ok || len(g.Rules) == 0 {
		return grade, ok
	}
	for dot := strings.LastIndexByte(id, '.'); dot >= 0; dot = strings.LastIndexByte(id[:dot], '.') {
		if grade, ok := g.Rules[id[:dot+1]]; ok {
			return grade, true
		}
		if grade, ok := g.Rules[id[:dot]]; ok {
			return grade, true
		}
	}
	return "", false
}

// basisPrefix is the prefix of the [Grading.With] keys that name a basis.
const basisPrefix = "basis:"

// With returns a copy of g with overrides. Each key in overrides is a rule id, a prefix of ids such as "time", or "basis:NAME";
// each value is "reject", "advise" or "off". [Grading.Validate] checks the keys and values.
func (g Grading) With(overrides map[string]string) Grading {
	if len(overrides) == 0 {
		return g
	}
	out := Grading{Rules: map[string]Grade{}, Bases: map[Basis]Grade{}, Kinds: g.Kinds}
	maps.Copy(out.Rules, g.Rules)
	maps.Copy(out.Bases, g.Bases)
	for key, grade := range overrides {
		if name, isBasis := strings.CutPrefix(key, basisPrefix); isBasis {
			out.Bases[Basis(name)] = Grade(grade)
		} else {
			out.Rules[key] = Grade(grade)
		}
	}
	return out
}

// Validate returns an error if a grade would have no effect because its rule is not in the catalogue, its basis or kind is
// unknown, or its value is invalid. The error names the first ineffective grade: rules come before bases, and bases before
// kinds, each in alphabetical order.
func (g Grading) Validate(known *Catalogue) error {
	if g.IsZero() {
		return nil // the usual case, which should not allocate
	}
	return cmp.Or(
		validate(g.Rules, known.names, "%q is not the id of a rule, or a prefix of ids such as time"),
		validate(g.Bases, Basis.exists, "\"basis:%s\" does not name a basis; the bases are stated, rfc, inferred and observed"),
		validate(g.Kinds, Kind.exists, "%q is not a kind of findings; the kinds are reject, ignore, advise and unspecified"),
	)
}

func validate[K ~string](grades map[K]Grade, exists func(K) bool, missing string) error {
	for _, key := range slices.Sorted(maps.Keys(grades)) {
		switch grade := grades[key]; {
		case !exists(key):
			return fmt.Errorf(missing, key)
		case grade != ToReject && grade != ToAdvise && grade != Off:
			return fmt.Errorf("grade of %q is %q; it must be reject, advise or off", key, grade)
		}
	}
	return nil
}

func (b Basis) exists() bool { return slices.Contains([]Basis{Stated, RFC, Inferred, Observed}, b) }
