package tags_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/tags"
)

// newValidator returns a validator with the tags. A program creates one and keeps it.
func newValidator() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	if err := tags.Register(v); err != nil {
		log.Fatal(err)
	}
	return v
}

// Register also registers tags for the fields of an Event.
func Example() {
	ev := &event.Event{
		ID:        "Weekly-Sync",
		Start:     &event.Time{DateTime: "2026-03-10T09:00:00", TimeZone: "Europe/Berlin"},
		Attendees: []event.Attendee{{Email: "ada@example.com"}, {Email: "Bob <bob@example.com>"}},
		Reminders: &event.Reminders{Overrides: []event.Reminder{{Method: "popup", Minutes: new(int64(0))}}},
	}
	for _, f := range tags.Findings(newValidator().Struct(ev)) {
		fmt.Println(f.Path, f.Rule.ID)
	}
	// Output:
	// /id event.id.alphabet
	// /end event.end.required
	// /attendees/1/email attendee.email.address
}

// The fields of other structs can have the same tags. Findings have their JSON names.
func Example_ownStruct() {
	type Guest struct {
		Mail string `json:"mail" validate:"present=attendee.email.required,addrspec"`
	}
	type Booking struct {
		Room   string            `json:"room" validate:"required"`
		Day    string            `json:"day,omitempty" validate:"omitempty,fulldate"`
		Repeat []string          `json:"repeat" validate:"dive,rruleline"`
		Guests map[string]*Guest `json:"guests" validate:"dive"`
		Lead   *int64            `json:"lead" validate:"omitempty,reminderminutes"`
	}
	booking := Booking{
		Day:    "2026-02-29",
		Repeat: []string{"RRULE:FREQ=DAILY;COUNT=0"},
		Guests: map[string]*Guest{"host/1": {Mail: "ada"}},
		Lead:   new(int64(40321)),
	}
	fmt.Println(tags.Findings(newValidator().Struct(booking)).Err())
	// Output:
	// /room: The room fails the tag required. [validator.required]
	// /day: The day is "2026-02-29"; it must be a calendar date in the form yyyy-mm-dd, such as 2026-03-10. [time.date.format]
	// /repeat/0: The repeat[0] is rejected: At byte 23: COUNT="0" is below 1; write 1 or more, or leave it out. [recurrence.rule.count-until]
	// /guests/host~11/mail: The mail is "ada"; it must be a valid RFC 5322 address, such as ada@example.com. [attendee.email.address]
	// /lead: The lead is 40321; it must be 0 to 40320. [reminders.minutes]
}

// The tags are those of an insert. For an event that the service returned, only the rules that
// apply to responses matter.
func ExampleFindings_response() {
	var returned event.Event
	if err := json.Unmarshal([]byte(`{"id":"_8D9LCGRFDPR6ASJK","status":"gone","eventType":"fromMail"}`), &returned); err != nil {
		log.Fatal(err)
	}
	for _, f := range tags.Findings(newValidator().Struct(&returned)) {
		fmt.Println(f.Rule.When.Has(diag.Response), f.Path, f.Rule.ID)
	}
	// Output:
	// false /id event.id.alphabet
	// true /status event.status.enum
	// false /start event.start.required
	// false /end event.end.required
	// false /eventType event.type.from-mail
}

// With a prefix, the tags do not collide with those of the program.
func ExamplePrefix() {
	v := validator.New()
	if err := v.RegisterValidation("visibility", func(f validator.FieldLevel) bool { return f.Field().Int() < 3 }); err != nil {
		log.Fatal(err)
	}
	fmt.Println(tags.Register(v))

	prefix := tags.Prefix("cal_")
	fmt.Println(tags.Register(v, prefix))
	type booking struct {
		Stars      int    `json:"stars" validate:"visibility"`
		Visibility string `json:"visibility" validate:"cal_visibility"`
	}
	for _, f := range tags.Findings(v.Struct(booking{Stars: 5, Visibility: "hidden"}), prefix) {
		fmt.Println(f.Path, f.Rule.ID)
	}
	// Output:
	// tags: the validator already has a tag or an alias "visibility"; register these tags with another prefix
	// <nil>
	// /stars validator.visibility
	// /visibility event.visibility.enum
}

