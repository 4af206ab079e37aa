package batch

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/intent"
	"github.com/calrules/calrules/operation"
)

// A Sent is one of the requests that carry out an intent.
type Sent struct{ event.Request }

// eventID is the name of the path parameter for the id of an event.
const eventID = "eventId"

// MarshalJSON returns an object with op, params, body and ifMatch. The parameters include the event id for the path of the
// request.
func (r Sent) MarshalJSON() ([]byte, error) {
	params := maps.Clone(r.Params)
	if r.isAboutEvent() {
		if params == nil {
			params = operation.Params{}
		}
		params[eventID] = []string{r.Existing.ID}
	}
	return json.Marshal(struct {
		Op      operation.ID     `json:"op"`
		Params  operation.Params `json:"params"`
		Body    json.RawMessage  `json:"body,omitempty"`
		IfMatch string           `json:"ifMatch,omitempty"`
	}{r.Op, params, r.Body, r.IfMatch})
}

// isAboutEvent reports whether the path of the request contains the id of an event.
func (r Sent) isAboutEvent() bool {
	op, ok := operation.Lookup(r.Op)
	return ok && strings.Contains(op.Path, "{"+eventID+"}")
}

// intend returns the answer to a request with an intent.
func (m *Making) intend(v *Verb) Expanded {
	requests, err := m.requests(v)
	if err != nil {
		return Expanded{ID: m.ID, Error: strings.ReplaceAll(err.Error(), "\n", "; ")}
	}
	made := Expanded{ID: m.ID, Requests: []Sent{}}
	for _, r := range requests {
		sent := Sent{r}
		if sent.isAboutEvent() && sent.Existing.ID == "" {
			return Expanded{ID: m.ID, Error: "the event has no id; send it"}
		}
		made.Requests = append(made.Requests, sent)
	}
	return made
}

// requests returns the requests that carry out an intent.
func (m *Making) requests(v *Verb) ([]event.Request, error) {
	if m.With == nil {
		m.With = new(With)
	}
	if err := cmp.Or(m.checkVerb(v, m.With), m.mustHaveEvent(v)); err != nil {
		return nil, err
	}
	m.With.in(m.Event)
	q := query{series: event.Series{Event: m.Event, Zone: m.zone(), Options: m.Options}}
	for _, e := range m.Exceptions {
		q.series.Exceptions = append(q.series.Exceptions, q.own(e))
	}
	return v.intent(intent.Maker{Dialect: m.Dialect, Caller: m.Caller, Calendar: m.Calendar}, q.series, m)
}

func (m *Making) mustHaveEvent(v *Verb) error {
	if m.Event == nil && !v.Alone {
		return errors.New("existing is missing; send the stored event, or a recurring event as series")
	}
	return nil
}

// caller returns the email address of the caller, or "" if it is unknown.
func (m *Making) caller() string {
	switch {
	case len(m.With.Email) > 0:
		return m.With.Email[0]
	case m.Caller != nil:
		return m.Caller.Email
	}
	return ""
}

func respond(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
	return of.Respond(s.Event, m.caller(), m.With.Status, m.With.Comment)
}

func addGuest(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
	var guests []event.Attendee
	for _, email := range m.With.Email {
		guests = append(guests, event.Attendee{Email: email})
	}
	return of.AddGuests(s.Event, guests...)
}

func changeFollowing(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
	var patch *event.Event
	if err := readEvent(m.Dialect, "with.change", m.With.Change, &patch); err != nil {
		return nil, err
	}
	return of.ChangeFollowing(s, m.With.At[0], patch)
}

func copyConference(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
	var other *event.Event
	if err := readEvent(m.Dialect, "with.other", m.With.Other, &other); err != nil {
		return nil, err
	}
	return of.CopyConference(s.Event, other)
}

func insertOrImport(of intent.Maker, s event.Series, m *Making) ([]event.Request, error) {
	return of.InsertOrImport(s.Event, m.caller())
}

func freeBusy(of intent.Maker, _ event.Series, m *Making) ([]event.Request, error) {
	zone := cmp.Or(m.zone(), time.UTC)
	from, err := m.With.From.Instant(zone)
	if err != nil {
		return nil, fmt.Errorf("from cannot be read: %w", err)
	}
	to, err := m.With.To.Instant(zone)
	if err != nil {
		return nil, fmt.Errorf("to cannot be read: %w", err)
	}
	return of.FreeBusy(from, to, m.With.Calendar...)
}
