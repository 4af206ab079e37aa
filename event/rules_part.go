package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
)

// partRules are about gadget, reminders, source and attachments.
var partRules = []rule{
	{Doc: gadgetDeprecated, Check: checkGadgetDeprecated, Of: of("gadget")},
	{Doc: gadgetSize, Check: checkGadgetSize, Of: of("gadget")},
	{Doc: gadgetDisplay, Check: checkGadgetDisplay, Of: of("gadget")},
	{Doc: gadgetPreferences},
	{Doc: remindersMax, Check: checkRemindersMax, Of: of("reminders")},
	{Doc: remindersMethod, Check: checkRemindersMethod, Of: of("reminders")},
	{Doc: remindersMinutes, Check: checkRemindersMinutes, Of: of("reminders")},
	{Doc: remindersBoth, Check: checkRemindersBoth, Of: of("reminders")},
	{Doc: remindersAlone, Check: checkRemindersAlone, Of: of("reminders")},
	{Doc: remindersUnset},
	{Doc: sourceURL, Check: checkSourceURL, Of: of("source")},
	{Doc: attachmentsMax, Check: checkAttachmentsMax, Of: of("attachments")},
	{Doc: attachmentsFileURL, Check: checkAttachmentsFileURL, Of: of("attachments")},
	{Doc: attachmentsSupports, Check: checkAttachmentsSupports, Of: of("attachments")},
}

var gadgetDeprecated = &diag.Doc{
	ID: "gadget.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated,
	Summary: "An event has no gadget: it is deprecated.",
	Section: sectionEvent + ", gadget",
	Why:     "It is only used to return the metadata of birthday calendars.",
	Accept:  diag.Example{Request: sample.Timed()},
	Refuse:  diag.Example{Request: sample.Timed(`"gadget":{"title":"Cake"}`)},
}

func checkGadgetDeprecated(in *input, r diag.Reporter) {
	if in.new.Gadget != nil {
		r.Report("/gadget", "The gadget is deprecated; it only returns birthday metadata. Leave it out.")
	}
}

var gadgetSize = &diag.Doc{
	ID: "gadget.size", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated,
	Summary: "The width and the height of a gadget are greater than 0.",
	Section: sectionEvent + ", gadget",
	Accept:  diag.Example{Request: sample.Timed(`"gadget":{"width":1,"height":1}`)},
	Refuse:  diag.Example{Request: sample.Timed(`"gadget":{"width":0,"height":1}`)},
}

func checkGadgetSize(in *input, r diag.Reporter) {
	g := in.new.Gadget
	if g == nil {
		return
	}
	if g.Width != nil && *g.Width < limits.GadgetSizeMin {
		r.Report("/gadget/width", "The width is %d pixels; it must be greater than 0.", *g.Width)
	}
	if g.Height != nil && *g.Height < limits.GadgetSizeMin {
		r.Report("/gadget/height", "The height is %d pixels; it must be greater than 0.", *g.Height)
	}
}

var gadgetDisplay = &diag.Doc{
	ID: "gadget.display.enum", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated,
	Summary: "The display of a gadget is icon or chip.",
	Section: sectionEvent + ", gadget",
	Accept:  diag.Example{Request: sample.Timed(`"gadget":{"display":"chip"}`)},
	Refuse:  diag.Example{Request: sample.Timed(`"gadget":{"display":"banner"}`)},
}

func checkGadgetDisplay(in *input, r diag.Reporter) {
	if g := in.new.Gadget; g != nil {
		checkEnum(r, "/gadget/display", g.Display, &g.rest, "display", limits.GadgetDisplay)
	}
}

var gadgetPreferences = &diag.Doc{
	ID: "gadget.preferences", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated,
	Summary: "The preferences of a gadget are a map of string to string.",
	Section: sectionEvent + ", gadget",
	Accept:  diag.Example{Request: sample.Timed(`"gadget":{"preferences":{"lines":"2"}}`)},
	Refuse:  diag.Example{Request: sample.Timed(`"gadget":{"preferences":{"lines":2}}`)},
}

// overrideAt returns the place of a member of the override i.
func overrideAt(i int, member diag.Pointer) diag.Pointer {
	return diag.Pointer("/reminders/overrides").Index(i) + member
}

// overrides returns the event's own reminders.
func (e *Event) overrides() []Reminder {
	if e.Reminders == nil {
		return nil
	}
	return e.Reminders.Overrides
}

