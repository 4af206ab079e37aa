// Package conformance embeds the conformance cases, their schema and the clauses that they show, which this folder's README
// describes.
package conformance

import "embed"

// Files has the cases, in files named *.ndjson with one case per line, schema.json, the JSON Schema of a line, and
// clauses.tsv, the clauses of all rules.
//
//go:embed *.ndjson schema.json clauses.tsv
var Files embed.FS
