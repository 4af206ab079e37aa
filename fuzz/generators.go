package fuzz

import (
	"encoding/json"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/draw/rapidgen"
	"github.com/calrules/calrules/operation"
)

// Event draws events that a client may insert. The events include every member that clients can write, single events and
// series, and timed and all-day events. The event type must be one that clients can create, such as "focusTime". If the type is
// empty, Event draws events of all types that clients can create, and events without a type, which means default.
//
// The events are valid in a request with the query parameters conferenceDataVersion=1, supportsAttachments=true and, if the
// event has a nonempty eventLabelId, eventLabelVersion=1. [Request] also draws the parameters.
//
// Event panics if clients cannot create events of the given type.
func Event(eventType string) *rapid.Generator[*event.Event] {
	return rapidgen.Of(gen.Event(eventType))
}

// Patch draws merge patches (RFC 7396) in a dialect that a client may send for a stored event. The patches set, replace, clear
// and merge any number of members, and merge maps by key. The patched event breaks no rule. If a patch contains a member that
// must not change, for example because the event is locked or of type fromMail, the member has the stored value.
//
// The patches are valid in a request with the query parameters conferenceDataVersion=1, supportsAttachments=true and, if the
// patch contains the eventLabelId member, eventLabelVersion=1. [Request] also draws the parameters.
//
// The stored event can be any event that breaks no rule, whether drawn or from a server, cancelled or not. Patch does not
// modify the stored event, which must not change while the generator is in use. A nil event is unknown.
func Patch(in diag.Dialect, stored *event.Event) *rapid.Generator[JSON] {
	return rapidgen.Of(draw.Map(gen.Patch(in, stored), func(patch json.RawMessage) JSON { return JSON(patch) }))
}

// Request draws valid requests in a dialect for an operation of the service or, for [operation.Response], representations as
// servers return them. A request has
//
//   - the query parameters that it needs, and sometimes others that are documented for the
//     operation;
//   - the stored event in Existing, if the operation is about a stored event;
//   - the body as JSON in Body, if it is an event, because no other bodies are documented;
//   - sometimes facts about the caller, the calendar and the series, which always allow the
//     request, and the entity tag that it is conditional on.
//
// Request panics if the operation does not exist.
func Request(in diag.Dialect, op operation.ID) *rapid.Generator[*event.Request] {
	return rapidgen.Of(gen.Request(in, op))
}

// Violating draws requests in a dialect that break one rule, for the given operations. If no operations are given, Violating
// draws requests for every operation in which the rule can be broken. If the rule rejects, no other rule rejects the request;
// if the rule ignores or advises, no rule rejects the request.
//
// Violating draws a request as [Request] does, and adds a fault: an invalid value for a member, or the fault in the rule's
// bad example. If the library does not report that rule, or another rule rejects the request, Violating draws another request.
// After a few attempts, Violating uses the bad example itself.
//
// Violating panics if the rule or an operation does not exist, or if the rule cannot be broken in the dialect with any of the
// operations. [Rules] lists the rules that can be broken.
func Violating(in diag.Dialect, rule string, ops ...operation.ID) *rapid.Generator[Payload] {
	return rapidgen.Of(draw.Map(gen.Violating(in, rule, ops...), newPayload))
}

// Rules returns the sorted ids of the rules that [Violating] can break in a dialect with any of the given operations. If no
// operations are given, Rules considers all operations.
func Rules(in diag.Dialect, ops ...operation.ID) []string { return gen.Rules(in, ops...) }
