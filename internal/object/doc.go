// Package object uses tables to decode and encode the JSON objects of the calendar service. Each Go struct has a table with a
// row for each member. Decoding, encoding, copying and comparing use the same rows, so the name of a member and its field are
// written only once.
//
// Decoding is strict about JSON (RFC 8259) and reports all problems in one pass. Decoding is also lossless: unknown members,
// values of the wrong type, null, and zero values that a Go field cannot distinguish from absence are kept as written, in
// [Extra].
package object
