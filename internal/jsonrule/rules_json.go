package jsonrule

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

var syntax = diag.Rule{
	ID: "json.syntax", Kind: diag.Reject, When: diag.Write | diag.Response | diag.OtherBodies, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "The body must be one well-formed JSON object in UTF-8, nested at most 100 levels deep.",
	Section: "RFC 8259 sections 2 and 8.1",
	Reason:  "parseError",
	Why: "A reader that repairs broken JSON may misread it. A byte order mark, a lone surrogate and text after the object are errors. " +
		"The limit on nesting bounds the cost of hostile bodies.",
	Says: slices.Concat(object.SaysSyntax, diag.Sentences{{Key: "params", Text: "The value of params is not well-formed JSON."}}),
	Good: diag.Example{Request: `{"op":"events.insert","bodyText":"{\"start\":{\"date\":\"2026-03-10\"},\"end\":{\"date\":\"2026-03-11\"}}"}`},
	Bad:  diag.Example{Request: `{"op":"events.insert","bodyText":"{\"start\":{\"date\":\"2026-03-10\"},\"end\":{\"date\":\"2026-03-11\"}"}`},

	Supersedes: []string{ruleid.OperationUnspecified},
}

var duplicateName = diag.Rule{
	ID: "json.duplicate-name", Kind: diag.Reject, When: diag.Write | diag.Response | diag.OtherBodies, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "An object must not repeat a member name.",
	Section: "RFC 8259 section 4",
	Why: "Of two members with the same name, some readers use the first and others the last. Names are compared after decoding their " +
		"escapes.",
	Says: slices.Concat(object.SaysDuplicate, diag.Sentences{
		{Key: "params", Text: "params: {parameter} appears twice. Send the values of a repeated parameter as one array."},
	}),
	Good: sample.Timed{`"summary":"Standup"`},
	Bad:  diag.Example{Request: `{"op":"events.insert","bodyText":"{\"start\":{\"date\":\"2026-03-10\"},\"end\":{\"date\":\"2026-03-11\"},\"summary\":\"a\",\"summary\":\"b\"}"}`},
}

// The sections of the documents to which the rules refer.
const (
	sectionEvent    = "calendar.md, Event resource"
	sectionObserved = "observed"
)

var wrongType = diag.Rule{
	ID: "json.type", Kind: diag.Reject, When: diag.Write | diag.Response | diag.OtherBodies, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Each member must have the JSON type that the documents state for it.",
	Section: sectionEvent,
	Why: "Integers are signed and have 64 bits; they may be written as 2.0 or 1e3. In a request, null means that a member is absent or " +
		"cleared (json.null); in an array and in a representation, null has the wrong type.",
	Says: slices.Concat(object.SaysType, object.SaysTolerated, diag.Sentences{
		{Key: "params", Text: "The value of params is {seen}; it must be an object."},
		{Key: "param", Text: "params: {parameter} is {seen}; it must be a string or an array of strings, even for numbers and booleans."},
		{Key: "param-element", Text: "params: {parameter} contains {seen}; it must contain only strings."},
	}),
	Good: sample.Answered(sample.Timed{`"sequence":2.0`}, `{"event":{"sequence":2}}`),
	Bad:  sample.Timed{`"sequence":2.5`},
}

var unknownField = diag.Rule{
	ID: "json.unknown-field", Kind: diag.Advise, When: diag.Write | diag.OtherBodies, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "Every member should be a documented field.",
	Section: sectionEvent,
	Why: "An unknown member has no meaning to the service and is usually a misspelling. The library stores an unknown member: a patch " +
		"keeps it unless the patch sends null, and an update without the member removes it.",
	Says: object.SaysUnknown,
	Good: sample.Timed{`"location":"Room 4"`},
	Bad:  sample.Answered(sample.Timed{`"locaton":"Room 4"`}, `{"event":{"locaton":"Room 4"}}`),
}

var null = diag.Rule{
	ID: "json.null", Describes: diag.Effect, When: diag.Write, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "In an insert, an import or an update, null means that the member is absent; in a patch, null clears the member.",
	Section: sectionObserved,
	Seen: "A patch with date null and a dateTime makes an all-day event timed; without the null, the service refuses the patch " +
		"because the event would have both forms.",
	Reported: []string{"googleapis/google-api-php-client#411"},
	Why:      "Serializers write null for values that they do not have. A required member that is null counts as missing.",
	Good:     sample.Answered(sample.Timed{`"summary":"Standup","location":null`}, `{"event":{"summary":"Standup","location":null}}`),
	Bad:      sample.Answered(sample.Timed{`"summary":"Standup","location":"Room 4"`}, `{"event":{"summary":"Standup","location":"Room 4"}}`),
}
