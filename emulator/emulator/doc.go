// Package emulator is a calendar service for tests: an [http.Handler] that answers the operations of the
// service, offline, as package event of calrules says that it must, with a reason for every refusal.
//
//	server := httptest.NewServer(emulator.New())
//	service, err := calendar.NewService(ctx,
//		option.WithEndpoint(server.URL+"/calendar/v3/"), option.WithHTTPClient(server.Client()))
//
// [New] keeps calendars in memory; [Open] keeps them in a store, such as the SQLite file of package
// store/sqlite. The command that runs the emulator is the root of this module.
//
// # Addresses
//
// Under /calendar/v3 requests and answers have the names of the public service, Google Calendar, and under
// /v3 those of the service's documents. Both serve the same calendars. Batch requests go to /batch/calendar/v3
// and /batch/v3. Under /emulator are the addresses of the emulator itself: see [Server].
//
// # What is the emulator's own
//
// Every decision about a request to change an event is that of the library. The documents do not say how a
// service identifies, orders and pages what it stores; there the emulator does what the public service is known
// to do, or something simple. The README of the module lists these choices.
package emulator
