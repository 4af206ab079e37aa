package event_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
)

// drawExceptions draws a series with exceptions in the forms in which servers write them, and copies of them.
func drawExceptions(t *rapid.T) event.Series {
	zone := rapid.SampledFrom([]string{"America/New_York", "Pacific/Apia", "Asia/Kathmandu", "Australia/Lord_Howe", "Africa/Casablanca"}).Draw(t, "zone")
	allDay := rapid.Bool().Draw(t, "all-day")
	first := time.Date(rapid.SampledFrom([]int{1883, 2011, 2026, 2100, 9000}).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")), rapid.IntRange(1, 28).Draw(t, "day"), rapid.IntRange(0, 23).Draw(t, "hour"), 30, 0, 0, time.UTC)
	day := func(at time.Time) *event.Time { return &event.Time{Date: at.Format(time.DateOnly), TimeZone: zone} }
	local := func(at time.Time) *event.Time {
		return &event.Time{DateTime: at.Format("2006-01-02T15:04:05"), TimeZone: zone}
	}
	series := &event.Event{ID: "series", Start: local(first), End: local(first.Add(time.Hour))}
	if allDay {
		series.Start, series.End = day(first), day(first.AddDate(0, 0, 1))
	}
	series.Recurrence = []string{rapid.SampledFrom([]string{"RRULE:FREQ=DAILY;COUNT=9", "RRULE:FREQ=WEEKLY;COUNT=5", "RRULE:FREQ=MONTHLY;COUNT=4"}).Draw(t, "rule")}
	s := event.Series{Event: series}
	var whole []event.Instance
	for i, err := range s.Instances(event.Window{}) {
		if err != nil {
			t.Fatal(err)
		}
		whole = append(whole, i)
	}
	for range rapid.IntRange(0, 6).Draw(t, "exceptions") {
		if len(whole) == 0 {
			break
		}
		of := rapid.SampledFrom(whole).Draw(t, "of")
		midnight := of.Span.Start
		e := &event.Event{ID: of.ID, RecurringEventID: series.ID, OriginalStartTime: of.OriginalStartTime}
		switch rapid.IntRange(0, 5).Draw(t, "form") {
		case 0: // as it should be
		case 1:
			e.OriginalStartTime = nil
		case 2:
			e.OriginalStartTime = day(midnight)
		case 3:
			e.OriginalStartTime = &event.Time{DateTime: midnight.UTC().Format("2006-01-02T15:04:05Z")}
		case 4:
			e.OriginalStartTime = &event.Time{DateTime: time.Date(midnight.Year(), midnight.Month(), midnight.Day(), 0, 0, 0, 0, time.UTC).Format("2006-01-02T15:04:05Z")}
		case 5:
			e.ID = fmt.Sprintf("other%d", rapid.IntRange(0, 2).Draw(t, "other id"))
		}
		if rapid.Bool().Draw(t, "has a sequence") {
			e.Sequence = rapid.Int64Range(1, 3).Draw(t, "sequence")
		}
		if rapid.Bool().Draw(t, "has updated") {
			e.Updated = fmt.Sprintf("2026-03-0%dT00:00:00Z", rapid.IntRange(1, 9).Draw(t, "updated"))
		}
		if rapid.IntRange(0, 2).Draw(t, "cancelled") == 0 {
			e.Status = "cancelled"
		} else {
			by := time.Duration(rapid.IntRange(-30, 30).Draw(t, "moved by")) * time.Hour
			e.Start, e.End = local(midnight.Add(by)), local(midnight.Add(by+time.Hour))
			if allDay {
				e.Start, e.End = day(midnight.Add(by)), day(midnight.Add(by).AddDate(0, 0, 1))
			}
		}
		s.Exceptions = append(s.Exceptions, e)
	}
	return s
}

// instantText returns a date as it is, and a time in UTC.
func instantText(t *event.Time) string {
	switch {
	case t == nil:
		return "none"
	case t.Date != "":
		return t.Date
	}
	at, err := t.Instant(time.UTC)
	if err != nil {
		return err.Error()
	}
	return at.UTC().Format(time.RFC3339)
}

// listed returns the instances of a series, cancelled ones included, in any order.
func listed(t *rapid.T, s event.Series) (list []string) {
	if s.Event == nil {
		return nil
	}
	for i, err := range s.Instances(event.Window{Cancelled: true}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, strings.Join([]string{instantText(i.OriginalStartTime), instantText(i.Start), instantText(i.End), i.Status}, " "))
	}
	slices.Sort(list)
	return list
}

