// Package refusal explains why the public service refused a request. [Parse] reads a refusal from the JSON of the error, or
// from the output of an official client. [Refusal.Explain] returns the findings about the request that are its causes and, if
// there are none, the meaning of its reason and the next step. It does not guess.
package refusal
