package rtdbauth

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/limits"
)

// Policy contains the caller's decisions about points that the document leaves open. The zero
// value decides nothing: it is strict, so open points stay [Unspecified] and doubtful requests
// are [Rejected].
type Policy struct {
	// Legacy is [Refuse] to reject legacy tokens and database secrets. With [Strict], they are
	// unspecified in places that LegacyIn does not list.
	Legacy Choice `json:"legacy,omitempty"`

	// LegacyIn lists the places in which a legacy credential is accepted. In the header it is a
	// Bearer credential.
	LegacyIn []Place `json:"legacy_in,omitempty"`

	// LegacyRules is [Bypass] if an accepted legacy credential bypasses the rules. With [Apply],
	// the default, the rules apply to it.
	LegacyRules Choice `json:"legacy_rules,omitempty"`

	// EmptyCredential is [Ignore] to treat an empty parameter, an empty header or a Bearer
	// credential without a token as absent. [Strict] rejects them.
	EmptyCredential Choice `json:"empty_credential,omitempty"`

	// UnsupportedScheme is [Ignore] to ignore an Authorization header with a scheme other than
	// Bearer, or [Reject] to reject it. [Strict] leaves it unspecified, because the document
	// neither shows another scheme nor forbids it.
	UnsupportedScheme Choice `json:"unsupported_scheme,omitempty"`

	// OnConflict is [LeastPrivilege] to grant a request with several credentials, all of them
	// good, the access of the least of them. [Strict] rejects it (RFC 6750 section 2).
	OnConflict Choice `json:"on_conflict,omitempty"`

	// AmbiguousPath is [Reject] to reject a path that servers and proxies read differently,
	// because of dot segments, empty segments, encoded slashes, backslashes or double encoding. With [Strict],
	// the principal is decided, but the request has no access, because its location is unknown.
	AmbiguousPath Choice `json:"ambiguous_path,omitempty"`

	// LeewaySeconds is how far, in seconds, clocks may differ when the times of a token are
	// judged. Negative values count as 0.
	LeewaySeconds int64 `json:"leeway_seconds,omitempty"`

	// RequireTLS rejects a request that did not come over TLS (RFC 6750 section 5.3), and leaves
	// it unspecified if the transport is unknown.
	RequireTLS bool `json:"require_tls,omitempty"`

	// ScopeBase is the address of the scope namespace, with or without a slash at the end; see
	// [Policy.RequiredScopes]. If it is empty, it is that of the dialect.
	ScopeBase string `json:"scope_base,omitempty"`

	// Dialect is [limits.Google] for the names of the public service: its scopes, and the addresses
	// of its databases, with which the URL of a request may begin.
	Dialect limits.Dialect `json:"-"`
}

// RequiredScopes returns the two scopes that a service account's access token needs
// (Service-account access token, 3). It returns false if the scope base is unknown, because the policy
// has none and the documents do not show it.
func (p *Policy) RequiredScopes() (scopes [2]string, ok bool) {
	base := strings.TrimSuffix(cmp.Or(p.ScopeBase, p.Dialect.ScopeBase()), "/")
	database := "platform.database"
	if p.Dialect == limits.Google {
		database = "firebase.database"
	}
	return [2]string{base + "/auth/userinfo.email", base + "/auth/" + database}, base != ""
}

// Choice is the value of one decision of a [Policy]. A field treats any value that it does not
// list as [Strict].
type Choice string

// The choices.
const (
	Strict         Choice = ""
	Ignore         Choice = "ignore"
	Reject         Choice = "reject"
	Refuse         Choice = "refuse"
	Apply          Choice = "apply"
	Bypass         Choice = "bypass"
	LeastPrivilege Choice = "least_privilege"
)

// UnmarshalJSON reads a policy. Member names must match exactly, and a repeated member is an
// error: otherwise, the laxer of two decisions could win.
func (p *Policy) UnmarshalJSON(data []byte) error {
	return ndjson.ReadObject(data, ndjson.Members{
		"legacy": ndjson.To(&p.Legacy), "legacy_in": ndjson.To(&p.LegacyIn), "legacy_rules": ndjson.To(&p.LegacyRules),
		"empty_credential": ndjson.To(&p.EmptyCredential), "unsupported_scheme": ndjson.To(&p.UnsupportedScheme),
		"on_conflict": ndjson.To(&p.OnConflict), "ambiguous_path": ndjson.To(&p.AmbiguousPath),
		"leeway_seconds": ndjson.To(&p.LeewaySeconds), "require_tls": ndjson.To(&p.RequireTLS), "scope_base": ndjson.To(&p.ScopeBase),
	})
}

// leeway returns LeewaySeconds, or the largest duration that is close to it.
func (p *Policy) leeway() time.Duration {
	const limit = int64(1<<63-1) / int64(time.Second)
	return time.Duration(min(max(p.LeewaySeconds, 0), limit)) * time.Second
}

// legacy returns what the policy decides about a legacy credential in the place.
func (p *Policy) legacy(in Place) ruling {
	switch {
	case p.Legacy == Refuse:
		return ruledOut
	case in == 0 || !slices.Contains(p.LegacyIn, in):
		return noRuling
	case p.LegacyRules == Bypass:
		return ruledBypass
	default:
		return ruledApply
	}
}
