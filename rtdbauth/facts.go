package rtdbauth

import (
	"context"
	"time"
)

// A Verifier determines whether tokens are valid. Callers implement a Verifier, for example by verifying signatures, calling a
// token service, or looking up secrets.
type Verifier interface {
	// VerifyToken returns the facts about a token in the given place of the request. A bad token is not an error: the facts state
	// why the token is bad. An error means that the verifier could not determine the facts, and makes the request [Unspecified].
	// Findings do not include the error, because it may contain the token.
	VerifyToken(ctx context.Context, in Place, token Token) (Facts, error)
}

// A Kind is the kind of a token, according to its verifier.
type Kind uint8

// The kinds of tokens. [KindUnknown] means that the verifier does not know the kind, and [KindOther] means that the token is
// not a credential for this service. In the dialect [diag.Google], a token of unknown kind is rejected if it is not genuine.
const (
	KindUnknown Kind = iota
	KindOAuthAccess
	KindIDToken
	KindLegacySecret
	KindLegacyToken
	KindOther
)

var kindNames = []string{"unknown", "oauth_access", "id_token", "legacy_secret", "legacy_token", "other"}

// String returns the name of the kind used in batch mode, such as "id_token", "unknown" or "other".
func (k Kind) String() string { return nameOf(kindNames, k) }

// Facts contains the facts that a verifier knows about one token. A nil fact is unknown, which is not the same as false. In the
// zero value, all facts are unknown, so the zero value grants nothing. Other claims in a token have no effect in this package,
// but the database's rules may use them.
//
// A token is good if every fact that its kind requires is known and good, and no fact in parentheses is known to be bad:
//
//	                       oauth_access  id_token  legacy_secret  legacy_token
//	Verified               yes           yes       yes            yes
//	ServiceAccount         yes
//	Expired or Expires     yes           yes       (yes)          one of the two
//	Revoked                (yes)         (yes)     yes            one of the two
//	NotBefore, IssuedAt    (yes)         (yes)     (yes)          (yes)
//	Scopes                 yes
//	DBPermission           yes
//	Audience               (yes)         yes       (yes)          (yes)
//	Database               (yes)         (yes)     (yes)          (yes)
//	UID                                  yes
//
// If a required fact is unknown, the decision is unspecified, and a finding names each missing fact.
type Facts struct {
	Kind     Kind
	Verified *bool // whether the token is genuine, according to its signature or its issuer
	Expired  *bool // whether the token has expired; Expires can also imply this
	Revoked  *bool

	// The times in the token (RFC 7519 section 4.1). The zero time means unknown. [Authenticate] compares the times in the token
	// with its argument now.
	Expires, NotBefore, IssuedAt time.Time

	// Audience and Database report whether the token was issued for the project and the database of the request.
	Audience, Database *bool

	// The following facts are about an OAuth 2.0 access token.
	ServiceAccount *bool    // whether the token was issued to a service account
	DBPermission   *bool    // whether the service account has permissions for the database
	Scopes         []string // nil means unknown; empty means that the token has no scopes

	// UID is the user that an identity token identifies. Nil means unknown; an empty string means that the token does not
	// identify a user.
	UID *string
}

// A fact is the answer to a yes-or-no question. A fact can also be unknown, which grants nothing.
type fact uint8

const (
	unknown fact = iota
	no
	yes
)

var factNames = []string{"unknown", "no", "yes"}

// factOf returns yes for true and no for false.
func factOf(b bool) fact {
	if b {
		return yes
	}
	return no
}

// known converts one of [Facts] to a fact; nil means unknown.
func known(b *bool) fact {
	if b == nil {
		return unknown
	}
	return factOf(*b)
}

// String returns "unknown", "no" or "yes".
func (f fact) String() string { return nameOf(factNames, f) }

// and returns no if either fact is no, yes if both are yes, and unknown otherwise.
func (f fact) and(g fact) fact {
	switch {
	case f == no || g == no:
		return no
	case f == yes && g == yes:
		return yes
	default:
		return unknown
	}
}

func (f fact) not() fact { return [...]fact{unknown: unknown, no: yes, yes: no}[f] }
