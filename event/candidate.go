package event

import (
	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/status"
)

// prepare works out what the request makes of the event. raw is what the body alone says,
// new what would be stored: members that are not the client's to write are as they were.
func (in *input) prepare() {
	in.raw, in.new = in.body, in.body
	switch {
	case in.on == diag.Import:
		in.new = imported(in.body)
		in.raw = in.new
	case in.on == diag.Patch:
		in.raw = in.stored().Clone()
		eventTable.Merge(in.raw, in.body)
	}
	if diag.Modify.Has(in.on) {
		in.sent = eventTable.Sent(in.body)
		in.new = in.protected()
		in.changed = eventTable.Changed(in.stored(), in.new)
		in.touched = eventTable.Touched(in.stored(), in.new)
	}
	in.start, in.end = readMoment(in.new.Start), readMoment(in.new.End)
}

// noEvent stands for a stored event where there is none. Nobody writes to it.
var noEvent Event

// stored returns the stored event, or an empty one where there is none. It is not to be
// written to.
func (in *input) stored() *Event {
	if in.old == nil {
		return &noEvent
	}
	return in.old
}

// concerns reports whether a rule that reads these members is to be asked.
func (in *input) concerns(of object.Set) bool {
	return !diag.Modify.Has(in.on) || of == 0 || of.Has(in.touched)
}

// isPart reports whether the event is known in part only: a patch of what nobody has supplied.
// What is missing may be stored.
func (in *input) isPart() bool { return in.on == diag.Patch && in.old == nil }

// alters reports whether the request changes one of the members, or makes the event.
func (in *input) alters(set object.Set) bool { return !diag.Modify.Has(in.on) || set.Has(in.changed) }

// The members that a write leaves as they are.
var (
	// immutable are those of which an accepted request says nothing new.
	immutable = of("id", "recurringEventId", "originalStartTime", "privateCopy", "birthdayProperties", "eventType")

	// ownedByService are those that a client cannot write. The status of a create request is
	// for [conference.Apply], and the flags of attendees for [keepAttendeeFlags].
	ownedByService = of("kind", "etag", "htmlLink", "created", "updated", "creator", "organizer", "videoLink", "locked")

	// keptUnlessSent are those that an update does not take away by leaving them out:
	// identities, and what is immutable.
	keptUnlessSent = immutable | of("iCalUID")

	ofLabel      = of("eventLabelId")
	ofColor      = of("colorId")
	ofSource     = of("source")
	ofRecurrence = of("start", "recurrence")

	ofAttendees   = of("attendees")
	ofAttachments = of("attachments")
	ofLocation    = of("location")
	ofEventType   = of("eventType")
	ofConference  = of("conferenceData")
)

const noMembers object.Set = 0

// protected returns raw with all that the request has no power over as it is stored.
func (in *input) protected() *Event {
	old, e := in.stored(), in.raw.Clone()
	eventTable.DropNulls(e) // an event that comes as a Go value may hold null
	keep := ownedByService
	if in.on == diag.Update {
		keep |= keptUnlessSent &^ in.sent
	}
	keep |= in.keptByVersion()
	if in.callerIsNotCreator() {
		keep |= ofSource
	}
	eventTable.Copy(e, old, keep)
	if old.EventLabelID == nil || labelOf(old) != labelOf(e) {
		dropEmptyLabel(e)
	}
	e.ConferenceData = conference.Apply(in.conference())
	if in.takesOneResponse() {
		e.Attendees = in.answeredAttendees(old)
	}
	keepAttendeeFlags(e.Attendees, old.Attendees)
	keepAttachmentFields(e.Attachments, old.Attachments)
	keepNestedFields(e, old)
	keepOtherFields(e.WorkingLocationProperties, old.WorkingLocationProperties)
	return e
}

// keptByVersion returns colorId or eventLabelId, whichever the version parameter does not
// process: version 0 leaves a label that is not sent, version 1 leaves the colour.
func (in *input) keptByVersion() object.Set {
	if in.flags.EventLabelVersion > 0 {
		return ofColor
	}
	return ofLabel &^ in.sent
}

// dropEmptyLabel removes a label that is empty: an empty string removes it.
func dropEmptyLabel(e *Event) {
	if e.EventLabelID != nil && *e.EventLabelID == "" {
		e.EventLabelID = nil
	}
}

func (in *input) callerIsNotCreator() bool {
	return in.req.Caller != nil && in.req.Caller.Creator != nil && !*in.req.Caller.Creator
}

