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

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/recurrence"
)

const (
	daily = `{"id":"series1","iCalUID":"series1@example.com","summary":"Standup","recurrence":["RRULE:FREQ=DAILY;COUNT=4","EXDATE;TZID=America/New_York:20260309T093000"],
		"start":{"dateTime":"2026-03-07T09:30:00-05:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-07T16:00:00+01:00","timeZone":"Europe/Berlin"}}`
	camp = `{"id":"camp","recurrence":["RRULE:FREQ=MONTHLY;COUNT=3"],"start":{"date":"2026-01-31"},"end":{"date":"2026-02-02"}}`
)

// shown is the part of an instance that the cases compare.
type shown struct{ ID, Start, End, Original string }

func show(t *testing.T, series string, exceptions []string, w event.Window) []shown {
	t.Helper()
	var list []*event.Event
	for _, text := range exceptions {
		list = append(list, read(t, text))
	}
	var got []shown
	for e, err := range (event.Series{Event: read(t, series), Exceptions: list}).Instances(w) {
		if err != nil {
			t.Fatal(err)
		}
		s := shown{ID: e.ID, Original: writtenAs(e.OriginalStartTime)}
		if e.Start != nil {
			s.Start, s.End = writtenAs(e.Start), writtenAs(e.End)
		}
		if e.RecurringEventID != "series1" && e.RecurringEventID != "camp" || len(e.Recurrence) > 0 {
			t.Errorf("not an instance of the series: %+v", e)
		}
		got = append(got, s)
	}
	return got
}

func writtenAs(tm *event.Time) string { return tm.Date + tm.DateTime }

