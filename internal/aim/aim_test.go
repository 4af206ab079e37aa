package aim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/internal/aim"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/testing/testdepth"
	"github.com/calrules/calrules/operation"
)

// server is a calendar server that keeps events in memory, and does what the rules say but for a grading.
type server struct {
	checker event.Checker
	mutex   sync.Mutex
	events  map[string]*event.Event
	tags    int
	clock   func() time.Time // nil means that each change takes a second
}

func newServer(off ...string) *server {
	s := &server{events: map[string]*event.Event{}, checker: event.Checker{Grading: diag.Grading{Rules: map[string]diag.Grade{}}}}
	for _, rule := range off {
		s.checker.Grading.Rules[rule] = diag.Off
	}
	s.checker.NewID = func() string { return fmt.Sprintf("server%d", s.tags) }
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	call, err := eventhttp.Read(r, "", 0)
	if err == nil {
		switch call.Operation.ID {
		case operation.EventsInsert, operation.EventsGet, operation.EventsUpdate, operation.EventsPatch, operation.EventsDelete:
			stored := func(_ context.Context, _, id string) (*event.Event, error) { return s.events[id], nil }
			err = call.Check(&s.checker, stored)
		default:
			err = &eventhttp.Error{Status: http.StatusNotImplemented, Reason: "notImplemented", Message: "The server lacks this operation."}
		}
	}
	if err != nil {
		eventhttp.WriteError(w, err)
		return
	}
	if next := call.Result.Stored; next != nil {
		s.tags++
		stamp := event.ServerFields{Now: time.Unix(1_800_000_000+int64(s.tags), 0), ETag: strconv.Quote(strconv.Itoa(s.tags))}
		if s.clock != nil {
			stamp.Now = s.clock()
		}
		stamp.Set(&call.Result, call.Request.Existing)
		s.events[next.ID] = next
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(call.Result.Answer.AppendJSON(nil))
}

// left counts the events that are not cancelled.
func (s *server) left() (n int) {
	for _, e := range s.events {
		if e.Status != "cancelled" {
			n++
		}
	}
	return n
}

// handlerTransport sends requests to a handler, without a network.
type handlerTransport struct{ http.Handler }

func (t handlerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r = r.Clone(r.Context())
		r.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	t.ServeHTTP(w, r)
	return w.Result(), nil
}

// run sends requests to a handler.
func run(t *testing.T, h http.Handler, change func(o *aim.Options)) *aim.Report {
	t.Helper()
	o := aim.Options{
		Base: "http://calendar.test", Calendar: "primary", Client: handlerTransport{h}, Seed: 1, Timeout: time.Minute, Nonce: "t",
	}
	if change != nil {
		change(&o)
	}
	report, err := aim.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// The rules and a server that follows them agree, nothing is left on the server, and no request does harm.
func TestAgrees(t *testing.T) {
	stories := testdepth.Draws(300, 1500)
	s := newServer()
	report := run(t, harmless(t, s), func(o *aim.Options) { o.Count = stories })
	if report.Disagreements != nil || report.Unclear != nil || report.Left != nil || report.Stopped != "" {
		t.Errorf("%+v", report.Disagreements)
		t.Errorf("unclear %q, left %q, stopped: %s", report.Unclear, report.Left, report.Stopped)
	}
	if n := s.left(); n != 0 {
		t.Errorf("%d events are left", n)
	}
	tried := 0
	for _, score := range report.Scores {
		if score.Tried > 0 {
			tried++
		}
		if (score.Tried == 0) != (score.NotTried != "") || score.Agreed != score.Tried {
			t.Errorf("%+v", score)
		}
	}
	if tried < min(100, stories/4) || report.Stories < stories/3 || report.Requests < stories/2 {
		t.Errorf("%d rules are tried, in %d stories with %d requests", tried, report.Stories, report.Requests)
	}
}

// harmless fails the test if a request has a guest with an address that somebody may have, asks for mail, or changes
// another calendar.
func harmless(t *testing.T, h http.Handler) http.Handler {
	address := regexp.MustCompile(`@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)`)
	reserved := regexp.MustCompile(`(?i)(^|\.)(example\.(com|net|org)|example|test|invalid|localhost)$`)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(sent))
		for _, found := range address.FindAllSubmatch(sent, -1) {
			if !reserved.Match(found[1]) {
				t.Errorf("%s has the domain %s", sent, found[1])
			}
		}
		writes := r.Method != http.MethodGet && strings.Contains(r.URL.Path, "/events")
		if got := r.URL.Query()["sendUpdates"]; writes && slices.ContainsFunc(append(got, ""), constraint.SendUpdates.Has) && !cmp.Equal(got, []string{"none"}) || writes && len(got) == 0 && !strings.HasSuffix(r.URL.Path, "/import") {
			t.Errorf("%s %s has sendUpdates %q", r.Method, r.URL, got)
		}
		if !strings.HasPrefix(r.URL.Path, "/calendars/primary") && r.Method != http.MethodGet && r.URL.Path != "/freeBusy" {
			t.Errorf("%s %s is of another calendar", r.Method, r.URL.Path)
		}
		h.ServeHTTP(w, r)
	})
}

