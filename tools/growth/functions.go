package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/command"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/intent"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/refusal"
	"github.com/calrules/calrules/rtdbauth"
	"github.com/calrules/calrules/rtdbauth/rtdbhttp"
)

// calls returns a subject for each function, with value(n) as the argument.
func calls[T any](group, about string, value func(n int) T, functions map[string]func(T)) []subject {
	var all []subject
	for name, call := range functions {
		all = append(all, subject{group + ": " + name + " " + about, func(n int) func() {
			v := value(n)
			return func() { call(v) }
		}})
	}
	return all
}

// first iterates over the first n values of a sequence.
func first[K, V any](n int, sequence iter.Seq2[K, V]) {
	for range sequence {
		if n--; n <= 0 {
			break
		}
	}
}

// ofParts returns the subjects for functions of a single event. The parts of an event are read, written and compared in the
// same way as the event.
func ofParts() []subject {
	functions := map[string]func(*event.Event){
		"clone":    func(e *event.Event) { e.Clone() },
		"defaults": func(e *event.Event) { e.WithDefaults() },
		"text":     func(e *event.Event) { _ = e.String() },
		"syntax":   func(e *event.Event) { _ = e.GoString() },
		"unknown":  func(e *event.Event) { first(1<<20, e.Unknown()) },
		"JSON": func(e *event.Event) {
			text, err := e.MarshalJSON()
			check(err)
			check(new(event.Event).UnmarshalJSON(text))
		},
		"request": func(e *event.Event) {
			r := event.Request{Op: operation.EventsUpdate, Event: e, Existing: e}.WithDialect(diag.Google)
			_ = r.String()
		},
		"names": func(e *event.Event) { event.OwnNames(nil, e.AppendJSON(nil)) },
		"set": func(e *event.Event) {
			r := event.Result{Stored: e, Answer: e}
			event.ServerFields{Now: moved}.Set(&r, e)
		},
	}
	var all []subject
	for path, shapes := range eventValues() {
		for _, s := range shapes {
			all = append(all, calls("one event", path+" "+s.name, func(n int) *event.Event {
				e, _ := event.Decode([]byte(eventWith(path, s.value(n, 0))), diag.Documents)
				return e
			}, functions)...)
		}
	}
	return append(all, calls("one event", "paths", func(n int) []diag.Pointer {
		return slices.Repeat([]diag.Pointer{"/extendedProperties/private/a", "/summary"}, n)
	}, map[string]func([]diag.Pointer){"clear": func(paths []diag.Pointer) { check(new(event.Event).Clear(paths...)) }})...)
}

// seriesStart is the start of all series.
var seriesStart = time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)

// seriesLines returns shapes of recurrence lines, as JSON.
func seriesLines() []shape {
	return []shape{
		dates(`["RRULE:FREQ=DAILY",`, `"EXDATE:#"`, "]"), dates(`["RRULE:FREQ=DAILY","EXDATE:20260312T090000Z",`, `"RDATE:#"`, "]"),
		dates(`["RRULE:FREQ=DAILY","RDATE:`, "#", `"]`), list(`["RRULE:FREQ=YEARLY;BYYEARDAY=`, "1", `"]`),
	}
}

// linesOf returns the recurrence lines of a shape.
func linesOf(s shape, n int) []string {
	e, _ := event.Decode([]byte(`{"recurrence":`+s.value(n, 0)+`}`), diag.Documents)
	return e.Recurrence
}

