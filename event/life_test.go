package event_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testing/jsontest"
	"github.com/calrules/calrules/operation"
)

// life is an event and a simple model of it: the members that a client has written, as JSON text, and those of the service.
type life struct {
	stored  *event.Event      // nil before the insert
	model   map[string]string // the members that a client wrote and has not cleared
	service map[string]string // the members that clients cannot change
	gone    bool              // deleted
}

// choices are the members that the state machine writes, with values that are valid in any combination.
var choices = map[string][]string{
	"summary":         {`"Planning"`, `"Review"`},
	"location":        {`"Room 4"`, `"Room 5"`},
	"description":     {`"Agenda"`},
	"colorId":         {`"3"`, `"5"`},
	"transparency":    {`"transparent"`, `"opaque"`},
	"visibility":      {`"private"`},
	"sequence":        {`1`, `2`},
	"reminders":       {`{"useDefault":false}`, `{"useDefault":true}`},
	"guestsCanModify": {`true`},
	"attendees": {
		`[{"email":"ada@example.com","responseStatus":"needsAction"},{"email":"room@example.com","resource":true}]`,
		`[{"email":"bob@example.com","optional":true,"comment":"Late","additionalGuests":2},{"email":"ada@example.com","responseStatus":"accepted","displayName":"Ada"}]`,
	},
	"attachments": {
		`[{"fileUrl":"https://files.example.com/1","title":"Agenda"},{"fileUrl":"https://files.example.com/2"}]`,
		`[{"fileUrl":"https://files.example.com/2","mimeType":"text/plain"}]`,
	},
	"conferenceData": {
		`{"conferenceSolution":{"key":{"type":"addOn"}},"entryPoints":[{"entryPointType":"video","uri":"https://meet.example.com/1"}],"notes":"Knock"}`,
		`{"conferenceSolution":{"key":{"type":"addOn"},"name":"Bridge"},"entryPoints":[{"entryPointType":"phone","uri":"tel:+15550100","pin":"1234"}]}`,
		`{"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"}}}`,
	},
	"eventLabelId":       {`"urgent"`, `"later"`},
	"extendedProperties": {`{"private":{"a":"1"}}`},
	"x-unknown":          {`{"kept":[1,null]}`},
}

// sentButIgnored are members that clients cannot write, with values that differ from the stored ones.
var sentButIgnored = map[string]string{
	"created":   `"1999-01-01T00:00:00Z"`,
	"creator":   `{"email":"mallory@example.com"}`,
	"organizer": `{"email":"mallory@example.com"}`,
	"locked":    `true`,
	"htmlLink":  `"https://mallory.example.com/"`,
	"etag":      `"\"0\""`,
}

const lifeTimes = `"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`

// The parameters that decide whether a write affects a member.
const (
	attachmentsParam = "supportsAttachments"
	conferenceParam  = "conferenceDataVersion"
	labelParam       = "eventLabelVersion"
)

// switches are the parameters of a write with the values that turn them off and on. Absent means off.
var switches = map[string][2]string{
	attachmentsParam: {"false", "true"},
	conferenceParam:  {"0", "1"},
	labelParam:       {"0", "1"},
}

// writing is a write of an event.
type writing struct {
	op      operation.ID
	members map[string]string // of choices, as JSON text; null clears
	ignored []string          // members that have no effect
	on      map[string]bool   // of switches
	params  operation.Params
}

// draw draws a write.
func (l *life) draw(t *rapid.T, op operation.ID) *writing {
	w := &writing{op: op, members: map[string]string{}, on: map[string]bool{}, params: operation.Params{}}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(choices))), rapid.ID).Draw(t, "members") {
		w.members[name] = rapid.SampledFrom(choices[name]).Draw(t, name)
	}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(sentButIgnored))), rapid.ID).Draw(t, "ignored") {
		w.ignored = append(w.ignored, `"`+name+`":`+sentButIgnored[name])
	}
	for _, name := range slices.Sorted(maps.Keys(switches)) {
		switch rapid.SampledFrom([]string{"absent", "off", "on"}).Draw(t, name) {
		case "off":
			w.params[name] = []string{switches[name][0]}
		case "on":
			w.turnOn(name)
		}
	}
	// A client that does not support attachments may send the stored ones back.
	if stored, has := l.model["attachments"]; has && !w.on[attachmentsParam] && rapid.Bool().Draw(t, "attachments stay") {
		w.members["attachments"] = stored
	}
	return w
}

