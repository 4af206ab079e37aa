package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/object"
)

// change describes the change that a request makes to an event. The events are read-only and share values; only events
// returned to the caller are cloned. For a request without a body, all three events are the stored event.
type change struct {
	on       diag.When
	existing existing // whether the stored event is known

	stored *Event // the event before the request; empty if unknown or absent
	sent   *Event // the body
	next   *Event // the event to store, or the representation to check; nil if the body is not an event

	// present is the set of members in the body, including nulls that clear a value.
	present object.Set

	// changed is the set of members whose rules are checked. For a new event, changed contains the present members. For a stored
	// event, changed contains the members whose JSON changes; an explicit zero value thus differs from an absent value. For a
	// patch of an unknown event, changed contains all members sent. Unchanged stored values are not checked, because an event that
	// was read and sent back must not be refused.
	changed object.Set

	// The following fields are computed on demand.
	sentByAddress map[string]int // see [change.sentFor]
	sentByID      map[string]int // for attendees without an address
	pairs         []int          // see [change.storedFor]
	newPairs      []int          // see [change.was]
}

// existing records whether the stored event is known, absent or unknown. If the event is unknown, findings that depend on it
// are not reported.
type existing uint8

const (
	unknownEvent existing = iota // the caller did not specify whether there is a stored event
	absentEvent                  // there is no stored event
	knownEvent
)

// existingFor determines whether the stored event of a request is known, absent or unknown. There is no stored event for a
// new event, and a check of a representation does not need a stored event.
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

// isPartial reports whether the request patches an unknown event, whose stored members are not known either.
func (c *change) isPartial() bool { return c.on == diag.Patch && c.existing == unknownEvent }

// asked returns the requested event: the body or, for a patch, the stored event with the body applied. Unlike the next
// event, the requested event includes changes to immutable members.
func (c *change) asked() *Event {
	switch c.on {
	case diag.Import:
		return imported(c.sent)
	case diag.Patch:
		e := new(*c.stored)
		tables().event.Merge(e, c.sent)
		return e
	default:
		return c.sent
	}
}

// changes reports whether the request changes any of the members. A new event changes all members with non-zero values.
func (c *change) changes(members object.Set) bool {
	return tables().event.ChangedValue(c.stored, c.next, c.changed&members) != 0
}

// mayDiffer returns the members in which the requested event may differ from the stored event.
func (c *change) mayDiffer() object.Set {
	if c.on == diag.Patch || c.existing == absentEvent {
		return c.present
	}
	return object.All
}

// noEvent represents a stored event that does not exist.
var noEvent Event

// membersNamed returns the set of the named members.
func membersNamed(names ...string) object.Set { return tables().event.Set(names...) }

// prepare computes the next event and the sets of members.
func (in *input) prepare() {
	if diag.Modify.Has(in.on) {
		in.modify()
	} else {
		in.next, in.changed = in.asked(), in.present
	}
	in.parseTimes()
}

// modify computes the next event and the sets of members for a modification.
func (in *input) modify() {
	in.present = tables().event.Present(in.sent)
	in.dropNullsOfStored()
	in.next = in.complete()
	keepImmutable(in, in.next)
	in.changed = tables().event.ChangedText(in.stored, in.next, object.All)
	if in.isPartial() {
		in.changed = in.present // a null within an object may break a rule regardless of the stored value
	}
	if written := in.written(); written != in.next {
		in.changed |= tables().event.ChangedText(in.stored, written, ofOriginalStartTime) // rules about parts of a time also apply
	}
}

// dropNullsOfStored drops the nulls of the stored event, which mean absence, from the members that may differ, so that they do not
// count as changes.
func (in *input) dropNullsOfStored() {
	if only := in.mayDiffer(); tables().event.HasNulls(in.stored, only) {
		in.stored = new(*in.stored)
		tables().event.DropNulls(in.stored, only)
	}
}

// complete returns the requested event after the steps of [serverPart].
func (in *input) complete() *Event {
	e := new(*in.asked())
	in.apply(serverPart, e)
	return e
}

// keepImmutable restores the stored values of members that cannot change. Rules then see the stored values even if a request to
// change them is refused. A request may set an absent eventType to the default type.
func keepImmutable(in *input, e *Event) {
	if in.existing != knownEvent {
		return
	}
	keep := tables().immutable & in.present
	if in.stored.EventType == "" && e.EventType == constraint.TypeDefault {
		keep &^= ofEventType
	}
	tables().event.Copy(e, in.stored, keep)
}

// written returns the next event as if no member were immutable, because sent values are checked even if they are not
// stored. If the request changes no immutable member, written returns the next event itself.
func (in *input) written() *Event {
	written := tables().immutable & in.present
	if in.existing != knownEvent || written == 0 || tables().event.ChangedText(in.stored, in.sent, written) == 0 {
		return in.next
	}
	return in.complete()
}

// takesOneResponse reports whether the request changes only the participant's response.
func (c *change) takesOneResponse() bool {
	return c.on == diag.Update && c.sent.AttendeesOmitted
}

// callerIsNotCreator reports whether the caller is known not to be the event's creator, either from the facts in the
// request or from the email addresses.
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

// answering returns the index of the stored participant whose response an update with attendeesOmitted changes, or -1
// if the body does not contain the participant.
func (in *input) answering() int {
	return in.participantAmong(in.stored.Attendees, func(a *Attendee) bool { return in.sentFor(a) >= 0 })
}

// participantAmong returns the index of the attendee who represents the calendar or the caller, or -1 if there is none.
// Among the attendees for whom counts returns true, participantAmong prefers an attendee with self set, then the
// caller, and then, in the organizer's calendar, the organizer.
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

// respondAs copies from other the members that a response changes.
func (a *Attendee) respondAs(other *Attendee) {
	a.ResponseStatus, a.Comment, a.AdditionalGuests = other.ResponseStatus, other.Comment, other.AdditionalGuests
}

// isParticipant reports whether a stored attendee represents the caller. In the organizer's calendar, the attendee with
// the organizer's address represents the caller.
func (in *input) isParticipant(a *Attendee) bool {
	o := in.stored.Organizer.orZero()
	return a.Self || isCaller(in, a.Email) || o.Self && isAddressed(a, o.Email)
}

// isSameList reports whether two lists share their elements in memory. A list that a request does not send is shared
// with the stored event.
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

// sameTime reports whether two times are the same date or instant, even if they are written differently.
func sameTime(a, b *Time) bool {
	if tables().time.Equal(a, b) {
		return true
	}
	first, second := parseTime(a), parseTime(b)
	order, ok := first.compare(&second)
	return ok && order == 0
}

// changedInEffect returns the members whose meaning the request changes. An update that omits the sequence does not change it.
func (in *input) changedInEffect() object.Set {
	changed := tables().event.ChangedValue(in.stored.WithDefaults(), in.next.WithDefaults(), ^in.ignored())
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

// sameStart reports whether two times are equal and have the same zone. The zone matters because it determines the
// expansion of a series.
func sameStart(a, b *Time) bool {
	return a == b || a != nil && b != nil && a.TimeZone == b.TimeZone && sameTime(a, b)
}

// changesType reports whether an import changes the type of the event.
func changesType(e *Event) bool {
	return e.EventType != "" && e.EventType != constraint.TypeDefault && constraint.EventType.Has(e.EventType)
}

// imported returns the event that importing e stores.
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
	in.start.offsets, in.end.offsets, in.original.offsets = &in.seasons, &in.seasons, &in.seasons
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

// keepOtherFields restores the stored members of a working location that [workingLocationOtherFields] ignores. A member that
// the request clears is not restored.
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
