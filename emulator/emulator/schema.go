package emulator

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// schema describes a value, as in a discovery document.
type schema struct {
	ID         string             `json:"id,omitempty"`
	Type       string             `json:"type"`
	Properties map[string]*schema `json:"properties,omitempty"`
	Items      *schema            `json:"items,omitempty"`
	Additional *schema            `json:"additionalProperties,omitempty"` // the values of a map
}

var (
	anything = &schema{Type: "any"}
	text     = &schema{Type: "string"}
	flag     = &schema{Type: "boolean"}
	number   = &schema{Type: "integer"}
)

func listOf(element *schema) *schema { return &schema{Type: "array", Items: element} }
func mapOf(value *schema) *schema    { return &schema{Type: "object", Additional: value} }

// object describes an object with the string members named in texts, and with other members.
func object(texts string, others map[string]*schema) *schema {
	members := map[string]*schema{}
	for _, name := range strings.Fields(texts) {
		members[name] = text
	}
	maps.Copy(members, others)
	return &schema{Type: "object", Properties: members}
}

// member returns the schema of a member.
func (s *schema) member(name string) (*schema, bool) {
	switch {
	case s.Type == anything.Type || name == "*":
		return anything, true
	case s.Additional != nil:
		return s.Additional, true
	default:
		member, ok := s.Properties[name]
		return member, ok
	}
}

// schemas contains the schemas of request and response bodies in each dialect.
var schemas = map[diag.Dialect]map[string]*schema{diag.Documents: schemasIn(diag.Documents), diag.Google: schemasIn(diag.Google)}

// schemasIn returns the schemas, keyed by their names in the public service. The documents specify only the schema of an event;
// the remaining schemas are taken from the public service.
func schemasIn(d diag.Dialect) map[string]*schema {
	type members = map[string]*schema
	page := func(of *schema) *schema {
		return object("etag kind nextPageToken nextSyncToken", members{"items": listOf(of)})
	}
	rule := object("etag id kind role", members{"scope": object("type value", nil)})
	reminder := object("method", members{"minutes": number})
	conferences := object("", members{"allowedConferenceSolutionTypes": listOf(text)})
	labels := object("", members{"eventLabels": listOf(object("backgroundColor id name", nil))})
	calendar := object("dataOwner description etag id kind location summary timeZone", members{
		"autoAcceptInvitations": flag, "conferenceProperties": conferences, "labelProperties": labels,
	})
	entry := object("accessRole backgroundColor colorId dataOwner description etag foregroundColor id kind location summary summaryOverride timeZone", members{
		"autoAcceptInvitations": flag, "conferenceProperties": conferences, "defaultReminders": listOf(reminder), "deleted": flag, "hidden": flag,
		"notificationSettings": object("", members{"notifications": listOf(object("method type", nil))}), "primary": flag, "selected": flag,
	})
	channel := object("address expiration id kind resourceId resourceUri token type", members{"params": mapOf(text), "payload": flag})
	color := object("background foreground", nil)
	one := &schema{Type: "object", Properties: eventProperties(d)}
	events := object("accessRole description etag kind nextPageToken nextSyncToken summary timeZone updated", members{
		"defaultReminders": listOf(reminder), "items": listOf(one),
	})
	failures := listOf(object("domain reason", nil))
	query := object("timeMax timeMin timeZone", members{
		"calendarExpansionMax": number, "groupExpansionMax": number, "items": listOf(object("id", nil)),
	})
	busy := object("kind timeMax timeMin", members{
		"calendars": mapOf(object("", members{"busy": listOf(object("end start", nil)), "errors": failures})),
		"groups":    mapOf(object("", members{"calendars": listOf(text), "errors": failures})),
	})
	setting := object("etag id kind value", nil)
	all := map[string]*schema{
		"AclRule": rule, "Acl": page(rule), "Calendar": calendar, "CalendarListEntry": entry, "CalendarList": page(entry), "Channel": channel,
		"Colors": object("kind updated", members{"calendar": mapOf(color), "event": mapOf(color)}), "Event": one, "Events": events,
		"FreeBusyRequest": query, "FreeBusyResponse": busy, "Setting": setting, "Settings": page(setting),
	}
	for id, s := range all {
		s.ID = id
	}
	return all
}

// resourceSchemas contains the schema name of each resource and the schema name of its list.
var resourceSchemas = map[string]struct{ one, list string }{
	"acl": {"AclRule", "Acl"}, "calendarList": {"CalendarListEntry", "CalendarList"}, "calendars": {"Calendar", ""}, "channels": {"Channel", ""},
	"colors": {"Colors", ""}, "events": {"Event", "Events"}, "freebusy": {"FreeBusyResponse", ""}, "settings": {"Setting", "Settings"},
}

// bodyOf returns the schema name of an operation's request body, or "" if the operation has no body.
func bodyOf(op *operation.Operation) string {
	of, name, _ := strings.Cut(string(op.ID), ".")
	switch {
	case (op.Effect.Creates | op.Effect.Deletes).Has(operation.OneChannel):
		return "Channel"
	case op.ID == "freebusy.query":
		return "FreeBusyRequest"
	case slices.Contains([]string{"insert", "import", "patch", "update"}, name):
		return resourceSchemas[of].one
	default:
		return ""
	}
}

// answerOf returns the schema name of an operation's response, or "" if the response is empty.
func answerOf(op *operation.Operation) string {
	of, name, _ := strings.Cut(string(op.ID), ".")
	switch {
	case op.Effect.Deletes != 0 && op.Effect.Creates == 0 || name == "transferOwnership":
		return ""
	case op.Effect.Creates.Has(operation.OneChannel):
		return "Channel"
	case name == "list" || name == "instances":
		return resourceSchemas[of].list
	default:
		return resourceSchemas[of].one
	}
}

// eventProperties returns the schemas of all event members, including some that exist only in the public service.
func eventProperties(d diag.Dialect) map[string]*schema {
	inside := map[string]map[string]*schema{"": {}} // maps the path of each object to the schemas of its members
	for _, f := range event.Fields() {
		at, name := path.Split(strings.NewReplacer("[]", "", ".", "/").Replace(f.Path))
		members := map[string]*schema{}
		inside[at+name+"/"] = members
		inside[at][d.Name(name)] = property(f.Type, members)
	}
	inside["conferenceData/"]["parameters"] = object("", map[string]*schema{"addOnParameters": object("", map[string]*schema{"parameters": mapOf(text)})})
	inside["conferenceData/entryPoints/"]["entryPointFeatures"] = listOf(text)
	inside["conferenceData/entryPoints/"]["regionCode"] = text
	return inside[""]
}

// property returns the schema of a member with the given type, as in [event.Field].
func property(kind string, members map[string]*schema) *schema {
	object := &schema{Type: "object", Properties: members}
	switch kind {
	case "object":
		return object
	case "array of objects":
		return listOf(object)
	case "array of strings":
		return listOf(text)
	case "map of strings":
		return mapOf(text)
	case "any value":
		return anything
	default:
		return &schema{Type: kind}
	}
}
