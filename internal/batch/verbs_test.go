package batch_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/recurrence"
)

// optional are the options, with a series each whose instances depend on one of them. The series starts at a time in
// America/New_York or, for the verb timed, on the day.
var optional = []struct {
	name    string
	options recurrence.Options
	start   string // of the clock
	hours   int    // the length
	rule    string
}{
	{"none", recurrence.Options{}, "2026-03-10T09:00:00", 1, "FREQ=WEEKLY;BYDAY=MO;COUNT=6"},
	{"gap", recurrence.Options{Shift: true}, "2026-03-05T02:30:00", 1, "FREQ=DAILY;COUNT=9"},
	{"countStart", recurrence.Options{CountStart: true}, "2026-03-10T09:00:00", 1, "FREQ=WEEKLY;BYDAY=MO;COUNT=6"},
	{"months", recurrence.Options{AllMonths: true}, "2026-03-10T09:00:00", 1, "FREQ=YEARLY;BYMONTHDAY=10;COUNT=8"},
	{"weekdays", recurrence.Options{AllWeekdays: true}, "2026-05-11T09:00:00", 1, "FREQ=YEARLY;BYWEEKNO=20;COUNT=12"},
	{"onlyMatches", recurrence.Options{OnlyMatches: true}, "2026-03-10T09:00:00", 1, "FREQ=WEEKLY;BYDAY=MO;COUNT=6"},
	{"wallClock", recurrence.Options{WallClock: true}, "2026-03-05T22:00:00", 8, "FREQ=DAILY;COUNT=9"},
}

