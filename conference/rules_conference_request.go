package conference

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

var requestID = diag.Rule{
	ID: "conference.request.id", Kind: diag.Reject, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent,
	Reads:   []string{"conferenceData.createRequest.requestId"},
	Summary: "A createRequest must have a nonempty requestId.",
	Section: section,
	Why: "The requestId tells the service whether a request is new; without it, a retry would create a second conference. The rule does " +
		"not apply to a stored createRequest that is sent back unchanged.",
	Says:  diag.Sentences{{Key: "missing", Text: "The createRequest has no requestId. Send a new requestId with every createRequest."}},
	Good:  asking{"r-1", "videoMeet"},
	Bad:   asking{"", "videoMeet"},
	Check: in(effective, checkRequestID),
}

func checkRequestID(c *input, r engine.Reporter) {
	request := c.Next.CreateRequest
	switch stored := c.Stored.request(); {
	case request == nil || request.RequestID != "":
	case c.partial() && !request.extra.WasSent("requestId") && !c.Sent.request().clears("requestId"): // the member may be stored
	case stored != nil && stored.asksTheSame(request):
	default:
		r.Report("/createRequest/requestId", "missing")
	}
}

var requestIDRepeated = diag.Rule{
	ID: "conference.request.id-repeated", Kind: diag.Ignore, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:   []string{"conferenceData.createRequest", "conferenceData.createRequest.requestId", "conferenceData.createRequest.status"},
	Summary: "A new createRequest must have a new requestId.",
	Section: section,
	Why: "A client that repeats the id after a failure, or to ask for another type, gets no conference. A createRequest with the stored " +
		"status was only read and sent back, so it is not reported; a createRequest without the status, or with other contents, comes " +
		"from a client that wants a conference.",
	Says:  diag.Sentences{{Key: "repeated", Text: "The requestId is the same as in the previous createRequest, so the service ignores this createRequest. To ask again, send a new requestId.", Fix: diag.Proposal{None: true}}},
	Good:  patch{failed, createRequest("r-2", "addOn")},
	Bad:   patch{failed, createRequest("r-1", "addOn")},
	Check: in(unchanged|effective, checkRequestIDRepeated),
}

func checkRequestIDRepeated(c *input, r engine.Reporter) {
	if !c.repeats() || c.Next.CreateRequest.RequestID == "" {
		return
	}
	if c.resends() || !c.Stored.CreateRequest.asksTheSame(c.Next.CreateRequest) {
		r.Report("/createRequest/requestId", "repeated")
	}
}

var requestPending = diag.Rule{
	ID: "conference.request.pending", Describes: diag.Effect, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"conferenceData.createRequest.status.statusCode"},
	Summary: "A new createRequest that is accepted is pending.",
	Section: section,
	Why: "The service generates the conference asynchronously. A status that the client sends has no effect, because the status is " +
		"read-only.",
	Good: sample.Answered(asking{"r-1", "videoMeet"},
		`{"event":{"conferenceData":{"createRequest":{"requestId":"r-1","status":{"statusCode":"pending"}}}}}`),
	Bad: sample.Answered(patch{failed, `"notes":"Dial in from 8:55."`},
		`{"event":{"conferenceData":{"createRequest":{"requestId":"r-1","status":{"statusCode":"failure"}}}}}`),
}

var requestStatus = diag.Rule{
	ID: "conference.request.status", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads: []string{
		"conferenceData.createRequest.status.statusCode", "conferenceData.entryPoints",
		"conferenceData.conferenceSolution", "conferenceData.signature",
	},
	Summary: "The statusCode must be pending, success with entry points, or failure without a conference.",
	Section: section,
	Why: "The statusCode tells clients whether there is a conference to join. After a failure, entryPoints, conferenceSolution and " +
		"signature are unset. While a request is pending, the signature is optional. Without a status, nothing is checked. A cancelled " +
		"event need not have entry points, because only its identity is guaranteed.",
	Says: diag.Sentences{
		{Key: "one-of", Text: "The statusCode is {value}; it must be {limit}."},
		{Key: "success", Text: "The statusCode is success, but the conference has no entry points. Send at least one."},
		{Key: "entry-points", Text: "The statusCode is failure, but the conference has {n|entry point|entry points}. Leave entryPoints out."},
		{Key: "solution", Text: "The statusCode is failure, but conferenceSolution is set. Leave it out."},
		{Key: "signature", Text: "The statusCode is failure, but signature is set. Leave it out."},
	},
	Good:  response{succeeded, meet, joinable},
	Bad:   response{succeeded, meet},
	Check: in(effective, checkRequestStatus),
}

