package emulator

import (
	"net/http"
	"slices"
	"time"

	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// primaryCalendar is the id that refers to the caller's primary calendar.
const primaryCalendar = "primary"

// calendar is the calendar to which a request refers.
type calendar struct {
	id    string
	value resource
	role  role // the caller's role
}

// owner returns the person whom the calendar represents. A secondary calendar represents itself.
func (c calendar) owner() event.Person {
	if c.value.text("dataOwner") == c.id {
		return event.Person{Email: c.id}
	}
	return event.Person{Email: c.id, DisplayName: c.value.text("summary")}
}

// zone returns the time zone of the calendar.
func (c calendar) zone() *time.Location { return location(c.value.text("timeZone")) }

// labels returns the ids of the calendar's event labels, or nil if the calendar does not list labels.
func (c calendar) labels() operation.IDs {
	properties, ok := c.value["labelProperties"].(map[string]any)
	if !ok {
		return nil
	}
	ids := operation.IDList{}
	list, _ := properties["eventLabels"].([]any)
	for _, label := range list {
		l, _ := label.(map[string]any)
		ids = append(ids, resource(l).text("id"))
	}
	return ids
}

// calendarIn returns a calendar without checking access.
func calendarIn(v *state.View, id string) calendar {
	r, _ := v.Get(state.Calendars, "", id)
	return calendar{id: id, value: decode(r.Value)}
}

// open returns the calendar in the path of a request, or a refusal if the caller's role is lower than needs.
func (s *Server) open(v *state.View, c *call, needs role) (calendar, error) {
	cal, err := s.openCalendar(v, c, c.Params["calendarId"], needs)
	c.role = cal.role
	return cal, err
}

func (s *Server) openCalendar(v *state.View, c *call, id string, needs role) (calendar, error) {
	if id == primaryCalendar {
		id = c.token.Email
	}
	r, ok := v.Get(state.Calendars, "", id)
	has := roleOf(v, id, c.token.Email)
	switch {
	case !ok || has == noRole:
		return calendar{}, refused(http.StatusNotFound, "notFound", "There is no calendar %q, or the caller may not see it.", id)
	case has < needs:
		return calendar{}, refused(http.StatusForbidden, "requiredAccessLevel", "The caller is %s of the calendar; the request needs %s.", has, needs)
	}
	return calendar{id: id, value: decode(r.Value), role: has}, nil
}

// ensureUser creates the primary calendar of a user, if it does not exist.
func (s *Server) ensureUser(email string) error {
	if _, known := s.state.View().Get(state.Calendars, "", email); known {
		return nil
	}
	return s.change(func(tx *state.Tx) error {
		if _, ok := tx.Get(state.Calendars, "", email); !ok {
			s.makePrimary(tx, email)
		}
		return nil
	})
}

// makePrimary creates the primary calendar of a user.
func (s *Server) makePrimary(tx *state.Tx, email string) {
	s.makeCalendar(tx, email, email, resource{"id": email, "summary": email, "timeZone": s.zone})
}

// makeCalendar creates a calendar, a rule that makes the user its owner, and an entry in the user's calendar list.
func (s *Server) makeCalendar(tx *state.Tx, id, user string, value resource) {
	value["dataOwner"] = user
	tx.Put(state.Calendars, "", id, encode(value))
	rule := userRule(user, owner)
	tx.Put(state.ACL, id, rule.text("id"), encode(rule))
	tx.Put(state.List, user, id, encode(resource{"id": id, "selected": true}))
}

const calendarKind = "calendar#calendar"

// getCalendar handles calendars.get.
func (s *Server) getCalendar(c *call) (reply, error) {
	return s.readResource(c, reader, func(v *state.View, cal calendar) (reply, error) {
		r, _ := v.Get(state.Calendars, "", cal.id)
		return cal.value.reply(calendarKind, r.Revision), nil
	})
}

// insertCalendar handles calendars.insert, which creates a secondary calendar. The data owner is the caller.
func (s *Server) insertCalendar(c *call) (answer reply, err error) {
	body, err := s.checkedBody(c)
	if err != nil {
		return reply{}, err
	}
	id := s.checker.NewID() + "@group." + uidHost
	body["id"] = id
	if body.text("timeZone") == "" {
		body["timeZone"] = s.zone
	}
	_, body["dataOwner"] = c.Operation.NewCalendar(*c.Request.Caller)
	err = s.change(func(tx *state.Tx) error {
		s.makeCalendar(tx, id, body.text("dataOwner"), body)
		answer = body.reply(calendarKind, tx.Next())
		return nil
	})
	return answer, err
}

// calendarReadOnly lists the members of a calendar that a client cannot change.
var calendarReadOnly = []string{"id", "kind", "etag", "dataOwner"}

// replacedWhole lists the objects in a calendar that a patch replaces instead of merging.
var replacedWhole = []string{"labelProperties", "workingHours"}

// changeCalendar handles calendars.patch and calendars.update.
func (s *Server) changeCalendar(c *call) (reply, error) {
	return s.writeResource(c, func(tx *state.Tx, cal calendar) (reply, error) {
		return c.apply(tx, change{kind: state.Calendars, id: cal.id, keep: calendarReadOnly, shows: calendarKind, check: func(sent, next resource) error {
			for _, name := range replacedWhole {
				delete(next, name)
				if len(sent.object(name)) > 0 {
					next[name] = sent[name]
				} else if cal.value[name] != nil { // an absent or empty member changes nothing
					next[name] = cal.value[name]
				}
			}
			return nil
		}})
	})
}

// deleteCalendar handles calendars.delete, which applies only to secondary calendars.
func (s *Server) deleteCalendar(c *call) (reply, error) {
	return s.writeWhole(c, func(tx *state.Tx, cal calendar) {
		for e := range tx.Calendar(cal.id).All() {
			gone := e.Event.Clone()
			gone.Status = cancelled
			s.spread(tx, c, cal.id, edit{e.Event, gone})
		}
		tx.RemoveCalendar(cal.id)
		tx.Remove(state.Calendars, "", cal.id)
		for _, rule := range tx.All(state.ACL, cal.id) {
			tx.Remove(state.ACL, cal.id, rule.ID)
		}
		for _, user := range tx.Owners(state.List) {
			tx.Remove(state.List, user, cal.id)
		}
	})
}

// clearCalendar handles calendars.clear, which deletes all events in a primary calendar.
func (s *Server) clearCalendar(c *call) (reply, error) {
	return s.writeWhole(c, func(tx *state.Tx, cal calendar) {
		for _, was := range slices.Collect(tx.Calendar(cal.id).All()) {
			if was.Event.Status == cancelled || tx.Calendar(cal.id).Get(was.Event.ID) != was { // cancelled with its series
				continue
			}
			gone := was.Event.Clone()
			gone.Status = cancelled
			s.touch(tx, c, cal.id, was.Event, gone)
			s.spread(tx, c, cal.id, s.write(tx, c, cal.id, was, gone)...)
		}
	})
}

// writeWhole handles an operation on a whole calendar with an empty response.
func (s *Server) writeWhole(c *call, write func(*state.Tx, calendar)) (reply, error) {
	return s.writeResource(c, func(tx *state.Tx, cal calendar) (reply, error) {
		stored, _ := tx.Get(state.Calendars, "", cal.id)
		if err := c.ifMatch(stored.Revision); err != nil {
			return reply{}, err
		}
		write(tx, cal)
		return reply{}, nil
	})
}

// transferOwnership handles calendars.transferOwnership. The response is empty, as in the public service.
func (s *Server) transferOwnership(c *call) (reply, error) {
	return s.writeResource(c, func(tx *state.Tx, cal calendar) (reply, error) {
		heir := c.query("newDataOwner")
		cal.value["dataOwner"] = heir
		tx.Put(state.Calendars, "", cal.id, encode(cal.value))
		rule := userRule(heir, owner)
		tx.Put(state.ACL, cal.id, rule.text("id"), encode(rule))
		touchListed(tx, cal.id)
		tx.Put(state.List, heir, cal.id, encode(resource{"id": cal.id, "selected": true}))
		return reply{}, nil
	})
}
