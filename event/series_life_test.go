package event_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/operation"
)

// seriesLife is a series and its exceptions as a service stores them, and a simple model of what should be shown.
type seriesLife struct {
	stored     *event.Event           // nil before the insert
	exceptions map[int64]*event.Event // by original start
	ids        map[int64]string       // the ids of the instances so far, by original start
	model      plainSeries
}

// plainSeries is a series and the changes to it. Its rule is so simple that a loop over days yields the instances.
type plainSeries struct {
	allDay       bool
	zone         *time.Location
	first        time.Time // the local time of the start, as if it were UTC
	length       time.Duration
	every, count int               // the interval in days, and the number of instances of the rule
	left         []int             // the indexes of instances that an EXDATE removes, never the first
	added        []int             // the days after the start on which an RDATE adds an instance, an hour later
	changed      map[int64]changed // the exceptions, by original start
}

// changed is an exception.
type changed struct {
	cancelled bool
	at        time.Time
	summary   string
}

// plainInstance is the part of an instance that is compared.
type plainInstance struct {
	At, Original time.Time
	Summary      string
	Cancelled    bool
}

// clockAt returns the instant that is the given number of days and hours after the start by the clock of the zone.
func (m *plainSeries) clockAt(days, hours int) time.Time {
	c := m.first.AddDate(0, 0, days)
	return time.Date(c.Year(), c.Month(), c.Day(), c.Hour()+hours, c.Minute(), 0, 0, m.zone)
}