func TestInstances(t *testing.T) {
	const (
		moved     = `{"id":"x1","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-08T13:30:00Z"},"start":{"dateTime":"2026-03-12T10:00:00Z"},"end":{"dateTime":"2026-03-12T11:00:00Z"}}`
		cancelled = `{"id":"x2","status":"cancelled","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-08T09:30:00-04:00"}}`
		stranger  = `{"id":"x3","status":"cancelled","recurringEventId":"series2","originalStartTime":{"dateTime":"2026-03-08T09:30:00-04:00"}}`
	)
	const (
		early     = `{"id":"x4","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-10T13:30:00Z"},"start":{"dateTime":"2026-03-07T20:00:00Z"},"end":{"dateTime":"2026-03-07T21:00:00Z"}}`
		excluded  = `{"id":"x6","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-09T09:30:00-04:00"},"start":{"dateTime":"2026-03-11T10:00:00Z"},"end":{"dateTime":"2026-03-11T11:00:00Z"}}`
		wholeDay  = `{"id":"x7","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-08T09:30:00-04:00"},"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`
		dated     = `{"id":"x8","recurringEventId":"series1","originalStartTime":{"date":"2026-03-08"},"start":{"dateTime":"2026-03-12T10:00:00Z"},"end":{"dateTime":"2026-03-12T11:00:00Z"}}`
		unshown   = `{"id":"x9","status":"cancelled","recurringEventId":"series1","originalStartTime":{"date":"2026-03-08"}}`
		midnight  = `{"id":"y1","status":"cancelled","recurringEventId":"camp","originalStartTime":{"dateTime":"2026-03-31T00:00:00Z"}}`
		elsewhere = `{"id":"y4","status":"cancelled","recurringEventId":"camp","originalStartTime":{"dateTime":"2026-04-01T00:30:00+14:00","timeZone":"America/New_York"}}`
		evening   = `{"id":"y5","status":"cancelled","recurringEventId":"camp","originalStartTime":{"dateTime":"2026-03-30T20:00:00-04:00","timeZone":"America/New_York"}}`
		endless   = `{"id":"y2","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-08T13:30:00Z"},"start":{"dateTime":"2026-03-12T10:00:00Z"},"end":{"dateTime":"late"}}`
		startles  = `{"id":"y3","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-08T13:30:00Z"},"end":{"dateTime":"2026-03-12T10:00:00Z"}}`
		unread    = `{"id":"x5","recurringEventId":"series1","originalStartTime":{"dateTime":"soon"},"start":{"dateTime":"2026-03-07T20:00:00Z"},"end":{"dateTime":"2026-03-07T21:00:00Z"}}`
	)
	movedUp := shown{"x4", "2026-03-07T20:00:00Z", "2026-03-07T21:00:00Z", "2026-03-10T13:30:00Z"}
	first := shown{"series1_20260307T143000Z", "2026-03-07T09:30:00-05:00", "2026-03-07T16:00:00+01:00", "2026-03-07T09:30:00-05:00"}
	second := shown{"series1_20260308T133000Z", "2026-03-08T09:30:00-04:00", "2026-03-08T15:00:00+01:00", "2026-03-08T09:30:00-04:00"}
	last := shown{"series1_20260310T133000Z", "2026-03-10T09:30:00-04:00", "2026-03-10T15:00:00+01:00", "2026-03-10T09:30:00-04:00"}
	movedTo := shown{"x1", "2026-03-12T10:00:00Z", "2026-03-12T11:00:00Z", "2026-03-08T13:30:00Z"}
	on := func(day int) time.Time { return time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		name       string
		series     string
		exceptions []string
		window     event.Window
		want       []shown
	}{
		{"across a clock change, exact duration", daily, nil, event.Window{}, []shown{first, second, last}},
		{"window", daily, nil, event.Window{From: on(8), To: on(9)}, []shown{second}},
		{"a moved exception replaces its instance", daily, []string{moved}, event.Window{}, []shown{first, last, movedTo}},
		{"moved exceptions are sorted by their start", daily, []string{moved, early}, event.Window{}, []shown{first, movedUp, movedTo}},
		{"an exception with an invalid original start", daily, []string{unread}, event.Window{}, []shown{first, second, last}},
		{"an exception after one with an invalid original start", daily, []string{unread, moved}, event.Window{}, []shown{first, last, movedTo}},
		{"an exception whose original start is excluded takes place", daily, []string{excluded}, event.Window{}, []shown{
			first, second, last, {"x6", "2026-03-11T10:00:00Z", "2026-03-11T11:00:00Z", "2026-03-09T09:30:00-04:00"},
		}},
		{"a date means the instance of its day", daily, []string{dated}, event.Window{}, []shown{
			first, last, {"x8", "2026-03-12T10:00:00Z", "2026-03-12T11:00:00Z", "2026-03-08T09:30:00-04:00"},
		}},
		{"a cancelled exception with a date in a timed series", daily, []string{unshown}, event.Window{}, []shown{first, last}},
		{"a cancelled exception with a time in an all-day series", camp, []string{midnight}, event.Window{From: on(10), To: on(32)}, nil},
		{"the zone of a time decides, not the offset in which it is written", camp, []string{elsewhere}, event.Window{From: on(10), To: on(32)}, nil},
		{"midnight in UTC, written with the offset of another zone", camp, []string{evening}, event.Window{From: on(10), To: on(32)}, nil},
		{"a date begins at midnight in the zone of the series", daily, []string{wholeDay}, event.Window{From: on(10).Add(4 * time.Hour)}, []shown{
			{"x7", "2026-03-10", "2026-03-11", "2026-03-08T09:30:00-04:00"}, last,
		}},
		{"what is under way", daily, nil, event.Window{From: on(8).Add(13*time.Hour + 45*time.Minute), To: on(10), Overlap: true}, []shown{second}},
		{"what has ended is not under way", daily, nil, event.Window{From: on(8).Add(14 * time.Hour), To: on(10), Overlap: true}, nil},
		{"an exception under way", daily, []string{moved}, event.Window{From: on(12).Add(10*time.Hour + time.Minute), Overlap: true}, []shown{movedTo}},
		{"an exception that has ended", daily, []string{moved}, event.Window{From: on(12).Add(11 * time.Hour), Overlap: true}, nil},
		{"an exception with an unreadable end", daily, []string{endless}, event.Window{From: on(12), Overlap: true}, []shown{
			{"y2", "2026-03-12T10:00:00Z", "late", "2026-03-08T13:30:00Z"},
		}},
		{"an exception with an unreadable end is not under way", daily, []string{endless}, event.Window{From: on(12).Add(10*time.Hour + time.Minute), Overlap: true}, nil},
		{"an exception without a start takes place at no time", daily, []string{startles}, event.Window{}, []shown{first, last}},
		{"moved out of the window", daily, []string{moved}, event.Window{From: on(8), To: on(9)}, nil},
		{"moved into the window", daily, []string{moved}, event.Window{From: on(12)}, []shown{movedTo}},
		{"cancelled exceptions are left out", daily, []string{cancelled}, event.Window{}, []shown{first, last}},
		{"cancelled exceptions on request", daily, []string{cancelled}, event.Window{Cancelled: true}, []shown{first, {ID: "x2", Original: "2026-03-08T09:30:00-04:00"}, last}},
		{"an exception after one of another series", daily, []string{stranger, moved}, event.Window{}, []shown{first, last, movedTo}},
		{"exceptions of another series", daily, []string{stranger}, event.Window{}, []shown{first, second, last}},
		{"all-day instances have the same number of days", camp, nil, event.Window{}, []shown{
			{"camp_20260131", "2026-01-31", "2026-02-02", "2026-01-31"},
			{"camp_20260331", "2026-03-31", "2026-04-02", "2026-03-31"},
			{"camp_20260531", "2026-05-31", "2026-06-02", "2026-05-31"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, show(t, c.series, c.exceptions, c.window)); diff != "" {
				t.Errorf("instances (-want +got):\n%s", diff)
			}
		})
	}
}

