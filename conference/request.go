package conference

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/limits"
)

var requestID = diag.Rule{
	ID: "conference.request.id", Kind: diag.Reject, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent,
	Summary: "A createRequest has a requestId that is not empty.",
	Section: section,
	Why: "The id is how the service tells a new request from one that it has seen; without it a retry " +
		"would make a second conference. A createRequest that is sent back as it is stored is not asked.",
	Good:  insertExample(createRequest("r-1", "videoMeet")),
	Bad:   insertExample(createRequest("", "videoMeet")),
	Check: in(effective, checkRequestID),
}

func checkRequestID(c Change, r diag.Reporter) {
	request := c.New.CreateRequest
	if request == nil || request.RequestID != "" {
		return
	}
	if c.Partial && !request.extra.WasSent("requestId") {
		return // it may be stored
	}
	if stored := c.Old.request(); stored != nil && stored.asksTheSame(request) {
		return
	}
	r.Report("/createRequest/requestId", "The createRequest has no requestId; give every new request an id of its own.")
}

var requestIDRepeated = diag.Rule{
	ID: "conference.request.id-repeated", Kind: diag.Ignore, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "A createRequest with the requestId of the previous one is ignored.",
	Section: section,
	Why: "Who asks anew after a failure, or for another type, with the id of before gets nothing, and " +
		"should know. The finding is raised where the createRequest asks for something else under the " +
		"stored id, and where it comes as a client makes one, without the status that the service " +
		"gave it. One that is sent back with its status was only read and raises nothing, so that get " +
		"followed by update stays quiet.",
	Good:  patchExample(conferenceData(createRequest("r-1", "videoMeet", failure)), createRequest("r-2", "addOn")),
	Bad:   patchExample(conferenceData(createRequest("r-1", "videoMeet", failure)), createRequest("r-1", "addOn")),
	Check: in(unchanged|effective, checkRequestIDRepeated),
}

func checkRequestIDRepeated(c Change, r diag.Reporter) {
	if !c.repeats() || c.New.CreateRequest.RequestID == "" {
		return
	}
	if c.resends() || !c.Old.CreateRequest.asksTheSame(c.New.CreateRequest) {
		r.Report("/createRequest/requestId", "The requestId is that of the previous createRequest: this one is ignored and the stored one stays. Send a new requestId to ask anew.")
	}
}

var requestPending = diag.Rule{
	ID: "conference.request.pending", Kind: diag.Effect, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "An accepted new createRequest is pending.",
	Section: section,
	Why: "The conference is generated after the answer. A status that the client sends has no effect: " +
		"the member is read-only.",
	Good: answered(insertExample(createRequest("r-1", "videoMeet")),
		`{"accepted":true,"event":{"conferenceData":{"createRequest":{"requestId":"r-1","status":{"statusCode":"pending"}}}}}`),
	Bad: answered(patchExample(conferenceData(createRequest("r-1", "videoMeet", failure)), `"notes":"Dial in from 8:55."`),
		`{"accepted":true,"event":{"conferenceData":{"createRequest":{"requestId":"r-1","status":{"statusCode":"failure"}}}}}`),
}

var requestStatus = diag.Rule{
	ID: "conference.request.status", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "statusCode is pending, success with entry points, or failure without a conference.",
	Section: section,
	Why: "A client decides by the status whether there is something to join. After a failure there are " +
		"no entry points, no conferenceSolution and no signature; while a request is pending the " +
		"signature is optional.",
	Good:  responseExample(createRequest("r-1", "videoMeet", success), meet, entryPoints(videoEntry)),
	Bad:   responseExample(createRequest("r-1", "videoMeet", success), meet),
	Check: in(effective, checkRequestStatus),
}

func checkRequestStatus(c Change, r diag.Reporter) {
	request := c.New.CreateRequest
	if request == nil || request.Status == nil {
		return
	}
	switch code := request.Status.Code; {
	case request.Status.strays():
		r.Report("/createRequest/status/statusCode", "The statusCode is %s; it must be %s.", diag.Quote(code), limits.CreateRequestStatus)
	case code == success && len(c.New.EntryPoints) == 0:
		r.Report("/entryPoints", "The createRequest is a success, but there are no entry points; it must have some.")
	case code == failure:
		checkFailed(c.New, r)
	}
}

// checkFailed reports what a failed request cannot have brought about.
func checkFailed(d *Data, r diag.Reporter) {
	if n := len(d.EntryPoints); n > 0 {
		r.Report("/entryPoints", "The createRequest is a failure, but there are entry points (%d); there must be none.", n)
	}
	if d.Solution != nil {
		r.Report("/conferenceSolution", "The createRequest is a failure, but there is a conferenceSolution; it must be unset.")
	}
	if d.Signature != "" {
		r.Report("/signature", "The createRequest is a failure, but there is a signature; it must be unset.")
	}
}

// strays reports whether the code was written and is none of the known ones.
func (s *Status) strays() bool {
	return !limits.CreateRequestStatus.Has(s.Code) && (s.Code != "" || s.extra.WasSent("statusCode"))
}

var requestUnspecified = diag.Rule{
	ID: "conference.request.unspecified", Kind: diag.Unspecified, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The documents do not show how a createRequest goes from one status to another.",
	Section: "calendar.md, States and transitions",
	Why: "Whether, say, a failure can become a success is for the caller to decide. The status of " +
		"another createRequest, by its requestId, is no transition.",
	Good: laterResponse(conferenceData(createRequest("r-1", "videoMeet", success), meet, entryPoints(videoEntry)),
		createRequest("r-1", "videoMeet", success), meet, entryPoints(videoEntry)),
	Bad: laterResponse(conferenceData(createRequest("r-1", "videoMeet", pending)),
		createRequest("r-1", "videoMeet", success), meet, entryPoints(videoEntry)),
	Check: in(unchanged|effective, checkRequestUnspecified),
}

func checkRequestUnspecified(c Change, r diag.Reporter) {
	if !c.repeats() {
		return
	}
	from, to := c.Old.CreateRequest.status(), c.New.CreateRequest.status()
	if from != "" && to != "" && from != to {
		r.Report("/createRequest/status/statusCode", "The statusCode goes from %s to %s; the documents show no such transitions, so the caller decides.", diag.Quote(from), diag.Quote(to))
	}
}