func (w *writing) turnOn(name string) {
	w.on[name], w.params[name] = true, []string{switches[name][1]}
}

// request returns the request of w with more members.
func (w *writing) request(more ...string) *event.Request {
	parts := append([]string{lifeTimes}, w.ignored...)
	for _, name := range slices.Sorted(maps.Keys(w.members)) {
		parts = append(parts, `"`+name+`":`+w.members[name])
	}
	return &event.Request{Op: w.op, Params: w.params, Body: []byte(object(append(parts, more...)...))}
}

// apply returns the model after w: merged as the RFC says if w is a patch, and replaced otherwise.
func (w *writing) apply(t *rapid.T, model map[string]string) map[string]string {
	after := map[string]string{}
	for name := range choices {
		member, sent := w.members[name]
		switch was := model[name]; {
		case w.leaves(name), !sent && w.op == operation.EventsPatch:
			member = was
		case member == "null":
			member = ""
		case w.op == operation.EventsPatch:
			member = mergedText(t, was, member)
		}
		if member != "" {
			after[name] = member
		}
	}
	return after
}

// leaves reports whether the stored member stays because of the parameters of w.
func (w *writing) leaves(name string) bool {
	_, sent := w.members[name]
	switch name {
	case "conferenceData":
		return !w.on[conferenceParam]
	case "colorId":
		return w.on[labelParam]
	case "eventLabelId":
		return !w.on[labelParam] && !sent
	}
	return false
}

// rejection returns the finding that rejects w, which changes the model from before to after. It is empty if w is accepted.
func (w *writing) rejection(t *rapid.T, before, after map[string]string) string {
	changes := func(name string) bool {
		return !cmp.Equal(optionalValue(t, before[name]), optionalValue(t, after[name]))
	}
	switch {
	case !w.on[attachmentsParam] && changes("attachments"):
		return "attachments.supports /attachments"
	case !w.on[labelParam] && changes("eventLabelId"):
		return "event.label.version /eventLabelId"
	}
	return ""
}

// optionalValue returns the value of a member, or nil if it is absent.
func optionalValue(t *rapid.T, text string) any {
	if text == "" {
		return nil
	}
	return value(t, []byte(text))
}

// send sends w and updates the model. It returns nil if the model says that w is rejected.
func (l *life) send(t *rapid.T, w *writing, more ...string) *event.Event {
	req := w.request(more...)
	result := l.ask(t, req)
	after := w.apply(t, l.model)
	if want := w.rejection(t, l.model, after); want != "" {
		if result.Accepted || result.Answer != nil || !slices.Contains(describe(result.Findings), want) {
			t.Fatalf("%s with %s and %v: %v, want %s", w.op, req.Body, w.params, result.Findings, want)
		}
		return nil
	}
	if !result.Accepted {
		t.Fatalf("%s with %s and %v: %v", w.op, req.Body, w.params, result.Findings)
	}
	l.model = after
	return result.Answer
}

// ask sends a request and checks that the stored event is not modified.
func (l *life) ask(t *rapid.T, req *event.Request) event.Result {
	req.Existing = l.stored
	before := text(t, l.stored)
	checker := event.Checker{NewID: func() string { return "abcde" }}
	result := must(checker.Check(req))
	if diff := cmp.Diff(before, text(t, l.stored)); diff != "" {
		t.Fatalf("%s modifies the stored event:\n%s", req.Op, diff)
	}
	if result.Answer != nil && l.stored != nil {
		scrawl(result.Answer.Clone()) // a clone shares no memory
		answer := text(t, result.Answer)
		scrawl(result.Answer)
		if diff := cmp.Diff(before, text(t, l.stored)); diff != "" {
			t.Fatalf("the answer to %s shares memory with the stored event:\n%s", req.Op, diff)
		}
		result.Answer = read(t, answer)
	}
	return result
}

// scrawl writes to everything that an event points to.
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
	for i := range e.Attachments {
		e.Attachments[i].FileURL = "https://scribbled.example.com/"
	}
	if e.EventLabelID != nil {
		*e.EventLabelID = "scribbled"
	}
	scrawlConference(e.ConferenceData)
}

