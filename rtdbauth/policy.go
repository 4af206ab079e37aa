package rtdbauth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
)

// Policy contains the caller's decisions about points that the document leaves open. The zero
// value decides nothing: it is strict, so open points stay [Unspecified] and doubtful requests
// are [Rejected].
type Policy struct {
	// LegacyIn lists the places in which a legacy token or a database secret is accepted. In the header it is a Bearer
	// credential. In other places it is unspecified, or rejected if RejectLegacy is set, in which case LegacyIn has no
	// effect. If it is nil, the dialect decides: the public service accepts a secret as auth.
	LegacyIn     []Place
	RejectLegacy bool

	// LegacyBypass reports whether an accepted legacy credential bypasses the rules. If it is nil, the dialect decides: in
	// the public service, a secret in auth bypasses them. Otherwise they apply.
	LegacyBypass *bool

	// IgnoreEmpty treats an empty parameter, an empty header or a Bearer credential without a token as
	// absent. Otherwise, they are rejected.
	IgnoreEmpty bool

	// RejectOtherSchemes rejects an Authorization header with a scheme other than Bearer. Otherwise, IgnoreOtherSchemes
	// ignores it. Without either, it is unspecified, because the document neither shows nor forbids another scheme.
	RejectOtherSchemes, IgnoreOtherSchemes bool

	// LeastPrivilege grants a request with several credentials, all of them good, the least access among them. Otherwise,
	// the request is rejected (RFC 6750 section 2).
	LeastPrivilege bool

	// RejectAmbiguousPath rejects a path that servers and proxies read differently, because of dot segments,
	// empty segments, encoded slashes, backslashes or double encoding. Otherwise, the principal is decided,
	// but the request has no access, because its location is unknown.
	RejectAmbiguousPath bool

	// LeewaySeconds is the allowed difference between clocks, in seconds, for the times of a token. It is not negative.
	LeewaySeconds int64

	// RequireTLS rejects a request that did not come over TLS (RFC 6750 section 5.3), and leaves
	// it unspecified if the transport is unknown.
	RequireTLS bool

	// ScopeBase is the address of the scope namespace, with or without a slash at the end; see [Policy.RequiredScopes].
	// If it is empty, the dialect decides.
	ScopeBase string

	// Dialect is [diag.Google] for the public service: the names of its scopes, the addresses of its databases, with which
	// the URL of a request may begin, and its known behavior where the document is silent.
	Dialect diag.Dialect
}

// Validate returns an error for a value that decides nothing, because its field does not describe it. A policy with such a
// value might be laxer than its author intended, so [Authenticate] returns the error.
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

// RequiredScopes returns the two scopes that a service account's access token needs
// (Service-account access token, 3). It returns false if the scope base is unknown, because the policy
// has none and the documents do not show it.
func (p *Policy) RequiredScopes() (scopes [2]string, ok bool) {
	base := strings.TrimSuffix(cmp.Or(p.ScopeBase, p.Dialect.ScopeBase()), "/")
	database := "platform.database"
	if p.Dialect == diag.Google {
		database = "firebase.database"
	}
	return [2]string{base + "/auth/userinfo.email", base + "/auth/" + database}, base != ""
}

// leeway returns LeewaySeconds as a duration, at most the longest one.
func (p *Policy) leeway() time.Duration {
	const limit = int64(1<<63-1) / int64(time.Second)
	return time.Duration(min(p.LeewaySeconds, limit)) * time.Second
}

// legacy returns the decision of the policy about a legacy credential in the given place.
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
