package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
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

func checkReadOnly(in *input, r diag.Reporter) {
	e, old := in.body, in.stored()
	s := sentReport{r, &e.extra, "The member is read-only: the value sent has no effect%s. Leave it out."}
	s.text("", "created", e.Created, old.Created)
	s.text("", "updated", e.Updated, old.Updated)
	s.flag("", "locked", e.Locked, old.Locked)
	if c := e.Creator; c != nil {
		if personDiffers(c, old.Creator.orZero()) || saysBool(c.Self, &c.extra, "self") && c.Self != old.Creator.orZero().Self {
			s.report("/creator", old.Creator != nil)
		}
	} else if e.extra.Null("creator") && old.Creator != nil {
		s.report("/creator", true)
	}
	if o := e.Organizer; o != nil {
		s.in(&o.extra).flag("/organizer", "self", o.Self, old.Organizer.orZero().Self)
	}
	checkReadOnlyAttendees(in, s)
	in.eachAttachment(func(i int, a, was *Attachment) {
		if a.FileID != was.FileID && a.FileID != "" {
			s.report(diag.Pointer("/attachments").Index(i)+"/fileId", was.FileID != "")
		}
	})
	dropped := in.on == diag.Import && changesType(e) // before this rule is asked
	if b := e.BirthdayProperties; b != nil && !dropped {
		was := old.BirthdayProperties.orZero()
		s.in(&b.extra).text("/birthdayProperties", "contact", b.Contact, was.Contact)
		s.in(&b.extra).text("/birthdayProperties", "customTypeName", b.CustomTypeName, was.CustomTypeName)
	}
	if in.sendsRequestStatus() {
		s.report("/conferenceData/createRequest/status", false)
	}
}

// sentReport reports members that were sent without effect.
type sentReport struct {
	diag.Reporter
	extra  *object.Extra // of the object that holds the member
	format string        // with one verb, for what stays instead
}

// in returns the same for members of another object.
func (s sentReport) in(extra *object.Extra) sentReport {
	s.extra = extra
	return s
}

// report tells that the member had no effect, and whether a stored value stays.
func (s sentReport) report(path diag.Pointer, stored bool) {
	stays := ""
	if stored {
		stays = ", and the stored one stays"
	}
	s.Report(path, s.format, stays)
}

// text reports a string member that was sent and is not the stored one, or null for one that
// is stored.
func (s sentReport) text(object diag.Pointer, name, sent, stored string) {
	if sent != stored && (sent != "" || s.extra.Null(name)) {
		s.report(object.Member(name), stored != "")
	}
}

// flag does the same for a boolean member.
func (s sentReport) flag(object diag.Pointer, name string, sent, stored bool) {
	if sent != stored && (saysBool(sent, s.extra, name) || s.extra.Null(name)) {
		s.report(object.Member(name), stored)
	}
}

// personDiffers reports whether what was sent of a person is not what is stored.
func personDiffers(sent *Person, stored Person) bool {
	differs := func(sent, stored string) bool { return sent != "" && sent != stored }
	return differs(sent.Email, stored.Email) || differs(sent.ID, stored.ID) || differs(sent.DisplayName, stored.DisplayName)
}

// says reports whether the request says something of the members. An insert says of a member
// what the event has; only where one is stored can a member be left out.
func (in *input) says(set object.Set) bool { return !diag.Modify.Has(in.on) || in.sent.Has(set) }

// saysBool reports whether a boolean member was sent, be it false or true.
func saysBool(value bool, extra *object.Extra, name string) bool { return value || extra.WasSent(name) }

// Stand for what is stored where nothing is. Nobody writes to them.
var (
	noAttendee   Attendee
	noAttachment Attachment

	// anOrganizer is what the service makes of the attendee who organizes a new event.
	anOrganizer = Attendee{Organizer: true}
)

// eachAttachment calls do with every attachment of the body and the stored one of the same
// file, or an empty one.
func (in *input) eachAttachment(do func(i int, a, was *Attachment)) {
	sent, stored := in.body.Attachments, in.stored().Attachments
	pairs := pairAttachments(sent, stored)
	for i := range sent {
		was := partner(stored, pairs, i)
		if was == nil {
			was = &noAttachment
		}
		do(i, &sent[i], was)
	}
}

func checkReadOnlyAttendees(in *input, s sentReport) {
	for i := range in.body.Attendees {
		a := &in.body.Attendees[i]
		organizer, self := saysBool(a.Organizer, &a.extra, "organizer"), saysBool(a.Self, &a.extra, "self")
		if !organizer && !self && a.AsyncOperation == "" {
			continue
		}
		was := in.storedFor(i)
		if was == nil {
			was = &noAttendee
			if diag.Create.Has(in.on) && isAddressed(a, in.organizer(in.body)) {
				was = &anOrganizer
			}
		}
		at := diag.Pointer("/attendees").Index(i)
		s.in(&a.extra).flag(at, "organizer", a.Organizer, was.Organizer)
		s.in(&a.extra).flag(at, "self", a.Self, was.Self)
		s.in(&a.extra).text(at, "asyncOperation", a.AsyncOperation, was.AsyncOperation)
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

var eventServerSet = diag.Rule{
	ID: "event.server-set", Kind: diag.Ignore, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfChange,
	Summary: "What is only present in the representation is left to the service.",
	Section: sectionEvent,
	Why: "etag, htmlLink, videoLink, iconLink of attachments, link and iconLink of the gadget. A value that " +
		"differs from the stored one has no effect.",
	Good:  diag.Example{Request: sample.Timed(`"summary":"Standup"`)},
	Bad:   diag.Example{Request: sample.Timed(`"htmlLink":"https://calendar.example.com/event?eid=1"`)},
	Check: check(checkServerSet),
}

func checkServerSet(in *input, r diag.Reporter) {
	e, old := in.body, in.stored()
	s := sentReport{r, &e.extra, "The service sets this member: the value sent has no effect%s. Leave it out."}
	s.text("", "etag", e.ETag, old.ETag)
	s.text("", "htmlLink", e.HTMLLink, old.HTMLLink)
	s.text("", "videoLink", e.VideoLink, old.VideoLink)
	in.eachAttachment(func(i int, a, was *Attachment) {
		if a.IconLink != was.IconLink && a.IconLink != "" {
			s.report(diag.Pointer("/attachments").Index(i)+"/iconLink", was.IconLink != "")
		}
	})
	if g := e.Gadget; g != nil {
		was := old.Gadget.orZero()
		s.in(&g.extra).text("/gadget", "link", g.Link, was.Link)
		s.in(&g.extra).text("/gadget", "iconLink", g.IconLink, was.IconLink)
	}
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
	o, was := in.body.Organizer, in.stored().Organizer
	switch {
	case o != nil && personDiffers(o, was.orZero()), o == nil && was != nil && in.body.extra.Null("organizer"):
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