// One original start is one instance, and no id comes twice, whatever the forms of the exceptions. Everything that reads
// exceptions agrees about them.
func TestExceptionsLaw(t *testing.T) {
	stood := 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawExceptions(t)
		ids, originals := map[string]bool{}, map[string]bool{}
		n := 0
		for i, err := range s.Instances(event.Window{Cancelled: true}) {
			if err != nil {
				t.Fatal(err)
			}
			if original := instantText(i.OriginalStartTime); ids[i.ID] || originals[original] {
				t.Fatalf("%s at %s comes twice", i.ID, original)
			} else {
				ids[i.ID], originals[original] = true, true
			}
			n++
		}
		if counted, err := s.Count(event.Window{Cancelled: true}, 1000); counted != n || err != nil {
			t.Fatalf("%d are counted, and %d listed: %v", counted, n, err)
		}
		standing, err := s.Standing()
		if err != nil {
			t.Fatal(err)
		}
		stood += len(standing)
		alone := s
		alone.Exceptions = standing
		if diff := cmp.Diff(listed(t, s), listed(t, alone)); diff != "" {
			t.Fatalf("the exceptions that stand alone (-all +standing):\n%s", diff)
		}
		whole := listed(t, s)
		var starts []*event.Time
		for i, err := range (event.Series{Event: s.Event}).Instances(event.Window{}) {
			if err != nil {
				t.Fatal(err)
			}
			starts = append(starts, i.OriginalStartTime)
		}
		if len(starts) == 0 {
			return
		}
		at := rapid.SampledFrom(starts).Draw(t, "split")
		split, err := s.Split(at)
		if err != nil {
			t.Fatal(err)
		}
		after := split.After
		after.Event.ID = s.Event.ID // the ids of its exceptions name instances of the old series
		for _, e := range after.Exceptions {
			e.RecurringEventID = s.Event.ID
		}
		halves := append(listed(t, split.Before), listed(t, after)...)
		slices.Sort(halves)
		if diff := cmp.Diff(whole, halves); diff != "" {
			t.Fatalf("split at %s (-whole +halves):\n%s", at, diff)
		}
		ended, err := s.Truncate(at)
		if err != nil {
			t.Fatal(err)
		}
		if ended.Series.Event != nil {
			if diff := cmp.Diff(listed(t, split.Before), listed(t, ended.Series)); diff != "" {
				t.Fatalf("ended at %s (-first half +truncated):\n%s", at, diff)
			}
		}
		if moved, err := s.Move(s.Event.Start); err != nil {
			t.Fatal(err)
		} else if diff := cmp.Diff(whole, listed(t, moved.Series)); diff != "" {
			t.Fatalf("moved to where it is (-want +got):\n%s", diff)
		}
	})
	if stood == 0 {
		t.Error("no exception stands")
	}
}

// An exception stands for the instance of its original start, or of its id, if the series has one there.
func TestExceptionStandsFor(t *testing.T) {
	for _, test := range []struct{ id, original, want string }{
		{"x", `{"date":"2026-03-11"}`, "2026-03-11"},
		{"s_20260312", `{"date":"2026-03-20"}`, "2026-03-12"},
		{"20260312", `{"date":"2026-03-20"}`, ""}, // the id of no instance
		{"x", `{"dateTime":"2026-03-11T15:00:00"}`, "2026-03-11"},
		{"x", `{"dateTime":"2026-03-11T10:00:00Z"}`, "2026-03-11"},
		{"x", `{"dateTime":"2026-03-11T15:00:00Z"}`, "2026-03-12"}, // the nearest midnight
		{"x", `{"date":"2026-03-11","dateTime":"2026-03-11T15:00:00"}`, ""},
	} {
		s := event.Series{
			Event:      mustEvent(t, `{"id":"s","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`),
			Exceptions: []*event.Event{mustEvent(t, `{"id":"`+test.id+`","recurringEventId":"s","status":"cancelled","originalStartTime":`+test.original+`}`)},
		}
		days := []string{"2026-03-10", "2026-03-11", "2026-03-12"}
		for i, err := range s.Instances(event.Window{}) {
			if err != nil {
				t.Fatal(err)
			}
			days = slices.DeleteFunc(days, func(day string) bool { return day == i.Start.Date })
		}
		if got := strings.Join(days, " "); got != test.want {
			t.Errorf("the exception %s of %s stands for %q, want %q", test.id, test.original, got, test.want)
		}
	}
}
