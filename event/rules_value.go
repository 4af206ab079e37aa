package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
)

// valueRules are about single members of the event.
var valueRules = []rule{
	{Doc: statusEnum, Check: checkStatus, Of: of("status")},
	{Doc: statusDefault},
	{Doc: transparencyEnum, Check: checkTransparency, Of: of("transparency")},
	{Doc: visibilityEnum, Check: checkVisibility, Of: of("visibility")},
	{Doc: visibilityConfidential, Check: checkConfidential, Of: of("visibility")},
	{Doc: sequenceNegative, Check: checkSequence, Of: of("sequence")},
	{Doc: guestsDefaults},
	{Doc: anyoneCanAddSelf, Check: checkAnyoneCanAddSelf, Of: of("anyoneCanAddSelf")},
	{Doc: extendedProperties},
	{Doc: extendedPropertiesSize, Check: checkExtendedPropertiesSize, Of: of("extendedProperties")},
}

// checkEnum reports a string member that was sent and is none of the values.
func checkEnum(r diag.Reporter, path diag.Pointer, value string, rest *object.Rest, name string, values limits.Enum) {
	if values.Has(value) || !wrote(value, rest, name) {
		return
	}
	hint, near, end := "", "", ""
	if word, ok := values.Nearest(value); ok {
		hint, near, end = " Did you mean ", word, "?"
	}
	r.Say(path, "The ", name, " is ", diag.Quote(value), "; it must be ", values.String(), ", exactly so written.", hint, near, end)
}

var statusEnum = &diag.Doc{
	ID: "event.status.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated,
	Summary: "The status is confirmed, tentative or cancelled.",
	Section: sectionEvent + ", status",
	Accept:  diag.Example{Request: sample.Timed(`"status":"tentative"`)},
	Refuse:  diag.Example{Request: sample.Timed(`"status":"CONFIRMED"`)},
}

func checkStatus(in *input, r diag.Reporter) {
	checkEnum(r, "/status", in.new.Status, &in.new.rest, "status", limits.Status)
}

var statusDefault = &diag.Doc{
	ID: "event.status.default", Kind: diag.Default, When: diag.All, Basis: diag.Stated,
	Summary: "The status is confirmed when absent.",
	Section: sectionEvent + ", status",
	Accept:  diag.Example{Request: sample.Timed(), Answer: `{"event":{"status":"confirmed"}}`},
	Refuse:  diag.Example{Request: sample.Timed(`"status":"tentative"`), Answer: `{"event":{"status":"tentative"}}`},
}

var transparencyEnum = &diag.Doc{
	ID: "event.transparency.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated,
	Summary: "The transparency is opaque or transparent; opaque when absent.",
	Section: sectionEvent + ", transparency",
	Accept:  diag.Example{Request: sample.Timed(`"transparency":"transparent"`)},
	Refuse:  diag.Example{Request: sample.Timed(`"transparency":"busy"`)},
}

func checkTransparency(in *input, r diag.Reporter) {
	checkEnum(r, "/transparency", in.new.Transparency, &in.new.rest, "transparency", limits.Transparency)
}

var visibilityEnum = &diag.Doc{
	ID: "event.visibility.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated,
	Summary: "The visibility is default, public, private or confidential; default when absent.",
	Section: sectionEvent + ", visibility",
	Accept:  diag.Example{Request: sample.Timed(`"visibility":"private"`)},
	Refuse:  diag.Example{Request: sample.Timed(`"visibility":"hidden"`)},
}

func checkVisibility(in *input, r diag.Reporter) {
	checkEnum(r, "/visibility", in.new.Visibility, &in.new.rest, "visibility", limits.Visibility)
}

var visibilityConfidential = &diag.Doc{
	ID: "event.visibility.confidential", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated,
	Summary: "The visibility private is preferred to confidential.",
	Section: sectionEvent + ", visibility",
	Why:     "confidential means private and is kept for compatibility.",
	Accept:  diag.Example{Request: sample.Timed(`"visibility":"private"`)},
	Refuse:  diag.Example{Request: sample.Timed(`"visibility":"confidential"`)},
}

func checkConfidential(in *input, r diag.Reporter) {
	if in.new.Visibility == "confidential" {
		r.Report("/visibility", "The visibility confidential means private and is kept for compatibility. Send private.")
	}
}

