package payload

import (
	"fmt"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/draw"
)

// Event draws events that a client may insert, of the type or, if that is empty, of any. It panics if no
// client can create events of the type.
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

// typeToCreate draws an event type that can be created, often by leaving it out.
var typeToCreate = draw.SampledFrom(append([]string{"", "", ""}, typesOfClients...))

// drawInsert draws the members of an event that a client inserts, for its event type.
func drawInsert(t *draw.T, e *event.Event) {
	drawTimes(t, e)
	insertMembers.Draw(t, e)
	drawMain(t, e)
	if hasGuests(e.EventType) {
		guestMembers.Draw(t, e)
	}
	drawTypeProperties(t, e)
}

// insertMembers are those that only a client that inserts an event writes, and those that it writes in another way. Of
// two that exclude each other, the last one stays.
var insertMembers = draw.Members[event.Event]{
	func(_ *draw.T, e *event.Event) { e.Kind = constraint.EventKind },
	func(t *draw.T, e *event.Event) { e.ID, e.ICalUID = EventID.Draw(t, "id"), "" },
	func(t *draw.T, e *event.Event) { e.ID, e.ICalUID = "", textOf("iCalUID").Draw(t, "iCalUID") },
	func(t *draw.T, e *event.Event) { e.ColorID, e.EventLabelID = draw.Name.Draw(t, "colorId"), nil },
	func(t *draw.T, e *event.Event) {
		e.ColorID, e.EventLabelID = "", new(draw.Optional(t, "eventLabelId", draw.Name))
	},
}

// guestMembers are those of events with guests.
var guestMembers = draw.Members[event.Event]{
	func(t *draw.T, e *event.Event) { e.Attendees = drawAttendees(t) },
	func(t *draw.T, e *event.Event) { e.ConferenceData = Conference.Draw(t, "conference") },
}

// drawTimes draws the start, the end and perhaps the recurrence that the event type allows. For
// a series, it first draws the times of a single event and then, in one draw, the series. When
// rapid removes that draw, a single event remains.
func drawTimes(t *draw.T, e *event.Event) {
	allDay := drawForm(t, e.EventType)
	start, end := drawSpan(t, allDay)
	e.Start, e.End = start.Time, end.Time
	recurs := draw.Maybe(t, "series")
	var series *event.Event
	switch {
	case e.EventType == constraint.TypeBirthday:
		series = birthdaySeries.Draw(t, "birthday")
	case recurs && allDay:
		series = seriesOfDays.Draw(t, "all-day series")
	case recurs:
		series = seriesOfTimes.Draw(t, "series")
	default:
		return
	}
	e.Start, e.End, e.Recurrence = series.Start, series.End, series.Recurrence
}

var birthdaySeries = draw.Built(drawAnnual)
var seriesOfDays = draw.Built(func(t *draw.T, e *event.Event) { drawSeries(t, e, true) })
var seriesOfTimes = draw.Built(func(t *draw.T, e *event.Event) { drawSeries(t, e, false) })

// drawMain draws the members that events of all types have, in requests and in representations.
func drawMain(t *draw.T, e *event.Event) {
	mainMembers.Draw(t, e)
	if draw.Seldom(t, "gadget") {
		e.Gadget = anyGadget.Draw(t, "gadget")
	}
	switch e.EventType {
	case constraint.TypeWorkingLocation: // its properties contain the location
		e.Location = ""
	case constraint.TypeBirthday: // birthdays have no private properties
		if e.ExtendedProperties != nil {
			e.ExtendedProperties.Private = nil
		}
	}
}

