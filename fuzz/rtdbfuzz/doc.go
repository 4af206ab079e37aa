// Package rtdbfuzz draws requests to the REST interface of a realtime database for property tests: valid requests, and
// requests that break one rule of [rtdbauth.Catalogue] and no other.
//
// The generators are generators of pgregory.net/rapid:
//
//   - [Request] draws a valid request;
//   - [Violating] draws a request that breaks the named rule, with the verdict of a correct
//     server;
//   - [KeyFile] draws the key file of a service account.
//
// [Mix] draws valid and broken requests by number, without a test around them. Package fuzz does the same for requests
// to the calendar.
//
// The generators are safe for concurrent use. The requests of a seed may change with each release, but a payload stays
// valid, or breaks the rule of its verdict.
package rtdbfuzz
