package recurrence

import (
	"iter"
	"slices"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// An Instance is one instance of a [Series] with its end.
type Instance struct {
	Start, End time.Time
	Origin     Origin
}

// An Origin is the source of an instance. If an instance has several sources, its Origin is the constant that is listed first.
type Origin string

// The origins of instances.
const (
	FromStart Origin = "start"
	FromRule  Origin = "rule"
	FromRDate Origin = "RDATE"

	FromException Origin = "exception" // stored as a separate event; a [Series] never yields it
)

// Instances is like [Series.Between], but yields each instance with its end and origin.
func (s *Series) Instances(from, to time.Time) iter.Seq2[Instance, error] {
	return s.instances(s.lower(from), s.upper(to), nil, func(Instance) bool { return true })
}

// InstancesBackward is like [Series.Backward], but yields each instance with its end and origin.
func (s *Series) InstancesBackward(from, to time.Time) iter.Seq2[Instance, error] {
	return func(yield func(Instance, error) bool) {
		b := s.expanded().NewBudget()
		q := s.expanded().Ask(b)
		for unix := range s.expanded().Backward(s.lower(from), s.upper(to), b) {
			fromRule := q.RulesGive(unix)
			if b.IsOver() {
				break
			}
			if !yield(s.instance(unix, fromRule), nil) {
				return
			}
		}
		if err := budgetError(b); err != nil {
			yield(Instance{}, err)
		}
	}
}

// Overlapping yields the instances that are in progress at some time at or after from and before to, in order of start. An
// instance without a length is in progress only at its start. A zero from or to has the same meaning as in [Series.Between].
func (s *Series) Overlapping(from, to time.Time) iter.Seq2[Instance, error] {
	if from.IsZero() {
		return s.Instances(from, to)
	}
	first := s.lower(from)
	begin := first - max(s.Start().length.seconds, 0) - 1
	if s.endsByClock() {
		begin -= civil.MaxShift // an instance can be longer than the first instance
	}
	return s.instances(begin, s.upper(to), s.orZero().longPeriods(begin, first), func(i Instance) bool {
		return i.End.After(from) || !i.Start.Before(from)
	})
}

// longPeriods returns the starts of the periods that begin before the instant before and end at or after the instant end.
func (s *Series) longPeriods(before, end int64) (list []int64) {
	for begin, e := range s.ends {
		if begin < before && e >= end {
			list = append(list, begin)
		}
	}
	slices.Sort(list)
	return list
}

func (s *Series) instance(unix int64, fromRule bool) Instance {
	i := Instance{Start: s.time(unix), Origin: FromRDate}
	switch {
	case unix == s.start.unix && s.expanded().IncludesStart():
		i.Origin = FromStart
	case fromRule:
		i.Origin = FromRule
	}
	i.End = s.end(unix)
	return i
}

// EndOf returns the end of an instance that starts at the given time. EndOf does not check that the series has an instance at
// that time. If s is the zero Series, EndOf returns the zero time.
func (s *Series) EndOf(start time.Time) time.Time {
	if s.Start().IsZero() {
		return time.Time{}
	}
	return s.end(start.Unix())
}

func (s *Series) end(unix int64) time.Time {
	if end, ok := s.ends[unix]; ok {
		return s.time(end)
	}
	return time.Unix(s.endOf(unix), s.start.fraction+s.start.length.nanoseconds).In(s.start.zone.Location)
}

// endsByClock reports whether instances end at the same local time, as [Options.WallClock] requires.
func (s *Series) endsByClock() bool { return s.Start().options.WallClock && s.Start().isTimed() }

// endOf returns the time in Unix seconds at which an instance ends.
func (s *Series) endOf(unix int64) int64 {
	if !s.endsByClock() || unix == s.start.unix {
		return unix + s.start.length.seconds
	}
	r := s.local
	end, _ := r.Resolve(s.zone.ClockAt(unix) + s.start.clockLength())
	if end < unix { // both times occur twice
		end = unix + max(s.start.clockLength(), 0)
	}
	return end
}
