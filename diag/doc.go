// Package diag is the vocabulary in which every room of calrules speaks of what it
// found: a [Finding] says which rule, where, how grave and why; a [Rule] is a rule's
// entry in the catalogue; a [Pointer] is a place in the payload.
//
// Most callers meet only [Findings], which the checks of the other packages return:
//
//	res := event.Check(req)
//	if err := res.Findings.Err(); err != nil { // nil unless a finding rejects
//		http.Error(w, err.Error(), http.StatusBadRequest)
//	}
//
// Servers that answer in application/problem+json call [Findings.Problem].
//
// Three things never mix: a finding is about the payload, an error is about the
// world, a panic is a bug of the library.
//
// Rule ids, kinds, bases and paths are stable and may be compared; the wording of
// a message may change with any release.
package diag
