package event

import (
	"errors"
	"fmt"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
)

// PatchToRespond returns the patch of a stored event with which an attendee answers: with a responseStatus such as
// "accepted". The other attendees stay as they are, because a patch replaces the whole array. It returns an error if the
// event does not have the attendee or may lack others, or if there is no such status.
func (e *Event) PatchToRespond(email, responseStatus string) (patch []byte, err error) {
	if err := knowsAttendees(e); err != nil {
		return nil, err
	}
	if status := constraint.ResponseStatus; !status.Has(responseStatus) {
		return nil, fmt.Errorf("event: the response status is %s; it must be %s", engine.Quote(responseStatus), status)
	}
	next := e.Clone()
	attendee := findAttendee(next.Attendees, email)
	if attendee == nil {
		return nil, fmt.Errorf("event: the event has no attendee %s", engine.Quote(email))
	}
	attendee.ResponseStatus = responseStatus
	return e.patchTo(next), nil
}

// PatchToAdd returns the patch that adds attendees to a stored event. Attendees whose address the event has are left as
// they are. It returns an error if the event may lack attendees, which the patch would remove.
func (e *Event) PatchToAdd(added ...Attendee) (patch []byte, err error) {
	if err := knowsAttendees(e); err != nil {
		return nil, err
	}
	next := e.Clone()
	for _, a := range added {
		if findAttendee(next.Attendees, a.Email) == nil {
			next.Attendees = append(next.Attendees, a)
		}
	}
	return e.patchTo(next), nil
}

// PatchToRemove returns the patch that removes the attendees with the addresses from a stored event. An address that no
// attendee has is ignored. It returns an error if the event may lack attendees, which the patch would remove too.
func (e *Event) PatchToRemove(emails ...string) (patch []byte, err error) {
	if err := knowsAttendees(e); err != nil {
		return nil, err
	}
	next := e.Clone()
	next.Attendees = slices.DeleteFunc(next.Attendees, func(a Attendee) bool {
		return slices.ContainsFunc(emails, func(email string) bool { return isAddressed(&a, email) })
	})
	return e.patchTo(next), nil
}

// knowsAttendees returns an error unless an event has all of its attendees.
func knowsAttendees(e *Event) error {
	switch {
	case e == nil:
		return errors.New("event: the stored event is nil")
	case e.AttendeesOmitted:
		return errors.New("event: the stored event lacks attendees (attendeesOmitted); read it again without maxAttendees")
	default:
		return nil
	}
}

// patchTo returns the patch of a change of members that have the same name in each dialect.
func (e *Event) patchTo(next *Event) []byte {
	patch, _ := e.PatchTo(next, diag.Documents)
	return patch
}
