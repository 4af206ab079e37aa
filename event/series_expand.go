package event

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// expansion is a series that has been prepared for generating its instances.
type expansion struct {
	series   Series
	template Event           // the common members of the instances
	lines    *recurrence.Set // the parsed recurrence
	set      *recurrence.Series
	start    parsedTime
	endZone  *time.Location

	replaced   map[time.Time]bool // the starts of the replaced instances
	exceptions []occurrence       // sorted by start

	text    []byte          // the strings of the last instance
	texts   strings.Builder // memory for the strings of several instances; it is replaced instead of growing
	spare   []instanceEvent // unused memory for several instances
	batch   int             // the number of instances for which spare was allocated
	offsets zone.Offsets
	days    dayCache
}

// occurrence is an instance of the recurrence or an exception.
type occurrence struct {
	recurrence.Instance
	exception *Event // as yielded; nil for an instance of the recurrence
}

// expand returns the expansion of the series, including its exceptions.
func (s Series) expand() (*expansion, error) {
	x, err := newExpansion(s)
	if err != nil {
		return nil, err
	}
	if err := x.addExceptions(); err != nil {
		return nil, err
	}
	return x, nil
}

func newExpansion(s Series) (*expansion, error) {
	series := s.Event
	if series == nil {
		return nil, ErrNoSeries
	}
	start, end := parseTime(series.Start), parseTime(series.End)
	first := start.startIn(s.Zone).With(s.Options)
	set, err := recurrence.Parse(withoutLastSemicolons(series.Recurrence))
	if err != nil || len(series.Recurrence) == 0 || first.IsZero() || !end.known || start.form != end.form {
		return nil, ErrNoSeries
	}
	compiled, err := set.Compile(first.Until(end.instant()))
	if err != nil {
		return nil, ErrNoSeries
	}
	x := &expansion{series: s, template: *series, lines: set, set: compiled, start: start, endZone: end.namedZone()}
	x.template.Recurrence = nil
	x.template.RecurringEventID = series.ID
	return x, nil
}

// addExceptions adds the newest copies of the exceptions.
func (x *expansion) addExceptions() error {
	matched, err := x.match()
	if err != nil {
		return err
	}
	x.replaced = make(map[time.Time]bool, len(matched))
	for _, m := range matched {
		if m.replaces {
			x.replaced[m.original.UTC()] = true
		}
		x.addException(m)
	}
	slices.SortStableFunc(x.exceptions, func(a, b occurrence) int { return a.Start.Compare(b.Start) })
	return nil
}

// addException adds an exception at its own start or, if it is cancelled, at its original start.
func (x *expansion) addException(m standing) {
	o := occurrence{recurrence.Instance{Start: m.original, End: m.original, Origin: recurrence.FromException}, x.shown(m)}
	if e := o.exception; e.StatusMeaning() == status.Active {
		if m.hasNoTimes() && x.isUnwritable(m.original, x.set.EndOf(m.original)) {
			return
		}
		var ok bool
		if o.Start, ok = x.place(parseTime(e.Start)); !ok {
			return
		}
		if o.End, ok = x.place(parseTime(e.End)); !ok {
			o.End = o.Start
		}
	}
	x.exceptions = append(x.exceptions, o)
}

// shown returns an exception in the form in which it is yielded. The result shares members with the exception. The
// times have the same form as in other instances: they have offsets, and the originalStartTime has the form of the
// start of the series. An exception without times has the times of the instance that it replaces.
func (x *expansion) shown(m standing) *Event {
	e := new(*m.event)
	e.Start, e.End, e.OriginalStartTime = withOffset(e.Start), withOffset(e.End), withOffset(e.OriginalStartTime)
	if m.rewrite {
		e.OriginalStartTime = x.startAt(m.original)
	}
	if m.hasNoTimes() {
		e.Start = x.startAt(m.original)
		e.End = new(x.timeOf(string(x.appendTime(nil, x.set.EndOf(m.original), x.endZone)), x.series.Event.End.TimeZone))
	}
	return e
}

// hasNoTimes reports whether an exception lacks times, and therefore takes place at the time of the instance that it replaces.
func (m *standing) hasNoTimes() bool {
	e := m.event
	return e.Start == nil && e.End == nil && m.replaces && e.StatusMeaning() == status.Active
}

