package aim

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// decodeEvent returns the event with the given members.
func decodeEvent(t *testing.T, members string) *event.Event {
	t.Helper()
	e, err := event.Decode([]byte(`{`+members+`}`), diag.Google)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

const (
	atNine = `"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`
	onTen  = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
)

// Which lists must have an event, and which must not.
func TestSelects(t *testing.T) {
	const (
		nine, ten, eleven = "2026-03-10T09:00:00Z", "2026-03-10T10:00:00Z", "2026-03-10T11:00:00Z"
		gone              = atNine + `,"status":"cancelled"`
		weekly            = atNine + `,"recurrence":["RRULE:FREQ=WEEKLY"]`
		properties        = `"extendedProperties":{"private":{"a":"1","none":""},"shared":{"b":"2"}}`
	)
	for _, test := range []struct {
		members string
		params  operation.Params
		want    presence
	}{
		{atNine, nil, yes},
		{atNine, operation.Params{"maxResults": {"1"}}, yes},
		{gone, nil, no},
		{gone, operation.Params{"showDeleted": {"true"}}, yes},
		{gone, operation.Params{"updatedMin": {nine}}, open},
		{gone, operation.Params{"showDeleted": {"true"}, "q": {"absent"}}, open},
		{gone, operation.Params{"showDeleted": {"true"}, "iCalUID": {""}}, open},
		{gone + `,"recurringEventId":"s"`, nil, open},
		{gone + `,"recurringEventId":"s"`, operation.Params{"showDeleted": {"true"}}, yes},
		{gone + `,"recurringEventId":"s"`, operation.Params{"showDeleted": {"true"}, "singleEvents": {"true"}}, open},
		{weekly, operation.Params{"singleEvents": {"true"}}, no},
		{weekly, operation.Params{"singleEvents": {"false"}}, yes},
		{weekly, operation.Params{"timeMin": {eleven}}, open},
		{atNine, operation.Params{"singleEvents": {"true"}}, yes},
		{atNine, operation.Params{"timeMin": {nine}, "timeMax": {ten}}, yes},
		{atNine, operation.Params{"timeMin": {ten}}, no},
		{atNine, operation.Params{"timeMax": {nine}}, no},
		{atNine, operation.Params{"timeMax": {eleven}}, yes},
		{strings.ReplaceAll(atNine, "T10", "T09"), operation.Params{"timeMax": {eleven}}, open}, // it has no length
		{onTen, operation.Params{"timeMax": {nine}}, open},                                      // it begins before in the east alone
		{onTen, operation.Params{"timeMax": {"2026-03-12T00:00:00Z"}}, yes},
		{onTen, operation.Params{"timeMin": {"2026-03-12T12:00:00Z"}}, no},
		{atNine + `,"iCalUID":"u"`, operation.Params{"iCalUID": {"u"}}, yes},
		{atNine + `,"iCalUID":"u"`, operation.Params{"iCalUID": {"v"}}, no},
		{atNine + `,"summary":"Weekly Review"`, operation.Params{"q": {"REVIEW"}}, yes},
		{atNine + `,"description":"a\u00e9b"`, operation.Params{"q": {"b"}}, yes},
		{atNine + `,"location":"Room 4"`, operation.Params{"q": {"4"}}, yes},
		{atNine + `,"summary":"Weekly Review"`, operation.Params{"q": {"view"}}, open}, // a part of a word
		{atNine + `,"summary":"Weekly Review"`, operation.Params{"q": {"daily"}}, no},
		{atNine + `,` + properties, operation.Params{"privateExtendedProperty": {"a=1"}}, yes},
		{atNine + `,` + properties, operation.Params{"privateExtendedProperty": {"a=2"}}, no},
		{atNine + `,` + properties, operation.Params{"privateExtendedProperty": {"a=1", "b=2"}}, no},
		{atNine + `,` + properties, operation.Params{"privateExtendedProperty": {"absent="}}, no},
		{atNine + `,` + properties, operation.Params{"privateExtendedProperty": {"none="}}, yes},
		{atNine + `,` + properties, operation.Params{"sharedExtendedProperty": {"b=2"}}, yes},
		{atNine + `,` + properties, operation.Params{"sharedExtendedProperty": {"a=1"}}, no},
		{atNine, operation.Params{"sharedExtendedProperty": {"a=1"}}, no},
		{atNine + `,"updated":"` + nine + `"`, operation.Params{"updatedMin": {nine}}, yes},
		{atNine + `,"updated":"` + nine + `"`, operation.Params{"updatedMin": {ten}}, no},
		{atNine + `,"updated":"` + nine + `"`, operation.Params{"updatedMin": {"now"}}, open},
		{atNine, operation.Params{"updatedMin": {nine}}, open},
		{atNine, operation.Params{"eventTypes": {"focusTime", "default"}}, yes},
		{atNine, operation.Params{"eventTypes": {"focusTime"}}, no},
		{atNine + `,"updated":"x"`, operation.Params{"updatedMin": {nine}, "eventTypes": {"focusTime"}}, no},
	} {
		e := decodeEvent(t, test.members)
		if got := (&stored{event: e}).selects(e, test.params); got != test.want {
			t.Errorf("a list with %v has {%s}: %d, want %d", test.params, test.members, got, test.want)
		}
	}
	e, exception := decodeEvent(t, weekly), decodeEvent(t, atNine+`,"recurringEventId":"s"`)
	s := &stored{event: e, exceptions: []*event.Event{exception}, isGone: true}
	shown := operation.Params{"showDeleted": {"true"}}
	if got := [2]presence{s.selects(e, shown), s.selects(exception, shown)}; got != [2]presence{yes, open} {
		t.Errorf("a list with deleted events has a deleted series and its exception: %v", got)
	}
}

// Words consist of letters and digits of ASCII.
func TestIsNoLetter(t *testing.T) {
	for r := range rune(0x200) {
		if got, want := isNoLetter(r), !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", r); got != want {
			t.Errorf("%q is no letter: %t", r, got)
		}
	}
}

