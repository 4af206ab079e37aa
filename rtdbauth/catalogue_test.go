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

// statements are the rules of the specification.
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

func TestCatalogueMatchesSpecification(t *testing.T) {
	var got []string
	for r := range rtdbauth.Catalogue().All() {
		got = append(got, strings.Join([]string{r.ID, string(r.Kind), r.When.String(), string(r.Basis)}, " "))
		if r.Summary == "" || r.Section == "" || r.Good.Request == "" || r.Bad.Request == "" {
			t.Errorf("%s has no summary, no section or no example", r.ID)
		}
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(statements), "\n"), got); diff != "" {
		t.Errorf("catalogue (-want +got):\n%s", diff)
	}
}

// TestExamples runs the examples of every rule. If the rule rejects, the good one is accepted, and
// the bad one is rejected by that rule only. Each answer contains the expected one. If the rule does
// not report, neither expected answer fits the other example.
func TestExamples(t *testing.T) {
	for r := range rtdbauth.Catalogue().All() {
		t.Run(r.ID, func(t *testing.T) {
			good, bad := run(t, r, r.Good), run(t, r, r.Bad)
			if !r.Kind.Reports() && (fits(t, r.Good, bad) || fits(t, r.Bad, good)) {
				t.Error("an answer fits both examples")
			}
			if r.Kind != diag.Reject {
				return
			}
			if raised(good.Findings) != nil {
				t.Errorf("the good example is rejected: %v", good.Findings)
			}
			if got := raised(bad.Findings); !slices.Equal(got, []string{r.ID}) {
				t.Errorf("the bad example is rejected by %v", got)
			}
		})
	}
}

// run runs one example and compares its answer.
func run(t *testing.T, r *diag.Rule, ex diag.Example) rtdbauth.Result {
	t.Helper()
	if r.When == diag.Key {
		_, findings := rtdbauth.ParseKeyFile([]byte(ex.Request))
		return rtdbauth.Result{Decision: rtdbauth.Decision{Findings: findings}}
	}
	res := answerLine(t, ex.Request)
	checkReasons(t, res.Decision)
	switch {
	case ex.Answer == "" && r.Kind != diag.Reject:
		t.Errorf("the rule does not reject, but an example has no answer: %s", ex.Request)
	case ex.Answer != "" && !fits(t, ex, res):
		t.Errorf("the answer to %s\ndoes not contain %s\nbut is %+v", ex.Request, ex.Answer, res.Decision)
	}
	return res
}

// fits reports whether a result contains the expected answer of the example.
func fits(t *testing.T, ex diag.Example, res rtdbauth.Result) bool {
	t.Helper()
	out, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal([]byte(ex.Answer), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	return contains(got, want)
}

// raised returns the ids of the rules that reject, without duplicates.
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
