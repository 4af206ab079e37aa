package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
)

// serverRules are about the members that the service writes. What a client sends for them
// has no effect: [answer] drops it.
var serverRules = []*diag.Rule{
	&eventReadOnly,
	&eventServerSet,
	&organizerReadOnly,
	&organizerAttendeeFlag,
}

var eventReadOnly = diag.Rule{
	ID: "event.read-only", Kind: diag.Ignore, When: diag.Write, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "What the documents call read-only is left to the service.",
	Section: sectionEvent,
	Why: "created, updated, creator, locked, the organizer, self and asyncOperation of attendees, self of the " +
		"organizer, contact and customTypeName of birthdays, fileId of attachments and the status of a create " +
		"request. A value that differs from the stored one has no effect.",
	Good:  diag.Example{Request: sample.Timed(`"locked":false`)},
	Bad:   diag.Example{Request: sample.Timed(`"created":"2026-01-05T08:00:00Z"`)},
	Check: check(checkReadOnly),
}

// checkReadOnly reports the one read-only member that the tables do not: the status of a create
// request, which belongs to conference data.
func checkReadOnly(in *input, r diag.Reporter) {
	if in.sendsRequestStatus() {
		r.Report("/conferenceData/createRequest/status", "Only the service writes status, so the value sent has no effect. Leave it out.")
	}
}

// personDiffers reports whether what was sent of a person is not what is stored.
func personDiffers(sent *Person, stored Person) bool {
	differs := func(sent, stored string) bool { return sent != "" && sent != stored }
	return differs(sent.Email, stored.Email) || differs(sent.ID, stored.ID) || differs(sent.DisplayName, stored.DisplayName)
}

// sendsRequestStatus reports whether the body has a status of a create request that differs
// from the stored one. At version 0 the whole of the conference data is ignored, which
// conference.version tells.
func (in *input) sendsRequestStatus() bool {
	c := in.sent.ConferenceData
	if c == nil || c.CreateRequest == nil || c.CreateRequest.Status == nil || in.flags.ConferenceDataVersion == 0 {
		return false
	}
	old := in.stored.ConferenceData
	stored := old != nil && old.CreateRequest != nil && old.CreateRequest.Status != nil
	return !stored || c.CreateRequest.Status.Code != old.CreateRequest.Status.Code
}

var eventServerSet = diag.Rule{
	ID: "event.server-set", Kind: diag.Ignore, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfChange,
	Summary: "What is only present in the representation is left to the service.",
	Section: sectionEvent,
	Why: "etag, htmlLink, videoLink, iconLink of attachments, link and iconLink of the gadget. A value that " +
		"differs from the stored one has no effect.",
	Good: diag.Example{Request: sample.Timed(`"summary":"Standup"`)},
	Bad:  diag.Example{Request: sample.Timed(`"htmlLink":"https://calendar.example.com/event?eid=1"`)},
}

var organizerReadOnly = diag.Rule{
	ID: "event.organizer.read-only", Kind: diag.Ignore, When: diag.Insert | diag.Update | diag.Patch, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "The organizer is written on import alone.",
	Section: sectionEvent + ", organizer",
	Why:     "Elsewhere a value that differs has no effect; the move operation changes the organizer.",
	Good:    diag.Example{Request: sample.Timed(`"summary":"Standup"`)},
	Bad:     diag.Example{Request: sample.Timed(`"organizer":{"email":"chair@example.com"}`), Answer: `{"accepted":true}`},
	Check:   check(checkOrganizerReadOnly),
}

func checkOrganizerReadOnly(in *input, r diag.Reporter) {
	o, was := in.sent.Organizer, in.stored.Organizer
	switch {
	case o != nil && personDiffers(o, was.orZero()), o == nil && was != nil && in.sent.extra.Null("organizer"):
		r.Report("/organizer", "The organizer is written on import alone, and changed by a move: the value sent has no effect. Leave it out.")
	}
}

var organizerAttendeeFlag = diag.Rule{
	ID: "event.organizer.attendee-flag", Kind: diag.Effect, When: diag.Response | diag.Create, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "If the organizer is also an attendee, that entry of the attendees has organizer true.",
	Section: sectionEvent + ", organizer",
	Why:     "On insert the organizer is whoever calls, where that is known.",
	Good: diag.Example{
		Request: sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"}]`), `"caller":{"email":"ada@example.com"}`),
		Answer:  `{"event":{"attendees":[{"email":"ada@example.com","organizer":true}]}}`,
	},
	Bad: diag.Example{
		Request: sample.With(sample.Timed(`"attendees":[{"email":"bob@example.com"}]`), `"caller":{"email":"ada@example.com"}`),
		Answer:  `{"event":{"attendees":[{"email":"bob@example.com"}]}}`,
	},
}

// flagOrganizer marks the attendee with the organizer's address. Addresses are compared as
// mail does: the domain without regard to case.
func flagOrganizer(attendees []Attendee, email string) {
	for i := range attendees {
		if isAddressed(&attendees[i], email) {
			attendees[i].Organizer = true
		}
	}
}

// isAddressed reports whether the address, which may be unknown, is that of the attendee.
func isAddressed(a *Attendee, email string) bool {
	return email != "" && limits.SameAddress(a.Email, email)
}
