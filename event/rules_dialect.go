package event

import (
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/operation"
)

var dialectMixed = diag.Rule{
	ID: "dialect.mixed", Kind: diag.Advise, When: diag.Write | diag.List | diag.EventsWatch, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "All names and values in a request should belong to one dialect.",
	Section: sectionEvent,
	Why: "A few members and values have one name in the documents and another in the public service. A request that mixes the names is " +
		"wrong in both dialects, and the findings about the individual names do not show that. Functions that only decode do not check " +
		"values otherwise, so they report a value of the other dialect under this rule.",
	Says: append(diag.Sentences{{
		Key:  "mixed",
		Text: "The request mixes {value}, a name from the documents, with {other}, a name from the public service. Use names from only one of the two.",
	}}, object.SaysForeign...),
	Good: sample.Timed{`"eventType":"default"`},
	Bad:  sample.Timed{`"eventType":"default","videoLink":"https://meet.example.com/a","hangoutLink":"https://meet.example.com/a"`},
}

// words contains, for each dialect, the first name that is unique to the dialect, and the path of the name.
type words [2]struct {
	name string
	at   diag.Pointer
}

// add records a word if only one dialect uses it. The word is the name or value of a member of an object.
func (w *words) add(word string, object diag.Pointer, member string) {
	if d, ok := diag.DialectOf(word); ok && w[d].name == "" {
		w[d].name = strings.Clone(word) // allocates only for recorded words
		w[d].at = object.Member(strings.Clone(member))
	}
}

// checkMixed reports a request that mixes names of both dialects.
func (r *checkRun) checkMixed() {
	if !r.mayBeMixed() || !dialectMixed.When.Has(r.in.on) {
		return
	}
	var found words
	if r.in.next != nil && (r.in.decoded || r.in.req.Event != nil) {
		found.addBody(jsonscan.Of(r.text()))
	}
	found.addParams(r.in.req.Params)
	if found[diag.Documents].name != "" && found[diag.Google].name != "" {
		other := found[diag.Google-r.in.dialect] // the name that does not belong to the request's dialect
		r.report.For(&dialectMixed, "").Report(tables().event.Place(r.in.dialect, other.at), "mixed",
			diag.Value("value", found[diag.Documents].name), diag.Value("other", found[diag.Google].name))
	}
}

// mayBeMixed reports whether, judging by the findings, the request may contain names from both dialects: whether a finding
// suggests the name for a name of the other dialect. For a Go value, any finding suffices, because unknown members are not
// reported.
func (r *checkRun) mayBeMixed() bool {
	switch {
	case len(r.report.Findings) == 0:
		return false
	case r.in.req.Event != nil, len(r.in.req.Params["eventTypes"]) > 1:
		return true
	}
	for i := range r.report.Findings {
		f := &r.report.Findings[i]
		for k := range f.Args {
			if f.Args[k].Source == nil {
				continue // not about an unknown name or value
			}
			if d, ok := diag.DialectOf(f.Args[k].Text); ok && d != r.in.dialect && f.OfOtherDialect() {
				return true
			}
		}
	}
	return false
}

// OwnNames returns, for each dialect, the first name of a member or value that the other dialect lacks, or "". OwnNames
// searches the query parameters and the elements of texts. An element is the JSON text of an event, an array or page of
// events, or a request in batch form. OwnNames ignores elements that are not valid JSON.
func OwnNames(params operation.Params, texts ...[]byte) [2]string {
	var found words
	for _, text := range texts {
		if jsonscan.Valid(text) == nil {
			found.addText(jsonscan.Of(text))
		}
	}
	found.addParams(params)
	return [2]string{found[diag.Documents].name, found[diag.Google].name}
}

// addText adds the names in an event, or in the events in an array, page or request.
func (w *words) addText(text jsonscan.Value) {
	for _, list := range []jsonscan.Value{text, text.Member("items")} {
		for e := range list.Elements() {
			w.addBody(e)
		}
	}
	for _, e := range []jsonscan.Value{text, text.Member("body"), text.Member("existing"), text.Member("series")} {
		w.addBody(e)
	}
}

// addParams adds the names that appear in the values of query parameters.
func (w *words) addParams(params operation.Params) {
	for _, value := range params["eventTypes"] {
		if d, ok := diag.DialectOf(value); ok && w[d].name == "" {
			w[d].name, w[d].at = value, "?eventTypes"
		}
	}
}

// renamed is the path from an object to a member whose name or values differ between dialects.
type renamed struct {
	steps  []string
	member *object.Declaration
}

// renamedMembers lists the paths from an event to its renamed members.
var renamedMembers = sync.OnceValue(func() (all []renamed) {
	tables().event.Visit("", func(path diag.Pointer, d *object.Declaration, _ object.GoField) {
		if d.HasRenamedValues() || d.Google != d.Name {
			all = append(all, renamed{strings.Split(string(path[1:]), "/"), d})
		}
	})
	return all
})

// addBody adds the names in an event.
func (w *words) addBody(body jsonscan.Value) { w.addMembers(body, "", renamedMembers()) }

// addMembers adds the names in the object at the given path.
func (w *words) addMembers(object jsonscan.Value, at diag.Pointer, all []renamed) {
	for quoted, value := range object.Members() {
		name := jsonscan.Unquote(quoted)
		for _, m := range all {
			switch first := m.steps[0]; {
			case string(name) != first && string(name) != diag.Google.Name(first):
			case len(m.steps) > 1:
				w.addMembers(value, at.Member(string(name)), []renamed{{m.steps[1:], m.member}})
			case !value.IsString() || !m.member.HasRenamed(string(jsonscan.Unquote(value.Text))):
				w.add(string(name), at, string(name))
			default:
				w.add(string(jsonscan.Unquote(value.Text)), at, first)
			}
		}
	}
}
