package object

import (
	"reflect"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
)

// Declaration declares a member, apart from its Go field.
type Declaration struct {
	Name   string
	Google string // its name in the dialect [diag.Google]

	// Constraints are the constraints of the value of the member, and Keys and Values of the keys and values of a
	// [StringMap]. A constraint whose rule has a check is for documentation: the check enforces it.
	Constraints, Keys, Values []Constraint

	// Required are the rules that require the member, and RequiredOn the operations on which they do; 0 means all
	// occasions of the rules. A required string is not empty, unless MayBeEmpty.
	Required   []*diag.Rule
	RequiredOn diag.When
	MayBeEmpty bool

	// KnownBy is the member of an array element that identifies a stored element without this member, which only added
	// elements must have. It is empty if there is none.
	KnownBy string

	// Writer is the party that writes the member. On are the operations on which a client can write it; 0
	// means on all that write. Ignored is the rule that reports a value that a client sends
	// for a member that the service writes.
	Writer  Writer
	On      diag.When
	Ignored *diag.Rule

	// Default is the value of an absent member, as the documents state it; empty if they
	// state none.
	Default string

	// TypeRule is the rule that a value of a wrong type breaks, if it is not the general one.
	TypeRule *diag.Rule

	Traits Trait

	is        jsonType
	place     diag.Pointer // of the member in an object that is the whole
	elsewhere bool         // the constraints within are checked by another package
}

// Constraint is a constraint together with the rule that it belongs to.
type Constraint struct {
	*constraint.Constraint
	Rule *diag.Rule

	// If is the condition of the constraint, such as "for video", if it depends on more than the value: on other members, or
	// on the number of elements of a kind. It is empty for all cases.
	If string
}

// Writer is the party that writes a member.
type Writer uint8

// The writers of members.
const (
	Client  Writer = iota // clients may write it
	Service               // only the service writes it: a value from a client has no effect
)

// Trait is a set of properties of members whose meaning the owner of a table decides.
type Trait uint16

// Must declares a constraint of the value of the member, or of the number of its elements.
func (m Member[P]) Must(c *constraint.Constraint, rule *diag.Rule) Member[P] {
	m.Constraints = append(m.Constraints, Constraint{c, rule, ""})
	return m
}

// MustIf is Must for a constraint that applies in some cases, which a check of the rule decides.
func (m Member[P]) MustIf(c *constraint.Constraint, rule *diag.Rule, cases string) Member[P] {
	m.Constraints = append(m.Constraints, Constraint{c, rule, cases})
	return m
}

// MustMap declares constraints of the keys and the values of a [StringMap].
func (m Member[P]) MustMap(keys, values *constraint.Constraint, rule *diag.Rule) Member[P] {
	m.Keys = append(m.Keys, Constraint{keys, rule, ""})
	m.Values = append(m.Values, Constraint{values, rule, ""})
	return m
}

// Require declares that the member is required by each of the rules on its occasions. In an array, only added elements need
// it.
func (m Member[P]) Require(rules ...*diag.Rule) Member[P] {
	m.Required = rules
	return m
}

// RequireOn is Require for a rule with a check that requires the member on some of its occasions.
func (m Member[P]) RequireOn(on diag.When, rule *diag.Rule) Member[P] {
	m.Required, m.RequiredOn = []*diag.Rule{rule}, on
	return m
}

// OrEmpty declares that an empty string is enough for a rule that requires the member.
func (m Member[P]) OrEmpty() Member[P] {
	m.MayBeEmpty = true
	return m
}

// OrKnownBy declares the member that identifies a stored element without a required member.
func (m Member[P]) OrKnownBy(name string) Member[P] {
	m.KnownBy = name
	return m
}

// ServerWritten declares that only the service writes the member. The rule reports values that
// clients send; it may be nil.
func (m Member[P]) ServerWritten(rule *diag.Rule) Member[P] {
	m.Writer, m.Ignored = Service, rule
	return m
}

// WrittenOn declares the operations on which clients can write the member.
func (m Member[P]) WrittenOn(on diag.When) Member[P] {
	m.On = on
	return m
}

// OfType declares the rule that a value of a wrong type breaks.
func (m Member[P]) OfType(rule *diag.Rule) Member[P] {
	m.TypeRule = rule
	return m
}

// With declares traits of the member.
func (m Member[P]) With(traits Trait) Member[P] {
	m.Traits |= traits
	return m
}

// CheckedElsewhere declares that another package checks everything within the member, so that [Table.CheckConstraints]
// and [Table.CheckIgnored] leave it alone.
func (m Member[P]) CheckedElsewhere() Member[P] {
	m.elsewhere = true
	m.nested.checked, m.nested.service = false, false
	return m
}

// isChecked reports whether [Table.CheckConstraints] has something to check of the member
// itself.
func (d *Declaration) isChecked() bool {
	declared := func(c Constraint) bool { return c.Rule.Check == nil }
	return slices.ContainsFunc(d.Required, func(rule *diag.Rule) bool { return rule.Check == nil }) ||
		slices.ContainsFunc(slices.Concat(d.Constraints, d.Keys, d.Values), declared)
}

// in returns the place of the member of the object at a place.
func (d *Declaration) in(object diag.Pointer) diag.Pointer {
	if object == "" {
		return d.place // without an allocation
	}
	return object + d.place
}

// Type names the JSON type of the member, as in "string" or "array of objects".
func (d *Declaration) Type() string { return d.is.name }

// Where returns the set of the members whose declaration has the property.
func (t *Table[P]) Where(has func(*Declaration) bool) Set {
	var s Set
	for _, m := range t.members {
		if has(&m.Declaration) {
			s |= m.bit
		}
	}
	return s
}

// Visit calls do with the declaration of every member, depth first in the order of the tables,
// with its path, in which each element of an array is "*", and the Go field that holds it.
func (t *Table[P]) Visit(at diag.Pointer, do func(path diag.Pointer, d *Declaration, field GoField)) {
	v := t.fresh()
	for _, m := range t.members {
		path := m.in(at)
		do(path, &m.Declaration, goField(v, m.field(v)))
		if m.nested.visit != nil {
			m.nested.visit(path, do)
		}
	}
}

// GoField is a field of a struct.
type GoField struct {
	Struct reflect.Type
	Name   string
}

// goField returns the field of *v that has the address.
func goField(v, address any) GoField {
	s := reflect.ValueOf(v).Elem()
	for i := range s.NumField() {
		if f := s.Field(i); f.CanInterface() && f.Addr().Interface() == address {
			return GoField{s.Type(), s.Type().Field(i).Name}
		}
	}
	panic("object: a member is not a field of " + s.Type().String())
}
