package resource

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/object"
)

// AnswerRule is the rule about the form of answers. If a finding results from another rule, that rule is its cause.
var AnswerRule = diag.Rule{
	ID: "answer.resource", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The answer of an operation has the form of its resource, and so does each item of a list.",
	Section: "calendar.md, Event resource",
	Why: "A rule that the answer breaks is the cause of the finding. The documents show events only; the forms of other resources, of pages and of " +
		"errors are those of the reference of the public service.",
	Says: slices.Concat(object.SaysSyntax, object.SaysType, constraint.Timestamp.Says(), constraint.SaysRequired(nil), diag.Sentences{
		{Key: "type", Text: "The value is {seen}; it must be {limit}."},
		{Key: "kind", Text: "The kind is {value}; it must be {limit}."},
		{Key: "error", Text: "The answer has an error, but its status says that the request succeeded."},
		{Key: "none", Text: "The operation answers with an empty body, but the answer has one."},
	}),
	Good: diag.Example{Request: `{"op":"events.list","status":200,"answer":{"items":[{"id":"abc12def","status":"cancelled"}]}}`},
	Bad:  diag.Example{Request: `{"op":"events.list","status":200,"answer":{"items":[{"id":"abc12def","status":"gone"}]}}`},
}
