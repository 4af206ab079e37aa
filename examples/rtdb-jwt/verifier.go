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

// Verifier verifies identity tokens that are JSON Web Tokens (RFC 7519) signed with RS256. Verifier does not recognize
// other tokens, so they are not granted any access.
type Verifier struct {
	// Keys returns the issuer's public key with the given id, or [ErrNoKey] if there is no such key. Any other error
	// means that the keys are not available.
	Keys func(ctx context.Context, id string) (*rsa.PublicKey, error)

	Issuer   string // the issuer of accepted tokens
	Audience string // the project for which tokens must be issued

	Now func() time.Time
}

// ErrNoKey means that the issuer has no key with the requested id.
var ErrNoKey = errors.New("no such key")

// algorithm is the only accepted algorithm. Accepting other algorithms would allow unsigned tokens ("none"), and tokens
// signed with HS256 and the public key as the secret.
const algorithm = "RS256"

// VerifyToken verifies a token with the JWT library, and converts the result to facts. VerifyToken does not return an
// error for an invalid token.
func (v Verifier) VerifyToken(ctx context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	var claims jwt.RegisteredClaims
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{algorithm}),
		jwt.WithIssuer(v.Issuer),
		jwt.WithAudience(v.Audience),
		jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(v.Now),
	)
	_, err := parser.ParseWithClaims(token.Reveal(), &claims, v.key(ctx))
	switch {
	case errors.Is(err, jwt.ErrTokenMalformed):
		return rtdbauth.Facts{}, nil // may be a token of another kind
	case errors.Is(err, errKeysUnavailable):
		return rtdbauth.Facts{}, errKeysUnavailable
	case errors.Is(err, jwt.ErrTokenUnverifiable), errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return rtdbauth.Facts{Kind: rtdbauth.KindIDToken, Verified: new(false)}, nil // anyone could have written the claims
	default:
		return factsOf(&claims, err), nil
	}
}

// factsOf returns the facts about a token with a valid signature, given the error from the JWT library.
func factsOf(claims *jwt.RegisteredClaims, err error) rtdbauth.Facts {
	// Tokens from the accepted issuer contain all required claims.
	foreign := errors.Is(err, jwt.ErrTokenInvalidIssuer) || errors.Is(err, jwt.ErrTokenRequiredClaimMissing)
	return rtdbauth.Facts{
		Kind:      rtdbauth.KindIDToken,
		Verified:  new(!foreign),
		Audience:  new(!errors.Is(err, jwt.ErrTokenInvalidAudience)),
		Expires:   timeOf(claims.ExpiresAt),
		NotBefore: timeOf(claims.NotBefore),
		IssuedAt:  timeOf(claims.IssuedAt),
		UID:       &claims.Subject,
	}
}

func timeOf(date *jwt.NumericDate) time.Time {
	if date == nil {
		return time.Time{}
	}
	return date.Time
}

// errKeysUnavailable means that the token cannot be verified at the moment.
var errKeysUnavailable = errors.New("the keys of the issuer are not available")

// key returns the function that looks up a token's key.
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
