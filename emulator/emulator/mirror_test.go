package emulator_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
)

// TestMirrors is a law: a client that applies every page of every synchronization, as examples/sync does, has after any
// history what full lists, gets and instances say.
func TestMirrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		t.Repeat(map[string]func(*rapid.T){
			"insert":  w.insert,
			"patch":   w.patch,
			"patch 2": w.patch, // most of the time
			"update":  w.update,
			"delete":  w.remove,
			"move":    w.move,
			"clear": func(t *rapid.T) {
				if rapid.IntRange(0, 3).Draw(t, "rarely") == 0 {
					w.send(t, "ada", "POST", google+"/calendars/primary/clear", "")
				}
			},
			"share": func(t *rapid.T) {
				role := rapid.SampledFrom([]string{"reader", "writerWithoutPrivateAccess", "writer"}).Draw(t, "role")
				w.share(t, role)
			},
			"zone": func(t *rapid.T) {
				p, zone := w.place(t), rapid.SampledFrom([]string{"UTC", "America/New_York", "Pacific/Kiritimati"}).Draw(t, "zone")
				w.send(t, p.user, "PATCH", google+"/calendars/"+p.calendar, `{"timeZone":"`+zone+`"}`)
			},
			"wait": func(t *rapid.T) {
				w.now = w.now.Add(time.Duration(rapid.IntRange(1, 24*40).Draw(t, "hours")) * time.Hour)
				w.look(t)
			},
			"turn back": func(t *rapid.T) { // the clock of the server
				w.now = w.now.Add(-time.Duration(rapid.IntRange(1, 24*40).Draw(t, "hours")) * time.Hour)
			},
			"synchronize": func(t *rapid.T) {
				m := w.mirrors[rapid.IntRange(0, len(w.mirrors)-1).Draw(t, "mirror")]
				if rapid.IntRange(0, 9).Draw(t, "loses its token") == 0 {
					m.token = ""
				}
				m.synchronize(t, w, rapid.SampledFrom([]int{1, 2, 250}).Draw(t, "page"), rapid.Bool().Draw(t, "while it changes"))
			},
		})
		for _, m := range w.mirrors {
			m.synchronize(t, w, 250, false)
			m.compare(t, w)
		}
		for i := 0; i < len(w.mirrors); i += len(mirrored) {
			w.compareSeries(t, w.mirrors[i], w.mirrors[i+1])
		}
	})
}

// world is an emulator with the calendars of two users, and the mirrors of these.
type world struct {
	server  *emulator.Server
	made    int // ids
	now     time.Time
	latest  time.Time // the latest time of a list: the horizon of the server does not move back
	mirrors []*mirror
}

// place is a calendar with the user who writes it.
type place struct{ user, calendar string }

var places = []place{{"ada", "ada@example.com"}, {"ada", "team"}, {"bob", "bob@example.com"}, {"bob", "team"}}

// mirrored are the lists that the mirrors of each calendar follow. The first two are compared with each other.
var mirrored = []struct{ base, query string }{
	{google, ""},
	{google, "singleEvents=true"},
	{google, "singleEvents=true&timeMin=2026-03-12T00:00:00Z&timeMax=2026-03-16T00:00:00Z"},
	{google, "timeMin=2026-03-12T00:00:00Z"},
	{documents, ""},
	{documents, "singleEvents=true&timeMin=2026-03-11T12:00:00Z"},
}

func newWorld(t *rapid.T) *world {
	w := &world{now: noon}
	tokens := map[string]emulator.Token{"ada": {Email: "ada@example.com"}, "bob": {Email: "bob@example.com"}}
	w.server = emulator.New(
		emulator.WithClock(func() time.Time { return w.now }), emulator.WithTokens(tokens), emulator.WithUser("ada@example.com"),
		emulator.WithHorizon(60*24*time.Hour), emulator.WithChecker(event.Checker{NewID: w.newID}),
	)
	w.send(t, "ada", "GET", google+"/calendars/primary", "")
	if err := w.server.Put("team", &event.Event{ID: "none", ETag: `"0"`, Start: event.Date(2026, time.March, 8), End: event.Date(2026, time.March, 9)}); err != nil {
		t.Fatal(err)
	}
	w.share(t, "writer")
	w.look(t)
	for _, p := range places {
		for _, of := range mirrored {
			w.mirrors = append(w.mirrors, &mirror{place: p, base: of.base, query: of.query})
		}
	}
	return w
}

