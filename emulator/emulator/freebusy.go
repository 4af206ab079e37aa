package emulator

import (
	"net/http"
	"slices"
	"time"

	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
)

// freeBusy answers freebusy.query. The documents do not show its body: the members are those of the public
// service.
func (s *Server) freeBusy(c *call) (answer reply, err error) {
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	body, err := c.body()
	if err != nil {
		return reply{}, err
	}
	w, err := freeBusyWindow(body)
	if err != nil {
		return reply{}, err
	}
	zone := time.UTC
	if name := body.text("timeZone"); name != "" {
		if zone, err = time.LoadLocation(name); err != nil {
			return reply{}, refused(http.StatusBadRequest, "invalid", "/timeZone: The timeZone is %q; it must be a name of the IANA database.", name)
		}
	}
	calendars := map[string]any{}
	items, _ := body["items"].([]any)
	err = s.state.Read(func(v *state.View) error {
		for _, i := range items {
			asked, _ := i.(map[string]any)
			id := resource(asked).text("id")
			cal, err := s.openCalendar(v, c, id, freeBusyReader)
			if err != nil {
				calendars[id] = map[string]any{"errors": []any{map[string]any{"domain": "global", "reason": "notFound"}}, "busy": []any{}}
				continue
			}
			spans, err := busy(v.Calendar(cal.id), cal, w, zone)
			if err != nil {
				return refused(http.StatusInternalServerError, "backendError", "The expansion of a series takes too long: %v.", err)
			}
			calendars[id] = map[string]any{"busy": spans}
		}
		return nil
	})
	form := func(t time.Time) string { return t.In(zone).Format(time.RFC3339) }
	return reply{body: encode(resource{"kind": "calendar#freeBusy", "timeMin": form(w.From), "timeMax": form(w.To), "calendars": calendars})}, err
}

func freeBusyWindow(body resource) (w event.Window, err error) {
	w.Overlap = true
	for name, into := range map[string]*time.Time{"timeMin": &w.From, "timeMax": &w.To} {
		if err := body.require(name); err != nil {
			return w, err
		}
		at, err := (&event.Time{DateTime: body.text(name)}).Instant(nil)
		if err != nil {
			return w, refused(http.StatusBadRequest, "invalid", "/%s: The %s must be an RFC 3339 timestamp with an offset.", name, name)
		}
		*into = at
	}
	if !w.To.After(w.From) {
		return w, refused(http.StatusBadRequest, "timeRangeEmpty", "/timeMax: The timeMax must be after the timeMin.")
	}
	return w, nil
}

// span is a busy time.
type span struct{ from, to time.Time }

// busy returns the busy times of a calendar in a window, merged and in order.
func busy(in *state.Calendar, cal calendar, w event.Window, zone *time.Location) ([]any, error) {
	var spans []span
	take := func(e *event.Event) {
		if s, ok := taken(e, cal, w); ok {
			spans = append(spans, s)
		}
	}
	for e := range in.All() {
		series := in.Get(e.Event.RecurringEventID)
		switch {
		case e.Event.Status == cancelled, series != nil && len(series.Event.Recurrence) > 0:
		case len(e.Event.Recurrence) > 0:
			for i, err := range event.Instances(e.Event, state.Events(in.Exceptions(e.Event.ID)), widened(e.Event, w)) {
				if err != nil {
					return nil, err
				}
				take(i)
			}
		default:
			take(e.Event)
		}
	}
	list := []any{}
	for _, s := range merge(spans) {
		list = append(list, map[string]any{"start": s.from.In(zone).Format(time.RFC3339), "end": s.to.In(zone).Format(time.RFC3339)})
	}
	return list, nil
}

// taken returns the time in a window that an event makes busy. An event that the calendar's owner declined makes
// none busy.
func taken(e *event.Event, cal calendar, w event.Window) (span, bool) {
	declined := slices.ContainsFunc(e.Attendees, func(a event.Attendee) bool { return a.Self && a.ResponseStatus == "declined" })
	if e.Transparency == "transparent" || e.Status == cancelled || declined || !w.Has(e, cal.zone()) {
		return span{}, false
	}
	from, _ := e.Start.Instant(cal.zone()) // it is in the window
	to, _ := e.End.Instant(cal.zone())
	if from.Before(w.From) {
		from = w.From
	}
	if to.After(w.To) {
		to = w.To
	}
	return span{from, to}, to.After(from)
}

// merge joins spans that touch.
func merge(spans []span) (merged []span) {
	slices.SortFunc(spans, func(a, b span) int { return a.from.Compare(b.from) })
	for _, s := range spans {
		if n := len(merged); n > 0 && !s.from.After(merged[n-1].to) {
			if s.to.After(merged[n-1].to) {
				merged[n-1].to = s.to
			}
			continue
		}
		merged = append(merged, s)
	}
	return merged
}