// ofLines returns the subjects for functions of recurrence lines.
func ofLines() []subject {
	start, day := recurrence.StartTime(seriesStart), recurrence.StartDate(2026, 3, 10)
	at := time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC)
	parse := func(lines []string) *recurrence.Set {
		set, err := recurrence.Parse(lines)
		check(err)
		return set
	}
	functions := map[string]func([]string){
		"parse": func(lines []string) { parse(lines) },
		"text": func(lines []string) {
			text, err := parse(lines).MarshalText()
			check(err)
			check(new(recurrence.Set).UnmarshalText(text))
		},
		"read":       func(lines []string) { _, _ = recurrence.Read(strings.Join(lines, "\n")) },
		"check":      func(lines []string) { recurrence.Lines{Texts: lines, Start: start}.Check() },
		"compile":    func(lines []string) { _, _ = parse(lines).Compile(start) },
		"add":        func(lines []string) { _, _ = parse(lines).Add(start, at.Add(time.Hour)) },
		"exclude":    func(lines []string) { _, _ = parse(lines).Exclude(start, at) },
		"all day":    func(lines []string) { _, _, _ = parse(lines).AllDay(start) },
		"timed":      func(lines []string) { _, _, _ = parse(lines).Timed(day, time.Hour, time.UTC, time.Hour) },
		"rezone":     func(lines []string) { _, _, _ = parse(lines).Rezone(start, time.FixedZone("", 3600)) },
		"move":       func(lines []string) { _, _ = parse(lines).Move(start, recurrence.StartTime(moved)) },
		"split":      func(lines []string) { _, _, _ = parse(lines).Split(start, at) },
		"truncate":   func(lines []string) { _, _ = parse(lines).Truncate(start, at) },
		"join":       func(lines []string) { _, _ = parse(lines).Join(start, parse(lines), recurrence.StartTime(at)) },
		"difference": func(lines []string) { _, _ = parse(lines).Difference(parse(lines[:1]), start) },
		"equal":      func(lines []string) { _, _, _ = parse(lines).Equal(parse(lines), start) },
		"explain":    func(lines []string) { parse(lines).Explain(start) },
	}
	var all []subject
	for _, s := range seriesLines() {
		all = append(all, calls("lines", s.name, func(n int) []string { return linesOf(s, n) }, functions)...)
	}
	return append(all, calls("lines", "a long rule", func(n int) string { return "FREQ=YEARLY;BYYEARDAY=1" + strings.Repeat(",1", n) },
		map[string]func(string){"rule": func(text string) {
			r, err := recurrence.ParseRule(text)
			check(err)
			_ = r.String()
		}})...)
}

// ofInstances returns the subjects that query a series with many lines, values or instances.
func ofInstances() []subject {
	type series struct {
		*recurrence.Series
		n int
	}
	from, to := seriesStart.AddDate(0, 0, 3), seriesStart.AddDate(100, 0, 0)
	functions := map[string]func(series){
		"all":                  func(s series) { first(s.n, s.All()) },
		"between":              func(s series) { first(s.n, s.Between(from, to)) },
		"backward":             func(s series) { first(s.n, s.Backward(from, to)) },
		"instances":            func(s series) { first(s.n, s.Instances(from, to)) },
		"instances, backwards": func(s series) { first(s.n, s.InstancesBackward(from, to)) },
		"overlapping":          func(s series) { first(s.n, s.Overlapping(from, to)) },
		"conflicts":            func(s series) { first(s.n, s.Conflicts(s.Series, from, to)) },
		"after":                func(s series) { _, _, _ = s.AtOrAfter(from) },
		"next":                 func(s series) { _, _, _ = s.Next(from) },
		"before":               func(s series) { _, _, _ = s.Before(to) },
		"contains":             func(s series) { _, _ = s.Contains(from) },
		"count":                func(s series) { _, _, _ = s.Count(s.n) },
		"last":                 func(s series) { _, _, _ = s.Last() },
		"unmatched": func(s series) {
			_, _, _ = s.FirstUnmatched(&recurrence.Dates{Values: []recurrence.Value{recurrence.UTCValue(from)}})
		},
		"with": func(s series) { s.With(recurrence.Options{Shift: true}) },
	}
	var all []subject
	for _, s := range seriesLines() {
		all = append(all, calls("instances", s.name, func(n int) series {
			set, err := recurrence.Parse(linesOf(s, n))
			check(err)
			compiled, err := set.Compile(recurrence.StartTime(seriesStart).Until(seriesStart.Add(time.Hour)))
			check(err)
			return series{compiled, n}
		}, functions)...)
	}
	return all
}

