package emulator

import (
	"maps"
	"net/http"
	"slices"
)

// settings are the settings of every user. The documents do not show them: the names and the values are taken
// from the public service.
var settings = map[string]string{
	"autoAddHangouts": "false", "dateFieldOrder": "MDY", "defaultEventLength": "60", "format24HourTime": "true", "hideInvitations": "false",
	"hideWeekends": "false", "locale": "en", "remindOnRespondedEventsOnly": "false", "showDeclinedEvents": "true", "timezone": "UTC",
	"useKeyboardShortcuts": "true", "weekStart": "1",
}

func setting(id string) resource {
	return resource{"id": id, "value": settings[id]}.shown("calendar#setting", 1)
}

// getSetting answers settings.get.
func (s *Server) getSetting(c *call) (reply, error) {
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	id := c.Params["setting"]
	if _, ok := settings[id]; !ok {
		return reply{}, refused(http.StatusNotFound, "notFound", "There is no setting %q.", id)
	}
	return reply{etag: etag(1), body: encode(setting(id))}, nil
}

// listSettings answers settings.list.
func (s *Server) listSettings(c *call) (reply, error) {
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	const token = "settings" // they do not change
	asked := c.query("syncToken")
	if asked != "" && asked != token {
		return reply{}, badParam("syncToken", asked, "one of this list")
	}
	items := []resource{}
	for _, id := range slices.Sorted(maps.Keys(settings)) {
		items = append(items, setting(id))
	}
	list := resource{"items": items, "nextSyncToken": token}
	if asked != "" {
		list["items"] = []resource{}
	}
	return list.reply("calendar#settings", 1), nil
}
