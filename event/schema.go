package event

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/recurrence"
)

//go:generate go run ../internal/object/gen Event

// A schema contains the tables, which declare the members of the Event resource in the documents' order: their names, fields
// and types, their constraints with the corresponding rules, and whether clients may write them. Decoding, encoding, copying,
// comparison, the defaults, the checks of single values, schema_gen.go, package tags, the reference documentation and the
// generators of package fuzz are based on the declarations in the tables. The parts of an event are decoded, encoded and
// compared on their own in the same way as within an event: without loss, and with absent, null and zero members treated as
// equal.
type schema struct {
	event              *object.Table[*Event]
	time               *object.Table[*Time]
	person             *object.Table[*Person]
	organizer          *object.Table[*Person]
	attendee           *object.Table[*Attendee]
	extendedProperties *object.Table[*ExtendedProperties]
	gadget             *object.Table[*Gadget]
	reminders          *object.Table[*Reminders]
	reminder           *object.Table[*Reminder]
	source             *object.Table[*Source]
	workingLocation    *object.Table[*WorkingLocation]
	customLocation     *object.Table[*CustomLocation]
	officeLocation     *object.Table[*OfficeLocation]
	outOfOffice        *object.Table[*OutOfOffice]
	focusTime          *object.Table[*FocusTime]
	attachment         *object.Table[*Attachment]
	birthday           *object.Table[*Birthday]

	defaults Event // an event with the documented defaults, which is never modified

	// Sets of members, according to their declarations.
	immutable      object.Set
	keptByUpdate   object.Set
	service        object.Set // the members that only the service writes, and the organizer
	lockable       object.Set
	mainData       object.Set // the members whose changes affect the updated member
	freeInMail     object.Set
	freeInBirthday object.Set
	omitted        object.Set
}

var (
	made       schema
	making     sync.Once
	makeSchema func() // set by init, because the tables in an initializer would be an initialization cycle with the rules
)

func init() {
	makeSchema = func() {
		made.makeParts()
		made.makeEvent()
		made.makeSets()
	}
}

// tables returns the schema, which the first call makes: a program may link the package without checking an event.
func tables() *schema {
	making.Do(makeSchema)
	return &made
}

// Traits of members.
const (
	immutable      object.Trait = 1 << iota // the member cannot change after the event is created
	setOnce                                 // once the member has a value, changing it has no effect
	keptByUpdate                            // an update that omits the member does not change it
	lockable                                // the member cannot change on a locked copy
	notMainData                             // changing the member does not affect the updated member
	freeInMail                              // the member can change in an event of type fromMail
	freeInBirthday                          // the member can change in a contact's birthday
	omitted                                 // the public service omits an empty or default value from responses
)

