// Package schema derives JSON Schemas and an OpenAPI document from the tables of members and operations.
//
// A schema asserts what the rules require of single values: their types, their constraints, and whether they
// may be absent. It refuses only what such rules refuse: it does not assert rules about several members or
// about the stored event. The extension x-calrules-rules lists all rules about a member.
package schema

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/operation"
)

// Object is a JSON object.
type Object = map[string]any

// The extensions, and the prefix of formats that JSON Schema does not define. The name of a row of
// [limits.Table] follows the prefix.
const (
	rulesKey     = "x-calrules-rules"
	operationKey = "x-calrules-operation"
	quotaKey     = "x-calrules-quota-units"
	FormatPrefix = "calrules-"
)

// dialectURI names the version of JSON Schema.
const dialectURI = "https://json-schema.org/draft/2020-12/schema"

// Event returns the JSON Schema of the event in the body of an operation or, for [operation.Response], of a
// representation. It lists the rules of a program beside the module's. It returns an error if the body of the operation
// is not an event.
func Event(op operation.ID, d diag.Dialect, own ...*diag.Rule) (Object, error) {
	on, err := occasionOf(op)
	if err != nil {
		return nil, err
	}
	b := newBuilder(on, d, own, "#/$defs/", "")
	b.object("", false)
	return Object{
		"$schema":    dialectURI,
		"title":      title(op),
		operationKey: op,
		"$ref":       b.ref + "Event",
		"$defs":      b.parts,
	}, nil
}

func title(op operation.ID) string {
	if op == operation.Response {
		return "Event, as the service returns it"
	}
	return "Event, as the body of " + string(op)
}

// Operations returns the operations whose body is an event, and the response.
func Operations() []operation.ID {
	ids := []operation.ID{operation.Response}
	for op := range operation.All() {
		if op.EventBody {
			ids = append(ids, op.ID)
		}
	}
	return ids
}

// occasionOf returns the occasion of an operation of [Operations].
func occasionOf(op operation.ID) (diag.When, error) {
	if op == operation.Response {
		return diag.Response, nil
	}
	if found, ok := operation.Lookup(op); ok && found.EventBody {
		return found.When, nil
	}
	return 0, fmt.Errorf("the body of %s is not an event", op)
}