// ofCalendars returns the subjects for functions that combine series, with many series or many instances.
func ofCalendars() []subject {
	week := event.Window{From: seriesStart, To: seriesStart.AddDate(0, 0, 7)}
	functions := map[string]func(event.Calendar){
		"instances": func(c event.Calendar) { first(1<<20, c.Instances(week)) },
		"busy":      func(c event.Calendar) { first(1<<20, c.Busy(week)) },
		"conflicts": func(c event.Calendar) { first(1000, c.Conflicts(week)) },
	}
	all := calls("calendar", "many series", func(n int) (c event.Calendar) {
		for i := range n {
			start := seriesStart.Add(time.Duration(i) * time.Minute)
			c = append(c, event.Series{Event: &event.Event{ID: fmt.Sprint(i), Start: event.TimeAt(start), End: event.TimeAt(start.Add(time.Minute)), Recurrence: []string{"RRULE:FREQ=DAILY;COUNT=3"}}})
		}
		return c
	}, functions)
	type question struct {
		event.Series
		n int
	}
	year := event.Window{To: seriesStart.AddDate(100, 0, 0)}
	return append(all, calls("calendar", "many instances", func(n int) question {
		return question{event.Series{Event: &event.Event{ID: "s", Start: event.TimeAt(seriesStart), End: event.TimeAt(moved), Recurrence: []string{"RRULE:FREQ=DAILY"}}}, n}
	}, map[string]func(question){
		"instances of a series": func(q question) { first(q.n, q.Instances(year)) },
		"singles of a series":   func(q question) { first(q.n, q.Singles(year)) },
		"count of a series":     func(q question) { _, _ = q.Count(year, q.n) },
		"timed": func(q question) {
			e := q.Event.Clone()
			e.Start, e.End = event.Date(2026, 3, 10), event.Date(2026, 3, 11)
			_, _ = event.Series{Event: e}.Timed(time.Hour, "UTC", time.Hour)
		},
	})...)
}

// ofPages returns the subjects for pages of events, with many events or many pages.
func ofPages() []subject {
	page := list(`{"items":[`, `{"id":"a#","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`, `]}`)
	all := calls("page", "of many events", func(n int) []byte { return []byte(page.value(n, 0)) }, map[string]func([]byte){
		"decode": func(text []byte) { event.DecodePage(text, diag.Google) },
		"write": func(text []byte) {
			p, _ := event.DecodePage(text, diag.Google)
			_ = p.String()
			p.AppendIn(diag.Google, nil)
			p.Equal(*p)
		},
	})
	return append(all, calls("page", "of one event", func(n int) int { return n }, map[string]func(int){
		"many": func(n int) {
			count := 0
			first(1<<20, event.Pages(func(string) (*event.Page, error) {
				if count++; count == n {
					return &event.Page{}, nil
				}
				return &event.Page{NextPageToken: fmt.Sprint(count)}, nil
			}))
		},
	})...)
}

// ofFixes returns the subjects that fix requests with many faults.
func ofFixes() []subject {
	functions := map[string]func(*event.Request){
		"add": func(req *event.Request) {
			found, err := new(event.Checker).Find(req)
			check(err)
			new(event.Checker).AddFixes(req, found)
		},
	}
	var all []subject
	for _, s := range []shape{
		list(`{"attendees":[`, `{"email":" a#@example.com"}`, "]"), list(`{"attendees":[`, `{"mail":"a#@example.com"}`, "]"),
		list(`{"recurrence":["RRULE:FREQ=DAILY",`, `"exdate:20260310"`, "]"), list(`{`, `"u#":null`, ""), within(`{"summary":"`, "a", `"`),
	} {
		all = append(all, calls("fixes", s.name, func(n int) *event.Request {
			return &event.Request{Op: operation.EventsInsert, Body: []byte(s.value(n/20, 0) + `,"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`)}
		}, functions)...)
	}
	long := within(`{"attendees":[{"email":" a@example.com"}],"description":"`, "a", `"`) // the number of fixes is limited
	all = append(all, calls("fixes", "of a long request", func(n int) *event.Request {
		return &event.Request{Op: operation.EventsInsert, Body: []byte(long.value(n, 0) + `,"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`)}
	}, map[string]func(*event.Request){"fix": func(req *event.Request) {
		_, made, err := new(event.Checker).Fix(req, func(diag.Finding) bool { return true })
		if check(err); len(made) == 0 {
			panic("nothing is fixed")
		}
	}})...)
	return append(all, calls("fixes", "of many operations", func(n int) []diag.PatchOperation {
		return slices.Repeat([]diag.PatchOperation{{Op: "add", Path: "/body/summary", Value: []byte(`"a"`)}}, n/20)
	}, map[string]func([]diag.PatchOperation){"apply": func(patch []diag.PatchOperation) {
		new(event.Checker).Apply(&event.Request{Op: operation.EventsInsert, Body: []byte(`{"start":{"date":"2026-03-10"}}`)}, patch)
	}})...)
}