func (t *schema) makeParts() {
	t.time = object.NewTable(func(t *Time) *object.Extra { return &t.extra },
		object.String("date", func(t *Time) *string { return &t.Date }).
			Must(constraint.FullDate, &timeDateFormat),
		object.String("dateTime", func(t *Time) *string { return &t.DateTime }).
			Must(constraint.EventDateTime, &timeDateTimeFormat),
		object.String("timeZone", func(t *Time) *string { return &t.TimeZone }).
			Must(constraint.IANAZone, &timeZoneIANA),
	)
	t.person = makePersonTable(func(email object.Member[*Person]) object.Member[*Person] { return email })
	t.organizer = makePersonTable(func(email object.Member[*Person]) object.Member[*Person] {
		return email.Must(constraint.AddrSpec, &organizerEmailAddress)
	})
	t.attendee = object.NewTable(func(a *Attendee) *object.Extra { return &a.extra },
		object.String("id", func(a *Attendee) *string { return &a.ID }),
		object.String("email", func(a *Attendee) *string { return &a.Email }).
			Require(&attendeeEmailRequired).
			OrKnownBy("id").
			Must(constraint.AddrSpec, &attendeeEmailAddress),
		object.String("displayName", func(a *Attendee) *string { return &a.DisplayName }),
		object.Bool("organizer", func(a *Attendee) *bool { return &a.Organizer }).
			ServerWritten(&eventReadOnly).
			WithDefault("false"),
		object.Bool("self", func(a *Attendee) *bool { return &a.Self }).
			ServerWritten(&eventReadOnly).
			WithDefault("false"),
		object.Bool("resource", func(a *Attendee) *bool { return &a.Resource }).
			WithDefault("false"),
		object.Bool("optional", func(a *Attendee) *bool { return &a.Optional }).
			WithDefault("false"),
		object.String("responseStatus", func(a *Attendee) *string { return &a.ResponseStatus }).
			Must(constraint.ResponseStatus, &attendeeResponseEnum),
		object.String("comment", func(a *Attendee) *string { return &a.Comment }),
		object.Int("additionalGuests", func(a *Attendee) *int64 { return &a.AdditionalGuests }).
			Must(constraint.AdditionalGuests, &attendeeGuests).
			WithDefault("0"),
		object.String("asyncOperation", func(a *Attendee) *string { return &a.AsyncOperation }).
			ServerWritten(&eventReadOnly).
			Must(constraint.AsyncOperation, &attendeeAsyncOperation),
	).WithNonZero((*Attendee).nonZero)
	t.extendedProperties = object.NewTable(func(p *ExtendedProperties) *object.Extra { return &p.extra },
		object.StringMap("private", func(p *ExtendedProperties) *map[string]string { return &p.Private }).
			OfType(&extendedProperties).
			MustMap(constraint.PropertyKey, constraint.PropertyValue, &extendedPropertiesSize),
		object.StringMap("shared", func(p *ExtendedProperties) *map[string]string { return &p.Shared }).
			OfType(&extendedProperties).
			MustMap(constraint.PropertyKey, constraint.PropertyValue, &extendedPropertiesSize),
	)
	t.gadget = object.NewTable(func(g *Gadget) *object.Extra { return &g.extra },
		object.String("type", func(g *Gadget) *string { return &g.Type }),
		object.String("title", func(g *Gadget) *string { return &g.Title }),
		object.String("link", func(g *Gadget) *string { return &g.Link }).
			ServerWritten(&eventServerSet),
		object.String("iconLink", func(g *Gadget) *string { return &g.IconLink }).
			ServerWritten(&eventServerSet),
		object.OptInt("width", func(g *Gadget) **int64 { return &g.Width }).
			Must(constraint.GadgetSize, &gadgetSize),
		object.OptInt("height", func(g *Gadget) **int64 { return &g.Height }).
			Must(constraint.GadgetSize, &gadgetSize),
		object.String("display", func(g *Gadget) *string { return &g.Display }).
			Must(constraint.GadgetDisplay, &gadgetDisplay),
		object.StringMap("preferences", func(g *Gadget) *map[string]string { return &g.Preferences }).
			OfType(&gadgetPreferences),
	)
	t.reminder = object.NewTable(func(r *Reminder) *object.Extra { return &r.extra },
		object.String("method", func(r *Reminder) *string { return &r.Method }).
			Require(&remindersMethod).
			Must(constraint.ReminderMethod, &remindersMethod),
		object.OptInt("minutes", func(r *Reminder) **int64 { return &r.Minutes }).
			Require(&remindersMinutes).
			Must(constraint.ReminderMinutes, &remindersMinutes),
	)
	t.reminders = object.NewTable(func(r *Reminders) *object.Extra { return &r.extra },
		object.OptBool("useDefault", func(r *Reminders) **bool { return &r.UseDefault }),
		object.Array("overrides", func(r *Reminders) *[]Reminder { return &r.Overrides }, t.reminder,
			object.Pairings[Reminder]{Identity: object.ByContent(t.reminder)}).
			Must(constraint.ReminderOverrides, &remindersMax),
	)
	t.source = object.NewTable(func(s *Source) *object.Extra { return &s.extra },
		object.String("title", func(s *Source) *string { return &s.Title }),
		object.String("url", func(s *Source) *string { return &s.URL }).
			Must(constraint.HTTPScheme, &sourceURL).
			MustIf(constraint.HTTPURL, &sourceURLForm, "with that scheme"),
	)
	t.customLocation = object.NewTable(func(c *CustomLocation) *object.Extra { return &c.extra },
		object.String("label", func(c *CustomLocation) *string { return &c.Label }),
	)
	t.officeLocation = object.NewTable(func(o *OfficeLocation) *object.Extra { return &o.extra },
		object.String("buildingId", func(o *OfficeLocation) *string { return &o.BuildingID }),
		object.String("floorId", func(o *OfficeLocation) *string { return &o.FloorID }),
		object.String("floorSectionId", func(o *OfficeLocation) *string { return &o.FloorSectionID }),
		object.String("deskId", func(o *OfficeLocation) *string { return &o.DeskID }),
		object.String("label", func(o *OfficeLocation) *string { return &o.Label }),
	)
	t.workingLocation = object.NewTable(func(w *WorkingLocation) *object.Extra { return &w.extra },
		object.String("type", func(w *WorkingLocation) *string { return &w.Type }).
			Require(&workingLocationType).
			Must(constraint.WorkingLocationType, &workingLocationType),
		object.Any("homeOffice", func(w *WorkingLocation) *json.RawMessage { return &w.HomeOffice }),
		object.Object("customLocation", func(w *WorkingLocation) **CustomLocation { return &w.CustomLocation }, t.customLocation),
		object.Object("officeLocation", func(w *WorkingLocation) **OfficeLocation { return &w.OfficeLocation }, t.officeLocation),
	)
	t.outOfOffice = object.NewTable(func(o *OutOfOffice) *object.Extra { return &o.extra },
		object.String("autoDeclineMode", func(o *OutOfOffice) *string { return &o.AutoDeclineMode }).
			Must(constraint.AutoDeclineMode, &outOfOfficeAutoDecline),
		object.String("declineMessage", func(o *OutOfOffice) *string { return &o.DeclineMessage }),
	)
	t.focusTime = object.NewTable(func(f *FocusTime) *object.Extra { return &f.extra },
		object.String("autoDeclineMode", func(f *FocusTime) *string { return &f.AutoDeclineMode }).
			Must(constraint.AutoDeclineMode, &focusTimeAutoDecline),
		object.String("chatStatus", func(f *FocusTime) *string { return &f.ChatStatus }).
			Must(constraint.ChatStatus, &focusTimeChatStatus),
		object.String("declineMessage", func(f *FocusTime) *string { return &f.DeclineMessage }),
	)
	t.attachment = object.NewTable(func(a *Attachment) *object.Extra { return &a.extra },
		object.String("fileUrl", func(a *Attachment) *string { return &a.FileURL }).
			Require(&attachmentsFileURL),
		object.String("title", func(a *Attachment) *string { return &a.Title }),
		object.String("mimeType", func(a *Attachment) *string { return &a.MIMEType }),
		object.String("iconLink", func(a *Attachment) *string { return &a.IconLink }).
			ServerWritten(&eventServerSet),
		object.String("fileId", func(a *Attachment) *string { return &a.FileID }).
			ServerWritten(&eventReadOnly),
	)
	t.birthday = object.NewTable(func(b *Birthday) *object.Extra { return &b.extra },
		object.String("contact", func(b *Birthday) *string { return &b.Contact }).
			ServerWritten(&eventReadOnly).
			Must(constraint.ContactName, &birthdayContact),
		object.String("type", func(b *Birthday) *string { return &b.Type }).
			Must(constraint.BirthdayType, &birthdayTypeEnum).
			Must(constraint.NewBirthdayType, &birthdayTypeCreate).
			WithDefault("birthday"),
		object.String("customTypeName", func(b *Birthday) *string { return &b.CustomTypeName }).
			ServerWritten(&eventReadOnly),
	)
}

