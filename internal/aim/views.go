package aim

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// presence states whether an event must be in a list: no, yes, or open if no rule determines the presence.
type presence int8

const (
	no presence = iota - 1
	open
	yes
)

func yesIf(b bool) presence {
	if b {
		return yes
	}
	return no
}

// viewsOf returns the parameters of lists that must contain the event, and of some lists that must not contain it.
func (l *life) viewsOf(e *event.Event) (all []operation.Params) {
	add := func(pairs ...string) {
		params := operation.Params{}
		for i := 0; i < len(pairs); i += 2 {
			params[pairs[i]] = append(params[pairs[i]], pairs[i+1])
		}
		all = append(all, params)
	}
	none := l.prefix() + "none"
	if start, end, ok := spanOf(e); ok {
		from, to := formatted(start), formatted(end)
		add("timeMin", from, "timeMax", to)
		add("timeMin", to)
		add("timeMax", from)
		add("timeMin", formatted(start.Add(-slack)), "timeMax", formatted(end.Add(slack)), "singleEvents", "true", "orderBy", "startTime")
		add("timeMin", formatted(start.Add(-slack)), "timeMax", formatted(end.Add(slack)), "singleEvents", "true", "orderBy", "startTime", "maxResults", "2")
		add("timeMin", from, "timeMax", formatted(end.Add(slack)), "singleEvents", "true", "maxResults", "2")
		add("timeMin", from, "timeMax", formatted(end.Add(slack)), "singleEvents", "true", "showDeleted", "true")
	}
	add("iCalUID", e.ICalUID)
	add("iCalUID", none+"@example.com")
	for _, text := range []string{e.Summary, e.Location, e.Description} {
		if words := strings.FieldsFunc(text, isNoLetter); len(words) > 0 {
			add("q", words[len(words)-1])
		}
	}
	add("q", none)
	if x := e.ExtendedProperties; x != nil {
		for name, properties := range map[string]map[string]string{"privateExtendedProperty": x.Private, "sharedExtendedProperty": x.Shared} {
			var pairs []string
			for key, value := range properties {
				if key == "" || strings.ContainsAny(key, "=\x00") || strings.Contains(value, "\x00") {
					continue
				}
				add(name, key+"="+value)
				add(name, key+"="+value+"x")
				if len(pairs) < 4 {
					pairs = append(pairs, name, key+"="+value)
				}
			}
			add(pairs...)
			add(append(pairs, name, none+"=1")...)
		}
	}
	add("orderBy", "updated")
	add("orderBy", "updated", "maxResults", "1")
	add("updatedMin", e.Updated)
	add("updatedMin", formatted(time.Now().Add(24*time.Hour)))
	add("maxResults", "1")
	add("showDeleted", "true")
	add("showDeleted", "true", "maxResults", "2")
	add("eventTypes", e.WithDefaults().EventType)
	add("eventTypes", constraint.TypeBirthday, "eventTypes", constraint.TypeFocusTime)
	if hasPlainTimes(e) {
		add("timeZone", "Asia/Tokyo")
	}
	add("maxAttendees", "1")
	return slices.DeleteFunc(all, func(p operation.Params) bool { return !l.has(operation.EventsList, p) })
}

// has reports whether an operation has all the parameters, and each parameter has a value.
func (l *life) has(op operation.ID, params operation.Params) bool {
	for name, values := range params {
		isKnown := slices.ContainsFunc(operationOf(op).ParamsIn(l.Dialect), func(p operation.Param) bool { return p.Name == name })
		if !isKnown || slices.Contains(values, "") {
			return false
		}
	}
	return true
}

// isNoLetter reports whether a character is not an ASCII letter or digit. All servers agree that ASCII letters and digits form
// words.
func isNoLetter(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
}

// spanOf returns the start and the end of an event, with dates in UTC, or false for times that cannot be written in a
// parameter.
func spanOf(e *event.Event) (start, end time.Time, ok bool) {
	start, startErr := e.Start.Instant(time.UTC)
	end, endErr := e.End.Instant(time.UTC)
	return start, end, startErr == nil && endErr == nil && start.Year() > 1 && end.Year() < 9990
}

// hasPlainTimes reports whether the times of an event can be written in every zone. Leap seconds, and times before zones had
// offsets in whole minutes, cannot be written.
func hasPlainTimes(e *event.Event) bool {
	start, end, ok := spanOf(e)
	return ok && start.Year() >= 1980 && end.Year() >= 1980 && !strings.Contains(e.Start.DateTime+e.End.DateTime, ":60")
}