// Only some times can be written in every zone, and in a parameter.
func TestHasPlainTimes(t *testing.T) {
	for times, want := range map[string][2]bool{
		atNine: {true, true}, onTen: {true, true},
		strings.ReplaceAll(atNine, "2026", "1979"):                                              {true, false},
		strings.ReplaceAll(onTen, "2026", "1980"):                                               {true, true},
		`"start":{"date":"1979-12-31"},"end":{"date":"1980-01-01"}`:                             {true, false},
		strings.ReplaceAll(atNine, "2026", "9990"):                                              {false, false},
		strings.ReplaceAll(atNine, "2026", "9989"):                                              {true, true},
		strings.ReplaceAll(onTen, "2026", "0001"):                                               {false, false},
		strings.ReplaceAll(onTen, "2026", "0002"):                                               {true, false},
		`"start":{"dateTime":"2016-12-31T23:59:60Z"},"end":{"dateTime":"2017-01-01T01:00:00Z"}`: {true, false},
		`"start":{"date":"2026-03-10"}`:                                                         {false, false},
		`"start":{"dateTime":"nine"},"end":{"date":"2026-03-11"}`:                               {false, false},
	} {
		e := decodeEvent(t, times)
		if _, _, ok := spanOf(e); ok != want[0] || hasPlainTimes(e) != want[1] {
			t.Errorf("%s can be in a parameter: %t, and in each zone: %t; want %v", times, ok, hasPlainTimes(e), want)
		}
	}
}

