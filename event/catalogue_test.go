package event_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// A rule is documented by two requests. They are put to the engine, so that no rule can be
// listed that does not work, and none can be shown by a request that breaks another one.
func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for doc := range event.Catalogue().All() {
		t.Run(doc.ID, func(t *testing.T) {
			if seen[doc.ID] {
				t.Fatal("the id stands twice in the catalogue")
			}
			seen[doc.ID] = true
			checkDocumented(t, doc)
			if !answered(t, doc.Good) || !answered(t, doc.Bad) {
				t.Skip("the examples are for another command, or for an operation of a later release")
			}
			// What an operation answers may stand for the operation.
			if on := occasion(t, doc.Good); on != diag.Response && !doc.When.Has(on) {
				t.Errorf("Accept is about %s, on which the rule does not speak", on)
			}
			accept, refuse := ask(t, doc.Good), ask(t, doc.Bad)
			if raises(accept, doc.ID) {
				t.Errorf("Accept raises the rule: %v", accept.Findings)
			}
			if !accept.Accepted {
				t.Errorf("Accept is refused: %v", accept.Findings)
			}
			switch doc.Kind {
			case diag.Default, diag.Effect, diag.Decide:
				if doc.Good.Answer == "" || doc.Bad.Answer == "" {
					t.Error("a rule that raises nothing shows by its answers what it does")
				}
			default:
				if !raises(refuse, doc.ID) {
					t.Errorf("Refuse does not raise the rule, but %v", refuse.Findings)
				}
			}
			for _, f := range refuse.Findings.Kind(diag.Reject) {
				if f.Rule.ID != doc.ID {
					t.Errorf("Refuse raises another rejection: %v", f)
				}
			}
		})
	}
}

func checkDocumented(t *testing.T, doc *diag.Rule) {
	t.Helper()
	if doc.Summary == "" || doc.Section == "" || doc.When == 0 || doc.Kind == "" || doc.Basis == "" {
		t.Errorf("the entry has gaps: %+v", doc)
	}
	if !strings.HasSuffix(doc.Summary, ".") {
		t.Errorf("the summary is no sentence: %q", doc.Summary)
	}
}

func parse(t *testing.T, example diag.Example) *event.Request {
	t.Helper()
	req := new(event.Request)
	if err := json.Unmarshal([]byte(example.Request), req); err != nil {
		t.Fatalf("%v in the request %s", err, example.Request)
	}
	return req
}

// answered reports whether the example is one that [event.Check] answers.
func answered(t *testing.T, example diag.Example) bool {
	t.Helper()
	return event.Check(parse(t, example)).Error == ""
}

// occasion returns what the request of an example is about.
func occasion(t *testing.T, example diag.Example) diag.When {
	t.Helper()
	op, ok := operation.Lookup(parse(t, example).Op)
	if !ok {
		return diag.Response
	}
	return op.When
}

// ask puts the request of an example to the engine, and holds it to the answer.
func ask(t *testing.T, example diag.Example) event.Result {
	t.Helper()
	result := event.Check(parse(t, example))
	if example.Answer == "" || example.Via != "" {
		return result
	}
	text, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal([]byte(example.Answer), &want); err != nil {
		t.Fatalf("%v in the answer %s", err, example.Answer)
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if !contains(got, want) {
		t.Errorf("the request %s is answered %s, which lacks %s", example.Request, text, example.Answer)
	}
	return result
}

// contains reports whether the JSON value got has all of want: objects member by member,
// everything else whole.
func contains(got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		for name, value := range want {
			ok = ok && contains(object[name], value)
		}
		return ok
	case []any:
		array, ok := got.([]any)
		ok = ok && len(array) == len(want)
		for i := range want {
			ok = ok && contains(array[i], want[i])
		}
		return ok
	default:
		return got == want
	}
}

func raises(result event.Result, id string) bool {
	for _, f := range result.Findings {
		if f.Rule.ID == id {
			return true
		}
	}
	return false
}

func TestSupportedOperations(t *testing.T) {
	for _, op := range []operation.ID{operation.EventsInsert, operation.Response} {
		if result := event.Check(&event.Request{Op: op}); result.Error != "" {
			t.Errorf("%s: %s", op, result.Error)
		}
	}
	if result := event.Check(&event.Request{Op: "events.inserted"}); result.Error == "" || result.Accepted {
		t.Errorf("an unknown operation is answered %+v", result)
	}
}
