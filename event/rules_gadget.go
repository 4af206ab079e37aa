package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

var gadgetDeprecated = diag.Rule{
	ID: "gadget.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"gadget"},
	Summary: "An event should not have a gadget; gadgets are deprecated.",
	Section: sectionEvent + ", gadget",
	Why:     "The service uses the gadget only to return the metadata of birthday calendars.",
	Good:    sample.Timed{},
	Bad:     sample.Timed{`"gadget":{"title":"Cake"}`},
	Says:    diag.Sentences{{Key: "deprecated", Text: "The gadget is deprecated: the service uses it only to return the metadata of birthdays. Leave it out."}},
	Check:   check(checkGadgetDeprecated),
}

func checkGadgetDeprecated(in *input, r engine.Reporter) {
	if in.next.Gadget != nil {
		r.Report("/gadget", "deprecated")
	}
}

var gadgetSize = diag.Rule{
	ID: "gadget.size", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"gadget.width", "gadget.height"},
	Summary: "The width and the height of a gadget must be greater than 0.",
	Section: sectionEvent + ", gadget",
	Says:    constraint.GadgetSize.Says(),
	Good:    sample.Timed{`"gadget":{"width":1,"height":1}`},
	Bad:     sample.Timed{`"gadget":{"width":0,"height":1}`},
}

var gadgetDisplay = diag.Rule{
	ID: "gadget.display.enum", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"gadget.display"},
	Summary: "The display of a gadget must be " + constraint.GadgetDisplay.String() + ".",
	Section: sectionEvent + ", gadget",
	Says:    constraint.GadgetDisplay.Says(),
	Good:    sample.Timed{`"gadget":{"display":"chip"}`},
	Bad:     sample.Timed{`"gadget":{"display":"banner"}`},
}

var gadgetPreferences = diag.Rule{
	ID: "gadget.preferences", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"gadget.preferences"},
	Summary: "The preferences of a gadget must map strings to strings.",
	Section: sectionEvent + ", gadget",
	Says:    object.SaysType,
	Good:    sample.Timed{`"gadget":{"preferences":{"lines":"2"}}`},
	Bad:     sample.Timed{`"gadget":{"preferences":{"lines":2}}`},
}
