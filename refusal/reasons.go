package refusal

import "slices"

// Reason is a reason that the public service states when refusing a request.
type Reason struct {
	Name     string `json:"-"`
	Statuses []int  `json:"-"` // the observed HTTP statuses
	Domain   string `json:"-"` // the domain of the reason; empty for the domain of the calendar

	Meaning string `json:"meaning"` // the meaning, as a sentence
	Next    string `json:"next"`    // the next step, as a sentence
	Source  string `json:"source"`  // the source of the meaning

	// IsInRequest reports whether the cause is in the request, and may therefore be revealed by findings. If the cause is not in
	// the request, the reason itself states the cause: the caller, the rate of requests, or the stored event.
	IsInRequest bool `json:"-"`
}

// The sources of the table of reasons.
const (
	errorsGuide = "https://developers.google.com/workspace/calendar/api/guides/errors"
	sharedCodes = "https://cloud.google.com/storage/docs/json_api/v1/status-codes" // the source for services with the same errors
	pushGuide   = "https://developers.google.com/workspace/calendar/api/guides/push"
	observed    = "docs/observed.md" // a document that lists reports
	rfc6749     = "https://www.rfc-editor.org/rfc/rfc6749#section-5.2"
)

// The domains of reasons that are not specific to the calendar.
const (
	global      = "global"
	usageLimits = "usageLimits"
)

const (
	correct = "Correct the request. Sending it again unchanged will not succeed."
	again   = "Send the request again with exponential backoff: after about 1, 2, 4 and more seconds, plus a random fraction each time."
	asOwner = "Send the request as the organizer, or leave the change out."
)

