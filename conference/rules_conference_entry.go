package conference

import (
	"slices"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
)

var entryType = diag.Rule{
	ID: "conference.entry.type", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"conferenceData.entryPoints[].entryPointType"},
	Summary: "The entryPointType must be video, phone, sip or more.",
	Section: section,
	Why: "The type tells clients how to join. The documents call the label and the codes of an entry point optional, but not the type, " +
		"so the type is required.",
	Says: slices.Concat(constraint.SaysRequired(constraint.EntryPointType), constraint.EntryPointType.Says()),
	Good: joined{phoneEntry},
	Bad:  joined{`{"entryPointType":"fax","uri":"tel:+15550100"}`},
}

var entryCardinality = diag.Rule{
	ID: "conference.entry.cardinality", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"conferenceData.entryPoints", "conferenceData.entryPoints[].entryPointType"},
	Summary: "A conference must have at most one entry point of each of the types video, sip and more.",
	Section: section,
	Why: "All entry points belong to the same conference, so a second one of these types is redundant; a conference may have many phone " +
		"numbers. There is one finding per type, at the first surplus entry point.",
	Says:  diag.Sentences{{Key: "surplus", Text: "The conference has more than {most} entry point of type {type}. Remove the others."}},
	Good:  joined{phoneEntry, phoneEntry, videoEntry},
	Bad:   joined{videoEntry, videoEntry},
	Check: in(effective, checkEntryCardinality),
}

func checkEntryCardinality(c *input, r engine.Reporter) {
	for _, typ := range [...]string{constraint.EntryVideo, constraint.EntrySIP, constraint.EntryMore} {
		count := 0
		for i, p := range c.Next.entries() {
			if p.Type != typ {
				continue
			}
			if count++; count == constraint.EntryPointsOfTypeMax+1 {
				r.Report(diag.Pointer("/entryPoints").Index(i), "surplus", diag.Number("most", constraint.EntryPointsOfTypeMax), diag.Value("type", typ))
			}
		}
	}
}

var entryOnlyMore = diag.Rule{
	ID: "conference.entry.only-more", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"conferenceData.entryPoints", "conferenceData.entryPoints[].entryPointType"},
	Summary: "A conference with an entry point of type more must also have an entry point of another type.",
	Section: section,
	Why:     "An entry point of type more has instructions for joining through the others; on its own, it is useless.",
	Says:    diag.Sentences{{Key: "only-more", Text: `Every entry point has the type "more". Add one of type "video", "phone" or "sip".`}},
	Good:    joined{phoneEntry, moreEntry},
	Bad:     joined{moreEntry},
	Check:   in(effective, checkEntryOnlyMore),
}

func checkEntryOnlyMore(c *input, r engine.Reporter) {
	for i := range c.Next.EntryPoints {
		if c.Next.EntryPoints[i].Type != constraint.EntryMore {
			return // another type, or not an object
		}
	}
	if len(c.Next.EntryPoints) > 0 {
		r.Report("/entryPoints", "only-more")
	}
}

// entryPath returns the path of a member of entry point i.
func entryPath(i int, member string) diag.Pointer {
	return diag.Pointer("/entryPoints").Index(i).Member(member)
}

var entryURI = diag.Rule{
	ID: "conference.entry.uri", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads: []string{"conferenceData.entryPoints[].uri", "conferenceData.entryPoints[].entryPointType"},
	Summary: "The uri of an entry point must have at most 1300 characters and the scheme for the type: http or https for video and more, " +
		"tel for phone, sip for sip.",
	Section: section,
	Why: "Clients open the uri with the application for the scheme. Schemes are case-insensitive. If the type is missing or unknown, " +
		"only the length is checked. The rule conference.entry.uri.form covers the rest of the uri.",
	Says: diag.Sentences{
		{Key: "send", Text: "Send {suggestion}."},
		{Key: "too-long", Text: "The uri has {n} characters; it must have at most {most}. Shorten it."},
		{Key: "scheme", Text: "The uri is {value}; for an entry point of type {type} it must be {limit}."},
		{Key: "http", Text: "an http:// or https:// URL"},
		{Key: "tel", Text: "a tel: URI with the whole dial sequence"},
		{Key: "sip", Text: "a sip: URI"},
	},
	Good:  joined{`{"entryPointType":"phone","uri":"tel:+15550100,,,1234%23"}`},
	Bad:   joined{`{"entryPointType":"phone","uri":"https://meet.example.com/abc"}`},
	Check: in(effective, checkEntryURI),
}

func checkEntryURI(c *input, r engine.Reporter) {
	for i, p := range c.Next.entries() {
		switch {
		case p.URI == "" && !p.extra.WasSent("uri"):
		case form.LongerThan(p.URI, constraint.EntryPointURIMaxLength):
			r.Report(entryPath(i, "uri"), "too-long", diag.Value("value", p.URI), diag.Number("n", utf8.RuneCountInString(p.URI)), diag.Number("most", constraint.EntryPointURIMaxLength))
		case !fitsType(p.URI, p.Type):
			args := []diag.Arg{diag.Value("value", p.URI), diag.Value("type", p.Type), wording.Part("limit", wantedURI(p.Type))}
			r.Report(entryPath(i, "uri"), "scheme", constraintOfURI(p.Type).Explain(args, p.URI)...)
		}
	}
}

// fitsType reports whether uri has the scheme that the entry point type requires. Any uri fits an unknown type.
func fitsType(uri, typ string) bool {
	must := constraintOfURI(typ)
	return must == nil || must.Has(uri)
}

