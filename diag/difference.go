package diag

import (
	"slices"
	"sync"

	"github.com/calrules/calrules/diag/ruleid"
)

// Difference is a case covered by a rule in which the public service is known to differ from the documents. Difference applies
// only in the dialect [Google].
type Difference struct {
	Rule string // the id of the rule
	Key  string // the key of the rule's sentence about the case; empty for all cases

	// Member is the member that the case is about, such as "Event.colorId", if the service accepts a value of a different JSON
	// type for the member. Decoding a client's request then accepts a string of digits for an integer, and a number for a string.
	Member string

	Case     string   // the request
	Kind     Kind     // the kind of the findings; empty for none
	Does     string   // the service's behavior
	Reported []string // where the behavior was observed, as in [Rule.Reported]
}

// discoveryPage is the URL of the public service's discovery document.
const discoveryPage = "https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest"

// differences lists all differences. A finding whose rule and sentence match a row has exactly that row's kind.
var differences = []Difference{
	{
		Rule: ruleid.TimeZoneRecurringAllDay,
		Case: "a recurring all-day event without a timeZone",
		Does: "The service accepts the event. Ordinary clients send such events.",
	},
	{
		Rule: ruleid.JSONType, Key: "read", Member: "Event.colorId", Kind: Advise,
		Case: "a colorId that is an integer",
		Does: "The service creates the event. Reports differ on whether it keeps the color.",
	},
	{
		Rule: ruleid.JSONType, Key: "read", Member: "Event.sequence", Kind: Advise,
		Case: "a sequence that is a string of digits",
		Does: "The service reads the number. Widely used clients send such strings, and no refusals are known.",
	},
	{
		Rule: ruleid.JSONType, Key: "read", Member: "Channel.params", Kind: Advise,
		Case: "a number among the params of a channel",
		Does: "The service reads the digits of the number. Widely used clients send numbers, and no refusals are known.",
	},
	{
		Rule: ruleid.RecurrenceLineSyntax, Key: "last-semicolon", Kind: Advise,
		Case: "a single semicolon at the end of a rule",
		Does: "The service ignores the semicolon. Widely used clients send it, and no refusals are known.",
	},
	{
		Rule: ruleid.StatusUnspecified,
		Case: "a status that differs from the stored status",
		Does: "The service is known to allow the change, and stores the new status.",
	},
	{
		Rule: ruleid.ResponseStatusUnspecified,
		Case: "a responseStatus that differs from the stored one",
		Does: "The service is known to allow the change, and stores the new responseStatus.",
	},
	{
		Rule: ruleid.ScopeUnspecified,
		Case: "an access token for an operation other than events.insert",
		Does: "The reference shows the scopes: see scope.operation.", Reported: []string{discoveryPage},
	},
	{
		Rule: ruleid.InsertParamMaxAttendees,
		Case: "maxAttendees with a value that is not a positive integer",
		Does: "The reference shows the type and the bounds: see param.value.", Reported: []string{discoveryPage},
	},
	{
		Rule: ruleid.InsertParamSendUpdates,
		Case: "sendUpdates with a value other than all, externalOnly and none",
		Does: "The reference shows the values: see param.value.", Reported: []string{discoveryPage},
	},
	{
		Rule: ruleid.InsertParamSendUpdatesDefault,
		Case: "an insert that relies on the default of sendUpdates",
		Does: "The reference also states the default false, which is not one of the values: see param.value and " +
			"insert.param.send-updates.absent.", Reported: []string{discoveryPage},
	},
	{
		Rule: ruleid.AttachmentsSupports, Kind: Ignore,
		Case: "a change to attachments without supportsAttachments=true",
		Does: "The attachments in the request have no effect. Stored attachments stay, even if an update leaves them out.",
	},
	{
		Rule: ruleid.EventServerSet, Key: "third-party",
		Case: "the iconLink of an attachment whose file is not on drive.google.com or docs.google.com",
		Does: "The service stores the client's iconLink.", Reported: []string{discoveryPage},
	},
	{
		Rule: ruleid.EventColorKnown, Key: "palette", Kind: Reject,
		Case: "a colorId other than 1 to 11, if the caller does not supply the colors",
		Does: "The service answers 400.", Reported: []string{"coursetable/coursetable#1551"},
	},
	{
		Rule: ruleid.WorkingLocationEventType, Kind: Reject,
		Case: "workingLocationProperties with a different eventType",
		Does: "The service answers 400.", Reported: []string{"phw198/OutlookGoogleCalendarSync#1817"},
	},
	{
		Rule: ruleid.OutOfOfficeEventType, Kind: Reject,
		Case: "outOfOfficeProperties with a different eventType",
		Does: "The service answers 400.", Reported: []string{"dust-tt/dust#25311"},
	},
	{
		Rule: ruleid.EventTypeUpdateAbsent, Kind: Reject,
		Case: "an update that leaves out the eventType of an event with a type other than default",
		Does: "The service answers 400.", Reported: []string{"gemini-cli-extensions/workspace#319"},
	},
}

// Differences returns the cases in which the public service is known to differ from the documents.
func Differences() []Difference { return slices.Clone(differences) }

// byRule maps the ids of rules to their differences.
var byRule = sync.OnceValue(func() map[string][]Difference {
	all := map[string][]Difference{}
	for _, d := range differences {
		all[d.Rule] = append(all[d.Rule], d)
	}
	return all
})

// difference returns the difference about the rule's sentence with the given key, or nil if there is none. A
// difference with an empty key is about all sentences.
func (r *Rule) difference(key string) *Difference {
	of := byRule()[r.ID]
	for i := range of {
		if of[i].Key == key {
			return &of[i]
		}
	}
	return nil
}
