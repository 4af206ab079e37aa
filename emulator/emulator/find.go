package emulator

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// The values of members that the emulator itself writes.
const (
	cancelled = "cancelled"      // a status
	eventKind = "calendar#event" // the kind of an event
)

// finder finds the events of a list.
type finder struct {
	server *Server
	call   *call
	cal    calendar
	in     *state.Calendar
	now    state.Revision // up to which changes are in the list

	revision state.Revision // from which the entity tag is made
	err      error          // from the first series whose expansion takes too long

	token   syncToken
	isSync  bool
	after   pageToken
	isLater bool // the page is not the first one
	limit   int

	single     bool
	order      string
	window     event.Window
	horizon    time.Time // the end of expansions
	updatedMin time.Time
	terms      []string
	private    [][2]string
	shared     [][2]string
	types      []string
	uid        string
	visible    status.Query
	showParams operation.Params // those with which the library shows an event
}

// readQuery reads the parameters, which the library has checked as far as it knows them.
func (f *finder) readQuery() error {
	c := f.call
	flags := c.Request.Params.Flags()
	f.single = c.query("singleEvents") == "true"
	f.order = c.query("orderBy")
	f.terms = strings.Fields(strings.ToLower(c.query("q")))
	f.types = c.Request.Params["eventTypes"]
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
		if value := c.query(name); value != "" {
			at, err := (&event.Time{DateTime: value}).Instant(nil)
			if err != nil {
				return badParam(name, value, "an RFC 3339 timestamp with an offset")
			}
			*into = at
		}
	}
	f.setWindow()
	return nil
}

// setWindow sets the window. A synchronization has the window of the list that it continues, and expansions
// end where they did on the first page.
func (f *finder) setWindow() {
	f.window.Overlap, f.window.Cancelled = true, f.visible.ShowDeleted || f.isSync
	if f.isSync {
		f.single = f.token.Single
		f.window.From, f.window.To = instant(f.token.From), time.Time{}
		f.horizon = instant(f.token.To)
		if f.token.IsMax {
			f.window.To = f.horizon
		}
		return
	}
	switch {
	case f.isLater:
		f.horizon = instant(f.after.To)
	case !f.window.To.IsZero():
		f.horizon = f.window.To
	default:
		f.horizon = f.call.now.Add(f.server.horizon)
	}
}

func instant(unix int64) time.Time {
	if unix == 0 {
		return time.Time{}
	}
	return time.Unix(unix, 0).UTC()
}

// until returns the end of the list for a token, or 0 if it has none.
func (f *finder) until() int64 {
	if f.single || f.isSync || f.call.Operation.ID == operation.EventsInstances {
		return unix(f.horizon)
	}
	return unix(f.window.To)
}

// expanding returns the window in which a series is expanded.
func (f *finder) expanding(series *event.Event) event.Window {
	w := f.window
	w.To = f.horizon
	return widened(series, w)
}

// widened returns the window in which to look for the instances of a series. It is a day longer at both ends for
// an all-day series, because the expansion does not know the zone of its days.
func widened(series *event.Event, w event.Window) event.Window {
	if orZero(series.Start).Date == "" {
		return w
	}
	const day = 24 * time.Hour
	if !w.From.IsZero() {
		w.From = w.From.Add(-day)
	}
	if !w.To.IsZero() {
		w.To = w.To.Add(day)
	}
	return w
}

// canSync reports whether a synchronization can follow a list. The service does not allow it with parameters
// that select events by content.
func (f *finder) canSync() bool {
	return f.order == "" && f.uid == "" && len(f.terms)+len(f.private)+len(f.shared) == 0 && f.updatedMin.IsZero() &&
		f.call.Operation.ID == operation.EventsList
}

// revisionOf returns the last change of what a list of a calendar shows: the events, the calendar itself, and
// the role of the caller.
func revisionOf(v *state.View, calendarID string) state.Revision {
	cal, _ := v.Get(state.Calendars, "", calendarID)
	last := max(v.Calendar(calendarID).Revision(), cal.Revision, v.Removed(state.ACL, calendarID))
	for _, rule := range v.All(state.ACL, calendarID) {
		last = max(last, rule.Revision)
	}
	return last
}

// pairs reads values of the form name=value.
func pairs(values []string) (list [][2]string) {
	for _, v := range values {
		name, value, _ := strings.Cut(v, "=")
		list = append(list, [2]string{name, value})
	}
	return list
}

// all returns the events of events.list.
func (f *finder) all() []item {
	if !f.isSync && !f.single && f.order == "" {
		return f.inOrder()
	}
	var items []item
	for e := range f.in.All() {
		switch {
		case f.isSync:
			items = append(items, f.changed(e)...)
		case !f.single:
			items = f.add(items, e, e.Event)
		case len(e.Event.Recurrence) > 0:
			items = append(items, f.instances(e)...)
		case f.isOfSeries(e):
			// The series yields it.
		default:
			items = f.add(items, e, e.Event)
		}
	}
	return items
}

// inOrder returns the events of a page in the order of creation, and the next event if there is one. It does not
// go through the whole calendar for each page.
func (f *finder) inOrder() (items []item) {
	for e := range f.in.From(state.Revision(f.after.After.Major)) {
		if k := f.keyOf(e, e.Event); f.isLater && k.compare(f.after.After) <= 0 {
			continue
		}
		if items = f.add(items, e, e.Event); len(items) > f.limit {
			break
		}
	}
	return items
}

