package event_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// life is the life of one event, beside a plain model of it: the members that a client has
// written, as JSON text, and those that the service has.
type life struct {
	stored  *event.Event      // nil before the insert
	model   map[string]string // what a client wrote and has not cleared
	service map[string]string // what never changes: read-only, immutable
	gone    bool              // deleted
}

// choices are the members that the machine writes, each with values that are valid in any
// company.
var choices = map[string][]string{
	"summary":            {`"Planning"`, `"Review"`},
	"location":           {`"Room 4"`, `"Room 5"`},
	"description":        {`"Agenda"`},
	"colorId":            {`"3"`, `"5"`},
	"transparency":       {`"transparent"`, `"opaque"`},
	"visibility":         {`"private"`},
	"sequence":           {`1`, `2`},
	"reminders":          {`{"useDefault":false}`, `{"useDefault":true}`},
	"guestsCanModify":    {`true`},
	"attendees":          {`[{"email":"ada@example.com","responseStatus":"needsAction"}]`, `[{"email":"bob@example.com","optional":true}]`},
	"extendedProperties": {`{"private":{"a":"1"}}`},
	"x-unknown":          {`{"kept":[1,null]}`},
}

// sentButIgnored are members that a client may not write, with values that are not the stored
// ones.
var sentButIgnored = map[string]string{
	"created":   `"1999-01-01T00:00:00Z"`,
	"creator":   `{"email":"mallory@example.com"}`,
	"organizer": `{"email":"mallory@example.com"}`,
	"locked":    `true`,
	"htmlLink":  `"https://mallory.example.com/"`,
	"etag":      `"\"0\""`,
}

const lifeTimes = `"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`

// draw draws members to write, and members that are ignored.
func (l *life) draw(t *rapid.T) (written map[string]string, body string) {
	written = map[string]string{}
	parts := []string{lifeTimes}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(choices))), rapid.ID).Draw(t, "members") {
		written[name] = rapid.SampledFrom(choices[name]).Draw(t, name)
		parts = append(parts, `"`+name+`":`+written[name])
	}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(sentButIgnored))), rapid.ID).Draw(t, "ignored") {
		parts = append(parts, `"`+name+`":`+sentButIgnored[name])
	}
	return written, object(parts...)
}

// ask sends a request, and holds the engine to leaving what it was handed alone.
func (l *life) ask(t *rapid.T, req *event.Request) event.Result {
	req.Existing = l.stored
	before := text(t, l.stored)
	checker := event.Checker{NewID: func() string { return "abcde" }}
	result := checker.Check(req)
	if diff := cmp.Diff(before, text(t, l.stored)); diff != "" {
		t.Fatalf("%s wrote to the stored event:\n%s", req.Op, diff)
	}
	if result.Event != nil && l.stored != nil {
		scrawl(result.Event.Clone()) // a clone may be written to
		answer := text(t, result.Event)
		scrawl(result.Event)
		if diff := cmp.Diff(before, text(t, l.stored)); diff != "" {
			t.Fatalf("the answer to %s shares memory with the stored event:\n%s", req.Op, diff)
		}
		result.Event = read(t, answer)
	}
	return result
}

// scrawl writes into everything that an event points to.
func scrawl(e *event.Event) {
	for i := range e.Attendees {
		e.Attendees[i].Email = "scribbled@example.com"
	}
	for _, tm := range []*event.Time{e.Start, e.End, e.OriginalStartTime} {
		if tm != nil {
			tm.DateTime = "scribbled"
		}
	}
	if e.ExtendedProperties != nil && e.ExtendedProperties.Private != nil {
		e.ExtendedProperties.Private["scribbled"] = "yes"
	}
	if e.Reminders != nil && e.Reminders.UseDefault != nil {
		*e.Reminders.UseDefault = !*e.Reminders.UseDefault
	}
	if e.Creator != nil {
		e.Creator.Email = "scribbled@example.com"
	}
}

