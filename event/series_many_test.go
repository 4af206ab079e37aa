package event_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testing/testdepth"
	"github.com/calrules/calrules/recurrence"
)

// drawCalendar draws a few series of March 2026 with exceptions.
func drawCalendar(t *rapid.T) (c event.Calendar) {
	for n := range rapid.IntRange(0, 4).Draw(t, "series") {
		e := &event.Event{ID: fmt.Sprintf("series%d", n)}
		day := rapid.IntRange(1, 9).Draw(t, "day")
		if rapid.IntRange(0, 3).Draw(t, "all-day") == 0 {
			e.Start, e.End = &event.Time{Date: fmt.Sprintf("2026-03-%02d", day)}, &event.Time{Date: fmt.Sprintf("2026-03-%02d", day+rapid.IntRange(1, 2).Draw(t, "days"))}
		} else {
			from := time.Date(2026, 3, day, rapid.IntRange(0, 23).Draw(t, "hour"), 0, 0, 0, time.UTC)
			to := from.Add(time.Duration(rapid.IntRange(0, 40).Draw(t, "length")) * time.Hour)
			zone := rapid.SampledFrom([]string{"UTC", "America/New_York", "Asia/Kolkata"}).Draw(t, "zone")
			written := func(at time.Time) *event.Time {
				return &event.Time{DateTime: at.Format("2006-01-02T15:04:05"), TimeZone: zone}
			}
			e.Start, e.End = written(from), written(to)
		}
		e.Recurrence = []string{rapid.SampledFrom([]string{"RRULE:FREQ=DAILY;COUNT=7", "RRULE:FREQ=WEEKLY;COUNT=4", "RRULE:FREQ=DAILY;INTERVAL=3;COUNT=5"}).Draw(t, "rule")}
		if rapid.IntRange(0, 3).Draw(t, "transparent") == 0 {
			e.Transparency = "transparent"
		}
		s := event.Series{Event: e}
		if rapid.Bool().Draw(t, "berlin") {
			s.Zone = time.FixedZone("", 3600)
		}
		for i := range s.Instances(event.Window{}) {
			if rapid.IntRange(0, 5).Draw(t, "cancelled") == 0 {
				cancelled := i.Event.Clone()
				cancelled.Status = "cancelled"
				s.Exceptions = append(s.Exceptions, cancelled)
			}
		}
		c = append(c, s)
	}
	return c
}

// spanned returns the instants of an instance of a series, whose days are in a zone.
func spanned(s event.Series, i event.Instance) event.Busy {
	if i.Start.Date == "" {
		return event.Busy{From: i.Span.Start.UTC(), To: i.Span.End.UTC()}
	}
	in := s.Zone
	if in == nil {
		in = time.UTC
	}
	day := func(at time.Time) time.Time {
		return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, in).UTC()
	}
	return event.Busy{From: day(i.Span.Start), To: day(i.Span.End)}
}

// inWindow reports whether a time overlaps the window, as an instance does that is under way in it.
func inWindow(b event.Busy, w event.Window) bool {
	return (b.To.After(w.From) || !b.From.Before(w.From)) && b.From.Before(w.To)
}

// Merged busy times are those that a list of all instances gives, and conflicts are the pairs that overlap.
func TestCalendarLaw(t *testing.T) {
	busyTimes, conflicts := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawCalendar(t)
		w := event.Window{From: time.Date(2026, 3, rapid.IntRange(1, 9).Draw(t, "from"), 5, 0, 0, 0, time.UTC)}
		w.To = w.From.Add(time.Duration(rapid.IntRange(1, 300).Draw(t, "hours")) * time.Hour)
		type one struct {
			index int
			id    string
			at    event.Busy
			isOff bool
		}
		var all []one
		for n, s := range c {
			for i, err := range s.Instances(event.Window{}) {
				if err != nil {
					t.Fatal(err)
				}
				if at := spanned(s, i); inWindow(at, w) {
					all = append(all, one{n, i.ID, at, i.Transparency == "transparent"})
				}
			}
		}
		slices.SortStableFunc(all, func(a, b one) int { return a.at.From.Compare(b.at.From) })
		var listed, want []string
		for _, o := range all {
			want = append(want, o.id)
		}
		w.Overlap = true
		for i, err := range c.Instances(w) {
			if err != nil {
				t.Fatal(err)
			}
			listed = append(listed, i.ID)
		}
		if diff := cmp.Diff(want, listed); diff != "" {
			t.Fatalf("instances (-want +got):\n%s", diff)
		}
		var merged, got []event.Busy
		for _, o := range all {
			at := event.Busy{From: laterOf(o.at.From, w.From), To: o.at.To}
			if at.To.After(w.To) {
				at.To = w.To
			}
			last := len(merged) - 1
			switch {
			case o.isOff || !at.From.Before(at.To):
			case last >= 0 && !at.From.After(merged[last].To):
				merged[last].To = laterOf(merged[last].To, at.To)
			default:
				merged = append(merged, at)
			}
		}
		for b, err := range c.Busy(w) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, b)
		}
		if diff := cmp.Diff(merged, got); diff != "" {
			t.Fatalf("busy (-want +got):\n%s", diff)
		}
		pairs := map[string]int{}
		for i, a := range all {
			for _, b := range all[i+1:] {
				if a.index != b.index && (a.at.To.After(b.at.From) || a.at.From.Equal(b.at.From)) {
					pairs[a.id+" "+b.id]++
				}
			}
		}
		for pair, err := range c.Conflicts(w) {
			if err != nil {
				t.Fatal(err)
			}
			pairs[pair[0].ID+" "+pair[1].ID]--
			conflicts++
		}
		for pair, n := range pairs {
			if n != 0 {
				t.Fatalf("the conflict of %s: %d", pair, n)
			}
		}
		busyTimes += len(merged)
	})
	if testdepth.Full() && (busyTimes == 0 || conflicts == 0) {
		t.Error("nothing is busy, or nothing conflicts")
	}
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// rareAndDaily is a calendar in which the search for the next instance of one series takes more than its budget.
func rareAndDaily(budget int) event.Calendar {
	series := func(id, rule string, budget int) event.Series {
		return event.Series{
			Event: &event.Event{
				ID: id, Start: &event.Time{DateTime: "2026-03-02T09:00:00Z"}, End: &event.Time{DateTime: "2026-03-02T10:00:00Z"}, Recurrence: []string{rule},
			},
			Options: recurrence.Options{Budget: budget},
		}
	}
	return event.Calendar{
		series("yearly", "RRULE:FREQ=YEARLY;UNTIL=21000101T000000Z", 0),
		series("rare", "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;UNTIL=21000101T000000Z", budget),
	}
}

