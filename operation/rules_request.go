package operation

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// requestFor is an example: a request for an operation with nothing but further members.
func requestFor(id ID, members ...string) string {
	return `{` + strings.Join(append([]string{`"op":"` + string(id) + `"`}, members...), ",") + `}`
}

// accepted and notAccepted are answers of examples.
const (
	accepted    = `{"accepted":true}`
	notAccepted = `{"accepted":false}`
)

// transferable are the parameters of an ownership transfer with which nothing is wrong.
const transferable = `"params":{"newDataOwner":"ada@example.org","useAdminAccess":"true"}`

var operationCatalogue = diag.Rule{
	ID:    "operation.catalogue",
	Kind:  diag.Effect,
	When:  diag.All,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A request is for one of the 38 operations of the endpoint table; its method and path resolve to that one " +
		"operation and its path parameters, and primary is the keyword for the primary calendar.",
	Section: sectionEndpoints,
	Why:     "Whatever else is checked depends on which operation it is.",
	Good:    diag.Example{Request: requestFor(ColorsGet), Answer: accepted},
	Bad:     diag.Example{Request: requestFor("colors.list"), Answer: notAccepted},
}

var scopeInsert = diag.Rule{
	ID:    "scope.insert",
	Kind:  diag.Reject,
	When:  diag.Insert,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The caller's token has at least one of the scopes auth/calendar, auth/calendar.events, " +
		"auth/calendar.app.created and auth/calendar.events.owned under the scope base.",
	Section: sectionAuthentication,
	Why: "A scope is compared as a whole: auth/calendar.readonly is not auth/calendar. The documents do not show the " +
		"scope base, so any that is not empty will do unless the caller names one.",
	Good:  diag.Example{Request: callerWith(`"scopes":["https://scope.example/auth/calendar.events"]`)},
	Bad:   diag.Example{Request: callerWith(`"scopes":["https://scope.example/auth/calendar.readonly"]`)},
	Check: ofTheWhole(checkScope),
}

// callerWith is an example: an insert by a caller of whom this is known.
func callerWith(facts string) string {
	return sample.With(sample.Timed(), `"caller":{`+facts+`}`)
}

func checkScope(in request, r diag.Reporter) {
	needed := in.operation.Scopes
	if needed == nil || in.caller.Scopes == nil || in.caller.hasScope(needed) {
		return
	}
	r.Report("", "None of the scopes of the caller's token (there are %d) suffices for %s; it needs one of %s, under the scope base.",
		len(in.caller.Scopes), in.operation.ID, strings.Join(needed, ", "))
}

var scopeUnspecified = diag.Rule{
	ID:    "scope.unspecified",
	Kind:  diag.Unspecified,
	When:  diag.All,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The scopes that operations other than events.insert need are not shown.",
	Section: sectionAuthentication,
	Why: "Whether the caller's scopes suffice is then not for this library to say. The finding is made where the caller's " +
		"scopes are known, for only then does the request ask for an answer.",
	Good:  diag.Example{Request: callerWith(`"scopes":["https://scope.example/auth/calendar"]`)},
	Bad:   diag.Example{Request: requestFor(ColorsGet, `"caller":{"scopes":["https://scope.example/auth/calendar"]}`)},
	Check: ofTheWhole(checkScopeUnspecified),
}

func checkScopeUnspecified(in request, r diag.Reporter) {
	if in.operation.Scopes == nil && in.caller.Scopes != nil {
		r.Report("", "The documents do not show which scopes %s needs; whether the caller's suffice is for you to decide.", in.operation.ID)
	}
}

var calendarsClear = diag.Rule{
	ID:    "calendars.clear",
	Kind:  diag.Reject,
	When:  diag.CalendarsClear,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Only a primary calendar is cleared.",
	Section: sectionBehavior,
	Why:     "A primary calendar cannot be deleted, so it can be emptied instead; a secondary one is deleted.",
	Good:    diag.Example{Request: requestFor(CalendarsClear, `"calendar":{"primary":true}`)},
	Bad:     diag.Example{Request: requestFor(CalendarsClear, `"calendar":{"primary":false}`)},
	Check:   ofTheWhole(checkClear),
}

func checkClear(in request, r diag.Reporter) {
	if p := in.calendar.Primary; p != nil && !*p {
		r.Report("", "The calendar is secondary; only a primary calendar is cleared. Delete it, or delete its events one by one.")
	}
}

