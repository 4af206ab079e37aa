package emulator_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/store"
	"github.com/calrules/calrules/operation"
)

const watchPath = eventsPath + "/watch"

// hooked returns a client of an emulator whose notifications arrive in the channel, as "id state".
func hooked(t *testing.T, opts ...emulator.Option) (*client, *emulator.Server, <-chan string) {
	t.Helper()
	got := make(chan string, 1000)
	hook := &http.Client{Transport: direct{http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("X-Goog-Channel-ID") + " " + r.Header.Get("X-Goog-Resource-State")
	})}}
	c, handler := newTestServer(t, append([]emulator.Option{emulator.WithNotifier(hook)}, opts...)...)
	return c, handler, got
}

func channel(id, rest string) string {
	return fmt.Sprintf(`{"id":%q,"type":"web_hook","address":"https://hook.example/path"%s}`, id, rest)
}

// A channel notifies of every change to its list, and of nothing else, such as requests that are refused: of what the effect
// of the operation says.
func TestNotifications(t *testing.T) {
	c, handler, got := hooked(t)
	team := c.do(200, "POST", "/calendars", `{"summary":"Team"}`).text("id")
	lists := []string{"/calendars/primary/events", "/calendars/" + team + "/events", "/calendars/primary/acl", "/users/me/calendarList"}
	kinds := []operation.Things{operation.OneEvent, operation.OneEvent, operation.OneAccessRule, operation.OneListEntry}
	for i, list := range lists {
		c.do(200, "POST", list+"/watch", channel(strconv.Itoa(i), ""))
		if first := <-got; first != strconv.Itoa(i)+" sync" {
			t.Errorf("the first notification is %q", first)
		}
	}
	c.do(200, "POST", eventsPath, `{"id":"event1",`+hour+`}`)
	for _, step := range []struct {
		method, path, body string
		status             int
		channels           []int
	}{
		{"POST", eventsPath, `{"id":"event1",` + hour + `}`, 409, nil},
		{"PATCH", eventsPath + "/event1", `{"summary":"A"}`, 200, []int{0}},
		{"GET", eventsPath, "", 200, nil},
		{"POST", eventsPath + "/event1/move?destination=" + team, "", 200, []int{0, 1}},
		{"PATCH", "/calendars/primary", `{"summary":5}`, 400, nil},
		{"PATCH", "/calendars/primary", `{"summary":"B"}`, 200, []int{3}},
		{"POST", "/calendars/primary/acl", `{"role":"king","scope":{"type":"default"}}`, 400, nil},
		{"POST", "/calendars/primary/acl", `{"role":"reader","scope":{"type":"default"}}`, 200, []int{2, 3}},
		{"PATCH", "/calendars/primary/acl/default", `{"role":"writer"}`, 200, []int{2, 3}},
		{"PATCH", "/users/me/calendarList/primary", `{"hidden":true}`, 200, []int{3}},
		{"DELETE", "/calendars/" + team, "", 204, []int{1, 3}},
	} {
		for len(got) > 0 {
			<-got
		}
		c.do(step.status, step.method, step.path, step.body)
		want, notifies := map[string]bool{}, operation.Things(0)
		for _, i := range step.channels {
			want[strconv.Itoa(i)+" exists"] = true
			notifies |= kinds[i]
		}
		path, _, _ := strings.Cut(step.path, "?")
		if op, ok := operation.Resolve(step.method, path); !ok || step.status < 300 && op.Operation.Effect.Notifies != notifies {
			t.Errorf("%s %s notifies %v; the effect is %+v", step.method, step.path, notifies.Names(), op.Operation.Effect)
		}
		seen := map[string]bool{}
		for range want {
			seen[<-got] = true
		}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", step.method, step.path, diff)
		}
	}
	if err := handler.Close(); err != nil { // waits for what is being sent
		t.Fatal(err)
	}
	if len(got) > 0 {
		t.Errorf("another notification is %q", <-got)
	}
}

