package tags

import (
	"strconv"
	"strings"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/limits"
)

// The ids of the rules that several tags become.
const (
	ruleIDAlphabet = "event.id.alphabet"
	ruleIDLength   = "event.id.length"
	ruleDateTime   = "time.datetime.format"
	ruleEntryURI   = "conference.entry.uri"
	ruleProperty   = "event.extended-properties.size"
)

// table has every rule that can be told by one value, or by it and the one beside it.
var table = []tag{
	{
		Tag:   Tag{Name: "present", Holds: "there: a text that is not empty, or what is not nil", Param: paramRule},
		check: func(f validator.FieldLevel) bool { return isPresent(f.Field()) },
		ofNil: true,
		say:   missing,
	},

	text("eventkind", "event.kind", strconv.Quote(limits.EventKind), func(s string) bool { return s == limits.EventKind }, "EventKind"),
	split(
		text("eventid", ruleIDAlphabet, span(limits.EventIDMinLength, limits.EventIDMaxLength, "characters of a to v and 0 to 9"), limits.IsEventID,
			"EventIDAlphabet", "EventIDMinLength", "EventIDMaxLength"),
		idFaults, ruleIDLength),
	enum("eventstatus", "event.status.enum", limits.EventStatus, "Status"),
	split(
		text("rruleline", "recurrence.line.name", "an RRULE, EXRULE, RDATE or EXDATE line of RFC 5545", isLine, "RecurrenceLine"),
		lineFaults,
		"recurrence.line.dtstart", "recurrence.line.syntax", "recurrence.rule.part", "recurrence.rule.count-until",
		"recurrence.rule.by-part", "recurrence.dates.form"),
	enum("transparency", "event.transparency.enum", limits.Transparency, "Transparency"),
	enum("visibility", "event.visibility.enum", limits.Visibility, "Visibility"),
	atLeast("icalsequence", "event.sequence", limits.SequenceMin, "SequenceMin"),
	atMostLong("propertykey", ruleProperty, limits.PropertyKeyMaxLength, "PropertyKeyMaxLength"),
	atMostLong("propertyvalue", ruleProperty, limits.PropertyValueMaxLength, "PropertyValueMaxLength"),
	atLeast("gadgetsize", "gadget.size", limits.GadgetSizeMin, "GadgetSizeMin"),
	enum("gadgetdisplay", "gadget.display.enum", limits.GadgetDisplay, "GadgetDisplay"),
	atMostMany("attachmentsmax", "attachments.max", limits.AttachmentsMax, "AttachmentsMax"),
	enum("eventtype", "event.type.enum", limits.EventType, "EventType"),
	text("neweventtype", "event.type.from-mail", "a type that a client can create: not fromMail", func(s string) bool { return s != "fromMail" }),

	text("fulldate", "time.date.format", "a day that the calendar has, written yyyy-mm-dd", limits.IsDate, "IsDate"),
	text("rfc3339", ruleDateTime, "an RFC 3339 timestamp such as 2026-03-10T09:00:00-04:00", limits.IsDateTime, "IsDateTime"),
	text("eventdatetime", ruleDateTime, "an RFC 3339 timestamp, of which the offset may be missing", isEventDateTime),
	{
		Tag:   Tag{Name: "offset", Holds: "with an offset, or beside a time zone", Rules: []string{"time.offset"}, Param: "ZONE"},
		check: hasOffset,
		say:   wants("with an offset such as Z, or beside a time zone"),
	},
	text("ianazone", "time.zone.iana", "a name of the IANA Time Zone Database such as Europe/Berlin", limits.IsZone, "IsZone"),

	text("addrspec", "attendee.email.address", "an addr-spec of RFC 5322 such as ada@example.com", limits.IsAddrSpec, "IsAddrSpec"),
	enum("responsestatus", "attendee.response.enum", limits.ResponseStatus, "ResponseStatus"),
	atLeast("additionalguests", "attendee.guests", limits.AdditionalGuestsMin, "AdditionalGuestsMin"),
	enum("asyncoperation", "attendee.async-operation", limits.AsyncOperation, "AsyncOperation"),

	enum("conferencestatus", "conference.request.status", limits.CreateRequestStatus, "CreateRequestStatus"),
	enum("conferencetype", "conference.type.enum", limits.ConferenceType, "ConferenceSolutionType"),
	text("newconferencetype", "conference.type.create", "a type that can be created: not "+limits.DeprecatedConferenceType.String(),
		func(s string) bool { return !limits.DeprecatedConferenceType.Has(s) }, "ConferenceSolutionDeprecated"),
	text("meetingcode", "conference.id.form", "three, four and three letters joined by hyphens, such as abc-mnop-xyz", limits.IsMeetingCode, "IsMeetingCode"),
	atMostLong("conferencenotes", "conference.notes", limits.ConferenceNotesMaxLength, "ConferenceNotesMaxLength"),
	enum("entrypointtype", "conference.entry.type", limits.EntryPointType, "EntryPointType"),
	{
		Tag: Tag{Name: "entryuri", Holds: "a URI of at most " + strconv.Itoa(limits.EntryPointURIMaxLength) + " characters that goes with the type",
			Rules: []string{ruleEntryURI}, Param: "TYPE", Limits: []string{"EntryPointURIMaxLength"}},
		check: isEntryURI,
		say: wants("at most " + strconv.Itoa(limits.EntryPointURIMaxLength) +
			" characters and go with the type: http or https for video and more, tel for phone, sip for sip"),
	},
	text("httpurl", "source.url", "a URL of scheme http or https, such as https://example.com/", limits.IsHTTPURL, "IsHTTPURL"),
	text("teluri", ruleEntryURI, "a URI of scheme tel", limits.IsTelURI, "IsTelURI"),
	text("sipuri", ruleEntryURI, "a URI of scheme sip", limits.IsSIPURI, "IsSIPURI"),
	atMostLong("entrylabel", "conference.entry.label", limits.EntryPointLabelMaxLength, "EntryPointLabelMaxLength"),
	atMostLong("entrycode", "conference.entry.code", limits.EntryPointCodeMaxLength, "EntryPointCodeMaxLength"),

	atMostMany("overridesmax", "reminders.overrides.max", limits.ReminderOverridesMax, "ReminderOverridesMax"),
	enum("remindermethod", "reminders.method", limits.ReminderMethod, "ReminderMethod"),
	number("reminderminutes", "reminders.minutes", span(limits.ReminderMinutesMin, limits.ReminderMinutesMax, "minutes"),
		limits.ReminderMinutesMin, limits.ReminderMinutesMax, "ReminderMinutesMin", "ReminderMinutesMax"),

	enum("autodeclinemode", "focus-time.auto-decline", limits.AutoDeclineMode, "AutoDeclineMode"),
	enum("chatstatus", "focus-time.chat-status", limits.ChatStatus, "ChatStatus"),
	enum("birthdaytype", "birthday.type.enum", limits.BirthdayType, "BirthdayType"),
	text("newbirthdaytype", "birthday.type.create", "the type that a client can create: birthday", isNewBirthdayType),
	text("contactname", "birthday.contact", "a resource name of the shape people/<contact_id>", limits.IsContactName, "IsContactName"),
	enum("workinglocationtype", "working-location.type", limits.WorkingLocationType, "WorkingLocationType"),

	// Query parameters, for those who keep them as numbers and texts of their own.
	number("featureversion", "insert.param.range", span(limits.FeatureVersionMin, limits.FeatureVersionMax, "as version"),
		limits.FeatureVersionMin, limits.FeatureVersionMax, "FeatureVersionMin", "FeatureVersionMax"),
	atLeast("maxattendees", "insert.param.max-attendees", limits.MaxAttendeesMin, "MaxAttendeesMin"),
	enum("sendupdates", "insert.param.send-updates", limits.SendUpdates, "SendUpdates"),
}

func span(low, high int, of string) string {
	return strings.Join([]string{strconv.Itoa(low), "to", strconv.Itoa(high), of}, " ")
}
