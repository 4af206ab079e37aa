package payload

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/draw"
)

// homeOffice draws a JSON value of any type except null, which would mean absence. Some are as deep as
// a body may be.
var homeOffice = draw.Lazy(func() draw.Generator[json.RawMessage] {
	return draw.Map(draw.SampledFrom(slices.Concat(
		strings.Split(`{}|[]|true|false|0|-1.5e+300|""|"\ud83c\udf82"|{"a":[null,{"b":" \u0000"}]}|[[],{},1.0]`, "|"),
		slices.Repeat([]string{deep(constraint.JSONMaxDepth - 3), deep(constraint.JSONMaxDepth - 2)}, 3),
	)), func(text string) json.RawMessage { return json.RawMessage(text) })
})

// deep returns arrays in each other, the innermost empty.
func deep(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

// drawAttendees draws attendees with different addresses: mostly a few, and seldom more than a
// reader expects. It returns nil if it draws none.
func drawAttendees(t *draw.T) []event.Attendee {
	attendees := fewAttendees.Draw(t, "attendees")
	if len(attendees) == 0 {
		return nil
	}
	if len(attendees) == mostDrawn && draw.Seldom(t, "crowd") {
		for i := range crowd.Draw(t, "guests") {
			attendees = append(attendees, event.Attendee{Email: guest(i)})
		}
	}
	return attendees
}

// crowd draws a number of further attendees.
var crowd = draw.OneOf(draw.Around(1, 257), draw.Just(257))

// mostDrawn is the greatest number of attendees that are drawn one by one.
const mostDrawn = 4

var fewAttendees = draw.SliceOfNDistinct(anyAttendee, 0, mostDrawn, addressOf)

// guest returns the address of one of many guests.
func guest(i int) string { return fmt.Sprintf("guest%d@example.com", i) }

// addressOf returns what must differ between attendees.
func addressOf(a event.Attendee) string { return strings.ToLower(a.Email) }

var anyAttendee = draw.Custom(func(t *draw.T) event.Attendee {
	return drawAttendee(t, draw.Address.Draw(t, "address"))
})

func drawAttendee(t *draw.T, address string) event.Attendee {
	a := event.Attendee{Email: address}
	attendeeMembers.Draw(t, &a)
	return a
}

var attendeeMembers = draw.Members[event.Attendee]{
	func(t *draw.T, a *event.Attendee) { a.ID = draw.Name.Draw(t, "profile id") },
	func(t *draw.T, a *event.Attendee) { a.DisplayName = textOf("attendees[].displayName").Draw(t, "name") },
	func(_ *draw.T, a *event.Attendee) { a.Resource = true },
	func(_ *draw.T, a *event.Attendee) { a.Optional = true },
	func(t *draw.T, a *event.Attendee) {
		a.ResponseStatus = textOf("attendees[].responseStatus").Draw(t, "response")
	},
	func(t *draw.T, a *event.Attendee) { a.Comment = textOf("attendees[].comment").Draw(t, "comment") },
	func(t *draw.T, a *event.Attendee) {
		a.AdditionalGuests = anyAdditionalGuests.Draw(t, "additional guests")
	},
}

var anyAdditionalGuests = draw.Integer(constraint.AdditionalGuestsMin)

var anyProperties = draw.Built(func(t *draw.T, p *event.ExtendedProperties) {
	p.Private = draw.Optional(t, "private", properties)
	p.Shared = draw.Optional(t, "shared", properties)
})

// properties draws a few named strings. Names and values are at most as long as the service
// keeps them.
var properties = draw.MapOfN(draw.Text(constraint.PropertyKeyMaxLength), draw.Text(constraint.PropertyValueMaxLength), 3)

// anyReminders draws the event's own reminders, or the calendar's, or neither.
var anyReminders = draw.Built(func(t *draw.T, r *event.Reminders) {
	r.UseDefault = draw.Pointer(t, "use default", draw.Bool)
	if r.UseDefault == nil || *r.UseDefault {
		return // without reminders of its own
	}
	r.Overrides = drawOverrides(t)
})

func drawOverrides(t *draw.T) []event.Reminder {
	overrides := draw.List(t, "overrides", constraint.ReminderOverridesMax, override)
	for i := range overrides {
		overrides[i].Minutes = new(*overrides[i].Minutes) // equal ones share no memory
	}
	return overrides
}

var override = draw.Custom(func(t *draw.T) event.Reminder {
	minutes := int64(draw.Around(constraint.ReminderMinutesMin, constraint.ReminderMinutesMax).Draw(t, "minutes"))
	return event.Reminder{Method: textOf("reminders.overrides[].method").Draw(t, "method"), Minutes: &minutes}
})

var anySource = draw.Built(func(t *draw.T, s *event.Source) {
	s.Title = draw.Optional(t, "title", textOf("source.title"))
	s.URL = draw.Optional(t, "url", httpURL(freeText))
})

var anyAttachments = draw.Custom(func(t *draw.T) []event.Attachment {
	return draw.List(t, "attachments", constraint.AttachmentsMax, anyAttachment)
})

var anyAttachment = draw.Custom(drawAttachment)

func drawAttachment(t *draw.T) event.Attachment {
	return event.Attachment{
		FileURL:  httpURL(freeText).Draw(t, "fileUrl"),
		Title:    draw.Optional(t, "title", textOf("attachments[].title")),
		MIMEType: draw.Optional(t, "media type", mediaType),
	}
}

var mediaType = draw.Sampled("text/plain", `text/html; charset="utf-8"`, "image/svg+xml")

var anyGadget = draw.Built(gadgetMembers.Draw)

var gadgetMembers = draw.Members[event.Gadget]{
	func(t *draw.T, g *event.Gadget) { g.Type = textOf("gadget.type").Draw(t, "type") },
	func(t *draw.T, g *event.Gadget) { g.Title = textOf("gadget.title").Draw(t, "title") },
	func(t *draw.T, g *event.Gadget) { g.Width = new(anyGadgetSize.Draw(t, "width")) },
	func(t *draw.T, g *event.Gadget) { g.Height = new(anyGadgetSize.Draw(t, "height")) },
	func(t *draw.T, g *event.Gadget) { g.Display = textOf("gadget.display").Draw(t, "display") },
	func(t *draw.T, g *event.Gadget) { g.Preferences = properties.Draw(t, "preferences") },
}

var anyGadgetSize = draw.Integer(constraint.GadgetSizeMin)
