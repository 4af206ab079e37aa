package recurrence

import (
	"iter"
	"slices"
	"time"
)

// A series goes forward by nature: COUNT counts from the start. Backwards it is taken by
// windows, each forward, whose width follows how many instances they turn out to hold.
const (
	fewInWindow  = 16  // with fewer than these the next window is twice as wide
	mostInWindow = 512 // with more a window is halved and taken again
)

// Before returns the last instance before t; ok is false where there is none. The error is
// a [*BudgetError].
func (s *Series) Before(t time.Time) (last time.Time, ok bool, err error) {
	for at, err := range s.Backward(time.Time{}, t) {
		return at, err == nil, err
	}
	return last, false, nil
}

// Backward yields the instances that [Series.Between] yields, from the last to the first.
// The error is nil but with the last pair.
func (s *Series) Backward(from, to time.Time) iter.Seq2[time.Time, error] {
	return func(yield func(time.Time, error) bool) {
		begin, end := max(lower(from), s.start.unix), min(upper(to), never)
		b := s.newBudget()
		var instants []int64
		for width := int64(secondsPerDay); end > begin; {
			window := max(begin, end-width)
			var err error
			instants, err = s.appendWindow(instants[:0], window, end, b)
			if err != nil {
				yield(time.Time{}, err)
				return
			}
			if len(instants) > mostInWindow {
				width /= 2
				continue
			}
			for _, unix := range slices.Backward(instants) {
				if !yield(s.time(unix), nil) {
					return
				}
			}
			if end = window; len(instants) < fewInWindow {
				width *= 2
			}
		}
	}
}

// appendWindow appends the instances of a window, or where they are more than mostInWindow
// the first of them, more than that. The budget is for all windows together.
func (s *Series) appendWindow(instants []int64, from, to int64, b *budget) ([]int64, error) {
	b.renew(0)
	m := s.merge(from, to, b)
	for len(instants) <= mostInWindow {
		batch := m.batch()
		if len(batch) == 0 {
			return instants, b.err()
		}
		instants = append(instants, batch...)
		b.renew(len(batch))
	}
	return instants, nil
}
