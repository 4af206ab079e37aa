package faults

import (
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/operation"
)

// The groups of operations in which servers make mistakes.
var (
	inserts  = []operation.ID{operation.EventsInsert}
	imports  = []operation.ID{operation.EventsImport}
	patches  = []operation.ID{operation.EventsPatch}
	updates  = []operation.ID{operation.EventsUpdate}
	deletes  = []operation.ID{operation.EventsDelete}
	moves    = []operation.ID{operation.EventsMove}
	gets     = []operation.ID{operation.EventsGet}
	lists    = []operation.ID{operation.EventsList}
	expands  = []operation.ID{operation.EventsInstances}
	modifies = slices.Concat(patches, updates)
	writes   = slices.Concat(inserts, imports, modifies)
	listings = slices.Concat(lists, expands)
	readings = slices.Concat(gets, listings)
)

// edit changes a written event e, given the previous event, which is nil for a new event, and the request body. An edit is
// called for the stored event and for the event in the response, which may have fewer members.
type edit func(e, was, sent object)

// on returns a server that handles calls to the given operations with serve, and passes all other calls to the emulator.
func on(ops []operation.ID, serve server) func() server {
	return func() server {
		return func(c *call) {
			if slices.Contains(ops, c.op) {
				serve(c)
				return
			}
			c.pass()
		}
	}
}

// after returns a server that changes the responses to accepted requests.
func after(ops []operation.ID, change func(*call)) func() server {
	return on(ops, func(c *call) {
		if c.pass(); c.ok() {
			change(c)
		}
	})
}

// stores returns a server that stores and returns a changed event.
func stores(ops []operation.ID, change edit) func() server {
	return on(ops, func(c *call) {
		was := c.event(c.id)
		c.pass()
		c.alter(func(e object) { change(e, was, c.sent) })
	})
}

// forgets returns a server that undoes every accepted write to an event for which the given predicate is true, also restores
// the exceptions of the event, and then calls change, which can alter the response.
func forgets(ops []operation.ID, is func(was object) bool, change func(c *call, was object)) func() server {
	return on(ops, func(c *call) {
		was := c.event(c.id)
		exceptions := c.exceptions(c.id)
		if c.pass(); !c.ok() || was == nil || !is(was) {
			return
		}
		c.put(c.id, was)
		for _, e := range exceptions {
			c.put(text(e, "id"), e)
		}
		change(c, was)
	})
}

func isAny(object) bool { return true }

func answersAsUsual(*call, object) {}

// loses returns an edit that removes members.
func loses(names ...string) edit {
	return func(e, _, _ object) {
		for _, name := range names {
			delete(e, name)
		}
	}
}

// keeps returns an edit that restores the previous values of members.
func keeps(names ...string) edit {
	return func(e, was, _ object) {
		for _, name := range names {
			setOrDelete(e, name, was[name])
		}
	}
}

func setOrDelete(o object, name string, value any) {
	if o[name] = value; value == nil {
		delete(o, name)
	}
}

// rewrites returns an edit that changes string members.
func rewrites(change func(string) string, names ...string) edit {
	return func(e, _, _ object) {
		for _, name := range names {
			if s, ok := e[name].(string); ok {
				e[name] = change(s)
			}
		}
	}
}

// eachGuest returns an edit that changes every attendee.
func eachGuest(change func(guest object)) edit {
	return func(e, _, _ object) {
		for _, guest := range objects(e["attendees"]) {
			change(guest)
		}
	}
}

// eachTime returns an edit that changes the start and the end.
func eachTime(change func(t object)) edit {
	return func(e, _, _ object) {
		for _, name := range []string{"start", "end"} {
			if t, ok := e[name].(object); ok {
				change(t)
			}
		}
	}
}

// shows returns a server that changes the events in its responses.
func shows(ops []operation.ID, change func(e object)) func() server {
	return after(ops, func(c *call) {
		if c.op == operation.EventsGet {
			change(c.answer)
		}
		for _, e := range c.items() {
			change(e)
		}
	})
}

// hides returns a server that omits items from lists.
func hides(ops []operation.ID, is func(c *call, e object) bool) func() server {
	return after(ops, func(c *call) {
		c.setItems(slices.DeleteFunc(c.items(), func(e object) bool { return is(c, e) }))
	})
}

// asks returns a server that changes accepted requests before responding. A request with a page token is not first tried
// unchanged, because the token belongs to the changed request.
func asks(ops []operation.ID, change func(*call)) func() server {
	return on(ops, func(c *call) {
		if !c.query().Has("pageToken") {
			if c.pass(); !c.ok() {
				return
			}
		}
		change(c)
		c.pass()
	})
}

// ignores returns a server that ignores some parameters.
func ignores(ops []operation.ID, names ...string) func() server {
	return asks(ops, func(c *call) {
		for _, name := range names {
			c.setQuery(name)
		}
	})
}

// refuses returns a server that refuses some valid bodies.
func refuses(ops []operation.ID, status int, message string, is func(sent object) bool) func() server {
	return on(ops, func(c *call) {
		if c.sent != nil && is(c.sent) {
			c.refuse(status, reasons[status], message)
			return
		}
		c.pass()
	})
}

// reasons maps the status of a refusal to its reason.
var reasons = map[int]string{400: "invalid", 412: "conditionNotMet", 500: "backendError"}

// accepts returns a server that accepts some invalid bodies. The fix function makes an invalid body valid, or returns false
// for a body that the server passes on unchanged. The members that fix changes are stored as sent.
func accepts(ops []operation.ID, fix func(body object) bool) func() server {
	return on(ops, func(c *call) {
		fixed := clone(c.sent)
		if c.sent == nil || !fix(fixed) {
			c.pass()
			return
		}
		c.passBody(encode(fixed))
		c.alter(func(e object) {
			for name, value := range c.sent {
				if text := encode(object{name: value}); string(text) != string(encode(object{name: fixed[name]})) {
					e[name] = decode(text)[name]
				}
			}
		})
	})
}

// instant parses a dateTime with an offset, or a date.
func instant(t object) (at time.Time, ok bool) {
	for _, form := range []struct{ name, layout string }{{"dateTime", time.RFC3339}, {"date", time.DateOnly}} {
		if at, err := time.Parse(form.layout, text(t, form.name)); err == nil {
			return at, true
		}
	}
	return at, false
}

// start returns the start of an event.
func start(e object) (time.Time, bool) { return memberTime(e, "start") }

func memberTime(e object, name string) (at time.Time, ok bool) {
	t, _ := e[name].(object)
	return instant(t)
}

// setTime sets t to a time, as a dateTime or a date, depending on the current form of t.
func setTime(t object, at time.Time) {
	if _, timed := t["dateTime"]; timed {
		t["dateTime"] = at.Format(time.RFC3339)
	} else {
		t["date"] = at.Format(time.DateOnly)
	}
}

// shift moves a time by a duration.
func shift(t object, by time.Duration) {
	if at, ok := instant(t); ok {
		setTime(t, at.Add(by))
	}
}

// isInstance reports whether an event is an instance of a series.
func isInstance(e object) bool { return e["recurringEventId"] != nil }

// cut returns a function that shortens a string to at most n bytes.
func cut(n int) func(string) string {
	return func(s string) string {
		if len(s) > n {
			s = strings.ToValidUTF8(s[:n], "")
		}
		return s
	}
}
