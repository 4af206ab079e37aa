package event_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/operation"
)

// TestFixRequests has requests, what they become, and the rules whose findings are fixed, in their order.
func TestFixRequests(t *testing.T) {
	const day = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	insert := func(members string) string { return `{"op":"events.insert","body":{` + day + members + `}}` }
	const guests = `[{"email":"a@example.com"}]`
	for _, test := range []struct{ name, line, want, made string }{
		{"nothing to fix", insert(``), insert(``), ``},
		{"two fixes", insert(`,"sequence":"1","guestsCanModify":"true"`), insert(`,"sequence":1,"guestsCanModify":true`), "json.type json.type"},
		{"one after the other", insert(`,"attendes":` + guests), `{"op":"events.insert","params":{"sendUpdates":"all"},"body":{` + day + `,"attendees":` + guests + `}}`,
			"json.unknown-field insert.param.send-updates.absent"},
		{"another rule rejects the value", insert(`,"kind":5`), insert(`,"kind":5`), ``},
		{"the next one", insert(`,"kind":5,"sequence":"1"`), insert(`,"kind":5,"sequence":1`), "json.type"},
		{"a byte order mark before other faults", `{"op":"events.insert","bodyText":"\ufeff{\"start\":{\"date\":\"2026-03-10\"},\"end\":{\"date\":\"2026-03-11\"},\"sequence\":\"1\",\"kind\":5}"}`,
			insert(`,"sequence":1,"kind":5`), "json.syntax json.type"},
		{"a parameter", `{"op":"events.list","params":{"maxresults":"5"}}`, `{"op":"events.list","params":{"maxResults":"5"}}`, "param.unknown"},
	} {
		var req batch.Request
		if err := req.UnmarshalJSON([]byte(test.line)); err != nil {
			t.Fatal(err)
		}
		fixed, made, err := new(event.Checker).Fix(&req.Request, func(diag.Finding) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		var rules []string
		for _, f := range made {
			rules = append(rules, f.Rule.ID)
		}
		got, became := strings.Join(rules, " "), strings.Replace(fixed.String(), `"params":{},`, "", 1)
		if got != test.made || became != test.want {
			t.Errorf("%s: %s\nbecomes %s\nafter fixes of %q", test.name, test.line, fixed, got)
		}
	}
}

// TestAddFixes has requests in the dialect google, and the patches of the fixes that their findings have.
func TestAddFixes(t *testing.T) {
	const day = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	const clock = `"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`
	const guests = `"body":{` + day + `,"attendees":[{"email":"a@example.com"}]}`
	const all = `{"op":"add","path":"/params/sendUpdates","value":"all"}`
	for _, test := range []struct{ name, line, want string }{
		{"a parameter where there are none", `{"op":"events.insert",` + guests + `}`, `[{"op":"add","path":"/params","value":{}},` + all + `]`},
		{"a parameter beside none", `{"op":"events.insert","params":{},` + guests + `}`, `[` + all + `]`},
		{"a parameter beside another", `{"op":"events.insert","params":{"alt":"json"},` + guests + `}`, `[` + all + `]`},
		{"a value", `{"op":"events.delete","params":{"sendUpdates":"ALL"}}`, `[{"op":"replace","path":"/params/sendUpdates","value":"all"}]`},
		{"one of two values", `{"op":"events.delete","params":{"sendUpdates":["ALL","ALL"]}}`, ``},
		{"a name", `{"op":"events.list","params":{"maxresults":"5"}}`, `[{"op":"move","from":"/params/maxresults","path":"/params/maxResults"}]`},
		{"a name that is taken", `{"op":"events.list","params":{"maxResults":"5","maxresults":"5"}}`, ``},
		{"the form of stored days", `{"op":"events.patch","existing":{"id":"q7d2k9m0",` + day + `},"body":{` + clock + `}}`,
			`[{"op":"add","path":"/body/start/date","value":null}] [{"op":"add","path":"/body/end/date","value":null}]`},
		{"the form of stored times", `{"op":"events.patch","existing":{"id":"q7d2k9m0",` + clock + `},"body":{` + day + `}}`,
			`[{"op":"add","path":"/body/start/dateTime","value":null}] [{"op":"add","path":"/body/end/dateTime","value":null}]`},
		{"both forms sent", `{"op":"events.patch","existing":{"id":"q7d2k9m0",` + day + `},"body":{"start":{"date":"2026-03-10","dateTime":"2026-03-10T09:00:00Z"}}}`, ``},
		{"after one without a fix", `{"op":"events.list","params":{"colour":"5","maxresults":"5"}}`, `[{"op":"move","from":"/params/maxresults","path":"/params/maxResults"}]`},
	} {
		var req batch.Request
		if err := req.UnmarshalJSON([]byte(test.line)); err != nil {
			t.Fatal(err)
		}
		checker := &event.Checker{Dialect: diag.Google}
		found := must(checker.Find(&req.Request))
		checker.AddFixes(&req.Request, found)
		var got []string
		for _, f := range found {
			if f.Fix != nil {
				got = append(got, string(must(json.Marshal(f.Fix.Patch))))
			}
		}
		if all := strings.Join(got, " "); all != test.want {
			t.Errorf("%s: %s has the fixes\n%s\nwant\n%s", test.name, test.line, all, test.want)
		}
	}
}

// A byte order mark is not all that is wrong.
func TestFixNoJSON(t *testing.T) {
	req := &event.Request{Op: operation.EventsInsert, Body: []byte("\ufeff{")}
	_, made, err := new(event.Checker).Fix(req, func(f diag.Finding) bool {
		t.Errorf("%s has the fix %s", f.Rule.ID, f.Fix.Patch[0].Value)
		return true
	})
	if err != nil || len(made) > 0 {
		t.Errorf("%d fixes, %v", len(made), err)
	}
}

// badAddresses is an insert with a number of addresses whose fixes another rule rejects, and a fault that can be fixed.
func badAddresses(n int) *event.Request {
	bad := strings.Repeat(`{"email":5},`, n)
	body := `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"attendees":[` + bad + `{"email":"a@example.com","optional":"true"}]}`
	return &event.Request{Op: operation.EventsInsert, Params: operation.Params{"sendUpdates": {"all"}}, Body: []byte(body)}
}

// After 32 fixes that fail, none is tried.
func TestMostTries(t *testing.T) {
	for n, want := range map[int]bool{31: true, 32: false} {
		checker := &event.Checker{}
		found := must(checker.Find(badAddresses(n)))
		checker.AddFixes(badAddresses(n), found)
		_, made, _ := checker.Fix(badAddresses(n), func(diag.Finding) bool { return true })
		if got := found[len(found)-1].Fix != nil; got != want || len(made) > 0 != want {
			t.Errorf("after %d fixes that fail, the next one is proposed: %t, and made: %v", n, got, made)
		}
	}
}

// A request can have more faults than a list of findings holds. Its fixes are made as long as the bodies are not too long together.
func TestFixManyFaults(t *testing.T) {
	for _, test := range []struct{ most, faults, padding, want int }{
		{1, 2, 0, 2},
		{10, 40, 0, 40},
		{10, 40, 3 << 20, 32},
	} {
		guests := strings.Repeat(`{"email":"mailto:a@example.com"},`, test.faults)
		body := `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"x":"` + strings.Repeat("x", test.padding) + `","attendees":[` + guests[:len(guests)-1] + `]}`
		req := &event.Request{Op: operation.EventsInsert, Body: []byte(body)}
		checker := &event.Checker{MaxFindings: test.most}
		fixed, made, err := checker.Fix(req, diag.Finding.HasSafeFix)
		if err != nil || len(made) != test.want {
			t.Fatalf("%d faults and %d bytes: %d fixes, %v", test.faults, test.padding, len(made), err)
		}
		if left := bytes.Count(fixed.Body, []byte("mailto:")); left != test.faults-test.want {
			t.Errorf("%d faults and %d bytes: %d are left", test.faults, test.padding, left)
		}
	}
}

// wants returns a rule that wants a room if the location is wrong, or always if wrong is "".
func wants(room, wrong string) *diag.Rule {
	return &diag.Rule{
		ID: "company." + room, Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"location"},
		Summary: "The location is " + room + ".",
		Section: "company handbook, Rooms",
		Good:    diag.Example{Request: `{"op":"events.insert","body":{"location":"` + room + `"}}`},
		Bad:     diag.Example{Request: `{"op":"events.insert","body":{"location":"` + wrong + `"}}`},
		Says:    diag.Sentences{{Key: "other", Text: "Send {suggestion}."}},
		Check: func(v event.View, r diag.Reporter) {
			if wrong == "" || v.Next.Location == wrong {
				r.Report("/location", "other", diag.Value("suggestion", room))
			}
		},
	}
}

