package emulator_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/store"
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

// A channel notifies of every change to its list, and of nothing else, such as requests that are refused.
func TestNotifications(t *testing.T) {
	c, handler, got := hooked(t)
	team := c.do(200, "POST", "/calendars", `{"summary":"Team"}`).text("id")
	lists := []string{"/calendars/primary/events", "/calendars/" + team + "/events", "/calendars/primary/acl", "/users/me/calendarList"}
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
		{"PATCH", "/calendars/primary", `{"summary":null}`, 400, nil},
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
		want := map[string]bool{}
		for _, i := range step.channels {
			want[strconv.Itoa(i)+" exists"] = true
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
		channel("a", `,"expiration":"soon"`), channel("a", fmt.Sprintf(`,"expiration":%d`, noon.UnixMilli())),
		channel("a", `,"params":{"ttl":"-1"}`), channel("a", `,"params":{"ttl":"long"}`),
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

// The notifications of a channel come one after the other, and those that do not fit in its queue are lost. The emulator
// can be closed while requests still come.
func TestNotificationsBounded(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	sent := 0
	hook := &http.Client{Transport: direct{http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		sent++
		first := sent == 1
		mu.Unlock()
		if first {
			close(started)
			<-release
		}
	})}}
	handler := emulator.New(emulator.WithClock(clock), emulator.WithNotifier(hook))
	c := newDirect(t, handler)
	c.do(200, "POST", watchPath, channel("slow", ""))
	<-started
	for range 300 {
		c.do(200, "POST", eventsPath, `{`+hour+`}`)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 20 {
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("DELETE", google+eventsPath+"/nosuch", nil))
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", google+eventsPath+"/quickAdd?text=A", nil))
		}
	})
	close(release)
	if err := handler.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	mu.Lock()
	defer mu.Unlock()
	if sent < 1 || sent > 101 {
		t.Errorf("%d notifications were sent; at most 100 wait", sent)
	}
}
