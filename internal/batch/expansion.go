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

// An Expansion is a request for the instances of a series.
type Expansion struct {
	// ID is any JSON value, and is repeated in the answer.
	ID json.RawMessage

	// Start, End and Recurrence have the same meaning as in [event.Event].
	Start      *event.Time
	End        *event.Time
	Recurrence []string

	// Exceptions are the changed, moved and cancelled instances of the series; see [event.Series.Instances]. All exceptions are
	// applied, regardless of recurringEventId. Each exception must have an originalStartTime and, unless it is cancelled, a start
	// and an end.
	Exceptions []*event.Event

	// From and To limit the starts of instances to a window that includes From but not To. If From or To is empty, the window is
	// open on that side. From and To are dates or RFC 3339 timestamps with an offset. In a timed series, a date means midnight in
	// the zone of the start. In an all-day series, the local time of a timestamp is compared with the midnights at which days
	// begin.
	From string
	To   string

	// Window is "overlap" to select the instances that are in progress at some time between From and To, or empty to select the
	// instances that start in that window.
	Window string

	// Limit is the maximum number of instances. The default is 1000 and the maximum is 10,000, or 100,000 in both cases for the
	// question "count". To get more instances, send another request that begins at the start of the last instance.
	Limit int64

	// Ask is a question about the instances in the window, to be answered instead of listing them. At, like From, is a date or a
	// timestamp.
	//
	//	next      the first instance that starts after At
	//	before    the last instance that starts before At
	//	contains  whether an instance starts at At or, in an all-day series, on its date;
	//	          with the Window "overlap", whether an instance is in progress at that time
	//	count     the number of instances or, with At, the number that start before At
	Ask string
	At  string

	// Verb is the name of the action to perform on the series, and With contains its arguments; see [Verbs]. Verb cannot
	// be combined with a window, a limit, a question or Split.
	Verb string
	With *With

	// Split is the original start, as a date or a timestamp, of the instance at which to split the series in two; see
	// [event.Series.Split]. Split is short for the verb "split", and cannot be combined with a window, a limit or a question.
	Split string

	// Options control how the recurrence is expanded.
	Options recurrence.Options

	Dialect diag.Dialect

	exceptions []byte // decoded once the dialect is known
}

// The words that can occur in an [Expansion].
const (
	overlap     = "overlap"
	askNext     = "next"
	askBefore   = "before"
	askContains = "contains"
	askCount    = "count"

	askSingles = "singles" // used only by the singles verb
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
).Closed(
	"ask: next before contains count last question", "window: overlap", "from: timeMin after since", "to: timeMax until",
	"limit: maxResults max", "recurrence: rrule rule rules lines", "start: dtstart timeZone", "end: dtend",
	"options: countStart shift months allMonths weekdays onlyMatches wallClock budget",
)

var optionsForm = ndjson.NewObject("options",
	ndjson.Of("countStart", func(o *recurrence.Options) *bool { return &o.CountStart }, ndjson.Bool),
	ndjson.Of("months", func(o *recurrence.Options) *bool { return &o.AllMonths }, isWord("start", "all")),
	ndjson.Of("weekdays", func(o *recurrence.Options) *bool { return &o.AllWeekdays }, isWord("start", "all")),
	ndjson.Of("gap", func(o *recurrence.Options) *bool { return &o.Shift }, isWord("omit", "shift")),
	ndjson.Of("onlyMatches", func(o *recurrence.Options) *bool { return &o.OnlyMatches }, ndjson.Bool),
	ndjson.Of("wallClock", func(o *recurrence.Options) *bool { return &o.WallClock }, ndjson.Bool),
).Closed("gap: shift", "months: allMonths", "weekdays: allWeekdays weekNo byWeekNo weeks", "countStart: count start")

// isWord returns a function that reads one of two words, and returns false for the usual word and true for the other word.
func isWord(usual, other string) func(value []byte) (bool, error) {
	read := ndjson.Word(usual, other)
	return func(value []byte) (bool, error) {
		word, err := read(value)
		return word == other, err
	}
}

// UnmarshalJSON replaces r with the request in a line. UnmarshalJSON is as strict as [Request.UnmarshalJSON]. If possible,
// UnmarshalJSON sets the ID even if there is an error.
func (r *Expansion) UnmarshalJSON(line []byte) error {
	return r.Read(bytes.Clone(line)) // the caller may reuse the line
}

