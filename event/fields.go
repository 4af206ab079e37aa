package event

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/resource"
	"github.com/calrules/calrules/operation"
)

// Field describes a member of the body of a request: its type, its constraints, and who writes it.
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
	// to an array, and RequiredOn the operations on which they do; 0 means all on which the rules apply. A required
	// string is not empty, unless MayBeEmpty.
	Required   []*diag.Rule
	RequiredOn diag.When
	MayBeEmpty bool

	// Rules are the rules of the constraints and all others about the member, in the order of the catalogue.
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
	var list fieldList
	eventTable.Visit("", func(path diag.Pointer, d *object.Declaration, field object.GoField) {
		f := newField(path, d, field)
		f.Rules = rulesWhere(func(r *diag.Rule) bool { return slices.Contains(f.Rules, r) || slices.Contains(r.Reads, f.Path) })
		f.Immutable = d.Traits&immutable != 0
		f.FixedIfLocked = d.Traits&lockable != 0
		f.FreeInMail = d.Traits&freeInMail != 0
		if f.Writable == diag.Write && d.Traits&(immutable|setOnce) != 0 && d.On == 0 {
			f.Writable = diag.Create
		}
		list.add(f)
	})
	return list
}

// BodyFields returns the members of the body of an operation in the same order: of [Fields] if it is an event, and
// otherwise of another resource, whose members the reference of the public service shows and the documents do not. It
// returns nil if the operation has no body.
func BodyFields(op operation.ID) []Field {
	found, ok := operation.Lookup(op)
	switch {
	case !ok:
		return nil
	case found.EventBody:
		return Fields()
	}
	var list fieldList
	resource.Visit(found.When, func(path diag.Pointer, d *object.Declaration, field object.GoField) {
		f := newField(path, d, field)
		if d.Writer != object.Service {
			f.Writable = resource.Writes(found.When)
		}
		list.add(f)
	})
	return list
}

// fieldList is a list of members, each object before its members.
type fieldList []Field

// add adds a member. A client writes a member where it writes the object that has it.
func (l *fieldList) add(f Field) {
	outer := strings.TrimSuffix(f.Path[:max(0, strings.LastIndexByte(f.Path, '.'))], "[]")
	if i := slices.IndexFunc(*l, func(f Field) bool { return f.Path == outer }); i >= 0 {
		f.Writable &= (*l)[i].Writable
	}
	*l = append(*l, f)
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
		RequiredOn:       d.RequiredOn,
		MayBeEmpty:       d.MayBeEmpty,
		Default:          d.Default,
	}
	if d.Writer != object.Service {
		f.Writable = cmp.Or(d.On, diag.Write)
	}
	declared := declaredRules(d)
	f.Rules = rulesWhere(func(r *diag.Rule) bool { return slices.Contains(declared, r) })
	return f
}

func constraints(list []object.Constraint) []Constraint {
	var all []Constraint
	for _, c := range list {
		all = append(all, Constraint(c))
	}
	return all
}

// declaredRules returns the rules that the declaration of a member names; some may be nil.
func declaredRules(d *object.Declaration) []*diag.Rule {
	declared := slices.Clone(d.Required)
	for _, c := range slices.Concat(d.Constraints, d.Keys, d.Values) {
		declared = append(declared, c.Rule)
	}
	return append(declared, d.Ignored, d.TypeRule)
}

// rulesWhere returns the rules for which is returns true, in the order of the catalogue.
func rulesWhere(is func(*diag.Rule) bool) (list []*diag.Rule) {
	for r := range Catalogue().All() {
		if is(r) {
			list = append(list, r)
		}
	}
	return list
}
