package diag_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/wording"
)

// fixed has a sentence for each way to propose a fix.
var fixed = &diag.Rule{ID: "a.fixed", Kind: diag.Reject, Says: diag.Sentences{
	{Key: "other", Fix: diag.Proposal{Arg: "least"}},
	{Key: "usual"},
	{Key: "value", Fix: diag.Proposal{Value: `{"date":{day}}`}},
	{Key: "add", Fix: diag.Proposal{Add: true}},
	{Key: "remove", Fix: diag.Proposal{Remove: true, Certain: true}},
	{Key: "rename", Fix: diag.Proposal{Rename: true}},
	{Key: "param", Fix: diag.Proposal{At: "?text"}},
	{Key: "within", Fix: diag.Proposal{At: "/{member}", Arg: "least"}},
	{Key: "beside", Fix: diag.Proposal{Beside: "timeZone"}},
	{Key: "hint", Fix: diag.Proposal{Certain: true}},
}}

var ignored = &diag.Rule{ID: "a.ignored", Kind: diag.Ignore, Says: diag.Sentences{
	{Key: "usual"}, {Key: "add", Fix: diag.Proposal{Add: true}},
}}

// What sentences propose, as the patch, with "!" if it is safe. Nothing is proposed if it is empty.
func TestPropose(t *testing.T) {
	suggestion, least := diag.Value("suggestion", "email"), diag.Number("least", 5)
	for _, test := range []struct {
		name string
		rule *diag.Rule
		path diag.Pointer
		key  string
		args []diag.Arg
		want string
	}{
		{"suggestion", fixed, "/a/b", "usual", []diag.Arg{least, suggestion}, `[{"op":"replace","path":"/body/a/b","value":"email"}]`},
		{"suggestion of JSON", fixed, "/a", "usual", []diag.Arg{wording.JSON("suggestion", "7")}, `[{"op":"replace","path":"/body/a","value":7}]`},
		{"no suggestion", fixed, "/a", "usual", []diag.Arg{least}, ""},
		{"another argument", fixed, "/a", "other", []diag.Arg{suggestion, least}, `[{"op":"replace","path":"/body/a","value":"5"}]`},
		{"the whole body", fixed, "", "usual", []diag.Arg{suggestion}, `[{"op":"replace","path":"/body","value":"email"}]`},
		{"a parameter", fixed, "?a/b", "usual", []diag.Arg{suggestion}, `[{"op":"replace","path":"/params/a~1b","value":"email"}]`},
		{"a header", fixed, "#a", "usual", []diag.Arg{suggestion}, ""},
		{"no sentence", fixed, "/a", "", []diag.Arg{suggestion}, ""},
		{"a sentence of no rule", fixed, "/a", "unknown", []diag.Arg{suggestion}, `[{"op":"replace","path":"/body/a","value":"email"}]`},
		{"a text with places", fixed, "/a", "value", []diag.Arg{wording.JSON("day", `"2026-03-10"`)},
			`[{"op":"replace","path":"/body/a","value":{"date":"2026-03-10"}}]`},
		{"a place that nothing fills", fixed, "/a", "value", []diag.Arg{suggestion}, ""},
		{"add", fixed, "/a", "add", []diag.Arg{suggestion}, `[{"op":"add","path":"/body/a","value":"email"}]`},
		{"remove", fixed, "/a", "remove", nil, `[{"op":"remove","path":"/body/a"}]!`},
		{"rename", fixed, "/a/b", "rename", []diag.Arg{suggestion}, `[{"op":"move","from":"/body/a/b","path":"/body/a/email"}]`},
		{"a parameter instead", fixed, "/a", "param", []diag.Arg{suggestion}, `[{"op":"add","path":"/params/text","value":"email"}]`},
		{"a member of the value", fixed, "/a", "within", []diag.Arg{diag.Name("member", "date"), least}, `[{"op":"add","path":"/body/a/date","value":"5"}]`},
		{"a member without a name", fixed, "/a", "within", []diag.Arg{least}, ""},
		{"a member beside", fixed, "/a/b", "beside", []diag.Arg{suggestion}, `[{"op":"add","path":"/body/a/timeZone","value":"email"}]`},
		{"what is ignored", ignored, "/a", "usual", nil, `[{"op":"remove","path":"/body/a"}]`},
		{"what is ignored, with a suggestion", ignored, "/a", "usual", []diag.Arg{suggestion}, `[{"op":"replace","path":"/body/a","value":"email"}]`},
		{"what is ignored, with a proposal", ignored, "/a", "add", nil, ""},
		{"a certain hint", fixed, "/a", "usual", []diag.Arg{suggestion, wording.Also("hint")}, `[{"op":"replace","path":"/body/a","value":"email"}]!`},
		{"another hint", fixed, "/a", "usual", []diag.Arg{suggestion, wording.Also("usual")}, `[{"op":"replace","path":"/body/a","value":"email"}]`},
		{"an argument with the key of a hint", fixed, "/a", "usual", []diag.Arg{suggestion, diag.Plain("word", "hint")},
			`[{"op":"replace","path":"/body/a","value":"email"}]`},
		{"case and blanks", fixed, "/a", "usual", []diag.Arg{diag.Value("value", " EMail "), suggestion}, `[{"op":"replace","path":"/body/a","value":"email"}]!`},
		{"another word", fixed, "/a", "usual", []diag.Arg{diag.Value("value", "e-mail"), suggestion}, `[{"op":"replace","path":"/body/a","value":"email"}]`},
		{"neither value nor suggestion", fixed, "/a", "other", []diag.Arg{diag.Value("value", ""), least}, `[{"op":"replace","path":"/body/a","value":"5"}]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if fix, ok := (diag.Finding{Rule: test.rule, Path: test.path, Key: test.key, Args: test.args}).Propose(); ok {
				patch, err := json.Marshal(fix.Patch)
				if err != nil {
					t.Fatal(err)
				}
				if got = string(patch); fix.Safe {
					got += "!"
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A fix keeps whether it is safe in JSON.
func TestFixInJSON(t *testing.T) {
	for _, safe := range []bool{false, true} {
		f := diag.Finding{Rule: fixed, Fix: &diag.Fix{Patch: []diag.PatchOperation{{Op: "remove", Path: "/body/a"}}, Safe: safe}}
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var got diag.Finding
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(f.Fix, got.Fix); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
