package gen

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
)

// Patch returns a generator of merge patches (RFC 7396), in the given dialect, that a client may send for a stored event. If
// stored is nil, the event is unknown.
func Patch(in diag.Dialect, stored *event.Event) draw.Generator[json.RawMessage] {
	if stored == nil {
		stored = new(event.Event)
	}
	return func(t *draw.T) json.RawMessage {
		before := encodeTree(stored)
		patch := event.Request{Body: bodyText(drawPatch(t, before, drawChanged(t, stored, before)))}
		return patch.WithDialect(in).Body
	}
}

// drawPatch draws a patch that turns one event into another: the difference, often with additional members that change nothing.
func drawPatch(t *draw.T, before, after members) members {
	patch := patchOf(before, after, func(string) bool { return false })
	emptied(t, patch)
	draw.Some(t, len(idleAdditions), func(i int) { idleAdditions[i](t, patch, before, after) })
	return patch
}

// emptied replaces null with an empty value in some members that a patch clears.
func emptied(t *draw.T, patch members) {
	for _, z := range writable() {
		for _, object := range objectsAt(patch, z.in) {
			null, isSent := object[z.name]
			if isSent && null == nil && z.value != "null" && draw.Maybe(t, "emptied") {
				object[z.name] = json.RawMessage(z.value)
			}
		}
	}
}

// idleAdditions are functions that add members without effect to a patch: a stored value, null or an empty value for an
// absent member, or an empty object for a stored object.
var idleAdditions = []func(t *draw.T, patch, before, after members){
	func(t *draw.T, patch, before, after members) {
		drawNames(t, before, func(name string) {
			if equalMember(name, before, after) {
				patch[name] = before[name]
			}
		})
	},
	func(t *draw.T, patch, before, after members) {
		for _, z := range draw.SliceOfN(draw.SampledFrom(writable()), 1, 3).Draw(t, "written-out zeros") {
			if z.in == "" && before[z.name] == nil && after[z.name] == nil {
				patch[z.name] = json.RawMessage(z.value)
			}
		}
	},
	clearAbsent,
	func(t *draw.T, patch, before, after members) {
		drawNames(t, before, func(name string) {
			if _, isObject := before[name].(members); isObject && equalMember(name, before, after) {
				patch[name] = members{}
			}
		})
	},
}

// clearAbsent adds null for members that are absent before and after the patch, in objects that are in the patch and, less
// often, in other objects.
func clearAbsent(t *draw.T, patch, before, after members) {
	for _, f := range fields() {
		if f.isTop() || !isWritable(f) || f.fixed || strings.Contains(f.pattern, "*") {
			continue
		}
		path := diag.Pointer(f.pattern)
		object, _ := At(after, outer(path)).(members)
		if object == nil || At(before, path) != nil || At(after, path) != nil {
			continue
		}
		may := draw.Seldom
		if At(patch, outer(path)) != nil {
			may = draw.Maybe
		}
		if may(t, "clear "+f.Path) {
			put(patch, path, nil)
		}
	}
}

// drawNames draws one to three documented members of an event, and calls use with their names.
func drawNames(t *draw.T, object members, use func(name string)) {
	names := slices.DeleteFunc(slices.Clone(documented()), func(name string) bool { return object[name] == nil })
	if len(names) > 0 {
		for _, name := range draw.SliceOfN(draw.SampledFrom(names), 1, 3).Draw(t, "members") {
			use(name)
		}
	}
}

// drawChanged draws a stored event after changes by a client. Some members, usually a few, come from another event.
func drawChanged(t *draw.T, stored *event.Event, before members) (after members) {
	touches := draw.Seldom
	if draw.Seldom(t, "many changes") {
		touches = draw.Maybe
	}
	e := &event.Event{EventType: stored.EventType}
	var touched []string
	if touches(t, "times") {
		touched = append(touched, timesOfEvent...)
		drawOtherTimes(t, e, stored)
	}
	object := reflect.ValueOf(e).Elem()
	for _, f := range others() {
		isOfType := f.eventType() == e.EventType
		if !f.Writable.Has(diag.Patch) || f.fixed || !touches(t, f.Path) && !(isOfType && draw.Maybe(t, "properties of the type")) {
			continue
		}
		if touched = append(touched, f.Path); !draw.Seldom(t, "clear "+f.Path) {
			f.set(t, object, diag.Patch)
		}
	}
	fitType(t, e, diag.Patch)
	after, drawn := maps.Clone(before), encodeTree(e)
	for name := range stored.Unknown() {
		if draw.Seldom(t, "clear an unknown member") {
			touched = append(touched, name)
		}
	}
	for _, name := range touched {
		if isFrozen(stored, name) {
			continue
		}
		if after[name] = drawPartialChange(t, name, before[name], drawn[name]); after[name] == nil {
			delete(after, name)
		}
	}
	return after
}

