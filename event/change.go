package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/object"
)

// change is the change that a request makes to an event. Its events are read-only and not nil, and share values: only
// events returned to the caller are cloned. For a request without a body, all of them are the stored event.
type change struct {
	on       diag.When
	existing existing // the knowledge about the stored event

	stored *Event // the event before the request; empty unless it is known
	sent   *Event // the body
	next   *Event // the event to store, or the representation to check; nil if the body is not an event

	// present has the members of the body, including nulls if they clear members.
	present object.Set

	// changed has the members whose rules are checked: the present members of a new event, or the members of a stored
	// event whose text changes, so that an explicit zero value differs from an absent one. A patch of an unknown event
	// may change everything it sends. A request is not responsible for stored values: an event that was read and sent
	// back unchanged must not be refused.
	changed object.Set

	// Computed on demand:
	sentByAddress map[string]int // see [change.sentFor]
	sentByID      map[string]int // of attendees without an address
	pairs         []int          // see [change.storedFor]
	newPairs      []int          // see [change.was]
}

// existing is the knowledge about the stored event. If it is unknown, nothing is reported that depends on the stored
// event.
type existing uint8

const (
	unknownEvent existing = iota // there may be an event; the caller does not say
	absentEvent                  // there is none
	knownEvent
)

// existingFor returns the knowledge about the stored event of a request. A new event has none, and a representation
// needs none.
func existingFor(on diag.When, req *Request) existing {
	switch {
	case diag.Create.Has(on):
		return absentEvent
	case req.Existing != nil:
		return knownEvent
	case req.Absent, on == diag.Response:
		return absentEvent
	default:
		return unknownEvent
	}
}

// isPartial reports whether the request patches an unknown event. Missing members may be stored.
func (c *change) isPartial() bool { return c.on == diag.Patch && c.existing == unknownEvent }

// asked returns the event that the request asks for: the body or, for a patch, the stored event with the body applied.
// Unlike the next event, it includes changes that the request cannot make.
func (c *change) asked() *Event {
	switch c.on {
	case diag.Import:
		return imported(c.sent)
	case diag.Patch:
		e := new(*c.stored)
		eventTable.Merge(e, c.sent)
		return e
	default:
		return c.sent
	}
}

// changes reports whether the request changes any of the members. A new event changes every member that is not zero.
func (c *change) changes(members object.Set) bool {
	return eventTable.ChangedValue(c.stored, c.next, c.changed&members) != 0
}

// mayHave returns the members that the next event may have.
func (c *change) mayHave() object.Set {
	if c.existing == absentEvent {
		return c.present
	}
	return object.All
}

// noEvent is the stored event if there is none.
var noEvent Event

// defaultEvent is an event with the documented defaults. It is never modified.
var defaultEvent Event

// Sets of members, by their declarations.
var (
	immutableMembers  object.Set
	keptByUpdateSet   object.Set
	serviceMembers    object.Set // the members that only the service writes, the organizer included
	lockableMembers   object.Set
	mainDataMembers   object.Set // the members whose changes also change updated
	freeInMailSet     object.Set
	freeInBirthdaySet object.Set
	omittedMembers    object.Set
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
	omittedMembers = with(omitted)
	eventTable.SetDefaults(&defaultEvent)
	serviceMembers = ofOrganizer | eventTable.Where(func(d *object.Declaration) bool { return d.Writer == object.Service })
}

// prepare computes the next event and the sets of members.
func (in *input) prepare() {
	if diag.Modify.Has(in.on) {
		in.modify()
	} else {
		in.next, in.changed = in.asked(), in.present
	}
	in.parseTimes()
}

// modify is the part of prepare for a modification.
func (in *input) modify() {
	in.present = eventTable.Present(in.sent)
	in.next = in.complete()
	keepImmutable(in, in.next)
	in.changed = eventTable.ChangedText(in.stored, in.next, object.All)
	if in.isPartial() {
		in.changed = in.present // null in an object may break a rule regardless of the stored value
	}
	if written := in.written(); written != in.next {
		in.changed |= eventTable.ChangedText(in.stored, written, ofOriginalStartTime) // a time has rules about its parts
	}
}

// complete returns the event that the request asks for, after the steps of [serverPart].
func (in *input) complete() *Event {
	e := new(*in.asked())
	in.apply(serverPart, e)
	return e
}

// keepImmutable keeps the members that cannot change: rules see the stored values, even if the request is refused for
// changing them. An absent type may become explicit.
func keepImmutable(in *input, e *Event) {
	if in.existing != knownEvent {
		return
	}
	keep := immutableMembers & in.present
	if in.stored.EventType == "" && e.EventType == constraint.TypeDefault {
		keep &^= ofEventType
	}
	eventTable.Copy(e, in.stored, keep)
}

// written returns the event to store as if no member were immutable: the values sent are checked too, although they are
// not stored. It returns the next event itself if the request changes no immutable member.
func (in *input) written() *Event {
	if in.existing != knownEvent || eventTable.ChangedText(in.stored, in.sent, immutableMembers&in.present) == 0 {
		return in.next
	}
	return in.complete()
}