// originals returns the starts of the recurrence.
func (m *plainSeries) originals() []time.Time {
	var all []time.Time
	for i := range m.count {
		if !slices.Contains(m.left, i) {
			all = append(all, m.clockAt(i*m.every, 0))
		}
	}
	for _, day := range m.added {
		all = append(all, m.addedAt(day))
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.CompactFunc(all, time.Time.Equal)
}

func (m *plainSeries) addedAt(day int) time.Time {
	if m.allDay {
		return m.clockAt(day, 0)
	}
	return m.clockAt(day, 1)
}

// shown returns the instances in a window. An exception replaces its instance, at its own start, unless it is cancelled.
func (m *plainSeries) shown(w event.Window) []plainInstance {
	slots := map[int64]plainInstance{}
	for _, at := range m.originals() {
		slots[at.Unix()] = plainInstance{At: at, Original: at, Summary: "Standup"}
	}
	for unix, c := range m.changed {
		at := time.Unix(unix, 0)
		if c.cancelled {
			slots[unix] = plainInstance{At: at, Original: at, Summary: c.summary, Cancelled: true}
		} else {
			slots[unix] = plainInstance{At: c.at, Original: at, Summary: c.summary}
		}
	}
	var all []plainInstance
	for _, i := range slots {
		early := !w.From.IsZero() && i.At.Before(w.From)
		late := !w.To.IsZero() && !i.At.Before(w.To)
		if !early && !late && (w.Cancelled || !i.Cancelled) {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, comparePlain)
	return all
}

func comparePlain(a, b plainInstance) int {
	if c := a.At.Compare(b.At); c != 0 {
		return c
	}
	return a.Original.Compare(b.Original)
}

// times returns the members start and end of an instance or of the series.
func (m *plainSeries) times(at time.Time) string {
	if m.allDay {
		return fmt.Sprintf(`"start":{"date":%q},"end":{"date":%q}`, at.Format(time.DateOnly), at.Add(m.length).Format(time.DateOnly))
	}
	return fmt.Sprintf(`"start":{"dateTime":%q,"timeZone":%q},"end":{"dateTime":%q,"timeZone":%[2]q}`,
		at.In(m.zone).Format(time.RFC3339), m.zone, at.Add(m.length).In(m.zone).Format(time.RFC3339))
}

// recurrence returns the member of that name.
func (m *plainSeries) recurrence() string {
	lines := []string{fmt.Sprintf("RRULE:FREQ=DAILY;INTERVAL=%d;COUNT=%d", m.every, m.count)}
	for _, i := range m.left {
		lines = append(lines, "EXDATE"+m.value(m.clockAt(i*m.every, 0)))
	}
	for _, day := range m.added {
		lines = append(lines, "RDATE"+m.value(m.addedAt(day)))
	}
	text, _ := json.Marshal(lines) // cannot fail for strings
	return `"recurrence":` + string(text)
}

func (m *plainSeries) value(at time.Time) string {
	if m.allDay {
		return ";VALUE=DATE:" + at.Format("20060102")
	}
	return ":" + at.UTC().Format("20060102T150405Z")
}

// draw draws a start and a rule.
func (m *plainSeries) draw(t *rapid.T) {
	m.zone, m.length = time.UTC, 24*time.Hour
	m.first = time.Date(2026, 3, 4+rapid.IntRange(0, 5).Draw(t, "first day"), 0, 0, 0, 0, time.UTC)
	if !m.allDay { // clocks do not change in the morning
		name := rapid.SampledFrom([]string{"America/New_York", "UTC", "Australia/Lord_Howe"}).Draw(t, "zone")
		m.zone, _ = zone.Load(name)
		m.first, m.length = m.first.Add(9*time.Hour+30*time.Minute), 45*time.Minute
	}
	m.drawRule(t)
}

func (m *plainSeries) drawRule(t *rapid.T) {
	m.every = rapid.IntRange(1, 3).Draw(t, "every")
	m.count = rapid.IntRange(1, 6).Draw(t, "count")
	m.left, m.added = nil, rapid.SliceOfNDistinct(rapid.IntRange(1, 12), 0, 2, rapid.ID).Draw(t, "added")
	if m.count > 1 {
		m.left = rapid.SliceOfNDistinct(rapid.IntRange(1, m.count-1), 0, 1, rapid.ID).Draw(t, "left out")
	}
	if m.allDay { // a date of the rule is not added again
		m.added = slices.DeleteFunc(m.added, func(day int) bool { return day%m.every == 0 })
	}
}

// insert inserts a new series.
func (l *seriesLife) insert(t *rapid.T) {
	l.model = plainSeries{allDay: rapid.Bool().Draw(t, "all-day"), changed: map[int64]changed{}}
	l.model.draw(t)
	l.exceptions, l.ids = map[int64]*event.Event{}, map[int64]string{}
	body := object(`"id":"series1"`, `"summary":"Standup"`, l.model.times(l.model.clockAt(0, 0)), l.model.recurrence())
	result := must(event.Check(&event.Request{Op: operation.EventsInsert, Body: []byte(body)}))
	if !result.Accepted {
		t.Fatalf("insert of %s: %v", body, result.Findings)
	}
	l.stored = result.Stored
	l.stored.ICalUID = "series1@example.com" // set by the service
}

func (l *seriesLife) needs(t *rapid.T) {
	if l.stored == nil {
		l.insert(t)
	}
}

// expand returns the instances in a window.
func (l *seriesLife) expand(t *rapid.T, w event.Window) []*event.Event {
	series, exceptions := l.stored.Clone(), slices.Collect(maps.Values(l.exceptions))
	var all []*event.Event
	for e, err := range (event.Series{Event: series, Exceptions: exceptions}).Instances(w) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Event)
	}
	return all
}

// pick draws one of the wanted instances, including exceptions and cancelled ones.
func (l *seriesLife) pick(t *rapid.T, wanted func(*event.Event) bool) (e *event.Event, original int64) {
	l.needs(t)
	byStart := map[int64]*event.Event{}
	for _, e := range l.expand(t, event.Window{Cancelled: true}) {
		if wanted(e) {
			byStart[instantOf(t, e.OriginalStartTime).Unix()] = e
		}
	}
	if len(byStart) == 0 {
		t.Skip("the series does not have such an instance")
	}
	original = rapid.SampledFrom(slices.Sorted(maps.Keys(byStart))).Draw(t, "original start")
	return byStart[original], original
}

