package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
)

// partRules are about gadget, reminders, source and attachments.
var partRules = []*diag.Rule{
	&gadgetDeprecated,
	&gadgetSize,
	&gadgetDisplay,
	&gadgetPreferences,
	&remindersMax,
	&remindersMethod,
	&remindersMinutes,
	&remindersBoth,
	&remindersAlone,
	&remindersUnset,
	&sourceURL,
	&attachmentsMax,
	&attachmentsFileURL,
	&attachmentsSupports,
}

var gadgetDeprecated = diag.Rule{
	ID: "gadget.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"gadget"},
	Summary: "An event has no gadget: it is deprecated.",
	Section: sectionEvent + ", gadget",
	Why:     "It is only used to return the metadata of birthday calendars.",
	Good:    diag.Example{Request: sample.Timed()},
	Bad:     diag.Example{Request: sample.Timed(`"gadget":{"title":"Cake"}`)},
	Check:   check(checkGadgetDeprecated),
}

func checkGadgetDeprecated(in *input, r diag.Reporter) {
	if in.result.Gadget != nil {
		r.Report("/gadget", "The gadget is deprecated; it only returns birthday metadata. Leave it out.")
	}
}

var gadgetSize = diag.Rule{
	ID: "gadget.size", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"gadget"},
	Summary: "The width and the height of a gadget are greater than 0.",
	Section: sectionEvent + ", gadget",
	Good:    diag.Example{Request: sample.Timed(`"gadget":{"width":1,"height":1}`)},
	Bad:     diag.Example{Request: sample.Timed(`"gadget":{"width":0,"height":1}`)},
}

var gadgetDisplay = diag.Rule{
	ID: "gadget.display.enum", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"gadget"},
	Summary: "The display of a gadget is icon or chip.",
	Section: sectionEvent + ", gadget",
	Good:    diag.Example{Request: sample.Timed(`"gadget":{"display":"chip"}`)},
	Bad:     diag.Example{Request: sample.Timed(`"gadget":{"display":"banner"}`)},
}

var gadgetPreferences = diag.Rule{
	ID: "gadget.preferences", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The preferences of a gadget are a map of string to string.",
	Section: sectionEvent + ", gadget",
	Good:    diag.Example{Request: sample.Timed(`"gadget":{"preferences":{"lines":"2"}}`)},
	Bad:     diag.Example{Request: sample.Timed(`"gadget":{"preferences":{"lines":2}}`)},
}

// overrides returns the event's own reminders.
func (e *Event) overrides() []Reminder {
	if e.Reminders == nil {
		return nil
	}
	return e.Reminders.Overrides
}

var remindersMax = diag.Rule{
	ID: "reminders.overrides.max", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"reminders"},
	Summary: "An event has at most 5 reminders of its own.",
	Section: sectionReminders,
	Good:    diag.Example{Request: overrides(5)},
	Bad:     diag.Example{Request: overrides(6)},
}

// overrides makes an insert with n reminders.
func overrides(n int) string {
	list := ""
	for i := range n {
		if i > 0 {
			list += ","
		}
		list += `{"method":"popup","minutes":10}`
	}
	return sample.Timed(`"reminders":{"useDefault":false,"overrides":[` + list + `]}`)
}

var remindersMethod = diag.Rule{
	ID: "reminders.method", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"reminders"},
	Summary: "A reminder that is added has a method, email or popup.",
	Section: sectionReminders,
	Good:    diag.Example{Request: sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"email","minutes":10}]}`)},
	Bad:     diag.Example{Request: sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"sms","minutes":10}]}`)},
}

var remindersMinutes = diag.Rule{
	ID: "reminders.minutes", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"reminders"},
	Summary: "A reminder that is added has its minutes, 0 to 40320.",
	Section: sectionReminders,
	Why:     "40320 minutes are 4 weeks. 0 is a value, not an absence: the reminder comes with the start.",
	Good:    diag.Example{Request: sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":0}]}`)},
	Bad:     diag.Example{Request: sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":40321}]}`)},
}

var remindersBoth = diag.Rule{
	ID: "reminders.default-and-overrides", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"reminders"},
	Summary:   "Reminders of the event's own do not stand beside useDefault true.",
	Section:   sectionObserved,
	Why:       "Overrides are used when the defaults are not.",
	PatchHint: `The stored reminders stay otherwise: send "useDefault": false, or "overrides": null.`,
	Good:      diag.Example{Request: overrides(1)},
	Bad:       diag.Example{Request: sample.Timed(`"reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":10}]}`)},
	Check:     check(checkRemindersBoth),
}