var remindersMax = &diag.Doc{
	ID: "reminders.overrides.max", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated,
	Summary: "An event has at most 5 reminders of its own.",
	Section: sectionReminders,
	Accept:  diag.Example{Request: overrides(5)},
	Refuse:  diag.Example{Request: overrides(6)},
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

func checkRemindersMax(in *input, r diag.Reporter) {
	if n := len(in.new.overrides()); n > limits.ReminderOverridesMax {
		r.Report("/reminders/overrides", "There are %d overrides; there may be at most %d. Leave %d out.",
			n, limits.ReminderOverridesMax, n-limits.ReminderOverridesMax)
	}
}

// hasReminder reports whether the stored event has the reminder just so: what is required
// when adding one is not asked of it.
func (in *input) hasReminder(o *Reminder) bool {
	return diag.Modify.Has(in.on) && containsExact(in.stored().overrides(), o, reminderTable)
}

var remindersMethod = &diag.Doc{
	ID: "reminders.method", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated,
	Summary: "A reminder that is added has a method, email or popup.",
	Section: sectionReminders,
	Accept:  diag.Example{Request: sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"email","minutes":10}]}`)},
	Refuse:  diag.Example{Request: sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"sms","minutes":10}]}`)},
}

func checkRemindersMethod(in *input, r diag.Reporter) {
	for i := range in.new.overrides() {
		o := &in.new.Reminders.Overrides[i]
		switch {
		case limits.ReminderMethod.Has(o.Method), in.hasReminder(o):
		case !wrote(o.Method, &o.rest, "method"):
			r.Report(overrideAt(i, "/method"), "The reminder has no method; it must be %s.", limits.ReminderMethod)
		default:
			checkEnum(r, overrideAt(i, "/method"), o.Method, &o.rest, "method", limits.ReminderMethod)
		}
	}
}

