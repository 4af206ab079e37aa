// Package state keeps the calendars of the emulator in memory, and commits every change to a store before readers see it.
// The package does not depend on HTTP, rules or a clock.
//
// Returned values are read-only: a change replaces entries and never modifies them.
package state

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tidwall/btree"

	"github.com/calrules/calrules/emulator/store"
	"github.com/calrules/calrules/event"
)

// The kinds of records.
const (
	Calendars = "calendar" // owner: none
	ACL       = "acl"      // owner: the calendar
	List      = "list"     // owner: the user
	Channels  = "channel"  // owner: none

	// Event is the kind for events; the owner of an event is the calendar.
	Event = "event"

	meta = "meta"

	clearing = "cleared" // the id of a meta record
)

// Revision is the number of a change. Later changes have greater numbers.
type Revision int64

// Resource is any resource except an event, as JSON.
type Resource struct {
	ID       string
	Value    json.RawMessage
	Revision Revision
	Removed  bool // whether it was removed; Value is then its last value
}

// isSynchronized reports whether clients synchronize resources of a kind. Removed resources of a synchronized kind must be
// remembered.
func isSynchronized(kind string) bool { return kind == ACL || kind == List }

// State is the emulator's stored data.
type State struct {
	store store.Store // nil to keep everything only in memory

	writing sync.Mutex // held during a change
	view    atomic.Pointer[View]
}

// View is the state after a change. A view never changes, so reading it requires no lock.
type View struct {
	revision  Revision
	calendars *btree.Map[string, *Calendar]
	resources *btree.BTreeG[owned]
	cleared   Revision // the last change that removed everything, or 0
}

// owned is a resource with its kind and its owner.
type owned struct {
	kind, owner string
	Resource
}

func byOwner(a, b owned) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.owner, b.owner), cmp.Compare(a.ID, b.ID))
}

