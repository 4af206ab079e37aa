package rtdbauth_test

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// forEachCase calls do for every case.
func forEachCase(do func(rtdbauth.Case)) {
	for reads := range rtdbauth.Yes + 1 {
		for sent := range rtdbauth.SentOtherScheme + 1 {
			for place := rtdbauth.InHeader; place <= rtdbauth.InAuth; place++ {
				for kind := range rtdbauth.KindOther + 1 {
					for holds := range rtdbauth.Yes + 1 {
						for policy := range rtdbauth.RuledLeast + 1 {
							for override := range rtdbauth.AsObject + 1 {
								do(rtdbauth.Case{Reads: reads, Sent: sent, Place: place, Kind: kind, Holds: holds, Policy: policy, Override: override})
							}
						}
					}
				}
			}
		}
	}
}

func TestTableHasOneRowPerCase(t *testing.T) {
	table := rtdbauth.TableRows()
	used := make([]bool, len(table))
	forEachCase(func(c rtdbauth.Case) {
		rows := 0
		for i := range table {
			if table[i].Matches(c) {
				rows++
				used[i] = true
			}
		}
		if rows != 1 {
			t.Errorf("%d rows match %+v", rows, c)
		}
	})
	for i, u := range used {
		if !u {
			t.Errorf("row %d matches no case", i+1)
		}
	}
}

// TestTableAgreesWithTheDocument compares the table with the conditions of the document.
func TestTableAgreesWithTheDocument(t *testing.T) {
	forEachCase(func(c rtdbauth.Case) {
		for i, row := range rtdbauth.TableRows() {
			if !row.Matches(c) || row.Least {
				continue
			}
			if want := principalOf(c); row.Principal != want {
				t.Errorf("row %d: principal %v for %+v, want %v", i+1, row.Principal, c, want)
			}
			bypass := row.Principal == rtdbauth.ServiceAccount && c.Override == rtdbauth.NotOverridden || row.Principal == rtdbauth.Legacy && c.Policy == rtdbauth.RuledBypass
			if row.Bypass != bypass {
				t.Errorf("row %d: bypass %t for %+v", i+1, row.Bypass, c)
			}
		}
	})
}

// principalOf decides step by step.
func principalOf(c rtdbauth.Case) rtdbauth.Principal {
	switch {
	case c.Reads == rtdbauth.No:
		return rtdbauth.Rejected
	case c.Sent == rtdbauth.SentSeveral && c.Policy != rtdbauth.RuledLeast:
		return rtdbauth.Rejected
	case c.Sent == rtdbauth.SentOtherScheme && c.Policy == rtdbauth.RuledOut:
		return rtdbauth.Rejected
	case c.Sent == rtdbauth.SentOtherScheme, c.Reads == rtdbauth.Unknown:
		return rtdbauth.Unspecified
	case c.Sent == rtdbauth.SentNothing && c.Override != rtdbauth.NotOverridden:
		return rtdbauth.Unspecified
	case c.Sent == rtdbauth.SentNothing:
		return rtdbauth.None
	case c.Sent == rtdbauth.SentSeveral: // of which the least would count
		return rtdbauth.Rejected
	default:
		return principalOfToken(c)
	}
}

func principalOfToken(c rtdbauth.Case) rtdbauth.Principal {
	var belongs bool
	var granted rtdbauth.Principal
	switch c.Kind {
	case rtdbauth.KindOAuthAccess:
		belongs, granted = c.Place != rtdbauth.InAuth, rtdbauth.ServiceAccount
	case rtdbauth.KindIDToken:
		belongs, granted = c.Place == rtdbauth.InAuth, rtdbauth.User
	case rtdbauth.KindLegacySecret, rtdbauth.KindLegacyToken:
		belongs, granted = c.Policy != rtdbauth.RuledOut, rtdbauth.Legacy
	}
	admitted := granted != rtdbauth.Legacy || c.Policy == rtdbauth.RuledApply || c.Policy == rtdbauth.RuledBypass
	switch {
	case c.Kind == rtdbauth.KindUnknown && c.Holds != rtdbauth.No:
		return rtdbauth.Unspecified
	case !belongs || c.Holds == rtdbauth.No:
		return rtdbauth.Rejected
	case c.Holds == rtdbauth.Unknown || !admitted:
		return rtdbauth.Unspecified
	case c.Override != rtdbauth.NotOverridden && granted != rtdbauth.ServiceAccount:
		return rtdbauth.Rejected
	default:
		return granted
	}
}

