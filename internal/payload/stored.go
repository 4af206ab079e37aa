package payload

import (
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/draw"
)

// drawStored draws the other members of an event as the service stores it: of its event type or,
// if that is empty, of any type, including fromMail. It has everything that the service writes
// and breaks no rule, so that a client can send it back. It is not cancelled; see
// [drawCancelled].
func drawStored(t *draw.T, e *event.Event) {
	if e.EventType == "" {
		e.EventType = storedType.Draw(t, "event type")
	}
	drawIdentity(t, e)
	if draw.Seldom(t, "instance") {
		drawMovedInstance(t, e)
	} else {
		drawTimes(t, e)
		e.ICalUID = e.ID + "@calendar.example.com"
	}
	drawMain(t, e)
	if e.Status != "tentative" {
		e.Status = constraint.StatusConfirmed
	}
	drawHistory(t, e)
	e.ColorID = draw.Optional(t, "colorId", draw.Name)
	e.EventLabelID = draw.Pointer(t, "eventLabelId", draw.Name)
	e.Locked = draw.Seldom(t, "locked")
	drawStoredPeople(t, e)
	drawServerParts(t, e)
	if hasGuests(e.EventType) && draw.Maybe(t, "conference") {
		e.ConferenceData = representedConference.Draw(t, "conference")
	}
	drawReturnedProperties(t, e)
	*e = *written(t, e, represented())
}

// drawCancelled draws the other members of a cancelled event as the service stores it, with its
// details or, if it is deleted or an exception, without.
func drawCancelled(t *draw.T, e *event.Event) {
	switch draw.Int(t, "what is left", 0, 2) {
	case 0:
		drawIdentity(t, e)
	case 1:
		drawIdentity(t, e)
		drawMovedInstance(t, e)
		e.Start, e.End, e.ICalUID = nil, nil, ""
	case 2:
		drawStored(t, e)
	}
	e.Status = constraint.StatusCancelled
}

// storedType draws an event type. All stored events have one.
var storedType = draw.Lazy(func() draw.Generator[string] {
	return draw.OneOf(draw.Just(constraint.TypeDefault), oneOf(constraint.EventType), oneOf(constraint.EventType))
})

// drawMovedInstance draws the times of an instance of a series, which is often moved.
func drawMovedInstance(t *draw.T, e *event.Event) {
	allDay := drawForm(t, e.EventType)
	start, end := drawSpan(t, allDay)
	e.Start, e.End = start.Time, end.Time
	original := *start.Time
	e.OriginalStartTime = &original
	if draw.Maybe(t, "moved") {
		moved, _ := drawSpan(t, allDay)
		e.OriginalStartTime = moved.Time
	}
	e.RecurringEventID = seriesID.Draw(t, "series")
	e.ICalUID = e.RecurringEventID + "@calendar.example.com"
}

var seriesID = draw.Matching(`[a-z0-9]{5,26}(_R20260310T090000)?`)

// drawForm draws whether an event of the type is all-day. It draws for every type, so that
// shrinking can try another type with the same draws.
func drawForm(t *draw.T, eventType string) (allDay bool) {
	allDay = draw.Maybe(t, "all-day")
	return eventType == constraint.TypeBirthday || allDay && !isTimedOnly(eventType)
}

// drawHistory draws when and where the event was created.
func drawHistory(t *draw.T, e *event.Event) {
	created := recentSecond.Draw(t, "created")
	updated := created.Add(time.Duration(draw.Int(t, "seconds until updated", 0, 1e9)) * time.Second)
	e.Created, e.Updated = created.Format(stampForm), updated.Format(stampForm)
	e.HTMLLink = httpURL(freeText).Draw(t, "htmlLink")
	e.VideoLink = draw.Optional(t, "videoLink", httpURL(freeText))
}

// drawStoredPeople draws the creator, the organizer and, if the event type allows them, the
// attendees with their flags.
func drawStoredPeople(t *draw.T, e *event.Event) {
	drawPeople(t, e)
	if !hasGuests(e.EventType) {
		e.Attendees = nil
	}
}