// look asks for a list, so that the server knows the time.
func (w *world) look(t *rapid.T) {
	w.send(t, "ada", "GET", google+"/calendars/primary/events", "")
	if w.now.After(w.latest) {
		w.latest = w.now
	}
}

// share gives bob a role in the calendar team.
func (w *world) share(t *rapid.T, role string) {
	w.send(t, "ada", "POST", google+"/calendars/team/acl", `{"role":"`+role+`","scope":{"type":"user","value":"bob@example.com"}}`)
}

// newID returns an id that is the same in each run.
func (w *world) newID() string {
	w.made++
	return fmt.Sprintf("made%05d", w.made)
}

// send sends a request. Every answer is an acceptance or a refusal with a reason.
func (w *world) send(t *rapid.T, user, method, path, body string) (status int, o object) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+user)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	rec := httptest.NewRecorder()
	w.server.ServeHTTP(rec, r)
	if rec.Body.Len() > 0 {
		if err := json.Unmarshal(rec.Body.Bytes(), &o); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, rec.Body)
		}
	}
	if rec.Code >= 500 {
		t.Fatalf("%s %s %s: %d %s", method, path, body, rec.Code, rec.Body)
	}
	return rec.Code, o
}

func (w *world) place(t *rapid.T) place { return rapid.SampledFrom(places).Draw(t, "calendar") }

func (p place) events(rest ...string) string {
	return google + "/calendars/" + p.calendar + "/events" + strings.Join(rest, "")
}

// pick draws the id of an event or an instance of a calendar, cancelled or not.
func (w *world) pick(t *rapid.T, p place) string {
	ids := []string{}
	for _, query := range []string{"?showDeleted=true&maxResults=100", "?showDeleted=true&maxResults=20&singleEvents=true"} {
		_, o := w.send(t, p.user, "GET", p.events(query), "")
		ids = append(ids, o.of("id")...)
	}
	slices.Sort(ids)
	return rapid.SampledFrom(append(slices.Compact(ids), "none")).Draw(t, "id")
}

// drawTimes draws the start and the end of an event: a date, or a time in a zone whose clocks change in the week of the tests,
// which can be midnight in UTC.
func drawTimes(t *rapid.T) string {
	day := rapid.IntRange(6, 20).Draw(t, "day")
	switch rapid.SampledFrom([]string{"zone", "date", "midnight"}).Draw(t, "form") {
	case "date":
		return times(day)
	case "midnight":
		return fmt.Sprintf(`"start":{"dateTime":"2026-03-%02dT20:00:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-%02[1]dT21:00:00","timeZone":"America/New_York"}`, day)
	default:
		return fmt.Sprintf(`"start":{"dateTime":"2026-03-%02dT09:00:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-%02[1]dT10:00:00","timeZone":"America/New_York"}`, day)
	}
}

func drawRecurrence(t *rapid.T) string {
	return `"recurrence":` + rapid.SampledFrom([]string{
		`["RRULE:FREQ=DAILY;COUNT=4"]`, `["RRULE:FREQ=DAILY;COUNT=1"]`, `["RRULE:FREQ=DAILY;COUNT=6"]`, `["RRULE:FREQ=WEEKLY;COUNT=3"]`, `["RRULE:FREQ=WEEKLY"]`,
		`["RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3"]`, `["RRULE:FREQ=MONTHLY"]`, `[]`,
	}).Draw(t, "recurrence")
}

func drawGuests(t *rapid.T) string {
	return rapid.SampledFrom([]string{
		`"attendees":[]`, `"attendees":[{"email":"bob@example.com"}]`, `"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},{"email":"bob@example.com"}]`,
		`"attendees":[{"email":"bob@example.com","responseStatus":"declined"}]`,
	}).Draw(t, "guests")
}

