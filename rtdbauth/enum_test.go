package rtdbauth_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth"
)

// TestNameOfInvalidValue checks that a value beyond the last one has the name of the zero value.
func TestNameOfInvalidValue(t *testing.T) {
	for _, c := range []struct{ last, next, most, zero fmt.Stringer }{
		{rtdbauth.Yes, rtdbauth.Yes + 1, rtdbauth.Fact(255), rtdbauth.Unknown},
		{rtdbauth.InAuth, rtdbauth.InAuth + 1, rtdbauth.Place(255), rtdbauth.Place(0)},
		{rtdbauth.KindOther, rtdbauth.KindOther + 1, rtdbauth.Kind(255), rtdbauth.KindUnknown},
		{rtdbauth.Legacy, rtdbauth.Legacy + 1, rtdbauth.Principal(255), rtdbauth.Unspecified},
		{rtdbauth.RulesBypass, rtdbauth.RulesBypass + 1, rtdbauth.Rules(255), rtdbauth.RulesNotApplicable},
		{rtdbauth.AccessFull, rtdbauth.AccessFull + 1, rtdbauth.Access(255), rtdbauth.AccessNone},
		{rtdbauth.SentOtherScheme, rtdbauth.SentOtherScheme + 1, rtdbauth.Sent(255), rtdbauth.SentNothing},
		{rtdbauth.RuledLeast, rtdbauth.RuledLeast + 1, rtdbauth.Ruling(255), rtdbauth.NoRuling},
	} {
		zero := c.zero.String()
		if c.last.String() == zero || c.next.String() != zero || c.most.String() != zero {
			t.Errorf("%T: the last is %q, the next %q and the greatest %q", c.zero, c.last, c.next, c.most)
		}
	}
}

// TestInvalidValueGrantsNothing takes requests that are granted access, and gives one fact or place a
// value that its enumeration does not have. The request is then unspecified.
func TestInvalidValueGrantsNothing(t *testing.T) {
	const next = rtdbauth.Yes + 1
	policy := rtdbauth.Policy{ScopeBase: scopeBase, LegacyIn: []rtdbauth.Place{rtdbauth.InHeader, 255}}
	for _, c := range []struct {
		name   string
		kind   rtdbauth.Kind
		place  rtdbauth.Place
		change func(*rtdbauth.Credential, *rtdbauth.Facts)
	}{
		{"place", rtdbauth.KindOAuthAccess, rtdbauth.InHeader, func(c *rtdbauth.Credential, _ *rtdbauth.Facts) { c.Place = rtdbauth.InAuth + 1 }},
		{"greatest place", rtdbauth.KindOAuthAccess, rtdbauth.InHeader, func(c *rtdbauth.Credential, _ *rtdbauth.Facts) { c.Place = 255 }},
		{"admitted place", rtdbauth.KindLegacySecret, rtdbauth.InHeader, func(c *rtdbauth.Credential, _ *rtdbauth.Facts) { c.Place = 255 }},
		{"kind", rtdbauth.KindOAuthAccess, rtdbauth.InHeader, func(_ *rtdbauth.Credential, f *rtdbauth.Facts) { f.Kind = rtdbauth.KindOther + 1 }},
		{"greatest kind", rtdbauth.KindIDToken, rtdbauth.InAuth, func(_ *rtdbauth.Credential, f *rtdbauth.Facts) { f.Kind = 255 }},
		{"verified", rtdbauth.KindOAuthAccess, rtdbauth.InHeader, func(_ *rtdbauth.Credential, f *rtdbauth.Facts) { f.Verified = next }},
		{"service account", rtdbauth.KindOAuthAccess, rtdbauth.InHeader, func(_ *rtdbauth.Credential, f *rtdbauth.Facts) { f.ServiceAccount = next }},
		{"permission", rtdbauth.KindOAuthAccess, rtdbauth.InHeader, func(_ *rtdbauth.Credential, f *rtdbauth.Facts) { f.DBPermission = next }},
		{"expired", rtdbauth.KindIDToken, rtdbauth.InAuth, func(_ *rtdbauth.Credential, f *rtdbauth.Facts) { f.Expired = next }},
		{"audience", rtdbauth.KindIDToken, rtdbauth.InAuth, func(_ *rtdbauth.Credential, f *rtdbauth.Facts) { f.Audience = next }},
		{"revoked", rtdbauth.KindLegacySecret, rtdbauth.InHeader, func(_ *rtdbauth.Credential, f *rtdbauth.Facts) { f.Revoked = next }},
	} {
		p, facts := presenting(c.place), factsThat(c.kind, rtdbauth.Yes)
		if d := rtdbauth.Decide(p, []rtdbauth.Facts{facts}, policy, noon); !d.Granted() {
			t.Errorf("%s: the original request is granted nothing: %v", c.name, d.Findings)
		}
		c.change(&p.Credentials[0], &facts)
		d := rtdbauth.Decide(p, []rtdbauth.Facts{facts}, policy, noon)
		if d.Principal != rtdbauth.Unspecified {
			t.Errorf("%s: %v", c.name, d.Principal)
		}
		checkReasons(t, d)
	}
}

