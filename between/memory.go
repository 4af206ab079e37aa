package between

import (
	"container/list"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"

	"github.com/calrules/calrules/event"
)

// place is where an event is: as whom a request reads it, in which calendar, and its id. An event that one user sees is
// not what another user sees.
type place struct {
	credential [sha256.Size]byte
	calendar   string
	id         string
}

// maxRemembered is how many bytes the remembered events and their places have as text.
const maxRemembered = 64 << 20

// primary is the name of the primary calendar of the caller, beside its id.
const primary = "primary"

// memory remembers the events that were seen last.
type memory struct {
	key    [32]byte // of the hash of credentials; a watcher has its own
	most   int
	bytes  int                                // of all events and places
	events map[string]map[place]*list.Element // by the head of the id
	order  *list.List                         // of remembered, the newest first
}

type remembered struct {
	at    place
	event *event.Event
	bytes int
}

func newMemory(most int) *memory {
	m := &memory{most: most, events: map[string]map[place]*list.Element{}, order: list.New()}
	rand.Read(m.key[:]) // never fails
	return m
}

// credentials returns what a request presents as its credential: the values of header fields and parameters.
func credentials(header Header, query url.Values) (all [5][]string) {
	return [...][]string{header.values("Authorization"), header.values("Cookie"), query["access_token"], query["oauth_token"], query["key"]}
}

// hash returns a keyed hash of credentials.
func (m *memory) hash(credentials [5][]string) (sum [sha256.Size]byte) {
	h := hmac.New(sha256.New, m.key[:])
	for _, values := range credentials {
		fmt.Fprintf(h, "%q\n", values)
	}
	h.Sum(sum[:0])
	return sum
}

// head returns the part of an id that the ids of a series and of its instances have in common. An id may begin with _.
func head(id string) string {
	for i := 1; i < len(id); i++ {
		if id[i] == '_' {
			return id[:i]
		}
	}
	return id
}

func (m *memory) get(at place) *event.Event {
	e := m.events[head(at.id)][at]
	if e == nil {
		return nil
	}
	m.order.MoveToFront(e)
	return e.Value.(remembered).event
}

// put remembers an event, whose text has a length. Strings of the place are copied, because they may be parts of longer ones.
func (m *memory) put(at place, e *event.Event, length int) {
	m.forget(at)
	at.calendar, at.id = strings.Clone(at.calendar), strings.Clone(at.id)
	length += len(at.calendar) + len(at.id)
	group := m.events[head(at.id)]
	if group == nil {
		group = map[place]*list.Element{}
		m.events[head(at.id)] = group
	}
	group[at] = m.order.PushFront(remembered{at, e, length})
	m.bytes += length
	for m.order.Len() > m.most || m.bytes > maxRemembered {
		m.forget(m.order.Back().Value.(remembered).at)
	}
}

func (m *memory) forget(at place) {
	group := m.events[head(at.id)]
	if e := group[at]; e != nil {
		m.bytes -= m.order.Remove(e).(remembered).bytes
		delete(group, at)
	}
	if len(group) == 0 {
		delete(m.events, head(at.id))
	}
}

// forgetEvent forgets a changed event and its instances for every caller and every name of the calendar.
func (m *memory) forgetEvent(id string) {
	for at := range m.events[head(id)] {
		if at.id == id || strings.HasPrefix(at.id, id+"_") {
			m.forget(at)
		}
	}
}

// forgetCalendar forgets the events of a calendar, for every caller. A calendar has two names if one is primary.
func (m *memory) forgetCalendar(calendar string) {
	for _, group := range m.events {
		for at := range group {
			if at.calendar == calendar || at.calendar == primary || calendar == primary {
				m.forget(at)
			}
		}
	}
}
