package event_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/recurrence"
)

const splitSeries = `{"kind":"calendar#event","etag":"\"1\"","id":"standup1","iCalUID":"standup1@example.com","htmlLink":"https://example.com/e","created":"2026-01-05T08:00:00Z",` +
	`"updated":"2026-01-05T08:00:00Z","creator":{"email":"a@example.com"},"organizer":{"email":"a@example.com"},"sequence":3,"summary":"Standup","location":"Room 1",` +
	`"attendees":[{"email":"b@example.com","self":true}],"start":{"dateTime":"2026-03-06T09:00:00-05:00","timeZone":"America/New_York"},` +
	`"end":{"dateTime":"2026-03-06T09:30:00-05:00","timeZone":"America/New_York"},"recurrence":["RRULE:FREQ=DAILY;COUNT=6","EXDATE;TZID=America/New_York:20260307T090000,20260310T090000"]}`

func splitExceptions(t *testing.T) []*event.Event {
	var list []*event.Event
	err := json.Unmarshal([]byte(`[
		{"id":"standup1_20260306T140000Z","recurringEventId":"standup1","originalStartTime":{"dateTime":"2026-03-06T14:00:00Z"},"status":"cancelled"},
		{"id":"standup1_20260311T130000Z","iCalUID":"standup1@example.com","etag":"\"2\"","recurringEventId":"standup1","originalStartTime":{"dateTime":"2026-03-11T13:00:00Z"},
		 "summary":"Standup, late","start":{"dateTime":"2026-03-11T11:00:00-04:00"},"end":{"dateTime":"2026-03-11T11:30:00-04:00"}},
		{"id":"other_20260311T130000Z","recurringEventId":"other","originalStartTime":{"dateTime":"2026-03-11T13:00:00Z"},"status":"cancelled"}]`), &list)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestSplit(t *testing.T) {
	series := new(event.Event)
	if err := series.UnmarshalJSON([]byte(splitSeries)); err != nil {
		t.Fatal(err)
	}
	split, err := event.Series{Event: series, Exceptions: splitExceptions(t)}.Split(&event.Time{DateTime: "2026-03-09T13:00:00Z"})
	if err != nil {
		t.Fatal(err)
	}
	got := []string{split.Patch.String(), split.Insert.String()}
	for _, e := range split.Moved {
		got = append(got, e.String())
	}
	want := []string{
		`{"recurrence":["RRULE:FREQ=DAILY;COUNT=3","EXDATE;TZID=America/New_York:20260307T090000"]}`,
		`{"summary":"Standup","location":"Room 1","start":{"dateTime":"2026-03-09T09:00:00-04:00","timeZone":"America/New_York"},` +
			`"end":{"dateTime":"2026-03-09T09:30:00-04:00","timeZone":"America/New_York"},` +
			`"recurrence":["RRULE:FREQ=DAILY;COUNT=3","EXDATE;TZID=America/New_York:20260310T090000"],"attendees":[{"email":"b@example.com"}]}`,
		`{"id":"standup1_20260311T130000Z","summary":"Standup, late","start":{"dateTime":"2026-03-11T11:00:00-04:00"},"end":{"dateTime":"2026-03-11T11:30:00-04:00"},` +
			`"originalStartTime":{"dateTime":"2026-03-11T13:00:00Z"}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text := series.String(); text != mustEvent(t, splitSeries).String() {
		t.Errorf("the series is now %s", text)
	}
	for op, e := range map[string]*event.Event{"insert": split.Insert} {
		if found := must(event.Find(&event.Request{Op: "events.insert", Event: e})); found.Rejected() {
			t.Errorf("%s: %v", op, found)
		}
	}
}

func mustEvent(t *testing.T, text string) *event.Event {
	e := new(event.Event)
	if err := e.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return e
}

// A series that is split at its first instance has no patch: all of it is new.
func TestSplitAtFirst(t *testing.T) {
	split, err := event.Series{Event: mustEvent(t, splitSeries), Exceptions: splitExceptions(t)}.Split(&event.Time{DateTime: "2026-03-06T14:00:00Z"})
	if split.Patch != nil || split.Insert == nil || len(split.Moved) != 2 || err != nil {
		t.Errorf("Split = %v, %v, %d exceptions, %v", split.Patch, split.Insert, len(split.Moved), err)
	}
}

func TestEditErrors(t *testing.T) {
	var inexact *recurrence.EditError
	series := mustEvent(t, splitSeries)
	for _, at := range []string{"2026-03-09T13:00:01Z", "2026-03-07T14:00:00Z"} {
		if _, err := (event.Series{Event: series}).Split(&event.Time{DateTime: at}); !errors.As(err, &inexact) {
			t.Errorf("at %q: %v", at, err)
		}
	}
	days := mustEvent(t, `{"id":"d","start":{"date":"2026-03-10"},"end":{"date":"2026-03-12"},"recurrence":["RRULE:FREQ=DAILY"]}`)
	const date, dateTime = "give a date such as 2026-03-10", "give a dateTime such as 2026-03-10T09:00:00-04:00"
	for _, c := range []struct {
		series *event.Event
		at     *event.Time
		want   string
	}{
		{series, nil, "the time is missing; " + dateTime},
		{series, &event.Time{}, "the time is missing; " + dateTime},
		{days, nil, "the time is missing; " + date},
		{series, event.Date(2026, time.March, 9), "the event is timed but the time is a date; " + dateTime},
		{days, &event.Time{DateTime: "2026-03-11T00:00:00Z"}, "the event is all-day but the time is not; " + date},
		{series, &event.Time{DateTime: "soon"}, "the time cannot be read; " + dateTime},
		{days, &event.Time{Date: "2026-02-30"}, "the time cannot be read; " + date},
		{nil, nil, event.ErrNoSeries.Error()},
	} {
		for name, edit := range edits {
			if err := edit(event.Series{Event: c.series}, c.at); err == nil || err.Error() != c.want {
				t.Errorf("%s at %v: %v, want %s", name, c.at, err, c.want)
			}
		}
	}
}

// edits are the methods that take a time in the form of the start of a series.
var edits = map[string]func(event.Series, *event.Time) error{
	"Split":    func(s event.Series, at *event.Time) error { _, err := s.Split(at); return err },
	"Truncate": func(s event.Series, at *event.Time) error { _, err := s.Truncate(at); return err },
	"Move":     func(s event.Series, at *event.Time) error { _, err := s.Move(at); return err },
	"At":       func(s event.Series, at *event.Time) error { _, err := s.At(at); return err },
}

// Exceptions that replace no instance stay with the series. They go if it ends.
func TestEditsAndStrays(t *testing.T) {
	exceptions := slices.Concat([]*event.Event{
		mustEvent(t, `{"id":"excluded","recurringEventId":"standup1","originalStartTime":{"dateTime":"2026-03-10T13:00:00Z"}}`),
		mustEvent(t, `{"id":"beside","recurringEventId":"standup1","originalStartTime":{"dateTime":"2026-03-11T13:00:01Z"}}`),
		mustEvent(t, `{"id":"day","recurringEventId":"standup1","originalStartTime":{"date":"2026-03-11"}}`),
		mustEvent(t, `{"id":"other","recurringEventId":"standup2","originalStartTime":{"dateTime":"2026-03-11T13:00:00Z"}}`),
		mustEvent(t, `{"id":"lost","recurringEventId":"standup1"}`),
		nil,
	}, splitExceptions(t))
	ids := func(list []*event.Event) (ids []string) {
		for _, e := range list {
			ids = append(ids, e.ID)
		}
		return ids
	}
	at := &event.Time{DateTime: "2026-03-09T13:00:00Z"}
	series := event.Series{Event: mustEvent(t, splitSeries), Exceptions: exceptions}
	split, err := series.Split(at)
	if diff := cmp.Diff([]string{"standup1_20260311T130000Z"}, ids(split.Moved)); err != nil || diff != "" {
		t.Errorf("Split: %v (-want +got):\n%s", err, diff)
	}
	move, err := series.Move(&event.Time{DateTime: "2026-03-06T15:30:00-05:00"})
	if diff := cmp.Diff([]string{"standup1_20260311T130000Z", "standup1_20260306T140000Z"}, ids(move.Moved)); err != nil || diff != "" {
		t.Errorf("Move: %v (-want +got):\n%s", err, diff)
	}
	truncate, err := series.Truncate(at)
	if diff := cmp.Diff([]string{"excluded", "beside", "day", "standup1_20260311T130000Z"}, ids(truncate.Removed)); err != nil || diff != "" {
		t.Errorf("Truncate: %v (-want +got):\n%s", err, diff)
	}
}

// uncounted is a series that takes more than a budget to count up to a later instance.
func uncounted(t *testing.T) *event.Event {
	return mustEvent(t, `{"id":"s","start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-10T10:00:00Z","timeZone":"UTC"},`+
		`"recurrence":["RRULE:FREQ=SECONDLY;COUNT=90000000;BYHOUR=1,9,10;BYSETPOS=1"]}`)
}

// If it takes too long to find out whether there is an instance, no edit guesses.
func TestEditsOverBudget(t *testing.T) {
	series := uncounted(t)
	first, later := series.Start, &event.Time{DateTime: "2029-03-10T09:00:00Z"}
	exceptions := []*event.Event{nil, mustEvent(t, `{"id":"x","recurringEventId":"s","originalStartTime":{"dateTime":"2029-03-10T09:00:00Z"},"status":"cancelled"}`)}
	_, split := event.Series{Event: series, Exceptions: exceptions}.Split(first)
	_, move := event.Series{Event: series, Exceptions: exceptions}.Move(&event.Time{DateTime: "2026-03-10T09:00:00Z"})
	_, at := event.Series{Event: series}.At(later)
	for name, err := range map[string]error{"Split": split, "Move": move, "At": at} {
		if _, ok := errors.AsType[*recurrence.BudgetError](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (event.Series{Event: series}).Truncate(later); !errors.As(err, new(*recurrence.EditError)) {
		t.Errorf("Truncate: %v", err)
	}
}

// The instances of both series are those of the whole, with the same ends.
func TestSplitIsWhole(t *testing.T) {
	starts := []string{
		`"start":{"date":"2026-03-06"},"end":{"date":"2026-03-08"}`,
		`"start":{"dateTime":"2026-03-06T22:30:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-07T05:00:00","timeZone":"Europe/Paris"}`,
		`"start":{"dateTime":"2026-03-07T02:30:00.5","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-09T02:30:00.75","timeZone":"America/New_York"}`,
	}
	rules := []string{"DAILY;COUNT=9", "WEEKLY;INTERVAL=2;BYDAY=FR,SA,TU", "MONTHLY;COUNT=5", "YEARLY;UNTIL=20401231", "MONTHLY;BYDAY=FR,SA;BYSETPOS=-1,2"}
	list := func(e *event.Event, n int) (all []string) {
		for i, err := range (event.Series{Event: e}).Instances(event.Window{}) {
			if err != nil || len(all) == n {
				break
			}
			all = append(all, i.Start.String()+" "+i.End.String())
		}
		return all
	}
	rapid.Check(t, func(r *rapid.T) {
		series := mustEvent(t, `{"summary":"S",`+rapid.SampledFrom(starts).Draw(r, "start")+`,"recurrence":["RRULE:FREQ=`+rapid.SampledFrom(rules).Draw(r, "rule")+`"]}`)
		all := list(series, 12)
		i := rapid.IntRange(0, len(all)-1).Draw(r, "at")
		var at *event.Time
		for instance := range (event.Series{Event: series}).Instances(event.Window{}) {
			if at = instance.OriginalStartTime; i == 0 {
				break
			}
			i--
		}
		split, err := event.Series{Event: series}.Split(at)
		if err != nil {
			r.Fatalf("%s at %s: %v", series, at, err)
		}
		var halves []string
		if split.Patch != nil {
			first := series.Clone()
			first.Recurrence = split.Patch.Recurrence
			halves = list(first, 13)
		}
		if halves = append(halves, list(split.Insert, len(all)-len(halves))...); !slices.Equal(all, halves) {
			r.Fatalf("%s at %s (-whole +halves):\n%s", series, at, cmp.Diff(all, halves))
		}
	})
}

// A series that ends before an instant keeps what comes before, and its later exceptions are to be deleted.
func TestTruncate(t *testing.T) {
	series := mustEvent(t, splitSeries)
	for _, test := range []struct {
		at, patch string
		removed   []string
	}{
		{"2026-03-09T13:00:00Z", `{"recurrence":["RRULE:FREQ=DAILY;COUNT=3","EXDATE;TZID=America/New_York:20260307T090000"]}`, []string{"standup1_20260311T130000Z"}},
		{"2026-03-09T12:00:00Z", `{"recurrence":["RRULE:FREQ=DAILY;COUNT=3","EXDATE;TZID=America/New_York:20260307T090000"]}`, []string{"standup1_20260311T130000Z"}},
		{"2026-03-06T14:00:00Z", `null`, []string{"standup1_20260306T140000Z", "standup1_20260311T130000Z"}},
	} {
		truncate, err := event.Series{Event: series, Exceptions: splitExceptions(t)}.Truncate(&event.Time{DateTime: test.at})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, e := range truncate.Removed {
			ids = append(ids, e.ID)
		}
		if got := string(truncate.Patch.AppendJSON(nil)); got != test.patch || !slices.Equal(ids, test.removed) {
			t.Errorf("at %s the patch is %s, and %q are removed", test.at, got, ids)
		}
	}
}

// One instance is the stored exception or is made from the series, and a patch changes it alone.
func TestSeriesAt(t *testing.T) {
	series, exceptions := mustEvent(t, splitSeries), append([]*event.Event{nil, mustEvent(t, `{"id":"lost","recurringEventId":"standup1"}`),
		mustEvent(t, `{"id":"own","recurringEventId":"standup1","originalStartTime":{"dateTime":"2026-03-09T13:00:00Z"},"start":{"dateTime":"2026-03-09T14:00:00Z"},"end":{"dateTime":"2026-03-09T15:00:00Z"}}`),
	}, splitExceptions(t)...)
	for at, want := range map[string]string{
		"2026-03-08T13:00:00Z":      "standup1_20260308T130000Z 2026-03-08T09:00:00-04:00",
		"2026-03-09T13:00:00Z":      "own 2026-03-09T14:00:00Z",
		"2026-03-11T09:00:00-04:00": "standup1_20260311T130000Z 2026-03-11T11:00:00-04:00", // the exception
		"2026-03-06T14:00:00Z":      "",                                                    // cancelled
		"2026-03-10T13:00:00Z":      "",                                                    // excluded
		"2026-03-08T14:00:00Z":      "",
	} {
		e, err := event.Series{Event: series, Exceptions: exceptions}.At(&event.Time{DateTime: at})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if e != nil {
			got = e.ID + " " + e.Start.DateTime
		}
		if got != want {
			t.Errorf("at %s there is %q, want %q", at, got, want)
		}
	}
	instance, err := event.Series{Event: series, Exceptions: exceptions}.At(&event.Time{DateTime: "2026-03-08T13:00:00Z"})
	if err != nil {
		t.Fatal(err)
	}
	next := instance.Clone()
	next.Summary = "Standup, short"
	patch, remain := instance.PatchTo(next, diag.Documents)
	if string(patch) != `{"summary":"Standup, short"}` || remain != nil {
		t.Errorf("the patch is %s, and %v remain", patch, remain)
	}
}

// An exception without times of its own takes place when the instance would.
func TestExceptionWithoutTimes(t *testing.T) {
	series := mustEvent(t, splitSeries)
	late := mustEvent(t, `{"id":"standup1_20260308T130000Z","recurringEventId":"standup1","originalStartTime":{"dateTime":"2026-03-08T13:00:00Z"},"summary":"Standup, short"}`)
	var got []string
	for i, err := range (event.Series{Event: series, Exceptions: []*event.Event{late}}).Instances(event.Window{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, i.Summary+" "+i.Start.DateTime+" "+i.End.DateTime+" "+string(i.Span.Origin))
	}
	want := []string{
		"Standup 2026-03-06T09:00:00-05:00 2026-03-06T09:30:00-05:00 start",
		"Standup, short 2026-03-08T09:00:00-04:00 2026-03-08T09:30:00-04:00 exception",
		"Standup 2026-03-09T09:00:00-04:00 2026-03-09T09:30:00-04:00 rule",
		"Standup 2026-03-11T09:00:00-04:00 2026-03-11T09:30:00-04:00 rule",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if late.Start != nil {
		t.Error("Instances writes to the exception")
	}
}

// An exception without times has those of its own instance, which a PERIOD can make longer. In another form, it belongs to
// no instance, and has no time at which it could take place.
func TestExceptionTakesInstance(t *testing.T) {
	series := mustEvent(t, `{"id":"s","start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-10T10:00:00Z","timeZone":"UTC"},`+
		`"recurrence":["RRULE:FREQ=DAILY;COUNT=2","RDATE;VALUE=PERIOD:20260320T130000Z/PT3H"]}`)
	list := func(exceptions ...*event.Event) (got []string) {
		for i, err := range (event.Series{Event: series, Exceptions: exceptions}).Instances(event.Window{}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, i.Start.DateTime+" "+i.End.DateTime)
		}
		return got
	}
	for _, original := range []string{`{"date":"2026-03-11"}`, `{"dateTime":"2026-03-20T13:00:00Z"}`} {
		e := mustEvent(t, `{"id":"x","recurringEventId":"s","originalStartTime":`+original+`}`)
		if diff := cmp.Diff(list(), list(e)); diff != "" {
			t.Errorf("with an exception of %s (-without +with):\n%s", original, diff)
		}
	}
}

// searched returns a series whose instances take long to find: each is a choice among many, and they are far away.
func searched(t *testing.T) *event.Event {
	var sixty []string
	for i := range 60 {
		sixty = append(sixty, strconv.Itoa(i))
	}
	all := strings.Join(sixty, ",")
	return mustEvent(t, `{"id":"s","start":{"dateTime":"2026-03-06T09:00:00-05:00","timeZone":"America/New_York"},`+
		`"end":{"dateTime":"2026-03-06T10:00:00-05:00","timeZone":"America/New_York"},`+
		`"recurrence":["RRULE:FREQ=HOURLY;BYMINUTE=`+all+`;BYSECOND=`+all+`;BYSETPOS=-1,1,36;COUNT=1000000000","RDATE;VALUE=PERIOD:90000101T000000Z/PT3H"]}`)
}

// An exception without times takes those of its instance without a search for it, which each exception would pay for.
func TestExceptionNeedsNoSearch(t *testing.T) {
	series := searched(t)
	e := mustEvent(t, `{"id":"x","recurringEventId":"s","originalStartTime":{"dateTime":"9000-01-01T00:00:00Z"}}`)
	var got []string
	for i, err := range (event.Series{Event: series, Exceptions: []*event.Event{e}, Options: recurrence.Options{Budget: 1}}).Instances(event.Window{From: time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC)}) {
		if err == nil {
			got = append(got, i.ID+" "+i.Start.DateTime+" "+i.End.DateTime)
		}
	}
	if want := []string{"x 8999-12-31T19:00:00-05:00 8999-12-31T22:00:00-05:00"}; !slices.Equal(got, want) {
		t.Errorf("the instances are %q, want %q", got, want)
	}
}

// The exceptions of a split share the steps of a few searches.
func TestExceptionsShareBudget(t *testing.T) {
	series := searched(t)
	exceptions := func(n int) (list []*event.Event) {
		for i := range n { // at the searches that the series makes longest
			list = append(list, mustEvent(t, fmt.Sprintf(`{"id":"x%d","recurringEventId":"s","originalStartTime":{"dateTime":"%d-01-01T04:59:59Z"}}`, i, 6000+i)))
		}
		return list
	}
	var over *recurrence.BudgetError
	for n, steps := range map[int]int{1: 1 << 20, 4: 1 << 20, 100: 4 << 20 / 100, 2000: 1 << 12} {
		if _, err := (event.Series{Event: series, Exceptions: exceptions(n)}).Split(series.Start); !errors.As(err, &over) || over.Steps != steps {
			t.Errorf("%d exceptions: %v, want an error after %d steps", n, err, steps)
		}
	}
}

// What no date can express is no result of an edit.
func TestEndOfCalendar(t *testing.T) {
	var inexact *recurrence.EditError
	day := func(start, end string) *event.Event {
		return mustEvent(t, `{"id":"s","start":{"date":"`+start+`"},"end":{"date":"`+end+`"},"recurrence":["RRULE:FREQ=DAILY"]}`)
	}
	for _, test := range []struct {
		series     *event.Event
		at         string
		exceptions string
		isRefused  bool
	}{
		{day("9999-12-29", "9999-12-30"), "9999-12-30", "", false},
		{day("9999-12-29", "9999-12-30"), "9999-12-31", "", true},
		{day("2026-01-01", "9999-12-31"), "2026-01-02", "", true},
		{day("9999-12-01", "9999-12-02"), "9999-12-02", "9999-12-29", false},
		{day("9999-12-01", "9999-12-02"), "9999-12-02", "9999-12-30", true},
	} {
		var exceptions []*event.Event
		if test.exceptions != "" {
			exceptions = append(exceptions, mustEvent(t, `{"id":"x","recurringEventId":"s","originalStartTime":{"date":"`+test.exceptions+`"}}`))
		}
		at := &event.Time{Date: test.at}
		_, err := event.Series{Event: test.series}.Split(at)
		_, moveErr := event.Series{Event: test.series, Exceptions: exceptions}.Move(at)
		if test.exceptions != "" {
			err = moveErr
		}
		if errors.As(err, &inexact) != test.isRefused || errors.As(moveErr, &inexact) != test.isRefused {
			t.Errorf("%s to %s: %v, %v", test.series, test.at, err, moveErr)
		}
	}
	for at, want := range map[string]string{ // the offset of the zone has seconds then, so these are written in UTC
		"0000-01-01T00:00:00": "the instance is outside the years 0 to 9999, so no date can express it",
		"0000-01-01T04:28:11": "the instance is outside the years 0 to 9999, so no date can express it",
		"0000-01-01T04:28:12": "0000-01-01T00:00:00Z",
	} {
		series := mustEvent(t, `{"id":"s","start":{"dateTime":"2026-03-10T09:00:00","timeZone":"Asia/Karachi"},"end":{"dateTime":"2026-03-10T10:00:00","timeZone":"Asia/Karachi"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)
		exception := mustEvent(t, `{"id":"x","recurringEventId":"s","originalStartTime":{"dateTime":"2026-03-10T09:00:00+05:00"}}`)
		move, err := event.Series{Event: series, Exceptions: []*event.Event{exception}}.Move(&event.Time{DateTime: at, TimeZone: "Asia/Karachi"})
		got := fmt.Sprint(err)
		if err == nil {
			got = move.Moved[0].OriginalStartTime.DateTime
		}
		if got != want {
			t.Errorf("a series moves to %s: %s, want %s", at, got, want)
		}
	}
	early := mustEvent(t, `{"id":"s","start":{"date":"0000-01-03"},"end":{"date":"0000-01-04"},"recurrence":["RRULE:FREQ=DAILY","RDATE;VALUE=DATE:00000103"]}`)
	own := mustEvent(t, `{"id":"s_00000104","recurringEventId":"s","status":"cancelled","originalStartTime":{"date":"0000-01-04"}}`)
	move, err := event.Series{Event: early, Exceptions: []*event.Event{own}}.Move(&event.Time{Date: "0000-01-01"})
	if err != nil || len(move.Moved) != 1 { // before the zero time.Time, which is in the year 1
		t.Errorf("%d exceptions move: %v", len(move.Moved), err)
	}
}