// A life reads lists with each parameter by which a list can be made smaller, and leaves out what no parameter can say.
func TestViewsOf(t *testing.T) {
	l := newLife()
	l.Nonce = "x"
	e := decodeEvent(t, atNine+`,"iCalUID":"u","summary":"Weekly -- Review!","location":"!!","updated":"2026-03-10T09:00:00Z",`+
		`"extendedProperties":{"private":{"":"0","a=b":"1","c":"2"},"shared":{"d":"e\u0000","f":"3"}}`)
	var got []string
	for _, view := range l.viewsOf(e) {
		got = append(got, strings.ReplaceAll(fmt.Sprint(view), "map", ""))
	}
	for _, want := range []string{
		"[timeMax:[2026-03-10T10:00:00Z] timeMin:[2026-03-10T09:00:00Z]]", "[timeMin:[2026-03-10T10:00:00Z]]", "[timeMax:[2026-03-10T09:00:00Z]]",
		"[orderBy:[startTime] singleEvents:[true] timeMax:[2026-03-12T10:00:00Z] timeMin:[2026-03-08T09:00:00Z]]",
		"[iCalUID:[u]]", "[iCalUID:[aimxnone@example.com]]", "[q:[Review]]", "[q:[aimxnone]]",
		"[privateExtendedProperty:[c=2]]", "[privateExtendedProperty:[c=2x]]", "[privateExtendedProperty:[c=2 aimxnone=1]]",
		"[sharedExtendedProperty:[f=3]]", "[sharedExtendedProperty:[f=3 aimxnone=1]]",
		"[updatedMin:[2026-03-10T09:00:00Z]]", "[eventTypes:[default]]", "[timeZone:[Asia/Tokyo]]", "[maxAttendees:[1]]",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no view is %s", want)
		}
	}
	for _, view := range got {
		if strings.Contains(view, "a=b") || strings.Contains(view, "=0") || strings.Contains(view, "d=e") {
			t.Errorf("%s asks for a property that no parameter can name", view)
		}
	}
	e.ICalUID, e.Updated = "", ""
	for _, view := range l.viewsOf(e) {
		for name, values := range view {
			if slices.Contains(values, "") {
				t.Errorf("the parameter %s is empty", name)
			}
		}
	}
	if l.Dialect = diag.Documents; slices.ContainsFunc(l.viewsOf(e), func(p operation.Params) bool { return p["eventTypes"] != nil }) {
		t.Error("a view has a parameter of another dialect")
	}
}

// listOf returns a list of one page with the given events.
func listOf(all ...*event.Event) *pages {
	p := &pages{entries: map[string]*event.Event{}, of: map[string]*sent{}, isWhole: true}
	p.sent, p.read = []*sent{answered(operation.EventsList, 200, "{}")}, []*event.Page{{}}
	for _, e := range all {
		p.entries[e.ID], p.of[e.ID] = e, p.last()
		p.read[0].Items = append(p.read[0].Items, *e)
	}
	return p
}

// The size and the order of a page are as its parameters ask.
func TestCompareForm(t *testing.T) {
	at := func(id, start, updated string) *event.Event {
		return decodeEvent(t, fmt.Sprintf(`"id":%q,"start":{%s},"updated":%q`, id, start, updated))
	}
	const early, late, day = `"dateTime":"2026-03-10T09:00:00Z"`, `"dateTime":"2026-03-10T10:00:00Z"`, `"date":"2026-03-01"`
	const before, after = "2026-03-10T09:00:00Z", "2026-03-10T10:00:00Z"
	for name, test := range map[string]struct {
		events []*event.Event
		params operation.Params
		want   bool
	}{
		"as many as asked": {[]*event.Event{at("a", early, after)}, operation.Params{"maxResults": {"1"}}, true},
		"one too many":     {[]*event.Event{at("a", early, after), at("b", early, after)}, operation.Params{"maxResults": {"1"}}, false},
		"no order":         {[]*event.Event{at("a", late, after), at("b", early, before)}, nil, true},
		"by start":         {[]*event.Event{at("a", early, after), at("b", late, before)}, operation.Params{"orderBy": {"startTime"}}, true},
		"equal":            {[]*event.Event{at("a", early, after), at("b", early, after)}, operation.Params{"orderBy": {"startTime"}}, true},
		"not by start":     {[]*event.Event{at("a", late, before), at("b", early, after)}, operation.Params{"orderBy": {"startTime"}}, false},
		"a day between":    {[]*event.Event{at("a", late, before), at("b", day, after), at("c", early, after)}, operation.Params{"orderBy": {"startTime"}}, false},
		"by change":        {[]*event.Event{at("a", late, before), at("b", early, after)}, operation.Params{"orderBy": {"updated"}}, true},
		"not by change":    {[]*event.Event{at("a", early, after), at("b", late, before)}, operation.Params{"orderBy": {"updated"}}, false},
		"unknown changes":  {[]*event.Event{at("a", early, after), at("b", late, "")}, operation.Params{"orderBy": {"updated"}}, true},
	} {
		l := newLife()
		l.compareForm(listOf(test.events...), test.params)
		if l.o.fault == "" != test.want {
			t.Errorf("%s: %s", name, l.o.message)
		}
	}
}

