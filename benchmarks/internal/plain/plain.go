// Package plain declares the types of package event without their methods, as a program that only decodes events would, to
// measure other decoders.
package plain

//go:generate go run ./gen
