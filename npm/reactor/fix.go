package main

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/operation"
)

// fixing is a request to fix another request.
type fixing struct {
	request []byte // a line of `calrules check --ndjson`
	fix     []byte // "safe", "all", "best", or a JSON Patch
}

var fixingForm = ndjson.NewObject("",
	ndjson.Raw("request", func(m *fixing) *[]byte { return &m.request }),
	ndjson.Raw("fix", func(m *fixing) *[]byte { return &m.fix }),
)

// fixedJSON contains the changed parts of the request and the resolved findings, which are empty if the fix is a JSON Patch.
type fixedJSON struct {
	Text   *string          `json:"text,omitempty"` // the body
	Params operation.Params `json:"params"`
	Made   diag.Findings    `json:"made"`
}

// answerFix fixes a request.
func answerFix(request, dst []byte) []byte {
	answer, err := fix(request)
	if err != nil {
		return appendJSON(dst, failure{Error: err.Error()})
	}
	return appendJSON(dst, answer)
}

func fix(text []byte) (*fixedJSON, error) {
	var in fixing
	if err := fixingForm.Read(text, &in); err != nil {
		return nil, err
	}
	var req batch.Request
	if err := req.UnmarshalJSON(in.request); err != nil {
		return nil, err
	}
	after, made, err := filter.Fix(&req, in.request, in.fix)
	if err != nil {
		return nil, err
	}
	answer := &fixedJSON{Params: after.Params, Made: append(diag.Findings{}, made...)}
	if after.Body != nil {
		answer.Text = new(string(after.Body))
	}
	return answer, nil
}
