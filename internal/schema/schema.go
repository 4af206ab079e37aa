// Package schema derives JSON Schemas and an OpenAPI document from the tables of members and operations.
//
// A schema asserts the rules' requirements on single values: the type, the constraints, and whether the value may be absent. A
// schema refuses only values that the rules refuse, but does not assert rules about several members or about the stored event.
// The x-calrules-rules extension lists all rules about a member.
package schema

import (
	"fmt"
	"maps"
	"math"
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/operation"
)

// Object is a JSON object.
type Object = map[string]any

// The names of the extensions, and the prefix of formats that JSON Schema does not define. In a format, the prefix is
// followed by the name of a row in [limits.Table].
const (
	rulesKey     = "x-calrules-rules"
	operationKey = "x-calrules-operation"
	quotaKey     = "x-calrules-quota-units"
	FormatPrefix = "calrules-"
)

// dialectURI identifies the version of JSON Schema.
const dialectURI = "https://json-schema.org/draft/2020-12/schema"

// Body returns the JSON Schema for the body of an operation or, for [operation.Response], for an event that the service
// returns. The schema lists the rules of this module and the rules in own. Body returns an error for an operation without a
// body and, in [diag.Documents], which describe only events, for any other body.
func Body(op operation.ID, d diag.Dialect, own ...*diag.Rule) (Object, error) {
	if !slices.Contains(Operations(d), op) {
		return nil, unknownBody(op)
	}
	on, fields := bodyOf(op)
	b := newBuilder(on, fields, d, own, "#/$defs/")
	root := b.object("", false)
	return Object{
		"$schema":    dialectURI,
		"title":      b.title(op),
		operationKey: op,
		"$ref":       root["$ref"],
		"$defs":      b.parts,
	}, nil
}

// Plain removes keywords that only some validators support from a schema: formats and the keywords of calrules.
func Plain(schema Object) {
	maps.DeleteFunc(schema, func(name string, value any) bool {
		_, isText := value.(string) // not the schema of a member with the name format
		return strings.HasPrefix(name, "x-calrules-") || name == "format" && isText
	})
	for _, value := range schema {
		plainWithin(value)
	}
}

func plainWithin(value any) {
	switch value := value.(type) {
	case Object:
		Plain(value)
	case []any:
		for _, element := range value {
			plainWithin(element)
		}
	}
}

func unknownBody(op operation.ID) error {
	if slices.Contains(Operations(diag.Google), op) {
		return fmt.Errorf("the documents do not show the body of %s; the schema is in the dialect google", op)
	}
	return fmt.Errorf("%s has no body", op)
}

func (b *builder) title(op operation.ID) string {
	if op == operation.Response {
		return "Event, as the service returns it"
	}
	return b.root + ", as the body of " + string(op)
}

// Operations returns operation.Response and the operations whose bodies have known members in a dialect: events and, in
// [diag.Google], other resources.
func Operations(d diag.Dialect) []operation.ID {
	ids := []operation.ID{operation.Response}
	for op := range operation.All() {
		if showsBody(op, d) {
			ids = append(ids, op.ID)
		}
	}
	return ids
}

// showsBody reports whether the members of an operation's body are known in the given dialect.
func showsBody(op *operation.Operation, d diag.Dialect) bool {
	return op.EventBody || d == diag.Google && diag.OtherBodies.Has(op.When)
}

// Asserts reports whether the schema for an operation asserts the whole rule.
func Asserts(op operation.ID, rule *diag.Rule) bool {
	if !slices.Contains(Operations(diag.Documents), op) {
		return false // rules about other resources state more than the tables
	}
	on, fields := bodyOf(op)
	b := newBuilder(on, fields, diag.Documents, nil, "")
	if !b.asserts(rule) {
		return false
	}
	for _, f := range b.fields {
		for _, c := range slices.Concat(f.Constraints, f.KeyConstraints, f.ValueConstraints) {
			if c.Rule == rule && c.If == "" {
				return true
			}
		}
		if slices.Contains(f.Required, rule) {
			return true
		}
	}
	return false
}

// refuses reports whether a rule refuses requests on an occasion.
func refuses(rule *diag.Rule, on diag.When) bool {
	return rule.Kind == diag.Reject && rule.When.Has(on)
}

// patches is the set of operations whose body is a merge patch.
const patches = diag.Patch | diag.ACLPatch | diag.CalendarListPatch | diag.CalendarsPatch