func (w *world) insert(t *rapid.T) {
	p := w.place(t)
	id := rapid.SampledFrom([]string{"event1", "event2", "series1", "series2"}).Draw(t, "id")
	w.send(t, p.user, "POST", p.events(), fmt.Sprintf(`{"id":%q,%s,%s,%s}`, id, drawTimes(t), drawRecurrence(t), drawGuests(t)))
}

func (w *world) patch(t *rapid.T) {
	p := w.place(t)
	id := w.pick(t, p)
	body := rapid.OneOf(
		rapid.SampledFrom([]string{
			`"summary":"A"`, `"summary":"B"`, `"status":"cancelled"`, `"status":"confirmed"`, `"reminders":{"useDefault":false}`, `"guestsCanModify":true`, `"visibility":"private"`, `"visibility":"default"`,
			`"attendees":[{"email":"bob@example.com"}]`,
		}), rapid.Custom(drawTimes), rapid.Custom(drawRecurrence), rapid.Custom(drawGuests),
	).Draw(t, "change")
	w.send(t, p.user, "PATCH", p.events("/", id), "{"+body+"}")
}

func (w *world) update(t *rapid.T) {
	p := w.place(t)
	w.send(t, p.user, "PUT", p.events("/", w.pick(t, p)), fmt.Sprintf(`{%s,%s,%s}`, drawTimes(t), drawRecurrence(t), drawGuests(t)))
}

func (w *world) remove(t *rapid.T) {
	p := w.place(t)
	w.send(t, p.user, "DELETE", p.events("/", w.pick(t, p)), "")
}

func (w *world) move(t *rapid.T) {
	from, to := places[0], places[1]
	if rapid.Bool().Draw(t, "back") {
		from, to = to, from
	}
	w.send(t, "ada", "POST", from.events("/", w.pick(t, from), "/move?destination=", to.calendar), "")
}

// mirror is the copy of a client that follows a list.
type mirror struct {
	place
	base, query string
	token       string
	events      map[string]object
}

func (m *mirror) list(w *world, t *rapid.T, query url.Values) (int, object) {
	return w.send(t, m.user, "GET", m.base+"/calendars/"+m.calendar+"/events?"+query.Encode(), "")
}

// synchronize brings the mirror up to date, and compares it with the list unless the calendar changes meanwhile.
func (m *mirror) synchronize(t *rapid.T, w *world, page int, changing bool) {
	query, _ := url.ParseQuery(m.query) // it is well-formed
	if m.token == "" {
		m.events = map[string]object{}
	} else {
		query = url.Values{"syncToken": {m.token}}
		if strings.Contains(m.query, "singleEvents") {
			query.Set("singleEvents", "true")
		}
	}
	query.Set("maxResults", fmt.Sprint(page))
	for m.token = ""; m.token == ""; {
		status, o := m.list(w, t, query)
		if status == http.StatusGone {
			m.synchronize(t, w, page, changing)
			return
		}
		if status != http.StatusOK {
			t.Fatalf("%s: %d %v", query, status, o)
		}
		for _, i := range o.items() {
			m.apply(t, i)
		}
		m.token = o.text("nextSyncToken")
		if query.Set("pageToken", o.text("nextPageToken")); changing && m.token == "" {
			w.patch(t)
		}
	}
	if !changing {
		m.compare(t, w)
	}
}

// apply takes over an event of a page, as examples/sync does: a cancelled instance stays as long as its series.
func (m *mirror) apply(t *rapid.T, i object) {
	if i["kind"] != "calendar#event" || i.text("etag") == "" {
		t.Fatalf("an event without kind or etag: %v", i)
	}
	m.events[i.text("id")] = i
	if i.text("status") == "cancelled" && i.text("recurringEventId") == "" {
		delete(m.events, i.text("id"))
	}
}

// shows returns what a client shows of events: the cancelled ones are only needed beside their series.
func (m *mirror) shows(events map[string]object) map[string]object {
	shown := maps.Clone(events)
	for id, e := range events {
		if e.text("status") != "cancelled" {
			continue
		}
		series := events[e.text("recurringEventId")]
		isNeeded := m.base == google && m.query == "" && isSeries(series)
		if shown[id] = guaranteed(e); !isNeeded {
			delete(shown, id)
		}
	}
	return shown
}