var calendarsDelete = diag.Rule{
	ID:    "calendars.delete",
	Kind:  diag.Reject,
	When:  diag.CalendarsDelete,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Only a secondary calendar is deleted.",
	Section: sectionBehavior,
	Why:     "Every user has a primary calendar; it can be cleared but not deleted.",
	Good:    diag.Example{Request: requestFor(CalendarsDelete, `"calendar":{"primary":false}`)},
	Bad:     diag.Example{Request: requestFor(CalendarsDelete, `"calendar":{"primary":true}`)},
	Check:   ofTheWhole(checkDelete),
}

func checkDelete(in request, r diag.Reporter) {
	if in.calendar.isPrimary() {
		r.Report("", "The calendar is primary; only a secondary calendar is deleted. Clear it to delete all its events.")
	}
}

// isPrimary reports whether the calendar is known to be a primary one.
func (c *Calendar) isPrimary() bool { return c.Primary != nil && *c.Primary }

var calendarsInsert = diag.Rule{
	ID:    "calendars.insert",
	Kind:  diag.Effect,
	When:  diag.CalendarsInsert,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "An insert creates a secondary calendar; the authenticated user becomes its data owner.",
	Section: sectionBehavior,
	Why:     "The new calendar can be deleted and transferred, but not cleared: it is no primary one.",
	Good:    diag.Example{Request: requestFor(CalendarsInsert), Answer: accepted},
	Bad:     diag.Example{Request: requestFor(CalendarsClear, `"calendar":{"primary":true}`), Answer: accepted},
}

var transferCalendar = diag.Rule{
	ID:    "calendars.transfer.calendar",
	Kind:  diag.Reject,
	When:  diag.CalendarsTransfer,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "What is transferred is a secondary, active calendar, between users of one organization, by a user with the " +
		"Manage Calendars administrator privilege.",
	Section: sectionBehavior,
	Why: "Transferring primary, disabled and deleted calendars is not supported. What is checked is what the sender " +
		"tells: that the calendar is secondary and active, and that the caller is no service account acting for itself. " +
		"Organization and privilege are for the server to look up.",
	Good:  diag.Example{Request: requestFor(CalendarsTransferOwnership, transferable, `"calendar":{"primary":false,"status":"active"}`)},
	Bad:   diag.Example{Request: requestFor(CalendarsTransferOwnership, transferable, `"calendar":{"primary":false,"status":"disabled"}`)},
	Check: ofTheWhole(checkTransferCalendar),
}

func checkTransferCalendar(in request, r diag.Reporter) {
	if in.calendar.isPrimary() {
		r.Report("", "The calendar is primary; only a secondary calendar is transferred.")
	}
	if s := in.calendar.Status; s != "" && s != StatusActive {
		r.Report("", "The calendar's status is %s; it must be %s to be transferred.", diag.Quote(s), StatusActive)
	}
	if in.caller.isServiceAccount() {
		r.Report("", "The caller is a service account; a transfer needs a user with the Manage Calendars administrator privilege.")
	}
}

var channelsStop = diag.Rule{
	ID:    "channels.stop",
	Kind:  diag.Effect,
	When:  diag.ChannelsStop,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "channels.stop ends a watch; Acl, CalendarList, Events and Settings have one watch operation each.",
	Section: sectionNotifications,
	Why:     "There is one way to end a watch, whatever it watches. Channels themselves are not watched.",
	Good:    diag.Example{Request: requestFor(ChannelsStop), Answer: accepted},
	Bad:     diag.Example{Request: requestFor("channels.watch"), Answer: notAccepted},
}

var operationUnspecified = diag.Rule{
	ID:    "operation.unspecified",
	Kind:  diag.Unspecified,
	When:  diag.All,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Query parameters and bodies that the documents do not show for an operation are left to the caller.",
	Section: sectionBehavior,
	Why: "A body that the documents do not show cannot be checked, and passing it in silence would look like approval. " +
		"The same goes for parameters of every operation but events.insert that they do not name; param.unknown speaks of each one besides.",
	Good:  diag.Example{Request: sample.Timed()},
	Bad:   diag.Example{Request: sample.Request(string(ACLInsert), []string{`"role":"reader"`})},
	Check: requestCheck(checkUnspecified),
}

func checkUnspecified(in request, r diag.Reporter) {
	switch op := in.operation; {
	case in.part == ofUnlisted && !op.ParamsShown:
		r.Report(diag.Param(in.unlisted), "The documents do not show all query parameters of %s; whether this one is right is for you to decide.", op.ID)
	case in.part == ofBody && !op.EventBody:
		r.Report("", "The documents do not show a request body for %s; whether this one is right is for you to decide.", op.ID)
	}
}
