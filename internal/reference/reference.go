// Package reference generates the reference documentation from the tables of the library: the pages about the rules,
// the fields and the limits, and the decision table of package rtdbauth.
package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/schema"
	"github.com/calrules/calrules/rtdbauth"
)

//go:generate go run ./gen ../..

// File is a generated file.
type File struct {
	Name string // the path relative to the root of the repository
	Text string
}

// Files returns all generated files.
func Files() []File {
	rules := Catalogue().Rules()
	return slices.Concat(schemas(), pages(rules), []File{
		{"docs/rules.md", Index(rules)},
		{"docs/observed.md", observed(rules)},
		{"docs/sections.md", sections(rules)},
		{"docs/fields.md", Fields()},
		{"docs/dialects.md", Dialects()},
		{"docs/intents.md", Intents()},
		{"docs/config.schema.json", ConfigSchema(event.Catalogue())},
		{"docs/rtdb-table.md", decisions()},
		{"diag/ruleid/ids.go", Constants(rules)},
		{"limits/table_gen.go", Table()},
	})
}

// pagesFolder is the directory for the pages about rules, which contains no other files.
const pagesFolder = "docs/rules"

// Write writes all generated files under root, which must be the root of the repository, and removes the pages of deleted
// groups.
func Write(root string) error {
	pages := filepath.Join(root, pagesFolder)
	if err := errors.Join(os.RemoveAll(pages), os.Mkdir(pages, 0o755)); err != nil {
		return err
	}
	for _, file := range Files() {
		if err := os.WriteFile(filepath.Join(root, file.Name), []byte(file.Text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// schemas returns the JSON Schemas for the bodies of all operations, and the OpenAPI documents, in each dialect.
func schemas() (files []File) {
	for _, d := range []diag.Dialect{diag.Documents, diag.Google} {
		folder := "docs/schemas/" + d.String() + "/"
		for _, op := range schema.Operations(d) {
			body, err := schema.Body(op, d)
			if err != nil {
				panic(err) // impossible: the operation has a body
			}
			schema.Plain(body)
			name := folder + string(op) + ".json"
			body["$id"] = schemaBase + name
			files = append(files, File{name, indented(body, " ")})
		}
		files = append(files, File{folder + "openapi.json", indented(schema.OpenAPI(d), " ")})
	}
	return files
}

// schemaBase is the prefix of schema identifiers.
const schemaBase = "https://raw.githubusercontent.com/calrules/calrules/main/"

// indented returns the indented JSON encoding of a value that consists of JSON types.
func indented(value any, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(value); err != nil {
		panic("reference: " + err.Error())
	}
	return b.String()
}

// Catalogue returns all rules: the calendar rules, followed by the realtime database rules.
func Catalogue() *diag.Catalogue { return catalogue() }

var catalogue = sync.OnceValue(func() *diag.Catalogue {
	return diag.NewCatalogue(event.Catalogue().Rules(), rtdbauth.Catalogue().Rules())
})

// Find returns the rule with the given id. If there is no such rule, Find returns the most similar id, or "" if no id is
// similar.
func Find(id string) (rule *diag.Rule, near string) {
	if rule = Catalogue().Lookup(id); rule != nil {
		return rule, ""
	}
	var ids []string
	for _, rule := range Catalogue().Rules() {
		ids = append(ids, rule.ID)
	}
	near, _ = form.Nearest(id, ids)
	return nil, near
}

// Group returns the first word in a rule's id, such as "reminders" for "reminders.minutes".
func Group(r *diag.Rule) string {
	group, _, _ := strings.Cut(r.ID, ".")
	return group
}

// Property is a line in the list on a rule's page.
type Property struct{ Name, Value string }

// Properties returns the list on a rule's page, without properties that have no value.
func Properties(r *diag.Rule) []Property {
	list := func(comma string) string { return strings.ReplaceAll(comma, ",", ", ") }
	properties := []Property{
		{"kind", kinds(r)},
		{"dialect", only(r)},
		{"basis", string(r.Basis)},
		{"scope", string(r.Scope)},
		{"when", list(r.When.String())},
		{"reads", list(strings.Join(r.Reads, ","))},
		{"section", r.Section},
		{"refused with", refusal(r)},
		{"seen", r.Seen},
		{"reported", strings.Join(r.Reported, ", ")},
	}
	return slices.DeleteFunc(properties, func(p Property) bool { return p.Value == "" })
}

// kinds returns the kind of a rule, followed by the kind in the google dialect if the kinds differ.
func kinds(r *diag.Rule) string {
	there := r.KindIn(diag.Google)
	if r.Kind == "" || r.Kind == silent || there == r.Kind {
		return r.Does()
	}
	return fmt.Sprintf("%s (%s in %s)", r.Kind, cmp.Or(there, silent), diag.Google)
}

// silent is the displayed kind of a rule in a dialect in which the rule reports nothing.
const silent diag.Kind = "silent"

// only returns the name of the only dialect in which a rule holds, or "" if it holds in every dialect.
func only(r *diag.Rule) string {
	if r.OnlyIn == nil {
		return ""
	}
	return r.OnlyIn.String()
}

// refusal returns the public service's status and reason for refusing a request that breaks a rule, or "" if they are unknown.
func refusal(r *diag.Rule) string {
	status, reason := r.Refusal()
	if status == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", status, reason)
}

const observedPreamble = `# Observed rules

<!-- Generated by go generate ./internal/reference from the declarations of the rules. Do not edit. -->

The documents do not state these rules, but the public service behaves accordingly. The last column lists the public
issues, pull requests and articles that report the behavior; all of them were read for this table.

To check only the rules of the documents, switch these rules off: in Go with the grading ` + "`diag.Documented()`, in the command\nwith `--profile documented`, and in a line of the batch form with `\"grade\":{\"basis:observed\":\"off\"}`" + `.

| rule | kind | observation | reported |
| --- | --- | --- | --- |
`

// observed returns the page about the observed rules.
func observed(rules []*diag.Rule) string {
	var b strings.Builder
	b.WriteString(observedPreamble)
	for _, r := range rules {
		if r.Basis == diag.Observed {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", ruleLinks([]*diag.Rule{r}), kinds(r), r.Seen, reports(r.Reported))
		}
	}
	b.WriteString(differencesPreamble)
	for _, d := range diag.Differences() {
		if i := slices.IndexFunc(rules, func(r *diag.Rule) bool { return r.ID == d.Rule }); i >= 0 {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", ruleLinks(rules[i:i+1]), d.Case, cmp.Or(string(d.Kind), "none"), d.Does, reports(d.Reported))
		}
	}
	return b.String()
}

const differencesPreamble = `
## Where the public service differs

The documents state these rules, but the public service is known to behave differently in the cases in this table. In the dialect
google, the findings about such a case have the kind in the row. JSON Schemas follow the documents.

| rule | request | finding | behavior of the service | reported |
| --- | --- | --- | --- | --- |
`

// reports returns links to public reports, given as URLs or in the form "owner/repository#number".
func reports(list []string) string {
	links := []string{}
	for _, report := range list {
		page, isURL := strings.CutPrefix(report, "https://")
		if !isURL {
			report = "https://github.com/" + strings.Replace(report, "#", "/issues/", 1)
		}
		links = append(links, fmt.Sprintf("[%s](%s)", page, report))
	}
	return strings.Join(links, ", ")
}

// Captions returns the captions for the examples of a rule.
func Captions(r *diag.Rule) (good, bad string) {
	switch {
	case r.Kind == diag.Unspecified:
		return "Specified", "Not specified"
	case r.Kind != "":
		return "Keeps the rule", "Breaks the rule"
	default:
		return "At work", "Does not apply"
	}
}

// decisions returns the page with the decision table of package rtdbauth.
func decisions() string { return decisionsPreamble + rtdbauth.Table().String() }

const decisionsPreamble = `# Decision table for realtime-database requests

<!-- Generated by go generate ./internal/reference from the table of package rtdbauth. Do not edit. -->

` + "`rtdbauth.Authenticate`" + ` uses this table. Exactly one row applies to each request; *any* matches every value.
` + "`calrules rtdb --table`" + ` prints the table.

- *reads*: whether the credentials decide (yes), the request is rejected regardless of them (no), or the
  documents do not define it (unknown)
- *sent*: the credentials in the request
- *place*, *kind*: the place of the only credential, and the kind of the credential according to the verifier
- *facts hold*: whether all relevant facts about the credential are known and favorable
- *policy*: the decision of the caller's policy about the case. Without a policy, the dialect of the public service accepts a
  database secret that is sent as auth, and the rules are bypassed (*admit, bypass*)
- *override*: the value of auth_variable_override, in the dialect of the public service (rule rtdb.override)

The facts about a token of an *unknown* kind fail (no) only in that dialect, if the verifier reports that the token is not genuine.

`
