// Package reference is the reference documentation: every rule of the library, as data and as
// Markdown, and the decision table of package rtdbauth. It is made from the values that run, so it cannot say anything else than they do.
package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/rtdbauth"
)

//go:generate go run ./gen ../..

// File is a file of the repository that is generated from the values that run.
type File struct {
	Name string // its path below the root of the repository
	Text string
}

// Files returns all generated files.
func Files() []File {
	return []File{
		{"docs/rules.md", Markdown(Catalogue().Rules())},
		{"docs/fields.md", Fields()},
		{"docs/rtdb-table.md", Decisions()},
		{"diag/ruleid/ids.go", Constants(Catalogue().Rules())},
		{"limits/table_gen.go", Table()},
	}
}

// Catalogue returns the rules of the whole library: those of the calendar, then those of the
// realtime database.
func Catalogue() *diag.Catalogue { return catalogue() }

var catalogue = sync.OnceValue(func() *diag.Catalogue {
	return diag.NewCatalogue(event.Catalogue().Rules(), rtdbauth.Catalogue().Rules())
})

// Room returns what the rule's id begins with, such as "reminders" of "reminders.minutes".
func Room(d *diag.Rule) string {
	room, _, _ := strings.Cut(d.ID, ".")
	return room
}

// Captions returns what stands above a rule's two examples: for a rule that is never raised
// they show what it does, and where it has no bearing.
func Captions(d *diag.Rule) (accept, refuse string) {
	switch d.Kind {
	case diag.Reject:
		return "Accepted", "Refused"
	case diag.Default, diag.Effect, diag.Decide:
		return "At work", "For contrast"
	default:
		return "Not raised", "Raised"
	}
}

// Pretty returns JSON text on indented lines, and any other text as it is.
func Pretty(text string) string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(text), "", "  "); err != nil {
		return text
	}
	return out.String()
}

// Markdown returns the whole reference: a table of contents, and a page for each rule under
// the heading of its room. Rooms and rules stand in the order in which docs first names them.
func Markdown(docs []*diag.Rule) string {
	docs = byRoom(docs)
	var b strings.Builder
	b.WriteString(preamble)
	contents(&b, docs)
	room := ""
	for _, d := range docs {
		if Room(d) != room {
			room = Room(d)
			fmt.Fprintf(&b, "\n## %s\n", room)
		}
		b.WriteString("\n" + Page(d))
	}
	return b.String()
}

// Decisions returns the page with the decision table of package rtdbauth.
func Decisions() string { return decisionsPreamble + rtdbauth.Table().String() }

const decisionsPreamble = `# As whom a request to a realtime database acts

<!-- Written by go generate ./internal/reference from the table that package rtdbauth decides by. Do not edit. -->

This is the table that ` + "`rtdbauth.Decide`" + ` looks its answers up in. Exactly one row holds for each request;
*any* stands for every value. ` + "`calrules rtdb --table`" + ` prints it.

- *reads*: whether the request names a location that is read in one way only
- *sent*: how many credentials it presents
- *place*, *kind*: where its one credential stands, and what the verifier says it is
- *facts hold*: whether all that matters about the credential is known and good
- *policy*: what the caller's policy says where the documents are silent

`

const preamble = `# Rules

<!-- Written by go generate ./internal/reference from the rules' own documentation. Do not edit. -->

Every rule of calrules, by the first word of its id. ` + "`calrules explain ID`" + ` prints one of these pages.

A rule's *kind* says what it does: **reject** refuses the request; **ignore** tells of a value without
effect; **advise** tells what the sender may want to know; **unspecified** marks what the documents leave
open; **default**, **effect** and **decide** shape the answer and are never raised. Its *basis* says where it
comes from: **stated** by the service's documents, an **rfc** that they name, **inferred** from them, or
**observed** of the public service.

`

// byRoom returns docs with the rules of a room together.
func byRoom(docs []*diag.Rule) []*diag.Rule {
	first := map[string]int{}
	for i, d := range docs {
		if _, seen := first[Room(d)]; !seen {
			first[Room(d)] = i
		}
	}
	sorted := slices.Clone(docs)
	slices.SortStableFunc(sorted, func(a, b *diag.Rule) int { return cmp.Compare(first[Room(a)], first[Room(b)]) })
	return sorted
}

// contents writes a line for each room with links to its rules.
func contents(b *strings.Builder, docs []*diag.Rule) {
	room := ""
	for _, d := range docs {
		if Room(d) != room {
			if room != "" {
				b.WriteByte('\n')
			}
			room = Room(d)
			fmt.Fprintf(b, "- [%s](#%s):", room, anchor(room))
		}
		_, word, _ := strings.Cut(d.ID, ".")
		fmt.Fprintf(b, " [%s](#%s)", word, anchor(d.ID))
	}
	b.WriteByte('\n')
}

// anchor returns the name that Markdown viewers give to a heading.
func anchor(heading string) string { return strings.ReplaceAll(heading, ".", "") }

// Page returns the page of one rule as Markdown, with the id as a heading of the third level.
func Page(d *diag.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n%s\n\n", d.ID, d.Summary)
	fmt.Fprintf(&b, "- kind: %s\n- basis: %s\n- when: %s\n- section: %s\n", d.Kind, d.Basis, When(d), d.Section)
	if d.Why != "" {
		fmt.Fprintf(&b, "\n%s\n", d.Why)
	}
	accept, refuse := Captions(d)
	example(&b, accept, d.Good)
	example(&b, refuse, d.Bad)
	return b.String()
}

// When lists the occasions on which a rule can speak.
func When(d *diag.Rule) string { return strings.ReplaceAll(d.When.String(), ",", ", ") }

// example writes a request and what its answer holds as code blocks, or nothing where there
// is no request.
func example(b *strings.Builder, caption string, e diag.Example) {
	if e.Request == "" {
		return
	}
	fmt.Fprintf(b, "\n%s:\n\n```json\n%s\n```\n", caption, Pretty(e.Request))
	if e.Answer != "" {
		fmt.Fprintf(b, "\nThe answer contains:\n\n```json\n%s\n```\n", Pretty(e.Answer))
	}
}
