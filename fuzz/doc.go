// Package fuzz draws payloads for property tests and fuzz tests: requests that the calendar
// service has to accept, with every member, every event type and every enumeration value, with
// values at the limits and just inside them, and with integers up to the end of their type; and requests that break one rule and no
// other. Those to the realtime database are drawn likewise.
//
// The generators are those of pgregory.net/rapid. Most callers want one of these:
//
//   - [Event] draws an event that a client may insert;
//   - [Patch] draws a merge patch that a client may send of an event that is stored;
//   - [Request] draws a whole request for any operation: query parameters, body, the stored
//     event that it is about, and what is known of caller and calendar; or for
//     [operation.Response] a representation as a server returns it;
//   - [Violating] draws a request that breaks the rule named and, of the rules that reject, no
//     other, with the verdict that a correct server gives;
//   - [RTDBRequest] draws a request to the realtime database.
//
// [Payloads] and [Mix] draw valid and broken requests by number, without a test around them, and
// [Seeds] gives a native fuzz target of your own a corpus to begin with.
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
// What they draw, but for Violating, is valid: no rule of [event.Catalogue] rejects it. A rule
// may have advice to give about it, for what is deprecated is still valid.
//
// Optional members are absent first, texts short, numbers small and times near, so that a
// failing case shrinks to an event with a start, an end and what makes it fail: only where a
// series or a list fails may a birthday be left, the shortest series to draw. What rapid prints of
// it is JSON: an event as it is sent, and a request as a line of the batch form that the
// command reads.
//
// The other generators, such as [Address] or [Series], are what these are made of. All may draw
// other values from one release to the next; that what they draw is valid, or breaks the rule
// that it is said to break, is the promise. They
// may be used by several goroutines. Make one and draw from it often: to make it takes longer.
package fuzz