var sequenceNegative = &diag.Doc{
	ID: "event.sequence", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC,
	Summary: "The sequence is a non-negative integer.",
	Section: "RFC 5545 section 3.8.7.4",
	Accept:  diag.Example{Request: sample.Timed(`"sequence":0`)},
	Refuse:  diag.Example{Request: sample.Timed(`"sequence":-1`)},
}

func checkSequence(in *input, r diag.Reporter) {
	if in.new.Sequence < 0 {
		r.Report("/sequence", "The sequence is %d; it must be 0 or more.", in.new.Sequence)
	}
}

var guestsDefaults = &diag.Doc{
	ID: "event.defaults.guests", Kind: diag.Default, When: diag.All, Basis: diag.Stated,
	Summary: "When absent, guestsCanInviteOthers and guestsCanSeeOtherGuests are true; guestsCanModify, anyoneCanAddSelf, attendeesOmitted and locked are false.",
	Section: sectionEvent,
	Why:     "A serializer that drops false turns a restriction into its contrary. The method WithDefaults writes the defaults out.",
	Accept: diag.Example{
		Request: sample.Timed(`"guestsCanInviteOthers":false`),
		Answer:  `{"event":{"guestsCanInviteOthers":false}}`,
	},
	Refuse: diag.Example{
		Request: sample.Timed(`"guestsCanInviteOthers":true`),
		Answer:  `{"event":{"guestsCanInviteOthers":true}}`,
	},
}

var anyoneCanAddSelf = &diag.Doc{
	ID: "event.anyone-can-add-self.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated,
	Summary: "anyoneCanAddSelf is deprecated.",
	Section: "calendar.md, Versioning",
	Accept:  diag.Example{Request: sample.Timed(`"guestsCanModify":true`)},
	Refuse:  diag.Example{Request: sample.Timed(`"anyoneCanAddSelf":true`)},
}

func checkAnyoneCanAddSelf(in *input, r diag.Reporter) {
	if in.new.AnyoneCanAddSelf || in.new.rest.Wrote("anyoneCanAddSelf") {
		r.Report("/anyoneCanAddSelf", "The member anyoneCanAddSelf is deprecated. Leave it out.")
	}
}

var extendedProperties = &diag.Doc{
	ID: "event.extended-properties", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated,
	Summary: "The members private and shared of extendedProperties are maps of string to string.",
	Section: sectionEvent + ", extendedProperties",
	Accept:  diag.Example{Request: sample.Timed(`"extendedProperties":{"private":{"tries":"3"}}`)},
	Refuse:  diag.Example{Request: sample.Timed(`"extendedProperties":{"private":{"tries":3}}`)},
}

var extendedPropertiesSize = &diag.Doc{
	ID: "event.extended-properties.size", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed,
	Summary: "The key of an extended property has at most 44 characters and its value at most 1024.",
	Section: sectionObserved,
	Why:     "The public service drops longer ones, or cuts them, without a word.",
	Accept:  diag.Example{Request: sample.Timed(`"extendedProperties":{"shared":{"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr":"1"}}`)},
	Refuse:  diag.Example{Request: sample.Timed(`"extendedProperties":{"shared":{"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrs":"1"}}`)},
}

func checkExtendedPropertiesSize(in *input, r diag.Reporter) {
	if p := in.new.ExtendedProperties; p != nil {
		checkPropertySizes(r, "/extendedProperties/private", p.Private)
		checkPropertySizes(r, "/extendedProperties/shared", p.Shared)
	}
}

func checkPropertySizes(r diag.Reporter, at diag.Pointer, properties map[string]string) {
	var long []string
	for key, value := range properties {
		if limits.LongerThan(key, limits.PropertyKeyMaxLength) || limits.LongerThan(value, limits.PropertyValueMaxLength) {
			long = append(long, key)
		}
	}
	slices.Sort(long) // a map has no order, and answers are to be reproducible
	for _, key := range long {
		if limits.LongerThan(key, limits.PropertyKeyMaxLength) {
			r.Report(at.Member(key), "The key has %d characters; beyond %d it is dropped. Choose a shorter one.", length(key), limits.PropertyKeyMaxLength)
		}
		if value := properties[key]; limits.LongerThan(value, limits.PropertyValueMaxLength) {
			r.Report(at.Member(key), "The value has %d characters; beyond %d it is cut or dropped. Spread it over several keys.", length(value), limits.PropertyValueMaxLength)
		}
	}
}
