// Package refusal explains why the public service refused a request. [Parse] reads a refusal from the error as JSON, or from
// the output of an official client. [Refusal.Explain] returns the findings about the request that caused the refusal. Explain
// also returns the meaning of the reason and the next step, if they are known. The package does not guess.
package refusal
