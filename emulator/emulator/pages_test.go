package emulator_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
)

// page gets a page, which must have the status.
func (c *client) page(status int, path string) string {
	c.t.Helper()
	r, err := c.http.Get(c.url + path)
	if err != nil {
		c.t.Fatal(err)
	}
	defer r.Body.Close()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		c.t.Fatal(err)
	}
	if r.StatusCode != status || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
		c.t.Fatalf("%s: %s, want %d\n%s", path, r.Status, status, b.String())
	}
	if policy := r.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
		c.t.Errorf("%s: the policy is %q", path, policy)
	}
	return b.String()
}

var dayPattern = regexp.MustCompile(`(?s)datetime="([0-9-]+)".*?</td>`)
var titlePattern = regexp.MustCompile(`(?s)<a class="event[^>]*>(.*?)</a>`)

// days returns the titles of the events of each day that has some.
func days(text string) map[string][]string {
	all := map[string][]string{}
	for _, day := range dayPattern.FindAllStringSubmatch(text, -1) {
		for _, title := range titlePattern.FindAllStringSubmatch(day[0], -1) {
			all[day[1]] = append(all[day[1]], title[1])
		}
	}
	return all
}

// A month shows each event on its days, in the zone of the calendar.
func TestMonthPage(t *testing.T) {
	c := newClient(t, emulator.WithTimeZone("America/New_York"))
	for _, body := range []string{
		`"summary":"Late","start":{"dateTime":"2026-03-11T02:00:00Z"},"end":{"dateTime":"2026-03-11T04:00:00Z"}`, // ends at midnight
		`"summary":"Night","start":{"dateTime":"2026-03-12T22:00:00-04:00"},"end":{"dateTime":"2026-03-13T01:00:00-04:00"}`,
		`"summary":"Trip","start":{"date":"2026-03-30"},"end":{"date":"2026-04-02"}`,
		`"summary":"Daily","start":{"date":"2026-03-16"},"end":{"date":"2026-03-17"},"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`,
		`"status":"tentative","start":{"date":"2026-02-23"},"end":{"date":"2026-02-24"}`, // in the first week of the page
		`"summary":"Other","start":{"date":"2026-02-22"},"end":{"date":"2026-02-23"}`,
	} {
		c.do(200, "POST", eventsPath, `{`+body+`}`)
	}
	gone := c.do(200, "POST", eventsPath, `{"summary":"Gone","start":{"date":"2026-03-16"},"end":{"date":"2026-03-17"}}`).text("id")
	c.do(204, "DELETE", eventsPath+"/"+gone, "")
	text := c.page(200, "/emulator/calendars/primary?month=2026-03")
	want := map[string][]string{
		"2026-02-23": {"(No title)"}, "2026-03-10": {"22:00 Late"}, "2026-03-12": {"22:00 Night"}, "2026-03-13": {"22:00 Night"},
		"2026-03-16": {"Daily"}, "2026-03-17": {"Daily"}, "2026-03-30": {"Trip"}, "2026-03-31": {"Trip"}, "2026-04-01": {"Trip"},
	}
	if diff := cmp.Diff(want, days(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, part := range []string{"<h1>March 2026</h1>", "America/New_York", "month=2026-02", "month=2026-04", `class="event tentative"`, `class="today"><time class="day" datetime="2026-03-10"`} {
		if !strings.Contains(text, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if strings.Contains(text, "There are more events") {
		t.Error("the page claims that there are more events")
	}
	// Without a month it is the one of the last change, and of today if there is none.
	if text := c.page(200, "/"); !strings.Contains(text, "<h1>February 2026</h1>") {
		t.Errorf("the page of the last change is\n%s", text)
	}
	if text := newClient(t).page(200, "/"); !strings.Contains(text, "<h1>March 2026</h1>") {
		t.Errorf("the page of today is\n%s", text)
	}
	for _, month := range []string{"2026-3", "x", "0000-01", "9999-01", "2026-13"} {
		c.page(400, "/emulator/calendars/primary?month="+month)
	}
	for _, month := range []string{"0001-01", "9998-12"} {
		c.page(200, "/emulator/calendars/primary?month="+month)
	}
	c.page(404, "/emulator/calendars/nosuch")
}

// What clients store is text in a page, and the only address that a page loads or leads to is the emulator's.
func TestPagesAreText(t *testing.T) {
	c := newClient(t)
	const bad = `<script>alert('1')</script>"'&{{.}}`
	cal := c.do(200, "POST", "/calendars", string(encodeObject(t, object{"summary": bad}))).text("id")
	e := c.do(200, "POST", "/calendars/"+cal+"/events", string(encodeObject(t, object{
		"summary": bad, "description": bad, "location": bad, "start": object{"date": "2026-03-11"}, "end": object{"date": "2026-03-12"},
		"attendees": []object{{"email": "ada@example.com", "comment": bad}},
	})))
	link, err := url.Parse(e.text("htmlLink"))
	if err != nil || link.Host != strings.TrimPrefix(c.url, "http://") {
		t.Fatalf("the link is %s, %v", link, err)
	}
	month := c.page(200, "/emulator/calendars/"+cal)
	details := c.page(200, link.RequestURI())
	for name, text := range map[string]string{"month": month, "details": details} {
		if strings.Contains(text, "<script") || !strings.Contains(text, "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&#34;&#39;&amp;{{.}}") {
			t.Errorf("%s: the texts are not escaped:\n%s", name, text)
		}
		for _, address := range regexp.MustCompile(`(?:href|src|action)="([^"]*)"`).FindAllStringSubmatch(text, -1) {
			if !strings.HasPrefix(address[1], "/") || strings.HasPrefix(address[1], "//") {
				t.Errorf("%s: it leads to %s", name, address[1])
			}
		}
	}
	if !strings.Contains(month, link.RequestURI()) {
		t.Errorf("the month does not lead to %s", link.RequestURI())
	}
	for _, part := range []string{"2026-03-11", "ada@example.com needsAction", e.text("iCalUID"), "month=2026-03"} {
		if !strings.Contains(details, part) {
			t.Errorf("the page of the event lacks %s", part)
		}
	}
}

// The page of an event has the times of the calendar and of the event, a link to the conference, and the answer.
func TestEventPage(t *testing.T) {
	c := newClient(t, emulator.WithTimeZone("America/New_York"))
	for _, test := range []struct {
		body string
		want []string
	}{
		{
			`"start":{"dateTime":"2026-03-11T02:00:00Z","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-03-11T04:00:00Z"},"conferenceData":{"createRequest":{"requestId":"a"}}`,
			[]string{
				"<dd>Tuesday, 10 March 2026, 22:00 in America/New_York</dd>\n<dd>Wednesday, 11 March 2026, 03:00 in Europe/Berlin</dd>",
				"month=2026-03", `<dd><a href="https://`, "&#34;dateTime&#34;: &#34;2026-03-1",
			},
		},
		{
			`"start":{"date":"2026-03-31"},"end":{"date":"2026-04-01"}`,
			[]string{"<dd>Tuesday, 31 March 2026</dd>", "<dt>End, not included</dt>\n<dd>Wednesday, 1 April 2026</dd>"},
		},
	} {
		link, err := url.Parse(c.do(200, "POST", eventsPath+"?conferenceDataVersion=1", `{`+test.body+`}`).text("htmlLink"))
		if err != nil {
			t.Fatal(err)
		}
		text := c.page(200, link.RequestURI())
		for _, part := range test.want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: the page lacks %s:\n%s", test.body, part, text)
			}
		}
	}
}

// The pages show what their reader may see. With tokens, the address has one, and so do the addresses in the page.
func TestPagesNeedRights(t *testing.T) {
	p := newParty(t, "ada", "bob")
	link, err := url.Parse(p.as("ada", 200, "POST", "", `{"id":"event1","summary":"Secret",`+hour+`}`).text("htmlLink"))
	if err != nil {
		t.Fatal(err)
	}
	p.as("bob", 200, "GET", "", "")
	if text := p.page(401, link.RequestURI()); !strings.Contains(text, "access_token") {
		t.Errorf("the page is\n%s", text)
	}
	p.page(401, "/emulator/calendars/ada@example.com")
	p.page(401, link.RequestURI()+"&access_token=mallory")
	p.page(404, link.RequestURI()+"&access_token=bob")
	p.page(404, "/emulator/calendars/ada@example.com?access_token=bob")
	if text := p.page(200, link.RequestURI()+"&access_token=ada"); !strings.Contains(text, "Secret") || !strings.Contains(text, "access_token=ada") {
		t.Errorf("the page is\n%s", text)
	}
	if text := p.page(200, "/?access_token=ada"); !strings.Contains(text, "Secret") {
		t.Errorf("the page is\n%s", text)
	}
	for _, eid := range []string{"", "%", "YQ", base64.RawURLEncoding.EncodeToString([]byte("nosuch ada@example.com")), base64.RawURLEncoding.EncodeToString([]byte(".. ..")), base64.RawURLEncoding.EncodeToString([]byte("\xff \x00"))} {
		p.page(404, "/event?access_token=ada&eid="+url.QueryEscape(eid))
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		if a := p.send(method, "/emulator/calendars/primary", "{}"); a.Status < 400 {
			t.Errorf("%s: %d", method, a.Status)
		}
	}
}

// An instance leads to its series, and calendars and events have pages whatever their ids are.
func TestPagesOfUnusualIDs(t *testing.T) {
	c, server := newTestServer(t)
	c.do(200, "POST", eventsPath, `{"id":"series",`+times(9)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)
	month := c.page(200, "/emulator/calendars/primary")
	links := regexp.MustCompile(`href="(/event[^"]*)"`).FindAllStringSubmatch(month, -1)
	if len(links) != 3 {
		t.Fatalf("there are %d instances", len(links))
	}
	if text := c.page(200, links[1][1]); !strings.Contains(text, "Series") || !strings.Contains(text, "series_20260310") {
		t.Errorf("the page of the instance is\n%s", text)
	}
	const id = "a/b c?d%2F#é"
	if err := server.Put(id, &event.Event{ID: "x/y?z", Summary: "Here", Start: &event.Time{Date: "2026-03-11"}, End: &event.Time{Date: "2026-03-12"}}); err != nil {
		t.Fatal(err)
	}
	month = c.page(200, "/emulator/calendars/"+url.PathEscape(id))
	if got := fmt.Sprint(days(month)); got != "map[2026-03-11:[Here]]" {
		t.Errorf("the page has %s", got)
	}
	if text := c.page(200, regexp.MustCompile(`href="(/event[^"]*)"`).FindStringSubmatch(month)[1]); !strings.Contains(text, "Here") {
		t.Errorf("the page is\n%s", text)
	}
	if text := c.page(200, "/"); !strings.Contains(text, url.PathEscape(id)) {
		t.Errorf("the page does not lead to the other calendar:\n%s", text)
	}
}
