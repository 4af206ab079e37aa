package conference

import (
	"cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
)

// Change is the change that a request makes to the conference data of an event. The zero value changes
// nothing.
type Change struct {
	// On is the operation; on [diag.Response], Next is a representation.
	On diag.When

	Dialect diag.Dialect

	// IsGo reports whether Sent is a Go value that was not decoded, which has the documents' names in every dialect.
	IsGo bool

	// Stored is the data before the request. It is nil if there is none: the event is new or has no conference data.
	Stored *Data

	// Unknown reports whether the stored data is unknown, because the caller did not supply the event. Then Check reports
	// only faults that do not depend on the stored data. It is a bool because a new event and an event without
	// conference data are the same here: both have a nil Stored that is known.
	Unknown bool

	// Sent is the member conferenceData of the body, before a patch is merged. It distinguishes a create request that the
	// body sends again from one that Next has only from Stored. Nil means Next.
	Sent *Data

	// Present reports whether the body has the member conferenceData, even as null. At version 0 only sent data is reported
	// as ignored.
	Present bool

	// Next is the data that the body alone would result in; for a patch, merged with Stored. It is nil if there would be
	// none. For a response it is the representation.
	Next *Data

	// Version is the parameter conferenceDataVersion: 0, the default, keeps Stored, and 1 stores Next.
	// It has no meaning for a response.
	Version int

	// Cancelled reports whether the event of a representation is cancelled, so that members may be missing.
	Cancelled bool
}

// Check checks the rules of this package. The paths of the findings are relative to the data. There are at most 1,001.
//
//   - At version 0 Next has no effect, and the only finding says so.
//   - A write that changes nothing is never refused, whatever is stored, so a client can send back
//     the data that it received.
//   - If the stored conference has an unknown type, every change is refused with one finding.
//   - Otherwise the rules apply to Next. Absent data is always allowed. If a rule rejects, points that the documents leave
//     open are not reported.
func (c Change) Check() diag.Findings {
	if c.Stored == nil && c.Next == nil && c.Sent == nil && !c.Present {
		return nil // as in most requests
	}
	in := inputs.Get().(*input)
	defer inputs.Put(in)
	*in = input{Change: c, report: engine.Part(c.Dialect)}
	in.report.IsGo = c.IsGo
	in.Sent = cmp.Or(c.Sent, c.Next)
	if c.On.Has(diag.Write) {
		in.Next = c.kept()
	}
	in.state = in.Change.state()
	if in.state == effective {
		dataTable.CheckConstraints(object.Checking{On: c.On, Report: &in.report, Partial: in.partial()}, c.Next, nil, "", object.All)
	}
	engine.Run(aboutData, c.On, in, &in.report, "")
	if !c.On.Has(diag.Write) || !in.report.Refused {
		engine.Run(aboutSilence, c.On, in, &in.report, "")
	}
	found := in.report.Findings
	*in = input{} // the pool keeps no events
	return found
}

func (c Change) state() state {
	write := c.On.Has(diag.Write)
	switch {
	case write && !c.persists():
		return ignored
	case write && c.unchanged():
		return unchanged
	case write && c.locked():
		return locked
	case c.Next == nil:
		return empty
	default:
		return effective
	}
}

// Apply returns the data that the service stores for a change that [Change.Check] does not refuse: Stored at
// version 0. At version 1 it is Next, but
//
//   - a new create request is pending, because a conference is generated asynchronously;
//   - of an unknown event it may be the stored one, so its status stays as it was sent;
//   - a create request with the requestId of the stored one is ignored, and the stored one stays,
//     with its read-only status;
//   - the signature of the stored conference stays, unless another conference replaces it;
//   - the status of a create request that contradicts the other data is not kept.
//
// The result may be Stored or Next, or share memory with them: clone it before you write to it. It is nil if nothing is
// stored.
func (c Change) Apply() *Data {
	if !c.persists() {
		return c.Stored
	}
	if c.Next = c.kept(); c.Next.request() == nil {
		return c.Next
	}
	next, request := new(*c.Next), new(*c.Next.CreateRequest)
	switch {
	case c.repeats():
		*request = *c.Stored.CreateRequest
	case !c.Unknown:
		request.Status = &Status{Code: constraint.RequestPending}
	}
	isMalformed := request.Status != nil && request.Status.isUnknown() // of an unknown event
	if isMalformed || !c.unchanged() && next.contradicts(request.status()) {
		request.Status = nil
	}
	next.CreateRequest = request
	return next
}

