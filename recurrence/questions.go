package recurrence

import (
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/calrules/calrules/recurrence/internal/expand"
)

// AtOrAfter is like [Series.Next], but returns the first instance at or after t.
func (s *Series) AtOrAfter(t time.Time) (next time.Time, ok bool, err error) {
	for next, err := range s.between(s.firstAt(t), expand.Latest) {
		return next, err == nil, err
	}
	return next, false, nil
}

// Last returns the last instance of a finite series, in which every rule has COUNT or UNTIL, or the zero time if the series has
// no instances. The result finite is false for a series that continues to the end of the calendar. Any error is a
// [*BudgetError].
func (s *Series) Last() (last time.Time, finite bool, err error) {
	if !s.orZero().finite {
		return time.Time{}, false, nil
	}
	last, _, err = s.Before(time.Time{})
	return last, true, err
}

// isFinite reports whether every rule in the set ends.
func (s *Set) isFinite() bool {
	return !slices.ContainsFunc(s.Rules, func(r *Rule) bool { return r.Count == 0 && r.Until.Form == 0 })
}

// mostCompared is the maximum number of instances of each set that [Set.Equal] compares.
const mostCompared = 10_000

// Equal reports whether two sets have the same instances, with the same ends, for a given start. Sets with the same lines in
// any order are equal; otherwise, Equal compares the first 10,000 instances. The result certain is false if these instances are
// equal but a later one may differ. The error is a [*BudgetError] or an error that [Set.Compile] returns.
func (s *Set) Equal(other *Set, start Start) (equal, certain bool, err error) {
	a, err := s.Compile(start)
	if err != nil {
		return false, false, err
	}
	b, err := other.Compile(start)
	if err != nil {
		return false, false, err
	}
	sameLines := slices.Equal(slices.Sorted(slices.Values(s.Lines())), slices.Sorted(slices.Values(other.Lines())))
	if sameLines && maps.Equal(a.ends, b.ends) { // if two PERIOD values start at the same instant, the first line counts
		return true, true, nil
	}
	return a.sameInstances(b)
}

// sameInstances is like [Set.Equal], but compares two series.
func (s *Series) sameInstances(other *Series) (equal, certain bool, err error) {
	next, stop := iter.Pull2(other.Instances(time.Time{}, time.Time{}))
	defer stop()
	n := 0
	for i, err := range s.Instances(time.Time{}, time.Time{}) {
		if err != nil {
			return false, false, err
		}
		switch also, err, ok := next(); {
		case err != nil:
			return false, false, err
		case !ok || !also.Start.Equal(i.Start) || !also.End.Equal(i.End):
			return false, true, nil
		}
		if n++; n == mostCompared {
			return true, false, nil
		}
	}
	_, err, more := next()
	return !more, err == nil, err
}

// Conflicts yields the pairs of an instance of s and an instance of other that are in progress at the same time, in the
// order in which the conflicts begin. Conflicts considers the instances that [Series.Overlapping] yields for from and to.
// Instances do not conflict if one starts when the other ends, but an instance without a length conflicts with another instance
// that starts at the same time or contains it. The error is nil except in the last pair.
func (s *Series) Conflicts(other *Series, from, to time.Time) iter.Seq2[[2]Instance, error] {
	return func(yield func([2]Instance, error) bool) {
		var sides [2]side
		for i, series := range []*Series{s, other} {
			var stop func()
			sides[i].next, stop = iter.Pull2(series.Overlapping(from, to))
			defer stop()
			sides[i].advance()
		}
		for sides[0].mayMeet(&sides[1]) || sides[1].mayMeet(&sides[0]) {
			i := earlier(&sides)
			if err := sides[i].err; err != nil {
				yield([2]Instance{}, err)
				return
			}
			now := sides[i].instance
			for _, open := range sides[1-i].openAt(now.Start) {
				var pair [2]Instance
				pair[i], pair[1-i] = now, open
				if !yield(pair, nil) {
					return
				}
			}
			sides[i].open = append(sides[i].open, now)
			sides[i].advance()
		}
	}
}

// A side is one of the two series that [Series.Conflicts] compares.
type side struct {
	next     func() (Instance, error, bool)
	instance Instance // the next instance, if more is true
	err      error
	more     bool
	open     []Instance // the instances that have begun and may still be in progress
}

func (s *side) advance() { s.instance, s.err, s.more = s.next() }

// mayMeet reports whether the next instance can conflict with an instance of the other side.
func (s *side) mayMeet(other *side) bool { return s.more && (other.more || len(other.open) > 0) }

// openAt returns the instances that are in progress at an instant, and drops instances that have ended.
func (s *side) openAt(at time.Time) []Instance {
	s.open = slices.DeleteFunc(s.open, func(i Instance) bool { return !i.End.After(at) && !i.Start.Equal(at) })
	return s.open
}

// earlier returns the index of the side whose next instance is earlier, or of the only side that has a next instance.
func earlier(sides *[2]side) int {
	a, b := &sides[0], &sides[1]
	if !a.more || b.more && (b.err != nil || a.err == nil && b.instance.Start.Before(a.instance.Start)) {
		return 1
	}
	return 0
}
