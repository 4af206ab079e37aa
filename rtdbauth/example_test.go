package rtdbauth_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/calrules/calrules/rtdbauth"
)

// tokens is a verifier that knows one identity token.
type tokens struct{}

func (tokens) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	if token.Reveal() != "a.signed.token" { // a real verifier checks the signature
		return rtdbauth.Facts{Verified: new(false)}, nil
	}
	uid := "jack"
	return rtdbauth.Facts{
		Kind:     rtdbauth.KindIDToken,
		Verified: new(true),
		Expires:  time.Date(2026, 3, 10, 13, 0, 0, 0, time.UTC),
		Audience: new(true),
		UID:      &uid,
	}, nil
}

func ExampleAuthenticate() {
	m := rtdbauth.Message{Method: "GET", URL: rtdbauth.NewToken("/users/jack.json?auth=a.signed.token")}
	atNoon := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

	d, err := rtdbauth.Authenticate(context.Background(), m, tokens{}, rtdbauth.Policy{}, atNoon)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Principal, d.Subject, "reads", d.Location, "as the rules", d.Rules())

	d, err = rtdbauth.Authenticate(context.Background(), m, tokens{}, rtdbauth.Policy{}, atNoon.Add(time.Hour))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Principal)
	fmt.Println(d.Findings.Err())
	// Output:
	// user jack reads /users/jack as the rules apply
	// rejected
	// ?auth: The token expired at 2026-03-10T13:00:00Z, and the time is now 2026-03-10T13:00:00Z. Get a new token, and use it before it expires. [rtdb.id-token.expired]
}

func ExamplePolicy() {
	m := rtdbauth.Message{Method: "GET", URL: rtdbauth.NewToken("/users/jack.json?auth=a-database-secret")}

	for _, policy := range []rtdbauth.Policy{
		{},
		{LegacyIn: []rtdbauth.Place{rtdbauth.InAuth}},
		{RejectLegacy: true},
	} {
		d, err := rtdbauth.Authenticate(context.Background(), m, secrets{}, policy, time.Time{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(d.Principal, d.Rules(), d.Findings[0])
	}
	// Output:
	// unspecified n/a ?auth: The document does not show how a legacy credential is sent, and the policy does not accept one here. Send an access token or an identity token, or set the policy (legacy_in). [rtdb.legacy.presentation]
	// legacy apply ?auth: Legacy credentials are still accepted but not recommended. Upgrade to an access token or an identity token. [rtdb.legacy]
	// rejected n/a ?auth: The policy rejects legacy credentials. Send an access token or an identity token. [rtdb.legacy]
}

// secrets is a verifier that takes every token for a database secret.
type secrets struct{}

func (secrets) VerifyToken(context.Context, rtdbauth.Place, rtdbauth.Token) (rtdbauth.Facts, error) {
	return rtdbauth.Facts{Kind: rtdbauth.KindLegacySecret, Verified: new(true), Revoked: new(false)}, nil
}

func ExampleToken() {
	token := rtdbauth.NewToken("a-database-secret")
	fmt.Printf("%v %q %d\n", token, token, token)
	// Output: REDACTED REDACTED REDACTED
}

func ExampleParseKeyFile() {
	_, findings := rtdbauth.ParseKeyFile([]byte(`{"client_email": "robot@project.example"}`))
	fmt.Println(findings.Err())
	// Output: /private_key: The private_key is missing, blank or not a valid string. It must be the private key, whose form the document does not show. Download the key file again from the administration console. [rtdb.key-file]
}

func ExampleRedactURL() {
	fmt.Println(rtdbauth.RedactURL("/users/jack.json?print=pretty&auth=a.signed.token"))
	// Output: /users/jack.json?print=pretty&auth=REDACTED
}
