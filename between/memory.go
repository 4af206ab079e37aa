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

// Stored is the watcher's knowledge of the event of a request, at the start of the request.
type Stored string

// The values of Stored. It is "" for a request that is not about a stored event.
const (
	Known    Stored = "known"
	Unseen   Stored = "unseen"   // no answer had it, or too many other events have followed
	Partial  Stored = "partial"  // an answer had only some of its members
	Changing Stored = "changing" // another request that changes it is under way
	Outdated Stored = "outdated" // it may have changed or disappeared since an answer had it
)

// place identifies an event: the host and the user of the request that reads it, its calendar, and its id. The user is
// part of it, since two users may see an event differently.
type place struct {
	credential [sha256.Size]byte
	calendar   string
	id         string
}

// overhead is the number of bytes for an event in addition to its text and its place, with its subjects: see
// TestMemoryIsCounted.
const overhead = 900

// primary is the name of the primary calendar of the caller, in addition to its id.
const primary = "primary"

// memory remembers the most recent events, as the text in the answers.
//
// A request changes subjects: an event, a series, the events of a calendar. Each remembered event points to its subjects,
// and is known if none has changed since it was seen, so the cost of a change does not depend on the number of its events.
type memory struct {
	key      [32]byte // of the hash of credentials; a watcher has its own
	most     int      // the maximum number of events
	limit    int      // the maximum number of bytes
	bytes    int
	clock    uint64 // counts changes
	events   map[place]*list.Element
	order    *list.List // of *remembered, the newest first
	subjects map[subjectName]*subject
	dropped  uint64 // the latest change of a subject that is not kept
}

// subjectName names the events with an id and their instances, or all events of a calendar.
type subjectName struct{ id, calendar string }

// all names the events of all calendars.
var all subjectName

// subject names the events that a request changes.
type subject struct {
	subjectName
	users   int    // the number of remembered events and requests that point to it
	writes  int    // the number of requests under way that change it
	changed uint64 // when the last request that may have changed it ended
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

// credentials returns the credentials of a request: the values of header fields and parameters.
func credentials(header Header, query url.Values) (all [5][]string) {
	return [...][]string{header.values("Authorization"), header.values("Cookie"), query["access_token"], query["oauth_token"], query["key"]}
}

// hash returns a keyed hash of credentials at a host.
func (m *memory) hash(origin string, credentials [5][]string) (sum [sha256.Size]byte) {
	h := hmac.New(sha256.New, m.key[:])
	fmt.Fprintf(h, "%q\n", origin)
	for _, values := range credentials {
		fmt.Fprintf(h, "%q\n", values)
	}
	h.Sum(sum[:0])
	return sum
}

// get returns the text of an event, or the reason why it is unknown.
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

// forget forgets an event, but not that it was seen.
func (m *memory) forget(at place) {
	if e := m.events[at]; e != nil {
		r := e.Value.(*remembered)
		m.bytes -= cap(r.text)
		r.text, r.state = nil, Outdated
	}
}

// seriesOf returns the id of the series of an event, or "". The id of an instance is the series's id with a suffix.
func seriesOf(e *event.Event) string {
	return cmp.Or(e.RecurringEventID, e.ID[:max(strings.LastIndexByte(e.ID, '_'), 0)])
}

// put remembers an event of the answer to a request, unless another request may have changed it since that began. text is
// nil if the answer lacks a part of the event.
func (m *memory) put(at place, series string, text []byte, x *span) {
	at.calendar, at.id = strings.Clone(at.calendar), strings.Clone(at.id) // they may be parts of longer texts
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

// size is the memory of an event in addition to its text.
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

// use returns a subject.
func (m *memory) use(name subjectName) *subject {
	s := m.subjects[name]
	if s == nil {
		s = &subject{subjectName: name, changed: m.dropped}
		m.subjects[name] = s
	}
	s.users++
	return s
}

// leave releases subjects.
func (m *memory) leave(subjects []*subject) {
	for _, s := range subjects {
		if s.users--; s.users == 0 {
			m.dropped = max(m.dropped, s.changed)
			delete(m.subjects, s.subjectName)
		}
	}
}

// span is the time of a request.
type span struct {
	begun   uint64
	isOver  bool
	ended   uint64     // when the change ended, if no other was under way
	changes []*subject // until the request is closed
}

// isOvertaken reports whether another request may have changed a subject since this one began.
func (x *span) isOvertaken(s *subject) bool {
	return s.writes > 0 || s.changed > x.begun && s.changed != x.ended
}

// begin begins the time of a request that changes subjects.
func (m *memory) begin(names []subjectName) *span {
	x := &span{begun: m.clock}
	for _, name := range names {
		s := m.use(name)
		s.writes++
		x.changes = append(x.changes, s)
	}
	return x
}

// end ends the time of a change, which was made, or may have been, unless refused. Only the first call counts.
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

// close releases the subjects of a request. Until then, put can remember the answer.
func (m *memory) close(x *span) {
	m.leave(x.changes)
	x.changes = nil
}

// calendarNames returns the names for the events of a calendar. A primary calendar has two.
func calendarNames(calendar string) []subjectName {
	if calendar == primary {
		return []subjectName{all} // it may be any
	}
	return []subjectName{{calendar: calendar}, {calendar: primary}}
}
