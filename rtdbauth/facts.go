package rtdbauth

import (
	"context"
	"time"
)

// Verifier determines the worth of tokens. Callers implement it: it verifies signatures, asks a token service, or looks up
// secrets.
type Verifier interface {
	// VerifyToken returns the facts about a token in the given place of the request. A bad token is not an error: the facts
	// are the reason. An error means that the verifier has no answer, and leaves the request [Unspecified]. Findings do not
	// show the error, because it may contain the token.
	VerifyToken(ctx context.Context, in Place, token Token) (Facts, error)
}

// Kind is the kind of a token, according to its verifier.
type Kind uint8

// The kinds of tokens. [KindUnknown] means that the verifier does not know the kind, and [KindOther] that the token is not
// a credential of this service. In the dialect [diag.Google], a token of an unknown kind is rejected if it is not genuine.
const (
	KindUnknown Kind = iota
	KindOAuthAccess
	KindIDToken
	KindLegacySecret
	KindLegacyToken
	KindOther
)

var kindNames = []string{"unknown", "oauth_access", "id_token", "legacy_secret", "legacy_token", "other"}

// String returns the name of the kind in the batch form, such as "id_token", "unknown" or "other".
func (k Kind) String() string { return nameOf(kindNames, k) }

// Facts are the facts of a verifier about one token. A nil fact is unknown, which is not the same as false. The zero
// value knows nothing and grants nothing. Other claims of a token have no effect here; the database's rules may use
// them.
//
// A token is good if each fact that its kind needs is known and good, and no fact in brackets is known to be bad:
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
// For a token with unknown facts, the decision is unspecified, and a finding names each missing fact.
type Facts struct {
	Kind     Kind
	Verified *bool // the token is genuine, according to its signature or its issuer
	Expired  *bool // the token has expired; Expires may show it too
	Revoked  *bool

	// The times of the token (RFC 7519 section 4.1). The zero time is unknown. [Authenticate] compares them with its
	// argument now.
	Expires, NotBefore, IssuedAt time.Time

	// Audience and Database report whether the token was issued for the project and the database of the request.
	Audience, Database *bool

	// Facts about an OAuth 2.0 access token.
	ServiceAccount *bool    // it was issued to a service account
	DBPermission   *bool    // the service account has permissions for the database
	Scopes         []string // nil means unknown, empty means without scopes

	// UID is the user that an identity token identifies. Nil means unknown; the empty string does
	// not identify a user.
	UID *string
}

// fact is the answer to a yes-or-no question, or unknown, which grants nothing.
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

// known returns the fact that one of [Facts] states.
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