// constraintOfURI returns the constraint on the uri of an entry point of the given type, or nil if the type is unknown.
func constraintOfURI(typ string) *constraint.Constraint {
	switch typ {
	case constraint.EntryVideo, constraint.EntryMore:
		return constraint.HTTPScheme
	case constraint.EntryPhone:
		return constraint.TelScheme
	case constraint.EntrySIP:
		return constraint.SIPScheme
	default:
		return nil
	}
}

// wantedURI returns the key of the phrase that describes the URIs that fit the type.
func wantedURI(typ string) string {
	switch typ {
	case constraint.EntryPhone:
		return "tel"
	case constraint.EntrySIP:
		return "sip"
	default:
		return "http"
	}
}

var entryURIForm = diag.Rule{
	ID: "conference.entry.uri.form", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent,
	Reads:   []string{"conferenceData.entryPoints[].uri", "conferenceData.entryPoints[].entryPointType"},
	Summary: "The uri of an entry point should be well-formed.",
	Section: "RFC 3986, RFC 3966, RFC 3261",
	Why: "Applications differ in their treatment of spaces, missing hosts and incomplete escapes. A dial sequence may contain pauses and " +
		"digits that RFC 3966 does not allow, because the documents ask for the whole sequence. Non-ASCII characters (RFC 3987), and " +
		"brackets after the authority, are common and not reported. Only a uri with the scheme for its type is checked.",
	Says:  constraint.URI.Says(),
	Good:  joined{`{"entryPointType":"phone","uri":"tel:+15550100,,,1234%23"}`},
	Bad:   joined{`{"entryPointType":"phone","uri":"tel:+1 555 0100"}`},
	Check: in(effective, checkEntryURIForm),
}

func checkEntryURIForm(c *input, r engine.Reporter) {
	for i, p := range c.Next.entries() {
		if p.URI != "" && !form.IsWellFormedURI(p.URI) && constraint.EntryPointType.Has(p.Type) && fitsType(p.URI, p.Type) && !form.LongerThan(p.URI, constraint.EntryPointURIMaxLength) {
			constraint.URI.Report(r, entryPath(i, "uri"), "uri", p.URI)
		}
	}
}

var entryLabel = diag.Rule{
	ID: "conference.entry.label", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"conferenceData.entryPoints[].label"},
	Summary: "The label of an entry point must have at most 512 characters.",
	Section: section,
	Why:     "Characters are Unicode code points.",
	Says:    constraint.EntryPointLabel.Says(),
	Good:    joined{`{"entryPointType":"phone","uri":"tel:+15550100","label":"+1 555 0100"}`},
	Bad: joined{`{"entryPointType":"phone","uri":"tel:+15550100","label":"` +
		repeat("5", constraint.EntryPointLabelMaxLength+1) + `"}`},
}

var entryMoreLabel = diag.Rule{
	ID: "conference.entry.more-label", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"conferenceData.entryPoints[].label", "conferenceData.entryPoints[].entryPointType"},
	Summary: "An entry point of type more should not have a label.",
	Section: section,
	Why:     "The documents recommend an empty label; a label that is sent is stored anyway.",
	Says:    diag.Sentences{{Key: "label", Text: `The entry point of type "more" has a label, which should be empty. Leave it out.`}},
	Good:    joined{videoEntry, moreEntry},
	Bad: joined{videoEntry,
		`{"entryPointType":"more","uri":"https://meet.example.com/how","label":"How to join"}`},
	Check: in(effective, checkEntryMoreLabel),
}

func checkEntryMoreLabel(c *input, r engine.Reporter) {
	for i, p := range c.Next.entries() {
		if p.Type == constraint.EntryMore && p.Label != "" {
			r.Report(entryPath(i, "label"), "label")
		}
	}
}

var entryCode = diag.Rule{
	ID: "conference.entry.code", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   codes,
	Summary: "The meetingCode, accessCode, passcode, password and pin of an entry point must have at most 128 characters each.",
	Section: section,
	Why:     "The total length of the codes has no limit.",
	Says:    constraint.EntryPointCode.Says(),
	Good:    joined{`{"entryPointType":"phone","uri":"tel:+15550100","pin":"1234"}`},
	Bad: joined{`{"entryPointType":"phone","uri":"tel:+15550100","pin":"` +
		repeat("1", constraint.EntryPointCodeMaxLength+1) + `"}`},
}

// codes lists the paths of the access codes in an entry point.
var codes = []string{
	"conferenceData.entryPoints[].pin", "conferenceData.entryPoints[].accessCode", "conferenceData.entryPoints[].meetingCode",
	"conferenceData.entryPoints[].passcode", "conferenceData.entryPoints[].password",
}

// entryDisplayed is implemented by [EntryPoint.Codes].
var entryDisplayed = diag.Rule{
	ID: "conference.entry.displayed", Describes: diag.Effect, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: codes,
	Summary: "Clients display only the populated codes of an entry point.",
	Section: section,
	Why: "Providers populate the codes that match their terminology: a pin, a passcode or an access code. The " +
		"method EntryPoint.Codes returns the populated codes, so that clients do not show labels without values.",
	Good: sample.Via("EntryPoint.Codes", response{addOn, `"entryPoints":[{"entryPointType":"phone","uri":"tel:+15550100","pin":"1234"}]`}, `["pin 1234"]`),
	Bad:  sample.Via("EntryPoint.Codes", response{addOn, `"entryPoints":[` + phoneEntry + `]`}, `[]`),
}