func scrawlConference(d *conference.Data) {
	if d == nil {
		return
	}
	for i := range d.EntryPoints {
		d.EntryPoints[i].URI = "https://scribbled.example.com/"
	}
	if d.CreateRequest != nil {
		d.CreateRequest.RequestID = "scribbled"
	}
	if d.Solution != nil && d.Solution.Key != nil {
		d.Solution.Key.Type = "scribbled"
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
		Calendar: &operation.Calendar{IDs: operation.IDList{l.stored.ID}},
	}
	if result := must(event.Check(req)); result.Accepted {
		t.Fatal("an id that exists is accepted")
	}
}

// begin inserts or imports an event. An import may set the organizer.
func (l *life) begin(t *rapid.T) {
	l.stored, l.model, l.gone = nil, nil, false
	op := operation.EventsInsert
	var more []string
	if rapid.Bool().Draw(t, "import") {
		op, more = operation.EventsImport, []string{`"iCalUID":"abcde@calendar.example.com"`}
	}
	w := l.draw(t, op)
	created := l.send(t, w, more...)
	if created == nil { // rejected because of a parameter
		for name := range switches {
			w.turnOn(name)
		}
		created = l.send(t, w, more...)
	}
	if created.ID != "abcde" {
		t.Fatalf("%s creates %v", op, created)
	}
	wantOrganizer := ""
	if op == operation.EventsImport && slices.Contains(w.ignored, `"organizer":`+sentButIgnored["organizer"]) {
		wantOrganizer = "mallory@example.com"
	}
	if got := created.Organizer; (got != nil) != (wantOrganizer != "") || got != nil && got.Email != wantOrganizer {
		t.Fatalf("%s with %v has the organizer %v", op, w.ignored, got)
	}
	// The service adds its own members.
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
	members := text(t, created)
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
	w := l.draw(t, operation.EventsPatch)
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(choices))), 0, 2, rapid.ID).Draw(t, "cleared") {
		if _, too := w.members[name]; !too {
			w.members[name] = "null"
		}
	}
	l.keep(l.send(t, w))
}

// keep stores the event that a write returned, or nothing if the write was rejected.
func (l *life) keep(e *event.Event) {
	if e != nil {
		l.stored = e
	}
}

