package conference

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/limits"
)

// entryPath returns the place of a member of the entry point i.
func entryPath(i int, member string) diag.Pointer {
	return diag.Pointer("/entryPoints").Index(i).Member(member)
}

var entryType = diag.Rule{
	ID: "conference.entry.type", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "entryPointType is video, phone, sip or more.",
	Section: section,
	Why: "Clients choose by it how to join. Of the members of an entry point the documents call the label and " +
		"the codes optional, and not the type: one without it is none of the four.",
	Good: insertExample(addOn, entryPoints(phoneEntry)),
	Bad:  insertExample(addOn, entryPoints(`{"entryPointType":"fax","uri":"tel:+15550100"}`)),
}

var entryCardinality = diag.Rule{
	ID: "conference.entry.cardinality", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "Of the types video, sip and more there is at most one entry point each.",
	Section: section,
	Why: "All entry points lead into the same conference, so a second one of these types adds nothing; " +
		"phone numbers may be many. There is one finding a type, at its first entry point too many.",
	Good:  insertExample(addOn, entryPoints(phoneEntry, phoneEntry, videoEntry)),
	Bad:   insertExample(addOn, entryPoints(videoEntry, videoEntry)),
	Check: in(effective, checkEntryCardinality),
}

func checkEntryCardinality(c Change, r diag.Reporter) {
	for _, typ := range [...]string{video, sip, more} {
		count, extra := 0, 0
		for i, p := range c.New.entries() {
			if p.Type != typ {
				continue
			}
			if count++; count == limits.EntryPointsOfTypeMax+1 {
				extra = i
			}
		}
		if count > limits.EntryPointsOfTypeMax {
			r.Report(diag.Pointer("/entryPoints").Index(extra), "There are %d entry points of the type %q; at most %d is allowed. Remove the others.", count, typ, limits.EntryPointsOfTypeMax)
		}
	}
}

var entryOnlyMore = diag.Rule{
	ID: "conference.entry.only-more", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The entry points are not all of the type more.",
	Section: section,
	Why:     "An entry point of the type more explains the other ways in; alone it explains nothing.",
	Good:    insertExample(addOn, entryPoints(phoneEntry, moreEntry)),
	Bad:     insertExample(addOn, entryPoints(moreEntry)),
	Check:   in(effective, checkEntryOnlyMore),
}

func checkEntryOnlyMore(c Change, r diag.Reporter) {
	for i := range c.New.EntryPoints {
		if c.New.EntryPoints[i].Type != more {
			return // be it another type, or a value that is no entry point at all
		}
	}
	if len(c.New.EntryPoints) > 0 {
		r.Report("/entryPoints", "Every entry point is of the type %q; add one of the type %q, %q or %q.", more, video, phone, sip)
	}
}

var entryURI = diag.Rule{
	ID: "conference.entry.uri", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "uri has at most 1300 characters and the scheme of its type: http or https for video and more, tel for phone, sip for sip.",
	Section: section,
	Why: "A client opens the uri with whatever goes with the type. Schemes are compared without regard " +
		"to case; a dial sequence may hold pauses and digits beyond RFC 3966. Where the type is left " +
		"out or unknown only the length counts.",
	Good:  insertExample(addOn, entryPoints(`{"entryPointType":"phone","uri":"tel:+15550100,,,1234%23"}`)),
	Bad:   insertExample(addOn, entryPoints(`{"entryPointType":"phone","uri":"https://meet.example.com/abc"}`)),
	Check: in(effective, checkEntryURI),
}

func checkEntryURI(c Change, r diag.Reporter) {
	for i, p := range c.New.entries() {
		switch {
		case p.URI == "" && !p.extra.WasSent("uri"):
		case limits.LongerThan(p.URI, limits.EntryPointURIMaxLength):
			reportLength(p.URI, limits.EntryPointURIMaxLength, entryPath(i, "uri"), r)
		case !fitsType(p.URI, p.Type):
			r.Report(entryPath(i, "uri"), "The uri is %s; an entry point of the type %q needs %s.", diag.Quote(p.URI), p.Type, wantedURI(p.Type))
		}
	}
}

// fitsType reports whether uri is one that goes with the type; all go with an unknown one.
func fitsType(uri, typ string) bool {
	switch typ {
	case video, more:
		return limits.IsHTTPURL(uri)
	case phone:
		return limits.IsTelURI(uri)
	case sip:
		return limits.IsSIPURI(uri)
	default:
		return true
	}
}

// wantedURI says for a message what [fitsType] holds a URI of the type to.
func wantedURI(typ string) string {
	switch typ {
	case phone:
		return "a tel: URI with the whole dial sequence"
	case sip:
		return "a sip: URI"
	default:
		return "a URL that begins with https:// or http://"
	}
}

var entryLabel = diag.Rule{
	ID: "conference.entry.label", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "label has at most 512 characters.",
	Section: section,
	Why:     "Characters are Unicode code points.",
	Good:    insertExample(addOn, entryPoints(`{"entryPointType":"phone","uri":"tel:+15550100","label":"+1 555 0100"}`)),
	Bad: insertExample(addOn, entryPoints(`{"entryPointType":"phone","uri":"tel:+15550100","label":"`+
		repeat("5", limits.EntryPointLabelMaxLength+1)+`"}`)),
}

var entryMoreLabel = diag.Rule{
	ID: "conference.entry.more-label", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "An entry point of the type more has no label.",
	Section: section,
	Why:     "The documents recommend it; a label is stored all the same.",
	Good:    insertExample(addOn, entryPoints(videoEntry, moreEntry)),
	Bad: insertExample(addOn, entryPoints(videoEntry,
		`{"entryPointType":"more","uri":"https://meet.example.com/how","label":"How to join"}`)),
	Check: in(effective, checkEntryMoreLabel),
}

func checkEntryMoreLabel(c Change, r diag.Reporter) {
	for i, p := range c.New.entries() {
		if p.Type == more && p.Label != "" {
			r.Report(entryPath(i, "label"), "The entry point is of the type %q and has a label; it should be left empty.", more)
		}
	}
}

var entryCode = diag.Rule{
	ID: "conference.entry.code", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "meetingCode, accessCode, passcode, password and pin have at most 128 characters each.",
	Section: section,
	Why:     "Each has a limit of its own; there is none on what they have together.",
	Good:    insertExample(addOn, entryPoints(`{"entryPointType":"phone","uri":"tel:+15550100","pin":"1234"}`)),
	Bad: insertExample(addOn, entryPoints(`{"entryPointType":"phone","uri":"tel:+15550100","pin":"`+
		repeat("1", limits.EntryPointCodeMaxLength+1)+`"}`)),
}

// entryDisplayed is kept by [EntryPoint.Codes].
var entryDisplayed = diag.Rule{
	ID: "conference.entry.displayed", Kind: diag.Effect, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "Only the populated codes of an entry point are displayed.",
	Section: section,
	Why: "Providers call one and the same thing a pin, a passcode or an access code, and populate what " +
		"matches their terms. A client that displays the others shows labels with nothing beside them. " +
		"EntryPoint.Codes gives the populated ones.",
	Good: answered(responseExample(addOn, entryPoints(`{"entryPointType":"phone","uri":"tel:+15550100","pin":"1234"}`)),
		`{"accepted":true}`),
	Bad: answered(responseExample(addOn, entryPoints(phoneEntry)), `{"accepted":true}`),
}
