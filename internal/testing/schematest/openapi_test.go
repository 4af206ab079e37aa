package schematest

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/schema"
	"github.com/calrules/calrules/operation"
)

// load reads the OpenAPI document of a dialect, and validates it.
func load(t *testing.T, d diag.Dialect) *openapi3.T {
	t.Helper()
	text, err := json.Marshal(schema.OpenAPI(d))
	if err != nil {
		t.Fatal(err)
	}
	loader := openapi3.NewLoader()
	document, err := loader.LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(loader.Context); err != nil {
		t.Fatal(err)
	}
	return document
}

// The document is valid OpenAPI 3.1, and has every operation with its parameters.
func TestOpenAPI(t *testing.T) {
	for _, d := range []diag.Dialect{diag.Documents, diag.Google} {
		t.Run(d.String(), func(t *testing.T) {
			document := load(t, d)
			if !document.IsOpenAPI31OrLater() {
				t.Errorf("the version is %s", document.OpenAPI)
			}
			count := 0
			for op := range operation.All() {
				item := document.Paths.Value(op.Path)
				if item == nil || item.GetOperation(op.Method) == nil {
					t.Errorf("%s is missing", op.ID)
					continue
				}
				count++
				described := item.GetOperation(op.Method)
				if described.OperationID != string(op.ID) {
					t.Errorf("%s has the operationId %s", op.ID, described.OperationID)
				}
				for _, p := range op.ParamsIn(d) {
					if found := described.Parameters.GetByInAndName("query", p.Name); found == nil || found.Required != p.Required {
						t.Errorf("%s: the parameter %s is %+v", op.ID, p.Name, found)
					}
				}
				changesNothing := op.Name == "patch" || op.ID == "calendarList.update" // without a body
				needsBody := slices.Contains(schema.Operations(d), op.ID) && (op.EventBody || !changesNothing)
				if (described.RequestBody != nil && described.RequestBody.Value.Required) != needsBody {
					t.Errorf("%s: the body is %+v", op.ID, described.RequestBody)
				}
			}
			if count != 38 {
				t.Errorf("there are %d operations", count)
			}
		})
	}
}

// The validator can fail: it refuses a document that lacks a parameter of its path.
func TestOpenAPIValidatorRefuses(t *testing.T) {
	document := load(t, diag.Documents)
	get := document.Paths.Value("/calendars/{calendarId}/events/{eventId}").Get
	get.Parameters = slices.DeleteFunc(get.Parameters, func(p *openapi3.ParameterRef) bool { return p.Value.In == "path" })
	if document.Validate(t.Context()) == nil {
		t.Error("the validator accepts a document without path parameters")
	}
}