// ofIntents returns the subjects that make requests, with many guests, properties, calendars or exceptions.
func ofIntents() []subject {
	guest := func(i int) event.Attendee { return event.Attendee{Email: fmt.Sprintf("a%d@example.com", i)} }
	one := func(n int) *event.Event {
		e := &event.Event{ID: "abcde", Start: event.TimeAt(seriesStart), End: event.TimeAt(moved), ExtendedProperties: &event.ExtendedProperties{Private: map[string]string{}}}
		for i := range n {
			e.Attendees = append(e.Attendees, guest(i))
			e.ExtendedProperties.Private[fmt.Sprint("k", i)] = "v"
		}
		return e
	}
	var m intent.Maker
	all := calls("intent", "an event", one, map[string]func(*event.Event){
		"respond":    func(e *event.Event) { _, _ = m.Respond(e, "a1@example.com", "accepted", "") },
		"conference": func(e *event.Event) { _, _ = m.RequestConference(e, "hangoutsMeet") },
		"copy":       func(e *event.Event) { _, _ = m.CopyConference(e, e) },
		"color":      func(e *event.Event) { _, _ = m.SetColor(e, "tomato") },
		"private":    func(e *event.Event) { _, _ = m.SetPrivate(e, "k", "v") },
		"insert":     func(e *event.Event) { _, _ = m.InsertWithID(e) },
		"import":     func(e *event.Event) { _, _ = m.InsertOrImport(e, "a1@example.com") },
		"reschedule": func(e *event.Event) { _, _ = m.Reschedule(event.Series{Event: e}, event.TimeAt(moved)) },
		"add guests": func(e *event.Event) { _, _ = m.AddGuests(&event.Event{ID: "abcde"}, e.Attendees...) },
		"remove guests": func(e *event.Event) {
			var emails []string
			for i := range e.Attendees {
				emails = append(emails, e.Attendees[i].Email)
			}
			_, _ = m.RemoveGuests(e, emails...)
		},
		"free/busy": func(e *event.Event) {
			var calendars []string
			for i := range e.Attendees {
				calendars = append(calendars, e.Attendees[i].Email)
			}
			_, _ = m.FreeBusy(seriesStart, moved, calendars...)
		},
		"clear": func(e *event.Event) {
			var keys []string
			for key := range e.ExtendedProperties.Private {
				keys = append(keys, key)
			}
			_, _ = m.ClearPrivate(e, keys...)
		},
		"id": func(e *event.Event) { intent.MakeID(e.String()) },
	})
	at := event.TimeAt(time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC))
	return append(all, calls("intent", "exceptions", func(n int) event.Series {
		s := event.Series{Event: &event.Event{ID: "s", Start: event.TimeAt(seriesStart), End: event.TimeAt(seriesStart.Add(time.Hour)), Recurrence: []string{"RRULE:FREQ=DAILY"}}}
		for i := range n {
			original := event.TimeAt(seriesStart.AddDate(0, 0, i))
			s.Exceptions = append(s.Exceptions, &event.Event{ID: fmt.Sprint(i), RecurringEventID: "s", OriginalStartTime: original})
		}
		return s
	}, map[string]func(event.Series){
		"cancel":  func(s event.Series) { _, _ = m.CancelInstance(s, at) },
		"restore": func(s event.Series) { _, _ = m.RestoreInstance(s, at) },
		"end":     func(s event.Series) { _, _ = m.EndFollowing(s, at) },
		"change":  func(s event.Series) { _, _ = m.ChangeFollowing(s, at, &event.Event{Summary: "a"}) },
		"move":    func(s event.Series) { _, _ = m.MoveFollowing(s, at, event.TimeAt(moved)) },
	})...)
}

// ofRefusals returns the subjects that explain refusals, with long messages or many findings.
func ofRefusals() []subject {
	var all []subject
	for _, s := range []shape{
		within(`{"error":{"code":400,"message":"`, "a", `"}}`), list(`{"error":{"code":400,"errors":[`, `{"reason":"invalid"}`, "]}}"), within("googleapi: Error 400: ", "a, ", ""),
		within("", "{", ""), within("", `{"error":`, ""), within("", "\n", ""), within("HttpError 400 ", `"a" `, ""),
	} {
		all = append(all, calls("refusal", s.name, func(n int) string { return s.value(n, 0) }, map[string]func(string){"parse": func(text string) {
			r, _ := refusal.Parse(text)
			r.Redacted()
		}})...)
	}
	return append(all, calls("refusal", "findings", func(n int) *event.Request {
		return &event.Request{Op: operation.EventsInsert, Dialect: diag.Google, Body: []byte(list(`{"attendees":[`, `{"email":"a#"}`, "]}").value(n/2, 0))}
	}, map[string]func(*event.Request){"explain": func(req *event.Request) {
		found, err := event.Find(req)
		check(err)
		refusal.Refusal{Status: 400, Reason: "invalid"}.Explain(found)
		refusal.Recorded(found[0])
		_ = found.Problem(400)
		_ = found.Err()
		found.OfKind(diag.Reject)
	}})...)
}