// Fix ends even if two rules want the opposite of each other. A value about which the rule says the same is no fix.
func TestFixesThatDoNotLast(t *testing.T) {
	for _, test := range []struct {
		name  string
		rules []*diag.Rule
		want  int
	}{
		{"opposites", []*diag.Rule{wants("left", "right"), wants("right", "left")}, 1000},
		{"a rule that is never content", []*diag.Rule{wants("right", "")}, 0},
	} {
		checker := must(new(event.Checker).WithRules(test.rules...))
		req := &event.Request{Op: operation.EventsInsert, Body: []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"location":"left"}`)}
		_, made, err := checker.Fix(req, func(diag.Finding) bool { return true })
		if err != nil || len(made) != test.want {
			t.Errorf("%s: %d fixes, %v", test.name, len(made), err)
		}
	}
}

// Apply applies all operations of a patch, or none.
func TestApply(t *testing.T) {
	for patch, want := range map[string]string{
		`[]`:   ``,
		`null`: ``,
		`[{"op":"replace","path":"/body/summary","value":"b"}]`:                                                         `{"summary":"b"} {}`,
		`[{"op":"add","path":"/body/id","value":"c"},{"op":"add","path":"/params/alt","value":"json"}]`:                 `{"summary":"a","id":"c"} {"alt":"json"}`,
		`[{"op":"replace","path":"/body/summary","value":"b"},{"op":"replace","path":"/body/location","value":"here"}]`: ``,
		`[{"op":"add","path":"/params/maxAttendees","value":5}]`:                                                        ``,
		`[{"op":"replace","path":"/body","value":{}}]`:                                                                  `{} {}`,
	} {
		var operations []diag.PatchOperation
		if err := json.Unmarshal([]byte(patch), &operations); err != nil {
			t.Fatal(err)
		}
		got := ""
		if fixed, ok := new(event.Checker).Apply(&event.Request{Op: operation.EventsInsert, Body: []byte(`{"summary":"a"}`)}, operations); ok {
			got = string(fixed.Body) + " " + string(must(json.Marshal(fixed.Params)))
		}
		if got != want {
			t.Errorf("%s gives %s, want %s", patch, got, want)
		}
	}
	if _, ok := new(event.Checker).Apply(nil, []diag.PatchOperation{{Op: "remove", Path: "/params/alt"}}); ok {
		t.Error("a patch fits no request")
	}
}
