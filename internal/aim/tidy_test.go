package aim

import (
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation"
)

// Cleanup has ten seconds, and for each request the wait before it and for its answer.
func TestClean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &run{ctx: t.Context(), Options: Options{Timeout: 20 * time.Second, Every: time.Second}}
		ctx, cancel := r.clean(3)
		defer cancel()
		if deadline, _ := ctx.Deadline(); time.Until(deadline) != 73*time.Second {
			t.Errorf("cleanup has %v", time.Until(deadline))
		}
	})
}

// The id of a new event is the one that was sent, or one that was not there before.
func TestIsOfAnother(t *testing.T) {
	for _, test := range []struct {
		op       operation.ID
		sent, id string
		want     bool
	}{
		{operation.EventsInsert, "a", "a", false}, {operation.EventsInsert, "a", "b", true}, {operation.EventsInsert, "", "b", false},
		{operation.EventsInsert, "", "before", true}, {operation.EventsInsert, "", "made", true}, {operation.EventsInsert, "made", "made", false},
		{operation.EventsImport, "", "before", false},
	} {
		r := &run{before: map[string]bool{"before": true}, made: map[string]bool{"made": true}}
		x := answered(test.op, 200, "{}")
		x.body = []byte(`{"id":"` + test.sent + `"}`)
		if got := r.isOfAnother(test.id, x); got != test.want || !r.made[test.id] {
			t.Errorf("%s of %q is answered with %q, which belongs to another: %t", test.op, test.sent, test.id, got)
		}
	}
}

// What a request made is deleted, if the run made it.
func TestUndo(t *testing.T) {
	const events = "http://calendar.test/calendars/primary/events/"
	for name, test := range map[string]struct {
		op             operation.ID
		status         int
		answer, body   string
		problem        string
		isSent         bool
		get            string // the answer to a get
		want, wantBody string
		left           string
	}{
		"a read":                {"events.get", 200, `{"id":"aimx1"}`, "", "", true, "", "", "", ""},
		"an insert":             {"events.insert", 200, `{"id":"aimx1"}`, "", "", true, "", "DELETE " + events + "aimx1?sendUpdates=none", "", ""},
		"the last success":      {"events.insert", 299, `{}`, `{"id":"aimx1"}`, "", true, "", "DELETE " + events + "aimx1?sendUpdates=none", "", ""},
		"no id in the answer":   {"events.insert", 200, `{}`, `{"id":"aimx1"}`, "", true, "", "DELETE " + events + "aimx1?sendUpdates=none", "", ""},
		"no id":                 {"events.insert", 200, `{}`, `{}`, "", true, "", "", "", ""},
		"another's id in it":    {"events.insert", 200, `{}`, `{"id":"other"}`, "", true, "", "", "", ""},
		"a refusal":             {"events.insert", 400, `{"id":"aimx1"}`, `{"id":"aimx1"}`, "", true, "", "", "", ""},
		"a redirect":            {"events.insert", 300, `{"id":"aimx1"}`, `{"id":"aimx1"}`, "", true, "", "", "", ""},
		"an early answer":       {"events.insert", 199, `{"id":"aimx1"}`, `{"id":"aimx1"}`, "", true, "", "", "", ""},
		"no answer":             {"events.insert", 0, "", `{"id":"aimx1"}`, "no answer", true, "", "DELETE " + events + "aimx1?sendUpdates=none", "", ""},
		"not sent":              {"events.insert", 0, "", `{"id":"aimx1"}`, "no answer", false, "", "", "", ""},
		"an answer too long":    {"events.insert", 200, `{"id":"other"}`, `{"id":"aimx1"}`, "too long", true, "", "DELETE " + events + "aimx1?sendUpdates=none", "", ""},
		"another event":         {"events.insert", 200, `{"id":"other"}`, "", "", true, `{"id":"other"}`, "", "", events + "other?sendUpdates=none"},
		"an event with a mark":  {"events.insert", 200, `{"id":"other"}`, "", "", true, `{"id":"other","summary":"aimx"}`, "DELETE " + events + "other?sendUpdates=none", "", ""},
		"a move":                {"events.move", 200, `{"id":"aimx1"}`, "", "", true, "", "DELETE http://calendar.test/calendars/second/events/aimx1?sendUpdates=none", "", ""},
		"a calendar":            {"calendars.insert", 200, `{"id":"c/d"}`, "", "", true, "", "DELETE http://calendar.test/calendars/c%2Fd", "", ""},
		"the calendar itself":   {"calendars.insert", 200, `{"id":"primary"}`, "", "", true, "", "", "", ""},
		"an access rule":        {"acl.insert", 200, `{"id":"user:a@example.com"}`, "", "", true, "", "DELETE http://calendar.test/calendars/primary/acl/user:a@example.com", "", ""},
		"a rule like the whole": {"acl.insert", 200, `{"id":"primary"}`, "", "", true, "", "DELETE http://calendar.test/calendars/primary/acl/primary", "", ""},
		"a channel":             {"events.watch", 200, `{"id":"c","resourceId":"r"}`, "", "", true, "", "POST http://calendar.test/channels/stop", `{"id":"c","resourceId":"r"}`, ""},
	} {
		r := runWith(t, func(*http.Request) (int, string) { return 200, test.get })
		x := answered(test.op, test.status, test.answer)
		x.url, x.body, x.problem, x.isSent = "http://calendar.test/?destination=second", []byte(test.body), test.problem, test.isSent
		got, body, isJSON := "", []byte(nil), false
		if undo := r.undo(t.Context(), x); undo != nil {
			got = undo.Method + " " + undo.URL.String()
			body, _ = io.ReadAll(undo.Body)
			isJSON = undo.Header.Get("Content-Type") == "application/json"
		}
		if got != test.want || string(body) != test.wantBody || isJSON != (test.wantBody != "") || strings.Join(r.report.Left, " ") != test.left {
			t.Errorf("%s: %s %s, left %q", name, got, body, r.report.Left)
		}
	}
}

