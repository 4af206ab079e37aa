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
	"github.com/calrules/calrules/internal/cases"
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

// The schema of an operation refuses only what rules refuse, and all that the tables of the members refuse, in requests
// that are valid and in those that break any rule. A plain schema refuses only what the schema does.
func TestBodies(t *testing.T) {
	count := 3000
	if testing.Short() {
		count = 60
	}
	for _, d := range []diag.Dialect{diag.Documents, diag.Google} {
		for _, op := range schema.Operations(d) {
			t.Run(string(op)+"/"+d.String(), func(t *testing.T) {
				document, err := schema.Body(op, d)
				if err != nil {
					t.Fatal(err)
				}
				compiled := compile(t, document, d)
				schema.Plain(document)
				plain := compile(t, document, d)
				payload, err := fuzz.Mix{Dialect: d, Operations: []operation.ID{op}, InvalidShare: 0.7}.Payloads(7)
				if err != nil {
					t.Fatal(err)
				}
				accepted, refused := 0, 0
				for i := range count {
					req := payload(i).Event
					value, err := jsonschema.UnmarshalJSON(bytes.NewReader(req.Body))
					if err != nil {
						continue // not JSON
					}
					all, byTable, known := refusals(t, op, req)
					if !known {
						continue
					}
					err = compiled.Validate(value)
					if err != nil && len(all) == 0 || err == nil && len(byTable) > 0 {
						t.Errorf("request %d: the schema says %v, the rules say %v\n%.2000s", i, err, all, req.Body)
					}
					if err == nil && plain.Validate(value) != nil {
						t.Errorf("request %d: the plain schema refuses more\n%.2000s", i, req.Body)
					}
					if err == nil {
						accepted++
					} else {
						refused++
					}
				}
				least := count / 10
				if !slices.Contains(schema.Operations(diag.Documents), op) {
					least = count / 20 // most examples of the rules about these bodies are of other operations
				}
				if accepted < least || refused < count/60 {
					t.Errorf("%d events are accepted and %d are refused, of %d", accepted, refused, count)
				}
			})
		}
	}
}

// refusals returns the findings that refuse the body of a request of version 1 of conference data, and those of them
// that the tables of the members state. It returns false if a schema cannot say the same: the fault is in the text, which
// repeats a name or escapes half of a surrogate pair, or the stored event decides which attendee of an update counts.
func refusals(t *testing.T, op operation.ID, req *event.Request) (all, byTable diag.Findings, known bool) {
	t.Helper()
	if op == operation.EventsUpdate && omitsAttendees(req.Body) {
		return nil, nil, false
	}
	alone := *req
	alone.Existing, alone.Series = nil, nil
	alone.Params = maps.Clone(req.Params)
	if alone.Params == nil {
		alone.Params = operation.Params{}
	}
	alone.Params["conferenceDataVersion"] = []string{"1"}
	findings, err := event.Find(&alone)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		switch {
		case f.Rule.ID == ruleid.JSONDuplicateName, f.Rule.ID == ruleid.JSONSyntax && f.Path != "":
			return nil, nil, false
		case f.Kind != diag.Reject || !f.Path.InBody():
			continue
		}
		all = append(all, f)
		if schema.Asserts(op, f.Rule) || slices.Contains(typeRules, f.Rule.ID) {
			byTable = append(byTable, f)
		}
	}
	return all, byTable, true
}

// omitsAttendees reports whether the attendeesOmitted of a body is true.
func omitsAttendees(body []byte) bool {
	var sent struct {
		AttendeesOmitted any `json:"attendeesOmitted"`
	}
	return json.Unmarshal(body, &sent) == nil && sent.AttendeesOmitted == true
}

// typeRules are the rules about the types of values, which the tables state.
var typeRules = []string{ruleid.JSONSyntax, ruleid.JSONType, ruleid.EventExtendedProperties, ruleid.GadgetPreferences}

// The schemas of the bodies of other resources than events agree with the cases about them.
func TestPublicCases(t *testing.T) {
	all, err := cases.All()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, c := range all {
		var request struct {
			Op      operation.ID
			Dialect diag.Dialect
			Body    json.RawMessage
		}
		if json.Unmarshal(c.Request, &request) != nil || request.Body == nil ||
			slices.Contains(schema.Operations(diag.Documents), request.Op) || !slices.Contains(schema.Operations(diag.Google), request.Op) {
			continue
		}
		count++
		document, err := schema.Body(request.Op, request.Dialect)
		if request.Dialect == diag.Documents {
			if err == nil {
				t.Errorf("%s: the documents show the body of %s", c.Name, request.Op)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(request.Body))
		if err != nil {
			continue // not JSON
		}
		refused := false
		for _, f := range c.Expect.Findings {
			refused = refused || f.Kind == string(diag.Reject) && diag.Pointer(f.Path).InBody()
		}
		err = compile(t, document, diag.Google).Validate(value)
		if (err != nil) != refused && !beyondSchemas[c.Name] {
			t.Errorf("%s: refused: %t; the schema says %v", c.Name, refused, err)
		}
	}
	if count < 40 {
		t.Errorf("there are %d cases about the bodies of other resources", count)
	}
}

// beyondSchemas are the cases about several members, and about a member that may be a number or a text, which the
// schemas do not assert, and those about what the public service reads in spite of its type, which they refuse.
var beyondSchemas = map[string]bool{
	"freebusy.body/backwards":                    true,
	"freebusy.body/no time":                      true,
	"acl.body/insert: no value":                  true,
	"freebusy.body/equal bounds":                 true,
	"watch.channel/params with a number":         true,
	"calendars.labels/patch: one id twice":       true,
	"watch.channel/expiration in words":          true,
	"watch.channel/expiration beyond 64 bits":    true,
	"watch.channel/expiration with a sign":       true,
	"watch.channel/negative expiration":          true,
	"watch.channel/expiration with a fraction":   true,
	"watch.channel/empty expiration":             true,
	"watch.channel/expiration that is an object": true,
}
