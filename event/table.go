package event

import (
	"encoding/json"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/internal/object"
)

// The tables say how the members of the Event resource are called in JSON and of which type
// they are, in the order of calendar.md. Decoding, encoding, copying and comparing go by them.

var eventTable = object.NewType(func(e *Event) *object.Extra { return &e.extra },
	object.String("kind", func(e *Event) *string { return &e.Kind }),
	object.String("etag", func(e *Event) *string { return &e.ETag }),
	object.String("id", func(e *Event) *string { return &e.ID }),
	object.String("status", func(e *Event) *string { return &e.Status }),
	object.String("htmlLink", func(e *Event) *string { return &e.HTMLLink }),
	object.String("created", func(e *Event) *string { return &e.Created }),
	object.String("updated", func(e *Event) *string { return &e.Updated }),
	object.String("summary", func(e *Event) *string { return &e.Summary }),
	object.String("description", func(e *Event) *string { return &e.Description }),
	object.String("location", func(e *Event) *string { return &e.Location }),
	object.String("colorId", func(e *Event) *string { return &e.ColorID }),
	object.OptString("eventLabelId", func(e *Event) **string { return &e.EventLabelID }),
	object.Object("creator", func(e *Event) **Person { return &e.Creator }, personTable),
	object.Object("organizer", func(e *Event) **Person { return &e.Organizer }, personTable),
	object.Object("start", func(e *Event) **Time { return &e.Start }, timeTable),
	object.Object("end", func(e *Event) **Time { return &e.End }, timeTable),
	object.Bool("endTimeUnspecified", func(e *Event) *bool { return &e.EndTimeUnspecified }),
	object.Strings("recurrence", func(e *Event) *[]string { return &e.Recurrence }),
	object.String("recurringEventId", func(e *Event) *string { return &e.RecurringEventID }),
	object.Object("originalStartTime", func(e *Event) **Time { return &e.OriginalStartTime }, timeTable),
	object.String("transparency", func(e *Event) *string { return &e.Transparency }),
	object.String("visibility", func(e *Event) *string { return &e.Visibility }),
	object.String("iCalUID", func(e *Event) *string { return &e.ICalUID }),
	object.Int("sequence", func(e *Event) *int64 { return &e.Sequence }),
	object.Array("attendees", func(e *Event) *[]Attendee { return &e.Attendees }, attendeeTable),
	object.Bool("attendeesOmitted", func(e *Event) *bool { return &e.AttendeesOmitted }),
	object.Object("extendedProperties", func(e *Event) **ExtendedProperties { return &e.ExtendedProperties }, extendedPropertiesTable),
	object.String("videoLink", func(e *Event) *string { return &e.VideoLink }),
	object.Object("conferenceData", func(e *Event) **conference.Data { return &e.ConferenceData }, conference.Table),
	object.Object("gadget", func(e *Event) **Gadget { return &e.Gadget }, gadgetTable),
	object.Bool("anyoneCanAddSelf", func(e *Event) *bool { return &e.AnyoneCanAddSelf }),
	object.OptBool("guestsCanInviteOthers", func(e *Event) **bool { return &e.GuestsCanInviteOthers }),
	object.Bool("guestsCanModify", func(e *Event) *bool { return &e.GuestsCanModify }),
	object.OptBool("guestsCanSeeOtherGuests", func(e *Event) **bool { return &e.GuestsCanSeeOtherGuests }),
	object.Bool("privateCopy", func(e *Event) *bool { return &e.PrivateCopy }),
	object.Bool("locked", func(e *Event) *bool { return &e.Locked }),
	object.Object("reminders", func(e *Event) **Reminders { return &e.Reminders }, remindersTable),
	object.Object("source", func(e *Event) **Source { return &e.Source }, sourceTable),
	object.Object("workingLocationProperties", func(e *Event) **WorkingLocation { return &e.WorkingLocationProperties }, workingLocationTable),
	object.Object("outOfOfficeProperties", func(e *Event) **OutOfOffice { return &e.OutOfOfficeProperties }, outOfOfficeTable),
	object.Object("focusTimeProperties", func(e *Event) **FocusTime { return &e.FocusTimeProperties }, focusTimeTable),
	object.Array("attachments", func(e *Event) *[]Attachment { return &e.Attachments }, attachmentTable),
	object.Object("birthdayProperties", func(e *Event) **Birthday { return &e.BirthdayProperties }, birthdayTable),
	object.String("eventType", func(e *Event) *string { return &e.EventType }),
)

var timeTable = object.NewType(func(t *Time) *object.Extra { return &t.extra },
	object.String("date", func(t *Time) *string { return &t.Date }),
	object.String("dateTime", func(t *Time) *string { return &t.DateTime }),
	object.String("timeZone", func(t *Time) *string { return &t.TimeZone }),
)

var personTable = object.NewType(func(p *Person) *object.Extra { return &p.extra },
	object.String("id", func(p *Person) *string { return &p.ID }),
	object.String("email", func(p *Person) *string { return &p.Email }),
	object.String("displayName", func(p *Person) *string { return &p.DisplayName }),
	object.Bool("self", func(p *Person) *bool { return &p.Self }),
)