// A notification has the fields of the public service. The first one of a channel has the number 1, and later ones have
// greater numbers.
func TestNotificationFields(t *testing.T) {
	got := make(chan http.Header, 10)
	hook := &http.Client{Transport: direct{http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Header })}}
	c, _ := newTestServer(t, emulator.WithNotifier(hook))
	for _, id := range []string{"first", "second"} {
		o := c.do(200, "POST", watchPath, channel(id, `,"token":"secret","params":{"ttl":"60"}`))
		want := http.Header{
			"X-Goog-Channel-Id": {id}, "X-Goog-Channel-Token": {"secret"}, "X-Goog-Channel-Expiration": {"Tue, 10 Mar 2026 12:01:00 GMT"},
			"X-Goog-Resource-Id": {o.text("resourceId")}, "X-Goog-Resource-Uri": {o.text("resourceUri")}, "X-Goog-Resource-State": {"sync"},
			"X-Goog-Message-Number": {"1"},
		}
		if diff := cmp.Diff(want, <-got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	last := map[string]int{"first": 1, "second": 1}
	for range 3 {
		c.do(200, "POST", eventsPath, `{`+hour+`}`)
		for range last {
			fields := <-got
			n, err := strconv.Atoi(fields.Get("X-Goog-Message-Number"))
			if id := fields.Get("X-Goog-Channel-ID"); err != nil || n <= last[id] {
				t.Errorf("%v after the number %d", fields, last[id])
			}
			last[fields.Get("X-Goog-Channel-ID")] = n
		}
	}
}

// The numbers of a channel's notifications increase after a restart too.
func TestNotificationNumbersAfterRestart(t *testing.T) {
	got := make(chan http.Header, 10)
	hook := &http.Client{Transport: direct{http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Header })}}
	disk, last := new(store.Memory), 0
	for _, body := range []string{channel("one", ""), "", ""} {
		handler, err := emulator.Open(disk, emulator.WithClock(clock), emulator.WithNotifier(hook))
		if err != nil {
			t.Fatal(err)
		}
		c := newDirect(t, handler)
		if body != "" {
			c.do(200, "POST", watchPath, body)
			<-got
		}
		c.do(200, "POST", eventsPath, `{`+hour+`}`)
		n, err := strconv.Atoi((<-got).Get("X-Goog-Message-Number"))
		if err != nil || n <= last {
			t.Errorf("the number is %d after %d, %v", n, last, err)
		}
		last = n
		if err := handler.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The emulator refuses channels that could not work.
func TestBadChannels(t *testing.T) {
	c, _, _ := hooked(t)
	for _, body := range []string{
		`{}`, `{"id":"a","type":"web_hook"}`, `{"id":"a","type":"email","address":"https://hook.example"}`,
		`{"id":5,"type":"web_hook","address":"https://hook.example"}`, `{"id":"a","type":"web_hook","address":"hook"}`,
		`{"id":"a","type":"web_hook","address":"ftp://hook.example"}`, `{"id":"a","type":"web_hook","address":"https://"}`,
		`{"id":"a","type":"web_hook","address":"https://hook.example","token":5}`,
		channel("a", `,"expiration":"soon"`),
	} {
		c.do(400, "POST", watchPath, body)
	}
	c.do(404, "POST", "/calendars/bob@example.com/events/watch", channel("a", ""))
	c.do(200, "POST", watchPath, channel("a", ""))
}

// A channel ends, which frees its id. Others that ended are removed when a channel is made.
func TestChannelsEnd(t *testing.T) {
	now := noon
	c, _, got := hooked(t, emulator.WithClock(func() time.Time { return now }))
	c.do(200, "POST", watchPath, channel("short", `,"params":{"ttl":"60"}`))
	o := c.do(200, "POST", watchPath, channel("long", fmt.Sprintf(`,"expiration":"%d"`, noon.Add(time.Hour).UnixMilli())))
	if want := strconv.FormatInt(noon.Add(time.Hour).UnixMilli(), 10); o.text("expiration") != want {
		t.Errorf("the expiration is %s, want %s", o.text("expiration"), want)
	}
	<-got
	<-got
	now = noon.Add(2 * time.Minute)
	c.do(200, "POST", eventsPath, `{`+hour+`}`)
	if n := <-got; n != "long exists" {
		t.Errorf("the notification is %q", n)
	}
	again := c.do(200, "POST", watchPath, channel("short", ""))
	c.do(204, "POST", "/channels/stop", fmt.Sprintf(`{"id":"short","resourceId":%q}`, again.text("resourceId")))
	now = noon.Add(2 * time.Hour)
	c.do(200, "POST", watchPath, channel("other", ""))
	c.do(404, "POST", "/channels/stop", fmt.Sprintf(`{"id":"long","resourceId":%q}`, o.text("resourceId"))) // it is gone
}

// A channel that ended notifies of nothing, not even after a restart.
func TestEndedChannelIsSilent(t *testing.T) {
	got := make(chan string, 10)
	hook := &http.Client{Transport: direct{http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("X-Goog-Channel-ID") + " " + r.Header.Get("X-Goog-Resource-State")
	})}}
	now, disk := noon, new(store.Memory)
	for _, step := range []struct {
		at   time.Duration
		want string
	}{{time.Minute, "a exists"}, {time.Minute + time.Millisecond, ""}, {time.Hour, ""}} {
		handler, err := emulator.Open(disk, emulator.WithClock(func() time.Time { return now }), emulator.WithNotifier(hook))
		if err != nil {
			t.Fatal(err)
		}
		c := newDirect(t, handler)
		if now.Equal(noon) {
			c.do(200, "POST", watchPath, channel("a", `,"params":{"ttl":"60"}`))
			<-got
		}
		now = noon.Add(step.at)
		c.do(200, "POST", eventsPath, `{`+hour+`}`)
		if step.want != "" {
			if n := <-got; n != step.want {
				t.Errorf("after %s the notification is %q", step.at, n)
			}
		}
		if err := handler.Close(); err != nil { // waits for what is being sent
			t.Fatal(err)
		}
		if len(got) > 0 {
			t.Errorf("after %s another notification is %q", step.at, <-got)
		}
	}
}

