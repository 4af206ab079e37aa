// Package object reads and writes the JSON objects of the calendar service with tables: one
// table for each Go struct, one row for each member. Decoding, encoding, copying and comparing
// use the same rows, so that the name of a member and its field are written once.
//
// Decoding is strict about JSON (RFC 8259) and reports everything that is wrong in one pass.
// Nothing that was sent is lost: unknown members, values of a wrong type, null, and zero values
// that a Go field cannot distinguish from absence are kept as they were written, in [Extra].
package object