func newView() *View {
	less := func(a, b owned) bool { return byOwner(a, b) < 0 }
	return &View{calendars: new(btree.Map[string, *Calendar]), resources: btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

// Open returns the state in a store. If the store is nil, the state is initially empty and exists only in memory.
func Open(from store.Store) (*State, error) {
	s := &State{store: from}
	view := newView()
	if from != nil {
		if err := from.Load(view.load); err != nil {
			return nil, fmt.Errorf("state: %w", err)
		}
	}
	s.view.Store(view)
	return s, nil
}

func (v *View) load(r store.Record) error {
	if r.Kind == Event {
		e, err := decodeEntry(r.Value)
		if err != nil {
			return fmt.Errorf("event %s: %w", r.ID, err)
		}
		v.revision = max(v.revision, e.Revision)
		c, ok := v.calendars.Get(r.Owner)
		if !ok {
			c = newCalendar()
			v.calendars.Set(r.Owner, c)
		}
		c.put(e)
		return nil
	}
	var resource Resource
	if err := json.Unmarshal(r.Value, &resource); err != nil {
		return fmt.Errorf("%s %s: %w", r.Kind, r.ID, err)
	}
	v.revision = max(v.revision, resource.Revision)
	if r.Kind == meta && r.ID == clearing {
		v.cleared = resource.Revision
	}
	if r.Kind != meta {
		v.resources.Set(owned{r.Kind, r.Owner, resource})
	}
	return nil
}

// Close closes the store.
func (s *State) Close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.store == nil {
		return nil
	}
	return s.store.Close()
}

// View returns the state after the last change.
func (s *State) View() *View { return s.view.Load() }

// ErrStore is returned if a change could not be stored. Readers then see no part of the change.
var ErrStore = errors.New("the change could not be stored")

// Change calls f to make a change. If f returns nil, Change stores the change and then makes it visible to readers as a whole.
func (s *State) Change(f func(*Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	was := s.View()
	tx := &Tx{
		View: &View{was.revision + 1, was.calendars.Copy(), was.resources.Copy(), was.cleared},
		own:  map[string]bool{}, durable: s.store != nil,
	}
	if err := f(tx); err != nil {
		return err
	}
	if len(tx.changed) == 0 {
		return nil
	}
	if s.store != nil {
		if err := s.store.Commit(tx.records); err != nil {
			return errors.Join(ErrStore, err)
		}
	}
	s.view.Store(tx.View)
	return nil
}

// Revision returns the revision of the last change.
func (v *View) Revision() Revision { return v.revision }

// Get returns a resource.
func (v *View) Get(kind, owner, id string) (Resource, bool) {
	r, ok := v.resources.Get(owned{kind, owner, Resource{ID: id}})
	if r.Removed {
		return Resource{}, false
	}
	return r.Resource, ok
}

// All returns the resources of an owner, sorted by id.
func (v *View) All(kind, owner string) []Resource {
	return slices.DeleteFunc(v.Every(kind, owner), func(r Resource) bool { return r.Removed })
}

// Every returns the resources of an owner, sorted by id, including removed access rules and calendar list entries.
func (v *View) Every(kind, owner string) (list []Resource) {
	v.resources.Ascend(owned{kind, owner, Resource{}}, func(r owned) bool {
		isOfOwner := r.kind == kind && r.owner == owner
		if isOfOwner {
			list = append(list, r.Resource)
		}
		return isOfOwner
	})
	return list
}

// Last returns the revision of the last change to an owner's resources. Last ignores removals that [View.Every] does not
// return.
func (v *View) Last(kind, owner string) (last Revision) {
	for _, r := range v.Every(kind, owner) {
		last = max(last, r.Revision)
	}
	return last
}

// Owners returns the owners that have or had resources of a kind, sorted.
func (v *View) Owners(kind string) (list []string) {
	v.resources.Ascend(owned{kind: kind}, func(r owned) bool {
		if r.kind == kind && (len(list) == 0 || list[len(list)-1] != r.owner) {
			list = append(list, r.owner)
		}
		return r.kind == kind
	})
	return list
}

// Cleared returns the revision of the last change that removed everything, or 0.
func (v *View) Cleared() Revision { return v.cleared }

// Calendar returns the events in a calendar.
func (v *View) Calendar(id string) *Calendar {
	if c, ok := v.calendars.Get(id); ok {
		return c
	}
	return newCalendar()
}

// Tx is a change, whose View includes the changes so far.
type Tx struct {
	*View
	own     map[string]bool // the calendars that were already copied for the change
	durable bool
	records []store.Record
	changed []Key
}

// Key identifies a record.
type Key struct{ Kind, Owner, ID string }

// Changed returns the keys of all records that the change puts or removes, without duplicates. The key of an event has no
// id, and identifies all events in the calendar.
func (tx *Tx) Changed() []Key { return tx.changed }

// touch adds the key of a changed record.
func (tx *Tx) touch(kind, owner, id string) {
	if key := (Key{kind, owner, id}); !slices.Contains(tx.changed, key) {
		tx.changed = append(tx.changed, key)
	}
}

// Next returns the revision of the change.
func (tx *Tx) Next() Revision { return tx.revision }

// Put stores a resource.
func (tx *Tx) Put(kind, owner, id string, value json.RawMessage) {
	tx.put(kind, owner, Resource{ID: id, Value: value})
}

// put stores a resource and sets its revision to the revision of the change.
func (tx *Tx) put(kind, owner string, r Resource) {
	r.Revision = tx.revision
	if tx.durable {
		tx.record(kind, owner, r.ID, mustMarshal(r))
	}
	tx.touch(kind, owner, r.ID)
	tx.resources.Set(owned{kind, owner, r})
}

// Remove removes a resource, if it exists.
func (tx *Tx) Remove(kind, owner, id string) {
	was, ok := tx.Get(kind, owner, id)
	if !ok {
		return
	}
	if isSynchronized(kind) {
		tx.put(kind, owner, Resource{ID: id, Value: was.Value, Removed: true})
		return
	}
	tx.touch(kind, owner, id)
	tx.record(kind, owner, id, nil)
	tx.keepRevision()
	tx.resources.Delete(owned{kind, owner, Resource{ID: id}})
}

// PutEvent stores an event and sets its revision to the revision of the change.
func (tx *Tx) PutEvent(calendar string, e Entry) {
	e.Revision, e.Texts = tx.revision, new(sync.Map)
	if e.Number == 0 {
		e.Number = tx.revision
	}
	if tx.durable {
		tx.record(Event, calendar, e.Event.ID, e.append(nil))
	}
	tx.touch(Event, calendar, "")
	tx.calendar(calendar).put(&e)
}

// calendar returns the change's own copy of a calendar.
func (tx *Tx) calendar(id string) *Calendar {
	c := tx.Calendar(id)
	if !tx.own[id] {
		c = c.copy()
		tx.calendars.Set(id, c)
		tx.own[id] = true
	}
	return c
}

// RemoveCalendar removes all events in a calendar.
func (tx *Tx) RemoveCalendar(id string) {
	for e := range tx.Calendar(id).All() {
		tx.record(Event, id, e.Event.ID, nil)
	}
	tx.touch(Event, id, "")
	tx.keepRevision()
	tx.calendars.Delete(id)
	delete(tx.own, id)
}

// keepRevision stores the revision, because no other record may contain it after a removal.
func (tx *Tx) keepRevision() { tx.keep("revision") }

func (tx *Tx) keep(id string) {
	tx.record(meta, "", id, mustMarshal(Resource{ID: id, Value: json.RawMessage("0"), Revision: tx.revision}))
}

func (tx *Tx) record(kind, owner, id string, value []byte) {
	tx.records = append(tx.records, store.Record{Kind: kind, Owner: owner, ID: id, Value: value})
}

// mustMarshal encodes a value and panics if the value cannot be encoded.
func mustMarshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// An Entry is an event in a calendar.
type Entry struct {
	Event    *event.Event
	Number   Revision // the change that created it
	Revision Revision // its last change

	// Kept is the earlier state of an exception that was cancelled because its series no longer contains the instance. Kept
	// is nil for all other events.
	Kept *event.Event

	// Texts caches responses with the event, which never change because entries never change. PutEvent creates the map.
	Texts *sync.Map `json:"-"`

	// Past contains the earlier states of a series, before each change to its instances, oldest first. Forgotten is the
	// revision that ended the last state no longer in Past.
	Past      []Past
	Forgotten Revision
}

// Past is an earlier state of a series.
type Past struct {
	Until Revision // the change that ended it
	Event *event.Event
}

// maxPast is the maximum number of past states of a series.
const maxPast = 16

// Remember adds a state of a series that a change ended, and forgets the oldest state if there are too many. Remember keeps
// only the last of several equal states, because clients that know an earlier state need the same instances.
func (e *Entry) Remember(was *event.Event, until Revision) {
	past := make([]Past, 0, len(e.Past)+1)
	for _, p := range e.Past {
		if !p.Event.Equal(*was) {
			past = append(past, p)
		}
	}
	e.Past = append(past, Past{until, was})
	if len(e.Past) > maxPast {
		e.Forgotten = e.Past[0].Until
		e.Past = e.Past[1:]
	}
}

// series returns the id of the series if the entry is an instance, and otherwise "".
func (e *Entry) series() string { return e.Event.RecurringEventID }

func byNumber(a, b *Entry) int {
	return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Event.ID, b.Event.ID))
}

