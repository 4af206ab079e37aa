package batch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/recurrence"
)

// Expansion is a request for the instances of a series.
type Expansion struct {
	// ID is any JSON value; the answer repeats it.
	ID json.RawMessage

	// Start, End and Recurrence are the members of the series, as in its [event.Event].
	Start      *event.Time
	End        *event.Time
	Recurrence []string

	// Exceptions are the changed, moved and cancelled instances of the series; see [event.Series.Instances]. All
	// count, whatever their recurringEventId. Each has an originalStartTime and, unless it is
	// cancelled, a start and an end.
	Exceptions []*event.Event

	// From and To bound the starts of instances: From itself is in the window, To is not. If one is
	// empty, the window is open on that side. Each is a date or an RFC 3339 timestamp with an offset. For a timed series a date
	// means midnight in the zone of the start. For an all-day series the local time of a timestamp is
	// compared with the midnights at which the days begin.
	From string
	To   string

	// Window is "overlap" for the instances that are under way at some time from From to To, or empty for the instances
	// that start there.
	Window string

	// Limit is the maximum number of instances. 0 means 1000, and a larger number than 10,000 means
	// 10,000; with the question "count", both are 100,000. To get more, send another request from the
	// start of the last instance.
	Limit int64

	// Ask is a question about the instances of the window, instead of their list. At is a date or a
	// timestamp, as From is.
	//
	//	next      the first instance that starts after At
	//	before    the last instance that starts before At
	//	contains  whether an instance starts at At or, in an all-day series, on its date;
	//	          with the Window "overlap", whether an instance is in progress at that time
	//	count     the number of instances or, with At, the number that start before At
	Ask string
	At  string

	// Verb names what to do with the series, with the arguments in With: see [Verbs]. It does not go with a window, a
	// limit, a question and Split, which is the short form of one.
	Verb string
	With *With

	// Split is the original start of an instance, a date or a timestamp, at which the series is split in two; see
	// [event.Series.Split]. It does not go with a window, a limit or a question.
	Split string

	// Options are the ways to expand the recurrence.
	Options recurrence.Options

	Dialect diag.Dialect

	exceptions []byte // read when the dialect is known
}

// The words of an [Expansion].
const (
	overlap     = "overlap"
	askNext     = "next"
	askBefore   = "before"
	askContains = "contains"
	askCount    = "count"

	askSingles = "singles" // of a verb
)

var expansionForm = ndjson.NewObject("a request",
	ndjson.Raw("id", func(r *Expansion) *json.RawMessage { return &r.ID }).OrNull(),
	ndjson.Of("start", func(r *Expansion) **event.Time { return &r.Start }, readTime("start")),
	ndjson.Of("end", func(r *Expansion) **event.Time { return &r.End }, readTime("end")),
	ndjson.Of("recurrence", func(r *Expansion) *[]string { return &r.Recurrence }, ndjson.List(ndjson.Text[string])),
	ndjson.Raw("exceptions", func(r *Expansion) *[]byte { return &r.exceptions }),
	ndjson.Of("from", func(r *Expansion) *string { return &r.From }, ndjson.Text[string]),
	ndjson.Of("to", func(r *Expansion) *string { return &r.To }, ndjson.Text[string]),
	ndjson.Of("window", func(r *Expansion) *string { return &r.Window }, ndjson.Word(overlap)),
	ndjson.Of("gap", func(r *Expansion) *bool { return &r.Options.Shift }, isWord("omit", "shift")),
	ndjson.Of("limit", func(r *Expansion) *int64 { return &r.Limit }, ndjson.Natural),
	ndjson.Of("ask", func(r *Expansion) *string { return &r.Ask }, ndjson.Word(askNext, askBefore, askContains, askCount)),
	ndjson.Of("at", func(r *Expansion) *string { return &r.At }, ndjson.Text[string]),
	ndjson.Of("split", func(r *Expansion) *string { return &r.Split }, ndjson.NotEmpty),
	ndjson.Of("verb", func(r *Expansion) *string { return &r.Verb }, ndjson.NotEmpty),
	ndjson.Of("with", func(r *Expansion) **With { return &r.With }, ReadWith),
	ndjson.Func("options", func(r *Expansion, value []byte) error { return optionsForm.Read(value, &r.Options) }),
	ndjson.Of("dialect", func(r *Expansion) *diag.Dialect { return &r.Dialect }, ndjson.Decoded[diag.Dialect]),
).Closed(map[string]string{
	"next": "ask", "before": "ask", "contains": "ask", "count": "ask", "last": "ask", "question": "ask",
	"overlap": "window", "timeMin": "from", "after": "from", "since": "from", "timeMax": "to", "until": "to",
	"maxResults": "limit", "max": "limit", "rrule": "recurrence", "rule": "recurrence", "rules": "recurrence", "lines": "recurrence",
	"dtstart": "start", "dtend": "end", "timeZone": "start", "countStart": "options", "shift": "options", "months": "options",
	"allMonths": "options", "weekdays": "options", "onlyMatches": "options", "wallClock": "options", "budget": "options",
})

