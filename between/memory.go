package between

import (
	"bytes"
	"cmp"
	"container/list"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/calrules/calrules/event"
)

// Stored describes the watcher's knowledge of the event that a request addresses, when the request begins.
type Stored string

// The values of Stored. For a request that does not address a stored event, Stored is "".
const (
	Known    Stored = "known"
	Unseen   Stored = "unseen"   // no response has contained the event, or too many other events have been seen since
	Partial  Stored = "partial"  // a response contained only some of the event's members
	Changing Stored = "changing" // another request that changes the event is in progress
	Outdated Stored = "outdated" // the event may have been changed or deleted since a response contained it
)

// A place identifies an event by the host and the credentials of the request that reads it, its calendar, and its id. The
// credentials are included because two users may see an event differently.
type place struct {
	credential [sha256.Size]byte
	calendar   string
	id         string
}

// overhead is the memory in bytes for a remembered event, including its subjects, in addition to its JSON text and place. See
// TestMemoryIsCounted.
const overhead = 900

// primary is the keyword for the caller's primary calendar, which can be used instead of the calendar's id.
const primary = "primary"

// memory stores the most recently seen events, as the JSON text from the responses.
//
// A request changes subjects: an event, a series, or all events in a calendar. Each remembered event points to its subjects,
// and is known as long as no subject has changed since the event was seen. The cost of a change therefore does not depend on
// the number of events that it affects.
type memory struct {
	key      [32]byte // the key for hashing credentials; each watcher has a different key
	most     int      // the maximum number of events
	limit    int      // the maximum number of bytes
	bytes    int
	clock    uint64 // counts changes
	events   map[place]*list.Element
	order    *list.List // elements of type *remembered, the most recently used first
	subjects map[subjectName]*subject
	dropped  uint64 // the latest change of any subject that has been removed
}

// A subjectName identifies an event with its instances by id, or all events in a calendar.
type subjectName struct{ id, calendar string }

// all identifies the events in all calendars.
var all subjectName

// A subject is an event or a group of events that a request can change.
type subject struct {
	subjectName
	users   int    // the number of remembered events and requests that point to the subject
	writes  int    // the number of requests in progress that change the subject
	changed uint64 // when the last request that may have changed the subject ended
}

type remembered struct {
	at       place
	text     []byte // nil if unknown
	state    Stored // Known, Partial or Outdated
	seen     uint64
	subjects []*subject
}

func newMemory(most, limit int) *memory {
	m := &memory{most: most, limit: limit, events: map[place]*list.Element{}, order: list.New(), subjects: map[subjectName]*subject{}}
	m.use(all)
	rand.Read(m.key[:]) // never fails
	return m
}

// credentials returns the credentials in a request: the values of certain header fields and parameters.
func credentials(header Header, query url.Values) (all [5][]string) {
	return [...][]string{header.values("Authorization"), header.values("Cookie"), query["access_token"], query["oauth_token"], query["key"]}
}

// hash returns a keyed hash of an origin and credentials.
func (m *memory) hash(origin string, credentials [5][]string) (sum [sha256.Size]byte) {
	h := hmac.New(sha256.New, m.key[:])
	fmt.Fprintf(h, "%q\n", origin)
	for _, values := range credentials {
		fmt.Fprintf(h, "%q\n", values)
	}
	h.Sum(sum[:0])
	return sum
}

// get returns the JSON text of an event, or the reason why it is unknown.
func (m *memory) get(at place) ([]byte, Stored) {
	e := m.events[at]
	if e == nil {
		if s := m.subjects[subjectName{id: at.id}]; s != nil && s.writes > 0 {
			return nil, Changing
		}
		return nil, Unseen
	}
	r := e.Value.(*remembered)
	state := r.state
	for _, s := range r.subjects {
		switch {
		case s.changed > r.seen:
			m.forget(at)
			return nil, Outdated
		case s.writes > 0:
			state = Changing
		}
	}
	if m.order.MoveToFront(e); state != Known {
		return nil, state
	}
	return r.text, Known
}

// forget discards the JSON text of an event, but remembers that the event was seen.
func (m *memory) forget(at place) {
	if e := m.events[at]; e != nil {
		r := e.Value.(*remembered)
		m.bytes -= cap(r.text)
		r.text, r.state = nil, Outdated
	}
}

