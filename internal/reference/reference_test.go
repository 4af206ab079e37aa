package reference_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/internal/reference"
)

var update = flag.Bool("update", false, "rewrite the generated files")

// TestGolden checks that the committed files are up to date.
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
	rule := &diag.Rule{
		ID: "tea.hot", Kind: diag.Advise, When: occasion.Insert | diag.Response, Basis: diag.Inferred,
		Scope: diag.OfEvent, Reads: []string{"tea", "cup"},
		Summary: "Tea is hot.", Section: "The book of tea, 3", Why: "Cold tea is sad.",
		Good: diag.Example{Request: `{"tea":90}`},
		Bad:  diag.Example{Request: `{"tea":20}`, Answer: `{"event":{}}`, Via: "Tea.Pour"},
	}
	const want = `### tea.hot

Tea is hot.

- kind: advise
- basis: inferred
- scope: event
- when: insert, response
- reads: tea, cup
- section: The book of tea, 3

Cold tea is sad.

Keeps the rule:

~~~json
{
  "tea": 90
}
~~~

Breaks the rule:

~~~json
{
  "tea": 20
}
~~~

The answer, passed through Tea.Pour, contains:

~~~json
{
  "event": {}
}
~~~
`
	if got := strings.ReplaceAll(reference.Page(rule), "```", "~~~"); got != want {
		t.Errorf("got:\n%s", got)
	}
}

// Rules with no examples or broken ones have pages too.
func TestPageOfAnUnfinishedRule(t *testing.T) {
	bare := reference.Page(&diag.Rule{ID: "tea.bare"})
	if strings.Contains(bare, "```") {
		t.Errorf("a rule without examples has an example:\n%s", bare)
	}
	broken := reference.Page(&diag.Rule{ID: "tea.broken", Good: diag.Example{Request: `{"tea":`}})
	if !strings.Contains(broken, "```json\n{\"tea\":\n```") {
		t.Errorf("the broken example is changed:\n%s", broken)
	}
}

func TestMarkdownGroups(t *testing.T) {
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
}
