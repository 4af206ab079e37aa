package event

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

// insertReminders is an insert with n reminders.
type insertReminders int

func (n insertReminders) Example() diag.Example {
	list := strings.Repeat(`{"method":"popup","minutes":10},`, int(n))
	return sample.Timed{`"reminders":{"useDefault":false,"overrides":[` + strings.TrimSuffix(list, ",") + `]}`}.Example()
}

var remindersMax = diag.Rule{
	ID: "reminders.overrides.max", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"reminders.overrides"},
	Summary: "An event must have at most 5 reminder overrides.",
	Section: sectionReminders,
	Says:    constraint.ReminderOverrides.Says(),
	Good:    insertReminders(constraint.ReminderOverridesMax),
	Bad:     insertReminders(constraint.ReminderOverridesMax + 1),
}

var remindersMethod = diag.Rule{
	ID: "reminders.method", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"reminders.overrides[].method"},
	Summary: "A new reminder must have the method " + constraint.ReminderMethod.String() + ".",
	Section: sectionReminders,
	Says:    slices.Concat(constraint.SaysRequired(constraint.ReminderMethod), constraint.ReminderMethod.Says()),
	Good:    sample.Timed{`"reminders":{"useDefault":false,"overrides":[{"method":"email","minutes":10}]}`},
	Bad:     sample.Timed{`"reminders":{"useDefault":false,"overrides":[{"method":"sms","minutes":10}]}`},
}

var remindersMinutes = diag.Rule{
	ID: "reminders.minutes", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"reminders.overrides[].minutes"},
	Summary: "A new reminder must have minutes from 0 to 40320.",
	Section: sectionReminders,
	Why:     "40320 minutes are 4 weeks. The value 0 is not absent: it means a reminder at the start.",
	Says:    slices.Concat(constraint.SaysRequired(constraint.ReminderMinutes), constraint.ReminderMinutes.Says()),
	Good:    sample.Timed{`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":0}]}`},
	Bad:     sample.Timed{`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":40321}]}`},
}

var remindersBoth = diag.Rule{
	ID: "reminders.default-and-overrides", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"reminders.useDefault", "reminders.overrides"},
	Summary:  "Reminders with useDefault true must not have overrides.",
	Section:  sectionObserved,
	Seen:     "400 with the reason cannotUseDefaultRemindersAndSpecifyOverride.",
	Reported: []string{"openclaw/gogcli#97"},
	Reason:   "cannotUseDefaultRemindersAndSpecifyOverride",
	Why:      "Overrides are used only if the default reminders are not.",
	Good:     insertReminders(1),
	Bad:      sample.Timed{`"reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":10}]}`},
	Says:     diag.Sentences{{Key: "both", Text: `The reminders have {n|override|overrides} although useDefault is true. Send "useDefault": false, or "overrides": null.`, Fix: diag.Proposal{Beside: "useDefault", Value: "false"}}},
	Check:    check(checkRemindersBoth),
}

func checkRemindersBoth(in *input, r engine.Reporter) {
	if n := len(in.next.overrides()); n > 0 && isTrue(in.next.Reminders.UseDefault) {
		r.Report("/reminders/overrides", "both", diag.Number("n", n))
	}
}

// overrides returns the reminders that override the defaults.
func (e *Event) overrides() []Reminder {
	if e.Reminders == nil {
		return nil
	}
	return e.Reminders.Overrides
}

var remindersAlone = diag.Rule{
	ID: "reminders.overrides-alone", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"reminders.useDefault", "reminders.overrides"},
	Summary:  "Reminders with overrides should have useDefault false.",
	Section:  sectionObserved,
	Seen:     "A client that omits a useDefault of false gets the error for default reminders with overrides.",
	Reported: []string{"googleapis/google-api-php-client#233"},
	Why:      "If useDefault is absent, the public service responds as if it were true. The usual cause is a serializer that omits false.",
	Good:     insertReminders(1),
	Bad:      sample.Timed{`"reminders":{"overrides":[{"method":"popup","minutes":10}]}`},
	Says:     diag.Sentences{{Key: "alone", Text: `The reminders have {n|override|overrides} but no useDefault; the service may assume true and reject the request. Send "useDefault": false. A generated Go client omits a false unless ForceSendFields lists the field.`, Fix: diag.Proposal{Beside: "useDefault", Value: "false"}}},
	Check:    check(checkRemindersAlone),
}

func checkRemindersAlone(in *input, r engine.Reporter) {
	n := len(in.next.overrides())
	if n == 0 || in.next.Reminders.UseDefault != nil || in.next.Reminders.extra.WasSent("useDefault") {
		return
	}
	if in.isPartial() && !in.sent.Reminders.extra.Null("useDefault") {
		return // the value may be stored
	}
	r.Report("/reminders/overrides", "alone", diag.Number("n", n))
}

var remindersUnset = diag.Rule{
	ID: "reminders.unset", Describes: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"reminders.useDefault", "reminders.overrides"},
	Summary: "An event with useDefault false and no overrides has no reminders.",
	Section: sectionReminders,
	Good:    sample.Answered(insertReminders(0), `{"event":{"reminders":{"useDefault":false,"overrides":[]}}}`),
	Bad:     sample.Answered(insertReminders(1), `{"event":{"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":10}]}}}`),
}

var remindersAbsent = diag.Rule{
	ID: "reminders.absent", Describes: diag.Effect, When: diag.Create, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"reminders", "start.dateTime"},
	Summary:  "In the dialect of the public service, a timed event that is inserted or imported without reminders has useDefault true.",
	Section:  sectionObserved,
	Seen:     "The answer to an insert or import without reminders has useDefault true.",
	Reported: []string{"https://xiaobeizi.cn/x/HVJdj4jqqg", "https://github.com/handley-lab/mcp-handley-lab"},
	Why:      "Observations of all-day events differ, so the library adds nothing to them.",
	Good:     sample.Answered(sample.Timed{}, `{"event":{"reminders":{"useDefault":true}}}`, `"dialect":"google"`),
	Bad:      sample.Answered(sample.AllDay{}, `{"event":{"reminders":null}}`, `"dialect":"google"`),
	OnlyIn:   new(diag.Google),
}
