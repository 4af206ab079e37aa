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

// Window selects instances of a series. The zero value selects all of them.
type Window struct {
	// From and To bound the starts of instances: From itself is in the window, To is not. The window
	// is open on the side of a zero time. Only their dates matter to an all-day series.
	From, To time.Time

	// Overlap also selects the instances that start before From and end after it. The window
	// then has every instance that is under way at some time in it.
	Overlap bool

	// Cancelled also selects the cancelled exceptions, at their original starts.
	Cancelled bool

	// Options choose between the ways to expand the recurrence.
	Options recurrence.Options
}

// contains reports whether an event that starts and ends at two instants is in the window.
func (w Window) contains(start, end time.Time) bool {
	late := w.From.IsZero() || !start.Before(w.From) || w.Overlap && end.After(w.From)
	return late && (w.To.IsZero() || start.Before(w.To))
}

// Has reports whether an event takes place in the window or, for a series, whether one of its instances
// does. Dates are in the location in; nil means UTC. An event without a readable start and end is not in
// the window.
func (w Window) Has(e *Event, in *time.Location) bool {
	if e == nil {
		return false
	}
	if in == nil {
		in = time.UTC
	}
	if len(e.Recurrence) > 0 {
		if e.Start.orZero().Date != "" {
			w.From, w.To = clockIn(w.From, in), clockIn(w.To, in)
		}
		for instance := range Instances(e, nil, w) {
			return instance.Event != nil
		}
		return false
	}
	start, errStart := e.Start.Instant(in)
	end, errEnd := e.End.Instant(in)
	return errStart == nil && errEnd == nil && w.contains(start, end)
}

// clockIn returns the local time in a location at the bound of a window, as an instant in UTC. The days of an
// all-day series are represented in this way.
func clockIn(bound time.Time, in *time.Location) time.Time {
	if bound.IsZero() {
		return bound
	}
	_, offset := bound.In(in).Zone()
	return bound.Add(time.Duration(offset) * time.Second).UTC()
}

// ErrNoSeries is the error for an event that does not recur or whose start, end or recurrence cannot
// be read. [Check] reports why.
var ErrNoSeries = errors.New("event: not a recurring event with a readable start, end and recurrence")

// Instance is one instance of a series.
type Instance struct {
	*Event

	// Span has the start and the end as instants, in the zone of the series or, for an exception, in UTC, and says where
	// the instance comes from. For dates, the instants are midnights in UTC.
	Span recurrence.Instance
}

// Instances yields the instances of a series as events, in the order of their starts. Each has its
// own id, the iCalUID of the series, its id as recurringEventId, and as originalStartTime the start
// according to the recurrence. Start and end have the form and the zone of the series. A timed
// instance has exactly the duration of the first one, even if clocks change, and an all-day one has
// as many days (RFC 5545 section 3.8.5.3). An instance outside the years 0 to 9999, which no date
// can express, is left out.
//
// Exceptions are instances that are stored separately. An exception replaces the instance with its
// originalStartTime, and takes place at its own start, which may be inside or outside the window. It
// does so even if the recurrence has no such instance, for example because EXDATE excludes it: a stored
// exception remains until it is cancelled or deleted. An exception with neither start nor end takes place when the
// instance would, and not at all if its originalStartTime is not in the form of the start of the series. Exceptions of other series are ignored.
//
// Only the last pair may have an error, [ErrNoSeries] or a [*recurrence.BudgetError], and its instance
// has no event. Instances does not write to its arguments. The exceptions are yielded as clones. The other
// events share the members that they have in common with the series and with each other: clone one
// before you write to more than its own fields.
//
// Source: calendar.md, Event resource, originalStartTime; States and transitions.
func Instances(series *Event, exceptions []*Event, w Window) iter.Seq2[Instance, error] {
	return func(yield func(Instance, error) bool) {
		x, err := expand(series, exceptions, w)
		if err != nil {
			yield(Instance{}, err)
			return
		}
		for o, err := range x.occurrences(w) {
			if err != nil {
				yield(Instance{}, err)
				return
			}
			if !yield(x.instance(o), nil) {
				return
			}
		}
	}
}

