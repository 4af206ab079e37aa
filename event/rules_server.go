package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
)

// serverRules are about the members that the service writes. What a client sends for them
// has no effect: [answer] drops it.
var serverRules = []rule{
	{Doc: eventReadOnly, Check: checkReadOnly},
	{Doc: eventServerSet, Check: checkServerSet},
	{Doc: organizerReadOnly, Check: checkOrganizerReadOnly},
	{Doc: organizerAttendeeFlag},
}

var eventReadOnly = &diag.Doc{
	ID: "event.read-only", Kind: diag.Ignore, When: diag.Write, Basis: diag.Stated,
	Summary: "What the documents call read-only is left to the service.",
	Section: sectionEvent,
	Why: "created, updated, creator, locked, the organizer, self and asyncOperation of attendees, self of the " +
		"organizer, contact and customTypeName of birthdays, fileId of attachments and the status of a create " +
		"request. A value that differs from the stored one has no effect.",
	Accept: diag.Example{Request: sample.Timed(`"locked":false`)},
	Refuse: diag.Example{Request: sample.Timed(`"created":"2026-01-05T08:00:00Z"`)},
}

func checkReadOnly(in *input, r diag.Reporter) {
	e, old := in.raw, in.stored()
	ignored := func(differs bool, path diag.Pointer) {
		if differs {
			r.Report(path, "The member is read-only: the value sent has no effect. Leave it out.")
		}
	}
	ignored(e.Created != old.Created && in.says(ofCreated), "/created")
	ignored(e.Updated != old.Updated && in.says(ofUpdated), "/updated")
	ignored(!personTable.Equal(e.Creator, old.Creator) && in.says(ofCreator), "/creator")
	ignored(e.Locked != old.Locked && in.says(ofIsLocked), "/locked")
	if o := in.body.Organizer; o != nil {
		ignored(saysBool(o.Self, &o.rest, "self") && o.Self != old.Organizer.orZero().Self, "/organizer/self")
	}
	checkReadOnlyAttendees(in, ignored)
	for i := range in.body.Attachments {
		a := &in.body.Attachments[i]
		if a.FileID != "" {
			was := findAttachment(old.Attachments, a.FileURL)
			ignored(was == nil || a.FileID != was.FileID, diag.Pointer("/attachments").Index(i)+"/fileId")
		}
	}
	if b := in.body.BirthdayProperties; b != nil {
		was := old.BirthdayProperties.orZero()
		ignored(b.Contact != "" && b.Contact != was.Contact, "/birthdayProperties/contact")
		ignored(b.CustomTypeName != "" && b.CustomTypeName != was.CustomTypeName, "/birthdayProperties/customTypeName")
	}
	ignored(in.sendsRequestStatus(), "/conferenceData/createRequest/status")
}

var (
	ofCreated  = of("created")
	ofUpdated  = of("updated")
	ofCreator  = of("creator")
	ofIsLocked = of("locked")
)

// says reports whether the request says something of the members. An insert says of a member
// what the event has; only where one is stored can a member be left out.
func (in *input) says(set object.Set) bool { return !diag.Modify.Has(in.on) || in.sent.Has(set) }

// saysBool reports whether a boolean member was sent, be it false or true.
func saysBool(value bool, rest *object.Rest, name string) bool { return value || rest.Wrote(name) }

func checkReadOnlyAttendees(in *input, ignored func(differs bool, path diag.Pointer)) {
	for i := range in.body.Attendees {
		a := &in.body.Attendees[i]
		organizer := saysBool(a.Organizer, &a.rest, "organizer")
		self := saysBool(a.Self, &a.rest, "self")
		if !organizer && !self && a.AsyncOperation == "" {
			continue
		}
		was := in.storedAttendee(a.Email)
		at := diag.Pointer("/attendees").Index(i)
		ignored(organizer && a.Organizer != was.Organizer, at+"/organizer")
		ignored(self && a.Self != was.Self, at+"/self")
		ignored(a.AsyncOperation != "" && a.AsyncOperation != was.AsyncOperation, at+"/asyncOperation")
	}
}

// sendsRequestStatus reports whether the body has a status of a create request that differs
// from the stored one. At version 0 the whole of the conference data is ignored, which
// conference.version tells.
func (in *input) sendsRequestStatus() bool {
	c := in.body.ConferenceData
	if c == nil || c.CreateRequest == nil || c.CreateRequest.Status == nil || in.flags.ConferenceDataVersion == 0 {
		return false
	}
	old := in.stored().ConferenceData
	stored := old != nil && old.CreateRequest != nil && old.CreateRequest.Status != nil
	return !stored || c.CreateRequest.Status.Code != old.CreateRequest.Status.Code
}

