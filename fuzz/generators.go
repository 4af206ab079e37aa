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

// Event draws events that a client may insert: with every member that a client writes, single events and series, timed
// and all-day, of an event type that can be created, such as "focusTime". If the type is empty, the events have all
// such types or none, which means default.
//
// They are valid in a request with the query parameters conferenceDataVersion=1,
// supportsAttachments=true and, if the event has a nonempty eventLabelId, eventLabelVersion=1.
// [Request] draws the parameters too.
//
// Event panics if no client can create events of the type.
func Event(eventType string) *rapid.Generator[*event.Event] {
	return rapidgen.Of(gen.Event(eventType))
}

// Patch draws merge patches (RFC 7396) in a dialect that a client may send for a stored event. They change any number
// of its members; they set, replace, clear and merge, by key if a member is a map; and the result breaks no rule. A
// member that must not change, as of a locked event or of an event of type fromMail, has its stored value in the patch,
// if any.
//
// They are valid in a request with the query parameters conferenceDataVersion=1,
// supportsAttachments=true and, if the patch has the member eventLabelId, eventLabelVersion=1.
// [Request] draws the parameters too.
//
// The stored event is any that breaks no rule, drawn or from a server, cancelled or not. Patch only reads it; it must
// not change while the generator is in use. Nil means that the event is unknown.
func Patch(in diag.Dialect, stored *event.Event) *rapid.Generator[JSON] {
	return rapidgen.Of(draw.Map(gen.Patch(in, stored), func(patch json.RawMessage) JSON { return JSON(patch) }))
}

// Request draws valid requests in a dialect for an operation of the service or, for [operation.Response],
// representations as servers return them. A request has
//
//   - the query parameters that it needs, and sometimes others that are documented for the
//     operation;
//   - the stored event in Existing, if the operation is about one;
//   - the body as JSON in Body, if it is an event, because no other bodies are documented;
//   - sometimes facts about the caller, the calendar and the series, which always allow the
//     request, and the entity tag that it is conditional on.
//
// Request panics if the service does not have the operation.
func Request(in diag.Dialect, op operation.ID) *rapid.Generator[*event.Request] {
	return rapidgen.Of(gen.Request(in, op))
}

// Violating draws requests in a dialect that break one rule, on the given operations or, without any, on every operation on
// which the rule can be broken. If the rule rejects, no other rule rejects the request; if it ignores or advises, no rule
// rejects it.
//
// A request is drawn as [Request] draws it, and then gets a fault: a value that the declaration of a member does not allow,
// or the fault of the bad example of the rule. The library must find this rule, and no other that rejects; otherwise
// another request is drawn, and after a few of them the request is the bad example itself.
//
// Violating panics if there is no such rule or operation, or if the rule cannot be broken in the dialect on any
// of the operations. [Rules] lists the rules that can.
func Violating(in diag.Dialect, rule string, ops ...operation.ID) *rapid.Generator[Payload] {
	return rapidgen.Of(draw.Map(gen.Violating(in, rule, ops...), newPayload))
}

// Rules returns the ids of the rules that [Violating] can break in a dialect on one of the operations or, without
// operations, on any, sorted.
func Rules(in diag.Dialect, ops ...operation.ID) []string { return gen.Rules(in, ops...) }