// append appends the entry as JSON; decodeEntry is the inverse.
func (e *Entry) append(dst []byte) []byte {
	dst = fmt.Appendf(dst, `{"number":%d,"revision":%d,"forgotten":%d,"kept":`, e.Number, e.Revision, e.Forgotten)
	dst = append(e.Kept.AppendJSON(dst), `,"past":[`...)
	for i, p := range e.Past {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = fmt.Appendf(dst, `{"until":%d,"event":`, p.Until)
		dst = append(p.Event.AppendJSON(dst), '}')
	}
	dst = append(dst, `],"event":`...)
	return append(e.Event.AppendJSON(dst), '}')
}

func decodeEntry(text []byte) (*Entry, error) {
	e := &Entry{Texts: new(sync.Map)}
	err := json.Unmarshal(text, e)
	if err == nil && e.Event == nil {
		err = errors.New("it has no event")
	}
	return e, err
}

// Clear removes all events and resources.
func (tx *Tx) Clear() {
	tx.resources.Scan(func(r owned) bool {
		tx.record(r.kind, r.owner, r.ID, nil)
		return true
	})
	tx.calendars.Scan(func(id string, c *Calendar) bool {
		for e := range c.All() {
			tx.record(Event, id, e.Event.ID, nil)
		}
		return true
	})
	tx.keep(clearing)
	tx.touch(meta, "", clearing)
	empty := newView()
	empty.revision, empty.cleared = tx.revision, tx.revision
	tx.View, tx.own = empty, map[string]bool{}
}