// simpleInstances is the oracle of [event.Series.Instances]: it finds all instances, exceptions or not, as
// clones of the series, and then selects.
func simpleInstances(t *rapid.T, series *event.Event, exceptions []*event.Event, w event.Window) (list []*event.Event) {
	whole := series.Clone()
	whole.Recurrence = nil
	whole.RecurringEventID = series.ID
	length := instantOf(t, series.End).Sub(instantOf(t, series.Start))
	exceptions = slices.DeleteFunc(slices.Clone(exceptions), func(e *event.Event) bool {
		at := slices.Index(exceptions, e)
		return slices.ContainsFunc(exceptions, func(other *event.Event) bool {
			isNewer := other.Sequence > e.Sequence || other.Sequence == e.Sequence && slices.Index(exceptions, other) > at
			return isNewer && instantOf(t, other.OriginalStartTime).Equal(instantOf(t, e.OriginalStartTime))
		})
	})
	replaced := func(at time.Time) bool {
		return slices.ContainsFunc(exceptions, func(e *event.Event) bool { return instantOf(t, e.OriginalStartTime).Equal(at) })
	}
	for i, err := range (event.Series{Event: series}).Instances(event.Window{}) {
		if err != nil || replaced(i.Span.Start) {
			continue
		}
		e := whole.Clone()
		e.ID = series.ID + "_" + i.Span.Start.UTC().Format("20060102T150405Z")
		e.Start = &event.Time{DateTime: i.Span.Start.Format(time.RFC3339Nano), TimeZone: series.Start.TimeZone}
		e.OriginalStartTime = &event.Time{DateTime: e.Start.DateTime, TimeZone: e.Start.TimeZone}
		e.End = &event.Time{DateTime: i.Span.Start.Add(length).In(i.Span.Start.Location()).Format(time.RFC3339Nano), TimeZone: series.End.TimeZone}
		list = append(list, e)
	}
	list = append(list, exceptions...)
	slices.SortStableFunc(list, func(a, b *event.Event) int {
		if c := instantOf(t, a.Start).Compare(instantOf(t, b.Start)); c != 0 {
			return c
		}
		return len(a.ID) - len(b.ID) // the exceptions last
	})
	return slices.DeleteFunc(list, func(e *event.Event) bool {
		start, end := instantOf(t, e.Start), instantOf(t, e.End)
		under := !start.Before(w.From) || w.Overlap && end.After(w.From)
		return e.Status == "cancelled" || !under || !start.Before(w.To)
	})
}

