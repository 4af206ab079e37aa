package fuzz_test

import (
	"encoding/json"
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// FuzzInsert puts arbitrary bytes to the rules as the body of an insert. The bits of params
// are the parameters that the rules look at. The corpus is in testdata/fuzz; the examples of
// the catalogue are seeds too.
func FuzzInsert(f *testing.F) {
	for _, req := range documented(f, operation.EventsInsert) {
		f.Add([]byte(req.Body), uint8(7))
	}
	f.Fuzz(func(t *testing.T, body []byte, params uint8) {
		req := &event.Request{Op: operation.EventsInsert, Body: json.RawMessage(body), Params: operation.Params{}}
		for i, name := range []string{"conferenceDataVersion", "eventLabelVersion"} {
			req.Params[name] = []string{string('0' + rune(params>>i&1))}
		}
		if params&4 != 0 {
			req.Params["supportsAttachments"] = []string{"true"}
		}
		if params&8 != 0 {
			req.Caller = &operation.Caller{Email: "ada@example.com"}
		}
		checkLaws(t, req)
	})
}

// FuzzResponse puts arbitrary bytes to the rules as what a server returned.
func FuzzResponse(f *testing.F) {
	for _, req := range documented(f, operation.Response) {
		f.Add([]byte(req.Body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		checkLaws(t, &event.Request{Op: operation.Response, Body: json.RawMessage(body)})
	})
}

// documented returns the requests of the operation that document the rules.
func documented(tb testing.TB, op operation.ID) []*event.Request {
	tb.Helper()
	var requests []*event.Request
	for _, doc := range event.Catalogue() {
		for _, text := range []string{doc.Accept.Request, doc.Refuse.Request} {
			req := new(event.Request)
			if err := json.Unmarshal([]byte(text), req); err != nil {
				tb.Fatal(err)
			}
			if req.BodyText != nil {
				req.Body, req.BodyText = json.RawMessage(*req.BodyText), nil
			}
			if req.Op == op && req.Body != nil {
				requests = append(requests, req)
			}
		}
	}
	return requests
}
