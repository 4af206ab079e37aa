package schema_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/schema"
	"github.com/calrules/calrules/operation"
)

// member returns the schema of a member of a part, as JSON.
func member(t *testing.T, op operation.ID, d diag.Dialect, part, name string) string {
	t.Helper()
	document, err := schema.Body(op, d)
	if err != nil {
		t.Fatal(err)
	}
	properties := document["$defs"].(schema.Object)[part].(schema.Object)["properties"].(schema.Object)
	found := properties[name].(schema.Object)
	delete(found, "x-calrules-rules")
	delete(found, "description")
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMembers(t *testing.T) {
	for _, test := range []struct {
		name       string
		op         operation.ID
		dialect    diag.Dialect
		part, path string
		want       string
	}{
		{"required", operation.EventsInsert, diag.Documents, "Event", "start", `{"$ref":"#/$defs/Time"}`},
		{"optional-in-patch", operation.EventsPatch, diag.Documents, "Event", "summary", `{"type":["string","null"]}`},
		{"null-is-wrong-in-a-response", operation.Response, diag.Documents, "Event", "summary", `{"type":"string"}`},
		{"alphabet", operation.EventsInsert, diag.Documents, "Event", "id", `{"maxLength":1024,"minLength":5,"pattern":"^[0-9a-v]*$","type":["string","null"]}`},
		{"array", operation.EventsInsert, diag.Documents, "Reminders", "overrides", `{"items":{"$ref":"#/$defs/Reminder"},"maxItems":5,"type":["array","null"]}`},
		{"number", operation.EventsInsert, diag.Documents, "Reminder", "minutes", `{"maximum":40320,"minimum":0,"type":"integer"}`},
		{"format", operation.EventsInsert, diag.Documents, "Attendee", "email", `{"format":"calrules-AddrSpec","minLength":1,"pattern":"^(?:\".*\"|[^@\" ]+)@(?:\\[.*\\]|[^@\" ]+)$","type":"string"}`},
		{"standard-format", operation.EventsInsert, diag.Documents, "Time", "date", `{"format":"date","pattern":"^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$","type":["string","null"]}`},
		{"what-a-client-can-create", operation.EventsInsert, diag.Documents, "Birthday", "type", `{"enum":["birthday",null],"type":["string","null"]}`},
		{"dialect", operation.Response, diag.Google, "Event", "eventType", `{"enum":["birthday","default","focusTime","fromGmail","outOfOffice","workingLocation"],"type":"string"}`},
		{"default-true", operation.EventsInsert, diag.Documents, "Event", "guestsCanInviteOthers", `{"type":["boolean","null"]}`},
		{"default-false", operation.Response, diag.Documents, "Event", "anyoneCanAddSelf", `{"type":"boolean"}`},
		{"no-upper-bound-but-64-bits", operation.EventsInsert, diag.Documents, "Event", "sequence", `{"maximum":9223372036854775807,"minimum":0,"type":["integer","null"]}`},
		{"map", operation.EventsInsert, diag.Documents, "ExtendedProperties", "private", `{"additionalProperties":{"type":["string","null"]},"type":["object","null"]}`},
		{"map-in-a-response", operation.Response, diag.Documents, "ExtendedProperties", "shared", `{"additionalProperties":{"type":"string"},"type":"object"}`},
		{"not-asserted-in-patch", operation.EventsPatch, diag.Documents, "Event", "id", `{"type":["string","null"]}`},
		{"type-of-an-import", operation.EventsImport, diag.Documents, "Event", "eventType", `{"enum":["birthday","default","focusTime","fromMail","outOfOffice","workingLocation",null],"type":["string","null"]}`},
		{"dropped-by-an-import", operation.EventsImport, diag.Documents, "Event", "focusTimeProperties", `{"properties":{"autoDeclineMode":{"type":["string","null"]},"chatStatus":{"type":["string","null"]},"declineMessage":{"type":["string","null"]}},"type":["object","null"]}`},
		{"conference-of-a-new-event", operation.EventsInsert, diag.Documents, "ConferenceKey", "type", `{"enum":["videoMeet","addOn",null],"type":["string","null"]}`},
		{"conference-of-an-import", operation.EventsImport, diag.Documents, "ConferenceKey", "type", `{"enum":["videoMeet","addOn",null],"type":["string","null"]}`},
		{"stored-conference-in-a-patch", operation.EventsPatch, diag.Documents, "ConferenceKey", "type", `{"type":["string","null"]}`},
		{"stored-conference-in-an-update", operation.EventsUpdate, diag.Documents, "ConferenceKey", "type", `{"type":["string","null"]}`},
		{"service", operation.EventsInsert, diag.Google, "Event", "hangoutLink", `{"readOnly":true,"type":["string","null"]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, member(t, test.op, test.dialect, test.part, test.path)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The schema of an import asserts the properties of event types unless the event has another type than default.
func TestImport(t *testing.T) {
	document, err := schema.Body(operation.EventsImport, diag.Google)
	if err != nil {
		t.Fatal(err)
	}
	imported := document["$defs"].(schema.Object)["Event"].(schema.Object)
	const wantIf = `{"properties":{"eventType":{"enum":["birthday","focusTime","fromGmail","outOfOffice","workingLocation"]}},"required":["eventType"]}`
	if diff := cmp.Diff(wantIf, marshal(t, imported["if"])); diff != "" {
		t.Errorf("if (-want +got):\n%s", diff)
	}
	kept := imported["else"].(schema.Object)["properties"].(schema.Object)
	want := []string{"birthdayProperties", "focusTimeProperties", "outOfOfficeProperties", "workingLocationProperties"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(kept))); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	inserted, err := schema.Body(operation.EventsInsert, diag.Google)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := inserted["$defs"].(schema.Object)["Event"].(schema.Object)["if"]; ok {
		t.Error("an insert drops properties")
	}
}

func TestTitle(t *testing.T) {
	for op, want := range map[operation.ID]string{
		operation.Response:     "Event, as the service returns it",
		operation.EventsInsert: "Event, as the body of events.insert",
	} {
		if document, err := schema.Body(op, diag.Documents); err != nil || document["title"] != want {
			t.Errorf("%s has the title %v and the error %v", op, document["title"], err)
		}
	}
}

// A description says what a value must be, for the constraints that the schema asserts.
func TestDescription(t *testing.T) {
	for op, want := range map[operation.ID]any{
		operation.EventsInsert: "It must be made of the letters a to v and the digits 0 to 9, and 5 to 1024 characters long.",
		operation.EventsPatch:  nil,
	} {
		document, err := schema.Body(op, diag.Documents)
		if err != nil {
			t.Fatal(err)
		}
		id := document["$defs"].(schema.Object)["Event"].(schema.Object)["properties"].(schema.Object)["id"].(schema.Object)
		if diff := cmp.Diff(want, id["description"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", op, diff)
		}
	}
}

// A member lists the rules that report something on the occasion.
func TestRulesOfMember(t *testing.T) {
	for op, want := range map[operation.ID]string{
		operation.EventsInsert: `["event.sequence"]`,
		operation.EventsPatch:  `["event.sequence","event.sequence.decrease"]`,
		operation.Response:     "null",
	} {
		document, err := schema.Body(op, diag.Documents)
		if err != nil {
			t.Fatal(err)
		}
		sequence := document["$defs"].(schema.Object)["Event"].(schema.Object)["properties"].(schema.Object)["sequence"].(schema.Object)
		if diff := cmp.Diff(want, marshal(t, sequence["x-calrules-rules"])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", op, diff)
		}
	}
}

func TestAsserts(t *testing.T) {
	for _, test := range []struct {
		op   operation.ID
		rule string
		want bool
	}{
		{operation.EventsInsert, "event.id.length", true},
		{operation.EventsPatch, "event.id.length", false},        // another rule is about the id in a patch
		{operation.EventsInsert, "event.start.required", true},   // a required member
		{operation.EventsInsert, "time.order", false},            // about two members
		{operation.EventsInsert, "event.id.with-icaluid", false}, // about two members
		{operation.EventsInsert, "json.type", false},             // about no member
		{operation.EventsDelete, "event.id.length", false},       // no event
	} {
		if got := schema.Asserts(test.op, event.Catalogue().Lookup(test.rule)); got != test.want {
			t.Errorf("%s asserts %s: %t", test.op, test.rule, got)
		}
	}
}

// The formats are the forms of texts that no keyword of JSON Schema expresses.
func TestFormats(t *testing.T) {
	want := strings.Fields(`calrules-AddrSpec calrules-ChannelAddress calrules-ChannelIDCharacters calrules-ContactName
		calrules-EventDateTime calrules-FreebusyTime calrules-FullDate calrules-HTTPScheme calrules-HTTPURL calrules-IANAZone calrules-Kind calrules-MeetingCode calrules-NewBirthdayType calrules-NewConferenceType
		calrules-NewEventType calrules-SIPScheme calrules-TelScheme calrules-Timestamp`)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(schema.Formats()))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRequired(t *testing.T) {
	for op, want := range map[operation.ID]any{
		operation.EventsInsert: []string{"start", "end"},
		operation.EventsImport: []string{"start", "end", "iCalUID"},
		operation.EventsPatch:  nil,
	} {
		document, err := schema.Body(op, diag.Documents)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, document["$defs"].(schema.Object)["Event"].(schema.Object)["required"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", op, diff)
		}
	}
}

// A modification may name a stored guest by the id, without the address. No other element is known so.
func TestRequiredOfElements(t *testing.T) {
	const address, addressOrID = `["email"], null, null`, `null, {"properties":{"id":{}},"required":["id"]}, {"properties":{"email":{}},"required":["email"]}`
	for _, test := range []struct {
		op         operation.ID
		part, want string
	}{
		{operation.EventsInsert, "Attendee", address},
		{operation.EventsImport, "Attendee", address},
		{operation.EventsPatch, "Attendee", addressOrID},
		{operation.EventsUpdate, "Attendee", addressOrID},
		{operation.EventsPatch, "Attachment", `["fileUrl"], null, null`},
	} {
		document, err := schema.Body(test.op, diag.Documents)
		if err != nil {
			t.Fatal(err)
		}
		part := document["$defs"].(schema.Object)[test.part].(schema.Object)
		got := marshal(t, part["required"]) + ", " + marshal(t, part["if"]) + ", " + marshal(t, part["else"])
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: required, if and else of %s (-want +got):\n%s", test.op, test.part, diff)
		}
	}
}

// Every rule about an event that applies to an operation is listed at a member that it reads.
func TestRulesAreNamed(t *testing.T) {
	for _, op := range schema.Operations(diag.Documents) {
		document, err := schema.Body(op, diag.Documents)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		found, named := operation.Lookup(op)
		for _, f := range event.Fields() {
			for _, r := range f.Rules {
				if named && r.When.Has(found.When) && r.Kind != "" && !strings.Contains(string(text), `"`+r.ID+`"`) {
					t.Errorf("%s: %s, which is about %s, is not in the schema", op, r.ID, f.Path)
				}
			}
		}
	}
}

func TestNoBody(t *testing.T) {
	for op, want := range map[operation.ID]string{
		operation.EventsDelete: "events.delete has no body",
		"colors.get":           "colors.get has no body",
		"events.fly":           "events.fly has no body",
		"acl.insert":           "the documents do not show the body of acl.insert; the schema is in the dialect google",
	} {
		if _, err := schema.Body(op, diag.Documents); err == nil || err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", op, err, want)
		}
	}
}

// The public service shows the members of other resources than events.
func TestOtherBodies(t *testing.T) {
	for _, test := range []struct {
		op         operation.ID
		part, want string
	}{
		{"calendars.insert", "Calendar", `["summary"]`},
		{"calendars.patch", "Calendar", `null`},
		{"calendars.patch", "CalendarEventLabel", `["backgroundColor"]`},
		{"calendars.insert", "CalendarEventLabel", `null`},
		{"calendarList.insert", "CalendarListEntry", `["id"]`},
		{"calendarList.update", "CalendarListEntry", `null`},
		{"calendarList.patch", "CalendarListEntryReminder", `["method","minutes"]`},
		{"acl.insert", "ACLRule", `["role","scope"]`},
		{"acl.update", "ACLRule", `["scope"]`},
		{"acl.patch", "ACLRule", `null`},
		{"acl.patch", "ACLRuleScope", `null`},
		{"freebusy.query", "FreeBusy", `["timeMin","timeMax"]`},
		{"freebusy.query", "FreeBusyItem", `["id"]`},
		{"settings.watch", "Channel", `["id","type","address"]`},
		{"channels.stop", "Channel", `["id","resourceId"]`},
	} {
		document, err := schema.Body(test.op, diag.Google)
		if err != nil {
			t.Fatal(err)
		}
		part := document["$defs"].(schema.Object)[test.part].(schema.Object)
		if diff := cmp.Diff(test.want, marshal(t, part["required"])); diff != "" {
			t.Errorf("%s: required in %s (-want +got):\n%s", test.op, test.part, diff)
		}
	}
}

// rightForms are unusual texts that have the forms.
var rightForms = map[string][]string{
	"calrules-AddrSpec":       {"ada@example.com", `"a b@c"@example.com`, `o'neil+x@[192.0.2.1]`, `a@["@]`},
	"calrules-FullDate":       {"2024-02-29"},
	"calrules-EventDateTime":  {"2026-03-10T09:00:00", "2026-03-10t09:00:00.123456789z", "2026-03-10T09:00:00+14:00", "2016-12-31T23:59:60Z"},
	"calrules-Timestamp":      {"2026-03-10T09:00:00-00:00"},
	"calrules-HTTPURL":        {"HTTPS://EXAMPLE.com", "http://[::1]:80/a?b#c", "https://exämple.com/%20"},
	"calrules-HTTPScheme":     {"https:x", "http://example.com"},
	"calrules-TelScheme":      {"TEL:+1-555,,0100;ext=1"},
	"calrules-SIPScheme":      {"sip:ada@example.com;transport=tcp"},
	"calrules-MeetingCode":    {"abc-mnop-xyz"},
	"calrules-ContactName":    {"people/c12345"},
	"calrules-Kind":           {"calendar#event"},
	"calrules-ChannelAddress": {"https://example.com/notifications"},
	"calrules-FreebusyTime":   {"2026-03-10T09:00:00Z"},

	"calrules-ChannelIDCharacters": {"01234567-89ab-cdef-0123-456789abcdef", "a_+/="},
}

// Without plug-ins, the patterns refuse nonsense, and the most usual mistakes.
func TestPatterns(t *testing.T) {
	for name, wrong := range map[string][]string{
		"calrules-AddrSpec":       {"nonsense", "Ada <ada@example.com>", "ada@", "@example.com"},
		"calrules-IANAZone":       {"nonsense", "Pacific Standard Time", "Berlin", "europe/Berlin", "UTC+1", "GMTx"},
		"calrules-FullDate":       {"nonsense", "2026-3-10", "2026-13-01", "2026-03-10T00:00:00Z"},
		"calrules-EventDateTime":  {"nonsense", "2026-03-10", "2026-03-10 09:00:00", "2026-03-10T09:00", "2026-03-10T09:00:00+1"},
		"calrules-Timestamp":      {"nonsense", "2026-03-10T09:00:00"},
		"calrules-HTTPURL":        {"nonsense", "example.com", "ftp://example.com", "https://a b"},
		"calrules-HTTPScheme":     {"nonsense", "tel:1"},
		"calrules-TelScheme":      {"nonsense", "15550100"},
		"calrules-SIPScheme":      {"nonsense", "ada@example.com"},
		"calrules-MeetingCode":    {"nonsense", "abc-mnop-xy"},
		"calrules-ContactName":    {"nonsense", "people/", "people/a/b"},
		"calrules-Kind":           {"nonsense", "calendar#events"},
		"calrules-ChannelAddress": {"nonsense", "http://example.com"},
		"calrules-FreebusyTime":   {"nonsense", "2026-03-10T09:00:00"},

		"calrules-ChannelIDCharacters": {"a b", "ä"},
	} {
		c := schema.Formats()[name]
		if c == nil {
			t.Errorf("there is no format %s", name)
			continue
		}
		pattern := regexp.MustCompile(schema.Pattern(c))
		for _, text := range wrong {
			if pattern.MatchString(text) {
				t.Errorf("the pattern of %s allows %q", name, text)
			}
		}
		for _, text := range rightForms[name] {
			if !c.Has(text) || !pattern.MatchString(text) {
				t.Errorf("%s: the pattern matches %q: %t, the rule allows it: %t", name, text, pattern.MatchString(text), c.Has(text))
			}
		}
	}
	zone := regexp.MustCompile(schema.Pattern(constraint.IANAZone))
	for name := range form.Zones() {
		if !zone.MatchString(name) {
			t.Errorf("the pattern of zones refuses %s", name)
		}
	}
}

// A rule of a program is listed at the members of an event that it reads, and not at those of another resource.
func TestOwnRule(t *testing.T) {
	own := &diag.Rule{ID: "own.summary", Kind: diag.Advise, When: ^diag.When(0), Reads: []string{"summary"}}
	for op, want := range map[operation.ID]int{operation.EventsInsert: 1, "calendars.insert": 0} {
		document, err := schema.Body(op, diag.Google, own)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(marshal(t, document), own.ID); got != want {
			t.Errorf("%s lists the rule %d times, want %d", op, got, want)
		}
	}
}

// A plain schema asserts the same and has no keyword that a validator may not know.
func TestPlain(t *testing.T) {
	document, err := schema.Body("acl.insert", diag.Google)
	if err != nil {
		t.Fatal(err)
	}
	schema.Plain(document)
	for _, keyword := range []string{"x-calrules", `"format"`} {
		if strings.Contains(marshal(t, document), keyword) {
			t.Errorf("%s is there", keyword)
		}
	}
	if diff := cmp.Diff([]string{"role", "scope"}, document["$defs"].(schema.Object)["ACLRule"].(schema.Object)["required"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A member that is called format stays.
func TestPlainKeepsMembers(t *testing.T) {
	document := schema.Object{"x-calrules-rules": []string{"a"}, "format": "date", "type": "object",
		"properties": schema.Object{"format": schema.Object{"type": "string", "format": "date"}}}
	schema.Plain(document)
	const want = `{"properties":{"format":{"type":"string"}},"type":"object"}`
	if diff := cmp.Diff(want, marshal(t, document)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
