package conference

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/sample"
)

var required = diag.Rule{
	ID: "conference.required", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"conferenceData", "conferenceData.createRequest", "conferenceData.conferenceSolution", "conferenceData.entryPoints"},
	Summary: "Conference data must have a createRequest, or a conferenceSolution and at least one entry point.",
	Section: section,
	Reason:  "required",
	Why: "Without them, there is no conference to join or create. Even an empty object breaks the rule: to remove a conference, leave " +
		"conferenceData out of an update or send null in a patch.",
	Says: diag.Sentences{
		{Key: "no-entry-points", Text: "The conference data has a conferenceSolution but no entry points. Add at least {least}, or send a createRequest."},
		{Key: "no-solution", Text: "The conference data has entry points but no conferenceSolution. Add a conferenceSolution, or send a createRequest."},
		{Key: "nothing", Text: "The conference data has no createRequest, conferenceSolution or entry points. Send a createRequest, or a conferenceSolution with entry points."},
	},
	Good:  insert{addOn, joinable},
	Bad:   insert{addOn},
	Check: in(effective, checkRequired),
}

func checkRequired(c *input, r engine.Reporter) {
	d := c.Next
	// A member with a value of the wrong type is not missing.
	request := d.CreateRequest != nil || d.extra.WasSent("createRequest")
	solution := d.Solution != nil || d.extra.WasSent("conferenceSolution")
	entries := len(d.EntryPoints) >= constraint.EntryPointsMin || d.extra.WasSent("entryPoints")
	if c.partial() { // absent members may be stored, unless the patch clears them
		sent := c.Sent.extra
		request = request || !sent.Null("createRequest")
		solution = solution || !sent.Null("conferenceSolution")
		entries = entries || c.Sent.EntryPoints == nil && !sent.Null("entryPoints")
	}
	switch {
	case request || solution && entries:
	case solution:
		r.Report("", "no-entry-points", diag.Number("least", constraint.EntryPointsMin))
	case entries:
		r.Report("", "no-solution")
	default:
		r.Report("", "nothing")
	}
}

var version = diag.Rule{
	ID: "conference.version", Kind: diag.Ignore, When: diag.Write, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"conferenceData"},
	Summary: "A request that changes conference data must have the parameter conferenceDataVersion=1.",
	Section: section,
	Why: "To persist changes, every request that modifies an event needs the parameter. Without the parameter, the stored data stays, " +
		"even if an update leaves conferenceData out.",
	Says:         diag.Sentences{{Key: "ignored", Text: "The conference data is ignored without conferenceDataVersion=1. Add the parameter, or leave the data out.", Fix: diag.Proposal{At: "?conferenceDataVersion", Value: `"1"`, Certain: true}}},
	Good:         insert{addOn, joinable},
	Bad:          sample.Timed{data(addOn, joinable)},
	AssumesValid: []diag.Pointer{"?conferenceDataVersion"},
	Check:        in(ignored, checkVersion),
}

func checkVersion(c *input, r engine.Reporter) {
	if c.Present && !c.unchanged() {
		r.Report("", "ignored")
	}
}

var idForm = diag.Rule{
	ID: "conference.id.form", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   append([]string{"conferenceData.conferenceId"}, types...),
	Summary: "The conferenceId must have the form for the type of its conference.",
	Section: section,
	Why: "An eventVideo conference has no id. The id of a videoMeet conference is a meeting code: three, four and three letters joined " +
		"by hyphens. The names of eventNamedVideo conferences and the ids of addOn providers may have any form. The type comes from the " +
		"conferenceSolution or, if there is none yet, from the createRequest.",
	Says: append(diag.Sentences{
		{Key: "none", Text: "The conferenceId is {value}, but a conference of type {eventVideo} has none. Leave it out."},
	}, constraint.MeetingCode.Says()...),
	Good:  insert{meet, joinable, `"conferenceId":"abc-mnop-xyz"`},
	Bad:   insert{meet, joinable, `"conferenceId":"abcmnopxyz"`},
	Check: in(effective, checkIDForm),
}

func checkIDForm(c *input, r engine.Reporter) {
	id := c.Next.ID
	stored := c.partial() && c.Next.Solution.typ() == "" // the stored data may have a type
	if stored || id == "" && !c.Next.extra.WasSent("conferenceId") {
		return
	}
	switch typ := c.Next.typ(); {
	case typ == constraint.ConferenceEventVideo && id != "":
		r.Report("/conferenceId", "none", diag.Value("value", id))
	case typ == constraint.ConferenceVideoMeet && !form.IsMeetingCode(id):
		constraint.MeetingCode.Report(r, "/conferenceId", "conferenceId", id)
	}
}

var signature = diag.Rule{
	ID: "conference.signature", Kind: diag.Ignore, When: diag.Modify, Basis: diag.Inferred, Scope: diag.OfChange, Reads: []string{"conferenceData.signature"},
	Summary: "A client cannot change the signature of a conference.",
	Section: section,
	Why: "The service generates the signature. A signature that differs from the stored one has no effect if the conferenceId is the " +
		"same or, without an id, if the solution and the entry points are the same. A conference that is copied whole keeps its " +
		"signature.",
	Says: diag.Sentences{
		{Key: "changed", Text: "Only the service signs a conference, so changing the signature has no effect. Leave it out."},
		{Key: "cleared", Text: "Only the service signs a conference, so clearing the signature has no effect. Leave it out."},
	},
	Good:  patch{addOn + "," + joinable + `,"signature":"s-1"`, `"signature":"s-1"`},
	Bad:   patch{addOn + "," + joinable + `,"signature":"s-1"`, `"signature":"s-2"`},
	Check: in(unchanged|effective, checkSignature),
}

func checkSignature(c *input, r engine.Reporter) {
	if c.Stored == nil || c.Sent == nil || c.Next == nil || c.Next.Signature != c.Stored.Signature {
		return // Next was given the stored signature because it is the same conference
	}
	switch sent := c.Sent; {
	case sent.Signature == c.Stored.Signature:
	case sent.Signature != "" || sent.extra.WasSent("signature"):
		r.Report("/signature", "changed")
	case sent.extra.Null("signature"):
		r.Report("/signature", "cleared")
	}
}

var notes = diag.Rule{
	ID: "conference.notes", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"conferenceData.notes"},
	Summary: "The notes must have at most 2048 characters.",
	Section: section,
	Why:     "Characters are Unicode code points. HTML markup counts too.",
	Says:    constraint.ConferenceNotes.Says(),
	Good:    insert{addOn, joinable, `"notes":"Dial in from 8:55."`},
	Bad:     insert{addOn, joinable, `"notes":"` + repeat("n", constraint.ConferenceNotesMaxLength+1) + `"`},
}
