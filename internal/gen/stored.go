package gen

import (
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
)

// drawStored completes e as an event that the service has stored. If e has no event type, drawStored draws one, which may be
// fromMail. The event has the service-written members, and breaks no rule, so a client can send it back. For cancelled events,
// see [drawCancelled].
func drawStored(t *draw.T, e *event.Event) {
	if e.EventType == "" {
		e.EventType = storedType.Draw(t, "event type")
	}
	isInstance := draw.Seldom(t, "instance")
	if isInstance {
		drawMovedInstance(t, e)
	} else {
		drawTimes(t, e)
	}
	drawMembers(t, e, diag.Response)
	drawIdentity(t, e)
	if e.ICalUID = e.ID + uidSuffix; isInstance {
		e.ICalUID = e.RecurringEventID + uidSuffix
	}
	if e.Status != constraint.StatusTentative {
		e.Status = constraint.StatusConfirmed
	}
	flagOrganizer(t, e)
	*e = *written(t, e, represented())
}

// uidSuffix is the suffix of an iCalUID that the service derives from an id.
const uidSuffix = "@calendar.example.com"

// drawIdentity draws the members that identify an event, which a server sets for every event.
func drawIdentity(t *draw.T, e *event.Event) {
	e.Kind = constraint.EventKind
	e.ID = serverID.Draw(t, "id")
	e.ETag = entityTag.Draw(t, "etag")
}

var serverID = draw.Matching(`[a-z0-9]{5,26}(_R?20260310(T090000Z)?)?|_[A-Z0-9_]{1,40}`)
var entityTag = draw.Matching(`"[0-9]{1,16}"`)

// drawCancelled completes e as a cancelled event that the service has stored. A deleted event or an exception may lack its
// details.
func drawCancelled(t *draw.T, e *event.Event) {
	switch draw.Int(t, "what is left", 0, 2) {
	case 0:
		drawIdentity(t, e)
	case 1:
		drawMovedInstance(t, e)
		drawIdentity(t, e)
		e.Start, e.End, e.ICalUID = nil, nil, ""
	case 2:
		drawStored(t, e)
	}
	e.Status = constraint.StatusCancelled
}

// drawRepresentation draws an event as returned by a server, of the given type or, if the type is "", of any type. The event
// may have inconsistent times, since no rule requires consistency in representations.
func drawRepresentation(t *draw.T, eventType string) *event.Event {
	e := drawExisting(t, eventType)
	if e.Recurrence == nil && draw.Seldom(t, "other times") {
		e.Start, e.End = drawReturnedTime(t), drawReturnedTime(t)
	}
	return e
}

// storedType draws the type of a stored event, which is never absent.
var storedType = draw.Lazy(func() draw.Generator[string] {
	return draw.OneOf(draw.Just(constraint.TypeDefault), oneOf(constraint.EventType), oneOf(constraint.EventType))
})

// drawMovedInstance draws the times of a series instance, which is often moved.
func drawMovedInstance(t *draw.T, e *event.Event) {
	allDay := drawForm(t, e.EventType)
	start, end := drawSpan(t, allDay)
	e.Start, e.End, e.Recurrence = start.Time, end.Time, nil
	original := *start.Time
	e.OriginalStartTime = &original
	if draw.Maybe(t, "moved") {
		moved, _ := drawSpan(t, allDay)
		e.OriginalStartTime = moved.Time
	}
	e.RecurringEventID = seriesID.Draw(t, "series")
	e.ICalUID = e.RecurringEventID + uidSuffix
}

var seriesID = draw.Matching(`[a-z0-9]{5,26}(_R20260310T090000)?`)

// drawForm draws true for an all-day event. All event types use the same draws, so shrinking can try a different type.
func drawForm(t *draw.T, eventType string) (allDay bool) {
	return fitForm(draw.Maybe(t, "all-day"), eventType)
}

// fitForm returns allDay, adjusted to a type that requires or forbids all-day events.
func fitForm(allDay bool, eventType string) bool {
	return eventType == constraint.TypeBirthday || allDay && !isTimedOnly(eventType)
}

// timestamp draws a time in the format in which servers write created and updated.
var timestamp = draw.Map(recentSecond, func(at time.Time) string { return at.Format("2006-01-02T15:04:05.000Z") })

// drawReturnedTime draws a date, or a date-time with an offset and perhaps a zone.
func drawReturnedTime(t *draw.T) *event.Time {
	if draw.Maybe(t, "all-day") {
		return allDayAt(t, anyDay.Draw(t, "day")).Time
	}
	n := drawNotation(t)
	n.offset = true
	return timedAt(anySecond.Draw(t, "instant"), n).Time
}

// flagOrganizer sets the organizer flags of the attendees to match the organizer, who may be one of the attendees.
func flagOrganizer(t *draw.T, e *event.Event) {
	if len(e.Attendees) > 0 && draw.Maybe(t, "the organizer attends") {
		if e.Organizer == nil {
			e.Organizer = new(event.Person)
		}
		e.Organizer.Email = e.Attendees[0].Email
	}
	for i := range e.Attendees {
		a := &e.Attendees[i]
		a.Organizer = e.Organizer != nil && e.Organizer.Email != "" && strings.EqualFold(a.Email, e.Organizer.Email)
	}
}
