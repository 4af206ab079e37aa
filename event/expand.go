package event

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// ExpandRequest is a request for the instances of a series.
type ExpandRequest struct {
	// Start, End and Recurrence are those of the series, as in its [Event].
	Start      *Time
	End        *Time
	Recurrence []string

	// Exceptions are the changed, moved and cancelled instances of the series; see [Instances]. All
	// count, whatever their recurringEventId. Each has an originalStartTime and, unless it is
	// cancelled, a start and an end.
	Exceptions []*Event

	// From and To bound the starts of instances: From itself is in the window, To is not. If one is
	// empty, the window is open on that side. Each is a date or an RFC 3339 timestamp with an offset. For a timed series a date
	// means midnight in the zone of the start. For an all-day series the local time of a timestamp is
	// compared with the midnights at which the days begin.
	From string
	To   string

	// Window is "overlap" for the instances that are under way at some time from From to To, or
	// empty for those that start there.
	Window string

	// Gap says what happens to an instance whose local time does not exist: "omit", which is the
	// default, leaves it out and does not count it; "shift" moves it by as much as the clock.
	Gap string

	// Limit is the maximum number of instances. 0 means 1000, and a larger number than 10,000 means
	// 10,000; with the question "count", both are 100,000. To get more, send another request from the
	// start of the last instance.
	Limit int

	// Ask is a question about the instances of the window, in place of their list. At is a date or a
	// timestamp, as From is.
	//
	//	next      the first one that starts after At
	//	before    the last one that starts before At
	//	contains  whether one starts at At; in an all-day series, on its date; with the Window
	//	          "overlap", whether one is under way
	//	count     how many there are; with At, how many of them start before it
	Ask string
	At  string
}

// ExpandResult is the result of an [ExpandRequest].
type ExpandResult struct {
	// Instances are in the order of their starts. They are nil if there are Findings, and for the
	// question "count". The other questions have one at most.
	Instances []Instance

	// Contains is the answer to the question "contains"; the instance is in Instances.
	Contains *bool

	// Count is the answer to the question "count".
	Count *int

	// Truncated reports whether there are more instances than the limit.
	Truncated bool

	// Findings are those that reject the start, the end, the recurrence or an exception.
	Findings diag.Findings

	// Error says why the request could not be answered or, if there are Instances or a Count, why
	// the search for more ended.
	Error string

	// Next is the From of another request, without Window, that goes on where the search ended. It is
	// empty if there is no Error, or if that request would get no further.
	Next string
}

// Instance is one instance of a series.
type Instance struct {
	// Start and End have the form and the zone of the series, with an offset. Those of an
	// exception are its own, as they are written.
	Start *Time
	End   *Time

	// At and Until are Start and End as instants in the zone of the series, or in UTC for an
	// exception. For dates, they are midnights in UTC.
	At    time.Time
	Until time.Time

	// Origin says where the instance comes from.
	Origin recurrence.Origin
}

// Expand returns the instances of a series in a window, or answers a question about them. The rules
// for an insert of its start, end and recurrence apply, and those about the form of the exceptions.
// Expand does not write to the request. See [Instances] for a description of the instances.
func Expand(req *ExpandRequest) ExpandResult {
	if req == nil {
		return ExpandResult{Error: "there is no request"}
	}
	var result ExpandResult
	if len(req.Recurrence) == 0 {
		result.Error = "there is no recurrence: the event takes place once, at its start"
		return result
	}
	series := &Event{Start: req.Start, End: req.End, Recurrence: req.Recurrence}
	result.Findings = slices.Concat(rejections("", &Request{Op: operation.EventsInsert, Event: series}), req.rejectedExceptions())
	if result.Findings != nil {
		return result
	}
	if err := result.answer(req, series); err != nil {
		result.Error = err.Error()
	}
	return result
}

