package rtdbauth

import (
	"context"
	"time"
)

// Verifier finds out what tokens are worth. Callers implement it: it verifies signatures, asks a
// token service, or looks up secrets.
type Verifier interface {
	// VerifyToken returns what is known about the token. A bad token is not an error: the facts
	// say what is wrong with it. An error means that the verifier has no answer, and leaves the
	// request [Unspecified]. Findings do not show the error, because it may contain the token.
	VerifyToken(ctx context.Context, c Credential) (Facts, error)
}

// Kind is the kind of a token, according to its verifier.
type Kind uint8

// The kinds of tokens. [KindUnknown] means that the verifier does not know the kind, and
// [KindOther] that the token is not a credential of this service.
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

// Facts are what a verifier knows about one token. A fact that is missing is unknown, which is
// not the same as false. The zero value knows nothing and grants nothing. Other claims of a token
// have no effect here; the database's rules may use them.
type Facts struct {
	Kind     Kind
	Verified Fact // the token is genuine, according to its signature or its issuer
	Expired  Fact // the token has expired if this or Expires says so
	Revoked  Fact

	// The times of the token (RFC 7519 section 4.1). The zero time is unknown. [Authenticate] compares
	// them with the time that it is given.
	Expires, NotBefore, IssuedAt time.Time

	// Audience and Database say whether the token was issued for the project and the database of
	// the request.
	Audience, Database Fact

	// Facts about an OAuth 2.0 access token.
	ServiceAccount Fact     // it was issued to a service account
	DBPermission   Fact     // the service account has permissions for the database
	Scopes         []string // nil means unknown, empty means without scopes

	// UID is the user that an identity token identifies. Nil means unknown; the empty string does
	// not identify a user.
	UID *string
}

// Fact is the answer to a yes-or-no question, or [Unknown], which grants nothing.
type Fact uint8

// The values of a [Fact].
const (
	Unknown Fact = iota
	No
	Yes
)

var factNames = []string{"unknown", "no", "yes"}

// FactOf returns [Yes] for true and [No] for false.
func FactOf(b bool) Fact {
	if b {
		return Yes
	}
	return No
}

// String returns "unknown", "no" or "yes".
func (f Fact) String() string { return nameOf(factNames, f) }

// and returns [No] if either fact is No, [Yes] if both are Yes, and [Unknown] otherwise.
func (f Fact) and(g Fact) Fact {
	switch {
	case f == No || g == No:
		return No
	case f == Yes && g == Yes:
		return Yes
	default:
		return Unknown
	}
}

func (f Fact) not() Fact { return [...]Fact{Unknown: Unknown, No: Yes, Yes: No}[orZero(factNames, f)] }
