package emulator

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// found is the event to which a request refers. The zero value means that the event does not exist.
type found struct {
	entry  *state.Entry // nil if the event is an instance that is not stored separately
	event  *event.Event
	series *event.Event // the series of an instance
}

// find returns the event with the given id: a stored event, or an instance of a series.
func find(v *state.View, calendarID, id string) found {
	in := v.Calendar(calendarID)
	entry := in.Get(id)
	if entry == nil {
		return findInstance(in, calendarIn(v, calendarID), id)
	}
	f := found{entry: entry, event: entry.Event}
	if series := in.Get(f.event.RecurringEventID); series != nil {
		f.series = series.Event
	}
	return f
}

// findInstance returns an instance that is not stored separately from its series.
func findInstance(in *state.Calendar, cal calendar, id string) found {
	at := strings.LastIndexByte(id, '_')
	if at < 0 {
		return found{}
	}
	series := in.Get(id[:at])
	if series == nil || len(series.Event.Recurrence) == 0 {
		return found{}
	}
	e, err := seriesOf(in, cal, series.Event).ByID(id)
	if err != nil || e == nil {
		return found{} // the expansion takes too long
	}
	return found{event: e, series: series.Event}
}

// getEvent handles events.get.
func (s *Server) getEvent(c *call) (reply, error) {
	v := s.state.View()
	cal, err := s.open(v, c, reader)
	if err != nil {
		return reply{}, err
	}
	f := find(v, cal.id, c.Params["eventId"])
	s.tell(v, c, cal, f)
	if err := c.Check(&s.checker, f.stored); err != nil {
		return reply{}, err
	}
	if f.entry != nil && f.entry.Kept != nil {
		return c.eventReply(withoutSeries(c.Result.Answer)), nil
	}
	return c.eventReply(c.Result.Answer), nil
}

// tell adds the facts about the calendar, the series and the caller to a request.
func (s *Server) tell(v *state.View, c *call, cal calendar, f found) {
	in := v.Calendar(cal.id)
	primary := cal.id == c.token.Email
	c.Request.Calendar = &operation.Calendar{
		Primary: &primary, Status: "active", TimeZone: cal.zone().String(), Labels: cal.labels(),
		IDs: operation.IDFunc(func(id string) bool { return in.Get(id) != nil || len(in.Exceptions(id)) > 0 }), // exceptions use ids of series too
	}
	c.Request.Series = f.series
	if f.event != nil && f.event.Creator != nil && f.event.Creator.Email != "" {
		isCreator := limits.SameAddress(f.event.Creator.Email, c.token.Email)
		c.Request.Caller.Creator = &isCreator
	}
}

// eventReply returns a reply with an event.
func (c *call) eventReply(e *event.Event) reply {
	return reply{etag: e.ETag, body: c.text(e)}
}

// seen returns an event as the caller sees it. A private event is shown without details unless the caller created the event or
// is a writer.
func (c *call) seen(e *event.Event) *event.Event {
	isPrivate := e.Visibility == "private" || e.Visibility == "confidential"
	if !isPrivate || c.role >= writer || e.Creator != nil && limits.SameAddress(e.Creator.Email, c.token.Email) {
		return e
	}
	return &event.Event{
		Kind: e.Kind, ETag: e.ETag, ID: e.ID, Status: e.Status, HTMLLink: e.HTMLLink, Created: e.Created, Updated: e.Updated, Start: e.Start, End: e.End,
		Recurrence: e.Recurrence, RecurringEventID: e.RecurringEventID, OriginalStartTime: e.OriginalStartTime, Transparency: e.Transparency,
		Visibility: e.Visibility, ICalUID: e.ICalUID, Sequence: e.Sequence, EventType: e.EventType,
	}
}

// text returns an event as JSON, including the kind, which cancelled events and events stored by tests may lack.
func (c *call) text(e *event.Event) []byte {
	e = c.inZone(c.seen(e))
	if e.Kind == "" {
		e = e.Clone()
		e.Kind = eventKind
	}
	return e.AppendIn(c.dialect, nil)
}

