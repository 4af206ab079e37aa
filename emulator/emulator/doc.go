// Package emulator is an offline calendar service for tests: an [http.Handler] that answers the operations of
// the service as package event of calrules requires, with a reason for every refusal.
//
//	server := httptest.NewServer(emulator.New())
//	service, err := calendar.NewService(ctx,
//		option.WithEndpoint(server.URL+"/calendar/v3/"), option.WithHTTPClient(server.Client()))
//
// [New] keeps calendars in memory; [Open] keeps them in a store, such as the SQLite file of package
// store/sqlite. The root of this module is a command that runs the emulator.
//
// # Addresses
//
// Under /calendar/v3, requests and answers have the names of the public service, Google Calendar; under /v3, they have
// the names of the service's documents. Both serve the same calendars. Batch requests go to /batch/calendar/v3 and
// /batch/v3. The addresses of the emulator itself are under /emulator: see [Server].
//
// # Where the documents are silent
//
// The library makes every decision about a request to change an event. The documents do not specify how a
// service identifies, orders and pages stored events; there, the emulator does what the public service is
// known to do, or something simple. The README of the module lists these choices.
package emulator