func text(t fataler, e *event.Event) string {
	t.Helper()
	if e == nil {
		return ""
	}
	out, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// insertAgain inserts an event under the id of the stored one.
func (l *life) insertAgain(t *rapid.T) {
	l.needs(t)
	req := &event.Request{
		Op:       operation.EventsInsert,
		Body:     json.RawMessage(object(lifeTimes, `"id":"abcde"`)),
		Calendar: &operation.Calendar{IDs: []string{l.stored.ID}},
	}
	if result := event.Check(req); result.Accepted {
		t.Fatal("an id is taken twice")
	}
}

// begin inserts an event, or imports one: then the organizer is the client's to write.
func (l *life) begin(t *rapid.T) {
	l.stored = nil
	op, wantOrganizer := operation.EventsInsert, ""
	written, body := l.draw(t)
	if rapid.Bool().Draw(t, "import") {
		op, body = operation.EventsImport, object(body[1:len(body)-1], `"iCalUID":"abcde@calendar.example.com"`)
		if strings.Contains(body, `"organizer":`) {
			wantOrganizer = "mallory@example.com"
		}
	}
	result := l.ask(t, &event.Request{Op: op, Body: json.RawMessage(body)})
	if !result.Accepted || result.Event.ID != "abcde" {
		t.Fatalf("%s of %s: %v, %v", op, body, result.Event, result.Findings)
	}
	if got := result.Event.Organizer; (got != nil) != (wantOrganizer != "") || got != nil && got.Email != wantOrganizer {
		t.Fatalf("%s of %s has the organizer %v", op, body, got)
	}
	l.model, l.gone = written, false
	// The service adds what is its own.
	served := map[string]string{
		"created":          `"2026-01-05T08:00:00Z"`,
		"creator":          `{"email":"owner@example.com"}`,
		"organizer":        `{"email":"owner@example.com"}`,
		"htmlLink":         `"https://calendar.example.com/1"`,
		"etag":             `"\"1\""`,
		"iCalUID":          `"abcde@calendar.example.com"`,
		"recurringEventId": `"series"`,
		"id":               `"abcde"`,
	}
	members := text(t, result.Event)
	for _, name := range slices.Sorted(maps.Keys(served)) {
		merged, err := event.MergeJSON(nil, []byte(members), []byte(object(`"`+name+`":`+served[name])))
		if err != nil {
			t.Fatal(err)
		}
		members = string(merged)
	}
	l.stored, l.service = read(t, members), served
}

func (l *life) patch(t *rapid.T) {
	l.needs(t)
	written, body := l.draw(t)
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(choices))), 0, 2, rapid.ID).Draw(t, "cleared") {
		if _, too := written[name]; !too {
			written[name] = "null"
			body = object(body[1:len(body)-1], `"`+name+`":null`)
		}
	}
	result := l.ask(t, &event.Request{Op: operation.EventsPatch, Body: json.RawMessage(body)})
	if !result.Accepted {
		t.Fatalf("patch with %s: %v", body, result.Findings)
	}
	for name, member := range written {
		switch {
		case member == "null":
			delete(l.model, name)
		default:
			l.model[name] = mergedText(t, l.model[name], member)
		}
	}
	l.stored = result.Event
}

