package batch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// Expand returns the instances of a series in a window, or answers a question about the instances. Expand checks the
// start, end and recurrence against the rules for an insert, and the exceptions against the rules about their form.
// Expand does not modify the request. For a description of the instances, see [event.Series.Instances].
func Expand(req *Expansion) Expanded {
	return expand(req, event.Series{Event: &event.Event{Start: req.Start, End: req.End, Recurrence: req.Recurrence}})
}

// expand answers a request about a series. The event of the series has the start, end and recurrence in the request, and may
// have other members.
func expand(req *Expansion, series event.Series) Expanded {
	result := Expanded{ID: req.ID}
	if len(req.Recurrence) == 0 {
		result.Error = "there is no recurrence: the event takes place once, at its start"
		return result
	}
	known := &event.Event{Start: req.Start, End: req.End, Recurrence: req.Recurrence}
	own := &event.Request{Op: operation.EventsInsert, Event: known, Dialect: req.Dialect}
	found := slices.Concat(rejections("", own), req.rejectedExceptions())
	if found != nil {
		result.Findings = found[:min(len(found), engine.Most)]
		checked, _ := event.Check(own) // checks the same request as rejections
		result.Truncated = len(found) > engine.Most || checked.Truncated
		return result
	}
	if err := result.answer(req, series); err != nil {
		result.Error = err.Error()
	}
	return result
}

// rejections returns the findings that reject the event in a request, with at prepended to their paths.
func rejections(at diag.Pointer, req *event.Request) diag.Findings {
	findings, _ := event.Find(req) // the operation is known, so there is no error
	found := findings.OfKind(diag.Reject)
	for i := range found {
		found[i].Path = at + found[i].Path
	}
	return found
}

// rejectedExceptions returns the findings that reject the members of exceptions that an expansion needs. Other members are not
// checked, because the caller may not know them.
func (r *Expansion) rejectedExceptions() (found diag.Findings) {
	for i, e := range r.Exceptions {
		known := &event.Event{ID: "exception", Status: e.Status, Start: e.Start, End: e.End, OriginalStartTime: e.OriginalStartTime}
		at := diag.Pointer("/exceptions").Index(i)
		found = append(found, rejections(at, &event.Request{Op: operation.Response, Event: known, Dialect: r.Dialect})...)
	}
	return found
}

// A query is a question about a series.
type query struct {
	series event.Series
	ask    string
	window event.Window
	limit  int64
}

// answer answers a request. The caller must have checked that no rule rejects the series or its exceptions.
func (r *Expanded) answer(req *Expansion, series event.Series) error {
	series.Options = req.Options
	q := query{series: series, ask: req.Ask}
	if err := q.addExceptions(req.Exceptions); err != nil {
		return err
	}
	advice, err := q.series.Advice(req.Dialect)
	if err != nil {
		return err
	}
	for _, finding := range advice {
		finding.Path = "/exceptions" + finding.Path
		r.Advice = append(r.Advice, finding)
	}
	switch {
	case req.Verb != "":
		return r.verb(&q, req)
	case req.With != nil:
		return errors.New("with has the arguments of a verb; send verb too")
	case req.Split != "":
		return r.split(&q, req)
	}
	if err := q.read(req); err != nil {
		return err
	}
	return r.run(&q)
}

// addExceptions adds exceptions to the series, or returns an error if an exception cannot be placed in time. All exceptions
// belong to the series, regardless of recurringEventId.
func (q *query) addExceptions(list []*event.Event) error {
	for i, e := range list {
		switch {
		case !q.hasPlace(e.OriginalStartTime) && !q.stands(e):
			return fmt.Errorf("exceptions/%d has no originalStartTime that can be read; send the originalStartTime of the instance that it replaces", i)
		case e.StatusMeaning() == status.Active && !(q.hasPlace(e.Start) && q.hasPlace(e.End)):
			return fmt.Errorf("exceptions/%d has no start and end that can be read; send them, or the status cancelled", i)
		}
		q.series.Exceptions = append(q.series.Exceptions, q.own(e))
	}
	return nil
}

