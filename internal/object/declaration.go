package object

import (
	"reflect"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
)

// Declaration declares the properties of a member, except its Go field.
type Declaration struct {
	Name   string
	Google string // the name in the dialect [diag.Google]

	// Constraints are the constraints on the value of the member, and Keys and Values are the constraints on the keys
	// and values of a [StringMap]. If the rule of a constraint has a check, which enforces it, the constraint is only
	// documentation.
	Constraints, Keys, Values []Constraint

	// Required are the rules that require the member, and RequiredOn is the set of operations on which they require it; 0
	// means all occasions of the rules. Unless MayBeEmpty is set, a required string must not be empty.
	Required   []*diag.Rule
	RequiredOn diag.When
	MayBeEmpty bool

	// KnownBy is the member that identifies a stored array element, or "". Only array elements without that member must have the
	// required member.
	KnownBy string

	// Writer is the party that writes the member. On is the set of operations on which a client can write the member; 0 means all
	// operations that write. Ignored is the rule that reports a client's value for a service-written member.
	Writer  Writer
	On      diag.When
	Ignored *diag.Rule

	// Default is the documented default value of the member, or "" if the documents state no default.
	Default string

	// TypeRule is the rule broken by a value of the wrong type, or nil for the general rule about types.
	TypeRule *diag.Rule

	Traits Trait

	is        jsonType
	index     int          // the index of the member in its table
	place     diag.Pointer // the place of the member if its object is the whole value
	elsewhere bool         // another package checks the constraints within the member
}

// Constraint is a constraint together with the rule to which it belongs.
type Constraint struct {
	*constraint.Constraint
	Rule *diag.Rule

	// If is the condition, such as "for video", of a constraint that depends on more than the value: on other members, or on
	// the number of elements of a certain kind. An empty If means that the constraint always applies.
	If string
}

// Writer is the party that writes a member.
type Writer uint8

// The parties that write members.
const (
	Client  Writer = iota // clients may write the member
	Service               // only the service writes the member; a value from a client has no effect
)

// Trait is a set of properties of members. The package that owns a table defines the meaning of its traits.
type Trait uint16

// Must declares a constraint on the value of the member, or on the number of its elements.
func (m Member[P]) Must(c *constraint.Constraint, rule *diag.Rule) Member[P] {
	m.Constraints = append(m.Constraints, Constraint{c, rule, ""})
	return m
}

// MustIf is like Must, but for a constraint that applies only in the given cases, which a check of the rule determines.
func (m Member[P]) MustIf(c *constraint.Constraint, rule *diag.Rule, cases string) Member[P] {
	m.Constraints = append(m.Constraints, Constraint{c, rule, cases})
	return m
}

// MustMap declares constraints on the keys and the values of a [StringMap].
func (m Member[P]) MustMap(keys, values *constraint.Constraint, rule *diag.Rule) Member[P] {
	m.Keys = append(m.Keys, Constraint{keys, rule, ""})
	m.Values = append(m.Values, Constraint{values, rule, ""})
	return m
}

// Require declares that each of the rules requires the member on the occasions of the rule. In an array, only added elements
// must contain the member.
func (m Member[P]) Require(rules ...*diag.Rule) Member[P] {
	m.Required = rules
	return m
}

// RequireOn is like Require, but for a rule with a check that requires the member only on some of its occasions.
func (m Member[P]) RequireOn(on diag.When, rule *diag.Rule) Member[P] {
	m.Required, m.RequiredOn = []*diag.Rule{rule}, on
	return m
}

// OrEmpty declares that a rule that requires the member accepts an empty string.
func (m Member[P]) OrEmpty() Member[P] {
	m.MayBeEmpty = true
	return m
}

// OrKnownBy declares the member that identifies a stored element from which this required member is missing.
func (m Member[P]) OrKnownBy(name string) Member[P] {
	m.KnownBy = name
	return m
}

// ServerWritten declares that only the service writes the member. The rule, which may be nil, reports clients' values.
func (m Member[P]) ServerWritten(rule *diag.Rule) Member[P] {
	m.Writer, m.Ignored = Service, rule
	return m
}

// WrittenOn declares the operations on which clients can write the member.
func (m Member[P]) WrittenOn(on diag.When) Member[P] {
	m.On = on
	return m
}

// OfType declares the rule broken by a value of the wrong type.
func (m Member[P]) OfType(rule *diag.Rule) Member[P] {
	m.TypeRule = rule
	return m
}

// With declares traits of the member.
func (m Member[P]) With(traits Trait) Member[P] {
	m.Traits |= traits
	return m
}

// CheckedElsewhere declares that another package checks the contents of the member; [Table.CheckConstraints] and
// [Table.CheckIgnored] skip the contents.
func (m Member[P]) CheckedElsewhere() Member[P] {
	m.elsewhere = true
	m.nested.checked, m.nested.service = false, false
	return m
}

// isChecked reports whether [Table.CheckConstraints] checks the member itself.
func (d *Declaration) isChecked() bool {
	declared := func(rule *diag.Rule) bool { return rule.Check == nil }
	of := func(c Constraint) bool { return declared(c.Rule) }
	return slices.ContainsFunc(d.Required, declared) || slices.ContainsFunc(d.Constraints, of) ||
		slices.ContainsFunc(d.Keys, of) || slices.ContainsFunc(d.Values, of)
}

// in returns the place of the member, given the place of its object.
func (d *Declaration) in(object diag.Pointer) diag.Pointer {
	if object == "" {
		return d.place // without an allocation
	}
	return object + d.place
}

// Type returns the name of the member's JSON type, such as "string" or "array of objects".
func (d *Declaration) Type() string { return d.is.name }

// Where returns the set of members whose declarations satisfy the function has.
func (t *Table[P]) Where(has func(*Declaration) bool) Set {
	var s Set
	for _, m := range t.members {
		if has(&m.Declaration) {
			s |= m.bit
		}
	}
	return s
}

// Visit calls do for every member, depth first in table order, with the path, the declaration and the Go field of the
// member. In the path, "*" means any element of an array.
func (t *Table[P]) Visit(at diag.Pointer, do func(path diag.Pointer, d *Declaration, field GoField)) {
	v := t.fresh()
	for _, m := range t.members {
		path := m.in(at)
		do(path, &m.Declaration, GoField{v, m.field(v)})
		if m.nested.visit != nil {
			m.nested.visit(path, do)
		}
	}
}

// GoField is a field of a struct.
type GoField struct{ object, address any } // pointers to the struct and to the field

// Struct returns the type of the struct.
func (f GoField) Struct() reflect.Type { return reflect.TypeOf(f.object).Elem() }

// Name returns the name of the field.
func (f GoField) Name() string {
	s := reflect.ValueOf(f.object).Elem()
	for i := range s.NumField() {
		if field := s.Field(i); field.CanInterface() && field.Addr().Interface() == f.address {
			return s.Type().Field(i).Name
		}
	}
	panic("object: a member is not a field of " + s.Type().String())
}
