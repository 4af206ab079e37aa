package event

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonmerge"
	"github.com/calrules/calrules/internal/object"
)

// AfterPatch returns the result of applying a merge patch (RFC 7396) to a stored event: members of the patch replace
// stored ones, objects and maps merge member by member, arrays are replaced as a whole, and null clears a member. The
// patch is one JSON object with the names of the dialect, as [Event.AppendIn] writes it; [Event.Clear] sets members of
// a Go value to null. The error is a [*diag.Error] that lists every syntax error, wrong type and name of the other
// dialect. AfterPatch does not write to e. The result shares unchanged values with e: clone it before writing to
// anything but its own fields.
//
// AfterPatch checks no rules, and also merges members that a client cannot write. Use [Check] with events.patch to
// enforce both.
func (e *Event) AfterPatch(patch []byte, in diag.Dialect) (*Event, error) {
	sent, findings := Decode(patch, in)
	for i := range findings {
		if findings[i].OfOtherDialect() {
			findings[i].Kind = diag.Reject
		}
	}
	if err := findings.Err(); err != nil {
		return nil, err
	}
	merged := new(*e.orZero())
	eventTable.Merge(merged, sent)
	return merged, nil
}

// AfterUpdate returns the result of updating a stored event: next, with the stored values of members that a client
// cannot write and of ids and immutable members that next omits. AfterUpdate does not write to the events, and the
// result shares nothing with them.
//
// AfterUpdate checks no rules. It assumes conferenceDataVersion=1 and eventLabelVersion=0. Use [Check]
// with events.update for the rest.
func (e *Event) AfterUpdate(next *Event) *Event { return applied(diag.Update, e, next).Clone() }

// applied returns the result of applying an update or a patch to a stored event.
func applied(on diag.When, stored, sent *Event) *Event {
	in := input{
		change: change{on: on, existing: knownEvent, stored: stored.orZero(), sent: sent.orZero()},
		req:    new(Request),
	}
	in.options.ConferenceDataVersion, in.options.EventLabelVersion = 1, 0
	in.prepare()
	return in.next
}

// MergeJSON applies a merge patch (RFC 7396) to a stored JSON value, appends the result to dst and returns the extended
// slice. It accepts any JSON values, keeps the order of members, and copies unchanged parts verbatim. stored is empty
// if there is no value. MergeJSON returns an error, and dst unchanged, if a text is not JSON, repeats a member name or
// is nested too deeply.
func MergeJSON(dst, stored, patch []byte) ([]byte, error) {
	merged, err := jsonmerge.Append(dst, stored, patch)
	if err != nil {
		return dst, fmt.Errorf("event: %w", err)
	}
	return merged, nil
}

// PatchTo returns the smallest merge patch (RFC 7396) that a client can send to turn a stored event into next, with the
// names of the dialect. The patch has null for members that next lacks, and whole arrays. It omits members that only
// the service writes or that a patch cannot change, such as the id. A nil event is an empty one.
//
// PatchTo also returns the remaining differences, as by [Event.Diff], between the event that the service then stores
// and next: members that the patch omits, and nulls in an object of arbitrary JSON, since null in a patch clears a
// member. A null that both events have and the patch omits does not differ, although the service stores none.
func (e *Event) PatchTo(next *Event, in diag.Dialect) (patch []byte, remain []Difference) {
	stored, next := e.orZero(), next.orZero()
	fixed := immutableMembers | serviceMembers
	if stored.ICalUID != "" {
		fixed |= ofICalUID
	}
	patch = eventTable.AppendPatch(in, nil, stored, next, ^fixed)
	sent, _ := Decode(patch, in)
	remain = applied(diag.Patch, stored, sent).Diff(next, in)
	if len(remain) == 0 {
		return patch, nil
	}
	merged := new(*stored)
	eventTable.Merge(merged, sent)
	dropped := map[diag.Pointer]string{} // what the service drops of any event
	for _, d := range merged.Diff(applied(diag.Patch, merged, nil), in) {
		dropped[d.Path] = string(d.Old)
	}
	return patch, slices.DeleteFunc(remain, func(d Difference) bool {
		old, isDropped := dropped[d.Path]
		return isDropped && old == string(d.New)
	})
}

// Difference is a difference between two events.
type Difference struct {
	// Path is the location of the difference. In an array it has the index in the second event or, if the second event
	// lacks the element, in the first.
	Path diag.Pointer

	// Old and New are the values in the two events as JSON, or nil if the member or element is absent.
	Old, New json.RawMessage
}

// Diff returns the differences between e and next, in document order. There are none if and only if [Event.Equal]
// reports true. Diff compares objects and maps member by member. An absent documented member equals null and the zero
// value of its type; in an object of arbitrary JSON, null and absence differ. Diff pairs attendees by address or, if
// either lacks one, by id; attachments by file; and reminders by equality. An array whose elements are reordered
// differs as a whole, as do recurrence lines and an object whose path is longer than 256 bytes. A nil event is an empty
// one. The paths and the values have the names of the dialect.
func (e *Event) Diff(next *Event, in diag.Dialect) []Difference {
	var list []Difference
	eventTable.Diff(in, e.orZero(), next.orZero(), func(d object.Difference) { list = append(list, Difference(d)) })
	return list
}
