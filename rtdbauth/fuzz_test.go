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

	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/rtdbauth"
)

// generous confirms every fact about every token, so that only the form of a request can be wrong.
// The kind of a token depends on its length, so that every kind occurs.
type generous struct{}

func (generous) VerifyToken(_ context.Context, c rtdbauth.Credential) (rtdbauth.Facts, error) {
	return factsThat(rtdbauth.Kind(len(c.Token.Reveal())%6), rtdbauth.Yes), nil
}

// policyOf makes a policy from bits.
func policyOf(bits uint16) rtdbauth.Policy {
	pick := func(bit int, choice rtdbauth.Choice) rtdbauth.Choice {
		if bits>>bit&1 == 0 {
			return rtdbauth.Strict
		}
		return choice
	}
	p := rtdbauth.Policy{
		Legacy:            pick(0, rtdbauth.Refuse),
		LegacyRules:       pick(1, rtdbauth.Bypass),
		EmptyCredential:   pick(2, rtdbauth.Ignore),
		UnsupportedScheme: pick(3, rtdbauth.Ignore) + pick(4, rtdbauth.Reject),
		OnConflict:        pick(5, rtdbauth.LeastPrivilege),
		AmbiguousPath:     pick(6, rtdbauth.Reject),
		RequireTLS:        bits>>7&1 == 1,
		ScopeBase:         scopeBase,
	}
	if bits>>8&1 == 1 {
		p.LegacyIn = []rtdbauth.Place{rtdbauth.InHeader, rtdbauth.InAccessToken, rtdbauth.InAuth}
	}
	return p
}

// FuzzRequest checks requests of arbitrary bytes: the decision gives its reasons, the order of header
// fields does not matter, a readable query has the same values as with [url.ParseQuery], and a
// redacted URL contains no tokens.
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
	}
	f.Fuzz(func(t *testing.T, method, target, name, value string, bits uint16) {
		policy := policyOf(bits)
		m := rtdbauth.Message{Method: method, URL: rtdbauth.NewToken(target), Headers: []rtdbauth.Field{
			{Name: name, Value: rtdbauth.NewToken(value)}, {Name: "Accept", Value: rtdbauth.NewToken("*/*")},
		}}
		d := rtdbauth.Authenticate(t.Context(), m, generous{}, policy, noon)
		checkReasons(t, d)

		slices.Reverse(m.Headers)
		if diff := cmp.Diff(d, rtdbauth.Authenticate(t.Context(), m, generous{}, policy, noon)); diff != "" {
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

func (r *recorder) VerifyToken(_ context.Context, c rtdbauth.Credential) (rtdbauth.Facts, error) {
	if c.Place != rtdbauth.InHeader {
		*r = append(*r, c.Place.String()+"="+c.Token.Reveal())
	}
	return rtdbauth.Facts{}, nil
}

// presented returns the parameters of a request about which a verifier is asked, whatever else the
// request contains. It returns nil if there are none.
func presented(m rtdbauth.Message) []string {
	var asked recorder
	policy := rtdbauth.Policy{OnConflict: rtdbauth.LeastPrivilege, EmptyCredential: rtdbauth.Ignore, UnsupportedScheme: rtdbauth.Ignore}
	rtdbauth.Authenticate(context.Background(), m, &asked, policy, noon)
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
