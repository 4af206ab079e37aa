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

// Field describes a member of a request body: its type, its constraints and its writers.
type Field struct {
	// Path is the name of the member, preceded by the names of the members that contain it, as in "attendees[].email".
	Path string

	// Struct is the Go struct with the field for the member, and Name is the name of the field.
	Struct reflect.Type
	Name   string

	// Type is the JSON type, as in "string" or "array of objects".
	Type string

	// Constraints apply to the value or to the number of its elements. KeyConstraints and ValueConstraints apply to the
	// keys and values of a map.
	Constraints, KeyConstraints, ValueConstraints []Constraint

	// Required lists the rules that require the member in an event, or in an element that is added to an array.
	// RequiredOn is the set of operations for which the member is required; 0 means all operations to which the rules
	// apply. A required string must not be empty unless MayBeEmpty is set.
	Required   []*diag.Rule
	RequiredOn diag.When
	MayBeEmpty bool

	// KnownBy is the member that identifies a stored element in a modification that omits the required member, or "".
	KnownBy string

	// Rules lists the rules of the constraints and all other rules about the member, in catalogue order.
	Rules []*diag.Rule

	// Writable is the set of operations with which a client can write the member, or 0 if only the service writes it.
	Writable diag.When

	Default       string // the value of an absent member, if the documents state one
	Immutable     bool   // whether the member cannot change after the event is created
	FixedIfLocked bool   // whether the member cannot change on a locked copy
	FreeInMail    bool   // whether the member can change in an event of type fromMail, unlike most members
}

// Constraint is a constraint on the value of a member, with the rule that states it.
type Constraint struct {
	Name    string // the name of the row in limits.Table, such as "ReminderMinutes"
	Subject string // the constrained quantity: "text", "int", or "count" for the number of elements
	Limit   string // the Value of the row, such as "0 to 40320" or "email or popup"
	Unit    string // the unit of the numbers, or "one of", "alphabet" or "form"

	// Values lists the values of an enumeration, in the documents' order. Min and Max are bounds on the length of a
	// string in characters, the number of elements, or the value of an integer; nil means unbounded.
	Values   []string
	Min, Max *int64

	Inferred bool // whether the limit is inferred, even if the basis of the rule differs

	Rule *diag.Rule

	// If describes the condition under which the constraint applies, such as "for video". The condition depends on
	// other members, or on the number of elements of a certain kind. If is empty if the constraint always applies.
	If string
}

// Fields returns all members of the Event resource in the documents' order, with each object and array before its members.
func Fields() []Field {
	return collect(tables().event.Visit, func(f *Field, d *object.Declaration) {
		f.Rules = fieldRules(d, f.Path)
		f.Immutable = d.Traits&immutable != 0
		f.FixedIfLocked = d.Traits&lockable != 0
		f.FreeInMail = d.Traits&freeInMail != 0
		if d.Traits&(immutable|setOnce) != 0 && d.On == 0 {
			f.Writable &= diag.Create
		}
	})
}

// BodyFields returns the members of an operation's request body, in the order of [Fields]. If the body is an event, BodyFields
// returns [Fields]. If the body is a resource other than an event, BodyFields returns its members, which the public service's
// reference describes but the documents do not. BodyFields returns nil if the operation has no body.
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
		f.Rules = fieldRules(d, "") // rules read only the members of events
		if d.Writer != object.Service {
			f.Writable = resource.Writes(found.When)
		}
	})
}

// visitor is called for each member of a table.
type visitor = func(path diag.Pointer, d *object.Declaration, field object.GoField)

// collect returns the members of a table, each object before its members, and calls complete for each member. A client
// can write a member only where it can write the object that contains the member.
func collect(visit func(diag.Pointer, visitor), complete func(*Field, *object.Declaration)) []Field {
	var fields []Field
	writable := map[string]diag.When{} // maps the path of each member to the operations that can write it
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
		Struct:           field.Struct(),
		Name:             field.Name(),
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
			Name: c.Name, Subject: c.Subject, Limit: c.String(), Unit: c.Unit, Values: c.Values(), Min: low, Max: high,
			Inferred: c.Inferred, Rule: c.Rule, If: c.If,
		})
	}
	return all
}

// fieldRules returns the rules that a member's declaration names, and the rules that read the member.
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
