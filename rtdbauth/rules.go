package rtdbauth

import (
	"sync"

	"github.com/calrules/calrules/diag"
)

// Catalogue returns the rules of the package, in the order of the document.
//
// Their examples are lines that `calrules rtdb --ndjson` reads; that of rtdb.key-file is a key
// file.
func Catalogue() *diag.Catalogue { return catalogue() }

var catalogue = sync.OnceValue(func() *diag.Catalogue { return diag.NewCatalogue(rules) })

var rules = []*diag.Rule{
	docPath, docMethod, docNone, docServiceAccount, docScopes, docEmpty, docKeyFile, docIDToken, docExpired,
	docLegacy, docPresentation, docRevoked, docBearer, docOneCredential, docErrors, docOK, docSecret,
}

// Parts of the examples.
const (
	sampleGet    = `"method":"GET","url":"/users/jack.json"`
	sampleBearer = sampleGet + `,"headers":[["Authorization","Bearer sa-1"]]`
	sampleAuth   = `"method":"GET","url":"/users/jack.json?auth=id-1"`
	sampleLegacy = `"method":"GET","url":"/users/jack.json?auth=secret-1"`

	sampleScopes  = `"scopes":["https://scope.example/auth/userinfo.email","https://scope.example/auth/platform.database"]`
	sampleSA      = `"kind":"oauth_access","issued_to":"service_account","verified":true,"expired":false,"db_permission":true`
	sampleID      = `"kind":"id_token","verified":true,"audience":"this_project","uid":"jack"`
	sampleSecret  = `"kind":"legacy_secret","verified":true`
	samplePolicy  = `"policy":{"scope_base":"https://scope.example"}`
	sampleAdmit   = `"policy":{"legacy_in":["auth"]}`
	sampleKnownSA = `"known":{"sa-1":{` + sampleSA + `,` + sampleScopes + `}}`
	sampleKnownID = `"known":{"id-1":{` + sampleID + `,"expired":false}}`

	answerFull     = `{"principal":"service_account","rules":"bypass","read":"full","write":"full"}`
	answerPublic   = `{"principal":"none","rules":"apply","read":"public","write":"public"}`
	answerUser     = `{"principal":"user","subject":"jack","rules":"apply","read":"rules","write":"rules"}`
	answerLegacy   = `{"principal":"legacy","rules":"apply","read":"rules","write":"rules"}`
	answerRejected = `{"principal":"rejected","rules":"n/a","read":"none","write":"none"}`
	answerOpen     = `{"principal":"unspecified","rules":"n/a","read":"none","write":"none"}`
)

// ask is an example.
func ask(answer string, parts ...string) diag.Example {
	line := "{"
	for i, part := range parts {
		if i > 0 {
			line += ","
		}
		line += part
	}
	return diag.Example{Request: line + "}", Answer: answer}
}

var docPath = &diag.Rule{
	ID: "rtdb.path", Kind: diag.Reject, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "the path to a location ends with .json",
	Section: "rtdb.md, Endpoints",
	Why: "The path is decoded once before its end is looked at. Paths that servers and proxies read differently " +
		"(dot segments, empty segments, encoded slashes, double encoding) name no location until the policy refuses them.",
	Good: ask("", `"method":"GET","url":"/users/jack%2Ejson"`),
	Bad:  ask("", `"method":"GET","url":"/users/jack"`),
}

var docMethod = &diag.Rule{
	ID: "rtdb.method", Kind: diag.Unspecified, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "methods other than GET, which write data, are not shown",
	Section: "rtdb.md, Endpoints",
	Why:     "Who the caller is does not depend on the method, and is decided for the methods of HTTP. A word that is no method is another matter.",
	Good:    ask(answerPublic, sampleGet),
	Bad:     ask(answerOpen, `"method":"get","url":"/users/jack.json"`),
}

var docNone = &diag.Rule{
	ID: "rtdb.none", Kind: diag.Decide, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "without a credential, only what the rules make public is readable or writable; the rules apply",
	Section: "rtdb.md, Authentication",
	Why:     "No credential is not a bad credential: what was presented and is wrong never makes a request anonymous.",
	Good:    ask(answerPublic, sampleGet),
	Bad:     ask(answerRejected, `"method":"GET","url":"/users/jack.json?auth="`),
}

