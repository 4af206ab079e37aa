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
		req := &event.Request{Op: operation.EventsInsert, Body: json.RawMessage(body), Params: fuzzedParams(params)}
		if params&8 != 0 {
			req.Caller = &operation.Caller{Email: "ada@example.com"}
		}
		checkLaws(t, req)
	})
}

// FuzzPatch puts arbitrary bytes to the rules as a patch of an event of arbitrary bytes, to be
// merged as RFC 7396 says. The corpus and the bits of params are as those of [FuzzInsert].
func FuzzPatch(f *testing.F) { fuzzWrite(f, operation.EventsPatch) }

// FuzzUpdate puts arbitrary bytes to the rules as an update of an event of arbitrary bytes.
func FuzzUpdate(f *testing.F) { fuzzWrite(f, operation.EventsUpdate) }

// fuzzWrite puts bytes to the rules as the stored event and the body of a write.
func fuzzWrite(f *testing.F, op operation.ID) {
	f.Helper()
	for _, req := range documented(f, op) {
		if req.Existing != nil {
			f.Add(req.Existing.AppendJSON(nil), []byte(req.Body), uint8(7))
		}
	}
	f.Fuzz(func(t *testing.T, stored, body []byte, params uint8) {
		existing := new(event.Event)
		if existing.UnmarshalJSON(stored) != nil || holdsNull(mustParse(stored)) {
			return // a service stores no wrong types, and writes no null
		}
		checkLaws(t, &event.Request{Op: op, Existing: existing, Body: json.RawMessage(body), Params: fuzzedParams(params)})
	})
}

// fuzzedParams returns the parameters that bits stand for.
func fuzzedParams(bits uint8) operation.Params {
	params := operation.Params{}
	for i, name := range []string{"conferenceDataVersion", "eventLabelVersion"} {
		params[name] = []string{string('0' + rune(bits>>i&1))}
	}
	if bits&4 != 0 {
		params["supportsAttachments"] = []string{"true"}
	}
	return params
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
	for doc := range event.Catalogue().All() {
		for _, text := range []string{doc.Good.Request, doc.Bad.Request} {
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
