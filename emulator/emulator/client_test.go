package emulator_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event/eventhttp"
)

// official is the official Go client of the public service, connected to an emulator.
type official struct {
	*calendar.Service
	t *testing.T
}

func newOfficial(t *testing.T, opts ...emulator.Option) official {
	t.Helper()
	server := httptest.NewServer(emulator.New(append([]emulator.Option{emulator.WithClock(clock)}, opts...)...))
	t.Cleanup(server.Close)
	service, err := calendar.NewService(t.Context(), option.WithEndpoint(server.URL+google+"/"), option.WithHTTPClient(server.Client()))
	if err != nil {
		t.Fatal(err)
	}
	return official{service, t}
}

// must returns the answer of a call that must not fail.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// fails checks that the client reads the refusal: its status, its reason and a message.
func fails(t *testing.T, err error, status int, reason string) {
	t.Helper()
	var e *googleapi.Error
	switch {
	case !errors.As(err, &e):
		t.Errorf("the error is %v, want %d %s", err, status, reason)
	case e.Code != status, len(e.Errors) == 0, e.Errors[0].Reason != reason, e.Message == "":
		t.Errorf("the error is %d %+v, want %d %s", e.Code, e.Errors, status, reason)
	}
}

func at(day, hour int) *calendar.EventDateTime {
	return &calendar.EventDateTime{DateTime: time.Date(2026, 3, day, hour, 0, 0, 0, time.UTC).Format(time.RFC3339), TimeZone: "UTC"}
}

func ids(events *calendar.Events) []string {
	list := []string{}
	for _, e := range events.Items {
		list = append(list, e.Id)
	}
	return list
}

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestOfficialClientEvents(t *testing.T) {
	c := newOfficial(t)
	one := must[*calendar.Event](t)
	list := must[*calendar.Events](t)

	e := one(c.Events.Insert("primary", &calendar.Event{Summary: "Review", Start: at(11, 9), End: at(11, 10), Attendees: []*calendar.EventAttendee{{Email: me}, {Email: "bob@example.com"}}}).Do())
	if e.Id == "" || e.Etag == "" || e.HtmlLink == "" || e.ICalUID != e.Id+"@calendar.example" || e.Status != "confirmed" || e.Kind != "calendar#event" || e.Sequence != 0 {
		t.Errorf("the event is %+v", e)
	}
	same(t, "created", "2026-03-10T12:00:00.000Z", e.Created)
	if !e.Organizer.Self || e.Organizer.Email != me || !e.Creator.Self || !e.Attendees[0].Self || !e.Attendees[0].Organizer || e.Attendees[1].Self {
		t.Errorf("the people are %+v, %+v, %+v", e.Organizer, e.Creator, e.Attendees)
	}
	same(t, "get", e, one(c.Events.Get(me, e.Id).Do()))

	// A client that has the event gets 304.
	if _, err := c.Events.Get("primary", e.Id).IfNoneMatch(e.Etag).Do(); !googleapi.IsNotModified(err) {
		t.Errorf("get with If-None-Match: %v", err)
	}

	// A patch changes what it sends, and the entity tag.
	p := one(c.Events.Patch("primary", e.Id, &calendar.Event{Location: "Room 4"}).Do())
	if p.Summary != "Review" || p.Location != "Room 4" || p.Etag == e.Etag || p.Sequence != 0 {
		t.Errorf("the patched event is %+v", p)
	}
	cleared := one(c.Events.Patch("primary", e.Id, &calendar.Event{NullFields: []string{"Location"}, Start: at(11, 8)}).Do())
	if cleared.Location != "" || cleared.Sequence != 1 {
		t.Errorf("the patched event is %+v", cleared)
	}

	// An update with an old entity tag is refused.
	update := c.Events.Update("primary", e.Id, cleared)
	update.Header().Set("If-Match", e.Etag)
	_, err := update.Do()
	fails(t, err, 412, "conditionNotMet")
	cleared.Summary = "Weekly review"
	update = c.Events.Update("primary", e.Id, cleared)
	update.Header().Set("If-Match", cleared.Etag)
	same(t, "summary", "Weekly review", one(update.Do()).Summary)

	// A wrong event is refused with reasons.
	_, err = c.Events.Insert("primary", &calendar.Event{Start: at(11, 9), End: at(11, 8)}).Do()
	fails(t, err, 400, "timeRangeEmpty")
	_, err = c.Events.Insert("primary", &calendar.Event{Start: at(11, 9)}).Do()
	fails(t, err, 400, "required")
	_, err = c.Events.Insert("primary", &calendar.Event{Id: e.Id, Start: at(11, 9), End: at(11, 10)}).Do()
	fails(t, err, 409, "duplicate")
	_, err = c.Events.Get("primary", "nosuchevent").Do()
	fails(t, err, 404, "notFound")
	_, err = c.Events.Get("bob@example.com", e.Id).Do()
	fails(t, err, 404, "notFound")

	// A deleted event is cancelled, listed on request, and gone.
	if err := c.Events.Delete("primary", e.Id).Do(); err != nil {
		t.Fatal(err)
	}
	same(t, "status", "cancelled", one(c.Events.Get("primary", e.Id).Do()).Status)
	same(t, "list", []string{}, ids(list(c.Events.List("primary").Do())))
	same(t, "list with showDeleted", []string{e.Id}, ids(list(c.Events.List("primary").ShowDeleted(true).Do())))
	fails(t, c.Events.Delete("primary", e.Id).Do(), 410, "deleted")

	// quickAdd makes an event of a text.
	q := one(c.Events.QuickAdd("primary", "Lunch with Ada").Do())
	if q.Summary != "Lunch with Ada" || q.Start.DateTime != "2026-03-10T13:00:00Z" || q.End.DateTime != "2026-03-10T14:00:00Z" {
		t.Errorf("the event is %+v", q)
	}
}

