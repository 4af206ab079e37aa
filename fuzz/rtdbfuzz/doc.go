// Package rtdbfuzz draws requests to the REST interface of a realtime database for property tests: valid requests, and
// requests that break exactly one rule in [rtdbauth.Catalogue].
//
// The generators are for pgregory.net/rapid:
//
//   - [Request] draws a valid request;
//   - [Violating] draws a request that breaks the named rule, with the verdict of a correct
//     server;
//   - [KeyFile] draws a service account key file.
//
// [Mix] draws valid and broken requests by number, outside of a property test. Package fuzz does the same for requests to
// the calendar.
//
// The generators are safe for concurrent use. Each release may draw different requests for a seed, but every request is valid
// or breaks the rule in its verdict.
package rtdbfuzz
