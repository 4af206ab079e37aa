package rtdbauth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/rtdbauth"
)

// generous confirms every fact about every token, so that only the form of a request can be wrong.
// The kind of a token depends on its length, so that every kind occurs.
type generous struct{}

func (generous) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	return factsThat(rtdbauth.Kind(len(token.Reveal())%6), yes), nil
}

// policyOf makes a policy from bits.
func policyOf(bits uint16) rtdbauth.Policy {
	has := func(bit int) bool { return bits>>bit&1 == 1 }
	p := rtdbauth.Policy{
		RejectLegacy:        has(0),
		LegacyBypass:        new(has(1)),
		IgnoreEmpty:         has(2),
		IgnoreOtherSchemes:  has(3),
		RejectOtherSchemes:  has(4),
		LeastPrivilege:      has(5),
		RejectAmbiguousPath: has(6),
		RequireTLS:          has(7),
		ScopeBase:           scopeBase,
	}
	if has(9) {
		p.Dialect = diag.Google
	}
	if has(8) {
		p.LegacyIn = []rtdbauth.Place{rtdbauth.InHeader, rtdbauth.InAccessToken, rtdbauth.InAuth}
	}
	return p
}

// FuzzRequest checks requests of arbitrary bytes: the decision gives its reasons, the order of header fields does not matter, a
// readable query has the same values as with [url.ParseQuery], and a redacted URL contains no tokens.
func FuzzRequest(f *testing.F) {
	for _, c := range readCases(f) {
		method, _ := c.Request["method"].(string)
		target, _ := c.Request["url"].(string)
		var value string
		if headers, ok := c.Request["headers"].([]any); ok {
			value, _ = headers[0].([]any)[1].(string)
		}
		f.Add(method, target, "Authorization", value, uint16(0))
		f.Add(method, target, "", "", uint16(0x1ff))
		f.Add(method, target, "X-HTTP-Method-Override", "PATCH", uint16(0x200))
	}
	f.Fuzz(func(t *testing.T, method, target, name, value string, bits uint16) {
		policy := policyOf(bits)
		m := rtdbauth.Message{Method: method, URL: rtdbauth.NewToken(target), Headers: []rtdbauth.Field{
			{Name: name, Value: rtdbauth.NewToken(value)}, {Name: "Accept", Value: rtdbauth.NewToken("*/*")},
		}}
		d := must(rtdbauth.Authenticate(t.Context(), m, generous{}, policy, noon))
		checkReasons(t, d)

		slices.Reverse(m.Headers)
		if diff := cmp.Diff(d, must(rtdbauth.Authenticate(t.Context(), m, generous{}, policy, noon))); diff != "" {
			t.Errorf("the order of header fields matters:\n%s", diff)
		}

		_, query, _ := strings.Cut(target, "?")
		if read := presented(m); read != nil {
			if diff := cmp.Diff(params(query), read); diff != "" {
				t.Errorf("url.ParseQuery reads other parameters (-url +rtdbauth):\n%s", diff)
			}
		}

		m.URL = rtdbauth.NewToken(rtdbauth.RedactURL(target))
		for _, token := range presented(m) {
			if !strings.HasSuffix(token, "=REDACTED") {
				t.Errorf("%q remains in %q", token, m.URL.Reveal())
			}
		}
	})
}

// recorder is a verifier that notes what it is asked, in the form of [params].
type recorder []string

func (r *recorder) VerifyToken(_ context.Context, in rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	if in != rtdbauth.InHeader {
		*r = append(*r, in.String()+"="+token.Reveal())
	}
	return rtdbauth.Facts{}, nil
}

// presented returns the parameters of a request about which a verifier is asked, whatever else the
// request contains. It returns nil if there are none.
func presented(m rtdbauth.Message) []string {
	var asked recorder
	policy := rtdbauth.Policy{LeastPrivilege: true, IgnoreEmpty: true, IgnoreOtherSchemes: true}
	must(rtdbauth.Authenticate(context.Background(), m, &asked, policy, noon))
	return asked
}

// params returns the credentials of a query according to the standard library, without empty ones.
func params(query string) []string {
	values, _ := url.ParseQuery(query) // without the parameters that it cannot read
	var all []string
	for _, name := range []string{"access_token", "auth"} {
		for _, value := range values[name] {
			if value != "" {
				all = append(all, name+"="+value)
			}
		}
	}
	return all
}

// FuzzLine checks lines of arbitrary bytes: a valid line has the members that encoding/json reads, its
// answer is one line of JSON and gives its reasons, and it always has the same answer.
func FuzzLine(f *testing.F) {
	for _, c := range readCases(f) {
		line, err := json.Marshal(c.Request)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var req rtdbline.Request
		if json.Unmarshal(line, &req) != nil {
			return
		}
		var naive struct {
			Method, URL string
			Members     map[string]json.RawMessage
		}
		if err := json.Unmarshal(line, &naive.Members); err != nil {
			t.Fatalf("valid, but encoding/json says %v", err)
		}
		_ = json.Unmarshal(naive.Members["method"], &naive.Method) // absent is empty
		_ = json.Unmarshal(naive.Members["url"], &naive.URL)
		if req.Method != naive.Method || req.URL.Reveal() != naive.URL {
			t.Errorf("method %q, URL %q, want %q, %q", req.Method, req.URL.Reveal(), naive.Method, naive.URL)
		}
		res := rtdbline.Check(&req)
		checkReasons(t, res.Decision)
		if diff := cmp.Diff(res, rtdbline.Check(&req)); diff != "" {
			t.Errorf("a second answer differs:\n%s", diff)
		}
		if out, err := json.Marshal(res); err != nil || bytes.ContainsRune(out, '\n') {
			t.Errorf("answer %q, error %v", out, err)
		}
	})
}