func TestOfficialClientSeries(t *testing.T) {
	c := newOfficial(t)
	one := must[*calendar.Event](t)
	list := must[*calendar.Events](t)
	s := one(c.Events.Insert("primary", &calendar.Event{Id: "standup", Summary: "Standup", Start: at(9, 9), End: at(9, 10), Recurrence: []string{"RRULE:FREQ=DAILY;COUNT=4"}}).Do())
	day := func(n int) string { return "standup_2026030" + string(rune('0'+n)) + "T090000Z" }
	all := []string{day(9), "standup_20260310T090000Z", "standup_20260311T090000Z", "standup_20260312T090000Z"}
	same(t, "instances", all, ids(list(c.Events.Instances("primary", s.Id).Do())))
	same(t, "series", []string{"standup"}, ids(list(c.Events.List("primary").Do())))
	same(t, "single events", all, ids(list(c.Events.List("primary").SingleEvents(true).OrderBy("startTime").Do())))
	same(t, "window", all[1:3], ids(list(c.Events.List("primary").SingleEvents(true).TimeMin("2026-03-09T10:00:00Z").TimeMax("2026-03-12T09:00:00Z").Do())))

	i := one(c.Events.Get("primary", all[1]).Do())
	if i.RecurringEventId != s.Id || i.ICalUID != s.ICalUID || i.OriginalStartTime.DateTime != "2026-03-10T09:00:00Z" {
		t.Errorf("the instance is %+v", i)
	}
	// Change one, cancel another.
	i.Summary, i.Start, i.End = "Late standup", at(10, 15), at(10, 16)
	one(c.Events.Update("primary", i.Id, i).Do())
	if err := c.Events.Delete("primary", all[2]).Do(); err != nil {
		t.Fatal(err)
	}
	got := list(c.Events.Instances("primary", s.Id).Do())
	same(t, "instances", []string{all[0], all[1], all[3]}, ids(got))
	same(t, "summary", "Late standup", got.Items[1].Summary)
	same(t, "with cancelled", all, sorted(ids(list(c.Events.Instances("primary", s.Id).ShowDeleted(true).Do()))))
	same(t, "cancelled instance", "cancelled", one(c.Events.Get("primary", all[2]).Do()).Status)
	_, err := c.Events.Get("primary", "standup_20260313T090000Z").Do()
	fails(t, err, 404, "notFound")
	_, err = c.Events.Instances("primary", all[1]).Do()
	fails(t, err, 400, "invalid")

	// Deleting a series deletes its instances.
	if err := c.Events.Delete("primary", s.Id).Do(); err != nil {
		t.Fatal(err)
	}
	same(t, "after the end", []string{}, ids(list(c.Events.List("primary").SingleEvents(true).Do())))
}

