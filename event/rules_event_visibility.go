package event

import (
	"cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

var visibilityEnum = diag.Rule{
	ID: "event.visibility.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"visibility"},
	Summary: "The visibility must be " + constraint.Visibility.String() + ". The default is default.",
	Section: sectionEvent + ", visibility",
	Says:    constraint.Visibility.Says(),
	Good:    sample.Timed{`"visibility":"private"`},
	Bad:     sample.Timed{`"visibility":"hidden"`},
}

var visibilityConfidential = diag.Rule{
	ID: "event.visibility.confidential", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"visibility"},
	Summary: "The visibility should be private instead of confidential.",
	Section: sectionEvent + ", visibility",
	Why:     "The value confidential means private and exists only for compatibility.",
	Good:    sample.Timed{`"visibility":"private"`},
	Bad:     sample.Timed{`"visibility":"confidential"`},
	Says:    diag.Sentences{{Key: "confidential", Text: "The visibility is confidential, which means private and exists only for compatibility. Send private.", Fix: diag.Proposal{Value: `"private"`, Certain: true}}},
	Check:   check(checkVisibilityConfidential),
}

func checkVisibilityConfidential(in *input, r engine.Reporter) {
	if in.next.Visibility == "confidential" {
		r.Report("/visibility", "confidential")
	}
}

var visibilityInstance = diag.Rule{
	ID: "event.visibility.instance", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Reads:    []string{"visibility", "recurringEventId"},
	Summary:  "The visibility of a single instance of a series should not change.",
	Section:  sectionObserved,
	Seen:     "A stricter visibility of one instance applies to the whole series, and a less strict one has no effect.",
	Reported: []string{"https://developers.google.com/workspace/calendar/api/concepts/sharing"},
	Good:     sample.Patch{`"visibility":"private"`},
	Bad:      sample.Patch{`"visibility":"private"`, `"recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`},
	Says:     diag.Sentences{{Key: "instance", Text: "The event is an instance of a series: a stricter visibility applies to the whole series, and a less strict one has no effect. Change the series."}},
	Check:    check(checkVisibilityInstance),
}

func checkVisibilityInstance(in *input, r engine.Reporter) {
	was, is := cmp.Or(in.stored.Visibility, "default"), cmp.Or(in.next.Visibility, "default")
	if in.existing == knownEvent && in.stored.RecurringEventID != "" && was != is && constraint.Visibility.Has(is) {
		r.Report("/visibility", "instance")
	}
}
