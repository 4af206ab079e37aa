package main

import (
	"time"

	"github.com/calrules/calrules/benchmarks/internal/payload"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/recurrence"
)

// series returns the rows that parse and query a series.
func series() (all []row) {
	for _, s := range []struct{ name, rule string }{
		{"COUNT=500", "RRULE:FREQ=DAILY;COUNT=500"},
		{"COUNT=500 with BYSETPOS", "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=500"},
		{"COUNT=5000", "RRULE:FREQ=DAILY;COUNT=5000"},
	} {
		all = append(all, row{"the last instance: " + s.name, []side{
			{ours, asked(s.rule, lastOf), ""}, {"calrules: all instances", asked(s.rule, allOf), ""},
		}, 0, 1})
	}
	const weekly = "RRULE:FREQ=WEEKLY;BYDAY=TU"
	return append(all, row{"the next instance: in a new *time.Location", []side{
		{ours, inNewZones(weekly, nextOf), ""}, {"calrules: in the same", asked(weekly, nextOf), ""},
	}, 0, 1})
}

// asked returns work that parses a rule and queries its instances.
func asked(rule string, ask func(*recurrence.Series)) func() func() {
	return func() func() {
		in, err := time.LoadLocation("America/New_York")
		must(err)
		return func() { ask(compiled(rule, in)) }
	}
}

// inNewZones is like asked, but loads the time zone again for each query.
func inNewZones(rule string, ask func(*recurrence.Series)) func() func() {
	return work(func() {
		in, err := time.LoadLocation("America/New_York")
		must(err)
		ask(compiled(rule, in))
	})
}

// makeTable creates the table for the payloads' time zone, as a process does once if it uses the zone often.
func makeTable() {
	e := payload.Named("recurring").Event()
	e.Recurrence = []string{"RRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1;COUNT=1"} // searches for the gaps in the zone
	_, err := event.Series{Event: e}.Count(event.Window{}, 1)
	must(err)
}

func compiled(rule string, in *time.Location) *recurrence.Series {
	set, err := recurrence.Parse([]string{rule})
	must(err)
	s, err := set.Compile(recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, in)))
	must(err)
	return s
}

func lastOf(s *recurrence.Series) {
	_, _, err := s.Last()
	must(err)
}

func allOf(s *recurrence.Series) {
	for _, err := range s.All() {
		must(err)
	}
}

func nextOf(s *recurrence.Series) {
	_, _, err := s.Next(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	must(err)
}