func sorted(list []string) []string { slices.Sort(list); return list }

func TestOfficialClientListing(t *testing.T) {
	c := newOfficial(t)
	one := must[*calendar.Event](t)
	list := must[*calendar.Events](t)
	for i, id := range []string{"event0", "event1", "event2", "event3", "event4"} {
		e := &calendar.Event{Id: id, Summary: "Planning of " + []string{"March", "April", "May", "June", "July"}[i], Start: at(20-i, 9), End: at(20-i, 10)}
		e.ExtendedProperties = &calendar.EventExtendedProperties{Private: map[string]string{"half": string(rune('0' + i%2))}, Shared: map[string]string{"all": "x"}}
		one(c.Events.Insert("primary", e).Do())
	}
	all := []string{"event0", "event1", "event2", "event3", "event4"}

	var paged []string
	pages := 0
	err := c.Events.List("primary").MaxResults(2).Pages(context.Background(), func(p *calendar.Events) error {
		paged = append(paged, ids(p)...)
		pages++
		if (p.NextPageToken == "") != (p.NextSyncToken != "") {
			t.Errorf("page %d has the tokens %q and %q", pages, p.NextPageToken, p.NextSyncToken)
		}
		return nil
	})
	if err != nil || pages != 3 {
		t.Errorf("%d pages, %v", pages, err)
	}
	same(t, "pages", all, paged)
	same(t, "by start", []string{"event4", "event3", "event2", "event1", "event0"}, ids(list(c.Events.List("primary").SingleEvents(true).OrderBy("startTime").Do())))
	same(t, "by text", []string{"event2"}, ids(list(c.Events.List("primary").Q("MAY planning").Do())))
	same(t, "by property", []string{"event1", "event3"}, ids(list(c.Events.List("primary").PrivateExtendedProperty("half=1").SharedExtendedProperty("all=x").Do())))
	same(t, "by iCalUID", []string{"event2"}, ids(list(c.Events.List("primary").ICalUID("event2@calendar.example").Do())))
	same(t, "in a window", []string{"event3", "event4"}, ids(list(c.Events.List("primary").TimeMax("2026-03-18T09:00:00Z").Do())))
	_, err = c.Events.List("primary").OrderBy("startTime").Do()
	fails(t, err, 400, "invalid")
	_, err = c.Events.List("primary").PageToken("nonsense").Do()
	fails(t, err, 400, "invalid")

	// A synchronization has the changed and the deleted events.
	token := list(c.Events.List("primary").Do()).NextSyncToken
	same(t, "nothing changed", []string{}, ids(list(c.Events.List("primary").SyncToken(token).Do())))
	one(c.Events.Patch("primary", "event1", &calendar.Event{Summary: "B"}).Do())
	if err := c.Events.Delete("primary", "event3").Do(); err != nil {
		t.Fatal(err)
	}
	changes := list(c.Events.List("primary").SyncToken(token).Do())
	same(t, "changes", []string{"event1", "event3"}, ids(changes))
	same(t, "status", "cancelled", changes.Items[1].Status)
	same(t, "nothing more", []string{}, ids(list(c.Events.List("primary").SyncToken(changes.NextSyncToken).Do())))
	_, err = c.Events.List("primary").SyncToken(token).Q("x").Do()
	fails(t, err, 400, "invalid")

	// A list that did not change is not sent again, whatever its parameters.
	l := list(c.Events.List("primary").Fields("items(id)", "etag").Do())
	if l.Etag == "" || l.Items[0].Id == "" || l.Items[0].Summary != "" || l.Summary != "" {
		t.Errorf("the part of the list is %+v", l)
	}
	if _, err := c.Events.List("primary").IfNoneMatch(l.Etag).Do(); !googleapi.IsNotModified(err) {
		t.Errorf("list with If-None-Match: %v", err)
	}
}