// ofValues returns the subjects for functions of single values that are long or have many parts.
func ofValues() []subject {
	var all []subject
	for _, piece := range []string{"a", "é", "%41", "a@b.c ", "/", `"`, "2026-03-10T09:00:00.1"} {
		all = append(all, calls("value", piece, func(n int) string { return strings.Repeat(piece, n) }, map[string]func(string){
			"address":   func(s string) { limits.IsAddrSpec(s) },
			"date":      func(s string) { limits.IsDate(s); limits.IsDateTime(s) },
			"event id":  func(s string) { limits.IsEventID(s) },
			"URL":       func(s string) { limits.IsHTTPURL("https://" + s) },
			"zone":      func(s string) { limits.IsZone(s) },
			"addresses": func(s string) { _ = limits.SameAddress(s, s) },
			"pointer":   func(s string) { p := diag.Pointer("/" + s); p.Fragment(); p.Split(); p.Member(s); p.Index(1) },
			"tokens": func(s string) {
				for range diag.Pointer("/" + s).Tokens() {
				}
			},
			"path":      func(s string) { operation.CheckPath(diag.Google, "GET", "/calendars/"+s+"/events") },
			"resolve":   func(s string) { operation.Resolve("GET", "/calendars/"+s+"/events") },
			"key file":  func(s string) { rtdbauth.ParseKeyFile([]byte(`{"private_key":"` + s + `"}`)) },
			"principal": func(s string) { _ = new(rtdbauth.Principal).UnmarshalText([]byte(s)) },
			"token":     func(s string) { rtdbauth.NewToken(s).Equal(rtdbauth.NewToken(s)) },
			"finding":   func(s string) { _ = new(diag.Finding).UnmarshalJSON([]byte(`{"rule":"` + s + `"}`)) },
			"expand path": func(s string) {
				op, _ := operation.Lookup(operation.EventsGet)
				_, _ = op.Expand(map[string]string{"calendarId": s, "eventId": s})
			},
		})...)
	}
	all = append(all, calls("value", "many", func(n int) []string {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprint("a", i)
		}
		return names
	}, map[string]func([]string){
		"labels": func(names []string) {
			c := operation.Calendar{Labels: operation.IDList(names), IDs: operation.IDList(names)}
			_ = c.Validate()
			c.Labels.Has("b")
		},
		"scopes": func(names []string) {
			c := (&operation.Caller{Scopes: names}).WithDialect(diag.Google)
			c.HasScope("calendar")
		},
		"grading": func(names []string) {
			overrides := map[string]string{}
			for _, name := range names {
				overrides[name] = "off"
			}
			_ = diag.Strict().With(overrides).Validate(event.Catalogue())
		},
		"params": func(names []string) {
			params := operation.Params{}
			for _, name := range names {
				params[name] = []string{name}
			}
			text, err := params.MarshalJSON()
			check(err)
			check(new(operation.Params).UnmarshalJSON(text))
			params.Options()
			op, _ := operation.Lookup(operation.EventsList)
			operation.Request{Operation: op, Params: params}.Check()
		},
		"rules": func(names []string) {
			rules := make([]*diag.Rule, len(names))
			for i, name := range names {
				rules[i] = &diag.Rule{ID: "own." + name}
			}
			_, _ = new(event.Checker).WithRules(rules...)
			diag.NewCatalogue(rules)
		},
	})...)
	return append(all, ofHTTP()...)
}