// edit changes answers of a server: with the answer to a request, it returns another one.
func edit(h http.Handler, change func(r *http.Request, sent []byte, status int, answer []byte) (int, []byte)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(sent))
		record := httptest.NewRecorder()
		h.ServeHTTP(record, r)
		status, answer := change(r, sent, record.Code, record.Body.Bytes())
		w.WriteHeader(status)
		w.Write(answer)
	})
}

// storing is a server that stores the events that it refuses.
func storing() http.Handler {
	refused := map[string][]byte{}
	return edit(newServer(), func(r *http.Request, sent []byte, status int, answer []byte) (int, []byte) {
		var body struct{ ID string }
		_ = json.Unmarshal(sent, &body) // another body has no id
		id := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		switch {
		case r.Method == http.MethodPost && status >= 400 && body.ID != "":
			refused[body.ID] = sent
		case r.Method == http.MethodGet && refused[id] != nil:
			return http.StatusOK, refused[id]
		}
		return status, answer
	})
}

// changing is a server that makes the changes that it refuses.
func changing() http.Handler {
	s := newServer()
	return edit(s, func(r *http.Request, _ []byte, status int, answer []byte) (int, []byte) {
		id := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		if e := s.events[id]; r.Method == http.MethodPatch && status >= 400 && e != nil {
			e.Summary = "Changed all the same"
		}
		return status, answer
	})
}

// faulty are servers with one fault each.
var faulty = map[string]struct {
	server http.Handler
	rules  []string // the disagreements name one of them
	fault  aim.Fault
}{
	"addresses are not checked":   {newServer(ruleid.AttendeeEmailAddress), []string{ruleid.AttendeeEmailAddress}, aim.Missed},
	"ends may be before starts":   {newServer(ruleid.TimeOrder, ruleid.PatchWhole), []string{ruleid.TimeOrder, ruleid.PatchWhole}, aim.Missed},
	"reminders may be any number": {newServer(ruleid.RemindersMinutes), []string{ruleid.RemindersMinutes}, aim.Missed},
	"rules may have any part":     {newServer(ruleid.RecurrenceRulePart), []string{ruleid.RecurrenceRulePart}, aim.Missed},
	"conditions are ignored":      {newServer(ruleid.UpdateETag), []string{ruleid.UpdateETag}, aim.Missed},
	"a link is kept": {edit(newServer(), func(r *http.Request, sent []byte, status int, answer []byte) (int, []byte) {
		var body struct{ HTMLLink string }
		if json.Unmarshal(sent, &body) == nil && body.HTMLLink != "" && status == 200 {
			answer = bytes.Replace(answer, []byte(`"start"`), fmt.Appendf(nil, `"htmlLink":%q,"start"`, body.HTMLLink), 1)
		}
		return status, answer
	}), []string{ruleid.EventServerSet, ruleid.EventReadOnly}, aim.Missed},
	"all-day events are refused": {edit(newServer(), func(r *http.Request, sent []byte, status int, answer []byte) (int, []byte) {
		if r.Method == http.MethodPost && bytes.Contains(sent, []byte(`"start":{"date":`)) {
			return 400, []byte(`{"error":{"message":"No days, please."}}`)
		}
		return status, answer
	}), nil, aim.Refused},
	"a get answers a page": {edit(newServer(), func(r *http.Request, _ []byte, status int, answer []byte) (int, []byte) {
		if r.Method == http.MethodGet && status == 200 {
			return 200, []byte("<html>")
		}
		return status, answer
	}), []string{ruleid.AnswerResource}, aim.Answer},
	"the status has another name": {edit(newServer(), func(r *http.Request, _ []byte, status int, answer []byte) (int, []byte) {
		return status, bytes.ReplaceAll(answer, []byte(`"status":"confirmed"`), []byte(`"status":"CONFIRMED"`))
	}), []string{ruleid.AnswerResource, ruleid.AnswerEffect}, aim.Answer},
	"a changed event is called unchanged": {edit(newServer(), func(r *http.Request, _ []byte, status int, answer []byte) (int, []byte) {
		if r.Header.Get("If-None-Match") != "" {
			return http.StatusNotModified, nil
		}
		return status, answer
	}), []string{ruleid.AnswerEffect}, aim.Lost},
	"a refused event is stored": {storing(), []string{ruleid.AnswerEffect}, aim.Lost},
	"a refused change is made":  {changing(), []string{ruleid.AnswerEffect}, aim.Lost},
	"a patch fails": {edit(newServer(), func(r *http.Request, _ []byte, status int, answer []byte) (int, []byte) {
		if r.Method == http.MethodPatch {
			return 500, []byte(`{"error":{"message":"Out of luck."}}`)
		}
		return status, answer
	}), nil, aim.Failed},
}