// answeredAttendees returns the stored attendees with only the participant's response from
// the body: that is what an update with attendeesOmitted means.
func (in *input) answeredAttendees(old *Event) []Attendee {
	attendees := old.Clone().Attendees
	for i := range attendees {
		a := &attendees[i]
		if !in.isParticipant(a) {
			continue
		}
		if at := in.sentAt(a.Email); at >= 0 {
			answer := &in.raw.Attendees[at]
			a.ResponseStatus, a.Comment, a.AdditionalGuests = answer.ResponseStatus, answer.Comment, answer.AdditionalGuests
		}
	}
	return attendees
}

// isParticipant reports whether a stored attendee stands for whoever sends the request.
// An organizer whose calendar this is attends under the same address.
func (in *input) isParticipant(a *Attendee) bool {
	o := in.stored().Organizer.orZero()
	return a.Self || isCaller(in, a.Email) || o.Self && isAddressed(a, o.Email)
}

// takesOneResponse reports whether the request takes only the participant's response.
func (in *input) takesOneResponse() bool { return in.on == diag.Update && in.raw.AttendeesOmitted }

// findAttendee returns the attendee with the address, or nil.
func findAttendee(attendees []Attendee, email string) *Attendee {
	for i := range attendees {
		if isAddressed(&attendees[i], email) {
			return &attendees[i]
		}
	}
	return nil
}

// sentAt returns where the body lists the attendee with the address, the first of several, or -1.
func (in *input) sentAt(email string) int {
	if in.sentByAddress == nil {
		in.sentByAddress = findInMap(in.raw.Attendees, func(int, int) {})
	}
	if at, ok := in.sentByAddress[foldAddress(email)]; ok {
		return at
	}
	return -1
}

// keepAttendeeFlags gives attendees who were there before what only the service writes, and
// resource, which is settled when an attendee is first added.
func keepAttendeeFlags(attendees, stored []Attendee) {
	pairs := pairAttendees(attendees, stored)
	for i := range attendees {
		a := &attendees[i]
		was := partner(stored, pairs, i)
		if was == nil {
			a.Organizer, a.Self, a.AsyncOperation = false, false, ""
			continue
		}
		a.Organizer, a.Self, a.AsyncOperation, a.Resource = was.Organizer, was.Self, was.AsyncOperation, was.Resource
		if a.Email == "" && !a.extra.WasSent("email") {
			a.Email = was.Email // known by the id
		}
	}
}

// containsExact reports whether the list has the element just so.
func containsExact[T any](list []T, v *T, table *object.Type[T]) bool {
	for i := range list {
		if table.Exact(&list[i], v) {
			return true
		}
	}
	return false
}

// keepAttachmentFields gives attachments of files that were there before what only the service
// writes.
func keepAttachmentFields(attachments, stored []Attachment) {
	pairs := pairAttachments(attachments, stored)
	for i := range attachments {
		a := &attachments[i]
		a.FileID, a.IconLink = "", ""
		if was := partner(stored, pairs, i); was != nil {
			a.FileID, a.IconLink = was.FileID, was.IconLink
		}
	}
}

// keepNestedFields keeps what the service writes within objects that a client writes.
func keepNestedFields(e, old *Event) {
	if g := e.Gadget; g != nil {
		was := old.Gadget.orZero()
		g.Link, g.IconLink = was.Link, was.IconLink
	}
	if b := e.BirthdayProperties; b != nil {
		was := old.BirthdayProperties.orZero()
		b.Contact, b.CustomTypeName = was.Contact, was.CustomTypeName
	}
}

// modified returns the event that is stored when the request is accepted: what is immutable
// was judged equal, and stays as it is written.
func (in *input) modified() *Event {
	if in.old != nil {
		kept := immutable
		if in.old.EventType == "" {
			kept &^= ofEventType // which the request can only have told to be the default one
		}
		eventTable.Copy(in.new, in.old, kept)
	}
	if !in.isPart() {
		in.new.Status = status.Normal(in.new.Status)
	}
	return in.new
}

func (g *Gadget) orZero() Gadget {
	if g == nil {
		return Gadget{}
	}
	return *g
}

func (b *Birthday) orZero() Birthday {
	if b == nil {
		return Birthday{}
	}
	return *b
}

func (p *Person) orZero() Person {
	if p == nil {
		return Person{}
	}
	return *p
}
