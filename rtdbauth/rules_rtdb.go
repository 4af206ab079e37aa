package rtdbauth

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/ndjson"
)

// ask is the answer to a request, followed by the parts of the request.
type ask []string

func (a ask) Example() diag.Example {
	return diag.Example{Request: "{" + strings.Join(a[1:], ",") + "}", Answer: a[0]}
}

var pathRule = &diag.Rule{
	ID: "rtdb.path", Kind: diag.Reject, When: diag.DatabaseRequest, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The path to a location must end with .json.",
	Section: "rtdb.md, Endpoints",
	Why: "The rule checks the path after decoding it once. A path that servers and proxies read differently (dot segments, empty " +
		"segments, encoded slashes, backslashes, double encoding) does not name a location that the request could access, and the policy " +
		"can reject such a path. In the dialect of the public service, the same is true of a request that names several databases, in ns " +
		"or in the address.",
	Good: ask{"", `"method":"GET","url":"/users/jack%2Ejson"`},
	Bad:  ask{"", `"method":"GET","url":"/users/jack"`},
	Says: diag.Sentences{
		{Key: "characters", Text: "The URL contains a space, a control character or a #. Percent-encode the character."},
		{Key: "escape", Text: "The path contains a % without two hexadecimal digits after it. Write %25."},
		{Key: "utf8", Text: "The decoded path is not valid UTF-8. Percent-encode its UTF-8 bytes."},
		{Key: "slash", Text: "The path does not begin with a slash. Write it relative to the database, with a slash before it."},
		{Key: "suffix", Text: "The path does not end with .json in lower case. Add .json to the path of the location."},
		{Key: "database", Text: "The parameter ns is not a database name of letters, digits, - and _ that all servers find. Send such a name, or leave ns out."},
		{Key: "databases", Text: "The request names several databases, so the intended database is unknown, and the request has no access. Name only one."},
		{Key: "databases-rejected", Text: "The request names several databases, but the policy allows one. Name only one."},
		{Key: "encoded-slash", Text: "The path contains an encoded slash, " + ambiguous},
		{Key: "encoded-slash-rejected", Text: "The path contains an encoded slash, " + ambiguousRejected},
		{Key: "encoded-twice", Text: "The path is percent-encoded twice, " + ambiguous},
		{Key: "encoded-twice-rejected", Text: "The path is percent-encoded twice, " + ambiguousRejected},
		{Key: "empty-segment", Text: "The path contains an empty segment, " + ambiguous},
		{Key: "empty-segment-rejected", Text: "The path contains an empty segment, " + ambiguousRejected},
		{Key: "dot-segment", Text: "The path contains a dot segment, " + ambiguous},
		{Key: "dot-segment-rejected", Text: "The path contains a dot segment, " + ambiguousRejected},
		{Key: "backslash", Text: "The path contains a backslash, which some servers treat as a slash, " + ambiguous},
		{Key: "backslash-rejected", Text: "The path contains a backslash, which some servers treat as a slash, " + ambiguousRejected},
	},
	Check: check(checkPath),
}

func checkPath(in *reading, r engine.Reporter) {
	if in.hasInvalid() {
		r.Report(wholeRequest, "characters")
	}
	p := in.path
	if p.fault == "database" || p.ambiguity == "databases" {
		r = r.WithBasis(diag.Observed)
	}
	switch {
	case p.fault != "":
		r.Report(wholeRequest, p.fault)
	case p.ambiguity != "" && in.policy.RejectAmbiguousPath:
		r.Report(wholeRequest, p.ambiguity+"-rejected")
	case p.ambiguity != "":
		r.WithKind(diag.Unspecified).Report(wholeRequest, p.ambiguity)
	}
}

