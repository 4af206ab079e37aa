package main

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/schema"
	"github.com/calrules/calrules/operation"
)

// schemaRequest is a request for the JSON Schema of a body.
type schemaRequest struct {
	op      operation.ID
	dialect diag.Dialect
}

var schemaForm = ndjson.NewObject("",
	ndjson.Of("op", func(r *schemaRequest) *operation.ID { return &r.op }, ndjson.Text[operation.ID]),
	ndjson.Of("dialect", func(r *schemaRequest) *diag.Dialect { return &r.dialect }, ndjson.Decoded[diag.Dialect]),
)

// answerSchema answers with the same schema as `calrules schema --plain`.
func answerSchema(request, dst []byte) []byte {
	var r schemaRequest
	if err := schemaForm.Read(request, &r); err != nil {
		return appendJSON(dst, failure{Error: err.Error()})
	}
	body, err := schema.Body(r.op, r.dialect)
	if err != nil {
		return appendJSON(dst, failure{Error: err.Error()})
	}
	schema.Plain(body)
	return appendJSON(dst, map[string]any{"schema": body})
}