// TestDecideIsTotal checks that Decide has an answer and reasons for what Extract never returns.
func TestDecideIsTotal(t *testing.T) {
	several := rtdbauth.Decide(presenting(rtdbauth.InAuth+1, 255), nil, rtdbauth.Policy{}, noon)
	if several.Principal != rtdbauth.Rejected {
		t.Errorf("several credentials in invalid places: %v", several.Principal)
	}
	checkReasons(t, several)

	for name, c := range map[string]struct {
		presented rtdbauth.Presented
		want      rtdbauth.Principal
	}{
		"unknown":                     {rtdbauth.Presented{}, rtdbauth.Unspecified},
		"rejected without a reason":   {rtdbauth.Presented{Reads: rtdbauth.No}, rtdbauth.Rejected},
		"rejected, with a credential": {reads(presenting(rtdbauth.InAuth), rtdbauth.No), rtdbauth.Rejected},
		"open, with a credential":     {reads(presenting(rtdbauth.InAuth), rtdbauth.Unknown), rtdbauth.Unspecified},
		"open, with several":          {reads(presenting(rtdbauth.InAuth, rtdbauth.InAuth), rtdbauth.Unknown), rtdbauth.Rejected},
		"invalid":                     {reads(presenting(), rtdbauth.Yes+1), rtdbauth.Unspecified},
		"invalid, with a credential":  {reads(presenting(rtdbauth.InHeader), 9), rtdbauth.Unspecified},
		"invalid, greatest value":     {reads(presenting(rtdbauth.InHeader), 255), rtdbauth.Unspecified},
		"invalid, with several":       {reads(presenting(rtdbauth.InHeader, rtdbauth.InAuth), 9), rtdbauth.Rejected},
		"invalid, another scheme":     {rtdbauth.Presented{Reads: 9, OtherScheme: true}, rtdbauth.Unspecified},
		"readable, but rejected":      {with(presenting(), diag.Reject, diag.Reject), rtdbauth.Rejected},
		"open, but rejected":          {reads(with(presenting(), diag.Reject), rtdbauth.Unknown), rtdbauth.Rejected},
		"findings without a rule":     {reads(with(presenting(), diag.Advise, diag.Unspecified), rtdbauth.Unknown), rtdbauth.Unspecified},
		"open, with advice only":      {reads(with(presenting(), diag.Advise, diag.Advise), rtdbauth.Unknown), rtdbauth.Unspecified},
		"rejected, but only open":     {reads(with(presenting(), diag.Unspecified), rtdbauth.No), rtdbauth.Rejected},
		"readable, with advice":       {with(presenting(), diag.Advise, diag.Advise), rtdbauth.None},
	} {
		for _, onConflict := range []rtdbauth.Choice{rtdbauth.Strict, rtdbauth.LeastPrivilege} {
			d := rtdbauth.Decide(c.presented, nil, rtdbauth.Policy{OnConflict: onConflict}, noon)
			if want := c.want; d.Principal != want && (onConflict == rtdbauth.Strict || d.Granted()) {
				t.Errorf("%s: %v, want %v", name, d.Principal, want)
			}
			checkReasons(t, d)
			if _, err := json.Marshal(d.Problem(403)); err != nil || fmt.Sprint(d.Findings, d.Findings.Err()) == "" {
				t.Errorf("%s: cannot write the answer: %v", name, err)
			}
		}
	}
}

// reads sets how a request reads.
func reads(p rtdbauth.Presented, how rtdbauth.Fact) rtdbauth.Presented {
	p.Reads = how
	return p
}

// with adds findings without a rule.
func with(p rtdbauth.Presented, kinds ...diag.Kind) rtdbauth.Presented {
	for i, kind := range kinds {
		p.Findings = append(p.Findings, diag.Finding{Kind: kind, Message: fmt.Sprint("message ", i)})
	}
	return p
}

// TestOrderOfFindingsDoesNotMatter uses findings that differ in only one field.
func TestOrderOfFindingsDoesNotMatter(t *testing.T) {
	doc := rtdbauth.Catalogue().Rules()[0]
	var all diag.Findings
	for _, path := range []diag.Pointer{"", "/x", "?auth", "?another"} {
		for _, rule := range []*diag.Rule{doc, nil} {
			for _, kind := range []diag.Kind{diag.Advise, diag.Ignore} {
				all = append(all, diag.Finding{Rule: rule, Kind: kind, Path: path, Message: "message"})
			}
		}
	}
	p := presenting()
	p.Findings = all
	want := rtdbauth.Decide(p, nil, rtdbauth.Policy{}, noon)
	p.Findings = slices.Clone(all)
	slices.Reverse(p.Findings)
	if diff := cmp.Diff(want, rtdbauth.Decide(p, nil, rtdbauth.Policy{}, noon)); diff != "" || len(want.Findings) != len(all) {
		t.Errorf("%d of %d findings; in reverse order (-want +got):\n%s", len(want.Findings), len(all), diff)
	}
	if all[2].Rule != nil {
		t.Error("Decide modified its argument")
	}
}

// presenting returns a request with a credential in each of the places.
func presenting(places ...rtdbauth.Place) rtdbauth.Presented {
	p := rtdbauth.Presented{Reads: rtdbauth.Yes, Location: "/a"}
	for _, place := range places {
		p.Credentials = append(p.Credentials, rtdbauth.Credential{Place: place, Token: rtdbauth.NewToken("t")})
	}
	return p
}

// TestGranted checks that any access for reading or writing counts.
func TestGranted(t *testing.T) {
	for read := range rtdbauth.AccessFull + 1 {
		for write := range rtdbauth.AccessFull + 1 {
			want := max(read, write) > rtdbauth.AccessNone
			if got := (rtdbauth.Decision{Read: read, Write: write}).Granted(); got != want {
				t.Errorf("read %v, write %v: granted %v", read, write, got)
			}
		}
	}
}
