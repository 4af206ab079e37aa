// Package object decodes and encodes the JSON objects of the calendar service with tables. There is one table for each
// Go struct, with one row for each member. Decoding, encoding, copying and comparing use the same rows, so that the
// name of a member and its field are written only once.
//
// Decoding is strict about JSON (RFC 8259) and reports all problems in one pass. It is also lossless: unknown members, values
// of the wrong type, null, and zero values that a Go field cannot distinguish from absence are kept as written, in [Extra].
package object
