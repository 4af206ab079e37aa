package gen

import (
	"slices"
	"sync"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/operation"
)

var (
	// typesOfClients are the event types that a client creates, the default one first.
	typesOfClients = newTypesOfClients()

	// freeTimeTypes are the types of events that are never all-day and have no guests.
	freeTimeTypes = []string{constraint.TypeFocusTime, constraint.TypeOutOfOffice}
)

func newTypesOfClients() []string {
	others := slices.DeleteFunc(constraint.EventType.ForNew().Values(), func(t string) bool { return t == constraint.TypeDefault })
	return slices.Insert(others, 0, constraint.TypeDefault)
}

// lockedMembers do not change while an event is locked.
var lockedMembers = membersThat(func(f *field) bool { return f.FixedIfLocked })

// fromMailMembers are the only members that change while an event is of type fromMail.
var fromMailMembers = membersThat(func(f *field) bool { return f.FreeInMail })

// membersThat returns a function that returns the names of the members of an event for which are
// returns true.
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

// isTimedOnly reports whether events of the type are never all-day.
func isTimedOnly(eventType string) bool { return slices.Contains(freeTimeTypes, eventType) }

// hasGuests reports whether events of the type have attendees, and may have a conference.
func hasGuests(eventType string) bool { return !isTimedOnly(eventType) }

// needParams adds the query parameters without which a server refuses members of the body or
// ignores them, unless the parameters are there. sends reports whether the body has a member
// that matters.
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
