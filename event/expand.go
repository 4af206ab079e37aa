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

// The default and the maximum number of instances in the result of an [ExpandRequest]. To get more,
// send another request from the start of the last instance.
const (
	DefaultExpandLimit = 1000
	MaxExpandLimit     = 10_000
)

// ExpandRequest is a request for the instances of a series. It is also a line of the batch form that
// `calrules expand --ndjson` reads.
type ExpandRequest struct {
	// ID is any JSON value; the result repeats it.
	ID json.RawMessage `json:"id,omitempty"`

	// Start, End and Recurrence are those of the series, as in its [Event].
	Start      *Time    `json:"start,omitempty"`
	End        *Time    `json:"end,omitempty"`
	Recurrence []string `json:"recurrence,omitempty"`

	// From and To are the half-open window on the starts of instances; an empty end is open. Each
	// is a date or an RFC 3339 timestamp with an offset. For a timed series a date means midnight
	// in the zone of the start; for an all-day series a timestamp means its date in its offset.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`

	// Limit is the maximum number of instances. 0 means [DefaultExpandLimit], and a larger number
	// than [MaxExpandLimit] means MaxExpandLimit.
	Limit int `json:"limit,omitempty"`
}

// ExpandResult is the result of an [ExpandRequest]. It is also a line of the batch form that
// `calrules expand --ndjson` writes.
type ExpandResult struct {
	// ID is that of the request.
	ID json.RawMessage `json:"id"`

	// Instances are in the order of their starts. They are nil if there are Findings.
	Instances []Instance `json:"instances,omitzero"`

	// Truncated reports whether there are more instances than the limit.
	Truncated bool `json:"truncated,omitzero"`

	// Findings are those that reject the start, the end or the recurrence.
	Findings diag.Findings `json:"findings,omitzero"`

	// Error says why the request could not be answered or, if there are Instances, why the search
	// for more ended.
	Error string `json:"error,omitzero"`
}

// Instance is one instance of a series.
type Instance struct {
	// Start and End have the form and the zone of the series, with an offset.
	Start *Time `json:"start"`
	End   *Time `json:"end"`

	// At and Until are Start and End as instants in the zone of the start. Those of an all-day
	// series are midnights in UTC. They are not part of the batch form.
	At    time.Time `json:"-"`
	Until time.Time `json:"-"`

	// Origin says where the instance comes from. It is not part of the batch form.
	Origin Origin `json:"-"`
}

// Origin says where an instance of a series comes from. If it has several origins, this is the first
// in the order of the constants.
type Origin string

// The origins of instances.
const (
	FromStart Origin = "start"
	FromRule  Origin = "rule"
	FromRDate Origin = "RDATE"
)

var expandForm = ndjson.Form{Members: []string{"id", "start", "end", "recurrence", "from", "to", "limit"}}

// UnmarshalJSON replaces r with the request in a line of the batch form. It is as strict as
// [Request.UnmarshalJSON]. The ID is read even if there is an error, if possible.
func (r *ExpandRequest) UnmarshalJSON(line []byte) error {
	*r = ExpandRequest{}
	err := expandForm.Read(line, &r.ID, r.readMember)
	r.ID = bytes.Clone(r.ID) // it is a part of the line, which belongs to the caller
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

// Expand returns the instances of a series that start in a window. The rules for an insert of its
// start, end and recurrence apply. Expand does not write to the request. See [Instances] for a
// description of the instances, and for exceptions.
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

// bounds parses the window and the limit.
func (r *ExpandRequest) bounds() (w Window, limit int, err error) {
	start := parseTime(r.Start)
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

// bound parses one end of a window on a series with the start. An empty text is the zero time, which
// is an open end.
func (start parsedTime) bound(text string) (at time.Time, ok bool) {
	if text == "" {
		return at, true
	}
	if date, isDate := limits.ParseDate(text); isDate {
		at = parsedTime{form: allDay, date: date}.instant()
		if start.form == timed {
			at = zone.Instant(at, start.recurrence().Time().Location())
		}
		return closed(at), true
	}
	civil, ok := limits.ParseDateTime(text)
	if !ok || !civil.HasOffset {
		return at, false
	}
	if start.form == timed {
		return closed(civil.Time()), true
	}
	at = parsedTime{form: allDay, date: civil.Date}.instant()
	if civil.Hour+civil.Minute+civil.Second+civil.Nanosecond > 0 {
		at = at.AddDate(0, 0, 1) // the first day that starts after the time
	}
	return closed(at), true
}

// closed replaces the zero time, which in a [Window] is an open end, with a time between the same
// whole seconds.
func closed(at time.Time) time.Time {
	if at.IsZero() {
		return at.Add(-time.Nanosecond)
	}
	return at
}

// expand adds the instances in the window.
func (r *ExpandResult) expand(series *Event, w Window, limit int) error {
	from, err := newOrigins(series)
	if err != nil {
		return err
	}
	defer from.stop()
	r.Instances = []Instance{}
	for e, err := range Instances(series, nil, w) {
		if err != nil {
			return err
		}
		if len(r.Instances) == limit {
			r.Truncated = true
			return nil
		}
		r.Instances = append(r.Instances, from.instance(e))
	}
	return nil
}

// origins finds the origins of the instances of a series, in their order.
type origins struct {
	start recurrence.Start
	dates *recurrence.Series // only RDATE
	rules *recurrence.Series // without RDATE

	// The next instance of the rules, starting at the first instance in question. Testing many
	// rules for each instance would take quadratic time.
	next func() (time.Time, error, bool)
	stop func()
	at   time.Time
	err  error // the rules take too long
	more bool  // at and err are given
}

func newOrigins(series *Event) (*origins, error) {
	start := parseTime(series.Start).recurrence()
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
	return &origins{start: *start, dates: dates, rules: rules, stop: func() {}}, nil
}

// instance returns an event of the series as an [Instance].
func (o *origins) instance(e *Event) Instance {
	zone := o.start.Time().Location()
	at := parseTime(e.Start).instant().In(zone)
	return Instance{
		Start:  e.Start,
		End:    e.End,
		At:     at,
		Until:  parseTime(e.End).instant().In(zone),
		Origin: o.origin(at),
	}
}

func (o *origins) origin(at time.Time) Origin {
	if at.Equal(o.start.Time()) {
		return FromStart
	}
	if listed, err := o.dates.Contains(at); !listed && err == nil { // cheaper than the rules
		return FromRule
	}
	if o.isFromRule(at) {
		return FromRule
	}
	return FromRDate
}

// isFromRule reports whether an instant, not earlier than that of the last call, comes from a rule.
// If the search takes too long it does, because only rules make a search long.
func (o *origins) isFromRule(at time.Time) bool {
	if o.next == nil {
		o.next, o.stop = iter.Pull2(o.rules.Between(at, time.Time{}))
		o.at, o.err, o.more = o.next()
	}
	for o.more && o.err == nil && o.at.Before(at) {
		o.at, o.err, o.more = o.next()
	}
	return o.err != nil || o.more && o.at.Equal(at)
}