// mergedText returns what the RFC says is the value of a member after a patch. stored is empty if the member is absent.
func mergedText(t *rapid.T, stored, patch string) string {
	out, err := json.Marshal(jsontest.MergePatch(jsontest.Tree(stored), jsontest.Tree(patch)))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// reject sends writes that are rejected because of the stored event.
func (l *life) reject(t *rapid.T) {
	l.needs(t)
	c := rapid.SampledFrom([]struct{ member, ifMatch, want string }{
		{`"summary":"Late"`, `"0"`, "update.etag "},
		{`"id":"other"`, "", "event.id.mismatch /id"},
		{`"eventType":"focusTime"`, "", "event.type.immutable /eventType"},
		{`"recurringEventId":"another"`, "", "event.recurring-id.immutable /recurringEventId"},
		{`"privateCopy":true`, `"1"`, "event.private-copy.immutable /privateCopy"},
	}).Draw(t, "member")
	for _, op := range []operation.ID{operation.EventsPatch, operation.EventsUpdate} {
		result := l.ask(t, &event.Request{Op: op, Body: []byte(object(lifeTimes, c.member)), IfMatch: c.ifMatch})
		if result.Accepted || result.Answer != nil || result.Stored != nil || !slices.Contains(describe(result.Findings), c.want) {
			t.Fatalf("%s with %s: %v, %v, want %s", op, c.member, result.Answer, result.Findings, c.want)
		}
	}
}

// quickAdd checks only that a text is required, because the documents do not say which event results from a text.
func (l *life) quickAdd(t *rapid.T) {
	if result := l.ask(t, &event.Request{Op: operation.EventsQuickAdd}); result.Accepted {
		t.Fatal("quickAdd without a text is accepted")
	}
	result := l.ask(t, &event.Request{Op: operation.EventsQuickAdd, Params: operation.Params{"text": {"Lunch tomorrow at noon"}}})
	if !result.Accepted || result.Answer != nil || result.Stored != nil {
		t.Fatalf("quickAdd: %v, %v", result.Findings, result.Answer)
	}
}

func (l *life) update(t *rapid.T) {
	l.needs(t)
	l.keep(l.send(t, l.draw(t, operation.EventsUpdate)))
}

func (l *life) move(t *rapid.T) {
	l.needs(t)
	to := rapid.SampledFrom([]string{"team@example.com", "ada@example.com"}).Draw(t, "destination")
	result := l.ask(t, &event.Request{Op: operation.EventsMove, Params: operation.Params{"destination": {to}}})
	if !result.Accepted {
		t.Fatalf("move: %v", result.Findings)
	}
	if was := l.stored.Organizer.Email; (result.CancelledCopy == nil) != slices.Contains(emails(l.stored), was) {
		t.Fatalf("the organizer was %s, the attendees are %v, and the remainder is %v", was, emails(l.stored), result.CancelledCopy)
	}
	l.service["organizer"] = `{"email":"` + to + `"}`
	l.stored = result.Answer
}

func (l *life) remove(t *rapid.T) {
	l.needs(t)
	result := l.ask(t, &event.Request{Op: operation.EventsDelete})
	if !result.Accepted || result.Answer.Status != "cancelled" {
		t.Fatalf("delete: %v, %v", result.Findings, result.Answer)
	}
	l.stored, l.gone = result.Answer, true
}

// needs makes sure that there is an event that is not deleted.
func (l *life) needs(t *rapid.T) {
	if l.stored == nil || l.gone {
		l.begin(t)
	}
}

// check compares the stored event, and what get and list return, with the model.
func (l *life) check(t *rapid.T) {
	if l.stored == nil {
		return
	}
	members, ok := value(t, []byte(text(t, l.stored))).(map[string]any)
	if !ok {
		t.Fatal("the event is not an object")
	}
	for name := range choices {
		want, written := l.model[name]
		got, there := members[name]
		if written != there {
			t.Fatalf("%s: written %t, stored %t", name, written, there)
		}
		if !written {
			continue
		}
		if diff := cmp.Diff(value(t, []byte(want)), ofClient(t, got)); diff != "" {
			t.Fatalf("%s (-written +stored):\n%s", name, diff)
		}
	}
	for name, want := range l.service {
		if diff := cmp.Diff(value(t, []byte(want)), members[name]); diff != "" {
			t.Fatalf("a client has changed %s (-want +got):\n%s", name, diff)
		}
	}
	if members["locked"] == true {
		t.Fatal("a client has locked the event")
	}
	l.checkShown(t)
}

// ofClient removes from a member what the service writes within it: which attendee is the organizer and which one represents the
// calendar, and the status of a create request. It modifies the member.
func ofClient(t *rapid.T, member any) any {
	switch member := member.(type) {
	case []any:
		for _, element := range member {
			if attendee, ok := element.(map[string]any); ok {
				delete(attendee, "organizer")
				delete(attendee, "self")
			}
		}
	case map[string]any:
		if request, ok := member["createRequest"].(map[string]any); ok {
			if diff := cmp.Diff(map[string]any{"statusCode": "pending"}, request["status"]); diff != "" {
				t.Fatalf("the status of the create request (-want +got):\n%s", diff)
			}
			delete(request, "status")
		}
	}
	return member
}

func (l *life) checkShown(t *rapid.T) {
	if l.ask(t, &event.Request{Op: operation.EventsGet}).Answer == nil {
		t.Fatal("get does not return the event")
	}
	listed := l.ask(t, &event.Request{Op: operation.EventsList}).Answer != nil
	if listed == l.gone {
		t.Fatalf("deleted is %t, and listed is %t", l.gone, listed)
	}
	if l.ask(t, &event.Request{Op: operation.EventsList, Params: operation.Params{"syncToken": {"t"}}}).Answer == nil {
		t.Fatal("an incremental sync does not return the event")
	}
}

func TestLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &life{}
		t.Repeat(map[string]func(*rapid.T){
			"insert":    l.insertAgain,
			"patch":     l.patch,
			"update":    l.update,
			"reject":    l.reject,
			"move":      l.move,
			"quick add": l.quickAdd,
			"delete":    l.remove,
			"":          l.check,
		})
	})
}

func emails(e *event.Event) []string {
	var list []string
	for _, a := range e.Attendees {
		list = append(list, a.Email)
	}
	return list
}
