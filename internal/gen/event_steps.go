package gen

import (
	"cmp"
	"strings"
	"sync"
	"time"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/internal/zone"
)

// eventStep changes a valid event into another valid one, before a draft is made of it.
type eventStep = func(t *draw.T, e *event.Event)

// eventSteps are the steps "with NAME", by their name.
var eventSteps = sync.OnceValue(func() map[string]eventStep {
	return map[string]eventStep{
		"attendees":  withAttendees,
		"attachment": withAttachment,
		"properties": withProperties,
		"labels":     withLabels,
		"gadget":     withGadget,
		"overrides":  withOverrides,
		"source":     withSource,
		"files":      withFiles,
		"home":       atHome,
		"contact":    contactBirthday,
		"color": func(t *draw.T, e *event.Event) {
			e.EventLabelID, e.ColorID = nil, draw.Optional(t, "color", draw.Just("5"))
		},
		"label": func(t *draw.T, e *event.Event) {
			e.EventLabelID, e.ColorID = draw.Pointer(t, "label", draw.Just("urgent")), ""
		},
		"nothing of a type": func(_ *draw.T, e *event.Event) {
			e.Attendees, e.ConferenceData, e.Location, e.Description = nil, nil, "", ""
		},
		"conference":         withConference,
		"video":              func(t *draw.T, e *event.Event) { giveConference(t, e, constraint.ConferenceEventVideo) }, // has no id
		"meeting":            withMeeting,
		"unknown conference": ofUnknownType,
		"request":            withRequest,
		"answered request":   withAnsweredRequest,
		"everything":         withEverything,
		"instance":           anInstance,
		"single":             single,
		"single timed":       singleOf(timedForm),
		"single all-day":     singleOf(allDayForm),
		"timed":              spanOf(timedForm),
		"all-day":            spanOf(allDayForm),
		"later timed":        notFirst(timedForm),
		"later all-day":      notFirst(allDayForm),
		"lasting timed":      lasting(timedForm),
		"lasting all-day":    lasting(allDayForm),
		"recurring":          recurringOf(anyForm),
		"recurring timed":    recurringOf(timedForm),
		"recurring all-day":  recurringOf(allDayForm),
		"weekly":             recurringWeekly(anyForm),
		"weekly timed":       recurringWeekly(timedForm),
		"weekly all-day":     recurringWeekly(allDayForm),
		"zone that may go":   zoneMayGo,
	}
})

// single makes the event a single one.
func single(_ *draw.T, e *event.Event) { e.Recurrence = nil }

// anInstance makes the event an instance of a series.
func anInstance(t *draw.T, e *event.Event) {
	e.Recurrence = nil
	drawMovedInstance(t, e)
}

// withAttendees gives the event at least one attendee.
func withAttendees(t *draw.T, e *event.Event) {
	if len(e.Attendees) == 0 {
		e.Attendees = []event.Attendee{filled[event.Attendee](t, "attendees", occasion.Insert)}
	}
}

// withAttachment gives the event at least one attachment, and room for one more.
func withAttachment(t *draw.T, e *event.Event) {
	e.Attachments = e.Attachments[:min(len(e.Attachments), constraint.AttachmentsMax-1)]
	if len(e.Attachments) == 0 {
		e.Attachments = []event.Attachment{filled[event.Attachment](t, "attachments", occasion.Insert)}
	}
}

// withProperties gives the event extended properties.
func withProperties(_ *draw.T, e *event.Event) {
	e.ExtendedProperties = &event.ExtendedProperties{Private: map[string]string{"a": "1", "b": ""}, Shared: map[string]string{"a": "1"}}
}

// withGadget gives the event a gadget that has preferences.
func withGadget(t *draw.T, e *event.Event) {
	gadget := filled[event.Gadget](t, "gadget", occasion.Insert)
	e.Gadget = &gadget
	e.Gadget.Preferences = map[string]string{"a": "1", "b": "2"}
}

// withOverrides gives the event its own reminders.
func withOverrides(t *draw.T, e *event.Event) {
	e.Reminders = &event.Reminders{UseDefault: new(false)}
	n := draw.Int(t, "number of overrides", 1, constraint.ReminderOverridesMax)
	e.Reminders.Overrides = draw.SliceOfN(draw.Custom(override), n, n).Draw(t, "overrides")
}

// withSource gives the event a source.
func withSource(t *draw.T, e *event.Event) {
	e.Source = &event.Source{Title: "Ticket", URL: httpURL(freeText).Draw(t, "url")}
}

