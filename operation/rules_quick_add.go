package operation

import (
	"github.com/calrules/calrules/diag"
)

var quickAddText = diag.Rule{
	ID: "quick-add.text", Kind: diag.Reject, When: diag.QuickAdd, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A quick add must describe the event in the query parameter text.",
	Section: sectionBehavior + ", 8",
	Reason:  "required",
	Why: "The service creates the event only from the text. The documents do not show the syntax of the text, so any text that is " +
		"not empty is accepted.",
	Says:  diag.Sentences{missing, inBody, isEmpty, {Key: "source", Text: "the text from which to create the event"}},
	Good:  requestWith{"events.quickAdd", `"text":"Lunch with Ada at noon"`},
	Bad:   requestWith{"events.quickAdd", ""},
	Check: check(checkParam),
}
