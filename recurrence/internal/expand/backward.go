package expand

import (
	"iter"
	"slices"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// A series can only be walked forward, since COUNT counts from the start. Backward walks through
// windows instead, whose width depends on how many instances the last one had.
const (
	fewInWindow  = 16  // with fewer than these the next window is twice as wide
	mostInWindow = 512 // with more a window is halved and walked again
)

// Backward yields the instances at or after from and before to, from the last to the first.
func (s *Series) Backward(from, to int64, b *Budget) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		begin, end := max(from, s.start.Instant), min(to, EndOfCalendar)
		var instants []int64
		for width := int64(civil.SecondsPerDay); end > begin; {
			window := max(begin, end-width)
			instants = s.appendWindow(instants[:0], window, end, b)
			if b.IsOver() {
				return
			}
			if len(instants) > mostInWindow {
				width /= 2
				continue
			}
			for _, unix := range slices.Backward(instants) {
				if !yield(unix) {
					return
				}
			}
			if end = window; len(instants) < fewInWindow {
				width *= 2
			}
		}
	}
}

// appendWindow appends the instances of a window. If they are more than mostInWindow, it stops
// when it has more than that.
func (s *Series) appendWindow(instants []int64, from, to int64, b *Budget) []int64 {
	b.Renew(0)
	it := s.Iterate(from, to, b)
	for len(instants) <= mostInWindow {
		batch := it.Batch()
		if len(batch) == 0 {
			return instants
		}
		instants = append(instants, batch...)
		b.Renew(len(batch))
	}
	return instants
}