func isFrozen(stored *event.Event, name string) bool {
	f := byPath()[name]
	switch {
	case f != nil && f.fixed:
	case stored.Locked && slices.Contains(lockedMembers(), name):
	case stored.EventType == constraint.TypeFromMail && !slices.Contains(fromMailMembers(), name):
	case name == "iCalUID" && stored.ICalUID != "": // set only at creation
	case name == "conferenceData" && !canChange(stored.ConferenceData):
	default:
		return false
	}
	return true
}

// drawPartialChange draws a value for a member by combining parts of the stored value with parts of a newly drawn value.
// Objects whose members depend on each other are replaced as a whole, but in a conference, the notes may change on their own.
func drawPartialChange(t *draw.T, path string, was, is any) any {
	switch is := is.(type) {
	case []any:
		if path == "attendees" || path == "attachments" {
			return withSomeStored(t, path, was, is)
		}
	case members:
		stored, _ := was.(members)
		switch path {
		case "start", "end", "reminders":
		case "workingLocationProperties":
			if stored["type"] == is["type"] {
				return drawPartialMembers(t, path, stored, is, keys(stored, is))
			}
		case "conferenceData":
			if stored["conferenceSolution"] != nil && draw.Maybe(t, "only the notes") {
				return drawPartialMembers(t, path, stored, members{"notes": is["notes"]}, []string{"notes"})
			}
		default:
			return drawPartialMembers(t, path, stored, is, keys(stored, is))
		}
	}
	return is
}

// drawPartialMembers returns a copy of the stored object in which some of the named members are removed or replaced with newly
// drawn values.
func drawPartialMembers(t *draw.T, path string, was, is members, names []string) members {
	all := maps.Clone(was)
	if all == nil {
		all = members{}
	}
	for _, name := range names {
		f := byPath()[path+"."+name]
		isServers := f != nil && f.Writable == 0
		switch {
		case isServers || draw.Bool(t) && was[name] != nil:
		case is[name] == nil && f == nil && draw.Maybe(t, "another value"): // an entry of a map
			all[name] = draw.NonEmptyText(shortText).Draw(t, "value")
		case is[name] == nil:
			delete(all, name)
		default:
			all[name] = drawPartialChange(t, path+"."+name, was[name], is[name])
		}
	}
	return all
}

// keys returns the sorted names of the members in two objects.
func keys(a, b members) []string {
	return slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for _, object := range []members{a, b} {
			for name := range object {
				if !yield(name) {
					return
				}
			}
		}
	}))
}

// withSomeStored adds some of the first stored elements to the drawn elements, up to the maximum length of the array.
func withSomeStored(t *draw.T, path string, was any, is []any) []any {
	_, most := fieldAt(path).countRange()
	stored, _ := was.([]any)
	for _, element := range stored[:min(len(stored), mostDrawn)] {
		if int64(len(is)) < most && draw.Maybe(t, "stays") {
			is = append(is, element)
		}
	}
	return is
}

func (f *field) countRange() (low, high int64) {
	low, high = 0, math.MaxInt64
	for _, c := range f.Constraints {
		if c.Subject == constraint.Count {
			low, high = constraint.Named(c.Name).Range()
		}
	}
	return low, high
}

// drawOtherTimes draws different times for a stored event: new times, or only a different end, start or zone, or no recurrence.
// Birthdays remain all-day and yearly, and instances never recur.
func drawOtherTimes(t *draw.T, e, stored *event.Event) {
	was := stored.Clone()
	e.Start, e.End, e.Recurrence = was.Start, was.End, was.Recurrence
	start, end := momentOf(e.Start), momentOf(e.End)
	fit := start != nil && end != nil && (start.Date == "") == (end.Date == "")
	recurs := len(e.Recurrence) > 0
	isAllDay := start != nil && start.Date != ""
	allDay := fitForm(isAllDay != draw.Maybe(t, "other form"), e.EventType)
	switch way := draw.Int(t, "times", 0, 4); {
	case way == 1 && fit:
		e.End = start.moved(start.drawLength(t))
	case way == 2 && fit && !recurs:
		e.Start = end.moved(-end.drawLength(t))
	case way == 3 && fit && !recurs && !end.at.Before(start.at) && start.saysInstant() && end.saysInstant():
		e.Start.TimeZone = ZoneName.Draw(t, "zone")
		e.End.TimeZone = e.Start.TimeZone
	case way == 4 && recurs && stored.EventType != constraint.TypeBirthday:
		e.Recurrence = nil
	case stored.RecurringEventID == "" && stored.OriginalStartTime == nil:
		drawTimesIn(t, e, allDay)
	default:
		span, until := drawSpan(t, allDay)
		e.Start, e.End, e.Recurrence = span.Time, until.Time, nil
	}
}

// canChange reports whether a stored conference may change. A conference of an unknown type must not change.
func canChange(d *conference.Data) bool {
	if d == nil || d.Solution == nil {
		return true
	}
	return d.Solution.Key != nil && constraint.ConferenceType.Has(d.Solution.Key.Type)
}
