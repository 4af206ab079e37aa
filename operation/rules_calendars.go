package operation

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

var transferRequired = diag.Rule{
	ID: "calendars.transfer.params", Kind: diag.Reject, When: diag.CalendarsTransfer, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A transfer of ownership must name the newDataOwner and have useAdminAccess=true.",
	Section: sectionBehavior + ", 12",
	Reason:  "required",
	Why:     "An administrator transfers a calendar that belongs to another user; useAdminAccess confirms the intent.",
	Says:    diag.Sentences{missing, inBody, isEmpty, wrong, {Key: "owner", Text: "the user to whom the calendar is transferred"}},
	Good:    requestWith{"calendars.transferOwnership", `"newDataOwner":"ada@example.org","useAdminAccess":"true"`},
	Bad:     requestWith{"calendars.transferOwnership", `"newDataOwner":"ada@example.org","useAdminAccess":"false"`},
	Check:   check(checkParam),
}

var calendarsClear = diag.Rule{
	ID: "calendars.clear", Kind: diag.Reject, When: diag.CalendarsClear, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Only a primary calendar can be cleared.",
	Section: sectionBehavior + ", 9",
	Why:     "A primary calendar cannot be deleted but can be cleared instead. A secondary calendar can be deleted.",
	Says:    diag.Sentences{{Key: "secondary", Text: "The calendar is secondary, but only a primary calendar can be cleared. Delete the calendar, or delete its events one by one."}},
	Good:    requestFor{"calendars.clear", `"calendar":{"primary":true}`},
	Bad:     requestFor{"calendars.clear", `"calendar":{"primary":false}`},
	Check:   check(checkClear),
}

func checkClear(in *input, r engine.Reporter) {
	if p := in.calendar.Primary; p != nil && !*p {
		r.Report("", "secondary")
	}
}

var calendarsDelete = diag.Rule{
	ID: "calendars.delete", Kind: diag.Reject, When: diag.CalendarsDelete, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Only a secondary calendar can be deleted.",
	Section: sectionBehavior + ", 10",
	Why:     "A primary calendar can be cleared but not deleted.",
	Says:    diag.Sentences{{Key: "primary", Text: "The calendar is primary, but only a secondary calendar can be deleted. To delete all its events, clear the calendar."}},
	Good:    requestFor{"calendars.delete", `"calendar":{"primary":false}`},
	Bad:     requestFor{"calendars.delete", `"calendar":{"primary":true}`},
	Check:   check(checkDelete),
}

func checkDelete(in *input, r engine.Reporter) {
	if in.calendar.isPrimary() {
		r.Report("", "primary")
	}
}

var calendarsInsert = diag.Rule{
	ID: "calendars.insert", Describes: diag.Effect, When: diag.CalendarsInsert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "An insert creates a secondary calendar, and the authenticated user becomes its data owner.",
	Section: sectionBehavior + ", 11",
	Why:     "The new calendar can be deleted and transferred, but not cleared. Inserting into the calendar list does not create a calendar.",
	Good: sample.Via(viaNewCalendar, requestFor{"calendars.insert", `"caller":{"email":"ada@example.org"}`},
		`{"calendar":{"primary":false},"dataOwner":"ada@example.org"}`),
	Bad: sample.Via(viaNewCalendar, requestFor{"calendarList.insert", `"caller":{"email":"ada@example.org"}`},
		`null`),
}

var transferCalendar = diag.Rule{
	ID: "calendars.transfer.calendar", Kind: diag.Reject, When: diag.CalendarsTransfer, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Only a user with the Manage Calendars administrator privilege can transfer a calendar, which must be secondary and active, " +
		"between users of the same organization.",
	Section: sectionBehavior + ", 12",
	Why: "Primary, disabled and deleted calendars cannot be transferred. The library checks only that the calendar is secondary and " +
		"active, and that the caller is not a service account acting for itself. The server must check the organization and the " +
		"privilege.",
	Says: diag.Sentences{
		{Key: "primary", Text: "The calendar is primary, but only a secondary calendar can be transferred."},
		{Key: "status", Text: "The status of the calendar is {status}; it must be {must}."},
		{Key: "service-account", Text: "The caller is a service account. Send the request as a user with the Manage Calendars administrator privilege."},
	},
	Good:  requestFor{"calendars.transferOwnership", transferable, `"calendar":{"primary":false,"status":"active"}`},
	Bad:   requestFor{"calendars.transferOwnership", transferable, `"calendar":{"primary":false,"status":"disabled"}`},
	Check: check(checkTransferCalendar),
}

// transferable contains valid query parameters for a transfer of ownership.
const transferable = `"params":{"newDataOwner":"ada@example.org","useAdminAccess":"true"}`

func checkTransferCalendar(in *input, r engine.Reporter) {
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