// writeEvent handles the operations that change an event.
func (s *Server) writeEvent(c *call) (answer reply, err error) {
	err = s.change(func(tx *state.Tx) error {
		cal, err := s.open(tx.View, c, eventWriter)
		if err != nil {
			return err
		}
		f := find(tx.View, cal.id, c.Params["eventId"])
		s.tell(tx.View, c, cal, f)
		if err := c.Check(&s.checker, f.stored); err != nil {
			return err
		}
		switch c.Operation.ID {
		case operation.EventsInsert:
			s.create(tx, c, cal)
			s.spread(tx, c, cal.id, edit{nil, c.Result.Stored})
		case operation.EventsImport:
			err = s.importEvent(tx, c, cal)
		case operation.EventsMove:
			err = s.move(tx, c, cal, f)
		case operation.EventsPatch:
			if c.Result.Stored.Equal(*f.event) {
				return nil // nothing to store, so the entity tag does not change
			}
			s.spread(tx, c, cal.id, s.replace(tx, c, cal, f)...)
		default:
			s.spread(tx, c, cal.id, s.replace(tx, c, cal, f)...)
		}
		return err
	})
	if err != nil {
		return reply{}, err
	}
	s.finishConference(c)
	if c.Operation.ID == operation.EventsDelete {
		return reply{}, nil
	}
	return c.eventReply(c.Result.Answer), nil
}

// stamp sets the members of the written event that the library leaves to the server.
func (s *Server) stamp(tx *state.Tx, c *call, cal calendar, stored *event.Event) {
	setVideoLink(&c.Result, stored)
	id := c.Result.Stored.ID
	event.ServerFields{
		Now: c.now, ETag: etag(tx.Next()), Creator: event.Person{Email: c.token.Email}, Owner: cal.owner(),
		HTMLLink: link(c, id, cal.id), ICalUID: id + "@" + uidHost,
	}.Set(&c.Result, stored)
	if c.dialect == diag.Google {
		cal.giveZone(c.Result.Stored)
	}
}

// link returns the address of an event's page.
func link(c *call, id, calendarID string) string {
	return address(c.http) + eventPage + "?eid=" + eid(id, calendarID)
}

// uidHost is the part after the @ in the iCalUID of a new event.
const uidHost = "calendar.example"

