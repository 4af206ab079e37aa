package event_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/recurrence"
)

// starts returns the starts of the first instances of a series, with their zones, or the error.
func starts(s event.Series) (list []string) {
	for i, err := range s.Instances(event.Window{}) {
		if err != nil || len(list) == 30 {
			break
		}
		list = append(list, i.Start.String()+" to "+i.End.String()+" "+i.Summary)
	}
	return list
}

// weekdays has an exception that is moved and one that is cancelled.
func weekdays(t interface{ Fatal(...any) }) event.Series {
	s := event.Series{Event: new(event.Event)}
	read := func(e *event.Event, text string) *event.Event {
		if err := e.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return e
	}
	read(s.Event, `{"id":"daily1","summary":"Standup","start":{"dateTime":"2026-03-23T09:00:00+01:00","timeZone":"Europe/Berlin"},`+
		`"end":{"dateTime":"2026-03-23T09:30:00+01:00","timeZone":"Europe/Berlin"},"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=10","EXDATE;TZID=Europe/Berlin:20260325T090000"]}`)
	s.Exceptions = []*event.Event{
		read(new(event.Event), `{"id":"daily1_20260326T080000Z","recurringEventId":"daily1","originalStartTime":{"dateTime":"2026-03-26T09:00:00+01:00","timeZone":"Europe/Berlin"},`+
			`"summary":"Late","start":{"dateTime":"2026-03-26T11:00:00+01:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-03-26T11:30:00+01:00","timeZone":"Europe/Berlin"}}`),
		read(new(event.Event), `{"id":"daily1_20260331T070000Z","recurringEventId":"daily1","status":"cancelled","originalStartTime":{"date":"2026-03-31"}}`),
	}
	return s
}

func at(text string) *event.Time { return batch.Moment(text) }

