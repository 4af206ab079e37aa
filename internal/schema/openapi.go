package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/resource"
	"github.com/calrules/calrules/operation"
)

const security = "bearer"

// OpenAPI returns the OpenAPI 3.1 document about the operations. The document lists the rules of this module and the rules in
// own.
func OpenAPI(d diag.Dialect, own ...*diag.Rule) Object {
	paths := Object{}
	for op := range operation.All() {
		item, ok := paths[op.Path].(Object)
		if !ok {
			item = Object{}
			paths[op.Path] = item
		}
		item[strings.ToLower(op.Method)] = describe(op, d, own)
	}
	document := Object{
		"openapi":           "3.1.1",
		"jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
		"info": Object{
			"title":       "Calendar service",
			"version":     "v" + strconv.Itoa(constraint.ServiceVersion),
			"description": "Derived from the rules of calrules. What the documents of the service do not show is left open.",
			"license":     Object{"name": "MIT", "identifier": "MIT"},
		},
		"externalDocs": Object{"description": "The rules that x-calrules-rules lists.", "url": (*diag.Rule)(nil).URL()},
		"paths":        paths,
		"components": Object{
			"schemas":         components(d, own),
			"securitySchemes": Object{security: Object{"type": "http", "scheme": "bearer"}},
		},
	}
	if standard := standardParams(d); len(standard) > 0 {
		document["components"].(Object)["parameters"] = standard
	}
	if url := d.BaseURL(); url != "" {
		document["servers"] = []Object{{"url": url}}
	}
	return document
}

// standardParams returns the parameters that every operation has in the given dialect.
func standardParams(d diag.Dialect) Object {
	all := Object{}
	for op := range operation.All() {
		for _, p := range op.ParamsIn(d) {
			if p.Standard {
				all[componentName(p.Name)] = parameter(&p, op, d)
			}
		}
	}
	return all
}

// componentName returns the component name for a parameter, without a dollar sign, which component names cannot contain.
func componentName(param string) string { return strings.TrimPrefix(param, "$.") }

// componentsAt is the prefix for references to schema components.
const componentsAt = "#/components/schemas/"

// components returns the schemas of bodies and responses, with their parts. The names of schemas end with the name of an
// operation, except for responses.
func components(d diag.Dialect, own []*diag.Rule) Object {
	all := Object{}
	add := func(on diag.When, fields []event.Field, suffix string) {
		b := newBuilder(on, fields, d, own, componentsAt)
		b.suffix = suffix
		b.object("", false)
		maps.Copy(all, b.parts)
	}
	for _, id := range Operations(d) {
		on, fields := bodyOf(id)
		add(on, fields, suffix(id))
	}
	if d == diag.Google {
		for _, id := range returned {
			add(diag.Response, event.BodyFields(id), "")
		}
		maps.Copy(all, answerParts())
	}
	return all
}

func suffix(id operation.ID) string {
	if id == operation.Response {
		return ""
	}
	_, name, _ := strings.Cut(string(id), ".")
	return upper(name)
}

// describe returns the Operation Object for an operation.
func describe(op *operation.Operation, d diag.Dialect, own []*diag.Rule) Object {
	parameters := []Object{}
	for _, segment := range strings.Split(op.Path, "/") {
		if name := strings.Trim(segment, "{}"); name != segment {
			parameters = append(parameters, Object{"name": name, "in": "path", "required": true, "schema": Object{"type": "string"}})
		}
	}
	for _, p := range op.ParamsIn(d) {
		if p.Standard {
			parameters = append(parameters, Object{"$ref": "#/components/parameters/" + componentName(p.Name)})
		} else {
			parameters = append(parameters, parameter(&p, op, d))
		}
	}
	described := Object{
		"operationId": op.ID,
		"summary":     op.Summary,
		"tags":        []string{op.Resource},
		"parameters":  parameters,
		"security":    requirements(op, d),
		"responses":   responses(op, d),
	}
	if rules := ruleIDs(op, d, own); rules != nil {
		described[rulesKey] = rules
	}
	if op.QuotaUnits > 0 {
		described[quotaKey] = op.QuotaUnits
	}
	if body := body(op, d); body != nil {
		described["requestBody"] = body
	}
	return described
}

