package resource

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
)

// needScope is the set of operations that require an access control rule to have a scope with a type.
const needScope = diag.ACLInsert | diag.ACLUpdate

var aclBody = diag.Rule{
	ID: "acl.body", Kind: diag.Reject, When: diag.ACLInsert | diag.ACLPatch | diag.ACLUpdate, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "The role of an access control rule must be known; an insert requires a role, an insert or an update requires a scope with " +
		"a type, and a scope requires a value unless its type is default.",
	Section:  sectionObserved,
	Seen:     `An insert without a scope gets 400: "Missing scope type."`,
	Reported: []string{"google/google-api-javascript-client#70"},
	OnlyIn:   new(diag.Google),
	Good:     request{"acl.insert", `{"role":"reader","scope":{"type":"user","value":"ada@example.com"}}`},
	Bad:      request{"acl.insert", `{"role":"editor","scope":{"type":"user","value":"ada@example.com"}}`},
	Says: slices.Concat(constraint.SaysRequired(nil), constraint.ACLRole.Says(), diag.Sentences{
		{Key: "no-value", Text: "The scope of type {type} has no value. Send the address of the user or group, or the name of the domain."},
	}),
	Check: of(checkACL),
}

func checkACL(in *input, a *ACLRule, r engine.Reporter) {
	in.require(r, "", text{"role", a.Role, &a.extra}, diag.ACLInsert)
	allow(r, "", text{"role", a.Role, &a.extra}, constraint.ACLRole)
	s := a.Scope
	if s == nil {
		if needScope.Has(in.on) {
			constraint.ReportMissing(r, "/scope", "scope", false, nil)
		}
		return
	}
	in.require(r, "/scope", text{"type", s.Type, &s.extra}, needScope)
	allow(r, "/scope", text{"type", s.Type, &s.extra}, constraint.ACLScopeType)
	if needScope.Has(in.on) && s.Value == "" && s.Type != constraint.ScopeDefault && constraint.ACLScopeType.Has(s.Type) {
		r.Report("/scope/value", "no-value", diag.Name("type", s.Type))
	}
}
