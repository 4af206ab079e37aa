// Package between watches the exchanges of a client and the calendar service, and reports the mistakes in them, for
// clients in any language: a proxy, a transport or a recording passes each exchange through a [Watcher].
//
//	watcher, err := between.New(between.Options{})
//	x := watcher.Request(between.Message{Method: "PATCH", URL: url, Header: header, Body: body})
//	for _, f := range x.Findings { ... }
//	x.Answer(200, answerHeader, answerBody, "")
//
// A watcher checks each request to the service, checks each answer as a representation, and remembers the events in them,
// so that it can check a patch against the stored event. It opens no connections, and never shows a credential.
package between
