package gen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
)

// homeOffice draws a JSON value of any type except null, which would mean absence. Some values have the maximum nesting
// depth of a body.
var homeOffice = draw.Lazy(func() draw.Generator[json.RawMessage] {
	return draw.Map(draw.SampledFrom(slices.Concat(
		strings.Split(`{}|[]|true|false|0|-1.5e+300|""|"\ud83c\udf82"|{"a":[null,{"b":" \u0000"}]}|[[],{},1.0]`, "|"),
		slices.Repeat([]string{deep(constraint.JSONMaxDepth - 3), deep(constraint.JSONMaxDepth - 2)}, 3),
	)), func(text string) json.RawMessage { return json.RawMessage(text) })
})

// deep returns nested arrays with the given number of levels.
func deep(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

// drawAttendees draws attendees with distinct addresses: usually a few, occasionally a crowd, and nil for none.
func drawAttendees(t *draw.T, on diag.When) []event.Attendee {
	attendees := draw.SliceOfNDistinct(func(t *draw.T) event.Attendee {
		return filled[event.Attendee](t, "attendees", on)
	}, 0, mostDrawn, func(a event.Attendee) string { return strings.ToLower(a.Email) }).Draw(t, "attendees")
	if len(attendees) == mostDrawn && draw.Seldom(t, "crowd") {
		for i := range crowd.Draw(t, "guests") {
			attendees = append(attendees, event.Attendee{Email: guest(i)})
		}
	}
	return attendees
}

// crowd draws the number of additional attendees in a long list.
var crowd = draw.OneOf(draw.Around(1, 257), draw.Just(257))

// mostDrawn is the maximum number of attendees that are drawn one by one.
const mostDrawn = 4

func guest(i int) string { return fmt.Sprintf("guest%d@example.com", i) }

// drawReminders draws overrides, the default reminders of the calendar, or no reminders.
func drawReminders(t *draw.T) *event.Reminders {
	r := &event.Reminders{UseDefault: draw.Pointer(t, "use default", draw.Bool)}
	if r.UseDefault != nil && !*r.UseDefault {
		r.Overrides = draw.List(t, "overrides", constraint.ReminderOverridesMax, override)
	}
	for i := range r.Overrides {
		r.Overrides[i].Minutes = new(*r.Overrides[i].Minutes) // equal reminders must not share memory
	}
	return r
}

func override(t *draw.T) event.Reminder {
	return filled[event.Reminder](t, "reminders.overrides", diag.Insert)
}

// drawWorkingLocation draws a place to work, with details only for its type.
func drawWorkingLocation(t *draw.T, on diag.When) *event.WorkingLocation {
	w := filled[event.WorkingLocation](t, "workingLocationProperties", on)
	if w.Type != "homeOffice" {
		w.HomeOffice = nil
	}
	if w.Type != "customLocation" {
		w.CustomLocation = nil
	}
	if w.Type != "officeLocation" {
		w.OfficeLocation = nil
	}
	return &w
}

// drawBirthday draws the properties of a birthday. In a representation, they may belong to a contact.
func drawBirthday(t *draw.T, on diag.When) *event.Birthday {
	b := filled[event.Birthday](t, "birthdayProperties", diag.Create)
	if on != diag.Response {
		return &b
	}
	b.Type = oneOf(constraint.BirthdayType).Draw(t, "birthday type")
	nameDay(t, &b, b.Type == constraint.TypeBirthday && draw.Maybe(t, "of a contact"))
	return &b
}

// nameDay adds the members that depend on the type: the contact, and the name of a custom type.
func nameDay(t *draw.T, b *event.Birthday, ofContact bool) {
	if ofContact || constraint.BirthdayTypeWithContact.Has(b.Type) {
		b.Contact = textOf("birthdayProperties.contact").Draw(t, "contact")
	}
	if b.Type == "custom" {
		b.CustomTypeName = textOf("birthdayProperties.customTypeName").Draw(t, "custom type")
	}
}