// withOffset returns t with an offset, or t itself if it already has an offset or its instant is unknown.
func withOffset(t *Time) *Time {
	p := parseTime(t)
	if p.form != timed || !p.known || p.civil.HasOffset || p.beyond != "" {
		return t
	}
	with := new(*t)
	with.DateTime = TimeAt(p.at().In(p.location())).DateTime
	return with
}

// place returns the result of [Series.Place] for a series that starts at s in the given location.
func (s parsedTime) place(p parsedTime, in *time.Location) (at time.Time, ok bool) {
	switch {
	case !p.known:
		return at, false
	case p.form == s.form:
		at = p.instant()
	case p.form == allDay:
		at = zone.Instant(p.instant(), in)
	default:
		p.civil.Offset = 0
		at = p.civil.Time()
	}
	return at.In(in), true
}

func (x *expansion) place(p parsedTime) (at time.Time, ok bool) {
	return x.start.place(p, x.set.Start().Time().Location())
}

// occurrences returns an iterator over the instances of the recurrence and the exceptions in a window, in order of start.
func (x *expansion) occurrences(w Window) iter.Seq2[occurrence, error] {
	return func(yield func(occurrence, error) bool) {
		stored := x.stored(w)
		// until yields the remaining exceptions that start before the given instant.
		until := func(at time.Time) bool {
			for len(stored) > 0 && (at.IsZero() || stored[0].Start.Before(at)) {
				if !yield(stored[0], nil) {
					return false
				}
				stored = stored[1:]
			}
			return true
		}
		leftOut := 0
		for i, err := range x.recurring(w) {
			if err == nil && x.isLeftOut(i) {
				if leftOut++; leftOut < maxLeftOut {
					continue
				}
				err = &recurrence.BudgetError{Steps: maxLeftOut, Next: i.Start}
			}
			if err != nil {
				if until(goOn(err)) {
					yield(occurrence{}, err)
				}
				return
			}
			if !until(i.Start) || !yield(occurrence{Instance: i}, nil) {
				return
			}
		}
		until(time.Time{})
	}
}

// maxLeftOut is the maximum number of instances that a search leaves out. If an event lasts thousands of years and recurs each
// second, no date can express the ends of billions of instances.
const maxLeftOut = 1 << 22

// stored returns the exceptions in a window, in order of start.
func (x *expansion) stored(w Window) []occurrence {
	return slices.DeleteFunc(slices.Clone(x.exceptions), func(o occurrence) bool {
		isCancelled := o.exception.StatusMeaning() != status.Active
		return isCancelled && !w.Cancelled || !w.contains(o.Start, o.End)
	})
}

// goOn returns the instant at which to continue a search that ended with err, or the zero time if unknown.
func goOn(err error) time.Time {
	if over, ok := errors.AsType[*recurrence.BudgetError](err); ok {
		return over.Next
	}
	return time.Time{}
}

// recurring returns an iterator over the instances of the recurrence in a window.
func (x *expansion) recurring(w Window) iter.Seq2[recurrence.Instance, error] {
	if w.Overlap {
		return x.set.Overlapping(w.From, w.To)
	}
	return x.set.Instances(w.From, w.To)
}

// isLeftOut reports whether an instance is omitted, either because an exception replaces it or because no date can express it.
func (x *expansion) isLeftOut(i recurrence.Instance) bool {
	return len(x.replaced) > 0 && x.replaced[i.Start.UTC()] || x.isUnwritable(i.Start, i.End)
}

// isUnwritable reports whether no date can express an instance. A time whose offset includes seconds is written in UTC,
// where the year may be before 0 even if the local year is 0.
func (x *expansion) isUnwritable(start, end time.Time) bool {
	switch {
	case end.Unix() >= yearTooLarge:
		return true
	case min(start.Unix(), end.Unix()) >= yearZero:
		return false // the usual case, in which zones do not matter
	}
	if x.endZone != nil {
		end = end.In(x.endZone)
	}
	return isTooEarly(start) || isTooEarly(end)
}

// isTooEarly reports whether a time is written in UTC because its offset includes seconds, and is before the year 0 in UTC.
func isTooEarly(at time.Time) bool {
	_, offset := at.Zone()
	return offset%60 != 0 && at.Unix() < yearZero
}