var docServiceAccount = &diag.Rule{
	ID: "rtdb.service-account", Kind: diag.Decide, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "an OAuth 2.0 access token of a service account, in the header or the access_token parameter, has full access; the rules are ignored",
	Section: "rtdb.md, Authentication",
	Why:     "It is the one way past the rules, so every fact about the token must be known and good.",
	Good:    ask(answerFull, sampleBearer, sampleKnownSA, samplePolicy),
	Bad:     ask(answerOpen, sampleBearer, samplePolicy),
}

var docScopes = &diag.Rule{
	ID: "rtdb.service-account.scopes", Kind: diag.Reject, When: diag.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "an access token has both scopes, userinfo.email and platform.database, under the scope base",
	Section: "rtdb.md, Service-account access token, 3",
	Good:    ask("", sampleBearer, sampleKnownSA, samplePolicy),
	Bad: ask("", sampleBearer, samplePolicy,
		`"known":{"sa-1":{`+sampleSA+`,"scopes":["https://scope.example/auth/platform.database"]}}`),
}

var docEmpty = &diag.Rule{
	ID: "rtdb.service-account.empty", Kind: diag.Reject, When: diag.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "an access token is not empty; where the token library returns an empty one, the service account lacks permission to generate access tokens",
	Section: "rtdb.md, Service-account access token, 4",
	Good:    ask("", sampleBearer, sampleKnownSA, samplePolicy),
	Bad:     ask("", `"method":"GET","url":"/users/jack.json?access_token="`),
}

var docKeyFile = &diag.Rule{
	ID: "rtdb.key-file", Kind: diag.Reject, When: diag.Key, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "the key file is a JSON file with client_email and private_key",
	Section: "rtdb.md, Service-account access token, 2",
	Good: diag.Example{Request: `{"client_email":"robot@project.example",` +
		`"private_key":"-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----\n"}`},
	Bad: diag.Example{Request: `{"client_email":"robot@project.example"}`},
}

var docIDToken = &diag.Rule{
	ID: "rtdb.id-token", Kind: diag.Decide, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "an identity token in auth makes the request that of the single user whom it identifies; the rules apply",
	Section: "rtdb.md, Identity token",
	Why:     "Whatever else the token claims is for the rules to look at, and opens nothing here.",
	Good:    ask(answerUser, sampleAuth, sampleKnownID),
	Bad:     ask(answerRejected, `"method":"GET","url":"/users/jack.json?access_token=id-1"`, sampleKnownID),
}

var docExpired = &diag.Rule{
	ID: "rtdb.id-token.expired", Kind: diag.Reject, When: diag.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "an identity token has not expired; its lifetime is not shown, so the verifier, or the token's own time, decides",
	Section: "rtdb.md, Identity token, 3",
	Good:    ask("", sampleAuth, `"known":{"_now":1700000000,"id-1":{`+sampleID+`,"exp":1700000001}}`),
	Bad:     ask("", sampleAuth, `"known":{"_now":1700000000,"id-1":{`+sampleID+`,"exp":1700000000}}`),
}

var docLegacy = &diag.Rule{
	ID: "rtdb.legacy", Kind: diag.Decide, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "a legacy token or database secret is still accepted, but not recommended; an upgrade is advised",
	Section: "rtdb.md, Legacy tokens, 1",
	Why:     "Where one is admitted is the policy's to say, and so is whether the rules apply; by default they do.",
	Good:    ask(answerLegacy, sampleLegacy, `"known":{"secret-1":{`+sampleSecret+`,"revoked":false}}`, sampleAdmit),
	Bad:     ask(answerRejected, sampleLegacy, `"known":{"secret-1":{`+sampleSecret+`,"revoked":false}}`, `"policy":{"legacy":"refuse"}`),
}

