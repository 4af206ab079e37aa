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

// newValidator returns a validator that knows the tags. A program makes one and keeps it.
func newValidator() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	if err := tags.Register(v); err != nil {
		log.Fatal(err)
	}
	return v
}

// An Event carries the tags.
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

// A struct of one's own holds to the same rules, and has its own JSON names in the findings.
func Example_ownStruct() {
	type Guest struct {
		Mail string `json:"mail" validate:"present=attendee.email.required,addrspec"`
	}
	type Booking struct {
		Room   string            `json:"room" validate:"required"`
		Zone   string            `json:"zone,omitempty" validate:"omitempty,ianazone"`
		Repeat []string          `json:"repeat" validate:"dive,rruleline"`
		Guests map[string]*Guest `json:"guests" validate:"dive"`
		Lead   *int64            `json:"lead" validate:"omitempty,reminderminutes"`
	}
	booking := Booking{
		Zone:   "Middle-earth/Shire",
		Repeat: []string{"RRULE:FREQ=DAILY;COUNT=0"},
		Guests: map[string]*Guest{"host/1": {Mail: "ada"}},
		Lead:   new(int64(40321)),
	}
	fmt.Println(tags.Findings(newValidator().Struct(booking)).Err())
	// Output:
	// /room: The room fails the tag required. [validator.required]
	// /zone: The zone is "Middle-earth/Shire"; it must be a name of the IANA Time Zone Database such as Europe/Berlin. [time.zone.iana]
	// /repeat/0: The repeat[0] is refused: At byte 23: COUNT="0" is below 1; write 1 or more, or leave it out. [recurrence.rule.count-until]
	// /guests/host~11/mail: The mail is "ada"; it must be an addr-spec of RFC 5322 such as ada@example.com. [attendee.email.address]
	// /lead: The lead is 40321; it must be 0 to 40320 minutes. [reminders.minutes]
}

// The tags are those of an insert. Of what a server returned, the rules about responses count.
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

func ExampleTable() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, tag := range tags.Table() {
		name := tag.Name
		if tag.Param != "" {
			name += "=" + tag.Param
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, tag.Holds, cmp.Or(strings.Join(tag.Rules, " "), tag.Param))
	}
	w.Flush()
	// Output:
	// present=RULE         there: a text that is not empty, or what is not nil                                    RULE
	// eventkind            "calendar#event"                                                                       event.kind
	// eventid              5 to 1024 characters of a to v and 0 to 9                                              event.id.alphabet event.id.length
	// eventstatus          confirmed, tentative or cancelled                                                      event.status.enum
	// rruleline            an RRULE, EXRULE, RDATE or EXDATE line of RFC 5545                                     recurrence.line.name recurrence.line.dtstart recurrence.line.syntax recurrence.rule.part recurrence.rule.count-until recurrence.rule.by-part recurrence.dates.form
	// transparency         opaque or transparent                                                                  event.transparency.enum
	// visibility           default, public, private or confidential                                               event.visibility.enum
	// icalsequence         0 or more                                                                              event.sequence
	// propertykey          a text of at most 44 characters                                                        event.extended-properties.size
	// propertyvalue        a text of at most 1024 characters                                                      event.extended-properties.size
	// gadgetsize           1 or more                                                                              gadget.size
	// gadgetdisplay        icon or chip                                                                           gadget.display.enum
	// attachmentsmax       a list of at most 25                                                                   attachments.max
	// eventtype            birthday, default, focusTime, fromMail, outOfOffice or workingLocation                 event.type.enum
	// neweventtype         a type that a client can create: not fromMail                                          event.type.from-mail
	// fulldate             a day that the calendar has, written yyyy-mm-dd                                        time.date.format
	// rfc3339              an RFC 3339 timestamp such as 2026-03-10T09:00:00-04:00                                time.datetime.format
	// eventdatetime        an RFC 3339 timestamp, of which the offset may be missing                              time.datetime.format
	// offset=ZONE          with an offset, or beside a time zone                                                  time.offset
	// ianazone             a name of the IANA Time Zone Database such as Europe/Berlin                            time.zone.iana
	// addrspec             an addr-spec of RFC 5322 such as ada@example.com                                       attendee.email.address
	// responsestatus       needsAction, declined, tentative or accepted                                           attendee.response.enum
	// additionalguests     0 or more                                                                              attendee.guests
	// asyncoperation       inProgress                                                                             attendee.async-operation
	// conferencestatus     pending, success or failure                                                            conference.request.status
	// conferencetype       eventVideo, eventNamedVideo, videoMeet or addOn                                        conference.type.enum
	// newconferencetype    a type that can be created: not eventVideo or eventNamedVideo                          conference.type.create
	// meetingcode          three, four and three letters joined by hyphens, such as abc-mnop-xyz                  conference.id.form
	// conferencenotes      a text of at most 2048 characters                                                      conference.notes
	// entrypointtype       video, phone, sip or more                                                              conference.entry.type
	// entryuri=TYPE        a URI of at most 1300 characters that goes with the type                               conference.entry.uri
	// httpurl              a URL of scheme http or https, such as https://example.com/                            source.url
	// teluri               a URI of scheme tel                                                                    conference.entry.uri
	// sipuri               a URI of scheme sip                                                                    conference.entry.uri
	// entrylabel           a text of at most 512 characters                                                       conference.entry.label
	// entrycode            a text of at most 128 characters                                                       conference.entry.code
	// overridesmax         a list of at most 5                                                                    reminders.overrides.max
	// remindermethod       email or popup                                                                         reminders.method
	// reminderminutes      0 to 40320 minutes                                                                     reminders.minutes
	// autodeclinemode      declineNone, declineAllConflictingInvitations or declineOnlyNewConflictingInvitations  focus-time.auto-decline
	// chatstatus           available or doNotDisturb                                                              focus-time.chat-status
	// birthdaytype         anniversary, birthday, custom, other or self                                           birthday.type.enum
	// newbirthdaytype      the type that a client can create: birthday                                            birthday.type.create
	// contactname          a resource name of the shape people/<contact_id>                                       birthday.contact
	// workinglocationtype  homeOffice, officeLocation or customLocation                                           working-location.type
	// featureversion       0 to 1 as version                                                                      insert.param.range
	// maxattendees         1 or more                                                                              insert.param.max-attendees
	// sendupdates          all, externalOnly or none                                                              insert.param.send-updates
}