var optionsForm = ndjson.NewObject("options",
	ndjson.Of("countStart", func(o *recurrence.Options) *bool { return &o.CountStart }, ndjson.Bool),
	ndjson.Of("months", func(o *recurrence.Options) *bool { return &o.AllMonths }, isWord("start", "all")),
	ndjson.Of("weekdays", func(o *recurrence.Options) *bool { return &o.AllWeekdays }, isWord("start", "all")),
	ndjson.Of("gap", func(o *recurrence.Options) *bool { return &o.Shift }, isWord("omit", "shift")),
	ndjson.Of("onlyMatches", func(o *recurrence.Options) *bool { return &o.OnlyMatches }, ndjson.Bool),
	ndjson.Of("wallClock", func(o *recurrence.Options) *bool { return &o.WallClock }, ndjson.Bool),
).Closed(map[string]string{
	"shift": "gap", "allMonths": "months", "allWeekdays": "weekdays", "weekNo": "weekdays", "byWeekNo": "weekdays", "weeks": "weekdays",
	"count": "countStart", "start": "countStart",
})

// isWord returns the reader of one of two words: false for the usual one and true for the other.
func isWord(usual, other string) func(value []byte) (bool, error) {
	read := ndjson.Word(usual, other)
	return func(value []byte) (bool, error) {
		word, err := read(value)
		return word == other, err
	}
}

// UnmarshalJSON replaces r with the request in a line. It is as strict as [Request.UnmarshalJSON]. The ID is read
// even if there is an error, if possible.
func (r *Expansion) UnmarshalJSON(line []byte) error {
	return r.Read(bytes.Clone(line)) // the line belongs to the caller
}

// Read is UnmarshalJSON for a line that does not change while r is in use: the id is a part of it. A line that does not
// choose a dialect keeps the dialect of r.
func (r *Expansion) Read(line []byte) error {
	*r = Expansion{Dialect: r.Dialect}
	err := expansionForm.ReadLine(line, r, &r.ID)
	return cmp.Or(err, r.readExceptions())
}

// readExceptions reads the exceptions in the dialect of the request.
func (r *Expansion) readExceptions() error {
	if r.exceptions == nil {
		return nil
	}
	r.Exceptions = []*event.Event{}
	return ndjson.In("exceptions", ndjson.Elements(r.exceptions, func(i int, element []byte) error {
		e, findings := event.Decode(element, r.Dialect)
		r.Exceptions = append(r.Exceptions, e)
		return ndjson.Labelled(fmt.Sprintf("exceptions/%d", i), findings.Err())
	}))
}

// readTime returns the reader of the member with the given name.
func readTime(name string) func([]byte) (*event.Time, error) {
	return func(value []byte) (*event.Time, error) {
		t := new(event.Time)
		return t, ndjson.Labelled(name, t.UnmarshalJSON(value))
	}
}

