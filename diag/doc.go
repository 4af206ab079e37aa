// Package diag defines the findings that the checks of calrules report. A [Finding] contains the rule that applies, the place
// in the request, and the consequence for the request. A [Rule] declares the meaning, the source and examples of a rule. A
// [Pointer] is a place in a request.
//
// Most callers need only [Findings], which the checks of the other packages return:
//
//	findings, err := event.Find(req)
//	...
//	if err := findings.Err(); err != nil { // nil unless a finding rejects
//		http.Error(w, err.Error(), http.StatusBadRequest)
//	}
//
// Servers that respond with application/problem+json call [Findings.Problem].
//
// A finding is about the request, an error is about the environment, such as an unreadable file, and a panic indicates a bug in
// the library.
//
// Rule ids, kinds, bases and paths are stable, so programs may compare them. The wording of messages may change in any release.
package diag
