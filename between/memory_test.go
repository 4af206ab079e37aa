package between

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/event"
)

// change is a write in a plain history: all events that it names are looked for one by one.
type change struct {
	*span
	names   []subjectName
	begin   int // a step; so is end, which is 0 until then
	end     int
	refused bool
}

func (c *change) concerns(at place, series string) bool {
	return slices.ContainsFunc(c.names, func(n subjectName) bool {
		return n == all || n.id != "" && (n.id == at.id || n.id == series) || n.calendar != "" && n.calendar == at.calendar
	})
}

// A memory knows what a plain search through all writes says that it may know.
func TestMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	ids := []string{"a", "ab", "_a", "__", "_", "a_1", "a_1_2", "_a_1", "b_R2026_1", "b_R2026", "b"}
	calendars := []string{"a@example.com", "b@example.com", primary}
	pick := func() place {
		at := place{calendar: calendars[r.IntN(len(calendars))], id: ids[r.IntN(len(ids))]}
		at.credential[0] = byte(r.IntN(2))
		return at
	}
	m := newMemory(1000, 1<<30)
	var changes []*change
	seen := map[place]int{}  // the steps at which the texts were seen
	reads := map[*span]int{} // under way, and when they began
	known, states := 0, map[Stored]int{}
	for step := 1; step <= 4000; step++ {
		at := pick()
		series := seriesOf(&event.Event{ID: at.id})
		switch r.IntN(8) {
		case 0:
			c := &change{names: []subjectName{{id: at.id}}, begin: step}
			if r.IntN(10) == 0 {
				c.names = calendarNames(at.calendar)
			}
			c.span = m.begin(c.names)
			changes = append(changes, c)
		case 1, 2, 3: // the change that has begun last ends, or another one
			for _, c := range slices.Backward(changes) {
				if c.end == 0 && r.IntN(2) == 0 {
					c.end, c.refused = step, r.IntN(2) == 0
					m.end(c.span, c.refused)
					m.end(c.span, !c.refused) // only the first call counts
					m.close(c.span)
					break
				}
			}
		case 4:
			x := m.begin(nil)
			reads[x] = step
		case 5:
			m.forget(at)
			delete(seen, at)
		default:
			for x, began := range reads {
				overtaken := slices.ContainsFunc(changes, func(c *change) bool {
					return c.concerns(at, series) && (c.end == 0 || c.end > began && !c.refused)
				})
				dropped := m.dropped > x.begun
				m.put(at, series, []byte(fmt.Sprint(step)), x)
				if text, state := m.get(at); overtaken && string(text) == fmt.Sprint(step) || !overtaken && !dropped && state != Known {
					t.Fatalf("step %d: an answer is %q, %q; it is overtaken: %t", step, text, state, overtaken)
				} else if string(text) == fmt.Sprint(step) {
					seen[at] = step
				}
				delete(reads, x)
				break
			}
		}
		for at, when := range seen {
			text, state := m.get(at)
			states[state]++
			want := Known
			for _, c := range changes {
				switch {
				case !c.concerns(at, seriesOf(&event.Event{ID: at.id})):
				case c.end == 0 && want == Known:
					want = Changing
				case c.end > when && !c.refused:
					want = Outdated
				}
			}
			if state != want || (text != nil) != (want == Known) {
				t.Fatalf("step %d: %v is %q as %q, want %q", step, at, text, state, want)
			}
			if known++; want == Outdated {
				delete(seen, at)
			}
		}
		checkCounts(t, m)
	}
	for _, state := range []Stored{Known, Changing, Outdated} {
		if states[state] < 100 {
			t.Errorf("of %d answers, %d are %q", known, states[state], state)
		}
	}
}

// checkCounts compares what a memory counts with what it has.
func checkCounts(t *testing.T, m *memory) {
	t.Helper()
	bytes, users := 0, 0
	for at, e := range m.events {
		r := e.Value.(*remembered)
		bytes += r.size() + cap(r.text)
		users += len(r.subjects)
		if r.at != at {
			t.Fatal("a place is not the place of its event")
		}
	}
	for name, s := range m.subjects {
		if s.users == 0 || s.subjectName != name {
			t.Fatalf("the subject %v is kept for nobody", name)
		}
		users -= s.users - s.writes
	}
	if m.bytes != bytes || users != -1 || m.order.Len() != len(m.events) { // the one is all events
		t.Fatalf("%d bytes are counted as %d, %d users of subjects are too many, %d events are in an order of %d", bytes, m.bytes, users, len(m.events), m.order.Len())
	}
}

// An event that takes just the limit is remembered, and one more byte is too much.
func TestMemoryIsFull(t *testing.T) {
	put := func(limit int) *memory {
		m := newMemory(10, limit)
		m.put(place{calendar: "a@example.com", id: "abcde"}, "", make([]byte, 100), m.begin(nil))
		return m
	}
	limit := put(1 << 20).bytes
	if n := len(put(limit).events); n != 1 {
		t.Errorf("at the limit, %d events are remembered", n)
	}
	if n := len(put(limit - 1).events); n != 0 {
		t.Errorf("above the limit, %d events are remembered", n)
	}
}

// What a memory counts is what it takes of the heap, whatever the size of events: not less than nine tenths.
func TestMemoryIsCounted(t *testing.T) {
	for _, size := range []int{1, 100, 1000, 10_000} {
		long := strings.Repeat("a", 1000)
		for name, names := range map[string]struct{ calendar, id string }{
			"instances":      {"calendar#@example.com", "abcdefghijklmnopqrstuvwxyz_#"},
			"series":         {"calendar#@example.com", "#abcdefghijklmnopqrstuvwxyz_20260310"},
			"long ids":       {"calendar#@example.com", "#" + long},
			"long calendars": {"#" + long, "abcdefghijklmnopqrstuvwxyz_#"},
		} {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			m := newMemory(1<<20, 1<<30)
			for i := range 20_000_000 / (size + 2000) {
				numbered := strings.NewReplacer("#", fmt.Sprint(i))
				at := place{calendar: numbered.Replace(names.calendar), id: numbered.Replace(names.id)}
				x := m.begin(nil)
				m.put(at, seriesOf(&event.Event{ID: at.id}), make([]byte, size), x)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			took := int(after.HeapAlloc - before.HeapAlloc)
			t.Logf("%s of %d bytes: %d events, %d bytes counted, %d taken", name, size, len(m.events), m.bytes, took)
			if took > m.bytes*10/9 {
				t.Errorf("%s of %d bytes: %d bytes are counted, %d are taken", name, size, m.bytes, took)
			}
			runtime.KeepAlive(m)
		}
	}
}
