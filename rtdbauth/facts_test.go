package rtdbauth_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/rtdbauth"
)

// TestKnownFacts reads the facts of the batch form.
func TestKnownFacts(t *testing.T) {
	for line, want := range map[string]rtdbauth.Facts{
		`{}`: {},
		`{"kind":"id_token","verified":true,"revoked":false,"exp":1700000000.5,"audience":"another","uid":"u"}`: {
			Kind: rtdbauth.KindIDToken, Verified: yes, Revoked: no,
			Expires: time.Unix(1700000000, 5e8), Audience: no, UID: new("u"),
		},
		`{"kind":"id_token","verifier_error":"down"}`: {},
		`null`:                                 {},
		`{"kind":"id_token","verified":null }`: {Kind: rtdbauth.KindIDToken},
	} {
		var req rtdbline.Request
		if err := json.Unmarshal([]byte(`{"known":{"t":`+line+`}}`), &req); err != nil {
			t.Fatal(err)
		}
		got, err := req.Known.VerifyToken(t.Context(), rtdbauth.InAuth, rtdbauth.NewToken("t"))
		if (err != nil) != strings.Contains(line, "verifier_error") {
			t.Errorf("%s: %v", line, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

// TestFirstSecondOfYearOne checks that the first second of the year 1 is a time like any other,
// although it equals the zero time, which means unknown.
func TestFirstSecondOfYearOne(t *testing.T) {
	const yearOne = -62135596800
	known := func(exp, nbf, iat, now float64) map[string]any {
		return map[string]any{"_now": now, "t": map[string]any{
			"kind": "id_token", "verified": true, "audience": "this_project", "uid": "u", "exp": exp, "nbf": nbf, "iat": iat,
		}}
	}
	for name, c := range map[string]struct {
		known map[string]any
		want  rtdbauth.Principal
		times string // in messages, sorted
	}{
		"expired then": {known(yearOne, yearOne-2, yearOne-2, 0), rtdbauth.Rejected,
			"0001-01-01T00:00:00Z 1970-01-01T00:00:00Z"},
		"expired before": {known(yearOne-1, yearOne-2, yearOne-2, 0), rtdbauth.Rejected,
			"0000-12-31T23:59:59Z 1970-01-01T00:00:00Z"},
		"expires then, and it is then": {known(yearOne, yearOne-2, yearOne-2, yearOne), rtdbauth.Rejected,
			"0001-01-01T00:00:00Z"},
		"expires then, and it is before": {known(yearOne, yearOne-2, yearOne-2, yearOne-1), rtdbauth.User, ""},
		"expires after, and it is then":  {known(yearOne+1, yearOne, yearOne, yearOne), rtdbauth.User, ""},
		"valid then, and it is before": {known(yearOne+1, yearOne, yearOne-2, yearOne-1), rtdbauth.Rejected,
			"0000-12-31T23:59:59Z 0001-01-01T00:00:00Z"},
		"issued then, and it is before": {known(yearOne+1, yearOne-2, yearOne, yearOne-1), rtdbauth.Rejected,
			"0000-12-31T23:59:59Z 0001-01-01T00:00:00Z"},
		"valid after, and it is then": {known(yearOne+2, yearOne+1, yearOne, yearOne), rtdbauth.Rejected,
			"0001-01-01T00:00:00Z 0001-01-01T00:00:01Z"},
	} {
		res := answer(t, map[string]any{"method": "GET", "url": "/a.json?auth=t", "known": c.known})
		if res.Principal != c.want {
			t.Errorf("%s: %v, want %v: %v", name, res.Principal, c.want, res.Findings)
		}
		if diff := cmp.Diff(c.times, strings.Join(numbers(res.Findings), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A fact that holds beside an unknown one is unknown, and beside one that does not hold, does not.
func TestFactsTogether(t *testing.T) {
	for _, test := range []struct{ a, b, want rtdbauth.Fact }{
		{rtdbauth.Yes, rtdbauth.Yes, rtdbauth.Yes}, {rtdbauth.Yes, rtdbauth.Unknown, rtdbauth.Unknown}, {rtdbauth.Yes, rtdbauth.No, rtdbauth.No},
		{rtdbauth.Unknown, rtdbauth.Unknown, rtdbauth.Unknown}, {rtdbauth.Unknown, rtdbauth.No, rtdbauth.No}, {rtdbauth.No, rtdbauth.No, rtdbauth.No},
	} {
		if a, b := test.a.And(test.b), test.b.And(test.a); a != test.want || b != test.want {
			t.Errorf("%v and %v: %v and %v, want %v", test.a, test.b, a, b, test.want)
		}
	}
}
