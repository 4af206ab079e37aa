package schematest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/calrules/calrules/conformance"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/cases"
)

// Every conformance case has the form that its schema describes, and what is misspelt has not.
func TestConformanceSchema(t *testing.T) {
	text, err := conformance.Files.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	compiled := compile(t, json.RawMessage(text), diag.Documents)
	count := 0
	for group, line := range cases.Lines() {
		count++
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(value); err != nil {
			t.Errorf("%s.ndjson: %v: %s", group, err, line)
		}
	}
	if count == 0 {
		t.Error("there are no cases")
	}
	for _, line := range []string{
		`{"name":"a/b","form":"check","request":{},"expect":{}}`,
		`{"name":"a","form":"check","request":{},"expect":{"accepted":true}}`,
		`{"name":"a/b","form":"chek","request":{},"expect":{"accepted":true}}`,
		`{"name":"a/b","covers":["a.b"],"form":"check","request":{},"expect":{"accepted":true}}`,
		`{"name":"a/b","form":"check","request":{"bdy":{}},"expect":{"accepted":true}}`,
		`{"name":"a/b","form":"check","request":{},"expect":{"accepted":true,"principal":"user"}}`,
		`{"name":"a/b","form":"check","request":{},"expect":{"accepted":true,"findings":[{"rule":"a.b","path":""}]}}`,
		`{"name":"a/b","form":"expand","request":{},"expect":{}}`,
		`{"name":"a/b","form":"rtdb","request":{},"expect":{"principal":"admin"}}`,
		`{"name":"a/b","form":"rtdb","request":{},"expect":{"rules":"apply"}}`,
	} {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(line)))
		if err != nil {
			t.Fatal(err)
		}
		if compiled.Validate(value) == nil {
			t.Errorf("the schema allows %s", line)
		}
	}
}
