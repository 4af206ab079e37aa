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

// check checks the request of the line.
func (l line) check(t *testing.T) diag.Findings {
	t.Helper()
	op, ok := Lookup(l.Op)
	if !ok {
		t.Fatalf("no operation %q", l.Op)
	}
	_, findings := Request{Operation: op, Params: l.Params, Caller: l.Caller, Calendar: l.Calendar, HasBody: l.Body != nil, Body: l.Body}.Check()
	return findings
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

// TestScopeBase tests callers that know the base of their scopes, which no line of the batch form says.
func TestScopeBase(t *testing.T) {
	const scope = "https://s.example/auth/calendar"
	op, _ := Lookup(EventsInsert)
	for _, tt := range []struct {
		name   string
		caller *Caller
		want   bool
	}{
		{"nothing known", nil, false},
		{"scopes unknown", &Caller{Email: "a@b"}, false},
		{"none", &Caller{ScopeBase: "https://s.example", Scopes: []string{}}, false},
		{"exact", &Caller{ScopeBase: "https://s.example", Scopes: []string{scope}}, true},
		{"slash", &Caller{ScopeBase: "https://s.example/", Scopes: []string{scope}}, true},
		{"another", &Caller{ScopeBase: "https://s.example", Scopes: []string{"https://evil.example/auth/calendar"}}, false},
		{"longer", &Caller{ScopeBase: "https://s.example", Scopes: []string{"https://s.example/x/auth/calendar"}}, false},
	} {
		if got := tt.caller.HasScope(op.Scopes...); got != tt.want {
			t.Errorf("%s: HasScope returns %t", tt.name, got)
		}
		_, findings := Request{Operation: op, Caller: tt.caller}.Check()
		isKnown := tt.caller != nil && tt.caller.Scopes != nil
		refused := len(findings) > 0
		if refused != (isKnown && !tt.want) || refused && !strings.HasSuffix(findings[0].Message(), " under https://s.example.") {
			t.Errorf("%s: %v", tt.name, findings)
		}
	}
}

// TestSuggestion tests that the advice about a misspelled parameter suggests the right one, and otherwise to leave it out.
func TestSuggestion(t *testing.T) {
	tests := []struct{ op, name, want string }{
		{insert, "sendupdates", `"sendupdates" is not a parameter of events.insert. Did you mean sendUpdates?`},
		{insert, "SENDUPDATES", `"SENDUPDATES" is not a parameter of events.insert. Did you mean sendUpdates?`},
		{insert, "sendUpdate", `"sendUpdate" is not a parameter of events.insert. Did you mean sendUpdates?`},
		{insert, "conferenceDataVerison", `"conferenceDataVerison" is not a parameter of events.insert. Did you mean conferenceDataVersion?`},
		{insert, "nothing", `"nothing" is not a parameter of events.insert. Leave it out unless you know that the service accepts it.`},
		{"events.list", "nothing", `"nothing" is not among the known parameters of events.list. Leave it out unless you know that the service accepts it.`},
		{"events.list", "timemin", `"timemin" is not among the known parameters of events.list. Did you mean timeMin?`},
		{insert, "Fields", `"Fields" is not a parameter of events.insert. Did you mean fields?`},
		{insert, strings.Repeat("x", 1000), `"` + strings.Repeat("x", 40) + `"… (1000 characters) is not a parameter of events.insert. Leave it out unless you know that the service accepts it.`},
	}
	for _, tt := range tests {
		findings := parse(t, one(tt.op, tt.name, "1")).check(t)
		if len(findings) == 0 || findings[0].Message() != tt.want {
			t.Errorf("%s of %s: %v, want %q", tt.name, tt.op, findings, tt.want)
		}
	}
	for value, want := range map[string]string{"nones": "none", "x": ""} {
		if f := parse(t, one(insert, "sendUpdates", value)).check(t)[0]; f.Suggestion() != want {
			t.Errorf("sendUpdates=%s suggests %q, want %q", value, f.Suggestion(), want)
		}
	}
}

// TestMessages tests what is said about parameters together, about those that are missing, and about scopes.
func TestMessages(t *testing.T) {
	for line, want := range map[string][]string{
		with("events.move", "{}"): {"The parameter destination is required; it must be the id of the target calendar."},
		with(transfer, "{}"): {
			"The parameter newDataOwner is required; it must be the user to whom the calendar is transferred.",
			"The parameter useAdminAccess is required; it must be true.",
		},
		one(insert, "supportsAttachments", "true"): nil,
		one(insert, "sendNotifications", "true"): {
			"The parameter sendNotifications is deprecated. Use sendUpdates.",
			"The parameter sendUpdates is absent, and its documented default, false, is not one of its values. Send all, externalOnly or none.",
		},
		with(insert, `{"sendNotifications":["true","false"]}`): {
			`The parameter sendNotifications is sent 2 times with different values; the first is "true". Send it once.`,
		},
		with(insert, `{"supportsAttachments":["true","true"]}`): nil,
		`{"op":"events.insert","caller":{"scopes":[]}}`: {
			"No scope of the access token allows events.insert. Request one of auth/calendar, auth/calendar.events, auth/calendar.app.created, auth/calendar.events.owned under the scope base.",
		},
	} {
		var got []string
		for _, f := range parse(t, line).check(t) {
			got = append(got, f.Message())
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

// Which of two sentences a rule says.
func TestKeys(t *testing.T) {
	const deprecated = "insert.param.send-notifications"
	for line, want := range map[string]string{
		with(insert, `{"sendNotifications":"true","sendUpdates":"none"}`):          deprecated + " contradicts",
		with(insert, `{"sendNotifications":"false","sendUpdates":"none"}`):         deprecated + " deprecated",
		with(insert, `{"sendNotifications":"true","sendUpdates":"all"}`):           deprecated + " deprecated",
		with(insert, `{"sendNotifications":"false","sendUpdates":"all"}`):          deprecated + " contradicts",
		with(insert, `{"sendNotifications":"true","sendUpdates":"externalOnly"}`):  deprecated + " deprecated",
		with(insert, `{"sendNotifications":"false","sendUpdates":"externalOnly"}`): deprecated + " contradicts",
		with(insert, `{"sendNotifications":"1","sendUpdates":"all"}`):              deprecated + " deprecated",
		with(insert, `{"sendNotifications":"false","sendUpdates":"some"}`):         deprecated + " deprecated",
		with(insert, `{"sendNotifications":"false"}`):                              deprecated + " deprecated",
		`{"op":"events.move","body":{"destination":"a"}}`:                          "move.destination in-body",
		`{"op":"events.move","body":{"summary":"destination"}}`:                    "move.destination missing",
		`{"op":"events.move","body":[]}`:                                           "move.destination missing",
	} {
		rule, key, _ := strings.Cut(want, " ")
		got := ""
		for _, f := range parse(t, line).check(t) {
			if f.Is(rule) {
				got = f.Key
			}
		}
		if got != key {
			t.Errorf("%s: %s says %q, want %q", line, rule, got, key)
		}
	}
}

// TestLimitInMessage tests that the message about a number names the limit that it exceeds.
func TestLimitInMessage(t *testing.T) {
	for _, test := range []struct{ op, name, value, want string }{
		{insert, "conferenceDataVersion", "2", "an integer from 0 to 1, in decimal digits without a sign or leading zeros."},
		{insert, "maxAttendees", "9223372036854775808", "an integer from 1 to 9223372036854775807, in decimal digits without a sign or leading zeros."},
		{"events.list", "maxResults", "many", "an integer from 1 to 2500"},
		{"events.list", "maxResults", "", "an integer from 1 to 2500"},
		{"events.list", "maxResults", "0", "at least 1"},
		{"events.list", "maxResults", "-99999999999999999999", `"-99999999999999999999"; it must be at least 1`},
		{"events.list", "maxResults", "2501", "at most 2500 events"},
		{"acl.list", "maxResults", "251", "at most 250 entries"},
		{"events.list", "maxResults", "99999999999999999999", `"99999999999999999999", but the public service returns at most 2500`},
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
	if diff := gocmp.Diff(want, caller.WithDialect(diag.Google)); diff != "" {
		t.Errorf("in a dialect with a scope base (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(before, caller.Scopes); diff != "" {
		t.Errorf("In changes the caller (-want +got):\n%s", diff)
	}
	if got := caller.WithDialect(diag.Documents); got != caller {
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
		request := Request{Operation: op, Params: params}
		_, first := request.Check()
		_, second := request.Check()
		if diff := gocmp.Diff(found(first), found(second)); diff != "" {
			t.Fatalf("two runs differ:\n%s", diff)
		}
		if fmt.Sprint(params) != before {
			t.Fatal("Check modified the parameters")
		}
		for _, f := range first {
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

// TestCatalogue tests that every rule is complete, and that kinds, occasions and bases are those of the documents.
func TestCatalogue(t *testing.T) {
	want := map[string]string{
		"move.destination":                  "reject move stated",
		"quick-add.text":                    "reject quickAdd stated",
		"insert.param.range":                "reject write stated",
		"insert.param.max-attendees":        "reject insert stated",
		"insert.param.send-updates":         "reject insert stated",
		"insert.param.send-updates.default": "unspecified insert stated",
		"insert.param.send-notifications":   "advise modify,insert,move,quickAdd,delete stated",
		"insert.param.boolean":              "reject insert stated",
		"insert.param.supports-attachments": "reject write stated",
		"list.extended-property-param":      "reject list,events.watch observed",
		"list.max-results":                  "advise list,instances,acl.list,acl.watch,calendarList.list,calendarList.watch,events.watch,settings.list,settings.watch observed",
		"calendar-list.sync-token.alone":    "reject calendarList.list,calendarList.watch observed",
		"acl.sync-token.alone":              "reject acl.list,acl.watch observed",
		"param.value":                       "reject all observed",
		"scope.operation":                   "reject all observed",
		"list.order-by":                     "reject list,events.watch observed",
		"list.sync-token.alone":             "reject list,events.watch observed",
		"list.time-param":                   "reject list,instances,events.watch observed",
		"list.time-range":                   "reject list,instances,events.watch observed",
		"list.updated-min.age":              "advise list,events.watch observed",
		"param.unknown":                     "advise all inferred",
		"param.repeated":                    "reject all inferred",
		"scope.insert":                      "reject insert stated",
		"scope.unspecified":                 "unspecified all stated",
		"operation.catalogue":               "effect all stated",
		"operation.path":                    "advise path observed",
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
		got[doc.ID] = fmt.Sprintf("%s %s %s", doc.Does(), doc.When, doc.Basis)
		if doc.Summary == "" || doc.Section == "" || doc.Why == "" || doc.Good.Example().Request == "" || doc.Bad.Example().Request == "" {
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
