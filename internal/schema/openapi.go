package schema

import (
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/operation"
)

// security is the name of the security scheme.
const security = "bearer"

// returning are the operations that return an event.
const returning = diag.Write | occasion.Get | occasion.Move | occasion.QuickAdd

// OpenAPI returns the OpenAPI 3.1 document of the operations, with the rules of a program beside the module's.
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
		"paths": paths,
		"components": Object{
			"schemas":         components(d, own),
			"securitySchemes": Object{security: Object{"type": "http", "scheme": "bearer"}},
		},
	}
	if url := d.BaseURL(); url != "" {
		document["servers"] = []Object{{"url": url}}
	}
	return document
}

// components returns the schemas of events and their parts for each operation. The schemas of events that the
// service returns have plain names; the names of the others end with the name of the operation.
func components(d diag.Dialect, own []*diag.Rule) Object {
	all := Object{}
	for _, id := range Operations() {
		on, _ := occasionOf(id)
		b := newBuilder(on, d, own, "#/components/schemas/", suffix(id))
		b.object("", false)
		for name, part := range b.parts {
			all[name] = part
		}
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

// describe returns the Operation Object of an operation.
func describe(op *operation.Operation, d diag.Dialect, own []*diag.Rule) Object {
	parameters := []Object{}
	for _, segment := range strings.Split(op.Path, "/") {
		if name := strings.Trim(segment, "{}"); name != segment {
			parameters = append(parameters, Object{"name": name, "in": "path", "required": true, "schema": Object{"type": "string"}})
		}
	}
	for i := range op.Params {
		parameters = append(parameters, parameter(&op.Params[i]))
	}
	described := Object{
		"operationId": op.ID,
		"tags":        []string{op.Resource},
		"parameters":  parameters,
		"security":    requirements(op, d),
		"responses":   responses(op),
	}
	if rules := ruleIDs(op, d, own); rules != nil {
		described[rulesKey] = rules
	}
	if op.Summary != "" {
		described["summary"] = op.Summary
	}
	if op.QuotaUnits > 0 {
		described[quotaKey] = op.QuotaUnits
	}
	if body := body(op); body != nil {
		described["requestBody"] = body
	}
	return described
}

// ruleIDs returns the rules about a request for the operation, apart from the rules about its event.
func ruleIDs(op *operation.Operation, d diag.Dialect, own []*diag.Rule) (ids []string) {
	for _, r := range append(event.Catalogue().Rules(), own...) {
		if r.Kind.Reports() && r.Scope == diag.OfRequest && r.When.Has(op.When) && r.HoldsIn(d) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// requirements returns the scopes of an operation. One of them suffices.
func requirements(op *operation.Operation, d diag.Dialect) []Object {
	if op.Scopes == nil {
		return []Object{{security: []string{}}}
	}
	var list []Object
	for _, scope := range op.Scopes {
		if base := d.ScopeBase(); base != "" {
			scope = base + "/" + scope
		}
		list = append(list, Object{security: []string{scope}})
	}
	return list
}

// parameter returns the Parameter Object of a query parameter.
func parameter(p *operation.Param) Object {
	schema := Object{"type": p.Type}
	if p.Type == "enum" {
		schema["type"] = "string"
	}
	c := p.Constraint()
	if c != nil && c.Values() != nil {
		schema["enum"] = c.Values()
	} else if c != nil {
		bound(schema, c, bounds[constraint.Int])
	}
	if p.Only != "" {
		schema["const"] = value(p.Only, p.Type)
	}
	if p.Required && p.Type == "string" {
		schema["minLength"] = 1
	}
	if p.Default != "" && (c == nil || c.Has(p.Default)) {
		schema["default"] = value(p.Default, p.Type)
	}
	described := Object{"name": p.Name, "in": "query", "required": p.Required, "schema": schema}
	if p.Deprecated != "" {
		described["deprecated"], described["description"] = true, "Deprecated: "+p.Deprecated+"."
	}
	if rule := p.Rule(); rule != nil {
		described[rulesKey] = []string{rule.ID}
	}
	return described
}

// body returns the Request Body Object of an operation, or nil if it has none. The documents show only events.
func body(op *operation.Operation) Object {
	switch {
	case op.EventBody:
		return Object{"required": true, "content": content("Event" + suffix(op.ID))}
	case occasion.Bodies.Has(op.When):
		return Object{"content": Object{"application/json": Object{"schema": Object{"type": "object"}}}}
	default:
		return nil
	}
}

func responses(op *operation.Operation) Object {
	described := Object{"default": Object{"description": "Any other answer. The documents do not show it."}}
	if returning.Has(op.When) {
		described["2XX"] = Object{"description": "The event.", "content": content("Event")}
	}
	return described
}

func content(part string) Object {
	return Object{"application/json": Object{"schema": Object{"$ref": "#/components/schemas/" + part}}}
}
