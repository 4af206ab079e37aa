package emulator

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
)

// freeBusy handles freebusy.query. The documents do not describe the request body, so the body has the same members as in the
// public service.
func (s *Server) freeBusy(c *call) (reply, error) {
	body, err := s.checkedBody(c)
	if err != nil {
		return reply{}, err
	}
	w, zone, asked := s.freeBusyWindow(body), location(body.text("timeZone")), freeBusyCalendars(body)
	calendars := map[string]any{}
	left := maxExpanded
	v := s.state.View()
	for _, id := range asked {
		cal, err := s.openCalendar(v, c, id, freeBusyReader)
		if err != nil {
			calendars[id] = map[string]any{"errors": []any{map[string]any{"domain": "global", "reason": "notFound"}}, "busy": []any{}}
			continue
		}
		spans, err := busy(v.Calendar(cal.id), cal, w, zone, &left)
		if err != nil {
			return reply{}, err
		}
		calendars[id] = map[string]any{"busy": spans}
	}
	form := func(t time.Time) string { return t.In(zone).Format(time.RFC3339) }
	return reply{body: encode(resource{"kind": "calendar#freeBusy", "timeMin": form(w.From), "timeMax": form(w.To), "calendars": calendars})}, nil
}

// freeBusyCalendars returns the ids of the calendars in a valid free/busy query.
func freeBusyCalendars(body resource) (ids []string) {
	items, _ := body["items"].([]any)
	for _, i := range items {
		item, _ := i.(map[string]any)
		ids = append(ids, resource(item).text("id"))
	}
	return ids
}

// freeBusyWindow returns the time range of a query. If the end is invalid, the range ends at the horizon.
func (s *Server) freeBusyWindow(body resource) event.Window {
	at := func(name string) time.Time {
		instant, _ := (&event.Time{DateTime: body.text(name)}).Instant(nil)
		return instant
	}
	return event.Window{Overlap: true, From: at("timeMin"), To: cmp.Or(at("timeMax"), s.now().Add(s.horizon))}
}

// span is a busy period.
type span struct{ from, to time.Time }

// busy returns the busy periods of a calendar in a window, merged and in order. The number of expanded instances is subtracted
// from left. When left is exhausted, the request is refused.
func busy(in *state.Calendar, cal calendar, w event.Window, zone *time.Location, left *int) ([]any, error) {
	var spans []span
	take := func(e *event.Event) {
		if s, ok := taken(e, cal, w); ok {
			spans = append(spans, s)
		}
	}
	for e := range in.All() {
		if len(e.Event.Recurrence) == 0 {
			take(e.Event)
			continue
		}
		if !makesBusy(e.Event) {
			continue // only stored instances can block time if the series does not
		}
		for i, err := range unstored(in, seriesOf(in, cal, e.Event), widened(e.Event, w)) {
			if err != nil {
				if err := tooLong(e.Event, err); err != nil {
					return nil, err
				}
				break
			}
			if *left--; *left < 0 {
				return nil, refused(http.StatusBadRequest, "timeRangeTooLong", "/timeMax: The calendars have more than %d instances in the time range; ask for a shorter one.", maxExpanded)
			}
			take(i)
		}
	}
	list := []any{}
	for _, s := range merge(spans) {
		list = append(list, map[string]any{"start": s.from.In(zone).Format(time.RFC3339), "end": s.to.In(zone).Format(time.RFC3339)})
	}
	return list, nil
}

// makesBusy reports whether an event blocks its time. An event that the calendar's owner has declined does not block time.
func makesBusy(e *event.Event) bool {
	declined := slices.ContainsFunc(e.Attendees, func(a event.Attendee) bool { return a.Self && a.ResponseStatus == "declined" })
	return e.Status != cancelled && e.Transparency != "transparent" && !declined
}

// taken returns the part of the window that an event blocks.
func taken(e *event.Event, cal calendar, w event.Window) (span, bool) {
	if !makesBusy(e) || !w.Has(e, cal.zone()) {
		return span{}, false
	}
	from, _ := e.Start.Instant(cal.zone()) // valid, since the event is in the window
	to, _ := e.End.Instant(cal.zone())
	if from.Before(w.From) {
		from = w.From
	}
	if to.After(w.To) {
		to = w.To
	}
	return span{from, to}, to.After(from)
}

// merge merges spans that touch or overlap.
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
