package rtdbauth_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/rtdbauth"
)

// wireCase is a line of testdata/cases.ndjson: a request in the batch form and the expected answer.
// The first line of the file has the members "known" and "policy" that all requests share. An entry
// of "known" that is the name of another token has the facts of that token.
type wireCase struct {
	Name    string         `json:"name"`
	Request map[string]any `json:"request"`
	Expect  struct {
		Principal, Rules, Subject, Read, Write string

		Has []struct {
			Rule string
			Kind diag.Kind
			Path *diag.Pointer // nil means any
		}
	} `json:"expect"`
}

// TestCases compares answers, and the rules, kinds and paths of their findings.
func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			checkCase(t, c, answer(t, c.Request))
		})
	}
}

func checkCase(t *testing.T, c wireCase, got rtdbline.Result) {
	t.Helper()
	d := got.Decision
	want := []string{c.Expect.Principal, c.Expect.Rules, c.Expect.Subject}
	have := []string{d.Principal.String(), d.Rules(), d.Subject}
	if c.Expect.Read != "" {
		want, have = append(want, c.Expect.Read), append(have, d.Access())
	}
	if c.Expect.Write != "" {
		want, have = append(want, c.Expect.Write), append(have, d.Access())
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("principal, rules, subject, read, write (-want +got):\n%s\n%v", diff, d.Findings)
	}
	for _, has := range c.Expect.Has {
		if !slices.ContainsFunc(d.Findings, func(f diag.Finding) bool {
			return f.Rule.ID == has.Rule && f.Kind == has.Kind && (has.Path == nil || f.Path == *has.Path)
		}) {
			t.Errorf("no finding %s %s among %v", has.Rule, has.Kind, d.Findings)
		}
	}
	checkReasons(t, d)
}

// failer is implemented by the tests of packages testing and rapid.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkReasons checks what is true of every decision: it gives its reasons, its findings have valid
// paths, and it grants no more than its principal allows.
func checkReasons(t failer, d rtdbauth.Decision) {
	t.Helper()
	if (d.Principal == rtdbauth.Rejected) != d.Findings.Rejected() {
		t.Errorf("principal %v with findings %v", d.Principal, d.Findings)
	}
	if d.Principal == rtdbauth.Unspecified && d.Findings.Kind(diag.Unspecified) == nil {
		t.Errorf("unspecified without a reason: %v", d.Findings)
	}
	nothing := d.Principal == rtdbauth.Rejected || d.Principal == rtdbauth.Unspecified
	if nothing != (d.Rules() == "n/a") || nothing && d.Granted() {
		t.Errorf("%v with rules %v, access %v", d.Principal, d.Rules(), d.Access())
	}
	if d.Access() == "full" && !d.Bypass {
		t.Errorf("full access while the rules are %v", d.Rules())
	}
	if (d.Subject != "") != (d.Principal == rtdbauth.User) {
		t.Errorf("%v with subject %q", d.Principal, d.Subject)
	}
	for _, f := range d.Findings {
		if f.Message() == "" {
			t.Errorf("a finding of %s has no message", f.Rule.ID)
		}
		if !slices.Contains([]diag.Pointer{"", "#Authorization", "?access_token", "?auth"}, f.Path) {
			t.Errorf("finding at %q", f.Path)
		}
	}
}

// answer answers a request in the batch form.
func answer(t *testing.T, request any) rtdbline.Result {
	t.Helper()
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	return answerLine(t, string(line))
}

func answerLine(t *testing.T, line string) rtdbline.Result {
	t.Helper()
	var req rtdbline.Request
	if err := json.Unmarshal([]byte(line), &req); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return rtdbline.Check(&req)
}

// readCases reads testdata/cases.ndjson.
func readCases(t testing.TB) []wireCase {
	t.Helper()
	data, err := os.ReadFile("testdata/cases.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	var shared struct{ Known, Policy map[string]any }
	var cases []wireCase
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 0; lines.Scan(); n++ {
		var c wireCase
		target := any(&c)
		if n == 0 {
			target = &shared
		}
		if err := json.Unmarshal(lines.Bytes(), target); err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		if n > 0 {
			c.Request["known"] = known(shared.Known, c.Request["known"])
			c.Request["policy"] = overlay(shared.Policy, c.Request["policy"])
			cases = append(cases, c)
		}
	}
	return cases
}

// known adds a case's own tokens to the shared ones, and resolves names.
func known(shared map[string]any, own any) map[string]any {
	all := overlay(shared, own)
	for token, facts := range all {
		if like, ok := facts.(string); ok && token != "_now" {
			all[token] = shared[like]
		}
	}
	return all
}

func overlay(shared map[string]any, own any) map[string]any {
	all := maps.Clone(shared)
	if own, ok := own.(map[string]any); ok {
		maps.Copy(all, own)
	}
	return all
}