// mergedText is the text of what a patch makes of a member, which may be absent, by the RFC.
func mergedText(t *rapid.T, stored, patch string) string {
	var target any
	if stored != "" {
		target = value(t, []byte(stored))
	}
	out, err := json.Marshal(mergePatch(target, value(t, []byte(patch))))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// refused sends requests that are refused for what is stored, and that leave it as it is.
func (l *life) refused(t *rapid.T) {
	l.needs(t)
	c := rapid.SampledFrom([]struct{ member, ifMatch, want string }{
		{`"summary":"Late"`, `"0"`, "update.etag "},
		{`"id":"other"`, "", "event.id.mismatch /id"},
		{`"eventType":"focusTime"`, "", "event.type.immutable /eventType"},
		{`"recurringEventId":"another"`, "", "event.recurring-id.immutable /recurringEventId"},
		{`"privateCopy":true`, `"1"`, "event.private-copy.immutable /privateCopy"},
	}).Draw(t, "member")
	for _, op := range []operation.ID{operation.EventsPatch, operation.EventsUpdate} {
		result := l.ask(t, &event.Request{Op: op, Body: json.RawMessage(object(lifeTimes, c.member)), IfMatch: c.ifMatch})
		if result.Accepted || result.Event != nil || result.Stored != nil || !slices.Contains(describe(result.Findings, nil), c.want) {
			t.Fatalf("%s with %s: %v, %v, want %s", op, c.member, result.Event, result.Findings, c.want)
		}
	}
}

// quickAdd makes an event of a text. What becomes of the text the documents do not show, so
// that there is nothing but the text to ask for.
func (l *life) quickAdd(t *rapid.T) {
	if result := l.ask(t, &event.Request{Op: operation.EventsQuickAdd}); result.Accepted {
		t.Fatal("quickAdd needs no text")
	}
	result := l.ask(t, &event.Request{Op: operation.EventsQuickAdd, Params: operation.Params{"text": {"Lunch tomorrow at noon"}}})
	if !result.Accepted || result.Event != nil || result.Stored != nil {
		t.Fatalf("quickAdd: %v, %v", result.Findings, result.Event)
	}
}

func (l *life) update(t *rapid.T) {
	l.needs(t)
	written, body := l.draw(t)
	result := l.ask(t, &event.Request{Op: operation.EventsUpdate, Body: json.RawMessage(body)})
	if !result.Accepted {
		t.Fatalf("update with %s: %v", body, result.Findings)
	}
	l.model, l.stored = written, result.Event
}

func (l *life) move(t *rapid.T) {
	l.needs(t)
	to := rapid.SampledFrom([]string{"team@example.com", "ada@example.com"}).Draw(t, "destination")
	result := l.ask(t, &event.Request{Op: operation.EventsMove, Params: operation.Params{"destination": {to}}})
	if !result.Accepted {
		t.Fatalf("move: %v", result.Findings)
	}
	if was := l.stored.Organizer.Email; (result.Remainder == nil) != slices.Contains(emails(l.stored), was) {
		t.Fatalf("the organizer %s is among %v, and the remainder is %v", was, emails(l.stored), result.Remainder)
	}
	l.service["organizer"] = `{"email":"` + to + `"}`
	l.stored = result.Event
}

func (l *life) remove(t *rapid.T) {
	l.needs(t)
	result := l.ask(t, &event.Request{Op: operation.EventsDelete})
	if !result.Accepted || result.Event.Status != "cancelled" {
		t.Fatalf("delete: %v, %v", result.Findings, result.Event)
	}
	l.stored, l.gone = result.Event, true
}

// needs sees to it that there is an event which is not deleted.
func (l *life) needs(t *rapid.T) {
	if l.stored == nil || l.gone {
		l.begin(t)
	}
}

// check compares the stored event with the model, and what get and list show of it.
func (l *life) check(t *rapid.T) {
	if l.stored == nil {
		return
	}
	members, ok := value(t, []byte(text(t, l.stored))).(map[string]any)
	if !ok {
		t.Fatal("the event is no object")
	}
	for name := range choices {
		want, written := l.model[name]
		got, there := members[name]
		if written != there {
			t.Fatalf("%s: written %t, stored %t", name, written, there)
		}
		// What an attendee list says of the organizer is the service's.
		if written && name != "attendees" {
			if diff := cmp.Diff(value(t, []byte(want)), got); diff != "" {
				t.Fatalf("%s (-written +stored):\n%s", name, diff)
			}
		}
	}
	for name, want := range l.service {
		if diff := cmp.Diff(value(t, []byte(want)), members[name]); diff != "" {
			t.Fatalf("%s is not a client's to change (-was +is):\n%s", name, diff)
		}
	}
	if members["locked"] == true {
		t.Fatal("a client has locked the event")
	}
	l.checkShown(t)
}

func (l *life) checkShown(t *rapid.T) {
	if l.ask(t, &event.Request{Op: operation.EventsGet}).Event == nil {
		t.Fatal("get does not return the event")
	}
	listed := l.ask(t, &event.Request{Op: operation.EventsList}).Event != nil
	if listed == l.gone {
		t.Fatalf("deleted is %t, and list returns it: %t", l.gone, listed)
	}
	if l.ask(t, &event.Request{Op: operation.EventsList, Params: operation.Params{"syncToken": {"t"}}}).Event == nil {
		t.Fatal("an incremental sync returns every event")
	}
}

func TestLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &life{}
		t.Repeat(map[string]func(*rapid.T){
			"insert":    l.insertAgain,
			"patch":     l.patch,
			"update":    l.update,
			"refused":   l.refused,
			"move":      l.move,
			"quick add": l.quickAdd,
			"delete":    l.remove,
			"":          l.check,
		})
	})
}