// withFiles gives the event attachments, all with different files.
func withFiles(t *draw.T, e *event.Event) {
	e.Attachments = nil
	for i := range draw.One(t, "number of attachments", 1, 2, constraint.AttachmentsMax) {
		a := filled[event.Attachment](t, "attachments", occasion.Insert)
		a.FileURL = "https://files.example.com/" + strings.Repeat("0", i)
		e.Attachments = append(e.Attachments, a)
	}
}

// withConference gives the event a third-party conference, whose id may be any text.
func withConference(t *draw.T, e *event.Event) { giveConference(t, e, constraint.ConferenceAddOn) }

// withLabels gives the event a conference with entry points that may all have a label.
func withLabels(t *draw.T, e *event.Event) {
	withConference(t, e)
	e.ConferenceData.EntryPoints = []conference.EntryPoint{drawEntryPoint(t, constraint.EntryPhone), drawEntryPoint(t, constraint.EntrySIP), drawEntryPoint(t, constraint.EntryPhone)}
}

func giveConference(t *draw.T, e *event.Event, typ string) {
	e.ConferenceData = new(conference.Data)
	drawReady(t, e.ConferenceData, typ)
	drawAbout(t, e.ConferenceData, typ)
}

// withRequest gives the event a create request without an answer, beside a conference or instead of
// one.
func withRequest(t *draw.T, e *event.Event) {
	withConference(t, e)
	d := e.ConferenceData
	d.CreateRequest = drawRequest(t, constraint.ConferenceAddOn)
	if draw.Maybe(t, "nothing ready") {
		d.Solution, d.EntryPoints, d.ID = nil, nil, ""
	}
}

// withAnsweredRequest gives the event a create request with a status that agrees with the conference.
func withAnsweredRequest(t *draw.T, e *event.Event) {
	withRequest(t, e)
	d := e.ConferenceData
	other := constraint.RequestSuccess
	if d.Solution == nil {
		other, d.Signature = constraint.RequestFailure, ""
	}
	d.CreateRequest.Status = &conference.Status{Code: draw.One(t, "status", constraint.RequestPending, other)}
}

// withMeeting gives the event a conference whose id has a form.
func withMeeting(t *draw.T, e *event.Event) {
	e.ConferenceData = new(conference.Data)
	drawReady(t, e.ConferenceData, constraint.ConferenceVideoMeet)
}

// ofUnknownType gives the event a conference of an unknown type, or of none.
func ofUnknownType(t *draw.T, e *event.Event) {
	e.ConferenceData = new(conference.Data)
	drawReady(t, e.ConferenceData, draw.One(t, "unknown type", "holoDeck", "", "VideoMeet", "videoMeet "))
	if draw.Maybe(t, "no key") {
		e.ConferenceData.Solution.Key = nil
	}
}

// withEverything gives the event members of every JSON type, in objects and in lists.
func withEverything(t *draw.T, e *event.Event) {
	withAttendees(t, e)
	withOverrides(t, e)
	withSource(t, e)
	withConference(t, e)
	withGadget(t, e)
	e.Attachments = []event.Attachment{filled[event.Attachment](t, "attachments", occasion.Insert)}
	e.Summary, e.Sequence = "Standup", 1
	e.Recurrence = nil // it would be wrong for a start that cannot be read
	for _, limit := range []*event.Time{e.Start, e.End} {
		limit.TimeZone = cmp.Or(limit.TimeZone, "UTC") // so that a line may be added
	}
	original := *e.Start
	e.OriginalStartTime = &original
}

// atHome gives the event the simplest place to work.
func atHome(_ *draw.T, e *event.Event) {
	e.WorkingLocationProperties = &event.WorkingLocation{Type: "homeOffice"}
}

// contactBirthday makes the event the birthday of a contact or of the calendar's owner.
func contactBirthday(t *draw.T, e *event.Event) {
	e.BirthdayProperties = &event.Birthday{Type: oneOf(constraint.BirthdayType, constraint.TypeBirthday).Draw(t, "birthday type")}
	nameDay(t, e.BirthdayProperties, false)
}

// timeForm says whether an event is all-day.
type timeForm int

const (
	anyForm timeForm = iota
	allDayForm
	timedForm
)

// has reports whether an event has the form.
func (f timeForm) has(e *event.Event) bool {
	return f == anyForm || (f == allDayForm) == (e.Start.Date != "")
}

// allDay draws whether an event of the form is all-day.
func (f timeForm) allDay(t *draw.T) bool {
	return f == allDayForm || f == anyForm && draw.Maybe(t, "all-day")
}

