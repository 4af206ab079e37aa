// Package plain declares the types of package event without methods, as a program that only decodes events would, for measuring
// other decoders.
package plain

//go:generate go run ./gen
