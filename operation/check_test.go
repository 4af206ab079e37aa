package operation_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	. "github.com/calrules/calrules/operation"
)

// line is the part of a batch request that Check uses.
type line struct {
	Op       ID              `json:"op"`
	Params   Params          `json:"params"`
	Caller   *Caller         `json:"caller"`
	Calendar *Calendar       `json:"calendar"`
	Existing json.RawMessage `json:"existing"`
	Body     json.RawMessage `json:"body"`
}

// parse decodes a line. It fails on unknown members, so that examples cannot misspell one.
func parse(t *testing.T, text string) line {
	t.Helper()
	var l line
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return l
}

// check calls Check and, if the line has a body, CheckBody.
func (l line) check(t *testing.T) diag.Findings {
	t.Helper()
	op, ok := Lookup(l.Op)
	if !ok {
		t.Fatalf("no operation %q", l.Op)
	}
	var report diag.Report
	op.Check(l.Params, l.Caller, l.Calendar, &report)
	if l.Body != nil {
		op.CheckBody(&report)
	}
	return report.Findings
}

// found lists findings as "rule path".
func found(findings diag.Findings) []string {
	var all []string
	for _, f := range findings {
		all = append(all, strings.TrimSpace(f.Rule.ID+" "+string(f.Path)))
	}
	return all
}

const (
	insert   = "events.insert"
	transfer = "calendars.transferOwnership"
)

// with returns a line for an operation with params, a JSON object.
func with(op, params string) string { return fmt.Sprintf(`{"op":%q,"params":%s}`, op, params) }

// one returns a line for an operation with one parameter.
func one(op, name, value string) string {
	return with(op, fmt.Sprintf(`{%q:%q}`, name, value))
}

