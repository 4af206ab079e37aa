package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
)

// How many instances an [ExpandRequest] is answered with: unless it says otherwise, and at the
// most. Whoever wants more asks again, from the start of the last one.
const (
	DefaultExpandLimit = 1000
	MaxExpandLimit     = 10_000
)

// ExpandRequest asks for the instances of a series. It is also a line of the batch form that
// `calrules expand --ndjson` reads.
type ExpandRequest struct {
	// ID is any JSON value; the answer echoes it.
	ID json.RawMessage `json:"id,omitempty"`

	// Start, End and Recurrence are those of the series, as in its [Event].
	Start      *Time    `json:"start,omitempty"`
	End        *Time    `json:"end,omitempty"`
	Recurrence []string `json:"recurrence,omitempty"`

	// From and To are the window, half-open, on the starts of instances; empty is open. Each
	// is a date or an RFC 3339 timestamp with its offset. For a timed series a date means
	// midnight in the start's zone; for an all-day series a timestamp means its date in its
	// own offset.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`

	// Limit is how many instances are wanted at the most; 0 means [DefaultExpandLimit], and
	// more than [MaxExpandLimit] means that.
	Limit int `json:"limit,omitempty"`
}

// ExpandResult is the answer to an [ExpandRequest]. It is also a line of the batch form that
// `calrules expand --ndjson` writes.
type ExpandResult struct {
	// ID is the request's.
	ID json.RawMessage `json:"id"`

	// Instances are in the order of their starts. They are nil where there are Findings.
	Instances []Instance `json:"instances,omitzero"`

	// Truncated is true where the limit cut the list.
	Truncated bool `json:"truncated,omitzero"`

	// Findings are those that reject, where the start, the end or the recurrence is refused.
	Findings diag.Findings `json:"findings,omitzero"`

	// Error says why the request could not be answered or, beside Instances, why the search
	// for more was given up.
	Error string `json:"error,omitzero"`
}

// Instance is one instance of a series.
type Instance struct {
	// Start and End have the series' own form and zone, with the offset.
	Start *Time `json:"start"`
	End   *Time `json:"end"`

	// At and Until are the same as instants in the start's zone, those of an all-day series
	// as midnights in UTC. They are no members of the batch form.
	At    time.Time `json:"-"`
	Until time.Time `json:"-"`

	// Origin is what gives the instance. It is no member of the batch form.
	Origin Origin `json:"-"`
}

// Origin is what gives an instance of a series. Where several do, the first of them in the
// order of the constants counts.
type Origin string

// The origins of instances.
const (
	FromStart Origin = "start"
	FromRule  Origin = "rule"
	FromRDate Origin = "RDATE"
)

var expandForm = ndjson.Form{Members: []string{"id", "start", "end", "recurrence", "from", "to", "limit"}}

// UnmarshalJSON reads a line of the batch form, replacing r, as strictly as
// [Request.UnmarshalJSON] does. The ID is read also where there is an error, if it can be.
func (r *ExpandRequest) UnmarshalJSON(line []byte) error {
	*r = ExpandRequest{}
	err := expandForm.Read(line, &r.ID, r.readMember)
	r.ID = bytes.Clone(r.ID) // it is a part of the line, which is the caller's to use again
	return err
}

func (r *ExpandRequest) readMember(name string, value []byte) error {
	switch name {
	case "start":
		return readTime(name, value, &r.Start)
	case "end":
		return readTime(name, value, &r.End)
	case "recurrence":
		return ndjson.Unmarshal(name, value, &r.Recurrence)
	case "from":
		return ndjson.Unmarshal(name, value, &r.From)
	case "to":
		return ndjson.Unmarshal(name, value, &r.To)
	default:
		return ndjson.Unmarshal(name, value, &r.Limit)
	}
}

func readTime(name string, value []byte, t **Time) error {
	*t = new(Time)
	return memberError(name, timeTable.Unmarshal(value, *t))
}

// Expand answers with the instances of a series that start in a window. The series is held to
// the rules that an insert of its start, end and recurrence is held to. The request is not
// written to. See [Instances] for what the instances are, and for exceptions.
func Expand(req *ExpandRequest) ExpandResult {
	result := ExpandResult{ID: req.ID}
	if len(req.Recurrence) == 0 {
		result.Error = "there is no recurrence: the event takes place once, at its start"
		return result
	}
	series := &Event{Start: req.Start, End: req.End, Recurrence: req.Recurrence}
	result.Findings = Findings(&Request{Op: operation.EventsInsert, Event: series}).Kind(diag.Reject)
	if result.Findings != nil {
		return result
	}
	window, limit, err := req.bounds()
	if err == nil {
		err = result.expand(series, window, limit)
	}
	if err != nil {
		result.Error = err.Error()
	}
	return result
}

