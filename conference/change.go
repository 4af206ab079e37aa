package conference

import (
	"cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
)

// Change describes the change that a request makes to an event's conference data. The zero value changes nothing.
type Change struct {
	// On is the operation. For [diag.Response], Next is a representation that a server returned.
	On diag.When

	Dialect diag.Dialect

	// IsGo reports whether Sent was built in Go rather than decoded from JSON. A value built in Go uses the documents'
	// names in every dialect.
	IsGo bool

	// Stored is the data before the request. Stored is nil if the event is new or without conference data.
	Stored *Data

	// Unknown reports whether the stored data is unknown because the caller did not supply the event. If Unknown is set, Check
	// reports only faults that do not depend on the stored data. A nil Stored cannot express that the data is unknown, because nil
	// means that there is no stored data.
	Unknown bool

	// Sent is the conferenceData member of the request body before a patch is merged, or nil if it is the same as Next. Sent
	// distinguishes a create request that the client sent again from a create request that Next inherits from Stored.
	Sent *Data

	// Present reports whether the body contains the conferenceData member, even if the member is null. At version 0, only
	// data that was sent is reported as ignored.
	Present bool

	// Next is the data in the body or, for a patch, the result of merging the data with Stored. Next is nil if no data would
	// remain. For a response, Next is the representation.
	Next *Data

	// Version is the conferenceDataVersion parameter: 0, the default, keeps Stored, and 1 stores Next. Version is
	// ignored for a response.
	Version int

	// Cancelled reports whether the represented event is cancelled. A cancelled event may lack members.
	Cancelled bool
}

// Check checks the change against the rules of this package. Check returns at most 1,001 findings, whose paths are
// relative to the conference data.
//
//   - At version 0, Next has no effect, and the only possible finding reports that Next is ignored.
//   - A write that changes nothing is never refused, regardless of the stored data, so a client can send back the data
//     that it received.
//   - If the stored conference has an unknown type, every change is refused with one finding.
//   - For any other change, the rules apply to Next. Absent data is always allowed. If a rule rejects the data, cases
//     that the documents leave open are not reported.
func (c Change) Check() diag.Findings {
	if c.Stored == nil && c.Next == nil && c.Sent == nil && !c.Present {
		return nil // most requests contain no conference data
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
		tables().data.CheckConstraints(object.Checking{On: c.On, Report: &in.report, Partial: in.partial()}, c.Next, nil, "", object.All)
	}
	in.run(aboutData)
	if !c.On.Has(diag.Write) || !in.report.Refused {
		in.run(aboutSilence)
	}
	found := in.report.Findings
	*in = input{} // so that the pool does not retain events
	return found
}

func (c *Change) state() state {
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

// Apply returns the data that the service stores for a change that [Change.Check] does not refuse. At version 0, Apply
// returns Stored. At version 1, Apply returns Next, with these exceptions:
//
//   - a new create request is pending, because the service generates conferences asynchronously;
//   - if the stored data is unknown, the create request may not be new, so its status remains as sent;
//   - a create request with the stored requestId is ignored, and the stored create request is kept, with its read-only status;
//   - the signature of the stored conference is kept, unless another conference replaces it;
//   - the status of a create request that contradicts the other data is not kept.
//
// The result may be Stored or Next, or share memory with them, so clone the result before modifying it. The result is nil if
// the service stores no data.
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
	isMalformed := request.Status != nil && request.Status.isUnknown() // possible only if the stored data is unknown
	if isMalformed || !c.unchanged() && next.contradicts(request.status()) {
		request.Status = nil
	}
	next.CreateRequest = request
	return next
}

// clashes reports whether a client writes a conference although the stored create request failed or is pending, or
// clears the conference although the create request succeeded.
func (c *Change) clashes() bool {
	if !c.repeats() || tables().data.ChangedValue(c.Stored, c.Next, tables().madeMembers) == 0 {
		return false
	}
	code := c.Stored.CreateRequest.status()
	return c.Next.contradicts(code) || code == constraint.RequestPending && (len(c.Next.EntryPoints) > 0 || c.Next.Solution != nil)
}

// requestsBeside reports whether there is a new create request in addition to a conference, sent or stored.
func (c *Change) requestsBeside() bool {
	return !c.Unknown && c.creates() && (len(c.Next.EntryPoints) > 0 || c.Next.Solution != nil)
}

// kept returns Next, with the stored signature if Next is the stored conference. Only the service signs conferences.
func (c *Change) kept() *Data {
	if !c.persists() || c.Stored == nil || c.Next == nil || c.Stored.Signature == c.Next.Signature || !c.isSameConference() {
		return c.Next
	}
	kept := new(*c.Next)
	tables().data.Copy(kept, c.Stored, tables().signatureMember)
	return kept
}

// isSameConference reports whether Next is the stored conference: whether it has the same id or, without an id, the same
// solution and entry points. A complete copy of a different conference is not the stored conference.
func (c *Change) isSameConference() bool {
	if c.Stored.ID != "" && c.Stored.ID == c.Next.ID {
		return true
	}
	hasNone := c.Next.Solution == nil && len(c.Next.EntryPoints) == 0
	return (c.Stored.ID == c.Next.ID || hasNone) && tables().data.ChangedValue(c.Stored, c.Next, tables().conferenceMembers) == 0
}

// persists reports whether the request may change the stored data.
func (c *Change) persists() bool { return c.Version >= 1 }

// unchanged reports whether Next is the same as Stored, except for the status of a create request.
func (c *Change) unchanged() bool {
	if c.Stored == c.Next || c.Stored == nil || c.Next == nil {
		return c.Stored == c.Next
	}
	switch tables().data.ChangedText(c.Stored, c.Next, object.All) {
	case 0:
		return true
	case tables().createRequestMember:
		stored, request := c.Stored.CreateRequest, c.Next.CreateRequest
		return stored != nil && request != nil && tables().request.ChangedText(stored, request, ^tables().statusMember) == 0
	default:
		return false
	}
}

// locked reports whether the stored conference has an unknown or empty type, and therefore cannot be changed.
func (c *Change) locked() bool { return c.Stored.HasUnknownType() }

// HasUnknownType reports whether the conference has a solution whose type is unknown or empty.
func (d *Data) HasUnknownType() bool {
	s := d.solution()
	return s != nil && !constraint.ConferenceType.Has(s.typ())
}

// repeats reports whether the create requests in Next and Stored have the same id, in which case Next creates nothing.
func (c *Change) repeats() bool {
	stored, request := c.Stored.request(), c.Next.request()
	return stored != nil && request != nil && stored.RequestID == request.RequestID
}

// creates reports whether Next contains a new create request.
func (c *Change) creates() bool { return c.Next.request() != nil && !c.repeats() }

// resends reports whether the body repeats the stored create request without the status that the service added. A client that
// also sends the status has merely sent back the stored request.
func (c *Change) resends() bool {
	stored, request := c.Stored.request(), c.Sent.request()
	return stored != nil && request != nil && stored.RequestID == request.RequestID &&
		stored.Status != nil && request.Status == nil
}

// contradicts reports whether d disagrees with the status of its create request: success requires entry points, and failure
// requires that there is no conference.
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
