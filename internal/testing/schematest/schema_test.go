package schematest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/schema"
	"github.com/calrules/calrules/operation"
)

// compile compiles a schema. The formats of calrules are asserted with the limits that they name.
func compile(t *testing.T, document any, d diag.Dialect) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for name, limit := range schema.Formats() {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(v any) error {
			if s, ok := v.(string); ok && !limit.Has(s) {
				return errForm
			}
			return nil
		}})
	}
	if err := c.AddResource("schema.json", value); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

type formError string

func (e formError) Error() string { return string(e) }

const errForm formError = "it does not have the form"

// The schema of an operation accepts and refuses what the rules about single values do, in requests that are
// valid and in those that break any rule.
func TestEventSchemas(t *testing.T) {
	count := 3000
	if testing.Short() {
		count = 60
	}
	for _, op := range schema.Operations() {
		for _, d := range []diag.Dialect{diag.Documents, diag.Google} {
			t.Run(string(op)+"/"+d.String(), func(t *testing.T) {
				document, err := schema.Event(op, d)
				if err != nil {
					t.Fatal(err)
				}
				compiled := compile(t, document, d)
				payload, err := fuzz.Mix{Operations: []operation.ID{op}, InvalidShare: 0.7}.Payloads(7)
				if err != nil {
					t.Fatal(err)
				}
				accepted, refused := 0, 0
				for i := range count {
					req := payload(i).In(d).Event
					value, err := jsonschema.UnmarshalJSON(bytes.NewReader(req.Body))
					if err != nil {
						continue // not JSON
					}
					want, known := leafFindings(t, op, req)
					if !known {
						continue
					}
					err = compiled.Validate(value)
					if (err != nil) != (len(want) > 0) {
						t.Errorf("request %d: the schema says %v, the rules say %v\n%.2000s", i, err, want, req.Body)
					}
					if err == nil {
						accepted++
					} else {
						refused++
					}
				}
				if accepted < count/10 || refused < count/60 {
					t.Errorf("%d events are accepted and %d are refused, of %d", accepted, refused, count)
				}
			})
		}
	}
}

// leafFindings returns the findings of rules about single values in a request of version 1 of conference data. It
// returns false if a schema cannot say the same, because the fault is in the text: it repeats a name, or escapes half
// of a surrogate pair.
func leafFindings(t *testing.T, op operation.ID, req *event.Request) (leaf diag.Findings, known bool) {
	t.Helper()
	alone := *req
	alone.Existing, alone.Series = nil, nil
	alone.Params = maps.Clone(req.Params)
	if alone.Params == nil {
		alone.Params = operation.Params{}
	}
	alone.Params["conferenceDataVersion"] = []string{"1"}
	findings, err := event.Findings(&alone)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		switch {
		case f.Rule.ID == ruleid.JSONDuplicateName, f.Rule.ID == ruleid.JSONSyntax && f.Path != "":
			return nil, false
		case f.Kind != diag.Reject || !f.Path.InBody():
		case schema.Asserts(op, f.Rule), slices.Contains(typeRules, f.Rule.ID):
			leaf = append(leaf, f)
		}
	}
	return leaf, true
}

// typeRules are the rules about the types of values, which the tables state.
var typeRules = []string{ruleid.JSONSyntax, ruleid.JSONType, ruleid.EventExtendedProperties, ruleid.GadgetPreferences}