// A sync token that is too old is answered with 410.
func TestOfficialClientOldToken(t *testing.T) {
	now := noon
	c := newOfficial(t, emulator.WithClock(func() time.Time { return now }), emulator.WithSyncTokenLife(time.Hour))
	list := must[*calendar.Events](t)
	token := list(c.Events.List("primary").Do()).NextSyncToken
	now = now.Add(time.Hour)
	list(c.Events.List("primary").SyncToken(token).Do())
	now = now.Add(time.Second)
	_, err := c.Events.List("primary").SyncToken(token).Do()
	fails(t, err, http.StatusGone, "fullSyncRequired")
}

func TestOfficialClientMoveAndImport(t *testing.T) {
	c := newOfficial(t)
	one := must[*calendar.Event](t)
	team := must[*calendar.Calendar](t)(c.Calendars.Insert(&calendar.Calendar{Summary: "Team", TimeZone: "Europe/Berlin"}).Do())
	e := one(c.Events.Insert("primary", &calendar.Event{Summary: "Review", Start: at(11, 9), End: at(11, 10)}).Do())
	moved := one(c.Events.Move("primary", e.Id, team.Id).Do())
	if moved.Organizer.Email != team.Id || !moved.Organizer.Self {
		t.Errorf("the organizer is %+v", moved.Organizer)
	}
	same(t, "there", "Review", one(c.Events.Get(team.Id, e.Id).Do()).Summary)
	same(t, "here", "cancelled", one(c.Events.Get("primary", e.Id).Do()).Status)
	_, err := c.Events.Move(team.Id, e.Id, "nosuchcalendar").Do()
	fails(t, err, 404, "notFound")

	imported := &calendar.Event{ICalUID: "1@elsewhere.example", Summary: "Offsite", Start: at(12, 9), End: at(12, 10), Organizer: &calendar.EventOrganizer{Email: "eve@elsewhere.example"}, Attendees: []*calendar.EventAttendee{{Email: me}}}
	first := one(c.Events.Import("primary", imported).Do())
	if first.Organizer.Email != "eve@elsewhere.example" || first.Organizer.Self || first.ICalUID != imported.ICalUID {
		t.Errorf("the import is %+v", first)
	}
	imported.Summary = "Offsite, again"
	second := one(c.Events.Import("primary", imported).Do())
	if second.Id != first.Id || second.Summary != "Offsite, again" {
		t.Errorf("the second import is %+v", second)
	}
	_, err = c.Events.Import("primary", &calendar.Event{Start: at(12, 9), End: at(12, 10)}).Do()
	fails(t, err, 400, "required")
}

