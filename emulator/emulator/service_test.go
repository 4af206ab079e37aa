package emulator_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/emulator/emulator"
)

// zoned starts an emulator whose primary calendar is in a zone.
func zoned(t *testing.T, opts ...emulator.Option) *client {
	t.Helper()
	c := newClient(t, opts...)
	c.do(http.StatusOK, "PATCH", google+"/calendars/primary", `{"timeZone":"America/New_York"}`)
	return c
}

const parisSeries = `{"id":"series1","start":{"dateTime":"2026-03-10T09:00:00","timeZone":"Europe/Paris"},"end":{"dateTime":"2026-03-10T10:00:00","timeZone":"Europe/Paris"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`

// A full list has the cancelled instances of series, as a client needs them that expands series itself.
func TestListHasCancelledInstances(t *testing.T) {
	for _, test := range []struct {
		opts  []emulator.Option
		query string
		want  []string
	}{
		{nil, "", []string{"series1", "series1_20260311T080000Z"}},
		{nil, "?showDeleted=true", []string{"series1", "series1_20260311T080000Z"}},
		{nil, "?singleEvents=true", []string{"series1_20260310T080000Z", "series1_20260312T080000Z"}},
		{[]emulator.Option{emulator.WithDocuments()}, "", []string{"series1"}},
	} {
		c := zoned(t, test.opts...)
		c.do(http.StatusOK, "POST", google+"/calendars/primary/events", parisSeries)
		c.do(http.StatusNoContent, "DELETE", google+"/calendars/primary/events/series1_20260311T080000Z", "")
		var ids []string
		for _, item := range c.do(http.StatusOK, "GET", google+"/calendars/primary/events"+test.query, "")["items"].([]any) {
			ids = append(ids, item.(map[string]any)["id"].(string))
		}
		if !slices.Equal(ids, test.want) {
			t.Errorf("%s lists %q, want %q", test.query, ids, test.want)
		}
	}
	c := zoned(t)
	c.do(http.StatusOK, "POST", google+"/calendars/primary/events", parisSeries)
	c.do(http.StatusNoContent, "DELETE", google+"/calendars/primary/events/series1_20260311T080000Z", "")
	c.do(http.StatusNoContent, "DELETE", google+"/calendars/primary/events/series1", "")
	if items := c.do(http.StatusOK, "GET", google+"/calendars/primary/events", "")["items"].([]any); len(items) > 0 {
		t.Errorf("a list without series has %v", items)
	}
}

// Every answer has times with the offset of the calendar's zone.
func TestOffsetsOfAnswers(t *testing.T) {
	c := zoned(t)
	const events = google + "/calendars/primary/events"
	inserted := c.do(http.StatusOK, "POST", events, parisSeries)
	listed := c.do(http.StatusOK, "GET", events+"?singleEvents=true&maxResults=1", "")["items"].([]any)[0]
	for name, e := range map[string]map[string]any{"insert": inserted, "get": c.do(http.StatusOK, "GET", events+"/series1", ""), "list": listed.(map[string]any)} {
		start := e["start"].(map[string]any)
		if start["dateTime"] != "2026-03-10T04:00:00-04:00" || start["timeZone"] != "Europe/Paris" {
			t.Errorf("%s: the start is %v", name, start)
		}
	}
	c.do(http.StatusOK, "PATCH", google+"/calendars/primary", `{"timeZone":"Asia/Tokyo"}`)
	for _, item := range c.do(http.StatusOK, "GET", events, "")["items"].([]any) {
		if start := item.(map[string]any)["start"].(map[string]any); start["dateTime"] != "2026-03-10T17:00:00+09:00" {
			t.Errorf("after the calendar moved to Tokyo, the start is %v", start)
		}
	}
	c.do(http.StatusOK, "PATCH", google+"/calendars/primary", `{"timeZone":"America/New_York"}`)
	imported := c.do(http.StatusOK, "POST", events+"/import", `{"iCalUID":"u@example.com","start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`)
	if start := imported["start"].(map[string]any); start["timeZone"] != "America/New_York" || start["dateTime"] != "2026-03-10T05:00:00-04:00" {
		t.Errorf("import: the start is %v", start)
	}
}

// An empty patch, or one that changes nothing, stores nothing: the entity tag stays.
func TestEmptyPatch(t *testing.T) {
	c := zoned(t)
	const path = google + "/calendars/primary/events/series1"
	etag := c.do(http.StatusOK, "POST", google+"/calendars/primary/events", parisSeries)["etag"]
	for _, patch := range []string{`{}`, `{"location":null}`, `{"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`} {
		if got := c.do(http.StatusOK, "PATCH", path, patch)["etag"]; got != etag {
			t.Errorf("after the patch %s the entity tag is %v, want %v", patch, got, etag)
		}
	}
	if got := c.do(http.StatusOK, "PATCH", path, `{"location":"Room 4"}`)["etag"]; got == etag {
		t.Error("a patch leaves the entity tag")
	}
}

// The setting of the zone is the zone of the primary calendar.
func TestTimeZoneSetting(t *testing.T) {
	c := zoned(t)
	if got := c.do(http.StatusOK, "GET", google+"/users/me/settings/timezone", "")["value"]; got != "America/New_York" {
		t.Errorf("the time zone is %v", got)
	}
	var all []string
	for _, item := range c.do(http.StatusOK, "GET", google+"/users/me/settings", "")["items"].([]any) {
		s := item.(map[string]any)
		all = append(all, s["id"].(string)+" "+s["value"].(string))
	}
	if !strings.Contains(strings.Join(all, "\n"), "timezone America/New_York") {
		t.Errorf("the settings are %q", all)
	}
}

// A time that comes without a zone is stored with the zone of the calendar, as it is answered: a patch can make a series of the event.
func TestZoneOfCalendarIsStored(t *testing.T) {
	c := zoned(t)
	const times = `"start":{"dateTime":"2026-03-06T09:00:00-05:00"},"end":{"dateTime":"2026-03-06T10:00:00-05:00"}`
	const events = google + "/calendars/primary/events"
	made := c.do(http.StatusOK, "POST", events, `{"id":"event1",`+times+`}`)
	if got := made["start"].(map[string]any)["timeZone"]; got != "America/New_York" {
		t.Errorf("the zone of the answer is %v", got)
	}
	c.do(http.StatusOK, "PATCH", events+"/event1", `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=2"]}`)
	c.do(http.StatusBadRequest, "POST", events, `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=2"],`+times+`}`)
}

// A value that no parameter can have is refused.
func TestParameterValues(t *testing.T) {
	c := zoned(t)
	for _, query := range []string{"maxResults=abc", "showDeleted=maybe", "eventTypes=fromMail", "singleEvents=1"} {
		c.do(http.StatusBadRequest, "GET", google+"/calendars/primary/events?"+query, "")
	}
	c.do(http.StatusOK, "GET", google+"/calendars/primary/events?eventTypes=fromGmail", "")
	c.do(http.StatusBadRequest, "POST", google+"/calendars/primary/events/watch", `{"id":"a","type":"pigeon","address":"https://example.com/"}`)
}
