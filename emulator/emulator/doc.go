// Package emulator is an offline calendar service for tests: an [http.Handler] that behaves as package event of calrules
// requires, and gives a reason for every refusal.
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
// Under /calendar/v3, requests and answers have the names of the public service, Google Calendar; under /v3, they have the
// names of the service's documents. Both paths serve the same calendars. Batch requests go to /batch/calendar/v3 and
// /batch/v3. The addresses of the emulator itself are under /emulator: see [Server].
//
// # Where the documents are silent
//
// The library decides about every request to change an event. The documents do not specify how a service identifies, orders
// and pages stored events. In these cases, the emulator follows the known behavior of the public service, or does something
// simple. The README of the module lists these choices.
package emulator
