package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/sample"
)

var outOfOfficeAutoDecline = diag.Rule{
	ID: "out-of-office.auto-decline", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"outOfOfficeProperties.autoDeclineMode"},
	Summary: "The autoDeclineMode of an out-of-office event must be " + constraint.AutoDeclineMode.String() + ".",
	Section: sectionParts,
	Says:    constraint.AutoDeclineMode.Says(),
	Good:    sample.Timed{`"eventType":"outOfOffice","outOfOfficeProperties":{"autoDeclineMode":"declineNone"}`},
	Bad:     sample.Timed{`"eventType":"outOfOffice","outOfOfficeProperties":{"autoDeclineMode":"declineAll"}`},
}

var outOfOfficeEventType = diag.Rule{
	ID: "out-of-office.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"outOfOfficeProperties", "eventType"},
	Summary: "An event with outOfOfficeProperties should have the eventType outOfOffice.",
	Section: sectionEvent + ", outOfOfficeProperties",
	Good:    sample.Timed{`"eventType":"outOfOffice","outOfOfficeProperties":{"declineMessage":"Away"}`},
	Bad:     sample.Timed{`"outOfOfficeProperties":{"declineMessage":"Away"}`},
	Says:    goesWithSays,
	Check:   goesWith("outOfOfficeProperties", constraint.TypeOutOfOffice, func(e *Event) bool { return e.OutOfOfficeProperties != nil }),
}
