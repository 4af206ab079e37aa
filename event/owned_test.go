package event_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

const (
	weeklySeries = `{"id":"weekly","status":"confirmed","recurrence":["RRULE:FREQ=WEEKLY;COUNT=3"],
		"start":{"dateTime":"2026-03-02T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-02T10:00:00Z","timeZone":"UTC"}}`
	movedInstance = `{"id":"weekly_20260309T090000Z","status":"confirmed","recurringEventId":"weekly","attendees":[{"email":"ann@example.com"}],
		"originalStartTime":{"dateTime":"2026-03-09T09:00:00Z","timeZone":"UTC"},
		"start":{"dateTime":"2026-03-09T11:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-09T12:00:00Z","timeZone":"UTC"}}`
)

// Whoever receives an exception may write to it: the caller's stays as it is.
func TestExceptionsAreYieldedAsClones(t *testing.T) {
	series, exception := read(t, weeklySeries), read(t, movedInstance)
	before := text(t, exception)
	spoil := func(e *event.Event) {
		e.Summary, e.Attendees[0].Email, e.Start.DateTime = "spoiled", "spoiled@example.com", "spoiled"
	}

	found := must(event.Series{Event: series, Exceptions: []*event.Event{exception}}.ByID(exception.ID))
	spoil(found)
	if diff := cmp.Diff(before, text(t, exception)); diff != "" {
		t.Errorf("ByID returns the exception itself:\n%s", diff)
	}
	day := time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC)
	n := 0
	for instance, err := range (event.Series{Event: series, Exceptions: []*event.Event{exception}}).Instances(event.Window{From: day, To: day.AddDate(0, 0, 1)}) {
		if err != nil {
			t.Fatal(err)
		}
		spoil(instance.Event)
		n++
	}
	if diff := cmp.Diff(before, text(t, exception)); diff != "" || n != 1 {
		t.Errorf("Instances yields %d events, and the exception itself:\n%s", n, diff)
	}
}

// The public service answers for guests, but not in the caller's event.
func TestAnswersForGuestsAreNotWrittenToTheCaller(t *testing.T) {
	existing := read(t, movedInstance)
	before := text(t, existing)
	result := must(event.Check(&event.Request{
		Op: operation.EventsPatch, Dialect: diag.Google, Existing: existing, Body: []byte(`{"summary":"Moved"}`),
	}))
	if got := result.Stored.Attendees[0].ResponseStatus; got != "needsAction" {
		t.Errorf("the answer for a guest is %q, want needsAction", got)
	}
	if diff := cmp.Diff(before, text(t, existing)); diff != "" {
		t.Errorf("the stored event of the caller has changed:\n%s", diff)
	}
}

// Two events that were made from one do not write to the memory that they share for members which no field can hold.
func TestMergedEventsKeepTheirOwnNulls(t *testing.T) {
	stored := read(t, `{"id":"one","status":"confirmed","sequence":0,"summary":"","location":"","x":1}`)
	before := text(t, stored)
	first := must(stored.AfterPatch([]byte(`{"description":"","sequence":0}`), diag.Documents))
	second := must(stored.AfterPatch([]byte(`{"colorId":"","transparency":""}`), diag.Documents))
	for _, test := range []struct{ name, got, want string }{
		{"stored", text(t, stored), before},
		{"first", text(t, first), text(t, must(read(t, before).AfterPatch([]byte(`{"description":"","sequence":0}`), diag.Documents)))},
		{"second", text(t, second), text(t, must(read(t, before).AfterPatch([]byte(`{"colorId":"","transparency":""}`), diag.Documents)))},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s event (-alone +shared):\n%s", test.name, diff)
		}
	}
}

// A null in the stored event means absence: it is no change of the member, and not in the answer.
func TestStoredNulls(t *testing.T) {
	const days = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	for _, test := range []struct {
		op, stored, body, event string
	}{
		{"patch", `"attachments":[{"fileUrl":"https://files.example.com/1","x":null}]`, `"summary":"Lunch"`, `"attachments":[{"fileUrl":"https://files.example.com/1"}]`},
		{"patch", `"gadget":{"type":"a","x":null}`, `"gadget":{"type":"a"}`, `"gadget":{"type":"a"}`},
		{"update", `"gadget":{"type":"a","x":null}`, `"gadget":{"type":"a"},` + days, `"gadget":{"type":"a"}`},
		{"patch", `"organizer":{"email":"ada@example.com","self":false,"displayName":null}`, `"summary":"Lunch"`, `"organizer":{"email":"ada@example.com","self":false}`},
	} {
		line := fmt.Sprintf(`{"op":"events.%s","existing":{"id":"abcde",%s,%s},"body":{%s}}`, test.op, days, test.stored, test.body)
		findings, result := answerLine(t, event.Checker{}, line)
		if diff := cmp.Diff([]string(nil), findings); diff != "" {
			t.Errorf("%s: findings (-want +got):\n%s", line, diff)
		}
		if got := text(t, result.Answer); !strings.Contains(got, test.event) {
			t.Errorf("%s becomes %s, want %s in it", line, got, test.event)
		}
	}
}

// Nothing that a check returns changes when the caller writes to the body or checks another one.
func TestResultsOutliveTheBody(t *testing.T) {
	say := func(found diag.Findings) (all []string) {
		for _, f := range found {
			all = append(all, fmt.Sprint(f.Rule.ID, " ", f.Path, " ", f.Value(), " ", f.Suggestion(), " ", f.Message()))
		}
		return all
	}
	short := `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-1x"},"colour":"red","fromGmail":1,"esc\u0061ped":2,"summary":5,` +
		`"status":"CONFIRMED","extendedProperties":{"private":{"a key that is much too long for a property of an event":"x"}},` +
		`"attendees":[{"email":"no address","emial":"a"}],"conferenceData":{"notes":5,"nots":"a"},"hangoutLink":"a"}`
	for name, original := range map[string]string{"short": short, "long": strings.TrimSuffix(short, "}") + `,"description":"` + strings.Repeat("x", 10_000) + `"}`} {
		body := []byte(original)
		request := &event.Request{Op: operation.EventsInsert, Body: body}
		found, result := must(new(event.Checker).Find(request)), must(new(event.Checker).Check(request))
		decoded, problems := event.Decode(body, diag.Documents)
		before := [][]string{say(found), say(result.Findings), say(problems), {text(t, decoded)}}
		for i := range body {
			body[i] = '#'
		}
		must(new(event.Checker).Find(&event.Request{Op: operation.EventsInsert, Body: []byte(strings.ReplaceAll(original, "a", "b"))}))
		if diff := cmp.Diff(before, [][]string{say(found), say(result.Findings), say(problems), {text(t, decoded)}}); diff != "" {
			t.Errorf("%s body: results before and after (-before +after):\n%s", name, diff)
		}
		if len(found) < 10 || len(problems) < 5 {
			t.Errorf("%s body: only %d findings and %d problems", name, len(found), len(problems))
		}
	}
}
