package rtdbgen

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/script"
)

// variantsText lists the variants in the form of package script, with the steps of [namedSteps]. The line "* derived"
// means the variants that the table of the kinds of tokens implies. A finding rejects unless a step says its kind; a
// variant that does not reject makes the library say that it ignores something, advises something, or that a question
// is open.
//
//go:embed variants.txt
var variantsText string

// variant is one way to break a rule, in a request that is otherwise drawn freely.
type variant struct {
	name  string
	steps []step
}

// variants are the variants of each rule. Rules that say nothing about requests have none.
var variants = sync.OnceValue(func() map[string][]variant {
	all, implied := map[string][]variant{}, derived()
	for _, line := range script.Read(variantsText).Variants {
		if line.Name == "* derived" {
			all[line.Rule] = append(all[line.Rule], implied[line.Rule]...)
			continue
		}
		v := variant{name: line.Name}
		line.Compile(slices.Concat(line.Common, line.Steps), func(text string) { v.steps = append(v.steps, language().Step(text)) })
		all[line.Rule] = append(all[line.Rule], v)
	}
	return all
})

// derived are the variants about the facts of each kind of token, by rule.
func derived() map[string][]variant {
	all := map[string][]variant{}
	for _, k := range []*tokenKind{oauthAccess, idToken, legacySecret, legacyToken} {
		add := func(fact, name string, kind diag.Kind, last step) {
			rule := k.ruleAbout(fact)
			all[rule] = append(all[rule], variant{k.String() + ": " + name, []step{func(d *draft) {
				d.present(k)
				if d.Kind = kind; k.legacy() && kind == diag.Unspecified {
					d.admit(d.in) // otherwise that would be the open question
				}
			}, last}})
		}
		for _, fact := range slices.Concat(optionalFacts, []string{"nbf", "iat"}) {
			k.addFact(fact, add)
		}
		k.addExpiry(add)
	}
	return all
}

// addVariant adds a variant about a fact, with its last step.
type addVariant = func(fact, name string, kind diag.Kind, last step)

// addFact adds variants in which a fact is bad or, if the kind needs it, unknown. The times from which
// a token is valid are unknown without a clock.
func (k *tokenKind) addFact(fact string, add addVariant) {
	if slices.Contains(k.idle, fact) {
		return
	}
	add(fact, fact+" is bad", diag.Reject, spoiling(fact))
	switch {
	case slices.Contains(k.needed, fact):
		add(fact, fact+" is unknown", diag.Unspecified, withholding(fact))
	case fact == "nbf", fact == "iat":
		add(fact, fact+" without a clock", diag.Unspecified, func(d *draft) {
			d.about[fact] = d.good(fact)
			d.clocked, d.about["expired"] = false, false
		})
	}
}

// addExpiry adds variants in which the token has expired, or may have.
func (k *tokenKind) addExpiry(add addVariant) {
	exp := func(distance float64, expired any) step {
		return func(d *draft) {
			d.clocked = true
			if d.about["exp"] = d.earliest() + distance; expired != nil {
				d.about["expired"] = expired
			} else if delete(d.about, "expired"); k == legacyToken {
				d.about["revoked"] = false // otherwise its revocation would be an open question
			}
		}
	}
	add("exp", "expired, as the verifier says", diag.Reject, spoiling("expired"))
	add("exp", "expired, although its time is not over", diag.Reject, exp(3600, true))
	add("exp", "just expired", diag.Reject, exp(0, nil))
	add("exp", "just expired, although the verifier says no", diag.Reject, exp(0, false))
	add("exp", "expired by a fraction", diag.Reject, exp(-0.5, nil))
	add("exp", "long expired", diag.Reject, exp(-1<<30, nil))
	if k.life {
		add("exp", "not known to be unexpired", diag.Unspecified, withholding("expired exp"))
		add("exp", "with a time, but without a clock", diag.Unspecified, func(d *draft) {
			withholding("expired nbf iat")(d)
			d.clocked, d.about["exp"] = false, d.good("exp")
		})
	}
}

// spoiling makes a fact bad. The request says what time it is.
func spoiling(fact string) step {
	return func(d *draft) {
		d.clocked = true
		d.about[fact] = d.bad(fact)
	}
}

// withholding makes facts unknown.
func withholding(names string) step {
	return func(d *draft) {
		for name := range strings.FieldsSeq(names) {
			if delete(d.about, name); draw.Maybe(d.T, "null") {
				d.about[name] = nil
			}
		}
	}
}

// ruleAbout returns the rule that a token of the kind breaks because of the fact.
func (k *tokenKind) ruleAbout(fact string) string {
	switch {
	case fact == "scopes":
		return ruleid.RTDBServiceAccountScopes
	case k.legacy() && fact == "revoked":
		return ruleid.RTDBLegacyRevoked
	case k.legacy():
		return ruleid.RTDBLegacy
	case k == oauthAccess:
		return ruleid.RTDBServiceAccount
	case fact == "exp":
		return ruleid.RTDBIDTokenExpired
	default:
		return ruleid.RTDBIDToken
	}
}