// Only the user who made a channel stops it, with its id and the id of what it watches.
func TestOnlyOwnerStopsChannel(t *testing.T) {
	c, _, got := hooked(t, emulator.WithTokens(map[string]emulator.Token{"ada": {Email: "ada@example.com"}, "bob": {Email: "bob@example.com"}}))
	ada, bob := "Authorization: Bearer ada", "Authorization: Bearer bob"
	c.do(200, "GET", "/calendars/primary", "", bob)
	c.do(200, "POST", "/calendars/primary/acl", `{"role":"owner","scope":{"type":"user","value":"bob@example.com"}}`, ada)
	o := c.do(200, "POST", "/calendars/ada@example.com/events/watch", channel("a", ""), ada)
	<-got
	stop := func(id, resourceID string) string { return fmt.Sprintf(`{"id":%q,"resourceId":%q}`, id, resourceID) }
	for _, step := range []struct {
		status     int
		who        string
		id, of     string
		stillSends bool
	}{
		{404, bob, "a", o.text("resourceId"), true}, {404, ada, "a", "other", true}, {404, ada, "b", o.text("resourceId"), true},
		{204, ada, "a", o.text("resourceId"), false}, {404, ada, "a", o.text("resourceId"), false},
	} {
		c.do(step.status, "POST", "/channels/stop", stop(step.id, step.of), step.who)
		c.do(200, "POST", "/calendars/ada@example.com/events", `{`+hour+`}`, bob)
		if step.stillSends {
			if n := <-got; n != "a exists" {
				t.Errorf("the notification is %q", n)
			}
		}
	}
	c.do(200, "POST", "/calendars/ada@example.com/events/watch", channel("z", ""), ada)
	if n := <-got; n != "z sync" { // nothing came in between
		t.Errorf("the notification is %q", n)
	}
}

