package emulator_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A slash at the end of the path of a collection does not matter.
func TestSlashAtEnd(t *testing.T) {
	c := newClient(t)
	const query = `{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-11T00:00:00Z","items":[{"id":"primary"}]}`
	c.do(200, "POST", eventsPath+"/", `{"id":"event1",`+hour+`}`)
	for _, path := range []string{
		eventsPath, "/users/me/calendarList", "/users/me/settings", "/colors", "/calendars/primary/acl",
	} {
		want, got := c.do(200, "GET", path, ""), c.do(200, "GET", path+"/", "")
		delete(want, "nextSyncToken")
		delete(got, "nextSyncToken")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-without +with a slash):\n%s", path, diff)
		}
	}
	c.do(404, "GET", eventsPath+"/event1/", "")
	if diff := cmp.Diff(c.do(200, "POST", "/freeBusy", query), c.do(200, "POST", "/freeBusy/", query)); diff != "" {
		t.Errorf("/freeBusy (-without +with a slash):\n%s", diff)
	}
}

// At the addresses of the public service, scalars of another type are read as the library reads them.
func TestToleratedScalars(t *testing.T) {
	c := newClient(t)
	o := c.do(200, "POST", eventsPath, `{"id":"event1","colorId":5,"sequence":"3",`+hour+`}`)
	if o["sequence"] != 3.0 {
		t.Errorf("the event is %v", o)
	}
	for _, body := range []string{`{"id":"event2","colorId":5,` + hour + `}`, `{"id":"event2","sequence":"3",` + hour + `}`} {
		c.do(400, "POST", documents+eventsPath, body)
	}
}

// Attachments without the parameter have no effect at the addresses of the public service.
func TestAttachmentsWithoutParameter(t *testing.T) {
	c := newClient(t)
	const body = `{"attachments":[{"fileUrl":"https://drive.google.com/open?id=1"}],` + hour + `}`
	if o := c.do(200, "POST", eventsPath, body); o["attachments"] != nil {
		t.Errorf("the event is %v", o)
	}
	if o := c.do(200, "POST", eventsPath+"?supportsAttachments=true", body); o["attachments"] == nil {
		t.Errorf("the event is %v", o)
	}
}

// A rule of the access list holds for an address whatever its case, and is one rule.
func TestRuleOfAddress(t *testing.T) {
	p := newParty(t, "ada", "bob")
	const acl = "/calendars/ada@example.com/acl"
	as := func(name string) string { return "Authorization: Bearer " + name }
	p.do(200, "GET", "/calendars/primary", "", as("ada"))
	rule := p.do(200, "POST", acl, `{"role":"reader","scope":{"type":"user","value":"BOB@Example.com"}}`, as("ada"))
	p.do(200, "GET", "/calendars/ada@example.com/events", "", as("bob"))
	p.do(403, "POST", "/calendars/ada@example.com/events", `{`+hour+`}`, as("bob"))
	again := p.do(200, "POST", acl, `{"role":"writer","scope":{"type":"user","value":"bob@example.com"}}`, as("ada"))
	if rule["id"] != again["id"] {
		t.Errorf("the rules are %v and %v", rule, again)
	}
	p.do(200, "POST", "/calendars/ada@example.com/events", `{`+hour+`}`, as("bob"))
	p.do(204, "DELETE", acl+"/user:Bob@example.com", "", as("ada"))
	p.do(404, "GET", "/calendars/ada@example.com/events", "", as("bob"))
	p.do(403, "DELETE", acl+"/user:ADA@example.com", "", as("ada"))
}

// A reader does not see the details of a private event, in any answer, and finds it only by its times.
func TestPrivateEvents(t *testing.T) {
	p := newParty(t, "ada", "bob")
	as := func(name string) string { return "Authorization: Bearer " + name }
	const events = "/calendars/ada@example.com/events"
	p.as("ada", 200, "POST", "", `{"id":"event1","visibility":"private","summary":"Secret","location":"Room","attendees":[{"email":"eve@example.com"}],`+hour+`}`)
	for role, sees := range map[string]bool{"reader": false, "writerWithoutPrivateAccess": false, "writer": true, "owner": true} {
		p.do(200, "POST", "/calendars/primary/acl", `{"role":"`+role+`","scope":{"type":"user","value":"bob@example.com"}}`, as("ada"))
		list := p.do(200, "GET", events, "", as("bob"))
		for name, got := range map[string]object{"get": p.do(200, "GET", events+"/event1", "", as("bob")), "list": list.items()[0]} {
			hasDetails := got["summary"] != nil || got["location"] != nil || got["attendees"] != nil || got["creator"] != nil
			if hasDetails != sees || got["start"] == nil || got.text("visibility") != "private" || got.text("etag") == "" {
				t.Errorf("%s, %s: %v", role, name, got)
			}
		}
		if found := p.do(200, "GET", events+"?q=secret", "", as("bob")).items(); len(found) > 0 != sees {
			t.Errorf("%s finds %v", role, found)
		}
		if list.text("accessRole") != role {
			t.Errorf("%s: the role is %s", role, list.text("accessRole"))
		}
	}
}