// takesOneResponse reports whether the request changes only the participant's response.
func (c *change) takesOneResponse() bool {
	return c.on == diag.Update && c.sent.AttendeesOmitted
}

// callerIsNotCreator reports whether the caller is known not to be the event's creator, by the facts of the request or
// else by the email.
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

// answering returns the index of the stored attendee whose response an update with attendeesOmitted takes
// from the body, that is, of the participant, or -1 if the body has no such attendee.
func (in *input) answering() int {
	return in.participantAmong(in.stored.Attendees, func(a *Attendee) bool { return in.sentFor(a) >= 0 })
}

// participantAmong returns the index of the attendee who represents the calendar or the caller, or -1 if there is none.
// Among the attendees that count, this is the first match of the attendee with self true, the caller and, in the
// organizer's calendar, the organizer.
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

// respondAs copies to a the members of other that a response changes.
func (a *Attendee) respondAs(other *Attendee) {
	a.ResponseStatus, a.Comment, a.AdditionalGuests = other.ResponseStatus, other.Comment, other.AdditionalGuests
}

// isParticipant reports whether a stored attendee represents the caller. The organizer, if this is
// the organizer's calendar, attends with the same address.
func (in *input) isParticipant(a *Attendee) bool {
	o := in.stored.Organizer.orZero()
	return a.Self || isCaller(in, a.Email) || o.Self && isAddressed(a, o.Email)
}

// isSameList reports whether two lists share their elements: a list that a request does not send is the stored list.
func isSameList[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
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

// sameTime reports whether two times are the same date or instant, even if they are written
// differently.
func sameTime(a, b *Time) bool {
	if timeTable.Equal(a, b) {
		return true
	}
	first, second := parseTime(a), parseTime(b)
	order, ok := first.compare(&second)
	return ok && order == 0
}

// changedInEffect returns the members that the request changes in effect. An update that omits the sequence does not
// change it.
func (in *input) changedInEffect() object.Set {
	changed := eventTable.ChangedValue(in.stored.WithDefaults(), in.next.WithDefaults(), ^in.ignored())
	if in.on == diag.Update && !in.present.Has(ofSequence) {
		changed &^= ofSequence
	}
	if sameStart(in.stored.Start, in.next.Start) {
		changed &^= ofStart
	}
	if sameStart(in.stored.End, in.next.End) {
		changed &^= ofEnd
	}
	return changed
}

// sameStart reports whether two times are the same and have the same zone, which determines the expansion of a series.
func sameStart(a, b *Time) bool {
	return a == b || a != nil && b != nil && a.TimeZone == b.TimeZone && sameTime(a, b)
}

// changesType reports whether an import changes the type of the event.
func changesType(e *Event) bool {
	return e.EventType != "" && e.EventType != constraint.TypeDefault && constraint.EventType.Has(e.EventType)
}

// imported returns the event that an import of e stores.
func imported(e *Event) *Event {
	if !changesType(e) {
		return e
	}
	plain := new(*e)
	plain.EventType = constraint.TypeDefault
	plain.WorkingLocationProperties, plain.OutOfOfficeProperties = nil, nil
	plain.FocusTimeProperties, plain.BirthdayProperties = nil, nil
	return plain
}

// parseTimes parses the times of the event, and lists the times to check.
func (in *input) parseTimes() {
	e, sent := in.next, in.sent
	in.start.parse(e.Start, &noTime)
	in.end.parse(e.End, &in.start)
	in.times = in.members[:0]
	if e.Start != nil && in.changed.Has(ofStart) {
		in.times = append(in.times, timeMember{e.Start, "/start", &in.start, sent.Start})
	}
	if e.End != nil && in.changed.Has(ofEnd) {
		in.times = append(in.times, timeMember{e.End, "/end", &in.end, sent.End})
	}
	if !in.changed.Has(ofOriginalStartTime) {
		return
	}
	if t := in.written().OriginalStartTime; t != nil {
		in.original.parse(t, &in.start)
		in.times = append(in.times, timeMember{t, "/originalStartTime", &in.original, sent.OriginalStartTime})
	}
}

// keepOtherFields keeps the members of a working location that [workingLocationOtherFields] ignores. Cleared members
// stay absent.
func keepOtherFields(in *input, e *Event) {
	w, stored := e.WorkingLocationProperties, in.stored.WorkingLocationProperties
	if w == nil || w == stored || !constraint.WorkingLocationType.Has(w.Type) {
		return
	}
	old, kept := stored.orZero(), *w
	if w.Type != "homeOffice" && w.HomeOffice != nil {
		kept.HomeOffice = old.HomeOffice
	}
	if w.Type != "customLocation" && w.CustomLocation != nil {
		kept.CustomLocation = old.CustomLocation
	}
	if w.Type != "officeLocation" && w.OfficeLocation != nil {
		kept.OfficeLocation = old.OfficeLocation
	}
	e.WorkingLocationProperties = &kept
}