// Each fault of a server is found, and no other is invented.
func TestFindsFaults(t *testing.T) {
	for name, test := range faulty {
		t.Run(name, func(t *testing.T) {
			report := run(t, test.server, func(o *aim.Options) {
				o.Count = 30
				if test.fault == aim.Missed {
					o.Rules = append(slices.Clone(test.rules), ruleid.EventIDLength, ruleid.SourceURLForm, ruleid.TimeOneForm)
				}
			})
			found := slices.DeleteFunc(slices.Clone(report.Disagreements), func(d aim.Disagreement) bool {
				return d.Fault == test.fault && (test.rules == nil || slices.Contains(test.rules, d.Rule))
			})
			if len(report.Disagreements) == 0 {
				t.Error("the fault is not found")
			}
			for _, d := range found {
				t.Errorf("%s of %s at %s: %s (%d, %s)\n%s", d.Fault, d.Rule, d.Op, d.Message, d.Status, d.Server, strings.Join(d.Curl, "\n"))
			}
		})
	}
}

// A disagreement has the smallest example that shows it.
func TestShrinks(t *testing.T) {
	report := run(t, newServer(ruleid.AttendeeEmailAddress), func(o *aim.Options) {
		o.Rules, o.Operations, o.Count = []string{ruleid.AttendeeEmailAddress}, []operation.ID{operation.EventsInsert}, 3
	})
	if len(report.Disagreements) != 1 || report.Disagreements[0].Count != 3 {
		t.Fatalf("%+v", report)
	}
	curl := report.Disagreements[0].Curl
	want := regexp.MustCompile(`^curl -X POST 'http://calendar\.test/calendars/primary/events\?[^']*sendUpdates=none' -H 'Content-Type: application/json' --data-binary '\{"attendees":\[\{"email":"[^"]*"\}\],"end":\{[^}]*\}(,"extendedProperties":\{"private":\{"calrulesaim":"aimt"\}\})?,"start":\{[^}]*\}\}'$`)
	if len(curl) != 1 || !want.MatchString(curl[0]) {
		t.Errorf("the example is %q", curl)
	}
}

// A story from a report is told again by its name, with the same disagreement and no other.
func TestStory(t *testing.T) {
	for _, name := range []string{"addresses are not checked", "all-day events are refused", "a patch fails"} {
		server := faulty[name].server
		all := run(t, server, func(o *aim.Options) { o.Count, o.First = 60, true }).Disagreements
		if len(all) == 0 {
			t.Fatalf("%s: no disagreement", name)
		}
		for _, d := range all {
			again := run(t, server, func(o *aim.Options) { o.Story, o.First = d.Story, true })
			if got := again.Disagreements; len(got) != 1 || got[0].Rule != d.Rule || got[0].Fault != d.Fault || got[0].Op != d.Op || got[0].Story != d.Story || again.Stories != 1 {
				t.Errorf("%s: the story %s has %+v, want %+v", name, d.Story, got, d)
			}
		}
	}
}

