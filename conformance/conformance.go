// Package conformance embeds the conformance cases and their schema, which this folder's README describes.
package conformance

import "embed"

// Files has the cases, in files named *.ndjson with one case per line, and schema.json, the JSON Schema of a line.
//
//go:embed *.ndjson schema.json
var Files embed.FS
