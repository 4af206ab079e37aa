// Package emulator is an offline calendar service for tests: an [http.Handler] that follows the rules in package event of
// calrules, and states a reason for every refusal.
//
//	server := httptest.NewServer(emulator.New())
//	service, err := calendar.NewService(ctx,
//		option.WithEndpoint(server.URL+"/calendar/v3/"), option.WithHTTPClient(server.Client()))
//
// [New] keeps calendars in memory. [Open] keeps them in a store, such as a SQLite file (package store/sqlite). The root of
// this module is a command that runs the emulator.
//
// # Addresses
//
// Under /calendar/v3, requests and responses use the names of the public service, Google Calendar; under /v3, they use the
// names of the service's documents. The same calendars are served under both paths. Batch requests go to /batch/calendar/v3 and
// /batch/v3. The addresses of the emulator itself are under /emulator: see [Server].
//
// # Where the documents are silent
//
// The library decides on every request to change an event. The documents do not specify how a service identifies, orders and
// pages stored events. Where the documents are silent, the emulator follows the known behavior of the public service, or makes
// a simple choice. The README of the module lists the choices.
package emulator
