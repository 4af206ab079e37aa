package resource

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/object"
)

// AnswerRule is the rule about the form of responses. If a finding results from another rule, that rule is the cause of the
// finding.
var AnswerRule = diag.Rule{
	ID: "answer.resource", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The response to an operation, and each item in a list, must have the form of its resource.",
	Section: "calendar.md, Event resource",
	Why: "If the response breaks another rule, that rule is the cause of the finding. The documents show only events; the forms of " +
		"other resources, pages and errors come from the reference of the public service.",
	Says: slices.Concat(object.SaysSyntax, object.SaysType, constraint.Timestamp.Says(), constraint.SaysRequired(nil), diag.Sentences{
		{Key: "type", Text: "The value is {seen}; it must be {limit}."},
		{Key: "kind", Text: "The kind is {value}; it must be {limit}."},
		{Key: "error", Text: "The response contains an error, but its HTTP status means success."},
		{Key: "none", Text: "The response has a body, but the operation returns an empty body."},
	}),
	Good: diag.Example{Request: `{"op":"events.list","status":200,"answer":{"items":[{"id":"abc12def","status":"cancelled"}]}}`},
	Bad:  diag.Example{Request: `{"op":"events.list","status":200,"answer":{"items":[{"id":"abc12def","status":"gone"}]}}`},
}