func active(e *event.Event) bool { return e.Status != "cancelled" }

// write sends a request about an instance and stores the result as an exception.
func (l *seriesLife) write(t *rapid.T, op operation.ID, e *event.Event, original int64, body string) event.Result {
	result := l.ask(op, e, body)
	if !result.Accepted {
		t.Fatalf("%s of an instance with %s: %v", op, body, result.Findings)
	}
	l.exceptions[original] = result.Stored
	return result
}

func (l *seriesLife) ask(op operation.ID, e *event.Event, body string) event.Result {
	req := &event.Request{Op: op, Existing: e, Series: l.stored}
	if body != "" {
		req.Body = []byte(body)
	}
	return must(event.Check(req))
}

func (l *seriesLife) rename(t *rapid.T) {
	e, original := l.pick(t, active)
	was := l.of(original)
	was.summary = rapid.SampledFrom([]string{"Retrospective", "Planning"}).Draw(t, "summary")
	l.write(t, operation.EventsPatch, e, original, object(`"summary":`+quoted(was.summary)))
	l.model.changed[original] = was
}

// of returns the current state of the instance.
func (l *seriesLife) of(original int64) changed {
	if c, ok := l.model.changed[original]; ok {
		return c
	}
	return changed{at: time.Unix(original, 0), summary: "Standup"}
}

// drawTime draws a start near the original one.
func (l *seriesLife) drawTime(t *rapid.T, original int64) time.Time {
	unit := time.Hour
	if l.model.allDay {
		unit = 24 * time.Hour
	}
	return time.Unix(original, 0).UTC().Add(time.Duration(rapid.IntRange(-70, 70).Draw(t, "moved by")) * unit)
}

func (l *seriesLife) reschedule(t *rapid.T) {
	e, original := l.pick(t, active)
	was := l.of(original)
	was.at = l.drawTime(t, original)
	l.write(t, operation.EventsPatch, e, original, object(l.model.times(was.at)))
	l.model.changed[original] = was
}

// replace updates an instance, which removes what is not sent, even a cancellation.
func (l *seriesLife) replace(t *rapid.T) {
	e, original := l.pick(t, func(*event.Event) bool { return true })
	next := changed{at: l.drawTime(t, original), summary: "Offsite"}
	l.write(t, operation.EventsUpdate, e, original, object(`"summary":"Offsite"`, l.model.times(next.at)))
	l.model.changed[original] = next
}

func (l *seriesLife) cancel(t *rapid.T) {
	e, original := l.pick(t, active)
	was := l.of(original)
	was.cancelled = true
	if rapid.Bool().Draw(t, "by delete") {
		l.write(t, operation.EventsDelete, e, original, "")
	} else {
		l.expectUnspecified(t, l.write(t, operation.EventsPatch, e, original, `{"status":"cancelled"}`), original)
	}
	l.model.changed[original] = was
}

// restore undoes a cancellation. The documents do not say how to do this, so the caller decides.
func (l *seriesLife) restore(t *rapid.T) {
	e, original := l.pick(t, func(e *event.Event) bool { return !active(e) })
	was := l.of(original)
	was.cancelled = false
	to := rapid.SampledFrom([]string{`"confirmed"`, `"tentative"`, `null`}).Draw(t, "status")
	l.expectUnspecified(t, l.write(t, operation.EventsPatch, e, original, object(`"status":`+to)), original, "status.modify-cancelled ")
	l.model.changed[original] = was
}

