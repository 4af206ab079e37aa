package conference

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
)

// The paths of the conference types in conference data.
const (
	requestTypePath  diag.Pointer = "/createRequest/conferenceSolutionKey/type"
	solutionTypePath diag.Pointer = "/conferenceSolution/key/type"
)

// types lists the members at requestTypePath and solutionTypePath, as rules name them.
var types = []string{"conferenceData.createRequest.conferenceSolutionKey.type", "conferenceData.conferenceSolution.key.type"}

var typeCreate = diag.Rule{
	ID: "conference.type.create", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: types,
	Summary: "A client cannot create a conference of the deprecated types eventVideo and eventNamedVideo.",
	Section: section,
	Why: "A createRequest and a new conferenceSolution create a conference. An existing conference of such a type may " +
		"stay and change. A createRequest that repeats the stored requestId creates nothing, so its type is not checked.",
	Says:  diag.Sentences{{Key: "deprecated", Text: "The type {type} is deprecated and cannot be created. Send {limit}."}},
	Good:  asking{"r-1", "videoMeet"},
	Bad:   asking{"r-1", "eventVideo"},
	Check: in(effective, checkTypeCreate),
}

func checkTypeCreate(c *input, r engine.Reporter) {
	if c.Unknown {
		return // the conference may be stored
	}
	if c.creates() {
		reportDeprecated(c.Next.CreateRequest.typ(), requestTypePath, r)
	}
	if typ := c.Next.Solution.typ(); typ != c.Stored.solution().typ() {
		reportDeprecated(typ, solutionTypePath, r)
	}
}

func reportDeprecated(typ string, path diag.Pointer, r engine.Reporter) {
	if constraint.DeprecatedConferenceType.Has(typ) {
		r.Report(path, "deprecated", diag.Value("value", r.Dialect().Name(typ)), diag.Name("type", typ), constraint.ConferenceType.ForNew().Limit("limit"))
	}
}

var typeEnum = diag.Rule{
	ID: "conference.type.enum", Kind: diag.Reject, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: types,
	Summary: "A solution type that a client writes must be eventVideo, eventNamedVideo, videoMeet or addOn.",
	Section: section,
	Why: "Readers accept unknown types, because the service may add some, but clients must not invent types. An empty type is invalid, " +
		"and an absent type counts as empty: nobody could modify a conference with such a type. A createRequest may leave the " +
		"conferenceSolutionKey out.",
	Says:  slices.Concat(constraint.ConferenceType.Says(), constraint.SaysRequired(constraint.ConferenceType)),
	Good:  insert{addOn, joinable},
	Bad:   insert{`"conferenceSolution":{"key":{"type":"holoDeck"}}`, joinable},
	Check: in(effective, checkTypeEnum),
}

// checkTypeEnum does not compare the solution's type with the stored type, because a stored conference of an unknown
// type is locked and never checked.
func checkTypeEnum(c *input, r engine.Reporter) {
	if c.Unknown {
		return // the conference may be stored
	}
	if request := c.Next.CreateRequest; c.creates() && request.SolutionKey != nil {
		reportUnknown(request.SolutionKey, requestTypePath, r)
	}
	if s := c.Next.Solution; s != nil {
		reportUnknown(s.Key, solutionTypePath, r)
	}
}

// reportUnknown reports an unknown type. The key may be nil.
func reportUnknown(key *Key, path diag.Pointer, r engine.Reporter) {
	must := constraint.ConferenceType.ForNew()
	switch typ := key.typ(); {
	case constraint.ConferenceType.Has(typ):
	case typ == "" && (key == nil || !key.extra.WasSent("type")):
		constraint.ReportMissing(r, path, "type", false, must)
	default:
		must.Report(r, path, "type", must.AsSent(r, typ))
	}
}

var typeUnknown = diag.Rule{
	ID: "conference.type.unknown", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:   []string{"conferenceData", "conferenceData.conferenceSolution.key.type"},
	Summary: "A client must not modify a conference whose stored type is unknown or empty.",
	Section: section,
	Why: "A client that does not know the type cannot predict the effect of a change. The entry points are still shown. Removing " +
		"the conference is a modification, and so is an update without conferenceData. If the stored type is unknown or empty, no " +
		"other rule about conference data is checked.",
	Says:  diag.Sentences{{Key: "unknown", Text: "The stored conference has the type {type}, which is not {known}; such a conference can be shown but not modified. Send the conference data as stored."}},
	Good:  patch{addOn + "," + joinable, `"notes":"Dial in from 8:55."`},
	Bad:   patch{`"conferenceSolution":{"key":{"type":"holoDeck"}},` + joinable, `"notes":"Dial in from 8:55."`},
	Check: in(locked, checkTypeUnknown),
}

func checkTypeUnknown(c *input, r engine.Reporter) {
	r.Report("", "unknown", diag.Value("type", r.Dialect().Name(c.Stored.Solution.typ())), constraint.ConferenceType.Limit("known"))
}
