package payload

import (
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/zone"
)

// timesPatch is one way to patch the times of an event.
type timesPatch func(t *draw.T, p *patching, patch *patchObject)

// patchTimes draws other times: often a start, an end and perhaps a recurrence, or only an end,
// a start, a zone, or a cleared recurrence.
func patchTimes(t *draw.T, p *patching, patch *patchObject) {
	ways := p.timesPatches()
	ways[draw.Int(t, "times", 0, len(ways)-1)](t, p, patch)
}

// timesPatches returns the ways to patch the times of the event. A birthday remains all-day and
// yearly, and an instance does not recur.
func (p *patching) timesPatches() (ways []timesPatch) {
	annual := p.EventType == constraint.TypeBirthday
	instance := p.RecurringEventID != "" || p.OriginalStartTime != nil
	recurs := len(p.Recurrence) > 0
	start, end := momentOf(p.Start), momentOf(p.End)
	fit := start != nil && end != nil && (start.Date == "") == (end.Date == "")
	add := func(goes bool, way timesPatch) {
		if goes {
			ways = append(ways, way)
		}
	}
	add(fit, patchEnd)
	add(!annual || instance, patchSpan)
	add(!instance, patchSeries)
	add(recurs && !annual, clearRecurrence)
	add(fit && !recurs, patchStart)
	add(fit && !recurs && !end.at.Before(start.at) && saysInstant(p.Start) && saysInstant(p.End), patchZone)
	return ways
}

// momentOf returns how a stored time is read, or nil if it cannot be read.
func momentOf(at *event.Time) *moment {
	switch {
	case at == nil, (at.Date == "") == (at.DateTime == ""):
		return nil
	case at.Date != "":
		day, err := time.Parse(dateForm, at.Date)
		if err != nil {
			return nil
		}
		return &moment{at, day}
	}
	civil, ok := form.ParseDateTime(at.DateTime)
	if !ok || !civil.HasOffset && !form.IsZone(at.TimeZone) {
		return nil
	}
	where, _ := zone.Load(at.TimeZone)
	m := read(at, where)
	return &m
}

// saysInstant reports whether the instant or the day is the same in another zone.
func saysInstant(at *event.Time) bool {
	civil, ok := form.ParseDateTime(at.DateTime)
	return at.Date != "" || ok && civil.HasOffset
}

// patchSpan replaces the start and the end. A series becomes a single event.
func patchSpan(t *draw.T, p *patching, patch *patchObject) {
	start, end := drawSpan(t, drawForm(t, p.EventType))
	p.replaceTimes(patch, start.Time, end.Time)
	if len(p.Recurrence) > 0 {
		clearRecurrence(t, p, patch)
	}
}

// patchSeries replaces all three members. A single event becomes a series.
func patchSeries(t *draw.T, p *patching, patch *patchObject) {
	var series event.Event
	if p.EventType == constraint.TypeBirthday {
		drawAnnual(t, &series)
	} else {
		drawSeries(t, &series, drawForm(t, p.EventType))
	}
	p.replaceTimes(patch, series.Start, series.End)
	patch.set("recurrence", soleValue(&event.Event{Recurrence: series.Recurrence}))
}

// replaceTimes sets the start and the end, and clears their other stored members, such as the
// date of an event that becomes timed.
func (p *patching) replaceTimes(patch *patchObject, start, end *event.Time) {
	patch.set("start", patchTo(p.members()["start"], soleValue(&event.Event{Start: start})))
	patch.set("end", patchTo(p.members()["end"], soleValue(&event.Event{End: end})))
}

func clearRecurrence(t *draw.T, _ *patching, patch *patchObject) {
	if draw.Maybe(t, "empty recurrence") {
		patch.set("recurrence", jsonNoList)
		return
	}
	patch.set("recurrence", jsonNull)
}

// patchEnd merges another end with the stored one, whose zone remains.
func patchEnd(t *draw.T, p *patching, patch *patchObject) {
	start := momentOf(p.Start)
	at := start.at.Truncate(time.Second).Add(start.drawLength(t))
	setMoved(patch, "end", at, start.Date != "")
}

// patchStart merges another start with the stored one, whose zone remains.
func patchStart(t *draw.T, p *patching, patch *patchObject) {
	end := momentOf(p.End)
	at := end.at.Truncate(time.Second).Add(-end.drawLength(t))
	setMoved(patch, "start", at, end.Date != "")
}

// drawLength draws the time between a start and an end.
func (m *moment) drawLength(t *draw.T) time.Duration {
	unit := time.Second
	if m.Date != "" {
		unit = day
	}
	return unit * time.Duration(draw.Around(1, 4000).Draw(t, "length"))
}

// setMoved moves a time to a day, or to an instant in UTC, which does not depend on the zone. It
// does nothing if RFC 3339 cannot write the time.
func setMoved(patch *patchObject, name string, at time.Time, allDay bool) {
	at = at.UTC()
	if at.Before(firstDay) || !at.Before(lastDay.Add(day)) {
		return
	}
	moved := event.Time{DateTime: at.Format(clockForm) + "Z"}
	if allDay {
		moved = event.Time{Date: at.Format(dateForm)}
	}
	patch.set(name, soleValue(&event.Event{Start: &moved}))
}

// patchZone merges another zone with the start and the end, which remain the same instants.
func patchZone(t *draw.T, _ *patching, patch *patchObject) {
	var inner patchObject
	inner.set("timeZone", jsonText(ZoneName.Draw(t, "zone")))
	patch.set("start", inner.text())
	patch.set("end", inner.text())
}
