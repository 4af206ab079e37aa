package resource

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
)

// listEntryWrites is the set of operations that write a calendar list entry.
const listEntryWrites = diag.CalendarListInsert | diag.CalendarListPatch | diag.CalendarListUpdate

var listEntryBody = diag.Rule{
	ID: "calendar-list.body", Kind: diag.Reject, When: listEntryWrites, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "A calendar that is inserted into the list must have an id; each default reminder must have the method email or popup and 0 " +
		"to 40320 minutes; each notification must have the method email and a known type.",
	Section:  sectionObserved,
	Seen:     "The reference states the required members and their values.",
	Reported: []string{discoveryPage},
	OnlyIn:   new(diag.Google),
	Good:     request{"calendarList.insert", `{"id":"team@example.com","defaultReminders":[{"method":"popup","minutes":10}]}`},
	Bad:      request{"calendarList.insert", `{"id":"team@example.com","defaultReminders":[{"method":"popup"}]}`},
	Says:     slices.Concat(constraint.SaysRequired(nil), constraint.ReminderMethod.Says(), constraint.ReminderMinutes.Says()),
	Check:    of(checkListEntry),
}

func checkListEntry(in *input, e *CalendarListEntry, r engine.Reporter) {
	in.require(r, "", text{"id", e.ID, &e.extra}, diag.CalendarListInsert)
	for i := range e.DefaultReminders {
		in.checkReminder(&e.DefaultReminders[i], r, diag.Pointer("/defaultReminders").Index(i))
	}
	if e.NotificationSettings == nil {
		return
	}
	for i := range e.NotificationSettings.Notifications {
		n, at := &e.NotificationSettings.Notifications[i], diag.Pointer("/notificationSettings/notifications").Index(i)
		if n.extra.Element() {
			continue
		}
		in.requireOneOf(r, at, text{"method", n.Method, &n.extra}, constraint.NotificationMethod)
		in.requireOneOf(r, at, text{"type", n.Type, &n.extra}, constraint.NotificationType)
	}
}

func (in *input) checkReminder(m *Reminder, r engine.Reporter, at diag.Pointer) {
	if m.extra.Element() {
		return
	}
	in.requireOneOf(r, at, text{"method", m.Method, &m.extra}, constraint.ReminderMethod)
	switch {
	case m.Minutes == nil:
		constraint.ReportMissing(r, at.Member("minutes"), "minutes", false, nil)
	case !constraint.ReminderMinutes.HasInt(*m.Minutes):
		constraint.ReminderMinutes.ReportInt(r, at.Member("minutes"), "minutes", *m.Minutes)
	}
}

// requireOneOf reports a member of an array element that is missing or has a value not allowed by the constraint.
func (in *input) requireOneOf(r engine.Reporter, at diag.Pointer, t text, c *constraint.Constraint) {
	in.require(r, at, t, in.on)
	allow(r, at, t, c)
}

var listEntryReadOnly = diag.Rule{
	ID: "calendar-list.read-only", Kind: diag.Ignore, When: diag.CalendarListInsert | diag.CalendarListPatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "Only the service writes the members accessRole, primary, deleted, summary, description, location, timeZone, dataOwner and " +
		"autoAcceptInvitations of a calendar list entry.",
	Section:  sectionObserved,
	Seen:     "The reference marks these members as read-only.",
	Reported: []string{discoveryPage},
	Why:      "A user's own summary is summaryOverride. An update sends the whole entry back, so it may have read-only members.",
	OnlyIn:   new(diag.Google),
	Good:     request{"calendarList.insert", `{"id":"team@example.com","summaryOverride":"Us"}`},
	Bad:      request{"calendarList.insert", `{"id":"team@example.com","summary":"Us"}`},
	Says: diag.Sentences{
		{Key: "ignored", Text: "Only the service writes {member}, so the value in this request has no effect. Leave it out."},
		{Key: "override", Text: "Only the service writes summary, so the value in this request has no effect. Send summaryOverride instead.", Fix: diag.Proposal{None: true}},
	},
	Check: of(checkListEntryReadOnly),
}

func checkListEntryReadOnly(_ *input, e *CalendarListEntry, r engine.Reporter) {
	tables := made()
	for _, name := range tables.listEntry.NamesOf(tables.listEntry.Present(e) & tables.listEntryService) {
		if name == "summary" {
			r.Report("/summary", "override")
			continue
		}
		r.Report(diag.Pointer("").Member(name), "ignored", diag.Name("member", name))
	}
}

var listEntryColor = diag.Rule{
	ID: "calendar-list.color", Kind: diag.Ignore, When: diag.CalendarListInsert | diag.CalendarListPatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The backgroundColor and foregroundColor of a calendar list entry have no effect without colorRgbFormat=true.",
	Section:  sectionObserved,
	Seen:     "Without colorRgbFormat=true, the request succeeds but does not change the color.",
	Reported: []string{"google/google-api-javascript-client#425"},
	OnlyIn:   new(diag.Google),
	Good:     request{"calendarList.insert", `{"id":"team@example.com","backgroundColor":"#0088aa","foregroundColor":"#ffffff"}`, `"params":{"colorRgbFormat":"true"}`},
	Bad:      request{"calendarList.insert", `{"id":"team@example.com","backgroundColor":"#0088aa","foregroundColor":"#ffffff"}`},
	Says:     diag.Sentences{{Key: "ignored", Text: "The {member} has no effect without colorRgbFormat=true. Add the parameter, or send a colorId.", Fix: diag.Proposal{At: "?colorRgbFormat", Value: `"true"`, Certain: true}}},
	Check:    of(checkListEntryColor),
}

func checkListEntryColor(in *input, e *CalendarListEntry, r engine.Reporter) {
	if in.query("colorRgbFormat") == "true" {
		return
	}
	for _, c := range []text{{"backgroundColor", e.BackgroundColor, &e.extra}, {"foregroundColor", e.ForegroundColor, &e.extra}} {
		if c.value != "" {
			r.Report(diag.Pointer("").Member(c.name), "ignored", diag.Name("member", c.name))
		}
	}
}
