// Package conformance embeds the conformance cases, their schema, and the clauses that the cases demonstrate. The README in
// this directory describes the files.
package conformance

import "embed"

// Files contains the cases in files named *.ndjson, with one case per line, the JSON Schema of a line in schema.json, and the
// clauses of all rules in clauses.tsv.
//
//go:embed *.ndjson schema.json clauses.tsv
var Files embed.FS
