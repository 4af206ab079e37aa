package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

var extendedProperties = diag.Rule{
	ID: "event.extended-properties", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfRequest,
	Reads:   []string{"extendedProperties.private", "extendedProperties.shared"},
	Summary: "The members private and shared of extendedProperties must map strings to strings.",
	Section: sectionEvent + ", extendedProperties",
	Says:    object.SaysType,
	Good:    sample.Timed{`"extendedProperties":{"private":{"tries":"3"}}`},
	Bad:     sample.Timed{`"extendedProperties":{"private":{"tries":3}}`},
}

var extendedPropertiesSize = diag.Rule{
	ID: "event.extended-properties.size", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"extendedProperties.private", "extendedProperties.shared"},
	Summary:  "The key of an extended property should have at most 44 characters, and the value at most 1024.",
	Section:  sectionObserved,
	Seen:     "A property with a longer key is missing from the answer, and a longer value is truncated.",
	Reported: []string{"Cefalo/quick-meet#195"},
	Why:      "The public service drops properties with longer keys and truncates longer values without an error.",
	Says:     constraint.PropertyKey.Says(),
	Good:     sample.Timed{`"extendedProperties":{"shared":{"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr":"1"}}`},
	Bad:      sample.Timed{`"extendedProperties":{"shared":{"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrs":"1"}}`},
}

var extendedPropertiesMerge = diag.Rule{
	ID: "event.extended-properties.merge", Describes: diag.Effect, When: diag.Patch, Basis: diag.Inferred, Scope: diag.OfChange,
	Reads:   []string{"extendedProperties.private", "extendedProperties.shared"},
	Summary: "A patch merges each map of extended properties by key; null clears a key.",
	Section: sectionEvent + ", extendedProperties",
	Good: sample.Answered(sample.Patch{`"extendedProperties":{"private":{"a":null,"c":"3"}}`, `"extendedProperties":{"private":{"a":"1","b":"2"}}`},
		`{"event":{"extendedProperties":{"private":{"a":null,"b":"2","c":"3"}}}}`),
	Bad: sample.Answered(sample.Update{`"extendedProperties":{"private":{"c":"3"}}`, `"extendedProperties":{"private":{"a":"1","b":"2"}}`},
		`{"event":{"extendedProperties":{"private":{"a":null,"b":null,"c":"3"}}}}`),
}
