// Command rtdb-jwt uses package rtdbauth with a real verifier. The command uses github.com/golang-jwt/jwt to verify identity
// tokens that are JSON Web Tokens. The command is in a separate module, to keep calrules independent of that library.
//
// The command signs a token as the authentication service would, and authorizes requests as a database server would.
package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/calrules/calrules/rtdbauth"
)

const (
	issuer  = "https://issuer.example/blue-project"
	project = "blue-project"
	keyID   = "key-1"
)

func main() {
	if err := show(os.Stdout, time.Now()); err != nil {
		log.Fatal(err)
	}
}

// show signs a token for Jack that expires in an hour, and prints the decisions about four requests: with the token as auth,
// with the token as access_token, with the token as auth two hours later, and without a token.
func show(out io.Writer, now time.Time) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.RegisteredClaims{
		Issuer:    issuer,
		Subject:   "jack",
		Audience:  jwt.ClaimStrings{project},
		IssuedAt:  jwt.NewNumericDate(now),
		ExpiresAt: jwt.NewNumericDate(now.Add(time.Hour)),
	})
	token.Header["kid"] = keyID
	signed, err := token.SignedString(key)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		target string
		after  time.Duration
	}{
		{"/users/jack.json?auth=" + signed, 0},
		{"/users/jack.json?access_token=" + signed, 0},
		{"/users/jack.json?auth=" + signed, 2 * time.Hour},
		{"/users/jack.json", 0},
	} {
		clock := now.Add(step.after)
		m := rtdbauth.Message{Method: "GET", URL: rtdbauth.NewToken(step.target)}
		d, err := rtdbauth.Authenticate(context.Background(), m, verifier(&key.PublicKey, clock), rtdbauth.Policy{}, clock)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s after %v: %v %s %v\n", rtdbauth.RedactURL(step.target), step.after, d.Principal, d.Subject, d.Findings)
	}
	return nil
}

// verifier returns a verifier that trusts one key of the issuer.
func verifier(key *rsa.PublicKey, clock time.Time) Verifier {
	return Verifier{
		Keys: func(_ context.Context, id string) (*rsa.PublicKey, error) {
			if id != keyID {
				return nil, ErrNoKey
			}
			return key, nil
		},
		Issuer:   issuer,
		Audience: project,
		Now:      func() time.Time { return clock },
	}
}
