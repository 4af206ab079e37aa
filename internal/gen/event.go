package gen

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
)

// Event returns a generator of events that a client may insert. The events have the given type or, if it is "", any
// type. Event panics if clients cannot create events of the type.
func Event(eventType string) draw.Generator[*event.Event] {
	types := typeToCreate
	if eventType != "" {
		if !constraint.EventType.Has(eventType) || !constraint.NewEventType.Has(eventType) {
			panic(fmt.Sprintf("fuzz: no client creates an event of type %q", eventType))
		}
		types = draw.Just(eventType)
	}
	return func(t *draw.T) *event.Event {
		e := &event.Event{EventType: types.Draw(t, "event type")}
		drawInsert(t, e)
		return written(t, e, writable())
	}
}

// typeToCreate draws an event type that can be created, often by omitting the type.
var typeToCreate = draw.SampledFrom(append([]string{"", "", ""}, typesOfClients...))

// drawInsert draws the members of an event that a client inserts, according to its event type.
func drawInsert(t *draw.T, e *event.Event) {
	drawTimes(t, e)
	drawMembers(t, e, diag.Insert)
	if draw.Seldom(t, "kind") {
		e.Kind = constraint.EventKind
	}
	if e.ICalUID != "" {
		e.ID = "" // id and iCalUID exclude each other
	}
	if e.EventLabelID != nil {
		e.ColorID = "" // the service would ignore it
	}
}

// timesOfEvent are the members that are drawn together, because they depend on each other and on the event type.
var timesOfEvent = []string{"start", "end", "recurrence", "recurringEventId", "originalStartTime"}

// others are the members of an event that are drawn one by one.
var others = sync.OnceValue(func() (all []*field) {
	for _, f := range fields() {
		if f.isTop() && f.Path != "eventType" && !slices.Contains(timesOfEvent, f.Path) {
			all = append(all, f)
		}
	}
	return all
})

// drawMembers draws the members of an event except the times, which must already have been drawn.
func drawMembers(t *draw.T, e *event.Event, on diag.When) {
	fill(t, reflect.ValueOf(e).Elem(), others(), on)
	fitType(t, e, on)
}

// fitType removes the members that events of the type cannot have, and adds the required members.
func fitType(t *draw.T, e *event.Event, on diag.When) {
	object := reflect.ValueOf(e).Elem()
	for _, f := range others() {
		if typ := f.eventType(); typ != "" && typ != e.EventType {
			object.FieldByIndex(f.index).SetZero()
		}
	}
	if !hasGuests(e.EventType) {
		e.Attendees, e.ConferenceData = nil, nil
	}
	switch e.EventType {
	case constraint.TypeWorkingLocation: // the properties contain the location
		e.Location, e.Visibility, e.Transparency = "", "public", "transparent"
		fitDay(e)
		if e.WorkingLocationProperties == nil {
			e.WorkingLocationProperties = drawWorkingLocation(t, on)
		}
	case constraint.TypeOutOfOffice: // the out-of-office properties contain the message
		e.Description, e.Location = "", ""
	case constraint.TypeBirthday: // birthdays have no private properties
		if e.ExtendedProperties != nil {
			e.ExtendedProperties.Private = nil
		}
	}
}

// fitDay limits an all-day event to one day.
func fitDay(e *event.Event) {
	start := momentOf(e.Start)
	if start == nil || start.Date == "" {
		return
	}
	if !start.at.Before(lastDay) {
		e.Start = start.moved(-day)
	}
	e.End = momentOf(e.Start).moved(day)
}

// eventType returns the event type to which the member belongs, or "" if events of any type may have the member.
func (f *field) eventType() string {
	typ, isOfType := strings.CutSuffix(f.Path, "Properties")
	if !isOfType || !constraint.EventType.Has(typ) {
		return ""
	}
	return typ
}

// drawTimes draws the start, the end and perhaps the recurrence of an event, as its type allows. The recurrence takes one draw
// after the times; a single event remains if rapid removes that draw.
func drawTimes(t *draw.T, e *event.Event) { drawTimesIn(t, e, drawForm(t, e.EventType)) }

// drawTimesIn is like drawTimes, but for an event that is known to be all-day or timed.
func drawTimesIn(t *draw.T, e *event.Event, allDay bool) {
	start, end := drawSpan(t, allDay)
	e.Start, e.End, e.Recurrence = start.Time, end.Time, nil
	recurs := draw.Maybe(t, "series")
	var series *event.Event
	switch {
	case e.EventType == constraint.TypeBirthday:
		series = draw.Built(drawAnnual).Draw(t, "birthday")
	case recurs:
		series = draw.Built(func(t *draw.T, e *event.Event) { drawSeries(t, e, allDay) }).Draw(t, "series")
	default:
		return
	}
	e.Start, e.End, e.Recurrence = series.Start, series.End, series.Recurrence
}