// rejections returns the findings that reject the event of a request, which is at a path.
func rejections(at diag.Pointer, req *Request) diag.Findings {
	findings, _ := Findings(req) // the operation is known
	found := findings.Kind(diag.Reject)
	for i := range found {
		found[i].Path = at + found[i].Path
	}
	return found
}

// rejectedExceptions returns what is wrong with the members of the exceptions that an expansion needs. It does
// not check the other members: a caller may know only these.
func (r *ExpandRequest) rejectedExceptions() (found diag.Findings) {
	for i, e := range r.Exceptions {
		if e != nil {
			known := &Event{ID: "exception", Status: e.Status, Start: e.Start, End: e.End, OriginalStartTime: e.OriginalStartTime}
			at := diag.Pointer("/exceptions").Index(i)
			found = append(found, rejections(at, &Request{Op: operation.Response, Event: known})...)
		}
	}
	return found
}

// query is what a request asks of its series.
type query struct {
	ask    string
	window Window
	limit  int
}

// answer answers the request, whose series and exceptions no rule rejects.
func (result *ExpandResult) answer(req *ExpandRequest, series *Event) error {
	if req.Gap != "" && req.Gap != "omit" && req.Gap != "shift" {
		return fmt.Errorf("gap is %s; it must be omit or shift", diag.Quote(req.Gap))
	}
	x, err := newExpansion(series, recurrence.Options{Shift: req.Gap == "shift"})
	if err != nil {
		return err
	}
	if err := x.readExceptions(req.Exceptions); err != nil {
		return err
	}
	q, err := req.query(x)
	if err != nil {
		return err
	}
	if err = result.run(x, q); err != nil {
		result.Next = x.next(err)
	}
	return err
}

// readExceptions adds the exceptions, all of which must have a place.
func (x *expansion) readExceptions(list []*Event) error {
	for i, e := range list {
		switch {
		case e == nil:
			return fmt.Errorf("exceptions/%d is missing; it must be an event", i)
		case !x.hasPlace(e.OriginalStartTime):
			return fmt.Errorf("exceptions/%d has no originalStartTime that can be read; send that of the instance that it replaces", i)
		case e.StatusMeaning() == status.Active && !(x.hasPlace(e.Start) && x.hasPlace(e.End)):
			return fmt.Errorf("exceptions/%d has no start and end that can be read; send them, or the status cancelled", i)
		}
	}
	x.addExceptions(slices.Values(list), func(*Event) bool { return true })
	return nil
}

func (x *expansion) hasPlace(t *Time) bool {
	_, ok := x.place(parseTime(t))
	return ok
}

// query reads the window, the limit and the question.
func (r *ExpandRequest) query(x *expansion) (q query, err error) {
	from, fromErr := x.instantOf("from", r.From)
	to, toErr := x.instantOf("to", r.To)
	at, atErr := x.instantOf("at", r.At)
	if err = cmp.Or(fromErr, toErr, atErr, r.checkWords()); err != nil {
		return q, err
	}
	q = query{ask: r.Ask, limit: cmp.Or(min(r.Limit, constraint.InstancesMax), constraint.InstancesDefault)}
	q.window = Window{From: closed(from), To: closed(to), Overlap: r.Window == "overlap"}
	if r.Ask == "count" {
		q.limit = cmp.Or(min(r.Limit, constraint.CountedMax), constraint.CountedMax)
	}
	if at != nil {
		q.narrow(*at, x.start.form == allDay)
	}
	return q, nil
}

// checkWords checks the members that are not times.
func (r *ExpandRequest) checkWords() error {
	switch {
	case r.Limit < 0:
		return fmt.Errorf("limit is %d; it must not be negative", r.Limit)
	case r.Window != "" && r.Window != "overlap":
		return fmt.Errorf("window is %s; it must be overlap, or absent for the instances that start in it", diag.Quote(r.Window))
	case !slices.Contains([]string{"", "next", "before", "contains", "count"}, r.Ask):
		return fmt.Errorf("ask is %s; it must be next, before, contains or count", diag.Quote(r.Ask))
	case r.Ask == "" && r.At != "":
		return errors.New("at belongs to a question; send ask too, or from and to for a list")
	case r.Ask != "" && r.Ask != "count" && r.At == "":
		return fmt.Errorf("at is missing; ask %s is about a date or a time with its offset", diag.Quote(r.Ask))
	case r.Window != "" && (r.Ask == "next" || r.Ask == "before"):
		return fmt.Errorf("window is overlap and ask %s is about starts; leave one of them out", diag.Quote(r.Ask))
	}
	return nil
}

