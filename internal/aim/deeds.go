package aim

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/lazyregexp"
	"github.com/calrules/calrules/operation"
)

// deeds lists the possible steps in a random life, all equally likely. A deed that does not apply to the event does nothing.
var deeds = []func(l *life, t *draw.T){
	(*life).addEvent, (*life).importTwice,
	(*life).patchSome, (*life).patchSome, (*life).patchOne, (*life).patchOne, (*life).patchOne, (*life).updateSome, (*life).updateSome,
	(*life).changeInstance, (*life).changeInstance, (*life).cancelInstance, (*life).answerInvitation,
	(*life).changeStatus, (*life).restoreEvent, (*life).moveAway, (*life).removeEvent, (*life).refuseSome, (*life).divide1, (*life).lookAround, (*life).lookAround,
}

const deedsOfLife = 6

// ofDraws inserts random events, and performs some deeds on these events.
func (l *life) ofDraws(int) {
	t, begin := l.draws(), l.token
	for range 2 {
		l.addEvent(t)
	}
	if len(l.all) == 0 {
		return
	}
	for range deedsOfLife {
		l.choose(l.all[draw.Evenly(len(l.all)).Draw(t, "event")])
		deeds[draw.Evenly(len(deeds)).Draw(t, "deed")](l, t)
	}
	l.compareChanges(begin)
	l.compareSecond()
	for _, s := range l.all {
		l.compareBusy(s.event)
		if l.choose(s); !s.isGone {
			l.lookAround(t)
			l.removeEvent(t)
			return
		}
	}
}

// draws returns the source of the random decisions in a life.
func (l *life) draws() *draw.T { return draw.Seeded(l.Seed<<32 | uint64(l.number)) }

// choose selects the event that the next writes in the life will change.
func (l *life) choose(s *stored) {
	l.s = s
	s.others = nil
	for _, other := range l.all {
		if other != s {
			s.others = append(s.others, other.asOthers()...)
		}
	}
}

// asOthers returns the event and its exceptions, or nil if the event is deleted.
func (s *stored) asOthers() (all []*event.Event) {
	if s.isGone {
		return nil
	}
	return append([]*event.Event{s.event}, s.exceptions...)
}

func (l *life) add(e *event.Event) {
	if e == nil {
		return
	}
	s := &stored{event: e, isGone: e.Status == constraint.StatusCancelled}
	l.all = append(l.all, s)
	l.choose(s)
	l.readAll(e.ID)
}

func (l *life) addEvent(t *draw.T) {
	body := l.drawEvent(t)
	body["id"] = l.newID()
	if delete(body, "iCalUID"); draw.Seldom(t, "long id") {
		body["id"] = l.newID() + strings.Repeat("0", 200)
	} else if draw.Seldom(t, "uid") {
		delete(body, "id")
		body["iCalUID"] = l.newID() + "@example.com"
	}
	l.add(l.try(operation.EventsInsert, nil, body))
}

// drawEvent draws the body of a new event, usually at a time at which its instances can be compared.
func (l *life) drawEvent(t *draw.T) tree {
	e := gen.Event("").Draw(t, "event")
	body := l.drawnBody(e.AppendIn(l.Dialect, nil))
	delete(body, "status") // a cancelled event would not be listed
	if draw.Maybe(t, "tentative") {
		body["status"] = constraint.StatusTentative
	}
	if e.EventType != "" && e.EventType != constraint.TypeDefault || draw.Seldom(t, "any times") {
		return body
	}
	variant := draw.Int(t, "variant", 0, 9)
	from := l.series(variant)
	if body["start"], body["end"] = from["start"], from["end"]; draw.Maybe(t, "series") {
		body["recurrence"] = from["recurrence"]
	} else {
		delete(body, "recurrence")
	}
	if draw.Seldom(t, "plain") {
		maps.Copy(body, l.rich(variant))
	}
	return body
}

// drawnBody decodes a drawn body, and removes harmful parts and parts that a server cannot know.
func (l *life) drawnBody(text []byte) tree {
	body := decoded(reserved(fraction().ReplaceAll(text, []byte("$1")))) // an answer would not show fractions of a second
	(&story{}).known(body)
	delete(body, "attendeesOmitted") // the stored event would be unknown
	for _, name := range []string{"start", "end"} {
		switch t, isTime := body[name].(tree); {
		case t["dateTime"] != nil && t["timeZone"] == nil:
			t["timeZone"] = "UTC" // the server may or may not store the zone of the calendar
		case isTime && t["dateTime"] == nil && t["date"] == nil:
			delete(body, name) // a time that was sent without an offset may or may not move with its zone
		}
	}
	return body
}

