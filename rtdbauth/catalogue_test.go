package rtdbauth_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth"
)

// statements are the rules as the specification lists them.
const statements = `
rtdb.path reject request stated
rtdb.method unspecified request stated
rtdb.none decide request stated
rtdb.service-account decide request stated
rtdb.service-account.scopes reject token stated
rtdb.service-account.empty reject token stated
rtdb.key-file reject key stated
rtdb.id-token decide request stated
rtdb.id-token.expired reject token stated
rtdb.legacy decide request stated
rtdb.legacy.presentation unspecified request stated
rtdb.legacy.revoked decide token stated
rtdb.bearer reject request rfc
rtdb.one-credential reject request rfc
rtdb.errors unspecified request stated
rtdb.ok effect request stated
rtdb.secret-handling effect all inferred`

func TestCatalogueIsTheSpecifications(t *testing.T) {
	var got []string
	for doc := range rtdbauth.Catalogue().All() {
		got = append(got, strings.Join([]string{doc.ID, string(doc.Kind), doc.When.String(), string(doc.Basis)}, " "))
		if doc.Summary == "" || doc.Section == "" || doc.Good.Request == "" || doc.Bad.Request == "" {
			t.Errorf("%s lacks its summary, its section or an example", doc.ID)
		}
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(statements), "\n"), got); diff != "" {
		t.Errorf("catalogue (-want +got):\n%s", diff)
	}
}

// TestExamples runs the examples of every rule. The accepting one does not raise the rule.
// Of a rule that rejects, the refusing one raises it and no other rejection. Where there is
// an answer, it is contained in what comes out.
func TestExamples(t *testing.T) {
	for doc := range rtdbauth.Catalogue().All() {
		t.Run(doc.ID, func(t *testing.T) {
			accepted, refused := run(t, doc, doc.Good), run(t, doc, doc.Bad)
			if doc.Kind != diag.Reject {
				return
			}
			if raised(accepted) != nil {
				t.Errorf("the accepting example is rejected: %v", accepted)
			}
			if got := raised(refused); !slices.Equal(got, []string{doc.ID}) {
				t.Errorf("the refusing example is rejected by %v", got)
			}
		})
	}
}

// run runs one example, compares its answer, and returns its findings.
func run(t *testing.T, doc *diag.Rule, ex diag.Example) diag.Findings {
	t.Helper()
	if doc.When == diag.Key {
		_, findings := rtdbauth.ParseKeyFile([]byte(ex.Request))
		return findings
	}
	res := answerLine(t, ex.Request)
	checkReasons(t, res.Decision)
	if ex.Answer == "" {
		if doc.Kind != diag.Reject {
			t.Errorf("an example of a rule that does not reject has no answer: %s", ex.Request)
		}
		return res.Findings
	}
	var want, got any
	out, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(ex.Answer), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if !contains(got, want) {
		t.Errorf("answer to %s\n is %s\nand does not contain %s", ex.Request, out, ex.Answer)
	}
	return res.Findings
}

// raised returns the ids of the rules that reject, each once.
func raised(findings diag.Findings) []string {
	var ids []string
	for _, f := range findings.Kind(diag.Reject) {
		ids = append(ids, f.Rule.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// contains reports whether the JSON value got contains want: objects member by member, arrays
// element by element, everything else whole.
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
		return ok && slices.EqualFunc(array, want, contains)
	default:
		return reflect.DeepEqual(got, want)
	}
}
