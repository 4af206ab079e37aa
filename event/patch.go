package event

import (
	"encoding/json"
	"fmt"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonmerge"
	"github.com/calrules/calrules/internal/object"
)

// AfterPatch returns the result of applying a merge patch (RFC 7396) to a stored event: members of the
// patch replace stored ones, objects and maps merge member by member, arrays are replaced as a
// whole, and null clears a member. The patch is one JSON object with the names of the dialect, such as
// [Event.AppendIn] writes; [Event.Clear] sets members of a Go value to null. The error, a [*diag.Error],
// lists every problem of its JSON and its types, and every name of the other dialect. AfterPatch does not write to e. The result shares with e what the
// patch does not change: clone it before you write to more than its own fields.
//
// AfterPatch checks no rule, and merges members that a client cannot write too. Use [Check] with
// events.patch for both.
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

// AfterUpdate returns the result of an update of a stored event: next, with the stored values of members
// that a client cannot write, and of ids and immutable members that next leaves out. AfterUpdate does not
// write to the events, and the result shares nothing with them.
//
// AfterUpdate checks no rule. It assumes conferenceDataVersion=1 and eventLabelVersion=0. Use [Check]
// with events.update for the rest.
func (e *Event) AfterUpdate(next *Event) *Event { return applied(diag.Update, e, next).Clone() }

// applied returns the event that an update or a patch makes of a stored event.
func applied(on diag.When, stored, sent *Event) *Event {
	in := input{
		change: change{on: on, existing: knownEvent, stored: stored.orZero(), sent: sent.orZero()},
		req:    new(Request),
	}
	in.options.ConferenceDataVersion, in.options.EventLabelVersion = 1, 0
	in.prepare()
	return in.next
}

// MergeJSON appends the result of applying a merge patch (RFC 7396) to a stored JSON value to dst and
// returns the extended slice. It accepts any JSON values, keeps the order of members, and copies
// what the patch does not change verbatim. stored is empty if there is no value. The error reports
// text that is not JSON, repeats a member name or is nested too deeply; dst is unchanged then.
func MergeJSON(dst, stored, patch []byte) ([]byte, error) {
	merged, err := jsonmerge.Append(dst, stored, patch)
	if err != nil {
		return dst, fmt.Errorf("event: %w", err)
	}
	return merged, nil
}

// PatchTo returns the smallest merge patch (RFC 7396) that a client can send to turn a stored event into next, with the
// names of the dialect. The patch has null for members that next lacks, and whole arrays. It has nothing that only the service
// writes, or that a patch cannot change, such as the id. A nil event is an empty one.
//
// The differences are what remains between the event that the service then stores and next, as [Event.Diff] returns them:
// what the patch cannot have, and null in an object in which any JSON may stand, since a patch clears with null.
func (e *Event) PatchTo(next *Event, in diag.Dialect) (patch []byte, remain []Difference) {
	stored, next := e.orZero(), next.orZero()
	fixed := immutableMembers | serviceMembers
	if stored.ICalUID != "" {
		fixed |= ofICalUID
	}
	patch = eventTable.AppendPatch(in, nil, stored, next, ^fixed)
	sent, _ := Decode(patch, in)
	return patch, applied(diag.Patch, stored, sent).Diff(next, in)
}

// Difference is a place in which two events differ.
type Difference struct {
	// Path is the place. In an array it has the index in the second event or, of an element that
	// the second event lacks, the index in the first.
	Path diag.Pointer

	// Old and New are the values of the two events as JSON, or nil if the member or the element is
	// absent.
	Old, New json.RawMessage
}

// Diff returns the differences between e and next, in the order of the document. There are none exactly if the events are
// equal, as [Event.Equal] decides. Diff compares objects and maps member by member, and a documented member that is
// absent equals null and the zero value of its type; in an object in which any JSON may stand, null and absence differ.
// Attendees are paired by address or, if one of the two has none, by id; attachments by file; reminders if they are
// equal. If these have another order, the array differs as a whole. So do lines of recurrence, and an object whose
// path is longer than 256 bytes. A nil event is an empty one. The paths and the values have the names of the dialect.
func (e *Event) Diff(next *Event, in diag.Dialect) []Difference {
	var list []Difference
	eventTable.Diff(in, e.orZero(), next.orZero(), func(d object.Difference) { list = append(list, Difference(d)) })
	return list
}
