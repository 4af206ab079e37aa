package refusal

import (
	"cmp"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
)

// recording is a refusal whose message has been observed in a response from the public service. Programs may compare recorded
// messages.
type recording struct {
	rule string
	path diag.Pointer // the place of the finding; empty for every place
	key  string       // the key of the sentence; empty for every sentence
	kind string       // the event type that the sentence names; empty for every type

	reason  string // the reason; empty for the reason of the rule
	message string // the message, in which "..." is the value; empty for the sentence of the rule
	param   string // the parameter that is the location; empty for the place of the finding
}

// recordings lists the recorded refusals. If all refusals for a rule have the same reason, the reason is a field of the rule.
var recordings = []recording{
	{rule: ruleid.ListOrderBy, message: "The requested ordering is not available for the particular query."},
	{rule: ruleid.ListTimeRange, message: emptyRange, param: "timeMax"},
	{rule: ruleid.FreebusyBody, key: "order", reason: "timeRangeEmpty", message: emptyRange, param: "timeMax"},
	{rule: ruleid.FreebusyBody, path: "/timeMin", key: "missing", reason: "required", message: "Missing timeMin parameter."},
	{rule: ruleid.FreebusyRange, message: "The requested time range is too long."},
	{rule: ruleid.CalendarsBody, path: "/summary", key: "missing", reason: "required", message: "Missing title."},
	{rule: ruleid.AclBody, path: "/scope", key: "missing", reason: "required", message: "Missing scope type."},
	{rule: ruleid.AclBody, path: "/scope/type", key: "missing", reason: "required", message: "Missing scope type."},
	{rule: ruleid.AttendeeEmailAddress, message: "Invalid attendee email."},
	{rule: ruleid.TimeOrder, message: emptyRange},
	{rule: ruleid.TimeSameForm, message: "Start and end times must either both be date or both be dateTime."},
	{rule: ruleid.TimeDatetimeFormat, path: "/start/dateTime", message: "Invalid start time."},
	{rule: ruleid.TimeDateFormat, path: "/start/date", message: "Invalid start time."},
	{rule: ruleid.TimeZoneIANA, path: "/start/timeZone", message: "Invalid time zone definition for start time."},
	{rule: ruleid.TimeZoneRecurring, path: "/start/timeZone", message: "Missing time zone definition for start time."},
	{rule: ruleid.TimeOffset, path: "/start/dateTime", message: "Missing time zone definition for start time."},
	{rule: ruleid.ConferenceTypeEnum, path: "/conferenceData/createRequest/conferenceSolutionKey/type", message: "Invalid conference type value."},
	{rule: ruleid.EventColorKnown, message: "Invalid Value"},
	{rule: ruleid.EventTypeImmutable, message: "Event type cannot be changed."},
	{rule: ruleid.EventTypeUpdateAbsent, message: "Event type cannot be changed."},
	{rule: ruleid.WorkingLocationForm, path: "/visibility", message: "A working location event must have a visibility setting of public."},
	{rule: ruleid.WorkingLocationForm, path: "/transparency", message: "A working location event must have a transparency setting of transparent."},
	{rule: ruleid.WorkingLocationForm, key: "days", message: "An all-day working location event must be exactly one day long."},
	{rule: ruleid.WorkingLocationEventType, message: "workingLocationProperties requires an event type of workingLocation, and vice versa."},
	{rule: ruleid.TypePropertiesRequired, message: "workingLocationProperties requires an event type of workingLocation, and vice versa."},
	{rule: ruleid.OutOfOfficeEventType, message: "outOfOfficeProperties requires an event type of outOfOffice"},
	{rule: ruleid.TypePlain, key: "description", reason: "malformedOutOfOfficeEvent", message: "An out of office event must not have a description."},
	{rule: ruleid.TypePlain, key: "attendees", kind: "outOfOffice", reason: "malformedOutOfOfficeEvent"},
	{rule: ruleid.TypeTimedOnly, kind: "outOfOffice", reason: "malformedOutOfOfficeEvent"},
	{rule: ruleid.BirthdayPrivateProperties, message: "'birthday' event type must not have private extended properties."},
	{rule: ruleid.BirthdayDelete, message: "Attempt made to modify 'birthday' event in a way that is not valid for this event type."},
	{rule: ruleid.EventRecurringIDWritten, key: "inserted", message: "Invalid recurringEventId value."},
	{rule: ruleid.EventRecurringIDWritten, key: "imported", message: "Invalid iCalUID value."},
	{rule: ruleid.EventOrganizerOnly, message: "Shared properties can only be changed by the organizer of the event."},
	{rule: ruleid.StatusModifyCancelled, message: "Invalid start time."},
	{rule: ruleid.StatusDeleteGone, message: "Resource has been deleted"},
	{rule: ruleid.WatchChannel, path: "/address", key: "other-scheme", reason: "push.webhookUrlNotHttps", message: "WebHook callback must be HTTPS: ..."},
	{rule: ruleid.WatchChannel, path: "/id", key: "id-characters", reason: "push.channelIdInvalid"},
}

const emptyRange = "The specified time range is empty."

// Recorded returns the refusal that the public service would return for a finding. The status and reason are 400 and "invalid"
// unless the rule specifies others. The message is empty unless the service's message has been recorded.
func Recorded(f diag.Finding) Refusal {
	status, reason := f.Refusal()
	r := Refusal{Status: cmp.Or(status, 400), Reason: cmp.Or(reason, "invalid")}
	if f.Dialect != diag.Google {
		return r
	}
	kind, _ := f.Arg("type")
	for _, known := range recordings {
		isOf := f.Is(known.rule) && (known.path == "" || known.path == f.Path) && (known.key == "" || known.key == f.Key)
		if isOf && (known.kind == "" || known.kind == kind) {
			r.Reason, r.Location = cmp.Or(known.reason, r.Reason), known.param
			r.Message = strings.Replace(known.message, "...", f.Value(), 1)
			return r
		}
	}
	return r
}

// Redacted returns only the parts of the refusal that are known not to quote the request: the status, a reason in the
// table, and a recorded message of the service.
func (r Refusal) Redacted() Refusal {
	known := Refusal{Status: r.Status}
	if about := lookup(r.Reason, 0); about != nil {
		known.Reason = about.Name
	}
	if isRecorded(r.Message) {
		known.Message = r.Message
	}
	return known
}