// builder builds the schemas of a body and its parts on one occasion.
type builder struct {
	on      diag.When
	dialect diag.Dialect
	root    string // the name of the whole resource
	ref     string // the prefix of references to parts
	suffix  string // the suffix of the names of parts
	parts   Object
	fields  []event.Field
	members map[string][]event.Field // the fields, by the path of the object that contains them
}

// bodyOf returns an operation's occasion and the members of its body. For [operation.Response], the body is an event that the
// service returns.
func bodyOf(op operation.ID) (on diag.When, fields []event.Field) {
	if found, ok := operation.Lookup(op); ok {
		return found.When, event.BodyFields(op)
	}
	return diag.Response, event.Fields()
}

func newBuilder(on diag.When, fields []event.Field, d diag.Dialect, own []*diag.Rule, ref string) *builder {
	b := &builder{
		on: on, dialect: d, root: fields[0].Struct.Name(), ref: ref, parts: Object{},
		fields: fields, members: map[string][]event.Field{},
	}
	for _, f := range b.fields {
		for _, r := range own {
			if b.isEvent() && slices.Contains(r.Reads, f.Path) {
				f.Rules = append(slices.Clip(f.Rules), r)
			}
		}
		object := f.Path[:max(0, strings.LastIndexByte(f.Path, '.'))]
		b.members[object] = append(b.members[object], f)
	}
	return b
}

func (b *builder) isEvent() bool { return b.root == "Event" }

// asserts reports whether the tables cover all refusals by a rule. A rule about an event must not have a check; for other
// resources, checks enforce the limits in the tables.
func (b *builder) asserts(rule *diag.Rule) bool {
	return refuses(rule, b.on) && (rule.Check == nil || !b.isEvent())
}

// object adds the schema of the object at a path to the parts, and returns a reference to the schema. In a patch, the
// members of an object are optional, unless the object is in an array, which is always sent in full.
func (b *builder) object(at string, whole bool) Object {
	properties := Object{}
	schema := Object{"type": "object", "properties": properties}
	var required []string
	for _, f := range b.members[at] {
		name := b.dialect.Name(lastName(f.Path))
		properties[name] = b.member(f, whole)
		switch {
		case !b.isRequired(f) || !whole && patches.Has(b.on):
		case f.KnownBy != "" && diag.Modify.Has(b.on): // the element may be stored
			schema["if"], schema["else"] = requiring(f.KnownBy), requiring(name) // not anyOf, which ogen turns into a sum type
		default:
			required = append(required, name)
		}
	}
	if required != nil {
		schema["required"] = required
	}
	if at == "" && b.on == diag.Import {
		b.dropOnImport(schema)
	}
	return b.part(at, schema)
}

// dropOnImport relaxes the assertions about the properties of event types that an import does not keep. An import changes the
// event type to default and drops the properties of any other type, which need only have the types in the tables.
func (b *builder) dropOnImport(schema Object) {
	properties, kept := schema["properties"].(Object), Object{}
	var types []string
	for _, t := range constraint.EventType.Values() {
		if t != constraint.TypeDefault {
			types = append(types, b.dialect.Name(t))
		}
		name := t + "Properties"
		if asserted, ok := properties[name].(Object); ok {
			kept[name] = asserted
			dropped := b.types(name)
			dropped[rulesKey] = asserted[rulesKey]
			properties[name] = dropped
		}
	}
	ofType := b.dialect.Name("eventType")
	schema["if"] = Object{"required": []string{ofType}, "properties": Object{ofType: Object{"enum": types}}}
	schema["else"] = Object{"properties": kept}
}

// types returns a schema for the object at a path that asserts only types.
func (b *builder) types(at string) Object {
	properties := Object{}
	for _, f := range b.members[at] {
		name := b.dialect.Name(lastName(f.Path))
		switch f.Type {
		case "object":
			properties[name] = b.types(f.Path)
		case "any value":
			properties[name] = Object{}
		default:
			properties[name] = Object{"type": []string{f.Type, "null"}}
		}
	}
	return Object{"type": []string{"object", "null"}, "properties": properties}
}

// part adds a part under the name of its Go type, preceded by the name of the member if another part has that name, and returns
// a reference to the part.
func (b *builder) part(at string, schema Object) Object {
	name := b.typeName(b.members[at][0].Struct)
	if other, ok := b.parts[name+b.suffix].(Object); ok && !merge(other, schema) {
		name = upper(strings.TrimSuffix(lastName(at), "[]")) + name
	}
	b.parts[name+b.suffix] = schema
	return Object{"$ref": b.ref + name + b.suffix}
}