var fraction = lazyregexp.New(`(?i)(T\d\d:\d\d:\d\d)\.\d+`)

// try sends a write if the rules accept the write and determine its effect, and returns the resulting stored event, or nil.
func (l *life) try(op operation.ID, was *event.Event, body tree) *event.Event {
	if body == nil {
		return nil
	}
	req := l.writing(op, was, body)
	if !l.accepts(&event.Request{Op: op, Dialect: l.Dialect, Params: req.Params, Existing: was, Series: req.Series, Body: req.Body}) {
		return nil
	}
	return l.write(op, was, body)
}

// store records the event that a write has stored, and checks all reads of the event.
func (l *life) store(was, is *event.Event) {
	if is == nil {
		return
	}
	l.compareStamps(was, is)
	l.s.event, l.s.isGone = is, is.Status == constraint.StatusCancelled
	if l.isSame(was, is) {
		l.stays()
		return
	}
	l.readAll(is.ID)
}

// isSame reports whether a write has changed nothing. A sync after a write without changes may or may not return the event.
func (l *life) isSame(was, is *event.Event) bool {
	patch, _ := was.PatchTo(is, l.Dialect)
	return string(patch) == "{}" || was.ETag == is.ETag && is.ETag != "" || isPending(was)
}

// patchSome sends a patch of random members.
func (l *life) patchSome(t *draw.T) {
	l.patch(l.drawnBody(gen.Patch(l.Dialect, l.s.event).Draw(t, "patch")))
}

// fixed returns the members of the current event that random changes leave alone. The rules do not determine the exceptions to
// a series after its times have changed.
func (l *life) fixed() []string {
	if len(l.s.exceptions) == 0 {
		return []string{"status"}
	}
	return []string{"status", "start", "end", "recurrence"}
}

// patch sends a patch to the current event.
func (l *life) patch(body tree) {
	if l.s.isGone {
		return
	}
	for _, name := range l.fixed() {
		delete(body, name)
	}
	l.store(l.s.event, l.try(operation.EventsPatch, l.s.event, body))
}

// patchOne sets, changes or removes one member.
func (l *life) patchOne(t *draw.T) { l.patch(l.drawOne(t)) }

// drawOne draws a body with one member that a patch can write. The member's value is null or comes from another event of the
// same type.
func (l *life) drawOne(t *draw.T) tree {
	kind := l.s.event.WithDefaults().EventType
	if !constraint.NewEventType.Has(kind) {
		return nil
	}
	for range 20 {
		from := l.drawnBody(gen.Event(kind).Draw(t, "event").AppendIn(l.Dialect, nil))
		is := treeOf(l.s.event, l.Dialect)
		f := draw.SampledFrom(patched()).Draw(t, "member")
		name := l.Dialect.Name(f.Path)
		switch {
		case is[name] != nil && draw.Maybe(t, "removed"):
			return tree{name: nil}
		case from[name] != nil:
			return tree{name: from[name]}
		}
	}
	return nil
}

// patched returns the patchable members of an event.
var patched = sync.OnceValue(func() []event.Field {
	return slices.DeleteFunc(event.Fields(), func(f event.Field) bool {
		return strings.Contains(f.Path, ".") || !f.Writable.Has(diag.Patch) || f.Path == "status"
	})
})