// Read is like UnmarshalJSON, but the ID refers to the bytes of line, so the caller must not modify line while r is in
// use. If the line does not specify a dialect, the dialect of r is kept.
func (r *Expansion) Read(line []byte) error {
	*r = Expansion{Dialect: r.Dialect}
	err := expansionForm.ReadLine(line, r, &r.ID)
	return cmp.Or(err, r.readExceptions())
}

// readExceptions decodes the exceptions in the dialect of the request.
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

// readTime returns a function that reads the time in the member with the given name.
func readTime(name string) func([]byte) (*event.Time, error) {
	return func(value []byte) (*event.Time, error) {
		t := new(event.Time)
		return t, ndjson.Labelled(name, t.UnmarshalJSON(value))
	}
}

// An Expanded is the answer to an [Expansion].
type Expanded struct {
	ID json.RawMessage `json:"id"`

	// Instances are sorted by start. Instances is nil if there are Findings and for the question "count". For any other question,
	// Instances contains at most one instance.
	Instances []Instance `json:"instances,omitzero"`

	// Contains is the answer to the question "contains". If true, Instances contains the instance.
	Contains *bool `json:"contains,omitzero"`

	// Count is the answer to the question "count".
	Count *int `json:"count,omitzero"`

	// Before and After are the halves of a split series. If the split is at the first instance, Before is nil.
	Before *Half `json:"before,omitzero"`
	After  *Half `json:"after,omitzero"`

	// Series is the result of a verb, other than split, that changes the series.
	Series *Half `json:"series,omitzero"`

	// Requests are the requests that carry out an intent, in the order in which to send them.
	Requests []Sent `json:"requests,omitzero"`

	// Advice contains findings about exceptions that replace an instance although their originalStartTime has a different
	// form from the start.
	Advice diag.Findings `json:"advice,omitzero"`

	// Truncated reports whether there are more instances than the limit, or more findings than [engine.Most].
	Truncated bool `json:"truncated,omitzero"`

	// Findings contains the findings that reject the start, the end, the recurrence or an exception.
	Findings diag.Findings `json:"findings,omitzero"`

	// Error is the reason why the request could not be answered or, if Instances or Count is set, why the search for more
	// instances was stopped.
	Error string `json:"error,omitzero"`

	// Next is the value of From for another request, without Window, that continues the search. Next is empty if there is
	// no Error or if another request would make no progress.
	Next string `json:"next,omitzero"`
}

// A Half is a series in an answer: one half of a split series, or the result of another verb.
type Half struct {
	event.Series

	whole   bool // whether to write the series as an event with exceptions instead of with the members of an [Expansion]
	dialect diag.Dialect
}

// MarshalJSON returns an object with the start, end, recurrence and exceptions or, for a [Making], with the event, set
// and exceptions.
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

// set returns the recurrence lines in their canonical spelling.
func (h *Half) set() []string {
	set, err := recurrence.Parse(h.Event.Recurrence)
	if err != nil {
		panic("batch: " + err.Error()) // cannot happen, since the series has been expanded
	}
	return set.Lines()
}

// An Instance is one instance in an [Expanded].
type Instance struct {
	event.Instance

	isSingle bool         // whether the instance is a single event
	whole    bool         // whether to write all members of a single event
	dialect  diag.Dialect // the dialect in which to write a single event
}

// MarshalJSON returns an object with the start and the end or, if a [Making] asks for single events, the event.
func (i Instance) MarshalJSON() ([]byte, error) {
	if i.isSingle && i.whole {
		return i.Event.AppendIn(i.dialect, nil), nil
	}
	return json.Marshal(struct {
		Start *event.Time `json:"start"`
		End   *event.Time `json:"end"`
	}{i.Start, i.End})
}

// AppendExpanded appends an answer. AppendExpanded does not append a newline.
func AppendExpanded(dst []byte, r Expanded) []byte {
	if r.isError() {
		return AppendError(dst, r.ID, errors.New(r.Error))
	}
	return appendValue(dst, r)
}

// isError reports whether the request could not be answered.
func (r Expanded) isError() bool { return r.Error != "" && r.Instances == nil && r.Count == nil }