var methodRule = &diag.Rule{
	ID: "rtdb.method", Kind: diag.Unspecified, When: diag.DatabaseRequest, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The document does not show methods other than GET, such as those for writing data.",
	Section: "rtdb.md, Endpoints",
	Why: "The identity of the caller does not depend on the method, so the principal is decided for GET and for the other methods of RFC " +
		"9110 and RFC 5789. For any other method, the decision is left open whatever the credentials, unless the path, the transport or " +
		"the form of the credentials is a reason to reject the request. In the dialect of the public service, PUT, POST, PATCH and " +
		"DELETE are known, and a POST may name its method in X-HTTP-Method-Override or in the parameter of that name.",
	Good: ask{`{"principal":"none","write":"public","findings":[]}`, sampleGet},
	Bad:  ask{`{"principal":"none","write":"public","findings":[` + samplePutFinding + `]}`, samplePut},
	Says: diag.Sentences{
		{Key: "other", Text: "{method}" + otherMethod},
		{Key: "unknown", Text: "The document, RFC 9110 and RFC 5789 do not define the method. Methods are case-sensitive: write GET."},
		{Key: "override-unknown", Text: "X-HTTP-Method-Override does not name one method of RFC 9110 or RFC 5789. Methods are case-sensitive: write PATCH."},
		{Key: "override-ignored", Text: "X-HTTP-Method-Override has an effect only on a POST. Send a POST, or leave the override out."},
	},
	Check: check(checkMethod),
}

// checkMethod checks the method and its override. The finding does not include an invalid method, which could be any string,
// even a token.
func checkMethod(in *reading, r engine.Reporter) {
	isOverridden := len(in.methods) > 0
	switch {
	case isOverridden && in.sentMethod != "POST":
		r.WithKind(diag.Ignore).WithBasis(diag.Observed).Report(wholeRequest, "override-ignored")
	case isOverridden && !isKnown(in.method):
		r.WithBasis(diag.Observed).Report(wholeRequest, "override-unknown")
		return
	}
	isShown := in.method == "GET" || in.policy.Dialect == diag.Google && slices.Contains(googleMethods, in.method)
	switch {
	case !isKnown(in.method):
		r.Report(wholeRequest, "unknown")
	case !isShown:
		r.Report(wholeRequest, "other", diag.Plain("method", in.method))
	}
}

var noCredentialRule = &diag.Rule{
	ID: "rtdb.none", Describes: diag.Decide, When: diag.DatabaseRequest, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Without a credential, only data that the rules make public can be read or written. The rules apply.",
	Section: "rtdb.md, Authentication",
	Why:     "A bad credential is not the same as no credential: it never makes a request anonymous.",
	Good:    ask{answerPublic, sampleGet},
	Bad:     ask{answerRejected, `"method":"GET","url":"/users/jack.json?auth="`},
}

var serviceAccountRule = &diag.Rule{
	ID: "rtdb.service-account", Describes: diag.Decide, When: diag.DatabaseRequest, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "An OAuth 2.0 access token of a service account, in the header or the access_token parameter, has full access. The rules are ignored.",
	Section: "rtdb.md, Authentication",
	Why: "Apart from legacy credentials, no other credential bypasses the rules. So the verifier must report that the token is genuine, " +
		"has not expired, was issued to a service account with permissions for the database, and has both scopes. No other fact may " +
		"count against the token.",
	Good: ask{answerFull, sampleBearer, sampleKnownSA, samplePolicy},
	Bad:  ask{answerRejected, sampleBearer, sampleUnableSA, samplePolicy},
	Says: slices.Concat(saysParam, saysKind, saysToken, saysExpiry, diag.Sentences{
		{Key: "place", Text: "The access token is sent as auth. Send it in the header or as access_token."},
		{Key: "form", Text: "An access token consists of printable ASCII characters (RFC 6749 A.12). Send the token as it was issued."},
		{Key: "issued-to-other", Text: "The access token was not issued to a service account. Get a token with the key file of a service account."},
		{Key: "issued-to-unknown", Text: "The verifier does not report whether the access token was issued to a service account. It must set issued_to (in Go, Facts.ServiceAccount)."},
		{Key: "no-permission", Text: "The service account has no permissions for the database. Grant the permissions, or use another service account."},
		{Key: "permission-unknown", Text: "The verifier does not report whether the service account has permissions for the database. It must set db_permission (in Go, Facts.DBPermission)."},
	}),
	Check: check(func(in *reading, r engine.Reporter) { checkParam(in, r, InAccessToken) }),
}

