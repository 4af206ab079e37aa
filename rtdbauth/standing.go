package rtdbauth

import (
	"fmt"
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
	rule   func(Kind) *diag.Rule
	asked  Set[Kind] // the kinds of which it must not be No
	needed Set[Kind] // the kinds of which it must be Yes; of the others it may be Unknown

	fact    func(*evidence) Fact
	no      func(*evidence) string // what a finding says where it is No
	unknown func(*evidence) string // and where it is needed and Unknown
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
		says("the verifier says that the token is not genuine; get one from its issuer"),
		says("the verifier does not say whether the token is genuine (verified); it has to")},
	{kindRule, SetOf(KindOAuthAccess), SetOf(KindOAuthAccess), func(e *evidence) Fact { return e.ServiceAccount },
		says("the access token was not issued to a service account; get one with a service account's key file"),
		says("the verifier does not say whether the access token was issued to a service account (issued_to); it has to")},
	{expiryRule, allKinds, shortLived, (*evidence).unexpired, (*evidence).expiredWhen, (*evidence).expiryUnknown},
	{kindRule, allKinds, allKinds, (*evidence).begun, (*evidence).begunWhen,
		says("the token has a time from which it is valid (nbf, iat), and there is no clock to judge it by; give the time (_now)")},
	{revocationRule, allKinds, SetOf(KindLegacySecret), (*evidence).unrevoked, (*evidence).revokedWhat,
		says("the verifier does not say whether the secret has been revoked (revoked); it has to, for secrets are long-lived")},
	{kindRule, SetOf(KindLegacyToken), SetOf(KindLegacyToken), func(e *evidence) Fact { return e.unexpired().or(e.unrevoked()) },
		says("the legacy token has both expired and been revoked; send an access token or an identity token"),
		says("the verifier says neither that the legacy token has not expired (expired, exp) nor that it has not been revoked (revoked); one will do")},
	{scopeRule, SetOf(KindOAuthAccess), SetOf(KindOAuthAccess), (*evidence).scoped, (*evidence).scopesMissing, (*evidence).scopesUnknown},
	{kindRule, SetOf(KindOAuthAccess), SetOf(KindOAuthAccess), func(e *evidence) Fact { return e.DBPermission },
		says("the service account has no suitable permissions for the database; grant them to it, or use one that has them"),
		says("the verifier does not say whether the service account has permissions for the database (db_permission); it has to")},
	{kindRule, allKinds, SetOf(KindIDToken), func(e *evidence) Fact { return e.Audience },
		says("the token was issued for another project; get one for this project"),
		says("the verifier does not say for which project the token was issued (audience); it has to")},
	{kindRule, allKinds, 0, func(e *evidence) Fact { return e.Database },
		says("the token was issued for another database; get one for this database"), says("")},
	{kindRule, SetOf(KindIDToken), SetOf(KindIDToken), (*evidence).identified,
		says("the token's uid is empty, so that it identifies nobody; sign in as a user"),
		says("the verifier does not say which user the token identifies (uid); it has to")},
}

// says makes a message of which no part depends on what was seen.
func says(message string) func(*evidence) string { return func(*evidence) string { return message } }

// expiredWhen says whose word it is that the token has expired.
func (e *evidence) expiredWhen() string {
	const remedy = "; get a new one and use it soon"
	if e.Expired == Yes {
		return "the verifier says that the token has expired" + remedy
	}
	return "the token expired at " + clock(e.Expires) + e.today() + remedy
}

func (e *evidence) expiryUnknown() string {
	if !e.Expires.IsZero() {
		return "the token expires at " + clock(e.Expires) + ", and there is no clock to judge that by; give the time (_now)"
	}
	return "the verifier says neither whether the token has expired (expired) nor when it does (exp); it has to"
}

func (e *evidence) begunWhen() string {
	what, from := "valid from ", e.NotBefore
	if e.past(e.NotBefore) != No {
		what, from = "issued at ", e.IssuedAt
	}
	return "the token is " + what + clock(from) + " only" + e.today() + "; send it later, or set the clock right"
}

// today tells the time, and by how much it may be off.
func (e *evidence) today() string {
	text := ", and it is " + clock(e.now)
	if e.leeway > 0 {
		text += fmt.Sprintf(" with a leeway of %d s", e.leeway/time.Second)
	}
	return text
}

// clock writes a time as RFC 3339 does, in UTC. Of years beyond 9999, which that cannot write
// and nobody reads, it gives the seconds.
func clock(t time.Time) string {
	if t.Equal(yearOne) {
		t = time.Time{}
	}
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return fmt.Sprintf("unix second %d", t.Unix())
	}
	return t.Format(time.RFC3339Nano)
}

func (e *evidence) revokedWhat() string {
	if e.Kind == KindLegacySecret {
		return "the secret has been revoked; the one in its place is in the administration console, in the service accounts section"
	}
	return "the token has been revoked; get a new one"
}

// scopesMissing names the scopes, which are the policy's words and not the token's.
func (e *evidence) scopesMissing() string {
	missing := e.missingScopes()
	return fmt.Sprintf("the access token lacks %s; get one with both required scopes", strings.Join(missing, " and "))
}

func (e *evidence) scopesUnknown() string {
	if e.scopeBase == "" {
		return "the policy has no scope base, so that it is not known which two scopes the access token needs; set it (scope_base)"
	}
	return "the verifier does not say which scopes the access token has (scopes); it has to"
}

// standing reports whether all facts that matter for the token's kind are good: No where one
// is bad, else Unknown where one is not known that is needed. The findings say which, all of
// them; what is open about a token that is refused anyway is left out.
func standing(e *evidence, at diag.Pointer) (Fact, diag.Findings) {
	var bad, open diag.Findings
	for i := range factChecks {
		switch c := &factChecks[i]; c.holds(e) {
		case No:
			bad = append(bad, diag.Finding{Rule: c.rule(e.Kind), Kind: diag.Reject, Path: at, Message: c.no(e)})
		case Unknown:
			open = append(open, diag.Finding{Rule: c.rule(e.Kind), Kind: diag.Unspecified, Path: at, Message: c.unknown(e)})
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
	fact := orZero(factWords, c.fact(e))
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
	return FactOf(len(e.missingScopes()) == 0)
}

// missingScopes returns the required scopes that the token does not have.
func (e *evidence) missingScopes() []string {
	var missing []string
	for _, scope := range RequiredScopes(e.scopeBase) {
		if !slices.Contains(e.Scopes, scope) {
			missing = append(missing, scope)
		}
	}
	return missing
}

func (e *evidence) identified() Fact {
	if e.UID == nil {
		return Unknown
	}
	return FactOf(*e.UID != "")
}

// kindRule returns the rule that says what a token of the kind is good for.
func kindRule(k Kind) *diag.Rule {
	switch {
	case k == KindIDToken:
		return docIDToken
	case legacyKinds.Has(k):
		return docLegacy
	default:
		return docServiceAccount
	}
}

func expiryRule(k Kind) *diag.Rule {
	if k == KindIDToken {
		return docExpired
	}
	return kindRule(k)
}

func revocationRule(k Kind) *diag.Rule {
	if legacyKinds.Has(k) {
		return docRevoked
	}
	return kindRule(k)
}

func scopeRule(Kind) *diag.Rule { return docScopes }