// A life of one event ends with the first write that the server does not answer with a verdict.
func TestLifeEnds(t *testing.T) {
	const most = 13 // the writes before the event is deleted
	for at := 1; at <= most; at++ {
		writes, after := 0, 0
		h := edit(newServer(), func(r *http.Request, _ []byte, status int, answer []byte) (int, []byte) {
			if writes >= at && r.Method != http.MethodDelete {
				after++
			}
			if r.Method != http.MethodGet {
				if writes++; writes == at {
					return http.StatusTooManyRequests, nil
				}
			}
			return status, answer
		})
		report := run(t, h, func(o *aim.Options) { o.Story = "life:0" })
		if writes < at || after > 0 || len(report.Unclear) != 1 || report.Disagreements != nil {
			t.Errorf("after write %d of %d without a verdict come %d requests, %+v", at, writes, after, report)
		}
	}
}

// Every other patch in a life of one event has a condition.
func TestLifeConditions(t *testing.T) {
	var got []bool
	h := edit(newServer(), func(r *http.Request, _ []byte, status int, answer []byte) (int, []byte) {
		if r.Method == http.MethodPatch && status == 200 {
			got = append(got, r.Header.Get("If-Match") != "")
		}
		return status, answer
	})
	run(t, h, func(o *aim.Options) { o.Story = "life:0" })
	if len(got) < 9 {
		t.Fatalf("%d patches", len(got))
	}
	for i, has := range got[:9] {
		if has != (i%2 == 0) {
			t.Errorf("patch %d has a condition: %t", i, has)
		}
	}
}

// In the first two variants, a life waits until the time of a change must differ.
func TestLifeWaits(t *testing.T) {
	constant := func() time.Time { return time.Unix(1_800_000_000, 0) }
	for name, test := range map[string]struct {
		story  string
		clock  func() time.Time
		waits  bool
		isLost bool
	}{
		"a clock":            {"life:0", time.Now, true, false},
		"of days":            {"life:8", time.Now, true, false},
		"the third variant":  {"life:16", time.Now, false, false},
		"a new time":         {"life:0", nil, false, false},
		"one time":           {"life:0", constant, true, true},
		"one time of days":   {"life:8", constant, true, true},
		"one time, no check": {"life:16", constant, false, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, start := newServer(), time.Now()
			s.clock = test.clock
			report := run(t, s, func(o *aim.Options) { o.Story = test.story })
			took := time.Since(start)
			if isLost := len(report.Disagreements) == 1 && report.Disagreements[0].Place == "updated"; isLost != test.isLost || len(report.Disagreements) > 1 {
				t.Errorf("%s: %+v", name, report)
			}
			if want := map[bool]time.Duration{true: 1100 * time.Millisecond}[test.waits]; took != want {
				t.Errorf("%s: the life takes %v, want %v", name, took, want)
			}
		})
	}
}

// A rule that is off has no disagreements, and is not counted.
func TestRuleThatIsOff(t *testing.T) {
	for grade, want := range map[diag.Grade]int{diag.Off: 0, "": 1} {
		report := run(t, newServer(ruleid.AttendeeEmailAddress), func(o *aim.Options) {
			o.Rules, o.Operations, o.Count, o.First = []string{ruleid.AttendeeEmailAddress}, []operation.ID{operation.EventsInsert}, 3, true
			if grade != "" {
				o.Checker.Grading = diag.Grading{Rules: map[string]diag.Grade{ruleid.AttendeeEmailAddress: grade}}
			}
		})
		if len(report.Disagreements) != want || report.Stories != want || report.Scores[0].Tried != want {
			t.Errorf("%q: %+v", grade, report)
		}
	}
}

// A header field is sent with each request, and stands nowhere in the report.
func TestHeaderIsSecret(t *testing.T) {
	s := newServer(ruleid.TimeOrder)
	report := run(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer hush" {
			t.Error("a request lacks the header field")
		}
		s.ServeHTTP(w, r)
	}), func(o *aim.Options) {
		o.Header = http.Header{"Authorization": {"Bearer hush"}}
		o.Rules, o.Count = []string{ruleid.TimeOrder}, 8
	})
	text, err := json.Marshal(report)
	if err != nil || bytes.Contains(text, []byte("hush")) || !bytes.Contains(text, []byte("Authorization: $(cat FILE)")) {
		t.Errorf("%s, %v", text, err)
	}
}

