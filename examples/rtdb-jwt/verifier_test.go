package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/calrules/calrules/rtdbauth"
)

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// newKey generates a key.
func newKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// goodClaims returns the claims of a token that is valid at noon.
func goodClaims() jwt.MapClaims {
	return jwt.MapClaims{
		"iss": issuer, "sub": "jack", "aud": project,
		"iat": noon.Add(-time.Minute).Unix(), "exp": noon.Add(time.Minute).Unix(),
	}
}

// sign returns a token with good claims, modified by change.
func sign(t *testing.T, method jwt.SigningMethod, key any, change func(jwt.MapClaims, map[string]any)) string {
	t.Helper()
	claims := goodClaims()
	token := jwt.NewWithClaims(method, claims)
	token.Header["kid"] = keyID
	if change != nil {
		change(claims, token.Header)
	}
	signed, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func claim(name string, value any) func(jwt.MapClaims, map[string]any) {
	return func(claims jwt.MapClaims, _ map[string]any) {
		if value == nil {
			delete(claims, name)
			return
		}
		claims[name] = value
	}
}

func TestVerifier(t *testing.T) {
	key, stranger := newKey(t), newKey(t)
	elliptical, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: publicBytes(t, key)})
	good := sign(t, jwt.SigningMethodRS256, key, nil)
	header := func(name string, value any) func(jwt.MapClaims, map[string]any) {
		return func(_ jwt.MapClaims, h map[string]any) { h[name] = value }
	}
	rs := jwt.SigningMethodRS256

	for name, c := range map[string]struct {
		token string
		want  rtdbauth.Principal
	}{
		"good":                   {good, rtdbauth.User},
		"audience of several":    {sign(t, rs, key, claim("aud", []string{"x", project})), rtdbauth.User},
		"another audience":       {sign(t, rs, key, claim("aud", "red-project")), rtdbauth.Rejected},
		"no audience":            {sign(t, rs, key, claim("aud", nil)), rtdbauth.Rejected},
		"another issuer":         {sign(t, rs, key, claim("iss", issuer+"/")), rtdbauth.Rejected},
		"no issuer":              {sign(t, rs, key, claim("iss", nil)), rtdbauth.Rejected},
		"expired":                {sign(t, rs, key, claim("exp", noon.Unix()-1)), rtdbauth.Rejected},
		"expires now":            {sign(t, rs, key, claim("exp", noon.Unix())), rtdbauth.Rejected},
		"no expiry":              {sign(t, rs, key, claim("exp", nil)), rtdbauth.Rejected},
		"not yet valid":          {sign(t, rs, key, claim("nbf", noon.Unix()+9)), rtdbauth.Rejected},
		"issued in the future":   {sign(t, rs, key, claim("iat", noon.Unix()+9)), rtdbauth.Rejected},
		"empty subject":          {sign(t, rs, key, claim("sub", "")), rtdbauth.Rejected},
		"claims to be an admin":  {sign(t, rs, key, claim("admin", true)), rtdbauth.User},
		"another key":            {sign(t, rs, stranger, nil), rtdbauth.Rejected},
		"unknown key id":         {sign(t, rs, key, header("kid", "key-2")), rtdbauth.Rejected},
		"no key id":              {sign(t, rs, key, header("kid", nil)), rtdbauth.Rejected},
		"none":                   {sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil), rtdbauth.Rejected},
		"none in another case":   {withHeader(t, good, `{"alg":"nOnE","typ":"JWT","kid":"key-1"}`, true), rtdbauth.Rejected},
		"public key as a secret": {sign(t, jwt.SigningMethodHS256, public, nil), rtdbauth.Rejected},
		"another algorithm":      {sign(t, jwt.SigningMethodES256, elliptical, nil), rtdbauth.Rejected},
		"stronger algorithm":     {sign(t, jwt.SigningMethodRS512, key, nil), rtdbauth.Rejected},
		"replaced header":        {withHeader(t, good, `{"alg":"RS256","kid":"key-1","x":1}`, false), rtdbauth.Rejected},
		"truncated":              {good[:len(good)-4], rtdbauth.Rejected},
		"not a JWT":              {"a-database-secret", rtdbauth.Unspecified},
	} {
		t.Run(name, func(t *testing.T) {
			d := decide(verifier(&key.PublicKey, noon), "/users/jack.json?auth="+c.token)
			if d.Principal != c.want || (d.Subject == "jack") != (c.want == rtdbauth.User) {
				t.Errorf("%v %q, want %v: %v", d.Principal, d.Subject, c.want, d.Findings)
			}
		})
	}
}

func TestKeysUnavailable(t *testing.T) {
	v := verifier(nil, noon)
	v.Keys = func(context.Context, string) (*rsa.PublicKey, error) { return nil, errors.New("no network") }
	d := decide(v, "/users/jack.json?auth="+sign(t, jwt.SigningMethodRS256, newKey(t), nil))
	if d.Principal != rtdbauth.Unspecified {
		t.Errorf("%v: %v", d.Principal, d.Findings)
	}
}

func TestShow(t *testing.T) {
	var out bytes.Buffer
	if err := show(&out, noon); err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		if want := []string{"user jack", "rejected", "rejected", "none"}[i]; !strings.Contains(line, want) || strings.Contains(line, "eyJ") {
			t.Errorf("line %d is %q", i+1, line)
		}
	}
}

func decide(v Verifier, target string) rtdbauth.Decision {
	m := rtdbauth.Message{Method: "GET", URL: rtdbauth.NewToken(target)}
	d, err := rtdbauth.Authenticate(context.Background(), m, v, rtdbauth.Policy{}, noon)
	if err != nil {
		panic(err)
	}
	return d
}

func publicBytes(t *testing.T, key *rsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// withHeader returns the token with another header, and without its signature if unsigned.
func withHeader(t *testing.T, token, header string, unsigned bool) string {
	t.Helper()
	parts := strings.Split(token, ".")
	parts[0] = base64.RawURLEncoding.EncodeToString([]byte(header))
	if unsigned {
		parts[2] = ""
	}
	return strings.Join(parts, ".")
}