// reject sends writes that are invalid for every instance.
func (l *seriesLife) reject(t *rapid.T) {
	e, _ := l.pick(t, active)
	c := rapid.SampledFrom([]struct{ member, want string }{
		{`"recurrence":["RRULE:FREQ=DAILY"]`, "recurrence.on-instance /recurrence"},
		{`"recurringEventId":"series2"`, "event.recurring-id.immutable /recurringEventId"},
		{`"originalStartTime":{"date":"2020-01-01"}`, "event.original-start.immutable /originalStartTime"},
	}).Draw(t, "member")
	for _, op := range []operation.ID{operation.EventsPatch, operation.EventsUpdate} {
		result := l.ask(op, e, object(l.model.times(instantOf(t, e.Start)), c.member))
		if got := describe(result.Findings); result.Accepted || !slices.Contains(got, c.want) {
			t.Fatalf("%s of an instance with %s: %v, want %s", op, c.member, got, c.want)
		}
	}
}

// changeSeries changes the rule of the series and sometimes its start. The documents do not say that this removes exceptions.
func (l *seriesLife) changeSeries(t *rapid.T) {
	l.needs(t)
	members := []string{}
	if rapid.Bool().Draw(t, "another start") {
		l.model.draw(t)
		members = append(members, l.model.times(l.model.clockAt(0, 0)))
	} else {
		l.model.drawRule(t)
	}
	body := object(append(members, l.model.recurrence())...)
	result := must(event.Check(&event.Request{Op: operation.EventsPatch, Existing: l.stored, Body: []byte(body)}))
	if !result.Accepted {
		t.Fatalf("patch of the series with %s: %v", body, result.Findings)
	}
	l.stored = result.Stored
}

// remove deletes the series. It is an ordinary deleted event, of which no details are kept.
func (l *seriesLife) remove(t *rapid.T) {
	l.needs(t)
	result := l.ask(operation.EventsDelete, l.stored, "")
	if !result.Accepted || result.Stored.Status != "cancelled" {
		t.Fatalf("delete of the series: %v, %v", result.Findings, result.Stored)
	}
	listed := must(event.Check(&event.Request{Op: operation.EventsList, Existing: result.Stored, Params: operation.Params{"syncToken": {"t"}}}))
	if diff := cmp.Diff(`{"id":"series1","status":"cancelled"}`, compact(t, text(t, listed.Answer))); diff != "" {
		t.Fatalf("an incremental sync of the deleted series (-want +got):\n%s", diff)
	}
	l.stored = nil
}