// clashes reports whether a client writes a conference although the stored create request failed or is pending, or
// clears the conference although the create request succeeded.
func (c Change) clashes() bool {
	if !c.repeats() || dataTable.ChangedValue(c.Stored, c.Next, madeMembers) == 0 {
		return false
	}
	code := c.Stored.CreateRequest.status()
	return c.Next.contradicts(code) || code == constraint.RequestPending && (len(c.Next.EntryPoints) > 0 || c.Next.Solution != nil)
}

// requestsBeside reports whether there is a new create request in addition to a conference, sent or stored.
func (c Change) requestsBeside() bool {
	return !c.Unknown && c.creates() && (len(c.Next.EntryPoints) > 0 || c.Next.Solution != nil)
}

// kept returns Next with the signature of the stored conference, if it is the same conference: only the service signs it.
func (c Change) kept() *Data {
	if !c.persists() || c.Stored == nil || c.Next == nil || c.Stored.Signature == c.Next.Signature || !c.isSameConference() {
		return c.Next
	}
	kept := new(*c.Next)
	dataTable.Copy(kept, c.Stored, signatureMember)
	return kept
}

// isSameConference reports whether Next is the stored conference, which has the same id or, without an id, the same solution
// and entry points. A conference that is copied whole replaces it.
func (c Change) isSameConference() bool {
	if c.Stored.ID != "" && c.Stored.ID == c.Next.ID {
		return true
	}
	hasNone := c.Next.Solution == nil && len(c.Next.EntryPoints) == 0
	return (c.Stored.ID == c.Next.ID || hasNone) && dataTable.ChangedValue(c.Stored, c.Next, conferenceMembers) == 0
}

// persists reports whether the request may change the stored data.
func (c Change) persists() bool { return c.Version >= 1 }

// unchanged reports whether Next is the same as Stored, except for the status of a create request.
func (c Change) unchanged() bool {
	if c.Stored == nil || c.Next == nil {
		return c.Stored == c.Next
	}
	switch dataTable.ChangedText(c.Stored, c.Next, object.All) {
	case 0:
		return true
	case createRequestMember:
		stored, request := c.Stored.CreateRequest, c.Next.CreateRequest
		return stored != nil && request != nil && requestTable.ChangedText(stored, request, ^statusMember) == 0
	default:
		return false
	}
}

// locked reports whether the type of the stored conference, an unknown or empty one, forbids changes.
func (c Change) locked() bool { return c.Stored.HasUnknownType() }

// HasUnknownType reports whether the conference has a type that is not listed.
func (d *Data) HasUnknownType() bool {
	s := d.solution()
	return s != nil && !constraint.ConferenceType.Has(s.typ())
}

// repeats reports whether the create requests of Next and Stored have the same id, so that Next creates nothing.
func (c Change) repeats() bool {
	stored, request := c.Stored.request(), c.Next.request()
	return stored != nil && request != nil && stored.RequestID == request.RequestID
}

// creates reports whether Next has a new create request.
func (c Change) creates() bool { return c.Next.request() != nil && !c.repeats() }

// resends reports whether the body has the create request of Stored without the status that the service gave it, as a
// client would write it. With the status, the client only read it and sent it back.
func (c Change) resends() bool {
	stored, request := c.Stored.request(), c.Sent.request()
	return stored != nil && request != nil && stored.RequestID == request.RequestID &&
		stored.Status != nil && request.Status == nil
}

// contradicts reports whether d disagrees with the status of its create request: after success there are entry points,
// and after failure there is no conference.
func (d *Data) contradicts(status string) bool {
	switch status {
	case constraint.RequestSuccess:
		return len(d.EntryPoints) == 0
	case constraint.RequestFailure:
		return len(d.EntryPoints) > 0 || d.Solution != nil || d.Signature != ""
	default:
		return false
	}
}
