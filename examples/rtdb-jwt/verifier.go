package main

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/calrules/calrules/rtdbauth"
)

// Verifier verifies identity tokens that are JSON Web Tokens (RFC 7519) signed with RS256.
// Every other token is none of its business: nothing is known of it, and it is granted
// nothing.
type Verifier struct {
	// Keys returns the issuer's public key with the id given. [ErrNoKey] says that the
	// issuer has none; any other error that it could not be asked.
	Keys func(ctx context.Context, id string) (*rsa.PublicKey, error)

	Issuer   string // whose tokens are taken
	Audience string // the project that they must be for

	Now func() time.Time
}

// ErrNoKey says that the issuer has no key of an id.
var ErrNoKey = errors.New("no such key")

// algorithm is the one that the issuer signs with. Naming it is what refuses "none", and a
// public key that someone used as the secret of HS256.
const algorithm = "RS256"

// VerifyToken turns what the JWT library says into facts. A bad token is no error.
func (v Verifier) VerifyToken(ctx context.Context, c rtdbauth.Credential) (rtdbauth.Facts, error) {
	var claims jwt.RegisteredClaims
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{algorithm}),
		jwt.WithIssuer(v.Issuer),
		jwt.WithAudience(v.Audience),
		jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(v.Now),
	)
	_, err := parser.ParseWithClaims(c.Token.Reveal(), &claims, v.key(ctx))
	switch {
	case errors.Is(err, jwt.ErrTokenMalformed):
		return rtdbauth.Facts{}, nil // no JWT: it may be a token of another kind
	case errors.Is(err, errKeysUnavailable):
		return rtdbauth.Facts{}, errKeysUnavailable
	case errors.Is(err, jwt.ErrTokenUnverifiable), errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return rtdbauth.Facts{Kind: rtdbauth.KindIDToken, Verified: rtdbauth.No}, nil // its claims are anybody's
	default:
		return factsOf(&claims, err), nil
	}
}

// factsOf states what a token of which the signature is good claims, and what the library
// found wrong with that.
func factsOf(claims *jwt.RegisteredClaims, err error) rtdbauth.Facts {
	facts := rtdbauth.Facts{
		Kind:      rtdbauth.KindIDToken,
		Verified:  rtdbauth.FactOf(!errors.Is(err, jwt.ErrTokenInvalidIssuer)),
		Audience:  rtdbauth.FactOf(!errors.Is(err, jwt.ErrTokenInvalidAudience)),
		Expires:   timeOf(claims.ExpiresAt),
		NotBefore: timeOf(claims.NotBefore),
		IssuedAt:  timeOf(claims.IssuedAt),
		UID:       &claims.Subject,
	}
	if errors.Is(err, jwt.ErrTokenRequiredClaimMissing) {
		facts.Verified = rtdbauth.No // a token of this issuer has an issuer, an audience and an expiry
	}
	return facts
}

func timeOf(date *jwt.NumericDate) time.Time {
	if date == nil {
		return time.Time{}
	}
	return date.Time
}

// errKeysUnavailable says that nothing can be said about a token for now.
var errKeysUnavailable = errors.New("the keys of the issuer are not available")

// key returns the function with which the JWT library looks up the key of a token.
func (v Verifier) key(ctx context.Context) jwt.Keyfunc {
	return func(t *jwt.Token) (any, error) {
		id, ok := t.Header["kid"].(string)
		if !ok {
			return nil, ErrNoKey
		}
		key, err := v.Keys(ctx, id)
		if err != nil && !errors.Is(err, ErrNoKey) {
			return nil, fmt.Errorf("%w: %w", errKeysUnavailable, err)
		}
		return key, err
	}
}