// What cannot be deleted is left, with the body of the request.
func TestRemove(t *testing.T) {
	const at = "http://calendar.test/channels/stop"
	for _, test := range []struct {
		status int
		body   string
		long   bool
		want   string
	}{
		{204, "", false, ""}, {299, "", false, ""}, {300, "", false, at}, {404, "", false, ""}, {410, "", false, ""}, {403, "", false, at}, {403, `{"id":"c"}`, false, at + ` {"id":"c"}`}, {200, "", true, at},
	} {
		r := runWith(t, func(*http.Request) (int, string) {
			if test.long {
				return test.status, strings.Repeat(" ", 4<<20+1)
			}
			return test.status, "{}"
		})
		body := []byte(nil)
		if test.body != "" {
			body = []byte(test.body)
		}
		if r.remove(t.Context(), request("POST", at, body)); strings.Join(r.report.Left, ",") != test.want {
			t.Errorf("%+v: left %q", test, r.report.Left)
		}
	}
}

// Tidy deletes the events of any run, and no other.
func TestTidy(t *testing.T) {
	const id, other = "aimabcdefghijkl00001", "aimabcdefghijkl0001"
	marked := `"extendedProperties":{"private":{"calrulesaim":"aimabcdefghijkl"}},` + confirmed
	for name, test := range map[string]struct {
		base    string
		status  int
		list    string
		want    []string
		isError bool
	}{
		"some":    {"http://calendar.test", 200, answerOf(listed(id, confirmed), listed(other, confirmed), listed("marked", marked), listed("plain", confirmed), listed("mail", confirmed+`,"eventType":"fromGmail"`)), []string{id, "marked"}, false},
		"none":    {"http://calendar.test", 200, answerOf(), nil, false},
		"no list": {"http://calendar.test", 404, "{}", nil, true},
		"no base": {"nowhere", 200, answerOf(), nil, true},
	} {
		var deleted []string
		report, err := Tidy(t.Context(), Options{
			Base: test.base, Calendar: "primary", Dialect: diag.Google, Timeout: time.Minute, Client: answering(func(r *http.Request) (int, string) {
				if r.Method == http.MethodDelete {
					deleted = append(deleted, r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:])
					return 204, ""
				}
				return test.status, test.list
			}),
		})
		if slices.Sort(deleted); (err != nil) != test.isError || !slices.Equal(deleted, test.want) || err == nil && !slices.Equal(report.Tidied, test.want) {
			t.Errorf("%s: deleted are %q, %+v, %v", name, deleted, report, err)
		}
	}
}

// A request that could not connect was not sent.
func TestSendFails(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"no connection":   {&net.OpError{Op: "dial", Err: io.EOF}, false},
		"a broken one":    {&net.OpError{Op: "read", Err: io.EOF}, true},
		"another failure": {io.ErrUnexpectedEOF, true},
	} {
		r := runWith(t, nil)
		r.Client = failing{test.err}
		if x := r.send(t.Context(), request("GET", "http://calendar.test/colors", nil)); x.isSent != test.want {
			t.Errorf("%s: sent: %t", name, x.isSent)
		}
	}
}

// bodies records whether requests have a body.
type bodies []bool

func (b *bodies) RoundTrip(r *http.Request) (*http.Response, error) {
	*b = append(*b, r.Body != http.NoBody)
	return nil, io.EOF
}

// A request without a body is sent without one, and each is counted.
func TestSend(t *testing.T) {
	var got bodies
	r := runWith(t, nil)
	r.Client = &got
	r.send(t.Context(), request("GET", "http://calendar.test/colors", nil))
	r.send(t.Context(), request("POST", "http://calendar.test/calendars", []byte("{}")))
	if !slices.Equal(got, bodies{false, true}) || r.report.Requests != 2 {
		t.Errorf("bodies: %v, %d requests", got, r.report.Requests)
	}
	r = runAt(t, 401, tree{})
	if r.send(t.Context(), request("GET", "http://calendar.test/colors", nil)); !strings.Contains(r.report.Stopped, "401") {
		t.Errorf("stopped: %s", r.report.Stopped)
	}
	r.report.Stopped = "enough"
	if r.send(t.Context(), request("GET", "http://calendar.test/colors", nil)); r.report.Stopped != "enough" {
		t.Errorf("stopped: %s", r.report.Stopped)
	}
}
