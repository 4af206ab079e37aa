package fuzz

import (
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/limits"
)

// timesPatch is one way to patch the times of an event.
type timesPatch func(t *rapid.T, p *patching, patch *patchObject)

// patchTimes draws other times. Often start and end are replaced and the recurrence with them;
// but it may also be the end alone, the start or the zone, or the recurrence that is cleared.
func patchTimes(t *rapid.T, p *patching, patch *patchObject) {
	ways := p.timesPatches()
	ways[rapid.IntRange(0, len(ways)-1).Draw(t, "times")](t, p, patch)
}

// timesPatches returns the ways in which the times of the event can be patched. A birthday
// stays what it is: all-day, and once a year; and an instance does not recur.
func (p *patching) timesPatches() (ways []timesPatch) {
	annual := p.EventType == typeBirthday
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

// momentOf returns what a stored time is read as, or nil where it cannot be read.
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
	civil, ok := limits.ParseDateTime(at.DateTime)
	if !ok || !civil.HasOffset && !limits.IsZone(at.TimeZone) {
		return nil
	}
	where, _ := zone.Load(at.TimeZone)
	m := read(at, where)
	return &m
}

// saysInstant reports whether the instant or the day stays the same in another zone.
func saysInstant(at *event.Time) bool {
	civil, ok := limits.ParseDateTime(at.DateTime)
	return at.Date != "" || ok && civil.HasOffset
}

// patchSpan replaces start and end, of a series so that it becomes a single event.
func patchSpan(t *rapid.T, p *patching, patch *patchObject) {
	start, end := drawSpan(t, drawForm(t, p.EventType))
	p.replaceTimes(patch, start.Time, end.Time)
	if len(p.Recurrence) > 0 {
		clearRecurrence(t, p, patch)
	}
}

// patchSeries replaces all three members, or makes a series of a single event.
func patchSeries(t *rapid.T, p *patching, patch *patchObject) {
	var series event.Event
	if p.EventType == typeBirthday {
		drawAnnual(t, &series)
	} else {
		drawSeries(t, &series, drawForm(t, p.EventType))
	}
	p.replaceTimes(patch, series.Start, series.End)
	patch.set("recurrence", soleValue(&event.Event{Recurrence: series.Recurrence}))
}

// replaceTimes sets start and end, and clears what they lack of the stored ones, such as the
// date of an event that is timed from now on.
func (p *patching) replaceTimes(patch *patchObject, start, end *event.Time) {
	patch.set("start", patchTo(p.members()["start"], soleValue(&event.Event{Start: start})))
	patch.set("end", patchTo(p.members()["end"], soleValue(&event.Event{End: end})))
}

func clearRecurrence(t *rapid.T, _ *patching, patch *patchObject) {
	if draw.Maybe(t, "empty recurrence") {
		patch.set("recurrence", jsonNoList)
		return
	}
	patch.set("recurrence", jsonNull)
}

// patchEnd merges another end with the stored one, whose zone stays.
func patchEnd(t *rapid.T, p *patching, patch *patchObject) {
	start := momentOf(p.Start)
	at := start.at.Truncate(time.Second).Add(start.drawLength(t))
	setMoved(patch, "end", at, start.Date != "")
}

// patchStart merges another start with the stored one, whose zone stays.
func patchStart(t *rapid.T, p *patching, patch *patchObject) {
	end := momentOf(p.End)
	at := end.at.Truncate(time.Second).Add(-end.drawLength(t))
	setMoved(patch, "start", at, end.Date != "")
}

// drawLength draws how far a start and an end are apart.
func (m *moment) drawLength(t *rapid.T) time.Duration {
	unit := time.Second
	if m.Date != "" {
		unit = day
	}
	return unit * time.Duration(draw.Around(1, 4000).Draw(t, "length"))
}

// setMoved moves a time to a day, or to an instant, which is written in UTC so that it does
// not depend on the zone. What RFC 3339 cannot write stays as it is.
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

// patchZone merges another zone with the start and the end, which stay when they are.
func patchZone(t *rapid.T, _ *patching, patch *patchObject) {
	var inner patchObject
	inner.set("timeZone", jsonText(ZoneName().Draw(t, "zone")))
	patch.set("start", inner.text())
	patch.set("end", inner.text())
}