func TestOfficialClientCalendars(t *testing.T) {
	c := newOfficial(t)
	one := must[*calendar.Calendar](t)
	team := one(c.Calendars.Insert(&calendar.Calendar{Summary: "Team"}).Do())
	same(t, "zone", "UTC", team.TimeZone)
	same(t, "summary", "Our team", one(c.Calendars.Patch(team.Id, &calendar.Calendar{Summary: "Our team"}).Do()).Summary)
	same(t, "updated", "All", one(c.Calendars.Update(team.Id, &calendar.Calendar{Summary: "All", TimeZone: "Europe/Berlin"}).Do()).Summary)
	same(t, "get", "Europe/Berlin", one(c.Calendars.Get(team.Id).Do()).TimeZone)
	_, err := c.Calendars.Patch(team.Id, &calendar.Calendar{TimeZone: "Mars/Olympus"}).Do()
	fails(t, err, 400, "invalid")

	entries := must[*calendar.CalendarList](t)(c.CalendarList.List().Do())
	if len(entries.Items) != 2 || entries.NextSyncToken == "" {
		t.Errorf("the calendar list is %+v", entries)
	}
	entry := must[*calendar.CalendarListEntry](t)
	same(t, "role", "owner", entry(c.CalendarList.Get("primary").Do()).AccessRole)
	same(t, "color", "9", entry(c.CalendarList.Patch(team.Id, &calendar.CalendarListEntry{ColorId: "9"}).Do()).ColorId)
	colors := must[*calendar.Colors](t)(c.Colors.Get().Do()).Calendar
	same(t, "its background", colors["9"].Background, entry(c.CalendarList.Get(team.Id).Do()).BackgroundColor)
	painted := &calendar.CalendarListEntry{BackgroundColor: "#123456", ForegroundColor: "#ffffff"}
	same(t, "background", "#123456", entry(c.CalendarList.Patch(team.Id, painted).ColorRgbFormat(true).Do()).BackgroundColor)
	same(t, "override", "T", entry(c.CalendarList.Update(team.Id, &calendar.CalendarListEntry{SummaryOverride: "T"}).Do()).SummaryOverride)
	if err := c.CalendarList.Delete(team.Id).Do(); err != nil {
		t.Error(err)
	}
	changed := must[*calendar.CalendarList](t)(c.CalendarList.List().SyncToken(entries.NextSyncToken).Do())
	if len(changed.Items) != 1 || changed.Items[0].Id != team.Id || !changed.Items[0].Deleted {
		t.Errorf("after a removal the changes are %+v", changed.Items)
	}
	_, err = c.CalendarList.List().SyncToken(entries.NextSyncToken).ShowDeleted(false).Do()
	fails(t, err, 400, "invalid")
	same(t, "deleted entries", 1, len(must[*calendar.CalendarList](t)(c.CalendarList.List().ShowDeleted(true).Do()).Items)-1)
	same(t, "listed again", "All", entry(c.CalendarList.Insert(&calendar.CalendarListEntry{Id: team.Id}).Do()).Summary)

	rule := must[*calendar.AclRule](t)
	r := rule(c.Acl.Insert(team.Id, &calendar.AclRule{Role: "reader", Scope: &calendar.AclRuleScope{Type: "user", Value: "bob@example.com"}}).Do())
	same(t, "id", "user:bob@example.com", r.Id)
	same(t, "patched", "writer", rule(c.Acl.Patch(team.Id, r.Id, &calendar.AclRule{Role: "writer"}).Do()).Role)
	same(t, "updated", "reader", rule(c.Acl.Update(team.Id, r.Id, &calendar.AclRule{Role: "reader", Scope: r.Scope}).Do()).Role)
	same(t, "get", "reader", rule(c.Acl.Get(team.Id, r.Id).Do()).Role)
	same(t, "rules", 2, len(must[*calendar.Acl](t)(c.Acl.List(team.Id).Do()).Items))
	if err := c.Acl.Delete(team.Id, r.Id).Do(); err != nil {
		t.Error(err)
	}
	same(t, "rules that remain", 1, len(must[*calendar.Acl](t)(c.Acl.List(team.Id).Do()).Items))
	rules := must[*calendar.Acl](t)(c.Acl.List(team.Id).ShowDeleted(true).Do()).Items
	same(t, "rules with deleted ones", 2, len(rules))
	same(t, "deleted rule", "none", rules[0].Role)
	same(t, "its grantee", "bob@example.com", rules[0].Scope.Value)
	_, err = c.Acl.Insert(team.Id, &calendar.AclRule{Role: "king", Scope: &calendar.AclRuleScope{Type: "default"}}).Do()
	fails(t, err, 400, "invalid")

	must[*calendar.Event](t)(c.Events.Insert("primary", &calendar.Event{Start: at(11, 9), End: at(11, 10)}).Do())
	if err := c.Calendars.Clear("primary").Do(); err != nil {
		t.Error(err)
	}
	same(t, "cleared", 0, len(must[*calendar.Events](t)(c.Events.List("primary").Do()).Items))
	if err := c.Calendars.Clear(team.Id).Do(); err == nil {
		t.Error("a secondary calendar was cleared")
	}
	if err := c.Calendars.Delete("primary").Do(); err == nil {
		t.Error("the primary calendar was deleted")
	}
	if err := c.Calendars.TransferOwnership(team.Id, "ada@example.com", true).Do(); err != nil {
		t.Error(err)
	}
	same(t, "data owner", "ada@example.com", one(c.Calendars.Get(team.Id).Do()).DataOwner)
	if err := c.Calendars.Delete(team.Id).Do(); err != nil {
		t.Error(err)
	}
	_, err = c.Calendars.Get(team.Id).Do()
	fails(t, err, 404, "notFound")
}

