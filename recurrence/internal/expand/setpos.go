package expand

import (
	"slices"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// setPos is a BYSETPOS list, split into positions counted from the start and positions counted from the end. The two parts of
// the list are sorted: -3 comes before -1.
type setPos struct{ fromStart, fromEnd []int }

func newSetPos(list []int) (s setPos) {
	for _, n := range list {
		if n > 0 {
			s.fromStart = append(s.fromStart, n)
		} else {
			s.fromEnd = append(s.fromEnd, n)
		}
	}
	slices.Sort(s.fromStart)
	slices.Sort(s.fromEnd)
	return s
}

func (s *setPos) isGiven() bool { return len(s.fromStart)+len(s.fromEnd) > 0 }

// places appends to buf, which must be empty, the positions that BYSETPOS selects in a set of n elements. The positions
// are zero-based, distinct and in ascending order.
func (s *setPos) places(n int, buf []int) []int {
	early, late := s.fromStart, s.fromEnd
	for len(late) > 0 && n+late[0] < 0 {
		late = late[1:]
	}
	for len(early) > 0 && early[0] <= n || len(late) > 0 {
		var place int
		if len(late) == 0 || len(early) > 0 && early[0]-1 <= n+late[0] {
			place, early = early[0]-1, early[1:]
		} else {
			place, late = n+late[0], late[1:]
		}
		if len(buf) == 0 || buf[len(buf)-1] != place {
			buf = append(buf, place)
		}
	}
	return buf
}

// BYSETPOS counts only local times that exist (RFC 5545 section 3.3.10).

// A gap is a range of matches in a period whose local times do not exist. The bounds are match numbers, disregarding BYSETPOS.
type gap struct{ begin, end int }

// findGaps sets w.gaps to the gaps in the current period, in order.
func (w *walker) findGaps() {
	begin := w.base
	end := w.walk.begin(w.next-w.step+1, w.weekStart)
	if _, ok := w.resolver.Offset(begin, end-1); ok || !w.budget.spend(4) {
		return
	}
	for span := w.zone.SpanAt(begin - civil.MaxShift); span.End+span.Offset < end && w.budget.spend(4); {
		next := w.zone.SpanAt(span.End)
		w.addGap(span.End+span.Offset, span.End+next.Offset)
		span = next
	}
	w.resolver.Resolve(end) // the next periods probably have no gap
}

// addGap adds a gap with the matches at or after begin and before end. The local time of the start is always treated as
// existing.
func (w *walker) addGap(begin, end int64) {
	if begin <= w.first && w.first < end {
		w.addGap(begin, w.first)
		begin = w.first + 1
	}
	if g := (gap{w.numberBefore(begin), w.numberBefore(end)}); g.begin < g.end {
		w.gaps = append(w.gaps, g)
	}
}

// numberBefore returns the number of matches in the current period that are before a local time, disregarding BYSETPOS.
func (w *walker) numberBefore(clock int64) int {
	day, second := civil.Split(clock - w.base)
	if day < 0 {
		return 0
	}
	i := int(min(day, 64*int64(len(w.days))))
	n := w.days.countBefore(i) * w.times.n
	if i < 64*len(w.days) && w.days.has(i) {
		n += w.times.countBefore(second)
	}
	return n
}
