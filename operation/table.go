package operation

import (
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
)

// The ids of the operations on events. The ids of other operations are written as literals, such as "acl.insert". Source:
// Endpoints.
const (
	EventsDelete    ID = "events.delete"
	EventsGet       ID = "events.get"
	EventsImport    ID = "events.import"
	EventsInsert    ID = "events.insert"
	EventsInstances ID = "events.instances"
	EventsList      ID = "events.list"
	EventsMove      ID = "events.move"
	EventsPatch     ID = "events.patch"
	EventsQuickAdd  ID = "events.quickAdd"
	EventsUpdate    ID = "events.update"
	EventsWatch     ID = "events.watch"
)

// insertScopes lists the scopes that allow events.insert. Source: Authentication.
var insertScopes = []string{
	"auth/calendar",
	"auth/calendar.events",
	"auth/calendar.app.created",
	"auth/calendar.events.owned",
}

// table is the endpoint table, to be read with [operations]. A test compares it with a copy of the table in the documentation.
// Sources: Endpoints; Behavior rules per operation.
var table = []*Operation{
	{ID: "acl.delete", When: diag.ACLDelete, Method: "DELETE", Path: "/calendars/{calendarId}/acl/{ruleId}",
		Summary: "Deletes an access control rule.",
		Effect:  Effect{Deletes: OneAccessRule, Notifies: OneAccessRule | OneListEntry}},
	{ID: "acl.get", When: diag.ACLGet, Method: "GET", Path: "/calendars/{calendarId}/acl/{ruleId}",
		Summary: "Returns an access control rule.",
		Effect:  Effect{Reads: OneAccessRule}},
	{ID: "acl.insert", When: diag.ACLInsert, Method: "POST", Path: "/calendars/{calendarId}/acl",
		Summary: "Creates an access control rule.",
		Effect:  Effect{Creates: OneAccessRule, Notifies: OneAccessRule | OneListEntry}},
	{ID: "acl.list", When: diag.ACLList, Method: "GET", Path: "/calendars/{calendarId}/acl",
		Summary: "Returns the access control rules of a calendar.",
		Effect:  Effect{Reads: OneAccessRule}},
	{ID: "acl.patch", When: diag.ACLPatch, Method: "PATCH", Path: "/calendars/{calendarId}/acl/{ruleId}",
		Effect: Effect{Changes: OneAccessRule, Notifies: OneAccessRule | OneListEntry}},
	{ID: "acl.update", When: diag.ACLUpdate, Method: "PUT", Path: "/calendars/{calendarId}/acl/{ruleId}",
		Summary: "Replaces an access control rule.",
		Effect:  Effect{Changes: OneAccessRule, Notifies: OneAccessRule | OneListEntry}},
	{ID: "acl.watch", When: diag.ACLWatch, Method: "POST", Path: "/calendars/{calendarId}/acl/watch",
		Summary: "Watches the access control rules of a calendar.",
		Effect:  Effect{Creates: OneChannel}},
	{ID: "calendarList.delete", When: diag.CalendarListDelete, Method: "DELETE", Path: "/users/me/calendarList/{calendarId}",
		Summary: "Removes a calendar from the user's list.",
		Effect:  Effect{Deletes: OneListEntry, Notifies: OneListEntry}},
	{ID: "calendarList.get", When: diag.CalendarListGet, Method: "GET", Path: "/users/me/calendarList/{calendarId}",
		Summary: "Returns an entry of the user's calendar list.",
		Effect:  Effect{Reads: OneListEntry}},
	{ID: "calendarList.insert", When: diag.CalendarListInsert, Method: "POST", Path: "/users/me/calendarList",
		Summary: "Adds an existing calendar to the user's list.",
		Effect:  Effect{Creates: OneListEntry, Notifies: OneListEntry}},
	{ID: "calendarList.list", When: diag.CalendarListList, Method: "GET", Path: "/users/me/calendarList",
		Summary: "Returns the calendars on the user's list, with their ids.",
		Effect:  Effect{Reads: OneListEntry}},
	{ID: "calendarList.patch", When: diag.CalendarListPatch, Method: "PATCH", Path: "/users/me/calendarList/{calendarId}",
		Effect: Effect{Changes: OneListEntry, Notifies: OneListEntry}},
	{ID: "calendarList.update", When: diag.CalendarListUpdate, Method: "PUT", Path: "/users/me/calendarList/{calendarId}",
		Summary: "Replaces an entry of the user's calendar list.",
		Effect:  Effect{Changes: OneListEntry, Notifies: OneListEntry}},
	{ID: "calendarList.watch", When: diag.CalendarListWatch, Method: "POST", Path: "/users/me/calendarList/watch",
		Summary: "Watches the user's calendar list.",
		Effect:  Effect{Creates: OneChannel}},
	{ID: "calendars.clear", When: diag.CalendarsClear, Method: "POST", Path: "/calendars/{calendarId}/clear",
		Summary: "Deletes all events of a primary calendar.",
		Effect:  Effect{Deletes: AllEvents, Notifies: OneEvent}},
	{ID: "calendars.delete", When: diag.CalendarsDelete, Method: "DELETE", Path: "/calendars/{calendarId}",
		Summary: "Deletes a secondary calendar.",
		Effect:  Effect{Deletes: OneCalendar, Notifies: OneEvent | OneListEntry}},
	{ID: "calendars.get", When: diag.CalendarsGet, Method: "GET", Path: "/calendars/{calendarId}",
		Summary: "Returns a calendar.",
		Effect:  Effect{Reads: OneCalendar}},
	{ID: "calendars.insert", When: diag.CalendarsInsert, Method: "POST", Path: "/calendars",
		Summary: "Creates a secondary calendar; the authenticated user becomes its data owner.",
		Effect:  Effect{Creates: OneCalendar, Notifies: OneListEntry}},
	{ID: "calendars.patch", When: diag.CalendarsPatch, Method: "PATCH", Path: "/calendars/{calendarId}",
		Effect: Effect{Changes: OneCalendar, Notifies: OneListEntry}},
	{ID: "calendars.transferOwnership", When: diag.CalendarsTransfer, Method: "POST", Path: "/calendars/{calendarId}/transferOwnership",
		Summary: "Transfers a secondary calendar between users of one organization.",
		Effect:  Effect{Changes: OneCalendar, Notifies: OneAccessRule | OneListEntry}},
	{ID: "calendars.update", When: diag.CalendarsUpdate, Method: "PUT", Path: "/calendars/{calendarId}",
		Summary: "Replaces the properties of a calendar.",
		Effect:  Effect{Changes: OneCalendar, Notifies: OneListEntry}},
	{ID: "channels.stop", When: diag.ChannelsStop, Method: "POST", Path: "/channels/stop",
		Summary: "Stops watching resources through a channel.",
		Effect:  Effect{Deletes: OneChannel}},
	{ID: "colors.get", When: diag.ColorsGet, Method: "GET", Path: "/colors",
		Summary: "Returns the color definitions for calendars and events.",
		Effect:  Effect{Reads: Palette}},
	{ID: EventsDelete, When: diag.Delete, Method: "DELETE", Path: "/calendars/{calendarId}/events/{eventId}",
		Summary: "Deletes an event, which becomes cancelled.",
		Effect:  Effect{Deletes: OneEvent, Notifies: OneEvent, Mails: true}},
	{ID: EventsGet, When: diag.Get, Method: "GET", Path: "/calendars/{calendarId}/events/{eventId}",
		Summary: "Returns an event by its event id.",
		Effect:  Effect{Reads: OneEvent}},
	{ID: EventsImport, When: diag.Import, Method: "POST", Path: "/calendars/{calendarId}/events/import",
		Summary: "Adds a private copy of an existing event.", EventBody: true,
		Effect: Effect{Creates: OneEvent, Changes: OneEvent, Notifies: OneEvent}},
	{ID: EventsInsert, When: diag.Insert, Method: "POST", Path: "/calendars/{calendarId}/events", ParamsShown: true,
		Summary: "Creates an event.", EventBody: true, Scopes: insertScopes,
		Effect: Effect{Creates: OneEvent, Notifies: OneEvent, Mails: true}},
	{ID: EventsInstances, When: diag.Instances, Method: "GET", Path: "/calendars/{calendarId}/events/{eventId}/instances",
		Summary: "Returns instances of a recurring event.",
		Effect:  Effect{Reads: OneEvent}},
	{ID: EventsList, When: diag.List, Method: "GET", Path: "/calendars/{calendarId}/events",
		Summary: "Returns the events of a calendar, or only the changed ones.",
		Effect:  Effect{Reads: AllEvents}},
	{ID: EventsMove, When: diag.Move, Method: "POST", Path: "/calendars/{calendarId}/events/{eventId}/move",
		Summary: "Moves an event to another calendar, which changes the event's organizer.",
		Effect:  Effect{Creates: OneEvent, Deletes: OneEvent, Notifies: OneEvent, Mails: true}},
	{ID: EventsPatch, When: diag.Patch, Method: "PATCH", Path: "/calendars/{calendarId}/events/{eventId}", EventBody: true,
		Effect: Effect{Changes: OneEvent, Notifies: OneEvent, Mails: true}},
	{ID: EventsQuickAdd, When: diag.QuickAdd, Method: "POST", Path: "/calendars/{calendarId}/events/quickAdd",
		Summary: "Creates an event from a simple text string.",
		Effect:  Effect{Creates: OneEvent, Notifies: OneEvent, Mails: true}},
	{ID: EventsUpdate, When: diag.Update, Method: "PUT", Path: "/calendars/{calendarId}/events/{eventId}",
		Summary: "Replaces the entire event; it has no patch semantics.", EventBody: true,
		Effect: Effect{Changes: OneEvent, Notifies: OneEvent, Mails: true}},
	{ID: EventsWatch, When: diag.EventsWatch, Method: "POST", Path: "/calendars/{calendarId}/events/watch",
		Summary: "Watches the events of a calendar.",
		Effect:  Effect{Creates: OneChannel}},
	{ID: "freebusy.query", When: diag.FreebusyQuery, Method: "POST", Path: "/freeBusy",
		Summary: "Returns free/busy information for a set of calendars.",
		Effect:  Effect{Reads: BusyTimes}},
	{ID: "settings.get", When: diag.SettingsGet, Method: "GET", Path: "/users/me/settings/{setting}",
		Summary: "Returns one user setting.",
		Effect:  Effect{Reads: OneSetting}},
	{ID: "settings.list", When: diag.SettingsList, Method: "GET", Path: "/users/me/settings",
		Summary: "Returns all settings of the authenticated user.",
		Effect:  Effect{Reads: OneSetting}},
	{ID: "settings.watch", When: diag.SettingsWatch, Method: "POST", Path: "/users/me/settings/watch",
		Summary: "Watches the settings of the authenticated user.",
		Effect:  Effect{Creates: OneChannel}},
}

const patchSummary = "Replaces the fields that are sent, including whole arrays, and leaves the others unchanged."

// operations returns the endpoint table. The first call adds the facts that follow from the id of each operation, and the facts
// that apply to every patch operation.
var operations = sync.OnceValue(func() []*Operation {
	completeParams()
	for _, op := range table {
		resource, name, _ := strings.Cut(string(op.ID), ".")
		op.Resource, op.Name = strings.ToUpper(resource[:1])+resource[1:], name
		op.segments = strings.Split(op.Path[1:], "/")
		op.Params = paramsOn(op.When)
		op.observed = sync.OnceValues(op.observe)
		op.requires = slices.ContainsFunc(op.Params, func(p Param) bool { return p.Required })
		if name == "patch" {
			op.Summary, op.QuotaUnits = patchSummary, constraint.PatchQuotaUnits
		}
	}
	return table
})
