package state

import (
	"cmp"
	"iter"
	"math"

	"github.com/tidwall/btree"

	"github.com/calrules/calrules/event"
)

// Calendar contains the events in a calendar, in four trees with different orders. Copying a tree takes constant time, because
// the copy shares the nodes.
type Calendar struct {
	revision Revision
	updated  string // the time of the last update of an event

	byID, byNumber, byUID, bySeries *btree.BTreeG[*Entry]
}

func newCalendar() *Calendar {
	tree := func(compare func(a, b *Entry) int) *btree.BTreeG[*Entry] {
		less := func(a, b *Entry) bool { return compare(a, b) < 0 }
		return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true}) // calendars visible to readers never change
	}
	return &Calendar{
		byID: tree(func(a, b *Entry) int { return cmp.Compare(a.Event.ID, b.Event.ID) }), byNumber: tree(byNumber),
		byUID:    tree(func(a, b *Entry) int { return cmp.Or(cmp.Compare(a.Event.ICalUID, b.Event.ICalUID), byNumber(a, b)) }),
		bySeries: tree(func(a, b *Entry) int { return cmp.Or(cmp.Compare(a.series(), b.series()), byNumber(a, b)) }),
	}
}

func (c *Calendar) copy() *Calendar {
	return &Calendar{c.revision, c.updated, c.byID.Copy(), c.byNumber.Copy(), c.byUID.Copy(), c.bySeries.Copy()}
}

// Revision returns the revision of the last change to an event.
func (c *Calendar) Revision() Revision { return c.revision }

// Updated returns the latest value of the updated member in any event, or "" if there are no events.
func (c *Calendar) Updated() string { return c.updated }

// Get returns the event with the given id, or nil if the event does not exist.
func (c *Calendar) Get(id string) *Entry {
	e, _ := c.byID.Get(&Entry{Event: &event.Event{ID: id}})
	return e
}

// All yields all events in order of creation. The calendar must not change during iteration.
func (c *Calendar) All() iter.Seq[*Entry] { return c.From(math.MinInt64) }

// From is like [Calendar.All], but starts with the first event whose number is at least the given number.
func (c *Calendar) From(number Revision) iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		c.byNumber.Ascend(&Entry{Number: number, Event: new(event.Event)}, yield)
	}
}

// Len returns the number of events.
func (c *Calendar) Len() int { return c.byID.Len() }

// WithUID returns the events with the given iCalUID, in order of creation.
func (c *Calendar) WithUID(uid string) []*Entry {
	return group(c.byUID, &Entry{Event: &event.Event{ICalUID: uid}}, func(e *Entry) bool { return e.Event.ICalUID == uid })
}

// Exceptions returns the stored instances of a series, in order of creation.
func (c *Calendar) Exceptions(series string) []*Entry {
	return group(c.bySeries, &Entry{Event: &event.Event{RecurringEventID: series}}, func(e *Entry) bool { return e.series() == series })
}

// group returns the consecutive entries, starting at first, for which isIn returns true.
func group(tree *btree.BTreeG[*Entry], first *Entry, isIn func(*Entry) bool) (list []*Entry) {
	tree.Ascend(first, func(e *Entry) bool {
		if isIn(e) {
			list = append(list, e)
		}
		return isIn(e)
	})
	return list
}

// Events returns the events in the entries.
func Events(entries []*Entry) []*event.Event {
	list := make([]*event.Event, len(entries))
	for i, e := range entries {
		list[i] = e.Event
	}
	return list
}

// put adds or replaces an event.
func (c *Calendar) put(e *Entry) {
	if was, ok := c.byID.Set(e); ok {
		for _, tree := range c.others(was) {
			tree.Delete(was)
		}
	}
	for _, tree := range c.others(e) {
		tree.Set(e)
	}
	c.revision = max(c.revision, e.Revision)
	c.updated = max(c.updated, e.Event.Updated) // comparable, since all have the same form
}

// others returns the trees that contain an event, except byID.
func (c *Calendar) others(e *Entry) []*btree.BTreeG[*Entry] {
	all := []*btree.BTreeG[*Entry]{c.byNumber, c.byUID, c.bySeries}
	if e.series() == "" {
		return all[:2]
	}
	return all
}