// A server that repeats a header field, in what it stores or in a refusal, does not bring it into the report.
func TestEchoIsHidden(t *testing.T) {
	const token = "aGVsbG8/d29ybGQ+and.some-more_of~it"
	for name, echo := range map[string]func(status int, answer []byte) (int, []byte){
		"in a refusal": func(int, []byte) (int, []byte) {
			return 400, fmt.Appendf(nil, `{"error":{"message":"%s the field is Bearer %s"}}`, strings.Repeat("-", 160), strings.ReplaceAll(token, "/", `\/`))
		},
		"in an event": func(status int, answer []byte) (int, []byte) {
			return status, bytes.Replace(answer, []byte(`"start"`), []byte(`"status":"`+token+`","start"`), 1)
		},
		"in an id": func(status int, answer []byte) (int, []byte) {
			return status, bytes.Replace(answer, []byte(`"id":"`), []byte(`"id":"`+token), 1)
		},
		"without a form": func(int, []byte) (int, []byte) { return 200, []byte(token) },
	} {
		h := edit(newServer(), func(_ *http.Request, _ []byte, status int, answer []byte) (int, []byte) { return echo(status, answer) })
		report := run(t, h, func(o *aim.Options) { o.Header, o.Count = http.Header{"Authorization": {"Bearer " + token}}, 8 })
		text, err := json.Marshal(report)
		if err != nil || bytes.Contains(text, []byte("aGVsbG")) || bytes.Contains(text, []byte("some-more")) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
		if len(report.Disagreements)+len(report.Unclear) == 0 {
			t.Errorf("%s: nothing is reported", name)
		}
	}
}

// What an insert made is deleted although its answer does not say so.
func TestDeletesUnanswered(t *testing.T) {
	for name, answer := range map[string]string{"nothing": "", "another form": "<html>", "too much": strings.Repeat(" ", 5<<20)} {
		s := newServer()
		h := edit(s, func(r *http.Request, _ []byte, status int, text []byte) (int, []byte) {
			if r.Method == http.MethodPost && status == 200 {
				return status, []byte(answer)
			}
			return status, text
		})
		report := run(t, h, func(o *aim.Options) { o.Operations, o.Count = []operation.ID{operation.EventsPatch}, 2 })
		if n := s.left(); n != 0 || len(s.events) == 0 || len(report.Left) != 0 {
			t.Errorf("%s: %d of %d events are left, and reported as left are %q", name, n, len(s.events), report.Left)
		}
	}
}

// Reasons do not pile up.
func TestMostReasons(t *testing.T) {
	n := 0
	report := run(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n++
		w.WriteHeader(429)
		fmt.Fprintf(w, `{"error":{"message":"wait %d"}}`, n)
	}), func(o *aim.Options) { o.Count = 60 })
	if len(report.Unclear) != 21 {
		t.Errorf("%q", report.Unclear)
	}
}

// hostile are servers that give no verdicts.
var hostile = map[string]struct {
	serve func(w http.ResponseWriter, r *http.Request)
	want  string // why the run stops, or what is unclear
}{
	"closes": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "the last 5 requests got no response; a request got no response: EOF"},
	"redirects": {func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://elsewhere.test/", http.StatusFound)
	}, "a response neither accepts nor refuses the request: 302 Found"},
	"refuses":      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "the server responds with 401; pass credentials with --header"},
	"is busy":      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }, "a response neither accepts nor refuses the request: 429 Too Many Requests"},
	"never ends":   {func(w http.ResponseWriter, _ *http.Request) { writeMuch(w) }, "a response cannot be checked: the body is longer than 4194304 bytes"},
	"says no HTTP": {func(w http.ResponseWriter, _ *http.Request) { hijack(w) }, "the last 5 requests got no response; a request got no response: net/http: HTTP/1.x transport connection broken: malformed HTTP response \"hello\""},
}

func writeMuch(w io.Writer) {
	for range 6 << 10 {
		if _, err := w.Write(bytes.Repeat([]byte("x"), 1024)); err != nil {
			return
		}
	}
}

func hijack(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		fmt.Fprint(conn, "hello\r\n\r\n")
		conn.Close()
	}
}

// A server that gives no verdict ends the run with a line that says so, soon.
func TestHostileServers(t *testing.T) {
	for name, test := range hostile {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(test.serve))
			defer server.Close()
			report := run(t, nil, func(o *aim.Options) {
				o.Base, o.Client, o.Count = server.URL, &http.Transport{DisableKeepAlives: true}, 10
			})
			if report.Stopped != test.want && !slices.Contains(report.Unclear, test.want) {
				t.Errorf("stopped: %q, unclear: %q, want %q", report.Stopped, report.Unclear, test.want)
			}
			if report.Disagreements != nil {
				t.Errorf("%+v", report.Disagreements)
			}
		})
	}
}