// reasons is the table of reasons for refusals.
var reasons = []Reason{
	{"badRequest", []int{400}, global, "The request cannot be parsed, or its parts contradict each other.", correct, sharedCodes, true},
	{"invalid", []int{400}, global, "A value in the body or in the query is not allowed.", correct, errorsGuide, true},
	{"required", []int{400}, global, "A member or a parameter is missing.", correct, errorsGuide, true},
	{"parseError", []int{400}, global, "The body is not valid JSON for this request.", correct, sharedCodes, true},
	{"timeRangeEmpty", []int{400}, "", "The end of the event is not after its start, or timeMax is not after timeMin.", correct, errorsGuide, true},
	{"timeRangeTooLong", []int{400}, "", "The range of a free/busy query is longer than about 90 days.", "Send several queries, such as those from 'calrules make free-busy'.", "https://github.com/calcom/cal.diy/pull/11696", true},
	{"malformedWorkingLocationEvent", []int{400}, "", "A working location must be public, transparent and, if it is all-day, one day long.", correct, observed, true},
	{"malformedOutOfOfficeEvent", []int{400}, "", "An out-of-office event must be timed, and must have neither a description nor guests.", correct, observed, true},
	{"eventTypeRestriction", []int{400}, "", "An event of this type does not allow the change.", correct, observed, true},
	{"cannotChangeOrganizerOfInstance", []int{400}, "", "An instance of a series cannot be moved to another calendar.", "Move the series.", observed, true},
	{"cannotUseDefaultRemindersAndSpecifyOverride", []int{400}, "", "The reminders have overrides although useDefault is not false.", correct, observed, true},
	{"participantIsNeitherOrganizerNorAttendee", []int{400}, "", "The owner of the calendar is neither the organizer nor an attendee of the imported event.", correct, observed, true},
	{"channelIdNotUnique", []int{400}, "", "Another channel has the id.", "Use a new id for each channel.", pushGuide, false},
	{"push.webhookUrlNotHttps", []int{400}, global, "The address of a channel is not HTTPS.", correct, sharedCodes, true},
	{"push.channelIdInvalid", []int{400}, global, "The id of a channel contains characters other than A-Z, a-z, 0-9 and -_+/=.", correct, sharedCodes, true},
	{"invalid_grant", []int{400, 401}, "", "The refresh token is expired or revoked, or belongs to another client.", "Let the user sign in again.", rfc6749, false},
	{"authError", []int{401}, global, "The access token is missing, malformed, expired or revoked.", "Get a new access token with the refresh token; if that fails, let the user sign in again.", errorsGuide, false},
	{"insufficientPermissions", []int{403}, global, "The access token does not have any of the operation's scopes.", "Ask the user for one of the scopes that 'calrules operations' lists.", sharedCodes, false},
	{"forbidden", []int{403}, global, "The caller does not have permission for this operation in the calendar.", "Ask the owner of the calendar for access.", sharedCodes, false},
	{"requiredAccessLevel", []int{403}, "", "The caller's role in the calendar is not sufficient, or the calendar is read-only.", "Ask the owner for a higher role, or use a calendar whose accessRole is writer or owner; if the caller is a service account, share the calendar with it.", "https://github.com/spatie/laravel-google-calendar/issues/95", false},
	{"accessNotConfigured", []int{403}, usageLimits, "The project has not enabled the Google Calendar API.", "Enable the API in the project's console, and send the request again after a few minutes.", "https://github.com/taylorwilsdon/google_workspace_mcp/issues/126", false},
	{"forbiddenForNonOrganizer", []int{403}, "", "Only the organizer can change some members, such as shared properties and the permissions of guests.", asOwner, errorsGuide, false},
	{"forbiddenForServiceAccounts", []int{403}, "", "A service account cannot invite guests without domain-wide delegation.", "Delegate authority to the service account and act as a user, or leave the guests out.", observed, false},
	{"rateLimitExceeded", []int{403, 429}, usageLimits, "Too many requests were sent in a short time.", again, errorsGuide, false},
	{"userRateLimitExceeded", []int{403}, usageLimits, "A user sent too many requests in a short time.", again, errorsGuide, false},
	{"quotaExceeded", []int{403}, usageLimits, "The user has reached a usage limit of the service, such as the number of guests or events in a period.", "Wait, and then send fewer requests; the limit is not the number of requests per minute.", errorsGuide, false},
	{"dailyLimitExceeded", []int{403}, usageLimits, "The project has used its daily quota of requests.", "Continue tomorrow, or request a higher quota in the project's console.", errorsGuide, false},
	{"notFound", []int{404}, global, "The calendar or the event does not exist, or the caller cannot see it.", "Check the ids and the caller's access, and read the list again.", errorsGuide, false},
	{"httpMethodNotAllowed", []int{405}, global, "The path does not support the method.", correct, sharedCodes, true},
	{"conflict", []int{409}, "", "Another request changed the same resource at the same time, for example in a batch.", again, errorsGuide, false},
	{"duplicate", []int{409}, global, "An event with this id already exists, perhaps because the same request was sent before.", "Read the event with this id. If it is a different event, use a new id; to change the event, update it.", errorsGuide, false},
	{"deleted", []int{410}, global, "The event has already been deleted.", "Treat the event as deleted.", errorsGuide, false},
	{"fullSyncRequired", []int{410}, "", "The sync token is no longer valid.", "Discard the local copies of the calendar's events, and list them again without syncToken.", errorsGuide, false},
	{"updatedMinTooLongAgo", []int{410}, "", "The updatedMin is too far in the past.", "Discard the local copies of the calendar's events, and list them again without updatedMin.", errorsGuide, false},
	{"conditionNotMet", []int{412}, global, "The event has changed since it was read: If-Match does not match its entity tag.", "Read the event again, make the change again, and send it with the new entity tag.", errorsGuide, false},
	{"uploadTooLarge", []int{413}, global, "The body is too large.", correct, sharedCodes, true},
	{"unsupportedMediaType", []int{415}, global, "The body is not application/json.", correct, sharedCodes, true},
	{"backendError", []int{500, 503}, global, "The service failed.", again, errorsGuide, false},
}

// lookup returns the row for a reason or, if the reason is unknown, for a status with only one meaning, or nil if there is no
// such row.
func lookup(name string, status int) *Reason {
	if i := slices.IndexFunc(reasons, func(r Reason) bool { return r.Name == name }); i >= 0 {
		return &reasons[i]
	}
	switch {
	case status == 401:
		return lookup("authError", 0)
	case status == 404:
		return lookup("notFound", 0)
	case status == 412:
		return lookup("conditionNotMet", 0)
	case status == 429:
		return lookup("rateLimitExceeded", 0)
	case status >= 500:
		return lookup("backendError", 0)
	}
	return nil
}

// Domain returns the domain of a reason in the public service's errors.
func Domain(reason string) string {
	if r := lookup(reason, 0); r != nil && r.Domain != "" {
		return r.Domain
	}
	return "calendar"
}
