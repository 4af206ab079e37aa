package event

import (
	"slices"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

// serverRules are about the members that only the service writes. Values that a client sends for
// them have no effect: see [created] and [serverPart].
var serverRules = []*diag.Rule{&eventReadOnly, &eventServerSet, &organizerReadOnly, &organizerAttendeeFlag, &eventTimestamps}

var eventReadOnly = diag.Rule{
	ID: "event.read-only", Kind: diag.Ignore, When: diag.Write, Basis: diag.Stated, Scope: diag.OfChange,
	Reads: []string{
		"created", "updated", "creator", "creator.self", "organizer.self", "locked",
		"attendees[].organizer", "attendees[].self", "attendees[].asyncOperation",
		"birthdayProperties.contact", "birthdayProperties.customTypeName",
		"attachments[].fileId", "conferenceData.createRequest.status",
	},
	Summary: "A client does not write read-only members.",
	Section: sectionEvent,
	Why: "Read-only are created, updated, creator, locked; the members organizer, self and asyncOperation of " +
		"attendees; self of the organizer; contact and customTypeName of a birthday; fileId of attachments; and " +
		"the status of a createRequest. A value that differs from the stored one has no effect.",
	Good:  sample.Timed(`"locked":false`),
	Bad:   sample.Timed(`"created":"2026-01-05T08:00:00Z"`),
	Says:  object.SaysIgnored,
	Check: check(checkRequestStatus),
}

func checkRequestStatus(in *input, r engine.Reporter) {
	if sendsRequestStatus(in) {
		r.Report("/conferenceData/createRequest/status", "ignored", diag.Name("member", "status"))
	}
}

// sendsRequestStatus reports whether the body has a status of a createRequest that differs from the
// stored one. The tables of this package do not cover conference data. At version 0 all of it is
// ignored, which conference.version reports.
func sendsRequestStatus(in *input) bool {
	if in.sent.ConferenceData == nil || in.flags.ConferenceDataVersion == 0 {
		return false
	}
	request, old := createRequest(in.asked()), createRequest(in.stored)
	if request == nil {
		return false
	}
	stored := old != nil && old.Status != nil
	if request.Status == nil { // a patch with a requestId asks again, and does not only clear the status
		return stored && in.on == diag.Patch && createRequest(in.sent).RequestID == ""
	}
	return !stored || request.Status.Code != old.Status.Code
}

// createRequest returns the createRequest of the event's conference data, or nil.
func createRequest(e *Event) *conference.CreateRequest {
	if e.ConferenceData == nil {
		return nil
	}
	return e.ConferenceData.CreateRequest
}

var eventServerSet = diag.Rule{
	ID: "event.server-set", Kind: diag.Ignore, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfChange,
	Reads:   []string{"etag", "htmlLink", "videoLink", "gadget.link", "gadget.iconLink", "attachments[].iconLink"},
	Summary: "A client does not write members that are only present in the representation.",
	Section: sectionEvent,
	Why: "These are etag, htmlLink and videoLink, iconLink of attachments, and link and iconLink of the gadget. A " +
		"value that differs from the stored one has no effect.",
	Says: object.SaysIgnored,
	Good: sample.Timed(`"summary":"Standup"`),
	Bad:  sample.Timed(`"htmlLink":"https://calendar.example.com/event?eid=1"`),
}

var eventTimestamps = diag.Rule{
	ID: "event.timestamps", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"created", "updated"},
	Summary: "The members created and updated are RFC 3339 timestamps.",
	Section: sectionEvent + ", created and updated",
	Why:     "They carry an offset, because they have no timeZone. Either may be absent.",
	Says:    constraint.Timestamp.Says(),
	Good:    sample.Request("response", `"id":"abc12def"`, sample.Start, sample.End, `"created":"2026-01-05T08:00:00.123Z"`),
	Bad:     sample.Request("response", `"id":"abc12def"`, sample.Start, sample.End, `"created":"2026-01-05T08:00:00.123"`),
}

var organizerReadOnly = diag.Rule{
	ID: "event.organizer.read-only", Kind: diag.Ignore, When: diag.Insert | diag.Update | diag.Patch, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:   []string{"organizer", "organizer.id", "organizer.email", "organizer.displayName"},
	Summary: "A client writes the organizer only on import.",
	Section: sectionEvent + ", organizer",
	Why:     "In other requests a value that differs from the stored one has no effect. The move operation changes the organizer.",
	Good:    sample.Timed(`"summary":"Standup"`),
	Bad:     sample.Answered(sample.Timed(`"organizer":{"email":"chair@example.com"}`), `{"event":{"organizer":null}}`),
	Says:    diag.Sentences{{Key: "ignored", Text: "The organizer is written only on import and changed only by a move, so the value sent has no effect. Leave it out."}},
	Check:   check(checkOrganizerReadOnly),
}

func checkOrganizerReadOnly(in *input, r engine.Reporter) {
	o, was := in.sent.Organizer, in.stored.Organizer
	isCleared := o == nil && was != nil && in.sent.extra.Null("organizer")
	if isCleared || o != nil && personDiffers(o, was.orZero()) {
		r.Report("/organizer", "ignored")
	}
}

// personDiffers reports whether a person was sent with a value, or null, that differs from the stored
// one.
func personDiffers(sent *Person, stored Person) bool {
	differs := func(name, is, was string) bool {
		return is != was && (wasSent(is, &sent.extra, name) || sent.extra.Null(name))
	}
	return differs("email", sent.Email, stored.Email) || differs("id", sent.ID, stored.ID) ||
		differs("displayName", sent.DisplayName, stored.DisplayName)
}

var organizerAttendeeFlag = diag.Rule{
	ID: "event.organizer.attendee-flag", Describes: diag.Effect, When: diag.Response | diag.Create, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"organizer.email", "attendees[].email", "attendees[].organizer"},
	Summary: "If the organizer is also an attendee, the attendee has organizer true.",
	Section: sectionEvent + ", organizer",
	Why: "The organizer of a representation and of an imported event is in the event. The documents do not say who " +
		"organizes an inserted event; the library assumes that it is the caller, if the caller is known.",
	Good: sample.Answered(sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"}]`), `"caller":{"email":"ada@example.com"}`),
		`{"event":{"attendees":[{"email":"ada@example.com","organizer":true}]}}`),
	Bad: sample.Answered(sample.With(sample.Timed(`"attendees":[{"email":"bob@example.com"}]`), `"caller":{"email":"ada@example.com"}`),
		`{"event":{"attendees":[{"email":"bob@example.com","organizer":null}]}}`),
}

// flagged returns the attendees, and marks the attendee who has the organizer's address as the organizer.
func flagged(attendees []Attendee, email string) []Attendee {
	same := attendees
	for i := range attendees {
		if attendees[i].Organizer || !isAddressed(&attendees[i], email) {
			continue
		}
		if isSameList(same, attendees) {
			same = slices.Clone(attendees)
		}
		same[i].Organizer = true
	}
	return same
}

// isAddressed reports whether the attendee has the address. An empty address is unknown.
func isAddressed(a *Attendee, email string) bool {
	return email != "" && form.SameAddress(a.Email, email)
}
