package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

// valueRules are about single members of the event.
var valueRules = []*diag.Rule{
	&statusEnum, &statusDefault, &transparencyEnum, &visibilityEnum, &visibilityConfidential, &sequenceNegative,
	&guestsDefaults, &anyoneCanAddSelf, &extendedProperties, &extendedPropertiesSize,
}

var statusEnum = diag.Rule{
	ID: "event.status.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"status"},
	Summary: "The status is " + constraint.EventStatus.Value + ".",
	Section: sectionEvent + ", status",
	Says:    constraint.EventStatus.Says(),
	Good:    sample.Timed(`"status":"tentative"`),
	Bad:     sample.Timed(`"status":"CONFIRMED"`),
}

var statusDefault = diag.Rule{
	ID: "event.status.default", Describes: diag.Default, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"status"},
	Summary: "The default of status is confirmed.",
	Section: sectionEvent + ", status",
	Good:    sample.Answered(sample.Timed(), `{"event":{"status":"confirmed"}}`),
	Bad:     sample.Answered(sample.Timed(`"status":"tentative"`), `{"event":{"status":"tentative"}}`),
}

var transparencyEnum = diag.Rule{
	ID: "event.transparency.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"transparency"},
	Summary: "The transparency is " + constraint.Transparency.Value + ". The default is opaque.",
	Section: sectionEvent + ", transparency",
	Says:    constraint.Transparency.Says(),
	Good:    sample.Timed(`"transparency":"transparent"`),
	Bad:     sample.Timed(`"transparency":"busy"`),
}

var visibilityEnum = diag.Rule{
	ID: "event.visibility.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"visibility"},
	Summary: "The visibility is " + constraint.Visibility.Value + ". The default is default.",
	Section: sectionEvent + ", visibility",
	Says:    constraint.Visibility.Says(),
	Good:    sample.Timed(`"visibility":"private"`),
	Bad:     sample.Timed(`"visibility":"hidden"`),
}

var visibilityConfidential = diag.Rule{
	ID: "event.visibility.confidential", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"visibility"},
	Summary: "The visibility is private rather than confidential.",
	Section: sectionEvent + ", visibility",
	Why:     "The value confidential means private and is kept for compatibility.",
	Good:    sample.Timed(`"visibility":"private"`),
	Bad:     sample.Timed(`"visibility":"confidential"`),
	Says:    diag.Sentences{{Key: "confidential", Text: "The visibility is confidential, which means private and is kept for compatibility. Send private."}},
	Check:   check(checkVisibilityConfidential),
}

func checkVisibilityConfidential(in *input, r engine.Reporter) {
	if in.next.Visibility == "confidential" {
		r.Report("/visibility", "confidential")
	}
}

var sequenceNegative = diag.Rule{
	ID: "event.sequence", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: []string{"sequence"},
	Summary: "The sequence is a non-negative integer.",
	Section: "RFC 5545 section 3.8.7.4",
	Says:    constraint.ICalSequence.Says(),
	Good:    sample.Timed(`"sequence":0`),
	Bad:     sample.Timed(`"sequence":-1`),
}

var guestsDefaults = diag.Rule{
	ID: "event.defaults.guests", Describes: diag.Default, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"guestsCanInviteOthers", "guestsCanSeeOtherGuests", "guestsCanModify", "anyoneCanAddSelf", "attendeesOmitted", "locked"},
	Summary: "guestsCanInviteOthers and guestsCanSeeOtherGuests are true by default; guestsCanModify, anyoneCanAddSelf, attendeesOmitted and locked are false.",
	Section: sectionEvent,
	Why:     "A serializer that omits false turns a restriction into a permission. The method WithDefaults sets the defaults that are not false.",
	Good: sample.Via("Event.WithDefaults", sample.Timed(),
		`{"guestsCanInviteOthers":true,"guestsCanSeeOtherGuests":true,"guestsCanModify":null,"anyoneCanAddSelf":null,"attendeesOmitted":null,"locked":null}`),
	Bad: sample.Via("Event.WithDefaults", sample.Timed(`"guestsCanInviteOthers":false,"guestsCanSeeOtherGuests":false,"guestsCanModify":true`),
		`{"guestsCanInviteOthers":false,"guestsCanSeeOtherGuests":false,"guestsCanModify":true}`),
}

var anyoneCanAddSelf = diag.Rule{
	ID: "event.anyone-can-add-self.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"anyoneCanAddSelf"},
	Summary: "The deprecated member anyoneCanAddSelf is absent.",
	Section: "calendar.md, Versioning",
	Good:    sample.Timed(`"guestsCanModify":true`),
	Bad:     sample.Timed(`"anyoneCanAddSelf":true`),
	Says:    diag.Sentences{{Key: "deprecated", Text: "The member anyoneCanAddSelf is deprecated. Leave it out."}},
	Check:   check(checkAnyoneCanAddSelf),
}

func checkAnyoneCanAddSelf(in *input, r engine.Reporter) {
	if in.next.AnyoneCanAddSelf || in.next.extra.WasSent("anyoneCanAddSelf") {
		r.Report("/anyoneCanAddSelf", "deprecated")
	}
}

var extendedProperties = diag.Rule{
	ID: "event.extended-properties", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfRequest,
	Reads:   []string{"extendedProperties.private", "extendedProperties.shared"},
	Summary: "The members private and shared of extendedProperties map strings to strings.",
	Section: sectionEvent + ", extendedProperties",
	Says:    object.SaysType,
	Good:    sample.Timed(`"extendedProperties":{"private":{"tries":"3"}}`),
	Bad:     sample.Timed(`"extendedProperties":{"private":{"tries":3}}`),
}

var extendedPropertiesSize = diag.Rule{
	ID: "event.extended-properties.size", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"extendedProperties.private", "extendedProperties.shared"},
	Summary:  "The key of an extended property has at most 44 characters and its value at most 1024.",
	Section:  sectionObserved,
	Seen:     "A property with a longer key is missing from the answer, and a longer value is cut.",
	Reported: []string{"Cefalo/quick-meet#195"},
	Why:      "The public service drops or truncates longer ones without an error.",
	Says:     constraint.PropertyKey.Says(),
	Good:     sample.Timed(`"extendedProperties":{"shared":{"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr":"1"}}`),
	Bad:      sample.Timed(`"extendedProperties":{"shared":{"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrs":"1"}}`),
}
