package emulator_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
)

// What an intent answers, the official client carries out, and the calendar then shows what was meant.
func TestIntents(t *testing.T) {
	const (
		meeting = `{"id":"meeting","summary":"Review","start":{"dateTime":"2026-03-11T09:00:00Z"},"end":{"dateTime":"2026-03-11T10:30:00Z"},` +
			`"attendees":[{"email":"` + me + `"},{"email":"bob@example.com","responseStatus":"declined","comment":"ill"}],"extendedProperties":{"private":{"ticket":"7","room":"4"}}}`
		room = `{"id":"roommeeting","start":{"dateTime":"2026-03-11T09:00:00Z"},"end":{"dateTime":"2026-03-11T10:00:00Z"},"conferenceData":{"conferenceId":"abc-defg-hij",` +
			`"conferenceSolution":{"key":{"type":"addOn"},"name":"Rooms"},"entryPoints":[{"entryPointType":"video","uri":"https://rooms.example.com/abc"}]}}`
		standup = `{"id":"standup","summary":"Standup","start":{"dateTime":"2026-03-09T09:00:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-03-09T09:15:00","timeZone":"Europe/Berlin"},"recurrence":["RRULE:FREQ=DAILY;COUNT=6"]}`
		other   = `{"iCalUID":"planning@elsewhere.example","summary":"Planning","start":{"date":"2026-03-12"},"end":{"date":"2026-03-13"},"organizer":{"email":"ada@example.com"},"attendees":[{"email":"` + me + `"}]}`
	)
	at := func(day int) string { return fmt.Sprintf(`{"at":"2026-03-%02dT09:00:00"`, day) }
	of := func(show func(e *calendar.Event) any) func(official) any {
		return func(c official) any { return show(must[*calendar.Event](c.t)(c.Events.Get("primary", "meeting").Do())) }
	}
	tried := map[string]bool{}
	for _, test := range []struct {
		name   string // of the intent, and after a slash what is special
		with   string
		stored string // what is inserted before; "" for an event that is only given
		show   func(official) any
		want   any
	}{
		{"respond", `{"email":"` + me + `","status":"tentative","comment":"perhaps"}`, meeting, of(guestsOf), []string{me + " tentative perhaps", "bob@example.com declined ill"}},
		{"add-guest", `{"email":"ada@example.com"}`, meeting, of(guestsOf), []string{me + " needsAction ", "bob@example.com declined ill", "ada@example.com needsAction "}},
		{"remove-guest", `{"email":"bob@example.com"}`, meeting, of(guestsOf), []string{me + " needsAction "}},
		{"reschedule", `{"to":"2026-03-12T14:00:00Z"}`, meeting, official.shown, []string{"2026-03-12T14:00:00Z 2026-03-12T15:30:00Z Review"}},
		{"reschedule/series", `{"to":"2026-03-09T10:00:00"}`, standup, official.shown, []string{
			"2026-03-09T09:00:00Z 2026-03-09T09:15:00Z Standup", "2026-03-10T12:00:00Z 2026-03-10T12:15:00Z Demo", "2026-03-11T09:00:00Z 2026-03-11T09:15:00Z Standup",
			"2026-03-13T09:00:00Z 2026-03-13T09:15:00Z Late", "2026-03-14T09:00:00Z 2026-03-14T09:15:00Z Standup",
		}},
		{"reschedule/onto itself", `{"to":"2026-03-10T09:00:00"}`, standup, official.shown, []string{
			"2026-03-10T08:00:00Z 2026-03-10T08:15:00Z Standup", "2026-03-10T12:00:00Z 2026-03-10T12:15:00Z Demo", "2026-03-12T08:00:00Z 2026-03-12T08:15:00Z Standup",
			"2026-03-14T08:00:00Z 2026-03-14T08:15:00Z Late", "2026-03-15T08:00:00Z 2026-03-15T08:15:00Z Standup",
		}},
		{"cancel-instance", at(11) + `}`, standup, official.shown, []string{
			"2026-03-09T08:00:00Z 2026-03-09T08:15:00Z Standup", "2026-03-10T12:00:00Z 2026-03-10T12:15:00Z Demo",
			"2026-03-13T08:00:00Z 2026-03-13T08:15:00Z Late", "2026-03-14T08:00:00Z 2026-03-14T08:15:00Z Standup",
		}},
		{"restore-instance", at(12) + `}`, standup, official.shown, []string{
			"2026-03-09T08:00:00Z 2026-03-09T08:15:00Z Standup", "2026-03-10T12:00:00Z 2026-03-10T12:15:00Z Demo", "2026-03-11T08:00:00Z 2026-03-11T08:15:00Z Standup",
			"2026-03-12T08:00:00Z 2026-03-12T08:15:00Z Standup", "2026-03-13T08:00:00Z 2026-03-13T08:15:00Z Late", "2026-03-14T08:00:00Z 2026-03-14T08:15:00Z Standup",
		}},
		{"change-following", at(11) + `,"change":{"summary":"Daily","location":"Room 4"}}`, standup, official.shown, []string{
			"2026-03-09T08:00:00Z 2026-03-09T08:15:00Z Standup", "2026-03-10T12:00:00Z 2026-03-10T12:15:00Z Demo", "2026-03-11T08:00:00Z 2026-03-11T08:15:00Z Daily Room 4",
			"2026-03-13T08:00:00Z 2026-03-13T08:15:00Z Late Room 4", "2026-03-14T08:00:00Z 2026-03-14T08:15:00Z Daily Room 4",
		}},
		{"change-following/all", at(9) + `,"change":{"location":"Room 4"}}`, standup, official.shown, []string{
			"2026-03-09T08:00:00Z 2026-03-09T08:15:00Z Standup Room 4", "2026-03-10T12:00:00Z 2026-03-10T12:15:00Z Demo Room 4", "2026-03-11T08:00:00Z 2026-03-11T08:15:00Z Standup Room 4",
			"2026-03-13T08:00:00Z 2026-03-13T08:15:00Z Late Room 4", "2026-03-14T08:00:00Z 2026-03-14T08:15:00Z Standup Room 4",
		}},
		{"move-following", at(11) + `,"to":"2026-03-11T10:00:00"}`, standup, official.shown, []string{
			"2026-03-09T08:00:00Z 2026-03-09T08:15:00Z Standup", "2026-03-10T12:00:00Z 2026-03-10T12:15:00Z Demo", "2026-03-11T09:00:00Z 2026-03-11T09:15:00Z Standup",
			"2026-03-13T09:00:00Z 2026-03-13T09:15:00Z Late", "2026-03-14T09:00:00Z 2026-03-14T09:15:00Z Standup",
		}},
		{"end-following", at(10) + `}`, standup, official.shown, []string{"2026-03-09T08:00:00Z 2026-03-09T08:15:00Z Standup"}},
		{"end-following/all", at(9) + `}`, standup, official.shown, []string{}},
		{"request-conference", `{"type":"hangoutsMeet"}`, meeting, of(func(e *calendar.Event) any { return e.ConferenceData.CreateRequest.Status.StatusCode }), "success"},
		{"copy-conference", `{"other":` + room + `}`, meeting, of(func(e *calendar.Event) any { return e.ConferenceData.EntryPoints[0].Uri }), "https://rooms.example.com/abc"},
		{"set-private", `{"key":"ticket","value":"8"}`, meeting, of(private), map[string]string{"ticket": "8", "room": "4"}},
		{"clear-private", `{"key":"ticket"}`, meeting, of(private), map[string]string{"room": "4"}},
		{"make-id", `{}`, "", official.shown, []string{"2026-03-12 2026-03-13 Planning"}},
		{"insert-or-import", `{}`, "", official.shown, []string{"2026-03-12 2026-03-13 Planning"}},
		{"free-busy", `{"from":"2026-01-01","to":"2026-06-01","calendar":"primary"}`, meeting, official.shown, []string{"2026-03-11T09:00:00Z 2026-03-11T10:30:00Z Review"}},
		{"set-color", `{"color":"tomato"}`, meeting, of(func(e *calendar.Event) any { return e.ColorId }), "11"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newOfficial(t)
			verb, _, _ := strings.Cut(test.name, "/")
			tried[verb] = true
			line := map[string]any{"verb": verb, "with": json.RawMessage(test.with), "dialect": "google", "caller": map[string]string{"email": me}}
			switch {
			case test.stored == "":
				line["existing"] = json.RawMessage(other)
			case verb == "free-busy":
				c.insert(test.stored)
			default:
				line["existing"] = c.insert(test.stored)
			}
			if test.stored == standup {
				line["exceptions"] = c.change(map[string]string{
					"standup_20260310T080000Z": `{"summary":"Demo","start":{"dateTime":"2026-03-10T12:00:00Z"},"end":{"dateTime":"2026-03-10T12:15:00Z"}}`,
					"standup_20260312T080000Z": "",
					"standup_20260313T080000Z": `{"summary":"Late"}`,
				})
			}
			c.carryOut(line)
			same(t, "the calendar", test.want, test.show(c))
		})
	}
	for _, v := range batch.Verbs {
		if v.IsIntent() && !tried[v.Name] {
			t.Errorf("%s is not tried", v.Name)
		}
	}
}

