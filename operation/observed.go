package operation

import (
	"cmp"
	"slices"
)

// Takes reports whether the documents list the query parameter for the operation, or the public
// service is observed to take it. Case matters.
func (op *Operation) Takes(name string) bool { return op.Param(name) != nil || op.isObserved(name) }

// isObserved reports whether the public service is observed to take the query parameter.
func (op *Operation) isObserved(name string) bool {
	return slices.Contains(standardParams, name) || slices.Contains(observedParams[op.orZero().ID], name)
}

// Observed returns the query parameters that the public service is observed to take for the operation and that the
// documents do not list. They have a name and a type, and may be Repeated or Standard.
func (op *Operation) Observed() []Param {
	var list []Param
	add := func(name string, isStandard bool) {
		if op.Param(name) == nil {
			list = append(list, Param{
				Name: name, Type: cmp.Or(observedTypes[name], stringType), Section: sectionObserved,
				Repeated: slices.Contains(repeatableParams, name), Standard: isStandard,
			})
		}
	}
	for _, name := range observedParams[op.orZero().ID] {
		add(name, false)
	}
	for _, name := range standardParams {
		add(name, true)
	}
	return list
}

// standardParams are the query parameters that the public service takes for every operation.
var standardParams = []string{
	"$.xgafv", "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint", "quotaUser",
	"uploadType", "upload_protocol", "userIp",
}

// observedTypes are the types of the observed query parameters that are not strings.
var observedTypes = map[string]string{
	"alwaysIncludeEmail": booleanType, "colorRgbFormat": booleanType, "maxAttendees": integerType, "maxResults": integerType,
	"prettyPrint": booleanType, "sendNotifications": booleanType, "showDeleted": booleanType, "showHidden": booleanType, "showHiddenInvitations": booleanType,
	"showOwnOrganizationOnly": booleanType, "singleEvents": booleanType,
}

// repeatableParams are the observed query parameters that have one value for each time they are sent.
var repeatableParams = []string{"eventTypes", "privateExtendedProperty", "sharedExtendedProperty"}

// observedParams are the other query parameters that the public service takes for an operation and
// that the documents do not list. Source: the reference of the public service.
var observedParams = map[ID][]string{
	"acl.insert":          {"sendNotifications"},
	"acl.patch":           {"sendNotifications"},
	"acl.update":          {"sendNotifications"},
	"acl.list":            observedOfACLs,
	"acl.watch":           observedOfACLs,
	"calendarList.insert": {"colorRgbFormat"},
	"calendarList.patch":  {"colorRgbFormat"},
	"calendarList.update": {"colorRgbFormat"},
	"calendarList.list":   observedOfCalendars,
	"calendarList.watch":  observedOfCalendars,
	EventsDelete:          observedOfNotices,
	EventsGet:             {"alwaysIncludeEmail", "timeZone"},
	EventsInstances: {
		"alwaysIncludeEmail", "maxResults", "originalStart", "pageToken", "showDeleted", "timeMax", "timeMin", "timeZone",
	},
	EventsList:       observedOfEvents,
	EventsMove:       observedOfNotices,
	EventsPatch:      observedOfChanges,
	EventsQuickAdd:   observedOfNotices,
	EventsUpdate:     observedOfChanges,
	EventsWatch:      observedOfEvents,
	"settings.list":  observedOfSettings,
	"settings.watch": observedOfSettings,
}

// A list and the watch of it take the same parameters.
var (
	observedOfACLs      = []string{"maxResults", "pageToken", "showDeleted", "syncToken"}
	observedOfCalendars = []string{"maxResults", "minAccessRole", "pageToken", "showDeleted", "showHidden", "showOwnOrganizationOnly", "syncToken"}
	observedOfSettings  = []string{"maxResults", "pageToken", "syncToken"}
	observedOfEvents    = []string{
		"alwaysIncludeEmail", "eventTypes", "iCalUID", "maxAttendees", "maxResults", "orderBy", "pageToken",
		"privateExtendedProperty", "q", "sharedExtendedProperty", "showDeleted", "showHiddenInvitations", "singleEvents",
		"syncToken", "timeMax", "timeMin", "timeZone", "updatedMin",
	}
	observedOfNotices = []string{"sendNotifications", "sendUpdates"}
	observedOfChanges = []string{"alwaysIncludeEmail", "maxAttendees", "sendNotifications", "sendUpdates"}
)