// Few properties are asked for together, and a list of changes can begin in a day.
func TestViewsOfProperties(t *testing.T) {
	l := newLife()
	most, later := 0, 0
	for _, view := range l.viewsOf(decodeEvent(t, atNine+`,"extendedProperties":{"private":{"a":"1","b":"2","c":"3","d":"4"}}`)) {
		most = max(most, len(view["privateExtendedProperty"]))
		if least, err := time.Parse(time.RFC3339, strings.Join(view["updatedMin"], "")); err == nil && time.Until(least) > 23*time.Hour {
			later++
		}
	}
	if most != 3 || later != 1 {
		t.Errorf("at most %d properties are asked for together, and %d lists begin in a day", most, later)
	}
}

// A day begins last twelve hours behind UTC, and first fourteen hours before.
func TestOutermostZones(t *testing.T) {
	for zone, want := range map[*time.Location]int{westernmost: -12, easternmost: 14} {
		if _, offset := time.Unix(0, 0).In(zone).Zone(); offset != want*3600 {
			t.Errorf("%v is %d seconds from UTC", zone, offset)
		}
	}
}

// Only a time has a place in an order.
func TestStartOf(t *testing.T) {
	for members, want := range map[string]bool{atNine: true, onTen: false, `"id":"abcde"`: false} {
		if _, ok := startOf(decodeEvent(t, members)); ok != want {
			t.Errorf("%s has a start: %t", members, ok)
		}
	}
}

// A list has the events that its parameters select, as they are stored.
func TestCompareList(t *testing.T) {
	const odd = `"status":"confirmed","start":{"date":"1979-03-10"},"end":{"date":"1979-03-11"}`
	e, other, gone := eventOf(t, "abcde", confirmed), eventOf(t, "other", confirmed), eventOf(t, "abcde", cancelled)
	there, also, changed := listed("abcde", confirmed), listed("other", confirmed), listed("abcde", confirmed+`,"summary":"A"`)
	search, deleted, tokyo := operation.Params{"q": {"absent"}}, operation.Params{"showDeleted": {"true"}}, operation.Params{"timeZone": {"Asia/Tokyo"}}
	both := []*event.Event{other}
	for name, test := range map[string]struct {
		s      *stored
		params operation.Params
		list   string
		want   string
	}{
		"listed":                {&stored{event: e}, nil, answerOf(there), ""},
		"changed":               {&stored{event: e}, nil, answerOf(changed), "summary"},
		"missing":               {&stored{event: e}, nil, answerOf(also), "does not contain the event abcde"},
		"both are missing":      {&stored{event: e, others: both}, nil, answerOf(), "does not contain the event abcde"},
		"another is missing":    {&stored{event: e, others: both}, nil, answerOf(there), "does not contain the event other"},
		"in a part of a list":   {&stored{event: e}, nil, endless(answerOf()), ""},
		"not selected":          {&stored{event: e}, search, answerOf(), ""},
		"not selected, but":     {&stored{event: e}, search, answerOf(there), "contains the event abcde"},
		"perhaps":               {&stored{event: e}, operation.Params{"q": {"confirm"}}, answerOf(), ""},
		"perhaps, and there":    {&stored{event: e}, operation.Params{"q": {"confirm"}}, answerOf(changed), "summary"},
		"deleted":               {&stored{event: gone}, deleted, answerOf(listed("abcde", cancelled)), ""},
		"deleted, other things": {&stored{event: gone}, deleted, answerOf(listed("abcde", cancelled+`,"summary":"A"`)), ""},
		"deleted, but there":    {&stored{event: gone}, deleted, answerOf(there), `the status of the deleted event abcde is "confirmed"`},
		"cancelled":             {&stored{event: e}, deleted, answerOf(listed("abcde", cancelled)), "status"},
		"in a zone":             {&stored{event: e}, tokyo, answerOf(changed), "summary"},
		"in a zone of old":      {&stored{event: eventOf(t, "abcde", odd)}, tokyo, answerOf(listed("abcde", odd+`,"summary":"A"`)), ""},
		"of old":                {&stored{event: eventOf(t, "abcde", odd)}, nil, answerOf(listed("abcde", odd+`,"summary":"A"`)), "summary"},
		"too many":              {&stored{event: e}, operation.Params{"maxResults": {"1"}}, answerOf(there, also), "maxResults is 1"},
		"no list":               {&stored{event: e}, nil, "", ""},
	} {
		l := lifeWith(t, func(*http.Request) (int, string) {
			if test.list == "" {
				return 501, "{}"
			}
			return 200, test.list
		}, test.s)
		if l.compareList(test.params); (l.o.fault != "") != (test.want != "") || !strings.Contains(l.o.place+": "+l.o.message, test.want) {
			t.Errorf("%s: %s: %s", name, l.o.place, l.o.message)
		}
	}
}

