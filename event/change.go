package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/occasion"
)

// change is what a request does to an event. Its events are read-only and not nil, and share common
// values: only events that are returned to the caller are cloned. For a request without a body, all of
// them are the stored event.
type change struct {
	on diag.When

	hasStored bool   // the stored event is known
	stored    *Event // the stored event; empty if there is none or it is unknown
	sent      *Event // the body
	merged    *Event // the stored event with the body applied
	written   *Event // merged, with the stored values of what has no effect; the values in it are checked
	result    *Event // the event to store: written, with the stored values of the immutable members

	// present has the members of a new event that does not replace a stored one, or of one that is checked by
	// itself, and may have more; on other occasions, it has all members.
	present object.Set

	// For a request that modifies a stored event:
	sentMembers    object.Set // the members that the body has, null included
	changedMembers object.Set // the members that differ between stored and result

	// checked has the members whose rules are checked: the members of a new event that are present, or the members of a
	// stored event that are rewritten, where a zero value that was sent differs from an absent one; of an unknown one,
	// all that a patch sends. A request is not responsible for stored values: an event that was read and sent back
	// unchanged must not be refused. Values has also the immutable members that are written, whose values are checked
	// by themselves.
	checked, values object.Set
}

// isNew reports whether the request does not modify a stored event.
func (c *change) isNew() bool { return !diag.Modify.Has(c.on) }

// wasSent reports whether the request sends one of the members. A request that is not a
// modification sends all of them, because what it leaves out is absent.
func (c *change) wasSent(members object.Set) bool { return c.isNew() || members.Has(c.sentMembers) }

// didChange reports whether the request changes one of the members or creates the event.
func (c *change) didChange(members object.Set) bool {
	return c.isNew() || members.Has(c.changedMembers)
}

// isUnknown reports whether the request modifies an event that the caller did not supply. Then only faults that do not
// depend on the stored event are reported.
func (c *change) isUnknown() bool { return !c.isNew() && !c.hasStored }

// isPartial reports whether the request patches an unknown event. Members that are missing may be
// stored.
func (c *change) isPartial() bool { return c.on == occasion.Patch && c.isUnknown() }

// noEvent is the stored event if there is none.
var noEvent Event

// Sets of members, by their declarations.
var (
	immutableMembers  object.Set
	keptByUpdateSet   object.Set
	serviceMembers    object.Set // the members that only the service writes, the organizer included
	lockableMembers   object.Set
	mainDataMembers   object.Set // the members whose changes also change updated
	freeInMailSet     object.Set
	freeInBirthdaySet object.Set
)

// membersNamed returns the set of the named members.
func membersNamed(names ...string) object.Set { return eventTable.Set(names...) }

func makeSets() {
	with := func(trait object.Trait) object.Set {
		return eventTable.Where(func(d *object.Declaration) bool { return d.Traits&trait != 0 })
	}
	immutableMembers, keptByUpdateSet = with(immutable), with(keptByUpdate)
	lockableMembers, mainDataMembers = with(lockable), ^with(notMainData)
	freeInMailSet, freeInBirthdaySet = with(freeInMail), with(freeInBirthday)
	serviceMembers = ofOrganizer | eventTable.Where(func(d *object.Declaration) bool { return d.Writer == object.Service })
}

// prepare computes the merged event, the result and the sets of members.
func (in *input) prepare() {
	in.merged = in.sent
	switch {
	case !in.isNew() || in.hasStored:
		in.present = object.All
	case !in.decoded:
		in.present = eventTable.Present(in.sent)
	}
	switch in.on {
	case occasion.Import:
		in.merged = imported(in.sent)
	case occasion.Patch:
		in.merged = new(*in.stored)
		eventTable.Merge(in.merged, in.sent)
	}
	in.written, in.result = in.merged, in.merged
	in.checked, in.values = in.present, in.present
	if !in.isNew() {
		in.prepareChange()
	}
	in.parseTimes()
}

// prepareChange is the part of prepare for a modification.
func (in *input) prepareChange() {
	in.sentMembers = eventTable.Present(in.sent)
	in.written = in.withServerFields()
	in.result = in.kept()
	rewritten := eventTable.ChangedText(in.stored, in.result, object.All)
	in.changedMembers = eventTable.ChangedValue(in.stored, in.result, rewritten)
	if in.checked = rewritten; in.isPartial() {
		in.checked |= in.sentMembers // null in an object may break a rule whatever is stored
	}
	if in.values = in.checked; in.written != in.result {
		in.values |= eventTable.ChangedText(in.stored, in.written, object.All)
		in.checked |= in.values & ofOriginalStartTime // a time has rules about its parts
	}
}

// kept returns the written event with the stored values of the immutable members: rules see the values that stay, also if the
// request is refused for changing them. A type that was absent may be written out.
func (in *input) kept() *Event {
	if !in.hasStored || !immutableMembers.Has(in.sentMembers) {
		return in.written
	}
	e, members := new(*in.written), immutableMembers
	if in.stored.EventType == "" && e.EventType == constraint.TypeDefault {
		members &^= ofEventType
	}
	eventTable.Copy(e, in.stored, members)
	return e
}