var docPresentation = &diag.Rule{
	ID: "rtdb.legacy.presentation", Kind: diag.Unspecified, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "how a legacy token or secret is presented is not shown",
	Section: "rtdb.md, Legacy tokens, 4",
	Good:    ask(answerLegacy, sampleLegacy, `"known":{"secret-1":{`+sampleSecret+`,"revoked":false}}`, sampleAdmit),
	Bad:     ask(answerOpen, sampleLegacy, `"known":{"secret-1":{`+sampleSecret+`,"revoked":false}}`),
}

var docRevoked = &diag.Rule{
	ID: "rtdb.legacy.revoked", Kind: diag.Decide, When: diag.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "a secret that was revoked, as when a user with secret access is removed, is worth nothing",
	Section: "rtdb.md, Legacy tokens, 3",
	Why:     "Secrets are long-lived: revocation is what ends them, so it must be known that there was none.",
	Good:    ask(answerLegacy, sampleLegacy, `"known":{"secret-1":{`+sampleSecret+`,"revoked":false}}`, sampleAdmit),
	Bad:     ask(answerRejected, sampleLegacy, `"known":{"secret-1":{`+sampleSecret+`,"revoked":true}}`, sampleAdmit),
}

var docBearer = &diag.Rule{
	ID: "rtdb.bearer", Kind: diag.Reject, When: diag.HTTP, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "the Authorization header is one Bearer credential; the scheme is case-insensitive",
	Section: "RFC 6750 2.1",
	Why: "Readers that take the first of several fields, or whatever follows the first space, see another credential " +
		"than readers that take the last. Another scheme than Bearer is left to the policy.",
	Good: ask("", sampleGet, `"headers":[["authorization","BEARER sa-1"]]`, sampleKnownSA, samplePolicy),
	Bad:  ask("", sampleGet, `"headers":[["Authorization","sa-1"]]`, sampleKnownSA, samplePolicy),
}

var docOneCredential = &diag.Rule{
	ID: "rtdb.one-credential", Kind: diag.Reject, When: diag.HTTP, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "a request carries its token in one way only, and once",
	Section: "RFC 6750 2",
	Why: "Which of two credentials counts would be a guess, and a guess can be steered. A query that cannot be read in one " +
		"way only could hide a second one.",
	Good: ask("", sampleAuth, sampleKnownID),
	Bad:  ask("", `"method":"GET","url":"/users/jack.json?auth=id-1&auth=id-1"`, sampleKnownID),
}

var docErrors = &diag.Rule{
	ID: "rtdb.errors", Kind: diag.Unspecified, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "status codes and bodies of refused requests are not shown",
	Section: "rtdb.md, Errors",
	Why:     "A decision therefore has no status; the status of a Guard's refusals is its own.",
	Good:    ask(answerPublic, sampleGet),
	Bad:     ask(answerRejected, `"method":"GET","url":"/users/jack"`),
}

var docOK = &diag.Rule{
	ID: "rtdb.ok", Kind: diag.Effect, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "a successful read answers HTTP 200 with the JSON data at the location",
	Section: "rtdb.md, Endpoints",
	Why:     "The package names the location and what may be read; the answer is the database's.",
	Good:    ask(`{"read":"full"}`, sampleBearer, sampleKnownSA, samplePolicy),
	Bad:     ask(`{"read":"none"}`, `"method":"GET","url":"/users/jack"`),
}

var docSecret = &diag.Rule{
	ID: "rtdb.secret-handling", Kind: diag.Effect, When: diag.All, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "no error, finding, log line or formatted value of the package shows a token",
	Section: "follows from rtdb.md, Legacy tokens, 3: secrets are long-lived",
	Why:     "Logs are read by more people than may read the database.",
	Good: ask(`{"findings":[{"rule":"rtdb.bearer","kind":"reject","basis":"rfc","path":"#Authorization",`+
		`"message":"the Authorization field is not a scheme, a space and a token; write Bearer before the token"}]}`,
		sampleGet, `"headers":[["Authorization","sa-1"]]`),
	Bad: ask(answerFull, sampleBearer, sampleKnownSA, samplePolicy),
}
