package rtdbauth

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
)

// upgrade is the advice for clients that send a legacy credential that is no longer valid.
const upgrade = "Send an access token or an identity token."

// saysToken contains the sentences about requirements on all kinds of tokens.
var saysToken = diag.Sentences{
	{Key: "not-genuine", Text: "The verifier reports that the token is not genuine. Get a token from the issuer."},
	{Key: "genuine-unknown", Text: "The verifier does not report whether the token is genuine. It must set verified (in Go, Facts.Verified)."},
	{Key: "valid-from", Text: "The token is valid only from {from}, and the time is now {now}."},
	{Key: "valid-from-leeway", Text: "The token is valid only from {from}, and the time is now {now} with a leeway of {leeway} seconds."},
	{Key: "issued-at", Text: "The token was issued at {from}, and the time is now {now}."},
	{Key: "issued-at-leeway", Text: "The token was issued at {from}, and the time is now {now} with a leeway of {leeway} seconds."},
	{Key: "later", Text: "Send the token later, or correct the clock."},
	{Key: "begin-unknown", Text: "The token is valid from a certain time (nbf, iat), but the current time is unknown. Set the time (_now, in Unix seconds)."},
	{Key: "other-project", Text: "The token was issued for another project. Get a token for this project."},
	{Key: "project-unknown", Text: "The verifier does not report the project for which the token was issued. It must set audience (in Go, Facts.Audience)."},
	{Key: "other-database", Text: "The token was issued for another database. Get a token for this database."},
	{Key: "revoked", Text: "The token has been revoked."},
	{Key: "replace", Text: "Get a new token."},
}

// saysExpiry contains the sentences about the expiration of a token.
var saysExpiry = diag.Sentences{
	{Key: "expired", Text: "The verifier reports that the token has expired."},
	{Key: "expired-at", Text: "The token expired at {end}, and the time is now {now}."},
	{Key: "expired-at-leeway", Text: "The token expired at {end}, and the time is now {now} with a leeway of {leeway} seconds."},
	{Key: "now-unknown", Text: "The token expires at {end}, but the current time is unknown. Set the time (_now, in Unix seconds)."},
	{Key: "end-of-token-unknown", Text: "The verifier does not report whether the token has expired or when it expires. It must set expired or exp (in Go, Facts.Expired or Facts.Expires)."},
	{Key: "renew", Text: "Get a new token, and use it before it expires."},
	{Key: "upgrade", Text: upgrade},
}

// evidence contains the facts that determine whether a token is valid.
type evidence struct {
	Facts
	credential
	policy *Policy
	now    time.Time // zero if unknown
}

// said is the key of a message, with its arguments.
type said struct {
	key  string
	args []diag.Arg
}

