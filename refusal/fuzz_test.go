package refusal_test

import (
	"testing"

	"github.com/calrules/calrules/refusal"
)

// Whatever a text is, a refusal that is found in it has a status, a reason or a message, and has an explanation.
func FuzzParse(f *testing.F) {
	f.Add(`{"error":{"code":400,"message":"x","errors":[{"reason":"invalid"}]}}`)
	f.Add(`[{"error":"invalid_grant"}]`)
	f.Add("googleapi: Error 400: Invalid attendee email., invalid")
	f.Add(`<HttpError 400 when requesting x returned "y". Details: "[{'reason': 'invalid'}]">`)
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := refusal.Parse(text)
		if ok && r.Status < 400 && r.Reason == "" && r.Message == "" {
			t.Errorf("%q is %+v", text, r)
		}
		if e := r.Explain(nil); e.Known && e.About == nil {
			t.Errorf("%q is explained by nothing", text)
		}
	})
}