// seriesOf returns the id of the series to which an event belongs, or "" if the event does not belong to a series. The id of an
// instance is the id of the series with a suffix.
func seriesOf(e *event.Event) string {
	return cmp.Or(e.RecurringEventID, e.ID[:max(strings.LastIndexByte(e.ID, '_'), 0)])
}

// put remembers an event from the response to a request, unless another request may have changed the event since that request
// began. The text is nil if the response contains only part of the event.
func (m *memory) put(at place, series string, text []byte, x *span) {
	at.calendar, at.id = strings.Clone(at.calendar), strings.Clone(at.id) // the strings may be substrings of longer strings
	r := &remembered{at: at, text: bytes.Clone(text), state: Known, seen: m.clock}
	if text == nil {
		r.state = Partial
	}
	names := []subjectName{all, {calendar: at.calendar}, {id: at.id}}
	if series != "" {
		names = append(names, subjectName{id: strings.Clone(series)})
	}
	for _, name := range names {
		r.subjects = append(r.subjects, m.use(name))
	}
	if slices.ContainsFunc(r.subjects, x.isOvertaken) {
		m.leave(r.subjects)
		return
	}
	m.remove(m.events[at])
	m.events[at] = m.order.PushFront(r)
	m.bytes += r.size() + cap(r.text)
	for m.order.Len() > m.most || m.bytes > m.limit {
		m.remove(m.order.Back())
	}
}

// size returns the memory in bytes for a remembered event in addition to its JSON text.
func (r *remembered) size() int { return overhead + len(r.at.calendar) + 2*len(r.at.id) }

func (m *memory) remove(e *list.Element) {
	if e == nil {
		return
	}
	r := m.order.Remove(e).(*remembered)
	m.bytes -= r.size() + cap(r.text)
	delete(m.events, r.at)
	m.leave(r.subjects)
}

// use returns the subject with the given name, creating it if necessary, and increments its number of users.
func (m *memory) use(name subjectName) *subject {
	s := m.subjects[name]
	if s == nil {
		s = &subject{subjectName: name, changed: m.dropped}
		m.subjects[name] = s
	}
	s.users++
	return s
}

// leave decrements the number of users of each subject, and removes subjects without users.
func (m *memory) leave(subjects []*subject) {
	for _, s := range subjects {
		if s.users--; s.users == 0 {
			m.dropped = max(m.dropped, s.changed)
			delete(m.subjects, s.subjectName)
		}
	}
}

// A span is the logical time during which a request is in progress.
type span struct {
	begun   uint64
	isOver  bool
	ended   uint64     // when the change ended, if no other change was in progress
	changes []*subject // the subjects that the request changes, until the span is closed
}

// isOvertaken reports whether another request may have changed a subject since the request of x began.
func (x *span) isOvertaken(s *subject) bool {
	return s.writes > 0 || s.changed > x.begun && s.changed != x.ended
}

// begin begins the span of a request that changes the given subjects.
func (m *memory) begin(names []subjectName) *span {
	x := &span{begun: m.clock}
	for _, name := range names {
		s := m.use(name)
		s.writes++
		x.changes = append(x.changes, s)
	}
	return x
}

// end marks the end of a request. Unless the request was refused, its subjects are assumed to have changed. Calls after
// the first have no effect.
func (m *memory) end(x *span, refused bool) {
	if x.isOver {
		return
	}
	x.isOver = true
	overtaken := false
	for _, s := range x.changes {
		s.writes--
		overtaken = overtaken || x.isOvertaken(s)
	}
	if len(x.changes) == 0 || refused {
		return
	}
	m.clock++
	for _, s := range x.changes {
		s.changed = m.clock
	}
	if !overtaken {
		x.ended = m.clock
	}
}

// close releases the subjects of a request. Events from the response must be passed to put before the span is closed.
func (m *memory) close(x *span) {
	m.leave(x.changes)
	x.changes = nil
}

// calendarNames returns the subject names for the events in a calendar. A primary calendar has two subject names.
func calendarNames(calendar string) []subjectName {
	if calendar == primary {
		return []subjectName{all} // any calendar may be the primary calendar
	}
	return []subjectName{{calendar: calendar}, {calendar: primary}}
}
