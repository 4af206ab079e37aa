package traffic

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/internal/wording"
	"github.com/calrules/calrules/operation"
)

const events = "https://www.googleapis.com/calendar/v3/calendars/primary/events"

// printed returns what is printed about an exchange.
func printed(t *testing.T, o Options, m between.Message, status int, answer string) Exchange {
	t.Helper()
	w, err := between.New(between.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := o.Of(m.Method, m.URL)
	x.Status = status
	watched := w.Request(m)
	found, unchecked := watched.Answer(status, between.Header{"Content-Type": {"application/json"}}, []byte(answer), "")
	x.Watched(o, watched, found, unchecked)
	return x
}

// What an exchange shows without values and with them.
func TestValues(t *testing.T) {
	m := between.Message{Method: "POST", URL: events + "?sendUpdates=maybe&key=secret", Body: []byte(`{"status":"maybe","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"extendedProperties":{"private":{"ada":1}}}`)}
	for values, want := range map[bool]string{
		false: "POST /calendars/{calendarId}/events [?sendUpdates The parameter sendUpdates is (redacted); it must be all, externalOnly or none.] " +
			"[/status The status is (redacted); it must be confirmed, tentative or cancelled.] [/extendedProperties/private/* The member (redacted) is the number (redacted); it must be a string.] ",
		true: "POST /calendar/v3/calendars/primary/events [?sendUpdates The parameter sendUpdates is (redacted); it must be all, externalOnly or none.] " +
			`[/status The status is "maybe"; it must be confirmed, tentative or cancelled.] [/extendedProperties/private/ada The member "ada" is the number 1; it must be a string.] `,
	} {
		x := printed(t, Options{Values: values}, m, 400, `{"error":{"code":400}}`)
		got := x.Method + " " + x.Path + " "
		for _, f := range x.All() {
			got += fmt.Sprintf("[%s %s] ", f.Path, f.Message)
		}
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// How verdicts come about, and what is known of a refusal.
func TestVerdicts(t *testing.T) {
	const day = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	for name, test := range map[string]struct {
		query, body string
		status      int
		answer      string
		want        between.Verdict
		refusal     Refusal
	}{
		"both accept":     {"", `{` + day + `}`, 200, `{"id":"abc12def","status":"confirmed",` + day + `}`, between.Agreed, Refusal{}},
		"both refuse":     {"", `{"status":"maybe",` + day + `}`, 400, `{"error":{"code":400,"errors":[{"reason":"invalid"}]}}`, between.Agreed, Refusal{}},
		"another reason":  {"", `{` + day + `}`, 403, `{"error":{"code":403,"errors":[{"reason":"rateLimitExceeded"}]}}`, between.Agreed, Refusal{}},
		"not found":       {"", `{` + day + `}`, 404, ``, between.Agreed, Refusal{}},
		"refused there":   {"", `{` + day + `}`, 400, `{"error":{"code":400,"message":"Secret","errors":[{"reason":"invalid","message":"Secret"}]}}`, between.RefusedThere, Refusal{"invalid", "", "A value in the body or in the query is not allowed."}},
		"in known words":  {"", `{` + day + `}`, 400, `{"error":{"code":400,"message":"Invalid attendee email.","errors":[{"reason":"invalid","message":"Invalid attendee email."}]}}`, between.RefusedThere, Refusal{"invalid", "Invalid attendee email.", "A value in the body or in the query is not allowed."}},
		"unknown reason":  {"", `{` + day + `}`, 400, `{"error":{"code":400,"errors":[{"reason":"secret"}]}}`, between.RefusedThere, Refusal{}},
		"accepted there":  {"", `{"status":"maybe",` + day + `}`, 200, `{"id":"abc12def","status":"confirmed",` + day + `}`, between.AcceptedThere, Refusal{}},
		"otherwise":       {"", `{"summary":"a",` + day + `}`, 200, `{"id":"abc12def","summary":"b",` + day + `}`, between.AnsweredOtherwise, Refusal{}},
		"not whole":       {"?fields=id", `{` + day + `}`, 200, `{"id":"abc12def"}`, between.Unjudged, Refusal{}},
		"malformed query": {"?a=%zz", `{` + day + `}`, 400, `{}`, between.Unjudged, Refusal{}},
		"redirect":        {"", `{` + day + `}`, 302, ``, between.Unjudged, Refusal{}},
	} {
		x := printed(t, Options{}, between.Message{Method: "POST", URL: events + test.query, Body: []byte(test.body)}, test.status, test.answer)
		var refused Refusal
		if x.Refusal != nil {
			refused = *x.Refusal
		}
		if x.Verdict != test.want || refused != test.refusal {
			t.Errorf("%s: the verdict is %q, the refusal %+v; want %q, %+v", name, x.Verdict, refused, test.want, test.refusal)
		}
	}
}

// The words of tables are shown, and others are not.
func TestMember(t *testing.T) {
	for path, want := range map[diag.Pointer]diag.Pointer{
		"": "", "/attendees/2/email": "/attendees/*/email", "/extendedProperties/private/ada@example.com": "/extendedProperties/private/*",
		"/ya29.token": "/*", "?sendUpdates": "?sendUpdates", "?ya29.token": "?*", "#Authorization": "#Authorization", "/items/3/hangoutLink": "/items/*/hangoutLink",
		"/calendars/ada@example.com/errors": "/calendars/*/errors", "/error/errors/0/reason": "/error/errors/*/reason", "?showDeleted": "?showDeleted",
	} {
		if got := Member(path); got != want {
			t.Errorf("%s is shown as %s, want %s", path, got, want)
		}
	}
}

// No sentence of a rule's example has a value of the example, and each still has its words.
func TestSentencesHaveNoValues(t *testing.T) {
	const secret = "Secretive"
	tried := 0
	for _, rule := range reference.Catalogue().Rules() {
		var line batch.Request
		text := strings.ReplaceAll(rule.Bad.Example().Request, "ada@example.com", secret+"@example.com")
		if !batch.IsRequest([]byte(text)) || line.UnmarshalJSON([]byte(text)) != nil {
			continue
		}
		found, err := new(event.Checker).Find(&line.Request)
		if err != nil {
			continue
		}
		for _, f := range found {
			tried++
			safe, err := json.Marshal(Redacted(f))
			if err != nil || strings.Contains(string(safe), secret) || strings.Contains(string(safe), "{") && strings.Contains(Redacted(f).Message(), "{}") {
				t.Errorf("%s: %s, %v", rule.ID, safe, err)
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d findings were tried", tried)
	}
}

// FuzzExchange prints any exchange that has a secret wherever a client or a server can put one.
func FuzzExchange(f *testing.F) {
	f.Add("PATCH", "/calendars/very-secret/events/very-secret?very-secret=very-secret&very-secret", []byte(`{"very-secret":"very-secret","start":{"dateTime":"very-secret","timeZone":"very-secret"},"extendedProperties":{"private":{"very-secret":1}}}`), 400, []byte(`{"error":{"code":400,"message":"very-secret","errors":[{"reason":"very-secret"}]}}`))
	f.Add("very-secret", "/very-secret", []byte("very-secret"), 200, []byte(`{"items":["very-secret",{"very-secret":1}]}`))
	f.Add("POST", "/calendars/primary/events", []byte(`{"recurrence":["very-secret","RRULE:FREQ=very-secret","EXDATE:very-secret","RRULE:FREQ=DAILY;very-secret=1"],"attendees":[{"email":"very-secret"}]}`), 200, []byte(`{"id":"very-secret","etag":1,"status":"very-secret"}`))
	f.Add("POST", "/freeBusy", []byte(`{"timeMin":"very-secret","items":[{"id":1}]}`), 200, []byte(`{"calendars":{"very-secret":{"errors":"very-secret"}}}`))
	f.Fuzz(func(t *testing.T, method, path string, body []byte, status int, answer []byte) {
		x := printed(t, Options{}, between.Message{Method: method, URL: strings.TrimSuffix(events, "/calendars/primary/events") + path, Body: body}, status, string(answer))
		text, err := json.Marshal(x)
		if err != nil || strings.Contains(string(text), "very-secret") {
			t.Errorf("%v: %s", err, text)
		}
	})
}

// A batch shows its parts, each with the template of its operation, and the reasons that are its own.
func TestParts(t *testing.T) {
	m := between.Message{
		Method: "POST", URL: "https://www.googleapis.com/batch/calendar/v3", Header: between.Header{"Content-Type": {"multipart/mixed; boundary=b"}},
		Body: []byte("--b\r\n\r\nGET /calendar/v3/calendars/primary/events?orderBy=secret HTTP/1.1\r\n\r\n\r\n--b--"),
	}
	const gzipped, cut = "--b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nx\r\n--b--", "--b"
	for _, values := range []bool{false, true} {
		for answer, want := range map[string][2]bool{gzipped: {false, true}, cut: {true, false}} { // for the whole, for the part
			w, err := between.New(between.Options{})
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Values: values}
			x, watched := o.Of(m.Method, m.URL), w.Request(m)
			found, unchecked := watched.Answer(200, m.Header, []byte(answer), "")
			x.Watched(o, watched, found, unchecked)
			if path := map[bool]string{false: "/batch", true: "/batch/calendar/v3"}[values]; x.Path != path || len(x.Parts) != 1 {
				t.Fatalf("%+v", x)
			}
			part := &x.Parts[0]
			if part.Op != operation.EventsList || part.Method != "GET" || part.Path != "/calendars/{calendarId}/events" || len(x.All()) == 0 {
				t.Errorf("%+v", part)
			}
			if got := [2]bool{x.Unchecked != "", part.Unchecked != ""}; got != want {
				t.Errorf("%q: the batch is unchecked because %q, its part because %q", answer, x.Unchecked, part.Unchecked)
			}
			for _, one := range []*Exchange{&x, part} {
				one.Each(func(each *Exchange) {
					if each != part {
						t.Errorf("%+v is one of the requests of %+v", each, one)
					}
				})
			}
		}
	}
}

// A batch that is refused as a whole is one of the requests, beside its parts.
func TestRefusedBatch(t *testing.T) {
	m := between.Message{
		Method: "POST", URL: "https://www.googleapis.com/batch/calendar/v3", Header: between.Header{"Content-Type": {"multipart/mixed; boundary=b"}},
		Body: []byte("--b\r\n\r\nGET /calendar/v3/colors HTTP/1.1\r\n\r\n\r\n--b--"),
	}
	x := printed(t, Options{}, m, 400, `{"error":{"code":400,"errors":[{"reason":"badRequest"}]}}`)
	var got []string
	x.Each(func(each *Exchange) { got = append(got, fmt.Sprint(each.Path, " ", each.Verdict)) })
	if diff := cmp.Diff([]string{"/batch refused-there", "/colors "}, got); diff != "" || x.Refusal == nil || x.Refusal.Reason != "badRequest" {
		t.Errorf("the refusal is %+v (-want +got):\n%s", x.Refusal, diff)
	}
}

// A name that a client chose is redacted, and a known one is not.
func TestRedactedNames(t *testing.T) {
	f := Redacted(diag.Finding{Args: []diag.Arg{wording.Name("name", "ada"), wording.Name("other", "summary")}})
	if diff := cmp.Diff([]diag.Arg{wording.Text("name", "(redacted)"), wording.Name("other", "summary")}, f.Args); diff != "" {
		t.Error(diff)
	}
}

// Without values, a method and a path are only what HTTP and the operations have. With values, they are short.
func TestOf(t *testing.T) {
	long := strings.Repeat("a", 300)
	for _, test := range []struct {
		values                     bool
		method, path, want, wanted string
	}{
		{false, "GET", "/a?b", "GET", ""},
		{false, "SECRET", "/a", "", ""},
		{true, "QUERY", "/a/%2F?b=c", "QUERY", "/a/%2F"},
		{true, "a" + strings.Repeat("é", 10), "/%zz", "a" + strings.Repeat("é", 9) + "...", ""},
		{true, strings.Repeat("A", 20), "/" + long[:299], strings.Repeat("A", 20), "/" + long[:299]},
		{true, strings.Repeat("A", 21), "/" + long, strings.Repeat("A", 20) + "...", "/" + long[:299] + "..."},
	} {
		if x := (Options{Values: test.values}).Of(test.method, "https://a.example"+test.path); x.Method != test.want || x.Path != test.wanted {
			t.Errorf("%q %q is %q %q", test.method, test.path, x.Method, x.Path)
		}
	}
}

// What may be for the service: an operation, a batch, or what was not checked or has a finding.
func TestConcerns(t *testing.T) {
	for _, x := range []Exchange{{Op: operation.EventsGet}, {Parts: []Exchange{}}, {Unchecked: "a reason"}, {Findings: make([]Finding, 1)}} {
		if !x.Concerns() {
			t.Errorf("%+v is none of the service's", x)
		}
	}
	if x := (Options{}).Of("GET", "https://a.example/"); x.Concerns() {
		t.Errorf("%+v is for the service", x)
	}
}
