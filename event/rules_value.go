package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// valueRules are about single members of the event.
var valueRules = []*diag.Rule{
	&statusEnum,
	&statusDefault,
	&transparencyEnum,
	&visibilityEnum,
	&visibilityConfidential,
	&sequenceNegative,
	&guestsDefaults,
	&anyoneCanAddSelf,
	&extendedProperties,
	&extendedPropertiesSize,
}

var statusEnum = diag.Rule{
	ID: "event.status.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"status"},
	Summary: "The status is confirmed, tentative or cancelled.",
	Section: sectionEvent + ", status",
	Good:    diag.Example{Request: sample.Timed(`"status":"tentative"`)},
	Bad:     diag.Example{Request: sample.Timed(`"status":"CONFIRMED"`)},
}

var statusDefault = diag.Rule{
	ID: "event.status.default", Kind: diag.Default, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The status is confirmed when absent.",
	Section: sectionEvent + ", status",
	Good:    diag.Example{Request: sample.Timed(), Answer: `{"event":{"status":"confirmed"}}`},
	Bad:     diag.Example{Request: sample.Timed(`"status":"tentative"`), Answer: `{"event":{"status":"tentative"}}`},
}

var transparencyEnum = diag.Rule{
	ID: "event.transparency.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"transparency"},
	Summary: "The transparency is opaque or transparent; opaque when absent.",
	Section: sectionEvent + ", transparency",
	Good:    diag.Example{Request: sample.Timed(`"transparency":"transparent"`)},
	Bad:     diag.Example{Request: sample.Timed(`"transparency":"busy"`)},
}

var visibilityEnum = diag.Rule{
	ID: "event.visibility.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"visibility"},
	Summary: "The visibility is default, public, private or confidential; default when absent.",
	Section: sectionEvent + ", visibility",
	Good:    diag.Example{Request: sample.Timed(`"visibility":"private"`)},
	Bad:     diag.Example{Request: sample.Timed(`"visibility":"hidden"`)},
}

var visibilityConfidential = diag.Rule{
	ID: "event.visibility.confidential", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"visibility"},
	Summary: "The visibility private is preferred to confidential.",
	Section: sectionEvent + ", visibility",
	Why:     "confidential means private and is kept for compatibility.",
	Good:    diag.Example{Request: sample.Timed(`"visibility":"private"`)},
	Bad:     diag.Example{Request: sample.Timed(`"visibility":"confidential"`)},
	Check:   check(checkConfidential),
}

func checkConfidential(in *input, r diag.Reporter) {
	if in.result.Visibility == "confidential" {
		r.Report("/visibility", "The visibility confidential means private and is kept for compatibility. Send private.")
	}
}

var sequenceNegative = diag.Rule{
	ID: "event.sequence", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: []string{"sequence"},
	Summary: "The sequence is a non-negative integer.",
	Section: "RFC 5545 section 3.8.7.4",
	Good:    diag.Example{Request: sample.Timed(`"sequence":0`)},
	Bad:     diag.Example{Request: sample.Timed(`"sequence":-1`)},
}

var guestsDefaults = diag.Rule{
	ID: "event.defaults.guests", Kind: diag.Default, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "When absent, guestsCanInviteOthers and guestsCanSeeOtherGuests are true; guestsCanModify, anyoneCanAddSelf, attendeesOmitted and locked are false.",
	Section: sectionEvent,
	Why:     "A serializer that drops false turns a restriction into its contrary. The method WithDefaults writes the defaults out.",
	Good: diag.Example{
		Request: sample.Timed(`"guestsCanInviteOthers":false`),
		Answer:  `{"event":{"guestsCanInviteOthers":false}}`,
	},
	Bad: diag.Example{
		Request: sample.Timed(`"guestsCanInviteOthers":true`),
		Answer:  `{"event":{"guestsCanInviteOthers":true}}`,
	},
}

var anyoneCanAddSelf = diag.Rule{
	ID: "event.anyone-can-add-self.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"anyoneCanAddSelf"},
	Summary: "anyoneCanAddSelf is deprecated.",
	Section: "calendar.md, Versioning",
	Good:    diag.Example{Request: sample.Timed(`"guestsCanModify":true`)},
	Bad:     diag.Example{Request: sample.Timed(`"anyoneCanAddSelf":true`)},
	Check:   check(checkAnyoneCanAddSelf),
}

func checkAnyoneCanAddSelf(in *input, r diag.Reporter) {
	if in.result.AnyoneCanAddSelf || in.result.extra.WasSent("anyoneCanAddSelf") {
		r.Report("/anyoneCanAddSelf", "The member anyoneCanAddSelf is deprecated. Leave it out.")
	}
}

var extendedProperties = diag.Rule{
	ID: "event.extended-properties", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The members private and shared of extendedProperties are maps of string to string.",
	Section: sectionEvent + ", extendedProperties",
	Good:    diag.Example{Request: sample.Timed(`"extendedProperties":{"private":{"tries":"3"}}`)},
	Bad:     diag.Example{Request: sample.Timed(`"extendedProperties":{"private":{"tries":3}}`)},
}

var extendedPropertiesSize = diag.Rule{
	ID: "event.extended-properties.size", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"extendedProperties"},
	Summary: "The key of an extended property has at most 44 characters and its value at most 1024.",
	Section: sectionObserved,
	Why:     "The public service drops longer ones, or cuts them, without a word.",
	Good:    diag.Example{Request: sample.Timed(`"extendedProperties":{"shared":{"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr":"1"}}`)},
	Bad:     diag.Example{Request: sample.Timed(`"extendedProperties":{"shared":{"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrs":"1"}}`)},
}