// own returns a copy of an exception with the series' id as its recurringEventId.
func (q *query) own(e *event.Event) *event.Event {
	own := *e
	own.RecurringEventID = q.series.Event.ID
	return &own
}

// stands reports whether an exception replaces an instance although the exception's originalStartTime is not in the series.
func (q *query) stands(e *event.Event) bool {
	alone := q.series
	alone.Exceptions = []*event.Event{q.own(e)}
	list, err := alone.Standing()
	return err == nil && len(list) > 0
}

func (q *query) hasPlace(t *event.Time) bool {
	_, ok := q.series.Place(t)
	return ok
}

// read sets the window, the limit and the question from a request.
func (q *query) read(req *Expansion) error {
	moment := func(text string) *event.Time {
		if text == "" {
			return nil
		}
		return Moment(text)
	}
	return cmp.Or(q.readTimes(req, moment(req.From), moment(req.To), moment(req.At)), req.checkQuestion())
}

// readTimes sets the window and the limit from a request whose times have been parsed.
func (q *query) readTimes(req *Expansion, fromTime, toTime, atTime *event.Time) error {
	from, fromErr := q.instantOf("from", fromTime)
	to, toErr := q.instantOf("to", toTime)
	at, atErr := q.instantOf("at", atTime)
	if err := cmp.Or(fromErr, toErr, atErr); err != nil {
		return err
	}
	q.window = event.Window{
		From: closed(from), To: closed(to), Overlap: req.Window == overlap,
	}
	q.limit = cmp.Or(min(max(req.Limit, 0), constraint.InstancesMax), constraint.InstancesDefault)
	if q.ask == askCount {
		q.limit = cmp.Or(min(max(req.Limit, 0), constraint.CountedMax), constraint.CountedMax)
	}
	if at != nil {
		q.narrow(*at, q.endOf(*at, atTime))
	}
	return nil
}

// endOf returns the end of the period that t represents: for a date, the next midnight in the zone of the series; for a time,
// just after the instant at.
func (q *query) endOf(at time.Time, t *event.Time) time.Time {
	day, err := time.Parse(time.DateOnly, t.Date)
	if err != nil {
		return at.Add(1)
	}
	next, ok := q.series.Place(&event.Time{Date: day.AddDate(0, 0, 1).Format(time.DateOnly)})
	if !ok {
		return at.Add(1) // t is the last day of the calendar
	}
	return next
}

// checkQuestion returns an error if the request contains members that cannot be combined, or lacks a member that the question
// requires.
func (r *Expansion) checkQuestion() error {
	switch {
	case r.Ask == "" && r.At != "":
		return errors.New("at belongs to a question; send ask too, or from and to for a list")
	case r.Ask != "" && r.Ask != askCount && r.At == "":
		return fmt.Errorf("at is missing; ask %s is about a date or a time with its offset", engine.Quote(r.Ask))
	case r.Window != "" && (r.Ask == askNext || r.Ask == askBefore):
		return fmt.Errorf("window is overlap and ask %s is about starts; leave one of them out", engine.Quote(r.Ask))
	}
	return nil
}

// narrow narrows the window to the instances that are relevant to a question about the instant at. For "contains", at may be
// the beginning of a day that ends at end.
func (q *query) narrow(at, end time.Time) {
	w := &q.window
	switch q.ask {
	case askNext:
		w.From = later(w.From, at.Add(1))
	case askContains:
		if q.isAllDay() && !w.Overlap {
			at = at.Truncate(24 * time.Hour)
			end = at.Add(1)
		}
		w.From, w.To = later(w.From, closed(&at)), earlier(w.To, end)
	default:
		w.To = earlier(w.To, closed(&at))
	}
}

func (q *query) isAllDay() bool { return q.series.Event.Start.Date != "" }

// later returns the later of two lower bounds, where the zero time means no bound.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// earlier returns the earlier of two upper bounds, where the zero time means no bound.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// instantOf returns the instant of a date or time in the request, or nil if t is nil.
func (q *query) instantOf(name string, t *event.Time) (*time.Time, error) {
	if t == nil {
		return nil, nil
	}
	at, ok := q.series.Place(t)
	if !ok {
		return nil, fmt.Errorf("%s is %s; it must be a date such as 2026-03-10, or a time with its offset such as 2026-03-10T09:00:00-04:00", name, engine.Quote(t.Date+t.DateTime))
	}
	return &at, nil
}

