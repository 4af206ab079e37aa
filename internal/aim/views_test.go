package aim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
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