// isSeries reports whether an event is a series that is not cancelled.
func isSeries(o object) bool {
	lines, _ := o["recurrence"].([]any)
	return len(lines) > 0 && o.text("status") != "cancelled"
}

// guaranteed returns an event or, if it is cancelled, the members that such an event has in every answer.
func guaranteed(e object) object {
	if e.text("status") != "cancelled" {
		return e
	}
	kept := object{}
	for _, name := range []string{"kind", "etag", "id", "status", "recurringEventId", "originalStartTime"} {
		kept[name] = e[name]
	}
	return kept
}

// compare compares the mirror with the list, and with what is got by id.
func (m *mirror) compare(t *rapid.T, w *world) {
	query, _ := url.ParseQuery(m.query) // it is well-formed
	query.Set("maxResults", "2500")
	_, o := m.list(w, t, query)
	full := map[string]object{}
	for _, i := range o.items() {
		if full[i.text("id")] != nil {
			t.Fatalf("%s %s has %s twice", m.calendar, m.query, i.text("id"))
		}
		full[i.text("id")] = i
	}
	mirrored := m.shows(m.events)
	if diff := cmp.Diff(m.shows(full), mirrored); diff != "" {
		t.Fatalf("the mirror of %s%s %s differs (-list +mirror):\n%s", m.base, m.calendar, m.query, diff)
	}
	for id, e := range mirrored {
		_, got := w.send(t, m.user, "GET", m.base+"/calendars/"+m.calendar+"/events/"+id, "")
		if diff := cmp.Diff(e, guaranteed(got)); diff != "" {
			t.Fatalf("%s of %s%s %s differs (-list +get):\n%s", id, m.base, m.calendar, m.query, diff)
		}
	}
}

// compareSeries compares the instances that a client with the series and their exceptions expands with those of a client that
// follows the single events, and with events.instances.
func (w *world) compareSeries(t *rapid.T, series, single *mirror) {
	exceptions := map[string][]*event.Event{}
	decode := func(o object) *event.Event {
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		e, found := event.Decode(text, diag.Google)
		if found.Rejected() {
			t.Fatalf("%s: %v", text, found)
		}
		return e
	}
	for _, id := range slices.Sorted(maps.Keys(series.events)) {
		if of := series.events[id].text("recurringEventId"); of != "" {
			exceptions[of] = append(exceptions[of], decode(series.events[id]))
		}
	}
	singles := map[string][]string{}
	for _, id := range slices.Sorted(maps.Keys(single.events)) {
		if of := single.events[id].text("recurringEventId"); of != "" && single.events[id].text("status") != "cancelled" {
			singles[of] = append(singles[of], id)
		}
	}
	_, cal := w.send(t, series.user, "GET", google+"/calendars/"+series.calendar, "")
	in, err := time.LoadLocation(cal.text("timeZone"))
	if err != nil {
		t.Fatal(err)
	}
	isListed := func(e *event.Event) bool { return event.Window{To: w.latest.Add(60 * 24 * time.Hour)}.Has(e, in) }
	for id, o := range series.events {
		if !isSeries(o) {
			continue
		}
		expanded := []string{}
		all := event.Series{Event: decode(o), Exceptions: exceptions[id], Zone: in}
		for i, err := range all.Instances(event.Window{To: w.latest.Add(62 * 24 * time.Hour)}) {
			if err != nil {
				t.Fatal(err)
			}
			if isListed(i.Event) {
				expanded = append(expanded, i.ID)
			}
		}
		for _, x := range exceptions[id] {
			if x.Status != "cancelled" && isListed(x) && !slices.Contains(expanded, x.ID) {
				t.Fatalf("%s in %s is %s, but not among the instances %v", x.ID, series.calendar, x.Status, expanded)
			}
		}
		slices.Sort(expanded)
		_, list := w.send(t, series.user, "GET", series.place.events("/", id, "/instances?maxResults=2500"), "")
		listed := list.of("id")
		slices.Sort(listed)
		for name, got := range map[string][]string{"a mirror of series": expanded, "events.instances": listed} {
			if diff := cmp.Diff(append([]string{}, singles[id]...), got); diff != "" {
				t.Fatalf("the instances of %s in %s differ (-single events +%s):\n%s", id, series.calendar, name, diff)
			}
		}
	}
}
