package rtdbauth

import (
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
)

// RequiredScopes returns the two scopes that a service account's access token needs
// (Service-account access token, 3). The base is the scope namespace address, with or without
// a slash at its end.
func RequiredScopes(base string) [2]string {
	base = strings.TrimSuffix(base, "/")
	return [2]string{base + "/auth/userinfo.email", base + "/auth/platform.database"}
}

// evidence is all that the standing of one token is judged by.
type evidence struct {
	Facts
	now       time.Time // zero where there is no clock
	leeway    time.Duration
	scopeBase string
}

// factCheck is one thing that must be so for a token to be worth something.
type factCheck struct {
	rule   func(Kind) *diag.Doc
	asked  Set[Kind] // the kinds of which it must not be No
	needed Set[Kind] // the kinds of which it must be Yes; of the others it may be Unknown

	fact    func(*evidence) Fact
	no      string // what a finding says where it is No
	unknown string // and where it is needed and Unknown
}

var (
	legacyKinds = SetOf(KindLegacySecret, KindLegacyToken)
	allKinds    = SetOf(KindOAuthAccess, KindIDToken, KindLegacySecret, KindLegacyToken)
	shortLived  = SetOf(KindOAuthAccess, KindIDToken)
)

// factChecks are all checks, in the order in which their findings are given.
//
// Of a secret no expiry is needed, for secrets are long-lived (Legacy tokens, 3). Of a
// legacy token the document says neither that it expires nor that it is revoked, so either
// fact will do as its verifier's word that it still stands.
var factChecks = []factCheck{
	{kindRule, allKinds, allKinds, func(e *evidence) Fact { return e.Verified },
		"the verifier does not vouch for the token", "the verifier does not say whether the token is genuine"},
	{kindRule, SetOf(KindOAuthAccess), SetOf(KindOAuthAccess), func(e *evidence) Fact { return e.ServiceAccount },
		"the access token was not issued to a service account", "it is not known whether the access token was issued to a service account"},
	{expiryRule, allKinds, shortLived, (*evidence).unexpired,
		"the token has expired; get a new one and use it soon", "it is not known whether the token has expired"},
	{kindRule, allKinds, allKinds, (*evidence).begun,
		"the token is not valid yet", "the token has a time from which it is valid, and there is no clock to judge it by"},
	{revocationRule, allKinds, SetOf(KindLegacySecret), (*evidence).unrevoked,
		"the token has been revoked", "it is not known whether the secret has been revoked"},
	{kindRule, SetOf(KindLegacyToken), SetOf(KindLegacyToken), func(e *evidence) Fact { return e.unexpired().or(e.unrevoked()) },
		"the token no longer stands", "it is not known whether the legacy token still stands: neither expiry nor revocation is"},
	{scopeRule, SetOf(KindOAuthAccess), SetOf(KindOAuthAccess), (*evidence).scoped,
		"the access token lacks one of the two required scopes, or both", "the token's scopes, or the scope base of the policy, are not known"},
	{kindRule, SetOf(KindOAuthAccess), SetOf(KindOAuthAccess), func(e *evidence) Fact { return e.DBPermission },
		"the service account has no suitable permissions for the database", "it is not known whether the service account has permissions for the database"},
	{kindRule, allKinds, SetOf(KindIDToken), func(e *evidence) Fact { return e.Audience },
		"the token was issued for another project", "it is not known for which project the token was issued"},
	{kindRule, allKinds, 0, func(e *evidence) Fact { return e.Database },
		"the token was issued for another database", ""},
	{kindRule, SetOf(KindIDToken), SetOf(KindIDToken), (*evidence).identified,
		"the token identifies nobody", "it is not known which user the token identifies"},
}

// standing reports whether all facts that matter for the token's kind are good: No where one
// is bad, else Unknown where one is not known that is needed. The findings say which, all of
// them; what is open about a token that is refused anyway is left out.
func standing(e *evidence, at diag.Pointer) (Fact, diag.Findings) {
	var bad, open diag.Findings
	for i := range factChecks {
		switch c := &factChecks[i]; c.holds(e) {
		case No:
			bad = append(bad, diag.Finding{Rule: c.rule(e.Kind), Kind: diag.Reject, Path: at, Message: c.no})
		case Unknown:
			open = append(open, diag.Finding{Rule: c.rule(e.Kind), Kind: diag.Unspecified, Path: at, Message: c.unknown})
		}
	}
	switch {
	case bad != nil:
		return No, bad
	case open != nil:
		return Unknown, open
	default:
		return Yes, nil
	}
}

// holds returns the fact where it matters for the token's kind, and Yes where it does not.
func (c *factCheck) holds(e *evidence) Fact {
	if !c.asked.Has(e.Kind) {
		return Yes
	}
	fact := c.fact(e)
	if fact == Unknown && !c.needed.Has(e.Kind) {
		return Yes
	}
	return fact
}

// unexpired is judged by the word of the verifier and by the token's own time; either may
// say that the token has expired. At the very second of its expiry it has (RFC 7519
// section 4.1.4).
func (e *evidence) unexpired() Fact {
	byTime := Unknown
	if !e.Expires.IsZero() && !e.now.IsZero() {
		byTime = FactOf(e.now.Before(e.Expires.Add(e.leeway)))
	}
	switch word := e.Expired.not(); {
	case word == No || byTime == No:
		return No
	case word == Yes || byTime == Yes:
		return Yes
	default:
		return Unknown
	}
}

// begun reports whether neither the time from which the token is valid nor the time at which
// it was issued lies ahead. A token that has no such time is valid from the start.
func (e *evidence) begun() Fact {
	return e.past(e.NotBefore).and(e.past(e.IssuedAt))
}

func (e *evidence) past(t time.Time) Fact {
	switch {
	case t.IsZero():
		return Yes
	case e.now.IsZero():
		return Unknown
	default:
		return FactOf(!e.now.Add(e.leeway).Before(t))
	}
}

func (e *evidence) unrevoked() Fact { return e.Revoked.not() }

// scoped compares scopes as RFC 6749 section 3.3 has them: case-sensitive, in any order.
func (e *evidence) scoped() Fact {
	if e.Scopes == nil || e.scopeBase == "" {
		return Unknown
	}
	required := RequiredScopes(e.scopeBase)
	return FactOf(slices.Contains(e.Scopes, required[0]) && slices.Contains(e.Scopes, required[1]))
}

func (e *evidence) identified() Fact {
	if e.UID == nil {
		return Unknown
	}
	return FactOf(*e.UID != "")
}

// kindRule returns the rule that says what a token of the kind is good for.
func kindRule(k Kind) *diag.Doc {
	switch {
	case k == KindIDToken:
		return docIDToken
	case legacyKinds.Has(k):
		return docLegacy
	default:
		return docServiceAccount
	}
}

func expiryRule(k Kind) *diag.Doc {
	if k == KindIDToken {
		return docExpired
	}
	return kindRule(k)
}

func revocationRule(k Kind) *diag.Doc {
	if legacyKinds.Has(k) {
		return docRevoked
	}
	return kindRule(k)
}

func scopeRule(Kind) *diag.Doc { return docScopes }
