// Package fuzz draws payloads for property tests and fuzz tests: requests that the calendar
// service must accept, and requests that break one rule and no other. The valid ones contain
// every member, every event type and every value of the enumerations, values at the limits and
// just inside them, and integers up to the end of their type. Package rtdbfuzz does the same for
// the realtime database.
//
// The generators are generators of pgregory.net/rapid. Most callers use one of the following:
//
//   - [Event] draws an event that a client may insert;
//   - [Patch] draws a merge patch that a client may send for a stored event;
//   - [Request] draws a whole request for any operation: query parameters, body, the stored
//     event and facts about the caller and the calendar; or, for [operation.Response], a
//     representation as a server returns it;
//   - [Violating] draws a request that breaks the named rule and no other rule that rejects, with
//     the verdict of a correct server.
//
// [Mix] draws valid and broken requests of many kinds, by number or for a property test, and [Seeds] gives your own
// native fuzz target an initial corpus.
//
// A test of your own server draws payloads from a [Mix] with OverHTTP, stores the event
// that a payload is about, sends the request that fuzzhttp.NewRequest makes from the payload, and compares the
// answer with the verdict. See the folder examples/property.
//
// Everything but the requests of Violating is valid: no rule of [event.Catalogue] rejects it. A
// rule may advise against it, because deprecated members are still valid.
//
// Optional members are absent first, texts short, numbers small and times near. A failing case therefore shrinks to an
// event with a start, an end and the members that make it fail. A failing series or list may shrink to a birthday, the
// shortest series. Rapid prints JSON: an event as it is sent, and a request as a line of the batch form that the
// command reads.
//
// All generators are safe for concurrent use. Each release may draw other values, but they stay valid, or break the
// rule of their verdict.
package fuzz
