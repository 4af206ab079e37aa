package diag_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/wording"
)

// message returns what a rule with the sentence says, with arguments.
func message(sentence string, args ...diag.Arg) string {
	rule := &diag.Rule{ID: "a.b", Says: diag.Sentences{{Key: "k", Text: sentence}, {Key: "again", Text: "again {again}"}, {Key: "word", Text: "word"}}}
	return diag.Finding{Rule: rule, Key: "k", Args: args}.Message()
}

// The places of a sentence, at the limits of what is one, and what fills them.
func TestPlacesOfSentences(t *testing.T) {
	long := strings.Repeat("a", 40)
	for _, test := range []struct {
		sentence string
		args     []diag.Arg
		want     string
	}{
		{"{a}{z}{A}{Z}", []diag.Arg{diag.Plain("a", "1"), diag.Plain("z", "2"), diag.Plain("A", "3"), diag.Plain("Z", "4")}, "1234"},
		{"no {} place, {1}, {`} or {{}", nil, "no {} place, {1}, {`} or {{}"},
		{"an open {a", nil, "an open {a"},
		{"ends with {", nil, "ends with {"},
		{"{a}", []diag.Arg{diag.Names("a", []string{"x"})}, "x"},
		{"{a}", []diag.Arg{diag.Names("a", []string{"x", "y"})}, "x or y"},
		{"{a}", []diag.Arg{diag.Names("a", []string{"x", "y", "z"})}, "x, y or z"},
		{"{a}", []diag.Arg{wording.JSON("a", long)}, long},
		{"{a}", []diag.Arg{wording.JSON("a", long+"b")}, long + "…"},
		{"{a}", []diag.Arg{diag.Value("a", long)}, `"` + long + `"`},
		{"{a}", []diag.Arg{diag.Value("a", long+"b")}, `"` + long + `"… (41 characters)`},
		{"{a}", []diag.Arg{diag.Value("a", strings.Repeat("ä", 40))}, `"` + strings.Repeat("ä", 40) + `"`},
		{"{a} {b} {c}", []diag.Arg{wording.Part("a", "word"), wording.Part("b", "word"), wording.Part("c", "word")}, "word word word"},
		{"{a}", []diag.Arg{wording.Part("a", "again"), wording.Part("again", "again")}, "again again again again again again again again "},
	} {
		got := message(test.sentence, test.args...)
		if test.sentence == "{a}" && len(test.args) == 2 { // a sentence within itself ends
			if !strings.HasPrefix(got, "again again ") || len(got) > 200 {
				t.Errorf("a sentence within itself is %q", got)
			}
			continue
		}
		if got != test.want {
			t.Errorf("%q says %q, want %q", test.sentence, got, test.want)
		}
	}
	many := strings.Repeat("{a} ", 30)
	if got, want := message(many, wording.Part("a", "word")), strings.Repeat("word ", 30); got != want {
		t.Errorf("thirty places say %q", got)
	}
}

// Findings differ in each of what Equal compares.
func TestFindingEqual(t *testing.T) {
	says := diag.Sentences{{Key: "k", Text: "{value}"}, {Key: "l", Text: "{value}!"}}
	rule, other := &diag.Rule{ID: "a.b", Says: says}, &diag.Rule{ID: "c.d", Says: says}
	base := diag.Finding{Rule: rule, Cause: rule, Kind: diag.Reject, Basis: diag.Stated, Path: "/a", Key: "k", Args: []diag.Arg{diag.Value("value", "x")}, Offset: 1}
	if !base.Equal(base) {
		t.Error("a finding does not equal itself")
	}
	for name, change := range map[string]func(*diag.Finding){
		"rule":   func(f *diag.Finding) { f.Rule = other },
		"cause":  func(f *diag.Finding) { f.Cause = nil },
		"kind":   func(f *diag.Finding) { f.Kind = diag.Advise },
		"basis":  func(f *diag.Finding) { f.Basis = diag.RFC },
		"path":   func(f *diag.Finding) { f.Path = "/b" },
		"key":    func(f *diag.Finding) { f.Key = "l" },
		"value":  func(f *diag.Finding) { f.Args = []diag.Arg{diag.Value("value", "y")} },
		"offset": func(f *diag.Finding) { f.Offset = 2 },
	} {
		f := base
		if change(&f); base.Equal(f) || f.Equal(base) {
			t.Errorf("findings with another %s are equal", name)
		}
	}
}

// A redacted finding says nothing of the values, and the finding itself stays.
func TestRedacted(t *testing.T) {
	rule := &diag.Rule{ID: "a.b", Says: diag.Sentences{{Key: "k", Text: "{value} {plain} {json} {member} {n} {limit}"}}}
	f := diag.Finding{Rule: rule, Key: "k", Args: []diag.Arg{
		diag.Value("value", "ada@example.com"), diag.Plain("plain", "ada@example.com"), wording.JSON("json", `"ada@example.com"`),
		diag.Name("member", "email"), diag.Number("n", 3), wording.Text("limit", "an address"),
	}}
	before := f.Message()
	if got, want := f.Redacted().Message(), "(redacted) (redacted) (redacted) email 3 an address"; got != want {
		t.Errorf("redacted, it says %q, want %q", got, want)
	}
	if f.Message() != before {
		t.Errorf("the finding itself says %q", f.Message())
	}
}