// ruleIDs returns the ids of the rules about a request for an operation, except the rules about the event in its body.
func ruleIDs(op *operation.Operation, d diag.Dialect, own []*diag.Rule) (ids []string) {
	for _, r := range append(event.Catalogue().Rules(), own...) {
		if r.Kind != "" && r.Scope == diag.OfRequest && r.When.Has(op.When) && r.HoldsIn(d) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// requirements returns the security requirements of an operation, any one of whose scopes suffices.
func requirements(op *operation.Operation, d diag.Dialect) []Object {
	scopes := op.Scopes
	if scopes == nil && d == diag.Google {
		scopes = op.ObservedScopes()
	}
	if scopes == nil {
		return []Object{{security: []string{}}}
	}
	var list []Object
	for _, scope := range scopes {
		if base := d.ScopeBase(); base != "" {
			scope = base + "/" + scope
		}
		list = append(list, Object{security: []string{scope}})
	}
	return list
}

// parameter returns the Parameter Object of a query parameter.
func parameter(p *operation.Param, op *operation.Operation, d diag.Dialect) Object {
	schema, rules := paramSchema(p), paramRules(p, op, d)
	described := Object{"name": p.Name, "in": "query", "required": p.Required, "schema": schema}
	if p.Repeated {
		described["schema"] = Object{"type": "array", "items": schema}
	}
	var about []string
	if p.Deprecated != "" {
		described["deprecated"] = true
		about = append(about, "Deprecated: "+p.Deprecated+".")
	}
	if p.Default != "" && (p.Values == nil || slices.Contains(p.Values, p.Default)) {
		about = append(about, "The default is "+p.Default+".")
	}
	if about != nil {
		described["description"] = strings.Join(about, " ")
	}
	if rules != nil {
		described[rulesKey] = rules
	}
	return described
}

func paramSchema(p *operation.Param) Object {
	schema := Object{"type": p.Type}
	if p.Type == "enum" {
		schema["type"] = "string"
	}
	if p.Values != nil {
		schema["enum"] = p.Values
	}
	if p.Min != nil {
		schema["minimum"] = *p.Min
	}
	if p.Max != nil {
		schema["maximum"] = *p.Max
	}
	switch p.Format {
	case "int32":
		schema["format"] = p.Format
	case "date-time":
		schema["format"], schema["pattern"] = p.Format, stampPattern
	}
	switch {
	case p.Only != "" && p.Type == "boolean":
		schema["const"] = p.Only == "true"
	case p.Only != "":
		schema["const"] = p.Only
	}
	if p.Required && p.Type == "string" {
		schema["minLength"] = 1
	}
	return schema
}

// paramRules returns the ids of the rules about a parameter's values.
func paramRules(p *operation.Param, op *operation.Operation, d diag.Dialect) []string {
	rule := p.Rule()
	if !rule.HoldsIn(d) || !rule.When.Has(op.When) {
		rule = event.Catalogue().Lookup(ruleid.ParamValue)
	}
	switch {
	case rule == p.Rule():
	case p.Format == "date-time":
		rule = event.Catalogue().Lookup(ruleid.ListTimeParam)
	case p.Type == "string" && p.Format == "":
		return nil
	}
	if !rule.HoldsIn(d) || !rule.When.Has(op.When) {
		return nil
	}
	return []string{rule.ID}
}

// body returns the Request Body Object of an operation, or nil if the operation has no body. The documents describe only
// bodies that are events.
func body(op *operation.Operation, d diag.Dialect) Object {
	switch {
	case showsBody(op, d):
		root := event.BodyFields(op.ID)[0].Struct.Name()
		described := Object{"required": op.EventBody || resource.NeedsBody.Has(op.When), "content": content(part(root + suffix(op.ID)))}
		if example := example(op, d); example != nil {
			described["content"].(Object)["application/json"].(Object)["example"] = example
		}
		return described
	case diag.OtherBodies.Has(op.When):
		return Object{"content": content(Object{"type": "object"})}
	default:
		return nil
	}
}

func content(schema Object) Object { return Object{"application/json": Object{"schema": schema}} }