// LastInstance returns the last of the instances that [Instances] yields for a window without Overlap, or an Instance
// without an event if there is none. It does not visit the others.
func LastInstance(series *Event, exceptions []*Event, w Window) (Instance, error) {
	x, err := expand(series, exceptions, w)
	if err != nil {
		return Instance{}, err
	}
	o, ok, err := x.last(w)
	if !ok {
		return Instance{}, err
	}
	return x.instance(o), nil
}

// CountInstances returns how many instances [Instances] yields, at most the given number. If there is an error, it
// counts the instances before the error.
func CountInstances(series *Event, exceptions []*Event, w Window, most int) (int, error) {
	x, err := expand(series, exceptions, w)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, err := range x.occurrences(w) {
		if n == most || err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// expand returns a series with the exceptions that belong to it.
func expand(series *Event, exceptions []*Event, w Window) (*expansion, error) {
	x, err := newExpansion(series, w.Options)
	if err != nil {
		return nil, err
	}
	x.addExceptions(exceptions)
	return x, nil
}

// InstanceByID returns the instance of a series that has the id, or nil if there is none. It returns a clone of
// the exception with this id, cancelled or not, or the instance that [Instances] would yield: the id of an
// instance that is not stored separately contains its original start. For the error, see [Instances].
func InstanceByID(series *Event, exceptions []*Event, id string) (*Event, error) {
	if series == nil {
		return nil, ErrNoSeries
	}
	for _, e := range exceptions {
		if e != nil && e.ID == id && e.RecurringEventID == series.ID {
			return e.Clone(), nil
		}
	}
	at, ok := originalStart(strings.TrimPrefix(id, series.ID+"_"))
	if !ok {
		return nil, nil
	}
	for e, err := range Instances(series, exceptions, Window{From: at, To: at.Add(time.Second)}) {
		if err != nil {
			return nil, err
		}
		if e.ID == id {
			return e.Event.Clone(), nil
		}
	}
	return nil, nil
}

// originalStart reads what appendID writes after the id of the series.
func originalStart(text string) (at time.Time, ok bool) {
	for _, layout := range []string{idDate, idTime} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return at, false
}

// The forms of the original start in the id of an instance.
const (
	idDate = "20060102"
	idTime = "20060102T150405Z"
)

// expansion is a series with everything needed to make its instances.
type expansion struct {
	series   *Event
	template Event // the common members of the instances
	set      *recurrence.Series
	start    parsedTime
	endZone  *time.Location

	replaced   map[time.Time]bool // the original starts of the exceptions
	exceptions []occurrence       // by start

	text    []byte          // of the last instance
	texts   strings.Builder // memory for the texts of some instances; it never grows
	spare   []instanceEvent // memory for some instances
	batch   int             // how many instances spare was for
	offsets offsetCache
	days    dayCache
}

// occurrence is an instance of the recurrence or an exception.
type occurrence struct {
	recurrence.Instance
	exception *Event
}

func newExpansion(series *Event, options recurrence.Options) (*expansion, error) {
	if series == nil {
		return nil, ErrNoSeries
	}
	start, end := parseTime(series.Start), parseTime(series.End)
	first := start.recurrence()
	set, err := recurrence.Parse(series.Recurrence)
	if err != nil || len(series.Recurrence) == 0 || first.IsZero() || !end.known || start.form != end.form {
		return nil, ErrNoSeries
	}
	compiled, err := set.Compile(first.Until(end.instant()))
	if err != nil {
		return nil, ErrNoSeries
	}
	x := &expansion{series: series, template: *series, set: compiled.With(options), start: start, endZone: end.namedZone()}
	x.template.Recurrence = nil
	x.template.RecurringEventID = series.ID
	return x, nil
}

// addExceptions adds the exceptions that belong to the series.
func (x *expansion) addExceptions(exceptions []*Event) {
	x.replaced = map[time.Time]bool{}
	for _, e := range exceptions {
		if e == nil || e.RecurringEventID != x.series.ID {
			continue
		}
		original := parseTime(e.OriginalStartTime)
		at, ok := x.place(original)
		if !ok {
			continue
		}
		if original.form == x.start.form {
			x.replaced[at.UTC()] = true
		}
		x.addException(e, at)
	}
	slices.SortStableFunc(x.exceptions, func(a, b occurrence) int { return a.Start.Compare(b.Start) })
}

// addException adds an exception at its own start or, if it is cancelled, at its original one.
func (x *expansion) addException(e *Event, original time.Time) {
	o := occurrence{recurrence.Instance{Start: original, End: original, Origin: recurrence.FromException}, e}
	if e.StatusMeaning() == status.Active && e.Start == nil && e.End == nil && x.replaced[original.UTC()] {
		if x.isUnwritable(original, x.set.EndOf(original)) {
			return
		}
		o.exception = x.withTimes(e, original)
		e = o.exception
	}
	if e.StatusMeaning() == status.Active {
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

// withTimes returns an exception, which has no times of its own, with those of the instance that it replaces.
func (x *expansion) withTimes(e *Event, original time.Time) *Event {
	with := new(*e)
	with.Start = x.startAt(original)
	with.End = new(x.timeOf(string(x.appendTime(nil, x.set.EndOf(original), x.endZone)), x.series.End.TimeZone))
	return with
}

// Place returns the instant of a time in a series, as a [Window] compares it. The time may be of the other form than the start: in
// a timed series, a date begins at midnight in the zone of the series; an all-day series has no zone, so the local time counts.
// ok is false if the time or the start cannot be read.
func (e *Event) Place(t *Time) (at time.Time, ok bool) {
	start := parseTime(e.orZero().Start)
	first := start.recurrence()
	if first.IsZero() {
		return at, false
	}
	return start.place(parseTime(t), first.Time().Location())
}

// place is [Event.Place] in a series that starts at s, in a location.
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

// occurrences yields the instances of the recurrence and the exceptions in a window, by start.
func (x *expansion) occurrences(w Window) iter.Seq2[occurrence, error] {
	return func(yield func(occurrence, error) bool) {
		stored := x.stored(w)
		// until yields the exceptions that start before an instant.
		until := func(at time.Time) bool {
			for len(stored) > 0 && (at.IsZero() || stored[0].Start.Before(at)) {
				if !yield(stored[0], nil) {
					return false
				}
				stored = stored[1:]
			}
			return true
		}
		for i, err := range x.recurring(w) {
			if err != nil {
				if until(goOn(err)) {
					yield(occurrence{}, err)
				}
				return
			}
			if x.isLeftOut(i) {
				continue
			}
			if !until(i.Start) || !yield(occurrence{Instance: i}, nil) {
				return
			}
		}
		until(time.Time{})
	}
}

// stored returns the exceptions in a window, by start.
func (x *expansion) stored(w Window) []occurrence {
	return slices.DeleteFunc(slices.Clone(x.exceptions), func(o occurrence) bool {
		isCancelled := o.exception.StatusMeaning() != status.Active
		return isCancelled && !w.Cancelled || !w.contains(o.Start, o.End)
	})
}

// goOn returns where to continue a search that ended with an error, or the zero time.
func goOn(err error) time.Time {
	if over, ok := errors.AsType[*recurrence.BudgetError](err); ok {
		return over.Next
	}
	return time.Time{}
}

// recurring yields the instances of the recurrence in a window.
func (x *expansion) recurring(w Window) iter.Seq2[recurrence.Instance, error] {
	if w.Overlap {
		return x.set.Overlapping(w.From, w.To)
	}
	return x.set.Instances(w.From, w.To)
}

// isLeftOut reports whether an exception replaces an instance, or no date can express it.
func (x *expansion) isLeftOut(i recurrence.Instance) bool {
	return len(x.replaced) > 0 && x.replaced[i.Start.UTC()] || x.isUnwritable(i.Start, i.End)
}

// isUnwritable reports whether no date can express an instance. A time whose offset has seconds is written in UTC, which
// shows the year before 0 when some clocks show the year 0.
func (x *expansion) isUnwritable(start, end time.Time) bool {
	switch {
	case end.Unix() >= yearTooLarge:
		return true
	case min(start.Unix(), end.Unix()) >= yearZero:
		return false // as usual, without looking at zones
	}
	if x.endZone != nil {
		end = end.In(x.endZone)
	}
	return isTooEarly(start) || isTooEarly(end)
}

// isTooEarly reports whether a time is written in UTC and that is before the year 0.
func isTooEarly(at time.Time) bool {
	_, offset := at.Zone()
	return offset%60 != 0 && at.Unix() < yearZero
}

// last returns the last occurrence that starts in a window, if there is one. An exception follows an
// instance that starts at the same time.
func (x *expansion) last(w Window) (o occurrence, ok bool, err error) {
	if stored := x.stored(w); len(stored) > 0 {
		o, ok = stored[len(stored)-1], true
	}
	for i, err := range x.set.InstancesBackward(w.From, w.To) {
		switch {
		case err != nil:
			return occurrence{}, false, err
		case x.isLeftOut(i):
			continue
		case !ok || i.Start.After(o.Start):
			o, ok = occurrence{Instance: i}, true
		}
		break
	}
	return o, ok, nil
}

// instanceEvent is an event with its times.
type instanceEvent struct {
	Event
	start, end, original Time
}

// instance returns an occurrence as an instance.
func (x *expansion) instance(o occurrence) Instance {
	i := Instance{Event: x.event(o), Span: o.Instance}
	if o.exception != nil {
		start, end := parseTime(i.Start), parseTime(i.End)
		i.Span.Start, i.Span.End = start.instant(), end.instant()
	}
	return i
}

// event returns an occurrence as an event. A few instances share an allocation for the events with their times, and one
// for the texts of these.
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
	made.start = x.timeOf(text[len(id):len(start)], x.series.Start.TimeZone)
	made.original = made.start
	made.end = x.timeOf(text[len(start):], x.series.End.TimeZone)
	made.Start, made.OriginalStartTime, made.End = &made.start, &made.original, &made.end
	return &made.Event
}

// newEvent returns a copy of the template.
func (x *expansion) newEvent() *instanceEvent {
	if len(x.spare) == 0 {
		const most = 4 // a caller that keeps one of them keeps all
		x.batch = min(x.batch+1, most)
		x.spare = make([]instanceEvent, x.batch)
	}
	made := &x.spare[0]
	x.spare = x.spare[1:]
	made.Event = x.template
	return made
}

// keptText returns the text as a string.
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

// timeOf returns a text of appendTime as a Time.
func (x *expansion) timeOf(text, zone string) Time {
	if x.start.form == allDay {
		return Time{Date: text, TimeZone: zone}
	}
	return Time{DateTime: text, TimeZone: zone}
}

// appendTime appends an instant in the form of the series, in the zone or, if it is nil, in the instant's own.
func (x *expansion) appendTime(dst []byte, at time.Time, zone *time.Location) []byte {
	if x.start.form == allDay {
		return x.days.appendFormat(dst, at, 0, time.DateOnly)
	}
	if zone != nil {
		at = at.In(zone)
	}
	return x.days.appendDateTime(dst, at, x.offsets.at(at))
}

// appendID appends the id of an instance: the id of its series and its original start, so that
// every expansion results in the same id. No id that a client can choose contains an underscore.
func (x *expansion) appendID(dst []byte, at time.Time) []byte {
	dst = append(append(dst, x.series.ID...), '_')
	if x.start.form == allDay {
		return x.days.appendFormat(dst, at, 0, idDate)
	}
	return x.days.appendFormat(dst, at, 0, idTime)
}