func ExampleTable() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, tag := range tags.Table() {
		name := tag.Name
		if tag.Param != "" {
			name += "=" + tag.Param
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, tag.Want, cmp.Or(strings.Join(tag.Rules, " "), tag.Param))
	}
	w.Flush()
	// Output:
	// present=RULE         present and, if it is a string, not empty                                                                                RULE
	// eventid              5 to 1024 characters long and made of the letters a to v and the digits 0 to 9                                           event.id.alphabet event.id.length
	// rruleline            an RRULE, EXRULE, RDATE or EXDATE line of RFC 5545                                                                       recurrence.line.name recurrence.line.dtstart recurrence.line.syntax recurrence.rule.part recurrence.rule.count-until recurrence.rule.by-part recurrence.dates.form
	// rfc3339              an RFC 3339 timestamp with an offset, such as 2026-03-10T09:00:00-04:00                                                  time.datetime.format
	// offset=ZONE          a time with an offset such as Z, or next to a time zone                                                                  time.offset
	// entryuri=TYPE        at most 1300 characters long, with the scheme of its type: http or https for video and more, tel for phone, sip for sip  conference.entry.uri
	// kind                 calendar#event                                                                                                           event.kind
	// eventstatus          confirmed, tentative or cancelled                                                                                        event.status.enum
	// addrspec             a valid RFC 5322 address, such as ada@example.com                                                                        attendee.email.address event.organizer.email
	// fulldate             a calendar date in the form yyyy-mm-dd, such as 2026-03-10                                                               time.date.format
	// eventdatetime        an RFC 3339 timestamp, such as 2026-03-10T09:00:00-04:00                                                                 time.datetime.format
	// ianazone             a name in the IANA Time Zone Database, release 2025c, such as Europe/Berlin                                              time.zone.iana
	// transparency         opaque or transparent                                                                                                    event.transparency.enum
	// visibility           default, public, private or confidential                                                                                 event.visibility.enum
	// icalsequence         0 or more                                                                                                                event.sequence
	// responsestatus       needsAction, declined, tentative or accepted                                                                             attendee.response.enum
	// additionalguests     0 or more                                                                                                                attendee.guests
	// asyncoperation       inProgress                                                                                                               attendee.async-operation
	// propertykey          at most 44 characters long                                                                                               event.extended-properties.size
	// propertyvalue        at most 1024 characters long                                                                                             event.extended-properties.size
	// conferencetype       eventVideo, eventNamedVideo, videoMeet or addOn                                                                          conference.type.enum
	// newconferencetype    a type that clients can create: not eventVideo or eventNamedVideo, such as videoMeet                                     conference.type.create
	// createrequeststatus  pending, success or failure                                                                                              conference.request.status
	// entrypointtype       video, phone, sip or more                                                                                                conference.entry.type
	// httpurl              a URL with the scheme http or https, such as https://example.com/                                                        source.url conference.entry.uri
	// teluri               a tel: URI with the whole dial sequence, such as tel:+15550100                                                           conference.entry.uri
	// sipuri               a sip: URI, such as sip:ada@example.com                                                                                  conference.entry.uri
	// entrypointlabel      at most 512 characters long                                                                                              conference.entry.label
	// entrypointcode       at most 128 characters long                                                                                              conference.entry.code
	// meetingcode          three, four and three letters joined by hyphens, such as abc-mnop-xyz                                                    conference.id.form
	// conferencenotes      at most 2048 characters long                                                                                             conference.notes
	// gadgetsize           1 or more                                                                                                                gadget.size
	// gadgetdisplay        icon or chip                                                                                                             gadget.display.enum
	// reminderoverrides    at most 5 reminders                                                                                                      reminders.overrides.max
	// remindermethod       email or popup                                                                                                           reminders.method
	// reminderminutes      0 to 40320                                                                                                               reminders.minutes
	// workinglocationtype  homeOffice, officeLocation or customLocation                                                                             working-location.type
	// autodeclinemode      declineNone, declineAllConflictingInvitations or declineOnlyNewConflictingInvitations                                    focus-time.auto-decline out-of-office.auto-decline
	// chatstatus           available or doNotDisturb                                                                                                focus-time.chat-status
	// attachments          at most 25 attachments                                                                                                   attachments.max
	// contactname          a resource name of the form people/<contact_id>, such as people/c12345                                                   birthday.contact
	// birthdaytype         anniversary, birthday, custom, other or self                                                                             birthday.type.enum
	// newbirthdaytype      the type that clients can create, birthday                                                                               birthday.type.create
	// eventtype            birthday, default, focusTime, fromMail, outOfOffice or workingLocation                                                   event.type.enum
	// neweventtype         a type that clients can create: not fromMail, such as default                                                            event.type.from-mail
	// maxattendees         1 or more                                                                                                                insert.param.max-attendees
	// featureversion       0 to 1                                                                                                                   insert.param.range
	// sendupdates          all, externalOnly or none                                                                                                insert.param.send-updates
}
