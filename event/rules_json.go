package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

// jsonRules are kept by decoding; see [run.decode].
var jsonRules = []*diag.Rule{
	&jsonSyntax,
	&jsonDuplicateName,
	&jsonType,
	&jsonUnknownField,
	&jsonNull,
}

var jsonSyntax = diag.Rule{
	ID: "json.syntax", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "The body is one well-formed JSON object in UTF-8, nested at most 100 levels deep.",
	Section: "RFC 8259 sections 2 and 8.1",
	Why: "A reader that mends broken JSON reads something else than its writer wrote. No byte order mark, " +
		"no lone surrogate, nothing after the object; the bound on nesting keeps hostile bodies cheap.",
	Good: diag.Example{Request: `{"op":"events.insert","bodyText":"{\"start\":{\"date\":\"2026-03-10\"},\"end\":{\"date\":\"2026-03-11\"}}"}`},
	Bad:  diag.Example{Request: `{"op":"events.insert","bodyText":"{\"start\":{\"date\":\"2026-03-10\"},\"end\":{\"date\":\"2026-03-11\"}"}`},
}

var jsonDuplicateName = diag.Rule{
	ID: "json.duplicate-name", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "No object repeats a member name.",
	Section: "RFC 8259 section 4",
	Why: "Of two members with one name, some readers take the first and some the last. Names are compared " +
		"after their escapes are undone.",
	Good: diag.Example{Request: sample.Timed(`"summary":"Standup"`)},
	Bad:  diag.Example{Request: `{"op":"events.insert","bodyText":"{\"start\":{\"date\":\"2026-03-10\"},\"end\":{\"date\":\"2026-03-11\"},\"summary\":\"a\",\"summary\":\"b\"}"}`},
}

var jsonType = diag.Rule{
	ID: "json.type", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Each member has the JSON type that its table gives it.",
	Section: sectionEvent,
	Why: "Integers are whole numbers within 64 bits, written as such or as in 2.0 and 1e3. In a request null " +
		"stands for absence (json.null); in an array and in a representation it is a wrong type.",
	Good: diag.Example{Request: sample.Timed(`"sequence":2.0`), Answer: `{"event":{"sequence":2}}`},
	Bad:  diag.Example{Request: sample.Timed(`"sequence":"2"`)},
}

var jsonUnknownField = diag.Rule{
	ID: "json.unknown-field", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "Every member is one that the documents list.",
	Section: sectionEvent,
	Why: "A member that no table lists has no effect, and is mostly a misspelt one. It is kept: it survives a " +
		"patch, and goes with an update that does not send it.",
	Good: diag.Example{Request: sample.Timed(`"location":"Room 4"`)},
	Bad:  diag.Example{Request: sample.Timed(`"locaton":"Room 4"`), Answer: `{"event":{"locaton":"Room 4"}}`},
}

var jsonNull = diag.Rule{
	ID: "json.null", Kind: diag.Effect, When: diag.Write, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "In insert, import and update null stands for absence; in a patch it clears the field.",
	Section: sectionObserved,
	Why:     "Serializers write null for what they do not have. A required member that is null is missing.",
	Good:    diag.Example{Request: sample.Timed(`"summary":"Standup","location":null`), Answer: `{"event":{"summary":"Standup"}}`},
	Bad:     diag.Example{Request: sample.Timed(`"summary":"Standup","location":""`), Answer: `{"event":{"location":""}}`},
}

// problemDoc returns the rule that a problem of decoding breaks. The maps of strings have rules
// of their own, of which that of the gadget does not speak of representations.
func problemDoc(p object.Problem, on diag.When) *diag.Rule {
	switch p.Fault {
	case object.Syntax:
		return &jsonSyntax
	case object.Duplicate:
		return &jsonDuplicateName
	case object.Unknown:
		return &jsonUnknownField
	case object.MapType:
		if p.Rule.When.Has(on) {
			return p.Rule
		}
		return &jsonType
	default:
		return &jsonType
	}
}
