package fuzz_test

import (
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/operation"
)

// FuzzInsert checks the laws with arbitrary bytes as the body of an insert. The bits of params are the parameters that matter
// to the rules. The corpus is in testdata/fuzz; the examples of the catalogue are seeds too.
func FuzzInsert(f *testing.F) {
	for _, req := range documented(f, operation.EventsInsert) {
		f.Add([]byte(req.Body), uint8(7))
	}
	f.Fuzz(func(t *testing.T, body []byte, params uint8) {
		req := &event.Request{Op: operation.EventsInsert, Body: []byte(body), Params: fuzzedParams(params)}
		if params&8 != 0 {
			req.Caller = &operation.Caller{Email: "ada@example.com"}
		}
		checkLaws(t, req)
	})
}

// FuzzPatch checks the laws with arbitrary bytes as a patch of an event of arbitrary bytes. The
// corpus and the bits of params are as those of [FuzzInsert].
func FuzzPatch(f *testing.F) { fuzzWrite(f, operation.EventsPatch) }

// FuzzUpdate checks the laws with arbitrary bytes as an update of an event of arbitrary bytes.
func FuzzUpdate(f *testing.F) { fuzzWrite(f, operation.EventsUpdate) }

// fuzzWrite checks the laws with bytes as the stored event and the body of a write.
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
			return // a service does not store wrong types or write null
		}
		checkLaws(t, &event.Request{Op: op, Existing: existing, Body: []byte(body), Params: fuzzedParams(params)})
	})
}

// fuzzedParams returns the parameters for the bits.
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

// FuzzResponse checks the laws with arbitrary bytes as a representation.
func FuzzResponse(f *testing.F) {
	for _, req := range documented(f, operation.Response) {
		f.Add([]byte(req.Body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		checkLaws(t, &event.Request{Op: operation.Response, Body: []byte(body)})
	})
}

// documented returns the examples of the rules that are requests for the operation.
func documented(tb testing.TB, op operation.ID) []*event.Request {
	tb.Helper()
	var requests []*event.Request
	for doc := range event.Catalogue().All() {
		for _, text := range []string{doc.Good.Example().Request, doc.Bad.Example().Request} {
			req := new(batch.Request)
			if err := req.UnmarshalJSON([]byte(text)); err != nil {
				tb.Fatal(err)
			}
			if req.Op == op && req.Body != nil {
				requests = append(requests, &req.Request)
			}
		}
	}
	return requests
}
