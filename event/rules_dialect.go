package event

import (
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
	Good: sample.Timed(`"eventType":"default","videoLink":"https://meet.example.com/a"`),
	Bad:  sample.Patch(`"videoLink":"https://meet.example.com/a","hangoutLink":"https://meet.example.com/a"`),
}

// words are the first names that only one dialect has, by the dialect, with their places.
type words [2]struct {
	name string
	at   diag.Pointer
}

func (w *words) add(name string, at diag.Pointer) {
	if d, ok := diag.DialectOf(name); ok && w[d].name == "" {
		w[d].name, w[d].at = name, at
	}
}

// addString adds a value of a body, if it is a string.
func (w *words) addString(v jsonscan.Value, at diag.Pointer) {
	if len(v.Text) > 0 && v.IsString() {
		w.add(string(jsonscan.Unquote(v.Text)), at)
	}
}

// checkMixed reports a request with names of both dialects. One of them is wrong, so there are findings about others already.
func (r *checkRun) checkMixed() {
	if len(r.report.Findings) == 0 || !dialectMixed.When.Has(r.in.on) {
		return
	}
	var found words
	for _, value := range r.in.req.Params["eventTypes"] {
		found.add(value, "?eventTypes")
	}
	if r.in.decoded && r.in.next != nil {
		found.addBody(jsonscan.Of(r.in.req.text()))
	}
	if found[diag.Documents].name != "" && found[diag.Google].name != "" {
		other := found[diag.Google-r.in.dialect] // whose name is wrong in the dialect of the request
		r.report.For(&dialectMixed, "").Report(eventTable.Place(r.in.dialect, other.at), "mixed",
			diag.Value("value", found[diag.Documents].name), diag.Value("other", found[diag.Google].name))
	}
}

// addBody adds the names of members, and of the values that have names of a dialect.
func (w *words) addBody(body jsonscan.Value) {
	for name, value := range body.Members() {
		at := diag.Pointer("").Member(name.String())
		w.add(name.String(), at)
		switch name.String() {
		case "eventType":
			w.addString(value, at)
		case "conferenceData":
			w.addType(value, at, "conferenceSolution", "key", "type")
			w.addType(value, at, "createRequest", "conferenceSolutionKey", "type")
		}
	}
}

// addType adds the value at a path in an object.
func (w *words) addType(v jsonscan.Value, at diag.Pointer, path ...string) {
	if len(path) == 0 {
		w.addString(v, at)
		return
	}
	for name, value := range v.Members() {
		if name.String() == path[0] {
			w.addType(value, at.Member(path[0]), path[1:]...)
		}
	}
}
