// Package fuzz draws calendar payloads for property tests: events, requests and
// representations that the calendar service has to accept, with every member, every event
// type and every enumeration value, and with values at the limits and just inside them.
//
// The generators are those of pgregory.net/rapid. Most callers want one of three:
//
//   - [Event] draws an event that a client may insert;
//   - [Patch] draws a merge patch that a client may send of an event that is stored;
//   - [Request] draws a whole request for any operation: query parameters, body, the stored
//     event that it is about, and what is known of caller and calendar; or for
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
// failing case shrinks to an event with nothing but what makes it fail. What rapid prints of
// it is JSON: an event as it is sent, and a request as a line of the batch form that the
// command reads. A patch is bytes, which are to be printed with %s.
//
// The other generators, such as [Address] or [Series], are what these are made of. All may draw
// other values from one release to the next; that what they draw is valid is the promise. They
// may be used by several goroutines. Make one and draw from it often: to make it takes longer.
package fuzz