func TestOfficialClientRest(t *testing.T) {
	c := newOfficial(t)
	colors := must[*calendar.Colors](t)(c.Colors.Get().Do())
	if len(colors.Calendar) != 24 || len(colors.Event) != 11 || colors.Event["11"].Background != "#dc2127" {
		t.Errorf("the colors are %+v", colors)
	}
	same(t, "setting", "UTC", must[*calendar.Setting](t)(c.Settings.Get("timezone").Do()).Value)
	same(t, "settings", 12, len(must[*calendar.Settings](t)(c.Settings.List().Do()).Items))
	_, err := c.Settings.Get("nosuchsetting").Do()
	fails(t, err, 404, "notFound")

	insert := func(e *calendar.Event) { must[*calendar.Event](t)(c.Events.Insert("primary", e).Do()) }
	insert(&calendar.Event{Start: at(11, 9), End: at(11, 11)})
	insert(&calendar.Event{Start: at(11, 10), End: at(11, 12)})
	insert(&calendar.Event{Start: at(11, 13), End: at(11, 14), Transparency: "transparent"})
	insert(&calendar.Event{Start: at(10, 16), End: at(10, 17), Recurrence: []string{"RRULE:FREQ=DAILY"}})
	busy := must[*calendar.FreeBusyResponse](t)(c.Freebusy.Query(&calendar.FreeBusyRequest{TimeMin: "2026-03-11T09:30:00Z", TimeMax: "2026-03-12T00:00:00Z", Items: []*calendar.FreeBusyRequestItem{{Id: "primary"}, {Id: "nosuchcalendar"}}}).Do())
	same(t, "busy", []*calendar.TimePeriod{{Start: "2026-03-11T09:30:00Z", End: "2026-03-11T12:00:00Z"}, {Start: "2026-03-11T16:00:00Z", End: "2026-03-11T17:00:00Z"}}, busy.Calendars["primary"].Busy)
	same(t, "unknown", "notFound", busy.Calendars["nosuchcalendar"].Errors[0].Reason)
	_, err = c.Freebusy.Query(&calendar.FreeBusyRequest{TimeMin: "2026-03-11T09:30:00Z", TimeMax: "2026-03-11T09:30:00Z"}).Do()
	fails(t, err, 400, "timeRangeEmpty")
}

