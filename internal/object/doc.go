// Package object reads and writes the JSON objects of the calendar service by tables: one
// table a Go struct, one row a member. The same rows decode, encode, copy and compare, so
// that what a member is called and where it lives is written down once.
//
// Decoding is strict about JSON (RFC 8259) and tells everything that is wrong in one pass.
// Nothing that was sent is lost: members that no table lists, values of a wrong type, null,
// and zero values that a Go field cannot tell from absence are kept as they were written, in
// the object's [Extra].
//
// It is the only package that knows which JSON library does the scanning.
package object