func TestInstancesAgreeWithClones(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	series := read(t, `{"id":"series1","summary":"Standup","guestsCanModify":false,"x-room":{"floor":4},"attendees":[{"email":"ada@example.com"}],
		"recurrence":["RRULE:FREQ=DAILY;COUNT=30","EXDATE:20260309T133000Z","RDATE:20260312T200000Z"],
		"start":{"dateTime":"2026-03-02T09:30:00.5-05:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-02T18:00:00-05:00","timeZone":"America/New_York"}}`)
	first := time.Date(2026, 3, 2, 9, 30, 0, 500_000_000, newYork)
	at := func(t *rapid.T, label string) time.Time {
		return first.AddDate(0, 0, rapid.IntRange(-2, 33).Draw(t, label)).Add(time.Duration(rapid.IntRange(-3, 9).Draw(t, label)) * time.Hour)
	}
	rapid.Check(t, func(t *rapid.T) {
		var exceptions, written []*event.Event // the times of exceptions can be written in other ways
		for i := range rapid.IntRange(0, 6).Draw(t, "exceptions") {
			begin := at(t, "start")
			original := rapid.IntRange(0, 30).Draw(t, "original")
			e := &event.Event{
				ID: strings.Repeat("x", 40) + strconv.Itoa(i), RecurringEventID: "series1", Status: rapid.SampledFrom([]string{"", "cancelled"}).Draw(t, "status"),
				Sequence:          rapid.Int64Range(1, 2).Draw(t, "sequence"),
				OriginalStartTime: &event.Time{DateTime: first.AddDate(0, 0, original).UTC().Format(time.RFC3339Nano)},
				Start:             &event.Time{DateTime: begin.Format(time.RFC3339Nano)}, End: &event.Time{DateTime: begin.Add(time.Hour).Format(time.RFC3339Nano)},
			}
			asWritten := e.Clone()
			if original < 30 && original != 7 && rapid.Bool().Draw(t, "day") { // on 9 March there is none
				day := first.AddDate(0, 0, original)
				e.OriginalStartTime = &event.Time{DateTime: day.Format(time.RFC3339Nano), TimeZone: "America/New_York"}
				asWritten.OriginalStartTime = &event.Time{Date: day.Format(time.DateOnly)}
			}
			exceptions, written = append(exceptions, e), append(written, asWritten)
		}
		w := event.Window{From: at(t, "from"), To: at(t, "to"), Overlap: rapid.Bool().Draw(t, "overlap")}
		before := series.Clone()
		got := []*event.Event{}
		for e, err := range (event.Series{Event: series, Exceptions: written}).Instances(w) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.Event)
		}
		if diff := cmp.Diff(simpleInstances(t, series, exceptions, w), got); diff != "" {
			t.Fatalf("%+v (-clones +instances):\n%s", w, diff)
		}
		if diff := cmp.Diff(before, series); diff != "" {
			t.Fatalf("the series has changed:\n%s", diff)
		}
	})
}

// An instance costs a fixed number of allocations, whatever the series contains.
func TestInstancesAllocations(t *testing.T) {
	series := read(t, daily)
	series.Recurrence = []string{"RRULE:FREQ=DAILY"}
	for range 200 {
		series.Attendees = append(series.Attendees, event.Attendee{Email: "ada@example.com"})
	}
	take := func(n int) float64 {
		return testing.AllocsPerRun(10, func() {
			left := n
			for range (event.Series{Event: series}).Instances(event.Window{}) {
				if left--; left == 0 {
					return
				}
			}
		})
	}
	if each := (take(1100) - take(100)) / 1000; each > 2 {
		t.Errorf("%.3f allocations an instance, want 2 at most", each)
	}
}