// lifeWith returns a life of an event against a server.
func lifeWith(t *testing.T, server answering, s *stored) *life {
	t.Helper()
	return &life{run: runWith(t, server), o: &outcome{story: &story{}}, s: s}
}

// A life that is over reads nothing more.
func TestLifeIsOver(t *testing.T) {
	e := eventOf(t, "abcde", threeDays)
	tape := draw.Seeded(1)
	for name, read := range map[string]func(l *life){
		"a list":       func(l *life) { l.compareList(nil) },
		"gets":         func(l *life) { l.compareGets(e) },
		"changes":      func(l *life) { l.compareChanges("token") },
		"a series":     func(l *life) { l.compareSeries(tape) },
		"cancelled":    func(l *life) { l.compareCancelled() },
		"an instance":  func(l *life) { l.getInstance(e) },
		"another":      func(l *life) { l.instance(0) },
		"instances":    func(l *life) { l.compareInstancesWith(nil, nil) },
		"what stays":   func(l *life) { l.stays() },
		"all":          func(l *life) { l.readAll("abcde") },
		"a write":      func(l *life) { l.write(operation.EventsDelete, e, nil) },
		"a trial":      func(l *life) { l.try(operation.EventsPatch, e, tree{"summary": "A"}) },
		"a refusal":    func(l *life) { l.refused("a delete", &event.Request{Op: operation.EventsDelete, Existing: e}) },
		"a move":       func(l *life) { l.move("primary", "second", e) },
		"a new event":  func(l *life) { l.add(e) },
		"another list": func(l *life) { l.compareSecond() },
		"a restored event": func(l *life) {
			l.s.isGone = true
			l.restoreEvent(tape)
		},
	} {
		for by, end := range map[string]func(l *life){
			"a fault": func(l *life) { l.o.fault = Lost }, "a doubt": func(l *life) { l.o.unclear = "odd" }, "an end": func(l *life) { l.ended = true },
			"a stop": func(l *life) { l.report.Stopped = "enough" }, "a reason": func(l *life) { l.o.notTried = "odd" },
		} {
			l := lifeWith(t, func(*http.Request) (int, string) { return 200, "{}" }, &stored{event: e})
			l.Second = "second"
			end(l)
			if read(l); len(l.o.requests) > 0 {
				t.Errorf("after %s, %s has %d requests", by, name, len(l.o.requests))
			}
		}
	}
}

// A get shows times in a zone, and as many guests as asked for.
func TestCompareGets(t *testing.T) {
	const guest = `{"email":"ada@example.com","responseStatus":"accepted"}`
	guests := confirmed + `,"attendees":[` + guest + `,{"email":"bob@example.com","responseStatus":"accepted"}]`
	e, old := eventOf(t, "abcde", guests), eventOf(t, "abcde", strings.ReplaceAll(guests, "2026", "1979"))
	there, cut := listed("abcde", guests), listed("abcde", confirmed+`,"attendees":[`+guest+`],"attendeesOmitted":true`)
	for name, test := range map[string]struct {
		e        *event.Event
		status   int // of the get with a zone
		zoned    string
		cut      string
		want     string
		requests int
	}{
		"both":            {e, 200, there, cut, "", 2},
		"a changed event": {e, 200, listed("abcde", guests+`,"summary":"A"`), cut, "summary", 1},
		"too many guests": {e, 200, there, there, "contains 2 attendees; maxAttendees is 1", 2},
		"changed and cut": {e, 200, there, listed("abcde", confirmed+`,"summary":"A","attendeesOmitted":true`), "summary", 2},
		"no zones":        {e, 404, "{}", there, "contains 2 attendees", 2},
		"no gets":         {e, 501, "{}", there, "", 1},
		"an old event":    {old, 200, there, strings.ReplaceAll(there, "2026", "1979"), "contains 2 attendees", 1},
	} {
		l := lifeWith(t, func(r *http.Request) (int, string) {
			if r.URL.Query().Has("timeZone") {
				return test.status, test.zoned
			}
			return 200, test.cut
		}, nil)
		l.compareGets(test.e)
		if (l.o.fault != "") != (test.want != "") || !strings.Contains(l.o.place+": "+l.o.message, test.want) || len(l.o.requests) != test.requests {
			t.Errorf("%s: %d requests, %s: %s", name, len(l.o.requests), l.o.place, l.o.message)
		}
	}
	l := lifeWith(t, func(*http.Request) (int, string) { return 200, "{}" }, nil)
	if l.Dialect = diag.Documents; !l.has(operation.EventsGet, operation.Params{"maxAttendees": {"1"}}) {
		if l.compareGets(e); len(l.o.requests) > 1 {
			t.Errorf("the documents lack maxAttendees, and there are %d requests", len(l.o.requests))
		}
	}
}

