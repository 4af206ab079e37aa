package event

import (
	"cmp"
	"container/heap"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/status"
)

// Calendar is a list of series that are shown together. The zero value is empty.
type Calendar []Series

// Instances returns an iterator over the instances of all series in a window, in order of start, as in a calendar view.
// All-day instances begin and end at midnight in the zone of their series, or in UTC if the zone is unknown. Instances
// keeps one instance of each series in memory.
//
// Only the last pair may have an error, as in [Series.Instances]. If the error is a [*recurrence.BudgetError] with a
// non-zero Next, all instances before Next have been yielded. To continue, use a window that starts at Next.
func (c Calendar) Instances(w Window) iter.Seq2[Instance, error] {
	return func(yield func(Instance, error) bool) {
		for _, o := range c.merged(w) {
			if !yield(o.Instance, o.err) || o.err != nil {
				return
			}
		}
	}
}

// merged returns an iterator over the instances of all series, each with the index of its series.
func (c Calendar) merged(w Window) iter.Seq2[int, merging] {
	return func(yield func(int, merging) bool) {
		var heads queue
		for i, s := range c {
			head := &source{index: i, zone: s.days()}
			var stop func()
			head.next, stop = iter.Pull2(s.Instances(windowIn(w, s, head.zone)))
			defer stop()
			if head.advance() {
				heads = append(heads, head)
			}
		}
		heap.Init(&heads)
		for len(heads) > 0 {
			head := heads[0]
			if !yield(head.index, head.merging) || head.err != nil {
				return
			}
			if head.advance() {
				heap.Fix(&heads, 0)
			} else {
				heap.Pop(&heads)
			}
		}
	}
}

// days returns the zone in which the days of an all-day series begin, or UTC if the zone is unknown, or nil for a timed series.
func (s Series) days() *time.Location {
	start := parseTime(s.Event.orZero().Start)
	if start.form != allDay {
		return nil
	}
	return cmp.Or(start.dayZone(), s.Zone, time.UTC)
}

// windowIn returns the window in a form comparable with the instances of a series.
func windowIn(w Window, s Series, days *time.Location) Window {
	if days != nil {
		w.From, w.To = clockIn(w.From, days), clockIn(w.To, days)
	}
	return w
}

// merging is an instance of a series, or the error after the last instance of a series.
type merging struct {
	Instance
	err      error
	from, to time.Time // if there is an error, instances may be missing from this instant on
}

// source is a series whose instances are merged with the instances of other series.
type source struct {
	merging
	index int
	next  func() (Instance, error, bool)
	zone  *time.Location // see [Series.days]
}

// advance moves to the next instance, and reports whether there is an instance or an error.
func (s *source) advance() bool {
	i, err, ok := s.next()
	s.merging = merging{Instance: i, err: err, from: i.Span.Start, to: i.Span.End}
	if err != nil {
		s.from = goOn(err)
	}
	if isDay := err != nil || i.Event != nil && i.Start.orZero().Date != ""; s.zone != nil && isDay && !s.from.IsZero() {
		s.from, s.to = zone.Instant(s.from, s.zone), zone.Instant(s.to, s.zone)
	}
	return ok
}

// queue is a heap of series ordered by their next instance.
type queue []*source

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	return cmp.Or(q[i].from.Compare(q[j].from), cmp.Compare(q[i].index, q[j].index)) < 0
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue) Push(x any) { *q = append(*q, x.(*source)) }

func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

// Busy is an uninterrupted busy period.
type Busy struct{ From, To time.Time }

// Busy returns an iterator over the busy periods in a window, merged and in order. Transparent instances are ignored.
// Only the parts of instances that lie within the window count. Busy yields the same errors as [Calendar.Instances].
func (c Calendar) Busy(w Window) iter.Seq2[Busy, error] {
	return func(yield func(Busy, error) bool) {
		w.Overlap, w.Cancelled = true, false
		var now Busy
		for _, o := range c.merged(w) {
			if o.err != nil {
				if now == (Busy{}) || yield(now, nil) {
					yield(Busy{}, o.err)
				}
				return
			}
			from, to := o.from, o.to
			if !w.From.IsZero() && from.Before(w.From) {
				from = w.From
			}
			if !w.To.IsZero() && to.After(w.To) {
				to = w.To
			}
			switch {
			case o.Transparency == "transparent" || !from.Before(to):
			case now == (Busy{}):
				now = Busy{from, to}
			case from.After(now.To):
				if !yield(now, nil) {
					return
				}
				now = Busy{from, to}
			case to.After(now.To):
				now.To = to
			}
		}
		if now != (Busy{}) {
			yield(now, nil)
		}
	}
}