// compact returns a JSON object with its members in alphabetical order.
func compact(t *rapid.T, object string) string {
	out, err := json.Marshal(value(t, []byte(object)))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// check compares a window, and then each exception as clients see it.
func (l *seriesLife) check(t *rapid.T) {
	if l.stored == nil {
		return
	}
	w := event.Window{Cancelled: rapid.Bool().Draw(t, "cancelled too")}
	bound := func(label string) time.Time {
		if rapid.Bool().Draw(t, label+" open") {
			return time.Time{}
		}
		return l.model.clockAt(rapid.IntRange(-4, 20).Draw(t, label), rapid.IntRange(-1, 1).Draw(t, label+" hour"))
	}
	w.From, w.To = bound("from"), bound("to")
	before := text(t, l.stored)
	var got []plainInstance
	seen := map[string]bool{}
	for _, e := range l.expand(t, w) {
		i := l.plain(t, e)
		if len(got) > 0 && i.At.Before(got[len(got)-1].At) {
			t.Fatalf("%v comes after %v", i, got[len(got)-1])
		}
		if seen[e.ID] {
			t.Fatalf("two instances have the id %s", e.ID)
		}
		seen[e.ID] = true
		got = append(got, i)
	}
	slices.SortStableFunc(got, comparePlain)
	if diff := cmp.Diff(l.model.shown(w), got); diff != "" {
		t.Fatalf("%s from %s to %s (-model +shown):\n%s", l.model.recurrence(), w.From, w.To, diff)
	}
	if diff := cmp.Diff(before, text(t, l.stored)); diff != "" {
		t.Fatalf("the series is modified:\n%s", diff)
	}
	l.checkExpand(t)
	for _, e := range l.exceptions {
		l.checkShown(t, e)
	}
}

// plain converts an instance and checks what is true of every instance.
func (l *seriesLife) plain(t *rapid.T, e *event.Event) plainInstance {
	original := instantOf(t, e.OriginalStartTime)
	i := plainInstance{Original: original, At: original, Summary: e.Summary, Cancelled: !active(e)}
	if !i.Cancelled {
		i.At = instantOf(t, e.Start)
		if end := instantOf(t, e.End); end.Sub(i.At) != l.model.length {
			t.Fatalf("%s lasts until %s", e.ID, end)
		}
	}
	if e.RecurringEventID != "series1" || e.ICalUID != "series1@example.com" || len(e.Recurrence) > 0 || e.ID == "series1" || e.ID == "" {
		t.Fatalf("not an instance of the series: %s", text(t, e))
	}
	if id, ok := l.ids[original.Unix()]; ok && id != e.ID {
		t.Fatalf("the id of the instance of %s is %s, and was %s", original, e.ID, id)
	}
	l.ids[original.Unix()] = e.ID
	return i
}

// checkExpand compares the expansion of the series, without exceptions, with the model.
func (l *seriesLife) checkExpand(t *rapid.T) {
	var got []time.Time
	for i, err := range (event.Series{Event: l.stored}).Instances(event.Window{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, i.Span.Start)
	}
	if diff := cmp.Diff(l.model.originals(), got); diff != "" {
		t.Fatalf("%s (-model +expanded):\n%s", l.model.recurrence(), diff)
	}
}

// checkShown checks what get and list return for an exception. A cancelled one is listed only on
// request, with at least the guaranteed members.
func (l *seriesLife) checkShown(t *rapid.T, e *event.Event) {
	if l.ask(operation.EventsGet, e, "").Answer == nil {
		t.Fatalf("get does not return %s", e.ID)
	}
	if listed := l.ask(operation.EventsList, e, "").Answer != nil; listed != active(e) {
		t.Fatalf("listed is %t for %s", listed, text(t, e))
	}
	synced := must(event.Check(&event.Request{Op: operation.EventsList, Existing: e, Params: operation.Params{"syncToken": {"t"}}})).Answer
	if synced == nil || synced.ID != e.ID || synced.RecurringEventID != "series1" || !instantOf(t, synced.OriginalStartTime).Equal(instantOf(t, e.OriginalStartTime)) {
		t.Fatalf("an incremental sync returns %s for %s", text(t, synced), text(t, e))
	}
	if !active(e) && (synced.Summary != "" || synced.Start != nil) {
		t.Fatalf("an incremental sync returns details of %s", text(t, e))
	}
}

// instantOf parses a time in the form that the tests write.
func instantOf(t *rapid.T, tm *event.Time) time.Time {
	layout, text := time.RFC3339, tm.DateTime
	if tm.Date != "" {
		layout, text = time.DateOnly, tm.Date
	}
	at, err := time.Parse(layout, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// expectUnspecified checks that the only findings are that the change of the status is unspecified
// and, if the recurrence no longer has the instance of the exception, that it does not.
func (l *seriesLife) expectUnspecified(t *rapid.T, result event.Result, original int64, want ...string) {
	if !slices.ContainsFunc(l.model.originals(), time.Unix(original, 0).Equal) {
		want = append(want, "event.original-start.member /originalStartTime")
	}
	if diff := cmp.Diff(append(want, "status.unspecified /status"), describe(result.Findings)); diff != "" {
		t.Fatalf("findings (-want +got):\n%s", diff)
	}
}

func TestSeriesLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &seriesLife{}
		t.Repeat(map[string]func(*rapid.T){
			"rename":        l.rename,
			"reschedule":    l.reschedule,
			"replace":       l.replace,
			"cancel":        l.cancel,
			"restore":       l.restore,
			"reject":        l.reject,
			"change series": l.changeSeries,
			"delete series": l.remove,
			"":              l.check,
		})
	})
}
