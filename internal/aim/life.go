package aim

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/fuzzhttp"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// life is a story of several writes. After each write, the effect is compared with all reads.
type life struct {
	*run
	number  int
	o       *outcome
	s       *stored   // the event that the next write changes
	all     []*stored // the events of a random life
	ended   bool      // the stored event is unknown from now on
	ifMatch string    // the condition of the next write
	isOdd   bool      // whether the number of writes so far is odd
}

// lives lists the kinds of lives. Each kind has an even and an odd variant.
var lives = []func(l *life, variant int){
	(*life).ofEvent, (*life).ofDraws, (*life).ofSeries, (*life).ofDraws, (*life).ofDraws, (*life).ofMove, (*life).ofDraws, (*life).ofMany,
}

// live runs the life with the given number, and returns its outcome.
func (r *run) live(number int) *outcome {
	l := &life{run: r, o: &outcome{story: &story{name: fmt.Sprintf("%s:%d", lifeName, number), op: operation.EventsInsert}}, s: &stored{}}
	l.number = number
	lives[number%len(lives)](l, number/len(lives))
	l.breakRules()
	r.tidy(l.o)
	return l.o
}

// isOver reports whether the life must end prematurely.
func (l *life) isOver() bool {
	return l.ended || l.o.fault != "" || l.o.unclear+l.o.notTried != "" || l.report.Stopped != ""
}

// write sends a request about a stored event, checks the response, and returns the resulting stored event, or nil.
func (l *life) write(op operation.ID, was *event.Event, body any) *event.Event {
	return l.writeTo(op, was, was, body)
}

// writeTo is like write, but the request identifies the event to. If was is nil, only the id of the event is known.
func (l *life) writeTo(op operation.ID, to, was *event.Event, body any) *event.Event {
	if l.isOver() {
		return nil
	}
	req := l.writing(op, to, body)
	l.o.story.op = op
	x := l.request(l.ctx, l.o, req)
	if x == nil {
		return nil
	}
	switch l.o.compare(x, was); {
	case l.isOver():
		return nil
	case !x.succeeded(): // the watcher knows the stored event, and agrees
		l.o.notTried = "the server refused a step of a life: " + x.says()
		return nil
	}
	s, ok := l.judgeWrite(l.o, x, req, was)
	if l.ended = !ok; l.ended {
		return nil
	}
	return s.event
}

// treeOf returns an event as a JSON object in the given dialect, or nil.
func treeOf(e *event.Event, in diag.Dialect) tree {
	if e == nil {
		return nil
	}
	return decoded(e.AppendIn(in, nil))
}

// writing returns the request for a write to an event.
func (l *life) writing(op operation.ID, to *event.Event, body any) *event.Request {
	params := operation.Params{"sendUpdates": {"none"}}
	if !operationOf(op).HasParam("sendUpdates") {
		params = operation.Params{}
	}
	req := &event.Request{Op: op, Params: params, Existing: to, IfMatch: l.ifMatch}
	if body != nil {
		req.Body = draw.EncodeJSON(body)
	}
	if l.isOdd = !l.isOdd; l.has(op, versions) && (!l.isOdd || l.needsVersions(to, req.Body)) {
		maps.Copy(params, versions)
	}
	if to != nil && l.s.event != nil && to.RecurringEventID == l.s.event.ID {
		req.Series = l.s.event
	}
	return req
}