var remindersMinutes = &diag.Doc{
	ID: "reminders.minutes", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated,
	Summary: "A reminder that is added has its minutes, 0 to 40320.",
	Section: sectionReminders,
	Why:     "40320 minutes are 4 weeks. 0 is a value, not an absence: the reminder comes with the start.",
	Accept:  diag.Example{Request: sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":0}]}`)},
	Refuse:  diag.Example{Request: sample.Timed(`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":40321}]}`)},
}

func checkRemindersMinutes(in *input, r diag.Reporter) {
	for i := range in.new.overrides() {
		o := &in.new.Reminders.Overrides[i]
		switch minutes := o.Minutes; {
		case in.hasReminder(o):
		case minutes == nil:
			r.Report(overrideAt(i, "/minutes"), "The reminder has no minutes; it must have %d to %d. Send 0 for the start itself.",
				limits.ReminderMinutesMin, limits.ReminderMinutesMax)
		case *minutes < limits.ReminderMinutesMin || *minutes > limits.ReminderMinutesMax:
			r.Report(overrideAt(i, "/minutes"), "The reminder comes %d minutes before the start; it must be %d to %d (4 weeks).",
				*minutes, limits.ReminderMinutesMin, limits.ReminderMinutesMax)
		}
	}
}

var remindersBoth = &diag.Doc{
	ID: "reminders.default-and-overrides", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed,
	Summary: "Reminders of the event's own do not stand beside useDefault true.",
	Section: sectionObserved,
	Why:     "Overrides are used when the defaults are not.",
	Accept:  diag.Example{Request: overrides(1)},
	Refuse:  diag.Example{Request: sample.Timed(`"reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":10}]}`)},
}

func checkRemindersBoth(in *input, r diag.Reporter) {
	if n := len(in.new.overrides()); n > 0 && isTrue(in.new.Reminders.UseDefault) {
		r.Report("/reminders/overrides", "There is useDefault true beside %s; overrides are used when the defaults are not. Send \"useDefault\": false, or leave the overrides out.", count(n, "override"))
	}
}

var remindersAlone = &diag.Doc{
	ID: "reminders.overrides-alone", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed,
	Summary: "Reminders of the event's own come with useDefault false.",
	Section: sectionObserved,
	Why: "The public service answers overrides alone as if useDefault true were given. A serializer that drops " +
		"false is the usual cause.",
	Accept: diag.Example{Request: overrides(1)},
	Refuse: diag.Example{Request: sample.Timed(`"reminders":{"overrides":[{"method":"popup","minutes":10}]}`)},
}

func checkRemindersAlone(in *input, r diag.Reporter) {
	n := len(in.new.overrides())
	if n == 0 || in.new.Reminders.UseDefault != nil || in.new.Reminders.rest.Wrote("useDefault") {
		return
	}
	r.Report("/reminders/overrides", "There is no useDefault beside %s; the service may take it for true, and refuse. Send \"useDefault\": false.", count(n, "override"))
}

var remindersUnset = &diag.Doc{
	ID: "reminders.unset", Kind: diag.Effect, When: diag.All, Basis: diag.Stated,
	Summary: "With useDefault false and no overrides the event has no reminders.",
	Section: sectionReminders,
	Accept:  diag.Example{Request: sample.Timed(`"reminders":{"useDefault":false}`), Answer: `{"event":{"reminders":{"useDefault":false}}}`},
	Refuse:  diag.Example{Request: sample.Timed(`"reminders":{"useDefault":true}`), Answer: `{"event":{"reminders":{"useDefault":true}}}`},
}

var sourceURL = &diag.Doc{
	ID: "source.url", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated,
	Summary: "The url of a source is a URL of scheme http or https.",
	Section: sectionParts,
	Why:     "Schemes are compared without regard to case, and there must be a host.",
	Accept:  diag.Example{Request: sample.Timed(`"source":{"title":"Ticket","url":"HTTPS://example.com/1"}`)},
	Refuse:  diag.Example{Request: sample.Timed(`"source":{"title":"Ticket","url":"ftp://example.com/1"}`)},
}

func checkSourceURL(in *input, r diag.Reporter) {
	if s := in.new.Source; s != nil && wrote(s.URL, &s.rest, "url") && !limits.IsHTTPURL(s.URL) {
		r.Say("/source/url", "The url is ", diag.Quote(s.URL), "; it must be a URL of scheme http or https, such as https://example.com/.")
	}
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

var attachmentsMax = &diag.Doc{
	ID: "attachments.max", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated,
	Summary: "An event has at most 25 attachments.",
	Section: "calendar.md, Limits",
	Accept:  diag.Example{Request: attachments(limits.AttachmentsMax)},
	Refuse:  diag.Example{Request: attachments(limits.AttachmentsMax + 1)},
}

func checkAttachmentsMax(in *input, r diag.Reporter) {
	if n := len(in.new.Attachments); n > limits.AttachmentsMax {
		r.Report("/attachments", "There are %d attachments; there may be at most %d. Leave %d out.", n, limits.AttachmentsMax, n-limits.AttachmentsMax)
	}
}

var attachmentsFileURL = &diag.Doc{
	ID: "attachments.file-url", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated,
	Summary: "An attachment that is added has a fileUrl.",
	Section: sectionParts,
	Why:     "For files of the file-storage service it has the format of the alternate link of the file.",
	Accept:  diag.Example{Request: attachments(1)},
	Refuse:  diag.Example{Request: sample.With(sample.Timed(`"attachments":[{"title":"Agenda"}]`), `"params":{"supportsAttachments":"true"}`)},
}

func checkAttachmentsFileURL(in *input, r diag.Reporter) {
	for i := range in.new.Attachments {
		a := &in.new.Attachments[i]
		if a.FileURL == "" && !containsExact(in.stored().Attachments, a, attachmentTable) {
			r.Report(diag.Pointer("/attachments").Index(i)+"/fileUrl", "The attachment has no fileUrl; it is required when adding one. Send the URL of the file.")
		}
	}
}

var attachmentsSupports = &diag.Doc{
	ID: "attachments.supports", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated,
	Summary: "Adding, changing or removing attachments goes with the parameter supportsAttachments=true.",
	Section: sectionEvent + ", attachments",
	Why:     "It says that the client knows of attachments and would not lose them by accident.",
	Accept:  diag.Example{Request: attachments(1)},
	Refuse:  diag.Example{Request: sample.Timed(`"attachments":[{"fileUrl":"https://files.example.com/1"}]`)},
}

func checkAttachmentsSupports(in *input, r diag.Reporter) {
	if in.flags.SupportsAttachments || !in.alters(ofAttachments) || len(in.new.Attachments)+len(in.stored().Attachments) == 0 {
		return
	}
	r.Report("/attachments", "Attachments would be added, changed or removed without supportsAttachments=true; the parameter is false when absent. Add it, or send them as they are.")
}

// contains reports whether a set that the caller supplied holds id; a set that is nil is not
// known, and holds everything.
func contains(set []string, id string) bool { return set == nil || slices.Contains(set, id) }