func guestsOf(e *calendar.Event) any {
	var list []string
	for _, a := range e.Attendees {
		list = append(list, a.Email+" "+a.ResponseStatus+" "+a.Comment)
	}
	return list
}

func private(e *calendar.Event) any { return e.ExtendedProperties.Private }

// insert inserts an event, and returns it as it is stored.
func (c official) insert(text string) *calendar.Event {
	c.t.Helper()
	return must[*calendar.Event](c.t)(c.Events.Insert("primary", decode(c.t, text)).Do())
}

// change changes instances, or deletes those with an empty patch, and returns them as they are listed.
func (c official) change(patches map[string]string) (exceptions []*calendar.Event) {
	c.t.Helper()
	for id, patch := range patches {
		if patch != "" {
			must[*calendar.Event](c.t)(c.Events.Patch("primary", id, decode(c.t, patch)).Do())
		} else if err := c.Events.Delete("primary", id).Do(); err != nil {
			c.t.Fatal(err)
		}
	}
	list := must[*calendar.Events](c.t)(c.Events.List("primary").ShowDeleted(true).Do())
	return slices.DeleteFunc(list.Items, func(e *calendar.Event) bool { return e.RecurringEventId == "" })
}

// shown returns the times, the titles and the places of the events in the calendar.
func (c official) shown() any {
	list := []string{}
	for _, e := range must[*calendar.Events](c.t)(c.Events.List("primary").SingleEvents(true).OrderBy("startTime").Do()).Items {
		list = append(list, strings.TrimSpace(e.Start.Date+e.Start.DateTime+" "+e.End.Date+e.End.DateTime+" "+e.Summary+" "+e.Location))
	}
	return list
}