// makePersonTable returns a table for [Person], and uses declare to complete the declaration of the email.
func makePersonTable(declare func(email object.Member[*Person]) object.Member[*Person]) *object.Table[*Person] {
	return object.NewTable(func(p *Person) *object.Extra { return &p.extra },
		object.String("id", func(p *Person) *string { return &p.ID }),
		declare(object.String("email", func(p *Person) *string { return &p.Email })),
		object.String("displayName", func(p *Person) *string { return &p.DisplayName }),
		object.Bool("self", func(p *Person) *bool { return &p.Self }).
			ServerWritten(&eventReadOnly).
			WithDefault("false"),
	)
}

func (t *schema) makeEvent() {
	t.event = object.NewTable(func(e *Event) *object.Extra { return &e.extra },
		object.String("kind", func(e *Event) *string { return &e.Kind }).
			ServerWritten(nil).
			Must(constraint.Kind, &eventKind).
			With(notMainData),
		object.String("etag", func(e *Event) *string { return &e.ETag }).
			ServerWritten(&eventServerSet).
			With(notMainData),
		object.String("id", func(e *Event) *string { return &e.ID }).
			WrittenOn(diag.Create).
			Must(constraint.EventIDCharacters, &eventIDAlphabet).
			Must(constraint.EventIDLength, &eventIDLength).
			With(immutable|keptByUpdate),
		object.String("status", func(e *Event) *string { return &e.Status }).
			Must(constraint.EventStatus, &statusEnum).
			WithDefault(constraint.StatusConfirmed).
			With(freeInMail),
		object.String("htmlLink", func(e *Event) *string { return &e.HTMLLink }).
			ServerWritten(&eventServerSet),
		object.String("created", func(e *Event) *string { return &e.Created }).
			ServerWritten(&eventReadOnly).
			Must(constraint.Timestamp, &eventTimestamps).
			With(notMainData),
		object.String("updated", func(e *Event) *string { return &e.Updated }).
			ServerWritten(&eventReadOnly).
			Must(constraint.Timestamp, &eventTimestamps).
			With(notMainData),
		object.String("summary", func(e *Event) *string { return &e.Summary }).
			With(lockable|freeInBirthday|omitted),
		object.String("description", func(e *Event) *string { return &e.Description }).
			With(lockable|omitted),
		object.String("location", func(e *Event) *string { return &e.Location }).
			With(lockable|omitted),
		object.String("colorId", func(e *Event) *string { return &e.ColorID }).
			With(freeInMail|freeInBirthday),
		object.OptString("eventLabelId", func(e *Event) **string { return &e.EventLabelID }).
			With(freeInMail|freeInBirthday),
		object.Object("creator", func(e *Event) **Person { return &e.Creator }, t.person).
			ServerWritten(&eventReadOnly),
		object.Object("organizer", func(e *Event) **Person { return &e.Organizer }, t.organizer).
			WrittenOn(diag.Import),
		object.Object("start", func(e *Event) **Time { return &e.Start }, t.time).
			Require(&startRequired, &startEndRequired).
			With(lockable),
		object.Object("end", func(e *Event) **Time { return &e.End }, t.time).
			Require(&endRequired, &startEndRequired).
			With(lockable),
		object.Bool("endTimeUnspecified", func(e *Event) *bool { return &e.EndTimeUnspecified }).
			WithDefault("false"),
		object.Strings("recurrence", func(e *Event) *[]string { return &e.Recurrence }).
			Must(constraint.RecurrenceLine, ruleOf(recurrence.Rules(), ruleid.RecurrenceLineName)).
			With(lockable|omitted),
		object.String("recurringEventId", func(e *Event) *string { return &e.RecurringEventID }).
			With(immutable|keptByUpdate),
		object.Object("originalStartTime", func(e *Event) **Time { return &e.OriginalStartTime }, t.time).
			With(immutable|keptByUpdate),
		object.String("transparency", func(e *Event) *string { return &e.Transparency }).
			Must(constraint.Transparency, &transparencyEnum).
			WithDefault("opaque").
			With(freeInMail|omitted),
		object.String("visibility", func(e *Event) *string { return &e.Visibility }).
			Must(constraint.Visibility, &visibilityEnum).
			WithDefault("default").
			With(freeInMail|omitted),
		object.String("iCalUID", func(e *Event) *string { return &e.ICalUID }).
			Require(&iCalUIDRequired).
			With(setOnce|keptByUpdate),
		object.Int("sequence", func(e *Event) *int64 { return &e.Sequence }).
			Must(constraint.ICalSequence, &sequenceNegative),
		object.Array("attendees", func(e *Event) *[]Attendee { return &e.Attendees }, t.attendee,
			object.Pairings[Attendee]{Identity: pairAttendees, MayBeKnown: func(a *Attendee) bool { return a.ID != "" }}).
			With(freeInMail|omitted),
		object.Bool("attendeesOmitted", func(e *Event) *bool { return &e.AttendeesOmitted }).
			WithDefault("false").
			With(freeInMail|freeInBirthday), // the member is about the representation
		object.Object("extendedProperties", func(e *Event) **ExtendedProperties { return &e.ExtendedProperties }, t.extendedProperties).
			With(freeInMail),
		object.String("videoLink", func(e *Event) *string { return &e.VideoLink }).
			ServerWritten(&eventServerSet),
		object.Object("conferenceData", func(e *Event) **conference.Data { return &e.ConferenceData }, conference.Schema()).
			CheckedElsewhere(),
		object.Object("gadget", func(e *Event) **Gadget { return &e.Gadget }, t.gadget),
		object.Bool("anyoneCanAddSelf", func(e *Event) *bool { return &e.AnyoneCanAddSelf }).
			WithDefault("false").
			With(omitted),
		object.OptBool("guestsCanInviteOthers", func(e *Event) **bool { return &e.GuestsCanInviteOthers }).
			WithDefault("true"),
		object.Bool("guestsCanModify", func(e *Event) *bool { return &e.GuestsCanModify }).
			WithDefault("false").
			With(omitted),
		object.OptBool("guestsCanSeeOtherGuests", func(e *Event) **bool { return &e.GuestsCanSeeOtherGuests }).
			WithDefault("true"),
		object.Bool("privateCopy", func(e *Event) *bool { return &e.PrivateCopy }).
			WithDefault("false").
			With(immutable|keptByUpdate),
		object.Bool("locked", func(e *Event) *bool { return &e.Locked }).
			ServerWritten(&eventReadOnly).
			WithDefault("false"),
		object.Object("reminders", func(e *Event) **Reminders { return &e.Reminders }, t.reminders).
			With(notMainData|freeInMail|freeInBirthday),
		object.Object("source", func(e *Event) **Source { return &e.Source }, t.source),
		object.Object("workingLocationProperties", func(e *Event) **WorkingLocation { return &e.WorkingLocationProperties }, t.workingLocation),
		object.Object("outOfOfficeProperties", func(e *Event) **OutOfOffice { return &e.OutOfOfficeProperties }, t.outOfOffice),
		object.Object("focusTimeProperties", func(e *Event) **FocusTime { return &e.FocusTimeProperties }, t.focusTime),
		object.Array("attachments", func(e *Event) *[]Attachment { return &e.Attachments }, t.attachment,
			object.Pairings[Attachment]{Identity: pairAttachments, Known: object.ByContent(t.attachment)}).
			Must(constraint.Attachments, &attachmentsMax).
			With(omitted),
		object.Object("birthdayProperties", func(e *Event) **Birthday { return &e.BirthdayProperties }, t.birthday).
			With(immutable|keptByUpdate),
		object.String("eventType", func(e *Event) *string { return &e.EventType }).
			WrittenOn(diag.Create).
			Must(constraint.EventType, &eventTypeEnum).
			Must(constraint.NewEventType, &eventTypeFromMail).
			WithDefault("default").
			With(immutable|keptByUpdate),
	).WithNonZero((*Event).nonZero)
}