// address returns the address of the server as the client sees it. For the public hosts, the scheme is always https, with the
// default port, since a proxy may have terminated TLS.
func address(r *http.Request) string {
	if host := (&url.URL{Host: r.Host}).Hostname(); strings.HasSuffix(host, ".googleapis.com") {
		return "https://" + host
	}
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func etag(r state.Revision) string { return fmt.Sprintf(`"%d"`, r) }

// create stores a new event.
func (s *Server) create(tx *state.Tx, c *call, cal calendar) {
	s.stamp(tx, c, cal, nil)
	s.write(tx, c, cal.id, nil, c.Result.Stored)
}

// importEvent stores an imported event, which replaces any event with the same iCalUID.
func (s *Server) importEvent(tx *state.Tx, c *call, cal calendar) error {
	next := c.Result.Stored
	for _, was := range tx.Calendar(cal.id).WithUID(next.ICalUID) {
		if was.Event.RecurringEventID != next.RecurringEventID || next.RecurringEventID != "" && !sameTime(was.Event.OriginalStartTime, next.OriginalStartTime) {
			continue
		}
		for _, e := range []*event.Event{next, c.Result.Answer} {
			e.ID, e.Created, e.HTMLLink, e.Creator = was.Event.ID, was.Event.Created, was.Event.HTMLLink, was.Event.Creator
		}
		s.replace(tx, c, cal, found{entry: was, event: was.Event})
		return nil
	}
	s.create(tx, c, cal)
	return nil
}

// giveZone sets the time zone of times without a zone to the calendar's zone, as in responses. Times without a zone were sent
// with an offset.
func (cal calendar) giveZone(e *event.Event) {
	for _, t := range []**event.Time{&e.Start, &e.End} {
		if *t != nil && (*t).DateTime != "" && (*t).TimeZone == "" {
			*t = new(**t) // copied, because events share the time
			(*t).TimeZone = cal.zone().String()
		}
	}
}

func sameTime(a, b *event.Time) bool {
	return a != nil && b != nil && a.Equal(*b)
}

// succeed returns an entry for next, which replaces was. The was argument is nil for a new event.
func succeed(tx *state.Tx, was *state.Entry, next *event.Event) state.Entry {
	e := state.Entry{Event: next}
	if was == nil {
		return e
	}
	e.Number, e.Past, e.Forgotten = was.Number, was.Past, was.Forgotten
	if next.Status == cancelled {
		e.Kept = was.Kept
	}
	hadNone := was.Event.Status == cancelled && len(was.Event.Recurrence) > 0
	if !hadNone && changesInstances(was.Event, next) {
		e.Remember(skeleton(was.Event), tx.Next())
	}
	return e
}

// edit is an event before and after a change. The was field is nil for a new event.
type edit struct{ was, next *event.Event }

// replace stores the changed event, and returns all changes to the calendar, starting with that event.
func (s *Server) replace(tx *state.Tx, c *call, cal calendar, f found) []edit {
	s.stamp(tx, c, cal, f.event)
	edits := s.write(tx, c, cal.id, f.entry, c.Result.Stored)
	edits[0].was = f.event // write knows only stored events
	return edits
}

// write stores an event, updates the exceptions of a series, and returns all changes to the calendar, starting with the event.
func (s *Server) write(tx *state.Tx, c *call, calendarID string, entry *state.Entry, next *event.Event) []edit {
	var was *event.Event
	if entry != nil {
		was = entry.Event
	}
	e := succeed(tx, entry, next)
	if series := tx.Calendar(calendarID).Get(next.RecurringEventID); entry == nil && next.Status == cancelled && series != nil && hasEnded(series.Event) {
		e.Kept = next.Clone() // the event itself is not cancelled
		e.Kept.Status = "confirmed"
	}
	tx.PutEvent(calendarID, e)
	edits := append([]edit{{was, next}}, s.keepExceptions(tx, c, calendarID, was, next)...)
	return append(edits, s.replaceException(tx, c, calendarID, next)...)
}

// changesInstances reports whether a change may add or remove instances, because the event is or becomes a series.
func changesInstances(stored, next *event.Event) bool {
	return len(stored.Recurrence)+len(next.Recurrence) > 0 &&
		(stored.Status != next.Status || !slices.Equal(stored.Recurrence, next.Recurrence) ||
			!orZero(stored.Start).Equal(*orZero(next.Start)) || !orZero(stored.End).Equal(*orZero(next.End)))
}

func orZero(t *event.Time) *event.Time {
	if t == nil {
		return new(event.Time)
	}
	return t
}

// skeleton returns a copy of an event with only the members that determine its instances.
func skeleton(e *event.Event) *event.Event {
	e = e.Clone()
	return &event.Event{ID: e.ID, Status: e.Status, Start: e.Start, End: e.End, Recurrence: e.Recurrence}
}

// keepExceptions cancels the exceptions that no longer replace an instance of a changed series, and restores the exceptions
// that again replace an instance. If an ended series is restored, all of its exceptions are considered changed, because clients
// have forgotten the exceptions.
func (s *Server) keepExceptions(tx *state.Tx, c *call, calendarID string, was, series *event.Event) (edits []edit) {
	if was != nil && !changesInstances(was, series) {
		return nil
	}
	isBack := (was == nil || hasEnded(was)) && !hasEnded(series)
	all := tx.Calendar(calendarID).Exceptions(series.ID)
	of := event.Series{Event: series, Zone: calendarIn(tx.View, calendarID).zone()}
	stands := standing(of, all)
	of.Exceptions = slices.Collect(maps.Keys(stands))
	for _, x := range all {
		if isForgotten(x) {
			if i, err := of.ByID(x.Event.ID); err == nil && i != nil && !hasEnded(series) {
				s.keep(tx, c, calendarID, x, i, nil)
			}
			continue
		}
		switch is := stands[own(x)]; {
		case is && (x.Kept != nil || isBack):
			edits = append(edits, s.keep(tx, c, calendarID, x, own(x).Clone(), nil))
		case !is && x.Kept == nil:
			edits = append(edits, s.lose(tx, c, calendarID, x))
		}
	}
	return edits
}

// replaceException cancels exceptions that replace the same instance as next but have different ids, for example after an
// import or if the series was once all-day.
func (s *Server) replaceException(tx *state.Tx, c *call, calendarID string, next *event.Event) (edits []edit) {
	in := tx.Calendar(calendarID)
	series := in.Get(next.RecurringEventID)
	if series == nil || in.Get(next.ID).Kept != nil {
		return nil
	}
	of := event.Series{Event: series.Event, Zone: calendarIn(tx.View, calendarID).zone()}
	for _, x := range in.Exceptions(series.Event.ID) {
		if x.Kept != nil || x.Event.ID == next.ID || !areNear(x.Event, next) {
			continue
		}
		of.Exceptions = []*event.Event{x.Event, next}
		if both, err := of.Standing(); err == nil && len(both) == 1 {
			edits = append(edits, s.lose(tx, c, calendarID, x))
		}
	}
	return edits
}

// areNear reports whether two exceptions could replace the same instance, even if only one of them is all-day.
func areNear(a, b *event.Event) bool {
	at, err := orZero(a.OriginalStartTime).Instant(time.UTC)
	other, errOther := orZero(b.OriginalStartTime).Instant(time.UTC)
	return err != nil || errOther != nil || at.Sub(other).Abs() <= 2*day
}

// own returns an exception or, if its series no longer contains the instance, the earlier state of the exception.
func own(x *state.Entry) *event.Event { return cmp.Or(x.Kept, x.Event) }

// forgotten returns the value of Kept for an exception of an earlier series with the same id. Only the id of the exception is
// kept, which refers to the unchanged instance if the series has an instance with that id.
func forgotten(x *state.Entry) *event.Event { return &event.Event{ID: x.Event.ID} }

func isForgotten(x *state.Entry) bool { return x.Kept != nil && x.Kept.RecurringEventID == "" }

// lose cancels an exception that no longer replaces an instance of its series.
func (s *Server) lose(tx *state.Tx, c *call, calendarID string, x *state.Entry) edit {
	gone := x.Event.Clone()
	gone.Status = cancelled
	return s.keep(tx, c, calendarID, x, gone, x.Event)
}

// keep stores an exception whose series has changed.
func (s *Server) keep(tx *state.Tx, c *call, calendarID string, x *state.Entry, next, kept *event.Event) edit {
	s.touch(tx, c, calendarID, x.Event, next)
	tx.PutEvent(calendarID, state.Entry{Event: next, Number: x.Number, Kept: kept})
	return edit{x.Event, next}
}

func hasEnded(series *event.Event) bool {
	return series.Status == cancelled || len(series.Recurrence) == 0
}

// standing returns the set of exceptions that replace an instance of a series, at most one per instance.
func standing(series event.Series, all []*state.Entry) map[*event.Event]bool {
	if hasEnded(series.Event) {
		return nil
	}
	var of []*event.Event
	for _, x := range all {
		if !isForgotten(x) && hasInstance(series, own(x)) {
			of = append(of, own(x))
		}
	}
	series.Exceptions = of
	list, err := series.Standing()
	if err != nil {
		list = of // the expansion takes too long
	}
	stands := map[*event.Event]bool{}
	for _, e := range list {
		stands[e] = true
	}
	return stands
}

// hasInstance reports whether a series has the instance that an exception replaces. To determine the result, hasInstance counts
// the instances as if the exception were cancelled.
func hasInstance(series event.Series, x *event.Event) bool {
	at, ok := series.Place(x.OriginalStartTime)
	if !ok {
		return true // only tests store such exceptions
	}
	around := event.Window{From: at.Add(-day), To: at.Add(day + time.Second)} // the series times may have another form
	gone := x.Clone()
	gone.Status = cancelled
	all, err := series.Count(around, math.MaxInt)
	series.Exceptions = []*event.Event{gone}
	rest, _ := series.Count(around, math.MaxInt)
	return err != nil || rest < all
}

const day = 24 * time.Hour

// withoutSeries returns a copy of an exception that does not refer to its series.
func withoutSeries(e *event.Event) *event.Event {
	e = e.Clone()
	e.RecurringEventID, e.OriginalStartTime = "", nil
	return e
}

// touch sets the members of a changed event that only the server can set.
func (s *Server) touch(tx *state.Tx, c *call, calendarID string, was, next *event.Event) {
	event.ServerFields{
		Now: c.now, ETag: etag(tx.Next()), Owner: calendarIn(tx.View, calendarID).owner(),
		HTMLLink: link(c, next.ID, calendarID), ICalUID: next.ICalUID,
	}.Set(&event.Result{Stored: next}, was)
}

// move stores the event in the destination calendar. A copy with all details remains in the original calendar and can be
// restored. The library decides whether the copy is cancelled.
func (s *Server) move(tx *state.Tx, c *call, cal calendar, f found) error {
	id := c.query("destination")
	to, err := s.openCalendar(tx.View, c, id, eventWriter)
	was := tx.Calendar(to.id).Get(f.event.ID) // the copy that may remain from when the event was moved away
	switch {
	case err != nil:
		return err
	case to.id == cal.id:
		return refused(http.StatusBadRequest, "invalid", "The event is already in the destination calendar.")
	case was != nil && (was.Event.Status != cancelled || was.Event.ICalUID != f.event.ICalUID):
		return refused(http.StatusConflict, "duplicate", "The destination already has an event with the id %s.", f.event.ID)
	}
	remains := c.Result.Stored.Clone()
	if c.Result.CancelledCopy != nil {
		remains.Status = cancelled
	}
	moved := c.Result
	c.Result = event.Result{Stored: remains}
	exceptions := tx.Calendar(cal.id).Exceptions(f.event.ID)
	s.replace(tx, c, cal, f)
	c.Result = moved
	c.Result.Stored.HTMLLink = "" // the event gets a new page in the other calendar
	s.stamp(tx, c, to, f.event)
	s.write(tx, c, to.id, was, c.Result.Stored)
	s.tellGuests(tx, c, to.id, f.event, c.Result.Stored, cal.id)
	take := func(e *event.Event) *event.Event {
		taken := e.Clone()
		taken.Organizer, taken.HTMLLink = c.Result.Stored.Organizer, ""
		s.touch(tx, c, to.id, e, taken)
		return taken
	}
	for _, x := range exceptions {
		next := succeed(tx, tx.Calendar(to.id).Get(x.Event.ID), take(x.Event))
		if x.Kept != nil {
			next.Kept = take(x.Kept)
		}
		tx.PutEvent(to.id, next)
		s.tellGuests(tx, c, to.id, x.Event, next.Event, cal.id)
	}
	s.forgetExceptions(tx, c, to, exceptions)
	return nil
}

// forgetExceptions replaces exceptions in the destination calendar that belong to an earlier series with the id of the moved
// series. An exception becomes the instance of the moved series with the same id or, if there is no such instance, a deleted
// event.
func (s *Server) forgetExceptions(tx *state.Tx, c *call, to calendar, come []*state.Entry) {
	in := tx.Calendar(to.id)
	of := event.Series{Event: c.Result.Stored, Zone: to.zone()}
	for _, x := range come {
		if moved := in.Get(x.Event.ID); moved.Kept == nil {
			of.Exceptions = append(of.Exceptions, moved.Event)
		}
	}
	for _, x := range in.Exceptions(of.Event.ID) {
		if slices.ContainsFunc(come, func(e *state.Entry) bool { return e.Event.ID == x.Event.ID }) {
			continue
		}
		next, err := of.ByID(x.Event.ID)
		var kept *event.Event
		if err != nil || next == nil {
			next, kept = x.Event.Clone(), forgotten(x)
			next.Status = cancelled
		}
		s.keep(tx, c, to.id, x, next, kept)
	}
}

// quickAdd handles events.quickAdd. The documents do not specify how the text parameter is parsed, so its value becomes
// the summary of a one-hour event that starts at the next full hour.
func (s *Server) quickAdd(c *call) (reply, error) {
	text := c.query("text")
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	cal, err := s.open(s.state.View(), c, eventWriter)
	if err != nil {
		return reply{}, err
	}
	start := nextHour(c.now, cal.zone().String())
	insert, _ := operation.Lookup(operation.EventsInsert)
	match := operation.Match{Operation: insert, Params: c.Params}
	request := event.Request{Op: insert.ID, Dialect: c.dialect, Caller: c.Request.Caller, Event: &event.Event{
		Summary: text, Start: event.TimeAt(start), End: event.TimeAt(start.Add(oneHour)),
	}}
	inner := *c
	inner.Call = &eventhttp.Call{Match: match, Request: request}
	return s.writeEvent(&inner)
}