// withServerFields returns the merged event with the stored values of everything that the request cannot
// change.
func (in *input) withServerFields() *Event {
	stored, e := in.stored, new(*in.merged)
	eventTable.DropNulls(e) // an event that is a Go value may contain null
	keep := serviceMembers
	if in.on == occasion.Update {
		keep |= keptByUpdateSet &^ in.sentMembers
	}
	keep |= in.keptByVersion()
	if in.callerIsNotCreator() {
		keep |= ofSource
	}
	if stored.ICalUID != "" {
		keep |= ofICalUID
	}
	eventTable.Copy(e, stored, keep)
	if stored.EventLabelID == nil || labelOf(stored) != labelOf(e) {
		dropEmptyLabel(e)
	}
	if e.ConferenceData = stored.ConferenceData; in.merged.ConferenceData != stored.ConferenceData {
		e.ConferenceData = in.conference().Apply()
	}
	if in.takesOneResponse() {
		e.Attendees, e.AttendeesOmitted = in.answeredAttendees(), stored.AttendeesOmitted
	}
	e.Attendees = keepAttendees(e.Attendees, stored.Attendees)
	eventTable.KeepWithin(e, stored, object.All)
	in.keepSpelling(e)
	e.WorkingLocationProperties = keepOtherFields(e.WorkingLocationProperties, stored.WorkingLocationProperties)
	return e
}

// keptByVersion returns the member that the version parameter keeps: version 0 keeps a label that
// is not sent, and version 1 keeps the color.
func (in *input) keptByVersion() object.Set {
	if in.flags.EventLabelVersion > 0 {
		return ofColorID
	}
	return ofEventLabelID &^ in.sentMembers
}

// dropEmptyLabel removes an empty label, which means that there is none.
func dropEmptyLabel(e *Event) {
	if e.EventLabelID != nil && *e.EventLabelID == "" {
		e.EventLabelID = nil
	}
}

// callerIsNotCreator reports whether the caller is known not to be the event's creator: by what the caller says or else by
// the email.
func (in *input) callerIsNotCreator() bool {
	switch caller := in.req.Caller; {
	case caller == nil:
		return false
	case caller.Creator != nil:
		return !*caller.Creator
	default:
		creator := in.stored.Creator.orZero().Email
		return caller.Email != "" && creator != "" && !form.SameAddress(caller.Email, creator)
	}
}

// takesOneResponse reports whether the request changes only the participant's response.
func (in *input) takesOneResponse() bool {
	return in.on == occasion.Update && in.merged.AttendeesOmitted
}

// answeredAttendees returns the stored attendees with the participant's response from the body, as
// an update with attendeesOmitted requires.
func (in *input) answeredAttendees() []Attendee {
	attendees := slices.Clone(in.stored.Attendees)
	if i := in.answering(); i >= 0 {
		attendees[i].respondAs(&in.merged.Attendees[in.sentFor(&attendees[i])])
	}
	return attendees
}

// answering returns the index of the stored attendee whose response an update with attendeesOmitted takes
// from the body: the participant, or -1 if the body has no such attendee.
func (in *input) answering() int {
	return in.participantAmong(in.stored.Attendees, func(a *Attendee) bool { return in.sentFor(a) >= 0 })
}

// participantAmong returns the index of the attendee who represents the calendar or the caller: of the attendees that
// count, the attendee with self true or, if there is none, the caller or else, in the organizer's calendar, the
// organizer. It returns -1 if there is no such attendee.
func (in *input) participantAmong(attendees []Attendee, counts func(*Attendee) bool) int {
	isSelf := func(a *Attendee) bool { return a.Self }
	isTheCaller := func(a *Attendee) bool { return isCaller(in, a.Email) }
	for _, represents := range []func(*Attendee) bool{isSelf, isTheCaller, in.isParticipant} {
		for i := range attendees {
			if a := &attendees[i]; represents(a) && counts(a) {
				return i
			}
		}
	}
	return -1
}

// respondAs copies to a the members that the response of an attendee changes.
func (a *Attendee) respondAs(other *Attendee) {
	a.ResponseStatus, a.Comment, a.AdditionalGuests = other.ResponseStatus, other.Comment, other.AdditionalGuests
}

// isParticipant reports whether a stored attendee represents the caller. The organizer, if this is
// the organizer's calendar, attends with the same address.
func (in *input) isParticipant(a *Attendee) bool {
	o := in.stored.Organizer.orZero()
	return a.Self || isCaller(in, a.Email) || o.Self && isAddressed(a, o.Email)
}

// keepAttendees returns the attendees with the stored members that are fixed when an attendee is first
// added: resource, and the address of an attendee who is sent by id.
func keepAttendees(attendees, stored []Attendee) []Attendee {
	if isSameList(attendees, stored) {
		return attendees
	}
	pairs := pairAttendees(attendees, stored)
	kept := attendees
	for i := range attendees {
		a, was := attendees[i], partner(stored, pairs, i)
		if was == nil {
			continue
		}
		lacksAddress := a.Email == "" && was.Email != "" && !a.extra.WasSent("email")
		if a.Resource == was.Resource && !lacksAddress {
			continue
		}
		if a.Resource = was.Resource; lacksAddress {
			a.Email = was.Email
		}
		if isSameList(kept, attendees) {
			kept = slices.Clone(attendees)
		}
		kept[i] = a
	}
	return kept
}

// isSameList reports whether two lists share their elements: a list that a request does not send is the
// stored one.
func isSameList[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// modified returns the event to store if the request is accepted.
func (in *input) modified() *Event {
	e := new(*in.result)
	if in.isUnknown() && in.takesOneResponse() {
		e.Attendees, e.AttendeesOmitted = in.merged.Attendees, true // the stored attendees are unknown
	}
	if !in.isPartial() {
		e.Status = normalStatus(e.Status)
	}
	return e
}

// orZero returns e, or a read-only empty event if e is nil.
func (e *Event) orZero() *Event {
	if e == nil {
		return &noEvent
	}
	return e
}

// orZero returns *p, or a zero Person if p is nil.
func (p *Person) orZero() Person {
	if p == nil {
		return Person{}
	}
	return *p
}