var attendeeTable = object.NewType(func(a *Attendee) *object.Extra { return &a.extra },
	object.String("id", func(a *Attendee) *string { return &a.ID }),
	object.String("email", func(a *Attendee) *string { return &a.Email }),
	object.String("displayName", func(a *Attendee) *string { return &a.DisplayName }),
	object.Bool("organizer", func(a *Attendee) *bool { return &a.Organizer }),
	object.Bool("self", func(a *Attendee) *bool { return &a.Self }),
	object.Bool("resource", func(a *Attendee) *bool { return &a.Resource }),
	object.Bool("optional", func(a *Attendee) *bool { return &a.Optional }),
	object.String("responseStatus", func(a *Attendee) *string { return &a.ResponseStatus }),
	object.String("comment", func(a *Attendee) *string { return &a.Comment }),
	object.Int("additionalGuests", func(a *Attendee) *int64 { return &a.AdditionalGuests }),
	object.String("asyncOperation", func(a *Attendee) *string { return &a.AsyncOperation }),
)

var extendedPropertiesTable = object.NewType(func(p *ExtendedProperties) *object.Extra { return &p.extra },
	object.StringMap("private", func(p *ExtendedProperties) *map[string]string { return &p.Private }),
	object.StringMap("shared", func(p *ExtendedProperties) *map[string]string { return &p.Shared }),
)

var gadgetTable = object.NewType(func(g *Gadget) *object.Extra { return &g.extra },
	object.String("type", func(g *Gadget) *string { return &g.Type }),
	object.String("title", func(g *Gadget) *string { return &g.Title }),
	object.String("link", func(g *Gadget) *string { return &g.Link }),
	object.String("iconLink", func(g *Gadget) *string { return &g.IconLink }),
	object.OptInt("width", func(g *Gadget) **int64 { return &g.Width }),
	object.OptInt("height", func(g *Gadget) **int64 { return &g.Height }),
	object.String("display", func(g *Gadget) *string { return &g.Display }),
	object.StringMap("preferences", func(g *Gadget) *map[string]string { return &g.Preferences }),
)

var remindersTable = object.NewType(func(r *Reminders) *object.Extra { return &r.extra },
	object.OptBool("useDefault", func(r *Reminders) **bool { return &r.UseDefault }),
	object.Array("overrides", func(r *Reminders) *[]Reminder { return &r.Overrides }, reminderTable),
)

var reminderTable = object.NewType(func(r *Reminder) *object.Extra { return &r.extra },
	object.String("method", func(r *Reminder) *string { return &r.Method }),
	object.OptInt("minutes", func(r *Reminder) **int64 { return &r.Minutes }),
)

var sourceTable = object.NewType(func(s *Source) *object.Extra { return &s.extra },
	object.String("title", func(s *Source) *string { return &s.Title }),
	object.String("url", func(s *Source) *string { return &s.URL }),
)

var workingLocationTable = object.NewType(func(w *WorkingLocation) *object.Extra { return &w.extra },
	object.String("type", func(w *WorkingLocation) *string { return &w.Type }),
	object.Any("homeOffice", func(w *WorkingLocation) *json.RawMessage { return &w.HomeOffice }),
	object.Object("customLocation", func(w *WorkingLocation) **CustomLocation { return &w.CustomLocation }, customLocationTable),
	object.Object("officeLocation", func(w *WorkingLocation) **OfficeLocation { return &w.OfficeLocation }, officeLocationTable),
)

var customLocationTable = object.NewType(func(c *CustomLocation) *object.Extra { return &c.extra },
	object.String("label", func(c *CustomLocation) *string { return &c.Label }),
)

var officeLocationTable = object.NewType(func(o *OfficeLocation) *object.Extra { return &o.extra },
	object.String("buildingId", func(o *OfficeLocation) *string { return &o.BuildingID }),
	object.String("floorId", func(o *OfficeLocation) *string { return &o.FloorID }),
	object.String("floorSectionId", func(o *OfficeLocation) *string { return &o.FloorSectionID }),
	object.String("deskId", func(o *OfficeLocation) *string { return &o.DeskID }),
	object.String("label", func(o *OfficeLocation) *string { return &o.Label }),
)

var outOfOfficeTable = object.NewType(func(o *OutOfOffice) *object.Extra { return &o.extra },
	object.String("autoDeclineMode", func(o *OutOfOffice) *string { return &o.AutoDeclineMode }),
	object.String("declineMessage", func(o *OutOfOffice) *string { return &o.DeclineMessage }),
)

var focusTimeTable = object.NewType(func(f *FocusTime) *object.Extra { return &f.extra },
	object.String("autoDeclineMode", func(f *FocusTime) *string { return &f.AutoDeclineMode }),
	object.String("chatStatus", func(f *FocusTime) *string { return &f.ChatStatus }),
	object.String("declineMessage", func(f *FocusTime) *string { return &f.DeclineMessage }),
)

var attachmentTable = object.NewType(func(a *Attachment) *object.Extra { return &a.extra },
	object.String("fileUrl", func(a *Attachment) *string { return &a.FileURL }),
	object.String("title", func(a *Attachment) *string { return &a.Title }),
	object.String("mimeType", func(a *Attachment) *string { return &a.MIMEType }),
	object.String("iconLink", func(a *Attachment) *string { return &a.IconLink }),
	object.String("fileId", func(a *Attachment) *string { return &a.FileID }),
)

var birthdayTable = object.NewType(func(b *Birthday) *object.Extra { return &b.extra },
	object.String("contact", func(b *Birthday) *string { return &b.Contact }),
	object.String("type", func(b *Birthday) *string { return &b.Type }),
	object.String("customTypeName", func(b *Birthday) *string { return &b.CustomTypeName }),
)
