// Package fuzz draws calendar payloads for property tests: events, requests and
// representations that the calendar service has to accept, with every member, every event
// type and every enumeration value, and with values at the limits and just inside them.
//
// The generators are those of pgregory.net/rapid. Most callers want one of two:
//
//   - [Event] draws an event that a client may insert;
//   - [Request] draws a whole request for an operation, query parameters and body, or for
//     [operation.Response] a representation as a server returns it.
//
// A test that aims them at a server of one's own is short:
//
//	func TestInsert(t *testing.T) {
//		server := httptest.NewServer(calendar.Handler())
//		defer server.Close()
//		rapid.Check(t, func(t *rapid.T) {
//			req := fuzz.Request(operation.EventsInsert).Draw(t, "request")
//			query := url.Values(req.Params).Encode()
//			resp, err := http.Post(server.URL+"?"+query, "application/json", bytes.NewReader(req.Body))
//			if err != nil {
//				t.Fatal(err)
//			}
//			defer resp.Body.Close()
//			if resp.StatusCode != http.StatusOK {
//				t.Fatalf("a valid event is refused: %s", req.Body)
//			}
//		})
//	}
//
// What is drawn is valid: no rule of [event.Catalogue] rejects it. A rule may have advice to
// give about it, for what is deprecated is still valid.
//
// Optional members are absent first, texts short, numbers small and times near, so that a
// failing case shrinks to an event with nothing but what makes it fail. Print the JSON of an
// event when a test fails: the Go syntax that rapid prints on its own shows pointers.
//
// The other generators, such as [Address] or [Series], are what these two are made of.
// They may draw other values from one release to the next; that what they draw is valid is
// the promise. Each call makes a new generator; all may be used by several goroutines.
package fuzz