// bounds reads what the request says of how much is wanted.
func (r *ExpandRequest) bounds() (w Window, limit int, err error) {
	start := readMoment(r.Start)
	const form = "%s is %s; it must be a date such as 2026-03-10, or a time with its offset such as 2026-03-10T09:00:00-04:00"
	var ok bool
	if w.From, ok = start.bound(r.From); !ok {
		return w, 0, fmt.Errorf(form, "from", diag.Quote(r.From))
	}
	if w.To, ok = start.bound(r.To); !ok {
		return w, 0, fmt.Errorf(form, "to", diag.Quote(r.To))
	}
	switch {
	case r.Limit < 0:
		return w, 0, fmt.Errorf("limit is %d; it must not be negative", r.Limit)
	case r.Limit == 0:
		return w, DefaultExpandLimit, nil
	}
	return w, min(r.Limit, MaxExpandLimit), nil
}

// bound reads one end of a window on a series that starts at m. No text is the zero time, an
// open end.
func (m moment) bound(text string) (at time.Time, ok bool) {
	if text == "" {
		return at, true
	}
	date, isDate := limits.ParseDate(text)
	if !isDate {
		civil, ok := limits.ParseDateTime(text)
		if !ok || !civil.HasOffset {
			return at, false
		}
		if m.form == timed {
			return closed(civil.Time()), true
		}
		// Days start at midnight: those that start at a later time start on the next day.
		day := moment{form: allDay, date: civil.Date}.instant()
		if civil.Hour+civil.Minute+civil.Second+civil.Nanosecond > 0 {
			day = day.AddDate(0, 0, 1)
		}
		return closed(day), true
	}
	midnight := moment{form: allDay, date: date}.instant()
	if m.form == timed {
		midnight = zone.Instant(midnight, m.recurrence().Time().Location())
	}
	return closed(midnight), true
}

// closed returns an instant that no [Window] takes for an open end, and that lies between the
// same whole seconds.
func closed(at time.Time) time.Time {
	if at.IsZero() {
		return at.Add(-time.Nanosecond)
	}
	return at
}

// expand adds the instances in a window.
func (r *ExpandResult) expand(series *Event, w Window, limit int) error {
	gives, err := newGivers(series)
	if err != nil {
		return err
	}
	defer gives.stop()
	r.Instances = []Instance{}
	for e, err := range Instances(series, nil, w) {
		if err != nil {
			return err
		}
		if len(r.Instances) == limit {
			r.Truncated = true
			return nil
		}
		r.Instances = append(r.Instances, gives.instance(e))
	}
	return nil
}

// givers tell what gives the instances of a series, in their order.
type givers struct {
	start recurrence.Start
	dates *recurrence.Series // of RDATE alone
	rules *recurrence.Series // without RDATE

	// What the rules give next, from the first instance on that is asked about. There may be
	// many rules, and to ask each of them about every instance would take their product.
	next func() (time.Time, error, bool)
	stop func()
	at   time.Time
	err  error // the rules take too long
	more bool  // at and err are given
}

func newGivers(series *Event) (*givers, error) {
	start := readMoment(series.Start).recurrence()
	set, err := recurrence.Parse(series.Recurrence)
	if err != nil || start == nil {
		return nil, ErrNoSeries
	}
	rules, err := recurrence.Compile(&recurrence.Set{Rules: set.Rules}, *start)
	if err != nil {
		return nil, ErrNoSeries
	}
	dates, err := recurrence.Compile(&recurrence.Set{RDates: set.RDates}, *start)
	if err != nil {
		return nil, ErrNoSeries
	}
	return &givers{start: *start, dates: dates, rules: rules, stop: func() {}}, nil
}

// instance returns an event of the series as one of its instances.
func (g *givers) instance(e *Event) Instance {
	zone := g.start.Time().Location()
	at := readMoment(e.Start).instant().In(zone)
	return Instance{
		Start:  e.Start,
		End:    e.End,
		At:     at,
		Until:  readMoment(e.End).instant().In(zone),
		Origin: g.origin(at),
	}
}

func (g *givers) origin(at time.Time) Origin {
	if at.Equal(g.start.Time()) {
		return FromStart
	}
	if listed, err := g.dates.Contains(at); !listed && err == nil { // which spares asking the rules
		return FromRule
	}
	if g.rulesGive(at) {
		return FromRule
	}
	return FromRDate
}

// rulesGive reports whether a rule gives an instant that is no earlier than the last one asked
// about. Where that takes too long one does: only rules make a search long.
func (g *givers) rulesGive(at time.Time) bool {
	if g.next == nil {
		g.next, g.stop = iter.Pull2(g.rules.Between(at, time.Time{}))
		g.at, g.err, g.more = g.next()
	}
	for g.more && g.err == nil && g.at.Before(at) {
		g.at, g.err, g.more = g.next()
	}
	return g.err != nil || g.more && g.at.Equal(at)
}
