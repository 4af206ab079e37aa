package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
)

// Patch returns the result of applying a merge patch (RFC 7396) to a stored event: members of the
// patch replace stored ones, objects and maps merge member by member, arrays are replaced as a
// whole, and null clears a member. The patch is one JSON object. The error lists every problem of
// its JSON and its types. Patch does not write to stored, and the result shares nothing with it.
//
// Patch checks no rule, and merges members that a client cannot write too. Use [Check] with
// events.patch for both.
func Patch(stored *Event, patch []byte) (*Event, error) {
	var sent Event
	if err := eventTable.Unmarshal(patch, &sent); err != nil {
		return nil, err
	}
	merged := stored.orZero().Clone()
	eventTable.Merge(merged, &sent)
	return merged, nil
}

// Update returns the result of an update of a stored event: next, with the stored values of members
// that a client cannot write, and of ids and immutable members that next leaves out. Update does not
// write to the events, and the result shares nothing with them.
//
// Update checks no rule. It assumes conferenceDataVersion=1 and eventLabelVersion=0. Use [Check]
// with events.update for the rest.
func Update(stored, next *Event) *Event {
	in := input{
		change: change{on: diag.Update, hasStored: true, stored: stored.orZero(), sent: next.orZero()},
		req:    new(Request),
	}
	in.flags.ConferenceDataVersion, in.flags.EventLabelVersion = 1, 0
	in.prepare()
	return in.result
}

// MergeJSON appends the result of applying a merge patch (RFC 7396) to a stored JSON value to dst and
// returns the extended slice. It accepts any JSON values, keeps the order of members, and copies
// what the patch does not change verbatim. stored is empty if there is no value. The error reports
// text that is not JSON, repeats a member name or is nested too deeply; dst is unchanged then.
func MergeJSON(dst, stored, patch []byte) ([]byte, error) {
	return object.MergeJSON(dst, stored, patch)
}

// Diff returns the paths at which two events differ, in the order of the document. It compares
// objects and maps member by member, arrays of the same length element by element, and everything
// else as a whole. An absent member equals one that is null or the zero value of its type.
func Diff(a, b *Event) []diag.Pointer {
	var places []diag.Pointer
	eventTable.Diff(a.orZero(), b.orZero(), "", func(p diag.Pointer) { places = append(places, p) })
	return places
}
