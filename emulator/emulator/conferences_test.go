package emulator_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	asksMeet = `"conferenceData":{"createRequest":{"requestId":"r1","conferenceSolutionKey":{"type":"hangoutsMeet"}}}`
	version1 = "?conferenceDataVersion=1"
)

// status returns the status of the request for a conference.
func (o object) conferenceStatus() string {
	data, _ := o["conferenceData"].(map[string]any)
	request, _ := data["createRequest"].(map[string]any)
	status, _ := request["status"].(map[string]any)
	return object(status).text("statusCode")
}

// A conference is pending in the answer to the write, and there in every answer after it.
func TestConferenceSucceeds(t *testing.T) {
	c := newClient(t)
	c.do(200, "POST", eventsPath, `{"id":"event1",`+hour+`}`)
	for _, o := range []object{
		c.do(200, "POST", eventsPath+version1, `{"id":"event2",`+asksMeet+`,`+hour+`}`),
		c.do(200, "PATCH", eventsPath+"/event1"+version1, `{`+asksMeet+`}`),
	} {
		if o.conferenceStatus() != "pending" || o["hangoutLink"] != nil {
			t.Errorf("the answer is %v", o)
		}
		got := c.do(200, "GET", eventsPath+"/"+o.text("id"), "")
		data := got["conferenceData"].(map[string]any)
		code := object(data).text("conferenceId")
		if got.conferenceStatus() != "success" || !regexp.MustCompile(`^[a-z]{3}-[a-z]{4}-[a-z]{3}$`).MatchString(code) || object(data).text("signature") == "" {
			t.Errorf("the conference is %v", data)
		}
		link := "https://meet.google.com/" + code
		if diff := cmp.Diff([]any{map[string]any{"entryPointType": "video", "uri": link, "label": "meet.google.com/" + code}}, data["entryPoints"]); diff != "" || got.text("hangoutLink") != link {
			t.Errorf("the link is %q, entry points (-want +got):\n%s", got.text("hangoutLink"), diff)
		}
		solution, _ := data["conferenceSolution"].(map[string]any)
		if key, _ := solution["key"].(map[string]any); key["type"] != "hangoutsMeet" {
			t.Errorf("the solution is %v", solution)
		}
		if o.text("etag") == got.text("etag") {
			t.Error("the entity tag is still that of the pending event")
		}
	}
	// The conferences of two events differ. Sending an event back changes nothing, and neither does a request with the same id.
	one, two := c.do(200, "GET", eventsPath+"/event1", ""), c.do(200, "GET", eventsPath+"/event2", "")
	if one.text("hangoutLink") == two.text("hangoutLink") {
		t.Error("both events have the same conference")
	}
	if again := c.do(200, "PUT", eventsPath+"/event1"+version1, string(encodeObject(t, one))); again.text("hangoutLink") != one.text("hangoutLink") || again.conferenceStatus() != "success" {
		t.Errorf("the event that was sent back is %v", again)
	}
	// A conference that is copied is the same; without it there is no link.
	copied := c.do(200, "POST", eventsPath+version1, `{`+hour+`,"conferenceData":`+string(encodeObject(t, one["conferenceData"].(map[string]any)))+`}`)
	if copied.text("hangoutLink") == "" && copied.conferenceStatus() != "pending" {
		t.Errorf("the copy is %v", copied)
	}
	if gone := c.do(200, "PATCH", eventsPath+"/event2"+version1, `{"conferenceData":null}`); gone["hangoutLink"] != nil || gone["conferenceData"] != nil {
		t.Errorf("the event without its conference is %v", gone)
	}
}

// A new conference is a change of its own, for channels and for synchronizations.
func TestConferenceIsAChange(t *testing.T) {
	c, _, got := hooked(t)
	c.do(200, "POST", watchPath, channel("a", ""))
	<-got
	token := c.do(200, "GET", eventsPath, "").text("nextSyncToken")
	c.do(200, "POST", eventsPath+version1, `{"id":"event1",`+asksMeet+`,`+hour+`}`)
	for range 2 {
		if n := <-got; n != "a exists" {
			t.Errorf("the notification is %q", n)
		}
	}
	items := c.do(200, "GET", eventsPath+"?syncToken="+token, "").items()
	if len(items) != 1 || items[0].conferenceStatus() != "success" {
		t.Errorf("the changes are %v", items)
	}
}

// A fault lets a conference fail or wait. It concerns requests that ask for a conference, and the emulator refuses a fault
// that would do something else too.
func TestConferenceFaults(t *testing.T) {
	c := newClient(t)
	insert := func(id string, header ...string) string {
		c.do(200, "POST", eventsPath+version1, `{"id":"`+id+`",`+asksMeet+`,`+hour+`}`, header...)
		return c.do(200, "GET", eventsPath+"/"+id, "").conferenceStatus()
	}
	if got := insert("event1", "X-Emulator-Fault: conference=failure"); got != "failure" {
		t.Errorf("the status is %s", got)
	}
	failed := c.do(200, "GET", eventsPath+"/event1", "")
	if data := object(failed["conferenceData"].(map[string]any)); data["entryPoints"] != nil || data["conferenceSolution"] != nil || failed["hangoutLink"] != nil {
		t.Errorf("the failed conference is %v", data)
	}
	if got := insert("event2", "X-Emulator-Fault: conference=pending"); got != "pending" {
		t.Errorf("the status is %s", got)
	}
	c.do(200, "PATCH", eventsPath+"/event2", `{"summary":"Any other change"}`)
	if got := c.do(200, "GET", eventsPath+"/event2", "").conferenceStatus(); got != "success" {
		t.Errorf("after the next write the status is %s", got)
	}
	c.do(204, "POST", "/emulator/faults", `{"path":"/calendar/v3/calendars/*/events","conference":"failure","times":1}`)
	c.do(200, "POST", eventsPath, `{"id":"event3",`+hour+`}`) // it asks for no conference
	for _, want := range []struct{ id, status string }{{"event4", "failure"}, {"event5", "success"}} {
		if got := insert(want.id); got != want.status {
			t.Errorf("%s: the status is %s, want %s", want.id, got, want.status)
		}
	}
	for _, body := range []string{`{"conference":"success"}`, `{"conference":"failure","status":503}`, `{"conference":"pending","drop":true}`, `{"conference":"pending","latency":"1s"}`} {
		c.do(400, "POST", "/emulator/faults", body)
	}
	c.do(400, "GET", "/colors", "", "X-Emulator-Fault: conference=soon")
	c.do(200, "GET", "/colors", "", "X-Emulator-Fault: conference=failure")
}