// The changes since the beginning of a life have all its events.
func TestCompareChanges(t *testing.T) {
	e, other, gone := eventOf(t, "abcde", confirmed), eventOf(t, "other", confirmed), eventOf(t, "other", cancelled)
	there, also := listed("abcde", confirmed), listed("other", confirmed)
	for name, test := range map[string]struct {
		all  []*stored
		list []string // its pages
		want string
	}{
		"both":              {[]*stored{{event: e}, {event: other}}, []string{answerOf(there, also)}, ""},
		"one is missing":    {[]*stored{{event: e}, {event: other}}, []string{answerOf(there)}, "does not contain the event other"},
		"both are missing":  {[]*stored{{event: e}, {event: other}}, []string{answerOf()}, "does not contain the event abcde"},
		"a part":            {[]*stored{{event: e}, {event: other}}, []string{endless(answerOf(there)), endless(answerOf())}, ""},
		"deleted":           {[]*stored{{event: e}, {event: other, isGone: true}}, []string{answerOf(there)}, ""},
		"changed":           {[]*stored{{event: e}}, []string{answerOf(listed("abcde", confirmed+`,"summary":"A"`))}, "summary"},
		"cancelled":         {[]*stored{{event: e}}, []string{answerOf(listed("abcde", cancelled))}, `the event abcde has the status "cancelled"`},
		"an instance":       {[]*stored{{event: e, exceptions: []*event.Event{gone}}}, []string{answerOf(there, listed("other", cancelled))}, ""},
		"still there":       {[]*stored{{event: e, exceptions: []*event.Event{gone}}}, []string{answerOf(there, also)}, `the event other has the status "confirmed"`},
		"a large page":      {[]*stored{{event: e}}, []string{answerOf(there, also, listed("third", confirmed))}, "the page contains 3 events; maxResults is 2"},
		"no list":           {[]*stored{{event: e}}, nil, ""},
		"changed instances": {[]*stored{{event: e, exceptions: []*event.Event{other}}}, []string{answerOf(there, listed("other", confirmed+`,"summary":"A"`))}, "summary"},
	} {
		n := 0
		l := lifeWith(t, func(*http.Request) (int, string) {
			n++
			if test.list == nil {
				return 501, "{}"
			}
			return 200, test.list[min(n, len(test.list))-1]
		}, nil)
		l.all = test.all
		if l.compareChanges(""); n > 0 {
			t.Errorf("%s: without a token, %d requests", name, n)
		}
		if l.compareChanges("since"); (l.o.fault != "") != (test.want != "") || !strings.Contains(l.o.place+": "+l.o.message, test.want) {
			t.Errorf("%s: %s: %s", name, l.o.place, l.o.message)
		}
	}
}