// merge adds the rules about the members of other to schema, and returns true, if the schemas are otherwise equal.
func merge(schema, other Object) bool {
	if !reflect.DeepEqual(withoutRules(schema), withoutRules(other)) {
		return false
	}
	a, b := schema["properties"].(Object), other["properties"].(Object)
	for name := range a {
		x, y := a[name].(Object), b[name].(Object)
		rules, _ := x[rulesKey].([]string)
		more, _ := y[rulesKey].([]string)
		for _, rule := range more {
			if !slices.Contains(rules, rule) {
				rules = append(rules, rule)
			}
		}
		if rules != nil {
			x[rulesKey], y[rulesKey] = rules, rules
		}
	}
	return true
}

// withoutRules returns a copy of an object schema without the rules about the members.
func withoutRules(schema Object) Object {
	schema = maps.Clone(schema)
	properties := maps.Clone(schema["properties"].(Object))
	for name, member := range properties {
		member := maps.Clone(member.(Object))
		delete(member, rulesKey)
		properties[name] = member
	}
	schema["properties"] = properties
	return schema
}

// typeName returns the name of the part for a Go type. The name begins with the name of the type's package, unless that is
// event, or with the name of a resource other than an event.
func (b *builder) typeName(t reflect.Type) string {
	pkg := path.Base(t.PkgPath())
	switch {
	case b.isEvent() && pkg != "event":
		return upper(pkg) + t.Name()
	case b.isEvent() || t.Name() == b.root:
		return t.Name()
	default:
		return b.root + t.Name()
	}
}

