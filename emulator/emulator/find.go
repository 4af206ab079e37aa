package emulator

import (
	"errors"
	"iter"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// Values of event members written by the emulator.
const (
	cancelled = "cancelled"      // a status
	eventKind = "calendar#event" // the kind of an event
)

// finder finds the events in a list.
type finder struct {
	server *Server
	call   *call
	cal    calendar
	in     *state.Calendar
	now    state.Revision // the last revision in the list

	revision state.Revision  // determines the entity tag
	updated  string          // when an event was last updated
	reminds  any             // the caller's default reminders
	err      error           // for the first series whose expansion took too long
	items    []item          // found so far, except on earlier pages
	last     *key            // the last needed item, once it is known
	expanded int             // the number of instances so far
	seen     map[string]bool // the ids of instances found in a synchronization

	token   syncToken
	isSync  bool
	after   pageToken
	isLater bool // whether the page is not the first
	limit   int

	single     bool
	order      string
	window     event.Window
	horizon    time.Time // the end of the expansion of series
	updatedMin time.Time
	terms      []string
	private    [][2]string
	shared     [][2]string
	types      []string
	uid        string
	original   *event.Time // the original start of the requested instances; nil for any
	visible    status.Query
	showParams operation.Params // the parameters with which the library shows an event
}

// readQuery reads the query parameters, which the library has already checked. Invalid values that the library tolerates select
// nothing or everything.
func (f *finder) readQuery() {
	c := f.call
	flags := c.Request.Params.Options()
	f.single = c.query("singleEvents") == "true"
	f.order = c.query("orderBy")
	f.terms = strings.Fields(strings.ToLower(c.query("q")))
	f.types = slices.Clone(c.Request.Params["eventTypes"])
	for i, value := range f.types {
		if c.Request.Dialect == diag.Google {
			f.types[i] = diag.Google.Name(value)
		}
	}
	f.uid = flags.ICalUID
	f.private, f.shared = pairs(c.Request.Params["privateExtendedProperty"]), pairs(c.Request.Params["sharedExtendedProperty"])
	f.visible = status.Query{SyncToken: flags.SyncToken, UpdatedMin: flags.UpdatedMin, ShowDeleted: flags.ShowDeleted}
	f.showParams = operation.Params{}
	for _, name := range []string{"maxAttendees", "showDeleted", "syncToken", "updatedMin"} {
		if values := c.Request.Params[name]; values != nil {
			f.showParams[name] = values
		}
	}
	for name, into := range map[string]*time.Time{"timeMin": &f.window.From, "timeMax": &f.window.To, "updatedMin": &f.updatedMin} {
		if at, err := (&event.Time{DateTime: c.query(name)}).Instant(nil); err == nil {
			*into = at
		}
	}
	f.setWindow()
	f.readOriginal()
}

// readOriginal reads the originalStart parameter of events.instances.
func (f *finder) readOriginal() {
	value := f.call.query("originalStart")
	switch {
	case f.call.Operation.ID != operation.EventsInstances:
	case limits.IsDate(value):
		f.original = &event.Time{Date: value}
	case limits.IsDateTime(value):
		f.original = &event.Time{DateTime: value}
	}
}

// setWindow sets the window and the horizon. A synchronization uses the same window as the list that it continues. If there is no
// timeMax, all pages of a list have the same horizon.
func (f *finder) setWindow() {
	f.window.Overlap, f.window.Cancelled = true, f.visible.ShowDeleted || f.isSync
	if f.isSync {
		f.single, f.window.From, f.window.To = f.token.Single, orZeroTime(f.token.From), orZeroTime(f.token.Max)
	}
	switch {
	case !f.window.To.IsZero():
		f.horizon = f.window.To
	case f.isLater:
		f.horizon = orZeroTime(f.after.To)
	default:
		f.horizon = f.server.horizonAt(f.call.now)
	}
}

// horizonAt returns the end of the expansion of endless series. The horizon does not move back with the clock, because no
// synchronization would tell clients that instances are gone.
func (s *Server) horizonAt(now time.Time) time.Time {
	s.expanding.Lock()
	defer s.expanding.Unlock()
	if end := now.Add(s.horizon).UTC(); end.After(s.furthest) {
		s.furthest = end
	}
	return s.furthest
}

// orZeroTime returns a time from a token, or the zero time if t is nil.
func orZeroTime(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// orNil returns a time for use in a token, or nil for the zero time.
func orNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// expanding returns the window for which a series is expanded.
func (f *finder) expanding(series *event.Event) event.Window {
	w := f.window
	w.To = f.horizon
	return widened(series, w)
}

// widened returns the window in which to look for instances of a series. For an all-day series, widened adds a day at both
// ends, because the time zone of the days is not known during the expansion.
func widened(series *event.Event, w event.Window) event.Window {
	if orZero(series.Start).Date == "" {
		return w
	}
	if !w.From.IsZero() {
		w.From = w.From.Add(-day)
	}
	if !w.To.IsZero() {
		w.To = w.To.Add(day)
	}
	return w
}

// canSync reports whether the list can be followed by a synchronization. The service does not allow synchronization with
// parameters that select events by content.
func (f *finder) canSync() bool {
	return f.order == "" && f.uid == "" && len(f.terms)+len(f.private)+len(f.shared) == 0 && f.updatedMin.IsZero() &&
		f.call.Operation.ID == operation.EventsList
}

// revisionOf returns the last revision of a calendar's event list as a user sees it. The revision also depends on the calendar
// itself and on the user's role and reminders.
func revisionOf(v *state.View, calendarID, user string) state.Revision {
	cal, _ := v.Get(state.Calendars, "", calendarID)
	return max(v.Calendar(calendarID).Revision(), cal.Revision, v.Last(state.ACL, calendarID), v.Last(state.List, user))
}

// pairs splits values of the form name=value.
func pairs(values []string) (list [][2]string) {
	for _, v := range values {
		name, value, _ := strings.Cut(v, "=")
		list = append(list, [2]string{name, value})
	}
	return list
}

// all adds the events in an events.list response.
func (f *finder) all() {
	if !f.isSync && !f.single && f.order == "" {
		f.inOrder()
		return
	}
	for entry := range f.in.All() {
		switch e := face(entry); {
		case f.isSync:
			f.changed(entry)
		case f.single && len(e.Recurrence) > 0:
			f.instances(entry)
		case f.single && f.isOfSeries(e):
			// The event is added together with its series.
		case f.selects(e):
			f.add(item{f.keyOf(entry, e), e, entry})
		}
	}
}

// inOrder adds the events on one page in order of creation, and the following event, if any, without visiting the whole
// calendar for each page.
func (f *finder) inOrder() {
	for entry := range f.in.From(state.Revision(f.after.After.Major)) {
		if e := face(entry); f.selects(e) {
			f.add(item{f.keyOf(entry, e), e, entry})
		}
		if len(f.items) > f.limit {
			return
		}
	}
}

// face returns an event as clients see it. An exception whose series no longer contains the instance appears as a deleted
// event, because a cancelled instance could hide an instance of the series.
func face(entry *state.Entry) *event.Event {
	if entry.Kept != nil {
		return withoutSeries(entry.Event)
	}
	return entry.Event
}

// isOfSeries reports whether an event is an instance of a stored series.
func (f *finder) isOfSeries(e *event.Event) bool {
	series := f.in.Get(e.RecurringEventID)
	return series != nil && len(series.Event.Recurrence) > 0
}

// instances adds the instances of a series that belong in the list. Instances that are not stored have the same members as the
// series, except for their times.
func (f *finder) instances(series *state.Entry) {
	all := seriesOf(f.in, f.cal, series.Event)
	standing, err := all.Standing()
	if errors.Is(err, event.ErrNoSeries) {
		standing = all.Exceptions
	} else if f.fails(series.Event, err) {
		return
	}
	for _, x := range f.in.Exceptions(series.Event.ID) {
		if slices.Contains(standing, x.Event) && f.selects(x.Event) && f.isOriginal(x.Event) {
			f.add(item{f.keyOf(series, x.Event), x.Event, x})
		}
	}
	if !f.matches(series.Event) {
		return
	}
	w, ok := f.rest(series)
	if !ok {
		return
	}
	for e, err := range unstored(f.in, all, w) {
		if f.fails(series.Event, err) {
			return
		}
		if f.isInWindow(e) && f.isOriginal(e) && !f.add(item{f.keyOf(series, e), e, series}) {
			return // all further instances are later
		}
	}
}

// seriesOf returns a series in a calendar with all exceptions whose instances the series still contains.
func seriesOf(in *state.Calendar, cal calendar, series *event.Event) event.Series {
	of := event.Series{Event: series, Zone: cal.zone()}
	for _, x := range in.Exceptions(series.ID) {
		if x.Kept == nil {
			of.Exceptions = append(of.Exceptions, x.Event)
		}
	}
	return of
}

// unstored yields the instances of a series in a window that are neither stored nor replaced by an exception.
func unstored(in *state.Calendar, series event.Series, w event.Window) iter.Seq2[*event.Event, error] {
	return func(yield func(*event.Event, error) bool) {
		for e, err := range series.Instances(w) {
			if err == nil && in.Get(e.ID) != nil {
				continue
			}
			if !yield(e.Event, err) {
				return
			}
		}
	}
}

// rest returns the window of the series' instances that are not on earlier pages, or false if there are no such instances.
func (f *finder) rest(series *state.Entry) (w event.Window, ok bool) {
	w = f.expanding(series.Event)
	if !f.isLater {
		return w, true
	}
	after := f.after.After
	if f.place(series, series.Event, math.MaxInt64).compare(after) < 0 {
		return w, false
	}
	if f.place(series, series.Event, math.MinInt64).compare(after) > 0 {
		return w, true
	}
	from := widened(series.Event, event.Window{From: time.Unix(f.startIn(after), 0)}).From
	if from.After(w.From) {
		w.From, w.Overlap = from, false
	}
	return w, true
}

// maxExpanded is the maximum number of instances that a request may expand if it requires all instances.
const maxExpanded = 100_000

// fails reports whether an expansion ended with an error. If the expansion took too long, fails records the refusal.
func (f *finder) fails(series *event.Event, err error) bool {
	if refusal := tooLong(series, err); refusal != nil && f.err == nil {
		f.err = refusal
	}
	return err != nil
}

// tooLong returns a refusal if the expansion of a series took too long, and nil after other errors, because an event that is
// not a series has no instances. The whole request is refused, because instances would be missing from a response.
func tooLong(series *event.Event, err error) error {
	over, ok := errors.AsType[*recurrence.BudgetError](err)
	if !ok {
		return nil
	}
	return refused(http.StatusInternalServerError, "backendError", "The expansion of the series %s takes too long: %v.", series.ID, over)
}

// add adds an item, unless it is on an earlier page. Only a little more than a page of items is kept. If the item comes
// after all kept items, add returns false.
func (f *finder) add(i item) bool {
	if f.isLater && i.compare(f.after.After) <= 0 {
		return true
	}
	if f.last != nil && i.compare(*f.last) > 0 {
		return false
	}
	if f.items = append(f.items, i); len(f.items) > 2*f.limit+1 {
		slices.SortFunc(f.items, item.compareItem)
		clear(f.items[f.limit+1:])
		f.items = f.items[:f.limit+1]
		f.last = &f.items[f.limit].key
	}
	return true
}

// keyOf returns the key that orders an event in the list.
func (f *finder) keyOf(entry *state.Entry, e *event.Event) key {
	return f.place(entry, e, f.start(e))
}

// place returns the key of an event with the given start.
func (f *finder) place(entry *state.Entry, e *event.Event, start int64) key {
	switch {
	case f.isSync:
		return key{int64(entry.Revision), int64(entry.Number), start, e.ID}
	case f.isByStart():
		return key{start, int64(entry.Number), 0, e.ID}
	case f.order == "updated":
		at, _ := time.Parse(time.RFC3339Nano, e.Updated)
		return key{at.UnixNano(), int64(entry.Number), start, e.ID}
	case f.single:
		return key{int64(entry.Number), start, 0, e.ID}
	default:
		return key{int64(entry.Number), 0, 0, e.ID}
	}
}

func (f *finder) isByStart() bool {
	return f.order == "startTime" || f.call.Operation.ID == operation.EventsInstances
}

// startIn returns the start of an instance from its key.
func (f *finder) startIn(k key) int64 {
	switch {
	case f.isByStart():
		return k.Major
	case f.order == "updated":
		return k.Least
	default:
		return k.Minor
	}
}

// start returns the start of an event or, if the event has no start, the original start, in seconds.
func (f *finder) start(e *event.Event) int64 {
	if at := f.startTime(e); !at.IsZero() {
		return at.Unix()
	}
	return 0
}

func (f *finder) startTime(e *event.Event) time.Time {
	t := e.Start
	if t == nil {
		t = orZero(e.OriginalStartTime)
	}
	at, _ := t.Instant(f.cal.zone()) // zero if invalid
	return at
}

// selects reports whether an event belongs to the list.
func (f *finder) selects(e *event.Event) bool { return f.matches(e) && f.isInWindow(e) }

// matches reports whether an event belongs to the list, regardless of the window.
func (f *finder) matches(e *event.Event) bool {
	e = f.call.seen(e)
	return f.isVisible(e) && f.isRecent(e) && (f.uid == "" || f.uid == e.ICalUID) && f.hasType(e) && f.hasTerms(e) && f.hasProperties(e)
}

// isVisible reports whether the list includes events with the status of e. In the google dialect, a full list also includes
// cancelled instances, unless singleEvents is set.
func (f *finder) isVisible(e *event.Event) bool {
	if f.visible.Lists(e.Status) {
		return true
	}
	if f.call.dialect != diag.Google || f.server.documents || f.single || f.call.Operation.ID != operation.EventsList {
		return false
	}
	series := f.in.Get(e.RecurringEventID)
	return series != nil && series.Event.Status != cancelled && len(series.Event.Recurrence) > 0
}

// isInWindow reports whether an event takes place in the window. A cancelled event may lack times.
func (f *finder) isInWindow(e *event.Event) bool {
	w := f.bounds(e)
	if w.From.IsZero() && w.To.IsZero() {
		return true
	}
	if e.Start == nil {
		e = &event.Event{Start: e.OriginalStartTime, End: e.OriginalStartTime}
	}
	return w.Has(e, f.cal.zone())
}

// isOriginal reports whether an instance has the original start in the query, if the query specifies an original start.
func (f *finder) isOriginal(e *event.Event) bool {
	if f.original == nil {
		return true
	}
	start := orZero(e.OriginalStartTime)
	at, err := start.Instant(nil)
	want, _ := f.original.Instant(nil) // valid, because readOriginal checked it
	return err == nil && at.Equal(want) && start.Date == f.original.Date
}

// bounds returns the window that applies to an event. For an instance, the window ends at the horizon.
func (f *finder) bounds(e *event.Event) event.Window {
	w := f.window
	if e.RecurringEventID != "" && (f.single || f.call.Operation.ID == operation.EventsInstances) {
		w.To = f.horizon
	}
	return w
}

func (f *finder) isRecent(e *event.Event) bool {
	if f.updatedMin.IsZero() {
		return true
	}
	at, err := time.Parse(time.RFC3339Nano, e.Updated)
	return err == nil && !at.Before(f.updatedMin)
}

// hasType reports whether an event has one of the types in the query. A synchronization may also select types, since the
// type of an event never changes.
func (f *finder) hasType(e *event.Event) bool {
	return f.types == nil || slices.Contains(f.types, e.WithDefaults().EventType)
}

// hasTerms reports whether the text members of an event contain all words in the query, ignoring case.
func (f *finder) hasTerms(e *event.Event) bool {
	if len(f.terms) == 0 {
		return true
	}
	texts := []string{e.Summary, e.Description, e.Location}
	for _, p := range []*event.Person{e.Creator, e.Organizer} {
		if p != nil {
			texts = append(texts, p.Email, p.DisplayName)
		}
	}
	for i := range e.Attendees {
		texts = append(texts, e.Attendees[i].Email, e.Attendees[i].DisplayName)
	}
	all := strings.ToLower(strings.Join(texts, "\n"))
	return !slices.ContainsFunc(f.terms, func(term string) bool { return !strings.Contains(all, term) })
}

// hasProperties reports whether an event has all extended properties in the query.
func (f *finder) hasProperties(e *event.Event) bool {
	var x event.ExtendedProperties
	if e.ExtendedProperties != nil {
		x = *e.ExtendedProperties
	}
	has := func(in map[string]string, want [][2]string) bool {
		return !slices.ContainsFunc(want, func(p [2]string) bool {
			value, ok := in[p[0]]
			return !ok || value != p[1]
		})
	}
	return has(x.Private, f.private) && has(x.Shared, f.shared)
}

// changed adds the items that a synchronization returns for an entry: the items that the client does not have yet.
func (f *finder) changed(entry *state.Entry) {
	e := face(entry)
	if !f.hasType(e) {
		return
	}
	isSeries := len(e.Recurrence) > 0
	isChanged := entry.Revision > f.token.Since
	switch {
	case f.single && isChanged && (isSeries || len(entry.Past) > 0):
		f.changedInstances(entry)
	case f.single && isSeries:
		f.laterInstances(entry)
	}
	if f.single && isChanged {
		f.replaced(e)
	}
	if (!f.single || !isSeries) && (isChanged || f.isLaterInstance(e)) {
		f.add(item{f.keyOf(entry, e), f.orCancelled(e), entry})
	}
}

// replaced adds, as cancelled, the instance that an imported exception with a different id replaces.
func (f *finder) replaced(x *event.Event) {
	series := f.in.Get(x.RecurringEventID)
	if series == nil {
		return
	}
	if i, err := (event.Series{Event: series.Event, Zone: f.cal.zone()}).At(x.OriginalStartTime); err == nil && i != nil && f.in.Get(i.ID) == nil {
		f.addGone(series, i)
	}
}

// addGone adds an instance that no longer exists, as cancelled.
func (f *finder) addGone(series *state.Entry, i *event.Event) {
	if f.seen[i.ID] {
		return
	}
	f.seen[i.ID] = true
	gone := &event.Event{ETag: etag(series.Revision), ID: i.ID, Status: cancelled, RecurringEventID: i.RecurringEventID, OriginalStartTime: i.OriginalStartTime}
	f.add(item{f.keyOf(series, gone), gone, series})
}

// laterInstances adds the instances of an unchanged series that start after the client's list ended. A list without timeMax
// grows as time passes.
func (f *finder) laterInstances(series *state.Entry) {
	if series.Event.Status == cancelled || !f.grows() {
		return
	}
	w := f.expanding(series.Event)
	w.From = widened(series.Event, event.Window{From: *f.token.To}).From
	for e, err := range unstored(f.in, seriesOf(f.in, f.cal, series.Event), w) {
		if f.fails(series.Event, err) {
			return
		}
		if f.isLaterInstance(e) && f.isInWindow(e) {
			f.add(item{f.keyOf(series, e), e, series})
		}
	}
}

// grows reports whether the client's list ended before the horizon of this request.
func (f *finder) grows() bool { return f.token.To != nil && f.token.To.Before(f.horizon) }

// isLaterInstance reports whether an event is an instance that starts after the client's list ended.
func (f *finder) isLaterInstance(e *event.Event) bool {
	return f.single && f.grows() && e.RecurringEventID != "" && !f.startTime(e).Before(*f.token.To)
}

// orCancelled returns an event or, if the event is outside the window, a cancelled copy.
func (f *finder) orCancelled(e *event.Event) *event.Event {
	if e.Status == cancelled || f.isInWindow(e) {
		return e
	}
	e = e.Clone()
	e.Status = cancelled
	return e
}

// changedInstances adds the instances of a changed series and, as cancelled, the instances that the series no longer has.
func (f *finder) changedInstances(e *state.Entry) {
	if e.Forgotten > f.token.Since {
		f.err = tooOld()
		return
	}
	if e.Event.Status != cancelled {
		f.expandChanged(e, seriesOf(f.in, f.cal, e.Event), func(i *event.Event) {
			f.seen[i.ID] = true
			f.add(item{f.keyOf(e, i), f.orCancelled(i), e})
		})
	}
	for _, p := range e.Past {
		switch {
		case p.Until <= f.token.Since:
		case len(p.Event.Recurrence) > 0:
			f.expandChanged(e, event.Series{Event: p.Event, Zone: f.cal.zone()}, func(i *event.Event) { f.addGone(e, i) })
		case len(e.Event.Recurrence) > 0:
			f.addGone(e, &event.Event{ID: e.Event.ID}) // the series was once a single event
		}
	}
}

// expandChanged calls add with the instances of a changed series, except stored instances, which are separate items.
func (f *finder) expandChanged(e *state.Entry, series event.Series, add func(*event.Event)) {
	for i, err := range unstored(f.in, series, f.expanding(series.Event)) {
		if f.fails(e.Event, err) {
			return
		}
		if f.expanded++; f.expanded > maxExpanded {
			f.err = tooOld() // a full synchronization expands only one page at a time
			return
		}
		add(i)
	}
}
