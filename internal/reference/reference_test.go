package reference_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/reference"
)

var update = flag.Bool("update", false, "write the files in docs anew")

// TestGolden holds the committed reference to the rules that run.
func TestGolden(t *testing.T) {
	for _, file := range reference.Files() {
		golden := filepath.Join("../..", file.Name)
		if *update {
			if err := os.WriteFile(golden, []byte(file.Text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if file.Text != string(want) {
			t.Errorf("%s is out of date at %s\nrun: go generate ./internal/reference", file.Name, firstDifference(file.Text, string(want)))
		}
	}
}

// firstDifference returns the first line of got that want does not have in its place.
func firstDifference(got, want string) string {
	theirs := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(theirs) || theirs[i] != line {
			return line
		}
	}
	return "its end"
}

// TestDocs holds every rule to what its page needs.
func TestDocs(t *testing.T) {
	seen := map[string]bool{}
	for d := range reference.Catalogue().All() {
		switch {
		case seen[d.ID]:
			t.Errorf("%s stands twice in the catalogues", d.ID)
		case d.Kind == "" || d.Basis == "" || d.When == 0 || d.Summary == "" || d.Section == "":
			t.Errorf("%s lacks a kind, a basis, an occasion, a summary or a section", d.ID)
		}
		seen[d.ID] = true
		if reference.Catalogue().Lookup(d.ID) == nil {
			t.Errorf("Lookup does not find %s", d.ID)
		}
	}
	if reference.Catalogue().Lookup("no.such-rule") != nil {
		t.Error("Lookup finds a rule that does not exist")
	}
}

func TestPage(t *testing.T) {
	doc := &diag.Rule{
		ID: "tea.hot", Kind: diag.Advise, When: diag.Insert | diag.Response, Basis: diag.Inferred,
		Summary: "Tea is hot.", Section: "The book of tea, 3", Why: "Cold tea is sad.",
		Good: diag.Example{Request: `{"tea":90}`},
		Bad:  diag.Example{Request: `{"tea":20}`, Answer: `{"event":{}}`},
	}
	const want = `### tea.hot

Tea is hot.

- kind: advise
- basis: inferred
- when: insert, response
- section: The book of tea, 3

Cold tea is sad.

Not raised:

~~~json
{
  "tea": 90
}
~~~

Raised:

~~~json
{
  "tea": 20
}
~~~

The answer contains:

~~~json
{
  "event": {}
}
~~~
`
	if got := strings.ReplaceAll(reference.Page(doc), "```", "~~~"); got != want {
		t.Errorf("got:\n%s", got)
	}
}

// TestPageOfAnUnfinishedRule shows that a rule without examples, or with broken ones, still
// has a page.
func TestPageOfAnUnfinishedRule(t *testing.T) {
	bare := reference.Page(&diag.Rule{ID: "tea.bare"})
	if strings.Contains(bare, "```") {
		t.Errorf("there is an example where there is none:\n%s", bare)
	}
	broken := reference.Page(&diag.Rule{ID: "tea.broken", Good: diag.Example{Request: `{"tea":`}})
	if !strings.Contains(broken, "```json\n{\"tea\":\n```") {
		t.Errorf("the broken example is not shown as it is:\n%s", broken)
	}
}

func TestMarkdownKeepsRoomsTogether(t *testing.T) {
	text := reference.Markdown([]*diag.Rule{{ID: "b.one"}, {ID: "a.one"}, {ID: "b.two"}})
	var headings []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "##") {
			headings = append(headings, strings.TrimSpace(line))
		}
	}
	if got, want := strings.Join(headings, " "), "## b ### b.one ### b.two ## a ### a.one"; got != want {
		t.Errorf("headings are %s, want %s", got, want)
	}
	if !strings.Contains(text, "- [b](#b): [one](#bone) [two](#btwo)\n- [a](#a): [one](#aone)\n") {
		t.Errorf("the table of contents is:\n%s", text)
	}
}
