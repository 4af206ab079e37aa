package event

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonmerge"
	"github.com/calrules/calrules/internal/object"
)

// AfterPatch returns the result of applying a merge patch (RFC 7396) to the stored event e. Members of the patch replace stored
// members, objects and maps are merged member by member, arrays are replaced as a whole, and null clears a member. The patch is
// a JSON object with the names of the given dialect, as written by [Event.AppendIn]; [Event.Clear] sets members of a Go value
// to null. The error is a [*diag.Error] that lists every syntax error, wrong type and name from the other dialect.
// AfterPatch does not modify e. The result shares unchanged values with e, so clone the result before modifying
// anything but its own fields.
//
// AfterPatch does not check any rules, and merges even members that a client cannot write. To check the rules and exclude
// members that a client cannot write, use [Check] with events.patch.
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
	tables().event.Merge(merged, sent)
	return merged, nil
}

// AfterUpdate returns the result of updating the stored event e to next. The result contains the stored values of members that
// a client cannot write, and of ids and immutable members that next omits. AfterUpdate does not modify either event, and the
// result shares no memory with them.
//
// AfterUpdate does not check any rules, and assumes conferenceDataVersion=1 and eventLabelVersion=0. To check the rules
// and use other parameters, use [Check] with events.update.
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

// MergeJSON applies a merge patch (RFC 7396) to a stored JSON value, appends the result to dst and returns the extended slice.
// MergeJSON accepts any JSON values, keeps the order of members, and copies unchanged parts verbatim. An empty stored value
// means that there is no stored value. MergeJSON returns dst unchanged and an error if an argument is not JSON, repeats a
// member name or is nested too deeply.
func MergeJSON(dst, stored, patch []byte) ([]byte, error) {
	merged, err := jsonmerge.Append(dst, stored, patch)
	if err != nil {
		return dst, fmt.Errorf("event: %w", err)
	}
	return merged, nil
}

// PatchTo returns the smallest merge patch (RFC 7396) that a client can send to change the stored event e to next, with the
// names of the given dialect. The patch has null for members that next lacks, and contains changed arrays as a whole. PatchTo
// omits members that only the service writes or that a patch cannot change, such as the id. A nil event is treated as empty.
//
// PatchTo also returns the remaining differences between the event that the service then stores and next, as
// [Event.Diff] returns them. The remaining differences are members that the patch omits, and nulls in an object of
// arbitrary JSON, because null in a patch clears a member. PatchTo does not report a null that the patch omits if both
// events have it, although the service stores no null.
func (e *Event) PatchTo(next *Event, in diag.Dialect) (patch []byte, remain []Difference) {
	stored, next := e.orZero(), next.orZero()
	fixed := tables().immutable | tables().service
	if stored.ICalUID != "" {
		fixed |= ofICalUID
	}
	patch = tables().event.AppendPatch(in, nil, stored, next, ^fixed)
	sent, _ := Decode(patch, in)
	remain = applied(diag.Patch, stored, sent).Diff(next, in)
	if len(remain) == 0 {
		return patch, nil
	}
	merged := new(*stored)
	tables().event.Merge(merged, sent)
	dropped := map[diag.Pointer]string{} // members that the service drops from any event
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
	// Path is the location of the difference. For an array element, Path contains the index in the second event or, if
	// the second event lacks the element, the index in the first event.
	Path diag.Pointer

	// Old and New are the values in the two events as JSON, or nil if the member or element is absent.
	Old, New json.RawMessage
}

// Diff returns the differences between e and next, in document order. There are no differences if and only if
// [Event.Equal] returns true. Diff compares objects and maps member by member. An absent documented member is equal to
// null and to the zero value of its type, but in an object of arbitrary JSON, null and absence differ. Diff pairs
// attendees by address or, if either lacks an address, by id. Diff pairs attachments by file, and reminders by
// equality. Diff reports arrays with reordered elements, recurrence lines, and objects whose paths are longer than 256
// bytes as a whole. A nil event is treated as empty. The paths and values use the names of the given dialect.
func (e *Event) Diff(next *Event, in diag.Dialect) []Difference {
	var list []Difference
	tables().event.Diff(in, e.orZero(), next.orZero(), func(d object.Difference) { list = append(list, Difference(d)) })
	return list
}
