package operation

import (
	"github.com/calrules/calrules/diag"
)

var quickAddText = diag.Rule{
	ID: "quick-add.text", Kind: diag.Reject, When: diag.QuickAdd, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A quick add describes the event in the query parameter text, which is not empty.",
	Section: sectionBehavior + ", 8",
	Reason:  "required",
	Why:     "The service creates the event from the text alone. The documents do not show its syntax, so any text that is not empty is accepted.",
	Says:    diag.Sentences{missing, inBody, isEmpty, {Key: "source", Text: "the text to create the event from"}},
	Good:    requestWith(EventsQuickAdd, `"text":"Lunch with Ada at noon"`),
	Bad:     requestWith(EventsQuickAdd, ""),
	Check:   check(checkParam),
}
