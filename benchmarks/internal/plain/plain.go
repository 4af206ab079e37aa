// Package plain has the types of package event without their methods, as a program declares them that only decodes events:
// what other decoders are measured with.
package plain

//go:generate go run ./gen