var eventServerSet = &diag.Doc{
	ID: "event.server-set", Kind: diag.Ignore, When: diag.Write, Basis: diag.Inferred,
	Summary: "What is only present in the representation is left to the service.",
	Section: sectionEvent,
	Why: "etag, htmlLink, videoLink, iconLink of attachments, link and iconLink of the gadget. A value that " +
		"differs from the stored one has no effect.",
	Accept: diag.Example{Request: sample.Timed(`"summary":"Standup"`)},
	Refuse: diag.Example{Request: sample.Timed(`"htmlLink":"https://calendar.example.com/event?eid=1"`)},
}

func checkServerSet(in *input, r diag.Reporter) {
	e, old := in.body, in.stored()
	ignored := func(sent, stored string, path diag.Pointer) {
		if sent != "" && sent != stored {
			r.Report(path, "The service sets this member: the value sent has no effect. Leave it out.")
		}
	}
	ignored(e.ETag, old.ETag, "/etag")
	ignored(e.HTMLLink, old.HTMLLink, "/htmlLink")
	ignored(e.VideoLink, old.VideoLink, "/videoLink")
	for i := range e.Attachments {
		a := &e.Attachments[i]
		if a.IconLink == "" {
			continue
		}
		stored := ""
		if was := findAttachment(old.Attachments, a.FileURL); was != nil {
			stored = was.IconLink
		}
		ignored(a.IconLink, stored, diag.Pointer("/attachments").Index(i)+"/iconLink")
	}
	if g := e.Gadget; g != nil {
		was := old.Gadget.orZero()
		ignored(g.Link, was.Link, "/gadget/link")
		ignored(g.IconLink, was.IconLink, "/gadget/iconLink")
	}
}

var organizerReadOnly = &diag.Doc{
	ID: "event.organizer.read-only", Kind: diag.Ignore, When: diag.Insert | diag.Update | diag.Patch, Basis: diag.Stated,
	Summary: "The organizer is written on import alone.",
	Section: sectionEvent + ", organizer",
	Why:     "Elsewhere a value that differs has no effect; the move operation changes the organizer.",
	Accept:  diag.Example{Request: sample.Timed(`"summary":"Standup"`)},
	Refuse:  diag.Example{Request: sample.Timed(`"organizer":{"email":"chair@example.com"}`), Answer: `{"accepted":true}`},
}

func checkOrganizerReadOnly(in *input, r diag.Reporter) {
	o := in.body.Organizer
	if o == nil {
		return
	}
	was := in.stored().Organizer.orZero()
	differs := func(sent, stored string) bool { return sent != "" && sent != stored }
	if differs(o.Email, was.Email) || differs(o.ID, was.ID) || differs(o.DisplayName, was.DisplayName) {
		r.Report("/organizer", "The organizer is writable on import alone: the value sent has no effect. Leave it out, or move the event.")
	}
}

var organizerAttendeeFlag = &diag.Doc{
	ID: "event.organizer.attendee-flag", Kind: diag.Effect, When: diag.Response | diag.Create, Basis: diag.Stated,
	Summary: "If the organizer is also an attendee, that entry of the attendees has organizer true.",
	Section: sectionEvent + ", organizer",
	Why:     "On insert the organizer is whoever calls, where that is known.",
	Accept: diag.Example{
		Request: sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"}]`), `"caller":{"email":"ada@example.com"}`),
		Answer:  `{"event":{"attendees":[{"email":"ada@example.com","organizer":true}]}}`,
	},
	Refuse: diag.Example{
		Request: sample.With(sample.Timed(`"attendees":[{"email":"bob@example.com"}]`), `"caller":{"email":"ada@example.com"}`),
		Answer:  `{"event":{"attendees":[{"email":"bob@example.com"}]}}`,
	},
}

// flagOrganizer marks the attendee with the organizer's address. Addresses are compared as
// mail does: the domain without regard to case.
func flagOrganizer(attendees []Attendee, email string) {
	if email == "" {
		return
	}
	for i := range attendees {
		if limits.SameAddress(attendees[i].Email, email) {
			attendees[i].Organizer = true
		}
	}
}
