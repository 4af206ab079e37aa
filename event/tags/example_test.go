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
	for _, f := range tags.Translate(newValidator().Struct(ev)) {
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
		Mail string `json:"mail" validate:"cal_present=attendee.email.required,cal_addrspec"`
	}
	type Booking struct {
		Room   string            `json:"room" validate:"required"`
		Day    string            `json:"day,omitempty" validate:"omitempty,cal_fulldate"`
		Repeat []string          `json:"repeat" validate:"dive,cal_rruleline"`
		Guests map[string]*Guest `json:"guests" validate:"dive"`
		Lead   *int64            `json:"lead" validate:"omitempty,cal_reminderminutes"`
	}
	booking := Booking{
		Day:    "2026-02-29",
		Repeat: []string{"RRULE:FREQ=DAILY;COUNT=0"},
		Guests: map[string]*Guest{"host/1": {Mail: "ada"}},
		Lead:   new(int64(40321)),
	}
	for _, f := range tags.Translate(newValidator().Struct(booking)) {
		fmt.Println(f.Path, f.Rule.ID)
	}
	// Output:
	// /room validator.required
	// /day time.date.format
	// /repeat/0 recurrence.rule.count-until
	// /guests/host~11/mail attendee.email.address
	// /lead reminders.minutes
}

// The tags are those of an insert. For an event that the service returned, only the rules that apply to responses matter.
func ExampleTranslate_response() {
	var returned event.Event
	if err := json.Unmarshal([]byte(`{"id":"_8D9LCGRFDPR6ASJK","status":"gone","eventType":"fromMail"}`), &returned); err != nil {
		log.Fatal(err)
	}
	for _, f := range tags.Translate(newValidator().Struct(&returned)) {
		fmt.Println(f.Rule.When.Has(diag.Response), f.Path, f.Rule.ID)
	}
	// Output:
	// false /id event.id.alphabet
	// true /status event.status.enum
	// false /start event.start.required
	// false /end event.end.required
	// false /eventType event.type.from-mail
}

// The tags do not collide with those of the program.
func ExampleRegister() {
	v := validator.New()
	if err := v.RegisterValidation("visibility", func(f validator.FieldLevel) bool { return f.Field().Int() < 3 }); err != nil {
		log.Fatal(err)
	}
	if err := tags.Register(v); err != nil {
		log.Fatal(err)
	}
	type booking struct {
		Stars      int    `json:"stars" validate:"visibility"`
		Visibility string `json:"visibility" validate:"cal_visibility"`
	}
	for _, f := range tags.Translate(v.Struct(booking{Stars: 5, Visibility: "hidden"})) {
		fmt.Println(f.Path, f.Rule.ID)
	}
	// Output:
	// /stars validator.visibility
	// /visibility event.visibility.enum
}

func ExampleTable() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, tag := range tags.Table()[:6] { // the others are those of one constraint each
		name := tag.Name
		if tag.Param != "" {
			name += "=" + tag.Param
		}
		fmt.Fprintf(w, "%s\t%s\n", name, cmp.Or(strings.Join(tag.Rules, " "), tag.Param))
	}
	w.Flush()
	// Output:
	// cal_present=RULE   RULE
	// cal_eventid        event.id.alphabet event.id.length
	// cal_rruleline      recurrence.line.name recurrence.line.dtstart recurrence.line.syntax recurrence.rule.part recurrence.rule.count-until recurrence.rule.by-part recurrence.dates.form recurrence.dates.zone
	// cal_rfc3339        time.datetime.format
	// cal_offset=ZONE    time.offset
	// cal_entryuri=TYPE  conference.entry.uri
}