// versions contains the parameters without which a write cannot change certain members. Without the parameters in versions, the
// stored values must not change.
var versions = operation.Params{"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}}

// needsVersions reports whether a body changes a member that a write without [versions] does not change.
func (l *life) needsVersions(stored *event.Event, body []byte) bool {
	was, is := treeOf(stored, l.Dialect), decoded(body)
	return slices.ContainsFunc([]string{"attachments", "conferenceData"}, func(name string) bool {
		sent, isSent := is[name]
		return isSent && !reflect.DeepEqual(sent, was[name])
	})
}

// readAll compares all reads after a write that changed the events with the given ids.
func (l *life) readAll(ids ...string) {
	if !l.isOver() {
		l.s.changed = ids
		l.read(l.o, l.s)
	}
}

// stays checks that the events of the life are unchanged.
func (l *life) stays() {
	l.s.changed = []string{l.s.event.ID}
	for _, step := range []func(*outcome, *stored){l.readEach, l.readList} {
		if !l.isOver() {
			step(l.o, l.s)
		}
	}
}

// ofEvent inserts an event with many members, changes it, and deletes it, while two other events exist.
func (l *life) ofEvent(variant int) {
	var others []*event.Event
	for range 2 {
		others = append(others, l.write(operation.EventsInsert, nil, l.beside(variant)))
	}
	body := l.rich(variant)
	e := l.write(operation.EventsInsert, nil, body)
	for i, change := range []tree{
		{"location": "Room 4"},
		{"description": nil, "extendedProperties": tree{"private": tree{"first": "2"}, "shared": many(120)}},
		{"summary": "Größe " + strings.Repeat("é日", 300)},
		{"attendees": body["attendees"].([]any)[:2]},
		{"transparency": "opaque", "reminders": tree{"useDefault": false, "overrides": []any{}}},
		{"description": "  padded\t\r\n" + strings.Repeat("Zeile für Zeile\n", 500), "location": strings.Repeat("Raum ", 200)},
		{"attendees": guests(150)},
		{"colorId": "7", "visibility": "public", "guestsCanSeeOtherGuests": false, "guestsCanModify": false},
		shifted(variant),
	} {
		if e == nil {
			return
		}
		l.s.event = e
		l.readAll(e.ID)
		e = l.change(operation.EventsPatch, e, change, i%2 == 0)
	}
	if e == nil {
		return
	}
	l.s.event = e
	l.readAll(e.ID)
	whole := l.wholeOf(e)
	delete(whole, "location")
	whole["summary"] = "Updated"
	was := e
	if e = l.change(operation.EventsUpdate, e, whole, false); e != nil && e.Updated == was.Updated && variant < 2 {
		e = l.changeLater(e)
	}
	if e == nil {
		return
	}
	l.s.event = e
	l.readAll(e.ID)
	l.s.others = others
	l.compareGets(e)
	for _, params := range l.viewsOf(e) {
		l.compareList(params)
	}
	l.refuse(e)
	if l.write(operation.EventsDelete, e, nil); !l.isOver() {
		l.s.isGone = true
		l.readAll(e.ID)
		l.compareList(operation.Params{"showDeleted": {"true"}})
		l.refused("a second delete", &event.Request{Op: operation.EventsDelete, Existing: e})
	}
}

// change writes to an event, conditionally on its entity tag if isConditional is set, and compares the members that the server
// sets.
func (l *life) change(op operation.ID, was *event.Event, body tree, isConditional bool) *event.Event {
	l.ifMatch = ""
	if isConditional {
		l.ifMatch = was.ETag
	}
	e := l.write(op, was, body)
	if l.ifMatch = ""; e == nil {
		return nil
	}
	if l.compareStamps(was, e); l.isOver() {
		return nil
	}
	return e
}

// compareStamps checks the members that the server must update with each change of an event.
func (l *life) compareStamps(was, e *event.Event) {
	switch x := l.o.last(); {
	case e.Created != was.Created:
		l.o.lose(x, "/created", fmt.Sprintf("a change of the event changed created from %[2]q to %[1]q.", e.Created, was.Created))
	case e.ETag == was.ETag && e.ETag != "" && len(was.Diff(e, l.Dialect)) > 0:
		l.o.lose(x, "/etag", fmt.Sprintf("etag is %q both before and after a change.", e.ETag))
	case e.Updated < was.Updated: // both times are in UTC
		l.o.lose(x, "/updated", fmt.Sprintf("a change of the event moved updated back from %[2]q to %[1]q.", e.Updated, was.Updated))
	case e.ETag != was.ETag:
		l.compareCached(was)
	}
}

// compareCached requests a changed event with the entity tag of an earlier state, as a client with a cache does.
func (l *life) compareCached(was *event.Event) {
	get, err := fuzzhttp.NewRequest(l.Base, l.Calendar, &event.Request{Op: operation.EventsGet, Existing: was})
	if err != nil {
		return
	}
	get.Header.Set("If-None-Match", was.ETag)
	x := l.send(l.ctx, get)
	if l.o.requests = append(l.o.requests, x); x.status == http.StatusNotModified {
		l.o.lose(x, "/etag", fmt.Sprintf("the server reports that the event has not changed since the etag %s, but it has.", was.ETag))
	}
}

func (o *outcome) last() *sent { return o.requests[len(o.requests)-1] }

// changeLater changes an event after clocks that count whole seconds have advanced, and compares the time of the change.
func (l *life) changeLater(was *event.Event) *event.Event {
	select {
	case <-l.ctx.Done():
	case <-time.After(1100 * time.Millisecond):
	}
	e := l.change(operation.EventsPatch, was, tree{"location": "Later"}, false)
	if e != nil && e.Updated == was.Updated {
		l.o.lose(l.o.last(), "/updated", fmt.Sprintf("updated is %q both before and after a change.", e.Updated))
	}
	return e
}

// refuse sends requests that a server must refuse because of the stored event.
func (l *life) refuse(e *event.Event) {
	if l.Dialect == diag.Google { // the documents do not require a refusal
		l.refused("an insert with the id of an existing event", &event.Request{Op: operation.EventsInsert, Body: draw.EncodeJSON(with(l.beside(0), "id", e.ID))})
	}
	l.refused("a patch with an If-Match that does not match", &event.Request{
		Op: operation.EventsPatch, Existing: e, Body: []byte(`{"location":"Nowhere"}`), IfMatch: `"another"`,
	})
	whole := draw.EncodeJSON(l.wholeOf(e))
	l.refused("an update with an If-Match that does not match", &event.Request{Op: operation.EventsUpdate, Existing: e, Body: whole, IfMatch: `"another"`})
	l.refused("a delete with an If-Match that does not match", &event.Request{Op: operation.EventsDelete, Existing: e, IfMatch: `"another"`})
	none := &event.Event{ID: l.newID()}
	l.refused("a delete of an event that never existed", &event.Request{Op: operation.EventsDelete, Existing: none})
	l.refused("a get of an event that never existed", &event.Request{Op: operation.EventsGet, Existing: none})
	l.refused("a patch of an event that never existed", &event.Request{Op: operation.EventsPatch, Existing: none, Body: []byte(`{"location":"Nowhere"}`)})
	if l.Dialect == diag.Google { // the documents have no page tokens
		l.refused("an invalid page token", &event.Request{Op: operation.EventsList, Params: operation.Params{"pageToken": {none.ID}}})
	}
	if l.token != "" {
		l.refused("an invalid sync token", &event.Request{Op: operation.EventsList, Params: operation.Params{"syncToken": {none.ID}}})
		l.refused("a sync token together with a filter", &event.Request{Op: operation.EventsList, Params: operation.Params{"syncToken": {l.token}, "q": {"x"}}})
	}
}

// refused sends a request that the server must refuse.
func (l *life) refused(what string, req *event.Request) {
	if l.isOver() || l.lacks[req.Op] {
		return
	}
	if operationOf(req.Op).HasParam("sendUpdates") {
		req.Params = operation.Params{"sendUpdates": {"none"}}
	}
	x := l.request(l.ctx, l.o, req)
	switch {
	case x == nil:
	case x.problem != "" || isNoVerdict(x.status):
		l.o.unclear = x.says()
	case x.succeeded():
		l.o.lose(x, "", what+" was accepted.")
	}
}

// wholeOf returns the client-written members of an event.
func (l *life) wholeOf(e *event.Event) tree {
	text, _ := (*event.Event)(nil).PatchTo(e, l.Dialect)
	whole := decoded(text)
	delete(whole, "id")
	delete(whole, "iCalUID")
	return whole
}

// ofSeries inserts a series that spans a clock change; changes, cancels and restores instances; and divides and deletes the
// series.
func (l *life) ofSeries(variant int) {
	e := l.write(operation.EventsInsert, nil, l.series(variant))
	if e == nil {
		return
	}
	l.s.event = e
	l.readAll(e.ID)
	l.compareSeries(l.draws())
	l.compareGets(e)
	second := l.instance(1)
	if second == nil {
		return
	}
	changed := l.write(operation.EventsPatch, second, l.later(second))
	if changed == nil {
		return
	}
	l.except(changed)
	if changed = l.change(operation.EventsPatch, changed, tree{"location": "Elsewhere"}, true); changed == nil {
		return
	}
	l.except(changed)
	if third := l.instance(3); third != nil {
		l.cancelAndRestore(third)
	}
	if e = l.write(operation.EventsPatch, e, tree{"summary": "Renamed", "location": "Hall"}); e == nil {
		return
	}
	l.s.event = e
	l.readAll(e.ID)
	l.divide()
	if l.isOver() {
		return
	}
	if l.write(operation.EventsDelete, l.s.event, nil); !l.isOver() {
		l.s.isGone = true
		l.readAll(l.s.event.ID)
	}
}

// ofMove inserts an event and moves it into the second calendar.
func (l *life) ofMove(variant int) {
	if l.Second == "" {
		l.ofSeries(variant)
		return
	}
	e := l.write(operation.EventsInsert, nil, l.beside(variant))
	if e == nil {
		return
	}
	l.o.story.op = operation.EventsMove
	x := l.request(l.ctx, l.o, &event.Request{
		Op: operation.EventsMove, Existing: e, Params: operation.Params{"destination": {l.Second}, "sendUpdates": {"none"}},
	})
	if x == nil || !x.succeeded() {
		l.o.unclear = "the server did not move an event"
		return
	}
	l.s = &stored{event: e, isGone: true, changed: []string{e.ID}}
	l.read(l.o, l.s)
	if l.isOver() {
		return
	}
	there := l.requestIn(l.ctx, l.Second, l.o, &event.Request{Op: operation.EventsGet, Existing: e})
	if is := there.event(); there.status != http.StatusOK || is.Summary != e.Summary || is.Status == constraint.StatusCancelled {
		l.o.lose(there, "", "the event is missing from the calendar that it was moved to.")
	}
}

func (l *life) cancelAndRestore(i *event.Event) {
	if l.write(operation.EventsDelete, i, nil); l.isOver() {
		return
	}
	gone := &event.Event{ID: i.ID, RecurringEventID: i.RecurringEventID, OriginalStartTime: i.OriginalStartTime, Status: constraint.StatusCancelled}
	others := l.s.exceptions
	l.s.exceptions = append(others[:len(others):len(others)], gone)
	l.readAll(i.ID)
	if back := l.writeTo(operation.EventsPatch, gone, nil, l.restoring(i)); back != nil { // its other members are unknown
		l.s.exceptions = append(others[:len(others):len(others)], back)
		l.readAll(i.ID)
	}
}

func (l *life) restoring(i *event.Event) tree {
	times := treeOf(i, l.Dialect)
	return tree{"status": constraint.StatusConfirmed, "start": times["start"], "end": times["end"]}
}

// later returns a patch that renames an instance and moves it by an hour or a day.
func (l *life) later(i *event.Event) tree {
	moved := treeOf(i, l.Dialect)
	for _, name := range []string{"start", "end"} {
		t, _ := moved[name].(tree)
		if date, err := time.Parse(time.DateOnly, textAt(t, "date")); err == nil {
			t["date"] = date.AddDate(0, 0, 1).Format(time.DateOnly)
		} else if at, err := time.Parse(time.RFC3339, textAt(t, "dateTime")); err == nil {
			t["dateTime"] = at.Add(time.Hour).Format(time.RFC3339)
		}
	}
	return tree{"summary": "Changed", "start": moved["start"], "end": moved["end"]}
}

// instance returns the instance with the given index, as stored by the server, or nil.
func (l *life) instance(index int) *event.Event {
	if l.isOver() {
		return nil
	}
	n := 0
	for i, err := range (event.Series{Event: l.s.event}).Instances(event.Window{}) {
		if err != nil {
			return nil
		}
		if n++; n <= index {
			continue
		}
		p := l.list(l.o, operation.EventsInstances, l.s.event, nil)
		if p == nil {
			return nil
		}
		for _, e := range p.entries {
			if keyOf(e.OriginalStartTime) == keyOf(i.OriginalStartTime) {
				return e
			}
		}
		return nil
	}
	return nil
}

// divide ends the series before its fifth instance, and inserts a second series for the remaining instances.
func (l *life) divide() {
	fifth := l.instance(4)
	if fifth == nil {
		return
	}
	parts, err := event.Series{Event: l.s.event}.Split(fifth.OriginalStartTime)
	if err != nil {
		return
	}
	e := l.write(operation.EventsPatch, l.s.event, treeOf(parts.Patch, l.Dialect))
	if e == nil {
		return
	}
	l.s.event = e
	l.readAll(e.ID)
	if rest := l.try(operation.EventsInsert, nil, with(l.wholeOf(parts.Insert), "id", l.newID())); rest != nil {
		first := l.s
		l.s = &stored{event: rest, others: first.all()}
		l.readAll(rest.ID)
		l.all, l.s = append(l.all, l.s), first
	}
}

// rich returns a new event with many members.
func (l *life) rich(variant int) tree {
	body := tree{
		"id": l.newID(), "summary": "Planning & <review>", "description": "First line\nsecond <b>line</b> & more", "location": "Straße 5, 東京",
		"visibility": "private", "transparency": "transparent", "colorId": "5", "guestsCanInviteOthers": false, "guestsCanModify": true,
		"extendedProperties": tree{"private": tree{"first": "1", "second": "two"}, "shared": tree{"third": "3"}},
		"attendees": []any{
			tree{"email": "ada@example.com", "displayName": "Ada", "comment": "Maybe later", "responseStatus": "accepted"}, tree{"email": "bob@example.com", "optional": true},
			tree{"email": "eve@example.com", "additionalGuests": 2},
		},
		"reminders":   tree{"useDefault": false, "overrides": []any{tree{"method": "popup", "minutes": 15}, tree{"method": "email", "minutes": 60}}},
		"organizer":   tree{"email": "other@example.com"},
		"attachments": []any{tree{"fileUrl": "https://files.example.com/1", "title": "Notes"}},
		"conferenceData": tree{
			"conferenceId": "abc", "conferenceSolution": tree{"key": tree{"type": "addOn"}, "name": "Talk"},
			"entryPoints": []any{tree{"entryPointType": "video", "uri": "https://talk.example.com/abc"}},
		},
		"source": tree{"title": "Notes", "url": "https://example.com/notes"},
	}
	body["start"], body["end"] = times(variant, "2026-03-27", "2026-03-28", "09:00:00", "10:30:00")
	return body
}

// beside returns a new event at about the same time as a rich event.
func (l *life) beside(variant int) tree {
	body := tree{"id": l.newID(), "summary": "Beside"}
	body["start"], body["end"] = times(variant, "2026-03-27", "2026-03-28", "08:00:00", "08:30:00")
	return body
}

// ofMany inserts a series with more instances than fit on a page, or random events.
func (l *life) ofMany(variant int) {
	if variant > 0 {
		l.ofDraws(variant)
		return
	}
	body := l.beside(variant)
	body["start"], body["end"] = times(variant, "2026-01-05", "2026-01-06", "08:00:00", "08:30:00")
	body["recurrence"] = []any{"RRULE:FREQ=DAILY;COUNT=300"}
	if e := l.write(operation.EventsInsert, nil, body); e != nil {
		l.s.event = e
		l.readAll(e.ID)
	}
}

func guests(n int) (all []any) {
	for i := range n {
		all = append(all, tree{"email": fmt.Sprintf("Guest.%d+team@example.com", i), "displayName": "Guest " + strconv.Itoa(i)})
	}
	return all
}

func many(n int) tree {
	properties := tree{}
	for i := range n {
		properties["p"+strconv.Itoa(i)] = "v"
	}
	return properties
}

// series returns a new series of six instances that spans a clock change and excludes one date.
func (l *life) series(variant int) tree {
	body := tree{"id": l.newID(), "summary": "Weekly", "description": "Every week"}
	body["start"], body["end"] = times(variant, "2026-03-13", "2026-03-14", "09:00:00", "10:00:00")
	exdate, until, rdate := "EXDATE;TZID=Europe/Berlin:20260327T090000", "20260424T070000Z", "RDATE;TZID=Europe/Berlin:20260405T090000"
	if variant%2 == 1 {
		exdate, until, rdate = "EXDATE;VALUE=DATE:20260327", "20260424", "RDATE;VALUE=DATE:20260405"
	}
	rules := []string{"FREQ=WEEKLY;COUNT=7", "FREQ=WEEKLY;BYDAY=FR,TU;UNTIL=" + until, "FREQ=DAILY;INTERVAL=7;COUNT=8", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;COUNT=7"}
	body["recurrence"] = []any{"RRULE:" + rules[variant/2%len(rules)], exdate, rdate}
	return body
}

// shifted returns a patch that moves a rich event by an hour or a day.
func shifted(variant int) tree {
	start, end := times(variant, "2026-03-27", "2026-03-28", "10:00:00", "11:30:00")
	if variant%2 == 1 {
		start, end = times(variant, "2026-03-28", "2026-03-29", "", "")
	}
	return tree{"start": start, "end": end}
}

// times returns the start and the end of an event: times with a zone in an even variant, dates in an odd variant.
func times(variant int, day, next, from, to string) (start, end tree) {
	if variant%2 == 1 {
		return tree{"date": day}, tree{"date": next}
	}
	in := func(clock string) tree {
		return tree{"dateTime": day + "T" + clock + "+01:00", "timeZone": "Europe/Berlin"}
	}
	return in(from), in(to)
}