// carryOut sends the requests of an intent, a line of the batch form. None of them may be refused.
func (c official) carryOut(line map[string]any) {
	c.t.Helper()
	text, err := json.Marshal(line)
	if err != nil {
		c.t.Fatal(err)
	}
	var m batch.Making
	if err := m.UnmarshalJSON(text); err != nil {
		c.t.Fatalf("%s: %v", text, err)
	}
	made := batch.Make(&m)
	if made.Error != "" || len(made.Requests) == 0 {
		c.t.Fatalf("%s: %d requests, %s", text, len(made.Requests), made.Error)
	}
	for _, r := range made.Requests {
		if err := c.send(r.Request); err != nil {
			shown, _ := json.Marshal(r)
			c.t.Fatalf("%s: %v", shown, err)
		}
	}
}

// send sends a request.
func (c official) send(r event.Request) (err error) {
	var params []googleapi.CallOption
	for name, values := range r.Params {
		params = append(params, googleapi.QueryParameter(name, values...))
	}
	switch r.Op {
	case "events.insert":
		_, err = c.Events.Insert("primary", decode(c.t, string(r.Body))).Do(params...)
	case "events.import":
		_, err = c.Events.Import("primary", decode(c.t, string(r.Body))).Do(params...)
	case "events.patch":
		call := c.Events.Patch("primary", r.Existing.ID, decode(c.t, string(r.Body)))
		if r.IfMatch != "" {
			call.Header().Set("If-Match", r.IfMatch)
		}
		_, err = call.Do(params...)
	case "events.delete":
		call := c.Events.Delete("primary", r.Existing.ID)
		if r.IfMatch != "" {
			call.Header().Set("If-Match", r.IfMatch)
		}
		err = call.Do(params...)
	case "freebusy.query":
		query := new(calendar.FreeBusyRequest)
		if err := json.Unmarshal(r.Body, query); err != nil {
			return err
		}
		_, err = c.Freebusy.Query(query).Do(params...)
	default:
		err = fmt.Errorf("the client cannot send %s", r.Op)
	}
	return err
}

// decode returns a body as the client has it: with the names of what is null, which it leaves out otherwise.
func decode(t *testing.T, text string) *calendar.Event {
	t.Helper()
	e := new(calendar.Event)
	if err := json.Unmarshal([]byte(text), e); err != nil {
		t.Fatal(err)
	}
	setNulls(reflect.ValueOf(e), []byte(text))
	return e
}

// setNulls adds the names of the fields of a struct, and of the keys of its maps, that are null in a text.
func setNulls(v reflect.Value, text []byte) {
	var members map[string]json.RawMessage
	if v.Kind() != reflect.Pointer || v.IsNil() || json.Unmarshal(text, &members) != nil {
		return
	}
	add := func(list, name string) {
		field := v.Elem().FieldByName(list)
		field.Set(reflect.Append(field, reflect.ValueOf(name)))
	}
	for i := range v.Elem().NumField() {
		field := v.Elem().Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		value, sent := members[name]
		switch {
		case !sent:
		case string(value) == "null":
			add("NullFields", field.Name)
		case field.Type.Kind() == reflect.Map:
			var entries map[string]json.RawMessage
			if json.Unmarshal(value, &entries) == nil {
				for key, entry := range entries {
					if string(entry) == "null" {
						v.Elem().Field(i).SetMapIndex(reflect.ValueOf(key), reflect.Value{}) // not an empty text
						add("NullFields", field.Name+"."+key)
						add("ForceSendFields", field.Name)
					}
				}
			}
		default:
			setNulls(v.Elem().Field(i), value)
		}
	}
}
