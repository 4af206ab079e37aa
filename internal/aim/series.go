package aim

import (
	"fmt"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
)

const (
	mostInstances = 400                 // the maximum number of instances that are compared
	seriesWindow  = 60 * 24 * time.Hour // measured from the start of a series
	slack         = 48 * time.Hour      // added to windows, since the zone of the calendar is unknown
)

// expectation is an instance that a list must contain or, at the edge of a window, may contain.
type expectation struct {
	event.Instance
	isEdge bool
}

// readInstances compares the instances of a series in the responses to events.instances and to a list of single events.
func (r *run) readInstances(o *outcome, s *stored) {
	if len(s.event.Recurrence) == 0 {
		return
	}
	first, ok := event.Series{Event: s.event}.Place(s.event.Start)
	if !ok {
		return
	}
	from, to := first.Add(-slack), first.Add(seriesWindow)
	want, ok := expected(s, from, to)
	if !ok {
		return
	}
	params := operation.Params{"timeMin": {from.UTC().Format(time.RFC3339)}, "timeMax": {to.UTC().Format(time.RFC3339)}}
	ids := map[string]string{}
	if !s.isGone {
		in, of := params, want
		if all, ok := expected(s, time.Time{}, time.Time{}); ok && isNear(all) {
			in, of = nil, all
		}
		if p := r.list(o, operation.EventsInstances, s.event, in); p != nil {
			r.compareInstances(o, p, s.event.ID, of, nil, ids)
		}
	}
	if o.isOver() {
		return
	}
	if p := r.list(o, operation.EventsList, s.event, withParam(params, "singleEvents", "true")); p != nil {
		r.compareInstances(o, p, s.event.ID, want, nil, ids)
	}
}

// as returns the expected instance with the id assigned by the server. In an instance that is not stored, as clears the members
// that the server sets, because the rules do not determine their values.
func (e expectation) as(is *event.Event) *event.Event {
	want := *e.Event
	want.ID = is.ID
	if e.Span.Origin != recurrence.FromException {
		want.ETag, want.Created, want.Updated = "", "", ""
	}
	return &want
}

// expected returns the instances in a window, or all instances for zero times, by their original starts in UTC.
// expected returns false if there are too many instances or the instances cannot be listed.
func expected(s *stored, from, to time.Time) (want map[string]expectation, ok bool) {
	want = map[string]expectation{}
	if s.isGone {
		return want, true
	}
	series := event.Series{Event: s.event, Exceptions: s.exceptions}
	isAll := from.IsZero()
	window := event.Window{}
	if !isAll {
		window = event.Window{From: from.Add(-slack), To: to.Add(slack), Overlap: true}
	}
	for i, err := range series.Instances(window) {
		if err != nil || len(want) == mostInstances {
			return nil, false
		}
		at := i.Span.Start
		want[keyOf(i.OriginalStartTime)] = expectation{i, !isAll && (at.Before(from.Add(slack)) || at.After(to.Add(-slack)))}
	}
	return want, true
}

// isNear reports whether all instances are in the past or in the coming year. A list without a window may omit later instances.
func isNear(all map[string]expectation) bool {
	for _, i := range all {
		if i.Span.Start.After(time.Now().AddDate(1, 0, 0)) {
			return false
		}
	}
	return true
}

// keyOf returns a map key for a time; equal times have equal keys.
func keyOf(t *event.Time) string {
	if t == nil {
		return ""
	}
	if at, err := t.Instant(time.UTC); err == nil && t.DateTime != "" {
		return at.UTC().Format(time.RFC3339)
	}
	return t.Date
}

// compareInstances compares the instances of a series in a list with the expected instances. The parameter ids contains the ids
// of the instances in an earlier list, by original start, and shown contains the query parameters that affect the
// representation of events.
func (r *run) compareInstances(o *outcome, p *pages, id string, want map[string]expectation, shown operation.Params, ids map[string]string) {
	last := p.last()
	seen := map[string]bool{}
	for _, is := range p.entries {
		if is.RecurringEventID != id || is.Status == constraint.StatusCancelled {
			continue
		}
		key := keyOf(is.OriginalStartTime)
		w, ok := want[key]
		switch {
		case !ok:
			o.lose(last, "/items", fmt.Sprintf("the list contains an instance at %s, but the series has none then.", key))
		case seen[key]:
			o.lose(last, "/items", fmt.Sprintf("the list contains two instances for %s.", key))
		case ids[key] != "" && ids[key] != is.ID:
			o.lose(last, "/items/id", fmt.Sprintf("the id of the instance at %s is %s; it was %s.", key, is.ID, ids[key]))
		default:
			r.compareEvent(o, p.of[is.ID], shown, is, w.as(is))
		}
		ids[key] = is.ID
		if seen[key] = true; o.fault != "" {
			return
		}
	}
	for key, w := range want {
		if !seen[key] && !w.isEdge && p.isWhole {
			o.lose(last, "/items", fmt.Sprintf("the list does not contain the instance at %s.", key))
			return
		}
	}
}
