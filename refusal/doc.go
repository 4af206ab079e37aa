// Package refusal explains why the public service refused a request. [Parse] reads a refusal from the JSON error, or from the
// output of an official client. [Refusal.Explain] returns the findings about the request that caused the refusal. Explain also
// returns the meaning of the reason and the next step, if known. The package never guesses a cause.
package refusal
