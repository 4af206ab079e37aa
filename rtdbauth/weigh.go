package rtdbauth

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/occasion"
)

var scopesRule = &diag.Rule{
	ID: "rtdb.service-account.scopes", Kind: diag.Reject, When: occasion.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "An access token has both scopes, userinfo.email and platform.database, under the scope base.",
	Section: "rtdb.md, Service-account access token, 3",
	Good:    ask("", sampleBearer, sampleKnownSA, samplePolicy),
	Bad: ask("", sampleBearer, samplePolicy,
		`"known":{"sa-1":{`+sampleSA+`,"scopes":["https://scope.example/auth/platform.database"]}}`),
}

var expiredRule = &diag.Rule{
	ID: "rtdb.id-token.expired", Kind: diag.Reject, When: occasion.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "An identity token has not expired. Its lifetime is not shown, so the verifier or the token itself says when it expires.",
	Section: "rtdb.md, Identity token, 3",
	Good:    ask("", sampleAuth, `"known":{"_now":1700000000,"id-1":{`+sampleID+`,"exp":1700000001}}`),
	Bad:     ask("", sampleAuth, `"known":{"_now":1700000000,"id-1":{`+sampleID+`,"exp":1700000000}}`),
}

var revokedRule = &diag.Rule{
	ID: "rtdb.legacy.revoked", Kind: diag.Decide, When: occasion.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "When a user with secret access is removed, a new secret is generated and the existing one is revoked. A revoked secret grants nothing.",
	Section: "rtdb.md, Legacy tokens, 3",
	Why:     "Secrets are long-lived. Only revocation ends them, so the verifier must know that a secret has not been revoked.",
	Good: ask(`{"principal":"rejected","read":"none","findings":[{"rule":"rtdb.legacy.revoked","kind":"reject","path":"?auth"}]}`,
		`"method":"GET","url":"/users/jack.json?auth=secret-0"`, sampleSecrets, sampleAdmit),
	Bad: ask(answerLegacy, sampleLegacy, sampleSecrets, sampleAdmit),
}

// evidence is everything that determines what a token is worth.
type evidence struct {
	Facts
	token  Token
	policy *Policy
	now    time.Time // zero if unknown
}

// requirement is one thing that must be true of a token.
type requirement struct {
	asked  set[Kind]                            // the kinds for which the fact must not be no
	needed set[Kind]                            // the kinds for which it must be yes
	fact   func(*evidence) (f fact, why string) // why is the message if it is not yes
	rule   *diag.Rule                           // for the kinds of own; other kinds have their own rule
	own    set[Kind]
}

var (
	oauthAccess  = setOf(KindOAuthAccess)
	idToken      = setOf(KindIDToken)
	legacySecret = setOf(KindLegacySecret)
	legacyToken  = setOf(KindLegacyToken)
	legacyKinds  = legacySecret | legacyToken
	shortLived   = oauthAccess | idToken
	allKinds     = legacyKinds | shortLived
)