// What one call makes of a series, another one undoes.
func TestThereAndBack(t *testing.T) {
	type edit = func(event.Series) (event.Series, error)
	for name, edits := range map[string][2]edit{
		"exclude and add": {
			func(s event.Series) (event.Series, error) {
				return s.Exclude(at("2026-03-24T09:00:00+01:00"), at("2026-03-27T08:00:00Z"))
			},
			func(s event.Series) (event.Series, error) {
				return s.Add(at("2026-03-27T09:00:00+01:00"), at("2026-03-24T09:00:00+01:00"))
			},
		},
		"add and exclude": {
			func(s event.Series) (event.Series, error) {
				return s.Add(at("2026-03-25T09:00:00+01:00"), at("2026-04-25T19:00:00+02:00"))
			},
			func(s event.Series) (event.Series, error) {
				return s.Exclude(at("2026-04-25T19:00:00+02:00"), at("2026-03-25T09:00:00+01:00"))
			},
		},
		"cancel and restore": {
			func(s event.Series) (event.Series, error) { return s.Cancel(at("2026-03-24T09:00:00+01:00")) },
			func(s event.Series) (event.Series, error) { return s.Restore(at("2026-03-24T08:00:00Z")) },
		},
		"cancel and restore an exception": {
			func(s event.Series) (event.Series, error) { return s.Cancel(at("2026-03-26T09:00:00+01:00")) },
			func(s event.Series) (event.Series, error) { return s.Restore(at("2026-03-26T09:00:00+01:00")) },
		},
		"cancel and reset": {
			func(s event.Series) (event.Series, error) { return s.Cancel(at("2026-03-24T09:00:00+01:00")) },
			func(s event.Series) (event.Series, error) { return s.Reset(at("2026-03-24T09:00:00+01:00")) },
		},
		"restore and cancel": {
			func(s event.Series) (event.Series, error) { return s.Restore(at("2026-03-31T09:00:00+02:00")) },
			func(s event.Series) (event.Series, error) { return s.Cancel(at("2026-03-31T09:00:00+02:00")) },
		},
		"rezone": {
			func(s event.Series) (event.Series, error) { return s.Rezone("Europe/Athens") },
			func(s event.Series) (event.Series, error) { return s.Rezone("Europe/Berlin") },
		},
		"reclock": {
			func(s event.Series) (event.Series, error) { return s.Reclock("America/New_York") },
			func(s event.Series) (event.Series, error) { return s.Reclock("Europe/Berlin") },
		},
		"split and join": {
			func(s event.Series) (event.Series, error) {
				split, err := s.Split(at("2026-03-31T09:00:00+02:00"))
				if err != nil {
					return s, err
				}
				first, second := event.Series{Event: s.Event.Clone()}, event.Series{Event: split.Insert, Exceptions: split.Moved}
				first.Event.Recurrence, first.Exceptions = split.Patch.Recurrence, s.Exceptions[:1]
				return first.Join(second)
			},
			func(s event.Series) (event.Series, error) { return s, nil },
		},
	} {
		s := weekdays(t)
		want, before := starts(s), s.Event.Clone()
		there, err := edits[0](s)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		back, err := edits[1](there)
		if err != nil {
			t.Errorf("%s, back: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, starts(back)); diff != "" {
			t.Errorf("%s, there and back (-want +got):\n%s", name, diff)
		}
		if name != "split and join" && cmp.Diff(want, starts(there)) == "" {
			t.Errorf("%s changes nothing", name)
		}
		if diff := cmp.Diff(before, s.Event); diff != "" {
			t.Errorf("%s writes to the series:\n%s", name, diff)
		}
	}
}

func TestVerbs(t *testing.T) {
	for _, test := range []struct {
		name string
		edit func(event.Series) (event.Series, error)
		want string // the first starts and the lines, or the error
	}{
		{"rezone", func(s event.Series) (event.Series, error) { return s.Rezone("Europe/Athens") },
			"2026-03-23T10:00:00+02:00 Europe/Athens|2026-03-24T10:00:00+02:00 Europe/Athens|RRULE:FREQ=WEEKLY;COUNT=10;BYDAY=MO,TU,WE,TH,FR|EXDATE;TZID=Europe/Berlin:20260325T090000"},
		{"rezone where clocks change at other times", func(s event.Series) (event.Series, error) { return s.Rezone("America/New_York") },
			"the instance at 2026-03-30T03:00:00-04:00 would be at 2026-03-30T04:00:00-04:00"},
		{"rezone to no zone", func(s event.Series) (event.Series, error) { return s.Rezone("Berlin") }, "not in the IANA Time Zone Database"},
		{"reclock", func(s event.Series) (event.Series, error) { return s.Reclock("America/New_York") },
			"2026-03-23T09:00:00-04:00 America/New_York|2026-03-24T09:00:00-04:00 America/New_York|RRULE:FREQ=WEEKLY;COUNT=10;BYDAY=MO,TU,WE,TH,FR|EXDATE:20260325T130000Z"},
		{"all-day", event.Series.AllDay, "2026-03-23 Europe/Berlin|2026-03-24 Europe/Berlin|RRULE:FREQ=WEEKLY;COUNT=10;BYDAY=MO,TU,WE,TH,FR|EXDATE;VALUE=DATE:20260325"},
		{"timed again", func(s event.Series) (event.Series, error) {
			s, err := s.AllDay()
			if err != nil {
				return s, err
			}
			return s.Timed(15*time.Hour, "Europe/Berlin", time.Hour)
		}, "2026-03-23T15:00:00+01:00 Europe/Berlin|2026-03-24T15:00:00+01:00 Europe/Berlin|RRULE:FREQ=WEEKLY;COUNT=10;BYDAY=MO,TU,WE,TH,FR|EXDATE;TZID=Europe/Berlin:20260325T150000"},
		{"timed already", func(s event.Series) (event.Series, error) { return s.Timed(0, "UTC", 0) }, "the series is already timed"},
		{"exclude", func(s event.Series) (event.Series, error) { return s.Exclude(at("2026-03-24T09:00:00+01:00")) },
			"2026-03-23T09:00:00+01:00 Europe/Berlin|2026-03-26T11:00:00+01:00 Europe/Berlin|RRULE:FREQ=WEEKLY;COUNT=10;BYDAY=MO,TU,WE,TH,FR|EXDATE;TZID=Europe/Berlin:20260325T090000,20260324T090000"},
		{"exclude an exception", func(s event.Series) (event.Series, error) {
			return s.Exclude(at("2026-03-26T09:00:00+01:00"), at("2026-03-24T09:00:00+01:00"), at("2026-03-23T09:00:00+01:00"))
		}, "2026-03-27T09:00:00+01:00 Europe/Berlin|2026-03-30T09:00:00+02:00 Europe/Berlin|RRULE:FREQ=WEEKLY;COUNT=10;BYDAY=MO,TU,WE,TH,FR|EXDATE;TZID=Europe/Berlin:20260325T090000,20260326T090000,20260324T090000,20260323T090000"},
		{"exclude nothing", func(s event.Series) (event.Series, error) { return s.Exclude(at("2026-03-24T10:00:00+01:00")) }, "there is no instance at 2026-03-24T10:00:00+01:00"},
		{"add one that is there", func(s event.Series) (event.Series, error) { return s.Add(at("2026-03-24T09:00:00+01:00")) }, "there is already an instance at 2026-03-24T09:00:00+01:00"},
		{"cancel a cancelled one", func(s event.Series) (event.Series, error) { return s.Cancel(at("2026-03-31T09:00:00+02:00")) }, "the instance is already cancelled"},
		{"cancel none", func(s event.Series) (event.Series, error) { return s.Cancel(at("2026-03-25T09:00:00+01:00")) }, "there is no instance at that time"},
		{"restore", func(s event.Series) (event.Series, error) { return s.Restore(at("2026-03-23T09:00:00+01:00")) }, "the instance is not cancelled"},
		{"reset", func(s event.Series) (event.Series, error) { return s.Reset(at("2026-03-23T09:00:00+01:00")) }, "the instance has no exception"},
		{"a day", func(s event.Series) (event.Series, error) { return s.Cancel(at("2026-03-24")) }, "the event is timed but the time is a date"},
	} {
		s, err := test.edit(weekdays(t))
		var inexact *recurrence.EditError
		if err != nil {
			if !errors.As(err, &inexact) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: the error is %v, want %s", test.name, err, test.want)
			}
			continue
		}
		var got []string
		for i := range s.Instances(event.Window{}) {
			if got = append(got, i.Start.String()); len(got) == 2 {
				break
			}
		}
		if diff := cmp.Diff(strings.Split(test.want, "|"), append(got, s.Event.Recurrence...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// An added instance must end before the year 10000.
func TestAddUnwritable(t *testing.T) {
	s := event.Series{Event: mustEvent(t, `{"start":{"date":"2026-03-23"},"end":{"date":"2026-03-26"},"recurrence":["RRULE:FREQ=YEARLY;COUNT=2"]}`)}
	for start, want := range map[string]string{"9999-12-28": "", "9999-12-29": "outside the years 0 to 9999", "9999-12-30": "outside the years 0 to 9999"} {
		added, err := s.Add(at(start))
		if want == "" && (err != nil || len(starts(added)) != 3) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, %v", start, starts(added), err)
		}
	}
}

// Reset removes the exception at an original start, but not an exception of a day without an instance, which means midnight and
// therefore the same instant.
func TestResetBesideDay(t *testing.T) {
	s := weekdays(t)
	for _, text := range []string{
		`{"id":"a","recurringEventId":"daily1","originalStartTime":{"dateTime":"2026-03-28T00:00:00+01:00"}}`,
		`{"id":"b","recurringEventId":"daily1","originalStartTime":{"date":"2026-03-28"}}`,
	} {
		s.Exceptions = append(s.Exceptions, mustEvent(t, text))
	}
	reset, err := s.Reset(at("2026-03-28T00:00:00+01:00"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range reset.Exceptions {
		got = append(got, e.ID)
	}
	if diff := cmp.Diff([]string{"daily1_20260326T080000Z", "daily1_20260331T070000Z", "b"}, got); diff != "" {
		t.Error(diff)
	}
}

// A new zone moves the times of exceptions in the zone of the series, and keeps days and times in other zones.
func TestReclockExceptions(t *testing.T) {
	const berlin = `,"timeZone":"Europe/Berlin"`
	for _, test := range []struct{ zone, start, want string }{
		{berlin, `{"dateTime":"2026-03-12T10:00:00+01:00"` + berlin + `}`, `{"dateTime":"2026-03-12T10:00:00-04:00","timeZone":"America/New_York"}`},
		{berlin, `{"dateTime":"2026-03-12T10:00:00+01:00","timeZone":"Europe/Paris"}`, `{"dateTime":"2026-03-12T10:00:00+01:00","timeZone":"Europe/Paris"}`},
		{berlin, `{"date":"2026-03-12"}`, `{"date":"2026-03-12"}`},
		{``, `{"date":"2026-03-12"}`, `{"date":"2026-03-12"}`},
	} {
		s := event.Series{
			Event:      mustEvent(t, `{"id":"s","start":{"dateTime":"2026-03-10T09:00:00+01:00"`+test.zone+`},"end":{"dateTime":"2026-03-10T09:30:00+01:00"`+test.zone+`},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`),
			Exceptions: []*event.Event{mustEvent(t, `{"id":"x","recurringEventId":"s","originalStartTime":{"dateTime":"2026-03-11T09:00:00+01:00"},"start":`+test.start+`,"end":`+test.start+`}`)},
		}
		if got, err := s.Reclock("America/New_York"); err != nil || marshal(t, got.Exceptions[0].Start) != test.want {
			t.Errorf("%s becomes %v, %v, want %s", test.start, got.Exceptions, err, test.want)
		}
	}
}

// A series that moves to a time in another zone is in that zone.
func TestMoveToZone(t *testing.T) {
	move, err := weekdays(t).Move(&event.Time{DateTime: "2026-03-23T10:00:00", TimeZone: "America/New_York"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2026-03-23T10:00:00-04:00 America/New_York", "2026-03-23T10:30:00-04:00 America/New_York",
		"2026-03-26T10:00:00-04:00 America/New_York", "2026-03-31T10:00:00-04:00 America/New_York", "EXDATE:20260325T140000Z"}
	got := []string{move.Patch.Start.String(), move.Patch.End.String(), move.Moved[0].OriginalStartTime.String(), move.Moved[1].OriginalStartTime.String(), move.Patch.Recurrence[1]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSingles(t *testing.T) {
	var got []string
	for e, err := range weekdays(t).Singles(event.Window{}) {
		if err != nil || e.ID+e.RecurringEventID != "" || e.OriginalStartTime != nil || e.Recurrence != nil {
			t.Fatalf("%v, %v", e, err)
		}
		got = append(got, e.Start.String()+" to "+e.End.String()+" "+e.Summary)
	}
	if diff := cmp.Diff(starts(weekdays(t)), got); diff != "" {
		t.Error(diff)
	}
}

// Cancelling, restoring, excluding and adding an instance change that instance alone.
func TestOneInstanceLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := weekdays(t)
		all := starts(s)
		i := rapid.IntRange(0, len(all)-1).Draw(t, "i")
		var original *event.Time
		n := 0
		for instance := range s.Instances(event.Window{}) {
			if n == i {
				original = instance.OriginalStartTime
			}
			n++
		}
		for name, edit := range map[string]func(event.Series) (event.Series, error){
			"exclude": func(s event.Series) (event.Series, error) { return s.Exclude(original) },
			"cancel":  func(s event.Series) (event.Series, error) { return s.Cancel(original) },
		} {
			changed, err := edit(s)
			if err != nil {
				t.Fatal(err)
			}
			want := append(append([]string{}, all[:i]...), all[i+1:]...)
			if diff := cmp.Diff(want, starts(changed)); diff != "" {
				t.Fatalf("%s %s:\n%s", name, original, diff)
			}
		}
	})
}
