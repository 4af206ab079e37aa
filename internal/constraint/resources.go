package constraint

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
)

// The constraints on the other resources of the public service, whose fields the documents do not describe. Source:
// discovery document of the public service, version 3, revision 20261030, unless the comment states otherwise.
var (
	// ACLRole is the access that an access control rule grants, and ACLScopeType is the kind of grantee.
	ACLRole      = enum("ACLRole", "none", "freeBusyReader", "reader", "writerWithoutPrivateAccess", "writer", "owner")
	ACLScopeType = enum("ACLScopeType", ScopeDefault, "user", "group", "domain")

	// NotificationMethod is the means by which a user is notified, and NotificationType is the occasion for the notification.
	NotificationMethod = enum("NotificationMethod", "email")
	NotificationType   = enum("NotificationType", "eventCreation", "eventChange", "eventCancellation", "eventResponse", "agenda")

	// CalendarLabels limits the number of labels in a calendar, and CalendarLabelName limits the length of a label's name.
	CalendarLabels    = atMostMany("CalendarLabels", CalendarLabelsMax, "labels")
	CalendarLabelName = atMostLong("CalendarLabelName", CalendarLabelNameMaxLength)

	// ChannelType is the means by which a channel delivers notifications.
	ChannelType = enum("ChannelType", "web_hook", "webhook")

	// The length and the characters of a channel id. Source: push notifications guide; a sibling service allows these characters.
	ChannelIDLength     = atMostLong("ChannelIDLength", ChannelIDMaxLength)
	ChannelIDCharacters = ofForm("ChannelIDCharacters", "made of letters, digits and -_+/=", "", isChannelID)

	// ChannelToken is the length of a channel's token. Source: push notifications guide.
	ChannelToken = atMostLong("ChannelToken", ChannelTokenMaxLength)

	// ChannelAddress is the form of the URL to which a channel delivers notifications. Source: push notifications guide.
	ChannelAddress = explained("ChannelAddress", "an https URL with a host", "https://example.com/notifications", isHTTPSURL,
		httpsFault, uriFaults, diag.Sentences{otherScheme})

	// FreebusyTime is the form of the start and end times in a free/busy query.
	FreebusyTime = explained("FreebusyTime", "an RFC 3339 timestamp with an offset", "2026-03-10T09:00:00Z", form.IsDateTime,
		form.TimestampFault, clockFaults, dateFaults, diag.Sentences{noTime, noOffset})

	// The maximum number of calendars, and the maximum number of group members, that a free/busy query may expand.
	CalendarExpansion = atMost("CalendarExpansion", CalendarExpansionMax, "calendars")
	GroupExpansion    = atMost("GroupExpansion", GroupExpansionMax, "members of a group")
)

// ScopeDefault is the type of an access control scope that includes everyone.
const ScopeDefault = "default"

// isChannelID reports whether an id consists of characters that are allowed in channel ids.
func isChannelID(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool {
		isAlphanumeric := '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
		return !isAlphanumeric && !strings.ContainsRune("-_+/=", c)
	})
}

func isHTTPSURL(s string) bool { return form.HasScheme(s, "https") && form.IsWellFormedURI(s) }