// The number of channels is limited. Those that ended or were stopped do not count.
func TestChannelsLimited(t *testing.T) {
	const most = 1000
	now := noon
	c, handler, _ := hooked(t, emulator.WithClock(func() time.Time { return now }), emulator.WithNotifier(&http.Client{Transport: direct{http.NotFoundHandler()}}))
	paths := []string{watchPath, "/calendars/primary/acl/watch", "/users/me/calendarList/watch"}
	var first object
	for i := range most {
		o := c.do(200, "POST", paths[i%len(paths)], channel(strconv.Itoa(i), `,"params":{"ttl":"60"}`))
		if i == 0 {
			first = o
		}
	}
	if o := c.do(403, "POST", watchPath, channel("more", "")); o.reason() != "quotaExceeded" {
		t.Errorf("the reason is %s", o.reason())
	}
	c.do(400, "POST", watchPath, channel("5", "")) // the id is the better reason
	c.do(204, "POST", "/channels/stop", fmt.Sprintf(`{"id":"0","resourceId":%q}`, first.text("resourceId")))
	c.do(200, "POST", watchPath, channel("more", ""))
	c.do(403, "POST", watchPath, channel("0", ""))
	now = noon.Add(2 * time.Minute)
	c.do(200, "POST", watchPath, channel("0", ""))
	if err := handler.Reset(); err != nil {
		t.Fatal(err)
	}
	c.do(200, "POST", watchPath, channel("more", ""))
}

// What a change costs does not grow with the channels that watch other lists: a channel is decoded once.
func TestChannelsOfOtherLists(t *testing.T) {
	c, _, _ := hooked(t, emulator.WithNotifier(&http.Client{Transport: direct{http.NotFoundHandler()}}))
	c.do(200, "POST", eventsPath, `{"id":"event1",`+hour+`}`)
	count := 0
	cost := func() float64 {
		return testing.AllocsPerRun(20, func() {
			count++
			c.do(200, "PATCH", eventsPath+"/event1", fmt.Sprintf(`{"summary":"%d"}`, count))
		})
	}
	few := cost()
	for i := range 500 {
		c.do(200, "POST", "/calendars/primary/acl/watch", channel(strconv.Itoa(i), ""))
	}
	if many := cost(); many > few*1.2 {
		t.Errorf("a change takes %.0f allocations, and %.0f if 500 channels watch another list", few, many)
	}
}

// The notifications of a channel come one after the other, and those that do not fit in its queue are lost: while the
// first is being sent, 100 wait.
func TestNotificationsBounded(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	numbers := make(chan int, 1000)
	hook := &http.Client{Transport: direct{http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.Header.Get("X-Goog-Message-Number"))
		if n == 1 {
			close(started)
			<-release
		}
		numbers <- n
	})}}
	handler := emulator.New(emulator.WithClock(clock), emulator.WithNotifier(hook))
	c := newDirect(t, handler)
	c.do(200, "POST", watchPath, channel("slow", ""))
	<-started
	const changes = 300
	for range changes {
		c.do(200, "POST", eventsPath, `{`+hour+`}`)
	}
	close(release)
	var last int
	for range 101 {
		last = <-numbers
	}
	c.do(200, "POST", eventsPath, `{`+hour+`}`)
	if next := <-numbers; next != last+changes-100+1 {
		t.Errorf("the number after %d is %d; %d notifications should be lost", last, next, changes-100)
	}
	if err := handler.Close(); err != nil {
		t.Fatal(err)
	}
}

// The emulator can be closed while requests still come.
func TestCloseDuringRequests(t *testing.T) {
	c, handler, _ := hooked(t)
	c.do(200, "POST", watchPath, channel("a", ""))
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 20 {
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("DELETE", google+eventsPath+"/nosuch", nil))
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", google+eventsPath+"/quickAdd?text=A", nil))
		}
	})
	if err := handler.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
}
