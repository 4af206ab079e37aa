package fuzz_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/rtdbauth"
)

// reason is a finding without its words.
type reason struct {
	Rule string
	Kind diag.Kind
	Path diag.Pointer
}

// reasons gives the findings that keep says.
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
func judgeRTDB(r *fuzz.RTDB) diag.Findings { return rtdbauth.Check(r.Request()).Findings }

// violations draws what breaks one rule of the realtime database, each rule in turn.
func violations(t *testing.T, property func(t *rapid.T, p fuzz.Payload)) {
	t.Helper()
	for doc := range rtdbauth.Catalogue().All() {
		if fuzz.RTDBWays()[doc.ID] != nil {
			t.Run(doc.ID, rapid.MakeCheck(func(t *rapid.T) {
				property(t, fuzz.Violating(doc.ID).Draw(t, "payload"))
			}))
		}
	}
}

// TestRTDBViolation holds each payload to its verdict: the one finding of its kind, under the
// rule and in the place that it says, and of those that reject no other.
func TestRTDBViolation(t *testing.T) {
	violations(t, func(t *rapid.T, p fuzz.Payload) {
		findings := judgeRTDB(p.RTDB)
		want := []reason{{p.Rule, p.Kind, p.Path}}
		got := reasons(findings, func(r reason) bool { return r.Rule == p.Rule && r.Kind == p.Kind })
		if p.Rule == "rtdb.one-credential" && len(got) > 1 {
			got = got[:1] // it is told in every place that presents something, the first of which p has
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

// TestRTDBRulesCanBeBroken holds the table to the catalogue: a rule has ways, or it has nothing
// to say of a request.
func TestRTDBRulesCanBeBroken(t *testing.T) {
	silent := []string{"rtdb.key-file", "rtdb.none", "rtdb.errors", "rtdb.ok", "rtdb.secret-handling"}
	ways := fuzz.RTDBWays()
	for doc := range rtdbauth.Catalogue().All() {
		if (ways[doc.ID] == nil) != slices.Contains(silent, doc.ID) {
			t.Errorf("%s has %d ways", doc.ID, len(ways[doc.ID]))
		}
		delete(ways, doc.ID)
	}
	if len(ways) > 0 {
		t.Errorf("ways for no rule: %v", ways)
	}
}

// TestEveryRTDBWayIsDrawn counts, with the same draws in every run.
func TestEveryRTDBWayIsDrawn(t *testing.T) {
	if raceDetector {
		t.Skip("the draws are counted without the race detector, under which they take their time")
	}
	for rule, names := range fuzz.RTDBWays() {
		payloads := fuzz.Violating(rule)
		checkWaysAreDrawn(t, rule, names, func(seed int) string { return payloads.Example(seed).Way })
	}
	files := fuzz.Violating("rtdb.key-file")
	checkWaysAreDrawn(t, "rtdb.key-file", fuzz.KeyFileWays(), func(seed int) string { return files.Example(seed).Way })
}

func checkWaysAreDrawn(t *testing.T, rule string, names []string, draw func(seed int) (way string)) {
	t.Helper()
	const draws = 40 // of each way, on average
	counts := map[string]int{}
	for seed := range draws * len(names) {
		counts[draw(seed)]++
	}
	for i, name := range names {
		if counts[name] == 0 {
			t.Errorf("%s: %q is never drawn", rule, name)
		}
		if slices.Contains(names[:i], name) {
			t.Errorf("%s: two ways are called %q", rule, name)
		}
	}
}

func TestRTDBKeyFile(t *testing.T) {
	t.Run("valid", rapid.MakeCheck(func(t *rapid.T) {
		text := fuzz.KeyFile().Draw(t, "key file")
		key, findings := rtdbauth.ParseKeyFile(text)
		if len(findings) > 0 || key.ClientEmail == "" || key.PrivateKey.Empty() {
			t.Fatalf("%v in %s", findings, text)
		}
	}))
	t.Run("broken", rapid.MakeCheck(func(t *rapid.T) {
		p := fuzz.Violating("rtdb.key-file").Draw(t, "key file")
		if line := p.Line(); line != nil {
			t.Fatalf("a key file is the line %s", line)
		}
		if _, err := json.Marshal(p); err != nil {
			t.Fatalf("%v does not encode: %v", p, err)
		}
		_, findings := rtdbauth.ParseKeyFile(p.KeyFile)
		all := reasons(findings, func(reason) bool { return true })
		if diff := cmp.Diff([]reason{{p.Rule, p.Kind, p.Path}}, all); diff != "" {
			t.Fatalf("findings (-want +got):\n%s\nof %v", diff, p)
		}
	}))
}
