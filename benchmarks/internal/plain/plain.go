// Package plain declares the types of package event without their methods, as in a program that only decodes events, to
// measure other decoders.
package plain

//go:generate go run ./gen