// Every option holds for every verb: what a verb answers follows from the instances that the option gives.
func TestOptionsOfVerbs(t *testing.T) {
	tested := map[string]bool{}
	for _, o := range optional {
		clock, err := time.ParseInLocation("2006-01-02T15:04:05", o.start, zoneOf(t, "America/New_York"))
		if err != nil {
			t.Fatal(err)
		}
		timeOfDay := clock.Format(time.TimeOnly)
		end := clock.Add(time.Duration(o.hours) * time.Hour)
		timed := batch.Expansion{Options: o.options, Recurrence: []string{"RRULE:" + o.rule},
			Start: &event.Time{DateTime: o.start, TimeZone: "America/New_York"},
			End:   &event.Time{DateTime: end.Format("2006-01-02T15:04:05"), TimeZone: "America/New_York"},
		}
		days := timed
		days.Start, days.End = &event.Time{Date: clock.Format(time.DateOnly)}, &event.Time{Date: end.AddDate(0, 0, 1).Format(time.DateOnly)}
		all := listOf(t, timed)
		if len(all) < 6 {
			t.Fatalf("%s: %d instances", o.name, len(all))
		}
		at := all[3]
		between := at.Start.Add(90 * time.Minute).In(clock.Location())
		// on returns the days of instances in a location at a time of day in a zone.
		on := func(list []span, in *time.Location, timeOfDay, zone string) (moved []span) {
			length := time.Duration(o.hours) * time.Hour
			for _, i := range list {
				text := i.Start.In(in).Format(time.DateOnly) + "T" + timeOfDay
				from, ok := (event.Series{Event: &event.Event{Start: &event.Time{DateTime: text, TimeZone: zone}}}).Place(&event.Time{DateTime: text, TimeZone: zone})
				if !ok {
					t.Fatal(text)
				}
				to := from.Add(length)
				if o.options.WallClock { // the end on the next day
					to = clockAfter(from, o.hours)
				}
				moved = append(moved, span{from, to})
			}
			return moved
		}
		later := clock.Add(time.Hour).Format(time.TimeOnly)
		without := slices.Delete(slices.Clone(all), 3, 4)
		for _, test := range []struct {
			verb   string
			series *batch.Expansion
			with   string
			want   []span
		}{
			{"list", &timed, `{}`, all},
			{"singles", &timed, `{}`, all},
			{"next", &timed, `{"at":` + texts(at.Start) + `}`, all[4:5]},
			{"before", &timed, `{"at":` + texts(at.Start) + `}`, all[2:3]},
			{"contains", &timed, `{"at":` + texts(at.Start) + `}`, all[3:4]},
			{"count", &timed, `{"at":` + texts(at.Start) + `}`, all[:3]},
			{"last", &timed, `{}`, all[len(all)-1:]},
			{"split", &timed, `{"at":` + texts(at.Start) + `}`, all},
			{"truncate", &timed, `{"at":` + texts(at.Start) + `}`, all[:3]},
			{"move", &timed, `{"to":"` + clock.Add(time.Hour).Format("2006-01-02T15:04:05") + `"}`, on(all, clock.Location(), later, "America/New_York")},
			{"rezone", &timed, `{"zone":"America/Toronto"}`, all},
			{"reclock", &timed, `{"zone":"Europe/Berlin"}`, on(all, clock.Location(), timeOfDay, "Europe/Berlin")},
			{"all-day", &timed, `{}`, listOf(t, days)},
			{"timed", &days, `{"clock":"` + timeOfDay + `","zone":"America/New_York","length":"` + (time.Duration(o.hours) * time.Hour).String() + `"}`, on(listOf(t, days), time.UTC, timeOfDay, "America/New_York")},
			{"exclude", &timed, `{"at":` + texts(at.Start) + `}`, without},
			{"add", &timed, `{"at":` + texts(between) + `}`, slices.Insert(slices.Clone(all), 4, span{between, clockEnd(o.options, between, o.hours)})},
			{"cancel", &timed, `{"at":` + texts(at.Start) + `}`, without},
			{"restore", cancelled(timed, at), `{"at":` + texts(at.Start) + `}`, all},
			{"reset", cancelled(timed, at), `{"at":` + texts(at.Start) + `}`, all},
		} {
			req := *test.series
			req.Verb, req.With = test.verb, new(batch.With)
			var line batch.Expansion
			if err := json.Unmarshal([]byte(`{"with":`+test.with+`}`), &line); err != nil {
				t.Fatal(err)
			}
			req.With = line.With
			answer := batch.Expand(&req)
			got := spansOf(t, answer.Instances)
			for _, half := range []*batch.Half{answer.Before, answer.After, answer.Series} {
				if half != nil {
					got = append(got, listOf(t, batch.Expansion{Start: half.Event.Start, End: half.Event.End, Recurrence: half.Event.Recurrence, Exceptions: half.Exceptions, Options: o.options})...)
				}
			}
			if answer.Count != nil {
				got = all[:min(*answer.Count, len(all))]
			}
			if diff := cmp.Diff(test.want, got); diff != "" || answer.Error != "" {
				t.Errorf("%s, %s: %s%v (-want +got):\n%s", test.verb, o.name, answer.Error, answer.Findings, diff)
			}
			tested[test.verb] = true
		}
	}
	for _, v := range batch.Verbs {
		if !tested[v.Name] && !v.IsIntent() {
			t.Errorf("%s has no test with options", v.Name)
		}
	}
}

// span is an instance as instants.
type span struct{ Start, End time.Time }

func zoneOf(t *testing.T, name string) *time.Location {
	t.Helper()
	in, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// clockAfter returns when the clock shows some hours more than at an instant.
func clockAfter(at time.Time, hours int) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour()+hours, at.Minute(), 0, 0, at.Location())
}

// clockEnd returns the end of an instance with a length.
func clockEnd(o recurrence.Options, at time.Time, hours int) time.Time {
	if o.WallClock {
		return clockAfter(at, hours)
	}
	return at.Add(time.Duration(hours) * time.Hour)
}

// texts returns an instant as JSON.
func texts(at time.Time) string { return `"` + at.Format(time.RFC3339) + `"` }

