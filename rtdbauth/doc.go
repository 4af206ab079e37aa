// Package rtdbauth answers two questions about a request to the REST interface of a realtime database: on whose behalf
// does it act, and do the database's rules apply to it?
//
// Most callers need one function, and must write a [Verifier] that knows the worth of tokens:
//
//	d, err := rtdbauth.Authenticate(ctx, message, verifier, policy, time.Now())
//	if err != nil {
//		return err // the policy is invalid
//	}
//	if !d.Granted() {
//		// d.Findings has the reasons, without showing the token
//	}
//
// It finds the credentials in the request, wherever they are, asks the verifier about them, and decides; the same input
// always has the same answer. [Table] shows how. Package rtdbhttp makes a [Message] from a net/http request, and guards
// handlers.
//
// # Guarantees
//
// The zero value of every enumeration grants nothing. A bad credential never makes a request
// anonymous, and an unknown fact never grants access: [Rejected] means that the request is wrong,
// [Unspecified] that the documents leave the answer open and the caller's [Policy] must give it.
// Only two kinds of credentials bypass the rules: a service account's access token, if everything
// that it needs is known and good, and a legacy credential, if the policy or the dialect says so.
//
// # The public service
//
// In the dialect [diag.Google], package rtdbauth also reads what the document does not show: other methods of a POST, the
// name of the database, and auth_variable_override, which limits a service account. A [Decision] has them, so callers need
// not read them again. [Decision.ForwardQuery] goes the other way: it limits a service account to a decision.
//
// No value of this package shows a token when it is printed, logged or encoded. Only
// [Token.Reveal] returns one.
//
// The package opens no connections and does not read the clock.
package rtdbauth