func TestOfficialClientWatch(t *testing.T) {
	states := make(chan string, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		states <- r.Header.Get("X-Goog-Resource-State") + " " + r.Header.Get("X-Goog-Channel-Token")
	}))
	defer hook.Close()
	c := newOfficial(t)
	watched := must[*calendar.Channel](t)(c.Events.Watch("primary", &calendar.Channel{Id: "channel1", Type: "web_hook", Address: hook.URL, Token: "secret"}).Do())
	same(t, "first", "sync secret", <-states)
	_, err := c.Events.Watch("primary", &calendar.Channel{Id: "channel1", Type: "web_hook", Address: hook.URL}).Do()
	fails(t, err, 400, "channelIdNotUnique")
	must[*calendar.Event](t)(c.Events.Insert("primary", &calendar.Event{Start: at(11, 9), End: at(11, 10)}).Do())
	same(t, "second", "exists secret", <-states)
	for _, watch := range []func(*calendar.Channel) error{
		func(ch *calendar.Channel) error { _, err := c.Acl.Watch("primary", ch).Do(); return err },
		func(ch *calendar.Channel) error { _, err := c.CalendarList.Watch(ch).Do(); return err },
		func(ch *calendar.Channel) error { _, err := c.Settings.Watch(ch).Do(); return err },
	} {
		if err := watch(&calendar.Channel{Id: channelID(), Type: "web_hook", Address: hook.URL}); err != nil {
			t.Error(err)
		}
		same(t, "sync", "sync ", <-states)
	}
	if err := c.Channels.Stop(watched).Do(); err != nil {
		t.Error(err)
	}
	fails(t, c.Channels.Stop(watched).Do(), 404, "notFound")
}

var channels int

// channelID returns another id for each channel.
func channelID() string {
	channels++
	return "other" + string(rune('a'+channels))
}

// With one option, the official client learns what is wrong before a request is sent, in its own error type.
func TestTransport(t *testing.T) {
	sent := 0
	handler := emulator.New(emulator.WithClock(clock))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent++
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	watcher, err := between.New(between.Options{Base: server.URL + google})
	if err != nil {
		t.Fatal(err)
	}
	var reports []string
	client := &http.Client{Transport: &eventhttp.Transport{Next: server.Client().Transport, Watcher: watcher, Block: true, Report: func(r eventhttp.Report) {
		line := string(r.Exchange.Op)
		for _, f := range r.Exchange.Findings {
			line += " " + f.Rule.ID
		}
		for _, f := range r.Answer {
			line += " answer " + f.Rule.ID
		}
		reports = append(reports, line)
	}}}
	service, err := calendar.NewService(t.Context(), option.WithEndpoint(server.URL+google+"/"), option.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	_, err = service.Events.Insert("primary", &calendar.Event{Start: at(10, 9), End: at(10, 8)}).Do()
	fails(t, err, http.StatusBadRequest, "timeRangeEmpty")
	if sent != 0 {
		t.Errorf("%d requests are sent", sent)
	}
	created := must[*calendar.Event](t)(service.Events.Insert("primary", &calendar.Event{Start: at(10, 9), End: at(10, 10)}).Do())
	must[*calendar.Event](t)(service.Events.Get("primary", created.Id).Do())
	_, err = service.Events.Patch("primary", created.Id, &calendar.Event{End: at(10, 8)}).Do()
	fails(t, err, http.StatusBadRequest, "timeRangeEmpty") // from the emulator: the event may have changed
	must[*calendar.Event](t)(service.Events.Get("primary", created.Id).Do())
	patch := service.Events.Patch("primary", created.Id, &calendar.Event{End: at(10, 8)})
	patch.Header().Set("If-Match", created.Etag)
	before := sent
	_, err = patch.Do()
	fails(t, err, http.StatusBadRequest, "timeRangeEmpty")
	if sent != before {
		t.Error("a patch is sent that is sure to be refused")
	}
	must[*calendar.Events](t)(service.Events.List("primary").Do())
	want := []string{"events.insert time.order", "events.insert", "events.get", "events.patch patch.whole", "events.get", "events.patch patch.whole", "events.list"}
	if diff := cmp.Diff(want, reports); diff != "" {
		t.Errorf("reports (-want +got):\n%s", diff)
	}
}
