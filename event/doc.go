// Package event knows the Event resource of the calendar service and the rules that the
// service holds it to.
//
// Most callers want one function, [Check], which takes a [Request] (the operation, its
// parameters, the body as bytes or as an [Event], and what is known around it) and returns
// a [Result]: whether the service would accept the request, every finding with its rule and
// its place, and the event that would be stored.
//
//	result := event.Check(&event.Request{Op: operation.EventsInsert, Body: body})
//	if err := result.Err(); err != nil {
//		return err // a *diag.Error: every reason, each with a JSON Pointer
//	}
//	store(result.Event)
//
// A [Checker] sets what is a caller's to decide: how findings are graded, and where new ids
// come from. [Findings] asks the rules alone, without making the answer.
//
// An [Event] is a plain struct that works with encoding/json. What is read is written back
// whole: unknown members, null and written-out zero values included.
//
// The package is pure: it opens nothing, reads no clock and keeps no state but a pool of
// buffers. All of it may be used by several goroutines at once; a Request is only read.
package event
