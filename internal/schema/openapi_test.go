package schema_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/schema"
	"github.com/calrules/calrules/operation"
)

// documents have the document of each dialect, which tests only read.
var documents = map[diag.Dialect]schema.Object{diag.Documents: schema.OpenAPI(diag.Documents), diag.Google: schema.OpenAPI(diag.Google)}

// described returns the Operation Object of a path and a method, in a dialect.
func described(d diag.Dialect, path, method string) schema.Object {
	return documents[d]["paths"].(schema.Object)[path].(schema.Object)[method].(schema.Object)
}

func TestOpenAPIOperations(t *testing.T) {
	for _, test := range []struct {
		path, method string
		want         []string // the members, and the parameters
	}{
		{"/calendars/{calendarId}/events", "post", []string{
			`operationId "events.insert"`,
			`requestBody {"content":{"application/json":{"example":{"summary":"Planning","start":{"dateTime":"2026-03-10T09:00:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-03-10T10:00:00","timeZone":"Europe/Berlin"},"recurrence":["RRULE:FREQ=WEEKLY;COUNT=10"],"attendees":[{"email":"ada@example.com"}],"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":10}]}},"schema":{"$ref":"#/components/schemas/EventInsert"}}},"required":true}`,
			`responses {"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Event"}}},"description":"The event."},"default":{"description":"Any other answer. The documents do not show it."}}`,
			`security [{"bearer":["auth/calendar"]},{"bearer":["auth/calendar.events"]},{"bearer":["auth/calendar.app.created"]},{"bearer":["auth/calendar.events.owned"]}]`,
			`summary "Creates an event."`,
			`{"in":"path","name":"calendarId","required":true,"schema":{"type":"string"}}`,
			`{"description":"The default is 0.","in":"query","name":"conferenceDataVersion","required":false,"schema":{"maximum":1,"minimum":0,"type":"integer"},"x-calrules-rules":["insert.param.range"]}`,
			`{"description":"The default is 0.","in":"query","name":"eventLabelVersion","required":false,"schema":{"maximum":1,"minimum":0,"type":"integer"},"x-calrules-rules":["insert.param.range"]}`,
			`{"in":"query","name":"maxAttendees","required":false,"schema":{"minimum":1,"type":"integer"},"x-calrules-rules":["insert.param.max-attendees"]}`,
			`{"deprecated":true,"description":"Deprecated: use sendUpdates. The default is false.","in":"query","name":"sendNotifications","required":false,"schema":{"type":"boolean"},"x-calrules-rules":["insert.param.boolean"]}`,
			`{"in":"query","name":"sendUpdates","required":false,"schema":{"enum":["all","externalOnly","none"],"type":"string"},"x-calrules-rules":["insert.param.send-updates"]}`,
			`{"description":"The default is false.","in":"query","name":"supportsAttachments","required":false,"schema":{"type":"boolean"},"x-calrules-rules":["insert.param.supports-attachments"]}`,
		}},
		{"/calendars/{calendarId}/events/{eventId}", "patch", []string{
			`operationId "events.patch"`,
			`requestBody {"content":{"application/json":{"example":{"location":"Room 4"},"schema":{"$ref":"#/components/schemas/EventPatch"}}},"required":true}`,
			`responses {"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Event"}}},"description":"The event."},"default":{"description":"Any other answer. The documents do not show it."}}`,
			`security [{"bearer":[]}]`,
			`summary "Replaces the fields that are sent, including whole arrays, and leaves the others unchanged."`,
			`x-calrules-quota-units 3`,
			`{"in":"path","name":"calendarId","required":true,"schema":{"type":"string"}}`,
			`{"in":"path","name":"eventId","required":true,"schema":{"type":"string"}}`,
			`{"description":"The default is 0.","in":"query","name":"conferenceDataVersion","required":false,"schema":{"maximum":1,"minimum":0,"type":"integer"},"x-calrules-rules":["insert.param.range"]}`,
			`{"description":"The default is 0.","in":"query","name":"eventLabelVersion","required":false,"schema":{"maximum":1,"minimum":0,"type":"integer"},"x-calrules-rules":["insert.param.range"]}`,
			`{"description":"The default is false.","in":"query","name":"supportsAttachments","required":false,"schema":{"type":"boolean"},"x-calrules-rules":["insert.param.supports-attachments"]}`,
		}},
		{"/calendars/{calendarId}/events/quickAdd", "post", []string{
			`operationId "events.quickAdd"`,
			`responses {"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Event"}}},"description":"The event."},"default":{"description":"Any other answer. The documents do not show it."}}`,
			`security [{"bearer":[]}]`,
			`summary "Creates an event from a simple text string."`,
			`{"in":"path","name":"calendarId","required":true,"schema":{"type":"string"}}`,
			`{"in":"query","name":"text","required":true,"schema":{"minLength":1,"type":"string"},"x-calrules-rules":["quick-add.text"]}`,
		}},
		{"/calendars", "post", []string{
			`operationId "calendars.insert"`,
			`requestBody {"content":{"application/json":{"schema":{"type":"object"}}}}`,
			`responses {"default":{"description":"Any other answer. The documents do not show it."}}`,
			`security [{"bearer":[]}]`,
			`summary "Creates a secondary calendar; the authenticated user becomes its data owner."`,
		}},
		{"/channels/stop", "post", []string{
			`operationId "channels.stop"`,
			`requestBody {"content":{"application/json":{"schema":{"type":"object"}}}}`,
			`responses {"default":{"description":"Any other answer. The documents do not show it."}}`,
			`security [{"bearer":[]}]`,
			`summary "Stops watching resources through a channel."`,
		}},
		{"/freeBusy", "post", []string{
			`operationId "freebusy.query"`,
			`requestBody {"content":{"application/json":{"schema":{"type":"object"}}}}`,
			`responses {"default":{"description":"Any other answer. The documents do not show it."}}`,
			`security [{"bearer":[]}]`,
			`summary "Returns free/busy information for a set of calendars."`,
		}},
		{"/calendars/{calendarId}/clear", "post", []string{
			`operationId "calendars.clear"`,
			`responses {"default":{"description":"Any other answer. The documents do not show it."}}`,
			`security [{"bearer":[]}]`,
			`summary "Deletes all events of a primary calendar."`,
			`{"in":"path","name":"calendarId","required":true,"schema":{"type":"string"}}`,
		}},
		{"/calendars/{calendarId}/transferOwnership", "post", []string{
			`operationId "calendars.transferOwnership"`,
			`responses {"default":{"description":"Any other answer. The documents do not show it."}}`,
			`security [{"bearer":[]}]`,
			`summary "Transfers a secondary calendar between users of one organization."`,
			`{"in":"path","name":"calendarId","required":true,"schema":{"type":"string"}}`,
			`{"in":"query","name":"newDataOwner","required":true,"schema":{"minLength":1,"type":"string"},"x-calrules-rules":["calendars.transfer.params"]}`,
			`{"in":"query","name":"useAdminAccess","required":true,"schema":{"const":true,"type":"boolean"},"x-calrules-rules":["calendars.transfer.params"]}`,
		}},
		{"/users/me/settings/{setting}", "get", []string{
			`operationId "settings.get"`,
			`responses {"default":{"description":"Any other answer. The documents do not show it."}}`,
			`security [{"bearer":[]}]`,
			`summary "Returns one user setting."`,
			`{"in":"path","name":"setting","required":true,"schema":{"type":"string"}}`,
		}},
	} {
		t.Run(test.method+test.path, func(t *testing.T) {
			operation := described(diag.Documents, test.path, test.method)
			var got []string
			for _, name := range slices.Sorted(maps.Keys(operation)) {
				if name != "x-calrules-rules" && name != "tags" && name != "parameters" {
					got = append(got, name+" "+marshal(t, operation[name]))
				}
			}
			for _, p := range operation["parameters"].([]schema.Object) {
				got = append(got, marshal(t, p))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// marshal returns a value as JSON.
func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// An operation lists the rules about its request, and not those about events or without findings.
func TestOpenAPIRules(t *testing.T) {
	const want = `["param.repeated","quick-add.text","insert.param.send-notifications","param.unknown","scope.unspecified","operation.unspecified"]`
	got := marshal(t, described(diag.Documents, "/calendars/{calendarId}/events/quickAdd", "post")["x-calrules-rules"])
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The public service has an address, and its scopes are addresses.
func TestOpenAPIOfService(t *testing.T) {
	if servers := documents[diag.Documents]["servers"]; servers != nil {
		t.Errorf("the documents name no server, but there is %v", servers)
	}
	if parameters, ok := documents[diag.Documents]["components"].(schema.Object)["parameters"]; ok {
		t.Errorf("the documents name no parameters of all operations, but there are %v", parameters)
	}
	const wantServers = `[{"url":"https://www.googleapis.com/calendar/v3"}]`
	if diff := cmp.Diff(wantServers, marshal(t, documents[diag.Google]["servers"])); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
	const wantScopes = `[{"bearer":["https://www.googleapis.com/auth/calendar"]},{"bearer":["https://www.googleapis.com/auth/calendar.events"]},` +
		`{"bearer":["https://www.googleapis.com/auth/calendar.app.created"]},{"bearer":["https://www.googleapis.com/auth/calendar.events.owned"]}]`
	if diff := cmp.Diff(wantScopes, marshal(t, described(diag.Google, "/calendars/{calendarId}/events", "post")["security"])); diff != "" {
		t.Errorf("scopes (-want +got):\n%s", diff)
	}
}

// The parts of events that the service returns have plain names, and those that a client sends the name of the operation.
func TestOpenAPIComponents(t *testing.T) {
	parts := documents[diag.Documents]["components"].(schema.Object)["schemas"].(schema.Object)
	for _, name := range []string{"Event", "EventInsert", "EventPatch", "EventUpdate", "EventImport", "Attendee", "AttendeeInsert"} {
		if parts[name] == nil {
			t.Errorf("%s is missing", name)
		}
	}
}

// In the dialect of the public service, every operation has its body, its answer and its parameters.
func TestOpenAPIOfOtherResources(t *testing.T) {
	const example = `"example":{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-17T00:00:00Z","items":[{"id":"primary"}]}`
	query := described(diag.Google, "/freeBusy", "post")
	const wantBody = `{"content":{"application/json":{` + example + `,"schema":{"$ref":"#/components/schemas/FreeBusyQuery"}}},"required":true}`
	if diff := cmp.Diff(wantBody, marshal(t, query["requestBody"])); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	const wantAnswer = `{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FreeBusyAnswer"}}},"description":"The answer."}`
	if diff := cmp.Diff(wantAnswer, marshal(t, query["responses"].(schema.Object)["200"])); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	const wantEmpty = `{"204":{"description":"The answer is empty."},"default":`
	if got := marshal(t, described(diag.Google, "/calendars/{calendarId}/events/{eventId}", "delete")["responses"]); !strings.HasPrefix(got, wantEmpty) {
		t.Errorf("the answer to a deletion is %s", got)
	}
	list := marshal(t, described(diag.Google, "/calendars/{calendarId}/events", "get"))
	for _, want := range []string{
		`{"description":"The default is 250.","in":"query","name":"maxResults","required":false,"schema":{"format":"int32","maximum":2147483647,"minimum":1,"type":"integer"},"x-calrules-rules":["param.value"]}`,
		`{"$ref":"#/components/parameters/prettyPrint"}`, `"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Events"}}}`,
	} {
		if !strings.Contains(list, want) {
			t.Errorf("events.list lacks %s:\n%s", want, list)
		}
	}
	const wantScopes = `[{"bearer":["https://www.googleapis.com/auth/calendar"]}`
	if got := marshal(t, described(diag.Google, "/calendars/{calendarId}/acl", "post")["security"]); !strings.HasPrefix(got, wantScopes) {
		t.Errorf("acl.insert has the scopes %s", got)
	}
}

// Each reference in a document has its component, and each component something that refers to it.
func TestOpenAPIReferences(t *testing.T) {
	for _, d := range []diag.Dialect{diag.Documents, diag.Google} {
		document := documents[d]
		text := marshal(t, document)
		got := map[string]bool{}
		for _, part := range strings.Split(text, `"$ref":"#/components/`)[1:] {
			name, _, _ := strings.Cut(part, `"`)
			got[name] = true
		}
		want := map[string]bool{}
		for _, kind := range []string{"schemas", "parameters"} {
			components, _ := document["components"].(schema.Object)[kind].(schema.Object)
			for name := range components {
				want[kind+"/"+name] = true
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-components +references):\n%s", d, diff)
		}
	}
}

// Every operation has a summary.
func TestOpenAPISummaries(t *testing.T) {
	for op := range operation.All() {
		if summary := described(diag.Documents, op.Path, strings.ToLower(op.Method))["summary"]; summary == "" {
			t.Errorf("%s has no summary", op.ID)
		}
	}
}

// Every body that is shown has an example, and a checker accepts it.
func TestOpenAPIExamples(t *testing.T) {
	for _, d := range []diag.Dialect{diag.Documents, diag.Google} {
		for op := range operation.All() {
			body, ok := described(d, op.Path, strings.ToLower(op.Method))["requestBody"].(schema.Object)
			if !ok || body["required"] != true {
				continue
			}
			example, _ := body["content"].(schema.Object)["application/json"].(schema.Object)["example"].(json.RawMessage)
			if example == nil {
				t.Errorf("%s in %v: the body has no example", op.ID, d)
				continue
			}
			result, err := event.Check(&event.Request{Op: op.ID, Dialect: d, Body: example})
			if err != nil || !result.Accepted {
				t.Errorf("%s in %v: %s: %v, %v", op.ID, d, example, err, result.Findings)
			}
		}
	}
}

// A parameter has the format of a time if and only if the rule about times refuses other values of it.
func TestOpenAPITimes(t *testing.T) {
	for _, d := range []diag.Dialect{diag.Documents, diag.Google} {
		times := 0
		for op := range operation.All() {
			params, _ := described(d, op.Path, strings.ToLower(op.Method))["parameters"].([]schema.Object)
			for _, p := range params {
				name, _ := p["name"].(string)
				if p["in"] != "query" {
					continue
				}
				result, err := event.Check(&event.Request{Op: op.ID, Dialect: d, Params: operation.Params{name: {"2026-03-10"}}})
				if err != nil {
					t.Fatal(err)
				}
				got := p["schema"].(schema.Object)["format"] == "date-time"
				want := slices.ContainsFunc(result.Findings, func(f diag.Finding) bool { return f.Is(ruleid.ListTimeParam) })
				if got != want {
					t.Errorf("%s in %v: %s has the format of a time: %t, want %t", op.ID, d, name, got, want)
				}
				if want {
					times++
				}
			}
		}
		if times == 0 {
			t.Errorf("%v: no parameter is a time", d)
		}
	}
}

// A parameter without a limit has none in its schema.
// A parameter lists the rule about its value that holds for the operation in the dialect.
func TestOpenAPIRulesOfParameters(t *testing.T) {
	const list, event = "/calendars/{calendarId}/events", "/calendars/{calendarId}/events/{eventId}"
	for _, test := range []struct {
		dialect            diag.Dialect
		path, method, name string
		want               string
	}{
		{diag.Documents, list, "get", "maxAttendees", `null`},
		{diag.Google, list, "get", "maxAttendees", `["param.value"]`},
		{diag.Documents, list, "post", "maxAttendees", `["insert.param.max-attendees"]`},
		{diag.Google, list, "get", "timeMin", `["list.time-param"]`},
		{diag.Google, list, "get", "timeZone", `["param.value"]`},
		{diag.Google, list, "get", "showDeleted", `["param.value"]`},
		{diag.Google, list, "get", "q", `null`},
		{diag.Google, event, "patch", "sendUpdates", `["param.value"]`},
		{diag.Google, event, "patch", "conferenceDataVersion", `["insert.param.range"]`},
	} {
		parameters := described(test.dialect, test.path, test.method)["parameters"].([]schema.Object)
		i := slices.IndexFunc(parameters, func(p schema.Object) bool { return p["name"] == test.name })
		if i < 0 {
			t.Errorf("%s %s: there is no parameter %s", test.method, test.path, test.name)
			continue
		}
		if diff := cmp.Diff(test.want, marshal(t, parameters[i]["x-calrules-rules"])); diff != "" {
			t.Errorf("%s %s, %s (-want +got):\n%s", test.method, test.path, test.name, diff)
		}
	}
}

func TestOpenAPIBounds(t *testing.T) {
	found := false
	for _, p := range described(diag.Documents, "/calendars/{calendarId}/events", "get")["parameters"].([]schema.Object) {
		if p["name"] == "maxAttendees" {
			found = true
			if diff := cmp.Diff(`{"minimum":1,"type":"integer"}`, marshal(t, p["schema"])); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
	}
	if !found {
		t.Error("the parameter is missing")
	}
}