// The caller may stop at any instance.
func TestInstancesStop(t *testing.T) {
	exceptions := []*event.Event{
		read(t, `{"id":"x1","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-08T13:30:00Z"},"start":{"dateTime":"2026-03-07T20:00:00Z"},"end":{"dateTime":"2026-03-07T21:00:00Z"}}`),
		read(t, `{"id":"x2","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-10T13:30:00Z"},"start":{"dateTime":"2026-03-12T10:00:00Z"},"end":{"dateTime":"2026-03-12T11:00:00Z"}}`),
	}
	early := read(t, `{"id":"x3","recurringEventId":"camp","originalStartTime":{"date":"2026-05-31"},"start":{"date":"2026-01-01"},"end":{"date":"2026-01-02"}}`)
	for range (event.Series{Event: read(t, camp), Exceptions: []*event.Event{early}}).Instances(event.Window{}) {
		break // at an exception before the first instance
	}
	const all = 3 // the first instance and both exceptions
	for most := 1; most <= all+1; most++ {
		n := 0
		for range (event.Series{Event: read(t, daily), Exceptions: exceptions}).Instances(event.Window{}) {
			if n++; n == most {
				break
			}
		}
		if n != min(most, all) {
			t.Errorf("%d instances before break, want %d", n, min(most, all))
		}
	}
}