// isOfSeries reports whether an event is an instance of a stored series.
func (f *finder) isOfSeries(e *state.Entry) bool {
	series := f.in.Get(e.Event.RecurringEventID)
	return series != nil && len(series.Event.Recurrence) > 0
}

// instances returns the instances of a series that belong to the list.
func (f *finder) instances(series *state.Entry) (items []item) {
	if series == nil {
		return nil
	}
	for e, err := range event.Instances(series.Event, state.Events(f.in.Exceptions(series.Event.ID)), f.expanding(series.Event)) {
		if f.fails(series.Event, err) {
			return items
		}
		items = f.add(items, series, e)
	}
	return items
}

// fails reports whether an expansion ended with an error. One that takes too long fails the whole list, which would
// lack instances without a word. An event that is no series has none.
func (f *finder) fails(series *event.Event, err error) bool {
	if over, ok := errors.AsType[*recurrence.BudgetError](err); ok && f.err == nil {
		f.err = refused(http.StatusInternalServerError, "backendError", "The expansion of the series %s takes too long: %v.", series.ID, over)
	}
	return err != nil
}

// add adds an event if it belongs to the list.
func (f *finder) add(items []item, entry *state.Entry, e *event.Event) []item {
	if !f.selects(e) {
		return items
	}
	return append(items, item{f.keyOf(entry, e), e, entry})
}

// keyOf returns the place of an event in the list.
func (f *finder) keyOf(entry *state.Entry, e *event.Event) key {
	switch {
	case f.isSync:
		return key{int64(entry.Revision), int64(entry.Number), f.start(e), e.ID}
	case f.order == "startTime", f.call.Operation.ID == operation.EventsInstances:
		return key{f.start(e), int64(entry.Number), 0, e.ID}
	case f.order == "updated":
		at, _ := time.Parse(time.RFC3339Nano, e.Updated)
		return key{at.UnixNano(), int64(entry.Number), f.start(e), e.ID}
	case f.single:
		return key{int64(entry.Number), f.start(e), 0, e.ID}
	default:
		return key{int64(entry.Number), 0, 0, e.ID}
	}
}

// start returns the start of an event, or the original start if it has no other.
func (f *finder) start(e *event.Event) int64 {
	t := e.Start
	if t == nil {
		t = orZero(e.OriginalStartTime)
	}
	at, err := t.Instant(f.cal.zone())
	if err != nil {
		return 0
	}
	return at.Unix()
}

// selects reports whether an event belongs to the list.
func (f *finder) selects(e *event.Event) bool {
	return status.Listed(e.Status, f.visible) && f.isInWindow(e) && f.isRecent(e) &&
		(f.uid == "" || f.uid == e.ICalUID) &&
		f.hasType(e) &&
		f.hasTerms(e) && f.hasProperties(e)
}

// isInWindow reports whether an event takes place in the window. A cancelled one may have no times.
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

// bounds returns the window for an event. For an instance, it ends where expansions do.
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

// hasType reports whether an event has one of the types of the query. A synchronization may select them too: the
// type of an event does not change.
func (f *finder) hasType(e *event.Event) bool {
	return f.types == nil || slices.Contains(f.types, e.WithDefaults().EventType)
}

// hasTerms reports whether the texts of an event contain all words of the query, in any case.
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

// hasProperties reports whether an event has all extended properties of the query.
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

// changed returns the items of a synchronization for an entry.
func (f *finder) changed(e *state.Entry) []item {
	if e.Revision <= f.token.Since || !f.hasType(e.Event) {
		return nil
	}
	if f.single && len(e.Event.Recurrence) > 0 {
		return f.changedInstances(e)
	}
	if f.single && e.Dropped && f.isInstanceAgain(e) {
		return nil
	}
	return []item{{f.keyOf(e, e.Event), f.orCancelled(e.Event), e}}
}

// isInstanceAgain reports whether a dropped exception is an instance of its series again.
func (f *finder) isInstanceAgain(e *state.Entry) bool { return find(f.in, e.Event.ID).entry == nil }

// orCancelled returns an event or, if it is outside the window or the expansion, a cancelled copy.
func (f *finder) orCancelled(e *event.Event) *event.Event {
	if e.Status == cancelled || f.isInWindow(e) {
		return e
	}
	e = e.Clone()
	e.Status = cancelled
	return e
}

// changedInstances returns the instances of a changed series, and as cancelled ones those that it no longer has.
func (f *finder) changedInstances(e *state.Entry) (items []item) {
	seen := map[string]bool{}
	exceptions := state.Events(f.in.Exceptions(e.Event.ID))
	if e.Event.Status != cancelled {
		for i, err := range event.Instances(e.Event, exceptions, f.expanding(e.Event)) {
			if f.fails(e.Event, err) {
				break
			}
			seen[i.ID] = true
			items = append(items, item{f.keyOf(e, i), f.orCancelled(i), e})
		}
	}
	for _, p := range e.Past {
		if p.Until <= f.token.Since {
			continue
		}
		for i, err := range event.Instances(p.Event, nil, f.expanding(p.Event)) {
			if f.fails(e.Event, err) {
				break
			}
			if seen[i.ID] || slices.ContainsFunc(exceptions, func(x *event.Event) bool { return x.ID == i.ID }) {
				continue
			}
			seen[i.ID] = true
			gone := &event.Event{Kind: eventKind, ID: i.ID, Status: cancelled, RecurringEventID: e.Event.ID, OriginalStartTime: i.OriginalStartTime}
			items = append(items, item{f.keyOf(e, gone), gone, e})
		}
	}
	return items
}
