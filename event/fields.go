package event

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
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

	// KnownBy is the member of an element by which a modification names a stored element, without the required member. It is
	// empty if there is none.
	KnownBy string

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
	Name    string // of the row of limits.Table, such as "ReminderMinutes"
	Subject string // what is constrained: "text", "int", or "count", the number of elements
	Limit   string // the Value of that row: "0 to 40320", or "email or popup"
	Unit    string // what the numbers count, or "one of", "alphabet" or "form"

	// Values are the values of an enumeration, in the order of the documents. Min and Max are the least and the
	// greatest number, of the characters of a text, of the elements, or the integer itself; nil means that there is none.
	Values   []string
	Min, Max *int64

	Inferred bool // the limit is inferred, even if the rule states something else

	Rule *diag.Rule

	// If describes the events in which the rule applies the constraint, such as "for video", if they depend on other members or on
	// the number of elements of a kind. It is empty for all events.
	If string
}

// Fields returns all members of the Event resource in the order of the documents, each object and
// array before its members.
func Fields() []Field {
	return collect(eventTable.Visit, func(f *Field, d *object.Declaration) {
		f.Rules = fieldRules(d, f.Path)
		f.Immutable = d.Traits&immutable != 0
		f.FixedIfLocked = d.Traits&lockable != 0
		f.FreeInMail = d.Traits&freeInMail != 0
		if d.Traits&(immutable|setOnce) != 0 && d.On == 0 {
			f.Writable &= diag.Create
		}
	})
}

// BodyFields returns the members of the body of an operation in the same order: of [Fields] if it is an event, and
// otherwise of another resource, whose members the reference of the public service shows and the documents do not. It
// returns nil if the operation has no body.
func BodyFields(op operation.ID) []Field {
	found, ok := operation.Lookup(op)
	switch {
	case !ok || !found.EventBody && !diag.OtherBodies.Has(found.When):
		return nil
	case found.EventBody:
		return Fields()
	}
	visit := func(_ diag.Pointer, do visitor) { resource.Visit(found.When, do) }
	return collect(visit, func(f *Field, d *object.Declaration) {
		f.Rules = fieldRules(d, "") // what rules read are members of events
		if d.Writer != object.Service {
			f.Writable = resource.Writes(found.When)
		}
	})
}

// visitor is called for each member of a table.
type visitor = func(path diag.Pointer, d *object.Declaration, field object.GoField)

// collect returns the members of a table, each object before its members, after complete has completed each. A client
// writes a member where it writes the object that has it.
func collect(visit func(diag.Pointer, visitor), complete func(*Field, *object.Declaration)) []Field {
	var fields []Field
	writable := map[string]diag.When{} // by path, for inner members
	visit("", func(path diag.Pointer, d *object.Declaration, field object.GoField) {
		f := newField(path, d, field)
		complete(&f, d)
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
		RequiredOn:       d.RequiredOn,
		MayBeEmpty:       d.MayBeEmpty,
		KnownBy:          d.KnownBy,
		Default:          d.Default,
	}
	if d.Writer != object.Service {
		f.Writable = cmp.Or(d.On, diag.Write)
	}
	return f
}

func constraints(list []object.Constraint) []Constraint {
	var all []Constraint
	for _, c := range list {
		low, high := c.Bounds()
		all = append(all, Constraint{
			Name: c.Name, Subject: c.Subject, Limit: c.Value, Unit: c.Unit, Values: c.Values(), Min: low, Max: high,
			Inferred: c.Inferred, Rule: c.Rule, If: c.If,
		})
	}
	return all
}

// fieldRules returns the rules that the declaration of a member names, and the rules that read the member.
func fieldRules(d *object.Declaration, path string) []*diag.Rule {
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
