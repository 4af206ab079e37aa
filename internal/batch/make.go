package batch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/operation"
)

// A Making is a request to apply a verb to a series, which consists of an event and its exceptions, or to a single event.
type Making struct {
	Expansion

	Event    *event.Event // the recurring event of the series or, for an intent, any event
	Caller   *operation.Caller
	Calendar *operation.Calendar

	existing, series []byte // decoded once the dialect is known
}

var makingForm = ndjson.NewObject("a request",
	ndjson.Raw("id", func(m *Making) *json.RawMessage { return &m.ID }).OrNull(),
	ndjson.Of("verb", func(m *Making) *string { return &m.Verb }, ndjson.NotEmpty),
	ndjson.Of("with", func(m *Making) **With { return &m.With }, ReadWith),
	ndjson.Raw("existing", func(m *Making) *[]byte { return &m.existing }),
	ndjson.Raw("series", func(m *Making) *[]byte { return &m.series }),
	ndjson.Raw("exceptions", func(m *Making) *[]byte { return &m.exceptions }),
	ndjson.Of("caller", func(m *Making) **operation.Caller { return &m.Caller }, ndjson.Opt(callerForm.Value)),
	ndjson.Of("calendar", func(m *Making) **operation.Calendar { return &m.Calendar }, ndjson.Opt(calendarForm.Value)),
	ndjson.Func("options", func(m *Making, value []byte) error { return optionsForm.Read(value, &m.Options) }),
	ndjson.Of("dialect", func(m *Making) *diag.Dialect { return &m.Dialect }, ndjson.Decoded[diag.Dialect]),
).Closed("series: event recurrence start", "with: at to", "verb: ask split", "calendar: timeZone")

// UnmarshalJSON replaces m with the request in a line. UnmarshalJSON is as strict as [Request.UnmarshalJSON]. If possible,
// UnmarshalJSON sets the ID even if there is an error.
func (m *Making) UnmarshalJSON(line []byte) error { return m.Read(bytes.Clone(line)) }

// Read is like UnmarshalJSON, but the ID refers to the bytes of line, so the caller must not modify line while m is in use.
func (m *Making) Read(line []byte) error {
	*m = Making{Expansion: Expansion{Dialect: m.Dialect}}
	if err := makingForm.ReadLine(line, m, &m.ID); err != nil {
		return err
	}
	if m.series != nil && m.existing != nil {
		return errors.New("existing and series are both there; send one of them")
	}
	err := cmp.Or(readEvent(m.Dialect, "existing", m.existing, &m.Event), readEvent(m.Dialect, "series", m.series, &m.Event))
	return cmp.Or(err, m.readExceptions())
}

// Make applies a verb to a series. Make applies the same rules as [Expand].
func Make(m *Making) Expanded {
	if m.Verb == "" {
		return Expanded{ID: m.ID, Error: "verb is missing; send one, such as list or move"}
	}
	v, err := FindVerb(m.Verb)
	switch {
	case err != nil:
		return Expanded{ID: m.ID, Error: err.Error()}
	case v.IsIntent():
		return m.intend(v)
	case m.Event == nil:
		return Expanded{ID: m.ID, Error: "series is missing; send the recurring event"}
	}
	m.Start, m.End, m.Recurrence = m.Event.Start, m.Event.End, m.Event.Recurrence
	return expand(&m.Expansion, event.Series{Event: m.Event, Zone: m.zone()})
}

// zone returns the time zone of the calendar, or nil if the zone is unknown.
func (m *Making) zone() *time.Location {
	if m.Calendar == nil {
		return nil
	}
	location, _ := zone.Load(m.Calendar.TimeZone)
	return location
}

// AppendMade appends the answer to a [Making]. AppendMade does not append a newline. The answer contains instances,
// count and contains in the same form as the answer to an [Expansion], but each series as an event with its recurrence
// set and its exceptions.
func AppendMade(dst []byte, m *Making, r Expanded) []byte {
	if r.isError() {
		return AppendError(dst, r.ID, errors.New(r.Error))
	}
	for _, half := range []*Half{r.Before, r.After, r.Series} {
		if half != nil {
			half.whole, half.dialect = true, m.Dialect
		}
	}
	for i := range r.Instances {
		r.Instances[i].whole, r.Instances[i].dialect = true, m.Dialect
	}
	made := r.Series
	r.Series = nil
	dst = appendValue(dst, r)
	if made == nil {
		return dst
	}
	return append(made.appendMembers(append(dst[:len(dst)-1], ',')), '}')
}

// Made returns an answer that contains a series.
func Made(s event.Series) Expanded { return Expanded{Series: &Half{Series: s}} }
