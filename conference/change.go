package conference

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/limits"
)

// Change is what a request does to the conference data of an event. The zero value does
// nothing.
type Change struct {
	// Old is what is stored; nil where there is none, or where the event is new.
	Old *Data

	// New is what the event would have afterwards by the body alone: for a patch, merged
	// with Old. It is nil where there would be none. For a response it is the
	// representation.
	New *Data

	// Body is the member conferenceData of the body, before a patch was merged. It tells a
	// create request that the body sends once more from one that New only has from Old. Nil
	// stands for New.
	Body *Data

	// Partial says that nobody knows what is stored, as for a patch of an event that was not
	// supplied. What New lacks may be there, so no rule says that it is missing.
	Partial bool

	// Sent says that the body has the member conferenceData. At version 0 a member that was
	// not sent is not ignored either.
	Sent bool

	// Version is the parameter conferenceDataVersion: 0, the default, keeps Old, and 1 takes
	// New. It has no meaning for a response.
	Version int
}

// Check puts the rules to a change: those of a write, or, on [diag.Response], those of a
// representation. It reports below base, which is where the data stands in the body.
//
//   - At version 0 nothing of New counts: the only finding says so.
//   - A write that asks for nothing new is never refused, whatever is stored, so that a
//     client can send back what it was given.
//   - A stored conference of an unknown type refuses every other change, with one finding.
//   - Otherwise the rules look at New. No data at all is always allowed.
func Check(on diag.When, c Change, report *diag.Report, base diag.Pointer) {
	state := c.state(on)
	if state == effective {
		dataTable.CheckConstraints(object.Checking{On: on, Report: report, Partial: c.Partial}, c.New, nil, base, object.All)
	}
	diag.Run(rules, on, input{c, state}, report, base)
}

func (c Change) state(on diag.When) state {
	write := on.Has(diag.Write)
	switch {
	case write && !c.persists():
		return ignored
	case write && c.unchanged():
		return unchanged
	case write && c.locked():
		return locked
	case c.New == nil:
		return empty
	default:
		return effective
	}
}

// Apply returns what the service stores for a change that [Check] does not refuse: Old at
// version 0, and New at version 1, where
//
//   - a new create request is pending, since a conference is generated asynchronously;
//   - a create request whose requestId is that of the stored one is ignored: the stored one
//     stays, its read-only status included.
//
// The result shares nothing with Old or New. It is nil where nothing is stored.
func Apply(c Change) *Data {
	if !c.persists() {
		return c.Old.Clone()
	}
	data := c.New.Clone()
	switch {
	case data.request() == nil:
	case c.repeats():
		data.CreateRequest = requestTable.Clone(c.Old.CreateRequest)
	default:
		data.CreateRequest.Status = &Status{Code: pending}
	}
	return data
}

// persists reports whether the request may change what is stored.
func (c Change) persists() bool { return c.Version >= 1 }

// unchanged reports whether the request asks for nothing but what is stored, in the same way.
func (c Change) unchanged() bool {
	if c.Old == nil || c.New == nil {
		return c.Old == c.New
	}
	switch dataTable.Touched(c.Old, c.New) {
	case 0:
		return true
	case createRequestMember:
		old, request := c.Old.CreateRequest, c.New.CreateRequest
		return old != nil && request != nil && requestTable.Touched(old, request)&^statusMember == 0
	default:
		return false
	}
}

// locked reports whether the stored conference is of a type that forbids changes: an unknown
// or an empty one.
func (c Change) locked() bool {
	stored := c.Old.solution()
	return stored != nil && !limits.ConferenceType.Has(stored.typ())
}

// repeats reports whether New has the create request of Old, by its id, so that nothing is
// created.
func (c Change) repeats() bool {
	old, request := c.Old.request(), c.New.request()
	return old != nil && request != nil && old.RequestID == request.RequestID
}

// creates reports whether New has a create request that Old does not have.
func (c Change) creates() bool { return c.New.request() != nil && !c.repeats() }

// resends reports whether the body has the create request of Old as a client makes one:
// without the status that the service gave it. With the status it was only read back.
func (c Change) resends() bool {
	body := c.Body
	if body == nil {
		body = c.New
	}
	old, request := c.Old.request(), body.request()
	return old != nil && request != nil && old.RequestID == request.RequestID &&
		old.Status != nil && request.Status == nil
}
