// Package fuzz draws payloads for property tests and fuzz tests: requests that the calendar service must accept, and requests
// that break exactly one rule. The valid requests cover every member, every event type and every enumeration value, values at
// and just inside the limits, and the full range of integers. Package rtdbfuzz does the same for the realtime database.
//
// The generators are for pgregory.net/rapid. Most callers use one of the following:
//
//   - [Event] draws an event that a client may insert;
//   - [Patch] draws a merge patch that a client may send for a stored event;
//   - [Request] draws a whole request for any operation: query parameters, body, the stored
//     event and facts about the caller and the calendar; or, for [operation.Response], a
//     representation as a server returns it;
//   - [Violating] draws a request that breaks the named rule and no other rule that rejects, with
//     the verdict of a correct server.
//
// [Mix] draws valid and broken requests of many kinds, by number or for a property test. [Seeds] adds an initial corpus to
// a native fuzz target.
//
// To test a server, draw payloads from a [Mix] with OverHTTP set. For each payload, store the event to which it refers, send
// the request that fuzzhttp.NewRequest returns, and compare the response with the verdict. See the examples/property directory.
//
// Except for the requests that Violating draws, all payloads are valid: no rule in [event.Catalogue] rejects them. A rule may
// still advise against a payload, for example because a member is deprecated.
//
// Shrinking removes optional members, shortens strings, reduces numbers, and moves times closer to the present. A failing case
// therefore shrinks to an event with a start, an end and the members that cause the failure. A failing series or list may
// shrink to a birthday, which is the shortest series. Rapid prints events as JSON, and requests as lines of the batch form that
// the command reads.
//
// All generators are safe for concurrent use. Each release may draw different values, but every value is valid or breaks the
// rule in its verdict.
package fuzz