// An exception without times is left out if its instance is, because it would end after the year 9999.
func TestExceptionEndsTooLate(t *testing.T) {
	series := mustEvent(t, `{"id":"s","start":{"date":"9999-12-29"},"end":{"date":"9999-12-30"},"recurrence":["RRULE:FREQ=DAILY"]}`)
	for original, want := range map[string]int{"9999-12-30": 2, "9999-12-31": 2} {
		e := mustEvent(t, `{"id":"x","recurringEventId":"s","originalStartTime":{"date":"`+original+`"}}`)
		if n, err := (event.Series{Event: series, Exceptions: []*event.Event{e}}).Count(event.Window{}, 9); n != want || err != nil {
			t.Errorf("with an exception of %s there are %d instances, %v, want %d", original, n, err, want)
		}
	}
}

// A series repeats its start as written, even if the clock skips that time on the first day, and so does a series that is split at
// the first instance, moved there or moved away.
func TestEditsOfSkippedStart(t *testing.T) {
	skipped := &event.Time{DateTime: "2026-03-08T02:30:00", TimeZone: "America/New_York"}
	series := mustEvent(t, `{"id":"s","start":{"dateTime":"2026-03-08T02:30:00","timeZone":"America/New_York"},`+
		`"end":{"dateTime":"2026-03-08T04:00:00","timeZone":"America/New_York"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)
	second := mustEvent(t, `{"id":"x","recurringEventId":"s","originalStartTime":{"dateTime":"2026-03-09T02:30:00-04:00"},`+
		`"start":{"dateTime":"2026-03-09T12:00:00Z"},"end":{"dateTime":"2026-03-09T13:00:00Z"}}`)
	starts := func(s event.Series) (list []string) {
		for i, err := range s.Instances(event.Window{}) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, i.Start.DateTime)
		}
		return list
	}
	late := mustEvent(t, `{"id":"s","start":{"dateTime":"2026-03-08T09:00:00-04:00","timeZone":"America/New_York"},`+
		`"end":{"dateTime":"2026-03-08T09:30:00-04:00","timeZone":"America/New_York"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)
	whole := event.Series{Event: series, Exceptions: []*event.Event{second}}
	split, err := whole.Split(skipped)
	if err != nil {
		t.Fatal(err)
	}
	move := func(s event.Series, to *event.Time) event.MoveRequests {
		moved, err := s.Move(to)
		if err != nil {
			t.Fatal(err)
		}
		return moved
	}
	away := move(whole, &event.Time{DateTime: "2026-03-08T09:00:00-04:00"})
	if got := away.Moved[0].OriginalStartTime.DateTime; got != "2026-03-09T09:00:00-04:00" {
		t.Errorf("the exception of 02:30 moves to %s", got)
	}
	reclocked, err := (event.Series{Event: series}).Reclock("America/Denver")
	if err != nil {
		t.Fatal(err)
	}
	asWritten := []string{"2026-03-08T03:30:00-04:00", "2026-03-09T02:30:00-04:00", "2026-03-10T02:30:00-04:00"}
	for _, c := range []struct {
		name string
		s    event.Series
		want []string
	}{
		{"as written", event.Series{Event: series}, asWritten},
		{"split at the first", event.Series{Event: split.Insert}, asWritten},
		{"moved to where it is", event.Series{Event: move(whole, skipped).Series.Event}, asWritten},
		{"moved there", move(event.Series{Event: late}, skipped).Series, asWritten},
		{"moved away", move(event.Series{Event: series}, &event.Time{DateTime: "2026-03-08T09:00:00-04:00"}).Series,
			[]string{"2026-03-08T09:00:00-04:00", "2026-03-09T09:00:00-04:00", "2026-03-10T09:00:00-04:00"}},
		{"in another zone", reclocked, []string{"2026-03-08T03:30:00-06:00", "2026-03-09T02:30:00-06:00", "2026-03-10T02:30:00-06:00"}},
	} {
		if diff := cmp.Diff(c.want, starts(c.s)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// An edit is exact where the clock changes, or fails.
func TestEditsWhereClocksChange(t *testing.T) {
	const newYork = `"timeZone":"America/New_York"`
	skipped := `{"id":"s","start":{"dateTime":"2026-03-08T02:30:00",` + newYork + `},"end":{"dateTime":"2026-03-08T04:00:00",` + newYork + `},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"`
	march := `{"id":"s","start":{"dateTime":"2026-03-07T01:30:00-05:00",` + newYork + `},"end":{"dateTime":"2026-03-07T02:30:00-05:00",` + newYork + `},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"`
	cancelled := mustEvent(t, `{"id":"x","status":"cancelled","recurringEventId":"s","originalStartTime":{"dateTime":"2026-03-08T03:30:00-04:00"}}`)
	without := func(edit func(event.Series) (event.Series, error)) func(event.Series) (event.Series, error) {
		return func(s event.Series) (event.Series, error) {
			s.Exceptions = []*event.Event{cancelled}
			return edit(s)
		}
	}
	after := func(at string) func(event.Series) (event.Series, error) {
		return func(s event.Series) (event.Series, error) {
			split, err := s.Split(&event.Time{DateTime: at})
			return split.After, err
		}
	}
	move := func(to string) func(event.Series) (event.Series, error) {
		return func(s event.Series) (event.Series, error) {
			moved, err := s.Move(&event.Time{DateTime: to})
			return moved.Series, err
		}
	}
	for _, test := range []struct {
		name, series string
		wallClock    bool
		edit         func(event.Series) (event.Series, error)
		want         string // the starts, and the end of the first, or the error
	}{
		{"a split at the second, after a start that is excluded", march + `,"EXDATE:20260307T063000Z"]}`, false, after("2026-03-08T06:30:00Z"),
			"2026-03-08T01:30:00-05:00 2026-03-09T01:30:00-04:00 until 2026-03-08T03:30:00-04:00"},
		{"a split at a skipped end", march + `]}`, true, after("2026-03-08T06:30:00Z"), "the clock skips the end of the first instance"},
		{"a move to a skipped end", march + `]}`, true, move("2026-03-08T01:30:00-05:00"), "the clock skips the end of the first instance"},
		{"another zone with a skipped end", strings.NewReplacer("-07T", "-08T", "-05:00", "-07:00", "New_York", "Phoenix").Replace(march) + `]}`, true,
			func(s event.Series) (event.Series, error) { return s.Reclock("America/New_York") }, "the clock skips the end of the first instance"},
		{"a move to times that occur twice", march + `]}`, true, move("2026-11-01T01:15:00-05:00"),
			"2026-11-01T01:15:00-05:00 2026-11-02T01:15:00-05:00 2026-11-03T01:15:00-05:00 until 2026-11-01T02:15:00-05:00"},
		{"a short one moves to times that occur twice", strings.Replace(march, "T02:30", "T01:45", 1) + `]}`, true, move("2026-11-01T01:15:00-05:00"),
			"2026-11-01T01:15:00-05:00 2026-11-02T01:15:00-05:00 2026-11-03T01:15:00-05:00 until 2026-11-01T01:30:00-05:00"},
		{"a skipped start that is excluded moves", skipped + `,"EXDATE;TZID=America/New_York:20260308T033000"]}`, false, move("2026-03-08T09:00:00-04:00"),
			"2026-03-09T09:00:00-04:00 2026-03-10T09:00:00-04:00 until 2026-03-09T09:30:00-04:00"},
		{"a skipped start in a zone with the same changes", skipped + `]}`, false,
			func(s event.Series) (event.Series, error) { return s.Rezone("America/Toronto") },
			"2026-03-08T03:30:00-04:00 2026-03-09T02:30:00-04:00 2026-03-10T02:30:00-04:00 until 2026-03-08T04:00:00-04:00"},
		{"a skipped start in a zone that skips another", skipped + `]}`, false,
			func(s event.Series) (event.Series, error) { return s.Rezone("America/Chicago") },
			"2026-03-08T01:30:00-06:00 2026-03-09T01:30:00-05:00 2026-03-10T01:30:00-05:00 until 2026-03-08T03:00:00-05:00"},
		{"a skipped start in a zone that skips none", skipped + `]}`, false,
			func(s event.Series) (event.Series, error) { return s.Rezone("UTC") }, "would be at"},
		{"the exception of a skipped date moves", march + `,"RDATE:20260308T023000"]}`, false, without(move("2026-03-07T09:00:00-05:00")),
			"2026-03-07T09:00:00-05:00 2026-03-08T09:00:00-04:00 2026-03-09T09:00:00-04:00 until 2026-03-07T10:00:00-05:00"},
		{"the exception of an instance after a gap moves", strings.NewReplacer("T01", "T03", "T02", "T04").Replace(march) + `]}`, false,
			without(move("2026-03-07T09:00:00-05:00")), "2026-03-07T09:00:00-05:00 2026-03-09T09:00:00-04:00 until 2026-03-07T10:00:00-05:00"},
		{"the exception of a skipped start, in another zone", skipped + `]}`, false,
			without(func(s event.Series) (event.Series, error) { return s.Reclock("Europe/Berlin") }),
			"2026-03-09T02:30:00+01:00 2026-03-10T02:30:00+01:00 until 2026-03-09T03:00:00+01:00"},
		{"a skipped start from days", `{"id":"s","start":{"date":"2026-03-08"},"end":{"date":"2026-03-09"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`, false,
			func(s event.Series) (event.Series, error) {
				return s.Timed(2*time.Hour+30*time.Minute, "America/New_York", time.Hour)
			},
			"2026-03-08T03:30:00-04:00 2026-03-09T02:30:00-04:00 2026-03-10T02:30:00-04:00 until 2026-03-08T04:30:00-04:00"},
	} {
		s := event.Series{Event: mustEvent(t, test.series), Options: recurrence.Options{WallClock: test.wallClock}}
		edited, err := test.edit(s)
		if err != nil {
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: the error is %v, want %s", test.name, err, test.want)
			}
			continue
		}
		var starts []string
		end := ""
		for i, err := range edited.Instances(event.Window{}) {
			if err != nil {
				t.Fatal(err)
			}
			if starts = append(starts, i.Start.DateTime); end == "" {
				end = i.End.DateTime
			}
		}
		if diff := cmp.Diff(test.want, strings.Join(starts, " ")+" until "+end); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// A cancelled instance stays cancelled when its series moves, wherever the clock changes, even if the instance was written at a
// time that the clock skips.
func TestEditsWhereClocksChangeLaw(t *testing.T) {
	edited := 0
	rapid.Check(t, func(t *rapid.T) {
		change := rapid.SampledFrom([]time.Time{
			atIn("America/New_York", 2026, 3, 8, 7), atIn("America/New_York", 2026, 11, 1, 6), atIn("Australia/Lord_Howe", 2026, 10, 3, 15),
			atIn("Antarctica/Troll", 2026, 3, 29, 1), atIn("Africa/Casablanca", 2026, 3, 22, 2), atIn("Europe/Berlin", 2026, 3, 29, 1),
		}).Draw(t, "change")
		zoneName := change.Location().String()
		hour := func(name string) time.Duration {
			return time.Duration(rapid.IntRange(-12, 12).Draw(t, name)) * 15 * time.Minute
		}
		_, offset := change.Add(-24 * time.Hour).Zone()
		clock := change.UTC().Add(time.Duration(offset)*time.Second + hour("from the change"))
		first := clock.AddDate(0, 0, -rapid.IntRange(0, 3).Draw(t, "days before"))
		const local = "2006-01-02T15:04:05"
		s := event.Series{Options: recurrence.Options{Shift: rapid.Bool().Draw(t, "shift")}, Event: &event.Event{
			ID:         "s",
			Start:      &event.Time{DateTime: first.Format(local), TimeZone: zoneName},
			Recurrence: []string{"RRULE:FREQ=DAILY"},
		}}
		if date := clock.Add(hour("from the clock")); !date.Before(first) {
			s.Event.Recurrence = append(s.Event.Recurrence, date.Format("RDATE:20060102T150405"))
		}
		from, err := s.Event.Start.Instant(time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		s.Event.End = event.TimeAt(from.Add(time.Hour).In(change.Location()))
		cancelled, err := s.Cancel(rapid.SampledFrom(originals(t, s)[:5]).Draw(t, "cancelled"))
		if err != nil {
			t.Fatal(err)
		}
		to := clock.AddDate(0, 0, rapid.IntRange(-2, 2).Draw(t, "by days")).Add(hour("by"))
		for _, edit := range []func(event.Series) (event.Series, error){
			func(s event.Series) (event.Series, error) {
				moved, err := s.Move(&event.Time{DateTime: to.Format(local)})
				return moved.Series, err
			},
			func(s event.Series) (event.Series, error) { return s.Reclock("Asia/Tokyo") },
		} {
			whole, err := edit(s)
			if err != nil {
				continue
			}
			edited++
			less, err := edit(cancelled)
			if err != nil {
				t.Fatal(err)
			}
			if all, left := originals(t, whole), originals(t, less); len(left) != len(all)-1 {
				t.Fatalf("%v\nhas %d instances, without one %d:\n%v", whole.Event, len(all), len(left), less.Exceptions)
			}
		}
	})
	if edited == 0 {
		t.Error("no edit succeeds")
	}
}

// atIn returns a time of day in UTC, in the zone.
func atIn(zone string, year int, month time.Month, day, hour int) time.Time {
	in, err := time.LoadLocation(zone)
	if err != nil {
		panic(err)
	}
	return time.Date(year, month, day, hour, 0, 0, 0, time.UTC).In(in)
}

// originals returns the original starts of the instances that take place in the first week of a series.
func originals(t *rapid.T, s event.Series) (list []*event.Time) {
	first, err := s.Event.Start.Instant(time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	for i, err := range s.Instances(event.Window{To: first.AddDate(0, 0, 7)}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, i.OriginalStartTime)
	}
	return list
}

// A series that moves takes its exceptions along, by the time of the clock.
func TestMove(t *testing.T) {
	series := mustEvent(t, splitSeries)
	move, err := event.Series{Event: series, Exceptions: splitExceptions(t)}.Move(&event.Time{DateTime: "2026-03-06T15:30:00-05:00"})
	if err != nil {
		t.Fatal(err)
	}
	got := []string{move.Patch.String()}
	for _, e := range move.Moved {
		got = append(got, e.String())
	}
	want := []string{
		`{"start":{"dateTime":"2026-03-06T15:30:00-05:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-06T16:00:00-05:00","timeZone":"America/New_York"},` +
			`"recurrence":["RRULE:FREQ=DAILY;COUNT=6","EXDATE:20260307T203000Z,20260310T193000Z"]}`,
		`{"id":"standup1_20260306T140000Z","status":"cancelled","originalStartTime":{"dateTime":"2026-03-06T15:30:00-05:00","timeZone":"America/New_York"}}`,
		`{"id":"standup1_20260311T130000Z","summary":"Standup, late","start":{"dateTime":"2026-03-11T11:00:00-04:00"},"end":{"dateTime":"2026-03-11T11:30:00-04:00"},` +
			`"originalStartTime":{"dateTime":"2026-03-11T15:30:00-04:00","timeZone":"America/New_York"}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	days := mustEvent(t, `{"id":"d","start":{"date":"2026-03-10"},"end":{"date":"2026-03-12"},"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=TU"]}`)
	if move, err := (event.Series{Event: days}).Move(event.Date(2026, time.March, 12)); err != nil ||
		move.Patch.String() != `{"start":{"date":"2026-03-12"},"end":{"date":"2026-03-14"},"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=TH"]}` {
		t.Errorf("days move to %s, %v", move.Patch, err)
	}
	if _, err := (event.Series{Event: days}).Move(&event.Time{Date: "2026-03-12", TimeZone: "Europe/Berlin"}); err == nil || !strings.Contains(err.Error(), "has no zone") {
		t.Errorf("days move to a zone: %v", err)
	}
	fraction := mustEvent(t, `{"id":"d","start":{"dateTime":"2026-03-10T09:00:00.5Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"},"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]}`)
	first := mustEvent(t, `{"id":"x","recurringEventId":"d","originalStartTime":{"dateTime":"2026-03-10T09:00:00.5Z"}}`)
	second := mustEvent(t, `{"id":"y","recurringEventId":"d","originalStartTime":{"dateTime":"2026-03-11T09:00:00.5Z"}}`)
	if move, err := (event.Series{Event: fraction, Exceptions: []*event.Event{first, second}}).Move(&event.Time{DateTime: "2026-03-10T10:00:00.125Z"}); err != nil ||
		len(move.Moved) != 2 || move.Moved[0].OriginalStartTime.DateTime != "2026-03-10T10:00:00.125Z" || move.Moved[1].OriginalStartTime.DateTime != "2026-03-11T10:00:00.125Z" {
		t.Errorf("a series of half seconds moves with %v, %v", move.Moved, err)
	}
	var inexact *recurrence.EditError
	monthly := mustEvent(t, `{"id":"d","start":{"date":"2026-03-10"},"end":{"date":"2026-03-12"},"recurrence":["RRULE:FREQ=MONTHLY;BYDAY=2TU"]}`)
	if _, err := (event.Series{Event: monthly}).Move(event.Date(2026, time.March, 12)); !errors.As(err, &inexact) {
		t.Errorf("the second Tuesday moves by two days: %v", err)
	}
}
