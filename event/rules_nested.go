package event

import (
	"slices"

	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/operation"
)

// nestedRules are about gadget, reminders, source and attachments.
var nestedRules = []*diag.Rule{
	&gadgetDeprecated, &gadgetSize, &gadgetDisplay, &gadgetPreferences,
	&remindersMax, &remindersMethod, &remindersMinutes, &remindersBoth, &remindersAlone, &remindersUnset,
	&sourceURL, &sourceURLForm, &attachmentsMax, &attachmentsFileURL, &attachmentsSupports,
}

var gadgetDeprecated = diag.Rule{
	ID: "gadget.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"gadget"},
	Summary: "An event has no gadget, which is deprecated.",
	Section: sectionEvent + ", gadget",
	Why:     "The service uses it only to return the metadata of birthday calendars.",
	Good:    sample.Timed(),
	Bad:     sample.Timed(`"gadget":{"title":"Cake"}`),
	Says:    diag.Sentences{{Key: "deprecated", Text: "The gadget is deprecated; it only returns the metadata of birthdays. Leave it out."}},
	Check:   check(checkGadgetDeprecated),
}

func checkGadgetDeprecated(in *input, r engine.Reporter) {
	if in.next.Gadget != nil {
		r.Report("/gadget", "deprecated")
	}
}

var gadgetSize = diag.Rule{
	ID: "gadget.size", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"gadget.width", "gadget.height"},
	Summary: "The width and the height of a gadget are greater than 0.",
	Section: sectionEvent + ", gadget",
	Says:    constraint.GadgetSize.Says(),
	Good:    sample.Timed(`"gadget":{"width":1,"height":1}`),
	Bad:     sample.Timed(`"gadget":{"width":0,"height":1}`),
}

var gadgetDisplay = diag.Rule{
	ID: "gadget.display.enum", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"gadget.display"},
	Summary: "The display of a gadget is " + constraint.GadgetDisplay.Value + ".",
	Section: sectionEvent + ", gadget",
	Says:    constraint.GadgetDisplay.Says(),
	Good:    sample.Timed(`"gadget":{"display":"chip"}`),
	Bad:     sample.Timed(`"gadget":{"display":"banner"}`),
}

var gadgetPreferences = diag.Rule{
	ID: "gadget.preferences", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"gadget.preferences"},
	Summary: "The preferences of a gadget map strings to strings.",
	Section: sectionEvent + ", gadget",
	Says:    object.SaysType,
	Good:    sample.Timed(`"gadget":{"preferences":{"lines":"2"}}`),
	Bad:     sample.Timed(`"gadget":{"preferences":{"lines":2}}`),
}

// insertReminders returns an example: an insert with n reminders.
func insertReminders(n int) diag.Example {
	list := strings.Repeat(`{"method":"popup","minutes":10},`, n)
	return sample.Timed(`"reminders":{"useDefault":false,"overrides":[` + strings.TrimSuffix(list, ",") + `]}`)
}

var remindersMax = diag.Rule{
	ID: "reminders.overrides.max", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"reminders.overrides"},
	Summary: "An event has at most 5 reminder overrides.",
	Section: sectionReminders,
	Says:    constraint.ReminderOverrides.Says(),
	Good:    insertReminders(constraint.ReminderOverridesMax),
	Bad:     insertReminders(constraint.ReminderOverridesMax + 1),
}

var remindersMethod = diag.Rule{
	ID: "reminders.method", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"reminders.overrides[].method"},
	Summary: "A reminder that is added has the method " + constraint.ReminderMethod.Value + ".",
	Section: sectionReminders,
	Says:    slices.Concat(constraint.SaysRequired(constraint.ReminderMethod), constraint.ReminderMethod.Says()),
	Good:    sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"email","minutes":10}]}`),
	Bad:     sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"sms","minutes":10}]}`),
}

var remindersMinutes = diag.Rule{
	ID: "reminders.minutes", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"reminders.overrides[].minutes"},
	Summary: "A reminder that is added has minutes from 0 to 40320.",
	Section: sectionReminders,
	Why:     "40320 minutes are 4 weeks. 0 is a value, not an absent member: the reminder is at the start.",
	Says:    slices.Concat(constraint.SaysRequired(constraint.ReminderMinutes), constraint.ReminderMinutes.Says()),
	Good:    sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":0}]}`),
	Bad:     sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":40321}]}`),
}

var remindersBoth = diag.Rule{
	ID: "reminders.default-and-overrides", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"reminders.useDefault", "reminders.overrides"},
	Summary:  "Reminders with useDefault true have no overrides.",
	Section:  sectionObserved,
	Seen:     "400 with the reason cannotUseDefaultRemindersAndSpecifyOverride.",
	Reported: []string{"openclaw/gogcli#97"},
	Reason:   "cannotUseDefaultRemindersAndSpecifyOverride",
	Why:      "Overrides are used if the defaults are not.",
	Good:     insertReminders(1),
	Bad:      sample.Timed(`"reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":10}]}`),
	Says:     diag.Sentences{{Key: "both", Text: `The reminders have {n|override|overrides} although useDefault is true. Send "useDefault": false, or "overrides": null.`}},
	Check:    check(checkRemindersBoth),
}

func checkRemindersBoth(in *input, r engine.Reporter) {
	if n := len(in.next.overrides()); n > 0 && isTrue(in.next.Reminders.UseDefault) {
		r.Report("/reminders/overrides", "both", diag.Number("n", n))
	}
}

// overrides returns the event's own reminders.
func (e *Event) overrides() []Reminder {
	if e.Reminders == nil {
		return nil
	}
	return e.Reminders.Overrides
}