// requirements are in the order of their findings.
//
// A secret does not need an expiry time, because secrets are long-lived (Legacy tokens, 3). The
// document does not say whether legacy tokens expire or can be revoked, so it is enough if the
// verifier denies one of the two.
var requirements = []requirement{
	{asked: oauthAccess, needed: oauthAccess, fact: stated((*evidence).accessForm,
		"An access token consists of printable ASCII characters (RFC 6749 A.12). Send the token as it was issued.", "")},
	{asked: idToken, needed: idToken, fact: stated((*evidence).identityForm,
		"An identity token consists of base64url characters and dots (RFC 7515 3.1). Send the token as it was issued.", "")},
	{asked: allKinds, needed: allKinds, fact: stated(func(e *evidence) fact { return known(e.Verified) },
		"The verifier says that the token is not genuine. Get one from its issuer.",
		"The verifier does not say whether the token is genuine (verified). It must.")},
	{asked: oauthAccess, needed: oauthAccess, fact: stated(func(e *evidence) fact { return known(e.ServiceAccount) },
		"The access token was not issued to a service account. Get one with the key file of a service account.",
		"The verifier does not say whether the access token was issued to a service account (issued_to). It must.")},
	{asked: allKinds, needed: shortLived, fact: (*evidence).unexpired, rule: expiredRule, own: idToken},
	{asked: allKinds, needed: allKinds, fact: (*evidence).begun},
	{asked: allKinds, needed: legacySecret, fact: (*evidence).unrevoked, rule: revokedRule, own: legacyKinds},
	{asked: legacyToken, needed: legacyToken, fact: stated((*evidence).current,
		"The legacy token has expired and has been revoked. Send an access token or an identity token.",
		"The verifier must say that the legacy token has not expired (expired, exp) or that it has not been revoked (revoked).")},
	{asked: oauthAccess, needed: oauthAccess, fact: (*evidence).scoped, rule: scopesRule, own: oauthAccess},
	{asked: oauthAccess, needed: oauthAccess, fact: stated(func(e *evidence) fact { return known(e.DBPermission) },
		"The service account has no permissions for the database. Grant them, or use another service account.",
		"The verifier does not say whether the service account has permissions for the database (db_permission). It must.")},
	{asked: allKinds, needed: idToken, fact: stated(func(e *evidence) fact { return known(e.Audience) },
		"The token was issued for another project. Get one for this project.",
		"The verifier does not say for which project the token was issued (audience). It must.")},
	{asked: allKinds, fact: stated(func(e *evidence) fact { return known(e.Database) },
		"The token was issued for another database. Get one for this database.", "")},
	{asked: idToken, needed: idToken, fact: stated((*evidence).identified,
		"The uid of the token is empty, so it does not identify a user. Sign in as a user.",
		"The verifier does not say which user the token identifies (uid). It must.")},
}

// stated returns the function for a fact with fixed messages.
func stated(of func(*evidence) fact, whenNo, whenUnknown string) func(*evidence) (fact, string) {
	return func(e *evidence) (fact, string) {
		f := of(e)
		return f, [...]string{unknown: whenUnknown, no: whenNo, yes: ""}[f]
	}
}

// weigh reports whether a token meets all requirements of its kind: no if it fails one, otherwise
// unknown if one is unknown. The findings give all reasons for a no, or else all for an unknown.
func (e *evidence) weigh(at diag.Pointer) (fact, diag.Findings) {
	var bad, open diag.Findings
	for i := range requirements {
		r := &requirements[i]
		if !r.asked.Has(e.Kind) {
			continue
		}
		switch f, why := r.fact(e); {
		case f == no:
			bad = append(bad, oldFinding(r.ruleFor(e.Kind), diag.Reject, at, why))
		case f == unknown && r.needed.Has(e.Kind):
			open = append(open, oldFinding(r.ruleFor(e.Kind), diag.Unspecified, at, why))
		}
	}
	if bad != nil {
		return no, bad
	}
	if open != nil {
		return unknown, open
	}
	return yes, nil
}

// kindRules are the rules about tokens of a kind.
var kindRules = map[Kind]*diag.Rule{
	KindOAuthAccess: serviceAccountRule, KindIDToken: idTokenRule, KindLegacySecret: legacyRule, KindLegacyToken: legacyRule,
}

// ruleFor returns the rule that a token of the kind breaks if it does not meet the requirement.
func (r *requirement) ruleFor(k Kind) *diag.Rule {
	if r.own.Has(k) {
		return r.rule
	}
	return kindRules[k]
}

