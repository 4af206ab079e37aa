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

// The functions in this file take a series and its exceptions with all members that the service returned. The times
// must have the form that [event.Series.Split] requires.

// Reschedule returns the requests that move an event, an instance of a series, or a whole series to a different start. The
// length stays the same; the zone stays the same unless the new start specifies a zone.
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
	next.Recurrence = []string{"RRULE:FREQ=DAILY;COUNT=1"} // a single event moves like a series with one instance
	moved, err := event.Series{Event: next, Zone: s.Zone}.Move(to)
	if err != nil {
		return nil, err
	}
	next.Start, next.End, next.Recurrence = moved.Patch.Start, moved.Patch.End, nil
	return m.made(change(stored, next, nil))
}

// CancelInstance returns the request that cancels the instance with the given original start.
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

// RestoreInstance returns the request that restores the cancelled instance with the given original start. The instance
// takes place at the time of its exception or, if the exception has no start, according to the recurrence.
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

// restore returns the patch that restores a cancelled exception. A list may show only the id and original start of the
// exception. In that case, the values of other members come from a new instance of the series, and the patch contains the
// times.
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

// instance returns the instance of a series with the given original start. An instance that is not stored has no entity tag,
// because the series' entity tag does not apply to instances.
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

// EndFollowing returns the requests that end a series before the given time. A series without remaining instances is deleted.
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
	removed := byID(truncated.Removed)
	var requests []event.Request
	for _, e := range standing {
		if removed[e.ID] != nil && e.StatusMeaning() == status.Active {
			requests = append(requests, remove(e, s.Event))
		}
	}
	return m.made(append(requests, ending(s, truncated.Patch)...))
}

// ending returns the patch that reduces the recurrence of a series to the recurrence of kept.
func ending(s event.Series, kept *event.Event) []event.Request {
	next := s.Event.Clone()
	next.Recurrence = kept.Recurrence
	return change(s.Event, next, nil)
}

// ChangeFollowing returns the requests that apply a patch to an instance and all later instances. ChangeFollowing returns an
// error if the service would refuse the same patch of the series, or ignore part of the patch. Exceptions keep their own
// values. To change times, use [Maker.MoveFollowing].
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
		next.ID, next.ICalUID = split.Insert.ID, split.Insert.ICalUID // the patch may contain the ids of the old series
		return next, split.Moved, nil
	})
}

// MoveFollowing returns the requests that move an instance to a different start, and all later instances by the same difference
// in local time. Exceptions keep their own times.
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

// following returns the requests that change an instance and all later instances. Given a split, the function later
// returns the changed later series and its exceptions, each with its original start in that series.
//
// The later series is inserted first, so a failure duplicates instances instead of losing them. The exceptions are deleted
// before the old series is ended, because ending a series may cancel its exceptions, and the service responds with 410 to the
// deletion of a cancelled event. If there are no earlier instances, the series itself changes.
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

// continuation is a series together with the series that continues it.
type continuation struct {
	was, next event.Series
	inPlace   bool // whether was and next are the same series, before and after a change
}

// stored returns the requests that delete the exceptions of the series, and the exceptions to keep in the next series, by the
// ids of their instances in the next series. Cancelled exceptions need not be deleted.
func (c continuation) stored(exceptions []*event.Event) (removed []event.Request, kept map[string]*event.Event, err error) {
	standing, err := c.was.Standing()
	if err != nil {
		return nil, nil, err
	}
	stored := byID(standing)
	kept = map[string]*event.Event{}
	for _, m := range exceptions {
		e := stored[m.ID]
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

// byID returns a map from ids to events. The first of several events with the same id is used.
func byID(list []*event.Event) map[string]*event.Event {
	events := make(map[string]*event.Event, len(list))
	for _, e := range slices.Backward(list) {
		events[e.ID] = e
	}
	return events
}

// changes returns the requests that create the exceptions of the next series. Each exception has the same id before and
// after the change.
func (c continuation) changes(before, after []*event.Event, kept map[string]*event.Event) (requests []event.Request, err error) {
	was, done := byID(before), map[string]bool{}
	for _, m := range after {
		fresh, err := instance(c.next, m.OriginalStartTime)
		switch {
		case errors.Is(err, errNoInstance) && m.StatusMeaning() != status.Active: // it does not have to replace an instance
			continue
		case err != nil:
			return nil, fmt.Errorf("after the change, the exception of %s replaces nothing: %w", m.OriginalStartTime, err)
		}
		next, err := c.exception(was[m.ID], fresh)
		if err != nil {
			return nil, err
		}
		done[fresh.ID] = true
		requests = append(requests, c.become(cmp.Or(kept[fresh.ID], fresh), fresh, next)...)
	}
	for _, m := range before { // an instance that an exception no longer replaces is ordinary again
		fresh, err := c.next.At(m.OriginalStartTime)
		if err == nil && fresh != nil && kept[fresh.ID] != nil && !done[fresh.ID] {
			requests = append(requests, c.become(kept[fresh.ID], fresh, fresh)...)
		}
	}
	return requests, nil
}

// exception returns an instance of the next series with the values that an exception in the previous series had changed.
func (c continuation) exception(was, fresh *event.Event) (*event.Event, error) {
	base, err := instance(event.Series{Event: c.was.Event, Zone: c.was.Zone}, was.OriginalStartTime)
	if err != nil {
		return nil, err
	}
	own := was.Clone()
	own.Sequence, own.Status = base.Sequence, cmp.Or(own.Status, base.Status)
	if isSame(own.Start, base.Start) { // the offsets may differ
		own.Start = base.Start
	}
	if isSame(own.End, base.End) {
		own.End = base.End
	}
	patch, _ := base.PatchTo(own, diag.Documents)
	return fresh.AfterPatch(patch, diag.Documents)
}

// isSame reports whether a time of an exception, if any, is the same date or instant as the time of an instance.
func isSame(own, base *event.Time) bool {
	at, err := own.Instant(time.UTC)
	other, _ := base.Instant(time.UTC) // instances have times that can be read
	return err == nil && at.Equal(other) && own.Date == base.Date
}

// become returns the request that changes a stored instance of the next series to the instance next, which may be cancelled.
func (c continuation) become(stored, fresh, next *event.Event) []event.Request {
	stored = stored.Clone()
	stored.ETag = "" // the entity tag may have changed with the series
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