// closed converts an optional time to a bound of an [event.Window], in which the zero time means no bound. For nil, closed
// returns the zero time; for the zero time, closed returns the preceding nanosecond, which selects the same instances.
func closed(at *time.Time) time.Time {
	switch {
	case at == nil:
		return time.Time{}
	case at.IsZero():
		return at.Add(-time.Nanosecond)
	}
	return *at
}

// run adds the answer to a query. If there is an error, run adds the known part of the answer, and the time from which to
// continue the search.
func (r *Expanded) run(q *query) error {
	err := r.search(q)
	r.Next = q.next(err)
	return err
}

func (r *Expanded) search(q *query) error {
	switch q.ask {
	case askCount:
		return r.count(q)
	case askBefore:
		last, err := q.series.Last(q.window)
		if r.Instances = []Instance{}; last.Event != nil {
			r.add(last)
		}
		return err
	case askSingles:
		return r.singles(q)
	case "":
		return r.list(q)
	}
	q.limit = 1
	err := r.list(q)
	if r.Truncated = false; q.ask == askContains && err == nil {
		r.Contains = new(len(r.Instances) > 0)
	}
	return err
}

func (r *Expanded) count(q *query) error {
	n, err := q.series.Count(q.window, int(q.limit)+1)
	r.Truncated = n > int(q.limit)
	r.Count = new(min(n, int(q.limit)))
	return err
}

// list adds the instances in the window, up to the limit.
func (r *Expanded) list(q *query) error {
	r.Instances = []Instance{}
	for i, err := range q.series.Instances(q.window) {
		if err != nil {
			return err
		}
		if r.Truncated = len(r.Instances) == int(q.limit); r.Truncated {
			return nil
		}
		r.add(i)
	}
	return nil
}

func (r *Expanded) add(i event.Instance) { r.Instances = append(r.Instances, Instance{Instance: i}) }

// singles adds the instances in the window as single events, up to the limit.
func (r *Expanded) singles(q *query) error {
	r.Instances = []Instance{}
	for e, err := range q.series.Singles(q.window) {
		if err != nil {
			return err
		}
		if r.Truncated = len(r.Instances) == int(q.limit); r.Truncated {
			return nil
		}
		r.Instances = append(r.Instances, Instance{Instance: event.Instance{Event: e}, isSingle: true})
	}
	return nil
}

// next returns the value of From with which to continue a search that ended with err, or "" if the search cannot be continued.
func (q *query) next(err error) string {
	over, ok := errors.AsType[*recurrence.BudgetError](err)
	switch {
	case !ok || over.Next.IsZero():
		return ""
	case q.isAllDay():
		return over.Next.Format(time.DateOnly)
	default:
		return event.TimeAt(over.Next).DateTime
	}
}

// A member is the name of a request member, and whether the request contains the member.
type member struct {
	name  string
	given bool
}

// questionMembers returns the members used to request instances.
func (r *Expansion) questionMembers() []member {
	return []member{{"from", r.From != ""}, {"to", r.To != ""}, {"window", r.Window != ""}, {"limit", r.Limit != 0}, {"ask", r.Ask != ""}, {"at", r.At != ""}}
}

// split adds both halves of the series to the answer.
func (r *Expanded) split(q *query, req *Expansion) error {
	for _, m := range req.questionMembers() {
		if m.given {
			return fmt.Errorf("%s does not go with split, which divides the whole series; leave one of them out", m.name)
		}
	}
	at := Moment(req.Split)
	if _, err := q.instantOf("split", at); err != nil {
		return err
	}
	halves, err := split(q.series, &With{At: []*event.Time{at}})
	if err != nil {
		return fmt.Errorf("split is %s: %w", engine.Quote(req.Split), err)
	}
	r.setHalves(halves)
	return nil
}