var remindersAlone = diag.Rule{
	ID: "reminders.overrides-alone", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"reminders.useDefault", "reminders.overrides"},
	Summary:  "Reminders with overrides have useDefault false.",
	Section:  sectionObserved,
	Seen:     "A client that omits a useDefault of false gets the error for default reminders with overrides.",
	Reported: []string{"googleapis/google-api-php-client#233"},
	Why: "If useDefault is absent, the public service answers as if it were true. The usual cause is a serializer " +
		"that omits false.",
	Good:  insertReminders(1),
	Bad:   sample.Timed(`"reminders":{"overrides":[{"method":"popup","minutes":10}]}`),
	Says:  diag.Sentences{{Key: "alone", Text: `The reminders have {n|override|overrides} but no useDefault; the service may assume true and reject the request. Send "useDefault": false. A generated Go client leaves out a false that ForceSendFields does not name.`}},
	Check: check(checkRemindersAlone),
}

func checkRemindersAlone(in *input, r engine.Reporter) {
	n := len(in.next.overrides())
	if n == 0 || in.next.Reminders.UseDefault != nil || in.next.Reminders.extra.WasSent("useDefault") {
		return
	}
	if in.isPartial() && !in.sent.Reminders.extra.Null("useDefault") {
		return // it may be stored
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

var sourceURL = diag.Rule{
	ID: "source.url", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"source.url"},
	Summary: "The url of a source begins with the scheme http or https.",
	Section: sectionParts,
	Why:     "Schemes are case-insensitive. The rule source.url.form is about the rest of the url.",
	Says:    constraint.HTTPScheme.Says(),
	Good:    sample.Timed(`"source":{"title":"Ticket","url":"HTTPS://example.com/1"}`),
	Bad:     sample.Timed(`"source":{"title":"Ticket","url":"ftp://example.com/1"}`),
}

var sourceURLForm = diag.Rule{
	ID: "source.url.form", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: []string{"source.url"},
	Summary: "The url of a source is a well-formed URL with a host.",
	Section: "RFC 3986 section 3",
	Why: "The documents only require the scheme, so a url with a space, a percent sign that encodes nothing, or no host is " +
		"accepted with advice. Characters beyond ASCII (RFC 3987), and brackets after the authority, are common and get no advice.",
	Good:  sample.Timed(`"source":{"title":"Ticket","url":"https://example.com/a%20b"}`),
	Bad:   sample.Timed(`"source":{"title":"Ticket","url":"https://example.com/a b"}`),
	Says:  constraint.HTTPURL.Says(),
	Check: check(checkSourceURLForm),
}

func checkSourceURLForm(in *input, r engine.Reporter) {
	if s := in.next.Source; s != nil && constraint.HTTPScheme.Has(s.URL) && !form.IsHTTPURL(s.URL) {
		constraint.HTTPURL.Report(r, "/source/url", "url", s.URL)
	}
}

const supportsAttachments = `"params":{"supportsAttachments":"true"}`

// insertAttachments returns an example: an insert with n attachments and supportsAttachments=true.
func insertAttachments(n int) diag.Example {
	list := strings.Repeat(`{"fileUrl":"https://files.example.com/1"},`, n)
	return sample.With(sample.Timed(`"attachments":[`+strings.TrimSuffix(list, ",")+`]`), supportsAttachments)
}

var attachmentsMax = diag.Rule{
	ID: "attachments.max", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attachments"},
	Summary: "An event has at most 25 attachments.",
	Section: "calendar.md, Limits",
	Says:    constraint.Attachments.Says(),
	Good:    insertAttachments(constraint.AttachmentsMax),
	Bad:     insertAttachments(constraint.AttachmentsMax + 1),
}

var attachmentsFileURL = diag.Rule{
	ID: "attachments.file-url", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attachments[].fileUrl"},
	Summary: "An attachment that is added has a fileUrl.",
	Section: sectionParts,
	Why:     "For files of the file-storage service it has the format of the alternate link of the file.",
	Says:    constraint.SaysRequired(nil),
	Good:    insertAttachments(1),
	Bad:     sample.With(sample.Timed(`"attachments":[{"title":"Agenda"}]`), supportsAttachments),
}

var attachmentsSupports = diag.Rule{
	ID: "attachments.supports", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"attachments"},
	Summary: "A request that adds, changes or removes attachments has the parameter supportsAttachments=true.",
	Section: sectionEvent + ", attachments",
	Why:     "The default of the parameter is false. Attachments that are sent unchanged do not need it.",
	Good:    insertAttachments(1),
	Bad:     sample.Timed(`"attachments":[{"fileUrl":"https://files.example.com/1"}]`),
	Says: diag.Sentences{
		{Key: "new", Text: "The event has attachments without supportsAttachments=true. Add the parameter, or leave the attachments out."},
		{Key: "changed", Text: "The request adds, changes or removes attachments without supportsAttachments=true. Add the parameter, or send the attachments unchanged."},
	},
	AssumesValid: []diag.Pointer{"?supportsAttachments"},
	Check:        check(checkAttachmentsSupports),
}

func checkAttachmentsSupports(in *input, r engine.Reporter) {
	switch {
	case !changesAttachments(in):
	case in.existing == absentEvent:
		r.Report("/attachments", "new")
	default:
		r.Report("/attachments", "changed")
	}
}

// changesAttachments reports whether the request is known to change attachments without the
// parameter. A modification of an unknown event may send them unchanged.
func changesAttachments(in *input) bool {
	hasAny := len(in.next.Attachments)+len(in.stored.Attachments) > 0
	return hasAny && in.existing != unknownEvent && !in.flags.SupportsAttachments && in.changes(ofAttachments)
}

// mayContain reports whether the set contains id, or is nil, that is, not known.
func mayContain(set operation.IDs, id string) bool { return set == nil || set.Has(id) }