// cancelled returns a series with a cancelled instance.
func cancelled(series batch.Expansion, at span) *batch.Expansion {
	series.Exceptions = []*event.Event{{Status: "cancelled", OriginalStartTime: event.TimeAt(at.Start)}}
	return &series
}

// listOf returns the instances of a series.
func listOf(t *testing.T, series batch.Expansion) []span {
	t.Helper()
	answer := batch.Expand(&series)
	if answer.Error != "" || answer.Findings != nil {
		t.Fatal(answer.Error, answer.Findings)
	}
	return spansOf(t, answer.Instances)
}

func spansOf(t *testing.T, list []batch.Instance) (spans []span) {
	t.Helper()
	for _, i := range list {
		from, err := i.Start.Instant(time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		to, err := i.End.Instant(time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		spans = append(spans, span{from, to})
	}
	return spans
}

// A verb takes its arguments, and one time and one address unless it is about several.
func TestArgumentsOfVerbs(t *testing.T) {
	const series = `{"start":{"date":"2026-03-02"},"end":{"date":"2026-03-03"},"recurrence":["RRULE:FREQ=DAILY;COUNT=5"],"id":"abc12"}`
	const several, guests = `["2026-03-03","2026-03-04"]`, `["ada@example.com","bob@example.com"]`
	for _, test := range []struct{ verb, with, want string }{
		{"cancel", `{}`, `with.at is missing; cancel needs at`},
		{"all-day", `{"at":"2026-03-03"}`, `with.at is not an argument of all-day, which takes no arguments`},
		{"cancel", `{"at":"2026-03-03","limit":1}`, `with.limit is not an argument of cancel, which takes at`},
		{"cancel", `{"at":` + several + `}`, `with.at has 2 times; cancel takes one`},
		{"cancel", `{"at":[]}`, `with.at has 0 times; cancel takes one`},
		{"end-following", `{"at":[]}`, `with.at has 0 times; end-following takes one`},
		{"contains", `{"at":[]}`, `with.at has 0 times; contains takes one`},
		{"respond", `{"email":[],"status":"accepted"}`, `with.email has 0 addresses; respond takes one`},
		{"exclude", `{"at":` + several + `}`, ``},
		{"add", `{"at":["2026-04-03","2026-04-04"]}`, ``},
		{"respond", `{"email":` + guests + `,"status":"accepted"}`, `with.email has 2 addresses; respond takes one`},
		{"add-guest", `{"email":` + guests + `}`, ``},
		{"timed", `{"clock":"09:00","zone":"UTC","length":"-30m"}`, `length is "-30m"; it must be a duration such as PT1H30M`},
		{"timed", `{"clock":"09:00","zone":"UTC","length":"long"}`, `length is "long"; it must be a duration such as PT1H30M`},
		{"timed", `{"clock":"09:00","zone":"UTC","length":"PT30M"}`, ``},
	} {
		var m batch.Making
		got := ""
		if err := m.UnmarshalJSON([]byte(`{"series":` + series + `,"verb":"` + test.verb + `","with":` + test.with + `}`)); err != nil {
			got = err.Error()
		} else {
			got = batch.Make(&m).Error
		}
		if got != test.want {
			t.Errorf("%s with %s: the error is %q, want %q", test.verb, test.with, got, test.want)
		}
	}
}

// Every argument that a verb takes, and no other, is in the table.
func TestArguments(t *testing.T) {
	taken := map[string]bool{}
	for _, v := range batch.Verbs {
		all := slices.Concat(v.Args, v.Optional)
		if v.Many != "" && !slices.Contains(all, v.Many) {
			t.Errorf("%s has many %s, but takes none", v.Name, v.Many)
		}
		for _, name := range all {
			taken[name] = true
		}
	}
	for _, a := range batch.Arguments {
		if !taken[a.Name] {
			t.Errorf("no verb takes %s", a.Name)
		}
		delete(taken, a.Name)
	}
	if len(taken) > 0 {
		t.Errorf("the table lacks %v", taken)
	}
}