func upper(name string) string {
	runes := []rune(name)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func (b *builder) isRequired(f event.Field) bool {
	return (f.RequiredOn == 0 || f.RequiredOn.Has(b.on)) && slices.ContainsFunc(f.Required, b.asserts)
}

func (b *builder) member(f event.Field, whole bool) Object {
	schema := b.value(f, whole)
	if b.on != diag.Response && !b.isRequired(f) {
		schema = nullable(schema)
	}
	b.annotate(schema, f)
	return schema
}

// annotate adds keywords without assertions to a schema.
func (b *builder) annotate(schema Object, f event.Field) {
	var rules, wants []string
	for _, r := range f.Rules {
		if r.Kind != "" && r.When.Has(b.on) {
			rules = append(rules, r.ID)
		}
	}
	if rules != nil {
		schema[rulesKey] = rules
	}
	for _, c := range f.Constraints {
		if c.If == "" && b.asserts(c.Rule) {
			wants = append(wants, constraint.Named(c.Name).Want(b.dialect))
		}
	}
	var about []string
	if wants != nil {
		about = append(about, "It must be "+strings.Join(wants, ", and ")+".")
	}
	// Some code generators turn a default into a mandatory member in the types for responses.
	if f.Default != "" {
		about = append(about, "The default is "+b.dialect.Name(f.Default)+".")
	}
	if about != nil {
		schema["description"] = strings.Join(about, " ")
	}
	if f.Writable == 0 {
		schema["readOnly"] = true
	}
}

func nullable(schema Object) Object {
	if typ, ok := schema["type"].(string); ok {
		schema["type"] = []string{typ, "null"}
		if values, ok := schema["enum"].([]any); ok {
			schema["enum"] = append(values, nil)
		}
		return schema
	}
	if _, ok := schema["$ref"]; ok {
		return Object{"anyOf": []any{schema, Object{"type": "null"}}}
	}
	return schema
}

// value returns the schema for a member's value.
func (b *builder) value(f event.Field, whole bool) Object {
	switch f.Type {
	case "object":
		return b.object(f.Path, whole)
	case "array of objects":
		schema := Object{"type": "array", "items": b.object(f.Path+"[]", true)}
		b.assert(schema, f.Constraints)
		return schema
	case "array of strings":
		items := Object{"type": "string"}
		for _, c := range f.Constraints {
			if refuses(c.Rule, b.on) {
				items["pattern"] = linePattern(c.Values)
			}
		}
		return Object{"type": "array", "items": items}
	case "map of strings":
		return b.stringMap(f)
	case "any value":
		return Object{}
	default:
		schema := Object{"type": f.Type}
		switch {
		case f.Type == "integer": // an int64, unless a constraint sets tighter bounds
			schema["minimum"], schema["maximum"] = int64(math.MinInt64), int64(math.MaxInt64)
		case f.Type == "string" && b.isRequired(f) && !f.MayBeEmpty:
			schema["minLength"] = 1
		}
		b.assert(schema, f.Constraints)
		return schema
	}
}

// linePattern returns a pattern for lines that begin with one of the names, regardless of case.
func linePattern(names []string) string {
	var all []string
	for _, name := range names {
		var cases strings.Builder
		for _, c := range name {
			fmt.Fprintf(&cases, "[%c%c]", c, unicode.ToLower(c))
		}
		all = append(all, cases.String())
	}
	return "^(" + strings.Join(all, "|") + ")[:;]"
}

func (b *builder) stringMap(f event.Field) Object {
	keys, values := Object{}, Object{"type": "string"}
	b.assert(keys, f.KeyConstraints)
	b.assert(values, f.ValueConstraints)
	if b.on != diag.Response {
		values = nullable(values)
	}
	schema := Object{"type": "object", "additionalProperties": values}
	if len(keys) > 0 {
		schema["propertyNames"] = keys
	}
	return schema
}

// assert adds constraints to the schema of a value.
func (b *builder) assert(schema Object, constraints []event.Constraint) {
	var in []*constraint.Constraint
	for _, c := range constraints {
		if c.If == "" && refuses(c.Rule, b.on) && !b.allowsMore(c) {
			in = append(in, constraint.Named(c.Name))
		}
	}
	for _, c := range in {
		switch {
		case c.Values() != nil:
			schema["enum"] = enum(c, in, b.dialect)
		case c.Subject != constraint.Text:
			bound(schema, c, bounds[c.Subject])
		case c.Unit == "characters":
			bound(schema, c, lengthBounds)
		case slices.ContainsFunc(in, func(c *constraint.Constraint) bool { return c.Values() != nil }):
			// the enumeration lists only values that all constraints allow
		default:
			addForm(schema, c)
		}
	}
}

// allowsMore reports whether the operation allows values that the constraint does not allow.
func (b *builder) allowsMore(c event.Constraint) bool {
	switch constraint.Named(c.Name) {
	case constraint.NewEventType:
		return b.on == diag.Import // an import changes the type
	case constraint.ConferenceType, constraint.NewConferenceType:
		return b.on == diag.Patch || b.on == diag.Update // the conference may be stored
	}
	return false
}

// enum returns the values of an enumeration that all constraints allow.
func enum(c *constraint.Constraint, all []*constraint.Constraint, d diag.Dialect) []any {
	var values []any
	for _, value := range c.Values() {
		if !slices.ContainsFunc(all, func(other *constraint.Constraint) bool { return !other.Has(value) }) {
			values = append(values, d.Name(value))
		}
	}
	return values
}

// bounds contains the keywords for numeric bounds, by kind of value.
var (
	bounds = map[string][2]string{
		constraint.Int:   {"minimum", "maximum"},
		constraint.Count: {"minItems", "maxItems"},
	}
	lengthBounds = [2]string{"minLength", "maxLength"}
)

// bound adds the bounds of a constraint to a schema.
func bound(schema Object, c *constraint.Constraint, keywords [2]string) {
	low, high := c.Range()
	if low > 0 || c.Subject == constraint.Int {
		schema[keywords[0]] = low
	}
	if high != math.MaxInt64 {
		schema[keywords[1]] = high
	}
}

// Formats returns the constraints for the formats in schemas that JSON Schema does not define, by the name of the format.
func Formats() map[string]*constraint.Constraint {
	formats := map[string]*constraint.Constraint{}
	for _, op := range Operations(diag.Google) {
		_, fields := bodyOf(op)
		for _, f := range fields {
			for _, c := range f.Constraints {
				if c.Subject == constraint.Text && c.Values == nil && c.Unit != "characters" && c.Unit != "alphabet" {
					formats[FormatPrefix+c.Name] = constraint.Named(c.Name)
				}
			}
		}
	}
	return formats
}

// requiring returns a schema that requires a member. Strict validators demand that the schema also declare the member, and
// generators of Go clients do not support true as a schema.
func requiring(name string) Object {
	return Object{"properties": Object{name: Object{}}, "required": []string{name}}
}
