// Package rtdbauth authenticates requests to the REST interface of a realtime database. Package rtdbauth determines the
// principal on whose behalf a request acts, and whether the database's rules apply to the request.
//
// Callers implement a [Verifier], which determines whether tokens are valid. Most callers need only one function,
// [Authenticate]:
//
//	d, err := rtdbauth.Authenticate(ctx, message, verifier, policy, time.Now())
//	if err != nil {
//		return err // the policy is invalid
//	}
//	if !d.Granted() {
//		// d.Findings has the reasons, without showing the token
//	}
//
// Authenticate finds all credentials in the request, calls the verifier for each, and decides according to the [Table]. The
// decision is deterministic. Package rtdbhttp converts a net/http request to a [Message], and guards handlers.
//
// # Guarantees
//
// The zero value of every enumeration grants nothing. A bad credential never makes a request anonymous, and an unknown
// fact never grants access. [Rejected] means that the request is wrong; [Unspecified] means that the documentation leaves the
// decision to the caller's [Policy]. Only two kinds of credentials bypass the rules: a service account's access token, if all
// required facts are known and good, and a legacy credential, if the policy or the dialect allows it.
//
// # The public service
//
// In the dialect [diag.Google], package rtdbauth also supports features that the documentation does not show: method overrides
// in a POST request, the name of the database, and auth_variable_override, which limits a service account. A [Decision]
// contains the method, the database and the override, so callers need not parse them again. Conversely, [Decision.ForwardQuery]
// limits a service account to the access that a decision grants.
//
// No value of this package reveals a token when it is printed, logged or encoded. Only [Token.Reveal] returns the secret.
//
// Package rtdbauth opens no connections and does not read the system clock.
package rtdbauth