// The instances of a series are read with each parameter that can say which.
func TestCompareSeries(t *testing.T) {
	daily := func(members, rule string) *event.Event {
		return eventOf(t, "abcde", members+`,"status":"confirmed","recurrence":[`+rule+`]`)
	}
	const one, single = `"RRULE:FREQ=DAILY;COUNT=1"`, "maxResults=2 timeZone=Asia/Tokyo "
	const at, end = "2026-03-10T09:00:00Z", "2026-03-10T10:00:00Z"
	const windows = "timeMax=" + end + "&timeMin=" + at + " timeMin=" + end + " timeMax=" + at + " "
	moved := eventOf(t, "abcde_1", onTen+`,"status":"confirmed","recurringEventId":"abcde","originalStartTime":{"dateTime":"2026-03-10T09:00:00Z"}`)
	for name, test := range map[string]struct {
		s    *stored
		want string // the parameters of the requests
	}{
		"an hour":           {&stored{event: daily(atNine, one)}, single + windows + "originalStart=" + at + " showDeleted=true "},
		"a day":             {&stored{event: daily(onTen, one)}, single + "showDeleted=true "},
		"no length":         {&stored{event: daily(strings.ReplaceAll(atNine, "T10", "T09"), one)}, single + "originalStart=" + at + " showDeleted=true "},
		"moved to a day":    {&stored{event: daily(atNine, one), exceptions: []*event.Event{moved}}, single + "showDeleted=true "},
		"long ago":          {&stored{event: daily(strings.ReplaceAll(atNine, "2026", "1999"), one)}, single + strings.ReplaceAll(windows, "2026", "1999") + "showDeleted=true "},
		"before 1980":       {&stored{event: daily(strings.ReplaceAll(atNine, "2026", "1979"), one)}, "maxResults=2 " + strings.ReplaceAll(windows, "2026", "1979") + "showDeleted=true "},
		"in a far year":     {&stored{event: daily(strings.ReplaceAll(atNine, "2026", "2099"), one)}, ""},
		"without end":       {&stored{event: daily(atNine, `"RRULE:FREQ=DAILY"`)}, ""},
		"without instances": {&stored{event: daily(atNine, one+`,"EXDATE:20260310T090000Z"`)}, ""},
		"deleted":           {&stored{event: daily(atNine, one), isGone: true}, ""},
		"no series":         {&stored{event: eventOf(t, "abcde", confirmed)}, ""},
	} {
		got := ""
		l := lifeWith(t, func(r *http.Request) (int, string) {
			if r.URL.RawQuery != "" {
				query, _ := url.QueryUnescape(r.URL.RawQuery)
				got += query + " "
			}
			return 404, "{}"
		}, test.s)
		if l.compareSeries(draw.Seeded(1)); got != test.want || l.o.fault != "" {
			t.Errorf("%s: %q, want %q, %s", name, got, test.want, l.o.message)
		}
	}
}

// A list of instances with deleted ones has each cancelled instance.
func TestCompareCancelled(t *testing.T) {
	const of = `,"recurringEventId":"abcde","originalStartTime":{"dateTime":"2026-03-10T09:00:00Z"}`
	changed, gone := eventOf(t, "changed", confirmed+of), eventOf(t, "gone", cancelled+of)
	is, was := listed("changed", confirmed+of), listed("gone", cancelled+of)
	for name, test := range map[string]struct {
		exceptions []*event.Event
		list       string
		want       string
	}{
		"none":              {nil, answerOf(), ""},
		"both":              {[]*event.Event{changed, gone}, answerOf(is, was), ""},
		"one is missing":    {[]*event.Event{changed, gone}, answerOf(is), "the instance gone is missing"},
		"one is cancelled":  {[]*event.Event{changed, gone}, answerOf(listed("changed", cancelled+of), was), "the instance changed is missing"},
		"one is there":      {[]*event.Event{changed, gone}, answerOf(is, listed("gone", confirmed+of)), "the instance gone is missing"},
		"a part":            {[]*event.Event{changed, gone}, endless(answerOf()), ""},
		"no instances here": {[]*event.Event{changed, gone}, "", ""},
	} {
		n := 0
		l := lifeWith(t, func(*http.Request) (int, string) {
			if n++; test.list == "" {
				return 501, "{}"
			}
			if n > 1 {
				return 200, endless(answerOf())
			}
			return 200, test.list
		}, &stored{event: eventOf(t, "abcde", threeDays), exceptions: test.exceptions})
		if l.compareCancelled(); (l.o.fault != "") != (test.want != "") || !strings.Contains(l.o.message, test.want) {
			t.Errorf("%s: %s", name, l.o.message)
		}
	}
}

