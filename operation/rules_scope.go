package operation

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
)

// callerWith is an insert by a caller with the given facts.
type callerWith string

func (facts callerWith) Example() diag.Example {
	return sample.With(sample.Timed{}, `"caller":{`+string(facts)+`}`).Example()
}

var scopeInsert = diag.Rule{
	ID: "scope.insert", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The caller's access token must have at least one of the scopes auth/calendar, auth/calendar.events, " +
		"auth/calendar.app.created and auth/calendar.events.owned under the scope base.",
	Section: sectionAuthentication,
	Status:  403, Reason: "insufficientPermissions",
	Why: "Scopes are compared as a whole: auth/calendar.readonly is not auth/calendar. The documents do not show the scope base, so any " +
		"nonempty base is accepted unless the caller specifies one.",
	Says: diag.Sentences{
		{Key: "missing", Text: "No scope of the access token allows {operation}. Request one of {scopes} under {base}."},
		{Key: "base", Text: "the scope base"},
	},
	Good:  callerWith(`"scopes":["https://scope.example/auth/calendar.events"]`),
	Bad:   callerWith(`"scopes":["https://scope.example/auth/calendar.readonly"]`),
	Check: check(checkScope),
}

func checkScope(in *input, r engine.Reporter) {
	needed := in.operation.Scopes
	if in.caller.Scopes == nil || in.caller.HasScope(needed...) {
		return
	}
	in.reportScopes(r, needed)
}

// reportScopes reports that the caller does not have any of the required scopes.
func (in *input) reportScopes(r engine.Reporter, needed []string) {
	base := wording.Part("base", "base")
	if known := in.caller.ScopeBase; known != "" {
		base = diag.Plain("base", known)
	}
	r.Report("", "missing", in.operationArg(), diag.Plain("scopes", strings.Join(needed, ", ")), base)
}

var scopeOperation = diag.Rule{
	ID: "scope.operation", Kind: diag.Reject, When: diag.All, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "The caller's access token must have at least one of the scopes that the reference of the public service lists for the " +
		"operation.",
	Section: sectionObserved,
	Status:  403, Reason: "insufficientPermissions",
	Seen:     "The reference of the public service lists the scopes of each operation.",
	Reported: []string{discoveryPage},
	Why:      "The rule holds only in the dialect of the public service. The documents state the scopes of events.insert: see scope.insert.",
	OnlyIn:   new(diag.Google),
	Says:     scopeInsert.Says,
	Good:     requestFor{"colors.get", `"dialect":"google"`, `"caller":{"scopes":["https://www.googleapis.com/auth/calendar.readonly"]}`},
	Bad:      requestFor{"colors.get", `"dialect":"google"`, `"caller":{"scopes":["https://www.googleapis.com/auth/userinfo.email"]}`},
	Check:    check(checkScopeOperation),
}

func checkScopeOperation(in *input, r engine.Reporter) {
	needed := in.operation.public().Scopes
	if in.operation.Scopes == nil && in.caller.Scopes != nil && !in.caller.HasScope(needed...) {
		in.reportScopes(r, needed)
	}
}

var scopeUnspecified = diag.Rule{
	ID: "scope.unspecified", Kind: diag.Unspecified, When: diag.All, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The documents do not show the required scopes of operations other than events.insert.",
	Section: sectionAuthentication,
	Why: "The library cannot decide whether the caller's scopes are sufficient. The finding is reported only if the scopes are known, " +
		"because only then does the caller expect a verdict.",
	Says:  diag.Sentences{{Key: "unspecified", Text: "The scopes for {operation} are not specified. Decide whether the access token suffices."}},
	Good:  callerWith(`"scopes":["https://scope.example/auth/calendar"]`),
	Bad:   requestFor{"colors.get", `"caller":{"scopes":["https://scope.example/auth/calendar"]}`},
	Check: check(checkScopeUnspecified),
}

func checkScopeUnspecified(in *input, r engine.Reporter) {
	if in.operation.Scopes == nil && in.caller.Scopes != nil {
		r.Report("", "unspecified", in.operationArg())
	}
}