// Conflicts returns an iterator over the pairs of instances of different series that overlap, in order of the start of
// the conflict. Conflicts considers the instances that [Series.Instances] yields for a window with Overlap, and keeps
// the instances in progress in memory. Instances do not conflict if one starts when the other ends. Conflicts yields
// the same errors as [Calendar.Instances].
func (c Calendar) Conflicts(w Window) iter.Seq2[[2]Instance, error] {
	return func(yield func([2]Instance, error) bool) {
		w.Overlap, w.Cancelled = true, false
		type begun struct {
			merging
			index int
		}
		var open []begun
		for index, o := range c.merged(w) {
			if o.err != nil {
				yield([2]Instance{}, o.err)
				return
			}
			open = slices.DeleteFunc(open, func(b begun) bool { return !b.to.After(o.from) && !b.from.Equal(o.from) })
			for _, b := range open {
				if b.index != index && !yield([2]Instance{b.Instance, o.Instance}, nil) {
					return
				}
			}
			open = append(open, begun{o, index})
		}
	}
}

// Equal reports whether the instances of two series, including exceptions, have the same starts and ends. The result
// certain is false if the first 10,000 instances are equal and no others were compared. Equal returns the same errors
// as [Series.Instances].
func (s Series) Equal(other Series) (equal, certain bool, err error) {
	next, stop := iter.Pull2(other.Instances(Window{}))
	defer stop()
	n := 0
	for i, err := range s.Instances(Window{}) {
		also, otherErr, ok := next()
		switch err = cmp.Or(err, otherErr); {
		case err != nil:
			return false, false, err
		case !ok || !i.Span.Start.Equal(also.Span.Start) || !i.Span.End.Equal(also.Span.End) || i.Start.orZero().Date != also.Start.orZero().Date:
			return false, true, nil
		}
		const mostCompared = 10_000
		if n++; n == mostCompared {
			return true, false, nil
		}
	}
	_, err, more := next()
	return !more, err == nil, err
}

// Explain returns an English description of the times and the number of exceptions in the series. See [recurrence.Set.Explain].
func (s Series) Explain() (string, error) {
	x, err := newExpansion(s)
	if err != nil {
		return "", err
	}
	matched, err := x.match()
	if err != nil {
		return "", err
	}
	changed, cancelled := 0, 0
	for _, m := range matched {
		if m.event.StatusMeaning() == status.Active {
			changed++
		} else if m.replaces {
			cancelled++
		}
	}
	return x.lines.Explain(x.set.Start()) + exceptionWords(changed, cancelled), nil
}

// Difference returns an English description of the differences in recurrence and start between s and another series, or "" if
// there are none. The recurrences of both series are expanded from the start of s. See [recurrence.Set.Difference].
func (s Series) Difference(other Series) (string, error) {
	x, err := newExpansion(s)
	if err != nil {
		return "", err
	}
	y, err := newExpansion(other)
	if err != nil {
		return "", err
	}
	text, err := x.lines.Difference(y.lines, x.set.Start())
	is, was := x.set.Start(), y.set.Start()
	if err != nil || is.AllDay() == was.AllDay() && is.Time().Equal(was.Time()) && is.Time().Location().String() == was.Time().Location().String() {
		return text, err
	}
	return strings.TrimSpace(fmt.Sprintf("%s The start is %s instead of %s.", text, s.Event.Start, other.Event.Start)), nil
}

// exceptionWords returns a sentence about exceptions, with a leading space, or "" if there are no exceptions.
func exceptionWords(changed, cancelled int) string {
	of := func(n int, what string) string {
		if n == 1 {
			return "1 instance is " + what
		}
		return fmt.Sprintf("%d instances are %s", n, what)
	}
	switch {
	case changed == 0 && cancelled == 0:
		return ""
	case cancelled == 0:
		return " " + of(changed, "changed") + "."
	case changed == 0:
		return " " + of(cancelled, "cancelled") + "."
	default:
		return " " + of(changed, "changed") + ", and " + of(cancelled, "cancelled") + "."
	}
}
