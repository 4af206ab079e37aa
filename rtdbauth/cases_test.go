package rtdbauth_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/cases"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/rtdbauth"
)

// databaseCase is a conformance case about the database.
type databaseCase struct {
	Name    string
	Request map[string]any
}

// TestCases checks what is true of the decision about every conformance case. Package cases compares the answers.
func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			checkReasons(t, answer(t, c.Request).Decision)
		})
	}
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
	if d.Principal == rtdbauth.Unspecified && d.Findings.OfKind(diag.Unspecified) == nil {
		t.Errorf("unspecified without a reason: %v", d.Findings)
	}
	nothing := d.Principal == rtdbauth.Rejected || d.Principal == rtdbauth.Unspecified
	if nothing != (d.Rules() == "n/a") || nothing && d.Granted() {
		t.Errorf("%v with rules %v, access %v", d.Principal, d.Rules(), d.Access())
	}
	if d.Access() == "full" && !d.Bypass {
		t.Errorf("full access while the rules are %v", d.Rules())
	}
	limited := d.Principal == rtdbauth.ServiceAccount && !d.Bypass
	if d.Principal == rtdbauth.User && d.Subject == "" || d.Principal != rtdbauth.User && !limited && d.Subject != "" {
		t.Errorf("%v with subject %q", d.Principal, d.Subject)
	}
	if limited == d.Override.Empty() {
		t.Errorf("%v with an override of %d bytes", d.Principal, len(d.Override.Reveal()))
	}
	for _, f := range d.Findings {
		if f.Message() == "" {
			t.Errorf("a finding of %s has no message", f.Rule.ID)
		}
		if !slices.Contains([]diag.Pointer{"", "#Authorization", "?access_token", "?auth", "?auth_variable_override"}, f.Path) {
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

// readCases returns the conformance cases about the database.
func readCases(t testing.TB) (list []databaseCase) {
	t.Helper()
	all, err := cases.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.Form != "rtdb" || c.Expect.Error {
			continue
		}
		request := map[string]any{}
		if err := json.Unmarshal(c.Request, &request); err != nil {
			t.Fatal(err)
		}
		list = append(list, databaseCase{c.Name, request})
	}
	return list
}

// must returns v, or panics if there is an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
