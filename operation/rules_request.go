package operation

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
)

// requestFor returns an example: a request for an operation with the other members.
func requestFor(id ID, members ...string) diag.Example {
	op := `"op":"` + string(id) + `"`
	return diag.Example{Request: `{` + strings.Join(append([]string{op}, members...), ",") + `}`}
}

// callerWith returns an example: an insert by a caller with the facts.
func callerWith(facts string) diag.Example {
	return sample.With(sample.Timed(), `"caller":{`+facts+`}`)
}

// The functions that show the rules with a [diag.Effect] at work. The first encodes the
// operation with the id in the request, or null if there is none. The others encode the result of
// the method of that operation; NewCalendar is called with the caller of the request.
const (
	viaLookup      = "operation.Lookup"
	viaWatch       = "operation.Operation.WatchEffect"
	viaNewCalendar = "operation.Operation.NewCalendar"
)

var operationCatalogue = diag.Rule{
	ID: "operation.catalogue", Describes: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A request is for one of the 38 operations of the endpoint table. Its method and path determine the " +
		"operation and the path parameters. The calendar id primary means the primary calendar.",
	Section: sectionEndpoints,
	Why:     "The operation determines which other rules apply.",
	Good:    sample.Via(viaLookup, requestFor("colors.get"), `{"id":"colors.get","method":"GET","path":"/colors"}`),
	Bad:     sample.Via(viaLookup, requestFor("colors.list"), `null`),
}

var scopeInsert = diag.Rule{
	ID: "scope.insert", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The access token of the caller has at least one of the scopes auth/calendar, auth/calendar.events, " +
		"auth/calendar.app.created and auth/calendar.events.owned below the scope base.",
	Section: sectionAuthentication,
	Status:  403, Reason: "insufficientPermissions",
	Why: "Scopes are compared as a whole: auth/calendar.readonly is not auth/calendar. The documents do not show the " +
		"scope base, so any base that is not empty is accepted unless the caller specifies one.",
	Says: diag.Sentences{
		{Key: "missing", Text: "None of the scopes of the access token allows {operation}; request one of {scopes} below {base}."},
		{Key: "base", Text: "the scope base"},
	},
	Good:  callerWith(`"scopes":["https://scope.example/auth/calendar.events"]`),
	Bad:   callerWith(`"scopes":["https://scope.example/auth/calendar.readonly"]`),
	Check: check(checkScope),
}

func checkScope(in input, r engine.Reporter) {
	needed := in.operation.Scopes
	if in.caller.Scopes == nil || in.caller.HasScope(needed...) {
		return
	}
	in.reportScopes(r, needed)
}

var scopeUnspecified = diag.Rule{
	ID: "scope.unspecified", Kind: diag.Unspecified, When: diag.All, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The documents do not show which scopes operations other than events.insert require.",
	Section: sectionAuthentication,
	Why: "The library cannot decide whether the scopes of the caller are sufficient. The finding is reported only if the " +
		"scopes are known, because only then does the caller expect an answer.",
	OnlyIn: new(diag.Documents),
	Says:   diag.Sentences{{Key: "unspecified", Text: "The documents do not show which scopes {operation} requires; decide whether those of the access token are sufficient."}},
	Good:   callerWith(`"scopes":["https://scope.example/auth/calendar"]`),
	Bad:    requestFor("colors.get", `"caller":{"scopes":["https://scope.example/auth/calendar"]}`),
	Check:  check(checkScopeUnspecified),
}

func checkScopeUnspecified(in input, r engine.Reporter) {
	if in.operation.Scopes == nil && in.caller.Scopes != nil {
		r.Report("", "unspecified", in.operationArg())
	}
}

