package intent

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/status"
)

// The functions in this file take a series with its exceptions as the service returns them, with all their members. For
// the times, see [event.Series.Split].

// Reschedule moves an event, an instance of a series, or a whole series to another start. The length stays, and so does
// the zone unless the time has another.
func (m Maker) Reschedule(s event.Series, to *event.Time) ([]event.Request, error) {
	stored := s.Event
	switch {
	case stored == nil:
		return nil, errNoEvent
	case stored.Start == nil || stored.End == nil:
		return nil, errors.New("the stored event lacks its start or its end; give it as it was read, with all of its members")
	case to != nil && to.TimeZone == "":
		to = &event.Time{Date: to.Date, DateTime: to.DateTime, TimeZone: stored.Start.TimeZone}
	}
	if len(stored.Recurrence) > 0 {
		return m.MoveFollowing(s, stored.Start, to)
	}
	next := stored.Clone()
	next.Recurrence = []string{"RRULE:FREQ=DAILY;COUNT=1"} // it moves like a series of one instance
	moved, err := event.Series{Event: next, Zone: s.Zone}.Move(to)
	if err != nil {
		return nil, err
	}
	next.Start, next.End, next.Recurrence = moved.Patch.Start, moved.Patch.End, nil
	return m.made(change(stored, next, nil))
}

// CancelInstance cancels one instance.
func (m Maker) CancelInstance(s event.Series, at *event.Time) ([]event.Request, error) {
	if _, err := s.Cancel(at); err != nil {
		return nil, err
	}
	e, err := instance(s, at)
	if err != nil {
		return nil, err
	}
	return m.made([]event.Request{remove(e, s.Event)})
}

// RestoreInstance brings back a cancelled instance. It takes place at the time of its exception or, if that has no start,
// at the time of the recurrence.
func (m Maker) RestoreInstance(s event.Series, at *event.Time) ([]event.Request, error) {
	restored, err := s.Restore(at)
	if err != nil {
		return nil, err
	}
	next, err := instance(restored, at)
	if err != nil {
		return nil, err
	}
	standing, err := s.Standing()
	for _, e := range standing {
		one := s
		one.Exceptions = []*event.Event{e}
		if shown, err := one.At(at); shown == nil && err == nil {
			return m.made(restore(e, next, next, s.Event))
		}
	}
	return nil, err
}

// restore returns the patch that turns a cancelled exception into an instance. A list may show only the id and the original
// start of the exception, so the other members come from the fresh instance of the series, and the times are sent.
func restore(cancelled, fresh, next, series *event.Event) []event.Request {
	next = next.Clone()
	next.Status = cmp.Or(next.Status, constraint.StatusConfirmed)
	if cancelled.Start == nil {
		stored := fresh.Clone()
		stored.ID, stored.ETag, stored.Status, stored.Start, stored.End = cancelled.ID, cancelled.ETag, cancelled.Status, nil, nil
		cancelled = stored
	}
	return change(cancelled, next, series)
}

// instance returns the instance of a series with the given original start. An instance that is not stored has no entity
// tag, since the series's tag is not the instance's.
func instance(s event.Series, at *event.Time) (*event.Event, error) {
	e, err := s.At(at)
	switch {
	case err != nil:
		return nil, err
	case e == nil:
		return nil, errNoInstance
	case !slices.ContainsFunc(s.Exceptions, func(x *event.Event) bool { return x != nil && x.ID == e.ID }):
		e = e.Clone()
		e.ETag = ""
	}
	return e, nil
}

var errNoInstance = errors.New("there is no instance at that time")

// EndFollowing ends a series before a time. It deletes a series that would be left without instances.
func (m Maker) EndFollowing(s event.Series, at *event.Time) ([]event.Request, error) {
	truncated, err := s.Truncate(at)
	if err != nil {
		return nil, err
	}
	if truncated.Patch == nil {
		return m.made([]event.Request{remove(s.Event, nil)})
	}
	standing, err := s.Standing()
	if err != nil {
		return nil, err
	}
	var requests []event.Request
	for _, e := range standing {
		isRemoved := slices.ContainsFunc(truncated.Removed, func(r *event.Event) bool { return r.ID == e.ID })
		if isRemoved && e.StatusMeaning() == status.Active {
			requests = append(requests, remove(e, s.Event))
		}
	}
	return m.made(append(requests, ending(s, truncated.Patch)...))
}

