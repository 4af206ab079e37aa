package between

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/calrules/calrules/event"
)

// A memory forgets an event with its instances, and no other event, as a plain search through all would.
func TestMemoryForgets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	pick := func() string {
		ids := []string{"a", "ab", "_a", "__", "_", "a_1", "a_1_2", "_a_1", "b_R2026_1", "b_R2026", "b"}
		return ids[r.IntN(len(ids))]
	}
	m, all := newMemory(1000), map[place]bool{}
	for i := range 20_000 {
		at := place{calendar: []string{"a@example.com", "b@example.com", "primary"}[r.IntN(3)], id: pick()}
		at.credential[0] = byte(r.IntN(2))
		switch r.IntN(10) {
		case 0:
			id := pick()
			m.forgetEvent(id)
			maps.DeleteFunc(all, func(at place, _ bool) bool { return at.id == id || strings.HasPrefix(at.id, id+"_") })
		case 1:
			m.forget(at)
			delete(all, at)
		case 2:
			if i%50 == 0 {
				m.forgetCalendar(at.calendar)
				maps.DeleteFunc(all, func(one place, _ bool) bool {
					return at.calendar == "primary" || one.calendar == "primary" || one.calendar == at.calendar
				})
			}
		default:
			m.put(at, &event.Event{ID: at.id}, i)
			all[at] = true
		}
		got, bytes := 0, 0
		for _, group := range m.events {
			got += len(group)
			for at, e := range group {
				bytes += e.Value.(remembered).bytes
				if e.Value.(remembered).at != at {
					t.Fatal("a place is not the place of its event")
				}
			}
			if len(group) == 0 {
				t.Fatal("an empty group is kept")
			}
		}
		if m.bytes != bytes {
			t.Fatalf("the events have %d bytes, and are counted as %d", bytes, m.bytes)
		}
		if got != len(all) || m.order.Len() != len(all) {
			t.Fatalf("%d events are remembered, in an order of %d, want %d", got, m.order.Len(), len(all))
		}
		if e := m.get(at); (e != nil) != all[at] || e != nil && e.ID != at.id {
			t.Fatalf("%v is remembered as %v, want %t", at, e, all[at])
		}
	}
}