// Asserts reports whether the schema of an operation asserts the rule.
func Asserts(op operation.ID, rule *diag.Rule) bool {
	on, err := occasionOf(op)
	if err != nil || !asserted(rule, on) {
		return false
	}
	for _, f := range event.Fields() {
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

// asserted reports whether a rule in a table refuses values by the table alone: no function checks it.
func asserted(rule *diag.Rule, on diag.When) bool {
	return rule.Check == nil && refuses(rule, on)
}

// refuses reports whether a rule refuses requests on an occasion.
func refuses(rule *diag.Rule, on diag.When) bool {
	return rule.Kind == diag.Reject && rule.When.Has(on)
}

// builder builds the schemas of an event and of its parts on one occasion.
type builder struct {
	on      diag.When
	dialect diag.Dialect
	ref     string // the prefix of references to parts
	suffix  string // of the names of parts
	parts   Object
	members map[string][]event.Field // by the path of the object that contains them
}

func newBuilder(on diag.When, d diag.Dialect, own []*diag.Rule, ref, suffix string) *builder {
	b := &builder{on: on, dialect: d, ref: ref, suffix: suffix, parts: Object{}, members: map[string][]event.Field{}}
	for _, f := range event.Fields() {
		for _, r := range own {
			if slices.Contains(r.Reads, f.Path) {
				f.Rules = append(slices.Clip(f.Rules), r)
			}
		}
		object := f.Path[:max(0, strings.LastIndexByte(f.Path, '.'))]
		b.members[object] = append(b.members[object], f)
	}
	return b
}

// object adds the schema of the object at a path to the parts, and returns a reference to it. In a patch, the
// members of an object are optional, unless the object is in an array, which is sent as a whole.
func (b *builder) object(at string, whole bool) Object {
	properties := Object{}
	var required []string
	for _, f := range b.members[at] {
		name := b.dialect.Name(lastName(f.Path))
		properties[name] = b.member(f, whole)
		if b.isRequired(f) && (whole || b.on != occasion.Patch) {
			required = append(required, name)
		}
	}
	schema := Object{"type": "object", "properties": properties}
	if required != nil {
		schema["required"] = required
	}
	if at == "" && b.on == occasion.Import {
		b.dropOnImport(schema)
	}
	return b.part(at, schema)
}

// dropOnImport asserts the properties of event types only where an import keeps them: it turns an event of another
// type into one of the type default. What it drops must still have the types of the tables.
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

// types returns the schema of an object that asserts nothing but types.
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

// part adds a part under the name of its Go type. If another part has that name, the name of the member comes
// before it.
func (b *builder) part(at string, schema Object) Object {
	name := typeName(b.members[at][0].Struct)
	if other, ok := b.parts[name+b.suffix].(Object); ok && !merge(other, schema) {
		name = upper(strings.TrimSuffix(lastName(at), "[]")) + name
	}
	b.parts[name+b.suffix] = schema
	return Object{"$ref": b.ref + name + b.suffix}
}

// merge adds the rules of the members of other to a schema, if the schemas are the same otherwise.
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

// withoutRules returns a schema of an object without the rules of its members.
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

// typeName returns the name of a part from its Go type. For a type of a package other than event, it begins with
// the name of the package.
func typeName(t reflect.Type) string {
	pkg := path.Base(t.PkgPath())
	if pkg == "event" {
		return t.Name()
	}
	return upper(pkg) + t.Name()
}

func upper(name string) string {
	runes := []rune(name)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func (b *builder) isRequired(f event.Field) bool {
	return slices.ContainsFunc(f.Required, func(r *diag.Rule) bool { return asserted(r, b.on) })
}

// member returns the schema of a member.
func (b *builder) member(f event.Field, whole bool) Object {
	schema := b.value(f, whole)
	// A patch clears a stored value with null, unless the object is in an array.
	if b.on == occasion.Patch && !whole || b.on != diag.Response && !b.isRequired(f) {
		schema = nullable(schema)
	}
	b.annotate(schema, f)
	return schema
}

// annotate adds keywords that assert nothing.
func (b *builder) annotate(schema Object, f event.Field) {
	var rules, wants []string
	for _, r := range f.Rules {
		if r.Kind.Reports() && r.When.Has(b.on) {
			rules = append(rules, r.ID)
		}
	}
	if rules != nil {
		schema[rulesKey] = rules
	}
	for _, c := range f.Constraints {
		if c.If == "" && asserted(c.Rule, b.on) {
			wants = append(wants, c.Want(b.dialect))
		}
	}
	if wants != nil {
		schema["description"] = "It must be " + strings.Join(wants, ", and ") + "."
	}
	if f.Writable == 0 {
		schema["readOnly"] = true
	}
	if f.Default != "" {
		schema["default"] = value(f.Default, f.Type)
	}
}

// value returns a default as a value of its type.
func value(text, typ string) any {
	switch typ {
	case "boolean":
		return text == "true"
	case "integer":
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
	}
	return text
}

// nullable returns a schema that allows null too.
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

// value returns the schema of the value of a member.
func (b *builder) value(f event.Field, whole bool) Object {
	switch f.Type {
	case "object":
		return b.object(f.Path, whole)
	case "array of objects":
		schema := Object{"type": "array", "items": b.object(f.Path+"[]", true)}
		b.assert(schema, f.Constraints)
		return schema
	case "array of strings":
		return Object{"type": "array", "items": Object{"type": "string"}}
	case "map of strings":
		return b.stringMap(f)
	case "any value":
		return Object{}
	default:
		schema := Object{"type": f.Type}
		switch {
		case f.Type == "integer": // of 64 bits, unless a constraint says less
			schema["minimum"], schema["maximum"] = int64(math.MinInt64), int64(math.MaxInt64)
		case f.Type == "string" && b.isRequired(f):
			schema["minLength"] = 1
		}
		b.assert(schema, f.Constraints)
		return schema
	}
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
			in = append(in, c.Constraint)
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
			// the enumeration lists what both allow
		default:
			addForm(schema, c)
		}
	}
}

// allowsMore reports whether the operation allows values that the constraint does not.
func (b *builder) allowsMore(c event.Constraint) bool {
	switch c.Constraint {
	case constraint.NewEventType:
		return b.on == occasion.Import // an import changes the type
	case constraint.ConferenceType, constraint.NewConferenceType:
		return b.on == occasion.Patch || b.on == occasion.Update // the conference may be stored
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

// bounds are the keywords for the bounds of a number, by the kind of value.
var (
	bounds = map[constraint.Subject][2]string{
		constraint.Int:   {"minimum", "maximum"},
		constraint.Count: {"minItems", "maxItems"},
	}
	lengthBounds = [2]string{"minLength", "maxLength"}
)

// bound adds the bounds of a constraint to a schema.
func bound(schema Object, c *constraint.Constraint, keywords [2]string) {
	low, high := c.Range()
	if low > 0 || low > math.MinInt64 && c.Subject == constraint.Int {
		schema[keywords[0]] = low
	}
	if high < math.MaxInt64 {
		schema[keywords[1]] = high
	}
}

// standardFormats are the constraints for which JSON Schema has a format.
var standardFormats = map[*constraint.Constraint]string{constraint.FullDate: "date", constraint.Timestamp: "date-time"}

// addForm adds the form of a text: a pattern for an alphabet, otherwise a format.
func addForm(schema Object, c *constraint.Constraint) {
	if c.Unit == "alphabet" {
		schema["pattern"] = alphabet(c)
	} else {
		schema["format"] = cmp.Or(standardFormats[c], FormatPrefix+c.Name)
	}
}

// alphabet returns a pattern for texts of the ASCII characters that a constraint allows.
func alphabet(c *constraint.Constraint) string {
	var class strings.Builder
	for r := rune(0); r < unicode.MaxASCII; r++ {
		if !c.Has(string(r)) {
			continue
		}
		last := r
		for last < unicode.MaxASCII && c.Has(string(last+1)) {
			last++
		}
		fmt.Fprintf(&class, "%c-%c", r, last)
		r = last
	}
	return "^[" + class.String() + "]*$"
}

// Formats returns the constraints to which schemas refer with formats that JSON Schema does not define, by the
// name of the format.
func Formats() map[string]*constraint.Constraint {
	formats := map[string]*constraint.Constraint{}
	for _, f := range event.Fields() {
		for _, c := range f.Constraints {
			if c.Subject == constraint.Text && c.Values() == nil && c.Unit != "characters" && c.Unit != "alphabet" {
				formats[FormatPrefix+c.Name] = c.Constraint
			}
		}
	}
	return formats
}
