package recurrence

import "slices"

// setPos is a BYSETPOS list, each half in ascending order of the places that it names in a
// set: -3 comes before -1.
type setPos struct{ fromStart, fromEnd []int }

func newSetPos(list []int) setPos {
	var s setPos
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

func (s *setPos) isSet() bool { return len(s.fromStart)+len(s.fromEnd) > 0 }

// places appends to buf, which is empty, the places from 0 that a set of n has, in order
// and each once.
func (s *setPos) places(n int, buf []int) []int {
	pos, neg := s.fromStart, s.fromEnd
	for len(neg) > 0 && n+neg[0] < 0 {
		neg = neg[1:]
	}
	for len(pos) > 0 && pos[0] <= n || len(neg) > 0 {
		var place int
		if len(neg) == 0 || len(pos) > 0 && pos[0]-1 <= n+neg[0] {
			place, pos = pos[0]-1, pos[1:]
		} else {
			place, neg = n+neg[0], neg[1:]
		}
		if len(buf) == 0 || buf[len(buf)-1] != place {
			buf = append(buf, place)
		}
	}
	return buf
}