func formatted(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// selects reports whether a list with the given parameters must contain an event.
func (s *stored) selects(e *event.Event, params operation.Params) presence {
	one := func(name string) string { value, _ := params.Value(name); return value }
	isSingle, isCancelled := one("singleEvents") == "true", s.isCancelled(e)
	found := yes
	if isCancelled {
		switch isShown := one("showDeleted") == "true"; {
		case !isShown && e.RecurringEventID == "" && one("updatedMin") == "":
			return no
		case !isShown || s.isGone && e != s.event || isSingle && e.RecurringEventID != "":
			return open
		}
	}
	if isSingle && len(e.Recurrence) > 0 {
		return no
	}
	for name, values := range params {
		filter := filters[name]
		if filter == nil {
			continue
		}
		for _, value := range values {
			switch filter(e, value, params) {
			case no:
				if !isCancelled { // only the identity of a cancelled event is certain
					return no
				}
				found = open
			case open:
				found = open
			}
			if isCancelled {
				found = open
			}
		}
	}
	return found
}

// filters maps the parameters that select events to functions that report whether a parameter selects an event.
var filters = map[string]func(e *event.Event, value string, params operation.Params) presence{
	"timeMin": isInWindow,
	"timeMax": isInWindow,
	"iCalUID": func(e *event.Event, value string, _ operation.Params) presence { return yesIf(e.ICalUID == value) },
	"q":       func(e *event.Event, value string, _ operation.Params) presence { return hasTerm(e, value) },
	"privateExtendedProperty": func(e *event.Event, value string, _ operation.Params) presence {
		return hasProperty(e.ExtendedProperties, value, func(x *event.ExtendedProperties) map[string]string { return x.Private })
	},
	"sharedExtendedProperty": func(e *event.Event, value string, _ operation.Params) presence {
		return hasProperty(e.ExtendedProperties, value, func(x *event.ExtendedProperties) map[string]string { return x.Shared })
	},
	"updatedMin": func(e *event.Event, value string, _ operation.Params) presence {
		least, leastErr := time.Parse(time.RFC3339, value)
		at, err := time.Parse(time.RFC3339, e.Updated)
		if leastErr != nil || err != nil {
			return open
		}
		return yesIf(!at.Before(least))
	},
	"eventTypes": func(e *event.Event, _ string, params operation.Params) presence {
		return yesIf(slices.Contains(params["eventTypes"], e.WithDefaults().EventType))
	},
}

// The zones in which a day begins last and first. These zones are bounds for the zone of the calendar, which is unknown.
var westernmost, easternmost = time.FixedZone("UTC-12", -12*60*60), time.FixedZone("UTC+14", 14*60*60)

// isInWindow reports whether an event takes place in the window of a list. For an all-day event, the result depends on the
// calendar's zone; for a series, it depends on the instances.
func isInWindow(e *event.Event, _ string, params operation.Params) presence {
	var w event.Window
	for name, bound := range map[string]*time.Time{"timeMin": &w.From, "timeMax": &w.To} {
		value, _ := params.Value(name)
		*bound, _ = time.Parse(time.RFC3339, value) // zero if the parameter is absent
	}
	w.Overlap = true
	start, end, ok := spanOf(e)
	if !ok || len(e.Recurrence) > 0 || w.Has(e, westernmost) != w.Has(e, easternmost) || start.Equal(end) {
		return open
	}
	return yesIf(w.Has(e, nil))
}

// hasTerm reports whether a search must find a word in an event. Servers may search additional members.
func hasTerm(e *event.Event, term string) presence {
	term = strings.ToLower(term)
	for _, text := range []string{e.Summary, e.Description, e.Location} {
		if slices.Contains(strings.FieldsFunc(strings.ToLower(text), isNoLetter), term) {
			return yes
		}
	}
	if bytes.Contains(bytes.ToLower(e.AppendJSON(nil)), []byte(term)) {
		return open
	}
	return no
}

func hasProperty(x *event.ExtendedProperties, pair string, of func(*event.ExtendedProperties) map[string]string) presence {
	if x == nil {
		return no
	}
	name, value, _ := strings.Cut(pair, "=")
	stands, has := of(x)[name]
	return yesIf(has && stands == value)
}

// shows returns the parameters that affect the representation of an event.
func shows(params operation.Params) operation.Params {
	shown := operation.Params{}
	for _, name := range []string{"timeZone", "maxAttendees"} {
		if values := params[name]; values != nil {
			shown[name] = values
		}
	}
	return shown
}

// compareList checks that a list contains exactly the events of the life that its parameters select.
func (l *life) compareList(params operation.Params) {
	if l.isOver() {
		return
	}
	p := l.list(l.o, operation.EventsList, l.s.event, params)
	if p == nil {
		return
	}
	for _, e := range l.s.all() {
		is, found := p.entries[e.ID], l.s.selects(e, params)
		switch {
		case found == yes && is == nil && p.isWhole:
			l.o.lose(p.last(), "/items", fmt.Sprintf("the list of events with the parameters %v does not contain the event %s.", params, e.ID))
		case found == no && is != nil:
			l.o.lose(p.last(), "/items", fmt.Sprintf("the list of events with the parameters %v contains the event %s.", params, e.ID))
		case is != nil && l.s.isCancelled(e) && is.Status != constraint.StatusCancelled:
			l.o.lose(p.of[e.ID], "/items/status", fmt.Sprintf("the status of the deleted event %s is %q.", e.ID, is.Status))
		case is != nil && !l.s.isCancelled(e) && (params["timeZone"] == nil || hasPlainTimes(e)):
			l.compareEvent(l.o, p.of[e.ID], shows(params), is, e)
		}
		if l.isOver() {
			return
		}
	}
	l.compareForm(p, params)
}

// compareForm checks the page sizes and the order of events in a list against the list's parameters.
func (l *life) compareForm(p *pages, params operation.Params) {
	if most, _ := params.Value("maxResults"); most != "" {
		l.compareSizes(p, most)
	}
	switch order, _ := params.Value("orderBy"); {
	case l.isOver():
	case order == "updated":
		l.compareOrder(p, changeOf)
	case order == "startTime":
		l.compareOrder(p, startOf)
	}
}

// compareSizes checks the page sizes of a list against the maximum size.
func (l *life) compareSizes(p *pages, most string) {
	n, _ := strconv.Atoi(most)
	for i, page := range p.read {
		if len(page.Items) > n {
			l.o.lose(p.sent[i], "/items", fmt.Sprintf("the page contains %d events; maxResults is %d.", len(page.Items), n))
			return
		}
	}
}

// compareOrder checks that a list is sorted by the given time. An event without that time may be anywhere in the list.
func (l *life) compareOrder(p *pages, by func(*event.Event) (at time.Time, ok bool)) {
	var before *time.Time
	for i, page := range p.read {
		for k := range page.Items {
			at, ok := by(&page.Items[k])
			if !ok {
				continue
			}
			if before != nil && at.Before(*before) {
				l.o.lose(p.sent[i], "/items", fmt.Sprintf("the event %s comes after a later event.", page.Items[k].ID))
				return
			}
			before = &at
		}
	}
}

func startOf(e *event.Event) (at time.Time, ok bool) {
	if e.Start == nil || e.Start.DateTime == "" {
		return at, false
	}
	return event.Series{Event: e}.Place(e.Start)
}

func changeOf(e *event.Event) (at time.Time, ok bool) {
	at, err := time.Parse(time.RFC3339, e.Updated)
	return at, err == nil
}

// compareGets compares an event with the responses to gets with various parameters.
func (l *life) compareGets(e *event.Event) {
	for _, params := range []operation.Params{{"timeZone": {"Asia/Tokyo"}}, {"maxAttendees": {"1"}}} {
		if l.isOver() || !l.has(operation.EventsGet, params) || params["timeZone"] != nil && !hasPlainTimes(e) {
			continue
		}
		x := l.reading(l.o, &event.Request{Op: operation.EventsGet, Existing: e, Params: params})
		if x == nil || x.status != http.StatusOK {
			continue
		}
		is := x.event()
		if most := params["maxAttendees"]; most != nil && len(is.Attendees) > 1 {
			l.o.lose(x, "/attendees", fmt.Sprintf("the response contains %d attendees; maxAttendees is %s.", len(is.Attendees), most[0]))
			return
		}
		l.compareEvent(l.o, x, params, is, e)
	}
}

// compareChanges compares all changes since a sync token, read in small pages, with the events of the life that still exist.
func (l *life) compareChanges(since string) {
	if since == "" || l.isOver() {
		return
	}
	p := l.list(l.o, operation.EventsList, nil, operation.Params{"syncToken": {since}, "maxResults": {"2"}})
	if p == nil {
		return
	}
	for _, s := range l.all {
		for _, e := range s.asOthers() {
			is := p.entries[e.ID]
			switch {
			case is == nil && p.isWhole:
				l.o.lose(p.last(), "/items", fmt.Sprintf("the list does not contain the event %s, which has changed since the sync token.", e.ID))
			case is != nil && is.Status != constraint.StatusCancelled && !s.isCancelled(e):
				l.compareEvent(l.o, p.of[e.ID], nil, is, e)
			case is != nil && (is.Status == constraint.StatusCancelled) != s.isCancelled(e):
				l.o.lose(p.of[e.ID], "/items/status", fmt.Sprintf("in the changes since the sync token, the event %s has the status %q.", e.ID, is.Status))
			}
			if l.isOver() {
				return
			}
		}
	}
	l.compareSizes(p, "2")
}

// compareSeries compares the instances of the current series: in pages, in part of the series' time range, with cancelled
// instances, and one by one.
func (l *life) compareSeries(t *draw.T) {
	one, all, ok := l.drawExpected(t)
	if !ok {
		return
	}
	l.compareInstancesWith(operation.Params{"maxResults": {"2"}}, all)
	if hasPlainTimes(l.s.event) {
		l.compareInstancesWith(operation.Params{"timeZone": {"Asia/Tokyo"}}, all)
	}
	if start, end, ok := spanOf(one.Event); ok && one.Start.Date == "" && end.After(start) {
		for _, w := range []event.Window{{From: start, To: end}, {From: end}, {To: start}} {
			params := operation.Params{}
			for name, bound := range map[string]time.Time{"timeMin": w.From, "timeMax": w.To} {
				if !bound.IsZero() {
					params[name] = []string{formatted(bound)}
				}
			}
			w.Overlap = true
			l.compareInstancesWith(params, inWindow(all, w))
		}
	}
	if one.Start.Date == "" && strings.HasPrefix(one.OriginalStartTime.DateTime, "20") {
		l.compareInstancesWith(operation.Params{"originalStart": {one.OriginalStartTime.DateTime}}, map[string]expectation{keyOf(one.OriginalStartTime): one})
	}
	l.compareCancelled()
	if x := l.getInstance(one.Event); x != nil {
		l.compareEvent(l.o, x, nil, x.event(), one.as(one.Event))
	}
}

// drawExpected draws one of the instances of the current series, and returns it with all instances, or false if there are none
// or too many to compare.
func (l *life) drawExpected(t *draw.T) (one expectation, all map[string]expectation, ok bool) {
	if len(l.s.event.Recurrence) == 0 {
		return one, nil, false
	}
	if all, _ = expected(l.s, time.Time{}, time.Time{}); !isNear(all) || len(all) == 0 {
		return one, nil, false
	}
	keys := slices.Sorted(maps.Keys(all))
	return all[keys[draw.Evenly(len(keys)).Draw(t, "instance")]], all, true
}

// compareCancelled checks that a list contains the cancelled instances.
func (l *life) compareCancelled() {
	params := operation.Params{"showDeleted": {"true"}}
	if l.isOver() || !l.has(operation.EventsInstances, params) {
		return
	}
	p := l.list(l.o, operation.EventsInstances, l.s.event, params)
	if p == nil || !p.isWhole {
		return
	}
	for _, e := range l.s.exceptions {
		if is := p.entries[e.ID]; is == nil || (is.Status == constraint.StatusCancelled) != l.s.isCancelled(e) {
			l.o.lose(p.last(), "/items", fmt.Sprintf("in the list with deleted instances, the instance %s is missing or has the wrong status.", e.ID))
			return
		}
	}
}

func (l *life) getInstance(i *event.Event) *sent {
	if l.isOver() {
		return nil
	}
	p := l.list(l.o, operation.EventsInstances, l.s.event, nil)
	if p == nil {
		return nil
	}
	for _, e := range p.entries {
		if keyOf(e.OriginalStartTime) != keyOf(i.OriginalStartTime) {
			continue
		}
		i.ID = e.ID
		x := l.reading(l.o, &event.Request{Op: operation.EventsGet, Existing: e})
		if x != nil && x.status != http.StatusOK {
			l.o.lose(x, "", fmt.Sprintf("the server does not return the instance %s, which it lists.", e.ID))
		}
		if l.isOver() {
			return nil
		}
		return x
	}
	return nil
}

// compareInstancesWith compares the response to events.instances with the expected instances.
func (l *life) compareInstancesWith(params operation.Params, want map[string]expectation) {
	if l.isOver() || !l.has(operation.EventsInstances, params) {
		return
	}
	if p := l.list(l.o, operation.EventsInstances, l.s.event, params); p != nil {
		l.compareInstances(l.o, p, l.s.event.ID, want, shows(params), map[string]string{})
		l.compareForm(p, params)
	}
}

func inWindow(all map[string]expectation, w event.Window) map[string]expectation {
	some := map[string]expectation{}
	for key, i := range all {
		west, east := w.Has(i.Event, westernmost), w.Has(i.Event, easternmost)
		if i.isEdge = west != east || keyOf(i.Start) == keyOf(i.End); west || east {
			some[key] = i
		}
	}
	return some
}
