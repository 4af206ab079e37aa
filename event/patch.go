package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
)

// Patch returns the event that a merge patch (RFC 7396) makes of a stored one: what the patch
// specifies replaces what is stored, objects and maps merge member by member, arrays are
// replaced whole, and null clears. The patch is one JSON object; the error tells of everything
// that is wrong with it as JSON or by its types. stored is not written to, and the result
// shares nothing with it.
//
// It merges, and asks no rule: what a client may not write is merged as well. [Check] with
// events.patch does both.
func Patch(stored *Event, patch []byte) (*Event, error) {
	var sent Event
	if err := eventTable.Unmarshal(patch, &sent); err != nil {
		return nil, err
	}
	merged := stored.orZero().Clone()
	eventTable.Merge(merged, &sent)
	return merged, nil
}

// Update returns the event that an update makes of a stored one: next as a whole, but for what
// a client cannot write, which stays as it is stored, and for identities and immutable members
// that next leaves out. Neither is written to, and the result shares nothing with them.
//
// It asks no rule, and takes the request for one with conferenceDataVersion=1 and without
// eventLabelVersion: [Check] with events.update does the rest.
func Update(stored, next *Event) *Event {
	in := input{
		change: change{on: diag.Update, hasStored: true, stored: stored.orZero(), sent: next.orZero()},
		req:    new(Request),
	}
	in.flags.ConferenceDataVersion, in.flags.EventLabelVersion = 1, 0
	in.prepare()
	return in.result
}

// MergeJSON appends to dst the JSON value that a merge patch makes of a stored one (RFC 7396),
// and returns the longer slice. It works on any JSON values, keeps the order of members, and
// copies what the patch does not touch as it is written. stored may be empty for no value. The
// error tells of text that is not JSON, repeats a member name or is nested too deeply; dst is
// then as it was.
func MergeJSON(dst, stored, patch []byte) ([]byte, error) {
	return object.MergeJSON(dst, stored, patch)
}

// Diff returns the places in which two events differ, in the order of the document: objects
// and maps member by member, arrays of one length element by element, and everything else as a
// whole. A member that is absent, null or its type's zero value is one and the same.
func Diff(a, b *Event) []diag.Pointer {
	var places []diag.Pointer
	eventTable.Diff(a.orZero(), b.orZero(), "", func(p diag.Pointer) { places = append(places, p) })
	return places
}
