package event

import (
	"cmp"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/sample"
)

var dialectMixed = diag.Rule{
	ID: "dialect.mixed", Kind: diag.Advise, When: diag.Write | diag.List | diag.EventsWatch, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "All names and values of a request are of one dialect.",
	Section: sectionEvent,
	Why: "A few members and values have one name in the documents and another in the public service. A request with names of both " +
		"is wrong for either, and the findings about single names do not say so.",
	Says: diag.Sentences{{
		Key:  "mixed",
		Text: "The request has {value}, which only the documents have, and {other}, which only the public service has. Use the names of one of them.",
	}},
	Good: sample.Timed(`"eventType":"default"`),
	Bad:  sample.Timed(`"eventType":"default","videoLink":"https://meet.example.com/a","hangoutLink":"https://meet.example.com/a"`),
}

// words are the first names that only one dialect has, by the dialect, with their places.
type words [2]struct {
	name string
	at   diag.Pointer
}

// add notes a word that only one dialect has. The place of the name of a member is the member, which at does not name.
func (w *words) add(word string, at diag.Pointer) {
	if d, ok := diag.DialectOf(word); ok && w[d].name == "" {
		w[d].name = strings.Clone(word) // so that a word that is not kept needs no memory
		w[d].at = cmp.Or(at, diag.Pointer("").Member(w[d].name))
	}
}

// checkMixed reports a request with names of both dialects.
func (r *checkRun) checkMixed() {
	if !r.mayBeMixed() || !dialectMixed.When.Has(r.in.on) {
		return
	}
	var found words
	if r.in.next != nil && (r.in.decoded || r.in.req.Event != nil) {
		found.addBody(jsonscan.Of(r.text()))
	}
	for _, value := range r.in.req.Params["eventTypes"] {
		found.add(value, "?eventTypes")
	}
	if found[diag.Documents].name != "" && found[diag.Google].name != "" {
		other := found[diag.Google-r.in.dialect] // whose name is wrong in the dialect of the request
		r.report.For(&dialectMixed, "").Report(eventTable.Place(r.in.dialect, other.at), "mixed",
			diag.Value("value", found[diag.Documents].name), diag.Value("other", found[diag.Google].name))
	}
}

// mayBeMixed reports whether a finding is about a name of another dialect than that of the request. One of two dialects is. There
// are no findings about unknown members of a Go value.
func (r *checkRun) mayBeMixed() bool {
	inQuery := len(r.in.req.Params["eventTypes"]) > 1
	if r.in.req.Event != nil || inQuery {
		return len(r.report.Findings) > 0
	}
	for i := range r.report.Findings {
		if slices.ContainsFunc(r.report.Findings[i].Args, func(a diag.Arg) bool { return a.Name == "other" }) {
			return true
		}
	}
	return false
}

// addBody adds the names of members, and the values that have names of a dialect.
func (w *words) addBody(body jsonscan.Value) {
	for name, value := range body.Members() {
		w.add(string(jsonscan.Unquote(name)), "")
		switch string(jsonscan.Unquote(name)) {
		case "eventType":
			w.addString(value, "/eventType")
		case "conferenceData":
			w.addString(inner(value, "conferenceSolution", "key", "type"), "/conferenceData/conferenceSolution/key/type")
			w.addString(inner(value, "createRequest", "conferenceSolutionKey", "type"), "/conferenceData/createRequest/conferenceSolutionKey/type")
		}
	}
}

// addString adds a value of a body, if it is a string.
func (w *words) addString(v jsonscan.Value, at diag.Pointer) {
	if len(v.Text) > 0 && v.IsString() {
		w.add(string(jsonscan.Unquote(v.Text)), at)
	}
}

// inner returns the value at a path in an object, or a value without a text.
func inner(v jsonscan.Value, path ...string) jsonscan.Value {
	for _, name := range path {
		v = v.Member(name)
	}
	return v
}
