package reference_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/reference"
)

var update = flag.Bool("update", false, "rewrite the generated files")

const root = "../.."

// TestGolden checks that the committed files are up to date.
func TestGolden(t *testing.T) {
	if *update {
		if err := reference.Write(root); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs/rules/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range reference.Files() {
		golden := filepath.Join(root, file.Name)
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if file.Text != string(want) {
			t.Errorf("%s is out of date at %s\nrun: go generate ./internal/reference", file.Name, firstDifference(file.Text, string(want)))
		}
		pages = slices.DeleteFunc(pages, func(page string) bool { return page == golden })
	}
	if len(pages) > 0 {
		t.Errorf("no rule has the pages %v\nrun: go generate ./internal/reference", pages)
	}
}

// firstDifference returns the first line of got that differs from want.
func firstDifference(got, want string) string {
	wanted := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(wanted) || wanted[i] != line {
			return line
		}
	}
	return "its end"
}

func TestPage(t *testing.T) {
	for _, test := range []struct {
		name string
		rule diag.Rule
		want string
	}{
		{"an effect", diag.Rule{
			ID: "tea.hot", Describes: diag.Effect, When: diag.Insert | diag.Response, Basis: diag.Inferred,
			Scope: diag.OfEvent, Reads: []string{"tea", "cup"},
			Summary: "Tea is hot.", Section: "The book of tea, 3", Why: "Cold tea is sad.",
			Good: diag.Example{Request: `{"op":"make", "body":{"cup":1, "spoon":1, "tea":90}}`, Answer: `{"event":{"sad":false}}`, Via: "Tea.Pour"},
			Bad:  diag.Example{Request: `{"op":"make", "body":{"cup":1, "spoon":1, "tea":20}}`, Answer: `{"event":{"sad":true}}`, Via: "Tea.Pour"},
		}, `## tea.hot

Tea is hot. Cold tea is sad.

*kind: effect · basis: inferred · scope: event · when: insert, response · reads: tea, cup · section: The book of tea, 3*

"-" does not apply, "+" at work:

~~~diff
  op: "make"
  body.cup: 1
- body.tea: 20
+ body.tea: 90
- answer through Tea.Pour: {"event":{"sad":true}}
+ answer through Tea.Pour: {"event":{"sad":false}}
~~~
`},
		{"findings and sentences", diag.Rule{
			ID: "tea.kind", Kind: diag.Reject, Basis: diag.Observed,
			Summary: "The kind of tea is known.", Seen: "400.", Reported: []string{"tea/pot#7", "https://tea.example/faq"},
			Good: diag.Example{Request: `{"op":"response","body":{"id":"abc12def","status":"cancelled"}}`},
			Bad:  diag.Example{Request: `{"op":"response","body":{"id":"abc12def","status":"cancelled","kind":"<tea>"}}`},
			Says: append(diag.Sentences{{Key: "other", Text: "The kind is {value}."}}, constraint.Forms[1].Faults...),
		}, `## tea.kind

The kind of tea is known.

*kind: reject · basis: observed*

Seen: 400. ([tea/pot#7](https://github.com/tea/pot/issues/7), [tea.example/faq](https://tea.example/faq))

"-" breaks the rule, "+" keeps the rule:

~~~diff
  op: "response"
- body.kind: "<tea>"
~~~

> reject "/kind": The kind is "&lt;tea>"; it must be "calendar#event" or absent.

Says:

- "other": The kind is {value}.
- the sentences about [a date](../rules.md#a-date)
`},
		{"nothing else", diag.Rule{ID: "tea.bare", Summary: "Tea."}, "## tea.bare\n\nTea.\n"},
		{"text that is not JSON", diag.Rule{ID: "tea.broken", Good: diag.Example{Request: `{"tea":`}}, `## tea.broken



"-" does not apply, "+" at work:

~~~diff
+ : {"tea":
~~~
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := reference.Page(&test.rule)
			got = regexp.MustCompile("`([^`\n]+)`").ReplaceAllString(strings.ReplaceAll(got, "```", "~~~"), `"$1"`)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Examples are compared by the members of their events, and further where values are long.
func TestDifference(t *testing.T) {
	long := strings.Repeat("n", 300)
	person := `{"email":"` + strings.Repeat("a", 40) + `@example.com"}`
	for name, test := range map[string]struct{ bad, good, want string }{
		"a member that only one has": {`{"body":{"a":1}}`, `{"body":{"b":2}}`, "- body.a: 1\n+ body.b: 2\n"},
		"a short array is one value": {`{"body":{"a":[1,2]}}`, `{"body":{"a":[1]}}`, "- body.a: [1,2]\n+ body.a: [1]\n"},
		"a long array, element by element": {
			`{"body":{"a":[` + person + `,` + person + `]}}`, `{"body":{"a":[` + person + `]}}`, "- body.a[1]: " + person + "\n",
		},
		"arrays whose elements do not correspond": {
			`{"body":{"a":["x",` + person + `]}}`, `{"body":{"a":[` + person + `]}}`, `- body.a: ["x",` + person + "]\n+ body.a: [" + person + "]\n",
		},
		"a long value is cut":     {`{"body":{"a":"` + long + `"}}`, `{"body":{}}`, `- body.a: "` + long[:199] + "…\n"},
		"beside the event":        {`{"op":"x","body":{"a":1}}`, `{"op":"x","body":{}}`, "  op: \"x\"\n- body.a: 1\n"},
		"an event that both have": {`{"op":"x","body":{"a":1,"read":{"b":2}}}`, `{"op":"y","body":{"a":1,"read":{"b":2}}}`, "- op: \"x\"\n+ op: \"y\"\n  body.read: {\"b\":2}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			page := reference.Page(&diag.Rule{ID: "tea.hot", Reads: []string{"read[].b"}, Good: diag.Example{Request: test.good}, Bad: diag.Example{Request: test.bad}})
			_, got, _ := strings.Cut(page, "```diff\n")
			if diff := cmp.Diff(test.want, strings.TrimSuffix(got, "```\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestIndex(t *testing.T) {
	text := reference.Index([]*diag.Rule{{ID: "b.one", Kind: diag.Reject, Summary: "One | 1."}, {ID: "a.one"}, {ID: "b.two"}})
	_, list, _ := strings.Cut(text, "### ")
	list, _, _ = strings.Cut("### "+list, "## Sentences")
	const want = `### [b](rules/b.md)

| rule | kind | |
| --- | --- | --- |
| [b.one](rules/b.md#bone) | reject | One \| 1. |
| [b.two](rules/b.md#btwo) |  |  |

### [a](rules/a.md)

| rule | kind | |
| --- | --- | --- |
| [a.one](rules/a.md#aone) |  |  |

`
	if diff := cmp.Diff(want, list); diff != "" {
		t.Error(diff)
	}
}

// Words get the names of a dialect, and texts in double quotes do not.
func TestIn(t *testing.T) {
	for text, want := range map[string]string{
		"a fromMail.":                       "a fromGmail.",
		`"a fromMail" and fromMail`:         `"a fromMail" and fromGmail`,
		`"\" fromMail"`:                     `"\" fromMail"`,
		`fromMail is not "closed`:           `fromGmail is not "closed`,
		"fromMails, é fromMail, x_fromMail": "fromMails, é fromGmail, x_fromMail",
		"":                                  "",
	} {
		if got := reference.In(diag.Google, &diag.Rule{Summary: text}).Summary; got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
	rule := &diag.Rule{ID: ruleid.EventTypeUpdateAbsent, Kind: diag.Advise}
	for d, want := range map[diag.Dialect]diag.Kind{diag.Documents: diag.Advise, diag.Google: diag.Reject} {
		if got := reference.In(d, rule).Does(); got != string(want) {
			t.Errorf("in %s the rule does %s, want %s", d, got, want)
		}
	}
}