// ofHTTP returns the subjects for the packages that servers use, with many header fields, parameters or bytes.
func ofHTTP() []subject {
	request := func(n int) *http.Request {
		r := httptest.NewRequest("POST", "/calendar/v3/calendars/primary/events?"+strings.Repeat("a=1&", n), strings.NewReader(list("{", `"u#":0`, "}").value(n, 0)))
		for i := range n {
			r.Header.Add(fmt.Sprint("X-", i), "a")
		}
		return r
	}
	guard := rtdbhttp.Guard{Verifier: nobody{}}
	return calls("HTTP", "a request", func(n int) func() *http.Request { return func() *http.Request { return request(n) } }, map[string]func(func() *http.Request){
		"read": func(next func() *http.Request) {
			call, err := eventhttp.Read(next(), "", 0)
			if err == nil {
				err = call.Check(new(event.Checker), func(context.Context, string, string) (*event.Event, error) { return nil, nil })
			}
			eventhttp.WriteError(httptest.NewRecorder(), err)
			eventhttp.WriteProblem(httptest.NewRecorder(), err)
		},
		"strip":   func(next func() *http.Request) { rtdbhttp.Strip(next()) },
		"message": func(next func() *http.Request) { rtdbhttp.Message(next()) },
		"guard": func(next func() *http.Request) {
			handler, err := guard.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				d, _ := rtdbhttp.FromContext(r.Context())
				_, _ = rtdbhttp.Forward(r, d)
			}))
			check(err)
			r := next()
			r.URL = &url.URL{Path: "/a.json", RawQuery: r.URL.RawQuery}
			handler.ServeHTTP(httptest.NewRecorder(), r)
		},
	})
}

// nobody is a verifier that accepts no token.
type nobody struct{}

func (nobody) VerifyToken(context.Context, rtdbauth.Place, rtdbauth.Token) (rtdbauth.Facts, error) {
	return rtdbauth.Facts{}, nil
}

// stored writes text to a file and returns the file name.
func stored(text string) string {
	file, err := os.CreateTemp("", "growth")
	check(err)
	_, err = file.WriteString(text)
	check(err)
	check(file.Close())
	return file.Name()
}

// ofCommands returns the subjects that run subcommands, with many lines or large files.
func ofCommands() []subject {
	const day = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	lines := func(line string) func(n int) string {
		return func(n int) string { return strings.Repeat(line+"\n", n/4) }
	}
	file := func(s shape) func(n int) string { return func(n int) string { return s.value(n, 0) } }
	event := list(`{`+day+`,"attendees":[`, `{"email":"a#@example.com"}`, `]}`)
	exceptions := dates(`{`+day+`,"recurrence":["RRULE:FREQ=DAILY",`, `"EXDATE:#"`, `]}`)
	var all []subject
	for _, c := range []struct {
		args  string // # is replaced by a file with an event, and N by the size
		about string
		input func(n int) string
	}{
		{"check --ndjson", "lines", lines(`{"op":"events.insert","body":{` + day + `}}`)},
		{"check -", "a page", file(list(`{"items":[`, `{"id":"a#",`+day+`}`, `]}`))},
		{"check -", "an event", file(event)},
		{"check --format sarif -", "findings", file(list(`{`+day+`,"attendees":[`, `{"email":"a#"}`, `]}`))},
		{"expand --ndjson", "lines", lines(`{` + day + `,"recurrence":["RRULE:FREQ=DAILY"],"limit":3}`)},
		{"expand --limit 10 -", "an event", file(exceptions)},
		{"make --ndjson", "lines", lines(`{"series":{` + day + `,"recurrence":["RRULE:FREQ=DAILY"]},"verb":"truncate","with":{"at":"2026-03-12"}}`)},
		{"make explain -", "an event", file(exceptions)},
		{"rtdb --ndjson", "lines", lines(`{"method":"GET","url":"/a.json?auth=x"}`)},
		{"merge # -", "a patch", file(event)},
		{"patch # -", "an event", file(event)},
		{"diff # -", "an event", file(event)},
		{"why -", "a refusal", file(within(`{"error":{"code":400,"message":"`, "a", `"}}`))},
		{"fuzz -n N", "lines", func(int) string { return "" }},
	} {
		all = append(all, subject{"command: " + c.args + " with " + c.about, func(n int) func() {
			input := []byte(c.input(n))
			return func() {
				file := stored(`{` + day + `}`)
				defer os.Remove(file)
				args := strings.Fields(strings.NewReplacer("#", file, "N", fmt.Sprint(n/10)).Replace(c.args))
				command.Run(append(args, "--no-config"), bytes.NewReader(input), io.Discard, io.Discard)
			}
		}})
	}
	return all
}