// updateSome replaces the event with a version that has random changes and lacks some members.
func (l *life) updateSome(t *draw.T) {
	if l.s.isGone {
		return
	}
	patch := l.drawOne(t)
	if draw.Bool(t) {
		patch = l.drawnBody(gen.Patch(l.Dialect, l.s.event).Draw(t, "patch"))
	}
	next, err := l.s.event.AfterPatch(draw.EncodeJSON(patch), l.Dialect)
	if err != nil {
		return
	}
	body, was := l.wholeOf(next), l.wholeOf(l.s.event)
	for _, name := range l.fixed() {
		if value, ok := was[name]; ok {
			body[name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(body)) {
		if !slices.Contains([]string{"start", "end", "status", "recurrence", "eventType"}, name) && draw.Seldom(t, "left out") {
			delete(body, name)
		}
	}
	l.store(l.s.event, l.try(operation.EventsUpdate, l.s.event, body))
}

// drawInstance draws an instance of the series, as stored by the server, or returns nil if the series has no instances.
func (l *life) drawInstance(t *draw.T) *event.Event {
	one, _, ok := l.drawExpected(t)
	if !ok {
		return nil
	}
	x := l.getInstance(one.Event)
	if x == nil {
		return nil
	}
	return x.event()
}

// except records that an instance of the series has become an exception.
func (l *life) except(e *event.Event) {
	others := slices.DeleteFunc(slices.Clone(l.s.exceptions), func(x *event.Event) bool { return x.ID == e.ID })
	l.s.exceptions = append(others, e)
	l.readAll(e.ID)
}

func (l *life) changeInstance(t *draw.T) {
	i := l.drawInstance(t)
	if i == nil {
		return
	}
	body := l.drawnBody(gen.Patch(l.Dialect, i).Draw(t, "patch"))
	if draw.Bool(t) {
		body = l.later(i)
	}
	delete(body, "status")
	op := operation.EventsPatch
	if draw.Seldom(t, "update") {
		next, err := i.AfterPatch(draw.EncodeJSON(body), l.Dialect)
		if err != nil {
			return
		}
		op, body = operation.EventsUpdate, l.wholeOf(next)
	}
	e := l.try(op, i, body)
	if e == nil {
		return
	}
	if slices.ContainsFunc(l.s.exceptions, func(x *event.Event) bool { return x.ID == i.ID }) {
		l.compareStamps(i, e)
	}
	if l.isSame(i, e) {
		l.stays()
		l.ended = true // the instance may or may not be an exception, so the effect of changing the series is unknown
		return
	}
	l.except(e)
}

// cancelInstance cancels one instance and usually restores it.
func (l *life) cancelInstance(t *draw.T) {
	i := l.drawInstance(t)
	if i == nil {
		return
	}
	if l.write(operation.EventsDelete, i, nil); l.isOver() {
		return
	}
	gone := &event.Event{ID: i.ID, RecurringEventID: i.RecurringEventID, OriginalStartTime: i.OriginalStartTime, Status: constraint.StatusCancelled}
	l.except(gone)
	l.compareSeries(t)
	if draw.Maybe(t, "restored") {
		if back := l.writeTo(operation.EventsPatch, gone, nil, l.restoring(i)); back != nil { // its other members are unknown
			l.except(back)
		}
	}
}

func (l *life) changeStatus(t *draw.T) {
	if l.s.isGone {
		return
	}
	status := draw.One(t, "status", constraint.StatusTentative, constraint.StatusConfirmed, constraint.StatusCancelled)
	l.store(l.s.event, l.try(operation.EventsPatch, l.s.event, tree{"status": status}))
}

// restoreEvent restores the event if it is deleted. A server may have kept only part of the event.
func (l *life) restoreEvent(*draw.T) {
	if l.isOver() || !l.s.isGone || len(l.s.exceptions) > 0 {
		return
	}
	x := l.reading(l.o, &event.Request{Op: operation.EventsGet, Existing: l.s.event})
	if x == nil || x.status != http.StatusOK {
		return
	}
	gone, body := x.event(), l.restoring(l.s.event)
	req := &event.Request{Op: operation.EventsPatch, Dialect: l.Dialect, Existing: gone, Body: draw.EncodeJSON(body)}
	if !l.accepts(req) {
		return
	}
	if back := l.writeTo(operation.EventsPatch, gone, nil, body); back != nil {
		l.s.event, l.s.isGone = back, back.Status == constraint.StatusCancelled
		l.readAll(back.ID)
	}
}

// answerInvitation responds to an invitation as the attendee who represents the calendar.
func (l *life) answerInvitation(t *draw.T) {
	e := l.s.event
	owner := addressOf(e.Organizer)
	if l.s.isGone || owner == "" || e.EventType != constraint.TypeDefault {
		return
	}
	if len(e.Attendees) == 0 {
		l.patch(tree{"attendees": []any{tree{"email": "ada@example.com", "comment": "Yes", "responseStatus": "accepted"}, tree{"email": owner}, tree{"email": "bob@example.com"}}})
	}
	if len(l.s.event.Attendees) == 0 {
		return
	}
	body := l.wholeOf(l.s.event)
	body["attendeesOmitted"] = true
	body["attendees"] = []any{tree{"email": owner, "responseStatus": draw.One(t, "answer", "accepted", "declined", "tentative"), "comment": "Late"}}
	l.store(l.s.event, l.try(operation.EventsUpdate, l.s.event, body))
}

func (l *life) removeEvent(*draw.T) {
	if l.s.isGone {
		return
	}
	if l.write(operation.EventsDelete, l.s.event, nil); !l.isOver() {
		l.s.isGone = true
		l.readAll(l.s.event.ID)
		l.compareList(operation.Params{"showDeleted": {"true"}})
		l.refused("a second delete", &event.Request{Op: operation.EventsDelete, Existing: l.s.event})
	}
}

// refuseSome sends requests about the event that the server must refuse without changing the event.
func (l *life) refuseSome(*draw.T) {
	if !l.s.isGone {
		l.refuse(l.s.event)
		l.stays()
	}
}

// divide1 divides the current event if it has no exceptions. Only a series has a fifth instance.
func (l *life) divide1(*draw.T) {
	if !l.s.isGone && len(l.s.exceptions) == 0 {
		l.divide()
	}
}

// lookAround reads the event through lists and other operations.
func (l *life) lookAround(t *draw.T) {
	views := l.viewsOf(l.s.event)
	for range 6 {
		l.compareList(views[draw.Evenly(len(views)).Draw(t, "view")])
	}
	if !l.s.isGone {
		l.compareGets(l.s.event)
		l.compareSeries(t)
	}
}

// importTwice imports an event, and imports it again with a different title: only one event may have the iCalUID.
func (l *life) importTwice(t *draw.T) {
	body := l.drawEvent(t)
	for _, name := range []string{"id", "eventType", "birthdayProperties", "focusTimeProperties", "outOfOfficeProperties", "workingLocationProperties"} {
		delete(body, name)
	}
	body["iCalUID"] = l.newID() + "@example.com"
	first := l.try(operation.EventsImport, nil, body)
	l.add(first)
	body["summary"] = "Imported again"
	second := l.try(operation.EventsImport, nil, body)
	switch {
	case first == nil || second == nil:
	case second.ID == first.ID:
		l.s.event = second
		l.readAll(second.ID)
	default: // a server may have stored one event or two
		l.add(second)
	}
}

// moveAway moves the event into the second calendar and back, unless the organizer of the event is an attendee.
func (l *life) moveAway(*draw.T) {
	e := l.s.event
	attends := slices.ContainsFunc(e.Attendees, func(a event.Attendee) bool { return a.Organizer || a.Email == addressOf(e.Organizer) })
	if l.Second != "" && !l.s.isGone && e.WithDefaults().EventType == constraint.TypeDefault && len(l.s.exceptions) == 0 && !attends {
		l.moveTwice()
	}
}

// moveTwice moves the event to the second calendar and back. After each move, only the destination may contain the event, with
// a new organizer.
func (l *life) moveTwice() {
	here, second := l.Calendar, l.Second
	e := l.s.event
	moved := l.move(here, second, e)
	if moved == nil {
		return
	}
	l.s.isGone = true
	l.readAll(e.ID)
	s, others := l.s, l.all
	l.within(second, func() {
		l.s = &stored{event: moved}
		l.readAll(moved.ID)
	})
	l.s, l.all = s, others
	back := l.move(second, here, moved)
	if back == nil {
		return
	}
	l.s.event, l.s.isGone = back, false
	l.readAll(back.ID)
	l.within(second, func() {
		l.s = &stored{event: moved, isGone: true}
		l.readAll(moved.ID)
	})
	l.s = s
}

// compareSecond checks that the list of the second calendar contains no event from the first calendar.
func (l *life) compareSecond() {
	if l.Second == "" || l.isOver() {
		return
	}
	l.within(l.Second, func() {
		p := l.list(l.o, operation.EventsList, nil, nil)
		for _, s := range l.all {
			if p != nil && p.entries[s.event.ID] != nil {
				l.o.lose(p.last(), "/items", fmt.Sprintf("the list contains the event %s, which is in another calendar.", s.event.ID))
				return
			}
		}
	})
}

// within calls read while the given calendar is the calendar of the run.
func (l *life) within(calendar string, read func()) {
	here, token, next := l.Calendar, l.token, l.next
	l.Calendar, l.token, l.next = calendar, "", ""
	read()
	l.Calendar, l.token, l.next = here, token, next
}

// move moves an event from one calendar to another, and returns the moved event, or nil.
func (l *life) move(from, to string, e *event.Event) *event.Event {
	if l.isOver() {
		return nil
	}
	req := &event.Request{Op: operation.EventsMove, Existing: e, Params: operation.Params{"destination": {to}, "sendUpdates": {"none"}}}
	l.o.story.op = req.Op
	x := l.requestIn(l.ctx, from, l.o, req)
	if x == nil || !x.succeeded() {
		l.o.unclear = "the server did not move an event"
		return nil
	}
	s, ok := l.judgeWrite(l.o, x, req, e)
	if !ok {
		return nil
	}
	moved := *s.event
	moved.Status = e.Status // the status may differ between calendars
	if was, is := addressOf(e.Organizer), addressOf(moved.Organizer); was != "" && was == is {
		l.o.lose(x, "/organizer", fmt.Sprintf("the organizer of the moved event is still %s.", was))
	}
	moved.ETag, moved.Updated, moved.HTMLLink = "", "", ""
	return &moved
}