// checkParam checks the form of a credential parameter, for the rule about that parameter.
func checkParam(in *reading, r engine.Reporter, at Place) {
	if in.params.has(at, otherCase) {
		r.WithKind(diag.Advise).Report(at.pointer(), "other-case")
	}
	if in.params.has(at, control) {
		r.WithKind(diag.Reject).Report(at.pointer(), "control")
	}
	if in.params.has(at, plus) {
		r.WithKind(diag.Advise).Report(at.pointer(), "plus")
	}
}

var scopesRule = &diag.Rule{
	ID: "rtdb.service-account.scopes", Kind: diag.Reject, When: diag.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "An access token must have both scopes, userinfo.email and platform.database, under the scope base.",
	Section: "rtdb.md, Service-account access token, 3",
	Good:    ask{"", sampleBearer, sampleKnownSA, samplePolicy},
	Bad: ask{"", sampleBearer, samplePolicy,
		`"known":{"sa-1":{` + sampleSA + `,"scopes":["https://scope.example/auth/platform.database"]}}`},
	Says: diag.Sentences{
		{Key: "no-base", Text: "The access token does not have two scopes that end in {first} and {second} after the same scope base. Get a token with both required scopes."},
		{Key: "base-unknown", Text: "The policy has no scope base, so the required scopes of the access token are unknown. Set the scope base (scope_base)."},
		{Key: "unknown", Text: "The verifier does not report the scopes of the access token. It must set scopes (in Go, Facts.Scopes)."},
		{Key: "lacks", Text: "The access token lacks {missing}. Get a token with both required scopes."},
		{Key: "lacks-both", Text: "The access token lacks {first} and {second}. Get a token with both required scopes."},
	},
}

var emptyTokenRule = &diag.Rule{
	ID: "rtdb.service-account.empty", Kind: diag.Reject, When: diag.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "An access token must not be empty. An empty token from the token library means that the service account lacks permission " +
		"to generate access tokens.",
	Section: "rtdb.md, Service-account access token, 4",
	Good:    ask{"", sampleBearer, sampleKnownSA, samplePolicy},
	Bad:     ask{"", `"method":"GET","url":"/users/jack.json?access_token="`},
	Says: diag.Sentences{
		{Key: "empty", Text: "The access token is empty. If the token library returned an empty token, the service account lacks permission to generate access tokens: grant the permission, and generate a new token."},
		{Key: "empty-ignored", Text: emptyIgnored},
	},
	Check: check(checkEmptyToken),
}

func checkEmptyToken(in *reading, r engine.Reporter) {
	if in.field == emptyBearer {
		in.reportEmpty(r, InHeader)
	}
	if in.params.has(InAccessToken, emptyParam) {
		in.reportEmpty(r, InAccessToken)
	}
}

var keyFileRule = &diag.Rule{
	ID: "rtdb.key-file", Kind: diag.Reject, When: diag.KeyFile, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The key file of a service account must be a JSON file with client_email and private_key.",
	Section: "rtdb.md, Service-account access token, 2",
	Good: diag.Example{Request: `{"client_email":"robot@project.example",` +
		`"private_key":"-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----\n"}`},
	Bad: diag.Example{Request: `{"client_email":"robot@project.example"}`},
	Says: diag.Sentences{
		{Key: "repeated", Text: "The key file has two members with the same name." + downloadAgain},
		{Key: "no-object", Text: "The key file is not a JSON object in UTF-8." + downloadAgain},
		{Key: "address", Text: "The client_email is missing, blank or not a valid string. It must be the address of the service account." + downloadAgain},
		{Key: "key", Text: "The private_key is missing, blank or not a valid string. It must be the private key, whose form the document does not show." + downloadAgain},
	},
	Check: checkKeyFile,
}