func (t *schema) makeSets() {
	with := func(trait object.Trait) object.Set {
		return t.event.Where(func(d *object.Declaration) bool { return d.Traits&trait != 0 })
	}
	t.immutable, t.keptByUpdate = with(immutable), with(keptByUpdate)
	t.lockable, t.mainData = with(lockable), ^with(notMainData)
	t.freeInMail, t.freeInBirthday = with(freeInMail), with(freeInBirthday)
	t.omitted = with(omitted)
	t.event.SetDefaults(&t.defaults)
	t.service = ofOrganizer | t.event.Where(func(d *object.Declaration) bool { return d.Writer == object.Service })
}

// Sets of related members.
const (
	ofSeries      = ofStart | ofRecurrence
	permissions   = ofGuestsCanInviteOthers | ofGuestsCanModify | ofGuestsCanSeeOtherGuests
	sharedMembers = ofSummary | ofDescription | ofLocation | ofStart | ofEnd | ofRecurrence | ofConferenceData | ofAttachments // only the organizer can change these members
)

// when returns s if isTrue is set, and the empty set otherwise.
func when(s object.Set, isTrue bool) object.Set {
	if isTrue {
		return s
	}
	return 0
}

// ruleOf returns the rule with the given id.
func ruleOf(rules []*diag.Rule, id string) *diag.Rule {
	return rules[slices.IndexFunc(rules, func(r *diag.Rule) bool { return r.ID == id })]
}