// A requirement is a condition that a token must meet.
type requirement struct {
	asked  set[Kind]                          // the kinds for which the fact must not be no
	needed set[Kind]                          // the kinds for which the fact must be yes
	fact   func(*evidence) (f fact, why said) // why is the message to report if f is not yes
	rule   *diag.Rule                         // the rule for the kinds in own; for other kinds, see kindRules
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

// requirements lists all requirements in the order of their findings.
//
// A secret does not need an expiration time, because secrets are long-lived (Legacy tokens, 3). The documentation does not
// specify whether legacy tokens expire or can be revoked, so a token is good if the verifier denies either of them.
var requirements = []requirement{
	{asked: oauthAccess, needed: oauthAccess, fact: stated((*evidence).accessForm, "form", "")},
	{asked: idToken, needed: idToken, fact: stated((*evidence).identityForm, "form", "")},
	{asked: allKinds, needed: allKinds, fact: stated(func(e *evidence) fact { return known(e.Verified) },
		"not-genuine", "genuine-unknown")},
	{asked: oauthAccess, needed: oauthAccess, fact: stated(func(e *evidence) fact { return known(e.ServiceAccount) },
		"issued-to-other", "issued-to-unknown")},
	{asked: allKinds, needed: shortLived, fact: (*evidence).unexpired, rule: expiredRule, own: idToken},
	{asked: allKinds, needed: allKinds, fact: (*evidence).begun},
	{asked: allKinds, needed: legacySecret, fact: (*evidence).unrevoked, rule: revokedRule, own: legacyKinds},
	{asked: legacyToken, needed: legacyToken, fact: stated((*evidence).current, "ended", "end-unknown")},
	{asked: oauthAccess, needed: oauthAccess, fact: (*evidence).scoped, rule: scopesRule, own: oauthAccess},
	{asked: oauthAccess, needed: oauthAccess, fact: stated(func(e *evidence) fact { return known(e.DBPermission) },
		"no-permission", "permission-unknown")},
	{asked: allKinds, needed: idToken, fact: stated(func(e *evidence) fact { return known(e.Audience) },
		"other-project", "project-unknown")},
	{asked: allKinds, fact: stated(func(e *evidence) fact { return known(e.Database) },
		"other-database", "")},
	{asked: idToken, needed: idToken, fact: stated((*evidence).identified, "no-user", "user-unknown")},
}

// stated returns the fact function for a requirement whose sentences have no arguments.
func stated(of func(*evidence) fact, whenNo, whenUnknown string) func(*evidence) (fact, said) {
	return func(e *evidence) (fact, said) {
		switch f := of(e); f {
		case no:
			return f, said{key: whenNo}
		default:
			return f, said{key: whenUnknown}
		}
	}
}

// weigh reports whether a token meets all requirements for its kind: no if the token fails a requirement, otherwise unknown if
// a required fact is unknown. The findings contain all reasons for the result no or unknown.
//
// A token of unknown kind has no requirements, except that the public service accepts only genuine tokens.
func (e *evidence) weigh(at diag.Pointer) (fact, diag.Findings) {
	if e.Kind == KindUnknown && e.policy.Dialect == diag.Google && known(e.Verified) == no {
		return no, nil
	}
	var reasons diag.Findings
	for i := range requirements {
		r := &requirements[i]
		if !r.asked.Has(e.Kind) {
			continue
		}
		switch f, why := r.fact(e); {
		case f == no:
			reasons = append(reasons, newFinding(r.ruleFor(e.Kind), diag.Reject, at, why.key, why.args...))
		case f == unknown && r.needed.Has(e.Kind):
			reasons = append(reasons, newFinding(r.ruleFor(e.Kind), diag.Unspecified, at, why.key, why.args...))
		}
	}
	switch {
	case reasons == nil:
		return yes, nil
	case reasons.Rejected():
		return no, reasons.OfKind(diag.Reject)
	default:
		return unknown, reasons
	}
}

// kindRules maps each kind to the rule about tokens of that kind.
var kindRules = map[Kind]*diag.Rule{
	KindOAuthAccess: serviceAccountRule, KindIDToken: idTokenRule, KindLegacySecret: legacyRule, KindLegacyToken: legacyRule,
}

// ruleFor returns the rule that a token of the given kind breaks if it does not meet the requirement.
func (r *requirement) ruleFor(k Kind) *diag.Rule {
	if r.own.Has(k) {
		return r.rule
	}
	return kindRules[k]
}

// accessForm reports whether the token has the form of an access token, 1*VSCHAR.
func (e *evidence) accessForm() fact {
	text := e.Token.Reveal()
	isOther := func(c rune) bool { return c < ' ' || c > '~' }
	return factOf(text != "" && (e.isVisible || !strings.ContainsFunc(text, isOther)))
}

// identityForm reports whether the token could be a JSON Web Token in compact form. The verifier must check the number of
// parts in the token.
func (e *evidence) identityForm() fact { return factOf(form.IsIdentityToken(e.Token.Reveal())) }

// unexpired reports whether the token has not expired, according to the verifier and to the token's expiration time. At
// exactly the expiration time, a token has already expired (RFC 7519 section 4.1.4).
func (e *evidence) unexpired() (fact, said) {
	byTime := unknown
	if !e.Expires.IsZero() && !e.now.IsZero() {
		byTime = factOf(e.now.Before(e.Expires.Add(e.policy.leeway())))
	}
	switch {
	case known(e.Expired) == yes:
		return no, said{"expired", []diag.Arg{e.remedy("renew")}}
	case byTime == no:
		return no, e.compared("expired-at", wording.Text("end", clock(e.Expires)), e.remedy("renew"))
	case known(e.Expired) == no || byTime == yes:
		return yes, said{}
	case !e.Expires.IsZero():
		return unknown, said{"now-unknown", []diag.Arg{wording.Text("end", clock(e.Expires))}}
	default:
		return unknown, said{key: "end-of-token-unknown"}
	}
}

// remedy returns the advice with the key renew or, for a legacy credential, the advice to upgrade.
func (e *evidence) remedy(renew string) diag.Arg {
	if legacyKinds.Has(e.Kind) {
		return wording.Also("upgrade")
	}
	return wording.Also(renew)
}

// begun reports whether the token is already valid: whether the current time is at or after the token's not-before time and
// issue time.
func (e *evidence) begun() (fact, said) {
	validFrom, issued := e.past(e.NotBefore), e.past(e.IssuedAt)
	switch {
	case validFrom == no:
		return no, e.compared("valid-from", wording.Text("from", clock(e.NotBefore)), wording.Also("later"))
	case issued == no:
		return no, e.compared("issued-at", wording.Text("from", clock(e.IssuedAt)), wording.Also("later"))
	default:
		return validFrom.and(issued), said{key: "begin-unknown"}
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

// compared returns a sentence that compares a time with the current time. The sentence mentions the leeway, if any.
func (e *evidence) compared(key string, args ...diag.Arg) said {
	args = append(args, wording.Text("now", clock(e.now)))
	if leeway := e.policy.leeway(); leeway > 0 {
		return said{key + "-leeway", append(args, diag.Number("leeway", int64(leeway/time.Second)))}
	}
	return said{key, args}
}

// clock formats a time in UTC as in RFC 3339 or, if the year does not have four digits, as Unix seconds.
func clock(t time.Time) string {
	t = t.Round(time.Microsecond) // the last nanosecond before the year 1 represents the beginning of that year
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return fmt.Sprintf("Unix second %d", t.Unix())
	}
	return t.Format(time.RFC3339Nano)
}

func (e *evidence) unrevoked() (fact, said) {
	switch revoked := known(e.Revoked); {
	case revoked != yes:
		return revoked.not(), said{key: "unknown"}
	case e.Kind == KindLegacySecret:
		return no, said{key: "secret"}
	case e.Kind == KindLegacyToken:
		return no, said{"token", []diag.Arg{wording.Also("upgrade")}}
	default:
		return no, said{"revoked", []diag.Arg{wording.Also("replace")}}
	}
}

// current reports whether the token is unexpired or unrevoked: no, only if it is known to be both expired and revoked.
func (e *evidence) current() fact {
	unexpired, _ := e.unexpired()
	return unexpired.not().and(known(e.Revoked)).not()
}

// scoped reports whether the token has the required scopes. Scopes are case-sensitive and can be in any order (RFC 6749 section
// 3.3). If the scope base is unknown, the required scopes are unknown too, but must have the same base.
func (e *evidence) scoped() (fact, said) {
	required, ok := e.policy.RequiredScopes()
	both := func() []diag.Arg {
		return []diag.Arg{wording.Text("first", required[0]), wording.Text("second", required[1])}
	}
	has := func(scope string) bool { return slices.Contains(e.Scopes, scope) }
	switch {
	case !ok && e.Scopes != nil && !haveBase(e.Scopes, required):
		return no, said{"no-base", both()}
	case !ok:
		return unknown, said{key: "base-unknown"}
	case e.Scopes == nil:
		return unknown, said{key: "unknown"}
	case has(required[0]) && has(required[1]):
		return yes, said{}
	case has(required[0]):
		return no, said{"lacks", []diag.Arg{wording.Text("missing", required[1])}}
	case has(required[1]):
		return no, said{"lacks", []diag.Arg{wording.Text("missing", required[0])}}
	default:
		return no, said{"lacks-both", both()}
	}
}

// haveBase reports whether the scopes include two with the given suffixes and the same base.
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
