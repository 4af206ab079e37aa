package conference

import (
	"cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
)

// Change is what a request does to the conference data of an event. The zero value changes
// nothing.
type Change struct {
	// On is the operation; on [diag.Response], New is a representation.
	On diag.When

	Dialect diag.Dialect

	// IsGo says that Body is a Go value that was not decoded: it has the documents' names in each dialect.
	IsGo bool

	// Old is the stored data; nil if there is none or the event is new.
	Old *Data

	// New is the data that the body alone would result in; for a patch, merged with Old. It is
	// nil if there would be none. For a response it is the representation.
	New *Data

	// Body is the member conferenceData of the body, before a patch is merged. It distinguishes a create request that
	// the body sends again from a create request that New only has from Old. Nil means New.
	Body *Data

	// Unknown says that the stored data is unknown, because the caller did not supply the event. Then Check reports
	// only faults that do not depend on the stored data.
	Unknown bool

	// Sent says that the body has the member conferenceData. At version 0 only data that was sent
	// is reported as ignored.
	Sent bool

	// Version is the parameter conferenceDataVersion: 0, the default, keeps Old, and 1 stores New.
	// It has no meaning for a response.
	Version int

	// Cancelled says that the event of a representation is cancelled, so that members may be missing.
	Cancelled bool
}

// Check checks the rules of this package. The paths of the findings begin at the data. There are at most 1,001.
//
//   - At version 0 New has no effect, and the only finding says so.
//   - A write that changes nothing is never refused, whatever is stored, so a client can send back
//     the data that it received.
//   - If the stored conference has an unknown type, every change is refused with one finding.
//   - Otherwise the rules apply to New. Absent data is always allowed. If one of them rejects, it is not reported what the
//     documents leave open about the data.
func (c Change) Check() diag.Findings {
	if c.Old == nil && c.New == nil && c.Body == nil && !c.Sent {
		return nil // as in most requests
	}
	in := inputs.Get().(*input)
	defer inputs.Put(in)
	*in = input{Change: c, report: engine.Part(c.Dialect)}
	in.report.IsGo = c.IsGo
	in.Body = cmp.Or(c.Body, c.New)
	if c.On.Has(diag.Write) {
		in.New = c.kept()
	}
	in.state = in.Change.state()
	if in.state == effective {
		dataTable.CheckConstraints(object.Checking{On: c.On, Report: &in.report, Partial: in.partial()}, c.New, nil, "", object.All)
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
	case c.New == nil:
		return empty
	default:
		return effective
	}
}

// Apply returns the data that the service stores for a change that [Change.Check] does not refuse: Old at
// version 0. At version 1 it is New, but
//
//   - a new create request is pending, because a conference is generated asynchronously;
//   - of an unknown event it may be the stored one, so it has no status;
//   - a create request with the requestId of the stored one is ignored, and the stored one stays,
//     with its read-only status;
//   - the signature of the stored conference stays, unless another conference replaces it;
//   - the status of a create request that contradicts the other data is not kept.
//
// The result may be Old or New, or share memory with them: clone it before you write to it. It is nil if nothing is
// stored.
func (c Change) Apply() *Data {
	if !c.persists() {
		return c.Old
	}
	if c.New = c.kept(); c.New.request() == nil {
		return c.New
	}
	stored, request := new(*c.New), new(*c.New.CreateRequest)
	switch {
	case c.repeats():
		*request = *c.Old.CreateRequest
	case c.Unknown:
		request.Status = nil
	default:
		request.Status = &Status{Code: constraint.RequestPending}
	}
	if !c.unchanged() && stored.contradicts(request.status()) {
		request.Status = nil
	}
	stored.CreateRequest = request
	return stored
}

// clashes reports whether a client writes a conference although the stored create request failed or is pending, or
// clears the conference although the create request succeeded.
func (c Change) clashes() bool {
	if !c.repeats() || dataTable.ChangedValue(c.Old, c.New, madeMembers) == 0 {
		return false
	}
	code := c.Old.CreateRequest.status()
	return c.New.contradicts(code) || code == constraint.RequestPending && (len(c.New.EntryPoints) > 0 || c.New.Solution != nil)
}

// requestsBeside reports whether there is a conference, be it the stored one, beside a new create request.
func (c Change) requestsBeside() bool {
	return !c.Unknown && c.creates() && (len(c.New.EntryPoints) > 0 || c.New.Solution != nil)
}

// kept returns New with the signature of the stored conference, if it is the same conference: only the service signs it.
func (c Change) kept() *Data {
	if !c.persists() || c.Old == nil || c.New == nil || c.Old.Signature == c.New.Signature || !c.isSameConference() {
		return c.New
	}
	kept := new(*c.New)
	dataTable.Copy(kept, c.Old, signatureMember)
	return kept
}

// isSameConference reports whether New is the stored conference, which has the same id or, without an id, the same solution
// and entry points. A conference that is copied whole replaces it.
func (c Change) isSameConference() bool {
	if c.Old.ID != "" && c.Old.ID == c.New.ID {
		return true
	}
	hasNone := c.New.Solution == nil && len(c.New.EntryPoints) == 0
	return (c.Old.ID == c.New.ID || hasNone) && dataTable.ChangedValue(c.Old, c.New, conferenceMembers) == 0
}

// persists reports whether the request may change the stored data.
func (c Change) persists() bool { return c.Version >= 1 }

// unchanged reports whether New is the same as Old, except for the status of a create request.
func (c Change) unchanged() bool {
	if c.Old == nil || c.New == nil {
		return c.Old == c.New
	}
	switch dataTable.ChangedText(c.Old, c.New, object.All) {
	case 0:
		return true
	case createRequestMember:
		old, request := c.Old.CreateRequest, c.New.CreateRequest
		return old != nil && request != nil && requestTable.ChangedText(old, request, ^statusMember) == 0
	default:
		return false
	}
}

// locked reports whether the type of the stored conference, an unknown or empty one, forbids changes.
func (c Change) locked() bool {
	stored := c.Old.solution()
	return stored != nil && !constraint.ConferenceType.Has(stored.typ())
}

// repeats reports whether the create requests of New and Old have the same id, so that New creates nothing.
func (c Change) repeats() bool {
	old, request := c.Old.request(), c.New.request()
	return old != nil && request != nil && old.RequestID == request.RequestID
}

// creates reports whether New has a new create request.
func (c Change) creates() bool { return c.New.request() != nil && !c.repeats() }

// resends reports whether the body has the create request of Old without the status that the
// service gave it, as a client would write it. With the status it was only read and sent back.
func (c Change) resends() bool {
	old, request := c.Old.request(), c.Body.request()
	return old != nil && request != nil && old.RequestID == request.RequestID &&
		old.Status != nil && request.Status == nil
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