func checkRequestStatus(c *input, r engine.Reporter) {
	request := c.Next.CreateRequest
	if request == nil || request.Status == nil {
		return
	}
	switch code := request.Status.Code; {
	case request.Status.isUnknown():
		r.Report("/createRequest/status/statusCode", "one-of", diag.Value("value", code), constraint.CreateRequestStatus.Limit("limit"))
	case code == constraint.RequestSuccess && c.Next.contradicts(code) && !c.Cancelled:
		r.Report("/entryPoints", "success")
	case code == constraint.RequestFailure:
		checkFailed(c.Next, r)
	}
}

// checkFailed reports the members that a failed request must leave unset.
func checkFailed(d *Data, r engine.Reporter) {
	if n := len(d.EntryPoints); n > 0 {
		r.Report("/entryPoints", "entry-points", diag.Number("n", n))
	}
	if d.Solution != nil {
		r.Report("/conferenceSolution", "solution")
	}
	if d.Signature != "" {
		r.Report("/signature", "signature")
	}
}

// isUnknown reports whether an unknown status code was sent.
func (s *Status) isUnknown() bool {
	return !constraint.CreateRequestStatus.Has(s.Code) && (s.Code != "" || s.extra.WasSent("statusCode"))
}

var requestUnspecified = diag.Rule{
	ID: "conference.request.unspecified", Kind: diag.Unspecified, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads: []string{"conferenceData.createRequest.requestId", "conferenceData.createRequest.status.statusCode"},
	Summary: "The documents do not show how the status of a createRequest changes, or the effect of a conference that a client sends " +
		"with a createRequest.",
	Section: "calendar.md, States and transitions",
	Why: "For example, the caller decides whether a failure can become a success. A createRequest with another requestId is another " +
		"request, so its status is not a transition; a status that a client sends is not a transition either, because the status is " +
		"read-only. The library keeps a conference that is sent with a new createRequest, a conference that is sent while the stored " +
		"createRequest is pending or has failed, and the removal of entry points that a createRequest created. A status that contradicts " +
		"the data is not kept.",
	Says: diag.Sentences{
		{Key: "beside", Text: "The event has a conference and a new createRequest, and the outcome is not specified. Both are kept, and the caller decides."},
		{Key: "removed", Text: "The request removes the entry points of a createRequest with the statusCode success, and the effect on that createRequest is not specified. " +
			"The removal is kept, and the caller decides about the createRequest."},
		{Key: "clash", Text: "The stored createRequest has the statusCode {stored}. Its effect on this conference is not specified. " +
			"The conference is kept, and the caller decides about the request."},
		{Key: "transition", Text: "The statusCode changes from {was} to {value}, a transition that is not specified. The caller decides."},
	},
	Good:  represented{[]string{succeeded, meet, joinable}, []string{succeeded, meet, joinable}},
	Bad:   represented{[]string{succeeded, meet, joinable}, []string{pending}},
	Check: in(effective, checkRequestUnspecified),
}

func checkRequestUnspecified(c *input, r engine.Reporter) {
	switch {
	case c.On != diag.Response:
		switch {
		case c.requestsBeside():
			r.Report("", "beside")
		case c.clashes() && c.Stored.CreateRequest.status() == constraint.RequestSuccess:
			r.Report("", "removed")
		case c.clashes():
			r.Report("", "clash", diag.Plain("stored", c.Stored.CreateRequest.status()))
		}
		return
	case !c.repeats():
		return
	}
	from, to := c.Stored.CreateRequest.status(), c.Next.CreateRequest.status()
	if from != "" && to != "" && from != to {
		r.Report("/createRequest/status/statusCode", "transition", diag.Value("was", from), diag.Value("value", to))
	}
}