// spanOf draws other times for an event that does not have the form.
func spanOf(f timeForm) eventStep {
	return func(t *draw.T, e *event.Event) {
		switch {
		case f.has(e):
		case draw.Maybe(t, "series"):
			drawSeries(t, e, f.allDay(t))
		default:
			drawSingle(t, e, f)
		}
	}
}

// singleOf draws other times for an event that is a series, or does not have the form.
func singleOf(f timeForm) eventStep {
	return func(t *draw.T, e *event.Event) {
		if !f.has(e) || e.Recurrence != nil {
			drawSingle(t, e, f)
		}
	}
}

// recurringOf draws other times for an event that is not a series, or does not have the form.
func recurringOf(f timeForm) eventStep {
	return func(t *draw.T, e *event.Event) {
		if !f.has(e) || e.Recurrence == nil {
			drawSeries(t, e, f.allDay(t))
		}
	}
}

// drawSingle draws the times of a single event.
func drawSingle(t *draw.T, e *event.Event, f timeForm) {
	start, end := drawSpan(t, f.allDay(t))
	e.Start, e.End, e.Recurrence = start.Time, end.Time, nil
}

// zoneMayGo adds the offsets of their zone to the start and the end of a series, so that without the
// zone they are the same instants and show the same clock. RFC 3339 cannot write the offsets of
// local mean times, which then show another clock; the recurrence becomes one that fits any start.
func zoneMayGo(t *draw.T, e *event.Event) {
	if e.Recurrence == nil || e.Start.Date != "" {
		return
	}
	sameClock := writeOffset(e.Start)
	writeOffset(e.End)
	if !sameClock {
		e.Recurrence = []string{"RRULE:FREQ=DAILY"}
	}
}

// writeOffset adds the offset that a dateTime has in its zone, and reports whether it still shows
// the clock of the zone.
func writeOffset(at *event.Time) (sameClock bool) {
	where, _ := zone.Load(at.TimeZone)
	m := read(at, where)
	_, seconds := m.at.In(where).Zone()
	civil, _ := form.ParseDateTime(at.DateTime)
	switch {
	case civil.HasOffset:
		return civil.Offset == seconds
	case seconds%60 != 0:
		at.DateTime = nanos(m.at)
		return false
	default:
		at.DateTime += offsetText(seconds/60, "Z")
		return true
	}
}

// recurringWeekly draws a weekly series that leaves room for dates before it.
func recurringWeekly(f timeForm) eventStep {
	return func(t *draw.T, e *event.Event) {
		b := drawBegin(t, f.allDay(t))
		for b.at.Year() < 200 {
			b = drawBegin(t, b.allDay)
		}
		e.Start, e.End = b.start, b.end
		e.Recurrence = []string{"RRULE:FREQ=WEEKLY" + draw.One(t, "more", "", ";INTERVAL=1", ";COUNT=4")}
	}
}

// notFirst draws another start if no time can be written before it.
func notFirst(f timeForm) eventStep {
	return func(t *draw.T, e *event.Event) {
		spanOf(f)(t, e)
		if momentOf(e.Start).at.Before(firstSeries) {
			b := drawBegin(t, e.Start.Date != "")
			e.Start, e.End = b.start, b.end
		}
	}
}

// isFiner reports whether a dateTime says more than a time.Time can: a leap second, or a fraction beyond
// nanoseconds.
func isFiner(dateTime string) bool {
	_, fraction, _ := strings.Cut(dateTime, ".")
	digits := len(fraction) - len(strings.TrimLeft(fraction, "0123456789"))
	return digits > len("999999999") || strings.Contains(dateTime, ":60")
}

// lasting draws other times for an event that takes no time, and for one whose start a time.Time does not
// hold: an end that is computed from it would be another instant.
func lasting(f timeForm) eventStep {
	return func(t *draw.T, e *event.Event) {
		spanOf(f)(t, e)
		if !momentOf(e.End).at.Equal(momentOf(e.Start).at) && !isFiner(e.Start.DateTime) {
			return
		}
		e.Recurrence = nil
		start := recentSecond.Draw(t, "start")
		e.Start, e.End = &event.Time{DateTime: nanos(start)}, &event.Time{DateTime: nanos(start.Add(time.Hour))}
		if f == allDayForm {
			e.Start, e.End = &event.Time{Date: start.Format(dateForm)}, &event.Time{Date: start.AddDate(0, 0, 1).Format(dateForm)}
		}
	}
}

// offsetDateTime draws a dateTime with an offset.
var offsetDateTime = draw.Custom(func(t *draw.T) string {
	n := drawNotation(t)
	n.zone, n.offset = "", true
	return timedAt(anySecond.Draw(t, "instant"), n).DateTime
})
