// Package rtdbauth answers two questions about a request to the REST interface of a
// realtime database: as whom does it act, and do the database's rules apply to it?
//
// Most callers need one function and one type of their own, a [Verifier] that knows what
// the tokens are worth:
//
//	d := rtdbauth.Authenticate(ctx, rtdbauth.FromHTTP(r), verifier, policy, time.Now())
//	if !d.Granted() {
//		// d.Findings says why, and never with the token's text
//	}
//
// Servers on net/http wrap their handler in a [Guard] instead. What [Authenticate] does in
// one step can be had in three:
//
//	Extract    every credential in every place where one can stand; nothing is decided
//	Verifier   what the embedder knows of each token; a fact may be unknown
//	Decide     pure and total: the same input has the same answer, in whatever order it came
//
// [Table] is the decision as data: [Decide] looks its answers up there.
//
// # What cannot happen
//
// The zero value of every enumeration grants nothing. A bad credential never makes an
// anonymous request, and an open question never makes a yes: [Rejected] says that the
// request is wrong, [Unspecified] that the documents do not say and the caller's [Policy]
// must. The rules are bypassed for a service account's access token of which every fact
// is known and good, and for a legacy credential where the policy says so in words.
//
// No value of this package shows a token when it is printed, logged or encoded. Only
// [Token.Reveal] returns one.
//
// The package opens no connection and reads no clock.
package rtdbauth