func TestCheck(t *testing.T) {
	const (
		needed = `"newDataOwner":"ada@example.org","useAdminAccess":"true"`
		ready  = `{"op":"calendars.transferOwnership","params":{` + needed + `}`
	)
	tests := []struct {
		name string
		line string
		want []string
	}{
		{"clean/insert", `{"op":"events.insert"}`, nil},
		{"clean/empty params", with(insert, `{}`), nil},
		{"clean/all of insert", with(insert, `{"conferenceDataVersion":"1","eventLabelVersion":"1","maxAttendees":"10","sendUpdates":"all","supportsAttachments":"true"}`), nil},

		{"repeated/same", with(insert, `{"sendUpdates":["all","all"]}`), nil},
		{"repeated/one in an array", with(insert, `{"sendUpdates":["all"]}`), nil},
		{"repeated/none in an array", with(insert, `{"sendUpdates":[]}`), nil},
		{"repeated/differ", with(insert, `{"sendUpdates":["all","none"]}`), []string{"param.repeated ?sendUpdates"}},
		{"repeated/differ at the end", with(insert, `{"sendUpdates":["all","all","none"]}`), []string{"param.repeated ?sendUpdates"}},
		{"repeated/differ and wrong", with(insert, `{"conferenceDataVersion":["7","1"]}`), []string{"param.repeated ?conferenceDataVersion"}},
		{"repeated/differ and deprecated", with(insert, `{"sendNotifications":["true","false"],"sendUpdates":"all"}`), []string{"param.repeated ?sendNotifications"}},
		{"repeated/same and wrong", with(insert, `{"conferenceDataVersion":["7","7"]}`), []string{"insert.param.range ?conferenceDataVersion"}},
		{"repeated/list", with("events.list", `{"showDeleted":["true","false"]}`), []string{"param.repeated ?showDeleted"}},
		{"required/the first of two", with("calendars.transferOwnership", `{"newDataOwner":"ada@example.org"}`), []string{"calendars.transfer.params ?useAdminAccess"}},
		{"required/the second of two", with("calendars.transferOwnership", `{"useAdminAccess":"true"}`), []string{"calendars.transfer.params ?newDataOwner"}},
		{"repeated/required, one empty", with("events.move", `{"destination":["","a"]}`), []string{"param.repeated ?destination"}},
		{"repeated/required, both empty", with("events.move", `{"destination":["",""]}`), []string{"move.destination ?destination"}},
		{"repeated/unlisted may be repeatable", with("events.list", `{"other":["default","birthday"]}`), []string{"param.unknown ?other", "operation.unspecified ?other"}},
		{"repeated/observed and repeatable", with("events.list", `{"eventTypes":["default","birthday"]}`), []string{"operation.unspecified ?eventTypes"}},
		{"repeated/observed and single", with("events.list", `{"q":["a","b"]}`), []string{"param.repeated ?q", "operation.unspecified ?q"}},
		{"repeated/standard", with(insert, `{"fields":["id","kind"]}`), []string{"param.repeated ?fields"}},
		{"repeated/standard, the same", with(insert, `{"fields":["id","id"]}`), nil},

		{"unknown/case", one(insert, "sendupdates", "all"), []string{"param.unknown ?sendupdates"}},
		{"unknown/name of another operation", one("events.move", "text", "x"), []string{"move.destination ?destination", "param.unknown ?text", "operation.unspecified ?text"}},
		{"unknown/after listed, by name", with(insert, `{"zz":"1","aa":"1","supportsAttachments":"1","":"1"}`),
			[]string{"insert.param.supports-attachments ?supportsAttachments", "param.unknown ?", "param.unknown ?aa", "param.unknown ?zz"}},
		{"unknown/sent no value", with(insert, `{"zz":[]}`), nil},
		{"unknown/not shown", one("calendarList.list", "maxAttendees", "5"),
			[]string{"param.unknown ?maxAttendees", "operation.unspecified ?maxAttendees"}},
		{"unknown/observed, not shown", one("calendarList.list", "maxResults", "5"), []string{"operation.unspecified ?maxResults"}},
		{"unknown/observed elsewhere", one("events.instances", "q", "5"), []string{"param.unknown ?q", "operation.unspecified ?q"}},
		{"unknown/observed in another case", one("events.list", "timemin", "5"), []string{"param.unknown ?timemin", "operation.unspecified ?timemin"}},
		{"unknown/standard of insert", one(insert, "fields", "id"), nil},
		{"unknown/standard of get", one("colors.get", "$.xgafv", "2"), []string{"operation.unspecified ?$.xgafv"}},
		{"unknown/patch knows what the fields ask for", with("events.patch", `{"conferenceDataVersion":"1","eventLabelVersion":"1","supportsAttachments":"true"}`), nil},
		{"unknown/get knows the attendee limit", one("events.get", "maxAttendees", "3"), nil},
		{"unknown/list", with("events.list", `{"updatedMin":"2026-01-01T00:00:00Z","showDeleted":"true","iCalUID":"a@b"}`), nil},
		{"unknown/list from a token", with("events.list", `{"syncToken":"x","showDeleted":"true","maxAttendees":"1"}`), nil},
		{"unknown/update is observed to know sendUpdates", one("events.update", "sendUpdates", "all"), []string{"operation.unspecified ?sendUpdates"}},

		{"range/update", one("events.update", "eventLabelVersion", "2"), []string{"insert.param.range ?eventLabelVersion"}},
		{"range/patch", one("events.patch", "eventLabelVersion", "2"), []string{"insert.param.range ?eventLabelVersion"}},
		{"range/import", one("events.import", "eventLabelVersion", "2"), []string{"insert.param.range ?eventLabelVersion"}},
		{"range/both", with(insert, `{"eventLabelVersion":"2","conferenceDataVersion":"2"}`),
			[]string{"insert.param.range ?conferenceDataVersion", "insert.param.range ?eventLabelVersion"}},
		{"max-attendees/get does not reject", one("events.get", "maxAttendees", "x"), []string{"operation.unspecified ?maxAttendees"}},
		{"supports-attachments/patch", one("events.patch", "supportsAttachments", "x"), []string{"insert.param.supports-attachments ?supportsAttachments"}},
		{"boolean/list does not reject", one("events.list", "showDeleted", "x"), []string{"operation.unspecified ?showDeleted"}},

		{"send-updates/false", one(insert, "sendUpdates", "false"),
			[]string{"insert.param.send-updates.default ?sendUpdates"}},
		{"send-updates.default/notifications alone", one(insert, "sendNotifications", "false"),
			[]string{"insert.param.send-notifications ?sendNotifications", "insert.param.send-updates.default ?sendUpdates"}},
		{"send-updates.default/both", with(insert, `{"sendNotifications":"false","sendUpdates":"none"}`),
			[]string{"insert.param.send-notifications ?sendNotifications"}},
		{"boolean/notifications", with(insert, `{"sendNotifications":"TRUE","sendUpdates":"none"}`),
			[]string{"insert.param.send-notifications ?sendNotifications", "insert.param.boolean ?sendNotifications"}},

		{"destination/absent", `{"op":"events.move"}`, []string{"move.destination ?destination"}},
		{"destination/no value", with("events.move", `{"destination":[]}`), []string{"move.destination ?destination"}},
		{"destination/empty", one("events.move", "destination", ""), []string{"move.destination ?destination"}},
		{"destination/absent, another parameter", one("events.move", "sendUpdates", "all"),
			[]string{"move.destination ?destination", "operation.unspecified ?sendUpdates"}},
		{"destination/given", one("events.move", "destination", "a@b"), nil},
		{"text/absent", `{"op":"events.quickAdd"}`, []string{"quick-add.text ?text"}},
		{"text/empty", one("events.quickAdd", "text", ""), []string{"quick-add.text ?text"}},
		{"text/a blank", one("events.quickAdd", "text", " "), nil},

		{"transfer/given", with(transfer, `{`+needed+`}`), nil},
		{"transfer/neither", `{"op":"calendars.transferOwnership"}`,
			[]string{"calendars.transfer.params ?newDataOwner", "calendars.transfer.params ?useAdminAccess"}},
		{"transfer/no owner", one(transfer, "useAdminAccess", "true"), []string{"calendars.transfer.params ?newDataOwner"}},
		{"transfer/no admin access", one(transfer, "newDataOwner", "a"), []string{"calendars.transfer.params ?useAdminAccess"}},
		{"transfer/empty", with(transfer, `{"newDataOwner":"","useAdminAccess":""}`),
			[]string{"calendars.transfer.params ?newDataOwner", "calendars.transfer.params ?useAdminAccess"}},
		{"transfer/not true", with(transfer, `{"newDataOwner":"a","useAdminAccess":"True"}`), []string{"calendars.transfer.params ?useAdminAccess"}},
		{"transfer/case of name", with(transfer, `{"newdataowner":"a","useAdminAccess":"true"}`),
			[]string{"calendars.transfer.params ?newDataOwner", "param.unknown ?newdataowner", "operation.unspecified ?newdataowner"}},
		{"transfer/secondary and active", ready + `,"calendar":{"primary":false,"status":"active"}}`, nil},
		{"transfer/primary", ready + `,"calendar":{"primary":true}}`, []string{"calendars.transfer.calendar"}},
		{"transfer/disabled", ready + `,"calendar":{"status":"disabled"}}`, []string{"calendars.transfer.calendar"}},
		{"transfer/primary and deleted", ready + `,"calendar":{"primary":true,"status":"deleted"}}`,
			[]string{"calendars.transfer.calendar", "calendars.transfer.calendar"}},
		{"transfer/service account", ready + `,"caller":{"serviceAccount":true}}`, []string{"calendars.transfer.calendar"}},
		{"transfer/service account for a user", ready + `,"caller":{"serviceAccount":true,"domainWideDelegation":true}}`, nil},
		{"transfer/user", ready + `,"caller":{"serviceAccount":false}}`, nil},

		{"clear/unknown", `{"op":"calendars.clear","calendar":{}}`, nil},
		{"clear/primary", `{"op":"calendars.clear","calendar":{"primary":true}}`, nil},
		{"clear/secondary", `{"op":"calendars.clear","calendar":{"primary":false}}`, []string{"calendars.clear"}},
		{"delete/unknown", `{"op":"calendars.delete","calendar":{}}`, nil},
		{"delete/primary", `{"op":"calendars.delete","calendar":{"primary":true}}`, []string{"calendars.delete"}},
		{"delete/secondary", `{"op":"calendars.delete","calendar":{"primary":false}}`, nil},

		{"scope.unspecified/unknown", `{"op":"events.get","caller":{}}`, nil},
		{"scope.unspecified/known", `{"op":"events.get","caller":{"scopes":["https://s.example/auth/calendar"]}}`, []string{"scope.unspecified"}},
		{"scope.unspecified/none", `{"op":"colors.get","caller":{"scopes":[]}}`, []string{"scope.unspecified"}},
		{"scope.unspecified/after params", `{"op":"events.move","caller":{"scopes":[]}}`, []string{"move.destination ?destination", "scope.unspecified"}},

		{"unspecified/value of import", `{"op":"events.import","params":{"maxAttendees":"0"}}`, []string{"operation.unspecified ?maxAttendees"}},
		{"unspecified/value of instances", `{"op":"events.instances","params":{"maxAttendees":""}}`, []string{"operation.unspecified ?maxAttendees"}},
		{"unspecified/value of list", `{"op":"events.list","params":{"showDeleted":"True"}}`, []string{"operation.unspecified ?showDeleted"}},
		{"unspecified/two values of list", `{"op":"events.list","params":{"showDeleted":["yes","no"]}}`, []string{"param.repeated ?showDeleted"}},
		{"unspecified/values that are shown", `{"op":"events.list","params":{"maxAttendees":"1","showDeleted":"true","iCalUID":"","syncToken":""}}`, nil},
		{"unspecified/value of insert", `{"op":"events.insert","params":{"maxAttendees":"0"}}`, []string{"insert.param.max-attendees ?maxAttendees"}},
		{"unspecified/body", `{"op":"acl.insert","body":{}}`, []string{"operation.unspecified"}},
		{"unspecified/no body", `{"op":"acl.insert"}`, nil},
		{"unspecified/body of an event", `{"op":"events.patch","body":{}}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := gocmp.Diff(tt.want, found(parse(t, tt.line).check(t))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.line, diff)
			}
		})
	}
}

// TestValues tests values of one parameter just inside and just outside its limits.
func TestValues(t *testing.T) {
	notDecimal := []string{"", " 1", "1 ", "+1", "-1", "-0", "01", "00", "1.0", "1e0", "0x1", "٣", "１", "true", "99999999999999999999"}
	notBoolean := []string{"", "TRUE", "True", "1", "0", "yes", " true", "true ", "null", "t"}
	tests := []struct {
		name, rule     string
		accept, refuse []string
	}{
		{"conferenceDataVersion", "insert.param.range", []string{"0", "1"}, append([]string{"2", "10"}, notDecimal...)},
		{"eventLabelVersion", "insert.param.range", []string{"0", "1"}, append([]string{"2", "10"}, notDecimal...)},
		{"maxAttendees", "insert.param.max-attendees",
			[]string{"1", "2", "10", "9223372036854775807"}, append([]string{"0", "9223372036854775808"}, notDecimal...)},
		{"sendUpdates", "insert.param.send-updates",
			[]string{"all", "externalOnly", "none"}, []string{"", "All", "externalonly", "true", "all ", "all,none"}},
		{"supportsAttachments", "insert.param.supports-attachments", []string{"true", "false"}, notBoolean},
	}
	for _, tt := range tests {
		for _, value := range tt.accept {
			if got := found(parse(t, one(insert, tt.name, value)).check(t)); got != nil {
				t.Errorf("%s=%q: %v", tt.name, value, got)
			}
		}
		for _, value := range tt.refuse {
			want := []string{tt.rule + " ?" + tt.name}
			if diff := gocmp.Diff(want, found(parse(t, one(insert, tt.name, value)).check(t))); diff != "" {
				t.Errorf("%s=%q (-want +got):\n%s", tt.name, value, diff)
			}
		}
	}
}

func TestScope(t *testing.T) {
	tests := []struct {
		name   string
		caller *Caller
		want   bool
	}{
		{"nothing known", nil, true},
		{"scopes unknown", &Caller{Email: "a@b"}, true},
		{"no scopes", &Caller{Scopes: []string{}}, false},
		{"calendar", &Caller{Scopes: []string{"https://s.example/auth/calendar"}}, true},
		{"events", &Caller{Scopes: []string{"https://s.example/auth/calendar.events"}}, true},
		{"app created", &Caller{Scopes: []string{"https://s.example/auth/calendar.app.created"}}, true},
		{"owned", &Caller{Scopes: []string{"https://s.example/auth/calendar.events.owned"}}, true},
		{"second of two", &Caller{Scopes: []string{"openid", "https://s.example/auth/calendar"}}, true},
		{"read only", &Caller{Scopes: []string{"https://s.example/auth/calendar.readonly"}}, false},
		{"events, read only", &Caller{Scopes: []string{"https://s.example/auth/calendar.events.readonly"}}, false},
		{"prefix", &Caller{Scopes: []string{"https://s.example/auth/cal"}}, false},
		{"case", &Caller{Scopes: []string{"https://s.example/auth/Calendar"}}, false},
		{"slash at the end", &Caller{Scopes: []string{"https://s.example/auth/calendar/"}}, false},
		{"within a segment", &Caller{Scopes: []string{"https://s.example/noauth/calendar"}}, false},
		{"no base", &Caller{Scopes: []string{"auth/calendar"}}, false},
		{"empty base", &Caller{Scopes: []string{"/auth/calendar"}}, false},
		{"bare", &Caller{Scopes: []string{"calendar"}}, false},
		{"several in one", &Caller{Scopes: []string{"https://s.example/auth/x https://s.example/auth/calendar"}}, false},
		{"exact base", &Caller{ScopeBase: "https://s.example", Scopes: []string{"https://s.example/auth/calendar"}}, true},
		{"exact base, slash", &Caller{ScopeBase: "https://s.example/", Scopes: []string{"https://s.example/auth/calendar"}}, true},
		{"another base", &Caller{ScopeBase: "https://s.example", Scopes: []string{"https://evil.example/auth/calendar"}}, false},
		{"longer base", &Caller{ScopeBase: "https://s.example", Scopes: []string{"https://s.example/x/auth/calendar"}}, false},
	}
	op, _ := Lookup(EventsInsert)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var report diag.Report
			op.Check(nil, tt.caller, nil, &report)
			var want []string
			if !tt.want {
				want = []string{"scope.insert"}
			}
			if diff := gocmp.Diff(want, found(report.Findings)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			isKnown := tt.caller != nil && tt.caller.Scopes != nil
			if got := tt.caller.HasScope(op.Scopes...); got != (tt.want && isKnown) {
				t.Errorf("HasScope returns %t", got)
			}
		})
	}
}

// TestSuggestion tests that the advice about a misspelled parameter suggests the right one.
func TestSuggestion(t *testing.T) {
	tests := []struct{ op, name, want string }{
		{insert, "sendupdates", "Did you mean sendUpdates?"},
		{insert, "SENDUPDATES", "Did you mean sendUpdates?"},
		{insert, "sendUpdate", "Did you mean sendUpdates?"},
		{insert, "conferenceDataVerison", "Did you mean conferenceDataVersion?"},
		{insert, "nothing", "is not a parameter of events.insert"},
		{"events.list", "nothing", "not among the known parameters"},
		{"events.list", "timemin", "Did you mean timeMin?"},
		{insert, "Fields", "Did you mean fields?"},
		{insert, strings.Repeat("x", 1000), "(1000 characters) is not a parameter"},
	}
	for _, tt := range tests {
		findings := parse(t, one(tt.op, tt.name, "1")).check(t)
		if len(findings) == 0 || !strings.Contains(findings[0].Message(), tt.want) {
			t.Errorf("%s of %s: %v, want %q", tt.name, tt.op, findings, tt.want)
		}
	}
}

// TestLimitInMessage tests that the message about a number says which limit it exceeds.
func TestLimitInMessage(t *testing.T) {
	for _, test := range []struct{ op, name, value, want string }{
		{insert, "conferenceDataVersion", "2", "an integer, 0 to 1, in decimal digits without a sign or leading zeros."},
		{insert, "maxAttendees", "9223372036854775808", "an integer, 1 or more, in decimal digits without a sign or leading zeros, and within 64 bits."},
		{"events.list", "maxResults", "many", "an integer from 1 to 2500"},
		{"events.list", "maxResults", "", "an integer from 1 to 2500"},
		{"events.list", "maxResults", "0", "at least 1"},
		{"events.list", "maxResults", "-99999999999999999999", `"-99999999999999999999"; it must be at least 1`},
		{"events.list", "maxResults", "2501", "at most 2500"},
		{"events.list", "maxResults", "99999999999999999999", `"99999999999999999999", and the public service returns at most 2500`},
	} {
		findings := parse(t, one(test.op, test.name, test.value)).check(t)
		if !slices.ContainsFunc(findings, func(f diag.Finding) bool { return strings.Contains(f.Message(), test.want) }) {
			t.Errorf("%s=%q: %v, want %q", test.name, test.value, findings, test.want)
		}
	}
}

// TestCallerIn tests that the scopes of a caller, and nothing else, move to the scope base of a dialect.
func TestCallerIn(t *testing.T) {
	base := diag.Google.ScopeBase()
	caller := &Caller{Email: "a@b", Scopes: []string{
		"https://s.example/auth/calendar", "https://s.example/x/auth/calendar/auth/y", "s/auth/", base + "/auth/calendar",
		"/auth/calendar", "auth/calendar", "https://s.example/noauth/calendar", "openid", "", "https://s.example/a b/auth/calendar",
	}}
	before := slices.Clone(caller.Scopes)
	want := &Caller{Email: "a@b", Scopes: append([]string{
		base + "/auth/calendar", base + "/auth/calendar/auth/y", base + "/auth/", base + "/auth/calendar",
	}, before[4:]...)}
	if diff := gocmp.Diff(want, caller.In(diag.Google)); diff != "" {
		t.Errorf("in a dialect with a scope base (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(before, caller.Scopes); diff != "" {
		t.Errorf("In changes the caller (-want +got):\n%s", diff)
	}
	if got := caller.In(diag.Documents); got != caller {
		t.Errorf("in a dialect without a scope base, the caller is %+v", got)
	}
}

// TestOrder tests that findings do not depend on the order of the map.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		op := rapid.SampledFrom(slices.Collect(All())).Draw(t, "op")
		name := rapid.OneOf(rapid.SampledFrom(names()), rapid.StringN(0, 3, -1))
		values := rapid.SliceOfN(rapid.SampledFrom([]string{"", "0", "1", "2", "true", "all"}), 0, 3)
		params := Params(rapid.MapOf(name, values).Draw(t, "params"))
		before := fmt.Sprint(params)
		var first, second diag.Report
		op.Check(params, nil, nil, &first)
		op.Check(params, nil, nil, &second)
		if diff := gocmp.Diff(found(first.Findings), found(second.Findings)); diff != "" {
			t.Fatalf("two runs differ:\n%s", diff)
		}
		if fmt.Sprint(params) != before {
			t.Fatal("Check modified the parameters")
		}
		for _, f := range first.Findings {
			if !f.Rule.When.Has(op.When) {
				t.Fatalf("%s reports on %s", f.Rule.ID, op.ID)
			}
		}
	})
}

// names returns the names of all parameters.
func names() []string {
	var all []string
	for op := range All() {
		for _, p := range op.Params {
			all = append(all, p.Name)
		}
	}
	return all
}

// TestCatalogue tests that every rule is complete, and that kinds, occasions and bases are those
// of the documents.
func TestCatalogue(t *testing.T) {
	want := map[string]string{
		"move.destination":                  "reject move stated",
		"quick-add.text":                    "reject quickAdd stated",
		"insert.param.range":                "reject write stated",
		"insert.param.max-attendees":        "reject insert stated",
		"insert.param.send-updates":         "reject insert stated",
		"insert.param.send-updates.default": "unspecified insert stated",
		"insert.param.send-notifications":   "advise insert stated",
		"insert.param.boolean":              "reject insert stated",
		"insert.param.supports-attachments": "reject write stated",
		"list.extended-property-param":      "reject list observed",
		"list.max-results":                  "advise list,instances observed",
		"list.order-by":                     "reject list observed",
		"list.sync-token.alone":             "reject list observed",
		"list.time-param":                   "reject list,instances observed",
		"list.time-range":                   "reject list,instances observed",
		"list.updated-min.age":              "advise list observed",
		"param.unknown":                     "advise all inferred",
		"param.repeated":                    "reject all inferred",
		"scope.insert":                      "reject insert stated",
		"scope.unspecified":                 "unspecified all stated",
		"operation.catalogue":               "effect all stated",
		"operation.unspecified":             "unspecified all stated",
		"calendars.clear":                   "reject calendars.clear stated",
		"calendars.delete":                  "reject calendars.delete stated",
		"calendars.insert":                  "effect calendars.insert stated",
		"calendars.transfer.params":         "reject calendars.transferOwnership stated",
		"calendars.transfer.calendar":       "reject calendars.transferOwnership stated",
		"channels.stop":                     "effect channels.stop stated",
	}
	got := map[string]string{}
	for _, doc := range Rules() {
		if _, twice := got[doc.ID]; twice {
			t.Errorf("%s is listed twice", doc.ID)
		}
		got[doc.ID] = fmt.Sprintf("%s %s %s", doc.Kind, doc.When, doc.Basis)
		if doc.Summary == "" || doc.Section == "" || doc.Why == "" || doc.Good.Request == "" || doc.Bad.Request == "" {
			t.Errorf("%s is incomplete", doc.ID)
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNewCalendar(t *testing.T) {
	for op := range All() {
		created, owner := op.NewCalendar(Caller{Email: "ada@example.org"})
		switch {
		case op.ID != "calendars.insert":
			if created != nil {
				t.Errorf("%s creates %+v", op.ID, created)
			}
		case created.Primary == nil, *created.Primary, owner != "ada@example.org":
			t.Errorf("%s creates %+v of %s", op.ID, created, owner)
		}
	}
}
