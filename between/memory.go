package between

import (
	"container/list"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
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

// memory remembers the events that were seen last.
type memory struct {
	key    [32]byte // of the hash of credentials; a watcher has its own
	most   int
	events map[place]*list.Element
	order  *list.List // of remembered, the newest first
}

type remembered struct {
	at    place
	event *event.Event
}

func newMemory(most int) *memory {
	m := &memory{most: most, events: map[place]*list.Element{}, order: list.New()}
	rand.Read(m.key[:]) // never fails
	return m
}

// credentialOf returns a keyed hash of what a request presents as its credential.
func (m *memory) credentialOf(header Header, query map[string][]string) (sum [sha256.Size]byte) {
	h := hmac.New(sha256.New, m.key[:])
	for _, values := range [][]string{header.values("Authorization"), header.values("Cookie"), query["access_token"], query["oauth_token"], query["key"]} {
		h.Write([]byte(strings.Join(values, "\x00") + "\x01"))
	}
	h.Sum(sum[:0])
	return sum
}

func (m *memory) get(at place) *event.Event {
	e := m.events[at]
	if e == nil {
		return nil
	}
	m.order.MoveToFront(e)
	return e.Value.(remembered).event
}

func (m *memory) put(at place, e *event.Event) {
	m.forget(at)
	m.events[at] = m.order.PushFront(remembered{at, e})
	if m.order.Len() > m.most {
		m.forget(m.order.Back().Value.(remembered).at)
	}
}

func (m *memory) forget(at place) {
	if e := m.events[at]; e != nil {
		m.order.Remove(e)
		delete(m.events, at)
	}
}

// forgetEvent forgets an event that changes, and its instances, whoever has seen them, by whatever name of the calendar.
func (m *memory) forgetEvent(id string) {
	for at := range m.events {
		if at.id == id || strings.HasPrefix(at.id, id+"_") {
			m.forget(at)
		}
	}
}

// forgetCalendar forgets the events of a calendar, whoever has seen them.
func (m *memory) forgetCalendar(calendar string) {
	for at := range m.events {
		if at.calendar == calendar {
			m.forget(at)
		}
	}
}
