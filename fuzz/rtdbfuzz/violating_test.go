package rtdbfuzz_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/fuzz/rtdbfuzz"
	"github.com/calrules/calrules/rtdbauth"
)

// reason is a finding without its words.
type reason struct {
	Rule string
	Kind diag.Kind
	Path diag.Pointer
}

// reasons returns the findings for which keep is true.
func reasons(findings diag.Findings, keep func(reason) bool) []reason {
	list := []reason{}
	for _, f := range findings {
		if r := (reason{f.Rule.ID, f.Kind, f.Path}); keep(r) {
			list = append(list, r)
		}
	}
	return list
}

func rejects(r reason) bool { return r.Kind == diag.Reject }

// judgeRTDB returns what the library finds in a request.
func judge(r rtdbfuzz.Line) diag.Findings { return r.Decision().Findings }

// violations runs a subtest for each rule, with payloads that break it.
func violations(t *testing.T, property func(t *rapid.T, p rtdbfuzz.Payload)) {
	t.Helper()
	for doc := range rtdbauth.Catalogue().All() {
		if slices.Contains(rtdbfuzz.Rules(), doc.ID) {
			t.Run(doc.ID, rapid.MakeCheck(func(t *rapid.T) {
				property(t, rtdbfuzz.Violating(doc.ID).Draw(t, "payload"))
			}))
		}
	}
}

// TestViolating checks each payload against its verdict: there is one finding of its kind, with
// its rule and its path, and no other finding rejects.
func TestViolating(t *testing.T) {
	violations(t, func(t *rapid.T, p rtdbfuzz.Payload) {
		findings := judge(p.Request)
		want := []reason{{p.Rule, p.Kind, p.Path}}
		got := reasons(findings, func(r reason) bool { return r.Rule == p.Rule && r.Kind == p.Kind })
		if p.Rule == "rtdb.one-credential" && len(got) > 1 {
			got = got[:1] // there is a finding at each credential, and p has the path of the first
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("findings (-want +got):\n%s\nof %v\n%v", diff, p, findings)
		}
		if other := reasons(findings, func(r reason) bool { return rejects(r) && r.Rule != p.Rule }); len(other) > 0 {
			t.Errorf("rejected by %v, too: %v", other, p)
		}
		if p.Accepted == findings.Rejected() {
			t.Errorf("accepted is %t, but found is %v: %v", p.Accepted, findings, p)
		}
	})
}

// TestEveryRuleIsBroken checks that each rule is broken, or says nothing about requests.
func TestEveryRuleIsBroken(t *testing.T) {
	silent := []string{"rtdb.key-file", "rtdb.none", "rtdb.errors", "rtdb.ok", "rtdb.secret-handling"}
	var broken []string
	for doc := range rtdbauth.Catalogue().All() {
		if !slices.Contains(silent, doc.ID) {
			broken = append(broken, doc.ID)
		}
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(broken)), rtdbfuzz.Rules()); diff != "" {
		t.Errorf("the rules that are broken (-want +got):\n%s", diff)
	}
}

func TestKeyFile(t *testing.T) {
	t.Run("valid", rapid.MakeCheck(func(t *rapid.T) {
		text := rtdbfuzz.KeyFile().Draw(t, "key file")
		key, findings := rtdbauth.ParseKeyFile([]byte(text))
		if len(findings) > 0 || key.ClientEmail == "" || key.PrivateKey.Empty() {
			t.Fatalf("%v in %s", findings, text)
		}
	}))
	t.Run("broken", rapid.MakeCheck(func(t *rapid.T) {
		p := rtdbfuzz.Violating("rtdb.key-file").Draw(t, "key file")
		if p.Request != nil {
			t.Fatalf("a key file has the request %s", p.Request)
		}
		if _, err := json.Marshal(p); err != nil {
			t.Fatalf("%v does not encode: %v", p, err)
		}
		_, findings := rtdbauth.ParseKeyFile([]byte(*p.KeyFile))
		all := reasons(findings, func(reason) bool { return true })
		if diff := cmp.Diff([]reason{{p.Rule, p.Kind, p.Path}}, all); diff != "" {
			t.Fatalf("findings (-want +got):\n%s\nof %v", diff, p)
		}
	}))
}