// A search that exceeds its budget says from when on to go on, and nothing is missing then.
func TestCalendarGoesOn(t *testing.T) {
	list := func(c event.Calendar, from time.Time) (ids []string, next time.Time) {
		for i, err := range c.Instances(event.Window{From: from}) {
			if over, ok := errors.AsType[*recurrence.BudgetError](err); ok {
				return ids, over.Next
			} else if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, i.ID)
		}
		return ids, time.Time{}
	}
	want, next := list(rareAndDaily(0), time.Time{})
	if !next.IsZero() || len(want) < 70 {
		t.Fatalf("%d instances, and then %s", len(want), next)
	}
	small := rareAndDaily(100)
	var got []string
	rounds := 0
	for from := (time.Time{}); ; rounds++ {
		ids, next := list(small, from)
		got = append(got, ids...)
		if next.IsZero() || rounds > 100 {
			break
		}
		from = next
	}
	if diff := cmp.Diff(want, got); diff != "" || rounds == 0 {
		t.Errorf("in %d further rounds (-want +got):\n%s", rounds, diff)
	}
	var busy, conflict error
	for _, err := range small.Busy(event.Window{}) {
		busy = err
	}
	for _, err := range small.Conflicts(event.Window{}) {
		conflict = err
	}
	for name, err := range map[string]error{"busy": busy, "conflicts": conflict} {
		if over, ok := errors.AsType[*recurrence.BudgetError](err); !ok || over.Next.IsZero() {
			t.Errorf("%s end with %v", name, err)
		}
	}
}

// The memory that a calendar takes follows the number of its series, and not the number of instances.
func TestCalendarMemory(t *testing.T) {
	var c event.Calendar
	for n := range 20 {
		c = append(c, event.Series{Event: &event.Event{
			ID: fmt.Sprintf("series%d", n), Start: &event.Time{DateTime: "2026-03-02T09:00:00Z"}, End: &event.Time{DateTime: "2026-03-02T10:00:00Z"},
			Recurrence: []string{"RRULE:FREQ=DAILY"},
		}})
	}
	live := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	n, early := 0, uint64(0)
	for range c.Conflicts(event.Window{}) {
		if n++; n == 1000 {
			early = live()
		}
		if n == 200_000 {
			break
		}
	}
	if now := live(); now > early+1<<20 {
		t.Errorf("%d bytes after a thousand conflicts, and %d after 200,000", early, now)
	}
}

