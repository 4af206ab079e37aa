package rtdbauth_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth"
)

// number matches a count, a number of seconds or an RFC 3339 time in a message.
var number = regexp.MustCompile(`-?\d([-\dT:.]*[\dZ])?`)

// numbers returns the numbers in the messages of findings, sorted and without duplicates. Tests do
// not compare the rest of a message.
func numbers(findings diag.Findings) []string {
	var all []string
	for _, f := range findings {
		all = append(all, number.FindAllString(f.Message(), -1)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestTimesInMessages checks the times of the token, the current time and the leeway. Times outside
// of the years 0 to 9999 are in seconds.
func TestTimesInMessages(t *testing.T) {
	year := func(y int) time.Time { return time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC) }
	for name, c := range map[string]struct {
		expires, notBefore, issued time.Time
		leeway                     int64
		want                       string // sorted
	}{
		"expired": {expires: noon.Add(-time.Hour),
			want: "2026-03-10T11:00:00Z 2026-03-10T12:00:00Z"},
		"expired, in another zone": {expires: noon.Add(-time.Hour).In(time.FixedZone("", 3600)),
			want: "2026-03-10T11:00:00Z 2026-03-10T12:00:00Z"},
		"expired despite the leeway": {expires: noon.Add(-time.Hour), leeway: 90,
			want: "2026-03-10T11:00:00Z 2026-03-10T12:00:00Z 90"},
		"expired in the year 0":         {expires: year(0), want: "0000-01-01T00:00:00Z 2026-03-10T12:00:00Z"},
		"expired before the year 0":     {expires: year(0).Add(-time.Second), want: "-62167219201 2026-03-10T12:00:00Z"},
		"valid later":                   {notBefore: noon.Add(time.Hour), issued: noon.Add(-time.Hour), want: "2026-03-10T12:00:00Z 2026-03-10T13:00:00Z"},
		"valid after the leeway":        {notBefore: noon.Add(time.Hour), leeway: 1, want: "1 2026-03-10T12:00:00Z 2026-03-10T13:00:00Z"},
		"issued later":                  {notBefore: noon.Add(-time.Hour), issued: noon.Add(time.Hour), want: "2026-03-10T12:00:00Z 2026-03-10T13:00:00Z"},
		"valid at the end of year 9999": {notBefore: year(10000).Add(-time.Second), want: "2026-03-10T12:00:00Z 9999-12-31T23:59:59Z"},
		"valid from the year 10000":     {notBefore: year(10000), want: "2026-03-10T12:00:00Z 253402300800"},
		"issued at a fraction":          {issued: noon.Add(100 * time.Millisecond), want: "2026-03-10T12:00:00.1Z 2026-03-10T12:00:00Z"},
	} {
		facts := factsThat(rtdbauth.KindIDToken, yes)
		facts.Expires, facts.NotBefore, facts.IssuedAt = c.expires, c.notBefore, c.issued
		w := wire{method: "GET", path: "/a.json", pairs: []string{"auth=t"}}
		d := decide(w, verifier{"t": facts}, rtdbauth.Policy{LeewaySeconds: c.leeway})
		if d.Principal != rtdbauth.Rejected {
			t.Errorf("%s: %v", name, d.Principal)
		}
		if diff := cmp.Diff(c.want, strings.Join(numbers(d.Findings), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestCountsInMessages checks the number of credentials, or the limit if there are more. Messages do
// not show any digit of a token.
func TestCountsInMessages(t *testing.T) {
	most := strconv.Itoa(rtdbauth.MaxCredentials)
	least := rtdbauth.Policy{LeastPrivilege: true, ScopeBase: scopeBase}
	header := func(values ...string) [][2]string {
		var lines [][2]string
		for _, v := range values {
			lines = append(lines, [2]string{"Authorization", v})
		}
		return lines
	}
	for name, c := range map[string]struct {
		pairs   []string
		headers [][2]string
		policy  rtdbauth.Policy
		want    string
	}{
		"parameters":                     {pairs: []string{"auth=user-1", "auth=user-1", "access_token=access-1"}, want: "3"},
		"a header and a parameter":       {pairs: []string{"auth=user-1"}, headers: header("Bearer access-1"), want: "2"},
		"another scheme and a parameter": {pairs: []string{"auth=user-1"}, headers: header("Basic x-7"), want: "2"},
		"another scheme and two more":    {pairs: []string{"auth=user-1", "auth=user-1"}, headers: header("Basic x-7"), want: "3"},
		"no least credential":            {pairs: []string{"auth=user-1", "auth=jack-1", "auth=user-1"}, policy: least, want: "3"},
		"header fields":                  {headers: header("Bearer access-1", "Bearer access-1", "Basic x-7"), want: "3"},
		"more than the limit":            {pairs: slices.Repeat([]string{"auth=user-1"}, rtdbauth.MaxCredentials+1), want: most},
		"many more than the limit":       {pairs: slices.Repeat([]string{"auth=user-1"}, 100), policy: least, want: most},
		"as many as the limit":           {pairs: slices.Repeat([]string{"auth=user-1"}, rtdbauth.MaxCredentials), want: most},
	} {
		d := decide(wire{method: "GET", path: "/a.json", pairs: c.pairs, headers: c.headers}, good, c.policy)
		if d.Principal != rtdbauth.Rejected {
			t.Errorf("%s: %v", name, d.Principal)
		}
		if diff := cmp.Diff(c.want, strings.Join(numbers(d.Findings), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%v", name, diff, d.Findings)
		}
	}
}

// TestPlus checks what is said about a + in a parameter, beside what else is wrong with it.
func TestPlus(t *testing.T) {
	const (
		plus      = "advise ?auth The value contains a +, which means a space in a query. Write %2B if the token contains a +."
		otherCase = "advise ?auth A parameter with this name in a different case has no effect. Names are case-sensitive: write the name in lower case."
		control   = "reject ?auth The decoded token contains a control character, which no token has. Send the token as it was issued."
	)
	for pair, want := range map[string][]string{
		"auth=user-1": nil,
		"auth=a+b":    {plus},
		"AUTH=a+b":    {otherCase},
		"auth=a%01+b": {control, plus},
		"auth=a%2Bb":  nil,
		"name=a+b":    nil,
	} {
		var got []string
		for _, f := range decide(wire{method: "GET", path: "/a.json", pairs: []string{pair}}, good, rtdbauth.Policy{}).Findings {
			if f.Key == "plus" || f.Key == "other-case" || f.Key == "control" {
				got = append(got, fmt.Sprintf("%s %s %s", f.Kind, f.Path, f.Message()))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", pair, diff)
		}
	}
}

// TestRevoked checks what is said about legacy credentials that were revoked.
func TestRevoked(t *testing.T) {
	for kind, want := range map[rtdbauth.Kind]string{
		rtdbauth.KindLegacySecret: "The secret has been revoked. The administration console shows the new secret in the service accounts section.",
		rtdbauth.KindLegacyToken:  "The token has been revoked. Send an access token or an identity token.",
	} {
		revoked := verifier{"x": {Kind: kind, Verified: yes, Revoked: yes}}
		d := decide(wire{method: "GET", path: "/a.json", pairs: []string{"auth=x"}}, revoked, rtdbauth.Policy{})
		if !slices.ContainsFunc(d.Findings, func(f diag.Finding) bool { return f.Message() == want }) {
			t.Errorf("%v: %v, want %q", kind, d.Findings, want)
		}
	}
}