// TestDecideFollowsTheTable compares the decision about a request of every case with the row.
func TestDecideFollowsTheTable(t *testing.T) {
	table := rtdbauth.TableRows()
	forEachCase(func(c rtdbauth.Case) {
		w, policy, ok := concrete(c)
		if !ok {
			return
		}
		d := decide(w, verifier{"t": factsThat(c.Kind, map[rtdbauth.Fact]*bool{rtdbauth.No: no, rtdbauth.Yes: yes}[c.Holds])}, policy)
		for i := range table {
			if row := &table[i]; row.Matches(c) && !row.Least &&
				(d.Principal != row.Principal || d.Bypass != row.Bypass || d.Granted() == (row.Principal == rtdbauth.Rejected || row.Principal == rtdbauth.Unspecified)) {
				t.Errorf("%+v: decision %+v, but row %d says %v", c, d, i+1, row.Principal)
			}
		}
	})
}

// concrete returns a request of the case. It returns false if the policy of the case cannot occur,
// because it is about something else. An override, and a token of no kind that is not genuine, occur in one dialect only.
func concrete(c rtdbauth.Case) (w wire, policy rtdbauth.Policy, ok bool) {
	policy = rtdbauth.Policy{ScopeBase: scopeBase}
	if c.Override != rtdbauth.NotOverridden || c.Kind == rtdbauth.KindUnknown && c.Holds == rtdbauth.No {
		policy.Dialect = diag.Google
		policy.LegacyIn = []rtdbauth.Place{}
	}
	legacy := c.Kind == rtdbauth.KindLegacySecret || c.Kind == rtdbauth.KindLegacyToken
	switch c.Policy {
	case rtdbauth.RuledOut:
		policy.RejectLegacy, policy.RejectOtherSchemes = true, true
		ok = c.Sent == rtdbauth.SentOtherScheme || c.Sent == rtdbauth.SentOne && legacy
	case rtdbauth.RuledApply, rtdbauth.RuledBypass:
		policy.LegacyIn = []rtdbauth.Place{c.Place}
		policy.LegacyBypass = new(c.Policy == rtdbauth.RuledBypass)
		ok = c.Sent == rtdbauth.SentOne && legacy
	case rtdbauth.RuledLeast:
		policy.LeastPrivilege = true
		ok = c.Sent == rtdbauth.SentSeveral
	default:
		ok = true
	}
	switch c.Sent {
	case rtdbauth.SentOne:
		w = presenting(c.Place)
	case rtdbauth.SentSeveral:
		w = presenting(rtdbauth.InAuth, rtdbauth.InAuth)
	case rtdbauth.SentOtherScheme:
		w = presenting()
		w.headers = [][2]string{{"Authorization", "Basic t"}}
	default:
		w = presenting()
	}
	if c.Override != rtdbauth.NotOverridden {
		w.pairs = append(w.pairs, map[rtdbauth.Override]string{rtdbauth.AsNobody: "auth_variable_override=null", rtdbauth.AsObject: `auth_variable_override={"uid":"ada"}`}[c.Override])
	}
	switch c.Reads {
	case rtdbauth.No:
		w.path = "/users"
	case rtdbauth.Unknown:
		w.method = "get"
	}
	return w, policy, ok
}

var yes, no = new(true), new(false)

// factsThat returns facts that are good if holds is true.
func factsThat(kind rtdbauth.Kind, holds *bool) rtdbauth.Facts {
	uid := "jill"
	scopes, _ := (&rtdbauth.Policy{ScopeBase: scopeBase}).RequiredScopes()
	public, _ := (&rtdbauth.Policy{ScopeBase: scopeBase, Dialect: diag.Google}).RequiredScopes()
	return rtdbauth.Facts{
		Kind: kind, Verified: holds, Expired: no, Revoked: no, Audience: yes,
		ServiceAccount: yes, DBPermission: yes, Scopes: append(scopes[:], public[1]), UID: &uid,
	}
}

// TestTableText compares the Markdown of the table with testdata/table.md.
func TestTableText(t *testing.T) {
	const file = "testdata/table.md"
	got := rtdbauth.Table().String()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); run go test -update:\n%s", file, diff)
	}
}
