package aim

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// span is a busy period.
type span struct{ Start, End time.Time }

// mostBusy is the length of the window in which busy spans are read. The public service refuses windows longer than about
// three months.
const mostBusy = 60 * 24 * time.Hour

// compareBusy compares the busy times of the calendar with the events listed around the time of e. The calendar must be busy
// during each event that is not transparent, and free otherwise.
func (l *life) compareBusy(e *event.Event) {
	start, end, ok := spanOf(e)
	if l.isOver() || !ok || !end.After(start) || end.Sub(start) > mostBusy {
		return
	}
	params := operation.Params{"timeMin": {formatted(start)}, "timeMax": {formatted(end)}, "singleEvents": {"true"}}
	p := l.list(l.o, operation.EventsList, nil, params)
	if p == nil || !p.isWhole {
		return
	}
	busy, x := l.busy(start, end)
	isFree := true
	for _, e := range p.entries {
		is := isBusy(e)
		if isFree = isFree && is == no; is == yes && x != nil {
			l.compareSpan(x, busy, e, start, end)
		}
	}
	if isFree && len(busy) > 0 {
		l.o.lose(x, "/calendars", fmt.Sprintf("the calendar is busy at %s, although no opaque event takes place then.", formatted(busy[0].Start)))
	}
}

// isBusy reports whether a calendar must be busy during an event.
func isBusy(e *event.Event) presence {
	declines := slices.ContainsFunc(e.Attendees, func(a event.Attendee) bool { return a.Email == addressOf(e.Organizer) || a.Self })
	switch {
	case e.Transparency == "transparent" || e.Status == constraint.StatusCancelled:
		return no
	case declines || e.Start == nil || e.Start.DateTime == "" || e.WithDefaults().EventType != constraint.TypeDefault:
		return open
	}
	return yes
}

// busy returns the sorted busy times of the calendar, and the request for the busy times, which is nil if there is no response.
func (l *life) busy(from, to time.Time) (busy []span, x *sent) {
	body := tree{"timeMin": formatted(from), "timeMax": formatted(to), "items": []any{tree{"id": l.Calendar}}}
	x = l.reading(l.o, &event.Request{Op: "freebusy.query", Body: draw.EncodeJSON(body)})
	var answer struct {
		Calendars map[string]struct{ Busy []span }
	}
	if x == nil || x.status != 200 || json.Unmarshal(x.answer, &answer) != nil { // compareAnswer reports malformed answers
		return nil, nil
	}
	for _, calendar := range answer.Calendars {
		busy = append(busy, calendar.Busy...)
	}
	return busy, x
}

// compareSpan compares the busy times in a window with an event in that window.
func (l *life) compareSpan(x *sent, busy []span, e *event.Event, from, to time.Time) {
	start, end, ok := spanOf(e)
	if !ok {
		return
	}
	at := slices.MaxFunc([]time.Time{start, from}, time.Time.Compare)
	end = slices.MinFunc([]time.Time{end, to}, time.Time.Compare)
	for _, b := range busy {
		if !b.Start.After(at) && b.End.After(at) {
			at = b.End
		}
	}
	if at.Before(end) {
		l.o.lose(x, "/calendars", fmt.Sprintf("the calendar is free at %s, although the event %s takes place then.", formatted(at), e.ID))
	}
}