// Instances may last longer than a Duration can say, end with the last year of RFC 3339, and have
// offsets that RFC 3339 cannot express.
func TestInstancesAtTheLimits(t *testing.T) {
	for name, test := range map[string]struct {
		series string
		want   []shown
	}{
		"lasts for centuries": {
			`{"id":"camp","recurrence":["RRULE:FREQ=YEARLY;COUNT=2"],"start":{"dateTime":"2026-01-01T00:00:00.25Z","timeZone":"UTC"},"end":{"dateTime":"2400-01-01T00:00:00.75Z","timeZone":"UTC"}}`,
			[]shown{{"camp_20260101T000000Z", "2026-01-01T00:00:00.25Z", "2400-01-01T00:00:00.75Z", "2026-01-01T00:00:00.25Z"},
				{"camp_20270101T000000Z", "2027-01-01T00:00:00.25Z", "2400-12-31T00:00:00.75Z", "2027-01-01T00:00:00.25Z"}},
		},
		"ends after the last year": {
			`{"id":"camp","recurrence":["RRULE:FREQ=DAILY"],"start":{"dateTime":"9999-12-30T23:30:00Z","timeZone":"UTC"},"end":{"dateTime":"9999-12-31T01:00:00Z","timeZone":"UTC"}}`,
			[]shown{{"camp_99991230T233000Z", "9999-12-30T23:30:00Z", "9999-12-31T01:00:00Z", "9999-12-30T23:30:00Z"}},
		},
		"days end after the last year": {
			`{"id":"camp","recurrence":["RRULE:FREQ=DAILY"],"start":{"date":"9999-12-29"},"end":{"date":"9999-12-31"}}`,
			[]shown{{"camp_99991229", "9999-12-29", "9999-12-31", "9999-12-29"}},
		},
		"a period that ends after the last year": {
			`{"id":"camp","recurrence":["RDATE;VALUE=PERIOD:20270101T000000Z/P9999999D"],"start":{"dateTime":"2026-01-01T00:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-01-01T01:00:00Z","timeZone":"UTC"}}`,
			[]shown{{"camp_20260101T000000Z", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", "2026-01-01T00:00:00Z"}},
		},
		"an end in an unknown zone": {
			`{"id":"camp","recurrence":["RRULE:FREQ=DAILY;COUNT=1"],"start":{"dateTime":"2026-01-01T00:00:00+01:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-01-01T00:00:00Z","timeZone":"No/Where"}}`,
			[]shown{{"camp_20251231T230000Z", "2026-01-01T00:00:00+01:00", "2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00+01:00"}},
		},
		"starts before the year 0 in UTC": {
			`{"id":"camp","recurrence":["RRULE:FREQ=DAILY;COUNT=2"],"start":{"dateTime":"0000-01-01T00:00:00","timeZone":"Asia/Karachi"},"end":{"dateTime":"0000-01-01T05:00:00","timeZone":"Asia/Karachi"}}`,
			[]shown{{"camp_00000101T193148Z", "0000-01-01T19:31:48Z", "0000-01-02T00:31:48Z", "0000-01-01T19:31:48Z"}},
		},
		"ends before the year 0 in UTC": {
			`{"id":"camp","recurrence":["RRULE:FREQ=DAILY;COUNT=2"],"start":{"dateTime":"0000-01-01T00:00:00+04:00"},"end":{"dateTime":"0000-01-01T01:00:00","timeZone":"Asia/Karachi"}}`,
			[]shown{{"camp_00000101T200000Z", "0000-01-02T00:00:00+04:00", "0000-01-01T20:31:48Z", "0000-01-02T00:00:00+04:00"}},
		},
		"ends as the year 0 begins in UTC": {
			`{"id":"camp","recurrence":["RRULE:FREQ=DAILY;COUNT=1"],"start":{"dateTime":"0000-01-01T00:00:00+05:00"},"end":{"dateTime":"0000-01-01T04:28:12","timeZone":"Asia/Karachi"}}`,
			[]shown{{"camp_-00011231T190000Z", "0000-01-01T00:00:00+05:00", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00+05:00"}},
		},
		"an id before the year 0": {
			`{"id":"camp","recurrence":["RRULE:FREQ=DAILY;COUNT=1"],"start":{"dateTime":"0000-01-01T00:00:00+05:00"},"end":{"dateTime":"0000-01-01T01:00:00+05:00"}}`,
			[]shown{{"camp_-00011231T190000Z", "0000-01-01T00:00:00+05:00", "0000-01-01T01:00:00+05:00", "0000-01-01T00:00:00+05:00"}},
		},
		"an offset with seconds": {
			`{"id":"camp","recurrence":["RRULE:FREQ=DAILY;COUNT=2"],"start":{"dateTime":"1960-01-01T09:00:00","timeZone":"Africa/Monrovia"},"end":{"dateTime":"1960-01-01T10:00:00","timeZone":"Africa/Monrovia"}}`,
			[]shown{{"camp_19600101T094430Z", "1960-01-01T09:44:30Z", "1960-01-01T10:44:30Z", "1960-01-01T09:44:30Z"},
				{"camp_19600102T094430Z", "1960-01-02T09:44:30Z", "1960-01-02T10:44:30Z", "1960-01-02T09:44:30Z"}},
		},
	} {
		if diff := cmp.Diff(test.want, show(t, test.series, nil, event.Window{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestInstancesOfNil(t *testing.T) {
	for e, err := range (event.Series{}).Instances(event.Window{}) {
		if e.Event != nil || !errors.Is(err, event.ErrNoSeries) {
			t.Errorf("got %v, %v", e, err)
		}
	}
	n := 0
	for range (event.Series{Event: read(t, daily), Exceptions: []*event.Event{nil}}).Instances(event.Window{}) {
		n++
	}
	if n != 3 {
		t.Errorf("%d instances with a nil exception, want 3", n)
	}
}

func TestInstancesWithoutSeries(t *testing.T) {
	for name, text := range map[string]string{
		"single":     `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`,
		"no start":   `{"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY"]}`,
		"mixed":      `{"start":{"date":"2026-03-10"},"end":{"dateTime":"2026-03-11T00:00:00Z"},"recurrence":["RRULE:FREQ=DAILY"]}`,
		"unreadable": `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=NEVER"]}`,
		"invalid":    `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;BYHOUR=9"]}`,
		"no end":     `{"start":{"date":"2026-03-10"},"end":{"date":"2026-02-30"},"recurrence":["RRULE:FREQ=DAILY"]}`,
		"empty":      `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":[]}`,
		"nowhere":    `{"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"No/Where"},"end":{"dateTime":"2026-03-10T10:00:00Z"},"recurrence":["RRULE:FREQ=DAILY"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			for e, err := range (event.Series{Event: read(t, text)}).Instances(event.Window{}) {
				if e.Event != nil || !errors.Is(err, event.ErrNoSeries) {
					t.Errorf("got %v, %v", e, err)
				}
			}
		})
	}
}

// tooMany is a series whose instances after the first are too many to pass over: all are excluded. Its exceptions take
// place on the next two days and after the budget.
func tooMany(t *testing.T) (series *event.Event, exceptions []*event.Event) {
	seconds := make([]string, 60)
	for i := range seconds {
		seconds[i] = strconv.Itoa(i)
	}
	series = read(t, `{"id":"s","start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-10T10:00:00Z","timeZone":"UTC"}}`)
	series.Recurrence = []string{"RRULE:FREQ=DAILY;COUNT=1", "RRULE:FREQ=SECONDLY;BYMONTH=4", "EXRULE:FREQ=SECONDLY;BYMONTH=4;BYSECOND=" + strings.Join(seconds, ",")}
	for id, day := range map[string]string{"a": "2026-03-11", "b": "2026-03-12", "c": "2036-03-12"} {
		exceptions = append(exceptions, read(t, `{"id":"`+id+`","recurringEventId":"s","originalStartTime":{"dateTime":"`+day+`T09:00:00Z"},`+
			`"start":{"dateTime":"`+day+`T10:00:00Z"},"end":{"dateTime":"`+day+`T11:00:00Z"}}`))
	}
	return series, exceptions
}

// A search that exceeds its budget is an error, after what comes before the place where it ended.
// An event can recur billions of times after which no date can express its end. A search among these ends with an error.
func TestInstancesBeyondDates(t *testing.T) {
	series := event.Series{Event: &event.Event{
		ID: "s", Recurrence: []string{"RRULE:FREQ=SECONDLY"},
		Start: &event.Time{DateTime: "2026-03-10T09:00:00Z", TimeZone: "UTC"}, End: &event.Time{DateTime: "9999-12-31T23:59:59Z", TimeZone: "UTC"},
	}}
	n, err := series.Count(event.Window{}, 10)
	if over, ok := errors.AsType[*recurrence.BudgetError](err); n != 1 || !ok || over.Next.Year() != 2026 {
		t.Errorf("the count is %d, %v, want 1 and the time from which to continue", n, err)
	}
	last, err := series.Last(event.Window{})
	if _, ok := errors.AsType[*recurrence.BudgetError](err); last.Event != nil || !ok {
		t.Errorf("the last instance is %v, %v, want an error", last, err)
	}
}

func TestInstancesOverBudget(t *testing.T) {
	series, exceptions := tooMany(t)
	isOver := func(err error) bool {
		_, ok := errors.AsType[*recurrence.BudgetError](err)
		return ok
	}
	for most := range 5 { // the caller may stop at each, before the error too
		var got []string
		for i, err := range (event.Series{Event: series, Exceptions: exceptions}).Instances(event.Window{}) {
			if len(got) == most {
				break
			}
			switch {
			case err == nil:
				got = append(got, i.ID)
			case isOver(err) && i.Event == nil:
				got = append(got, "over")
			default:
				t.Errorf("%v with %v", err, i.Event)
			}
		}
		if want := []string{"s_20260310T090000Z", "a", "b", "over"}[:most]; !slices.Equal(got, want) {
			t.Errorf("the instances are %q, want %q", got, want)
		}
	}
	if n, err := (event.Series{Event: series, Exceptions: exceptions}).Count(event.Window{}, 10); n != 3 || !isOver(err) {
		t.Errorf("Count = %d, %v", n, err)
	}
	if i, err := (event.Series{Event: series, Exceptions: exceptions}).Last(event.Window{}); i.Event != nil || !isOver(err) {
		t.Errorf("Last = %v, %v", i, err)
	}
}

// An instance beside an error has no event, and can be printed.
func TestInstanceWithoutEvent(t *testing.T) {
	i, err := event.Series{}.Last(event.Window{})
	if text := fmt.Sprintf("%v %+v %#v %s", i, i, i, must(json.Marshal(i))); err == nil || text != "null null null null" {
		t.Errorf("%s, %v", text, err)
	}
}