// TestSeriesEqual has pairs of series, and whether they are equal as far as that can be found out.
func TestSeriesEqual(t *testing.T) {
	const nine = `"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`
	read := func(times, rule string) event.Series {
		return event.Series{Event: mustEvent(t, `{`+times+`,"recurrence":["`+rule+`"]}`)}
	}
	cancelled := read(nine, "RRULE:FREQ=DAILY;COUNT=4")
	cancelled.Exceptions = []*event.Event{mustEvent(t, `{"status":"cancelled","originalStartTime":{"dateTime":"2026-03-13T09:00:00Z"}}`)}
	three := read(nine, "RRULE:FREQ=DAILY;COUNT=3")
	for _, test := range []struct {
		name           string
		one, other     event.Series
		equal, certain bool
	}{
		{"another rule", three, read(nine, "RRULE:FREQ=DAILY;UNTIL=20260312T090000Z"), true, true},
		{"a cancelled instance", three, cancelled, true, true},
		{"an instance more", three, read(nine, "RRULE:FREQ=DAILY;COUNT=4"), false, true},
		{"an instance less", three, read(nine, "RRULE:FREQ=DAILY;COUNT=2"), false, true},
		{"another start", three, read(`"start":{"dateTime":"2026-03-10T09:30:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`, "RRULE:FREQ=DAILY;COUNT=3"), false, true},
		{"another end", three, read(`"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:30:00Z"}`, "RRULE:FREQ=DAILY;COUNT=3"), false, true},
		{"days", read(`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`, "RRULE:FREQ=DAILY;COUNT=3"),
			read(`"start":{"dateTime":"2026-03-10T00:00:00Z"},"end":{"dateTime":"2026-03-11T00:00:00Z"}`, "RRULE:FREQ=DAILY;COUNT=3"), false, true},
		{"9,999 instances", read(nine, "RRULE:FREQ=DAILY;COUNT=9999"), read(nine, "RRULE:FREQ=DAILY;COUNT=9999"), true, true},
		{"no end", read(nine, "RRULE:FREQ=DAILY"), read(nine, "RRULE:FREQ=DAILY"), true, false},
	} {
		if equal, certain, err := test.one.Equal(test.other); equal != test.equal || certain != test.certain || err != nil {
			t.Errorf("%s: equal %t, certain %t, %v", test.name, equal, certain, err)
		}
	}
	wrong := read(nine, "RRULE:FREQ=NEVER")
	for _, pair := range [][2]event.Series{{wrong, three}, {three, wrong}} {
		if equal, certain, err := pair[0].Equal(pair[1]); equal || certain || err == nil {
			t.Errorf("a series that cannot be read: equal %t, certain %t, %v", equal, certain, err)
		}
	}
}

// TestExplain has the exceptions of a daily series, and what is said about them.
func TestExplain(t *testing.T) {
	exception := func(day int, status string) *event.Event {
		return mustEvent(t, fmt.Sprintf(`{"status":"%s","originalStartTime":{"date":"2026-03-%d"},"start":{"date":"2026-04-%d"},"end":{"date":"2026-04-%d"}}`, status, day, day, day+1))
	}
	const confirmed, cancelled = "confirmed", "cancelled"
	for _, test := range []struct {
		exceptions []*event.Event
		want       string
	}{
		{nil, ""},
		{[]*event.Event{exception(11, confirmed)}, " 1 instance is changed."},
		{[]*event.Event{exception(11, cancelled), exception(12, cancelled)}, " 2 instances are cancelled."},
		{[]*event.Event{exception(11, cancelled), exception(12, confirmed), exception(13, confirmed)}, " 2 instances are changed, and 1 instance is cancelled."},
		{[]*event.Event{mustEvent(t, `{"status":"cancelled","originalStartTime":{"dateTime":"2026-03-30T09:00:00Z"}}`)}, ""}, // of no instance
	} {
		s := event.Series{Event: mustEvent(t, `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;COUNT=5"]}`)}
		without := must(s.Explain())
		s.Exceptions = test.exceptions
		if got := must(s.Explain()); got != without+test.want {
			t.Errorf("%d exceptions: %s", len(test.exceptions), got)
		}
	}
}

// TestDifferenceOfStarts has pairs of series with one rule, and how their starts differ.
func TestDifferenceOfStarts(t *testing.T) {
	series := func(start, end string) event.Series {
		return event.Series{Event: mustEvent(t, `{"start":{`+start+`},"end":{`+end+`},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)}
	}
	timed := func(hour int, zone string) event.Series {
		return series(fmt.Sprintf(`"dateTime":"2026-03-10T%02d:00:00Z","timeZone":"%s"`, hour, zone), fmt.Sprintf(`"dateTime":"2026-03-10T%02d:00:00Z","timeZone":"%s"`, hour+1, zone))
	}
	nine := timed(9, "Europe/Berlin")
	for name, test := range map[string]struct {
		one, other event.Series
		want       string
	}{
		"the same":     {nine, nine, ""},
		"another time": {nine, timed(10, "Europe/Berlin"), "The start is 2026-03-10T09:00:00Z Europe/Berlin instead of 2026-03-10T10:00:00Z Europe/Berlin."},
		"another zone": {nine, timed(9, "Europe/Paris"), "The start is 2026-03-10T09:00:00Z Europe/Berlin instead of 2026-03-10T09:00:00Z Europe/Paris."},
		"a day": {series(`"date":"2026-03-10"`, `"date":"2026-03-11"`), series(`"dateTime":"2026-03-10T00:00:00Z","timeZone":"UTC"`, `"dateTime":"2026-03-11T00:00:00Z","timeZone":"UTC"`),
			"The start is 2026-03-10 instead of 2026-03-10T00:00:00Z UTC."},
	} {
		if got, err := test.one.Difference(test.other); got != test.want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
