// Package refusal explains why the public service refused a request. [Parse] reads a refusal: the JSON of the error, or what
// the official clients print of it. [Refusal.Explain] says which findings about the request are its causes and, if there are
// none, what its reason means and what to do next. What is not known it does not guess.
package refusal