func checkKeyFile(in *keyFile, r engine.Reporter) {
	if e, ok := in.err.(*ndjson.Error); ok && e.Fault != ndjson.OfMember {
		r.Report("", map[bool]string{true: "repeated", false: "no-object"}[e.Fault == ndjson.Duplicate])
		return
	}
	if strings.TrimSpace(in.address) == "" {
		r.Report("/client_email", "address")
	}
	if strings.TrimSpace(in.private) == "" {
		r.Report("/private_key", "key")
	}
}

var idTokenRule = &diag.Rule{
	ID: "rtdb.id-token", Describes: diag.Decide, When: diag.DatabaseRequest, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "An identity token in auth makes the request act as the single user that the token identifies. The rules apply.",
	Section: "rtdb.md, Identity token",
	Why:     "The rules may read the other claims of the token, which grant nothing by themselves.",
	Good:    ask{answerUser, sampleAuth, sampleKnownID},
	Bad:     ask{answerRejected, `"method":"GET","url":"/users/jack.json?access_token=id-1"`, sampleKnownID},
	Says: slices.Concat(saysParam, saysKind, saysToken, diag.Sentences{
		{Key: "empty", Text: "The identity token is empty. Send a token, or leave the parameter out."},
		{Key: "empty-ignored", Text: emptyIgnored},
		{Key: "place", Text: "The identity token is sent in the header or as access_token. Send it as auth."},
		{Key: "form", Text: "An identity token consists of base64url characters and dots (RFC 7515 3.1). Send the token as it was issued."},
		{Key: "no-user", Text: "The uid of the token is empty, so it does not identify a user. Sign in as a user."},
		{Key: "user-unknown", Text: "The verifier does not report the user that the token identifies. It must set uid (in Go, Facts.UID)."},
	}),
	Check: check(checkIDToken),
}

func checkIDToken(in *reading, r engine.Reporter) {
	checkParam(in, r, InAuth)
	if in.params.has(InAuth, emptyParam) {
		in.reportEmpty(r, InAuth)
	}
}

var expiredRule = &diag.Rule{
	ID: "rtdb.id-token.expired", Kind: diag.Reject, When: diag.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "An identity token must not have expired. The document does not show the lifetime of a token, so the verifier or the token " +
		"itself must state the time of expiry.",
	Section: "rtdb.md, Identity token, 3",
	Good:    ask{"", sampleAuth, `"known":{"_now":1700000000,"id-1":{` + sampleID + `,"exp":1700000001}}`},
	Bad:     ask{"", sampleAuth, `"known":{"_now":1700000000,"id-1":{` + sampleID + `,"exp":1700000000}}`},
	Says:    saysExpiry,
}

var legacyRule = &diag.Rule{
	ID: "rtdb.legacy", Describes: diag.Decide, When: diag.DatabaseRequest, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Legacy tokens and database secrets are still accepted, but an upgrade is recommended.",
	Section: "rtdb.md, Legacy tokens, 1",
	Why: "The policy decides where legacy credentials are accepted, and whether they bypass the rules. By default, legacy credentials " +
		"are accepted nowhere, and where the policy accepts them, the rules apply. In the dialect of the public service, a database " +
		"secret in auth is accepted and bypasses the rules unless the policy decides otherwise.",
	Good: ask{answerLegacy, sampleLegacy, sampleSecrets, sampleAdmit},
	Bad:  ask{answerRejected, sampleLegacy, sampleNoSecret, sampleAdmit},
	Says: slices.Concat(saysToken, saysExpiry, diag.Sentences{
		{Key: "refused", Text: "The policy rejects legacy credentials. Send an access token or an identity token."},
		{Key: "upgrade-advised", Text: "Legacy credentials are still accepted but not recommended. Upgrade to an access token or an identity token."},
		{Key: "ended", Text: "The legacy token has expired and has been revoked. Send an access token or an identity token."},
		{Key: "end-unknown", Text: "The verifier must report that the legacy token has not expired (expired, exp; in Go, Facts.Expired, Facts.Expires) or that it has not been revoked (revoked; in Go, Facts.Revoked)."},
	}),
}