// An instance has the id that the server gives it.
func TestGetInstance(t *testing.T) {
	series := eventOf(t, "abcde", threeDays)
	all := instances(t, series)
	third := strings.ReplaceAll(all[2], "abcde_20260312T090000Z", "third")
	all[2] = third
	for name, test := range map[string]struct {
		list, get int // the statuses
		day       string
		isFound   bool
		want      string
	}{
		"there":        {200, 200, "2026-03-12", true, ""},
		"not listed":   {200, 200, "2026-03-13", false, ""},
		"not returned": {200, 404, "2026-03-12", false, "does not return the instance third"},
		"no instances": {404, 200, "2026-03-12", false, ""},
		"no gets":      {200, 501, "2026-03-12", false, ""},
	} {
		l := lifeWith(t, func(r *http.Request) (int, string) {
			if strings.HasSuffix(r.URL.Path, "/instances") {
				return test.list, answerOf(all...)
			}
			return test.get, third
		}, &stored{event: series})
		i := &event.Event{OriginalStartTime: &event.Time{DateTime: test.day + "T09:00:00Z"}}
		x := l.getInstance(i)
		if (x != nil) != test.isFound || test.isFound && i.ID != "third" || (l.o.fault != "") != (test.want != "") || !strings.Contains(l.o.message, test.want) {
			t.Errorf("%s: %v has the id %q: %s", name, x, i.ID, l.o.message)
		}
	}
}

// Instances are compared with those that a window has, for certain or in some zones.
func TestInWindow(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 3, 10, hour, 0, 0, 0, time.UTC) }
	hour, day := eventOf(t, "hour", confirmed), eventOf(t, "day", onTen)
	empty := eventOf(t, "empty", strings.ReplaceAll(atNine, "T10", "T09"))
	for name, test := range map[string]struct {
		e            *event.Event
		from, to     time.Time
		isIn, isEdge bool
	}{
		"in it":          {hour, at(9), at(10), true, false},
		"before":         {hour, at(10), at(11), false, false},
		"a day of all":   {day, at(8), at(13), true, false},
		"of some zones":  {day, at(-5), at(-4), true, true},
		"of other zones": {day, at(30), at(31), true, true},
		"of no zone":     {day, at(40), at(41), false, false},
		"no length":      {empty, at(8), at(11), true, true},
	} {
		all := map[string]expectation{"key": {Instance: event.Instance{Event: test.e}}}
		i, isIn := inWindow(all, event.Window{From: test.from, To: test.to, Overlap: true})["key"]
		if isIn != test.isIn || i.isEdge != test.isEdge {
			t.Errorf("%s: %t, at the edge: %t", name, isIn, i.isEdge)
		}
	}
}

// A list of instances is compared if the operation has its parameters.
func TestCompareInstancesWith(t *testing.T) {
	series := eventOf(t, "abcde", threeDays)
	all := instances(t, series)
	want, _ := expected(&stored{event: series}, time.Time{}, time.Time{})
	for name, test := range map[string]struct {
		params operation.Params
		list   string
		want   string
		reads  int
	}{
		"all":          {nil, answerOf(all...), "", 1},
		"one missing":  {nil, answerOf(all[1:]...), "the instance at 2026-03-10T09:00:00Z", 1},
		"a large page": {operation.Params{"maxResults": {"2"}}, answerOf(all...), "maxResults is 2", 1},
		"no list":      {nil, "", "", 1},
		"no parameter": {operation.Params{"orderBy": {"startTime"}}, answerOf(), "", 0},
		"in a zone":    {operation.Params{"timeZone": {"Asia/Tokyo"}}, answerOf(all...), "", 1},
	} {
		l := lifeWith(t, func(*http.Request) (int, string) {
			if test.list == "" {
				return 501, "{}"
			}
			return 200, test.list
		}, &stored{event: series})
		l.compareInstancesWith(test.params, want)
		if (l.o.fault != "") != (test.want != "") || !strings.Contains(l.o.message, test.want) || len(l.o.requests) != test.reads {
			t.Errorf("%s: %d reads, %s", name, len(l.o.requests), l.o.message)
		}
	}
}

// Some parameters change how an event is shown.
func TestShows(t *testing.T) {
	params := operation.Params{"timeZone": {"UTC"}, "maxAttendees": {"1"}, "q": {"x"}}
	if diff := cmp.Diff(operation.Params{"timeZone": {"UTC"}, "maxAttendees": {"1"}}, shows(params)); diff != "" || len(shows(nil)) != 0 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
