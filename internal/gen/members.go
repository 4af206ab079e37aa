package gen

import (
	"slices"
	"sync"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/operation"
)

var (
	// typesOfClients are the event types that a client can create, the default type first.
	typesOfClients = newTypesOfClients()

	// freeTimeTypes are the types of events that are never all-day and have no guests.
	freeTimeTypes = []string{constraint.TypeFocusTime, constraint.TypeOutOfOffice}
)

func newTypesOfClients() []string {
	others := slices.DeleteFunc(constraint.EventType.ForNew().Values(), func(t string) bool { return t == constraint.TypeDefault })
	return slices.Insert(others, 0, constraint.TypeDefault)
}

// lockedMembers returns the members that cannot change while an event is locked.
var lockedMembers = membersThat(func(f *field) bool { return f.FixedIfLocked })

// fromMailMembers returns the members that can change in an event of type fromMail.
var fromMailMembers = membersThat(func(f *field) bool { return f.FreeInMail })

// membersThat returns a function that lists the members of an event for which the function are returns true.
func membersThat(are func(*field) bool) func() []string {
	return sync.OnceValue(func() (names []string) {
		for _, f := range fields() {
			if f.isTop() && are(f) {
				names = append(names, f.Path)
			}
		}
		return names
	})
}

// isTimedOnly reports whether events of the type cannot be all-day.
func isTimedOnly(eventType string) bool { return slices.Contains(freeTimeTypes, eventType) }

// hasGuests reports whether events of the type may have attendees and a conference.
func hasGuests(eventType string) bool { return !isTimedOnly(eventType) }

// needParams adds missing query parameters without which a server would refuse or ignore members of the body. The function
// sends reports whether the body has a member.
func needParams(params operation.Params, sends func(member string) bool) {
	need := func(name, value string) {
		if params[name] == nil {
			params[name] = []string{value}
		}
	}
	if sends("conferenceData") {
		need("conferenceDataVersion", "1")
	}
	if sends("attachments") {
		need("supportsAttachments", "true")
	}
	if sends("eventLabelId") {
		need("eventLabelVersion", "1")
	} else if sends("colorId") {
		need("eventLabelVersion", "0")
	}
}