// ending returns the patch with the recurrence that a series keeps.
func ending(s event.Series, kept *event.Event) []event.Request {
	next := s.Event.Clone()
	next.Recurrence = kept.Recurrence
	return change(s.Event, next, nil)
}

// ChangeFollowing changes an instance and all later ones, as a patch of the series with the event would. It returns an error if
// the service would refuse such a patch, or ignore a part of it. Exceptions keep their own values. To change times, see
// [Maker.MoveFollowing].
func (m Maker) ChangeFollowing(s event.Series, at *event.Time, patch *event.Event) ([]event.Request, error) {
	switch {
	case patch == nil:
		return nil, errors.New("the change has no members; give those that change")
	case patch.Start != nil || patch.End != nil:
		return nil, errors.New("the change has a start or an end, with which the instances would move; use move-following, and leave both out here")
	}
	body := patch.AppendJSON(nil)
	if _, err := m.made([]event.Request{{Op: operation.EventsPatch, Existing: s.Event, Body: body}}); err != nil {
		return nil, err
	}
	return m.following(s, at, func(split event.SplitRequests) (*event.Event, []*event.Event, error) {
		next, err := split.Insert.AfterPatch(body, diag.Documents)
		if err != nil {
			return nil, nil, err
		}
		next.ID, next.ICalUID = split.Insert.ID, split.Insert.ICalUID // a patch may name the ids of the series
		return next, split.Moved, nil
	})
}

// MoveFollowing moves an instance to another start, and all later ones with it, by the difference in local time between
// the two. Exceptions keep their own times.
func (m Maker) MoveFollowing(s event.Series, at, to *event.Time) ([]event.Request, error) {
	return m.following(s, at, func(split event.SplitRequests) (*event.Event, []*event.Event, error) {
		move, err := split.After.Move(to)
		if err != nil {
			return nil, nil, err
		}
		next := split.Insert
		next.Start, next.End, next.Recurrence = move.Patch.Start, move.Patch.End, move.Patch.Recurrence
		return next, move.Moved, nil
	})
}

// following returns the requests that change an instance and all later ones. The function later returns the later series
// of the split, and its exceptions, each with its original start there.
//
// The later series comes first, so that a failure duplicates instances instead of losing them. The exceptions go before
// their series ends, because the service may cancel them at that time, and answers 410 to the delete of a cancelled event.
// If there are no earlier instances, the series itself changes.
func (m Maker) following(s event.Series, at *event.Time, later func(event.SplitRequests) (*event.Event, []*event.Event, error)) ([]event.Request, error) {
	split, err := s.Split(at)
	if err != nil {
		return nil, err
	}
	before := split.Insert.Clone()
	next, moved, err := later(split)
	if err != nil || len(before.Diff(next, diag.Documents)) == 0 {
		return nil, err
	}
	c := continuation{was: s, next: event.Series{Event: next, Zone: s.Zone}, inPlace: split.Patch == nil}
	next.ID = MakeID(s.Event.ID + s.Event.ETag + split.Insert.Start.String())
	if c.inPlace {
		next.ID, next.Sequence = s.Event.ID, s.Event.Sequence
	}
	removed, kept, err := c.stored(split.Moved)
	if err != nil {
		return nil, err
	}
	changes, err := c.changes(split.Moved, moved, kept)
	switch {
	case err != nil:
		return nil, err
	case c.inPlace:
		return m.made(slices.Concat(removed, change(s.Event, next, nil), changes))
	}
	return m.made(slices.Concat([]event.Request{create(operation.EventsInsert, next)}, changes, removed, ending(s, split.Patch)))
}

