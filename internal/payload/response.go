package payload

import (
	"strings"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/draw"
)

// representation draws an event as a server returns it: of every event type, with what only the
// server writes, or cancelled with little more than an id.
var representation = draw.Custom(func(t *draw.T) *event.Event {
	e := new(event.Event)
	switch draw.One(t, "what", "event", "event", "instance", "deleted", "exception") {
	case "event":
		drawReturned(t, e)
	case "instance":
		drawReturned(t, e)
		e.Recurrence = nil
		drawInstance(t, e)
	case "deleted":
		drawIdentity(t, e)
		e.Status = constraint.StatusCancelled
	case "exception":
		drawIdentity(t, e)
		drawInstance(t, e)
		e.Status = constraint.StatusCancelled
	}
	return written(t, e, represented())
})

// drawIdentity draws what a server gives to every event.
func drawIdentity(t *draw.T, e *event.Event) {
	e.Kind = constraint.EventKind
	e.ID = serverID.Draw(t, "id")
	e.ETag = entityTag.Draw(t, "etag")
}

var serverID = draw.Matching(`[a-z0-9]{5,26}(_R?20260310(T090000Z)?)?|_[A-Z0-9_]{1,40}`)
var entityTag = draw.Matching(`"[0-9]{1,16}"`)

// drawInstance makes an event an instance of a series.
func drawInstance(t *draw.T, e *event.Event) {
	e.RecurringEventID = seriesID.Draw(t, "series")
	e.OriginalStartTime = drawReturnedTime(t)
}

// drawReturned draws all members of an event that is not cancelled, or that is cancelled and
// still has its details.
func drawReturned(t *draw.T, e *event.Event) {
	drawIdentity(t, e)
	e.EventType = oneOf(constraint.EventType).Draw(t, "event type")
	drawTimes(t, e)
	if e.Recurrence == nil {
		e.Start, e.End = drawReturnedTime(t), drawReturnedTime(t)
	}
	drawMain(t, e)
	e.ICalUID = e.ID + "@calendar.example.com"
	e.HTMLLink = httpURL(freeText).Draw(t, "htmlLink")
	e.Created = timestamp.Draw(t, "created")
	e.Updated = timestamp.Draw(t, "updated")
	e.ColorID = draw.Optional(t, "colorId", draw.Name)
	e.EventLabelID = draw.Pointer(t, "eventLabelId", draw.Name)
	e.VideoLink = draw.Optional(t, "videoLink", httpURL(freeText))
	e.Locked = draw.Maybe(t, "locked")
	drawPeople(t, e)
	drawServerParts(t, e)
	if draw.Maybe(t, "conference") {
		e.ConferenceData = representedConference.Draw(t, "conference")
	}
	drawReturnedProperties(t, e)
}

// stampForm is how servers write the members created and updated.
const stampForm = "2006-01-02T15:04:05.000Z"

// timestamp draws a time as servers write it.
var timestamp = draw.Map(recentSecond, func(at time.Time) string {
	return at.Format(stampForm)
})

// drawReturnedTime draws a day, or a time with an offset and mostly a zone. The times of one
// event need not be consistent: no rule checks that in a representation.
func drawReturnedTime(t *draw.T) *event.Time {
	if draw.Maybe(t, "all-day") {
		return allDayAt(t, anyDay.Draw(t, "day")).Time
	}
	n := drawNotation(t)
	n.offset = true
	return timedAt(anySecond.Draw(t, "instant"), n).Time
}

// drawPeople draws the creator, the organizer and the attendees, with the flags that a server
// sets.
func drawPeople(t *draw.T, e *event.Event) {
	e.Creator = draw.Optional(t, "creator", anyPerson)
	e.Organizer = draw.Optional(t, "organizer", anyPerson)
	e.Attendees = drawAttendees(t)
	for i := range e.Attendees {
		if i == mostDrawn {
			break // only the first few of many have flags
		}
		a := &e.Attendees[i]
		a.Organizer = e.Organizer != nil && e.Organizer.Email != "" && strings.EqualFold(a.Email, e.Organizer.Email)
		a.Self = draw.Maybe(t, "self")
		a.AsyncOperation = draw.Optional(t, "asyncOperation", textOf("attendees[].asyncOperation"))
	}
	if len(e.Attendees) > 0 && draw.Maybe(t, "the organizer attends") {
		e.Attendees[0].Organizer = true
		if e.Organizer == nil {
			e.Organizer = new(event.Person)
		}
		e.Organizer.Email = e.Attendees[0].Email
	}
}

// anyPerson draws a creator or an organizer, about whom everything may be unknown.
var anyPerson = draw.Built(func(t *draw.T, p *event.Person) {
	p.ID = draw.Optional(t, "profile id", draw.Name)
	p.Email = draw.Optional(t, "email", draw.Address)
	p.DisplayName = draw.Optional(t, "name", textOf("organizer.displayName"))
	p.Self = draw.Maybe(t, "self")
})

// drawServerParts draws what the server adds to the parts of an event.
func drawServerParts(t *draw.T, e *event.Event) {
	for i := range e.Attachments {
		e.Attachments[i].FileID = draw.Optional(t, "fileId", draw.Name)
		e.Attachments[i].IconLink = draw.Optional(t, "iconLink", httpURL(freeText))
	}
	if e.Gadget != nil {
		e.Gadget.Link = draw.Optional(t, "link", httpURL(freeText))
		e.Gadget.IconLink = draw.Optional(t, "iconLink", httpURL(freeText))
	}
}

var contactName = draw.Matching(`people/[a-zA-Z0-9_-]{1,12}`)

// drawReturnedProperties draws the properties of the event type. A birthday may be of a contact.
func drawReturnedProperties(t *draw.T, e *event.Event) {
	if e.EventType != constraint.TypeBirthday {
		drawTypeProperties(t, e)
		return
	}
	b := &event.Birthday{Type: oneOf(constraint.BirthdayType).Draw(t, "birthday type")}
	if constraint.BirthdayTypeWithContact.Has(b.Type) || b.Type == constraint.TypeBirthday && draw.Maybe(t, "of a contact") {
		b.Contact = contactName.Draw(t, "contact")
	}
	nameCustomType(t, b)
	e.BirthdayProperties = b
}

// nameCustomType names the type of a birthday of type custom.
func nameCustomType(t *draw.T, b *event.Birthday) {
	if b.Type == "custom" {
		b.CustomTypeName = textOf("birthdayProperties.customTypeName").Draw(t, "custom type")
	}
}
