// Package event defines the Event resource of the calendar service and implements the service's rules about it.
//
// Most callers use [Check], which takes a [Request] and returns a [Result]. The Request contains the operation, its parameters,
// the body as bytes or as an [Event], and facts about its context. The Result reports whether the service accepts the request,
// and contains every finding with its rule and path, and the events that the service stores and returns.
//
//	result, err := event.Check(&event.Request{Op: operation.EventsInsert, Body: body})
//	if err != nil {
//		return err // the request cannot be checked: a bug in the program
//	}
//	if err := result.Err(); err != nil {
//		return err // a *diag.Error: every reason, each with a JSON Pointer
//	}
//	store(result.Stored)
//	answer(result.Answer)
//
// A [Checker] has options, such as a grading of findings and a source of new ids. [Find] checks the rules without
// computing the events. [Checker.WithRules] adds the caller's own rules.
//
// An [Event] is a plain struct that works with encoding/json. Decoding and encoding an event preserves everything,
// including unknown members, null and explicit zero values.
//
// The package does no I/O, does not read the clock, and keeps no state other than a pool of buffers. The package is
// safe for concurrent use. The package does not modify requests.
package event
