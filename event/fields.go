package event

import (
	"reflect"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/object"
)

// Field describes a member of the Event resource: its type, its constraints, and who writes it.
type Field struct {
	// Path is the name of the member after the names of the members that contain it, as in
	// "attendees[].email".
	Path string

	// Struct and Name are the Go struct and the name of the field of the member.
	Struct reflect.Type
	Name   string

	// Type is the JSON type, as in "string" or "array of objects".
	Type string

	// Constraints are the constraints of the value or of the number of its elements. KeyConstraints and
	// ValueConstraints are the constraints of the keys and the values of a map.
	Constraints, KeyConstraints, ValueConstraints []Constraint

	// Required are the rules that require the member in an event, or in an element that is added
	// to an array.
	Required []*diag.Rule

	// Rules are the rules of the constraints and all others that read the member, in the order of
	// the catalogue.
	Rules []*diag.Rule

	// Writable are the operations with which a client can write the member; 0 if only the service
	// writes it.
	Writable diag.When

	Default       string // the value of an absent member, if the documents state one
	Immutable     bool   // it cannot change once the event is created
	FixedIfLocked bool   // it cannot change on a locked copy
	FreeInMail    bool   // it can change in an event of type fromMail, where most members cannot
}

// Constraint is a constraint of the value of a member, with the rule that states it.
type Constraint struct {
	*constraint.Constraint
	Rule *diag.Rule

	// If says in which events the rule applies the constraint, such as "for video", if they depend on other members or on
	// the number of elements of a kind. It is empty for all events.
	If string
}

// Fields returns all members of the Event resource in the order of the documents, each object and
// array before its members.
func Fields() []Field {
	var fields []Field
	writable := map[string]diag.When{} // by path, for inner members
	eventTable.Visit("", func(path diag.Pointer, d *object.Declaration, field object.GoField) {
		f := newField(path, d, field)
		if outer, ok := writable[f.Path[:max(0, strings.LastIndexByte(f.Path, '.'))]]; ok {
			f.Writable &= outer
		}
		writable[f.Path], writable[f.Path+"[]"] = f.Writable, f.Writable
		fields = append(fields, f)
	})
	return fields
}

func newField(path diag.Pointer, d *object.Declaration, field object.GoField) Field {
	f := Field{
		Path:             strings.ReplaceAll(strings.ReplaceAll(string(path[1:]), "/*", "[]"), "/", "."),
		Struct:           field.Struct,
		Name:             field.Name,
		Type:             d.Type(),
		Constraints:      constraints(d.Constraints),
		KeyConstraints:   constraints(d.Keys),
		ValueConstraints: constraints(d.Values),
		Required:         slices.Clone(d.Required),
		Default:          d.Default,
		Immutable:        d.Traits&immutable != 0,
		FixedIfLocked:    d.Traits&lockable != 0,
		FreeInMail:       d.Traits&freeInMail != 0,
	}
	switch {
	case d.Writer == object.Service:
	case d.On != 0:
		f.Writable = d.On
	case d.Traits&(immutable|setOnce) != 0:
		f.Writable = diag.Create
	default:
		f.Writable = diag.Write
	}
	f.Rules = fieldRules(f.Path, d)
	return f
}

func constraints(list []object.Constraint) []Constraint {
	var all []Constraint
	for _, c := range list {
		all = append(all, Constraint(c))
	}
	return all
}

// fieldRules returns the rules that the declaration of a member names, and the rules that read the member.
func fieldRules(path string, d *object.Declaration) []*diag.Rule {
	declared := slices.Clone(d.Required)
	for _, c := range slices.Concat(d.Constraints, d.Keys, d.Values) {
		declared = append(declared, c.Rule)
	}
	declared = append(declared, d.Ignored, d.TypeRule)
	var rules []*diag.Rule
	for r := range Catalogue().All() {
		if slices.Contains(declared, r) || slices.Contains(r.Reads, path) {
			rules = append(rules, r)
		}
	}
	return rules
}