// continuation is a series that continues as another series.
type continuation struct {
	was, next event.Series
	inPlace   bool // whether they are one series, before and after a change
}

// stored returns the deletes of the series's exceptions, except for those that the next series keeps, by the ids of their
// instances there. Cancelled exceptions are already gone.
func (c continuation) stored(exceptions []*event.Event) (removed []event.Request, kept map[string]*event.Event, err error) {
	standing, err := c.was.Standing()
	if err != nil {
		return nil, nil, err
	}
	kept = map[string]*event.Event{}
	for _, m := range exceptions {
		e := byID(standing, m.ID)
		fresh, err := c.next.At(m.OriginalStartTime)
		switch {
		case c.inPlace && err == nil && fresh != nil:
			kept[fresh.ID] = e
		case e.StatusMeaning() == status.Active:
			removed = append(removed, remove(e, c.was.Event))
		}
	}
	return removed, kept, nil
}

// byID returns the event of the given id, which must be in the list.
func byID(list []*event.Event, id string) *event.Event {
	return list[slices.IndexFunc(list, func(e *event.Event) bool { return e.ID == id })]
}

// changes returns the requests that give the next series its exceptions, which have the ids of those before.
func (c continuation) changes(before, after []*event.Event, kept map[string]*event.Event) (requests []event.Request, err error) {
	done := map[string]bool{}
	for _, m := range after {
		fresh, err := instance(c.next, m.OriginalStartTime)
		switch {
		case errors.Is(err, errNoInstance) && m.StatusMeaning() != status.Active: // it stays without one
			continue
		case err != nil:
			return nil, fmt.Errorf("after the change, the exception of %s replaces nothing: %w", m.OriginalStartTime, err)
		}
		next, err := c.exception(byID(before, m.ID), fresh)
		if err != nil {
			return nil, err
		}
		done[fresh.ID] = true
		requests = append(requests, c.become(cmp.Or(kept[fresh.ID], fresh), fresh, next)...)
	}
	for _, m := range before { // the replaced instance of a former exception is an ordinary instance again
		fresh, err := c.next.At(m.OriginalStartTime)
		if err == nil && fresh != nil && kept[fresh.ID] != nil && !done[fresh.ID] {
			requests = append(requests, c.become(kept[fresh.ID], fresh, fresh)...)
		}
	}
	return requests, nil
}

// exception returns an instance of the next series with the values that an exception of the previous series had changed.
func (c continuation) exception(was, fresh *event.Event) (*event.Event, error) {
	base, err := instance(event.Series{Event: c.was.Event, Zone: c.was.Zone}, was.OriginalStartTime)
	if err != nil {
		return nil, err
	}
	own := was.Clone()
	own.Sequence, own.Status = base.Sequence, cmp.Or(own.Status, base.Status)
	if isSame(own.Start, base.Start) { // perhaps written with another offset
		own.Start = base.Start
	}
	if isSame(own.End, base.End) {
		own.End = base.End
	}
	patch, _ := base.PatchTo(own, diag.Documents)
	return fresh.AfterPatch(patch, diag.Documents)
}

// isSame reports whether two times are the same date or instant.
func isSame(a, b *event.Time) bool {
	if a == nil || b == nil || a.Date != b.Date {
		return false
	}
	at, err := a.Instant(time.UTC)
	other, otherErr := b.Instant(time.UTC)
	return err == nil && otherErr == nil && at.Equal(other)
}

// become returns the request that turns a fresh, stored instance of the next series into another one, which may be
// cancelled.
func (c continuation) become(stored, fresh, next *event.Event) []event.Request {
	stored = stored.Clone()
	stored.ETag = "" // it may have changed with the series
	wasActive := stored.StatusMeaning() == status.Active
	isActive := next.StatusMeaning() == status.Active
	switch {
	case wasActive && isActive:
		return change(stored, next, c.next.Event)
	case isActive:
		return restore(stored, fresh, next, c.next.Event)
	case wasActive:
		return []event.Request{remove(stored, c.next.Event)}
	}
	return nil
}
