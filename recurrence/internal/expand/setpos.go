package expand

import "slices"

// setPos is a BYSETPOS list, split into the places counted from the start and from the end. Each
// half is in the order of the places: -3 is before -1.
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

// places appends to buf, which is empty, the places of a set of n elements. They count from 0,
// and each appears once, in order.
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
