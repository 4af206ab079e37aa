package diag

import (
	"slices"
	"sync"

	"github.com/calrules/calrules/diag/ruleid"
)

// Difference is a case of a rule in which the public service is known to differ from the documents. Difference applies
// only in the dialect [Google].
type Difference struct {
	Rule string // the id of the rule
	Key  string // the key of the rule's sentence about the case; empty for all cases

	// Member is the member that the case is about, such as "Event.colorId", if the service accepts a value of another
	// JSON type for it. Decoding a client's request then accepts a string of digits for an integer, and a number for
	// a string.
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
		Does: "It accepts the event. Ordinary clients send it.",
	},
	{
		Rule: ruleid.JSONType, Key: "read", Member: "Event.colorId", Kind: Advise,
		Case: "a colorId that is an integer",
		Does: "It creates the event. Whether it keeps the color was reported both ways.",
	},
	{
		Rule: ruleid.JSONType, Key: "read", Member: "Event.sequence", Kind: Advise,
		Case: "a sequence that is a string of digits",
		Does: "It reads the number. Widely used clients send it, and no refusal is known.",
	},
	{
		Rule: ruleid.JSONType, Key: "read", Member: "Channel.params", Kind: Advise,
		Case: "a number among the params of a channel",
		Does: "It reads its digits. Widely used clients send it, and no refusal is known.",
	},
	{
		Rule: ruleid.RecurrenceLineSyntax, Key: "last-semicolon", Kind: Advise,
		Case: "one semicolon at the end of a rule",
		Does: "It reads the rule without it. Widely used clients send it, and no refusal is known.",
	},
	{
		Rule: ruleid.StatusUnspecified,
		Case: "a status other than the stored one",
		Does: "It is known to allow it, and stores the status that is sent.",
	},
	{
		Rule: ruleid.ResponseStatusUnspecified,
		Case: "a responseStatus other than the stored one",
		Does: "It is known to allow it, and stores the responseStatus that is sent.",
	},
	{
		Rule: ruleid.ScopeUnspecified,
		Case: "an access token, for an operation other than events.insert",
		Does: "Its reference shows the scopes: see scope.operation.", Reported: []string{discoveryPage},
	},
	{
		Rule: ruleid.InsertParamMaxAttendees,
		Case: "maxAttendees with a value that is no positive integer",
		Does: "Its reference shows the type and the bounds: see param.value.", Reported: []string{discoveryPage},
	},
	{
		Rule: ruleid.InsertParamSendUpdates,
		Case: "sendUpdates with another value than all, externalOnly and none",
		Does: "Its reference shows the values: see param.value.", Reported: []string{discoveryPage},
	},
	{
		Rule: ruleid.InsertParamSendUpdatesDefault,
		Case: "an insert that relies on the default of sendUpdates",
		Does: "Its reference gives the default false too, which is no value: see param.value and insert.param.send-updates.absent.", Reported: []string{discoveryPage},
	},
	{
		Rule: ruleid.AttachmentsSupports, Kind: Ignore,
		Case: "a change of attachments without supportsAttachments=true",
		Does: "The attachments that are sent have no effect. Stored attachments stay, also if an update leaves them out.",
	},
	{
		Rule: ruleid.EventServerSet, Key: "third-party",
		Case: "the iconLink of an attachment whose file is not on drive.google.com or docs.google.com",
		Does: "The icon is the client's, and is stored.", Reported: []string{discoveryPage},
	},
	{
		Rule: ruleid.EventColorKnown, Key: "palette", Kind: Reject,
		Case: "a colorId other than 1 to 11, where the caller does not supply the colors",
		Does: "It answers 400.", Reported: []string{"coursetable/coursetable#1551"},
	},
	{
		Rule: ruleid.WorkingLocationEventType, Kind: Reject,
		Case: "workingLocationProperties with another eventType",
		Does: "It answers 400.", Reported: []string{"phw198/OutlookGoogleCalendarSync#1817"},
	},
	{
		Rule: ruleid.OutOfOfficeEventType, Kind: Reject,
		Case: "outOfOfficeProperties with another eventType",
		Does: "It answers 400.", Reported: []string{"dust-tt/dust#25311"},
	},
	{
		Rule: ruleid.EventTypeUpdateAbsent, Kind: Reject,
		Case: "an update that leaves out the eventType of an event that is not default",
		Does: "It answers 400.", Reported: []string{"gemini-cli-extensions/workspace#319"},
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
