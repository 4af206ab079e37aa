package emulator

import (
	"cmp"
	"maps"
	"net/http"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/internal/state"
	bodies "github.com/calrules/calrules/internal/resource"
)

const listedKind = "calendar#calendarListEntry"

// listed returns an entry in a user's calendar list, with the members of the calendar and the members set by the user.
func listed(v *state.View, user string, entry state.Resource) resource {
	r, _ := v.Get(state.Calendars, "", entry.ID)
	own := decode(entry.Value)
	color := cmp.Or(own.text("colorId"), "1")
	shown := resource{
		"accessRole": roleOf(v, entry.ID, user).String(), "colorId": color, "backgroundColor": background(calendarColors, color), "foregroundColor": dark,
		"defaultReminders": []any{},
	}
	if entry.ID == user {
		shown["primary"] = true
	}
	value := decode(r.Value)
	for _, name := range []string{"id", "summary", "description", "location", "timeZone", "dataOwner", "conferenceProperties"} {
		if value[name] != nil {
			shown[name] = value[name]
		}
	}
	maps.Copy(shown, own)
	if shown["hidden"] == false {
		delete(shown, "hidden") // present only if true
	}
	return shown.shown(listedKind, listedRevision(v, entry))
}

// listedRevision returns the revision of the last change to a member shown in the entry.
func listedRevision(v *state.View, entry state.Resource) state.Revision {
	r, _ := v.Get(state.Calendars, "", entry.ID)
	return max(r.Revision, entry.Revision)
}

// touchListed marks a calendar as changed in all calendar lists when roles change, because the entries show the user's role.
func touchListed(tx *state.Tx, calendarID string) {
	for _, user := range tx.Owners(state.List) {
		if entry, ok := tx.Get(state.List, user, calendarID); ok {
			tx.Put(state.List, user, calendarID, entry.Value)
		}
	}
}

// calendarID returns the id of the calendar in the path.
func (c *call) calendarID() string {
	id := c.Params["calendarId"]
	if id == primaryCalendar {
		return c.token.Email
	}
	return id
}

// getListed handles calendarList.get.
func (s *Server) getListed(c *call) (reply, error) {
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	v := s.state.View()
	entry, ok := v.Get(state.List, c.token.Email, c.calendarID())
	if !ok {
		return reply{}, refused(http.StatusNotFound, "notFound", "The calendar is not in the calendar list.")
	}
	shown := listed(v, c.token.Email, entry)
	return reply{etag: shown.text("etag"), body: encode(shown)}, nil
}

// listCalendars handles calendarList.list. A synchronization includes hidden entries. Entries that have been removed, or whose
// calendars the caller can no longer see, appear as deleted.
func (s *Server) listCalendars(c *call) (reply, error) {
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	v := s.state.View()
	least := max(parseRole(c.query("minAccessRole")), freeBusyReader)
	isSync := c.query("syncToken") != ""
	var entries []state.Resource
	for _, e := range v.Every(state.List, c.token.Email) {
		has := roleOf(v, e.ID, c.token.Email)
		hidden, _ := decode(e.Value)["hidden"].(bool)
		if !e.Removed {
			e.Revision = listedRevision(v, e)
			e.Removed = has == noRole || isSync && has < least
		}
		if isSync || e.Removed || has >= least && (!hidden || c.query("showHidden") == "true") {
			entries = append(entries, e)
		}
	}
	list, err := s.listAll(v, c, listing{"calendarList " + c.token.Email, entries, func(e state.Resource) resource {
		if e.Removed {
			return resource{"id": e.ID, "deleted": true}.shown(listedKind, e.Revision)
		}
		return listed(v, c.token.Email, e)
	}})
	return list.reply("calendar#calendarList", v.Revision()), err
}

// listedReadOnly lists the members of an entry that only the service or the calendar determines.
var listedReadOnly = append(bodies.ReadOnly(diag.CalendarListPatch), "id", "kind", "etag", "conferenceProperties")

// insertListed handles calendarList.insert.
func (s *Server) insertListed(c *call) (answer reply, err error) {
	err = s.change(func(tx *state.Tx) error {
		if err := c.Check(&s.checker, nil); err != nil {
			return err
		}
		body, err := c.body()
		if err != nil {
			return err
		}
		cal, err := s.openCalendar(tx.View, c, body.text("id"), freeBusyReader)
		if err != nil {
			return err
		}
		for _, name := range listedReadOnly {
			delete(body, name)
		}
		body["id"] = cal.id
		c.setColors(resource{}, body)
		entry := state.Resource{ID: cal.id, Value: encode(body), Revision: tx.Next()}
		tx.Put(state.List, c.token.Email, cal.id, entry.Value)
		shown := listed(tx.View, c.token.Email, entry)
		answer = reply{etag: shown.text("etag"), body: encode(shown)}
		return nil
	})
	return answer, err
}

// changeListed handles calendarList.patch and calendarList.update.
func (s *Server) changeListed(c *call) (answer reply, err error) {
	err = s.change(func(tx *state.Tx) error {
		if err := c.Check(&s.checker, nil); err != nil {
			return err
		}
		id := c.calendarID()
		entry, _ := tx.Get(state.List, c.token.Email, id)
		_, err := c.apply(tx, change{
			kind: state.List, owner: c.token.Email, id: id, keep: listedReadOnly, tag: listedRevision(tx.View, entry), check: func(_, next resource) error {
				c.setColors(decode(entry.Value), next)
				shown := listed(tx.View, c.token.Email, state.Resource{ID: id, Value: encode(next), Revision: tx.Next()})
				answer = reply{etag: shown.text("etag"), body: encode(shown)}
				return nil
			},
		})
		return err
	})
	return answer, err
}

// deleteListed handles calendarList.delete.
func (s *Server) deleteListed(c *call) (reply, error) {
	err := s.change(func(tx *state.Tx) error {
		if err := c.Check(&s.checker, nil); err != nil {
			return err
		}
		entry, _ := tx.Get(state.List, c.token.Email, c.calendarID())
		return c.remove(tx, state.List, c.token.Email, c.calendarID(), listedRevision(tx.View, entry))
	})
	return reply{}, err
}