// narrow narrows the window to the answer of a question about an instant.
func (q *query) narrow(at time.Time, isAllDay bool) {
	w := &q.window
	switch q.ask {
	case "next":
		w.From = later(w.From, at.Add(1))
	case "contains":
		if isAllDay && !w.Overlap {
			at = at.Truncate(24 * time.Hour)
		}
		w.From, w.To = later(w.From, closed(&at)), earlier(w.To, at.Add(1))
	default:
		w.To = earlier(w.To, closed(&at))
	}
}

// later returns the later of two times. The zero time is open.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// earlier returns the earlier of two times. The zero time is open.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// instantOf parses a date or a time of the request, or returns nil if the text is empty.
func (x *expansion) instantOf(name, text string) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	t := parseTime(&Time{DateTime: text})
	if !t.known {
		t = parseTime(&Time{Date: text})
	}
	at, ok := x.place(t)
	if !ok {
		return nil, fmt.Errorf("%s is %s; it must be a date such as 2026-03-10, or a time with its offset such as 2026-03-10T09:00:00-04:00", name, diag.Quote(text))
	}
	return &at, nil
}

// closed returns one end of a [Window], in which the zero time is an open end, as nil is here. In
// place of the zero time it returns one between the same whole seconds.
func closed(at *time.Time) time.Time {
	switch {
	case at == nil:
		return time.Time{}
	case at.IsZero():
		return at.Add(-time.Nanosecond)
	}
	return *at
}

// run adds the answer to a query. If there is an error, it is what is known.
func (result *ExpandResult) run(x *expansion, q query) error {
	switch q.ask {
	case "count":
		return result.count(x, q)
	case "before":
		o, ok, err := x.last(q.window)
		if result.Instances = []Instance{}; ok {
			result.add(x, o)
		}
		return err
	case "":
		return result.list(x, q)
	}
	q.limit = 1
	err := result.list(x, q)
	if result.Truncated = false; q.ask == "contains" && err == nil {
		found := len(result.Instances) > 0
		result.Contains = &found
	}
	return err
}

func (result *ExpandResult) list(x *expansion, q query) error {
	result.Instances = []Instance{}
	return result.visit(x, q, func(o occurrence) { result.add(x, o) })
}

func (result *ExpandResult) count(x *expansion, q query) error {
	result.Count = new(int)
	return result.visit(x, q, func(occurrence) { *result.Count++ })
}

// visit calls do with the occurrences in the window, up to the limit.
func (result *ExpandResult) visit(x *expansion, q query, do func(occurrence)) error {
	left := q.limit
	for o, err := range x.occurrences(q.window) {
		if err != nil {
			return err
		}
		if result.Truncated = left == 0; result.Truncated {
			return nil
		}
		do(o)
		left--
	}
	return nil
}

func (result *ExpandResult) add(x *expansion, o occurrence) {
	e := x.event(o)
	i := Instance{Start: e.Start, End: e.End, At: o.Start, Until: o.End, Origin: o.Origin}
	if o.exception != nil {
		start, end := parseTime(e.Start), parseTime(e.End)
		i.At, i.Until = start.instant(), end.instant()
	}
	result.Instances = append(result.Instances, i)
}

// next returns where a search that ended with an error goes on, as a From.
func (x *expansion) next(err error) string {
	at := goOn(err)
	if at.IsZero() {
		return ""
	}
	return string(x.appendTime(nil, at, nil))
}