var scopeOperation = diag.Rule{
	ID: "scope.operation", Kind: diag.Reject, When: diag.All, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "The access token of the caller has at least one of the scopes that the public service shows for the operation.",
	Section: sectionObserved,
	Status:  403, Reason: "insufficientPermissions",
	Seen:     "The reference of the public service lists the scopes of each operation.",
	Reported: []string{discoveryPage},
	Why:      "It holds in the dialect of the public service only. The scopes of events.insert are stated: see scope.insert.",
	OnlyIn:   new(diag.Google),
	Says:     scopeInsert.Says,
	Good:     requestFor("colors.get", `"dialect":"google"`, `"caller":{"scopes":["https://www.googleapis.com/auth/calendar.readonly"]}`),
	Bad:      requestFor("colors.get", `"dialect":"google"`, `"caller":{"scopes":["https://www.googleapis.com/auth/userinfo.email"]}`),
	Check:    check(checkScopeOperation),
}

func checkScopeOperation(in input, r engine.Reporter) {
	needed := in.operation.public().Scopes
	if in.operation.Scopes == nil && in.caller.Scopes != nil && !in.caller.HasScope(needed...) {
		in.reportScopes(r, needed)
	}
}

// reportScopes reports that none of the scopes of the caller is one of those that are needed.
func (in input) reportScopes(r engine.Reporter, needed []string) {
	base := wording.Part("base", "base")
	if known := in.caller.ScopeBase; known != "" {
		base = diag.Plain("base", known)
	}
	r.Report("", "missing", in.operationArg(), diag.Plain("scopes", strings.Join(needed, ", ")), base)
}

var calendarsClear = diag.Rule{
	ID: "calendars.clear", Kind: diag.Reject, When: diag.CalendarsClear, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Only a primary calendar can be cleared.",
	Section: sectionBehavior + ", 9",
	Why:     "A primary calendar cannot be deleted, so it can be cleared instead. A secondary calendar can be deleted.",
	Says:    diag.Sentences{{Key: "secondary", Text: "The calendar is secondary; only a primary calendar can be cleared. Delete the calendar, or delete its events one by one."}},
	Good:    requestFor("calendars.clear", `"calendar":{"primary":true}`),
	Bad:     requestFor("calendars.clear", `"calendar":{"primary":false}`),
	Check:   check(checkClear),
}

func checkClear(in input, r engine.Reporter) {
	if p := in.calendar.Primary; p != nil && !*p {
		r.Report("", "secondary")
	}
}

var calendarsDelete = diag.Rule{
	ID: "calendars.delete", Kind: diag.Reject, When: diag.CalendarsDelete, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Only a secondary calendar can be deleted.",
	Section: sectionBehavior + ", 10",
	Why:     "A primary calendar can be cleared but not deleted.",
	Says:    diag.Sentences{{Key: "primary", Text: "The calendar is primary; only a secondary calendar can be deleted. Clear the calendar to delete all its events."}},
	Good:    requestFor("calendars.delete", `"calendar":{"primary":false}`),
	Bad:     requestFor("calendars.delete", `"calendar":{"primary":true}`),
	Check:   check(checkDelete),
}

func checkDelete(in input, r engine.Reporter) {
	if in.calendar.isPrimary() {
		r.Report("", "primary")
	}
}

var calendarsInsert = diag.Rule{
	ID: "calendars.insert", Describes: diag.Effect, When: diag.CalendarsInsert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "An insert creates a secondary calendar, and the authenticated user becomes its data owner.",
	Section: sectionBehavior + ", 11",
	Why:     "The new calendar can be deleted and transferred, but not cleared. An insert into the calendar list creates no calendar.",
	Good: sample.Via(viaNewCalendar, requestFor("calendars.insert", `"caller":{"email":"ada@example.org"}`),
		`{"calendar":{"primary":false},"dataOwner":"ada@example.org"}`),
	Bad: sample.Via(viaNewCalendar, requestFor("calendarList.insert", `"caller":{"email":"ada@example.org"}`),
		`null`),
}