func checkRemindersBoth(in *input, r diag.Reporter) {
	if n := len(in.result.overrides()); n > 0 && isTrue(in.result.Reminders.UseDefault) {
		r.Report("/reminders/overrides", "There is useDefault true beside %s; overrides are used when the defaults are not. Send \"useDefault\": false, or leave the overrides out.", count(n, "override"))
	}
}

var remindersAlone = diag.Rule{
	ID: "reminders.overrides-alone", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"reminders"},
	Summary: "Reminders of the event's own come with useDefault false.",
	Section: sectionObserved,
	Why: "The public service answers overrides alone as if useDefault true were given. A serializer that drops " +
		"false is the usual cause.",
	Good:  diag.Example{Request: overrides(1)},
	Bad:   diag.Example{Request: sample.Timed(`"reminders":{"overrides":[{"method":"popup","minutes":10}]}`)},
	Check: check(checkRemindersAlone),
}

func checkRemindersAlone(in *input, r diag.Reporter) {
	n := len(in.result.overrides())
	if n == 0 || in.result.Reminders.UseDefault != nil || in.result.Reminders.extra.WasSent("useDefault") {
		return
	}
	r.Report("/reminders/overrides", "There is no useDefault beside %s; the service may take it for true, and refuse. Send \"useDefault\": false.", count(n, "override"))
}

var remindersUnset = diag.Rule{
	ID: "reminders.unset", Kind: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "With useDefault false and no overrides the event has no reminders.",
	Section: sectionReminders,
	Good:    diag.Example{Request: sample.Timed(`"reminders":{"useDefault":false}`), Answer: `{"event":{"reminders":{"useDefault":false}}}`},
	Bad:     diag.Example{Request: sample.Timed(`"reminders":{"useDefault":true}`), Answer: `{"event":{"reminders":{"useDefault":true}}}`},
}

var sourceURL = diag.Rule{
	ID: "source.url", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"source"},
	Summary: "The url of a source is a URL of scheme http or https.",
	Section: sectionParts,
	Why:     "Schemes are compared without regard to case, and there must be a host.",
	Good:    diag.Example{Request: sample.Timed(`"source":{"title":"Ticket","url":"HTTPS://example.com/1"}`)},
	Bad:     diag.Example{Request: sample.Timed(`"source":{"title":"Ticket","url":"ftp://example.com/1"}`)},
}

// attachment makes an insert with n attachments and supportsAttachments=true.
func attachments(n int) string {
	list := ""
	for i := range n {
		if i > 0 {
			list += ","
		}
		list += `{"fileUrl":"https://files.example.com/1"}`
	}
	return sample.With(sample.Timed(`"attachments":[`+list+`]`), `"params":{"supportsAttachments":"true"}`)
}

var attachmentsMax = diag.Rule{
	ID: "attachments.max", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attachments"},
	Summary: "An event has at most 25 attachments.",
	Section: "calendar.md, Limits",
	Good:    diag.Example{Request: attachments(limits.AttachmentsMax)},
	Bad:     diag.Example{Request: attachments(limits.AttachmentsMax + 1)},
}

var attachmentsFileURL = diag.Rule{
	ID: "attachments.file-url", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attachments"},
	Summary: "An attachment that is added has a fileUrl.",
	Section: sectionParts,
	Why:     "For files of the file-storage service it has the format of the alternate link of the file.",
	Good:    diag.Example{Request: attachments(1)},
	Bad:     diag.Example{Request: sample.With(sample.Timed(`"attachments":[{"title":"Agenda"}]`), `"params":{"supportsAttachments":"true"}`)},
}

var attachmentsSupports = diag.Rule{
	ID: "attachments.supports", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"attachments"},
	Summary: "Adding, changing or removing attachments goes with the parameter supportsAttachments=true.",
	Section: sectionEvent + ", attachments",
	Why:     "It says that the client knows of attachments and would not lose them by accident.",
	Good:    diag.Example{Request: attachments(1)},
	Bad:     diag.Example{Request: sample.Timed(`"attachments":[{"fileUrl":"https://files.example.com/1"}]`)},
	Check:   check(checkAttachmentsSupports),
}

func checkAttachmentsSupports(in *input, r diag.Reporter) {
	if in.flags.SupportsAttachments || !in.didChange(ofAttachments) || len(in.result.Attachments)+len(in.stored.Attachments) == 0 {
		return
	}
	r.Report("/attachments", "Attachments would be added, changed or removed without supportsAttachments=true; the parameter is false when absent. Add it, or send them as they are.")
}

// contains reports whether a set that the caller supplied holds id; a set that is nil is not
// known, and holds everything.
func contains(set []string, id string) bool { return set == nil || slices.Contains(set, id) }
