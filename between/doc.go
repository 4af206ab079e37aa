// Package between watches the exchanges between a client and the calendar service, and reports mistakes in them. Package
// between works for clients in any language: a proxy, a transport or a recording passes each exchange to a [Watcher].
//
//	watcher, err := between.New(between.Options{})
//	x := watcher.Request(between.Message{Method: "PATCH", URL: url, Header: header, Body: body})
//	for _, f := range x.Findings { ... }
//	x.Answer(200, answerHeader, answerBody, "")
//
// A watcher checks each request to the service and each response, and remembers the events in responses, which allows it to
// check a later patch against the stored event. A watcher opens no connections, and never reveals a credential.
package between
