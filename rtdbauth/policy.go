package rtdbauth

import (
	"slices"
	"time"
)

// Policy is what the caller decides where the document is silent. The zero value is the
// strict default: it takes no decision, so what is open stays [Unspecified], and what is
// doubtful is refused.
type Policy struct {
	// Legacy is [Refuse] to refuse legacy tokens and database secrets. [Strict] leaves
	// them unspecified, except where LegacyIn admits them.
	Legacy Choice `json:"legacy,omitempty"`

	// LegacyIn are the places where a legacy credential is admitted. In a header it is
	// presented as a Bearer credential.
	LegacyIn []Place `json:"legacy_in,omitempty"`

	// LegacyRules is [Bypass] where an admitted legacy credential bypasses the rules.
	// Under [Apply], the default, they apply.
	LegacyRules Choice `json:"legacy_rules,omitempty"`

	// EmptyCredential is [Ignore] where an empty parameter or header, or a Bearer
	// credential without a token, counts as absent. [Strict] refuses it.
	EmptyCredential Choice `json:"empty_credential,omitempty"`

	// UnsupportedScheme says what an Authorization header of another scheme than Bearer
	// is worth: under [Ignore] nothing, under [Reject] it is refused. [Strict] leaves it
	// unspecified, since the document shows no other scheme and forbids none.
	UnsupportedScheme Choice `json:"unsupported_scheme,omitempty"`

	// OnConflict is [LeastPrivilege] where a request with several credentials, each good
	// in itself, gets what the least of them gives. [Strict] refuses it (RFC 6750
	// section 2).
	OnConflict Choice `json:"on_conflict,omitempty"`

	// AmbiguousPath is [Reject] to refuse a path that proxies and servers are known to
	// read differently: dot segments, empty segments, encoded slashes, double encoding.
	// Under [Strict] the caller's identity, which does not depend on the path, is
	// decided, but access is withheld, since no location is known.
	AmbiguousPath Choice `json:"ambiguous_path,omitempty"`

	// LeewaySeconds is by how much, in seconds, clocks may differ when the times of a
	// token are judged. Less than 0 counts as 0.
	LeewaySeconds int64 `json:"leeway_seconds,omitempty"`

	// RequireTLS refuses what did not come over TLS, as RFC 6750 section 5.3 demands of
	// bearer tokens. Where the transport is not known, it leaves the request unspecified.
	RequireTLS bool `json:"require_tls,omitempty"`

	// ScopeBase is the scope namespace address, without a slash at its end; see
	// [RequiredScopes]. Where it is empty, no access token can be known to have both.
	ScopeBase string `json:"scope_base,omitempty"`
}

// Choice is a word with which a [Policy] takes one decision. A word that a field does not
// know takes none: it counts as [Strict].
type Choice string

// The words. The fields of [Policy] say which of them they know.
const (
	Strict         Choice = ""
	Ignore         Choice = "ignore"
	Reject         Choice = "reject"
	Refuse         Choice = "refuse"
	Apply          Choice = "apply"
	Bypass         Choice = "bypass"
	LeastPrivilege Choice = "least_privilege"
)

// UnmarshalJSON reads a policy. Member names match exactly, and none may come twice: of two
// policies in one object, the laxer must not win by standing last.
func (p *Policy) UnmarshalJSON(data []byte) error {
	return readObject(data, members{
		"legacy":             &p.Legacy,
		"legacy_in":          &p.LegacyIn,
		"legacy_rules":       &p.LegacyRules,
		"empty_credential":   &p.EmptyCredential,
		"unsupported_scheme": &p.UnsupportedScheme,
		"on_conflict":        &p.OnConflict,
		"ambiguous_path":     &p.AmbiguousPath,
		"leeway_seconds":     &p.LeewaySeconds,
		"require_tls":        &p.RequireTLS,
		"scope_base":         &p.ScopeBase,
	})
}

// leeway returns LeewaySeconds as a duration, within what a duration can hold.
func (p *Policy) leeway() time.Duration {
	const most = int64(1<<63-1) / int64(time.Second)
	return time.Duration(min(max(p.LeewaySeconds, 0), most)) * time.Second
}

// legacy returns what the policy says of a legacy credential in the place.
func (p *Policy) legacy(in Place) Ruling {
	switch {
	case p.Legacy == Refuse:
		return RuledOut
	case in == 0 || !slices.Contains(p.LegacyIn, in):
		return NoRuling
	case p.LegacyRules == Bypass:
		return RuledBypass
	default:
		return RuledApply
	}
}