// hanging never answers.
type hanging struct{}

func (hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestHangingServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		report := run(t, nil, func(o *aim.Options) { o.Client, o.Count = hanging{}, 10 })
		if want := "the last 5 requests got no response; a request got no response within 1m0s"; report.Stopped != want || report.Disagreements != nil {
			t.Errorf("stopped: %q, want %q; %+v", report.Stopped, want, report.Disagreements)
		}
	})
}

// An interrupt ends the run wherever it comes, and what was made is deleted.
func TestInterrupt(t *testing.T) {
	for at := 1; at < 100; at += 9 {
		ctx, cancel := context.WithCancel(t.Context())
		s := newServer()
		n := 0
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n++; n == at {
				cancel()
			}
			s.ServeHTTP(w, r)
		})
		report, err := aim.Run(ctx, aim.Options{Base: "http://calendar.test", Calendar: "primary", Client: handlerTransport{h}, Count: 1000, Timeout: time.Minute})
		if err != nil || report.Stopped != "the run was interrupted" || report.Left != nil || s.left() != 0 || n > at+20 {
			t.Errorf("interrupted at %d: stopped: %s, %d requests, left: %q, %d events left, %v", at, report.Stopped, n, report.Left, s.left(), err)
		}
	}
}

// stalling answers until it is interrupted, and then no more.
type stalling struct {
	http.RoundTripper
	interrupt func()
	rest      int // requests before the interrupt
}

func (s *stalling) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.rest--; s.rest > 0 {
		return s.RoundTripper.RoundTrip(r)
	}
	s.interrupt()
	return hanging{}.RoundTrip(r)
}

// An interrupted run ends in its time, also if the server answers no more, and lists what it could not delete.
func TestInterruptAtStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newServer()
		client := &stalling{RoundTripper: handlerTransport{s}, interrupt: cancel, rest: 8}
		start := time.Now()
		report, err := aim.Run(ctx, aim.Options{
			Base: "http://calendar.test", Calendar: "primary", Client: client, Operations: []operation.ID{operation.EventsInsert}, Count: 1000, Timeout: time.Minute,
		})
		if took := time.Since(start); err != nil || took > 10*time.Minute || s.left() == 0 || len(report.Left) != s.left() {
			t.Errorf("after %v %d events are left, and listed are %q: %v", took, s.left(), report.Left, err)
		}
	})
}

// What cannot be deleted is in the report.
func TestLeft(t *testing.T) {
	h := edit(newServer(), func(r *http.Request, _ []byte, status int, answer []byte) (int, []byte) {
		if r.Method == http.MethodDelete {
			return 403, []byte(`{"error":{"message":"Keep it."}}`)
		}
		return status, answer
	})
	report := run(t, h, func(o *aim.Options) { o.Operations, o.Count = []operation.ID{operation.EventsInsert}, 4 })
	if len(report.Left) == 0 || !strings.HasPrefix(report.Left[0], "http://calendar.test/calendars/primary/events/") {
		t.Errorf("left: %q", report.Left)
	}
}

// The options that make no sense are errors.
func TestOptions(t *testing.T) {
	for name, o := range map[string]aim.Options{
		"base":               {Base: "nowhere"},
		"operation":          {Base: "http://calendar.test", Operations: []operation.ID{"events.none"}},
		"rule":               {Base: "http://calendar.test", Rules: []string{"no.rule"}},
		"both":               {Base: "http://calendar.test", Rules: []string{ruleid.UpdateETag}, Operations: []operation.ID{operation.EventsInsert}},
		"no story":           {Base: "http://calendar.test", Story: "time.order"},
		"no number":          {Base: "http://calendar.test", Story: "time.order:x"},
		"a negative number":  {Base: "http://calendar.test", Story: "time.order:-1"},
		"a story of no rule": {Base: "http://calendar.test", Story: "no.rule:1"},
	} {
		o.Client = handlerTransport{newServer()}
		if report, err := aim.Run(t.Context(), o); err == nil || report != nil {
			t.Errorf("%s: %v, %v", name, report, err)
		}
	}
}
