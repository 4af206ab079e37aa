package emulator

import (
	"cmp"
	"maps"
	"net/http"
	"slices"

	"github.com/calrules/calrules/emulator/internal/state"
)

// settings contains the user settings, which are the same for every user. The documents do not list the settings, so the names
// and values are taken from the public service.
var settings = map[string]string{
	"autoAddHangouts": "false", "dateFieldOrder": "MDY", "defaultEventLength": "60", "format24HourTime": "true", "hideInvitations": "false",
	"hideWeekends": "false", "locale": "en", "remindOnRespondedEventsOnly": "false", "showDeclinedEvents": "true", "timezone": "UTC",
	"useKeyboardShortcuts": "true", "weekStart": "1",
}

// setting returns a setting of the user. The time zone is taken from the primary calendar.
func setting(v *state.View, c *call, id string) resource {
	value := settings[id]
	if primary, ok := v.Get(state.Calendars, "", c.token.Email); ok && id == "timezone" {
		value = cmp.Or(decode(primary.Value).text("timeZone"), value)
	}
	return resource{"id": id, "value": value}.shown("calendar#setting", 1)
}

// getSetting handles settings.get.
func (s *Server) getSetting(c *call) (reply, error) {
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	id := c.Params["setting"]
	if _, ok := settings[id]; !ok {
		return reply{}, refused(http.StatusNotFound, "notFound", "There is no setting %q.", id)
	}
	return reply{etag: etag(1), body: encode(setting(s.state.View(), c, id))}, nil
}

// listSettings handles settings.list.
func (s *Server) listSettings(c *call) (reply, error) {
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	var entries []state.Resource
	for _, id := range slices.Sorted(maps.Keys(settings)) {
		entries = append(entries, state.Resource{ID: id})
	}
	v := s.state.View()
	list, err := s.listAll(v, c, listing{name: "settings", entries: entries, show: func(e state.Resource) resource { return setting(v, c, e.ID) }})
	return list.reply("calendar#settings", 1), err
}
