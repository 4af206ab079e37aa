package emulator_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// A new event has all members with which the public service answers.
func TestNewEvent(t *testing.T) {
	c := newClient(t)
	want := object{
		"kind": "calendar#event", "etag": `"2"`, "id": "event1", "status": "confirmed", "created": "2026-03-10T12:00:00.000Z",
		"updated": "2026-03-10T12:00:00.000Z", "creator": map[string]any{"email": me, "self": true}, "organizer": map[string]any{"email": me, "self": true},
		"start": map[string]any{"dateTime": "2026-03-11T09:00:00Z", "timeZone": "UTC"}, "end": map[string]any{"dateTime": "2026-03-11T10:00:00Z", "timeZone": "UTC"},
		"htmlLink": c.url + "/event?eid=ZXZlbnQxIHVzZXJAZXhhbXBsZS5jb20", "iCalUID": "event1@calendar.example", "sequence": 0.0,
		"reminders": map[string]any{"useDefault": true}, "eventType": "default",
	}
	if diff := cmp.Diff(want, c.do(200, "POST", eventsPath, `{"id":"event1",`+hour+`}`)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, c.do(200, "GET", eventsPath+"/event1", "")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]object{want}, c.do(200, "GET", eventsPath, "").items()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// What the client sends remains, also false.
	for _, reminders := range []map[string]any{{"useDefault": false}, {"useDefault": false, "overrides": []any{map[string]any{"method": "popup", "minutes": 0.0}}}} {
		text, err := json.Marshal(reminders)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(reminders, c.do(200, "POST", eventsPath, `{`+hour+`,"reminders":`+string(text)+`}`)["reminders"]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Both dialects serve the same events, each with its names.
func TestDialects(t *testing.T) {
	c := newClient(t)
	conference := func(solution string) string {
		return `{` + hour + `,"conferenceData":{"createRequest":{"requestId":"1","conferenceSolutionKey":{"type":"` + solution + `"}}}}`
	}
	made := c.do(200, "POST", "/calendars/primary/events?conferenceDataVersion=1", conference("hangoutsMeet"))
	c.do(400, "POST", documents+"/calendars/primary/events?conferenceDataVersion=1", conference("hangoutsMeet"))
	for base, want := range map[string]string{google: "hangoutsMeet", documents: "videoMeet"} {
		a := c.send("GET", base+"/calendars/primary/events/"+made.text("id"), "")
		if !strings.Contains(a.Text, `"type":"`+want+`"`) {
			t.Errorf("%s answers %s", base, a.Text)
		}
	}
}

// Every operation of the service is answered by the emulator, not with 501.
func TestEveryOperation(t *testing.T) {
	c := newClient(t)
	for op := range operation.All() {
		params := map[string]string{"calendarId": "primary", "eventId": "nosuchevent", "ruleId": "default", "setting": "locale"}
		maps.DeleteFunc(params, func(name, _ string) bool { return !strings.Contains(op.Path, "{"+name+"}") })
		path, err := op.Expand(params)
		if err != nil {
			t.Fatal(err)
		}
		if a := c.send(op.Method, google+path, ""); a.Status >= 500 {
			t.Errorf("%s: %d %s", op.ID, a.Status, a.Text)
		}
	}
}

func TestProblems(t *testing.T) {
	c := newClient(t)
	a := c.send("POST", "/calendars/primary/events", `{`+hour+`,"status":"maybe"}`, "Accept: application/problem+json")
	if a.Status != 400 || a.Header.Get("Content-Type") != "application/problem+json" || !strings.Contains(a.Text, "event.status.enum") {
		t.Errorf("%d %s %s", a.Status, a.Header, a.Text)
	}
	c = newClient(t, emulator.WithProblems())
	if a := c.send("GET", "/calendars/primary/events/nosuchevent", ""); a.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%d %s %s", a.Status, a.Header, a.Text)
	}
}

func TestFields(t *testing.T) {
	c := newClient(t)
	c.do(200, "POST", "/calendars/primary/events", `{"id":"event1","summary":"A",`+hour+`}`)
	for fields, want := range map[string]string{
		"id":                          `{"id":"event1"}`,
		"id,start/dateTime":           `{"id":"event1","start":{"dateTime":"2026-03-11T09:00:00Z"}}`,
		"start(dateTime,timeZone),id": `{"id":"event1","start":{"dateTime":"2026-03-11T09:00:00Z","timeZone":"UTC"}}`,
		"start/dateTime,start,id":     `{"id":"event1","start":{"dateTime":"2026-03-11T09:00:00Z","timeZone":"UTC"}}`,
		"creator/*":                   `{"creator":{"email":"user@example.com","self":true}}`,
		"location":                    `{}`,
		"extendedProperties/private/k,conferenceData/parameters": `{}`,
	} {
		if a := c.send("GET", "/calendars/primary/events/event1?fields="+fields, ""); a.Text != want {
			t.Errorf("%s: %s, want %s", fields, a.Text, want)
		}
	}
	if a := c.send("GET", "/calendars/primary/events?fields=kind,items(id,end)", ""); a.Text != `{"items":[{"end":{"dateTime":"2026-03-11T10:00:00Z","timeZone":"UTC"},"id":"event1"}],"kind":"calendar#events"}` {
		t.Errorf("the list is %s", a.Text)
	}
	for _, fields := range []string{"id(", "id)", "(id)", ",", "a//b", "a(b"} {
		c.do(400, "GET", "/calendars/primary/events/event1?fields="+fields, "")
	}
	for path, fields := range map[string]string{
		"/calendars/primary/events/event1": "nothing", "/calendars/primary/events": "items/start/day", "/colors": "event/1/name", "/users/me/settings": "item",
		"/users/me/calendarList": "items(id,start)", "/calendars/primary/acl": "items/scope/value/x",
	} {
		if o := c.do(400, "GET", path+"?fields="+fields, ""); o.reason() != "invalidParameter" {
			t.Errorf("%s: the reason is %q", path, o.reason())
		}
	}
	c.do(200, "GET", "/colors?fields=event/1/background,calendar", "")
	// A wrong selection has no effect on what is stored.
	c.do(400, "POST", "/calendars/primary/events?fields=id(", `{"id":"event2",`+hour+`}`)
	c.do(404, "GET", "/calendars/primary/events/event2", "")
}

// How deep a selection is has a limit, in a batch too, where no server limits the address.
func TestDeepFields(t *testing.T) {
	c := newClient(t)
	nested := func(depth int) string {
		return strings.Repeat("*(", depth-1) + "*" + strings.Repeat(")", depth-1)
	}
	c.do(200, "GET", "/colors?fields="+nested(32), "")
	for _, fields := range []string{nested(33), strings.Repeat("*/", 32) + "*"} {
		if got := c.do(400, "GET", "/colors?fields="+fields, "").reason(); got != "invalidParameter" {
			t.Errorf("the reason is %q", got)
		}
	}
	part := func(query string) answer {
		return c.send("POST", "/batch", "--b\r\n\r\nGET /calendar/v3/colors?fields="+query+"\r\n\r\n--b--\r\n", "Content-Type: multipart/mixed; boundary=b")
	}
	if a := part(nested(33)); a.Status != 200 || !strings.Contains(a.Text, "HTTP/1.1 400 ") {
		t.Errorf("%d %s", a.Status, a.Text)
	}
	if a := part(strings.Repeat("*,", 3000) + "*"); !strings.Contains(a.Text, "HTTP/1.1 200 ") {
		t.Errorf("%d %s", a.Status, a.Text)
	}
	if a := part(strings.Repeat("*,", 5000) + "*"); a.Status != 400 {
		t.Errorf("%d %s", a.Status, a.Text)
	}
}

func TestSystemParameters(t *testing.T) {
	c := newClient(t)
	a := c.send("GET", "/colors?alt=json&prettyPrint=true&quotaUser=x&key=y", "")
	if a.Status != 200 || !strings.Contains(a.Text, "\n  \"kind\"") {
		t.Errorf("%d %s", a.Status, a.Text)
	}
	c.do(400, "GET", "/colors?alt=csv", "")
	c.do(501, "GET", "/colors?callback=f", "")
	c.do(404, "GET", "/colours", "")
	c.do(405, "PUT", "/colors", "")
	c.do(400, "GET", "/colors?a=%zz", "")
}

// Clients send a GET with a long query as a POST.
func TestMethodOverride(t *testing.T) {
	c := newClient(t)
	c.do(200, "POST", eventsPath, `{"id":"event1","summary":"A",`+hour+`}`)
	words := strings.Repeat("a ", 5000)
	form := []string{"X-HTTP-Method-Override: get", "Content-Type: application/x-www-form-urlencoded"}
	o := c.do(200, "POST", eventsPath+"?alt=json", "q="+url.QueryEscape(words)+"&maxResults=1", form...)
	if !slices.Equal(o.of("id"), []string{"event1"}) {
		t.Errorf("the list is %v", o)
	}
	c.do(400, "POST", eventsPath, "pageToken=x", form...)
	c.do(413, "POST", eventsPath, "q="+strings.Repeat("a", event.DefaultMaxBytes), form...)
	if got := c.do(200, "POST", eventsPath+"/event1", `{"summary":"B"}`, "X-HTTP-Method-Override: PATCH").text("summary"); got != "B" {
		t.Errorf("the summary is %s", got)
	}
	c.do(204, "POST", eventsPath+"/event1", "", "X-HTTP-Method-Override: DELETE")
	c.do(405, "POST", "/colors", "", "X-HTTP-Method-Override: BREW")
}

func TestGzip(t *testing.T) {
	c := newClient(t)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprintf(z, `{"id":"event1","description":%q,%s}`, strings.Repeat("text ", 1000), hour)
	z.Close()
	c.do(200, "POST", "/calendars/primary/events", zipped.String(), "Content-Encoding: gzip")
	c.do(400, "POST", "/calendars/primary/events", "{}", "Content-Encoding: gzip")
	a := c.send("GET", "/calendars/primary/events/event1", "", "Accept-Encoding: gzip") // asked for, so not undone by the transport
	plain, err := gzip.NewReader(strings.NewReader(a.Text))
	if err != nil || a.Header.Get("Content-Encoding") != "gzip" {
		t.Fatal(err, a.Header)
	}
	var o object
	if err := json.NewDecoder(plain).Decode(&o); err != nil || o.text("id") != "event1" {
		t.Error(err, o)
	}
	for accepted, want := range map[string]string{
		"gzip;q=0": "", "gzip;q=0.0": "", "gzip; Q=0.000": "", "br, gzip;q=0.": "", "gzip;q=0.001": "gzip", "br;q=0, gzip;q=1": "gzip", "identity": "",
	} {
		if a := c.send("GET", "/calendars/primary/events/event1", "", "Accept-Encoding: "+accepted); a.Header.Get("Content-Encoding") != want {
			t.Errorf("for %q the header is %v", accepted, a.Header)
		}
	}
	// A body that grows beyond the limit is not read to its end.
	zipped.Reset()
	z = gzip.NewWriter(&zipped)
	io.CopyN(z, spaces{}, 64<<20)
	z.Close()
	c.do(413, "POST", "/calendars/primary/events", zipped.String(), "Content-Encoding: gzip")
}

// spaces is an endless reader of white space.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestBatch(t *testing.T) {
	c := newClient(t)
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i, request := range []string{
		"POST /calendar/v3/calendars/primary/events HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{\"id\":\"event1\"," + hour + "}",
		"GET /calendar/v3/calendars/primary/events/event1\r\n\r\n",
		"GET /calendar/v3/calendars/primary/events/nosuchevent?fields=id\r\n\r\n",
		"POST /batch/calendar/v3\r\n\r\n",
	} {
		p, err := w.CreatePart(map[string][]string{"Content-Type": {"application/http"}, "Content-Id": {fmt.Sprintf("<item%d>", i)}})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(p, request)
	}
	w.Close()
	a := c.send("POST", "/batch/calendar/v3", body.String(), "Content-Type: multipart/mixed; boundary="+w.Boundary())
	_, params, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err != nil || a.Status != 200 {
		t.Fatal(err, a)
	}
	in := multipart.NewReader(strings.NewReader(a.Text), params["boundary"])
	var got []string
	for {
		p, err := in.NextPart()
		if err != nil {
			break
		}
		resp, err := http.ReadResponse(bufio.NewReader(p), nil)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(p.Header.Get("Content-Id"), resp.StatusCode))
	}
	if diff := cmp.Diff([]string{"<response-item0>200", "<response-item1>200", "<response-item2>404", "<response-item3>400"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for contentType, body := range map[string]string{"application/json": "{}", "multipart/mixed": "", "multipart/mixed; boundary=x": "nothing"} {
		if a := c.send("POST", "/batch", body, "Content-Type: "+contentType); a.Status != 400 {
			t.Errorf("%s: %d %s", contentType, a.Status, a.Text)
		}
	}
}

// Only the whole answer to a batch is compressed, not its parts, whatever the fields of the batch and of a part say.
func TestBatchPartsAreNotCompressed(t *testing.T) {
	c := newClient(t)
	part := "--b\r\n\r\nGET /calendar/v3/colors\r\n%s\r\n"
	body := fmt.Sprintf(part, "") + fmt.Sprintf(part, "Accept-Encoding: gzip\r\n") + "--b--\r\n"
	plain := c.send("GET", "/colors", "").Text
	for _, coding := range []string{"gzip", "identity"} {
		a := c.send("POST", "/batch", body, "Content-Type: multipart/mixed; boundary=b", "Accept-Encoding: "+coding)
		text := a.Text
		if zipped := a.Header.Get("Content-Encoding") == "gzip"; zipped != (coding == "gzip") {
			t.Errorf("%s: the batch has the coding %q", coding, a.Header.Get("Content-Encoding"))
		} else if zipped {
			z, err := gzip.NewReader(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			all, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			text = string(all)
		}
		if strings.Count(text, plain) != 2 || strings.Contains(text, "Content-Encoding") {
			t.Errorf("%s: the parts are not both plain:\n%.300s", coding, text)
		}
	}
}

func TestTokens(t *testing.T) {
	const base = "https://www.googleapis.com/auth/"
	c := newClient(t, emulator.WithTokens(map[string]emulator.Token{
		"ada":   {Email: "ada@example.com", Scopes: []string{base + "calendar"}},
		"bob":   {Email: "bob@example.com", Scopes: []string{base + "calendar.events"}},
		"eve":   {Email: "eve@example.com", Scopes: []string{base + "calendar.readonly"}},
		"robot": {Email: "robot@example.com", Scopes: []string{base + "calendar"}, ServiceAccount: true},
	}))
	as := func(token string) string { return "Authorization: Bearer " + token }
	const ada = "/calendars/ada@example.com/events"
	c.do(401, "GET", ada, "")
	c.do(401, "GET", ada, "", as("mallory"))
	c.do(200, "POST", "/calendars/primary/events", `{"id":"event1",`+hour+`}`, as("ada"))
	c.do(404, "GET", ada+"/event1", "", as("bob"))
	if o := c.do(403, "POST", "/calendars/primary/events", `{`+hour+`}`, as("eve")); o.reason() != "insufficientPermissions" {
		t.Errorf("the reason is %s", o.reason())
	}
	if o := c.do(403, "POST", "/calendars/primary/events", `{`+hour+`,"attendees":[{"email":"ada@example.com"}]}`, as("robot")); o.reason() != "forbiddenForServiceAccounts" {
		t.Errorf("the reason is %s", o.reason())
	}
	// Bob may read, then write.
	c.do(200, "POST", "/calendars/primary/acl", `{"role":"reader","scope":{"type":"user","value":"bob@example.com"}}`, as("ada"))
	c.do(200, "GET", ada+"/event1", "", as("bob"))
	c.do(403, "PATCH", ada+"/event1", `{"summary":"A"}`, as("bob"))
	c.do(200, "PATCH", "/calendars/primary/acl/user:bob@example.com", `{"role":"writer"}`, as("ada"))
	c.do(200, "PATCH", ada+"/event1?access_token=bob", `{"summary":"A"}`)
	c.do(403, "GET", "/calendars/ada@example.com/acl", "", as("bob"))
	c.do(401, "GET", ada+"?access_token=bob", "", as("ada"))
}

// Every operation needs scopes.
func TestScopes(t *testing.T) {
	const base = "https://www.googleapis.com/auth/"
	tokens := map[string]emulator.Token{"anything": {Email: me}}
	for _, scope := range []string{
		"calendar", "calendar.readonly", "calendar.events", "calendar.events.readonly", "calendar.calendars", "calendar.calendarlist",
		"calendar.calendarlist.readonly", "calendar.acls", "calendar.settings.readonly",
	} {
		tokens[scope] = emulator.Token{Email: me, Scopes: []string{"openid", base + scope}}
	}
	tokens["nobase"] = emulator.Token{Email: me, Scopes: []string{"/auth/calendar", "calendar", base + "noauth/calendar"}}
	c := newClient(t, emulator.WithTokens(tokens))
	c.do(204, "PUT", "/emulator/calendars/"+me+"/events/event1", `{`+hour+`}`, "Authorization: Bearer anything")
	for _, step := range []struct {
		method, path, body string
		status             int
		allowed            []string // beside "calendar" and "anything"
	}{
		{"GET", eventsPath, "", 200, []string{"calendar.readonly", "calendar.events", "calendar.events.readonly"}},
		{"GET", eventsPath + "/event1", "", 200, []string{"calendar.readonly", "calendar.events", "calendar.events.readonly"}},
		{"POST", eventsPath, `{` + hour + `}`, 200, []string{"calendar.events"}},
		{"POST", eventsPath + "/quickAdd?text=A", "", 200, []string{"calendar.events"}},
		{"PATCH", eventsPath + "/event1", `{"summary":"A"}`, 200, []string{"calendar.events"}},
		{"PUT", eventsPath + "/event1", `{` + hour + `}`, 200, []string{"calendar.events"}},
		{"POST", "/freeBusy", `{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-12T00:00:00Z"}`, 200, []string{"calendar.readonly"}},
		{"GET", "/colors", "", 200, []string{"calendar.readonly", "calendar.calendarlist", "calendar.calendarlist.readonly"}},
		{"GET", "/calendars/primary", "", 200, []string{"calendar.readonly", "calendar.calendars"}},
		{"POST", "/calendars/primary/clear", "", 204, []string{"calendar.calendars"}},
		{"POST", "/calendars", `{"summary":"A"}`, 200, []string{"calendar.calendars"}},
		{"GET", "/users/me/calendarList", "", 200, []string{"calendar.readonly", "calendar.calendarlist", "calendar.calendarlist.readonly"}},
		{"PATCH", "/users/me/calendarList/primary", `{"colorId":"2"}`, 200, []string{"calendar.calendarlist"}},
		{"GET", "/calendars/primary/acl", "", 200, []string{"calendar.acls"}},
		{"POST", "/calendars/primary/acl", `{"role":"reader","scope":{"type":"default"}}`, 200, []string{"calendar.acls"}},
		{"GET", "/users/me/settings", "", 200, []string{"calendar.readonly", "calendar.settings.readonly"}},
	} {
		for token := range tokens {
			want := 403
			if slices.Contains(append(step.allowed, "calendar", "anything"), token) {
				want = step.status
			}
			a := c.send(step.method, step.path, step.body, "Authorization: Bearer "+token)
			if a.Status != want || want == 403 && !strings.Contains(a.Text, "insufficientPermissions") {
				t.Errorf("%s %s as %s: %d %s, want %d", step.method, step.path, token, a.Status, a.Text, want)
			}
		}
	}
}

// The library checks calendars.insert as it checks everything else.
func TestInsertCalendarChecked(t *testing.T) {
	c := newClient(t, emulator.WithChecker(event.Checker{Grading: diag.Strict()}))
	c.do(400, "POST", "/calendars?nosuch=1", `{"summary":"A"}`)
	c.do(200, "POST", "/calendars", `{"summary":"A"}`)
}

// Writes to calendars, lists and rules are conditional on the entity tag that the resource shows.
func TestIfMatchOfResources(t *testing.T) {
	c := newClient(t)
	made := c.do(200, "POST", "/calendars", `{"summary":"A"}`)
	team := "/calendars/" + made.text("id")
	entry := "/users/me/calendarList/" + made.text("id")
	for _, r := range []struct{ method, path, body string }{
		{"PATCH", team, `{"summary":"B"}`}, {"PUT", team, `{"summary":"C"}`},
		{"PATCH", entry, `{"colorId":"2"}`}, {"PUT", entry, `{"colorId":"3"}`}, {"DELETE", entry, ""},
		{"POST", "/calendars/primary/clear", ""}, {"DELETE", team, ""},
	} {
		read := strings.TrimSuffix(r.path, "/clear")
		tag := c.do(200, "GET", read, "").text("etag")
		c.do(412, r.method, r.path, r.body, `If-Match: "0"`)
		if a := c.send(r.method, r.path, r.body, "If-Match: "+tag); a.Status >= 300 {
			t.Errorf("%s %s: %d %s", r.method, r.path, a.Status, a.Text)
		}
	}
}

// The days of all-day series are those of the calendar's zone in a free/busy query too.
func TestFreeBusyOfDays(t *testing.T) {
	c := newClient(t)
	for _, tt := range []struct{ zone, from, to string }{ // within the 12th of March
		{"Asia/Tokyo", "2026-03-11T15:00:00Z", "2026-03-11T23:00:00Z"},
		{"America/Los_Angeles", "2026-03-13T00:00:00Z", "2026-03-13T06:00:00Z"},
	} {
		c.do(204, "POST", "/emulator/reset", "")
		c.do(200, "PATCH", "/calendars/primary", `{"timeZone":"`+tt.zone+`"}`)
		c.do(200, "POST", "/calendars/primary/events", `{`+times(12)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=1"]}`)
		a := c.send("POST", "/freeBusy", `{"timeMin":"`+tt.from+`","timeMax":"`+tt.to+`","items":[{"id":"primary"}]}`)
		if !strings.Contains(a.Text, `{"end":"`+tt.to+`","start":"`+tt.from+`"}`) {
			t.Errorf("%s: %d %s", tt.zone, a.Status, a.Text)
		}
	}
}

// quickAdd begins at the next full hour on the clocks of the calendar's zone.
func TestQuickAddZone(t *testing.T) {
	now := noon.Add(10 * time.Minute)
	c := newClient(t, emulator.WithClock(func() time.Time { return now }))
	for zone, want := range map[string]string{
		"UTC": "2026-03-10T13:00:00Z", "Asia/Kolkata": "2026-03-10T18:00:00+05:30", "Asia/Kathmandu": "2026-03-10T18:00:00+05:45",
		"America/New_York": "2026-03-10T09:00:00-04:00",
	} {
		c.do(200, "PATCH", "/calendars/primary", `{"timeZone":"`+zone+`"}`)
		start, _ := c.do(200, "POST", "/calendars/primary/events/quickAdd?text=A", "")["start"].(map[string]any)
		if start["dateTime"] != want {
			t.Errorf("%s: the start is %v, want %s", zone, start["dateTime"], want)
		}
	}
}

// An event is stored in the calendar of the user, who keeps it.
func TestPutInPrimary(t *testing.T) {
	const put = "/emulator/calendars/%s/events/event1"
	c := newClient(t)
	c.do(204, "PUT", fmt.Sprintf(put, "primary"), `{`+hour+`}`)
	c.do(200, "GET", "/calendars/"+me+"/events/event1", "")
	if ids := c.do(200, "GET", "/users/me/calendarList", "").of("id"); !slices.Equal(ids, []string{me}) {
		t.Errorf("the calendars are %q", ids)
	}

	handler := emulator.New(emulator.WithClock(clock))
	if err := handler.Put("primary", &event.Event{ID: "event1"}); err != nil || handler.Event("primary", "event1") == nil || handler.Event(me, "event1") == nil {
		t.Errorf("the event is not in the primary calendar: %v", err)
	}

	c = newClient(t, emulator.WithTokens(map[string]emulator.Token{"ada": {Email: "ada@example.com"}}))
	c.do(400, "PUT", fmt.Sprintf(put, "primary"), `{`+hour+`}`, "Authorization: Bearer ada")
	c.do(204, "PUT", fmt.Sprintf(put, "ada@example.com"), `{`+hour+`}`, "Authorization: Bearer ada") // before her first request
	o := c.do(200, "GET", "/users/me/calendarList/primary", "", "Authorization: Bearer ada")
	if o.text("accessRole") != "owner" || o.text("dataOwner") != "ada@example.com" {
		t.Errorf("the calendar is %v", o)
	}
	c.do(200, "GET", "/calendars/primary/events/event1", "", "Authorization: Bearer ada")
}

// The emulator refuses values of parameters that mean nothing.
func TestBadParameters(t *testing.T) {
	c := newClient(t)
	c.do(200, "POST", "/calendars/primary/events", `{"id":"event1",`+hour+`}`)
	for _, path := range []string{
		eventsPath + "?eventTypes=default&eventTypes=bogus", "/users/me/settings?syncToken=bogus", "/users/me/settings?maxResults=abc", "/users/me/calendarList?maxResults=abc",
		"/users/me/calendarList?minAccessRole=king", "/users/me/calendarList?minAccessRole=none", "/calendars/primary/acl?maxResults=1.5",
	} {
		if got := c.do(400, "GET", path, "").reason(); got != "invalid" {
			t.Errorf("%s: the reason is %q", path, got)
		}
	}
	settings := c.do(200, "GET", "/users/me/settings", "").text("nextSyncToken")
	for _, path := range []string{
		"/users/me/settings?syncToken=" + settings, "/users/me/calendarList?minAccessRole=owner&maxResults=1",
		"/calendars/primary/events?maxResults=99999999999999999999&timeZone=Asia/Tokyo",
	} {
		c.do(200, "GET", path, "")
	}
}

// A refusal with 401 says how to authenticate.
func TestChallenge(t *testing.T) {
	c := newClient(t, emulator.WithTokens(map[string]emulator.Token{"ada": {Email: "ada@example.com"}}))
	for field, want := range map[string]string{
		"Accept: */*":                   `Bearer realm="calendar"`,
		"Authorization: Bearer mallory": `Bearer realm="calendar", error="invalid_token"`,
		"Authorization: Bearer ada":     "",
	} {
		if got := c.send("GET", "/colors", "", field).Header.Get("WWW-Authenticate"); got != want {
			t.Errorf("%s: the challenge is %q, want %q", field, got, want)
		}
	}
}

// A series whose expansion takes too long fails the list, which would lack instances without a word.
func TestExpansionTooLong(t *testing.T) {
	handler := emulator.New(emulator.WithClock(clock))
	c := newClientOf(t, handler)
	token := c.do(200, "GET", "/calendars/primary/events?singleEvents=true", "").text("nextSyncToken")
	start := event.Time{DateTime: "2026-03-10T00:00:00Z", TimeZone: "UTC"}
	rules := append(slices.Repeat([]string{"RRULE:FREQ=SECONDLY"}, 1000), "EXDATE;VALUE=DATE:20260310")
	series := &event.Event{ID: "series", Status: "confirmed", Start: &start, End: &start, Recurrence: rules}
	if err := handler.Put(me, series); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/series/instances", "?singleEvents=true&syncToken=" + token} {
		if got := c.do(500, "GET", "/calendars/primary/events"+path, "").reason(); got != "backendError" {
			t.Errorf("%s: the reason is %q", path, got)
		}
	}
	c.do(500, "POST", "/freeBusy", `{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-12T00:00:00Z","items":[{"id":"primary"}]}`)
	c.do(200, "GET", "/calendars/primary/events", "") // the series itself
}

func TestFaults(t *testing.T) {
	c := newClient(t, emulator.WithSeed(7))
	const path = "/calendars/primary/events"
	if o := c.do(403, "GET", path, "", "X-Emulator-Fault: status=403"); o.reason() != "rateLimitExceeded" {
		t.Errorf("the reason is %s", o.reason())
	}
	for status, want := range map[int]string{418: "badRequest", 504: "backendError"} {
		if got := c.do(status, "GET", path, "", fmt.Sprint("X-Emulator-Fault: status=", status)).reason(); got != want {
			t.Errorf("the reason of %d is %q", status, got)
		}
	}
	c.do(503, "POST", path, `{"id":"event1",`+hour+`}`, "X-Emulator-Fault: status=503; reason=backendError")
	c.do(404, "GET", path+"/event1", "") // a request that meets a fault has no effect
	for _, wrong := range []string{"status=x", "status=200", "latency=long", "speed=5", ""} {
		if wrong != "" {
			c.do(400, "GET", path, "", "X-Emulator-Fault: "+wrong)
		}
	}
	if _, err := c.http.Do(request(t, c, path, "drop")); err == nil {
		t.Error("the connection was not dropped")
	}
	begin := time.Now()
	c.do(200, "GET", path, "", "X-Emulator-Fault: latency=30ms")
	if took := time.Since(begin); took < 30*time.Millisecond {
		t.Errorf("the answer took %s", took)
	}

	c.do(204, "POST", "/emulator/faults", `{"path":"/calendar/v3/colors","status":500,"times":2}`)
	c.do(200, "GET", path, "")
	c.do(500, "GET", "/colors", "")
	c.do(500, "GET", "/colors", "")
	c.do(200, "GET", "/colors", "")
	token := c.do(200, "GET", path, "").text("nextSyncToken")
	c.do(204, "POST", "/emulator/faults", `{"sync":true,"times":1}`)
	c.do(200, "GET", path, "")
	if o := c.do(410, "GET", path+"?syncToken="+token, ""); o.reason() != "fullSyncRequired" {
		t.Errorf("the reason is %s", o.reason())
	}
	c.do(400, "POST", "/emulator/faults", `{"status":200}`)
	c.do(400, "POST", "/emulator/faults", `{"colour":1}`)

	// The same seed draws the same requests.
	draw := func() (met string) {
		c.do(204, "DELETE", "/emulator/faults", "")
		c.do(204, "POST", "/emulator/faults", `{"share":0.5,"status":500}`)
		for range 40 {
			met += fmt.Sprint(c.send("GET", "/colors", "").Status / 500)
		}
		return met
	}
	first := draw()
	if second := draw(); first != second || !strings.Contains(first, "0") || !strings.Contains(first, "1") {
		t.Errorf("%s, then %s", first, second)
	}
	if a := c.send("GET", "/emulator/faults", ""); a.Text != `[{"share":0.5,"status":500}]`+"\n" {
		t.Errorf("the faults are %s", a.Text)
	}
}

func request(t *testing.T, c *client, path, fault string) *http.Request {
	r, err := http.NewRequest("GET", c.url+google+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Emulator-Fault", fault)
	return r
}

// The admin address stores the initial state of a test.
func TestPut(t *testing.T) {
	c := newClient(t)
	c.do(204, "PUT", "/emulator/calendars/"+me+"/events/event1?dialect=google", `{"summary":"A","eventType":"fromGmail","hangoutLink":"https://meet.example/1",`+hour+`}`)
	if o := c.do(200, "GET", "/calendars/primary/events/event1", ""); o.text("eventType") != "fromGmail" || o.text("hangoutLink") != "https://meet.example/1" {
		t.Errorf("the event is %v", o)
	}
	c.do(400, "PUT", "/emulator/calendars/"+me+"/events/event1", `{"summary":5}`)
}

// A HEAD is a GET whose answer has no body.
func TestHead(t *testing.T) {
	c := newClient(t)
	c.do(200, "POST", eventsPath, `{"id":"event1",`+hour+`}`)
	for _, path := range []string{eventsPath, eventsPath + "/event1", "/colors", "/users/me/settings/locale"} {
		get, head := c.send("GET", path, ""), c.send("HEAD", path, "")
		if head.Status != 200 || head.Text != "" || head.Header.Get("ETag") != get.Header.Get("ETag") || head.Header.Get("Content-Type") != get.Header.Get("Content-Type") {
			t.Errorf("%s: %d %v %s", path, head.Status, head.Header, head.Text)
		}
		if a := c.send("HEAD", path, "", "If-None-Match: "+get.Header.Get("ETag")); a.Status != 304 {
			t.Errorf("%s: %d, want 304", path, a.Status)
		}
		if a := c.send("HEAD", path, "", `If-Match: "no"`); a.Status != 412 {
			t.Errorf("%s: %d, want 412", path, a.Status)
		}
	}
	c.do(404, "HEAD", eventsPath+"/nosuch", "")
	if a := c.send("HEAD", "/freeBusy", ""); a.Status != 405 || a.Header.Get("Allow") != "POST" {
		t.Errorf("%d %v", a.Status, a.Header)
	}
	a := c.send("POST", "/batch", "--b\r\n\r\nHEAD /calendar/v3/colors\r\n\r\n--b--\r\n", "Content-Type: multipart/mixed; boundary=b")
	if !strings.Contains(a.Text, "HTTP/1.1 200 ") || strings.Contains(a.Text, "calendar#colors") {
		t.Errorf("%d %s", a.Status, a.Text)
	}
}

// A client that has a resource gets 304.
func TestNotModified(t *testing.T) {
	c := newClient(t)
	c.do(200, "POST", eventsPath, `{"id":"series",`+times(11)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)
	for _, path := range []string{
		eventsPath + "/series", eventsPath + "/series_20260312", eventsPath, eventsPath + "/series/instances", "/calendars/primary",
		"/calendars/primary/acl", "/calendars/primary/acl/user:" + me, "/users/me/calendarList", "/users/me/calendarList/primary",
		"/users/me/settings", "/users/me/settings/locale", "/colors",
	} {
		tag := c.send("GET", path, "").Header.Get("ETag")
		for fields, want := range map[string]int{tag: 304, "W/" + tag: 304, `"no", ` + tag: 304, "*": 304, `"no"`: 200} {
			a := c.send("GET", path, "", "If-None-Match: "+fields)
			if a.Status != want || want == 304 && (a.Text != "" || a.Header.Get("ETag") != tag) {
				t.Errorf("%s with %s: %d %v, want %d", path, fields, a.Status, a.Header, want)
			}
		}
	}
}

// Browsers may show every answer to the scripts of any page, and ask first whether they may send a request.
func TestBrowsers(t *testing.T) {
	c := newClient(t, emulator.WithTokens(map[string]emulator.Token{"ada": {Email: "ada@example.com"}}))
	const origin = "Origin: https://page.example"
	for path, want := range map[string]int{"/colors": 200, "/colors?alt=csv": 400, "/calendars/bob@example.com": 404, "/emulator/faults": 200} {
		a := c.send("GET", path, "", origin, "Authorization: Bearer ada")
		if a.Status != want || a.Header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(a.Header.Get("Access-Control-Expose-Headers"), "Etag") {
			t.Errorf("%s: %d %v, want %d", path, a.Status, a.Header, want)
		}
	}
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
		for _, path := range []string{eventsPath, "/batch/calendar/v3", "/emulator/faults"} {
			// A preflight request has no token.
			a := c.send("OPTIONS", path, "", origin, "Access-Control-Request-Method: "+method, "Access-Control-Request-Headers: authorization,content-type,if-match")
			if a.Status != 204 || a.Header.Get("Access-Control-Allow-Methods") != method || a.Header.Get("Access-Control-Allow-Headers") != "authorization,content-type,if-match" {
				t.Errorf("%s %s: %d %v", method, path, a.Status, a.Header)
			}
		}
	}
	c.do(405, "OPTIONS", "/colors", "", "Authorization: Bearer ada") // not from a browser
	if a := c.send("GET", "/colors", "", "Authorization: Bearer ada"); a.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("the answer to a program is %v", a.Header)
	}
}

// A list of events shows the default reminders that the caller has set in the calendar list.
func TestDefaultReminders(t *testing.T) {
	c := newClient(t)
	before := c.do(200, "GET", eventsPath, "")
	if diff := cmp.Diff([]any{}, before["defaultReminders"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c.do(200, "PATCH", "/users/me/calendarList/primary", `{"defaultReminders":[{"method":"popup","minutes":10}]}`)
	after := c.do(200, "GET", eventsPath, "", "If-None-Match: "+before.text("etag"))
	if diff := cmp.Diff([]any{map[string]any{"method": "popup", "minutes": 10.0}}, after["defaultReminders"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The pages of the settings are those of a list like any other.
func TestPagesOfSettings(t *testing.T) {
	c := newClient(t)
	all := c.do(200, "GET", "/users/me/settings", "")
	var paged []string
	path := "/users/me/settings?maxResults=5"
	for _, want := range []int{5, 5, 2} {
		page := c.do(200, "GET", path, "")
		ids := page.of("id")
		if paged = append(paged, ids...); len(ids) != want {
			t.Errorf("a page has %d settings, want %d", len(ids), want)
		}
		path = "/users/me/settings?maxResults=5&pageToken=" + page.text("nextPageToken")
	}
	if diff := cmp.Diff(all.of("id"), paged); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := c.do(200, "GET", "/users/me/settings?syncToken="+all.text("nextSyncToken"), "").of("id"); len(got) > 0 {
		t.Errorf("%v changed", got)
	}
}
