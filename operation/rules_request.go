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

var operationCatalogue = diag.Rule[request]{ // kept by Lookup and Resolve
	Doc: &diag.Doc{
		ID:    "operation.catalogue",
		Kind:  diag.Effect,
		When:  diag.All,
		Basis: diag.Stated,
		Summary: "A request is for one of the 38 operations of the endpoint table; its method and path resolve to that one " +
			"operation and its path parameters, and primary is the keyword for the primary calendar.",
		Section: sectionEndpoints,
		Why:     "Whatever else is checked depends on which operation it is.",
		Accept:  diag.Example{Request: requestFor(ColorsGet), Answer: accepted},
		Refuse:  diag.Example{Request: requestFor("colors.list"), Answer: notAccepted},
	},
}

var scopeInsert = diag.Rule[request]{
	Doc: &diag.Doc{
		ID:    "scope.insert",
		Kind:  diag.Reject,
		When:  diag.Insert,
		Basis: diag.Stated,
		Summary: "The caller's token has at least one of the scopes auth/calendar, auth/calendar.events, " +
			"auth/calendar.app.created and auth/calendar.events.owned under the scope base.",
		Section: sectionAuthentication,
		Why: "A scope is compared as a whole: auth/calendar.readonly is not auth/calendar. The documents do not show the " +
			"scope base, so any that is not empty will do unless the caller names one.",
		Accept: diag.Example{Request: callerWith(`"scopes":["https://scope.example/auth/calendar.events"]`)},
		Refuse: diag.Example{Request: callerWith(`"scopes":["https://scope.example/auth/calendar.readonly"]`)},
	},
	Check: checkScope,
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

var scopeUnspecified = diag.Rule[request]{
	Doc: &diag.Doc{
		ID:      "scope.unspecified",
		Kind:    diag.Unspecified,
		When:    diag.All,
		Basis:   diag.Stated,
		Summary: "The scopes that operations other than events.insert need are not shown.",
		Section: sectionAuthentication,
		Why: "Whether the caller's scopes suffice is then not for this library to say. The finding is made where the caller's " +
			"scopes are known, for only then does the request ask for an answer.",
		Accept: diag.Example{Request: callerWith(`"scopes":["https://scope.example/auth/calendar"]`)},
		Refuse: diag.Example{Request: requestFor(ColorsGet, `"caller":{"scopes":["https://scope.example/auth/calendar"]}`)},
	},
	Check: checkScopeUnspecified,
}

func checkScopeUnspecified(in request, r diag.Reporter) {
	if in.operation.Scopes == nil && in.caller.Scopes != nil {
		r.Report("", "The documents do not show which scopes %s needs; whether the caller's suffice is for you to decide.", in.operation.ID)
	}
}

var calendarsClear = diag.Rule[request]{
	Doc: &diag.Doc{
		ID:      "calendars.clear",
		Kind:    diag.Reject,
		When:    diag.CalendarsClear,
		Basis:   diag.Stated,
		Summary: "Only a primary calendar is cleared.",
		Section: sectionBehavior,
		Why:     "A primary calendar cannot be deleted, so it can be emptied instead; a secondary one is deleted.",
		Accept:  diag.Example{Request: requestFor(CalendarsClear, `"calendar":{"primary":true}`)},
		Refuse:  diag.Example{Request: requestFor(CalendarsClear, `"calendar":{"primary":false}`)},
	},
	Check: checkClear,
}

func checkClear(in request, r diag.Reporter) {
	if p := in.calendar.Primary; p != nil && !*p {
		r.Report("", "The calendar is secondary; only a primary calendar is cleared. Delete it, or delete its events one by one.")
	}
}

var calendarsDelete = diag.Rule[request]{
	Doc: &diag.Doc{
		ID:      "calendars.delete",
		Kind:    diag.Reject,
		When:    diag.CalendarsDelete,
		Basis:   diag.Stated,
		Summary: "Only a secondary calendar is deleted.",
		Section: sectionBehavior,
		Why:     "Every user has a primary calendar; it can be cleared but not deleted.",
		Accept:  diag.Example{Request: requestFor(CalendarsDelete, `"calendar":{"primary":false}`)},
		Refuse:  diag.Example{Request: requestFor(CalendarsDelete, `"calendar":{"primary":true}`)},
	},
	Check: checkDelete,
}

func checkDelete(in request, r diag.Reporter) {
	if in.calendar.isPrimary() {
		r.Report("", "The calendar is primary; only a secondary calendar is deleted. Clear it to delete all its events.")
	}
}

// isPrimary reports whether the calendar is known to be a primary one.
func (c *Calendar) isPrimary() bool { return c.Primary != nil && *c.Primary }

var calendarsInsert = diag.Rule[request]{ // kept by NewCalendar
	Doc: &diag.Doc{
		ID:      "calendars.insert",
		Kind:    diag.Effect,
		When:    diag.CalendarsInsert,
		Basis:   diag.Stated,
		Summary: "An insert creates a secondary calendar; the authenticated user becomes its data owner.",
		Section: sectionBehavior,
		Why:     "The new calendar can be deleted and transferred, but not cleared: it is no primary one.",
		Accept:  diag.Example{Request: requestFor(CalendarsInsert), Answer: accepted},
		Refuse:  diag.Example{Request: requestFor(CalendarsClear, `"calendar":{"primary":true}`), Answer: accepted},
	},
}

var transferCalendar = diag.Rule[request]{
	Doc: &diag.Doc{
		ID:    "calendars.transfer.calendar",
		Kind:  diag.Reject,
		When:  diag.CalendarsTransfer,
		Basis: diag.Stated,
		Summary: "What is transferred is a secondary, active calendar, between users of one organization, by a user with the " +
			"Manage Calendars administrator privilege.",
		Section: sectionBehavior,
		Why: "Transferring primary, disabled and deleted calendars is not supported. What is checked is what the sender " +
			"tells: that the calendar is secondary and active, and that the caller is no service account acting for itself. " +
			"Organization and privilege are for the server to look up.",
		Accept: diag.Example{Request: requestFor(CalendarsTransferOwnership, transferable, `"calendar":{"primary":false,"status":"active"}`)},
		Refuse: diag.Example{Request: requestFor(CalendarsTransferOwnership, transferable, `"calendar":{"primary":false,"status":"disabled"}`)},
	},
	Check: checkTransferCalendar,
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

var channelsStop = diag.Rule[request]{ // kept by the endpoint table and Operation.Watches
	Doc: &diag.Doc{
		ID:      "channels.stop",
		Kind:    diag.Effect,
		When:    diag.ChannelsStop,
		Basis:   diag.Stated,
		Summary: "channels.stop ends a watch; Acl, CalendarList, Events and Settings have one watch operation each.",
		Section: sectionNotifications,
		Why:     "There is one way to end a watch, whatever it watches. Channels themselves are not watched.",
		Accept:  diag.Example{Request: requestFor(ChannelsStop), Answer: accepted},
		Refuse:  diag.Example{Request: requestFor("channels.watch"), Answer: notAccepted},
	},
}

var operationUnspecified = diag.Rule[*Operation]{
	Doc: &diag.Doc{
		ID:      "operation.unspecified",
		Kind:    diag.Unspecified,
		When:    diag.All,
		Basis:   diag.Stated,
		Summary: "Query parameters and bodies that the documents do not show for an operation are left to the caller.",
		Section: sectionBehavior,
		Why: "A body that the documents do not show cannot be checked, and passing it in silence would look like approval. " +
			"The same goes for parameters of every operation but events.insert that they do not name; param.unknown speaks of each one besides.",
		Accept: diag.Example{Request: sample.Timed()},
		Refuse: diag.Example{Request: sample.Request(string(ACLInsert), []string{`"role":"reader"`})},
	},
	Check: checkUnspecified,
}

// checkParamUnspecified reports an unlisted parameter of an operation that may have others than
// the documents show. It speaks for [operationUnspecified].
func checkParamUnspecified(u unlisted, r diag.Reporter) {
	if !u.operation.ParamsShown {
		r.Report(diag.Param(u.name), "The documents do not show all query parameters of %s; whether this one is right is for you to decide.", u.operation.ID)
	}
}

func checkUnspecified(op *Operation, r diag.Reporter) {
	if !op.EventBody {
		r.Report("", "The documents do not show a request body for %s; whether this one is right is for you to decide.", op.ID)
	}
}
