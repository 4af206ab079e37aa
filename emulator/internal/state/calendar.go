package state

import (
	"cmp"
	"iter"
	"slices"

	"github.com/calrules/calrules/event"
)

// Calendar has the events of a calendar.
type Calendar struct {
	revision   Revision
	updated    string // when the last event was updated
	byID       map[string]*Entry
	byUID      map[string][]string          // ids by iCalUID
	exceptions map[string]map[string]*Entry // by the id of the series, then by their own
	order      []*Entry                     // by number
}

func newCalendar() *Calendar {
	return &Calendar{byID: map[string]*Entry{}, byUID: map[string][]string{}, exceptions: map[string]map[string]*Entry{}}
}

// Revision returns the revision of the last change to an event.
func (c *Calendar) Revision() Revision { return c.revision }

// Updated returns when an event was last updated, in the form of the member updated, or "".
func (c *Calendar) Updated() string { return c.updated }

// Get returns the event with an id, or nil.
func (c *Calendar) Get(id string) *Entry { return c.byID[id] }

// All yields all events in the order in which they were created.
func (c *Calendar) All() iter.Seq[*Entry] { return slices.Values(c.order) }

// From yields the events with the number or a greater one, in the order in which they were created.
func (c *Calendar) From(number Revision) iter.Seq[*Entry] {
	at, _ := slices.BinarySearchFunc(c.order, number, func(e *Entry, n Revision) int { return cmp.Compare(e.Number, n) })
	return slices.Values(c.order[at:])
}

// Len returns the number of events.
func (c *Calendar) Len() int { return len(c.order) }

// WithUID returns the events with an iCalUID.
func (c *Calendar) WithUID(uid string) (list []*Entry) {
	for _, id := range c.byUID[uid] {
		list = append(list, c.byID[id])
	}
	return list
}

// Exceptions returns the stored instances of a series that it still has, by number.
func (c *Calendar) Exceptions(series string) (list []*Entry) {
	for _, e := range c.exceptions[series] {
		if !e.Dropped {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, byNumber)
	return list
}

// Events returns the events of entries.
func Events(entries []*Entry) []*event.Event {
	list := make([]*event.Event, len(entries))
	for i, e := range entries {
		list[i] = e.Event
	}
	return list
}

// put adds or replaces an event.
func (c *Calendar) put(e *Entry) {
	if was := c.byID[e.Event.ID]; was != nil {
		c.forget(was)
	}
	at, _ := slices.BinarySearchFunc(c.order, e, byNumber)
	c.order = slices.Insert(c.order, at, e)
	c.index(e)
}

// load adds an event without an order.
func (c *Calendar) load(e *Entry) {
	c.order = append(c.order, e)
	c.index(e)
}

func (c *Calendar) index(e *Entry) {
	c.revision = max(c.revision, e.Revision)
	c.updated = max(c.updated, e.Event.Updated) // all have the same form
	c.byID[e.Event.ID] = e
	c.byUID[e.Event.ICalUID] = append(c.byUID[e.Event.ICalUID], e.Event.ID)
	if series := e.Event.RecurringEventID; series != "" {
		if c.exceptions[series] == nil {
			c.exceptions[series] = map[string]*Entry{}
		}
		c.exceptions[series][e.Event.ID] = e
	}
}

// forget removes an event from the indexes.
func (c *Calendar) forget(e *Entry) {
	if at, ok := slices.BinarySearchFunc(c.order, e, byNumber); ok {
		c.order = slices.Delete(c.order, at, at+1)
	}
	uid := e.Event.ICalUID
	c.byUID[uid] = slices.DeleteFunc(c.byUID[uid], func(id string) bool { return id == e.Event.ID })
	if len(c.byUID[uid]) == 0 {
		delete(c.byUID, uid)
	}
	delete(c.exceptions[e.Event.RecurringEventID], e.Event.ID)
}