var transferCalendar = diag.Rule{
	ID: "calendars.transfer.calendar", Kind: diag.Reject, When: diag.CalendarsTransfer, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A user with the Manage Calendars administrator privilege transfers a secondary, active calendar between " +
		"users of one organization.",
	Section: sectionBehavior + ", 12",
	Why: "Primary, disabled and deleted calendars cannot be transferred. The library checks what the request says: that " +
		"the calendar is secondary and active, and that the caller is not a service account that acts for itself. " +
		"The server must check the organization and the privilege.",
	Says: diag.Sentences{
		{Key: "primary", Text: "The calendar is primary; only a secondary calendar can be transferred."},
		{Key: "status", Text: "The status of the calendar is {status}; it must be {must}. Disabled and deleted calendars cannot be transferred."},
		{Key: "service-account", Text: "The caller is a service account; send the request as a user with the Manage Calendars administrator privilege."},
	},
	Good:  requestFor("calendars.transferOwnership", transferable, `"calendar":{"primary":false,"status":"active"}`),
	Bad:   requestFor("calendars.transferOwnership", transferable, `"calendar":{"primary":false,"status":"disabled"}`),
	Check: check(checkTransferCalendar),
}

// transferable is the valid query parameters of a transfer of ownership.
const transferable = `"params":{"newDataOwner":"ada@example.org","useAdminAccess":"true"}`

func checkTransferCalendar(in input, r engine.Reporter) {
	if in.calendar.isPrimary() {
		r.Report("", "primary")
	}
	if s := in.calendar.Status; s != "" && s != statusActive {
		r.Report("", "status", diag.Value("status", s), diag.Name("must", statusActive))
	}
	if in.caller.isServiceAccount() {
		r.Report("", "service-account")
	}
}

var channelsStop = diag.Rule{
	ID: "channels.stop", Describes: diag.Effect, When: diag.ChannelsStop, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The operation channels.stop stops a watch; Acl, CalendarList, Events and Settings have one watch operation each.",
	Section: sectionNotifications,
	Why:     "It stops watching resources through a channel. The documents do not show how a request names the channel.",
	Good:    sample.Via(viaWatch, requestFor("channels.stop"), `"stops"`),
	Bad:     sample.Via(viaWatch, requestFor(EventsWatch), `"starts"`),
}

var operationUnspecified = diag.Rule{
	ID: "operation.unspecified", Kind: diag.Unspecified, When: diag.All, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The caller decides about query parameters and bodies that the documents do not show.",
	Section: sectionBehavior,
	Why: "A body that the documents do not show cannot be checked, and silence about it would look like approval. " +
		"The same is true of parameters that the documents do not name, except for events.insert. Each such parameter " +
		"is reported; param.unknown also advises on one that the public service is not observed to take. A value of " +
		"maxAttendees or showDeleted that is not an integer or a boolean is reported where no rule rejects it.",
	Says: diag.Sentences{
		{Key: "value", Text: "The documents do not show what {seen} means to {operation} as the value of {parameter}; decide whether yours takes it."},
		{Key: "observed", Text: "The documents do not show the query parameter {parameter} of {operation}, but the public service takes it; decide whether yours does."},
		{Key: "parameter", Text: "The documents do not show all query parameters of {operation}, so {seen} may be one of them."},
		{Key: "body", Text: "The documents do not show a request body for {operation}; decide whether this one is correct."},
	},
	Good:          sample.Timed(),
	Bad:           sample.Request("calendars.clear", `"reason":"moving"`),
	YieldsToValue: true,
	Check:         check(checkUnspecified),
}

func checkUnspecified(in input, r engine.Reporter) {
	switch op := in.operation; {
	case r.Dialect() == diag.Google && (in.part != ofBody || diag.OtherBodies.Has(op.When)):
		// The public service is known to take it, or another rule says that it does not.
	case in.part == ofListed: // no rule is about its value
		if v, ok := in.value(); ok && !in.accepts(v) {
			r.Report(in.path(), "value", diag.Value("seen", v), in.operationArg(), diag.Name("parameter", in.Name))
		}
	case in.part == ofUnlisted && !op.ParamsShown && op.isObserved(in.Name):
		r.Report(in.path(), "observed", diag.Name("parameter", in.Name), in.operationArg())
	case in.part == ofUnlisted && !op.ParamsShown:
		r.Report(in.path(), "parameter", in.operationArg(), diag.Value("seen", in.Name))
	case in.part == ofBody:
		r.Report("", "body", in.operationArg())
	}
}

// operationArg returns the argument that names the operation.
func (in input) operationArg() diag.Arg { return diag.Name("operation", string(in.operation.ID)) }
