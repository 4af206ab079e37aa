package conference

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/limits"
)

// Where the two types of conference data stand.
const (
	requestTypePath  diag.Pointer = "/createRequest/conferenceSolutionKey/type"
	solutionTypePath diag.Pointer = "/conferenceSolution/key/type"
)

var typeCreate = diag.Rule{
	ID: "conference.type.create", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "No conference of the deprecated types eventVideo and eventNamedVideo is created.",
	Section: section,
	Why: "Neither by a createRequest nor by a conferenceSolution that the event does not have yet. " +
		"A conference that already is of such a type may stay and change. A createRequest that " +
		"repeats the stored requestId creates nothing, so its type is not asked.",
	Good:  insertExample(createRequest("r-1", "videoMeet")),
	Bad:   insertExample(createRequest("r-1", "eventVideo")),
	Check: in(effective, checkTypeCreate),
}

func checkTypeCreate(c Change, r diag.Reporter) {
	if c.creates() {
		reportDeprecated(c.New.CreateRequest.typ(), requestTypePath, r)
	}
	if typ := c.New.Solution.typ(); typ != c.Old.solution().typ() {
		reportDeprecated(typ, solutionTypePath, r)
	}
}

func reportDeprecated(typ string, path diag.Pointer, r diag.Reporter) {
	if limits.DeprecatedConferenceType.Has(typ) {
		r.Report(path, "The type %q is deprecated and cannot be created; use %q or %q.", typ, videoMeet, "addOn")
	}
}

var typeEnum = diag.Rule{
	ID: "conference.type.enum", Kind: diag.Reject, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent,
	Summary: "A solution type that a client writes is eventVideo, eventNamedVideo, videoMeet or addOn.",
	Section: section,
	Why: "Readers tolerate types that they do not know, since the service may add some; that is no " +
		"reason to write one. The empty string is no type either; a type that is left out is not " +
		"written.",
	Good:  insertExample(addOn, entryPoints(videoEntry)),
	Bad:   insertExample(`"conferenceSolution":{"key":{"type":"holoDeck"}}`, entryPoints(videoEntry)),
	Check: in(effective, checkTypeEnum),
}

// checkTypeEnum need not look whether the type of the solution is the stored one: an unknown
// stored type allows no change, so this rule is not asked there.
func checkTypeEnum(c Change, r diag.Reporter) {
	if c.creates() {
		reportUnknown(c.New.CreateRequest.SolutionKey, requestTypePath, r)
	}
	if s := c.New.Solution; s != nil {
		reportUnknown(s.Key, solutionTypePath, r)
	}
}

func reportUnknown(key *Key, path diag.Pointer, r diag.Reporter) {
	if key == nil || !key.strays() {
		return
	}
	r.Report(path, "The type is %s; it must be %s.", diag.Quote(key.Type), limits.ConferenceType)
}

// strays reports whether the type was written and is none of the known ones.
func (k *Key) strays() bool {
	return !limits.ConferenceType.Has(k.Type) && (k.Type != "" || k.extra.WasSent("type"))
}

var typeUnknown = diag.Rule{
	ID: "conference.type.unknown", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "A conference whose stored type is unknown or empty is not modified.",
	Section: section,
	Why: "Who does not know the type cannot know what a change would break. Its entry points are still " +
		"shown. To remove the conference is a modification too, and so is an update that leaves the " +
		"member out. One finding stands for the whole: nothing else is asked of the data.",
	Good:  patchExample(conferenceData(addOn, entryPoints(videoEntry)), `"notes":"Dial in from 8:55."`),
	Bad:   patchExample(conferenceData(`"conferenceSolution":{"key":{"type":"holoDeck"}}`, entryPoints(videoEntry)), `"notes":"Dial in from 8:55."`),
	Check: in(locked, checkTypeUnknown),
}

// checkTypeUnknown is asked only where [Change.locked] holds and something would change.
func checkTypeUnknown(c Change, r diag.Reporter) {
	r.Report("", "The stored conference is of the type %s, which is not %s: it can be shown but not modified. Send the conference data as it is stored.",
		diag.Quote(c.Old.Solution.typ()), limits.ConferenceType)
}
