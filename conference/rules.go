package conference

import (
	"slices"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/limits"
)

// state says how much of a change counts, and so which rules apply to it. A rule may apply in
// several states.
type state uint8

const (
	ignored   state = 1 << iota // the request cannot change the stored data
	unchanged                   // the request sends back what is stored
	locked                      // the stored conference cannot be changed
	effective                   // the data would be stored, or was returned by a server
	empty                       // there is no data
)

// input is a change together with its state.
type input struct {
	Change
	state state
}

// in returns the check of a rule that applies in the states.
func in(states state, check func(Change, diag.Reporter)) diag.Check {
	return diag.CheckFunc[input](func(c input, r diag.Reporter) {
		if c.state&states != 0 {
			check(c.Change, r)
		}
	})
}

// rules are the rules of this package, in the order in which they run: that of the members in
// the documents.
var rules = []*diag.Rule{
	&required,
	&version,
	&requestID,
	&requestIDRepeated,
	&requestPending,
	&requestStatus,
	&requestUnspecified,
	&typeCreate,
	&typeEnum,
	&typeUnknown,
	&idForm,
	&notes,
	&entryType,
	&entryCardinality,
	&entryOnlyMore,
	&entryURI,
	&entryLabel,
	&entryMoreLabel,
	&entryCode,
	&entryDisplayed,
}

// Rules returns the rules of this package, in the order in which they run.
func Rules() []*diag.Rule { return slices.Clone(rules) }

// section is where the documents speak of all this.
const section = "calendar.md, conferenceData"

// The values that the rules tell apart; [limits] has the lists that they are members of.
const (
	pending = "pending"
	success = "success"
	failure = "failure"

	eventVideo = "eventVideo"
	videoMeet  = "videoMeet"

	video = "video"
	phone = "phone"
	sip   = "sip"
	more  = "more"
)

var required = diag.Rule{
	ID: "conference.required", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "Conference data holds a createRequest, or a conferenceSolution and at least one entry point.",
	Section: section,
	Why: "Without either there is nothing to join and nothing to make. What holds neither is refused " +
		"even if it is an empty object; to remove a conference, leave out the member in an update or " +
		"send null in a patch.",
	Good:  insertExample(addOn, entryPoints(videoEntry)),
	Bad:   insertExample(addOn),
	Check: in(effective, checkRequired),
}

func checkRequired(c Change, r diag.Reporter) {
	d := c.New
	// What was sent with a wrong type is there all the same: its type is its one fault.
	request := d.CreateRequest != nil || d.extra.WasSent("createRequest")
	solution := d.Solution != nil || d.extra.WasSent("conferenceSolution")
	entries := len(d.EntryPoints) >= limits.EntryPointsMin || d.extra.WasSent("entryPoints")
	switch {
	case c.Partial || request || solution && entries:
	case solution:
		r.Report("", "The conference data has a conferenceSolution but no entry point; add at least %d to entryPoints, or ask for a conference with createRequest.", limits.EntryPointsMin)
	case entries:
		r.Report("", "The conference data has entry points but no conferenceSolution; add it, or ask for a conference with createRequest.")
	default:
		r.Report("", "The conference data has neither a createRequest nor a conferenceSolution with entry points; send one of the two.")
	}
}

var version = diag.Rule{
	ID: "conference.version", Kind: diag.Ignore, When: diag.Write, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "Conference data changes only where conferenceDataVersion is 1.",
	Section: section,
	Why: "The parameter is how a client declares that it knows conference data. Without it the stored " +
		"data stays as it is, also in an update that leaves the member out, so that older clients do " +
		"not remove conferences that they cannot see.",
	Good:  insertExample(addOn, entryPoints(videoEntry)),
	Bad:   insertAtVersion("0", addOn, entryPoints(videoEntry)),
	Check: in(ignored, checkVersion),
}

func checkVersion(c Change, r diag.Reporter) {
	if c.Sent && !c.unchanged() {
		r.Report("", "The conference data differs from what is stored, but conferenceDataVersion is %d: it is ignored. Send conferenceDataVersion=1 to change it.", c.Version)
	}
}

var idForm = diag.Rule{
	ID: "conference.id.form", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "A conferenceId has the form that the type of its conference gives it.",
	Section: section,
	Why: "An eventVideo conference has no id, and that of videoMeet is a meeting code: three, four and " +
		"three letters joined by hyphens. Names (eventNamedVideo) and the ids of providers (addOn) " +
		"have no form that is known here. The type is that of the conferenceSolution, or, where there " +
		"is none yet, the one that the createRequest asks for.",
	Good:  insertExample(meet, entryPoints(videoEntry), `"conferenceId":"abc-mnop-xyz"`),
	Bad:   insertExample(meet, entryPoints(videoEntry), `"conferenceId":"abcmnopxyz"`),
	Check: in(effective, checkIDForm),
}

func checkIDForm(c Change, r diag.Reporter) {
	id := c.New.ID
	if id == "" && !c.New.extra.WasSent("conferenceId") {
		return
	}
	switch typ := typeOf(c.New); {
	case typ == eventVideo && id != "":
		r.Report("/conferenceId", "A conferenceId is set, but the conference is of the type %q, which has none; leave it out.", typ)
	case typ == videoMeet && !limits.IsMeetingCode(id):
		r.Report("/conferenceId", "The conferenceId is %s; that of the type %q has three, four and three letters joined by hyphens, such as abc-mnop-xyz.", diag.Quote(id), typ)
	}
}

// typeOf returns the type of the conference that d is, or asks for.
func typeOf(d *Data) string {
	if d.Solution != nil {
		return d.Solution.typ()
	}
	return d.CreateRequest.typ()
}

var notes = diag.Rule{
	ID: "conference.notes", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "notes has at most 2048 characters.",
	Section: section,
	Why:     "Characters are Unicode code points; HTML markup counts like any other text.",
	Good:    insertExample(addOn, entryPoints(videoEntry), `"notes":"Dial in from 8:55."`),
	Bad:     insertExample(addOn, entryPoints(videoEntry), `"notes":"`+repeat("n", limits.ConferenceNotesMaxLength+1)+`"`),
}

// reportLength reports a text that is too long, without repeating it.
func reportLength(s string, most int, path diag.Pointer, r diag.Reporter) {
	r.Report(path, "The text has %d characters; at most %d are allowed. Shorten it.", utf8.RuneCountInString(s), most)
}
