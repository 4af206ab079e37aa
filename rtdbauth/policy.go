package rtdbauth

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
)

// A Policy contains the caller's decisions on cases that the documentation leaves open. The zero value is strict: open
// cases remain [Unspecified] and doubtful requests are [Rejected].
type Policy struct {
	// LegacyIn lists the places in which a legacy token or a database secret is accepted. In the header, a legacy token must be a
	// Bearer credential. A request with a legacy credential in any other place is unspecified. If RejectLegacy is set, LegacyIn
	// has no effect, and legacy credentials are rejected everywhere. If LegacyIn is nil, the dialect decides: the public service
	// accepts a secret in the auth parameter.
	LegacyIn     []Place
	RejectLegacy bool

	// LegacyBypass reports whether an accepted legacy credential bypasses the rules. If LegacyBypass is nil, the dialect decides:
	// in the public service, a secret in the auth parameter bypasses the rules. In all other cases, the rules apply.
	LegacyBypass *bool

	// IgnoreEmpty treats an empty parameter, an empty header or a Bearer credential without a token as absent. By
	// default, a request with an empty credential is rejected.
	IgnoreEmpty bool

	// RejectOtherSchemes rejects a request whose Authorization header has a scheme other than Bearer. IgnoreOtherSchemes ignores
	// an Authorization header with a scheme other than Bearer, unless RejectOtherSchemes is also set. If neither is set, the
	// request is unspecified, because the documentation neither shows nor forbids other schemes.
	RejectOtherSchemes, IgnoreOtherSchemes bool

	// LeastPrivilege grants a request with several good credentials the least access that any of the credentials has. If that
	// access belongs to more than one principal, the request is rejected. By default, a request with several credentials is
	// rejected (RFC 6750 section 2).
	LeastPrivilege bool

	// RejectAmbiguousPath rejects a path that servers and proxies interpret differently because of dot segments, empty
	// segments, encoded slashes, backslashes or double encoding. By default, the principal is determined, but the request
	// has no access, because its location is unknown.
	RejectAmbiguousPath bool

	// LeewaySeconds is the clock difference in seconds that is tolerated when checking the times in a token. LeewaySeconds
	// must not be negative.
	LeewaySeconds int64

	// RequireTLS rejects a request that did not arrive over TLS (RFC 6750 section 5.3). If the transport is unknown, the
	// request is unspecified.
	RequireTLS bool

	// ScopeBase is the base URL of the scopes, with or without a trailing slash; see [Policy.RequiredScopes]. If ScopeBase is
	// empty, the dialect decides.
	ScopeBase string

	// Dialect is [diag.Google] for the public service. With [diag.Google], the policy selects the names of the public
	// service's scopes, allows the URL of a request to begin with the address of a database, and applies the service's
	// known behavior where the documentation is silent.
	Dialect diag.Dialect
}

// Validate returns an error if a field has an invalid value. A policy with an invalid value might be laxer than its author
// intended, so [Authenticate] returns the error.
func (p *Policy) Validate() error {
	switch i := slices.IndexFunc(p.LegacyIn, func(in Place) bool { return in < InHeader || in > InAuth }); {
	case i >= 0:
		return fmt.Errorf("rtdbauth: LegacyIn has the value %d; it must be InHeader, InAccessToken or InAuth", p.LegacyIn[i])
	case p.LeewaySeconds < 0:
		return fmt.Errorf("rtdbauth: LeewaySeconds is %d; it must not be negative", p.LeewaySeconds)
	case p.Dialect > diag.Google:
		return fmt.Errorf("rtdbauth: Dialect is %d; it must be Documents or Google", p.Dialect)
	}
	return nil
}

// googleScopes are the scopes that the public service requires in an access token.
var googleScopes = [2]string{diag.Google.ScopeBase() + "/auth/userinfo.email", diag.Google.ScopeBase() + "/auth/firebase.database"}

// RequiredScopes returns the two required scopes of a service account's access token (Service-account access token, 3).
// RequiredScopes returns false if the scope base is unknown, because neither the policy nor the documentation specifies it.
func (p *Policy) RequiredScopes() (scopes [2]string, ok bool) {
	if p.ScopeBase == "" && p.Dialect == diag.Google {
		return googleScopes, true
	}
	base := strings.TrimSuffix(p.ScopeBase, "/")
	database := "platform.database"
	if p.Dialect == diag.Google {
		database = "firebase.database"
	}
	return [2]string{base + "/auth/userinfo.email", base + "/auth/" + database}, base != ""
}

// leeway returns LeewaySeconds as a duration, limited to the maximum duration.
func (p *Policy) leeway() time.Duration {
	const limit = int64(1<<63-1) / int64(time.Second)
	return time.Duration(min(p.LeewaySeconds, limit)) * time.Second
}

// legacy returns the policy's ruling on a legacy credential in the given place.
func (p *Policy) legacy(kind Kind, in Place) ruling {
	isKnown := p.Dialect == diag.Google && kind == KindLegacySecret && in == InAuth
	isAccepted := slices.Contains(p.LegacyIn, in) || p.LegacyIn == nil && isKnown
	bypass := known(p.LegacyBypass)
	switch {
	case p.RejectLegacy:
		return ruledOut
	case !isAccepted:
		return noRuling
	case bypass == yes, bypass == unknown && isKnown:
		return ruledBypass
	default:
		return ruledApply
	}
}