var presentationRule = &diag.Rule{
	ID: "rtdb.legacy.presentation", Kind: diag.Unspecified, When: diag.DatabaseRequest, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The document does not show how a request presents a legacy token or secret.",
	Section: "rtdb.md, Legacy tokens, 4",
	Good:    ask{answerLegacy, sampleLegacy, sampleSecrets, sampleAdmit},
	Bad:     ask{answerOpen, sampleLegacy, sampleSecrets},
	Says: diag.Sentences{{Key: "not-shown", Text: "The document does not show how a legacy credential is sent, and the policy does not accept one here. " +
		"Send an access token or an identity token, or set the policy (legacy_in)."}},
}

var revokedRule = &diag.Rule{
	ID: "rtdb.legacy.revoked", Describes: diag.Decide, When: diag.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "When a user with access to the secret is removed, a new secret is generated and the existing secret is revoked. A revoked " +
		"secret grants nothing.",
	Section: "rtdb.md, Legacy tokens, 3",
	Why:     "Secrets are long-lived. Only revocation invalidates a secret, so the verifier must know that a secret has not been revoked.",
	Good: ask{`{"principal":"rejected","read":"none","findings":[{"rule":"rtdb.legacy.revoked","kind":"reject","path":"?auth"}]}`,
		`"method":"GET","url":"/users/jack.json?auth=secret-0"`, sampleSecrets, sampleAdmit},
	Bad: ask{answerLegacy, sampleLegacy, sampleSecrets, sampleAdmit},
	Says: diag.Sentences{
		{Key: "unknown", Text: "The verifier does not report whether the secret has been revoked. It must set revoked (in Go, Facts.Revoked), because secrets are long-lived."},
		{Key: "secret", Text: "The secret has been revoked. The administration console shows the new secret in the service accounts section."},
		{Key: "token", Text: "The token has been revoked."},
		{Key: "upgrade", Text: upgrade},
	},
}

var bearerRule = &diag.Rule{
	ID: "rtdb.bearer", Kind: diag.Reject, When: diag.DatabaseRequest, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "The Authorization header must be a single Bearer credential. The scheme is case-insensitive.",
	Section: "RFC 6750 2.1",
	Why: "Of several Authorization fields, some servers use the first and others the last, so they would see different credentials. The " +
		"policy decides whether schemes other than Bearer are accepted, and whether a request must come over TLS (RFC 6750 5.3).",
	Good: ask{"", sampleGet, `"headers":[["authorization","BEARER sa-1"]]`, sampleKnownSA, samplePolicy},
	Bad:  ask{"", sampleGet, `"headers":[["Authorization","sa-1"]]`, sampleKnownSA, samplePolicy},
	Says: diag.Sentences{
		{Key: "no-tls", Text: "The request did not come over TLS, which the policy requires. Send it over HTTPS."},
		{Key: "tls-unknown", Text: "The policy requires TLS, but it is unknown whether the request came over TLS. Set _request.tls to true or false (in Go, Message.TLS)."},
		{Key: "name-padded", Text: "The name of the Authorization field is surrounded by white space. Remove the white space."},
		{Key: "several", Text: "The request has {n} Authorization fields. Send only one."},
		{Key: "empty", Text: "The Authorization field is empty. Send Bearer and a token, or leave the field out."},
		{Key: "empty-ignored", Text: emptyIgnored},
		{Key: "not-b64token", Text: "The string after Bearer is not a token of letters, digits and -._~+/ with = only at the end (RFC 6750 section 2.1). Send the token as it was issued."},
		{Key: "malformed", Text: malformedAuthorization},
		{Key: "scheme-ignored", Text: "The scheme of the Authorization field is not Bearer, and the policy ignores the field. Send Bearer and a token."},
		{Key: "scheme-rejected", Text: "The scheme of the Authorization field is not Bearer, and the policy rejects it. Send Bearer and a token, or leave the field out."},
		{Key: "scheme-open", Text: "The scheme of the Authorization field is not Bearer, and the document does not define other schemes. Send Bearer and a token, or set the policy (unsupported_scheme)."},
	},
	Check: check(checkBearer),
}