// accessForm reports whether the token has the form of an access token, 1*VSCHAR.
func (e *evidence) accessForm() fact {
	text := e.token.Reveal()
	return factOf(text != "" && !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' }))
}

// identityForm reports whether the token could be one in the compact form of JSON Web Tokens. How
// many parts it has is for the verifier to say.
func (e *evidence) identityForm() fact { return factOf(consistsOf(e.token.Reveal(), "-_.")) }

// unexpired considers the word of the verifier and the token's own time. A token has expired from
// the second of its expiry on (RFC 7519 section 4.1.4).
func (e *evidence) unexpired() (fact, string) {
	remedy := e.remedy(" Get a new token and use it soon.")
	byTime := unknown
	if !e.Expires.IsZero() && !e.now.IsZero() {
		byTime = factOf(e.now.Before(e.Expires.Add(e.policy.leeway())))
	}
	switch {
	case known(e.Expired) == yes:
		return no, "The verifier says that the token has expired." + remedy
	case byTime == no:
		return no, "The token expired at " + clock(e.Expires) + e.clockNow() + remedy
	case known(e.Expired) == no || byTime == yes:
		return yes, ""
	case !e.Expires.IsZero():
		return unknown, "The token expires at " + clock(e.Expires) + ", but the current time is unknown. Set it (_now, in Unix seconds)."
	default:
		return unknown, "The verifier says neither whether the token has expired (expired) nor when it expires (exp). It must."
	}
}

// remedy returns the advice to get a new token, or that to upgrade a legacy credential.
func (e *evidence) remedy(renew string) string {
	if legacyKinds.Has(e.Kind) {
		return " Send an access token or an identity token."
	}
	return renew
}

// begun reports whether the current time is neither before the time from which the token is valid
// nor before the time at which it was issued.
func (e *evidence) begun() (fact, string) {
	const remedy = " Send it later, or set the clock right."
	validFrom, issued := e.past(e.NotBefore), e.past(e.IssuedAt)
	switch {
	case validFrom == no:
		return no, "The token is valid only from " + clock(e.NotBefore) + e.clockNow() + remedy
	case issued == no:
		return no, "The token was issued at " + clock(e.IssuedAt) + e.clockNow() + remedy
	default:
		return validFrom.and(issued), "The token is valid from a certain time (nbf, iat), but the current time is unknown. Set it (_now, in Unix seconds)."
	}
}

func (e *evidence) past(t time.Time) fact {
	switch {
	case t.IsZero():
		return yes
	case e.now.IsZero():
		return unknown
	default:
		return factOf(!e.now.Add(e.policy.leeway()).Before(t))
	}
}

// clockNow ends a sentence with the current time and the leeway.
func (e *evidence) clockNow() string {
	text := ", and the time is now " + clock(e.now)
	if leeway := e.policy.leeway(); leeway > 0 {
		text += fmt.Sprintf(" with a leeway of %d seconds", leeway/time.Second)
	}
	return text + "."
}

// clock formats a time according to RFC 3339 in UTC, or, if its year does not have four digits, as
// Unix seconds.
func clock(t time.Time) string {
	t = t.Round(time.Microsecond) // the last nanosecond before the year 1 stands for its beginning
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return fmt.Sprintf("Unix second %d", t.Unix())
	}
	return t.Format(time.RFC3339Nano)
}

func (e *evidence) unrevoked() (fact, string) {
	switch revoked := known(e.Revoked); {
	case revoked != yes:
		return revoked.not(), "The verifier does not say whether the secret has been revoked (revoked). It must, because secrets are long-lived."
	case e.Kind == KindLegacySecret:
		return no, "The secret has been revoked. The administration console shows the new one in the service accounts section."
	default:
		return no, "The token has been revoked." + e.remedy(" Get a new one.")
	}
}

// current reports whether a token has not expired or has not been revoked.
func (e *evidence) current() fact {
	unexpired, _ := e.unexpired()
	return unexpired.not().and(known(e.Revoked)).not()
}

// scoped compares scopes according to RFC 6749 section 3.3: case-sensitive, in any order. Without a
// scope base it is unknown which scopes are required, but not that both have the same base.
func (e *evidence) scoped() (fact, string) {
	required, ok := e.policy.RequiredScopes()
	switch {
	case !ok && e.Scopes != nil && !haveBase(e.Scopes, required):
		return no, "The access token does not have two scopes that end in " + required[0] + " and " + required[1] +
			" after the same scope base. Get one with both required scopes."
	case !ok:
		return unknown, "The policy has no scope base, so it is unknown which scopes the access token needs. Set it (scope_base)."
	case e.Scopes == nil:
		return unknown, "The verifier does not say which scopes the access token has (scopes). It must."
	default:
		missing := slices.DeleteFunc(required[:], func(scope string) bool { return slices.Contains(e.Scopes, scope) })
		if len(missing) == 0 {
			return yes, ""
		}
		return no, "The access token lacks " + strings.Join(missing, " and ") + ". Get one with both required scopes."
	}
}

// haveBase reports whether the scopes include both of those with these ends, after the same base.
func haveBase(scopes []string, ends [2]string) bool {
	have := map[string]bool{}
	for _, scope := range scopes {
		have[scope] = true
	}
	return slices.ContainsFunc(scopes, func(scope string) bool {
		base, found := strings.CutSuffix(scope, ends[0])
		return found && base != "" && have[base+ends[1]]
	})
}

func (e *evidence) identified() fact {
	if e.UID == nil {
		return unknown
	}
	return factOf(*e.UID != "")
}