var mainMembers = draw.Members[event.Event]{
	func(t *draw.T, e *event.Event) { e.Status = textOf("status").Draw(t, "status") },
	func(t *draw.T, e *event.Event) { e.Summary = textOf("summary").Draw(t, "summary") },
	func(t *draw.T, e *event.Event) { e.Description = textOf("description").Draw(t, "description") },
	func(t *draw.T, e *event.Event) { e.Location = textOf("location").Draw(t, "location") },
	func(t *draw.T, e *event.Event) { e.Transparency = textOf("transparency").Draw(t, "transparency") },
	func(t *draw.T, e *event.Event) { e.Visibility = textOf("visibility").Draw(t, "visibility") },
	func(t *draw.T, e *event.Event) { e.Sequence = anySequence.Draw(t, "sequence") },
	func(_ *draw.T, e *event.Event) { e.EndTimeUnspecified = true },
	func(_ *draw.T, e *event.Event) { e.AttendeesOmitted = true },
	func(_ *draw.T, e *event.Event) { e.AnyoneCanAddSelf = true },
	func(t *draw.T, e *event.Event) { e.GuestsCanInviteOthers = new(draw.Bool(t)) },
	func(_ *draw.T, e *event.Event) { e.GuestsCanModify = true },
	func(t *draw.T, e *event.Event) { e.GuestsCanSeeOtherGuests = new(draw.Bool(t)) },
	func(_ *draw.T, e *event.Event) { e.PrivateCopy = true },
	func(t *draw.T, e *event.Event) { e.ExtendedProperties = anyProperties.Draw(t, "extended properties") },
	func(t *draw.T, e *event.Event) { e.Reminders = anyReminders.Draw(t, "reminders") },
	func(t *draw.T, e *event.Event) { e.Source = anySource.Draw(t, "source") },
	func(t *draw.T, e *event.Event) { e.Attachments = anyAttachments.Draw(t, "attachments") },
}

var anySequence = draw.Integer(constraint.SequenceMin)

// drawTypeProperties draws the properties that belong to the event type.
func drawTypeProperties(t *draw.T, e *event.Event) {
	switch e.EventType {
	case constraint.TypeBirthday:
		e.BirthdayProperties = draw.Optional(t, "birthday", anyBirthday)
	case constraint.TypeFocusTime:
		e.FocusTimeProperties = draw.Optional(t, "focus time", anyFocusTime)
	case constraint.TypeOutOfOffice:
		e.OutOfOfficeProperties = draw.Optional(t, "out of office", anyOutOfOffice)
	case constraint.TypeWorkingLocation:
		e.WorkingLocationProperties = anyWorkingLocation.Draw(t, "working location")
	}
}

var anyBirthday = draw.Built(func(t *draw.T, b *event.Birthday) {
	b.Type = draw.Optional(t, "birthday type", draw.Just("birthday"))
})

var anyFocusTime = draw.Built(func(t *draw.T, f *event.FocusTime) {
	f.AutoDeclineMode = draw.Optional(t, "auto-decline mode", textOf("focusTimeProperties.autoDeclineMode"))
	f.ChatStatus = draw.Optional(t, "chat status", textOf("focusTimeProperties.chatStatus"))
	f.DeclineMessage = draw.Optional(t, "decline message", textOf("focusTimeProperties.declineMessage"))
})

var anyOutOfOffice = draw.Built(func(t *draw.T, o *event.OutOfOffice) {
	o.AutoDeclineMode = draw.Optional(t, "auto-decline mode", textOf("outOfOfficeProperties.autoDeclineMode"))
	o.DeclineMessage = draw.Optional(t, "decline message", textOf("outOfOfficeProperties.declineMessage"))
})

// anyWorkingLocation draws a place to work, with the one member that belongs to its type.
var anyWorkingLocation = draw.Built(func(t *draw.T, w *event.WorkingLocation) {
	w.Type = textOf("workingLocationProperties.type").Draw(t, "place")
	if !draw.Maybe(t, "details") {
		return
	}
	switch w.Type {
	case "homeOffice":
		w.HomeOffice = homeOffice.Draw(t, "home office")
	case "customLocation":
		w.CustomLocation = &event.CustomLocation{Label: draw.Optional(t, "label", textOf("workingLocationProperties.customLocation.label"))}
	case "officeLocation":
		w.OfficeLocation = &event.OfficeLocation{
			BuildingID:     draw.Optional(t, "building", draw.Name),
			FloorID:        draw.Optional(t, "floor", draw.Name),
			FloorSectionID: draw.Optional(t, "section", draw.Name),
			DeskID:         draw.Optional(t, "desk", draw.Name),
			Label:          draw.Optional(t, "label", textOf("workingLocationProperties.officeLocation.label")),
		}
	}
})