func checkBearer(in *reading, r engine.Reporter) {
	at := InHeader.pointer()
	switch {
	case !in.policy.RequireTLS:
	case in.tls == no:
		r.Report(wholeRequest, "no-tls")
	case in.tls == unknown:
		r.WithKind(diag.Unspecified).Report(wholeRequest, "tls-unknown")
	}
	if in.named {
		r.Report(at, "name-padded")
	}
	switch in.field {
	case severalFields:
		r.Report(at, "several", diag.Number("n", in.fields))
	case emptyField:
		in.reportEmpty(r, InHeader)
	case notB64Token:
		r.Report(at, "not-b64token")
	case malformedField:
		r.Report(at, "malformed")
	case otherScheme:
		if in.ignoresScheme() {
			r.WithKind(diag.Ignore).Report(at, "scheme-ignored")
		}
	}
}

var oneCredentialRule = &diag.Rule{
	ID: "rtdb.one-credential", Kind: diag.Reject, When: diag.DatabaseRequest, Basis: diag.RFC, Scope: diag.OfRequest,
	Summary: "A request must send its token in only one way, and only once.",
	Section: "RFC 6750 2",
	Why: "An attacker could exploit a guess about which of two credentials counts. A credential that only some servers find, because of " +
		"a semicolon or an invalid escape, could be a second credential.",
	Good: ask{"", sampleAuth, sampleKnownID},
	Bad:  ask{"", `"method":"GET","url":"/users/jack.json?auth=id-1&auth=id-1"`, sampleKnownID},
	Says: diag.Sentences{
		{Key: "hidden", Text: "A parameter contains a semicolon, which ends the parameter for some servers, so it hides a credential. Write %3B, or & before the credential."},
		{Key: "semicolon", Text: "The token contains a semicolon, which ends the token for some servers. Write %3B."},
		{Key: "escape", Text: "The token contains a % without two hexadecimal digits after it, and some servers drop such a parameter. Write %25."},
		{Key: "utf8", Text: "The decoded token is not valid UTF-8, and servers may decode it differently. Send the token as it was issued."},
		{Key: "too-many", Text: "The request has more than {limit} credentials, the limit under any policy. Send only one."},
		{Key: "send-one", Text: "A request must send its token in only one way. Send one credential, once."},
		{Key: "several", Text: "The request has {n} credentials (in {places})."},
		{Key: "several-equal", Text: "The request has {n} credentials (in {places}), and no single credential grants the least access."},
		{Key: "least", Text: "The request has several credentials, and the policy uses the credential that grants the least. Send only one."},
	},
	Check: check(checkOneCredential),
}

// doubtfulForms lists the forms of parameters that could be a second credential, with the keys of the messages.
var doubtfulForms = []struct {
	paramForm
	key string
}{{hiddenCredential, "hidden"}, {semicolon, "semicolon"}, {badEscape, "escape"}, {notUTF8, "utf8"}}

func checkOneCredential(in *reading, r engine.Reporter) {
	for _, at := range paramPlaces {
		for _, form := range doubtfulForms {
			if in.params.has(at, form.paramForm) {
				r.Report(at.pointer(), form.key)
			}
		}
	}
	if len(in.credentials) > maxCredentials {
		r.Report(wholeRequest, "too-many", diag.Number("limit", maxCredentials))
	}
}

var errorsRule = &diag.Rule{
	ID: "rtdb.errors", Kind: diag.Unspecified, When: diag.DatabaseRequest, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The document does not show status codes and bodies for rejected requests.",
	Section: "rtdb.md, Errors",
	Why:     "A decision therefore has no status, and the rule reports no findings. The Guard of package rtdbhttp chooses its own status.",
	Good:    ask{answerPublic, sampleGet},
	Bad:     ask{`{"principal":"rejected","read":"none","status":null}`, `"method":"GET","url":"/users/jack"`},
}