// Expanded is the line that answers an [Expansion].
type Expanded struct {
	ID json.RawMessage `json:"id"`

	// Instances are in the order of their starts. They are nil if there are Findings, and for the question "count". The answers
	// to the other questions have at most one.
	Instances []Instance `json:"instances,omitzero"`

	// Contains is the answer to the question "contains"; the instance is in Instances.
	Contains *bool `json:"contains,omitzero"`

	// Count is the answer to the question "count".
	Count *int `json:"count,omitzero"`

	// Before and After are the halves of a split series. Before is nil if the split is at the first instance.
	Before *Half `json:"before,omitzero"`
	After  *Half `json:"after,omitzero"`

	// Series is the series that another verb than split made.
	Series *Half `json:"series,omitzero"`

	// Requests are the requests of an intent, in the order in which to send them.
	Requests []Sent `json:"requests,omitzero"`

	// Advice is about exceptions that replace an instance although their originalStartTime does not have the form of the start.
	Advice diag.Findings `json:"advice,omitzero"`

	// Truncated reports whether there are more instances than the limit, or more findings than [engine.Most].
	Truncated bool `json:"truncated,omitzero"`

	// Findings reject the start, the end, the recurrence or an exception.
	Findings diag.Findings `json:"findings,omitzero"`

	// Error is the reason why the request could not be answered or, if there are Instances or a Count, why
	// the search for more ended.
	Error string `json:"error,omitzero"`

	// Next is the From of another request, without Window, that goes on where the search ended. It is
	// empty if there is no Error, or if that request would get no further.
	Next string `json:"next,omitzero"`
}

// Half is a series in an answer: one of the two of a split, or what another verb made.
type Half struct {
	event.Series

	whole   bool // whether it is written as an event with exceptions, and not with the members of an [Expansion]
	dialect diag.Dialect
}

// MarshalJSON returns an object with the start, the end, the recurrence and the exceptions, or for a [Making] the event, the
// set and the exceptions.
func (h *Half) MarshalJSON() ([]byte, error) { return append(h.appendMembers([]byte{'{'}), '}'), nil }

func (h *Half) appendMembers(dst []byte) []byte {
	if h.whole {
		dst = h.Event.AppendIn(h.dialect, append(dst, `"event":`...))
		dst = appendValue(append(dst, `,"set":`...), h.set())
	} else {
		dst = appendValue(append(dst, `"start":`...), h.Event.Start)
		dst = appendValue(append(dst, `,"end":`...), h.Event.End)
		dst = appendValue(append(dst, `,"recurrence":`...), h.Event.Recurrence)
	}
	dst = append(dst, `,"exceptions":[`...)
	for i, e := range h.Exceptions {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = e.AppendIn(h.dialect, dst)
	}
	return append(dst, ']')
}

// set returns the lines of the recurrence in canonical spelling.
func (h *Half) set() []string {
	set, err := recurrence.Parse(h.Event.Recurrence)
	if err != nil {
		panic("batch: " + err.Error()) // the series has been expanded
	}
	return set.Lines()
}

// Instance is one instance in an [Expanded].
type Instance struct {
	event.Instance

	isSingle bool         // whether the instance is a single event
	whole    bool         // whether a single event is written whole
	dialect  diag.Dialect // of a whole event
}

// MarshalJSON returns an object with the start and the end or, for a [Making] of single events, the event.
func (i Instance) MarshalJSON() ([]byte, error) {
	if i.isSingle && i.whole {
		return i.Event.AppendIn(i.dialect, nil), nil
	}
	return json.Marshal(struct {
		Start *event.Time `json:"start"`
		End   *event.Time `json:"end"`
	}{i.Start, i.End})
}

// AppendExpanded appends an answer, without a line end.
func AppendExpanded(dst []byte, r Expanded) []byte {
	if r.isError() {
		return AppendError(dst, r.ID, errors.New(r.Error))
	}
	return appendValue(dst, r)
}

// isError reports whether the request could not be answered.
func (r Expanded) isError() bool { return r.Error != "" && r.Instances == nil && r.Count == nil }