// last returns the last occurrence that starts in a window, if any. If an instance and an exception have the same
// start, the exception is last.
func (x *expansion) last(w Window) (o occurrence, ok bool, err error) {
	if stored := x.stored(w); len(stored) > 0 {
		o, ok = stored[len(stored)-1], true
	}
	leftOut := 0
	for i, err := range x.set.InstancesBackward(w.From, w.To) {
		switch {
		case err != nil:
			return occurrence{}, false, err
		case x.isLeftOut(i):
			if leftOut++; leftOut == maxLeftOut {
				return occurrence{}, false, &recurrence.BudgetError{Steps: maxLeftOut}
			}
			continue
		case !ok || i.Start.After(o.Start):
			o, ok = occurrence{Instance: i}, true
		}
		break
	}
	return o, ok, nil
}

// instanceEvent is an event together with its times.
type instanceEvent struct {
	Event
	start, end, original Time
}

// instance converts an occurrence to an instance.
func (x *expansion) instance(o occurrence) Instance {
	i := Instance{Event: x.event(o), Span: o.Instance}
	if o.exception != nil {
		start, end := parseTime(i.Start), parseTime(i.End)
		i.Span.Start, i.Span.End = start.instant(), end.instant()
	}
	return i
}

// event converts an occurrence to an event. A few instances share one allocation for events and times, and another for
// the strings of the times.
func (x *expansion) event(o occurrence) *Event {
	if o.exception != nil {
		return o.exception.Clone()
	}
	made := x.newEvent()
	id := x.appendID(x.text[:0], o.Start)
	start := x.appendTime(id, o.Start, nil)
	x.text = x.appendTime(start, o.End, x.endZone)
	text := x.keptText()
	made.ID = text[:len(id)]
	made.start = x.timeOf(text[len(id):len(start)], x.series.Event.Start.TimeZone)
	made.original = made.start
	made.end = x.timeOf(text[len(start):], x.series.Event.End.TimeZone)
	made.Start, made.OriginalStartTime, made.End = &made.start, &made.original, &made.end
	return &made.Event
}

// newEvent returns a copy of the template.
func (x *expansion) newEvent() *instanceEvent {
	if len(x.spare) == 0 {
		const most = 4 // a caller that retains one event retains the memory of all of them
		x.batch = min(x.batch+1, most)
		x.spare = make([]instanceEvent, x.batch)
	}
	made := &x.spare[0]
	x.spare = x.spare[1:]
	made.Event = x.template
	return made
}

// keptText returns x.text as a string, using the memory of x.texts.
func (x *expansion) keptText() string {
	if x.texts.Cap()-x.texts.Len() < len(x.text) {
		const most = 1 << 10
		size := max(len(x.text), min(2*x.texts.Cap(), most))
		x.texts = strings.Builder{}
		x.texts.Grow(size)
	}
	at := x.texts.Len()
	x.texts.Write(x.text)
	return x.texts.String()[at:]
}

// timeOf returns the output of appendTime as a Time.
func (x *expansion) timeOf(text, zone string) Time {
	if x.start.form == allDay {
		return Time{Date: text, TimeZone: zone}
	}
	return Time{DateTime: text, TimeZone: zone}
}

// appendTime appends an instant in the same form as the start of the series. The instant is written in the given zone
// or, if zone is nil, in its own location.
func (x *expansion) appendTime(dst []byte, at time.Time, zone *time.Location) []byte {
	if x.start.form == allDay {
		return x.days.appendFormat(dst, at, 0, time.DateOnly)
	}
	if zone != nil {
		at = at.In(zone)
	}
	return x.days.appendDateTime(dst, at, x.offsets.At(at))
}

// appendID appends the id of an instance: the id of the series, an underscore and the original start. Every expansion
// therefore yields the same id. Ids chosen by clients cannot contain underscores.
func (x *expansion) appendID(dst []byte, at time.Time) []byte {
	dst = append(append(dst, x.series.Event.ID...), '_')
	if x.start.form == allDay {
		return x.days.appendFormat(dst, at, 0, idDate)
	}
	return x.days.appendFormat(dst, at, 0, idTime)
}

// originalStart parses the part of an instance id that appendID writes after the underscore.
func originalStart(text string) (at time.Time, ok bool) {
	for _, layout := range []string{idDate, idTime} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return at, false
}

// Layouts of the original start in an instance id.
const (
	idDate = "20060102"
	idTime = "20060102T150405Z"
)