var okRule = &diag.Rule{
	ID: "rtdb.ok", Describes: diag.Effect, When: diag.DatabaseRequest, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The response to a successful read is HTTP 200 with the JSON data at the location.",
	Section: "rtdb.md, Endpoints",
	Why: "The package decides what may be read, and the database sends the response. The document does not show the responses to " +
		"other methods, so a decision about another method has a finding, unless the public service is known to have the method.",
	Good: ask{`{"read":"full","findings":[]}`, sampleBearer, sampleKnownSA, samplePolicy},
	Bad:  ask{`{"read":"full","findings":[` + samplePutFinding + `]}`, samplePut, sampleHeader, sampleKnownSA, samplePolicy},
}

var secretRule = &diag.Rule{
	ID: "rtdb.secret-handling", Describes: diag.Effect, When: diag.All, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "No error, finding, log line or formatted value from the package shows a token.",
	Section: "follows from rtdb.md, Legacy tokens, 3: secrets are long-lived",
	Why: "More people can read a log than may read the database. Findings show what cannot be a token, such as the " +
		"method, but neither the URL nor the value of a header field.",
	Good: ask{`{"principal":"rejected","findings":[` + samplePutFinding + `,{"rule":"rtdb.bearer","kind":"reject","basis":"rfc",` +
		`"path":"#Authorization","message":"` + malformedAuthorization + `"}]}`, samplePut, `"headers":[["Authorization","s3cr3t-t0ken"]]`},
	Bad: ask{`{"principal":"none","findings":[` + samplePutFinding + `]}`, samplePut},
}

var overrideRule = &diag.Rule{
	ID: "rtdb.override", Describes: diag.Decide, When: diag.DatabaseRequest, Basis: diag.Observed, Scope: diag.OfRequest, OnlyIn: new(diag.Google),
	Summary: "With the parameter auth_variable_override, the rules apply to the access token of a service account: the object in the " +
		"parameter is the whole auth variable of the rules, and null makes the request as nobody.",
	Section:  "observed",
	Seen:     "The official Admin client sends the parameter so that the rules bind a service account.",
	Reported: []string{"https://github.com/firebase/firebase-admin-python/blob/master/firebase_admin/db.py"},
	Why: "The subject of the decision is the uid of the object, if the object has one. A malformed value, or a value alongside " +
		"another credential, grants nothing: the service's interpretation of such a value is unknown, and without the parameter " +
		"the token would have full access.",
	Good: askOverriding{`{"principal":"service_account","subject":"jack","rules":"apply","read":"rules","write":"rules"}`, `{"uid":"jack"}`},
	Bad:  askOverriding{answerRejected, `{"uid":7}`},
	Says: diag.Sentences{
		{Key: "several", Text: "The parameter auth_variable_override appears several times. Send it once."},
		{Key: "malformed", Text: "The parameter auth_variable_override must be a JSON object or null, in percent-encoded UTF-8, without repeated names, and nested at most 100 levels deep."},
		{Key: "uid", Text: "The uid of auth_variable_override is not a string, or is empty. Send the id of a user, or leave uid out."},
		{Key: "token", Text: "The uid of auth_variable_override is the token of the request. Send the id of a user."},
		{Key: "alone", Text: "Without an access token, the effect of auth_variable_override is unknown. Send the access token of a service account, or leave the parameter out."},
		{Key: "beside", Text: "The parameter auth_variable_override limits only the access token of a service account. Send only that token, or leave the parameter out."},
		{Key: "other-case", Text: "A parameter with this name in a different case has no effect. Names are case-sensitive: write the name in lower case."},
	},
	Check: check(checkOverride),
}

func checkOverride(in *reading, r engine.Reporter) {
	o := &in.override
	if o.otherCase {
		r.WithKind(diag.Advise).Report(overridePointer, "other-case")
	}
	fault := o.fault
	switch {
	case o.times > 1:
		fault = "several"
	case fault == "" && o.uid != "" && slices.ContainsFunc(in.credentials, func(c credential) bool { return c.Token.Reveal() == o.uid }):
		fault = "token"
	}
	if fault != "" {
		r.WithKind(diag.Reject).Report(overridePointer, fault)
	}
}
